/*
 * The AVX2 kernel: four requests a register. The method is told at the head of ../lanes/kernel.h.
 */
#include "kernel.h"
#include "kings.h"
#include "map_moves.h"
#include "lanes/kernel.h"
#include "scalar/kernel.h"

/* A single request goes to the scalar code. */
enum { FEW = 2 };

void seebatch_avx2_values(const seebatch_rules *rules, const struct see_requests *requests, int16_t *values)
{
    if (lanes_help(rules, requests, FEW))
        lanes_values(rules, requests, values);
    else
        seebatch_scalar_values(rules, requests, values);
}

void seebatch_avx2_ge(const seebatch_rules *rules, const struct see_requests *requests, const int16_t *thresholds,
                      size_t step, uint64_t *mask)
{
    if (lanes_help(rules, requests, FEW))
        lanes_ge(rules, requests, thresholds, step, mask);
    else
        seebatch_scalar_ge(rules, requests, thresholds, step, mask);
}
