/*
 * Four 64-bit lanes, one request in each: the words of this kernel.
 */
#ifndef SEEBATCH_AVX2_LANES_H
#define SEEBATCH_AVX2_LANES_H

#include "board/attacks.h"
#include "rules.h"
#include "seebatch.h"

#include <immintrin.h>
#include <string.h>

typedef __m256i lanes;

/* The kernel is compiled once for each rule class, whole, so that what they do not need costs nothing. */
enum { LANES = 4 };

#define LANES_NAME(name) avx2_##name
#define LANES_INLINE static inline __attribute__((always_inline))

LANES_INLINE lanes lanes_all(int64_t x) { return _mm256_set1_epi64x(x); }
LANES_INLINE lanes lanes_and(lanes a, lanes b) { return _mm256_and_si256(a, b); }
LANES_INLINE lanes lanes_or(lanes a, lanes b) { return _mm256_or_si256(a, b); }
LANES_INLINE lanes lanes_xor(lanes a, lanes b) { return _mm256_xor_si256(a, b); }
LANES_INLINE lanes lanes_without(lanes a, lanes b) { return _mm256_andnot_si256(b, a); } /* a & ~b */
LANES_INLINE lanes lanes_sub(lanes a, lanes b) { return _mm256_sub_epi64(a, b); }

/* Masks, of lanes for which something holds, are lanes of all ones or all zeros. */
typedef lanes lane_mask;

LANES_INLINE lane_mask mask_and(lane_mask a, lane_mask b) { return lanes_and(a, b); }
LANES_INLINE lane_mask mask_or(lane_mask a, lane_mask b) { return lanes_or(a, b); }
LANES_INLINE lane_mask mask_not(lane_mask a) { return lanes_xor(a, lanes_all(-1)); }
LANES_INLINE lane_mask mask_without(lane_mask a, lane_mask b) { return lanes_without(a, b); } /* a and not b */
LANES_INLINE unsigned mask_bits(lane_mask a) { return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(a)); }

LANES_INLINE lane_mask mask_of_bits(unsigned bits)
{
    const lanes bit = _mm256_setr_epi64x(1, 2, 4, 8);
    return _mm256_cmpeq_epi64(lanes_and(lanes_all(bits), bit), bit);
}

/* The lowest n bits of some. */
LANES_INLINE unsigned first_bits(unsigned bits, size_t n) { return _bzhi_u32(bits, (unsigned)n); }

/* The number of the lowest bit; of none: 64. */
LANES_INLINE unsigned lowest_bit(uint64_t bits) { return (unsigned)_tzcnt_u64(bits); }

LANES_INLINE lanes lanes_zero(void) { return _mm256_setzero_si256(); }
LANES_INLINE lane_mask lanes_equal(lanes a, lanes b) { return _mm256_cmpeq_epi64(a, b); }
LANES_INLINE lane_mask lanes_empty(lanes a) { return _mm256_cmpeq_epi64(a, lanes_zero()); }
LANES_INLINE lane_mask lanes_empty_or(lanes a, lanes all) { return lanes_or(lanes_empty(a), all); } /* all: ones or 0 */
LANES_INLINE lane_mask lanes_disjoint(lanes a, lanes b) { return lanes_empty(lanes_and(a, b)); }
LANES_INLINE lanes lanes_select(lane_mask m, lanes yes, lanes no) { return _mm256_blendv_epi8(no, yes, m); }
LANES_INLINE lanes lanes_unless(lane_mask m, lanes a) { return lanes_without(a, m); } /* a, or 0 where the mask holds */

/* Values are 32-bit integers in the lower halves; the upper halves are 0 or, in comparisons, equal. */
LANES_INLINE lanes value_add(lanes a, lanes b) { return _mm256_add_epi32(a, b); }
LANES_INLINE lanes value_sub(lanes a, lanes b) { return _mm256_sub_epi32(a, b); }
LANES_INLINE lanes value_max(lanes a, lanes b) { return _mm256_max_epi32(a, b); }
LANES_INLINE lanes value_min(lanes a, lanes b) { return _mm256_min_epi32(a, b); }
LANES_INLINE lanes value_all(int value) { return lanes_all((int64_t)(uint32_t)value); }
/* max(0, a - b) of values that are not negative. */
LANES_INLINE lanes value_monus(lanes a, lanes b) { return _mm256_subs_epu16(a, b); }
LANES_INLINE bool value_all_equal(lanes a, lanes b) { return _mm256_movemask_epi8(_mm256_cmpeq_epi32(a, b)) == -1; }

