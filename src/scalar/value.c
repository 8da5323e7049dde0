/*
 * The value of a move: early exits, then the decision, which needs the sets of attackers and no loop (bounds.h), and
 * for what both leave open the swap loop (swap.h) or, in any order, the search (legal.c).
 *
 * All of it works within a window, [alpha, beta], which is open for a value and [threshold - 1, threshold] for a
 * threshold.
 */
#include "bounds.h"
#include "legal.h"
#include "ray.h"
#include "scalar.h"
#include "swap.h"

/*
 * Whether every attacker may capture for sure: none stands on a line from an enemy slider to a king (under rules with
 * pins: to its own king). left: what has left its square already.
 */
static bool kings_are_safe(const struct exchange *x, int rule, const seebatch_pins *pins, uint64_t left)
{
    const bool legal = rule == SEEBATCH_PINS_LEGAL;
    if (pins && !legal)
        return !(x->attackers & ((pins->blockers[SEEBATCH_WHITE] & x->of_color[SEEBATCH_WHITE]) |
                                 (pins->blockers[SEEBATCH_BLACK] & x->of_color[SEEBATCH_BLACK])));
    const uint64_t leaving = legal ? x->attackers | left : x->attackers;
    uint64_t on_lines = 0;
    for (int color = SEEBATCH_WHITE; color <= SEEBATCH_BLACK; color++)
        on_lines |= (legal ? leaving : leaving & x->of_color[color]) & slider_lines_of_king(x, color);
    return !on_lines;
}

/* The exchange after a first move. */
static inline void init_after(struct exchange *x, const seebatch_position *position, seebatch_move move,
                              const struct first_move *m, bool last_rank)
{
    init_exchange(x, position, seebatch_to(move), m->left);
    x->last_rank = last_rank;
}

static inline bool is_last_rank(const seebatch_rules *rules, seebatch_move move)
{
    const int to = seebatch_to(move);
    return rules->promotions == SEEBATCH_PROMOTE_ALL && (to < 8 || to >= 56);
}

static int clamped(int value, int alpha, int beta) { return value < alpha ? alpha : value > beta ? beta : value; }

bool seebatch_own_value(const seebatch_rules *rules, const seebatch_position *position, seebatch_move move,
                        int16_t *value)
{
    struct first_move m = first_move_of(rules, position, move);
    count_replies(rules, position, move, &m);
    *value = (int16_t)m.gain;
    return m.no_recapture;
}

/* The value of an exchange, by the swap loop or, in any order, by the search: clamped to [alpha, beta], but for a first
 * move with a value of its own. */
static __attribute__((noinline)) int find_value(const seebatch_rules *rules, const seebatch_position *position,
                                                const seebatch_pins *pins, seebatch_move move, int alpha, int beta,
                                                bool least_valuable_is_best)
{
    struct first_move m = first_move_of(rules, position, move);
    count_replies(rules, position, move, &m);
    if (m.no_recapture)
        return m.gain;
    const int victim = value_of(rules, m.piece);
    struct exchange x;
    init_after(&x, position, move, &m, is_last_rank(rules, move));
    if (rules->order == SEEBATCH_BEST_ORDER && !least_valuable_is_best) {
        const int value = m.gain - seebatch_legal_value(rules, &x, !m.color, victim, m.gain - beta, m.gain - alpha);
        return clamped(value, alpha, beta);
    }
    if (see_rules_read_pins(rules)) {
        if (pins)
            x.pins = *pins;
        else
            seebatch_find_pins(rules, position, &x.pins);
    }
    if (see_rules_are_ray(rules))
        hold_pieces(&x, rules->pins);
    return -resolve(rules, &x, !m.color, -m.gain, victim, -beta, -alpha);
}

int seebatch_scalar_exchange(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                             seebatch_move move, int alpha, int beta)
{
    return find_value(rules, position, pins, move, alpha, beta, false);
}

/* Whether the bounds on what is lost decide: all values between them are at most alpha, or all are at least beta; false
 * if the bounds do not hold. By a branch for each, or by none, which is quicker where a processor can guess neither. */
static inline bool is_decided(bool hold, struct bounds lost, int gain, int alpha, int beta, bool branches)
{
    const bool enough = gain - lost.most >= beta, too_little = gain - lost.least <= alpha;
    return branches ? hold && (enough || too_little) : in_one(hold & (enough | too_little));
}

