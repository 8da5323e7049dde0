/*
 * Rule sets: what an exchange means, as data. A name is for people; the code below the API reads the enumerations.
 */
#include "error.h"
#include "seebatch.h"

#include <string.h>

#define DEFAULT_VALUES                                                                                                 \
    {                                                                                                                  \
        100, 325, 325, 500, 1000                                                                                       \
    }

static const struct {
    const char *name;
    seebatch_rules rules;
} rule_sets[] = {
    /* the true value: the default */
    {"legal",
     {DEFAULT_VALUES, SEEBATCH_PINS_LEGAL, SEEBATCH_PROMOTE_ALL, SEEBATCH_PROMOTION_EVALUATED,
      SEEBATCH_EN_PASSANT_EVALUATED, SEEBATCH_CASTLING_ZERO, SEEBATCH_BEST_ORDER, SEEBATCH_EN_PASSANT_REPLIES_IGNORED,
      0}},
    /* the swap algorithm of the literature */
    {"swap",
     {DEFAULT_VALUES, SEEBATCH_PINS_IGNORED, SEEBATCH_PROMOTE_NONE, SEEBATCH_PROMOTION_EVALUATED,
      SEEBATCH_EN_PASSANT_EVALUATED, SEEBATCH_CASTLING_ZERO, SEEBATCH_LEAST_VALUABLE_FIRST,
      SEEBATCH_EN_PASSANT_REPLIES_IGNORED, 0}},
    /* swap, with promotions all along the exchange */
    {"promotions",
     {DEFAULT_VALUES, SEEBATCH_PINS_IGNORED, SEEBATCH_PROMOTE_ALL, SEEBATCH_PROMOTION_EVALUATED,
      SEEBATCH_EN_PASSANT_EVALUATED, SEEBATCH_CASTLING_ZERO, SEEBATCH_LEAST_VALUABLE_FIRST,
      SEEBATCH_EN_PASSANT_REPLIES_IGNORED, 0}},
    /* what Ethereal, and engines after it, compute */
    {"ethereal",
     {DEFAULT_VALUES, SEEBATCH_PINS_IGNORED, SEEBATCH_PROMOTE_FIRST, SEEBATCH_PROMOTION_EVALUATED,
      SEEBATCH_EN_PASSANT_EVALUATED, SEEBATCH_CASTLING_ZERO, SEEBATCH_LEAST_VALUABLE_FIRST,
      SEEBATCH_EN_PASSANT_REPLIES_IGNORED, 0}},
    /* what Stockfish computes today */
    {"stockfish",
     {DEFAULT_VALUES, SEEBATCH_PINS_ANY, SEEBATCH_PROMOTE_NONE, SEEBATCH_PROMOTION_ZERO, SEEBATCH_EN_PASSANT_ZERO,
      SEEBATCH_CASTLING_ZERO, SEEBATCH_LEAST_VALUABLE_FIRST, SEEBATCH_EN_PASSANT_REPLIES_IGNORED, 0}},
    /* the first published pin-aware see_ge */
    {"stockfish-2016",
     {DEFAULT_VALUES, SEEBATCH_PINS_ALL, SEEBATCH_PROMOTE_NONE, SEEBATCH_PROMOTION_EVALUATED,
      SEEBATCH_EN_PASSANT_EVALUATED, SEEBATCH_CASTLING_ZERO, SEEBATCH_LEAST_VALUABLE_FIRST,
      SEEBATCH_EN_PASSANT_REPLIES_IGNORED, 0}},
    /* Stormphrax and Viridithas */
    {"stormphrax",
     {DEFAULT_VALUES, SEEBATCH_PINS_RAY_ONCE, SEEBATCH_PROMOTE_FIRST, SEEBATCH_PROMOTION_EVALUATED,
      SEEBATCH_EN_PASSANT_STANDING, SEEBATCH_CASTLING_ZERO, SEEBATCH_LEAST_VALUABLE_FIRST,
      SEEBATCH_EN_PASSANT_REPLIES_IGNORED, 0}},
    {"pawnocchio",
     {DEFAULT_VALUES, SEEBATCH_PINS_RAY_ONCE_BOTH, SEEBATCH_PROMOTE_FIRST, SEEBATCH_PROMOTION_EVALUATED,
      SEEBATCH_EN_PASSANT_STANDING, SEEBATCH_CASTLING_ZERO, SEEBATCH_LEAST_VALUABLE_FIRST,
      SEEBATCH_EN_PASSANT_REPLIES_IGNORED, 0}},
    {"plentychess",
     {DEFAULT_VALUES, SEEBATCH_PINS_RAY_EACH, SEEBATCH_PROMOTE_NONE, SEEBATCH_PROMOTION_ALWAYS,
      SEEBATCH_EN_PASSANT_ALWAYS, SEEBATCH_CASTLING_ALWAYS, SEEBATCH_LEAST_VALUABLE_FIRST,
      SEEBATCH_EN_PASSANT_REPLIES_IGNORED, 0}},
    {"reckless",
     {DEFAULT_VALUES, SEEBATCH_PINS_RAY_STANDING, SEEBATCH_PROMOTE_FIRST, SEEBATCH_PROMOTION_EVALUATED,
      SEEBATCH_EN_PASSANT_EVALUATED, SEEBATCH_CASTLING_ALWAYS, SEEBATCH_LEAST_VALUABLE_FIRST,
      SEEBATCH_EN_PASSANT_REPLIES_IGNORED, 0}},
    /* legal, with replies en passant: the minimax that Monty's SEE was tested against */
    {"monty",
     {DEFAULT_VALUES, SEEBATCH_PINS_LEGAL, SEEBATCH_PROMOTE_ALL, SEEBATCH_PROMOTION_EVALUATED,
      SEEBATCH_EN_PASSANT_EVALUATED, SEEBATCH_CASTLING_ZERO, SEEBATCH_BEST_ORDER, SEEBATCH_EN_PASSANT_REPLIES_COUNTED,
      0}},
};

