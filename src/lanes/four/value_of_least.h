/*
 * The value of the least valuable of a set alone, for instruction sets that do not find it in a cheaper way than with
 * the pieces.
 */
#ifndef SEEBATCH_LANES_FOUR_VALUE_OF_LEAST_H
#define SEEBATCH_LANES_FOUR_VALUE_OF_LEAST_H

#include "line_board.h"

LANES_INLINE lanes least_value(const struct lane_rules *rules, const struct lane_queries *q, lanes set)
{
    return least_valuable(rules, q, set).value;
}

#endif
