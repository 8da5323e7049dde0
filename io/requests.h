/*
 * The moves of many positions that are to be evaluated: what the library's calls for batches take.
 */
#ifndef SEEBATCH_IO_REQUESTS_H
#define SEEBATCH_IO_REQUESTS_H

#include <stdlib.h>

#include "seebatch.h"

enum { MOST_REQUESTED = 512 }; /* positions at a time */

/* Position i has the moves from offsets[i] up to offsets[i + 1]. All zero at first; moves is freed by the owner. */
struct requests {
    size_t offsets[MOST_REQUESTED + 1];
    seebatch_move *moves;
    size_t capacity;
};

/* Room for n moves; false if there is no memory. */
static inline bool requests_reserve(struct requests *requests, size_t n)
{
    if (requests->capacity >= n)
        return true;
    seebatch_move *moves = realloc(requests->moves, n * sizeof *moves);
    if (moves == NULL)
        return false;
    requests->moves = moves;
    requests->capacity = n;
    return true;
}

/* The legal captures of n positions, as seebatch_collect_captures() finds them. False if there is no memory. */
static inline bool requests_of_captures(struct requests *requests, const seebatch_position *positions, size_t n,
                                        const bool *in, bool *even, bool *checked)
{
    if (requests->capacity < n * SEEBATCH_MAX_MOVES && !requests_reserve(requests, MOST_REQUESTED * SEEBATCH_MAX_MOVES))
        return false;
    seebatch_collect_captures(positions, n, in, requests->offsets, requests->moves, even, checked);
    return true;
}

/* The same as the library takes it. */
static inline seebatch_batch requests_of_batch(const struct requests *requests, const seebatch_position *positions,
                                               size_t n)
{
    const seebatch_batch moves = {positions, n, requests->offsets, requests->moves, NULL};
    return moves;
}

#endif
