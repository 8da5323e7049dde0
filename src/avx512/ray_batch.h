/*
 * Evaluates chunks of queries along rays, from the decision (ray_chunks.h, ray_king_chunks.h) to the last value.
 * kernel.c includes this template before lanes/paths.h, which compiles it for each rule class; lanes/rule_class.h calls
 * begin_chunk(), decide_chunk() and resolve_chunk().
 */
#ifndef SEEBATCH_AVX512_RAY_BATCH_H
#define SEEBATCH_AVX512_RAY_BATCH_H

#include "ray_king_chunks.h"
#include "lanes/batch.h"
#include "lanes/lengths.h"

/* What the decision leaves pending of a chunk: the queries to which no king matters, and those to which one may. */
struct chunk_state {
    struct list pending, king_queries;
    struct list uncounted; /* queries without a length */
    struct king_blockers blockers;
};

/* Begins with empty lists. Returns true if nothing is to be decided, because a test wants the swap loop alone. */
LANES_INLINE bool begin_chunk(const struct lane_rules *rules, const struct chunk_job *job, struct chunk_state *state)
{
    state->pending.n = state->king_queries.n = state->uncounted.n = 0;
    if (job->path == SEE_SWAP_LOOP)
        list_all(kings_matter(rules) ? &state->king_queries : &state->pending, job->chunk->n);
    return job->path == SEE_SWAP_LOOP;
}

/* Lists the queries whose length is not known: those whose attackers do not tell it, and those to which a king may
 * matter. Positions without blockers get an empty set of them. */
LANES_INLINE void list_without_length(const struct lane_rules *rules, const struct see_chunk *chunk,
                                      const struct ray_lengths *lengths, struct chunk_state *state)
{
    state->uncounted.n = list_uncounted(lengths, chunk->n, state->uncounted.query);
    for (size_t j = 0; j < state->king_queries.n; j++) {
        const uint16_t k = state->king_queries.query[j];
        state->uncounted.query[state->uncounted.n] = k;
        state->uncounted.n += lengths->counted[k / LANES] >> k % LANES & 1;
    }
    for (size_t i = 0; i < chunk->n_positions && kings_matter(rules); i++)
        state->blockers.squares[i] &= 0 - (uint64_t)(state->blockers.flag[i] & 1);
}

/* Decides what can be decided of a chunk, and lists the rest. */
LANES_INLINE void decide_chunk(const struct lane_rules *rules, const struct chunk_job *job, struct chunk_state *state)
{
    const struct see_chunk *chunk = job->chunk;
    const bool many_moves = !job->length && chunk->n >= RECAPTURABLE_FROM * chunk->n_positions;
    struct ray_lengths counts, *lengths = job->length ? &counts : NULL;
    counts.length = job->length;
    if (!kings_matter(rules)) {
        uint16_t *pending = state->pending.query;
        state->pending.n = many_moves ? decide_recapturable(rules, chunk, job->threshold, job->value, pending)
                                      : decide_on_rays(rules, chunk, job->threshold, job->value, lengths, pending);
        if (lengths)
            list_without_length(rules, chunk, lengths, state);
        COUNT_PATH(CHUNK_RECAPTURABLE, many_moves ? chunk->n - state->pending.n : 0);
        COUNT_PATH(CHUNK_RAYS, many_moves ? 0 : chunk->n - state->pending.n);
        return;
    }
    const seebatch_batch *given = rules->reads_pins && job->batch->pins ? job->batch : NULL;
    struct pending_lists lists = {state->pending.query, state->king_queries.query, 0, 0};
    if (many_moves)
        decide_recapturable_with_kings(rules, chunk, given, job->threshold, job->value, &state->blockers, &lists);
    else
        decide_on_rays_with_kings(rules, chunk, given, job->threshold, job->value, lengths, &state->blockers, &lists);
    state->pending.n = lists.n_pending;
    state->king_queries.n = lists.n_king_queries;
    if (lengths)
        list_without_length(rules, chunk, lengths, state);
    COUNT_PATH(CHUNK_RECAPTURABLE, many_moves ? chunk->n - state->pending.n - state->king_queries.n : 0);
    COUNT_PATH(CHUNK_RAYS, many_moves ? 0 : chunk->n - state->pending.n - state->king_queries.n);
}

/* Where each side chooses its order: the queries to which a king may matter go first. No king matters to some of them
 * after all, and these join the other queries, which are decided further, and the swap loop resolves what is left. */
LANES_INLINE void resolve_in_best_order(const struct lane_rules *rules, const struct chunk_job *job,
                                        struct chunk_state *state)
{
    struct list pinned, left, rest;
    struct lane_rules on_rays = *rules;
    pinned.n = left.n = rest.n = 0;
    on_rays.along_rays = true;
    king_safety_pass(rules, job, &state->king_queries, &state->pending, &pinned);
    if (pinned.n)
        single_pin_line_pass(rules, job->chunk, &pinned, job->value, &rest);
    further_decision_pass(&on_rays, job->chunk, &state->pending, job->value, job->path != SEE_SWAP_LOOP, &left, &rest);
    resolve_list(&on_rays, job->chunk, &left, job->value, &rest);
    resolve_rest(rules, job, &rest);
}

/* Finds the answers that the decision has left pending. A query to which no king matters is resolved as under rules
 * without kings. */
LANES_INLINE void resolve_chunk(const struct lane_rules *rules, const struct chunk_job *job, struct chunk_state *state)
{
    if (job->length) {
        struct lane_rules on_board = *rules; /* target_of() is asked for */
        on_board.along_rays = false;
        count_list(&on_board, job->chunk, state->blockers.squares, &state->uncounted, job->length);
    }
    if (rules->best_order) {
        resolve_in_best_order(rules, job, state);
        return;
    }
    const bool found = !job->batch->pins && job->path != SEE_SWAP_LOOP;
    if (rules->reads_pins && state->king_queries.n)
        resolve_with_pins(rules, job, &state->king_queries, found ? state->blockers.pins : NULL);
    resolve_without_kings(job, &state->pending);
}

#endif
