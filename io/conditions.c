/*
 * Conditions on positions, and their evaluation in batches.
 *
 * A position is in as long as no condition has put it out. The conditions are tested one after another, cheap ones
 * first, each for all positions that are still in; one call of the library evaluates all their exchanges. A
 * condition about something that the record does not have does not hold.
 */
#include <stdlib.h>

#include "condition.h"
#include "errors.h"

enum { MOST_CONDITIONS = 64 };

/* What may follow the name of a condition. */
#define NO_RANGE ""
#define RANGE_OR_NOT "[=RANGE]"
#define RANGE "=RANGE"
#define ONE_RESULT "=RESULT"

struct condition_kind {
    const char *name;
    const char *argument;
    unsigned field; /* of the record, that it is about */
    int cost;
    test_function *test;
    const char *what, *details; /* as in seebatch_condition */
};

struct seebatch_conditions {
    struct condition list[MOST_CONDITIONS]; /* those that cost least come first */
    int n;
    seebatch_rules rules;
};

/* ---- What the record says --------------------------------------------------------------------------------------- */

static void test_score(const struct condition *condition, const seebatch_rules *rules, struct evaluation *evaluation,
                       const seebatch_records *batch, bool *holds)
{
    (void)rules, (void)evaluation;
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = has_field(batch, i, FIELD_SCORE) && in_range(&condition->range, batch->scores[i]);
}

static void test_abs_score(const struct condition *condition, const seebatch_rules *rules,
                           struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    (void)rules, (void)evaluation;
    for (size_t i = 0; i < batch->n; i++) {
        const int64_t score = has_field(batch, i, FIELD_SCORE) ? batch->scores[i] : 0;
        holds[i] = has_field(batch, i, FIELD_SCORE) && in_range(&condition->range, score < 0 ? -score : score);
    }
}

static void test_ply(const struct condition *condition, const seebatch_rules *rules, struct evaluation *evaluation,
                     const seebatch_records *batch, bool *holds)
{
    (void)rules, (void)evaluation;
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = has_field(batch, i, FIELD_PLY) && in_range(&condition->range, batch->plies[i]);
}

static void test_result(const struct condition *condition, const seebatch_rules *rules, struct evaluation *evaluation,
                        const seebatch_records *batch, bool *holds)
{
    (void)rules, (void)evaluation;
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = has_field(batch, i, FIELD_RESULT) && in_range(&condition->range, batch->results[i]);
}

/* ---- What the board says ----------------------------------------------------------------------------------------- */

static int64_t count(uint64_t squares) { return __builtin_popcountll(squares); }

static void test_pieces(const struct condition *condition, const seebatch_rules *rules, struct evaluation *evaluation,
                        const seebatch_records *batch, bool *holds)
{
    (void)rules, (void)evaluation;
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = in_range(&condition->range, count(seebatch_occupied(&batch->positions[i])));
}

/* A knight or bishop counts 1, a rook 2, a queen 4: 24 at the start of a game, 0 with kings and pawns alone. */
static void test_phase(const struct condition *condition, const seebatch_rules *rules, struct evaluation *evaluation,
                       const seebatch_records *batch, bool *holds)
{
    (void)rules, (void)evaluation;
    for (size_t i = 0; i < batch->n; i++) {
        const seebatch_position *position = &batch->positions[i];
        const int64_t phase = count(seebatch_pieces_of_type(position, SEEBATCH_KNIGHT)) +
                              count(seebatch_pieces_of_type(position, SEEBATCH_BISHOP)) +
                              2 * count(seebatch_pieces_of_type(position, SEEBATCH_ROOK)) +
                              4 * count(seebatch_pieces_of_type(position, SEEBATCH_QUEEN));
        holds[i] = in_range(&condition->range, phase);
    }
}

static void test_in_check(const struct condition *condition, const seebatch_rules *rules, struct evaluation *evaluation,
                          const seebatch_records *batch, bool *holds)
{
    (void)condition, (void)rules, (void)evaluation;
    seebatch_batch_in_check(batch->positions, batch->n, holds, NULL);
}

/* ---- The conditions ---------------------------------------------------------------------------------------------- */

enum { CHEAP, CHECK, ONE_MOVE, ALL_CAPTURES };

