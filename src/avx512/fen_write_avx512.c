/*
 * Writes the pieces of a FEN, all squares at once, with a byte for each square and the eighth rank first.
 * board/fen_write.c calls this by way of the kernel in use.
 *
 * The byte of a piece is its letter, and the byte of an empty square counts the empty squares from there to the next
 * piece. The ends of ranks are put in between, four ranks in a register. Then the bytes that a FEN does not have are
 * left out: the counts after the first of the empty squares that are counted together.
 */
#include "board/attacks.h"
#include "dispatch/kernel.h"

#include <immintrin.h>

/* Where the squares of four ranks lie in the text, and where their ends lie: nine bytes for each rank. */
#define RANKS_APART UINT64_C(0x7fbfdfeff)
#define RANK_ENDS UINT64_C(0x804020100)

static inline __m512i letters_of(uint64_t first, uint64_t second, uint64_t third, uint64_t white)
{
    const __m512i letters = _mm512_broadcast_i32x4(
        _mm_setr_epi8(' ', 'b', 'r', 'q', 'p', 'n', 'k', ' ', ' ', 'B', 'R', 'Q', 'P', 'N', 'K', ' '));
    __m512i code = _mm512_maskz_set1_epi8(first, 1);
    code = _mm512_or_si512(code, _mm512_maskz_set1_epi8(second, 2));
    code = _mm512_or_si512(code, _mm512_maskz_set1_epi8(third, 4));
    code = _mm512_or_si512(code, _mm512_maskz_set1_epi8(white, 8));
    return _mm512_shuffle_epi8(letters, code);
}

/* Counts for each square the empty ones from there to the next piece or the end of the rank: these are the zeros below
 * the lowest bit of the rank when it is shifted down to the square and has ones above it. */
static inline __m512i numbers_of(uint64_t pieces)
{
    const __m512i ranks =
        _mm512_or_si512(_mm512_cvtepu8_epi64(_mm_cvtsi64_si128((long long)pieces)), _mm512_set1_epi64(0xff00));
    const __m512i from_here = _mm512_multishift_epi64_epi8(_mm512_set1_epi64(INT64_C(0x0706050403020100)), ranks);
    const __m512i below = _mm512_andnot_si512(from_here, _mm512_sub_epi8(from_here, _mm512_set1_epi8(1)));
    return _mm512_add_epi8(_mm512_popcnt_epi8(below), _mm512_set1_epi8('0'));
}

/* Writes four ranks from the bytes of all squares, those bytes that stay, and returns the end of the text. */
static inline char *write_ranks(__m512i squares, int rank, uint64_t stay, char *out)
{
    static const uint8_t apart[64] = {0,  1,  2,  3,  4,  5,  6,  7,  0, 8,  9,  10, 11, 12, 13, 14, 15, 0,
                                      16, 17, 18, 19, 20, 21, 22, 23, 0, 24, 25, 26, 27, 28, 29, 30, 31};
    const __m512i from = _mm512_add_epi8(_mm512_loadu_si512(apart), _mm512_set1_epi8((char)(8 * rank)));
    const __m512i text = _mm512_mask_permutexvar_epi8(_mm512_set1_epi8('/'), RANKS_APART, from, squares);
    const uint64_t characters = _pdep_u64(stay >> 8 * rank, RANKS_APART) | RANK_ENDS;
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi8(characters, text));
    return out + _mm_popcnt_u64(characters);
}

char *seebatch_avx512_write_pieces(const seebatch_position *position, char *out)
{
    const uint64_t first = __builtin_bswap64(position->plane[0]), second = __builtin_bswap64(position->plane[1]),
                   third = __builtin_bswap64(position->plane[2]), white = __builtin_bswap64(position->white);
    const uint64_t pieces = (first | second | third) & ~(first & second & third);
    const uint64_t stay = pieces | (~pieces & (pieces << 1 | FILE_A));
    const __m512i squares = _mm512_mask_mov_epi8(numbers_of(pieces), pieces, letters_of(first, second, third, white));
    out = write_ranks(squares, 0, stay, out);
    out = write_ranks(squares, 4, stay, out);
    out[-1] = ' ';
    return out;
}
