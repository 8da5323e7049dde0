/*
 * Reads the boards of FENs, four ranks in a register. fen_avx512.c explains how the pieces are read. Whether the boards
 * are sound is found for four of them at once, by lanes/four/checks.h. board/fen_fast.c calls this by way of the kernel
 * in use.
 */
#include "board/fen_board.h"
#include "dispatch/kernel.h"

#include <immintrin.h>
#include <string.h>

enum { TEXT = 64, PART = TEXT / 2, RANK = 8 }; /* The pieces are looked for in the first TEXT bytes. */

/* Eight ranks in two registers: `low` has the first four and `high` the others. */
struct ranks {
    __m256i low, high;
};

static inline __m256i all_bytes(char c) { return _mm256_set1_epi8(c); }

static inline uint64_t mask_of(struct ranks r)
{
    return (uint32_t)_mm256_movemask_epi8(r.low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(r.high) << 32;
}

/* A text of at most TEXT bytes. `first` holds its first PART bytes and `last` its last PART bytes, which begin `later`
 * bytes after the first ones. The two may overlap. */
struct text_parts {
    __m256i first, last;
    size_t later;
};

static inline uint64_t mask_of_parts(struct text_parts text, __m256i first, __m256i last)
{
    const uint64_t low = (uint32_t)_mm256_movemask_epi8(first), high = (uint32_t)_mm256_movemask_epi8(last);
    return low | high << text.later;
}

/* Finds the bytes of a text that are less than c, as signed numbers. */
static inline uint64_t less_than(struct text_parts text, char c)
{
    return mask_of_parts(text, _mm256_cmpgt_epi8(all_bytes(c), text.first), _mm256_cmpgt_epi8(all_bytes(c), text.last));
}

static inline uint64_t equal_to(struct text_parts text, char c)
{
    return mask_of_parts(text, _mm256_cmpeq_epi8(all_bytes(c), text.first), _mm256_cmpeq_epi8(all_bytes(c), text.last));
}

/* Both functions give each byte the total of the bytes of its lane up to this one: sum_of() adds them, and joined()
 * takes the union of their bits. */
static inline __m256i sum_of(__m256i v)
{
    v = _mm256_add_epi8(v, _mm256_slli_epi64(v, 8));
    v = _mm256_add_epi8(v, _mm256_slli_epi64(v, 16));
    return _mm256_add_epi8(v, _mm256_slli_epi64(v, 32));
}

static inline __m256i joined(__m256i v)
{
    v = _mm256_or_si256(v, _mm256_slli_epi64(v, 8));
    v = _mm256_or_si256(v, _mm256_slli_epi64(v, 16));
    return _mm256_or_si256(v, _mm256_slli_epi64(v, 32));
}

/* Keeps the characters of four ranks and clears those that follow the end of a rank. */
static inline __m256i without_rest(__m256i rank)
{
    return _mm256_andnot_si256(joined(_mm256_cmpgt_epi8(all_bytes('1'), rank)), rank);
}

/* Turns four ranks into four bytes each, one for each plane. *wrong gets bits where a letter names no piece and where
 * the squares of a rank do not add up to 8. */
static inline __m256i fen_planes_of(__m256i rank, __m256i *wrong)
{
    const __m256i early = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 5, 0));
    const __m256i late = _mm256_broadcastsi128_si256(_mm_setr_epi8(4, 3, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    const __m256i bit_of_sum =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 2, 4, 8, 16, 32, 64, (char)0x80, 0, 0, 0, 0, 0, 0, 0));
    const __m256i letter = _mm256_cmpgt_epi8(rank, all_bytes('?'));
    __m256i piece = _mm256_blendv_epi8(_mm256_shuffle_epi8(early, rank), _mm256_shuffle_epi8(late, rank),
                                       _mm256_slli_epi64(rank, 3));
    piece = _mm256_and_si256(piece, letter);
    const __m256i sum = sum_of(_mm256_blendv_epi8(_mm256_subs_epu8(rank, all_bytes('0')), all_bytes(1), letter));
    const __m256i none = _mm256_and_si256(letter, _mm256_cmpeq_epi8(piece, _mm256_setzero_si256()));
    const __m256i eight =
        _mm256_and_si256(_mm256_xor_si256(sum, all_bytes(8)), _mm256_set1_epi64x((long long)(UINT64_C(0xff) << 56)));
    *wrong = _mm256_or_si256(*wrong, _mm256_or_si256(none, eight));

    const __m256i bit = _mm256_and_si256(_mm256_shuffle_epi8(bit_of_sum, sum), letter);
    const __m256i zero = _mm256_setzero_si256();
    const __m256i b0 =
        _mm256_sad_epu8(_mm256_and_si256(bit, _mm256_cmpgt_epi8(zero, _mm256_slli_epi64(piece, 7))), zero);
    const __m256i b1 =
        _mm256_sad_epu8(_mm256_and_si256(bit, _mm256_cmpgt_epi8(zero, _mm256_slli_epi64(piece, 6))), zero);
    const __m256i b2 =
        _mm256_sad_epu8(_mm256_and_si256(bit, _mm256_cmpgt_epi8(zero, _mm256_slli_epi64(piece, 5))), zero);
    const __m256i b3 =
        _mm256_sad_epu8(_mm256_andnot_si256(_mm256_cmpgt_epi8(zero, _mm256_slli_epi64(rank, 2)), bit), zero);
    return _mm256_or_si256(_mm256_or_si256(b0, _mm256_slli_epi64(b1, 8)),
                           _mm256_or_si256(_mm256_slli_epi64(b2, 16), _mm256_slli_epi64(b3, 24)));
}

