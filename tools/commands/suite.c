/*
 * Suites are tables whose fields stand apart by one of four signs, and each line shows which: it begins with a double
 * quote (then commas), or has TABs, semicolons or bars. The third field is a number or a small expression over the
 * names of pieces, evaluated by descent: a sum of products of numbers, pieces and sums in parentheses.
 */
#include "suite.h"
#include "support/quote.h"
#include "support/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- Texts and errors ------------------------------------------------------------------------------------------- */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static struct suite_text trimmed(const char *first, const char *end)
{
    while (first < end && is_blank(*first))
        first++;
    while (first < end && is_blank(end[-1]))
        end--;
    return (struct suite_text){first, (size_t)(end - first)};
}

/* ---- Values ----------------------------------------------------------------------------------------------------- */

struct expression {
    const char *at, *end;
    const int16_t *values;
    const char *expected; /* what was missing at `at`, once something was; NULL before */
    int depth;
};

enum { DEEPEST = 32 };

static char next_sign(struct expression *e)
{
    while (e->at < e->end && is_blank(*e->at))
        e->at++;
    return (char)(e->at < e->end ? *e->at : '\0');
}

static int64_t give_up(struct expression *e, const char *expected)
{
    if (e->expected == NULL)
        e->expected = expected;
    return 0;
}

/* The parts are bounded, and so 64 bits hold a sum or product of two. */
static int64_t bounded(struct expression *e, int64_t value)
{
    if (value >= -SUITE_GREATEST && value <= SUITE_GREATEST)
        return value;
    return give_up(e, "no more than a billion");
}

static int64_t read_number(struct expression *e)
{
    int64_t number = 0;
    for (; e->at < e->end && *e->at >= '0' && *e->at <= '9'; e->at++)
        number = bounded(e, 10 * number + (*e->at - '0'));
    return number;
}

/* The piece that a word names by its letter or in full, whatever the case; what a program writes before it
 * (PieceType::Pawn) does not matter. */
static int piece_named(const char *first, const char *end)
{
    static const char *const names[] = {"pawn", "knight", "bishop", "rook", "queen"};
    for (const char *c = first; c < end; c++)
        if (*c == ':' || *c == '.')
            first = c + 1;
    const size_t length = (size_t)(end - first);
    for (int piece = SEEBATCH_PAWN; piece <= SEEBATCH_QUEEN; piece++) {
        const char *name = names[piece], letter = "pnbrq"[piece];
        size_t same = 0;
        while (same < length && tolower((unsigned char)first[same]) == name[same] && name[same] != '\0')
            same++;
        if (length > 0 && same == length && name[same] == '\0')
            return piece;
        if (length == 1 && tolower((unsigned char)*first) == letter)
            return piece;
    }
    return SEEBATCH_NO_PIECE;
}

static const char *word_end(const struct expression *e)
{
    const char *c = e->at;
    while (c < e->end && (isalnum((unsigned char)*c) || *c == '_' || *c == ':' || *c == '.'))
        c++;
    return c;
}

/* Reads P, Pawn, or an element of a table of some program, such as SEE_VALUES[Pawn]. */
static int64_t read_piece(struct expression *e)
{
    const char *end = word_end(e), *word = e->at;
    const bool element = end < e->end && *end == '[';
    if (element) {
        e->at = word = end + 1;
        end = word_end(e);
    }
    int piece = piece_named(word, end);
    if (piece == SEEBATCH_NO_PIECE)
        return give_up(e, "a number, a piece (P, N, B, R, Q or its name) or (");
    if (e->values == NULL)
        return give_up(e, "numbers alone, for the values of the pieces are not known");
    e->at = end;
    if (element && next_sign(e) != ']')
        return give_up(e, "]");
    e->at += element;
    return e->values[piece];
}

static int64_t read_sum(struct expression *e);

