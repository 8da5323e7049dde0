//! Many positions with their moves, and jobs for several threads.

use crate::error::Kind;
use crate::mask::Mask;
use crate::{raw, Error, Move, Pins, Position, Rules, MAX_MOVES};
use core::ffi::c_void;
use core::mem::MaybeUninit;
use core::ops::Range;
use core::ptr::{null, null_mut};

#[cfg(feature = "alloc")]
use {crate::MoveList, crate::Node, alloc::vec, alloc::vec::Vec};

/// Many positions with moves that are legal in them: position `i` has the moves `offsets[i]` up to, not including,
/// `offsets[i + 1]`. Checked once, evaluated as often as you like. Answers are dense from the first move:
/// `values[k - offsets[0]]` is the value of `moves[k]`.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    positions: &'a [Position],
    offsets: &'a [usize],
    moves: &'a [Move],
    pins: Option<&'a [Pins]>,
}

impl<'a> Batch<'a> {
    /// Checks the offsets, one more than positions, and each move.
    pub fn new(positions: &'a [Position], offsets: &'a [usize], moves: &'a [Move]) -> Result<Batch<'a>, Error> {
        if offsets.len() != positions.len() + 1 {
            let (n, expected) = (offsets.len(), positions.len() + 1);
            return Err(Error::new(
                Kind::BadOffsets,
                format_args!("there are {} offsets, expected {}, one more than positions", n, expected),
            ));
        }
        let batch = Batch { positions, offsets, moves, pins: None };
        let mut fault = MaybeUninit::<raw::seebatch_fault>::zeroed();
        let (raw_batch, what, no_job) = (batch.as_raw(), raw::SEEBATCH_CHECK_SOUND, null_mut());
        // Safe: the library checks all that it is given, and zeros are a fault.
        let (status, fault) = unsafe {
            let n = moves.len();
            let status = raw::seebatch_batch_check(null(), &raw_batch, n, what, fault.as_mut_ptr(), no_job);
            (status, fault.assume_init())
        };
        match status {
            0 => Ok(batch),
            status => Err(Error::filled(status, fault.error.text)),
        }
    }

    /// # Safety
    /// There must be one offset more than positions, they must not decrease nor go beyond the moves, and each move must be
    /// legal in its position, or be so but for its own king in check; it may be the other side's.
    #[inline]
    #[must_use]
    pub const unsafe fn new_unchecked(positions: &'a [Position], offsets: &'a [usize], moves: &'a [Move]) -> Batch<'a> {
        Batch { positions, offsets, moves, pins: None }
    }

    /// With pins at hand, which then are not found again.
    ///
    /// # Safety
    /// There must be one for each position: what [`Rules::find_pins`] finds in it, under the rules that the batch is
    /// evaluated with.
    #[inline]
    #[must_use]
    pub const unsafe fn with_pins(mut self, pins: &'a [Pins]) -> Batch<'a> {
        self.pins = Some(pins);
        self
    }

    /// Some of the positions, with their moves.
    ///
    /// # Panics
    /// Where there are no such positions.
    #[must_use]
    pub fn slice(&self, range: Range<usize>) -> Batch<'a> {
        let pins = self.pins.map(|pins| &pins[range.clone()]);
        Batch {
            positions: &self.positions[range.clone()],
            offsets: &self.offsets[range.start..range.end + 1],
            moves: self.moves,
            pins,
        }
    }

    /// The positions.
    #[must_use]
    pub const fn positions(&self) -> &'a [Position] {
        self.positions
    }

    /// The moves of all its positions.
    #[must_use]
    pub fn moves(&self) -> &'a [Move] {
        match self.positions.len() {
            0 => &[],
            n => &self.moves[self.offsets[0]..self.offsets[n]],
        }
    }

    /// Where the answers for the moves of a position are.
    ///
    /// # Panics
    /// Where there is no such position.
    #[must_use]
    pub fn row(&self, position: usize) -> Range<usize> {
        self.offsets[position] - self.offsets[0]..self.offsets[position + 1] - self.offsets[0]
    }

    /// The value of each move.
    ///
    /// # Panics
    /// Where there is not one for each move.
    pub fn values(&self, rules: &Rules, values: &mut [i16], job: Option<&mut Job>) -> Result<(), Error> {
        self.one_each("values", values.len());
        let batch = self.as_raw();
        run(job, |job| unsafe { raw::seebatch_batch_values(rules.as_raw(), &batch, values.as_mut_ptr(), job) })
    }

