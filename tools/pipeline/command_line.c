/*
 * The options that filter, annotate and stats share.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "endings.h"
#include "formats/losses.h"
#include "command_line.h"

enum { MOST_THREADS = 1024, MOST_PARTS = 1000000 };

void pipeline_options_begin(struct pipeline_options *options)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    memset(options, 0, sizeof *options);
    options->threads = processors < 1 ? 1 : processors > MOST_THREADS ? MOST_THREADS : (int)processors;
}

static const struct file_format *read_format_name(const char *command, const char *option, const char *name)
{
    const struct file_format *format = format_named(name);
    char list[128];
    format_list(list, sizeof list);
    if (format == NULL)
        usage_error(command, "%s: there is no format '%s', expected one of %s", option, name, list);
    return format;
}

const char *read_output_name(const char *command, const char *option, const char *name)
{
    const char *unknown = unknown_compression(name);
    if (unknown != NULL)
        usage_error(command, "%s: '%s' ends with %s, a compression that is not known, expected .gz, .zst or none",
                    option, name, unknown);
    return name;
}

static void read_part(const char *command, const char *text, struct part *part)
{
    const char *slash = strchr(text, '/');
    long number = 0, of = 0;
    if (slash == NULL || !options_integer(slash + 1, text + strlen(text), 1, MOST_PARTS, &of) ||
        !options_integer(text, slash, 1, of, &number))
        usage_error(command, "--part: '%s' is not I/N with integers from 1 on, I at most N, N at most %d", text,
                    MOST_PARTS);
    *part = (struct part){(uint64_t)number, (uint64_t)of};
}

bool pipeline_options_take(const char *command, int val, const char *argument, struct pipeline_options *options)
{
    seebatch_error error;
    long number;
    switch (val) {
    case PIPELINE_FROM: options->from = read_format_name(command, "--from", argument); return true;
    case PIPELINE_TO: options->to = read_format_name(command, "--to", argument); return true;
    case PIPELINE_OUTPUT: options->output = read_output_name(command, "--output", argument); return true;
    case PIPELINE_PART: read_part(command, argument, &options->part); return true;
    case PIPELINE_LOSE:
        if (!losses_named(argument, &options->lose, &error))
            usage_error(command, "--lose: %s", error.text);
        return true;
    case PIPELINE_SALVAGE: options->salvage = true; return true;
    case PIPELINE_STRICT: options->strict = true; return true;
    case PIPELINE_QUIET: options->quiet = true; return true;
    case PIPELINE_THREADS:
        if (!options_integer(argument, argument + strlen(argument), 1, MOST_THREADS, &number))
            usage_error(command, "--threads: '%s' is not an integer from 1 to %d", argument, MOST_THREADS);
        options->threads = (int)number;
        return true;
    default: return false;
    }
}

/* NULL: its name does not say it. */
static const struct file_format *format_of_input(const struct pipeline *pipeline, const char *name)
{
    return pipeline->from != NULL ? pipeline->from : strcmp(name, "-") == 0 ? &fen_format : format_of_file(name);
}

/* Ends the program if something would be lost of every record of a file. The header of a table is not known yet. */
static void check_loss(const struct pipeline *pipeline, const char *name, const struct target *target)
{
    const struct file_format *format = format_of_input(pipeline, name);
    const unsigned lost = format->read_header == NULL ? losses_of_format(format, target) : 0;
    char text[LOSS_TEXT];
    if (lost == 0)
        return;
    loss_text(lost, target, text, sizeof text);
    usage_error(pipeline->command, "%s: %s", name, text);
}

/* Whether a name has an ending that several formats use. */
static bool says_only_binary(const char *name)
{
    size_t length;
    compression_of_file(name, &length);
    return ends_with(name, length, ".bin") || ends_with(name, length, ".data");
}

