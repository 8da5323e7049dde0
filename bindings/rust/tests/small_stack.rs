//! Threads with small stacks: each call gives the right answer, or the process ends. (tests/unit/test_small_stack.c looks at the
//! memory below the guard page, too.)
#![cfg(all(unix, feature = "alloc"))]

use seebatch::{mask_words, BatchBuf, Position, Rules};
use std::os::unix::process::ExitStatusExt;
use std::process::Command;

const STACK: &str = "SEEBATCH_TEST_STACK";
const FEN: &str = "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -";
/// One whose exchange on d5 takes a long search (tests/data/legal/worst.tsv).
const HARD: &str = "k2q1q2/pp1q1q2/2nqqn2/qqqpQQQQ/1NQQQN2/1Q1Q1Q2/Q2Q2PP/3Q3K w - -";

fn answers() -> (Vec<i16>, Vec<u64>) {
    let positions: Vec<Position> =
        [FEN, HARD].iter().cycle().take(200).map(|fen| Position::from_fen(fen).unwrap()).collect();
    let batch = BatchBuf::legal_captures(&positions, None).unwrap();
    let mut values = vec![0; batch.batch().moves().len()];
    batch.batch().values(&Rules::LEGAL, &mut values, None).unwrap();
    let mut words = vec![0; mask_words(positions.len())];
    Rules::LEGAL.any_capture(&positions, 1, &mut words, None).unwrap();
    (values, words)
}

#[test]
fn small_stacks_end_cleanly() {
    if let Ok(size) = std::env::var(STACK) {
        let expected = answers();
        let thread = std::thread::Builder::new().stack_size(size.parse().unwrap()).spawn(answers).unwrap();
        assert!(thread.join().unwrap() == expected, "a wrong answer on a stack of {} bytes", size);
        return;
    }
    let mut right = 0;
    for kilobytes in (16..=256).step_by(16) {
        let status = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "small_stacks_end_cleanly"])
            .env(STACK, (kilobytes << 10).to_string())
            .output()
            .unwrap()
            .status;
        // Rust's own handler says "has overflowed its stack" and aborts.
        assert!(status.success() || status.signal().is_some(), "{} KiB: {}", kilobytes, status);
        right += status.success() as usize;
    }
    assert!(right > 0, "not even a stack of 256 KiB was enough");
}
