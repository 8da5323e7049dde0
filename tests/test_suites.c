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
#include "suite.h"
#include "table.h"

/* ---- Moves in SAN ----------------------------------------------------------------------------------------------- */

/* Whether a move in SAN is an ambiguous one once what tells its piece apart is left out: Ncxd1 is Nxd1. */
static bool is_meant(const char *ambiguous, const char *san)
{
    const size_t tail = strlen(ambiguous) - 1, length = strcspn(san, "+#");
    return *san == *ambiguous && length > tail && strncmp(san + length - tail, ambiguous + 1, tail) == 0;
}

/* The legal moves that the text can mean: one, none, or more where it is ambiguous. */
static size_t moves_meant(const seebatch_position *position, const char *text, seebatch_move meant[SEEBATCH_MAX_MOVES])
{
    seebatch_error error;
    seebatch_status status = seebatch_move_from_text(position, text, strlen(text), meant, &error);
    if (status == SEEBATCH_UNREADABLE)
        fail_msg("%s", error.text);
    if (status != SEEBATCH_AMBIGUOUS)
        return status == SEEBATCH_OK;
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    size_t n = seebatch_legal_moves(position, moves), count = 0;
    for (size_t i = 0; i < n; i++) {
        char san[SEEBATCH_SAN_SIZE];
        seebatch_move_to_san(position, moves[i], san);
        if (is_meant(text, san))
            meant[count++] = moves[i];
    }
    assert_true(count > 1);
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
    int by_library = seebatch_value(&rules->library, &position, NULL, move);
    if (by_library != by_oracle)
        fail_msg("%s %s as %s: the library says %d, the oracle %d", fen, text, rules->name, by_library, by_oracle);
    int16_t in_bulk;
    seebatch_values(&rules->library, &position, NULL, &move, 1, &in_bulk);
    if (in_bulk != by_oracle)
        fail_msg("%s %s as %s: the library says %d in bulk, the oracle %d", fen, text, rules->name, in_bulk, by_oracle);
    if (!seebatch_ge(&rules->library, &position, NULL, move, by_oracle) ||
        seebatch_ge(&rules->library, &position, NULL, move, by_oracle + 1))
        fail_msg("%s %s as %s: the threshold form does not flip at %d", fen, text, rules->name, by_oracle);
    return by_oracle;
}

/* ---- Suites ----------------------------------------------------------------------------------------------------- */

/* One line of a suite. */
struct published_line {
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
static int expected_value(const struct published_line *line, const char *rules)
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
static void replace_unplayable(struct published_line *line)
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
static void try_line(struct published_line line, const int values[5], int *ambiguous)
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

/* A text that ends with a NUL, of the little size that suites have. */
struct copied {
    char text[128];
};

static struct copied copied(struct suite_text text)
{
    struct copied copied = {{0}};
    assert_true(text.length < sizeof copied.text);
    memcpy(copied.text, text.first, text.length);
    return copied;
}

/* Reads a suite as seebatch verify reads it, and tries every line; returns how many moves were ambiguous. */
static int try_suite(const char *suite, const char *path, const int values[5], int expected_lines)
{
    struct table table;
    int16_t piece_values[5];
    int lines = 0, ambiguous = 0;
    for (int i = 0; i < 5; i++)
        piece_values[i] = (int16_t)values[i];
    table_open(&table, path, '\n');
    for (; table_next(&table, 1, 1); lines++) {
        struct suite_line line;
        seebatch_error error;
        if (!suite_read(table.field[0], strlen(table.field[0]), piece_values, NULL, &line, &error))
            fail_msg("%s:%d: %s", path, table.line, error.text);
        assert_false(line.has_threshold);
        struct copied fen = copied(line.position), move = copied(line.move);
        try_line((struct published_line){suite, table.line, fen.text, move.text, line.value}, values, &ambiguous);
    }
    finish_suite(suite, lines, expected_lines);
    return ambiguous;
}

static void leorik_suite(void **state)
{
    (void)state;
    static const int values[5] = {100, 300, 300, 500, 900};
    int ambiguous = try_suite("leorik", "data/suites/leorik_see.epd", values, 74);
    assert_int_equal(ambiguous, 1); /* line 72: either knight */
}

static void arasan_suite(void **state)
{
    (void)state;
    static const int values[5] = {100, 325, 325, 500, 1000};
    assert_int_equal(try_suite("arasan", "data/suites/arasan_see.txt", values, 25), 0);
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

/* The suites' reader must not be content with less than it reads. */
static int value_of_text(const char *text)
{
    static const int16_t values[5] = {1, 3, 4, 5, 9};
    int value;
    seebatch_error error;
    if (!suite_value((struct suite_text){text, strlen(text)}, values, &value, &error))
        fail_msg("%s", error.text);
    return value;
}

static void values_in_symbols(void **state)
{
    (void)state;
    assert_int_equal(value_of_text("0"), 0);
    assert_int_equal(value_of_text(" 2*Scoring::SEE_PIECE_VALUES[Rook]-Scoring::SEE_PIECE_VALUES[Queen]"), 1);
    assert_int_equal(value_of_text("-Scoring::SEE_PIECE_VALUES[Pawn]+Scoring::SEE_PIECE_VALUES[Bishop]"), 3);
    assert_int_equal(value_of_text("N - (N + Q - P) "), -8);
}

static void ambiguous_moves(void **state)
{
    (void)state;
    seebatch_position position = position_from("8/8/1k6/8/8/2N1N3/2p1p1K1/3n4 w - -");
    seebatch_move meant[SEEBATCH_MAX_MOVES];
    assert_int_equal(moves_meant(&position, "Nxd1", meant), 2);
    assert_int_equal(moves_meant(&position, "Ncxd1", meant), 1);
    assert_int_equal(moves_meant(&position, "Bxd1", meant), 0);
}

int main(void)
{
    read_differences(&differences);
    read_unplayable(&unplayable);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_in_symbols), cmocka_unit_test(ambiguous_moves),          cmocka_unit_test(leorik_suite),
        cmocka_unit_test(arasan_suite),      cmocka_unit_test(cases_worked_out_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
