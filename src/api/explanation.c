/*
 * Writes a trace as text for people: the board, the captures with the swap list and the pieces that may not capture,
 * and the negamax from the last capture to the first. scalar/explain.c finds what is written here.
 */
#include "board/position.h"
#include "sentence.h"

#include <assert.h>
#include <stdlib.h>

/* ---- The text --------------------------------------------------------------------------------------------------- */

enum { ALL_LINES = -1 };

/* Counts every character, and keeps as many as there is room for. It keeps all lines or a single one. */
struct writer {
    char *text;
    size_t size, length;
    size_t line, wanted; /* the number of the line that is written, and of the one that is kept, or ALL_LINES */
};

static void add_char(struct writer *w, char c)
{
    const bool all = w->wanted == (size_t)ALL_LINES;
    if (all || (w->line == w->wanted && c != '\n')) {
        if (w->length + 1 < w->size)
            w->text[w->length] = c;
        w->length++;
    }
    w->line += c == '\n';
}

static void put_text(struct writer *w, const char *text)
{
    while (*text)
        add_char(w, *text++);
}

static void put_formatted(struct writer *w, const char *format, ...) SEE_FORMAT(2);

static void put_formatted(struct writer *w, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    const size_t length = seebatch_format_list(text, sizeof text, format, arguments);
    va_end(arguments);
    assert(length < sizeof text), (void)length;
    put_text(w, text);
}

/* These write in columns: a number at the right end of three characters, and a text at the left end of so many. */
static void add_number(struct writer *w, int number)
{
    put_text(w, number < 10 ? "  " : number < 100 ? " " : "");
    put_formatted(w, "%d", number);
}

static void put_column(struct writer *w, const char *text, size_t width)
{
    size_t n = 0;
    for (; text[n]; n++)
        add_char(w, text[n]);
    for (; n < width; n++)
        add_char(w, ' ');
}

/* The arguments of seebatch_trace_text(), which the lines describe. */
struct subject {
    const seebatch_rules *rules;
    const seebatch_position *position;
    seebatch_move move;
    const seebatch_trace *trace;
};

static const char *const color_names[2] = {"white", "black"};
static const char *const piece_names[7] = {"pawn", "knight", "bishop", "rook", "queen", "king", "nothing"};

/* Writes a square, such as "e4". */
struct square_name {
    char text[3];
};
static struct square_name name_of(int square)
{
    const struct square_name name = {{(char)('a' + square % 8), (char)('1' + square / 8), '\0'}};
    return name;
}

/* ---- The board -------------------------------------------------------------------------------------------------- */

static char letter_on(const seebatch_position *position, int square)
{
    const int type = seebatch_type_on(position, square);
    if (type == SEEBATCH_NO_PIECE)
        return '.';
    return (seebatch_color_on(position, square) == SEEBATCH_WHITE ? "PNBRQK" : "pnbrqk")[type];
}

static void put_board(struct writer *w, const struct subject *s)
{
    static const char files[] = "     a  b  c  d  e  f  g  h\n";
    put_text(w, files);
    for (int rank = 7; rank >= 0; rank--) {
        put_formatted(w, " %d  ", rank + 1);
        for (int square = rank * 8; square < rank * 8 + 8; square++) {
            const char *marks = square == seebatch_from(s->move) ? "()" : square == seebatch_to(s->move) ? "[]" : "  ";
            add_char(w, marks[0]);
            add_char(w, letter_on(s->position, square));
            add_char(w, marks[1]);
        }
        put_formatted(w, "  %d\n", rank + 1);
    }
    put_text(w, files);
}

/* ---- Pieces that may not capture -------------------------------------------------------------------------------- */

/* Whether the previous step of this side already gave the same reason for the piece. */
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

static struct square_name king_of(const seebatch_position *position, int color)
{
    const uint64_t kings = pieces_of(position, color, SEEBATCH_KING);
    return name_of(kings ? lowest_square(kings) : 63);
}

/* Writes a piece, such as "the bishop on h3". Pieces that have not captured yet stand where they stood in the
 * beginning. */
