/*
 * Cells and names.
 *
 * In JSON lines a text is a string. A number, true or false stands as it is; what is said to be one, but is not, as an
 * infinite number, is a string, too, so that no cell can say more than its own value.
 *
 * A table has no types: a cell is its characters, in CSV in quotes where it has to be. A row is one line, though, and
 * text ends at a NUL, so that a cell with a line feed, a carriage return or a NUL, and in TSV one with a TAB, is written
 * as a string of JSON, with its quotes: "two\nlines". So is a text that looks like such a string, because it stands in
 * quotes and has a backslash as JSON has them: what a cell says is therefore never in doubt. In JSON lines, a cell of a
 * table that is such a string stands as it is.
 */
#include "cells.h"

#include "json_text.h"

/* ---- Characters -------------------------------------------------------------------------------------------------- */

/* What a character may mean to a table. */
enum { IS_END = 1, IS_TAB = 2, IS_COMMA = 4, IS_QUOTE = 8, IS_BACKSLASH = 16 };
static const uint8_t meaning_of[256] = {['\0'] = IS_END,  ['\n'] = IS_END,  ['\r'] = IS_END,      ['\t'] = IS_TAB,
                                        [','] = IS_COMMA, ['"'] = IS_QUOTE, ['\\'] = IS_BACKSLASH};

/* What the characters of a text mean, of that which is asked for. A long text is searched by the system's functions. */
static inline unsigned meanings_of(const char *text, size_t length, unsigned asked)
{
    enum { LONG = 32 };
    static const char all[] = {'\0', '\n', '\r', '\t', ',', '"', '\\'};
    unsigned meanings = 0;
    for (size_t i = 0; i < length && length < LONG; i++)
        meanings |= meaning_of[(unsigned char)text[i]];
    for (size_t k = 0; k < sizeof all && length >= LONG; k++)
        if (asked & meaning_of[(unsigned char)all[k]] && memchr(text, all[k], length) != NULL)
            meanings |= meaning_of[(unsigned char)all[k]];
    return meanings & asked;
}

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

/* Puts what was written from a place on in quotes, and doubles those in it; from its end on, where it becomes longer.
 */
static void put_in_quotes(struct bytes *out, size_t begin)
{
    size_t from = out->used, to = from + 2;
    for (size_t i = begin; i < from; i++)
        to += out->data[i] == '"';
    if (!bytes_reserve(out, to - from))
        return;
    out->used = to;
    out->data[--to] = '"';
    while (from > begin) {
        out->data[--to] = out->data[--from];
        if (out->data[from] == '"')
            out->data[--to] = '"';
    }
    out->data[begin] = '"';
}

/* What ends a row or a cell, so that it cannot be in one; and what needs quotes. */
static unsigned ends_of(const struct dialect *dialect) { return IS_END | (dialect->quotes ? 0 : IS_TAB); }
static unsigned marks_of(const struct dialect *dialect) { return dialect->quotes ? IS_COMMA | IS_QUOTE : 0; }

/* Writes a cell of one kind or another, of which it is known what its characters mean. */
static bool add(struct bytes *out, const struct dialect *dialect, struct cell cell, unsigned meanings, bool string)
{
    const size_t begin = out->used;
    const bool well = !string || seebatch_io_json_add_string(out, cell);
    if (!string)
        bytes_add(out, cell.text, cell.length);
    if (dialect->quotes && (string || meanings & marks_of(dialect)))
        put_in_quotes(out, begin);
    return well;
}

bool seebatch_io_cell_add(struct bytes *out, const struct dialect *dialect, struct cell text)
{
    const unsigned asked = ends_of(dialect) | marks_of(dialect) | IS_BACKSLASH,
                   meanings = meanings_of(text.text, text.length, asked);
    const bool string = meanings & ends_of(dialect) || (meanings & IS_BACKSLASH && seebatch_io_json_is_escaped(text));
    return add(out, dialect, text, meanings, string);
}

void seebatch_io_cell_carry(struct bytes *out, const struct dialect *dialect, struct cell cell)
{
    const unsigned meanings = meanings_of(cell.text, cell.length, ends_of(dialect) | marks_of(dialect));
    add(out, dialect, cell, meanings, meanings & ends_of(dialect));
}

/* Most cells have at most so many characters. */
enum { SHORT_CELL = 4 };

/* Without a branch on how many. Where there is none, one is written. */
static inline void put_short_cell(char *to, const char *text, size_t length)
{
    const char *from = length > 0 ? text : "";
    const size_t last = length - (length > 0), middle = last / 2, half = length / 2;
    const char at_first = from[0], at_middle = from[middle], at_half = from[half], at_last = from[last];
    to[0] = at_first;
    to[middle] = at_middle;
    to[half] = at_half;
    to[last] = at_last;
}

/* Writes cells as they are, without the end of the line; returns what their characters mean. */
static unsigned add_as_they_are(struct bytes *out, char separator, const seebatch_cell *cells, size_t n, unsigned asked)
{
    unsigned meanings = 0;
    if (!bytes_reserve(out, n * (1 + SHORT_CELL)))
        return 0;
    char *to = out->data + out->used;
    for (size_t i = 0; i < n; i++) {
        const size_t length = cells[i].length;
        *to++ = separator;
        if (length <= SHORT_CELL) {
            put_short_cell(to, cells[i].text, length);
        } else {
            out->used = (size_t)(to - out->data);
            if (!bytes_reserve(out, length + (n - i) * (1 + SHORT_CELL)))
                return 0;
            to = out->data + out->used;
            memcpy(to, cells[i].text, length);
        }
        meanings |= meanings_of(to, length, asked);
        to += length;
    }
    out->used = (size_t)(to - out->data);
    return meanings;
}

bool seebatch_io_cells_add(struct bytes *out, const struct dialect *dialect, const seebatch_cell *cells, size_t n)
{
    const size_t begin = out->used;
    const unsigned special = ends_of(dialect) | marks_of(dialect) | IS_BACKSLASH;
    bool well = true;
    if (add_as_they_are(out, dialect->separator, cells, n, special) != 0) {
        out->used = begin;
        for (size_t i = 0; i < n; i++) {
            bytes_add_char(out, dialect->separator);
            well &= seebatch_io_cell_add(out, dialect, (struct cell){cells[i].text, cells[i].length});
        }
    }
    bytes_add_char(out, '\n');
    return well;
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

bool seebatch_io_cell_to_json(struct bytes *out, struct cell cell)
{
    if (cell.length == 0 || *cell.text != '"' || !seebatch_io_json_is_escaped(cell))
        return seebatch_io_json_add_string(out, cell);
    bytes_add(out, cell.text, cell.length);
    return true;
}

bool seebatch_io_cell_add_json(struct bytes *out, seebatch_cell cell, bool text)
{
    const struct cell characters = {cell.text, cell.length};
    if (cell.length == 0 && (!cell.is_text || cell.text == NULL))
        bytes_add_string(out, "null");
    else if (text || cell.is_text || !seebatch_io_json_is_simple(characters))
        return seebatch_io_json_add_string(out, characters);
    else
        bytes_add(out, cell.text, cell.length);
    return true;
}
