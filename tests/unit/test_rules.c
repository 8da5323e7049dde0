/*
 * The rule sets, as the library evaluates them: every case worked out by hand (data/cases.tsv), with every kernel that
 * this machine can run, in every form of call, and explained; and rules that are refused.
 */
#include "test_support.h"

#include "every_rules.h"
#include "table.h"

enum { RULE_SETS = 11, MAX_CASES = 600 };

struct worked_case {
    seebatch_position position;
    seebatch_move move;
    int expected;
    int line; /* of the table */
};

/* The cases of a rule set: a position with one move each. */
struct worked_cases {
    const char *name;
    seebatch_rules rules;
    size_t n;
    struct worked_case item[MAX_CASES];
};

static struct worked_cases cases[RULE_SETS];

/* The library's name for the exhaustive search of the oracle. */
static const char *library_name(const char *name) { return strcmp(name, "minimax") == 0 ? "legal" : name; }

static struct worked_cases *cases_of(const char *name)
{
    for (size_t i = 0; i < RULE_SETS; i++) {
        if (cases[i].name && strcmp(cases[i].name, name) == 0)
            return &cases[i];
    }
    fail_msg("data/cases.tsv names the rule set '%s', which the library does not have", name);
    return NULL;
}

static void add_case(struct table *table)
{
    struct worked_case item = {position_of_fen(table->field[0]), 0, atoi(table->field[3]), table->line};
    seebatch_error error;
    if (seebatch_move_from_uci(&item.position, table->field[1], strlen(table->field[1]), &item.move, &error) !=
        SEEBATCH_OK)
        fail_msg("data/cases.tsv:%d: %s", table->line, error.text);
    for (char *name = strtok(table->field[2], ","); name; name = strtok(NULL, ",")) {
        struct worked_cases *of_rules = cases_of(library_name(name));
        const bool twice = of_rules->n > 0 && of_rules->item[of_rules->n - 1].line == item.line; /* legal, minimax */
        if (twice)
            continue;
        assert_true(of_rules->n < MAX_CASES);
        of_rules->item[of_rules->n++] = item;
    }
}

static int read_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < RULE_SETS; i++) {
        cases[i].name = seebatch_rules_name(i);
        assert_non_null(cases[i].name);
        assert_int_equal(seebatch_rules_named(cases[i].name, &cases[i].rules, NULL), SEEBATCH_OK);
    }
    assert_null(seebatch_rules_name(RULE_SETS));
    struct table table;
    table_open(&table, "data/cases.tsv", '\t');
    while (table_next(&table, 5, 5))
        add_case(&table);
    for (size_t i = 0; i < RULE_SETS; i++)
        assert_in_range(cases[i].n, 80, MAX_CASES);
    return 0;
}

static void expect(const struct worked_cases *of_rules, const struct worked_case *item, const char *call, int found,
                   int expected)
{
    if (found != expected)
        fail_msg("data/cases.tsv:%d: %s %s as %s: %s of the kernel %s gives %d, expected %d", item->line,
                 fen_of(&item->position).text, uci_of(item->move).text, of_rules->name, call, seebatch_kernel_active(),
                 found, expected);
}

static bool bit_of(const uint64_t *mask, size_t k) { return mask[k / 64] >> (k % 64) & 1; }

/* One request, and all legal moves of the position in one call. */
static void check_case(const struct worked_cases *of_rules, const struct worked_case *item)
{
    const seebatch_rules *rules = &of_rules->rules;
    const seebatch_position *p = &item->position;
    const int value = item->expected;
    expect(of_rules, item, "seebatch_value", seebatch_value(rules, p, NULL, item->move), value);
    expect(of_rules, item, "seebatch_ge at the value", seebatch_ge(rules, p, NULL, item->move, value), true);
    expect(of_rules, item, "seebatch_ge past the value", seebatch_ge(rules, p, NULL, item->move, value + 1), false);

    seebatch_move moves[SEEBATCH_MAX_MOVES];
    int16_t values[SEEBATCH_MAX_MOVES];
    uint64_t at[SEEBATCH_MASK_WORDS(SEEBATCH_MAX_MOVES)], past[SEEBATCH_MASK_WORDS(SEEBATCH_MAX_MOVES)];
    const size_t n = seebatch_legal_moves(p, moves);
    size_t k = 0;
    while (k < n && moves[k] != item->move)
        k++;
    if (k == n)
        fail_msg("data/cases.tsv:%d: the move is not among the legal ones", item->line);
    seebatch_values(rules, p, NULL, moves, n, values);
    seebatch_ge_mask(rules, p, NULL, moves, n, (int16_t)value, at);
    const int16_t after = (int16_t)(value + 1); /* of a move that passes: the least threshold */
    seebatch_ge_mask(rules, p, NULL, moves, n, after, past);
    expect(of_rules, item, "seebatch_values", values[k], value);
    expect(of_rules, item, "seebatch_ge_mask at the value", bit_of(at, k), true);
    expect(of_rules, item, "seebatch_ge_mask past the value", bit_of(past, k), value >= after);
}

