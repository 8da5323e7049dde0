/*
 * Reads the strings of an Arrow array in place, as texts: seebatch_arrow_texts() and the cells of arrow_cells.h.
 * Everything that the C data interface lets anybody check is checked. Buffers may lie at any address, so numbers in
 * them are copied out byte by byte.
 */
#include <stdio.h>
#include <stdlib.h>

#include "arrow_cells.h"
#include "support/bytes.h"
#include "files/output.h"
#include "seebatch_arrow.h"
#include "support/numbers.h"
#include "support/text.h"

/* What an array of strings looks like. */
enum layout { NONE, SHORT, LARGE, VIEW, FIXED, NOTHING /* the type null */ };

struct strings {
    enum layout layout;
    int64_t width; /* of FIXED */
};

static struct strings strings_of(const char *format)
{
    static const struct {
        const char *format;
        enum layout layout;
    } known[] = {{"u", SHORT}, {"z", SHORT}, {"U", LARGE}, {"Z", LARGE}, {"vu", VIEW}, {"vz", VIEW}, {"n", NOTHING}};
    enum { MOST_DIGITS = 9 };
    int64_t width = 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(format, known[i].format) == 0)
            return (struct strings){known[i].layout, 0};
    }
    for (size_t i = 2; format[0] == 'w' && format[1] == ':' && format[i] >= '0' && format[i] <= '9'; i++) {
        width = 10 * width + (format[i] - '0');
        if (format[i + 1] == 0 && i < 2 + MOST_DIGITS)
            return (struct strings){FIXED, width};
    }
    return (struct strings){NONE, 0};
}

static int32_t int32_at(const void *buffer, int64_t i)
{
    int32_t number;
    memcpy(&number, (const char *)buffer + i * 4, sizeof number);
    return number;
}

static int64_t int64_at(const void *buffer, int64_t i)
{
    int64_t number;
    memcpy(&number, (const char *)buffer + i * 8, sizeof number);
    return number;
}

/* Reads a number of an integer type, which is given by the letter of its format. Returns false for other types. */
static bool integer_at(char format, const void *buffer, int64_t i, int64_t *number)
{
    const unsigned char *bytes = buffer;
    uint16_t two;
    switch (format) {
    case 'c': *number = (int8_t)bytes[i]; return true;
    case 'C': *number = bytes[i]; return true;
    case 's':
    case 'S':
        memcpy(&two, bytes + 2 * i, sizeof two);
        *number = format == 's' ? (int16_t)two : two;
        return true;
    case 'i': *number = int32_at(buffer, i); return true;
    case 'I': *number = (uint32_t)int32_at(buffer, i); return true;
    case 'l':
    case 'L': /* above INT64_MAX: negative, and so no index and no move */ *number = int64_at(buffer, i); return true;
    default: return false;
    }
}

static bool is_integer(const char *format) { return format[0] != 0 && format[1] == 0 && strchr("cCsSiIlL", format[0]); }

static bool damaged(seebatch_io_error *error, const char *what)
{
    return seebatch_io_fail(error, SEEBATCH_IO_FAILED, 0, "the column is damaged: %s", what);
}

/* The largest item that an array can have is a view, except for fixed-size binary, which says how large its items are. */
enum { LARGEST_ITEM = 16 };

/* Whether an array has a length, and the buffers that its type needs; none is larger than memory. */
static bool check_buffers(const struct ArrowArray *array, int64_t n_buffers, bool at_least, int64_t item,
                          seebatch_io_error *error)
{
    if (array->length < 0 || array->offset < 0)
        return damaged(error, "its length or its offset is negative");
    if (array->offset >= PTRDIFF_MAX / item - array->length)
        return damaged(error, "its length and its offset are larger than memory");
    if (array->null_count < -1 || array->null_count > array->length)
        return damaged(error, "it has more nulls than rows, or less than none");
    if (at_least ? array->n_buffers < n_buffers : array->n_buffers != n_buffers)
        return seebatch_io_fail(error, SEEBATCH_IO_FAILED, 0,
                                "the column is damaged: it has %lld buffers, expected %lld",
                                (long long)array->n_buffers, (long long)n_buffers);
    if (array->length == 0 || n_buffers == 0)
        return true;
    /* The third one may be missing where all texts are empty. */
    if (array->buffers == NULL || (n_buffers > 1 && array->buffers[1] == NULL))
        return damaged(error, "a buffer is missing");
    return array->null_count <= 0 || array->buffers[0] != NULL || damaged(error, "the buffer of its nulls is missing");
}

