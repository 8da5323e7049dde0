/*
 * What the library takes of <string.h>, for targets without a C library. build.rs puts this folder before all others there. The
 * first five are part of every Rust program on such a target; the others are written out.
 */
#ifndef SEEBATCH_FREESTANDING_STRING_H
#define SEEBATCH_FREESTANDING_STRING_H

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
int memcmp(const void *a, const void *b, size_t n);
size_t strlen(const char *text);

static inline void *memchr(const void *from, int byte, size_t n)
{
    const unsigned char *at = (const unsigned char *)from;
    for (; n; n--, at++)
        if (*at == (unsigned char)byte)
            return (void *)(size_t)at;
    return NULL;
}

static inline char *strchr(const char *text, int letter)
{
    for (;; text++) {
        if (*text == (char)letter)
            return (char *)(size_t)text;
        if (!*text)
            return NULL;
    }
}

static inline int strcmp(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return (unsigned char)*a - (unsigned char)*b;
}

static inline char *strcpy(char *to, const char *from)
{
    char *at = to;
    while ((*at++ = *from++) != 0)
        ;
    return to;
}

#endif
