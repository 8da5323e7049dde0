/*
 * Writes an Arrow stream with a writer: seebatch_writer_write_arrow(). The columns of a row become a record in the same
 * way as the cells of a table do, and a row that cannot be written is reported and skipped.
 */
#include <errno.h>
#include <stdlib.h>

#include "arrow_cells.h"
#include "files/output.h"
#include "support/quote.h"
#include "records/writer.h"

/* So many rows are written at a time. */
enum { AT_ONCE = 256 };

/* The columns of a stream come in this order: the position, the fields in the order of their bits, then the writer's
 * own. */
enum { PLACE, MOVE, SCORE, RESULT, PLY, KNOWN };
static const char *const known[KNOWN] = {"fen", "move", "score", "result", "ply"};

struct column {
    int64_t child;  /* of the stream's structs; -1: there is none */
    bool has_texts; /* and no numbers */
    seebatch_text texts[AT_ONCE];
    union {
        char cells[AT_ONCE][ARROW_CELL];
        char moves[AT_ONCE][6];
    } room; /* of what is no text */
};

struct columns_in {
    seebatch_writer *writer;
    struct ArrowSchema schema;
    bool boards; /* in place of FENs */
    size_t n;    /* columns */
    struct column *list;
    seebatch_cell *row; /* of the writer's own columns */
};

/* ---- Which column is what ---------------------------------------------------------------------------------------- */

static const char *name_of(const struct columns_in *in, size_t i)
{
    return i < KNOWN ? known[i] : seebatch_io_writer_target(in->writer)->added[i - KNOWN].name;
}

/* The place of a column of that name; in->n: the writer has none. */
static size_t place_of(const struct columns_in *in, const char *name)
{
    size_t i = 0;
    while (i < in->n && strcmp(name_of(in, i), name) != 0)
        i++;
    return strcmp(name, "board") == 0 && i == in->n ? (size_t)PLACE : i;
}

static bool take_child(struct columns_in *in, int64_t child, seebatch_io_error *error)
{
    const struct ArrowSchema *schema = in->schema.children[child];
    const char *name = schema->name ? schema->name : "";
    const size_t place = place_of(in, name);
    if (place == in->n) {
        if (seebatch_io_writer_target(in->writer)->lose & FIELD_COLUMNS)
            return true;
        return seebatch_io_fail(
            error, SEEBATCH_IO_LOSSY, 0,
            "the column '%s' would be lost, expected it among the columns of the writer, or --lose columns",
            quote(name, strlen(name)).text);
    }
    if (in->list[place].child >= 0)
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                                "there are two columns '%s', expected one (fen and board are the same)", name);
    in->list[place].child = child;
    in->list[place].has_texts = seebatch_io_arrow_has_texts(schema);
    if (place == PLACE)
        in->boards = seebatch_arrow_has_boards(schema);
    return true;
}

static bool choose_columns(struct columns_in *in, seebatch_io_error *error)
{
    if (strcmp(in->schema.format, "+s") != 0)
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                                "the stream has Arrow's type '%s', expected structs with columns", in->schema.format);
    for (size_t i = 0; i < in->n; i++)
        in->list[i].child = -1;
    for (int64_t i = 0; i < in->schema.n_children; i++) {
        if (!take_child(in, i, error))
            return false;
    }
    if (in->list[PLACE].child < 0)
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                                "the stream has no column fen or board, expected one with the positions");
    for (size_t i = KNOWN; i < in->n; i++) {
        if (in->list[i].child < 0)
            return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                                    "the stream has no column '%s', expected every column of the writer",
                                    name_of(in, i));
    }
    return true;
}

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

static bool read_board(struct block *block, struct record *record, seebatch_position *position, seebatch_text text)
{
    seebatch_error error;
    if (seebatch_arrow_board(text, position, &error) == SEEBATCH_OK)
        return true;
    seebatch_io_report_error(block, record, "%s", error.text);
    return false;
}

/* Reads row k of those at hand as a record; returns false, and reports it, if it is wrong. */
static bool read_row(const struct columns_in *in, size_t k, struct block *block, struct record *record,
                     seebatch_position *position)
{
    seebatch_text text[KNOWN] = {{NULL, 0}};
    for (int i = 0; i < KNOWN; i++) {
        if (in->list[i].child >= 0)
            text[i] = in->list[i].texts[k];
    }
    if (text[PLACE].at == NULL) {
        seebatch_io_report_error(block, record, "the position is null");
        return false;
    }
    return (in->boards ? read_board(block, record, position, text[PLACE])
                       : seebatch_io_read_position(block, record, position, text[PLACE].at, text[PLACE].length)) &&
           (text[MOVE].length == 0 ||
            seebatch_io_read_move(block, record, position, text[MOVE].at, text[MOVE].length)) &&
           (text[SCORE].length == 0 || seebatch_io_read_score(block, record, text[SCORE].at, text[SCORE].length)) &&
           (text[RESULT].length == 0 || seebatch_io_read_result(block, record, text[RESULT].at, text[RESULT].length)) &&
           (text[PLY].length == 0 || seebatch_io_read_ply(block, record, text[PLY].at, text[PLY].length));
}