/* Stores the planes. `low` has ranks 1 to 4, and `high` has ranks 5 to 8. */
static inline void store_fen_planes(__m256i low, __m256i high, uint64_t planes[4])
{
    /* Each half now has two lanes with four planes each, of ranks r and r + 4. The shuffle makes the two ranks of a
     * plane neighbours. */
    const __m256i order =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 8, 4, 12, 1, 9, 5, 13, 2, 10, 6, 14, 3, 11, 7, 15));
    const __m256i pairs = _mm256_shuffle_epi8(_mm256_or_si256(low, _mm256_slli_epi64(high, 32)), order);
    const __m128i one = _mm256_castsi256_si128(pairs), other = _mm256_extracti128_si256(pairs, 1);
    _mm_storeu_si128((__m128i *)(void *)planes, _mm_unpacklo_epi16(one, other));
    _mm_storeu_si128((__m128i *)(void *)(planes + 2), _mm_unpackhi_epi16(one, other));
}

/* Reads the pieces and returns the number of their characters, or 0 if they are not in the usual form. */
static inline size_t read_fen_pieces(const char *text, size_t readable, uint64_t planes[4])
{
    char copy[PART + RANK];
    if (readable < PART) { /* The copy ends with zeros. */
        memset(copy, 0, sizeof copy);
        memcpy(copy, text, readable);
        text = copy;
        readable = sizeof copy;
    }
    const size_t later = (readable < TEXT ? readable : (size_t)TEXT) - PART;
    const struct text_parts whole = {_mm256_loadu_si256((const __m256i *)(const void *)text),
                                     _mm256_loadu_si256((const __m256i *)(const void *)(text + later)), later};
    const uint64_t ends = less_than(whole, '1'); /* bytes from 128 on are negative */
    const uint64_t counts = less_than(whole, '9') & ~ends;
    size_t begin[9] = {0}; /* where each rank begins in the text, and where the text goes on after the last */
    uint64_t rank[8], rest = ends;
    if (_mm_popcnt_u64(ends) < 8)
        return 0;
    for (int i = 1; i <= 8; i++, rest = _blsr_u64(rest))
        begin[i] = _tzcnt_u64(rest) + 1;
    if (begin[7] + RANK > readable) /* The text is too short for what must follow the pieces. */
        return 0;
    for (int i = 0; i < 8; i++)
        memcpy(&rank[7 - i], text + begin[i], RANK);
    const size_t n = begin[8] - 1;
    const uint64_t pieces = (UINT64_C(1) << n) - 1;
    const struct ranks ranks = {
        without_rest(_mm256_set_epi64x((long long)rank[3], (long long)rank[2], (long long)rank[1], (long long)rank[0])),
        without_rest(
            _mm256_set_epi64x((long long)rank[7], (long long)rank[6], (long long)rank[5], (long long)rank[4]))};
    /* If a rank is longer than 8 characters, the registers have fewer characters than the text. */
    const __m256i zero = _mm256_setzero_si256();
    const struct ranks none = {_mm256_cmpeq_epi8(ranks.low, zero), _mm256_cmpeq_epi8(ranks.high, zero)};
    const uint64_t missing = mask_of(none);
    if (((ends ^ equal_to(whole, '/')) & pieces) || text[n] != ' ' || (counts & counts << 1 & pieces) ||
        (size_t)_mm_popcnt_u64(missing) != 64 - (n - 7))
        return 0;
    __m256i wrong = _mm256_setzero_si256();
    const __m256i low = fen_planes_of(ranks.low, &wrong), high = fen_planes_of(ranks.high, &wrong);
    if (!_mm256_testz_si256(wrong, wrong))
        return 0;
    store_fen_planes(low, high, planes);
    return n;
}

void seebatch_avx2_finish_fens(const seebatch_text *fens, size_t n, seebatch_position *positions, uint8_t *lengths)
{
    for (size_t i = seebatch_avx2_keep_sound_boards(positions, n, lengths); i < n; i++)
        lengths[i] = see_board_is_sound(&positions[i]) ? lengths[i] : 0;
    seebatch_avx2_fen_rests(fens, n, positions, lengths);
}

void seebatch_avx2_fen_boards(const seebatch_text *fens, size_t n, const char *end, seebatch_position *positions,
                              uint8_t *lengths)
{
    see_read_fen_boards(fens, n, end, positions, lengths, read_fen_pieces);
    seebatch_avx2_finish_fens(fens, n, positions, lengths);
}
