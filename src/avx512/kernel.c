/*
 * The AVX-512 kernel: eight requests a register. The method is told at the head of ../lanes/kernel.h, what is done
 * otherwise than with AVX2 in rays.h, ray_chunks.h and board.h.
 */
#include "kernel.h"
#include "rotated_kings.h"
#include "byte_moves.h"
#include "ray_chunks.h"
#include "lanes/kernel.h"
#include "avx2/kernel.h"

/* Whether requests go through these lanes. Fewer than five go to the AVX2 kernel, whose registers they fill. */
static bool serves(const seebatch_rules *rules, size_t n, unsigned flags)
{
    return (flags || n > FEW_LANES) && lanes_help(rules);
}

/* The same where units are 512 bits wide: along rays two to four are quicker here, too (docs/performance.md). */
static bool serves_wide(const seebatch_rules *rules, size_t n)
{
    return n > FEW_LANES ? lanes_help(rules) : rules->pins == SEEBATCH_PINS_IGNORED && n > 1;
}

void seebatch_avx512_values(const seebatch_rules *rules, const struct see_requests *requests, int16_t *values)
{
    if (serves(rules, see_requests_count(requests), requests->flags))
        lanes_values(rules, requests, values);
    else
        seebatch_avx2_values(rules, requests, values);
}

void seebatch_avx512_ge(const seebatch_rules *rules, const struct see_requests *requests, const int16_t *thresholds,
                        size_t step, uint64_t *mask)
{
    if (serves(rules, see_requests_count(requests), requests->flags))
        lanes_ge(rules, requests, thresholds, step, mask);
    else
        seebatch_avx2_ge(rules, requests, thresholds, step, mask);
}

void seebatch_avx512_node_values(const seebatch_rules *rules, const seebatch_position *position,
                                 const seebatch_move *moves, size_t n, int16_t *values)
{
    if (serves(rules, n, 0))
        lanes_node_values(rules, position, moves, n, values);
    else
        seebatch_avx2_node_values(rules, position, moves, n, values);
}

void seebatch_avx512_node_ge(const seebatch_rules *rules, const seebatch_position *position, const seebatch_move *moves,
                             size_t n, const int16_t *thresholds, size_t step, uint64_t *mask)
{
    if (serves(rules, n, 0))
        lanes_node_ge(rules, position, moves, n, thresholds, step, mask);
    else
        seebatch_avx2_node_ge(rules, position, moves, n, thresholds, step, mask);
}

void seebatch_avx512_wide_node_values(const seebatch_rules *rules, const seebatch_position *position,
                                      const seebatch_move *moves, size_t n, int16_t *values)
{
    if (serves_wide(rules, n))
        lanes_node_values(rules, position, moves, n, values);
    else
        seebatch_avx2_node_values(rules, position, moves, n, values);
}

void seebatch_avx512_wide_node_ge(const seebatch_rules *rules, const seebatch_position *position,
                                  const seebatch_move *moves, size_t n, const int16_t *thresholds, size_t step,
                                  uint64_t *mask)
{
    if (serves_wide(rules, n))
        lanes_node_ge(rules, position, moves, n, thresholds, step, mask);
    else
        seebatch_avx2_node_ge(rules, position, moves, n, thresholds, step, mask);
}
