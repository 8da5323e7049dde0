/*
 * Reads the language of conditions: it makes trees of texts.
 *
 *     expression = all { "or" all }
 *     all        = one { "and" one }
 *     one        = "not" one | "(" expression ")" | condition
 *     condition  = name [ compared ]
 *     compared   = "=" argument | "!=" argument | ( "<" | "<=" | ">" | ">=" ) number
 *
 * Words may be in capitals, and blanks may stand between all parts. A comparison becomes a range: "ply < 30" is
 * "ply=..29". What differs from a range lies below or above it, so "ply != 30" is "ply=..29 or ply=31..", and neither
 * holds for a record without a ply.
 *
 * docs/conditions.md is the page about it.
 */
#include <stdarg.h>
#include <stdlib.h>

#include "condition.h"
#include "support/edits.h"
#include "support/errors.h"
#include "support/splitmix.h"
#include "support/text.h"

struct parser {
    seebatch_conditions *conditions;
    const char *text, *at, *end;
    int depth;
    seebatch_io_error *error;
};

/* A part of the text, by its ends. */
struct span {
    const char *begin;
    size_t length;
};

/* ---- Messages ---------------------------------------------------------------------------------------------------- */

enum { SHOWN = 76, SHOWN_BEFORE = 40, MARGIN = 2 };

/* Returns the number of bytes of a character, or 1 where there is none that can be shown. */
static size_t length_of_character(const char *text, const char *end)
{
    const char *next = seebatch_io_skip_utf8(text, end);
    return next > text ? (size_t)(next - text) : 1;
}

/* Returns whether a character of UTF-8 may be shown as it is; control characters may not. */
static bool is_shown(const char *text, size_t length)
{
    const unsigned char first = (unsigned char)text[0];
    return length == 1 ? first >= ' ' && first < 0x7f : first != 0xc2 || (unsigned char)text[1] >= 0xa0;
}

/* Writes the sentence, the text around the place on a line of its own, and a caret under the place. */
void seebatch_io_point_at(seebatch_io_error *error, const char *text, size_t begin, size_t end, const char *sentence)
{
    const char *last = text + strlen(text), *from = text;
    char line[4 * (SHOWN + 8)] = "", marks[SHOWN + 8] = "";
    size_t before = 0, used = 0, column = 0, marked = 0;
    for (const char *at = text; at < text + begin; at += length_of_character(at, last))
        before++;
    for (; before > SHOWN_BEFORE; before--)
        from += length_of_character(from, last);
    if (from > text) {
        used = column = strlen(strcpy(line, "..."));
        memset(marks, ' ', column);
    }
    const char *at = from;
    for (size_t length; at < last && column < SHOWN; at += length, column++) {
        length = length_of_character(at, last);
        const bool shown = is_shown(at, length);
        memcpy(line + used, shown ? at : *at == '\t' || *at == '\n' ? " " : "?", shown ? length : 1);
        used += shown ? length : 1;
        const bool is_marked = at >= text + begin && (at < text + end || marked == 0);
        marks[column] = !is_marked ? ' ' : marked++ == 0 ? '^' : '~';
    }
    strcpy(line + used, at < last ? "..." : "");
    if (marked == 0)
        marks[column++] = '^';
    while (column > 0 && marks[column - 1] == ' ')
        column--;
    marks[column] = '\0';
    seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "%s\n%*s%s\n%*s%s", sentence, MARGIN, "", line, MARGIN, "", marks);
}

