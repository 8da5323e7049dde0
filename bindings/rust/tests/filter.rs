//! Filters against the tool's: the same words, the same positions.
#![cfg(feature = "conditions")]

use seebatch::{filter, Filter, Kind, Move, Outcome, Position, Record, Rules};
use std::fs::read_to_string;
use std::process::Command;

const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/games.fen");

fn records() -> Vec<Record> {
    let text = read_to_string(GAMES).unwrap();
    text.lines().map(|line| Record::new(Position::from_fen(line).unwrap())).collect()
}

fn tool() -> Option<String> {
    let tool = std::env::var("SEEBATCH_TEST_TOOL").ok();
    if tool.is_none() {
        println!("SKIPPED: SEEBATCH_TEST_TOOL names no tool");
    }
    tool
}

fn fens<'a>(records: impl Iterator<Item = &'a Record>) -> Vec<String> {
    records.map(|record| record.position.to_string()).collect()
}

#[test]
fn positions_of_the_tool() {
    let tool = match tool() {
        Some(tool) => tool,
        None => return,
    };
    let records = records();
    for rules in ["swap", "stockfish", "legal"] {
        for options in
            ["--keep quiet", "--drop in-check --keep any-capture=0..", "--drop any-capture=1..", "--keep phase=..12"]
        {
            let words: Vec<&str> = options.split(' ').collect();
            let mut filter = Filter::new(&Rules::named(rules).unwrap());
            for pair in words.chunks(2) {
                filter = if pair[0] == "--keep" { filter.keep(pair[1]) } else { filter.drop(pair[1]) }.unwrap();
            }
            let output =
                Command::new(&tool).args(["filter", "--rules", rules]).args(&words).arg(GAMES).output().unwrap();
            let expected: Vec<String> = String::from_utf8(output.stdout)
                .unwrap()
                .lines()
                .map(|line| Position::from_fen(line).unwrap().to_string())
                .collect();
            assert!(output.status.success() && !expected.is_empty() && expected.len() < records.len(), "{}", options);
            let each = fens(records.iter().filter(|record| filter.accepts(record).unwrap()));
            assert_eq!(each, expected, "{} {}", rules, options);
            let mut accepted = vec![false; records.len()];
            filter.accept(&records, &mut accepted).unwrap();
            let all = fens(records.iter().zip(&accepted).filter(|(_, &accepted)| accepted).map(|(record, _)| record));
            assert_eq!(all, expected, "{} {}", rules, options);
        }
    }
}

/// The list of conditions is the tool's own, in its order.
#[test]
fn conditions_of_the_tool() {
    let tool = match tool() {
        Some(tool) => tool,
        None => return,
    };
    let output = Command::new(tool).args(["filter", "--help"]).output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let listed = help.split("\nConditions are joined").nth(1).unwrap().split("\n\n").next().unwrap();
    let listed: Vec<&str> = listed
        .lines()
        .skip(1)
        .filter(|line| line.starts_with("  ") && !line.starts_with("   ")) // otherwise a text goes on
        .map(|line| line.split_whitespace().next().unwrap())
        .collect();
    let ours: Vec<String> = Filter::conditions().map(|c| format!("{}{}", c.name, c.argument)).collect();
    assert_eq!(ours, listed);
    assert!(Filter::conditions().all(|condition| condition.details.ends_with('.')));
}

