//! Filters of training data: the conditions of `seebatch filter`, in its words.

use crate::error::Kind;
use crate::{c_text, raw, Error, Move, Piece, Position, Rules};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ffi::c_void;
use core::fmt;
use core::ptr::{null, NonNull};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Outcome {
    /// 0-1.
    BlackWins = 0,
    /// 1/2-1/2.
    Draw = 1,
    /// 1-0.
    WhiteWins = 2,
}

impl Outcome {
    /// -1 where Black wins, 0 for a draw, 1 where White wins, as it is signed in many formats.
    #[must_use]
    pub const fn of_sign(sign: i32) -> Outcome {
        match sign {
            0 => Outcome::Draw,
            1.. => Outcome::WhiteWins,
            _ => Outcome::BlackWins,
        }
    }
}

/// A position, and what is known of it. A condition about something that is not there does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record {
    /// The position.
    pub position: Position,
    /// The move that was made, as [`Position::legal_moves`] has it.
    pub chess_move: Option<Move>,
    /// From White's point of view.
    pub score: Option<i32>,
    /// How the game ended.
    pub outcome: Option<Outcome>,
    /// Half moves since the start of the game.
    pub ply: Option<u32>,
}

impl Record {
    /// A position of which nothing else is known.
    #[must_use]
    pub const fn new(position: Position) -> Record {
        Record { position, chess_move: None, score: None, outcome: None, ply: None }
    }

    fn has(&self) -> u8 {
        u8::from(self.chess_move.is_some())
            | u8::from(self.score.is_some()) << 1
            | u8::from(self.outcome.is_some()) << 2
            | u8::from(self.ply.is_some()) << 3
    }

    fn move_bits(&self) -> raw::seebatch_move {
        self.chess_move.map_or(0, Move::bits)
    }

    fn ply_bits(&self) -> i32 {
        self.ply.map_or(0, |ply| i32::try_from(ply).unwrap_or(i32::MAX))
    }

    /// A move of which an exchange may be evaluated has to be legal. Others are only looked at.
    fn check(&self, any_move: bool) -> Result<(), Error> {
        let chess_move = match self.chess_move {
            Some(chess_move) => chess_move,
            None => return Ok(()),
        };
        let (from, to) = (chess_move.from(), chess_move.to());
        let pawns = self.position.pieces_of_type(Piece::Pawn);
        let tactical = self.position.occupied() >> to & 1 == 1
            || chess_move.bits() >> 12 != 0
            || pawns >> from & 1 == 1 && (from ^ to) & 7 != 0;
        match tactical || any_move {
            true => self.position.check_legal(chess_move),
            false => Ok(()),
        }
    }
}

/// A kind of condition that there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Condition {
    /// The name, as [`Filter::keep`] reads it.
    pub name: &'static str,
    /// What stands behind the name: nothing, `[=RANGE]` (which may be left out), `=RANGE`, `=RESULT` and so on.
    pub argument: &'static str,
    /// When it holds.
    pub details: &'static str,
}

/// Conditions that a position has to meet, in the words of `seebatch filter`: `in-check`, `quiet`, `capture=0..`,
/// `abs-score=..10000`, `(quiet and abs(score) < 1000) or ply >= 100`; [`conditions`](Filter::conditions) lists them. Exchanges are evaluated by the rules that it was
/// made with. A copy costs nothing, and many threads may use one.
///
/// ```
/// use seebatch::{Filter, Position, Record, Rules};
///
/// let filter = Filter::new(&Rules::named("stockfish")?).keep("quiet")?.drop("ply=..15")?;
/// let mut record = Record::new(Position::from_fen("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -")?);
/// assert!(!filter.accepts(&record)?); // Rxe5 wins a pawn
/// record.position = Position::default();
/// assert!(filter.accepts(&record)?); // its ply is not known
/// record.ply = Some(0);
/// assert!(!filter.accepts(&record)?);
///
/// let either = Filter::new(&Rules::default()).keep("in-check or (ply < 16 and not capture)")?;
/// assert!(either.accepts(&record)?);
/// let error = either.keep("quiet and scroe < 100").unwrap_err();
/// assert!(error.to_string().contains("did you mean 'score'?\n  quiet and scroe < 100\n            ^~~~~"));
/// # Ok::<(), seebatch::Error>(())
/// ```
#[derive(Clone)]
pub struct Filter(Arc<Conditions>, Option<Arc<[u8]>>);

