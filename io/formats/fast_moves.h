/*
 * Finds and plays the usual moves of games quickly. The readers of games, of lines with moves, and of binary games
 * try these functions first.
 */
#ifndef SEEBATCH_IO_FAST_MOVES_H
#define SEEBATCH_IO_FAST_MOVES_H

#include "bulk_records.h"

/* Each plays a move, as seebatch_play() does, if it is legal, and neither castling nor a promotion nor en passant.
 * False says nothing: the position is as before, and the slower functions of the library say what the move is. */

bool seebatch_io_play_fast(seebatch_position *position, int from, int to);

/* A move in SAN, such as e4, exd5, Nf3+ or R1xa3. */
bool seebatch_io_play_san_fast(seebatch_position *position, const char *text, size_t length, seebatch_move *move);

/* Does the same without playing it, for a move in UCI notation or in SAN, like seebatch_move_from_text(). */
bool seebatch_io_find_move_fast(const seebatch_position *position, const char *text, size_t length,
                                seebatch_move *move);

/* The same for the first text of n records; those whose move was found have it then. */
void seebatch_io_find_moves_fast(const seebatch_position *positions, const struct usual *usual, size_t n,
                                 struct record *records);

/* The same, of those that are four characters of UCI notation, many at once; where HAS_BITS says so. Returns how
 * many were found. */
size_t seebatch_io_find_uci_moves(const seebatch_position *positions, const struct usual *usual, size_t n,
                                  struct record *records);

#endif