#[test]
fn what_a_record_has() {
    let rules = Rules::named("swap").unwrap();
    let position = Position::from_fen("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 31").unwrap();
    let bare = Record::new(position);
    let moved = |to| {
        let mut record = bare;
        record.chess_move = Some(Move::new(4, to, None));
        record
    };
    let mut full = moved(36);
    full.score = Some(-120);
    full.outcome = Some(Outcome::WhiteWins);
    full.ply = Some(60);
    for word in ["capture", "capture=100", "tactical=..100", "score=-120", "abs-score=120", "result=1.0", "ply=60"] {
        let filter = filter(word, &rules).unwrap();
        assert!(filter.accepts(&full).unwrap(), "{}", word);
        assert!(!filter.accepts(&bare).unwrap(), "{}", word);
        assert!(filter.check_has(&full).is_ok() && filter.check_has(&bare).is_err(), "{}", word);
    }
    for word in ["capture=..99", "promotion", "score=120", "result=0.5", "ply=..59"] {
        assert!(!filter(word, &rules).unwrap().accepts(&full).unwrap(), "{}", word);
    }
    let either = filter("(capture and abs(score) < 100) or (ply >= 60 and not result = 0.5)", &rules).unwrap();
    assert!(either.accepts(&full).unwrap() && !either.accepts(&bare).unwrap() && either.doubt().is_none());
    let value = filter("move-value >= 100", &rules).unwrap();
    assert!(value.accepts(&full).unwrap());
    assert_eq!(value.accepts(&moved(13)).unwrap_err().kind(), Kind::Illegal); // onto no square that the rook reaches
    let filter = filter("capture=0..", &rules).unwrap();
    let wrong = moved(59); // onto the rook, through the pawn
    assert_eq!(filter.accepts(&wrong).unwrap_err().kind(), Kind::Illegal);
    assert_eq!(filter.accept(&[bare, wrong], &mut [false; 2]).unwrap_err().kind(), Kind::Illegal);
    assert!(!filter.accepts(&moved(12)).unwrap());
    let error = filter.check_has(&bare).unwrap_err();
    assert_eq!(error.message(), "a condition is about the move, which these records do not have");
}

#[test]
fn wrong_words() {
    let rules = Rules::default();
    for (word, said) in [
        ("loud", "there is no condition 'loud'; 'seebatch filter --help' lists those that there are\n  loud\n  ^~~~"),
        (
            "quiet or scroe < 100",
            "there is no condition 'scroe'; did you mean 'score'?\n  quiet or scroe < 100\n           ^~~~~",
        ),
        ("quiet=1", "'quiet' takes no range, expected it without '=1'"),
        ("score", "'score' needs a range"),
        ("score=2..1", "'2..1' is not a range"),
        ("quiet\0", "the condition 'quiet\\0' has a NUL"),
    ] {
        let error = filter(word, &rules).unwrap_err();
        assert!(error.message().starts_with(said), "{}", error);
        assert_eq!(error.kind(), Kind::BadCondition);
    }
    let many = (0..64).fold(Filter::new(&rules), |filter, _| filter.drop("in-check").unwrap());
    assert_eq!(many.drop("in-check").unwrap_err().message(), "more than 64 conditions were given");
}

/// Words at random, from names of conditions and pieces of ranges: whatever is accepted answers for one record as for
/// many, and whatever is refused has a sentence.
#[test]
fn words_at_random() {
    let rules = Rules::default();
    let names: Vec<String> = Filter::conditions().map(|condition| condition.name.to_string()).collect();
    let pieces = ["=", "..", "..", "1", "-7", "100", "0.5", "9999999999", " and ", "not ", ",", "\u{265a}", "", "x"];
    let records: Vec<Record> = records().into_iter().take(20).collect();
    let mut seed = 20261128u64;
    let mut random = |n: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % n
    };
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..20_000 {
        let mut word = names[random(names.len())].clone();
        for _ in 0..random(6) {
            word += pieces[random(pieces.len())];
        }
        if random(4) == 0 {
            word += " and ";
            word += &names[random(names.len())];
        }
        match filter(&word, &rules) {
            Ok(filter) => {
                accepted += 1;
                let mut all = vec![false; records.len()];
                filter.accept(&records, &mut all).unwrap();
                let each: Vec<bool> = records.iter().map(|record| filter.accepts(record).unwrap()).collect();
                assert_eq!(each, all, "{}", word);
            }
            Err(error) => {
                refused += 1;
                assert!(error.kind() == Kind::BadCondition && !error.message().is_empty(), "{}", word);
            }
        }
    }
    assert!(accepted > 500 && refused > 5000, "{} accepted, {} refused", accepted, refused);
    let long = "quiet and ".repeat(100_000) + "quiet";
    assert!(!filter(&long, &rules).unwrap_err().message().is_empty());
}

/// A copy that gets a condition more leaves the first as it was, also for another thread.
#[test]
fn copies() {
    let first = filter("quiet", &Rules::default()).unwrap();
    let second = first.clone().drop("pieces=32").unwrap();
    let start = Record::new(Position::default());
    let copy = first.clone();
    assert!(std::thread::spawn(move || copy.accepts(&start).unwrap()).join().unwrap());
    assert!(first.accepts(&start).unwrap() && !second.accepts(&start).unwrap());
    assert_eq!(format!("{:?}", second), r#"[("keep", "quiet"), ("drop", "pieces=32")]"#);
}