/* Of an array that has been checked. */
static bool is_null(const struct ArrowArray *array, int64_t i)
{
    const uint8_t *bits = array->null_count == 0 || array->n_buffers == 0 ? NULL : array->buffers[0];
    return bits != NULL && !(bits[i / 8] >> i % 8 & 1);
}

/* Takes a text by its two offsets. The last offset of all is the end of the last text. */
static bool between(const struct ArrowArray *array, int64_t begin, int64_t end, int64_t last, seebatch_text *text,
                    seebatch_io_error *error)
{
    const char *data = array->buffers[2];
    if (begin < 0 || end < begin || end > last)
        return damaged(error, "its offsets decrease");
    if (data == NULL && end > begin)
        return damaged(error, "a buffer is missing");
    text->at = end > begin ? data + begin : "";
    text->length = (size_t)(end - begin);
    return true;
}

/* A view has 16 bytes: the length, and up to twelve characters; or four of them, the number of a buffer, and an offset
 * there. The last buffer has the lengths of the others. */
static bool view_at(const struct ArrowArray *array, int64_t i, seebatch_text *text, seebatch_io_error *error)
{
    enum { SIZE = 16, INLINE = 12 };
    const char *view = (const char *)array->buffers[1] + i * SIZE;
    const int64_t n_data = array->n_buffers - 3;
    const int32_t length = int32_at(view, 0);
    if (length < 0)
        return damaged(error, "a text has a negative length");
    text->length = (size_t)length;
    text->at = view + 4;
    if (length <= INLINE)
        return true;
    const int32_t which = int32_at(view, 2), offset = int32_at(view, 3);
    const void *lengths = array->buffers[array->n_buffers - 1];
    if (which < 0 || which >= n_data || offset < 0 || lengths == NULL || array->buffers[2 + which] == NULL)
        return damaged(error, "a view points into a buffer that is not there");
    if ((int64_t)offset + length > int64_at(lengths, which))
        return damaged(error, "a view points beyond its buffer");
    text->at = (const char *)array->buffers[2 + which] + offset;
    return true;
}

/* The offset after the last text of an array that has been checked; of other layouts, nothing. A text that ends after
 * it is known to be wrong before the next one, perhaps of another call, begins before that end. */
static int64_t last_offset(struct strings strings, const struct ArrowArray *array)
{
    const int64_t rows = array->offset + array->length;
    if (array->length == 0 || (strings.layout != SHORT && strings.layout != LARGE))
        return 0;
    return strings.layout == SHORT ? int32_at(array->buffers[1], rows) : int64_at(array->buffers[1], rows);
}

static bool text_at(struct strings strings, const struct ArrowArray *array, int64_t last, int64_t i,
                    seebatch_text *text, seebatch_io_error *error)
{
    text->at = NULL;
    text->length = 0;
    if (strings.layout == NOTHING || is_null(array, i))
        return true;
    const void *ends = array->buffers[1];
    if (strings.layout == SHORT)
        return between(array, int32_at(ends, i), int32_at(ends, i + 1), last, text, error);
    if (strings.layout == LARGE)
        return between(array, int64_at(ends, i), int64_at(ends, i + 1), last, text, error);
    if (strings.layout == VIEW)
        return view_at(array, i, text, error);
    *text = (seebatch_text){(const char *)ends + i * strings.width, (size_t)strings.width};
    return true;
}

static bool check_strings(struct strings strings, const struct ArrowArray *array, seebatch_io_error *error)
{
    const int64_t n_buffers = strings.layout == NOTHING ? 0 : strings.layout == FIXED ? 2 : 3;
    const bool at_least = strings.layout == NOTHING || strings.layout == VIEW;
    const int64_t item = strings.layout == FIXED && strings.width > LARGEST_ITEM ? strings.width : LARGEST_ITEM;
    return check_buffers(array, n_buffers, at_least, item, error);
}

