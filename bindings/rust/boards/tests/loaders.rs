//! Filters in the forms that loaders take accept what the tool writes, of the same file.
#![cfg(feature = "bullet")]

use seebatch::{Filter, Position, Rules};
use seebatch_boards::loaders;
use std::fs::{read, File};
use std::io::{BufReader, Cursor};
use std::process::Command;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/data/formats");
const RULES: &str = "stockfish";

/// Conditions that part the files; of all, and of those whose records have moves and plies.
const OF_BOARDS: [&str; 5] = [
    "--keep quiet",
    "--drop in-check",
    "--drop any-capture=1..",
    "--keep score=-50..200",
    "--drop abs-score=100.. --drop result=0.5",
];
const OF_MOVES: [&str; 4] = [
    "--drop capture=0..",
    "--keep tactical=..0",
    "--drop capture --drop in-check",
    "--drop ply=..15 --keep pieces=..31",
];

fn filter(options: &str) -> Filter {
    let words: Vec<&str> = options.split(' ').collect();
    words.chunks(2).fold(Filter::new(&Rules::named(RULES).unwrap()), |filter, pair| match pair[0] {
        "--keep" => filter.keep(pair[1]).unwrap(),
        _ => filter.drop(pair[1]).unwrap(),
    })
}

/// Pieces and the side to move: some crates forget an en passant square where nothing can capture.
fn board_of(position: &Position) -> String {
    position.to_string().split(' ').take(2).collect::<Vec<_>>().join(" ")
}

/// The tool's answer. None where there is no tool.
fn tool(file: &str, format: &str, options: &str) -> Option<Vec<String>> {
    let tool = std::env::var("SEEBATCH_TEST_TOOL").ok()?;
    let output = Command::new(tool)
        .args(["filter", "--rules", RULES, "--from", format, "--to", "fen", "--lose", "all", "--quiet"])
        .args(options.split(' '))
        .arg(format!("{}/{}", DATA, file))
        .output()
        .unwrap();
    assert!(output.status.success(), "{} {}: {}", file, options, String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    Some(text.lines().map(|line| board_of(&Position::from_fen(line.split('\t').next().unwrap()).unwrap())).collect())
}

/// Compares them for all conditions; `accepted` says what a filter accepts, in order.
fn compare(file: &str, format: &str, options: &[&str], accepted: impl Fn(Filter) -> Vec<Position>) {
    let mut parted = 0;
    let all = accepted(Filter::new(&Rules::default())).len();
    for &options in options {
        match tool(file, format, options) {
            None => return println!("SKIPPED: SEEBATCH_TEST_TOOL names no tool"),
            Some(expected) => {
                let found: Vec<String> = accepted(filter(options)).iter().map(board_of).collect();
                assert_eq!(found, expected, "{} {}", file, options);
                parted += usize::from(!found.is_empty() && found.len() < all);
            }
        }
    }
    assert!(parted * 2 > options.len(), "{}: only {} conditions part it", file, parted);
}

fn of_games() -> Vec<&'static str> {
    OF_BOARDS.into_iter().chain(OF_MOVES).collect()
}

#[test]
fn entries_of_the_tool_sfbinpack() {
    use seebatch_boards::ToPosition;
    compare("own.binpack", "binpack", &of_games(), |filter| {
        let accepts = loaders::sfbinpack(filter);
        let file = File::open(format!("{}/own.binpack", DATA)).unwrap();
        let mut reader = sfbinpack::CompressedTrainingDataEntryReader::new(file).unwrap();
        let mut kept = Vec::new();
        while reader.has_next() {
            let entry = reader.next();
            if accepts(&entry) {
                kept.push(entry.to_position().unwrap());
            }
        }
        kept
    });
}

