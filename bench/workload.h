/*
 * What the benchmarks evaluate: positions of real games and the moves that the library's generator gives for them.
 *
 * A shape is one way in which a program asks: which queries, and how many in a call. All shapes are made from the same
 * positions, once, before anything is timed; every kernel then gets the same calls.
 */
#ifndef SEEBATCH_BENCH_WORKLOAD_H
#define SEEBATCH_BENCH_WORKLOAD_H

#include "seebatch.h"

/* So many positions that the branch predictor cannot learn their answers. */
enum { MIN_POSITIONS = 32000 };

/* Positions in one call of a bulk shape; the last call may have fewer, but never below a quarter. */
enum { POSITIONS_PER_CALL = 4096 };

/* The hot shape: few positions, and draws from them that do not repeat while a pass lasts. */
enum { HOT_POSITIONS = 256, HOT_DRAWS = 1 << 18 };

/* What one call of the library is for. */
enum call { CALL_BATCH, CALL_POSITION, CALL_QUERY };

struct draw {
    uint16_t position;
    seebatch_move move;
};

struct shape {
    const char *name;
    enum call call;
    size_t n_moves; /* CALL_POSITION only: of each position */
    bool for_turns; /* seebatch_bench leaves it out: it is for comparing paths with each other */
    int16_t threshold; /* of the form ge */
    /* The positions and their moves, as seebatch_batch_values() takes them. */
    size_t n_positions;
    seebatch_position *positions;
    size_t *offsets;
    seebatch_move *moves;
    /* CALL_QUERY only: the order in which single queries are made. */
    size_t n_draws;
    struct draw *draws;
    /* Room while it is built. */
    size_t positions_room, offsets_room, moves_room;
};

enum { N_SHAPES = 16 };

struct workload {
    const char *path;
    size_t n_positions;
    size_t n_shapes;
    struct shape shapes[N_SHAPES];
};

/* Reads positions, one FEN or EPD a line, and makes all shapes; those that stream from memory only if cold is true, for
 * they take several hundred megabytes. On failure writes why to standard error and returns false. */
bool workload_load(struct workload *workload, const char *path, bool cold);

void workload_free(struct workload *workload);

/* Queries in one pass over a shape: its answers. */
size_t shape_answers(const struct shape *shape);

/* The call that begins with a position ends before the position returned. */
static inline size_t shape_call_end(const struct shape *shape, size_t first)
{
    if (shape->call != CALL_BATCH)
        return first + 1;
    size_t end = first + POSITIONS_PER_CALL;
    return shape->n_positions < end + POSITIONS_PER_CALL / 4 ? shape->n_positions : end;
}

/* 64 random bits (splitmix64); the state is a counter, so the sequence does not repeat within a program's life. */
uint64_t workload_random(uint64_t *state);

/* calloc that ends the program, with a sentence, where there is no memory. */
void *workload_alloc(size_t count, size_t size);

#endif
