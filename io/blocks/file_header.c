/*
 * Reads what stands before the first record of a file: the byte-order mark of UTF-8, which some editors and
 * spreadsheets write, and the names of a table's columns. Refuses a file that is plainly not of its format, such as a
 * compressed one.
 */
#include "file_header.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "formats/headings.h"
#include "files/stream.h"

enum { LONGEST_HEADER = 1 << 24, LEAST_HEAD = 4 };

/* ---- The first bytes -------------------------------------------------------------------------------------------- */

static bool no_memory(struct bytes *why)
{
    why->failed = true;
    return false;
}

/* Reads the header, after what is to be skipped already. */
static bool take_column_names(struct source *source, const struct bytes *head, struct bytes *why)
{
    const char *first = head->used > 0 ? head->data + source->skip : NULL;
    const size_t length = head->used - source->skip;
    const char *lf = length > 0 ? memchr(first, '\n', length) : NULL;
    seebatch_error error;
    if (lf == NULL) {
        bytes_add_string(why, head->used == 0 ? "it is empty, expected a header with the names of columns"
                                              : "the header has no end, expected a line with the names of columns");
        return false;
    }
    if (memchr(first, '\0', (size_t)(lf - first)) != NULL) {
        bytes_add_string(why, "a byte of the header is NUL, expected the names of columns");
        return false;
    }
    bytes_add(&source->header, first, (size_t)(lf - first));
    if (source->header.failed)
        return no_memory(why);
    source->skip += (size_t)(lf - first) + 1;
    if (source->format->read_header(source, &error))
        return true;
    if (source->headings.text.failed)
        return no_memory(why);
    bytes_add_string(why, error.text);
    return false;
}

bool seebatch_io_check_file_header(const struct source *source, const struct bytes *head, struct bytes *why)
{
    static const char binp[] = "BINP";
    enum { BINP_SIZE = sizeof binp - 1 };
    if (source->format->binary && source->format != &FORMAT(binpack) && head->used >= BINP_SIZE &&
        memcmp(head->data, binp, BINP_SIZE) == 0) {
        bytes_add_string(why, "it is a binpack, expected another format; use --from binpack to read it as one");
        return false;
    }
    return seebatch_io_may_be(!source->format->binary, head->data, head->used, why);
}

bool seebatch_io_take_file_header(struct source *source, const struct bytes *head, struct bytes *why)
{
    static const char mark[] = "\xef\xbb\xbf";
    enum { MARK_SIZE = sizeof mark - 1 };
    source->header_read = true;
    if (!seebatch_io_check_file_header(source, head, why))
        return false;
    if (source->format->binary)
        return true;
    if (head->used >= MARK_SIZE && memcmp(head->data, mark, MARK_SIZE) == 0)
        source->skip = MARK_SIZE;
    if (source->format->read_first != NULL && head->used > source->skip) {
        const char *first = head->data + source->skip, *end = bytes_end(head);
        const char *lf = memchr(first, '\n', (size_t)(end - first));
        source->format->read_first(source, first, (size_t)((lf != NULL ? lf : end) - first));
    }
    if (source->format->read_header != NULL && !take_column_names(source, head, why))
        return false;
    return !source->headings.text.failed || no_memory(why);
}

/* ---- Regular files ----------------------------------------------------------------------------------------------- */

static bool read_beginning(struct source *source, struct bytes *why)
{
    struct stream stream;
    struct bytes head = {0};
    long got = 1;
    bool header =
        !source->format->binary && (source->format->read_header != NULL || source->format->read_first != NULL);
    if (!seebatch_io_stream_open(&stream, source->name, why)) {
        source->system_error = stream.system_error;
        return false;
    }
    while (got > 0 && (header || head.used < LEAST_HEAD) && head.used < LONGEST_HEADER) {
        enum { ROOM = 1 << 16 };
        if (!bytes_reserve(&head, ROOM)) {
            got = no_memory(why) - 1;
            break;
        }
        got = seebatch_io_stream_read(&stream, head.data + head.used, ROOM, why);
        header &= got <= 0 || memchr(head.data + head.used, '\n', (size_t)got) == NULL;
        head.used += got > 0 ? (size_t)got : 0;
    }
    seebatch_io_stream_close(&stream);
    source->system_error = stream.system_error;
    const bool well = got < 0 ? stream.damaged : seebatch_io_take_file_header(source, &head, why);
    free(head.data);
    return well;
}

bool seebatch_io_read_file_header(struct source *source, struct bytes *why)
{
    struct stat file;
    if (source->memory != NULL || strcmp(source->name, "-") == 0)
        return true;
    if (stat(source->name, &file) == 0)
        return !S_ISREG(file.st_mode) || read_beginning(source, why);
    return seebatch_io_cannot_open(&source->system_error, why);
}

bool seebatch_io_is_regular(const char *name)
{
    struct stat file;
    return strcmp(name, "-") != 0 && stat(name, &file) == 0 && S_ISREG(file.st_mode);
}
