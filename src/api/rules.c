/*
 * Rule sets: what an exchange means, as data. A name is for people; the code below the API reads the enumerations.
 *
 * Two tables hold everything: the fields with the words for their values, and the named rule sets. scripts/manual makes
 * them of rules.txt. All code that reads, checks, draws or lists rules, here and elsewhere, uses these tables.
 */
#include "error.h"
#include "seebatch.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- Fields ------------------------------------------------------------------------------------------------------ */

/* Made by scripts/manual: fields */
/* clang-format off */
static const char *const pins_words[] = {"ignored", "any", "all", "legal", "ray-once", "ray-once-both", "ray-each",
    "ray-standing"};
static const char *const promotions_words[] = {"none", "first", "all"};
static const char *const promotion_words[] = {"evaluated", "zero", "always"};
static const char *const en_passant_words[] = {"evaluated", "zero", "always", "standing"};
static const char *const castling_words[] = {"zero", "always"};
static const char *const order_words[] = {"least", "best"};
static const char *const en_passant_replies_words[] = {"ignored", "counted"};

static const seebatch_rules_field rule_fields[] = {
    {"pins", pins_words, COUNT(pins_words), offsetof(seebatch_rules, pins)},
    {"promotions", promotions_words, COUNT(promotions_words), offsetof(seebatch_rules, promotions)},
    {"promotion", promotion_words, COUNT(promotion_words), offsetof(seebatch_rules, promotion)},
    {"en-passant", en_passant_words, COUNT(en_passant_words), offsetof(seebatch_rules, en_passant)},
    {"castling", castling_words, COUNT(castling_words), offsetof(seebatch_rules, castling)},
    {"order", order_words, COUNT(order_words), offsetof(seebatch_rules, order)},
    {"en-passant-replies", en_passant_replies_words, COUNT(en_passant_replies_words), offsetof(seebatch_rules, en_passant_replies)},
};
/* clang-format on */
/* Up to here by scripts/manual. */

const seebatch_rules_field *seebatch_rules_field_at(size_t index)
{
    return index < COUNT(rule_fields) ? &rule_fields[index] : NULL;
}

static uint8_t field_value(const seebatch_rules *rules, const seebatch_rules_field *field)
{
    return ((const uint8_t *)rules)[field->offset];
}

static const char *word_of(const seebatch_rules *rules, const seebatch_rules_field *field)
{
    return field->words[field_value(rules, field)];
}

