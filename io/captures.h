/*
 * The legal captures of many positions.
 */
#ifndef SEEBATCH_IO_CAPTURES_H
#define SEEBATCH_IO_CAPTURES_H

#include "seebatch.h"

/* Writes the legal captures of each position, those of seebatch_legal_captures() in any order: position i has those
 * from offsets[i] up to offsets[i + 1]. Of a position that is not in, none; in may be NULL. moves has room for
 * SEEBATCH_MAX_MOVES a position. Returns how many there are.
 *
 * by_pawn, if it is not NULL: n of them, all written. Where by_pawn[i] is true a pawn captures, no promotion nor en
 * passant, and the position may have captures that are missing. Those who only ask whether there is such a capture save
 * the others.
 *
 * checked, if it is not NULL: n of them, whether the side to move is in check; of those that are not in, too. */
size_t seebatch_io_find_captures(const seebatch_position *positions, size_t n, const bool *in, size_t *offsets,
                                 seebatch_move *moves, bool *by_pawn, bool *checked);

#endif
