/*
 * Batches by several threads: the answers of one thread, whatever the number of threads and the layout of the batch;
 * nothing written that is not asked for; progress and cancellation as the header promises; threads only where they were
 * asked for, and right answers where the system refuses them.
 *
 * The linker leads the library's calls of pthread_create and pthread_join to the functions __wrap_... below, which
 * count and refuse threads, or hold them back until the library waits for them. The threads run on a quarter of the stack
 * that the library asks for.
 */
#define _POSIX_C_SOURCE 200809L /* pthread_barrier_t */
#include "test_support.h"
#include "api/threads.h"

#include <limits.h>
#include <pthread.h>
#include <unistd.h>

/* ---- Threads, counted, refused and held back -------------------------------------------------------------------- */

typedef void *start_function(void *argument);

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, start_function *start, void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, start_function *start, void *argument);
int __real_pthread_join(pthread_t thread, void **result);
int __wrap_pthread_join(pthread_t thread, void **result);
int __real_pthread_attr_init(pthread_attr_t *attributes);
int __wrap_pthread_attr_init(pthread_attr_t *attributes);
int __real_pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size);
int __wrap_pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size);
long __real_sysconf(int name);
long __wrap_sysconf(int name);

static bool attributes_refused;
static long processors = LONG_MIN; /* what the system says; LONG_MIN: the truth */

int __wrap_pthread_attr_init(pthread_attr_t *attributes)
{
    const int no_memory = 12;
    return attributes_refused ? no_memory : __real_pthread_attr_init(attributes);
}

/* Threads of this test run on a quarter of the stack that the library asks for, which has to be enough. Sanitizers need
 * stack of their own. */
int __wrap_pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size)
{
    assert_int_equal(size, SEE_THREAD_STACK);
#if defined(SEEBATCH_TEST_SANITIZED)
    return __real_pthread_attr_setstacksize(attributes, size);
#else
    return __real_pthread_attr_setstacksize(attributes, size / 4);
#endif
}

long __wrap_sysconf(int name)
{
    return processors != LONG_MIN && name == _SC_NPROCESSORS_ONLN ? processors : __real_sysconf(name);
}

static unsigned threads_created, threads_allowed = UINT_MAX;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static bool gate_closed; /* new threads wait until one is joined */
static struct held {
    start_function *start;
    void *argument;
} held_back[8];

static void *start_when_open(void *held)
{
    const struct held *h = held;
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    return h->start(h->argument);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, start_function *start, void *argument)
{
    const int no_more = 11; /* any error will do */
    if (__atomic_load_n(&threads_created, __ATOMIC_RELAXED) >= threads_allowed)
        return no_more;
    const unsigned number = __atomic_fetch_add(&threads_created, 1, __ATOMIC_RELAXED);
    if (!gate_closed)
        return __real_pthread_create(thread, attributes, start, argument);
    struct held *held = &held_back[number % 8];
    *held = (struct held){start, argument};
    return __real_pthread_create(thread, attributes, start_when_open, held);
}

static void set_gate(bool closed)
{
    if (closed == gate_closed)
        return;
    gate_closed = closed;
    if (closed)
        pthread_mutex_lock(&gate);
    else
        pthread_mutex_unlock(&gate);
}

int __wrap_pthread_join(pthread_t thread, void **result)
{
    set_gate(false);
    return __real_pthread_join(thread, result);
}

/* ---- Batches ---------------------------------------------------------------------------------------------------- */

enum { GAMES = 500, MOST_QUERIES = 300000, SOME_QUERIES = 20000, MOST_POSITIONS = 30000, FIRST = 5, CANARIES = 80 };

static seebatch_rules rules;
static seebatch_position games[GAMES]; /* positions and their legal moves */
static seebatch_move legal[GAMES][SEEBATCH_MAX_MOVES];
static size_t n_legal[GAMES];

static struct {
    size_t n_positions, n; /* n: queries */
    seebatch_position positions[MOST_POSITIONS];
    size_t offsets[MOST_POSITIONS + 1];
    seebatch_move moves[FIRST + MOST_QUERIES];
    int16_t thresholds[FIRST + MOST_QUERIES];
} batch;

/* How the queries lie on positions. */
enum layout { ALL_LEGAL, FEW_AND_NONE, MOSTLY_NONE, MANY_ON_ONE, LAYOUTS };

/* Those of the tests are set_rules(0), but where one goes through all. */
static void set_rules(size_t index) { rules = rules_at(index); }

