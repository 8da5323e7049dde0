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
