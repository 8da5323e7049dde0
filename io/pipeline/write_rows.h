/*
 * Rows of short cells: the records of a batch of the pipeline, written many at a time with the columns that
 * `seebatch annotate` adds. It is the one function of the pipeline beside the public interface that the tool calls.
 */
#ifndef SEEBATCH_IO_WRITE_ROWS_H
#define SEEBATCH_IO_WRITE_ROWS_H

#include "formats/short_cells.h"
#include "seebatch_io.h"

/* Writes n records of a batch from `first` on, as seebatch_batch_write() does with each. `cells` are those of the
 * further columns, record by record, or NULL if there are no such columns. */
seebatch_io_status seebatch_io_batch_write_rows(seebatch_batch_of_file *batch, size_t first, size_t n,
                                                const struct short_cell *cells);

#endif
