/*
 * least_value() with NEON: for each type a test and a choice, which are one instruction each. kernel.c includes it.
 */
#ifndef SEEBATCH_NEON_LEAST_VALUE_H
#define SEEBATCH_NEON_LEAST_VALUE_H

#include "lanes/four/line_board.h"

/* Goes from the most valuable type to the least, because a set may hold types that come later, too. What is left is a
 * king, or nobody. */
LANES_INLINE lanes least_value(const struct lane_rules *rules, const struct lane_queries *q, lanes set)
{
    const lanes rooks = lanes_without(q->lines.orthogonal_sliders, q->bishops_queens);
    const lanes bishops = lanes_without(q->lines.diagonal_sliders, q->queens);
    lanes value = value_all(KING_VALUE);
    value = lanes_select(lanes_has_bit(set, q->bishops_queens), rules->value[SEEBATCH_QUEEN], value);
    value = lanes_select(lanes_has_bit(set, rooks), rules->value[SEEBATCH_ROOK], value);
    value = lanes_select(lanes_has_bit(set, bishops), rules->value[SEEBATCH_BISHOP], value);
    value = lanes_select(lanes_has_bit(set, q->knights), rules->value[SEEBATCH_KNIGHT], value);
    return lanes_select(lanes_has_bit(set, q->pawns), rules->value[SEEBATCH_PAWN], value);
}

#endif
