/*
 * The operations of the AVX2 kernel on four 64-bit lanes, with one query in each. They define what lanes/contract.h and
 * lanes/four/four_contract.h declare; kernel.c includes this file first.
 */
#ifndef SEEBATCH_AVX2_LANES_H
#define SEEBATCH_AVX2_LANES_H

#include "lanes/inline.h"
#include "api/rules.h"
#include "seebatch.h"

#include <immintrin.h>
#include <stdbool.h>

typedef __m256i lanes;

enum { LANES = 4 };

/* With AVX2, lengths of exchanges are found in lanes, too (lanes/lengths.h). */
enum { COUNTS_LENGTHS = 1 };

/* The number of queries of a chunk that are decided at once. */
enum { DECIDED_AT_ONCE = LANES };

#define LANES_NAME(name) avx2_##name

/* The number of the lowest bit, or 64 if no bit is set. (Where C asks for a choice, gcc makes a branch of it.) */
LANES_INLINE unsigned lowest_bit(uint64_t bits) { return (unsigned)_tzcnt_u64(bits); }

LANES_INLINE lanes lanes_all(int64_t x) { return _mm256_set1_epi64x(x); }
LANES_INLINE lanes lanes_and(lanes a, lanes b) { return _mm256_and_si256(a, b); }
LANES_INLINE lanes lanes_or(lanes a, lanes b) { return _mm256_or_si256(a, b); }
LANES_INLINE lanes lanes_xor(lanes a, lanes b) { return _mm256_xor_si256(a, b); }
LANES_INLINE lanes lanes_without(lanes a, lanes b) { return _mm256_andnot_si256(b, a); } /* a & ~b */
LANES_INLINE lanes lanes_sub(lanes a, lanes b) { return _mm256_sub_epi64(a, b); }

LANES_INLINE lanes lanes_of(int64_t a, int64_t b, int64_t c, int64_t d) { return _mm256_setr_epi64x(a, b, c, d); }
LANES_INLINE unsigned mask_bits(lanes a) { return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(a)); }

LANES_INLINE lanes lanes_zero(void) { return _mm256_setzero_si256(); }
LANES_INLINE lanes lanes_equal(lanes a, lanes b) { return _mm256_cmpeq_epi64(a, b); }
LANES_INLINE lanes lanes_empty(lanes a) { return _mm256_cmpeq_epi64(a, lanes_zero()); }
LANES_INLINE lanes lanes_disjoint(lanes a, lanes b) { return lanes_empty(lanes_and(a, b)); }
LANES_INLINE lanes lanes_has_bit(lanes a, lanes bit) { return lanes_equal(lanes_and(a, bit), bit); }
LANES_INLINE bool lanes_any(lanes a) { return !_mm256_testz_si256(a, a); }
LANES_INLINE lanes lanes_select(lanes m, lanes yes, lanes no) { return _mm256_blendv_epi8(no, yes, m); }
LANES_INLINE lanes lanes_shift_left_by(lanes a, lanes by) { return _mm256_sllv_epi64(a, by); }
LANES_INLINE lanes lanes_shift_right(lanes a, int n) { return _mm256_srli_epi64(a, n); }
LANES_INLINE lanes lanes_bit(lanes number) { return _mm256_sllv_epi64(lanes_all(1), number); }

LANES_INLINE lanes lanes_shift_each_left(lanes a, int n0, int n1, int n2, int n3)
{
    return _mm256_sllv_epi64(a, lanes_of(n0, n1, n2, n3));
}

LANES_INLINE lanes lanes_shift_each_right(lanes a, int n0, int n1, int n2, int n3)
{
    return _mm256_srlv_epi64(a, lanes_of(n0, n1, n2, n3));
}

