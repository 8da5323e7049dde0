/*
 * Finds pins along which a piece may capture, for the four rules whose names begin with SEEBATCH_PINS_RAY_.
 *
 * A piece is pinned if it stands alone between a king and an enemy slider, unless the square of the exchange is on one
 * line with the two. Blockers are found once, on the board before the first move (pins.c), and for each square of an
 * exchange those that stand on the lines from it to the kings do not count. What pinned pieces may not do differs from
 * rule to rule:
 *
 *     once, once-both   They are left out of the first attackers. After that the exchange is that of the swap
 *                       algorithm: each capture lets every slider in that attacks along a line of its kind, pinned ones
 *                       as well.
 *     each              They are skipped at every turn.
 *     standing          The same, as long as a piece that pins one of their side stands.
 *
 * Under the last two rules they still guard the square against a king.
 */
#ifndef SEEBATCH_SCALAR_RAY_H
#define SEEBATCH_SCALAR_RAY_H

#include "exchange.h"
#include "api/rules.h"

/* The line through a king and another square, without the king; empty if they are not on one. */
static inline uint64_t line_through(int king, int to)
{
    const struct see_square *s = &seebatch_squares[king];
    const uint64_t bit = square_bb(to);
    return (s->file & bit ? s->file : 0) | (s->rank & bit ? s->rank : 0) | (s->diagonal & bit ? s->diagonal : 0) |
           (s->antidiagonal & bit ? s->antidiagonal : 0);
}

/* The pinned pieces of both sides. A piece that may capture along its line to one king does not count as pinned, even
 * if it stands in front of both. */
static inline uint64_t pinned_pieces(const seebatch_pins *pins, int pin_rule, uint64_t white, uint64_t kings, int to)
{
    uint64_t pinned = 0, freed = 0;
    for (int color = SEEBATCH_WHITE; color <= SEEBATCH_BLACK; color++) {
        const uint64_t own = color == SEEBATCH_WHITE ? white : ~white;
        uint64_t blockers = pins->blockers[color];
        if (!see_pin_rule_holds_for_either(pin_rule))
            blockers &= own;
        if (!blockers)
            continue;
        pinned |= blockers;
        freed |= blockers & line_through(lowest_square(kings & own), to);
    }
    return pinned & ~freed;
}

/* Finds the pinned pieces of an exchange that has its attackers and pins, and under the rules `once` leaves them out of
 * the attackers. */
static inline void find_pinned_pieces(struct exchange *x, int pin_rule)
{
    x->pinned = pinned_pieces(&x->pins, pin_rule, x->of_color[SEEBATCH_WHITE], x->of_type[SEEBATCH_KING], x->to);
    if (see_pin_rule_is_once(pin_rule))
        x->attackers &= ~x->pinned;
}

/* The attackers of a side that may capture now. Its king is included without a check. A piece that pins stands until it
 * has moved; if it was captured, it was on the square. */
static inline uint64_t ray_attackers(const struct exchange *x, int pin_rule, int color)
{
    const uint64_t attackers = x->attackers & x->of_color[color];
    const bool holds =
        pin_rule == SEEBATCH_PINS_RAY_EACH ||
        (pin_rule == SEEBATCH_PINS_RAY_STANDING && x->pins.pinners[color] & (x->occupied | square_bb(x->to)));
    return holds ? attackers & ~x->pinned : attackers;
}

/* The enemies that attack the square once a king has captured there. Under the rules `once`, which leave pinned pieces
 * out, only the other attackers count, and the sliders behind the square that the king leaves. */
static inline uint64_t ray_guards(const struct exchange *x, int pin_rule, int color, uint64_t king)
{
    struct exchange after = *x;
    remove_attacker(&after, SEEBATCH_KING, king);
    if (see_pin_rule_is_once(pin_rule))
        after.attackers &= x->attackers | ~(diagonal_attackers(x, x->occupied) | orthogonal_attackers(x, x->occupied));
    return after.attackers & x->of_color[!color];
}

/* Whether certainly no attacker is pinned: by the caller's pins, or because none stands on a line from a king to a
 * slider. */
static inline bool no_attacker_is_pinned(const struct exchange *x, int pin_rule, const seebatch_pins *pins)
{
    uint64_t pinned = 0;
    for (int color = SEEBATCH_WHITE; color <= SEEBATCH_BLACK; color++) {
        const uint64_t attackers =
            see_pin_rule_holds_for_either(pin_rule) ? x->attackers : x->attackers & x->of_color[color];
        pinned |= attackers & (pins ? pins->blockers[color] : slider_lines_of_king(x, color));
    }
    return !pinned;
}

#endif
