/*
 * seebatch eval: the values of moves, for a stream of positions of any length in constant memory.
 *
 * Lines are gathered into a block of some thousand positions with their moves; a block is evaluated by one call of the
 * library, which is what makes lanes worth their while, and printed in the order of the input. Errors are reported as
 * they are found, before the rows of their block are printed.
 */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "tool.h"

static const struct option_row option_rows[] = {
    GROUP("Input"),
    SHARED("from"),
    SHARED("moves"),
    GROUP("Evaluation"),
    SHARED("rules"),
    SHARED("values"),
    {"threshold", "T", OPTION_THRESHOLD, 0, "prints 1 if the value is at least T, and 0 if not, instead of the value",
     "Prints 1 if the value is at least *T*, an integer from -32768 to 32767, and 0 if not, instead "
     "of the value.",
     NULL},
    SHARED("kernel"),
    GROUP("Output"),
    SHARED("notation"),
    {"format", "tsv|json", OPTION_FORMAT, 0,
     "rows separated by TABs, or a JSON object on each line with position, move, and value or ge", "See `OUTPUT`.",
     "tsv"},
    {0},
};

/* A block is evaluated when it has this many positions, moves or bytes of text. */
enum { BLOCK_POSITIONS = 4096, BLOCK_MOVES = 16384, BLOCK_TEXT = 1 << 20 };

/* What stands around the three parts of a row, and how an answer to a threshold is written. */
struct row_words {
    const char *before_position, *before_move, *before_answer, *end;
    const char *no, *yes;
};
static const struct row_words tsv_words = {"", "\t", "\t", "\n", "0", "1"};
static const struct row_words json_value_words = {
    "{\"position\": ", ", \"move\": \"", "\", \"value\": ", "}\n", NULL, NULL};
static const struct row_words json_ge_words = {
    "{\"position\": ", ", \"move\": \"", "\", \"ge\": ", "}\n", "false", "true"};

struct evaluation {
    const struct options *options;
    const struct row_words *words;

    /* A block. Position i has the moves from offsets[i] on, and its text, ready to print, from text_offsets[i] on. */
    size_t n_positions;
    seebatch_position positions[BLOCK_POSITIONS];
    size_t offsets[BLOCK_POSITIONS + 1];
    size_t text_offsets[BLOCK_POSITIONS + 1];
    struct move_list list;
    int16_t *values; /* or the mask */
    uint64_t *mask;
    size_t answers_capacity;
    char *text;
    size_t text_capacity;

    struct output output;
};

/* ---- The answers of a block ------------------------------------------------------------------------------------- */

static void print_row(struct evaluation *e, size_t position, size_t move)
{
    const struct row_words *words = e->words;
    struct move_text text = move_text(e->options->notation, &e->positions[position], e->list.moves[move]);

    output_string(&e->output, words->before_position);
    output_bytes(&e->output, e->text + e->text_offsets[position],
                 e->text_offsets[position + 1] - e->text_offsets[position]);
    output_string(&e->output, words->before_move);
    output_string(&e->output, text.text);
    output_string(&e->output, words->before_answer);
    if (e->options->has_threshold)
        output_string(&e->output, e->mask[move / 64] >> move % 64 & 1 ? words->yes : words->no);
    else
        output_int(&e->output, e->values[move]);
    output_string(&e->output, words->end);
}

/* Room for the answers to all moves of the block. */
static void reserve_answers(struct evaluation *e)
{
    if (e->answers_capacity >= e->list.count)
        return;
    e->answers_capacity = e->list.capacity;
    e->values = reallocate(e->values, e->answers_capacity, sizeof *e->values);
    e->mask = reallocate(e->mask, SEEBATCH_MASK_WORDS(e->answers_capacity), sizeof *e->mask);
}

/* Evaluates and prints the block, and empties it. */
static void finish_block(struct evaluation *e)
{
    const struct options *options = e->options;
    reserve_answers(e);
    const seebatch_batch batch = {
        .positions = e->positions, .n_positions = e->n_positions, .offsets = e->offsets, .moves = e->list.moves};
    if (options->has_threshold)
        seebatch_batch_ge_mask(&options->rules, &batch, options->threshold, e->mask, NULL);
    else
        seebatch_batch_values(&options->rules, &batch, e->values, NULL);
    for (size_t i = 0; i < e->n_positions; i++)
        for (size_t k = e->offsets[i]; k < e->offsets[i + 1]; k++)
            print_row(e, i, k);
    e->n_positions = 0;
    e->list.count = 0;
}

/* ---- The filling of a block ------------------------------------------------------------------------------------- */

static void reserve_text(struct evaluation *e, size_t n)
{
    if (n <= e->text_capacity)
        return;
    e->text_capacity = n + n / 2;
    e->text = reallocate(e->text, e->text_capacity, 1);
}

