/*
 * The scalar SEE.
 *
 * The swap algorithm plays an exchange out: each side recaptures with its least valuable piece, the swap list notes the
 * balance after each capture, and a negamax from the end of the list lets each side stop where going on would cost it.
 * That needs the whole list, and a second pass over it.
 *
 * Here the negamax runs forward instead, as alpha-beta does on a tree with a single branch. alpha is what the side to
 * capture is sure of already, beta what the other side will allow it at most. Stopping now gives the balance, so alpha
 * rises to it; when alpha meets beta, nothing that follows can matter. With an open window the result is the value;
 * with the window [threshold - 1, threshold] it is the quick answer to "at least threshold?" that engines ask for. So
 * there is one loop for both.
 *
 * The sides take turns by negation: balance, alpha and beta are seen from the side to capture.
 */
#include "see.h"
#include "bounds.h"
#include "legal.h"

#include <string.h>

static void find_pins_of(const seebatch_position *position, int pins, int color, uint64_t *blockers, uint64_t *pinners)
{
    *blockers = *pinners = 0;
    const uint64_t occupied = seebatch_occupied(position);
    const uint64_t own = seebatch_pieces_of_color(position, color);
    const uint64_t kings = seebatch_pieces_of_type(position, SEEBATCH_KING) & own;
    if (!kings)
        return;
    const int king = lowest_square(kings);
    const struct see_square *s = &seebatch_squares[king];
    const uint64_t diagonal_sliders = position->plane[0] & ~position->plane[2];
    const uint64_t line_sliders = position->plane[1] & ~position->plane[2];
    uint64_t snipers =
        (((s->diagonal | s->antidiagonal) & diagonal_sliders) | ((s->file | s->rank) & line_sliders)) & ~own;
    const uint64_t counted = pins == SEEBATCH_PINS_ANY ? occupied & ~snipers : occupied;
    while (snipers) {
        const int sniper = take_lowest(&snipers);
        const uint64_t in_between = squares_between(king, sniper) & counted;
        if (in_between && !(in_between & (in_between - 1))) {
            *blockers |= in_between;
            if (in_between & own)
                *pinners |= square_bit(sniper);
        }
    }
}

void seebatch_find_pins(const seebatch_rules *rules, const seebatch_position *position, seebatch_pins *pins)
{
    memset(pins, 0, sizeof *pins);
    for (int color = SEEBATCH_WHITE; color <= SEEBATCH_BLACK && see_rules_have_pins(rules); color++)
        find_pins_of(position, rules->pins, color, &pins->blockers[color], &pins->pinners[color]);
}

/*
 * What the side to capture gets from here on. balance: what it has won so far; standing: what stands on the square, now
 * at stake. The result is clamped to [alpha, beta].
 */
static inline int play_out(const seebatch_rules *rules, struct exchange *x, int color, int balance, int standing,
                           int alpha, int beta, bool plain)
{
    const int first = color;
    int result;
    for (;;) {
        if (balance > alpha)
            alpha = balance;
        if (alpha >= beta) {
            result = beta;
            break;
        }
        result = alpha;
        if (!x->last_rank && balance + standing <= alpha)
            break; /* even if nothing took back, capturing would not help */
        const uint64_t attackers = plain ? x->attackers & x->of_color[color] : free_attackers(x, rules->pins, color);
        if (!attackers)
            break;
        uint64_t from;
        const int type = least_valuable(x, attackers, &from);
        if (type == SEEBATCH_KING && !king_may_capture(x, color, from))
            break;
        leave(x, type, from);
        balance += standing;
        standing = value_of(rules, type);
        if (!plain && type == SEEBATCH_PAWN && x->last_rank) {
            standing = rules->value[SEEBATCH_QUEEN];
            balance += standing - rules->value[SEEBATCH_PAWN];
        }
        balance = -balance;
        const int swap = alpha;
        alpha = -beta;
        beta = -swap;
        color = !color;
    }
    return color == first ? result : -result;
}

/*
 * Whether no king can keep one of the attackers from capturing, as a quick look shows: none stands on a line from an
 * enemy slider to a king (under rules with pins: to his own king). left: what has left its square already.
 */
static bool kings_are_safe(const struct exchange *x, int rule, const seebatch_pins *pins, uint64_t left)
{
    const bool legal = rule == SEEBATCH_PINS_LEGAL;
    if (pins && !legal)
        return !(x->attackers & ((pins->blockers[SEEBATCH_WHITE] & x->of_color[SEEBATCH_WHITE]) |
                                 (pins->blockers[SEEBATCH_BLACK] & x->of_color[SEEBATCH_BLACK])));
    const uint64_t leaving = legal ? x->attackers | left : x->attackers;
    uint64_t held = 0;
    for (int color = SEEBATCH_WHITE; color <= SEEBATCH_BLACK; color++) {
        const uint64_t king = x->of_type[SEEBATCH_KING] & x->of_color[color];
        const struct see_square *s = &seebatch_squares[king ? lowest_square(king) : 0]; /* no king: a needless look */
        const uint64_t enemies = x->of_color[!color], pieces = legal ? leaving : leaving & x->of_color[color];
        const uint64_t rooks = x->line_sliders & enemies, bishops = x->diagonal_sliders & enemies;
        held |=
            pieces & ((rooks & s->file ? s->file : 0) | (rooks & s->rank ? s->rank : 0) |
                      (bishops & s->diagonal ? s->diagonal : 0) | (bishops & s->antidiagonal ? s->antidiagonal : 0));
    }
    return !held;
}

static bool is_plain(const seebatch_rules *rules)
{
    return rules->pins == SEEBATCH_PINS_IGNORED && rules->promotions != SEEBATCH_PROMOTE_ALL;
}

