/*
 * The AVX-512 kernel: eight requests a register. ../lanes/ways.h says which way a call goes; what is done otherwise
 * than with AVX2 stands in rays.h, ray_chunks.h and rotated_board.h.
 */
#include "rotated_kings.h"
#include "byte_moves.h"
#include "ray_board.h"
#include "ray_chunks.h"
#include "lanes/contract.h"
#include "lanes/ways.h"

/* Fewer than five requests go to the AVX2 kernel, whose registers they fill. */
void seebatch_avx512_many(const seebatch_rules *rules, const seebatch_batch *requests, enum see_way way,
                          const struct see_answers *answers)
{
    if (lanes_serve(rules) && (way != SEE_QUICKEST || see_requests_count(requests) > FEW_LANES))
        lanes_many(rules, requests, way, answers);
    else
        seebatch_avx2_many(rules, requests, way, answers);
}

void seebatch_avx512_node_values(const seebatch_rules *rules, const seebatch_position *position,
                                 const seebatch_pins *pins, const seebatch_move *moves, size_t n, int16_t *values)
{
    if (n > FEW_LANES && lanes_serve(rules))
        lanes_node_values(rules, position, pins, moves, n, values);
    else
        seebatch_avx2_node_values(rules, position, pins, moves, n, values);
}

void seebatch_avx512_node_ge(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                             const seebatch_move *moves, size_t n, const int16_t *thresholds, size_t step,
                             uint64_t *mask)
{
    if (n > FEW_LANES && lanes_serve(rules))
        lanes_node_ge(rules, position, pins, moves, n, thresholds, step, mask);
    else
        seebatch_avx2_node_ge(rules, position, pins, moves, n, thresholds, step, mask);
}

/* Where units are 512 bits wide two to four along rays are quicker here, too (docs/performance.md). */
static bool serves_few(const seebatch_rules *rules, size_t n)
{
    return n > 1 && n <= FEW_LANES && rules->pins == SEEBATCH_PINS_IGNORED && lanes_serve(rules);
}

void seebatch_avx512_wide_node_values(const seebatch_rules *rules, const seebatch_position *position,
                                      const seebatch_pins *pins, const seebatch_move *moves, size_t n, int16_t *values)
{
    if (serves_few(rules, n))
        lanes_node_values(rules, position, pins, moves, n, values);
    else
        seebatch_avx512_node_values(rules, position, pins, moves, n, values);
}

void seebatch_avx512_wide_node_ge(const seebatch_rules *rules, const seebatch_position *position,
                                  const seebatch_pins *pins, const seebatch_move *moves, size_t n,
                                  const int16_t *thresholds, size_t step, uint64_t *mask)
{
    if (serves_few(rules, n))
        lanes_node_ge(rules, position, pins, moves, n, thresholds, step, mask);
    else
        seebatch_avx512_node_ge(rules, position, pins, moves, n, thresholds, step, mask);
}
