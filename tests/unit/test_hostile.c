/*
 * Input made by somebody who knows the program, against the insides of seebatch_io: positions whose hashes meet in one
 * place of a table.
 */
#include "test_support.h"

#include <fcntl.h>
#include <unistd.h>

#include "support/keyed_hash.h"
#include "seebatch_arrow.h"
#include "files/disk_partitions.h"
#include "pipeline/unique.h"

/* ---- Hashes ------------------------------------------------------------------------------------------------------ */

static const struct hash_key known = {{0, 0}};

/* Against CPython, whose hash(bytes) is SipHash-1-3, with the key that PYTHONHASHSEED=0 stands for: zeros. */
TEST(hashes_are_those_of_siphash)
{
    static const struct {
        size_t length;
        uint64_t hash;
    } expected[] = {{1, UINT64_C(0x68a914128e01e473)},  {7, UINT64_C(0x2f098ab0c751325a)},
                    {8, UINT64_C(0xead411e67ebe2eea)},  {9, UINT64_C(0x75927f9d95124362)},
                    {15, UINT64_C(0xf30eb725bb91c9ea)}, {40, UINT64_C(0x95bc321ab41d8206)}};
    unsigned char bytes[64];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)i;
    for (size_t i = 0; i < COUNT(expected); i++)
        assert_int_equal(seebatch_io_keyed_hash(&known, bytes, expected[i].length), expected[i].hash);
}

TEST(each_key_is_another)
{
    const struct hash_key a = seebatch_io_secret_key(), b = seebatch_io_secret_key();
    assert_memory_not_equal(&a, &b, sizeof a);
    assert_true(seebatch_io_keyed_hash(&a, "e4", 2) != seebatch_io_keyed_hash(&b, "e4", 2));
}

/* Positions that fill one partition, and there hardly more than one place of a table of 2048, if the key of
 * the hash is known. */
enum { N_MEETING = 400 };
static struct position_key meeting[N_MEETING];

static void make_meeting(void)
{
    enum { TABLE = 2048, NEAR = 64, GROUP = 7 };
    struct position_key key = {.ep_square = SEEBATCH_NO_SQUARE};
    for (size_t n = 0; n < N_MEETING; key.white++) {
        const uint64_t hash = seebatch_io_keyed_hash(&known, &key, sizeof key);
        if (hash >> 56 == GROUP && hash % TABLE < NEAR)
            meeting[n++] = key;
    }
}

static seebatch_io_status find_repeated(struct unique *unique, size_t n, seebatch_io_error *error)
{
    if (!seebatch_io_unique_add(unique, meeting, n, error) || !seebatch_io_unique_add(unique, meeting, n, error) ||
        !seebatch_io_unique_end_block(unique, error) || !seebatch_io_unique_find(unique, error))
        return error->status;
    for (size_t i = 0; i < 2 * n; i++)
        assert_int_equal(seebatch_io_unique_is_first(unique, 0, i), i < n);
    return SEEBATCH_IO_OK;
}

TEST(positions_that_meet_by_a_known_key_end_the_run_and_by_a_secret_one_do_not_meet)
{
    seebatch_io_error error = {.status = SEEBATCH_IO_OK};
    make_meeting();
    struct unique *unique = seebatch_io_unique_new(NULL, LEAST_MEMORY, NULL, NULL, known);
    assert_int_equal(find_repeated(unique, N_MEETING, &error), SEEBATCH_IO_FAILED);
    assert_non_null(strstr(error.text, "256 different positions have the same place in a table"));
    seebatch_io_unique_free(unique);
    unique = seebatch_io_unique_new(NULL, LEAST_MEMORY, NULL, NULL, seebatch_io_secret_key());
    assert_int_equal(find_repeated(unique, N_MEETING, &error), SEEBATCH_IO_OK);
    seebatch_io_unique_free(unique);
}

/* ---- Stopping ---------------------------------------------------------------------------------------------------- */

static bool stop_at(void *user)
{
    long *left = user;
    return (*left)-- == 0;
}

