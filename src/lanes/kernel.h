/*
 * A kernel with lanes: several requests a register, one in each lane. A template, compiled once for each instruction
 * set behind its board.h and kings.h.
 *
 * Setup. Each lane gets the board of its request, as planes of piece codes, and the lines through its target. From
 * those follow the attackers of the target, of both colours, and then, with these attackers taken off the board, the
 * sliders hidden behind them. No table depends on the occupancy, nothing is gathered.
 *
 * Decision. Most requests need no exchange to be played out. Let v0 be what the first move wins and v1 what the moved
 * piece is worth, A the opponent's attackers, B the own ones.
 *
 *   - A is empty: nothing is taken back, v0.
 *   - B is empty, hidden sliders included: what takes back stays, v0 - max(0, v1).
 *   - Nothing is hidden. Let w be the least valuable of A, u of B. The opponent takes back, then we take w, then the
 *     opponent takes u if he has a second attacker, and so on:
 *
 *         v0 - max(0, v1 - max(0, w - x)),   x = what the opponent gets for u, somewhere from 0 to u.
 *
 *     With a single attacker in A, x is 0. With a single one in B, nothing is taken back for u, so x is u if A has a
 *     second one. Otherwise the two ends of the range are bounds on the value, and where they meet, that is it.
 *     (Something hidden spoils this even where it is of the other colour: what stands behind it may not be.)
 *
 *     Kings: one that is alone in A cannot take a guarded piece, and one that is alone in B cannot take back if A has a
 *     second attacker. Counted as worth more than everything else, they decline by themselves.
 *
 * The rest, some percent, is packed, set up again, and played out in lanes: play_out(), the scalar loop of
 * ../scalar/see.c with the attackers found anew after every capture. It is exact for every request; the decision above
 * is only a shortcut.
 */
#include "exchange.h"
#include "scalar/kernel.h"
#include "scalar/see.h"

/* A list of requests of a chunk, with room for the lanes that the last ones leave empty. */
struct list {
    uint16_t request[SEE_CHUNK + SEE_CHUNK_PAD];
    size_t n;
};

/* Appends those of the requests from k on whose bit is set. */
LANES_INLINE void append(struct list *list, size_t k, unsigned bits)
{
    store_numbers(list->request + list->n, k, bits);
    list->n += (size_t)__builtin_popcount(bits);
}

/* Requests of a list, one in each lane. */
struct packed {
    const seebatch_position *position[LANES];
    seebatch_move move[LANES];
};

LANES_INLINE struct packed pack(const struct see_chunk *chunk, const uint16_t request[LANES])
{
    struct packed some;
    for (int lane = 0; lane < LANES; lane++) {
        some.position[lane] = see_position_of(chunk, request[lane]);
        some.move[lane] = chunk->move[request[lane]];
    }
    return some;
}

LANES_INLINE struct lane_requests set_up_packed(const struct lane_rules *rules, const struct packed *some)
{
    lanes plane[4];
    planes_of(some->position, plane);
    return set_up(rules, plane, some->move);
}

/* Fills the lanes behind the end of a list. */
LANES_INLINE void pad(struct list *list)
{
    for (size_t j = list->n; j < list->n + SEE_CHUNK_PAD; j++)
        list->request[j] = list->request[0];
}

LANES_INLINE void scatter(int16_t *value, const uint16_t request[LANES], lanes values)
{
    int16_t result[LANES];
    store_values(result, values);
    for (int lane = 0; lane < LANES; lane++)
        value[request[lane]] = result[lane];
}

/* For each position of a chunk, the squares whose leaving may matter to a king. */
LANES_INLINE void find_exposed(const struct lane_rules *rules, const struct see_requests *requests,
                               const struct chunk_boards *boards, uint64_t exposed[SEE_CHUNK + SEE_CHUNK_PAD])
{
    const struct see_chunk *chunk = boards->chunk;
    if (rules->pins && requests->pins) {
        for (size_t i = 0; i < chunk->n_positions + LANES; i++) {
            const seebatch_position *position = chunk->position[i];
            const uint64_t *blockers = requests->pins[position - requests->positions].blockers;
            exposed[i] = (blockers[SEEBATCH_WHITE] & position->white) | (blockers[SEEBATCH_BLACK] & ~position->white);
        }
        return;
    }
    for (size_t i = 0; i < chunk->n_positions; i += LANES)
        lanes_store(exposed + i, exposed_squares(rules, boards, i));
}

