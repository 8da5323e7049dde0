/*
 * The public functions of the evaluation. They check their arguments by asserts, and in the checking build by check.h,
 * and pass them to the kernel in use.
 *
 *     one move         the scalar code, which no kernel beats
 *     one position     the kernel's short way
 *     many positions   the kernel's long way: the batch as a whole or, for a job, in parts
 *
 * A part of a job is a multiple of 64 moves: its answers are whole words of a bit mask, and no two threads write the
 * same word. Parts ignore where positions begin and end, so a part may begin or end amid the moves of a position. Such
 * an incomplete position becomes a batch of one position with offsets of its own, and the positions between the two
 * ends are a slice of the caller's batch. A mask is put together from these pieces by shifting.
 */
#include "bulk.h"
#include "check.h"
#include "scalar/scalar.h"

#include <assert.h>

/* ---- One move --------------------------------------------------------------------------------------------------- */

static inline void check_one(const seebatch_rules *rules, const seebatch_position *position, seebatch_move move)
{
    assert(rules && seebatch_rules_check(rules, NULL) == SEEBATCH_OK);
    assert(position);
    see_check_query(rules, position, move);
}

int seebatch_value(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                   seebatch_move move)
{
    check_one(rules, position, move);
    return seebatch_scalar_value(rules, position, pins, move);
}

bool seebatch_ge(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                 seebatch_move move, int threshold)
{
    check_one(rules, position, move);
    return seebatch_scalar_at_least(rules, position, pins, move, threshold);
}

/* ---- One position ----------------------------------------------------------------------------------------------- */

/* Asserts that queries are sound and that there are arrays for them. */
static inline void check_queries(const seebatch_rules *rules, const seebatch_batch *batch)
{
    assert(rules && seebatch_rules_check(rules, NULL) == SEEBATCH_OK);
    assert(batch->positions && batch->moves);
    see_check_queries(rules, batch);
}

/* Whether there is anything to do; if not, nothing else may be read. */
static inline bool have_moves(const seebatch_rules *rules, const seebatch_position *position,
                              const seebatch_move *moves, size_t n)
{
    const size_t offsets[2] = {0, n};
    const seebatch_batch part = {position, 1, offsets, moves, NULL};
    if (n)
        check_queries(rules, &part);
    return n != 0;
}

void seebatch_values(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                     const seebatch_move *moves, size_t n, int16_t *values)
{
    if (n == 1) {
        *values = (int16_t)seebatch_value(rules, position, pins, *moves);
        return;
    }
    if (!have_moves(rules, position, moves, n))
        return;
    assert(values);
    see_kernel_current()->position_values(rules, position, pins, moves, n, values);
}

/* The number `step` is 0 for one threshold, and 1 for a threshold for each move. */
static inline void ge_mask(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                           const seebatch_move *moves, size_t n, const int16_t *thresholds, size_t step, uint64_t *mask)
{
    if (n == 1) {
        *mask = seebatch_ge(rules, position, pins, *moves, *thresholds);
        return;
    }
    if (!have_moves(rules, position, moves, n))
        return;
    assert(thresholds && mask);
    see_kernel_current()->position_ge(rules, position, pins, moves, n, thresholds, step, mask);
}

void seebatch_ge_mask(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                      const seebatch_move *moves, size_t n, int16_t threshold, uint64_t *mask)
{
    ge_mask(rules, position, pins, moves, n, &threshold, 0, mask);
}

void seebatch_ge_mask_each(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                           const seebatch_move *moves, size_t n, const int16_t *thresholds, uint64_t *mask)
{
    ge_mask(rules, position, pins, moves, n, thresholds, 1, mask);
}

/* ---- Many positions --------------------------------------------------------------------------------------------- */

/* The bounds of a part, in moves, are multiples of 64, for whole words of a mask. */
enum { LEAST_MOVES = 2048, MOST_MOVES = 16384 };

/* The number of parts that a thread should get of a large batch, so that none waits long for the others at the end.
 * More of them would cost more, because it takes 2 microseconds to find out where in the batch a part lies. */
enum { PARTS_A_THREAD = 16 };

struct batch_work {
    const seebatch_rules *rules;
    const seebatch_batch *batch;
    int16_t *values;           /* or: */
    uint64_t *mask;            /* with */
    const int16_t *thresholds; /* one for all moves, and step 0; or one for each move, and step 1 */
    size_t step;
};

/* Puts n bits behind the first `at` bits of a mask; at is not a multiple of 64, and the bits from there to the end of
 * its word are 0. Whole words are written, like those of the library's other masks. */
static void append_bits(uint64_t *mask, size_t at, const uint64_t *bits, size_t n)
{
    const size_t shift = at % 64, last = (at + n - 1) / 64;
    for (size_t from = 0, to = at / 64; to <= last; from++, to++) {
        if (from < SEEBATCH_MASK_WORDS(n))
            mask[to] |= bits[from] << shift;
        if (to < last)
            mask[to + 1] = bits[from] >> (64 - shift);
    }
}

/* Answers the moves offsets[0] .. offsets[n] - 1, one at least, of the n positions from `first` on: the whole batch, or
 * some of a part. */
