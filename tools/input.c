/*
 * Reading of positions: a line at a time, in memory that grows with the longest line, up to a limit: what is longer is
 * no line of positions, but the wrong kind of file. Files of other formats come record by record (records.c), as if
 * each were a line with its FEN.
 *
 * A line is a position, then optionally a TAB and moves. Whatever is wrong is reported at once as FILE:LINE: sentence,
 * and remembered for the exit status; the lines after it are read all the same.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool.h"

enum { FIRST_CAPACITY = 1 << 18, LONGEST_SENTENCE = 2048 };

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* Reads more bytes after those that are there, making room for them; false, and reported, if that fails. */
static bool read_more(struct input *input)
{
    struct bytes why = {0};
    memmove(input->buffer, input->buffer + input->next, input->end - input->next);
    input->end -= input->next;
    input->next = 0;
    if (input->end == input->capacity) {
        input->capacity *= 2;
        input->buffer = reallocate(input->buffer, input->capacity, 1);
    }
    const long got =
        seebatch_io_stream_read(&input->stream, input->buffer + input->end, input->capacity - input->end, &why);
    if (got < 0) {
        char after[64] = "";
        if (input->line_number > 0)
            snprintf(after, sizeof after, "after line %llu: ", (unsigned long long)input->line_number);
        report("%s: %s%.*s", input->name, after, (int)why.used, why.data);
        free(why.data);
        input->failed = true;
        return false;
    }
    input->ended = got == 0;
    input->end += (size_t)got;
    return true;
}

/* ---- Files ------------------------------------------------------------------------------------------------------ */

/* A pipe or device is not opened, because that may wait for its writer, or take what it has to give. */
static bool can_be_opened(const char *name)
{
    struct stat file;
    int error = stat(name, &file) != 0 ? errno : S_ISDIR(file.st_mode) ? EISDIR : 0;
    if (error == 0 && S_ISREG(file.st_mode)) {
        const int descriptor = open(name, O_RDONLY | O_CLOEXEC);
        error = descriptor < 0 ? errno : 0;
        if (descriptor >= 0)
            close(descriptor);
    } else if (error == 0 && access(name, R_OK) != 0) {
        error = errno;
    }
    if (error != 0)
        report("%s: cannot be opened: %s", name, strerror(error));
    return error == 0;
}

static bool can_be_read(void)
{
    struct bytes why = {0};
    const bool closed = seebatch_io_standard_input_is_closed(&why);
    if (closed)
        report("-: %.*s", (int)why.used, why.data);
    free(why.data);
    return !closed;
}

bool file_exists(const char *name, struct stat *file)
{
    if (stat(name, file) == 0)
        return true;
    if (errno != ENOENT && errno != ENOTDIR) {
        report("%s: cannot be opened: %s", name, strerror(errno));
        exit(STATUS_ERROR);
    }
    return false;
}

/* The name among those of the input that means this file, through links too; NULL if none does. */
static const char *input_that_is(const struct stat *wanted, char *const *names, int n)
{
    struct stat file;
    for (int i = 0; i < n; i++)
        if ((strcmp(names[i], "-") == 0 ? fstat(STDIN_FILENO, &file) == 0 : file_exists(names[i], &file)) &&
            file.st_dev == wanted->st_dev && file.st_ino == wanted->st_ino)
            return names[i];
    return NULL;
}

/* Whether a file has a mark near its beginning, as pictures have, so that this may be one that is drawn again. Ends the program with status 1 if
 * it cannot be read. */
static bool begins_with(const char *name, const char *mark)
{
    enum { BEGINNING = 1024 };
    char text[BEGINNING + 1] = "";
    struct bytes why = {0};
    struct stream stream;
    size_t length = 0;
    long got = seebatch_io_stream_open(&stream, name, &why) ? 1 : -1;
    while (got > 0 && length < BEGINNING) {
        got = seebatch_io_stream_read(&stream, text + length, BEGINNING - length, &why);
        length += got > 0 ? (size_t)got : 0;
    }
    if (got < 0) {
        report("%s: %.*s", name, (int)why.used, why.data);
        exit(STATUS_ERROR);
    }
    seebatch_io_stream_close(&stream);
    return strstr(text, mark) != NULL;
}

void inputs_check_picture(const char *command, const char *option, const char *picture, const char *kind,
                          const char *mark, char *const *names, int n)
{
    struct stat file;
    if (!file_exists(picture, &file) || !S_ISREG(file.st_mode))
        return;
    if (input_that_is(&file, names, n) != NULL)
        usage_error(command, "%s: '%s' is a file of the input, expected another name", option, picture);
    if (file.st_size > 0 && !begins_with(picture, mark))
        usage_error(command, "%s: '%s' exists and is not an %s file, expected another name; or remove that file first",
                    option, picture, kind);
}

