/*
 * What hangs: square values and maps, against cases worked out by hand and against the oracle, for every rule set, on
 * every square, for both sides. Boards are those of real games, random ones, and the pathological ones of the
 * differential harness.
 */
#include "differential/boards.h"
#include "test_support.h"

static const uint64_t seed = 20240917;
static uint64_t comparisons, passed_over, above_zero;

/* ---- One board against the oracle ------------------------------------------------------------------------------- */

/* All squares of a board for both sides under one rule set, as map and one by one. */
static void check_rules(const seebatch_rules *rules, const char *name, const seebatch_position *position,
                        const struct oracle_board *board)
{
    enum { TOO_MANY = 22 };
    const struct oracle_rules oracle_rules = oracle_rules_of(rules);
    const int values[5] = {rules->value[0], rules->value[1], rules->value[2], rules->value[3], rules->value[4]};
    int16_t map[2][64];
    memset(map, 0x55, sizeof map);
    seebatch_map(rules, position, map);
    for (int color = SEEBATCH_WHITE; color <= SEEBATCH_BLACK; color++) {
        for (int square = 0; square < 64; square++) {
            int single = seebatch_square_value(rules, position, square, color);
            if (map[color][square] != single)
                fail_msg("%s: rules %s, square %d, color %d: %d in the map, %d alone", fen_of(position).text, name,
                         square, color, map[color][square], single);
            if (rules->pins == SEEBATCH_PINS_LEGAL && reach_count(position, square, square) > TOO_MANY) {
                passed_over++;
                continue;
            }
            int expected = oracle_square_value(oracle_rules, values, board, square, color == SEEBATCH_BLACK);
            if (single != expected)
                fail_msg(
                    "%s: rules %s, values %d,%d,%d,%d,%d, square %c%c, color %d: the library says %d, the oracle %d",
                    fen_of(position).text, name, values[0], values[1], values[2], values[3], values[4],
                    'a' + square % 8, '1' + square / 8, color, single, expected);
            comparisons++;
            above_zero += single > 0;
        }
    }
}

/* Every rule set that has a name and one that has none, with the default values or drawn ones. */
static void check_position(const seebatch_position *position, struct rng *rng)
{
    const struct oracle_board board = oracle_board_of(position, position->stm);
    const bool drawn = rng_one_in(rng, 4), rising = rng_one_in(rng, 2);
    int16_t values[5];
    for (int type = 0; type < 5; type++)
        values[type] = (int16_t)(rising ? 50 * type + (int)rng_below(rng, 50) : (int)rng_below(rng, 3001));
    static struct every_rules every;
    if (every.n == 0)
        list_every_rules(&every);
    const size_t without = every.n_named + rng_below(rng, (unsigned)(every.n - every.n_named));
    for (size_t i = 0; i <= every.n_named; i++) {
        const struct named_rules *named = &every.list[i < every.n_named ? i : without];
        seebatch_rules rules = named->rules;
        if (drawn)
            memcpy(rules.value, values, sizeof values);
        check_rules(&rules, named->name, position, &board);
    }
}

/* ---- Cases worked out by hand ----------------------------------------------------------------------------------- */

TEST(test_worked_by_hand)
{
    enum { POSITION, SQUARE, RULES, VALUE, WHY, FIELDS };
    static struct worked_values worked;
    char *field[FIELDS];
    const char *names[MAX_RULE_SETS + 1];
    size_t cases[MAX_RULE_SETS] = {0};
    for (open_worked_values(&worked); next_worked_values(&worked, field, names);) {
        const char *side = strchr(field[SQUARE], ' ');
        if (side == NULL) /* a move */
            continue;
        const seebatch_position position = position_of_fen(field[POSITION]);
        const struct oracle_board board = oracle_board_of(&position, position.stm);
        const int square = (field[SQUARE][1] - '1') * 8 + *field[SQUARE] - 'a', expected = atoi(field[VALUE]);
        const int color = side[1] == 'w' ? SEEBATCH_WHITE : SEEBATCH_BLACK;
        for (size_t i = 0; names[i] != NULL; i++) {
            const seebatch_rules rules = rules_named(names[i]);
            const int value = seebatch_square_value(&rules, &position, square, color);
            const int by_oracle = oracle_square_value(oracle_rules_of(&rules), (const int[]){100, 325, 325, 500, 1000},
                                                      &board, square, color == SEEBATCH_BLACK);
            if (value != expected || by_oracle != expected)
                fail_msg("%s, %s: the library says %d, the oracle %d, expected %d: %s", worked.table.where, names[i],
                         value, by_oracle, expected, field[WHY]);
            cases[rule_set_of(&worked.table, names[i], strlen(names[i]))]++;
        }
    }
    for (size_t r = 0; r < rule_sets(); r++)
        if (cases[r] < 10 || cases[r] != cases[0])
            fail_msg("data/cases.tsv has %zu squares of the rule set '%s', expected %zu as of '%s', 10 at least",
                     cases[r], seebatch_rules_name(r), cases[0], seebatch_rules_name(0));
}

