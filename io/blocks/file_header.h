/*
 * The header of a file: what stands before its first record, and whether its first bytes may be of its format. The
 * pipeline checks all regular files by it before a run, and pipes and standard input when their turn comes; the
 * reader does the same for its file.
 */
#ifndef SEEBATCH_IO_FILE_HEADER_H
#define SEEBATCH_IO_FILE_HEADER_H

#include "formats/format.h"

/* Whether the first bytes of a file may be of its format; false, and *why, if they are plainly something else. */
bool seebatch_io_check_file_header(const struct source *source, const struct bytes *head, struct bytes *why);

/* Reads what stands before the records: the mark of UTF-8, with which some editors and spreadsheets begin a text, and
 * the header. Of a format without one, the first record may name the columns. False, and *why, if it is wrong. */
bool seebatch_io_take_file_header(struct source *source, const struct bytes *head, struct bytes *why);

/* Reads the beginning of a file, if it is a regular one, as far as it is needed; false, and *why, if that fails, or if
 * the system does not say what the file is. What is wrong with compressed bytes is left for the time when they are read: what stands
 * before is good. */
bool seebatch_io_read_file_header(struct source *source, struct bytes *why);

bool seebatch_io_is_regular(const char *name);

#endif
