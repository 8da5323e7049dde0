/*
 * Reads and writes tables: CSV and TSV, with a record in each line, and a header that names the columns.
 *
 * The columns fen (or position), move, score, result and ply are known, in capitals or not; fen must be there. Others
 * are kept where a row is copied, and where it is written as another table or as an object (headings.c). Every row has
 * as many cells as the header, which a row that was cut off rarely has. In CSV a cell may stand in quotes, with quotes
 * doubled in it, but holds no line end; in TSV every character stands for itself. How cells are written, cells.c says.
 *
 * Lichess's puzzles are such a table, too, whose moves lead from the position in it to the one that is meant.
 */
#include "support/quote.h"
#include "formats/json/cells.h"
#include "formats/headings.h"
#include "formats/losses.h"
#include "rows.h"

static const struct dialect csv = {',', true}, tsv = {'\t', false};

static const struct dialect *dialect_of(const struct file_format *format)
{
    return format == &FORMAT(tsv) ? &tsv : &csv;
}

/* ---- Cells ------------------------------------------------------------------------------------------------------ */

/* A cell in quotes, which begins after the first one; doubled quotes are made single in scratch. False if it does not end. */
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

/* Takes a cell and the separator after it, if there is one: then *more is true. */
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

/* What is wrong with a column's name, if anything. */
static bool column_is_new(const struct source *source, struct cell name, unsigned field, seebatch_error *error)
{
    if (field != FIELD_COLUMNS && seebatch_io_headings_find(&source->headings, field) >= 0)
        return seebatch_io_fail_with(error, "the header names '%s' twice (fen and position are the same)",
                                     quote(name.text, name.length).text);
    if (seebatch_io_is_added(source->target, name))
        return seebatch_io_fail_with(error,
                                     "it already has a column '%s', expected none, because one of that name is added",
                                     quote(name.text, name.length).text);
    return true;
}

