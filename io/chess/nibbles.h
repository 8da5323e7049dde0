/*
 * Boards as codes of four bits, one for each occupied square in the order of the squares: taken apart into four sets of
 * squares, one for each bit of the codes, and put together again. The first 16 codes are a word, from its lowest bits on, and
 * the others another one.
 *
 * Of the means in inline_attacks.h, pext and pdep do each half of the work with an instruction for each bit. Vectors have the
 * code of each square in a byte: the number of occupied squares before it says which code it is. Loops go through the
 * pieces one by one.
 */
#ifndef SEEBATCH_NIBBLES_H
#define SEEBATCH_NIBBLES_H

#include <string.h>

#include "inline_attacks.h"

enum { MOST_NIBBLES = 32 };

EACH_PROCESSOR void spread_by_loop(const uint64_t codes[2], uint64_t occupied, uint64_t bit[4])
{
    uint64_t set[4] = {0, 0, 0, 0};
    for (unsigned i = 0; occupied != 0 && i < MOST_NIBBLES; i++, occupied &= occupied - 1) {
        const uint64_t square = occupied & (0 - occupied), code = codes[i / 16] >> 4 * (i % 16);
        for (int k = 0; k < 4; k++)
            set[k] |= square & (0 - (code >> k & 1));
    }
    memcpy(bit, set, sizeof set);
}

EACH_PROCESSOR void gather_by_loop(const uint64_t bit[4], uint64_t occupied, uint64_t codes[2])
{
    codes[0] = codes[1] = 0;
    for (unsigned i = 0; occupied != 0 && i < MOST_NIBBLES; i++, occupied &= occupied - 1) {
        const int square = __builtin_ctzll(occupied);
        uint64_t code = 0;
        for (int k = 0; k < 4; k++)
            code |= (bit[k] >> square & 1) << k;
        codes[i / 16] |= code << 4 * (i % 16);
    }
}

#ifdef __x86_64__

WITH_BITS static inline void spread_by_pdep(const uint64_t codes[2], uint64_t occupied, uint64_t bit[4])
{
    for (int k = 0; k < 4; k++) {
        const uint64_t mask = UINT64_C(0x1111111111111111) << k;
        bit[k] = _pdep_u64(_pext_u64(codes[0], mask) | _pext_u64(codes[1], mask) << 16, occupied);
    }
}

WITH_BITS static inline void gather_by_pdep(const uint64_t bit[4], uint64_t occupied, uint64_t codes[2])
{
    codes[0] = codes[1] = 0;
    for (int k = 0; k < 4; k++) {
        const uint64_t those = _pext_u64(bit[k], occupied), mask = UINT64_C(0x1111111111111111) << k;
        codes[0] |= _pdep_u64(those, mask);
        codes[1] |= _pdep_u64(those >> 16, mask);
    }
}

/* Puts each of four bytes of a word into the eight bytes of its rank. */
WITH_BITS static inline __m256i on_ranks(uint64_t bytes)
{
    const __m256i ranks = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3,
                                           3, 3, 3, 3, 3, 3);
    return _mm256_shuffle_epi8(_mm256_set1_epi32((int)(uint32_t)bytes), ranks);
}

/* All ones in the byte of each of 32 squares that is in the set. */
WITH_BITS static inline __m256i bytes_of_set(uint64_t set)
{
    const __m256i files = _mm256_set1_epi64x((long long)UINT64_C(0x8040201008040201));
    return _mm256_cmpeq_epi8(_mm256_and_si256(on_ranks(set), files), files);
}

