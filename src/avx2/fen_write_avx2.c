/*
 * Writes the pieces of a FEN, all ranks at once: it makes the letters and numbers of all squares, and then closes the
 * gaps. board/fen_write.c calls this by way of the kernel in use.
 *
 * A square has a byte and a rank a lane of eight bytes, the eighth rank first. The bits of the planes, spread to bytes,
 * give each piece its letter. The byte of an empty square counts the empty squares from there to the next piece, and it
 * is written only where the square before it is not empty. All other bytes are left out: each byte that stays moves
 * forward by the number of bytes that are left out before it, by 1, 2 and 4 in turn.
 */
#include "board/attacks.h"
#include "dispatch/kernel.h"

#include <immintrin.h>
#include <string.h>

/* Makes a byte of each of 32 bits: all ones where the bit is set, and zeros elsewhere. */
static inline __m256i spread(uint64_t bits)
{
    const __m256i source =
        _mm256_setr_epi64x(0, INT64_C(0x0101010101010101), INT64_C(0x0202020202020202), INT64_C(0x0303030303030303));
    const __m256i bit = _mm256_set1_epi64x((long long)UINT64_C(0x8040201008040201));
    const __m256i bytes = _mm256_shuffle_epi8(_mm256_set1_epi32((int)(uint32_t)bits), source);
    return _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit), bit);
}

static inline __m256i each_byte(int c) { return _mm256_set1_epi8((char)c); }

static inline __m256i letters_of(const uint64_t plane[4])
{
    const __m256i letters = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(' ', 'b', 'r', 'q', 'p', 'n', 'k', ' ', ' ', 'B', 'R', 'Q', 'P', 'N', 'K', ' '));
    const __m256i low = _mm256_or_si256(_mm256_and_si256(spread(plane[0]), each_byte(1)),
                                        _mm256_and_si256(spread(plane[1]), each_byte(2)));
    const __m256i high = _mm256_or_si256(_mm256_and_si256(spread(plane[2]), each_byte(4)),
                                         _mm256_and_si256(spread(plane[3]), each_byte(8)));
    return _mm256_shuffle_epi8(letters, _mm256_or_si256(low, high));
}

/* Lets the runs of empty squares, which were counted up to k so far, count up to 2k. */
#define COUNT_ON(run, k)                                                                                               \
    _mm256_add_epi8(run, _mm256_and_si256(_mm256_srli_epi64(run, 8 * (k)), _mm256_cmpeq_epi8(run, each_byte(k))))

/* Moves the bytes whose distance has the given bit, which is worth k, down by k. */
#define MOVE_DOWN(v, distance, bit, k)                                                                                 \
    do {                                                                                                               \
        const __m256i far = _mm256_cmpgt_epi8(_mm256_setzero_si256(), _mm256_slli_epi16(distance, 7 - (bit)));         \
        v = _mm256_or_si256(_mm256_andnot_si256(far, v), _mm256_srli_epi64(_mm256_and_si256(far, v), 8 * (k)));        \
        distance = _mm256_or_si256(_mm256_andnot_si256(far, distance),                                                 \
                                   _mm256_srli_epi64(_mm256_and_si256(far, distance), 8 * (k)));                       \
    } while (0)

/* Writes four ranks, each from the first byte of its lane on. */
static inline __m256i write_ranks(const uint64_t plane[4], uint64_t pieces)
{
    const __m256i there = spread(pieces), empty = _mm256_add_epi8(there, each_byte(1));
    __m256i run = COUNT_ON(empty, 1);
    run = COUNT_ON(run, 2);
    run = COUNT_ON(run, 4);
    const __m256i gone = _mm256_and_si256(empty, _mm256_slli_epi64(empty, 8));
    __m256i distance = _mm256_add_epi8(gone, _mm256_slli_epi64(gone, 8));
    distance = _mm256_add_epi8(distance, _mm256_slli_epi64(distance, 16));
    distance = _mm256_add_epi8(distance, _mm256_slli_epi64(distance, 32));
    const __m256i stays = _mm256_sub_epi8(gone, each_byte(1));
    __m256i v = _mm256_blendv_epi8(_mm256_add_epi8(run, each_byte('0')), letters_of(plane), there);
    v = _mm256_and_si256(v, stays);
    distance = _mm256_and_si256(distance, stays);
    MOVE_DOWN(v, distance, 0, 1);
    MOVE_DOWN(v, distance, 1, 2);
    MOVE_DOWN(v, distance, 2, 4);
    return v;
}

char *seebatch_avx2_write_pieces(const seebatch_position *position, char *out)
{
    enum { FILES = 8 };
    const uint64_t first = __builtin_bswap64(position->plane[0]), second = __builtin_bswap64(position->plane[1]),
                   third = __builtin_bswap64(position->plane[2]), white = __builtin_bswap64(position->white);
    const uint64_t pieces = (first | second | third) & ~(first & second & third);
    const uint64_t plane[4] = {first, second, third, white};
    const uint64_t later[4] = {first >> 32, second >> 32, third >> 32, white >> 32};
    const uint64_t characters = pieces | (~pieces & (pieces << 1 | FILE_A));
    char ranks[8 * FILES];
    _mm256_storeu_si256((__m256i *)(void *)ranks, write_ranks(plane, pieces));
    _mm256_storeu_si256((__m256i *)(void *)(ranks + 4 * FILES), write_ranks(later, pieces >> 32));
    for (int i = 0; i < 8; i++) {
        memcpy(out, ranks + FILES * i, FILES);
        out += _mm_popcnt_u64(characters >> 8 * i & 0xff);
        *out++ = '/';
    }
    out[-1] = ' ';
    return out;
}
