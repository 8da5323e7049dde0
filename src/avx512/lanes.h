/*
 * The operations of the AVX-512 kernel on eight 64-bit lanes. They define what lanes/contract.h declares; kernel.c
 * includes them by way of byte_moves.h.
 */
#ifndef SEEBATCH_AVX512_LANES_H
#define SEEBATCH_AVX512_LANES_H

#include "lanes/inline.h"
#include "seebatch.h"

#include <immintrin.h>

typedef __m512i lanes;
typedef __mmask8 lane_mask; /* of lanes for which something holds */

enum { LANES = 8 };

#define LANES_NAME(name) avx512_##name

LANES_INLINE lanes lanes_all(int64_t x) { return _mm512_set1_epi64(x); }
/* The lowest n of the bits. */
LANES_INLINE unsigned first_bits(unsigned bits, size_t n) { return _bzhi_u32(bits, (unsigned)n); }

/* The number of the lowest bit, or 64 if no bit is set. */
LANES_INLINE unsigned lowest_bit(uint64_t bits) { return (unsigned)_tzcnt_u64(bits); }

LANES_INLINE lanes lanes_zero(void) { return _mm512_setzero_si512(); }
LANES_INLINE lanes lanes_and(lanes a, lanes b) { return _mm512_and_si512(a, b); }
LANES_INLINE lanes lanes_or(lanes a, lanes b) { return _mm512_or_si512(a, b); }
LANES_INLINE lanes lanes_xor(lanes a, lanes b) { return _mm512_xor_si512(a, b); }
LANES_INLINE lanes lanes_without(lanes a, lanes b) { return _mm512_andnot_si512(b, a); } /* a & ~b */
LANES_INLINE lanes lanes_sub(lanes a, lanes b) { return _mm512_sub_epi64(a, b); }

/* Any function of three bits in one instruction, given by its truth table. */
enum { A = 0xf0, B = 0xcc, C = 0xaa };
#define LANES_LOGIC(a, b, c, function) _mm512_ternarylogic_epi64(a, b, c, (function)&0xff)

LANES_INLINE lanes lanes_or3(lanes a, lanes b, lanes c) { return LANES_LOGIC(a, b, c, A | B | C); }
LANES_INLINE lanes lanes_and3(lanes a, lanes b, lanes c) { return LANES_LOGIC(a, b, c, A & B & C); }
/* Bit by bit: yes where the bit is set, no elsewhere. */
LANES_INLINE lanes lanes_merge(lanes which, lanes yes, lanes no)
{
    return LANES_LOGIC(which, yes, no, (A & B) | (~A & C));
}

LANES_INLINE lane_mask mask_and(lane_mask a, lane_mask b) { return _kand_mask8(a, b); }
LANES_INLINE lane_mask mask_or(lane_mask a, lane_mask b) { return _kor_mask8(a, b); }
LANES_INLINE lane_mask mask_not(lane_mask a) { return _knot_mask8(a); }
LANES_INLINE lane_mask mask_without(lane_mask a, lane_mask b) { return _kandn_mask8(b, a); } /* a and not b */
LANES_INLINE unsigned mask_bits(lane_mask a) { return _cvtmask8_u32(a); }

LANES_INLINE lane_mask mask_of_bits(unsigned bits) { return _cvtu32_mask8(bits); }

LANES_INLINE lane_mask lanes_equal(lanes a, lanes b) { return _mm512_cmpeq_epi64_mask(a, b); }
LANES_INLINE lane_mask lanes_disjoint(lanes a, lanes b) { return _mm512_testn_epi64_mask(a, b); }
LANES_INLINE lane_mask lanes_meet(lanes a, lanes b) { return _mm512_test_epi64_mask(a, b); }
LANES_INLINE lane_mask lanes_empty(lanes a) { return lanes_disjoint(a, a); }
/* Where a is empty, or everywhere if `all` is all ones and not 0. There are not enough mask registers to keep a mask
 * for this. */
LANES_INLINE lane_mask lanes_empty_or(lanes a, lanes all) { return lanes_empty(lanes_without(a, all)); }
LANES_INLINE lanes lanes_select(lane_mask m, lanes yes, lanes no) { return _mm512_mask_blend_epi64(m, no, yes); }
/* a, or 0 where the mask holds */
LANES_INLINE lanes lanes_unless(lane_mask m, lanes a) { return _mm512_maskz_mov_epi64(mask_not(m), a); }

/* Values are 32-bit integers in the lower halves; the upper halves are 0 or, in comparisons, equal. */
LANES_INLINE lanes value_add(lanes a, lanes b) { return _mm512_add_epi32(a, b); }
LANES_INLINE lanes value_sub(lanes a, lanes b) { return _mm512_sub_epi32(a, b); }
LANES_INLINE lanes value_max(lanes a, lanes b) { return _mm512_max_epi32(a, b); }
LANES_INLINE lanes value_min(lanes a, lanes b) { return _mm512_min_epi32(a, b); }
LANES_INLINE lanes value_all(int value) { return lanes_all((int64_t)(uint32_t)value); }
/* max(0, a - b) of values that are not negative. */
LANES_INLINE lanes value_saturating_sub(lanes a, lanes b) { return _mm512_subs_epu16(a, b); }
LANES_INLINE bool value_all_equal(lanes a, lanes b) { return _mm512_cmpneq_epi32_mask(a, b) == 0; }

/* The lanes in which one value is less than another. Both may be negative. */
LANES_INLINE lane_mask value_less(lanes a, lanes b) { return lanes_meet(value_sub(a, b), lanes_all(INT64_C(1) << 31)); }

