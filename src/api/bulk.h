/*
 * What the functions over many positions, texts and moves share: they collect the faults that threads find, and write
 * the rows of an array. The files of api/ and board/ whose functions take many of them include it.
 */
#ifndef SEEBATCH_BULK_H
#define SEEBATCH_BULK_H

#include "dispatch/kernel.h"
#include "threads.h"

/* The number of items in a part of a job. */
enum { SEE_PART_FENS = 512, SEE_PART_LISTS = 256, SEE_PART_TEXTS = 512 };

/* Counts the items that are wrong and remembers the first. Threads share it by the atomic builtins. */
struct see_found {
    size_t count, first;
};

static inline void see_note(struct see_found *found, size_t index)
{
    size_t first = __atomic_load_n(&found->first, __ATOMIC_RELAXED);
    __atomic_fetch_add(&found->count, 1, __ATOMIC_RELAXED);
    while (index < first &&
           !__atomic_compare_exchange_n(&found->first, &first, index, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* Fills the caller's faults, except for the sentence, and returns the status of the call. first is the status of the
 * first fault, and status that of the job. */
static inline seebatch_status see_report_found(const struct see_found *found, seebatch_status first,
                                               seebatch_status status, seebatch_faults *faults)
{
    if (faults) {
        faults->count = found->count;
        faults->first = found->count ? found->first : 0;
        faults->status = first;
    }
    return status != SEEBATCH_OK ? status : first;
}

/* FENs are read by the kernel in use. If no kernel can be chosen, they are read without one. */
static inline void see_choose_kernel(void)
{
    if (!__atomic_load_n(&seebatch_kernel_in_use, __ATOMIC_RELAXED))
        seebatch_kernel_use(NULL, NULL);
}

/* Runs a first pass by the threads of a job, without reports. */
static inline void see_run_quietly(const seebatch_job *job, size_t total, size_t part, see_evaluate_part *evaluate,
                                   const void *work)
{
    seebatch_job quiet = {1, NULL, NULL, 0, 0};
    if (job)
        quiet.threads = job->threads;
    seebatch_run_job(job ? &quiet : NULL, total, part, evaluate, work);
}

/* Finds the last of n rows that begins at or before item k. That is the row of the item, or n if k is where the rows
 * end. */
static inline size_t see_row_holding(const size_t *offsets, size_t n, size_t k)
{
    size_t low = 0, high = n; /* offsets[low] <= k, and offsets past high are above it */
    while (low < high) {
        const size_t middle = high - (high - low) / 2;
        if (offsets[middle] <= k)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Turns the lengths of n rows, which are stored at offsets + 1, into offsets. */
static inline void see_sum_offsets(size_t *offsets, size_t n)
{
    offsets[0] = 0;
    for (size_t i = 0; i < n; i++)
        offsets[i + 1] += offsets[i];
}

#endif