/* Whether an array has the children of its schema. */
static bool check_children(const struct ArrowSchema *schema, const struct ArrowArray *array, seebatch_io_error *error)
{
    bool there = array->n_children == schema->n_children && (array->children != NULL || schema->n_children == 0);
    for (int64_t i = 0; there && i < schema->n_children; i++)
        there = array->children[i] != NULL;
    return there || damaged(error, "its children are not those of its schema");
}

/* To a depth and a number of nodes that no table has, since a schema may have itself as a child. */
static bool check_schema(const struct ArrowSchema *schema, int depth, int *left, seebatch_io_error *error)
{
    enum { DEEPEST = 64 };
    if (schema == NULL || schema->format == NULL || schema->n_children < 0 ||
        (schema->children == NULL && schema->n_children > 0))
        return damaged(error, "its schema lacks a type or a child");
    if (depth > DEEPEST || --*left < 0)
        return damaged(error, "its schema has more than 64 levels or a million nodes");
    for (int64_t i = 0; i < schema->n_children; i++)
        if (!check_schema(schema->children[i], depth + 1, left, error))
            return false;
    return schema->dictionary == NULL || check_schema(schema->dictionary, depth + 1, left, error);
}

seebatch_io_status seebatch_arrow_schema_check(const struct ArrowSchema *schema, seebatch_io_error *error)
{
    seebatch_io_error own;
    int left = 1000000;
    return check_schema(schema, 0, &left, error ? error : &own) ? SEEBATCH_IO_OK : SEEBATCH_IO_FAILED;
}

static bool check_rows(const struct ArrowArray *array, size_t begin, size_t n, seebatch_io_error *error)
{
    if (n <= (uint64_t)array->length && begin <= (uint64_t)array->length - n)
        return true;
    return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "the column has %lld rows, expected at least %zu",
                            (long long)array->length, begin + n);
}

static seebatch_io_status refuse_type(const char *format, const char *expected, seebatch_io_error *error)
{
    seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "the column has Arrow's type '%s', expected %s", format, expected);
    return SEEBATCH_IO_USAGE;
}

/* Each row is an index into a column of texts. */
static bool dictionary_texts(const struct ArrowSchema *schema, const struct ArrowArray *array, int64_t first, size_t n,
                             seebatch_text *texts, seebatch_io_error *error)
{
    const struct ArrowArray *words = array->dictionary;
    const struct strings strings = strings_of(schema->dictionary->format);
    if (words == NULL)
        return damaged(error, "its dictionary is missing");
    if (!check_buffers(array, 2, false, LARGEST_ITEM, error) || !check_strings(strings, words, error))
        return false;
    const int64_t last = last_offset(strings, words);
    for (size_t k = 0; k < n; k++) {
        int64_t i = first + (int64_t)k, index = 0;
        texts[k] = (seebatch_text){NULL, 0};
        if (is_null(array, i))
            continue;
        integer_at(schema->format[0], array->buffers[1], i, &index);
        if (index < 0 || index >= words->length)
            return damaged(error, "an index is beyond its dictionary");
        if (!text_at(strings, words, last, words->offset + index, &texts[k], error))
            return false;
    }
    return true;
}

static seebatch_io_status refused(seebatch_io_error *error, bool good) { return good ? SEEBATCH_IO_OK : error->status; }

seebatch_io_status seebatch_arrow_texts(const struct ArrowSchema *schema, const struct ArrowArray *array, size_t begin,
                                        size_t n, seebatch_text *texts, seebatch_io_error *error)
{
    static const char expected[] = "strings: utf8, large_utf8, string_view, binary or a dictionary of them";
    seebatch_io_error own;
    error = error ? error : &own;
    const struct strings strings = strings_of(schema->format);
    const struct ArrowSchema *words = schema->dictionary;
    if (words != NULL
            ? !is_integer(schema->format) || words->dictionary != NULL || strings_of(words->format).layout == NONE
            : strings.layout == NONE)
        return refuse_type(words ? words->format : schema->format, expected, error);
    if (!check_rows(array, begin, n, error))
        return error->status;
    if (words == NULL && !check_strings(strings, array, error))
        return error->status;
    const int64_t first = array->offset + (int64_t)begin;
    if (words != NULL)
        return refused(error, dictionary_texts(schema, array, first, n, texts, error));
    const int64_t last = last_offset(strings, array);
    bool good = true;
    for (size_t k = 0; k < n && good; k++)
        good = text_at(strings, array, last, first + (int64_t)k, &texts[k], error);
    return refused(error, good);
}

