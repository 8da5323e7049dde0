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

/* Whether every attacker may capture for sure, and none becomes a queen. */
static inline __attribute__((always_inline)) bool is_simple(const seebatch_rules *rules, const struct exchange *x,
                                                            const seebatch_pins *pins, uint64_t left, bool rise,
                                                            enum swap_class rule_class)
{
    if (rule_class == SWAP_PLAIN)
        return true;
    if (x->last_rank && x->attackers & x->of_type[SEEBATCH_PAWN])
        return false;
    if (rule_class == SWAP_RAY)
        return no_attacker_is_held(x, rules->pins, pins);
    return (rules->pins == SEEBATCH_PINS_IGNORED || kings_are_safe(x, rules->pins, pins, left)) &&
           (rules->order != SEEBATCH_BEST_ORDER || rise);
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

/*
 * The value of an exchange: early exits and the decision. What they leave open goes out of line, so that here
 * everything fits in registers. rule_class: of the rules.
 */
static inline __attribute__((always_inline)) int evaluate(const seebatch_rules *rules,
                                                          const seebatch_position *position, const seebatch_pins *pins,
                                                          seebatch_move move, enum swap_class rule_class)
{
    struct first_move m = first_move_of(rules, position, move);
    if (rule_class == SWAP_PINS)
        count_replies(rules, position, move, &m);
    if (m.no_recapture)
        return m.gain;
    const int victim = value_of(rules, m.piece);
    struct exchange x;
    init_after(&x, position, move, &m, rule_class != SWAP_PLAIN && is_last_rank(rules, move));
    if (!(x.attackers & x.of_color[!m.color]))
        return m.gain;
    const bool rise = see_values_rise(rules);
    if (!is_simple(rules, &x, pins, m.left, rise, rule_class))
        return find_value(rules, position, pins, move, -OPEN, OPEN, false);
    const struct bounds rough = rough_bounds(rules, &x, !m.color, victim);
    const uint64_t xrays = xray_attackers(&x);
    const struct bounds lost = close_bounds(&x, rough, xrays, !m.color, victim, rise);
    if (lost.least == lost.most)
        return m.gain - lost.most;
    return find_value(rules, position, pins, move, -OPEN, OPEN, !xrays);
}

/* The same for rules of ray.h, on its own: so that the others keep nothing for it. */
static __attribute__((noinline)) int evaluate_ray(const seebatch_rules *rules, const seebatch_position *position,
                                                  const seebatch_pins *pins, seebatch_move move)
{
    return evaluate(rules, position, pins, move, SWAP_RAY);
}

int seebatch_scalar_value(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                          seebatch_move move)
{
    if (is_plain(rules))
        return evaluate(rules, position, pins, move, SWAP_PLAIN);
    return see_rules_are_ray(rules) ? evaluate_ray(rules, position, pins, move)
                                    : evaluate(rules, position, pins, move, SWAP_PINS);
}

/* ---- Thresholds -------------------------------------------------------------------------------------------------- */

/*
 * Whether an exchange reaches a threshold that early exits leave open; need: how much has to come back of the piece
 * that moved. Few arguments, so that what comes before keeps nothing.
 */
static inline __attribute__((always_inline)) bool reaches(const seebatch_rules *rules,
                                                          const seebatch_position *position, const seebatch_pins *pins,
                                                          seebatch_move move, int threshold, int need,
                                                          enum swap_class rule_class)
{
    const uint64_t left = square_bit(seebatch_from(move));
    struct exchange x;
    init_exchange(&x, position, seebatch_to(move), left);
    x.last_rank = rule_class != SWAP_PLAIN && is_last_rank(rules, move);
    const uint64_t enemy = position->white ^ (0 - (position->white >> seebatch_from(move) & 1));
    if (!(x.attackers & enemy))
        return true;
    const bool rise = see_values_rise(rules);
    if (is_simple(rules, &x, pins, left, rise, rule_class)) {
        if (need <= 0) /* only where pawns become queens: the other exits have not looked at it */
            return true;
        const enum decision decision = decide_threshold(rules, &x, enemy, need, rise);
        if (__builtin_expect(decision != DECISION_OPEN, 1))
            return decision == DECISION_YES;
    }
    return find_value(rules, position, pins, move, threshold - 1, threshold, false) >= threshold;
}

static __attribute__((noinline)) bool reaches_plain(const seebatch_rules *rules, const seebatch_position *position,
                                                    const seebatch_pins *pins, seebatch_move move, int threshold,
                                                    int need)
{
    return reaches(rules, position, pins, move, threshold, need, SWAP_PLAIN);
}

static __attribute__((noinline)) bool reaches_pins(const seebatch_rules *rules, const seebatch_position *position,
                                                   const seebatch_pins *pins, seebatch_move move, int threshold,
                                                   int need)
{
    return reaches(rules, position, pins, move, threshold, need, SWAP_PINS);
}

static __attribute__((noinline)) bool reaches_ray(const seebatch_rules *rules, const seebatch_position *position,
                                                  const seebatch_pins *pins, seebatch_move move, int threshold,
                                                  int need)
{
    return reaches(rules, position, pins, move, threshold, need, SWAP_RAY);
}

/* What early exits leave open, by the rule class. */
static inline __attribute__((always_inline)) bool reaches_by_class(const seebatch_rules *rules,
                                                                   const seebatch_position *position,
                                                                   const seebatch_pins *pins, seebatch_move move,
                                                                   int threshold, int need, bool last_rank)
{
    if (rules->pins == SEEBATCH_PINS_IGNORED && !last_rank)
        return reaches_plain(rules, position, pins, move, threshold, need);
    return see_rules_are_ray(rules) ? reaches_ray(rules, position, pins, move, threshold, need)
                                    : reaches_pins(rules, position, pins, move, threshold, need);
}

/* Any move. */
static __attribute__((noinline)) bool special_at_least(const seebatch_rules *rules, const seebatch_position *position,
                                                       const seebatch_pins *pins, seebatch_move move, int threshold)
{
    struct first_move m = first_move_of(rules, position, move);
    count_replies(rules, position, move, &m);
    if (m.no_recapture || m.gain < threshold)
        return m.gain >= threshold;
    const bool last_rank = is_last_rank(rules, move);
    const int need = threshold - m.gain + value_of(rules, m.piece);
    if (!last_rank && need <= 0)
        return true;
    if (!at_most_one(m.left)) /* en passant */
        return find_value(rules, position, pins, move, threshold - 1, threshold, false) >= threshold;
    return reaches_by_class(rules, position, pins, move, threshold, need, last_rank);
}

/* The code of a square, as planes have it. */
static inline unsigned code_on(const seebatch_position *p, int square)
{
    return (unsigned)((p->plane[0] >> square & 1) + 2 * (p->plane[1] >> square & 1) + 4 * (p->plane[2] >> square & 1));
}

enum { CODE_EMPTY = 0, CODE_PAWN = 4, CODE_KING = 6 };

/* The value of a code, without a branch; a king's says nothing. */
static inline int value_of_code(const seebatch_rules *rules, unsigned code)
{
    static const uint8_t type_of_code[8] = {0, SEEBATCH_BISHOP, SEEBATCH_ROOK, SEEBATCH_QUEEN, 0, SEEBATCH_KNIGHT, 0,
                                            0};
    return rules->value[type_of_code[code]];
}

bool seebatch_scalar_at_least(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                              seebatch_move move, int threshold)
{
    const int from = seebatch_from(move), to = seebatch_to(move);
    const unsigned piece = code_on(position, from), captured = code_on(position, to);
    const bool special = (move >> 12) | (piece == CODE_KING) |
                         ((piece == CODE_PAWN) & (captured == CODE_EMPTY) & (((from ^ to) & 7) != 0));
    if (special || (rules->promotions == SEEBATCH_PROMOTE_ALL && is_last_rank(rules, move)) ||
        (rules->en_passant_replies && is_double_step(piece != CODE_PAWN, from, to)))
        return special_at_least(rules, position, pins, move, threshold);
    const int gain = value_of_code(rules, captured) & -(int)(captured - 1 < CODE_KING - 1);
    if (gain < threshold)
        return false; /* the other side can stop, so it is never more */
    const int need = threshold - gain + value_of_code(rules, piece);
    if (need <= 0)
        return true; /* good enough, even if the piece is lost for nothing */
    return reaches_by_class(rules, position, pins, move, threshold, need, false);
}
