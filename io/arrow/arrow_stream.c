/*
 * A reader as an Arrow stream: seebatch_reader_to_arrow(). Each array of the stream is a record batch, which is filled
 * from the reader's records when the consumer asks for it.
 */
#include <errno.h>
#include <stdlib.h>

#include "arrow_tree.h"
#include "support/bytes.h"
#include "files/output.h"

enum { PLACE, MOVE, SCORE, RESULT, PLY, COLUMNS };

static const struct {
    const char *name, *format;
    unsigned field; /* SEEBATCH_HAS_... */
    size_t size;    /* of an item; 0: text */
} columns[COLUMNS] = {{"fen", "u", 0, 0},
                      {"move", "u", SEEBATCH_HAS_MOVE, 0},
                      {"score", "i", SEEBATCH_HAS_SCORE, sizeof(int32_t)},
                      {"result", "f", SEEBATCH_HAS_RESULT, sizeof(float)},
                      {"ply", "i", SEEBATCH_HAS_PLY, sizeof(int32_t)}};

struct stream {
    seebatch_reader *reader;
    seebatch_arrow_options options;
    unsigned fields;
    size_t text_bytes; /* of the last array: room for the next one */
    bool lost;         /* records were read and could not be given: nothing more is read */
    seebatch_io_error error;
};

static bool has_column(const struct stream *stream, int i)
{
    return (stream->fields & columns[i].field) == columns[i].field;
}

/* ---- The schema -------------------------------------------------------------------------------------------------- */

/* How a column is called, and its type. */
static const char *name_of(const struct stream *stream, int i)
{
    return i == PLACE && stream->options.boards ? "board" : columns[i].name;
}

static const char *format_of(const struct stream *stream, int i)
{
    if (i == PLACE && stream->options.boards)
        return "w:48";
    return i == MOVE && stream->options.move_numbers ? "S" : columns[i].format;
}

static size_t count_columns(const struct stream *stream)
{
    size_t n = 0;
    for (int i = 0; i < COLUMNS; i++)
        n += has_column(stream, i);
    return n;
}

static int get_schema(struct ArrowArrayStream *self, struct ArrowSchema *out)
{
    struct stream *stream = self->private_data;
    bool good = seebatch_io_arrow_schema(out, "+s", "", false, count_columns(stream));
    for (int i = 0, k = 0; i < COLUMNS && good; i++) {
        if (has_column(stream, i))
            good =
                seebatch_io_arrow_schema(out->children[k++], format_of(stream, i), name_of(stream, i), i != PLACE, 0);
    }
    if (good)
        return 0;
    if (out->release != NULL)
        out->release(out);
    seebatch_io_no_memory(&stream->error);
    return ENOMEM;
}

/* ---- An array ---------------------------------------------------------------------------------------------------- */

/* An array as it is filled: the columns lie in one piece of memory. */
struct filling {
    size_t n, capacity;
    struct arrow_slab *slab;
    void *data[COLUMNS];          /* of items of one size; of texts their offsets */
    char *text[2];                /* of FENs and moves */
    size_t used[2];               /* characters of them */
    size_t room;                  /* for those of FENs */
    bool failed;                  /* there was no memory for them */
    void *own;                    /* the FENs, once they need more room than the slab has for them */
    uint8_t *has, *results;       /* of each record */
    seebatch_position *positions; /* of a batch, unless they are a column */
    seebatch_move *moves;         /* the same */
    seebatch_cell *fens;
};

/* Records at a time: what a reader gives has at most SEEBATCH_IO_BATCH. */
enum { AT_ONCE = SEEBATCH_IO_BATCH, TEXT_ENDS = 1 << 28, UCI = 6 /* with the NUL */ };

static bool is_text(const struct stream *stream, int i)
{
    return (i == PLACE && !stream->options.boards) || (i == MOVE && !stream->options.move_numbers);
}

