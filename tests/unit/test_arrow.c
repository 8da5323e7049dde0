/*
 * seebatch_arrow from outside: streams of readers hold what the readers give, errors come with their sentence, and
 * nothing is lost or leaked where memory ends.
 */
#include "seebatch_arrow.h"

#include "memory_ends.h"
#include "test_support.h"

#include <errno.h>

/* ---- Columns of an array ----------------------------------------------------------------------------------------- */

static bool is_valid(const struct ArrowArray *column, int64_t i)
{
    const uint8_t *bits = column->buffers[0];
    return bits == NULL || (bits[i / 8] >> i % 8 & 1);
}

static bool has_text(const struct ArrowArray *column, int64_t i, const char *text)
{
    const int32_t *ends = column->buffers[1];
    const size_t length = (size_t)(ends[i + 1] - ends[i]);
    return length == strlen(text) && memcmp((const char *)column->buffers[2] + ends[i], text, length) == 0;
}

static int64_t nulls_of(const struct ArrowArray *column)
{
    int64_t nulls = 0;
    for (int64_t i = 0; i < column->length; i++)
        nulls += !is_valid(column, i);
    return nulls;
}

/* ---- Files out --------------------------------------------------------------------------------------------------- */

static const seebatch_reader_options binpack = {.path = "data/formats/own.binpack"};

static void open_stream(const seebatch_reader_options *options, const seebatch_arrow_options *arrow,
                        struct ArrowArrayStream *stream)
{
    seebatch_io_error error;
    seebatch_reader *reader = seebatch_reader_open(options, &error);
    assert_non_null(reader);
    assert_int_equal(seebatch_reader_to_arrow(reader, arrow, stream, &error), SEEBATCH_IO_OK);
}

/* Compares an array with what another reader of the file gives next. */
static void compare(const struct ArrowArray *array, const seebatch_arrow_options *options, seebatch_reader *reader)
{
    assert_int_equal(array->n_children, 5);
    struct ArrowArray *const *column = array->children;
    for (int64_t i = 0; i < array->length; i++) {
        seebatch_position position;
        seebatch_move move;
        int32_t score, ply;
        uint8_t result, has;
        char fen[SEEBATCH_FEN_SIZE], uci[6];
        seebatch_records one = {.capacity = 1,
                                .positions = &position,
                                .moves = &move,
                                .scores = &score,
                                .plies = &ply,
                                .results = &result,
                                .has = &has};
        assert_int_equal(seebatch_reader_next(reader, &one, NULL), SEEBATCH_IO_OK);
        seebatch_position_to_fen(&position, fen);
        seebatch_move_to_uci(move, uci);
        if (options != NULL && options->boards) {
            const seebatch_position *board = (const seebatch_position *)column[0]->buffers[1] + i;
            assert_memory_equal(board, &position, offsetof(seebatch_position, fullmove_number) + 2);
            assert_int_equal(((const seebatch_move *)column[1]->buffers[1])[i], move);
        } else {
            assert_true(has_text(column[0], i, fen) && has_text(column[1], i, uci));
        }
        assert_int_equal(((const int32_t *)column[2]->buffers[1])[i], score);
        assert_true(((const float *)column[3]->buffers[1])[i] == (float)result / 2);
        assert_int_equal(((const int32_t *)column[4]->buffers[1])[i], ply);
        assert_true(has == 15 && is_valid(column[1], i));
    }
}

TEST(a_stream_has_what_the_reader_gives)
{
    static const seebatch_arrow_options options[] = {
        {.batch = 0},   {.batch = 1},        {.batch = 7},
        {.batch = 513}, {.batch = SIZE_MAX}, {.batch = 100, .boards = true, .move_numbers = true}};
    for (size_t k = 0; k < COUNT(options); k++) {
        struct ArrowArrayStream stream;
        struct ArrowArray array;
        int64_t n = 0;
        seebatch_reader *reader = seebatch_reader_open(&binpack, NULL);
        assert_non_null(reader); /* the tests run in the folder `tests` */
        open_stream(&binpack, k ? &options[k] : NULL, &stream);
        while (stream.get_next(&stream, &array) == 0 && array.release != NULL) {
            assert_true(array.length > 0 && (options[k].batch == 0 || (size_t)array.length <= options[k].batch));
            compare(&array, &options[k], reader);
            n += array.length;
            array.release(&array);
            assert_null(array.release);
        }
        assert_int_equal(n, 1558);
        assert_null(stream.get_last_error(&stream));
        assert_int_equal(stream.get_next(&stream, &array), 0);
        assert_null(array.release);
        stream.release(&stream);
        assert_null(stream.release);
        seebatch_reader_close(reader);
    }
}

TEST(schemas_name_the_columns_of_the_file)
{
    static const char *const names[] = {"fen", "move", "score", "result", "ply"}, *const formats = "uuifi";
    struct ArrowArrayStream stream;
    struct ArrowSchema schema, child;
    open_stream(&binpack, NULL, &stream);
    assert_int_equal(stream.get_schema(&stream, &schema), 0);
    assert_string_equal(schema.format, "+s");
    assert_int_equal(schema.n_children, 5);
    for (int i = 0; i < 5; i++) {
        assert_string_equal(schema.children[i]->name, names[i]);
        assert_true(schema.children[i]->format[0] == formats[i] && schema.children[i]->format[1] == 0);
        assert_int_equal(schema.children[i]->flags, i ? ARROW_FLAG_NULLABLE : 0);
    }
    child = *schema.children[1]; /* a consumer moves it out */
    schema.children[1]->release = NULL;
    stream.release(&stream);
    child.release(&child);
    schema.release(&schema);

    const seebatch_arrow_options numbers = {.boards = true, .move_numbers = true};
    open_stream(&binpack, &numbers, &stream);
    assert_int_equal(stream.get_schema(&stream, &schema), 0);
    assert_string_equal(schema.children[0]->name, "board");
    assert_string_equal(schema.children[0]->format, "w:48");
    assert_string_equal(schema.children[1]->format, "S");
    schema.release(&schema);
    stream.release(&stream);

    const seebatch_reader_options games = {.path = "data/games.fen"};
    open_stream(&games, NULL, &stream);
    assert_int_equal(stream.get_schema(&stream, &schema), 0);
    assert_true(schema.n_children == 3 && strcmp(schema.children[2]->name, "ply") == 0);
    schema.release(&schema);
    stream.release(&stream);
}