static const struct condition_kind kinds[] = {
    {"in-check", NO_RANGE, 0, CHECK, test_in_check, "the side to move is in check", "The side to move is in check."},
    {"capture", RANGE_OR_NOT, FIELD_MOVE, ONE_MOVE, seebatch_io_test_capture,
     "the record's move captures [for a value in RANGE]",
     "The record's move is a capture, en passant included; with a range, one whose exchange value lies in it."},
    {"promotion", RANGE_OR_NOT, FIELD_MOVE, ONE_MOVE, seebatch_io_test_promotion, "it promotes",
     "It is a promotion, be it a capture or not."},
    {"tactical", RANGE_OR_NOT, FIELD_MOVE, ONE_MOVE, seebatch_io_test_tactical, "it captures or promotes",
     "It is a capture or a promotion."},
    {"any-capture", RANGE_OR_NOT, 0, ALL_CAPTURES, seebatch_io_test_any_capture,
     "there is a legal capture [for a value in RANGE]",
     "The side to move has a legal capture; with a range, one whose value lies in it."},
    {"score", RANGE, FIELD_SCORE, CHEAP, test_score, "the record's score, from White's point of view",
     "The record's score, from White's point of view, lies in the range."},
    {"abs-score", RANGE, FIELD_SCORE, CHEAP, test_abs_score, "the same without its sign",
     "The same for the score without its sign."},
    {"ply", RANGE, FIELD_PLY, CHEAP, test_ply, "half moves since the start of the game",
     "The half moves from the start of the game to the position: what the record says of itself, or else twice the "
     "full-move number of the position less two, and one more if Black is to move."},
    {"result", ONE_RESULT, FIELD_RESULT, CHEAP, test_result, "of the game: 1.0 (White won), 0.5 or 0.0",
     "The result of the game: 1.0 (White won), 0.5 or 0.0, or as it is read in files."},
    {"pieces", RANGE, 0, CHEAP, test_pieces, "pieces on the board, kings and pawns too",
     "How many pieces stand on the board, kings and pawns included."},
    {"phase", RANGE, 0, CHEAP, test_phase, "of the game: 24 at its start, 0 with kings and pawns alone",
     "The phase of the game: a knight or bishop counts 1, a rook 2, a queen 4, of both sides together; 24 at the start "
     "of a game, 0 with kings and pawns alone."},
    {"quiet", NO_RANGE, 0, ALL_CAPTURES, seebatch_io_test_quiet,
     "not in check; no capture or promotion is worth 0 or more",
     "The side to move is not in check, and has no legal capture or promotion with a value of 0 or more."},
};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

bool seebatch_condition_at(size_t index, seebatch_condition *condition)
{
    if (index >= N_KINDS)
        return false;
    *condition =
        (seebatch_condition){kinds[index].name, kinds[index].argument, kinds[index].what, kinds[index].details};
    return true;
}

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
    return seebatch_io_read_whole_number(text, length, INT32_MIN, INT32_MAX, bound);
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
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s%s", i > 0 ? ", " : "", kinds[i].name,
                 kinds[i].argument);
    return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "there is no condition '%.*s', expected one of %s",
                            (int)length, text, names);
}

static bool read_condition(const char *text, struct condition *condition, seebatch_io_error *error)
{
    const char *equals = strchr(text, '=');
    const size_t length = equals != NULL ? (size_t)(equals - text) : strlen(text);
    const struct condition_kind *kind = condition->kind = kind_named(text, length);
    if (kind == NULL)
        return no_such_condition(text, length, error);
    if (equals != NULL && kind->argument[0] == '\0')
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "'%s' has no range, expected it without '%s'", kind->name,
                                equals);
    if (strcmp(kind->argument, ONE_RESULT) == 0) {
        uint8_t result = 0;
        if (equals == NULL || !seebatch_io_result_of_text(equals + 1, strlen(equals + 1), &result))
            return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "'%s' is no result, expected %s=1.0, 0.5 or 0.0", text,
                                    kind->name);
        condition->range = (struct range){result, result};
        return true;
    }
    if (equals == NULL && kind->argument[0] == '=')
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "'%s' needs a range such as %s=-100..100", text, text);
    return equals == NULL || read_range(equals + 1, &condition->range) ||
           seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                            "'%s' is not a range, expected A..B with integers A <= B, A.., ..B, or A alone",
                            equals + 1);
}

