/*
 * The public suites of engine authors, and the cases worked out by hand, through the library's public API and through
 * the oracle.
 *
 * The suites were made for other programs' ideas of an exchange. Every line is evaluated as `promotions` and as
 * `legal`, and where a value is not the published one, data/suites/differences.tsv says so and why; the test fails on a
 * difference that is not explained there, and on an explanation that does not occur. Lines whose position or move the
 * library refuses stand in data/suites/unplayable.tsv, with the position that was played instead.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "seebatch.h"
#include "oracle.h"
#include "table.h"

/* ---- Moves in SAN ----------------------------------------------------------------------------------------------- */

/* What a SAN move says: a piece, a destination, perhaps where it comes from and what it becomes. */
struct san {
    int piece, to, promotion;
    int from_file, from_rank; /* -1 where it does not say */
    int castling_files;       /* +1 kingside, -1 queenside, 0 no castling */
};

static int piece_named(char letter)
{
    const char *found = letter != '\0' ? strchr("PNBRQK", letter) : NULL;
    return found != NULL ? (int)(found - "PNBRQK") : SEEBATCH_NO_PIECE;
}

static bool read_san(const char *text, struct san *san)
{
    char core[16];
    size_t n = 0;
    for (const char *c = text; *c != '\0'; c++)
        if (strchr("x+#=!?", *c) == NULL && n < sizeof core - 1)
            core[n++] = *c;
    core[n] = '\0';
    *san = (struct san){.piece = SEEBATCH_PAWN, .from_file = -1, .from_rank = -1};
    if (strcmp(core, "O-O") == 0 || strcmp(core, "O-O-O") == 0) {
        san->piece = SEEBATCH_KING;
        san->castling_files = n == 3 ? 1 : -1;
        return true;
    }
    const char *c = core;
    if (piece_named(*c) != SEEBATCH_NO_PIECE)
        san->piece = piece_named(*c++);
    if (n > 0 && piece_named(core[n - 1]) != SEEBATCH_NO_PIECE && n > 1)
        san->promotion = piece_named(core[--n]);
    if (core + n - c < 2)
        return false;
    san->to = core[n - 2] - 'a' + (core[n - 1] - '1') * 8;
    for (; c < core + n - 2; c++) {
        if (*c >= 'a' && *c <= 'h')
            san->from_file = *c - 'a';
        else if (*c >= '1' && *c <= '8')
            san->from_rank = *c - '1';
        else
            return false;
    }
    return core[n - 2] >= 'a' && core[n - 2] <= 'h' && core[n - 1] >= '1' && core[n - 1] <= '8';
}

static bool san_means(const struct san *san, const seebatch_position *position, seebatch_move move)
{
    int from = seebatch_from(move), to = seebatch_to(move);
    if (seebatch_type_on(position, from) != san->piece)
        return false;
    if (san->castling_files != 0)
        return to - from == 2 * san->castling_files; /* no suite has Chess960 */
    return to == san->to && seebatch_promotion(move) == san->promotion &&
           (san->from_file < 0 || from % 8 == san->from_file) && (san->from_rank < 0 || from / 8 == san->from_rank);
}

/* The legal moves that the text can mean: one, none, or more where it is ambiguous. */
static size_t moves_meant(const seebatch_position *position, const char *text, seebatch_move meant[SEEBATCH_MAX_MOVES])
{
    struct san san;
    if (!read_san(text, &san))
        fail_msg("'%s' is no move in SAN", text);
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    size_t n = seebatch_legal_moves(position, moves), count = 0;
    for (size_t i = 0; i < n; i++)
        if (san_means(&san, position, moves[i]))
            meant[count++] = moves[i];
    return count;
}

/* ---- Both evaluations ------------------------------------------------------------------------------------------- */

/* A rule set as the library and as the oracle know it, with a table of values. */
struct both_rules {
    const char *name;
    seebatch_rules library;
    enum oracle_rules oracle;
    int values[5];
};

static struct both_rules rules_with_values(const char *name, const int values[5])
{
    struct both_rules rules = {.name = name};
    seebatch_error error;
    if (seebatch_rules_named(strcmp(name, "minimax") == 0 ? "legal" : name, &rules.library, &error) != SEEBATCH_OK)
        fail_msg("the library has no rule set %s: %s", name, error.text);
    assert_true(oracle_rules_named(name, &rules.oracle));
    for (int i = 0; i < 5; i++) {
        rules.library.value[i] = (int16_t)values[i];
        rules.values[i] = values[i];
    }
    if (seebatch_rules_check(&rules.library, &error) != SEEBATCH_OK)
        fail_msg("the library does not take the rule set %s: %s", name, error.text);
    return rules;
}

