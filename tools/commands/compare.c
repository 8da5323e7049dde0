/*
 * seebatch compare: how often two rule sets disagree, and why.
 *
 * Every query is evaluated under both; where the values differ, cause.c finds which difference between the rule sets
 * it is that matters. Counts are kept by cause, and the first few positions of each as examples.
 */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "compare.h"

static const struct option_row option_rows[] = {
    GROUP("Rules to compare"),
    {"rules", "A", OPTION_TWO_RULES, SEVERAL,
     "given twice, the two rule sets: those listed below; minimax, which plays all legal captures, for comparison with "
     "legal; or legal-least-first, which plays legal captures, but always the least valuable piece first",
     "The option is given twice and names the rule sets to compare: those of eval, and two more; see "
     "`COMPARISONS`.",
     NULL},
    SHARED("values"),
    {"nodes", "N", OPTION_NODES, 0,
     "how many captures minimax may play for one move; a move that needs more is skipped",
     "How many captures to play at most for the value of one move, from 1 to 1000000000.", "10000000"},
    SHARED("kernel"),
    GROUP("Input"),
    SHARED("from"),
    SHARED("moves"),
    GROUP("Output"),
    {"examples", "N", OPTION_EXAMPLES, 0, "how many examples of each cause are shown",
     "How many examples of each cause are shown, from 0 to 1000000.", "3"},
    SHARED("notation"),
    {"format", "text|tsv|json", OPTION_FORMAT, 0,
     "a report; a row for each disagreement, with position, move, both values and cause; or the report as one JSON "
     "object",
     "See `COMPARISONS`.", "text"},
    {0},
};

static const char minimax_name[] = "minimax", least_first_name[] = "legal-least-first";

/* One of the two rule sets. */
struct contender {
    const char *name;
    enum { BY_LIBRARY, BY_MINIMAX, BY_RELAXED } how;
    seebatch_rules rules; /* of the library; of minimax, legal */
    struct features features;
    int16_t *values; /* of the moves of the current line */
};

struct example {
    char *position;
    size_t length;
    char move[SEEBATCH_SAN_SIZE];
    int value[2];
};

struct tally {
    uint64_t value, sign; /* disagreements */
    uint64_t joint;       /* those in value that this cause does not explain alone */
    struct example *examples;
    size_t n_examples;
};

struct comparison {
    const struct options *options;
    struct contender side[2];
    uint64_t positions, queries, passed_over;
    uint64_t passing; /* disagreements about a move that passes at any threshold under one of the two */
    struct tally tally[N_CAUSES];
    struct move_list list;
    size_t values_capacity;
    struct output output;
};

/* ---- The rule sets ---------------------------------------------------------------------------------------------- */

static void read_contender(const char *command, const struct options *options, const char *name, struct contender *side)
{
    bool minimax = strcmp(name, minimax_name) == 0, least_first = strcmp(name, least_first_name) == 0;
    seebatch_error error;
    side->name = name;
    side->how = minimax ? BY_MINIMAX : least_first ? BY_RELAXED : BY_LIBRARY;
    if (seebatch_rules_named(minimax || least_first ? "legal" : name, &side->rules, &error) != SEEBATCH_OK) {
        if (strchr(name, ',') != NULL)
            usage_error(command, "--rules: %s", error.text);
        usage_error(command, "--rules: %s, %s, %s", error.text, minimax_name, least_first_name);
    }
    memcpy(side->rules.value, options->rules.value, sizeof side->rules.value);
    side->features = features_of(&side->rules);
    if (least_first) {
        side->features.setting[FEATURE_KING] = 0;
        side->features.setting[FEATURE_ORDER] = SEEBATCH_LEAST_VALUABLE_FIRST;
    }
}

/* ---- Counting --------------------------------------------------------------------------------------------------- */

