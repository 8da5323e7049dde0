#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))] // says which feature an item needs
#![warn(missing_debug_implementations, missing_docs, unsafe_op_in_unsafe_fn)]
// Without an allocator an error holds its sentence itself.
#![cfg_attr(not(feature = "alloc"), allow(clippy::result_large_err, clippy::useless_conversion))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod batch;
mod error;
#[cfg(feature = "conditions")]
mod filter;
pub mod kernel;
mod mask;
mod moves;
mod node;
mod position;
#[doc(hidden)]
pub mod raw;
mod rules;
mod square;
mod trace;

#[cfg(feature = "alloc")]
pub use batch::BatchBuf;
pub use batch::{processors, Batch, Job};
pub use error::{Error, Kind};
#[cfg(feature = "conditions")]
pub use filter::{filter, Condition, Filter, Outcome, Record};
pub use mask::{mask_words, Bits, Each, Mask, NodeMask};
pub use moves::{Move, MoveBuf, MoveList, MAX_MOVES};
pub use node::Node;
pub use position::{Color, Piece, Position, San};
pub use rules::{
    CaptureOrder, EnPassantReplies, FirstCastling, FirstEnPassant, FirstPromotion, PinRule, Pins, Promotions, Rules,
    RulesBuilder, ALWAYS,
};
pub use square::Square;
pub use trace::{Capture, Reason, Refusal, Trace};

/// The version of the library that is linked, `major.minor.patch`.
#[must_use]
pub fn version() -> &'static str {
    unsafe { c_text(raw::seebatch_version()) }.unwrap_or_default()
}

/// A constant text of the library's; `None` for a null pointer.
///
/// # Safety
/// The text must end with a NUL and live for ever.
unsafe fn c_text(text: *const raw::c_char) -> Option<&'static str> {
    if text.is_null() {
        return None;
    }
    let length = (0..).find(|&length| unsafe { *text.add(length) } == 0)?;
    core::str::from_utf8(unsafe { core::slice::from_raw_parts(text, length) }).ok()
}
