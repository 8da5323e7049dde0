/*
 * Columns computed: FENs and moves as they come, chunk by chunk, become positions and requests in memory that stays in
 * the cache, and what they are worth is appended to the column.
 */
#include <stdio.h>
#include <stdlib.h>

#include "arrow_tree.h"
#include "bytes.h"
#include "output.h"

/* FENs at a time: of one thread so many that they stay in the cache. */
enum { FEW = 512, MANY = 1 << 14, USUAL_CAPTURES = 6 };

struct seebatch_arrow_column {
    seebatch_arrow_what what;
    seebatch_rules rules;
    size_t rows, nulls;
    struct bytes valid; /* a byte a row */
    struct bytes lists; /* of lists the first item of each row, int32 */
    struct bytes ends;  /* of texts where each begins, int32 */
    struct bytes text;
    struct bytes values; /* int16 */
    size_t items;        /* of lists */

    size_t capacity; /* of a chunk */
    seebatch_position *positions;
    size_t *row, *offsets; /* of each position its number in the chunk; and where its moves begin */
    size_t *good;          /* of seebatch_batch_order() */
    seebatch_text *texts;
    seebatch_move *moves, *sorted;
    int16_t *worth;
    size_t n_moves; /* room for so many */
    uint8_t *statuses;
    int16_t (*maps)[2][64];

    size_t faults;
    size_t fault_row[SEEBATCH_ARROW_FAULTS];
    char fault[SEEBATCH_ARROW_FAULTS][sizeof(seebatch_error)];
};

static bool is_list(const seebatch_arrow_column *column)
{
    return column->what == SEEBATCH_ARROW_CAPTURES || column->what == SEEBATCH_ARROW_HANGING;
}

seebatch_arrow_column *seebatch_arrow_column_new(seebatch_arrow_what what, const seebatch_rules *rules)
{
    seebatch_arrow_column *column = calloc(1, sizeof *column);
    if (column != NULL) {
        column->what = what;
        column->rules = *rules;
    }
    return column;
}

static void free_chunk(seebatch_arrow_column *column)
{
    free(column->positions);
    free(column->row);
    free(column->offsets);
    free(column->good);
    free(column->texts);
    free(column->moves);
    free(column->sorted);
    free(column->worth);
    free(column->statuses);
    free(column->maps);
    column->positions = NULL, column->row = column->offsets = column->good = NULL, column->texts = NULL;
    column->moves = column->sorted = NULL, column->worth = NULL, column->statuses = NULL, column->maps = NULL;
    column->capacity = column->n_moves = 0;
}

void seebatch_arrow_column_free(seebatch_arrow_column *column)
{
    if (column == NULL)
        return;
    free_chunk(column);
    free(column->valid.data);
    free(column->lists.data);
    free(column->ends.data);
    free(column->text.data);
    free(column->values.data);
    free(column);
}

/* Room for the moves of a chunk. */
static bool reserve_moves(seebatch_arrow_column *column, size_t n)
{
    free(column->moves);
    free(column->sorted);
    free(column->worth);
    column->moves = malloc(n * sizeof *column->moves);
    column->sorted = malloc(n * sizeof *column->sorted);
    column->worth = malloc(n * sizeof *column->worth);
    column->n_moves = n;
    return column->moves && column->sorted && column->worth;
}

static bool reserve_chunk(seebatch_arrow_column *column, size_t n)
{
    if (n <= column->capacity)
        return true;
    free_chunk(column);
    column->positions = malloc(n * sizeof *column->positions);
    column->row = malloc(n * sizeof *column->row);
    column->offsets = malloc((n + 1) * sizeof *column->offsets);
    column->good = malloc(n * sizeof *column->good);
    column->texts = malloc(n * sizeof *column->texts);
    column->statuses = malloc(n);
    if (column->what == SEEBATCH_ARROW_HANGING)
        column->maps = malloc(n * sizeof *column->maps);
    column->capacity = n;
    return column->positions && column->row && column->offsets && column->good && column->texts && column->statuses &&
           (column->maps || column->what != SEEBATCH_ARROW_HANGING) && reserve_moves(column, n * USUAL_CAPTURES);
}

/* ---- From texts to positions and moves --------------------------------------------------------------------------- */

static void note_fault(seebatch_arrow_column *column, size_t row, const char *text)
{
    if (column->faults < SEEBATCH_ARROW_FAULTS) {
        column->fault_row[column->faults] = row;
        snprintf(column->fault[column->faults], sizeof *column->fault, "%s", text);
    }
    column->faults++;
}

