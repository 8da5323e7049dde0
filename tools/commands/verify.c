/*
 * seebatch verify: another program's exchange values, or its answers to thresholds, compared with the library's.
 *
 * Lines are gathered into a block, so that the kernel in use evaluates them in its lanes; then those that
 * differ are printed in the order of the input. What cannot be read is reported as it is found, and counted.
 */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "answers.h"
#include "lenient.h"
#include "suite.h"
#include "tool.h"
#include "verify_suite.h"

enum { VERIFY_SUITE = OPTION_OWN, VERIFY_LENIENT, VERIFY_A8_FIRST };

static const struct option_row option_rows[] = {
    GROUP("Evaluation"),
    SHARED("rules"),
    SHARED("values"),
    SHARED("kernel"),
    GROUP("Input"),
    SHARED("from"),
    {"threshold", "T", OPTION_THRESHOLD, 0, "lines with three fields have a flag for this threshold instead of a value",
     "Lines that have no threshold of their own contain a flag for this one, an integer from -32768 "
     "to 32767, instead of a value.",
     NULL},
    {"suite", "FILE", VERIFY_SUITE, 0,
     "lines are answers to the positions of this suite, such as suite/suite.tsv; the features that fail are named",
     "The lines are an engine's answers to the positions of this suite; see `VERIFICATION`.", NULL},
    {"a8-first", NULL, VERIFY_A8_FIRST, 0,
     "the answers are those of an engine whose square 0 is a8: of several pieces of one type, the first one counted "
     "from a8 captures first",
     "The answers are those of an engine whose square 0 is a8; see `VERIFICATION`.", NULL},
    {"lenient", NULL, VERIFY_LENIENT, 0,
     "also evaluates positions whose side not to move is in check, and moves that leave the own king in check; not "
     "possible with rules about legal moves",
     "Also evaluates positions and moves that are not legal; see `VERIFICATION`.", NULL},
    GROUP("Output"),
    {"trace", NULL, OPTION_TRACE, 0,
     "with each difference, prints the captures: the entry of the swap list / what its side gets",
     "Prints the captures with each difference.", NULL},
    SHARED("notation"),
    {"format", "tsv|json", OPTION_FORMAT, 0, "rows separated by TABs, or a JSON object on each line",
     "See `VERIFICATION`.", "tsv"},
    {0},
};

/* What a record has to say. */
enum { NEEDED = SEEBATCH_HAS_MOVE | SEEBATCH_HAS_SCORE };

/* Which rule set fits best is found from the first answers, so that a file of millions takes no longer. */
enum { MOST_RULE_SETS = 32, MOST_COMPARED = 1 << 16 };

/* A block is evaluated when it has this many lines or bytes of text. */
enum { BLOCK_LINES = 4096, BLOCK_TEXT = 1 << 20 };

struct verification {
    const struct options *options;

    /* The block: line i has one move, and the text of its position begins at text_offsets[i]. */
    size_t n;
    const char *files[BLOCK_LINES];
    uint64_t numbers[BLOCK_LINES];
    struct suite_line lines[BLOCK_LINES]; /* whose texts are gone */
    seebatch_position positions[BLOCK_LINES];
    seebatch_move moves[BLOCK_LINES];
    seebatch_position boards[BLOCK_LINES]; /* what is evaluated: the same, or with --a8-first from the other side */
    seebatch_move board_moves[BLOCK_LINES];
    size_t text_offsets[BLOCK_LINES + 1];
    char *text;
    size_t text_capacity;

    /* The queries to the library, and its answers. */
    size_t offsets[BLOCK_LINES + 1];
    int16_t thresholds[BLOCK_LINES];
    int16_t values[BLOCK_LINES];
    uint64_t mask[SEEBATCH_MASK_WORDS(BLOCK_LINES)];

    uint64_t checked, different, unreadable;
    uint64_t compared;                 /* of those checked, how many were compared with every named rule set */
    uint64_t equal_by[MOST_RULE_SETS]; /* with how many of these answers each of them agrees */
    uint64_t equal_asked;              /* and the rules that were asked for */
    uint64_t passing;                  /* of those checked: moves that the rules let pass at any threshold */
    bool lenient, a8_first;
    uint64_t unsound; /* read because of that */
    struct output output;
};

/* ---- The trace -------------------------------------------------------------------------------------------------- */

/* Writes a capture of a trace as Nd3xe5, c7xd8=Q or e1-e5; the first move may be quiet. */
struct capture_text {
    char text[16];
};

