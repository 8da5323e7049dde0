/*
 * Tests of the oracle itself, since everything else is held against it: what must hold between its rule sets on
 * thousands of random boards, most of all that LEGAL, with its memory and its early stops, is exhaustive minimax.
 * (test_rules and test_square hold it against the cases that were worked out by hand.)
 */
#include "test_support.h"

#include "every_rules.h"

static const int default_values[5] = {100, 325, 325, 500, 1000};
static int square_named(const char *name) { return name[0] - 'a' + (name[1] - '1') * 8; }

static struct oracle_board board_from(const char *fen)
{
    struct oracle_board board;
    if (!oracle_board_from_fen(&board, fen))
        fail_msg("%s is not read as a position", fen);
    return board;
}

/* The order of capture is that of the piece types, whatever the table says. */
TEST(the_order_of_capture_ignores_the_table)
{
    const int odd[5] = {900, 300, 100, 50, 10};
    struct oracle_board board = board_from("3q3k/8/2p5/3n4/4P3/8/8/3R2K1 w - -");
    /* exd5 +300, cxd5 +900, Rxd5 +900, Qxd5 +50: the pawn takes before the queen, although the table has the queen as
     * the cheapest, so Black gets 900 - (900 - 50). */
    assert_int_equal(oracle_value(oracle_swap, odd, &board, square_named("e4"), square_named("d5"), 0), 250);
    /* In best order Black takes with the queen, which White's rook leaves alone: the pawn would take it. */
    assert_int_equal(oracle_value(oracle_minimax, odd, &board, square_named("e4"), square_named("d5"), 0), -600);
    assert_int_equal(oracle_value(oracle_legal, odd, &board, square_named("e4"), square_named("d5"), 0), -600);
}

/* Boards that no game has: the evaluation needs none. */
TEST(boards_without_kings_or_rights)
{
    for (size_t i = 0; i <= rule_sets(); i++) {
        const seebatch_rules named = i < rule_sets() ? rules_at(i) : seebatch_rules_default();
        const struct oracle_rules rules = i < rule_sets() ? oracle_rules_of(&named) : oracle_minimax;
        struct oracle_board board = board_from("8/8/3p4/4p3/3P4/8/1B6/8 w");
        assert_int_equal(oracle_value(rules, default_values, &board, square_named("d4"), square_named("e5"), 0), 100);
        /* The slider behind the king that takes: the king would still stand in its line. */
        board = board_from("8/8/8/4p3/3Pk3/8/8/4RK2 w");
        assert_int_equal(oracle_value(rules, default_values, &board, square_named("d4"), square_named("e5"), 0), 100);
    }
}

TEST(fields_of_rules)
{
    struct oracle_rules rules = oracle_swap, other = oracle_swap;
    assert_true(oracle_set_field(&rules, "pins", "all") && oracle_set_field(&rules, "castling", "always"));
    other = rules;
    assert_false(oracle_set_field(&rules, "Pins", "any") || oracle_set_field(&rules, "pins", "some") ||
                 oracle_set_field(&rules, "castling", "standing") || oracle_set_field(&rules, "", ""));
    assert_memory_equal(&rules, &other, sizeof rules);
    assert_true(oracle_set_field(&rules, "pins", "any") && oracle_set_field(&rules, "promotion", "zero"));
    assert_int_equal(rules.castling, other.castling);
    assert_true(rules.pins != other.pins && rules.promotion != other.promotion);
}

/* ---- What must hold on any board -------------------------------------------------------------------------------- */

/* A crowd of pieces on the lines and knight's squares of a target that holds a piece, a few elsewhere, one king a side.
 * Pawns may stand on the first and last rank: the oracle does not mind. */
static struct oracle_board random_board(int *target, int crowd)
{
    static const char pieces[] = "PPNBRQppnbrq";
    struct oracle_board board = {.black_to_move = false};
    memset(board.square, '.', sizeof board.square);
    *target = (int)random_below(64);
    for (int i = 0; i < 5; i++)
        board.square[random_below(64)] = pieces[random_below(12)];
    for (int placed = 0; placed < crowd;) {
        int file = (int)random_below(8), rank = (int)random_below(8);
        int files = abs(file - *target % 8), ranks = abs(rank - *target / 8);
        if (files == 0 || ranks == 0 || files == ranks || files * ranks == 2) {
            board.square[rank * 8 + file] = pieces[random_below(12)];
            placed++;
        }
    }
    for (const char *king = "Kk"; *king != '\0'; king++) {
        int s;
        do
            s = (int)random_below(64);
        while (s == *target || board.square[s] == 'K');
        board.square[s] = *king;
    }
    if (board.square[*target] == '.')
        board.square[*target] = pieces[random_below(12)];
    return board;
}

static void random_values(int values[5])
{
    for (int i = 0; i < 5; i++)
        values[i] = random_below(3) == 0 ? (int)random_below(4) * 1000 : (int)random_below(3001);
}

static void expect_same(const struct oracle_board *board, int square, const int values[5], const char *what, int one,
                        int other)
{
    char picture[73], *end = picture;
    if (one == other)
        return;
    for (int rank = 7; rank >= 0; rank--, *end++ = rank >= 0 ? '/' : '\0')
        for (int file = 0; file < 8; file++)
            *end++ = board->square[rank * 8 + file];
    fail_msg("%s: %d and %d on square %d of %s, values %d,%d,%d,%d,%d", what, one, other, square, picture, values[0],
             values[1], values[2], values[3], values[4]);
}

