/*
 * Finds the known word that a misspelt one most likely means.
 */
#ifndef SEEBATCH_TOOL_NEAREST_H
#define SEEBATCH_TOOL_NEAREST_H

#include <stddef.h>

/* Holds the state of a search for it. */
struct nearest {
    const char *word;
    size_t length;
    const char *best; /* NULL: no word is near enough so far */
    size_t distance;  /* of the best; without one, of the farthest that is near enough, plus one */
    char text[96];
};

/* Begins with what was typed: length bytes of it. */
void nearest_begin(struct nearest *nearest, const char *word, size_t length);

/* Compares it with a word that is known; that has to outlast the search. */
void nearest_try(struct nearest *nearest, const char *known);

/* "; did you mean 'WORD'?" for a message that quotes a word and then lists the known ones: "... 'stokfish', expected one
 * of legal, swap, ...". Nothing for other messages, and where no known word is near. Cuts the message into words. */
const char *nearest_of_message(struct nearest *nearest, char *message);

#endif
