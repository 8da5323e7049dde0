/*
 * seebatch explain: one exchange as a person would work it out on paper. First the board, then the captures with the
 * swap list (what each side has won if the exchange ends there), then the negamax from the last capture to the first.
 */
#include <stdlib.h>
#include <string.h>

#include "tool.h"

static const struct option_row option_rows[] = {
    GROUP("Evaluation"), SHARED("rules"), SHARED("values"), GROUP("Output"), SHARED("notation"), {0},
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
    if (seebatch_position_from_fen(fen, strlen(fen), &position, &error) != SEEBATCH_OK) {
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
    .summary = "show one exchange, capture by capture",
    .about = "Shows the exchange that a move begins: the board, the captures one after another with their swap list, "
             "the pieces that may not capture and why, and how the value follows.",
    .operands = {"FEN MOVE"},
    .examples = {{"See why the knight should not take a pawn that is well defended; the last line says -225:",
                  "seebatch explain '1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -' d3e5"},
                 {"See what a rule set without pins makes of a recapture by a pinned knight:",
                  "seebatch explain --rules swap '4k3/4n3/8/3p4/8/2N5/8/4RK2 w - -' Nxd5"},
                 {"Use other piece values, and write moves in SAN:",
                  "seebatch explain --values 100,300,300,500,900 --notation san \\\n    "
                  "'1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -' Nxe5"}},
    .details = "FEN is one argument, so it needs quotes. MOVE is in UCI notation or in SAN. In the board the moving "
               "piece stands in ( ) and the square of the exchange in [ ].",
    .options = option_rows,
    .status = "0 if all is well; 1 if the position or the move is wrong; 2 if the command line is wrong.",
    .run = run,
};