#define START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"

TEST(what_a_record_lacks_is_null)
{
    static const char text[] = "fen,score,move\n" START " 0 1,,e2e4\n" START ",-7,\n" START ",3,Nf3\n";
    const seebatch_reader_options options = {.bytes = text, .n_bytes = sizeof text - 1, .format = "csv"};
    struct ArrowArrayStream stream;
    struct ArrowArray array, score;
    open_stream(&options, NULL, &stream);
    assert_int_equal(stream.get_next(&stream, &array), 0);
    stream.release(&stream); /* arrays outlive it */
    assert_true(array.length == 3 && array.n_children == 4);
    assert_true(has_text(array.children[0], 0, START " 0 1") && has_text(array.children[0], 1, START));
    assert_true(has_text(array.children[1], 0, "e2e4") && has_text(array.children[1], 1, "") &&
                has_text(array.children[1], 2, "g1f3"));
    score = *array.children[2];
    array.children[2]->release = NULL;
    assert_true(nulls_of(array.children[1]) == 1 && array.children[1]->null_count == 1 &&
                !is_valid(array.children[1], 1));
    array.release(&array);
    assert_true(score.null_count == 1 && !is_valid(&score, 0) && ((const int32_t *)score.buffers[1])[1] == -7);
    score.release(&score);
}

TEST(an_error_comes_behind_what_was_read)
{
    static const char text[] = START "\n" START "\nwrong\n" START "\n";
    const seebatch_reader_options options = {
        .bytes = text, .n_bytes = sizeof text - 1, .format = "fen", .strict = true};
    struct ArrowArrayStream stream;
    struct ArrowArray array;
    open_stream(&options, NULL, &stream);
    assert_int_equal(stream.get_next(&stream, &array), 0);
    assert_int_equal(array.length, 2);
    array.release(&array);
    for (int again = 0; again < 2; again++) {
        assert_int_equal(stream.get_next(&stream, &array), EINVAL);
        assert_null(array.release);
        assert_non_null(strstr(stream.get_last_error(&stream), "memory:3: the pieces 'wrong'"));
    }
    stream.release(&stream);
}

/* ---- Columns in -------------------------------------------------------------------------------------------------- */

/* An array of the test's own: nothing is released. */
static struct ArrowArray array_of(int64_t length, int64_t offset, int64_t n_buffers, const void **buffers)
{
    return (struct ArrowArray){
        .length = length, .null_count = -1, .offset = offset, .n_buffers = n_buffers, .buffers = buffers};
}

/* Reads rows; what they are, divided by commas, ~ for a null. The sentence, where that fails. */
static const char *texts_of(const struct ArrowSchema *schema, const struct ArrowArray *array, size_t begin, size_t n)
{
    static char all[4096];
    static seebatch_io_error error;
    seebatch_text texts[16];
    size_t used = 0;
    error.text[0] = 0;
    if (seebatch_arrow_texts(schema, array, begin, n, texts, &error) != SEEBATCH_IO_OK)
        return error.text;
    for (size_t i = 0; i < n; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%.*s", i ? "," : "",
                                 texts[i].at ? (int)texts[i].length : 1, texts[i].at ? texts[i].at : "~");
    all[used] = 0;
    return all;
}

static const uint8_t bits[] = {0x1d}; /* row 1 is null */

TEST(strings_of_every_type)
{
    static const int32_t ends[] = {0, 2, 2, 5, 5, 9};
    static const int64_t large_ends[] = {0, 2, 2, 5, 5, 9};
    const void *short_buffers[] = {bits, ends, "abcdefghi"}, *large_buffers[] = {bits, large_ends, "abcdefghi"};
    static const char *const short_formats[] = {"u", "z"}, *const large_formats[] = {"U", "Z"};
    for (int k = 0; k < 2; k++) {
        const struct ArrowSchema few = {.format = short_formats[k]}, many = {.format = large_formats[k]};
        struct ArrowArray array = array_of(5, 0, 3, short_buffers), large = array_of(5, 0, 3, large_buffers);
        assert_string_equal(texts_of(&few, &array, 0, 5), "ab,~,cde,,fghi");
        assert_string_equal(texts_of(&many, &large, 0, 5), "ab,~,cde,,fghi");
        array = array_of(3, 1, 3, short_buffers); /* a slice: bits and offsets move with it */
        assert_string_equal(texts_of(&few, &array, 0, 3), "~,cde,");
        assert_string_equal(texts_of(&few, &array, 2, 1), "");
        array.null_count = 0; /* then the bits say nothing */
        assert_string_equal(texts_of(&few, &array, 0, 2), ",cde");
    }
    const void *fixed_buffers[] = {bits, "abcdefghi"};
    const struct ArrowSchema fixed = {.format = "w:3"};
    const struct ArrowArray threes = array_of(2, 1, 2, fixed_buffers);
    assert_string_equal(texts_of(&fixed, &threes, 0, 2), "~,ghi");
    const struct ArrowSchema null = {.format = "n"};
    const struct ArrowArray nothing = {.length = 2, .null_count = 2};
    assert_string_equal(texts_of(&null, &nothing, 0, 2), "~,~");
}

