/*
 * Where output goes: standard output, memory, or a file that appears under its name when it is complete. Writers and
 * the pipeline write whole records to it.
 */
#ifndef SEEBATCH_IO_OUTPUT_H
#define SEEBATCH_IO_OUTPUT_H

#include "support/bytes.h"
#include "support/errors.h"
#include "seebatch_io.h"

struct output;

/* How many of the bytes, which begin with a record, are whole records. */
typedef size_t whole_function(const char *bytes, size_t length);

/* Opens a file for output, compressed if the name ends with .gz or .zst; "-" is standard output, NULL memory. level as
 * in seebatch_writer_options. threads: how many more threads may compress; 0: none but the caller's. NULL, and *error,
 * if that fails. */
struct output *seebatch_io_output_open(const char *name, int level, size_t threads, seebatch_io_error *error);

/* From now on this is asked while bytes are written; true ends the writing, SEEBATCH_IO_STOPPED. */
void seebatch_io_output_ask(struct output *output, bool (*stop)(void *user), void *user);

/* Writes whole records. False, and *error, if they cannot all be written; what was written then ends with a whole
 * record wherever that is possible, if whole is given. */
bool seebatch_io_output_write(struct output *output, whole_function *whole, const char *bytes, size_t length,
                              seebatch_io_error *error);

/* Compresses whole records before their turn comes to be written, in any thread, where that saves the writing thread the
 * time: for gzip, and if they are enough. Otherwise there are no compressed bytes. *crc is the checksum of the plain
 * ones. False if there is no memory. */
bool seebatch_io_output_compress(const struct output *output, const struct bytes *plain, struct bytes *compressed,
                                 unsigned long *crc);

/* Writes compressed bytes, which stand for `length` plain ones. */
bool seebatch_io_output_write_compressed(struct output *output, const struct bytes *compressed, unsigned long crc,
                                         size_t length, seebatch_io_error *error);

/* What was written to memory. */
struct bytes *seebatch_io_output_memory(struct output *output);

/* Ends the output. If `complete` is set, the file takes its place; otherwise it is removed. Returns false, with *error,
 * if it cannot be written. Frees the output. */
bool seebatch_io_output_close(struct output *output, bool complete, seebatch_io_error *error);

/* Whether a file is written that takes its place in the end. */
bool seebatch_io_output_is_file(const struct output *output);

#endif
