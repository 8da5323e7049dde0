/* A stand-in for the headers of an engine like Weiss: what docs/engine-recipes.md uses of them. */
#ifndef WEISS_LIKE_H
#define WEISS_LIKE_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t Bitboard;
typedef uint32_t Move;
typedef uint32_t Square;
typedef int32_t Color, Piece, PieceType;

enum { WHITE, BLACK };
enum { ALL, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING };
enum { EMPTY, wP = 1, bP = 9 };

typedef struct Position {
    uint8_t board[64];
    Bitboard pieceBB[7], colorBB[2];
    Color stm;
} Position;

/* Moves: bits 0-5 from-square, 6-11 to-square, 20-23 promotion, 24-26 en passant, double step, castling. */
#define fromSq(move) ((move)&0x3f)
#define toSq(move) (((move)&0xfc0) >> 6)
#define moveIsSpecial(move) ((bool)((move)&0x7f00000))
#define pieceOn(sq) (pos->board[sq])
#define pieceBB(type) (pos->pieceBB[type])

static inline PieceType PieceTypeOf(Piece piece) { return piece & 7; }
Bitboard PawnAttackBB(Color color, Square sq);
Bitboard AttackBB(PieceType type, Square sq, Bitboard occupied);
bool SEE(const Position *pos, const Move move, const int threshold);

#endif
