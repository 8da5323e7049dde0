/*
 * Makes temporary files without a name. disk_partitions.c keeps partitions in one, and two_passes.c copies pipes into
 * one to read them twice.
 */
#ifndef SEEBATCH_IO_TEMPORARY_H
#define SEEBATCH_IO_TEMPORARY_H

#include "seebatch_io.h"

/* Makes a file in the folder of the output, or where output is NULL, in TMPDIR or /tmp; -1, and *error, if there can be
 * none. */
int seebatch_io_temporary_open(const char *output, seebatch_io_error *error);

/* Writes all bytes at the end of such a file; false, and *error, if there is no room for them. */
bool seebatch_io_temporary_write(int fd, const char *output, const char *bytes, size_t length,
                                 seebatch_io_error *error);

#endif