static struct capture_text capture_text(const seebatch_position *position, seebatch_move move,
                                        const seebatch_capture *capture, bool first)
{
    struct capture_text capture_text;
    const bool pawn = capture->piece == SEEBATCH_PAWN;
    /* A pawn that captures beside itself takes a double step en passant. */
    const bool reply = !first && pawn && capture->from / 8 == seebatch_to(move) / 8;
    const int from = capture->from, to = reply ? (seebatch_from(move) + seebatch_to(move)) / 2 : seebatch_to(move);
    const bool quiet = first && seebatch_type_on(position, to) == SEEBATCH_NO_PIECE && !(pawn && from % 8 != to % 8);
    const char letter[2] = {"PNBRQK"[capture->piece], '\0'}, became[2] = {"PNBRQK"[capture->stays], '\0'};
    const bool promotes = capture->stays != capture->piece;
    snprintf(capture_text.text, sizeof capture_text.text, "%s%c%c%c%c%c%s%s", pawn ? "" : letter, 'a' + from % 8,
             '1' + from / 8, quiet ? '-' : 'x', 'a' + to % 8, '1' + to / 8, promotes ? "=" : "",
             promotes ? became : "");
    return capture_text;
}

static void print_trace(struct output *output, const seebatch_position *position, seebatch_move move,
                        const seebatch_trace *trace)
{
    if (trace->length == 0)
        output_string(output, "none");
    for (int i = 0; i < trace->length; i++) {
        const seebatch_capture *capture = &trace->capture[i];
        output_printf(output, "%s%s %d/%d", i > 0 ? ", " : "", capture_text(position, move, capture, i == 0).text,
                      capture->gain, capture->best);
    }
}

static json_t *json_of_trace(const seebatch_position *position, seebatch_move move, const seebatch_trace *trace)
{
    json_t *array = json_array();
    for (int i = 0; i < trace->length; i++) {
        const seebatch_capture *capture = &trace->capture[i];
        json_array_append_new(array, json_pack("{s:s, s:i, s:i}", "capture",
                                               capture_text(position, move, capture, i == 0).text, "gain",
                                               (int)capture->gain, "best", (int)capture->best));
    }
    return array;
}

/* ---- Differences ------------------------------------------------------------------------------------------------ */

static bool reaches(const struct verification *v, size_t i) { return v->mask[i / 64] >> i % 64 & 1; }

static bool differs(const struct verification *v, size_t i)
{
    const struct suite_line *line = &v->lines[i];
    return line->has_threshold ? reaches(v, i) != line->reaches : v->values[i] != line->value;
}

static void print_row(struct verification *v, size_t i)
{
    struct output *output = &v->output;
    const struct suite_line *line = &v->lines[i];
    const seebatch_position *position = &v->positions[i];
    output_printf(output, "%s:%llu\t", v->files[i], (unsigned long long)v->numbers[i]);
    output_bytes(output, v->text + v->text_offsets[i], v->text_offsets[i + 1] - v->text_offsets[i]);
    output_printf(output, "\t%s", move_text(v->options->notation, position, v->moves[i]).text);
    if (line->has_threshold)
        output_printf(output, "\t%s%d\t%s%d", line->reaches ? ">=" : "<", line->threshold,
                      line->reaches ? "<" : ">=", line->threshold);
    else
        output_printf(output, "\t%d\t%d", line->value, v->values[i]);
    if (v->options->trace) {
        seebatch_trace trace;
        seebatch_explain(&v->options->rules, position, v->moves[i], &trace);
        output_string(output, "\t");
        print_trace(output, position, v->moves[i], &trace);
    }
    output_string(output, "\n");
}

static void print_json(struct verification *v, size_t i)
{
    const struct suite_line *line = &v->lines[i];
    const seebatch_position *position = &v->positions[i];
    const char *text = v->text + v->text_offsets[i];
    json_t *object = json_pack("{s:s, s:I, s:o, s:s}", "file", v->files[i], "line", (json_int_t)v->numbers[i],
                               "position", json_stringn(text, v->text_offsets[i + 1] - v->text_offsets[i]), "move",
                               move_text(v->options->notation, position, v->moves[i]).text);
    if (line->has_threshold) {
        json_object_set_new(object, "threshold", json_integer(line->threshold));
        json_object_set_new(object, "expected", json_boolean(line->reaches));
        json_object_set_new(object, "got", json_boolean(!line->reaches));
    } else {
        json_object_set_new(object, "expected", json_integer(line->value));
        json_object_set_new(object, "got", json_integer(v->values[i]));
    }
    if (v->options->trace) {
        seebatch_trace trace;
        seebatch_explain(&v->options->rules, position, v->moves[i], &trace);
        json_object_set_new(object, "trace", json_of_trace(position, v->moves[i], &trace));
    }
    output_json(&v->output, object, 0);
}

