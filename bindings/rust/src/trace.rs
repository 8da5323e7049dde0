//! Exchanges in full.

use crate::{raw, Color, Move, Piece, Position, Rules};
use core::fmt;
use core::mem::MaybeUninit;

/// An exchange in full: the swap list, unpruned (it goes on until a side cannot capture), its negamax, and the pieces
/// that would have captured but for the rules. Made by [`Rules::explain`].
///
/// ```
/// use seebatch::{Position, Reason, Rules};
/// let position = Position::from_fen("3k4/8/8/3p4/4n3/8/8/3RR1K1 w - -")?;
/// let trace = Rules::LEGAL.explain(&position, position.read_uci("e1e4")?)?;
/// assert_eq!((trace.value(), trace.captures().len()), (325, 1));
/// let pinned = trace.refusals().next().expect("the pawn on d5 may not recapture");
/// assert_eq!((pinned.from, pinned.reason, pinned.by), (35, Reason::Pinned, 3));
/// # Ok::<(), seebatch::Error>(())
/// ```
#[derive(Clone)]
pub struct Trace {
    raw: raw::seebatch_trace,
    rules: Rules,
    position: Position,
    chess_move: Move,
}

/// One capture of an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Capture {
    /// The square that the capturing piece left.
    pub from: u8,
    /// The side that captures.
    pub color: Color,
    /// The piece that captures.
    pub piece: Piece,
    /// What then stands on the square: the piece, or what a pawn became.
    pub stays: Piece,
    /// The balance for this capture's side if the exchange ends with it.
    pub gain: i32,
    /// What this capture's side gets when both go on or stop as is best for them.
    pub best: i32,
}

/// A piece that attacks the square when it is its side's turn, and may not capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// The index of the capture that it would have made.
    pub step: u8,
    /// The square on which it stands.
    pub from: u8,
    /// Its side.
    pub color: Color,
    /// Its type.
    pub piece: Piece,
    /// Why it may not capture.
    pub reason: Reason,
    /// The square of the piece that is the reason.
    pub by: u8,
}

macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident = $constant:ident,)*) => {
        /// Why a piece may not capture.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Reason {
            $($(#[$doc])* $name,)*
        }

        impl Reason {
            fn of(reason: u8) -> Reason {
                match raw::c_int::from(reason) {
                    $(raw::$constant => Reason::$name,)*
                    other => unreachable!("the library gave the reason {}", other),
                }
            }
        }
    };
}

reasons! {
    // Made by scripts/manual: refusals
    /// A piece that still stands pins it to its king.
    PinRule = SEEBATCH_REFUSED_PIN_RULE,
    /// The piece that pinned it has left, but the rule refuses it while a piece that pins another one of its side
    /// still stands.
    OtherPin = SEEBATCH_REFUSED_OTHER_PIN,
    /// Its capture would leave its own king attacked, by a pin from before the exchange or one that the exchange has
    /// brought about.
    Pinned = SEEBATCH_REFUSED_PINNED,
    /// Its king is in check from another square, and would stay in check.
    InCheck = SEEBATCH_REFUSED_IN_CHECK,
    /// It is the king, and the square would still be attacked.
    Guarded = SEEBATCH_REFUSED_GUARDED,
    /// A piece that still stands pins it to its king, and the square is not on their line.
    OffPin = SEEBATCH_REFUSED_OFF_PIN,
    /// It stays restricted although the piece that pinned it has left; `by` is the square that it left.
    PinnerLeft = SEEBATCH_REFUSED_PINNER_LEFT,
    /// The piece that pinned it has left, but one that pins another piece of its side still stands.
    OtherPinner = SEEBATCH_REFUSED_OTHER_PINNER,
    /// It stands alone between the enemy king and a slider of its own side; `by` is the square of that slider before
    /// the first move.
    BeforeEnemy = SEEBATCH_REFUSED_BEFORE_ENEMY,
    // Up to here by scripts/manual
}

fn piece(piece: u8) -> Piece {
    Piece::new(piece).unwrap_or_else(|| unreachable!("the library gave the piece {}", piece))
}

impl Trace {
    pub(crate) fn new(rules: &Rules, position: &Position, chess_move: Move) -> Trace {
        let mut trace = MaybeUninit::<raw::seebatch_trace>::zeroed();
        // Safe: the caller has checked the move, and zeros are a trace.
        let raw = unsafe {
            raw::seebatch_explain(rules.as_raw(), position.as_raw(), chess_move.bits(), trace.as_mut_ptr());
            trace.assume_init()
        };
        Trace { raw, rules: *rules, position: *position, chess_move }
    }

    /// The move that begins the exchange.
    #[must_use]
    pub fn first_move(&self) -> Move {
        self.chess_move
    }

    /// The value of the move.
    #[must_use]
    pub fn value(&self) -> i16 {
        self.raw.value as i16
    }

    /// The captures in their order, beginning with the first move.
    #[must_use]
    pub fn captures(&self) -> impl ExactSizeIterator<Item = Capture> + '_ {
        self.raw.capture[..self.raw.length as usize].iter().map(|capture| Capture {
            from: capture.from,
            color: Color::new(capture.color),
            piece: piece(capture.piece),
            stays: piece(capture.stays),
            gain: capture.gain,
            best: capture.best,
        })
    }

    /// The swap list entry that one more capture would give, were the square attacked.
    #[must_use]
    pub fn next_gain(&self) -> Option<i32> {
        self.raw.has_next.then_some(self.raw.next_gain)
    }

    /// The pieces that attack the square and may not capture, in the order of the captures.
    #[must_use]
    pub fn refusals(&self) -> impl ExactSizeIterator<Item = Refusal> + '_ {
        self.raw.refusal[..self.raw.n_refusals as usize].iter().map(|refusal| Refusal {
            step: refusal.step,
            from: refusal.from,
            color: Color::new(refusal.color),
            piece: piece(refusal.piece),
            reason: Reason::of(refusal.reason),
            by: refusal.by,
        })
    }
}

/// The exchange in sentences: the board, the captures, the pieces that may not capture, and the value. Many lines.
impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut text = [0; 512]; // longer than any line
        let (rules, position, bits) = (self.rules.as_raw(), self.position.as_raw(), self.chess_move.bits());
        for line in 0.. {
            let (first, size) = (text.as_mut_ptr(), text.len());
            let length = unsafe { raw::seebatch_trace_line(rules, position, bits, &self.raw, line, first, size) };
            if length == usize::MAX {
                break;
            }
            let line = &text[..length.min(size - 1)];
            writeln!(f, "{}", core::str::from_utf8(line).unwrap_or_default())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Trace {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_list().entries(self.captures()).finish()
    }
}
