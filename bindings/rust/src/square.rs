//! Squares with their names.

use crate::error::Kind;
use crate::Error;
use core::fmt;
use core::str::FromStr;

/// A square, for programs that read and write its name. The functions of this crate take and give squares as `u8`, a1 = 0 to
/// h8 = 63, as engines have them; conversion in both directions costs nothing.
///
/// ```
/// use seebatch::{Move, Square};
/// let from: Square = "d3".parse()?;
/// let to = Square::new(36).unwrap();
/// assert_eq!(to.to_string(), "e5");
/// assert_eq!(Move::new(from.into(), to.into(), None).to_string(), "d3e5");
/// # Ok::<(), seebatch::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Square(u8);

impl Square {
    /// The square of an index, a1 = 0, b1 = 1 to h8 = 63; `None` above.
    #[must_use]
    pub const fn new(index: u8) -> Option<Square> {
        if index < 64 {
            Some(Square(index))
        } else {
            None
        }
    }

    /// The index, 0 to 63.
    #[must_use]
    pub const fn index(self) -> u8 {
        self.0
    }
}

impl From<Square> for u8 {
    fn from(square: Square) -> u8 {
        square.0
    }
}

impl TryFrom<u8> for Square {
    type Error = Error;

    fn try_from(index: u8) -> Result<Square, Error> {
        Square::new(index)
            .ok_or_else(|| Error::new(Kind::Unreadable, format_args!("the square is {}, expected 0 to 63", index)))
    }
}

impl FromStr for Square {
    type Err = Error;

    fn from_str(text: &str) -> Result<Square, Error> {
        match *text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Square((rank - b'1') * 8 + (file - b'a'))),
            _ => Err(Error::new(
                Kind::Unreadable,
                format_args!("'{:.40}' is not a square, expected a1 to h8", text.escape_debug()),
            )),
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let name = [b'a' + self.0 % 8, b'1' + self.0 / 8];
        f.pad(core::str::from_utf8(&name).unwrap_or_default())
    }
}
