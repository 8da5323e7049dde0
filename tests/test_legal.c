/*
 * The search of `legal` from within: its values against the oracle's on constructed boards, and the bound on its work,
 * counted in nodes and not by a clock, on the worst boards that a hill climb has found (data/legal/worst.tsv).
 *
 * legal.c is compiled into this program with a node counter. CMake builds the program twice: as test_legal with the
 * sizes that the library has, and as test_legal_memory with a search that uses its memory from the first node on, and
 * fails to remember three times of four: short exchanges, which are the ones that minimax can check, would not need it.
 *
 * With the argument `all` the values that the oracle needs minutes for are compared too.
 */
#include <stdint.h>

static uint64_t nodes;
#define SEE_COUNT_NODE() (++nodes)
#ifdef TEST_FORGETTING
#define SEE_SHORT_SEARCH 1
#define SEE_FORGETS() (nodes * 2654435761u >> 7 & 3) /* three times of four */
#endif
#include "../src/scalar/legal.c"

#include "differential/boards.h"
#include "table.h"
#include "test_support.h"

/* What docs/semantics.md states, with room over the worst that was found. */
enum { MOST_NODES_OF_VALUE = 6000000, MOST_NODES_OF_THRESHOLD = 4000000, MOST_NODES_DEFAULT_VALUES = 200000 };

static bool slow_ones_too;

static struct oracle_board oracle_board_of(const seebatch_position *p)
{
    struct oracle_board board;
    assert_true(oracle_board_from_fen(&board, fen_of(p).text));
    return board;
}

static int value_by_oracle(enum oracle_rules oracle_rules, const seebatch_rules *rules, const seebatch_position *p,
                           seebatch_move move)
{
    const struct oracle_board board = oracle_board_of(p);
    const int16_t *v = rules->value;
    const int values[5] = {v[0], v[1], v[2], v[3], v[4]}, promotion = seebatch_promotion(move);
    return oracle_value(oracle_rules, values, &board, seebatch_from(move), seebatch_to(move),
                        promotion ? "?nbrq"[promotion] : '\0');
}

static void differ(const seebatch_rules *rules, const seebatch_position *p, seebatch_move move, const char *what,
                   int found, int expected)
{
    const int16_t *v = rules->value;
    fail_msg("%s %s, values %d,%d,%d,%d,%d: %s is %d, expected %d", fen_of(p).text, uci_of(move).text, v[0], v[1], v[2],
             v[3], v[4], what, found, expected);
}

/* ---- The worst boards ------------------------------------------------------------------------------------------- */

static bool is_default(const seebatch_rules *rules)
{
    const seebatch_rules standard = seebatch_rules_default();
    return memcmp(rules->value, standard.value, sizeof rules->value) == 0;
}

/* The search is left to itself, not made to forget. */
#ifdef TEST_FORGETTING
static bool counts(void) { return false; }
#else
static bool counts(void) { return true; }
#endif

static void expect_nodes(const struct table *table, const char *what, uint64_t found, uint64_t most)
{
    if (found > most)
        fail_msg("%s:%d: %s took %llu nodes, expected at most %llu", table->path, table->line, what,
                 (unsigned long long)found, (unsigned long long)most);
}

static void read_values(const struct table *table, const char *text, seebatch_rules *rules)
{
    char *end = (char *)(uintptr_t)text;
    for (int type = SEEBATCH_PAWN; type <= SEEBATCH_QUEEN; type++) {
        rules->value[type] = (int16_t)strtol(end, &end, 10);
        if (*end != (type < SEEBATCH_QUEEN ? ',' : '\0'))
            fail_msg("%s:%d: '%s' are not five values", table->path, table->line, text);
        end += *end != '\0';
    }
    assert_int_equal(seebatch_rules_check(rules, NULL), SEEBATCH_OK);
}