bool seebatch_arrow_has_boards(const struct ArrowSchema *schema)
{
    const struct strings strings = strings_of(schema->format);
    if (strings.layout == FIXED)
        return strings.width == sizeof(seebatch_position);
    const char *type = schema->format + (schema->format[0] == 'v');
    return schema->name != NULL && strcmp(schema->name, "board") == 0 &&
           (strcmp(type, "z") == 0 || strcmp(type, "Z") == 0);
}

seebatch_status seebatch_arrow_board(seebatch_text text, seebatch_position *position, seebatch_error *error)
{
    seebatch_status status = SEEBATCH_UNREADABLE;
    if (text.length == sizeof *position) {
        memcpy(position, text.at, sizeof *position);
        status = seebatch_position_check(position, error);
    } else if (error != NULL) {
        snprintf(error->text, sizeof error->text,
                 "the board has %zu byte%s, expected %zu, the size of a seebatch_position", text.length,
                 plural(text.length), sizeof *position);
    }
    if (status != SEEBATCH_OK)
        *position = seebatch_position_empty(SEEBATCH_WHITE);
    return status;
}

seebatch_io_status seebatch_arrow_moves(const struct ArrowSchema *schema, const struct ArrowArray *array, size_t begin,
                                        size_t n, seebatch_text *texts, char (*room)[6], seebatch_io_error *error)
{
    seebatch_io_error own;
    error = error ? error : &own;
    if (schema->dictionary != NULL || !is_integer(schema->format))
        return seebatch_arrow_texts(schema, array, begin, n, texts, error);
    if (!check_rows(array, begin, n, error) || !check_buffers(array, 2, false, LARGEST_ITEM, error))
        return error->status;
    for (size_t k = 0; k < n; k++) {
        const int64_t i = array->offset + (int64_t)begin + (int64_t)k;
        int64_t number = -1;
        texts[k] = (seebatch_text){NULL, 0};
        if (is_null(array, i))
            continue;
        integer_at(schema->format[0], array->buffers[1], i, &number);
        texts[k] = (seebatch_text){"?", 1};
        if (number >= 0 && number <= UINT16_MAX && number >> 12 <= SEEBATCH_QUEEN)
            texts[k] = (seebatch_text){room[k], seebatch_move_to_uci((seebatch_move)number, room[k])};
    }
    return SEEBATCH_IO_OK;
}

/* ---- Lists and structs ------------------------------------------------------------------------------------------------------- */

/* The type of a list: 'l', 'L' with offsets of 64 bits, 'w' of one size, which is written; 0: no list. */
static char list_type(const struct ArrowSchema *schema, int64_t *size)
{
    const char *format = schema->format;
    *size = 0;
    if (schema->dictionary != NULL || schema->n_children != 1 || format[0] != '+')
        return 0;
    if ((format[1] == 'l' || format[1] == 'L') && format[2] == 0)
        return format[1];
    *size = strings_of(format + 1).width;
    return strings_of(format + 1).layout == FIXED ? 'w' : 0;
}

/* Where list i begins; i may be that after the last one. */
static int64_t list_begin(char type, int64_t size, const struct ArrowArray *array, int64_t i)
{
    if (type == 'w')
        return size != 0 && i > INT64_MAX / size ? INT64_MAX : i * size; /* that many items nothing has */
    return type == 'l' ? int32_at(array->buffers[1], i) : int64_at(array->buffers[1], i);
}

