/*
 * seebatch verify --suite: an engine's answers to the suite of features, and which features fail. The answers of the
 * suite are its own formulas; nothing is evaluated here.
 */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "answers.h"
#include "feature_suite.h"
#include "verify_suite.h"

struct feature_count {
    const char *name;
    size_t asked, failed; /* positions */
};

struct verdict {
    const struct options *options;
    bool a8_first;
    struct feature_suite suite;
    char rules[SEEBATCH_RULES_SIZE]; /* the name */
    struct answers answers;
    struct feature_count *features; /* in the order of the suite; room for one a position */
    size_t n_features;
    size_t answered, refused, failed; /* positions */
    bool *matched; /* each line of the answers: whether it is about a position of the suite, or about several */
    struct output output;
};

static bool same_question(const seebatch_position *a, seebatch_move a_move, const struct feature_position *b)
{
    return a_move == b->move && memcmp(a->plane, b->position.plane, sizeof a->plane) == 0 &&
           a->white == b->position.white && a->stm == b->position.stm && a->ep_square == b->position.ep_square;
}

/* The position whose answer an engine gives to this one: the same, unless it counts squares from a8. Then it sees the
 * board from the other side, and gives the answer to that board if the suite has it. (Where it has not, the answer does
 * not depend on the order of squares.) */
static const struct feature_position *answered_as(const struct verdict *v, const struct feature_position *p)
{
    if (!v->a8_first)
        return p;
    seebatch_position other = flipped_position(&p->position);
    other.ep_square = p->position.ep_square == SEEBATCH_NO_SQUARE ? p->position.ep_square : p->position.ep_square ^ 56;
    for (size_t i = 0; i < v->suite.n; i++)
        if (same_question(&other, flipped_move(p->move), &v->suite.positions[i]))
            return &v->suite.positions[i];
    return p;
}

static struct feature_count *count_of(struct verdict *v, const char *name)
{
    size_t i = 0;
    while (i < v->n_features && strcmp(v->features[i].name, name) != 0)
        i++;
    if (i == v->n_features)
        v->features[v->n_features++] = (struct feature_count){name, 0, 0};
    return &v->features[i];
}

static void print_failure(struct verdict *v, const struct feature_position *p, const struct answer_line *line,
                          int expected)
{
    const struct suite_text formula = feature_suite_formula(answered_as(v, p), v->rules);
    if (v->options->format == FORMAT_JSON) {
        json_t *object = json_pack("{s:s, s:I, s:s, s:s, s:s, s:s, s:i, s:i, s:s%, s:s}", "file", line->file, "line",
                                   (json_int_t)line->number, "id", p->id, "feature", p->feature, "position", p->fen,
                                   "move", p->uci, line->has_threshold ? "threshold" : "answer", (int)line->answer,
                                   "expected", expected, "formula", formula.first, formula.length, "why", p->why);
        output_json(&v->output, object, 0);
        return;
    }
    output_printf(&v->output, "%s:%llu\t%s\t%s\t%s\t", line->file, (unsigned long long)line->number, p->id, p->fen,
                  p->uci);
    if (line->has_threshold)
        output_printf(&v->output, "%s%d", line->reaches ? ">=" : "<", line->answer);
    else
        output_int(&v->output, line->answer);
    output_printf(&v->output, "\t%d = %.*s\t%s\n", expected, (int)formula.length, formula.first, p->why);
}

/* Checks all lines about a position of the suite. */
static void check_position(struct verdict *v, const struct feature_position *p)
{
    struct feature_count *feature = count_of(v, p->feature);
    seebatch_error error;
    size_t lines = 0, wrong = 0;
    int expected = 0;
    const bool holds = feature_suite_answer(answered_as(v, p), v->rules, v->options->rules.value, &expected, &error);
    for (size_t i = 0; i < v->answers.n; i++) {
        const struct answer_line *line = &v->answers.lines[i];
        if (!same_question(&v->answers.positions[i], v->answers.moves[i], p))
            continue;
        lines++;
        v->matched[i] = true;
        v->answers.values[i] = (int16_t)expected;
        if (holds && contradicts(&v->answers, i)) {
            wrong++;
            print_failure(v, p, line, expected);
        }
    }
    v->refused += !holds;
    v->answered += holds && lines > 0;
    feature->asked += holds && lines > 0;
    feature->failed += wrong > 0;
    v->failed += wrong > 0;
}

