/*
 * What the evaluation derives from a rule set.
 */
#ifndef SEEBATCH_RULES_H
#define SEEBATCH_RULES_H

#include "seebatch.h"

/* Where the least valuable attacker is looked for, a king counts more than everything. */
enum { KING_VALUE = 1 << 14 };

/* Whether values rise with the piece types, so that the least valuable piece is also the cheapest. */
static inline bool see_values_rise(const seebatch_rules *rules)
{
    const int16_t *v = rules->value;
    return v[0] <= v[1] && v[1] <= v[2] && v[2] <= v[3] && v[3] <= v[4];
}

/* Whether blockers and pinners are found, and pins at hand are read. */
static inline bool see_rules_read_pins(const seebatch_rules *rules)
{
    return rules->pins != SEEBATCH_PINS_IGNORED && rules->pins != SEEBATCH_PINS_LEGAL;
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