static bool read_header(struct source *source, seebatch_error *error)
{
    struct headings *headings = &source->headings;
    const char *at = source->header.data, *end = at + without_cr(&source->header);
    if (!bytes_reserve(&headings->text, source->header.used)) /* so that it does not move */
        return seebatch_io_fail_with(error, "there is no memory for its header");
    source->fields = 0;
    for (bool more = true; more;) {
        struct cell name;
        if (!take_cell(dialect_of(source->format), &at, end, &headings->text, &name, &more))
            return seebatch_io_fail_with(error, "a quote in the header is not closed, expected names of columns");
        const unsigned field = seebatch_io_field_in_source(source, name);
        if (!column_is_new(source, name, field, error))
            return false;
        seebatch_io_headings_add(headings, name, field);
        source->fields |= field;
    }
    if (!seebatch_io_has_named_columns(source, error))
        return false;
    if (seebatch_io_headings_find(headings, 0) >= 0)
        return true;
    return seebatch_io_fail_with(
        error, "the header '%s' has no column fen or position, expected names of columns in the first line",
        quote(source->header.data, without_cr(&source->header)).text);
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

/* The known cells of a row stand in an array by field, that of the position last. */
enum { CELL_FEN = N_FIELDS, N_CELLS };

static bool take_row(struct block *block, struct record *record, const char *end, struct cell cells[N_CELLS])
{
    const struct headings *headings = &block->source->headings;
    const struct dialect *dialect = dialect_of(block->source->format);
    const char *at = record->bytes;
    bool more = true;
    int n = 0;
    for (; more; n++) {
        struct cell cell;
        if (!take_cell(dialect, &at, end, &block->scratch, &cell, &more)) {
            seebatch_io_report_error(
                block, record,
                "cell %d begins with a quote that does not end on this line, or has text after it, expected "
                "\"...\" without a line end",
                n + 1);
            return false;
        }
        const unsigned field = n < headings->n ? headings->list[n].field : (unsigned)FIELD_COLUMNS;
        if (field != FIELD_COLUMNS)
            cells[seebatch_io_place_of_field(field)] = cell;
    }
    if (n != headings->n) {
        seebatch_io_report_error(block, record, "the row has %d cell%s, expected %d as in the header", n,
                                 plural((uint64_t)n), headings->n);
        return false;
    }
    return true;
}

/* The row was taken apart before, and has as many cells as the header. */
static bool take_columns(struct block *block, const struct record *record, const seebatch_position *position,
                         const struct target *target, struct cell *row, struct cell *lost)
{
    (void)position;
    const struct headings *headings = &block->source->headings;
    const struct dialect *dialect = dialect_of(block->source->format);
    const char *at = record->bytes, *end = at + record->length;
    bool more = true;
    (void)target, (void)lost; /* a header tells what is lost */
    end -= end > at && end[-1] == '\r';
    for (int i = 0; more; i++) {
        struct cell cell;
        take_cell(dialect, &at, end, &block->text, &cell, &more);
        if (headings->list[i].place >= 0)
            row[headings->list[i].place] = cell;
    }
    return true;
}

/* ---- Puzzles ---------------------------------------------------------------------------------------------------- */

static bool is_moves(struct cell name) { return name.length == 5 && memcmp(name.text, "Moves", 5) == 0; }

static bool read_header_of_puzzles(struct source *source, seebatch_error *error)
{
    bool moves = false;
    if (!read_header(source, error))
        return false;
    for (int i = 0; i < source->headings.n; i++)
        moves |= is_moves(source->headings.list[i].name);
    source->fields |= FIELD_MOVE;
    return moves || seebatch_io_fail_with(error, "the header has no column Moves, expected that of Lichess's puzzles");
}

/* The cell below Moves, of a row that was taken apart before. */
static struct cell moves_of_row(struct block *block, const struct record *record)
{
    const struct headings *headings = &block->source->headings;
    const char *at = record->bytes, *end = at + record->length;
    struct cell cell = {"", 0};
    bool more = true;
    end -= end > at && end[-1] == '\r';
    for (int i = 0; more; i++) {
        take_cell(&csv, &at, end, &block->scratch, &cell, &more);
        if (is_moves(headings->list[i].name))
            break;
    }
    return cell;
}

/* Plays the moves of a puzzle: the first is the opponent's, before the position; the second is the record's. All have to
 * be legal. */
static bool take_moves(struct block *block, struct record *record, seebatch_position *position, struct cell moves)
{
    const char *at = moves.text, *end = at + moves.length, *word;
    seebatch_position board = *position;
    seebatch_error error;
    size_t length;
    int n = 0;
    for (; seebatch_io_next_word(&at, end, &word, &length); n++) {
        seebatch_move move;
        if (seebatch_move_from_uci(&board, word, length, &move, &error) != SEEBATCH_OK) {
            seebatch_io_report_error(block, record, "move %d of the puzzle: %s", n + 1, error.text);
            return false;
        }
        if (n == 1) {
            record->move = move;
            record->has |= FIELD_MOVE;
        }
        seebatch_play(&board, move);
        if (n == 0)
            *position = board;
    }
    if (n < 2)
        seebatch_io_report_error(block, record,
                                 "the puzzle has %d move%s, expected the opponent's and those of the solution", n,
                                 plural((uint64_t)n));
    return n >= 2;
}

static bool read_puzzle(struct block *block, struct record *record, seebatch_position *position, const char *end)
{
    struct cell cells[N_CELLS] = {{NULL, 0}};
    record->length = (size_t)(end - record->bytes);
    if (!take_row(block, record, end, cells) ||
        !seebatch_io_read_position(block, record, position, cells[CELL_FEN].text, cells[CELL_FEN].length) ||
        !take_moves(block, record, position, moves_of_row(block, record)))
        return false;
    record->fen = NULL; /* it is the position before */
    record->fen_length = 0;
    if (block->source->wanted & FIELD_PLY)
        seebatch_io_ply_of_fen(record, position);
    return true;
}

static bool read_puzzles(struct cursor *cursor, struct batch *batch)
{
    batch->n = 0;
    return bytes_reserve(&cursor->block->scratch, 2 * cursor->block->in.used) && /* so that it does not move */
           seebatch_io_read_lines(cursor, batch, false, read_puzzle);
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

static bool read_row(struct block *block, struct record *record, seebatch_position *position, const char *end)
{
    struct cell cells[N_CELLS] = {{NULL, 0}};
    if (!take_row(block, record, end, cells) ||
        !seebatch_io_read_position(block, record, position, cells[CELL_FEN].text, cells[CELL_FEN].length))
        return false;
    const struct cell move = cells[0], score = cells[1], result = cells[2], ply = cells[3];
    return (move.length == 0 || seebatch_io_read_move(block, record, position, move.text, move.length)) &&
           (score.length == 0 || seebatch_io_read_score(block, record, score.text, score.length)) &&
           (result.length == 0 || seebatch_io_read_result(block, record, result.text, result.length)) &&
           (ply.length == 0 || seebatch_io_read_ply(block, record, ply.text, ply.length));
}

static enum one read_one(struct cursor *cursor, struct record *record, seebatch_position *position)
{
    return bulk_read_line(cursor, false, record, position, read_row);
}

/* Returns the last cell of a row or of the header; in CSV it may stand in quotes. */
static struct cell last_cell(const struct dialect *dialect, struct cell line)
{
    const char *end = line.text + line.length, *first = end;
    while (first > line.text && first[-1] != dialect->separator)
        first--;
    return (struct cell){first, (size_t)(end - first)};
}

static struct cell last_of_row(const struct source *source, struct cell line, struct cell *text)
{
    const struct dialect *dialect = dialect_of(source->format);
    *text = last_cell(dialect, line);
    return last_cell(dialect, (struct cell){source->header.data, without_cr(&source->header)});
}

static bool read_rows(struct cursor *cursor, struct batch *batch)
{
    static const struct bulk_format rows = {seebatch_io_find_rows, seebatch_io_read_cells, read_one, true};
    batch->n = 0;
    return bytes_reserve(&cursor->block->scratch, cursor->block->in.used) && /* so that it does not move */
           seebatch_io_read_bulk(cursor, batch, &rows);
}

static struct score_place place_score(struct block *block, const struct record *record)
{
    const struct headings *headings = &block->source->headings;
    const struct dialect *dialect = dialect_of(block->source->format);
    const char *at = record->bytes, *end = at + record->length, *first = at;
    bool more = true;
    end -= end > at && end[-1] == '\r';
    block->text.used = 0;
    for (int i = 0; more; i++) {
        struct cell cell;
        first = at;
        take_cell(dialect, &at, end, &block->text, &cell, &more);
        if (headings->list[i].field == FIELD_SCORE)
            break;
    }
    return (struct score_place){first, (size_t)(at - first) - more, "", ""};
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

static bool is_in(struct cell cell, char c) { return cell.length > 0 && memchr(cell.text, c, cell.length) != NULL; }

/* Whether the text of a position, which is one line, is a cell as it is. */
static bool is_plain(const struct dialect *dialect, struct cell cell)
{
    return !is_in(cell, dialect->separator) && !(dialect->quotes && is_in(cell, '"'));
}

/* A TAB in it is as good as a blank. separated: there is none. */
static void add_position(struct bytes *out, const struct dialect *dialect, struct cell cell, bool separated)
{
    if (dialect->quotes && !is_plain(dialect, cell)) {
        seebatch_io_cell_carry(out, dialect, cell);
        return;
    }
    const size_t before = out->used;
    if (cell.length == 0 || !bytes_reserve(out, cell.length))
        return;
    bytes_put_text(out, cell.text, cell.length);
    if (separated || dialect->quotes || !is_in(cell, dialect->separator))
        return;
    for (size_t i = before; i < out->used; i++)
        if (out->data[i] == dialect->separator)
            out->data[i] = ' ';
}

static void add_headings(struct bytes *out, const struct target *target)
{
    const struct dialect *dialect = dialect_of(target->format);
    for (int i = 0; i < target->headings.n; i++) {
        const struct heading *heading = &target->headings.list[i];
        if (i > 0)
            bytes_add_char(out, dialect->separator);
        if (heading->field == FIELD_COLUMNS)
            seebatch_io_cell_carry(out, dialect, heading->name);
        else
            bytes_add_string(out, heading->field == 0 ? "fen" : seebatch_io_field_name(heading->field));
    }
}

static void begin_table(struct bytes *out, const struct target *target)
{
    const struct dialect *dialect = dialect_of(target->format);
    const struct source *first = target->first;
    if (keeps_form(target, first))
        bytes_add(out, first->header.data, target->n_added == 0 ? first->header.used : without_cr(&first->header));
    else
        add_headings(out, target);
    for (size_t i = 0; i < target->n_added; i++) {
        bytes_add_char(out, dialect->separator);
        seebatch_io_cell_add(out, dialect, (struct cell){target->added[i].name, strlen(target->added[i].name)});
    }
    bytes_add_char(out, '\n');
}

/* Writes a row of what came in another format; carry_columns() has put its columns that are not known into
 * block->row. */
static void add_row(struct block *block, const struct target *target, const struct record *record,
                    const seebatch_position *position)
{
    struct bytes *out = &block->out;
    const struct dialect *dialect = dialect_of(target->format);
    const struct cell *row = (const void *)block->row.data;
    const bool carried = block->source->format->take_columns != NULL;
    char room[SEEBATCH_FEN_SIZE];
    for (int i = 0; i < target->headings.n; i++) {
        const unsigned field = target->headings.list[i].field;
        if (i > 0)
            bytes_add_char(out, dialect->separator);
        if (field == 0) {
            add_position(out, dialect, seebatch_io_text_of_position(block, record, position, room),
                         block->source->format->separated);
        } else if (field == FIELD_COLUMNS) {
            if (carried)
                seebatch_io_cell_carry(out, dialect, row[i]);
        } else if (record->has & field) {
            const struct cell text = seebatch_io_text_of_field(record, field, room);
            bytes_add(out, text.text, text.length);
        }
    }
}

static bool write_row(struct block *block, const struct target *target, const struct record *record,
                      const seebatch_position *position, const seebatch_cell *cells, const char **why)
{
    struct bytes *out = &block->out;
    const struct dialect *dialect = dialect_of(target->format);
    if (keeps_form(target, block->source)) {
        bool cr = record->length > 0 && record->bytes[record->length - 1] == '\r';
        bytes_add(out, record->bytes, record->length - cr);
    } else {
        add_row(block, target, record, position);
    }
    *why = "a further cell has a line end, a NUL or a TAB and is not UTF-8, expected UTF-8";
    return seebatch_io_cells_add(out, dialect, cells, target->n_added);
}

/* Rows from a format that has no columns. */
static size_t write_usual_rows(struct block *block, const struct target *target, const struct record *records,
                               const seebatch_position *positions, size_t n, const struct short_cell *cells)
{
    enum { MOST_OF_FIELD = 16 };
    const struct dialect *dialect = dialect_of(target->format);
    const struct file_format *source = block->source->format;
    const bool separated = source->separated && !dialect->quotes;
    const size_t room =
        (size_t)target->headings.n * (1 + MOST_OF_FIELD) + (target->n_added + 1) * (1 + sizeof(struct short_cell));
    struct bytes *out = &block->out;
    if (source->take_columns != NULL)
        return 0;
    for (size_t i = 0; i < n; i++) {
        const struct record *record = &records[i];
        char fen[SEEBATCH_FEN_SIZE], text[MOST_OF_FIELD];
        if (record->has & ~(target->fields | FIELDS_SAID))
            return i;
        const struct cell position = seebatch_io_text_of_position(block, record, &positions[i], fen);
        if (!(separated || is_plain(dialect, position)) || !bytes_reserve(out, position.length + room))
            return i;
        for (int k = 0; k < target->headings.n; k++) {
            const unsigned field = target->headings.list[k].field;
            if (k > 0)
                out->data[out->used++] = dialect->separator;
            if (field == 0) {
                bytes_put_text(out, position.text, position.length);
            } else if (record->has & field & FIELD_MOVE) {
                out->used += seebatch_move_to_uci(record->move, out->data + out->used);
            } else if (record->has & field) {
                const struct cell value = seebatch_io_text_of_field(record, field, text);
                bytes_add(out, value.text, value.length);
            }
        }
        char *to = out->data + out->used;
        for (size_t k = i * target->n_added; k < (i + 1) * target->n_added; k++) {
            *to++ = dialect->separator;
            memcpy(to, &cells[k], sizeof cells[k]);
            to += cells[k].length;
        }
        *to++ = '\n';
        out->used = (size_t)(to - out->data);
    }
    return n;
}

/* What both are. */
#define TABLE                                                                                                          \
    .fields = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_PLY, .implies_ply = true, .keeps_text = true,            \
    .any_columns = true, .read_header = read_header, .take_columns = take_columns, .whole = seebatch_io_whole_lines,   \
    .boundary = seebatch_io_line_boundary, .read = read_rows, .begin = begin_table, .write = write_row,                \
    .write_usual = write_usual_rows, .place_score = place_score, .last_field = last_of_row,                            \
    .loses = seebatch_io_loses_ply, .text_scores = true

const struct file_format FORMAT(csv) = {
    .name = "csv",
    .extensions = {".csv"},
    .what = "a line below a header that names fen, move, score, result, ply, others",
    .details = "A table whose first line names the columns. The column `fen` (or `position`) is required. The "
               "columns `move`, `score`, `result` and `ply` are recognised in any order, in upper or lower "
               "case, and their cells may be empty. Other columns are kept in tables and in JSON lines; see "
               "`LOSSES`. Every row has as many cells as the header. A cell may be in double quotes, with "
               "quotes inside it doubled; a cell cannot contain a line end. Several tables that are written "
               "into one must have the same header. A table that is written from other formats has the fields "
               "of all files.",
    TABLE,
};

const struct file_format FORMAT(tsv) = {
    .name = "tsv",
    .extensions = {".tsv"},
    .what = "the same, separated by TABs, without quotes",
    .details = "As csv, but separated by TABs, and without quotes: every character stands for itself.",
    TABLE,
};

const struct file_format FORMAT(puzzles) = {
    .name = "puzzles",
    .extensions = {".puzzles"},
    .what = "Lichess's puzzles, the position in which the solution begins; read only",
    .details = "Puzzles as Lichess publishes them, a table with the columns `FEN` and `Moves` and any others; "
               "this format is only read. The position is the one after the first move, which is the "
               "opponent's, and the move is the first of the solution. Tables and JSON lines keep all other "
               "columns, with all moves in `Moves`.",
    .fields = FIELD_MOVE,
    .implies_ply = true,
    .read_header = read_header_of_puzzles,
    .take_columns = take_columns,
    .whole = seebatch_io_whole_lines,
    .boundary = seebatch_io_line_boundary,
    .read = read_puzzles,
    .last_field = last_of_row,
};
