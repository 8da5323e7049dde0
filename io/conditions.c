/*
 * Conditions on positions, and their evaluation in batches.
 *
 * A position is in as long as no condition has put it out. The conditions are tested one after another, cheap ones
 * first, each for all positions that are still in; one call of the library evaluates all their exchanges. A
 * condition about something that the record does not have does not hold.
 */
#include <stdlib.h>

#include "formats/format.h"
#include "in_check.h"
#include "requests.h"
#include "sink.h"

/* Both ends belong to it. */
struct range {
    int64_t low, high;
};

struct condition {
    const struct condition_kind *kind;
    struct range range;
    bool keep; /* what has to be so; otherwise what may not be so */
};

enum { MOST_CONDITIONS = 64 };

struct seebatch_conditions {
    struct condition list[MOST_CONDITIONS]; /* those that cost least come first */
    int n;
    seebatch_rules rules;
};

/* Memory for the evaluation of batches. */
struct judge {
    bool *in; /* the answer so far */
    struct requests requests;
    uint64_t *mask, *above;
    size_t mask_capacity;
    bool failed; /* there was no memory */
};

struct condition_kind {
    const char *name;
    unsigned field; /* of the record, that it is about */
    enum { NO_RANGE, RANGE_OR_NOT, RANGE } range;
    int cost;
    /* Sets holds[i] for each position that is in. */
    void (*test)(const struct condition *condition, const seebatch_rules *rules, struct judge *judge,
                 const seebatch_records *batch, bool *holds);
};

static bool in_range(const struct range *range, int64_t value) { return range->low <= value && value <= range->high; }

/* Whether record i has a field, and its array is there. */
static bool has(const seebatch_records *batch, size_t i, unsigned field)
{
    const void *array = field == FIELD_MOVE    ? (const void *)batch->moves
                        : field == FIELD_SCORE ? (const void *)batch->scores
                                               : (const void *)batch->plies;
    return array != NULL && (batch->has == NULL || batch->has[i] & field);
}

/* ---- What the record says --------------------------------------------------------------------------------------- */

static void test_score(const struct condition *condition, const seebatch_rules *rules, struct judge *judge,
                       const seebatch_records *batch, bool *holds)
{
    (void)rules, (void)judge;
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = has(batch, i, FIELD_SCORE) && in_range(&condition->range, batch->scores[i]);
}

static void test_abs_score(const struct condition *condition, const seebatch_rules *rules, struct judge *judge,
                           const seebatch_records *batch, bool *holds)
{
    (void)rules, (void)judge;
    for (size_t i = 0; i < batch->n; i++) {
        const int64_t score = has(batch, i, FIELD_SCORE) ? batch->scores[i] : 0;
        holds[i] = has(batch, i, FIELD_SCORE) && in_range(&condition->range, score < 0 ? -score : score);
    }
}

static void test_ply(const struct condition *condition, const seebatch_rules *rules, struct judge *judge,
                     const seebatch_records *batch, bool *holds)
{
    (void)rules, (void)judge;
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = has(batch, i, FIELD_PLY) && in_range(&condition->range, batch->plies[i]);
}

static void test_in_check(const struct condition *condition, const seebatch_rules *rules, struct judge *judge,
                          const seebatch_records *batch, bool *holds)
{
    (void)condition, (void)rules, (void)judge;
    find_positions_in_check(batch->positions, batch->n, holds);
}

/* ---- Exchange values -------------------------------------------------------------------------------------------- */

static bool has_range(const struct range *range) { return range->low > INT64_MIN || range->high < INT64_MAX; }

/* Room for two masks of so many words. */
static bool reserve_masks(struct judge *judge, size_t words)
{
    if (words <= judge->mask_capacity)
        return true;
    uint64_t *masks = realloc(judge->mask, 4 * words * sizeof *masks);
    if (masks == NULL) {
        judge->failed = true;
        return false;
    }
    judge->mask = masks;
    judge->above = masks + 2 * words;
    judge->mask_capacity = 2 * words;
    return true;
}

/* Above every value the threshold is one that only moves reach which pass at any. */
static int16_t threshold_of(int64_t bound) { return bound < SEEBATCH_ALWAYS ? (int16_t)bound : SEEBATCH_ALWAYS; }

/* Which of the judge's moves have a value within the range: its mask. Moves that the rules let pass at any threshold
 * are in a range that is open above, and in no other. */
static void find_in_range(const struct range *range, const seebatch_rules *rules, struct judge *judge,
                          const seebatch_records *batch)
{
    const size_t words = SEEBATCH_MASK_WORDS(judge->requests.offsets[batch->n]);
    if (!reserve_masks(judge, words + 1))
        return;
    judge->mask[words] = 0;
    if (range->high < INT16_MIN) { /* below any value */
        if (words > 0)
            memset(judge->mask, 0, words * sizeof *judge->mask);
        return;
    }
    const seebatch_batch requests = requests_of_batch(&judge->requests, batch->positions, batch->n);
    if (range->low > INT16_MIN)
        seebatch_batch_ge_mask(rules, &requests, threshold_of(range->low), judge->mask, NULL);
    else if (words > 0)
        memset(judge->mask, 0xff, words * sizeof *judge->mask);
    if (range->high < INT64_MAX) {
        seebatch_batch_ge_mask(rules, &requests, threshold_of(range->high + 1), judge->above, NULL);
        for (size_t i = 0; i < words; i++)
            judge->mask[i] &= ~judge->above[i];
    }
}

