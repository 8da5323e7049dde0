/*
 * Finds the lengths of many exchanges: by the kernel in use if it has lengths, otherwise one by one with the scalar
 * code.
 */
#include "bulk.h"
#include "check.h"

#include <assert.h>

struct lengths_work {
    const seebatch_rules *rules;
    const seebatch_batch *batch;
    int16_t *values;
    uint8_t *lengths;
};

/* Finds the values by the kernel, and the lengths by the scalar code. */
static void find_each_by_itself(const struct see_kernel *kernel, const seebatch_rules *rules,
                                const seebatch_batch *batch, int16_t *values, uint8_t *lengths)
{
    const struct see_answers of_values = {values, NULL, 0, NULL};
    if (values)
        see_kernel_answer(kernel, rules, batch, SEE_FASTEST, &of_values);
    seebatch_scalar_lengths(rules, batch, lengths);
}

static void find_lengths(const void *argument, size_t begin, size_t end)
{
    const struct lengths_work *work = (const struct lengths_work *)argument;
    const struct see_kernel *kernel = see_kernel_current();
    const size_t *offsets = work->batch->offsets + begin, at = offsets[0] - work->batch->offsets[0];
    const seebatch_batch part = {work->batch->positions + begin, end - begin, offsets, work->batch->moves, NULL};
    int16_t *values = work->values ? work->values + at : NULL;
    if (see_query_count(&part) == 0)
        return;
    if (kernel->lengths)
        kernel->lengths(work->rules, &part, values, work->lengths + at);
    else
        find_each_by_itself(kernel, work->rules, &part, values, work->lengths + at);
}

seebatch_status seebatch_batch_lengths(const seebatch_rules *rules, const seebatch_batch *batch, int16_t *values,
                                       uint8_t *lengths, seebatch_job *job)
{
    assert(rules && seebatch_rules_check(rules, NULL) == SEEBATCH_OK);
    see_check_queries(rules, batch);
    const struct lengths_work work = {rules, batch, values, lengths};
    return seebatch_run_job(job, batch->n_positions, SEE_PART_LISTS, find_lengths, &work);
}