static void keep_example(struct comparison *c, struct tally *tally, const struct fields *fields, const char *move,
                         const int value[2])
{
    if (tally->n_examples >= (size_t)c->options->examples)
        return;
    tally->examples = reallocate(tally->examples, tally->n_examples + 1, sizeof *tally->examples);
    struct example *example = &tally->examples[tally->n_examples++];
    example->position = reallocate(NULL, fields->position_length, 1);
    memcpy(example->position, fields->position, fields->position_length);
    example->length = fields->position_length;
    snprintf(example->move, sizeof example->move, "%s", move);
    example->value[0] = value[0];
    example->value[1] = value[1];
}

static void print_disagreement(struct output *output, const struct fields *fields, const char *move, const int value[2],
                               int cause)
{
    output_bytes(output, fields->position, fields->position_length);
    output_printf(output, "\t%s\t%d\t%d\t%s\n", move, value[0], value[1], cause_names[cause]);
}

static void count_disagreement(struct comparison *c, const struct fields *fields, const seebatch_position *position,
                               seebatch_move move, const int value[2])
{
    const struct answer a = {&c->side[0].features, value[0]}, b = {&c->side[1].features, value[1]};
    bool alone;
    int cause = cause_of(&a, &b, c->options->rules.value, position, move, c->options->nodes, &alone);
    const struct move_text text = move_text(c->options->notation, position, move);
    struct tally *tally = &c->tally[cause];
    c->passing += value[0] == SEEBATCH_ALWAYS || value[1] == SEEBATCH_ALWAYS;
    tally->value++;
    tally->sign += (value[0] >= 0) != (value[1] >= 0);
    tally->joint += !alone;
    if (c->options->format == FORMAT_TSV)
        print_disagreement(&c->output, fields, text.text, value, cause);
    else
        keep_example(c, tally, fields, text.text, value);
}

/* The value of the current line's k-th move; false if it takes too many captures to find. */
static bool value_of_move(const struct comparison *c, const struct contender *side, const seebatch_position *position,
                          size_t k, int *value)
{
    const int16_t *piece_values = c->options->rules.value;
    seebatch_move move = c->list.moves[k];
    if (side->how == BY_MINIMAX)
        return minimax_value(piece_values, position, move, c->options->nodes, value);
    if (side->how == BY_RELAXED)
        return relaxed_value(&side->features, piece_values, position, move, c->options->nodes, value);
    *value = side->values[k];
    return true;
}

static void compare_move(struct comparison *c, struct input *input, const struct fields *fields,
                         const seebatch_position *position, size_t k)
{
    int value[2];
    for (int i = 0; i < 2; i++) {
        if (!value_of_move(c, &c->side[i], position, k, &value[i])) {
            const struct move_text text = move_text(c->options->notation, position, c->list.moves[k]);
            input_error(input, "%s is skipped: its value under %s takes more than %ld capture%s; see --nodes",
                        text.text, c->side[i].name, c->options->nodes, plural((uint64_t)c->options->nodes));
            c->passed_over++;
            return;
        }
    }
    c->queries++;
    if (value[0] != value[1])
        count_disagreement(c, fields, position, c->list.moves[k], value);
}

static void reserve_values(struct comparison *c)
{
    if (c->values_capacity >= c->list.count)
        return;
    c->values_capacity = c->list.capacity;
    for (int i = 0; i < 2; i++)
        c->side[i].values = reallocate(c->side[i].values, c->values_capacity, sizeof(int16_t));
}

static void compare_line(struct comparison *c, struct input *input, const struct fields *fields)
{
    seebatch_position position;
    seebatch_error error;
    if (!input_position(input, fields, &position, &error)) {
        input_error(input, "%s", error.text);
        return;
    }
    if (c->options->format == FORMAT_JSON && !seebatch_io_is_utf8(fields->position, fields->position_length)) {
        input_error(input, "the position is not valid UTF-8, as JSON needs; expected UTF-8, or another --format");
        return;
    }
    c->list.count = 0;
    input_moves(input, fields, &position, c->options, &c->list);
    reserve_values(c);
    for (int i = 0; i < 2; i++)
        if (c->side[i].how == BY_LIBRARY)
            seebatch_values(&c->side[i].rules, &position, NULL, c->list.moves, c->list.count, c->side[i].values);
    for (size_t k = 0; k < c->list.count; k++)
        compare_move(c, input, fields, &position, k);
    c->positions += c->list.count > 0;
}

