/*
 * seebatch identify: which rules and piece values explain an engine's answers, or what to ask it.
 */
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "departures.h"

enum { IDENTIFY_ASK = OPTION_OWN, IDENTIFY_THRESHOLDS };

static const struct option_row option_rows[] = {
    GROUP("Questions"),
    {"ask", "N", IDENTIFY_ASK, 0,
     "writes N questions, 'position; move', instead; with FILE those that tell apart what still fits, without FILE "
     "those that tell apart all rules",
     "Writes *N* questions instead, in the form \"position; move\" on a line each; the engine adds "
     "\"; value\". Without FILE, the questions distinguish all functions and ask for the piece "
     "values. With FILE, they distinguish the functions that still fit, or all if none does.",
     NULL},
    {"thresholds", NULL, IDENTIFY_THRESHOLDS, 0,
     "with --ask, writes questions 'position; move; threshold' for an engine that says yes or no",
     "With --ask, writes questions in the form \"position; move; threshold\", to which the engine "
     "adds \"; flag\".",
     NULL},
    GROUP("Output"),
    {"examples", "N", OPTION_EXAMPLES, 0, "how many answers that contradict each rule set are shown",
     "The greatest number of contradictions that are shown for each function.", "3"},
    {"format", "text|json", OPTION_FORMAT, 0, "a report, or one JSON object",
     "A report, or one JSON object with `answers`, `flags`, `unreadable`, `fitting` (how many "
     "functions fit), `none` (null, or why nothing fits), `from_a8` (whether squares are counted "
     "from a8), `values` (the range of each piece value), `candidates` and `departures`. "
     "`candidates` is an array of the functions that fit or that the report shows, with `rules`, "
     "`fits`, `contradictions`, `odds_against` (a power of ten), `fields`, `values` and `examples`. "
     "`departures` is null, or what explains contradictions although no field says it, with `rules`, "
     "`list` (of `text` and `explains`, a number of answers) and `contradictions` (the answers that "
     "still contradict).",
     "text"},
    GROUP("Run"),
    SHARED("kernel"),
    {0},
};

struct wish {
    long ask;
    bool thresholds;
};

static void take_option(const char *command, int val, const char *argument, void *state)
{
    struct wish *wish = state;
    if (val == IDENTIFY_THRESHOLDS)
        wish->thresholds = true;
    else if (!options_integer(argument, argument + strlen(argument), 1, 1000000, &wish->ask))
        usage_error(command, "--ask: '%s' is not an integer from 1 to 1000000", argument);
}

/* ---- Candidates in words ---------------------------------------------------------------------------------------- */

struct candidate_text {
    char text[SEEBATCH_RULES_SIZE];
};

/* As --rules takes it. */
static struct candidate_text candidate_text(const struct candidate *candidate)
{
    struct candidate_text text;
    seebatch_rules_to_text(&candidate->rules, text.text);
    return text;
}

/* Which values of a field the candidates that fit have, by number. */
static unsigned fitting_values(const struct identification *found, const seebatch_rules_field *field)
{
    unsigned set = 0;
    for (int c = 0; c < (int)found->n; c++)
        if (found->fits[c])
            set |= 1u << field_of(&found->candidates[c].rules, field);
    return set;
}

/* Returns the odds against a candidate, as a power of ten. */
static double odds_against(const struct identification *found, int c)
{
    return (double)(found->wrong[c] - found->wrong[found->best]) * found->evidence;
}

/* ---- As text ---------------------------------------------------------------------------------------------------- */

static const char *const piece_names[5] = {"pawn", "knight", "bishop", "rook", "queen"};

static void print_values(struct output *output, const struct identification *found)
{
    for (int p = 0; p < 5; p++) {
        const int low = found->low[p], high = found->high[p];
        output_printf(output, "%s %s ", p == 0 ? "values:" : ",", piece_names[p]);
        if (low == 0 && high == SEEBATCH_MAX_PIECE_VALUE)
            output_string(output, "unknown");
        else if (low == high)
            output_int(output, low);
        else
            output_printf(output, "%d..%d", low, high);
    }
    output_string(output, "\n");
}

/* A candidate, and how many answers contradict it. */
static void print_candidate(struct output *output, const struct answers *answers, const struct identification *found,
                            int c)
{
    output_printf(output, "%s, %zu of %zu answer%s contradict%s it", candidate_text(&found->candidates[c]).text,
                  found->wrong[c], answers->n, plural(answers->n), found->wrong[c] == 1 || answers->n == 1 ? "s" : "");
}