static void evaluate(struct verification *v, const seebatch_rules *rules)
{
    const seebatch_batch batch = {
        .positions = v->boards, .n_positions = v->n, .offsets = v->offsets, .moves = v->board_moves};
    seebatch_batch_values(rules, &batch, v->values, NULL);
    seebatch_batch_ge_mask_each(rules, &batch, v->thresholds, v->mask, NULL);
}

static size_t equal_in_block(const struct verification *v)
{
    size_t equal = 0;
    for (size_t i = 0; i < v->n; i++)
        equal += !differs(v, i);
    return equal;
}

/* Counts with how many answers of the block each rule set agrees. Rules of legal captures take no lenient moves. */
static void compare_rule_sets(struct verification *v)
{
    if (v->compared >= MOST_COMPARED || v->lenient)
        return;
    const char *name;
    for (size_t r = 0; r < MOST_RULE_SETS && (name = seebatch_rules_name(r)) != NULL; r++) {
        seebatch_rules rules;
        seebatch_rules_named(name, &rules, NULL);
        memcpy(rules.value, v->options->rules.value, sizeof rules.value);
        evaluate(v, &rules);
        v->equal_by[r] += equal_in_block(v);
    }
    evaluate(v, &v->options->rules);
    v->equal_asked += equal_in_block(v);
    v->compared += v->n;
}

/* The named rule set that agrees with most of the answers that were compared. */
static size_t best_rule_set(const struct verification *v)
{
    size_t best = 0;
    for (size_t r = 1; r < MOST_RULE_SETS && seebatch_rules_name(r) != NULL; r++)
        best = v->equal_by[r] > v->equal_by[best] ? r : best;
    return best;
}

/* Evaluates the block, prints what differs, and empties it. */
static void finish_block(struct verification *v)
{
    for (size_t i = 0; i < v->n; i++) {
        v->offsets[i + 1] = i + 1;
        v->thresholds[i] = v->lines[i].threshold;
        v->boards[i] = v->a8_first ? flipped_position(&v->positions[i]) : v->positions[i];
        v->board_moves[i] = v->a8_first ? flipped_move(v->moves[i]) : v->moves[i];
    }
    compare_rule_sets(v);
    evaluate(v, &v->options->rules);
    for (size_t i = 0; i < v->n; i++) {
        v->checked++;
        v->passing += v->values[i] == SEEBATCH_ALWAYS;
        if (!differs(v, i))
            continue;
        v->different++;
        if (v->options->format == FORMAT_JSON)
            print_json(v, i);
        else
            print_row(v, i);
    }
    v->n = 0;
}

static void print_summary(struct verification *v)
{
    const int16_t *p = v->options->rules.value;
    const uint64_t equal = v->checked - v->different;
    const size_t best = best_rule_set(v);
    const bool names_best = v->equal_by[best] > v->equal_asked;
    if (v->options->format == FORMAT_JSON) {
        json_t *summary = json_pack(
            "{s:I, s:I, s:I, s:I, s:I, s:s, s:[i, i, i, i, i]}", "checked", (json_int_t)v->checked, "equal",
            (json_int_t)equal, "different", (json_int_t)v->different, "unreadable", (json_int_t)v->unreadable,
            "passing", (json_int_t)v->passing, "rules", v->options->rules_name, "values", p[0], p[1], p[2], p[3], p[4]);
        if (v->lenient)
            json_object_set_new(summary, "unsound", json_integer((json_int_t)v->unsound));
        if (names_best)
            json_object_set_new(summary, "best",
                                json_pack("{s:s, s:I, s:I}", "rules", seebatch_rules_name(best), "equal",
                                          (json_int_t)v->equal_by[best], "of", (json_int_t)v->compared));
        output_json(&v->output, summary, 0);
        return;
    }
    output_printf(&v->output, "# checked %llu, equal %llu, different %llu, unreadable %llu",
                  (unsigned long long)v->checked, (unsigned long long)equal, (unsigned long long)v->different,
                  (unsigned long long)v->unreadable);
    if (v->passing > 0)
        output_printf(&v->output, ", passing at any threshold %llu", (unsigned long long)v->passing);
    if (v->lenient)
        output_printf(&v->output, ", not sound %llu", (unsigned long long)v->unsound);
    output_printf(&v->output, "; rules %s, values %d,%d,%d,%d,%d", v->options->rules_name, p[0], p[1], p[2], p[3],
                  p[4]);
    if (names_best)
        output_printf(&v->output, "; with these values the rules %s fit best, %llu of %llu answer%s %s equal",
                      seebatch_rules_name(best), (unsigned long long)v->equal_by[best], (unsigned long long)v->compared,
                      plural(v->compared), v->equal_by[best] == 1 ? "is" : "are");
    output_string(&v->output, "\n");
}

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

