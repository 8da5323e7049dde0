/*
 * The swap loop, in which the least valuable piece captures first. value.c, square.c, legal.c and explain.c include it.
 *
 * The swap algorithm of the literature notes in a swap list the balance after each capture, and a negamax from the end
 * of the list lets each side stop where going on would cost it. That needs the whole list, and a second pass over it.
 *
 * Here the negamax runs forward instead, as alpha-beta does on a tree with a single branch. alpha is what the side to
 * capture has for sure, beta what the other side will allow it at most. Stopping now gives the balance, so alpha rises
 * to it; when alpha meets beta, nothing that follows can matter. With an open window the result is the value; with the
 * window [threshold - 1, threshold] it is the quick answer to "at least threshold?" that engines want. So there is one
 * loop for both.
 *
 * The sides take turns by negation: balance, alpha and beta are seen from the side to capture.
 */
#ifndef SEEBATCH_SCALAR_SWAP_H
#define SEEBATCH_SCALAR_SWAP_H

#include "ray.h"
#include "api/rules.h"

/* The classes of rules, as a constant of the loop. */
enum swap_class {
    SWAP_PLAIN, /* every attacker but a king may capture, and later pawns stay pawns */
    SWAP_PINS,  /* all rules except those of the other two */
    SWAP_RAY    /* the rules of ray.h */
};

/* What the side to capture gets from here on. `balance` is what it has won so far, and `victim` the value of the piece
 * on the square. The result is clamped to [alpha, beta]. */
static inline int swap_loop(const seebatch_rules *rules, struct exchange *x, int color, int balance, int victim,
                            int alpha, int beta, enum swap_class rule_class)
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
        if (!x->last_rank && balance + victim <= alpha)
            break; /* even if nothing recaptured, capturing would not help */
        const uint64_t attackers = rule_class == SWAP_PLAIN ? x->attackers & x->of_color[color]
                                   : rule_class == SWAP_RAY ? ray_attackers(x, rules->pins, color)
                                                            : unpinned_attackers(x, rules->pins, color);
        if (!attackers)
            break;
        uint64_t from;
        const int type = least_valuable(x, attackers, &from);
        if (type == SEEBATCH_KING &&
            !(rule_class == SWAP_RAY ? !ray_guards(x, rules->pins, color, from) : king_may_capture(x, color, from)))
            break;
        remove_attacker(x, type, from);
        balance += victim;
        victim = value_of(rules, type);
        if (rule_class != SWAP_PLAIN && type == SEEBATCH_PAWN && x->last_rank) {
            victim = rules->value[SEEBATCH_QUEEN];
            balance += victim - rules->value[SEEBATCH_PAWN];
        }
        balance = -balance;
        const int swap = alpha;
        alpha = -beta;
        beta = -swap;
        color = !color;
    }
    return color == first ? result : -result;
}

/* The attackers of a side that the rules allow to capture next. Its king is included without a check. */
static inline uint64_t allowed_attackers(const seebatch_rules *rules, const struct exchange *x, int color)
{
    return see_rules_are_ray(rules) ? ray_attackers(x, rules->pins, color) : unpinned_attackers(x, rules->pins, color);
}

/* Whether a king may capture next. */
static inline bool king_is_allowed(const seebatch_rules *rules, const struct exchange *x, int color, uint64_t king)
{
    return see_rules_are_ray(rules) ? !ray_guards(x, rules->pins, color, king) : king_may_capture(x, color, king);
}

/* Whether every attacker but a king may capture, and later pawns stay pawns: then the loop is shorter. */
static inline bool is_plain(const seebatch_rules *rules)
{
    return rules->pins == SEEBATCH_PINS_IGNORED && !see_later_pawns_promote(rules);
}

/* The swap loop under any rules. x is used up. */
static inline int resolve(const seebatch_rules *rules, struct exchange *x, int color, int balance, int victim,
                          int alpha, int beta)
{
    return is_plain(rules)            ? swap_loop(rules, x, color, balance, victim, alpha, beta, SWAP_PLAIN)
           : see_rules_are_ray(rules) ? swap_loop(rules, x, color, balance, victim, alpha, beta, SWAP_RAY)
                                      : swap_loop(rules, x, color, balance, victim, alpha, beta, SWAP_PINS);
}

#endif
