/*
 * The decision: bounds on what an exchange is worth, found from the sets of attackers and without the swap loop. Most
 * often they are equal. docs/algorithm.md derives them, with an example.
 */
#ifndef SEEBATCH_SCALAR_BOUNDS_H
#define SEEBATCH_SCALAR_BOUNDS_H

#include "exchange.h"
#include "rules.h"

#include <string.h>

struct bounds {
    int least, most;
};

static inline bool at_most_one(uint64_t set) { return !(set & (set - 1)); }

/* Never a branch: compilers like to make one of what a processor cannot guess. */
static inline int choose(bool which, int yes, int no) { return no ^ ((yes ^ no) & -(int)which); }

/* A condition made of several, which compilers do not split into a branch for each. */
static inline bool in_one(bool condition)
{
    int kept = condition;
    __asm__("" : "+r"(kept));
    return kept != 0;
}

static inline int at_least_zero(int value) { return value > 0 ? value : 0; }

/* The value of the least valuable of a set of attackers, found without a branch: which piece stands there is what a
 * processor cannot guess. A king counts more than everything, and so does nobody. */
static inline int least_value(const seebatch_rules *rules, const struct exchange *x, uint64_t attackers)
{
    const int pawn = rules->value[SEEBATCH_PAWN], knight = rules->value[SEEBATCH_KNIGHT],
              bishop = rules->value[SEEBATCH_BISHOP], rook = rules->value[SEEBATCH_ROOK],
              queen = rules->value[SEEBATCH_QUEEN];
    int value = attackers & x->of_type[SEEBATCH_QUEEN] ? queen : (int)KING_VALUE;
    value = attackers & x->of_type[SEEBATCH_ROOK] ? rook : value;
    value = attackers & x->of_type[SEEBATCH_BISHOP] ? bishop : value;
    value = attackers & x->of_type[SEEBATCH_KNIGHT] ? knight : value;
    return attackers & x->of_type[SEEBATCH_PAWN] ? pawn : value;
}

/*
 * What a side gets that may capture what stands on the square, worth victim, or stop. Every attacker may capture, and
 * no pawn promotes. The bounds hold whatever the x-ray attackers are, if no type is worth less than those before it.
 * Otherwise there may be none, unless the side has no attacker.
 */
static inline struct bounds rough_bounds(const seebatch_rules *rules, const struct exchange *x, int color, int victim)
{
    const uint64_t attackers = x->attackers & x->of_color[color];
    const int w = least_value(rules, x, attackers);
    const int u = least_value(rules, x, x->attackers & x->of_color[!color]);
    struct bounds b = {at_least_zero(victim - w),
                       choose(attackers != 0, at_least_zero(victim - at_least_zero(w - u)), 0)};
    return b;
}

/* The same, closer, by the x-ray attackers: xray_attackers(). The side has an attacker. */
static inline struct bounds close_bounds(const struct exchange *x, struct bounds rough, uint64_t xrays, int color,
                                         int victim, bool rise)
{
    const uint64_t ours = x->attackers & x->of_color[!color], theirs = x->attackers & x->of_color[color];
    const bool single_ours = at_most_one(ours), single_theirs = at_most_one(theirs);
    struct bounds b = {choose(single_ours & !single_theirs, rough.most, rough.least),
                       choose(single_theirs, rough.least, rough.most)};
    /* What joins later may be cheaper in type but dearer in value than what is there. */
    b.least = choose(xrays != 0, rise ? rough.least : 0, b.least);
    b.most = choose(xrays != 0, rise ? rough.most : victim, b.most);
    const bool none_ours = !(ours | (xrays & x->of_color[!color]));
    b.least = choose(none_ours, victim, b.least);
    b.most = choose(none_ours, victim, b.most);
    return b;
}

#endif
