/*
 * seebatch convert: files of positions from one format into another, through the pipeline.
 *
 * Records are written as by filter without conditions; only a format to convert to must be given.
 */
#include <sys/stat.h>

#include "pipeline/command_line.h"

static const struct option_row option_rows[] = {
    GROUP("Output"),
    SHARED("output"),
    SHARED("parts"),
    {"to", "FORMAT", OPTION_TO, 0, "the format of the output", "The format to write.",
     "what the name of --output says"},
    SHARED("lose"),
    SHARED("columns"),
    SHARED("salvage"),
    PIPELINE_INPUT_OPTIONS,
    PIPELINE_RUN_OPTIONS,
    {0},
};

static void take_option(const char *command, int val, const char *argument, void *state)
{
    (void)command;
    pipeline_take(state, val, argument);
}

/* convert IN OUT: the second file is written. It must not be there, because it may have been meant to be read. */
static void take_output(struct pipeline_run *run, struct options *options)
{
    const char *name = options->operands[1];
    struct stat file;
    if (file_exists(name, &file))
        usage_error(run->command, "%s: it exists already, expected --output %s to overwrite it", name, name);
    run->options.output = read_output_name(run->command, "OUT", name);
    options->n_operands = 1;
}

static int run_command(int argc, char **argv)
{
    struct options options;
    static struct pipeline_run run;
    pipeline_begin(&run, argv[0]);
    options_parse(&convert_command, argc, argv, take_option, &run, &options);
    if (options.n_operands == 2 && run.options.to == NULL && run.options.output == NULL)
        take_output(&run, &options);
    pipeline_prepare(&run, &options, true);
    if (!pipeline_has_target(&run))
        usage_error(argv[0],
                    "no format to convert to was given, expected --to FORMAT, or --output FILE with an extension "
                    "that says it");
    return pipeline_run(&run);
}

const struct command convert_command = {
    .name = "convert",
    .summary = "write positions in another format",
    .about = "Writes the positions of files in another format.",
    .operands = {"--output FILE [FILE ...]", "--to FORMAT [FILE ...]", "IN OUT"},
    .examples = {{"Turn training data into a table, and a table into training data:",
                  "seebatch convert games.binpack games.csv\nseebatch convert games.csv again.binpack"},
                 {"Write only positions as FEN, compressed; what FEN has no place for may be lost:",
                  "seebatch convert --lose score,result,ply games.binpack games.fen.zst"},
                 {"Turn a line of text into a record of 32 bytes, and back:",
                  "echo '1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 31 | 120 | 1.0' |\n    seebatch convert --from "
                  "scored --to marlinformat |\n    seebatch convert --from marlinformat --to scored"}},
    .details =
        "The extensions of names say the formats, or --from and --to. Nothing is lost silently: if the output has "
        "no place for something, --lose has to name it. With IN and OUT, OUT must not exist yet. Without FILE, "
        "or for -, standard input is read.",
    .options = option_rows,
    .status = "0 if all is well; 1 if something could not be read or written; 2 if the command line is wrong or "
              "something would be lost.",
    .run = run_command,
};