/* Values are 32-bit integers in the lower halves; the upper halves are 0 or, in comparisons, equal. */
LANES_INLINE lanes value_add(lanes a, lanes b) { return _mm256_add_epi32(a, b); }
LANES_INLINE lanes value_sub(lanes a, lanes b) { return _mm256_sub_epi32(a, b); }
LANES_INLINE lanes value_max(lanes a, lanes b) { return _mm256_max_epi32(a, b); }
LANES_INLINE lanes value_min(lanes a, lanes b) { return _mm256_min_epi32(a, b); }
/* max(0, a - b) of values that are not negative. */
LANES_INLINE lanes value_saturating_sub(lanes a, lanes b) { return _mm256_subs_epu16(a, b); }
LANES_INLINE bool value_all_equal(lanes a, lanes b) { return _mm256_movemask_epi8(_mm256_cmpeq_epi32(a, b)) == -1; }

/* The lanes in which one value is less than another. Both may be negative. */
LANES_INLINE lanes value_less(lanes a, lanes b) { return _mm256_shuffle_epi32(_mm256_cmpgt_epi32(b, a), 0xa0); }

/* The same value in each lane. */
LANES_INLINE lanes load_values(const int16_t value[LANES])
{
    return _mm256_cvtepi16_epi64(_mm_loadl_epi64((const __m128i *)value));
}

LANES_INLINE lanes load_words(const uint16_t word[LANES])
{
    return _mm256_cvtepu16_epi64(_mm_loadl_epi64((const __m128i *)word));
}

/* Writes the low 16 bits of each lane. */
LANES_INLINE void store_values(int16_t value[LANES], lanes values)
{
    const lanes low = _mm256_shuffle_epi8(values, _mm256_set1_epi64x(0x0d0c050409080100));
    _mm_storel_epi64((__m128i *)value,
                     _mm_unpacklo_epi32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1)));
}

LANES_INLINE lanes lanes_load(const void *word) { return _mm256_loadu_si256((const __m256i *)word); }
LANES_INLINE void lanes_store(void *word, lanes a) { _mm256_storeu_si256((__m256i *)word, a); }

