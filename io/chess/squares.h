/*
 * Squares and sets of squares: the few functions on words of 64 bits that readers and writers of formats share. Square
 * a1 is bit 0, h8 is bit 63, as in seebatch_position.
 */
#ifndef SEEBATCH_IO_SQUARES_H
#define SEEBATCH_IO_SQUARES_H

#include "seebatch.h"

enum { KINGSIDE = 0, QUEENSIDE = 1 }; /* as the index of seebatch_position's castling_rook */

static inline uint64_t square_bb(int square) { return UINT64_C(1) << square; }

/* The lowest square of a set that is not empty. */
static inline int lowest_square(uint64_t set) { return __builtin_ctzll(set); }

/* Removes it from the set as well. */
static inline int pop_lsb(uint64_t *set)
{
    const int square = lowest_square(*set);
    *set &= *set - 1;
    return square;
}

static inline int king_square(const seebatch_position *position, int color)
{
    return lowest_square(seebatch_pieces_of_type(position, SEEBATCH_KING) & seebatch_pieces_of_color(position, color));
}

/* Returns the square on which a king lands that castles. */
static inline int castled_king_square(int color, int side)
{
    return (color == SEEBATCH_WHITE ? 0 : 56) + (side == KINGSIDE ? 6 : 2);
}

/* Whether some pawn may capture on the en passant square, if there is one. */
static inline bool can_capture_en_passant(const seebatch_position *position)
{
    const int stm = position->stm, square = position->ep_square;
    if (square == SEEBATCH_NO_SQUARE)
        return false;
    uint64_t pawns = seebatch_attackers(position, square, stm, seebatch_occupied(position)) &
                     seebatch_pieces_of_type(position, SEEBATCH_PAWN);
    while (pawns) {
        const uint64_t gone = square_bb(pop_lsb(&pawns)) | square_bb(square ^ 8);
        const uint64_t after = (seebatch_occupied(position) & ~gone) | square_bb(square);
        if (!seebatch_attackers(position, king_square(position, stm), !stm, after))
            return true;
    }
    return false;
}

#endif
