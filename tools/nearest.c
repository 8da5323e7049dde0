/*
 * The nearest word is the one that takes the fewest edits: a letter left out, added or replaced, or two neighbours
 * swapped. One edit in three letters is near enough, so that a word of one or two letters suggests nothing.
 */
#include "nearest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_WORD = 32 };

void nearest_begin(struct nearest *nearest, const char *word, size_t length)
{
    *nearest = (struct nearest){.word = word, .length = length, .distance = length / 3 + 1};
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* The number of edits between two words (optimal string alignment), both of at most LONGEST_WORD letters. */
static size_t edits(const char *a, size_t n, const char *b, size_t m)
{
    size_t rows[3][LONGEST_WORD + 1];
    size_t *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t k = 0; k <= m; k++)
        last[k] = before[k] = k;
    for (size_t i = 1; i <= n; i++) {
        row[0] = i;
        for (size_t k = 1; k <= m; k++) {
            row[k] = least(least(last[k], row[k - 1]) + 1, last[k - 1] + (a[i - 1] != b[k - 1]));
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                row[k] = least(row[k], before[k - 2] + 1);
        }
        size_t *free_row = before;
        before = last;
        last = row;
        row = free_row;
    }
    return last[m];
}

void nearest_try(struct nearest *nearest, const char *known)
{
    const size_t length = strlen(known);
    if (nearest->length > LONGEST_WORD || length > LONGEST_WORD)
        return;
    const size_t distance = edits(nearest->word, nearest->length, known, length);
    if (distance < nearest->distance) {
        nearest->distance = distance;
        nearest->best = known;
    }
}

/* The word that is quoted last before a place of the message, without what it has been given: "score" of 'scor=1..'.
 * NULL if none is. */
static char *quoted_before(char *message, const char *place, size_t *length)
{
    char *end = NULL, *begin = NULL;
    for (char *at = message; at < place; at++) {
        if (*at == '\'') {
            begin = end != NULL ? end + 1 : NULL;
            end = at;
        }
    }
    *length = begin != NULL ? strcspn(begin, "'=, ") : 0;
    return begin;
}

const char *nearest_of_message(struct nearest *nearest, char *message)
{
    static const char before_list[] = "one of ", of_kernels[] = "those available: ";
    char *list = strstr(message, before_list);
    size_t length;
    const char *word = list != NULL ? quoted_before(message, list, &length) : NULL;
    nearest->text[0] = '\0';
    if (word == NULL)
        return nearest->text;
    list += strlen(before_list);
    if (strncmp(list, of_kernels, strlen(of_kernels)) == 0)
        list += strlen(of_kernels);
    nearest_begin(nearest, word, length);
    for (bool more = true; more;) {
        char *end = list + strcspn(list, ",;");
        more = *end == ',';
        *end = '\0';
        list[strcspn(list, "=[ ")] = '\0';
        nearest_try(nearest, list);
        list = end + 1 + strspn(more ? end + 1 : "", " ");
    }
    if (nearest->best != NULL && nearest->distance > 0)
        snprintf(nearest->text, sizeof nearest->text, "; did you mean '%s'?", nearest->best);
    return nearest->text;
}