/* ---- Names ------------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    seebatch_rules rules;
} rule_sets[] = {
    /* Made by scripts/manual: rules */
    /* clang-format off */
    /* The true value: the default. */
    {"legal",
     {{100, 325, 325, 500, 1000}, SEEBATCH_PINS_LEGAL, SEEBATCH_PROMOTE_ALL, SEEBATCH_PROMOTION_EVALUATED,
      SEEBATCH_EN_PASSANT_EVALUATED, SEEBATCH_CASTLING_ZERO, SEEBATCH_BEST_ORDER, SEEBATCH_EN_PASSANT_REPLIES_IGNORED, 0}},
    /* The swap algorithm of the literature. */
    {"swap",
     {{100, 325, 325, 500, 1000}, SEEBATCH_PINS_IGNORED, SEEBATCH_PROMOTE_NONE, SEEBATCH_PROMOTION_EVALUATED,
      SEEBATCH_EN_PASSANT_EVALUATED, SEEBATCH_CASTLING_ZERO, SEEBATCH_LEAST_VALUABLE_FIRST,
      SEEBATCH_EN_PASSANT_REPLIES_IGNORED, 0}},
    /* swap, with promotions all along the exchange. */
    {"promotions",
     {{100, 325, 325, 500, 1000}, SEEBATCH_PINS_IGNORED, SEEBATCH_PROMOTE_ALL, SEEBATCH_PROMOTION_EVALUATED,
      SEEBATCH_EN_PASSANT_EVALUATED, SEEBATCH_CASTLING_ZERO, SEEBATCH_LEAST_VALUABLE_FIRST,
      SEEBATCH_EN_PASSANT_REPLIES_IGNORED, 0}},
    /* What Ethereal and engines derived from it compute, except for captures en passant. */
    {"ethereal",
     {{100, 325, 325, 500, 1000}, SEEBATCH_PINS_IGNORED, SEEBATCH_PROMOTE_FIRST, SEEBATCH_PROMOTION_EVALUATED,
      SEEBATCH_EN_PASSANT_EVALUATED, SEEBATCH_CASTLING_ZERO, SEEBATCH_LEAST_VALUABLE_FIRST,
      SEEBATCH_EN_PASSANT_REPLIES_IGNORED, 0}},
    /* What Stockfish computes today. */
    {"stockfish",
     {{100, 325, 325, 500, 1000}, SEEBATCH_PINS_ANY, SEEBATCH_PROMOTE_NONE, SEEBATCH_PROMOTION_ZERO,
      SEEBATCH_EN_PASSANT_ZERO, SEEBATCH_CASTLING_ZERO, SEEBATCH_LEAST_VALUABLE_FIRST,
      SEEBATCH_EN_PASSANT_REPLIES_IGNORED, 0}},
    /* The first published pin-aware see_ge. */
    {"stockfish-2016",
     {{100, 325, 325, 500, 1000}, SEEBATCH_PINS_ALL, SEEBATCH_PROMOTE_NONE, SEEBATCH_PROMOTION_EVALUATED,
      SEEBATCH_EN_PASSANT_EVALUATED, SEEBATCH_CASTLING_ZERO, SEEBATCH_LEAST_VALUABLE_FIRST,
      SEEBATCH_EN_PASSANT_REPLIES_IGNORED, 0}},
    /* Stormphrax and Viridithas. */
    {"stormphrax",
     {{100, 325, 325, 500, 1000}, SEEBATCH_PINS_RAY_ONCE, SEEBATCH_PROMOTE_FIRST, SEEBATCH_PROMOTION_EVALUATED,
      SEEBATCH_EN_PASSANT_STANDING, SEEBATCH_CASTLING_ZERO, SEEBATCH_LEAST_VALUABLE_FIRST,
      SEEBATCH_EN_PASSANT_REPLIES_IGNORED, 0}},
    /* Pawnocchio. */
    {"pawnocchio",
     {{100, 325, 325, 500, 1000}, SEEBATCH_PINS_RAY_ONCE_BOTH, SEEBATCH_PROMOTE_FIRST, SEEBATCH_PROMOTION_EVALUATED,
      SEEBATCH_EN_PASSANT_STANDING, SEEBATCH_CASTLING_ZERO, SEEBATCH_LEAST_VALUABLE_FIRST,
      SEEBATCH_EN_PASSANT_REPLIES_IGNORED, 0}},
    /* PlentyChess. */
    {"plentychess",
     {{100, 325, 325, 500, 1000}, SEEBATCH_PINS_RAY_EACH, SEEBATCH_PROMOTE_NONE, SEEBATCH_PROMOTION_ALWAYS,
      SEEBATCH_EN_PASSANT_ALWAYS, SEEBATCH_CASTLING_ALWAYS, SEEBATCH_LEAST_VALUABLE_FIRST,
      SEEBATCH_EN_PASSANT_REPLIES_IGNORED, 0}},
    /* Reckless. */
    {"reckless",
     {{100, 325, 325, 500, 1000}, SEEBATCH_PINS_RAY_STANDING, SEEBATCH_PROMOTE_FIRST, SEEBATCH_PROMOTION_EVALUATED,
      SEEBATCH_EN_PASSANT_EVALUATED, SEEBATCH_CASTLING_ALWAYS, SEEBATCH_LEAST_VALUABLE_FIRST,
      SEEBATCH_EN_PASSANT_REPLIES_IGNORED, 0}},
    /* legal, with replies en passant: the minimax that Monty's SEE was tested against. */
    {"monty",
     {{100, 325, 325, 500, 1000}, SEEBATCH_PINS_LEGAL, SEEBATCH_PROMOTE_ALL, SEEBATCH_PROMOTION_EVALUATED,
      SEEBATCH_EN_PASSANT_EVALUATED, SEEBATCH_CASTLING_ZERO, SEEBATCH_BEST_ORDER, SEEBATCH_EN_PASSANT_REPLIES_COUNTED, 0}},
    /* clang-format on */
    /* Up to here by scripts/manual. */
};

const char *seebatch_rules_name(size_t index) { return index < COUNT(rule_sets) ? rule_sets[index].name : NULL; }