/* Fills every lane with one value. */
LANES_INLINE lanes load_values(const int16_t value[LANES])
{
    return _mm512_cvtepi16_epi64(_mm_loadu_si128((const __m128i *)value));
}

LANES_INLINE lanes load_words(const uint16_t word[LANES])
{
    return _mm512_cvtepu16_epi64(_mm_loadu_si128((const __m128i *)word));
}

/* The number of bits of each lane. */
LANES_INLINE lanes lanes_count(lanes a) { return _mm512_sad_epu8(_mm512_popcnt_epi8(a), lanes_zero()); }

LANES_INLINE lanes lanes_load(const void *word) { return _mm512_loadu_si512(word); }
LANES_INLINE void lanes_store(void *word, lanes a) { _mm512_storeu_si512(word, a); }

/* Stores the low 16 bits of each lane. */
LANES_INLINE void store_values(int16_t value[LANES], lanes values)
{
    _mm_storeu_si128((__m128i *)value, _mm512_cvtepi64_epi16(values));
}

/* Writes the numbers of the lanes whose bit is set, plus k, one after another; writes LANES whatever their number. */
LANES_INLINE void store_numbers(uint16_t *number, size_t k, unsigned bits)
{
    const __m128i all = _mm_add_epi16(_mm_set1_epi16((int16_t)k), _mm_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7));
    _mm_storeu_si128((__m128i *)number, _mm_maskz_compress_epi16((__mmask8)bits, all));
}

/* Writes those numbers whose bit is set one after another; reads and writes LANES whatever their number. */
LANES_INLINE void store_selected(uint16_t *to, const uint16_t *from, unsigned bits)
{
    const __m128i all = _mm_loadu_si128((const __m128i *)from);
    _mm_storeu_si128((__m128i *)to, _mm_maskz_compress_epi16((__mmask8)bits, all));
}

/* A word of a bit mask: which of 64 values are at least their thresholds. */
LANES_INLINE uint64_t at_least(const int16_t value[64], const int16_t threshold[64])
{
    uint64_t word = 0;
    for (unsigned k = 0; k < 64; k += 32)
        word |= (uint64_t)_mm512_cmpge_epi16_mask(_mm512_loadu_si512(value + k), _mm512_loadu_si512(threshold + k))
                << k;
    return word;
}

/* Compares eight values with eight thresholds, and returns a bit for each. */
LANES_INLINE unsigned values_at_least(const int16_t value[LANES], const int16_t threshold[LANES])
{
    return _cvtmask8_u32(
        _mm_cmpge_epi16_mask(_mm_loadu_si128((const __m128i *)value), _mm_loadu_si128((const __m128i *)threshold)));
}

/* Fills an array of values, up to the next multiple of LANES. */
LANES_INLINE void fill_values(int16_t *value, int16_t x, size_t n)
{
    for (size_t k = 0; k < n; k += LANES)
        _mm_storeu_si128((__m128i *)(value + k), _mm_set1_epi16(x));
}

/* Copies n words, fewer than LANES, and fills up; so that one load can have them at once. */
LANES_INLINE void copy_words(uint16_t copy[LANES], const uint16_t *word, size_t n)
{
    const __mmask8 those = (__mmask8)((1u << n) - 1);
    const __m128i last = _mm_set1_epi16((int16_t)word[n - 1]);
    _mm_storeu_si128((__m128i *)copy, _mm_mask_loadu_epi16(last, those, word));
}

/* Load the first n moves, fewer than LANES, and zeros after them; and the same for values. No more is read or
 * written. */
LANES_INLINE __m128i load_partial(const uint16_t *move, size_t n)
{
    return _mm_maskz_loadu_epi16((__mmask8)_bzhi_u32(~0u, (unsigned)n), move);
}
LANES_INLINE void store_partial(int16_t *value, lanes values, size_t n)
{
    /* This takes two steps, because the memory sanitizer does not know the instruction that does both. */
    _mm_mask_storeu_epi16(value, (__mmask8)_bzhi_u32(~0u, (unsigned)n), _mm512_cvtepi64_epi16(values));
}

/* Copies n values, fewer than LANES. */
LANES_INLINE void copy_values(int16_t *copy, const int16_t value[LANES], size_t n)
{
    _mm_mask_storeu_epi16(copy, (__mmask8)((1u << n) - 1), _mm_loadu_si128((const __m128i *)value));
}

/* The values of pieces, looked up by their codes. */
struct piece_values {
    lanes of_code;
};

LANES_INLINE struct piece_values piece_values_of(const int16_t v[5])
{
    const lanes by_type = _mm512_cvtepu16_epi64(_mm_maskz_loadu_epi16(0x1f, v));
    const lanes type_of_code =
        _mm512_setr_epi64(7, SEEBATCH_BISHOP, SEEBATCH_ROOK, SEEBATCH_QUEEN, SEEBATCH_PAWN, SEEBATCH_KNIGHT, 7, 7);
    struct piece_values t;
    t.of_code = _mm512_permutexvar_epi64(type_of_code, by_type);
    return t;
}

/* Whether no type is worth less than those before it, as see_values_are_monotonic() says it. *monotonic_lanes becomes
 * all ones if so, and otherwise 0. */
LANES_INLINE bool values_are_monotonic(const int16_t v[5], lanes *monotonic_lanes)
{
    const __m128i lower = _mm_loadl_epi64((const __m128i *)v), upper = _mm_loadl_epi64((const __m128i *)(v + 1));
    const __m128i falls = _mm_cmpgt_epi16(lower, upper);
    *monotonic_lanes = _mm512_broadcastq_epi64(_mm_cmpeq_epi64(falls, _mm_setzero_si128()));
    return _mm_movemask_epi8(falls) == 0;
}

#endif
