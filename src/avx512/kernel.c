/*
 * The AVX-512 kernel: eight requests a register. The method is told at the head of ../lanes/kernel.h, what is done
 * otherwise than with AVX2 in rays.h, ray_chunks.h and board.h.
 */
#include "kernel.h"
#include "kings.h"
#include "map_moves.h"
#include "ray_chunks.h"
#include "lanes/kernel.h"
#include "avx2/kernel.h"
#include "cpu.h"

/*
 * Whether the requests go through these lanes. Fewer than five go to the AVX2 kernel, whose registers they fill; but
 * two to four along rays do so only where units are 512 bits wide: there they are quicker here (docs/performance.md).
 */
static bool serves(const seebatch_rules *rules, size_t n, unsigned flags)
{
    enum { UNKNOWN, NARROW, WIDE };
    static int width; /* asked once; whoever comes first stores it, and everybody would store the same */
    if (flags || n > FEW_LANES)
        return lanes_help(rules);
    if (rules->pins != SEEBATCH_PINS_IGNORED || n < 2)
        return false;
    int known = __atomic_load_n(&width, __ATOMIC_RELAXED);
    if (known == UNKNOWN) {
        known = seebatch_cpu_is_wide() ? WIDE : NARROW;
        __atomic_store_n(&width, known, __ATOMIC_RELAXED);
    }
    return known == WIDE;
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
