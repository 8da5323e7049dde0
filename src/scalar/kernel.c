/*
 * The scalar kernel: one request after another.
 */
#include "kernel.h"
#include "scalar.h"

static inline void set_bit(uint64_t *mask, size_t k, bool bit)
{
    mask[k / 64] = (k % 64 ? mask[k / 64] : 0) | (uint64_t)bit << k % 64;
}

void seebatch_scalar_many(const seebatch_rules *rules, const seebatch_batch *requests, enum see_way way,
                          const struct see_answers *answers)
{
    (void)way; /* there is one */
    const size_t *offsets = requests->offsets;
    for (size_t i = 0; i < requests->n_positions; i++) {
        const seebatch_position *position = &requests->positions[i];
        const seebatch_pins *pins = see_pins_of(requests, i);
        for (size_t j = offsets[i]; j < offsets[i + 1]; j++) {
            const size_t k = j - offsets[0];
            if (answers->values)
                answers->values[k] = (int16_t)seebatch_scalar_value(rules, position, pins, requests->moves[j]);
            else
                set_bit(answers->mask, k,
                        seebatch_scalar_at_least(rules, position, pins, requests->moves[j],
                                                 answers->thresholds[k * answers->step]));
        }
    }
}

void seebatch_scalar_node_values(const seebatch_rules *rules, const seebatch_position *position,
                                 const seebatch_pins *pins, const seebatch_move *moves, size_t n, int16_t *values)
{
    for (size_t k = 0; k < n; k++)
        values[k] = (int16_t)seebatch_scalar_value(rules, position, pins, moves[k]);
}

void seebatch_scalar_node_ge(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                             const seebatch_move *moves, size_t n, const int16_t *thresholds, size_t step,
                             uint64_t *mask)
{
    for (size_t k = 0; k < n; k++)
        set_bit(mask, k, seebatch_scalar_at_least(rules, position, pins, moves[k], thresholds[k * step]));
}
