/*
 * seebatch_io from outside: every format through arrays and back, errors with their sentences, parts, pipelines, and
 * what happens where memory ends.
 */
#include "seebatch_io.h"

#include "memory_ends.h"
#include "test_support.h"

#include <unistd.h>

enum { ROOM = 4096, USAGE = SEEBATCH_IO_USAGE, FAILED = SEEBATCH_IO_FAILED };

/* Records of a whole file. */
struct file {
    size_t n;
    seebatch_position positions[ROOM];
    seebatch_move moves[ROOM];
    int32_t scores[ROOM], plies[ROOM];
    uint8_t results[ROOM], has[ROOM];
    seebatch_place places[ROOM];
    seebatch_counts counts;
    char error_reports[4096]; /* each with a line feed */
};

static struct file one, other; /* too large for the stack */

/* Files that tests write, in a folder that goes with the program, whether they fail or not. */
static char folder[] = "/tmp/seebatch-test-io-XXXXXX", kings_path[64], marked_path[64], inner_path[64];

static void remove_folder(void)
{
    unlink(kings_path);
    unlink(marked_path);
    unlink(inner_path);
    rmdir(folder);
}

static bool make_folder(void)
{
    if (mkdtemp(folder) == NULL)
        return false;
    snprintf(kings_path, sizeof kings_path, "%s/kings.binpack", folder);
    snprintf(marked_path, sizeof marked_path, "%s/marked.plain", folder);
    snprintf(inner_path, sizeof inner_path, "%s/inner", folder);
    return atexit(remove_folder) == 0;
}

/* ---- Reading and writing whole files ----------------------------------------------------------------------------- */

static void note_error_report(void *user, const seebatch_error_report *report)
{
    struct file *file = user;
    const size_t used = strlen(file->error_reports);
    snprintf(file->error_reports + used, sizeof file->error_reports - used, "%s\n", report->text);
}

/* How the reading ended: SEEBATCH_IO_END if all went well. At most `step` records a call. */
static seebatch_io_status read_all(const seebatch_reader_options *options, size_t step, struct file *file,
                                   seebatch_io_error *error)
{
    seebatch_io_status status = SEEBATCH_IO_OK;
    seebatch_error_report report;
    memset(error, 0, sizeof *error);
    memset(file, 0, sizeof *file);
    seebatch_reader *reader = seebatch_reader_open(options, error);
    if (reader == NULL)
        return error->status;
    while (status == SEEBATCH_IO_OK) {
        const size_t n = file->n, left = ROOM - n;
        seebatch_records records = {.capacity = left < step ? left : step,
                                    .positions = file->positions + n,
                                    .moves = file->moves + n,
                                    .scores = file->scores + n,
                                    .results = file->results + n,
                                    .plies = file->plies + n,
                                    .has = file->has + n,
                                    .places = file->places + n};
        status = seebatch_reader_next(reader, &records, error);
        assert_true(records.n <= records.capacity && (status == SEEBATCH_IO_OK) == (records.n > 0));
        file->n += records.n;
    }
    while (seebatch_reader_error_report(reader, &report))
        note_error_report(file, &report);
    file->counts = seebatch_reader_counts(reader);
    seebatch_reader_close(reader);
    return status;
}

static void read_well(const seebatch_reader_options *options, size_t step, struct file *file)
{
    seebatch_io_error error;
    if (read_all(options, step, file, &error) != SEEBATCH_IO_END)
        fail_msg("%s: %s", options->path != NULL ? options->path : options->format, error.text);
    assert_string_equal(file->error_reports, "");
    assert_int_equal(file->counts.read, file->n);
}

static seebatch_io_status write_all(const seebatch_writer_options *options, struct file *file, void **bytes, size_t *n,
                                    seebatch_io_error *error)
{
    seebatch_writer *writer = seebatch_writer_open(options, error);
    seebatch_error_report report;
    if (writer == NULL)
        return error->status;
    const seebatch_records records = {.capacity = ROOM,
                                      .n = file->n,
                                      .positions = file->positions,
                                      .moves = file->moves,
                                      .scores = file->scores,
                                      .results = file->results,
                                      .plies = file->plies,
                                      .has = file->has};
    const seebatch_io_status status = seebatch_writer_write(writer, &records, NULL, error);
    if (status == SEEBATCH_IO_OK) {
        file->counts = seebatch_writer_counts(writer);
        while (seebatch_writer_error_report(writer, &report))
            note_error_report(file, &report);
        return seebatch_writer_finish(writer, bytes, n, error);
    }
    seebatch_writer_abandon(writer);
    return status;
}

