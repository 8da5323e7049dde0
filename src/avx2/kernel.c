/*
 * The AVX2 kernel: four requests a register. The method is told at the head of ../lanes/kernel.h.
 */
#include "kernel.h"
#include "line_kings.h"
#include "word_moves.h"
#include "lanes/kernel.h"
#include "scalar/kernel.h"

/* A single request goes to the scalar code. */
static bool serves(const seebatch_rules *rules, size_t n, unsigned flags)
{
    return (flags || n > 1) && lanes_help(rules);
}

void seebatch_avx2_values(const seebatch_rules *rules, const struct see_requests *requests, int16_t *values)
{
    if (serves(rules, see_requests_count(requests), requests->flags))
        lanes_values(rules, requests, values);
    else
        seebatch_scalar_values(rules, requests, values);
}

void seebatch_avx2_ge(const seebatch_rules *rules, const struct see_requests *requests, const int16_t *thresholds,
                      size_t step, uint64_t *mask)
{
    if (serves(rules, see_requests_count(requests), requests->flags))
        lanes_ge(rules, requests, thresholds, step, mask);
    else
        seebatch_scalar_ge(rules, requests, thresholds, step, mask);
}

void seebatch_avx2_node_values(const seebatch_rules *rules, const seebatch_position *position,
                               const seebatch_move *moves, size_t n, int16_t *values)
{
    if (serves(rules, n, 0))
        lanes_node_values(rules, position, moves, n, values);
    else
        seebatch_scalar_node_values(rules, position, moves, n, values);
}

void seebatch_avx2_node_ge(const seebatch_rules *rules, const seebatch_position *position, const seebatch_move *moves,
                           size_t n, const int16_t *thresholds, size_t step, uint64_t *mask)
{
    if (serves(rules, n, 0))
        lanes_node_ge(rules, position, moves, n, thresholds, step, mask);
    else
        seebatch_scalar_node_ge(rules, position, moves, n, thresholds, step, mask);
}
