/*
 * Standard output through a buffer of its own. The tool writes millions of short rows; formatted by hand they cost a few
 * copies each. Errors are found here and nowhere else: a full disk at the moment of writing or of closing, or a reader
 * that has gone.
 *
 * JSON is built by jansson and written here; what stands in it as text must be UTF-8.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "tool.h"

/* A reader that has gone (head, less) usually ends the program by SIGPIPE; where that signal is ignored it is an error
 * like any other, but not one to talk about. */
static _Noreturn void give_up(void)
{
    if (errno != EPIPE)
        report("standard output cannot be written: %s", strerror(errno));
    exit(STATUS_ERROR);
}

static void write_all(const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(STDOUT_FILENO, bytes, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            give_up();
        bytes += written;
        length -= (size_t)written;
    }
}

void output_flush(struct output *output)
{
    write_all(output->bytes, output->used);
    output->used = 0;
}

void output_bytes(struct output *output, const char *bytes, size_t length)
{
    if (length > OUTPUT_SIZE - output->used) {
        output_flush(output);
        if (length > OUTPUT_SIZE) {
            write_all(bytes, length);
            return;
        }
    }
    if (length == 0) /* of nothing, bytes may be NULL */
        return;
    memcpy(output->bytes + output->used, bytes, length);
    output->used += length;
}

void output_string(struct output *output, const char *string) { output_bytes(output, string, strlen(string)); }

void output_int(struct output *output, int value)
{
    char digits[16];
    char *first = digits + sizeof digits;
    unsigned rest = value < 0 ? 0u - (unsigned)value : (unsigned)value;
    do {
        *--first = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0)
        *--first = '-';
    output_bytes(output, first, (size_t)(digits + sizeof digits - first));
}

void output_printf(struct output *output, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length >= 0) {
        char *text = reallocate(NULL, (size_t)length + 1, 1);
        vsnprintf(text, (size_t)length + 1, format, again);
        output_bytes(output, text, (size_t)length);
        free(text);
    }
    va_end(again);
}

void output_finish(struct output *output)
{
    output_flush(output);
    /* Some file systems report a full disk only here. EINTR is no such report. */
    if (close(STDOUT_FILENO) != 0 && errno != EINTR)
        give_up();
}

struct move_text move_text(enum notation notation, const seebatch_position *position, seebatch_move move)
{
    struct move_text move_text;
    if (notation == NOTATION_SAN)
        seebatch_move_to_san(position, move, move_text.text);
    else
        seebatch_move_to_uci(move, move_text.text);
    return move_text;
}

void output_whole(const char *string)
{
    static struct output output;
    output_string(&output, string);
    output_finish(&output);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

void output_json(struct output *output, json_t *json, size_t flags)
{
    char *text = json_dumps(json, flags);
    json_decref(json);
    if (text == NULL) {
        report("out of memory for the JSON text");
        exit(STATUS_ERROR);
    }
    output_string(output, text);
    output_string(output, "\n");
    free(text);
}
