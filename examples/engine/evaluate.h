/*
 * The evaluation; and the piece-square values, which the board adds up as moves are made.
 */
#ifndef EVALUATE_H
#define EVALUATE_H

#include "board.h"

/* By colour, type and square, MIDGAME and ENDGAME; negative for Black. */
extern int16_t placement_of[2][6][64][2];

/* Fills that table; once, at the start of the program. */
void evaluate_init(void);

/* The value of the position in hundredths of a pawn, from the point of view of the side to move. */
int evaluate(const struct board *board);

#endif
