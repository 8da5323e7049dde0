/*
 * seebatch explain: one exchange as a person would work it out on paper. First the board, then the captures with the
 * swap list (what each side has won if the exchange ends there), then the negamax from the last capture to the first.
 */
#include <stdlib.h>
#include <string.h>

#include "tool.h"

static const char help[] =
    "usage: seebatch explain [OPTION ...] FEN MOVE\n"
    "\n"
    "Shows the exchange that a move begins: the board, with the moving piece in ( ) and the square of the\n"
    "exchange in [ ], the captures one after another with the swap list, and how its value follows from it.\n"
    "FEN is one argument, in quotes; MOVE is in UCI notation or in SAN.\n"
    "\n"
    "  --rules NAME        what an exchange is: see seebatch(1) (legal)\n"
    "  --values P,N,B,R,Q  piece values, integers from 0 to 3000 (100,325,325,500,1000)\n"
    "  --notation uci|san  how the move is written (uci)\n"
    "  -h, --help          this text\n"
    "\n"
    "Exit status: 0 all well, 1 the position or the move is wrong, 2 bad usage.\n"
    "\n"
    "example: the knight takes a pawn that is defended too well; the last line says -225\n"
    "  seebatch explain --rules swap '1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -' d3e5\n";

static const char *const color_names[2] = {"white", "black"};
static const char *const piece_names[7] = {"pawn", "knight", "bishop", "rook", "queen", "king", "nothing"};

/* "e4" for a square. */
struct square_name {
    char text[3];
};
static struct square_name name_of(int square)
{
    struct square_name name = {{(char)('a' + square % 8), (char)('1' + square / 8), '\0'}};
    return name;
}

/* ---- The board -------------------------------------------------------------------------------------------------- */

static char letter_on(const seebatch_position *position, int square)
{
    int type = seebatch_type_on(position, square);
    if (type == SEEBATCH_NO_PIECE)
        return '.';
    return (seebatch_color_on(position, square) == SEEBATCH_WHITE ? "PNBRQK" : "pnbrqk")[type];
}

static void print_board(struct output *output, const seebatch_position *position, seebatch_move move)
{
    static const char files[] = "     a  b  c  d  e  f  g  h\n";
    output_string(output, files);
    for (int rank = 7; rank >= 0; rank--) {
        output_printf(output, " %d  ", rank + 1);
        for (int square = rank * 8; square < rank * 8 + 8; square++) {
            const char *marks = square == seebatch_from(move) ? "()" : square == seebatch_to(move) ? "[]" : "  ";
            output_printf(output, "%c%c%c", marks[0], letter_on(position, square), marks[1]);
        }
        output_printf(output, "  %d\n", rank + 1);
    }
    output_string(output, files);
}

/* ---- Pieces that may not capture --------------------------------------------------------------------------------- */

static int king_of(const seebatch_position *position, int color)
{
    uint64_t king = seebatch_pieces_of_type(position, SEEBATCH_KING) & seebatch_pieces_of_color(position, color);
    int square = 0;
    while (square < 63 && !(king >> square & 1))
        square++;
    return square;
}

/* Whether the side's step before said the same of the piece already. */
static bool is_repeated(const seebatch_trace *trace, const seebatch_refusal *refusal)
{
    for (int i = 0; i < trace->n_refusals; i++) {
        const seebatch_refusal *earlier = &trace->refusal[i];
        if (earlier->step + 2 == refusal->step && earlier->from == refusal->from &&
            earlier->reason == refusal->reason && earlier->by == refusal->by)
            return true;
    }
    return false;
}