/* A view: a text of at most twelve characters, or a place in a buffer. */
static void put_view(char *view, int32_t length, const char *text, int32_t buffer, int32_t offset)
{
    memcpy(view, &length, 4);
    memcpy(view + 4, text, length > 12 ? 4 : (size_t)length);
    if (length > 12) {
        memcpy(view + 8, &buffer, 4);
        memcpy(view + 12, &offset, 4);
    }
}

TEST(views_of_strings)
{
    static const char data[] = "a text that is long enough";
    const int64_t sizes[] = {sizeof data - 1};
    char views[3 * 16] = {0};
    const void *buffers[] = {bits, views, data, sizes};
    const struct ArrowSchema schema = {.format = "vu"};
    const struct ArrowArray array = array_of(3, 0, 4, buffers);
    put_view(views, 5, "short", 0, 0);
    put_view(views + 32, 13, data + 2, 0, 2);
    assert_string_equal(texts_of(&schema, &array, 0, 3), "short,~,text that is ");
    put_view(views + 32, 24, data + 2, 0, 2);
    assert_int_equal(strlen(texts_of(&schema, &array, 2, 1)), 24);
    const int32_t wrong[][3] = {{25, 0, 2},  {13, 1, 0},        {13, -1, 0},
                                {13, 0, -1}, {INT32_MAX, 0, 2}, {13, 0, INT32_MAX}};
    for (size_t k = 0; k < COUNT(wrong); k++) {
        put_view(views + 32, wrong[k][0], data, wrong[k][1], wrong[k][2]);
        assert_non_null(strstr(texts_of(&schema, &array, 0, 3), "damaged: a view points"));
    }
    put_view(views + 32, 0, data, 0, 0);
    memcpy(views + 32, &(int32_t){-1}, 4);
    assert_non_null(strstr(texts_of(&schema, &array, 0, 3), "negative length"));
}

TEST(dictionaries_of_strings)
{
    static const char *const formats[] = {"c", "C", "s", "S", "i", "I", "l", "L"};
    static const int64_t ends[] = {0, 1, 3, 6};
    const void *words[] = {NULL, ends, "abbccc"};
    struct ArrowArray dictionary = array_of(2, 1, 3, words); /* a slice: bb, ccc */
    struct ArrowSchema large = {.format = "U"};
    for (size_t k = 0; k < COUNT(formats); k++) {
        const size_t size = (size_t)1 << k / 2;
        char indices[3 * 8] = {0};
        const void *buffers[] = {bits, indices};
        const struct ArrowSchema schema = {.format = formats[k], .dictionary = &large};
        struct ArrowArray array = array_of(3, 0, 2, buffers);
        array.dictionary = &dictionary;
        indices[0] = 1, indices[size] = 99; /* of the null, which is not read */
        assert_string_equal(texts_of(&schema, &array, 0, 3), "ccc,~,bb");
        indices[2 * size] = 2;
        assert_non_null(strstr(texts_of(&schema, &array, 0, 3), "beyond its dictionary"));
        memset(indices + 2 * size, 0xff, size);
        assert_non_null(strstr(texts_of(&schema, &array, 0, 3), "beyond its dictionary"));
        array.dictionary = NULL;
        assert_non_null(strstr(texts_of(&schema, &array, 0, 3), "dictionary is missing"));
    }
}

TEST(columns_of_another_type_and_damaged_ones)
{
    static const char *const formats[] = {"i", "g",  "b",    "+s", "+l", "+r", "tdD", "w:", "w:4x", "w:99999999999",
                                          "",  "uu", "d:9,2"};
    static const int32_t falling[] = {0, 5, 2}, negative[] = {-4, 2, 3};
    const void *buffers[] = {NULL, falling, "abcdef"}, *below[] = {NULL, negative, "abcdef"};
    struct ArrowArray array = array_of(2, 0, 3, buffers);
    for (size_t k = 0; k < COUNT(formats); k++) {
        const struct ArrowSchema schema = {.format = formats[k]};
        assert_non_null(strstr(texts_of(&schema, &array, 0, 2), "expected strings"));
        const struct ArrowSchema index = {.format = "i", .dictionary = (struct ArrowSchema *)&schema};
        assert_non_null(strstr(texts_of(&index, &array, 0, 2), "expected strings"));
    }
    const struct ArrowSchema schema = {.format = "u"};
    assert_non_null(strstr(texts_of(&schema, &array, 0, 2), "offsets decrease"));
    assert_non_null(strstr(texts_of(&schema, &array, 0, 1), "offsets decrease")); /* before the next row is read */
    array.buffers = below;
    assert_non_null(strstr(texts_of(&schema, &array, 0, 2), "offsets decrease"));
    array.buffers = buffers;
    assert_non_null(strstr(texts_of(&schema, &array, 1, 2), "has 2 rows, expected at least 3"));
    assert_non_null(strstr(texts_of(&schema, &array, SIZE_MAX, 2), "rows"));
    array.n_buffers = 2;
    assert_non_null(strstr(texts_of(&schema, &array, 0, 2), "2 buffers, expected 3"));
    array.n_buffers = 3;
    array.offset = -1;
    assert_non_null(strstr(texts_of(&schema, &array, 0, 2), "negative"));
    for (array.offset = INT64_MAX; array.offset >= INT64_MAX / 16; array.offset /= 2)
        assert_non_null(strstr(texts_of(&schema, &array, 0, 2), "larger than memory"));
    array.offset = 0;
    buffers[1] = NULL;
    assert_non_null(strstr(texts_of(&schema, &array, 0, 2), "buffer is missing"));
    buffers[1] = falling, buffers[2] = NULL, array.length = 1;
    assert_non_null(strstr(texts_of(&schema, &array, 0, 1), "buffer is missing"));
    array.buffers = NULL;
    assert_non_null(strstr(texts_of(&schema, &array, 0, 1), "buffer is missing"));
}

