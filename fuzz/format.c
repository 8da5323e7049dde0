/*
 * Files of positions: every format that the tool reads, and every one that it writes them in.
 *
 * The first three bytes choose the format of the input, that of the output, and how it is read; the others are the
 * file. The formats are the rows of the tool's own table, so that a new one is fuzzed from the day it is there. It must
 * hold for all of them, whatever the bytes:
 *
 *   The tool ends with status 0 or 1, with 1 only after a sentence, and says nothing that a terminal might obey.
 *   Threads, and the places where the input happens to be cut into blocks, change neither records nor error reports.
 *   Nor do blank lines between others, which keep lines from being read many at a time, but for the lines' numbers.
 *   What was written is read again without an error report, and written the same.
 */
#include "formats/format.h"
#include "tool_run.h"

#include "tool.h"

#include <ctype.h>

enum { STRICT = 1, ANNOTATE = 2, STATS = 4, IN_PARTS = 8, BY_GZIP = 16, BY_ZSTD = 32, SPREAD = 64 };

/* A further row in the table leaves those before it their numbers. */
static const char *format_name(unsigned choice)
{
    enum { ROOM = 32 };
    const struct file_format *format = seebatch_io_format_at(choice % ROOM);
    return (format != NULL ? format : seebatch_io_format_at(0))->name;
}

/* Runs a command on the bytes. */
static void run(const char *command, const char *from, const char *to, const char *threads, unsigned how, size_t part,
                const void *bytes, size_t n, struct tool_result *result)
{
    const char *const name = how & BY_GZIP ? "in.gz" : how & BY_ZSTD ? "in.zst" : "-";
    const char *arguments[16] = {command, "--quiet", "--from", from, "--threads", threads};
    int n_arguments = 6;
    if (to != NULL) {
        arguments[n_arguments++] = "--to";
        arguments[n_arguments++] = to;
    }
    if (how & STRICT)
        arguments[n_arguments++] = "--strict";
    arguments[n_arguments++] = name;
    if (how & (BY_GZIP | BY_ZSTD))
        tool_file(name, bytes, n);
    tool_run((char *const *)(uintptr_t)arguments, n_arguments, bytes, n, part, result);
}

static void check_message(const struct tool_result *result)
{
    REQUIRE(result->status == STATUS_OK || result->status == STATUS_ERROR || result->status == STATUS_USAGE,
            "status %d", result->status);
    REQUIRE(result->status == STATUS_OK || result->n_error > 0, "status %d and not a word", result->status);
    for (size_t i = 0; i < result->n_error; i++)
        REQUIRE(isprint((unsigned char)result->error[i]) || result->error[i] == '\n', "byte %zu is %d", i,
                result->error[i]);
}

static bool same_bytes(const struct tool_result *a, const struct tool_result *b)
{
    return a->n_out == b->n_out && memcmp(a->out, b->out, a->n_out) == 0;
}

/* Files of one format that hold the same records; bytes may differ where the format has blocks of its own, which are
 * the pipeline's. */
static void require_same(const char *format, const struct tool_result *a, const struct tool_result *b, const char *what)
{
    struct tool_result lines[2];
    REQUIRE(a->status == b->status, "%s: status %d and %d\n%s\n%s", what, a->status, b->status, a->error, b->error);
    if (same_bytes(a, b))
        return;
    run("filter", format, "jsonl", "1", 0, 0, a->out, a->n_out, &lines[0]);
    run("filter", format, "jsonl", "1", 0, 0, b->out, b->n_out, &lines[1]);
    if (!same_bytes(&lines[0], &lines[1]))
        fprintf(stderr, "once:\n%s%s\nagain:\n%s%s\n", a->error, lines[0].out, b->error, lines[1].out);
    REQUIRE(same_bytes(&lines[0], &lines[1]), "%s: other records", what);
    tool_result_free(&lines[0]);
    tool_result_free(&lines[1]);
}

