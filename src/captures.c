/*
 * Whether positions have a capture that reaches a threshold, and how long exchanges are.
 *
 * Captures are generated some positions at a time, on the stack, and evaluated in one call: bits against the threshold,
 * never values. Positions without a capture cost no more than the generation.
 */
#include "bulk.h"

#include <assert.h>

enum { GROUP = 64, ROOM = 1024 }; /* positions: a word of the mask; and captures that are evaluated at once */

struct any_work {
    const seebatch_rules *rules;
    const seebatch_position *positions;
    int16_t threshold;
    uint64_t *mask;
};

/* Whether one of the bits begin .. end is set; two more words are readable. */
static bool any_bit(const uint64_t *mask, size_t begin, size_t end)
{
    uint64_t any = 0;
    for (; end - begin >= 64; begin += 64) /* hardly ever */
        any |= mask[begin / 64] >> begin % 64 | mask[begin / 64 + 1] << 1 << (63 - begin % 64);
    const uint64_t last = mask[begin / 64] >> begin % 64 | mask[begin / 64 + 1] << 1 << (63 - begin % 64);
    return any | (last & ((UINT64_C(1) << (end - begin)) - 1));
}

/* The bits of n positions, GROUP at most. */
static uint64_t bits_of_group(const struct any_work *work, const seebatch_position *positions, size_t n)
{
    seebatch_move moves[ROOM + SEEBATCH_MAX_MOVES];
    uint64_t mask[SEEBATCH_MASK_WORDS(ROOM + SEEBATCH_MAX_MOVES) + 2], bits = 0;
    size_t offsets[GROUP + 1];
    for (size_t i = 0; i < n;) {
        const size_t first = i;
        size_t at = offsets[0] = 0;
        for (; i < n && at <= ROOM; i++)
            offsets[i - first + 1] = at += seebatch_legal_captures(&positions[i], moves + at);
        const seebatch_batch batch = {positions + first, i - first, offsets, moves, NULL};
        mask[SEEBATCH_MASK_WORDS(at)] = mask[0] = 0;
        seebatch_batch_ge_mask(work->rules, &batch, work->threshold, mask, NULL);
        for (size_t j = first; j < i; j++)
            bits |= (uint64_t)any_bit(mask, offsets[j - first], offsets[j - first + 1]) << j;
    }
    return bits;
}

static void find_any(const void *argument, size_t begin, size_t end)
{
    const struct any_work *work = (const struct any_work *)argument;
    for (size_t i = begin; i < end; i += GROUP)
        work->mask[i / 64] = bits_of_group(work, work->positions + i, end - i < GROUP ? end - i : (size_t)GROUP);
}

seebatch_status seebatch_batch_any_capture(const seebatch_rules *rules, const seebatch_position *positions,
                                           size_t n_positions, int16_t threshold, uint64_t *mask, seebatch_job *job)
{
    assert(rules && seebatch_rules_check(rules, NULL) == SEEBATCH_OK);
    const struct any_work work = {rules, positions, threshold, mask};
    return seebatch_run_job(job, n_positions, 8 * GROUP, find_any, &work);
}

struct lengths_work {
    const seebatch_rules *rules;
    const seebatch_batch *batch;
    uint8_t *lengths;
};

static void find_lengths(const void *argument, size_t begin, size_t end)
{
    const struct lengths_work *work = (const struct lengths_work *)argument;
    const seebatch_batch *batch = work->batch;
    for (size_t i = begin; i < end; i++) {
        for (size_t k = batch->offsets[i]; k < batch->offsets[i + 1]; k++)
            work->lengths[k - batch->offsets[0]] =
                (uint8_t)seebatch_exchange_length(work->rules, &batch->positions[i], batch->moves[k]);
    }
}

seebatch_status seebatch_batch_lengths(const seebatch_rules *rules, const seebatch_batch *batch, uint8_t *lengths,
                                       seebatch_job *job)
{
    const struct lengths_work work = {rules, batch, lengths};
    return seebatch_run_job(job, batch->n_positions, SEE_PART_LISTS, find_lengths, &work);
}