/* Fails with a sentence about a place. */
__attribute__((format(printf, 3, 4))) static int fail_at(struct parser *parser, struct span place, const char *format,
                                                         ...)
{
    char sentence[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    const size_t begin = (size_t)(place.begin - parser->text);
    seebatch_io_point_at(parser->error, parser->text, begin, begin + place.length, sentence);
    return NONE;
}

/* Holds a part of the text as a message quotes it, cut where it is long. */
struct quotation {
    char text[4 * 40 + 4];
};

static struct quotation quoted(struct span span)
{
    struct quotation quotation;
    const char *at = span.begin, *end = span.begin + span.length;
    size_t used = 0;
    for (size_t n = 0, length; at < end && n < 40; n++, at += length) {
        length = length_of_character(at, end);
        const bool shown = is_shown(at, length);
        memcpy(quotation.text + used, shown ? at : "?", shown ? length : 1);
        used += shown ? length : 1;
    }
    strcpy(quotation.text + used, at < end ? "..." : "");
    return quotation;
}

/* Lists what people write who know other languages, and what to write here. */
static const struct {
    const char *typed, *instead;
} symbols[] =
    {
        {"&&", "and"}, {"||", "or"}, {"==", "="},  {"<>", "!="}, {"=<", "<="}, {"=>", ">="},
        {"&", "and"},  {"|", "or"},  {"!", "not"}, {"~", "not"}, {"≤", "<="},  {"≥", ">="},
        {"≠", "!="},   {"∧", "and"}, {"∨", "or"},  {"¬", "not"}, {",", "and"}, {";", "and"},
},
  words[] = {
      {"check", "'in-check'"},
      {"incheck", "'in-check'"},
      {"draw", "'result=0.5'"},
      {"drawn", "'result=0.5'"},
      {"won", "'result=1.0', where White won, or 'result=0.0'"},
      {"wins", "'result=1.0', where White won, or 'result=0.0'"},
      {"lost", "'result=0.0', where Black won, or 'result=1.0'"},
      {"wdl", "'result'"},
      {"outcome", "'result'"},
      {"eval", "'score'"},
      {"cp", "'score'"},
      {"evaluation", "'score'"},
      {"abs", "'abs(score)'"},
      {"see", "'move-value', 'best-capture' or 'threat'"},
      {"halfmove", "'clock'"},
      {"rule50", "'clock'"},
      {"fifty", "'clock'"},
      {"fullmove", "'ply'"},
      {"side", "'stm=white' or 'stm=black'"},
      {"white", "'stm=white'"},
      {"black", "'stm=black'"},
      {"piece-count", "'pieces'"},
      {"null", "'not has=score'"},
      {"castles", "'castling'"},
      {"random", "'chance=P'"},
      {"winning", "'capture=1..'"},
      {"losing", "'capture=..-1'"},
      {"ep", "'en-passant'"},
};

static bool is_word(struct span span, const char *word)
{
    for (size_t i = 0; i < span.length; i++)
        if (word[i] == '\0' || lower_letter(span.begin[i]) != word[i])
            return false;
    return word[span.length] == '\0';
}

static bool begins_with(const struct parser *parser, const char *text)
{
    const size_t length = strlen(text);
    return (size_t)(parser->end - parser->at) >= length && memcmp(parser->at, text, length) == 0;
}

/* Fails with what to write instead of |score|. */
static bool fails_by_bars(struct parser *parser)
{
    const char *bar = parser->at < parser->end && *parser->at == '|'
                          ? memchr(parser->at + 1, '|', (size_t)(parser->end - parser->at - 1))
                          : NULL;
    if (bar == NULL || bar == parser->at + 1)
        return false;
    const struct span place = {parser->at, (size_t)(bar - parser->at) + 1};
    fail_at(parser, place, "'%s' is not part of the language, write 'abs(score)' or 'abs-score'", quoted(place).text);
    return true;
}

/* Fails with what to write instead of the symbol at this place, if it is one that people know; otherwise returns false. */
static bool fails_by_symbol(struct parser *parser)
{
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        const char *typed = symbols[i].typed, *instead = symbols[i].instead;
        if (!begins_with(parser, typed))
            continue;
        const struct span place = {parser->at, strlen(typed)};
        if (*typed == ',' || *typed == ';')
            fail_at(parser, place, "'%s' joins no conditions, write 'and' or 'or'", typed);
        else
            fail_at(parser, place, "'%s' is not part of the language, write '%s'", typed, instead);
        return true;
    }
    return false;
}

/* ---- Words ------------------------------------------------------------------------------------------------------- */

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static void skip_blanks(struct parser *parser)
{
    while (parser->at < parser->end && is_space(*parser->at))
        parser->at++;
}

/* Returns the word that begins here: up to a blank or a sign. Commas stand in words where an argument may have them. */
static struct span peek_word(const struct parser *parser, bool commas)
{
    struct span word = {parser->at, 0};
    while (parser->at + word.length < parser->end && !ends_word(word.begin[word.length]) &&
           (commas || word.begin[word.length] != ','))
        word.length++;
    return word;
}

static struct span peek_name(const struct parser *parser) { return peek_word(parser, false); }

