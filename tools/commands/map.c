/*
 * seebatch map: what hangs. Each piece that the other side would win something by capturing, had it the turn, with what
 * it would win: drawn on the board for people, or as rows for programs.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "tool.h"

static const struct option_row option_rows[] = {
    GROUP("Input"),
    {"fen", "FEN", OPTION_FEN, 0, "the position to show, whatever files are called",
     "Shows this position, which is one argument, instead of those of files.", NULL},
    SHARED("from"),
    GROUP("Evaluation"),
    SHARED("rules"),
    SHARED("values"),
    SHARED("kernel"),
    GROUP("Output"),
    {"format", "board|tsv|json", OPTION_FORMAT, 0,
     "the board, with what hangs in [ ] and what its capture gains below it; a row for each hanging piece, with "
     "position, who gains (w or b), square and value; or the same as a JSON object on each line",
     "See `OUTPUT`.", "board"},
    {0},
};

static const char *const side_names[2] = {"White", "Black"};
static const char *const piece_names[6] = {"pawn", "knight", "bishop", "rook", "queen", "king"};

/* What a side gains is shown in a colour of its own, bold; and back to normal. */
static const char *const side_colors[2] = {"\033[1;36m", "\033[1;35m"};
static const char normal_color[] = "\033[0m";

/* A position as it was given, and what hangs in it. */
struct map {
    const char *text;
    size_t text_length;
    seebatch_position position;
    int16_t gains[2][64]; /* as seebatch_map() fills it: by who gains */
};

struct drawing {
    const struct options *options;
    bool in_color;
    bool has_board; /* one was printed: a blank line comes before the next */
    struct map map;
    struct output output;
};

/* Whether to use colours: on a terminal that has them, unless the user has asked for none (no-color.org). */
static bool wants_color(void)
{
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && !(no_color != NULL && no_color[0] != '\0') && terminal != NULL &&
           strcmp(terminal, "dumb") != 0;
}

static bool anything_hangs(const struct map *map)
{
    for (int square = 0; square < 64; square++)
        if (map->gains[SEEBATCH_WHITE][square] > 0 || map->gains[SEEBATCH_BLACK][square] > 0)
            return true;
    return false;
}

/* ---- For people ------------------------------------------------------------------------------------------------- */

enum { CELL = 5 }; /* columns a square has */

/* A text in the middle of a cell, with the colour of the side that gains if there is one. *gap counts blanks that are
 * due before the next text, so that none stand at the end of a line. */
static void print_cell(struct drawing *d, int *gap, const char *text, bool gains, int side)
{
    int length = (int)strlen(text), left = (CELL - length) / 2;
    bool in_color = gains && d->in_color;
    if (length > 0)
        output_printf(&d->output, "%*s%s%s%s", *gap + left, "", in_color ? side_colors[side] : "", text,
                      in_color ? normal_color : "");
    *gap = length > 0 ? CELL - length - left : *gap + CELL;
}

/* Finds what a capture on the square gains, and for whom in *side. It is 0 if nothing hangs there. */
static int gain_on(const struct map *map, int square, int *side)
{
    *side = map->gains[SEEBATCH_WHITE][square] > 0 ? SEEBATCH_WHITE : SEEBATCH_BLACK;
    return map->gains[*side][square];
}

/* Prints a rank in two lines: the pieces, and below those that hang what they are worth to the other side. */
static void print_rank(struct drawing *d, int rank)
{
    const struct map *map = &d->map;
    int gap = 1, side;
    output_printf(&d->output, " %d", rank + 1);
    for (int square = rank * 8; square < rank * 8 + 8; square++) {
        int type = seebatch_type_on(&map->position, square), gain = gain_on(map, square, &side);
        bool white = seebatch_color_on(&map->position, square) == SEEBATCH_WHITE;
        char text[4];
        snprintf(text, sizeof text, gain > 0 ? "[%c]" : "%c", (white ? "PNBRQK." : "pnbrqk.")[type]);
        print_cell(d, &gap, text, gain > 0, side);
    }
    output_printf(&d->output, "%*s%d\n", gap + 1, "", rank + 1);

    gap = 3;
    for (int square = rank * 8; square < rank * 8 + 8; square++) {
        char text[16] = "";
        int gain = gain_on(map, square, &side);
        if (gain > 0)
            snprintf(text, sizeof text, "%d", gain);
        print_cell(d, &gap, text, gain > 0, side);
    }
    output_string(&d->output, "\n");
}

