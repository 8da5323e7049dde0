/*
 * The swap loop in lanes: it plays the exchanges that the decision leaves pending, capture by capture, with one in each
 * lane. scalar/swap.h has the same loop for a single exchange. Only the passes of pending_queries.h call swap_loop();
 * one_position.h calls it through them.
 */
#ifndef SEEBATCH_LANES_SWAP_LOOP_H
#define SEEBATCH_LANES_SWAP_LOOP_H

#include "decide.h"

/* An exchange in progress in each lane, as in the loop of scalar/swap.h. All values are those of the first mover. */
struct lane_exchange {
    lanes occupied, attackers;
    lanes balance, victim;
    lanes low, high; /* the value is resolved where they meet */
    /* The next three are for rules under which each side chooses its order: the sliders right behind the first
     * attackers, */
    lanes behind;
    lanes cheap;       /* those of them that are no queens, */
    lanes second_xray; /* and those right behind both. */
    /* not 0 where another order may have been better; this is no mask, because mask registers are scarce */
    lanes doubt;
};

/* A pin line: the line from an enemy slider, the sniper, to a king. A check opens on it once nothing stands in between,
 * as long as the sniper stands. */
struct lane_pin_line {
    lanes sniper, in_between;
    lanes own; /* all ones where the king is the first mover's, otherwise 0 */
};

/* Finds the pieces of the side to whose king the line leads that may not capture now: all but the king if the check is
 * open, and if one piece is left in between, that piece. */
LANES_INLINE lanes pinned_by_line(const struct lane_queries *q, const struct lane_exchange *x,
                                  const struct lane_pin_line *pin_line, bool first_movers_turn)
{
    const lanes in_between = lanes_and(pin_line->in_between, x->occupied);
    const lanes all_but_king = lanes_xor(q->kings, lanes_all(-1));
    const lane_mask unpinned =
        mask_or(mask_not(at_most_one(in_between)), lanes_disjoint(pin_line->sniper, x->occupied));
    const lanes pinned = lanes_unless(unpinned, lanes_select(lanes_empty(in_between), all_but_king, in_between));
    return first_movers_turn ? lanes_and(pinned, pin_line->own) : lanes_without(pinned, pin_line->own);
}

/* Returns lanes that are not 0 where a capture may matter to a king in another way than the side's other captures do:
 * it uncovers its own king; the capturing piece is the sniper; or another capture would uncover the enemy's king. */
LANES_INLINE lanes pin_line_matters(const struct lane_exchange *x, const struct lane_pin_line *pin_line, lanes mine,
                                    lanes from, lanes side, bool first_movers_turn)
{
    const lanes to_own = lanes_and(pin_line->in_between, from);
    const lanes others = lanes_without(lanes_and(lanes_or(mine, x->behind), side), from);
    const lanes uncovering = lanes_and(lanes_and(pin_line->in_between, x->occupied), others);
    const lanes to_enemy =
        lanes_or(lanes_and(pin_line->sniper, from), lanes_select(lanes_empty(to_own), uncovering, lanes_zero()));
    const lanes own = first_movers_turn ? to_own : to_enemy, enemy = first_movers_turn ? to_enemy : to_own;
    return lanes_or(lanes_and(own, pin_line->own), lanes_without(enemy, pin_line->own));
}

/*
 * Finds, where each side chooses its order, the exchanges that go on and in which capturing with the least valuable
 * piece may not be the best at this turn, because the capture does not make the side's other captures needless
 * (docs/internals/legal.md has an example). Lines to kings take account of the first attackers and the sliders right
 * behind them, and of no other pieces. `mine` are the side's pieces that may capture, `from` is the piece that
 * captures, and `appeared` are the pieces that attack now and did not before.
 */
LANES_INLINE lane_mask doubtful(const struct lane_queries *q, const struct lane_exchange *x,
                                const struct lane_pin_line *pin_line, lanes mine, lanes from, lanes appeared,
                                lanes side, bool first_movers_turn)
{
    const lanes let_out = lanes_without(appeared, side), behind_queens = lanes_and(x->cheap, side);
    const lane_mask not_dear = lanes_disjoint(from, lanes_or(q->rooks, q->queens));
    const lane_mask no_queens = lanes_disjoint(lanes_without(mine, from), q->queens);
    const lanes cheaper = lanes_unless(mask_or(not_dear, no_queens), behind_queens);
    lanes differs = lanes_or(lanes_or(let_out, cheaper), x->second_xray);
    if (pin_line)
        differs = lanes_or(differs, pin_line_matters(x, pin_line, mine, from, side, first_movers_turn));
    const lane_mask no_choice = mask_or(lanes_empty(differs), at_most_one(mine));
    const lane_mask certain = mask_and(no_choice, lanes_disjoint(from, x->second_xray));
    return mask_not(mask_or(certain, lanes_equal(x->low, x->high)));
}

