/* A stand-in for the headers of an engine like Ethereal: what docs/engine.md and docs/engine-recipes.md use of them. */
#ifndef ETHEREAL_LIKE_H
#define ETHEREAL_LIKE_H

#include <stdint.h>

enum { WHITE, BLACK };
enum { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING };
enum { EMPTY = 26, MAX_MOVES = 256 };

typedef struct Board {
    uint8_t squares[64]; /* 4 * type + colour, or EMPTY */
    uint64_t pieces[8], colours[3], threats;
    int turn;
} Board;

/* Moves: bits 0-5 from-square, 6-11 to-square, 12-13 castling 1, en passant 2, promotion 3, 14-15 promotion piece. */
enum { CASTLE_MOVE = 1 << 12, ENPASS_MOVE = 2 << 12, PROMOTION_MOVE = 3 << 12 };
#define MoveFrom(move) ((move)&63)
#define MoveTo(move) (((move) >> 6) & 63)
#define MoveType(move) ((move) & (3 << 12))
#define MovePromoPiece(move) (1 + ((move) >> 14))
#define MIN(A, B) ((A) < (B) ? (A) : (B))
#define MAX(A, B) ((A) > (B) ? (A) : (B))

static inline int pieceType(int piece) { return piece / 4; }
uint64_t pawnAttacks(int colour, int sq);
uint64_t knightAttacks(int sq);
uint64_t kingAttacks(int sq);
uint64_t bishopAttacks(int sq, uint64_t occupied);
uint64_t rookAttacks(int sq, uint64_t occupied);

void boardFromFEN(Board *board, const char *fen, int chess960);
void boardToFEN(Board *board, char *fen);
int ownEvaluation(Board *board, uint16_t move, int threshold);
int staticExchangeEvaluation(Board *board, uint16_t move, int threshold);
int exchangeValue(Board *board, uint16_t move);
void markGoodMoves(const Board *board, const uint16_t *list, int n, int threshold, uint64_t *good);
void recordQuestion(Board *board, uint16_t move, int threshold);
int replayQuestions(const char *path);

#endif
