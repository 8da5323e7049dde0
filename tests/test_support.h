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

/* The next line of a table, taken apart into n fields at its TABs. Comments and blank lines are skipped. */
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

/* Worked values, data/cases.tsv: what its first lines say, and which rule sets the lines of an exchange have named so
 * far. */
struct worked_values {
    struct lines table;
    char exchange[1024];
    bool is_named[MAX_RULE_SETS];
    size_t base[MAX_RULE_SETS]; /* the rule set that has the same values, unless a line says otherwise, or itself */
};

static inline void open_worked_values(struct worked_values *worked)
{
    open_lines(&worked->table, "data/cases.tsv");
    worked->exchange[0] = '\0';
    for (size_t r = 0; r < MAX_RULE_SETS; r++)
        worked->base[r] = r;
}

static inline size_t rule_set_of(const struct lines *lines, const char *name, size_t length)
{
    for (size_t r = 0; r < rule_sets(); r++)
        if (strlen(seebatch_rules_name(r)) == length && memcmp(seebatch_rules_name(r), name, length) == 0)
            return r;
    fail_msg("%s: there is no rule set '%.*s', expected a name of the library's", lines->where, (int)length, name);
    return 0;
}

/* Marks a rule set, which no line above of the same exchange may have named. */
static inline void add_named(struct worked_values *worked, size_t rule_set, bool is_now[])
{
    if (worked->is_named[rule_set])
        fail_msg("%s: a line above has a value for %s already", worked->table.where, seebatch_rules_name(rule_set));
    worked->is_named[rule_set] = is_now[rule_set] = true;
}

/* The next line of values, taken apart into five fields, and the rule sets that it is about: name[] ends with NULL.
 * False at the end. */
static inline bool next_worked_values(struct worked_values *worked, char *field[5], const char *name[MAX_RULE_SETS + 1])
{
    char exchange[sizeof worked->exchange]; /* that of the line above */
    bool is_now[MAX_RULE_SETS] = {false};
    size_t n = 0;
    for (;;) {
        if (!next_record(&worked->table, 5, field))
            return false;
        if (strcmp(field[0], "as") != 0)
            break;
        const size_t base = rule_set_of(&worked->table, field[2], strlen(field[2]));
        worked->base[rule_set_of(&worked->table, field[1], strlen(field[1]))] = base;
    }
    memcpy(exchange, worked->exchange, sizeof exchange);
    snprintf(worked->exchange, sizeof exchange, "%s %s", field[0], field[1]);
    if (strcmp(worked->exchange, exchange) != 0)
        memset(worked->is_named, 0, sizeof worked->is_named);
    if (strchr(field[2], '=')) { /* rules without a name */
        name[n++] = field[2];
    } else if (strcmp(field[2], "others") == 0) {
        for (size_t r = 0; r < rule_sets(); r++)
            if (!worked->is_named[r])
                add_named(worked, r, is_now);
    } else {
        for (const char *c = field[2]; *c != '\0'; c += strcspn(c, ","), c += *c == ',')
            add_named(worked, rule_set_of(&worked->table, c, strcspn(c, ",")), is_now);
        for (size_t r = 0; r < rule_sets(); r++)
            if (is_now[worked->base[r]] && !worked->is_named[r])
                add_named(worked, r, is_now);
    }
    for (size_t r = 0; r < rule_sets(); r++)
        if (is_now[r])
            name[n++] = seebatch_rules_name(r);
    if (n == 0)
        fail_msg("%s: the lines above name all rule sets, expected one that is left for '%s'", worked->table.where,
                 field[2]);
    name[n] = NULL;
    return true;
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
    if (seebatch_position_from_fen(fen, length, &position, &error) != SEEBATCH_OK)
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