/* Where a value is less than another; both may be negative. */
LANES_INLINE lane_mask value_less(lanes a, lanes b) { return _mm256_shuffle_epi32(_mm256_cmpgt_epi32(b, a), 0xa0); }

/* One value a lane. */
LANES_INLINE lanes load_values(const int16_t value[LANES])
{
    return _mm256_cvtepi16_epi64(_mm_loadl_epi64((const __m128i *)value));
}

/* Stores the low 16 bits of each lane. */
LANES_INLINE void store_values(int16_t value[LANES], lanes values)
{
    const lanes low = _mm256_shuffle_epi8(values, _mm256_set1_epi64x(0x0d0c050409080100));
    _mm_storel_epi64((__m128i *)value,
                     _mm_unpacklo_epi32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1)));
}

/* Writes the numbers of the lanes whose bit is set, plus k, one after another; writes LANES whatever their number. */
LANES_INLINE void store_numbers(uint16_t *number, size_t k, unsigned bits)
{
    static const uint16_t packed_lanes[16][4] = {{0},    {0},       {1},       {0, 1},      {2},    {0, 2},
                                                 {1, 2}, {0, 1, 2}, {3},       {0, 3},      {1, 3}, {0, 1, 3},
                                                 {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3}};
    const __m128i lane = _mm_loadl_epi64((const __m128i *)packed_lanes[bits]);
    _mm_storel_epi64((__m128i *)number, _mm_add_epi16(lane, _mm_set1_epi16((int16_t)k)));
}

/* The lanes whose bit is set, one after another; behind them stands what stood in lane 0. */
LANES_INLINE lanes lanes_compress(lanes a, unsigned bits)
{
    /* In halves of lanes. */
    static const uint32_t packed_halves[16][8] __attribute__((aligned(32))) = {
        {0, 1, 0, 1, 0, 1, 0, 1}, {0, 1, 0, 1, 0, 1, 0, 1}, {2, 3, 0, 1, 0, 1, 0, 1}, {0, 1, 2, 3, 0, 1, 0, 1},
        {4, 5, 0, 1, 0, 1, 0, 1}, {0, 1, 4, 5, 0, 1, 0, 1}, {2, 3, 4, 5, 0, 1, 0, 1}, {0, 1, 2, 3, 4, 5, 0, 1},
        {6, 7, 0, 1, 0, 1, 0, 1}, {0, 1, 6, 7, 0, 1, 0, 1}, {2, 3, 6, 7, 0, 1, 0, 1}, {0, 1, 2, 3, 6, 7, 0, 1},
        {4, 5, 6, 7, 0, 1, 0, 1}, {0, 1, 4, 5, 6, 7, 0, 1}, {2, 3, 4, 5, 6, 7, 0, 1}, {0, 1, 2, 3, 4, 5, 6, 7}};
    return _mm256_permutevar8x32_epi32(a, _mm256_load_si256((const __m256i *)packed_halves[bits]));
}

/* Writes those numbers whose bit is set one after another; reads and writes LANES whatever their number. */
LANES_INLINE void store_some(uint16_t *to, const uint16_t *from, unsigned bits)
{
    for (int lane = 0; lane < LANES; lane++) {
        *to = from[lane];
        to += bits >> lane & 1;
    }
}

LANES_INLINE lanes lanes_load(const uint64_t word[LANES]) { return _mm256_loadu_si256((const __m256i *)word); }
LANES_INLINE void lanes_store(uint64_t word[LANES], lanes a) { _mm256_storeu_si256((__m256i *)word, a); }

