//! Moves in 16 bits, and lists of legal ones.

use crate::{raw, Node, Piece, Position};
use core::fmt;
use core::ops::Deref;

/// Room for the legal moves of any position.
pub const MAX_MOVES: usize = raw::SEEBATCH_MAX_MOVES as usize;

/// A move: from-square, to-square (a1 = 0, h8 = 63) and promotion. En passant and castling need no flag: a pawn that
/// changes file onto an empty square captures en passant; a king that moves two files, or onto its own rook, castles.
///
/// Any move can be made; whether it is legal is checked where it is used. The default is [`NULL`](Self::NULL).
///
/// An engine that packs moves in another way finds a constructor for its layout here, such as
/// [`from_stockfish`](Self::from_stockfish). All of them are constant functions of a few instructions.
///
/// ```
/// use seebatch::{Move, Piece};
/// let promotes = Move::new(52, 60, Some(Piece::Queen));
/// assert_eq!((promotes.from(), promotes.to(), promotes.to_string().as_str()), (52, 60, "e7e8q"));
/// assert_eq!(Move::from_bits(promotes.bits()), promotes);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Move(u16);

impl Move {
    /// A move that is legal nowhere: from a1 to a1.
    pub const NULL: Move = Move(0);

    /// A move from a square to a square, with what a pawn becomes if it promotes.
    ///
    /// # Panics
    /// Where a square is above 63, or the promotion is to a pawn or a king.
    #[must_use]
    pub const fn new(from: u8, to: u8, promotion: Option<Piece>) -> Move {
        assert!(from < 64 && to < 64, "squares are 0 to 63");
        Move::low_from(from as u16 | (to as u16) << 6, promotion)
    }

    /// From-square in bits 0-5, to-square in bits 6-11; the other bits are ignored.
    ///
    /// # Panics
    /// Where the promotion is to a pawn or a king.
    #[must_use]
    pub const fn low_from(bits: u16, promotion: Option<Piece>) -> Move {
        let promotion = match promotion {
            None => 0,
            Some(Piece::Pawn | Piece::King) => panic!("a pawn promotes to a knight, bishop, rook or queen"),
            Some(piece) => piece as u16,
        };
        Move(bits & 0xfff | promotion << 12)
    }

    /// To-square in bits 0-5, from-square in bits 6-11; the other bits are ignored.
    ///
    /// # Panics
    /// Where the promotion is to a pawn or a king.
    #[must_use]
    pub const fn low_to(bits: u16, promotion: Option<Piece>) -> Move {
        Move::low_from(bits >> 6 & 63 | (bits & 63) << 6, promotion)
    }

    /// As Stockfish packs moves, and engines after it.
    #[must_use]
    pub const fn from_stockfish(bits: u16) -> Move {
        Move::low_to(bits, Move::promotion_of(bits >> 14 & 3 == 1, bits >> 12))
    }

    /// As Ethereal packs moves, and engines after it.
    #[must_use]
    pub const fn from_ethereal(bits: u16) -> Move {
        Move::low_from(bits, Move::promotion_of(bits >> 12 & 3 == 3, bits >> 14))
    }

    /// As Viridithas packs moves: from-square, to-square, promotion piece and kind, from the lowest bits on.
    #[must_use]
    pub const fn from_viridithas(bits: u16) -> Move {
        Move::low_from(bits, Move::promotion_of(bits >> 14 == 3, bits >> 12))
    }

    /// As PlentyChess packs moves: from-square, to-square, kind and promotion piece, from the lowest bits on.
    #[must_use]
    pub const fn from_plentychess(bits: u16) -> Move {
        Move::low_from(bits, Move::promotion_of(bits >> 12 & 3 == 1, bits >> 14))
    }

    /// As Reckless packs moves: from-square, to-square and kind, from the lowest bits on.
    #[must_use]
    pub const fn from_reckless(bits: u16) -> Move {
        Move::low_from(bits, Move::promotion_of(bits >> 15 == 1, bits >> 12))
    }

    /// As Monty packs moves: kind, to-square and from-square, from the lowest bits on.
    #[must_use]
    pub const fn from_monty(bits: u16) -> Move {
        Move::low_to(bits >> 4, Move::promotion_of(bits & 8 != 0, bits))
    }