/// Positions for which one condition holds: `Filter::new(rules).keep(condition)`.
///
/// ```
/// let quiet = seebatch::filter("quiet", &seebatch::Rules::default())?;
/// # assert!(quiet.accepts(&seebatch::Record::new(seebatch::Position::default()))?);
/// # assert!(seebatch::filter("loud", &seebatch::Rules::default()).is_err());
/// # Ok::<(), seebatch::Error>(())
/// ```
pub fn filter(condition: &str, rules: &Rules) -> Result<Filter, Error> {
    Filter::new(rules).keep(condition)
}

impl Filter {
    /// One that accepts everything, yet.
    #[must_use]
    pub fn new(rules: &Rules) -> Filter {
        Filter(Arc::new(Conditions::new(rules)), None)
    }

    /// The kinds of conditions that there are.
    pub fn conditions() -> impl Iterator<Item = Condition> {
        (0..).map_while(|index| {
            let mut c = CCondition { name: null(), argument: null(), what: null(), details: null() };
            // Safe: its texts are static.
            unsafe {
                seebatch_condition_at(index, &mut c).then_some(Condition {
                    name: c_text(c.name).unwrap_or_default(),
                    argument: c_text(c.argument).unwrap_or_default(),
                    details: c_text(c.details).unwrap_or_default(),
                })
            }
        })
    }

    /// Accepts only what meets this condition, too. At most 64 conditions.
    pub fn keep(self, condition: &str) -> Result<Filter, Error> {
        self.with(true, condition)
    }

    /// Accepts nothing that meets this condition.
    pub fn drop(self, condition: &str) -> Result<Filter, Error> {
        self.with(false, condition)
    }

    /// The name of the file that the records come from, for the condition `file`: the same for all that come until the next
    /// call. Without it they have none, so that `file=*` does not hold.
    ///
    /// ```
    /// use seebatch::{Filter, Position, Record, Rules};
    ///
    /// let filter = Filter::new(&Rules::default()).keep("file=*.binpack")?;
    /// let record = Record::new(Position::default());
    /// assert!(!filter.accepts(&record)?);
    /// assert!(filter.of_file("data/test80.binpack").accepts(&record)?);
    /// # Ok::<(), seebatch::Error>(())
    /// ```
    #[must_use]
    pub fn of_file(mut self, name: &str) -> Filter {
        self.1 = Some(name.bytes().take_while(|&byte| byte != 0).chain([0]).collect());
        self
    }

    fn file(&self) -> *const raw::c_char {
        self.1.as_ref().map_or(null(), |name| name.as_ptr().cast())
    }

    fn with(mut self, keep: bool, condition: &str) -> Result<Filter, Error> {
        if Arc::get_mut(&mut self.0).is_none() {
            self.0 = Arc::new(self.0.copied());
        }
        let conditions = Arc::get_mut(&mut self.0).expect("this filter alone has them");
        conditions.add(keep, condition)?;
        Ok(self)
    }

    /// Why the conditions may not say what was meant: one or a part of one can never hold, such as `ply < 3 and ply > 9`,
    /// or always holds. Not every such condition is found.
    ///
    /// ```
    /// use seebatch::{Filter, Rules};
    ///
    /// let filter = Filter::new(&Rules::default()).keep("ply < 3 and ply > 9")?;
    /// assert!(filter.doubt().unwrap().starts_with("'ply < 3 and ply > 9' can never hold"));
    /// # Ok::<(), seebatch::Error>(())
    /// ```
    pub fn doubt(&self) -> Option<String> {
        let mut error = CError { status: 0, system_error: 0, text: [0; 1024] };
        // Safe: the error has room, and is filled where the answer is true.
        match unsafe { seebatch_conditions_doubt(self.0.raw.as_ptr(), &mut error) } {
            true => Some(error.sentence()),
            false => None,
        }
    }