static void check_worst_board(const struct table *table, uint64_t *most)
{
    enum { POSITION, MOVE, VALUES, VALUE, ORACLE };
    seebatch_rules rules = seebatch_rules_default();
    const seebatch_position p = position_of_fen(table->field[POSITION]);
    const int expected = atoi(table->field[VALUE]);
    seebatch_move move;
    seebatch_error error;
    read_values(table, table->field[VALUES], &rules);
    if (seebatch_move_from_uci(&p, table->field[MOVE], strlen(table->field[MOVE]), &move, &error) != SEEBATCH_OK)
        fail_msg("%s:%d: %s", table->path, table->line, error.text);

    const uint64_t standard = is_default(&rules) ? MOST_NODES_DEFAULT_VALUES : UINT64_MAX;
    nodes = 0;
    int found = seebatch_value(&rules, &p, NULL, move);
    if (found != expected)
        differ(&rules, &p, move, "the value", found, expected);
    expect_nodes(table, "the value", nodes, standard < MOST_NODES_OF_VALUE ? standard : MOST_NODES_OF_VALUE);
    *most = nodes > *most ? nodes : *most;
    const uint64_t nodes_of_value = nodes;
    uint64_t most_of_threshold = 0;
    static const int off[] = {-1500, -500, 0, 1, 500, 1425}; /* thresholds far from the value can be the harder ones */
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        nodes = 0;
        found = seebatch_ge(&rules, &p, NULL, move, expected + off[i]);
        if (found != (off[i] <= 0))
            differ(&rules, &p, move, "whether the value is at least a threshold", found, off[i] <= 0);
        expect_nodes(table, "a threshold", nodes, MOST_NODES_OF_THRESHOLD);
        most_of_threshold = nodes > most_of_threshold ? nodes : most_of_threshold;
    }
    print_message("%s:%d: %llu nodes for the value, at most %llu for a threshold\n", table->path, table->line,
                  (unsigned long long)nodes_of_value, (unsigned long long)most_of_threshold);
    if (strcmp(table->field[ORACLE], "quick") == 0 || slow_ones_too) {
        found = value_by_oracle(ORACLE_LEGAL, &rules, &p, move);
        if (found != expected)
            differ(&rules, &p, move, "the oracle's value", found, expected);
    }
}

static void work_on_the_worst_boards_is_bounded(void **state)
{
    (void)state;
    if (!counts()) {
        print_message("not with a memory that forgets: it would take hours\n");
        skip();
    }
    struct table table;
    uint64_t most = 0;
    int boards = 0;
    table_open(&table, "data/legal/worst.tsv", '\t');
    for (; table_next(&table, 6, 6); boards++)
        check_worst_board(&table, &most);
    assert_in_range(boards, 10, 1000);
    assert_true(most > 100000); /* these boards are hard indeed: the counter counts */
}

/* ---- Constructed boards ----------------------------------------------------------------------------------------- */

static void draw_values(seebatch_rules *rules, struct rng *rng)
{
    const unsigned kind = rng_below(rng, 4);
    for (int type = SEEBATCH_PAWN; kind > 0 && type <= SEEBATCH_QUEEN; type++) {
        rules->value[type] = kind == 1   ? (int16_t)(300 * (int)rng_below(rng, 4)) /* with zeros and ties */
                             : kind == 2 ? (int16_t)rng_below(rng, 3001)
                                         : (int16_t)(1000 - 200 * type); /* the other way round */
    }
}

/* Pieces on the lines and jumps of a square, kings near it or on its lines. */
static bool draw_board(seebatch_position *p, int to, unsigned crowd, struct rng *rng)
{
    struct pieces pieces;
    memset(&pieces, 0, sizeof pieces);
    pieces_put(&pieces, to, (int)rng_below(rng, 2), (int)rng_below(rng, 5));
    for (unsigned placed = 0; placed < crowd;) {
        const int square = (int)rng_below(rng, 64), files = abs(square % 8 - to % 8), ranks = abs(square / 8 - to / 8);
        if (square == to || !(files == 0 || ranks == 0 || files == ranks || files * ranks == 2))
            continue;
        const bool straight = files == 0 || ranks == 0, near = files == 1 && ranks == 1;
        const int slider = rng_one_in(rng, 2) ? SEEBATCH_QUEEN : straight ? SEEBATCH_ROOK : SEEBATCH_BISHOP;
        const int type = files * ranks == 2 ? SEEBATCH_KNIGHT : near && rng_one_in(rng, 3) ? SEEBATCH_PAWN : slider;
        pieces_put(&pieces, square, (int)rng_below(rng, 2), type);
        placed++;
    }
    for (int color = SEEBATCH_WHITE; color <= SEEBATCH_BLACK; color++) {
        const int square = (int)rng_below(rng, 64);
        if (square != to && !(pieces.by_type[SEEBATCH_KING] >> square & 1))
            pieces_put(&pieces, square, color, SEEBATCH_KING);
    }
    *p = seebatch_position_from_bitboards(pieces.by_type, pieces.by_color, (int)rng_below(rng, 2));
    return seebatch_position_check(p, NULL) == SEEBATCH_OK;
}