    /// Whether each move reaches the threshold, in the first [`mask_words`](crate::mask_words) of the words.
    ///
    /// # Panics
    /// Where there are too few words.
    pub fn ge_mask<'m>(
        &self,
        rules: &Rules,
        threshold: i16,
        words: &'m mut [u64],
        job: Option<&mut Job>,
    ) -> Result<Mask<'m>, Error> {
        let (batch, n) = (self.as_raw(), self.moves().len());
        let mask = Mask::room(words, n);
        run(job, |job| unsafe { raw::seebatch_batch_ge_mask(rules.as_raw(), &batch, threshold, mask, job) })?;
        Ok(Mask::new(words, n))
    }

    /// The same with a threshold for each move.
    ///
    /// # Panics
    /// Where there are too few words, or not one threshold for each move.
    pub fn ge_mask_each<'m>(
        &self,
        rules: &Rules,
        thresholds: &[i16],
        words: &'m mut [u64],
        job: Option<&mut Job>,
    ) -> Result<Mask<'m>, Error> {
        let (batch, n) = (self.as_raw(), self.moves().len());
        self.one_each("thresholds", thresholds.len());
        // The library reads them beside the moves, which need not begin with the first.
        let thresholds = thresholds.as_ptr().wrapping_sub(self.offsets[0]);
        let mask = Mask::room(words, n);
        run(job, |job| unsafe { raw::seebatch_batch_ge_mask_each(rules.as_raw(), &batch, thresholds, mask, job) })?;
        Ok(Mask::new(words, n))
    }

    /// The moves of each position in the order of their values, then most valuable victim, least valuable attacker; their
    /// values in that order; and how many reach the threshold, which come first.
    ///
    /// # Panics
    /// Where a position has more than [`MAX_MOVES`] moves, or there is not one place in `sorted` and `values` for each
    /// move, and one in `good` for each position.
    pub fn order(
        &self,
        rules: &Rules,
        threshold: i16,
        sorted: &mut [Move],
        values: &mut [i16],
        good: &mut [usize],
        job: Option<&mut Job>,
    ) -> Result<(), Error> {
        let longest = (0..self.positions.len()).map(|position| self.row(position).len()).max();
        assert!(longest <= Some(MAX_MOVES), "{:?} moves of one position, expected {} at most", longest, MAX_MOVES);
        self.one_each("sorted moves", sorted.len());
        self.one_each("values", values.len());
        assert!(good.len() == self.positions.len(), "{} positions, but {} counts", self.positions.len(), good.len());
        let batch = self.as_raw();
        let (sorted, values, good) = (sorted.as_mut_ptr().cast(), values.as_mut_ptr(), good.as_mut_ptr());
        run(job, |job| unsafe {
            raw::seebatch_batch_order(rules.as_raw(), &batch, threshold, sorted, values, good, job)
        })
    }

    /// The length of the exchange that each move begins: how many captures there are if no side stops before it has to.
    ///
    /// # Panics
    /// Where there is not one for each move.
    pub fn lengths(&self, rules: &Rules, lengths: &mut [u8], job: Option<&mut Job>) -> Result<(), Error> {
        self.one_each("lengths", lengths.len());
        let batch = self.as_raw();
        run(job, |job| unsafe {
            raw::seebatch_batch_lengths(rules.as_raw(), &batch, null_mut(), lengths.as_mut_ptr(), job)
        })
    }

    fn one_each(&self, what: &str, n: usize) {
        let moves = self.moves().len();
        assert!(n == moves, "{} moves, but {} {}", moves, n, what);
    }

    fn as_raw(&self) -> raw::seebatch_batch {
        raw::seebatch_batch {
            positions: self.positions.as_ptr().cast(),
            n_positions: self.positions.len(),
            offsets: self.offsets.as_ptr(),
            moves: self.moves.as_ptr().cast(),
            pins: self.pins.map_or(null(), |pins| pins.as_ptr().cast()),
        }
    }
}

#[cfg(feature = "alloc")]
type Generate = unsafe extern "C" fn(
    *const raw::seebatch_position,
    usize,
    *mut usize,
    *mut raw::seebatch_move,
    usize,
    *mut raw::seebatch_job,
) -> raw::seebatch_status;