static int read_games(void **state)
{
    (void)state;
    read_positions("data/games.fen", GAMES, games);
    for (size_t i = 0; i < GAMES; i++)
        n_legal[i] = seebatch_legal_moves(&games[i], legal[i]);
    set_rules(0);
    return 0;
}

/* The number of moves that position i of a layout gets, with `left` to be given out. */
static size_t moves_at(enum layout layout, size_t i, size_t legal_moves, size_t left)
{
    size_t n = legal_moves;
    switch (layout) {
    case FEW_AND_NONE: n = i * 7 % 5; break;                      /* 0 to 4 */
    case MOSTLY_NONE: n = i % 40 == 39 ? legal_moves : 0; break;  /* runs of empty positions, at the beginning too */
    case MANY_ON_ONE: n = i % 3 == 1 ? 9000 : legal_moves; break; /* several parts of one position */
    default: break;
    }
    return n < left ? n : left;
}

/* n queries, from moves[first] on; the moves before are not the batch's. A position with more queries than moves has
 * its moves again. */
static void make_batch(enum layout layout, size_t n, size_t first)
{
    size_t i = 0, k = first;
    batch.offsets[0] = first;
    while (k < first + n || i % 4 != 0) { /* a few empty positions at the end */
        const size_t game = i % GAMES;
        assert_between(i, 0, MOST_POSITIONS - 1);
        batch.positions[i] = games[game];
        size_t count = moves_at(layout, i, n_legal[game], first + n - k);
        for (size_t j = 0; j < count && n_legal[game]; j++, k++) {
            batch.moves[k] = legal[game][j % n_legal[game]];
            batch.thresholds[k] = (int16_t)((int)(k * 37 % 500) - 250);
        }
        batch.offsets[++i] = k;
    }
    batch.n_positions = i;
    batch.n = n;
}

/* ---- Answers ---------------------------------------------------------------------------------------------------- */

enum form { VALUES, MASK, MASK_EACH, FORMS };
enum { THRESHOLD = -50, CANARY = 0x5a };

/* What a call wrote, behind and before CANARIES elements that it may not touch. */
struct answers {
    int16_t values[CANARIES + MOST_QUERIES + CANARIES];
    uint64_t mask[CANARIES + SEEBATCH_MASK_WORDS(MOST_QUERIES) + CANARIES];
};

static struct answers expected, got;

static seebatch_status ask(enum form form, struct answers *to, seebatch_job *job)
{
    static seebatch_pins pins[MOST_POSITIONS]; /* at hand in one of the forms: they are cut into pieces as well */
    seebatch_batch all = {
        .positions = batch.positions, .n_positions = batch.n_positions, .offsets = batch.offsets, .moves = batch.moves};
    memset(to->values, CANARY, (batch.n + 2 * CANARIES) * sizeof *to->values);
    memset(to->mask, CANARY, (SEEBATCH_MASK_WORDS(batch.n) + 2 * CANARIES) * sizeof *to->mask);
    if (form == VALUES)
        return seebatch_batch_values(&rules, &all, to->values + CANARIES, job);
    if (form == MASK_EACH)
        return seebatch_batch_ge_mask_each(&rules, &all, batch.thresholds, to->mask + CANARIES, job);
    for (size_t i = 0; job && i < batch.n_positions; i++)
        seebatch_find_pins(&rules, &batch.positions[i], &pins[i]);
    all.pins = job ? pins : NULL;
    return seebatch_batch_ge_mask(&rules, &all, THRESHOLD, to->mask + CANARIES, job);
}

/* Of an array with room for n elements the first `written` ones are as expected, and all else is untouched. */
static void check_array(const void *found, const void *right, size_t size, size_t written, size_t n)
{
    const unsigned char *bytes = found, *behind = bytes + (CANARIES + written) * size;
    const size_t before = CANARIES * size;
    assert_true(bytes[0] == CANARY && memcmp(bytes, bytes + 1, before - 1) == 0);
    assert_memory_equal(bytes + before, (const unsigned char *)right + before, written * size);
    assert_true(behind[0] == CANARY && memcmp(behind, behind + 1, (n - written + CANARIES) * size - 1) == 0);
}

