/*
 * One lock for everything: a block takes a worker about a millisecond, so nobody waits for it long.
 */
#include <stdlib.h>
#include <time.h>

#include "ring.h"

enum { FREE, FILLED, WORKED };

void ring_open(struct ring *ring, size_t n)
{
    memset(ring, 0, sizeof *ring);
    pthread_mutex_init(&ring->lock, NULL);
    pthread_cond_init(&ring->can_fill, NULL);
    pthread_cond_init(&ring->can_take, NULL);
    pthread_cond_init(&ring->can_write, NULL);
    ring->n = n;
    ring->blocks = reallocate(NULL, n, sizeof *ring->blocks);
    memset(ring->blocks, 0, n * sizeof *ring->blocks);
}

void ring_close(struct ring *ring)
{
    for (size_t i = 0; i < ring->n; i++) {
        struct block *block = &ring->blocks[i];
        free(block->in.data);
        free(block->out.data);
        free(block->complaints.data);
        free(block->failure.data);
        free(block->scratch.data);
        free(block->row.data);
        free(block->text.data);
    }
    free(ring->blocks);
    pthread_cond_destroy(&ring->can_fill);
    pthread_cond_destroy(&ring->can_take);
    pthread_cond_destroy(&ring->can_write);
    pthread_mutex_destroy(&ring->lock);
}

/* A block as new, with the memory that it has. */
static void empty(struct block *block)
{
    const struct block old = *block;
    memset(block, 0, sizeof *block);
    block->in = (struct bytes){old.in.data, 0, old.in.capacity};
    block->out = (struct bytes){old.out.data, 0, old.out.capacity};
    block->complaints = (struct bytes){old.complaints.data, 0, old.complaints.capacity};
    block->failure = (struct bytes){old.failure.data, 0, old.failure.capacity};
    block->scratch = (struct bytes){old.scratch.data, 0, old.scratch.capacity};
    block->row = (struct bytes){old.row.data, 0, old.row.capacity};
    block->text = (struct bytes){old.text.data, 0, old.text.capacity};
}

struct block *ring_to_fill(struct ring *ring)
{
    pthread_mutex_lock(&ring->lock);
    while (ring->filled - ring->released == ring->n && !ring->stopped)
        pthread_cond_wait(&ring->can_fill, &ring->lock);
    struct block *block = ring->stopped ? NULL : &ring->blocks[ring->filled % ring->n];
    pthread_mutex_unlock(&ring->lock);
    if (block != NULL)
        empty(block);
    return block;
}

void ring_filled(struct ring *ring)
{
    pthread_mutex_lock(&ring->lock);
    ring->blocks[ring->filled++ % ring->n].state = FILLED;
    pthread_cond_signal(&ring->can_take);
    pthread_mutex_unlock(&ring->lock);
}

void ring_end(struct ring *ring)
{
    pthread_mutex_lock(&ring->lock);
    ring->ended = true;
    pthread_cond_broadcast(&ring->can_take);
    pthread_cond_signal(&ring->can_write);
    pthread_mutex_unlock(&ring->lock);
}

struct block *ring_to_work(struct ring *ring)
{
    pthread_mutex_lock(&ring->lock);
    while (ring->taken == ring->filled && !ring->ended && !ring->stopped)
        pthread_cond_wait(&ring->can_take, &ring->lock);
    struct block *block = NULL;
    if (ring->taken < ring->filled && !ring->stopped)
        block = &ring->blocks[ring->taken++ % ring->n];
    pthread_mutex_unlock(&ring->lock);
    return block;
}

void ring_worked(struct ring *ring, struct block *block)
{
    pthread_mutex_lock(&ring->lock);
    block->state = WORKED;
    if (block == &ring->blocks[ring->released % ring->n])
        pthread_cond_signal(&ring->can_write);
    pthread_mutex_unlock(&ring->lock);
}

struct block *ring_to_write(struct ring *ring, bool *tick)
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
    while (block->state != WORKED && !(ring->ended && ring->released == ring->filled) && error == 0)
        error = pthread_cond_timedwait(&ring->can_write, &ring->lock, &until);
    const bool worked = block->state == WORKED;
    *tick = !worked && !(ring->ended && ring->released == ring->filled);
    pthread_mutex_unlock(&ring->lock);
    return worked ? block : NULL;
}

void ring_written(struct ring *ring)
{
    pthread_mutex_lock(&ring->lock);
    ring->blocks[ring->released++ % ring->n].state = FREE;
    pthread_cond_signal(&ring->can_fill);
    pthread_mutex_unlock(&ring->lock);
}

void ring_stop(struct ring *ring)
{
    pthread_mutex_lock(&ring->lock);
    ring->stopped = true;
    pthread_cond_broadcast(&ring->can_fill);
    pthread_cond_broadcast(&ring->can_take);
    pthread_mutex_unlock(&ring->lock);
}