static void print_fits(struct output *output, const struct answers *answers, const struct identification *found)
{
    if (found->none != NULL) {
        output_string(output, "none fits; the nearest: ");
        print_candidate(output, answers, found, found->best);
        output_printf(output, ": %s\n", found->none);
        return;
    }
    output_printf(output, "%zu of %zu functions fit%s\n", found->n_fits, found->n, found->n_fits == 1 ? "s" : "");
    for (int c = 0; c < (int)found->n; c++) {
        if (!found->fits[c] || (!found->candidates[c].named && found->n_fits > 4))
            continue;
        output_string(output, "fits: ");
        print_candidate(output, answers, found, c);
        output_string(output, "\n");
    }
    const seebatch_rules_field *field;
    for (size_t i = 0; (field = seebatch_rules_field_at(i)) != NULL; i++) {
        if (!field_tells(field))
            continue;
        const unsigned set = fitting_values(found, field);
        output_printf(output, "  %s:", field->name);
        for (size_t v = 0, n = 0; v < field->n_words; v++)
            if (set >> v & 1)
                output_printf(output, "%s %s", n++ > 0 ? " or" : "", field->words[v]);
        output_string(output, "\n");
    }
    if (answers->upside_down)
        output_string(output, "  of like pieces: the one that comes first counted from a8, not from a1\n");
    if (found->n_fits > 1)
        output_string(output, "to tell them apart: identify --ask N with the same files writes questions\n");
}

static void print_kinds(struct output *output, const struct identification *found)
{
    for (int kind = 0, n = 0; kind < KINDS; kind++) {
        if (found->contradicting[kind] > 0)
            output_printf(output, "%s %s %zu of %zu", n++ == 0 ? "contradictions:" : ",", kind_names[kind],
                          found->contradicting[kind], found->asked[kind]);
    }
    if (found->wrong[found->best] > 0)
        output_string(output, "\n");
}

/* What explains contradictions although no field says it. */
static void print_departures(struct output *output, struct answers *answers, const struct identification *found)
{
    struct departures departures;
    find_departures(answers, found, &departures);
    if (departures.n == 0)
        return;
    output_printf(output, "beyond the fields: under %s,",
                  candidate_text(&found->candidates[departures.candidate]).text);
    for (size_t i = 0; i < departures.n; i++)
        output_printf(output, "%s %s (explains %zu answer%s)", i > 0 ? ", and" : "", departures.list[i].text,
                      departures.list[i].explains, plural(departures.list[i].explains));
    output_printf(output, "; %zu answer%s then contradict%s\n", departures.left, plural(departures.left),
                  departures.left == 1 ? "s" : "");
}

static void print_answer(struct output *output, const struct answers *answers, size_t i)
{
    const struct answer_line *line = &answers->lines[i];
    char fen[SEEBATCH_FEN_SIZE];
    seebatch_position_to_fen(&answers->positions[i], fen);
    output_printf(output, "  %s:%llu\t%s\t%s\t", line->file, (unsigned long long)line->number, fen,
                  move_text(NOTATION_UCI, &answers->positions[i], answers->moves[i]).text);
    if (line->has_threshold)
        output_printf(output, "%s%d\t%d\n", line->reaches ? ">=" : "<", line->answer, answers->values[i]);
    else
        output_printf(output, "%d\t%d\n", line->answer, answers->values[i]);
}

/* Lists the lines that contradict a candidate and not the best one; for the best one, those that contradict it.
 * `mistakes` are the latter. */
static size_t *examples_against(struct answers *answers, const bool *mistakes, const struct candidate *candidate,
                                bool best, long most, size_t *n)
{
    size_t *lines = reallocate(NULL, (size_t)most + 1, sizeof *lines);
    *n = 0;
    answers_evaluate(answers, &candidate->rules);
    for (size_t i = 0; i < answers->n && *n < (size_t)most; i++)
        if (contradicts(answers, i) && mistakes[i] == best)
            lines[(*n)++] = i;
    return lines;
}

static bool *mistakes_of(struct answers *answers, const struct candidate *candidate)
{
    bool *mistakes = reallocate(NULL, answers->n + 1, sizeof *mistakes);
    answers_evaluate(answers, &candidate->rules);
    for (size_t i = 0; i < answers->n; i++)
        mistakes[i] = contradicts(answers, i);
    return mistakes;
}

