/* A stand-in for the headers of an engine like Demolito: what docs/engine-recipes.md uses of them. */
#ifndef DEMOLITO_LIKE_H
#define DEMOLITO_LIKE_H

#include <stdint.h>

typedef uint64_t bitboard_t;
typedef uint16_t
    move_t; /* bits 0-5 from-square, 6-11 to-square, 12-14 the promotion, 6 if none; castling takes the rook */

enum { KNIGHT, BISHOP, ROOK, QUEEN, KING, PAWN, NB_PIECE };

typedef struct {
    bitboard_t byColor[2], byPiece[6], attacked;
    uint8_t pieceOn[64];
    int turn, epSquare;
} Position;

extern bitboard_t PawnAttacks[2][64], KnightAttacks[64], KingAttacks[64];

static inline int move_from(move_t m) { return m & 63; }
static inline int move_to(move_t m) { return m >> 6 & 63; }
static inline int move_prom(move_t m) { return m >> 12; }
bitboard_t bb_bishop_attacks(int square, bitboard_t occupied);
bitboard_t bb_rook_attacks(int square, bitboard_t occupied);
int pos_see(const Position *pos, move_t m);

#endif
