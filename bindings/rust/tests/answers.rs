//! Answers: those worked out by hand, those of the command-line tool, and those of one call against another.

use seebatch::{kernel, mask_words, Batch, BatchBuf, Error, Job, Kind, Move, Node, Position, Rules, MAX_MOVES};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(data(name)).expect("a clone of seebatch has its test data")
}

/// Positions of games and random ones.
fn positions(each: usize) -> Vec<Position> {
    let both = ["games.fen", "random.fen"].map(text);
    both.iter().flat_map(|file| file.lines().take(each)).map(|line| line.parse().unwrap()).collect()
}

fn every_rules() -> Vec<(&'static str, Rules)> {
    let rules: Vec<_> = Rules::names().map(|name| (name, Rules::named(name).unwrap())).collect();
    assert!(rules.len() >= 6);
    rules
}

/// All legal moves of the positions.
fn all_moves(positions: &[Position]) -> BatchBuf {
    let mut buffer = BatchBuf::new();
    for position in positions {
        buffer.push_list(&position.legal_moves());
    }
    buffer
}

#[test]
fn values_worked_out_by_hand() {
    let mut n = 0;
    let mut above: Vec<(String, String)> = Vec::new(); // which rule sets earlier lines name for an exchange
    let mut bases: Vec<(String, String)> = Vec::new(); // which rule sets have the values of others
    for line in text("cases.tsv").lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        if fields[0] == "as" {
            bases.push((fields[1].to_string(), fields[2].to_string()));
            continue;
        }
        if fields[1].contains(' ') {
            continue; // a square
        }
        let exchange = format!("{} {}", fields[0], fields[1]);
        above.retain(|each| each.0 == exchange);
        let is_new = |name: &str| above.iter().all(|each| each.1 != name);
        let mut names: Vec<&str> = fields[2].split(',').collect();
        if fields[2].contains('=') {
            names = vec![fields[2]]; // rules without a name
        } else if names == ["others"] {
            names = Rules::names().filter(|&name| is_new(name)).collect();
        } else {
            let as_these = bases.iter().filter(|each| names.contains(&each.1.as_str()) && is_new(&each.0));
            let more: Vec<&str> = as_these.map(|each| each.0.as_str()).filter(|name| !names.contains(name)).collect();
            names.extend(more);
        }
        above.extend(names.iter().map(|name| (exchange.clone(), name.to_string())));
        let position: Position = fields[0].parse().unwrap();
        let chess_move = position.read_uci(fields[1]).unwrap();
        let value: i16 = fields[3].parse().unwrap();
        for name in names {
            let rules = Rules::named(name).unwrap();
            assert_eq!(rules.value(&position, chess_move).unwrap(), value, "{} {} {}", name, position, chess_move);
            assert!(rules.ge(&position, chess_move, value).unwrap());
            assert!(value.checked_add(1).map_or(true, |more| !rules.ge(&position, chess_move, more).unwrap()));
            let trace = rules.explain(&position, chess_move).unwrap();
            assert_eq!(trace.value(), value);
            assert_eq!(trace.captures().next().map_or(value.into(), |first| first.best), value.into());
            n += 1;
        }
    }
    assert!(n > 300, "only {} values", n);
}

#[test]
fn values_of_the_tool() {
    let tool = match std::env::var("SEEBATCH_TEST_TOOL") {
        Ok(tool) => tool,
        Err(_) => return println!("SKIPPED: SEEBATCH_TEST_TOOL names no tool"),
    };
    for file in ["games.fen", "random.fen"] {
        for (name, rules) in every_rules() {
            let output = Command::new(&tool)
                .args(["eval", "--rules", name, "--moves", "all", "--kernel", "scalar"])
                .arg(data(file))
                .output()
                .unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let said = String::from_utf8(output.stdout).unwrap();
            let mut expected: HashMap<(&str, &str), i16> = HashMap::new();
            for row in said.lines() {
                let fields: Vec<&str> = row.split('\t').collect();
                expected.insert((fields[0], fields[1]), fields[2].parse().unwrap());
            }
            let lines = text(file);
            let positions: Vec<Position> = lines.lines().map(|line| line.parse().unwrap()).collect();
            let buffer = all_moves(&positions);
            let batch = buffer.batch();
            let mut values = vec![0; batch.moves().len()];
            batch.values(&rules, &mut values, None).unwrap();
            assert_eq!(values.len(), expected.len(), "{} {}", name, file);
            for (i, line) in lines.lines().enumerate() {
                for k in batch.row(i) {
                    let uci = batch.moves()[k].to_string();
                    assert_eq!(expected.get(&(line, uci.as_str())), Some(&values[k]), "{} {} {}", name, line, uci);
                }
            }
        }
    }
}