/* Compares four values with four thresholds, and returns a bit for each. */
LANES_INLINE unsigned values_at_least(const int16_t value[LANES], const int16_t threshold[LANES])
{
    const __m128i less =
        _mm_cmpgt_epi16(_mm_loadl_epi64((const __m128i *)threshold), _mm_loadl_epi64((const __m128i *)value));
    return ~(unsigned)_mm_movemask_epi8(_mm_packs_epi16(less, less)) & 15;
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

/* Makes the planes of four positions like lanes_transpose(), by other instructions: one unit of the processor alone
 * inserts halves, but any blends them. For the rows of a single position, which come after, that is slower. */
#define LANES_HAVE_PLANES_OF
LANES_INLINE void planes_of(const seebatch_position *const position[LANES], lanes plane[4])
{
    lanes both[2][2];
    for (int i = 0; i < 2; i++) {
        for (int half = 0; half < 2; half++) {
            const __m128i lower = _mm_loadu_si128((const __m128i *)(const void *)position[i] + half);
            const __m128i upper = _mm_loadu_si128((const __m128i *)(const void *)position[i + 2] + half);
            both[half][i] = _mm256_blend_epi32(_mm256_castsi128_si256(lower), _mm256_broadcastsi128_si256(upper), 0xf0);
        }
    }
    for (int half = 0; half < 2; half++) {
        plane[2 * half] = _mm256_unpacklo_epi64(both[half][0], both[half][1]);
        plane[2 * half + 1] = _mm256_unpackhi_epi64(both[half][0], both[half][1]);
    }
}

/* Turns the board upside down by reversing the bytes of each lane. */
LANES_INLINE lanes lanes_flip(lanes a)
{
    const lanes order = _mm256_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
                                        15, 0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_shuffle_epi8(a, order);
}

/* Finds the highest bit of the only byte of each lane that is not empty, by shuffles of its nibbles: of the higher
 * nibble if there is any, because a shuffle gives 0 where bit 7 is set, and ignores bits 4 to 6. */
LANES_INLINE lanes lanes_highest_bit(lanes byte)
{
    const lanes highest =
        _mm256_set_epi8(8, 8, 8, 8, 8, 8, 8, 8, 4, 4, 4, 4, 2, 2, 1, 0, 8, 8, 8, 8, 8, 8, 8, 8, 4, 4, 4, 4, 2, 2, 1, 0);
    const lanes highest_times_16 =
        _mm256_set_epi8(-128, -128, -128, -128, -128, -128, -128, -128, 64, 64, 64, 64, 32, 32, 16, 0, -128, -128, -128,
                        -128, -128, -128, -128, -128, 64, 64, 64, 64, 32, 32, 16, 0);
    return _mm256_max_epu8(_mm256_shuffle_epi8(highest, byte),
                           _mm256_shuffle_epi8(highest_times_16, _mm256_srli_epi64(byte, 4)));
}

/* The values of piece codes, for value_on(), and of those that are the least valuable, for value_of_least(). */
struct piece_values {
    lanes of_code, of_least;
};

LANES_INLINE struct piece_values piece_values_of(const int16_t v[5])
{
    const __m128i four = _mm_loadl_epi64((const __m128i *)v);
    const lanes of_type = _mm256_cvtepu16_epi32(_mm_insert_epi16(four, v[SEEBATCH_QUEEN], SEEBATCH_QUEEN));
    const lanes codes =
        _mm256_setr_epi32(7, SEEBATCH_BISHOP, SEEBATCH_ROOK, SEEBATCH_QUEEN, SEEBATCH_PAWN, SEEBATCH_KNIGHT, 7, 7);
    const lanes least =
        _mm256_setr_epi32(7, 7, SEEBATCH_QUEEN, SEEBATCH_ROOK, SEEBATCH_BISHOP, 7, SEEBATCH_KNIGHT, SEEBATCH_PAWN);
    const lanes king_or_none = _mm256_setr_epi32(0, KING_VALUE, 0, 0, 0, 0, 0, 0);
    struct piece_values t;
    t.of_code = _mm256_permutevar8x32_epi32(of_type, codes);
    t.of_least = lanes_or(_mm256_permutevar8x32_epi32(of_type, least), king_or_none);
    return t;
}

LANES_INLINE lanes value_on(const struct piece_values *t, const lanes plane[4], lanes square, lanes bit)
{
    const lanes one = lanes_all(1), two = lanes_all(2);
    const lanes bit1 = _mm256_srlv_epi64(plane[1], square);
    const lanes code = lanes_or(
        lanes_or(lanes_and(_mm256_srlv_epi64(plane[0], square), one), lanes_and(_mm256_add_epi64(bit1, bit1), two)),
        _mm256_slli_epi64(_mm256_srlv_epi64(plane[2], square), 2));
    (void)bit;
    /* The shuffle takes the low three bits of each half; the upper halves' results are cut off. */
    return _mm256_blend_epi32(_mm256_permutevar8x32_epi32(t->of_code, code), lanes_zero(), 0xaa);
}

LANES_INLINE lanes value_of_least(const struct piece_values *t, const lanes none[3])
{
    lanes index = none[0]; /* minus 4, 2 and 1 for "no"; the shuffle takes the low three bits */
    for (int i = 1; i < 3; i++)
        index = _mm256_add_epi64(_mm256_add_epi64(index, index), none[i]);
    return _mm256_permutevar8x32_epi32(t->of_least, index);
}

/* Whether no type is worth less than those before it, as see_values_are_monotonic() says it. *monotonic_lanes becomes
 * all ones if so, and otherwise 0. */
LANES_INLINE bool values_are_monotonic(const int16_t v[5], lanes *monotonic_lanes)
{
    const __m128i lower = _mm_loadl_epi64((const __m128i *)v), upper = _mm_loadl_epi64((const __m128i *)(v + 1));
    const __m128i falls = _mm_cmpgt_epi16(lower, upper);
    *monotonic_lanes = _mm256_broadcastq_epi64(_mm_cmpeq_epi64(falls, _mm_setzero_si128()));
    return _mm_movemask_epi8(falls) == 0;
}

/* ---- Pairs: two of the lanes ------------------------------------------------------------------------------------- */

typedef __m128i lane_pair;

LANES_INLINE lane_pair pair_of(int64_t a, int64_t b) { return _mm_set_epi64x(b, a); }
LANES_INLINE lane_pair pair_all(int64_t x) { return _mm_set1_epi64x(x); }
LANES_INLINE lane_pair pair_and(lane_pair a, lane_pair b) { return _mm_and_si128(a, b); }
LANES_INLINE lane_pair pair_or(lane_pair a, lane_pair b) { return _mm_or_si128(a, b); }
LANES_INLINE lane_pair pair_select(lane_pair m, lane_pair yes, lane_pair no) { return _mm_blendv_epi8(no, yes, m); }
LANES_INLINE lane_pair pair_even(lane_pair a, lane_pair b) { return _mm_unpacklo_epi64(a, b); }
LANES_INLINE lane_pair pair_odd(lane_pair a, lane_pair b) { return _mm_unpackhi_epi64(a, b); }
LANES_INLINE uint64_t pair_first(lane_pair a) { return (uint64_t)_mm_cvtsi128_si64(a); }
LANES_INLINE uint64_t pair_second(lane_pair a) { return (uint64_t)_mm_extract_epi64(a, 1); }
LANES_INLINE void pair_store(uint64_t word[2], lane_pair a) { _mm_storeu_si128((__m128i *)word, a); }

LANES_INLINE lane_pair lower_half(lanes a) { return _mm256_castsi256_si128(a); }
LANES_INLINE lane_pair upper_half(lanes a) { return _mm256_extracti128_si256(a, 1); }
LANES_INLINE lanes lanes_joined(lane_pair lower, lane_pair upper)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(lower), upper, 1);
}

