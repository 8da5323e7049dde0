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

    /* The positions that have requests here, and for each request which of them; for kernels that share work among the
     * moves of a position. */
    const seebatch_position *distinct[SEE_CHUNK + SEE_CHUNK_PAD];
    uint16_t index[SEE_CHUNK + SEE_CHUNK_PAD];
    size_t n_distinct;
};

/* Where the next chunk begins: zero at first, k being the request and i its position. */
struct see_cursor {
    size_t i, k;
};

/* Deals out the next chunk, with distinct and index if grouped; false at the end. Behind the last request stand
 * SEE_CHUNK_PAD copies of it. */
static inline bool see_deal_chunk(const struct see_requests *requests, struct see_cursor *cursor,
                                  struct see_chunk *chunk, bool grouped)
{
    enum { FEW = 4 };
    const size_t *offsets = requests->offsets + 1;
    const size_t first = cursor->k;
    const size_t end = first + SEE_CHUNK;
    size_t i = cursor->i, k = first;
    const seebatch_position **out = chunk->position;
    uint16_t *index = chunk->index;
    size_t n_distinct = 0;
    const size_t base = requests->offsets[0];
    while (i < requests->n_positions && k < end) {
        const seebatch_position *position = &requests->positions[i];
        const size_t stop = offsets[i] - base;
        if (grouped)
            chunk->distinct[n_distinct] = position;
        /* Most positions have few captures: write a few pointers whatever their number, and no branch depends on it. */
        if (stop - k <= FEW && stop <= end) {
            for (size_t j = 0; j < FEW; j++) {
                out[j] = position;
                if (grouped)
                    index[j] = (uint16_t)n_distinct;
            }
        } else {
            const size_t last = stop < end ? stop : end;
            for (size_t j = 0; j < last - k; j++) {
                out[j] = position;
                if (grouped)
                    index[j] = (uint16_t)n_distinct;
            }
            if (last < stop) {
                n_distinct++;
                k = last;
                break;
            }
        }
        n_distinct += stop != k;
        out += stop - k;
        index += stop - k;
        k = stop;
        i++;
    }
    const size_t n = k - first;
    cursor->i = i;
    cursor->k = k;
    chunk->n = n;
    chunk->n_distinct = n_distinct;
    if (n == 0)
        return false;
    memcpy(chunk->move, requests->moves + base + first, n * sizeof *chunk->move);
    for (size_t j = n; j < n + SEE_CHUNK_PAD; j++) {
        chunk->position[j] = chunk->position[n - 1];
        chunk->move[j] = chunk->move[n - 1];
        if (grouped)
            chunk->index[j] = chunk->index[n - 1];
    }
    for (size_t j = n_distinct; grouped && j < n_distinct + SEE_CHUNK_PAD; j++)
        chunk->distinct[j] = chunk->distinct[n_distinct - 1];
    return true;
}

static inline bool see_next_chunk(const struct see_requests *requests, struct see_cursor *cursor,
                                  struct see_chunk *chunk, bool grouped)
{
    return grouped ? see_deal_chunk(requests, cursor, chunk, true) : see_deal_chunk(requests, cursor, chunk, false);
}

#endif
