/*
 * Conditions on positions, and their evaluation in batches.
 *
 * A position is in as long as no condition has put it out. The conditions are tested one after another, cheap ones
 * first, each for all positions that are still in; one call of the library evaluates all their exchanges. A
 * condition about something that the record does not have does not hold.
 */
#include <stdlib.h>

#include "conditions.h"

struct condition_kind {
    const char *name;
    unsigned field; /* of the record, that it is about */
    enum { NO_RANGE, RANGE_OR_NOT, RANGE } range;
    int cost;
    /* Sets holds[i] for each position that is in. */
    void (*test)(const struct condition *condition, const seebatch_rules *rules, struct judge *judge,
                 const struct batch *batch, bool *holds);
};

static bool in_range(const struct range *range, int64_t value) { return range->low <= value && value <= range->high; }

/* ---- What the record says --------------------------------------------------------------------------------------- */

static void test_score(const struct condition *condition, const seebatch_rules *rules, struct judge *judge,
                       const struct batch *batch, bool *holds)
{
    (void)rules, (void)judge;
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = batch->records[i].has & FIELD_SCORE && in_range(&condition->range, batch->records[i].score);
}

static void test_abs_score(const struct condition *condition, const seebatch_rules *rules, struct judge *judge,
                           const struct batch *batch, bool *holds)
{
    (void)rules, (void)judge;
    for (size_t i = 0; i < batch->n; i++) {
        int64_t score = batch->records[i].score;
        holds[i] = batch->records[i].has & FIELD_SCORE && in_range(&condition->range, score < 0 ? -score : score);
    }
}

static void test_ply(const struct condition *condition, const seebatch_rules *rules, struct judge *judge,
                     const struct batch *batch, bool *holds)
{
    (void)rules, (void)judge;
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = batch->records[i].has & FIELD_PLY && in_range(&condition->range, batch->records[i].ply);
}

static void test_in_check(const struct condition *condition, const seebatch_rules *rules, struct judge *judge,
                          const struct batch *batch, bool *holds)
{
    (void)condition, (void)rules;
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = judge->in[i] && seebatch_in_check(&batch->positions[i]);
}

/* ---- Exchange values -------------------------------------------------------------------------------------------- */

static bool has_range(const struct range *range) { return range->low > INT64_MIN || range->high < INT64_MAX; }

/* Which of the judge's moves have a value within the range: its mask. */
static void find_in_range(const struct range *range, const seebatch_rules *rules, struct judge *judge,
                          const struct batch *batch)
{
    const size_t words = SEEBATCH_MASK_WORDS(judge->requests.offsets[batch->n]);
    if (words > judge->mask_capacity) {
        judge->mask_capacity = 2 * words;
        judge->mask = reallocate(judge->mask, judge->mask_capacity, sizeof *judge->mask);
        judge->above = reallocate(judge->above, judge->mask_capacity, sizeof *judge->above);
    }
    if (range->low > INT16_MAX || range->high < INT16_MIN) { /* beyond what a threshold can be, and any value */
        if (words > 0)
            memset(judge->mask, 0, words * sizeof *judge->mask);
        return;
    }
    const seebatch_batch requests = requests_of_batch(&judge->requests, batch);
    if (range->low > INT16_MIN)
        seebatch_batch_ge_mask(rules, &requests, (int16_t)range->low, judge->mask, NULL);
    else if (words > 0)
        memset(judge->mask, 0xff, words * sizeof *judge->mask);
    if (range->high < INT16_MAX) {
        seebatch_batch_ge_mask(rules, &requests, (int16_t)(range->high + 1), judge->above, NULL);
        for (size_t i = 0; i < words; i++)
            judge->mask[i] &= ~judge->above[i];
    }
}

/* Whether one of the moves of position i is in the mask. */
static bool any_in_mask(const struct judge *judge, size_t i)
{
    for (size_t k = judge->requests.offsets[i]; k < judge->requests.offsets[i + 1]; k++)
        if (judge->mask[k / 64] >> k % 64 & 1)
            return true;
    return false;
}

static void answer(const struct condition *condition, const seebatch_rules *rules, struct judge *judge,
                   const struct batch *batch, bool *holds)
{
    const bool range = has_range(&condition->range);
    if (range)
        find_in_range(&condition->range, rules, judge, batch);
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = range ? any_in_mask(judge, i) : judge->requests.offsets[i] < judge->requests.offsets[i + 1];
}

static void test_any_capture(const struct condition *condition, const seebatch_rules *rules, struct judge *judge,
                             const struct batch *batch, bool *holds)
{
    requests_of_captures(&judge->requests, batch, judge->in);
    answer(condition, rules, judge, batch, holds);
}

/* A legal move: a pawn that changes its file captures, en passant if nothing else; a king that meets its own rook does
 * not. */
static bool is_capture(const seebatch_position *position, seebatch_move move)
{
    const int from = seebatch_from(move), to = seebatch_to(move);
    if (seebatch_occupied(position) >> to & 1)
        return seebatch_color_on(position, to) != position->stm;
    return seebatch_type_on(position, from) == SEEBATCH_PAWN && (from & 7) != (to & 7);
}

static void test_move(const struct condition *condition, const seebatch_rules *rules, struct judge *judge,
                      const struct batch *batch, bool captures, bool promotions, bool *holds)
{
    size_t n = 0;
    requests_reserve(&judge->requests, BATCH_SIZE);
    for (size_t i = 0; i < batch->n; i++) {
        const struct record *record = &batch->records[i];
        judge->requests.offsets[i] = n;
        if (judge->in[i] && record->has & FIELD_MOVE &&
            ((captures && is_capture(&batch->positions[i], record->move)) ||
             (promotions && seebatch_promotion(record->move) != 0)))
            judge->requests.moves[n++] = record->move;
    }
    judge->requests.offsets[batch->n] = n;
    answer(condition, rules, judge, batch, holds);
}