static int order_of_lines(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* What was said, line by line, in the order of the alphabet. Within a block, what cannot be written is reported
 * after what cannot be read, so that the order may depend on where the blocks begin. */
static size_t sorted_lines(struct tool_result *result, const char *lines[], size_t room)
{
    size_t n = 0;
    for (char *line = strtok(result->error, "\n"); line != NULL && n < room; line = strtok(NULL, "\n"))
        lines[n++] = line;
    qsort(lines, n, sizeof *lines, order_of_lines);
    return n;
}

static void require_same_error_reports(struct tool_result *a, struct tool_result *b)
{
    enum { MOST_LINES = 1024 };
    const char *lines[2][MOST_LINES];
    REQUIRE(a->n_error == b->n_error, "other errors, once:\n%sagain:\n%s", a->error, b->error);
    const size_t n = sorted_lines(a, lines[0], MOST_LINES), m = sorted_lines(b, lines[1], MOST_LINES);
    for (size_t i = 0; i < n && i < m; i++)
        REQUIRE(strcmp(lines[0][i], lines[1][i]) == 0, "other errors:\n%s\n%s", lines[0][i], lines[1][i]);
}

/* Written, read and written again. */
static void check_written(const char *format, const struct tool_result *written)
{
    struct tool_result again;
    if (written->n_out == 0)
        return;
    const struct tool_result well = {STATUS_OK, written->out, written->error, written->n_out, written->n_error};
    run("filter", format, format, "1", 0, 0, written->out, written->n_out, &again);
    if (again.status != STATUS_OK)
        fprintf(stderr, "%s", again.error);
    REQUIRE(again.status == STATUS_OK, "what was written as %s is not read: status %d", format, again.status);
    require_same(format, &well, &again, "written, read and written again");
    tool_result_free(&again);
}

static size_t count_lines(const char *text, size_t n)
{
    size_t lines = 0;
    for (size_t i = 0; i < n; i++)
        lines += text[i] == '\n';
    return lines;
}

/* A blank line behind each. */
static void check_spread(const char *from, const char *to, unsigned how, const uint8_t *bytes, size_t n,
                         const struct tool_result *once)
{
    const struct file_format *format = seebatch_io_format_named(from);
    struct tool_result spread;
    uint8_t *more = malloc(2 * n + 1);
    size_t used = 0;
    if (more == NULL || format->binary || format->chained) {
        free(more);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        more[used++] = bytes[i];
        if (bytes[i] == '\n')
            more[used++] = '\n';
    }
    run("filter", from, to, "1", how, 0, more, used, &spread);
    require_same(to, once, &spread, "spread");
    REQUIRE(count_lines(once->error, once->n_error) == count_lines(spread.error, spread.n_error),
            "spread, other errors:\n%s\n%s", once->error, spread.error);
    tool_result_free(&spread);
    free(more);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { CHOICES = 3 };
    if (size < CHOICES)
        return 0;
    const char *from = format_name(data[0]), *to = format_name(data[1]);
    const unsigned how = data[2];
    const uint8_t *bytes = data + CHOICES;
    const char *command = how & STATS ? "stats" : how & ANNOTATE ? "annotate" : "filter";
    const size_t n = size - CHOICES, part = how & IN_PARTS ? 1 + n % 7 : 1 + n / 3;
    struct tool_result once, again;
    if (how & STATS)
        to = NULL;

    run(command, from, to, "1", how, 0, bytes, n, &once);
    check_message(&once);
    if (once.status != STATUS_USAGE) {
        run(command, from, to, "3", how, part, bytes, n, &again);
        check_message(&again);
        if (to != NULL)
            require_same(to, &once, &again, "threads and blocks");
        else
            REQUIRE(once.status == again.status && same_bytes(&once, &again), "threads and blocks: other statistics");
        if (to != NULL)
            check_written(to, &once);
        if (how == SPREAD)
            check_spread(from, to, how, bytes, n, &once);
        require_same_error_reports(&once, &again);
        tool_result_free(&again);
    }
    tool_result_free(&once);
    return 0;
}
