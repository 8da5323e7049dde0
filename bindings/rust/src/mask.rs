//! Bit masks: one bit a move, or a position.

use crate::MAX_MOVES;

/// The words of a mask of so many bits.
pub const fn mask_words(bits: usize) -> usize {
    bits / 64 + (bits % 64 != 0) as usize
}

/// A bit mask, as the functions that compare with thresholds write it into the caller's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mask<'a> {
    words: &'a [u64],
    len: usize,
}

impl<'a> Mask<'a> {
    /// The first `len` bits of these words.
    ///
    /// # Panics
    /// Where the words have fewer.
    pub fn new(words: &'a [u64], len: usize) -> Mask<'a> {
        Mask { words: &words[..mask_words(len)], len }
    }

    /// Room for a mask of `len` bits.
    pub(crate) fn room(words: &mut [u64], len: usize) -> *mut u64 {
        let needed = mask_words(len);
        assert!(words.len() >= needed, "a mask of {} words, expected {} for {} bits", words.len(), needed, len);
        words.as_mut_ptr()
    }

    pub const fn len(&self) -> usize {
        self.len
    }

    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// # Panics
    /// Where there is no such bit.
    pub fn get(&self, index: usize) -> bool {
        assert!(index < self.len, "the bit {} of a mask of {} bits", index, self.len);
        self.words[index / 64] >> (index % 64) & 1 == 1
    }

    pub fn count_ones(&self) -> usize {
        let (whole, rest) = (self.len / 64, self.len % 64);
        let last = if rest == 0 { 0 } else { self.words[whole] & ((1 << rest) - 1) };
        self.words[..whole].iter().chain(&[last]).map(|word| word.count_ones() as usize).sum()
    }

    /// Each bit, from the first.
    pub fn iter(&self) -> impl Iterator<Item = bool> + 'a {
        let mask = *self;
        (0..mask.len).map(move |index| mask.get(index))
    }

    /// The indices of the bits that are set, in order.
    pub fn ones(&self) -> Bits<'a> {
        Bits::new(*self, 0)
    }

    /// The indices of the bits that are not set, in order.
    pub fn zeros(&self) -> Bits<'a> {
        Bits::new(*self, !0)
    }
}

/// A bit mask of one position's moves that owns its words, so that a function can return it: see [`Node::ge`](crate::Node::ge).
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
    pub fn as_mask(&self) -> Mask<'_> {
        Mask::new(&self.words, self.len)
    }

    /// # Panics
    /// Where there is no such bit.
    #[inline]
    pub fn get(&self, index: usize) -> bool {
        self.as_mask().get(index)
    }
}

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