    /// An error where a condition is about something that this record does not have, as an example of all that come:
    /// it could never hold.
    pub fn check_has(&self, example: &Record) -> Result<(), Error> {
        let lacks = unsafe { seebatch_conditions_fields(self.0.raw.as_ptr()) } & !raw::c_uint::from(example.has());
        match ["move", "score", "result", "ply"].get(lacks.trailing_zeros() as usize) {
            None => Ok(()),
            Some(field) => Err(Error::new(
                Kind::BadCondition,
                format_args!("a condition is about the {}, which these records do not have", field),
            )),
        }
    }

    /// Whether a record meets all conditions. Allocates nothing.
    ///
    /// A capture or promotion that is not legal in the position is an error; other moves are checked if a condition is
    /// about `move-value`.
    #[inline]
    pub fn accepts(&self, record: &Record) -> Result<bool, Error> {
        record.check(self.0.any_move)?;
        let mut accepted = [false];
        let (chess_move, score) = (record.move_bits(), record.score.unwrap_or(0));
        let (outcome, ply, has) = (record.outcome.map_or(0, |outcome| outcome as u8), record.ply_bits(), record.has());
        let records = CRecords {
            capacity: 1,
            n: 1,
            positions: record.position.as_raw(),
            moves: &chess_move,
            scores: &score,
            results: &outcome,
            plies: &ply,
            has: &has,
            places: null(),
            fens: null(),
            identities: null(),
            file: self.file(),
        };
        // Safe: one of each is there, and the move is legal where that matters.
        unsafe { self.0.test(&records, &mut accepted)? };
        Ok(accepted[0])
    }

    /// The same for many records, in a fraction of the time: `accepted[i]` says it of `records[i]`.
    ///
    /// # Panics
    /// Where the slices differ in length.
    pub fn accept(&self, records: &[Record], accepted: &mut [bool]) -> Result<(), Error> {
        assert!(records.len() == accepted.len(), "{} records, but room for {}", records.len(), accepted.len());
        let mut columns = Columns::default();
        for (some, accepted) in records.chunks(AT_ONCE).zip(accepted.chunks_mut(AT_ONCE)) {
            columns.fill(some, self.0.any_move)?;
            // Safe: the columns are as long as these, and moves were checked.
            unsafe { self.0.test(&columns.as_raw(self.file()), accepted)? };
        }
        Ok(())
    }
}

/// Lists what was asked for.
impl fmt::Debug for Filter {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let option = |keep: &bool| if *keep { "keep" } else { "drop" };
        f.debug_list().entries(self.0.words.iter().map(|(keep, word)| (option(keep), word))).finish()
    }
}

/// So many records become columns at once.
const AT_ONCE: usize = 4096;

/// Records as the C code takes them.
#[derive(Default)]
struct Columns {
    positions: Vec<Position>,
    moves: Vec<raw::seebatch_move>,
    scores: Vec<i32>,
    outcomes: Vec<u8>,
    plies: Vec<i32>,
    has: Vec<u8>,
}

impl Columns {
    fn fill(&mut self, records: &[Record], any_move: bool) -> Result<(), Error> {
        records.iter().try_for_each(|record| record.check(any_move))?;
        refill(&mut self.positions, records, |record| record.position);
        refill(&mut self.moves, records, Record::move_bits);
        refill(&mut self.scores, records, |record| record.score.unwrap_or(0));
        refill(&mut self.outcomes, records, |record| record.outcome.map_or(0, |outcome| outcome as u8));
        refill(&mut self.plies, records, Record::ply_bits);
        refill(&mut self.has, records, Record::has);
        Ok(())
    }

    fn as_raw(&self, file: *const raw::c_char) -> CRecords {
        CRecords {
            capacity: self.positions.len(),
            n: self.positions.len(),
            positions: self.positions.as_ptr().cast(),
            moves: self.moves.as_ptr(),
            scores: self.scores.as_ptr(),
            results: self.outcomes.as_ptr(),
            plies: self.plies.as_ptr(),
            has: self.has.as_ptr(),
            places: null(),
            fens: null(),
            identities: null(),
            file,
        }
    }
}

fn refill<T>(column: &mut Vec<T>, records: &[Record], field: impl Fn(&Record) -> T) {
    column.clear();
    column.extend(records.iter().map(field));
}