/* ---- As text: NAME[,FIELD=WORD...] ------------------------------------------------------------------------------- */

static bool is_text(const char *text, size_t length, const char *other)
{
    return strlen(other) == length && memcmp(text, other, length) == 0;
}

/* Enough for the names of the rule sets, which are the longest of these lists. */
enum { LIST_SIZE = 160 };

/* Names in the rows of a table: the first one, and the size of a row in bytes. */
struct names {
    const char *const *first;
    size_t row, n;
};

static const char *listed_name(const struct names *names, size_t i)
{
    const void *row = (const char *)names->first + i * names->row;
    return *(const char *const *)row;
}

/* Finds which of the names the text is. If it is none of them, returns false and a list of all names. */
static bool find_name(const struct names *names, const char *text, size_t length, size_t *index, char list[LIST_SIZE])
{
    for (*index = 0; *index < names->n; ++*index)
        if (is_text(text, length, listed_name(names, *index)))
            return true;
    size_t used = 0;
    for (size_t i = 0; i < names->n && used < LIST_SIZE; i++)
        used += seebatch_format(list + used, LIST_SIZE - used, "%s%s", i > 0 ? ", " : "", listed_name(names, i));
    return false;
}

/* Copies a word of the text as a NUL-terminated one, cut off where it is longer than any sentence needs. */
struct word {
    char text[41];
};

static struct word word_from(const char *text, size_t length)
{
    struct word word = {""};
    memcpy(word.text, text, length < sizeof word.text ? length : sizeof word.text - 1);
    return word;
}

/* Finds a field by name. */
static seebatch_status find_field(const char *name, size_t length, size_t *index, seebatch_error *error)
{
    const struct names names = {&rule_fields[0].name, sizeof *rule_fields, COUNT(rule_fields)};
    char known[LIST_SIZE];
    if (find_name(&names, name, length, index, known))
        return SEEBATCH_OK;
    if (length == 0)
        return see_fail(error, SEEBATCH_BAD_RULES,
                        "the rules have a comma without a field after it, expected FIELD=WORD with one of %s", known);
    return see_fail(error, SEEBATCH_BAD_RULES, "the rules have no field '%s', expected FIELD=WORD with one of %s",
                    word_from(name, length).text, known);
}

static seebatch_status set_field(seebatch_rules *rules, const seebatch_rules_field *field, const char *word,
                                 size_t length, seebatch_error *error)
{
    const struct names words = {field->words, sizeof *field->words, field->n_words};
    char known[LIST_SIZE];
    size_t value;
    if (!find_name(&words, word, length, &value, known))
        return see_fail(error, SEEBATCH_BAD_RULES, "the field '%s' of the rules is '%s', expected one of %s",
                        field->name, word_from(word, length).text, known);
    ((uint8_t *)rules)[field->offset] = (uint8_t)value;
    return SEEBATCH_OK;
}

/* Counts the characters that stand before a comma or the one that is given. */
static size_t length_to(const char *text, char end)
{
    size_t length = 0;
    while (text[length] != '\0' && text[length] != ',' && text[length] != end)
        length++;
    return length;
}

/* Sets the fields of a text FIELD=WORD,... in which each field is given once. */
static seebatch_status set_fields(seebatch_rules *rules, const char *text, seebatch_error *error)
{
    seebatch_status status = SEEBATCH_OK;
    unsigned given = 0; /* a bit for each field */
    while (status == SEEBATCH_OK) {
        const size_t length = length_to(text, ','), name = length_to(text, '=');
        const size_t word = name < length ? name + 1 : length;
        size_t index = 0;
        status = find_field(text, name, &index, error);
        if (status == SEEBATCH_OK && given >> index & 1)
            return see_fail(error, SEEBATCH_BAD_RULES, "the field '%s' of the rules is given twice, expected it once",
                            rule_fields[index].name);
        given |= 1u << index;
        if (status == SEEBATCH_OK)
            status = set_field(rules, &rule_fields[index], text + word, length - word, error);
        if (text[length] == '\0')
            break;
        text += length + 1;
    }
    return status;
}

seebatch_rules seebatch_rules_default(void) { return rule_sets[0].rules; }