seebatch_io_status seebatch_arrow_lists(const struct ArrowSchema *schema, const struct ArrowArray *array, size_t begin,
                                        size_t n, size_t *rows, bool *nulls, seebatch_io_error *error)
{
    seebatch_io_error own;
    int64_t size, last = 0;
    error = error ? error : &own;
    const char type = list_type(schema, &size);
    if (type == 0)
        return refuse_type(schema->format, "list, large_list or fixed-size list", error);
    if (!check_rows(array, begin, n, error) || !check_buffers(array, type == 'w' ? 1 : 2, false, LARGEST_ITEM, error) ||
        !check_children(schema, array, error))
        return error->status;
    const int64_t first = array->offset + (int64_t)begin, most = array->children[0]->length;
    for (size_t k = 0; k <= n; k++) {
        const int64_t i = first + (int64_t)k;
        const int64_t at = n == 0 ? 0 : list_begin(type, size, array, i);
        if (at < last || at > most)
            return refused(error, damaged(error, at < last ? "its offsets decrease" : "a list is beyond its items"));
        rows[k] = (size_t)at;
        last = at;
        if (k < n)
            nulls[k] = is_null(array, i);
    }
    return SEEBATCH_IO_OK;
}

seebatch_io_status seebatch_arrow_structs(const struct ArrowSchema *schema, const struct ArrowArray *array,
                                          size_t begin, size_t n, bool *nulls, seebatch_io_error *error)
{
    seebatch_io_error own;
    error = error ? error : &own;
    if (strcmp(schema->format, "+s") != 0)
        return refuse_type(schema->format, "structs", error);
    if (!check_rows(array, begin, n, error) || !check_buffers(array, 1, false, LARGEST_ITEM, error) ||
        !check_children(schema, array, error))
        return error->status;
    for (size_t k = 0; k < n; k++)
        nulls[k] = is_null(array, array->offset + (int64_t)begin + (int64_t)k);
    return SEEBATCH_IO_OK;
}

/* ---- Cells of tables --------------------------------------------------------------------------------------------- */

static bool is_number(const char *format)
{
    return is_integer(format) || (format[0] != 0 && format[1] == 0 && strchr("fgb", format[0]));
}

/* A value that is no text; at == NULL where it is not a number. */
static seebatch_text put_number(char format, const void *buffer, int64_t i, char room[ARROW_CELL])
{
    int64_t whole = 0;
    uint64_t large;
    float narrow;
    double real = 0;
    if (format == 'b') {
        const bool yes = ((const uint8_t *)buffer)[i / 8] >> i % 8 & 1;
        return (seebatch_text){yes ? "true" : "false", yes ? 4 : 5};
    }
    if (format == 'L') {
        memcpy(&large, (const char *)buffer + 8 * i, sizeof large);
        return (seebatch_text){room, (size_t)snprintf(room, ARROW_CELL, "%llu", (unsigned long long)large)};
    }
    if (integer_at(format, buffer, i, &whole)) {
        const char *text = seebatch_io_put_int(room + ARROW_CELL, whole);
        return (seebatch_text){text, (size_t)(room + ARROW_CELL - text)};
    }
    if (format == 'f') {
        memcpy(&narrow, (const char *)buffer + 4 * i, sizeof narrow);
        real = narrow;
    } else {
        memcpy(&real, (const char *)buffer + 8 * i, sizeof real);
    }
    return real == real ? (seebatch_text){room, seebatch_io_put_shortest_real(real, format == 'f', room)}
                        : (seebatch_text){NULL, 0};
}

bool seebatch_io_arrow_has_texts(const struct ArrowSchema *schema)
{
    return schema->dictionary != NULL || strings_of(schema->format).layout != NONE;
}

seebatch_io_status seebatch_io_arrow_cells(const struct ArrowSchema *schema, const struct ArrowArray *array,
                                           size_t begin, size_t n, seebatch_text *texts, char (*room)[ARROW_CELL],
                                           seebatch_io_error *error)
{
    if (seebatch_io_arrow_has_texts(schema))
        return seebatch_arrow_texts(schema, array, begin, n, texts, error);
    if (!is_number(schema->format))
        return refuse_type(schema->format, "strings, integers, float, double or boolean", error);
    if (!check_rows(array, begin, n, error) || !check_buffers(array, 2, false, LARGEST_ITEM, error))
        return error->status;
    for (size_t k = 0; k < n; k++) {
        const int64_t i = array->offset + (int64_t)begin + (int64_t)k;
        texts[k] =
            is_null(array, i) ? (seebatch_text){NULL, 0} : put_number(schema->format[0], array->buffers[1], i, room[k]);
    }
    return SEEBATCH_IO_OK;
}
