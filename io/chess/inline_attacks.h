/*
 * Attacks as inline code, for loops over millions of positions that a call for each question would slow down.
 *
 * A slider attacks along four lines. There are three means to find how far, which are quick on different processors:
 *
 * - BY_LOOPS: subtracting the slider's bit from the occupied squares of a line turns every bit up to the next piece above
 *   it; below it, the next piece is the highest bit that is set. This needs no particular instructions.
 * - BY_VECTORS, with AVX2: the same for all lines in one register; below the slider it is done with the bytes in reverse
 *   order. On a rank, which lies within a byte, a table of 2 KiB says what a slider attacks.
 * - BY_PDEP: the instruction pext makes a byte of the occupied squares of a line, that table says what a slider attacks, and
 *   pdep makes squares of the line again. That takes the fewest steps one after another, where these instructions are quick.
 *
 * Code for all of them is written once, with a parameter that is a constant where everything is inlined:
 *
 *     EACH_PROCESSOR int work(..., enum means by) { ... }
 *     static int work_by_loops(...) { return work(..., BY_LOOPS); }
 *     WITH_BITS static int work_by_vectors(...) { return work(..., BY_VECTORS); }
 */
#ifndef SEEBATCH_INLINE_ATTACKS_H
#define SEEBATCH_INLINE_ATTACKS_H

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "seebatch.h"

enum means { BY_LOOPS, BY_VECTORS, BY_PDEP };

/* Inlined where it is called, so that it is compiled for that processor. */
#define EACH_PROCESSOR static inline __attribute__((always_inline))

#define SET_FILE_A UINT64_C(0x0101010101010101)
#define SET_FILE_B (SET_FILE_A << 1)
#define SET_FILE_G (SET_FILE_A << 6)
#define SET_FILE_H (SET_FILE_A << 7)
#define SET_RANK_1 UINT64_C(0xff)

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

enum { ON_FILE, ON_RANK, ON_DIAGONAL, ON_ANTIDIAGONAL, N_LINES }; /* a1-h8 and h1-a8 */

/* Holds what depends on a square alone. A row fills a cache line. */
struct square_sets {
    uint64_t line[N_LINES]; /* through the square, with it */
    uint64_t knight, king;
    uint64_t beside;       /* diagonally: where pawns of either colour go that capture */
    uint16_t row[N_LINES]; /* of the table below: the square's place in the line, times 256 */
};

#define ZERO_OR(n) ((n) > 0 ? (n) : 0)
#define LESSER(a, b) ((a) < (b) ? (a) : (b))
#define MOVED_RANKS(set, n) ((set) >> 8 * ZERO_OR(-(n)) << 8 * ZERO_OR(n))
#define KNIGHT_SET(b)                                                                                                  \
    ((b) & ~SET_FILE_H) << 17 | ((b) & ~SET_FILE_A) << 15 | ((b) & ~(SET_FILE_G | SET_FILE_H)) << 10 |                 \
        ((b) & ~(SET_FILE_A | SET_FILE_B)) << 6 | ((b) & ~SET_FILE_A) >> 17 | ((b) & ~SET_FILE_H) >> 15 |              \
        ((b) & ~(SET_FILE_A | SET_FILE_B)) >> 10 | ((b) & ~(SET_FILE_G | SET_FILE_H)) >> 6
#define KING_SET(b)                                                                                                    \
    (b) << 8 | (b) >> 8 | ((b) & ~SET_FILE_H) << 9 | ((b) & ~SET_FILE_H) << 1 | ((b) & ~SET_FILE_H) >> 7 |             \
        ((b) & ~SET_FILE_A) << 7 | ((b) & ~SET_FILE_A) >> 1 | ((b) & ~SET_FILE_A) >> 9
#define BESIDE_SET(b)                                                                                                  \
    (((b) & ~SET_FILE_H) << 9 | ((b) & ~SET_FILE_H) >> 7 | ((b) & ~SET_FILE_A) << 7 | ((b) & ~SET_FILE_A) >> 9)
#define SQUARE_SETS(f, r)                                                                                              \
    {                                                                                                                  \
        {SET_FILE_A << (f), SET_RANK_1 << 8 * (r), MOVED_RANKS(UINT64_C(0x8040201008040201), (r) - (f)),               \
         MOVED_RANKS(UINT64_C(0x0102040810204080), (r) + (f)-7)},                                                      \
            KNIGHT_SET(UINT64_C(1) << (8 * (r) + (f))), KING_SET(UINT64_C(1) << (8 * (r) + (f))),                      \
            BESIDE_SET(UINT64_C(1) << (8 * (r) + (f))),                                                                \
        {                                                                                                              \
            256 * (r), 256 * (f), 256 * LESSER(f, r), 256 * LESSER(7 - (f), r)                                         \
        }                                                                                                              \
    }
#define SETS_OF_RANK(r)                                                                                                \
    SQUARE_SETS(0, r), SQUARE_SETS(1, r), SQUARE_SETS(2, r), SQUARE_SETS(3, r), SQUARE_SETS(4, r), SQUARE_SETS(5, r),  \
        SQUARE_SETS(6, r), SQUARE_SETS(7, r)

