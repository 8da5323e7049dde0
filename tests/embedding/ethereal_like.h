/* A stand-in for the headers of an engine like Ethereal: what docs/embedding.md uses of them. */
#ifndef ETHEREAL_LIKE_H
#define ETHEREAL_LIKE_H

#include <stddef.h>
#include <stdint.h>

enum { WHITE, BLACK };
enum { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING };
enum { MAX_MOVES = 256 };

typedef struct Board {
    uint8_t squares[64];
    uint64_t pieces[8], colours[3];
    int turn;
} Board;

/* Moves: bits 0-5 from-square, 6-11 to-square, 12-13 castling 1, en passant 2, promotion 3, 14-15 promotion piece. */
int staticExchangeEvaluation(Board *board, uint16_t move, int threshold);
size_t badCapturesLast(Board *board, uint16_t *moves, size_t n);

#endif