static void print_gains(struct drawing *d, int side)
{
    const struct map *map = &d->map;
    bool any = false;
    output_printf(&d->output, "%s%s gains%s", d->in_color ? side_colors[side] : "", side_names[side],
                  d->in_color ? normal_color : "");
    for (int square = 0; square < 64; square++) {
        if (map->gains[side][square] <= 0)
            continue;
        output_printf(&d->output, "%s %d on %c%c (%s)", any ? "," : "", map->gains[side][square], 'a' + square % 8,
                      '1' + square / 8, piece_names[seebatch_type_on(&map->position, square)]);
        any = true;
    }
    output_string(&d->output, any ? "\n" : " nothing\n");
}

static void print_board(struct drawing *d)
{
    static const char files[] = "     a    b    c    d    e    f    g    h\n";
    const struct map *map = &d->map;
    const int16_t *v = d->options->rules.value;
    output_string(&d->output, d->has_board ? "\n" : "");
    d->has_board = true;
    output_bytes(&d->output, map->text, map->text_length);
    output_printf(&d->output, "\nRules %s, values %d,%d,%d,%d,%d, %s to move\n\n%s", d->options->rules_name, v[0], v[1],
                  v[2], v[3], v[4], map->position.stm == SEEBATCH_WHITE ? "white" : "black", files);
    for (int rank = 7; rank >= 0; rank--)
        print_rank(d, rank);
    output_printf(&d->output, "%s\n", files);
    if (anything_hangs(map))
        output_string(&d->output, "[ ] hangs: below it, what the other side gains there if it has the turn.\n");
    print_gains(d, SEEBATCH_WHITE);
    print_gains(d, SEEBATCH_BLACK);
}

/* ---- For programs ----------------------------------------------------------------------------------------------- */

/* Prints a row for each square on which something hangs; text is the position, ready to print. */
static void print_rows(struct drawing *d, const char *text, size_t length)
{
    const bool json = d->options->format == FORMAT_JSON;
    struct output *output = &d->output;
    for (int side = SEEBATCH_WHITE; side <= SEEBATCH_BLACK; side++) {
        for (int square = 0; square < 64; square++) {
            const char name[3] = {(char)('a' + square % 8), (char)('1' + square / 8), '\0'};
            if (d->map.gains[side][square] <= 0)
                continue;
            output_string(output, json ? "{\"position\": " : "");
            output_bytes(output, text, length);
            output_string(output, json ? ", \"side\": \"" : "\t");
            output_string(output, side == SEEBATCH_WHITE ? "w" : "b");
            output_string(output, json ? "\", \"square\": \"" : "\t");
            output_string(output, name);
            output_string(output, json ? "\", \"value\": " : "\t");
            output_int(output, d->map.gains[side][square]);
            output_string(output, json ? "}\n" : "\n");
        }
    }
}

