/*
 * What an engine may compute: the valid combinations of the fields of seebatch_rules, and words for the fields. Where
 * promotions as first move have a value of their own, it makes no difference to any move whether they count; such
 * combinations are the same candidate.
 */
#ifndef SEEBATCH_CANDIDATES_H
#define SEEBATCH_CANDIDATES_H

#include "seebatch.h"

struct candidate {
    seebatch_rules rules;
    const char *name; /* of the rule set, or NULL: the fields are all there is to say */
};

/* Promotions have 7 ways to count; of pins other than legal 7 * 7 * 4 * 2, of legal 7 * 3 * 2 * 2. */
enum { CANDIDATES = 392 + 84 };

/* Fills the list: those with a name first, in the order of seebatch_rules_name(). */
void list_candidates(struct candidate list[CANDIDATES]);

/* The fields that tell candidates apart; the order of capture follows from the pins. */
enum { FIELDS = 6, MOST_FIELD_VALUES = 8 };
extern const char *const field_names[FIELDS];

/* The value of a field, and the word for one; NULL past the last. */
int field_of(const seebatch_rules *rules, int field);
const char *field_word(int field, int value);

#endif
