/*
 * The options that filter, annotate and stats share, and the check of the files that they name.
 */
#ifndef SEEBATCH_TOOL_COMMAND_LINE_H
#define SEEBATCH_TOOL_COMMAND_LINE_H

#include <getopt.h>

#include "pipeline.h"
#include "sink.h"

/* Values of getopt_long(), from OPTION_MORE on. Those of a command itself begin at PIPELINE_OWN. */
enum {
    PIPELINE_FROM = OPTION_MORE,
    PIPELINE_TO,
    PIPELINE_OUTPUT,
    PIPELINE_THREADS,
    PIPELINE_SALVAGE,
    PIPELINE_STRICT,
    PIPELINE_QUIET,
    PIPELINE_PART,
    PIPELINE_LOSE,
    PIPELINE_OWN
};

/* Rows for a command's struct option. */
#define PIPELINE_INPUT_OPTIONS                                                                                         \
    {"from", required_argument, NULL, PIPELINE_FROM}, {"threads", required_argument, NULL, PIPELINE_THREADS},          \
        {"part", required_argument, NULL, PIPELINE_PART}, {"strict", no_argument, NULL, PIPELINE_STRICT},              \
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
    "  --threads N           how many threads work (as many as there are processors)\n"                                \
    "  --part I/N            only the I-th of N parts of the input, by bytes; joined in order, the outputs of all\n"   \
    "                        parts are that of the whole\n"                                                            \
    "  --strict              stop at the first bad record instead of passing over it\n"                                \
    "  --quiet               neither progress nor summary on standard error\n"
#define PIPELINE_LOSE_HELP                                                                                             \
    "  --lose LIST           what may be lost because the output has no place for it; anything else ends the run.\n"   \
    "                        Separated by commas: move, score, result, ply, columns (that are not known), moves\n"     \
    "                        (behind the first), operations (of EPD), lines (of plain that are not known),\n"          \
    "                        unused-bits; other (these five); side (the board is turned to the side to move),\n"       \
    "                        castling, en-passant, clock, number (of the move); all\n"
#define PIPELINE_OUTPUT_HELP                                                                                           \
    "  --output FILE         write to FILE, which appears when it is complete; .gz and .zst are compressed\n"          \
    "  --salvage             let FILE appear although damaged input was passed over; the status is 1 all the same\n"   \
    "  --to FORMAT           the format of the output (what --output ends with, or that of the first "                 \
    "file)\n" PIPELINE_LOSE_HELP

struct pipeline_options {
    const struct file_format *from, *to; /* NULL: not given */
    const char *output;
    int threads;
    struct part part;
    unsigned lose; /* FIELD_... that may be lost */
    bool strict, quiet, salvage;
};

/* One processor that there is, one thread; nothing else given. */
void pipeline_options_begin(struct pipeline_options *options);

/* Takes one of the shared options; false if val is none. */
bool pipeline_options_take(const char *command, int val, const char *argument, struct pipeline_options *options);

/* The name of a file that is to be written, if its ending does not promise a compression that is not known; otherwise
 * ends the program. */
const char *read_output_name(const char *command, const char *option, const char *name);

/* Fills the pipeline from the options and the names of files: formats by their endings. Ends the program with status 2
 * where a file's format is not known or has not what the command requires. Does not open the output. */
void pipeline_prepare(struct pipeline *pipeline, const char *command, const struct pipeline_options *options,
                      struct options *shared);

/* Opens the output, and runs the pipeline; returns the exit status. */
int pipeline_write(struct pipeline *pipeline, const struct pipeline_options *options);

#endif