/* Ends the program if the format of a file is not known or cannot have what conditions and the output need. */
static void check_file(const struct pipeline *pipeline, const char *name)
{
    const struct file_format *format = format_of_input(pipeline, name);
    char list[128];
    const char *unknown = unknown_compression(name);
    if (unknown != NULL)
        usage_error(pipeline->command, "%s: files that end with %s cannot be decompressed, expected .gz, .zst or none",
                    name, unknown);
    if (format == NULL && says_only_binary(name))
        usage_error(pipeline->command,
                    "%s: files with this ending are marlinformat, bulletformat, viriformat and others, expected --from "
                    "with the one that it is",
                    name);
    if (format == NULL) {
        format_list(list, sizeof list);
        usage_error(pipeline->command, "%s: its name does not say its format, expected --from with one of %s", name,
                    list);
    }
    const unsigned fields = format->fields | (format->implies_ply ? FIELD_PLY : 0u);
    field_list(pipeline->required & ~fields, list, sizeof list);
    if (list[0] != '\0')
        usage_error(pipeline->command, "%s: the format %s has no %s, which a condition needs", name, format->name,
                    list);
    const struct file_format *target = pipeline->target.format;
    field_list(target != NULL ? target->needed & ~fields : 0, list, sizeof list);
    if (list[0] != '\0')
        usage_error(pipeline->command, "%s: the format %s has no %s, which %s needs", name, format->name, list,
                    target->name);
}

/* Ends the program if a file cannot be divided. */
static void check_divisible(const char *command, const char *name, const struct file_format *format)
{
    struct stat file;
    size_t length;
    if (strcmp(name, "-") == 0 || (stat(name, &file) == 0 && !S_ISREG(file.st_mode)))
        usage_error(command, "--part: %s cannot be divided, expected files, of which any part can be read", name);
    if (compression_of_file(name, &length) != NOT_COMPRESSED)
        usage_error(command,
                    "--part: %s is compressed and has no parts that can be read alone, expected it decompressed "
                    "(or several files, each of them one job's)",
                    name);
    if (format->record_size == 0 && format->boundary == NULL && format->unit == NULL)
        usage_error(command, "--part: %s: files of the format %s cannot be divided", name, format->name);
}

void pipeline_prepare(struct pipeline *pipeline, const char *command, const struct pipeline_options *options,
                      struct options *shared)
{
    options_standard_input(shared);
    pipeline->command = command;
    pipeline->names = shared->operands;
    pipeline->n_names = shared->n_operands;
    pipeline->from = options->from;
    pipeline->threads = options->threads;
    pipeline->strict = options->strict;
    pipeline->quiet = options->quiet;
    pipeline->salvage = options->salvage;
    pipeline->wanted |= pipeline->required;
    pipeline->target.format = options->to;
    pipeline->target.lose = options->lose;
    if (options->to == NULL && options->output != NULL)
        pipeline->target.format = format_of_file(options->output);
    pipeline->part = options->part;
    for (int i = 0; i < pipeline->n_names; i++) {
        check_file(pipeline, pipeline->names[i]);
        if (pipeline->part.of > 0)
            check_divisible(command, pipeline->names[i], format_of_input(pipeline, pipeline->names[i]));
    }
    const struct file_format *target =
        pipeline->target.format != NULL ? pipeline->target.format : format_of_input(pipeline, pipeline->names[0]);
    pipeline->wanted |= target->needed;
}

int pipeline_write(struct pipeline *pipeline, const struct pipeline_options *options)
{
    const struct file_format *format =
        pipeline->target.format != NULL ? pipeline->target.format : format_of_input(pipeline, pipeline->names[0]);
    if (format->write == NULL)
        usage_error(pipeline->command, "the format %s is read, not written, expected another one from --to or --output",
                    format->name);
    struct target target = pipeline->target;
    target.format = format;
    for (int i = 0; i < pipeline->n_names; i++)
        check_loss(pipeline, pipeline->names[i], &target);
    inputs_check(pipeline->command, pipeline->names, pipeline->n_names,
                 options->output == NULL || strcmp(options->output, "-") == 0);
    interrupt_catch();
    pipeline->sink = sink_open(options->output);
    if (pipeline->sink == NULL)
        return STATUS_ERROR;
    const bool file = sink_is_file(pipeline->sink);
    struct totals totals = pipeline_run(pipeline);
    const bool appears = output_appears(pipeline, &totals);
    if (file && !appears)
        report("%s: was not written, because not everything could be read and written%s", options->output,
               totals.incomplete ? "" : "; with --salvage it would hold what could be read");
    bool well = sink_close(pipeline->sink, appears);
    if (interrupt_signal() != 0)
        interrupt_die(interrupt_signal());
    return totals.refused ? STATUS_USAGE : well && !totals.failed ? STATUS_OK : STATUS_ERROR;
}
