//! The declarations of `seebatch.h`, by hand, under the names of C. What they promise and what they expect is written
//! there. A test holds each size, offset, value and signature against the header.
#![allow(non_camel_case_types)]

use core::ffi::c_void;

/// `char`, which only ever stands behind a pointer or in an array.
pub type c_char = u8;
pub type c_int = i32;
pub type c_uint = u32;

pub type seebatch_status = c_uint;
pub type seebatch_move = u16;

// Made by scripts/manual: constants
pub const SEEBATCH_WHITE: c_int = 0;
pub const SEEBATCH_BLACK: c_int = 1;
pub const SEEBATCH_PAWN: c_int = 0;
pub const SEEBATCH_KNIGHT: c_int = 1;
pub const SEEBATCH_BISHOP: c_int = 2;
pub const SEEBATCH_ROOK: c_int = 3;
pub const SEEBATCH_QUEEN: c_int = 4;
pub const SEEBATCH_KING: c_int = 5;
pub const SEEBATCH_NO_PIECE: c_int = 6;
pub const SEEBATCH_NO_SQUARE: c_int = 64;
pub const SEEBATCH_OK: c_int = 0;
pub const SEEBATCH_UNREADABLE: c_int = 1;
pub const SEEBATCH_UNSOUND: c_int = 2;
pub const SEEBATCH_ILLEGAL: c_int = 3;
pub const SEEBATCH_BAD_RULES: c_int = 4;
pub const SEEBATCH_BAD_KERNEL: c_int = 5;
pub const SEEBATCH_CANCELLED: c_int = 6;
pub const SEEBATCH_AMBIGUOUS: c_int = 7;
pub const SEEBATCH_DIFFERENT: c_int = 8;
pub const SEEBATCH_NO_ROOM: c_int = 9;
pub const SEEBATCH_BAD_OFFSETS: c_int = 10;
pub const SEEBATCH_FEN_SIZE: c_int = 128;
pub const SEEBATCH_MAX_MOVES: c_int = 704;
pub const SEEBATCH_SAN_SIZE: c_int = 8;
pub const SEEBATCH_MAX_PIECE_VALUE: c_int = 3000;
pub const SEEBATCH_ALWAYS: c_int = 32767;
pub const SEEBATCH_PINS_IGNORED: c_int = 0;
pub const SEEBATCH_PINS_ANY: c_int = 1;
pub const SEEBATCH_PINS_ALL: c_int = 2;
pub const SEEBATCH_PINS_LEGAL: c_int = 3;
pub const SEEBATCH_PINS_RAY_ONCE: c_int = 4;
pub const SEEBATCH_PINS_RAY_ONCE_BOTH: c_int = 5;
pub const SEEBATCH_PINS_RAY_EACH: c_int = 6;
pub const SEEBATCH_PINS_RAY_STANDING: c_int = 7;
pub const SEEBATCH_PROMOTE_NONE: c_int = 0;
pub const SEEBATCH_PROMOTE_FIRST: c_int = 1;
pub const SEEBATCH_PROMOTE_ALL: c_int = 2;
pub const SEEBATCH_PROMOTION_EVALUATED: c_int = 0;
pub const SEEBATCH_PROMOTION_ZERO: c_int = 1;
pub const SEEBATCH_PROMOTION_ALWAYS: c_int = 2;
pub const SEEBATCH_EN_PASSANT_EVALUATED: c_int = 0;
pub const SEEBATCH_EN_PASSANT_ZERO: c_int = 1;
pub const SEEBATCH_EN_PASSANT_ALWAYS: c_int = 2;
pub const SEEBATCH_EN_PASSANT_STANDING: c_int = 3;
pub const SEEBATCH_CASTLING_ZERO: c_int = 0;
pub const SEEBATCH_CASTLING_ALWAYS: c_int = 1;
pub const SEEBATCH_LEAST_VALUABLE_FIRST: c_int = 0;
pub const SEEBATCH_BEST_ORDER: c_int = 1;
pub const SEEBATCH_EN_PASSANT_REPLIES_IGNORED: c_int = 0;
pub const SEEBATCH_EN_PASSANT_REPLIES_COUNTED: c_int = 1;
pub const SEEBATCH_RULES_SIZE: c_int = 176;
pub const SEEBATCH_MAX_THREADS: c_int = 256;
pub const SEEBATCH_MAX_EXCHANGE: c_int = 64;
pub const SEEBATCH_REFUSED_PIN_RULE: c_int = 0;
pub const SEEBATCH_REFUSED_OTHER_PIN: c_int = 1;
pub const SEEBATCH_REFUSED_PINNED: c_int = 2;
pub const SEEBATCH_REFUSED_IN_CHECK: c_int = 3;
pub const SEEBATCH_REFUSED_GUARDED: c_int = 4;
pub const SEEBATCH_REFUSED_OFF_PIN: c_int = 5;
pub const SEEBATCH_REFUSED_PINNER_LEFT: c_int = 6;
pub const SEEBATCH_REFUSED_OTHER_PINNER: c_int = 7;
pub const SEEBATCH_REFUSED_BEFORE_ENEMY: c_int = 8;
pub const SEEBATCH_MAX_REFUSALS: c_int = 560;
pub const SEEBATCH_UCI: c_int = 0;
pub const SEEBATCH_SAN: c_int = 1;
pub const SEEBATCH_ANY_NOTATION: c_int = 2;
pub const SEEBATCH_CHECK_SOUND: c_int = 0;
pub const SEEBATCH_CHECK_LEGAL: c_int = 1;
pub const SEEBATCH_CHECK_PSEUDO_LEGAL: c_int = 2;
// Up to here by scripts/manual

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct seebatch_error {
    pub text: [c_char; 256],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct seebatch_position {
    pub plane: [u64; 3],
    pub white: u64,
    pub stm: u8,
    pub ep_square: u8,
    pub castling_rook: [[u8; 2]; 2],
    pub shredder: u8,
    pub reserved: u8,
    pub halfmove_clock: u16,
    pub fullmove_number: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct seebatch_rules {
    pub value: [i16; 5],
    // Made by scripts/manual: members
    pub pins: u8,
    pub promotions: u8,
    pub promotion: u8,
    pub en_passant: u8,
    pub castling: u8,
    pub order: u8,
    pub en_passant_replies: u8,
    // Up to here by scripts/manual
    pub reserved: u8,
}

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct seebatch_rules_field {
    pub name: *const c_char,
    pub words: *const *const c_char,
    pub n_words: usize,
    pub offset: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct seebatch_pins {
    pub blockers: [u64; 2],
    pub pinners: [u64; 2],
}

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct seebatch_batch {
    pub positions: *const seebatch_position,
    pub n_positions: usize,
    pub offsets: *const usize,
    pub moves: *const seebatch_move,
    pub pins: *const seebatch_pins,
}

pub type seebatch_progress = Option<unsafe extern "C" fn(*mut c_void, usize, usize) -> bool>;

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct seebatch_job {
    pub threads: c_uint,
    pub progress: seebatch_progress,
    pub user: *mut c_void,
    pub done: usize,
    pub threads_used: c_uint,
}

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct seebatch_capture {
    pub from: u8,
    pub color: u8,
    pub piece: u8,
    pub stays: u8,
    pub gain: i32,
    pub best: i32,
}

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct seebatch_refusal {
    pub step: u8,
    pub from: u8,
    pub color: u8,
    pub piece: u8,
    pub reason: u8,
    pub by: u8,
}

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct seebatch_trace {
    pub length: c_int,
    pub capture: [seebatch_capture; 64],
    pub has_next: bool,
    pub next_gain: i32,
    pub value: c_int,
    pub n_refusals: c_int,
    pub refusal: [seebatch_refusal; 560],
}

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct seebatch_text {
    pub at: *const c_char,
    pub length: usize,
}

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct seebatch_faults {
    pub count: usize,
    pub first: usize,
    pub status: seebatch_status,
    pub error: seebatch_error,
}

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct seebatch_lines {
    pub n: usize,
    pub consumed: usize,
}

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct seebatch_fault {
    pub position: usize,
    pub r#move: usize,
    pub error: seebatch_error,
}

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct seebatch_selftest_report {
    pub rounds: u64,
    pub cases: u64,
    pub answers: u64,
    pub seed: u64,
    pub kernel: *const c_char,
    pub function: *const c_char,
    pub forced_lanes: bool,
    pub forced_tables: bool,
    pub n_positions: usize,
    pub n: usize,
    pub index: usize,
    pub stray: bool,
    pub rules: seebatch_rules,
    pub position: seebatch_position,
    pub r#move: seebatch_move,
    pub threshold: c_int,
    pub expected: c_int,
    pub got: c_int,
}

#[rustfmt::skip]
extern "C" {
    pub fn seebatch_version() -> *const c_char;

    pub fn seebatch_position_from_fen(text: *const c_char, length: usize, position: *mut seebatch_position, error: *mut seebatch_error) -> seebatch_status;
    pub fn seebatch_position_check(position: *const seebatch_position, error: *mut seebatch_error) -> seebatch_status;
    pub fn seebatch_position_to_fen(position: *const seebatch_position, fen: *mut c_char) -> usize;

    pub fn seebatch_legal_moves(position: *const seebatch_position, moves: *mut seebatch_move) -> usize;
    pub fn seebatch_legal_captures(position: *const seebatch_position, moves: *mut seebatch_move) -> usize;
    pub fn seebatch_is_legal(position: *const seebatch_position, r#move: seebatch_move) -> bool;
    pub fn seebatch_play(position: *mut seebatch_position, r#move: seebatch_move);
    pub fn seebatch_attacks(r#type: c_int, color: c_int, square: c_int, occupied: u64) -> u64;
    pub fn seebatch_attackers(position: *const seebatch_position, square: c_int, color: c_int, occupied: u64) -> u64;
    pub fn seebatch_in_check(position: *const seebatch_position) -> bool;
    pub fn seebatch_move_from_uci(position: *const seebatch_position, text: *const c_char, length: usize, r#move: *mut seebatch_move, error: *mut seebatch_error) -> seebatch_status;
    pub fn seebatch_move_to_uci(r#move: seebatch_move, text: *mut c_char) -> usize;
    pub fn seebatch_move_from_san(position: *const seebatch_position, text: *const c_char, length: usize, r#move: *mut seebatch_move, error: *mut seebatch_error) -> seebatch_status;
    pub fn seebatch_move_from_text(position: *const seebatch_position, text: *const c_char, length: usize, r#move: *mut seebatch_move, error: *mut seebatch_error) -> seebatch_status;
    pub fn seebatch_move_to_san(position: *const seebatch_position, r#move: seebatch_move, text: *mut c_char) -> usize;

    pub fn seebatch_rules_field_at(index: usize) -> *const seebatch_rules_field;
    pub fn seebatch_rules_to_text(rules: *const seebatch_rules, text: *mut c_char) -> usize;
    pub fn seebatch_rules_named(text: *const c_char, rules: *mut seebatch_rules, error: *mut seebatch_error) -> seebatch_status;
    pub fn seebatch_rules_name(index: usize) -> *const c_char;
    pub fn seebatch_rules_default() -> seebatch_rules;
    pub fn seebatch_rules_check(rules: *const seebatch_rules, error: *mut seebatch_error) -> seebatch_status;

    pub fn seebatch_find_pins(rules: *const seebatch_rules, position: *const seebatch_position, pins: *mut seebatch_pins);
    pub fn seebatch_value(rules: *const seebatch_rules, position: *const seebatch_position, pins: *const seebatch_pins, r#move: seebatch_move) -> c_int;
    pub fn seebatch_ge(rules: *const seebatch_rules, position: *const seebatch_position, pins: *const seebatch_pins, r#move: seebatch_move, threshold: c_int) -> bool;
    pub fn seebatch_values(rules: *const seebatch_rules, position: *const seebatch_position, pins: *const seebatch_pins, moves: *const seebatch_move, n: usize, values: *mut i16);
    pub fn seebatch_ge_mask(rules: *const seebatch_rules, position: *const seebatch_position, pins: *const seebatch_pins, moves: *const seebatch_move, n: usize, threshold: i16, mask: *mut u64);
    pub fn seebatch_ge_mask_each(rules: *const seebatch_rules, position: *const seebatch_position, pins: *const seebatch_pins, moves: *const seebatch_move, n: usize, thresholds: *const i16, mask: *mut u64);
    pub fn seebatch_order(rules: *const seebatch_rules, position: *const seebatch_position, pins: *const seebatch_pins, moves: *mut seebatch_move, n: usize, threshold: i16, values: *mut i16) -> usize;
    pub fn seebatch_split(rules: *const seebatch_rules, position: *const seebatch_position, pins: *const seebatch_pins, moves: *mut seebatch_move, n: usize, thresholds: *const i16) -> usize;

    pub fn seebatch_processors() -> c_uint;
    pub fn seebatch_batch_values(rules: *const seebatch_rules, batch: *const seebatch_batch, values: *mut i16, job: *mut seebatch_job) -> seebatch_status;
    pub fn seebatch_batch_ge_mask(rules: *const seebatch_rules, batch: *const seebatch_batch, threshold: i16, mask: *mut u64, job: *mut seebatch_job) -> seebatch_status;
    pub fn seebatch_batch_ge_mask_each(rules: *const seebatch_rules, batch: *const seebatch_batch, thresholds: *const i16, mask: *mut u64, job: *mut seebatch_job) -> seebatch_status;
    pub fn seebatch_batch_order(rules: *const seebatch_rules, batch: *const seebatch_batch, threshold: i16, sorted: *mut seebatch_move, values: *mut i16, good: *mut usize, job: *mut seebatch_job) -> seebatch_status;

    pub fn seebatch_square_value(rules: *const seebatch_rules, position: *const seebatch_position, square: c_int, color: c_int) -> c_int;
    pub fn seebatch_map(rules: *const seebatch_rules, position: *const seebatch_position, map: *mut [i16; 64]);
    pub fn seebatch_batch_square_values(rules: *const seebatch_rules, positions: *const seebatch_position, n_positions: usize, squares: *const u8, colors: *const u8, values: *mut i16, job: *mut seebatch_job) -> seebatch_status;
    pub fn seebatch_batch_maps(rules: *const seebatch_rules, positions: *const seebatch_position, n_positions: usize, maps: *mut [[i16; 64]; 2], job: *mut seebatch_job) -> seebatch_status;

    pub fn seebatch_explain(rules: *const seebatch_rules, position: *const seebatch_position, r#move: seebatch_move, trace: *mut seebatch_trace);

    pub fn seebatch_trace_text(rules: *const seebatch_rules, position: *const seebatch_position, r#move: seebatch_move, trace: *const seebatch_trace, text: *mut c_char, size: usize) -> usize;
    pub fn seebatch_trace_line(rules: *const seebatch_rules, position: *const seebatch_position, r#move: seebatch_move, trace: *const seebatch_trace, line: usize, text: *mut c_char, size: usize) -> usize;

    pub fn seebatch_batch_from_fens(fens: *const seebatch_text, n: usize, positions: *mut seebatch_position, statuses: *mut u8, faults: *mut seebatch_faults, job: *mut seebatch_job) -> seebatch_status;
    pub fn seebatch_batch_from_lines(text: *const c_char, length: usize, whole: bool, positions: *mut seebatch_position, capacity: usize, statuses: *mut u8, lines: *mut seebatch_lines, faults: *mut seebatch_faults, job: *mut seebatch_job) -> seebatch_status;
    pub fn seebatch_batch_to_fens(positions: *const seebatch_position, n: usize, text: *mut c_char, size: usize, offsets: *mut usize, job: *mut seebatch_job) -> seebatch_status;
    pub fn seebatch_batch_legal_moves(positions: *const seebatch_position, n_positions: usize, offsets: *mut usize, moves: *mut seebatch_move, capacity: usize, job: *mut seebatch_job) -> seebatch_status;
    pub fn seebatch_batch_legal_captures(positions: *const seebatch_position, n_positions: usize, offsets: *mut usize, moves: *mut seebatch_move, capacity: usize, job: *mut seebatch_job) -> seebatch_status;
    pub fn seebatch_batch_moves_from_text(positions: *const seebatch_position, n_positions: usize, offsets: *const usize, texts: *const seebatch_text, notation: c_int, moves: *mut seebatch_move, statuses: *mut u8, faults: *mut seebatch_faults, job: *mut seebatch_job) -> seebatch_status;
    pub fn seebatch_batch_moves_to_text(positions: *const seebatch_position, n_positions: usize, offsets: *const usize, moves: *const seebatch_move, notation: c_int, texts: *mut [c_char; 8], job: *mut seebatch_job) -> seebatch_status;
    pub fn seebatch_batch_check(rules: *const seebatch_rules, batch: *const seebatch_batch, n_moves: usize, what: c_int, fault: *mut seebatch_fault, job: *mut seebatch_job) -> seebatch_status;
    pub fn seebatch_collect_captures(positions: *const seebatch_position, n_positions: usize, in_: *const bool, offsets: *mut usize, moves: *mut seebatch_move, even: *mut bool, checked: *mut bool) -> usize;
    pub fn seebatch_batch_in_check(positions: *const seebatch_position, n_positions: usize, checked: *mut bool, job: *mut seebatch_job) -> seebatch_status;
    pub fn seebatch_batch_any_capture(rules: *const seebatch_rules, positions: *const seebatch_position, n_positions: usize, threshold: i16, mask: *mut u64, job: *mut seebatch_job) -> seebatch_status;
    pub fn seebatch_exchange_length(rules: *const seebatch_rules, position: *const seebatch_position, r#move: seebatch_move) -> c_int;
    pub fn seebatch_batch_lengths(rules: *const seebatch_rules, batch: *const seebatch_batch, values: *mut i16, lengths: *mut u8, job: *mut seebatch_job) -> seebatch_status;

    pub fn seebatch_kernel_name(index: usize) -> *const c_char;
    pub fn seebatch_kernel_description(index: usize) -> *const c_char;
    pub fn seebatch_kernel_available(index: usize) -> bool;
    pub fn seebatch_kernel_active() -> *const c_char;
    pub fn seebatch_kernel_use(name: *const c_char, error: *mut seebatch_error) -> seebatch_status;

    pub fn seebatch_selftest(seed: u64, cases: u64, report: *mut seebatch_selftest_report, error: *mut seebatch_error) -> seebatch_status;
}
