/*
 * Divides many items of work among several threads.
 *
 * The items are numbered, and an atomic counter hands out parts of them, first to last, to the thread that is free. A
 * part is evaluated by the functions of one thread, so the answers cannot depend on who evaluates what. Every part that
 * was handed out is finished, so after a cancellation the answers that are written are the first ones without a gap.
 */
#include "threads.h"

#include <assert.h>
#if !defined(SEEBATCH_NO_THREADS) && !defined(_WIN32) && !defined(__wasm__)
#include <pthread.h>
#include <unistd.h>
#define SEE_HAVE_THREADS 1
#else
#define SEE_HAVE_THREADS 0
#endif

/* ---- Parts and threads ------------------------------------------------------------------------------------------ */

struct crew {
    /* What there is to do: the items from 0 to `total` - 1, a part of them at a time. */
    see_evaluate_part *evaluate;
    const void *work;
    size_t total, part;

    /* Read and written only by the relaxed atomic builtins, which C++ has as well. They need not order anything,
     * because the caller sees what a thread has written once it has joined the thread. */
    size_t next; /* the first item that no thread has taken, which may run past `total` */
    size_t done; /* items in finished parts */
    bool stop;   /* hand out no more */
};

/* Evaluates the next part; returns how many items are done now, by all threads, or 0 if there is nothing left. */
static size_t do_next_part(struct crew *crew)
{
    if (__atomic_load_n(&crew->stop, __ATOMIC_RELAXED))
        return 0;
    const size_t begin = __atomic_fetch_add(&crew->next, crew->part, __ATOMIC_RELAXED);
    if (begin >= crew->total)
        return 0;
    const size_t n = crew->total - begin < crew->part ? crew->total - begin : crew->part;
    crew->evaluate(crew->work, begin, begin + n);
    return __atomic_add_fetch(&crew->done, n, __ATOMIC_RELAXED);
}

unsigned seebatch_threads_wanted(const seebatch_job *job)
{
    const unsigned wanted = job->threads ? job->threads : seebatch_processors();
    return wanted < SEEBATCH_MAX_THREADS ? wanted : (unsigned)SEEBATCH_MAX_THREADS;
}

/* Does the calling thread's share, with reports of progress. Returns false if cancelled. The last report, that all is
 * done, is left to seebatch_run_job(), because other threads may still be at work. */
static bool take_share(struct crew *crew, const seebatch_job *job)
{
    for (size_t done; (done = do_next_part(crew)) != 0;) {
        if (job->progress && done < crew->total && !job->progress(job->user, done, crew->total)) {
            __atomic_store_n(&crew->stop, true, __ATOMIC_RELAXED);
            return false;
        }
    }
    return true;
}

#if SEE_HAVE_THREADS

static void *help(void *argument)
{
    struct crew *crew = (struct crew *)argument;
    while (do_next_part(crew))
        ;
    return NULL;
}

/* How many threads the job can use in addition to the calling one. */
static unsigned helpers_for(const seebatch_job *job, const struct crew *crew)
{
    const size_t parts = crew->total / crew->part + (crew->total % crew->part != 0);
    const unsigned most = seebatch_threads_wanted(job);
    return (parts < most ? (unsigned)parts : most) - 1;
}

/* Starts up to n helpers; returns how many could be started. */
static unsigned start_helpers(struct crew *crew, pthread_t *helpers, unsigned n)
{
    pthread_attr_t attributes;
    if (n == 0 || pthread_attr_init(&attributes) != 0)
        return 0;
    pthread_attr_setstacksize(&attributes, SEE_THREAD_STACK); /* or else the system's own size */
    unsigned started = 0;
    while (started < n && pthread_create(&helpers[started], &attributes, help, crew) == 0)
        started++;
    pthread_attr_destroy(&attributes);
    return started;
}

/* Does all parts; returns false if cancelled. */
static bool do_all_parts(struct crew *crew, seebatch_job *job)
{
    pthread_t helpers[SEEBATCH_MAX_THREADS];
    const unsigned n = start_helpers(crew, helpers, helpers_for(job, crew));
    const bool finished = take_share(crew, job);
    for (unsigned i = 0; i < n; i++)
        pthread_join(helpers[i], NULL);
    job->threads_used = n + 1;
    return finished;
}

#else

static bool do_all_parts(struct crew *crew, seebatch_job *job)
{
    job->threads_used = 1;
    return take_share(crew, job);
}

#endif

seebatch_status seebatch_run_job(seebatch_job *job, size_t total, size_t part, see_evaluate_part *evaluate,
                                 const void *work)
{
    if (!job) {
        if (total)
            evaluate(work, 0, total);
        return SEEBATCH_OK;
    }
    struct crew crew = {evaluate, work, total, part, 0, 0, false};
    job->done = 0;
    job->threads_used = 0;
    if (total == 0)
        return SEEBATCH_OK;
    const bool finished = do_all_parts(&crew, job);
    job->done = __atomic_load_n(&crew.done, __ATOMIC_RELAXED);
    if (!finished)
        return SEEBATCH_CANCELLED;
    assert(job->done == total);
    if (job->progress)
        job->progress(job->user, total, total);
    return SEEBATCH_OK;
}

unsigned seebatch_processors(void)
{
#if SEE_HAVE_THREADS && defined(_SC_NPROCESSORS_ONLN)
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n < SEEBATCH_MAX_THREADS ? (unsigned)n : (unsigned)SEEBATCH_MAX_THREADS;
#else
    return 1;
#endif
}
