/*
 * What filter, annotate, stats and convert share: options, and a run of the library's pipeline, with what is said of it
 * on standard error.
 */
#ifndef SEEBATCH_TOOL_COMMAND_LINE_H
#define SEEBATCH_TOOL_COMMAND_LINE_H

#include <getopt.h>

#include "bytes.h"
#include "progress.h"
#include "tool.h"

/* Values of getopt_long(), from OPTION_MORE on. Those of a command itself begin at PIPELINE_OWN. */
enum {
    PIPELINE_FROM = OPTION_MORE,
    PIPELINE_TO,
    PIPELINE_OUTPUT,
    PIPELINE_THREADS,
    PIPELINE_SALVAGE,
    PIPELINE_STRICT,
    PIPELINE_QUIET,
    PIPELINE_PROGRESS,
    PIPELINE_PART,
    PIPELINE_LOSE,
    PIPELINE_COLUMN,
    PIPELINE_SCALE,
    PIPELINE_OWN
};

/* Rows for a command's struct option. */
#define PIPELINE_INPUT_OPTIONS                                                                                         \
    {"from", required_argument, NULL, PIPELINE_FROM}, {"threads", required_argument, NULL, PIPELINE_THREADS},          \
        {"part", required_argument, NULL, PIPELINE_PART}, {"strict", no_argument, NULL, PIPELINE_STRICT},              \
        {"column", required_argument, NULL, PIPELINE_COLUMN},                                                          \
        {"score-scale", required_argument, NULL, PIPELINE_SCALE},                                                      \
        {"progress", required_argument, NULL, PIPELINE_PROGRESS},                                                      \
    {                                                                                                                  \
        "quiet", no_argument, NULL, PIPELINE_QUIET                                                                     \
    }
#define PIPELINE_OUTPUT_OPTIONS                                                                                        \
    {"to", required_argument, NULL, PIPELINE_TO}, {"output", required_argument, NULL, PIPELINE_OUTPUT},                \
        {"salvage", no_argument, NULL, PIPELINE_SALVAGE},                                                              \
    {                                                                                                                  \
        "lose", required_argument, NULL, PIPELINE_LOSE                                                                 \
    }

/* And for their help. */
#define PIPELINE_INPUT_HELP                                                                                            \
    "  --from FORMAT         what the files hold, whatever their names end with\n"                                     \
    "  --column FIELD=NAME   in tables and JSON lines, the column NAME is the fen, move, score, result or ply\n"       \
    "  --score-scale N       multiply scores of tables, JSON lines and scored by N: 100 for pawns\n"                   \
    "  -j, --threads N       how many threads work (as many as there are processors)\n"                                \
    "  --part I/N            only the I-th of N parts of the input, by bytes\n"                                        \
    "  --strict              stop at the first bad record instead of passing over it\n"                                \
    "  --progress S          where standard error is no terminal, a line of progress every S seconds (60)\n"           \
    "  --quiet               neither progress nor summary on standard error\n"
#define PIPELINE_LOSE_HELP                                                                                             \
    "  --lose LIST           what may be lost because the output has no place for it; anything else ends the run.\n"   \
    "                        Separated by commas: move, score, result, ply; columns, moves (behind the first),\n"      \
    "                        operations, lines, unused-bits, or other for these five; side, castling, en-passant,\n"   \
    "                        clock, number; all\n"
#define PIPELINE_OUTPUT_HELP                                                                                           \
    "  -o, --output FILE     write to FILE, which appears when it is complete; .gz and .zst are compressed\n"          \
    "  --salvage             let FILE appear although damaged input was passed over; the status is 1 all the same\n"   \
    "  --to FORMAT           the format of the output (what --output ends with, or that of the first "                 \
    "file)\n" PIPELINE_LOSE_HELP

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

/* The name of a file that is to be written, if its ending does not promise a compression that is not known; otherwise
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
