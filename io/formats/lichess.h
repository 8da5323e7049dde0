/*
 * Lichess's database of evaluations, in JSON lines (lichess.c).
 */
#ifndef SEEBATCH_IO_LICHESS_H
#define SEEBATCH_IO_LICHESS_H

#include "json_text.h"

/* Whether the value of a member "evals" is a list of evaluations as Lichess writes them. The object was read by json,
 * and is good. */
bool seebatch_io_is_lichess_evals(const struct json *json, const struct value *evals);

/* Reads move and score of the record from such a list, each if it is wanted. */
bool seebatch_io_read_lichess_evals(struct block *block, struct record *record, const seebatch_position *position,
                                    const struct json *json, const struct value *evals, unsigned wanted);

#endif