/* The last row is that of no square, from which there is nothing to go to. */
__attribute__((aligned(64))) static const struct square_sets square_sets[65] = {
    SETS_OF_RANK(0), SETS_OF_RANK(1), SETS_OF_RANK(2),
    SETS_OF_RANK(3), SETS_OF_RANK(4), SETS_OF_RANK(5),
    SETS_OF_RANK(6), SETS_OF_RANK(7), {{0, 0, 0, 0}, 0, 0, 0, {0, 0, 0, 0}}};

/* ---- Words ------------------------------------------------------------------------------------------------------- */

#ifdef __x86_64__
#define WITH_BITS __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))

/* Attacks along a line of eight squares, by the slider's place in it and by what is occupied. */
extern __attribute__((visibility("hidden"))) const uint8_t seebatch_line_attacks[8 * 256];

WITH_BITS static inline int leading_zeros(unsigned value) { return (int)_lzcnt_u32(value); } /* of 0: 32 */

WITH_BITS static inline int trailing_zeros_by_bits(uint64_t set) { return (int)_tzcnt_u64(set); }

WITH_BITS static inline int nth_square_by_pdep(uint64_t set, int n)
{
    return (int)_tzcnt_u64(_pdep_u64(UINT64_C(1) << n, set));
}

/* How many bytes of a word are at most n, which is below 64; none is above 64. A number times SET_FILE_A is that number in each
 * byte. */
WITH_BITS static inline unsigned bytes_up_to(uint64_t sums, uint64_t n)
{
    const uint64_t high = 0x80 * SET_FILE_A;
    return (unsigned)_mm_popcnt_u64(((n * SET_FILE_A | high) - sums) & high);
}

/* Sums of the squares up to each byte say in which byte the n-th square is, and sums within that byte, where it is. */
WITH_BITS static inline int nth_square_by_counts(uint64_t set, int n)
{
    const uint64_t pairs = set - (set >> 1 & 0x55 * SET_FILE_A),
                   fours = (pairs & 0x33 * SET_FILE_A) + (pairs >> 2 & 0x33 * SET_FILE_A),
                   sums = ((fours + (fours >> 4)) & 0x0f * SET_FILE_A) * SET_FILE_A;
    const unsigned place = 8 * bytes_up_to(sums, (uint64_t)n);
    const uint64_t before = sums << 8 >> place & 255, byte = set >> place & 255;
    const uint64_t bits = byte * SET_FILE_A & UINT64_C(0x8040201008040201); /* each in a byte of its own */
    return (int)(place +
                 bytes_up_to(((bits + 0x7f * SET_FILE_A) >> 7 & SET_FILE_A) * SET_FILE_A, (uint64_t)n - before));
}

WITH_BITS static inline uint64_t attacks_on_rank(int square, uint64_t occupied)
{
    const int rank = square & 56;
    return (uint64_t)seebatch_line_attacks[square_sets[square].row[ON_RANK] + (occupied >> rank & 255)] << rank;
}

WITH_BITS static inline uint64_t attacks_on_line_by_pdep(int square, int line, uint64_t occupied)
{
    const struct square_sets *s = &square_sets[square];
    return _pdep_u64(seebatch_line_attacks[s->row[line] + _pext_u64(occupied, s->line[line])], s->line[line]);
}

WITH_BITS static inline uint64_t sliders_by_pdep(int square, uint64_t occupied, uint64_t diagonals, uint64_t lines)
{
    return ((attacks_on_line_by_pdep(square, ON_DIAGONAL, occupied) |
             attacks_on_line_by_pdep(square, ON_ANTIDIAGONAL, occupied)) &
            diagonals) |
           ((attacks_on_line_by_pdep(square, ON_FILE, occupied) | attacks_on_rank(square, occupied)) & lines);
}

WITH_BITS static inline uint64_t sliders_by_vectors(int square, uint64_t occupied, uint64_t diagonals, uint64_t lines)
{
    const __m256i reversed = _mm256_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1,
                                              0, 15, 14, 13, 12, 11, 10, 9, 8);
    const __m256i line = _mm256_load_si256((const __m256i *)(const void *)square_sets[square].line);
    const __m256i slider = _mm256_set1_epi64x((long long)(UINT64_C(1) << (square & 63)));
    const __m256i others = _mm256_andnot_si256(slider, _mm256_and_si256(line, _mm256_set1_epi64x((long long)occupied)));
    const __m256i below =
        _mm256_sub_epi64(_mm256_shuffle_epi8(others, reversed), _mm256_shuffle_epi8(slider, reversed));
    const __m256i differ = _mm256_xor_si256(_mm256_sub_epi64(others, slider), _mm256_shuffle_epi8(below, reversed));
    const __m256i which =
        _mm256_blend_epi32(_mm256_set1_epi64x((long long)lines), _mm256_set1_epi64x((long long)diagonals), 0xf0);
    /* Nothing differs on the rank, because reversed bytes leave its squares in their order. */
    const __m256i attacks = _mm256_and_si256(_mm256_and_si256(differ, which), line);
    const __m128i two = _mm_or_si128(_mm256_castsi256_si128(attacks), _mm256_extracti128_si256(attacks, 1));
    return (uint64_t)_mm_cvtsi128_si64(two) | (uint64_t)_mm_extract_epi64(two, 1) |
           (attacks_on_rank(square, occupied) & lines);
}

