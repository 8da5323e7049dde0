/*
 * Reads the evaluations of Lichess's database from an object of JSON lines. jsonl_object.c calls it.
 */
#ifndef SEEBATCH_IO_LICHESS_H
#define SEEBATCH_IO_LICHESS_H

#include "json_text.h"

/* The first variation of the deepest evaluation of a list, where it was found. */
struct evaluation {
    bool found, cp; /* a score is centipawns, or moves to mate */
    struct cell line, score;
};

/* Takes a list of evaluations of the very form that Lichess writes, none of whose strings has escapes; otherwise it
 * returns false, and takes nothing. */
bool seebatch_io_skip_evals(struct json *json, struct value *value, struct evaluation *deepest);

/* Reads move and score of the record, each if it is wanted, from the value of a member "evals" of an object that was
 * read by json and is good; from none that is no list of evaluations as Lichess writes them. fast: what
 * skip_evals() found. */
bool seebatch_io_read_lichess_evals(struct block *block, struct record *record, const seebatch_position *position,
                                    const struct json *json, const struct value *evals, const struct evaluation *fast,
                                    unsigned wanted);

#endif
