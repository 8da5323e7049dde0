/*
 * The ring of blocks between the threads of a pipeline: who may have which, and who waits for whom.
 */
#ifndef SEEBATCH_TOOL_RING_H
#define SEEBATCH_TOOL_RING_H

#include <pthread.h>

#include "pipeline.h"

/* Block number k of the input is blocks[k % n]. It is filled by the reader, taken by a worker, and done with by the
 * main thread; released is the least number that is not, so filled - released <= n. */
struct ring {
    pthread_mutex_t lock;
    pthread_cond_t can_fill, can_take, can_write;
    struct block *blocks;
    size_t n;
    uint64_t filled, taken, released;
    bool ended;   /* the reader has filled the last one */
    bool stopped; /* nothing more is to be done */
};

void ring_open(struct ring *ring, size_t n);
void ring_close(struct ring *ring);

/* Each waits. The reader: the next block to fill, empty but for its memory; NULL when stopped. */
struct block *ring_to_fill(struct ring *ring);
void ring_filled(struct ring *ring);
/* The reader: no more come. */
void ring_end(struct ring *ring);

/* A worker: the next block to work on; NULL at the end. */
struct block *ring_to_work(struct ring *ring);
void ring_worked(struct ring *ring, struct block *block);

/* The main thread: the next block in order that was worked on, NULL at the end or, *tick true, every tenth of a second.
 */
struct block *ring_to_write(struct ring *ring, bool *tick);
void ring_written(struct ring *ring);

/* The main thread: all others come to an end. */
void ring_stop(struct ring *ring);

/* ---- The reader (reader.c) -------------------------------------------------------------------------------------- */

/* What the reader thread runs, and what it keeps. */
struct reader {
    struct pipeline *pipeline;
    struct ring *ring;
    struct bytes carry; /* the begin of a record whose rest comes in the next block */
    uint64_t start;     /* bytes of all files before this one, as decompressed */
    uint64_t consumed;  /* and as they lie */
};
void *reader_run(void *reader);

/* ---- Progress (progress.c) -------------------------------------------------------------------------------------- */

struct progress {
    const char *command;
    bool shown; /* standard error is a terminal, and --quiet was not given */
    bool visible;
    double started, printed;
    uint64_t size; /* bytes of all files, as they lie; 0: not known */
};

void progress_begin(struct progress *progress, const struct pipeline *pipeline);
void progress_tick(struct progress *progress, uint64_t records, uint64_t consumed);

/* Before anything else is said on standard error. */
void progress_clear(struct progress *progress);

/* What was done, in one line, unless the run is quiet. */
void progress_summary(struct progress *progress, const struct pipeline *pipeline, const struct totals *totals);

#endif
