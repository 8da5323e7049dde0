/*
 * The tables of shuffles along rays. test_ray_tables computes the same by loops over squares and directions.
 *
 * A ray leads from a square, the target of a move or a king, to the edge of the board. Words of rays have a byte for
 * each ray, in it a bit for each square, the nearest one lowest, and in bit 7 (*) one of the knight's jumps. Seen from
 * e4:
 *
 *     8   NW3  .   .   .   N3  .   .   .           byte   0     1     2     3     4     5     6     7
 *     7    .  NW2  .   .   N2  .   .  NE2          ray    SW    S     SE    W     E     NW    N     NE
 *     6    .   .  NW1  N*  N1 NE* NE1  .           jump  -17   -15   -10    -6    +6   +10   +15   +17  (squares)
 *     5    .   .   E* NW0  N0 NE0 NW*  .
 *     4   W3  W2  W1  W0   e4 E0  E1  E2           e6 is N1: bit 1 of byte 6, bit 49 of the word.
 *     3    .   .  SE* SW0  S0 SE0  W*  .           d2 is SW*: bit 7 of byte 0.
 *     2    .   .  SW1 SW*  S1  S* SE1  .           Bits 3 to 6 of byte 0 are off the board.
 *     1    .  SW2  .   .   S2  .   .  SE2
 *          a   b   c   d   e   f   g   h
 */
#ifndef SEEBATCH_AVX512_RAY_TABLES_H
#define SEEBATCH_AVX512_RAY_TABLES_H

#include <stdint.h>

/* All rows of a table of squares, by a macro of file and rank. */
#define ROWS_OF_RANK(ROW, r) ROW(0, r), ROW(1, r), ROW(2, r), ROW(3, r), ROW(4, r), ROW(5, r), ROW(6, r), ROW(7, r)
#define ROWS_OF_SQUARES(ROW)                                                                                           \
    {                                                                                                                  \
        ROWS_OF_RANK(ROW, 0), ROWS_OF_RANK(ROW, 1), ROWS_OF_RANK(ROW, 2), ROWS_OF_RANK(ROW, 3), ROWS_OF_RANK(ROW, 4),  \
            ROWS_OF_RANK(ROW, 5), ROWS_OF_RANK(ROW, 6), ROWS_OF_RANK(ROW, 7)                                           \
    }

/* The squares of a word of rays from a square, ray by ray. Each ray has the jump first and then its squares, the most
 * distant one first, as transposed() wants them. A square on the board has 64 added, and one off the board is 0. The
 * row of e4 begins with the ray to the south-west: 64 + d2, four times 0, 64 + b1, 64 + c2, 64 + d3. */
#define RAY_SQUARE(f, r, x, y)                                                                                         \
    ((f) + (x) >= 0 && (f) + (x) < 8 && (r) + (y) >= 0 && (r) + (y) < 8 ? 64 + (f) + (x) + 8 * ((r) + (y)) : 0)
#define RAY_AND_JUMP(f, r, x, y, jump_x, jump_y)                                                                       \
    RAY_SQUARE(f, r, jump_x, jump_y), RAY_SQUARE(f, r, 7 * (x), 7 * (y)), RAY_SQUARE(f, r, 6 * (x), 6 * (y)),          \
        RAY_SQUARE(f, r, 5 * (x), 5 * (y)), RAY_SQUARE(f, r, 4 * (x), 4 * (y)), RAY_SQUARE(f, r, 3 * (x), 3 * (y)),    \
        RAY_SQUARE(f, r, 2 * (x), 2 * (y)), RAY_SQUARE(f, r, x, y)
#define RAYS_FROM(f, r)                                                                                                \
    {                                                                                                                  \
        RAY_AND_JUMP(f, r, -1, -1, -1, -2), RAY_AND_JUMP(f, r, 0, -1, 1, -2), RAY_AND_JUMP(f, r, 1, -1, -2, -1),       \
            RAY_AND_JUMP(f, r, -1, 0, 2, -1), RAY_AND_JUMP(f, r, 1, 0, -2, 1), RAY_AND_JUMP(f, r, -1, 1, 2, 1),        \
            RAY_AND_JUMP(f, r, 0, 1, -1, 2), RAY_AND_JUMP(f, r, 1, 1, 1, 2)                                            \
    }
static const uint8_t ray_squares[64][64] __attribute__((aligned(64))) = ROWS_OF_SQUARES(RAYS_FROM);

/* For a king's square and each square of the board, the number of the bit that this square has in the king's words of
 * rays. A square that is on none of his rays, and his own, has the number of a bit that is never set. From e4, the
 * number of e6 is 49. */
#define RAY_SIGN(x) (((x) > 0) - ((x) < 0))
#define RAY_TOWARDS(x, y) ((y) < 0 ? 1 + (x) : (y) > 0 ? 6 + (x) : (x) < 0 ? 3 : 4)
#define RAY_BIT(x, y)                                                                                                  \
    ((x) == 0 && (y) == 0 ? 7                                                                                          \
     : (x) == 0 || (y) == 0 || (x) == (y) || (x) == -(y)                                                               \
         ? 8 * RAY_TOWARDS(RAY_SIGN(x), RAY_SIGN(y)) - 1 + ((x) ? RAY_SIGN(x) * (x) : RAY_SIGN(y) * (y))               \
         : 7)
#define RAY_BITS_OF_RANK(f, r, y)                                                                                      \
    RAY_BIT(0 - (f), (y) - (r)), RAY_BIT(1 - (f), (y) - (r)), RAY_BIT(2 - (f), (y) - (r)),                             \
        RAY_BIT(3 - (f), (y) - (r)), RAY_BIT(4 - (f), (y) - (r)), RAY_BIT(5 - (f), (y) - (r)),                         \
        RAY_BIT(6 - (f), (y) - (r)), RAY_BIT(7 - (f), (y) - (r))
#define RAY_BITS_FROM(f, r)                                                                                            \
    {                                                                                                                  \
        RAY_BITS_OF_RANK(f, r, 0), RAY_BITS_OF_RANK(f, r, 1), RAY_BITS_OF_RANK(f, r, 2), RAY_BITS_OF_RANK(f, r, 3),    \
            RAY_BITS_OF_RANK(f, r, 4), RAY_BITS_OF_RANK(f, r, 5), RAY_BITS_OF_RANK(f, r, 6), RAY_BITS_OF_RANK(f, r, 7) \
    }
static const uint8_t ray_bits[64][64] __attribute__((aligned(64))) = ROWS_OF_SQUARES(RAY_BITS_FROM);

/* Each byte of a register has the number of the byte before it, and the first byte has its own. */
static const uint8_t byte_before[64] __attribute__((aligned(64))) = {
    0,  0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
    21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42,
    43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62};

#endif