/* Whether a candidate is worth a word: those with a name, the best, and the next. */
static bool is_shown(const struct identification *found, int c)
{
    return found->candidates[c].named || c == found->best || c == found->next;
}

static void print_text(struct output *output, struct answers *answers, const struct identification *found, long most)
{
    const size_t values = answers->n - answers->flags;
    output_printf(output, "# %zu answer%s: %zu value%s, %zu flag%s; %zu line%s could not be read\n", answers->n,
                  plural(answers->n), values, plural(values), answers->flags, plural(answers->flags),
                  answers->unreadable, plural(answers->unreadable));
    if (answers->n == 0) {
        output_printf(output, "none fits: %s\n", found->none);
        return;
    }
    print_values(output, found);
    print_fits(output, answers, found);
    print_kinds(output, found);
    print_departures(output, answers, found);
    bool *mistakes = mistakes_of(answers, &found->candidates[found->best]);
    for (int c = 0; c < (int)found->n; c++) {
        const bool best = c == found->best;
        if (!is_shown(found, c) || (found->fits[c] && !best))
            continue;
        size_t n;
        size_t *lines = examples_against(answers, mistakes, &found->candidates[c], best, most, &n);
        if (!best) {
            output_printf(output, "does not fit%s: ", c == found->next ? " (the next)" : "");
            print_candidate(output, answers, found, c);
            output_printf(output, ", odds 1 to 10^%.0f\n", odds_against(found, c));
        } else if (n > 0) {
            output_printf(output, "against %s:\n", candidate_text(&found->candidates[c]).text);
        }
        for (size_t i = 0; i < n; i++)
            print_answer(output, answers, lines[i]);
        free(lines);
    }
    free(mistakes);
}

/* ---- As JSON ---------------------------------------------------------------------------------------------------- */

static json_t *json_of_candidate(const struct answers *answers, const struct identification *found, int c)
{
    const struct candidate *candidate = &found->candidates[c];
    const int16_t *v = candidate->rules.value;
    json_t *fields = json_object();
    const seebatch_rules_field *field;
    for (size_t i = 0; (field = seebatch_rules_field_at(i)) != NULL; i++)
        json_object_set_new(fields, field->name, json_string(field->words[field_of(&candidate->rules, field)]));
    return json_pack("{s:s, s:b, s:I, s:f, s:o, s:[i, i, i, i, i]}", "rules", candidate_text(candidate).text, "fits",
                     (int)(answers->n > 0 && found->fits[c]), "contradictions", (json_int_t)found->wrong[c],
                     "odds_against", odds_against(found, c), "fields", fields, "values", v[0], v[1], v[2], v[3], v[4]);
}

static json_t *json_of_departures(struct answers *answers, const struct identification *found)
{
    struct departures departures;
    json_t *list = json_array();
    find_departures(answers, found, &departures);
    if (departures.n == 0) {
        json_decref(list);
        return json_null();
    }
    for (size_t i = 0; i < departures.n; i++)
        json_array_append_new(list, json_pack("{s:s, s:I}", "text", departures.list[i].text, "explains",
                                              (json_int_t)departures.list[i].explains));
    return json_pack("{s:s, s:o, s:I}", "rules", candidate_text(&found->candidates[departures.candidate]).text, "list",
                     list, "contradictions", (json_int_t)departures.left);
}

static json_t *json_of_answer(const struct answers *answers, size_t i)
{
    const struct answer_line *line = &answers->lines[i];
    char fen[SEEBATCH_FEN_SIZE];
    seebatch_position_to_fen(&answers->positions[i], fen);
    json_t *object = json_pack(
        "{s:s, s:I, s:s, s:s, s:i}", "file", line->file, "line", (json_int_t)line->number, "position", fen, "move",
        move_text(NOTATION_UCI, &answers->positions[i], answers->moves[i]).text, "expected", answers->values[i]);
    json_object_set_new(object, line->has_threshold ? "threshold" : "answer", json_integer(line->answer));
    if (line->has_threshold)
        json_object_set_new(object, "reaches", json_boolean(line->reaches));
    return object;
}