/// Every call gives the answers of single moves: nodes, batches, slices of batches, threads; each kernel.
#[test]
fn calls_agree() {
    let positions = positions(150);
    let buffer = all_moves(&positions);
    let batch = buffer.batch();
    let n = batch.moves().len();
    for (name, rules) in every_rules() {
        kernel::choose("scalar").unwrap();
        let mut single = Vec::with_capacity(n);
        for (i, position) in positions.iter().enumerate() {
            single.extend(batch.moves()[batch.row(i)].iter().map(|&m| rules.value(position, m).unwrap()));
        }
        for kernel in kernel::all().filter(|kernel| kernel.available) {
            kernel::choose(kernel.name).unwrap();
            let mut values = vec![0; n];
            batch.values(&rules, &mut values, Some(&mut Job::new(3))).unwrap();
            assert_eq!(values, single, "{} {}", name, kernel.name);
            nodes_agree(&rules, &batch, &single);
            batches_agree(&rules, &batch, &single);
        }
        kernel::choose_by_environment().unwrap();
    }
}

fn nodes_agree(rules: &Rules, batch: &Batch, single: &[i16]) {
    let mut words = [!0; mask_words(MAX_MOVES)];
    for (i, position) in batch.positions().iter().enumerate() {
        let moves = &batch.moves()[batch.row(i)];
        let expected = &single[batch.row(i)];
        let node = Node::new(position, moves).unwrap();
        let pins = rules.find_pins(position);
        for node in [node, unsafe { node.with_pins(&pins) }] {
            let mut values = vec![0; moves.len()];
            node.values(rules, &mut values);
            assert_eq!(values, expected);
            let reach: Vec<bool> = expected.iter().map(|&value| value >= -50).collect();
            assert_eq!(node.ge_mask(rules, -50, &mut words).iter().collect::<Vec<_>>(), reach);
            let all = node.ge_mask_each(rules, expected, &mut words);
            assert_eq!((all.count_ones(), all.zeros().count()), (moves.len(), 0));

            let mut sorted = moves.to_vec();
            let good = node.order(rules, 0, &mut sorted, &mut values);
            assert!(values.windows(2).all(|pair| pair[0] >= pair[1]));
            assert_eq!(good, values.iter().filter(|&&value| value >= 0).count());
            let at = |m: &Move| expected[moves.iter().position(|other| other == m).unwrap()];
            assert!(sorted.iter().map(at).eq(values.iter().copied()));

            let mut halves = moves.to_vec();
            assert_eq!(node.split(rules, &vec![-50; moves.len()], &mut halves), reach.iter().filter(|&&r| r).count());
            let mut stable = moves.to_vec();
            stable.sort_by_key(|m| at(m) < -50);
            assert_eq!(halves, stable);
        }
    }
}

fn batches_agree(rules: &Rules, whole: &Batch, single: &[i16]) {
    let from = whole.positions().len() / 3;
    let part = whole.slice(from..whole.positions().len() - 1);
    let rows = whole.row(from).start..whole.row(whole.positions().len() - 2).end;
    let pins: Vec<_> = whole.positions().iter().map(|position| rules.find_pins(position)).collect();
    let pinned = unsafe { whole.with_pins(&pins) }.slice(from..whole.positions().len() - 1);
    for (batch, expected) in [(*whole, single), (part, &single[rows.clone()]), (pinned, &single[rows])] {
        let n = expected.len();
        let mut values = vec![0; n];
        batch.values(rules, &mut values, None).unwrap();
        assert_eq!(values, expected);
        let mut words = vec![!0; mask_words(n) + 1];
        let mask = batch.ge_mask(rules, 0, &mut words, Some(&mut Job::new(2))).unwrap();
        assert!(mask.iter().eq(expected.iter().map(|&value| value >= 0)));
        assert!(mask.ones().eq((0..n).filter(|&k| expected[k] >= 0)));
        assert!(mask.zeros().eq((0..n).filter(|&k| expected[k] < 0)));
        assert_eq!(mask.count_ones(), mask.ones().count());
        let thresholds: Vec<i16> = (0..n).map(|k| expected[k].saturating_add((k % 2) as i16)).collect();
        let mask = batch.ge_mask_each(rules, &thresholds, &mut words, None).unwrap();
        assert!(mask.iter().enumerate().all(|(k, reaches)| reaches == (expected[k] >= thresholds[k])));
        assert_eq!(words[mask_words(n)], !0, "a word behind the mask was written");

        let (mut sorted, mut good) = (batch.moves().to_vec(), vec![0; batch.positions().len()]);
        batch.order(rules, 0, &mut sorted, &mut values, &mut good, Some(&mut Job::new(2))).unwrap();
        for (i, position) in batch.positions().iter().enumerate() {
            let moves = &batch.moves()[batch.row(i)];
            let (mut alone, mut its_values) = (moves.to_vec(), vec![0; moves.len()]);
            let node = Node::new(position, moves).unwrap();
            assert_eq!(node.order(rules, 0, &mut alone, &mut its_values), good[i]);
            assert_eq!((&sorted[batch.row(i)], &values[batch.row(i)]), (&alone[..], &its_values[..]));
        }
    }
}

