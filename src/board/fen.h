/*
 * The quick way to read a FEN, between fen_quick.c and fen.c.
 */
#ifndef SEEBATCH_FEN_H
#define SEEBATCH_FEN_H

#include "seebatch.h"

/* Reads a FEN in the usual form: single blanks, castling rights as some of KQkq in that order; and makes sure that the
 * position is sound. False, *position untouched, for everything else: it may be good all the same. From text on so many
 * bytes are readable, at least length; the kernels read no further. */
bool seebatch_fen_quick(seebatch_position *position, const char *text, size_t length, size_t readable);

/* Whether a text holds EPD operations, or blanks, or nothing. */
bool seebatch_fen_operations(const char *text, size_t length);

/* Reads any FEN, or says what is wrong with it. readable as above. */
seebatch_status seebatch_fen_read(seebatch_position *position, const char *text, size_t length, size_t readable,
                                  seebatch_error *error);

#endif
