/*
 * The self-test compares every kernel that this machine can run with the scalar code, query by query.
 *
 * It works in rounds. A round draws a rule set, a table of piece values and a batch (selftest_boards.c), and takes the
 * value of each query alone from the scalar code. Then it puts the batch through every kernel: as a whole and cut into
 * runs of positions; for values, for one threshold, and for a threshold for each move; with every shortcut, and with
 * the longest way through the lanes forced; with pins given and without. If a kernel writes anything outside of its
 * answers, this counts as a difference, too.
 *
 * Everything in a round follows from its seed, so a failure is found again by a self-test that begins with that seed.
 */
#include "selftest.h"
#include "error.h"
#include "scalar/scalar.h"

#include <assert.h>
#include <string.h>

/* Answers, with memory in front of them and after them in which nothing may be written. */
enum { MARGIN = 16, MASK_ROOM = SEEBATCH_MASK_WORDS(SEE_TEST_QUERIES), UNTOUCHED = 0x5a };

struct answers {
    int16_t values[MARGIN + SEE_TEST_QUERIES + MARGIN];
    uint64_t mask[MARGIN + MASK_ROOM + MARGIN];
};

enum form { VALUES, GE, GE_EACH };

/* A round: the queries, and the answers of the scalar code. */
struct round {
    seebatch_rules rules;
    struct see_test_batch batch;
    seebatch_pins pins[SEE_TEST_POSITIONS];
    int16_t expected[SEE_TEST_QUERIES];
    int16_t thresholds[SEE_TEST_QUERIES];
};

/* A call, for the positions from `first` to `end` - 1. */
struct call {
    const struct round *round;
    const struct see_kernel *kernel;
    enum form form;
    enum see_path path;
    bool with_pins;
    size_t first, end;
};

/* ---- What is drawn ---------------------------------------------------------------------------------------------- */

/* Draws any valid combination of the fields. */
static void draw_fields(seebatch_rules *rules, struct see_rng *rng)
{
    const seebatch_rules_field *field;
    do {
        for (size_t i = 0; (field = seebatch_rules_field_at(i)) != NULL; i++)
            ((uint8_t *)rules)[field->offset] = (uint8_t)see_random_below(rng, (unsigned)field->n_words);
    } while (seebatch_rules_check(rules, NULL) != SEEBATCH_OK);
}

static void draw_rules(seebatch_rules *rules, struct see_rng *rng)
{
    static const int16_t tables[8][5] = {
        {100, 320, 330, 500, 900},
        {1, 3, 3, 5, 9},
        {208, 781, 825, 1276, 2538},
        {0, 0, 0, 0, 0},
        {3000, 3000, 3000, 3000, 3000},
        {3000, 2000, 1000, 500, 1},
        {0, 0, 0, 0, 3000},
        {0, 3000, 0, 3000, 0},
    };
    unsigned sets = 0;
    while (seebatch_rules_name(sets))
        sets++;
    seebatch_rules_named(seebatch_rules_name(see_random_below(rng, sets)), rules, NULL);
    if (see_random_below(rng, 4) == 0)
        draw_fields(rules, rng);
    const unsigned sort = see_random_below(rng, 4); /* half of the time the default values, which are set already */
    if (sort == 0)
        memcpy(rules->value, tables[see_random_below(rng, 8)], sizeof rules->value);
    for (int type = SEEBATCH_PAWN; sort == 1 && type <= SEEBATCH_QUEEN; type++)
        rules->value[type] = (int16_t)see_random_below(rng, SEEBATCH_MAX_PIECE_VALUE + 1);
}

/* Draws a threshold, most often the value itself or a number next to it. */
static int16_t draw_threshold(int value, struct see_rng *rng)
{
    static const int16_t fixed[8] = {INT16_MIN, -6001, -6000, 0, 1, 6000, 6001, INT16_MAX};
    const unsigned sort = see_random_below(rng, 8);
    if (sort == 0)
        return fixed[see_random_below(rng, 8)];
    if (sort == 1)
        return (int16_t)((int)see_random_below(rng, 65536) - 32768);
    return (int16_t)(value + (int)see_random_below(rng, 3) - 1);
}

