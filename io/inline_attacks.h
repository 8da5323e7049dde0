/*
 * Attacks as inline code, for loops over millions of positions that a call for each question would slow down.
 *
 * A slider attacks along four lines. There are two ways to find how far. With the instructions of BMI2 the occupied
 * squares of a line become a byte, a table of 2 KiB says what a slider attacks there, and that byte becomes squares of
 * the line again. Without them, subtracting the slider's bit from the occupied squares of the line turns every bit up
 * to the next piece above it; below it, the next piece is the highest bit that is set.
 *
 * Code for both is written once, with a parameter `bits` that is a constant where everything is inlined:
 *
 *     EACH_PROCESSOR int work(..., bool bits) { ... }
 *     static int work_by_loops(...) { return work(..., false); }
 *     WITH_BITS static int work_by_bits(...) { return work(..., true); }
 */
#ifndef SEEBATCH_INLINE_ATTACKS_H
#define SEEBATCH_INLINE_ATTACKS_H

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "seebatch.h"

/* Inlined where it is called, so that it is compiled for that processor. */
#define EACH_PROCESSOR static inline __attribute__((always_inline))

#define SET_FILE_A UINT64_C(0x0101010101010101)
#define SET_FILE_B (SET_FILE_A << 1)
#define SET_FILE_G (SET_FILE_A << 6)
#define SET_FILE_H (SET_FILE_A << 7)
#define SET_RANK_1 UINT64_C(0xff)

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

enum { ON_FILE, ON_RANK, ON_DIAGONAL, ON_ANTIDIAGONAL, N_LINES }; /* a1-h8 and h1-a8 */

