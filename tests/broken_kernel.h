/*
 * A kernel that is broken on purpose: the file that includes this one says by two functions what it answers.
 */
#ifndef SEEBATCH_TESTS_BROKEN_KERNEL_H
#define SEEBATCH_TESTS_BROKEN_KERNEL_H

#include "api/selftest.h"

static void broken_values(const seebatch_rules *rules, const seebatch_batch *batch, enum see_path path,
                          int16_t *values);
static void broken_ge(const seebatch_rules *rules, const seebatch_batch *batch, const int16_t *thresholds, size_t step,
                      uint64_t *mask);

static void broken_batch_answers(const seebatch_rules *rules, const seebatch_batch *batch, enum see_path path,
                                 const struct see_answers *answers)
{
    if (answers->values)
        broken_values(rules, batch, path, answers->values);
    else
        broken_ge(rules, batch, answers->thresholds, answers->step, answers->mask);
}

static void broken_position_values(const seebatch_rules *rules, const seebatch_position *position,
                                   const seebatch_pins *pins, const seebatch_move *moves, size_t n, int16_t *values)
{
    const size_t offsets[2] = {0, n};
    const seebatch_batch batch = {
        .positions = position, .n_positions = 1, .offsets = offsets, .moves = moves, .pins = pins};
    broken_values(rules, &batch, SEE_FASTEST, values);
}

static void broken_position_ge(const seebatch_rules *rules, const seebatch_position *position,
                               const seebatch_pins *pins, const seebatch_move *moves, size_t n,
                               const int16_t *thresholds, size_t step, uint64_t *mask)
{
    const size_t offsets[2] = {0, n};
    const seebatch_batch batch = {
        .positions = position, .n_positions = 1, .offsets = offsets, .moves = moves, .pins = pins};
    broken_ge(rules, &batch, thresholds, step, mask);
}

static bool always(void) { return true; }

static struct see_kernel broken_kernel(const char *name, bool (*supported)(void))
{
    return (struct see_kernel){.name = name,
                               .description = "broken on purpose",
                               .supported = supported,
                               .batch_answers = broken_batch_answers,
                               .position_values = broken_position_values,
                               .position_ge = broken_position_ge};
}

#endif
