/*
 * The engine's board: a seebatch_position, which knows the rules of chess, with what a search keeps beside it. Boards
 * are copied at every move; nothing is ever taken back.
 */
#ifndef BOARD_H
#define BOARD_H

#include "seebatch.h"

enum { MIDGAME = 0, ENDGAME = 1 };

struct board {
    seebatch_position position;
    uint64_t key;     /* for the transposition table and for repetitions */
    int placement[2]; /* pieces and where they stand, MIDGAME and ENDGAME, from White's point of view */
    int phase;        /* 24 with all pieces on the board, 0 with kings and pawns alone */
};

/* Fills the tables of this module; once, at the start of the program. */
void board_init(void);

/* Sets a board up from a sound position. */
void board_set(struct board *board, const seebatch_position *position);

/* Plays a legal move. */
void board_play(struct board *board, seebatch_move move);

/* The null move: the other side is to move. Not in check. */
void board_pass(struct board *board);

/* Whether the side to move has anything but king and pawns. */
bool board_has_pieces(const struct board *board);

/* Whether neither side can mate any more: a minor piece against the bare king, or less. */
bool board_is_dead(const struct board *board);

#endif
