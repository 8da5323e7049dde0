/*
 * Cells of a few characters, which are copied without a branch on how many: what annotate adds to each record.
 */
#ifndef SEEBATCH_IO_SHORT_CELLS_H
#define SEEBATCH_IO_SHORT_CELLS_H

#include "seebatch_io.h"

/* Of characters that no format has to mark. */
struct short_cell {
    char text[7];
    uint8_t length;
};

enum { MOST_SHORT_CELLS = 16 }; /* of a record */

/* Writes n records of a batch from `first` on, as seebatch_batch_write() does with each. cells: those of the further
 * columns, record by record; NULL if there are no such columns. */
seebatch_io_status seebatch_io_batch_write_rows(seebatch_batch_of_file *batch, size_t first, size_t n,
                                                const struct short_cell *cells);

#endif
