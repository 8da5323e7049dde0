/*
 * Reads the boards of FENs, with the eight ranks of a board side by side in a register. AVX2's code then finds for four
 * texts at once whether the boards are sound, and reads what follows the side to move. board/fen_fast.c calls this by
 * way of the kernel in use.
 *
 * Comparisons over the whole text find the ends of ranks, the digits and the letters. The characters of each rank then
 * move to a lane of eight bytes. A character stands for one square, or for as many as its digit says: the sum up to a
 * letter is the file of its piece, and the sum of the whole rank must be 8. Bits of files, added within a lane, are the
 * occupied squares of a rank. Those of the whole board spread the pieces over it, and the planes are read from the
 * result.
 *
 * All texts go through a step before any goes through the next one, so that no text waits for a step of another.
 */
#include "board/fen_board.h"
#include "dispatch/kernel.h"

#include <immintrin.h>

#define EACH_BYTE(b) (UINT64_C(0x0101010101010101) * (b))

/* The code that a piece has in the planes, with 8 added for White, by the last six bits of its letter. No piece has
 * 0. */
static const uint8_t piece_of_letter[64] = {0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 14, 0, 0, 13, 0, 12, 11, 10, 0, 0, 0,
                                            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  1, 0, 0,  0, 0,  0,  0,  0, 0, 6,
                                            0, 0, 5, 0, 4, 3, 2, 0, 0, 0, 0, 0,  0, 0, 0,  0, 0,  0,  0,  0};

/* Makes the planes. `piece` has the pieces in the places of their letters, each rank in a lane, and `sum` has the sums
 * that say on which files they stand. */
static inline void store_fen_planes(__m512i piece, __mmask64 letters, __m512i sum, uint64_t planes[4])
{
    const __m512i bit_of_sum =
        _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 2, 4, 8, 16, 32, 64, (char)0x80, 0, 0, 0, 0, 0, 0, 0));
    const __m512i ranks = _mm512_sad_epu8(_mm512_maskz_shuffle_epi8(letters, bit_of_sum, sum), _mm512_setzero_si512());
    const uint64_t occupied = (uint64_t)_mm_cvtsi128_si64(_mm512_cvtepi64_epi8(ranks));
    const __m512i board = _mm512_maskz_expand_epi8(occupied, _mm512_maskz_compress_epi8(letters, piece));
    for (int k = 0; k < 4; k++)
        planes[k] = _mm512_test_epi8_mask(board, _mm512_set1_epi8((char)(1 << k)));
}

/* Reads the pieces and returns the number of their characters, or 0 if they are not in the usual form. */
static inline size_t read_fen_pieces(const char *text, size_t readable, uint64_t planes[4])
{
    const __m512i byte_in_lane = _mm512_set1_epi64(INT64_C(0x0706050403020100));
    const __m512i lane = _mm512_set_epi64(0, EACH_BYTE(1), EACH_BYTE(2), EACH_BYTE(3), EACH_BYTE(4), EACH_BYTE(5),
                                          EACH_BYTE(6), EACH_BYTE(7)); /* the eighth rank comes first */
    const __m512i number =
        _mm512_add_epi8(byte_in_lane, _mm512_slli_epi64(_mm512_sub_epi8(_mm512_set1_epi8(7), lane), 3));
    const __m512i c = _mm512_maskz_loadu_epi8(_bzhi_u64(~UINT64_C(0), readable < 64 ? (unsigned)readable : 64u), text);
    const uint64_t ends = _mm512_cmplt_epi8_mask(c, _mm512_set1_epi8('1')); /* bytes from 128 on are negative */
    const uint64_t slashes = _mm512_cmpeq_epi8_mask(c, _mm512_set1_epi8('/'));
    const uint64_t blanks = _mm512_cmpeq_epi8_mask(c, _mm512_set1_epi8(' '));
    const uint64_t counts = _mm512_cmplt_epi8_mask(c, _mm512_set1_epi8('9')) & ~ends;

    /* Each of these has a byte for each rank: where it ends, where it begins, and how long it is. */
    const uint64_t end = (uint64_t)_mm_cvtsi128_si64(_mm512_castsi512_si128(_mm512_maskz_compress_epi8(ends, number)));
    const uint64_t begin = (end << 8) + EACH_BYTE(1) - 1, length = end - begin;
    const size_t n = end >> 56;
    const uint64_t pieces = (UINT64_C(1) << (n & 63)) - 1;
    if (_mm_popcnt_u64(ends) < 8 || ((ends ^ slashes) & pieces) || !(blanks >> (n & 63) & 1) ||
        (counts & counts << 1 & pieces) || ((length - EACH_BYTE(1)) & EACH_BYTE(0xf8)))
        return 0;

    const __m512i from = _mm512_permutexvar_epi8(lane, _mm512_castsi128_si512(_mm_cvtsi64_si128((long long)begin)));
    const __m512i lengths = _mm512_permutexvar_epi8(lane, _mm512_castsi128_si512(_mm_cvtsi64_si128((long long)length)));
    const __mmask64 there = _mm512_cmplt_epu8_mask(byte_in_lane, lengths);
    const __m512i rank = _mm512_maskz_permutexvar_epi8(there, _mm512_add_epi8(from, byte_in_lane), c);
    const __mmask64 letters = _mm512_cmpgt_epi8_mask(rank, _mm512_set1_epi8('?'));
    const __m512i piece = _mm512_maskz_permutexvar_epi8(letters, rank, _mm512_loadu_si512(piece_of_letter));
    __m512i sum = _mm512_mask_mov_epi8(_mm512_subs_epu8(rank, _mm512_set1_epi8('0')), letters, _mm512_set1_epi8(1));
    sum = _mm512_add_epi8(sum, _mm512_slli_epi64(sum, 8));
    sum = _mm512_add_epi8(sum, _mm512_slli_epi64(sum, 16));
    sum = _mm512_add_epi8(sum, _mm512_slli_epi64(sum, 32));
    const uint64_t eights = _mm512_cmpeq_epi8_mask(sum, _mm512_set1_epi8(8));
    if (_mm512_test_epi8_mask(piece, piece) != letters || (~eights & EACH_BYTE(0x80)))
        return 0;
    store_fen_planes(piece, letters, sum, planes);
    return n;
}

void seebatch_avx512_fen_boards(const seebatch_text *fens, size_t n, const char *end, seebatch_position *positions,
                                uint8_t *lengths)
{
    see_read_fen_boards(fens, n, end, positions, lengths, read_fen_pieces);
    seebatch_avx2_finish_fens(fens, n, positions, lengths);
}
