/*
 * Resolves the queries of a chunk that the decision leaves pending. They stand in lists, from which they are packed
 * into full registers. The resolve_chunk() of four/lane_chunks.h and of avx512/ray_batch.h call the passes.
 *
 * Where no king matters and the order is given, the swap loop resolves all of them. Under the other rules:
 *
 *   - The decision itself asks for king blockers: do the attackers, or the sliders right behind them, stand on a line
 *     to a king that may open? find_king_blockers() finds the lines of each position, and untouched() asks.
 *   - King safety: if an attacker does, would a slider attack a king once all of the attackers had left?
 *     king_safety_pass() asks.
 *   - Single pin line: where each side chooses its order and only one slider would attack one king, the swap loop
 *     resolves the exchange with that pin line. single_pin_line_pass() calls it.
 *   - The scalar code searches where the loop meets a turn at which another order may be better, and where the passes
 *     leave something pending.
 */
#ifndef SEEBATCH_LANES_PENDING_QUERIES_H
#define SEEBATCH_LANES_PENDING_QUERIES_H

#include "swap_loop.h"
#include "dispatch/path_counts.h"
#include "scalar/scalar.h"

/* A chunk of queries, what is asked about them, and where the answers go. */
struct chunk_job {
    const struct lane_rules *rules; /* of any class: the classes work with copies, whose constants compilers know */
    const seebatch_batch *batch;
    const struct see_chunk *chunk;
    enum see_path path;
    const int16_t *threshold; /* a threshold for each query, on whose side the value must be; or NULL */
    int16_t *value;           /* NULL where lengths alone are asked for */
    int16_t *length;          /* NULL unless they are asked for */
};

/* A list of queries of a chunk. After the last query it has room for the lanes that are left empty. */
struct list {
    uint16_t query[SEE_CHUNK + SEE_CHUNK_PAD];
    size_t n;
};

/* Appends the queries whose bits are set; bit 0 is query k. */
LANES_INLINE void append(struct list *list, size_t k, unsigned bits)
{
    store_numbers(list->query + list->n, k, bits);
    list->n += (size_t)__builtin_popcount(bits);
}

/* Appends the queries of another list whose bits are set; bit 0 is its query j. Bits after the end of that list count
 * for nothing. */
LANES_INLINE void append_from(struct list *list, const struct list *from, size_t j, unsigned bits)
{
    if (from->n - j < LANES)
        bits &= (1u << (from->n - j)) - 1;
    store_selected(list->query + list->n, from->query + j, bits);
    list->n += (size_t)__builtin_popcount(bits);
}

#ifdef SEEBATCH_COUNT_PATHS
/* How many queries of a list have their bits set, of the register that begins with query j. */
static inline int count_of_list(const struct list *list, size_t j, unsigned bits)
{
    const size_t left = list->n - j;
    return __builtin_popcount(bits & EVERY_LANE & (left < LANES ? (1u << left) - 1 : ~0u));
}
#endif

/* Lists all n queries of a chunk, for tests of the code that resolves lists. */
LANES_INLINE void list_all(struct list *list, size_t n)
{
    for (list->n = 0; list->n < n; list->n++)
        list->query[list->n] = (uint16_t)list->n;
}

/* Removes from the end of a list the numbers from n on: the lanes after the last of the chunk's n queries had answers,
 * too. */
LANES_INLINE void cut_off(struct list *list, size_t n)
{
    while (list->n && list->query[list->n - 1] >= n)
        list->n--;
}

/* Queries of a list, one in each lane. */
struct packed {
    const seebatch_position *position[LANES];
    seebatch_move move[LANES];
};

/* Gathers one word for each query of a register. The words are written four at a time, because a vector load right
 * after stores of single words would have to wait for them. */
LANES_INLINE void pack_words(uint16_t packed[LANES], const uint16_t *word, const uint16_t query[LANES])
{
    for (int lane = 0; lane < LANES; lane += 4) {
        const uint16_t *r = query + lane;
        const uint64_t low = (uint64_t)word[r[0]] | (uint64_t)word[r[1]] << 16;
        const uint64_t four = low | (uint64_t)word[r[2]] << 32 | (uint64_t)word[r[3]] << 48;
        memcpy(packed + lane, &four, sizeof four);
    }
}

LANES_INLINE struct packed pack(const struct see_chunk *chunk, const uint16_t query[LANES])
{
    struct packed queries;
    for (int lane = 0; lane < LANES; lane++)
        queries.position[lane] = see_position_of(chunk, query[lane]);
    pack_words(queries.move, chunk->move, query);
    return queries;
}