#[test]
fn captures_and_lengths_agree() {
    let positions = positions(300);
    let moves = BatchBuf::legal_moves(&positions, Some(&mut Job::new(2))).unwrap();
    assert_eq!(moves.batch().moves(), all_moves(&positions).batch().moves());
    let crowded = Position::from_fen("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1").unwrap();
    let many = vec![crowded; 100];
    assert_eq!(BatchBuf::legal_moves(&many, None).unwrap().batch().moves().len(), 100 * crowded.legal_moves().len());
    let captures = BatchBuf::legal_captures(&positions, None).unwrap();
    let batch = captures.batch();
    for (name, rules) in every_rules() {
        let mut words = vec![0; mask_words(positions.len())];
        let any = rules.any_capture(&positions, 1, &mut words, Some(&mut Job::new(2))).unwrap();
        let (mut values, mut lengths) = (vec![0; batch.moves().len()], vec![0; batch.moves().len()]);
        batch.values(&rules, &mut values, None).unwrap();
        batch.lengths(&rules, &mut lengths, Some(&mut Job::new(2))).unwrap();
        for (i, position) in positions.iter().enumerate() {
            assert_eq!(batch.moves()[batch.row(i)], position.legal_captures()[..]);
            assert_eq!(any.get(i), batch.row(i).any(|k| values[k] > 0), "{} {}", name, position);
            for k in batch.row(i) {
                let trace = rules.explain(position, batch.moves()[k]).unwrap();
                assert_eq!(usize::from(lengths[k]), trace.captures().len());
                assert_eq!(rules.exchange_length(position, batch.moves()[k]).unwrap(), trace.captures().len());
                assert!(trace.refusals().all(|refusal| position.piece_on(refusal.from).is_some()));
                assert!(trace.to_string().lines().count() > 8 && trace.to_string().ends_with('\n'));
            }
        }
    }
}

#[test]
fn squares_and_maps_agree() {
    use seebatch::Color::{Black, White};
    let positions = positions(40);
    for (name, rules) in every_rules() {
        let mut maps = vec![[[0; 64]; 2]; positions.len()];
        rules.maps(&positions, &mut maps, Some(&mut Job::new(2))).unwrap();
        for (position, map) in positions.iter().zip(&maps) {
            assert_eq!(rules.map(position), *map, "{} {}", name, position);
        }
        for square in 0..64 {
            for color in [White, Black] {
                let n = positions.len();
                let mut values = vec![0; n];
                rules.square_values(&positions, &vec![square; n], &vec![color; n], &mut values, None).unwrap();
                for i in 0..n {
                    assert_eq!(values[i], maps[i][color as usize][square as usize]);
                    assert_eq!(values[i], rules.square_value(&positions[i], square, color));
                }
            }
        }
    }
}

#[test]
fn jobs_report_and_end() {
    let positions = positions(2000);
    let buffer = all_moves(&positions);
    let (batch, rules) = (buffer.batch(), Rules::named("swap").unwrap());
    let n = batch.moves().len();
    let mut values = vec![0; n];
    let mut seen = Vec::new();
    let mut progress = |done, total| {
        seen.push((done, total));
        true
    };
    let mut job = Job::new(2).with_progress(&mut progress);
    batch.values(&rules, &mut values, Some(&mut job)).unwrap();
    assert_eq!((job.done(), job.threads_used()), (n, 2));
    assert_eq!(seen.last(), Some(&(n, n)));
    assert!(seen.windows(2).all(|pair| pair[0].0 < pair[1].0));

    let mut stop = |_, _| false;
    let mut job = Job::new(1).with_progress(&mut stop);
    let error = batch.values(&rules, &mut values, Some(&mut job)).unwrap_err();
    assert!(job.done() > 0 && job.done() < n);
    let done = job.done();
    assert_eq!(error.kind(), Kind::Cancelled);
    assert_eq!(error.message(), format!("the job's progress function ended the work after {} answers", done));

    let caught = std::panic::catch_unwind(move || {
        let mut fail = |_, _| panic!("in the middle");
        let mut values = vec![0; n];
        let _ = buffer.batch().values(&rules, &mut values, Some(&mut Job::new(2).with_progress(&mut fail)));
    });
    assert_eq!(*caught.unwrap_err().downcast_ref::<&str>().unwrap(), "in the middle");
}