/* Reads the FENs; returns how many can be evaluated, which stand together. */
static size_t take_fens(seebatch_arrow_column *column, const seebatch_text *fens, size_t n, seebatch_job *job)
{
    seebatch_faults faults;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        column->texts[i] = fens[i].at ? fens[i] : (seebatch_text){"", 0};
    seebatch_batch_from_fens(column->texts, n, column->positions, column->statuses, &faults, job);
    for (size_t i = 0; i < n; i++) {
        if (column->statuses[i] == SEEBATCH_OK) {
            if (kept < i)
                column->positions[kept] = column->positions[i];
            column->row[kept++] = i;
        } else if (fens[i].at != NULL) {
            seebatch_error error = {""};
            seebatch_position position;
            if (column->faults < SEEBATCH_ARROW_FAULTS)
                seebatch_position_from_fen(&position, fens[i].at, fens[i].length, &error);
            note_fault(column, column->rows + i, error.text);
        }
    }
    return kept;
}

/* Reads the moves of the n positions that are left; returns how many have one. */
static size_t take_moves(seebatch_arrow_column *column, const seebatch_text *moves, size_t n, seebatch_job *job)
{
    seebatch_faults faults;
    size_t kept = 0;
    for (size_t k = 0; k < n; k++) {
        const seebatch_text text = moves[column->row[k]];
        column->texts[k] = text.at ? text : (seebatch_text){"", 0};
    }
    seebatch_batch_moves_from_text(column->positions, n, NULL, column->texts, SEEBATCH_ANY_NOTATION, column->moves,
                                   column->statuses, &faults, job);
    for (size_t k = 0; k < n; k++) {
        const seebatch_text text = moves[column->row[k]];
        if (column->statuses[k] == SEEBATCH_OK) {
            column->positions[kept] = column->positions[k];
            column->moves[kept] = column->moves[k];
            column->row[kept++] = column->row[k];
        } else if (text.at != NULL) {
            seebatch_error error = {""};
            seebatch_move move;
            if (column->faults < SEEBATCH_ARROW_FAULTS)
                seebatch_move_from_text(&column->positions[k], text.at, text.length, &move, &error);
            note_fault(column, column->rows + column->row[k], error.text);
        }
    }
    for (size_t k = 0; k <= kept; k++)
        column->offsets[k] = k;
    return kept;
}

/* The legal captures of n positions. */
static bool find_moves(seebatch_arrow_column *column, size_t n, seebatch_job *job)
{
    while (seebatch_batch_legal_captures(column->positions, n, column->offsets, column->moves, column->n_moves, job) ==
           SEEBATCH_NO_ROOM) {
        if (!reserve_moves(column, column->offsets[n]))
            return false;
    }
    return true;
}

/* ---- Rows appended ----------------------------------------------------------------------------------------------- */

static void add_int32(struct bytes *bytes, size_t number)
{
    const int32_t narrow = (int32_t)number;
    bytes_add(bytes, (const char *)&narrow, sizeof narrow);
}

static void add_value(seebatch_arrow_column *column, int16_t value)
{
    bytes_add(&column->values, (const char *)&value, sizeof value);
}

static void add_move(seebatch_arrow_column *column, seebatch_move move)
{
    add_int32(&column->ends, column->text.used);
    if (bytes_reserve(&column->text, 6))
        column->text.used += seebatch_move_to_uci(move, column->text.data + column->text.used);
}

static void add_null(seebatch_arrow_column *column)
{
    bytes_add(&column->valid, "\0", 1);
    column->nulls++;
    if (is_list(column)) {
        add_int32(&column->lists, column->items);
        return;
    }
    add_value(column, 0);
    if (column->what == SEEBATCH_ARROW_BEST_CAPTURE)
        add_int32(&column->ends, column->text.used);
}

static void add_best(seebatch_arrow_column *column, size_t k)
{
    size_t best = column->offsets[k];
    const size_t end = column->offsets[k + 1];
    if (best == end) {
        add_null(column);
        return;
    }
    for (size_t i = best + 1; i < end; i++)
        best = column->worth[i] > column->worth[best] ? i : best;
    bytes_add(&column->valid, "\1", 1);
    add_move(column, column->moves[best]);
    add_value(column, column->worth[best]);
}

static void add_captures(seebatch_arrow_column *column, size_t k)
{
    bytes_add(&column->valid, "\1", 1);
    add_int32(&column->lists, column->items);
    for (size_t i = column->offsets[k]; i < column->offsets[k + 1]; i++) {
        add_move(column, column->sorted[i]);
        add_value(column, column->worth[i]);
        column->items++;
    }
}