static seebatch_position position_from(const char *fen)
{
    seebatch_position position;
    seebatch_error error;
    if (seebatch_position_from_fen(&position, fen, strlen(fen), &error) != SEEBATCH_OK)
        fail_msg("the library refuses %s: %s", fen, error.text);
    return position;
}

static int value_by_oracle(const struct both_rules *rules, const char *fen, seebatch_move move)
{
    struct oracle_board board;
    if (!oracle_board_from_fen(&board, fen))
        fail_msg("the oracle cannot read %s", fen);
    return oracle_value(rules->oracle, rules->values, &board, seebatch_from(move), seebatch_to(move),
                        "\0nbrq"[seebatch_promotion(move)]);
}

/* The value on which library and oracle must agree, in the value form, in bulk and as a threshold. */
static int agreed_value(const struct both_rules *rules, const char *fen, seebatch_move move)
{
    seebatch_position position = position_from(fen);
    char text[6];
    seebatch_move_to_uci(move, text);
    int by_oracle = value_by_oracle(rules, fen, move);
    int by_library = seebatch_value(&rules->library, &position, move);
    if (by_library != by_oracle)
        fail_msg("%s %s as %s: the library says %d, the oracle %d", fen, text, rules->name, by_library, by_oracle);
    int16_t in_bulk;
    seebatch_values(&rules->library, &position, &move, 1, &in_bulk);
    if (in_bulk != by_oracle)
        fail_msg("%s %s as %s: the library says %d in bulk, the oracle %d", fen, text, rules->name, in_bulk, by_oracle);
    if (!seebatch_ge(&rules->library, &position, move, by_oracle) ||
        seebatch_ge(&rules->library, &position, move, by_oracle + 1))
        fail_msg("%s %s as %s: the threshold form does not flip at %d", fen, text, rules->name, by_oracle);
    return by_oracle;
}

/* ---- Suites ----------------------------------------------------------------------------------------------------- */

/* One line of a suite. */
struct suite_line {
    const char *suite;
    int line;
    const char *fen, *move;
    int published;
};

/* Lines of a table that tells of other lines, and whether each was met. */
enum { MOST_NOTES = 64 };

struct note {
    char suite[16], rules[16], fen[128], move[8];
    int line, published, ours;
    bool met;
};

struct notes {
    struct note note[MOST_NOTES];
    size_t count;
};

static struct note *next_note(struct notes *notes, const struct table *table)
{
    if (notes->count == MOST_NOTES)
        fail_msg("%s has more than %d lines", table->path, MOST_NOTES);
    struct note *note = &notes->note[notes->count++];
    memset(note, 0, sizeof *note);
    strncpy(note->suite, table->field[0], sizeof note->suite - 1);
    note->line = atoi(table->field[1]);
    return note;
}

static void read_differences(struct notes *notes)
{
    struct table table;
    notes->count = 0;
    table_open(&table, "data/suites/differences.tsv", '\t');
    while (table_next(&table, 6, 6)) {
        struct note *note = next_note(notes, &table);
        strncpy(note->rules, table.field[2], sizeof note->rules - 1);
        note->published = atoi(table.field[3]);
        note->ours = atoi(table.field[4]);
    }
}

static void read_unplayable(struct notes *notes)
{
    struct table table;
    notes->count = 0;
    table_open(&table, "data/suites/unplayable.tsv", '\t');
    while (table_next(&table, 5, 5)) {
        struct note *note = next_note(notes, &table);
        strncpy(note->fen, table.field[2], sizeof note->fen - 1);
        strncpy(note->move, table.field[3], sizeof note->move - 1);
    }
}

static void fail_on_notes_not_met(const struct notes *notes, const char *suite, const char *path)
{
    for (size_t i = 0; i < notes->count; i++)
        if (strcmp(notes->note[i].suite, suite) == 0 && !notes->note[i].met)
            fail_msg("%s speaks of line %d of %s as %s, which is not so", path, notes->note[i].line, suite,
                     notes->note[i].rules);
}

static struct notes differences, unplayable;

