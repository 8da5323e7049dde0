//! `shakmaty`: [`Chess`], and its moves. Variants have other rules, and are no positions here.

use crate::{castling, FromMove, FromPosition, IllegalMove, Parts, ToMove, ToPosition, NO_MOVE};
use seebatch::{Color, Error, Move, Piece, Position};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, CastlingSide, Chess, Position as _, PositionError, Role};

impl ToPosition for Chess {
    fn to_position(&self) -> Result<Position, Error> {
        let (roles, colors) = self.board().clone().into_bitboards();
        let rook = |color, side| self.castles().rook(color, side).map(u8::from);
        let rooks = |color| [CastlingSide::KingSide, CastlingSide::QueenSide].map(|side| rook(color, side));
        Parts {
            by_type: [roles.pawn, roles.knight, roles.bishop, roles.rook, roles.queen, roles.king].map(u64::from),
            by_color: [colors.white, colors.black].map(u64::from),
            side: if self.turn().is_white() { Color::White } else { Color::Black },
            rooks: [shakmaty::Color::White, shakmaty::Color::Black].map(rooks),
            en_passant: self.maybe_ep_square().map(u8::from),
            halfmove_clock: self.halfmoves().try_into().unwrap_or(u16::MAX),
            fullmove_number: self.fullmoves().get().try_into().unwrap_or(u16::MAX),
        }
        .check()
    }
}

impl ToMove for shakmaty::Move {
    fn to_move(&self, position: &Position) -> Move {
        match *self {
            shakmaty::Move::Normal { from, to, promotion, .. } => {
                Move::new(from.into(), to.into(), promotion.map(piece_of))
            }
            shakmaty::Move::EnPassant { from, to } => Move::new(from.into(), to.into(), None),
            shakmaty::Move::Castle { king, rook } => castling(position, king.into(), rook.into()),
            shakmaty::Move::Put { .. } => NO_MOVE,
        }
    }
}

fn piece_of(role: Role) -> Piece {
    match role {
        Role::Pawn => Piece::Pawn,
        Role::Knight => Piece::Knight,
        Role::Bishop => Piece::Bishop,
        Role::Rook => Piece::Rook,
        Role::Queen => Piece::Queen,
        Role::King => Piece::King,
    }
}

impl FromPosition for Chess {
    type Error = PositionError<Chess>;

    fn from_position(position: &Position) -> Result<Chess, PositionError<Chess>> {
        let fen: Fen = position.to_string().parse().expect("a FEN that seebatch wrote");
        let setup = fen.into_setup();
        let mode = CastlingMode::detect(&setup);
        setup.position(mode)
    }
}

impl FromMove<Chess> for shakmaty::Move {
    fn from_move(chess_move: Move, board: &Chess) -> Result<shakmaty::Move, IllegalMove> {
        let found = chess_move.to_string().parse::<UciMove>();
        found.ok().and_then(|found| found.to_move(board).ok()).ok_or(IllegalMove(chess_move))
    }
}
