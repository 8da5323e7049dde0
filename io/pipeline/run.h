/*
 * The pipeline: any number of files of positions, read, worked on and written by several threads at once, in memory
 * that does not grow with the input.
 *
 *   Worker threads read the files, one of them at a time (input.c): the files are opened one after another,
 *   decompressed (stream.c), and cut into blocks of some hundred kilobytes that end where a record ends (blocks.c). Of
 *   a plain file only the ends of its blocks are looked for one after another (cut.c), and the blocks are read at the same time.
 *   Then the workers work on these blocks at the same time. The format of the file (formats/) reads the records of a block,
 *   some hundred at a time, as positions with what else the record says; the caller's function works on such a batch,
 *   and what it writes goes into the block.
 *   The caller's thread (run.c) takes the blocks in the order in which they were read, tells what was wrong in them
 *   (error_reports.c), and writes their output (output.c).
 *
 * Where positions that come again are left out, all this happens twice (two_passes.c).
 *
 * The blocks go round in a queue of fixed size (block_queue.c). The caller's thread tells and writes everything, in the order
 * of the input, so that it does not depend on the number of threads.
 */
#ifndef SEEBATCH_IO_RUN_H
#define SEEBATCH_IO_RUN_H

#include "blocks/error_reports.h"
#include "block_queue.h"
#include "files/output.h"

struct worker;
struct unique;
struct shuffle;

/* The files, as far as they are read. */
struct input {
    struct seebatch_pipeline *run;
    pthread_mutex_t lock; /* of the worker that reads */
    struct blocks blocks; /* of the file that is read, if one is open */
    bool open, first;     /* first: none of its blocks is filled */
    size_t next;          /* the file after it */
    uint64_t start;       /* bytes of all files before it, as decompressed */
    uint64_t consumed;    /* and as they lie */
    pthread_mutex_t loads_lock;
    pthread_cond_t loaded;
    size_t loads; /* how many blocks of the open file are still to be read, by the workers that have them */
};
void seebatch_io_input_begin(struct input *input, struct seebatch_pipeline *run);
void seebatch_io_input_end(struct input *input);

/* Called by a worker: takes the next block of the input, filled. Returns NULL at the end, or when stopped. */
struct block *seebatch_io_input_next(struct input *input);

struct seebatch_pipeline {
    seebatch_pipeline_options options;
    struct source *sources; /* one for each path */
    size_t n_sources;
    struct part part;
    struct target target;
    unsigned wanted; /* fields of records that are looked for */

    struct output *output;   /* NULL: nothing is written */
    struct unique *unique;   /* NULL: positions may come again */
    bool first_pass;         /* the first of two passes: what is to be written is only noted */
    struct shuffle *shuffle; /* NULL: the output is in the order of the input */
    struct input input;
    struct block_queue queue;
    struct reporter reporter;
    pthread_t *threads;     /* the workers' */
    struct worker *workers; /* one a thread */
    size_t n_threads;
    int wake[2]; /* a pipe that ends the waiting for input, by being closed */

    seebatch_counts counts;
    bool failed;                 /* a file could not be read to its end */
    bool refused;                /* something would have been lost */
    bool no_memory;              /* somewhere, for something */
    seebatch_io_error broken;    /* why the output could not be written or a thread not be started */
    seebatch_io_status returned; /* by the caller's function */
    const struct source *ended;  /* of which nothing more is taken, because it cannot be read on */
    bool header_written;         /* the header was written */
};

/* What a worker runs. */
void *seebatch_io_worker_run(void *worker);

/* n workers in memory of their own; NULL if there is none. */
struct worker *seebatch_io_workers_make(struct seebatch_pipeline *run, size_t n);
struct worker *seebatch_io_worker_at(struct worker *workers, size_t index);
void seebatch_io_workers_free(struct worker *workers, size_t n);

/* ---- Files together (compatibility.c) -------------------------------------------------------------------------------------- */

/* Looks at the beginning of every regular file, and at what becomes of all of them together: the columns of the output
 * are those of all files. False, and each told, if a file does not fit; *refused if that is because something would
 * be lost, or because the files do not go into one table. A pipe is looked at when its turn comes. */
bool seebatch_io_check_compatibility(struct seebatch_pipeline *run, bool *refused);

/* Checks a file by its first bytes; false, and *why, if it does not fit. It is the first file, or the first one is
 * checked. */
bool seebatch_io_check_file(struct seebatch_pipeline *run, struct source *source, const struct bytes *head,
                            struct bytes *why, bool *refused);

/* How many games or chains began in a batch's block since this was asked before. */
uint32_t seebatch_io_batch_games(seebatch_batch_of_file *batch);

/* The tenth of its file in which a record begins, from 0 to 9; -1 where the length of the file is not known. A record in
 * a compressed file is where its block begins. */
int seebatch_io_batch_tenth(const seebatch_batch_of_file *batch, size_t i);

#endif
