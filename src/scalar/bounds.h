/*
 * The decision: bounds on what an exchange is worth, found from the sets of attackers and without the swap loop. Most
 * often they are equal. docs/internals/algorithm.md derives them, with an example. value.c calls it; lanes/decide.h has
 * the same for lanes.
 */
#ifndef SEEBATCH_SCALAR_BOUNDS_H
#define SEEBATCH_SCALAR_BOUNDS_H

#include "exchange.h"
#include "api/rules.h"

#include <string.h>

struct bounds {
    int least, most;
};

static inline bool more_than_one(uint64_t set) { return (set & (set - 1)) != 0; }

/* A condition as a number, of which no compiler can make a branch. A processor cannot predict a branch that depends on
 * where pieces stand. From gcc 13 and clang 14 on, compilers turn "c ? x : y" and masks made of a plain comparison into
 * branches wherever they find a test to merge them with, which costs 10 to 30%. docs/compilers.md has the figures. */
static inline int as_number(bool condition)
{
    int number = condition;
    __asm__("" : "+r"(number));
    return number;
}

/* `which` comes from as_number(). */
static inline int choose(int which, int yes, int no) { return no ^ ((yes ^ no) & -which); }

static inline int at_least_zero(int value) { return value > 0 ? value : 0; }

/* The value of the least valuable of a set of attackers, found without a branch, because a processor cannot predict
 * which piece it is. A king counts more than everything else. `least` is the value if the set is empty or has only a
 * king. */
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
 * Bounds on what a side gets that may capture the piece on the square, worth `victim`, or stop. The side has an
 * attacker, every attacker may capture, and no pawn promotes. The bounds hold whatever the x-ray attackers are, if no
 * type is worth less than those before it; otherwise there may be none. `side` has its squares, and any without pieces.
 */
static inline struct bounds rough_bounds(const seebatch_rules *rules, const struct exchange *x, uint64_t side,
                                         int victim)
{
    const int w = least_value(rules, x, x->attackers & side, KING_VALUE);
    const int u = least_value(rules, x, x->attackers & ~side, KING_VALUE);
    struct bounds b = {at_least_zero(victim - w), at_least_zero(victim - at_least_zero(w - u))};
    return b;
}

/* Whether the x-ray attackers, xray_attackers(), leave one value within those bounds, and which. If some type is worth
 * less than one before it, they may leave no bound, because a slider that joins may be worth more than an attacker that
 * is already there. `monotonic` says whether the values rise with the types. */
static inline bool is_resolved(const struct exchange *x, struct bounds rough, uint64_t xrays, uint64_t side, int victim,
                               bool monotonic, int *value)
{
    const uint64_t ours = x->attackers & ~side, theirs = x->attackers & side;
    const int none_ours = as_number(!(ours | (xrays & ~side))), no_xrays = as_number(!xrays);
    const int single_ours = !more_than_one(ours), single_theirs = as_number(!more_than_one(theirs));
    *value = choose(none_ours, victim, choose(single_theirs, rough.least, rough.most));
    const int meet = (rough.least == rough.most) & (monotonic | no_xrays);
    return as_number(none_ours | ((single_ours | single_theirs) & no_xrays) | meet);
}

/*
 * Compares with a threshold. `need`, which is above 0, says how much of the piece that moved has to come back. They
 * capture it with their least valuable piece, worth w; we recapture with ours, worth u. The first of these that holds
 * is the answer:
 *
 *     No     Nobody of ours can capture, nor join to do so.
 *     No     w is less than need.
 *     Yes    u is at most w - need: it may be lost as well. Or they have nobody left to capture it.
 *     No     Nobody of ours is left after that.
 *
 * X-ray attackers count as somebody left, of both sides, as they may let in others. Nobody counts more than a king. All
 * but the first is one branch: a processor can guess that it is taken, and no more.
 */
enum decision { DECISION_NO, DECISION_YES, DECISION_PENDING };

enum { NOBODY = 1 << 16 };

/* `enemy` has the squares of those who capture first, and any without pieces. They have an attacker. */
static inline __attribute__((always_inline)) enum decision
decide_threshold(const seebatch_rules *rules, const struct exchange *x, uint64_t enemy, int need, bool monotonic)
{
    const uint64_t theirs = x->attackers & enemy, ours = x->attackers & ~enemy;
    const uint64_t xrays = xray_attackers(x), ours_joining = xrays & ~enemy;
    if (!(ours | ours_joining))
        return DECISION_NO;
    const int no_xrays = as_number(!xrays);
    const int left = least_value(rules, x, theirs, 2 * KING_VALUE) - need;
    const int nobody = as_number(!ours) * NOBODY;
    int u = least_value(rules, x, ours, KING_VALUE) | nobody;
    if (!monotonic) /* a slider that joins may come first, and be worth more */
        u |= as_number(ours_joining != 0) * NOBODY;
    const int lost = choose(as_number(!more_than_one(theirs)) & no_xrays, nobody, u);
    const int yes = as_number(lost <= left), last = as_number(!more_than_one(ours)) & no_xrays;
    if (__builtin_expect(yes | last | as_number(left < 0), 1))
        return yes ? DECISION_YES : DECISION_NO;
    return DECISION_PENDING;
}

#endif
