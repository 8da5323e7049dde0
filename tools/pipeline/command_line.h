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
#define PIPELINE_OUTPUT_OPTIONS GROUP("Output"), SHARED("output"), SHARED("to"), SHARED("lose"), SHARED("salvage")
#define EVALUATION_OPTIONS GROUP("Evaluation"), SHARED("rules"), SHARED("values"), SHARED("kernel")
#define PIPELINE_RUN_OPTIONS GROUP("Run"), SHARED("threads"), SHARED("progress"), SHARED("quiet")

/* The fields that have columns: --column names each once. */
enum { MOST_COLUMN_NAMES = 5 };

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
 * out. output: records are written, to standard output if nothing else is said; otherwise they are counted only. */
void pipeline_prepare(struct pipeline_run *run, struct options *shared, bool output);

/* Runs it, once. Returns the exit status. */
int pipeline_run(struct pipeline_run *run);

#endif
