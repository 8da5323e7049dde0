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

/* Whether a king may keep a piece from capturing under the rules. */
static inline bool heeds_kings(const seebatch_rules *rules)
{
    return rules->order == SEEBATCH_BEST_ORDER || see_rules_read_pins(rules);
}

/* The number of queries up to which the AVX2 kernel is quicker: four, which fill one of its registers, or eight where
 * pins count. */
static inline size_t quicker_by_avx2(const seebatch_rules *rules)
{
    return rules->pins == SEEBATCH_PINS_IGNORED ? (size_t)PARTIAL_LANES : (size_t)LANES;
}

/* Whether this kernel serves n moves of one position on processors with narrower units. Where kings count, the attack
 * tables of AVX2 are quicker there: on Zen 4 by 11 to 14%. */
static inline bool narrow_lanes_serve(const seebatch_rules *rules, size_t n)
{
    return n > quicker_by_avx2(rules) && !(n >= TABLES_FROM_ONE && heeds_kings(rules)) && lanes_serve(rules);
}

/* The same on processors whose units are 512 bits wide. There two to four moves along rays are quicker than with AVX2,
 * and so are five to eight where pins count, and attack tables under all rules. */
static inline bool wide_lanes_serve(const seebatch_rules *rules, size_t n)
{
    return n > (rules->pins == SEEBATCH_PINS_IGNORED ? 1 : (size_t)PARTIAL_LANES) && lanes_serve(rules);
}

#define KERNEL(name) seebatch_avx512_##name
#define NEXT_KERNEL(name) seebatch_avx2_##name
#define SERVES(rules, n) narrow_lanes_serve(rules, n)
#include "lanes/position_functions.h"

#define KERNEL(name) seebatch_avx512_wide_##name
#define NEXT_KERNEL(name) seebatch_avx2_##name
#define SERVES(rules, n) wide_lanes_serve(rules, n)
#include "lanes/position_functions.h"

void seebatch_avx512_batch_answers(const seebatch_rules *rules, const seebatch_batch *batch, enum see_path path,
                                   const struct see_answers *answers)
{
    kernel_batch_answers(seebatch_avx2_batch_answers, rules, batch, path, answers, quicker_by_avx2(rules) + 1);
}
