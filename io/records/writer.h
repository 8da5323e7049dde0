/*
 * The inside of a writer, for rows that are read from columns and may be wrong: arrow/arrow_write.c begins a row,
 * reports its errors, and ends it.
 */
#ifndef SEEBATCH_IO_WRITER_H
#define SEEBATCH_IO_WRITER_H

#include "formats/format.h"

const struct target *seebatch_io_writer_target(const seebatch_writer *writer);

/* Returns the next row: its record, and the block that takes error reports of it. Returns NULL, and sets error, if
 * writing has failed. */
struct block *seebatch_io_writer_begin_row(seebatch_writer *writer, struct record *record, seebatch_io_error *error);

/* Ends the writing. `good` says whether the file is written; otherwise the failure was reported. `cells` are those of
 * seebatch_writer_write(). */
seebatch_io_status seebatch_io_writer_end_row(seebatch_writer *writer, bool good, const struct record *record,
                                              const seebatch_position *position, const seebatch_cell *cells,
                                              seebatch_io_error *error);

/* The end of a call that wrote rows: error reports of them can be asked for. */
seebatch_io_status seebatch_io_writer_end_call(seebatch_writer *writer, seebatch_io_status status,
                                               seebatch_io_error *error);

#endif
