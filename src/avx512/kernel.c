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

/* Fewer requests go to the AVX2 kernel, whose registers they fill. */
enum { FEW = 5 };

void seebatch_avx512_values(const seebatch_rules *rules, const struct see_requests *requests, int16_t *values)
{
    if (lanes_help(rules, requests, FEW))
        lanes_values(rules, requests, values);
    else
        seebatch_avx2_values(rules, requests, values);
}

void seebatch_avx512_ge(const seebatch_rules *rules, const struct see_requests *requests, const int16_t *thresholds,
                        size_t step, uint64_t *mask)
{
    if (lanes_help(rules, requests, FEW))
        lanes_ge(rules, requests, thresholds, step, mask);
    else
        seebatch_avx2_ge(rules, requests, thresholds, step, mask);
}
