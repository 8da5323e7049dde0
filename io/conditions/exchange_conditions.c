/*
 * Tests the conditions about exchanges. One call of the library evaluates the exchanges of all positions of a batch
 * that no condition has left out yet. conditions.c calls these functions.
 */
#include "condition.h"

static bool has_range(const struct range *range) { return range->low > INT64_MIN || range->high < INT64_MAX; }

/* Makes room for two masks of so many words. */
static bool reserve_masks(struct evaluation *evaluation, size_t words)
{
    if (words <= evaluation->mask_capacity)
        return true;
    uint64_t *masks = realloc(evaluation->mask, 4 * words * sizeof *masks);
    if (masks == NULL) {
        evaluation->failed = true;
        return false;
    }
    evaluation->mask = masks;
    evaluation->above = masks + 2 * words;
    evaluation->mask_capacity = 2 * words;
    return true;
}

/* Above every value the threshold is one that only moves reach which pass at any. */
static int16_t threshold_of(int64_t bound) { return bound < SEEBATCH_ALWAYS ? (int16_t)bound : SEEBATCH_ALWAYS; }

/* Sets the mask of the moves whose value is within the range. Moves that the rules let pass at any threshold are in a
 * range that is open above, and in no other. */
static void find_in_range(const struct range *range, const seebatch_rules *rules, struct evaluation *evaluation,
                          const seebatch_records *batch)
{
    const size_t words = SEEBATCH_MASK_WORDS(evaluation->queries.offsets[batch->n]);
    if (!reserve_masks(evaluation, words + 1))
        return;
    evaluation->mask[words] = 0;
    if (range->high < INT16_MIN) { /* below any value */
        if (words > 0)
            memset(evaluation->mask, 0, words * sizeof *evaluation->mask);
        return;
    }
    const seebatch_batch queries = queries_of_batch(&evaluation->queries, batch->positions, batch->n);
    if (range->low > INT16_MIN)
        seebatch_batch_ge_mask(rules, &queries, threshold_of(range->low), evaluation->mask, NULL);
    else if (words > 0)
        memset(evaluation->mask, 0xff, words * sizeof *evaluation->mask);
    if (range->high < INT64_MAX) {
        seebatch_batch_ge_mask(rules, &queries, threshold_of(range->high + 1), evaluation->above, NULL);
        for (size_t i = 0; i < words; i++)
            evaluation->mask[i] &= ~evaluation->above[i];
    }
}

/* Returns whether one of the moves of position i is in the mask, which has a word more than its moves need. Mostly
 * there are few, and how many cannot be guessed: their bits are taken at once. */
static inline bool any_in_mask(const struct evaluation *evaluation, size_t i)
{
    size_t first = evaluation->queries.offsets[i], n = evaluation->queries.offsets[i + 1] - first;
    const uint64_t *mask = evaluation->mask;
    for (; __builtin_expect(n >= 64, 0); first++, n--)
        if (mask[first / 64] >> first % 64 & 1)
            return true;
    const uint64_t bits = mask[first / 64] >> first % 64 | mask[first / 64 + 1] << 1 << (63 - first % 64);
    return (bits & ((UINT64_C(1) << n) - 1)) != 0;
}

/* Tests whether each position has a move with a value in the range. */
static void answer(const struct range *bounds, const seebatch_rules *rules, struct evaluation *evaluation,
                   const seebatch_records *batch, bool *holds)
{
    const bool range = has_range(bounds);
    if (range && !evaluation->failed)
        find_in_range(bounds, rules, evaluation, batch);
    if (evaluation->failed)
        return;
    for (size_t i = 0; range && i < batch->n; i++)
        holds[i] = any_in_mask(evaluation, i);
    for (size_t i = 0; !range && i < batch->n; i++)
        holds[i] = evaluation->queries.offsets[i] < evaluation->queries.offsets[i + 1];
}

/* Tests whether every even capture, as seebatch_collect_captures() has it, has a value within the range. */
static bool holds_for_even(const struct range *range, const seebatch_rules *rules)
{
    bool rise = true;
    for (int type = SEEBATCH_KNIGHT; type <= SEEBATCH_QUEEN; type++)
        rise &= rules->value[type - 1] <= rules->value[type];
    return rise && range->low <= 0 && range->high == INT64_MAX;
}

static void test_any_capture(const struct range *range, const seebatch_rules *rules, struct evaluation *evaluation,
                             const seebatch_records *batch, bool *holds)
{
    bool even[MOST_QUERIED];
    const bool enough = holds_for_even(range, rules);
    evaluation->failed |= !queries_of_captures(&evaluation->queries, batch->positions, batch->n, evaluation->in,
                                               enough ? even : NULL, NULL);
    answer(range, rules, evaluation, batch, holds);
    for (size_t i = 0; enough && !evaluation->failed && i < batch->n; i++)
        holds[i] |= even[i];
}

void seebatch_io_test_any_capture(const struct condition *condition, const seebatch_rules *rules,
                                  struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    test_any_capture(&condition->range, rules, evaluation, batch, holds);
}

/* The highest value lies in a range if some value reaches its lower end, and none exceeds the upper one. */
static void test_best_capture(const struct range *range, const seebatch_rules *rules, struct evaluation *evaluation,
                              const seebatch_records *batch, bool *holds)
{
    if (range->high == INT64_MAX) {
        test_any_capture(range, rules, evaluation, batch, holds);
        return;
    }
    const struct range from_low = {range->low, INT64_MAX}, beyond_high = {range->high + 1, INT64_MAX};
    bool exceeds[MOST_QUERIED];
    evaluation->failed |=
        !queries_of_captures(&evaluation->queries, batch->positions, batch->n, evaluation->in, NULL, NULL);
    answer(&from_low, rules, evaluation, batch, holds);
    if (evaluation->failed)
        return;
    answer(&beyond_high, rules, evaluation, batch, exceeds);
    for (size_t i = 0; i < batch->n && !evaluation->failed; i++)
        holds[i] &= !exceeds[i];
}