TEST(moves_are_numbers_too)
{
    const seebatch_move numbers[] = {2308, 0, 0xffff, 0x4bb4};
    const int64_t wide[] = {2308, 0, -1, 70000};
    const void *buffers[] = {bits, numbers}, *wide_buffers[] = {bits, wide};
    const struct ArrowSchema schema = {.format = "S"}, wide_schema = {.format = "l"};
    const struct ArrowArray array = array_of(4, 0, 2, buffers), wide_array = array_of(4, 0, 2, wide_buffers);
    seebatch_text texts[4];
    char room[4][6];
    assert_int_equal(seebatch_arrow_moves(&schema, &array, 0, 4, texts, room, NULL), SEEBATCH_IO_OK);
    assert_true(texts[0].length == 4 && memcmp(texts[0].at, "e1e5", 4) == 0 && texts[1].at == NULL);
    assert_true(texts[2].length == 1 && texts[3].length == 5 && memcmp(texts[3].at, "e7g6q", 5) == 0);
    assert_int_equal(seebatch_arrow_moves(&wide_schema, &wide_array, 0, 4, texts, room, NULL), SEEBATCH_IO_OK);
    assert_true(texts[0].length == 4 && texts[1].at == NULL && texts[2].length == 1 && texts[3].length == 1);
}

/* The rows of lists, divided by commas, ~ for a null; the sentence, where that fails. */
static const char *lists_of(const struct ArrowSchema *schema, const struct ArrowArray *array, size_t begin, size_t n)
{
    static char all[256];
    static seebatch_io_error error;
    size_t rows[8], used = 0;
    bool nulls[8];
    if (seebatch_arrow_lists(schema, array, begin, n, rows, nulls, &error) != SEEBATCH_IO_OK)
        return error.text;
    for (size_t i = 0; i < n; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%zu-%zu%s", i ? "," : "", rows[i], rows[i + 1],
                                 nulls[i] ? "~" : "");
    return all;
}

TEST(lists_of_every_type)
{
    int32_t ends[] = {0, 2, 2, 5, 5, 9};
    const int64_t large_ends[] = {0, 2, 2, 5, 5, 9};
    const void *buffers[] = {bits, ends}, *large_buffers[] = {bits, large_ends};
    struct ArrowSchema item = {.format = "u"}, *items = &item;
    struct ArrowSchema few = {.format = "+l", .n_children = 1, .children = &items}, many = few, fixed = few, odd = few;
    struct ArrowArray child = {.length = 9}, *children = &child;
    struct ArrowArray array = array_of(5, 0, 2, buffers), large = array_of(5, 0, 2, large_buffers);
    struct ArrowArray threes = array_of(2, 1, 1, buffers);
    many.format = "+L", fixed.format = "+w:3", odd.format = "+vl";
    array.n_children = large.n_children = threes.n_children = 1;
    array.children = large.children = threes.children = &children;
    assert_string_equal(lists_of(&few, &array, 0, 5), "0-2,2-2~,2-5,5-5,5-9");
    assert_string_equal(lists_of(&many, &large, 1, 2), "2-2~,2-5");
    assert_string_equal(lists_of(&fixed, &threes, 0, 2), "3-6~,6-9");
    threes.offset = INT64_MAX / 16 - 3;
    assert_non_null(strstr(lists_of(&fixed, &threes, 0, 2), "a list is beyond its items"));
    threes.offset = INT64_MAX - 2;
    assert_non_null(strstr(lists_of(&fixed, &threes, 0, 2), "larger than memory"));
    assert_non_null(strstr(lists_of(&few, &array, 4, 2), "the column has 5 rows, expected at least 6"));
    assert_non_null(strstr(lists_of(&odd, &array, 0, 1), "'+vl', expected list, large_list"));
    assert_non_null(strstr(lists_of(&item, &array, 0, 1), "'u', expected list, large_list"));
    ends[5] = 10;
    assert_non_null(strstr(lists_of(&few, &array, 0, 5), "a list is beyond its items"));
    ends[3] = 1;
    assert_non_null(strstr(lists_of(&few, &array, 0, 4), "offsets decrease"));
    ends[0] = -1;
    assert_non_null(strstr(lists_of(&few, &array, 0, 1), "offsets decrease"));
    array.n_children = 0;
    assert_non_null(strstr(lists_of(&few, &array, 0, 1), "its children are not those of its schema"));
}

/* ---- Columns computed -------------------------------------------------------------------------------------------- */

#define EXCHANGE "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1"

static seebatch_text text_of(const char *text) { return (seebatch_text){text, text ? strlen(text) : 0}; }

/* FENs as boards; others as they are. */
static seebatch_text board_of(const char *fen)
{
    static seebatch_position boards[2];
    seebatch_position *board = &boards[fen != NULL && strcmp(fen, START) == 0];
    return fen && seebatch_position_from_fen(fen, strlen(fen), board, NULL) == SEEBATCH_OK
               ? (seebatch_text){(const char *)board, sizeof *board}
               : text_of(fen);
}

