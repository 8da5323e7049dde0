/*
 * Conditions that can never hold, or always hold, such as "ply < 3 and ply > 9".
 *
 * A number that a part of a condition compares with ranges matters only by the ranges it lies in, so a few numbers stand
 * for all: the least one, and those at which a range begins or has just ended. One more value says that the record does
 * not have it. All other terms hold or do not. If a part of a condition has the same answer for all combinations of these,
 * it always has. Where there are too many combinations, nothing is said about the part as a whole; but parts of it that
 * are about one number are still looked at.
 */
#include <stdlib.h>

#include "condition.h"
#include "support/errors.h"

enum { MOST_COMBINATIONS = 1024, MOST_VARIABLES = 10, MOST_VALUES = 2 * MOST_TERMS + 2 };

/* What terms ask about: a number, or whether something holds. */
struct variable {
    const struct condition *term; /* the first that asks about it */
    int n;
    int64_t values[MOST_VALUES]; /* of a number; a record that lacks it has the last one, which no range has */
};

/* Parts of a whole that are looked at: all of them, or those about one number. */
struct search {
    const seebatch_conditions *conditions;
    struct variable variables[MOST_VARIABLES];
    int n_variables, of_term[MOST_TERMS]; /* the variable of each term */
    int now[MOST_VARIABLES];              /* a combination */
    bool too_many;
};

static const int64_t missing = INT64_MIN;

static bool is_absolute(const struct condition *term) { return term->kind->test == seebatch_io_test_abs_score; }

/* Whether two terms ask about the same: the same number, or the same question in the same words. */
static bool same_variable(const struct condition *a, const struct condition *b)
{
    if (compares_number(a->kind) && compares_number(b->kind)) {
        const bool scores = (is_absolute(a) || a->kind->test == seebatch_io_test_score) &&
                            (is_absolute(b) || b->kind->test == seebatch_io_test_score);
        return scores || (a->kind == b->kind && (a->kind->form != COUNT_IN_RANGE || a->pieces == b->pieces));
    }
    return a == b ||
           (a->kind == b->kind && strncmp(a->kind->name, "chance", 6) != 0 && a->range.low == b->range.low &&
            a->range.high == b->range.high && (a->kind->form != A_PATTERN || a->other_file == b->other_file) &&
            a->argument_length == b->argument_length &&
            (a->argument_length == 0 || memcmp(a->argument, b->argument, (size_t)a->argument_length) == 0));
}

static void add_value(struct variable *variable, int64_t value)
{
    const struct range *numbers = &variable->term->kind->numbers;
    const int64_t low = is_absolute(variable->term) ? INT32_MIN : numbers->low;
    if (value < low || value > numbers->high || variable->n == MOST_VALUES)
        return;
    for (int i = 0; i < variable->n; i++)
        if (variable->values[i] == value)
            return;
    variable->values[variable->n++] = value;
}

/* Where a range begins and has just ended, and of a number without its sign the same below 0. */
static void add_values(struct variable *variable, const struct condition *term)
{
    if (!compares_number(term->kind)) {
        variable->n = 2;
        return;
    }
    if (variable->n == 0) {
        add_value(variable, is_absolute(term) ? INT32_MIN : term->kind->numbers.low);
        if (term->kind->field != 0 || term->kind->cost >= ONE_MOVE) /* as where there is no capture */
            variable->values[variable->n++] = missing;
    }
    const int64_t begin = term->range.low, behind = term->range.high < INT64_MAX ? term->range.high + 1 : INT64_MAX;
    add_value(variable, begin);
    add_value(variable, behind);
    if (is_absolute(term)) {
        add_value(variable, begin > INT64_MIN ? -begin + 1 : begin);
        add_value(variable, behind < INT64_MAX ? -behind + 1 : behind);
    }
}

/* Finds what the terms below a node ask about. */
static void find_variables(struct search *search, int number)
{
    const struct node *node = &search->conditions->nodes[number];
    for (int part = node->first; part != NONE; part = search->conditions->nodes[part].next)
        find_variables(search, part);
    if (node->kind != TERM || search->too_many)
        return;
    const struct condition *term = &search->conditions->terms[node->term];
    int v = 0;
    while (v < search->n_variables && !same_variable(search->variables[v].term, term))
        v++;
    search->too_many = v == MOST_VARIABLES;
    if (search->too_many)
        return;
    if (v == search->n_variables)
        search->variables[search->n_variables++] = (struct variable){.term = term};
    search->of_term[node->term] = v;
    add_values(&search->variables[v], term);
}

/* Whether a node holds for the combination. */
static bool holds_now(const struct search *search, int number)
{
    const struct node *node = &search->conditions->nodes[number];
    bool holds = node->kind == ALL;
    if (node->kind == TERM) {
        const struct condition *term = &search->conditions->terms[node->term];
        const int v = search->of_term[node->term], now = search->now[v];
        const int64_t value = search->variables[v].values[now]; /* `missing` has no absolute value */
        const int64_t size = is_absolute(term) && value < 0 && value != missing ? -value : value;
        holds = !compares_number(term->kind) ? now == 1
                                             : value != missing && term->range.low <= size && size <= term->range.high;
    }
    for (int part = node->first; part != NONE; part = search->conditions->nodes[part].next)
        holds = node->kind == ALL ? holds && holds_now(search, part) : holds || holds_now(search, part);
    return holds != node->negated;
}

