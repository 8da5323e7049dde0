/*
 * Declares the functions of struct file_format that read JSON lines. jsonl_read.c implements them; jsonl.c, which also
 * writes, lists them.
 */
#ifndef SEEBATCH_IO_JSONL_H
#define SEEBATCH_IO_JSONL_H

#include "formats/format.h"

void seebatch_io_read_first_object(struct source *source, const char *line, size_t length);

bool seebatch_io_read_objects(struct cursor *cursor, struct batch *batch);

bool seebatch_io_take_members(struct block *block, const struct record *record, const seebatch_position *position,
                              const struct target *target, struct cell *row, struct cell *lost);

struct score_place seebatch_io_place_of_score(struct block *block, const struct record *record);

#endif