/* Returns whether all was well. */
static bool compare_file(struct comparison *c, const char *name)
{
    struct input input;
    struct fields fields;
    if (!input_open_any(&input, name, c->options))
        return false;
    while (input_next_line(&input))
        if (input_fields(&input, &fields))
            compare_line(c, &input, &fields);
    return !input_close(&input);
}

static struct tally total_of(const struct comparison *c)
{
    struct tally total = {0};
    for (int cause = 0; cause < N_CAUSES; cause++) {
        total.value += c->tally[cause].value;
        total.sign += c->tally[cause].sign;
        total.joint += c->tally[cause].joint;
    }
    return total;
}

/* ---- The report ------------------------------------------------------------------------------------------------- */

static void print_counts(struct comparison *c, const char *label, const struct tally *tally)
{
    double percent = c->queries > 0 ? 100.0 / (double)c->queries : 0;
    output_printf(&c->output, "%-14s %9llu %8.4f%% %9llu %8.4f%% %13llu\n", label, (unsigned long long)tally->value,
                  (double)tally->value * percent, (unsigned long long)tally->sign, (double)tally->sign * percent,
                  (unsigned long long)tally->joint);
}

static void print_examples(struct comparison *c, int cause)
{
    const struct tally *tally = &c->tally[cause];
    if (tally->n_examples == 0)
        return;
    output_printf(&c->output, "\n%s: %zu of %llu\n", cause_names[cause], tally->n_examples,
                  (unsigned long long)tally->value);
    for (size_t i = 0; i < tally->n_examples; i++) {
        const struct example *example = &tally->examples[i];
        output_string(&c->output, "  ");
        output_bytes(&c->output, example->position, example->length);
        output_printf(&c->output, "  %s  %s %d, %s %d\n", example->move, c->side[0].name, example->value[0],
                      c->side[1].name, example->value[1]);
    }
}

static void print_text(struct comparison *c)
{
    const struct tally total = total_of(c);
    const int16_t *v = c->options->rules.value;
    output_printf(&c->output, "Rules %s against %s, values %d,%d,%d,%d,%d\n\n", c->side[0].name, c->side[1].name, v[0],
                  v[1], v[2], v[3], v[4]);
    output_printf(&c->output, "%-14s %9llu in %llu position%s\n", "moves", (unsigned long long)c->queries,
                  (unsigned long long)c->positions, plural(c->positions));
    output_printf(&c->output, "%-14s %9llu\n\n", "skipped", (unsigned long long)c->passed_over);
    if (c->passing > 0)
        output_printf(&c->output,
                      "%llu of the disagreements are about moves that one rule set lets pass at any "
                      "threshold\n\n",
                      (unsigned long long)c->passing);
    output_printf(&c->output, "%-14s %19s %19s %13s\n", "disagreements", "in value  ", "in sign  ", "joint causes");
    for (int cause = 0; cause < N_CAUSES; cause++)
        print_counts(c, cause_names[cause], &c->tally[cause]);
    print_counts(c, "all", &total);
    for (int cause = 0; cause < N_CAUSES; cause++)
        print_examples(c, cause);
}

static json_t *json_of_tally(const char *name, const struct tally *tally)
{
    json_t *examples = json_array();
    for (size_t i = 0; i < tally->n_examples; i++) {
        const struct example *e = &tally->examples[i];
        json_array_append_new(examples,
                              json_pack("{s:o, s:s, s:[i, i]}", "position", json_stringn(e->position, e->length),
                                        "move", e->move, "values", e->value[0], e->value[1]));
    }
    return json_pack("{s:s, s:I, s:I, s:I, s:o}", "cause", name, "value", (json_int_t)tally->value, "sign",
                     (json_int_t)tally->sign, "joint", (json_int_t)tally->joint, "examples", examples);
}

