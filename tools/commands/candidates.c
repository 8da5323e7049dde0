/* Lists the valid combinations of the fields of seebatch_rules; see candidates.h. */
#include "candidates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool field_tells(const seebatch_rules_field *field) { return field->offset != offsetof(seebatch_rules, order); }

uint8_t field_of(const seebatch_rules *rules, const seebatch_rules_field *field)
{
    return ((const uint8_t *)rules)[field->offset];
}

/* Makes the combination of a number. The numbers count combinations with the first field changing fastest. Returns
 * false past the last. */
static bool rules_of(unsigned number, seebatch_rules *rules)
{
    const seebatch_rules_field *field;
    *rules = seebatch_rules_default();
    for (size_t i = 0; (field = seebatch_rules_field_at(i)) != NULL; i++) {
        if (!field_tells(field))
            continue;
        ((uint8_t *)rules)[field->offset] = (uint8_t)(number % field->n_words);
        number /= (unsigned)field->n_words;
    }
    rules->order = rules->pins == SEEBATCH_PINS_LEGAL ? SEEBATCH_BEST_ORDER : SEEBATCH_LEAST_VALUABLE_FIRST;
    return number == 0;
}

size_t list_candidates(struct candidate list[MOST_CANDIDATES])
{
    size_t n = 0;
    seebatch_rules rules;
    for (; seebatch_rules_name(n) != NULL; n++) {
        list[n].named = true;
        seebatch_rules_named(seebatch_rules_name(n), &list[n].rules, NULL);
    }
    const size_t named = n;
    for (unsigned i = 0; rules_of(i, &rules); i++) {
        bool listed = rules.promotions == SEEBATCH_PROMOTE_FIRST && rules.promotion != SEEBATCH_PROMOTION_EVALUATED;
        for (size_t k = 0; k < named; k++)
            listed |= memcmp(&rules, &list[k].rules, sizeof rules) == 0;
        if (listed || seebatch_rules_check(&rules, NULL) != SEEBATCH_OK)
            continue;
        if (n == MOST_CANDIDATES) {
            fprintf(stderr, "seebatch identify: MOST_CANDIDATES is too small for the fields of the rules\n");
            abort();
        }
        list[n++] = (struct candidate){rules, false};
    }
    return n;
}