/* A column of these rows, as often as that, in two calls; of one thread from boards in place of FENs. */
static void compute(seebatch_arrow_what what, size_t times, unsigned threads, struct ArrowSchema *schema,
                    struct ArrowArray *array)
{
    static const char *const fens[] = {EXCHANGE, NULL, "wrong", START, EXCHANGE, EXCHANGE}, *const moves[] = {
                                                                                                "e1e5", "e2e4", NULL,
                                                                                                "e4",   "Rxe6", NULL};
    enum { ROWS = COUNT(fens) };
    seebatch_text *fen = malloc(times * ROWS * sizeof *fen), *move = malloc(times * ROWS * sizeof *move);
    const seebatch_rules rules = seebatch_rules_default();
    const bool boards = threads == 1;
    seebatch_job job = {.threads = threads};
    seebatch_io_error error;
    size_t row;
    for (size_t i = 0; i < times * ROWS; i++)
        fen[i] = (boards ? board_of : text_of)(fens[i % ROWS]), move[i] = text_of(moves[i % ROWS]);
    seebatch_arrow_column *column = seebatch_arrow_column_new(what, &rules, boards);
    const size_t all = times * ROWS, some = all / 2;
    const bool value = what == SEEBATCH_ARROW_VALUE;
    assert_int_equal(seebatch_arrow_column_add(column, fen, value ? move : NULL, NULL, some, &job, &error),
                     SEEBATCH_IO_OK);
    assert_int_equal(
        seebatch_arrow_column_add(column, fen + some, value ? move + some : NULL, NULL, all - some, NULL, &error),
        SEEBATCH_IO_OK);
    assert_int_equal(seebatch_arrow_column_faults(column), times * (value ? 2 : 1));
    assert_non_null(strstr(seebatch_arrow_column_fault(column, 0, &row),
                           boards ? "the board has 5 bytes, expected 48" : "the pieces 'wrong'"));
    assert_int_equal(row, 2);
    if (value && times == 1)
        assert_true(strstr(seebatch_arrow_column_fault(column, 1, &row), "Rxe6") != NULL && row == 4);
    assert_null(seebatch_arrow_column_fault(column, times > 25 ? 50 : times * 2, &row));
    assert_int_equal(seebatch_arrow_column_finish(column, schema, array, &error), SEEBATCH_IO_OK);
    seebatch_arrow_column_free(column);
    free(fen);
    free(move);
    assert_int_equal(array->length, all);
}

static void release_both(struct ArrowSchema *schema, struct ArrowArray *array)
{
    schema->release(schema);
    array->release(array);
}

static const size_t sizes[] = {1, 90, 3000};

/* Lists of moves: of no move, of wrong ones and nulls, of a FEN that is wrong or null; many, so that chunks differ. */
TEST(a_column_of_lists_of_values)
{
    enum { ROWS = 5, MOVES = 6 };
    static const char *const fens[ROWS] = {EXCHANGE, START, NULL, "wrong", EXCHANGE};
    static const char *const moves[MOVES] = {"e1e5", "Rxe6", NULL, "Rd1", "e4", "e4"};
    static const size_t lengths[ROWS] = {4, 0, 0, 1, 1};
    static const char *const expected[ROWS] = {"100,~,~,0", "", "null", "null", "~"};
    for (size_t k = 0; k < COUNT(sizes); k++) {
        const seebatch_rules rules = seebatch_rules_default();
        const size_t n = sizes[k] * ROWS;
        seebatch_text *fen = malloc(n * sizeof *fen), *move = malloc(sizes[k] * MOVES * sizeof *move);
        size_t *offsets = malloc((n + 1) * sizeof *offsets);
        seebatch_job job = {.threads = (unsigned)k};
        seebatch_io_error error;
        struct ArrowSchema schema;
        struct ArrowArray array;
        offsets[0] = 0;
        for (size_t i = 0; i < n; i++)
            fen[i] = text_of(fens[i % ROWS]), offsets[i + 1] = offsets[i] + lengths[i % ROWS];
        for (size_t i = 0; i < sizes[k] * MOVES; i++)
            move[i] = text_of(moves[i % MOVES]);
        seebatch_arrow_column *column = seebatch_arrow_column_new(SEEBATCH_ARROW_VALUES, &rules, false);
        assert_int_equal(seebatch_arrow_column_add(column, fen, move, offsets, n, &job, &error), SEEBATCH_IO_OK);
        assert_int_equal(seebatch_arrow_column_faults(column), 3 * sizes[k]);
        assert_int_equal(seebatch_arrow_column_finish(column, &schema, &array, &error), SEEBATCH_IO_OK);
        seebatch_arrow_column_free(column);
        assert_string_equal(schema.format, "+l");
        assert_string_equal(schema.children[0]->format, "s");
        assert_true(array.length == (int64_t)n && array.null_count == nulls_of(&array));
        const struct ArrowArray *items = array.children[0];
        assert_true(items->length == 5 * (int64_t)sizes[k] && items->null_count == nulls_of(items));
        for (int64_t i = 0; i < array.length; i++) {
            char text[64] = "";
            const int32_t *ends = array.buffers[1];
            for (int32_t j = ends[i]; j < ends[i + 1]; j++) {
                char number[8] = "~";
                if (is_valid(items, j))
                    snprintf(number, sizeof number, "%d", ((const int16_t *)items->buffers[1])[j]);
                snprintf(text + strlen(text), 9, "%s%s", j > ends[i] ? "," : "", number);
            }
            assert_string_equal(is_valid(&array, i) ? text : "null", expected[i % ROWS]);
        }
        release_both(&schema, &array);
        free(fen);
        free(move);
        free(offsets);
    }
}