static void keep_text(struct verification *v, struct suite_text text)
{
    size_t first = v->n > 0 ? v->text_offsets[v->n] : 0, end = first + text.length;
    if (end > v->text_capacity) {
        v->text_capacity = end + end / 2;
        v->text = reallocate(v->text, v->text_capacity, 1);
    }
    memcpy(v->text + first, text.first, text.length);
    v->text_offsets[v->n] = first;
    v->text_offsets[v->n + 1] = end;
}

/* The question of a line, with its position and move. */
static bool read_line(struct verification *v, const struct input *input, size_t i, seebatch_error *error)
{
    const struct options *options = v->options;
    struct suite_line *line = &v->lines[i];
    if (!suite_read(input->line, input->line_length, options->rules.value,
                    options->has_threshold ? &options->threshold : NULL, line, error))
        return false;
    if (seebatch_position_from_fen(line->position.first, line->position.length, &v->positions[i], error) ==
            SEEBATCH_OK &&
        seebatch_move_from_text(&v->positions[i], line->move.first, line->move.length, &v->moves[i], error) ==
            SEEBATCH_OK)
        return true;
    const bool read = v->lenient && lenient_read(&options->rules, line, &v->positions[i], &v->moves[i]);
    v->unsound += read;
    return read;
}

/* Does the same for a record: its score is the value or the flag. */
static bool read_record(struct verification *v, const struct input *input, const struct record_fields *record, size_t i,
                        seebatch_error *error)
{
    const struct options *options = v->options;
    const bool flag = options->has_threshold;
    v->positions[i] = *record->position;
    v->moves[i] = record->move;
    v->lines[i] = (struct suite_line){.position = {input->line, input->line_length},
                                      .value = record->score,
                                      .has_threshold = flag,
                                      .threshold = flag ? options->threshold : (int16_t)0,
                                      .reaches = record->score == 1};
    if ((record->has & NEEDED) != NEEDED)
        snprintf(error->text, sizeof error->text, "the record has no %s, expected one",
                 record->has & SEEBATCH_HAS_MOVE ? "score" : "move");
    else if (flag && record->score != 0 && record->score != 1)
        snprintf(error->text, sizeof error->text, "the score is %d, expected 0 or 1, the flag for --threshold",
                 record->score);
    else
        return true;
    return false;
}

/* Whether the format of the output has room for the text of a position; if not, why. */
static bool is_printable(const struct verification *v, struct suite_text position, seebatch_error *error)
{
    if (v->options->format != FORMAT_JSON || seebatch_io_is_utf8(position.first, position.length))
        return true;
    snprintf(error->text, sizeof error->text, "%s",
             "the position is not valid UTF-8, as JSON needs; expected UTF-8, or --format tsv");
    return false;
}

/* Appends a line to the block; false, and why, if it cannot be read. */
static bool take_line(struct verification *v, const struct input *input, seebatch_error *error)
{
    const size_t i = v->n;
    const struct record_fields *record = input_record(input);
    const struct suite_line *line = &v->lines[i];
    if (record != NULL ? !read_record(v, input, record, i, error) : !read_line(v, input, i, error))
        return false;
    if (!is_printable(v, line->position, error))
        return false;
    keep_text(v, line->position);
    v->files[i] = input->name;
    v->numbers[i] = input->line_number;
    v->n++;
    return true;
}

/* One move of a list, with its value, or its flag if there is a threshold; false, and why, if it cannot be read. The
 * position is NULL where only --lenient can read it. */