/* Fills the lanes after the end of a list with its first query. */
LANES_INLINE void pad(struct list *list)
{
    for (size_t j = list->n; j < list->n + SEE_CHUNK_PAD; j++)
        list->query[j] = list->query[0];
}

LANES_INLINE void scatter(int16_t *value, const uint16_t query[LANES], lanes values)
{
    int16_t result[LANES];
    store_values(result, values);
    for (int lane = 0; lane < LANES; lane++)
        value[query[lane]] = result[lane];
}

LANES_INLINE lanes thresholds_of(const int16_t *threshold, const uint16_t query[LANES])
{
    int16_t packed[LANES];
    pack_words((uint16_t *)packed, (const uint16_t *)threshold, query);
    return load_values(packed);
}

/* The value of a query by the scalar code, or a value on the same side of its threshold. The fast paths have failed in
 * lanes already. */
static inline int16_t scalar_value(const seebatch_rules *rules, const seebatch_position *position,
                                   const seebatch_pins *pins, seebatch_move move, const int16_t *threshold)
{
    const int alpha = threshold ? *threshold - 1 : -FAR, beta = threshold ? *threshold : (int)FAR;
    return (int16_t)seebatch_scalar_exchange(rules, position, pins, move, alpha, beta);
}

/* The queries in which no piece that leaves, or has left, stood on a square of the blockers. The sliders right behind
 * the attackers count as well, except under rules with pins. */
LANES_INLINE lane_mask untouched(const struct lane_rules *rules, const struct lane_queries *q, lanes xray,
                                 lanes blockers)
{
    const lanes seen = seen_from_target(q, blockers);
    if (rules->reads_pins)
        return lanes_disjoint(q->attackers, seen);
    const lanes stay = lanes_without(lanes_or(q->occupied, target_of(q)), lanes_or(q->attackers, xray));
    return lanes_empty(lanes_without(seen, stay));
}

/* The queries in which a slider would attack a king if all pieces that may leave had left. */
LANES_INLINE lane_mask king_may_matter(const struct lane_rules *rules, const struct lane_queries *q, lanes xray,
                                       const seebatch_position *const position[LANES])
{
    return mask_not(lanes_empty(lanes_or(snipers_of(rules, q, xray, position, SEEBATCH_WHITE, NULL),
                                         snipers_of(rules, q, xray, position, SEEBATCH_BLACK, NULL))));
}

/* Finds the pin line on which a check may open, if there is one. *more_than_one becomes the queries in which there is
 * more than one. */
LANES_INLINE struct lane_pin_line only_pin_line(const struct lane_rules *rules, const struct lane_queries *q,
                                                lanes xray, const seebatch_position *const position[LANES],
                                                lane_mask *more_than_one)
{
    lanes to_white, to_black;
    const lanes at_white = snipers_of(rules, q, xray, position, SEEBATCH_WHITE, &to_white);
    const lanes at_black = snipers_of(rules, q, xray, position, SEEBATCH_BLACK, &to_black);
    struct lane_pin_line pin_line;
    pin_line.sniper = lanes_or(at_white, at_black);
    pin_line.in_between = lanes_select(lanes_empty(at_white), to_black, to_white);
    pin_line.own = lanes_select(lanes_disjoint(pin_line.sniper, q->own), lanes_all(-1), lanes_zero());
    *more_than_one = mask_not(at_most_one(pin_line.sniper));
    return pin_line;
}

/* Finds the queries that the swap loop resolves with the least valuable piece first. `no_king_matters` are those to
 * which no king matters. */
LANES_INLINE lane_mask resolvable_in_lanes(const struct lane_decision *d, lane_mask no_king_matters)
{
    return mask_or(d->certain, mask_without(no_king_matters, d->promotes));
}

/* King safety, under rules in which kings count. The pass divides the pending queries: some are resolved after all, the
 * swap loop can resolve those that it appends to `resolvable`, and `rest` gets the others. */
LANES_INLINE void king_safety_pass(const struct lane_rules *rules, const struct chunk_job *job, struct list *pending,
                                   struct list *resolvable, struct list *rest)
{
    const bool decides = job->path != SEE_SWAP_LOOP;
    pad(pending);
    for (size_t j = 0; j < pending->n; j += LANES) {
        const struct packed queries = pack(job->chunk, pending->query + j);
        const struct lane_queries q = init_queries_on(rules, queries.position, queries.move);
        struct lane_decision d = decide(rules, &q);
        if (job->threshold)
            decide_against(&d, thresholds_of(job->threshold, pending->query + j));
        const lane_mask no_king_matters = mask_not(king_may_matter(rules, &q, d.xray, queries.position));
        const unsigned resolved = decides ? mask_bits(mask_or(d.certain, mask_and(d.resolved, no_king_matters))) : 0;
        const unsigned resolves = mask_bits(resolvable_in_lanes(&d, no_king_matters));
        scatter(job->value, pending->query + j, d.value);
        append_from(resolvable, pending, j, ~resolved & resolves & EVERY_LANE);
        append_from(rest, pending, j, ~resolved & ~resolves & EVERY_LANE);
        COUNT_PATH(KING_SAFETY, count_of_list(pending, j, resolved));
    }
}

