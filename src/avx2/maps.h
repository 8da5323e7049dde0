/*
 * Maps of whole positions: not for this kernel yet.
 */
#ifndef SEEBATCH_AVX2_MAPS_H
#define SEEBATCH_AVX2_MAPS_H

#include "board.h"

enum { HAVE_MAPS = 0, MAPS_FROM = 1, MAPS_FROM_SINGLE = 1, MAP_MOVES = 64, OPEN_TO_SCALAR = 0 };

struct maps {
    int none;
};
struct map_values {
    int none;
};

LANES_INLINE struct map_values map_values_of(const struct lane_rules *rules)
{
    struct map_values values = {0};
    (void)rules;
    return values;
}

LANES_INLINE struct maps maps_of(const struct lane_rules *rules, const seebatch_position *position, int color,
                                 lanes exposed)
{
    struct maps maps = {0};
    (void)rules, (void)position, (void)color, (void)exposed;
    return maps;
}

LANES_INLINE uint64_t decide_moves(const struct lane_rules *rules, const struct map_values *values,
                                   const struct maps *maps, const seebatch_move *move, size_t n,
                                   const int16_t *threshold, int16_t *value)
{
    (void)rules, (void)values, (void)maps, (void)move, (void)n, (void)threshold, (void)value;
    return 0;
}

LANES_INLINE size_t store_numbers_of_moves(uint16_t *number, size_t k, uint64_t bits)
{
    (void)number, (void)k, (void)bits;
    return 0;
}

#endif