/* Each processor with bmi2 has lzcnt, which not every compiler can ask for. */
#define HAS_BITS                                                                                                       \
    (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&              \
     __builtin_cpu_supports("popcnt"))

/* The first two generations of Zen take pdep and pext apart into hundreds of steps. */
#define HAS_FAST_PDEP (HAS_BITS && !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2"))
#else
#define WITH_BITS
#define HAS_BITS false
#define HAS_FAST_PDEP false
#endif

static inline int nth_square_by_loop(uint64_t set, int n)
{
    while (n-- > 0)
        set &= set - 1;
    return __builtin_ctzll(set);
}

static inline uint64_t attacks_on_line_by_loop(int square, int line, uint64_t occupied)
{
    const uint64_t slider = UINT64_C(1) << square, below = slider - 1;
    const uint64_t squares = square_sets[square].line[line] & ~slider, blockers = squares & occupied;
    const uint64_t up = blockers ^ (blockers - slider);
    const uint64_t down = ~UINT64_C(0) << (63 - __builtin_clzll((blockers & below) | 1));
    return squares & ((up & ~below) | (down & below));
}

EACH_PROCESSOR uint64_t sliders_by_loops(int square, uint64_t occupied, uint64_t diagonals, uint64_t lines)
{
    return ((attacks_on_line_by_loop(square, ON_DIAGONAL, occupied) |
             attacks_on_line_by_loop(square, ON_ANTIDIAGONAL, occupied)) &
            diagonals) |
           ((attacks_on_line_by_loop(square, ON_FILE, occupied) | attacks_on_line_by_loop(square, ON_RANK, occupied)) &
            lines);
}

#ifndef __x86_64__
#define leading_zeros __builtin_clz
#define trailing_zeros_by_bits __builtin_ctzll
#define nth_square_by_pdep nth_square_by_loop
#define nth_square_by_counts nth_square_by_loop
#define sliders_by_pdep sliders_by_loops
#define sliders_by_vectors sliders_by_loops
#endif

/* Returns the number of bits that tell one of n apart from the others. For n = 0 it may be any number. */
EACH_PROCESSOR int width_of(int n, enum means by)
{
    return by != BY_LOOPS ? 32 - leading_zeros((unsigned)n - 1) : n > 1 ? 32 - __builtin_clz((unsigned)n - 1) : 0;
}

/* Of a set that is empty, any number. */
EACH_PROCESSOR int trailing_zeros(uint64_t set, enum means by)
{
    return by != BY_LOOPS ? trailing_zeros_by_bits(set) : __builtin_ctzll(set | UINT64_C(1) << 63);
}

/* The n-th square of a set that has so many, from 0. */
EACH_PROCESSOR int nth_square(uint64_t set, int n, enum means by)
{
    return by == BY_PDEP      ? nth_square_by_pdep(set, n)
           : by == BY_VECTORS ? nth_square_by_counts(set, n)
                              : nth_square_by_loop(set, n);
}

/* From a slider up to the first occupied square on either side, of those on diagonals and of those on its file and rank
 * what is in a set for each. */
EACH_PROCESSOR uint64_t sliders(int square, uint64_t occupied, uint64_t diagonals, uint64_t lines, enum means by)
{
    switch (by) {
    case BY_PDEP: return sliders_by_pdep(square, occupied, diagonals, lines);
    case BY_VECTORS: return sliders_by_vectors(square, occupied, diagonals, lines);
    default: return sliders_by_loops(square, occupied, diagonals, lines);
    }
}

/* Returns what a pawn of a colour on a square attacks. */
EACH_PROCESSOR uint64_t attacks_of_pawn(int square, int color)
{
    const uint64_t pawn = UINT64_C(1) << (square & 63);
    return square_sets[square].beside & (color == SEEBATCH_WHITE ? 0 - pawn : pawn - 1);
}

/* Finds the pieces of a set, all of one colour, that attack a square. The planes are those of a seebatch_position. */
EACH_PROCESSOR uint64_t attackers_among(const uint64_t plane[3], uint64_t set, int color, int square, uint64_t occupied,
                                        enum means by)
{
    const uint64_t far = set & ~plane[2], others = set & plane[2];
    const uint64_t pawns = others & ~(plane[0] | plane[1]);
    return sliders(square, occupied, far & plane[0], far & plane[1], by) |
           (square_sets[square].knight & others & plane[0]) | (square_sets[square].king & others & plane[1]) |
           (attacks_of_pawn(square, !color) & pawns);
}

#endif
