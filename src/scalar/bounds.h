/*
 * Bounds on what an exchange is worth, found without playing it out; most often they are equal. docs/algorithm.md
 * derives them.
 */
#ifndef SEEBATCH_SCALAR_BOUNDS_H
#define SEEBATCH_SCALAR_BOUNDS_H

#include "exchange.h"
#include "rules.h"

#include <string.h>

enum { KING_VALUE = 1 << 14 };

struct bounds {
    int least, most;
};

static inline bool at_most_one(uint64_t set) { return !(set & (set - 1)); }
static inline int at_least_zero(int value) { return value > 0 ? value : 0; }

/* The value of the least valuable of a set of attackers, found without a branch: which piece stands there is what a
 * processor cannot guess. A king counts more than everything, and so does nobody. */
static inline int least_value(const seebatch_rules *rules, const struct exchange *x, uint64_t attackers)
{
    int16_t values[6];
    memcpy(values, rules->value, sizeof rules->value);
    values[SEEBATCH_KING] = KING_VALUE;
    const unsigned types =
        (unsigned)((attackers & x->of_type[0]) != 0) | (unsigned)((attackers & x->of_type[1]) != 0) << 1 |
        (unsigned)((attackers & x->of_type[2]) != 0) << 2 | (unsigned)((attackers & x->of_type[3]) != 0) << 3 |
        (unsigned)((attackers & x->of_type[4]) != 0) << 4 | 1u << SEEBATCH_KING;
    return values[__builtin_ctz(types)];
}

/* What a side gets that may capture what stands on the square, worth standing, or stop, if every attacker may capture
 * and no pawn promotes. hidden: hidden_attackers(). */
static inline struct bounds bounds_of(const seebatch_rules *rules, const struct exchange *x, uint64_t hidden, int color,
                                      int standing)
{
    const uint64_t ours = x->attackers & x->of_color[!color], theirs = x->attackers & x->of_color[color];
    const bool none_ours = !(ours | (hidden & x->of_color[!color]));
    const int w = least_value(rules, x, theirs), u = least_value(rules, x, ours);
    const int least = at_least_zero(standing - w);
    const int most = at_least_zero(standing - at_least_zero(w - u));
    struct bounds b = {at_most_one(ours) && !at_most_one(theirs) ? most : least, at_most_one(theirs) ? least : most};
    if (hidden) {
        /* What joins later may be cheaper in type but dearer in value than what is there. */
        const bool rise = see_values_rise(rules);
        b.least = rise ? least : 0;
        b.most = rise ? most : standing;
    }
    if (none_ours)
        b.least = b.most = standing;
    return b;
}

#endif
