//! `sfbinpack`: [`TrainingDataEntry`], its position, and its moves. All of standard chess.

use crate::{king_takes_rook, Parts, ToMove, ToPosition, NO_MOVE};
use seebatch::{Color, Error, Move, Piece, Position};
use sfbinpack::chess::castling_rights::CastlingRights;
use sfbinpack::chess::color;
use sfbinpack::chess::coords::Square;
use sfbinpack::chess::piecetype::PieceType;
use sfbinpack::chess::position::Position as Board;
use sfbinpack::chess::r#move::MoveType;
use sfbinpack::TrainingDataEntry;

/// The position in which the entry's move is made.
impl ToPosition for TrainingDataEntry {
    fn to_position(&self) -> Result<Position, Error> {
        self.pos.to_position()
    }
}

impl ToPosition for Board {
    fn to_position(&self) -> Result<Position, Error> {
        let types =
            [PieceType::Pawn, PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen, PieceType::King];
        let rook = |right, square| self.castling_rights().contains(right).then_some(square);
        Parts {
            by_type: types.map(|piece| self.pieces_bb_type(piece).bits()),
            by_color: [color::Color::White, color::Color::Black].map(|color| self.pieces_bb(color).bits()),
            side: Color::new(self.side_to_move().ordinal()),
            rooks: [
                [rook(CastlingRights::WHITE_KING_SIDE, 7), rook(CastlingRights::WHITE_QUEEN_SIDE, 0)],
                [rook(CastlingRights::BLACK_KING_SIDE, 63), rook(CastlingRights::BLACK_QUEEN_SIDE, 56)],
            ],
            en_passant: Some(self.ep_square())
                .filter(|&square| square != Square::NONE)
                .map(|square| square.index() as u8),
            halfmove_clock: self.rule50_counter(),
            fullmove_number: self.ply() / 2 + 1,
        }
        .check()
    }
}

impl ToMove for sfbinpack::chess::r#move::Move {
    fn to_move(&self, position: &Position) -> Move {
        if self.from() == Square::NONE || self.to() == Square::NONE {
            return NO_MOVE;
        }
        let promotion = match self.mtype() {
            MoveType::Promotion => Piece::new(self.promoted_piece().piece_type().ordinal()),
            _ => None,
        };
        king_takes_rook(position, self.from().index() as u8, self.to().index() as u8, promotion)
    }
}

#[cfg(feature = "loaders")]
mod loader {
    use crate::loaders::{accepts, ToRecord};
    use crate::{ToMove, ToPosition};
    use seebatch::{Color, Error, Filter, Outcome, Record};
    use sfbinpack::TrainingDataEntry;

    impl ToRecord for TrainingDataEntry {
        fn to_record(&self) -> Result<Record, Error> {
            let position = self.to_position()?;
            let sign = if position.side_to_move() == Color::White { 1 } else { -1 };
            let mut record = Record::new(position);
            record.chess_move = Some(self.mv.to_move(&position));
            record.score = Some(sign * i32::from(self.score));
            record.outcome = Some(Outcome::of_sign(sign * i32::from(self.result)));
            record.ply = Some(self.ply.into());
            Ok(record)
        }
    }

    /// A closure of an entry.
    pub fn filter(filter: Filter) -> impl Fn(&TrainingDataEntry) -> bool + Clone + Send + Sync + 'static {
        move |entry: &TrainingDataEntry| accepts(&filter, entry)
    }
}
#[cfg(feature = "loaders")]
pub use loader::filter;
