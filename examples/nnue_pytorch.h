/*
 * Which entries of a binpack nnue-pytorch's loader skips, by static exchange evaluation: a predicate on its own
 * TrainingDataEntry, for make_skip_predicate() of its training_data_loader.cpp. docs/data.md says where it goes.
 *
 * Include it behind the loader's chess.h, with seebatch_see.h beside it. C++17 and later. The rules are constants, those of
 * Stockfish's see_ge(), and so are the values: 100, 325, 325, 500 and 1000, which the tool has, too. So the functions agree
 * with `seebatch filter --rules stockfish`.
 *
 * If seebatch_io.h was included before, there is also a class for any condition of `seebatch filter`. It is linked with
 * seebatch_io and seebatch, or with the two files of `scripts/amalgamate --conditions`, which are compiled as C11.
 */
#pragma once

#include <cstdint>
#include <new>
#include <stdexcept>

#include "seebatch_see.h"

namespace seebatch_skip
{

/* The values of pawn, knight, bishop, rook and queen, then the other members, which the macro names in their order. */
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

#ifdef SEEBATCH_IO_H
/*
 * The entries that `seebatch filter --rules stockfish --keep CONDITION` keeps (docs/conditions.md):
 *
 *     static const seebatch_skip::Conditions wanted("not in-check and not capture >= 0 and ply >= 16");
 *     if (!wanted.keeps(e))
 *         return true;
 *
 * Several threads may use one object.
 */
class Conditions
{
  public:
    /* Throws std::invalid_argument, with the place of the mistake, if the text is no condition. */
    explicit Conditions(const char *condition)
    {
        seebatch_rules rules_of_library;
        seebatch_io_error error = {SEEBATCH_IO_NO_MEMORY, 0, "out of memory"};
        seebatch_rules_named("stockfish", &rules_of_library, nullptr);
        conditions = seebatch_conditions_new(&rules_of_library);
        if (conditions == nullptr || seebatch_conditions_add(conditions, true, condition, &error) != SEEBATCH_IO_OK) {
            seebatch_conditions_free(conditions);
            throw std::invalid_argument(error.text);
        }
    }
    ~Conditions() { seebatch_conditions_free(conditions); }
    Conditions(const Conditions &) = delete;
    Conditions &operator=(const Conditions &) = delete;

    /* An entry's score and result are those of the side to move. The move has to be legal, as in every binpack. */
    template <class Entry> bool keeps(const Entry &entry) const
    {
        const bool black = entry.pos.sideToMove() == chess::Color::Black;
        seebatch_position position = position_of(entry.pos, entry.ply);
        seebatch_move move = move_of(entry.move);
        std::int32_t score = black ? -entry.score : entry.score, ply = entry.ply;
        std::uint8_t result = static_cast<std::uint8_t>((black ? -entry.result : entry.result) + 1);
        seebatch_records records = {};
        bool in = false;
        records.capacity = records.n = 1;
        records.positions = &position;
        records.moves = &move;
        records.scores = &score;
        records.results = &result;
        records.plies = &ply;
        if (seebatch_conditions_test(conditions, &records, &in) != SEEBATCH_IO_OK)
            throw std::bad_alloc();
        return in;
    }

  private:
    static seebatch_position position_of(const chess::Position &pos, int ply)
    {
        const Board board(pos);
        seebatch_position position = seebatch_position_from_bitboards(board.types, board.colors, board.see.stm);
        const unsigned rights = static_cast<unsigned>(pos.castlingRights()),
                       ep = static_cast<unsigned>(ordinal(pos.epSquare()));
        for (unsigned k = 0; k < 4; k++) {
            const unsigned rook = 56 * (k / 2) + (k % 2 == 0 ? 7 : 0);
            if (rights >> k & 1)
                position.castling_rook[k / 2][k % 2] = static_cast<std::uint8_t>(rook);
        }
        if (ep < 64)
            position.ep_square = static_cast<std::uint8_t>(ep);
        position.halfmove_clock = static_cast<std::uint16_t>(pos.rule50Counter());
        position.fullmove_number = static_cast<std::uint16_t>(ply / 2 + 1);
        return position;
    }

    static seebatch_move move_of(const chess::Move &move)
    {
        const int promotes = move.type == chess::MoveType::Promotion ? static_cast<int>(move.promotedPiece.type()) : 0;
        return static_cast<seebatch_move>(ordinal(move.from) | ordinal(move.to) << 6 | promotes << 12);
    }

    seebatch_conditions *conditions;
};
#endif

} // namespace seebatch_skip