/* How often it is asked, with n times the same position, whether to stop; and each time the answer ends the work. */
static long ask(size_t n, uint64_t memory, long answer)
{
    seebatch_io_error error = {.status = SEEBATCH_IO_OK};
    const struct position_key key = {.stm = 1};
    long left = answer;
    bool well = true;
    struct unique *unique = seebatch_io_unique_new(NULL, memory, stop_at, &left, known);
    for (size_t i = 0; i < n && well; i++)
        well = seebatch_io_unique_add(unique, &key, 1, &error);
    well = well && seebatch_io_unique_end_block(unique, &error) && seebatch_io_unique_find(unique, &error);
    seebatch_io_unique_free(unique);
    assert_int_equal(well, left >= 0);
    assert_int_equal(error.status, well ? SEEBATCH_IO_OK : SEEBATCH_IO_STOPPED);
    return answer - left;
}

/* All equal positions are one group, however many; these 100,000 have 6 MB, in memory or in 12 pieces. */
TEST(a_group_of_any_size_can_be_stopped)
{
    enum { MANY = 100000, NEVER = 1 << 30 };
    const long groups = 256, in_memory = ask(MANY, USUAL_MEMORY, NEVER), in_pieces = ask(MANY, LEAST_MEMORY, NEVER);
    assert_true(in_memory >= groups + 6);
    assert_true(in_pieces >= groups + 12 * 7); /* each piece is divided by seven times eight bits */
    for (long answer = 0; answer < in_memory; answer += 10)
        assert_int_equal(ask(MANY, USUAL_MEMORY, answer), answer + 1);
    for (long answer = 0; answer < in_pieces; answer += 60)
        assert_int_equal(ask(MANY, LEAST_MEMORY, answer), answer + 1);
}

/* ---- Descriptors ------------------------------------------------------------------------------------------------- */

static bool is_open(int fd) { return fcntl(fd, F_GETFD) >= 0; }

/* In the middle of a run. */
static void note_whether_open(void *user, const seebatch_counts *counts)
{
    (void)counts;
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        ((bool *)user)[fd] |= is_open(fd);
}

/* A run without one of the standard descriptors: none of its files gets that number, and none is left open. */
static seebatch_io_status run_without(int closed, const char *input, bool open[3], int *left_open)
{
    seebatch_counts counts;
    seebatch_io_error error = {.status = SEEBATCH_IO_OK};
    char folder[] = "/tmp/seebatch-test-hostile-XXXXXX", output[sizeof folder + sizeof "/out.fen"];
    assert_non_null(mkdtemp(folder));
    snprintf(output, sizeof output, "%s/out.fen", folder);
    const seebatch_pipeline_options options = {.paths = &input,
                                               .n_paths = 1,
                                               .from = strcmp(input, "-") == 0 ? "fen" : NULL,
                                               .output = output,
                                               .lose = "all",
                                               .threads = 2,
                                               .unique = true,
                                               .shuffle = true,
                                               .memory = LEAST_MEMORY,
                                               .on_progress = note_whether_open,
                                               .user = open};
    const int kept = fcntl(closed, F_DUPFD_CLOEXEC, 64);
    close(closed);
    seebatch_pipeline *pipeline = seebatch_pipeline_new(&options, &error);
    const seebatch_io_status status =
        pipeline != NULL ? seebatch_pipeline_run(pipeline, &counts, &error) : error.status;
    seebatch_pipeline_free(pipeline);
    *left_open = is_open(closed);
    dup2(kept, closed);
    close(kept);
    for (int fd = STDERR_FILENO + 1; fd < 64; fd++)
        *left_open += is_open(fd);
    unlink(output);
    rmdir(folder);
    return status;
}

TEST(no_file_becomes_a_standard_descriptor)
{
    int before = 0, left_open;
    for (int fd = STDERR_FILENO + 1; fd < 64; fd++)
        before += is_open(fd);
    for (int closed = STDIN_FILENO; closed <= STDERR_FILENO; closed++) {
        bool open[3] = {false, false, false};
        assert_int_equal(run_without(closed, "data/formats/own.binpack", open, &left_open), SEEBATCH_IO_OK);
        for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
            assert_int_equal(open[fd], fd != closed);
        assert_int_equal(left_open, before);
    }
    bool open[3] = {false, false, false};
    assert_int_equal(run_without(STDIN_FILENO, "-", open, &left_open), SEEBATCH_IO_FAILED);
    assert_false(open[STDIN_FILENO]);
    assert_int_equal(left_open, before);
}