static bool takes_word(struct parser *parser, const char *word)
{
    skip_blanks(parser);
    const struct span span = peek_name(parser);
    const bool takes = is_word(span, word);
    parser->at += takes ? span.length : 0;
    return takes;
}

static bool takes_sign(struct parser *parser, const char *sign)
{
    const bool takes = begins_with(parser, sign);
    parser->at += takes ? strlen(sign) : 0;
    return takes;
}

/* ---- Trees ------------------------------------------------------------------------------------------------------- */

static int new_node(seebatch_conditions *conditions, enum node_kind kind)
{
    const int number = conditions->n_nodes++;
    conditions->nodes[number] =
        (struct node){.kind = kind, .first = NONE, .next = NONE, .quickest = NONE, .later = NONE};
    return number;
}

/* Adds a part to the end of a whole. Parts of a part of the same kind become its own. */
static void append(seebatch_conditions *conditions, int whole, int part)
{
    struct node *nodes = conditions->nodes;
    int *end = &nodes[whole].first;
    while (*end != NONE)
        end = &nodes[*end].next;
    *end = nodes[part].kind == nodes[whole].kind && !nodes[part].negated ? nodes[part].first : part;
    nodes[whole].begin = nodes[nodes[whole].first].begin;
    nodes[whole].end = nodes[part].end;
}

/* Returns whether a part comes before another one in the evaluation: what costs less, and of two with exchanges, one
 * that cheap terms may decide. */
static bool comes_before(const struct node *a, const struct node *b)
{
    return a->cost != b->cost ? a->cost < b->cost
                              : a->cost >= ONE_MOVE && a->kind != TERM && b->kind == TERM && a->has_cheap;
}

static void insert_by_cost(struct node *nodes, struct node *whole, int part)
{
    int *at = &whole->quickest;
    while (*at != NONE && !comes_before(&nodes[part], &nodes[*at]))
        at = &nodes[*at].later;
    nodes[part].later = *at;
    *at = part;
}

/* Orders the parts of a whole that is complete. */
static void finish_whole(seebatch_conditions *conditions, int number)
{
    struct node *nodes = conditions->nodes, *whole = &nodes[number];
    int mixed = 0;
    for (int part = whole->first; part != NONE; part = nodes[part].next) {
        insert_by_cost(nodes, whole, part);
        whole->cost = nodes[part].cost > whole->cost ? nodes[part].cost : whole->cost;
        whole->has_cheap |= nodes[part].has_cheap;
        whole->tangled |= nodes[part].tangled;
        mixed += nodes[part].cost >= ONE_MOVE && nodes[part].has_cheap;
    }
    whole->tangled |= mixed > 1;
}

/* ---- Conditions -------------------------------------------------------------------------------------------------- */

/* Returns a node for a term, or NONE where there are too many. */
static int new_term(struct parser *parser, const struct condition *term, struct span place)
{
    seebatch_conditions *conditions = parser->conditions;
    if (conditions->n_terms == MOST_TERMS)
        return fail_at(parser, place, "more than %d terms were given", MOST_TERMS);
    const int node = new_node(conditions, TERM), number = conditions->n_terms++;
    struct node *made = &conditions->nodes[node];
    struct condition *added = &conditions->terms[number];
    *added = *term;
    added->seed = splitmix((uint64_t)(number + 1) * GOLDEN_GAMMA);
    seebatch_io_prepare(added, &conditions->rules, term->kind->test);
    made->term = number;
    made->cost = term->kind->cost;
    made->has_cheap = term->kind->cost < ONE_MOVE;
    made->begin = (int)(place.begin - parser->text);
    made->end = made->begin + (int)place.length;
    return node;
}

/* Joins two terms, of which all or any hold. */
static int two_of(struct parser *parser, enum node_kind kind, int first, int second)
{
    if (second == NONE)
        return NONE;
    const int whole = new_node(parser->conditions, kind);
    append(parser->conditions, whole, first);
    append(parser->conditions, whole, second);
    finish_whole(parser->conditions, whole);
    return whole;
}