LANES_INLINE lanes lower_halves(lanes a, lanes b) { return _mm256_permute2x128_si256(a, b, 0x20); }
LANES_INLINE lanes upper_halves(lanes a, lanes b) { return _mm256_permute2x128_si256(a, b, 0x31); }
LANES_INLINE lanes lanes_halves(lanes lower, lanes upper) { return _mm256_blend_epi32(lower, upper, 0xf0); }
LANES_INLINE lanes lanes_even(lanes a, lanes b) { return _mm256_unpacklo_epi64(a, b); }
LANES_INLINE lanes lanes_odd(lanes a, lanes b) { return _mm256_unpackhi_epi64(a, b); }

/* ---- Bytes and words --------------------------------------------------------------------------------------------- */

LANES_INLINE lanes bytes_all(int x) { return _mm256_set1_epi8((char)x); }
LANES_INLINE lanes bytes_equal(lanes a, lanes b) { return _mm256_cmpeq_epi8(a, b); }
LANES_INLINE lanes bytes_have_bit(lanes a, lanes bit) { return bytes_equal(lanes_and(a, bit), bit); }
LANES_INLINE lanes bytes_positive(lanes a) { return _mm256_cmpgt_epi8(a, lanes_zero()); }
LANES_INLINE lanes bytes_sub(lanes a, lanes b) { return _mm256_sub_epi8(a, b); }
LANES_INLINE lanes bytes_saturating_sub(lanes a, lanes b) { return _mm256_subs_epu8(a, b); }
LANES_INLINE lanes bytes_max(lanes a, lanes b) { return _mm256_max_epu8(a, b); }

LANES_INLINE lanes bytes_number(lanes bit0, lanes bit1, lanes bit2)
{
    return lanes_or(lanes_or(lanes_and(bit0, bytes_all(1)), lanes_and(bit1, bytes_all(2))),
                    lanes_and(bit2, bytes_all(4)));
}

