/*
 * Every combination of the fields of seebatch_rules, whether it has a name or not, and what the oracle calls it. Fields
 * and words are those of the library's table.
 */
#ifndef SEEBATCH_TESTS_EVERY_RULES_H
#define SEEBATCH_TESTS_EVERY_RULES_H

#include "oracle.h"
#include "seebatch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct named_rules {
    char name[SEEBATCH_RULES_SIZE]; /* as seebatch_rules_named() reads it */
    seebatch_rules rules;           /* with the default values */
};

/* Made by scripts/manual: combinations */
enum { MOST_RULES = 11 + 8 * 3 * 3 * 4 * 2 * 2 * 2 };
/* Up to here by scripts/manual. */

/* All valid combinations of all values of all fields, those with a name of their own first. */
struct every_rules {
    struct named_rules list[MOST_RULES];
    size_t n, n_named;
};

/* The combination of a number, which counts them with the first field changing fastest; false past the last. */
static inline bool rules_of_number(unsigned number, seebatch_rules *rules)
{
    const seebatch_rules_field *field;
    *rules = seebatch_rules_default();
    for (size_t i = 0; (field = seebatch_rules_field_at(i)) != NULL; i++) {
        ((uint8_t *)rules)[field->offset] = (uint8_t)(number % field->n_words);
        number /= (unsigned)field->n_words;
    }
    return number == 0;
}

static inline bool has_name(const seebatch_rules *rules)
{
    char text[SEEBATCH_RULES_SIZE];
    seebatch_rules_to_text(rules, text);
    return strchr(text, ',') == NULL;
}

static inline void add_rules(struct every_rules *every, const seebatch_rules *rules)
{
    if (every->n == MOST_RULES) {
        fprintf(stderr, "every_rules.h: there is no room for more combinations\n");
        abort();
    }
    struct named_rules *added = &every->list[every->n++];
    added->rules = *rules;
    seebatch_rules_to_text(rules, added->name);
}

static inline void list_every_rules(struct every_rules *every)
{
    seebatch_rules rules;
    every->n = 0;
    for (size_t i = 0; seebatch_rules_name(i); i++) {
        seebatch_rules_named(seebatch_rules_name(i), &rules, NULL);
        add_rules(every, &rules);
    }
    every->n_named = every->n;
    for (unsigned i = 0; rules_of_number(i, &rules); i++)
        if (seebatch_rules_check(&rules, NULL) == SEEBATCH_OK && !has_name(&rules))
            add_rules(every, &rules);
}

/* The same rules for the oracle, field by field. */
static inline struct oracle_rules oracle_rules_of(const seebatch_rules *rules)
{
    struct oracle_rules known = oracle_swap;
    const seebatch_rules_field *field;
    for (size_t i = 0; (field = seebatch_rules_field_at(i)) != NULL; i++) {
        const char *word = field->words[((const uint8_t *)rules)[field->offset]];
        if (!oracle_set_field(&known, field->name, word)) {
            fprintf(stderr, "every_rules.h: the oracle does not know '%s=%s'\n", field->name, word);
            abort();
        }
    }
    return known;
}

/* The board of a position, with a side to move. */
static inline struct oracle_board oracle_board_of(const seebatch_position *position, int stm)
{
    static const char letters[2][8] = {"PNBRQK.", "pnbrqk."};
    struct oracle_board board = {.black_to_move = stm == SEEBATCH_BLACK};
    for (int square = 0; square < 64; square++)
        board.square[square] = letters[seebatch_color_on(position, square)][seebatch_type_on(position, square)];
    return board;
}

/* What the oracle says to a query. */
static inline int value_by_oracle(const seebatch_rules *rules, const seebatch_position *position, seebatch_move move)
{
    const struct oracle_board board = oracle_board_of(position, seebatch_color_on(position, seebatch_from(move)));
    const int16_t *v = rules->value;
    const int values[5] = {v[0], v[1], v[2], v[3], v[4]};
    return oracle_value(oracle_rules_of(rules), values, &board, seebatch_from(move), seebatch_to(move),
                        "\0nbrq"[seebatch_promotion(move)]);
}

#endif