/* Goes on to the next combination; false after the last one. */
static bool next_combination(struct search *search)
{
    for (int v = 0; v < search->n_variables; v++) {
        if (++search->now[v] < search->variables[v].n)
            return true;
        search->now[v] = 0;
    }
    return false;
}

/* Nodes that stand together: all of them hold, or any. */
struct together {
    int nodes[MOST_TERMS];
    bool opposite[MOST_TERMS]; /* whether it may not hold instead */
    int n;
    bool all;
};

/* What is known of nodes that stand together. */
enum answer { EITHER, NEVER, ALWAYS };
static enum answer answer_of(const seebatch_conditions *conditions, const struct together *together)
{
    struct search *search = calloc(1, sizeof *search);
    bool never = true, always = true;
    double combinations = 1;
    if (search == NULL)
        return EITHER; /* nothing is lost but a remark */
    search->conditions = conditions;
    for (int i = 0; i < together->n; i++)
        find_variables(search, together->nodes[i]);
    for (int v = 0; v < search->n_variables; v++)
        combinations *= search->variables[v].n;
    const bool look = !search->too_many && combinations <= MOST_COMBINATIONS;
    do {
        bool holds = together->all;
        for (int i = 0; look && i < together->n; i++) {
            const bool one = holds_now(search, together->nodes[i]) != together->opposite[i];
            holds = together->all ? holds && one : holds || one;
        }
        never &= !holds;
        always &= holds;
    } while (look && (never || always) && next_combination(search));
    free(search);
    return !look ? EITHER : never ? NEVER : always ? ALWAYS : EITHER;
}

/* The variable that all terms below a node ask about, by its first term; NULL if there are several. */
static const struct condition *only_variable(const seebatch_conditions *conditions, int number)
{
    const struct node *node = &conditions->nodes[number];
    if (node->kind == TERM)
        return &conditions->terms[node->term];
    const struct condition *only = only_variable(conditions, node->first);
    for (int part = conditions->nodes[node->first].next; only != NULL && part != NONE;
         part = conditions->nodes[part].next) {
        const struct condition *other = only_variable(conditions, part);
        only = other != NULL && same_variable(only, other) ? only : NULL;
    }
    return only;
}

/* Does the same for nodes that stand together: for all of them, or else for those about the same as one of them. */
static enum answer answer_of_any(const seebatch_conditions *conditions, const struct together *together)
{
    enum answer answer = answer_of(conditions, together);
    for (int i = 0; i < together->n && answer == EITHER; i++) {
        const struct condition *variable = only_variable(conditions, together->nodes[i]);
        struct together same = {.all = together->all};
        for (int k = i; k < together->n && variable != NULL; k++) {
            const struct condition *other = only_variable(conditions, together->nodes[k]);
            if (other == NULL || !same_variable(variable, other))
                continue;
            same.nodes[same.n] = together->nodes[k];
            same.opposite[same.n++] = together->opposite[k];
        }
        if (same.n > 1 && same.n < together->n)
            answer = answer_of(conditions, &same);
        answer = answer == (together->all ? NEVER : ALWAYS) ? answer : EITHER;
    }
    return answer;
}

/* Notes a doubt about the smallest part of a clause that gives one. */
static bool look_at(seebatch_conditions *conditions, const struct clause *clause, int number)
{
    const struct node *node = &conditions->nodes[number];
    struct together together = {.all = node->kind != ANY};
    for (int part = node->first; part != NONE; part = conditions->nodes[part].next) {
        if (look_at(conditions, clause, part))
            return true;
        together.nodes[together.n++] = part;
    }
    if (node->kind == TERM) {
        together.nodes[together.n] = number;
        together.opposite[together.n++] = node->negated;
    }
    const enum answer answer = answer_of_any(conditions, &together);
    if (answer == EITHER)
        return false;
    char sentence[256];
    seebatch_io_error error;
    const int length = node->end - node->begin;
    snprintf(sentence, sizeof sentence, "'%.*s%s' %s", length > 80 ? 77 : length, clause->text + node->begin,
             length > 80 ? "..." : "", (answer == NEVER) != node->negated ? "can never hold" : "always holds");
    for (char *at = sentence; *at != '\0'; at++)
        *at = *at == '\t' || *at == '\n' || *at == '\r' ? ' ' : *at;
    seebatch_io_point_at(&error, clause->text, (size_t)node->begin, (size_t)node->end, sentence);
    memcpy(conditions->doubt, error.text, sizeof conditions->doubt);
    return true;
}

void seebatch_io_look_for_doubt(seebatch_conditions *conditions, const struct clause *clause)
{
    if (conditions->doubt[0] == '\0')
        look_at(conditions, clause, clause->root);
}

bool seebatch_io_never_met(const seebatch_conditions *conditions)
{
    struct together together = {.n = conditions->n, .all = true};
    for (int i = 0; i < conditions->n; i++) {
        together.nodes[i] = conditions->list[i].root;
        together.opposite[i] = !conditions->list[i].keep;
    }
    return answer_of_any(conditions, &together) == NEVER;
}
