/*
 * Reads text line by line, for every format of lines. bulk_records.c reads many lines at a time and leaves the
 * unusual ones to these functions.
 */
#include "format.h"

size_t seebatch_io_whole_lines(const char *bytes, size_t length)
{
    while (length > 0 && bytes[length - 1] != '\n')
        length--;
    return length;
}

size_t seebatch_io_line_boundary(const char *bytes, size_t length)
{
    const char *lf = length > 0 ? memchr(bytes, '\n', length) : NULL;
    return lf != NULL ? (size_t)(lf + 1 - bytes) : 0;
}

static bool is_blank(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at == end;
}

/* Begins a record with the next line, whose LF is found; false where it is none. */
static bool take_line(struct cursor *cursor, bool comments, const char *lf, struct record *record, const char **end)
{
    const char *line = cursor->at;
    record->line = ++cursor->line;
    record->has = 0;
    record->game = record->within = 0;
    record->bytes = line;
    record->offset = (uint64_t)(line - cursor->block->in.data);
    cursor->at = lf + 1;
    record->length = (size_t)(lf - line);
    *end = lf > line && lf[-1] == '\r' ? lf - 1 : lf;
    return !(comments && *line == '#') && ((unsigned char)*line > ' ' || !is_blank(line, *end));
}

bool seebatch_io_is_whole_text(const struct cursor *cursor, const struct record *record, const char *text,
                               size_t length)
{
    const char *nul = cursor->nul ? memchr(text, '\0', length) : NULL;
    if (nul == NULL)
        return true;
    seebatch_io_report_error(cursor->block, record,
                             "byte %zu of the line is NUL, expected text: a part of the file may have been lost here",
                             (size_t)(nul - text) - seebatch_io_whole_lines(text, (size_t)(nul - text)) + 1);
    seebatch_io_skip_damage(cursor->block, length, 0);
    return false;
}

bool seebatch_io_next_record_line(struct cursor *cursor, bool comments, struct record *record, const char **end)
{
    while (cursor->at < cursor->end) {
        const char *lf = memchr(cursor->at, '\n', (size_t)(cursor->end - cursor->at));
        if (take_line(cursor, comments, lf, record, end))
            return true;
        if (!seebatch_io_is_whole_text(cursor, record, record->bytes, record->length) && cursor->strict)
            cursor->at = cursor->end;
    }
    return false;
}

bool seebatch_io_read_lines(struct cursor *cursor, struct batch *batch, bool comments, read_line_function *read_line)
{
    struct block *block = cursor->block;
    const bool ply = cursor->source->wanted & FIELD_PLY;
    const char *end;
    batch->n = 0;
    while (batch->n < BATCH_SIZE) {
        struct record *record = &batch->records[batch->n];
        seebatch_position *position = &batch->positions[batch->n];
        if (!seebatch_io_next_record_line(cursor, comments, record, &end))
            break;
        if (read_line(block, record, position, end)) {
            if (ply)
                seebatch_io_ply_of_fen(record, position);
            batch->n++;
        } else if (cursor->strict) {
            cursor->at = cursor->end;
        }
    }
    return batch->n > 0;
}

bool seebatch_io_read_position_of_line(struct block *block, struct record *record, seebatch_position *position,
                                       const char *end)
{
    const char *line = record->bytes, *tab = memchr(line, '\t', (size_t)(end - line));
    return seebatch_io_read_position(block, record, position, line, (size_t)((tab != NULL ? tab : end) - line));
}

bool seebatch_io_read_moves_of_line(struct block *block, struct record *record, seebatch_position *position,
                                    const char *end)
{
    const char *at = record->fen + record->fen_length, *word;
    size_t length;
    if (!seebatch_io_next_word(&at, end, &word, &length))
        return true;
    if (!seebatch_io_read_move(block, record, position, word, length))
        return false;
    record->has |= seebatch_io_next_word(&at, end, &word, &length) ? FIELD_MOVES : 0;
    return true;
}
