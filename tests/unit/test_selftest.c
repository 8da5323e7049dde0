/*
 * The self-test: that this build passes it, that it finds kernels that are broken in one way each, and that what
 * it reports is so and is found again from the seed.
 */
#include "broken_kernel.h"
#include "test_support.h"

enum { ENOUGH = 200000 };

/* ---- Kernels that are broken on purpose: the scalar one, and then one thing done wrong --------------------------- */

static const struct see_kernel *scalar_kernel(void)
{
    const struct see_kernel *kernel = seebatch_kernels;
    while (strcmp(kernel->name, "scalar") != 0)
        kernel++;
    return kernel;
}

static const seebatch_position *position_of_query(const seebatch_batch *batch, size_t k)
{
    size_t i = 0;
    while (batch->offsets[i + 1] - batch->offsets[0] <= k)
        i++;
    return &batch->positions[i];
}

enum fault {
    EN_PASSANT,
    UNDERPROMOTION_OF_LEGAL,
    CASTLING,
    KING_CAPTURES,
    LAST_OF_ONE,
    EIGHTH_OF_MANY,
    PAST_A_CHUNK,
    FORCED_LANES,
    FORCED_MAPS,
    PINS_AT_HAND,
    SLICE,
    HIGH_VALUES,
    VALUE_BEHIND,
    VALUE_BEFORE,
    VALUES_TOUCH_NOTHING,
    THRESHOLD_MET,
    THRESHOLD_MISSED,
    LEAST_THRESHOLD,
    ONE_THRESHOLD_FOR_ALL,
    BITS_PAST_THE_LAST,
    WORD_BEHIND,
    WORD_BEFORE,
    FAULTS
};

static enum fault fault; /* of the broken kernel; FAULTS: none */

static bool is_en_passant(const seebatch_position *p, seebatch_move move)
{
    return seebatch_type_on(p, seebatch_from(move)) == SEEBATCH_PAWN && ((move ^ move >> 6) & 7) &&
           seebatch_type_on(p, seebatch_to(move)) == SEEBATCH_NO_PIECE;
}

static bool is_castling(const seebatch_position *p, seebatch_move move)
{
    const int from = seebatch_from(move), to = seebatch_to(move);
    if (seebatch_type_on(p, from) != SEEBATCH_KING)
        return false;
    return abs(from % 8 - to % 8) == 2 ||
           (seebatch_type_on(p, to) != SEEBATCH_NO_PIECE && seebatch_color_on(p, to) == seebatch_color_on(p, from));
}

/* Whether the fault spoils the value of query k of n. */
static bool spoils_value(const seebatch_rules *rules, const seebatch_batch *batch, size_t k, size_t n, int value,
                         enum see_path path)
{
    const seebatch_position *p = position_of_query(batch, k);
    const seebatch_move move = batch->moves[batch->offsets[0] + k];
    switch (fault) {
    case EN_PASSANT: return is_en_passant(p, move);
    case UNDERPROMOTION_OF_LEGAL:
        return rules->pins == SEEBATCH_PINS_LEGAL && seebatch_promotion(move) == SEEBATCH_KNIGHT;
    case CASTLING: return is_castling(p, move);
    case KING_CAPTURES:
        return seebatch_type_on(p, seebatch_from(move)) == SEEBATCH_KING &&
               seebatch_type_on(p, seebatch_to(move)) == SEEBATCH_QUEEN;
    case LAST_OF_ONE: return n == 1;
    case EIGHTH_OF_MANY: return n > 20 && n % 8 == 1 && k == n - 1;
    case PAST_A_CHUNK: return k == 256;
    case FORCED_LANES: return path == SEE_SWAP_LOOP && k == 3;
    case FORCED_MAPS: return path == SEE_ATTACK_TABLES && k == 3;
    case PINS_AT_HAND: return batch->pins && rules->pins == SEEBATCH_PINS_ALL && k == 3;
    case SLICE: return batch->offsets[0] == 5;
    case HIGH_VALUES: return value > 5000;
    default: return false;
    }
}

