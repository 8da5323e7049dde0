/*
 * Quotes text from outside in an error message: what is not printable is replaced, and what is too long is cut off.
 */
#ifndef SEEBATCH_IO_QUOTE_H
#define SEEBATCH_IO_QUOTE_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct quoted {
    char text[48];
};

/* What does not fit ends with "..."; bytes that are not printable ASCII are written as \x0a and the like. */
static inline struct quoted quote(const char *text, size_t length)
{
    enum { ESCAPED = 4, DOTS = 4, ROOM = sizeof(struct quoted) - ESCAPED - DOTS };
    struct quoted quoted = {{0}};
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        if (used > ROOM) {
            memcpy(quoted.text + used, "...", DOTS);
            break;
        }
        if (text[i] >= ' ' && text[i] <= '~')
            quoted.text[used++] = text[i];
        else
            used += (size_t)snprintf(quoted.text + used, ESCAPED + 1, "\\x%02x", (unsigned)(unsigned char)text[i]);
    }
    return quoted;
}

#endif