/* "the bishop on h3"; pieces that have not captured yet stand where they stood in the beginning. */
static void print_refusal(struct output *output, const seebatch_position *position, int to,
                          const seebatch_refusal *refusal)
{
    const char *by_piece = piece_names[seebatch_type_on(position, refusal->by)];
    const struct square_name by = name_of(refusal->by), king = name_of(king_of(position, refusal->color));
    output_printf(output, "       %s's %s on %s may not recapture: ", color_names[refusal->color],
                  piece_names[refusal->piece], name_of(refusal->from).text);
    switch (refusal->reason) {
    case SEEBATCH_REFUSED_OTHER_PIN:
        output_printf(output, "its pin has gone, but the %s on %s still pins another piece\n", by_piece, by.text);
        break;
    case SEEBATCH_REFUSED_IN_CHECK:
        output_printf(output, "the %s on %s gives check to the king on %s\n", by_piece, by.text, king.text);
        break;
    case SEEBATCH_REFUSED_GUARDED:
        output_printf(output, "the %s on %s guards %s\n", by_piece, by.text, name_of(to).text);
        break;
    default: output_printf(output, "it is pinned to the king on %s by the %s on %s\n", king.text, by_piece, by.text);
    }
}

/* The pieces that the rules hold back from a capture, each once as long as the reason stays the same. */
static void print_refusals(struct output *output, const seebatch_position *position, seebatch_move move,
                           const seebatch_trace *trace, int step)
{
    for (int i = 0; i < trace->n_refusals; i++) {
        const seebatch_refusal *refusal = &trace->refusal[i];
        if (refusal->step == step && !is_repeated(trace, refusal))
            print_refusal(output, position, seebatch_to(move), refusal);
    }
}

/* ---- The captures and the swap list ----------------------------------------------------------------------------- */

static int value_of(const seebatch_rules *rules, int type) { return type <= SEEBATCH_QUEEN ? rules->value[type] : 0; }

/* What the first move takes. */
static int first_victim(const seebatch_position *position, seebatch_move move)
{
    int from = seebatch_from(move), to = seebatch_to(move);
    bool en_passant = seebatch_type_on(position, from) == SEEBATCH_PAWN && from % 8 != to % 8 &&
                      seebatch_type_on(position, to) == SEEBATCH_NO_PIECE;
    return en_passant ? SEEBATCH_PAWN : seebatch_type_on(position, to);
}

/* A swap list entry with where it comes from: what is taken, what a promotion adds, less what the other side had. */
static void print_entry(struct output *output, int taken, int promoted, const int *before, int entry)
{
    if (promoted == 0 && before == NULL) {
        output_printf(output, "%d\n", entry);
        return;
    }
    output_printf(output, "%d", taken);
    if (promoted != 0)
        output_printf(output, " %c %d", promoted < 0 ? '-' : '+', abs(promoted));
    if (before != NULL)
        output_printf(output, " %c %d", *before < 0 ? '+' : '-', abs(*before));
    output_printf(output, " = %d\n", entry);
}

static void print_captures(struct output *output, const seebatch_rules *rules, const seebatch_position *position,
                           seebatch_move move, const seebatch_trace *trace)
{
    struct square_name to = name_of(seebatch_to(move));
    int victim = first_victim(position, move);

    if (rules->order == SEEBATCH_BEST_ORDER)
        output_string(output,
                      "Where a side has several captures, the best for it is shown, even if stopping is better.\n");
    output_printf(output, "The captures on %s, and the balance for the side that makes each, if it is the last:\n\n",
                  to.text);
    for (int i = 0; i < trace->length; i++) {
        const seebatch_capture *c = &trace->capture[i];
        char what[64];
        print_refusals(output, position, move, trace, i);
        int promoted = value_of(rules, c->stays) - value_of(rules, c->piece);
        snprintf(what, sizeof what, "%s %s%c%s takes %s%s%s%s", piece_names[c->piece], name_of(c->from).text,
                 victim == SEEBATCH_NO_PIECE ? '-' : 'x', to.text, piece_names[victim],
                 i == 0 && victim != seebatch_type_on(position, seebatch_to(move)) ? " en passant" : "",
                 c->stays != c->piece ? ", becomes " : "", c->stays != c->piece ? piece_names[c->stays] : "");
        output_printf(output, " %3d.  %s  %-42s ", i + 1, color_names[c->color], what);
        int before = i > 0 ? trace->capture[i - 1].gain : 0;
        print_entry(output, value_of(rules, victim), promoted, i > 0 ? &before : NULL, c->gain);
        victim = c->stays;
    }
    print_refusals(output, position, move, trace, trace->length);
    if (trace->has_next) {
        const seebatch_capture *last = &trace->capture[trace->length - 1];
        char what[64];
        snprintf(what, sizeof what, "if it could still take the %s", piece_names[victim]);
        output_printf(output, "(%3d.) %s  %-42s ", trace->length + 1, color_names[!last->color], what);
        int before = last->gain;
        print_entry(output, value_of(rules, victim), 0, &before, trace->next_gain);
    }
}