static bool take_move(struct verification *v, const struct input *input, const struct suite_list *list,
                      const seebatch_position *position, struct suite_text move, struct suite_text value,
                      seebatch_error *error)
{
    const struct options *options = v->options;
    const size_t i = v->n;
    struct suite_line *line = &v->lines[i];
    *line = (struct suite_line){.position = list->position, .move = move, .has_threshold = options->has_threshold};
    if (!suite_value(value, options->rules.value, &line->value, error))
        return false;
    if (options->has_threshold && line->value != 0 && line->value != 1) {
        snprintf(error->text, sizeof error->text, "the flag of %.*s is %d, expected 0 or 1 with --threshold",
                 (int)move.length, move.first, line->value);
        return false;
    }
    line->threshold = options->has_threshold ? options->threshold : (int16_t)0;
    line->reaches = line->value == 1;
    if (position != NULL &&
        seebatch_move_from_text(position, move.first, move.length, &v->moves[i], error) == SEEBATCH_OK) {
        v->positions[i] = *position;
    } else {
        if (!v->lenient || !lenient_read(&options->rules, line, &v->positions[i], &v->moves[i]))
            return false;
        v->unsound++;
    }
    keep_text(v, line->position);
    v->files[i] = input->name;
    v->numbers[i] = input->line_number;
    v->n++;
    if (v->n == BLOCK_LINES || v->text_offsets[v->n] >= BLOCK_TEXT)
        finish_block(v);
    return true;
}

static size_t words_in(struct suite_text text)
{
    struct suite_text word;
    size_t n = 0;
    while (suite_next_word(&text, &word))
        n++;
    return n;
}

/* A line with several moves. A wrong move or value is reported and counted by itself, and the others are checked. */
static void take_list(struct verification *v, struct input *input, struct suite_list list)
{
    seebatch_error error;
    seebatch_position position;
    struct suite_text move, value, moves = list.moves, values = list.values;
    const size_t n_moves = words_in(moves), n_values = words_in(values);
    if (n_moves != n_values) {
        input_error(input, "the line has %zu move%s and %zu value%s, expected a value for each move", n_moves,
                    plural(n_moves), n_values, plural(n_values));
        v->unreadable++;
        return;
    }
    const bool is_sound =
        seebatch_position_from_fen(list.position.first, list.position.length, &position, &error) == SEEBATCH_OK;
    if ((!is_sound && !v->lenient) || !is_printable(v, list.position, &error)) {
        input_error(input, "%s", error.text);
        v->unreadable++;
        return;
    }
    while (suite_next_word(&moves, &move) && suite_next_word(&values, &value)) {
        if (take_move(v, input, &list, is_sound ? &position : NULL, move, value, &error))
            continue;
        input_error(input, "%s", error.text);
        v->unreadable++;
    }
}

/* Adds the current line to the block, or reports and counts it. */
static void verify_line(struct verification *v, struct input *input)
{
    struct fields fields;
    struct suite_list list;
    seebatch_error error;
    const bool failed = input->failed;
    input->failed = false;
    const bool has_text = input_fields(input, &fields);
    if (has_text && input_record(input) == NULL && suite_list_read(input->line, input->line_length, &list)) {
        take_list(v, input, list);
        input->failed |= failed;
        return;
    }
    if (has_text && !take_line(v, input, &error))
        input_error(input, "%s", error.text);
    v->unreadable += input->failed;
    input->failed |= failed;
}

