/*
 * Keeps lists of conditions, and evaluates them in batches.
 *
 * A condition is an expression (expression.c), a tree of terms. A position is in as long as no condition has put it out.
 * The conditions are tested one after another, cheap ones first, each for all positions that are still in, and so are
 * the parts of each, for the positions that the ones before leave undecided; one call of the library evaluates all their
 * exchanges. A term about something that the record does not have does not hold.
 */
#include <stdarg.h>
#include <stdlib.h>

#include "condition.h"
#include "support/errors.h"
#include "support/splitmix.h"

seebatch_conditions *seebatch_conditions_new(const seebatch_rules *rules)
{
    seebatch_conditions *conditions = calloc(1, sizeof *conditions);
    if (conditions != NULL) {
        conditions->rules = *rules;
        seebatch_conditions_seed(conditions, 0);
    }
    return conditions;
}

/* Says where the list was, to go back to it. */
struct mark {
    int n_terms, n_nodes;
};

/* Adds the terms of a text to the list, or leaves the list as it is. */
static bool read_clause(seebatch_conditions *conditions, const char *text, struct clause *clause,
                        seebatch_io_error *error)
{
    const struct mark mark = {conditions->n_terms, conditions->n_nodes};
    clause->root = NONE;
    clause->text = malloc(strlen(text) + 1);
    if (clause->text == NULL)
        seebatch_io_no_memory(error);
    else
        clause->root = seebatch_io_parse(conditions, strcpy(clause->text, text), error);
    if (clause->root != NONE) {
        clause->cost = conditions->nodes[clause->root].cost;
        return true;
    }
    free(clause->text);
    conditions->n_terms = mark.n_terms;
    conditions->n_nodes = mark.n_nodes;
    return false;
}

seebatch_io_status seebatch_conditions_add(seebatch_conditions *conditions, bool keep, const char *text,
                                           seebatch_io_error *error)
{
    struct clause clause = {.keep = keep, .number = (uint8_t)(conditions->n + 1)}, *list = conditions->list;
    seebatch_io_error unasked;
    error = error != NULL ? error : &unasked;
    if (conditions->n == MOST_CONDITIONS) {
        seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "more than %d conditions were given", MOST_CONDITIONS);
        return SEEBATCH_IO_USAGE;
    }
    if (!read_clause(conditions, text, &clause, error))
        return error->status;
    seebatch_io_look_for_doubt(conditions, &clause);
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

unsigned seebatch_conditions_fields(const seebatch_conditions *conditions)
{
    unsigned fields = 0;
    for (int i = 0; i < conditions->n_terms; i++)
        fields |= seebatch_io_fields_of(&conditions->terms[i]);
    return fields;
}

bool seebatch_conditions_use_chance(const seebatch_conditions *conditions)
{
    bool use = false;
    for (int i = 0; i < conditions->n_terms; i++)
        use |= strncmp(conditions->terms[i].kind->name, "chance", 6) == 0;
    return use;
}

/* Names a field in a sentence, and what else a condition can be about. */
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
            if (!(seebatch_io_fields_of(term) & needs[i].field & ~has))
                continue;
            seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "'%s' needs %s, which none of these records has%s",
                             term->kind->name, needs[i].name, needs[i].instead);
            return SEEBATCH_IO_USAGE;
        }
    }
    return SEEBATCH_IO_OK;
}

/* Returns SEEBATCH_HAS_... of the arrays that are there. */
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

/* Puts out those for which a condition is not as it has to be, by its number. */
static void put_out(struct evaluation *evaluation, const bool *holds, size_t n, bool keep, uint8_t number)
{
    const uint8_t *in = (const uint8_t *)evaluation->in, *well = (const uint8_t *)holds;
    uint8_t *restrict by = evaluation->by;
    for (size_t i = 0; by != NULL && i < n; i++)
        by[i] |= number & (uint8_t)(0 - (in[i] & (well[i] ^ keep)));
    leave_in(evaluation->in, holds, n, keep);
}

