//! Positions of games, random ones, Chess960's, and published perft positions: each crate reads them from FEN, and what
//! comes of its boards and its legal moves is what seebatch reads and makes itself.
#![allow(dead_code, unused_imports, unused_macros)]

use seebatch::{Color, Move, Piece, Position};
use seebatch_boards::{FromMove, FromPosition, ToMove, ToPosition};
use std::fs::read_to_string;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/data");

fn fens(files: &[&str]) -> Vec<String> {
    let mut fens = Vec::new();
    for file in files {
        let text = read_to_string(format!("{}/{}", DATA, file)).expect("a file of the project");
        let lines = text.lines().map(|line| line.split(';').next().unwrap_or(line).trim().to_string());
        fens.extend(lines.filter(|line| !line.is_empty()));
    }
    assert!(fens.len() > 20);
    fens
}

fn standard() -> Vec<String> {
    fens(&["games.fen", "random.fen", "perft/known.epd", "perft/standard.epd"])
}

fn chess960() -> Vec<String> {
    fens(&["perft/chess960.epd"])
}

/// A board's position is the FEN's. Some crates forget an en passant square where nothing can capture.
#[track_caller]
fn same(fen: &str, found: Position) {
    let expected = Position::from_fen(fen).unwrap().with_shredder(false);
    let expected = match found.en_passant() {
        None => expected.with_en_passant(None).unwrap(),
        Some(_) => expected,
    };
    assert_eq!(found, expected, "{}", fen);
    assert_eq!(found.legal_moves().len(), Position::from_fen(fen).unwrap().legal_moves().len(), "{}", fen);
}

/// Its legal moves are seebatch's.
#[track_caller]
fn same_moves(fen: &str, position: &Position, mut found: Vec<Move>) {
    let mut expected = position.legal_moves().to_vec();
    found.sort();
    expected.sort();
    assert_eq!(found, expected, "{}", fen);
}

#[cfg(feature = "shakmaty")]
#[test]
fn boards_of_shakmaty() {
    use shakmaty::{fen::Fen, CastlingMode, Chess, Position as _};
    let mut read = 0;
    for fen in standard().iter().chain(&chess960()) {
        let setup = fen.parse::<Fen>().unwrap().into_setup();
        let mode = CastlingMode::detect(&setup);
        let Ok(board) = setup.position::<Chess>(mode) else {
            // It refuses checks that no game can have; and en passant squares behind no pawn.
            continue;
        };
        read += 1;
        let position = board.to_position().unwrap();
        same(fen, position);
        let moves = board.legal_moves();
        same_moves(fen, &position, moves.iter().map(|m| m.to_move(&position)).collect());
        assert_eq!(Chess::from_position(&position).unwrap().to_position().unwrap(), position, "{}", fen);
        for m in moves {
            assert_eq!(shakmaty::Move::from_move(m.to_move(&position), &board), Ok(m), "{}", fen);
        }
        let refused = shakmaty::Move::from_move(Move::new(0, 0, None), &board).unwrap_err();
        assert_eq!(refused.to_string(), "the move a1a1 is not legal on this board");
    }
    assert!(read > 4000, "{}", read);
}

#[cfg(feature = "cozy-chess")]
#[test]
fn boards_of_cozy_chess() {
    use cozy_chess::Board;
    let mut read = 0;
    let all = [(false, standard()), (true, chess960())];
    for (shredder, fens) in all {
        for fen in &fens {
            let Ok(board) = Board::from_fen(fen, shredder) else { continue };
            read += 1;
            let position = board.to_position().unwrap();
            same(fen, position);
            let mut moves = Vec::new();
            board.generate_moves(|set| {
                moves.extend(set);
                false
            });
            same_moves(fen, &position, moves.iter().map(|m| m.to_move(&position)).collect());
            assert_eq!(Board::from_position(&position).unwrap(), board, "{}", fen);
            for m in moves {
                assert_eq!(cozy_chess::Move::from_move(m.to_move(&position), &board), Ok(m), "{}", fen);
            }
            assert_eq!(cozy_chess::Move::from_move(Move::new(0, 0, None), &board), Err(seebatch_boards::IllegalMove(Move::new(0, 0, None))));
        }
    }
    assert!(read > 4000, "{}", read);
}