    /// As Stormphrax packs moves: kind, promotion piece, to-square and from-square, from the lowest bits on.
    #[must_use]
    pub const fn from_stormphrax(bits: u16) -> Move {
        Move::low_to(bits >> 4, Move::promotion_of(bits & 3 == 1, bits >> 2))
    }

    /// As Jackal packs moves: from-square, kind and to-square, from the lowest bits on.
    #[must_use]
    pub const fn from_jackal(bits: u16) -> Move {
        Move::low_from(bits & 63 | bits >> 10 << 6, Move::promotion_of(bits & 1 << 9 != 0, bits >> 6))
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
    #[must_use]
    pub const fn from_bits(bits: u16) -> Move {
        Move(bits)
    }

    /// The 16 bits, as [`from_bits`](Self::from_bits) takes them.
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The square from which the piece moves.
    #[must_use]
    pub const fn from(self) -> u8 {
        (self.0 & 63) as u8
    }

    /// The square to which the piece moves.
    #[must_use]
    pub const fn to(self) -> u8 {
        (self.0 >> 6 & 63) as u8
    }

    /// What a pawn becomes, if it promotes.
    #[must_use]
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
///
/// ```
/// use seebatch::{Position, Rules};
/// let position = Position::from_fen("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -")?;
/// let captures = position.legal_captures();
/// let good = captures.node().ge(&Rules::SWAP, -300);
/// assert_eq!(good.ones().map(|i| captures[i].to_string()).collect::<Vec<_>>(), ["d3e5", "g2b7"]);
/// # Ok::<(), seebatch::Error>(())
/// ```
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
    #[must_use]
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

/// Room for the moves of one position, to be filled with an engine's own moves and used again for the next position. It
/// is a slice of [`Move`]s.
///
/// ```
/// use seebatch::{Move, MoveBuf, Node, Position, Rules, MAX_MOVES};
/// let position = Position::from_fen("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -")?;
/// let stockfish = [4 << 6 | 36, 15 << 6 | 23]; // e1e5 and h2h3, as Stockfish packs them
///
/// let mut moves = MoveBuf::new(); // once
/// moves.fill(stockfish.iter().map(|&bits| Move::from_stockfish(bits))); // for each position
/// let mut values = [0; MAX_MOVES];
/// Node::new(&position, &moves)?.values(&Rules::ETHEREAL, &mut values[..moves.len()]);
/// assert_eq!(values[..moves.len()], [100, 0]);
/// # Ok::<(), seebatch::Error>(())
/// ```
#[derive(Clone)]
pub struct MoveBuf {
    moves: [Move; MAX_MOVES],
    n: usize,
}

impl MoveBuf {
    /// An empty buffer.
    #[must_use]
    pub const fn new() -> MoveBuf {
        MoveBuf { moves: [Move::NULL; MAX_MOVES], n: 0 }
    }

    /// Removes all moves.
    pub fn clear(&mut self) {
        self.n = 0;
    }

    /// Adds a move after the others.
    ///
    /// # Panics
    /// Where [`MAX_MOVES`] moves are in already: no position has more.
    #[inline]
    pub fn push(&mut self, chess_move: Move) {
        assert!(self.n < MAX_MOVES, "more than {} moves of one position", MAX_MOVES);
        self.moves[self.n] = chess_move;
        self.n += 1;
    }

    /// These moves alone, in place of those that are in.
    ///
    /// # Panics
    /// As [`push`](Self::push).
    #[inline]
    pub fn fill(&mut self, moves: impl IntoIterator<Item = Move>) {
        self.clear();
        self.extend(moves);
    }
}

impl Default for MoveBuf {
    fn default() -> MoveBuf {
        MoveBuf::new()
    }
}

impl Extend<Move> for MoveBuf {
    #[inline]
    fn extend<I: IntoIterator<Item = Move>>(&mut self, moves: I) {
        for chess_move in moves {
            self.push(chess_move);
        }
    }
}

impl core::iter::FromIterator<Move> for MoveBuf {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> MoveBuf {
        let mut buffer = MoveBuf::new();
        buffer.extend(moves);
        buffer
    }
}

impl Deref for MoveBuf {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.n]
    }
}

impl fmt::Debug for MoveBuf {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
