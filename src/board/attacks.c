/*
 * The table of attacks.h, written out by the preprocessor: every entry is a constant expression in its square.
 */
#include "position.h"

#include <assert.h>

#define DIAGONAL UINT64_C(0x8040201008040201)     /* a1-h8 */
#define ANTIDIAGONAL UINT64_C(0x0102040810204080) /* h1-a8 */

#define ABOVE_ZERO(n) ((n) > 0 ? (n) : 0)

/* A line moved by n ranks, up where n > 0. What leaves the board is lost. */
#define MOVED(line, n) ((line) >> 8 * ABOVE_ZERO(-(n)) << 8 * ABOVE_ZERO(n))

/* The square's bit is b, its file f and its rank r. Steps first leave out the squares from which they would wrap
 * around. */
#define DIAGONAL_OF(b, f, r) (MOVED(DIAGONAL, (r) - (f)) & ~(b))
#define ANTIDIAGONAL_OF(b, f, r) (MOVED(ANTIDIAGONAL, (r) + (f)-7) & ~(b))
#define KNIGHT_OF(b)                                                                                                   \
    (((b) & ~FILE_H) << 17 | ((b) & ~FILE_A) << 15 | ((b) & ~(FILE_G | FILE_H)) << 10 |                                \
     ((b) & ~(FILE_A | FILE_B)) << 6 | ((b) & ~FILE_A) >> 17 | ((b) & ~FILE_H) >> 15 |                                 \
     ((b) & ~(FILE_A | FILE_B)) >> 10 | ((b) & ~(FILE_G | FILE_H)) >> 6)
#define KING_OF(b)                                                                                                     \
    ((b) << 8 | (b) >> 8 | ((b) & ~FILE_H) << 9 | ((b) & ~FILE_H) << 1 | ((b) & ~FILE_H) >> 7 | ((b) & ~FILE_A) << 7 | \
     ((b) & ~FILE_A) >> 1 | ((b) & ~FILE_A) >> 9)
#define FILE_OF(b, f) ((FILE_A << (f)) & ~(b))
#define RANK_OF(b, r) ((RANK_1 << 8 * (r)) & ~(b))
#define WHITE_PAWN_OF(b) (((b) & ~FILE_H) << 9 | ((b) & ~FILE_A) << 7)
#define BLACK_PAWN_OF(b) (((b) & ~FILE_H) >> 7 | ((b) & ~FILE_A) >> 9)

/* The entries are in the order of struct see_square. */
#define ROW(b, f, r)                                                                                                   \
    {                                                                                                                  \
        DIAGONAL_OF(b, f, r), ANTIDIAGONAL_OF(b, f, r), KNIGHT_OF(b), KING_OF(b), FILE_OF(b, f), RANK_OF(b, r),        \
        {                                                                                                              \
            WHITE_PAWN_OF(b), BLACK_PAWN_OF(b)                                                                         \
        }                                                                                                              \
    }

#define SQUARE(f, r) ROW(UINT64_C(1) << (8 * (r) + (f)), f, r)
#define RANK(r)                                                                                                        \
    SQUARE(0, r), SQUARE(1, r), SQUARE(2, r), SQUARE(3, r), SQUARE(4, r), SQUARE(5, r), SQUARE(6, r), SQUARE(7, r)

/* A row starts a cache line. */
__attribute__((aligned(64))) const struct see_square seebatch_squares[65] = {
    RANK(0), RANK(1), RANK(2), RANK(3), RANK(4), RANK(5), RANK(6), RANK(7), {0, 0, 0, 0, 0, 0, {0, 0}}};

/*
 * These are ranks. `above` and `below` are the occupied squares on either side of the square with the bit s, and the
 * edges of the board count as occupied. 2 * (the nearest above) - (the nearest below) has exactly the bits from the one
 * to the other.
 */
#define LOWEST(set) ((set) & (0 - (set)))
#define HIGHEST(set) ((set)&64 ? 64 : (set)&32 ? 32 : (set)&16 ? 16 : (set)&8 ? 8 : (set)&4 ? 4 : (set)&2 ? 2 : (set)&1)
#define UP_TO(s, occupied) ((s) == 128 ? 128 : LOWEST(((occupied) | 128) & (0 - 2 * (s))))
#define DOWN_TO(s, occupied) ((s) == 1 ? 1 : HIGHEST(((occupied) | 1) & ((s)-1)))
#define BETWEEN_EDGES(s, inner) (2 * UP_TO(s, 2 * (inner)) - DOWN_TO(s, 2 * (inner))) & ~(s)&255

#define RANK_4(s, i) BETWEEN_EDGES(s, i), BETWEEN_EDGES(s, i + 1), BETWEEN_EDGES(s, i + 2), BETWEEN_EDGES(s, i + 3)
#define RANK_16(s, i) RANK_4(s, i), RANK_4(s, i + 4), RANK_4(s, i + 8), RANK_4(s, i + 12)
#define RANK_64(s)                                                                                                     \
    {                                                                                                                  \
        RANK_16(s, 0), RANK_16(s, 16), RANK_16(s, 32), RANK_16(s, 48)                                                  \
    }

const uint8_t seebatch_rank_attacks[8][64] = {RANK_64(1),  RANK_64(2),  RANK_64(4),  RANK_64(8),
                                              RANK_64(16), RANK_64(32), RANK_64(64), RANK_64(128)};

uint64_t seebatch_attacks(int type, int color, int square, uint64_t occupied)
{
    assert(square >= 0 && square < 64 && (color == SEEBATCH_WHITE || color == SEEBATCH_BLACK));
    return type == SEEBATCH_PAWN ? pawn_attacks(color, square) : piece_attacks(type, square, occupied);
}

uint64_t seebatch_attackers(const seebatch_position *position, int square, int color, uint64_t occupied)
{
    assert(square >= 0 && square < 64 && (color == SEEBATCH_WHITE || color == SEEBATCH_BLACK));
    return attackers_of_color(position, square, color, occupied);
}
