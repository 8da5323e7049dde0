//! The safe functions with arguments at random: bits, squares, offsets, thresholds and lengths of any kind. Each call gives an
//! answer, an error or a documented panic, and no undefined behaviour, which the run with sanitizers would find. What the
//! answers have in common is compared.
//!
//! SEEBATCH_TEST_CASES is how many cases there are; a case depends on its number alone, and a failure names it.
#![cfg(feature = "alloc")]

use seebatch::{
    mask_words, Batch, BatchBuf, CaptureOrder, Color, EnPassantReplies, FirstCastling, FirstEnPassant, FirstPromotion,
    Job, Mask, Move, Node, PinRule, Position, Promotions, Rules, MAX_MOVES,
};
use std::panic::{catch_unwind, AssertUnwindSafe};

/// Numbers at random (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }
}

/// A board with pieces anywhere, usually with both kings, and rights that may be wrong.
fn position(random: &mut Random) -> Option<Position> {
    let (mut by_type, mut by_color) = ([0; 6], [0; 2]);
    for square in 0..64 {
        if random.below(3) == 0 {
            by_type[random.below(5) as usize] |= 1 << square;
            by_color[random.below(2) as usize] |= 1 << square;
        }
    }
    for color in by_color.iter_mut() {
        let king = 1 << random.below(64);
        by_type.iter_mut().for_each(|set| *set &= !king);
        by_type[5] |= king;
        *color |= king;
    }
    if random.below(4) > 0 {
        by_type[0] &= !(0xff | 0xff << 56);
        let all = by_type.iter().fold(0, |all, set| all | set);
        by_color[1] = all & !by_color[0];
        by_color[0] &= all;
    }
    let color = Color::new(random.below(3) as u8);
    let mut position = Position::from_bitboards(&by_type, &by_color, color).ok()?;
    if random.below(4) == 0 {
        let square = |random: &mut Random| Some(random.below(70) as u8);
        position = position.with_en_passant(square(random)).unwrap_or(position);
        let rooks = [[square(random), square(random)], [None, square(random)]];
        position = position.with_castling(rooks).unwrap_or(position).with_shredder(random.below(2) == 0);
    }
    Some(position.with_clocks(random.next() as u16, random.next() as u16))
}

fn rules(random: &mut Random) -> Rules {
    let pins = [PinRule::Ignored, PinRule::Any, PinRule::All, PinRule::Legal, PinRule::RayOnce, PinRule::RayEach];
    let named: Vec<&str> = Rules::names().collect();
    let built = Rules::builder()
        .values(random.one_of(&[[100, 325, 325, 500, 1000], [0; 5], [3000; 5], [1, -1, 3001, 5, 9]]))
        .pins(random.one_of(&pins))
        .promotions(random.one_of(&[Promotions::None, Promotions::First, Promotions::All]))
        .promotion(random.one_of(&[FirstPromotion::Evaluated, FirstPromotion::Zero, FirstPromotion::Always]))
        .en_passant(random.one_of(&[FirstEnPassant::Evaluated, FirstEnPassant::Standing, FirstEnPassant::Always]))
        .castling(random.one_of(&[FirstCastling::Zero, FirstCastling::Always]))
        .order(random.one_of(&[CaptureOrder::LeastValuableFirst, CaptureOrder::BestOrder]))
        .en_passant_replies(random.one_of(&[EnPassantReplies::Ignored, EnPassantReplies::Counted]))
        .build();
    built.unwrap_or_else(|_| Rules::named(random.one_of(&named)).unwrap())
}

/// Calls that may panic as their documentation says.
fn may_panic<T>(call: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(call)).ok()
}

fn try_moves_of_any_kind(random: &mut Random, position: &Position, rules: &Rules) {
    let moves: Vec<Move> = (0..random.below(40)).map(|_| Move::from_bits(random.next() as u16)).collect();
    for &one in &moves {
        let legal = position.is_legal(one);
        assert_eq!(rules.value(position, one).is_ok(), legal);
        assert_eq!(rules.ge(position, one, random.next() as i16).is_ok(), legal);
        assert_eq!(position.after(one).is_ok() && position.san(one).is_ok(), legal);
        assert_eq!(rules.exchange_length(position, one).is_ok(), legal);
    }
    assert_eq!(Node::new(position, &moves).is_ok(), moves.iter().all(|&one| position.is_legal(one)));
    let offsets: Vec<usize> = (0..random.below(5)).map(|_| random.below(50) as usize).collect();
    let _ = Batch::new(&[*position, *position], &offsets, &moves);
    let bytes: Vec<u8> = (0..random.below(90)).map(|_| random.next() as u8).collect();
    assert!(Position::from_fen(&bytes).is_err());
    let _ = (position.read_uci(&bytes), position.read_san(&bytes), position.read_move(&bytes));
    let _ = Rules::named(&String::from_utf8_lossy(&bytes));
}