/* Finds where a capture would get the side more than it is sure of if nothing took back. No pawn may promote. */
LANES_INLINE lane_mask may_help(const struct lane_exchange *x, bool first_movers_turn)
{
    return first_movers_turn ? value_less(x->low, value_add(x->balance, x->victim))
                             : value_less(value_sub(x->balance, x->victim), x->high);
}

/* The pins, under rules that have them: the blockers of the first mover's king (0) and of the opponent's (1), and the
 * pieces that pin them. Where pieces may capture along their pins (scalar/ray.h), blockers[] has the pinned pieces of
 * both sides. */
struct lane_pins {
    lanes blockers[2], pinners[2];
};

/* The pieces of a side that are pinned now. */
LANES_INLINE lanes pinned_now(const struct lane_rules *rules, const struct lane_queries *q,
                              const struct lane_exchange *x, const struct lane_pins *pins, bool first_movers_turn)
{
    const lanes pinners = pins->pinners[!first_movers_turn], blockers = pins->blockers[!first_movers_turn];
    switch (rules->scalar->pins) {
    case SEEBATCH_PINS_ANY: return lanes_unless(lanes_disjoint(pinners, x->occupied), blockers);
    case SEEBATCH_PINS_ALL:
        return lanes_unless(mask_or(lanes_empty(pinners), mask_not(lanes_empty(lanes_without(pinners, x->occupied)))),
                            blockers);
    case SEEBATCH_PINS_RAY_STANDING: /* one that the first move captured counts as standing, too */
        return lanes_unless(lanes_disjoint(pinners, lanes_or(x->occupied, target_of(q))), blockers);
    case SEEBATCH_PINS_RAY_EACH: return blockers;
    default: /* The pinned pieces were none of the first attackers. */ return lanes_zero();
    }
}

/* Finds the attackers after a capture, under rules that leave pinned pieces out of the first attackers: the attackers
 * that are left, and all sliders that now attack along a line of the capturing piece's kind. After a king's capture
 * only the sliders join that it uncovered. */
LANES_INLINE lanes attackers_left(const struct lane_queries *q, const struct lane_exchange *x, lanes from,
                                  lane_mask no_king_moves)
{
    const struct lane_sliders now = sliders_by_direction(q, x->occupied);
    const lane_mask not_orthogonal = lanes_disjoint(from, lanes_or(q->rooks, q->queens));
    const lane_mask not_diagonal = lanes_disjoint(from, lanes_or(q->pawns, lanes_or(q->bishops, q->queens)));
    lanes let_in = lanes_or(lanes_unless(not_orthogonal, now.orthogonal), lanes_unless(not_diagonal, now.diagonal));
    if (mask_bits(mask_not(no_king_moves)) & EVERY_LANE) {
        const lanes before = sliders_to(q, lanes_or(x->occupied, from));
        const lanes uncovered = lanes_without(lanes_or(now.orthogonal, now.diagonal), before);
        let_in = lanes_or(let_in, lanes_unless(no_king_moves, uncovered));
    }
    return lanes_or(lanes_and(x->attackers, x->occupied), let_in);
}

/* What keeps pieces from capturing: the only pin line on which a check may open, or pins. Both are NULL if nothing
 * does. */
struct lane_pinning {
    const struct lane_pin_line *pin_line;
    const struct lane_pins *pins;
};

/* One turn of a side, the first mover or the opponent: it captures where a capture may help, and otherwise the exchange
 * ends. */
LANES_INLINE void swap_turn(const struct lane_rules *rules, const struct lane_queries *q, struct lane_exchange *x,
                            struct lane_pinning pinning, bool first_movers_turn)
{
    const lanes side = first_movers_turn ? q->own : q->enemy, other = first_movers_turn ? q->enemy : q->own;
    if (first_movers_turn) /* stopping now is one of his choices: the value is at least the balance */
        x->low = value_min(x->high, value_max(x->low, x->balance));
    else
        x->high = value_max(x->low, value_min(x->high, x->balance));

