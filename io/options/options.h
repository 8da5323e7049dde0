/*
 * Checks of options, each with a sentence of its own; SEEBATCH_IO_USAGE.
 */
#ifndef SEEBATCH_IO_OPTIONS_H
#define SEEBATCH_IO_OPTIONS_H

#include "formats/format.h"
#include "support/errors.h"

enum { MOST_PARTS = 1000000, MOST_SCALE = 1000 };

/* The format of this name, NULL if name is NULL. */
bool seebatch_io_format_option(const char *name, const char *option, const struct file_format **format,
                               seebatch_io_error *error);

/* Whether a source can be read in its format; NULL: nothing says which it is, which always fails. A file that does not
 * exist then fails with SEEBATCH_IO_FAILED. */
bool seebatch_io_check_input(const struct source *source, seebatch_io_error *error);

/* Whether a file can be divided. */
bool seebatch_io_check_division(const char *name, const struct file_format *format, seebatch_io_error *error);
bool seebatch_io_part_option(uint64_t number, uint64_t of, struct part *part, seebatch_io_error *error);

/* What columns of the input mean, and by what scores are multiplied. */
bool seebatch_io_column_options(const char *const *names, size_t n, int scale, const char *model, const char *leela,
                                struct columns *columns, seebatch_io_error *error);

/* The fields that `lose` names. */
bool seebatch_io_lose_option(const char *list, unsigned *lose, seebatch_io_error *error);

/* Whether a file of this name may be written in the format of the input: its extension, if any, is that of the input. */
bool seebatch_io_check_extension(const char *name, const char *input, seebatch_io_error *error);

/* Whether a file of this name can be written. */
bool seebatch_io_check_output(const char *name, seebatch_io_error *error);

/* Fails if columns are added to a format that has no place for them. */
bool seebatch_io_check_added_columns(const struct target *target, seebatch_io_error *error);

#endif
