/*
 * Conditions on positions, and their evaluation in batches.
 *
 * A condition is one or several terms joined by "and", each a name with an argument, perhaps behind "not". A position is
 * in as long as no condition has put it out. The conditions are tested one after another, cheap ones first, each for
 * all positions that are still in, and so are the terms of each; one call of the library evaluates all their exchanges.
 * A term about something that the record does not have does not hold.
 */
#include <stdlib.h>

#include "condition.h"
#include "support/errors.h"
#include "support/splitmix.h"

enum { MOST_CONDITIONS = 64, MOST_TERMS = 128 };

/* What may follow the name of a condition. */
#define NO_RANGE ""
#define RANGE_OR_NOT "[=RANGE]"
#define RANGE "=RANGE"
#define ONE_RESULT "=RESULT"
#define ONE_FIELD "=FIELD"
#define PROBABILITY "=P"
#define POINTS "=POINTS"
#define MODEL "=MODEL"

struct condition_kind {
    const char *name;
    const char *argument;
    unsigned field; /* of the record, that it is about */
    int cost;
    test_function *test;
    const char *what, *details; /* as in seebatch_condition */
};

/* What has to hold, or may not: terms of the list, of which all have to. */
struct clause {
    int first, n;
    bool keep;
    uint8_t number; /* from 1, in the order in which they were added */
    int cost;
};

struct seebatch_conditions {
    struct clause list[MOST_CONDITIONS]; /* those that cost least come first */
    struct condition terms[MOST_TERMS];
    int n, n_terms;
    uint64_t seed;
    seebatch_rules rules;
};

/* ---- The conditions ---------------------------------------------------------------------------------------------- */

enum { CHEAP, CHECK, ONE_MOVE, ALL_CAPTURES };

