//! Wrong arguments: each is refused by a sentence or a panic, and none is undefined behaviour. Slices lie between pages
//! that nobody may touch.

use seebatch::{
    kernel, mask_words, Batch, BatchBuf, CaptureOrder, Color, EnPassantReplies, Error, FirstEnPassant, Job, Kind, Mask,
    Move, Node, Piece, PinRule, Position, Rules, Square, MAX_MOVES,
};
use std::panic::{catch_unwind, AssertUnwindSafe};

fn start() -> Position {
    Position::default()
}

#[track_caller]
fn refused<T>(result: Result<T, Error>, kind: Kind, part: &str) {
    match result {
        Ok(_) => panic!("it is not refused: {}", part),
        Err(error) => {
            assert_eq!(error.kind(), kind, "{}", error);
            assert!(error.message().contains(part), "{:?} does not say {:?}", error, part);
        }
    }
}

#[track_caller]
fn panics<T>(part: &str, call: impl FnOnce() -> T) {
    let payload = match catch_unwind(AssertUnwindSafe(call)) {
        Ok(_) => panic!("it does not panic: {}", part),
        Err(payload) => payload,
    };
    let said = payload.downcast_ref::<String>().map(String::as_str).or_else(|| payload.downcast_ref::<&str>().copied());
    assert!(said.map_or(false, |said| said.contains(part)), "{:?} does not say {:?}", said, part);
}

#[test]
fn errors_are_small_where_there_is_an_allocator() {
    assert!(std::mem::size_of::<Result<(), Error>>() <= 2 * std::mem::size_of::<usize>());
}

#[test]
fn positions_are_checked() {
    refused(Position::from_fen("no position"), Kind::Unreadable, "expected");
    refused(Position::from_fen(b"\xff\xfe/8"), Kind::Unreadable, "expected");
    refused(Position::from_fen(""), Kind::Unreadable, "expected");
    let marked = "\u{feff}rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    refused(Position::from_fen(marked), Kind::Unreadable, "a byte order mark (BOM)");
    refused(Position::from_fen("8/8/8/8/8/8/8/8 w - -"), Kind::Unsound, "kings");
    let by_type = [0, 0, 0, 0, 0, 1 << 4 | 1 << 60];
    let by_color = [1 << 4, 1 << 60];
    assert!(Position::from_bitboards(&by_type, &by_color, Color::White).is_ok());
    let twice = [1 << 4, 0, 0, 0, 0, by_type[5]];
    refused(Position::from_bitboards(&twice, &by_color, Color::White), Kind::Unsound, "the square e1 is in two");
    refused(Position::from_bitboards(&by_type, &[1 << 4, 1 << 60 | 1], Color::White), Kind::Unsound, "the square a1");
    refused(Position::from_bitboards(&by_type, &[1 << 4 | 1 << 60, 1 << 60], Color::White), Kind::Unsound, "e8");
    refused(Position::from_bitboards(&by_type, &[1 << 4 | 1 << 60, 0], Color::White), Kind::Unsound, "kings");
    refused(start().with_en_passant(Some(20)), Kind::Unsound, "en passant");
    refused(start().with_en_passant(Some(200)), Kind::Unsound, "en passant");
    refused(start().with_en_passant(Some(64)), Kind::Unsound, "the en passant square is 64, expected 0 to 63");
    refused(start().with_castling([[Some(64), None], [None, None]]), Kind::Unsound, "is 64, expected 0 to 63");
    refused(start().with_castling([[Some(63), None], [None, None]]), Kind::Unsound, "castle");
    for field in 0..4 {
        let mut raw = *start().as_raw();
        match field {
            0 => raw.stm = 2,
            1 => raw.plane[0] |= 1 << 30 | 1,
            2 => raw.white |= 1 << 30,
            _ => raw.reserved = 1,
        }
        refused(Position::from_raw(raw), Kind::Unsound, "expected");
    }
}

