/*
 * seebatch annotate: what the captures of a position are worth and what hangs in it, as further columns.
 */
#include <stdlib.h>

#include "pipeline/command_line.h"
#include "requests.h"

static const char help[] =
    "usage: seebatch annotate [OPTION ...] [FILE ...]\n"
    "\n"
    "Adds columns to positions. Tables (.csv, .tsv) and JSON lines (.jsonl) keep what they have and get the\n"
    "columns behind it; other files become TSV. Files are read as by seebatch filter.\n"
    "\n"
    "  --columns LIST        which of these, and in which order, separated by commas (all of them):\n"
    "                          best_capture   the legal capture of the highest value; of several the one that\n"
    "                                         comes first in the alphabet; nothing where there is no capture\n"
    "                          best_value     its value\n"
    "                          winning        how many captures have a value above 0\n"
    "                          equal          a value of 0\n"
    "                          losing         a value below 0\n"
    "                          passing        how many the rules let pass at any threshold: these are none of\n"
    "                                         the others. Without LIST there under such rules only\n"
    "                          hanging_white  what hangs of White: the sum, over White's pieces, of what Black\n"
    "                                         gets in an exchange there if it has the turn\n"
    "                          hanging_black  what hangs of Black\n" PIPELINE_OUTPUT_HELP PIPELINE_INPUT_HELP
    "  --rules NAME, --values P,N,B,R,Q, --kernel NAME  as in seebatch eval\n"
    "  -h, --help            this text\n"
    "\n"
    "Exit status: 0 all well, 1 something could not be read or written, 2 bad usage, or something would be lost.\n"
    "\n"
    "example: the rook wins the pawn on e5, which hangs; nothing of White does\n"
    "  echo '1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -' | seebatch annotate\n";

enum { ANNOTATE_COLUMNS = PIPELINE_OWN };

static const struct option own_options[] = {
    PIPELINE_INPUT_OPTIONS,
    PIPELINE_OUTPUT_OPTIONS,
    {"columns", required_argument, NULL, ANNOTATE_COLUMNS},
};

enum { BEST_CAPTURE, BEST_VALUE, WINNING, EQUAL, LOSING, PASSING, HANGING_WHITE, HANGING_BLACK, N_COLUMNS };

static const seebatch_column columns[N_COLUMNS] = {
    [BEST_CAPTURE] = {"best_capture", true},
    [BEST_VALUE] = {"best_value", false},
    [WINNING] = {"winning", false},
    [EQUAL] = {"equal", false},
    [LOSING] = {"losing", false},
    [PASSING] = {"passing", false},
    [HANGING_WHITE] = {"hanging_white", false},
    [HANGING_BLACK] = {"hanging_black", false},
};

struct annotation {
    struct pipeline_run run;
    seebatch_rules rules;
    struct annotator *annotators; /* one a thread */
    seebatch_column added[N_COLUMNS];
    int which[N_COLUMNS]; /* of columns[], in the order of the output */
    size_t n;
    bool chosen;  /* --columns was given */
    bool hanging; /* one of these columns is asked for */
};

/* What a thread needs. */
struct annotator {
    struct requests requests;
    int16_t *values;
    size_t values_capacity;
    int16_t maps[SEEBATCH_IO_BATCH][2][64];
};

/* What is added to one position. */
struct notes {
    char best[6];
    size_t best_length;
    int number[N_COLUMNS];
};

/* ---- Columns ---------------------------------------------------------------------------------------------------- */

static void add_column(struct annotation *annotation, int column)
{
    annotation->added[annotation->n] = columns[column];
    annotation->which[annotation->n++] = column;
    annotation->hanging |= column == HANGING_WHITE || column == HANGING_BLACK;
}

static void read_columns(const char *command, const char *list, struct annotation *annotation)
{
    annotation->chosen = true;
    annotation->n = 0;
    annotation->hanging = false;
    for (bool more = true; more;) {
        size_t length = strcspn(list, ",");
        int column = 0;
        while (column < N_COLUMNS &&
               (strlen(columns[column].name) != length || memcmp(columns[column].name, list, length) != 0))
            column++;
        if (column == N_COLUMNS)
            usage_error(
                command,
                "--columns: there is no column '%.*s', expected best_capture, best_value, winning, equal, losing, "
                "passing, hanging_white or hanging_black",
                (int)length, list);
        for (size_t i = 0; i < annotation->n; i++)
            if (annotation->which[i] == column)
                usage_error(command, "--columns: '%s' is named twice", columns[column].name);
        add_column(annotation, column);
        more = list[length] == ',';
        list += length + more;
    }
}

static void take_option(const char *command, int val, const char *argument, void *state)
{
    struct annotation *annotation = state;
    if (!pipeline_take(&annotation->run, val, argument))
        read_columns(command, argument, annotation);
}

/* ---- Positions -------------------------------------------------------------------------------------------------- */

static void note_captures(const struct annotator *annotator, size_t i, struct notes *notes)
{
    int best = INT16_MIN;
    for (size_t k = annotator->requests.offsets[i]; k < annotator->requests.offsets[i + 1]; k++) {
        char uci[6];
        const int value = annotator->values[k];
        const size_t length = seebatch_move_to_uci(annotator->requests.moves[k], uci);
        if (value == SEEBATCH_ALWAYS) {
            notes->number[PASSING]++;
            continue;
        }
        notes->number[value > 0 ? WINNING : value == 0 ? EQUAL : LOSING]++;
        if (value > best || (value == best && strcmp(uci, notes->best) < 0)) {
            best = value;
            notes->best_length = length;
            memcpy(notes->best, uci, sizeof uci);
        }
    }
    notes->number[BEST_VALUE] = best;
}

