/*
 * The exchange evaluation of the chess programming literature, one request at a time, as a good engine has it: the
 * measure that the library's own scalar code and its kernels are held against.
 *
 * It shares nothing with the library. It works on what an engine keeps up to date anyway: bitboards by type and by
 * colour, and the piece on each square. They are made before the timing begins, which is to its advantage.
 */
#ifndef SEEBATCH_BENCH_TEXTBOOK_H
#define SEEBATCH_BENCH_TEXTBOOK_H

#include "seebatch.h"

struct textbook_board {
    uint64_t by_type[6];  /* pawn to king */
    uint64_t by_color[2]; /* white, black */
    uint8_t type_on[64];  /* SEEBATCH_PAWN to SEEBATCH_KING, SEEBATCH_NO_PIECE */
};

/* Fills the tables of the functions below: to be called first, from one thread. */
void textbook_prepare(void);

/* A position as an engine has it. */
void textbook_board_from_position(struct textbook_board *board, const seebatch_position *position);

/* The value of a legal capture or quiet move (not castling) under the rules "swap": the swap list and its negamax.
 * value: pawn to queen. */
int textbook_value(const int16_t value[5], const struct textbook_board *board, seebatch_move move);

/* Whether it is at least the threshold: the loop that engines call see_ge. */
bool textbook_ge(const int16_t value[5], const struct textbook_board *board, seebatch_move move, int threshold);

#endif