static size_t size_of(const struct stream *stream, int i)
{
    if (is_text(stream, i))
        return sizeof(int32_t);
    return i == PLACE ? sizeof(seebatch_position) : i == MOVE ? sizeof(seebatch_move) : columns[i].size;
}

/* Return how many bytes a column takes, and its texts. */
static size_t items_size(const struct stream *stream, int i)
{
    return (stream->options.batch + 1) * size_of(stream, i);
}
static size_t text_size(const struct stream *stream, int i)
{
    return !is_text(stream, i) ? 0 : i == PLACE ? stream->text_bytes : stream->options.batch * (UCI - 1) + 1;
}

/* What reserve_fens() asks for FENs that are written here, of the last ones. */
static size_t slack_of(const struct stream *stream)
{
    const size_t n = stream->options.batch < AT_ONCE ? stream->options.batch : (size_t)AT_ONCE;
    return (n + 1) * SEEBATCH_FEN_SIZE;
}

static bool filling_begin(const struct stream *stream, struct filling *f)
{
    enum { APART = 64 };
    size_t size = 0;
    memset(f, 0, sizeof *f);
    f->capacity = stream->options.batch;
    f->room = stream->text_bytes;
    for (int i = 0; i < COLUMNS; i++)
        size += has_column(stream, i) ? items_size(stream, i) + text_size(stream, i) + (size_t)2 * APART : 0;
    f->slab = seebatch_io_arrow_slab_new(size);
    for (int i = COLUMNS - 1; i >= 0 && f->slab != NULL;
         i--) { /* the FENs come last, because nobody knows how many bytes they take */
        if (has_column(stream, i))
            f->data[i] = seebatch_io_arrow_slab_take(f->slab, items_size(stream, i));
        if (has_column(stream, i) && is_text(stream, i))
            f->text[i] = seebatch_io_arrow_slab_take(f->slab, text_size(stream, i));
    }
    f->has = malloc(f->capacity);
    f->results = malloc(AT_ONCE);
    f->fens = malloc(AT_ONCE * sizeof *f->fens);
    f->positions = malloc(AT_ONCE * sizeof *f->positions);
    f->moves = malloc(AT_ONCE * sizeof *f->moves);
    return f->slab && f->has && f->results && f->fens && f->positions && f->moves;
}

/* What only the filling needed; and the rest, if no array was made of it. */
static void filling_end(struct filling *f)
{
    seebatch_io_arrow_slab_drop(f->slab);
    free(f->own);
    free(f->has);
    free(f->results);
    free(f->fens);
    free(f->positions);
    free(f->moves);
}

/* Makes room for so many more characters of FENs. */
static bool reserve_fens(struct filling *f, size_t more)
{
    if (f->room - f->used[PLACE] >= more)
        return true;
    const size_t room = 2 * (f->used[PLACE] + more);
    char *larger = realloc(f->own, room);
    if (larger == NULL)
        return false;
    if (f->own == NULL)
        memcpy(larger, f->text[PLACE], f->used[PLACE]);
    f->own = f->text[PLACE] = larger;
    f->room = room;
    return true;
}

/* False if there is no memory. */
static bool add_fens(struct filling *f, size_t n)
{
    int32_t *ends = (int32_t *)f->data[PLACE] + f->n;
    size_t length = 0;
    for (size_t i = 0; i < n; i++)
        length += f->fens[i].length > 0 ? f->fens[i].length : (size_t)SEEBATCH_FEN_SIZE;
    if (!reserve_fens(f, length + SEEBATCH_FEN_SIZE))
        return false;
    struct bytes text = {f->text[PLACE], f->used[PLACE], f->room, false};
    for (size_t i = 0; i < n; i++) {
        ends[i] = (int32_t)text.used;
        if (f->fens[i].length > 0)
            bytes_put_text(&text, f->fens[i].text, f->fens[i].length);
        else
            text.used += seebatch_position_to_fen(&f->positions[i], text.data + text.used);
    }
    ends[n] = (int32_t)text.used;
    f->used[PLACE] = text.used;
    return true;
}