fn try_answers(random: &mut Random, position: &Position, rules: &Rules) {
    let list = position.legal_moves();
    let (node, n) = (list.node(), list.len());
    let room = if random.below(4) == 0 { random.below(2 * MAX_MOVES as u64) as usize } else { n };
    let threshold = random.next() as i16 >> random.below(16);
    let mut values = vec![0; room];
    let found = may_panic(|| node.values(rules, &mut values)).is_some();
    assert_eq!(found, room == n);
    let mask = node.ge(rules, threshold);
    let mut words = vec![!0; mask_words(n)];
    assert!(node.ge_mask(rules, threshold, &mut words) == mask.as_mask());
    assert_eq!(mask.iter().filter(|&bit| bit).count(), mask.count_ones());
    assert!(mask.ones().all(|index| mask.get(index)) && mask.zeros().all(|index| !mask.get(index)));
    assert!(may_panic(|| mask.get(n + random.below(100) as usize)).is_none());
    let thresholds: Vec<i16> = (0..room).map(|_| random.next() as i16).collect();
    let _ = may_panic(|| node.ge_mask_each(rules, &thresholds, &mut words).count_ones());
    let mut sorted = vec![Move::NULL; room];
    let _ = may_panic(|| node.order(rules, threshold, &mut sorted, &mut values.clone()));
    let _ = may_panic(|| node.split(rules, &thresholds, &mut sorted));
    let _ = may_panic(|| Mask::new(&words, random.below(1000) as usize).count_ones());
    if found {
        for (i, &one) in list.iter().enumerate() {
            assert_eq!(rules.value(position, one).unwrap(), values[i], "{} in {}", one, position);
            assert_eq!(mask.get(i), values[i] >= threshold, "{} in {}", one, position);
        }
    }
    if let Some(&one) = list.first() {
        let trace = rules.explain(position, one).unwrap();
        assert!(n == 0 || !found || trace.value() == values[0]);
        assert!(!trace.to_string().is_empty());
    }
    let _ = rules.map(position);
    let _ = may_panic(|| rules.square_value(position, random.next() as u8, Color::White));
    let _ = may_panic(|| position.attackers(random.below(80) as u8, Color::Black, random.next()));
}

fn try_batch(random: &mut Random, positions: &[Position], rules: &Rules) {
    let batch = BatchBuf::legal_captures(positions, Some(&mut Job::new(random.below(3) as u32))).unwrap();
    let batch = batch.batch();
    let n = batch.moves().len();
    let mut values = vec![0; n];
    batch.values(rules, &mut values, None).unwrap();
    let mut at = 0;
    for (i, position) in positions.iter().enumerate() {
        for &one in position.legal_captures().iter() {
            assert_eq!(rules.value(position, one).unwrap(), values[at], "{} in {}", one, position);
            at += 1;
        }
        assert_eq!(batch.row(i).end, at);
    }
    let range = random.below(positions.len() as u64 + 2) as usize..random.below(positions.len() as u64 + 2) as usize;
    let _ = may_panic(|| batch.slice(range).moves().len());
    let mut words = vec![0; mask_words(positions.len().max(n))];
    rules.any_capture(positions, 1, &mut words, None).unwrap();
    let _ = may_panic(|| batch.lengths(rules, &mut vec![0; n + random.below(2) as usize], None).is_ok());
}

#[test]
fn safe_functions_at_random() {
    let cases: u64 = std::env::var("SEEBATCH_TEST_CASES").map_or(2000, |text| text.parse().expect("a number of cases"));
    std::panic::set_hook(Box::new(|_| ())); // panics are expected, by the thousand
    let mut boards = Vec::new();
    for case in 0..cases {
        let result = catch_unwind(AssertUnwindSafe(|| {
            let mut random = Random(case);
            let (position, rules) = (position(&mut random), rules(&mut random));
            let mut recent = None;
            if let Some(position) = position {
                try_moves_of_any_kind(&mut random, &position, &rules);
                try_answers(&mut random, &position, &rules);
                recent = Some(position);
            }
            if case % 64 == 63 && !boards.is_empty() {
                try_batch(&mut random, &boards, &rules);
            }
            recent
        }));
        match result {
            Ok(Some(position)) if boards.len() < 50 => boards.push(position),
            Ok(Some(position)) => boards[case as usize % 50] = position,
            Ok(None) => {}
            Err(reason) => {
                let _ = std::panic::take_hook();
                let text = reason.downcast_ref::<String>().cloned().unwrap_or_default();
                panic!("case {}: {}", case, text);
            }
        }
    }
    let _ = std::panic::take_hook();
    assert!(boards.len() >= 20, "only {} boards at random were sound", boards.len());
}
