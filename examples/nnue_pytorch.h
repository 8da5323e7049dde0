/*
 * Which entries of a binpack nnue-pytorch's loader skips, by static exchange evaluation: a predicate on its own
 * TrainingDataEntry, for make_skip_predicate() of its training_data_loader.cpp. docs/data.md says where it goes.
 *
 * Include it behind the loader's chess.h, with seebatch_see.h beside it. C++17 and later. Values and rules are
 * constants: those of Stockfish's see_ge() here.
 */
#pragma once

#include <cstdint>

#include "seebatch_see.h"

namespace seebatch_skip
{

inline constexpr seebatch_see_rules rules = {{100, 325, 325, 500, 1000}, SEEBATCH_SEE_RULES_STOCKFISH};

/* What the loader knows of a position, once for all its moves. */
struct Board {
    std::uint64_t types[6], colors[2];
    seebatch_see_board see;

    explicit Board(const chess::Position &pos)
    {
        const chess::PieceType kinds[6] = {chess::PieceType::Pawn, chess::PieceType::Knight, chess::PieceType::Bishop,
                                           chess::PieceType::Rook, chess::PieceType::Queen,  chess::PieceType::King};
        for (int i = 0; i < 6; i++)
            types[i] = (pos.piecesBB(chess::Piece(kinds[i], chess::Color::White)) |
                        pos.piecesBB(chess::Piece(kinds[i], chess::Color::Black)))
                           .bits();
        colors[0] = pos.piecesBB(chess::Color::White).bits();
        colors[1] = pos.piecesBB(chess::Color::Black).bits();
        see = {types, colors, pos.sideToMove() == chess::Color::White ? 0 : 1, nullptr};
    }
    Board(const Board &) = delete; /* see points to the bitboards */
    Board &operator=(const Board &) = delete;
};

/* Types of pieces have the same numbers there and here. */
inline int type_on(const chess::Position &pos, chess::Square square)
{
    return static_cast<int>(pos.pieceAt(square).type());
}

/* En passant included; castling is king takes rook there, and captures nothing. */
inline bool is_capture(const chess::Position &pos, const chess::Move &move)
{
    return move.type == chess::MoveType::EnPassant ||
           (move.type != chess::MoveType::Castle && pos.pieceAt(move.to) != chess::Piece::none());
}

/* Whether the exchange that a legal move begins is worth at least the threshold. */
inline bool see_ge(const Board &board, const chess::Position &pos, const chess::Move &move, int threshold)
{
    const bool promotes = move.type == chess::MoveType::Promotion;
    const int special = move.type == chess::MoveType::EnPassant ? SEEBATCH_SEE_EN_PASSANT
                        : move.type == chess::MoveType::Castle  ? SEEBATCH_SEE_CASTLING
                                                                : SEEBATCH_SEE_NORMAL;
    const seebatch_see_move asked = {static_cast<int>(ordinal(move.from)),
                                     static_cast<int>(ordinal(move.to)),
                                     type_on(pos, move.from),
                                     type_on(pos, move.to),
                                     promotes ? static_cast<int>(move.promotedPiece.type()) : 0,
                                     special};
    return seebatch_see_ge(&rules, &board.see, nullptr, asked, threshold);
}

/* --drop capture=0..: the entry's move is a capture that loses nothing. */
inline bool is_good_capture(const chess::Position &pos, const chess::Move &move)
{
    return is_capture(pos, move) && see_ge(Board(pos), pos, move, 0);
}

/* --drop any-capture=0..: the side to move has a legal capture that loses nothing. */
inline bool has_good_capture(const chess::Position &pos)
{
    const Board board(pos);
    bool found = false;
    chess::movegen::forEachPseudoLegalMove(pos, [&](const chess::Move &move) {
        found = found || (is_capture(pos, move) && see_ge(board, pos, move, 0) && pos.isPseudoLegalMoveLegal(move));
    });
    return found;
}

} // namespace seebatch_skip
