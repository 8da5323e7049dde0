/*
 * The AVX-512 kernel: eight queries a register. ../lanes/paths.h says which path a call takes; what is done otherwise
 * than with AVX2 stands in rays.h, ray_chunks.h and rotated_board.h.
 */
#include "rotated_kings.h"
#include "byte_moves.h"
#include "ray_board.h"
#include "ray_king_chunks.h"
#include "lanes/contract.h"
#include "ray_batch.h"
#include "lanes/paths.h"

/* Whether a king may keep a piece from capturing under some rules. */
static inline bool heeds_kings(const seebatch_rules *rules)
{
    return rules->order == SEEBATCH_BEST_ORDER || see_rules_read_pins(rules);
}

/* How many queries the AVX2 kernel does more quickly: four, which fill its registers; where pins count, eight. */
static inline size_t quicker_by_avx2(const seebatch_rules *rules)
{
    return rules->pins == SEEBATCH_PINS_IGNORED ? (size_t)PARTIAL_LANES : (size_t)LANES;
}

/* One position. Where kings count, AVX2's attack tables are quicker, too: on Zen 4 by 11 to 14%. */
static inline bool narrow_lanes_serve(const seebatch_rules *rules, size_t n)
{
    return n > quicker_by_avx2(rules) && !(n >= TABLES_FROM_ONE && heeds_kings(rules)) && lanes_serve(rules);
}

/* Where units are 512 bits wide two to four moves along rays are quicker here, and five to eight where pins count; so
 * are attack tables under all rules. */
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
