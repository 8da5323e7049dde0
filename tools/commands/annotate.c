/*
 * seebatch annotate: what the captures of a position are worth and what hangs in it, as further columns.
 */
#include <stdlib.h>

#include "pipeline/command_line.h"
#include "pipeline/requests.h"

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

enum { BEST_CAPTURE, BEST_VALUE, WINNING, EQUAL, LOSING, HANGING_WHITE, HANGING_BLACK, N_COLUMNS };

static const struct column columns[N_COLUMNS] = {
    [BEST_CAPTURE] = {"best_capture", true},
    [BEST_VALUE] = {"best_value", false},
    [WINNING] = {"winning", false},
    [EQUAL] = {"equal", false},
    [LOSING] = {"losing", false},
    [HANGING_WHITE] = {"hanging_white", false},
    [HANGING_BLACK] = {"hanging_black", false},
};

struct annotation {
    struct pipeline_options options;
    seebatch_rules rules;
    struct pipeline pipeline;
    struct column added[N_COLUMNS];
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
    int16_t maps[BATCH_SIZE][2][64];
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
                "hanging_white or hanging_black",
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
    if (!pipeline_options_take(command, val, argument, &annotation->options))
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

static bool write_annotated(const struct annotation *annotation, struct block *block, const struct record *record,
                            const seebatch_position *position, const struct notes *notes)
{
    char room[N_COLUMNS][16];
    struct cell cells[N_COLUMNS];
    for (size_t c = 0; c < annotation->n; c++) {
        const int column = annotation->which[c];
        cells[c] = (struct cell){"", 0};
        if (column == BEST_CAPTURE)
            cells[c] = (struct cell){notes->best, notes->best_length};
        else if (column != BEST_VALUE || notes->best_length > 0)
            cells[c] = (struct cell){room[c], (size_t)snprintf(room[c], sizeof room[c], "%d", notes->number[column])};
    }
    return write_record(&annotation->pipeline.target, block, record, position, cells);
}

static bool annotate_batch(void *context, void *state, struct block *block, struct batch *batch)
{
    const struct annotation *annotation = context;
    struct annotator *annotator = state;
    const size_t n = requests_of_captures(&annotator->requests, batch, NULL);
    if (annotator->values_capacity < n) {
        annotator->values_capacity = annotator->requests.capacity;
        annotator->values = reallocate(annotator->values, annotator->values_capacity, sizeof *annotator->values);
    }
    const seebatch_batch requests = requests_of_batch(&annotator->requests, batch);
    seebatch_batch_values(&annotation->rules, &requests, annotator->values, NULL);
    if (annotation->hanging)
        seebatch_batch_maps(&annotation->rules, batch->positions, batch->n, annotator->maps, NULL);
    for (size_t i = 0; i < batch->n; i++) {
        struct notes notes = {{0}, 0, {0}};
        note_captures(annotator, i, &notes);
        if (annotation->hanging) {
            notes.number[HANGING_WHITE] = sum_of_map(annotator->maps[i][SEEBATCH_BLACK]);
            notes.number[HANGING_BLACK] = sum_of_map(annotator->maps[i][SEEBATCH_WHITE]);
        }
        if (!write_annotated(annotation, block, &batch->records[i], &batch->positions[i], &notes) &&
            (block->refused || annotation->options.strict))
            return false;
    }
    return true;
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

/* Columns can be added to the output; where its format was not asked for, that of the first file, or TSV. */
static void choose_format(const char *command, struct pipeline *pipeline)
{
    struct target *target = &pipeline->target;
    if (target->format == NULL) {
        const struct file_format *first = pipeline->from != NULL ? pipeline->from : format_of_file(pipeline->names[0]);
        target->format = first != NULL && first->any_columns ? first : &tsv_format;
    }
    if (!target->format->any_columns)
        usage_error(command, "the format %s has no place for columns, expected csv, tsv or jsonl",
                    target->format->name);
}

static void **make_annotators(int n)
{
    void **annotators = reallocate(NULL, (size_t)n, sizeof *annotators);
    for (int i = 0; i < n; i++) {
        annotators[i] = reallocate(NULL, 1, sizeof(struct annotator));
        memset(annotators[i], 0, sizeof(struct annotator));
    }
    return annotators;
}

static void free_annotators(void **annotators, int n)
{
    for (int i = 0; i < n; i++) {
        struct annotator *annotator = annotators[i];
        free(annotator->requests.moves);
        free(annotator->values);
        free(annotator);
    }
    free(annotators);
}

int annotate_command(int argc, char **argv)
{
    struct options options;
    static struct annotation annotation;
    const struct more_options more = {
        own_options, sizeof own_options / sizeof own_options[0], take_option, &annotation, {PIPELINE_LOSE}};
    pipeline_options_begin(&annotation.options);
    options_parse_more(argc, argv, OPTION_RULES | OPTION_VALUES | OPTION_KERNEL, &more, help, FORMAT_TSV, &options);
    for (int column = 0; !annotation.chosen && column < N_COLUMNS; column++)
        add_column(&annotation, column);

    struct pipeline *pipeline = &annotation.pipeline;
    annotation.rules = options.rules;
    pipeline->verb = "written";
    pipeline->work = annotate_batch;
    pipeline->context = &annotation;
    pipeline->target.added = annotation.added;
    pipeline->target.n_added = annotation.n;
    pipeline_prepare(pipeline, argv[0], &annotation.options, &options);
    choose_format(argv[0], pipeline);
    pipeline->states = make_annotators(pipeline->threads);
    int status = pipeline_write(pipeline, &annotation.options);
    if (status == STATUS_OK) /* otherwise a thread may still be at work */
        free_annotators(pipeline->states, pipeline->threads);
    return status;
}
