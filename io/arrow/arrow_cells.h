/*
 * The columns of an Arrow array as texts, whatever their simple type is, so that arrow_write.c can read a row as the
 * cells of a table. arrow_texts.c implements it.
 */
#ifndef SEEBATCH_IO_ARROW_CELLS_H
#define SEEBATCH_IO_ARROW_CELLS_H

#include "seebatch_arrow.h"
#include "support/numbers.h"

/* A number as text fits into this room. */
enum { ARROW_CELL = REAL_TEXT };

/* Rows as texts: strings as they lie, numbers in decimal and false or true written into room. Nulls and what is not a
 * number have at == NULL. Otherwise as seebatch_arrow_texts(). */
seebatch_io_status seebatch_io_arrow_cells(const struct ArrowSchema *schema, const struct ArrowArray *array,
                                           size_t begin, size_t n, seebatch_text *texts, char (*room)[ARROW_CELL],
                                           seebatch_io_error *error);

/* Whether such a column has strings, and not numbers. */
bool seebatch_io_arrow_has_texts(const struct ArrowSchema *schema);

#endif