static const seebatch_reader_options own = {.path = "data/formats/own.binpack"};
static const seebatch_reader_options games = {.path = "data/games.fen"};

/* ---- Formats ----------------------------------------------------------------------------------------------------- */

TEST(every_format_through_arrays_and_back)
{
    seebatch_file_format format;
    size_t n_formats = 0;
    for (size_t i = 0; seebatch_format_at(i, &format); i++) {
        const seebatch_writer_options to = {.format = format.name, .lose = "all"};
        seebatch_io_error error;
        void *bytes[2] = {NULL, NULL};
        size_t n_bytes[2];
        if (!format.writable)
            continue;
        n_formats++;
        read_well(&own, 100, &one);
        assert_true(one.n > 100);
        assert_int_equal(write_all(&to, &one, &bytes[0], &n_bytes[0], &error), SEEBATCH_IO_OK);
        assert_int_equal(one.counts.written, one.n);

        const seebatch_reader_options back = {.bytes = bytes[0], .n_bytes = n_bytes[0], .format = format.name};
        read_well(&back, 7, &other);
        assert_int_equal(other.n, one.n);
        for (size_t k = 0; k < one.n; k++) {
            const unsigned has = other.has[k];
            assert_int_equal(has & ~(format.holds | SEEBATCH_HAS_PLY), 0);
            assert_int_equal(has & format.needs, format.needs);
            if (has & SEEBATCH_HAS_MOVE)
                assert_int_equal(other.moves[k], one.moves[k]);
            if (strcmp(format.name, "bulletformat") == 0) /* which turns the board */
                continue;
            if (has & SEEBATCH_HAS_RESULT)
                assert_int_equal(other.results[k], one.results[k]);
            if (has & SEEBATCH_HAS_SCORE)
                assert_int_equal(other.scores[k], one.scores[k]);
            assert_memory_equal(other.positions[k].plane, one.positions[k].plane, sizeof one.positions[k].plane);
        }
        assert_int_equal(write_all(&to, &other, &bytes[1], &n_bytes[1], &error), SEEBATCH_IO_OK);
        assert_int_equal(n_bytes[0], n_bytes[1]);
        assert_memory_equal(bytes[0], bytes[1], n_bytes[0]);
        free(bytes[0]);
        free(bytes[1]);
    }
    assert_true(n_formats >= 11);
}

TEST(the_table_of_formats)
{
    seebatch_file_format format;
    assert_true(seebatch_format_named("BinPack", &format) && strcmp(format.name, "binpack") == 0);
    assert_true(seebatch_format_of_file("a/b.MARLIN.zst", &format) && strcmp(format.name, "marlinformat") == 0);
    assert_true(format.binary && format.writable && !format.columns);
    assert_int_equal(format.holds, SEEBATCH_HAS_SCORE | SEEBATCH_HAS_RESULT);
    assert_true(seebatch_format_named(".pgn", &format) && !format.writable);
    assert_false(seebatch_format_named("xyz", &format) || seebatch_format_of_file("a.bin", &format));
}

TEST(columns_of_a_table)
{
    static const seebatch_column columns[] = {{"depth", false}, {"note", true}};
    static const seebatch_cell cells[] = {{"12", 2, false}, {"a, \"b\"", 6, false}};
    const seebatch_writer_options options = {
        .format = "csv", .holds = SEEBATCH_HAS_SCORE, .columns = columns, .n_columns = 2};
    seebatch_position position;
    int32_t score = -5;
    const seebatch_records records = {.capacity = 1, .n = 1, .positions = &position, .scores = &score};
    void *bytes;
    size_t n;
    const char *fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    assert_int_equal(seebatch_position_from_fen(fen, strlen(fen), &position, NULL), SEEBATCH_OK);
    seebatch_writer *writer = seebatch_writer_open(&options, NULL);
    assert_non_null(writer);
    assert_int_equal(seebatch_writer_write(writer, &records, cells, NULL), SEEBATCH_IO_OK);
    assert_int_equal(seebatch_writer_finish(writer, &bytes, &n, NULL), SEEBATCH_IO_OK);
    const char *expected = "fen,score,depth,note\n4k3/8/8/8/8/8/8/4K2R w K - 0 1,-5,12,\"a, \"\"b\"\"\"\n";
    assert_int_equal(n, strlen(expected));
    assert_memory_equal(bytes, expected, n);
    free(bytes);
}

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

#define FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
#define BYTES(text) .bytes = (text), .n_bytes = sizeof(text) - 1

static void expect_error(seebatch_io_status status, const seebatch_io_error *error, int expected, const char *text)
{
    if ((int)status != expected || strncmp(error->text, text, strlen(text)) != 0)
        fail_msg("status %d, '%s', expected %d, '%s'", status, error->text, expected, text);
}