/* Returns whether a side gets anything on the square. */
static bool legal_is_minimax(const struct oracle_board *board, int square, const int values[5], bool black)
{
    const int minimax = oracle_square_value(oracle_minimax, values, board, square, black);
    expect_same(board, square, values, "legal and minimax as square values",
                oracle_square_value(oracle_legal, values, board, square, black), minimax);
    return minimax != 0;
}

TEST(legal_is_exhaustive_minimax)
{
    int decided = 0;
    for (int i = 0; i < 40000 / SHARE; i++) {
        int target, values[5];
        struct oracle_board board = random_board(&target, 3 + (int)random_below(9));
        bool black = board.square[target] < 'a';
        memcpy(values, default_values, sizeof values);
        if (i % 3 == 0)
            random_values(values);
        decided += legal_is_minimax(&board, target, values, black);
        for (int from = 0; from < 64; from++) {
            char mover = board.square[from];
            if (mover == '.' || (mover >= 'a') != black || from == target)
                continue;
            /* As a first move, legal or not: the exchange after it is the same for both. */
            char promotion = (char)((mover | 32) == 'p' && (target < 8 || target > 55) ? "qrbn"[from % 4] : 0);
            expect_same(&board, target, values, "legal and minimax as values of a move",
                        oracle_value(oracle_legal, values, &board, from, target, promotion),
                        oracle_value(oracle_minimax, values, &board, from, target, promotion));
        }
    }
    assert_between(decided, 10000 / SHARE, 40000 / SHARE);
}

/* The same where so many orders are possible that LEGAL needs its memory (it has none on shorter exchanges): pieces on
 * all knight's squares and next to the target, up to a dozen, of values that make stopping and going on close. */
TEST(legal_is_exhaustive_minimax_with_a_memory)
{
    int decided = 0;
    for (int i = 0; i < 120; i++) {
        struct oracle_board board = board_from("7k/8/8/8/8/8/8/K7 w");
        int target = square_named("d5"), values[5];
        static const char attackers[] = "b4b6c3c7e3e7f4f6c4c5d4d6e5e6";
        for (size_t a = 0; a < 16; a += 2)
            board.square[square_named(attackers + a)] = "Nn"[random_below(2)];
        for (size_t a = 16; a < sizeof attackers - 1; a += 2)
            board.square[square_named(attackers + a)] = ".QqRrBb...."[random_below(11)];
        board.square[target] = 'q';
        for (int k = 0; k < 5; k++)
            values[k] = (int)random_below(400);
        decided += legal_is_minimax(&board, target, values, false);
    }
    assert_between(decided, 60, 120);
}

/* Two dozen attackers of one square, more than brute force can play through: LEGAL must answer. Where all of them are
 * rooks no order is better than another, and the plain list knows the answer. */
TEST(legal_answers_on_crowded_boards)
{
    struct oracle_board board = board_from("3q3k/3nrn2/2nqrqn1/RRQQprrr/2NQRQN1/3NRN2/b3Q2B/7K w");
    assert_int_equal(oracle_square_value(oracle_legal, default_values, &board, square_named("e5"), false), 0);
    board = board_from("4r1k1/4r3/4r3/RRRRrrrr/4R3/4R3/4R3/1K2R3 w");
    assert_int_equal(oracle_square_value(oracle_legal, default_values, &board, square_named("e5"), false),
                     oracle_square_value(oracle_swap, default_values, &board, square_named("e5"), false));
}

/* Rules that have a list, drawn from all combinations of the library's fields. */
static struct oracle_rules drawn_rules(void)
{
    static struct every_rules every;
    const seebatch_rules *drawn;
    if (every.n == 0)
        list_every_rules(&every);
    do
        drawn = &every.list[random_below((unsigned)every.n)].rules;
    while (drawn->order == SEEBATCH_BEST_ORDER);
    return oracle_rules_of(drawn);
}

/* The negamax of the unpruned list is the value, under all rules that have a list. */
TEST(swap_lists_fold_to_the_value)
{
    size_t longest = 0;
    for (int i = 0; i < 200000 / SHARE; i++) {
        int target, from_squares[64];
        long gain[64], next;
        bool has_next;
        struct oracle_board board = random_board(&target, 4 + (int)random_below(16));
        int from = (int)random_below(64);
        if (board.square[from] == '.' || (board.square[from] >= 'a') == (board.square[target] >= 'a'))
            continue;
        for (int draw = 0; draw < 8; draw++) {
            const struct oracle_rules rules = drawn_rules();
            char promotion = (char)((board.square[from] | 32) == 'p' && (target < 8 || target > 55) ? 'r' : 0);
            size_t n = oracle_swap_list(rules, default_values, &board, from, target, promotion, from_squares, gain,
                                        &has_next, &next);
            longest = n > longest ? n : longest;
            /* An entry is the balance for its own side when the exchange ends there; its side may not be made to go
             * further than it gains by, from the second entry on. */
            for (size_t k = n; k-- > 1;)
                if (-gain[k] < gain[k - 1])
                    gain[k - 1] = -gain[k];
            const int found = oracle_value(rules, default_values, &board, from, target, promotion);
            if (n > 0 || found != ORACLE_PASSES)
                expect_same(&board, target, default_values, "value and folded list", found, n ? (int)gain[0] : 0);
        }
    }
    assert_between(longest, 8, 64);
}

int main(void) { return run_all_tests(NULL); }
