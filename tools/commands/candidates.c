/* The valid combinations of the fields of seebatch_rules: see candidates.h. */
#include "candidates.h"

#include <string.h>

const char *const field_names[FIELDS] = {"pins",       "promotions", "promotion as first move",
                                         "en passant", "castling",   "replies en passant"};

static const char *const words[FIELDS][MOST_FIELD_VALUES] = {
    {"ignored", "any", "all", "legal", "ray-once", "ray-once-both", "ray-each", "ray-standing"},
    {"none", "first", "all"},
    {"evaluated", "zero", "always"},
    {"evaluated", "zero", "always", "standing"},
    {"zero", "always"},
    {"ignored", "counted"},
};

const char *field_word(int field, int value) { return value < MOST_FIELD_VALUES ? words[field][value] : NULL; }

int field_of(const seebatch_rules *rules, int field)
{
    const uint8_t fields[FIELDS] = {rules->pins,       rules->promotions, rules->promotion,
                                    rules->en_passant, rules->castling,   rules->en_passant_replies};
    return fields[field];
}

static seebatch_rules rules_of(unsigned number)
{
    unsigned field[FIELDS];
    for (int f = 0; f < FIELDS; f++) {
        unsigned n = 0;
        while (field_word(f, (int)n) != NULL)
            n++;
        field[f] = number % n;
        number /= n;
    }
    seebatch_rules rules = seebatch_rules_default();
    rules.pins = (uint8_t)field[0];
    rules.promotions = (uint8_t)field[1];
    rules.promotion = (uint8_t)field[2];
    rules.en_passant = (uint8_t)field[3];
    rules.castling = (uint8_t)field[4];
    rules.en_passant_replies = (uint8_t)field[5];
    rules.order = rules.pins == SEEBATCH_PINS_LEGAL ? SEEBATCH_BEST_ORDER : SEEBATCH_LEAST_VALUABLE_FIRST;
    return rules;
}

void list_candidates(struct candidate list[CANDIDATES])
{
    size_t n = 0, named = 0;
    for (; (list[n].name = seebatch_rules_name(n)) != NULL; n++)
        seebatch_rules_named(list[n].name, &list[n].rules, NULL);
    named = n;
    for (unsigned i = 0; n < CANDIDATES; i++) {
        const seebatch_rules rules = rules_of(i);
        bool listed = rules.promotions == SEEBATCH_PROMOTE_FIRST && rules.promotion != SEEBATCH_PROMOTION_EVALUATED;
        for (size_t k = 0; k < named; k++)
            listed |= memcmp(&rules, &list[k].rules, sizeof rules) == 0;
        if (!listed && seebatch_rules_check(&rules, NULL) == SEEBATCH_OK)
            list[n++] = (struct candidate){rules, NULL};
    }
}
