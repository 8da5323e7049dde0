/*
 * The scalar kernel: one request after another.
 */
#include "kernel.h"
#include "see.h"

bool seebatch_scalar_supported(void) { return true; }

void seebatch_scalar_values(const seebatch_rules *rules, const struct see_requests *requests, int16_t *values)
{
    const size_t *offsets = requests->offsets;
    for (size_t i = 0; i < requests->n_positions; i++) {
        for (size_t k = offsets[i]; k < offsets[i + 1]; k++)
            values[k - offsets[0]] = (int16_t)seebatch_scalar_value(rules, &requests->positions[i],
                                                                    see_pins_of(requests, i), requests->moves[k]);
    }
}

void seebatch_scalar_ge(const seebatch_rules *rules, const struct see_requests *requests, const int16_t *thresholds,
                        size_t step, uint64_t *mask)
{
    const size_t *offsets = requests->offsets;
    uint64_t word = 0;
    size_t bit = 0;
    for (size_t i = 0; i < requests->n_positions; i++) {
        for (size_t k = offsets[i]; k < offsets[i + 1]; k++) {
            word |= (uint64_t)seebatch_scalar_at_least(rules, &requests->positions[i], see_pins_of(requests, i),
                                                       requests->moves[k], thresholds[k * step])
                    << bit % 64;
            if (++bit % 64 == 0) {
                *mask++ = word;
                word = 0;
            }
        }
    }
    if (bit % 64)
        *mask = word;
}

void seebatch_scalar_node_values(const seebatch_rules *rules, const seebatch_position *position,
                                 const seebatch_move *moves, size_t n, int16_t *values)
{
    for (size_t k = 0; k < n; k++)
        values[k] = (int16_t)seebatch_scalar_value(rules, position, NULL, moves[k]);
}

void seebatch_scalar_node_ge(const seebatch_rules *rules, const seebatch_position *position, const seebatch_move *moves,
                             size_t n, const int16_t *thresholds, size_t step, uint64_t *mask)
{
    for (size_t k = 0; k < n; k++) {
        const uint64_t bit = seebatch_scalar_at_least(rules, position, NULL, moves[k], thresholds[k * step]);
        mask[k / 64] = (k % 64 ? mask[k / 64] : 0) | bit << k % 64;
    }
}
