//! Positions that are sound by construction.

use crate::error::Kind;
use crate::{raw, Error, Move, MoveList};
use core::fmt;
use core::str::FromStr;

/// The two sides. White moves up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Color {
    /// The side that moves up the board.
    White = 0,
    /// The side that moves down the board.
    Black = 1,
}

/// Types of pieces, least valuable first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Piece {
    /// The pawn.
    Pawn = 0,
    /// The knight.
    Knight = 1,
    /// The bishop.
    Bishop = 2,
    /// The rook.
    Rook = 3,
    /// The queen.
    Queen = 4,
    /// The king.
    King = 5,
}

impl Color {
    /// 0 white, all else black.
    #[must_use]
    pub const fn new(color: u8) -> Color {
        match color {
            0 => Color::White,
            _ => Color::Black,
        }
    }
}

impl From<Color> for u8 {
    fn from(color: Color) -> u8 {
        color as u8
    }
}

impl From<Piece> for u8 {
    fn from(piece: Piece) -> u8 {
        piece as u8
    }
}

/// The other side.
impl core::ops::Not for Color {
    type Output = Color;

    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

impl Piece {
    /// 0 to 5; `None` above.
    #[must_use]
    pub const fn new(piece: u8) -> Option<Piece> {
        Some(match piece {
            0 => Piece::Pawn,
            1 => Piece::Knight,
            2 => Piece::Bishop,
            3 => Piece::Rook,
            4 => Piece::Queen,
            5 => Piece::King,
            _ => return None,
        })
    }
}

const NO_SQUARE: u8 = raw::SEEBATCH_NO_SQUARE as u8;

/// A position that can be played on: one king a side, no pawns on the first and last rank, the side not to move not in
/// check, rights to castle and to capture en passant only where the pieces stand for it. Every constructor checks that,
/// but those whose names end with `_unchecked`. 48 bytes; squares are a1 = 0 to h8 = 63.
///
/// ```
/// use seebatch::{Color, Piece, Position};
/// let position = Position::from_fen("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -")?;
/// assert_eq!(position.piece_on(36), Some((Color::Black, Piece::Pawn))); // e5
/// let capture = position.read_san("Rxe5")?;
/// assert_eq!(position.after(capture)?.to_string(), "1k1r4/1pp4p/p7/4R3/8/P5P1/1PP4P/2K5 b - - 0 1");
/// # Ok::<(), seebatch::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Position(raw::seebatch_position);

impl Position {
    /// Reads FEN, X-FEN, Shredder-FEN or EPD; clocks may be missing, EPD operations are skipped.
    pub fn from_fen(text: impl AsRef<[u8]>) -> Result<Position, Error> {
        let text = text.as_ref();
        let mut position = Position::bare(&[0; 6], 0, Color::White);
        Error::check(|error| unsafe {
            raw::seebatch_position_from_fen(text.as_ptr(), text.len(), &mut position, error)
        })?;
        Ok(Position(position))
    }

    /// From an engine's own bitboards: `by_type` pawn to king, `by_color` white and black. There is no right to castle or
    /// to capture en passant then; see [`with_castling`](Self::with_castling) and
    /// [`with_en_passant`](Self::with_en_passant).
    pub fn from_bitboards(by_type: &[u64; 6], by_color: &[u64; 2], side_to_move: Color) -> Result<Position, Error> {
        let mut seen = 0;
        let mut twice = by_color[0] & by_color[1];
        for set in by_type {
            twice |= seen & set;
            seen |= set;
        }
        let odd = twice | seen ^ (by_color[0] | by_color[1]);
        if odd != 0 {
            let square = odd.trailing_zeros() as u8;
            return Err(Error::new(
                Kind::Unsound,
                format_args!(
                    "the square {}{} is in two of the bitboards by type or by colour, or in one kind only, expected one \
                     of each",
                    (b'a' + square % 8) as char,
                    square / 8 + 1
                ),
            ));
        }
        Position::from_raw(Position::bare(by_type, by_color[0], side_to_move))
    }