#[cfg(feature = "viriformat")]
#[test]
fn boards_of_viriformat() {
    use viriformat::chess::board::Board;
    let mut read = 0;
    for (other, fens) in [(false, standard()), (true, chess960())] {
        for fen in &fens {
            let mut board = Board::new();
            if board.set_from_fen(fen, other).is_err() {
                continue;
            }
            read += 1;
            let position = board.to_position().unwrap();
            same(fen, position);
            same_moves(fen, &position, board.legal_moves().iter().map(|m| m.to_move(&position)).collect());
        }
    }
    assert!(read > 4000, "{}", read);
}

#[cfg(feature = "montyformat")]
#[test]
fn boards_of_montyformat() {
    use montyformat::chess::{Castling, Position as Board};
    for (other, fens) in [(false, standard()), (true, chess960())] {
        for fen in fens.iter().filter(|fen| fen.split(' ').count() == 6) {
            let mut castling = Castling::default();
            let board = Board::parse_fen(fen, &mut castling);
            let position = (&board, &castling).to_position().unwrap();
            same(fen, position);
            if !other {
                same(fen, board.to_position().unwrap());
            }
            let mut moves = Vec::new();
            board.map_legal_moves(&castling, |m| moves.push(m.to_move(&position)));
            same_moves(fen, &position, moves);
        }
    }
}

#[cfg(feature = "bulletformat")]
#[test]
fn boards_of_bulletformat() {
    use bulletformat::ChessBoard;
    for fen in standard() {
        let board: ChessBoard = format!("{} | 0 | 0.5", fen).parse().unwrap();
        let found = board.to_position().unwrap();
        let expected = Position::from_fen(&fen).unwrap();
        let flipped = expected.side_to_move() == Color::Black;
        for square in 0..64 {
            let seen = expected.piece_on(if flipped { square ^ 56 } else { square });
            let seen = seen.map(|(color, piece)| (if flipped { Color::new(1 - color as u8) } else { color }, piece));
            assert_eq!(found.piece_on(square), seen, "{}", fen);
        }
        assert_eq!((found.side_to_move(), found.en_passant()), (Color::White, None));
        // What captures win does not depend on the colours.
        assert_eq!(found.in_check(), expected.in_check(), "{}", fen);
    }
    let mut board: ChessBoard = format!("{} | 0 | 0.5", Position::default()).parse().unwrap();
    board.pcs[0] |= 7; // a piece of no type
    assert!(board.to_position().unwrap_err().message().contains("a1"));
    board.occ = u64::MAX; // more than there is room for
    assert!(board.to_position().is_err());
}

#[cfg(feature = "sfbinpack")]
#[test]
fn boards_of_sfbinpack() {
    use sfbinpack::chess::castling_rights::CastleType;
    use sfbinpack::chess::{color, coords::Square, piece, piecetype::PieceType, position::Position as Board, r#move};
    for fen in standard() {
        let board = Board::from_fen(&fen).unwrap();
        let position = board.to_position().unwrap();
        same(&fen, position);
        let side = board.side_to_move();
        let square = |square: u8| Square::new(square.into());
        for &m in position.legal_moves().iter() {
            let (from, to) = (square(m.from()), square(m.to()));
            let king = position.piece_on(m.from()).unwrap().1 == Piece::King;
            let theirs = match m.promotion() {
                Some(promotion) => {
                    let kind = PieceType::from_ordinal(promotion as u8);
                    r#move::Move::promotion(from, to, piece::Piece::new(kind, side))
                }
                None if king && m.from() + 2 == m.to() => r#move::Move::from_castle(CastleType::Short, side),
                None if king && m.from() == m.to() + 2 => r#move::Move::from_castle(CastleType::Long, side),
                None => r#move::Move::normal(from, to),
            };
            assert_eq!(theirs.to_move(&position), m, "{}", fen);
        }
        assert!(!position.is_legal(r#move::Move::null().to_move(&position)));
    }
}

#[cfg(feature = "sfbinpack")]
#[test]
fn entries_of_a_binpack() {
    let file = std::fs::File::open(format!("{}/formats/own.binpack", DATA)).unwrap();
    let mut reader = sfbinpack::CompressedTrainingDataEntryReader::new(file).unwrap();
    let mut entries = 0;
    while reader.has_next() {
        let entry = reader.next();
        let position = entry.to_position().unwrap();
        same(&entry.pos.fen().unwrap(), position);
        assert!(position.is_legal(entry.mv.to_move(&position)), "{}", entry);
        entries += 1;
    }
    assert!(entries > 100, "{}", entries);
}
