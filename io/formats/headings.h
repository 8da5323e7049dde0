/*
 * Handles the names of a table's columns and of an object's members, and the way in which a record of one keeps its
 * further columns in the other. Tables, JSON lines and the binary formats with columns use it.
 */
#ifndef SEEBATCH_IO_HEADINGS_H
#define SEEBATCH_IO_HEADINGS_H

#include "format.h"

/* What the name of a column means, in capitals or not: FIELD_MOVE and so on, 0 for the position, FIELD_COLUMNS for one
 * that is not known. */
unsigned seebatch_io_field_of_name(struct cell name);

/* The same in a file, where --column may name others. */
unsigned seebatch_io_field_in_source(const struct source *source, struct cell name);

/* Returns the place of a field, in the order of their bits, after which the position comes; -1 for FIELD_COLUMNS. */
int seebatch_io_place_of_field(unsigned field);

/* Reads the columns that --columns names, such as "fen,score". Returns false, with *error, where it names something
 * else. */
bool seebatch_io_columns_select(struct target *target, const char *list, seebatch_error *error);

/* Takes an argument of --column, "score=cp", which lasts as long as the columns; false, and *error, if it is none. */
bool seebatch_io_columns_name(struct columns *columns, const char *text, seebatch_error *error);

/* Whether the header of a table has all columns that --column names. */
bool seebatch_io_has_named_columns(const struct source *source, seebatch_error *error);

/* Where there is no memory, headings->text.failed becomes true. */
void seebatch_io_headings_empty(struct headings *headings);
void seebatch_io_headings_add(struct headings *headings, struct cell name, unsigned field);
void seebatch_io_headings_free(struct headings *headings);

/* Returns the first place of a known field, or -1 if there is none. */
int seebatch_io_headings_find(const struct headings *headings, unsigned field);

/* The same of an unknown column of a table that is written, by its name; in the same time however many there are. */
int seebatch_io_headings_find_unknown(const struct headings *headings, struct cell name);

/* Of unknown columns of one name only the first stays; there are no others. */
void seebatch_io_headings_drop_repeated(struct headings *headings);

/* The columns of the table that is written: those of the first file, then the fields besides that are written. */
void seebatch_io_headings_of_target(struct target *target);

/* Where the columns of a file go in the rows that are written. */
void seebatch_io_headings_place(struct source *source, const struct target *target);

/* take_columns() of a binary format: add_column() adds the text of a column to the block's, longest characters of all at
 * most. */
typedef void add_column_function(struct bytes *text, const struct record *record, const seebatch_position *position,
                                 struct cell name);
bool seebatch_io_add_columns(struct block *block, const struct record *record, const seebatch_position *position,
                             struct cell *row, size_t longest, add_column_function *add_column);

/* Whether columns that are added to a table or to objects may have these names: none is empty, is that of a field,
 * comes twice, or is not UTF-8. */
bool seebatch_io_names_check(const seebatch_column *columns, size_t n, seebatch_io_error *error);

#endif
