/*
 * Cells and names: how a text or a number stands in a table and in JSON lines, whoever writes it (cells.c).
 */
#ifndef SEEBATCH_IO_CELLS_H
#define SEEBATCH_IO_CELLS_H

#include "formats/format.h"

/* Describes a table: what separates its cells, and whether they may stand in quotes. */
struct dialect {
    char separator;
    bool quotes;
};

/* Writes a text, a number or a name as a cell. False if the row cannot hold it: it has one of the characters that need
 * a string of JSON, and is not UTF-8. */
bool seebatch_io_cell_add(struct bytes *out, const struct dialect *dialect, struct cell text);

/* The same of a cell that was read from a table, or that a reader has made as json_cell() does. */
void seebatch_io_cell_carry(struct bytes *out, const struct dialect *dialect, struct cell cell);

/* Writes the further cells of a row, each after a separator, and the end of the line. False as above. */
bool seebatch_io_cells_add(struct bytes *out, const struct dialect *dialect, const seebatch_cell *cells, size_t n);

/* Writes a cell of a table as a value of JSON: a string. False if it is not UTF-8. */
bool seebatch_io_cell_to_json(struct bytes *out, struct cell cell);

/* Writes a further cell as a value of JSON: null if it is empty; a string if it is a text; otherwise what it says, if
 * that is a number, true, false or null, and a string if it is not. False if it is not UTF-8. */
bool seebatch_io_cell_add_json(struct bytes *out, seebatch_cell cell, bool text);

#endif