#[test]
fn moves_are_checked() {
    let (position, rules) = (start(), Rules::default());
    let wrong = Move::new(0, 63, None);
    let sentence = "the move a1h8 is not legal in rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    refused(rules.value(&position, wrong), Kind::Illegal, sentence);
    refused(rules.ge(&position, wrong, 0), Kind::Illegal, sentence);
    let castles = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
    refused(rules.value(&castles, Move::new(4, 7, None)), Kind::Illegal, "e1h1 is castling written as king takes rook");
    refused(rules.value(&castles, Move::new(4, 7, None)), Kind::Illegal, "with_shredder(true)");
    let castles = castles.with_shredder(true);
    refused(rules.value(&castles, Move::new(4, 6, None)), Kind::Illegal, "with_shredder(false)");
    refused(rules.explain(&position, wrong), Kind::Illegal, sentence);
    refused(position.after(wrong), Kind::Illegal, sentence);
    refused(position.san(wrong), Kind::Illegal, sentence);
    let moves = [Move::new(12, 28, None), wrong];
    refused(Node::new(&position, &moves), Kind::Illegal, "move 1, a1h8 in position 0 (rnbqkbnr/");
    refused(Batch::new(&[position; 2], &[0, 1, 2], &moves), Kind::Illegal, "move 1, a1h8 in position 1 (rnbqkbnr/");
    refused(BatchBuf::new().push(&position, &moves), Kind::Illegal, "move 1, a1h8 in position 0 (rnbqkbnr/");
    refused(position.read_uci("e2e5"), Kind::Illegal, "e2e5");
    refused(position.read_san("Nd2"), Kind::Illegal, "Nd2");
    refused(position.read_move(b"\0\xff"), Kind::Unreadable, "");
    for bits in 0..=u16::MAX {
        let text = Move::from_bits(bits).to_string();
        assert!(text.len() == 4 || text.len() == 5);
        if !position.is_legal(Move::from_bits(bits)) {
            assert!(rules.value(&position, Move::from_bits(bits)).is_err());
        }
    }
    panics("squares are 0 to 63", || Move::new(64, 0, None));
    refused("e9".parse::<Square>(), Kind::Unreadable, "'e9' is not a square, expected a1 to h8");
    refused("e4\0".parse::<Square>(), Kind::Unreadable, "expected a1 to h8");
    refused(Square::try_from(64), Kind::Unreadable, "the square is 64, expected 0 to 63");
    panics("a pawn promotes to", || Move::new(52, 60, Some(Piece::Pawn)));
    panics("a pawn promotes to", || Move::low_to(52, Some(Piece::King)));
    panics("squares are 0 to 63", || position.piece_on(64));
    panics("squares are 0 to 63", || position.attackers(64, Color::White, 0));
    panics("squares are 0 to 63", || rules.square_value(&position, 255, Color::White));
}

#[test]
fn rules_and_kernels_are_checked() {
    refused(Rules::named("chess"), Kind::BadRules, "'chess', expected one of legal, swap");
    refused(Rules::named(""), Kind::BadRules, "expected one of");
    refused(Rules::named("swap,pins=some"), Kind::BadRules, "the field 'pins' of the rules is 'some'");
    let by_fields = Rules::named("swap,promotions=first,en-passant=standing").unwrap();
    assert_eq!(by_fields, Rules::named("ethereal,en-passant=standing").unwrap());
    refused(Rules::named("swap\0"), Kind::BadRules, "swap\\0");
    refused(Rules::named(&"é".repeat(99)), Kind::BadRules, "éé");
    refused(Rules::default().with_values([100, -1, 300, 500, 900]), Kind::BadRules, "knight is -1");
    refused(Rules::builder().pins(PinRule::Legal).build(), Kind::BadRules, "together");
    refused(Rules::builder().en_passant_replies(EnPassantReplies::Counted).build(), Kind::BadRules, "replies");
    let legal = Rules::builder().pins(PinRule::Legal).order(CaptureOrder::BestOrder);
    assert!(legal.build().is_ok());
    refused(legal.en_passant(FirstEnPassant::Standing).build(), Kind::BadRules, "en-passant");
    let mut raw = *Rules::default().as_raw();
    raw.pins = 200;
    refused(Rules::from_raw(raw), Kind::BadRules, "pins");
    refused(kernel::choose("abacus"), Kind::BadKernel, "abacus");
    refused(kernel::choose("a\0"), Kind::BadKernel, "a\\0");
    refused(Rules::named(&"x".repeat(300)), Kind::BadRules, "xxx', expected one of legal, swap");
    refused(Rules::named(&"swap,".repeat(300)), Kind::BadRules, "expected");
    refused(kernel::choose(&"x".repeat(300)), Kind::BadKernel, "expected one of");
}