/* Fails at the name of a condition that does not exist. */
static int no_such_condition(struct parser *parser, struct span name)
{
    const char *best = NULL;
    size_t distance = edits_too_many(name.length);
    char small[LONGEST_WORD];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(name, words[i].typed))
            return fail_at(parser, name, "there is no condition '%s', write %s", quoted(name).text, words[i].instead);
    for (size_t i = 0; name.length <= LONGEST_WORD && i < name.length; i++)
        small[i] = name.begin[i] == '_' ? '-' : lower_letter(name.begin[i]);
    const struct condition_kind *kind;
    for (size_t i = 0; name.length <= LONGEST_WORD && (kind = seebatch_io_kind_at(i)) != NULL; i++) {
        const size_t edits = edits_between(small, name.length, kind->name, strlen(kind->name));
        best = edits < distance ? kind->name : best;
        distance = edits < distance ? edits : distance;
    }
    if (best != NULL)
        return fail_at(parser, name, "there is no condition '%s'; did you mean '%s'?", quoted(name).text, best);
    return fail_at(parser, name, "there is no condition '%s'; 'seebatch filter --help' lists those that there are",
                   quoted(name).text);
}

/* Returns whether a word is a number, which may stand before a name, as in 16 <= ply. */
static bool is_number(struct span word)
{
    int64_t number;
    return seebatch_io_read_whole_number(word.begin, word.length, INT32_MIN, INT32_MAX, &number);
}

/* Fails because of what stands where a condition is expected, and is none. */
static int fail_without_condition(struct parser *parser, struct span word)
{
    if (parser->at == parser->end)
        return fail_at(parser, word,
                       parser->at == parser->text ? "the condition is empty, expected one such as 'ply >= 16'"
                                                  : "a condition is expected here, where the text ends");
    if (fails_by_bars(parser) || fails_by_symbol(parser))
        return NONE;
    if (word.length == 0)
        return fail_at(parser, (struct span){parser->at, 1}, "a condition is expected instead of '%s'",
                       quoted((struct span){parser->at, 1}).text);
    if (is_word(word, "and") || is_word(word, "or"))
        return fail_at(parser, word, "a condition is expected before '%s'", quoted(word).text);
    if (is_number(word))
        return fail_at(parser, word, "a comparison begins with a name, such as 'ply >= 16'");
    struct parser next = *parser;
    next.at += word.length;
    if (is_word(word, "in") && takes_word(&next, "check"))
        return fail_at(parser, (struct span){word.begin, (size_t)(next.at - word.begin)},
                       "there is no condition 'in', write 'in-check'");
    return no_such_condition(parser, word);
}

/* Reads the letters of count(...); returns false where they are none. */
static bool read_counted(struct parser *parser, struct span name, struct condition *term)
{
    const struct span open = {parser->at, 1};
    const char *close = memchr(parser->at, ')', (size_t)(parser->end - parser->at));
    if (!takes_sign(parser, "(") || close == NULL) {
        fail_at(parser, parser->at > open.begin ? open : name,
                "'count' needs the letters of pieces in parentheses, such as count(Q) for White's queens");
        return false;
    }
    const struct span letters = {parser->at, (size_t)(close - parser->at)};
    parser->at = close + 1;
    if (seebatch_io_read_pieces(letters.begin, letters.length, &term->pieces))
        return true;
    fail_at(parser, letters,
            "count: '%s' was given, expected letters of pieces as in a FEN, such as Q for White's queens and q for "
            "Black's",
            quoted(letters).text);
    return false;
}

/* Reads abs(score) as one name; returns false where it is none. */
static bool read_abs(struct parser *parser, struct span *name)
{
    parser->at += name->length;
    const struct span open = {parser->at, 1};
    takes_sign(parser, "(");
    skip_blanks(parser);
    const struct span word = peek_name(parser);
    parser->at += word.length;
    skip_blanks(parser);
    if ((is_word(word, "score") || is_word(word, "stm-score")) && takes_sign(parser, ")")) {
        name->length = (size_t)(parser->at - name->begin);
        return true;
    }
    fail_at(parser, word.length > 0 ? word : open, "'abs' takes the score alone, as in 'abs(score) < 100'");
    return false;
}

enum comparison { EQUAL, UNEQUAL, BELOW, AT_MOST, ABOVE, AT_LEAST, NO_COMPARISON };