static seebatch_io_status write_row(const struct columns_in *in, size_t k, seebatch_io_error *error)
{
    struct record record;
    seebatch_position position;
    struct block *block = seebatch_io_writer_begin_row(in->writer, &record, error);
    if (block == NULL)
        return error->status;
    for (size_t i = KNOWN; i < in->n; i++)
        in->row[i - KNOWN] =
            (seebatch_cell){in->list[i].texts[k].at, in->list[i].texts[k].length, in->list[i].has_texts};
    const bool good = read_row(in, k, block, &record, &position);
    return seebatch_io_writer_end_row(in->writer, good, &record, &position, in->n > KNOWN ? in->row : NULL, error);
}

/* Reads rows of an array from one on, as texts. */
static bool read_texts(const struct columns_in *in, const struct ArrowArray *array, size_t begin, size_t n,
                       seebatch_io_error *error)
{
    bool nulls[AT_ONCE];
    if (seebatch_arrow_structs(&in->schema, array, begin, n, nulls, error) != SEEBATCH_IO_OK)
        return false;
    begin += (size_t)array->offset;
    for (size_t i = 0; i < in->n; i++) {
        struct column *column = &in->list[i];
        if (column->child < 0)
            continue;
        const struct ArrowSchema *schema = in->schema.children[column->child];
        const struct ArrowArray *child = array->children[column->child];
        const seebatch_io_status status =
            i == PLACE  ? seebatch_arrow_texts(schema, child, begin, n, column->texts, error)
            : i == MOVE ? seebatch_arrow_moves(schema, child, begin, n, column->texts, column->room.moves, error)
                        : seebatch_io_arrow_cells(schema, child, begin, n, column->texts, column->room.cells, error);
        if (status != SEEBATCH_IO_OK)
            return false;
        for (size_t k = 0; k < n; k++) {
            if (nulls[k])
                column->texts[k] = (seebatch_text){NULL, 0};
        }
    }
    return true;
}

static seebatch_io_status write_array(const struct columns_in *in, const struct ArrowArray *array,
                                      seebatch_io_error *error)
{
    seebatch_io_status status = SEEBATCH_IO_OK;
    const size_t length = (size_t)array->length;
    if (seebatch_arrow_structs(&in->schema, array, 0, 0, NULL, error) != SEEBATCH_IO_OK)
        return error->status;
    for (size_t i = 0; i < length && status == SEEBATCH_IO_OK; i += AT_ONCE) {
        const size_t n = length - i < AT_ONCE ? length - i : AT_ONCE;
        if (!read_texts(in, array, i, n, error))
            return error->status;
        for (size_t k = 0; k < n && status == SEEBATCH_IO_OK; k++)
            status = write_row(in, k, error);
    }
    return status;
}

/* ---- The stream -------------------------------------------------------------------------------------------------- */

static seebatch_io_status stream_failed(struct ArrowArrayStream *stream, int code, seebatch_io_error *error)
{
    const char *why = stream->get_last_error(stream);
    const seebatch_io_status status = code == ENOMEM ? SEEBATCH_IO_NO_MEMORY : SEEBATCH_IO_FAILED;
    seebatch_io_fail(error, status, code, "%s", why ? why : "the stream failed without a message");
    return status;
}

static seebatch_io_status write_arrays(const struct columns_in *in, struct ArrowArrayStream *stream,
                                       seebatch_io_error *error)
{
    seebatch_io_status status = SEEBATCH_IO_OK;
    while (status == SEEBATCH_IO_OK) {
        struct ArrowArray array = {.release = NULL};
        const int code = stream->get_next(stream, &array);
        if (code != 0)
            return stream_failed(stream, code, error);
        if (array.release == NULL)
            return SEEBATCH_IO_OK;
        status = write_array(in, &array, error);
        array.release(&array);
    }
    return status;
}

seebatch_io_status seebatch_writer_write_arrow(seebatch_writer *writer, struct ArrowArrayStream *stream,
                                               seebatch_io_error *error)
{
    seebatch_io_error own;
    struct columns_in in = {.writer = writer, .n = KNOWN + seebatch_io_writer_target(writer)->n_added};
    seebatch_io_status status = SEEBATCH_IO_NO_MEMORY;
    error = error ? error : &own;
    const int code = stream->get_schema(stream, &in.schema);
    if (code != 0)
        return stream_failed(stream, code, error);
    in.list = malloc(in.n * sizeof *in.list);
    in.row = malloc(in.n * sizeof *in.row);
    if (in.list == NULL || in.row == NULL)
        seebatch_io_no_memory(error);
    else
        status = seebatch_arrow_schema_check(&in.schema, error);
    if (status == SEEBATCH_IO_OK)
        status = choose_columns(&in, error) ? write_arrays(&in, stream, error) : error->status;
    free(in.list);
    free(in.row);
    in.schema.release(&in.schema);
    return seebatch_io_writer_end_call(writer, status, error);
}
