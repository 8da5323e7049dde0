/*
 * Streams of Arrow into writers: what a reader's stream holds becomes the same file again, wrong rows are left out with
 * their sentence, and damaged streams are refused.
 */
#include "seebatch_arrow.h"

#include "memory_ends.h"
#include "test_support.h"

#include <errno.h>

#define START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
#define EXCHANGE "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1"

/* ---- A stream of the test's own ---------------------------------------------------------------------------------- */

enum { MOST_COLUMNS = 12, MOST_ROWS = 100 };

/* Columns of text, or of numbers with a format; and how often the stream gives them before it ends or fails. */
static struct {
    int n, rows, times, fails;
    const char *name[MOST_COLUMNS], *format[MOST_COLUMNS];
    const void *data[MOST_COLUMNS]; /* texts: const char *const *; others: numbers */
    const uint8_t *bits;            /* of the structs */
} own;

static struct {
    struct ArrowSchema schema[MOST_COLUMNS], *schemas[MOST_COLUMNS];
    struct ArrowArray array[MOST_COLUMNS], *arrays[MOST_COLUMNS];
    const void *buffers[MOST_COLUMNS][3], *none[1];
    int32_t ends[MOST_COLUMNS][MOST_ROWS + 1];
    uint8_t bits[MOST_COLUMNS][MOST_ROWS / 8 + 1];
    char text[MOST_COLUMNS][MOST_ROWS * 100];
} made;

static void nothing_of_schema(struct ArrowSchema *schema) { schema->release = NULL; }
static void nothing_of_array(struct ArrowArray *array) { array->release = NULL; }
static void nothing_of_stream(struct ArrowArrayStream *stream) { stream->release = NULL; }

static int own_schema(struct ArrowArrayStream *self, struct ArrowSchema *out)
{
    (void)self;
    for (int i = 0; i < own.n; i++) {
        made.schemas[i] = &made.schema[i];
        made.schema[i] = (struct ArrowSchema){.format = own.format[i], .name = own.name[i]};
    }
    *out = (struct ArrowSchema){
        .format = "+s", .n_children = own.n, .children = made.schemas, .release = nothing_of_schema};
    return 0;
}

static void make_texts(int i)
{
    const char *const *texts = own.data[i];
    memset(made.bits[i], 0, sizeof made.bits[i]);
    made.ends[i][0] = 0;
    for (int k = 0; k < own.rows; k++) {
        const char *text = texts[k];
        const size_t length = text ? strlen(text) : 0;
        memcpy(made.text[i] + made.ends[i][k], text ? text : "", length);
        made.ends[i][k + 1] = made.ends[i][k] + (int32_t)length;
        made.bits[i][k / 8] |= (uint8_t)((text != NULL) << k % 8);
    }
}

static int own_next(struct ArrowArrayStream *self, struct ArrowArray *out)
{
    (void)self;
    out->release = NULL;
    if (own.times-- <= 0)
        return own.fails;
    for (int i = 0; i < own.n; i++) {
        const bool text = strcmp(own.format[i], "u") == 0;
        if (text)
            make_texts(i);
        made.buffers[i][0] = text ? made.bits[i] : NULL;
        made.buffers[i][1] = text ? made.ends[i] : own.data[i];
        made.buffers[i][2] = made.text[i];
        made.arrays[i] = &made.array[i];
        made.array[i] = (struct ArrowArray){
            .length = own.rows, .null_count = -1, .n_buffers = 2 + text, .buffers = made.buffers[i]};
    }
    made.none[0] = own.bits;
    *out = (struct ArrowArray){.length = own.rows,
                               .null_count = own.bits ? -1 : 0,
                               .n_buffers = 1,
                               .buffers = made.none,
                               .n_children = own.n,
                               .children = made.arrays,
                               .release = nothing_of_array};
    return 0;
}

static const char *own_error(struct ArrowArrayStream *self)
{
    (void)self;
    return own.fails == EIO ? "the disk is on fire" : NULL;
}

static struct ArrowArrayStream stream_of_own(int rows, int times)
{
    own.n = 0, own.rows = rows, own.times = times, own.fails = 0, own.bits = NULL;
    return (struct ArrowArrayStream){own_schema, own_next, own_error, nothing_of_stream, NULL};
}