/* Where each side chooses its order: resolves those queries of a register, of the given bits, to which no king matters,
 * or to whose king a single line leads. The swap loop resolves them, and at each turn the line says which pieces may
 * capture. Returns the bits of those whose values are certain then. It is one function for all calls, because it is
 * long. */
static __attribute__((noinline)) unsigned
resolve_on_pin_line(const struct lane_rules *given_rules, const struct lane_queries *q, const struct lane_decision *d,
                    const seebatch_position *const position[LANES], unsigned bits, lanes *value)
{
    struct lane_rules specialized = *given_rules, *const rules = &specialized;
    specialize(&specialized, specialized.promote_all, false, true);
    lane_mask more_than_one, doubt;
    const struct lane_pin_line pin_line = only_pin_line(rules, q, d->xray, position, &more_than_one);
    const struct lane_pinning without_pins = {NULL, NULL}, pinning = {&pin_line, NULL};
    bits &= ~mask_bits(mask_or(more_than_one, d->promotes));
    /* The mask becomes bits and a mask again, because gcc 12 with -march=native loses the "not" of a mask that it sees
     * through. */
    if (bits & ~mask_bits(lanes_empty(pin_line.sniper)))
        swap_loop(rules, q, pinning, mask_of_bits(bits), value, &doubt);
    else
        swap_loop(rules, q, without_pins, mask_of_bits(bits), value, &doubt);
    return bits & ~mask_bits(doubt);
}

/* The pass for a single pin line, over a list of queries to which a king may matter. `rest` gets the queries that it
 * does not resolve. */
LANES_INLINE void single_pin_line_pass(const struct lane_rules *rules, const struct see_chunk *chunk,
                                       struct list *pinned, int16_t *value, struct list *rest)
{
    pad(pinned);
    for (size_t j = 0; j < pinned->n; j += LANES) {
        const struct packed queries = pack(chunk, pinned->query + j);
        const struct lane_queries q = init_queries_on(rules, queries.position, queries.move);
        const struct lane_decision d = decide(rules, &q);
        lanes result;
        const unsigned resolved = resolve_on_pin_line(rules, &q, &d, queries.position, EVERY_LANE, &result);
        scatter(value, pinned->query + j, result);
        append_from(rest, pinned, j, ~resolved & EVERY_LANE);
        COUNT_PATH(PIN_LINE, count_of_list(pinned, j, resolved));
    }
}

/* The pins of a query's position: found earlier for the chunk's positions, given by the caller, or found here. */
static inline const seebatch_pins *pins_of_query(const seebatch_rules *rules, const struct chunk_job *job,
                                                 const seebatch_pins *found, uint16_t query, seebatch_pins *here)
{
    const seebatch_position *position = see_position_of(job->chunk, query);
    if (found)
        return &found[job->chunk->index[query]];
    if (job->batch->pins)
        return &job->batch->pins[position - job->batch->positions];
    seebatch_find_pins(rules, position, here);
    return here;
}

/* Resolves the queries of a register by the swap loop, with their pins. */
LANES_INLINE void resolve_register_with_pins(const struct lane_rules *rules, const struct chunk_job *job,
                                             const uint16_t query[LANES], const seebatch_pins *found)
{
    const struct packed queries = pack(job->chunk, query);
    uint64_t blockers[2][LANES], pinners[2][LANES];
    for (int lane = 0; lane < LANES; lane++) {
        const seebatch_position *position = queries.position[lane];
        seebatch_pins here;
        const seebatch_pins *given = pins_of_query(rules->scalar, job, found, query[lane], &here);
        const seebatch_move move = queries.move[lane];
        const int color = seebatch_color_on(position, seebatch_from(move));
        int to = seebatch_to(move);
        __asm__("" : "+r"(to)); /* not as two bytes that are stored, and loaded as four */
        const uint64_t pinned = rules->ray_pins ? seebatch_pinned_on_rays(rules->scalar, position, given, to) : 0;
        for (int i = 0; i < 2; i++) {
            blockers[i][lane] = rules->ray_pins ? pinned : given->blockers[color ^ i];
            pinners[i][lane] = given->pinners[color ^ i];
        }
    }
    const struct lane_queries q = init_queries_on(rules, queries.position, queries.move);
    struct lane_pins pins;
    for (int i = 0; i < 2; i++) {
        pins.blockers[i] = seen_from_target(&q, lanes_load(blockers[i]));
        pins.pinners[i] = seen_from_target(&q, lanes_load(pinners[i]));
    }
    const struct lane_pinning pinning = {NULL, &pins};
    lanes result;
    lane_mask doubt;
    swap_loop(rules, &q, pinning, mask_of_bits(EVERY_LANE), &result, &doubt);
    scatter(job->value, query, result);
}