static void put_refusal(struct writer *w, const struct subject *s, const seebatch_refusal *refusal)
{
    const char *by_piece = piece_names[seebatch_type_on(s->position, refusal->by)];
    const struct square_name by = name_of(refusal->by), king = king_of(s->position, refusal->color);
    put_formatted(w, "       %s's %s on %s may not recapture: ", color_names[refusal->color],
                  piece_names[refusal->piece], name_of(refusal->from).text);
    switch (refusal->reason) {
    /* Made by scripts/manual: refusals */
    /* clang-format off */
    case SEEBATCH_REFUSED_PIN_RULE:
    case SEEBATCH_REFUSED_PINNED:
    case SEEBATCH_REFUSED_OFF_PIN:
        put_formatted(w, "it is pinned to the king on %s by the %s on %s\n", king.text, by_piece, by.text);
        break;
    case SEEBATCH_REFUSED_OTHER_PIN:
    case SEEBATCH_REFUSED_OTHER_PINNER:
        put_formatted(w, "its pin has gone, but the %s on %s still pins another piece\n", by_piece, by.text);
        break;
    case SEEBATCH_REFUSED_IN_CHECK:
        put_formatted(w, "the %s on %s gives check to the king on %s\n", by_piece, by.text, king.text);
        break;
    case SEEBATCH_REFUSED_GUARDED:
        put_formatted(w, "the %s on %s guards %s\n", by_piece, by.text, name_of(seebatch_to(s->move)).text);
        break;
    case SEEBATCH_REFUSED_PINNER_LEFT:
        put_formatted(w, "it stays pinned, though the %s has left %s\n", by_piece, by.text);
        break;
    case SEEBATCH_REFUSED_BEFORE_ENEMY:
        put_formatted(w, "it stands between the king on %s and the %s on %s\n", king_of(s->position, !refusal->color).text, by_piece, by.text);
        break;
    /* clang-format on */
    /* Up to here by scripts/manual. */
    default: assert(false); /* seebatch_explain() gives no other reason */
    }
}

/* Lists the pieces that the rules hold back from a capture, each once as long as the reason stays the same. */
static void put_refusals(struct writer *w, const struct subject *s, int step)
{
    for (int i = 0; i < s->trace->n_refusals; i++) {
        const seebatch_refusal *refusal = &s->trace->refusal[i];
        if (refusal->step == step && !is_repeated(s->trace, refusal))
            put_refusal(w, s, refusal);
    }
}

/* ---- The captures and the swap list ----------------------------------------------------------------------------- */

static int piece_value(const seebatch_rules *rules, int type)
{
    return type <= SEEBATCH_QUEEN ? rules->value[type] : 0;
}

/* Says what the first move takes. */
static int first_victim(const seebatch_position *position, seebatch_move move)
{
    const int from = seebatch_from(move), to = seebatch_to(move), captured = seebatch_type_on(position, to);
    const bool en_passant =
        seebatch_type_on(position, from) == SEEBATCH_PAWN && from % 8 != to % 8 && captured == SEEBATCH_NO_PIECE;
    return en_passant ? SEEBATCH_PAWN : captured;
}

/* The square that a double step passes over. */
static int passed_square(seebatch_move move) { return (seebatch_from(move) + seebatch_to(move)) / 2; }

/* Whether a later capture takes the first mover en passant. If so, the pawn stands beside it, and does not attack its
 * square. */
static bool is_reply_en_passant(const struct subject *s, const seebatch_capture *capture)
{
    return capture->piece == SEEBATCH_PAWN && capture->from / 8 == seebatch_to(s->move) / 8 &&
           seebatch_type_on(s->position, seebatch_from(s->move)) == SEEBATCH_PAWN;
}

/* Writes an entry of the swap list with where it comes from: what is captured and what a promotion adds, less what the
 * other side had. */
static void put_entry(struct writer *w, int captured, int promoted, const int32_t *before, int entry)
{
    if (promoted == 0 && !before) {
        put_formatted(w, "%d\n", entry);
        return;
    }
    put_formatted(w, "%d", captured);
    if (promoted != 0)
        put_formatted(w, " %c %d", promoted < 0 ? '-' : '+', abs(promoted));
    if (before)
        put_formatted(w, " %c %d", *before < 0 ? '+' : '-', abs(*before));
    put_formatted(w, " = %d\n", entry);
}

/* Writes "1. white " and the capture, in a column. */
static void put_step(struct writer *w, int number, const char *mark, int color, const char *what)
{
    add_char(w, *mark == ')' ? '(' : ' ');
    add_number(w, number);
    put_formatted(w, ".%s%s  ", mark, color_names[color]);
    put_column(w, what, 42);
    add_char(w, ' ');
}

/* Writes capture number i. A piece of the type `victim` stands on the square. */
static void put_capture(struct writer *w, const struct subject *s, int i, int victim)
{
    const seebatch_capture *c = &s->trace->capture[i];
    const int to = seebatch_to(s->move);
    const bool reply = i > 0 && is_reply_en_passant(s, c), becomes = c->stays != c->piece;
    const bool en_passant = reply || (i == 0 && victim != seebatch_type_on(s->position, to));
    char what[64];
    seebatch_format(what, sizeof what, "%s %s%c%s takes %s%s%s%s", piece_names[c->piece], name_of(c->from).text,
                    victim == SEEBATCH_NO_PIECE ? '-' : 'x', name_of(reply ? passed_square(s->move) : to).text,
                    piece_names[victim], en_passant ? " en passant" : "", becomes ? ", becomes " : "",
                    becomes ? piece_names[c->stays] : "");
    put_step(w, i + 1, "  ", c->color, what);
    put_entry(w, piece_value(s->rules, victim), piece_value(s->rules, c->stays) - piece_value(s->rules, c->piece),
              i > 0 ? &s->trace->capture[i - 1].gain : NULL, c->gain);
    if (en_passant && !reply && s->rules->en_passant == SEEBATCH_EN_PASSANT_STANDING)
        put_formatted(w, "       under these rules the pawn on %s stays, and hides what stands behind it\n",
                      name_of(c->from / 8 * 8 + to % 8).text);
}