/* The text of a position as a JSON string, with its quotes, from first on; false if it is not UTF-8. */
static bool take_json_text(struct evaluation *e, const struct fields *fields, size_t first, size_t *end)
{
    json_t *string = json_stringn(fields->position, fields->position_length);
    if (string == NULL)
        return false;
    size_t length = json_dumpb(string, NULL, 0, JSON_ENCODE_ANY);
    reserve_text(e, first + length);
    json_dumpb(string, e->text + first, length, JSON_ENCODE_ANY);
    json_decref(string);
    *end = first + length;
    return true;
}

static void take_tsv_text(struct evaluation *e, const struct fields *fields, size_t first, size_t *end)
{
    reserve_text(e, first + fields->position_length);
    memcpy(e->text + first, fields->position, fields->position_length);
    *end = first + fields->position_length;
}

/* Appends the position and the moves of a line to the block, if there is anything to evaluate in it. */
static void take_line(struct evaluation *e, struct input *input, const struct fields *fields)
{
    size_t i = e->n_positions;
    seebatch_position *position = &e->positions[i];
    seebatch_error error;
    if (!input_position(input, fields, position, &error)) {
        input_error(input, "%s", error.text);
        return;
    }
    e->list.count = e->offsets[i]; /* without those of a line that was given up */
    input_moves(input, fields, position, e->options, &e->list);
    e->offsets[i + 1] = e->list.count;
    if (e->offsets[i + 1] == e->offsets[i])
        return;
    if (e->options->format == FORMAT_TSV)
        take_tsv_text(e, fields, e->text_offsets[i], &e->text_offsets[i + 1]);
    else if (!take_json_text(e, fields, e->text_offsets[i], &e->text_offsets[i + 1])) {
        input_error(input, "the position is not valid UTF-8, as JSON needs; expected UTF-8, or --format tsv");
        return;
    }
    e->n_positions++;
}

static bool block_is_full(const struct evaluation *e)
{
    size_t n = e->n_positions;
    return n == BLOCK_POSITIONS || e->offsets[n] >= BLOCK_MOVES || e->text_offsets[n] >= BLOCK_TEXT;
}

/* Returns whether all was well. */
static bool evaluate_file(struct evaluation *e, const char *name)
{
    struct input input;
    struct fields fields;
    if (!input_open_any(&input, name, e->options))
        return false;
    while (input_next_line(&input)) {
        if (input_fields(&input, &fields))
            take_line(e, &input, &fields);
        if (block_is_full(e) || input.interactive)
            finish_block(e);
        if (input.interactive)
            output_flush(&e->output);
    }
    return !input_close(&input);
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

static int run(int argc, char **argv)
{
    struct options options;
    options_parse(&eval_command, argc, argv, NULL, NULL, &options);

    struct evaluation *e = reallocate(NULL, 1, sizeof *e);
    memset(e, 0, sizeof *e);
    e->options = &options;
    e->words = options.format == FORMAT_TSV ? &tsv_words : options.has_threshold ? &json_ge_words : &json_value_words;

    bool well = true;
    options_read_input(argv[0], &options);
    for (int i = 0; i < options.n_operands; i++)
        well &= evaluate_file(e, options.operands[i]);
    finish_block(e);
    output_finish(&e->output);

    free(e->list.moves);
    free(e->values);
    free(e->mask);
    free(e->text);
    free(e);
    return well ? STATUS_OK : STATUS_ERROR;
}

const struct command eval_command = {
    .name = "eval",
    .summary = "print the value of each capture, or of each move",
    .about = "Prints what each move wins or loses if both sides go on capturing on its square: the position as it was "
             "given, the move, and the value for the side that moves, separated by TABs.",
    .operands = {"[FILE ...]"},
    .examples =
        {{"Evaluate the captures of a position; here the rook takes an undefended pawn:",
          "echo '1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -' | seebatch eval --rules swap"},
         {"Evaluate one move by Stockfish's rules:",
          "printf '%s\\t%s\\n' '1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -' Nxe5 |\n    seebatch eval "
          "--rules stockfish"},
         {"Mark each legal move in a file that loses no more than half a pawn (1 or 0):",
          "seebatch eval --moves all --threshold -50 positions.fen"}},
    .details = "A line of input is a position in FEN or EPD, then optionally a TAB and moves in UCI notation or in "
               "SAN; without moves, all legal captures are evaluated, or with --moves all, all legal moves. Blank "
               "lines and lines that begin with # are skipped. Files of every format that seebatch filter reads are "
               "read, too, by their names or --from: the record's own move is evaluated, unless --moves is given. "
               "Without FILE, or for -, standard input is read.",
    .options = option_rows,
    .status =
        "0 if all is well; 1 if something could not be read, evaluated or written; 2 if the command line is wrong.",
    .run = run,
};
