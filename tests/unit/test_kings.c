/*
 * Kings in lanes: the boards of docs/internals/kings.md, on which a king keeps a piece from capturing, among each other and in
 * batches of every size. Each rule set that heeds them gives the value worked out by hand, and so does every kernel.
 */
#include "test_support.h"

static const struct board {
    const char *fen, *move, *rules;
    int value, swap;
} boards[] = {
    /* A first attacker is pinned: the rook on e7 may not take the queen. */
    {"4k3/4r3/8/8/8/8/6Q1/4RK2 w - - 0 1", "g2e4", "stockfish", 0, -500},
    /* An x-ray attacker is: behind the pawn on e6 the bishop, which the rook pins, may not take the knight. */
    {"5k2/5b2/4p3/3p4/2P5/2N5/8/5RK1 w - - 0 1", "c4d5", "stockfish", 100, 0},
    /* So is the third on a line, the bishop on g8, which would join last. */
    {"R5bk/5b2/4b3/3p4/2P5/2N5/8/3Q1K2 w - - 0 1", "c4d5", "stockfish", 100, 0},
    {"R5bk/5b2/4b3/3p4/2P5/2N5/8/3Q1K2 w - - 0 1", "c4d5", "legal", 100, 0},
    /* It stands before the enemy's king. */
    {"4k3/8/1p6/2p5/1P2N3/8/8/4RK2 w - - 0 1", "b4c5", "pawnocchio", 0, 100},
    /* So does a king. */
    {"1Q6/8/8/4r3/K4k1r/8/8/8 w - - 0 1", "b8e5", "pawnocchio", 500, -500},
    /* Held pieces do not guard against a king, where they take no part. */
    {"4r3/3k4/3p4/8/4N3/8/8/3RK3 w - - 0 1", "d1d6", "stormphrax", -400, 100},
    /* The first move takes the only pinner away: the bishop on d7 stays held, and the other way round. */
    {"4k3/3b4/8/1Q3p2/8/8/8/6K1 w - - 0 1", "b5f5", "stormphrax", 100, -900},
    {"4k3/3b4/8/1Q3p2/8/8/8/6K1 w - - 0 1", "b5f5", "stockfish", -900, -900},
    /* What moves first uncovers a rook: Black is in check, and his rook may not take the bishop. */
    {"k2r4/3p4/8/8/B7/8/8/R6K w - - 0 1", "a4d7", "legal", 100, -225},
    /* What takes back uncovers its own king: the bishop on f4 is pinned. */
    {"k7/8/6N1/4pr2/5B2/2q5/8/5K2 w - - 0 1", "g6e5", "legal", -225, -50},
    /* Both pawns leave the rank of a king by one move en passant. */
    {"8/2p5/8/k2pP2R/8/8/8/7K w - d6 0 1", "e5d6", "legal", 100, 0},
    /* A blocker that takes no part. */
    {"4k3/4b3/8/p7/1P6/8/8/4RK2 w - - 0 1", "b4a5", "stockfish", 100, 100},
    {"4k3/4b3/8/p7/1P6/8/8/4RK2 w - - 0 1", "b4a5", "legal", 100, 100},
    /* No slider at all. */
    {"4k3/8/3p4/4p3/3P4/8/8/4K3 w - - 0 1", "d4e5", "legal", 0, 0},
};

enum { BOARDS = sizeof boards / sizeof *boards, MOST = 300 };

static seebatch_position position[BOARDS];
static seebatch_move move[BOARDS];

static int read_boards(void **state)
{
    (void)state;
    for (size_t i = 0; i < BOARDS; i++) {
        assert_int_equal(seebatch_position_from_fen(boards[i].fen, strlen(boards[i].fen), &position[i], NULL),
                         SEEBATCH_OK);
        assert_int_equal(seebatch_move_from_uci(&position[i], boards[i].move, strlen(boards[i].move), &move[i], NULL),
                         SEEBATCH_OK);
    }
    return 0;
}

static seebatch_rules rules_called(const char *name)
{
    seebatch_rules rules;
    assert_int_equal(seebatch_rules_named(name, &rules, NULL), SEEBATCH_OK);
    return rules;
}

TEST(test_values_by_hand)
{
    const seebatch_rules swap = rules_called("swap");
    for (size_t i = 0; i < BOARDS; i++) {
        const seebatch_rules rules = rules_called(boards[i].rules);
        assert_int_equal(seebatch_value(&rules, &position[i], NULL, move[i]), boards[i].value);
        assert_int_equal(seebatch_value(&swap, &position[i], NULL, move[i]), boards[i].swap);
    }
}

/* n boards in turns, from the first one given on, each with its move so many times. */
static void check_batch(const seebatch_rules *rules, size_t n, size_t first, size_t times, bool at_hand)
{
    static seebatch_position some[MOST];
    static seebatch_pins pins[MOST];
    static seebatch_move moves[MOST * 16];
    static int16_t values[MOST * 16];
    static uint64_t mask[SEEBATCH_MASK_WORDS(MOST * 16)];
    static size_t offsets[MOST + 1];
    for (size_t i = 0; i < n; i++) {
        some[i] = position[(first + i) % BOARDS];
        seebatch_find_pins(rules, &some[i], &pins[i]);
        offsets[i + 1] = (i + 1) * times;
        for (size_t k = 0; k < times; k++)
            moves[i * times + k] = move[(first + i) % BOARDS];
    }
    const seebatch_batch batch = {
        .positions = some, .n_positions = n, .offsets = offsets, .moves = moves, .pins = at_hand ? pins : NULL};
    assert_int_equal(seebatch_batch_values(rules, &batch, values, NULL), SEEBATCH_OK);
    assert_int_equal(seebatch_batch_ge_mask(rules, &batch, 0, mask, NULL), SEEBATCH_OK);
    for (size_t i = 0; i < n; i++) {
        const int expected = seebatch_value(rules, &some[i], NULL, moves[i * times]);
        for (size_t k = i * times; k < (i + 1) * times; k++) {
            assert_int_equal(values[k], expected);
            assert_int_equal(mask[k / 64] >> k % 64 & 1, expected >= 0);
        }
    }
}

/* One move a position and fifteen, which go other paths, with the pins at hand and without; of one position, too. */
static void check_batches(const seebatch_rules *rules)
{
    static const size_t sizes[] = {1, 2, 3, 7, 8, 12, 33, 64, 256, MOST};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t first = 0; first < BOARDS; first++)
            for (int form = 0; form < 4; form++)
                check_batch(rules, sizes[s], first, form & 1 ? 15 : 1, form & 2);
    for (size_t first = 0; first < BOARDS; first++)
        for (size_t times = 1; times <= 16; times++)
            check_batch(rules, 1, first, times, false);
}

TEST(test_every_kernel)
{
    const char *name;
    for (size_t kernel = 0; (name = seebatch_kernel_name(kernel)); kernel++) {
        if (!seebatch_kernel_available(kernel))
            continue;
        assert_int_equal(seebatch_kernel_use(name, NULL), SEEBATCH_OK);
        for (size_t i = 0; i < BOARDS; i++) {
            const seebatch_rules rules = rules_called(boards[i].rules);
            check_batches(&rules);
        }
    }
}

int main(void) { return run_all_tests(read_boards); }