#[test]
fn lengths_are_checked() {
    let (position, rules) = (start(), Rules::default());
    let list = position.legal_moves();
    let node = list.node();
    let many = vec![list[0]; MAX_MOVES + 1];
    panics("20 moves, but 19 values", || node.values(&rules, &mut [0; 19]));
    panics("a mask of 0 words, expected 1", || node.ge_mask(&rules, 0, &mut []).len());
    panics("20 moves, but 0 thresholds", || node.ge_mask_each(&rules, &[], &mut [0]).len());
    panics("20 moves, but 21 sorted moves", || node.order(&rules, 0, &mut many[..21].to_vec(), &mut [0; 20]));
    panics("705 moves of one position", || {
        let node = Node::new(&position, &many).unwrap();
        node.order(&rules, 0, &mut many.clone(), &mut [0; MAX_MOVES + 1])
    });
    panics("but 19 thresholds", || node.split(&rules, &[0; 19], &mut list.to_vec()));

    let two = [position; 2];
    refused(
        Batch::new(&two, &[0, 20], &list),
        Kind::BadOffsets,
        "there are 2 offsets, expected 3, one more than positions",
    );
    refused(Batch::new(&[], &[], &[]), Kind::BadOffsets, "there are 0 offsets, expected 1");
    refused(
        Batch::new(&two, &[0, 20, 19], &list),
        Kind::BadOffsets,
        "offset 2 is 19, expected at least the one before, 20",
    );
    refused(Batch::new(&two, &[0, 20, 21], &list), Kind::BadOffsets, "offset 2 is 21, expected");
    refused(Batch::new(&two, &[0, 1, usize::MAX], &list), Kind::BadOffsets, "at most the number of moves, 20");
    let offsets = [0, 705];
    let batch = Batch::new(&two[..1], &offsets, &many).unwrap();
    panics("705 moves, but 1 values", || batch.values(&rules, &mut [0], None));
    panics("a mask of 11 words, expected 12", || batch.ge_mask(&rules, 0, &mut [0; 11], None).is_ok());
    panics("705 moves, but 704 thresholds", || batch.ge_mask_each(&rules, &[0; 704], &mut [0; 12], None).is_ok());
    panics("Some(705) moves of one position", || {
        batch.order(&rules, 0, &mut many.clone(), &mut [0; 705], &mut [0], None)
    });
    panics("", || batch.slice(0..2));
    #[allow(clippy::reversed_empty_ranges)]
    panics("", || batch.slice(1..0));
    panics("", || batch.row(1));
    panics("705 moves, but 706 lengths", || batch.lengths(&rules, &mut [0; 706], None));
    panics("a mask of 0 words, expected 1", || rules.any_capture(&two, 0, &mut [], None).is_ok());
    panics("2 positions, but room for 1 maps", || rules.maps(&two, &mut [[[0; 64]; 2]], None));
    panics("2 positions, but (2, 1, 2)", || rules.square_values(&two, &[0; 2], &[Color::White], &mut [0; 2], None));
    panics("squares are 0 to 63", || rules.square_values(&two, &[0, 64], &[Color::White; 2], &mut [0; 2], None));
    panics("", || Mask::new(&[0], 65));
    panics("the bit 3 of a mask of 3 bits", || Mask::new(&[!0], 3).get(3));
    assert_eq!(Mask::new(&[!0], 3).count_ones(), 3);
    assert_eq!(Mask::new(&[!0], 3).ones().count(), 3);
    assert_eq!(Mask::new(&[0, 0], 67).zeros().count(), 67);

    let nothing = Batch::new(&[], &[usize::MAX], &many).unwrap();
    nothing.values(&rules, &mut [], Some(&mut Job::new(4))).unwrap();
    assert!(nothing.ge_mask(&rules, 0, &mut [], None).unwrap().is_empty());
    nothing.order(&rules, 0, &mut [], &mut [], &mut [], None).unwrap();
    Node::new(&position, &[]).unwrap().values(&rules, &mut []);
}

/// Memory that ends at a page which nobody may touch, and begins behind another.
#[cfg(target_os = "linux")]
mod pages {
    use std::ffi::c_void;

    extern "C" {
        fn mmap(at: *mut c_void, length: usize, protection: i32, flags: i32, file: i32, offset: i64) -> *mut c_void;
        fn mprotect(at: *mut c_void, length: usize, protection: i32) -> i32;
    }
    const PAGE: usize = 65536; // the largest of any machine
    const READ_WRITE: i32 = 3;
    const PRIVATE_ANONYMOUS: i32 = 2 | 32;

