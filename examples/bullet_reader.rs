//! The positions of bullet, read and filtered by seebatch_io: a `DataReader` to use in the place of `SfBinpackLoader`,
//! `MontyBinpackLoader` or `ViriBinpackLoader`. docs/data.md says where it goes.
//!
//! Each thread reads its own part of a file, in any format that has scores and results. What the conditions of
//! `seebatch filter` leave out is not even converted to bullet's own boards. Link with `-l seebatch_io -l seebatch`.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::sync::mpsc::{SyncSender, sync_channel};

use bullet_lib::game::formats::bulletformat::ChessBoard;
use bullet_trainer::reader::DataReader;

/// What this reader needs of seebatch.h and seebatch_io.h.
mod raw {
    use super::{c_char, c_int, c_void};

    #[repr(C)]
    #[derive(Clone, Copy, Default)]
    pub struct Position {
        pub plane: [u64; 3],
        pub white: u64,
        pub stm: u8,
        pub rest: [u8; 15],
    }

    #[repr(C)]
    #[derive(Clone, Copy, Default)]
    pub struct Place {
        pub line: u64,
        pub byte: u64,
    }

    #[repr(C)]
    pub struct Records {
        pub capacity: usize,
        pub n: usize,
        pub positions: *mut Position,
        pub moves: *mut u16,
        pub scores: *mut i32,
        pub results: *mut u8,
        pub plies: *mut i32,
        pub has: *mut u8,
        pub places: *mut Place,
        pub fens: *mut c_void,
        pub identities: *const u64,
        pub file: *const c_char,
    }

    #[repr(C)]
    pub struct ReaderOptions {
        pub path: *const c_char,
        pub bytes: *const c_void,
        pub n_bytes: usize,
        pub format: *const c_char,
        pub part: u64,
        pub of: u64,
        pub strict: bool,
        pub column_names: *const *const c_char,
        pub n_column_names: usize,
        pub score_scale: c_int,
        pub win_rate_model: *const c_char,
        pub leela_score: *const c_char,
    }

    #[repr(C)]
    pub struct Error {
        pub status: c_int,
        pub system_error: c_int,
        pub text: [c_char; 1024],
    }

    pub const OK: c_int = 0;
    pub const END: c_int = 1;

    unsafe extern "C" {
        pub fn seebatch_rules_named(name: *const c_char, rules: *mut [u8; 18], error: *mut c_void) -> c_int;
        pub fn seebatch_conditions_new(rules: *const [u8; 18]) -> *mut c_void;
        pub fn seebatch_conditions_add(this: *mut c_void, keep: bool, text: *const c_char, error: *mut Error) -> c_int;
        pub fn seebatch_conditions_test(this: *const c_void, records: *const Records, holds: *mut bool) -> c_int;
        pub fn seebatch_conditions_free(this: *mut c_void);
        pub fn seebatch_reader_open(options: *const ReaderOptions, error: *mut Error) -> *mut c_void;
        pub fn seebatch_reader_next(this: *mut c_void, records: *mut Records, error: *mut Error) -> c_int;
        pub fn seebatch_reader_close(this: *mut c_void);
    }
}

/// `drop` are conditions as `seebatch filter --drop` takes them.
#[derive(Clone)]
pub struct SeebatchReader {
    paths: Vec<String>,
    drop: Vec<String>,
    buffer_size: usize,
    threads: usize,
}

const MOST: usize = 512;
const SENT_AT_ONCE: usize = 16384;

fn text(text: &str) -> CString {
    CString::new(text).expect("a text without NUL")
}

fn error() -> raw::Error {
    raw::Error {
        status: 0,
        system_error: 0,
        text: [0; 1024],
    }
}

fn sentence(error: &raw::Error) -> String {
    unsafe { CStr::from_ptr(error.text.as_ptr()) }
        .to_string_lossy()
        .into_owned()
}

/// bullet's board, which is that of the side to move; scores and results that come in are White's. It is made here,
/// because `ChessBoard::from_raw()` of bulletformat 1.8.0 allocates memory for each piece.
fn board(position: &raw::Position, score: i32, result: u8) -> ChessBoard {
    const PIECE_OF_CODE: [u8; 8] = [0, 2, 3, 4, 0, 1, 5, 0];
    let black = position.stm == 1;
    let seen = |squares: u64| if black { squares.swap_bytes() } else { squares };
    let [a, b, c] = position.plane.map(seen);
    let (occ, white, kings) = (a | b | c, seen(position.white), b & c);
    let theirs = if black { white } else { occ & !white };
    let (mut pcs, mut left, mut i) = ([0; 16], occ, 0);
    while left != 0 {
        let bit = |squares: u64| (squares >> left.trailing_zeros() & 1) as usize;
        let piece = PIECE_OF_CODE[bit(a) | bit(b) << 1 | bit(c) << 2] | (bit(theirs) as u8) << 3;
        pcs[i / 2] |= piece << (4 * (i % 2));
        left &= left - 1;
        i += 1;
    }
    ChessBoard {
        occ,
        pcs,
        score: if black { -score as i16 } else { score as i16 },
        result: if black { 2 - result } else { result },
        ksq: (kings & !theirs).trailing_zeros() as u8,
        opp_ksq: (kings & theirs).trailing_zeros() as u8 ^ 56,
        extra: [0; 3],
    }
}