static void draw_round(struct round *round, struct see_rng *rng)
{
    struct see_test_batch *batch = &round->batch;
    draw_rules(&round->rules, rng);
    seebatch_selftest_fill(batch, rng);
    for (size_t i = 0; i < batch->n_positions; i++) {
        seebatch_find_pins(&round->rules, &batch->positions[i], &round->pins[i]);
        for (size_t k = batch->offsets[i]; k < batch->offsets[i + 1]; k++) {
            const int value = seebatch_scalar_value(&round->rules, &batch->positions[i], NULL, batch->moves[k]);
            round->expected[k] = (int16_t)value;
            round->thresholds[k] = draw_threshold(value, rng);
        }
    }
}

/* ---- One call --------------------------------------------------------------------------------------------------- */

/* Reports the difference at a query, counted from the first one of the call. At n, something was written outside of the
 * answers. */
static void fill_report(seebatch_selftest_report *report, const struct call *call, size_t index, int expected, int got)
{
    static const char *const functions[] = {"values", "ge, one threshold", "ge, a threshold a move"};
    const struct see_test_batch *batch = &call->round->batch;
    const size_t begin = batch->offsets[call->first];
    size_t i = call->first;
    while (i + 1 < call->end && batch->offsets[i + 1] <= begin + index)
        i++;
    report->kernel = call->kernel->name;
    report->function = functions[call->form];
    report->forced_lanes = call->path == SEE_SWAP_LOOP;
    report->forced_tables = call->path == SEE_ATTACK_TABLES;
    report->index = index;
    report->n = batch->offsets[call->end] - begin;
    report->n_positions = call->end - call->first;
    report->stray = index == report->n;
    report->rules = call->round->rules;
    report->position = batch->positions[i];
    report->move = report->stray ? 0 : batch->moves[begin + index];
    report->threshold = 0;
    if (call->form != VALUES && !report->stray)
        report->threshold = call->round->thresholds[call->form == GE ? begin : begin + index];
    report->expected = expected;
    report->got = got;
    /* Evaluation does not depend on who has the turn; the commands that show a move do. */
    if (!report->stray && seebatch_color_on(&report->position, seebatch_from(report->move)) != report->position.stm) {
        report->position.stm ^= 1;
        report->position.ep_square = SEEBATCH_NO_SQUARE;
    }
}

static bool is_untouched(const void *from, const void *to)
{
    const unsigned char *byte = (const unsigned char *)from;
    while (byte < (const unsigned char *)to && *byte == UNTOUCHED)
        byte++;
    return byte == (const unsigned char *)to;
}

static bool answers_are_right(const struct call *call, const struct answers *answers, seebatch_selftest_report *report)
{
    const struct round *round = call->round;
    const size_t begin = round->batch.offsets[call->first], n = round->batch.offsets[call->end] - begin;
    const int16_t *values = answers->values + MARGIN;
    const uint64_t *mask = answers->mask + MARGIN;
    for (size_t k = 0; k < n; k++) {
        int expected = round->expected[begin + k], got = values[k];
        if (call->form != VALUES) {
            expected = expected >= round->thresholds[call->form == GE ? begin : begin + k];
            got = mask[k / 64] >> k % 64 & 1;
        }
        if (got != expected) {
            fill_report(report, call, k, expected, got);
            return false;
        }
    }
    const size_t n_values = call->form == VALUES ? n : 0, words = call->form == VALUES ? 0 : SEEBATCH_MASK_WORDS(n);
    if (!is_untouched(answers->values, values) ||
        !is_untouched(values + n_values, values + SEE_TEST_QUERIES + MARGIN) || !is_untouched(answers->mask, mask) ||
        !is_untouched(mask + words, mask + MASK_ROOM + MARGIN) || (words && n % 64 && mask[n / 64] >> n % 64)) {
        fill_report(report, call, n, 0, 1);
        return false;
    }
    return true;
}

