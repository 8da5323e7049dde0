//! Bit masks: one bit a move, or a position.

use crate::MAX_MOVES;

/// The words of a mask of so many bits.
#[must_use]
pub const fn mask_words(bits: usize) -> usize {
    bits / 64 + (bits % 64 != 0) as usize
}

/// A bit mask, as the functions that compare with thresholds write it into the caller's words.
///
/// Two masks are equal if they have the same bits; what the words hold beyond the last bit does not matter.
///
/// ```
/// use seebatch::Mask;
/// let mask = Mask::new(&[0b1011], 3);
/// assert_eq!(mask.ones().collect::<Vec<_>>(), [0, 1]);
/// assert_eq!(mask.into_iter().collect::<Vec<_>>(), [true, true, false]);
/// assert!(mask == Mask::new(&[0b0011], 3));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Mask<'a> {
    words: &'a [u64],
    len: usize,
}

impl<'a> Mask<'a> {
    /// The first `len` bits of these words.
    ///
    /// # Panics
    /// Where the words have fewer.
    #[must_use]
    pub fn new(words: &'a [u64], len: usize) -> Mask<'a> {
        Mask { words: &words[..mask_words(len)], len }
    }

    /// Room for a mask of `len` bits.
    pub(crate) fn room(words: &mut [u64], len: usize) -> *mut u64 {
        let needed = mask_words(len);
        assert!(words.len() >= needed, "a mask of {} words, expected {} for {} bits", words.len(), needed, len);
        words.as_mut_ptr()
    }

    /// How many bits there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no bits at all.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether a bit is set.
    ///
    /// # Panics
    /// Where there is no such bit.
    #[must_use]
    pub fn get(&self, index: usize) -> bool {
        assert!(index < self.len, "the bit {} of a mask of {} bits", index, self.len);
        self.words[index / 64] >> (index % 64) & 1 == 1
    }

    /// How many bits are set.
    #[must_use]
    pub fn count_ones(&self) -> usize {
        self.used_words().map(|word| word.count_ones() as usize).sum()
    }

    /// The words, with 0 for what the last one holds beyond the mask's end.
    fn used_words(&self) -> impl Iterator<Item = u64> + 'a {
        let (whole, rest) = (self.len / 64, self.len % 64);
        let last = if rest == 0 { 0 } else { self.words[whole] & ((1 << rest) - 1) };
        self.words[..whole].iter().copied().chain([last])
    }

    /// Each bit, from the first.
    #[must_use]
    pub fn iter(&self) -> Each<'a> {
        self.into_iter()
    }

    /// The indices of the bits that are set, in order.
    #[must_use]
    pub fn ones(&self) -> Bits<'a> {
        Bits::new(*self, 0)
    }

    /// The indices of the bits that are not set, in order.
    #[must_use]
    pub fn zeros(&self) -> Bits<'a> {
        Bits::new(*self, !0)
    }
}

impl PartialEq for Mask<'_> {
    fn eq(&self, other: &Mask) -> bool {
        self.len == other.len && self.used_words().eq(other.used_words())
    }
}

impl Eq for Mask<'_> {}

impl<'a> IntoIterator for Mask<'a> {
    type Item = bool;
    type IntoIter = Each<'a>;

    fn into_iter(self) -> Each<'a> {
        Each { mask: self, range: 0..self.len }
    }
}

/// A bit mask of one position's moves that owns its words, so that a function can return it: see [`Node::ge`](crate::Node::ge).
///
/// ```
/// use seebatch::{Position, Rules};
/// let position = Position::from_fen("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -")?;
/// let good = position.legal_moves().node().ge(&Rules::SWAP, 100);
/// assert_eq!((good.count_ones(), good.len()), (1, 17));
/// # Ok::<(), seebatch::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeMask {
    words: [u64; mask_words(MAX_MOVES)],
    len: usize,
}

impl NodeMask {
    /// # Panics
    /// Where there are more than [`MAX_MOVES`] bits.
    pub(crate) fn filled(len: usize, fill: impl FnOnce(*mut u64)) -> NodeMask {
        assert!(len <= MAX_MOVES, "{} moves of one position, expected {} at most", len, MAX_MOVES);
        let mut mask = NodeMask { words: [0; mask_words(MAX_MOVES)], len };
        fill(mask.words.as_mut_ptr());
        mask
    }

    /// The mask, with everything that can be asked of one.
    #[inline]
    #[must_use]
    pub fn as_mask(&self) -> Mask<'_> {
        Mask::new(&self.words, self.len)
    }

    /// How many moves there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no moves at all.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether the bit of a move is set.
    ///
    /// # Panics
    /// Where there is no such bit.
    #[inline]
    #[must_use]
    pub fn get(&self, index: usize) -> bool {
        self.as_mask().get(index)
    }

    /// How many bits are set.
    #[must_use]
    pub fn count_ones(&self) -> usize {
        self.as_mask().count_ones()
    }

    /// Each bit, from the first.
    #[must_use]
    pub fn iter(&self) -> Each<'_> {
        self.as_mask().iter()
    }

    /// The indices of the moves whose bits are set, in order.
    #[must_use]
    pub fn ones(&self) -> Bits<'_> {
        self.as_mask().ones()
    }

    /// The indices of the moves whose bits are not set, in order.
    #[must_use]
    pub fn zeros(&self) -> Bits<'_> {
        self.as_mask().zeros()
    }
}

impl<'a> IntoIterator for &'a NodeMask {
    type Item = bool;
    type IntoIter = Each<'a>;

    fn into_iter(self) -> Each<'a> {
        self.iter()
    }
}

/// Each bit of a mask; made by [`Mask::iter`].
#[derive(Clone, Debug)]
pub struct Each<'a> {
    mask: Mask<'a>,
    range: core::ops::Range<usize>,
}

impl Iterator for Each<'_> {
    type Item = bool;

    #[inline]
    fn next(&mut self) -> Option<bool> {
        self.range.next().map(|index| self.mask.get(index))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.range.size_hint()
    }
}

impl ExactSizeIterator for Each<'_> {}

/// The indices of bits; made by [`Mask::ones`] and [`Mask::zeros`].
#[derive(Clone, Debug)]
pub struct Bits<'a> {
    mask: Mask<'a>,
    flip: u64,
    next: usize, // index of the word behind the one at hand
    word: u64,   // what is left of that
}

impl Bits<'_> {
    fn new(mask: Mask<'_>, flip: u64) -> Bits<'_> {
        Bits { mask, flip, next: 0, word: 0 }
    }
}

impl Iterator for Bits<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.word == 0 {
            self.word = self.mask.words.get(self.next)? ^ self.flip;
            self.next += 1;
        }
        let index = (self.next - 1) * 64 + self.word.trailing_zeros() as usize;
        self.word &= self.word - 1;
        if index < self.mask.len {
            Some(index)
        } else {
            None // bits past the last are 0, and 1 when flipped
        }
    }
}