TEST(a_column_of_values)
{
    for (size_t k = 0; k < COUNT(sizes); k++) {
        struct ArrowSchema schema;
        struct ArrowArray array;
        compute(SEEBATCH_ARROW_VALUE, sizes[k], (unsigned)k, &schema, &array);
        assert_string_equal(schema.format, "s");
        assert_true(array.null_count == nulls_of(&array) && array.n_buffers == 2);
        for (int64_t i = 0; i < array.length; i++) {
            assert_true(is_valid(&array, i) == (i % 6 == 0 || i % 6 == 3));
            assert_int_equal(((const int16_t *)array.buffers[1])[i], i % 6 ? 0 : 100);
        }
        release_both(&schema, &array);
    }
}

TEST(a_column_of_best_captures)
{
    for (size_t k = 0; k < COUNT(sizes); k++) {
        struct ArrowSchema schema;
        struct ArrowArray array;
        compute(SEEBATCH_ARROW_BEST_CAPTURE, sizes[k], (unsigned)k, &schema, &array);
        assert_string_equal(schema.format, "+s");
        assert_string_equal(schema.children[0]->name, "move");
        assert_true(array.null_count == 0 && array.buffers[0] == NULL);
        for (int i = 0; i < 2; i++)
            assert_int_equal(array.children[i]->null_count, nulls_of(array.children[i]));
        for (int64_t i = 0; i < array.length; i++) {
            const bool takes = i % 6 == 0 || i % 6 >= 4;
            assert_true(is_valid(array.children[0], i) == takes && is_valid(array.children[1], i) == takes);
            assert_true(has_text(array.children[0], i, takes ? "e1e5" : ""));
            assert_int_equal(((const int16_t *)array.children[1]->buffers[1])[i], takes ? 100 : 0);
        }
        release_both(&schema, &array);
    }
}

TEST(columns_of_lists)
{
    for (size_t k = 0; k < COUNT(sizes); k++) {
        struct ArrowSchema schema;
        struct ArrowArray array;
        for (int what = SEEBATCH_ARROW_CAPTURES; what <= SEEBATCH_ARROW_HANGING; what++) {
            compute((seebatch_arrow_what)what, sizes[k], (unsigned)k, &schema, &array);
            assert_string_equal(schema.format, "+l");
            assert_string_equal(schema.children[0]->format, what == SEEBATCH_ARROW_HANGING ? "u" : "+s");
            const struct ArrowArray *items = array.children[0];
            const struct ArrowArray *texts = what == SEEBATCH_ARROW_HANGING ? items : items->children[0];
            const int32_t *ends = array.buffers[1];
            for (int64_t i = 0; i < array.length; i++) {
                const bool takes = i % 6 == 0 || i % 6 >= 4;
                assert_int_equal(is_valid(&array, i), takes || i % 6 == 3);
                assert_int_equal(ends[i + 1] - ends[i], takes);
                assert_true(!takes || has_text(texts, ends[i], what == SEEBATCH_ARROW_HANGING ? "e5" : "e1e5"));
            }
            assert_true(items->length == ends[array.length] && texts->length == items->length);
            release_both(&schema, &array);
        }
    }
}

TEST(a_column_of_all_moves)
{
    struct ArrowSchema schema;
    struct ArrowArray array;
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    const seebatch_position start = position_of_fen(START), exchange = position_of_fen(EXCHANGE);
    const int n[2] = {(int)seebatch_legal_moves(&start, moves), (int)seebatch_legal_moves(&exchange, moves)};
    compute(SEEBATCH_ARROW_MOVES, 90, 2, &schema, &array);
    const int32_t *ends = array.buffers[1];
    for (int64_t i = 0; i < array.length; i++) {
        const bool good = i % 6 == 0 || i % 6 >= 3;
        assert_true(is_valid(&array, i) == good && ends[i + 1] - ends[i] == (good ? n[i % 6 != 3] : 0));
        assert_true(!good || i % 6 == 3 || has_text(array.children[0]->children[0], ends[i], "e1e5"));
    }
    assert_string_equal(schema.name, "moves");
    release_both(&schema, &array);
}

TEST(a_column_of_maps)
{
    for (size_t k = 0; k < COUNT(sizes); k++) {
        struct ArrowSchema schema;
        struct ArrowArray array;
        compute(SEEBATCH_ARROW_MAP, sizes[k], (unsigned)k, &schema, &array);
        assert_true(array.null_count == 0 && array.n_children == 2);
        for (int side = 0; side < 2; side++) {
            const struct ArrowArray *lists = array.children[side], *numbers = lists->children[0];
            assert_string_equal(schema.children[side]->format, "+w:64");
            assert_true(numbers->length == 64 * array.length && lists->null_count == nulls_of(lists));
            for (int64_t i = 0; i < array.length; i++) {
                const bool takes = i % 6 == 0 || i % 6 >= 4;
                assert_int_equal(is_valid(lists, i), takes || i % 6 == 3);
                for (int square = 0; square < 64; square++)
                    assert_int_equal(((const int16_t *)numbers->buffers[1])[64 * i + square],
                                     takes && side == SEEBATCH_WHITE && square == 36 ? 100 : 0);
            }
        }
        release_both(&schema, &array);
    }
}