/* All cases of a rule set in one call. */
static void check_batch_of_cases(const struct worked_cases *of_rules)
{
    static seebatch_position positions[MAX_CASES];
    static seebatch_move moves[MAX_CASES];
    static size_t offsets[MAX_CASES + 1];
    static int16_t values[MAX_CASES], thresholds[2][MAX_CASES];
    uint64_t mask[2][SEEBATCH_MASK_WORDS(MAX_CASES)];
    const size_t n = of_rules->n;
    for (size_t i = 0; i < n; i++) {
        positions[i] = of_rules->item[i].position;
        moves[i] = of_rules->item[i].move;
        offsets[i + 1] = i + 1;
        thresholds[0][i] = (int16_t)of_rules->item[i].expected;
        thresholds[1][i] = (int16_t)(of_rules->item[i].expected + 1);
    }
    seebatch_batch_values(&of_rules->rules, &(const seebatch_batch){positions, n, offsets, moves, NULL}, values, NULL);
    for (int past = 0; past < 2; past++)
        seebatch_batch_ge_mask_each(&of_rules->rules, &(const seebatch_batch){positions, n, offsets, moves, NULL},
                                    thresholds[past], mask[past], NULL);
    for (size_t i = 0; i < n; i++) {
        const struct worked_case *item = &of_rules->item[i];
        expect(of_rules, item, "seebatch_batch_values", values[i], item->expected);
        expect(of_rules, item, "seebatch_batch_ge_mask_each at the value", bit_of(mask[0], i), true);
        expect(of_rules, item, "seebatch_batch_ge_mask_each past the value", bit_of(mask[1], i),
               item->expected >= thresholds[1][i]);
    }
}

TEST(every_kernel_gives_the_values_worked_out_by_hand)
{
    size_t kernels = 0;
    for (size_t k = 0; seebatch_kernel_name(k); k++) {
        if (!seebatch_kernel_available(k)) {
            print_message("SKIPPED: kernel %s: this machine cannot run it\n", seebatch_kernel_name(k));
            continue;
        }
        assert_int_equal(seebatch_kernel_use(seebatch_kernel_name(k), NULL), SEEBATCH_OK);
        kernels++;
        for (size_t i = 0; i < RULE_SETS; i++) {
            for (size_t c = 0; c < cases[i].n; c++)
                check_case(&cases[i], &cases[i].item[c]);
            check_batch_of_cases(&cases[i]);
        }
    }
    assert_true(kernels >= 1); /* the scalar one is always there */
    assert_int_equal(seebatch_kernel_use(NULL, NULL), SEEBATCH_OK);
}

/* ---- Found by the differential harness -------------------------------------------------------------------------- */

/* Exchanges that a kernel once got wrong under `legal`, with their values. What stands third on a line, behind two that
 * may capture, can uncover a king, or be cheap, though it never comes to capture. */
static const struct {
    const char *fen, *move;
    int16_t value_of[5], expected;
} once_wrong[] = {
    {"8/5k2/3q2bK/5b2/1N2pN2/5R2/2b1b3/2N5 w - - 0 1", "f3d3", {455, 686, 993, 2271, 2660}, -2195},
    {"5n2/3prp2/8/4RB2/4R1B1/8/4R3/3k3K b - - 0 1", "e7e6", {1386, 1673, 2039, 2079, 2261}, -693},
    {"8/k1K5/2b5/3bN2b/3NpPpN/2r5/4P1P1/5q2 b - f3 0 1", "f1f3", {453, 1769, 2729, 2836, 2972}, -2519},
    {"1K6/8/2R2Bk1/4B3/nB1Bn3/2p5/1P2n3/1n6 w - - 0 1", "b2c3", {465, 1375, 1935, 2139, 2389}, 255},
    {"4k3/2KR4/3R4/1BnR4/2pP4/8/1n3n2/8 b - d3 0 1", "c4d3", {146, 1473, 1533, 1543, 1751}, 140},
};

