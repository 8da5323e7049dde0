/*
 * The lengths of many exchanges, in lanes: how many captures there are if no side stops before it has to. A kernel
 * includes this behind its words (contract.h), with one more:
 *
 *   lanes_count   the number of bits of each lane
 *
 * scalar/turns.c says when a length follows from how many attackers each side has. Whether a king may keep one of them
 * from capturing is asked as for values (open_requests.h). The rest goes to seebatch_exchange_length().
 */
#ifndef SEEBATCH_LANES_LENGTHS_H
#define SEEBATCH_LANES_LENGTHS_H

#include "open_requests.h"

/* Pieces that capture on the target, kings apart, and the sliders right behind them. others is not empty where numbers
 * do not tell: a slider stands behind a piece of the other side, or behind a king, or deeper in a line. */
struct lane_capturers {
    lanes all, behind, others;
};

LANES_INLINE struct lane_capturers capturers_of(const struct lane_requests *q)
{
    const lanes first = lanes_without(q->attackers, q->kings);
    const lanes without_own = lanes_without(q->occupied, lanes_without(first, q->enemy));
    const lanes without_enemy = lanes_without(q->occupied, lanes_and(first, q->enemy));
    const lanes behind_own = lanes_without(sliders_to(q, without_own), q->attackers);
    const lanes behind_enemy = lanes_without(sliders_to(q, without_enemy), q->attackers);
    struct lane_capturers c;
    c.behind = lanes_or(behind_own, behind_enemy);
    c.all = lanes_or(first, c.behind);
    c.others = lanes_or(lanes_or(lanes_and(behind_own, q->enemy), lanes_without(behind_enemy, q->enemy)),
                        sliders_to(q, lanes_without(q->occupied, lanes_or(q->attackers, c.behind))));
    return c;
}

/* As length_of_turns(); near: kings that attack the target. */
LANES_INLINE lanes lengths_of_turns(const struct lane_requests *q, lanes capturers, lanes near)
{
    const lanes n = lanes_count(lanes_and(capturers, q->enemy)),
                further = lanes_count(lanes_without(capturers, q->enemy));
    const lanes turns = value_min(n, further), left = value_sub(n, further);
    const lane_mask no_king = lanes_disjoint(near, q->enemy),
                    no_first_king = lanes_empty(lanes_without(near, q->enemy));
    const lane_mask first_is_last = value_less(further, n);
    /* The side whose last capture it is has its king take, if that of the other side does not guard. */
    const lane_mask king_takes = mask_without(lanes_empty(left), no_king),
                    first_king_takes = mask_without(lanes_equal(left, lanes_all(1)), no_first_king);
    const lane_mask one_more = mask_or(mask_and(king_takes, no_first_king), mask_and(first_king_takes, no_king));
    const lanes one = lanes_all(1);
    lanes length = value_add(value_add(turns, turns), one);
    length = value_add(length, lanes_select(first_is_last, one, lanes_zero()));
    return value_add(length, lanes_select(one_more, one, lanes_zero()));
}

/* Requests in which no king keeps a piece from capturing. */
LANES_INLINE lane_mask are_free(const struct lane_rules *rules, const struct lane_requests *q,
                                const struct lane_capturers *c, const struct see_chunk *chunk, const uint64_t *blockers,
                                size_t k, lane_mask asked)
{
    const lanes may_matter = words_of_requests(chunk, blockers, k);
    const lane_mask free = rules->pins
                               ? lanes_disjoint(lanes_or(q->attackers, c->behind), seen_from_target(q, may_matter))
                               : untouched(rules, q, c->behind, may_matter);
    if (!(mask_bits(mask_without(asked, free)) & EVERY_LANE))
        return free;
    const seebatch_position *position[LANES];
    for (size_t lane = 0; lane < LANES; lane++)
        position[lane] = see_position_of(chunk, k + lane);
    return mask_or(free, mask_not(king_may_matter(rules, q, c->behind, position)));
}

/* The lengths of a register of requests; returns the bits of those that numbers do not tell. */
LANES_INLINE unsigned count_register(const struct lane_rules *rules, const struct see_chunk *chunk,
                                     const struct chunk_boards *boards, const uint64_t *blockers, size_t k,
                                     int16_t *length)
{
    lanes plane[4];
    lane_mask plain;
    planes_of_requests(boards, k, plane);
    const struct lane_requests q = init_requests(rules, plane, chunk->move + k, &plain);
    const struct lane_capturers c = capturers_of(&q);
    const lanes near = lanes_and(q.attackers, q.kings);
    const lane_mask one_king_each =
        mask_and(at_most_one(lanes_and(near, q.enemy)), at_most_one(lanes_without(near, q.enemy)));
    const lane_mask capture = mask_without(plain, lanes_disjoint(target_of(&q), q.enemy));
    lane_mask known = mask_and(lanes_empty(c.others), one_king_each);
    if (kings_matter(rules))
        known = mask_and(known, are_free(rules, &q, &c, chunk, blockers, k, mask_and(known, capture)));
    /* What a king captures first nothing takes back. */
    const lane_mask by_king = q.no_recapture;
    store_values(length + k, lanes_select(by_king, lanes_all(1), lengths_of_turns(&q, c.all, near)));
    return ~mask_bits(mask_and(capture, mask_or(known, by_king))) & EVERY_LANE;
}

/* The lengths of a chunk's requests. */
LANES_INLINE void count_chunk(const struct lane_rules *rules, const seebatch_batch *batch,
                              const struct see_chunk *chunk, uint8_t *lengths)
{
    const size_t n = chunk->n;
    int16_t length[SEE_CHUNK + SEE_CHUNK_PAD];
    uint64_t blockers[SEE_CHUNK_POSITIONS + SEE_CHUNK_PAD];
    struct chunk_boards boards;
    struct list open;
    open.n = 0;
    load_boards(&boards, chunk);
    if (kings_matter(rules))
        find_king_blockers(rules, batch, &boards, blockers);
    for (size_t k = 0; k < n; k += LANES)
        append(&open, k, count_register(rules, chunk, &boards, blockers, k, length));
    cut_off(&open, n);
    for (size_t k = 0; k < n; k++)
        lengths[k] = (uint8_t)length[k];
    for (size_t j = 0; j < open.n; j++) {
        const uint16_t k = open.request[j];
        lengths[k] = (uint8_t)seebatch_exchange_length(rules->scalar, see_position_of(chunk, k), chunk->move[k]);
    }
}

/* see_lengths, under rules without rays; compiled for rules that know no kings, that read pins, and under which every capture is legal. */
LANES_INLINE void lanes_lengths(const seebatch_rules *rules, const seebatch_batch *batch, uint8_t *lengths)
{
    struct see_cursor cursor = {0, 0};
    struct see_chunk chunk;
    struct lane_rules given;
    init_lane_rules(&given, rules);
    given.promotion_bits = 7 << 12; /* promotions are none of the plain captures */
    while (see_next_chunk(batch, &cursor, &chunk, expand_eight)) {
        struct lane_rules r = given;
        if (given.any_order) {
            specialize(&r, false, false, true);
            count_chunk(&r, batch, &chunk, lengths);
        } else if (given.pins) {
            specialize(&r, false, true, false);
            count_chunk(&r, batch, &chunk, lengths);
        } else {
            specialize(&r, false, false, false);
            count_chunk(&r, batch, &chunk, lengths);
        }
        lengths += chunk.n;
    }
}

#endif
