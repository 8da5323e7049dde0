//! One position with some of its moves.

use crate::mask::{Mask, NodeMask};
use crate::{raw, Batch, Error, Move, Pins, Position, Rules, MAX_MOVES};

/// A position with moves that are legal in it: checked once, evaluated as often as you like.
///
/// ```
/// use seebatch::{mask_words, Move, Node, Position, Rules};
/// let position = Position::from_fen("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -")?;
/// let moves = [position.read_uci("e1e5")?, position.read_uci("h2h3")?];
/// let node = Node::new(&position, &moves)?;
/// let mut words = [0; mask_words(2)];
/// let good = node.ge_mask(&Rules::default(), 50, &mut words);
/// assert_eq!(good.ones().collect::<Vec<_>>(), [0]);
/// assert_eq!(good.zeros().collect::<Vec<_>>(), [1]);
/// # Ok::<(), seebatch::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    position: &'a Position,
    moves: &'a [Move],
    pins: Option<&'a Pins>,
}

impl<'a> Node<'a> {
    /// Checks each move. [`MoveList::node`](crate::MoveList::node) has nothing to check.
    pub fn new(position: &'a Position, moves: &'a [Move]) -> Result<Node<'a>, Error> {
        Batch::new(core::slice::from_ref(position), &[0, moves.len()], moves)?;
        Ok(Node { position, moves, pins: None })
    }

    /// # Safety
    /// Each move must be legal in the position, or be so but for its own king in check; it may be the other side's.
    #[inline]
    #[must_use]
    pub const unsafe fn new_unchecked(position: &'a Position, moves: &'a [Move]) -> Node<'a> {
        Node { position, moves, pins: None }
    }

    /// With pins at hand, which then are not found again.
    ///
    /// # Safety
    /// They must be what [`Rules::find_pins`] finds in this position, under the rules that the node is evaluated with.
    #[inline]
    #[must_use]
    pub const unsafe fn with_pins(mut self, pins: &'a Pins) -> Node<'a> {
        self.pins = Some(pins);
        self
    }

    /// The position.
    #[must_use]
    pub const fn position(&self) -> &'a Position {
        self.position
    }

    /// The moves, in the order of the answers.
    #[must_use]
    pub const fn moves(&self) -> &'a [Move] {
        self.moves
    }

    /// `values[i]` is the value of the move `i`.
    ///
    /// # Panics
    /// Where there is not one for each move.
    #[inline]
    pub fn values(&self, rules: &Rules, values: &mut [i16]) {
        self.one_each("values", values.len());
        let (position, pins) = self.pointers();
        unsafe {
            raw::seebatch_values(rules.as_raw(), position, pins, self.first(), self.moves.len(), values.as_mut_ptr())
        }
    }

    /// Whether each move reaches the threshold, in the first [`mask_words`](crate::mask_words) of the words.
    ///
    /// # Panics
    /// Where there are too few words.
    #[inline]
    pub fn ge_mask<'m>(&self, rules: &Rules, threshold: i16, words: &'m mut [u64]) -> Mask<'m> {
        let n = self.moves.len();
        let mask = Mask::room(words, n);
        let (position, pins) = self.pointers();
        unsafe { raw::seebatch_ge_mask(rules.as_raw(), position, pins, self.first(), n, threshold, mask) }
        Mask::new(words, n)
    }

    /// The same as a mask that owns its words, so that it can be returned. For several thresholds, ask for the
    /// [`values`](Self::values) once and compare them.
    ///
    /// # Panics
    /// Where the node has more than [`MAX_MOVES`] moves.
    #[inline]
    #[must_use]
    pub fn ge(&self, rules: &Rules, threshold: i16) -> NodeMask {
        let n = self.moves.len();
        let (position, pins) = self.pointers();
        NodeMask::filled(n, |mask| unsafe {
            raw::seebatch_ge_mask(rules.as_raw(), position, pins, self.first(), n, threshold, mask)
        })
    }

    /// The same with a threshold for each move.
    ///
    /// # Panics
    /// Where there are too few words, or not one threshold for each move.
    #[inline]
    pub fn ge_mask_each<'m>(&self, rules: &Rules, thresholds: &[i16], words: &'m mut [u64]) -> Mask<'m> {
        let n = self.moves.len();
        self.one_each("thresholds", thresholds.len());
        let mask = Mask::room(words, n);
        let (position, pins) = self.pointers();
        let thresholds = thresholds.as_ptr();
        unsafe { raw::seebatch_ge_mask_each(rules.as_raw(), position, pins, self.first(), n, thresholds, mask) }
        Mask::new(words, n)
    }

    /// The moves in the order of their values, then most valuable victim, least valuable attacker; and their values in
    /// that order. Returns how many reach the threshold: they come first.
    ///
    /// # Panics
    /// Where there are more than [`MAX_MOVES`] moves, or not one place in `sorted` and `values` for each.
    pub fn order(&self, rules: &Rules, threshold: i16, sorted: &mut [Move], values: &mut [i16]) -> usize {
        let n = self.copied_to(sorted);
        self.one_each("values", values.len());
        let (position, pins) = self.pointers();
        let (sorted, values) = (sorted.as_mut_ptr().cast(), values.as_mut_ptr());
        unsafe { raw::seebatch_order(rules.as_raw(), position, pins, sorted, n, threshold, values) }
    }

    /// The moves that reach their thresholds, then the others, both in the order in which they are. Returns how many
    /// reach theirs.
    ///
    /// # Panics
    /// As [`order`](Self::order).
    pub fn split(&self, rules: &Rules, thresholds: &[i16], sorted: &mut [Move]) -> usize {
        let n = self.copied_to(sorted);
        self.one_each("thresholds", thresholds.len());
        let (position, pins) = self.pointers();
        let (sorted, thresholds) = (sorted.as_mut_ptr().cast(), thresholds.as_ptr());
        unsafe { raw::seebatch_split(rules.as_raw(), position, pins, sorted, n, thresholds) }
    }

    fn copied_to(&self, sorted: &mut [Move]) -> usize {
        let n = self.moves.len();
        assert!(n <= MAX_MOVES, "{} moves of one position, expected {} at most", n, MAX_MOVES);
        self.one_each("sorted moves", sorted.len());
        sorted.copy_from_slice(self.moves);
        n
    }

    #[inline]
    fn one_each(&self, what: &str, n: usize) {
        assert!(n == self.moves.len(), "{} moves, but {} {}", self.moves.len(), n, what);
    }

    #[inline]
    fn pointers(&self) -> (*const raw::seebatch_position, *const raw::seebatch_pins) {
        (self.position.as_raw(), Pins::pointer(self.pins))
    }

    #[inline]
    fn first(&self) -> *const raw::seebatch_move {
        self.moves.as_ptr().cast()
    }
}
