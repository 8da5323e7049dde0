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

/* A condition as a number, which compilers do not make a branch of. */
static inline int as_number(bool condition)
{
    int number = condition;
    __asm__("" : "+r"(number));
    return number;
}

static inline int at_least_zero(int value) { return value > 0 ? value : 0; }

/* The value of the least valuable of a set of attackers, found without a branch: which piece stands there is what a
 * processor cannot guess. A king counts more than everything, and so does nobody. */
static inline int least_value(const seebatch_rules *rules, const struct exchange *x, uint64_t attackers, int least)
{
    const int pawn = rules->value[SEEBATCH_PAWN], knight = rules->value[SEEBATCH_KNIGHT],
              bishop = rules->value[SEEBATCH_BISHOP], rook = rules->value[SEEBATCH_ROOK],
              queen = rules->value[SEEBATCH_QUEEN];
    int value = attackers & x->of_type[SEEBATCH_QUEEN] ? queen : least;
    value = attackers & x->of_type[SEEBATCH_ROOK] ? rook : value;
    value = attackers & x->of_type[SEEBATCH_BISHOP] ? bishop : value;
    value = attackers & x->of_type[SEEBATCH_KNIGHT] ? knight : value;
    return attackers & x->of_type[SEEBATCH_PAWN] ? pawn : value;
}

/*
 * What a side gets that may capture what stands on the square, worth victim, or stop. Every attacker may capture, and
 * no pawn promotes. The bounds hold whatever the x-ray attackers are, if no type is worth less than those before it.
 * Otherwise there may be none, unless the side has no attacker.
 * side: its squares, and any without pieces.
 */
static inline struct bounds rough_bounds(const seebatch_rules *rules, const struct exchange *x, uint64_t side,
                                         int victim)
{
    const uint64_t attackers = x->attackers & side;
    const int w = least_value(rules, x, attackers, KING_VALUE);
    const int u = least_value(rules, x, x->attackers & ~side, KING_VALUE);
    struct bounds b = {at_least_zero(victim - w),
                       choose(attackers != 0, at_least_zero(victim - at_least_zero(w - u)), 0)};
    return b;
}

/* The same, closer, by the x-ray attackers: xray_attackers(). The side has an attacker. */
static inline struct bounds close_bounds(const struct exchange *x, struct bounds rough, uint64_t xrays, uint64_t side,
                                         int victim, bool rise)
{
    const uint64_t ours = x->attackers & ~side, theirs = x->attackers & side;
    const bool single_ours = at_most_one(ours), single_theirs = at_most_one(theirs);
    struct bounds b = {choose(single_ours & !single_theirs, rough.most, rough.least),
                       choose(single_theirs, rough.least, rough.most)};
    /* What joins later may be cheaper in type but dearer in value than what is there. */
    b.least = choose(xrays != 0, rise ? rough.least : 0, b.least);
    b.most = choose(xrays != 0, rise ? rough.most : victim, b.most);
    const bool none_ours = !(ours | (xrays & ~side));
    b.least = choose(none_ours, victim, b.least);
    b.most = choose(none_ours, victim, b.most);
    return b;
}

/*
 * Thresholds. need, above 0: how much of the piece that moved has to come back. They capture it with their least
 * valuable piece, worth w; we recapture with ours, worth u. The first of these that holds is the answer:
 *
 *     No     Nobody of ours can capture, nor join to do so.
 *     No     w is less than need.
 *     Yes    u is at most w - need: it may be lost as well. Or they have nobody left to capture it.
 *     No     Nobody of ours is left after that.
 *
 * X-ray attackers count as somebody left, of both sides, as they may let in others. Nobody counts more than a king. All
 * but the first is one branch: a processor can guess that it is taken, and no more.
 */
enum decision { DECISION_NO, DECISION_YES, DECISION_OPEN };

enum { NOBODY = 1 << 16 };

/* enemy: the squares of those who capture first, and any without pieces. They have an attacker. */
static inline __attribute__((always_inline)) enum decision
decide_threshold(const seebatch_rules *rules, const struct exchange *x, uint64_t enemy, int need, bool rise)
{
    const uint64_t theirs = x->attackers & enemy, ours = x->attackers & ~enemy;
    const uint64_t xrays = xray_attackers(x), ours_joining = xrays & ~enemy;
    if (!(ours | ours_joining))
        return DECISION_NO;
    const int left = least_value(rules, x, theirs, 2 * KING_VALUE) - need;
    const int nobody = ours ? 0 : NOBODY;
    int u = least_value(rules, x, ours, KING_VALUE) | nobody;
    if (!rise) /* who joins may come first, and be worth more */
        u |= ours_joining ? NOBODY : 0;
    const int lost = at_most_one(theirs) && !xrays ? nobody : u;
    const int yes = as_number(lost <= left), last = as_number(at_most_one(ours) && !xrays);
    if (__builtin_expect(yes | last | as_number(left < 0), 1))
        return yes ? DECISION_YES : DECISION_NO;
    return DECISION_OPEN;
}

#endif
