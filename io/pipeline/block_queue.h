/*
 * The queue of blocks between the threads of a pipeline. It has a fixed number of blocks, which are filled, worked on
 * and written in turn; the functions say which thread may have which block, and which waits for which. input.c and
 * worker.c are on the workers' side, run.c on the caller's.
 */
#ifndef SEEBATCH_IO_BLOCK_QUEUE_H
#define SEEBATCH_IO_BLOCK_QUEUE_H

#include <pthread.h>

#include "blocks/blocks.h"

/* Block number k of the input is blocks[k % n]. It is filled and worked on by a worker, and done with by the caller's
 * thread; released is the least number that is not, so filled - released <= n. */
struct block_queue {
    pthread_mutex_t lock;
    pthread_cond_t can_fill, can_write, can_go_on;
    struct block *blocks;
    size_t n;
    uint64_t filled, worked, released; /* how many */
    size_t handed_over;                /* how many wait to go on */
    size_t large;                      /* bytes of input in blocks of unusual length that are filled */
    bool waits;                        /* such a block waits for those before it */
    bool prompt;  /* what is done is to be written at once: more input may come late, or writing takes long */
    bool ended;   /* the last one is filled */
    bool stopped; /* nothing more is to be done */
};

/* False if there is no memory. */
bool seebatch_io_queue_open(struct block_queue *queue, size_t n);
void seebatch_io_queue_close(struct block_queue *queue);

/* Called by the worker that reads: waits for the next block to fill, which is empty except for its memory. Returns NULL
 * when stopped. */
struct block *seebatch_io_queue_to_fill(struct block_queue *queue);
/* prompt: as in the queue. A block of more than USUAL_BLOCK bytes of input, which a chunk of a binpack does not have, waits
 * until all such blocks that are filled have MOST_LARGE bytes together at most, or it is the only one. SECURITY.md has
 * the bound of memory that follows. */
enum { USUAL_BLOCK = 5 << 18, MOST_LARGE = 1 << 23 };
void seebatch_io_queue_filled(struct block_queue *queue, struct block *block, bool prompt);
/* Does the same: no more come. */
void seebatch_io_queue_end(struct block_queue *queue);

/* Called by a worker: it is done with its block. */
void seebatch_io_queue_worked(struct block_queue *queue, struct block *block);
/* Called by a worker: its block has output to be written before it goes on; waits for that. Returns false when
 * stopped. */
bool seebatch_io_queue_hand_over(struct block_queue *queue, struct block *block);

/* Called by the caller's thread: waits for the next block in order that was worked on or, *whole false, handed over.
 * Returns NULL at the end or, *tick true, every tenth of a second. */
struct block *seebatch_io_queue_to_write(struct block_queue *queue, bool *whole, bool *tick);
/* What was handed over is written: the worker goes on. */
void seebatch_io_queue_go_on(struct block_queue *queue, struct block *block);
void seebatch_io_queue_written(struct block_queue *queue);

/* Called by the caller's thread: ends all the others. */
void seebatch_io_queue_stop(struct block_queue *queue);
bool seebatch_io_queue_is_stopped(const struct block_queue *queue);

#endif