#[test]
fn boards_and_moves() -> Result<(), Error> {
    use seebatch::{Color, Piece};
    const PIECES: [Piece; 6] = [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King];
    for position in positions(1000) {
        let by_type = PIECES.map(|piece| position.pieces_of_type(piece));
        let by_color = [Color::White, Color::Black].map(|color| position.pieces_of_color(color));
        let rooks = [Color::White, Color::Black].map(|color| [false, true].map(|q| position.castling_rook(color, q)));
        let again = Position::from_bitboards(&by_type, &by_color, position.side_to_move())?
            .with_castling(rooks)?
            .with_en_passant(position.en_passant())?
            .with_clocks(position.halfmove_clock(), position.fullmove_number());
        assert_eq!(again, position);
        assert_eq!(Position::from_fen(position.to_string())?, position);
        for square in 0..64 {
            let expected = PIECES.iter().find(|&&piece| position.pieces_of_type(piece) >> square & 1 == 1);
            assert_eq!(position.piece_on(square).map(|(_, piece)| piece), expected.copied());
            if let Some((color, _)) = position.piece_on(square) {
                assert_eq!(position.pieces_of_color(color) >> square & 1, 1);
            }
        }
        let list = position.legal_moves();
        for &chess_move in &list {
            assert_eq!(Move::new(chess_move.from(), chess_move.to(), chess_move.promotion()), chess_move);
            assert_eq!(position.read_uci(chess_move.to_string())?, chess_move);
            assert_eq!(position.read_san(position.san(chess_move)?.as_str())?, chess_move);
            let after = position.after(chess_move)?;
            assert_eq!(Position::from_raw(*after.as_raw())?, after);
        }
        let legal = (0..=u16::MAX).step_by(7).map(Move::from_bits).filter(|&m| position.is_legal(m));
        assert!(legal.into_iter().all(|chess_move| list.contains(&chess_move)));
        for &capture in &position.legal_captures() {
            assert!(list.contains(&capture));
        }
    }
    let promotes = Move::new(12, 60, Some(Piece::Rook));
    assert_eq!(Move::from_stockfish(60 | 12 << 6 | 2 << 12 | 1 << 14), promotes);
    assert_eq!(Move::from_ethereal(12 | 60 << 6 | 3 << 12 | 2 << 14), promotes);
    assert_eq!(
        (Move::low_from(12 | 60 << 6, None), Move::low_to(60 | 12 << 6, None)),
        (Move::new(12, 60, None), Move::new(12, 60, None))
    );
    Ok(())
}

#[test]
fn the_self_test_passes() {
    let test = kernel::selftest(1, 20_000).unwrap();
    assert!(test.cases >= 20_000 && test.answers >= test.cases);
    assert!(kernel::all().any(|kernel| kernel.name == kernel::active() && kernel.available));
}

// ---- What a policy engine takes ---------------------------------------------------------------------------------------

/// Each named rule set is a constant, and the constants are the library's.
#[test]
fn rule_sets_as_constants() {
    let constants = [
        // Made by scripts/manual: rules
        ("legal", Rules::LEGAL),
        ("swap", Rules::SWAP),
        ("promotions", Rules::PROMOTIONS),
        ("ethereal", Rules::ETHEREAL),
        ("stockfish", Rules::STOCKFISH),
        ("stockfish-2016", Rules::STOCKFISH_2016),
        ("stormphrax", Rules::STORMPHRAX),
        ("pawnocchio", Rules::PAWNOCCHIO),
        ("plentychess", Rules::PLENTYCHESS),
        ("reckless", Rules::RECKLESS),
        ("monty", Rules::MONTY),
        // Up to here by scripts/manual
    ];
    assert_eq!(Rules::names().collect::<Vec<_>>(), constants.map(|(name, _)| name));
    for (name, constant) in constants {
        assert_eq!(Rules::named(name).unwrap(), constant, "{}", name);
    }
}

