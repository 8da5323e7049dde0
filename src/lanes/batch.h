/*
 * What all kernels do with many positions. They take a chunk of queries at a time; queries that the decision leaves
 * pending stand in lists (pending_queries.h). The kernel says how a chunk is decided: four/lane_chunks.h or, with
 * AVX-512, avx512/ray_batch.h, both of which include this file.
 */
#ifndef SEEBATCH_LANES_BATCH_H
#define SEEBATCH_LANES_BATCH_H

#include "pending_queries.h"

/* How many moves are decided from the attack tables of a position before the tables are made anew. Hardly a position
 * has more moves; in a loop over any number compilers would keep on the stack what they can read from the tables. This
 * is the row MOVES_PER_TABLE of the last table in docs/internals/lanes.md, for words and bytes. */
enum { MOVES_PER_TABLE = 64 };

static inline size_t at_once(size_t n) { return n < MOVES_PER_TABLE ? n : (size_t)MOVES_PER_TABLE; }

/* Decides n moves of a position by its attack tables, MOVES_PER_TABLE at most. `readable` is the number of moves that
 * can be read. Writes the numbers of the moves that are pending, counted from `first`, and returns how many there
 * are. */
LANES_INLINE size_t decide_position(const struct lane_rules *rules, const struct decision_values *values,
                                    const seebatch_position *position, lanes blockers, const seebatch_move *move,
                                    size_t n, size_t readable, const int16_t *threshold, int16_t *value,
                                    uint16_t *pending, size_t first)
{
    struct attack_tables tables;
    size_t n_pending = 0;
    attack_tables_of(&tables, rules, position, seebatch_color_on(position, seebatch_from(*move)), blockers);
    for (size_t k = 0, end = at_once(n); k < end; k += MOVES_AT_ONCE) {
        const uint64_t bits = decide_moves(rules, values, &tables, move + k, n - k, readable - k,
                                           threshold ? threshold + k : NULL, value + k);
        n_pending += store_numbers_of_moves(pending + n_pending, first + k, bits);
    }
    return n_pending;
}

/* Resolves pending queries by the swap loop. Under rules in which kings count, no king may matter to these queries. */
static void resolve_without_kings(const struct chunk_job *job, struct list *pending);

/* Evaluates queries by the scalar code. */
LANES_INLINE void resolve_rest(const struct lane_rules *rules, const struct chunk_job *job, const struct list *rest)
{
    COUNT_PATH(CHUNK_TO_SCALAR, rest->n);
    for (size_t j = 0; j < rest->n; j++) {
        const uint16_t k = rest->query[j];
        const seebatch_position *position = see_position_of(job->chunk, k);
        const seebatch_pins *pins = see_pins_of(job->batch, (size_t)(position - job->batch->positions));
        const int16_t *threshold = job->threshold ? job->threshold + k : NULL;
        job->value[k] = scalar_value(rules->scalar, position, pins, job->chunk->move[k], threshold);
    }
}

#endif