static int64_t read_factor(struct expression *e)
{
    char sign = next_sign(e);
    if (sign >= '0' && sign <= '9')
        return read_number(e);
    if (sign != '(')
        return read_piece(e);
    if (++e->depth > DEEPEST)
        return give_up(e, "fewer parentheses");
    e->at++;
    int64_t sum = read_sum(e);
    if (next_sign(e) != ')')
        return give_up(e, "+, -, * or )");
    e->at++;
    e->depth--;
    return sum;
}

static int64_t read_product(struct expression *e)
{
    int64_t product = read_factor(e);
    while (e->expected == NULL && next_sign(e) == '*') {
        e->at++;
        product = bounded(e, product * read_factor(e));
    }
    return product;
}

static int64_t read_sum(struct expression *e)
{
    int64_t sum = 0;
    char sign = next_sign(e);
    bool first = sign != '+' && sign != '-';
    while (e->expected == NULL && (first || sign == '+' || sign == '-')) {
        e->at += !first;
        int64_t product = read_product(e);
        sum = bounded(e, sign == '-' ? sum - product : sum + product);
        sign = next_sign(e);
        first = false;
    }
    return sum;
}

bool suite_value(struct suite_text text, const int16_t values[5], int *value, seebatch_error *error)
{
    struct expression e = {text.first, text.first + text.length, values, NULL, 0};
    int64_t sum = read_sum(&e);
    if (e.expected == NULL && next_sign(&e) != '\0')
        e.expected = "+, -, * or the end";
    if (e.expected == NULL && e.at == e.end) {
        *value = (int)sum;
        return true;
    }
    if (text.length == 0) {
        snprintf(error->text, sizeof error->text,
                 "the value is missing, expected an integer, or a sum of pieces such as P - N");
        return false;
    }
    const char *expected = e.expected != NULL ? e.expected : "text";
    char place[64] = "the end";
    if (e.at < e.end)
        snprintf(place, sizeof place, "'%s'", quote(e.at, (size_t)(e.end - e.at)).text);
    snprintf(error->text, sizeof error->text, "'%s' is neither an integer nor a sum of pieces: expected %s at %s",
             quote(text.first, text.length).text, expected, place);
    return false;
}

/* ---- Fields ----------------------------------------------------------------------------------------------------- */

enum { LEAST_FIELDS = 3, MOST_FIELDS = 4 }; /* what follows the fourth is a remark */

struct fields {
    struct suite_text field[MOST_FIELDS];
    size_t count;
};

static void split(const char *first, const char *end, char separator, struct fields *fields)
{
    fields->count = 0;
    while (fields->count < MOST_FIELDS) {
        const char *stop = memchr(first, separator, (size_t)(end - first));
        fields->field[fields->count++] = trimmed(first, stop != NULL ? stop : end);
        if (stop == NULL)
            return;
        first = stop + 1;
    }
}

static bool contains(struct suite_text text, char c) { return memchr(text.first, c, text.length) != NULL; }

static void take_quotes_off(struct suite_text *text)
{
    if (text->length >= 2 && text->first[0] == '"' && text->first[text->length - 1] == '"')
        *text = trimmed(text->first + 1, text->first + text->length - 1);
}

static void split_at_first_sign(struct suite_text line, struct fields *fields)
{
    const char *semicolon = memchr(line.first, ';', line.length), *bar = memchr(line.first, '|', line.length);
    const bool at_bars = bar != NULL && (semicolon == NULL || bar < semicolon);
    split(line.first, line.first + line.length, at_bars ? '|' : ';', fields);
}

/* "FEN", "move", value: as it is, or as a row of a table in a program's source, {"FEN", "move", value}, and there also
 * "FEN | move | value", */
static bool split_quoted(struct suite_text line, struct fields *fields)
{
    const char *first = line.first, *end = line.first + line.length;
    const char *bracket = line.length > 0 ? strchr("{([", *first) : NULL;
    if (bracket != NULL && *bracket != '\0') {
        struct suite_text rest = trimmed(first + 1, end);
        first = rest.first;
        while (end > first && strchr(",; \t", end[-1]) != NULL)
            end--;
        end -= end > first && end[-1] == "})]"[bracket - "{(["];
    }
    if (first == end || *first != '"')
        return false;
    split(first, end, ',', fields);
    for (size_t i = 0; i < fields->count; i++)
        take_quotes_off(&fields->field[i]);
    const struct suite_text whole = fields->field[0];
    if (contains(whole, '|') || contains(whole, ';'))
        split_at_first_sign(whole, fields);
    return true;
}