static void put_captures(struct writer *w, const struct subject *s)
{
    const seebatch_trace *trace = s->trace;
    int victim = first_victim(s->position, s->move);
    if (s->rules->order == SEEBATCH_BEST_ORDER)
        put_text(w, "Where a side has several captures, the best for it is shown, even if stopping is better.\n");
    put_formatted(w, "The captures on %s, and the balance for the side that makes each, if it is the last:\n\n",
                  name_of(seebatch_to(s->move)).text);
    for (int i = 0; i < trace->length; i++) {
        put_refusals(w, s, i);
        put_capture(w, s, i, victim);
        victim = trace->capture[i].stays;
    }
    put_refusals(w, s, trace->length);
    if (trace->has_next) {
        const seebatch_capture *last = &trace->capture[trace->length - 1];
        char what[64];
        seebatch_format(what, sizeof what, "if it could still take the %s", piece_names[victim]);
        put_step(w, trace->length + 1, ") ", !last->color, what);
        put_entry(w, piece_value(s->rules, victim), 0, &last->gain, trace->next_gain);
    }
}

static void put_swap_list(struct writer *w, const seebatch_trace *trace)
{
    put_text(w, "\nSwap list: ");
    for (int i = 0; i < trace->length; i++)
        put_formatted(w, "%s%d", i > 0 ? ", " : "", trace->capture[i].gain);
    if (trace->has_next)
        put_formatted(w, ", (%d)", trace->next_gain);
    put_text(w, "\n\n");
}

/* ---- The negamax ------------------------------------------------------------------------------------------------ */

/* Says whether the other side stops after a capture, which leaves it with minus the entry of the swap list, or goes
 * on. */
static void put_fold(struct writer *w, const struct subject *s)
{
    const seebatch_trace *trace = s->trace;
    put_text(w, "From the last capture back to the first, the other side stops or goes on, as is better:\n\n");
    for (int i = trace->length - 1; i >= 0; i--) {
        const seebatch_capture *c = &trace->capture[i];
        const char *other = color_names[!c->color];
        add_char(w, ' ');
        add_number(w, i + 1);
        put_text(w, ".  ");
        if (i < trace->length - 1) {
            const int stop = -c->gain, go_on = trace->capture[i + 1].best;
            put_formatted(w, "%s may stop with %d or go on for %d, and %s: ", other, stop, go_on,
                          go_on > stop ? "goes on" : "stops");
        } else if (c->piece == SEEBATCH_KING) {
            put_text(w, "nobody takes a king: ");
        } else if (s->rules->order == SEEBATCH_BEST_ORDER) {
            put_formatted(w, "%s has no legal recapture: ", other);
        } else {
            put_formatted(w, "%s cannot recapture: ", other);
        }
        put_formatted(w, "%s has %d\n", color_names[c->color], c->best);
    }
    put_text(w, "\n");
}

/* ---- The interface ---------------------------------------------------------------------------------------------- */

static void put_trace(struct writer *w, const struct subject *s)
{
    assert(s->rules && s->position && s->trace && (w->text || w->size == 0));
    put_board(w, s);
    put_text(w, "\n");
    if (s->trace->length == 0) {
        put_text(w, s->trace->value == SEEBATCH_ALWAYS
                        ? "Under these rules the move passes at any threshold.\n\n"
                        : "Under these rules the move is worth 0, whatever could follow.\n\n");
    } else {
        put_captures(w, s);
        put_swap_list(w, s->trace);
        put_fold(w, s);
    }
    put_formatted(w, "Value: %d\n", s->trace->value);
    if (w->size)
        w->text[w->length < w->size ? w->length : w->size - 1] = '\0';
}

size_t seebatch_trace_text(const seebatch_rules *rules, const seebatch_position *position, seebatch_move move,
                           const seebatch_trace *trace, char *text, size_t size)
{
    const struct subject subject = {rules, position, move, trace};
    struct writer w = {text, size, 0, 0, (size_t)ALL_LINES};
    put_trace(&w, &subject);
    return w.length;
}

size_t seebatch_trace_line(const seebatch_rules *rules, const seebatch_position *position, seebatch_move move,
                           const seebatch_trace *trace, size_t line, char *text, size_t size)
{
    const struct subject subject = {rules, position, move, trace};
    struct writer w = {text, size, 0, 0, line};
    put_trace(&w, &subject);
    return line < w.line ? w.length : SIZE_MAX;
}
