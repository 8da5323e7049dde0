//! Rule sets: what an exchange means.

use crate::batch::{run, Job};
use crate::mask::Mask;
use crate::{c_text, raw, Color, Error, Move, Position, Trace};
use core::fmt;

macro_rules! field {
    ($(#[$doc:meta])* $name:ident { $($(#[$value_doc:meta])* $value:ident = $constant:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        #[allow(missing_docs)] // the values whose names say all
        pub enum $name {
            $($(#[$value_doc])* $value = raw::$constant as u8,)*
        }
    };
}

// Made by scripts/manual: fields
field! {
    /// Which pieces may not capture. The four rules whose names begin with `Ray` restrict a piece that stands alone
    /// between a king and an enemy slider of that king, unless the square of the exchange is on the same line, so
    /// that a pinned piece may capture along its pin. Restricted pieces are found once, on the board before the first
    /// move. docs/rules.md has a board for each rule.
    PinRule {
        /// No piece is restricted.
        Ignored = SEEBATCH_PINS_IGNORED,
        /// Blockers of their own king, while any pinner of the other side still stands; other snipers between a king
        /// and its sniper are ignored.
        Any = SEEBATCH_PINS_ANY,
        /// Blockers of their own king, while all pinners of the other side still stand; other snipers between count
        /// as pieces.
        All = SEEBATCH_PINS_ALL,
        /// Pieces whose capture would not be a legal move, at any time in the exchange.
        Legal = SEEBATCH_PINS_LEGAL,
        /// Pieces restricted in front of their own king: they are not among the first attackers, and do not guard the
        /// square against a king; sliders can join later.
        RayOnce = SEEBATCH_PINS_RAY_ONCE,
        /// The same for pieces restricted in front of either king.
        RayOnceBoth = SEEBATCH_PINS_RAY_ONCE_BOTH,
        /// Pieces restricted in front of either king, to the end of the exchange; other enemy sliders between them
        /// and the king are ignored.
        RayEach = SEEBATCH_PINS_RAY_EACH,
        /// Pieces restricted in front of their own king, while any pinner of the other side is still on its square,
        /// or was captured there by the first move.
        RayStanding = SEEBATCH_PINS_RAY_STANDING,
    }
}
field! {
    /// Which promotions count.
    Promotions {
        /// A pawn stays a pawn.
        None = SEEBATCH_PROMOTE_NONE,
        /// The promotion of the first move counts, to the piece that it names.
        First = SEEBATCH_PROMOTE_FIRST,
        /// It counts, and later pawns that capture on the last rank promote to queens.
        All = SEEBATCH_PROMOTE_ALL,
    }
}
field! {
    /// The value of a promotion as the first move, whatever it captures.
    FirstPromotion {
        /// It is evaluated like other moves.
        Evaluated = SEEBATCH_PROMOTION_EVALUATED,
        /// It is 0.
        Zero = SEEBATCH_PROMOTION_ZERO,
        /// It is [`ALWAYS`].
        Always = SEEBATCH_PROMOTION_ALWAYS,
    }
}
field! {
    /// The value of a capture en passant as the first move.
    FirstEnPassant {
        /// It is evaluated like other moves.
        Evaluated = SEEBATCH_EN_PASSANT_EVALUATED,
        /// It is 0.
        Zero = SEEBATCH_EN_PASSANT_ZERO,
        /// It is [`ALWAYS`].
        Always = SEEBATCH_EN_PASSANT_ALWAYS,
        /// It is evaluated; the captured pawn counts, but stays on the board and blocks lines.
        Standing = SEEBATCH_EN_PASSANT_STANDING,
    }
}
field! {
    /// The value of castling as the first move.
    FirstCastling {
        /// It is 0.
        Zero = SEEBATCH_CASTLING_ZERO,
        /// It is [`ALWAYS`].
        Always = SEEBATCH_CASTLING_ALWAYS,
    }
}
field! {
    /// Which piece captures.
    CaptureOrder {
        /// The least valuable one that may.
        LeastValuableFirst = SEEBATCH_LEAST_VALUABLE_FIRST,
        /// The one whose capture is best for its side.
        BestOrder = SEEBATCH_BEST_ORDER,
    }
}
field! {
    /// Whether a pawn's double step as the first move may be answered en passant, if that is legal. Such a reply wins
    /// a pawn and ends the exchange.
    EnPassantReplies {
        /// It may not.
        Ignored = SEEBATCH_EN_PASSANT_REPLIES_IGNORED,
        /// It may.
        Counted = SEEBATCH_EN_PASSANT_REPLIES_COUNTED,
    }
}
// Up to here by scripts/manual

/// The value of a first move that the rules let pass at any threshold: a mark, and no balance.
pub const ALWAYS: i16 = raw::SEEBATCH_ALWAYS as i16;

/// A rule set: what an exchange means, and the values of pieces. Always one that the library accepts. Small, and copied
/// freely; the default is `legal`, the true value.
///
/// ```
/// use seebatch::{PinRule, Rules};
/// let mine = Rules::named("ethereal")?.with_values([98, 310, 325, 510, 980])?;
/// let pinned = mine.to_builder().pins(PinRule::Any).build()?;
/// # assert_ne!(mine, pinned);
///
/// // An engine's rules are constants.
/// static MINE: Rules = Rules::ETHEREAL.to_builder().values([98, 310, 325, 510, 980]).build_const();
/// assert_eq!(MINE, mine);
/// # Ok::<(), seebatch::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Rules(raw::seebatch_rules);

impl Rules {
    /// The rule set of a name, or a name and fields that are otherwise, such as `ethereal,en-passant=standing`; with
    /// the values 100, 325, 325, 500, 1000.
    pub fn named(name: &str) -> Result<Rules, Error> {
        let mut rules = Rules::default();
        Error::check_name(name, |text, error| unsafe { raw::seebatch_rules_named(text, &mut rules.0, error) })?;
        Ok(rules)
    }

    /// The names of all rule sets.
    pub fn names() -> impl Iterator<Item = &'static str> {
        (0..).map_while(|index| unsafe { c_text(raw::seebatch_rules_name(index)) })
    }

    /// Rules field by field, from those of `swap`, the plain swap algorithm.
    pub const fn builder() -> RulesBuilder {
        RulesBuilder(raw::seebatch_rules {
            value: [100, 325, 325, 500, 1000],
            // Made by scripts/manual: zeros
            pins: 0,
            promotions: 0,
            promotion: 0,
            en_passant: 0,
            castling: 0,
            order: 0,
            en_passant_replies: 0,
            // Up to here by scripts/manual
            reserved: 0,
        })
    }

    /// The fields, to be changed.
    pub const fn to_builder(&self) -> RulesBuilder {
        RulesBuilder(self.0)
    }

    /// The same rules with other values: pawn, knight, bishop, rook, queen, each 0 to 3000.
    pub fn with_values(&self, values: [i16; 5]) -> Result<Rules, Error> {
        self.to_builder().values(values).build()
    }

    /// Pawn, knight, bishop, rook, queen.
    #[must_use]
    pub const fn values(&self) -> [i16; 5] {
        self.0.value
    }

    /// Rules in the C library's own form, which are checked.
    pub fn from_raw(rules: raw::seebatch_rules) -> Result<Rules, Error> {
        Error::check(|error| unsafe { raw::seebatch_rules_check(&rules, error) })?;
        Ok(Rules(rules))
    }

    /// The C library's own form.
    #[inline]
    #[must_use]
    pub const fn as_raw(&self) -> &raw::seebatch_rules {
        &self.0
    }

    /// The value of a legal move.
    pub fn value(&self, position: &Position, chess_move: Move) -> Result<i16, Error> {
        position.check_legal(chess_move)?;
        Ok(unsafe { self.value_unchecked(position, None, chess_move) })
    }

    /// The same without a check, and with pins at hand if there are any.
    ///
    /// # Safety
    /// The move must be legal in the position, or be so but for its own king in check; it may be the other side's. The
    /// pins must be what [`find_pins`](Self::find_pins) finds under these rules in this position.
    #[inline]
    #[must_use]
    pub unsafe fn value_unchecked(&self, position: &Position, pins: Option<&Pins>, chess_move: Move) -> i16 {
        // Values of exchanges lie between -6000 and 6000, or are ALWAYS.
        unsafe { raw::seebatch_value(&self.0, position.as_raw(), Pins::pointer(pins), chess_move.bits()) as i16 }
    }

    /// Whether the value of a legal move is at least the threshold. Faster than the value.
    pub fn ge(&self, position: &Position, chess_move: Move, threshold: i16) -> Result<bool, Error> {
        position.check_legal(chess_move)?;
        Ok(unsafe { self.ge_unchecked(position, None, chess_move, threshold) })
    }

    /// # Safety
    /// As for [`value_unchecked`](Self::value_unchecked).
    #[inline]
    #[must_use]
    pub unsafe fn ge_unchecked(
        &self,
        position: &Position,
        pins: Option<&Pins>,
        chess_move: Move,
        threshold: i16,
    ) -> bool {
        unsafe {
            raw::seebatch_ge(&self.0, position.as_raw(), Pins::pointer(pins), chess_move.bits(), threshold.into())
        }
    }

    /// Pinned pieces and what pins them, as these rules define them; to be handed in where an engine keeps them.
    #[must_use]
    pub fn find_pins(&self, position: &Position) -> Pins {
        let mut pins = Pins::default();
        unsafe { raw::seebatch_find_pins(&self.0, position.as_raw(), &mut pins.0) };
        pins
    }

    /// The exchange that a legal move begins, capture by capture.
    pub fn explain(&self, position: &Position, chess_move: Move) -> Result<Trace, Error> {
        position.check_legal(chess_move)?;
        Ok(Trace::new(self, position, chess_move))
    }

    /// How many captures that exchange has if no side stops before it has to.
    pub fn exchange_length(&self, position: &Position, chess_move: Move) -> Result<usize, Error> {
        position.check_legal(chess_move)?;
        let length = unsafe { raw::seebatch_exchange_length(&self.0, position.as_raw(), chess_move.bits()) };
        Ok(length as usize)
    }

    /// What a side gets if it has the turn in an exchange on a square.
    ///
    /// # Panics
    /// Where the square is above 63.
    #[must_use]
    pub fn square_value(&self, position: &Position, square: u8, color: Color) -> i16 {
        assert!(square < 64, "squares are 0 to 63");
        unsafe { raw::seebatch_square_value(&self.0, position.as_raw(), square.into(), color as raw::c_int) as i16 }
    }

    /// What hangs: the values of all squares, for White and for Black.
    #[must_use]
    pub fn map(&self, position: &Position) -> [[i16; 64]; 2] {
        let mut map = [[0; 64]; 2];
        unsafe { raw::seebatch_map(&self.0, position.as_raw(), map.as_mut_ptr()) };
        map
    }

    /// Whether each position has a legal capture that reaches the threshold, in the first
    /// [`mask_words`](crate::mask_words) of the words.
    ///
    /// # Panics
    /// Where there are too few words.
    pub fn any_capture<'m>(
        &self,
        positions: &[Position],
        threshold: i16,
        words: &'m mut [u64],
        job: Option<&mut Job>,
    ) -> Result<Mask<'m>, Error> {
        let (first, n) = (positions.as_ptr().cast(), positions.len());
        let mask = Mask::room(words, n);
        run(job, |job| unsafe { raw::seebatch_batch_any_capture(&self.0, first, n, threshold, mask, job) })?;
        Ok(Mask::new(words, n))
    }

    /// The value of `squares[i]` for `colors[i]` in `positions[i]`.
    ///
    /// # Panics
    /// Where the slices differ in length, or a square is above 63.
    pub fn square_values(
        &self,
        positions: &[Position],
        squares: &[u8],
        colors: &[Color],
        values: &mut [i16],
        job: Option<&mut Job>,
    ) -> Result<(), Error> {
        let n = positions.len();
        let lengths = (squares.len(), colors.len(), values.len());
        assert!(lengths == (n, n, n), "{} positions, but {:?} squares, colors and values", n, lengths);
        assert!(squares.iter().all(|&square| square < 64), "squares are 0 to 63");
        let (squares, colors) = (squares.as_ptr(), colors.as_ptr().cast());
        run(job, |job| unsafe {
            raw::seebatch_batch_square_values(
                &self.0,
                positions.as_ptr().cast(),
                n,
                squares,
                colors,
                values.as_mut_ptr(),
                job,
            )
        })
    }

    /// The map of each position.
    ///
    /// # Panics
    /// Where the slices differ in length.
    pub fn maps(
        &self,
        positions: &[Position],
        maps: &mut [[[i16; 64]; 2]],
        job: Option<&mut Job>,
    ) -> Result<(), Error> {
        let n = positions.len();
        assert!(maps.len() == n, "{} positions, but room for {} maps", n, maps.len());
        run(job, |job| unsafe {
            raw::seebatch_batch_maps(&self.0, positions.as_ptr().cast(), n, maps.as_mut_ptr(), job)
        })
    }
}