static void add_hanging(seebatch_arrow_column *column, size_t k)
{
    bytes_add(&column->valid, "\1", 1);
    add_int32(&column->lists, column->items);
    for (int square = 0; square < 64; square++) {
        if (column->maps[k][0][square] <= 0 && column->maps[k][1][square] <= 0)
            continue;
        const char name[2] = {(char)('a' + square % 8), (char)('1' + square / 8)};
        add_int32(&column->ends, column->text.used);
        bytes_add(&column->text, name, sizeof name);
        column->items++;
    }
}

/* Evaluates the n positions that are left. False if there is no memory. */
static bool evaluate(seebatch_arrow_column *column, size_t n, seebatch_job *job)
{
    if (column->what == SEEBATCH_ARROW_HANGING)
        seebatch_batch_maps(&column->rules, column->positions, n, column->maps, job);
    else if (column->what != SEEBATCH_ARROW_VALUE && !find_moves(column, n, job))
        return false;
    const seebatch_batch batch = {column->positions, n, column->offsets, column->moves, NULL};
    if (column->what == SEEBATCH_ARROW_CAPTURES)
        seebatch_batch_order(&column->rules, &batch, 0, column->sorted, column->worth, column->good, job);
    else if (column->what != SEEBATCH_ARROW_HANGING)
        seebatch_batch_values(&column->rules, &batch, column->worth, job);
    return true;
}

/* Appends the rows of a chunk: n of them, of which `left` were evaluated. */
static void append(seebatch_arrow_column *column, size_t n, size_t left)
{
    for (size_t i = 0, k = 0; i < n; i++) {
        if (k == left || column->row[k] != i) {
            add_null(column);
            continue;
        }
        if (column->what == SEEBATCH_ARROW_VALUE) {
            bytes_add(&column->valid, "\1", 1);
            add_value(column, column->worth[k]);
        } else if (column->what == SEEBATCH_ARROW_BEST_CAPTURE) {
            add_best(column, k);
        } else if (column->what == SEEBATCH_ARROW_CAPTURES) {
            add_captures(column, k);
        } else {
            add_hanging(column, k);
        }
        k++;
    }
    column->rows += n;
}

static bool has_failed(const seebatch_arrow_column *column)
{
    return column->valid.failed || column->lists.failed || column->ends.failed || column->text.failed ||
           column->values.failed;
}

seebatch_io_status seebatch_arrow_column_add(seebatch_arrow_column *column, const seebatch_text *fens,
                                             const seebatch_text *moves, size_t n, seebatch_job *job,
                                             seebatch_io_error *error)
{
    seebatch_job quiet = {.threads = job ? job->threads : 1};
    const size_t chunk = quiet.threads == 1 ? FEW : MANY;
    for (size_t i = 0; i < n; i += chunk) {
        const size_t some = n - i < chunk ? n - i : chunk;
        size_t left = 0;
        bool memory = reserve_chunk(column, chunk);
        if (memory) {
            left = take_fens(column, fens + i, some, &quiet);
            if (column->what == SEEBATCH_ARROW_VALUE)
                left = take_moves(column, moves + i, left, &quiet);
            memory = evaluate(column, left, &quiet);
        }
        if (memory)
            append(column, some, left);
        if (!memory || has_failed(column)) {
            seebatch_io_no_memory(error);
            return SEEBATCH_IO_NO_MEMORY;
        }
        if (column->text.used > INT32_MAX || column->items > INT32_MAX) {
            seebatch_io_fail(error, SEEBATCH_IO_FAILED, 0, "the column has more than 2147483647 characters: divide it");
            return SEEBATCH_IO_FAILED;
        }
    }
    return SEEBATCH_IO_OK;
}

size_t seebatch_arrow_column_faults(const seebatch_arrow_column *column) { return column->faults; }

const char *seebatch_arrow_column_fault(const seebatch_arrow_column *column, size_t i, size_t *row)
{
    if (i >= column->faults || i >= SEEBATCH_ARROW_FAULTS)
        return NULL;
    *row = column->fault_row[i];
    return column->fault[i];
}

/* ---- The end ----------------------------------------------------------------------------------------------------- */

static void *take(struct bytes *bytes)
{
    void *data = bytes->data;
    memset(bytes, 0, sizeof *bytes);
    return data;
}