/* ---- Arrow ------------------------------------------------------------------------------------------------------- */

/* A column of any type that is read, or structs or lists of one. Each buffer is an allocation of its own, so that the
 * address sanitizer sees what lies beyond. */
enum { ROWS = 7, SLICE = 2, MOST_NODES = 4, MOST_BLOCKS = 16, LONG_TEXT = 20 };
static const char *const column_types[] = {"u",         "z",        "U",  "vu", "w:6",  "n",    "S",   "dict:s:u",
                                           "dict:C:vu", "dict:l:U", "+l", "+L", "+w:2", "+s:u", "+s:S"};

struct column {
    const char *type;
    struct ArrowSchema schema[MOST_NODES], *schema_children[MOST_NODES];
    struct ArrowArray array[MOST_NODES], *array_children[MOST_NODES];
    size_t n_nodes, n_blocks;
    void *blocks[MOST_BLOCKS];
};

static void *block_of(struct column *column, const void *bytes, size_t size)
{
    void *block = malloc(size);
    assert_true(block != NULL && column->n_blocks < MOST_BLOCKS);
    memcpy(block, bytes, size);
    return column->blocks[column->n_blocks++] = block;
}

/* A node without buffers; n rows behind SLICE others. */
static size_t add_node(struct column *column, const char *format, int64_t n, int64_t n_buffers)
{
    const void *none[5] = {NULL};
    const uint8_t bits[] = {0xfb, 0xff, 0xff};
    const size_t node = column->n_nodes++;
    column->schema[node] = (struct ArrowSchema){.format = format, .name = "fen"};
    column->array[node] = (struct ArrowArray){.length = n, .null_count = -1, .offset = SLICE, .n_buffers = n_buffers};
    column->array[node].buffers = block_of(column, none, sizeof none);
    if (n_buffers > 0)
        column->array[node].buffers[0] = block_of(column, bits, (size_t)(n + SLICE + 7) / 8);
    return node;
}

static void add_children(struct column *column, size_t node)
{
    column->schema_children[0] = &column->schema[node + 1];
    column->array_children[0] = &column->array[node + 1];
    column->schema[node].children = column->schema_children;
    column->array[node].children = column->array_children;
    column->schema[node].n_children = column->array[node].n_children = 1;
}

/* Ends of n texts or lists of `each`, behind SLICE others. */
static void *ends_of(struct column *column, bool wide, int64_t n, int64_t each)
{
    int64_t ends[32];
    int32_t narrow[32];
    for (int64_t i = 0; i <= n + SLICE; i++) {
        ends[i] = each * i;
        narrow[i] = (int32_t)ends[i];
    }
    const size_t count = (size_t)(n + SLICE + 1);
    return wide ? block_of(column, ends, count * sizeof *ends) : block_of(column, narrow, count * sizeof *narrow);
}

static void add_views(struct column *column, size_t node, int64_t n)
{
    char views[16 * 32] = {0}, text[LONG_TEXT * 32] = {0};
    const int64_t size = LONG_TEXT * (n + SLICE);
    for (int32_t i = 0; i < n + SLICE; i++) {
        const int32_t view[4] = {i % 2 ? LONG_TEXT : 5, 0, 0, LONG_TEXT * i};
        memcpy(views + (size_t)16 * (size_t)i, view, sizeof view);
    }
    column->array[node].buffers[1] = block_of(column, views, 16 * (size_t)(n + SLICE));
    column->array[node].buffers[2] = block_of(column, text, (size_t)size);
    column->array[node].buffers[3] = block_of(column, &size, sizeof size);
}