static void print_verdict(struct verdict *v)
{
    const size_t asked = v->suite.n - v->refused;
    size_t others = 0;
    for (size_t i = 0; i < v->answers.n; i++)
        others += !v->matched[i];
    json_t *features = json_object();
    for (size_t i = 0; i < v->n_features; i++) {
        const struct feature_count *feature = &v->features[i];
        if (v->options->format == FORMAT_JSON)
            json_object_set_new(
                features, feature->name,
                json_pack("{s:I, s:I}", "answered", (json_int_t)feature->asked, "failed", (json_int_t)feature->failed));
        else if (feature->failed > 0)
            output_printf(&v->output, "# %s fails: %zu of %zu position%s\n", feature->name, feature->failed,
                          feature->asked, plural(feature->asked));
    }
    if (v->options->format == FORMAT_JSON)
        output_json(&v->output,
                    json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:s, s:O}", "answered", (json_int_t)v->answered, "failed",
                              (json_int_t)v->failed, "unanswered", (json_int_t)(asked - v->answered), "refused",
                              (json_int_t)v->refused, "others", (json_int_t)others, "unreadable",
                              (json_int_t)v->answers.unreadable, "rules", v->options->rules_name, "features", features),
                    0);
    else
        output_printf(
            &v->output,
            "# answered %zu, failed %zu, unanswered %zu, refused for their conditions %zu; lines of no position "
            "of the suite %zu, unreadable %zu; rules %s\n",
            v->answered, v->failed, asked - v->answered, v->refused, others, v->answers.unreadable,
            v->options->rules_name);
    json_decref(features);
}

static bool is_valid_text(const struct verdict *v)
{
    bool valid = true;
    for (size_t i = 0; i < v->suite.n; i++) {
        const struct feature_position *p = &v->suite.positions[i];
        const char *const texts[] = {p->id, p->feature, p->fen, p->answer, p->except, p->why};
        for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
            valid &= seebatch_io_is_utf8(texts[k], strlen(texts[k]));
    }
    return valid;
}

int verify_with_suite(const char *command, const char *path, bool a8_first, struct options *options)
{
    static struct verdict verdict;
    struct verdict *v = &verdict;
    seebatch_error error;
    v->options = options;
    v->a8_first = a8_first;
    if (!feature_suite_holds(feature_suite_condition, options->rules.value, &error))
        usage_error(command, "--suite: %s, which all its formulas need", error.text);
    if (!feature_suite_read(path, &v->suite, &error))
        usage_error(command, "--suite: %s: %s", path, error.text);
    seebatch_rules_to_text(&options->rules, v->rules);
    if (strchr(v->rules, ',') != NULL)
        usage_error(command, "--suite: there are no answers for the rules %s, expected a rule set by its name",
                    options->rules_name);
    if (options->format == FORMAT_JSON && !is_valid_text(v))
        usage_error(command, "--suite: %s is not valid UTF-8, as JSON needs; expected UTF-8, or --format tsv", path);
    options_read_input(command, options);
    options_check_names(command, options);
    bool well = answers_read(&v->answers, options->operands, options->n_operands);
    v->matched = reallocate(NULL, v->answers.n + 1, sizeof *v->matched);
    memset(v->matched, 0, (v->answers.n + 1) * sizeof *v->matched);
    v->features = reallocate(NULL, v->suite.n + 1, sizeof *v->features);
    for (size_t i = 0; i < v->suite.n; i++)
        check_position(v, &v->suite.positions[i]);
    print_verdict(v);
    output_finish(&v->output);
    well &= v->failed == 0 && v->answered + v->refused == v->suite.n;
    free(v->matched);
    free(v->features);
    answers_free(&v->answers);
    feature_suite_free(&v->suite);
    return well ? STATUS_OK : STATUS_ERROR;
}