static int sum_of_map(const int16_t map[64])
{
    int sum = 0;
    for (int square = 0; square < 64; square++)
        sum += map[square];
    return sum;
}

static seebatch_io_status write_annotated(const struct annotation *annotation, seebatch_batch_of_file *batch, size_t i,
                                          const struct notes *notes)
{
    char room[N_COLUMNS][16];
    seebatch_cell cells[N_COLUMNS];
    for (size_t c = 0; c < annotation->n; c++) {
        const int column = annotation->which[c];
        cells[c] = (seebatch_cell){"", 0};
        if (column == BEST_CAPTURE) {
            cells[c] = (seebatch_cell){notes->best, notes->best_length};
        } else if (column != BEST_VALUE || notes->best_length > 0) {
            char *end = room[c] + sizeof room[c], *first = put_int(end, notes->number[column]);
            cells[c] = (seebatch_cell){first, (size_t)(end - first)};
        }
    }
    return seebatch_batch_write(batch, i, cells);
}

/* Values for n moves; false if there is no memory. */
static bool reserve_values(struct annotator *annotator, size_t n)
{
    if (annotator->values_capacity >= n)
        return true;
    int16_t *values = realloc(annotator->values, annotator->requests.capacity * sizeof *values);
    if (values == NULL)
        return false;
    annotator->values = values;
    annotator->values_capacity = annotator->requests.capacity;
    return true;
}

static seebatch_io_status annotate_batch(void *user, unsigned worker, seebatch_batch_of_file *batch,
                                         const seebatch_records *records)
{
    const struct annotation *annotation = user;
    struct annotator *annotator = &annotation->annotators[worker];
    struct requests *requests = &annotator->requests;
    seebatch_io_status status = SEEBATCH_IO_OK;
    if (!requests_of_captures(requests, records->positions, records->n, NULL, NULL) ||
        !reserve_values(annotator, requests->offsets[records->n]))
        return SEEBATCH_IO_NO_MEMORY;
    const seebatch_batch moves = requests_of_batch(requests, records->positions, records->n);
    seebatch_batch_values(&annotation->rules, &moves, annotator->values, NULL);
    if (annotation->hanging)
        seebatch_batch_maps(&annotation->rules, records->positions, records->n, annotator->maps, NULL);
    for (size_t i = 0; i < records->n && status == SEEBATCH_IO_OK; i++) {
        struct notes notes = {{0}, 0, {0}};
        note_captures(annotator, i, &notes);
        if (annotation->hanging) {
            notes.number[HANGING_WHITE] = sum_of_map(annotator->maps[i][SEEBATCH_BLACK]);
            notes.number[HANGING_BLACK] = sum_of_map(annotator->maps[i][SEEBATCH_WHITE]);
        }
        status = write_annotated(annotation, batch, i, &notes);
    }
    return status;
}

/* Whether the rules let captures pass at any threshold. */
static bool captures_may_pass(const seebatch_rules *rules)
{
    return rules->promotion == SEEBATCH_PROMOTION_ALWAYS || rules->en_passant == SEEBATCH_EN_PASSANT_ALWAYS;
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

/* Columns can be added to the output; where its format was not asked for, that of the first file, or TSV. */
static void choose_format(struct pipeline_run *run, const struct options *options)
{
    const char *first = options->n_operands > 0 ? options->operands[0] : "-";
    seebatch_file_format format;
    if (pipeline_has_target(run))
        return;
    const bool known = run->options.from != NULL ? seebatch_format_named(run->options.from, &format)
                                                 : seebatch_format_of_file(first, &format);
    run->options.to = known && format.columns ? format.name : "tsv";
}

static struct annotator *make_annotators(unsigned n)
{
    struct annotator *annotators = reallocate(NULL, n, sizeof *annotators);
    memset(annotators, 0, n * sizeof *annotators);
    return annotators;
}

static void free_annotators(struct annotator *annotators, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        free(annotators[i].requests.moves);
        free(annotators[i].values);
    }
    free(annotators);
}

int annotate_command(int argc, char **argv)
{
    struct options options;
    static struct annotation annotation;
    struct pipeline_run *run = &annotation.run;
    const struct more_options more = {
        own_options, sizeof own_options / sizeof own_options[0], take_option, &annotation, {PIPELINE_LOSE}};
    pipeline_begin(run, argv[0]);
    options_parse_more(argc, argv, OPTION_RULES | OPTION_VALUES | OPTION_KERNEL, &more, help, FORMAT_TSV, &options);
    for (int column = 0; !annotation.chosen && column < N_COLUMNS; column++)
        if (column != PASSING || captures_may_pass(&options.rules))
            add_column(&annotation, column);

    annotation.rules = options.rules;
    run->options.work = annotate_batch;
    run->options.columns = annotation.added;
    run->options.n_columns = annotation.n;
    choose_format(run, &options);
    pipeline_prepare(run, &options, true);
    annotation.annotators = make_annotators(run->options.threads);
    const int status = pipeline_run(run);
    free_annotators(annotation.annotators, run->options.threads);
    return status;
}
