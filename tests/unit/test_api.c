/*
 * What seebatch.h promises besides the values, and the differential harness does not try: kernels by name, batches of
 * more positions than a chunk has, the longest list of one position, boards without kings, pins that are wrong.
 */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "test_support.h"

enum { POSITIONS = 400, MOVES = POSITIONS * 64 };

static seebatch_position positions[POSITIONS];
static seebatch_move moves[MOVES];
static size_t offsets[POSITIONS + 1];

/* All legal moves of positions from games. */
static int read_positions(void **state)
{
    (void)state;
    struct lines lines;
    open_lines(&lines, "data/games.fen");
    for (size_t i = 0; i < POSITIONS && next_line(&lines); i++) {
        seebatch_move legal[SEEBATCH_MAX_MOVES];
        positions[i] = position_of_fen(lines.text);
        size_t n = seebatch_legal_moves(&positions[i], legal);
        n = n < 64 ? n : 64;
        memcpy(moves + offsets[i], legal, n * sizeof *legal);
        offsets[i + 1] = offsets[i] + n;
    }
    close_lines(&lines);
    return 0;
}

static seebatch_rules rules_of(const char *name)
{
    seebatch_rules rules;
    assert_int_equal(seebatch_rules_named(name, &rules, NULL), SEEBATCH_OK);
    return rules;
}

TEST(kernels_are_chosen_by_name)
{
    seebatch_error error;
    size_t n = 0;
    bool scalar = false;
    for (; seebatch_kernel_name(n); n++) {
        const char *name = seebatch_kernel_name(n);
        assert_non_null(seebatch_kernel_description(n));
        scalar = scalar || (strcmp(name, "scalar") == 0 && seebatch_kernel_available(n));
        if (seebatch_kernel_available(n)) {
            assert_int_equal(seebatch_kernel_use(name, &error), SEEBATCH_OK);
            assert_string_equal(seebatch_kernel_active(), name);
        } else {
            printf("skipped: %s: not available on this machine\n", name);
            assert_int_equal(seebatch_kernel_use(name, &error), SEEBATCH_BAD_KERNEL);
            assert_non_null(strstr(error.text, "cannot run"));
        }
    }
    assert_true(scalar);
    assert_null(seebatch_kernel_description(n));
    assert_false(seebatch_kernel_available(n));
}

TEST(unknown_kernels_are_refused)
{
    static const char *const unknown[] = {"", "scala", "scalar ", "AVX2", "scalarscalarscalarscalarscalarscalarscalar"};
    assert_int_equal(seebatch_kernel_use("scalar", NULL), SEEBATCH_OK);
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        seebatch_error error;
        assert_int_equal(seebatch_kernel_use(unknown[i], &error), SEEBATCH_BAD_KERNEL);
        assert_non_null(strstr(error.text, "expected one of those available: "));
        assert_non_null(strstr(error.text, "scalar"));
        assert_string_equal(seebatch_kernel_active(), "scalar"); /* the choice stays */
        assert_int_equal(seebatch_kernel_use(unknown[i], NULL), SEEBATCH_BAD_KERNEL);
    }
}

TEST(the_environment_names_a_kernel)
{
    seebatch_error error;
    setenv("SEEBATCH_KERNEL", "scalar", 1);
    assert_int_equal(seebatch_kernel_use(NULL, &error), SEEBATCH_OK);
    assert_string_equal(seebatch_kernel_active(), "scalar");
    setenv("SEEBATCH_KERNEL", "none", 1);
    assert_int_equal(seebatch_kernel_use(NULL, &error), SEEBATCH_BAD_KERNEL);
    assert_non_null(strstr(error.text, "SEEBATCH_KERNEL"));
    setenv("SEEBATCH_KERNEL", "", 1); /* empty: the best */
    assert_int_equal(seebatch_kernel_use(NULL, &error), SEEBATCH_OK);
    unsetenv("SEEBATCH_KERNEL");
    assert_int_equal(seebatch_kernel_use(NULL, &error), SEEBATCH_OK);
    size_t best = 0;
    while (!seebatch_kernel_available(best))
        best++;
    assert_string_equal(seebatch_kernel_active(), seebatch_kernel_name(best));
}

/* Kernels cut a batch into chunks, where a position may be cut as well: lists of few moves, none, or many, so that the
 * cuts fall everywhere. */
