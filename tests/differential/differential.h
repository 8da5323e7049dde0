/*
 * The differential harness: what its files share. main.c says what the whole is for.
 */
#ifndef SEEBATCH_DIFFERENTIAL_H
#define SEEBATCH_DIFFERENTIAL_H

#include "every_rules.h"
#include "dispatch/kernel.h"

#include <stdio.h>

/* ---- Random numbers: splitmix64, one stream a purpose, so that what one part draws never shifts another's -------- */

struct rng {
    uint64_t state;
};

static inline uint64_t rng_next(struct rng *rng)
{
    uint64_t z = (rng->state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* 0 .. n - 1; n >= 1. */
static inline unsigned rng_below(struct rng *rng, unsigned n) { return (unsigned)(((rng_next(rng) >> 32) * n) >> 32); }

static inline bool rng_one_in(struct rng *rng, unsigned n) { return rng_below(rng, n) == 0; }

/* The stream of a purpose within a seed. */
static inline struct rng rng_for(uint64_t seed, const char *purpose)
{
    struct rng rng = {seed};
    uint64_t hash = rng_next(&rng);
    for (; *purpose; purpose++)
        hash = (hash ^ (unsigned char)*purpose) * 0x100000001B3u;
    rng.state = hash;
    return rng;
}

/* ---- A batch: positions with their moves, as the many-positions functions take them ------------------------------ */

enum { MAX_POSITIONS = 600, MAX_QUERIES = 4096, LANES = 32, MAX_SIZE = 110 };

struct batch {
    size_t n_positions;
    size_t offsets[MAX_POSITIONS + 1]; /* offsets[0] is 0 here; a call may see them raised */
    seebatch_position positions[MAX_POSITIONS];
    seebatch_move moves[MAX_QUERIES];
};

static inline size_t batch_count(const struct batch *batch) { return batch->offsets[batch->n_positions]; }

void batch_clear(struct batch *batch);

/* Opens a further position (batch_add_move() then adds to it); false if there is no room. */
bool batch_add_position(struct batch *batch, const seebatch_position *position);
bool batch_add_move(struct batch *batch, seebatch_move move);

/* Adds a query: to the last position if that is the same, otherwise to a new one. */
bool batch_add_query(struct batch *batch, const seebatch_position *position, seebatch_move move);

/* The position that query k belongs to. */
const seebatch_position *batch_position(const struct batch *batch, size_t k);

/* ---- What is compared -------------------------------------------------------------------------------------------- */

struct implementation {
    const char *name;
    const struct see_kernel *kernel; /* NULL: the oracle */
};

struct tally {
    uint64_t rounds, cases, answers, boards;
    uint64_t passed_over;  /* queries that would take the oracle too long */
    uint64_t by_kernel[8]; /* cases, in the order of seebatch_kernels */
};

/* One comparison: everything but the boards. */
struct context {
    struct implementation subject; /* always a kernel */
    struct implementation against;
    const char *rules_name;
    seebatch_rules rules;
    bool force_lanes;
    bool is_round;       /* that a seed can draw again */
    uint64_t seed;       /* of the round */
    struct tally *tally; /* NULL: do not count */
};

/* The first answer that is wrong. */
struct failure {
    const char *function; /* what was called */
    enum see_path path;
    size_t index, n; /* the query within the call, and the queries of the call */
    size_t n_positions;
    bool has_threshold;
    int threshold, expected, got;
    char what[160]; /* set when it is not an answer that is wrong but memory that was touched */
    bool has_case;
    seebatch_position position; /* as given to the call */
    seebatch_move move;
};

/* compare.c */

/* Allocates the guarded arrays; false if the system refuses them. */
bool compare_init(void);

/* Values by the implementation that the subject is held against. */
void compare_reference(const struct context *context, const struct batch *batch, int16_t *expected);

enum { FORMS_ALL, FORMS_BATCH, FORMS_ONE, FORMS_SOME, FORMS_KERNEL, FORMS_PATHS };

/* Puts the batch through the subject's functions, all or some of them, against the expected values. */
bool compare_forms(const struct context *context, const struct batch *batch, const int16_t *expected, int forms,
                   struct rng *rng, struct failure *failure);

/* check.c: all that is done with a batch; true if every answer was right. */
bool check_batch(const struct context *context, const struct batch *batch, struct failure *failure);

/* Only the two functions of the kernel, on the whole batch, in one of its ways (FORMS_KERNEL) or in each (FORMS_PATHS);
 * or the functions for one position, on pieces of it (FORMS_ONE). */
bool check_batch_lean(const struct context *context, const struct batch *batch, int forms, struct failure *failure);

/* The same as check_batch() under a few seeds: for a batch so small that little is drawn in one (shrink.c). */
bool check_batch_well(const struct context *context, const struct batch *batch, struct failure *failure);

/* pseudo.c: whether the move may be asked for: legal with its owner to move, or pseudo-legal where pins are ignored. */
bool is_allowed(const seebatch_rules *rules, const seebatch_position *position, seebatch_move move);

/* shrink.c: makes a batch that fails smaller while it still fails. Returns the number of trials. */
unsigned shrink(const struct context *context, struct batch *batch, struct failure *failure);

/* report.c */
void report_round_command(const struct context *context, char *text, size_t size);
void report_failure(FILE *file, const struct context *context, const struct batch *batch,
                    const struct failure *failure);
void report_shrunk(FILE *file, const struct context *context, const struct batch *batch, const struct failure *failure);

/* The position with the owner of the move's piece to move, if that is sound. */
seebatch_position with_mover(const seebatch_position *position, seebatch_move move);

#endif