// Made by scripts/manual: rules
/// The named rule sets, with the values 100, 325, 325, 500, 1000.
impl Rules {
    /// `legal`: The true value: both sides choose among all legal captures.
    pub const LEGAL: Rules = Rules::builder()
        .pins(PinRule::Legal)
        .promotions(Promotions::All)
        .order(CaptureOrder::BestOrder)
        .build_const();
    /// `swap`: The swap algorithm of the literature: least valuable piece first, no pins.
    pub const SWAP: Rules = Rules::builder()
        .build_const();
    /// `promotions`: As `swap`, but the first move promotes, and pawns that capture on the last rank become queens.
    pub const PROMOTIONS: Rules = Rules::builder()
        .promotions(Promotions::All)
        .build_const();
    /// `ethereal`: As `swap`, but the first move promotes: Ethereal, and engines derived from it.
    pub const ETHEREAL: Rules = Rules::builder()
        .promotions(Promotions::First)
        .build_const();
    /// `stockfish`: Stockfish today: pinned pieces do not capture while any pinner stands.
    pub const STOCKFISH: Rules = Rules::builder()
        .pins(PinRule::Any)
        .promotion(FirstPromotion::Zero)
        .en_passant(FirstEnPassant::Zero)
        .build_const();
    /// `stockfish-2016`: Stockfish’s first `see_ge` with pins: they hold while all pinners stand.
    pub const STOCKFISH_2016: Rules = Rules::builder()
        .pins(PinRule::All)
        .build_const();
    /// `stormphrax`: Stormphrax and Viridithas: at first, a pinned piece captures only along its pin.
    pub const STORMPHRAX: Rules = Rules::builder()
        .pins(PinRule::RayOnce)
        .promotions(Promotions::First)
        .en_passant(FirstEnPassant::Standing)
        .build_const();
    /// `pawnocchio`: pawnocchio: as `stormphrax`, also for pieces that shield the enemy king.
    pub const PAWNOCCHIO: Rules = Rules::builder()
        .pins(PinRule::RayOnceBoth)
        .promotions(Promotions::First)
        .en_passant(FirstEnPassant::Standing)
        .build_const();
    /// `plentychess`: PlentyChess: as `pawnocchio`, but until the end of the exchange.
    pub const PLENTYCHESS: Rules = Rules::builder()
        .pins(PinRule::RayEach)
        .promotion(FirstPromotion::Always)
        .en_passant(FirstEnPassant::Always)
        .castling(FirstCastling::Always)
        .build_const();
    /// `reckless`: Reckless: a pinned piece captures only along its pin while any pinner stands.
    pub const RECKLESS: Rules = Rules::builder()
        .pins(PinRule::RayStanding)
        .promotions(Promotions::First)
        .castling(FirstCastling::Always)
        .build_const();
    /// `monty`: Monty: as `legal`, and a double step may be answered en passant.
    pub const MONTY: Rules = Rules::builder()
        .pins(PinRule::Legal)
        .promotions(Promotions::All)
        .order(CaptureOrder::BestOrder)
        .en_passant_replies(EnPassantReplies::Counted)
        .build_const();
}
// Up to here by scripts/manual

