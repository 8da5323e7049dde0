/*
 * Tables: CSV and TSV, a record a line, with a header that names the columns.
 *
 * The columns fen (or position), move, score, result and ply are known, in capitals or not; fen must be there. Others
 * are passed over, and kept where a row is copied. Every row has as many cells as the header, which a row that was cut
 * off rarely has. In CSV a cell may stand in quotes, with quotes doubled in it, but holds no line end; in TSV every
 * character stands for itself.
 */
#include <stdlib.h>
#include <strings.h>

#include "../../src/quote.h"
#include "pipeline.h"

struct dialect {
    char separator;
    bool quotes;
};
static const struct dialect csv = {',', true}, tsv = {'\t', false};

static const struct dialect *dialect_of(const struct file_format *format)
{
    return format == &csv_format ? &csv : &tsv;
}

/* ---- Cells ------------------------------------------------------------------------------------------------------ */

/* A cell in quotes, from behind the first on; doubled quotes are made single in scratch. False if it does not end. */
static bool take_quoted(const char **at, const char *end, struct bytes *scratch, struct cell *cell)
{
    const char *first = *at;
    size_t begin = scratch->used;
    for (;;) {
        const char *quote = first < end ? memchr(first, '"', (size_t)(end - first)) : NULL;
        if (quote == NULL)
            return false;
        bool doubled = quote + 1 < end && quote[1] == '"';
        if (!doubled && scratch->used == begin) {
            *cell = (struct cell){first, (size_t)(quote - first)};
        } else {
            bytes_add(scratch, first, (size_t)(quote - first) + doubled);
            *cell = (struct cell){scratch->data + begin, scratch->used - begin};
        }
        first = quote + 1 + doubled;
        if (!doubled) {
            *at = first;
            return true;
        }
    }
}

/* Takes a cell and the separator behind it, if there is one: then *more is true. */
static bool take_cell(const struct dialect *dialect, const char **at, const char *end, struct bytes *scratch,
                      struct cell *cell, bool *more)
{
    if (dialect->quotes && *at < end && **at == '"') {
        ++*at;
        if (!take_quoted(at, end, scratch, cell) || (*at < end && **at != dialect->separator))
            return false;
    } else {
        const char *separator = *at < end ? memchr(*at, dialect->separator, (size_t)(end - *at)) : NULL;
        *cell = (struct cell){*at, (size_t)((separator != NULL ? separator : end) - *at)};
        *at += cell->length;
    }
    *more = *at < end;
    *at += *more;
    return true;
}

/* ---- The header ------------------------------------------------------------------------------------------------- */

static size_t without_cr(const struct bytes *line)
{
    return line->used > 0 && line->data[line->used - 1] == '\r' ? line->used - 1 : line->used;
}

/* The place in the layout for a column's name, in capitals or not; NULL for one that is not known. */
static int *known_column(struct layout *layout, struct cell name)
{
    static const char *const names[] = {"fen", "position", "move", "score", "result", "ply"};
    int *const places[] = {&layout->fen, &layout->fen, &layout->move, &layout->score, &layout->result, &layout->ply};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strlen(names[i]) == name.length && strncasecmp(names[i], name.text, name.length) == 0)
            return places[i];
    return NULL;
}