/* The batch by a job: the first job->done answers as one thread gives them, which are in `expected` already. */
static seebatch_status ask_and_check(enum form form, seebatch_job *job)
{
    const seebatch_status status = ask(form, &got, job);
    const size_t values = form == VALUES ? job->done : 0, bits = form == VALUES ? 0 : job->done;
    assert_true(status == SEEBATCH_OK ? job->done == batch.n : status == SEEBATCH_CANCELLED);
    assert_true(job->done % 64 == 0 || job->done == batch.n);
    check_array(got.values, expected.values, sizeof *got.values, values, batch.n);
    check_array(got.mask, expected.mask, sizeof *got.mask, SEEBATCH_MASK_WORDS(bits), SEEBATCH_MASK_WORDS(batch.n));
    return status;
}

static void check_all_forms_and_threads(unsigned most_threads)
{
    for (enum form form = VALUES; form < FORMS; form++) {
        ask(form, &expected, NULL);
        for (unsigned threads = 1; threads <= most_threads; threads++) {
            seebatch_job job = {.threads = threads};
            assert_int_equal(ask_and_check(form, &job), SEEBATCH_OK);
            assert_true(job.threads_used <= threads && (job.threads_used > 0) == (batch.n > 0));
        }
    }
}

/* ---- The tests -------------------------------------------------------------------------------------------------- */

static pthread_barrier_t start_line;

static void *first_use(void *name)
{
    int16_t value;
    pthread_barrier_wait(&start_line);
    seebatch_values(&rules, &games[0], NULL, legal[0], 1, &value);
    *(const char **)name = seebatch_kernel_active();
    return NULL;
}

/* Must be the program's first: nothing has chosen a kernel before. */
TEST(the_first_use_may_come_from_several_threads)
{
    enum { THREADS = 6 };
    pthread_t thread[THREADS];
    const char *name[THREADS] = {0};
    pthread_barrier_init(&start_line, NULL, THREADS);
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, first_use, &name[i]), 0);
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&start_line);
    for (size_t i = 0; i < THREADS; i++)
        assert_ptr_equal(name[i], seebatch_kernel_active());
}

TEST(answers_do_not_depend_on_the_number_of_threads)
{
    static const size_t sizes[] = {0, 1, 63, 64, 65, 4095, 4096, 4097, 8229, SOME_QUERIES};
    for (size_t r = 0; r < rule_sets(); r++) {
        set_rules(r);
        for (enum layout layout = ALL_LEGAL; layout < LAYOUTS; layout++) {
            for (size_t i = 0; i < COUNT(sizes); i++) {
                make_batch(layout, sizes[i], (i + layout) % 2 ? FIRST : 0);
                check_all_forms_and_threads(8);
            }
        }
    }
    set_rules(0);
    make_batch(ALL_LEGAL, MOST_QUERIES, FIRST); /* parts grow with the batch, up to a bound */
    check_all_forms_and_threads(3);
    make_batch(MANY_ON_ONE, MOST_QUERIES, FIRST);
    check_all_forms_and_threads(3);
}

/* Nor do squares and maps, which are those of a position alone; nothing is written behind the last. */
TEST(squares_and_maps_do_not_either)
{
    enum { MAPS = 200, SQUARES = 9000 };
    static uint8_t squares[SQUARES], colors[SQUARES];
    static int16_t maps[MAPS + 1][2][64], expected_maps[MAPS + 1][2][64], values[SQUARES + 1],
        expected_values[SQUARES + 1];
    make_batch(MOSTLY_NONE, SOME_QUERIES, 0);
    assert_true(batch.n_positions >= SQUARES);
    for (size_t r = 0; r < rule_sets(); r++) {
        set_rules(r);
        memset(expected_maps, CANARY, sizeof expected_maps);
        memset(expected_values, CANARY, sizeof expected_values);
        for (size_t i = 0; i < MAPS; i++)
            seebatch_map(&rules, &batch.positions[i], expected_maps[i]);
        for (size_t i = 0; i < SQUARES; i++) {
            squares[i] = (uint8_t)(i * 29 % 64);
            colors[i] = i / 64 % 2;
            expected_values[i] = (int16_t)seebatch_square_value(&rules, &batch.positions[i], squares[i], colors[i]);
        }
        for (unsigned threads = 0; threads <= 8; threads++) { /* 0: without a job */
            seebatch_job job[2] = {{.threads = threads}, {.threads = threads}};
            memset(maps, CANARY, sizeof maps);
            memset(values, CANARY, sizeof values);
            seebatch_batch_maps(&rules, batch.positions, MAPS, maps, threads ? &job[0] : NULL);
            seebatch_batch_square_values(&rules, batch.positions, SQUARES, squares, colors, values,
                                         threads ? &job[1] : NULL);
            assert_true(!threads || (job[0].done == MAPS && job[1].done == SQUARES));
            assert_memory_equal(maps, expected_maps, sizeof maps);
            assert_memory_equal(values, expected_values, sizeof values);
        }
    }
    set_rules(0);
}

