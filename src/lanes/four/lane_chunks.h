/*
 * Evaluates chunks of queries with four lanes: each lane decides a query or, where positions have many moves, attack
 * tables decide the moves of one position after another. The kernel.c of an instruction set includes this template
 * before lanes/paths.h, which compiles it for each rule class; lanes/rule_class.h calls begin_chunk(), decide_chunk()
 * and resolve_chunk().
 */
#ifndef SEEBATCH_LANES_FOUR_LANE_CHUNKS_H
#define SEEBATCH_LANES_FOUR_LANE_CHUNKS_H

#include "lanes/batch.h"
#include "lanes/lengths.h"

/* What is known of a chunk that is being evaluated. */
struct chunk_state {
    struct list pending;          /* queries without a value; if kings count, a king may matter to them */
    struct list resolvable;       /* queries without a value that the swap loop resolves at once */
    struct list without_blockers; /* those that tables leave pending where no piece is pinned, under rules with pins */
    struct list uncounted;        /* queries without a length */
    /* for each position, the pieces whose leaving may matter to a king */
    uint64_t blockers[SEE_CHUNK_POSITIONS + SEE_CHUNK_PAD];
    seebatch_pins pins[SEE_CHUNK_POSITIONS]; /* for each position, if has_pins is set */
    bool has_pins;
};

/* Finds for each position of a chunk the pieces whose leaving may matter to a king. */
LANES_INLINE void find_king_blockers(const struct lane_rules *rules, const seebatch_batch *batch,
                                     const struct see_chunk *chunk,
                                     uint64_t blockers[SEE_CHUNK_POSITIONS + SEE_CHUNK_PAD])
{
    if (rules->reads_pins && batch->pins) {
        find_given_blockers(rules, batch, chunk, blockers);
        return;
    }
    for (size_t i = 0; i < chunk->n_positions; i += LANES) {
        lanes plane[4];
        planes_of(chunk->position + i, plane);
        lanes_store(blockers + i, king_blockers_of(rules, plane, chunk->position + i));
    }
}

/* The planes of the queries from k on. */
LANES_INLINE void planes_of_queries(const struct see_chunk *chunk, size_t k, lanes plane[4])
{
    const seebatch_position *position[LANES];
    for (size_t lane = 0; lane < LANES; lane++)
        position[lane] = see_position_of(chunk, k + lane);
    planes_of(position, plane);
}

/* ---- Queries in lanes -------------------------------------------------------------------------------------------- */

/* Counts the registers of a chunk, rounded up so that a byte for each fills whole words. */
enum { CHUNK_REGISTERS = (SEE_CHUNK / LANES + 7) / 8 * 8 };

/* Lists the pending ones among the n queries of a chunk. There is a byte for each register. One or two queries of eight
 * registers are pending, and hardly ever more than three. */
LANES_INLINE void list_pending(struct list *pending, uint8_t resolved[CHUNK_REGISTERS], size_t n)
{
    const uint64_t every_lane = UINT64_C(0x0101010101010101) * EVERY_LANE;
    const size_t registers = (n + LANES - 1) / LANES;
    memset(resolved + registers, -1, -registers % 8);
    for (size_t j = 0; j < registers; j += 8) {
        uint64_t bits;
        memcpy(&bits, resolved + j, sizeof bits);
        bits = ~bits & every_lane;
        uint16_t *query = pending->query + pending->n;
        pending->n += (size_t)__builtin_popcountll(bits);
        for (; bits; bits &= bits - 1) {
            const unsigned bit = lowest_bit(bits);
            *query++ = (uint16_t)((j + bit / 8) * LANES + bit % 8);
        }
    }
    cut_off(pending, n);
}

/* Notes the bits of the queries from k on, with a byte for each register. */
LANES_INLINE void note_bits(uint8_t noted[CHUNK_REGISTERS], size_t k, unsigned bits)
{
    if (k % LANES == 0)
        noted[k / LANES] = (uint8_t)bits;
    else
        noted[k / LANES] |= (uint8_t)(bits << k % LANES);
}

/* What is asked about the queries of a chunk. Against thresholds, values on the same side are enough. */
enum wanted { VALUES, VALUES_AGAINST_THRESHOLDS, VALUES_AND_LENGTHS, LENGTHS };

