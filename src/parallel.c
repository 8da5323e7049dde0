/*
 * Several threads over many positions.
 *
 * The requests of a batch are numbered, and parts of some thousand of them are handed out by an atomic counter, first
 * to last, to whichever thread is free; a part fits in a core's own cache. A part is evaluated by the functions of one
 * thread (batch.c), so the answers cannot depend on who evaluates what.
 *
 * A part is a multiple of 64 requests: its answers are whole words of a bit mask, and no two threads write the same
 * word. That ignores where positions begin and end. So a part may begin and end amid the moves of a position; such a
 * piece is a batch of one position with offsets of its own, and what lies between is a slice of the caller's batch. A
 * mask is put together from these pieces by shifting.
 *
 * Every part that was handed out is finished. After a cancellation, therefore, the answers that are written are the
 * first ones without a gap.
 */
#include "seebatch.h"

#include <assert.h>
#if !defined(SEEBATCH_NO_THREADS) && !defined(_WIN32)
#include <pthread.h>
#include <unistd.h>
#define SEE_HAVE_THREADS 1
#else
#define SEE_HAVE_THREADS 0
#endif

/* Items in a part, the bounds of it: requests (multiples of 64, for whole words of a mask), queries of squares, maps.
 */
enum { LEAST_REQUESTS = 2048, MOST_REQUESTS = 16384, PART_SQUARES = 4096, PART_MAPS = 64 };

/* Parts that a thread should get of a large batch, so that none waits long for the others at the end. More of them
 * would cost more: it takes 2 microseconds to find out where in the batch a part lies. */
enum { PARTS_A_THREAD = 16 };

/* ---- Parts and threads ------------------------------------------------------------------------------------------ */

struct crew {
    /* What there is to do: items 0 .. total, a part of them at a time. */
    void (*evaluate)(const void *work, size_t begin, size_t end);
    const void *work;
    size_t total, part;

