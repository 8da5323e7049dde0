/*
 * Reads the tables of the test data: a record a line, its fields apart by one character. Blank lines and lines that
 * begin with # are passed over; blanks around a field do not belong to it.
 */
#ifndef SEEBATCH_TESTS_TABLE_H
#define SEEBATCH_TESTS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { TABLE_MOST_FIELDS = 8 };

struct table {
    FILE *file;
    const char *path;
    char separator;
    int line;     /* number of the line last read */
    size_t count; /* fields of it */
    char *field[TABLE_MOST_FIELDS];
    char text[2048];
};

/* Opens a table; ends the program with a sentence if it cannot. */
void table_open(struct table *table, const char *path, char separator);

/* Reads the next record; false, and the file closed, past the last. Ends the program with a sentence where a record has
 * fewer than `least` fields. The last of `most` fields takes the rest of the line. */
bool table_next(struct table *table, size_t least, size_t most);

#endif
