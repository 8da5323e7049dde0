/*
 * Finds the lengths of exchanges in lanes: how many captures there are if no side stops before it has to.
 * four/lane_chunks.h calls count_attackers() and count_list() for seebatch_batch_lengths(). avx512/ray_chunks.h counts
 * the attackers along rays, and avx512/ray_batch.h calls count_list().
 *
 * In most exchanges neither pins nor the order matter, and the length follows from the numbers of attackers: both sides
 * capture in turns until one has no attacker left. This holds if no king keeps one of the pieces that take part from
 * capturing (no_king_matters_to()); if no slider stands behind an attacker of the other side, because it would join
 * only if that attacker captured; and if no line has a third slider. A king captures last, and only where nothing
 * guards the square any more.
 *
 * decide() finds the attackers and the sliders right behind them. Where no king matters, they are counted there. The
 * other queries go through registers once more, where each of the questions above is asked; the few that are left go to
 * seebatch_exchange_length().
 */
#ifndef SEEBATCH_LANES_LENGTHS_H
#define SEEBATCH_LANES_LENGTHS_H

#include "capture_counts.h"
#include "pending_queries.h"

/* The pieces that capture on the target, except for kings, and the sliders right behind them. `others` is not empty
 * where the numbers of attackers do not tell the length: a slider stands behind a piece of the other side, or behind a
 * king, or a second x-ray slider follows. */
struct lane_capturers {
    lanes all, behind, others;
};

LANES_INLINE struct lane_capturers capturers_of(const struct lane_queries *q)
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

/* Counts the captures of a register of queries, with kings last, and writes the lengths. Returns the bits of the
 * queries for which these are right: the first move is a capture and no promotion, and either the numbers of
 * attackers tell the length, or a king makes the first move, so that nothing takes back. attackers: the pieces that
 * are counted. */
LANES_INLINE unsigned count_attackers(const struct lane_queries *q, const seebatch_move move[LANES], lanes attackers,
                                      lane_mask numbers_tell, int16_t length[LANES])
{
    const lanes near = lanes_and(q->attackers, q->kings), promotion = lanes_all(7 << 12);
    const lane_mask one_king_each = one_king_each_of(q->enemy, near);
    const lane_mask capture =
        mask_without(lanes_disjoint(load_words(move), promotion), lanes_disjoint(target_of(q), q->enemy));
    const lane_mask by_king = q->no_recapture;
    const lanes turns = capture_counts_of(q->enemy, lanes_without(attackers, q->kings), near);
    store_values(length, lanes_select(by_king, lanes_all(1), turns));
    return mask_bits(mask_and(capture, mask_or(mask_and(one_king_each, numbers_tell), by_king))) & EVERY_LANE;
}

/* The queries in which no king keeps a piece from capturing. */
LANES_INLINE lane_mask no_king_matters_to(const struct lane_rules *rules, const struct lane_queries *q,
                                          const struct lane_capturers *c, const struct packed *queries, lanes blockers)
{
    const lane_mask without_blockers =
        rules->reads_pins ? lanes_disjoint(lanes_or(q->attackers, c->behind), seen_from_target(q, blockers))
                          : untouched(rules, q, c->behind, blockers);
    return mask_or(without_blockers, mask_not(king_may_matter(rules, q, c->behind, queries->position)));
}

/* Writes the lengths of a list's queries. `blockers` are those of chunk_state, by position. */
LANES_INLINE void count_list(const struct lane_rules *rules, const struct see_chunk *chunk, const uint64_t *blockers,
                             struct list *list, int16_t *length)
{
    pad(list);
    for (size_t j = 0; j < list->n; j += LANES) {
        const uint16_t *query = list->query + j;
        const struct packed queries = pack(chunk, query);
        const struct lane_queries q = init_queries_on(rules, queries.position, queries.move);
        const struct lane_capturers c = capturers_of(&q);
        lane_mask numbers_tell = lanes_empty(c.others);
        if (kings_matter(rules)) {
            uint64_t its_blockers[LANES];
            for (int lane = 0; lane < LANES; lane++)
                its_blockers[lane] = blockers[chunk->index[query[lane]]];
            numbers_tell =
                mask_and(numbers_tell, no_king_matters_to(rules, &q, &c, &queries, lanes_load(its_blockers)));
        }
        int16_t result[LANES];
        const unsigned counted = count_attackers(&q, queries.move, c.all, numbers_tell, result);
        for (int lane = 0; lane < LANES; lane++) {
            const bool known = counted >> lane & 1;
            length[query[lane]] =
                known ? result[lane]
                      : (int16_t)seebatch_exchange_length(rules->whole, queries.position[lane], queries.move[lane]);
        }
    }
}

#endif