enum { RULE_SETS = sizeof rule_sets / sizeof *rule_sets };

seebatch_status seebatch_rules_named(const char *name, seebatch_rules *rules, seebatch_error *error)
{
    for (size_t i = 0; i < RULE_SETS; i++) {
        if (strcmp(name, rule_sets[i].name) == 0) {
            *rules = rule_sets[i].rules;
            return SEEBATCH_OK;
        }
    }
    char known[160];
    for (size_t i = 0, n = 0; i < RULE_SETS && n < sizeof known; i++)
        n += seebatch_format(known + n, sizeof known - n, "%s%s", i ? ", " : "", rule_sets[i].name);
    return see_fail(error, SEEBATCH_BAD_RULES, "there is no rule set '%.40s', expected one of %s", name, known);
}

const char *seebatch_rules_name(size_t index) { return index < RULE_SETS ? rule_sets[index].name : NULL; }

seebatch_rules seebatch_rules_default(void) { return rule_sets[0].rules; }

/* The few combinations that have no meaning. */
static seebatch_status check_combination(const seebatch_rules *rules, seebatch_error *error)
{
    const bool legal = rules->pins == SEEBATCH_PINS_LEGAL;
    if (legal != (rules->order == SEEBATCH_BEST_ORDER))
        return see_fail(error, SEEBATCH_BAD_RULES,
                        "the field 'pins' of the rules is %d and 'order' is %d, expected SEEBATCH_PINS_LEGAL and "
                        "SEEBATCH_BEST_ORDER together or neither of them",
                        rules->pins, rules->order);
    if (!legal && rules->en_passant_replies == SEEBATCH_EN_PASSANT_REPLIES_COUNTED)
        return see_fail(error, SEEBATCH_BAD_RULES,
                        "the field 'en_passant_replies' of the rules is %d and 'pins' is %d, expected "
                        "SEEBATCH_EN_PASSANT_REPLIES_COUNTED with SEEBATCH_PINS_LEGAL only",
                        rules->en_passant_replies, rules->pins);
    if (legal && rules->en_passant == SEEBATCH_EN_PASSANT_STANDING)
        return see_fail(error, SEEBATCH_BAD_RULES,
                        "the field 'en_passant' of the rules is %d and 'pins' is %d, expected "
                        "SEEBATCH_EN_PASSANT_STANDING with other pins than SEEBATCH_PINS_LEGAL only",
                        rules->en_passant, rules->pins);
    return SEEBATCH_OK;
}

seebatch_status seebatch_rules_check(const seebatch_rules *rules, seebatch_error *error)
{
    static const char *const piece[5] = {"pawn", "knight", "bishop", "rook", "queen"};
    for (int type = SEEBATCH_PAWN; type <= SEEBATCH_QUEEN; type++) {
        if (rules->value[type] < 0 || rules->value[type] > SEEBATCH_MAX_PIECE_VALUE)
            return see_fail(error, SEEBATCH_BAD_RULES, "the value of a %s is %d, expected 0 to %d", piece[type],
                            rules->value[type], SEEBATCH_MAX_PIECE_VALUE);
    }
    const struct {
        const char *name;
        int value, most;
    } fields[] = {{"pins", rules->pins, SEEBATCH_PINS_RAY_STANDING},
                  {"promotions", rules->promotions, SEEBATCH_PROMOTE_ALL},
                  {"promotion", rules->promotion, SEEBATCH_PROMOTION_ALWAYS},
                  {"en_passant", rules->en_passant, SEEBATCH_EN_PASSANT_STANDING},
                  {"castling", rules->castling, SEEBATCH_CASTLING_ALWAYS},
                  {"order", rules->order, SEEBATCH_BEST_ORDER},
                  {"en_passant_replies", rules->en_passant_replies, SEEBATCH_EN_PASSANT_REPLIES_COUNTED},
                  {"reserved", rules->reserved, 0}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (fields[i].value > fields[i].most)
            return see_fail(error, SEEBATCH_BAD_RULES, "the field '%s' of the rules is %d, expected 0%s%.0d",
                            fields[i].name, fields[i].value, fields[i].most ? " to " : "", fields[i].most);
    }
    return check_combination(rules, error);
}
