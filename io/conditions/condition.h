/*
 * What conditions share: a condition, and the batch of positions that is tested.
 */
#ifndef SEEBATCH_IO_CONDITION_H
#define SEEBATCH_IO_CONDITION_H

#include "formats/format.h"
#include "chess/queries.h"

/* Both ends belong to it. */
struct range {
    int64_t low, high;
};

/* What a name and an argument say. Those with points hold at random, with a probability that is linear between them. */
enum { MOST_POINTS = 33, PLACES = 512, MIXED_SETS = 6 };
struct condition {
    const struct condition_kind *kind;
    struct range range;
    bool negated;
    uint64_t seed; /* of one that holds at random: another one for each */
    int n_points;
    double at[MOST_POINTS], probability[MOST_POINTS];
    /* What is worked out once, before any test. */
    union {
        int64_t bound[PLACES]; /* that the points say, of random numbers (splitmix.h) at each place from 0 on */
        struct chances {
            float narrow, ratio;
        } chances[PLACES]; /* of results, at each place from 0 on */
        struct products {
            int32_t of[MIXED_SETS][64 + 1]; /* of factors and numbers of squares */
        } products;
    };
};

/* Memory for the evaluation of batches. */
struct evaluation {
    bool *in;    /* the answer so far */
    uint8_t *by; /* the number of the condition that put a position out; 0: none. NULL: nobody asks */
    struct queries queries;
    uint64_t *mask, *above;
    size_t mask_capacity;
    uint64_t seed; /* of what holds at random */
    bool failed;   /* there was no memory */
};

/* The memory that one position needs at most: on the stack, so that a caller with one at a time waits for no heap. */
struct room_for_one {
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    uint64_t mask[SEEBATCH_MASK_WORDS(SEEBATCH_MAX_MOVES) + 1], above[SEEBATCH_MASK_WORDS(SEEBATCH_MAX_MOVES) + 1];
};

/* Sets holds[i] for each position that is in. */
typedef void test_function(const struct condition *condition, const seebatch_rules *rules,
                           struct evaluation *evaluation, const seebatch_records *batch, bool *holds);

/* Whether record i has a field, and its array is there. */
static inline bool has_field(const seebatch_records *batch, size_t i, unsigned field)
{
    const void *array = field == FIELD_MOVE     ? (const void *)batch->moves
                        : field == FIELD_SCORE  ? (const void *)batch->scores
                        : field == FIELD_RESULT ? (const void *)batch->results
                                                : (const void *)batch->plies;
    return array != NULL && (batch->has == NULL || batch->has[i] & field);
}

/* Those about the record and the board (record_conditions.c). */
test_function seebatch_io_test_has, seebatch_io_test_score, seebatch_io_test_abs_score, seebatch_io_test_contradiction,
    seebatch_io_test_ply, seebatch_io_test_result, seebatch_io_test_pieces, seebatch_io_test_phase,
    seebatch_io_test_imbalance, seebatch_io_test_in_check, seebatch_io_test_castling, seebatch_io_test_en_passant;

/* Those that hold at random. */
test_function seebatch_io_test_chance, seebatch_io_test_chance_by_pieces, seebatch_io_test_chance_by_ply,
    seebatch_io_test_chance_of_result;

/* Works out what this test of a condition looks up. */
void seebatch_io_prepare(struct condition *condition, const seebatch_rules *rules, test_function *test);

/* The models of the chance of a result, by the number that the range of the condition holds; NULL past the last. */
const char *seebatch_io_result_model(int64_t number);

/* Those about exchanges (exchange_conditions.c). */
test_function seebatch_io_test_capture, seebatch_io_test_promotion, seebatch_io_test_tactical,
    seebatch_io_test_any_capture, seebatch_io_test_quiet;

#endif