/* Texts or numbers of n rows. */
static void add_simple(struct column *column, const char *type, int64_t n)
{
    static const char zeros[32 * 8] = {0};
    const bool view = strcmp(type, "vu") == 0, fixed = type[0] == 'w', number = type[0] == 'S' || type[0] == 's';
    const size_t node = add_node(column, type, n, strcmp(type, "n") == 0 ? 0 : view ? 4 : fixed || number ? 2 : 3);
    const void **buffers = column->array[node].buffers;
    if (view) {
        add_views(column, node, n);
    } else if (fixed || number || type[0] == 'C' || type[0] == 'l') {
        const size_t size = fixed ? 6 : type[0] == 'C' ? 1 : type[0] == 'l' ? 8 : 2;
        column->array[node].n_buffers = 2;
        buffers[1] = block_of(column, zeros, size * (size_t)(n + SLICE));
    } else if (strcmp(type, "n") != 0) {
        buffers[1] = ends_of(column, strcmp(type, "U") == 0, n, 3);
        buffers[2] = block_of(column, zeros, 3 * (size_t)(n + SLICE));
    }
}

static void make_column(struct column *column, const char *type)
{
    static const char *const indices[] = {"s", "C", "l"};
    memset(column, 0, sizeof *column);
    column->type = type;
    if (strncmp(type, "dict:", 5) == 0) {
        const size_t index = type[5] == 's' ? 0 : type[5] == 'C' ? 1 : 2;
        add_simple(column, indices[index], ROWS);
        add_simple(column, type + 7, 3);
        column->schema[0].dictionary = &column->schema[1];
        column->array[0].dictionary = &column->array[1];
    } else if (strncmp(type, "+s", 2) == 0) {
        add_node(column, "+s", ROWS, 1);
        add_simple(column, type + 3, ROWS + SLICE);
        add_children(column, 0);
    } else if (type[0] == '+') {
        add_node(column, type, ROWS, type[1] == 'w' ? 1 : 2);
        add_simple(column, "u", 2 * (ROWS + SLICE));
        add_children(column, 0);
        if (type[1] != 'w')
            column->array[0].buffers[1] = ends_of(column, type[1] == 'L', ROWS, 2);
    } else {
        add_simple(column, type, ROWS);
    }
}

static void free_column(struct column *column)
{
    while (column->n_blocks > 0)
        free(column->blocks[--column->n_blocks]);
}

static size_t touched; /* so that every byte of a text is read */

static void touch(const seebatch_text *texts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; texts[i].at != NULL && k < texts[i].length; k++)
            touched += (unsigned char)texts[i].at[k];
}

static seebatch_io_status read_moves(const struct ArrowSchema *schema, const struct ArrowArray *array, size_t begin,
                                     size_t n, seebatch_io_error *error)
{
    enum { MOST = 64 };
    seebatch_text texts[MOST];
    char room[MOST][6];
    assert_true(n <= MOST);
    const seebatch_io_status status = seebatch_arrow_moves(schema, array, begin, n, texts, room, error);
    if (status == SEEBATCH_IO_OK)
        touch(texts, n);
    return status;
}

/* Reads three rows at a time, as those do who read columns piece by piece. */
static seebatch_io_status read_column(const struct column *column, seebatch_io_error *error)
{
    enum { AT_ONCE = 3 };
    const struct ArrowSchema *schema = column->schema;
    const struct ArrowArray *array = column->array;
    seebatch_io_status status = seebatch_arrow_schema_check(schema, error);
    for (size_t begin = 0; begin < ROWS && status == SEEBATCH_IO_OK; begin += AT_ONCE) {
        const size_t n = ROWS - begin < AT_ONCE ? ROWS - begin : AT_ONCE;
        bool nulls[AT_ONCE];
        size_t rows[AT_ONCE + 1];
        if (column->type[0] != '+') {
            status = read_moves(schema, array, begin, n, error);
        } else if (column->type[1] == 's') {
            status = seebatch_arrow_structs(schema, array, begin, n, nulls, error);
            if (status == SEEBATCH_IO_OK)
                status = read_moves(schema->children[0], array->children[0], (size_t)array->offset + begin, n, error);
        } else {
            status = seebatch_arrow_lists(schema, array, begin, n, rows, nulls, error);
            if (status == SEEBATCH_IO_OK)
                status = read_moves(schema->children[0], array->children[0], rows[0], rows[n] - rows[0], error);
        }
    }
    return status;
}