    /// A copy of a slice at the end of its pages, or at their beginning.
    pub fn guarded<T: Copy>(slice: &[T], at_end: bool) -> &'static mut [T] {
        let size = std::mem::size_of_val(slice);
        let room = (size + PAGE - 1) / PAGE * PAGE;
        unsafe {
            let all = mmap(std::ptr::null_mut(), room + 2 * PAGE, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0);
            assert!(all as isize != -1);
            let inner = all.cast::<u8>().add(PAGE);
            assert_eq!(mprotect(all, PAGE, 0), 0);
            assert_eq!(mprotect(inner.add(room).cast(), PAGE, 0), 0);
            let first: *mut T = inner.add(if at_end { room - size } else { 0 }).cast();
            std::ptr::copy_nonoverlapping(slice.as_ptr(), first, slice.len());
            std::slice::from_raw_parts_mut(first, slice.len())
        }
    }
}

/// Every slice that is read or written, with nothing around it.
#[cfg(target_os = "linux")]
#[test]
fn slices_are_all_that_is_touched() {
    use pages::guarded;
    let fens = include_str!("../../../tests/data/games.fen");
    let boards: Vec<Position> = fens.lines().take(40).map(|line| line.parse().unwrap()).collect();
    for at_end in [true, false] {
        for name in ["swap", "stockfish", "legal", "reckless"] {
            let rules = Rules::named(name).unwrap();
            for n in [0, 1, 2, 7, 8, 9, 31, 40] {
                let mut buffer = BatchBuf::new();
                for board in &boards[..n] {
                    buffer.push_list(&board.legal_moves());
                }
                let whole = buffer.batch();
                let offsets: Vec<usize> = (0..n).map(|i| whole.row(i).start).chain([whole.moves().len()]).collect();
                let (positions, offsets) = (guarded(&boards[..n], at_end), guarded(&offsets, at_end));
                let moves = guarded(whole.moves(), at_end);
                let pins: Vec<_> = positions.iter().map(|position| rules.find_pins(position)).collect();
                let batch = unsafe { Batch::new(positions, offsets, moves).unwrap().with_pins(guarded(&pins, at_end)) };
                touch_batch(&rules, &batch, at_end);
                for (i, position) in positions.iter().enumerate() {
                    let node = Node::new(position, guarded(&moves[batch.row(i)], at_end)).unwrap();
                    touch_node(&rules, &node, at_end);
                }
            }
        }
    }
}

/// Texts: FENs whole and cut off, moves in both notations.
#[cfg(target_os = "linux")]
#[test]
fn texts_are_all_that_is_touched() {
    use pages::guarded;
    for fen in include_str!("../../../tests/data/games.fen").lines().take(8) {
        for at_end in [true, false] {
            let position = Position::from_fen(guarded(fen.as_bytes(), at_end)).unwrap();
            assert_eq!(position, fen.parse().unwrap());
            for cut in 0..fen.len() {
                let _ = Position::from_fen(guarded(&fen.as_bytes()[..cut], at_end));
            }
            for &chess_move in position.legal_moves().iter().take(8) {
                let (uci, san) = (chess_move.to_string(), position.san(chess_move).unwrap());
                assert_eq!(position.read_uci(guarded(uci.as_bytes(), at_end)).unwrap(), chess_move);
                for text in [uci.as_bytes(), san.as_str().as_bytes()] {
                    assert_eq!(position.read_move(guarded(text, at_end)).unwrap(), chess_move);
                }
            }
        }
    }
}

#[cfg(target_os = "linux")]
fn touch_batch(rules: &Rules, batch: &Batch, at_end: bool) {
    use pages::guarded;
    let (n, moves) = (batch.positions().len(), batch.moves().len());
    let values = guarded(&vec![0i16; moves], at_end);
    let thresholds = guarded(&vec![-50i16; moves], at_end);
    let words = guarded(&vec![0u64; mask_words(moves)], at_end);
    batch.values(rules, values, None).unwrap();
    batch.ge_mask(rules, 0, words, Some(&mut Job::new(2))).unwrap();
    batch.ge_mask_each(rules, thresholds, words, None).unwrap();
    batch.lengths(rules, guarded(&vec![0; moves], at_end), None).unwrap();
    rules.any_capture(batch.positions(), 0, guarded(&vec![0; mask_words(n)], at_end), None).unwrap();
    batch.order(rules, 0, guarded(batch.moves(), at_end), values, guarded(&vec![0; n], at_end), None).unwrap();
    rules.maps(batch.positions(), guarded(&vec![[[0; 64]; 2]; n], at_end), None).unwrap();
    let (squares, colors) = (guarded(&vec![28; n], at_end), guarded(&vec![Color::White; n], at_end));
    rules.square_values(batch.positions(), squares, colors, guarded(&vec![0; n], at_end), None).unwrap();
}

