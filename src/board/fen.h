/*
 * The quick way to read a FEN, between fen_quick.c and fen.c.
 */
#ifndef SEEBATCH_FEN_H
#define SEEBATCH_FEN_H

#include "seebatch.h"

/* Reads pieces, side to move, castling rights (KQkq), en passant square and, where they are there, both clocks, single
 * blanks between them, and makes sure that the position is sound. Returns how many characters that were: what follows,
 * if anything, begins with a blank and is the caller's to read. Returns 0, *position in any state, for everything else:
 * it may be good all the same. */
size_t seebatch_fen_quick(seebatch_position *position, const char *text, size_t length);

#endif
