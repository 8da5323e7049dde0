/*
 * What filter, annotate, stats and convert share: options, and a run of the library's pipeline, with what is said of it
 * on standard error.
 */
#ifndef SEEBATCH_TOOL_COMMAND_LINE_H
#define SEEBATCH_TOOL_COMMAND_LINE_H

#include "support/bytes.h"
#include "progress.h"
#include "tool.h"

/* The options of all of them, as groups of rows, of those that write positions, and of those that evaluate. */
#define PIPELINE_INPUT_OPTIONS                                                                                         \
    GROUP("Input"), SHARED("from"), SHARED("column"), SHARED("score-scale"), SHARED("win-rate-model"),                 \
        SHARED("leela-score"), SHARED("part"), SHARED("strict")
#define PIPELINE_OUTPUT_OPTIONS                                                                                        \
    GROUP("Output"), SHARED("output"), SHARED("parts"), SHARED("to"), SHARED("lose"), SHARED("salvage")
#define EVALUATION_OPTIONS GROUP("Evaluation"), SHARED("rules"), SHARED("values"), SHARED("kernel")
#define PIPELINE_RUN_OPTIONS GROUP("Run"), SHARED("threads"), SHARED("progress"), SHARED("quiet")

/* The fields that have columns: --column names each once. */
enum { MOST_COLUMN_NAMES = 5 };

/* The most numbers that a command notes of its run. */
enum { MOST_NOTES = 80 };

/* A command's run. The data of a command begin with it: they are what options.work gets as user. */
struct pipeline_run {
    seebatch_pipeline_options options;
    const char *command;
    const char *verb;  /* for the summary: "written", "counted"; NULL: nothing is written */
    struct bytes lose; /* all arguments of --lose */
    const char *column_names[MOST_COLUMN_NAMES];
    seebatch_pipeline *pipeline;
    struct progress progress;
    bool begun;             /* records are read */
    bool file;              /* the output is a file, which appears when it is complete */
    seebatch_counts counts; /* in the end */

    /* What the command counts in addition, such as why records are left out: n_notes numbers. take_notes adds what all
     * workers have noted, who then begin again. */
    size_t n_notes;
    uint64_t notes[MOST_NOTES]; /* in the end */
    void (*take_notes)(struct pipeline_run *run, uint64_t *notes);

    /* --parts (parts.c): */
    unsigned n_parts;         /* 0: the option was not given */
    const char *given;        /* the options, as in struct options */
    const char *output_parts; /* the name of the output with {part} */
    seebatch_counts here;     /* of the parts that this process has made */
    struct parts *parts;
};

/* The options when nothing is given: records are written, by a thread for each processor. */
void pipeline_begin(struct pipeline_run *run, const char *command);

/* Takes one of the shared options; false if val is none. */
bool pipeline_take(struct pipeline_run *run, int val, const char *argument);

/* The name of a file that is to be written, if its extension does not promise a compression that is not known; otherwise
 * ends the program. */
const char *read_output_name(const char *command, const char *option, const char *name);

/* Whether the options say what to write, without a look at the input. */
bool pipeline_has_target(const struct pipeline_run *run);

/* Makes the pipeline from the options and the names of files. Ends the program with status 2 if it cannot be carried
 * out. If `output` is set, records are written, to standard output if nothing else is said; otherwise they are counted
 * only. */
void pipeline_prepare(struct pipeline_run *run, struct options *shared, bool output);

/* Runs it, once. Returns the exit status. */
int pipeline_run(struct pipeline_run *run);

/* For parts.c: runs the pipeline to its end and frees it, and begins the progress. */
seebatch_io_status pipeline_run_once(struct pipeline_run *run, seebatch_counts *counts, uint64_t *notes);
void pipeline_begin_progress(struct pipeline_run *run);

#endif