/* The pieces that may leave in the course of an exchange, or have left, as far as nothing is hidden. */
LANES_INLINE lanes leaving_pieces(const struct lane_rules *rules, const struct lane_requests *q)
{
    if (rules->pins)
        return q->attackers;
    const lanes stay = lanes_without(lanes_or(q->occupied, target_of(q)), q->attackers);
    return lanes_without(lanes_or(q->own, q->enemy), stay);
}

/* The second look, under rules that know kings: which of the open requests are decided after all, which can be played
 * out in lanes, and which cannot. */
LANES_INLINE void look_at_kings(const struct lane_rules *rules, const struct see_chunk *chunk, struct list *open,
                                struct list *playable, struct list *rest, int16_t *value, bool force)
{
    pad(open);
    for (size_t j = 0; j < open->n; j += LANES) {
        const struct packed some = pack(chunk, open->request + j);
        const struct lane_requests q = set_up_packed(rules, &some);
        const struct lane_decision d = decide(rules, &q);
        const lane_mask free = mask_not(king_may_matter(rules, &q, some.position));
        const unsigned known = force ? 0 : mask_bits(mask_or(d.certain, mask_and(d.known, free)));
        const unsigned plays = mask_bits(mask_or(d.certain, rules->pins ? free : mask_and(d.plain, free)));
        scatter(value, open->request + j, d.value);
        for (unsigned lane = 0; lane < LANES && j + lane < open->n; lane++) {
            playable->request[playable->n] = rest->request[rest->n] = open->request[j + lane];
            playable->n += ~known & plays & 1u << lane ? 1 : 0;
            rest->n += ~known & ~plays & 1u << lane ? 1 : 0;
        }
    }
}

/* Plays requests out, two registers at a time: they keep the processor busy where one waits for itself. */
LANES_INLINE void play_list(const struct lane_rules *rules, const struct see_chunk *chunk, struct list *list,
                            int16_t *value)
{
    pad(list);
    for (size_t j = 0; j < list->n; j += 2 * LANES) {
        const struct packed some[2] = {pack(chunk, list->request + j), pack(chunk, list->request + j + LANES)};
        const struct lane_requests q[2] = {set_up_packed(rules, &some[0]), set_up_packed(rules, &some[1])};
        lanes result[2];
        play_out(rules, q, result);
        scatter(value, list->request + j, result[0]);
        scatter(value, list->request + j + LANES, result[1]);
    }
}

/* Values of a chunk. */
LANES_INLINE void chunk_values(const struct lane_rules *rules, const struct see_requests *requests,
                               const struct see_chunk *chunk, int16_t *value, bool force)
{
    const unsigned every_lane = (1u << LANES) - 1;
    const bool kings_matter = rules->pins || rules->best_order;
    struct list open, playable, rest;
    struct chunk_boards boards;
    uint64_t exposed[SEE_CHUNK + SEE_CHUNK_PAD];
    load_boards(&boards, chunk);
    if (kings_matter)
        find_exposed(rules, requests, &boards, exposed);
    open.n = playable.n = rest.n = 0;
    for (size_t k = 0; k < chunk->n; k += LANES) {
        lanes plane[4];
        planes_of_requests(&boards, k, plane);
        const struct lane_requests q = set_up(rules, plane, chunk->move + k);
        const struct lane_decision d = decide(rules, &q);
        lane_mask known = d.known;
        if (kings_matter) {
            const lanes touchy = seen_from_target(&q, words_of_requests(chunk, exposed, k));
            known = mask_and(known, lanes_disjoint(leaving_pieces(rules, &q), touchy));
        }
        store_values(value + k, d.value);
        append(&open, k, force ? every_lane : mask_bits(mask_not(mask_or(d.certain, known))) & every_lane);
    }
    while (open.n && open.request[open.n - 1] >= chunk->n)
        open.n--;
    if (!open.n)
        return;
    if (!kings_matter) {
        play_list(rules, chunk, &open, value);
        return;
    }
    look_at_kings(rules, chunk, &open, &playable, &rest, value, force);
    if (playable.n)
        play_list(rules, chunk, &playable, value);
    for (size_t j = 0; j < rest.n; j++) {
        const uint16_t k = rest.request[j];
        const seebatch_position *position = see_position_of(chunk, k);
        value[k] = (int16_t)seebatch_scalar_value(
            rules->scalar, position, see_pins_of(requests, (size_t)(position - requests->positions)), chunk->move[k]);
    }
}