void seebatch_io_test_best_capture(const struct condition *condition, const seebatch_rules *rules,
                                   struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    test_best_capture(&condition->range, rules, evaluation, batch, holds);
}

/* Tests the captures of the other side, with the turn passed on. */
void seebatch_io_test_threat(const struct condition *condition, const seebatch_rules *rules,
                             struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    seebatch_position passed[MOST_QUERIED];
    bool may_pass[MOST_QUERIED], *in = evaluation->in;
    seebatch_batch_in_check(batch->positions, batch->n, may_pass, NULL);
    for (size_t i = 0; i < batch->n; i++) {
        may_pass[i] = in[i] & !may_pass[i];
        passed[i] = batch->positions[i];
        passed[i].stm ^= 1;
        passed[i].ep_square = SEEBATCH_NO_SQUARE;
    }
    const seebatch_records others = {.n = batch->n, .positions = passed};
    evaluation->in = may_pass;
    test_best_capture(&condition->range, rules, evaluation, &others, holds);
    evaluation->in = in;
    for (size_t i = 0; i < batch->n; i++)
        holds[i] &= may_pass[i];
}

/* Tests whether the moves of records that hold so far have a value in the range. */
static void test_values(const struct range *range, const seebatch_rules *rules, struct evaluation *evaluation,
                        const seebatch_records *batch, bool *holds)
{
    size_t n = 0;
    evaluation->failed |= !queries_reserve(&evaluation->queries, batch->n + 1);
    if (evaluation->failed)
        return;
    for (size_t i = 0; i < batch->n; i++) {
        evaluation->queries.offsets[i] = n;
        evaluation->queries.moves[n] = batch->moves[i];
        n += (size_t)(evaluation->in[i] & (int)holds[i]);
    }
    evaluation->queries.offsets[batch->n] = n;
    answer(range, rules, evaluation, batch, holds);
}

static void test_move(const struct condition *condition, const seebatch_rules *rules, struct evaluation *evaluation,
                      const seebatch_records *batch, bool captures, bool promotions, bool *holds)
{
    if (batch->moves == NULL) { /* records without moves */
        memset(holds, 0, batch->n * sizeof *holds);
        return;
    }
    for (size_t i = 0; i < batch->n; i++) {
        const seebatch_move move = batch->moves[i];
        const int promotes = promotions & (seebatch_promotion(move) != 0);
        const int is = (captures & (int)is_capture(&batch->positions[i], move)) | promotes;
        holds[i] = is & (int)has_field(batch, i, FIELD_MOVE);
    }
    if (has_range(&condition->range))
        test_values(&condition->range, rules, evaluation, batch, holds);
}

void seebatch_io_test_move_value(const struct condition *condition, const seebatch_rules *rules,
                                 struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = has_field(batch, i, FIELD_MOVE);
    test_values(&condition->range, rules, evaluation, batch, holds);
}

void seebatch_io_test_capture(const struct condition *condition, const seebatch_rules *rules,
                              struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    test_move(condition, rules, evaluation, batch, true, false, holds);
}

void seebatch_io_test_promotion(const struct condition *condition, const seebatch_rules *rules,
                                struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    test_move(condition, rules, evaluation, batch, false, true, holds);
}

void seebatch_io_test_tactical(const struct condition *condition, const seebatch_rules *rules,
                               struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    test_move(condition, rules, evaluation, batch, true, true, holds);
}

/* ---- Quiet positions --------------------------------------------------------------------------------------------- */

/* Finds the promotions that capture nothing, of the positions that are in. */
static void find_promotions(struct evaluation *evaluation, const seebatch_records *batch)
{
    struct queries *queries = &evaluation->queries;
    size_t n = 0;
    for (size_t i = 0; i < batch->n; i++) {
        const seebatch_position *position = &batch->positions[i];
        const uint64_t seventh = UINT64_C(0xff) << (position->stm == SEEBATCH_WHITE ? 48 : 8);
        const uint64_t pawns = seebatch_pieces_of_type(position, SEEBATCH_PAWN) &
                               seebatch_pieces_of_color(position, position->stm) & seventh;
        queries->offsets[i] = n;
        if (!evaluation->in[i] || pawns == 0)
            continue;
        seebatch_move *moves = queries->moves + n;
        const size_t n_moves = seebatch_legal_moves(position, moves);
        for (size_t k = 0; k < n_moves; k++)
            if (seebatch_promotion(moves[k]) && !is_capture(position, moves[k]))
                queries->moves[n++] = moves[k];
    }
    queries->offsets[batch->n] = n;
}

void seebatch_io_test_quiet(const struct condition *condition, const seebatch_rules *rules,
                            struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    const struct range wins = {0, INT64_MAX};
    bool quiet[MOST_QUERIED], *in = evaluation->in;
    (void)condition;
    seebatch_batch_in_check(batch->positions, batch->n, holds, NULL);
    for (size_t i = 0; i < batch->n; i++)
        quiet[i] = in[i] && !holds[i];
    evaluation->in = quiet;
    test_any_capture(&wins, rules, evaluation, batch, holds);
    for (size_t i = 0; i < batch->n && !evaluation->failed; i++)
        quiet[i] = quiet[i] && !holds[i];
    if (!evaluation->failed) { /* there is room for all moves since then */
        find_promotions(evaluation, batch);
        answer(&wins, rules, evaluation, batch, holds);
    }
    for (size_t i = 0; i < batch->n && !evaluation->failed; i++)
        holds[i] = quiet[i] && !holds[i];
    evaluation->in = in;
}
