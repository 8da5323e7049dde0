/*
 * The moves of many positions that are to be evaluated, in the form that the library's functions for batches take.
 * Conditions about exchanges, and the statistics of the tool, collect the captures of a batch in it.
 */
#ifndef SEEBATCH_IO_QUERIES_H
#define SEEBATCH_IO_QUERIES_H

#include <stdlib.h>

#include "seebatch.h"

enum { MOST_QUERIED = 512 }; /* positions at a time */

/* Position i has the moves from offsets[i] up to offsets[i + 1]. All zero at first; moves is freed by the owner. */
struct queries {
    size_t offsets[MOST_QUERIED + 1];
    seebatch_move *moves;
    size_t capacity;
};

/* Room for n moves; false if there is no memory. */
static inline bool queries_reserve(struct queries *queries, size_t n)
{
    if (queries->capacity >= n)
        return true;
    seebatch_move *moves = realloc(queries->moves, n * sizeof *moves);
    if (moves == NULL)
        return false;
    queries->moves = moves;
    queries->capacity = n;
    return true;
}

/* The legal captures of n positions, as seebatch_collect_captures() finds them. False if there is no memory. */
static inline bool queries_of_captures(struct queries *queries, const seebatch_position *positions, size_t n,
                                       const bool *in, bool *even, bool *checked)
{
    if (queries->capacity < n * SEEBATCH_MAX_MOVES && !queries_reserve(queries, MOST_QUERIED * SEEBATCH_MAX_MOVES))
        return false;
    seebatch_collect_captures(positions, n, in, queries->offsets, queries->moves, even, checked);
    return true;
}

/* The same as the library takes it. */
static inline seebatch_batch queries_of_batch(const struct queries *queries, const seebatch_position *positions,
                                              size_t n)
{
    const seebatch_batch moves = {
        .positions = positions, .n_positions = n, .offsets = queries->offsets, .moves = queries->moves};
    return moves;
}

#endif
