//! `bulletformat`: [`ChessBoard`], which always has the side to move as white, and no rights.

use crate::ToPosition;
use bulletformat::ChessBoard;
use seebatch::{Color, Error, Position};

impl ToPosition for ChessBoard {
    /// The side to move is white here, as in the format.
    fn to_position(&self) -> Result<Position, Error> {
        let (mut by_type, mut by_color) = ([0; 6], [0; 2]);
        let mut left = self.occ;
        for i in 0.. {
            if left == 0 {
                break;
            }
            let square = left & left.wrapping_neg();
            left ^= square;
            // A 33rd piece, and one of no type, stand in no set by type: then the position is refused.
            let code = self.pcs.get(i / 2).map_or(7, |pair| pair >> (4 * (i & 1)) & 15);
            by_color[usize::from(code >> 3)] |= square;
            if let Some(set) = by_type.get_mut(usize::from(code & 7)) {
                *set |= square;
            }
        }
        Position::from_bitboards(&by_type, &by_color, Color::White)
    }
}

#[cfg(feature = "loaders")]
mod loader {
    use crate::loaders::{checked, ToRecord};
    use crate::ToPosition;
    use bulletformat::ChessBoard;
    use seebatch::{Error, Filter, Outcome, Position, Record};

    /// Score and result are those of the side to move, which is white here.
    impl ToRecord for ChessBoard {
        fn to_record(&self) -> Result<Record, Error> {
            let mut record = Record::new(self.to_position()?);
            record.score = Some(self.score.into());
            record.outcome = Some(Outcome::of_sign(i32::from(self.result) - 1));
            Ok(record)
        }
    }

    /// See [`loaders::bulletformat`](crate::loaders::bulletformat).
    #[derive(Clone, Debug)]
    pub struct ChunkFilter {
        filter: Filter,
        records: Vec<Record>,
        accepted: Vec<bool>,
        kept: Vec<ChessBoard>,
    }

    impl ChunkFilter {
        pub(super) fn new(filter: Filter) -> Result<ChunkFilter, Error> {
            let mut example = Record::new(Position::default());
            (example.score, example.outcome) = (Some(0), Some(Outcome::Draw));
            filter.check_has(&example)?;
            Ok(ChunkFilter { filter, records: Vec::new(), accepted: Vec::new(), kept: Vec::new() })
        }

        /// Those boards of a chunk that the filter accepts, in order.
        ///
        /// # Panics
        /// With a sentence, where a board is damaged.
        pub fn of(&mut self, chunk: &[ChessBoard]) -> &[ChessBoard] {
            self.kept.clear();
            for some in chunk.chunks(4096) {
                self.records.clear();
                self.records.extend(some.iter().map(|board| checked(board.to_record())));
                self.accepted.resize(some.len(), false);
                checked(self.filter.accept(&self.records, &mut self.accepted));
                let accepted = some.iter().zip(&self.accepted).filter(|(_, &accepted)| accepted);
                self.kept.extend(accepted.map(|(board, _)| board));
            }
            &self.kept
        }
    }
}
#[cfg(feature = "loaders")]
pub use loader::ChunkFilter;
/// A filter of chunks of boards. An error where a condition is about the move or the ply, which these do not have.
#[cfg(feature = "loaders")]
pub fn filter(filter: seebatch::Filter) -> Result<ChunkFilter, Error> {
    ChunkFilter::new(filter)
}
