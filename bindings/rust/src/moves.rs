//! Moves in 16 bits, and lists of legal ones.

use crate::{raw, Node, Piece, Position};
use core::fmt;
use core::ops::Deref;

/// Room for the legal moves of any position.
pub const MAX_MOVES: usize = raw::SEEBATCH_MAX_MOVES as usize;

/// A move: from-square, to-square (a1 = 0, h8 = 63) and promotion. En passant and castling need no flag: a pawn that
/// changes file onto an empty square captures en passant; a king that moves two files, or onto its own rook, castles.
///
/// Any move can be made; whether it is legal is checked where it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Move(u16);

impl Move {
    /// # Panics
    /// Where a square is above 63.
    pub const fn new(from: u8, to: u8, promotion: Option<Piece>) -> Move {
        assert!(from < 64 && to < 64, "squares are 0 to 63");
        Move::low_from(from as u16 | (to as u16) << 6, promotion)
    }

    /// From-square in bits 0-5, to-square in bits 6-11; the other bits are ignored.
    pub const fn low_from(bits: u16, promotion: Option<Piece>) -> Move {
        let promotion = match promotion {
            Some(piece) => piece as u16,
            None => 0,
        };
        Move(bits & 0xfff | promotion << 12)
    }

    /// To-square in bits 0-5, from-square in bits 6-11; the other bits are ignored.
    pub const fn low_to(bits: u16, promotion: Option<Piece>) -> Move {
        Move::low_from(bits >> 6 & 63 | (bits & 63) << 6, promotion)
    }

    /// As Stockfish packs moves, and engines after it.
    pub const fn from_stockfish(bits: u16) -> Move {
        Move::low_to(bits, Move::promotion_of(bits >> 14 & 3 == 1, bits >> 12))
    }

    /// As Ethereal packs moves, and engines after it.
    pub const fn from_ethereal(bits: u16) -> Move {
        Move::low_from(bits, Move::promotion_of(bits >> 12 & 3 == 3, bits >> 14))
    }

    const fn promotion_of(promotes: bool, bits: u16) -> Option<Piece> {
        if promotes {
            Piece::new(Piece::Knight as u8 + (bits & 3) as u8)
        } else {
            None
        }
    }

    /// Bits 0-5 from-square, 6-11 to-square, 12-14 promotion (0 none, knight to queen 1 to 4), 15 zero. Other bits make a
    /// move that is legal nowhere.
    pub const fn from_bits(bits: u16) -> Move {
        Move(bits)
    }

    pub const fn bits(self) -> u16 {
        self.0
    }

    pub const fn from(self) -> u8 {
        (self.0 & 63) as u8
    }

    pub const fn to(self) -> u8 {
        (self.0 >> 6 & 63) as u8
    }

    pub const fn promotion(self) -> Option<Piece> {
        match self.0 >> 12 & 7 {
            0 => None,
            bits => Piece::new(bits as u8),
        }
    }
}

/// UCI notation, castling as the move has it; `?` for a promotion to no piece.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (from, to, promotion) = (self.from(), self.to(), self.0 >> 12 & 7);
        let mut text = [b'a' + from % 8, b'1' + from / 8, b'a' + to % 8, b'1' + to / 8, 0];
        text[4] = b" nbrq???"[usize::from(promotion)];
        let length = if promotion == 0 { 4 } else { 5 };
        f.pad(core::str::from_utf8(&text[..length]).unwrap_or_default())
    }
}

/// The legal moves, or captures, of a position: a slice of moves that need no check.
#[derive(Clone)]
pub struct MoveList<'p> {
    position: &'p Position,
    moves: [Move; MAX_MOVES],
    n: usize,
}

impl<'p> MoveList<'p> {
    pub(crate) fn filled(position: &'p Position, fill: impl FnOnce(*mut raw::seebatch_move) -> usize) -> MoveList<'p> {
        let mut list = MoveList { position, moves: [Move(0); MAX_MOVES], n: 0 };
        list.n = fill(list.moves.as_mut_ptr().cast());
        list
    }

    /// The position with these moves, to be evaluated.
    pub fn node(&self) -> Node<'_> {
        // Safe: the list was made for this position, which has been borrowed since.
        unsafe { Node::new_unchecked(self.position, self) }
    }
}

impl Deref for MoveList<'_> {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        &self.moves[..self.n]
    }
}

impl<'a> IntoIterator for &'a MoveList<'_> {
    type Item = &'a Move;
    type IntoIter = core::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for MoveList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
