/*
 * Finds the lengths of the exchanges of many positions, and their values if those are wanted, with a query in each
 * lane, however many moves a position has (lengths.h). The kernel.c of an instruction set whose lengths are compiled
 * includes this after paths.h.
 */
#ifndef SEEBATCH_LANES_KERNEL_LENGTHS_H
#define SEEBATCH_LANES_KERNEL_LENGTHS_H

#include "lanes/paths.h"

static void lengths_in_lanes(const seebatch_rules *rules, const seebatch_batch *batch, int16_t *values,
                             uint8_t *lengths)
{
    const struct rule_class *compiled = rule_class_of(rules);
    const seebatch_rules others = seebatch_without_fixed_values(rules);
    struct lane_rules r;
    init_lane_rules(&r, &others);
    r.whole = rules;
    int16_t value[SEE_CHUNK + SEE_CHUNK_PAD], length[SEE_CHUNK + SEE_CHUNK_PAD];
    struct see_cursor cursor = {0, 0};
    struct see_chunk chunk;
    while (see_next_chunk(batch, &cursor, &chunk, expand_eight)) {
        const struct chunk_job job = {&r, batch, &chunk, SEE_FASTEST, NULL, values ? value : NULL, length};
        compiled->chunk(&job);
        for (size_t k = 0; k < chunk.n; k++)
            lengths[k] = (uint8_t)length[k];
        lengths += chunk.n;
        if (!values)
            continue;
        if (see_have_fixed_values(rules))
            seebatch_replace_fixed_values(rules, &chunk, find_marked, value);
        memcpy(values, value, chunk.n * sizeof *values);
        values += chunk.n;
    }
}

/* The kernel's see_lengths. `batch_answers` is the kernel's own function, which finds the values where other code finds
 * the lengths. */
LANES_INLINE void kernel_lengths(see_batch_answers *batch_answers, const seebatch_rules *rules,
                                 const seebatch_batch *batch, int16_t *values, uint8_t *lengths)
{
    const bool by_scalar = see_rules_are_ray(rules) || !see_lanes_know(rules);
    const bool together = !by_scalar && lanes_serve(rules);
    const struct see_answers of_values = {values, NULL, 0, NULL};
    if (values && !together)
        batch_answers(rules, batch, SEE_FASTEST, &of_values);
    if (by_scalar)
        seebatch_scalar_lengths(rules, batch, lengths);
    else
        lengths_in_lanes(rules, batch, together ? values : NULL, lengths);
}

#endif
