/*
 * Collects queries in chunks. Kernels do not need to know where one position ends and the next begins, so the moves of
 * many positions are expanded about a thousand at a time, each with the index of its position. see_next_chunk() makes a
 * chunk; lanes_batch_answers() in paths.h, lengths_in_lanes() in kernel_lengths.h and the scalar kernel call it.
 * While a chunk is evaluated, the memory that the next one needs is prefetched.
 */
#ifndef SEEBATCH_CHUNKS_H
#define SEEBATCH_CHUNKS_H

#include "dispatch/kernel.h"

#include <string.h>

enum {
    SEE_CHUNK = 1024,          /* queries */
    SEE_CHUNK_POSITIONS = 256, /* positions, so that a byte can name one */
    SEE_PREFETCH_AHEAD = 400,  /* positions ahead of one that is expanded by itself are prefetched */
    SEE_LINE = 64,             /* bytes of a line of the cache */
    SEE_CHUNK_PAD = 64         /* more of each, for lanes that the last ones leave empty */
};

/* The addresses of what the next chunk will read and write. Kernels prefetch it little by little while they evaluate
 * this chunk, because a core can wait for about twenty cache lines at a time and not for all of them. */
struct see_upcoming {
    uintptr_t positions, offsets, moves;
    uintptr_t values; /* or thresholds; the evaluation knows where */
    size_t step;      /* bytes of positions for each four queries */
};

struct see_chunk {
    /* The number of queries, which is a multiple of 64 in all chunks but the last, so that they fill whole words of a
     * bit mask. */
    size_t n;
    size_t n_positions;
    size_t first;              /* the number of the first query, as the offsets count */
    const seebatch_move *move; /* readable up to the next multiple of SEE_CHUNK_PAD */
    uint8_t index[SEE_CHUNK + SEE_CHUNK_PAD] __attribute__((aligned(64)));  /* the position of each query */
    const seebatch_position *position[SEE_CHUNK_POSITIONS + SEE_CHUNK_PAD]; /* those that have queries here */
    uint16_t start[SEE_CHUNK_POSITIONS + 1];       /* the first query of each, and where the last one ends */
    seebatch_move copy[SEE_CHUNK + SEE_CHUNK_PAD]; /* holds the moves where those of the caller end too early */
    struct see_upcoming upcoming;
};

/* Where the next chunk begins: at query k of position i, both 0 at first. */
struct see_cursor {
    size_t i, k;
};

static inline const seebatch_position *see_position_of(const struct see_chunk *chunk, size_t query)
{
    return chunk->position[chunk->index[query]];
}

/* A chunk that is being expanded: the next position and where its queries begin, how many of both the chunk has, and
 * the query of the first. */
struct see_expansion {
    size_t i, n, n_positions, base;
};

/* Expands eight positions at once and returns true if none of them has more than eight queries; otherwise it returns
 * false. The caller makes sure that there is room. A kernel without this function passes NULL. */
typedef bool see_expand_eight(const seebatch_batch *batch, struct see_chunk *chunk, struct see_expansion *at);

/* WebAssembly has no prefetch, and compilers would keep the loops, empty. */
#ifdef __wasm__
enum { SEE_PREFETCHES = 0 };
#else
enum { SEE_PREFETCHES = 1 };
#endif

/* Prefetches a position into the second-level cache, because the first-level cache holds those of the chunk. After the
 * last position that does no harm. */
static inline void see_prefetch_position(const seebatch_batch *batch, size_t i)
{
    __builtin_prefetch((const void *)((uintptr_t)batch->positions + i * sizeof *batch->positions), 0, 2);
}

/* Expands one position. Returns false if the chunk is full with only a part of the position's queries. */
static inline bool see_expand_one(const seebatch_batch *batch, struct see_chunk *chunk, struct see_expansion *at)
{
    const size_t n = at->n, stop = batch->offsets[at->i + 1] - at->base;
    chunk->position[at->n_positions] = &batch->positions[at->i];
    chunk->start[at->n_positions] = (uint16_t)n;
    see_prefetch_position(batch, at->i + SEE_PREFETCH_AHEAD);
    /* This writes 64 indices, whatever their number, so that a processor has to guess only whether a position has more,
     * which is rare. */
    memset(chunk->index + n, (int)at->n_positions, 64);
    if (__builtin_expect(stop > n + 64 || stop > SEE_CHUNK, 0)) {
        const size_t last = stop < SEE_CHUNK ? stop : (size_t)SEE_CHUNK;
        for (size_t j = n + 64; j < last; j += 64)
            memset(chunk->index + j, (int)at->n_positions, 64);
        if (last < stop) { /* the rest of its moves is for the next chunk */
            at->n = last;
            at->n_positions++;
            return false;
        }
    }
    at->n_positions += stop != n;
    at->n = stop;
    at->i++;
    return true;
}

