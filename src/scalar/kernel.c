/*
 * The scalar kernel: it evaluates one query after another. The queries of many positions come in chunks
 * (lanes/chunks.h), as for kernels with lanes. dispatch.c has it last in its table, and the other kernels pass to it
 * what they do not serve.
 */
#include "dispatch/path_counts.h"
#include "lanes/chunks.h"
#include "scalar.h"

static inline void set_bit(uint64_t *mask, size_t k, bool bit)
{
    mask[k / 64] = (k % 64 ? mask[k / 64] : 0) | (uint64_t)bit << k % 64;
}

static inline const seebatch_pins *pins_of(const seebatch_batch *batch, const seebatch_position *position)
{
    if (__builtin_expect(batch->pins != NULL, 0)) /* a branch, so that the index is hardly ever computed */
        return &batch->pins[position - batch->positions];
    return NULL;
}

/* One loop over the queries, which read their positions from the chunk: where a loop over the moves of each position
 * ends, no processor can guess. */
static void chunk_values(const seebatch_rules *rules, const seebatch_batch *batch, const struct see_chunk *chunk,
                         int16_t *values)
{
    const size_t n = chunk->n;
    for (size_t k = 0; k < n; k++) {
        const seebatch_position *position = see_position_of(chunk, k);
        values[k] = (int16_t)seebatch_scalar_value(rules, position, pins_of(batch, position), chunk->move[k]);
    }
}

static void chunk_ge(const seebatch_rules *rules, const seebatch_batch *batch, const struct see_chunk *chunk,
                     const int16_t *thresholds, size_t step, uint64_t *mask)
{
    for (size_t k = 0, n = chunk->n; k < n;) {
        const size_t end = n - k < 64 ? n : k + 64;
        uint64_t word = 0;
        for (; k < end; k++, thresholds += step) {
            const seebatch_position *position = see_position_of(chunk, k);
            word |= (uint64_t)seebatch_scalar_at_least(rules, position, pins_of(batch, position), chunk->move[k],
                                                       *thresholds)
                    << k % 64;
        }
        *mask++ = word;
    }
}

void seebatch_scalar_batch_answers(const seebatch_rules *rules, const seebatch_batch *batch, enum see_path path,
                                   const struct see_answers *answers)
{
    (void)path; /* there is one */
    struct see_cursor cursor = {0, 0};
    struct see_chunk chunk;
    for (size_t k = 0; see_next_chunk(batch, &cursor, &chunk, NULL); k += chunk.n) {
        COUNT_SCALAR(chunk.n);
        if (answers->values)
            chunk_values(rules, batch, &chunk, answers->values + k);
        else
            chunk_ge(rules, batch, &chunk, answers->thresholds + k * answers->step, answers->step,
                     answers->mask + k / 64);
    }
}

void seebatch_scalar_position_values(const seebatch_rules *rules, const seebatch_position *position,
                                     const seebatch_pins *pins, const seebatch_move *moves, size_t n, int16_t *values)
{
    COUNT_SCALAR(n);
    for (size_t k = 0; k < n; k++)
        values[k] = (int16_t)seebatch_scalar_value(rules, position, pins, moves[k]);
}

void seebatch_scalar_position_ge(const seebatch_rules *rules, const seebatch_position *position,
                                 const seebatch_pins *pins, const seebatch_move *moves, size_t n,
                                 const int16_t *thresholds, size_t step, uint64_t *mask)
{
    COUNT_SCALAR(n);
    for (size_t k = 0; k < n; k++)
        set_bit(mask, k, seebatch_scalar_at_least(rules, position, pins, moves[k], thresholds[k * step]));
}

void seebatch_scalar_lengths(const seebatch_rules *rules, const seebatch_batch *batch, uint8_t *lengths)
{
    for (size_t i = 0; i < batch->n_positions; i++)
        for (size_t k = batch->offsets[i]; k < batch->offsets[i + 1]; k++)
            *lengths++ = (uint8_t)seebatch_exchange_length(rules, &batch->positions[i], batch->moves[k]);
}
