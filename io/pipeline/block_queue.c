/*
 * Implements the queue with one lock for everything: a block takes a worker about a millisecond, so nobody waits for
 * the lock long.
 *
 * The caller's thread takes a worker's processor when it is woken. So it is woken for half a queue of blocks, unless
 * someone waits for it.
 *
 * A block is as long as its longest record, and what is made of it takes several times as much. So that a few records of
 * millions of bytes do not take that much for each thread, blocks of unusual length are few at a time, and lose their
 * memory when they are done with.
 */
#include <stdlib.h>
#include <time.h>

#include "block_queue.h"

enum { FREE, FILLED, HANDED_OVER, WORKED };

static void wake_writer(struct block_queue *queue);

bool seebatch_io_queue_open(struct block_queue *queue, size_t n)
{
    memset(queue, 0, sizeof *queue);
    queue->blocks = calloc(n, sizeof *queue->blocks);
    if (queue->blocks == NULL)
        return false;
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->can_fill, NULL);
    pthread_cond_init(&queue->can_write, NULL);
    pthread_cond_init(&queue->can_go_on, NULL);
    queue->n = n;
    return true;
}

void seebatch_io_queue_close(struct block_queue *queue)
{
    for (size_t i = 0; i < queue->n; i++)
        seebatch_io_block_free(&queue->blocks[i]);
    free(queue->blocks);
    pthread_cond_destroy(&queue->can_fill);
    pthread_cond_destroy(&queue->can_write);
    pthread_cond_destroy(&queue->can_go_on);
    pthread_mutex_destroy(&queue->lock);
}

struct block *seebatch_io_queue_to_fill(struct block_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    while (queue->filled - queue->released == queue->n && !queue->stopped)
        pthread_cond_wait(&queue->can_fill, &queue->lock);
    struct block *block = queue->stopped ? NULL : &queue->blocks[queue->filled % queue->n];
    pthread_mutex_unlock(&queue->lock);
    if (block != NULL)
        seebatch_io_block_empty(block);
    return block;
}

void seebatch_io_queue_filled(struct block_queue *queue, struct block *block, bool prompt)
{
    const size_t length = block->in.used;
    pthread_mutex_lock(&queue->lock);
    block->large = length > USUAL_BLOCK ? length : 0;
    while (block->large > 0 && queue->large > 0 && queue->large + block->large > MOST_LARGE && !queue->stopped) {
        queue->waits = true;
        wake_writer(queue);
        pthread_cond_wait(&queue->can_fill, &queue->lock);
    }
    queue->waits = false;
    queue->large += block->large;
    block->number = queue->filled++;
    block->state = FILLED;
    queue->prompt = prompt;
    pthread_mutex_unlock(&queue->lock);
}

void seebatch_io_queue_end(struct block_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->ended = true;
    pthread_cond_signal(&queue->can_write);
    pthread_mutex_unlock(&queue->lock);
}

/* Wakes the caller's thread if there is enough for it. */
static void wake_writer(struct block_queue *queue)
{
    const int state = queue->blocks[queue->released % queue->n].state;
    const bool enough = queue->prompt || queue->waits || queue->ended || queue->handed_over > 0 ||
                        queue->worked - queue->released >= queue->n / 2;
    if (state == HANDED_OVER || (state == WORKED && enough))
        pthread_cond_signal(&queue->can_write);
}

void seebatch_io_queue_worked(struct block_queue *queue, struct block *block)
{
    pthread_mutex_lock(&queue->lock);
    block->state = WORKED;
    queue->worked++;
    wake_writer(queue);
    pthread_mutex_unlock(&queue->lock);
}

/* The blocks before it have workers, and so they come to their end; then it is its turn. */
bool seebatch_io_queue_hand_over(struct block_queue *queue, struct block *block)
{
    pthread_mutex_lock(&queue->lock);
    block->state = HANDED_OVER;
    queue->handed_over++;
    wake_writer(queue);
    while (block->state == HANDED_OVER && !queue->stopped)
        pthread_cond_wait(&queue->can_go_on, &queue->lock);
    const bool on = !queue->stopped;
    pthread_mutex_unlock(&queue->lock);
    return on;
}

void seebatch_io_queue_go_on(struct block_queue *queue, struct block *block)
{
    pthread_mutex_lock(&queue->lock);
    block->state = FILLED;
    queue->handed_over--;
    pthread_cond_broadcast(&queue->can_go_on);
    pthread_mutex_unlock(&queue->lock);
}

struct block *seebatch_io_queue_to_write(struct block_queue *queue, bool *whole, bool *tick)
{
    enum { TENTH = 100000000, SECOND = 1000000000 };
    struct timespec until;
    struct block *block = &queue->blocks[queue->released % queue->n];
    int error = 0;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += TENTH;
    until.tv_sec += until.tv_nsec / SECOND;
    until.tv_nsec %= SECOND;

    pthread_mutex_lock(&queue->lock);
    while (block->state != WORKED && block->state != HANDED_OVER &&
           !(queue->ended && queue->released == queue->filled) && error == 0)
        error = pthread_cond_timedwait(&queue->can_write, &queue->lock, &until);
    const bool worked = block->state == WORKED || block->state == HANDED_OVER;
    *whole = block->state == WORKED;
    *tick = !worked && !(queue->ended && queue->released == queue->filled);
    pthread_mutex_unlock(&queue->lock);
    return worked ? block : NULL;
}

void seebatch_io_queue_written(struct block_queue *queue)
{
    struct block *block = &queue->blocks[queue->released % queue->n];
    const size_t large = block->large;
    if (large > 0)
        seebatch_io_block_free(block);
    pthread_mutex_lock(&queue->lock);
    queue->large -= large;
    queue->released++;
    block->state = FREE;
    pthread_cond_signal(&queue->can_fill);
    pthread_mutex_unlock(&queue->lock);
}

void seebatch_io_queue_stop(struct block_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    __atomic_store_n(&queue->stopped, true, __ATOMIC_RELAXED);
    pthread_cond_broadcast(&queue->can_fill);
    pthread_cond_broadcast(&queue->can_go_on);
    pthread_mutex_unlock(&queue->lock);
}

bool seebatch_io_queue_is_stopped(const struct block_queue *queue)
{
    return __atomic_load_n(&queue->stopped, __ATOMIC_RELAXED);
}
