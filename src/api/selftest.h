/*
 * The self-test from within: its batches (selftest_boards.c), and a run with kernels other than the library's, with
 * which a test shows that it finds broken kernels.
 */
#ifndef SEEBATCH_SELFTEST_H
#define SEEBATCH_SELFTEST_H

#include "dispatch/kernel.h"

/* Random numbers (splitmix64). */
struct see_rng {
    uint64_t state;
};

static inline uint64_t see_random(struct see_rng *rng)
{
    uint64_t z = (rng->state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* Returns a number from 0 to n - 1, for n >= 1. */
static inline unsigned see_random_below(struct see_rng *rng, unsigned n)
{
    return (unsigned)((see_random(rng) >> 32) * n >> 32);
}

/* A batch: positions with their moves, as the many-positions functions take them. */
enum { SEE_TEST_POSITIONS = 96, SEE_TEST_QUERIES = 768, SEE_TEST_SMALL = 130 };

struct see_test_batch {
    size_t n_positions;
    size_t offsets[SEE_TEST_POSITIONS + 1];
    seebatch_position positions[SEE_TEST_POSITIONS];
    seebatch_move moves[SEE_TEST_QUERIES];
};

static inline size_t see_test_count(const struct see_test_batch *batch) { return batch->offsets[batch->n_positions]; }

/* Fills a batch with any number of queries up to SEE_TEST_SMALL, and now and then with many more. Positions are sound,
 * and moves are legal for their owner; a list may hold moves of both sides. */
void seebatch_selftest_fill(struct see_test_batch *batch, struct see_rng *rng);

/* Does what seebatch_selftest() does for a table of kernels like seebatch_kernels. */
seebatch_status seebatch_selftest_of(const struct see_kernel *kernels, uint64_t seed, uint64_t cases,
                                     seebatch_selftest_report *report, seebatch_error *error);

#endif