/// A batch that grows: positions and moves are put in one after another.
///
/// ```
/// use seebatch::{BatchBuf, Job, Position, Rules};
/// let mut buffer = BatchBuf::new();
/// for fen in ["1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -", "4k3/8/8/8/8/8/8/4K3 w - -"] {
///     buffer.push_list(&Position::from_fen(fen)?.legal_captures());
/// }
/// let batch = buffer.batch();
/// let mut values = vec![0; batch.moves().len()];
/// batch.values(&Rules::SWAP, &mut values, Some(&mut Job::new(0)))?; // by as many threads as there are processors
/// assert_eq!((&values[batch.row(0)], values[batch.row(1)].len()), (&[100][..], 0));
/// # Ok::<(), seebatch::Error>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct BatchBuf {
    positions: Vec<Position>,
    offsets: Vec<usize>,
    moves: Vec<Move>,
}

#[cfg(feature = "alloc")]
impl BatchBuf {
    /// An empty batch.
    #[must_use]
    pub fn new() -> BatchBuf {
        BatchBuf { positions: Vec::new(), offsets: Vec::from([0]), moves: Vec::new() }
    }

    /// Positions with all their legal moves.
    pub fn legal_moves(positions: &[Position], job: Option<&mut Job>) -> Result<BatchBuf, Error> {
        BatchBuf::generated(positions, 40, job, raw::seebatch_batch_legal_moves)
    }

    /// Positions with their legal captures.
    pub fn legal_captures(positions: &[Position], job: Option<&mut Job>) -> Result<BatchBuf, Error> {
        BatchBuf::generated(positions, 4, job, raw::seebatch_batch_legal_captures)
    }

    /// With room for so many moves a position at first; if there are more, they are generated once more.
    fn generated(
        positions: &[Position],
        each: usize,
        mut job: Option<&mut Job>,
        generate: Generate,
    ) -> Result<BatchBuf, Error> {
        let n = positions.len();
        let mut buffer = BatchBuf { positions: positions.to_vec(), offsets: vec![0; n + 1], moves: Vec::new() };
        let mut room = n * each + MAX_MOVES;
        loop {
            buffer.moves.resize(room, Move::from_bits(0));
            let (first, offsets) = (buffer.moves.as_mut_ptr().cast(), buffer.offsets.as_mut_ptr());
            let status = run(job.as_deref_mut(), |job| unsafe {
                generate(positions.as_ptr().cast(), n, offsets, first, room, job)
            });
            match status {
                Err(error) if error.kind() == Kind::NoRoom => room = buffer.offsets[n],
                other => {
                    buffer.moves.truncate(buffer.offsets[n]);
                    return other.map(|()| buffer);
                }
            }
        }
    }

    /// Puts a position in, with some of its moves, each of which is checked.
    pub fn push(&mut self, position: &Position, moves: &[Move]) -> Result<(), Error> {
        Node::new(position, moves)?;
        unsafe { self.push_unchecked(position, moves) };
        Ok(())
    }

    /// Puts the position of a list in, with the moves of the list.
    pub fn push_list(&mut self, list: &MoveList) {
        // Safe: the moves of a list are legal.
        unsafe { self.push_unchecked(list.node().position(), list) }
    }

    /// # Safety
    /// The moves must be as [`Batch::new_unchecked`] wants them.
    pub unsafe fn push_unchecked(&mut self, position: &Position, moves: &[Move]) {
        self.positions.push(*position);
        self.moves.extend_from_slice(moves);
        self.offsets.push(self.moves.len());
    }

    /// Takes all positions out; the room is kept.
    pub fn clear(&mut self) {
        self.positions.clear();
        self.offsets.truncate(1);
        self.moves.clear();
    }

    /// The batch, to be evaluated.
    #[must_use]
    pub fn batch(&self) -> Batch<'_> {
        Batch { positions: &self.positions, offsets: &self.offsets, moves: &self.moves, pins: None }
    }
}

#[cfg(feature = "alloc")]
impl Default for BatchBuf {
    fn default() -> BatchBuf {
        BatchBuf::new()
    }
}