static seebatch_status find_rule_set(const char *name, size_t length, seebatch_rules *rules, seebatch_error *error)
{
    const struct names names = {&rule_sets[0].name, sizeof *rule_sets, COUNT(rule_sets)};
    char known[LIST_SIZE];
    size_t index;
    if (!find_name(&names, name, length, &index, known))
        return see_fail(error, SEEBATCH_BAD_RULES, "there is no rule set '%s', expected one of %s",
                        word_from(name, length).text, known);
    *rules = rule_sets[index].rules;
    return SEEBATCH_OK;
}

seebatch_status seebatch_rules_named(const char *text, seebatch_rules *rules, seebatch_error *error)
{
    const size_t length = length_to(text, ',');
    seebatch_rules made;
    seebatch_status status = find_rule_set(text, length, &made, error);
    if (status == SEEBATCH_OK && text[length] == ',')
        status = set_fields(&made, text + length + 1, error);
    if (status == SEEBATCH_OK)
        status = seebatch_rules_check(&made, error);
    if (status == SEEBATCH_OK)
        *rules = made;
    return status;
}

/* Counts the fields that differ. */
static unsigned count_differing(const seebatch_rules *a, const seebatch_rules *b)
{
    unsigned n = 0;
    for (size_t i = 0; i < COUNT(rule_fields); i++)
        n += field_value(a, &rule_fields[i]) != field_value(b, &rule_fields[i]);
    return n;
}

size_t seebatch_rules_to_text(const seebatch_rules *rules, char text[SEEBATCH_RULES_SIZE])
{
    size_t nearest = 0;
    for (size_t i = 1; i < COUNT(rule_sets); i++)
        if (count_differing(rules, &rule_sets[i].rules) < count_differing(rules, &rule_sets[nearest].rules))
            nearest = i;
    const seebatch_rules *named = &rule_sets[nearest].rules;
    size_t n = seebatch_format(text, SEEBATCH_RULES_SIZE, "%s", rule_sets[nearest].name);
    for (size_t i = 0; i < COUNT(rule_fields); i++)
        if (field_value(rules, &rule_fields[i]) != field_value(named, &rule_fields[i]))
            n += seebatch_format(text + n, SEEBATCH_RULES_SIZE - n, ",%s=%s", rule_fields[i].name,
                                 word_of(rules, &rule_fields[i]));
    assert(n < SEEBATCH_RULES_SIZE);
    return n;
}

/* ---- Bounds ------------------------------------------------------------------------------------------------------ */

/* Refuses the few combinations that have no meaning. */
static seebatch_status check_combination(const seebatch_rules *rules, seebatch_error *error)
{
    const bool legal = rules->pins == SEEBATCH_PINS_LEGAL;
    const char *pins = pins_words[rules->pins];
    if (legal != (rules->order == SEEBATCH_BEST_ORDER))
        return see_fail(
            error, SEEBATCH_BAD_RULES,
            "the field 'pins' of the rules is '%s' and 'order' is '%s', expected 'legal' and 'best' together "
            "or neither of them",
            pins, order_words[rules->order]);
    if (!legal && rules->en_passant_replies == SEEBATCH_EN_PASSANT_REPLIES_COUNTED)
        return see_fail(
            error, SEEBATCH_BAD_RULES,
            "the field 'en-passant-replies' of the rules is 'counted' and 'pins' is '%s', expected 'counted' "
            "with the pins 'legal' only",
            pins);
    if (legal && rules->en_passant == SEEBATCH_EN_PASSANT_STANDING)
        return see_fail(error, SEEBATCH_BAD_RULES,
                        "the field 'en-passant' of the rules is 'standing' and 'pins' is 'legal', expected 'standing' "
                        "with other pins only");
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
    for (size_t i = 0; i < COUNT(rule_fields); i++) {
        if (field_value(rules, &rule_fields[i]) >= rule_fields[i].n_words)
            return see_fail(error, SEEBATCH_BAD_RULES, "the field '%s' of the rules is %d, expected 0 to %d",
                            rule_fields[i].name, field_value(rules, &rule_fields[i]), (int)rule_fields[i].n_words - 1);
    }
    if (rules->reserved != 0)
        return see_fail(error, SEEBATCH_BAD_RULES, "the field 'reserved' of the rules is %d, expected 0",
                        rules->reserved);
    return check_combination(rules, error);
}
