/*
 * Error reports that come again: each is told once, in the words and with the place of the first one, and in the end how
 * often it was repeated.
 */
#ifndef SEEBATCH_IO_REPEATS_H
#define SEEBATCH_IO_REPEATS_H

#include <stdio.h>

#include "bytes.h"
#include "text.h"

/* A sentence that was told. */
struct repeat {
    uint64_t first, last; /* where it was to be told, */
    uint64_t times;       /* and how often besides the first time */
    bool warning;
    size_t at, length; /* its words among the texts */
};

struct repeats {
    struct repeat list[MOST_ERROR_REPORTS];
    size_t n;
    struct bytes texts; /* freed by the caller */
};

/* Notes a sentence that is to be told so many times, from one place to another. Returns whether it was told before. What
 * there is no room for is not remembered. */
bool seebatch_io_repeats_note(struct repeats *repeats, const char *text, size_t length, bool warning, uint64_t times,
                              uint64_t first, uint64_t last);

/* Writes how often a sentence was repeated. `place` says what its numbers count, such as "line". Returns the length of
 * the text, which is 0 if the sentence was not repeated. */
enum { REPEAT_SIZE = 160 };
int seebatch_io_repeat_text(const struct repeat *repeat, const char *place, char text[REPEAT_SIZE]);

/* Forgets all. */
void seebatch_io_repeats_empty(struct repeats *repeats);

#endif
