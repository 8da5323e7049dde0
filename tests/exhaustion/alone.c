/*
 * One piece on an empty board with a king each: every square of the piece and every legal move, the kings on every pair
 * of squares where the position is sound.
 */
#include "exhaustion.h"

void alone_on_board(int type, int color, struct slice *slice, struct counts *counts)
{
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    for (int square = 0; square < 64; square++) {
        for (int kings = 0; kings < 64 * 64; kings++) {
            const int white = kings / 64, black = kings % 64;
            if (white == square || black == square || white == black || !in_slice(slice))
                continue;
            seebatch_position p = seebatch_position_empty(color);
            seebatch_put_piece(&p, square, type, color);
            seebatch_put_piece(&p, white, SEEBATCH_KING, SEEBATCH_WHITE);
            seebatch_put_piece(&p, black, SEEBATCH_KING, SEEBATCH_BLACK);
            counts->placements++;
            if (seebatch_position_check(&p, NULL) == SEEBATCH_OK)
                compare_moves(&p, moves, seebatch_legal_moves(&p, moves), counts);
        }
    }
    compare_finish(counts);
}
