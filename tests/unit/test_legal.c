/*
 * The bound on the work of the search of `legal`, counted in nodes and not by a clock, on the worst boards that a hill
 * climb has found (data/legal/worst.tsv), and its values there. legal.c is compiled into this program with a node
 * counter. The differential harness holds its values against the oracle's everywhere else.
 *
 * With the argument `all` the values that the oracle needs minutes for are compared too.
 */
#include <stdint.h>

static uint64_t nodes;
#define SEE_COUNT_NODE() (++nodes)
#include "../../src/scalar/legal.c"

#include "differential/boards.h"
#include "test_support.h"

/* What docs/internals/legal.md states, with room over the worst that was found. */
enum { MOST_NODES_OF_VALUE = 6000000, MOST_NODES_OF_THRESHOLD = 4000000, MOST_NODES_DEFAULT_VALUES = 200000 };

static bool slow_ones_too;

static void differ(const seebatch_rules *rules, const seebatch_position *p, seebatch_move move, const char *what,
                   int found, int expected)
{
    const int16_t *v = rules->value;
    fail_msg("%s %s, values %d,%d,%d,%d,%d: %s is %d, expected %d", fen_of(p).text, uci_of(move).text, v[0], v[1], v[2],
             v[3], v[4], what, found, expected);
}

/* ---- The worst boards ------------------------------------------------------------------------------------------- */

static void expect_nodes(const struct lines *table, const char *what, uint64_t found, uint64_t most)
{
    if (found > most)
        fail_msg("%s: %s took %llu nodes, expected at most %llu", table->where, what, (unsigned long long)found,
                 (unsigned long long)most);
}

static void check_worst_board(const struct lines *table, char *const field[], uint64_t *most)
{
    enum { POSITION, MOVE, VALUES, VALUE, ORACLE };
    seebatch_rules rules = seebatch_rules_default();
    const seebatch_position p = position_of_fen(field[POSITION]);
    const int expected = atoi(field[VALUE]);
    const seebatch_move move = move_of(&p, field[MOVE]);
    int16_t *const v = rules.value;
    if (sscanf(field[VALUES], "%hd,%hd,%hd,%hd,%hd", &v[0], &v[1], &v[2], &v[3], &v[4]) != 5)
        fail_msg("%s: '%s' are not five values", table->where, field[VALUES]);
    assert_int_equal(seebatch_rules_check(&rules, NULL), SEEBATCH_OK);

    const bool is_default = strcmp(field[VALUES], "100,325,325,500,1000") == 0;
    nodes = 0;
    int found = seebatch_value(&rules, &p, NULL, move);
    if (found != expected)
        differ(&rules, &p, move, "the value", found, expected);
    expect_nodes(table, "the value", nodes, is_default ? MOST_NODES_DEFAULT_VALUES : MOST_NODES_OF_VALUE);
    *most = nodes > *most ? nodes : *most;
    const uint64_t nodes_of_value = nodes;
    uint64_t most_of_threshold = 0;
    static const int off[] = {-1500, -500, 0, 1, 500, 1425}; /* thresholds far from the value can be the harder ones */
    for (size_t i = 0; i < COUNT(off); i++) {
        nodes = 0;
        found = seebatch_ge(&rules, &p, NULL, move, expected + off[i]);
        if (found != (off[i] <= 0))
            differ(&rules, &p, move, "whether the value is at least a threshold", found, off[i] <= 0);
        expect_nodes(table, "a threshold", nodes, MOST_NODES_OF_THRESHOLD);
        most_of_threshold = nodes > most_of_threshold ? nodes : most_of_threshold;
    }
    print_message("%s: %llu nodes for the value, at most %llu for a threshold\n", table->where,
                  (unsigned long long)nodes_of_value, (unsigned long long)most_of_threshold);
    if (strcmp(field[ORACLE], "quick") == 0 || slow_ones_too) {
        found = value_by_oracle(&rules, &p, move);
        if (found != expected)
            differ(&rules, &p, move, "the oracle's value", found, expected);
    }
}

TEST(work_on_the_worst_boards_is_bounded)
{
    struct lines table;
    char *field[6];
    uint64_t most = 0;
    int boards = 0;
    for (open_lines(&table, "data/legal/worst.tsv"); next_record(&table, COUNT(field), field); boards++)
        check_worst_board(&table, field, &most);
    assert_between(boards, 10, 1000);
    assert_true(most > 100000); /* these boards are hard indeed: the counter counts */
}

int main(int argc, char **argv)
{
    slow_ones_too = argc == 2 && strcmp(argv[1], "all") == 0;
    assert_int_equal(seebatch_kernel_use("scalar", NULL), SEEBATCH_OK);
    return run_all_tests(NULL);
}
