// The README has an example for each feature.
#![cfg_attr(
    all(feature = "bullet", feature = "cozy-chess", feature = "montyformat", feature = "shakmaty", feature = "viriformat"),
    doc = include_str!("../README.md")
)]
//! Boards and moves of other crates.
#![forbid(missing_docs)]
#![allow(dead_code)] // which helpers are needed, the features say

#[cfg(feature = "bulletformat")]
mod bulletformat;
#[cfg(feature = "cozy-chess")]
mod cozy_chess;
#[cfg(feature = "loaders")]
pub mod loaders;
#[cfg(feature = "montyformat")]
mod montyformat {
    use ::montyformat as theirs;
    include!("montyformat.rs");
}
#[cfg(feature = "montyformat-0-9")]
mod montyformat_0_9 {
    use ::montyformat_0_9 as theirs;
    include!("montyformat.rs");
}
#[cfg(feature = "sfbinpack")]
mod sfbinpack;
#[cfg(feature = "shakmaty")]
mod shakmaty;
#[cfg(feature = "viriformat")]
mod viriformat {
    use ::viriformat as theirs;
    include!("viriformat.rs");
}
#[cfg(feature = "viriformat-2")]
mod viriformat_2 {
    use ::viriformat_2 as theirs;
    include!("viriformat.rs");
}

use seebatch::{Color, Error, Move, Piece, Position};

/// A board that can become a [`Position`].
pub trait ToPosition {
    /// The position, with castling rights, en passant square and clocks where the board has them. Checked: a board that
    /// cannot be played on is an error, with a sentence that says why.
    fn to_position(&self) -> Result<Position, Error>;
}

/// A move that can become a [`Move`] of a position.
pub trait ToMove {
    /// The move as the position's [`legal_moves`](Position::legal_moves) have it, castling included. It is not checked;
    /// a null move, a drop or castling without the right becomes a move that is legal nowhere.
    fn to_move(&self, position: &Position) -> Move;
}

/// A board that can be made of a [`Position`].
pub trait FromPosition: Sized {
    /// What the board's crate says where it refuses one.
    type Error;

    /// The board with the same pieces, side to move, castling rights and clocks; the en passant square where the board's
    /// crate keeps it.
    fn from_position(position: &Position) -> Result<Self, Self::Error>;
}

/// A move of a board that can be made of a [`Move`].
pub trait FromMove<Board>: Sized {
    /// The move as the board's crate writes it.
    fn from_move(chess_move: Move, board: &Board) -> Result<Self, IllegalMove>;
}

/// The error of [`FromMove`]: a move that is not legal on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove(
    /// The move.
    pub Move,
);

impl std::fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "the move {} is not legal on this board", self.0)
    }
}

impl std::error::Error for IllegalMove {}

/// A move that is legal nowhere.
const NO_MOVE: Move = Move::from_bits(1 << 15);

/// What a board has.
struct Parts {
    by_type: [u64; 6],
    by_color: [u64; 2],
    side: Color,
    /// White's and black's, each on the king's side and on the queen's.
    rooks: [[Option<u8>; 2]; 2],
    en_passant: Option<u8>,
    halfmove_clock: u16,
    fullmove_number: u16,
}

impl Parts {
    /// Checked once, with all that it has.
    fn check(&self) -> Result<Position, Error> {
        let [white, black] = self.by_color;
        let (mut seen, mut twice) = (0, white & black);
        for set in self.by_type {
            twice |= seen & set;
            seen |= set;
        }
        if twice != 0 || seen != white | black {
            return Position::from_bitboards(&self.by_type, &self.by_color, self.side);
            // which says what is wrong
        }
        // Safe: nobody has the position before from_raw() has checked it.
        let position = unsafe { Position::from_bitboards_unchecked(&self.by_type, &self.by_color, self.side) };
        let mut raw = *position.as_raw();
        let none = seebatch::raw::SEEBATCH_NO_SQUARE as u8;
        raw.castling_rook = self.rooks.map(|side| side.map(|rook| rook.unwrap_or(none)));
        raw.ep_square = self.en_passant.unwrap_or(none);
        raw.halfmove_clock = self.halfmove_clock;
        raw.fullmove_number = self.fullmove_number;
        Position::from_raw(raw)
    }
}

/// Castling, of which the rook is known.
fn castling(position: &Position, king: u8, rook: u8) -> Move {
    let standard = position.as_raw().shredder == 0 && king % 8 == 4 && matches!(rook % 8, 0 | 7);
    match (standard, rook < king) {
        (false, _) => Move::new(king, rook, None),
        (true, true) => Move::new(king, king - 2, None),
        (true, false) => Move::new(king, king + 2, None),
    }
}

/// A move of crates that write castling as king takes own rook.
fn king_takes_rook(position: &Position, from: u8, to: u8, promotion: Option<Piece>) -> Move {
    match (position.piece_on(from), position.piece_on(to)) {
        (Some((color, Piece::King)), Some((other, Piece::Rook))) if color == other => castling(position, from, to),
        _ => Move::new(from, to, promotion),
    }
}
