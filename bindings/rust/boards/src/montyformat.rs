// `montyformat`: its `Position`, alone or with the files of its rooks, and its moves.

use crate::{castling, Parts, ToMove, ToPosition, NO_MOVE};
use seebatch::{Color, Error, Move, Piece, Position};
use theirs::chess::{Castling, Flag, Position as Board};

/// Of standard chess: the rooks that may castle stand in the corners.
impl ToPosition for Board {
    fn to_position(&self) -> Result<Position, Error> {
        with_rooks(self, [[0, 7]; 2])
    }
}

/// Chess960 included: a board has its rights, and a [`Castling`] the files of its rooks.
impl ToPosition for (&Board, &Castling) {
    fn to_position(&self) -> Result<Position, Error> {
        with_rooks(self.0, self.1.rook_files())
    }
}

fn with_rooks(board: &Board, files: [[u8; 2]; 2]) -> Result<Position, Error> {
    with_rights(board, board.rights(), files)
}

fn with_rights(board: &Board, rights: u8, files: [[u8; 2]; 2]) -> Result<Position, Error> {
    let [white, black, by_type @ ..] = board.bbs();
    // 8 and 4 are white's rights on the queen's and the king's side, 2 and 1 black's.
    let rook = |right, square| (rights & right != 0).then_some(square);
    let [[white_queenside, white_kingside], [black_queenside, black_kingside]] = files;
    Parts {
        by_type,
        by_color: [white, black],
        side: Color::new(board.stm() as u8),
        rooks: [
            [rook(4, white_kingside), rook(8, white_queenside)],
            [rook(1, black_kingside + 56), rook(2, black_queenside + 56)],
        ],
        en_passant: Some(board.enp_sq()).filter(|&square| square != 0),
        halfmove_clock: board.halfm().into(),
        fullmove_number: board.fullm(),
    }
    .check()
}

impl ToMove for theirs::chess::Move {
    fn to_move(&self, position: &Position) -> Move {
        let (from, to) = (self.src() as u8, self.to() as u8);
        match self.flag() {
            flag @ (Flag::KS | Flag::QS) => position
                .castling_rook(position.side_to_move(), flag == Flag::QS)
                .map_or(NO_MOVE, |rook| castling(position, from, rook)),
            _ if self.is_promo() => Move::new(from, to, Piece::new(self.promo_pc() as u8 - 2)),
            _ => Move::new(from, to, None),
        }
    }
}

#[cfg(feature = "loaders")]
mod loader {
    use super::{theirs, with_rights, Board, Flag};
    use crate::loaders::{accepts, of_game, ToRecord};
    use crate::ToMove;
    use seebatch::{Error, Filter, Record};
    use theirs::chess::Move;

    impl ToRecord for (&Board, Move, i16, f32) {
        fn to_record(&self) -> Result<Record, Error> {
            let &(board, best, score, result) = self;
            // Rights of Chess960 need the files of rooks, which are not here. No condition is about castling.
            let position = with_rights(board, 0, [[0, 7]; 2])?;
            let castles = best.flag() == Flag::KS || best.flag() == Flag::QS;
            let chess_move = (!castles).then(|| best.to_move(&position));
            let mut record = of_game(position, score, result);
            record.chess_move = chess_move;
            Ok(record)
        }
    }

    /// A closure of a position with its best move, the score and the result, which are White's.
    pub fn filter(filter: Filter) -> impl Fn(&Board, Move, i16, f32) -> bool + Clone + Send + Sync + 'static {
        move |board: &Board, best: Move, score: i16, result: f32| accepts(&filter, &(board, best, score, result))
    }
}
#[cfg(feature = "loaders")]
pub use loader::filter;