int seebatch_play_out(const seebatch_rules *rules, struct exchange *x, int color, int balance, int standing, int alpha,
                      int beta)
{
    return is_plain(rules) ? play_out(rules, x, color, balance, standing, alpha, beta, true)
                           : play_out(rules, x, color, balance, standing, alpha, beta, false);
}

/* Sets the exchange after a first move up, in which a pawn that captures becomes a queen or not. */
static inline void set_up_after(struct exchange *x, const seebatch_position *position, seebatch_move move,
                                const struct first_move *m, bool last_rank)
{
    set_up(x, position, seebatch_to(move), m->left);
    x->last_rank = last_rank;
}

static inline bool is_last_rank(const seebatch_rules *rules, seebatch_move move)
{
    const int to = seebatch_to(move);
    return rules->promotions == SEEBATCH_PROMOTE_ALL && (to < 8 || to >= 56);
}

static int clamped(int value, int alpha, int beta) { return value < alpha ? alpha : value > beta ? beta : value; }

/* The value of an exchange, clamped to [alpha, beta], by playing it out or, unless that is known to be the best order,
 * by a search. */
static __attribute__((noinline)) int find_value(const seebatch_rules *rules, const seebatch_position *position,
                                                const seebatch_pins *pins, seebatch_move move, int alpha, int beta,
                                                bool least_valuable_is_best)
{
    const struct first_move m = first_move_of(rules, position, move);
    if (m.settled)
        return clamped(m.gain, alpha, beta);
    const int standing = value_of(rules, m.piece);
    struct exchange x;
    set_up_after(&x, position, move, &m, is_last_rank(rules, move));
    if (rules->order == SEEBATCH_BEST_ORDER && !least_valuable_is_best) {
        const int value = m.gain - seebatch_legal_value(rules, &x, !m.color, standing, m.gain - beta, m.gain - alpha);
        return clamped(value, alpha, beta);
    }
    if (see_rules_have_pins(rules)) {
        if (pins)
            x.pins = *pins;
        else
            seebatch_find_pins(rules, position, &x.pins);
    }
    return -seebatch_play_out(rules, &x, !m.color, -m.gain, standing, -beta, -alpha);
}

int seebatch_scalar_exchange(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                             seebatch_move move, int alpha, int beta)
{
    return find_value(rules, position, pins, move, alpha, beta, false);
}

/* Whether all values between bounds on what is lost are at most alpha, or all are at least beta; false if the bounds do
 * not hold. By a branch for each, or by none, which is quicker where a processor can guess neither. */
static inline bool on_one_side(bool hold, struct bounds lost, int gain, int alpha, int beta, bool branches)
{
    const bool enough = gain - lost.most >= beta, too_little = gain - lost.least <= alpha;
    return branches ? hold && (enough || too_little) : in_one(hold & (enough | too_little));
}

/*
 * The value of an exchange, clamped to [alpha, beta]. Here are the quick ways to tell it; what is left goes elsewhere,
 * so that here everything fits in registers. open: any value lies between alpha and beta. plain: the rules ignore pins
 * and promotions.
 */
static inline __attribute__((always_inline)) int evaluate(const seebatch_rules *rules,
                                                          const seebatch_position *position, const seebatch_pins *pins,
                                                          seebatch_move move, int alpha, int beta, bool open,
                                                          bool plain)
{
    const struct first_move m = first_move_of(rules, position, move);
    if (m.settled || (!open && m.gain <= alpha))
        return m.gain; /* the opponent will not let it become more */
    const bool last_rank = !plain && is_last_rank(rules, move);
    const int standing = value_of(rules, m.piece);
    if (!open && !last_rank && m.gain - standing >= beta)
        return m.gain - standing; /* good enough, even if the piece is lost for nothing */

    struct exchange x;
    set_up_after(&x, position, move, &m, last_rank);
    const bool taken_back = x.attackers & x.of_color[!m.color], rise = see_values_rise(rules);
    if ((open || !plain) && !taken_back) /* otherwise the bounds say so, without a branch of its own */
        return m.gain;
    bool simple = true; /* whoever attacks may capture, as a quick look shows, and nothing becomes a queen */
    if (!plain)
        simple = !(last_rank && x.attackers & x.of_type[SEEBATCH_PAWN]) &&
                 (rules->pins == SEEBATCH_PINS_IGNORED || kings_are_safe(&x, rules->pins, pins, m.left)) &&
                 (rules->order != SEEBATCH_BEST_ORDER || rise);
    if (!simple)
        return find_value(rules, position, pins, move, alpha, beta, false);
    const struct bounds rough = rough_bounds(rules, &x, !m.color, standing);
    if (!open && on_one_side(rise | !taken_back, rough, m.gain, alpha, beta, !plain))
        return m.gain - rough.most;
    const uint64_t hidden = hidden_attackers(&x);
    const struct bounds lost = close_bounds(&x, rough, hidden, !m.color, standing, rise);
    if (open ? lost.least == lost.most : on_one_side(true, lost, m.gain, alpha, beta, !plain))
        return m.gain - lost.most;
    return find_value(rules, position, pins, move, alpha, beta, !hidden);
}

int seebatch_scalar_value(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                          seebatch_move move)
{
    return is_plain(rules) ? evaluate(rules, position, pins, move, -OPEN, OPEN, true, true)
                           : evaluate(rules, position, pins, move, -OPEN, OPEN, true, false);
}

bool seebatch_scalar_at_least(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                              seebatch_move move, int threshold)
{
    const int alpha = threshold - 1;
    return (is_plain(rules) ? evaluate(rules, position, pins, move, alpha, threshold, false, true)
                            : evaluate(rules, position, pins, move, alpha, threshold, false, false)) >= threshold;
}
