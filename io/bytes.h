/*
 * Bytes that grow: what blocks of input and output are kept in.
 */
#ifndef SEEBATCH_IO_BYTES_H
#define SEEBATCH_IO_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bytes {
    char *data;
    size_t used, capacity;
};

/* realloc for count elements; ends the program with status 1 where there is no memory. */
void *reallocate(void *memory, size_t count, size_t size);

/* Room for more bytes behind those used. */
static inline void bytes_reserve(struct bytes *bytes, size_t more)
{
    if (bytes->capacity - bytes->used >= more)
        return;
    bytes->capacity = (bytes->used + more) + (bytes->used + more) / 2;
    bytes->data = reallocate(bytes->data, bytes->capacity, 1);
}

static inline void bytes_add(struct bytes *bytes, const char *data, size_t length)
{
    if (length == 0)
        return;
    bytes_reserve(bytes, length);
    memcpy(bytes->data + bytes->used, data, length);
    bytes->used += length;
}

/* Behind the last one; of no memory at all, too, to which nothing may be added, not even 0. */
static inline const char *bytes_end(const struct bytes *bytes)
{
    return bytes->used > 0 ? bytes->data + bytes->used : bytes->data;
}

static inline void bytes_add_char(struct bytes *bytes, char c)
{
    bytes_reserve(bytes, 1);
    bytes->data[bytes->used++] = c;
}

static inline void bytes_add_string(struct bytes *bytes, const char *string)
{
    bytes_add(bytes, string, strlen(string));
}

/* A number in decimal, written before end; returns where it begins. At most 20 characters. */
char *put_int(char *end, int64_t value);

/* The same, behind the bytes used. */
void bytes_add_int(struct bytes *bytes, int64_t value);

#endif