/* Whether one of the moves of position i is in the mask, which has a word more than its moves need. Mostly there are
 * few, and how many cannot be guessed: their bits are taken at once. */
static inline bool any_in_mask(const struct judge *judge, size_t i)
{
    const size_t first = judge->requests.offsets[i], n = judge->requests.offsets[i + 1] - first;
    for (size_t k = first; n >= 64 && k < first + n; k++)
        if (judge->mask[k / 64] >> k % 64 & 1)
            return true;
    const uint64_t *word = &judge->mask[first / 64];
    const uint64_t bits =
        first % 64 + n > 64 ? word[0] >> first % 64 | word[1] << (64 - first % 64) : word[0] >> first % 64;
    return n < 64 && (bits & ((UINT64_C(1) << n % 64) - 1)) != 0;
}

static void answer(const struct condition *condition, const seebatch_rules *rules, struct judge *judge,
                   const seebatch_records *batch, bool *holds)
{
    const bool range = has_range(&condition->range);
    if (range && !judge->failed)
        find_in_range(&condition->range, rules, judge, batch);
    if (judge->failed)
        return;
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = range ? any_in_mask(judge, i) : judge->requests.offsets[i] < judge->requests.offsets[i + 1];
}

/* Whether every capture by a pawn, no promotion nor en passant, has a value within the range: it wins a piece, and
 * loses the pawn at worst. */
static bool holds_for_pawns(const struct range *range, const seebatch_rules *rules)
{
    int least = rules->value[SEEBATCH_PAWN];
    for (int type = SEEBATCH_KNIGHT; type <= SEEBATCH_QUEEN; type++)
        least = rules->value[type] < least ? rules->value[type] : least;
    return range->low <= least - rules->value[SEEBATCH_PAWN] && range->high == INT64_MAX;
}

static void test_any_capture(const struct condition *condition, const seebatch_rules *rules, struct judge *judge,
                             const seebatch_records *batch, bool *holds)
{
    bool by_pawn[MOST_REQUESTED];
    const bool enough = holds_for_pawns(&condition->range, rules);
    judge->failed |=
        !requests_of_captures(&judge->requests, batch->positions, batch->n, judge->in, enough ? by_pawn : NULL);
    answer(condition, rules, judge, batch, holds);
    for (size_t i = 0; enough && !judge->failed && i < batch->n; i++)
        holds[i] |= by_pawn[i];
}

/* A legal move: a pawn that changes its file captures, en passant if nothing else; a king that meets its own rook does
 * not. Without a branch, because nobody can guess which moves capture. */
static inline bool is_capture(const seebatch_position *position, seebatch_move move)
{
    const int from = seebatch_from(move), to = seebatch_to(move);
    const uint64_t enemy = seebatch_pieces_of_color(position, !position->stm);
    const uint64_t pawns = seebatch_pieces_of_type(position, SEEBATCH_PAWN);
    return (enemy >> to | (pawns >> from & (uint64_t)(((from ^ to) & 7) != 0))) & 1;
}

static void test_move(const struct condition *condition, const seebatch_rules *rules, struct judge *judge,
                      const seebatch_records *batch, bool captures, bool promotions, bool *holds)
{
    for (size_t i = 0; i < batch->n; i++) {
        const seebatch_move move = batch->moves[i];
        const int promotes = promotions & (seebatch_promotion(move) != 0);
        const int is = (captures & (int)is_capture(&batch->positions[i], move)) | promotes;
        holds[i] = is & (int)has(batch, i, FIELD_MOVE);
    }
    if (!has_range(&condition->range))
        return;
    size_t n = 0;
    judge->failed |= !requests_reserve(&judge->requests, MOST_REQUESTED + 1);
    if (judge->failed)
        return;
    for (size_t i = 0; i < batch->n; i++) {
        judge->requests.offsets[i] = n;
        judge->requests.moves[n] = batch->moves[i];
        n += (size_t)(judge->in[i] & (int)holds[i]);
    }
    judge->requests.offsets[batch->n] = n;
    answer(condition, rules, judge, batch, holds);
}

static void test_capture(const struct condition *condition, const seebatch_rules *rules, struct judge *judge,
                         const seebatch_records *batch, bool *holds)
{
    test_move(condition, rules, judge, batch, true, false, holds);
}

static void test_promotion(const struct condition *condition, const seebatch_rules *rules, struct judge *judge,
                           const seebatch_records *batch, bool *holds)
{
    test_move(condition, rules, judge, batch, false, true, holds);
}