static void print_json(struct comparison *c)
{
    const struct tally total = total_of(c);
    const int16_t *v = c->options->rules.value;
    json_t *causes = json_array();
    for (int cause = 0; cause < N_CAUSES; cause++)
        json_array_append_new(causes, json_of_tally(cause_names[cause], &c->tally[cause]));
    json_t *report = json_pack("{s:[s, s], s:[i, i, i, i, i], s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "rules",
                               c->side[0].name, c->side[1].name, "values", v[0], v[1], v[2], v[3], v[4], "positions",
                               (json_int_t)c->positions, "moves", (json_int_t)c->queries, "passed_over",
                               (json_int_t)c->passed_over, "passing", (json_int_t)c->passing, "value",
                               (json_int_t)total.value, "sign", (json_int_t)total.sign, "causes", causes);
    output_json(&c->output, report, JSON_INDENT(2));
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

static void free_comparison(struct comparison *c)
{
    for (int cause = 0; cause < N_CAUSES; cause++) {
        for (size_t i = 0; i < c->tally[cause].n_examples; i++)
            free(c->tally[cause].examples[i].position);
        free(c->tally[cause].examples);
    }
    free(c->side[0].values);
    free(c->side[1].values);
    free(c->list.moves);
    free(c);
}

static int run(int argc, char **argv)
{
    struct options options;
    options_parse(&compare_command, argc, argv, NULL, NULL, &options);
    struct comparison *c = reallocate(NULL, 1, sizeof *c);
    memset(c, 0, sizeof *c);
    c->options = &options;
    for (int i = 0; i < options.n_compared; i++)
        read_contender(argv[0], &options, options.compared[i], &c->side[i]);
    if (options.n_compared != 2)
        usage_error(argv[0], "--rules was given %s, expected twice: the two rule sets to compare",
                    options.n_compared == 0 ? "never" : "once");

    bool well = true;
    options_read_input(argv[0], &options);
    for (int i = 0; i < options.n_operands; i++)
        well &= compare_file(c, options.operands[i]);
    if (options.format == FORMAT_TEXT)
        print_text(c);
    else if (options.format == FORMAT_JSON)
        print_json(c);
    output_finish(&c->output);
    if (well && c->queries == 0) {
        report("nothing was compared, because the input has no position with a capture or with moves");
        well = false;
    }
    free_comparison(c);
    return well ? STATUS_OK : STATUS_ERROR;
}

const struct command compare_command = {
    .name = "compare",
    .summary = "count how often two rule sets disagree, and say why",
    .about = "Counts how often two rule sets give a move another value, or another sign, and says why: pins, checks, "
             "promotions, order of capture, kings, or special first moves.",
    .operands = {"--rules A --rules B [FILE ...]"},
    .examples = {{"See a pinned knight that swap lets recapture and legal does not; the cause is pin:",
                  "echo '4k3/4n3/8/3p4/8/2N5/8/4RK2 w - -' | seebatch compare --rules swap --rules legal --format tsv"},
                 {"Count where two engines differ about the captures in a file:",
                  "seebatch compare --rules ethereal --rules stockfish positions.fen"},
                 {"Check legal against a program that really plays all captures:",
                  "seebatch compare --rules legal --rules minimax --examples 0 positions.fen"}},
    .details = "Give --rules twice. Each disagreement has one cause; the manual, seebatch(1), says how it is found. A "
               "line of input is a position in FEN or EPD, then optionally a TAB and moves in UCI notation or in SAN; "
               "without moves, all legal captures are compared. Blank lines and lines that begin with # are skipped. "
               "Files of every format that seebatch filter reads are read, too, by their names or --from: the record's "
               "own move is evaluated, unless --moves is given. Without FILE, or for -, standard input is read.",
    .options = option_rows,
    .status = "0 if all is well; 1 if something could not be read, evaluated or written, or if there was nothing to "
              "compare; 2 if "
              "the command line is wrong.",
    .run = run,
};
