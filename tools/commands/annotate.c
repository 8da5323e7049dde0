/*
 * seebatch annotate: what the captures of a position are worth and what hangs in it, as further columns.
 */
#include <stdlib.h>

#include "hanging.h"
#include "pipeline/command_line.h"
#include "pipeline/write_rows.h"

enum { ANNOTATE_COLUMNS = OPTION_OWN };

enum { BEST_CAPTURE, BEST_VALUE, WINNING, EQUAL, LOSING, PASSING, HANGING_WHITE, HANGING_BLACK, N_COLUMNS };

static const struct {
    seebatch_column column;
    const char *what;
} columns[N_COLUMNS] = {
    [BEST_CAPTURE] = {{"best_capture", true},
                      "the legal capture of the highest value; of several the one that comes first in the alphabet; "
                      "nothing where there is no capture"},
    [BEST_VALUE] = {{"best_value", false}, "its value"},
    [WINNING] = {{"winning", false}, "how many captures have a value above 0"},
    [EQUAL] = {{"equal", false}, "a value of 0"},
    [LOSING] = {{"losing", false}, "a value below 0"},
    [PASSING] = {{"passing", false},
                 "how many the rules let pass at any threshold: these are none of the others. Without LIST there under "
                 "such rules only"},
    [HANGING_WHITE] =
        {{"hanging_white", false},
         "what hangs of White: the sum, over White's pieces, of what Black gets in an exchange there if it "
         "has the turn"},
    [HANGING_BLACK] = {{"hanging_black", false}, "what hangs of Black"},
};

static void list_columns(struct output *output)
{
    output_string(output, "\nColumns:\n");
    for (int i = 0; i < N_COLUMNS; i++)
        help_row(output, columns[i].column.name, columns[i].what);
}

static const struct option_row option_rows[] = {
    GROUP("Columns"),
    {"columns", "LIST", ANNOTATE_COLUMNS, 0, "which of the columns below are added, in this order, separated by commas",
     "The columns to add, separated by commas, in the order of the output; see `COLUMNS`.", "all"},
    PIPELINE_OUTPUT_OPTIONS,
    PIPELINE_INPUT_OPTIONS,
    EVALUATION_OPTIONS,
    PIPELINE_RUN_OPTIONS,
    {0},
};

struct annotation {
    struct pipeline_run run;
    seebatch_rules rules;
    struct annotator *annotators; /* one a thread */
    seebatch_column added[N_COLUMNS];
    int which[N_COLUMNS]; /* of columns[], in the order of the output */
    size_t n;
    bool chosen;     /* --columns was given */
    bool hanging[2]; /* what that side gets is asked for */
};

/* What a thread needs. */
struct annotator {
    struct captures captures;
    struct hanging hanging;
    int sums[SEEBATCH_IO_BATCH][2];
    uint32_t best[SEEBATCH_IO_BATCH];      /* the key of the best capture, or 0 */
    uint8_t numbers[SEEBATCH_IO_BATCH][4]; /* of captures: WINNING, EQUAL, LOSING, PASSING */
};

/* ---- Columns ---------------------------------------------------------------------------------------------------- */

static void add_column(struct annotation *annotation, int column)
{
    annotation->added[annotation->n] = columns[column].column;
    annotation->which[annotation->n++] = column;
    annotation->hanging[SEEBATCH_BLACK] |= column == HANGING_WHITE;
    annotation->hanging[SEEBATCH_WHITE] |= column == HANGING_BLACK;
}

static _Noreturn void no_such_column(const char *command, const char *name, int length)
{
    char names[256] = "";
    for (int i = 0; i < N_COLUMNS; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i > 0 ? ", " : "",
                 columns[i].column.name);
    usage_error(command, "--columns: there is no column '%.*s', expected one of %s", length, name, names);
}

