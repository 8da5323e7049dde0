/*
 * The rule sets, as the library evaluates them: every case worked out by hand (data/cases.tsv), with every kernel that
 * this machine can run, in every form of call, and explained; and rules that are refused.
 */
#include "test_support.h"

#include "every_rules.h"

enum { MAX_CASES = 600 };

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

static struct worked_cases cases[MAX_RULE_SETS];

/* What the cases say of each value of each field, whether their rules have a name or not: whether there is one, and the
 * other values of the field with which its answer would be wrong. Value k is bit k. */
static struct told_value {
    bool has_case;
    unsigned told_from;
} told[16][16];

/* Notes what a case says of the values of all fields. */
static void note_values(const seebatch_rules *rules, const struct worked_case *item)
{
    const seebatch_rules_field *field;
    for (size_t f = 0; (field = seebatch_rules_field_at(f)) != NULL; f++) {
        struct told_value *value = &told[f][((const uint8_t *)rules)[field->offset]];
        value->has_case = true;
        for (size_t other = 0; other < field->n_words; other++) {
            seebatch_rules changed = *rules;
            ((uint8_t *)&changed)[field->offset] = (uint8_t)other;
            if (seebatch_rules_check(&changed, NULL) == SEEBATCH_OK &&
                seebatch_value(&changed, &item->position, NULL, item->move) != item->expected)
                value->told_from |= 1U << other;
        }
    }
}

static void expect_of_oracle(const struct lines *table, const char *name, struct oracle_rules oracle,
                             const struct worked_case *item)
{
    const struct oracle_board board = oracle_board_of(&item->position, item->position.stm);
    const int value = oracle_value(oracle, (const int[]){100, 325, 325, 500, 1000}, &board, seebatch_from(item->move),
                                   seebatch_to(item->move), "\0nbrq"[seebatch_promotion(item->move)]);
    if (value != item->expected)
        fail_msg("%s, %s: the oracle says %d, expected %d", table->where, name, value, item->expected);
}

static void add_case(const struct lines *table, char *const field[], const char *const names[])
{
    struct worked_case item = {
        .position = position_of_fen(field[0]), .expected = atoi(field[3]), .line = table->number};
    item.move = move_of(&item.position, field[1]);
    for (size_t i = 0; names[i] != NULL; i++) {
        const seebatch_rules rules = rules_named(names[i]);
        const struct oracle_rules oracle = oracle_rules_of(&rules);
        struct oracle_rules exhaustive = oracle;
        exhaustive.exhaustive = true;
        expect_of_oracle(table, names[i], oracle, &item);
        if (rules.order == SEEBATCH_BEST_ORDER)
            expect_of_oracle(table, names[i], exhaustive, &item);
        note_values(&rules, &item);
        if (strchr(names[i], '=')) { /* a combination without a name */
            assert_int_equal(seebatch_value(&rules, &item.position, NULL, item.move), item.expected);
            continue;
        }
        struct worked_cases *of_rules = &cases[rule_set_of(table, names[i], strlen(names[i]))];
        assert_true(of_rules->n < MAX_CASES);
        of_rules->item[of_rules->n++] = item;
    }
}

