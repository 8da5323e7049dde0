/*
 * least_value() for instruction sets on which the value of the least valuable piece is not found faster than together
 * with the pieces. avx2/kernel.c and simd128/kernel.c include it; neon/least_value.h has the other way.
 */
#ifndef SEEBATCH_LANES_FOUR_VALUE_OF_LEAST_H
#define SEEBATCH_LANES_FOUR_VALUE_OF_LEAST_H

#include "line_board.h"

LANES_INLINE lanes least_value(const struct lane_rules *rules, const struct lane_queries *q, lanes set)
{
    return least_valuable(rules, q, set).value;
}

#endif