/// The C library's, and what they were made of.
struct Conditions {
    raw: NonNull<c_void>,
    rules: Rules,
    words: Vec<(bool, String)>,
    any_move: bool, // exchanges of moves that capture nothing are evaluated, too
}

// Safe: once all are added, several threads may use them.
unsafe impl Send for Conditions {}
unsafe impl Sync for Conditions {}

impl Conditions {
    fn new(rules: &Rules) -> Conditions {
        let raw = NonNull::new(unsafe { seebatch_conditions_new(rules.as_raw()) }).expect("memory for a filter");
        Conditions { raw, rules: *rules, words: Vec::new(), any_move: false }
    }

    fn copied(&self) -> Conditions {
        let mut copy = Conditions::new(&self.rules);
        for (keep, word) in &self.words {
            copy.add(*keep, word).expect("a condition that was added before");
        }
        copy
    }

    fn add(&mut self, keep: bool, word: &str) -> Result<(), Error> {
        if word.contains('\0') {
            let word = word.escape_debug();
            return Err(Error::new(Kind::BadCondition, format_args!("the condition '{:.40}' has a NUL in it", word)));
        }
        let text: Vec<u8> = word.bytes().chain([0]).collect();
        let mut error = CError { status: 0, system_error: 0, text: [0; 1024] };
        match unsafe { seebatch_conditions_add(self.raw.as_ptr(), keep, text.as_ptr(), &mut error) } {
            0 => {
                self.any_move |= word.to_ascii_lowercase().contains("move-value");
                self.words.push((keep, word.into()));
                Ok(())
            }
            _ => Err(Error::new(Kind::BadCondition, format_args!("{}", error.sentence()))),
        }
    }

    /// # Safety
    /// The records have all arrays, as long as `accepted`; captures and promotions among the moves are legal.
    unsafe fn test(&self, records: &CRecords, accepted: &mut [bool]) -> Result<(), Error> {
        match unsafe { seebatch_conditions_test(self.raw.as_ptr(), records, accepted.as_mut_ptr()) } {
            0 => Ok(()),
            _ => Err(Error::new(Kind::NoMemory, format_args!("out of memory"))),
        }
    }
}

impl Drop for Conditions {
    fn drop(&mut self) {
        unsafe { seebatch_conditions_free(self.raw.as_ptr()) }
    }
}

// ---- seebatch_io.h ---------------------------------------------------------------------------------------------------

#[repr(C)]
struct CCondition {
    name: *const raw::c_char,
    argument: *const raw::c_char,
    what: *const raw::c_char,
    details: *const raw::c_char,
}

#[repr(C)]
struct CError {
    status: raw::c_uint,
    system_error: raw::c_int,
    text: [u8; 1024],
}

impl CError {
    fn sentence(&self) -> String {
        let length = self.text.iter().position(|&byte| byte == 0).unwrap_or(0);
        String::from_utf8_lossy(&self.text[..length]).into_owned()
    }
}

#[repr(C)]
struct CRecords {
    capacity: usize,
    n: usize,
    positions: *const raw::seebatch_position,
    moves: *const raw::seebatch_move,
    scores: *const i32,
    results: *const u8,
    plies: *const i32,
    has: *const u8,
    places: *const c_void,
    fens: *const c_void,
    identities: *const u64,
    file: *const raw::c_char,
}

extern "C" {
    fn seebatch_condition_at(index: usize, condition: *mut CCondition) -> bool;
    fn seebatch_conditions_new(rules: *const raw::seebatch_rules) -> *mut c_void;
    fn seebatch_conditions_add(
        conditions: *mut c_void,
        keep: bool,
        text: *const raw::c_char,
        error: *mut CError,
    ) -> raw::c_uint;
    fn seebatch_conditions_doubt(conditions: *const c_void, error: *mut CError) -> bool;
    fn seebatch_conditions_fields(conditions: *const c_void) -> raw::c_uint;
    fn seebatch_conditions_test(
        conditions: *const c_void,
        records: *const CRecords,
        accepted: *mut bool,
    ) -> raw::c_uint;
    fn seebatch_conditions_free(conditions: *mut c_void);
}
