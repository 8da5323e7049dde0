// `viriformat`: its `Board`, and its moves.

use crate::{king_takes_rook, Parts, ToMove, ToPosition};
use seebatch::{Color, Error, Move, Piece, Position};
use theirs::chess::board::Board;
use theirs::chess::piece::{Colour, PieceType};

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

impl ToMove for theirs::chess::chessmove::Move {
    fn to_move(&self, position: &Position) -> Move {
        let promotion = self.promotion_type().and_then(|piece| Piece::new(piece.inner()));
        king_takes_rook(position, self.from().inner(), self.to().inner(), promotion)
    }
}

#[cfg(feature = "loaders")]
mod loader {
    use super::{theirs, Board};
    use crate::loaders::{accepts, of_game, ToRecord};
    use crate::{ToMove, ToPosition};
    use seebatch::{Error, Filter, Record};
    use std::sync::OnceLock;
    use theirs::chess::chessmove::Move;

    impl ToRecord for (&Board, Move, i16, f32) {
        fn to_record(&self) -> Result<Record, Error> {
            let &(board, chess_move, score, result) = self;
            let position = board.to_position()?;
            let mut record = of_game(position, score, result);
            record.chess_move = Some(chess_move.to_move(&position));
            Ok(record)
        }
    }

    /// A function pointer captures nothing, so each has a place for its filter.
    static FILTERS: [OnceLock<Filter>; 16] = [const { OnceLock::new() }; 16];

    fn accepts_by<const PLACE: usize>(board: &Board, chess_move: Move, score: i16, result: f32) -> bool {
        let filter = FILTERS[PLACE].get().expect("a filter that was put there before the function was given away");
        accepts(filter, &(board, chess_move, score, result))
    }

    type Form = fn(&Board, Move, i16, f32) -> bool;

    const FORMS: [Form; 16] = [
        accepts_by::<0>,
        accepts_by::<1>,
        accepts_by::<2>,
        accepts_by::<3>,
        accepts_by::<4>,
        accepts_by::<5>,
        accepts_by::<6>,
        accepts_by::<7>,
        accepts_by::<8>,
        accepts_by::<9>,
        accepts_by::<10>,
        accepts_by::<11>,
        accepts_by::<12>,
        accepts_by::<13>,
        accepts_by::<14>,
        accepts_by::<15>,
    ];

    /// A function of a position with its move, the score and the result, which are White's.
    pub fn filter(filter: Filter) -> Form {
        let mut filter = filter;
        for (place, form) in FILTERS.iter().zip(FORMS) {
            match place.set(filter) {
                Ok(()) => return form,
                Err(back) => filter = back,
            }
        }
        panic!("{} filters were made as function pointers, which stay for ever, expected no more", FORMS.len());
    }
}
#[cfg(feature = "loaders")]
pub use loader::filter;