/// A thread's part of a file; false once nobody takes the boards any more.
fn read_part(path: &str, drop: &[String], part: usize, of: usize, sender: &SyncSender<Vec<ChessBoard>>) -> bool {
    let mut error = error();
    let mut rules = [0; 18];
    let conditions = unsafe {
        raw::seebatch_rules_named(c"stockfish".as_ptr(), &mut rules, std::ptr::null_mut());
        raw::seebatch_conditions_new(&rules)
    };
    for words in drop {
        let added = unsafe { raw::seebatch_conditions_add(conditions, false, text(words).as_ptr(), &mut error) };
        assert!(added == raw::OK, "{}", sentence(&error));
    }

    let mut positions = vec![raw::Position::default(); MOST];
    let (mut moves, mut scores, mut plies) = (vec![0; MOST], vec![0; MOST], vec![0; MOST]);
    let (mut results, mut has, mut holds) = (vec![0; MOST], vec![0; MOST], vec![false; MOST]);
    let mut records: raw::Records = unsafe { std::mem::zeroed() };
    records.capacity = MOST;
    records.positions = positions.as_mut_ptr();
    records.moves = moves.as_mut_ptr();
    records.scores = scores.as_mut_ptr();
    records.results = results.as_mut_ptr();
    records.plies = plies.as_mut_ptr();
    records.has = has.as_mut_ptr();

    let name = text(path);
    let mut options: raw::ReaderOptions = unsafe { std::mem::zeroed() };
    options.path = name.as_ptr();
    (options.part, options.of) = (part as u64 + 1, of as u64);
    let reader = unsafe { raw::seebatch_reader_open(&options, &mut error) };
    assert!(!reader.is_null(), "{}", sentence(&error));
    let (mut go, mut boards) = (true, Vec::new());
    while go {
        let status = unsafe { raw::seebatch_reader_next(reader, &mut records, &mut error) };
        if status == raw::END {
            break;
        }
        assert!(status == raw::OK, "{}", sentence(&error));
        unsafe { raw::seebatch_conditions_test(conditions, &records, holds.as_mut_ptr()) };
        boards.extend(
            (0..records.n)
                .filter(|&i| holds[i])
                .map(|i| board(&positions[i], scores[i], results[i])),
        );
        if boards.len() >= SENT_AT_ONCE {
            go = sender.send(std::mem::take(&mut boards)).is_ok();
        }
    }
    go = go && sender.send(boards).is_ok();
    unsafe {
        raw::seebatch_reader_close(reader);
        raw::seebatch_conditions_free(conditions);
    }
    go
}

impl SeebatchReader {
    pub fn new(paths: &[&str], buffer_size_mb: usize, threads: usize, drop: &[&str]) -> Self {
        Self {
            paths: paths.iter().map(|x| x.to_string()).collect(),
            drop: drop.iter().map(|x| x.to_string()).collect(),
            buffer_size: buffer_size_mb * 1024 * 1024 / size_of::<ChessBoard>() / 2,
            threads,
        }
    }
}

impl DataReader<ChessBoard> for SeebatchReader {
    fn read_chunks<F: FnMut(&[ChessBoard]) -> bool>(&self, _: usize, mut f: F) {
        let (sender, receiver) = sync_channel::<Vec<ChessBoard>>(4 * self.threads);
        for part in 0..self.threads {
            let (this, sender) = (self.clone(), sender.clone());
            std::thread::spawn(move || {
                while this
                    .paths
                    .iter()
                    .all(|path| read_part(path, &this.drop, part, this.threads, &sender))
                {}
            });
        }
        let mut shuffled = Vec::with_capacity(self.buffer_size);
        let mut random = 0x9e37_79b9_7f4a_7c15_u64 ^ std::process::id() as u64;
        for boards in receiver {
            for board in boards {
                shuffled.push(board);
                if shuffled.len() == self.buffer_size {
                    for i in (1..shuffled.len()).rev() {
                        random ^= random << 13;
                        random ^= random >> 7;
                        random ^= random << 17;
                        shuffled.swap(i, (u128::from(random) * (i as u128 + 1) >> 64) as usize);
                    }
                    if f(&shuffled) {
                        return;
                    }
                    shuffled.clear();
                }
            }
        }
    }
}
