/*
 * The pipeline that `filter`, `annotate`, `stats` and `convert` share: any number of files of positions, read, worked
 * on and written by several threads at once, in memory that does not grow with the input.
 *
 *   The reader thread (reader.c) opens the files one after another, decompresses them (io/stream.c), and cuts what they
 *   hold into blocks of some hundred kilobytes that end where a record ends.
 *   Worker threads take the blocks. The format of the file (io/formats/) reads the records of a block, some hundred at
 * a time, as positions with what else the record says; the command works on such a batch, calls the library once for
 *   all of it, and puts its output into the block.
 *   The main thread (run.c) takes the blocks in the order in which they were read, reports what was wrong in them, and
 *   writes their output (sink.c).
 *
 * The blocks go round in a ring of fixed size (ring.c). The main thread prints and writes everything, in the order of
 * the input, so that it does not depend on the number of threads.
 */
#ifndef SEEBATCH_TOOL_PIPELINE_H
#define SEEBATCH_TOOL_PIPELINE_H

#include "formats/format.h"
#include "tool.h"

/* ---- Running (run.c) -------------------------------------------------------------------------------------------- */

struct sink;

/* What a command makes of its input. */
struct pipeline {
    const char *command;
    char **names; /* of files */
    int n_names;
    struct source *sources;         /* one for each name; made by pipeline_run() */
    const struct file_format *from; /* --from, or NULL: by the ending, FEN for standard input */
    unsigned wanted;                /* FIELD_... that the command asks for */
    unsigned required;              /* those that every file must be able to have, because a condition is about them */
    int threads;
    bool strict, quiet, salvage;
    struct part part;
    const char *verb; /* for the summary: "written", "kept"; NULL: nothing is written */

    struct sink *sink;    /* NULL: nothing is written but what the command prints at the end */
    struct target target; /* format NULL: that of the first file */

    /* Works on a batch; several threads at once, each with a state of its own. Returns false where it complained and
     * the run is strict. */
    bool (*work)(void *context, void *state, struct block *block, struct batch *batch);
    void *context;
    void **states; /* one a thread, or NULL */
};

struct totals {
    uint64_t read, written, bad, lost_bytes, lost_records;
    bool failed;     /* something was wrong: exit status 1 */
    bool damaged;    /* as of a block, or a file could not be read to its end: --output needs --salvage */
    bool incomplete; /* the run was stopped, or not all could be written: --output does not appear */
    bool refused;    /* something would have been lost: exit status 2 */
};

/* Runs it. Returns when all is read and written, or the run was stopped; ends the program by the signal when it was
 * interrupted. */
struct totals pipeline_run(struct pipeline *pipeline);

/* Whether a file that is written takes its place. */
bool output_appears(const struct pipeline *pipeline, const struct totals *totals);

#endif