/* Reads the comparison that stands here; "!" alone is none. */
static enum comparison take_comparison(struct parser *parser)
{
    static const char *const signs[] = {
        [UNEQUAL] = "!=", [AT_MOST] = "<=", [AT_LEAST] = ">=", [EQUAL] = "=", [BELOW] = "<", [ABOVE] = ">"};
    static const enum comparison longest_first[] = {UNEQUAL, AT_MOST, AT_LEAST, EQUAL, BELOW, ABOVE};
    for (size_t i = 0; i < sizeof longest_first / sizeof *longest_first; i++)
        if (takes_sign(parser, signs[longest_first[i]]))
            return longest_first[i];
    return NO_COMPARISON;
}

static bool is_range(const struct condition_kind *kind)
{
    return kind->form == A_RANGE || kind->form == RANGE_OR_NONE || kind->form == COUNT_IN_RANGE;
}

/* Fails because of what stands after =. */
static int fail_of_argument(struct parser *parser, const struct condition *term, struct span argument,
                            const char *expected)
{
    const struct span comma = {memchr(argument.begin, ',', argument.length), 1};
    if (comma.begin != NULL && is_range(term->kind))
        return fail_at(parser, comma, "',' joins no conditions, write 'and' or 'or'");
    if (is_range(term->kind))
        return fail_at(parser, argument, "'%s' is not a range, expected %s", quoted(argument).text, expected);
    return fail_at(parser, argument, "%s: '%s' was given, expected %s", term->kind->name, quoted(argument).text,
                   expected);
}

/* What differs from a range lies below it or above it; what differs from a word is there and is not that. */
static int unequal(struct parser *parser, const struct condition *term, struct span place)
{
    struct condition below = *term, above = *term;
    if (compares_number(term->kind) || is_range(term->kind)) {
        below.range = (struct range){INT64_MIN, term->range.low > INT64_MIN ? term->range.low - 1 : INT64_MIN};
        above.range = (struct range){term->range.high < INT64_MAX ? term->range.high + 1 : INT64_MAX, INT64_MAX};
        const bool is_below = term->range.low > INT64_MIN, is_above = term->range.high < INT64_MAX;
        const int one = new_term(parser, is_below ? &below : &above, place);
        return is_below && is_above && one != NONE ? two_of(parser, ANY, one, new_term(parser, &above, place)) : one;
    }
    if (term->kind->form == A_PATTERN) {
        below.other_file = true;
        return new_term(parser, &below, place);
    }
    int has = NONE;
    if (term->kind->field == FIELD_MOVE) { /* a word is about the move or about the board */
        struct condition has_move = {
            .kind = seebatch_io_kind_named("has", 3), .argument = "move", .argument_length = 4};
        has = new_term(parser, &has_move, place);
    }
    const int equal = new_term(parser, term, place);
    if (equal != NONE)
        parser->conditions->nodes[equal].negated = true;
    return has != NONE ? two_of(parser, ALL, has, equal) : equal;
}

/* Reads what is between quotation marks, which stands here up to the same mark; returns false where that is missing. */
static bool take_quoted(struct parser *parser, struct span *argument)
{
    const struct span open = {parser->at, 1};
    const char *close = memchr(open.begin + 1, *open.begin, (size_t)(parser->end - open.begin - 1));
    if (close == NULL) {
        fail_at(parser, open, "there is no second quotation mark for this one");
        return false;
    }
    *argument = (struct span){open.begin + 1, (size_t)(close - open.begin - 1)};
    parser->at = close + 1;
    return true;
}

