/*
 * Four 64-bit lanes, one request in each: the words of this kernel, and what one request's board looks like in lanes.
 */
#ifndef SEEBATCH_AVX2_LANES_H
#define SEEBATCH_AVX2_LANES_H

#include "../attacks.h"
#include "seebatch.h"

#include <immintrin.h>

typedef __m256i lanes;

/* The kernel is compiled once for each family of rules, whole, so that what they do not need costs nothing. */
#define LANES_INLINE static inline __attribute__((always_inline))

LANES_INLINE lanes lanes_all(int64_t x) { return _mm256_set1_epi64x(x); }
LANES_INLINE lanes lanes_and(lanes a, lanes b) { return _mm256_and_si256(a, b); }
LANES_INLINE lanes lanes_or(lanes a, lanes b) { return _mm256_or_si256(a, b); }
LANES_INLINE lanes lanes_xor(lanes a, lanes b) { return _mm256_xor_si256(a, b); }
LANES_INLINE lanes lanes_without(lanes a, lanes b) { return _mm256_andnot_si256(b, a); } /* a & ~b */
LANES_INLINE lanes lanes_sub(lanes a, lanes b) { return _mm256_sub_epi64(a, b); }

LANES_INLINE lanes lanes_not(lanes a) { return lanes_xor(a, lanes_all(-1)); }

/* Conditions are lanes of all ones or all zeros. */
LANES_INLINE lanes lanes_zero(void) { return _mm256_setzero_si256(); }
LANES_INLINE lanes lanes_empty(lanes a) { return _mm256_cmpeq_epi64(a, lanes_zero()); }
LANES_INLINE lanes lanes_disjoint(lanes a, lanes b) { return lanes_empty(lanes_and(a, b)); }
LANES_INLINE lanes lanes_select(lanes condition, lanes yes, lanes no) { return _mm256_blendv_epi8(no, yes, condition); }

/* Values are 32-bit integers in the lower halves; the upper halves are 0 or, in comparisons, equal. */
LANES_INLINE lanes value_add(lanes a, lanes b) { return _mm256_add_epi32(a, b); }
LANES_INLINE lanes value_sub(lanes a, lanes b) { return _mm256_sub_epi32(a, b); }
LANES_INLINE lanes value_max(lanes a, lanes b) { return _mm256_max_epi32(a, b); }
LANES_INLINE lanes value_min(lanes a, lanes b) { return _mm256_min_epi32(a, b); }
LANES_INLINE lanes value_all(int value) { return lanes_all((int64_t)(uint32_t)value); }

/* Four rows of four words each, turned into four registers of one word of each row. */
LANES_INLINE void lanes_transpose(const void *a, const void *b, const void *c, const void *d, lanes word[4])
{
    for (int half = 0; half < 2; half++) {
        const lanes ac = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)a + half)),
                                                 _mm_loadu_si128((const __m128i *)c + half), 1);
        const lanes bd = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)b + half)),
                                                 _mm_loadu_si128((const __m128i *)d + half), 1);
        word[2 * half] = _mm256_unpacklo_epi64(ac, bd);
        word[2 * half + 1] = _mm256_unpackhi_epi64(ac, bd);
    }
}

/* The board upside down: the bytes of each lane reversed. */
LANES_INLINE lanes lanes_flip(lanes a)
{
    const lanes order = _mm256_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
                                        15, 0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_shuffle_epi8(a, order);
}

/* What the sliders' part of attackers_to needs to know of a target. */
struct lane_lines {
    lanes square, flipped; /* the target's bit, and that bit on the board upside down */
    lanes below;           /* squares with lower numbers */
    lanes file, rank, diagonal, antidiagonal;
    lanes line_sliders, diagonal_sliders;
};

/* Along a line with one square a rank, the subtraction of attacks.h; without the last masking. */
LANES_INLINE lanes lanes_steep_line(const struct lane_lines *l, lanes line, lanes occupied)
{
    const lanes blockers = lanes_and(occupied, line);
    const lanes up = lanes_sub(blockers, l->square);
    const lanes down = lanes_flip(lanes_sub(lanes_flip(blockers), l->flipped));
    return lanes_and(lanes_xor(up, down), line);
}

/* The highest bit of each byte; by look-up of its nibbles. */
LANES_INLINE lanes lanes_highest_bits(lanes bytes)
{
    const lanes highest =
        _mm256_set_epi8(8, 8, 8, 8, 8, 8, 8, 8, 4, 4, 4, 4, 2, 2, 1, 0, 8, 8, 8, 8, 8, 8, 8, 8, 4, 4, 4, 4, 2, 2, 1, 0);
    const lanes highest_times_16 =
        _mm256_set_epi8(-128, -128, -128, -128, -128, -128, -128, -128, 64, 64, 64, 64, 32, 32, 16, 0, -128, -128, -128,
                        -128, -128, -128, -128, -128, 64, 64, 64, 64, 32, 32, 16, 0);
    const lanes nibble = _mm256_set1_epi8(15);
    const lanes low = _mm256_shuffle_epi8(highest, lanes_and(bytes, nibble));
    const lanes high = _mm256_shuffle_epi8(highest_times_16, lanes_and(_mm256_srli_epi64(bytes, 4), nibble));
    return _mm256_max_epu8(low, high);
}

/* Along the rank: upward the same subtraction; downward, the highest bit of the one byte that is not empty. Holds every
 * blocker that is attacked, but not all empty squares on the way to it. */
LANES_INLINE lanes lanes_rank_line(const struct lane_lines *l, lanes occupied)
{
    const lanes blockers = lanes_and(occupied, l->rank);
    const lanes above = lanes_xor(lanes_sub(blockers, l->square), blockers);
    return lanes_or(lanes_and(above, l->rank), lanes_highest_bits(lanes_and(blockers, l->below)));
}

/* The sliders among the occupied squares that attack the target. */
LANES_INLINE lanes lanes_sliders_to(const struct lane_lines *l, lanes occupied)
{
    const lanes line = lanes_or(lanes_steep_line(l, l->file, occupied), lanes_rank_line(l, occupied));
    const lanes diagonal =
        lanes_or(lanes_steep_line(l, l->diagonal, occupied), lanes_steep_line(l, l->antidiagonal, occupied));
    return lanes_and(lanes_or(lanes_and(line, l->line_sliders), lanes_and(diagonal, l->diagonal_sliders)), occupied);
}

#endif
