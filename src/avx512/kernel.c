/*
 * The AVX-512 kernel: eight requests a register. ../lanes/paths.h says which path a call takes; what is done otherwise
 * than with AVX2 stands in rays.h, ray_chunks.h and rotated_board.h.
 */
#include "rotated_kings.h"
#include "byte_moves.h"
#include "ray_board.h"
#include "ray_king_chunks.h"
#include "lanes/contract.h"
#include "ray_batch.h"
#include "lanes/paths.h"

/* How many requests the AVX2 kernel does more quickly: four, which fill its registers; where pins count, eight. */
static inline size_t quicker_by_avx2(const seebatch_rules *rules)
{
    return rules->pins == SEEBATCH_PINS_IGNORED ? (size_t)FEW_LANES : (size_t)LANES;
}

#define KERNEL(name) seebatch_avx512_##name
#define NEXT_KERNEL(name) seebatch_avx2_##name
#define SERVES(rules, n) ((n) > quicker_by_avx2(rules) && lanes_serve(rules))
#include "lanes/functions.h"

/* Where units are 512 bits wide two to four along rays are quicker here, too, and five to eight where pins count. */
#define KERNEL(name) seebatch_avx512_wide_##name
#define NEXT_KERNEL(name) seebatch_avx512_##name
#define SERVES(rules, n)                                                                                               \
    ((n) > ((rules)->pins == SEEBATCH_PINS_IGNORED ? 1 : (size_t)FEW_LANES) && (n) <= quicker_by_avx2(rules) &&        \
     lanes_serve(rules))
#define NODES_ALONE
#include "lanes/functions.h"
