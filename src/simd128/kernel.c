/*
 * The kernel of WebAssembly SIMD: four requests in two registers. ../lanes/paths.h says which path a call takes.
 */
#include "lanes.h"
#include "lanes/four/line_kings.h"
#include "lanes/four/word_moves.h"
#include "lanes/contract.h"
#include "lanes/four/lane_chunks.h"
#include "lanes/paths.h"

#define KERNEL(name) seebatch_simd128_##name
#define NEXT_KERNEL(name) seebatch_scalar_##name
#define SERVES(rules, n) ((n) > 1 && lanes_serve(rules))
#include "lanes/functions.h"
