/*
 * The command-line tool, run within a fuzz target: each run in a child process, so that it may end as it likes, with
 * what the child has covered brought back to libFuzzer.
 */
#ifndef SEEBATCH_FUZZ_TOOL_RUN_H
#define SEEBATCH_FUZZ_TOOL_RUN_H

#include "fuzz.h"

struct tool_result {
    int status;        /* exit status */
    char *out, *error; /* what was written on standard output and standard error; to be freed */
    size_t n_out, n_error;
};

/* Runs the tool in a folder of its own, with nothing in it but what tool_file() wrote since the last run. A crash, a
 * report of a sanitizer and a run of more than some seconds end the program, after what the tool said on standard
 * error.
 *
 * arguments  n of them, the first being the command.
 * part       0, or: files are read in parts of so many bytes, each of which becomes a block of the pipeline.
 */
void tool_run(char *const arguments[], int n, const void *input, size_t n_input, size_t part,
              struct tool_result *result);

void tool_result_free(struct tool_result *result);

/* Writes a file into the folder of the runs. */
void tool_file(const char *name, const void *bytes, size_t n);

#endif
