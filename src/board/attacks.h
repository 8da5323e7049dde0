/*
 * Which squares a piece attacks.
 *
 * Knights, kings and pawns look theirs up: one row of 64 bytes, a cache line, for each square. The same row holds the
 * four lines through the square, without the square itself, and from those and the occupied squares the attacks of
 * sliders follow by subtraction:
 *
 *   File and diagonals. Let o be the occupied squares of the line and r the slider's bit. o - r turns every bit from r
 *   up to the next piece: those, and that piece, are the squares where o - r differs from o. Byte-swapping the board
 *   turns the line upside down, and the same subtraction then finds the downward half. (Hyperbola quintessence.)
 *
 * Rank. A byte swap does not reverse a rank. But a rank has only 64 occupations that matter, so 512 bytes hold the
 * attacks of each square of a rank for each occupation of it.
 *
 * No large table is pulled through the cache for a single exchange.
 */
#ifndef SEEBATCH_ATTACKS_H
#define SEEBATCH_ATTACKS_H

#include <stdint.h>

/* Files and ranks at the edges of the board, as sets of squares. */
#define FILE_A UINT64_C(0x0101010101010101)
#define FILE_B (FILE_A << 1)
#define FILE_G (FILE_A << 6)
#define FILE_H (FILE_A << 7)
#define RANK_1 UINT64_C(0xff)
#define RANK_2 (RANK_1 << 8)
#define RANK_7 (RANK_1 << 48)
#define RANK_8 (RANK_1 << 56)

/* The other squares, as numbers of which vectors are made. */
#define ALL_BUT(squares) ((int64_t) ~(squares))

/* Everything that depends only on a square. A vector kernel loads the first half, and reaches the rest by a shift. */
struct see_square {
    uint64_t diagonal, antidiagonal; /* lines through the square, without it, in a1-h8 and h1-a8 direction */
    uint64_t knight, king;
    uint64_t file, rank; /* lines through the square, without it */
    uint64_t pawn[2];    /* what a pawn of each colour attacks from here */
};

/* The last row, after h8, is empty. It stands for a king that is not on the board. */
extern const struct see_square seebatch_squares[65];

/* Attacks along a rank, by the file and by the occupied squares of that rank, the first and the last left out. */
extern const uint8_t seebatch_rank_attacks[8][64];

static inline uint64_t square_bb(int square) { return UINT64_C(1) << square; }

/* The lowest square of a set, which must not be empty. */
static inline int lowest_square(uint64_t set) { return __builtin_ctzll(set); }

/* Removes the lowest square of a set, which must not be empty, and returns it. */
static inline int pop_lsb(uint64_t *set)
{
    int square = __builtin_ctzll(*set);
    *set &= *set - 1;
    return square;
}

static inline uint64_t knight_attacks(int square) { return seebatch_squares[square].knight; }
static inline uint64_t king_attacks(int square) { return seebatch_squares[square].king; }

/* What a pawn of the colour attacks from the square; the pawns of that colour that attack the square stand on
 * pawn_attacks(!color, square). */
static inline uint64_t pawn_attacks(int color, int square) { return seebatch_squares[square].pawn[color]; }

/* Attacks along a line that has one square on each rank: a file or a diagonal. WebAssembly has no byte swap, and would
 * need twenty operations for it, but it can count zeros. There the nearest piece below, or the edge of the board, is
 * subtracted. */
static inline uint64_t see_steep_line(uint64_t line, uint64_t slider, uint64_t occupied)
{
    uint64_t blockers = occupied & line;
#ifdef __wasm__
    uint64_t below = blockers & (slider - 1), above = blockers ^ below;
    uint64_t lowest = UINT64_C(1) << 63 >> __builtin_clzll(below | 1);
    return (above ^ (above - lowest)) & line;
#else
    uint64_t up = blockers - slider;
    uint64_t down = __builtin_bswap64(__builtin_bswap64(blockers) - __builtin_bswap64(slider));
    return (up ^ down) & line;
#endif
}

/* Sliders attack the squares up to and including the first occupied one. It does not matter whether their own square is
 * in occupied. */
static inline uint64_t bishop_attacks(int square, uint64_t occupied)
{
    const struct see_square *s = &seebatch_squares[square];
    uint64_t slider = square_bb(square);
    return see_steep_line(s->diagonal, slider, occupied) | see_steep_line(s->antidiagonal, slider, occupied);
}

/* Attacks along the rank. */
static inline uint64_t rank_attacks(int square, uint64_t occupied)
{
    const int rank = square & 56;
    return (uint64_t)seebatch_rank_attacks[square & 7][occupied >> (rank + 1) & 63] << rank;
}

static inline uint64_t rook_attacks(int square, uint64_t occupied)
{
    const struct see_square *s = &seebatch_squares[square];
    uint64_t slider = square_bb(square);
    return see_steep_line(s->file, slider, occupied) | rank_attacks(square, occupied);
}

/* The sliders that stand on a line of the square along which they move, whatever stands in between. */
static inline uint64_t sliders_on_lines(const struct see_square *s, uint64_t diagonal, uint64_t straight)
{
    return ((s->diagonal | s->antidiagonal) & diagonal) | ((s->file | s->rank) & straight);
}

/* The squares between two different squares; none if they are not on one line. */
static inline uint64_t squares_between(int a, int b)
{
    const struct see_square *s = &seebatch_squares[a];
    const uint64_t to = square_bb(b);
    const uint64_t line = (s->file & to ? s->file : 0) | (s->rank & to ? s->rank : 0) |
                          (s->diagonal & to ? s->diagonal : 0) | (s->antidiagonal & to ? s->antidiagonal : 0);
    const uint64_t below_a = square_bb(a) - 1, below_b = to - 1;
    return line & (below_a ^ below_b) & ~square_bb(a < b ? a : b);
}

#endif
