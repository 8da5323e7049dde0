/*
 * The lengths of many exchanges, by the kernel in use.
 */
#include "bulk.h"
#include "check.h"

#include <assert.h>

struct lengths_work {
    const seebatch_rules *rules;
    const seebatch_batch *batch;
    uint8_t *lengths;
};

static void find_lengths(const void *argument, size_t begin, size_t end)
{
    const struct lengths_work *work = (const struct lengths_work *)argument;
    const size_t *offsets = work->batch->offsets;
    const seebatch_batch part = {work->batch->positions + begin, end - begin, offsets + begin, work->batch->moves,
                                 NULL};
    see_lengths *const own = see_kernel_current()->lengths;
    (own ? own : seebatch_scalar_lengths)(work->rules, &part, work->lengths + (offsets[begin] - offsets[0]));
}

seebatch_status seebatch_batch_lengths(const seebatch_rules *rules, const seebatch_batch *batch, uint8_t *lengths,
                                       seebatch_job *job)
{
    assert(rules && seebatch_rules_check(rules, NULL) == SEEBATCH_OK);
    see_check_requests(rules, batch);
    const struct lengths_work work = {rules, batch, lengths};
    return seebatch_run_job(job, batch->n_positions, SEE_PART_LISTS, find_lengths, &work);
}