/* Every exchange has a value for each rule set. */
static int read_cases(void **state)
{
    (void)state;
    static struct worked_values worked;
    char *field[5];
    const char *names[MAX_RULE_SETS + 1];
    for (size_t i = 0; i < rule_sets(); i++) {
        cases[i].name = seebatch_rules_name(i);
        cases[i].rules = rules_at(i);
    }
    for (open_worked_values(&worked); next_worked_values(&worked, field, names);)
        if (strchr(field[1], ' ') == NULL) /* not a square: test_square */
            add_case(&worked.table, field, names);
    for (size_t i = 0; i < rule_sets(); i++) {
        assert_between(cases[i].n, 0, MAX_CASES);
        if (cases[i].n < 80 || cases[i].n != cases[0].n)
            fail_msg("data/cases.tsv has %zu cases of the rule set '%s', expected %zu as of '%s', 80 at least",
                     cases[i].n, cases[i].name, cases[0].n, cases[0].name);
    }
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

/* One query, and all legal moves of the position in one call. */
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
    for (size_t k = 0; use_next_kernel(&k);) {
        for (size_t i = 0; i < rule_sets(); i++) {
            for (size_t c = 0; c < cases[i].n; c++)
                check_case(&cases[i], &cases[i].item[c]);
            check_batch_of_cases(&cases[i]);
        }
    }
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
    for (size_t i = 0; i < COUNT(once_wrong); i++) {
        seebatch_rules rules = seebatch_rules_default();
        seebatch_position positions[COPIES];
        seebatch_move moves[COPIES];
        size_t offsets[COPIES + 1] = {0};
        memcpy(rules.value, once_wrong[i].value_of, sizeof rules.value);
        for (size_t j = 0; j < COPIES; j++) {
            positions[j] = position_of_fen(once_wrong[i].fen);
            moves[j] = move_of(&positions[j], once_wrong[i].move);
            offsets[j + 1] = j + 1;
        }
        for (size_t k = 0; use_next_kernel(&k);) {
            int16_t batch[COPIES], one[COPIES];
            seebatch_batch_values(&rules, &(const seebatch_batch){positions, COPIES, offsets, moves, NULL}, batch,
                                  NULL);
            seebatch_values(&rules, positions, NULL, moves, COPIES, one);
            for (size_t j = 0; j < COPIES; j++)
                assert_true(batch[j] == once_wrong[i].expected && one[j] == once_wrong[i].expected);
        }
    }
}

/* Rules with another name that mean the same: where a first move that promotes has a fixed value, it does not matter
 * whether its promotion would count. */
static bool are_same(const seebatch_rules *a, const seebatch_rules *b)
{
    seebatch_rules changed = *a;
    if (a->promotion != SEEBATCH_PROMOTION_EVALUATED && a->promotions + b->promotions == SEEBATCH_PROMOTE_FIRST)
        changed.promotions = b->promotions;
    return memcmp(&changed, b, sizeof changed) == 0;
}

/* The cases of a rule set are its definition: some case has another value with any other combination of fields. */
TEST(cases_tell_rules_apart)
{
    static struct every_rules every;
    list_every_rules(&every);
    for (size_t i = 0; i < rule_sets(); i++)
        for (size_t r = 0; r < every.n; r++) {
            const seebatch_rules *other = &every.list[r].rules;
            const struct worked_case *item = cases[i].item, *end = item + cases[i].n;
            while (item < end && seebatch_value(other, &item->position, NULL, item->move) == item->expected)
                item++;
            if ((item == end) != are_same(&cases[i].rules, other))
                fail_msg("data/cases.tsv has no case that tells the rule set '%s' from '%s'", cases[i].name,
                         every.list[r].name);
        }
}

/* So are those of a value that no rule set with a name has: some case has another answer with any other value of the
 * field. A value is left out where the others cannot take its place, as the pins `legal` go with the order `best`. */