/* Bits of the rows that are not null; NULL where all are not. False if there is no memory. */
static bool bits_of(const seebatch_arrow_column *column, void **bits)
{
    *bits = column->nulls ? seebatch_io_arrow_bits((const uint8_t *)column->valid.data, column->rows, 1) : NULL;
    return *bits != NULL || column->nulls == 0;
}

/* Texts, of as many rows as ends were added. nulls: they are rows of the column. */
static bool text_array(seebatch_arrow_column *column, bool nulls, struct ArrowArray *array)
{
    const size_t n = column->ends.used / sizeof(int32_t);
    void *bits = NULL;
    add_int32(&column->ends, column->text.used);
    if (has_failed(column) || (nulls && !bits_of(column, &bits)))
        return false;
    void *const memory[MOST_ARROW_BUFFERS] = {bits, take(&column->ends), take(&column->text)};
    return seebatch_io_arrow_array(array, n, nulls ? column->nulls : 0, memory, 3, 0);
}

static bool value_array(seebatch_arrow_column *column, bool nulls, struct ArrowArray *array)
{
    const size_t n = column->values.used / sizeof(int16_t);
    void *bits = NULL;
    /* Of no rows, too, there is a buffer. */
    if (!bytes_reserve(&column->values, 1) || (nulls && !bits_of(column, &bits)))
        return false;
    void *const memory[MOST_ARROW_BUFFERS] = {bits, take(&column->values), NULL};
    return seebatch_io_arrow_array(array, n, nulls ? column->nulls : 0, memory, 2, 0);
}

/* A struct of move and value. */
static bool struct_array(seebatch_arrow_column *column, bool nulls, struct ArrowArray *array)
{
    void *const none[MOST_ARROW_BUFFERS] = {NULL};
    return seebatch_io_arrow_array(array, column->values.used / sizeof(int16_t), 0, none, 1, 2) &&
           text_array(column, nulls, array->children[0]) && value_array(column, nulls, array->children[1]);
}

static bool list_array(seebatch_arrow_column *column, struct ArrowArray *array)
{
    void *bits;
    add_int32(&column->lists, column->items);
    if (column->lists.failed || !bits_of(column, &bits))
        return false;
    void *const memory[MOST_ARROW_BUFFERS] = {bits, take(&column->lists), NULL};
    return seebatch_io_arrow_array(array, column->rows, column->nulls, memory, 2, 1) &&
           (column->what == SEEBATCH_ARROW_HANGING ? text_array : struct_array)(column, false, array->children[0]);
}

static bool struct_schema(struct ArrowSchema *schema, const char *name, bool nullable)
{
    return seebatch_io_arrow_schema(schema, "+s", name, false, 2) &&
           seebatch_io_arrow_schema(schema->children[0], "u", "move", nullable, 0) &&
           seebatch_io_arrow_schema(schema->children[1], "s", "value", nullable, 0);
}

static bool column_schema(const seebatch_arrow_column *column, struct ArrowSchema *schema)
{
    switch (column->what) {
    case SEEBATCH_ARROW_VALUE: return seebatch_io_arrow_schema(schema, "s", "value", true, 0);
    case SEEBATCH_ARROW_BEST_CAPTURE: return struct_schema(schema, "best_capture", true);
    case SEEBATCH_ARROW_CAPTURES:
        return seebatch_io_arrow_schema(schema, "+l", "captures", true, 1) &&
               struct_schema(schema->children[0], "item", false);
    case SEEBATCH_ARROW_HANGING:
        return seebatch_io_arrow_schema(schema, "+l", "hanging", true, 1) &&
               seebatch_io_arrow_schema(schema->children[0], "u", "item", false, 0);
    }
    return false;
}

seebatch_io_status seebatch_arrow_column_finish(seebatch_arrow_column *column, struct ArrowSchema *schema,
                                                struct ArrowArray *array, seebatch_io_error *error)
{
    memset(schema, 0, sizeof *schema);
    memset(array, 0, sizeof *array);
    bool good = column_schema(column, schema) && !has_failed(column);
    if (good)
        good = is_list(column)                        ? list_array(column, array)
               : column->what == SEEBATCH_ARROW_VALUE ? value_array(column, true, array)
                                                      : struct_array(column, true, array);
    if (good)
        return SEEBATCH_IO_OK;
    if (schema->release != NULL)
        schema->release(schema);
    if (array->release != NULL)
        array->release(array);
    seebatch_io_no_memory(error);
    return SEEBATCH_IO_NO_MEMORY;
}
