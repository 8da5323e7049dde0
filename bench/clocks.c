/*
 * The tool with clocks in its pipeline: how much of a run is divided among the threads, and how much only one thread does
 * at a time. bench/cores.py runs it; what it measures is the pipeline as it is, because the linker puts these functions before
 * the pipeline's own (--wrap).
 *
 *   reading   a worker takes the next block, which one worker does at a time; reading the block itself is no part of it where
 *             that is done outside (seebatch_io_block_load())
 *   writing   all that the caller's thread does: reports, counts, writing; opening the output and putting it in its place
 *             once are no part of it
 *   work      all else that the workers do
 *
 * Times are those of the processor for a thread, so that others who use the machine count little. The result goes to the
 * file that SEEBATCH_CLOCKS names, in one line: positions, bytes of input and of output, and nanoseconds of reading,
 * writing, work and the clock.
 *
 * More processors than there are: with SEEBATCH_CLOCKS_WORK=NANOSECONDS,OUT, each worker sleeps for so many nanoseconds for
 * each byte of its block, instead of working on it, and gives it OUT bytes of output for each of these. Any number of threads
 * can sleep at a time, while reading and writing are done as ever.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "pipeline/run.h"

static uint64_t reading, work, bytes_in, bytes_out; /* of all threads, changed atomically */
static _Thread_local uint64_t loading, once, closing;
static double slept, output; /* for each byte; 0: the workers work */

static uint64_t now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void add(uint64_t *to, uint64_t more) { __atomic_fetch_add(to, more, __ATOMIC_RELAXED); }

/* ---- In place of the pipeline's functions ------------------------------------------------------------------------ */

#define REAL(name) __real_##name
#define CLOCKED(name) __wrap_##name

void REAL(seebatch_io_block_load)(struct block *block);
void CLOCKED(seebatch_io_block_load)(struct block *block);
void CLOCKED(seebatch_io_block_load)(struct block *block)
{
    const uint64_t begin = now(CLOCK_THREAD_CPUTIME_ID);
    if (slept > 0)
        block->unread = false;
    else
        REAL(seebatch_io_block_load)(block);
    loading += now(CLOCK_THREAD_CPUTIME_ID) - begin;
}

struct block *REAL(seebatch_io_input_next)(struct input *input);
struct block *CLOCKED(seebatch_io_input_next)(struct input *input);
struct block *CLOCKED(seebatch_io_input_next)(struct input *input)
{
    const uint64_t begin = now(CLOCK_THREAD_CPUTIME_ID);
    loading = 0;
    struct block *block = REAL(seebatch_io_input_next)(input);
    add(&reading, now(CLOCK_THREAD_CPUTIME_ID) - begin - loading);
    if (block != NULL)
        add(&bytes_in, block->in.used);
    return block;
}

void REAL(seebatch_io_queue_worked)(struct block_queue *queue, struct block *block);
void CLOCKED(seebatch_io_queue_worked)(struct block_queue *queue, struct block *block);
void CLOCKED(seebatch_io_queue_worked)(struct block_queue *queue, struct block *block)
{
    add(&bytes_out, block->out.used);
    REAL(seebatch_io_queue_worked)(queue, block);
}

/* A block that was never worked on: it takes the time, and has output of the right length. */
static void sleep_on(struct block *block, uint64_t begin)
{
    const uint64_t end = begin + (uint64_t)(slept * (double)block->in.used);
    const size_t length = (size_t)(output * (double)block->in.used);
    if (length > block->out.capacity && bytes_reserve(&block->out, length))
        memset(block->out.data, 'x', length);
    block->out.used = block->out.failed ? 0 : length;
    block->read = 1; /* so that the file does not count as empty */
    const struct timespec until = {(time_t)(end / 1000000000), (long)(end % 1000000000)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) != 0)
        continue;
}

bool REAL(seebatch_io_output_close)(struct output *to, bool complete, seebatch_io_error *error);
bool CLOCKED(seebatch_io_output_close)(struct output *to, bool complete, seebatch_io_error *error);
bool CLOCKED(seebatch_io_output_close)(struct output *to, bool complete, seebatch_io_error *error)
{
    const uint64_t begin = now(CLOCK_THREAD_CPUTIME_ID), clock = now(CLOCK_MONOTONIC);
    const bool well = REAL(seebatch_io_output_close)(to, complete, error);
    once += now(CLOCK_THREAD_CPUTIME_ID) - begin;
    closing += now(CLOCK_MONOTONIC) - clock;
    return well;
}

void *REAL(seebatch_io_worker_run)(void *worker);
void *CLOCKED(seebatch_io_worker_run)(void *worker);
void *CLOCKED(seebatch_io_worker_run)(void *worker)
{
    const uint64_t begin = now(CLOCK_THREAD_CPUTIME_ID);
    if (slept == 0) {
        REAL(seebatch_io_worker_run)(worker);
        add(&work, now(CLOCK_THREAD_CPUTIME_ID) - begin);
        return NULL;
    }
#ifdef __linux__
    prctl(PR_SET_TIMERSLACK, 1);
#endif
    struct seebatch_pipeline *run = *(struct seebatch_pipeline **)worker; /* its first member */
    for (struct block *block; (block = CLOCKED(seebatch_io_input_next)(&run->input)) != NULL;) {
        sleep_on(block, now(CLOCK_MONOTONIC));
        CLOCKED(seebatch_io_queue_worked)(&run->queue, block);
    }
    return NULL;
}

seebatch_io_status REAL(seebatch_pipeline_run)(seebatch_pipeline *run, seebatch_counts *counts,
                                               seebatch_io_error *error);
seebatch_io_status CLOCKED(seebatch_pipeline_run)(seebatch_pipeline *run, seebatch_counts *counts,
                                                  seebatch_io_error *error);
seebatch_io_status CLOCKED(seebatch_pipeline_run)(seebatch_pipeline *run, seebatch_counts *counts,
                                                  seebatch_io_error *error)
{
    const char *emulated = getenv("SEEBATCH_CLOCKS_WORK"), *name = getenv("SEEBATCH_CLOCKS");
    seebatch_counts own;
    if (emulated != NULL && sscanf(emulated, "%lf,%lf", &slept, &output) != 2) {
        fprintf(stderr, "SEEBATCH_CLOCKS_WORK is '%s', expected two numbers, such as 1.5,0.3\n", emulated);
        exit(2);
    }
    const uint64_t begin = now(CLOCK_THREAD_CPUTIME_ID), clock = now(CLOCK_MONOTONIC);
    const seebatch_io_status status = REAL(seebatch_pipeline_run)(run, counts != NULL ? counts : &own, error);
    const uint64_t writing = now(CLOCK_THREAD_CPUTIME_ID) - begin - once,
                   elapsed = now(CLOCK_MONOTONIC) - clock - closing;
    FILE *file = name != NULL ? fopen(name, "a") : NULL;
    if (file != NULL) {
        fprintf(file, "%llu %llu %llu %llu %llu %llu %llu\n",
                (unsigned long long)(counts != NULL ? counts : &own)->read, (unsigned long long)bytes_in,
                (unsigned long long)bytes_out, (unsigned long long)reading, (unsigned long long)writing,
                (unsigned long long)(work > reading ? work - reading : 0), (unsigned long long)elapsed);
        fclose(file);
    }
    return status;
}