static void add(const char *name, const char *format, const void *data)
{
    own.name[own.n] = name, own.format[own.n] = format, own.data[own.n] = data;
    own.n++;
}

/* ---- The file written -------------------------------------------------------------------------------------------- */

static seebatch_writer *open_writer(const char *format, const char *lose, const seebatch_column *columns, size_t n)
{
    const seebatch_writer_options options = {.format = format, .lose = lose, .columns = columns, .n_columns = n};
    seebatch_io_error error;
    seebatch_writer *writer = seebatch_writer_open(&options, &error);
    assert_non_null(writer);
    return writer;
}

static void assert_written(seebatch_writer *writer, const void *expected, size_t n_expected)
{
    void *bytes;
    size_t n;
    assert_int_equal(seebatch_writer_finish(writer, &bytes, &n, NULL), SEEBATCH_IO_OK);
    assert_int_equal(n, n_expected);
    assert_memory_equal(bytes, expected, n);
    free(bytes);
}

/* Writes the stream; "" or the sentence. */
static const char *written(seebatch_writer *writer, struct ArrowArrayStream *stream, seebatch_io_status expected)
{
    static seebatch_io_error error;
    error.text[0] = 0;
    assert_int_equal(seebatch_writer_write_arrow(writer, stream, &error), expected);
    assert_true(expected == SEEBATCH_IO_OK || error.status == expected);
    return error.text;
}

/* A file through arrays, for comparison. */
static void *through_arrays(const char *path, const char *format, size_t *n)
{
    enum { AT_ONCE = 64 };
    static seebatch_position positions[AT_ONCE];
    static seebatch_move moves[AT_ONCE];
    static int32_t scores[AT_ONCE], plies[AT_ONCE];
    static uint8_t results[AT_ONCE], has[AT_ONCE];
    seebatch_records records = {AT_ONCE, 0, positions, moves, scores, results, plies, has, NULL, NULL, NULL, NULL};
    const seebatch_reader_options options = {.path = path};
    seebatch_reader *reader = seebatch_reader_open(&options, NULL);
    seebatch_writer *writer = open_writer(format, NULL, NULL, 0);
    void *bytes;
    assert_non_null(reader); /* the tests run in the folder `tests` */
    while (seebatch_reader_next(reader, &records, NULL) == SEEBATCH_IO_OK)
        assert_int_equal(seebatch_writer_write(writer, &records, NULL, NULL), SEEBATCH_IO_OK);
    seebatch_reader_close(reader);
    assert_int_equal(seebatch_writer_finish(writer, &bytes, n, NULL), SEEBATCH_IO_OK);
    return bytes;
}

TEST(a_reader_s_stream_becomes_the_same_file)
{
    static const char *const formats[] = {"binpack", "plain", "csv", "jsonl"};
    static const seebatch_arrow_options options[] = {
        {0}, {.batch = 100}, {.batch = 300, .boards = true, .move_numbers = true}};
    const seebatch_reader_options file = {.path = "data/formats/own.binpack"};
    for (size_t k = 0; k < COUNT(formats) * COUNT(options); k++) {
        const char *format = formats[k / COUNT(options)];
        struct ArrowArrayStream stream;
        size_t n;
        void *expected = through_arrays(file.path, format, &n);
        seebatch_reader *reader = seebatch_reader_open(&file, NULL);
        seebatch_writer *writer = open_writer(format, NULL, NULL, 0);
        assert_non_null(reader);
        assert_int_equal(seebatch_reader_to_arrow(reader, &options[k % COUNT(options)], &stream, NULL), SEEBATCH_IO_OK);
        assert_string_equal(written(writer, &stream, SEEBATCH_IO_OK), "");
        stream.release(&stream);
        assert_int_equal(seebatch_writer_counts(writer).written, 1558);
        assert_written(writer, expected, n);
        free(expected);
    }
}

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

