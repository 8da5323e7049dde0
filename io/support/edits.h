/*
 * How far two words are from each other, to suggest the known one that a misspelt one most likely means: the number of
 * edits, each of which is a letter left out, added or replaced, or two neighbours swapped.
 */
#ifndef SEEBATCH_IO_EDITS_H
#define SEEBATCH_IO_EDITS_H

#include <stddef.h>

enum { LONGEST_WORD = 32 };

static inline size_t edits_least(size_t a, size_t b) { return a < b ? a : b; }

/* Counts the edits between two words (optimal string alignment), both of at most LONGEST_WORD letters. */
static inline size_t edits_between(const char *a, size_t n, const char *b, size_t m)
{
    size_t rows[3][LONGEST_WORD + 1];
    size_t *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t k = 0; k <= m; k++)
        last[k] = before[k] = k;
    for (size_t i = 1; i <= n; i++) {
        row[0] = i;
        for (size_t k = 1; k <= m; k++) {
            row[k] = edits_least(edits_least(last[k], row[k - 1]) + 1, last[k - 1] + (a[i - 1] != b[k - 1]));
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                row[k] = edits_least(row[k], before[k - 2] + 1);
        }
        size_t *free_row = before;
        before = last;
        last = row;
        row = free_row;
    }
    return last[m];
}

/* Edits from which on a word of so many letters is another word: one edit in three letters is near enough, so that a word
 * of one or two letters suggests nothing. */
static inline size_t edits_too_many(size_t length) { return length / 3 + 1; }

#endif
