/* A stand-in for the headers of an engine like Berserk: what docs/engine-recipes.md uses of them. */
#ifndef BERSERK_LIKE_H
#define BERSERK_LIKE_H

#include <stdint.h>

typedef uint64_t BitBoard;
typedef uint32_t Move;

/* a8 = 0. Twelve bitboards, of white and black in turns, and a piece, 2 * type + colour or 12, for each square. */
typedef struct {
    int stm;
    BitBoard threatened, occupancies[3], pieces[12];
    int squares[64];
} Board;

/* Moves: bits 0-5 from-square, 6-11 to-square, 12-15 piece, 16-19 what it is: castling 1, en passant 6, promotions 8 up. */
#define From(move) ((int)(move)&63)
#define To(move) ((int)(move) >> 6 & 63)
#define Moving(move) ((int)(move) >> 12 & 15)
#define IsCas(move) ((move) >> 16 == 1)
#define IsEP(move) ((move) >> 16 == 6)
#define IsPromo(move) ((move) >> 19 != 0)
#define PieceType(piece) ((piece) >> 1)

BitBoard GetPawnAttacks(int square, int color);
BitBoard GetKnightAttacks(int square);
BitBoard GetBishopAttacks(int square, BitBoard occupied);
BitBoard GetRookAttacks(int square, BitBoard occupied);
BitBoard GetKingAttacks(int square);
int SEE(Board *board, Move move, int threshold);

#endif
