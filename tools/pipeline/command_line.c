/*
 * The options that filter, annotate, stats and convert share, and what is said about a run.
 */
#include "command_line.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "files/file_extension.h"
#include "interrupt.h"
#include "parts.h"

enum { MOST_THREADS = 1024, MOST_PARTS = 1000000, MOST_SCALE = 1000, MOST_SECONDS = 86400 };

/* ---- Options ----------------------------------------------------------------------------------------------------- */

void pipeline_begin(struct pipeline_run *run, const char *command)
{
    const unsigned processors = seebatch_processors();
    run->command = run->progress.command = command;
    run->verb = "written";
    run->progress.seconds = 60;
    run->options.threads = processors > MOST_THREADS ? MOST_THREADS : processors;
}

const char *read_output_name(const char *command, const char *option, const char *name)
{
    const char *unknown = seebatch_io_unknown_compression(name);
    if (unknown != NULL)
        usage_error(command, "%s: '%s' ends with %s, an unknown compression, expected .gz, .zst or none", option, name,
                    unknown);
    return name;
}

static void read_part(const char *command, const char *text, seebatch_pipeline_options *options)
{
    const char *slash = strchr(text, '/');
    long number = 0, of = 0;
    if (slash == NULL || !options_integer(slash + 1, text + strlen(text), 1, MOST_PARTS, &of) ||
        !options_integer(text, slash, 1, of, &number))
        usage_error(command, "--part: '%s' is not I/N with integers from 1 on, I at most N, N at most %d", text,
                    MOST_PARTS);
    options->part = (uint64_t)number;
    options->of = (uint64_t)of;
}

/* Several lists become one. */
static void add_lose(struct pipeline_run *run, const char *list)
{
    if (run->lose.used > 0)
        run->lose.data[run->lose.used - 1] = ',';
    bytes_add(&run->lose, list, strlen(list) + 1);
    if (run->lose.failed)
        no_memory();
    run->options.lose = run->lose.data;
}

/* What they say is the library's to check. */
static void add_column_name(struct pipeline_run *run, const char *text)
{
    if (run->options.n_column_names == MOST_COLUMN_NAMES)
        usage_error(run->command,
                    "--column: '%s' is one too many, expected at most one column for each of the %d fields", text,
                    MOST_COLUMN_NAMES);
    run->column_names[run->options.n_column_names++] = text;
    run->options.column_names = run->column_names;
}

bool pipeline_take(struct pipeline_run *run, int val, const char *argument)
{
    seebatch_pipeline_options *options = &run->options;
    const char *command = run->command;
    long number;
    switch (val) {
    case OPTION_TO: options->to = options_format_name(command, "--to", argument); return true;
    case OPTION_OUTPUT: options->output = read_output_name(command, "--output", argument); return true;
    case OPTION_PART: read_part(command, argument, options); return true;
    case OPTION_PARTS: parts_read(run, argument); return true;
    case OPTION_LOSE: add_lose(run, argument); return true;
    case OPTION_COLUMN: add_column_name(run, argument); return true;
    case OPTION_SCALE:
        if (!options_integer(argument, argument + strlen(argument), 1, MOST_SCALE, &number))
            usage_error(command, "--score-scale: '%s' is not an integer from 1 to %d", argument, MOST_SCALE);
        options->score_scale = (int)number;
        return true;
    case OPTION_SELECT: options->select = argument; return true;
    case OPTION_MODEL: options->win_rate_model = argument; return true;
    case OPTION_LEELA: options->leela_score = argument; return true;
    case OPTION_SALVAGE: options->salvage = true; return true;
    case OPTION_STRICT: options->strict = true; return true;
    case OPTION_QUIET: run->progress.quiet = true; return true;
    case OPTION_PROGRESS:
        if (!options_integer(argument, argument + strlen(argument), 0, MOST_SECONDS, &number))
            usage_error(command, "--progress: '%s' is not an integer from 0 to %d", argument, MOST_SECONDS);
        run->progress.seconds = (double)number;
        return true;
    case OPTION_THREADS:
        if (!options_integer(argument, argument + strlen(argument), 1, MOST_THREADS, &number))
            usage_error(command, "--threads: '%s' is not an integer from 1 to %d", argument, MOST_THREADS);
        options->threads = (unsigned)number;
        return true;
    default: return false;
    }
}

bool pipeline_has_target(const struct pipeline_run *run)
{
    seebatch_file_format format;
    return run->options.to != NULL ||
           (run->options.output != NULL && seebatch_format_of_file(run->options.output, &format));
}

/* ---- What the library calls -------------------------------------------------------------------------------------- */

static void print_error_report(void *user, const seebatch_error_report *error_report)
{
    struct pipeline_run *run = user;
    progress_clear(&run->progress);
    if (error_report->kind == SEEBATCH_ERROR_REPORT_RUN)
        report("%s", error_report->text);
    else
        fprintf(stderr, "%s\n", error_report->text);
}

void pipeline_begin_progress(struct pipeline_run *run)
{
    progress_begin(&run->progress, &run->options, run->file);
    run->begun = true;
}

static void take_progress(void *user, const seebatch_counts *counts)
{
    struct pipeline_run *run = user;
    const seebatch_counts here = {.read = run->here.read + counts->read,
                                  .consumed = run->here.consumed + counts->consumed};
    if (!run->begun)
        pipeline_begin_progress(run);
    progress_tick(&run->progress, &here);
}

