/*
 * What the evaluation derives from a rule set, such as whether it reads pins. All code below the API asks the functions
 * of this file and not the fields, where an answer depends on more than one value.
 */
#ifndef SEEBATCH_RULES_H
#define SEEBATCH_RULES_H

#include "seebatch.h"

#include <string.h>

/* The value of a king in the search for the least valuable attacker: more than every other piece. */
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

/* Whether later captures by a pawn on the last rank make it a queen. */
static inline bool see_later_pawns_promote(const seebatch_rules *rules)
{
    return rules->promotions == SEEBATCH_PROMOTE_ALL;
}

/* Made by scripts/manual: traits */
/* Whether lanes know all values of the fields, none of which is marked `scalar` in rules.txt. */
static inline bool see_lanes_know(const seebatch_rules *rules)
{
    (void)rules;
    return true;
}

/* Whether the rules need blockers and pinners, from the caller or from seebatch_find_pins(). */
static inline bool see_rules_read_pins(const seebatch_rules *rules)
{
    return rules->pins != SEEBATCH_PINS_IGNORED && rules->pins != SEEBATCH_PINS_LEGAL;
}

/* Whether a pinned piece may capture along its pin. */
static inline bool see_rules_are_ray(const seebatch_rules *rules) { return rules->pins >= SEEBATCH_PINS_RAY_ONCE; }
/* Up to here by scripts/manual. */

/* Whether pieces that are held back are left out of the first attackers, and of nothing else. */
static inline bool see_pin_rule_is_once(int pin_rule)
{
    return pin_rule == SEEBATCH_PINS_RAY_ONCE || pin_rule == SEEBATCH_PINS_RAY_ONCE_BOTH;
}

/* Whether pieces are also held back in front of the enemy king. */
static inline bool see_pin_rule_holds_for_either(int pin_rule)
{
    return pin_rule == SEEBATCH_PINS_RAY_ONCE_BOTH || pin_rule == SEEBATCH_PINS_RAY_EACH;
}

/* Whether other snipers between a king and its sniper are ignored. */
static inline bool see_pin_rule_passes_over(int pin_rule)
{
    return pin_rule == SEEBATCH_PINS_ANY || pin_rule == SEEBATCH_PINS_RAY_EACH;
}

#endif