/* A callback that writes down what it is told, and cancels at its call number `cancel_at`. */
struct record {
    size_t calls, cancel_at, last;
    pthread_t caller;
    bool wrong; /* an assert must not leave the callback by longjmp */
};

static bool write_down(void *user, size_t done, size_t total)
{
    struct record *record = user;
    if (!pthread_equal(pthread_self(), record->caller) || done <= record->last || done > total || total != batch.n)
        record->wrong = true;
    record->last = done;
    return ++record->calls != record->cancel_at;
}

static struct record record_of(size_t cancel_at)
{
    return (struct record){.cancel_at = cancel_at, .caller = pthread_self()};
}

TEST(progress_grows_and_a_job_can_be_cancelled_at_every_step)
{
    make_batch(FEW_AND_NONE, SOME_QUERIES, FIRST);
    for (enum form form = VALUES; form < FORMS; form++) {
        ask(form, &expected, NULL);
        for (unsigned threads = 1; threads <= 8; threads++) {
            bool finished = true;
            for (size_t step = 0; step == 0 || !finished; step++) { /* 0: not cancelled */
                struct record record = record_of(step);
                seebatch_job job = {.threads = threads, .progress = write_down, .user = &record};
                const seebatch_status status = ask_and_check(form, &job);
                finished = step == 0 || record.calls < step || record.last == batch.n; /* too late to cancel */
                assert_int_equal(status, finished ? SEEBATCH_OK : SEEBATCH_CANCELLED);
                assert_true(!record.wrong && job.done >= record.last);
                if (step == 0) {
                    assert_int_equal(record.last, batch.n);
                    assert_between(record.calls, threads == 1 ? 2 : 1, batch.n / 64);
                } else
                    assert_true(record.calls <= step);
                if (threads == 1)
                    assert_int_equal(job.done, record.last);
                assert_true(threads > 1 || step != 1 || !finished); /* one thread cannot be too late at first */
            }
        }
    }
}

/* Threads that come after the cancellation find nothing to do; without it, threads that come late are no harm. */
TEST(no_part_begins_after_the_cancellation)
{
    make_batch(ALL_LEGAL, SOME_QUERIES, FIRST);
    ask(VALUES, &expected, NULL);
    for (size_t step = 0; step <= 3; step++) {
        struct record record = record_of(step);
        seebatch_job job = {.threads = 4, .progress = write_down, .user = &record};
        set_gate(true);
        assert_int_equal(ask_and_check(VALUES, &job), step ? SEEBATCH_CANCELLED : SEEBATCH_OK);
        set_gate(false);
        assert_int_equal(job.done, record.last);
    }
}

/* Threads are started only where they are asked for and pay; those that the system refuses are done without. */
TEST(as_many_threads_as_can_be_had)
{
    enum { ANY = INT_MAX };
    static const struct {
        unsigned threads, queries, allowed, processors; /* processors: 0 for the truth */
        bool attributes_refused;
        unsigned used;
    } cases[] = {
        {1, SOME_QUERIES, ANY, 0, false, 1},
        {2, SOME_QUERIES, ANY, 0, false, 2},
        {3, SOME_QUERIES, ANY, 0, false, 3},
        {8, 64, ANY, 0, false, 1},
        {8, 0, ANY, 0, false, 0},
        {0, SOME_QUERIES, ANY, 3, false, 3},
        {4, SOME_QUERIES, 0, 0, false, 1},
        {4, SOME_QUERIES, 1, 0, false, 2},
        {4, SOME_QUERIES, 2, 0, false, 3},
        {4, SOME_QUERIES, 3, 0, false, 4},
        {4, SOME_QUERIES, ANY, 0, true, 1},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        make_batch(i % 2 ? FEW_AND_NONE : ALL_LEGAL, cases[i].queries, 0);
        for (enum form form = VALUES; form < FORMS; form++) {
            ask(form, &expected, NULL);
            seebatch_job job = {.threads = cases[i].threads};
            threads_created = 0;
            threads_allowed = cases[i].allowed;
            processors = cases[i].processors ? (long)cases[i].processors : LONG_MIN;
            attributes_refused = cases[i].attributes_refused;
            assert_int_equal(ask_and_check(form, &job), SEEBATCH_OK);
            threads_allowed = UINT_MAX;
            processors = LONG_MIN;
            attributes_refused = false;
            assert_int_equal(job.threads_used, cases[i].used);
            assert_int_equal(threads_created, cases[i].used ? cases[i].used - 1 : 0);
        }
    }
}

