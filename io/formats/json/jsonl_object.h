/*
 * A line of JSON lines, taken apart into the members that are known (jsonl_object.c). jsonl_read.c makes a record of
 * it.
 */
#ifndef SEEBATCH_IO_JSONL_OBJECT_H
#define SEEBATCH_IO_JSONL_OBJECT_H

#include "json_text.h"
#include "lichess.h"

enum { MEMBER_FEN = N_FIELDS, N_MEMBERS, MEMBER_EVALS = N_MEMBERS, N_VALUES };

/* A line that was taken apart. */
struct object {
    const char *end; /* of the line */
    bool well;
    uint8_t status;  /* of the position, */
    struct cell fen; /* whose text this is; empty where there is none */
    struct value members[N_VALUES];
    struct evaluation deepest; /* of evals, where it was skipped quickly */
};

/* Members of the lines before, in their order: for the next line a guess that is mostly right. */
enum { MOST_GUESSED = 16 };
struct guess {
    uint64_t first, second; /* the name with quotes and colon, in these bits of 16 bytes */
    uint64_t mask_of_first, mask_of_second;
    int member;
};
struct guesses {
    struct guess members[MOST_GUESSED];
    size_t n;
};

/* Which known member a name means, or -1. */
int seebatch_io_member_named(const struct source *source, struct cell name);

/* Takes the object of a line apart. False if it is bad, which is said if it is to be told. */
bool seebatch_io_take_object(struct block *block, struct record *record, struct json *json, bool tell,
                             struct object *object);

/* The same of one of the usual form: no string in it has escapes. False: it is to be taken apart by take_object(), from
 * the line's beginning on. */
bool seebatch_io_take_object_fast(struct block *block, struct record *record, struct json *json,
                                  struct guesses *guesses, struct object *object);

#endif