TEST(a_column_of_annotations)
{
    static const char *const names[] = {"best_capture", "best_value", "winning",       "equal",
                                        "losing",       "passing",    "hanging_white", "hanging_black"};
    static const int expected[] = {1, 0, 0, 0, 0, 100}; /* behind the capture and its value */
    for (size_t k = 0; k < COUNT(sizes); k++) {
        struct ArrowSchema schema;
        struct ArrowArray array;
        compute(SEEBATCH_ARROW_ANNOTATION, sizes[k], (unsigned)k, &schema, &array);
        for (int c = 0; c < 8; c++) {
            const struct ArrowArray *child = array.children[c];
            assert_string_equal(schema.children[c]->name, names[c]);
            assert_int_equal(child->null_count, nulls_of(child));
            for (int64_t i = 0; i < array.length; i++) {
                const bool takes = i % 6 == 0 || i % 6 >= 4;
                assert_int_equal(is_valid(child, i), takes || (c > 1 && i % 6 == 3));
                if (c == 0)
                    assert_true(has_text(child, i, takes ? "e1e5" : ""));
                else if (c == 1)
                    assert_int_equal(((const int16_t *)child->buffers[1])[i], takes ? 100 : 0);
                else
                    assert_int_equal(((const int32_t *)child->buffers[1])[i], takes ? expected[c - 2] : 0);
            }
        }
        release_both(&schema, &array);
    }
}

/* A column of games, as often as that, in two calls. */
static void read_games(seebatch_arrow_what what, size_t times, struct ArrowSchema *schema, struct ArrowArray *array)
{
    static const char *const games[] = {"1. e4 {+0.20/12 0.1s} e5 2. Nf3 (2. f4) 1-0", NULL, "e2e4 c7c5",
                                        "1. e4 e5 2. Ke3 1-0", ""};
    enum { GAMES = COUNT(games) };
    const seebatch_rules rules = seebatch_rules_default();
    seebatch_text *texts = malloc(times * GAMES * sizeof *texts);
    seebatch_io_error error;
    size_t row;
    for (size_t i = 0; i < times * GAMES; i++)
        texts[i] = text_of(games[i % GAMES]);
    seebatch_arrow_column *column = seebatch_arrow_column_new(what, &rules, false);
    const size_t all = times * GAMES, some = all / 2;
    assert_int_equal(seebatch_arrow_column_add(column, NULL, texts, NULL, some, NULL, &error), SEEBATCH_IO_OK);
    assert_int_equal(seebatch_arrow_column_add(column, NULL, texts + some, NULL, all - some, NULL, &error),
                     SEEBATCH_IO_OK);
    assert_int_equal(seebatch_arrow_column_faults(column), times);
    assert_non_null(strstr(seebatch_arrow_column_fault(column, 0, &row), "character 13: 'Ke3' is not a legal move"));
    assert_int_equal(row, 3);
    assert_int_equal(seebatch_arrow_column_finish(column, schema, array, &error), SEEBATCH_IO_OK);
    seebatch_arrow_column_free(column);
    free(texts);
}

TEST(games_in_text_are_rows_or_lists)
{
    static const char *const names[] = {"game", "fen", "move", "score", "result", "ply"}, *const formats = "IuuifiX";
    static const char *const moves[] = {"e2e4", "e7e5", "g1f3", "e2e4", "c7c5"};
    static const int game[] = {0, 0, 0, 2, 2}, plies[] = {0, 1, 2, 0, 1};
    for (size_t k = 0; k < COUNT(sizes); k++) {
        struct ArrowSchema schema;
        struct ArrowArray array;
        read_games(SEEBATCH_ARROW_GAMES, sizes[k], &schema, &array);
        struct ArrowArray *const *column = array.children;
        assert_int_equal(array.length, 5 * sizes[k]);
        for (int c = 0; c < 6; c++) {
            assert_string_equal(schema.children[c]->name, names[c]);
            assert_int_equal(*schema.children[c]->format, formats[c]);
            assert_true(column[c]->length == array.length && column[c]->null_count == nulls_of(column[c]));
        }
        for (int64_t i = 0; i < array.length; i++) {
            const int64_t which = i % 5;
            assert_int_equal(((const uint32_t *)column[0]->buffers[1])[i], i / 5 * 5 + game[which]);
            assert_true(has_text(column[1], i, START " 0 1") == (which == 0 || which == 3));
            assert_true(has_text(column[2], i, moves[which]));
            assert_int_equal(is_valid(column[3], i), which == 0);
            assert_int_equal(((const int32_t *)column[3]->buffers[1])[i], which == 0 ? 20 : 0);
            assert_int_equal(is_valid(column[4], i), which < 3);
            assert_int_equal(((const int32_t *)column[5]->buffers[1])[i], plies[which]);
        }
        release_both(&schema, &array);

        static const int lengths[] = {3, 0, 2, 0, 0};
        read_games(SEEBATCH_ARROW_GAME_FENS, sizes[k], &schema, &array);
        assert_true(array.length == 5 * (int64_t)sizes[k] && array.null_count == nulls_of(&array));
        for (int64_t i = 0; i < array.length; i++) {
            const int32_t *rows = array.buffers[1];
            assert_int_equal(rows[i + 1] - rows[i], lengths[i % 5]);
            assert_int_equal(is_valid(&array, i), i % 5 != 1 && i % 5 != 3);
        }
        assert_true(has_text(array.children[0], 0, START " 0 1"));
        release_both(&schema, &array);
    }
}