/* The number of queries that the scalar code evaluates as fast as a register of nearly empty lanes does: the row
 * MOST_BY_SCALAR of the last table in docs/internals/lanes.md, with rotated boards. */
enum { MOST_BY_SCALAR = LANES > 4 ? 3 : 0 };

/* Under rules with pins: resolves the queries in which a piece may be pinned, by the swap loop with the pins. found:
 * NULL, or the pins of the chunk's positions, as far as they keep pieces from capturing. Up to MOST_BY_SCALAR queries
 * at the end of the list go to the scalar code. It is one function for all calls, because it is long. */
static __attribute__((noinline)) void resolve_with_pins(const struct lane_rules *given_rules,
                                                        const struct chunk_job *job, struct list *pinned,
                                                        const seebatch_pins *found)
{
    struct lane_rules specialized = *given_rules, *const rules = &specialized;
    size_t j = 0;
    specialize(&specialized, specialized.promote_all, true, false);
    pad(pinned);
    for (; pinned->n > j + MOST_BY_SCALAR; j += LANES) {
        resolve_register_with_pins(rules, job, pinned->query + j, found);
        COUNT_PATH(WITH_PINS, count_of_list(pinned, j, ~0u));
    }
    COUNT_PATH(CHUNK_TO_SCALAR, pinned->n > j ? pinned->n - j : 0);
    for (; j < pinned->n; j++) {
        const uint16_t k = pinned->query[j];
        seebatch_pins here;
        const seebatch_pins *pins = pins_of_query(rules->scalar, job, found, k, &here);
        job->value[k] = scalar_value(rules->scalar, see_position_of(job->chunk, k), pins, job->chunk->move[k], NULL);
    }
}

/* Decides the pending queries further. If `decides` is false, it only divides them. `left` gets the queries for the
 * swap loop, and `rest` those that the swap loop cannot resolve. */
LANES_INLINE void further_decision_pass(const struct lane_rules *rules, const struct see_chunk *chunk,
                                        struct list *pending, int16_t *value, bool decides, struct list *left,
                                        struct list *rest)
{
    pad(pending);
    for (size_t j = 0; j < pending->n; j += LANES) {
        const struct packed queries = pack(chunk, pending->query + j);
        const struct lane_queries q = init_queries_on(rules, queries.position, queries.move);
        struct lane_decision d = decide(rules, &q);
        decide_further(rules, &q, &d);
        scatter(value, pending->query + j, d.value);
        const unsigned resolved = decides ? mask_bits(mask_or(d.certain, d.resolved)) : 0;
        const unsigned still_pending = ~resolved & EVERY_LANE;
        const unsigned promote = mask_bits(d.promotes);
        append_from(left, pending, j, still_pending & ~promote);
        append_from(rest, pending, j, still_pending & promote);
        COUNT_PATH(FURTHER, count_of_list(pending, j, resolved));
    }
}

/* Resolves a list by the swap loop. Where each side chooses its order, `rest` gets the queries whose values may be
 * wrong. */
LANES_INLINE void resolve_list(const struct lane_rules *rules, const struct see_chunk *chunk, struct list *list,
                               int16_t *value, struct list *rest)
{
    const struct lane_pinning without_pins = {NULL, NULL};
    pad(list);
    for (size_t j = 0; j < list->n; j += LANES) {
        const struct packed queries = pack(chunk, list->query + j);
        const struct lane_queries q = init_queries_on(rules, queries.position, queries.move);
        lanes result;
        lane_mask doubt;
        swap_loop(rules, &q, without_pins, mask_of_bits(EVERY_LANE), &result, &doubt);
        scatter(value, list->query + j, result);
        if (rules->best_order)
            append_from(rest, list, j, mask_bits(doubt));
        COUNT_PATH(SWAP_LOOP, count_of_list(list, j, rules->best_order ? ~mask_bits(doubt) : ~0u));
    }
}

#endif
