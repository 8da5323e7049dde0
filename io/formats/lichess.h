/*
 * Lichess's database of evaluations, in JSON lines (lichess.c).
 */
#ifndef SEEBATCH_IO_LICHESS_H
#define SEEBATCH_IO_LICHESS_H

#include "json_text.h"

/* Reads move and score of the record, each if it is wanted, from the value of a member "evals" of an object that was
 * read by json and is good; from none that is no list of evaluations as Lichess writes them. */
bool seebatch_io_read_lichess_evals(struct block *block, struct record *record, const seebatch_position *position,
                                    const struct json *json, const struct value *evals, unsigned wanted);

#endif