TEST(cells_of_every_type)
{
    static const char *const fens[] = {EXCHANGE, EXCHANGE, EXCHANGE}, *const words[] = {"a,b", NULL, ""};
    static const double scores[] = {12, -7, 0.0 / 0.0};
    static const float results[] = {1, 0.5f, 0}, reals[] = {0.1f, 1e30f, -2.5f};
    static const int8_t plies[] = {3, 0, 127};
    static const uint64_t large[] = {UINT64_MAX, 0, 1};
    static const double wide[] = {0.1, 1.0 / 3, 1e300};
    static const uint8_t yes = 5;
    static const seebatch_column columns[] = {
        {"word", true}, {"large", false}, {"yes", false}, {"f", false}, {"g", false}};
    static const char expected[] =
        "fen,move,score,result,ply,word,large,yes,f,g\n" EXCHANGE
        ",,12,1.0,3,\"a,b\",18446744073709551615,true,0.1,0.1\n" EXCHANGE
        ",,-7,0.5,0,,0,false,1e+30,0.3333333333333333\n" EXCHANGE ",,,0.0,127,,1,true,-2.5,1e+300\n";
    struct ArrowArrayStream stream = stream_of_own(3, 1);
    add("g", "g", wide), add("f", "f", reals), add("yes", "b", &yes), add("large", "L", large), add("word", "u", words);
    add("ply", "c", plies), add("result", "f", results), add("score", "g", scores), add("fen", "u", fens);
    seebatch_writer *writer = open_writer("csv", NULL, columns, COUNT(columns));
    assert_string_equal(written(writer, &stream, SEEBATCH_IO_OK), "");
    assert_written(writer, expected, sizeof expected - 1);
}

TEST(wrong_rows_are_left_out_with_a_sentence)
{
    static const char *const fens[] = {START, "wrong", NULL, START, START, START, START, START},
                             *const moves[] = {"e4", "e4", "e4", "e5", "Nf3", "e4", "e4", "e2e4"},
                             *const results[] = {"1-0", NULL, NULL, NULL, "1/2-1/2", "2", NULL, ""};
    static const int32_t scores[] = {1, 2, 3, 4, 5, 6, 7, 8}, plies[] = {0, 0, 0, 0, 0, 0, -1, 0};
    static const char expected[] = START ",e2e4,1,1.0,0\n" START ",g1f3,5,0.5,0\n";
    static const unsigned rows_of[] = {2, 3, 4, 6, 7, 8};
    static const char *const sentences[] = {"the pieces 'wrong'", "the position is null", "",
                                            "the result is '2'",  "the ply is '-1'",      "the position is null"};
    static const uint8_t bits = 0x7f; /* the last struct is null */
    struct ArrowArrayStream stream = stream_of_own(8, 2);
    seebatch_error_report report;
    void *bytes;
    size_t n;
    add("fen", "u", fens), add("move", "u", moves), add("score", "i", scores), add("result", "u", results);
    add("ply", "i", plies);
    own.bits = &bits;
    seebatch_writer *writer = open_writer("csv", NULL, NULL, 0);
    assert_string_equal(written(writer, &stream, SEEBATCH_IO_OK), "");
    assert_true(seebatch_writer_counts(writer).read == 16 && seebatch_writer_counts(writer).bad == 12);
    for (size_t i = 0; i < 2 * COUNT(sentences); i++) {
        static char text[200];
        assert_true(seebatch_writer_error_report(writer, &report));
        const unsigned long line = 8 * (i / COUNT(sentences)) + rows_of[i % COUNT(sentences)];
        snprintf(text, sizeof text, "records:%lu: %s", line, sentences[i % COUNT(sentences)]);
        assert_ptr_equal(strstr(report.text, text), report.text);
        assert_int_equal(report.place.line, line);
    }
    assert_false(seebatch_writer_error_report(writer, &report));
    assert_int_equal(seebatch_writer_finish(writer, &bytes, &n, NULL), SEEBATCH_IO_OK);
    const char *rows = memchr(bytes, '\n', n);
    assert_true(rows != NULL && n - (size_t)(rows + 1 - (char *)bytes) == 2 * (sizeof expected - 1) &&
                memcmp(rows + 1, expected, sizeof expected - 1) == 0);
    free(bytes);
}

TEST(boards_are_checked)
{
    static seebatch_position boards[2];
    static const seebatch_move moves[] = {2308, 2308};
    struct ArrowArrayStream stream = stream_of_own(2, 1);
    seebatch_position_from_fen(EXCHANGE, strlen(EXCHANGE), &boards[0], NULL);
    memset(&boards[1], 0xff, sizeof boards[1]);
    add("board", "w:48", boards), add("move", "S", moves);
    seebatch_writer *writer = open_writer("fen", NULL, NULL, 0);
    assert_string_equal(written(writer, &stream, SEEBATCH_IO_OK), "");
    assert_int_equal(seebatch_writer_counts(writer).bad, 1);
    assert_written(writer, EXCHANGE "\te1e5\n", strlen(EXCHANGE "\te1e5\n"));
}