static void test_tactical(const struct condition *condition, const seebatch_rules *rules, struct judge *judge,
                          const seebatch_records *batch, bool *holds)
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

seebatch_conditions *seebatch_conditions_new(const seebatch_rules *rules)
{
    seebatch_conditions *conditions = calloc(1, sizeof *conditions);
    if (conditions != NULL)
        conditions->rules = *rules;
    return conditions;
}

static bool no_such_condition(const char *text, size_t length, seebatch_io_error *error)
{
    char names[256] = "";
    for (int i = 0; i < N_KINDS; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i > 0 ? ", " : "", kinds[i].name);
    return io_fail(error, SEEBATCH_IO_USAGE, 0, "there is no condition '%.*s', expected one of %s", (int)length, text,
                   names);
}

static bool read_condition(const char *text, struct condition *condition, seebatch_io_error *error)
{
    const char *equals = strchr(text, '=');
    const size_t length = equals != NULL ? (size_t)(equals - text) : strlen(text);
    const struct condition_kind *kind = condition->kind = kind_named(text, length);
    if (kind == NULL)
        return no_such_condition(text, length, error);
    if (equals != NULL && kind->range == NO_RANGE)
        return io_fail(error, SEEBATCH_IO_USAGE, 0, "'%s' has no range, expected it without '%s'", kind->name, equals);
    if (equals == NULL && kind->range == RANGE)
        return io_fail(error, SEEBATCH_IO_USAGE, 0, "'%s' needs a range such as %s=-100..100", text, text);
    return equals == NULL || read_range(equals + 1, &condition->range) ||
           io_fail(error, SEEBATCH_IO_USAGE, 0,
                   "'%s' is not a range, expected A..B with integers A <= B, A.., ..B, or A alone", equals + 1);
}

seebatch_io_status seebatch_conditions_add(seebatch_conditions *conditions, bool keep, const char *text,
                                           seebatch_io_error *error)
{
    struct condition condition = {NULL, {INT64_MIN, INT64_MAX}, keep};
    struct condition *list = conditions->list;
    if (!read_condition(text, &condition, error))
        return SEEBATCH_IO_USAGE;
    if (conditions->n == MOST_CONDITIONS) {
        io_fail(error, SEEBATCH_IO_USAGE, 0, "more than %d conditions were given", MOST_CONDITIONS);
        return SEEBATCH_IO_USAGE;
    }
    int k = conditions->n++;
    for (; k > 0 && list[k - 1].kind->cost > condition.kind->cost; k--)
        list[k] = list[k - 1];
    list[k] = condition;
    return SEEBATCH_IO_OK;
}

unsigned seebatch_conditions_fields(const seebatch_conditions *conditions)
{
    unsigned fields = 0;
    for (int i = 0; i < conditions->n; i++)
        fields |= conditions->list[i].kind->field;
    return fields;
}

/* Judges at most MOST_REQUESTED records. */
static void judge_batch(const seebatch_conditions *conditions, struct judge *judge, const seebatch_records *batch)
{
    bool holds[MOST_REQUESTED];
    for (size_t i = 0; i < batch->n; i++)
        judge->in[i] = true;
    for (int c = 0; c < conditions->n && !judge->failed; c++) {
        const struct condition *condition = &conditions->list[c];
        condition->kind->test(condition, &conditions->rules, judge, batch, holds);
        for (size_t i = 0; i < batch->n && !judge->failed; i++)
            judge->in[i] &= holds[i] == condition->keep;
    }
}

/* The records from one on. */
static seebatch_records records_from(const seebatch_records *records, size_t first)
{
    const size_t left = records->n - first;
    seebatch_records batch = {.n = left < MOST_REQUESTED ? left : MOST_REQUESTED,
                              .positions = records->positions + first};
    batch.moves = records->moves != NULL ? records->moves + first : NULL;
    batch.scores = records->scores != NULL ? records->scores + first : NULL;
    batch.plies = records->plies != NULL ? records->plies + first : NULL;
    batch.has = records->has != NULL ? records->has + first : NULL;
    return batch;
}

seebatch_io_status seebatch_conditions_test(const seebatch_conditions *conditions, const seebatch_records *records,
                                            bool *in)
{
    struct judge judge;
    judge.requests.moves = NULL;
    judge.requests.capacity = judge.mask_capacity = 0;
    judge.mask = judge.above = NULL;
    judge.failed = false;
    for (size_t i = 0; i < records->n && !judge.failed; i += MOST_REQUESTED) {
        const seebatch_records batch = records_from(records, i);
        judge.in = in + i;
        judge_batch(conditions, &judge, &batch);
    }
    free(judge.requests.moves);
    free(judge.mask);
    return judge.failed ? SEEBATCH_IO_NO_MEMORY : SEEBATCH_IO_OK;
}

void seebatch_conditions_free(seebatch_conditions *conditions) { free(conditions); }