static bool take_stop(void *user)
{
    struct pipeline_run *run = user;
    if (run->parts != NULL)
        parts_renew(run);
    return interrupt_signal() != 0;
}

/* ---- The run ----------------------------------------------------------------------------------------------------- */

void pipeline_prepare(struct pipeline_run *run, struct options *shared, bool output)
{
    seebatch_pipeline_options *options = &run->options;
    seebatch_io_error error;
    options_standard_input(shared);
    options->from = shared->from;
    options->paths = (const char *const *)shared->operands;
    options->n_paths = (size_t)shared->n_operands;
    if (output && options->output == NULL)
        options->output = "-";
    options->on_error_report = print_error_report;
    options->on_progress = take_progress;
    options->stop = take_stop;
    options->user = run;
    run->given = shared->given;
    if (run->n_parts > 0) {
        parts_check(run);
        options->part = 1;
        options->of = run->n_parts;
    }
    run->pipeline = seebatch_pipeline_new(options, &error);
    if (run->pipeline == NULL && error.status == SEEBATCH_IO_NO_MEMORY)
        no_memory();
    if (run->pipeline == NULL && error.status == SEEBATCH_IO_FAILED) {
        report("%s", error.text);
        exit(STATUS_ERROR);
    }
    if (run->pipeline == NULL) {
        const size_t option = run->n_parts > 0 && strncmp(error.text, "--part: ", 8) == 0 ? strlen("--part") : 0;
        usage_error(run->command, "%s%s", option > 0 ? "--parts" : "", error.text + option);
    }
}

/* Whether a file of that name is written that takes its place in the end, not a device or pipe. */
static bool is_file(const char *output)
{
    struct stat file;
    return output != NULL && strcmp(output, "-") != 0 && (stat(output, &file) != 0 || S_ISREG(file.st_mode));
}

/* Says how far it came, and ends the program by the signal that came. */
static void end_by_signal(struct pipeline_run *run)
{
    const int number = interrupt_signal();
    const char *name = number == SIGINT ? "SIGINT" : number == SIGTERM ? "SIGTERM" : "SIGHUP";
    const unsigned long long read = run->counts.read - run->progress.read_elsewhere;
    progress_clear(&run->progress);
    if (run->n_parts > 0)
        report("stopped by %s after %llu position%s; %u of %u parts %s complete, and the same command makes the others",
               name, read, plural(read), run->progress.parts_complete, run->n_parts,
               run->progress.parts_complete == 1 ? "is" : "are");
    else
        report("stopped by %s after %llu position%s%s", name, read, plural(read),
               run->file ? "; the output was removed" : "");
    interrupt_die(number);
}

/* Says that there is no file, and why, where reading and writing have not said that. */
static void tell_missing(struct pipeline_run *run, const seebatch_counts *counts)
{
    if (counts->removed)
        report("%s: was not written, because %s", run->options.output,
               counts->incomplete ? "not everything could be read and written"
               : counts->damaged && !run->options.salvage
                   ? "nobody knows how much is missing from the input; with --salvage it would hold what could be read"
                   : "no record is left to be written");
}

seebatch_io_status pipeline_run_once(struct pipeline_run *run, seebatch_counts *counts, uint64_t *notes)
{
    seebatch_io_error error = {.status = SEEBATCH_IO_OK};
    const seebatch_io_status status = seebatch_pipeline_run(run->pipeline, counts, &error);
    seebatch_pipeline_free(run->pipeline);
    run->pipeline = NULL;
    if (run->take_notes != NULL)
        run->take_notes(run, notes);
    if (error.system_error == EPIPE)
        interrupt_die(SIGPIPE);
    progress_clear(&run->progress);
    if (status == SEEBATCH_IO_NO_MEMORY)
        report("%s", error.text);
    if (run->n_parts > 0 && status != SEEBATCH_IO_STOPPED)
        tell_missing(run, counts);
    return status;
}

int pipeline_run(struct pipeline_run *run)
{
    const seebatch_pipeline_options *options = &run->options;
    const bool standard = options->output == NULL || strcmp(options->output, "-") == 0;
    const seebatch_counts *counts = &run->counts;
    inputs_check(run->command, (char *const *)options->paths, (int)options->n_paths, standard);
    interrupt_catch();
    run->file = run->n_parts > 0 || is_file(options->output);
    const seebatch_io_status status =
        run->n_parts > 0 ? parts_run(run) : pipeline_run_once(run, &run->counts, run->notes);
    free(run->lose.data);
    if (status == SEEBATCH_IO_STOPPED)
        end_by_signal(run);
    progress_clear(&run->progress);
    if (run->begun)
        progress_summary(&run->progress, run->verb, counts);
    if (run->n_parts > 0)
        parts_end(run);
    else
        tell_missing(run, counts);
    return status == SEEBATCH_IO_LOSSY || status == SEEBATCH_IO_USAGE                                ? STATUS_USAGE
           : status == SEEBATCH_IO_OK && counts->bad == 0 && !counts->damaged && !counts->incomplete ? STATUS_OK
                                                                                                     : STATUS_ERROR;
}