static void broken_values(const seebatch_rules *rules, const seebatch_batch *batch, enum see_path path, int16_t *values)
{
    const struct see_answers answers = {values, NULL, 0, NULL};
    const size_t n = see_query_count(batch);
    if (fault == VALUES_TOUCH_NOTHING)
        return;
    scalar_kernel()->batch_answers(rules, batch, path, &answers);
    for (size_t k = 0; k < n; k++)
        values[k] = (int16_t)(values[k] + spoils_value(rules, batch, k, n, values[k], path));
    if (fault == VALUE_BEHIND)
        values[n] = 0;
    if (fault == VALUE_BEFORE)
        values[-1] = 0;
}

static void broken_ge(const seebatch_rules *rules, const seebatch_batch *batch, const int16_t *thresholds, size_t step,
                      uint64_t *mask)
{
    const size_t begin = batch->offsets[0], n = see_query_count(batch);
    const struct see_answers answers = {NULL, thresholds, fault == ONE_THRESHOLD_FOR_ALL ? 0 : step, mask};
    scalar_kernel()->batch_answers(rules, batch, SEE_FASTEST, &answers);
    for (size_t k = 0; k < n; k++) {
        const int threshold = thresholds[k * step];
        const int value = seebatch_value(rules, position_of_query(batch, k), NULL, batch->moves[begin + k]);
        const bool flips = (fault == THRESHOLD_MET && threshold == value) ||
                           (fault == THRESHOLD_MISSED && threshold == value + 1) ||
                           (fault == LEAST_THRESHOLD && threshold == INT16_MIN);
        mask[k / 64] ^= (uint64_t)flips << k % 64;
    }
    if (fault == BITS_PAST_THE_LAST && n % 64)
        mask[n / 64] |= UINT64_C(1) << 63;
    if (fault == WORD_BEHIND)
        mask[SEEBATCH_MASK_WORDS(n)] = 0;
    if (fault == WORD_BEFORE)
        mask[-1] = 0;
}

static bool never(void) { return false; }

/* The broken kernel after the real ones, as a table. */
static const struct see_kernel *table_with(bool (*supported)(void))
{
    static struct see_kernel table[16];
    size_t n = 0;
    for (; seebatch_kernels[n].name; n++)
        table[n] = seebatch_kernels[n];
    assert_true(n + 2 <= COUNT(table));
    table[n] = broken_kernel("broken", supported);
    table[n + 1] = (struct see_kernel){.name = NULL};
    return table;
}

/* ---- What the self-test makes of them --------------------------------------------------------------------------- */

TEST(this_build_passes)
{
    seebatch_selftest_report report;
    seebatch_error error = {{0}};
    assert_int_equal(seebatch_kernel_use("scalar", NULL), SEEBATCH_OK);
    if (seebatch_selftest(1, ENOUGH, &report, &error) != SEEBATCH_OK)
        fail_msg("%s", error.text);
    assert_string_equal(seebatch_kernel_active(), "scalar");
    size_t available = 0;
    for (size_t k = 0; seebatch_kernel_name(k); k++)
        available += seebatch_kernel_available(k);
    assert_true(report.cases >= ENOUGH && report.cases < ENOUGH + SEE_TEST_QUERIES);
    assert_int_equal(report.answers, 4 * report.cases * available); /* three forms, and cut into runs */
    assert_null(report.kernel);
    assert_string_equal(error.text, "");
    fault = FAULTS; /* the wrapped kernel with nothing wrong is no difference either */
    assert_int_equal(seebatch_selftest_of(table_with(always), 1, ENOUGH / 10, &report, &error), SEEBATCH_OK);
}

