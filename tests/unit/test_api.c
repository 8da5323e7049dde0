/*
 * What seebatch.h promises besides the values: kernels by name, calls with nothing to do, slices of a batch, bits past
 * the end, thresholds at the ends of their range, pins handed in.
 */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "seebatch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { POSITIONS = 400, MOVES = POSITIONS * 64 };

static seebatch_position positions[POSITIONS];
static seebatch_move moves[MOVES];
static size_t offsets[POSITIONS + 1];

/* All legal moves of positions from games. */
static int read_positions(void **state)
{
    (void)state;
    char line[256];
    FILE *file = fopen("data/games.fen", "r");
    if (!file)
        return -1;
    for (size_t i = 0; i < POSITIONS; i++) {
        if (!fgets(line, sizeof line, file) ||
            seebatch_position_from_fen(&positions[i], line, strcspn(line, "\n"), NULL) != SEEBATCH_OK)
            return -1;
        seebatch_move legal[SEEBATCH_MAX_MOVES];
        size_t n = seebatch_legal_moves(&positions[i], legal);
        n = n < 64 ? n : 64;
        memcpy(moves + offsets[i], legal, n * sizeof *legal);
        offsets[i + 1] = offsets[i] + n;
    }
    return fclose(file);
}

static seebatch_rules rules_of(const char *name)
{
    seebatch_rules rules;
    assert_int_equal(seebatch_rules_named(name, &rules, NULL), SEEBATCH_OK);
    return rules;
}

