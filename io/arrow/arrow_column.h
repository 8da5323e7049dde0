/*
 * A column of results while it is computed. arrow_columns.c reads the input and evaluates it; arrow_rows.c appends
 * the results as rows and makes an array of them. Both share this struct.
 */
#ifndef SEEBATCH_IO_ARROW_COLUMN_H
#define SEEBATCH_IO_ARROW_COLUMN_H

#include "support/bytes.h"
#include "seebatch_arrow.h"

/* What a row has: something (of an annotation a capture); a FEN, and a move, that are good. */
enum { ROW_HAS = 1, ROW_GOOD = 2 };

enum { ARROW_NUMBERS = 6 };

struct seebatch_arrow_column {
    seebatch_arrow_what what;
    bool boards; /* in place of FENs */
    seebatch_rules rules;
    size_t rows, nulls, wrong; /* rows without ROW_HAS, and without ROW_GOOD */
    struct bytes valid;        /* a byte a row: ROW_... */
    struct bytes lists;        /* of lists the first item of each row, int32 */
    struct bytes ends;         /* of texts where each begins, int32 */
    struct bytes text;
    struct bytes values;                 /* int16 */
    struct bytes numbers[ARROW_NUMBERS]; /* of an annotation, int32; of maps those of White and Black, int16 */
    struct bytes item_valid;             /* of lists of values a byte an item: whether it has one */
    size_t items, null_items;            /* of lists */

    size_t capacity; /* of a chunk */
    seebatch_position *positions;
    size_t *row, *offsets; /* of each position its number in the chunk; and where its moves begin */
    size_t *good;          /* of seebatch_batch_order() */
    seebatch_text *texts;
    seebatch_move *moves, *sorted;
    int16_t *worth;
    size_t n_moves; /* room for so many */
    /* Of lists of values: where those of each position begin, and what each move was read as. */
    size_t *item_offsets;
    seebatch_text *item_texts;
    uint8_t *item_statuses;
    uint8_t *statuses;
    int16_t (*maps)[2][64];

    struct arrow_games *games; /* of games in text; NULL for everything else */

    size_t faults;
    size_t fault_row[SEEBATCH_ARROW_FAULTS];
    char fault[SEEBATCH_ARROW_FAULTS][sizeof(seebatch_error)];
};

/* Appends the rows of a chunk: n of them, of which `left` were evaluated. */
void seebatch_io_arrow_append(seebatch_arrow_column *column, size_t n, size_t left);

/* Whether there was no memory for a row. */
bool seebatch_io_arrow_failed(const seebatch_arrow_column *column);

/* The memory of bytes, of which there is some even without any; they are empty then. NULL if there is none left. */
void *seebatch_io_arrow_take(struct bytes *bytes);

/* Counts a row that is wrong, and keeps why. */
void seebatch_io_arrow_fault(seebatch_arrow_column *column, size_t row, const char *text);

/* Games in text (arrow_games.c), as the functions of the interface have them. */
struct arrow_games *seebatch_io_arrow_games_new(void);
void seebatch_io_arrow_games_free(struct arrow_games *games);
seebatch_io_status seebatch_io_arrow_games_add(seebatch_arrow_column *column, const seebatch_text *starts,
                                               const seebatch_text *texts, size_t n, seebatch_io_error *error);
bool seebatch_io_arrow_games_finish(seebatch_arrow_column *column, struct ArrowSchema *schema,
                                    struct ArrowArray *array);

#endif
