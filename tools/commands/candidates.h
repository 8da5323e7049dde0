/*
 * What an engine may compute: the valid combinations of the fields of seebatch_rules. Where promotions as first move
 * have a value of their own, it makes no difference to any move whether they count; such combinations are the same
 * candidate.
 */
#ifndef SEEBATCH_CANDIDATES_H
#define SEEBATCH_CANDIDATES_H

#include "seebatch.h"

struct candidate {
    seebatch_rules rules;
    bool named; /* it is a rule set with a name, without other fields */
};

/* Room for all of them, which list_candidates() checks. */
/* Made by scripts/manual: combinations */
enum { MOST_CANDIDATES = 11 + 8 * 3 * 3 * 4 * 2 * 2 };
/* Up to here by scripts/manual. */

/* Fills the list: those with a name first, in the order of seebatch_rules_name(). Returns how many there are. */
size_t list_candidates(struct candidate list[MOST_CANDIDATES]);

/* Whether a field tells candidates apart; the order of capture follows from the pins. */
bool field_tells(const seebatch_rules_field *field);

/* Returns the value of a field. */
uint8_t field_of(const seebatch_rules *rules, const seebatch_rules_field *field);

#endif