static uint64_t drawn = 1;

static size_t draw(size_t n)
{
    drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (size_t)(drawn >> 33) % n;
}

static int64_t draw_number(void)
{
    static const int64_t numbers[] = {-1,        -2,        0, 1, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MAX - 9,
                                      INT64_MIN, 2000000000};
    return numbers[draw(COUNT(numbers))];
}

static void damage_schema(struct ArrowSchema *schema)
{
    switch (draw(6)) {
    case 0: schema->format = NULL; break;
    case 1: schema->name = NULL; break;
    case 2: schema->n_children = draw_number(); break;
    case 3: schema->children = NULL; break;
    case 4: schema->dictionary = draw(2) ? schema : NULL; break;
    default:
        if (schema->children != NULL)
            schema->children[0] = draw(2) ? schema : NULL;
    }
}

/* Of the second buffer. */
static size_t size_of_item(const char *format)
{
    if (format[0] == '+')
        return format[1] == 'L' ? 8 : 4;
    return format[0] == 'v' ? 16 : strchr("Ul", format[0]) ? 8 : format[0] == 'C' ? 1 : strchr("Ss", format[0]) ? 2 : 4;
}

/* A length, an offset or a number of buffers that is larger than it should be, and still possible, is what nobody can
 * see; nor is the last offset of texts, or the length of what views point to. */
static void damage_array(const struct column *column, size_t node)
{
    struct ArrowArray *array = (struct ArrowArray *)&column->array[node];
    const char *format = column->schema[node].format;
    const bool view = format[0] == 'v';
    const int64_t number = draw_number();
    const size_t buffer = array->n_buffers > 0 ? draw((size_t)array->n_buffers) : 0;
    switch (draw(9)) {
    case 0: array->length = number < array->length ? number : array->length - 1; break;
    case 1: array->null_count = number; break;
    case 2: array->offset = number > 0 && number < INT64_MAX / 2 ? INT64_MAX / 16 : number; break;
    case 3: array->n_buffers = number > array->n_buffers && (view || format[0] == 'n') ? 1 : number; break;
    case 4: array->n_children = number; break;
    case 5: array->buffers = NULL; break;
    case 6: array->buffers[buffer] = NULL; break;
    case 7:
        array->dictionary = NULL;
        if (array->children != NULL && draw(2))
            array->children[0] = NULL;
        else
            array->children = NULL;
        break;
    default:
        if (array->n_buffers > 1 && format[0] != 'w') { /* an entry behind SLICE, not the last: of 1 to 16 bytes */
            const size_t size = size_of_item(format);
            char *entry = (char *)(uintptr_t)array->buffers[1] + size * (SLICE + draw((size_t)array->length));
            memcpy(entry + (view ? 4 * draw(4) : 0), &number, size < 8 ? size : view ? 4 : 8);
        }
    }
}

TEST(damaged_columns_are_errors_and_no_crash)
{
    enum { TIMES = 30000 };
    long refused = 0;
    for (int i = 0; i < TIMES; i++) {
        struct column column;
        seebatch_io_error error = {.status = SEEBATCH_IO_OK};
        make_column(&column, column_types[draw(COUNT(column_types))]);
        if (i < 100) /* whole */
            assert_int_equal(read_column(&column, &error), SEEBATCH_IO_OK);
        const size_t node = draw(column.n_nodes);
        if (draw(4) == 0)
            damage_schema(&column.schema[node]);
        else
            damage_array(&column, node);
        const seebatch_io_status status = read_column(&column, &error);
        assert_true(status == SEEBATCH_IO_OK || status == SEEBATCH_IO_FAILED || status == SEEBATCH_IO_USAGE);
        assert_true(status == SEEBATCH_IO_OK || strlen(error.text) > 20);
        refused += status != SEEBATCH_IO_OK;
        free_column(&column);
    }
    assert_between(refused, TIMES / 3, TIMES);
}

int main(void) { return run_all_tests(NULL); }