/* The families of rules: what a chunk is compiled for. */
static void plain_values(const struct lane_rules *rules, const struct see_requests *requests,
                         const struct see_chunk *chunk, int16_t *value, bool force)
{
    struct lane_rules plain = *rules;
    plain.promote_all = plain.pins = plain.best_order = false;
    chunk_values(&plain, requests, chunk, value, force);
}

static void promotions_values(const struct lane_rules *rules, const struct see_requests *requests,
                              const struct see_chunk *chunk, int16_t *value, bool force)
{
    struct lane_rules promotions = *rules;
    promotions.pins = promotions.best_order = false;
    chunk_values(&promotions, requests, chunk, value, force);
}

static void pins_values(const struct lane_rules *rules, const struct see_requests *requests,
                        const struct see_chunk *chunk, int16_t *value, bool force)
{
    struct lane_rules pins = *rules;
    pins.pins = true;
    pins.best_order = false;
    chunk_values(&pins, requests, chunk, value, force);
}

static void legal_values(const struct lane_rules *rules, const struct see_requests *requests,
                         const struct see_chunk *chunk, int16_t *value, bool force)
{
    struct lane_rules legal = *rules;
    legal.pins = legal.special_zero = false;
    legal.best_order = true;
    chunk_values(&legal, requests, chunk, value, force);
}

typedef void chunk_function(const struct lane_rules *, const struct see_requests *, const struct see_chunk *, int16_t *,
                            bool);

static chunk_function *family_of(const struct lane_rules *rules)
{
    return rules->best_order    ? legal_values
           : rules->pins        ? pins_values
           : rules->promote_all ? promotions_values
                                : plain_values;
}

/* Whether the lanes do better than the scalar code: not for fewer requests than few, nor where a side chooses its order
 * and the values do not rise with the types, so that least valuable first is not known to be the best. */
static bool lanes_help(const seebatch_rules *rules, const struct see_requests *requests, size_t few, bool force)
{
    return (force || see_requests_count(requests) >= few) &&
           (rules->order != SEEBATCH_BEST_ORDER || see_values_rise(rules));
}

void LANES_VALUES(const seebatch_rules *rules, const struct see_requests *requests, int16_t *values,
                          unsigned flags)
{
    const bool force = flags & SEE_FORCE_LANES;
    if (!lanes_help(rules, requests, 2, force)) {
        seebatch_scalar_values(rules, requests, values, flags);
        return;
    }
    const struct lane_rules r = lane_rules_of(rules);
    chunk_function *const values_of = family_of(&r);
    struct see_cursor cursor = {0, 0};
    struct see_chunk chunk;
    int16_t value[SEE_CHUNK + SEE_CHUNK_PAD];
    while (see_next_chunk(requests, &cursor, &chunk)) {
        values_of(&r, requests, &chunk, value, force);
        memcpy(values, value, chunk.n * sizeof *values);
        values += chunk.n;
    }
}

void LANES_GE(const seebatch_rules *rules, const struct see_requests *requests, const int16_t *thresholds,
                      size_t step, uint64_t *mask, unsigned flags)
{
    const bool force = flags & SEE_FORCE_LANES;
    if (!lanes_help(rules, requests, 3, force)) {
        seebatch_scalar_ge(rules, requests, thresholds, step, mask, flags);
        return;
    }
    const struct lane_rules r = lane_rules_of(rules);
    chunk_function *const values_of = family_of(&r);
    struct see_cursor cursor = {0, 0};
    struct see_chunk chunk;
    int16_t value[SEE_CHUNK + SEE_CHUNK_PAD], threshold[SEE_CHUNK];
    for (size_t k = 0; k < SEE_CHUNK && !step; k++)
        threshold[k] = *thresholds;
    thresholds += requests->offsets[0] * step;
    while (see_next_chunk(requests, &cursor, &chunk)) {
        values_of(&r, requests, &chunk, value, force);
        if (step)
            memcpy(threshold, thresholds, chunk.n * sizeof *threshold);
        thresholds += chunk.n * step;
        for (size_t k = 0; k < chunk.n; k += 64) {
            const uint64_t word = at_least(value + k, threshold + k);
            const size_t left = chunk.n - k;
            *mask++ = left < 64 ? word & ((UINT64_C(1) << left) - 1) : word;
        }
    }
}