static const struct condition_kind kinds[] = {
    {"in-check", NO_RANGE, 0, CHECK, seebatch_io_test_in_check, "the side to move is in check",
     "The side to move is in check."},
    {"capture", RANGE_OR_NOT, FIELD_MOVE, ONE_MOVE, seebatch_io_test_capture,
     "the record's move is a capture [for a value in RANGE]",
     "The record's move is a capture, which includes en passant. With a range, the value of the "
     "exchange must lie in it."},
    {"promotion", RANGE_OR_NOT, FIELD_MOVE, ONE_MOVE, seebatch_io_test_promotion,
     "the record's move is a promotion [for a value in RANGE]",
     "The record's move is a promotion, with or without a capture. With a range, the value of the "
     "exchange must lie in it."},
    {"tactical", RANGE_OR_NOT, FIELD_MOVE, ONE_MOVE, seebatch_io_test_tactical,
     "the record's move is a capture or a promotion [for a value in RANGE]",
     "The record's move is a capture or a promotion. With a range, the value of the exchange must "
     "lie in it."},
    {"any-capture", RANGE_OR_NOT, 0, ALL_CAPTURES, seebatch_io_test_any_capture,
     "the side to move has a legal capture [for a value in RANGE]",
     "The side to move has a legal capture. With a range, it has one whose value lies in the range."},
    {"score", RANGE, FIELD_SCORE, CHEAP, seebatch_io_test_score,
     "the record's score, from White's point of view, is in RANGE",
     "The record's score, from White's point of view, lies in the range."},
    {"abs-score", RANGE, FIELD_SCORE, CHEAP, seebatch_io_test_abs_score, "the score without its sign is in RANGE",
     "The record's score without its sign lies in the range."},
    {"ply", RANGE, FIELD_PLY, CHEAP, seebatch_io_test_ply,
     "the number of half moves since the start of the game is in RANGE",
     "The number of half moves from the start of the game to the position lies in the range. It is "
     "what the record says, or else it follows from the full-move number of the position: twice that "
     "number less two, and one more if Black is to move."},
    {"contradiction", RANGE, FIELD_SCORE | FIELD_RESULT, CHEAP, seebatch_io_test_contradiction,
     "the score contradicts the result by an amount in RANGE",
     "The score contradicts the result by an amount in the range. In a decided game the amount is "
     "the score of the side that lost, if that is above 0; in a draw, it is the score without its "
     "sign."},
    {"has", ONE_FIELD, 0, CHEAP, seebatch_io_test_has, "the record has a move, score, result or ply",
     "The record has this field: `move`, `score`, `result` or `ply`."},
    {"result", ONE_RESULT, FIELD_RESULT, CHEAP, seebatch_io_test_result,
     "the game ended with this result: 1.0 (White won), 0.5 or 0.0",
     "The game has this result: 1.0 (White won), 0.5 or 0.0, or another spelling that files may have."},
    {"pieces", RANGE, 0, CHEAP, seebatch_io_test_pieces,
     "the number of pieces on the board, kings and pawns included, is in RANGE",
     "The number of pieces on the board, including kings and pawns, lies in the range."},
    {"phase", RANGE, 0, CHEAP, seebatch_io_test_phase,
     "the phase of the game is in RANGE: 24 at its start, 0 with kings and pawns alone",
     "The phase of the game lies in the range. Each knight or bishop of either side counts 1, each "
     "rook 2 and each queen 4, so the phase is 24 at the start of a game and 0 with kings and pawns "
     "alone."},
    {"imbalance", RANGE, 0, CHEAP, seebatch_io_test_imbalance,
     "the difference between the material of the two sides, by --values, is in RANGE",
     "The difference between the material of the two sides, counted by the piece values and without "
     "its sign, lies in the range."},
    {"castling", NO_RANGE, FIELD_MOVE, CHEAP, seebatch_io_test_castling, "the record's move is castling",
     "The record's move castles."},
    {"en-passant", NO_RANGE, FIELD_MOVE, CHEAP, seebatch_io_test_en_passant,
     "the record's move is a capture en passant", "The record's move captures en passant."},
    {"chance", PROBABILITY, 0, CHEAP, seebatch_io_test_chance, "holds at random, with probability P",
     "The condition holds at random, with probability *P* from 0 to 1. The random choice depends on "
     "--seed and on the place of the record in the input, but not on threads. Each condition makes a "
     "choice of its own."},
    {"chance-by-pieces", POINTS, 0, CHEAP, seebatch_io_test_chance_by_pieces,
     "the same, with a probability that depends on the number of pieces, linear between points such as 8:0.2,24:1",
     "The condition holds at random, with a probability that depends on the number of pieces. It is "
     "given by up to 33 points, each of which is a number of pieces and a probability. Between "
     "points the probability is linear; before the first and after the last point it is constant."},
    {"chance-by-ply", POINTS, FIELD_PLY, CHEAP, seebatch_io_test_chance_by_ply,
     "the same, with a probability that depends on the ply",
     "The condition holds at random, with a probability that depends on the ply. For example, "
     "8:0,28:1 selects no position up to ply 8, half of those at ply 18, and all from ply 28 on."},
    {"chance-of-result", MODEL, FIELD_SCORE | FIELD_RESULT, CHECK, seebatch_io_test_chance_of_result,
     "the same, with the probability of the game's result given the score, by the model of nnue-pytorch or viriformat",
     "The condition holds at random, with the probability that a game with this score has the result "
     "that it had. The model is that of nnue-pytorch's loader (`nnue-pytorch`), which expects "
     "Stockfish's internal scores and needs the ply, or the default one of viriformat's filter "
     "(`viriformat`), which uses the material."},
    {"quiet", NO_RANGE, 0, ALL_CAPTURES, seebatch_io_test_quiet,
     "the side to move is not in check and has no capture or promotion with a value of 0 or more",
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
    if (conditions != NULL) {
        conditions->rules = *rules;
        seebatch_conditions_seed(conditions, 0);
    }
    return conditions;
}

static bool no_such_condition(const char *text, size_t length, seebatch_io_error *error)
{
    char names[512] = "";
    for (int i = 0; i < N_KINDS; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s%s", i > 0 ? ", " : "", kinds[i].name,
                 kinds[i].argument);
    return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "there is no condition '%.*s', expected one of %s",
                            (int)length, text, names);
}

/* A number from 0 to 1, with digits and a point alone. */
static bool read_probability(const char *text, size_t length, double *probability)
{
    char copy[32], *end;
    if (length == 0 || length >= sizeof copy || strspn(text, "0123456789.") < length)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    *probability = strtod(copy, &end);
    return *end == '\0' && *probability >= 0 && *probability <= 1;
}