void inputs_check(const char *command, char *const *names, int n, bool writes_standard_output)
{
    struct stat output;
    bool well = true;
    writes_standard_output &= fstat(STDOUT_FILENO, &output) == 0 && S_ISREG(output.st_mode);
    const char *both = writes_standard_output ? input_that_is(&output, names, n) : NULL;
    if (both != NULL)
        usage_error(command, "%s: this file of the input is standard output too, expected another one", both);
    for (int i = 0; i < n; i++)
        well = (strcmp(names[i], "-") == 0 ? can_be_read() : can_be_opened(names[i])) && well;
    if (!well)
        exit(STATUS_ERROR);
}

/* Passes over a byte order mark, which says that the text is UTF-8. False, and why, if the file is no text. */
static bool take_file_header(struct input *input, struct bytes *why)
{
    static const char mark[] = "\xef\xbb\xbf";
    enum { MARK_LENGTH = sizeof mark - 1, LEAST_BEGINNING = 4 };
    while (input->end < LEAST_BEGINNING && !input->ended && !input->interactive) {
        if (!read_more(input)) {
            input->failed_reading = true;
            return true; /* and no line will come */
        }
    }
    if (input->end >= MARK_LENGTH && memcmp(input->buffer, mark, MARK_LENGTH) == 0)
        input->next = MARK_LENGTH;
    return seebatch_io_may_be(true, input->buffer, input->end, why);
}

bool input_open(struct input *input, const char *name)
{
    struct bytes why = {0};
    memset(input, 0, sizeof *input);
    input->name = name;
    bool well = seebatch_io_stream_open(&input->stream, name, &why);
    if (well) {
        input->interactive = input->stream.interactive;
        input->capacity = FIRST_CAPACITY;
        input->buffer = reallocate(NULL, input->capacity, 1);
        well = take_file_header(input, &why);
        if (!well)
            input_close(input);
    }
    if (!well)
        report("%s: %.*s", name, (int)why.used, why.data);
    free(why.data);
    return well;
}

/* FEN and EPD are what these commands read line by line, with the moves after a TAB and nothing else. */
static bool is_lines(const seebatch_file_format *format)
{
    return strcmp(format->name, "fen") == 0 || strcmp(format->name, "epd") == 0;
}

bool input_has_records(const char *name, const struct options *options, seebatch_file_format *format)
{
    if (options->from != NULL)
        return seebatch_format_named(options->from, format) && !is_lines(format);
    if (!seebatch_format_of_file(name, format) || is_lines(format))
        return false;
    return !options->tables_are_lines || (strcmp(format->name, "csv") != 0 && strcmp(format->name, "tsv") != 0);
}

bool input_open_any(struct input *input, const char *name, const struct options *options)
{
    seebatch_file_format format;
    if (!input_has_records(name, options, &format))
        return input_open(input, name);
    memset(input, 0, sizeof *input);
    input->name = name;
    return records_open(input, &format);
}

/* The bytes up to the next LF or the end of the file, at most LONGEST_LINE + 1 of them; NULL after an error of reading,
 * and where there is nothing more. */
static char *next_bytes(struct input *input, size_t *length, bool *has_lf)
{
    size_t looked_at = 0;
    for (;;) {
        char *first = input->buffer + input->next, *lf = NULL;
        const size_t there = input->end - input->next;
        if (there > looked_at)
            lf = memchr(first + looked_at, '\n', there - looked_at);
        *has_lf = lf != NULL;
        *length = lf != NULL ? (size_t)(lf - first) : there;
        if (*length > LONGEST_LINE)
            *length = LONGEST_LINE + 1;
        if (lf != NULL || *length > LONGEST_LINE || (input->ended && there > 0))
            return first;
        looked_at = there;
        if (input->ended || input->failed_reading || !read_more(input)) {
            input->failed_reading |= !input->ended;
            return NULL;
        }
    }
}

/* Passes over the rest of a line that is too long. */
static void skip_rest(struct input *input)
{
    for (;;) {
        const char *first = input->buffer + input->next;
        const char *lf = memchr(first, '\n', input->end - input->next);
        input->next = lf != NULL ? (size_t)(lf + 1 - input->buffer) : input->end;
        if (lf != NULL || input->ended)
            return;
        if (!read_more(input)) {
            input->failed_reading = true;
            return;
        }
    }
}

