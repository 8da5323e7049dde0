/*
 * Declares what the reader of chunks and tar files (lc0.c) needs of one record of Leela's training data (lc0_record.c).
 */
#ifndef SEEBATCH_IO_LC0_H
#define SEEBATCH_IO_LC0_H

#include "formats/format.h"

enum { LC0_V6 = 8356, LC0_V7 = 8396, LC0_MOST = LC0_V7 };

/* Where things stand in a record. All numbers have their least significant byte first. */
enum {
    LC0_VERSION = 0,
    LC0_INPUT = 4,
    LC0_PLANES = 7440, /* after 1,858 probabilities of moves */
    LC0_CASTLING = 8272,
    LC0_SIDE_OR_PASSED = 8276,
    LC0_RULE50,
    LC0_INVARIANCE,
    LC0_ROOT_Q = 8280,
    LC0_BEST_Q = 8284,
    LC0_PLIES_LEFT = 8304,
    LC0_RESULT_Q = 8308,
    LC0_PLAYED_Q = 8316,
    LC0_PLAYED = 8344,
    LC0_BEST = 8346
};

/* The bytes of a record that begins so; 0: it is of another version. There are four bytes at least. */
size_t seebatch_io_lc0_size(const char *bytes);

/* A float, and whether it is a number from least to most. */
bool seebatch_io_lc0_float(const char *bytes, float least, float most, float *number);

/* The position, the move played, the score and the result of a record, at a ply of its game or one after it, as who is
 * to move asks for. False, and *error, if the record is wrong. */
bool seebatch_io_lc0_unpack(const char *bytes, int32_t ply, unsigned score_at, seebatch_position *position,
                            struct record *record, seebatch_error *error);

/* The move with a number in the record's list of moves, 1,858 long. */
bool seebatch_io_lc0_move(const char *bytes, unsigned number, const seebatch_position *position, seebatch_move *move,
                          seebatch_error *error);

#endif