/* False if the position is not UTF-8, which JSON has to be. */
static bool print_json(struct drawing *d)
{
    if (!anything_hangs(&d->map))
        return true;
    json_t *string = json_stringn(d->map.text, d->map.text_length);
    if (string == NULL)
        return false;
    char *text = json_dumps(string, JSON_ENCODE_ANY);
    json_decref(string);
    if (text == NULL) {
        report("out of memory for the JSON text");
        exit(STATUS_ERROR);
    }
    print_rows(d, text, strlen(text));
    free(text);
    return true;
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

static const char *const not_utf8 =
    "the position is not valid UTF-8, as JSON needs; expected UTF-8, or another --format";

/* Evaluates and prints the position of the map; false, and why, if that cannot be done. */
static bool draw(struct drawing *d, const char *text, size_t length, seebatch_error *error)
{
    struct map *map = &d->map;
    map->text = text;
    map->text_length = length;
    seebatch_map(&d->options->rules, &map->position, map->gains);
    if (d->options->format == FORMAT_BOARD)
        print_board(d);
    else if (d->options->format == FORMAT_TSV)
        print_rows(d, text, length);
    else if (!print_json(d)) {
        snprintf(error->text, sizeof error->text, "%s", not_utf8);
        return false;
    }
    return true;
}

/* Returns whether all was well. */
static bool draw_file(struct drawing *d, const char *name)
{
    struct input input;
    struct fields fields;
    seebatch_error error;
    if (!input_open_any(&input, name, d->options))
        return false;
    while (input_next_line(&input)) {
        if (!input_fields(&input, &fields))
            continue;
        if (!input_position(&input, &fields, &d->map.position, &error) ||
            !draw(d, fields.position, fields.position_length, &error))
            input_error(&input, "%s", error.text);
        if (input.interactive)
            output_flush(&d->output);
    }
    return !input_close(&input);
}

/* Returns whether all was well. */
static bool draw_fen(struct drawing *d, const char *fen)
{
    seebatch_error error;
    if (strpbrk(fen, "\t\r\n") != NULL)
        report("position: there is a TAB or the end of a line in '%s', expected one position in one line", fen);
    else if (seebatch_position_from_fen(fen, strlen(fen), &d->map.position, &error) != SEEBATCH_OK ||
             !draw(d, fen, strlen(fen), &error))
        report("position: %s", error.text);
    else
        return true;
    return false;
}

/* Whether an argument is a position and not the name of a file. */
static bool is_fen(const char *argument)
{
    int slashes = 0;
    for (const char *at = argument; *at != '\0'; at++)
        slashes += *at == '/';
    return slashes >= 7 && *argument != '/' && strchr(argument, ' ') != NULL && access(argument, F_OK) != 0;
}

static int run(int argc, char **argv)
{
    static struct drawing drawing;
    struct options options;
    options_parse(&map_command, argc, argv, NULL, NULL, &options);
    if (options.fen != NULL && options.n_operands > 0)
        usage_error(argv[0], "--fen and the file '%s' were both given, expected one of them", options.operands[0]);
    if (options.n_operands == 1 && options.fen == NULL && is_fen(options.operands[0])) {
        options.fen = options.operands[0];
        options.n_operands = 0;
    }
    drawing.options = &options;
    drawing.in_color = wants_color();

    bool well = true;
    if (options.fen != NULL)
        well = draw_fen(&drawing, options.fen);
    else
        options_read_input(argv[0], &options);
    for (int i = 0; i < options.n_operands; i++)
        well &= draw_file(&drawing, options.operands[i]);
    output_finish(&drawing.output);
    return well ? STATUS_OK : STATUS_ERROR;
}

const struct command map_command = {
    .name = "map",
    .summary = "show what hangs on the board, for both sides",
    .about = "Shows which pieces hang: those whose capture would gain something for the other side if it had the turn, "
             "whoever is to move.",
    .operands = {"[FILE ...]", "FEN"},
    .examples = {{"Draw the board of a position, in which the rook can win a pawn:",
                  "seebatch map '1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -'"},
                 {"List what hangs in each position of a file, a row for each piece:",
                  "seebatch map --format tsv positions.fen"},
                 {"Do the same by Stockfish's rules, as JSON, for a file of training data:",
                  "seebatch map --rules stockfish --format json games.binpack"}},
    .details = "A line of input is a position in FEN or EPD. What follows a TAB, blank lines, and lines that begin "
               "with # are skipped. Files of every format that seebatch filter reads are read, too, by their names or "
               "--from. Without FILE, or for -, standard input is read. FEN is one argument, so it needs quotes. The "
               "board has colours on a terminal, unless NO_COLOR is set.",
    .options = option_rows,
    .status = "0 if all is well; 1 if something could not be read or written; 2 if the command line is wrong.",
    .run = run,
};