/*
 * The value of an exchange, clamped to [alpha, beta]: early exits and the decision. What they leave open goes out of
 * line, so that here everything fits in registers. open: any value lies between alpha and beta. rule_class: of
 * the rules.
 */
static inline __attribute__((always_inline)) int evaluate(const seebatch_rules *rules,
                                                          const seebatch_position *position, const seebatch_pins *pins,
                                                          seebatch_move move, int alpha, int beta, bool open,
                                                          enum swap_class rule_class)
{
    const bool plain = rule_class == SWAP_PLAIN;
    struct first_move m = first_move_of(rules, position, move);
    if (rule_class == SWAP_PINS)
        count_replies(rules, position, move, &m);
    if (m.no_recapture || (!open && m.gain <= alpha))
        return m.gain; /* the other side can stop, so it is never more */
    const bool last_rank = !plain && is_last_rank(rules, move);
    const int victim = value_of(rules, m.piece);
    if (!open && !last_rank && m.gain - victim >= beta)
        return m.gain - victim; /* good enough, even if the piece is lost for nothing */

    struct exchange x;
    init_after(&x, position, move, &m, last_rank);
    const bool recapture = x.attackers & x.of_color[!m.color], rise = see_values_rise(rules);
    if ((open || !plain) && !recapture) /* otherwise the bounds decide it, without a branch of its own */
        return m.gain;
    bool simple = true; /* every attacker may capture, and nothing becomes a queen */
    if (rule_class == SWAP_RAY)
        simple = !(last_rank && x.attackers & x.of_type[SEEBATCH_PAWN]) && no_attacker_is_held(&x, rules->pins, pins);
    else if (!plain)
        simple = !(last_rank && x.attackers & x.of_type[SEEBATCH_PAWN]) &&
                 (rules->pins == SEEBATCH_PINS_IGNORED || kings_are_safe(&x, rules->pins, pins, m.left)) &&
                 (rules->order != SEEBATCH_BEST_ORDER || rise);
    if (!simple)
        return find_value(rules, position, pins, move, alpha, beta, false);
    const struct bounds rough = rough_bounds(rules, &x, !m.color, victim);
    if (!open && is_decided(rise | !recapture, rough, m.gain, alpha, beta, !plain))
        return m.gain - rough.most;
    const uint64_t xrays = xray_attackers(&x);
    const struct bounds lost = close_bounds(&x, rough, xrays, !m.color, victim, rise);
    if (open ? lost.least == lost.most : is_decided(true, lost, m.gain, alpha, beta, !plain))
        return m.gain - lost.most;
    return find_value(rules, position, pins, move, alpha, beta, !xrays);
}

/* The same for rules of ray.h, on its own: so that the others keep nothing for it. Compiled small, as for the web, it is
 * there once for both windows. */
static __attribute__((noinline)) int evaluate_ray(const seebatch_rules *rules, const seebatch_position *position,
                                                  const seebatch_pins *pins, seebatch_move move, int alpha, int beta)
{
#if defined(SEEBATCH_SMALL)
    return evaluate(rules, position, pins, move, alpha, beta, alpha == -OPEN, SWAP_RAY);
#else
    return alpha == -OPEN ? evaluate(rules, position, pins, move, -OPEN, OPEN, true, SWAP_RAY)
                          : evaluate(rules, position, pins, move, alpha, beta, false, SWAP_RAY);
#endif
}

int seebatch_scalar_value(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                          seebatch_move move)
{
    if (is_plain(rules))
        return evaluate(rules, position, pins, move, -OPEN, OPEN, true, SWAP_PLAIN);
    return see_rules_are_ray(rules) ? evaluate_ray(rules, position, pins, move, -OPEN, OPEN)
                                    : evaluate(rules, position, pins, move, -OPEN, OPEN, true, SWAP_PINS);
}

bool seebatch_scalar_at_least(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                              seebatch_move move, int threshold)
{
    const int alpha = threshold - 1;
    if (is_plain(rules))
        return evaluate(rules, position, pins, move, alpha, threshold, false, SWAP_PLAIN) >= threshold;
    if (see_rules_are_ray(rules))
        return evaluate_ray(rules, position, pins, move, alpha, threshold) >= threshold;
    return evaluate(rules, position, pins, move, alpha, threshold, false, SWAP_PINS) >= threshold;
}
