/*
 * Bytes that grow: what blocks of input and output are kept in.
 *
 * Where there is no memory, nothing more is added and `failed` stays true: who adds need not ask each time, but before
 * the result is used. Code that writes to data itself asks bytes_reserve().
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
    bool failed; /* there was no memory */
};

/* Makes room for more bytes after those used; false if there is no memory. */
bool seebatch_io_bytes_grow(struct bytes *bytes, size_t more);
static inline bool bytes_reserve(struct bytes *bytes, size_t more)
{
    return (bytes->capacity - bytes->used >= more && !bytes->failed) || seebatch_io_bytes_grow(bytes, more);
}

/* No bytes, with the memory that is there. */
static inline void bytes_empty(struct bytes *bytes)
{
    bytes->used = 0;
    bytes->failed = false;
}

static inline void bytes_add(struct bytes *bytes, const char *data, size_t length)
{
    if (length == 0 || !bytes_reserve(bytes, length))
        return;
    memcpy(bytes->data + bytes->used, data, length);
    bytes->used += length;
}

/* Where there is room: a text of mostly 32 to 96 characters, as a FEN has, without a branch on how many. */
static inline void bytes_put_text(struct bytes *bytes, const char *text, size_t length)
{
    enum { PART = 32, MOST = 3 * PART };
    char *to = bytes->data + bytes->used;
    bytes->used += length;
    if (length < PART || length > MOST) {
        memcpy(to, text, length);
        return;
    }
    const size_t last = length - PART, middle = last < PART ? last : PART;
    memcpy(to, text, PART);
    memcpy(to + middle, text + middle, PART);
    memcpy(to + last, text + last, PART);
}

/* Where the next byte goes. Bytes without memory have a null pointer, to which C allows no addition, not even of 0. */
static inline const char *bytes_end(const struct bytes *bytes)
{
    return bytes->used > 0 ? bytes->data + bytes->used : bytes->data;
}

static inline void bytes_add_char(struct bytes *bytes, char c)
{
    if (bytes_reserve(bytes, 1))
        bytes->data[bytes->used++] = c;
}

static inline void bytes_add_string(struct bytes *bytes, const char *string)
{
    bytes_add(bytes, string, strlen(string));
}

/* Writes a number in decimal before `end`, in at most 20 characters, and returns where it begins. */
char *seebatch_io_put_int(char *end, int64_t value);

/* Adds the same number to the bytes. */
void seebatch_io_bytes_add_int(struct bytes *bytes, int64_t value);

#endif
