/*
 * Writes the legal moves of many positions as compressed rows: all moves one after another, and where those of each
 * position begin.
 *
 * The number of moves is known only once they have been generated. A single thread writes them one after another. More
 * threads give each part of the positions a share of the memory. If every part fits into its share, the gaps are closed
 * afterwards. Otherwise the moves are generated once more, in their final places.
 */
#include "api/bulk.h"

#include <assert.h>
#include <string.h>

struct lists_work {
    const seebatch_position *positions;
    size_t n;
    bool captures_only;
    size_t *offsets;
    seebatch_move *moves;
    size_t capacity;
    bool *crowded; /* whether a part has more moves than its share has room for; only set, by the atomic builtins */
};

static size_t list_moves(const struct lists_work *work, size_t i, seebatch_move *moves)
{
    return work->captures_only ? seebatch_legal_captures(&work->positions[i], moves)
                               : seebatch_legal_moves(&work->positions[i], moves);
}

/* Writes the moves of position i if there is room for so many, and returns how many there are. Otherwise it writes
 * none. */
static size_t generate_within(const struct lists_work *work, size_t i, seebatch_move *moves, size_t room)
{
    seebatch_move own[SEEBATCH_MAX_MOVES];
    if (room >= SEEBATCH_MAX_MOVES)
        return list_moves(work, i, moves);
    const size_t n = list_moves(work, i, own);
    if (n && n <= room)
        memcpy(moves, own, n * sizeof *own);
    return n;
}

/* Finds where the share of the positions from number i on begins. */
static size_t share_of(const struct lists_work *work, size_t i)
{
    return work->capacity / work->n * i + work->capacity % work->n * i / work->n;
}

/* Writes the moves of a part into its share, and their numbers at offsets + 1. */
static void fill_share(const void *argument, size_t begin, size_t end)
{
    const struct lists_work *work = (const struct lists_work *)argument;
    size_t at = share_of(work, begin);
    const size_t stop = share_of(work, end);
    for (size_t i = begin; i < end; i++) {
        const size_t n = generate_within(work, i, work->moves + at, stop - at);
        work->offsets[i + 1] = n;
        at += n;
        if (at > stop) {
            __atomic_store_n(work->crowded, true, __ATOMIC_RELAXED);
            at = stop;
        }
    }
}

/* Writes the moves of a part to where the offsets say. */
static void fill_rows(const void *argument, size_t begin, size_t end)
{
    const struct lists_work *work = (const struct lists_work *)argument;
    for (size_t i = begin; i < end; i++) {
        const size_t room = work->offsets[i + 1] - work->offsets[i];
        const size_t n = generate_within(work, i, work->moves + work->offsets[i], room);
        assert(n == room), (void)n;
    }
}

/* Closes the gaps between the parts; no move goes to a higher place. */
static void close_gaps(const struct lists_work *work)
{
    for (size_t i = 0; i < work->n; i += SEE_PART_LISTS) {
        const size_t end = work->n - i < SEE_PART_LISTS ? work->n : i + SEE_PART_LISTS;
        const size_t n = work->offsets[end] - work->offsets[i], from = share_of(work, i);
        assert(work->offsets[i] <= from);
        if (n)
            memmove(work->moves + work->offsets[i], work->moves + from, n * sizeof *work->moves);
    }
}

static seebatch_status fill_by_one(const struct lists_work *work)
{
    size_t at = 0;
    work->offsets[0] = 0;
    for (size_t i = 0; i < work->n; i++) {
        const size_t room = at < work->capacity ? work->capacity - at : 0;
        at += generate_within(work, i, room ? work->moves + at : NULL, room);
        work->offsets[i + 1] = at;
    }
    return at <= work->capacity ? SEEBATCH_OK : SEEBATCH_NO_ROOM;
}

static seebatch_status fill_by_many(const struct lists_work *work, seebatch_job *job)
{
    const seebatch_status status = seebatch_run_job(job, work->n, SEE_PART_LISTS, fill_share, work);
    if (status != SEEBATCH_OK) { /* the moves of the parts that are done are in their places, the others have none */
        for (size_t i = job->done; i < work->n; i++)
            work->offsets[i + 1] = 0;
    }
    see_sum_offsets(work->offsets, work->n);
    if (work->offsets[work->n] > work->capacity)
        return SEEBATCH_NO_ROOM;
    if (*work->crowded)
        see_run_quietly(job, status == SEEBATCH_OK ? work->n : job->done, SEE_PART_LISTS, fill_rows, work);
    else if (work->n)
        close_gaps(work);
    return status;
}

static seebatch_status fill(const seebatch_position *positions, size_t n, bool captures_only, size_t *offsets,
                            seebatch_move *moves, size_t capacity, seebatch_job *job)
{
    bool crowded = false;
    const struct lists_work work = {positions, n, captures_only, offsets, moves, capacity, &crowded};
    return job ? fill_by_many(&work, job) : fill_by_one(&work);
}

seebatch_status seebatch_batch_legal_moves(const seebatch_position *positions, size_t n_positions, size_t *offsets,
                                           seebatch_move *moves, size_t capacity, seebatch_job *job)
{
    return fill(positions, n_positions, false, offsets, moves, capacity, job);
}

seebatch_status seebatch_batch_legal_captures(const seebatch_position *positions, size_t n_positions, size_t *offsets,
                                              seebatch_move *moves, size_t capacity, seebatch_job *job)
{
    return fill(positions, n_positions, true, offsets, moves, capacity, job);
}