/* Notes for whoever asks that a term was tested, and its answers. */
static void note_decisions(const struct condition *term, int number, struct evaluation *evaluation,
                           const seebatch_records *batch, const bool *holds)
{
    const unsigned fields = term->kind->form == A_FIELD ? 0 : seebatch_io_fields_of(term);
    for (size_t i = 0; i < batch->n; i++) {
        seebatch_decision *decision = &evaluation->decisions[i];
        bool absent = term->kind->form == A_PATTERN && batch->file == NULL;
        for (unsigned field = 1; field < 1u << N_FIELDS; field <<= 1)
            absent |= (fields & field) != 0 && !has_field(batch, i, field);
        if (!evaluation->in[i])
            continue;
        decision->tested[number / 64] |= UINT64_C(1) << number % 64;
        decision->held[number / 64] |= (uint64_t)holds[i] << number % 64;
        decision->absent[number / 64] |= (uint64_t)absent << number % 64;
        decision->last = (uint8_t)number;
    }
}

/* Tests whether a term holds for each position that is in. */
static void test_term(const seebatch_conditions *conditions, int number, struct evaluation *evaluation,
                      const seebatch_records *batch, bool *holds)
{
    const struct condition *term = &conditions->terms[number];
    if (evaluation->assuming && term->kind->cost >= ONE_MOVE) {
        memset(holds, evaluation->assumed, batch->n * sizeof *holds);
        return;
    }
    term->kind->test(term, &conditions->rules, evaluation, batch, holds);
    if (evaluation->decisions != NULL && !evaluation->failed)
        note_decisions(term, number, evaluation, batch, holds);
}

/* Negates the answers where a position is in, in bytes as well. */
static void negate_where(bool *holds, const bool *in, size_t n)
{
    uint8_t *restrict bytes = (uint8_t *)holds;
    const uint8_t *restrict where = (const uint8_t *)in;
    for (size_t i = 0; i < n; i++)
        bytes[i] ^= where[i];
}

static void negate(bool *holds, size_t n)
{
    uint8_t *bytes = (uint8_t *)holds;
    for (size_t i = 0; i < n; i++)
        bytes[i] ^= 1;
}

static void test_node(const seebatch_conditions *conditions, const struct node *node, struct evaluation *evaluation,
                      const seebatch_records *batch, bool *holds);

/* Tests each part of a whole for those positions for which the ones before it leave the whole undecided. */
static void test_parts(const seebatch_conditions *conditions, const struct node *whole, struct evaluation *evaluation,
                       const seebatch_records *batch, bool *holds)
{
    bool undecided[MOST_QUERIED], *in = evaluation->in;
    const bool all = whole->kind == ALL;
    memcpy(undecided, in, batch->n * sizeof *undecided);
    evaluation->in = undecided;
    for (int part = whole->quickest; part != NONE && !evaluation->failed; part = conditions->nodes[part].later) {
        const struct node *node = &conditions->nodes[part];
        if (node->cost > CHEAP && memchr(undecided, true, batch->n) == NULL)
            break;
        test_node(conditions, node, evaluation, batch, holds);
        leave_in(undecided, holds, batch->n, all);
    }
    evaluation->in = in;
    /* What is left undecided holds if all have to, and otherwise does not, unlike the others that are in. */
    memcpy(holds, undecided, batch->n * sizeof *holds);
    if (!all)
        negate_where(holds, in, batch->n);
}

static void test_node(const seebatch_conditions *conditions, const struct node *node, struct evaluation *evaluation,
                      const seebatch_records *batch, bool *holds)
{
    const bool assumed = evaluation->assumed;
    evaluation->assumed ^= node->negated;
    if (node->kind == TERM)
        test_term(conditions, node->term, evaluation, batch, holds);
    else
        test_parts(conditions, node, evaluation, batch, holds);
    evaluation->assumed = assumed;
    if (node->negated)
        negate(holds, batch->n);
}