TEST(what_was_wrong_once_is_right)
{
    enum { COPIES = 40 };
    for (size_t i = 0; i < sizeof once_wrong / sizeof *once_wrong; i++) {
        seebatch_rules rules = seebatch_rules_default();
        memcpy(rules.value, once_wrong[i].value_of, sizeof rules.value);
        seebatch_position positions[COPIES];
        seebatch_move moves[COPIES];
        size_t offsets[COPIES + 1] = {0};
        for (size_t j = 0; j < COPIES; j++) {
            positions[j] = position_of_fen(once_wrong[i].fen);
            assert_int_equal(seebatch_move_from_uci(&positions[j], once_wrong[i].move, 4, &moves[j], NULL),
                             SEEBATCH_OK);
            offsets[j + 1] = j + 1;
        }
        for (size_t k = 0; seebatch_kernel_name(k); k++) {
            int16_t batch[COPIES], one[COPIES];
            if (!seebatch_kernel_available(k))
                continue;
            assert_int_equal(seebatch_kernel_use(seebatch_kernel_name(k), NULL), SEEBATCH_OK);
            seebatch_batch_values(&rules, &(const seebatch_batch){positions, COPIES, offsets, moves, NULL}, batch,
                                  NULL);
            seebatch_values(&rules, positions, NULL, moves, COPIES, one);
            for (size_t j = 0; j < COPIES; j++) {
                assert_int_equal(batch[j], once_wrong[i].expected);
                assert_int_equal(one[j], once_wrong[i].expected);
            }
        }
    }
    assert_int_equal(seebatch_kernel_use(NULL, NULL), SEEBATCH_OK);
}

/* ---- Traces ----------------------------------------------------------------------------------------------------- */

/* The negamax from the end of a swap list. */
static int32_t folded(const seebatch_trace *trace)
{
    int32_t best = trace->capture[trace->length - 1].gain;
    for (int i = trace->length - 2; i >= 0; i--)
        best = -best < trace->capture[i].gain ? -best : trace->capture[i].gain;
    return best;
}

static void expect_swap_list(const struct worked_cases *of_rules, const struct worked_case *item,
                             const seebatch_trace *trace)
{
    enum oracle_rules rules;
    assert_true(oracle_rules_named(of_rules->name, &rules));
    const struct oracle_board board = oracle_board_of(&item->position, item->position.stm);
    const int values[5] = {100, 325, 325, 500, 1000};
    const int promotion = seebatch_promotion(item->move);
    int from[64];
    long gain[64], next;
    bool has_next;
    const size_t n = oracle_swap_list(rules, values, &board, seebatch_from(item->move), seebatch_to(item->move),
                                      promotion ? "?nbrq"[promotion] : '\0', from, gain, &has_next, &next);
    expect(of_rules, item, "the length of the trace", trace->length, (int)n);
    for (size_t i = 0; i < n; i++) {
        expect(of_rules, item, "a from-square of the trace", trace->capture[i].from, from[i]);
        expect(of_rules, item, "an entry of the swap list", trace->capture[i].gain, (int)gain[i]);
    }
    expect(of_rules, item, "whether the trace has a next entry", trace->has_next, has_next);
    if (has_next)
        expect(of_rules, item, "the next entry", trace->next_gain, (int)next);
}

/* Under best order the trace is a line of best play: legal captures, played on the oracle's board; no other capture at
 * any turn is worth more. A reply en passant ends it. */
