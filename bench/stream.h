/*
 * Batches of all sizes, streaming from memory: whether a SEE costs the same in a thousand positions as in ten million,
 * and what several threads give.
 *
 * The positions are the workload's, one after the other and then again from the first (but for some at the end, see
 * stream.c), with their captures, laid out in memory as often as it takes. They are laid out when the first benchmark
 * that needs them is about to run, and only so many: who does not select these benchmarks does not pay for them.
 */
#ifndef SEEBATCH_BENCH_STREAM_H
#define SEEBATCH_BENCH_STREAM_H

#include "workload.h"

struct stream {
    char name[64];           /* SHAPE/value/KERNEL */
    size_t n_positions;      /* of a pass: 100,000 at least, so that no answer is learnt by heart */
    size_t positions_a_call; /* a divisor of it, or the last call has fewer */
    unsigned threads;        /* 0: the function without threads */
    const char *kernel;
    const struct workload *workload;
    bool checked;
};

struct stream_list {
    struct stream *streams;
    size_t n;
};

/* All of them, for every kernel that this machine can run. workload must stay until streams_free(). */
void streams_make(struct stream_list *list, const struct workload *workload);
void streams_free(struct stream_list *list);

/* For gbench_shim.h, with a struct stream as argument. Before a stream is timed for the first time all its answers are
 * compared with the scalar kernel's; if one differs the program ends with status 1, after a report. */
const char *stream_prepare(const void *stream);
size_t stream_run(const void *stream);
size_t stream_bytes(const void *stream); /* what a pass reads and writes: positions, offsets, moves, values */

/* Checks the answers of those that fit in about 100 MB of memory; returns how many answers there were. */
size_t streams_check(const struct stream_list *list);

#endif