/* Decides what can be decided of a chunk, lane by lane, and lists what is left. */
LANES_INLINE void decide_queries(const struct lane_rules *rules, const struct chunk_job *job, struct chunk_state *state,
                                 enum wanted wanted)
{
    const bool values = wanted != LENGTHS, lengths = wanted >= VALUES_AND_LENGTHS;
    uint8_t resolved[CHUNK_REGISTERS], counted[CHUNK_REGISTERS];
    const struct see_chunk *chunk = job->chunk;
    const seebatch_move *move = chunk->move;
    const int16_t *threshold = job->threshold;
    int16_t *value = job->value, *length = job->length;
    for (size_t k = 0, n = chunk->n; k < n; k += DECIDED_AT_ONCE) {
        lanes plane[4];
        see_prefetch_upcoming(&chunk->upcoming, k, DECIDED_AT_ONCE);
        planes_of_queries(chunk, k, plane);
        const struct lane_queries q = init_decided(rules, plane, move + k);
        struct lane_decision d = decide(rules, &q);
        if (wanted == VALUES_AGAINST_THRESHOLDS)
            decide_against(&d, load_values(threshold + k));
        lane_mask sure = d.resolved, numbers_tell = lanes_empty(d.xray);
        if (kings_matter(rules)) {
            const lane_mask no_king_matters = untouched(rules, &q, d.xray, words_of_queries(chunk, state->blockers, k));
            sure = mask_and(sure, no_king_matters);
            numbers_tell = mask_and(numbers_tell, no_king_matters);
            if (values && rules->best_order) {
                const lane_mask resolves =
                    mask_without(no_king_matters, mask_or(d.certain, mask_or(d.resolved, d.promotes)));
                append(&state->resolvable, k, mask_bits(lanes_used(resolves)) & EVERY_LANE);
                sure = mask_or(sure, resolves);
            }
        }
        if (values) {
            store_values(value + k, lanes_used(d.value));
            note_bits(resolved, k, mask_bits(lanes_used(mask_or(d.certain, sure))));
        }
        if (lengths)
            note_bits(counted, k, count_attackers(&q, move + k, q.attackers, numbers_tell, length + k));
    }
    if (values)
        list_pending(&state->pending, resolved, chunk->n);
    if (lengths)
        list_pending(&state->uncounted, counted, chunk->n);
    cut_off(&state->resolvable, chunk->n);
    COUNT_PATH(CHUNK_REGISTERS, values ? chunk->n - state->pending.n - state->resolvable.n : 0);
}

/* ---- Many moves a position: attack tables ------------------------------------------------------------------------ */

/* Decides the moves of position i of a chunk as far as its tables tell. `blockers` are the pieces whose leaving may
 * matter to a king. */
LANES_INLINE void decide_moves_of(const struct lane_rules *rules, const struct decision_values *values,
                                  const struct chunk_job *job, size_t i, uint64_t blockers, struct list *pending)
{
    const struct see_chunk *chunk = job->chunk;
    const size_t readable = chunk->n + -chunk->n % SEE_CHUNK_PAD;
    for (size_t k = chunk->start[i], end = chunk->start[i + 1]; k < end; k += MOVES_PER_TABLE)
        pending->n += decide_position(rules, values, chunk->position[i], lanes_all((int64_t)blockers), chunk->move + k,
                                      at_once(end - k), readable - k, job->threshold ? job->threshold + k : NULL,
                                      job->value + k, pending->query + pending->n, k);
}

/* Does the same as decide_queries(), position by position, where positions have many moves. Positions without blockers
 * are decided as under rules without kings (docs/internals/kings.md). */
LANES_INLINE void decide_by_tables(const struct lane_rules *rules, const struct chunk_job *job,
                                   struct chunk_state *state)
{
    const struct decision_values values = decision_values_of(rules);
    const struct see_chunk *chunk = job->chunk;
    struct lane_rules without = *rules;
    without.reads_pins = without.best_order = false;
    for (size_t i = 0; i < chunk->n_positions; i++) {
        see_prefetch_upcoming(&chunk->upcoming, chunk->start[i] & ~31u, 4);
        const uint64_t those = kings_matter(rules) ? state->blockers[i] : 0;
        if (those)
            decide_moves_of(rules, &values, job, i, those, &state->pending);
        else
            decide_moves_of(&without, &values, job, i, 0,
                            rules->reads_pins ? &state->without_blockers : &state->pending);
    }
    COUNT_PATH(CHUNK_TABLES, chunk->n - state->pending.n - state->without_blockers.n);
}