static void read_columns(const char *command, const char *list, struct annotation *annotation)
{
    annotation->chosen = true;
    annotation->n = 0;
    annotation->hanging[SEEBATCH_WHITE] = annotation->hanging[SEEBATCH_BLACK] = false;
    for (bool more = true; more;) {
        size_t length = strcspn(list, ",");
        int column = 0;
        while (column < N_COLUMNS && (strlen(columns[column].column.name) != length ||
                                      memcmp(columns[column].column.name, list, length) != 0))
            column++;
        if (column == N_COLUMNS)
            no_such_column(command, list, (int)length);
        for (size_t i = 0; i < annotation->n; i++)
            if (annotation->which[i] == column)
                usage_error(command, "--columns: '%s' is named twice", columns[column].column.name);
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

/* Returns the place of q, r, b, n and none in the alphabet. What has a place stands in that place. */
static unsigned place_of_promotion(unsigned promotion) { return 034120u >> 3 * promotion & 7; }

/* Puts the files and ranks of a move's squares in the other order, with the file of the first square first, and
 * back. */
static unsigned swapped(unsigned squares)
{
    const unsigned pairs = (squares & 00707) << 3 | (squares >> 3 & 00707);
    return (pairs & 077) << 6 | pairs >> 6;
}

/* Makes a number of a capture: the greater the value, the greater the key, and among equal values the earlier its text
 * stands in the alphabet. */
static uint32_t key_of_capture(seebatch_move move, int value)
{
    const unsigned text = swapped(move & 07777u) << 3 | place_of_promotion((unsigned)seebatch_promotion(move));
    return (uint32_t)(value - INT16_MIN) << 16 | (UINT16_MAX - text);
}

/* The best captures of n positions and how many of each kind they have, in one loop over all captures: how many a
 * position has cannot be guessed. */
static void note_captures(struct annotator *annotator, size_t n)
{
    const struct captures *captures = &annotator->captures;
    memset(annotator->best, 0, n * sizeof *annotator->best);
    memset(annotator->numbers, 0, n * sizeof *annotator->numbers);
    for (size_t k = 0; k < captures->queries.offsets[n]; k++) {
        const int value = captures->values[k];
        const bool passing = value == SEEBATCH_ALWAYS;
        const uint32_t key = passing ? 0 : key_of_capture(captures->queries.moves[k], value);
        uint32_t *best = &annotator->best[captures->owners[k]];
        annotator->numbers[captures->owners[k]][passing ? PASSING - WINNING : (value <= 0) + (value < 0)]++;
        *best = key > *best ? key : *best;
    }
}

/* Numbers of up to three digits as cells, from -MOST to MOST, and after them an empty one; filled before the run
 * begins. */
enum { MOST = 999, NONE = MOST + 1 };
static struct short_cell numbers[MOST + NONE + 1];

/* Writes a number of up to seven characters. */
static void print_number(struct short_cell *cell, int number)
{
    char room[16], *end = room + sizeof room, *first = seebatch_io_put_int(end, number);
    cell->length = (uint8_t)(end - first);
    memcpy(cell->text, first, cell->length);
}

static void fill_numbers(void)
{
    for (int number = -MOST; number <= MOST; number++)
        print_number(&numbers[number + MOST], number);
}

static inline void put_number(struct short_cell *cell, int number)
{
    const unsigned index = (unsigned)number + MOST;
    if (__builtin_expect(index <= 2 * MOST, 1))
        *cell = numbers[index];
    else
        print_number(cell, number);
}

/* Writes the value of the best capture, by its key. */
static inline void put_value(struct short_cell *cell, uint32_t key)
{
    if (key != 0)
        put_number(cell, (int)(key >> 16) + INT16_MIN);
    else
        *cell = numbers[MOST + NONE];
}

/* Its move. Nobody can guess whether there is one. */
static inline void put_move(struct short_cell *cell, uint32_t key)
{
    static const char promotions[8] = {0, 'b', 'n', 'q', 'r'}; /* in the order of the alphabet */
    const unsigned text = UINT16_MAX - (key & UINT16_MAX), promotion = text & 7;
    cell->text[0] = (char)('a' + (text >> 12 & 7));
    cell->text[1] = (char)('1' + (text >> 9 & 7));
    cell->text[2] = (char)('a' + (text >> 6 & 7));
    cell->text[3] = (char)('1' + (text >> 3 & 7));
    cell->text[4] = promotions[promotion];
    cell->length = (uint8_t)((4 + (promotion != 0)) & -(key != 0));
}

/* Fills the cells of one column, `step` apart. */
static void fill_column(const struct annotator *annotator, int column, size_t first, size_t n, struct short_cell *cells,
                        size_t step)
{
    const int side = column == HANGING_WHITE ? SEEBATCH_BLACK : SEEBATCH_WHITE; /* that captures */
    for (size_t i = first; i < first + n; i++, cells += step) {
        if (column == BEST_CAPTURE)
            put_move(cells, annotator->best[i]);
        else if (column == BEST_VALUE)
            put_value(cells, annotator->best[i]);
        else
            put_number(cells, column <= PASSING ? annotator->numbers[i][column - WINNING] : annotator->sums[i][side]);
    }
}

static seebatch_io_status annotate_batch(void *user, unsigned worker, seebatch_batch_of_file *batch,
                                         const seebatch_records *records)
{
    const struct annotation *annotation = user;
    struct annotator *annotator = &annotation->annotators[worker];
    const bool hanging = annotation->hanging[SEEBATCH_WHITE] || annotation->hanging[SEEBATCH_BLACK];
    seebatch_io_status status = SEEBATCH_IO_OK;
    enum { AT_ONCE = 64 };
    if (!captures_evaluate(&annotator->captures, &annotation->rules, records->positions, records->n, NULL) ||
        (hanging && !hanging_sums(&annotator->hanging, &annotation->rules, records->positions, records->n,
                                  &annotator->captures, annotation->hanging, annotator->sums)))
        return SEEBATCH_IO_NO_MEMORY;
    note_captures(annotator, records->n);
    for (size_t first = 0; first < records->n && status == SEEBATCH_IO_OK; first += AT_ONCE) {
        struct short_cell cells[AT_ONCE * N_COLUMNS];
        const size_t n = records->n - first < AT_ONCE ? records->n - first : AT_ONCE;
        for (size_t c = 0; c < annotation->n; c++)
            fill_column(annotator, annotation->which[c], first, n, cells + c, annotation->n);
        status = seebatch_io_batch_write_rows(batch, first, n, cells);
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
    const bool known =
        options->from != NULL ? seebatch_format_named(options->from, &format) : seebatch_format_of_file(first, &format);
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
        captures_free(&annotators[i].captures);
        captures_free(&annotators[i].hanging.replies);
    }
    free(annotators);
}

static int run_command(int argc, char **argv)
{
    struct options options;
    static struct annotation annotation;
    struct pipeline_run *run = &annotation.run;
    pipeline_begin(run, argv[0]);
    options_parse(&annotate_command, argc, argv, take_option, &annotation, &options);
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
    fill_numbers();
    const int status = pipeline_run(run);
    free_annotators(annotation.annotators, run->options.threads);
    return status;
}

const struct command annotate_command = {
    .name = "annotate",
    .summary = "add the best capture, counts and what hangs as columns",
    .about = "Adds columns to positions: the best capture and its value, how many captures win, are equal or lose, and "
             "what hangs.",
    .operands = {"[FILE ...]"},
    .examples = {{"Annotate one position: the rook wins the pawn on e5, which hangs, and nothing of White does:",
                  "echo '1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -' | seebatch annotate"},
                 {"Add two columns to a table:",
                  "seebatch annotate --columns best_capture,best_value games.csv --output annotated.csv"},
                 {"Turn training data into an annotated table, by Stockfish's rules:",
                  "seebatch annotate --rules stockfish games.binpack --output games.tsv.zst"}},
    .details =
        "Tables (.csv, .tsv) and JSON lines (.jsonl) keep what they have and get the columns after it; other files "
        "become TSV. Files are read as by seebatch filter. Without FILE, or for -, standard input is read.",
    .options = option_rows,
    .lists = list_columns,
    .status = "0 if all is well; 1 if something could not be read or written; 2 if the command line is wrong or "
              "something would be lost.",
    .run = run_command,
};