/// How many threads share a call over many positions, and who hears of its progress.
///
/// The threads live no longer than the call, and the calling one does its share. Below some ten thousand moves it takes
/// longer to start them than they save. The answers do not depend on their number.
#[derive(Default)]
pub struct Job<'f> {
    threads: u32,
    progress: Option<&'f mut (dyn FnMut(usize, usize) -> bool + 'f)>,
    done: usize,
    threads_used: u32,
}

impl<'f> Job<'f> {
    /// So many threads; 0 means as many as there are processors.
    #[must_use]
    pub fn new(threads: u32) -> Job<'f> {
        Job { threads, ..Job::default() }
    }

    /// With a function that the calling thread calls between parts of the work: what is done, and the total. It ends the
    /// work by returning `false`; then the call fails with [`Kind::Cancelled`].
    pub fn with_progress(mut self, progress: &'f mut (dyn FnMut(usize, usize) -> bool + 'f)) -> Job<'f> {
        self.progress = Some(progress);
        self
    }

    /// Of the last call: so many answers are written, from the first.
    #[must_use]
    pub fn done(&self) -> usize {
        self.done
    }

    /// Of the last call: so many threads took part.
    #[must_use]
    pub fn threads_used(&self) -> u32 {
        self.threads_used
    }
}

impl core::fmt::Debug for Job<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter) -> core::fmt::Result {
        f.debug_struct("Job").field("threads", &self.threads).field("done", &self.done).finish_non_exhaustive()
    }
}

/// The processors that this process may run on.
#[must_use]
pub fn processors() -> u32 {
    unsafe { raw::seebatch_processors() }
}

/// Calls a function that takes a job or a null pointer.
pub(crate) fn run(
    job: Option<&mut Job>,
    call: impl FnOnce(*mut raw::seebatch_job) -> raw::seebatch_status,
) -> Result<(), Error> {
    let job = match job {
        None => return Error::check(|_| call(null_mut())),
        Some(job) => job,
    };
    let mut guard = Guarded { progress: job.progress.as_deref_mut(), panic: Panic::default() };
    let mut shared = raw::seebatch_job {
        threads: job.threads,
        progress: None,
        user: (&mut guard as *mut Guarded).cast(),
        done: 0,
        threads_used: 0,
    };
    if guard.progress.is_some() {
        shared.progress = Some(progress);
    }
    let status = call(&mut shared);
    job.done = shared.done;
    job.threads_used = shared.threads_used;
    guard.resume();
    if status as raw::c_int == raw::SEEBATCH_CANCELLED {
        return Err(Error::new(
            Kind::Cancelled,
            format_args!("the job's progress function ended the work after {} answers", job.done),
        ));
    }
    Error::check(|_| status)
}

/// A progress function that may panic. A panic may not pass through C: with the standard library it is kept until the
/// call is over, without it the program ends.
struct Guarded<'j, 'f> {
    progress: Option<&'j mut (dyn FnMut(usize, usize) -> bool + 'f)>,
    panic: Panic,
}

#[cfg(feature = "std")]
type Panic = Option<std::boxed::Box<dyn std::any::Any + Send>>;
#[cfg(not(feature = "std"))]
type Panic = ();

unsafe extern "C" fn progress(user: *mut c_void, done: usize, total: usize) -> bool {
    let guarded = unsafe { &mut *user.cast::<Guarded>() };
    match guarded.progress.as_mut() {
        Some(progress) => guarded_call(&mut guarded.panic, || progress(done, total)),
        None => true,
    }
}

#[cfg(feature = "std")]
fn guarded_call(panic: &mut Panic, call: impl FnOnce() -> bool) -> bool {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).unwrap_or_else(|payload| {
        *panic = Some(payload);
        false
    })
}

/// A second panic, while the first unwinds, ends the program.
#[cfg(not(feature = "std"))]
fn guarded_call(_: &mut Panic, call: impl FnOnce() -> bool) -> bool {
    struct EndsTheProgram;
    impl Drop for EndsTheProgram {
        fn drop(&mut self) {
            panic!("a progress function panicked");
        }
    }
    let ends = EndsTheProgram;
    let goes_on = call();
    core::mem::forget(ends);
    goes_on
}

impl Guarded<'_, '_> {
    #[cfg(feature = "std")]
    fn resume(self) {
        if let Some(payload) = self.panic {
            std::panic::resume_unwind(payload);
        }
    }

    #[cfg(not(feature = "std"))]
    fn resume(self) {}
}