/* Finds which positions hold whatever their exchanges are worth, and for which that is not known without them. */
static void test_without_exchanges(const seebatch_conditions *conditions, const struct node *root,
                                   struct evaluation *evaluation, const seebatch_records *batch, bool *surely,
                                   bool *unknown)
{
    evaluation->assuming = true;
    evaluation->assumed = false;
    test_node(conditions, root, evaluation, batch, surely);
    evaluation->assumed = true;
    test_node(conditions, root, evaluation, batch, unknown);
    evaluation->assuming = false;
    for (size_t i = 0; i < batch->n; i++)
        unknown[i] = evaluation->in[i] & (unknown[i] ^ surely[i]);
}

/* Tests whether a condition holds for each position that is in. Where its parts would each evaluate exchanges, cheap
 * terms decide first, wherever in the tree they stand. */
static void test_clause(const seebatch_conditions *conditions, const struct clause *clause,
                        struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    const struct node *root = &conditions->nodes[clause->root];
    if (!root->tangled || evaluation->decisions != NULL) {
        test_node(conditions, root, evaluation, batch, holds);
        return;
    }
    bool surely[MOST_QUERIED], unknown[MOST_QUERIED], *in = evaluation->in;
    test_without_exchanges(conditions, root, evaluation, batch, surely, unknown);
    evaluation->in = unknown;
    test_node(conditions, root, evaluation, batch, holds);
    evaluation->in = in;
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = unknown[i] ? holds[i] : surely[i];
}

/* Puts out those that a condition rejects whatever their exchanges are worth. */
static void put_out_without_exchanges(const seebatch_conditions *conditions, const struct clause *clause,
                                      struct evaluation *evaluation, const seebatch_records *batch)
{
    bool surely[MOST_QUERIED], unknown[MOST_QUERIED];
    test_without_exchanges(conditions, &conditions->nodes[clause->root], evaluation, batch, surely, unknown);
    for (size_t i = 0; i < batch->n; i++) /* unknown ones are as they have to be */
        surely[i] = unknown[i] ? clause->keep : surely[i];
    put_out(evaluation, surely, batch->n, clause->keep, clause->number);
}

/* Tests at most MOST_QUERIED records. Where several conditions would each evaluate exchanges, the cheap terms of all of
 * them decide first. */
static void test_batch(const seebatch_conditions *conditions, struct evaluation *evaluation,
                       const seebatch_records *batch)
{
    bool holds[MOST_QUERIED];
    for (size_t i = 0; i < batch->n; i++)
        evaluation->in[i] = true;
    bool cheap_first = evaluation->decisions == NULL;
    for (int c = 0; c < conditions->n && !evaluation->failed; c++) {
        const struct clause *clause = &conditions->list[c];
        if (cheap_first && clause->cost >= ONE_MOVE && c + 1 < conditions->n) {
            for (int later = c; later < conditions->n; later++)
                if (conditions->nodes[conditions->list[later].root].has_cheap)
                    put_out_without_exchanges(conditions, &conditions->list[later], evaluation, batch);
            cheap_first = false;
        }
        if (clause->cost > CHEAP && memchr(evaluation->in, true, batch->n) == NULL)
            break;
        test_clause(conditions, clause, evaluation, batch, holds);
        if (!evaluation->failed)
            put_out(evaluation, holds, batch->n, clause->keep, clause->number);
    }
}

/* Returns the records from one on. */
static seebatch_records records_from(const seebatch_records *records, size_t first)
{
    const size_t left = records->n - first;
    seebatch_records batch = {.n = left < MOST_QUERIED ? left : MOST_QUERIED, .positions = records->positions + first};
    batch.moves = records->moves != NULL ? records->moves + first : NULL;
    batch.scores = records->scores != NULL ? records->scores + first : NULL;
    batch.results = records->results != NULL ? records->results + first : NULL;
    batch.plies = records->plies != NULL ? records->plies + first : NULL;
    batch.has = records->has != NULL ? records->has + first : NULL;
    batch.file = records->file;
    batch.identities = records->identities != NULL ? records->identities + first : NULL;
    return batch;
}

