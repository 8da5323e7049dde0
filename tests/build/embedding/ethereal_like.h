/* A stand-in for the headers of an engine like Ethereal: what docs/embedding.md uses of them. */
#ifndef ETHEREAL_LIKE_H
#define ETHEREAL_LIKE_H

#include <stdint.h>

enum { WHITE, BLACK };
enum { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING };
enum { MAX_MOVES = 256 };

static const int SEEPieceValues[] = {105, 410, 430, 690, 1310, 0, 0, 0};

typedef struct Board {
    uint8_t squares[64];
    uint64_t pieces[8], colours[3];
    int turn;
} Board;

typedef struct MovePicker {
    int noisy_size, threshold;
    int values[MAX_MOVES];
    uint16_t moves[MAX_MOVES];
} MovePicker;

/* Moves: bits 0-5 from-square, 6-11 to-square, 12-13 castling 1, en passant 2, promotion 3, 14-15 promotion piece. */
enum { ENPASS_MOVE = 2 << 12 };
#define MoveTo(move) (((move) >> 6) & 63)
#define MoveType(move) ((move) & (3 << 12))
#define MIN(A, B) ((A) < (B) ? (A) : (B))
#define MAX(A, B) ((A) > (B) ? (A) : (B))

int staticExchangeEvaluation(Board *board, uint16_t move, int threshold);
void flag_bad_noisy(MovePicker *mp, Board *board);

#endif
