/*
 * The 32-byte record of marlinformat, which is also the head of a game in viriformat.
 */
#ifndef SEEBATCH_IO_MARLINFORMAT_H
#define SEEBATCH_IO_MARLINFORMAT_H

#include "packed_board.h"

/* A record of marlinformat: the position, which has passed seebatch_position_check(), and the record's score and
 * result, and FIELD_UNUSED_BITS if bits that mean nothing are not 0. False, and error filled, if it is none. */
bool seebatch_io_unpack_marlin(const char *bytes, seebatch_position *position, struct record *record,
                               seebatch_error *error);

/* Writes one; false, and *why, if it cannot hold the position or the score. */
bool seebatch_io_pack_marlin(char *bytes, const struct record *record, const seebatch_position *position,
                             const char **why);

#endif