/* What depends on a square alone; a row fills a cache line. */
struct square_sets {
    uint64_t line[N_LINES]; /* through the square, with it */
    uint64_t knight, king;
    uint16_t row[N_LINES]; /* of the table below: the square's place in the line, times 256 */
    uint64_t unused;
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
#define SQUARE_SETS(f, r)                                                                                              \
    {                                                                                                                  \
        {SET_FILE_A << (f), SET_RANK_1 << 8 * (r), MOVED_RANKS(UINT64_C(0x8040201008040201), (r) - (f)),               \
         MOVED_RANKS(UINT64_C(0x0102040810204080), (r) + (f)-7)},                                                      \
            KNIGHT_SET(UINT64_C(1) << (8 * (r) + (f))), KING_SET(UINT64_C(1) << (8 * (r) + (f))),                      \
            {256 * (r), 256 * (f), 256 * LESSER(f, r), 256 * LESSER(7 - (f), r)}, 0                                    \
    }
#define SETS_OF_RANK(r)                                                                                                \
    SQUARE_SETS(0, r), SQUARE_SETS(1, r), SQUARE_SETS(2, r), SQUARE_SETS(3, r), SQUARE_SETS(4, r), SQUARE_SETS(5, r),  \
        SQUARE_SETS(6, r), SQUARE_SETS(7, r)

/* The last row is that of no square, from which there is nothing to go to. */
__attribute__((aligned(64))) static const struct square_sets square_sets[65] = {
    SETS_OF_RANK(0), SETS_OF_RANK(1), SETS_OF_RANK(2),
    SETS_OF_RANK(3), SETS_OF_RANK(4), SETS_OF_RANK(5),
    SETS_OF_RANK(6), SETS_OF_RANK(7), {{0, 0, 0, 0}, 0, 0, {0, 0, 0, 0}, 0}};

/* ---- Words ------------------------------------------------------------------------------------------------------- */

#ifdef __x86_64__
#define WITH_BITS __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))

/* Attacks along a line of eight squares, by the slider's place in it and by what is occupied. */
extern __attribute__((visibility("hidden"))) const uint8_t seebatch_line_attacks[8 * 256];

WITH_BITS static inline int leading_zeros(unsigned value) { return (int)_lzcnt_u32(value); } /* of 0: 32 */

WITH_BITS static inline int trailing_zeros_by_bits(uint64_t set) { return (int)_tzcnt_u64(set); }

WITH_BITS static inline int nth_square_by_bits(uint64_t set, int n)
{
    return (int)_tzcnt_u64(_pdep_u64(UINT64_C(1) << n, set));
}

WITH_BITS static inline uint64_t attacks_on_line_by_bits(int square, int line, uint64_t occupied)
{
    const struct square_sets *s = &square_sets[square];
    if (line == ON_RANK) { /* a byte already */
        const int rank = square & 56;
        return (uint64_t)seebatch_line_attacks[s->row[line] + (occupied >> rank & 255)] << rank;
    }
    return _pdep_u64(seebatch_line_attacks[s->row[line] + _pext_u64(occupied, s->line[line])], s->line[line]);
}

/* The bits of a set that stand on squares of another, one behind the other in every fourth bit: those of the first 16
 * squares, or of the 16 behind them. */
WITH_BITS static inline uint64_t nibble_bits(uint64_t set, uint64_t squares, int half)
{
    return _pdep_u64(_pext_u64(set, squares) >> 16 * half, UINT64_C(0x1111111111111111));
}

/* The first two generations of Zen take pdep apart into hundreds of steps. Each processor with bmi2 has lzcnt, which
 * not every compiler can ask for. */
#define HAS_FAST_BITS                                                                                                  \
    (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&              \
     __builtin_cpu_supports("popcnt") && !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2"))
#else
#define WITH_BITS
#define HAS_FAST_BITS false
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

#ifndef __x86_64__
#define leading_zeros __builtin_clz
#define trailing_zeros_by_bits __builtin_ctzll
#define nibble_bits(set, squares, half) 0
#define nth_square_by_bits nth_square_by_loop
#define attacks_on_line_by_bits attacks_on_line_by_loop
#endif

/* How many bits tell one of n apart from the others; of 0, any number. */
EACH_PROCESSOR int width_of(int n, bool bits)
{
    return bits ? 32 - leading_zeros((unsigned)n - 1) : n > 1 ? 32 - __builtin_clz((unsigned)n - 1) : 0;
}

/* Of a set that is empty, any number. */
EACH_PROCESSOR int trailing_zeros(uint64_t set, bool bits)
{
    return bits ? trailing_zeros_by_bits(set) : __builtin_ctzll(set | UINT64_C(1) << 63);
}

/* The n-th square of a set that has so many, from 0. */
EACH_PROCESSOR int nth_square(uint64_t set, int n, bool bits)
{
    return bits ? nth_square_by_bits(set, n) : nth_square_by_loop(set, n);
}

/* From a slider up to the first occupied square on either side. */
EACH_PROCESSOR uint64_t attacks_on_line(int square, int line, uint64_t occupied, bool bits)
{
    return bits ? attacks_on_line_by_bits(square, line, occupied) : attacks_on_line_by_loop(square, line, occupied);
}

EACH_PROCESSOR uint64_t attacks_on_diagonals(int square, uint64_t occupied, bool bits)
{
    return attacks_on_line(square, ON_DIAGONAL, occupied, bits) |
           attacks_on_line(square, ON_ANTIDIAGONAL, occupied, bits);
}

EACH_PROCESSOR uint64_t attacks_on_file_and_rank(int square, uint64_t occupied, bool bits)
{
    return attacks_on_line(square, ON_FILE, occupied, bits) | attacks_on_line(square, ON_RANK, occupied, bits);
}

/* What the pawns of a set attack. */
EACH_PROCESSOR uint64_t attacks_of_pawns(uint64_t pawns, int color)
{
    const uint64_t east = pawns & ~SET_FILE_H, west = pawns & ~SET_FILE_A;
    return color == SEEBATCH_WHITE ? east << 9 | west << 7 : east >> 7 | west >> 9;
}

/* The pieces of a set, all of one colour, that attack a square; planes as in a seebatch_position. */
EACH_PROCESSOR uint64_t attackers_among(const uint64_t plane[3], uint64_t set, int color, int square, uint64_t occupied,
                                        bool bits)
{
    const uint64_t sliders = set & ~plane[2], others = set & plane[2];
    const uint64_t pawns = others & ~(plane[0] | plane[1]);
    return (attacks_on_diagonals(square, occupied, bits) & sliders & plane[0]) |
           (attacks_on_file_and_rank(square, occupied, bits) & sliders & plane[1]) |
           (square_sets[square].knight & others & plane[0]) | (square_sets[square].king & others & plane[1]) |
           (attacks_of_pawns(UINT64_C(1) << square, !color) & pawns);
}

#endif
