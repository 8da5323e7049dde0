/*
 * Parts of the input by byte range, so that many machines can share it without knowing of each other.
 *
 * All files, one after the other, are divided into N ranges of bytes of equal length. A record, game or chunk belongs
 * to the range in which its first byte lies; so every part begins where the one before it ends, and nothing is read
 * twice or not at all. Where a unit begins is found by what ends the one before it (lines), by arithmetic (records of
 * one size), or, where nothing in the middle of a file tells it (games, chunks), by going through the file from its
 * beginning.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "part.h"

#include "files/descriptors.h"
#include "support/errors.h"

enum { WINDOW = 1 << 16, LONGEST_WINDOW = 1 << 27 };

/* ---- Ranges ----------------------------------------------------------------------------------------------------- */

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Where range `number` begins. There are `of` ranges, which are counted from 0. */
static uint64_t begin_of_range(const struct part *part, uint64_t number, uint64_t size)
{
    return size / part->of * number + size % part->of * number / part->of;
}

/* Finds the bytes of a range that lie in a file. */
static uint64_t within(uint64_t place, uint64_t start, uint64_t size)
{
    return place > start ? least(place - start, size) : 0;
}

bool seebatch_io_part_divide(const struct part *part, struct source *sources, size_t n, seebatch_io_error *error)
{
    uint64_t size = 0;
    for (size_t i = 0; i < n; i++) {
        struct stat file;
        /* Without the size of one file, this process would divide all of them in another way than those of the other
         * parts do. */
        if (stat(sources[i].name, &file) != 0)
            return seebatch_io_fail(error, SEEBATCH_IO_FAILED, errno, "%s: cannot be opened: %s", sources[i].name,
                                    strerror(errno));
        sources[i].start = size;
        sources[i].size = S_ISREG(file.st_mode) ? (uint64_t)file.st_size : 0;
        size += sources[i].size;
    }
    const uint64_t begin = begin_of_range(part, part->number - 1, size);
    const uint64_t end = begin_of_range(part, part->number, size);
    for (size_t i = 0; i < n; i++) {
        struct source *source = &sources[i];
        source->from = within(begin, source->start, source->size);
        source->to = within(end, source->start, source->size);
        /* The part in which an empty file would begin reports it. */
        const bool here = source->start >= begin && (source->start < end || part->number == part->of);
        source->skipped = i > 0 && source->from == source->to && !(source->size == 0 && here);
    }
    return true;
}

/* ---- Where units begin ------------------------------------------------------------------------------------------ */

/* Holds bytes of a file from a place on; they are fewer than asked for only at its end. */
struct window {
    int fd;
    uint64_t at;
    struct bytes bytes;
};

static bool read_window(struct window *window, uint64_t at, size_t length, struct bytes *why)
{
    window->at = at;
    window->bytes.used = 0;
    if (!bytes_reserve(&window->bytes, length)) {
        bytes_add_string(why, "there is no memory to find the part");
        return false;
    }
    const bool well = descriptor_read_at(window->fd, at, window->bytes.data, length, &window->bytes.used) || errno == 0;
    if (!well) {
        bytes_add_string(why, "cannot be read: ");
        bytes_add_string(why, strerror(errno));
    }
    return well;
}

/* How far from a place in the window it is to the next unit; 0 if the window does not show it. */
static size_t step(const struct file_format *format, const struct window *window, size_t at)
{
    const char *bytes = window->bytes.data + at;
    const size_t length = window->bytes.used - at;
    return format->boundary != NULL ? format->boundary(bytes, length) : format->unit(bytes, length);
}

/* From a place at which a unit begins, or shortly before the one that is meant, to the first unit there or after it. Where
 * what the one before says leads to a place at which none begins, something is damaged: only reading finds out how it
 * goes on, and all of the rest belongs to the part that reads that. */
static bool walk(const struct source *source, struct window *window, uint64_t from, uint64_t *place, struct bytes *why)
{
    size_t length = WINDOW, at = 0;
    if (!read_window(window, from, length, why))
        return false;
    for (;;) {
        const bool there = window->at + at >= *place;
        if (there && (source->format->boundary != NULL || window->at + at >= source->size))
            break;
        const size_t further = step(source->format, window, at);
        if (there && further > 0)
            break;
        if (further > 0 && at + further < window->bytes.used) {
            at += further;
            length = WINDOW;
            continue;
        }
        const uint64_t next = window->at + at + further;
        if (next >= source->size || (further == 0 && (window->at + window->bytes.used >= source->size ||
                                                      length >= LONGEST_WINDOW))) { /* it belongs to what is before */
            *place = source->size;
            return true;
        }
        length = further == 0 && at == 0 ? 2 * length : length;
        at = 0;
        if (!read_window(window, next, length, why))
            return false;
    }
    *place = window->at + at;
    return true;
}

static bool find(const struct source *source, struct window *window, uint64_t begin, uint64_t *place, struct bytes *why)
{
    const struct file_format *format = source->format;
    if (*place == 0 || *place >= source->size)
        return true;
    if (format->record_size > 0) {
        *place = least((*place + format->record_size - 1) / format->record_size * format->record_size, source->size);
        return true;
    }
    if (format->boundary != NULL)
        begin = *place > MOST_LOOK_BACK ? *place - MOST_LOOK_BACK : 0;
    return walk(source, window, begin, place, why);
}

bool seebatch_io_part_find(const struct source *source, int fd, uint64_t *begin, uint64_t *end, struct bytes *why)
{
    struct window window = {.fd = fd};
    *begin = source->from;
    *end = source->to;
    const bool well = find(source, &window, 0, begin, why) && find(source, &window, *begin, end, why);
    free(window.bytes.data);
    return well;
}