/* X:P,X:P,... with X rising. */
static bool read_points(const char *text, struct condition *condition)
{
    for (;;) {
        const size_t length = strcspn(text, ","), x = strcspn(text, ":,");
        int64_t at;
        const int n = condition->n_points;
        if (n == MOST_POINTS || x >= length || !read_bound(text, x, &at) || at < 0 ||
            (n > 0 && (double)at <= condition->at[n - 1]) ||
            !read_probability(text + x + 1, length - x - 1, &condition->probability[n]))
            return false;
        condition->at[condition->n_points++] = (double)at;
        if (text[length] == '\0')
            return true;
        text += length + 1;
    }
}

/* A word of a list, as a range of its number alone. */
static bool read_word(const char *text, const char *(*word_at)(int64_t number), struct range *range)
{
    for (int64_t i = 0; word_at(i) != NULL; i++) {
        *range = (struct range){i, i};
        if (strcmp(word_at(i), text) == 0)
            return true;
    }
    return false;
}

static const char *field_at(int64_t number)
{
    static const char *const names[] = {"move", "score", "result", "ply"};
    return number < N_FIELDS ? names[number] : NULL;
}

static bool read_result(const char *text, struct range *range)
{
    uint8_t result;
    if (!seebatch_io_result_of_text(text, strlen(text), &result))
        return false;
    *range = (struct range){result, result};
    return true;
}

/* What stands behind the =, by what the condition expects; the error says what that is. */
static bool read_argument(const char *text, struct condition *condition, seebatch_io_error *error)
{
    const char *name = condition->kind->name, *form = condition->kind->argument;
    bool well = false;
    const char *expected = "A..B with integers A <= B, A.., ..B, or A alone";
    if (strcmp(form, ONE_RESULT) == 0) {
        well = read_result(text, &condition->range);
        expected = "1.0, 0.5 or 0.0";
    } else if (strcmp(form, ONE_FIELD) == 0) {
        well = read_word(text, field_at, &condition->range);
        expected = "move, score, result or ply";
    } else if (strcmp(form, MODEL) == 0) {
        well = read_word(text, seebatch_io_result_model, &condition->range);
        expected = "nnue-pytorch or viriformat";
    } else if (strcmp(form, PROBABILITY) == 0) {
        condition->n_points = 1;
        well = read_probability(text, strlen(text), condition->probability);
        expected = "a probability from 0 to 1";
    } else if (strcmp(form, POINTS) == 0) {
        well = read_points(text, condition);
        expected = "up to 33 points N:P with rising integers N and probabilities P from 0 to 1, such as 8:0.2,24:1";
    } else {
        well = read_range(text, &condition->range);
        return well ||
               seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "'%s' is not a range, expected %s", text, expected);
    }
    return well ||
           seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "%s: '%s' was given, expected %s", name, text, expected);
}

static bool read_condition(const char *text, struct condition *condition, seebatch_io_error *error)
{
    const char *equals = strchr(text, '=');
    const size_t length = equals != NULL ? (size_t)(equals - text) : strlen(text);
    const struct condition_kind *kind = condition->kind = kind_named(text, length);
    if (kind == NULL)
        return no_such_condition(text, length, error);
    if (equals != NULL && kind->argument[0] == '\0')
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "'%s' takes no range, expected it without '%s'",
                                kind->name, equals);
    if (equals == NULL && strcmp(kind->argument, RANGE) == 0)
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "'%s' needs a range such as %s=-100..100", text, text);
    if (equals == NULL && kind->argument[0] == '=')
        equals = text + length - 1; /* nothing was given, which no such argument is */
    return equals == NULL || read_argument(equals + 1, condition, error);
}

/* The next term of a text, up to " and " or the end; false, and *error, where it is too long. */
static bool next_term(const char **text, char *term, size_t size, seebatch_io_error *error)
{
    static const char and[] = " and ";
    const char *end = strstr(*text, and);
    const size_t length = end != NULL ? (size_t)(end - *text) : strlen(*text);
    if (length >= size)
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                                "the condition '%.40s...' is too long, expected at most %zu characters", *text,
                                size - 1);
    memcpy(term, *text, length);
    term[length] = '\0';
    *text = end != NULL ? end + sizeof and-1 : NULL;
    return true;
}

