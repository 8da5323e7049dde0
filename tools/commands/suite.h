/*
 * Lines of suites for static exchange evaluation: a position, a move, and what its exchange is expected to be worth.
 * The forms are those in which engine authors publish theirs; the manual page lists them. Stands on seebatch.h alone:
 * the library's own test of the published suites reads them with it.
 */
#ifndef SEEBATCH_SUITE_H
#define SEEBATCH_SUITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "seebatch.h"

/* Points to bytes of the line. */
struct suite_text {
    const char *first;
    size_t length;
};

struct suite_line {
    struct suite_text position, move; /* without the blanks and quotes around them; neither is looked into */
    bool has_threshold;               /* whether the flag `reaches` is expected, or the value */
    int16_t threshold;
    bool reaches;
    int value;
};

/* No suite means as much; a value or a part of one beyond it is an error, and no sum overflows. */
enum { SUITE_GREATEST = 1000000000 };

/*
 * Takes a line apart that is neither blank nor a comment.
 *
 * values     what the letters of pieces stand for: pawn, knight, bishop, rook, queen; NULL: letters are an error.
 * threshold  NULL, or: a line that gives no threshold of its own has a flag for this one, and no value.
 *
 * False, and why, if it cannot be read.
 */
bool suite_read(const char *line, size_t length, const int16_t values[5], const int16_t *threshold,
                struct suite_line *parsed, seebatch_error *error);

/* A line about several moves of one position, as the suite of Viren6/SEE has them: `FEN;move move ...;value value ...`. */
struct suite_list {
    struct suite_text position, moves, values; /* moves and values stand apart by blanks or commas */
};

/* Whether a line has this form, with at least two moves; a line with one move is one for suite_read(). */
bool suite_list_read(const char *line, size_t length, struct suite_list *list);

/* Takes the next word off a text in which blanks or commas separate words; false at its end. */
bool suite_next_word(struct suite_text *rest, struct suite_text *word);

/* Reads a value: an integer, or a sum of pieces, such as P - N + B or 2*(Q - P). False, and why, if it is neither. */
bool suite_value(struct suite_text text, const int16_t values[5], int *value, seebatch_error *error);

#endif