static void add_moves(struct filling *f, size_t n)
{
    char *text = f->text[MOVE];
    size_t used = f->used[MOVE];
    int32_t *ends = (int32_t *)f->data[MOVE] + f->n;
    for (size_t i = 0; i < n; i++) {
        ends[i] = (int32_t)used;
        const size_t length = seebatch_move_to_uci(f->moves[i], text + used);
        used += f->has[f->n + i] & SEEBATCH_HAS_MOVE ? length : 0;
    }
    ends[n] = (int32_t)used;
    f->used[MOVE] = used;
}

/* Clears the bytes after the last field, which nobody writes. */
static void clear_ends(seebatch_position *positions, size_t n)
{
    enum { END = offsetof(seebatch_position, fullmove_number) + sizeof(uint16_t) };
    for (size_t i = 0; i < n; i++)
        memset((char *)&positions[i] + END, 0, sizeof *positions - END);
}

/* Reads the next records into the columns. */
static seebatch_io_status fill(struct stream *stream, struct filling *f)
{
    const size_t left = f->capacity - f->n;
    seebatch_records records = {.capacity = left < AT_ONCE ? left : AT_ONCE, .has = f->has + f->n};
    records.positions = stream->options.boards ? (seebatch_position *)f->data[PLACE] + f->n : f->positions;
    records.fens = stream->options.boards ? NULL : f->fens;
    if (has_column(stream, MOVE))
        records.moves = stream->options.move_numbers ? (seebatch_move *)f->data[MOVE] + f->n : f->moves;
    if (has_column(stream, SCORE))
        records.scores = (int32_t *)f->data[SCORE] + f->n;
    if (has_column(stream, RESULT))
        records.results = f->results;
    if (has_column(stream, PLY))
        records.plies = (int32_t *)f->data[PLY] + f->n;
    const seebatch_io_status status = seebatch_reader_next(stream->reader, &records, &stream->error);
    if (status != SEEBATCH_IO_OK)
        return status;
    for (size_t i = 0; records.results != NULL && i < records.n; i++)
        ((float *)f->data[RESULT])[f->n + i] = 0.5f * (float)f->results[i];
    if (stream->options.boards)
        clear_ends(records.positions, records.n);
    else
        f->failed = !add_fens(f, records.n);
    if (has_column(stream, MOVE) && !stream->options.move_numbers)
        add_moves(f, records.n);
    f->n += records.n;
    if (f->failed) {
        seebatch_io_no_memory(&stream->error);
        return stream->error.status;
    }
    if (f->used[PLACE] > INT32_MAX) {
        seebatch_io_fail(&stream->error, SEEBATCH_IO_FAILED, 0,
                         "the FENs of %zu records have %zu bytes, which is more than an Arrow column can hold; "
                         "expected fewer records in a batch",
                         f->n, f->used[PLACE]);
        return stream->error.status;
    }
    return SEEBATCH_IO_OK;
}

/* Makes an array of its own of a filled column, with the memory of that column. */
static bool take_column(const struct stream *stream, struct filling *f, int i, struct ArrowArray *array)
{
    const void *buffers[MOST_ARROW_BUFFERS] = {NULL, f->data[i], is_text(stream, i) ? f->text[i] : NULL};
    void *own = NULL;
    size_t have = 0;
    for (size_t k = 0; k < f->n; k++)
        have += (f->has[k] & columns[i].field) != 0;
    const size_t nulls = columns[i].field ? f->n - have : 0;
    if (nulls > 0 && (buffers[0] = own = seebatch_io_arrow_bits(f->has, f->n, columns[i].field)) == NULL)
        return false;
    if (i == PLACE) { /* never null */
        own = f->own;
        f->own = NULL;
    }
    return seebatch_io_arrow_array_in(array, f->n, nulls, buffers, is_text(stream, i) ? 3 : 2, 0, f->slab, own);
}