/* Adds the terms of a text to the list, cheap ones first. */
static bool read_terms(seebatch_conditions *conditions, const char *text, struct clause *clause,
                       seebatch_io_error *error)
{
    static const char negation[] = "not ";
    char copy[1024];
    while (text != NULL) {
        struct condition term = {.range = {INT64_MIN, INT64_MAX}};
        if (!next_term(&text, copy, sizeof copy, error))
            return false;
        term.negated = strncmp(copy, negation, sizeof negation - 1) == 0;
        term.seed = splitmix((uint64_t)(clause->first + clause->n + 1) * GOLDEN_GAMMA);
        if (!read_condition(copy + (term.negated ? sizeof negation - 1 : 0), &term, error))
            return false;
        seebatch_io_prepare(&term, &conditions->rules, term.kind->test);
        if (clause->first + clause->n == MOST_TERMS)
            return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "more than %d terms were given", MOST_TERMS);
        struct condition *list = conditions->terms + clause->first;
        int k = clause->n++;
        for (; k > 0 && list[k - 1].kind->cost > term.kind->cost; k--)
            list[k] = list[k - 1];
        list[k] = term;
        clause->cost = list[clause->n - 1].kind->cost;
    }
    return true;
}

seebatch_io_status seebatch_conditions_add(seebatch_conditions *conditions, bool keep, const char *text,
                                           seebatch_io_error *error)
{
    struct clause clause = {conditions->n_terms, 0, keep, (uint8_t)(conditions->n + 1), 0};
    struct clause *list = conditions->list;
    if (!read_terms(conditions, text, &clause, error))
        return SEEBATCH_IO_USAGE;
    if (conditions->n == MOST_CONDITIONS) {
        seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "more than %d conditions were given", MOST_CONDITIONS);
        return SEEBATCH_IO_USAGE;
    }
    conditions->n_terms += clause.n;
    int k = conditions->n++;
    for (; k > 0 && list[k - 1].cost > clause.cost; k--)
        list[k] = list[k - 1];
    list[k] = clause;
    return SEEBATCH_IO_OK;
}

void seebatch_conditions_seed(seebatch_conditions *conditions, uint64_t seed)
{
    conditions->seed = splitmix(seed + GOLDEN_GAMMA);
}

/* FIELD_... that a term is about. */
static unsigned fields_of(const struct condition *term)
{
    if (term->kind->test == seebatch_io_test_has)
        return 1u << term->range.low;
    const bool by_ply = term->kind->test == seebatch_io_test_chance_of_result && term->range.low == 0;
    return term->kind->field | (by_ply ? FIELD_PLY : 0u);
}

unsigned seebatch_conditions_fields(const seebatch_conditions *conditions)
{
    unsigned fields = 0;
    for (int i = 0; i < conditions->n_terms; i++)
        fields |= fields_of(&conditions->terms[i]);
    return fields;
}

