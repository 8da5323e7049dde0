/*
 * What one format holds and another has no place for, as sets of FIELD_.... The checks before a run, format.c for
 * each record, and the messages use it.
 */
#ifndef SEEBATCH_IO_LOSSES_H
#define SEEBATCH_IO_LOSSES_H

#include "format.h"

enum { LOSS_NAMES = 256, LOSS_TEXT = 512 };

/* The name of one field, and names of several, the last of them joined by "and" or "or": "move, score and result". */
const char *seebatch_io_field_name(unsigned field);
void seebatch_io_field_list(unsigned fields, const char *joined, char *text, size_t size);

/* Adds the fields that a list such as "score,result" names; false, and *error, where it names something else. */
bool seebatch_io_losses_named(const char *list, unsigned *fields, seebatch_error *error);

/* Which fields of a file the target has no place for, as its format, or the header of a table, tells before any record
 * is read; those that may be lost do not count. */
unsigned seebatch_io_losses_of_format(const struct file_format *format, const struct target *target);
unsigned seebatch_io_losses_of_source(const struct source *source, const struct target *target);

/* Whether the text of a position goes on after it: operations of EPD. */
bool seebatch_io_has_operations(const struct record *record);

/* The fields that one record would lose, as the functions above give those of a format and of a source. Inline, because
 * it is called for each record that is written. */
static inline unsigned seebatch_io_losses_of_record(const struct target *target, const struct source *source,
                                                    const struct record *record, const seebatch_position *position)
{
    const struct file_format *format = target->format;
    if (source->format == format) /* bits that nobody reads are copied with the records that they stand in */
        return format->chained ? record->has & FIELD_UNUSED_BITS & ~target->lose : 0;
    unsigned lost =
        record->has & ~target->fields & ~(unsigned)FIELDS_SAID; /* a binary format has them in the position */
    if (format->loses != NULL) {
        lost &= ~(unsigned)FIELD_PLY;
        lost |= format->loses(record, position) & ~target->fields;
    }
    if (!(source->fields & FIELD_PLY)) /* it was counted from the number of the move, for a condition */
        lost &= ~(unsigned)FIELD_PLY;
    if (source->format->reads_operations && format->keeps_text)
        lost &= ~(unsigned)(FIELD_SCORE | FIELD_RESULT | FIELD_OPERATIONS);
    else if (record->fen != NULL && !format->keeps_text && !source->format->reads_operations &&
             seebatch_io_has_operations(record))
        lost |= FIELD_OPERATIONS;
    return lost & ~target->lose;
}

/* A sentence that says that fields would be lost, and what to do. */
void seebatch_io_loss_text(unsigned fields, const struct target *target, char *text, size_t size);

/* Puts the columns of a record that are not known into block->row, where the target holds them. False, and *lost, if
 * one has no place there and may not be lost. */
bool seebatch_io_carry_columns(struct block *block, const struct target *target, const struct record *record,
                               const seebatch_position *position, struct cell *lost);

#endif
