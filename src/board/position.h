/*
 * What FEN, validation and move generation share: who attacks a square, and how pieces are put on and taken off the
 * planes of a position.
 */
#ifndef SEEBATCH_POSITION_H
#define SEEBATCH_POSITION_H

#include "attacks.h"
#include "seebatch.h"

enum { SEE_KINGSIDE = 0, SEE_QUEENSIDE = 1 };

/* The first rank of a side. */
static inline uint64_t first_rank(int color) { return color == SEEBATCH_WHITE ? RANK_1 : RANK_8; }

static inline uint64_t pieces_of(const seebatch_position *position, int color, int type)
{
    return seebatch_pieces_of_type(position, type) & seebatch_pieces_of_color(position, color);
}

/* The king's square, which a sound position has. */
static inline int king_square(const seebatch_position *position, int color)
{
    return lowest_square(pieces_of(position, color, SEEBATCH_KING));
}

/* What a piece other than a pawn attacks from a square when `occupied` are the occupied squares. */
static inline uint64_t piece_attacks(int type, int square, uint64_t occupied)
{
    switch (type) {
    case SEEBATCH_KNIGHT: return knight_attacks(square);
    case SEEBATCH_BISHOP: return bishop_attacks(square, occupied);
    case SEEBATCH_ROOK: return rook_attacks(square, occupied);
    case SEEBATCH_QUEEN: return bishop_attacks(square, occupied) | rook_attacks(square, occupied);
    case SEEBATCH_KING: return king_attacks(square);
    default: return 0;
    }
}

/* The pieces of a colour that attack a square when `occupied` are the occupied squares. */
static inline uint64_t attackers_of_color(const seebatch_position *position, int square, int color, uint64_t occupied)
{
    uint64_t queens = seebatch_pieces_of_type(position, SEEBATCH_QUEEN);
    uint64_t diagonal = queens | seebatch_pieces_of_type(position, SEEBATCH_BISHOP);
    uint64_t straight = queens | seebatch_pieces_of_type(position, SEEBATCH_ROOK);
    uint64_t attackers = (pawn_attacks(!color, square) & seebatch_pieces_of_type(position, SEEBATCH_PAWN)) |
                         (knight_attacks(square) & seebatch_pieces_of_type(position, SEEBATCH_KNIGHT)) |
                         (king_attacks(square) & seebatch_pieces_of_type(position, SEEBATCH_KING)) |
                         (bishop_attacks(square, occupied) & diagonal) | (rook_attacks(square, occupied) & straight);
    return attackers & seebatch_pieces_of_color(position, color) & occupied;
}

static inline void remove_piece(seebatch_position *position, int square)
{
    uint64_t keep = ~square_bb(square);
    position->plane[0] &= keep;
    position->plane[1] &= keep;
    position->plane[2] &= keep;
    position->white &= keep;
}

/* Puts a piece on an empty square. */
static inline void put_piece(seebatch_position *position, int square, int type, int color)
{
    seebatch_put_piece(position, square, type, color);
}

/* Where king and rook land when they castle. */
static inline int castled_king_square(int color, int side)
{
    return (color == SEEBATCH_WHITE ? 0 : 56) + (side == SEE_KINGSIDE ? 6 : 2);
}
static inline int castled_rook_square(int color, int side)
{
    return (color == SEEBATCH_WHITE ? 0 : 56) + (side == SEE_KINGSIDE ? 5 : 3);
}

/* Whether a right to castle is that of ordinary chess: king on e1 or e8, rook in the corner, not written as a file. */
static inline bool castles_as_usual(const seebatch_position *position, int king, int side)
{
    int rook = position->castling_rook[position->stm][side];
    return !position->shredder && (king & 7) == 4 && (rook & 7) == (side == SEE_KINGSIDE ? 7 : 0);
}

/* Whether a move of a sound position is legal, found without looking at other moves. It is never true for an illegal
 * move, but it is also false for castling and captures en passant. */
bool seebatch_plainly_legal(const seebatch_position *position, seebatch_move move);

/* Whether the side to move may castle on a side; then *move is that move. */
bool seebatch_can_castle(const seebatch_position *position, int side, seebatch_move *move);

/* The side on which a king's move castles, in either form of writing, or -1 if it does not castle. The move is legal.
 */
static inline int castling_side(const seebatch_position *position, int king, int to)
{
    for (int side = SEE_KINGSIDE; side <= SEE_QUEENSIDE; side++) {
        int rook = position->castling_rook[position->stm][side];
        bool two_files = (king & 7) == 4 && to == castled_king_square(position->stm, side);
        if (rook != SEEBATCH_NO_SQUARE && (to == rook || two_files))
            return side;
    }
    return -1;
}

#endif