/* Returns whether all was well. */
static bool verify_file(struct verification *v, const char *name)
{
    struct input input;
    if (v->options->format == FORMAT_JSON && !seebatch_io_is_utf8(name, strlen(name))) {
        report("%s: the name of the file is not valid UTF-8, as JSON needs; expected UTF-8, or --format tsv", name);
        return false;
    }
    if (!input_open_any(&input, name, v->options))
        return false;
    while (input_next_line(&input)) {
        verify_line(v, &input);
        if (v->n == BLOCK_LINES || (v->n > 0 && v->text_offsets[v->n] >= BLOCK_TEXT) || input.interactive)
            finish_block(v);
        if (input.interactive)
            output_flush(&v->output);
    }
    v->unreadable += input.too_long;
    return !input_close(&input);
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

struct own_options {
    const char *suite;
    bool lenient, a8_first;
};

static void take_own(const char *command, int val, const char *argument, void *state)
{
    struct own_options *own = state;
    (void)command;
    if (val == VERIFY_SUITE)
        own->suite = argument;
    else if (val == VERIFY_A8_FIRST)
        own->a8_first = true;
    else
        own->lenient = true;
}

/* Ends the program where options do not go together. */
static void check_options(const char *command, const struct own_options *own, const struct options *options)
{
    const bool uci = options->notation == NOTATION_UCI;
    if (own->suite != NULL && (options->has_threshold || options->trace || !uci || options->from || own->lenient))
        usage_error(command, "%s",
                    "--suite was given with an option that it does not allow, expected it without --threshold, "
                    "--trace, --notation, --from and --lenient");
    if (own->a8_first && options->trace)
        usage_error(command, "%s", "--trace counts squares from a1, expected it without --a8-first");
    if (own->lenient && options->rules.pins == SEEBATCH_PINS_LEGAL)
        usage_error(command,
                    "--lenient: the rules %s need positions that can be played, expected other rules, such as swap",
                    options->rules_name);
    if (own->lenient && !uci)
        usage_error(command, "%s", "--lenient writes moves in UCI notation, expected it without --notation san");
}

/* Ends the program if a file's format has no place for what is verified. */
static void check_formats(const char *command, const struct options *options)
{
    seebatch_file_format format;
    for (int i = 0; i < options->n_operands; i++) {
        const char *name = options->operands[i];
        if (!input_has_records(name, options, &format) || (format.holds & NEEDED) == NEEDED)
            continue;
        usage_error(command, "%s: the format %s has no %s, expected a move and its value as the score", name,
                    format.name, format.holds & SEEBATCH_HAS_MOVE ? "score" : "move");
    }
}

static int run(int argc, char **argv)
{
    struct own_options own = {NULL, false, false};
    struct options options;
    options_parse(&verify_command, argc, argv, take_own, &own, &options);
    check_options(argv[0], &own, &options);
    if (own.suite != NULL)
        return verify_with_suite(argv[0], own.suite, own.a8_first, &options);

    struct verification *v = reallocate(NULL, 1, sizeof *v);
    memset(v, 0, sizeof *v);
    v->options = &options;
    v->lenient = own.lenient;
    v->a8_first = own.a8_first;

    bool well = true;
    options.tables_are_lines = true;
    options_read_input(argv[0], &options);
    check_formats(argv[0], &options);
    for (int i = 0; i < options.n_operands; i++)
        well &= verify_file(v, options.operands[i]);
    finish_block(v);
    well &= v->different == 0;
    print_summary(v);
    output_finish(&v->output);
    if (well && v->checked == 0) {
        report(
            "nothing was checked, because the input has no answers; expected lines of the form: position; move; value");
        well = false;
    }

    free(v->text);
    free(v);
    return well ? STATUS_OK : STATUS_ERROR;
}

const struct command verify_command = {
    .name = "verify",
    .summary = "compare an engine's values with a rule set",
    .about = "Compares exchange values from elsewhere, such as your engine's, with those of a rule set, and prints "
             "each difference: file and line, position, move, the value expected there, and the value here.",
    .operands = {"[FILE ...]"},
    .examples = {{"Confirm that the knight wins a pawn, because the piece that could recapture is pinned:",
                  "echo '4k3/4n3/8/3p4/8/2N5/8/4RK2 w - -; Nxd5; P' | seebatch verify"},
                 {"Check an engine's answers, and show the captures of each difference:",
                  "seebatch verify --rules stockfish --trace answers.txt"},
                 {"Check answers that say whether the value is at least 0:",
                  "seebatch verify --rules ethereal --threshold 0 flags.txt"}},
    .details = "A line of input has one of these forms; a | or a TAB may stand in place of the semicolon:\n  position; "
               "move; value\n  position; move; threshold; flag     (0, 1, false or true: whether the value is at least "
               "the threshold)\n  \"position\", \"move\", value\nA position is a FEN of four fields, or of six. Moves "
               "are in UCI notation or in "
               "SAN, and castling in UCI notation may also be written as king takes rook. Values are "
               "integers, or sums of pieces such as P - N + B, which count as the piece values say. Further fields, "
               "blank lines, and lines that begin with # are skipped. In files of records (of tables, only where "
               "--from says so) "
               "the score, as it stands in the file, is the value of the record's move. Without FILE, or for -, "
               "standard input is read. The last line of the output is a summary.",
    .options = option_rows,
    .status =
        "0 if everything is equal; 1 if something differs or could not be read, or if there was nothing to check; 2 if "
        "the command line is wrong.",
    .run = run,
};