TEST(numbers_of_threads_and_processors_are_bounded)
{
    enum { MOST = SEEBATCH_MAX_THREADS };
    static const struct {
        long said;
        unsigned expected;
    } machines[] = {{-1, 1},      {0, 1},           {1, 1},          {2, 2}, {MOST - 1, MOST - 1},
                    {MOST, MOST}, {MOST + 1, MOST}, {LONG_MAX, MOST}};
    make_batch(ALL_LEGAL, SOME_QUERIES, 0);
    ask(VALUES, &expected, NULL);
    seebatch_job as_many_as_processors = {0}, too_many = {.threads = UINT_MAX};
    assert_between(seebatch_processors(), 1, MOST);
    assert_int_equal(ask_and_check(VALUES, &as_many_as_processors), SEEBATCH_OK);
    assert_between(as_many_as_processors.threads_used, 1, seebatch_processors());
    assert_int_equal(ask_and_check(VALUES, &too_many), SEEBATCH_OK);
    assert_between(too_many.threads_used, 2, MOST);
    for (size_t i = 0; i < COUNT(machines); i++) {
        processors = machines[i].said;
        assert_int_equal(seebatch_processors(), machines[i].expected);
    }
    processors = LONG_MIN;
}

TEST(nothing_to_do_touches_nothing)
{
    struct record record = record_of(1);
    seebatch_job job = {.threads = 4, .progress = write_down, .user = &record};
    const seebatch_batch nothing = {.n_positions = 0};
    for (int i = 0; i < 2; i++) {
        seebatch_job *with = i ? &job : NULL;
        assert_int_equal(seebatch_batch_values(NULL, &nothing, NULL, with), SEEBATCH_OK);
        assert_int_equal(seebatch_batch_ge_mask(NULL, &nothing, 0, NULL, with), SEEBATCH_OK);
        assert_int_equal(seebatch_batch_ge_mask_each(NULL, &nothing, NULL, NULL, with), SEEBATCH_OK);
        assert_int_equal(seebatch_batch_square_values(NULL, NULL, 0, NULL, NULL, NULL, with), SEEBATCH_OK);
        assert_int_equal(seebatch_batch_maps(NULL, NULL, 0, NULL, with), SEEBATCH_OK);
        assert_int_equal(seebatch_batch_order(NULL, &nothing, 0, NULL, NULL, NULL, with), SEEBATCH_OK);
    }
    const size_t no_moves[4] = {7, 7, 7, 7};
    assert_int_equal(seebatch_batch_values(&rules, &(const seebatch_batch){games, 3, no_moves, NULL, NULL}, NULL, &job),
                     SEEBATCH_OK);
    assert_int_equal(record.calls, 0);
    assert_int_equal(job.done, 0);
    assert_int_equal(job.threads_used, 0);
}

/* ---- Jobs side by side ------------------------------------------------------------------------------------------ */

struct side {
    pthread_t thread;
    int16_t values[SOME_QUERIES];
    bool equal;
};

static void *run_a_job(void *argument)
{
    const seebatch_batch all = {
        .positions = batch.positions, .n_positions = batch.n_positions, .offsets = batch.offsets, .moves = batch.moves};
    struct side *side = argument;
    seebatch_job job = {.threads = 3};
    seebatch_batch_values(&rules, &all, side->values, &job);
    side->equal = memcmp(side->values, expected.values + CANARIES, sizeof side->values) == 0;
    return NULL;
}

/* Several threads with a job each, while another changes the kernel from under them. */
TEST(jobs_may_run_side_by_side)
{
    static struct side sides[3];
    make_batch(ALL_LEGAL, SOME_QUERIES, FIRST);
    ask(VALUES, &expected, NULL);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&sides[i].thread, NULL, run_a_job, &sides[i]), 0);
    for (size_t k = 0; use_next_kernel(&k);)
        continue;
    for (size_t i = 0; i < 3; i++) {
        pthread_join(sides[i].thread, NULL);
        assert_true(sides[i].equal);
    }
}

int main(void) { return run_all_tests(read_games); }