WITH_BITS static inline void spread_by_vectors(const uint64_t codes[2], uint64_t occupied, uint64_t bit[4])
{
    const __m128i both = _mm_set_epi64x((long long)codes[1], (long long)codes[0]), four_bits = _mm_set1_epi8(15);
    const __m128i even = _mm_and_si128(both, four_bits), odd = _mm_and_si128(_mm_srli_epi16(both, 4), four_bits);
    const __m256i first = _mm256_broadcastsi128_si256(_mm_unpacklo_epi8(even, odd)),
                  second = _mm256_broadcastsi128_si256(_mm_unpackhi_epi8(even, odd));
    /* How many squares are occupied on the ranks before each rank. */
    const uint64_t pairs = occupied - (occupied >> 1 & 0x55 * SET_FILE_A),
                   fours = (pairs & 0x33 * SET_FILE_A) + (pairs >> 2 & 0x33 * SET_FILE_A),
                   before = (((fours + (fours >> 4)) & 0x0f * SET_FILE_A) * SET_FILE_A) << 8;
    memset(bit, 0, 4 * sizeof *bit);
    for (int half = 0; half < 2; half++) {
        const __m256i there = bytes_of_set(occupied >> 32 * half);
        __m256i minus = there; /* the squares up to each of a rank, as a negative number */
        minus = _mm256_add_epi8(minus, _mm256_slli_epi64(minus, 8));
        minus = _mm256_add_epi8(minus, _mm256_slli_epi64(minus, 16));
        minus = _mm256_add_epi8(minus, _mm256_slli_epi64(minus, 32));
        const __m256i place = _mm256_add_epi8(_mm256_sub_epi8(on_ranks(before >> 32 * half), minus), there);
        const __m256i found = _mm256_blendv_epi8(_mm256_shuffle_epi8(first, place), _mm256_shuffle_epi8(second, place),
                                                 _mm256_slli_epi16(place, 3)); /* from the 16th on the second */
        const __m256i code = _mm256_and_si256(found, there);
        bit[0] |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(code, 7)) << 32 * half;
        bit[1] |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(code, 6)) << 32 * half;
        bit[2] |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(code, 5)) << 32 * half;
        bit[3] |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(code, 4)) << 32 * half;
    }
}

WITH_BITS static inline void gather_by_vectors(const uint64_t bit[4], uint64_t occupied, uint64_t codes[2])
{
    __attribute__((aligned(32))) unsigned char board[64], in_order[MOST_NIBBLES] = {0};
    for (int half = 0; half < 2; half++) {
        __m256i code = _mm256_setzero_si256();
        for (int k = 0; k < 4; k++)
            code = _mm256_or_si256(
                code, _mm256_and_si256(bytes_of_set(bit[k] >> 32 * half), _mm256_set1_epi8((char)(1 << k))));
        _mm256_store_si256((__m256i *)(void *)(board + 32 * half), code);
    }
    for (int i = 0; occupied != 0 && i < MOST_NIBBLES; i++, occupied &= occupied - 1)
        in_order[i] = board[_tzcnt_u64(occupied)];
    const __m256i pairs = _mm256_maddubs_epi16(_mm256_load_si256((const __m256i *)(const void *)in_order),
                                               _mm256_set1_epi16(16 << 8 | 1));
    const __m128i bytes = _mm_packus_epi16(_mm256_castsi256_si128(pairs), _mm256_extracti128_si256(pairs, 1));
    codes[0] = (uint64_t)_mm_cvtsi128_si64(bytes);
    codes[1] = (uint64_t)_mm_extract_epi64(bytes, 1);
}

#else
#define spread_by_pdep spread_by_loop
#define spread_by_vectors spread_by_loop
#define gather_by_pdep gather_by_loop
#define gather_by_vectors gather_by_loop
#endif

/* Sets bit[k] to the squares whose code has bit k. Of a board with more than MOST_NIBBLES pieces they may be anything. */
EACH_PROCESSOR void spread_nibbles(const uint64_t codes[2], uint64_t occupied, uint64_t bit[4], enum means by)
{
    switch (by) {
    case BY_PDEP: spread_by_pdep(codes, occupied, bit); break;
    case BY_VECTORS: spread_by_vectors(codes, occupied, bit); break;
    default: spread_by_loop(codes, occupied, bit);
    }
}

/* The codes of the first MOST_NIBBLES occupied squares, and zeros after the last one. */
EACH_PROCESSOR void gather_nibbles(const uint64_t bit[4], uint64_t occupied, uint64_t codes[2], enum means by)
{
    switch (by) {
    case BY_PDEP: gather_by_pdep(bit, occupied, codes); break;
    case BY_VECTORS: gather_by_vectors(bit, occupied, codes); break;
    default: gather_by_loop(bit, occupied, codes);
    }
}

#endif