    /// The same without a check, and without a branch.
    ///
    /// # Safety
    /// The position must be sound, as `seebatch_position_check()` in `seebatch.h` describes it. One that is not may only
    /// go to the evaluating functions, and only if it is as these need it: each occupied square in exactly one set of
    /// each kind, and at most one king a side; under [`PinRule::Legal`](crate::PinRule::Legal) sound.
    #[inline]
    #[must_use]
    pub const unsafe fn from_bitboards_unchecked(by_type: &[u64; 6], by_color: &[u64; 2], side: Color) -> Position {
        Position(Position::bare(by_type, by_color[0], side))
    }

    #[inline]
    const fn bare(by_type: &[u64; 6], white: u64, side_to_move: Color) -> raw::seebatch_position {
        let [pawns, knights, bishops, rooks, queens, kings] = *by_type;
        raw::seebatch_position {
            plane: [bishops | queens | knights, rooks | queens | kings, pawns | knights | kings],
            white,
            stm: side_to_move as u8,
            ep_square: NO_SQUARE,
            castling_rook: [[NO_SQUARE; 2]; 2],
            shredder: 0,
            reserved: 0,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// From the C library's own form.
    pub fn from_raw(position: raw::seebatch_position) -> Result<Position, Error> {
        Error::check(|error| unsafe { raw::seebatch_position_check(&position, error) })?;
        Ok(Position(position))
    }

    /// # Safety
    /// As for [`from_bitboards_unchecked`](Self::from_bitboards_unchecked).
    #[inline]
    #[must_use]
    pub const unsafe fn from_raw_unchecked(position: raw::seebatch_position) -> Position {
        Position(position)
    }

    /// The C library's own form.
    #[inline]
    #[must_use]
    pub const fn as_raw(&self) -> &raw::seebatch_position {
        &self.0
    }

    /// With the square that a pawn has just passed over, or none.
    ///
    /// # Errors
    /// Where the square is above 63, or no pawn can just have passed over it.
    pub fn with_en_passant(mut self, square: Option<u8>) -> Result<Position, Error> {
        self.0.ep_square = raw_square(square, "the en passant square")?;
        Position::from_raw(self.0)
    }

    /// With the rooks that may still castle: white's and black's, each on the king's side and on the queen's.
    ///
    /// # Errors
    /// Where a square is above 63, or king and rook do not stand as castling needs it.
    pub fn with_castling(mut self, rooks: [[Option<u8>; 2]; 2]) -> Result<Position, Error> {
        for (color, side) in rooks.iter().enumerate() {
            for (wing, &square) in side.iter().enumerate() {
                self.0.castling_rook[color][wing] = raw_square(square, "the square of a rook that may castle")?;
            }
        }
        Position::from_raw(self.0)
    }

    /// With the plies since the last capture or pawn move, and the number of the move.
    #[must_use]
    pub const fn with_clocks(mut self, halfmove_clock: u16, fullmove_number: u16) -> Position {
        self.0.halfmove_clock = halfmove_clock;
        self.0.fullmove_number = fullmove_number;
        self
    }

    /// With castling written as king takes rook, and rights to it as files of rooks (Shredder-FEN), or not.
    #[must_use]
    pub const fn with_shredder(mut self, shredder: bool) -> Position {
        self.0.shredder = shredder as u8;
        self
    }

    /// Whose turn it is.
    #[must_use]
    pub const fn side_to_move(&self) -> Color {
        Color::new(self.0.stm)
    }

    /// The square that a pawn has just passed over, if it may be captured there.
    #[must_use]
    pub const fn en_passant(&self) -> Option<u8> {
        square_or_none(self.0.ep_square)
    }

    /// The rook with which a side may still castle, on the king's side or the queen's.
    #[must_use]
    pub const fn castling_rook(&self, color: Color, queenside: bool) -> Option<u8> {
        square_or_none(self.0.castling_rook[color as usize][queenside as usize])
    }

    /// The plies since the last capture or pawn move.
    #[must_use]
    pub const fn halfmove_clock(&self) -> u16 {
        self.0.halfmove_clock
    }

    /// The number of the move, from 1.
    #[must_use]
    pub const fn fullmove_number(&self) -> u16 {
        self.0.fullmove_number
    }

    /// The squares with a piece, as a bitboard.
    #[must_use]
    pub const fn occupied(&self) -> u64 {
        self.0.plane[0] | self.0.plane[1] | self.0.plane[2]
    }

    /// The squares with a piece of a colour, as a bitboard.
    #[must_use]
    pub const fn pieces_of_color(&self, color: Color) -> u64 {
        match color {
            Color::White => self.0.white,
            Color::Black => self.occupied() & !self.0.white,
        }
    }

    /// The squares with a piece of a type, of either colour, as a bitboard.
    #[must_use]
    pub const fn pieces_of_type(&self, piece: Piece) -> u64 {
        let [a, b, c] = self.0.plane;
        match piece {
            Piece::Pawn => c & !(a | b),
            Piece::Knight => c & a,
            Piece::Bishop => a & !(b | c),
            Piece::Rook => b & !(a | c),
            Piece::Queen => a & b,
            Piece::King => c & b,
        }
    }

    /// The piece on a square, if there is one.
    ///
    /// # Panics
    /// Where the square is above 63.
    #[must_use]
    pub const fn piece_on(&self, square: u8) -> Option<(Color, Piece)> {
        assert!(square < 64, "squares are 0 to 63");
        let [a, b, c] = self.0.plane;
        let color = if self.0.white >> square & 1 == 1 { Color::White } else { Color::Black };
        let piece = match (a >> square & 1) | (b >> square & 1) << 1 | (c >> square & 1) << 2 {
            1 => Piece::Bishop,
            2 => Piece::Rook,
            3 => Piece::Queen,
            4 => Piece::Pawn,
            5 => Piece::Knight,
            6 => Piece::King,
            _ => return None,
        };
        Some((color, piece))
    }

    /// All legal moves, in no particular order. Castling is the king's two-file step where king and rook stand on their
    /// standard squares, otherwise king takes own rook.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList<'_> {
        MoveList::filled(self, |moves| unsafe { raw::seebatch_legal_moves(&self.0, moves) })
    }

    /// The legal moves that capture, en passant and capturing promotions included.
    #[must_use]
    pub fn legal_captures(&self) -> MoveList<'_> {
        MoveList::filled(self, |moves| unsafe { raw::seebatch_legal_captures(&self.0, moves) })
    }

