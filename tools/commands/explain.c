/*
 * seebatch explain: one exchange as a person would work it out on paper. First the board, then the captures with the
 * swap list (what each side has won if the exchange ends there), then the negamax from the last capture to the first.
 */
#include <stdlib.h>
#include <string.h>

#include "tool.h"

static const char about[] =
    "Shows the exchange that a move begins: the board, with the moving piece in ( ) and the square of the\n"
    "exchange in [ ], the captures one after another with the swap list, and how its value follows from it.\n"
    "FEN is one argument, in quotes; MOVE is in UCI notation or in SAN.\n";

static const char notes[] =
    "Exit status: 0 all well, 1 the position or the move is wrong, 2 bad usage.\n"
    "\n"
    "example: the knight takes a pawn that is defended too well; the last line says -225\n"
    "  seebatch explain --rules swap '1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -' d3e5\n";

static const struct option_row option_rows[] = {
    SHARED("rules"),
    SHARED("values"),
    SHARED("notation"),
    {0},
};

static void print_explanation(const struct options *options, const seebatch_position *position, seebatch_move move)
{
    static struct output output;
    const seebatch_rules *rules = &options->rules;
    const int16_t *v = rules->value;
    seebatch_trace trace;
    const struct move_text text = move_text(options->notation, position, move);

    seebatch_explain(rules, position, move, &trace);
    output_printf(&output, "Rules %s, values %d,%d,%d,%d,%d, %s moves %s\n\n", options->rules_name, v[0], v[1], v[2],
                  v[3], v[4], position->stm == SEEBATCH_WHITE ? "white" : "black", text.text);
    const size_t length = seebatch_trace_text(rules, position, move, &trace, NULL, 0);
    char *explanation = reallocate(NULL, length + 1, 1);
    seebatch_trace_text(rules, position, move, &trace, explanation, length + 1);
    output_bytes(&output, explanation, length);
    free(explanation);
    output_finish(&output);
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

static int run(int argc, char **argv)
{
    struct options options;
    options_parse(&explain_command, argc, argv, NULL, NULL, &options);
    if (options.n_operands != 2)
        usage_error(argv[0], "%d argument%s given, expected two: FEN (one argument, in quotes) and MOVE",
                    options.n_operands, options.n_operands == 1 ? " was" : "s were");

    const char *fen = options.operands[0], *text = options.operands[1];
    seebatch_position position;
    seebatch_move move;
    seebatch_error error;
    if (seebatch_position_from_fen(&position, fen, strlen(fen), &error) != SEEBATCH_OK) {
        report("position: %s", error.text);
        return STATUS_ERROR;
    }
    if (seebatch_move_from_text(&position, text, strlen(text), &move, &error) != SEEBATCH_OK) {
        report("move: %s", error.text);
        return STATUS_ERROR;
    }
    print_explanation(&options, &position, move);
    return STATUS_OK;
}

const struct command explain_command = {
    .name = "explain",
    .summary = "one exchange, capture by capture, as on paper",
    .operands = {"FEN MOVE"},
    .about = about,
    .options = option_rows,
    .notes = notes,
    .run = run,
};