seebatch_io_status seebatch_conditions_add(seebatch_conditions *conditions, bool keep, const char *text,
                                           seebatch_io_error *error)
{
    struct condition condition = {NULL, {INT64_MIN, INT64_MAX}, keep, (uint8_t)(conditions->n + 1)};
    struct condition *list = conditions->list;
    if (!read_condition(text, &condition, error))
        return SEEBATCH_IO_USAGE;
    if (conditions->n == MOST_CONDITIONS) {
        seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "more than %d conditions were given", MOST_CONDITIONS);
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

/* What a field is called in a sentence, and what else a condition can be about. */
static const struct {
    unsigned field;
    const char *name, *instead;
} needs[] = {
    {FIELD_MOVE, "the move that was played", " ('any-capture' is about all legal captures, and needs no move)"},
    {FIELD_SCORE, "a score", ""},
    {FIELD_RESULT, "the result of the game", ""},
    {FIELD_PLY, "the ply", ""}};

seebatch_io_status seebatch_conditions_check(const seebatch_conditions *conditions, unsigned has,
                                             seebatch_io_error *error)
{
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        for (int c = 0; c < conditions->n; c++) {
            const struct condition_kind *kind = conditions->list[c].kind;
            if (!(kind->field & needs[i].field & ~has))
                continue;
            seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "'%s' needs %s, which none of these records has%s",
                             kind->name, needs[i].name, needs[i].instead);
            return SEEBATCH_IO_USAGE;
        }
    }
    return SEEBATCH_IO_OK;
}

/* SEEBATCH_HAS_... of the arrays that are there. */
static unsigned fields_of_arrays(const seebatch_records *records)
{
    return (records->moves != NULL ? FIELD_MOVE : 0u) | (records->scores != NULL ? FIELD_SCORE : 0u) |
           (records->results != NULL ? FIELD_RESULT : 0u) | (records->plies != NULL ? FIELD_PLY : 0u);
}

/* Those for which a condition is not as it has to be are out, by its number. */
static void put_out(struct evaluation *evaluation, const bool *holds, size_t n, bool keep, uint8_t number)
{
    bool *restrict in = evaluation->in;
    uint8_t *restrict by = evaluation->by;
    for (size_t i = 0; i < n && by != NULL; i++)
        by[i] = (uint8_t)(by[i] | (number & (0 - (unsigned)(in[i] & (holds[i] != keep)))));
    for (size_t i = 0; i < n; i++)
        in[i] &= holds[i] == keep;
}

/* Tests at most MOST_REQUESTED records. */
static void test_batch(const seebatch_conditions *conditions, struct evaluation *evaluation,
                       const seebatch_records *batch)
{
    bool holds[MOST_REQUESTED];
    for (size_t i = 0; i < batch->n; i++)
        evaluation->in[i] = true;
    for (int c = 0; c < conditions->n && !evaluation->failed; c++) {
        const struct condition *condition = &conditions->list[c];
        condition->kind->test(condition, &conditions->rules, evaluation, batch, holds);
        if (!evaluation->failed)
            put_out(evaluation, holds, batch->n, condition->keep, condition->number);
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
    batch.results = records->results != NULL ? records->results + first : NULL;
    batch.plies = records->plies != NULL ? records->plies + first : NULL;
    batch.has = records->has != NULL ? records->has + first : NULL;
    return batch;
}

/* Tests all records; in and failed may be NULL. */
static seebatch_io_status test_all(const seebatch_conditions *conditions, const seebatch_records *records, bool *in,
                                   uint8_t *failed)
{
    struct evaluation evaluation;
    struct room_for_one one;
    const bool is_one = records->n == 1;
    bool in_batch[MOST_REQUESTED];
    if ((seebatch_conditions_fields(conditions) & ~fields_of_arrays(records)) != 0)
        return SEEBATCH_IO_USAGE;
    evaluation.requests.moves = is_one ? one.moves : NULL;
    evaluation.requests.capacity = is_one ? SEEBATCH_MAX_MOVES : 0;
    evaluation.mask = is_one ? one.mask : NULL;
    evaluation.above = is_one ? one.above : NULL;
    evaluation.mask_capacity = is_one ? sizeof one.mask / sizeof *one.mask : 0;
    evaluation.failed = false;
    for (size_t i = 0; i < records->n && !evaluation.failed; i += MOST_REQUESTED) {
        const seebatch_records batch = records_from(records, i);
        evaluation.in = in != NULL ? in + i : in_batch;
        evaluation.by = failed != NULL ? failed + i : NULL;
        if (failed != NULL)
            memset(evaluation.by, 0, batch.n);
        test_batch(conditions, &evaluation, &batch);
    }
    if (!is_one) {
        free(evaluation.requests.moves);
        free(evaluation.mask);
    }
    return evaluation.failed ? SEEBATCH_IO_NO_MEMORY : SEEBATCH_IO_OK;
}

seebatch_io_status seebatch_conditions_test(const seebatch_conditions *conditions, const seebatch_records *records,
                                            bool *in)
{
    return test_all(conditions, records, in, NULL);
}

seebatch_io_status seebatch_conditions_find(const seebatch_conditions *conditions, const seebatch_records *records,
                                            uint8_t *failed)
{
    return test_all(conditions, records, NULL, failed);
}

void seebatch_conditions_free(seebatch_conditions *conditions) { free(conditions); }