/* Finds the pins of positions, in place of all pieces that may be pinned, under rules with pins and where positions
 * have many moves. */
LANES_INLINE void find_pins_of_chunk(const struct lane_rules *rules, const struct see_chunk *chunk,
                                     struct chunk_state *state)
{
    for (size_t i = 0; i < chunk->n_positions; i++) {
        if (!state->blockers[i])
            continue;
        seebatch_find_pins(rules->scalar, chunk->position[i], &state->pins[i]);
        state->blockers[i] = blockers_given(rules->either, chunk->position[i], &state->pins[i]);
    }
}

/* ---- Chunks ------------------------------------------------------------------------------------------------------ */

/* Whether a chunk is decided from attack tables. */
static inline bool has_many_moves(const struct chunk_job *job)
{
    return job->path == SEE_ATTACK_TABLES ||
           (job->path == SEE_FASTEST && !job->length && job->chunk->n >= TABLES_FROM * job->chunk->n_positions);
}

/* Finds what the decision asks of positions, and decides those with many moves; returns whether that was all. */
LANES_INLINE bool begin_chunk(const struct lane_rules *rules, const struct chunk_job *job, struct chunk_state *state)
{
    const struct see_chunk *chunk = job->chunk;
    const bool many_moves = has_many_moves(job);
    state->pending.n = state->resolvable.n = state->without_blockers.n = state->uncounted.n = 0;
    state->has_pins = rules->reads_pins && many_moves && !job->batch->pins;
    if (kings_matter(rules))
        find_king_blockers(rules, job->batch, chunk, state->blockers);
    if (state->has_pins)
        find_pins_of_chunk(rules, chunk, state);
    if (job->path == SEE_SWAP_LOOP)
        list_all(&state->pending, chunk->n);
    else if (many_moves)
        decide_by_tables(rules, job, state);
    return many_moves || job->path == SEE_SWAP_LOOP;
}

/* Decides what can be decided of a chunk query by query, and lists the rest. */
LANES_INLINE void decide_chunk(const struct lane_rules *rules, const struct chunk_job *job, struct chunk_state *state)
{
    if (job->threshold)
        decide_queries(rules, job, state, VALUES_AGAINST_THRESHOLDS);
    else if (COUNTS_LENGTHS && job->length && job->value)
        decide_queries(rules, job, state, VALUES_AND_LENGTHS);
    else if (COUNTS_LENGTHS && job->length)
        decide_queries(rules, job, state, LENGTHS);
    else
        decide_queries(rules, job, state, VALUES);
}

/* Resolves what is left where a king may matter. */
LANES_INLINE void resolve_with_kings(const struct lane_rules *rules, const struct chunk_job *job,
                                     struct chunk_state *state)
{
    struct list pinned, rest;
    const seebatch_pins *pins = state->has_pins ? state->pins : NULL;
    pinned.n = rest.n = 0;
    if (rules->reads_pins && (pins || job->batch->pins)) { /* at hand: lines to kings tell nothing more */
        resolve_with_pins(rules, job, &state->pending, pins);
        return;
    }
    king_safety_pass(rules, job, &state->pending, &state->resolvable, &pinned);
    if (pinned.n && rules->reads_pins)
        resolve_with_pins(rules, job, &pinned, NULL);
    else if (pinned.n)
        single_pin_line_pass(rules, job->chunk, &pinned, job->value, &rest);
    resolve_list(rules, job->chunk, &state->resolvable, job->value, &rest);
    resolve_rest(rules, job, &rest);
}

/* Finds the answers that the decision has left pending. */
LANES_INLINE void resolve_chunk(const struct lane_rules *rules, const struct chunk_job *job, struct chunk_state *state)
{
    if (COUNTS_LENGTHS && job->length)
        count_list(rules, job->chunk, state->blockers, &state->uncounted, job->length);
    if (!job->value)
        return;
    if (kings_matter(rules))
        resolve_with_kings(rules, job, state);
    if (!kings_matter(rules))
        resolve_without_kings(job, &state->pending);
    else if (rules->reads_pins && state->without_blockers.n)
        resolve_without_kings(job, &state->without_blockers);
}

#endif
