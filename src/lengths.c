/*
 * The lengths of many exchanges: in groups of positions, by the kernel in use.
 */
#include "board/attacks.h"
#include "bulk.h"
#include "check.h"
#include "rules.h"

#include <assert.h>
#include <string.h>

#define KERNEL(name) seebatch_scalar_##name
#include "scalar/lengths.h"

struct lengths_work {
    const seebatch_rules *rules;
    const seebatch_batch *batch;
    see_lengths *count;
    uint8_t *lengths;
};

/* The lengths of positions first .. last. */
static void find_group(const struct lengths_work *work, size_t first, size_t last, see_lengths *find)
{
    const seebatch_batch *batch = work->batch;
    const seebatch_batch group = {batch->positions + first, last - first, batch->offsets + first, batch->moves, NULL};
    find(work->rules, &group, work->lengths + (batch->offsets[first] - batch->offsets[0]));
}

static void find_one_by_one(const seebatch_rules *rules, const seebatch_batch *batch, uint8_t *lengths)
{
    for (size_t i = 0; i < batch->n_positions; i++)
        for (size_t k = batch->offsets[i]; k < batch->offsets[i + 1]; k++)
            lengths[k - batch->offsets[0]] =
                (uint8_t)seebatch_exchange_length(rules, &batch->positions[i], batch->moves[k]);
}

static void find_lengths(const void *argument, size_t begin, size_t end)
{
    const struct lengths_work *work = (const struct lengths_work *)argument;
    const size_t *offsets = work->batch->offsets;
    if (see_rules_are_ray(work->rules)) {
        find_group(work, begin, end, find_one_by_one);
        return;
    }
    for (size_t i = begin; i < end;) {
        const size_t first = i;
        while (i < end && i - first < SEE_LENGTHS_GROUP && offsets[i + 1] - offsets[first] <= SEE_MOST_LENGTHS)
            i++;
        if (i > first)
            find_group(work, first, i, work->count);
        else
            find_group(work, first, ++i, find_one_by_one);
    }
}

seebatch_status seebatch_batch_lengths(const seebatch_rules *rules, const seebatch_batch *batch, uint8_t *lengths,
                                       seebatch_job *job)
{
    assert(rules && seebatch_rules_check(rules, NULL) == SEEBATCH_OK);
    see_check_requests(rules, batch);
    see_lengths *const own = see_kernel_current()->lengths;
    const struct lengths_work work = {rules, batch, own ? own : seebatch_scalar_lengths, lengths};
    return seebatch_run_job(job, batch->n_positions, SEE_PART_LISTS, find_lengths, &work);
}