/* Tests all records; in, failed and decisions may be NULL. */
static seebatch_io_status test_all(const seebatch_conditions *conditions, const seebatch_records *records, bool *in,
                                   uint8_t *failed, seebatch_decision *decisions)
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
    evaluation.failed = evaluation.assuming = evaluation.assumed = false;
    for (size_t i = 0; i < records->n && !evaluation.failed; i += MOST_QUERIED) {
        const seebatch_records batch = records_from(records, i);
        evaluation.in = in != NULL ? in + i : in_batch;
        evaluation.by = failed != NULL ? failed + i : NULL;
        evaluation.decisions = decisions != NULL ? decisions + i : NULL;
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
    return test_all(conditions, records, in, NULL, NULL);
}

seebatch_io_status seebatch_conditions_find(const seebatch_conditions *conditions, const seebatch_records *records,
                                            uint8_t *failed)
{
    return test_all(conditions, records, NULL, failed, NULL);
}

seebatch_io_status seebatch_conditions_decide(const seebatch_conditions *conditions, const seebatch_records *records,
                                              seebatch_decision *decisions)
{
    memset(decisions, 0, records->n * sizeof *decisions);
    for (size_t i = 0; i < records->n; i += MOST_QUERIED) {
        const seebatch_records batch = records_from(records, i);
        uint8_t failed[MOST_QUERIED];
        const seebatch_io_status status = test_all(conditions, &batch, NULL, failed, decisions + i);
        if (status != SEEBATCH_IO_OK)
            return status;
        for (size_t k = 0; k < batch.n; k++)
            decisions[i + k].failed = failed[k];
    }
    return SEEBATCH_IO_OK;
}

/* ---- As text ----------------------------------------------------------------------------------------------------- */

/* A text of the caller that grows, of which only what fits is kept. */
struct growing {
    char *text;
    size_t size, length;
};

__attribute__((format(printf, 2, 3))) static void grow(struct growing *growing, const char *format, ...)
{
    const size_t room = growing->length < growing->size ? growing->size - growing->length : 0;
    va_list arguments;
    va_start(arguments, format);
    growing->length += (size_t)vsnprintf(room > 0 ? growing->text + growing->length : NULL, room, format, arguments);
    va_end(arguments);
}

static void write_node(const seebatch_conditions *conditions, const struct node *node, struct growing *growing)
{
    if (node->negated)
        grow(growing, "not ");
    if (node->kind == TERM) {
        const size_t room = growing->length < growing->size ? growing->size - growing->length : 0;
        growing->length += (size_t)seebatch_io_write_term(&conditions->terms[node->term],
                                                          room > 0 ? growing->text + growing->length : NULL, room);
        return;
    }
    const char *before = "(";
    for (int part = node->first; part != NONE; part = conditions->nodes[part].next) {
        grow(growing, "%s", before);
        write_node(conditions, &conditions->nodes[part], growing);
        before = node->kind == ALL ? " and " : " or ";
    }
    grow(growing, ")");
}

size_t seebatch_conditions_text(const seebatch_conditions *conditions, size_t number, char *text, size_t size)
{
    struct growing growing = {text, size, 0};
    for (int i = 0; i < conditions->n; i++)
        if (conditions->list[i].number == number)
            write_node(conditions, &conditions->nodes[conditions->list[i].root], &growing);
    return growing.length;
}

size_t seebatch_conditions_term(const seebatch_conditions *conditions, size_t number, char *text, size_t size)
{
    return number < (size_t)conditions->n_terms ? (size_t)seebatch_io_write_term(&conditions->terms[number], text, size)
                                                : 0;
}

bool seebatch_conditions_doubt(const seebatch_conditions *conditions, seebatch_io_error *error)
{
    if (conditions->doubt[0] != '\0')
        return !seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "%s", conditions->doubt);
    if (!seebatch_io_never_met(conditions))
        return false;
    return !seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "no record can meet all of these conditions");
}

void seebatch_conditions_free(seebatch_conditions *conditions)
{
    for (int i = 0; conditions != NULL && i < conditions->n; i++)
        free(conditions->list[i].text);
    free(conditions);
}
