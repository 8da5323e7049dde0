/*
 * What a run says of itself on standard error (progress.c).
 */
#ifndef SEEBATCH_TOOL_PROGRESS_H
#define SEEBATCH_TOOL_PROGRESS_H

#include "seebatch_io.h"

struct progress {
    const char *command;
    bool quiet;
    double seconds; /* --progress: between lines of a log */
    bool shown;     /* there is progress on standard error, */
    bool terminal;  /* which is a terminal: one line that changes, otherwise a line now and then */
    bool visible;
    double started, printed;
    uint64_t size;                  /* bytes of all files, as they lie; 0: not known */
    unsigned parts, parts_complete; /* --parts; 0: not given */
    double share;                   /* with --parts: of the input, for the parts that are to be made */
    uint64_t read_elsewhere;        /* positions among those counted in the end that another run has read */
};

/* file: the output is a file. */
void progress_begin(struct progress *progress, const seebatch_pipeline_options *options, bool file);
void progress_tick(struct progress *progress, const seebatch_counts *counts);

/* Before anything else is said on standard error. */
void progress_clear(struct progress *progress);

/* What was done, in one line, unless the run is quiet. verb: "written", "kept"; NULL: nothing is written. */
void progress_summary(struct progress *progress, const char *verb, const seebatch_counts *counts);

#endif