LANES_INLINE lanes words_all(int x) { return _mm256_set1_epi16((int16_t)x); }
LANES_INLINE lanes words_equal(lanes a, lanes b) { return _mm256_cmpeq_epi16(a, b); }
LANES_INLINE lanes words_greater(lanes a, lanes b) { return _mm256_cmpgt_epi16(a, b); }
LANES_INLINE lanes words_sub(lanes a, lanes b) { return _mm256_sub_epi16(a, b); }
LANES_INLINE lanes words_shift_right(lanes a, int n) { return _mm256_srli_epi16(a, n); }

/* Packing puts the second and third eight bytes in each other's place; unpacking puts them back. */
LANES_INLINE lanes bytes_of_words(lanes a, lanes b) { return _mm256_packus_epi16(a, b); }
LANES_INLINE lanes bytes_of_masks(lanes a, lanes b) { return _mm256_packs_epi16(a, b); }
LANES_INLINE lanes bytes_to_words(lanes low, lanes high, int half)
{
    return half ? _mm256_unpackhi_epi8(low, high) : _mm256_unpacklo_epi8(low, high);
}
LANES_INLINE unsigned bytes_bits(lanes a) { return (unsigned)_mm256_movemask_epi8(_mm256_permute4x64_epi64(a, 0xd8)); }

/* Fills both halves with sixteen bytes. */
LANES_INLINE lanes table_of(__m128i bytes) { return _mm256_broadcastsi128_si256(bytes); }
LANES_INLINE lanes load_table(const void *bytes) { return table_of(_mm_loadu_si128((const __m128i *)bytes)); }
LANES_INLINE lanes bytes_lookup(lanes table, lanes index) { return _mm256_shuffle_epi8(table, index); }
LANES_INLINE lanes bytes_lookup_or(lanes table, lanes index, lanes other)
{
    return lanes_or(other, bytes_lookup(table, index));
}
#define bytes_table(...) table_of(_mm_setr_epi8(__VA_ARGS__))

/* Counts the bits of each lane: first those of half bytes, which are then added up. */
LANES_INLINE lanes lanes_count(lanes a)
{
    const lanes of_half = bytes_table(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4), low = bytes_all(15);
    const lanes bytes = _mm256_add_epi8(bytes_lookup(of_half, lanes_and(a, low)),
                                        bytes_lookup(of_half, lanes_and(lanes_shift_right(a, 4), low)));
    return _mm256_sad_epu8(bytes, lanes_zero());
}

/* Eight values as bytes: `low` has the lower bytes and `high` the upper ones. */
struct value_lookup {
    lanes low, high;
};

LANES_INLINE struct value_lookup make_value_lookup(int16_t v0, int16_t v1, int16_t v2, int16_t v3, int16_t v4,
                                                   int16_t v5, int16_t v6, int16_t v7)
{
    const char no = -1;
    const __m128i v = _mm_setr_epi16(v0, v1, v2, v3, v4, v5, v6, v7);
    struct value_lookup t;
    t.low = table_of(_mm_shuffle_epi8(v, _mm_setr_epi8(0, 2, 4, 6, 8, 10, 12, 14, no, no, no, no, no, no, no, no)));
    t.high = table_of(_mm_shuffle_epi8(v, _mm_setr_epi8(1, 3, 5, 7, 9, 11, 13, 15, no, no, no, no, no, no, no, no)));
    return t;
}

#define LANES_HAVE_LOAD_MOVES
LANES_INLINE void load_moves(const seebatch_move *move, size_t n, bool all, lanes half[2])
{
    if (all) {
        half[0] = lanes_load(move);
        half[1] = lanes_load(move + 16);
        return;
    }
    const int count = (int)n;
    const lanes pairs = _mm256_set1_epi32(count / 2), last = words_all(count - 1);
    const lanes last_move = words_all(move[count - 1]);
    for (int i = 0; i < 2; i++) {
        const lanes number = _mm256_add_epi16(_mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
                                              words_all(16 * i));
        const lanes pair = _mm256_add_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32(8 * i));
        half[i] = lanes_or(_mm256_maskload_epi32((const int *)move + 8 * i, _mm256_cmpgt_epi32(pairs, pair)),
                           lanes_and(words_equal(number, last), last_move));
    }
}

#endif
