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
}

int main(void) { return run_all_tests(NULL); }
