/*
 * What the tests in C share: cmocka, kernels and rule sets by name, lines of a data file, and text for failure reports.
 * Included by one file a program.
 */
#ifndef SEEBATCH_TEST_SUPPORT_H
#define SEEBATCH_TEST_SUPPORT_H

#include "seebatch.h"
#include "share.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* TEST(name) { ... } is a test of the program. The tests register themselves before main(), in the order of the file.
 */
#define TEST(name)                                                                                                     \
    static void name(void **);                                                                                         \
    __attribute__((constructor)) static void register_##name(void)                                                     \
    {                                                                                                                  \
        all_tests[n_tests++] = (struct CMUnitTest){#name, name, NULL, NULL, NULL};                                     \
    }                                                                                                                  \
    static void name(void **unused_state __attribute__((unused)))

static struct CMUnitTest all_tests[32];
static size_t n_tests;

/* Runs all of them, after `setup` if it is not NULL. */
static inline int run_all_tests(CMFixtureFunction setup)
{
    return _cmocka_run_group_tests("tests", all_tests, n_tests, setup, NULL);
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Fails unless the value lies from low to high. cmocka 2 deprecates assert_in_range(), and earlier versions lack what replaces it. */
#define assert_between(value, low, high)                                                                               \
    assert_between_at((uintmax_t)(value), (uintmax_t)(low), (uintmax_t)(high), #value, __FILE__, __LINE__)
static inline void assert_between_at(uintmax_t value, uintmax_t low, uintmax_t high, const char *what, const char *file,
                                     int line)
{
    if (value >= low && value <= high)
        return;
    print_error("%s is %ju; expected %ju to %ju\n", what, value, low, high);
    _fail(file, line);
}

/* ---- Kernels and rule sets -------------------------------------------------------------------------------------- */

enum { MAX_RULE_SETS = 32 };

/* How many the library has. */
static inline size_t rule_sets(void)
{
    size_t n = 0;
    while (seebatch_rules_name(n))
        n++;
    assert_between(n, 1, MAX_RULE_SETS);
    return n;
}

static inline seebatch_rules rules_named(const char *name)
{
    seebatch_rules rules;
    seebatch_error error;
    if (seebatch_rules_named(name, &rules, &error) != SEEBATCH_OK)
        fail_msg("%s", error.text);
    return rules;
}

static inline seebatch_rules rules_at(size_t index) { return rules_named(seebatch_rules_name(index)); }

/* Uses one kernel of this machine after another: for (size_t k = 0; use_next_kernel(&k);) { ... }. Those that the
 * machine cannot run are named; behind the last the best is used again. */
static inline bool use_next_kernel(size_t *k)
{
    const char *name;
    while ((name = seebatch_kernel_name((*k)++)) != NULL) {
        if (seebatch_kernel_use(name, NULL) == SEEBATCH_OK)
            return true;
        print_message("SKIPPED: kernel %s: this machine cannot run it\n", name);
    }
    assert_int_equal(seebatch_kernel_use(NULL, NULL), SEEBATCH_OK);
    return false;
}

static inline bool bit_of(const uint64_t *mask, size_t k) { return mask[k / 64] >> k % 64 & 1; }

/* ---- Data files ------------------------------------------------------------------------------------------------- */

/* for (open_lines(&lines, name); next_line(&lines);) { ... } closes the file behind the last line. */
struct lines {
    FILE *file;
    const char *name;
    int number;
    char text[512];  /* the line, without its end */
    char where[256]; /* name:number */
};

static inline void open_lines(struct lines *lines, const char *name)
{
    lines->file = fopen(name, "r");
    lines->name = name;
    lines->number = 0;
    if (!lines->file)
        fail_msg("%s cannot be opened; run the tests from tests/", name);
}

static inline bool next_line(struct lines *lines)
{
    if (!fgets(lines->text, sizeof lines->text, lines->file)) {
        fclose(lines->file);
        return false;
    }
    lines->text[strcspn(lines->text, "\r\n")] = 0;
    snprintf(lines->where, sizeof lines->where, "%s:%d", lines->name, ++lines->number);
    return true;
}

/* The next line of a table, taken apart into n fields at its TABs. Comments and blank lines are passed over. */
static inline bool next_record(struct lines *lines, size_t n, char *field[])
{
    do {
        if (!next_line(lines))
            return false;
    } while (!*lines->text || *lines->text == '#');
    field[0] = lines->text;
    for (size_t i = 1; i < n; i++) {
        field[i] = strchr(field[i - 1], '\t');
        if (!field[i])
            fail_msg("%s: %zu fields, expected %zu", lines->where, i, n);
        *field[i]++ = '\0';
    }
    return true;
}

/* The rule sets that the rows of an exchange in a table of worked values have named so far. */
struct worked_rules {
    char exchange[256];
    char name[MAX_RULE_SETS + 1][32];
    size_t n;
};

/* Those of the next row: the names in its field; rules that have none, which are spelled with a field; for "others" all
 * of the library and minimax, the oracle's, that no row above of the same exchange names. Returns how many; name[]
 * points into `rows`. */
static inline size_t next_worked_rules(struct worked_rules *rows, const struct lines *table, const char *exchange,
                                       char *field, const char *name[MAX_RULE_SETS + 1])
{
    if (strchr(field, '=')) {
        name[0] = field;
        return 1;
    }
    if (strcmp(rows->exchange, exchange) != 0)
        rows->n = 0;
    snprintf(rows->exchange, sizeof rows->exchange, "%s", exchange);
    const size_t before = rows->n, n_library = rule_sets();
    const bool others = strcmp(field, "others") == 0;
    for (size_t i = 0; i <= n_library; i++) {
        const char *each = i < n_library ? seebatch_rules_name(i) : "minimax";
        size_t k = 0, length = strlen(each);
        while (k < before && strcmp(rows->name[k], each) != 0)
            k++;
        const char *found = field;
        while (!others && *found && (strncmp(found, each, length) != 0 || (found[length] && found[length] != ',')))
            found = strchr(found, ',') ? strchr(found, ',') + 1 : "";
        if (!others && *found && k < before)
            fail_msg("%s: a row above has a value for %s already", table->where, each);
        if (k == before && *found)
            snprintf(rows->name[rows->n++], sizeof rows->name[0], "%s", each);
    }
    size_t expected = 1;
    for (const char *c = field; *c; c++)
        expected += *c == ',';
    if (rows->n == before || (!others && rows->n - before != expected))
        fail_msg("%s: '%s' names rules that the library does not have, expected its names, or others", table->where,
                 field);
    for (size_t i = before; i < rows->n; i++)
        name[i - before] = rows->name[i];
    return rows->n - before;
}

/* Text by value, so that it can stand in a call. */
struct shown {
    char text[SEEBATCH_FEN_SIZE];
};

static inline struct shown fen_of(const seebatch_position *position)
{
    struct shown shown;
    seebatch_position_to_fen(position, shown.text);
    return shown;
}

static inline struct shown uci_of(seebatch_move move)
{
    struct shown shown;
    seebatch_move_to_uci(move, shown.text);
    return shown;
}

/* The position of a text that must be good. */
static inline seebatch_position position_of(const char *fen, size_t length)
{
    seebatch_position position;
    seebatch_error error = {{0}};
    memset(&position, 0, sizeof position);
    if (seebatch_position_from_fen(&position, fen, length, &error) != SEEBATCH_OK)
        fail_msg("'%.*s' is not read: %s", (int)length, fen, error.text);
    return position;
}

static inline seebatch_position position_of_fen(const char *fen) { return position_of(fen, strlen(fen)); }

/* The legal move of a text in UCI notation. */
static inline seebatch_move move_of(const seebatch_position *position, const char *uci)
{
    seebatch_move move = 0;
    seebatch_error error;
    if (seebatch_move_from_uci(position, uci, strlen(uci), &move, &error) != SEEBATCH_OK)
        fail_msg("%s: %s", fen_of(position).text, error.text);
    return move;
}

/* The first n positions of a file, which must have so many. */
static inline void read_positions(const char *name, size_t n, seebatch_position *positions)
{
    struct lines lines;
    open_lines(&lines, name);
    for (size_t i = 0; i < n; i++) {
        assert_true(next_line(&lines));
        positions[i] = position_of(lines.text, strcspn(lines.text, ";"));
    }
    fclose(lines.file);
}

/* Calls check() with every position of the test data: games, random play, and the perft suites, Chess960 among them. */
static inline void for_each_position(void (*check)(const seebatch_position *position, const char *where))
{
    static const char *const names[] = {"data/games.fen", "data/random.fen", "data/perft/known.epd",
                                        "data/perft/standard.epd", "data/perft/chess960.epd"};
    for (size_t i = 0; i < COUNT(names); i++) {
        struct lines lines;
        for (open_lines(&lines, names[i]); next_line(&lines);) {
            const seebatch_position position = position_of(lines.text, strcspn(lines.text, ";"));
            check(&position, lines.where);
        }
    }
}

/* A draw below n, of a sequence that is the same in every run. */
static inline unsigned random_below(unsigned n)
{
    static uint64_t random_state = 0x9e3779b97f4a7c15;
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (unsigned)(random_state >> 32) % n;
}

/* The same in every field; a position has bytes of padding at its end, which need not be. */
static inline bool same_position(const seebatch_position *a, const seebatch_position *b)
{
    return memcmp(a->plane, b->plane, sizeof a->plane) == 0 && a->white == b->white && a->stm == b->stm &&
           a->ep_square == b->ep_square && memcmp(a->castling_rook, b->castling_rook, sizeof a->castling_rook) == 0 &&
           a->shredder == b->shredder && a->reserved == b->reserved && a->halfmove_clock == b->halfmove_clock &&
           a->fullmove_number == b->fullmove_number;
}

/* Whether a legal move captures: an enemy on the to-square, or a pawn that changes file. */
static inline bool is_capture(const seebatch_position *position, seebatch_move move)
{
    int from = seebatch_from(move), to = seebatch_to(move);
    bool pawn = seebatch_type_on(position, from) == SEEBATCH_PAWN;
    bool enemy = seebatch_pieces_of_color(position, !position->stm) >> to & 1;
    return enemy || (pawn && from % 8 != to % 8);
}

/* ---- Moves as text ---------------------------------------------------------------------------------------------- */

typedef seebatch_status read_move(const seebatch_position *, const char *, size_t, seebatch_move *, seebatch_error *);

/* Reads from memory that ends with the text. */
static inline seebatch_status read_exactly(read_move *read, const seebatch_position *position, const char *text,
                                           seebatch_move *move, seebatch_error *error)
{
    const size_t length = strlen(text);
    char *exact = malloc(length + !length);
    assert_non_null(exact);
    memcpy(exact, text, length);
    const seebatch_status status = read(position, exact, length, move, error);
    free(exact);
    return status;
}

static inline void expect_read(read_move *read, const seebatch_position *position, const char *text,
                               seebatch_move expected)
{
    seebatch_move move = 0x7fff;
    seebatch_error error;
    if (read_exactly(read, position, text, &move, &error) != SEEBATCH_OK)
        fail_msg("%s: %s", fen_of(position).text, error.text);
    if (move != expected)
        fail_msg("%s: '%s' was read as %s, expected %s", fen_of(position).text, text, uci_of(move).text,
                 uci_of(expected).text);
}

struct refused {
    const char *fen, *text;
    int status;
    const char *message; /* a part of it */
};

/* What is refused says why, and leaves the move alone. */
static inline void expect_refused(read_move *read, const struct refused *refused, size_t n)
{
    for (size_t i = 0; i < n; i++, refused++) {
        const seebatch_position position = position_of_fen(refused->fen);
        seebatch_move move = 12345;
        seebatch_error error = {{0}};
        const int status = (int)read_exactly(read, &position, refused->text, &move, &error);
        if (status != refused->status || !strstr(error.text, refused->message))
            fail_msg("'%s': status %d, message '%s'; expected status %d, message with '%s'", refused->text, status,
                     error.text, refused->status, refused->message);
        assert_int_equal(move, 12345);
        assert_int_equal(read_exactly(read, &position, refused->text, &move, NULL), status);
    }
}

/* The captures of a position are those among its legal moves, in their order. */
static inline void check_captures(const seebatch_position *position, const seebatch_move *moves, size_t n)
{
    seebatch_move captures[SEEBATCH_MAX_MOVES];
    const size_t n_captures = seebatch_legal_captures(position, captures);
    size_t k = 0;
    for (size_t i = 0; i < n; i++)
        if (is_capture(position, moves[i]) && (k >= n_captures || captures[k++] != moves[i]))
            fail_msg("%s: the captures differ from the legal moves that capture, at %s", fen_of(position).text,
                     uci_of(moves[i]).text);
    assert_int_equal(k, n_captures);
}

#endif