/* A word of the mask: which of 64 values are at least their thresholds. */
LANES_INLINE uint64_t at_least(const int16_t value[64], const int16_t threshold[64])
{
    uint64_t word = 0;
    for (unsigned k = 0; k < 64; k += 32) {
        const __m256i low = _mm256_cmpgt_epi16(_mm256_loadu_si256((const __m256i *)(threshold + k)),
                                               _mm256_loadu_si256((const __m256i *)(value + k)));
        const __m256i high = _mm256_cmpgt_epi16(_mm256_loadu_si256((const __m256i *)(threshold + k + 16)),
                                                _mm256_loadu_si256((const __m256i *)(value + k + 16)));
        const __m256i less = _mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0xd8);
        word |= (uint64_t) ~(uint32_t)_mm256_movemask_epi8(less) << k;
    }
    return word;
}

/* Bits of four values against four thresholds. */
LANES_INLINE unsigned values_at_least(const int16_t value[LANES], const int16_t threshold[LANES])
{
    const __m128i less =
        _mm_cmpgt_epi16(_mm_loadl_epi64((const __m128i *)threshold), _mm_loadl_epi64((const __m128i *)value));
    return ~(unsigned)_mm_movemask_epi8(_mm_packs_epi16(less, less)) & 15;
}

/* Fills an array of values, up to the next multiple of LANES. */
LANES_INLINE void fill_values(int16_t *value, int16_t x, size_t n)
{
    for (size_t k = 0; k < n; k += LANES)
        _mm_storel_epi64((__m128i *)(value + k), _mm_set1_epi16(x));
}

/* Copies n words, fewer than LANES, and the last of them again to fill up; so that one load can have them at once. */
LANES_INLINE void copy_words(uint16_t copy[LANES], const uint16_t *word, size_t n)
{
    const uint64_t last = word[n - 1], first = word[0], second = n > 2 ? word[1] : last;
    const uint64_t four = first | second << 16 | last << 32 | last << 48;
    memcpy(copy, &four, sizeof four);
}

/* Copies n values, fewer than LANES. */
LANES_INLINE void copy_values(int16_t *copy, const int16_t value[LANES], size_t n)
{
    copy[0] = value[0];
    if (n > 1)
        copy[1] = value[1];
    if (n > 2)
        copy[2] = value[2];
}

/* Four rows of four words each, as four registers of one word of each row. */
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

/* The values of piece codes, for value_on(), and of those that are the least valuable, for least_valuable(). */
struct value_tables {
    lanes of_code, of_least;
};

LANES_INLINE struct value_tables value_tables_of(const int16_t v[5])
{
    const __m128i four = _mm_loadl_epi64((const __m128i *)v);
    const lanes of_type = _mm256_cvtepu16_epi32(_mm_insert_epi16(four, v[SEEBATCH_QUEEN], SEEBATCH_QUEEN));
    const lanes codes =
        _mm256_setr_epi32(7, SEEBATCH_BISHOP, SEEBATCH_ROOK, SEEBATCH_QUEEN, SEEBATCH_PAWN, SEEBATCH_KNIGHT, 7, 7);
    const lanes least =
        _mm256_setr_epi32(7, 7, SEEBATCH_QUEEN, SEEBATCH_ROOK, SEEBATCH_BISHOP, 7, SEEBATCH_KNIGHT, SEEBATCH_PAWN);
    const lanes king_or_none = _mm256_setr_epi32(0, KING_VALUE, 0, 0, 0, 0, 0, 0);
    struct value_tables t;
    t.of_code = _mm256_permutevar8x32_epi32(of_type, codes);
    t.of_least = lanes_or(_mm256_permutevar8x32_epi32(of_type, least), king_or_none);
    return t;
}

/* Whether no type is worth less than those before it, as see_values_rise() says it; and all ones or 0 for that. */
LANES_INLINE bool values_rise(const int16_t v[5], lanes *rising)
{
    const __m128i lower = _mm_loadl_epi64((const __m128i *)v), upper = _mm_loadl_epi64((const __m128i *)(v + 1));
    const __m128i falls = _mm_cmpgt_epi16(lower, upper);
    *rising = _mm256_broadcastq_epi64(_mm_cmpeq_epi64(falls, _mm_setzero_si128()));
    return _mm_movemask_epi8(falls) == 0;
}

#endif