static void kernels_are_chosen_by_name(void **state)
{
    (void)state;
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

static void unknown_kernels_are_refused(void **state)
{
    (void)state;
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

static void the_environment_names_a_kernel(void **state)
{
    (void)state;
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

static void nothing_to_do_touches_nothing(void **state)
{
    (void)state;
    seebatch_values(NULL, NULL, NULL, NULL, 0, NULL);
    seebatch_ge_mask(NULL, NULL, NULL, NULL, 0, 0, NULL);
    seebatch_ge_mask_each(NULL, NULL, NULL, NULL, 0, NULL, NULL);
    seebatch_batch_values(NULL, &(const seebatch_batch){NULL, 0, NULL, NULL, NULL}, NULL, NULL);
    seebatch_batch_ge_mask(NULL, &(const seebatch_batch){NULL, 0, NULL, NULL, NULL}, 0, NULL, NULL);
    seebatch_batch_ge_mask_each(NULL, &(const seebatch_batch){NULL, 0, NULL, NULL, NULL}, NULL, NULL, NULL);
    seebatch_batch_values(NULL, &(const seebatch_batch){NULL, 0, NULL, NULL, NULL}, NULL, NULL);
    seebatch_batch_ge_mask(NULL, &(const seebatch_batch){NULL, 0, NULL, NULL, NULL}, 0, NULL, NULL);
}

static void slices_give_what_the_whole_gives(void **state)
{
    (void)state;
    const seebatch_rules rules = rules_of("legal");
    static int16_t whole[MOVES], slice[MOVES], thresholds[MOVES];
    static uint64_t mask[SEEBATCH_MASK_WORDS(MOVES) + 1];
    seebatch_batch_values(&rules, &(const seebatch_batch){positions, POSITIONS, offsets, moves, NULL}, whole, NULL);
    for (size_t k = 0; k < offsets[POSITIONS]; k++)
        thresholds[k] = (int16_t)(whole[k] + (int)(k & 1)); /* reached and just missed, in turn */
    for (size_t first = 0; first < POSITIONS; first += 7) {
        const size_t count = first % 11 < POSITIONS - first ? first % 11 : POSITIONS - first;
        const size_t n = offsets[first + count] - offsets[first];
        memset(slice, 0x55, sizeof slice);
        seebatch_batch_values(&rules, &(const seebatch_batch){positions + first, count, offsets + first, moves, NULL},
                              slice, NULL);
        assert_memory_equal(slice, whole + offsets[first], n * sizeof *slice);
        assert_int_equal(slice[n], 0x5555);
        if (n == 0)
            continue;
        memset(mask, 0xff, sizeof mask);
        seebatch_batch_ge_mask_each(&rules,
                                    &(const seebatch_batch){positions + first, count, offsets + first, moves, NULL},
                                    thresholds, mask, NULL);
        for (size_t k = 0; k < n; k++)
            assert_int_equal(mask[k / 64] >> k % 64 & 1, !((offsets[first] + k) & 1));
        if (n % 64)
            assert_true(mask[n / 64] >> n % 64 == 0);
        assert_true(mask[SEEBATCH_MASK_WORDS(n)] == UINT64_MAX);
    }
}

/* Kernels cut a batch into chunks, where a position may be cut as well: lists of few moves, none, or many, so that the
 * cuts fall everywhere. */
static void a_batch_may_be_cut_anywhere(void **state)
{
    (void)state;
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

static void thresholds_at_the_ends_are_constant(void **state)
{
    (void)state;
    const seebatch_rules rules = rules_of("promotions");
    const size_t n = offsets[1];
    uint64_t mask;
    assert_in_range(n, 1, 63);
    seebatch_ge_mask(&rules, positions, NULL, moves, n, INT16_MIN, &mask);
    assert_true(mask == (UINT64_C(1) << n) - 1);
    seebatch_ge_mask(&rules, positions, NULL, moves, n, INT16_MAX, &mask);
    assert_true(mask == 0);
    for (size_t k = 0; k < n; k++) {
        assert_true(seebatch_ge(&rules, positions, NULL, moves[k], -6001));
        assert_false(seebatch_ge(&rules, positions, NULL, moves[k], 6001));
    }
}

static void one_move_is_a_list_too(void **state)
{
    (void)state;
    const seebatch_rules rules = rules_of("legal");
    for (size_t i = 0; i < POSITIONS; i++) {
        const seebatch_move *move = moves + offsets[i];
        int16_t value = 0x5555;
        uint64_t at = 0x5555, above = 0x5555, each = 0x5555;
        seebatch_values(&rules, &positions[i], NULL, move, 1, &value);
        assert_int_equal(value, seebatch_value(&rules, &positions[i], NULL, *move));
        seebatch_ge_mask(&rules, &positions[i], NULL, move, 1, value, &at);
        seebatch_ge_mask(&rules, &positions[i], NULL, move, 1, (int16_t)(value + 1), &above);
        seebatch_ge_mask_each(&rules, &positions[i], NULL, move, 1, &value, &each);
        assert_true(at == 1 && above == 0 && each == 1);
    }
}

/* The longest list of one position there may be, by every kernel. */
static void long_lists_of_one_position(void **state)
{
    (void)state;
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
static void boards_without_kings(void **state)
{
    (void)state;
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

/* By the kernel in use; one position a call takes another way than many. */
static void compare_handed_in_pins(void)
{
    static seebatch_pins pins[POSITIONS];
    static int16_t found[MOVES], handed[MOVES];
    static uint64_t mask_found[SEEBATCH_MASK_WORDS(MOVES)], mask_handed[SEEBATCH_MASK_WORDS(MOVES)];
    for (size_t r = 0; seebatch_rules_name(r); r++) {
        const seebatch_rules rules = rules_of(seebatch_rules_name(r));
        const bool have_pins = rules.pins == SEEBATCH_PINS_ANY || rules.pins == SEEBATCH_PINS_ALL;
        uint64_t any = 0;
        for (size_t i = 0; i < POSITIONS; i++) {
            seebatch_find_pins(&rules, &positions[i], &pins[i]);
            any |= pins[i].pinners[0] | pins[i].pinners[1];
        }
        assert_int_equal(any != 0, have_pins);
        if (!have_pins)
            memset(pins, 0xff, sizeof pins); /* not read */
        seebatch_batch_values(&rules, &(const seebatch_batch){positions, POSITIONS, offsets, moves, NULL}, found, NULL);
        seebatch_batch_values(&rules, &(const seebatch_batch){positions, POSITIONS, offsets, moves, pins}, handed,
                              NULL);
        assert_memory_equal(handed, found, offsets[POSITIONS] * sizeof *found);
        seebatch_batch_ge_mask(&rules, &(const seebatch_batch){positions, POSITIONS, offsets, moves, NULL}, -50,
                               mask_found, NULL);
        seebatch_batch_ge_mask(&rules, &(const seebatch_batch){positions, POSITIONS, offsets, moves, pins}, -50,
                               mask_handed, NULL);
        assert_memory_equal(mask_handed, mask_found, SEEBATCH_MASK_WORDS(offsets[POSITIONS]) * sizeof *mask_found);
        for (size_t k = 0; k < offsets[1]; k++) {
            assert_int_equal(seebatch_value(&rules, positions, pins, moves[k]), found[k]);
            assert_true(seebatch_ge(&rules, positions, pins, moves[k], found[k]));
            assert_false(seebatch_ge(&rules, positions, pins, moves[k], found[k] + 1));
        }
        for (size_t i = 0; i < POSITIONS; i++) {
            const size_t n = offsets[i + 1] - offsets[i];
            seebatch_values(&rules, &positions[i], &pins[i], moves + offsets[i], n, handed);
            assert_memory_equal(handed, found + offsets[i], n * sizeof *found);
            seebatch_ge_mask_each(&rules, &positions[i], &pins[i], moves + offsets[i], n, handed, mask_handed);
            for (size_t k = 0; k < n; k++)
                assert_true(mask_handed[k / 64] >> k % 64 & 1);
        }
    }
}

static void pins_may_be_handed_in(void **state)
{
    (void)state;
    for (size_t k = 0; seebatch_kernel_name(k); k++) {
        if (!seebatch_kernel_available(k)) {
            print_message("SKIPPED: kernel %s: this machine cannot run it\n", seebatch_kernel_name(k));
            continue;
        }
        assert_int_equal(seebatch_kernel_use(seebatch_kernel_name(k), NULL), SEEBATCH_OK);
        compare_handed_in_pins();
    }
    assert_int_equal(seebatch_kernel_use(NULL, NULL), SEEBATCH_OK);
}

/* A blocker is held back by the pins that the caller hands in, wrong as they may be: they are read. */
static void handed_in_pins_are_used(void **state)
{
    (void)state;
    static const char fen[] = "4k3/4n3/2p5/3p4/8/8/8/3RK3 w - - 0 1";
    const seebatch_rules rules = rules_of("stockfish");
    seebatch_position position;
    assert_int_equal(seebatch_position_from_fen(&position, fen, strlen(fen), NULL), SEEBATCH_OK);
    const seebatch_move d1d5 = seebatch_make_move(3, 35, 0);
    const seebatch_pins all_held = {{0, UINT64_MAX}, {0, UINT64_C(1) << 4}};
    assert_int_equal(seebatch_value(&rules, &position, NULL, d1d5), -400);
    assert_int_equal(seebatch_value(&rules, &position, &all_held, d1d5), 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_are_chosen_by_name),
        cmocka_unit_test(unknown_kernels_are_refused),
        cmocka_unit_test(the_environment_names_a_kernel),
        cmocka_unit_test(nothing_to_do_touches_nothing),
        cmocka_unit_test(slices_give_what_the_whole_gives),
        cmocka_unit_test(a_batch_may_be_cut_anywhere),
        cmocka_unit_test(thresholds_at_the_ends_are_constant),
        cmocka_unit_test(one_move_is_a_list_too),
        cmocka_unit_test(long_lists_of_one_position),
        cmocka_unit_test(boards_without_kings),
        cmocka_unit_test(pins_may_be_handed_in),
        cmocka_unit_test(handed_in_pins_are_used),
    };
    return cmocka_run_group_tests(tests, read_positions, NULL);
}