static void expect_best_line(const struct worked_cases *of_rules, const struct worked_case *item,
                             const seebatch_trace *trace)
{
    struct oracle_board board = oracle_board_of(&item->position, item->position.stm);
    const int values[5] = {100, 325, 325, 500, 1000};
    const int to = seebatch_to(item->move);
    for (int i = 0; i < trace->length; i++) {
        const seebatch_capture *c = &trace->capture[i];
        const char mover = board.square[c->from];
        expect(of_rules, item, "the colour of a capture", c->color, mover >= 'a');
        if (i == 1 && (mover | 32) == 'p' && c->from / 8 == to / 8) {
            expect(of_rules, item, "the length of a line with a reply en passant", trace->length, 2);
            expect(of_rules, item, "what a reply en passant wins", c->best, values[0]);
        } else if (i > 0) {
            const int best = oracle_square_value(ORACLE_MINIMAX, values, &board, to, c->color);
            const int32_t on = c->best + trace->capture[i - 1].gain; /* what this side gets from here on */
            expect(of_rules, item, "what a side gets by capturing or stopping", on > 0 ? on : 0, best);
        } else if (board.square[to] == '.' && (mover | 32) == 'p' && (c->from ^ to) & 7) {
            board.square[to ^ 8] = '.';
        }
        board.square[c->from] = '.';
        const char stays = "pnbrqk"[c->stays];
        board.square[to] = c->color == SEEBATCH_BLACK ? stays : (char)(stays & ~32);
    }
}

TEST(traces_of_the_cases)
{
    for (size_t i = 0; i < RULE_SETS; i++) {
        for (size_t c = 0; c < cases[i].n; c++) {
            const struct worked_case *item = &cases[i].item[c];
            seebatch_trace trace;
            seebatch_explain(&cases[i].rules, &item->position, item->move, &trace);
            expect(&cases[i], item, "the value of the trace", trace.value, item->expected);
            if (trace.length > 0)
                expect(&cases[i], item, "the negamax of the trace", folded(&trace), item->expected);
            if (cases[i].rules.order == SEEBATCH_BEST_ORDER)
                expect_best_line(&cases[i], item, &trace);
            else
                expect_swap_list(&cases[i], item, &trace);
        }
    }
}

/* ---- Rules that are refused ------------------------------------------------------------------------------------- */

TEST(names_that_are_no_rule_sets)
{
    static const char *const names[] = {"", "Swap", "swap ", "stockfish-2017", "minimax", "legal\n"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        seebatch_rules rules = {{1, 2, 3, 4, 5}, 9, 9, 9, 9, 9, 9, 9, 9};
        seebatch_error error = {{0}};
        assert_int_equal(seebatch_rules_named(names[i], &rules, &error), SEEBATCH_BAD_RULES);
        assert_int_equal(rules.value[0], 1); /* untouched */
        assert_int_equal(rules.order, 9);
        assert_int_equal(seebatch_rules_named(names[i], &rules, NULL), SEEBATCH_BAD_RULES);
        for (size_t k = 0; k < RULE_SETS; k++) {
            if (!strstr(error.text, seebatch_rules_name(k)))
                fail_msg("'%s' does not say that %s is a rule set", error.text, seebatch_rules_name(k));
        }
    }
}

TEST(every_rule_set_passes_and_legal_is_the_default)
{
    static const int16_t values[5] = {100, 325, 325, 500, 1000};
    for (size_t i = 0; i < RULE_SETS; i++) {
        seebatch_error error = {"untouched"};
        assert_int_equal(seebatch_rules_check(&cases[i].rules, &error), SEEBATCH_OK);
        assert_string_equal(error.text, "untouched");
        assert_memory_equal(cases[i].rules.value, values, sizeof values);
    }
    const seebatch_rules rules = seebatch_rules_default();
    assert_int_equal(rules.pins, SEEBATCH_PINS_LEGAL);
    assert_int_equal(rules.order, SEEBATCH_BEST_ORDER);
    assert_int_equal(rules.promotions, SEEBATCH_PROMOTE_ALL);
    assert_int_equal(rules.promotion, SEEBATCH_PROMOTION_EVALUATED);
    assert_int_equal(rules.en_passant, SEEBATCH_EN_PASSANT_EVALUATED);
    assert_int_equal(rules.castling, SEEBATCH_CASTLING_ZERO);
}

static void refuse(seebatch_rules rules, const char *expected)
{
    seebatch_error error = {{0}};
    assert_int_equal(seebatch_rules_check(&rules, &error), SEEBATCH_BAD_RULES);
    assert_int_equal(seebatch_rules_check(&rules, NULL), SEEBATCH_BAD_RULES);
    if (!strstr(error.text, expected))
        fail_msg("'%s' does not say '%s'", error.text, expected);
}

