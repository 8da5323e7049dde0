/*
 * Where output goes: standard output, memory, or a file that appears under its name when it is complete.
 */
#ifndef SEEBATCH_IO_SINK_H
#define SEEBATCH_IO_SINK_H

#include "bytes.h"
#include "seebatch_io.h"

struct sink;

/* How many of the bytes, which begin with a record, are whole records. */
typedef size_t whole_function(const char *bytes, size_t length);

/* Opens a file for output, compressed if the name ends with .gz or .zst; "-" is standard output, NULL memory. level as
 * in seebatch_writer_options. NULL, and *error, if that fails. */
struct sink *sink_open(const char *name, int level, seebatch_io_error *error);

/* From now on this is asked while bytes are written; true ends the writing, SEEBATCH_IO_STOPPED. */
void sink_ask(struct sink *sink, bool (*stop)(void *user), void *user);

/* Writes whole records. False, and *error, if they cannot all be written; what was written then ends with a whole
 * record wherever that is possible, if whole is given. */
bool sink_write(struct sink *sink, whole_function *whole, const char *bytes, size_t length, seebatch_io_error *error);

/* What was written to memory. */
struct bytes *sink_memory(struct sink *sink);

/* The end. complete: the file takes its place; otherwise it is removed. False, and *error, if it cannot be written.
 * Frees the sink. */
bool sink_close(struct sink *sink, bool complete, seebatch_io_error *error);

/* Whether a file is written that takes its place in the end. */
bool sink_is_file(const struct sink *sink);

/* Whether it compresses, which takes longer than the work. NULL: nothing is written. */
bool sink_compresses(const struct sink *sink);

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

/* Fills *error, unless it is NULL, with a sentence; returns false. */
bool io_fail(seebatch_io_error *error, seebatch_io_status status, int system_error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool io_no_memory(seebatch_io_error *error);

#endif