TEST(cases_tell_the_values_of_fields_apart)
{
    const seebatch_rules_field *field;
    for (size_t f = 0; (field = seebatch_rules_field_at(f)) != NULL; f++) {
        unsigned valid[16] = {0}; /* the values that can take the place of each */
        seebatch_rules rules;
        for (unsigned i = 0; rules_of_number(i, &rules); i++)
            for (unsigned other = 0; other < field->n_words; other++) {
                uint8_t *value = (uint8_t *)&rules + field->offset, own = *value;
                const bool is_valid = seebatch_rules_check(&rules, NULL) == SEEBATCH_OK;
                *value = (uint8_t)other;
                if (is_valid && other != own && seebatch_rules_check(&rules, NULL) == SEEBATCH_OK)
                    valid[own] |= 1U << other;
                *value = own;
            }
        for (unsigned value = 0; value < field->n_words; value++) {
            if (!told[f][value].has_case)
                fail_msg("data/cases.tsv has no case with %s=%s, expected one under a name such as 'swap,%s=%s'",
                         field->name, field->words[value], field->name, field->words[value]);
            for (unsigned other = 0; other < field->n_words; other++)
                if (valid[value] & ~told[f][value].told_from & 1U << other)
                    fail_msg("data/cases.tsv has no case with %s=%s whose answer is another with %s", field->name,
                             field->words[value], field->words[other]);
        }
    }
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
    const struct oracle_rules rules = oracle_rules_of(&of_rules->rules);
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
            const int best = oracle_square_value(oracle_minimax, values, &board, to, c->color);
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
    for (size_t i = 0; i < rule_sets(); i++) {
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

/* Swap lists by hand: from-squares, entries, and the entry that would follow, 9999 for none. */
TEST(lists_by_hand)
{
    static const struct {
        const char *rules, *fen, *move, *from;
        int gain[7];
    } lists[] = {
        {"swap", "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -", "e1e5", "e1", {100, 400}},
        {"swap",
         "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -",
         "d3e5",
         "d3d7e2f6e1h8",
         {100, 225, 100, 400, -75, 1075, -75}},
        /* A king ends the list: it is never taken, so there is no next entry. */
        {"swap", "8/8/8/3kp3/8/8/8/4RK2 w - -", "e1e5", "e1d5", {100, 400, 9999}},
        {"swap", "4k3/8/8/4p3/4K3/8/8/8 w - -", "e4e5", "e4", {100, 9999}},
        /* Castling and first moves with values of their own are no exchanges. */
        {"swap", "4k3/8/8/8/8/8/8/4K2R w K -", "e1g1", "", {9999}},
        {"stockfish", "4k3/8/8/3pP3/8/8/8/4K3 w - d6", "e5d6", "", {9999}},
        {"plentychess", "1n5k/P7/8/8/8/8/8/6K1 w - -", "a7b8q", "", {9999}},
        /* Promotions show in the gain of the capture that promotes, and in what can be taken next. */
        {"promotions", "r2r3k/1n2P3/8/8/8/8/8/3R2K1 w - -", "d1d8", "d1b7e7a8", {500, 0, 1225, -225, 725}},
        {"swap", "r2r3k/1n2P3/8/8/8/8/8/3R2K1 w - -", "d1d8", "d1b7e7a8", {500, 0, 325, -225, 725}},
        /* A piece that is held back does not appear; one that is let in does. */
        {"stockfish", "3qk3/4n3/8/3p4/8/2N5/6B1/4RK2 w - -", "c3d5", "c3d8g2", {100, 225, 775, -450}},
        {"pawnocchio", "4k3/8/1p6/2p5/1P2N3/8/8/4RK2 w - -", "b4c5", "b4b6", {100, 0, 100}},
        {"stormphrax", "4k3/8/2p1b3/3p4/2P5/2N5/8/4RK2 w - -", "c4d5", "c4c6c3e6", {100, 0, 100, 225, 100}},
        {"reckless", "4k3/8/2p1b3/3p4/2P5/2N5/8/4RK2 w - -", "c4d5", "c4c6c3", {100, 0, 100, 225}},
    };
    for (size_t i = 0; i < COUNT(lists); i++) {
        const seebatch_position position = position_of_fen(lists[i].fen);
        const seebatch_rules rules = rules_named(lists[i].rules);
        const int n = (int)strlen(lists[i].from) / 2;
        seebatch_trace trace;
        seebatch_explain(&rules, &position, move_of(&position, lists[i].move), &trace);
        bool same = trace.length == n && (trace.has_next ? trace.next_gain : 9999) == lists[i].gain[n];
        for (int k = 0; same && k < n; k++)
            same = trace.capture[k].from == lists[i].from[2 * k] - 'a' + (lists[i].from[2 * k + 1] - '1') * 8 &&
                   trace.capture[k].gain == lists[i].gain[k];
        if (!same)
            fail_msg("%s %s as %s: %d captures, expected %s", lists[i].fen, lists[i].move, lists[i].rules, trace.length,
                     lists[i].from);
    }
}

/* ---- Rules that are refused ------------------------------------------------------------------------------------- */

TEST(names_that_are_no_rule_sets)
{
    static const char *const names[] = {"", "Swap", "swap ", "stockfish-2017", "minimax", "legal\n"};
    for (size_t i = 0; i < COUNT(names); i++) {
        seebatch_rules rules = {{1, 2, 3, 4, 5}, 9, 9, 9, 9, 9, 9, 9, 9};
        seebatch_error error = {{0}};
        assert_int_equal(seebatch_rules_named(names[i], &rules, &error), SEEBATCH_BAD_RULES);
        assert_int_equal(rules.value[0], 1); /* untouched */
        assert_int_equal(rules.order, 9);
        assert_int_equal(seebatch_rules_named(names[i], &rules, NULL), SEEBATCH_BAD_RULES);
        for (size_t k = 0; k < rule_sets(); k++) {
            if (!strstr(error.text, seebatch_rules_name(k)))
                fail_msg("'%s' does not say that %s is a rule set", error.text, seebatch_rules_name(k));
        }
    }
}

TEST(every_rule_set_passes_and_legal_is_the_default)
{
    static const int16_t values[5] = {100, 325, 325, 500, 1000};
    for (size_t i = 0; i < rule_sets(); i++) {
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
    const seebatch_rules_field *field;
    char expected[128];
    for (size_t i = 0; (field = seebatch_rules_field_at(i)) != NULL; i++) {
        const int most = (int)field->n_words - 1;
        for (int value = most + 1; value <= UINT8_MAX; value++) {
            seebatch_rules rules = seebatch_rules_default();
            ((uint8_t *)&rules)[field->offset] = (uint8_t)value;
            snprintf(expected, sizeof expected, "'%s' of the rules is %d, expected 0 to %d", field->name, value, most);
            refuse(rules, expected);
        }
    }
    seebatch_rules rules = seebatch_rules_default();
    rules.reserved = 1;
    refuse(rules, "'reserved' of the rules is 1, expected 0");
}

/* All values of all fields: what passes, and what the sentence says that refuses the rest. */
TEST(combinations_that_mean_nothing_are_refused)
{
    size_t valid = 0;
    seebatch_rules rules;
    for (unsigned i = 0; rules_of_number(i, &rules); i++) {
        const bool legal = rules.pins == SEEBATCH_PINS_LEGAL;
        if (legal != (rules.order == SEEBATCH_BEST_ORDER))
            refuse(rules, "expected 'legal' and 'best' together or neither of them");
        else if (!legal && rules.en_passant_replies == SEEBATCH_EN_PASSANT_REPLIES_COUNTED)
            refuse(rules, "expected 'counted' with the pins 'legal' only");
        else if (legal && rules.en_passant == SEEBATCH_EN_PASSANT_STANDING)
            refuse(rules, "expected 'standing' with other pins only");
        else
            valid += seebatch_rules_check(&rules, NULL) == SEEBATCH_OK;
    }
    static struct every_rules every;
    list_every_rules(&every);
    assert_int_equal(valid, every.n);
    assert_int_equal(every.n_named, rule_sets());
    for (size_t i = 0; i < every.n; i++) {
        assert_int_equal(seebatch_rules_check(&every.list[i].rules, NULL), SEEBATCH_OK);
        for (size_t other = 0; other < i; other++)
            assert_memory_not_equal(&every.list[i].rules, &every.list[other].rules, sizeof rules);
    }
}

/* ---- Rules as text ---------------------------------------------------------------------------------------------- */

TEST(every_combination_has_a_spelling_that_reads_as_it)
{
    static struct every_rules every;
    list_every_rules(&every);
    for (size_t i = 0; i < every.n; i++) {
        seebatch_rules rules;
        char text[SEEBATCH_RULES_SIZE];
        const size_t length = seebatch_rules_to_text(&every.list[i].rules, text);
        assert_int_equal(length, strlen(text));
        assert_int_equal(seebatch_rules_named(text, &rules, NULL), SEEBATCH_OK);
        assert_memory_equal(&rules, &every.list[i].rules, sizeof rules);
        if (i < every.n_named)
            assert_string_equal(text, seebatch_rules_name(i));
    }
}

TEST(spellings)
{
    static const struct {
        const char *text, *shortest;
        uint8_t fields[7]; /* in the order of the struct */
    } spellings[] = {
        {"ethereal,en-passant=standing", NULL, {0, 1, 0, 3, 0, 0, 0}},
        {"swap,promotions=first,en-passant=standing", "ethereal,en-passant=standing", {0, 1, 0, 3, 0, 0, 0}},
        {"swap,pins=legal,order=best,promotions=all", "legal", {3, 2, 0, 0, 0, 1, 0}},
        {"stockfish,promotion=always,en-passant=always,castling=always", "plentychess,pins=any", {1, 0, 2, 2, 1, 0, 0}},
        {"monty,en-passant-replies=ignored", "legal", {3, 2, 0, 0, 0, 1, 0}},
    };
    for (size_t i = 0; i < COUNT(spellings); i++) {
        const char *shortest = spellings[i].shortest ? spellings[i].shortest : spellings[i].text;
        seebatch_rules rules;
        char text[SEEBATCH_RULES_SIZE];
        assert_int_equal(seebatch_rules_named(spellings[i].text, &rules, NULL), SEEBATCH_OK);
        assert_memory_equal(&rules.pins, spellings[i].fields, sizeof spellings[i].fields);
        assert_int_equal(rules.value[SEEBATCH_KNIGHT], 325);
        seebatch_rules_to_text(&rules, text);
        assert_string_equal(text, shortest);
    }
}

TEST(spellings_that_are_refused)
{
    static const struct {
        const char *text, *expected;
    } wrong[] = {
        {"legal,pins=any", "the field 'pins' of the rules is 'any' and 'order' is 'best', expected 'legal' and 'best'"},
        {"swap,pin=any",
         "the rules have no field 'pin', expected FIELD=WORD with one of pins, promotions, promotion, "},
        {"swap,", "the rules have a comma without a field after it, expected FIELD=WORD with one of pins, "},
        {"swap,pins", "the field 'pins' of the rules is '', expected one of ignored, any, all, legal, ray-once, "},
        {"swap,pins=some", "the field 'pins' of the rules is 'some', expected one of ignored, any"},
        {"swap,pins=any=all", "the field 'pins' of the rules is 'any=all', expected one of"},
        {"swap,pins=any,castling=zero,pins=any", "the field 'pins' of the rules is given twice, expected it once"},
        {"sawp,pins=any", "there is no rule set 'sawp', expected one of legal, swap, "},
        {"pins=any", "there is no rule set 'pins=any', expected one of legal"},
        {"legal,en-passant=standing", "the field 'en-passant' of the rules is 'standing' and 'pins' is 'legal'"},
        {"swap,en-passant-replies=counted", "the field 'en-passant-replies' of the rules is 'counted' and"},
        {"swap, pins=any", "the rules have no field ' pins'"},
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        seebatch_rules rules = {{1, 2, 3, 4, 5}, 9, 9, 9, 9, 9, 9, 9, 9};
        seebatch_error error = {{0}};
        assert_int_equal(seebatch_rules_named(wrong[i].text, &rules, &error), SEEBATCH_BAD_RULES);
        if (strncmp(error.text, wrong[i].expected, strlen(wrong[i].expected)) != 0)
            fail_msg("%s: '%s' does not begin with '%s'", wrong[i].text, error.text, wrong[i].expected);
        assert_int_equal(rules.value[0] + rules.order, 10); /* untouched */
    }
}

int main(void) { return run_all_tests(read_cases); }