/* Reads what stands after a name and a comparison. */
static int compare_with(struct parser *parser, struct condition *term, enum comparison comparison, struct span name,
                        struct span sign)
{
    const struct condition_kind *kind = term->kind;
    const char *expected = "";
    int64_t number = 0;
    if (fails_by_symbol(parser)) /* of ==, <> and the like, after their first character */
        return NONE;
    skip_blanks(parser);
    struct span argument = peek_word(parser, true);
    const struct span rest = {sign.begin, (size_t)(argument.begin + argument.length - sign.begin)};
    const bool is_quoted =
        parser->at < parser->end && argument.length == 0 && (*parser->at == '\'' || *parser->at == '"');
    if (is_quoted && kind->form == A_PATTERN && !take_quoted(parser, &argument))
        return NONE;
    if (is_quoted && kind->form != A_PATTERN)
        return fail_at(parser, (struct span){parser->at, 1}, "write what '%s' is compared with without quotation marks",
                       kind->name);
    if (kind->form == NO_ARGUMENT)
        return fail_at(parser, rest, "'%s' takes no range, expected it without '%s'", kind->name, quoted(rest).text);
    parser->at += is_quoted ? 0 : argument.length;
    const struct span place = {name.begin, (size_t)(parser->at - name.begin)};
    if (comparison == EQUAL || comparison == UNEQUAL) {
        if (!seebatch_io_read_argument(argument.begin, argument.length, term, &expected))
            return fail_of_argument(parser, term, argument, expected);
        if (comparison == UNEQUAL && strncmp(kind->name, "chance", 6) == 0)
            return fail_at(parser, sign, "'%s' takes '=' alone", kind->name);
        return comparison == EQUAL ? new_term(parser, term, place) : unequal(parser, term, place);
    }
    if (!compares_number(kind) && !is_range(kind))
        return fail_at(parser, sign, "'%s' is no number, expected '=' or '!=' after it", kind->name);
    if (!seebatch_io_read_compared(argument.begin, argument.length, kind->form, &number, &expected)) {
        const struct span comma = {memchr(argument.begin, ',', argument.length), 1};
        if (comma.begin != NULL)
            return fail_at(parser, comma, "',' joins no conditions, write 'and' or 'or'");
        return fail_at(parser, argument, "%s: '%s' was given, expected %s", kind->name, quoted(argument).text,
                       expected);
    }
    switch (comparison) {
    case BELOW: term->range.high = number - 1; break;
    case AT_MOST: term->range.high = number; break;
    case ABOVE: term->range.low = number + 1; break;
    default: term->range.low = number;
    }
    return new_term(parser, term, place);
}

/* Refuses a condition that needs something after its name, and has nothing. */
static int fail_without_argument(struct parser *parser, const struct condition_kind *kind, struct span name)
{
    const struct span word = peek_name(parser);
    const char *expected = "";
    if (fails_by_symbol(parser))
        return NONE;
    if (is_word(word, "between"))
        return fail_at(parser, word, "there is no 'between', write '%s=-100..100', in which both ends are included",
                       kind->name);
    if (is_word(word, "is"))
        return fail_at(parser, word, "there is no 'is', write 'has=%s' or 'not has=%s'", kind->name, kind->name);
    if (is_word(word, "in"))
        return fail_at(parser, word, "there is no 'in', write '%s=A or %s=B'", kind->name, kind->name);
    if (parser->at < parser->end && (*parser->at == '"' || *parser->at == '\''))
        return fail_at(parser, (struct span){parser->at, 1}, "a comparison is expected here, such as '%s=%s'",
                       kind->name,
                       kind->form == A_RESULT    ? "1/2-1/2"
                       : kind->form == A_PATTERN ? "*.pgn"
                                                 : "16..");
    if (kind->form == A_RANGE || kind->form == COUNT_IN_RANGE)
        return fail_at(parser, name, "'%s' needs a range such as %s=-100..100, or a comparison such as %s < 100",
                       kind->name, quoted(name).text, quoted(name).text);
    struct condition nothing = {.kind = kind};
    seebatch_io_read_argument("", 0, &nothing, &expected);
    return fail_at(parser, name, "%s: '' was given, expected %s", kind->name, expected);
}

static int parse_condition(struct parser *parser)
{
    struct span name = peek_name(parser);
    struct parser next = *parser;
    next.at += name.length;
    const bool is_abs = is_word(name, "abs") && begins_with(&next, "(");
    if (is_abs && !read_abs(parser, &name))
        return NONE;
    struct condition term = {.range = {INT64_MIN, INT64_MAX}};
    term.kind = is_abs ? seebatch_io_kind_named("abs-score", 9) : seebatch_io_kind_named(name.begin, name.length);
    if (term.kind == NULL)
        return fail_without_condition(parser, name);
    parser->at += is_abs ? 0 : name.length;
    if (term.kind->form == COUNT_IN_RANGE) {
        if (!read_counted(parser, name, &term))
            return NONE;
        name.length = (size_t)(parser->at - name.begin);
    }
    const char *behind = parser->at;
    skip_blanks(parser);
    struct span sign = {parser->at, 0};
    if (begins_with(parser, "==") || begins_with(parser, "<>") || begins_with(parser, "=<") ||
        begins_with(parser, "=>"))
        return fails_by_symbol(parser), NONE;
    const enum comparison comparison = take_comparison(parser);
    sign.length = (size_t)(parser->at - sign.begin);
    if (comparison != NO_COMPARISON)
        return compare_with(parser, &term, comparison, name, sign);
    const enum argument_form form = term.kind->form;
    if (form != NO_ARGUMENT && form != RANGE_OR_NONE && form != RIGHTS_OR_NONE)
        return fail_without_argument(parser, term.kind, name);
    term.any_rights = form == RIGHTS_OR_NONE;
    parser->at = behind;
    return new_term(parser, &term, name);
}