    /// Whether a move is legal, castling as [`legal_moves`](Self::legal_moves) writes it.
    #[inline]
    #[must_use]
    pub fn is_legal(&self, chess_move: Move) -> bool {
        unsafe { raw::seebatch_is_legal(&self.0, chess_move.bits()) }
    }

    /// The same, with the sentence.
    #[inline]
    pub(crate) fn check_legal(&self, chess_move: Move) -> Result<(), Error> {
        if self.is_legal(chess_move) {
            return Ok(());
        }
        Err(self.illegal(chess_move))
    }

    #[cold]
    fn illegal(&self, chess_move: Move) -> Error {
        // Castling in the other notation is the mistake that one makes with one's own moves.
        let mut other = *self;
        other.0.shredder ^= 1;
        if self.0.castling_rook != [[NO_SQUARE; 2]; 2] && other.is_legal(chess_move) {
            let notation = if other.0.shredder == 1 { "king takes rook" } else { "a king's move of two files" };
            return Error::new(
                Kind::Illegal,
                format_args!(
                    "the move {} is castling written as {}, which is not how {} writes it; expected a position made by \
                     with_shredder({})",
                    chess_move,
                    notation,
                    self,
                    other.0.shredder == 1
                ),
            );
        }
        Error::new(Kind::Illegal, format_args!("the move {} is not legal in {}", chess_move, self))
    }

    /// The position after a legal move.
    pub fn after(&self, chess_move: Move) -> Result<Position, Error> {
        self.check_legal(chess_move)?;
        Ok(unsafe { self.after_unchecked(chess_move) })
    }

