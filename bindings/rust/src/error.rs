//! Errors: what kind, and the sentence.

use crate::raw;
use core::fmt::{self, Write};

/// What kind of thing was wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// The text is not in the expected form.
    Unreadable,
    /// The text or the board is readable, but no such position can be played on.
    Unsound,
    /// The move is not legal in the position.
    Illegal,
    /// There is no rule set of that name, or fields do not go together.
    BadRules,
    /// There is no kernel of that name, or this machine cannot run it.
    BadKernel,
    /// A job's progress function ended the work.
    Cancelled,
    /// The move is readable, and can be several legal moves in the position.
    Ambiguous,
    /// A kernel gives another answer than the scalar code.
    Different,
    /// The answer is larger than the room for it.
    NoRoom,
    /// Offsets that decrease, or go beyond what they count.
    BadOffsets,
    /// There is no such condition of a filter, or its range cannot be read.
    BadCondition,
    /// There is not enough memory.
    NoMemory,
}

impl Kind {
    fn of(status: raw::seebatch_status) -> Kind {
        match status as raw::c_int {
            raw::SEEBATCH_UNREADABLE => Kind::Unreadable,
            raw::SEEBATCH_UNSOUND => Kind::Unsound,
            raw::SEEBATCH_ILLEGAL => Kind::Illegal,
            raw::SEEBATCH_BAD_RULES => Kind::BadRules,
            raw::SEEBATCH_BAD_KERNEL => Kind::BadKernel,
            raw::SEEBATCH_CANCELLED => Kind::Cancelled,
            raw::SEEBATCH_AMBIGUOUS => Kind::Ambiguous,
            raw::SEEBATCH_DIFFERENT => Kind::Different,
            raw::SEEBATCH_NO_ROOM => Kind::NoRoom,
            raw::SEEBATCH_BAD_OFFSETS => Kind::BadOffsets,
            other => unreachable!("the library returned the status {}", other),
        }
    }
}

/// Why a call failed: one sentence, without a full stop, that says what was wrong and what was expected.
#[derive(Clone)]
pub struct Error {
    kind: Kind,
    sentence: Held<Sentence>,
}

/// The sentence would make every `Result` large, so it is elsewhere where there is an allocator.
#[cfg(feature = "alloc")]
type Held<T> = alloc::boxed::Box<T>;
#[cfg(not(feature = "alloc"))]
type Held<T> = T;

/// The bytes of a sentence. Those about conditions show the place, too.
const LONGEST: usize = if cfg!(feature = "conditions") { 1024 } else { 256 };

#[derive(Clone)]
struct Sentence {
    length: usize,
    text: [u8; LONGEST], // the first `length` are UTF-8
}

impl Error {
    /// What kind of thing was wrong.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The sentence.
    #[must_use]
    pub fn message(&self) -> &str {
        core::str::from_utf8(&self.sentence.text[..self.sentence.length]).unwrap_or_default()
    }

    /// An error of this crate's own; what does not fit is left out.
    pub(crate) fn new(kind: Kind, sentence: fmt::Arguments) -> Error {
        let mut written = Sentence { length: 0, text: [0; LONGEST] };
        let _ = written.write_fmt(sentence);
        Error { kind, sentence: written.into() }
    }

    /// Calls a function that fills a `seebatch_error` where it fails.
    pub(crate) fn check(call: impl FnOnce(*mut raw::seebatch_error) -> raw::seebatch_status) -> Result<(), Error> {
        let mut filled = raw::seebatch_error { text: [0; 256] };
        match call(&mut filled) {
            0 => Ok(()),
            status => Err(Error::filled(status, filled.text)),
        }
    }

    /// The same with a name, which C reads up to a NUL. One that is longer than any name, or has a NUL in it, is handed on as its
    /// beginning and dots, which no name has, so that the sentence says what was expected.
    pub(crate) fn check_name(
        name: &str,
        call: impl FnOnce(*const raw::c_char, *mut raw::seebatch_error) -> raw::seebatch_status,
    ) -> Result<(), Error> {
        const ROOM: usize = raw::SEEBATCH_RULES_SIZE as usize;
        let mut text = [0; ROOM];
        if name.len() < ROOM && !name.contains('\0') {
            text[..name.len()].copy_from_slice(name.as_bytes());
        } else {
            let mut beginning = Sentence { length: 0, text: [0; LONGEST] };
            let _ = write!(beginning, "{:.40}...", name.escape_debug());
            let length = beginning.length.min(ROOM - 1);
            text[..length].copy_from_slice(&beginning.text[..length]);
        }
        Error::check(|error| call(text.as_ptr(), error))
    }

    /// Sentences quote what was read, which may be no UTF-8: such bytes become question marks.
    #[cold]
    pub(crate) fn filled(status: raw::seebatch_status, mut text: [u8; 256]) -> Error {
        let length = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
        while let Err(wrong) = core::str::from_utf8(&text[..length]) {
            text[wrong.valid_up_to()] = b'?';
        }
        let mut sentence = Sentence { length, text: [0; LONGEST] };
        sentence.text[..length].copy_from_slice(&text[..length]);
        Error { kind: Kind::of(status), sentence: sentence.into() }
    }
}

impl Write for Sentence {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        for character in more.chars() {
            let end = self.length + character.len_utf8();
            if end > self.text.len() {
                return Err(fmt::Error);
            }
            character.encode_utf8(&mut self.text[self.length..end]);
            self.length = end;
        }
        Ok(())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:?}: {}", self.kind, self.message())
    }
}

#[cfg(feature = "std")]
impl std::error::Error for Error {}