    lanes mine = lanes_and(x->attackers, side);
    if (pinning.pin_line)
        mine = lanes_without(mine, pinned_by_line(q, x, pinning.pin_line, first_movers_turn));
    if (pinning.pins)
        mine = lanes_without(mine, pinned_now(rules, q, x, pinning.pins, first_movers_turn));
    const struct lane_least least = least_valuable(rules, q, mine);
    const lanes from = lowest_square_of(q, least.pieces);
    const lanes before = x->attackers;
    x->occupied = lanes_without(x->occupied, from);
    const lane_mask no_king_moves = lanes_disjoint(from, q->kings);
    if (pinning.pins && see_pin_rule_is_once(rules->scalar->pins))
        x->attackers = attackers_left(q, x, from, no_king_moves);
    else
        x->attackers = lanes_or(lanes_and(q->leapers, x->occupied), sliders_to(q, x->occupied));

    /* The exchange ends here if the side has no piece to capture with, or only a king that would be in check. */
    const lane_mask unguarded = lanes_disjoint(x->attackers, other);
    lane_mask ends = mask_or(lanes_empty(mine), mask_not(mask_or(no_king_moves, unguarded)));
    if (rules->best_order) {
        const lanes appeared = lanes_without(x->attackers, before);
        const lane_mask doubt = doubtful(q, x, pinning.pin_line, mine, from, appeared, side, first_movers_turn);
        const lane_mask helps = may_help(x, first_movers_turn);
        x->doubt = lanes_select(mask_and(helps, doubt), lanes_all(-1), x->doubt);
        ends = mask_or(ends, mask_not(helps));
    }
    if (first_movers_turn)
        x->high = lanes_select(ends, x->low, x->high);
    else
        x->low = lanes_select(ends, x->high, x->low);

    lanes won = x->victim;
    x->victim = least.value;
    if (rules->promote_all && !rules->best_order) {
        const lane_mask promotes = mask_without(q->last_rank, lanes_disjoint(from, q->pawns));
        const lanes queen = rules->value[SEEBATCH_QUEEN];
        won = lanes_select(promotes, value_add(won, value_sub(queen, rules->value[SEEBATCH_PAWN])), won);
        x->victim = lanes_select(promotes, queen, x->victim);
    }
    x->balance = first_movers_turn ? value_add(x->balance, won) : value_sub(x->balance, won);
}

/* Begins the exchanges. Those in lanes that are not wanted are over before they begin. */
LANES_INLINE struct lane_exchange begin_exchange(const struct lane_rules *rules, const struct lane_queries *q,
                                                 lane_mask wanted)
{
    struct lane_exchange x;
    x.occupied = q->occupied;
    x.attackers = q->attackers;
    if (notes_no_recapture(rules))
        x.attackers = lanes_select(q->no_recapture, lanes_without(q->attackers, q->enemy), q->attackers);
    x.balance = q->gain;
    x.victim = q->victim;
    x.low = value_all(-FAR);
    x.high = lanes_select(wanted, value_all(FAR), x.low);
    x.doubt = x.behind = x.cheap = x.second_xray = lanes_zero();
    if (rules->best_order) {
        const lanes occupied = lanes_without(q->occupied, q->attackers);
        x.behind = sliders_to(q, occupied);
        x.cheap = lanes_without(x.behind, q->queens);
        x.second_xray = sliders_to(q, lanes_without(occupied, x.behind));
    }
    return x;
}

/* The swap loop, in the lanes that are wanted. Where each side chooses its order, *doubt becomes the lanes whose values
 * may be wrong. */
LANES_INLINE void swap_loop(const struct lane_rules *rules, const struct lane_queries *q, struct lane_pinning pinning,
                            lane_mask wanted, lanes *value, lane_mask *doubt)
{
    struct lane_exchange x = begin_exchange(rules, q, wanted);
    if (pinning.pins && see_pin_rule_is_once(rules->scalar->pins))
        x.attackers = lanes_without(x.attackers, pinning.pins->blockers[0]);
    do {
        swap_turn(rules, q, &x, pinning, false);
        swap_turn(rules, q, &x, pinning, true);
    } while (!value_all_equal(x.low, x.high));
    *value = x.low;
    *doubt = mask_not(lanes_empty(x.doubt));
}

#endif
