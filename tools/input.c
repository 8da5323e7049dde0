/*
 * Reading of positions: a line at a time, of any length, in memory that grows with the longest line only.
 *
 * A line is a position, then optionally a TAB and moves. Whatever is wrong is reported at once as FILE:LINE: sentence,
 * and remembered for the exit status; the lines after it are read all the same.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "tool.h"

enum { INPUT_BUFFER_SIZE = 1 << 18 };

/* Standard input can be named twice, but its buffer be set only once. */
static char standard_buffer[INPUT_BUFFER_SIZE];
static bool standard_has_buffer;

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

bool input_open(struct input *input, const char *name)
{
    bool standard = strcmp(name, "-") == 0;
    memset(input, 0, sizeof *input);
    input->name = name;
    input->file = standard ? stdin : fopen(name, "rb");
    if (input->file == NULL) {
        report("%s: cannot be opened: %s", name, strerror(errno));
        return false;
    }
    input->interactive = isatty(fileno(input->file));
    if (!standard) {
        input->buffer = reallocate(NULL, INPUT_BUFFER_SIZE, 1);
        setvbuf(input->file, input->buffer, _IOFBF, INPUT_BUFFER_SIZE);
    } else if (!standard_has_buffer) {
        setvbuf(stdin, standard_buffer, _IOFBF, sizeof standard_buffer);
        standard_has_buffer = true;
    }
    return true;
}

bool input_next_line(struct input *input)
{
    errno = 0;
    ssize_t length = getline(&input->line, &input->line_capacity, input->file);
    if (length < 0) {
        if (ferror(input->file) || !feof(input->file)) {
            report("%s: cannot be read after line %llu: %s", input->name, (unsigned long long)input->line_number,
                   strerror(errno));
            input->failed = true;
        }
        return false;
    }
    input->line_number++;
    input->line_length = (size_t)length;
    if (input->line_length > 0 && input->line[input->line_length - 1] == '\n')
        input->line_length--;
    if (input->line_length > 0 && input->line[input->line_length - 1] == '\r')
        input->line_length--;
    return true;
}

bool input_fields(struct input *input, struct fields *fields)
{
    const char *line = input->line;
    const char *end = line + input->line_length;
    const char *first = line;
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

bool next_word(const char **text, const char *end, const char **word, size_t *length)
{
    const char *first = *text;
    while (first < end && is_blank(*first))
        first++;
    const char *last = first;
    while (last < end && !is_blank(*last))
        last++;
    *text = last;
    *word = first;
    *length = (size_t)(last - first);
    return first < last;
}

static void reserve_moves(struct move_list *list, size_t more)
{
    if (list->capacity - list->count >= more)
        return;
    list->capacity = (list->count + more) + (list->count + more) / 2;
    list->moves = reallocate(list->moves, list->capacity, sizeof *list->moves);
}

void input_moves(struct input *input, const struct fields *fields, const seebatch_position *position, bool all,
                 struct move_list *list)
{
    const char *rest = fields->moves, *word;
    size_t length;
    bool named = false;

    while (next_word(&rest, fields->end, &word, &length)) {
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
    list->count += all ? seebatch_legal_moves(position, end) : seebatch_legal_captures(position, end);
}

void input_error(struct input *input, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%llu: ", input->name, (unsigned long long)input->line_number);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    input->failed = true;
}

bool input_close(struct input *input)
{
    if (input->file != stdin)
        fclose(input->file);
    free(input->buffer);
    free(input->line);
    return input->failed;
}