static void split_line(struct suite_text line, struct fields *fields)
{
    const char *end = line.first + line.length;
    if (split_quoted(line, fields))
        return;
    /* As seebatch eval writes it. The position may then have operations, which end with semicolons. */
    split(line.first, end, '\t', fields);
    if (fields->count >= LEAST_FIELDS && !contains(fields->field[1], ';') && !contains(fields->field[1], '|'))
        return;
    split_at_first_sign(line, fields);
}

bool suite_next_word(struct suite_text *rest, struct suite_text *word)
{
    const char *c = rest->first, *end = rest->first + rest->length;
    while (c < end && (is_blank(*c) || *c == ','))
        c++;
    word->first = c;
    while (c < end && !is_blank(*c) && *c != ',')
        c++;
    word->length = (size_t)(c - word->first);
    *rest = (struct suite_text){c, (size_t)(end - c)};
    return word->length > 0;
}

bool suite_list_read(const char *line, size_t length, struct suite_list *list)
{
    struct fields fields;
    struct suite_text word;
    /* With TABs, operations of a position may stand between semicolons. */
    if (memchr(line, '\t', length) != NULL)
        return false;
    split(line, line + length, ';', &fields);
    if (fields.count != LEAST_FIELDS || contains(fields.field[0], '"'))
        return false;
    *list = (struct suite_list){fields.field[0], fields.field[1], fields.field[2]};
    struct suite_text rest = list->moves;
    return suite_next_word(&rest, &word) && suite_next_word(&rest, &word);
}

static bool read_flag(struct suite_text text, bool *flag)
{
    static const char *const words[] = {"0", "1", "false", "true"};
    for (int i = 0; i < 4; i++) {
        size_t same = 0;
        while (same < text.length && words[i][same] != '\0' &&
               tolower((unsigned char)text.first[same]) == words[i][same])
            same++;
        if (same == text.length && words[i][same] == '\0') {
            *flag = i % 2 == 1;
            return true;
        }
    }
    return false;
}

bool suite_read(const char *line, size_t length, const int16_t values[5], const int16_t *threshold,
                struct suite_line *parsed, seebatch_error *error)
{
    struct fields fields;
    memset(parsed, 0, sizeof *parsed);
    split_line(trimmed(line, line + length), &fields);
    if (fields.count < LEAST_FIELDS) {
        snprintf(error->text, sizeof error->text,
                 "the line has %zu field%s, expected 'position; move; value' or 'position; move; threshold; flag'",
                 fields.count, plural(fields.count));
        return false;
    }
    const struct suite_text what = fields.field[2];
    parsed->position = fields.field[0];
    parsed->move = fields.field[1];
    parsed->has_threshold = fields.count > 3 && read_flag(fields.field[3], &parsed->reaches);
    if (!parsed->has_threshold && threshold != NULL) {
        parsed->has_threshold = true;
        parsed->threshold = *threshold;
        if (read_flag(what, &parsed->reaches))
            return true;
        snprintf(error->text, sizeof error->text, "'%s' is not a flag, expected 0, 1, false or true with --threshold",
                 quote(what.first, what.length).text);
        return false;
    }
    if (!suite_value(what, values, &parsed->value, error))
        return false;
    if (parsed->has_threshold && (parsed->value < INT16_MIN || parsed->value > INT16_MAX)) {
        snprintf(error->text, sizeof error->text, "the threshold is %d, expected one from %d to %d", parsed->value,
                 INT16_MIN, INT16_MAX);
        return false;
    }
    if (parsed->has_threshold)
        parsed->threshold = (int16_t)parsed->value;
    return true;
}