/* What follows a chunk of n queries that begins with query `first`, and whose positions are those before i. */
static inline struct see_upcoming see_upcoming_of(const seebatch_batch *batch, size_t first, size_t n,
                                                  size_t n_positions, size_t i)
{
    struct see_upcoming upcoming;
    upcoming.positions = (uintptr_t)&batch->positions[i];
    upcoming.offsets = (uintptr_t)&batch->offsets[i];
    upcoming.moves = upcoming.values = (uintptr_t)&batch->moves[first + n];
    upcoming.step = n ? n_positions * sizeof *batch->positions * 4 / n : 0;
    return upcoming;
}

/* The loop counts lines: gcc and clang then know how often it runs, and unroll it. */
static inline void see_prefetch_bytes(uintptr_t from, size_t n)
{
    for (size_t lines = (n + SEE_LINE - 1) / SEE_LINE; lines > 0; lines--, from += SEE_LINE)
        __builtin_prefetch((const void *)from);
}

/* Prefetches the positions of queries k to k + n - 1 of the next chunk, n being 4 or 8, and every 32 queries for what
 * else those need. A caller that goes by positions of many moves gives the multiple of 32 below. Most often half a line
 * a query holds the positions; that many lines are prefetched without counting them. After the end of the caller's data
 * all that does no harm. */
static inline void see_prefetch_upcoming(const struct see_upcoming *upcoming, size_t k, size_t n)
{
    if (!SEE_PREFETCHES)
        return;
    const uintptr_t at = k / 4 * upcoming->step;
    see_prefetch_bytes(upcoming->positions + at, n / 2 * SEE_LINE);
    if (__builtin_expect(upcoming->step > 2 * SEE_LINE, 0))
        see_prefetch_bytes(upcoming->positions + at + n / 2 * SEE_LINE, n / 4 * (upcoming->step - 2 * SEE_LINE));
    if (k % 32 == 0) {
        __builtin_prefetch((const void *)(upcoming->moves + k * sizeof(seebatch_move)));
        __builtin_prefetch((const void *)(upcoming->values + k * sizeof(int16_t)));
        see_prefetch_bytes(upcoming->offsets + at * sizeof(size_t) / sizeof(seebatch_position), 3 * SEE_LINE);
    }
}

/* Expands the next eight positions: all at once if that is possible, otherwise one after another. Returns false at the
 * end of the batch, and when the chunk is full. */
static inline __attribute__((always_inline)) bool see_expand_next(const seebatch_batch *batch, struct see_chunk *chunk,
                                                                  struct see_expansion *at,
                                                                  see_expand_eight *expand_eight)
{
    const size_t end = batch->n_positions;
    if (expand_eight && at->i + 8 <= end && at->n + 8 * 8 <= SEE_CHUNK && at->n_positions + 8 <= SEE_CHUNK_POSITIONS &&
        expand_eight(batch, chunk, at))
        return true;
    for (int count = 0; count < 8; count++)
        if (at->i >= end || at->n + 8 > SEE_CHUNK || at->n_positions >= SEE_CHUNK_POSITIONS ||
            !see_expand_one(batch, chunk, at))
            return false;
    return true;
}

/* Writes after the last query and the last position as many copies of them as lanes may read. */
static inline void see_pad_chunk(struct see_chunk *chunk)
{
    const size_t n = chunk->n, n_positions = chunk->n_positions;
    if (n % SEE_CHUNK_PAD) {
        memcpy(chunk->copy, chunk->move, n * sizeof *chunk->copy);
        for (size_t j = n; j < n + SEE_CHUNK_PAD; j++)
            chunk->copy[j] = chunk->move[n - 1];
        chunk->move = chunk->copy;
    }
    memset(chunk->index + n, (int)(n_positions - 1), SEE_CHUNK_PAD);
    for (size_t j = n_positions; j < n_positions + SEE_CHUNK_PAD; j++)
        chunk->position[j] = chunk->position[n_positions - 1];
}

/* Expands the next chunk and pads it. Returns false at the end. It is inline, so that expand_eight() is inlined, too,
 * and its counts stay in registers. */
static inline __attribute__((always_inline)) bool see_next_chunk(const seebatch_batch *batch, struct see_cursor *cursor,
                                                                 struct see_chunk *chunk,
                                                                 see_expand_eight *expand_eight)
{
    const size_t first = batch->offsets[0] + cursor->k;
    struct see_expansion at = {cursor->i, 0, 0, first};
    while (see_expand_next(batch, chunk, &at, expand_eight))
        ;
    size_t i = at.i, n = at.n, n_positions = at.n_positions;
    if (i < batch->n_positions && n % 64) { /* what is beyond a multiple of 64 is for the next chunk */
        n -= n % 64;
        i = (size_t)(see_position_of(chunk, n) - batch->positions);
        n_positions = chunk->index[n - 1] + 1u;
    }
    chunk->upcoming = see_upcoming_of(batch, first, n, i - cursor->i, i);
    cursor->i = i;
    cursor->k += n;
    chunk->n = n;
    chunk->n_positions = n_positions;
    chunk->start[n_positions] = (uint16_t)n;
    chunk->first = first;
    chunk->move = batch->moves + first;
    if (n > 0)
        see_pad_chunk(chunk);
    return n > 0;
}

#endif