bool input_next_line(struct input *input)
{
    size_t length;
    bool has_lf;
    if (input->records != NULL)
        return records_next(input);
    while ((input->line = next_bytes(input, &length, &has_lf)) != NULL) {
        input->line_number++;
        if (length <= LONGEST_LINE) {
            input->next += length + has_lf;
            if (!has_lf)
                fprintf(stderr,
                        "%s:%llu: warning: the last line has no line feed at its end, the file may have been cut off\n",
                        input->name, (unsigned long long)input->line_number);
            input->line_length = length - (length > 0 && input->line[length - 1] == '\r');
            return true;
        }
        input->too_long++;
        input_error(input, "the line has more than %d bytes, expected a position and moves", LONGEST_LINE);
        skip_rest(input);
    }
    return false;
}

bool input_fields(struct input *input, struct fields *fields)
{
    const char *line = input->line;
    const char *end = line + input->line_length;
    const char *first = line;
    if (input->records != NULL) {
        *fields = (struct fields){line, input->line_length, end, end};
        return true;
    }
    while (first < end && is_blank(*first))
        first++;
    if (first == end || *line == '#')
        return false;

    const char *nul = memchr(line, '\0', input->line_length);
    if (nul != NULL) {
        input_error(input, "byte %zu of the line is NUL, expected text", (size_t)(nul - line) + 1);
        return false;
    }
    const char *tab = memchr(line, '\t', input->line_length);
    fields->position = line;
    fields->position_length = tab == NULL ? input->line_length : (size_t)(tab - line);
    fields->moves = tab == NULL ? end : tab + 1;
    fields->end = end;
    return true;
}

bool input_position(const struct input *input, const struct fields *fields, seebatch_position *position,
                    seebatch_error *error)
{
    const struct record_fields *record = input_record(input);
    if (record == NULL)
        return seebatch_position_from_fen(fields->position, fields->position_length, position, error) == SEEBATCH_OK;
    *position = *record->position;
    return true;
}

static void reserve_moves(struct move_list *list, size_t more)
{
    if (list->capacity - list->count >= more)
        return;
    list->capacity = (list->count + more) + (list->count + more) / 2;
    list->moves = reallocate(list->moves, list->capacity, sizeof *list->moves);
}

void input_moves(struct input *input, const struct fields *fields, const seebatch_position *position,
                 const struct options *options, struct move_list *list)
{
    const struct record_fields *record = input_record(input);
    const char *rest = fields->moves, *word;
    size_t length;
    bool named = false;

    while (seebatch_io_next_word(&rest, fields->end, &word, &length)) {
        seebatch_error error;
        named = true;
        reserve_moves(list, 1);
        if (seebatch_move_from_text(position, word, length, &list->moves[list->count], &error) == SEEBATCH_OK)
            list->count++;
        else
            input_error(input, "%s", error.text);
    }
    if (named)
        return;
    reserve_moves(list, SEEBATCH_MAX_MOVES);
    seebatch_move *end = list->moves + list->count;
    if (record != NULL && record->has & SEEBATCH_HAS_MOVE && !options->has_moves) {
        *end = record->move;
        list->count++;
        return;
    }
    list->count += options->all_moves ? seebatch_legal_moves(position, end) : seebatch_legal_captures(position, end);
}

bool input_shows_error(struct input *input, const char *sentence, size_t length, uint64_t line)
{
    input->failed = true;
    input->error_reports++;
    if (seebatch_io_repeats_note(&input->repeats, sentence, length, false, 1, line, line))
        return false;
    const bool shown = input->shown < MOST_ERROR_REPORTS;
    input->shown += shown;
    input->hidden += !shown;
    return shown;
}

void input_error(struct input *input, const char *format, ...)
{
    char text[LONGEST_SENTENCE];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const size_t known = length < 0 ? 0 : (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
    if (!input_shows_error(input, text, known, input->line_number))
        return;
    if (input->records != NULL)
        records_place(input, stderr);
    else
        fprintf(stderr, "%s:%llu: ", input->name, (unsigned long long)input->line_number);
    fprintf(stderr, "%s\n", text);
}

/* Says which error reports were repeated, and how many are not shown. */
static void tell_rest(struct input *input)
{
    char text[REPEAT_SIZE];
    for (size_t i = 0; i < input->repeats.n; i++) {
        const char *place = input->records != NULL && records_are_binary(input) ? "record" : "line";
        if (seebatch_io_repeat_text(&input->repeats.list[i], place, text) > 0)
            fprintf(stderr, "%s: %s\n", input->name, text);
    }
    if (input->hidden > 0)
        fprintf(stderr, "%s: %llu errors, %llu of them are not shown\n", input->name,
                (unsigned long long)input->error_reports, (unsigned long long)input->hidden);
    free(input->repeats.texts.data);
}

bool input_close(struct input *input)
{
    if (input->records != NULL)
        records_end(input);
    tell_rest(input);
    if (input->records != NULL)
        records_close(input);
    else
        seebatch_io_stream_close(&input->stream);
    free(input->buffer);
    return input->failed;
}