/* ---- Expressions ------------------------------------------------------------------------------------------------ */

static int parse_any(struct parser *parser);

/* Goes one level deeper, unless there are too many. */
static bool descend(struct parser *parser, struct span place)
{
    if (++parser->depth <= MOST_DEPTH)
        return true;
    fail_at(parser, place, "parentheses and 'not' stand deeper than %d levels in each other", MOST_DEPTH);
    return false;
}

/* Fails because of what stands where a connective is expected. */
static int fail_without_connective(struct parser *parser)
{
    const struct span word = peek_name(parser), sign = {parser->at, 1};
    if (fails_by_symbol(parser))
        return NONE;
    if (*parser->at == ')')
        return fail_at(parser, sign, "there is no '(' for this ')'");
    if (word.length > 0)
        return fail_at(parser, word, "'and' or 'or' is expected before '%s'", quoted(word).text);
    return fail_at(parser, sign, "'and' or 'or' is expected instead of '%s'", quoted(sign).text);
}

static int parse_parentheses(struct parser *parser)
{
    const struct span open = {parser->at, 1};
    if (!descend(parser, open))
        return NONE;
    parser->at++;
    const int inside = parse_any(parser);
    if (inside == NONE)
        return NONE;
    skip_blanks(parser);
    if (parser->at == parser->end)
        return fail_at(parser, open, "there is no ')' for this '('");
    if (!takes_sign(parser, ")"))
        return fail_without_connective(parser);
    parser->depth--;
    return inside;
}

static int parse_one(struct parser *parser)
{
    skip_blanks(parser);
    const struct span word = peek_name(parser);
    if (is_word(word, "not")) {
        if (!descend(parser, word))
            return NONE;
        parser->at += word.length;
        const int one = parse_one(parser);
        parser->depth--;
        if (one != NONE) {
            struct node *node = &parser->conditions->nodes[one];
            node->negated = !node->negated;
            node->begin = (int)(word.begin - parser->text);
            node->end = (int)(parser->at - parser->text); /* after a parenthesis that closes */
        }
        return one;
    }
    return begins_with(parser, "(") ? parse_parentheses(parser) : parse_condition(parser);
}

/* Reads several parts with a connective between them, or one. */
static int parse_parts(struct parser *parser, enum node_kind kind, const char *connective,
                       int (*parse_part)(struct parser *parser))
{
    skip_blanks(parser);
    const char *begin = parser->at; /* with the parentheses around the first part */
    int whole = NONE, part = parse_part(parser);
    const int first = part;
    const char *end = parser->at;
    while (part != NONE && takes_word(parser, connective)) {
        if (whole == NONE) {
            whole = new_node(parser->conditions, kind);
            append(parser->conditions, whole, first);
        }
        part = parse_part(parser);
        end = parser->at;
        if (part != NONE)
            append(parser->conditions, whole, part);
    }
    if (part != NONE && whole != NONE) {
        struct node *node = &parser->conditions->nodes[whole];
        node->begin = (int)(begin - parser->text);
        node->end = (int)(end - parser->text);
        finish_whole(parser->conditions, whole);
    }
    return part == NONE || whole == NONE ? part : whole;
}

static int parse_all(struct parser *parser) { return parse_parts(parser, ALL, "and", parse_one); }

static int parse_any(struct parser *parser) { return parse_parts(parser, ANY, "or", parse_all); }

int seebatch_io_parse(seebatch_conditions *conditions, const char *text, seebatch_io_error *error)
{
    const size_t length = strlen(text);
    if (length > LONGEST_TEXT) {
        seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "the condition '%.40s...' is too long, expected at most %d bytes",
                         text, LONGEST_TEXT);
        return NONE;
    }
    struct parser parser = {conditions, text, text, text + length, 0, error};
    const int root = parse_any(&parser);
    skip_blanks(&parser);
    return root != NONE && parser.at < parser.end ? fail_without_connective(&parser) : root;
}