TEST(what_cannot_be_opened_or_read)
{
    static const struct {
        seebatch_reader_options options;
        int status;
        size_t n; /* records before */
        const char *text;
    } cases[] = {
        {{.path = "none.fen"}, FAILED, 0, "none.fen: cannot be opened: No such file or directory"},
        {{.path = "none.what"}, FAILED, 0, "none.what: cannot be opened: No such file or directory"},
        {{.path = "data/README.md"}, USAGE, 0, "data/README.md: its name does not say its format, expected --from "},
        {{BYTES(FEN)}, USAGE, 0, "memory: its name does not say its format, expected --from with "},
        {{.path = "a.fen.xz"}, USAGE, 0, "a.fen.xz: files that end with .xz cannot be decompressed, "},
        {{.path = "a", .format = "what"}, USAGE, 0, "--from: there is no format 'what', expected one of "},
        {{.path = NULL}, USAGE, 0, "no file was given to read"},
        {{.path = "data/games.fen", .part = 4, .of = 3}, USAGE, 0, "there is no part 4 of 3, expected 1 to N"},
        {{.path = "-", .part = 1, .of = 2}, USAGE, 0, "--part: - cannot be divided, expected files, "},
        {{BYTES(FEN), .format = "fen", .part = 1, .of = 2}, USAGE, 0, "--part: memory cannot be divided"},
        {{BYTES("a,b\n"), .format = "csv"}, FAILED, 0, "memory: the header 'a,b' has no column fen or position"},
        {{BYTES(""), .format = "csv", .path = "x"}, FAILED, 0, "x: it is empty, expected a header with the names"},
        {{BYTES("\x1f\x8b\x08"), .path = "x.fen.gz"}, FAILED, 0, "x.fen.gz: it is compressed by gzip, expected text"},
        {{BYTES("\x1f\x8b\x08\x00"), .path = "x.fen"}, FAILED, 0, "x.fen: the compressed data have no end"},
        {{BYTES("BINP\1\0"), .format = "binpack"}, FAILED, 0, "memory: byte 0: the file ends in the first 8 bytes"},
        {{BYTES(FEN "\nx\n" FEN "\n"), .format = "fen", .strict = true}, SEEBATCH_IO_BAD_RECORD, 1, "memory:2: "},
        {{BYTES("\x1f\x8b\x08zzz"), .format = "fen"}, FAILED, 0, "memory: it is compressed by gzip, expected text"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        seebatch_io_error error;
        const seebatch_io_status status = read_all(&cases[i].options, 1, &one, &error);
        expect_error(status, &error, cases[i].status, cases[i].text);
        assert_int_equal(error.status, status);
        assert_int_equal(one.n, cases[i].n);
    }
}

TEST(empty_files_have_no_records)
{
    seebatch_file_format format;
    for (size_t i = 0; seebatch_format_at(i, &format); i++) {
        const seebatch_reader_options options = {.bytes = "", .format = format.name};
        /* These have a header. */
        if (strcmp(format.name, "csv") == 0 || strcmp(format.name, "tsv") == 0 || strcmp(format.name, "puzzles") == 0)
            continue;
#ifndef SEEBATCH_JSON
        if (strcmp(format.name, "jsonl") == 0) /* refused: the test "consumer" */
            continue;
#endif
        seebatch_io_error error;
        assert_int_equal(read_all(&options, 10, &one, &error), SEEBATCH_IO_END);
        assert_string_equal(one.error_reports, "memory: warning: no position was found in it\n");
        assert_int_equal(one.n, 0);
    }
}

TEST(bad_records_are_reported_with_their_places)
{
    const seebatch_reader_options options = {BYTES(FEN "\nx y\n\n" FEN "\n8/8 w - -\n" FEN), .path = "some.fen"};
    seebatch_io_error error;
    assert_int_equal(read_all(&options, 10, &one, &error), SEEBATCH_IO_END);
    assert_int_equal(one.n, 3);
    assert_int_equal(one.counts.bad, 2);
    assert_true(one.places[1].line == 4 && one.places[1].byte == 36 && one.places[2].line == 6);
    const char *second = strstr(one.error_reports, "some.fen:5: "),
               *third = strstr(one.error_reports, "some.fen:6: warning: ");
    assert_true(strncmp(one.error_reports, "some.fen:2: ", 12) == 0 && second != NULL && third > second);
}

TEST(each_bad_record_has_its_number)
{
    static char text[4 * 60 + 1];
    for (int i = 0; i < 60; i++)
        memcpy(text + 4 * i, "x y\n", 5);
    const seebatch_reader_options options = {
        .bytes = text, .n_bytes = sizeof text - 1, .format = "fen", .path = "some.fen"};
    seebatch_io_error error;
    seebatch_error_report report;
    seebatch_reader *reader = seebatch_reader_open(&options, &error);
    seebatch_records records = {.capacity = 1};
    assert_non_null(reader);
    assert_int_equal(seebatch_reader_next(reader, &records, &error), SEEBATCH_IO_END);
    for (uint64_t line = 1; line <= 50; line++)
        assert_true(seebatch_reader_error_report(reader, &report) && report.place.line == line &&
                    report.kind == SEEBATCH_ERROR_REPORT_RECORD);
    assert_false(seebatch_reader_error_report(reader, &report));
    assert_int_equal(seebatch_reader_counts(reader).bad, 60);
    seebatch_reader_close(reader);
}

TEST(what_is_lost_is_counted)
{
    seebatch_io_error error;
    void *bytes;
    size_t n;
    const seebatch_writer_options to = {.format = "binpack"};
    read_well(&own, 100, &one);
    assert_int_equal(write_all(&to, &one, &bytes, &n, &error), SEEBATCH_IO_OK);
    const seebatch_reader_options cut = {.bytes = bytes, .n_bytes = n / 2, .format = "binpack"};
    assert_int_equal(read_all(&cut, 100, &other, &error), SEEBATCH_IO_FAILED);
    assert_non_null(strstr(error.text, "it may have been cut off"));
    assert_true(other.n > 0 && other.n < one.n && other.counts.damaged);
    free(bytes);
}

TEST(what_cannot_be_written)
{
    static const struct {
        seebatch_writer_options options;
        int status;
        const char *text;
    } cases[] = {
        {{.format = "pgn"}, USAGE, "memory: the format can be read, but not written"},
        {{.format = NULL}, USAGE, "memory: its name does not say its format"},
        {{.path = "x.fen.lz4"}, USAGE, "--output: 'x.fen.lz4' ends with .lz4, an unknown compression"},
        {{.path = "none/x.fen"}, FAILED, "none/x.fen: cannot be opened for writing: No such file or directory"},
        {{.path = "x.fen", .level = 3}, USAGE, "x.fen: the level of compression is 3, expected 0, because only "},
        {{.format = "fen", .level = -1}, USAGE, "memory: the level of compression is -1, expected 0, because only "},
        {{.path = "x.fen.gz", .level = 10}, USAGE, "x.fen.gz: the level of compression is 10, expected 1 to 9, or 0 "},
        {{.path = "x.fen.zst", .level = -1}, USAGE, "x.fen.zst: the level of compression is -1, expected 1 to 22, "},
        {{.format = "fen", .lose = "what"}, USAGE, "--lose: 'what' is not something that can be lost"},
        {{.format = "bulletformat"}, SEEBATCH_IO_LOSSY, "side to move, castling rights, en passant square, halfmove"},
        {{.format = "marlinformat"}, SEEBATCH_IO_LOSSY, "records:1: move"},
    };
    read_well(&own, 100, &one);
    for (size_t i = 0; i < COUNT(cases); i++) {
        seebatch_io_error error = {.status = SEEBATCH_IO_OK};
        const seebatch_io_status status = write_all(&cases[i].options, &one, NULL, NULL, &error);
        expect_error(status, &error, cases[i].status, cases[i].text);
    }
    assert_int_not_equal(access("x.fen.lz4", F_OK), 0);
}

TEST(the_path_of_a_writer_is_copied)
{
    char path[] = "/dev/full";
    const seebatch_writer_options options = {.path = path, .format = "csv"};
    seebatch_io_error error;
    seebatch_writer *writer = seebatch_writer_open(&options, &error);
    if (writer == NULL) /* the system has no such device */
        return;
    path[0] = '#';
    expect_error(seebatch_writer_finish(writer, NULL, NULL, &error), &error, FAILED, "/dev/full: cannot be written: ");
}

TEST(records_without_a_place_in_the_format_are_left_out)
{
    const seebatch_writer_options to = {.format = "marlinformat", .lose = "all"};
    seebatch_io_error error;
    void *bytes;
    size_t n;
    read_well(&own, 100, &one);
    one.scores[2] = 40000;
    assert_int_equal(write_all(&to, &one, &bytes, &n, &error), SEEBATCH_IO_OK);
    assert_int_equal(one.counts.bad, 1);
    assert_int_equal(n, 32 * (one.n - 1));
    free(bytes);
}

TEST(fens_are_as_the_file_spells_them)
{
    static const char text[] = "4k3/8/8/8/8/8/8/4K2R  w K - bm O-O;\n";
    const seebatch_reader_options spelled = {.bytes = text, .n_bytes = sizeof text - 1, .format = "fen"};
    const seebatch_reader_options *const files[] = {&spelled, &own};
    for (int i = 0; i < 2; i++) {
        seebatch_cell fen;
        seebatch_records records = {.capacity = 1, .fens = &fen};
        seebatch_reader *reader = seebatch_reader_open(files[i], NULL);
        assert_non_null(reader);
        assert_int_equal(seebatch_reader_next(reader, &records, NULL), SEEBATCH_IO_OK);
        assert_int_equal(fen.length, i == 0 ? sizeof text - 2 : 0);
        if (i == 0)
            assert_memory_equal(fen.text, text, fen.length);
        seebatch_reader_close(reader);
    }
}

/* ---- Parts and pipelines ----------------------------------------------------------------------------------------- */

TEST(parts_are_the_whole)
{
    size_t n = 0;
    read_well(&games, 1000, &one);
    for (uint64_t part = 1; part <= 3; part++) {
        const seebatch_reader_options options = {.path = games.path, .part = part, .of = 3};
        read_well(&options, 1000, &other);
        assert_true(other.n > 0 && n + other.n <= one.n);
        for (size_t i = 0; i < other.n; i++)
            assert_memory_equal(other.positions[i].plane, one.positions[n + i].plane, sizeof one.positions[0].plane);
        n += other.n;
    }
    assert_int_equal(n, one.n);
}

static seebatch_io_status keep_black(void *user, unsigned worker, seebatch_batch_of_file *batch,
                                     const seebatch_records *records)
{
    seebatch_io_status status = SEEBATCH_IO_OK;
    assert_true(worker < 3 && user != NULL && records->moves != NULL && records->scores == NULL);
    for (size_t i = 0; i < records->n && status == SEEBATCH_IO_OK; i++)
        if (records->positions[i].stm == SEEBATCH_BLACK)
            status = seebatch_batch_write(batch, i, NULL);
    return status;
}

/* Runs a pipeline of own.binpack and games.fen. */
static seebatch_io_status run(seebatch_pipeline_options *options, seebatch_counts *counts, seebatch_io_error *error)
{
    static const char *const paths[] = {"data/games.fen", "data/formats/own.binpack"};
    seebatch_io_status status = error->status = SEEBATCH_IO_OK;
    if (options->paths == NULL) {
        options->paths = paths;
        options->n_paths = 2;
    }
    seebatch_pipeline *pipeline = seebatch_pipeline_new(options, error);
    if (pipeline == NULL)
        return error->status;
    status = seebatch_pipeline_run(pipeline, counts, error);
    seebatch_pipeline_free(pipeline);
    return status;
}

TEST(a_pipeline_works_on_all_files)
{
    seebatch_pipeline_options options = {.wanted = SEEBATCH_HAS_MOVE, .threads = 3, .work = keep_black, .user = &one};
    seebatch_counts counts;
    seebatch_io_error error;
    uint64_t read = 0, black = 0;
    for (int i = 0; i < 2; i++) {
        read_well(i == 0 ? &games : &own, 1000, &one);
        read += one.n;
        for (size_t k = 0; k < one.n; k++)
            black += one.positions[k].stm == SEEBATCH_BLACK;
    }
    assert_int_equal(run(&options, &counts, &error), SEEBATCH_IO_OK);
    assert_true(counts.read == read && counts.written == black && black > 0 && !counts.incomplete);
}

/* Adds the identities of a batch to the n there are. */
struct identities {
    size_t n;
    uint64_t of[ROOM];
};

static seebatch_io_status note_identities(void *user, unsigned worker, seebatch_batch_of_file *batch,
                                          const seebatch_records *records)
{
    struct identities *seen = user;
    (void)worker;
    assert_true(seen->n + records->n <= ROOM);
    seebatch_batch_identities(batch, seen->of + seen->n);
    seen->n += records->n;
    return SEEBATCH_IO_OK;
}

static int compare_identities(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Kings alone, who walk back and forth: plies of seven and eight bits, so that several begin in one byte. */
static void write_kings(const char *path)
{
    static const char *const walk[] = {"a1a2", "h8h7", "a2a1", "h7h8"};
    seebatch_position position = position_of_fen("7k/8/8/8/8/8/8/K7 w - - 0 1");
    seebatch_io_error error;
    one.n = 1000;
    for (size_t i = 0; i < one.n; i++) {
        one.positions[i] = position;
        one.moves[i] = move_of(&position, walk[i % COUNT(walk)]);
        one.scores[i] = 0;
        one.results[i] = SEEBATCH_DRAW;
        one.plies[i] = (int32_t)i;
        one.has[i] = SEEBATCH_HAS_MOVE | SEEBATCH_HAS_SCORE | SEEBATCH_HAS_RESULT | SEEBATCH_HAS_PLY;
        seebatch_play(&position, one.moves[i]);
    }
    const seebatch_writer_options to = {.path = path};
    assert_int_equal(write_all(&to, &one, NULL, NULL, &error), SEEBATCH_IO_OK);
    assert_int_equal(one.counts.written, one.n);
}

/* Neither plies that begin in one byte nor records of two files at one place. */
TEST(no_two_records_have_one_identity)
{
    static const char *const paths[] = {kings_path, "data/formats/own.binpack", "data/formats/own.monty",
                                        "data/formats/own.monty"};
    struct identities seen = {0};
    seebatch_pipeline_options options = {
        .paths = paths, .n_paths = COUNT(paths), .threads = 1, .work = note_identities, .user = &seen};
    seebatch_counts counts;
    seebatch_io_error error;
    write_kings(paths[0]);
    assert_int_equal(run(&options, &counts, &error), SEEBATCH_IO_OK);
    assert_true(counts.read == seen.n && seen.n > 2500);
    qsort(seen.of, seen.n, sizeof *seen.of, compare_identities);
    for (size_t i = 1; i < seen.n; i++)
        assert_true(seen.of[i - 1] != seen.of[i]);
}

static seebatch_io_status mark_all(void *user, unsigned worker, seebatch_batch_of_file *batch,
                                   const seebatch_records *records)
{
    seebatch_io_status status = SEEBATCH_IO_OK;
    (void)user, (void)worker;
    for (size_t i = 0; i < records->n && status == SEEBATCH_IO_OK; i++)
        status = seebatch_batch_write_scored(batch, i, 321);
    return status;
}

TEST(a_pipeline_gives_other_scores)
{
    seebatch_counts counts;
    seebatch_io_error error;
    const char *const paths[] = {own.path};
    seebatch_pipeline_options options = {.paths = paths, .n_paths = 1, .work = mark_all, .scores = true};
    assert_int_equal(run(&options, &counts, &error), SEEBATCH_IO_OK); /* counted alone */
    options.output = marked_path;
    assert_int_equal(run(&options, &counts, &error), SEEBATCH_IO_OK);
    const seebatch_reader_options marked = {.path = options.output};
    read_well(&own, 1000, &one);
    read_well(&marked, 1000, &other);
    assert_true(counts.written == one.n && other.n == one.n);
    for (size_t i = 0; i < one.n; i++) /* plain has the mover's */
        assert_true(other.scores[i] == (one.positions[i].stm == SEEBATCH_WHITE ? 321 : -321) &&
                    other.moves[i] == one.moves[i]);
    options.to = "fen";
    assert_int_equal(run(&options, &counts, &error), SEEBATCH_IO_USAGE);
    assert_string_equal(error.text, "the format fen has no place for a score, expected a format that has one");
}

/* All but the first and the last record of a batch: each by itself, or all as a range. */
static seebatch_io_status write_inner(void *user, unsigned worker, seebatch_batch_of_file *batch,
                                      const seebatch_records *records)
{
    const bool *as_range = user;
    seebatch_io_status status = SEEBATCH_IO_OK;
    (void)worker;
    if (*as_range)
        return seebatch_batch_write_range(batch, 1, records->n - 2);
    for (size_t i = 1; i + 1 < records->n && status == SEEBATCH_IO_OK; i++)
        status = seebatch_batch_write(batch, i, NULL);
    return status;
}

TEST(a_pipeline_writes_a_range_as_it_writes_each)
{
    static const char *const formats[] = {"binpack", "plain"}, *const paths[] = {"data/formats/own.vf"};
    bool as_range = false;
    seebatch_counts counts;
    seebatch_io_error error;
    seebatch_pipeline_options options = {
        .paths = paths, .n_paths = 1, .threads = 1, .work = write_inner, .user = &as_range, .output = inner_path};
    seebatch_reader_options written = {.path = options.output};
    for (size_t k = 0; k < 2 * COUNT(formats); k++) {
        options.to = written.format = formats[k / 2];
        options.unique = k % 2;
        for (int i = 0; i < 2; i++) {
            as_range = i == 1;
            assert_int_equal(run(&options, &counts, &error), SEEBATCH_IO_OK);
            read_well(&written, 1000, as_range ? &other : &one);
            assert_true(counts.written == (as_range ? other.n : one.n) && counts.written > 0);
        }
        assert_int_equal(one.n, other.n);
        for (size_t i = 0; i < one.n; i++)
            assert_true(same_position(&one.positions[i], &other.positions[i]));
        assert_memory_equal(one.moves, other.moves, sizeof one.moves);
        assert_memory_equal(one.scores, other.scores, sizeof one.scores);
    }
}

static seebatch_io_status give_in(void *user, unsigned worker, seebatch_batch_of_file *batch,
                                  const seebatch_records *records)
{
    (void)user, (void)worker, (void)batch, (void)records;
    return SEEBATCH_IO_STOPPED;
}

static bool stop_at_once(void *user)
{
    (void)user;
    return true;
}

TEST(a_missing_file_is_told_of_before_any_is_read)
{
    const char *const paths[] = {"data/games.fen", "none.fen"};
    seebatch_pipeline_options options = {.paths = paths, .n_paths = 2};
    seebatch_counts counts;
    seebatch_io_error error;
    const seebatch_io_status status = run(&options, &counts, &error);
    expect_error(status, &error, FAILED, "none.fen: cannot be opened: No such file or directory");
    assert_true(counts.read == 0 && counts.incomplete);
}

TEST(a_pipeline_ends_early)
{
    char path[32];
    int ends[2];
    seebatch_counts counts;
    seebatch_io_error error;
    seebatch_pipeline_options given_in = {.work = give_in, .threads = 2};
    assert_int_equal(run(&given_in, &counts, &error), SEEBATCH_IO_STOPPED);
    assert_true(counts.incomplete);

    /* Though its reader waits for a pipe. */
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    const char *const paths[] = {path};
    seebatch_pipeline_options stopped = {.paths = paths, .n_paths = 1, .from = "fen", .stop = stop_at_once};
    assert_int_equal(run(&stopped, &counts, &error), SEEBATCH_IO_STOPPED);
    close(ends[0]);
    close(ends[1]);
}

/* ---- Conditions -------------------------------------------------------------------------------------------------- */

/* Records that are positions and no more: a condition about something else is refused, whether it is asked for or not. */
static void check_positions_alone(const seebatch_conditions *conditions)
{
    static seebatch_position positions[600];
    static bool in[COUNT(positions)];
    for (size_t i = 0; i < COUNT(positions); i++)
        positions[i] = position_of_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    const seebatch_records records = {.n = COUNT(positions), .capacity = COUNT(positions), .positions = positions};
    const bool about_more = seebatch_conditions_fields(conditions) != 0;
    const seebatch_io_status expected = about_more ? SEEBATCH_IO_USAGE : SEEBATCH_IO_OK;
    seebatch_io_error error = {.status = SEEBATCH_IO_OK};
    assert_int_equal(seebatch_conditions_test(conditions, &records, in), expected);
    assert_int_equal(seebatch_conditions_check(conditions, 0, &error), expected);
    assert_int_equal(seebatch_conditions_check(conditions, seebatch_conditions_fields(conditions), NULL),
                     SEEBATCH_IO_OK);
    assert_int_equal(strstr(error.text, "which none of these records has") != NULL, about_more);
}

/* Each that is listed can be added with an argument of the kind that it names, and no other. */
static void check_listed_conditions(const seebatch_rules *rules)
{
    seebatch_condition condition;
    size_t n = 0;
    for (; seebatch_condition_at(n, &condition); n++) {
        seebatch_conditions *conditions = seebatch_conditions_new(rules);
        const bool none = condition.argument[0] == '\0', may = condition.argument[0] == '[';
        char text[64];
        const char *form = condition.argument;
        const bool counts = form[0] == '(';
        snprintf(text, sizeof text, "%s%s=%s", condition.name, counts ? "(Qq)" : "",
                 strstr(form, "RESULT")     ? "0.5"
                 : strstr(form, "FIELD")    ? "score"
                 : strstr(form, "MODEL")    ? "viriformat"
                 : strstr(form, "POINTS")   ? "1:0,2:0.5"
                 : strstr(form, "SIDE")     ? "black"
                 : strstr(form, "MOVE")     ? "king"
                 : strstr(form, "MATERIAL") ? "KQvKR"
                 : strstr(form, "PATTERN")  ? "*.pgn"
                 : strstr(form, "RIGHTS")   ? "Kq"
                 : strcmp(form, "=P") == 0  ? "0.5"
                                            : "1..2");
        assert_int_equal(seebatch_conditions_add(conditions, true, text, NULL) == SEEBATCH_IO_OK, !none);
        assert_int_equal(seebatch_conditions_add(conditions, true, condition.name, NULL) == SEEBATCH_IO_OK,
                         none || may);
        assert_true(strlen(condition.what) > 0 && strlen(condition.details) > 0);
        check_positions_alone(conditions);
        seebatch_conditions_free(conditions);
    }
    assert_true(n >= 12);
}

TEST(conditions)
{
    static const struct {
        const char *text, *error; /* NULL: none */
    } cases[] = {
        {"in-check", NULL},
        {"score=..-5", NULL},
        {"in-check=1", "'in-check' takes no range"},
        {"score", "'score' needs a range"},
        {"ply=5..1", "'5..1' is not a range"},
        {"what", "there is no condition 'what'; 'seebatch filter --help' lists"},
        {"quiet and scroe < 100",
         "there is no condition 'scroe'; did you mean 'score'?\n  quiet and scroe < 100\n            ^~~~~"},
    };
    const seebatch_rules rules = seebatch_rules_default();
    static bool in[ROOM];
    static uint8_t failed[ROOM];
    for (size_t i = 0; i < COUNT(cases); i++) {
        seebatch_conditions *conditions = seebatch_conditions_new(&rules);
        seebatch_io_error error = {.status = SEEBATCH_IO_OK};
        const seebatch_io_status status = seebatch_conditions_add(conditions, false, cases[i].text, &error);
        assert_int_equal(status, cases[i].error == NULL ? SEEBATCH_IO_OK : SEEBATCH_IO_USAGE);
        if (cases[i].error != NULL)
            assert_memory_equal(error.text, cases[i].error, strlen(cases[i].error));
        seebatch_conditions_free(conditions);
    }
    check_listed_conditions(&rules);
    seebatch_conditions *conditions = seebatch_conditions_new(&rules);
    assert_int_equal(seebatch_conditions_add(conditions, true, "any-capture=0..", NULL), SEEBATCH_IO_OK);
    assert_int_equal(seebatch_conditions_add(conditions, false, "in-check", NULL), SEEBATCH_IO_OK);
    assert_int_equal(seebatch_conditions_fields(conditions), 0);
    read_well(&games, 1000, &one);
    const seebatch_records records = {.capacity = ROOM, .n = one.n, .positions = one.positions};
    assert_int_equal(seebatch_conditions_test(conditions, &records, in), SEEBATCH_IO_OK);
    assert_int_equal(seebatch_conditions_find(conditions, &records, failed), SEEBATCH_IO_OK);
    for (size_t i = 0; i < one.n; i++) {
        seebatch_move moves[SEEBATCH_MAX_MOVES];
        bool any = false;
        for (size_t k = seebatch_legal_captures(&one.positions[i], moves); k-- > 0;)
            any |= seebatch_value(&rules, &one.positions[i], NULL, moves[k]) >= 0;
        assert_int_equal(in[i], any && !seebatch_in_check(&one.positions[i]));
        assert_int_equal(failed[i], seebatch_in_check(&one.positions[i]) ? 2 : any ? 0 : 1); /* the cheap one first */
    }
    seebatch_conditions_free(conditions);
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

/* Everything once, with so many allocations; how it ended. */
static seebatch_io_status do_all(const char *format)
{
    seebatch_io_error error = {.status = SEEBATCH_IO_OK};
    void *bytes = NULL;
    size_t n = 0;
    const seebatch_writer_options to = {.format = format, .lose = "all"};
    seebatch_io_status status = read_all(&own, 100, &one, &error);
    if (status != SEEBATCH_IO_END)
        return status;
    status = write_all(&to, &one, &bytes, &n, &error);
    if (status == SEEBATCH_IO_OK) {
        const seebatch_reader_options back = {.bytes = bytes, .n_bytes = n, .format = format};
        status = read_all(&back, 100, &other, &error);
    }
    free(bytes);
    if (status != SEEBATCH_IO_END)
        return status;
    static const char *const paths[] = {"data/formats/own.binpack"};
    seebatch_counts counts;
    seebatch_pipeline_options options = {
        .paths = paths, .n_paths = 1, .to = format, .output = "/dev/null", .lose = "all", .threads = 1};
    return run(&options, &counts, &error);
}

TEST(memory_that_ends_is_a_status)
{
    seebatch_file_format format;
    for (size_t i = 0; seebatch_format_at(i, &format); i++) {
        seebatch_io_status status = SEEBATCH_IO_NO_MEMORY;
        if (!format.writable)
            continue;
        long n = 0;
        for (; n < 1000 && status == SEEBATCH_IO_NO_MEMORY; n++) {
            allocations_left = n;
            status = do_all(format.name);
            allocations_left = -1;
        }
        if (status != SEEBATCH_IO_OK)
            fail_msg("%s: status %d after %ld allocations", format.name, status, n);
        assert_true(n > 10);
    }
}

int main(void) { return make_folder() ? run_all_tests(NULL) : EXIT_FAILURE; }