static void print_swap_list(struct output *output, const seebatch_trace *trace)
{
    output_string(output, "\nSwap list: ");
    for (int i = 0; i < trace->length; i++)
        output_printf(output, "%s%d", i > 0 ? ", " : "", trace->capture[i].gain);
    if (trace->has_next)
        output_printf(output, ", (%d)", trace->next_gain);
    output_string(output, "\n\n");
}

/* ---- The negamax ------------------------------------------------------------------------------------------------ */

/* After a capture the other side stops, which leaves it with minus the swap list entry, or goes on. */
static void print_fold(struct output *output, const seebatch_rules *rules, const seebatch_trace *trace)
{
    output_string(output,
                  "From the last capture back to the first, the other side stops or goes on, as is better:\n\n");
    for (int i = trace->length - 1; i >= 0; i--) {
        const seebatch_capture *c = &trace->capture[i];
        const char *mover = color_names[c->color], *other = color_names[!c->color];
        output_printf(output, " %3d.  ", i + 1);
        if (i < trace->length - 1) {
            int stop = -c->gain, go_on = trace->capture[i + 1].best;
            output_printf(output, "%s may stop with %d or go on for %d, and %s: ", other, stop, go_on,
                          go_on > stop ? "goes on" : "stops");
        } else if (c->piece == SEEBATCH_KING)
            output_string(output, "nobody takes a king: ");
        else if (rules->order == SEEBATCH_BEST_ORDER)
            output_printf(output, "%s has no legal recapture: ", other);
        else
            output_printf(output, "%s cannot recapture: ", other);
        output_printf(output, "%s has %d\n", mover, c->best);
    }
    output_string(output, "\n");
}

static void print_explanation(const struct options *options, const seebatch_position *position, seebatch_move move)
{
    static struct output output;
    const seebatch_rules *rules = &options->rules;
    const int16_t *v = rules->value;
    seebatch_trace trace;
    const struct move_text text = move_text(options->notation, position, move);

    seebatch_explain(rules, position, move, &trace);
    output_printf(&output, "Rules %s, values %d,%d,%d,%d,%d, %s moves %s\n\n", options->rules_name, v[0], v[1], v[2],
                  v[3], v[4], color_names[position->stm], text.text);
    print_board(&output, position, move);
    output_string(&output, "\n");
    if (trace.length == 0)
        output_string(&output, "Under these rules the move is worth 0, whatever could follow.\n\n");
    else {
        print_captures(&output, rules, position, move, &trace);
        print_swap_list(&output, &trace);
        print_fold(&output, rules, &trace);
    }
    output_printf(&output, "Value: %d\n", trace.value);
    output_finish(&output);
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

int explain_command(int argc, char **argv)
{
    struct options options;
    options_parse(argc, argv, OPTION_RULES | OPTION_VALUES | OPTION_NOTATION, help, FORMAT_TEXT, &options);
    if (options.n_operands != 2)
        usage_error(argv[0], "there are %d arguments, expected two: FEN (one argument, in quotes) and MOVE",
                    options.n_operands);

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