    /* Only by the atomic builtins, which C++ has too, and relaxed: what a thread writes is seen by the caller after it
     * has joined the thread, so that they order nothing. */
    size_t next; /* the first item that was not handed out; may run past total */
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

static unsigned threads_asked(const seebatch_job *job)
{
    const unsigned asked = job->threads ? job->threads : seebatch_processors();
    return asked < SEEBATCH_MAX_THREADS ? asked : (unsigned)SEEBATCH_MAX_THREADS;
}

/* The calling thread's share, with reports of progress; false if cancelled. The last report, that all is done, is left
 * to run_job(): other threads may still be at work. */
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

/* How many threads besides the caller's the job can use. */
static unsigned helpers_for(const seebatch_job *job, const struct crew *crew)
{
    const size_t parts = crew->total / crew->part + (crew->total % crew->part != 0);
    const unsigned most = threads_asked(job);
    return (parts < most ? (unsigned)parts : most) - 1;
}

/* Starts up to n helpers; returns how many could be started. */
static unsigned start_helpers(struct crew *crew, pthread_t *helpers, unsigned n)
{
    /* The search of `legal` keeps its memory on the stack, and some systems give threads little of that. */
    enum { STACK = 1 << 20 };
    pthread_attr_t attributes;
    if (n == 0 || pthread_attr_init(&attributes) != 0)
        return 0;
    pthread_attr_setstacksize(&attributes, STACK); /* or else the system's own size */
    unsigned started = 0;
    while (started < n && pthread_create(&helpers[started], &attributes, help, crew) == 0)
        started++;
    pthread_attr_destroy(&attributes);
    return started;
}

/* Does all parts; false if cancelled. */
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

/* Evaluates items 0 .. total in parts, with as many threads as the job asks for and the system gives. */
static seebatch_status run_job(seebatch_job *job, size_t total, size_t part,
                               void (*evaluate)(const void *work, size_t begin, size_t end), const void *work)
{
    assert(job);
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

/* ---- Moves ------------------------------------------------------------------------------------------------------ */

struct batch_work {
    const seebatch_rules *rules;
    const seebatch_position *positions;
    size_t n_positions;
    const size_t *offsets;
    const seebatch_move *moves;

    int16_t *values;           /* or: */
    uint64_t *mask;            /* with */
    const int16_t *thresholds; /* one a move, or NULL: */
    int16_t threshold;         /* one for all */
};

/* The last position whose moves begin at or before number k of moves; n_positions if k is where the batch ends. For a k
 * within the batch it is the position that k belongs to. */
static size_t position_of(const struct batch_work *batch, size_t k)
{
    size_t low = 0, high = batch->n_positions; /* offsets[low] <= k, and offsets past high are above it */
    while (low < high) {
        const size_t middle = high - (high - low) / 2;
        if (batch->offsets[middle] <= k)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static void evaluate_mask(const struct batch_work *batch, size_t first, size_t n, const size_t *offsets, uint64_t *mask)
{
    const seebatch_position *positions = batch->positions + first;
    if (batch->thresholds)
        seebatch_batch_ge_mask_each(batch->rules, positions, n, offsets, batch->moves, batch->thresholds, mask);
    else
        seebatch_batch_ge_mask(batch->rules, positions, n, offsets, batch->moves, batch->threshold, mask);
}

/* Puts n bits behind the first `at` bits of a mask; at is not a multiple of 64, and the bits from there to the end of
 * its word are 0. Whole words are written, like those of the library's other masks. */
static void append_bits(uint64_t *mask, size_t at, const uint64_t *bits, size_t n)
{
    const size_t shift = at % 64, last = (at + n - 1) / 64;
    for (size_t from = 0, to = at / 64; to <= last; from++, to++) {
        if (from < SEEBATCH_MASK_WORDS(n))
            mask[to] |= bits[from] << shift;
        if (to < last)
            mask[to + 1] = bits[from] >> (64 - shift);
    }
}

/* The requests offsets[0] .. offsets[n] of the positions from `first` on; at most a part. */
static void evaluate_piece(const struct batch_work *batch, size_t first, size_t n, const size_t *offsets)
{
    const size_t at = offsets[0] - batch->offsets[0], count = offsets[n] - offsets[0];
    if (batch->values) {
        seebatch_batch_values(batch->rules, batch->positions + first, n, offsets, batch->moves, batch->values + at);
    } else if (at % 64 == 0) {
        evaluate_mask(batch, first, n, offsets, batch->mask + at / 64);
    } else {
        uint64_t bits[SEEBATCH_MASK_WORDS(MOST_REQUESTS)];
        evaluate_mask(batch, first, n, offsets, bits);
        append_bits(batch->mask, at, bits, count);
    }
}

/* A part: the requests begin .. end, counted from the batch's first. */
static void evaluate_requests(const void *work, size_t begin, size_t end)
{
    const struct batch_work *batch = (const struct batch_work *)work;
    const size_t *offsets = batch->offsets;
    const size_t last = offsets[0] + end;
    size_t k = offsets[0] + begin;
    for (size_t i = position_of(batch, k); k < last;) {
        if (offsets[i] == k && offsets[i + 1] <= last) { /* whole positions */
            const size_t after = position_of(batch, last);
            evaluate_piece(batch, i, after - i, offsets + i);
            k = offsets[after];
            i = after;
        } else { /* some moves of one position */
            const size_t own[2] = {k, offsets[i + 1] < last ? offsets[i + 1] : last};
            evaluate_piece(batch, i, 1, own);
            k = own[1];
            i++;
        }
    }
}

static seebatch_status run_batch(seebatch_job *job, const struct batch_work *batch)
{
    assert(job);
    const size_t n = batch->n_positions;
    const size_t total = n ? batch->offsets[n] - batch->offsets[0] : 0;
    size_t part = total / (threads_asked(job) * PARTS_A_THREAD) / 64 * 64;
    part = part < LEAST_REQUESTS ? (size_t)LEAST_REQUESTS : part;
    part = part > MOST_REQUESTS ? (size_t)MOST_REQUESTS : part;
    return run_job(job, total, part, evaluate_requests, batch);
}

seebatch_status seebatch_batch_values_threads(const seebatch_rules *rules, const seebatch_position *positions,
                                              size_t n_positions, const size_t *offsets, const seebatch_move *moves,
                                              int16_t *values, seebatch_job *job)
{
    const struct batch_work batch = {rules, positions, n_positions, offsets, moves, values, NULL, NULL, 0};
    return run_batch(job, &batch);
}

seebatch_status seebatch_batch_ge_mask_threads(const seebatch_rules *rules, const seebatch_position *positions,
                                               size_t n_positions, const size_t *offsets, const seebatch_move *moves,
                                               int16_t threshold, uint64_t *mask, seebatch_job *job)
{
    const struct batch_work batch = {rules, positions, n_positions, offsets, moves, NULL, mask, NULL, threshold};
    return run_batch(job, &batch);
}

seebatch_status seebatch_batch_ge_mask_each_threads(const seebatch_rules *rules, const seebatch_position *positions,
                                                    size_t n_positions, const size_t *offsets,
                                                    const seebatch_move *moves, const int16_t *thresholds,
                                                    uint64_t *mask, seebatch_job *job)
{
    const struct batch_work batch = {rules, positions, n_positions, offsets, moves, NULL, mask, thresholds, 0};
    return run_batch(job, &batch);
}

/* ---- Squares and maps ------------------------------------------------------------------------------------------- */

struct squares_work {
    const seebatch_rules *rules;
    const seebatch_position *positions;
    const uint8_t *squares, *colors;
    int16_t *values;
};

static void evaluate_squares(const void *work, size_t begin, size_t end)
{
    const struct squares_work *s = (const struct squares_work *)work;
    seebatch_batch_square_values(s->rules, s->positions + begin, end - begin, s->squares + begin, s->colors + begin,
                                 s->values + begin);
}

seebatch_status seebatch_batch_square_values_threads(const seebatch_rules *rules, const seebatch_position *positions,
                                                     size_t n_positions, const uint8_t *squares, const uint8_t *colors,
                                                     int16_t *values, seebatch_job *job)
{
    const struct squares_work work = {rules, positions, squares, colors, values};
    return run_job(job, n_positions, PART_SQUARES, evaluate_squares, &work);
}

struct maps_work {
    const seebatch_rules *rules;
    const seebatch_position *positions;
    int16_t (*maps)[2][64];
};

static void evaluate_maps(const void *work, size_t begin, size_t end)
{
    const struct maps_work *m = (const struct maps_work *)work;
    seebatch_batch_maps(m->rules, m->positions + begin, end - begin, m->maps + begin);
}

seebatch_status seebatch_batch_maps_threads(const seebatch_rules *rules, const seebatch_position *positions,
                                            size_t n_positions, int16_t (*maps)[2][64], seebatch_job *job)
{
    const struct maps_work work = {rules, positions, maps};
    return run_job(job, n_positions, PART_MAPS, evaluate_maps, &work);
}
