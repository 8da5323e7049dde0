/*
 * Finds the legal captures of eight positions at once, with AVX-512. This file compiles the template lanes/captures.h
 * for registers of eight words; seebatch_collect_captures() calls the result by way of the kernel in use.
 */
#include "board/position.h"
#include "dispatch/kernel.h"
#include "lanes/inline.h"

#include <immintrin.h>
#include <string.h>

#define BOARDS 8
#define SHUFFLE(set, order) (board_words) _mm512_shuffle_epi8((__m512i)(set), (__m512i)(order))
#define KERNEL(name) seebatch_avx512_##name
#include "lanes/captures.h"
