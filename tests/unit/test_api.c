/*
 * What seebatch.h promises besides the values, and the differential harness does not try: kernels by name, the longest
 * list of one position, boards without kings, pins that are wrong.
 */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "test_support.h"

TEST(kernels_are_chosen_by_name)
{
    seebatch_error error;
    size_t n = 0;
    bool scalar = false;
    for (; seebatch_kernel_name(n); n++) {
        const char *name = seebatch_kernel_name(n);
        const bool available = seebatch_kernel_available(n);
        assert_non_null(seebatch_kernel_description(n));
        scalar = scalar || (strcmp(name, "scalar") == 0 && available);
        assert_int_equal(seebatch_kernel_use(name, &error), available ? SEEBATCH_OK : SEEBATCH_BAD_KERNEL);
        if (available)
            assert_string_equal(seebatch_kernel_active(), name);
        else
            assert_non_null(strstr(error.text, "cannot run"));
    }
    assert_true(scalar);
    assert_null(seebatch_kernel_description(n));
    assert_false(seebatch_kernel_available(n));
}

TEST(unknown_kernels_are_refused)
{
    static const char *const unknown[] = {"", "scala", "scalar ", "AVX2", "scalarscalarscalarscalarscalarscalarscalar"};
    assert_int_equal(seebatch_kernel_use("scalar", NULL), SEEBATCH_OK);
    for (size_t i = 0; i < COUNT(unknown); i++) {
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
    size_t best = 0;
    while (!seebatch_kernel_available(best))
        best++;
    setenv("SEEBATCH_KERNEL", "scalar", 1);
    assert_int_equal(seebatch_kernel_use(NULL, &error), SEEBATCH_OK);
    assert_string_equal(seebatch_kernel_active(), "scalar");
    setenv("SEEBATCH_KERNEL", "none", 1);
    assert_int_equal(seebatch_kernel_use(NULL, &error), SEEBATCH_BAD_KERNEL);
    assert_non_null(strstr(error.text, "SEEBATCH_KERNEL"));
    setenv("SEEBATCH_KERNEL", "", 1); /* empty: the best */
    assert_int_equal(seebatch_kernel_use(NULL, &error), SEEBATCH_OK);
    assert_string_equal(seebatch_kernel_active(), seebatch_kernel_name(best));
    unsetenv("SEEBATCH_KERNEL");
}

/* The longest list of one position there may be, by every kernel. */
TEST(long_lists_of_one_position)
{
    seebatch_move legal[SEEBATCH_MAX_MOVES], list[SEEBATCH_MAX_MOVES];
    int16_t values[SEEBATCH_MAX_MOVES];
    uint64_t mask[SEEBATCH_MASK_WORDS(SEEBATCH_MAX_MOVES)];
    const seebatch_rules rules = rules_named("swap");
    const seebatch_position p = position_of_fen("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -");
    const size_t n_legal = seebatch_legal_moves(&p, legal);
    for (size_t k = 0; k < SEEBATCH_MAX_MOVES; k++)
        list[k] = legal[k % n_legal];
    for (size_t kernel = 0; use_next_kernel(&kernel);) {
        for (size_t n = 250; n <= SEEBATCH_MAX_MOVES; n += n < 260 ? 1 : 37) {
            seebatch_values(&rules, &p, NULL, list, n, values);
            seebatch_ge_mask_each(&rules, &p, NULL, list, n, values, mask);
            for (size_t k = 0; k < n; k++) {
                assert_int_equal(values[k], seebatch_value(&rules, &p, NULL, list[k]));
                assert_true(bit_of(mask, k));
            }
        }
    }
}

/* Kings need not be there under rules that ask for no legal captures: then nothing is pinned. */
TEST(boards_without_kings)
{
    const seebatch_move a4d4 = seebatch_make_move(24, 27, 0), list[3] = {a4d4, a4d4, a4d4};
    for (size_t r = 0; r < rule_sets(); r++) {
        const seebatch_rules rules = rules_at(r);
        if (rules.pins == SEEBATCH_PINS_LEGAL)
            continue;
        seebatch_position p = seebatch_position_empty(SEEBATCH_WHITE);
        seebatch_put_piece(&p, 24, SEEBATCH_ROOK, SEEBATCH_WHITE);
        seebatch_put_piece(&p, 27, SEEBATCH_KNIGHT, SEEBATCH_BLACK);
        assert_int_equal(seebatch_value(&rules, &p, NULL, a4d4), 325);
        seebatch_put_piece(&p, 36, SEEBATCH_PAWN, SEEBATCH_BLACK); /* e5 takes back, and a bishop behind it */
        seebatch_put_piece(&p, 45, SEEBATCH_BISHOP, SEEBATCH_BLACK);
        seebatch_put_piece(&p, 18, SEEBATCH_PAWN, SEEBATCH_WHITE); /* which would be lost for theirs */
        for (size_t kernel = 0; use_next_kernel(&kernel);) {
            int16_t values[3];
            seebatch_values(&rules, &p, NULL, list, 3, values);
            assert_true(values[0] == 325 - 500 && values[1] == 325 - 500 && values[2] == 325 - 500);
        }
    }
}

/* A blocker is held back by the pins that the caller hands in, wrong as they may be: they are read, of a single move
 * (in lanes they make no difference where there is no line to the king). */
TEST(handed_in_pins_are_used)
{
    const seebatch_position p = position_of_fen("4k3/4n3/2p5/3p4/8/8/8/3RK3 w - - 0 1");
    const seebatch_rules rules = rules_named("stockfish");
    const seebatch_pins all_held = {{0, UINT64_MAX}, {0, UINT64_C(1) << 4}}, none = {{0, 0}, {0, 0}};
    seebatch_move d1d5 = seebatch_make_move(3, 35, 0);
    int16_t value;
    assert_int_equal(seebatch_value(&rules, &p, NULL, d1d5), -400);
    assert_int_equal(seebatch_value(&rules, &p, &all_held, d1d5), 100);
    assert_int_equal(seebatch_order(&rules, &p, &none, &d1d5, 1, 0, &value), 0);
    assert_int_equal(value, -400);
    assert_int_equal(seebatch_order(&rules, &p, &all_held, &d1d5, 1, 0, &value), 1);
    assert_int_equal(value, 100);
}

int main(void) { return run_all_tests(NULL); }