/* What is reported must be wrong indeed, and found again at once. */
static void check_report(const seebatch_selftest_report *report, const seebatch_error *error)
{
    seebatch_selftest_report again;
    assert_string_equal(report->kernel, "broken");
    char seed[32], rules[SEEBATCH_RULES_SIZE];
    seebatch_rules_to_text(&report->rules, rules);
    assert_non_null(strstr(error->text, "broken"));
    assert_non_null(strstr(error->text, rules));
    snprintf(seed, sizeof seed, "seed %llu", (unsigned long long)report->seed);
    assert_non_null(strstr(error->text, seed));
    if (!report->stray) {
        const bool values = strcmp(report->function, "values") == 0;
        const int value = seebatch_value(&report->rules, &report->position, NULL, report->move);
        assert_int_equal(report->expected, values ? value : value >= report->threshold);
        assert_int_not_equal(report->expected, report->got);
        assert_non_null(strstr(error->text, uci_of(report->move).text));
        assert_non_null(strstr(error->text, fen_of(&report->position).text));
        assert_true(report->index < report->n);
        move_of(&report->position, uci_of(report->move).text); /* legal */
    }
    assert_true(report->n_positions >= 1 && report->n >= 1);
    assert_int_equal(seebatch_selftest_of(table_with(always), report->seed, 1, &again, NULL), SEEBATCH_DIFFERENT);
    assert_int_equal(again.rounds, 1);
    assert_int_equal(again.seed, report->seed);
    assert_int_equal(again.move, report->move);
    assert_int_equal(again.index, report->index);
    assert_int_equal(again.got, report->got);
    assert_true(same_position(&again.position, &report->position));
}

TEST(every_fault_is_found)
{
    for (int f = 0; f < FAULTS; f++) {
        fault = (enum fault)f;
        seebatch_selftest_report report;
        seebatch_error error;
        if (seebatch_selftest_of(table_with(always), 1, ENOUGH, &report, &error) != SEEBATCH_DIFFERENT)
            fail_msg("fault %d was not found in %d cases", f, ENOUGH);
        check_report(&report, &error);
        const bool beside = fault == VALUE_BEHIND || fault == VALUE_BEFORE || fault == BITS_PAST_THE_LAST ||
                            fault == WORD_BEHIND || fault == WORD_BEFORE;
        assert_int_equal(report.stray, beside);
        if (fault == EN_PASSANT)
            assert_true(is_en_passant(&report.position, report.move));
        if (fault == FORCED_LANES)
            assert_true(report.forced_lanes && !report.forced_tables);
        if (fault == FORCED_MAPS)
            assert_true(report.forced_tables && !report.forced_lanes);
        if (fault == LAST_OF_ONE)
            assert_int_equal(report.n, 1);
    }
}

TEST(kernels_that_cannot_run_are_left_alone)
{
    seebatch_selftest_report report;
    fault = EN_PASSANT;
    assert_int_equal(seebatch_selftest_of(table_with(never), 1, ENOUGH / 10, &report, NULL), SEEBATCH_OK);
}

TEST(seeds_go_on)
{
    seebatch_selftest_report whole, part;
    uint64_t seed = 42, cases = 0, answers = 0;
    assert_int_equal(seebatch_selftest(seed, 0, &whole, NULL), SEEBATCH_OK);
    assert_int_equal(whole.rounds, 1); /* one at least */
    assert_int_equal(seebatch_selftest(seed, 20000, &whole, NULL), SEEBATCH_OK);
    assert_true(whole.rounds > 10);
    for (uint64_t round = 0; round < whole.rounds; round++) {
        assert_int_equal(seebatch_selftest(seed, 1, &part, NULL), SEEBATCH_OK);
        round += part.rounds - 1; /* a batch may be empty */
        seed = part.seed;
        cases += part.cases;
        answers += part.answers;
    }
    assert_int_equal(seed, whole.seed);
    assert_int_equal(cases, whole.cases);
    assert_int_equal(answers, whole.answers);
}

int main(void) { return run_all_tests(NULL); }
