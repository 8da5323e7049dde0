/*
 * One lock for everything: a block takes a worker about a millisecond, so nobody waits for it long.
 */
#include <stdlib.h>
#include <time.h>

#include "ring.h"

enum { FREE, FILLED, HANDED_OVER, WORKED };

bool ring_open(struct ring *ring, size_t n)
{
    memset(ring, 0, sizeof *ring);
    ring->blocks = calloc(n, sizeof *ring->blocks);
    if (ring->blocks == NULL)
        return false;
    pthread_mutex_init(&ring->lock, NULL);
    pthread_cond_init(&ring->can_fill, NULL);
    pthread_cond_init(&ring->can_take, NULL);
    pthread_cond_init(&ring->can_write, NULL);
    pthread_cond_init(&ring->can_go_on, NULL);
    ring->n = n;
    return true;
}

void ring_close(struct ring *ring)
{
    for (size_t i = 0; i < ring->n; i++)
        block_free(&ring->blocks[i]);
    free(ring->blocks);
    pthread_cond_destroy(&ring->can_fill);
    pthread_cond_destroy(&ring->can_take);
    pthread_cond_destroy(&ring->can_write);
    pthread_cond_destroy(&ring->can_go_on);
    pthread_mutex_destroy(&ring->lock);
}

struct block *ring_to_fill(struct ring *ring)
{
    pthread_mutex_lock(&ring->lock);
    while (ring->filled - ring->released == ring->n && !ring->stopped)
        pthread_cond_wait(&ring->can_fill, &ring->lock);
    struct block *block = ring->stopped ? NULL : &ring->blocks[ring->filled % ring->n];
    pthread_mutex_unlock(&ring->lock);
    if (block != NULL)
        block_empty(block);
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
    if (ring->taken < ring->filled && !ring->stopped) {
        block = &ring->blocks[ring->taken % ring->n];
        block->number = ring->taken++;
    }
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

/* The blocks before it are all taken, and so they come to their end; then it is its turn. */
bool ring_hand_over(struct ring *ring, struct block *block)
{
    pthread_mutex_lock(&ring->lock);
    block->state = HANDED_OVER;
    if (block == &ring->blocks[ring->released % ring->n])
        pthread_cond_signal(&ring->can_write);
    while (block->state == HANDED_OVER && !ring->stopped)
        pthread_cond_wait(&ring->can_go_on, &ring->lock);
    const bool on = !ring->stopped;
    pthread_mutex_unlock(&ring->lock);
    return on;
}

void ring_go_on(struct ring *ring, struct block *block)
{
    pthread_mutex_lock(&ring->lock);
    block->state = FILLED;
    pthread_cond_broadcast(&ring->can_go_on);
    pthread_mutex_unlock(&ring->lock);
}

struct block *ring_to_write(struct ring *ring, bool *whole, bool *tick)
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
    pthread_cond_broadcast(&ring->can_go_on);
    pthread_mutex_unlock(&ring->lock);
}

bool ring_is_stopped(struct ring *ring)
{
    pthread_mutex_lock(&ring->lock);
    const bool stopped = ring->stopped;
    pthread_mutex_unlock(&ring->lock);
    return stopped;
}
