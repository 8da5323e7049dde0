/*
 * The AVX-512 kernel: it holds eight queries in a register, or decides 64 moves at a time. dispatch/dispatch.c has it
 * in its table, and lanes/paths.h says which path a call takes. rays.h, ray_chunks.h and rotated_board.h have what it
 * does differently from AVX2.
 */
#include "rotated_kings.h"
#include "byte_moves.h"
#include "ray_board.h"
#include "ray_king_chunks.h"
#include "lanes/contract.h"
#include "ray_batch.h"
#include "lanes/paths.h"
#include "lanes/kernel_lengths.h"

/* Whether n moves of one position are too few for this kernel: up to four fill one of AVX2's registers, and are quicker
 * there. On processors whose units are 512 bits wide, two to four moves along rays are quicker than with AVX2 where pins do
 * not count (on Emerald Rapids by 10 to 15%). These, and two functions below, are the rows too_few(), too_few_for_wide(),
 * narrow_lanes_serve() and least_of_batch() of the last table in docs/internals/lanes.md. */
static inline bool too_few(size_t n) { return n <= PARTIAL_LANES; }
static inline bool too_few_for_wide(const seebatch_rules *rules, size_t n)
{
    return n <= (rules->pins == SEEBATCH_PINS_IGNORED ? 1 : (size_t)PARTIAL_LANES);
}

/* On processors with narrower units, AVX2's attack tables are quicker where each side chooses its order: on Zen 4 by 8%. On
 * wide ones these are, under all rules (on Emerald Rapids by 10 to 25%). */
static inline bool narrow_lanes_serve(const seebatch_rules *rules, size_t n)
{
    return !(n >= TABLES_FROM_ONE && rules->order == SEEBATCH_BEST_ORDER) && lanes_serve(rules);
}

#define KERNEL(name) seebatch_avx512_##name
#define NEXT_KERNEL(name) seebatch_avx2_##name
#define TOO_FEW(rules, n) too_few(n)
#define TOO_FEW_BITS(rules, n) too_few(n)
#define SERVES(rules, n) narrow_lanes_serve(rules, n)
#include "lanes/position_functions.h"

#define KERNEL(name) seebatch_avx512_wide_##name
#define NEXT_KERNEL(name) seebatch_avx2_##name
#define TOO_FEW(rules, n) too_few_for_wide(rules, n)
#define TOO_FEW_BITS(rules, n) too_few_for_wide(rules, n)
#define SERVES(rules, n) lanes_serve(rules)
#include "lanes/position_functions.h"

/* The fewest queries of a batch that this kernel answers: more than fill one of AVX2's registers, or two where pins
 * count. */
static inline size_t least_of_batch(const seebatch_rules *rules)
{
    return 1 + (rules->pins == SEEBATCH_PINS_IGNORED ? (size_t)PARTIAL_LANES : (size_t)LANES);
}

void seebatch_avx512_batch_answers(const seebatch_rules *rules, const seebatch_batch *batch, enum see_path path,
                                   const struct see_answers *answers)
{
    kernel_batch_answers(seebatch_avx2_batch_answers, rules, batch, path, answers, least_of_batch(rules));
}

/* Lengths without values that these lanes find take AVX2, because the rays are found for the values. */
void seebatch_avx512_lengths(const seebatch_rules *rules, const seebatch_batch *batch, int16_t *values,
                             uint8_t *lengths)
{
    if (values && lanes_serve(rules))
        kernel_lengths(seebatch_avx512_batch_answers, rules, batch, values, lengths);
    else
        seebatch_avx2_lengths(rules, batch, values, lengths);
}