bool seebatch_conditions_use_chance(const seebatch_conditions *conditions)
{
    bool use = false;
    for (int i = 0; i < conditions->n_terms; i++)
        use |= strncmp(conditions->terms[i].kind->name, "chance", 6) == 0;
    return use;
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
        for (int c = 0; c < conditions->n_terms; c++) {
            const struct condition *term = &conditions->terms[c];
            if (!(fields_of(term) & needs[i].field & ~has))
                continue;
            seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "'%s' needs %s, which none of these records has%s",
                             term->kind->name, needs[i].name, needs[i].instead);
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

/* Leaves in those for which a term is as it has to be: in bytes, of which compilers make vectors. */
static void leave_in(bool *in, const bool *holds, size_t n, bool keep)
{
    uint8_t *restrict left = (uint8_t *)in;
    const uint8_t *restrict well = (const uint8_t *)holds;
    const uint8_t wrong = !keep;
    for (size_t i = 0; i < n; i++)
        left[i] &= well[i] ^ wrong;
}

/* Those for which a condition is not as it has to be are out, by its number. */
static void put_out(struct evaluation *evaluation, const bool *holds, size_t n, bool keep, uint8_t number)
{
    const uint8_t *in = (const uint8_t *)evaluation->in, *well = (const uint8_t *)holds;
    uint8_t *restrict by = evaluation->by;
    for (size_t i = 0; by != NULL && i < n; i++)
        by[i] |= number & (uint8_t)(0 - (in[i] & (well[i] ^ keep)));
    leave_in(evaluation->in, holds, n, keep);
}

/* Whether all terms of a clause hold: each is tested for those positions for which the ones before it do. */
static void test_clause(const seebatch_conditions *conditions, const struct clause *clause,
                        struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    const struct condition *terms = conditions->terms + clause->first;
    bool rest[MOST_QUERIED], *in = evaluation->in;
    const bool several = clause->n > 1 || terms->negated;
    if (several) {
        memcpy(rest, in, batch->n * sizeof *rest);
        evaluation->in = rest;
    }
    for (int k = 0; k < clause->n && !evaluation->failed; k++) {
        terms[k].kind->test(&terms[k], &conditions->rules, evaluation, batch, holds);
        if (several)
            leave_in(rest, holds, batch->n, !terms[k].negated);
    }
    if (several)
        memcpy(holds, rest, batch->n * sizeof *rest);
    evaluation->in = in;
}

/* Tests at most MOST_QUERIED records. */
static void test_batch(const seebatch_conditions *conditions, struct evaluation *evaluation,
                       const seebatch_records *batch)
{
    bool holds[MOST_QUERIED];
    for (size_t i = 0; i < batch->n; i++)
        evaluation->in[i] = true;
    for (int c = 0; c < conditions->n && !evaluation->failed; c++) {
        const struct clause *clause = &conditions->list[c];
        test_clause(conditions, clause, evaluation, batch, holds);
        if (!evaluation->failed)
            put_out(evaluation, holds, batch->n, clause->keep, clause->number);
    }
}

/* The records from one on. */
static seebatch_records records_from(const seebatch_records *records, size_t first)
{
    const size_t left = records->n - first;
    seebatch_records batch = {.n = left < MOST_QUERIED ? left : MOST_QUERIED, .positions = records->positions + first};
    batch.moves = records->moves != NULL ? records->moves + first : NULL;
    batch.scores = records->scores != NULL ? records->scores + first : NULL;
    batch.results = records->results != NULL ? records->results + first : NULL;
    batch.plies = records->plies != NULL ? records->plies + first : NULL;
    batch.has = records->has != NULL ? records->has + first : NULL;
    batch.identities = records->identities != NULL ? records->identities + first : NULL;
    return batch;
}

/* Tests all records; in and failed may be NULL. */
static seebatch_io_status test_all(const seebatch_conditions *conditions, const seebatch_records *records, bool *in,
                                   uint8_t *failed)
{
    struct evaluation evaluation;
    struct room_for_one one;
    const bool is_one = records->n == 1;
    bool in_batch[MOST_QUERIED];
    if ((seebatch_conditions_fields(conditions) & ~fields_of_arrays(records)) != 0)
        return SEEBATCH_IO_USAGE;
    evaluation.queries.moves = is_one ? one.moves : NULL;
    evaluation.queries.capacity = is_one ? SEEBATCH_MAX_MOVES : 0;
    evaluation.mask = is_one ? one.mask : NULL;
    evaluation.above = is_one ? one.above : NULL;
    evaluation.mask_capacity = is_one ? sizeof one.mask / sizeof *one.mask : 0;
    evaluation.seed = conditions->seed;
    evaluation.failed = false;
    for (size_t i = 0; i < records->n && !evaluation.failed; i += MOST_QUERIED) {
        const seebatch_records batch = records_from(records, i);
        evaluation.in = in != NULL ? in + i : in_batch;
        evaluation.by = failed != NULL ? failed + i : NULL;
        if (failed != NULL)
            memset(evaluation.by, 0, batch.n);
        test_batch(conditions, &evaluation, &batch);
    }
    if (!is_one) {
        free(evaluation.queries.moves);
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