/// What bullet's example (examples/simple.rs of cebc78a) asks of an entry is what our documents say in conditions.
#[test]
fn the_filter_of_bullets_example() {
    use sfbinpack::chess::{piecetype::PieceType, r#move::MoveType};
    const CONDITIONS: &str =
        "--drop ply=..15 --drop in-check --drop abs-score=10001.. --drop tactical --drop castling --drop en-passant";
    let accepts = loaders::sfbinpack(filter(CONDITIONS));
    let file = File::open(format!("{}/own.binpack", DATA)).unwrap();
    let mut reader = sfbinpack::CompressedTrainingDataEntryReader::new(file).unwrap();
    let (mut kept, mut all) = (0, 0);
    while reader.has_next() {
        let entry = reader.next();
        let theirs = entry.ply >= 16
            && !entry.pos.is_checked(entry.pos.side_to_move())
            && entry.score.unsigned_abs() <= 10000
            && entry.mv.mtype() == MoveType::Normal
            && entry.pos.piece_at(entry.mv.to()).piece_type() == PieceType::None;
        assert_eq!(accepts(&entry), theirs, "{:?}", entry);
        kept += usize::from(theirs);
        all += 1;
    }
    assert!(kept > all / 10 && kept < all, "{} of {}", kept, all);
}

/// The same for each version of the crate, which have the same interface.
macro_rules! entries_of_viriformat {
    ($version:ident) => {
        use seebatch_boards::ToPosition;
        use $version::dataformat::{Game, WDL};
        compare("own.vf", "viriformat", &of_games(), |filter| {
            let accepts = loaders::$version(filter);
            let mut reader = BufReader::new(File::open(format!("{}/own.vf", DATA)).unwrap());
            let mut kept = Vec::new();
            while let Ok(game) = Game::deserialise_from(&mut reader, Vec::new()) {
                game.filter_pass_count_with_filter_callback(|chess_move, score, board, result, _| {
                    let result = match result {
                        WDL::Win => 1.0,
                        WDL::Draw => 0.5,
                        WDL::Loss => 0.0,
                    };
                    let accepted = accepts(board, chess_move, score as i16, result);
                    if accepted {
                        kept.push(board.to_position().unwrap());
                    }
                    !accepted
                });
            }
            kept
        });
    };
}

#[test]
fn entries_of_the_tool_viriformat_2() {
    entries_of_viriformat!(viriformat_2);
}

#[test]
#[cfg(feature = "viriformat")]
fn entries_of_the_tool_viriformat() {
    entries_of_viriformat!(viriformat);
}

/// The scores of these files are chances, which are not what a loader's filter gets.
#[test]
fn entries_of_the_tool_montyformat() {
    use montyformat_0_9::MontyFormat;
    use seebatch_boards::ToPosition;
    let options: Vec<&str> = of_games().into_iter().filter(|options| !options.contains("score")).collect();
    compare("own.monty", "montyformat", &options, |filter| {
        let accepts = loaders::montyformat_0_9(filter);
        let bytes = read(format!("{}/own.monty", DATA)).unwrap();
        let mut reader = Cursor::new(&bytes);
        let mut kept = Vec::new();
        while let Ok(game) = MontyFormat::deserialise_from(&mut reader) {
            let mut board = game.startpos;
            for data in game.moves {
                if accepts(&board, data.best_move, 0, game.result) {
                    kept.push((&board, &game.castling).to_position().unwrap());
                }
                board.make(data.best_move, &game.castling);
            }
        }
        kept
    });
}

#[test]
fn entries_of_the_tool_bulletformat() {
    use bulletformat::{BulletFormat, ChessBoard};
    use seebatch_boards::ToPosition;
    let bytes = read(format!("{}/own-bullet.bin", DATA)).unwrap();
    assert_eq!(bytes.as_ptr() as usize % 2, 0);
    let boards: Vec<ChessBoard> = bytes
        .chunks_exact(32)
        .map(|record| unsafe { std::ptr::read_unaligned(record.as_ptr().cast::<ChessBoard>()) })
        .collect();
    assert!(boards[0].score().abs() < 32000);
    compare("own-bullet.bin", "bulletformat", &OF_BOARDS, |filter| {
        let mut filter = loaders::bulletformat(filter).unwrap();
        let of_chunks = boards.chunks(300).flat_map(|chunk| filter.of(chunk).to_vec());
        of_chunks.map(|board| board.to_position().unwrap()).collect()
    });
    for options in ["--drop capture", "--keep ply=..10"] {
        assert!(loaders::bulletformat(filter(options)).is_err(), "{}", options);
    }
}

#[test]
fn function_pointers_have_filters_of_their_own() {
    use viriformat_2::chess::{board::Board, chessmove::Move, types::Square};
    let mut start = Board::new();
    start.set_from_fen("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1").unwrap();
    let chess_move = Move::new(Square::E1, Square::E4);
    let (white, black) = (filter("--drop in-check"), filter("--keep quiet"));
    let (white, black) = (loaders::viriformat_2(white), loaders::viriformat_2(black));
    assert!(white(&start, chess_move, 0, 0.5) && !black(&start, chess_move, 0, 0.5));
}

/// A move that cannot be made, as in a damaged file.
#[test]
#[should_panic(expected = "a damaged entry in the training data: the move e1d8 is not legal")]
fn damaged_entries() {
    use sfbinpack::{chess::coords::Square, chess::position::Position, chess::r#move::Move, TrainingDataEntry};
    let pos = Position::from_fen("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1").unwrap();
    let mv = Move::normal(Square::new(4), Square::new(59));
    loaders::sfbinpack(filter("--drop capture=0.."))(&TrainingDataEntry { pos, mv, score: 0, ply: 0, result: 0 });
}