/* As a square's value it is also asked what a side gets whose enemy is in check already. */
static void check_square(const seebatch_rules *rules, const seebatch_position *p, int to, bool small)
{
    const struct oracle_board board = oracle_board_of(p);
    const int16_t *v = rules->value;
    const int values[5] = {v[0], v[1], v[2], v[3], v[4]};
    for (int color = SEEBATCH_WHITE; color <= SEEBATCH_BLACK; color++) {
        const int expected = oracle_square_value(small ? ORACLE_MINIMAX : ORACLE_LEGAL, values, &board, to, color);
        const int found = seebatch_square_value(rules, p, to, color);
        if (found != expected)
            differ(rules, p, seebatch_make_move(to, to, 0), "the square's value", found, expected);
    }
}

static uint64_t check_drawn_board(const seebatch_position *p, int to, bool small, struct rng *rng)
{
    seebatch_rules rules = seebatch_rules_default();
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    uint64_t compared = 0;
    draw_values(&rules, rng);
    check_square(&rules, p, to, small);
    const size_t n = seebatch_legal_captures(p, moves);
    for (size_t i = 0; i < n; i++) {
        if (seebatch_to(moves[i]) != to)
            continue;
        const int expected = value_by_oracle(small ? ORACLE_MINIMAX : ORACLE_LEGAL, &rules, p, moves[i]);
        nodes = 0;
        const int found = seebatch_value(&rules, p, NULL, moves[i]);
        if (found != expected)
            differ(&rules, p, moves[i], "the value", found, expected);
        if (counts() && nodes > MOST_NODES_OF_VALUE)
            differ(&rules, p, moves[i], "the number of nodes", (int)nodes, MOST_NODES_OF_VALUE);
        const int threshold = expected + (int)rng_below(rng, 3) - 1;
        const bool at_least = seebatch_ge(&rules, p, NULL, moves[i], threshold);
        if (at_least != (expected >= threshold))
            differ(&rules, p, moves[i], "a threshold", at_least, expected >= threshold);
        compared++;
    }
    return compared;
}

static void values_on_constructed_boards_are_those_of_minimax(void **state)
{
    (void)state;
    struct rng rng = rng_for(20241121, "small stars");
    seebatch_position p;
    uint64_t compared = 0;
    for (int i = 0; i < 100000; i++) {
        const int to = (int)rng_below(&rng, 64);
        if (draw_board(&p, to, 2 + rng_below(&rng, 6), &rng))
            compared += check_drawn_board(&p, to, true, &rng);
    }
    assert_in_range(compared, 20000, 10000000);
}

static void values_on_crowded_boards_are_those_of_the_oracle(void **state)
{
    (void)state;
    struct rng rng = rng_for(20241121, "crowded stars");
    seebatch_position p;
    uint64_t compared = 0;
    for (int i = 0; i < 40000; i++) {
        const int to = (int)rng_below(&rng, 64);
        if (draw_board(&p, to, 8 + rng_below(&rng, 12), &rng))
            compared += check_drawn_board(&p, to, false, &rng);
    }
    assert_in_range(compared, 5000, 10000000);
}

int main(int argc, char **argv)
{
    slow_ones_too = argc == 2 && strcmp(argv[1], "all") == 0;
    assert_int_equal(seebatch_kernel_use("scalar", NULL), SEEBATCH_OK);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_on_constructed_boards_are_those_of_minimax),
        cmocka_unit_test(values_on_crowded_boards_are_those_of_the_oracle),
        cmocka_unit_test(work_on_the_worst_boards_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
