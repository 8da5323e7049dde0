/*
 * The moves of a batch that are to be evaluated: what the library's calls for many positions take.
 */
#ifndef SEEBATCH_TOOL_REQUESTS_H
#define SEEBATCH_TOOL_REQUESTS_H

#include "pipeline.h"

/* Position i has the moves from offsets[i] up to offsets[i + 1]. All zero at first; one a thread. */
struct requests {
    size_t offsets[BATCH_SIZE + 1];
    seebatch_move *moves;
    size_t capacity;
};

/* Room for n moves. */
static inline void requests_reserve(struct requests *requests, size_t n)
{
    if (requests->capacity >= n)
        return;
    requests->capacity = n + n / 2;
    requests->moves = reallocate(requests->moves, requests->capacity, sizeof *requests->moves);
}

/* The legal captures of the batch's positions; of those alone that are in, unless in is NULL. Returns how many. */
static inline size_t requests_of_captures(struct requests *requests, const struct batch *batch, const bool *in)
{
    size_t n = 0;
    for (size_t i = 0; i < batch->n; i++) {
        requests->offsets[i] = n;
        requests_reserve(requests, n + SEEBATCH_MAX_MOVES);
        if (in == NULL || in[i])
            n += seebatch_legal_captures(&batch->positions[i], requests->moves + n);
    }
    requests->offsets[batch->n] = n;
    return n;
}

/* The same as the library takes it. */
static inline seebatch_batch requests_of_batch(const struct requests *requests, const struct batch *batch)
{
    const seebatch_batch moves = {batch->positions, batch->n, requests->offsets, requests->moves, NULL};
    return moves;
}

#endif
