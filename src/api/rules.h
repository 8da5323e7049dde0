/*
 * What the evaluation derives from a rule set.
 */
#ifndef SEEBATCH_RULES_H
#define SEEBATCH_RULES_H

#include "seebatch.h"

#include <string.h>

/* Where the least valuable attacker is looked for, a king counts more than everything. */
enum { KING_VALUE = 1 << 14 };

/* Whether values rise with the piece types, so that the least valuable piece is also the cheapest. Each value from the
 * second on is compared with the one before, in a word of four: no difference borrows from the next, as the highest
 * bits are set. */
static inline bool see_values_are_monotonic(const seebatch_rules *rules)
{
    const uint64_t highest = UINT64_C(0x8000800080008000);
    uint64_t lower, upper;
    memcpy(&lower, rules->value, sizeof lower);
    memcpy(&upper, rules->value + 1, sizeof upper);
    return !(~((upper | highest) - lower) & highest);
}

/* Whether blockers and pinners are found, and pins at hand are read. */
static inline bool see_rules_read_pins(const seebatch_rules *rules)
{
    return rules->pins != SEEBATCH_PINS_IGNORED && rules->pins != SEEBATCH_PINS_LEGAL;
}

/* Whether later captures by a pawn on the last rank make it a queen. */
static inline bool see_later_pawns_promote(const seebatch_rules *rules)
{
    return rules->promotions == SEEBATCH_PROMOTE_ALL;
}

/* Whether a pinned piece may capture along its pin. */
static inline bool see_rules_are_ray(const seebatch_rules *rules) { return rules->pins >= SEEBATCH_PINS_RAY_ONCE; }

/* Whether held pieces are only left out of the first attackers. */
static inline bool see_pins_are_once(int pins)
{
    return pins == SEEBATCH_PINS_RAY_ONCE || pins == SEEBATCH_PINS_RAY_ONCE_BOTH;
}

/* Whether pieces are held before the enemy king, too. */
static inline bool see_pins_are_of_either(int pins)
{
    return pins == SEEBATCH_PINS_RAY_ONCE_BOTH || pins == SEEBATCH_PINS_RAY_EACH;
}

/* Whether of the pieces between a king and a sniper other snipers of that king are not counted. */
static inline bool see_pins_pass_over(int pins) { return pins == SEEBATCH_PINS_ANY || pins == SEEBATCH_PINS_RAY_EACH; }

#endif