TEST(a_batch_may_be_cut_anywhere)
{
    static seebatch_move some[MOVES];
    static size_t starts[POSITIONS + 1];
    static int16_t expected[MOVES], values[MOVES];
    static uint64_t mask[SEEBATCH_MASK_WORDS(MOVES)];
    const char *const chosen = seebatch_kernel_active();
    const char *const names[] = {"swap", "stockfish", "legal"};
    uint64_t random = 1;
    for (int round = 0; round < 60; round++) {
        const seebatch_rules rules = rules_of(names[round % 3]);
        for (size_t i = 0; i < POSITIONS; i++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
            const size_t have = offsets[i + 1] - offsets[i], most = random >> 60 ? 1 + (size_t)round % 9 : 64;
            const size_t wanted = (random >> 32) % (most + 1), n = wanted < have ? wanted : have;
            memcpy(some + starts[i], moves + offsets[i], n * sizeof *some);
            starts[i + 1] = starts[i] + n;
            for (size_t k = starts[i]; k < starts[i + 1]; k++)
                expected[k] = (int16_t)seebatch_value(&rules, &positions[i], NULL, some[k]);
        }
        const size_t n = starts[POSITIONS];
        for (size_t k = 0; seebatch_kernel_name(k); k++) {
            if (!seebatch_kernel_available(k))
                continue;
            assert_int_equal(seebatch_kernel_use(seebatch_kernel_name(k), NULL), SEEBATCH_OK);
            seebatch_batch_values(&rules, &(const seebatch_batch){positions, POSITIONS, starts, some, NULL}, values,
                                  NULL);
            assert_memory_equal(values, expected, n * sizeof *values);
            seebatch_batch_ge_mask(&rules, &(const seebatch_batch){positions, POSITIONS, starts, some, NULL}, 0, mask,
                                   NULL);
            for (size_t j = 0; j < n; j++)
                assert_int_equal(mask[j / 64] >> j % 64 & 1, expected[j] >= 0);
        }
    }
    assert_int_equal(seebatch_kernel_use(chosen, NULL), SEEBATCH_OK);
}

/* The longest list of one position there may be, by every kernel. */
TEST(long_lists_of_one_position)
{
    seebatch_move list[SEEBATCH_MAX_MOVES];
    int16_t values[SEEBATCH_MAX_MOVES];
    uint64_t mask[SEEBATCH_MASK_WORDS(SEEBATCH_MAX_MOVES)];
    const seebatch_rules rules = rules_of("swap");
    for (size_t k = 0; k < SEEBATCH_MAX_MOVES; k++)
        list[k] = moves[k % offsets[1]];
    for (size_t i = 0; seebatch_kernel_name(i); i++) {
        if (seebatch_kernel_use(seebatch_kernel_name(i), NULL) != SEEBATCH_OK)
            continue;
        for (size_t n = 250; n <= SEEBATCH_MAX_MOVES; n += n < 260 ? 1 : 37) {
            seebatch_values(&rules, positions, NULL, list, n, values);
            seebatch_ge_mask_each(&rules, positions, NULL, list, n, values, mask);
            for (size_t k = 0; k < n; k++) {
                assert_int_equal(values[k], seebatch_value(&rules, positions, NULL, list[k]));
                assert_true(mask[k / 64] >> k % 64 & 1);
            }
        }
    }
    assert_int_equal(seebatch_kernel_use(NULL, NULL), SEEBATCH_OK);
}

/* Kings need not be there under rules that ask for no legal captures: then nothing is pinned. */
TEST(boards_without_kings)
{
    static const char *const names[] = {"swap", "promotions", "ethereal", "stockfish", "stockfish-2016"};
    const seebatch_move a4d4 = seebatch_make_move(24, 27, 0);
    for (size_t r = 0; r < sizeof names / sizeof *names; r++) {
        const seebatch_rules rules = rules_of(names[r]);
        seebatch_position p = seebatch_position_empty(SEEBATCH_WHITE);
        seebatch_put_piece(&p, 24, SEEBATCH_ROOK, SEEBATCH_WHITE);
        seebatch_put_piece(&p, 27, SEEBATCH_KNIGHT, SEEBATCH_BLACK);
        assert_int_equal(seebatch_value(&rules, &p, NULL, a4d4), 325);
        seebatch_put_piece(&p, 36, SEEBATCH_PAWN, SEEBATCH_BLACK); /* e5 takes back, and a bishop behind it */
        seebatch_put_piece(&p, 45, SEEBATCH_BISHOP, SEEBATCH_BLACK);
        seebatch_put_piece(&p, 18, SEEBATCH_PAWN, SEEBATCH_WHITE);
        assert_int_equal(seebatch_value(&rules, &p, NULL, a4d4), 325 - 500); /* our pawn would be lost for theirs */
        const seebatch_move list[3] = {a4d4, a4d4, a4d4};
        int16_t values[3];
        for (size_t k = 0; seebatch_kernel_name(k); k++) {
            if (seebatch_kernel_use(seebatch_kernel_name(k), NULL) != SEEBATCH_OK)
                continue;
            seebatch_values(&rules, &p, NULL, list, 3, values);
            assert_true(values[0] == -175 && values[1] == -175 && values[2] == -175);
        }
        assert_int_equal(seebatch_kernel_use(NULL, NULL), SEEBATCH_OK);
    }
}

/* A blocker is held back by the pins that the caller hands in, wrong as they may be: they are read. */
TEST(handed_in_pins_are_used)
{
    static const char fen[] = "4k3/4n3/2p5/3p4/8/8/8/3RK3 w - - 0 1";
    const seebatch_rules rules = rules_of("stockfish");
    seebatch_position position;
    assert_int_equal(seebatch_position_from_fen(&position, fen, strlen(fen), NULL), SEEBATCH_OK);
    const seebatch_move d1d5 = seebatch_make_move(3, 35, 0);
    const seebatch_pins all_held = {{0, UINT64_MAX}, {0, UINT64_C(1) << 4}};
    assert_int_equal(seebatch_value(&rules, &position, NULL, d1d5), -400);
    assert_int_equal(seebatch_value(&rules, &position, &all_held, d1d5), 100);
}

int main(void) { return run_all_tests(read_positions); }