static void evaluate_piece(const struct batch_work *work, size_t first, size_t n, const size_t *offsets)
{
    const seebatch_batch *batch = work->batch;
    const seebatch_batch part = {batch->positions + first, n, offsets, batch->moves,
                                 batch->pins ? batch->pins + first : NULL};
    const size_t at = offsets[0] - batch->offsets[0];
    uint64_t bits[SEEBATCH_MASK_WORDS(MOST_MOVES)]; /* the answers to moves that do not begin at a word of the mask */
    struct see_answers answers = {NULL, NULL, work->step, NULL};
    check_queries(work->rules, &part);
    if (work->mask) {
        assert(work->thresholds);
        answers.thresholds = work->thresholds + offsets[0] * work->step;
        answers.mask = at % 64 ? bits : work->mask + at / 64;
    } else {
        assert(work->values);
        answers.values = work->values + at;
    }
    see_kernel_answer(see_kernel_current(), work->rules, &part, SEE_FASTEST, &answers);
    if (answers.mask == bits)
        append_bits(work->mask, at, bits, see_query_count(&part));
}

/* Answers a part: the moves `begin` to `end` - 1, counted from the batch's first. */
static void evaluate_part(const void *argument, size_t begin, size_t end)
{
    const struct batch_work *work = (const struct batch_work *)argument;
    const size_t *offsets = work->batch->offsets;
    const size_t last = offsets[0] + end;
    size_t k = offsets[0] + begin;
    for (size_t i = see_row_holding(offsets, work->batch->n_positions, k); k < last;) {
        if (offsets[i] == k && offsets[i + 1] <= last) { /* whole positions */
            const size_t after = see_row_holding(offsets, work->batch->n_positions, last);
            evaluate_piece(work, i, after - i, offsets + i);
            k = offsets[after];
            i = after;
        } else { /* some moves of one position */
            const size_t own[2] = {k, offsets[i + 1] < last ? offsets[i + 1] : last};
            evaluate_piece(work, i, 1, own);
            k = own[1];
            i++;
        }
    }
}

static seebatch_status run_batch(const struct batch_work *work, seebatch_job *job)
{
    assert(work->batch && see_offsets_are_sound(work->batch));
    const size_t n = work->batch->n_positions;
    const size_t total = n ? work->batch->offsets[n] - work->batch->offsets[0] : 0;
    if (!job) {
        if (total)
            evaluate_piece(work, 0, n, work->batch->offsets);
        return SEEBATCH_OK;
    }
    size_t part = total / (seebatch_threads_wanted(job) * PARTS_A_THREAD) / 64 * 64;
    part = part < LEAST_MOVES ? (size_t)LEAST_MOVES : part;
    part = part > MOST_MOVES ? (size_t)MOST_MOVES : part;
    return seebatch_run_job(job, total, part, evaluate_part, work);
}

seebatch_status seebatch_batch_values(const seebatch_rules *rules, const seebatch_batch *batch, int16_t *values,
                                      seebatch_job *job)
{
    const struct batch_work work = {rules, batch, values, NULL, NULL, 0};
    return run_batch(&work, job);
}

seebatch_status seebatch_batch_ge_mask(const seebatch_rules *rules, const seebatch_batch *batch, int16_t threshold,
                                       uint64_t *mask, seebatch_job *job)
{
    const struct batch_work work = {rules, batch, NULL, mask, &threshold, 0};
    return run_batch(&work, job);
}

seebatch_status seebatch_batch_ge_mask_each(const seebatch_rules *rules, const seebatch_batch *batch,
                                            const int16_t *thresholds, uint64_t *mask, seebatch_job *job)
{
    const struct batch_work work = {rules, batch, NULL, mask, thresholds, 1};
    return run_batch(&work, job);
}

/* ---- Squares and maps ------------------------------------------------------------------------------------------- */

/* Items in a part. */
enum { PART_SQUARES = 4096, PART_MAPS = 64 };

struct squares_work {
    const seebatch_rules *rules;
    const seebatch_position *positions;
    const uint8_t *squares, *colors;
    int16_t *values;
};

static void evaluate_squares(const void *work, size_t begin, size_t end)
{
    const struct squares_work *s = (const struct squares_work *)work;
    for (size_t i = begin; i < end; i++)
        s->values[i] = (int16_t)seebatch_square_value(s->rules, &s->positions[i], s->squares[i], s->colors[i]);
}

seebatch_status seebatch_batch_square_values(const seebatch_rules *rules, const seebatch_position *positions,
                                             size_t n_positions, const uint8_t *squares, const uint8_t *colors,
                                             int16_t *values, seebatch_job *job)
{
    const struct squares_work work = {rules, positions, squares, colors, values};
    return seebatch_run_job(job, n_positions, PART_SQUARES, evaluate_squares, &work);
}

struct maps_work {
    const seebatch_rules *rules;
    const seebatch_position *positions;
    int16_t (*maps)[2][64];
};

static void evaluate_maps(const void *work, size_t begin, size_t end)
{
    const struct maps_work *m = (const struct maps_work *)work;
    for (size_t i = begin; i < end; i++)
        seebatch_map(m->rules, &m->positions[i], m->maps[i]);
}

seebatch_status seebatch_batch_maps(const seebatch_rules *rules, const seebatch_position *positions, size_t n_positions,
                                    int16_t (*maps)[2][64], seebatch_job *job)
{
    const struct maps_work work = {rules, positions, maps};
    return seebatch_run_job(job, n_positions, PART_MAPS, evaluate_maps, &work);
}
