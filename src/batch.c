/*
 * The front of the evaluation: the public functions check their arguments (asserts, and check.h in its debug mode) and
 * hand the requests to the kernel in use. One position with n moves is a batch of one position.
 */
#include "check.h"
#include "kernel.h"
#include "scalar/see.h"

#include <assert.h>

static inline void check_one(const seebatch_rules *rules, const seebatch_position *position, seebatch_move move)
{
    assert(rules && seebatch_rules_check(rules, NULL) == SEEBATCH_OK);
    assert(position);
    see_check_request(rules, position, move);
}

int seebatch_value(const seebatch_rules *rules, const seebatch_position *position, seebatch_move move)
{
    check_one(rules, position, move);
    return seebatch_scalar_value(rules, position, NULL, move);
}

bool seebatch_ge(const seebatch_rules *rules, const seebatch_position *position, seebatch_move move, int threshold)
{
    check_one(rules, position, move);
    return seebatch_scalar_at_least(rules, position, NULL, move, threshold);
}

int seebatch_value_pinned(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                          seebatch_move move)
{
    check_one(rules, position, move);
    return seebatch_scalar_value(rules, position, pins, move);
}

bool seebatch_ge_pinned(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                        seebatch_move move, int threshold)
{
    check_one(rules, position, move);
    return seebatch_scalar_at_least(rules, position, pins, move, threshold);
}

#ifndef NDEBUG
static bool offsets_are_sound(size_t n_positions, const size_t *offsets)
{
    for (size_t i = 0; i < n_positions; i++) {
        if (offsets[i] > offsets[i + 1])
            return false;
    }
    return true;
}
#endif

/* Whether there is anything to do; if not, nothing else may be read. */
static inline bool have_work(const seebatch_rules *rules, const struct see_requests *requests)
{
    if (requests->n_positions == 0)
        return false;
    assert(requests->offsets && offsets_are_sound(requests->n_positions, requests->offsets));
    if (see_requests_count(requests) == 0)
        return false;
    assert(rules && seebatch_rules_check(rules, NULL) == SEEBATCH_OK);
    assert(requests->positions && requests->moves);
    see_check_requests(rules, requests);
    return true;
}

static inline void batch_values(const seebatch_rules *rules, const struct see_requests *requests, int16_t *values)
{
    if (!have_work(rules, requests))
        return;
    assert(values);
    const struct see_answers answers = {values, NULL, 0, NULL};
    see_kernel_answer(see_kernel_current(), rules, requests, SEE_QUICKEST, &answers);
}

void seebatch_batch_values(const seebatch_rules *rules, const seebatch_position *positions, size_t n_positions,
                           const size_t *offsets, const seebatch_move *moves, int16_t *values)
{
    const struct see_requests requests = {positions, n_positions, offsets, moves, NULL};
    batch_values(rules, &requests, values);
}

void seebatch_batch_values_pinned(const seebatch_rules *rules, const seebatch_position *positions,
                                  const seebatch_pins *pins, size_t n_positions, const size_t *offsets,
                                  const seebatch_move *moves, int16_t *values)
{
    const struct see_requests requests = {positions, n_positions, offsets, moves, pins};
    batch_values(rules, &requests, values);
}

static inline void batch_ge(const seebatch_rules *rules, const struct see_requests *requests, const int16_t *thresholds,
                            size_t step, uint64_t *mask)
{
    if (!have_work(rules, requests))
        return;
    assert(thresholds && mask);
    const struct see_answers answers = {NULL, thresholds + requests->offsets[0] * step, step, mask};
    see_kernel_answer(see_kernel_current(), rules, requests, SEE_QUICKEST, &answers);
}

void seebatch_batch_ge_mask(const seebatch_rules *rules, const seebatch_position *positions, size_t n_positions,
                            const size_t *offsets, const seebatch_move *moves, int16_t threshold, uint64_t *mask)
{
    const struct see_requests requests = {positions, n_positions, offsets, moves, NULL};
    batch_ge(rules, &requests, &threshold, 0, mask);
}

void seebatch_batch_ge_mask_pinned(const seebatch_rules *rules, const seebatch_position *positions,
                                   const seebatch_pins *pins, size_t n_positions, const size_t *offsets,
                                   const seebatch_move *moves, int16_t threshold, uint64_t *mask)
{
    const struct see_requests requests = {positions, n_positions, offsets, moves, pins};
    batch_ge(rules, &requests, &threshold, 0, mask);
}

void seebatch_batch_ge_mask_each(const seebatch_rules *rules, const seebatch_position *positions, size_t n_positions,
                                 const size_t *offsets, const seebatch_move *moves, const int16_t *thresholds,
                                 uint64_t *mask)
{
    const struct see_requests requests = {positions, n_positions, offsets, moves, NULL};
    batch_ge(rules, &requests, thresholds, 1, mask);
}

/* ---- One position ------------------------------------------------------------------------------------------------ */

static inline bool have_moves(const seebatch_rules *rules, const seebatch_position *position,
                              const seebatch_move *moves, size_t n)
{
    const size_t offsets[2] = {0, n};
    const struct see_requests requests = {position, 1, offsets, moves, NULL};
    return have_work(rules, &requests);
}

void seebatch_values(const seebatch_rules *rules, const seebatch_position *position, const seebatch_move *moves,
                     size_t n, int16_t *values)
{
    if (n == 1) { /* no kernel does better */
        *values = (int16_t)seebatch_value(rules, position, *moves);
        return;
    }
    if (!have_moves(rules, position, moves, n))
        return;
    assert(values);
    see_kernel_current()->node_values(rules, position, NULL, moves, n, values);
}

static inline void node_ge(const seebatch_rules *rules, const seebatch_position *position, const seebatch_move *moves,
                           size_t n, const int16_t *thresholds, size_t step, uint64_t *mask)
{
    if (!have_moves(rules, position, moves, n))
        return;
    assert(thresholds && mask);
    see_kernel_current()->node_ge(rules, position, NULL, moves, n, thresholds, step, mask);
}

void seebatch_ge_mask(const seebatch_rules *rules, const seebatch_position *position, const seebatch_move *moves,
                      size_t n, int16_t threshold, uint64_t *mask)
{
    if (n == 1)
        *mask = seebatch_ge(rules, position, *moves, threshold);
    else
        node_ge(rules, position, moves, n, &threshold, 0, mask);
}

void seebatch_ge_mask_each(const seebatch_rules *rules, const seebatch_position *position, const seebatch_move *moves,
                           size_t n, const int16_t *thresholds, uint64_t *mask)
{
    node_ge(rules, position, moves, n, thresholds, 1, mask);
}
