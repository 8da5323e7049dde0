/*
 * Grows and formats struct bytes: what is too rare or too long to be inline.
 */
#include "bytes.h"

#include <stdlib.h>

bool seebatch_io_bytes_grow(struct bytes *bytes, size_t more)
{
    const size_t needed = bytes->used + more, capacity = needed + needed / 2;
    char *data = bytes->failed || needed < more || capacity < needed ? NULL : realloc(bytes->data, capacity);
    if (data == NULL) {
        bytes->failed = true;
        return false;
    }
    bytes->data = data;
    bytes->capacity = capacity;
    return true;
}

char *seebatch_io_put_int(char *end, int64_t value)
{
    char *first = end;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    for (; rest >= 10; rest /= 10) /* most numbers have one digit */
        *--first = (char)('0' + rest % 10);
    *--first = (char)('0' + rest);
    if (value < 0)
        *--first = '-';
    return first;
}

void seebatch_io_bytes_add_int(struct bytes *bytes, int64_t value)
{
    char digits[24], *end = digits + sizeof digits, *first = seebatch_io_put_int(end, value);
    bytes_add(bytes, first, (size_t)(end - first));
}
