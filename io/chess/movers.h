/*
 * A piece that moves, as masks: code that works out what a piece of any type could do, without a branch on the type, which
 * nobody can guess. Used by the readers of moves in SAN and UCI notation, and by the movetext of binpacks.
 */
#ifndef SEEBATCH_IO_MOVERS_H
#define SEEBATCH_IO_MOVERS_H

#include "inline_attacks.h"
#include "squares.h"

/* What moves: all bits set of those that are true of it. Not branching on the type costs less than a wrong guess. */
struct mover {
    uint64_t bit[3]; /* its code's */
    uint64_t along_diagonals, along_lines, as_knight, as_king, as_pawn;
};

/* By piece codes. */
#define MOVER(code, diagonals, lines, knight, king, pawn)                                                              \
    {                                                                                                                  \
        {0 - (uint64_t)((code)&1), 0 - (uint64_t)((code) >> 1 & 1), 0 - (uint64_t)((code) >> 2 & 1)},                  \
            0 - UINT64_C(diagonals), 0 - UINT64_C(lines), 0 - UINT64_C(knight), 0 - UINT64_C(king), 0 - UINT64_C(pawn) \
    }
__attribute__((aligned(64))) static const struct mover movers[8] = {
    MOVER(0, 0, 0, 0, 0, 0), MOVER(1, 1, 0, 0, 0, 0), MOVER(2, 0, 1, 0, 0, 0), MOVER(3, 1, 1, 0, 0, 0),
    MOVER(4, 0, 0, 0, 0, 1), MOVER(5, 0, 0, 1, 0, 0), MOVER(6, 0, 0, 0, 1, 0), MOVER(7, 0, 0, 0, 0, 0)};

EACH_PROCESSOR const struct mover *mover_on(const uint64_t plane[3], int square)
{
    return &movers[(plane[0] >> square & 1) + 2 * (plane[1] >> square & 1) + 4 * (plane[2] >> square & 1)];
}

/* Moves a piece on the planes. `from_to` are its squares, of which the second is the target. */
EACH_PROCESSOR void move_in_planes(uint64_t after[3], const uint64_t plane[3], const struct mover *mover,
                                   uint64_t from_to, uint64_t target)
{
    for (int i = 0; i < 3; i++)
        after[i] = (plane[i] & ~from_to) | (mover->bit[i] & target);
}

/* Finds where the piece on a square can go, castling left aside; promotions count once each. `enemy` is what a pawn can
 * capture there, en passant too. */
EACH_PROCESSOR uint64_t targets_of(const struct mover *mover, int from, int stm, uint64_t own, uint64_t occupied,
                                   uint64_t enemy, enum means by)
{
    const uint64_t pawn = square_bb(from);
    const uint64_t pieces = sliders(from, occupied, mover->along_diagonals, mover->along_lines, by) |
                            (square_sets[from].knight & mover->as_knight) | (square_sets[from].king & mover->as_king);
    const bool white = stm == SEEBATCH_WHITE;
    const uint64_t third = white ? SET_RANK_1 << 16 : SET_RANK_1 << 40;
    const uint64_t one = (white ? pawn << 8 : pawn >> 8) & ~occupied;
    const uint64_t two = (white ? (one & third) << 8 : (one & third) >> 8) & ~occupied;
    const uint64_t pawns = (attacks_of_pawn(from, stm) & enemy) | one | two;
    return (pieces & ~own) | (pawns & mover->as_pawn);
}

#endif
