/*
 * The suite of features: a table with TABs. The first line names the columns. Most rule sets agree on most positions,
 * so a line has their answer once, and what differs beside it. The first line's last field also says which rule sets have
 * the exceptions of others wherever no exception names them.
 */
#include "feature_suite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char feature_suite_condition[] = "P < N, P < B, B < R, R < Q";

static const char *const columns[] = {"id", "feature", "position", "move", "condition", "why", "answer", "except"};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

/* ---- Conditions and answers ------------------------------------------------------------------------------------- */

/* Takes one comparison, from first up to end. */
static bool comparison_holds(const char *first, const char *end, const int16_t values[5], seebatch_error *error)
{
    const char *sign = memchr(first, '<', (size_t)(end - first));
    int left, right;
    if (sign == NULL) {
        snprintf(error->text, sizeof error->text, "the condition '%.*s' has no <, expected a comparison such as B < R",
                 (int)(end - first), first);
        return false;
    }
    const bool equal_too = sign + 1 < end && sign[1] == '=';
    const char *after = sign + 1 + equal_too;
    if (!suite_value((struct suite_text){first, (size_t)(sign - first)}, values, &left, error) ||
        !suite_value((struct suite_text){after, (size_t)(end - after)}, values, &right, error))
        return false;
    if (left < right || (equal_too && left == right))
        return true;
    snprintf(error->text, sizeof error->text, "the values %d,%d,%d,%d,%d do not satisfy %.*s", values[0], values[1],
             values[2], values[3], values[4], (int)(end - first), first);
    return false;
}

bool feature_suite_holds(const char *condition, const int16_t values[5], seebatch_error *error)
{
    const char *first = condition + strspn(condition, " ");
    while (*first != '\0') {
        const char *end = first + strcspn(first, ",");
        if (!comparison_holds(first, end, values, error))
            return false;
        first = end + strspn(end, ", ");
    }
    return true;
}

/* Whether a name is one of those with blanks between them. */
static bool is_among(const char *name, struct suite_text names)
{
    const size_t length = strlen(name);
    const char *end = names.first + names.length;
    for (const char *word = names.first; word < end; word += strcspn(word, " :") + 1)
        if (strcspn(word, " :") == length && memcmp(word, name, length) == 0)
            return true;
    return false;
}

/* Takes the next "NAMES: FORMULA" off the text of exceptions; false if it is none. */
static bool next_exception(const char **rest, struct suite_text *names, struct suite_text *formula)
{
    const char *colon = *rest + strcspn(*rest, ":;"), *end = *rest + strcspn(*rest, ";");
    if (*colon != ':' || colon == *rest || end - colon < 3 || colon[1] != ' ')
        return false;
    *names = (struct suite_text){*rest, (size_t)(colon - *rest)};
    *formula = (struct suite_text){colon + 2, (size_t)(end - colon - 2)};
    *rest = end + strspn(end, "; ");
    return true;
}

static bool find_exception(const struct feature_position *position, const char *rules, struct suite_text *formula)
{
    struct suite_text names;
    for (const char *rest = position->except; *rest != '\0' && next_exception(&rest, &names, formula);)
        if (is_among(rules, names))
            return true;
    return false;
}

/* Of which rule set the exceptions count for a rule set that none names: "NAME as NAME; ..." says so. */
static bool find_base(const char *as, const char *rules, char base[32])
{
    const size_t length = strlen(rules);
    for (; *as != '\0'; as += strcspn(as, ";"), as += strspn(as, "; "))
        if (strncmp(as, rules, length) == 0 && sscanf(as + length, " as %31[^; ]", base) == 1)
            return true;
    return false;
}

struct suite_text feature_suite_formula(const struct feature_position *position, const char *rules)
{
    struct suite_text formula;
    char base[32];
    if (find_exception(position, rules, &formula) ||
        (find_base(position->as, rules, base) && find_exception(position, base, &formula)))
        return formula;
    return (struct suite_text){position->answer, strlen(position->answer)};
}

bool feature_suite_answer(const struct feature_position *position, const char *rules, const int16_t values[5],
                          int *value, seebatch_error *error)
{
    static const char always[] = "always";
    const struct suite_text formula = feature_suite_formula(position, rules);
    if (!feature_suite_holds(feature_suite_condition, values, error) ||
        !feature_suite_holds(position->condition, values, error))
        return false;
    *value = SEEBATCH_ALWAYS;
    return (formula.length == sizeof always - 1 && memcmp(formula.first, always, formula.length) == 0) ||
           suite_value(formula, values, value, error);
}

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

/* Returns the whole file with a NUL after it; NULL, and why, if it cannot be read. */
static char *read_text(const char *path, seebatch_error *error)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t used = 0, room = 0;
    bool failed = file == NULL;
    while (!failed && !feof(file)) {
        char *more = used + 1 >= room ? realloc(text, room = 2 * room + 65536) : text;
        failed = more == NULL;
        text = more != NULL ? more : text;
        used += failed ? 0 : fread(text + used, 1, room - used - 1, file);
        failed |= ferror(file) != 0;
    }
    if (failed) {
        snprintf(error->text, sizeof error->text, "cannot be read: %s", strerror(errno));
        free(text);
        text = NULL;
    } else {
        text[used] = '\0';
    }
    if (file != NULL)
        fclose(file);
    return text;
}

