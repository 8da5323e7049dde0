/*
 * Finds how many captures there are on a square from the numbers of the pieces that attack it. lengths.h says when these
 * numbers are enough; it and avx512/ray_chunks.h call the functions.
 */
#ifndef SEEBATCH_LANES_CAPTURE_COUNTS_H
#define SEEBATCH_LANES_CAPTURE_COUNTS_H

LANES_INLINE lane_mask at_most_one(lanes set) { return lanes_disjoint(set, lanes_sub(set, lanes_all(1))); }

/* Lets both sides capture in turns, after the first capture: the other side has n recaptures, and the first side has
 * `further` captures. The kings come last; `near` are those that attack the target. */
LANES_INLINE lanes capture_counts_of(lanes enemy, lanes capturers, lanes near)
{
    const lanes n = lanes_count(lanes_and(capturers, enemy)), further = lanes_count(lanes_without(capturers, enemy));
    const lanes turns = value_min(n, further), left = value_sub(n, further);
    const lane_mask no_king = lanes_disjoint(near, enemy), no_first_king = lanes_empty(lanes_without(near, enemy));
    const lane_mask first_is_last = value_less(further, n);
    /* The side that captured last has its king take, unless the king of the other side guards the square. */
    const lane_mask king_takes = mask_without(lanes_empty(left), no_king),
                    first_king_takes = mask_without(lanes_equal(left, lanes_all(1)), no_first_king);
    const lane_mask one_more = mask_or(mask_and(king_takes, no_first_king), mask_and(first_king_takes, no_king));
    const lanes one = lanes_all(1);
    lanes length = value_add(value_add(turns, turns), one);
    length = value_add(length, lanes_select(first_is_last, one, lanes_zero()));
    return value_add(length, lanes_select(one_more, one, lanes_zero()));
}

/* The queries in which each side has at most one king among those that attack the target. */
LANES_INLINE lane_mask one_king_each_of(lanes enemy, lanes near)
{
    return mask_and(at_most_one(lanes_and(near, enemy)), at_most_one(lanes_without(near, enemy)));
}

#endif
