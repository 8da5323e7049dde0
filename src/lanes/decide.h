/*
 * The decision: bounds on the value of an exchange, found from the sets of attackers without the swap loop. Most often
 * the bounds are equal, and the query needs nothing more. docs/internals/algorithm.md derives them, with an example;
 * scalar/bounds.h has the same for a single move. The registers of one position (one_position.h), chunks in four lanes
 * (four/lane_chunks.h) and the passes of pending_queries.h call decide(), and decide_further() where more pays.
 */
#ifndef SEEBATCH_LANES_DECIDE_H
#define SEEBATCH_LANES_DECIDE_H

#include "capture_counts.h"

enum { FAR = 20000 /* beyond every value */ };

/* The enemy pieces that may recapture: none where no recapture is possible, as after a king's move. Rules without
 * promotions need no such exception, because a piece that cannot be recaptured counts as worth nothing, and nobody
 * gains by capturing it. */
LANES_INLINE lanes recapturers(const struct lane_rules *rules, const struct lane_queries *q)
{
    const lanes theirs = lanes_and(q->attackers, q->enemy);
    return notes_no_recapture(rules) ? lanes_unless(q->no_recapture, theirs) : theirs;
}

/* What can be decided without the swap loop. */
struct lane_decision {
    lanes value;
    lane_mask certain;  /* no recapture: the value holds whatever may capture */
    lane_mask resolved; /* the value holds if every attacker may capture */
    lanes least, most;  /* bounds on the value */
    lane_mask bounded;  /* they hold if every attacker may capture */
    lane_mask promotes; /* a pawn may promote later */
    lanes xray;         /* the sliders right behind the attackers */
};

LANES_INLINE struct lane_decision decide(const struct lane_rules *rules, const struct lane_queries *q)
{
    struct lane_decision d;
    d.xray = sliders_to(q, lanes_without(q->occupied, q->attackers));
    const lanes theirs = recapturers(rules, q);
    const lanes ours = lanes_without(q->attackers, q->enemy);
    const lane_mask single_theirs = at_most_one(theirs), single_ours = at_most_one(ours);

    const lanes w = least_value(rules, q, theirs), u = least_value(rules, q, ours);
    const lanes loses_least = value_saturating_sub(q->victim, w);
    const lanes loses_most = value_saturating_sub(q->victim, value_saturating_sub(w, u));

    d.certain = lanes_empty(theirs);
    const lanes ours_later = lanes_without(lanes_or(q->attackers, d.xray), q->enemy);
    const lane_mask none_ours = mask_without(lanes_empty(ours_later), d.certain);
    const lane_mask all_seen = lanes_empty(d.xray), alone = mask_or(single_theirs, single_ours);
    const lane_mask meet = lanes_equal(loses_least, loses_most);
    d.bounded = lanes_empty_or(d.xray, rules->monotonic_lanes);
    d.resolved = mask_or(none_ours, mask_or(mask_and(all_seen, alone), mask_and(d.bounded, meet)));
    d.promotes = mask_of_bits(0);
    if (rules->promote_all) { /* pawns that capture on the last rank are worth more than a pawn */
        d.promotes = mask_without(q->last_rank, lanes_disjoint(q->attackers, q->pawns));
        d.resolved = mask_without(d.resolved, d.promotes);
        d.bounded = mask_without(d.bounded, d.promotes);
    }
    /* If nobody can recapture, w is more than everything, so that nothing is lost; if no piece of ours can answer, u is
     * more than everything, and the whole victim is lost. */
    const lanes loses = lanes_select(mask_without(single_theirs, none_ours), loses_least, loses_most);
    d.value = value_sub(q->gain, loses);
    d.least = value_sub(q->gain, loses_most);
    d.most = value_sub(q->gain, loses_least);
    return d;
}

/* Against a threshold, bounds are as good as the value if both reach the threshold or both fail it. The value that is
 * given is one of the bounds, so either answer is right. */
LANES_INLINE void decide_against(struct lane_decision *d, lanes threshold)
{
    const lane_mask fails = value_less(d->most, threshold),
                    pending = mask_without(value_less(d->least, threshold), fails);
    d->resolved = mask_or(d->resolved, mask_without(d->bounded, pending));
}

/*
 * Decides some more of what decide() leaves pending. The further decision takes too long for all queries, but is far
 * shorter than the loop.
 *
 * If there are no x-ray attackers and the enemy has two attackers, the second enemy attacker captures the piece that
 * captured the first one, and is lost to another attacker of ours. If one side has a single attacker, x-ray attackers
 * counted, the other side's x-ray sliders join in time, provided that nothing stands behind them.
 */
LANES_INLINE void decide_further(const struct lane_rules *rules, const struct lane_queries *q, struct lane_decision *d)
{
    const lanes theirs = recapturers(rules, q);
    const lanes ours = lanes_and(q->attackers, q->own);
    const struct lane_least w = least_valuable(rules, q, theirs);
    const lanes others = lanes_without(theirs, lanes_and(w.pieces, lanes_sub(lanes_zero(), w.pieces)));
    const lanes loses = value_saturating_sub(least_value(rules, q, ours), least_value(rules, q, others));
    const lanes two_lose = value_sub(q->gain, value_saturating_sub(q->victim, value_saturating_sub(w.value, loses)));
    const lane_mask two = mask_and(lanes_empty(d->xray), at_most_one(others));
    lane_mask resolved_here = two;
    lanes value = two_lose;
    if (!rules->reads_pins) {
        const lanes seen = lanes_or(q->attackers, d->xray);
        const lane_mask no_second_xray = lanes_empty(sliders_to(q, lanes_without(q->occupied, seen)));
        /* A king that is the only attacker cannot capture on a guarded square, so that the sliders behind it do not
         * help. */
        const lane_mask no_help =
            mask_or(lanes_disjoint(d->xray, q->enemy), lanes_empty(lanes_without(theirs, q->kings)));
        const lane_mask single_theirs = mask_and(at_most_one(theirs), no_help);
        const lane_mask single_ours = mask_and(at_most_one(ours), lanes_disjoint(d->xray, q->own));
        value = lanes_select(two, value, lanes_select(single_theirs, d->most, d->least));
        resolved_here = mask_or(resolved_here, mask_and(no_second_xray, mask_or(single_theirs, single_ours)));
    }
    resolved_here = mask_without(resolved_here, mask_or(d->certain, mask_or(d->resolved, d->promotes)));
    d->value = lanes_select(resolved_here, value, d->value);
    d->resolved = mask_or(d->resolved, resolved_here);
}

#endif