/* Cuts the next line off, and its fields at the TABs; returns how many, 0 at the end. Only those after the last column count.
 */
static size_t next_fields(char **rest, const char *field[COLUMNS])
{
    size_t n = 0;
    char *line = *rest, *end = line + strcspn(line, "\n");
    if (*line == '\0')
        return 0;
    *rest = *end == '\n' ? end + 1 : end;
    *end = '\0';
    for (;; *line++ = '\0') {
        if (n < COLUMNS)
            field[n] = line;
        n++;
        line += strcspn(line, "\t");
        if (*line == '\0')
            return n;
    }
}

/* Whether a text is "NAME as NAME; NAME as NAME", or empty. */
static bool are_bases(const char *as)
{
    char name[32], base[32];
    for (int length; *as != '\0'; as += length, as += strspn(as, "; "))
        if (length = 0,
            sscanf(as, "%31[^; ] as %31[^; ]%n", name, base, &length) != 2 || strcspn(as, ";") != (size_t)length)
            return false;
    return true;
}

static bool read_header(char **rest, const char **as, seebatch_error *error)
{
    const char *field[COLUMNS];
    bool fits = next_fields(rest, field) == COLUMNS;
    for (size_t i = 0; fits && i < COLUMNS - 1; i++)
        fits = strcmp(field[i], columns[i]) == 0;
    const char *last = columns[COLUMNS - 1];
    fits = fits && strcspn(field[COLUMNS - 1], ";") == strlen(last) &&
           strncmp(field[COLUMNS - 1], last, strlen(last)) == 0;
    if (!fits) {
        snprintf(error->text, sizeof error->text, "%s",
                 "the first line does not name the columns of a suite: expected id, feature, position, move, "
                 "condition, why, answer and except, with TABs between them");
        return false;
    }
    *as = field[COLUMNS - 1] + strlen(last);
    *as += strspn(*as, "; ");
    if (!are_bases(*as))
        snprintf(error->text, sizeof error->text,
                 "the first line ends with '%.80s', expected rule sets that have the exceptions of others, such as "
                 "'monty as legal', with '; ' between them",
                 *as);
    return are_bases(*as);
}

static bool read_position(struct feature_suite *suite, size_t n, const char *field[COLUMNS], const char *as,
                          seebatch_error *error)
{
    if (n != COLUMNS) {
        snprintf(error->text, sizeof error->text, "'%.40s' has %zu fields, expected %d", field[0], n, COLUMNS);
        return false;
    }
    struct feature_position p = {.id = field[0],
                                 .feature = field[1],
                                 .fen = field[2],
                                 .uci = field[3],
                                 .condition = field[4],
                                 .why = field[5],
                                 .answer = field[6],
                                 .except = field[7],
                                 .as = as};
    seebatch_error why;
    struct suite_text names, formula;
    for (const char *rest = p.except; *rest != '\0';)
        if (!next_exception(&rest, &names, &formula)) {
            snprintf(error->text, sizeof error->text,
                     "'%.40s': the exception '%.80s' is not one, expected rule sets, a colon and a formula, such as "
                     "'legal monty: P - N', with '; ' between exceptions",
                     field[0], rest);
            return false;
        }
    if (seebatch_position_from_fen(p.fen, strlen(p.fen), &p.position, &why) != SEEBATCH_OK ||
        seebatch_move_from_uci(&p.position, p.uci, strlen(p.uci), &p.move, &why) != SEEBATCH_OK) {
        snprintf(error->text, sizeof error->text, "'%.40s': %.200s", field[0], why.text);
        return false;
    }
    suite->positions[suite->n++] = p;
    return true;
}

bool feature_suite_read(const char *path, struct feature_suite *suite, seebatch_error *error)
{
    memset(suite, 0, sizeof *suite);
    suite->text = read_text(path, error);
    if (suite->text == NULL)
        return false;
    size_t lines = 1;
    for (const char *c = suite->text; *c != '\0'; c++)
        lines += *c == '\n';
    suite->positions = calloc(lines, sizeof *suite->positions);
    char *rest = suite->text;
    const char *field[COLUMNS], *as;
    bool well = suite->positions != NULL && read_header(&rest, &as, error);
    if (suite->positions == NULL)
        snprintf(error->text, sizeof error->text, "%s", "there is no memory for it");
    for (size_t n; well && (n = next_fields(&rest, field)) > 0;)
        well = read_position(suite, n, field, as, error);
    if (!well)
        feature_suite_free(suite);
    return well;
}

void feature_suite_free(struct feature_suite *suite)
{
    free(suite->text);
    free(suite->positions);
    memset(suite, 0, sizeof *suite);
}
