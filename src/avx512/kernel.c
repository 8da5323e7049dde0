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
#define KERNEL(name) seebatch_avx512_##name
#define NEXT_KERNEL(name) seebatch_avx2_##name
#define SERVES(rules, n) ((n) > FEW_LANES && lanes_serve(rules))
#include "lanes/functions.h"

/* Where units are 512 bits wide two to four along rays are quicker here, too (docs/performance.md). */
#define KERNEL(name) seebatch_avx512_wide_##name
#define NEXT_KERNEL(name) seebatch_avx512_##name
#define SERVES(rules, n) ((n) > 1 && (n) <= FEW_LANES && (rules)->pins == SEEBATCH_PINS_IGNORED && lanes_serve(rules))
#define NODES_ALONE
#include "lanes/functions.h"