/* ---- Streams that are refused ------------------------------------------------------------------------------------ */

static const char *const one_fen[] = {START};
static const int32_t one_number[] = {7};

/* The sentence of a stream with these columns, into a format. */
static const char *refused(const char *format, const char *lose, seebatch_io_status expected, const char *name,
                           const char *type, const void *data)
{
    struct ArrowArrayStream stream = stream_of_own(1, 1);
    add("fen", "u", one_fen);
    add(name, type, data);
    seebatch_writer *writer = open_writer(format, lose, NULL, 0);
    const char *sentence = written(writer, &stream, expected);
    seebatch_writer_abandon(writer);
    return sentence;
}

TEST(streams_that_do_not_fit)
{
    static const seebatch_column depth = {.name = "depth"};
    assert_non_null(strstr(refused("csv", NULL, SEEBATCH_IO_LOSSY, "depth", "i", one_number), "'depth' would be lost"));
    assert_string_equal(refused("csv", "columns", SEEBATCH_IO_OK, "depth", "i", one_number), "");
    assert_non_null(strstr(refused("fen", NULL, SEEBATCH_IO_OK, "score", "n", NULL), ""));
    assert_non_null(strstr(refused("csv", NULL, SEEBATCH_IO_USAGE, "score", "tdD", one_number), "type 'tdD'"));
    assert_non_null(strstr(refused("csv", NULL, SEEBATCH_IO_USAGE, "fen", "u", one_fen), "two columns"));
    assert_non_null(strstr(refused("csv", NULL, SEEBATCH_IO_USAGE, "board", "w:48", one_fen), "two columns"));

    struct ArrowArrayStream stream = stream_of_own(1, 1);
    seebatch_writer *writer = open_writer("csv", NULL, &depth, 1);
    add("move", "u", one_fen);
    assert_non_null(strstr(written(writer, &stream, SEEBATCH_IO_USAGE), "no column fen or board"));
    own.name[0] = "fen";
    assert_non_null(strstr(written(writer, &stream, SEEBATCH_IO_USAGE), "no column 'depth'"));
    seebatch_writer_abandon(writer);
}

TEST(a_stream_that_fails_in_the_middle)
{
    static const int codes[] = {EIO, EINVAL, ENOMEM};
    for (size_t i = 0; i < COUNT(codes); i++) {
        struct ArrowArrayStream stream = stream_of_own(1, 3);
        seebatch_writer *writer = open_writer("fen", NULL, NULL, 0);
        add("fen", "u", one_fen);
        own.fails = codes[i];
        const seebatch_io_status status = codes[i] == ENOMEM ? SEEBATCH_IO_NO_MEMORY : SEEBATCH_IO_FAILED;
        assert_non_null(strstr(written(writer, &stream, status), codes[i] == EIO ? "the disk is on fire" : "fail"));
        assert_int_equal(seebatch_writer_counts(writer).written, 3); /* what came before is kept */
        seebatch_writer_abandon(writer);
    }
}

/* ---- Memory that ends -------------------------------------------------------------------------------------------- */

TEST(memory_ends_while_a_stream_is_written)
{
    seebatch_io_status status = SEEBATCH_IO_NO_MEMORY;
    long n = 0;
    for (; n < 1000 && status == SEEBATCH_IO_NO_MEMORY; n++) {
        const seebatch_writer_options options = {.format = "fen"};
        struct ArrowArrayStream stream = stream_of_own(1, 1);
        add("fen", "u", one_fen);
        allocations_left = n;
        seebatch_writer *writer = seebatch_writer_open(&options, NULL);
        if (writer != NULL)
            status = seebatch_writer_write_arrow(writer, &stream, NULL);
        seebatch_writer_abandon(writer);
        allocations_left = -1;
    }
    assert_true(status == SEEBATCH_IO_OK && n > 3);
}

int main(void) { return run_all_tests(NULL); }
