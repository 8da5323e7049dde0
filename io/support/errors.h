/*
 * Errors of the library: a status for programs, and a sentence for people. Every function that can fail fills a
 * seebatch_io_error with these functions.
 */
#ifndef SEEBATCH_IO_ERRORS_H
#define SEEBATCH_IO_ERRORS_H

#include "seebatch_io.h"

/* Fills *error, unless it is NULL, with a sentence; returns false. */
bool seebatch_io_fail(seebatch_io_error *error, seebatch_io_status status, int system_error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool seebatch_io_no_memory(seebatch_io_error *error);

#endif
