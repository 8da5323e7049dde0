/*
 * Appends rows to a computed column, and makes an array of them at the end. arrow_columns.c and arrow_games.c call
 * it.
 */
#include "arrow_column.h"
#include "arrow_tree.h"
#include "files/output.h"

/* These are the parts of an annotation after the best capture: how many captures win, are equal, lose and pass, and what
 * hangs. */
enum { WINNING, EQUAL, LOSING, PASSING, HANGING_WHITE, HANGING_BLACK };
static const char *const number_names[ARROW_NUMBERS] = {"winning", "equal",         "losing",
                                                        "passing", "hanging_white", "hanging_black"};
enum { SQUARES = 64 };

static bool is_list(const seebatch_arrow_column *column)
{
    return column->what == SEEBATCH_ARROW_CAPTURES || column->what == SEEBATCH_ARROW_MOVES ||
           column->what == SEEBATCH_ARROW_HANGING || column->what == SEEBATCH_ARROW_VALUES;
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

static void add_no_move(seebatch_arrow_column *column)
{
    add_int32(&column->ends, column->text.used);
    add_value(column, 0);
}

/* Notes for a row which ROW_... are true of it. */
static void add_validity(seebatch_arrow_column *column, unsigned has)
{
    const char byte = (char)has;
    bytes_add(&column->valid, &byte, 1);
    column->nulls += !(has & ROW_HAS);
    column->wrong += !(has & ROW_GOOD);
}

/* Reports a row that has no FEN or no move, or a wrong one. */
static void add_null(seebatch_arrow_column *column)
{
    static const int16_t none[SQUARES] = {0};
    add_validity(column, 0);
    if (is_list(column)) {
        add_int32(&column->lists, column->items);
    } else if (column->what == SEEBATCH_ARROW_VALUE) {
        add_value(column, 0);
    } else if (column->what == SEEBATCH_ARROW_MAP) {
        for (int color = 0; color < 2; color++)
            bytes_add(&column->numbers[color], (const char *)none, sizeof none);
    } else {
        add_no_move(column);
        for (int i = 0; column->what == SEEBATCH_ARROW_ANNOTATION && i < ARROW_NUMBERS; i++)
            add_int32(&column->numbers[i], 0);
    }
}

static void add_best(seebatch_arrow_column *column, size_t k)
{
    size_t best = column->offsets[k];
    const size_t end = column->offsets[k + 1];
    add_validity(column, ROW_GOOD | (best < end ? ROW_HAS : 0));
    if (best == end) {
        add_no_move(column);
        return;
    }
    for (size_t i = best + 1; i < end; i++)
        best = column->worth[i] > column->worth[best] ? i : best;
    add_move(column, column->moves[best]);
    add_value(column, column->worth[best]);
}

static void add_list(seebatch_arrow_column *column, size_t k)
{
    add_validity(column, ROW_GOOD | ROW_HAS);
    add_int32(&column->lists, column->items);
    for (size_t i = column->offsets[k]; i < column->offsets[k + 1]; i++) {
        add_move(column, column->sorted[i]);
        add_value(column, column->worth[i]);
        column->items++;
    }
}

static void add_values(seebatch_arrow_column *column, size_t k)
{
    size_t next = column->offsets[k];
    add_validity(column, ROW_GOOD | ROW_HAS);
    add_int32(&column->lists, column->items);
    for (size_t i = column->item_offsets[k]; i < column->item_offsets[k + 1]; i++) {
        const char good = column->item_statuses[i] == SEEBATCH_OK;
        add_value(column, good ? column->worth[next++] : 0);
        bytes_add(&column->item_valid, &good, 1);
        column->null_items += !good;
        column->items++;
    }
}

static void add_hanging(seebatch_arrow_column *column, size_t k)
{
    add_validity(column, ROW_GOOD | ROW_HAS);
    add_int32(&column->lists, column->items);
    for (int square = 0; square < SQUARES; square++) {
        if (column->maps[k][0][square] <= 0 && column->maps[k][1][square] <= 0)
            continue;
        const char name[2] = {(char)('a' + square % 8), (char)('1' + square / 8)};
        add_int32(&column->ends, column->text.used);
        bytes_add(&column->text, name, sizeof name);
        column->items++;
    }
}

static void add_map(seebatch_arrow_column *column, size_t k)
{
    add_validity(column, ROW_GOOD | ROW_HAS);
    for (int color = 0; color < 2; color++)
        bytes_add(&column->numbers[color], (const char *)column->maps[k][color], sizeof column->maps[k][color]);
}

static bool stands_before(seebatch_move one, seebatch_move other)
{
    char text[2][6];
    seebatch_move_to_uci(one, text[0]);
    seebatch_move_to_uci(other, text[1]);
    return strcmp(text[0], text[1]) < 0;
}

/* The columns are like those of seebatch annotate. */
static void add_annotation(seebatch_arrow_column *column, size_t k)
{
    const size_t end = column->offsets[k + 1];
    size_t best = end, number[ARROW_NUMBERS] = {0};
    for (size_t i = column->offsets[k]; i < end; i++) {
        const int value = column->worth[i];
        number[value == SEEBATCH_ALWAYS ? PASSING : value > 0 ? WINNING : value == 0 ? EQUAL : LOSING]++;
        if (value != SEEBATCH_ALWAYS &&
            (best == end || value > column->worth[best] ||
             (value == column->worth[best] && stands_before(column->moves[i], column->moves[best]))))
            best = i;
    }
    for (int square = 0; square < SQUARES; square++) {
        number[HANGING_WHITE] += (size_t)column->maps[k][SEEBATCH_BLACK][square];
        number[HANGING_BLACK] += (size_t)column->maps[k][SEEBATCH_WHITE][square];
    }
    add_validity(column, ROW_GOOD | (best < end ? ROW_HAS : 0));
    for (int i = 0; i < ARROW_NUMBERS; i++)
        add_int32(&column->numbers[i], number[i]);
    if (best == end) {
        add_no_move(column);
    } else {
        add_move(column, column->moves[best]);
        add_value(column, column->worth[best]);
    }
}

/* Position k of those that were evaluated. */
static void add_row(seebatch_arrow_column *column, size_t k)
{
    switch (column->what) {
    case SEEBATCH_ARROW_VALUE:
        add_validity(column, ROW_GOOD | ROW_HAS);
        add_value(column, column->worth[k]);
        break;
    case SEEBATCH_ARROW_BEST_CAPTURE: add_best(column, k); break;
    case SEEBATCH_ARROW_CAPTURES:
    case SEEBATCH_ARROW_MOVES: add_list(column, k); break;
    case SEEBATCH_ARROW_HANGING: add_hanging(column, k); break;
    case SEEBATCH_ARROW_MAP: add_map(column, k); break;
    case SEEBATCH_ARROW_ANNOTATION: add_annotation(column, k); break;
    case SEEBATCH_ARROW_VALUES: add_values(column, k); break;
    case SEEBATCH_ARROW_GAMES:
    case SEEBATCH_ARROW_GAME_FENS: break; /* arrow_games.c has them */
    }
}

void seebatch_io_arrow_append(seebatch_arrow_column *column, size_t n, size_t left)
{
    for (size_t i = 0, k = 0; i < n; i++) {
        if (k == left || column->row[k] != i)
            add_null(column);
        else
            add_row(column, k++);
    }
    column->rows += n;
}

bool seebatch_io_arrow_failed(const seebatch_arrow_column *column)
{
    bool failed = column->valid.failed || column->lists.failed || column->ends.failed || column->text.failed ||
                  column->values.failed || column->item_valid.failed;
    for (int i = 0; i < ARROW_NUMBERS; i++)
        failed |= column->numbers[i].failed;
    return failed;
}

/* ---- The end ----------------------------------------------------------------------------------------------------- */

void *seebatch_io_arrow_take(struct bytes *bytes)
{
    void *data = bytes_reserve(bytes, 1) ? bytes->data : NULL;
    if (data != NULL)
        memset(bytes, 0, sizeof *bytes);
    return data;
}

/* How many rows are null: those without one of ROW_...; 0: none. And their bits, NULL where there are no nulls. False
 * if there is no memory. */
static bool nulls_of(const seebatch_arrow_column *column, unsigned without, size_t *nulls, void **bits)
{
    *nulls = without == ROW_HAS ? column->nulls : without == ROW_GOOD ? column->wrong : 0;
    *bits = *nulls ? seebatch_io_arrow_bits((const uint8_t *)column->valid.data, column->rows, without) : NULL;
    return *bits != NULL || *nulls == 0;
}

/* Texts, of as many rows as ends were added; which of them are null, as above. */
static bool text_array(seebatch_arrow_column *column, unsigned without, struct ArrowArray *array)
{
    const size_t n = column->ends.used / sizeof(int32_t);
    size_t nulls;
    void *bits = NULL;
    add_int32(&column->ends, column->text.used);
    if (column->ends.failed || !nulls_of(column, without, &nulls, &bits))
        return false;
    void *const memory[MOST_ARROW_BUFFERS] = {bits, seebatch_io_arrow_take(&column->ends), column->text.data};
    memset(&column->text, 0, sizeof column->text);
    return seebatch_io_arrow_array(array, n, nulls, memory, 3, 0) && memory[1] != NULL;
}

/* Makes an array of numbers of so many bytes. */
static bool number_array(seebatch_arrow_column *column, struct bytes *numbers, size_t size, unsigned without,
                         struct ArrowArray *array)
{
    const size_t n = numbers->used / size;
    size_t nulls;
    void *bits = NULL;
    if (!nulls_of(column, without, &nulls, &bits))
        return false;
    void *const memory[MOST_ARROW_BUFFERS] = {bits, seebatch_io_arrow_take(numbers), NULL};
    return seebatch_io_arrow_array(array, n, nulls, memory, 2, 0) && memory[1] != NULL;
}

static bool value_array(seebatch_arrow_column *column, unsigned without, struct ArrowArray *array)
{
    return number_array(column, &column->values, sizeof(int16_t), without, array);
}

/* Declares a struct of a move, its value, and so many numbers. */
static bool struct_array(seebatch_arrow_column *column, unsigned without, size_t n_numbers, struct ArrowArray *array)
{
    void *const none[MOST_ARROW_BUFFERS] = {NULL};
    bool good =
        seebatch_io_arrow_array(array, column->values.used / sizeof(int16_t), 0, none, 1, (size_t)2 + n_numbers) &&
        text_array(column, without, array->children[0]) && value_array(column, without, array->children[1]);
    for (size_t i = 0; i < n_numbers && good; i++)
        good = number_array(column, &column->numbers[i], sizeof(int32_t), ROW_GOOD, array->children[2 + i]);
    return good;
}

/* The values in lists. */
static bool item_array(seebatch_arrow_column *column, struct ArrowArray *array)
{
    void *bits = NULL;
    if (column->null_items != 0) {
        bits = seebatch_io_arrow_bits((const uint8_t *)column->item_valid.data, column->items, 1);
        if (bits == NULL)
            return false;
    }
    void *const memory[MOST_ARROW_BUFFERS] = {bits, seebatch_io_arrow_take(&column->values), NULL};
    return seebatch_io_arrow_array(array, column->items, column->null_items, memory, 2, 0) && memory[1] != NULL;
}

static bool list_array(seebatch_arrow_column *column, struct ArrowArray *array)
{
    size_t nulls;
    void *bits;
    add_int32(&column->lists, column->items);
    if (column->lists.failed || !nulls_of(column, ROW_HAS, &nulls, &bits))
        return false;
    void *const memory[MOST_ARROW_BUFFERS] = {bits, seebatch_io_arrow_take(&column->lists), NULL};
    return seebatch_io_arrow_array(array, column->rows, nulls, memory, 2, 1) && memory[1] != NULL &&
           (column->what == SEEBATCH_ARROW_HANGING  ? text_array(column, 0, array->children[0])
            : column->what == SEEBATCH_ARROW_VALUES ? item_array(column, array->children[0])
                                                    : struct_array(column, 0, 0, array->children[0]));
}

/* Declares a struct of two lists of 64 numbers. */
static bool map_array(seebatch_arrow_column *column, struct ArrowArray *array)
{
    void *const none[MOST_ARROW_BUFFERS] = {NULL};
    bool good = seebatch_io_arrow_array(array, column->rows, 0, none, 1, 2);
    for (int color = 0; color < 2 && good; color++) {
        struct ArrowArray *lists = array->children[color];
        size_t nulls;
        void *bits;
        good = nulls_of(column, ROW_GOOD, &nulls, &bits);
        void *const memory[MOST_ARROW_BUFFERS] = {bits, NULL, NULL};
        good = good && seebatch_io_arrow_array(lists, column->rows, nulls, memory, 1, 1) &&
               number_array(column, &column->numbers[color], sizeof(int16_t), 0, lists->children[0]);
    }
    return good;
}

static bool column_array(seebatch_arrow_column *column, struct ArrowArray *array)
{
    switch (column->what) {
    case SEEBATCH_ARROW_VALUE: return value_array(column, ROW_HAS, array);
    case SEEBATCH_ARROW_BEST_CAPTURE: return struct_array(column, ROW_HAS, 0, array);
    case SEEBATCH_ARROW_CAPTURES:
    case SEEBATCH_ARROW_MOVES:
    case SEEBATCH_ARROW_HANGING:
    case SEEBATCH_ARROW_VALUES: return list_array(column, array);
    case SEEBATCH_ARROW_MAP: return map_array(column, array);
    case SEEBATCH_ARROW_ANNOTATION: return struct_array(column, ROW_HAS, ARROW_NUMBERS, array);
    case SEEBATCH_ARROW_GAMES:
    case SEEBATCH_ARROW_GAME_FENS: break;
    }
    return false;
}

static bool pair_schema(struct ArrowSchema *schema, const char *name, bool nullable, size_t n_children)
{
    const bool best = n_children > 2;
    return seebatch_io_arrow_schema(schema, "+s", name, false, n_children) &&
           seebatch_io_arrow_schema(schema->children[0], "u", best ? "best_capture" : "move", nullable, 0) &&
           seebatch_io_arrow_schema(schema->children[1], "s", best ? "best_value" : "value", nullable, 0);
}

static bool list_schema(struct ArrowSchema *schema, const char *name)
{
    return seebatch_io_arrow_schema(schema, "+l", name, true, 1) && pair_schema(schema->children[0], "item", false, 2);
}

static bool map_schema(struct ArrowSchema *schema)
{
    static const char *const names[2] = {"white", "black"};
    bool good = seebatch_io_arrow_schema(schema, "+s", "map", false, 2);
    for (int color = 0; color < 2 && good; color++)
        good = seebatch_io_arrow_schema(schema->children[color], "+w:64", names[color], true, 1) &&
               seebatch_io_arrow_schema(schema->children[color]->children[0], "s", "item", false, 0);
    return good;
}

static bool annotation_schema(struct ArrowSchema *schema)
{
    bool good = pair_schema(schema, "annotation", true, (size_t)2 + ARROW_NUMBERS);
    for (int i = 0; i < ARROW_NUMBERS && good; i++)
        good = seebatch_io_arrow_schema(schema->children[2 + i], "i", number_names[i], true, 0);
    return good;
}

static bool column_schema(const seebatch_arrow_column *column, struct ArrowSchema *schema)
{
    switch (column->what) {
    case SEEBATCH_ARROW_VALUE: return seebatch_io_arrow_schema(schema, "s", "value", true, 0);
    case SEEBATCH_ARROW_BEST_CAPTURE: return pair_schema(schema, "best_capture", true, 2);
    case SEEBATCH_ARROW_CAPTURES: return list_schema(schema, "captures");
    case SEEBATCH_ARROW_MOVES: return list_schema(schema, "moves");
    case SEEBATCH_ARROW_HANGING:
        return seebatch_io_arrow_schema(schema, "+l", "hanging", true, 1) &&
               seebatch_io_arrow_schema(schema->children[0], "u", "item", false, 0);
    case SEEBATCH_ARROW_VALUES:
        return seebatch_io_arrow_schema(schema, "+l", "values", true, 1) &&
               seebatch_io_arrow_schema(schema->children[0], "s", "item", true, 0);
    case SEEBATCH_ARROW_MAP: return map_schema(schema);
    case SEEBATCH_ARROW_ANNOTATION: return annotation_schema(schema);
    case SEEBATCH_ARROW_GAMES:
    case SEEBATCH_ARROW_GAME_FENS: break;
    }
    return false;
}

seebatch_io_status seebatch_arrow_column_finish(seebatch_arrow_column *column, struct ArrowSchema *schema,
                                                struct ArrowArray *array, seebatch_io_error *error)
{
    memset(schema, 0, sizeof *schema);
    memset(array, 0, sizeof *array);
    if (column->games != NULL
            ? seebatch_io_arrow_games_finish(column, schema, array)
            : !seebatch_io_arrow_failed(column) && column_schema(column, schema) && column_array(column, array))
        return SEEBATCH_IO_OK;
    if (schema->release != NULL)
        schema->release(schema);
    if (array->release != NULL)
        array->release(array);
    seebatch_io_no_memory(error);
    return SEEBATCH_IO_NO_MEMORY;
}
