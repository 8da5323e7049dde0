/*
 * What reading and writing of movetext share: which piece moves, and where it can go.
 */
#ifndef SEEBATCH_BINPACK_MOVES_H
#define SEEBATCH_BINPACK_MOVES_H

#include "binpack.h"
#include "inline_attacks.h"

/* What moves: all bits set of those that are true of it. Not branching on the type costs less than a wrong guess. */
struct mover {
    uint64_t diagonal, straight, stepper; /* its code's bits; a stepper is a pawn, a knight or a king */
};

EACH_PROCESSOR struct mover mover_on(const uint64_t plane[3], int square)
{
    return (struct mover){0 - (plane[0] >> square & 1), 0 - (plane[1] >> square & 1), 0 - (plane[2] >> square & 1)};
}

EACH_PROCESSOR uint64_t is_pawn(struct mover mover) { return mover.stepper & ~(mover.diagonal | mover.straight); }
EACH_PROCESSOR uint64_t is_king(struct mover mover) { return mover.stepper & mover.straight; }

/* Where the piece on a square can go, castling left aside; promotions once each. enemy: what a pawn can capture there,
 * en passant too. */
EACH_PROCESSOR uint64_t targets_of(struct mover mover, int from, int stm, uint64_t own, uint64_t occupied,
                                   uint64_t enemy, bool bits)
{
    const uint64_t pawn = square_bit(from);
    const uint64_t sliders = (attacks_on_diagonals(from, occupied, bits) & mover.diagonal) |
                             (attacks_on_file_and_rank(from, occupied, bits) & mover.straight);
    const uint64_t steppers = (square_sets[from].knight & mover.diagonal) | (square_sets[from].king & mover.straight);
    const bool white = stm == SEEBATCH_WHITE;
    const uint64_t third = white ? SET_RANK_1 << 16 : SET_RANK_1 << 40;
    const uint64_t one = (white ? pawn << 8 : pawn >> 8) & ~occupied;
    const uint64_t two = (white ? (one & third) << 8 : (one & third) >> 8) & ~occupied;
    const uint64_t pawns = (attacks_of_pawns(pawn, stm) & enemy) | one | two;
    return (((sliders & ~mover.stepper) | (steppers & mover.stepper)) & ~own) | (pawns & is_pawn(mover));
}

#endif