static bool take_array(struct stream *stream, struct filling *f, struct ArrowArray *out)
{
    void *const none[MOST_ARROW_BUFFERS] = {NULL};
    const size_t text = f->used[PLACE];
    stream->text_bytes = text + text / 8 + slack_of(stream);
    bool good = seebatch_io_arrow_array(out, f->n, 0, none, 1, count_columns(stream));
    for (int i = 0, k = 0; i < COLUMNS && good; i++) {
        if (has_column(stream, i))
            good = take_column(stream, f, i, out->children[k++]);
    }
    if (!good && out->release != NULL)
        out->release(out);
    return good;
}

/* ---- The stream -------------------------------------------------------------------------------------------------- */

/* The interface returns 0 or an error of the system. */
static int code_of(const seebatch_io_error *error)
{
    if (error->status == SEEBATCH_IO_NO_MEMORY)
        return ENOMEM;
    if (error->status == SEEBATCH_IO_FAILED)
        return error->system_error ? error->system_error : EIO;
    return EINVAL;
}

static int get_next(struct ArrowArrayStream *self, struct ArrowArray *out)
{
    struct stream *stream = self->private_data;
    struct filling f;
    memset(out, 0, sizeof *out);
    if (stream->lost)
        return code_of(&stream->error);
    stream->error.status = SEEBATCH_IO_OK;
    seebatch_io_status status = filling_begin(stream, &f) ? SEEBATCH_IO_OK : SEEBATCH_IO_NO_MEMORY;
    while (status == SEEBATCH_IO_OK && f.n < f.capacity && f.used[PLACE] < TEXT_ENDS)
        status = fill(stream, &f);
    /* Where the reader failed, what came before is given; it fails again in the next call. */
    const bool give = f.n > 0 && !f.failed && f.used[PLACE] <= INT32_MAX;
    const bool given = give && take_array(stream, &f, out);
    if (given)
        stream->error.status = SEEBATCH_IO_OK;
    else if (give || (status == SEEBATCH_IO_NO_MEMORY && f.n == 0))
        seebatch_io_no_memory(&stream->error);
    stream->lost = f.n > 0 && !given;
    filling_end(&f);
    return stream->error.status == SEEBATCH_IO_OK ? 0 : code_of(&stream->error);
}

static const char *get_last_error(struct ArrowArrayStream *self)
{
    const struct stream *stream = self->private_data;
    return stream->error.status == SEEBATCH_IO_OK ? NULL : stream->error.text;
}

static void release_stream(struct ArrowArrayStream *self)
{
    struct stream *stream = self->private_data;
    seebatch_reader_close(stream->reader);
    free(stream);
    self->release = NULL;
}

seebatch_io_status seebatch_reader_to_arrow(seebatch_reader *reader, const seebatch_arrow_options *options,
                                            struct ArrowArrayStream *stream, seebatch_io_error *error)
{
    enum { USUAL_BATCH = 1 << 16, MOST_BATCH = 1 << 24, USUAL_FEN = 64 };
    struct stream *own = calloc(1, sizeof *own);
    if (own == NULL) {
        seebatch_io_no_memory(error);
        return SEEBATCH_IO_NO_MEMORY;
    }
    own->reader = reader;
    if (options != NULL)
        own->options = *options;
    if (own->options.batch == 0)
        own->options.batch = USUAL_BATCH;
    if (own->options.batch > MOST_BATCH)
        own->options.batch = MOST_BATCH;
    own->fields = seebatch_reader_fields(reader);
    own->text_bytes =
        (own->options.batch < USUAL_BATCH ? own->options.batch : (size_t)USUAL_BATCH) * USUAL_FEN + slack_of(own);
    stream->get_schema = get_schema;
    stream->get_next = get_next;
    stream->get_last_error = get_last_error;
    stream->release = release_stream;
    stream->private_data = own;
    return SEEBATCH_IO_OK;
}
