/*
 * Input made by somebody who knows the program, against the insides of seebatch_io: positions whose hashes meet in one
 * place of a table.
 */
#include "test_support.h"

#include <fcntl.h>
#include <unistd.h>

#include "keyed_hash.h"
#include "spill.h"
#include "unique.h"

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

/* Positions that fill one group of the spill, and there hardly more than one place of a table of 2048, if the key of
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
    seebatch_io_error error = {SEEBATCH_IO_OK, 0, ""};
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
    seebatch_io_error error = {SEEBATCH_IO_OK, 0, ""};
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
    seebatch_io_error error = {SEEBATCH_IO_OK, 0, ""};
    const seebatch_pipeline_options options = {.paths = &input,
                                               .n_paths = 1,
                                               .from = strcmp(input, "-") == 0 ? "fen" : NULL,
                                               .output = "test_hostile.fen",
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
    unlink("test_hostile.fen");
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

int main(void) { return run_all_tests(NULL); }
