//! `cozy-chess`: [`Board`], and its moves.

use crate::{king_takes_rook, FromMove, FromPosition, IllegalMove, Parts, ToMove, ToPosition};
use cozy_chess::{util, Board, FenParseError};
use seebatch::{Color, Error, Move, Piece, Position};

impl ToPosition for Board {
    fn to_position(&self) -> Result<Position, Error> {
        let pieces = |piece| self.pieces(piece).0;
        let rooks = |color: cozy_chess::Color| {
            let (first_rank, rights) = (color as u8 * 56, self.castle_rights(color));
            [rights.short, rights.long].map(|file| file.map(|file| first_rank + file as u8))
        };
        let side = Color::new(self.side_to_move() as u8);
        let passed_rank = if side == Color::White { 40 } else { 16 };
        Parts {
            by_type: cozy_chess::Piece::ALL.map(pieces),
            by_color: cozy_chess::Color::ALL.map(|color| self.colors(color).0),
            side,
            rooks: cozy_chess::Color::ALL.map(rooks),
            en_passant: self.en_passant().map(|file| passed_rank + file as u8),
            halfmove_clock: self.halfmove_clock().into(),
            fullmove_number: self.fullmove_number(),
        }
        .check()
    }
}

impl ToMove for cozy_chess::Move {
    fn to_move(&self, position: &Position) -> Move {
        let promotion = self.promotion.and_then(|piece| Piece::new(piece as u8));
        king_takes_rook(position, self.from as u8, self.to as u8, promotion)
    }
}

impl FromPosition for Board {
    type Error = FenParseError;

    fn from_position(position: &Position) -> Result<Board, FenParseError> {
        Board::from_fen(&position.with_shredder(true).to_string(), true)
    }
}

impl FromMove<Board> for cozy_chess::Move {
    fn from_move(chess_move: Move, board: &Board) -> Result<cozy_chess::Move, IllegalMove> {
        let found = util::parse_uci_move(board, &chess_move.to_string());
        found.ok().filter(|&found| board.is_legal(found)).ok_or(IllegalMove(chess_move))
    }
}