/* A side whose king is attacked from elsewhere gets only what captures that answer it get. */
TEST(test_legal_answers_checks)
{
    static const struct {
        const char *fen, *square;
        int color, value;
    } cases[] = {
        /* the rook on e8 gives check: the rook on a1 may not take the pawn */
        {"4r3/6k1/8/p7/8/8/8/R3K3 w - - 0 1", "a5", SEEBATCH_WHITE, 0},
        {"5r2/6k1/8/p7/8/8/8/R3K3 w - - 0 1", "a5", SEEBATCH_WHITE, 100},
        /* it may take the rook that gives check */
        {"R3r3/6k1/8/8/8/8/8/4K3 w - - 0 1", "e8", SEEBATCH_WHITE, 500},
        /* the king takes a pawn, and has left the check by that */
        {"4r3/6k1/8/8/8/8/3p4/4K3 w - - 0 1", "d2", SEEBATCH_WHITE, 100},
        /* it does not leave it along the line of the rook */
        {"4r3/6k1/8/8/8/8/8/3nK3 w - - 0 1", "d1", SEEBATCH_WHITE, 325},
        {"4r3/6k1/8/8/8/4K3/4p3/8 w - - 0 1", "e2", SEEBATCH_WHITE, 0},
        /* Black is in check, and not to move in earnest: White takes as if it had the turn, Black must answer that */
        {"4k3/8/8/r2p4/8/2N5/8/4R1K1 b - - 0 1", "d5", SEEBATCH_WHITE, 100},
        {"4k3/8/8/r2p4/8/2N5/8/6K1 b - - 0 1", "d5", SEEBATCH_WHITE, 0},
    };
    const seebatch_rules legal = rules_named("legal");
    for (size_t i = 0; i < COUNT(cases); i++) {
        const seebatch_position position = position_of_fen(cases[i].fen);
        const int square = (cases[i].square[1] - '1') * 8 + cases[i].square[0] - 'a';
        const int value = seebatch_square_value(&legal, &position, square, cases[i].color);
        if (value != cases[i].value)
            fail_msg("%s, %s: %d, expected %d", cases[i].fen, cases[i].square, value, cases[i].value);
    }
}

/* ---- Against the oracle ----------------------------------------------------------------------------------------- */

static void report_count(const char *what)
{
    printf("%s: %llu comparisons, %llu of them above 0; %llu left out as too long for the oracle\n", what,
           (unsigned long long)comparisons, (unsigned long long)above_zero, (unsigned long long)passed_over);
}

static void check_file(const char *name)
{
    struct lines lines;
    struct rng rng = rng_for(seed, name);
    comparisons = passed_over = above_zero = 0;
    for (open_lines(&lines, name); next_line(&lines);) {
        const seebatch_position position = position_of_fen(lines.text);
        check_position(&position, &rng);
    }
    report_count(name);
    assert_true(comparisons > 700000);
    assert_true(above_zero > comparisons / 200);
}

TEST(test_games_against_oracle) { check_file("data/games.fen"); }

TEST(test_random_against_oracle) { check_file("data/random.fen"); }

TEST(test_pathological_against_oracle)
{
    enum { ROUNDS = 60 / SHARE };
    static struct batch batch;
    struct rng rng = rng_for(seed, "pathological");
    uint64_t without_moves = 0;
    comparisons = passed_over = above_zero = 0;
    for (int round = 0; round < ROUNDS; round++) {
        boards_fill(&batch, BOARDS_PATHOLOGICAL, NULL, rng_next(&rng), 64, &without_moves);
        for (size_t i = 0; i < batch.n_positions; i++)
            check_position(&batch.positions[i], &rng);
    }
    report_count("pathological boards");
    assert_true(comparisons > 1000000 / SHARE);
    assert_true(above_zero > comparisons / 50);
    assert_true(passed_over < comparisons / 20);
}

/* Boards that the evaluation functions take, though nobody could play on: no kings, both in check. */
TEST(test_unsound_boards_against_oracle)
{
    enum { BOARDS = 2000 / SHARE };
    struct rng rng = rng_for(seed, "unsound");
    comparisons = passed_over = above_zero = 0;
    for (int n = 0; n < BOARDS; n++) {
        struct pieces pieces;
        memset(&pieces, 0, sizeof pieces);
        for (unsigned i = 4 + rng_below(&rng, 28); i > 0; i--)
            pieces_put(&pieces, (int)rng_below(&rng, 64), (int)rng_below(&rng, 2), (int)rng_below(&rng, 5));
        for (int color = 0; color < 2; color++) {
            int square = (int)rng_below(&rng, 64);
            if (!rng_one_in(&rng, 4) && !(pieces.by_type[SEEBATCH_KING] >> square & 1))
                pieces_put(&pieces, square, color, SEEBATCH_KING);
        }
        const seebatch_position position =
            seebatch_position_from_bitboards(pieces.by_type, pieces.by_color, (int)rng_below(&rng, 2));
        check_position(&position, &rng);
    }
    report_count("unsound boards");
    assert_true(above_zero > comparisons / 50);
}

int main(void) { return run_all_tests(NULL); }