static void print_json(struct output *output, struct answers *answers, const struct identification *found, long most)
{
    json_t *values = json_object(), *candidates = json_array();
    for (int p = 0; p < 5; p++)
        json_object_set_new(values, piece_names[p], json_pack("[i, i]", found->low[p], found->high[p]));
    bool *mistakes = mistakes_of(answers, &found->candidates[found->best]);
    for (int c = 0; c < (int)found->n; c++) {
        if (!is_shown(found, c) && !found->fits[c])
            continue;
        size_t n;
        size_t *lines = examples_against(answers, mistakes, &found->candidates[c], c == found->best, most, &n);
        json_t *candidate = json_of_candidate(answers, found, c), *examples = json_array();
        for (size_t i = 0; i < n; i++)
            json_array_append_new(examples, json_of_answer(answers, lines[i]));
        json_object_set_new(candidate, "examples", examples);
        json_array_append_new(candidates, candidate);
        free(lines);
    }
    free(mistakes);
    output_json(output,
                json_pack("{s:I, s:I, s:I, s:I, s:s?, s:b, s:o, s:o, s:o}", "answers", (json_int_t)answers->n, "flags",
                          (json_int_t)answers->flags, "unreadable", (json_int_t)answers->unreadable, "fitting",
                          (json_int_t)found->n_fits, "none", found->none, "from_a8", (int)answers->upside_down,
                          "values", values, "candidates", candidates, "departures", json_of_departures(answers, found)),
                0);
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

/* Questions for what fits; where nothing does, or nothing was read, for all. */
static void ask(struct output *output, const struct identification *found, const struct wish *wish)
{
    static struct candidate all[MOST_CANDIDATES];
    const struct candidate *asked[MOST_CANDIDATES];
    size_t n = 0;
    const int count = (int)list_candidates(all);
    for (int c = 0; c < count; c++)
        if (found == NULL || found->n_fits == 0)
            asked[n++] = &all[c];
        else if (found->fits[c])
            asked[n++] = &found->candidates[c];
    const seebatch_rules *rules = found == NULL ? &all[0].rules : &found->candidates[found->best].rules;
    int low[5], high[5];
    for (int p = 0; p < 5; p++) {
        low[p] = found == NULL ? rules->value[p] / 3 : found->low[p];
        high[p] = found == NULL ? 3 * rules->value[p] : found->high[p];
    }
    write_questions(output, asked, n, rules->value, low, high, wish->thresholds, wish->ask);
}

static int run(int argc, char **argv)
{
    static struct identification found;
    static struct output output;
    struct options options;
    struct wish wish = {0, false};
    options_parse(&identify_command, argc, argv, take_option, &wish, &options);
    if (wish.thresholds && wish.ask == 0)
        usage_error(argv[0], "%s", "--thresholds was given without --ask, expected both");
    if (wish.ask > 0 && options.n_operands == 0) {
        ask(&output, NULL, &wish);
        output_finish(&output);
        return STATUS_OK;
    }
    struct answers answers;
    options_read_input(argv[0], &options);
    options_check_names(argv[0], &options);
    const bool well = answers_read(&answers, options.operands, options.n_operands);
    identify_answers(&answers, &found);
    if (wish.ask > 0)
        ask(&output, &found, &wish);
    else if (options.format == FORMAT_JSON)
        print_json(&output, &answers, &found, options.examples);
    else
        print_text(&output, &answers, &found, options.examples);
    output_finish(&output);
    answers_free(&answers);
    return well && found.none == NULL ? STATUS_OK : STATUS_ERROR;
}

const struct command identify_command = {
    .name = "identify",
    .summary = "find the rules and piece values that an engine has",
    .about = "Finds which rules and piece values an engine's SEE has, by the engine's answers to questions. Every "
             "combination of the fields of rules is tried.",
    .operands = {"[FILE ...]"},
    .examples = {{"Write questions for the engine, a position and a move on each line:",
                  "seebatch identify --ask 2000 >questions.txt"},
                 {"Let the engine add '; value' to each line, then find the rules behind its answers:",
                  "engine <questions.txt >answers.txt\nseebatch identify answers.txt"},
                 {"Ask further questions that tell apart what still fits, for an engine that answers yes or no:",
                  "seebatch identify --ask 100 --thresholds answers.txt >more.txt"}},
    .details =
        "A line of input has one of these forms, as for 'seebatch verify', with numbers:\n  position; move; value\n  "
        "position; move; threshold; flag     (0, 1, false or true: whether the value is at least the threshold)\nThe "
        "value 32767 stands for a move that passes at any threshold. Without FILE, or for -, standard input is read.",
    .options = option_rows,
    .status = "0 if something fits; 1 if nothing fits or a line could not be read; 2 if the command line is wrong.",
    .run = run,
};
