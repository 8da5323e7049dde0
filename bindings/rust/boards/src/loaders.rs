//! Filters in the forms that loaders of training data take, bullet's above all.
//!
//! Each function takes a [`Filter`], whose words are those of `seebatch filter`, and makes a value for one loader. All
//! accept what `seebatch filter` writes of the same file. An entry that is damaged ends the work with a sentence (a
//! panic); whoever wants to count such entries calls [`ToRecord::to_record`] and [`Filter::accepts`].

use seebatch::{Color, Error, Filter, Outcome, Position, Record};

/// What a loader gives to its filter, which can become a [`Record`].
pub trait ToRecord {
    /// The record, with move, score, result and ply where the entry has them. The position is checked.
    fn to_record(&self) -> Result<Record, Error>;
}

/// For bullet's `SfBinpackLoader`.
///
/// ```
/// use seebatch::{Filter, Rules};
/// let filter = Filter::new(&Rules::named("stockfish")?).drop("in-check")?.drop("capture=0..")?.drop("ply=..15")?;
/// let filter = seebatch_boards::loaders::sfbinpack(filter);
/// // SfBinpackLoader::new("data/test80.binpack", 1024, 4, filter)
/// # use sfbinpack::{chess::{coords::Square, position::Position, r#move::Move}, TrainingDataEntry};
/// # let pos = Position::from_fen("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1").unwrap();
/// # let entry = |to| TrainingDataEntry { pos, mv: Move::normal(Square::new(4), Square::new(to)), score: 0, ply: 40, result: 0 };
/// # assert!(!filter(&entry(36)) && filter(&entry(28)));
/// # Ok::<(), seebatch::Error>(())
/// ```
#[cfg(feature = "sfbinpack")]
pub use crate::sfbinpack::filter as sfbinpack;

/// For bullet's `MontyBinpackLoader`, with a version of montyformat that its own does not have yet.
#[cfg(feature = "montyformat")]
pub use crate::montyformat::filter as montyformat;

/// For bullet's `MontyBinpackLoader`.
///
/// ```
/// let quiet = seebatch::filter("quiet", &seebatch::Rules::named("monty")?)?;
/// let filter = seebatch_boards::loaders::montyformat_0_9(quiet);
/// // MontyBinpackLoader::new("data/monty.binpack", 1024, 4, filter)
/// # use montyformat_0_9::chess::{Castling, Move, Position};
/// # let board = Position::parse_fen("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", &mut Castling::default());
/// # assert!(!filter(&board, Move::new(4, 28, 0), 30, 0.5));
/// # Ok::<(), seebatch::Error>(())
/// ```
#[cfg(feature = "montyformat-0-9")]
pub use crate::montyformat_0_9::filter as montyformat_0_9;

/// As [`viriformat_2`], with a version of viriformat that bullet's own loader does not have yet.
#[cfg(feature = "viriformat")]
pub use crate::viriformat::filter as viriformat;

/// For bullet's `ViriFilter::Custom`, a function pointer, which captures nothing: the filter is kept for as long as the
/// program runs.
///
/// ```
/// let quiet = seebatch::filter("quiet", &seebatch::Rules::named("stormphrax")?)?;
/// let filter = seebatch_boards::loaders::viriformat_2(quiet);
/// // ViriBinpackLoader::new("data/games.vf", 1024, 4, ViriFilter::Custom(filter))
/// # use viriformat_2::chess::{board::Board, chessmove::Move, types::Square};
/// # let mut board = Board::new();
/// # board.set_from_fen("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1").unwrap();
/// # assert!(!filter(&board, Move::new(Square::E1, Square::E4), 30, 0.5));
/// # Ok::<(), seebatch::Error>(())
/// ```
///
/// # Panics
/// At the seventeenth call in a program.
#[cfg(feature = "viriformat-2")]
pub use crate::viriformat_2::filter as viriformat_2;

/// For bullet's `DirectSequentialDataLoader`, which has no filter: [`ChunkFilter::of`] goes between the loader and what
/// takes its chunks. The README of this crate has the code.
#[cfg(feature = "bulletformat")]
pub use crate::bulletformat::{filter as bulletformat, ChunkFilter};

/// What a loader's closure says of an entry.
#[track_caller]
pub(crate) fn accepts(filter: &Filter, entry: &impl ToRecord) -> bool {
    checked(entry.to_record().and_then(|record| filter.accepts(&record)))
}

#[track_caller]
pub(crate) fn checked<T>(result: Result<T, Error>) -> T {
    result.unwrap_or_else(|error| panic!("a damaged entry in the training data: {}", error))
}

/// A record without its move. Score and result are White's; the ply is that of the number of the move.
pub(crate) fn of_game(position: Position, score: i16, result: f32) -> Record {
    let moves = u32::from(position.fullmove_number()).saturating_sub(1);
    let mut record = Record::new(position);
    record.score = Some(score.into());
    record.outcome = Some(Outcome::of_sign((2.0 * result).round() as i32 - 1));
    record.ply = Some(2 * moves + u32::from(position.side_to_move() == Color::Black));
    record
}