static bool read_header(struct source *source, seebatch_error *error)
{
    struct layout *layout = &source->layout;
    struct bytes scratch = {NULL, 0, 0};
    const char *at = source->header.data, *end = at + without_cr(&source->header);
    bool more = true, well = true;
    *layout = (struct layout){0, -1, -1, -1, -1, -1};
    while (more && well) {
        struct cell name;
        well = take_cell(dialect_of(source->format), &at, end, &scratch, &name, &more);
        int *place = well ? known_column(layout, name) : NULL;
        if (!well) {
            snprintf(error->text, sizeof error->text, "a quote in the header has no end, expected names of columns");
        } else if (place != NULL && *place >= 0) {
            well = false;
            snprintf(error->text, sizeof error->text, "the header names '%s' twice (fen and position are the same)",
                     see_quote(name.text, name.length).text);
        } else if (is_added(source->target, name)) {
            well = false;
            snprintf(error->text, sizeof error->text, "it has a column '%s' already, expected to add one of that name",
                     see_quote(name.text, name.length).text);
        } else if (place != NULL) {
            *place = layout->n_columns;
        }
        layout->n_columns++;
    }
    if (well && layout->fen < 0) {
        well = false;
        snprintf(error->text, sizeof error->text,
                 "the header '%s' has no column fen or position, expected names of columns in the first line",
                 see_quote(source->header.data, without_cr(&source->header)).text);
    }
    source->fields = (layout->move >= 0 ? FIELD_MOVE : 0u) | (layout->score >= 0 ? FIELD_SCORE : 0u) |
                     (layout->result >= 0 ? FIELD_RESULT : 0u) | (layout->ply >= 0 ? FIELD_PLY : 0u);
    for (unsigned field = 1, known = 1; field <= FIELD_OTHER; field <<= 1) {
        known += (source->fields & field) != 0;
        if (field == FIELD_OTHER && layout->n_columns > (int)known)
            source->fields |= FIELD_OTHER;
    }
    free(scratch.data);
    return well;
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

/* Takes a row apart; its known cells, by field, the position's last. */
enum { CELL_FEN = N_FIELDS, N_CELLS };
static bool take_row(struct block *block, struct record *record, const char *end, struct cell cells[N_CELLS])
{
    const struct layout *layout = &block->source->layout;
    const struct dialect *dialect = dialect_of(block->source->format);
    const int places[N_CELLS] = {layout->move, layout->score, layout->result, layout->ply, layout->fen};
    const char *at = record->bytes;
    bool more = true;
    int n = 0;
    for (; more; n++) {
        struct cell cell;
        if (!take_cell(dialect, &at, end, &block->scratch, &cell, &more)) {
            complain(block, record,
                     "cell %d begins with a quote that does not end on this line, or has text behind it, expected "
                     "\"...\" without a line end",
                     n + 1);
            return false;
        }
        for (int i = 0; i < N_CELLS; i++)
            if (places[i] == n)
                cells[i] = cell;
    }
    if (n != layout->n_columns) {
        complain(block, record, "the row has %d cell%s, expected %d as in the header", n, n == 1 ? "" : "s",
                 layout->n_columns);
        return false;
    }
    return true;
}

static bool read_row(struct block *block, struct record *record, seebatch_position *position, const char *end)
{
    struct cell cells[N_CELLS] = {{NULL, 0}};
    if (!take_row(block, record, end, cells) ||
        !read_position(block, record, position, cells[CELL_FEN].text, cells[CELL_FEN].length))
        return false;
    const struct cell move = cells[0], score = cells[1], result = cells[2], ply = cells[3];
    return (move.length == 0 || read_move(block, record, position, move.text, move.length)) &&
           (score.length == 0 || read_score(block, record, score.text, score.length)) &&
           (result.length == 0 || read_result(block, record, result.text, result.length)) &&
           (ply.length == 0 || read_ply(block, record, ply.text, ply.length));
}

static bool read_rows(struct cursor *cursor, struct batch *batch)
{
    bytes_reserve(&cursor->block->scratch, cursor->block->in.used); /* so that it does not move */
    return read_lines(cursor, batch, false, read_row);
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

static void add_cell(struct bytes *out, const struct dialect *dialect, struct cell cell)
{
    bool quoted = false;
    if (dialect->quotes)
        for (size_t i = 0; i < cell.length; i++)
            quoted |= cell.text[i] == '"' || cell.text[i] == dialect->separator || cell.text[i] == '\r';
    if (cell.length > 0 && !quoted && memchr(cell.text, dialect->separator, cell.length) == NULL) {
        bytes_add(out, cell.text, cell.length);
        return;
    }
    if (quoted)
        bytes_add_char(out, '"');
    for (size_t i = 0; i < cell.length; i++) {
        if (quoted && cell.text[i] == '"')
            bytes_add_char(out, '"');
        bytes_add_char(out, cell.text[i] == dialect->separator && !quoted ? ' ' : cell.text[i]); /* a TAB in TSV */
    }
    if (quoted)
        bytes_add_char(out, '"');
}

static void begin_table(struct bytes *out, const struct target *target)
{
    const struct dialect *dialect = dialect_of(target->format);
    const struct source *first = target->first;
    if (first->format == target->format) {
        bytes_add(out, first->header.data, target->n_added == 0 ? first->header.used : without_cr(&first->header));
    } else {
        bytes_add_string(out, "fen");
        for (unsigned field = 1; field < 1 << N_FIELDS; field <<= 1) {
            if (target->fields & field) {
                bytes_add_char(out, dialect->separator);
                bytes_add_string(out, field_name(field));
            }
        }
    }
    for (size_t i = 0; i < target->n_added; i++) {
        bytes_add_char(out, dialect->separator);
        bytes_add_string(out, target->added[i].name);
    }
    bytes_add_char(out, '\n');
}

static bool write_row(struct block *block, const struct target *target, const struct record *record,
                      const seebatch_position *position, const struct cell *cells, const char **why)
{
    struct bytes *out = &block->out;
    const struct dialect *dialect = dialect_of(target->format);
    char room[SEEBATCH_FEN_SIZE];
    (void)why;
    if (block->source->format == target->format) {
        bool cr = record->length > 0 && record->bytes[record->length - 1] == '\r';
        bytes_add(out, record->bytes, record->length - cr);
    } else {
        add_cell(out, dialect, text_of_position(record, position, room));
        for (unsigned field = 1; field < 1 << N_FIELDS; field <<= 1) {
            if (target->fields & field) {
                struct cell text = text_of_field(record, field, room);
                bytes_add_char(out, dialect->separator);
                bytes_add(out, text.text, text.length);
            }
        }
    }
    for (size_t i = 0; i < target->n_added; i++) {
        bytes_add_char(out, dialect->separator);
        add_cell(out, dialect, cells[i]);
    }
    bytes_add_char(out, '\n');
    return true;
}

const struct file_format csv_format = {
    .name = "csv",
    .endings = {".csv"},
    .what = "CSV with a header: fen, move, score, result, ply, others",
    .fields = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_PLY,
    .implies_ply = true,
    .keeps_text = true,
    .holds_more = true,
    .read_header = read_header,
    .whole = whole_lines,
    .boundary = line_boundary,
    .read = read_rows,
    .begin = begin_table,
    .write = write_row,
    .loses = loses_ply,
};

const struct file_format tsv_format = {
    .name = "tsv",
    .endings = {".tsv"},
    .what = "the same, separated by TABs, without quotes",
    .fields = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_PLY,
    .implies_ply = true,
    .keeps_text = true,
    .holds_more = true,
    .read_header = read_header,
    .whole = whole_lines,
    .boundary = line_boundary,
    .read = read_rows,
    .begin = begin_table,
    .write = write_row,
    .loses = loses_ply,
};
