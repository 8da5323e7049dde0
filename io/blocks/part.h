/*
 * Implements the option --part: finds which bytes of which file belong to a part of the input. The pipeline divides its
 * files by it before a run, and blocks.c finds the first and the last unit of a part when it opens the file.
 */
#ifndef SEEBATCH_IO_PART_H
#define SEEBATCH_IO_PART_H

#include "formats/format.h"

/* Fills start, size, from, to and skipped of the sources. Returns false, and says why, if the size of one of them cannot
 * be found out. */
bool seebatch_io_part_divide(const struct part *part, struct source *sources, size_t n, seebatch_io_error *error);

/* Finds the bytes of an open file that belong to the part, with `from` and `to` moved to where units begin. Returns
 * false, and says why, if the file cannot be read. */
bool seebatch_io_part_find(const struct source *source, int fd, uint64_t *begin, uint64_t *end, struct bytes *why);

#endif