impl Default for Rules {
    fn default() -> Rules {
        Rules(unsafe { raw::seebatch_rules_default() })
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Rules field by field; [`build`](Self::build) checks that they go together.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct RulesBuilder(raw::seebatch_rules);

macro_rules! setters {
    ($($field:ident: $type:ty,)*) => {
        impl RulesBuilder {
            $(#[doc = concat!("Sets the field `", stringify!($field), "`.")]
            pub const fn $field(mut self, $field: $type) -> RulesBuilder {
                self.0.$field = $field as u8;
                self
            })*
        }
    };
}

setters! {
    // Made by scripts/manual: setters
    pins: PinRule,
    promotions: Promotions,
    promotion: FirstPromotion,
    en_passant: FirstEnPassant,
    castling: FirstCastling,
    order: CaptureOrder,
    en_passant_replies: EnPassantReplies,
    // Up to here by scripts/manual
}

impl RulesBuilder {
    /// Pawn, knight, bishop, rook, queen, each 0 to 3000.
    pub const fn values(mut self, values: [i16; 5]) -> RulesBuilder {
        self.0.value = values;
        self
    }

    /// The rules.
    ///
    /// # Errors
    /// Where the fields do not go together, or a value is not 0 to 3000.
    pub fn build(self) -> Result<Rules, Error> {
        Rules::from_raw(self.0)
    }

    /// The same for a `const` or `static`: rules that do not go together are an error of the compiler there.
    ///
    /// # Panics
    /// Where [`build`](Self::build) returns an error, if it is called at run time.
    #[must_use]
    pub const fn build_const(self) -> Rules {
        let mut piece = 0;
        while piece < 5 {
            assert!(self.0.value[piece] >= 0 && self.0.value[piece] <= 3000, "piece values are 0 to 3000");
            piece += 1;
        }
        let legal = self.0.pins == PinRule::Legal as u8;
        assert!(
            legal == (self.0.order == CaptureOrder::BestOrder as u8),
            "the pins `Legal` and the order `BestOrder` go together alone"
        );
        assert!(
            legal || self.0.en_passant_replies == EnPassantReplies::Ignored as u8,
            "replies en passant are counted with the pins `Legal` alone"
        );
        assert!(
            !legal || self.0.en_passant != FirstEnPassant::Standing as u8,
            "en passant is not `Standing` with the pins `Legal`"
        );
        Rules(self.0)
    }
}

/// Pinned pieces and what pins them; see [`Rules::find_pins`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Pins(pub raw::seebatch_pins);

impl Pins {
    #[inline]
    pub(crate) fn pointer(pins: Option<&Pins>) -> *const raw::seebatch_pins {
        pins.map_or(core::ptr::null(), |pins| &pins.0)
    }
}

impl Default for Pins {
    fn default() -> Pins {
        Pins(raw::seebatch_pins { blockers: [0; 2], pinners: [0; 2] })
    }
}
