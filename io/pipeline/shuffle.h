/*
 * Output in a random order, in which every order is equally likely. two_passes.c gives it the records of each block,
 * and has them written at the end.
 */
#ifndef SEEBATCH_IO_SHUFFLE_H
#define SEEBATCH_IO_SHUFFLE_H

#include "formats/format.h"
#include "files/output.h"

struct shuffle;

/* For records in a format; output, memory, stop and user as of disk partitions. NULL if there is no memory. */
struct shuffle *seebatch_io_shuffle_new(const struct file_format *format, const char *output, uint64_t memory,
                                        bool (*stop)(void *user), void *user, uint64_t seed);

/* Takes records as they are written, one after another: lengths says how long each is. */
bool seebatch_io_shuffle_add(struct shuffle *shuffle, const char *records, const uint32_t *lengths, size_t n,
                             seebatch_io_error *error);

/* Writes all of them, and adds to *written how many were. */
bool seebatch_io_shuffle_write(struct shuffle *shuffle, struct output *output, uint64_t *written,
                               seebatch_io_error *error);

/* NULL is allowed. */
void seebatch_io_shuffle_free(struct shuffle *shuffle);

#endif