/* The value that a line must have under a rule set: the published one, or what an explanation says. */
static int expected_value(const struct suite_line *line, const char *rules)
{
    for (size_t i = 0; i < differences.count; i++) {
        struct note *note = &differences.note[i];
        if (strcmp(note->suite, line->suite) == 0 && note->line == line->line && strcmp(note->rules, rules) == 0) {
            if (note->published != line->published || note->ours == line->published)
                fail_msg("differences.tsv says that line %d of %s publishes %d and that we say %d; it publishes %d",
                         line->line, line->suite, note->published, note->ours, line->published);
            note->met = true;
            return note->ours;
        }
    }
    return line->published;
}

/* Puts the position and move to play in place of those that cannot be played, where a note says so. */
static void replace_unplayable(struct suite_line *line)
{
    for (size_t i = 0; i < unplayable.count; i++) {
        struct note *note = &unplayable.note[i];
        if (strcmp(note->suite, line->suite) != 0 || note->line != line->line)
            continue;
        seebatch_position position;
        seebatch_move meant[SEEBATCH_MAX_MOVES];
        note->met = true;
        if (seebatch_position_from_fen(&position, line->fen, strlen(line->fen), NULL) == SEEBATCH_OK &&
            moves_meant(&position, line->move, meant) > 0)
            fail_msg("unplayable.tsv speaks of line %d of %s, which can be played", line->line, line->suite);
        line->fen = note->fen;
        line->move = note->move;
    }
}

/* Evaluates a line; an ambiguous move must have the value in each of its meanings, and is counted. */
static void try_line(struct suite_line line, const int values[5], int *ambiguous)
{
    static const char *const rules_names[] = {"promotions", "legal"};
    replace_unplayable(&line);
    seebatch_position position = position_from(line.fen);
    seebatch_move meant[SEEBATCH_MAX_MOVES];
    size_t n = moves_meant(&position, line.move, meant);
    *ambiguous += n > 1;
    if (n == 0)
        fail_msg("line %d of %s: %s is not legal in %s", line.line, line.suite, line.move, line.fen);
    for (size_t r = 0; r < sizeof rules_names / sizeof rules_names[0]; r++) {
        struct both_rules rules = rules_with_values(rules_names[r], values);
        int expected = expected_value(&line, rules.name);
        for (size_t i = 0; i < n; i++) {
            int value = agreed_value(&rules, line.fen, meant[i]);
            if (value != expected)
                fail_msg("line %d of %s as %s: %s %s is worth %d, expected %d (published: %d)", line.line, line.suite,
                         rules.name, line.fen, line.move, value, expected, line.published);
        }
    }
}

static void finish_suite(const char *suite, int lines, int expected_lines)
{
    assert_int_equal(lines, expected_lines);
    fail_on_notes_not_met(&differences, suite, "differences.tsv");
    fail_on_notes_not_met(&unplayable, suite, "unplayable.tsv");
}

static void leorik_suite(void **state)
{
    (void)state;
    static const int values[5] = {100, 300, 300, 500, 900};
    struct table table;
    int lines = 0, ambiguous = 0;
    table_open(&table, "data/suites/leorik_see.epd", ';');
    for (; table_next(&table, 3, 4); lines++)
        try_line((struct suite_line){"leorik", table.line, table.field[0], table.field[1], atoi(table.field[2])},
                 values, &ambiguous);
    finish_suite("leorik", lines, 74);
    assert_int_equal(ambiguous, 1); /* line 72: either knight */
}

/* ---- The suite in symbols --------------------------------------------------------------------------------------- */

/* One term of "2*Scoring::SEE_PIECE_VALUES[Rook]", moving *text past it. */
static int symbolic_term(const char **text, const int values[5])
{
    static const char *const piece[] = {"Pawn]", "Knight]", "Bishop]", "Rook]", "Queen]"};
    static const char table[] = "Scoring::SEE_PIECE_VALUES[";
    char *end;
    int factor = (int)strtol(*text, &end, 10);
    if (end != *text) {
        *text = end;
        if (**text != '*')
            return factor;
        ++*text;
    } else
        factor = 1;
    if (strncmp(*text, table, sizeof table - 1) == 0)
        for (int i = 0; i < 5; i++)
            if (strncmp(*text + sizeof table - 1, piece[i], strlen(piece[i])) == 0) {
                *text += sizeof table - 1 + strlen(piece[i]);
                return factor * values[i];
            }
    fail_msg("'%s' is no term of a symbolic value", *text);
    return 0;
}

static int symbolic_value(const char *text, const int values[5])
{
    int sum = 0;
    text += strspn(text, " ");
    while (*text != '\0') {
        int sign = *text == '-' ? -1 : 1;
        text += *text == '-' || *text == '+';
        sum += sign * symbolic_term(&text, values);
        if (*text != '\0' && *text != '-' && *text != '+')
            fail_msg("'%s' does not go on with + or -", text);
    }
    return sum;
}

