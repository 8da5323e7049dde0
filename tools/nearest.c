/*
 * The nearest word is the one that takes the fewest edits (support/edits.h).
 */
#include "nearest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/edits.h"

void nearest_begin(struct nearest *nearest, const char *word, size_t length)
{
    *nearest = (struct nearest){.word = word, .length = length, .distance = edits_too_many(length)};
}

void nearest_try(struct nearest *nearest, const char *known)
{
    const size_t length = strlen(known);
    if (nearest->length > LONGEST_WORD || length > LONGEST_WORD)
        return;
    const size_t distance = edits_between(nearest->word, nearest->length, known, length);
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
