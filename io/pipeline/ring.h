/*
 * The ring of blocks between the threads of a pipeline: who may have which, and who waits for whom.
 */
#ifndef SEEBATCH_IO_RING_H
#define SEEBATCH_IO_RING_H

#include <pthread.h>

#include "blocks/blocks.h"

/* Block number k of the input is blocks[k % n]. It is filled and worked on by a worker, and done with by the caller's
 * thread; released is the least number that is not, so filled - released <= n. */
struct ring {
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
bool seebatch_io_ring_open(struct ring *ring, size_t n);
void seebatch_io_ring_close(struct ring *ring);

/* The worker that reads: waits for the next block to fill, empty but for its memory; NULL when stopped. */
struct block *seebatch_io_ring_to_fill(struct ring *ring);
/* prompt: as in the ring. A block of more than USUAL_BLOCK bytes of input, which a chunk of a binpack does not have, waits
 * until all such blocks that are filled have MOST_LARGE bytes together at most, or it is the only one. SECURITY.md has
 * the bound of memory that follows. */
enum { USUAL_BLOCK = 5 << 18, MOST_LARGE = 1 << 23 };
void seebatch_io_ring_filled(struct ring *ring, struct block *block, bool prompt);
/* The same: no more come. */
void seebatch_io_ring_end(struct ring *ring);

/* A worker: it is done with its block. */
void seebatch_io_ring_worked(struct ring *ring, struct block *block);
/* A worker: its block has output to be written before it goes on; waits for that. False when stopped. */
bool seebatch_io_ring_hand_over(struct ring *ring, struct block *block);

/* The caller's thread: waits for the next block in order that was worked on or, *whole false, handed over; NULL at the
 * end or, *tick true, every tenth of a second. */
struct block *seebatch_io_ring_to_write(struct ring *ring, bool *whole, bool *tick);
/* What was handed over is written: the worker goes on. */
void seebatch_io_ring_go_on(struct ring *ring, struct block *block);
void seebatch_io_ring_written(struct ring *ring);

/* The caller's thread: all others come to an end. */
void seebatch_io_ring_stop(struct ring *ring);
bool seebatch_io_ring_is_stopped(const struct ring *ring);

#endif