TEST(columns_that_have_boards)
{
    static const struct {
        const char *format, *name;
        bool boards;
    } columns[] = {{"w:48", NULL, true}, {"w:48", "x", true},       {"w:47", "board", false}, {"w:480", "board", false},
                   {"z", "board", true}, {"Z", "board", true},      {"vz", "board", true},    {"z", "boards", false},
                   {"z", NULL, false},   {"tDn:Z", "board", false}, {"u", "board", false},    {"vu", "board", false}};
    for (size_t i = 0; i < COUNT(columns); i++) {
        const struct ArrowSchema schema = {.format = columns[i].format, .name = columns[i].name};
        assert_int_equal(seebatch_arrow_has_boards(&schema), columns[i].boards);
    }
}

TEST(boards_are_checked)
{
    seebatch_position in, out;
    seebatch_error error;
    const seebatch_text text = {(const char *)&in, sizeof in}, shorter = {(const char *)&in, sizeof in - 1};
    seebatch_position_from_fen(EXCHANGE, strlen(EXCHANGE), &in, NULL);
    assert_int_equal(seebatch_arrow_board(text, &out, &error), SEEBATCH_OK);
    assert_memory_equal(&in, &out, sizeof in);
    assert_int_equal(seebatch_arrow_board(shorter, &out, &error), SEEBATCH_UNREADABLE);
    assert_true(strstr(error.text, "47 bytes") != NULL && seebatch_occupied(&out) == 0);
    in.white = ~in.white;
    assert_int_equal(seebatch_arrow_board(text, &out, &error), SEEBATCH_UNSOUND);
    assert_true(strlen(error.text) > 0 && seebatch_occupied(&out) == 0);
}

TEST(a_column_without_rows)
{
    const seebatch_rules rules = seebatch_rules_default();
    for (int what = SEEBATCH_ARROW_VALUE; what <= SEEBATCH_ARROW_GAME_FENS; what++) {
        struct ArrowSchema schema;
        struct ArrowArray array;
        seebatch_arrow_column *column = seebatch_arrow_column_new((seebatch_arrow_what)what, &rules, false);
        assert_int_equal(seebatch_arrow_column_finish(column, &schema, &array, NULL), SEEBATCH_IO_OK);
        assert_true(array.length == 0 && array.null_count == 0);
        seebatch_arrow_column_free(column);
        release_both(&schema, &array);
    }
}

/* A column in memory that ends: a status. */
static int compute_in_memory(seebatch_arrow_what what)
{
    const seebatch_rules rules = seebatch_rules_default();
    const seebatch_text fens[] = {text_of(EXCHANGE), text_of(NULL), text_of(EXCHANGE)},
                        moves[] = {text_of("e1e5"), text_of(NULL), text_of("x")};
    const size_t offsets[] = {0, 1, 1, 3};
    const seebatch_text games[] = {text_of("1. e4 {+0.20/12} e5 1-0"), text_of(NULL), text_of("e5")};
    const bool value = what == SEEBATCH_ARROW_VALUE, lists = what == SEEBATCH_ARROW_VALUES;
    const bool of_games = what >= SEEBATCH_ARROW_GAMES;
    struct ArrowSchema schema;
    struct ArrowArray array;
    seebatch_io_error error;
    seebatch_arrow_column *column = seebatch_arrow_column_new(what, &rules, false);
    if (column == NULL)
        return SEEBATCH_IO_NO_MEMORY;
    seebatch_io_status status = seebatch_arrow_column_add(column, of_games ? NULL : fens,
                                                          of_games         ? games
                                                          : value || lists ? moves
                                                                           : NULL,
                                                          lists ? offsets : NULL, 3, NULL, &error);
    if (status == SEEBATCH_IO_OK)
        status = seebatch_arrow_column_finish(column, &schema, &array, &error);
    if (status == SEEBATCH_IO_OK)
        release_both(&schema, &array);
    seebatch_arrow_column_free(column);
    return (int)status;
}

/* ---- Memory that ends -------------------------------------------------------------------------------------------- */

/* ENOMEM or all records; neither loses any in silence. */
static int read_in_memory(void)
{
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray array;
    const seebatch_arrow_options options = {.batch = 600};
    seebatch_io_error error;
    seebatch_reader *reader = seebatch_reader_open(&binpack, &error);
    if (reader == NULL)
        return ENOMEM;
    if (seebatch_reader_to_arrow(reader, &options, &stream, &error) != SEEBATCH_IO_OK) {
        seebatch_reader_close(reader);
        return ENOMEM;
    }
    int status = stream.get_schema(&stream, &schema);
    int64_t n = 0;
    if (status == 0)
        schema.release(&schema);
    while (status == 0 && (status = stream.get_next(&stream, &array)) == 0 && array.release != NULL) {
        n += array.length;
        array.release(&array);
    }
    if (status == 0)
        assert_int_equal(n, 1558);
    else
        assert_non_null(stream.get_last_error(&stream));
    stream.release(&stream);
    return status;
}

TEST(memory_that_ends_is_an_error)
{
    int status = ENOMEM;
    long n = 0;
    for (; n < 1000 && status == ENOMEM; n++) {
        allocations_left = n;
        status = read_in_memory();
        allocations_left = -1;
    }
    assert_true(status == 0 && n > 20);
    for (int what = SEEBATCH_ARROW_VALUE; what <= SEEBATCH_ARROW_GAME_FENS; what++) {
        for (n = 0, status = SEEBATCH_IO_NO_MEMORY; n < 1000 && status == SEEBATCH_IO_NO_MEMORY; n++) {
            allocations_left = n;
            status = compute_in_memory((seebatch_arrow_what)what);
            allocations_left = -1;
        }
        assert_true(status == SEEBATCH_IO_OK && n > 10);
    }
}

int main(void) { return run_all_tests(NULL); }