static char *unquoted(char *text)
{
    size_t length = strlen(text);
    if (length < 2 || text[0] != '"' || text[length - 1] != '"')
        fail_msg("%s is not in double quotes", text);
    text[length - 1] = '\0';
    return text + 1;
}

static void arasan_suite(void **state)
{
    (void)state;
    static const int values[5] = {100, 325, 325, 500, 1000};
    struct table table;
    int lines = 0, ambiguous = 0;
    table_open(&table, "data/suites/arasan_see.txt", ',');
    for (; table_next(&table, 3, 3); lines++)
        try_line((struct suite_line){"arasan", table.line, unquoted(table.field[0]), unquoted(table.field[1]),
                                     symbolic_value(table.field[2], values)},
                 values, &ambiguous);
    finish_suite("arasan", lines, 25);
    assert_int_equal(ambiguous, 0);
}

/* ---- Cases worked out by hand ----------------------------------------------------------------------------------- */

static void cases_worked_out_by_hand(void **state)
{
    (void)state;
    static const int values[5] = {100, 325, 325, 500, 1000};
    struct table table;
    int cases = 0;
    table_open(&table, "data/cases.tsv", '\t');
    while (table_next(&table, 5, 5)) {
        seebatch_position position = position_from(table.field[0]);
        seebatch_move move;
        seebatch_error error;
        if (seebatch_move_from_uci(&position, table.field[1], strlen(table.field[1]), &move, &error) != SEEBATCH_OK)
            fail_msg("%s:%d: %s", table.path, table.line, error.text);
        for (char *name = strtok(table.field[2], ","); name != NULL; name = strtok(NULL, ","), cases++) {
            struct both_rules rules = rules_with_values(name, values);
            int found = agreed_value(&rules, table.field[0], move);
            if (found != atoi(table.field[3]))
                fail_msg("%s:%d: %s %s as %s is worth %d, expected %s: %s", table.path, table.line, table.field[0],
                         table.field[1], name, found, table.field[3], table.field[4]);
        }
    }
    assert_in_range(cases, 400, 10000);
}

/* The suites' readers must not be content with less than they read. */
static void moves_in_san_mean_what_they_say(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *san, *uci;
    } case_of[] = {
        {"4k3/8/8/8/8/8/8/R3K2R w KQ -", "O-O", "e1g1"},     {"4k3/8/8/8/8/8/8/R3K2R w KQ -", "O-O-O", "e1c1"},
        {"1n2k3/P7/8/8/8/8/8/4K3 w - -", "axb8=N", "a7b8n"}, {"1n2k3/P7/8/8/8/8/8/4K3 w - -", "a8=Q+", "a7a8q"},
        {"4k3/8/8/3N4/8/3N4/8/4K3 w - -", "N5b4", "d5b4"},   {"4k3/8/8/8/8/R6R/8/4K3 w - -", "Rhe3+", "h3e3"},
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6", "exd6", "e5d6"},
    };
    for (size_t i = 0; i < sizeof case_of / sizeof case_of[0]; i++) {
        seebatch_position position = position_from(case_of[i].fen);
        seebatch_move meant[SEEBATCH_MAX_MOVES];
        char text[6];
        assert_int_equal(moves_meant(&position, case_of[i].san, meant), 1);
        seebatch_move_to_uci(meant[0], text);
        assert_string_equal(text, case_of[i].uci);
    }
    struct san san;
    assert_false(read_san("", &san));
    assert_false(read_san("e", &san));
    assert_false(read_san("Zd4", &san));
    assert_false(read_san("e9", &san));
    static const int values[5] = {1, 3, 4, 5, 9};
    assert_int_equal(symbolic_value("0", values), 0);
    assert_int_equal(symbolic_value(" 2*Scoring::SEE_PIECE_VALUES[Rook]-Scoring::SEE_PIECE_VALUES[Queen]", values), 1);
    assert_int_equal(symbolic_value("-Scoring::SEE_PIECE_VALUES[Pawn]+Scoring::SEE_PIECE_VALUES[Bishop]", values), 3);
}

int main(void)
{
    read_differences(&differences);
    read_unplayable(&unplayable);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_in_san_mean_what_they_say),
        cmocka_unit_test(leorik_suite),
        cmocka_unit_test(arasan_suite),
        cmocka_unit_test(cases_worked_out_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
