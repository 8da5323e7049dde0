/*
 * The suite of features: a table with TABs. The first line names the columns; six describe the position, and the others
 * are rule sets.
 */
#include "feature_suite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char feature_suite_condition[] = "P < N, P < B, B < R, R < Q";

static const char *const columns[] = {"id", "feature", "position", "move", "condition", "why"};
enum { DESCRIPTION = sizeof columns / sizeof columns[0], MOST_RULES = 16, MOST_FIELDS = DESCRIPTION + MOST_RULES };

/* ---- Conditions and answers ------------------------------------------------------------------------------------- */

/* One comparison, from first up to end. */
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

bool feature_suite_answer(const struct feature_position *position, int column, const int16_t values[5], int *value,
                          seebatch_error *error)
{
    const char *formula = position->answer[column];
    if (!feature_suite_holds(feature_suite_condition, values, error) ||
        !feature_suite_holds(position->condition, values, error))
        return false;
    *value = SEEBATCH_ALWAYS;
    return strcmp(formula, "always") == 0 ||
           suite_value((struct suite_text){formula, strlen(formula)}, values, value, error);
}

int feature_suite_column(const struct feature_suite *suite, const char *rules)
{
    for (size_t i = 0; i < suite->n_rules; i++)
        if (strcmp(suite->rules[i], rules) == 0)
            return (int)i;
    return -1;
}

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

/* The whole file with a NUL behind it; NULL, and why, if it cannot be read. */
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

/* Cuts the next line off, and its fields at the TABs; returns how many, 0 at the end. */
static size_t next_fields(char **rest, const char *field[MOST_FIELDS])
{
    size_t n = 0;
    char *line = *rest, *end = line + strcspn(line, "\n");
    if (*line == '\0')
        return 0;
    *rest = *end == '\n' ? end + 1 : end;
    *end = '\0';
    while (n < MOST_FIELDS) {
        field[n++] = line;
        line += strcspn(line, "\t");
        if (*line == '\0')
            break;
        *line++ = '\0';
    }
    return n;
}

static bool read_header(struct feature_suite *suite, char **rest, seebatch_error *error)
{
    const char *field[MOST_FIELDS];
    const size_t n = next_fields(rest, field);
    bool fits = n > DESCRIPTION;
    for (size_t i = 0; fits && i < DESCRIPTION; i++)
        fits = strcmp(field[i], columns[i]) == 0;
    if (!fits) {
        snprintf(error->text, sizeof error->text, "%s",
                 "the first line does not name the columns of a suite: expected id, feature, position, move, "
                 "condition, why and names of rule sets, with TABs between them");
        return false;
    }
    suite->n_rules = n - DESCRIPTION;
    memcpy(suite->rules, field + DESCRIPTION, suite->n_rules * sizeof *field);
    return true;
}

static bool read_position(struct feature_suite *suite, size_t n, const char *field[MOST_FIELDS], seebatch_error *error)
{
    struct feature_position p = {
        .id = field[0], .feature = field[1], .fen = field[2], .uci = field[3], .condition = field[4], .why = field[5]};
    seebatch_error why;
    if (n != DESCRIPTION + suite->n_rules) {
        snprintf(error->text, sizeof error->text, "'%.40s' has %zu fields, expected %zu", field[0], n,
                 DESCRIPTION + suite->n_rules);
        return false;
    }
    memcpy(p.answer, field + DESCRIPTION, suite->n_rules * sizeof *field);
    if (seebatch_position_from_fen(&p.position, p.fen, strlen(p.fen), &why) != SEEBATCH_OK ||
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
    const char *field[MOST_FIELDS];
    bool well = suite->positions != NULL && read_header(suite, &rest, error);
    if (suite->positions == NULL)
        snprintf(error->text, sizeof error->text, "%s", "there is no memory for it");
    for (size_t n; well && (n = next_fields(&rest, field)) > 0;)
        well = read_position(suite, n, field, error);
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