static void test_capture(const struct condition *condition, const seebatch_rules *rules, struct judge *judge,
                         const struct batch *batch, bool *holds)
{
    test_move(condition, rules, judge, batch, true, false, holds);
}

static void test_promotion(const struct condition *condition, const seebatch_rules *rules, struct judge *judge,
                           const struct batch *batch, bool *holds)
{
    test_move(condition, rules, judge, batch, false, true, holds);
}

static void test_tactical(const struct condition *condition, const seebatch_rules *rules, struct judge *judge,
                          const struct batch *batch, bool *holds)
{
    test_move(condition, rules, judge, batch, true, true, holds);
}

/* ---- The conditions ---------------------------------------------------------------------------------------------- */

enum { CHEAP, CHECK, ONE_MOVE, ALL_CAPTURES };

static const struct condition_kind kinds[] = {
    {"in-check", 0, NO_RANGE, CHECK, test_in_check},
    {"capture", FIELD_MOVE, RANGE_OR_NOT, ONE_MOVE, test_capture},
    {"promotion", FIELD_MOVE, RANGE_OR_NOT, ONE_MOVE, test_promotion},
    {"tactical", FIELD_MOVE, RANGE_OR_NOT, ONE_MOVE, test_tactical},
    {"any-capture", 0, RANGE_OR_NOT, ALL_CAPTURES, test_any_capture},
    {"score", FIELD_SCORE, RANGE, CHEAP, test_score},
    {"abs-score", FIELD_SCORE, RANGE, CHEAP, test_abs_score},
    {"ply", FIELD_PLY, RANGE, CHEAP, test_ply},
};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

static const struct condition_kind *kind_named(const char *name, size_t length)
{
    for (int i = 0; i < N_KINDS; i++)
        if (strlen(kinds[i].name) == length && memcmp(kinds[i].name, name, length) == 0)
            return &kinds[i];
    return NULL;
}

/* Of values and scores alike: what no int32 reaches is never meant. */
static bool read_bound(const char *text, size_t length, int64_t *bound)
{
    return read_whole_number(text, length, INT32_MIN, INT32_MAX, bound);
}

/* A..B, A.., ..B, or A alone. */
static bool read_range(const char *text, struct range *range)
{
    const char *dots = strstr(text, "..");
    const char *second = dots != NULL ? dots + 2 : text;
    size_t length = dots != NULL ? (size_t)(dots - text) : strlen(text);
    *range = (struct range){INT64_MIN, INT64_MAX};
    if (dots == NULL)
        return read_bound(text, length, &range->low) && (range->high = range->low, true);
    return (length > 0 || *second != '\0') && (length == 0 || read_bound(text, length, &range->low)) &&
           (*second == '\0' || read_bound(second, strlen(second), &range->high)) && range->low <= range->high;
}

void conditions_add(struct conditions *conditions, const char *command, const char *text, bool keep)
{
    const char *option = keep ? "--keep" : "--drop";
    const char *equals = strchr(text, '=');
    size_t length = equals != NULL ? (size_t)(equals - text) : strlen(text);
    struct condition condition = {kind_named(text, length), {INT64_MIN, INT64_MAX}, keep};

    if (condition.kind == NULL) {
        char names[256] = "";
        for (int i = 0; i < N_KINDS; i++)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i > 0 ? ", " : "", kinds[i].name);
        usage_error(command, "%s: there is no condition '%.*s', expected one of %s", option, (int)length, text, names);
    }
    if (equals != NULL && condition.kind->range == NO_RANGE)
        usage_error(command, "%s: '%s' has no range, expected it without '%s'", option, condition.kind->name, equals);
    if (equals == NULL && condition.kind->range == RANGE)
        usage_error(command, "%s: '%s' needs a range such as %s=-100..100", option, text, text);
    if (equals != NULL && !read_range(equals + 1, &condition.range))
        usage_error(command, "%s: '%s' is not a range, expected A..B with integers A <= B, A.., ..B, or A alone",
                    option, equals + 1);
    if (conditions->n == MOST_CONDITIONS)
        usage_error(command, "more than %d conditions were given", MOST_CONDITIONS);
    conditions->list[conditions->n++] = condition;
}

void conditions_sort(struct conditions *conditions)
{
    struct condition *list = conditions->list;
    for (int i = 1; i < conditions->n; i++) {
        struct condition next = list[i];
        int k = i;
        for (; k > 0 && list[k - 1].kind->cost > next.kind->cost; k--)
            list[k] = list[k - 1];
        list[k] = next;
    }
}

unsigned conditions_fields(const struct conditions *conditions)
{
    unsigned fields = 0;
    for (int i = 0; i < conditions->n; i++)
        fields |= conditions->list[i].kind->field;
    return fields;
}

void conditions_judge(const struct conditions *conditions, struct judge *judge, const struct batch *batch)
{
    bool holds[BATCH_SIZE];
    for (size_t i = 0; i < batch->n; i++)
        judge->in[i] = true;
    for (int c = 0; c < conditions->n; c++) {
        const struct condition *condition = &conditions->list[c];
        condition->kind->test(condition, &conditions->rules, judge, batch, holds);
        for (size_t i = 0; i < batch->n; i++)
            judge->in[i] = judge->in[i] && holds[i] == condition->keep;
    }
}

void judge_free(struct judge *judge)
{
    free(judge->requests.moves);
    free(judge->mask);
    free(judge->above);
}