/// A constant is refused exactly where the library refuses the rules.
#[test]
fn constants_are_checked_as_the_library_does() {
    use seebatch::{CaptureOrder, EnPassantReplies, FirstEnPassant, PinRule};
    let (mut refused, mut accepted) = (0, 0);
    for pins in [PinRule::Ignored, PinRule::Any, PinRule::Legal] {
        for order in [CaptureOrder::LeastValuableFirst, CaptureOrder::BestOrder] {
            for replies in [EnPassantReplies::Ignored, EnPassantReplies::Counted] {
                for en_passant in [FirstEnPassant::Evaluated, FirstEnPassant::Standing] {
                    for pawn in [-1, 0, 3000, 3001] {
                        let rules = Rules::builder()
                            .pins(pins)
                            .order(order)
                            .en_passant_replies(replies)
                            .en_passant(en_passant)
                            .values([pawn, 300, 300, 500, 900]);
                        let constant = std::panic::catch_unwind(|| rules.build_const());
                        assert_eq!(rules.build().ok(), constant.ok(), "{:?}", rules);
                        *if rules.build().is_ok() { &mut accepted } else { &mut refused } += 1;
                    }
                }
            }
        }
    }
    assert!(refused > 20 && accepted > 5, "{} {}", refused, accepted);
}

/// e2e4, and e7e8 with each promotion, as each engine packs them.
#[test]
fn layouts_of_engines() {
    use seebatch::{Move, Piece};
    let (e2, e4, e7, e8) = (12, 28, 52, 60);
    let quiet = Move::new(e2 as u8, e4 as u8, None);
    assert_eq!(Move::from_viridithas(e2 | e4 << 6), quiet);
    assert_eq!(Move::from_plentychess(e2 | e4 << 6), quiet);
    assert_eq!(Move::from_reckless(e2 | e4 << 6 | 1 << 12), quiet);
    assert_eq!(Move::from_monty(e2 << 10 | e4 << 4 | 1), quiet);
    assert_eq!(Move::from_stormphrax(e2 << 10 | e4 << 4), quiet);
    assert_eq!(Move::from_jackal(e2 | 1 << 6 | e4 << 10), quiet);
    for (index, piece) in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen].iter().enumerate() {
        let (index, expected) = (index as u16, Move::new(e7 as u8, e8 as u8, Some(*piece)));
        assert_eq!(Move::from_viridithas(e7 | e8 << 6 | index << 12 | 3 << 14), expected);
        assert_eq!(Move::from_plentychess(e7 | e8 << 6 | 1 << 12 | index << 14), expected);
        assert_eq!(Move::from_reckless(e7 | e8 << 6 | (8 | index) << 12), expected);
        assert_eq!(Move::from_monty(e7 << 10 | e8 << 4 | 12 | index), expected);
        assert_eq!(Move::from_stormphrax(e7 << 10 | e8 << 4 | index << 2 | 1), expected);
        assert_eq!(Move::from_jackal(e7 | (12 | index) << 6 | e8 << 10), expected);
    }
    assert_eq!(Move::default(), Move::NULL);
}

/// A buffer that is filled again holds the new moves alone, and a mask of a node can be returned.
#[test]
fn buffer_and_mask() {
    use seebatch::{MoveBuf, Node, NodeMask, Position};
    fn good(rules: &Rules, position: &Position, buffer: &MoveBuf) -> NodeMask {
        Node::new(position, buffer).unwrap().ge(rules, 0)
    }
    let position = Position::from_fen("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1").unwrap();
    let mut buffer: MoveBuf = position.legal_moves().iter().copied().collect();
    assert_eq!(&buffer[..], &position.legal_moves()[..]);
    buffer.fill(position.legal_captures().iter().copied());
    assert_eq!(&buffer[..], &position.legal_captures()[..]);
    let mask = good(&Rules::LEGAL, &position, &buffer);
    assert_eq!((mask.as_mask().len(), mask.as_mask().count_ones()), (3, 0));
    buffer.fill([position.read_uci("c1b1").unwrap(), buffer[0]]);
    let mask = good(&Rules::LEGAL, &position, &buffer);
    assert_eq!(mask.as_mask().iter().collect::<Vec<_>>(), [true, false]);
    assert!(mask.get(0) && !mask.get(1));
    let full = std::panic::catch_unwind(|| MoveBuf::new().extend((0..=seebatch::MAX_MOVES).map(|_| buffer[0])));
    assert!(full.is_err(), "a move too many was taken");
}
