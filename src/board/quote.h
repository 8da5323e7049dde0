/*
 * Prepares text from outside for an error message: it is made printable and cut where it is too long.
 */
#ifndef SEEBATCH_QUOTE_H
#define SEEBATCH_QUOTE_H

#include <stddef.h>
#include <string.h>

struct see_quoted {
    char text[48];
};

/* What does not fit ends with "..."; bytes that are not printable ASCII are written as \x0a and the like. */
static inline struct see_quoted see_quote(const char *text, size_t length)
{
    enum { ESCAPED = 4, DOTS = 4, ROOM = sizeof(struct see_quoted) - ESCAPED - DOTS };
    static const char digits[] = "0123456789abcdef";
    struct see_quoted quoted = {{0}};
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        if (used > ROOM) {
            memcpy(quoted.text + used, "...", DOTS);
            break;
        }
        if (text[i] >= ' ' && text[i] <= '~') {
            quoted.text[used++] = text[i];
        } else {
            const unsigned char byte = (unsigned char)text[i];
            const char escaped[ESCAPED] = {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
            memcpy(quoted.text + used, escaped, ESCAPED);
            used += ESCAPED;
        }
    }
    return quoted;
}

#endif
