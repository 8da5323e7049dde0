//! `viriformat`: its [`Board`], and its moves.

use crate::{king_takes_rook, Parts, ToMove, ToPosition};
use seebatch::{Color, Error, Move, Piece, Position};
use viriformat::chess::board::Board;
use viriformat::chess::piece::{Colour, PieceType};

impl ToPosition for Board {
    fn to_position(&self) -> Result<Position, Error> {
        let rights = self.castling_rights();
        let rooks = [[rights.wk, rights.wq], [rights.bk, rights.bq]];
        let types =
            [PieceType::Pawn, PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen, PieceType::King];
        Parts {
            by_type: types.map(|piece| self.pieces.of_type(piece).inner()),
            by_color: [Colour::White, Colour::Black].map(|color| self.pieces.occupied_co(color).inner()),
            side: Color::new(self.turn().inner()),
            rooks: rooks.map(|side| side.map(|rook| rook.map(|square| square.inner()))),
            en_passant: self.ep_sq().map(|square| square.inner()),
            halfmove_clock: self.fifty_move_counter().into(),
            fullmove_number: self.full_move_number().try_into().unwrap_or(u16::MAX),
        }
        .check()
    }
}

impl ToMove for viriformat::chess::chessmove::Move {
    fn to_move(&self, position: &Position) -> Move {
        let promotion = self.promotion_type().and_then(|piece| Piece::new(piece.inner()));
        king_takes_rook(position, self.from().inner(), self.to().inner(), promotion)
    }
}