static bool check_call(const struct call *call, seebatch_selftest_report *report)
{
    const struct round *round = call->round;
    const struct see_test_batch *batch = &round->batch;
    const size_t begin = batch->offsets[call->first], n = batch->offsets[call->end] - begin;
    if (n == 0)
        return true; /* kernels are not called with nothing to do */
    struct answers answers;
    memset(&answers, UNTOUCHED, sizeof answers);
    const seebatch_batch part = {batch->positions + call->first, call->end - call->first, batch->offsets + call->first,
                                 batch->moves, call->with_pins ? round->pins + call->first : NULL};
    const struct see_answers asked = {call->form == VALUES ? answers.values + MARGIN : NULL, round->thresholds + begin,
                                      call->form == GE_EACH, answers.mask + MARGIN};
    see_kernel_answer(call->kernel, &round->rules, &part, call->path, &asked);
    report->answers += n;
    return answers_are_right(call, &answers, report);
}

/* ---- Rounds ----------------------------------------------------------------------------------------------------- */

/* The whole batch in each form, and then cut into runs of positions, each in one of the forms. */
static bool check_kernel(const struct round *round, const struct see_kernel *kernel, struct see_rng *rng,
                         seebatch_selftest_report *report)
{
    static const enum see_path paths[] = {SEE_FASTEST, SEE_SWAP_LOOP, SEE_ATTACK_TABLES};
    struct call call = {round, kernel, VALUES, SEE_FASTEST, false, 0, round->batch.n_positions};
    for (int form = VALUES; form <= GE_EACH; form++) {
        call.form = (enum form)form;
        call.path = paths[see_random_below(rng, 3)];
        call.with_pins = see_random_below(rng, 2) != 0;
        if (!check_call(&call, report))
            return false;
    }
    const unsigned longest = 1 + see_random_below(rng, 4);
    for (call.first = 0; call.first < round->batch.n_positions; call.first = call.end) {
        call.end = call.first + 1 + see_random_below(rng, longest);
        if (call.end > round->batch.n_positions)
            call.end = round->batch.n_positions;
        call.form = (enum form)see_random_below(rng, 3);
        call.path = paths[see_random_below(rng, 3)];
        call.with_pins = see_random_below(rng, 2) != 0;
        if (!check_call(&call, report))
            return false;
    }
    return true;
}

static seebatch_status fail(const seebatch_selftest_report *report, seebatch_error *error)
{
    char rules[SEEBATCH_RULES_SIZE];
    seebatch_rules_to_text(&report->rules, rules);
    if (report->stray)
        return see_fail(
            error, SEEBATCH_DIFFERENT,
            "kernel '%s' wrote outside of its answers in a call of \"%s\" with %zu queries, rules %s, seed %llu",
            report->kernel, report->function, report->n, rules, (unsigned long long)report->seed);
    char move[6], fen[SEEBATCH_FEN_SIZE];
    seebatch_move_to_uci(report->move, move);
    seebatch_position_to_fen(&report->position, fen);
    return see_fail(error, SEEBATCH_DIFFERENT,
                    "kernel '%s' answers \"%s\" with %d, the scalar code with %d, rules %s, seed %llu, %s in %s",
                    report->kernel, report->function, report->got, report->expected, rules,
                    (unsigned long long)report->seed, move, fen);
}

seebatch_status seebatch_selftest_of(const struct see_kernel *kernels, uint64_t seed, uint64_t cases,
                                     seebatch_selftest_report *report, seebatch_error *error)
{
    memset(report, 0, sizeof *report);
    report->seed = seed;
    do {
        struct round round;
        struct see_rng rng = {report->seed};
        draw_round(&round, &rng);
        report->rounds++;
        report->cases += see_test_count(&round.batch);
        const uint64_t calls_seed = see_random(&rng);
        for (const struct see_kernel *kernel = kernels; kernel->name; kernel++) {
            struct see_rng calls = {calls_seed}; /* the same calls for each kernel */
            if (kernel->supported() && !check_kernel(&round, seebatch_kernel_here(kernel), &calls, report))
                return fail(report, error);
        }
        report->seed = see_random(&rng);
    } while (report->cases < cases);
    return SEEBATCH_OK;
}

seebatch_status seebatch_selftest(uint64_t seed, uint64_t cases, seebatch_selftest_report *report,
                                  seebatch_error *error)
{
    assert(report);
    return seebatch_selftest_of(seebatch_kernels, seed, cases, report, error);
}
