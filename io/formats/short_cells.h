/*
 * Cells of a few characters, which are copied whole, without a branch on their length. `seebatch annotate` adds such
 * cells to each record.
 */
#ifndef SEEBATCH_IO_SHORT_CELLS_H
#define SEEBATCH_IO_SHORT_CELLS_H

#include <stdint.h>

/* Of characters that no format has to mark. */
struct short_cell {
    char text[7];
    uint8_t length;
};

enum { MOST_SHORT_CELLS = 16 }; /* of a record */

#endif
