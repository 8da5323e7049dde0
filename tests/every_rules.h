/*
 * Every combination of the fields of seebatch_rules, whether it has a name or not, and what the oracle calls it.
 */
#ifndef SEEBATCH_TESTS_EVERY_RULES_H
#define SEEBATCH_TESTS_EVERY_RULES_H

#include "oracle.h"
#include "seebatch.h"

#include <stdio.h>
#include <string.h>

/* The name of a combination that has no other is its fields by number: pins, promotions, promotion, en passant,
 * castling, replies en passant. */
struct named_rules {
    char name[16];
    seebatch_rules rules; /* with the default values */
};

/* The valid ones: of pins other than legal 7 * 3 * 3 * 4 * 2, of legal 3 * 3 * 3 * 2 * 2. */
enum { EVERY_RULES = 504 + 108 };

static inline bool has_name(const seebatch_rules *rules)
{
    for (size_t i = 0; seebatch_rules_name(i); i++) {
        seebatch_rules named;
        seebatch_rules_named(seebatch_rules_name(i), &named, NULL);
        memcpy(named.value, rules->value, sizeof named.value);
        if (memcmp(&named, rules, sizeof named) == 0)
            return true;
    }
    return false;
}

/* The rules of those numbers, in the order of a name; the order of capture is what the pins demand. */
static inline seebatch_rules rules_of_fields(const unsigned field[6])
{
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

/* All of them: those with a name first; returns how many have one. */
static inline size_t list_every_rules(struct named_rules every[EVERY_RULES])
{
    size_t n = 0;
    for (; seebatch_rules_name(n); n++) {
        snprintf(every[n].name, sizeof every[n].name, "%s", seebatch_rules_name(n));
        seebatch_rules_named(every[n].name, &every[n].rules, NULL);
    }
    const size_t with_name = n;
    static const unsigned values[6] = {8, 3, 3, 4, 2, 2}; /* of each field */
    for (unsigned i = 0; i < 8 * 3 * 3 * 4 * 2 * 2; i++) {
        unsigned field[6], rest = i;
        for (int f = 0; f < 6; f++) {
            field[f] = rest % values[f];
            rest /= values[f];
        }
        const seebatch_rules rules = rules_of_fields(field);
        if (has_name(&rules) || seebatch_rules_check(&rules, NULL) != SEEBATCH_OK)
            continue;
        every[n].rules = rules;
        snprintf(every[n++].name, sizeof every->name, "%u-%u-%u-%u-%u-%u", field[0], field[1], field[2], field[3],
                 field[4], field[5]);
    }
    return with_name;
}

/* The same rules in the words of the oracle. */
static inline enum oracle_rules oracle_rules_of(const seebatch_rules *rules)
{
    static const int pins[] = {ORACLE_NO_PINS,  ORACLE_PINS_ANY,      ORACLE_PINS_ALL, ORACLE_LEGAL_CAPTURES,
                               ORACLE_RAY_ONCE, ORACLE_RAY_ONCE_BOTH, ORACLE_RAY_EACH, ORACLE_RAY_STANDING};
    static const int promotions[] = {ORACLE_PROMOTE_NONE, ORACLE_PROMOTE_FIRST, ORACLE_PROMOTE_ALL};
    static const int promotion[] = {0, ORACLE_PROMOTION_ZERO, ORACLE_PROMOTION_PASSES};
    static const int en_passant[] = {0, ORACLE_EN_PASSANT_ZERO, ORACLE_EN_PASSANT_PASSES, ORACLE_EN_PASSANT_STAYS};
    static const int castling[] = {0, ORACLE_CASTLING_PASSES};
    static const int replies[] = {0, ORACLE_REPLIES_EN_PASSANT};
    return (enum oracle_rules)(pins[rules->pins] | promotions[rules->promotions] | promotion[rules->promotion] |
                               en_passant[rules->en_passant] | castling[rules->castling] |
                               replies[rules->en_passant_replies]);
}

/* The board of a position, with a side to move. */
static inline struct oracle_board oracle_board_of(const seebatch_position *position, int stm)
{
    static const char letters[2][7] = {"PNBRQK.", "pnbrqk."};
    struct oracle_board board = {.black_to_move = stm == SEEBATCH_BLACK};
    for (int square = 0; square < 64; square++)
        board.square[square] = letters[seebatch_color_on(position, square)][seebatch_type_on(position, square)];
    return board;
}

/* What the oracle says to a request. */
static inline int value_by_oracle(const seebatch_rules *rules, const seebatch_position *position, seebatch_move move)
{
    const struct oracle_board board = oracle_board_of(position, seebatch_color_on(position, seebatch_from(move)));
    const int16_t *v = rules->value;
    const int values[5] = {v[0], v[1], v[2], v[3], v[4]};
    return oracle_value(oracle_rules_of(rules), values, &board, seebatch_from(move), seebatch_to(move),
                        "\0nbrq"[seebatch_promotion(move)]);
}

#endif
