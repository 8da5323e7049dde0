/*
 * One lock for everything: a block takes a worker about a millisecond, so nobody waits for it long.
 *
 * The caller's thread takes a worker's processor when it is woken. So it is woken for half a ring of blocks, unless
 * someone waits for it.
 *
 * A block is as long as its longest record, and what is made of it takes several times as much. So that a few records of
 * millions of bytes do not take that much for each thread, blocks of unusual length are few at a time, and lose their
 * memory when they are done with.
 */
#include <stdlib.h>
#include <time.h>

#include "ring.h"

enum { FREE, FILLED, HANDED_OVER, WORKED };

static void wake_writer(struct ring *ring);

bool seebatch_io_ring_open(struct ring *ring, size_t n)
{
    memset(ring, 0, sizeof *ring);
    ring->blocks = calloc(n, sizeof *ring->blocks);
    if (ring->blocks == NULL)
        return false;
    pthread_mutex_init(&ring->lock, NULL);
    pthread_cond_init(&ring->can_fill, NULL);
    pthread_cond_init(&ring->can_write, NULL);
    pthread_cond_init(&ring->can_go_on, NULL);
    ring->n = n;
    return true;
}

void seebatch_io_ring_close(struct ring *ring)
{
    for (size_t i = 0; i < ring->n; i++)
        seebatch_io_block_free(&ring->blocks[i]);
    free(ring->blocks);
    pthread_cond_destroy(&ring->can_fill);
    pthread_cond_destroy(&ring->can_write);
    pthread_cond_destroy(&ring->can_go_on);
    pthread_mutex_destroy(&ring->lock);
}

struct block *seebatch_io_ring_to_fill(struct ring *ring)
{
    pthread_mutex_lock(&ring->lock);
    while (ring->filled - ring->released == ring->n && !ring->stopped)
        pthread_cond_wait(&ring->can_fill, &ring->lock);
    struct block *block = ring->stopped ? NULL : &ring->blocks[ring->filled % ring->n];
    pthread_mutex_unlock(&ring->lock);
    if (block != NULL)
        seebatch_io_block_empty(block);
    return block;
}

void seebatch_io_ring_filled(struct ring *ring, struct block *block, bool prompt)
{
    const size_t length = block->in.used;
    pthread_mutex_lock(&ring->lock);
    block->large = length > USUAL_BLOCK ? length : 0;
    while (block->large > 0 && ring->large > 0 && ring->large + block->large > MOST_LARGE && !ring->stopped) {
        ring->waits = true;
        wake_writer(ring);
        pthread_cond_wait(&ring->can_fill, &ring->lock);
    }
    ring->waits = false;
    ring->large += block->large;
    block->number = ring->filled++;
    block->state = FILLED;
    ring->prompt = prompt;
    pthread_mutex_unlock(&ring->lock);
}

void seebatch_io_ring_end(struct ring *ring)
{
    pthread_mutex_lock(&ring->lock);
    ring->ended = true;
    pthread_cond_signal(&ring->can_write);
    pthread_mutex_unlock(&ring->lock);
}

/* Wakes the caller's thread if there is enough for it. */
static void wake_writer(struct ring *ring)
{
    const int state = ring->blocks[ring->released % ring->n].state;
    const bool enough = ring->prompt || ring->waits || ring->ended || ring->handed_over > 0 ||
                        ring->worked - ring->released >= ring->n / 2;
    if (state == HANDED_OVER || (state == WORKED && enough))
        pthread_cond_signal(&ring->can_write);
}

void seebatch_io_ring_worked(struct ring *ring, struct block *block)
{
    pthread_mutex_lock(&ring->lock);
    block->state = WORKED;
    ring->worked++;
    wake_writer(ring);
    pthread_mutex_unlock(&ring->lock);
}

/* The blocks before it have workers, and so they come to their end; then it is its turn. */
bool seebatch_io_ring_hand_over(struct ring *ring, struct block *block)
{
    pthread_mutex_lock(&ring->lock);
    block->state = HANDED_OVER;
    ring->handed_over++;
    wake_writer(ring);
    while (block->state == HANDED_OVER && !ring->stopped)
        pthread_cond_wait(&ring->can_go_on, &ring->lock);
    const bool on = !ring->stopped;
    pthread_mutex_unlock(&ring->lock);
    return on;
}

void seebatch_io_ring_go_on(struct ring *ring, struct block *block)
{
    pthread_mutex_lock(&ring->lock);
    block->state = FILLED;
    ring->handed_over--;
    pthread_cond_broadcast(&ring->can_go_on);
    pthread_mutex_unlock(&ring->lock);
}

struct block *seebatch_io_ring_to_write(struct ring *ring, bool *whole, bool *tick)
{
    enum { TENTH = 100000000, SECOND = 1000000000 };
    struct timespec until;
    struct block *block = &ring->blocks[ring->released % ring->n];
    int error = 0;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += TENTH;
    until.tv_sec += until.tv_nsec / SECOND;
    until.tv_nsec %= SECOND;

    pthread_mutex_lock(&ring->lock);
    while (block->state != WORKED && block->state != HANDED_OVER && !(ring->ended && ring->released == ring->filled) &&
           error == 0)
        error = pthread_cond_timedwait(&ring->can_write, &ring->lock, &until);
    const bool worked = block->state == WORKED || block->state == HANDED_OVER;
    *whole = block->state == WORKED;
    *tick = !worked && !(ring->ended && ring->released == ring->filled);
    pthread_mutex_unlock(&ring->lock);
    return worked ? block : NULL;
}

void seebatch_io_ring_written(struct ring *ring)
{
    struct block *block = &ring->blocks[ring->released % ring->n];
    const size_t large = block->large;
    if (large > 0)
        seebatch_io_block_free(block);
    pthread_mutex_lock(&ring->lock);
    ring->large -= large;
    ring->released++;
    block->state = FREE;
    pthread_cond_signal(&ring->can_fill);
    pthread_mutex_unlock(&ring->lock);
}

void seebatch_io_ring_stop(struct ring *ring)
{
    pthread_mutex_lock(&ring->lock);
    __atomic_store_n(&ring->stopped, true, __ATOMIC_RELAXED);
    pthread_cond_broadcast(&ring->can_fill);
    pthread_cond_broadcast(&ring->can_go_on);
    pthread_mutex_unlock(&ring->lock);
}

bool seebatch_io_ring_is_stopped(const struct ring *ring) { return __atomic_load_n(&ring->stopped, __ATOMIC_RELAXED); }