TEST(values_out_of_bounds_are_refused)
{
    static const char *const piece[5] = {"pawn", "knight", "bishop", "rook", "queen"};
    for (int type = SEEBATCH_PAWN; type <= SEEBATCH_QUEEN; type++) {
        seebatch_rules rules = seebatch_rules_default();
        rules.value[type] = 0;
        assert_int_equal(seebatch_rules_check(&rules, NULL), SEEBATCH_OK);
        rules.value[type] = SEEBATCH_MAX_PIECE_VALUE;
        assert_int_equal(seebatch_rules_check(&rules, NULL), SEEBATCH_OK);
        rules.value[type] = -1;
        refuse(rules, piece[type]);
        refuse(rules, "-1");
        rules.value[type] = SEEBATCH_MAX_PIECE_VALUE + 1;
        refuse(rules, piece[type]);
        refuse(rules, "3001");
        rules.value[type] = INT16_MIN;
        refuse(rules, "-32768");
    }
}

TEST(values_without_a_meaning_are_refused)
{
    static const struct {
        const char *expected;
        size_t offset;
        uint8_t least_unknown;
    } fields[] = {
        {"'pins' of the rules is 8, expected 0 to 7", offsetof(seebatch_rules, pins), 8},
        {"'promotions' of the rules is 3, expected 0 to 2", offsetof(seebatch_rules, promotions), 3},
        {"'promotion' of the rules is 3, expected 0 to 2", offsetof(seebatch_rules, promotion), 3},
        {"'en_passant' of the rules is 4, expected 0 to 3", offsetof(seebatch_rules, en_passant), 4},
        {"'castling' of the rules is 2, expected 0 to 1", offsetof(seebatch_rules, castling), 2},
        {"'order' of the rules is 2, expected 0 to 1", offsetof(seebatch_rules, order), 2},
        {"'en_passant_replies' of the rules is 2, expected 0 to 1", offsetof(seebatch_rules, en_passant_replies), 2},
        {"'reserved' of the rules is 1, expected 0", offsetof(seebatch_rules, reserved), 1}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        seebatch_rules rules = seebatch_rules_default();
        uint8_t *field = (uint8_t *)&rules + fields[i].offset;
        *field = fields[i].least_unknown;
        refuse(rules, fields[i].expected);
        *field = UINT8_MAX;
        refuse(rules, "is 255, expected 0");
    }
}

/* All values of all fields: what passes, and what the sentence says that refuses the rest. */
TEST(combinations_that_mean_nothing_are_refused)
{
    size_t valid = 0;
    for (unsigned i = 0; i < 8 * 3 * 3 * 4 * 2 * 2 * 2; i++) {
        const unsigned field[6] = {i % 8, i / 8 % 3, i / 24 % 3, i / 72 % 4, i / 288 % 2, i / 576 % 2};
        seebatch_rules rules = rules_of_fields(field);
        rules.order = (uint8_t)(i / 1152);
        const bool legal = rules.pins == SEEBATCH_PINS_LEGAL;
        if (legal != (rules.order == SEEBATCH_BEST_ORDER))
            refuse(rules, "SEEBATCH_PINS_LEGAL and SEEBATCH_BEST_ORDER together or neither of them");
        else if (!legal && rules.en_passant_replies == SEEBATCH_EN_PASSANT_REPLIES_COUNTED)
            refuse(rules, "SEEBATCH_EN_PASSANT_REPLIES_COUNTED with SEEBATCH_PINS_LEGAL only");
        else if (legal && rules.en_passant == SEEBATCH_EN_PASSANT_STANDING)
            refuse(rules, "SEEBATCH_EN_PASSANT_STANDING with other pins than SEEBATCH_PINS_LEGAL only");
        else
            valid += seebatch_rules_check(&rules, NULL) == SEEBATCH_OK;
    }
    assert_int_equal(valid, EVERY_RULES);

    static struct named_rules every[EVERY_RULES];
    assert_int_equal(list_every_rules(every), RULE_SETS);
    for (size_t i = 0; i < EVERY_RULES; i++) {
        assert_int_equal(seebatch_rules_check(&every[i].rules, NULL), SEEBATCH_OK);
        for (size_t other = 0; other < i; other++)
            assert_memory_not_equal(&every[i].rules, &every[other].rules, sizeof every[i].rules);
    }
}

int main(void) { return run_all_tests(read_cases); }