#[cfg(target_os = "linux")]
fn touch_node(rules: &Rules, node: &Node, at_end: bool) {
    use pages::guarded;
    let n = node.moves().len();
    let values = guarded(&vec![0i16; n], at_end);
    let thresholds = guarded(&vec![-50i16; n], at_end);
    let words = guarded(&vec![0u64; mask_words(n)], at_end);
    node.values(rules, values);
    node.ge_mask(rules, 0, words);
    node.ge_mask_each(rules, thresholds, words);
    node.order(rules, 0, guarded(node.moves(), at_end), values);
    node.split(rules, thresholds, guarded(node.moves(), at_end));
}

/// Numbers that look random, the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 33) as usize % n
    }
}

/// Whatever is accepted has answers, and all agree; what is refused has a sentence.
fn answers_of(position: &Position, random: &mut Random) {
    let rules = Rules::LEGAL;
    let legal = position.legal_moves();
    let mut values = vec![0; legal.len()];
    legal.node().values(&rules, &mut values);
    for (&chess_move, &value) in legal.iter().zip(&values) {
        assert_eq!(rules.value(position, chess_move).unwrap(), value, "{:?} {}", position, chess_move);
    }
    let _ = rules.map(position);
    for _ in 0..20 {
        let any = Move::from_bits(random.next() as u16);
        let is_legal = legal.contains(&any);
        assert_eq!(position.is_legal(any), is_legal, "{:?} {}", position, any);
        assert_eq!(Node::new(position, &[any]).is_ok(), is_legal, "{:?} {}", position, any);
        assert_eq!(rules.value(position, any).is_ok(), is_legal, "{:?} {}", position, any);
    }
}

/// FENs with bytes that were changed, left out or added.
#[test]
fn damaged_fens() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/games.fen");
    let text = std::fs::read_to_string(file).expect("a clone of seebatch has its test data");
    let (mut random, mut accepted, mut refused) = (Random(20261128), 0, 0);
    for line in text.lines().filter(|line| !line.starts_with('#')).take(300) {
        for _ in 0..10 {
            let mut bytes = line.as_bytes().to_vec();
            for _ in 0..=random.below(3) {
                let at = random.below(bytes.len());
                match random.below(4) {
                    0 => bytes[at] = random.next() as u8,
                    1 => bytes[at] = b"pnbrqkPNBRQK12345678/ wb-KQkq"[random.below(29)],
                    2 => drop(bytes.remove(at)),
                    _ => bytes.insert(at, b"/ 8kK\0\xff"[random.below(7)]),
                }
            }
            match Position::from_fen(&bytes) {
                Ok(position) => {
                    answers_of(&position, &mut random);
                    accepted += 1;
                }
                Err(error) => {
                    assert!(!error.message().is_empty());
                    refused += 1;
                }
            }
        }
    }
    assert!(accepted > 30 && refused > 300, "{} accepted, {} refused", accepted, refused);
}

/// Boards of any bits: few are sound, and the others are refused.
#[test]
fn bitboards_of_any_bits() {
    let (mut random, mut accepted, mut refused) = (Random(7), 0, 0);
    for round in 0..30_000 {
        let (mut by_type, mut by_color) = ([0; 6], [0; 2]);
        for _ in 0..random.below(24) {
            let (square, piece, color) = (random.below(64), random.below(5), random.below(2));
            by_type[piece] |= 1 << square;
            by_color[color] |= 1 << square;
        }
        for color in 0..2 {
            let square = random.below(64);
            by_type[5] |= 1 << square;
            by_color[color] |= 1 << square;
        }
        if round % 8 == 0 {
            by_type[random.below(6)] = random.next();
        }
        let side = if round % 2 == 0 { Color::White } else { Color::Black };
        match Position::from_bitboards(&by_type, &by_color, side) {
            Ok(position) => {
                answers_of(&position, &mut random);
                accepted += 1;
            }
            Err(error) => {
                assert!(!error.message().is_empty());
                refused += 1;
            }
        }
    }
    assert!(accepted > 300 && refused > 3000, "{} accepted, {} refused", accepted, refused);
}
