/*
 * Reads the rows of tables, many at a time, in the fast path of csv.c.
 */
#ifndef SEEBATCH_IO_ROWS_H
#define SEEBATCH_IO_ROWS_H

#include "formats/bulk_records.h"

/* As struct bulk_format says it. The usual form: as many cells as the header has, none of them with a quote in it. */
size_t seebatch_io_find_rows(struct cursor *cursor, size_t most, struct record *records, seebatch_text *fens,
                             struct usual *usual);
bool seebatch_io_read_cells(const struct source *source, struct record *record, seebatch_position *position,
                            const struct usual *usual, const char *begin);

#endif
