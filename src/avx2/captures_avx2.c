/*
 * Finds the legal captures of four positions at once, with AVX2. This file compiles the template lanes/captures.h for
 * registers of four words; seebatch_collect_captures() calls the result by way of the kernel in use.
 */
#include "board/position.h"
#include "dispatch/kernel.h"
#include "lanes/inline.h"

#include <immintrin.h>
#include <string.h>

#define BOARDS 4
#define SHUFFLE(set, order) (board_words) _mm256_shuffle_epi8((__m256i)(set), (__m256i)(order))
#define KERNEL(name) seebatch_avx2_##name
#include "lanes/captures.h"