    /// # Safety
    /// The move must be legal here.
    #[must_use]
    pub unsafe fn after_unchecked(&self, chess_move: Move) -> Position {
        let mut position = self.0;
        unsafe { raw::seebatch_play(&mut position, chess_move.bits()) };
        Position(position)
    }

    /// Whether the side to move is in check.
    #[must_use]
    pub fn in_check(&self) -> bool {
        unsafe { raw::seebatch_in_check(&self.0) }
    }

    /// The pieces of a colour that attack a square where `occupied` squares stop sliders; usually
    /// [`occupied`](Self::occupied)`()`.
    ///
    /// # Panics
    /// Where the square is above 63.
    #[must_use]
    pub fn attackers(&self, square: u8, color: Color, occupied: u64) -> u64 {
        assert!(square < 64, "squares are 0 to 63");
        unsafe { raw::seebatch_attackers(&self.0, square.into(), color as raw::c_int, occupied) }
    }

    /// Reads a legal move in UCI notation, castling in either form.
    pub fn read_uci(&self, text: impl AsRef<[u8]>) -> Result<Move, Error> {
        self.read(text.as_ref(), raw::seebatch_move_from_uci)
    }

    /// Reads a legal move in standard algebraic notation (SAN).
    pub fn read_san(&self, text: impl AsRef<[u8]>) -> Result<Move, Error> {
        self.read(text.as_ref(), raw::seebatch_move_from_san)
    }

    /// Reads a legal move in either notation.
    pub fn read_move(&self, text: impl AsRef<[u8]>) -> Result<Move, Error> {
        self.read(text.as_ref(), raw::seebatch_move_from_text)
    }

    fn read(&self, text: &[u8], function: ReadMove) -> Result<Move, Error> {
        let mut bits = 0;
        Error::check(|error| unsafe { function(&self.0, text.as_ptr(), text.len(), &mut bits, error) })?;
        Ok(Move::from_bits(bits))
    }

    /// A legal move in standard algebraic notation.
    pub fn san(&self, chess_move: Move) -> Result<San, Error> {
        self.check_legal(chess_move)?;
        let mut san = San([0; raw::SEEBATCH_SAN_SIZE as usize], 0);
        san.1 = unsafe { raw::seebatch_move_to_san(&self.0, chess_move.bits(), san.0.as_mut_ptr()) };
        Ok(san)
    }
}

type ReadMove = unsafe extern "C" fn(
    *const raw::seebatch_position,
    *const raw::c_char,
    usize,
    *mut raw::seebatch_move,
    *mut raw::seebatch_error,
) -> raw::seebatch_status;

/// A square as the library has it; 64, its mark for none, is no square.
fn raw_square(square: Option<u8>, what: &str) -> Result<u8, Error> {
    match square {
        None => Ok(NO_SQUARE),
        Some(square) if square < NO_SQUARE => Ok(square),
        Some(square) => {
            Err(Error::new(Kind::Unsound, format_args!("{} is {}, expected 0 to 63, or None", what, square)))
        }
    }
}

const fn square_or_none(square: u8) -> Option<u8> {
    if square < NO_SQUARE {
        Some(square)
    } else {
        None
    }
}

/// The initial position.
impl Default for Position {
    fn default() -> Position {
        Position::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").expect("the initial position")
    }
}

impl FromStr for Position {
    type Err = Error;

    fn from_str(text: &str) -> Result<Position, Error> {
        Position::from_fen(text)
    }
}

/// The FEN with six fields.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut text = [0; raw::SEEBATCH_FEN_SIZE as usize];
        let length = unsafe { raw::seebatch_position_to_fen(&self.0, text.as_mut_ptr()) };
        f.pad(core::str::from_utf8(&text[..length]).unwrap_or_default())
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Position(\"{}\")", self)
    }
}

/// A move in standard algebraic notation: a text of at most seven letters.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct San([u8; raw::SEEBATCH_SAN_SIZE as usize], usize);

impl San {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(&self.0[..self.1]).unwrap_or_default()
    }
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for San {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.as_str().fmt(f)
    }
}
