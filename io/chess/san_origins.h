/*
 * The pieces that a move in SAN may mean, before its file or rank of origin is looked at. fast_moves.c and
 * games/pgn_plies.c find the moves of games with it.
 */
#ifndef SEEBATCH_IO_SAN_ORIGINS_H
#define SEEBATCH_IO_SAN_ORIGINS_H

#include "movers.h"

/* Finds the pieces of the mover's kind, of the side to move, that could go to a square, promotions and en passant left
 * aside. */
EACH_PROCESSOR uint64_t san_origins(const uint64_t plane[3], uint64_t own, uint64_t occupied, int stm,
                                    const struct mover *mover, int to, enum means by)
{
    const uint64_t target = square_bb(to);
    const bool white = stm == SEEBATCH_WHITE;
    const uint64_t kind = ~((plane[0] ^ mover->bit[0]) | (plane[1] ^ mover->bit[1]) | (plane[2] ^ mover->bit[2])) & own;
    const uint64_t pieces = sliders(to, occupied, mover->along_diagonals, mover->along_lines, by) |
                            (square_sets[to].knight & mover->as_knight) | (square_sets[to].king & mover->as_king);
    const uint64_t one = white ? target >> 8 : target << 8, free = one & ~occupied;
    const uint64_t two = white ? free >> 8 & SET_RANK_1 << 8 : free << 8 & SET_RANK_1 << 48;
    const uint64_t captures = 0 - (occupied >> to & 1); /* all bits, if it does; no branch, as nobody can guess */
    const uint64_t pawns = (attacks_of_pawn(to, !stm) & captures) | ((one | two) & ~captures);
    return kind & (pieces | (pawns & mover->as_pawn));
}

#endif
