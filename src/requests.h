/*
 * Requests one by one: kernels with lanes do not care where one position ends and the next begins, so the moves of many
 * positions are dealt out in chunks, each with the position that it belongs to.
 */
#ifndef SEEBATCH_REQUESTS_H
#define SEEBATCH_REQUESTS_H

#include "kernel.h"

#include <string.h>

enum {
    SEE_CHUNK = 256,  /* requests: a multiple of 64, so that each chunk but the last fills whole words of a bit mask */
    SEE_CHUNK_PAD = 8 /* more, for lanes that the last requests leave empty */
};

struct see_chunk {
    const seebatch_position *position[SEE_CHUNK + SEE_CHUNK_PAD];
    seebatch_move move[SEE_CHUNK + SEE_CHUNK_PAD];
    size_t n;
};

/* Where the next chunk begins: zero at first, k being the request and i its position. */
struct see_cursor {
    size_t i, k;
};

/* Deals out the next chunk; false at the end. Behind the last request stand SEE_CHUNK_PAD copies of it. */
static inline bool see_next_chunk(const struct see_requests *requests, struct see_cursor *cursor,
                                  struct see_chunk *chunk)
{
    enum { FEW = 4 };
    const size_t *offsets = requests->offsets + 1;
    const size_t first = cursor->k;
    const size_t end = first + SEE_CHUNK;
    size_t i = cursor->i, k = first;
    const seebatch_position **out = chunk->position;
    const size_t base = requests->offsets[0];
    while (i < requests->n_positions && k < end) {
        const seebatch_position *position = &requests->positions[i];
        const size_t stop = offsets[i] - base;
        /* Most positions have few captures: write a few pointers whatever their number, and no branch depends on it. */
        if (stop - k <= FEW && stop <= end) {
            for (size_t j = 0; j < FEW; j++)
                out[j] = position;
        } else {
            const size_t last = stop < end ? stop : end;
            for (size_t j = 0; j < last - k; j++)
                out[j] = position;
            if (last < stop) {
                k = last;
                break;
            }
        }
        out += stop - k;
        k = stop;
        i++;
    }
    const size_t n = k - first;
    cursor->i = i;
    cursor->k = k;
    chunk->n = n;
    if (n == 0)
        return false;
    memcpy(chunk->move, requests->moves + base + first, n * sizeof *chunk->move);
    for (size_t j = n; j < n + SEE_CHUNK_PAD; j++) {
        chunk->position[j] = chunk->position[n - 1];
        chunk->move[j] = chunk->move[n - 1];
    }
    return true;
}

#endif
