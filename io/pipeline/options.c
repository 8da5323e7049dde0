/*
 * What a pipeline is to do: its options, checked before any file is read.
 */
#include <stdlib.h>
#include <sys/stat.h>

#include "files/file_extension.h"
#include "formats/headings.h"
#include "formats/fixed/lc0.h"
#include "formats/losses.h"
#include "formats/score_model.h"
#include "blocks/part.h"
#include "options.h"
#include "files/disk_partitions.h"

enum { MOST_THREADS = 1024, LIST_SIZE = 256 };

/* ---- Formats ----------------------------------------------------------------------------------------------------- */

bool seebatch_io_format_option(const char *name, const char *option, const struct file_format **format,
                               seebatch_io_error *error)
{
    char list[LIST_SIZE];
    *format = name != NULL ? seebatch_io_format_named(name) : NULL;
    if (name == NULL || *format != NULL)
        return true;
    seebatch_io_format_list(list, sizeof list, NULL);
    return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "%s: there is no format '%s', expected one of %s", option,
                            name, list);
}

bool seebatch_io_check_input(const char *name, const struct file_format *format, seebatch_io_error *error)
{
    struct stat file;
    char list[LIST_SIZE];
    const char *unknown = seebatch_io_unknown_compression(name);
    if (unknown != NULL)
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                                "%s: files that end with %s cannot be decompressed, expected .gz, .zst or none", name,
                                unknown);
    if (format == NULL && seebatch_io_has_binary_extension(name))
        return seebatch_io_fail(
            error, SEEBATCH_IO_USAGE, 0,
            "%s: files with this extension are marlinformat, bulletformat, viriformat and others, expected "
            "--from with the format of this file",
            name);
    if (format != NULL && format->read == NULL)
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                                "%s: this build does not read %s, expected one with simdjson (SEEBATCH_JSON=ON)", name,
                                format->name);
    if (format != NULL)
        return true;
    if (stat(name, &file) == 0 && S_ISDIR(file.st_mode))
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "%s: it is a directory, expected a file", name);
    seebatch_io_format_list(list, sizeof list, NULL);
    return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                            "%s: its name does not say its format, expected --from with one of %s", name, list);
}

bool seebatch_io_check_division(const char *name, const struct file_format *format, seebatch_io_error *error)
{
    struct stat file;
    size_t length;
    if (strcmp(name, "-") == 0 || (stat(name, &file) == 0 && !S_ISREG(file.st_mode)))
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                                "--part: %s cannot be divided, expected files, of which every part can be read", name);
    if (seebatch_io_compression_of_file(name, &length) != NOT_COMPRESSED)
        return seebatch_io_fail(
            error, SEEBATCH_IO_USAGE, 0,
            "--part: %s is compressed and has no parts that can be read alone, expected it decompressed "
            "(or several files, one for each job)",
            name);
    if (format->record_size == 0 && format->boundary == NULL && format->unit == NULL)
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "--part: %s: files of the format %s cannot be divided",
                                name, format->name);
    return true;
}

bool seebatch_io_part_option(uint64_t number, uint64_t of, struct part *part, seebatch_io_error *error)
{
    *part = (struct part){number, of};
    if ((number == 0 && of == 0) || (number >= 1 && number <= of && of <= MOST_PARTS))
        return true;
    return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                            "there is no part %llu of %llu, expected 1 to N of N, N at most %d",
                            (unsigned long long)number, (unsigned long long)of, MOST_PARTS);
}

static bool leela_score_option(const char *name, unsigned *score_at, seebatch_io_error *error)
{
    *score_at = strcmp(name, "best") == 0     ? LC0_BEST_Q
                : strcmp(name, "root") == 0   ? LC0_ROOT_Q
                : strcmp(name, "played") == 0 ? LC0_PLAYED_Q
                                              : 0;
    return *score_at > 0 ||
           seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                            "--leela-score: there is no '%s', expected one of best, root, played", name);
}

bool seebatch_io_column_options(const char *const *names, size_t n, int scale, const char *model, const char *leela,
                                struct columns *columns, seebatch_io_error *error)
{
    seebatch_error wrong;
    columns->scale = scale;
    if (scale < 0 || scale > MOST_SCALE)
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "--score-scale: %d is not an integer from 1 to %d", scale,
                                MOST_SCALE);
    for (size_t i = 0; i < n; i++)
        if (!seebatch_io_columns_name(columns, names[i], &wrong))
            return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "--column: %s", wrong.text);
    if (leela != NULL && !leela_score_option(leela, &columns->score_at, error))
        return false;
    columns->model = model != NULL ? seebatch_io_score_model_named(model) : NULL;
    if (model == NULL || columns->model != NULL)
        return true;
    char list[LIST_SIZE];
    seebatch_io_score_models(list, sizeof list);
    return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "--win-rate-model: there is no model '%s', expected one of %s",
                            model, list);
}

bool seebatch_io_lose_option(const char *list, unsigned *lose, seebatch_io_error *error)
{
    seebatch_error wrong;
    *lose = 0;
    return list == NULL || seebatch_io_losses_named(list, lose, &wrong) ||
           seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "--lose: %s", wrong.text);
}

bool seebatch_io_check_output(const char *name, seebatch_io_error *error)
{
    const char *unknown = seebatch_io_unknown_compression(name);
    return unknown == NULL || seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                                               "--output: '%s' ends with %s, an unknown compression, expected .gz, "
                                               ".zst or none",
                                               name, unknown);
}

/* ---- Files of a run ---------------------------------------------------------------------------------------------- */

static bool has_what_is_needed(const struct seebatch_pipeline *run, const struct source *source,
                               const struct file_format *target, seebatch_io_error *error)
{
    const struct file_format *format = source->format;
    const unsigned fields = format->fields | (format->implies_ply ? FIELD_PLY : 0u);
    char list[LIST_SIZE];
    seebatch_io_field_list(run->options.required & ~fields, "or", list, sizeof list);
    if (list[0] != '\0')
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "%s: the format %s has no %s, which a condition needs",
                                source->name, format->name, list);
    seebatch_io_field_list(target != NULL ? target->needed & ~fields : 0, "or", list, sizeof list);
    if (list[0] != '\0')
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "%s: the format %s has no %s, which %s needs",
                                source->name, format->name, list, target->name);
    return true;
}

/* Whether nothing would be lost of every record of a file. The header of a table is not known yet. */
static bool loses_nothing(const struct target *target, const struct source *source, seebatch_io_error *error)
{
    const unsigned lost =
        source->format->read_header == NULL ? seebatch_io_losses_of_format(source->format, target) : 0;
    char text[LOSS_TEXT];
    if (lost == 0)
        return true;
    seebatch_io_loss_text(lost, target, text, sizeof text);
    return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "%s: %s", source->name, text);
}

/* Whether what is said of columns and scores is about any file. */
static bool has_named(const struct seebatch_pipeline *run, const struct columns *columns, seebatch_io_error *error)
{
    bool table = !columns->named, scored = columns->scale == 0, games = columns->model == NULL, leela = false;
    char names[FORMAT_LIST];
    for (size_t i = 0; i < run->n_sources; i++) {
        table |= seebatch_io_format_has_columns(run->sources[i].format);
        scored |= seebatch_io_format_has_text_scores(run->sources[i].format);
        games |= run->sources[i].format == &FORMAT(pgn);
        leela |= run->sources[i].format == &FORMAT(lc0);
    }
    seebatch_io_format_list(names, sizeof names,
                            table ? seebatch_io_format_has_text_scores : seebatch_io_format_has_columns);
    if (!table)
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                                "--column: no input file has columns, expected one of the formats %s", names);
    if (!scored)
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                                "--score-scale: no input file has scores as text, expected one of the formats %s",
                                names);
    if (columns->score_at > 0 && !leela)
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                                "--leela-score: no input file is of the format lc0, expected one");
    return games || seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                                     "--win-rate-model: no input file has scores in the pawns of a model, expected "
                                     "one of the format pgn");
}

bool seebatch_io_check_added_columns(const struct target *target, seebatch_io_error *error)
{
    char names[FORMAT_LIST];
    seebatch_io_format_list(names, sizeof names, seebatch_io_format_has_columns);
    return target->n_added == 0 || seebatch_io_format_has_columns(target->format) ||
           seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "the format %s has no place for columns, expected one of %s",
                            target->format->name, names);
}

/* target NULL: none was named, and it is that of the first file. */
static bool check_sources(struct seebatch_pipeline *run, const struct file_format *from,
                          const struct file_format *target, seebatch_io_error *error)
{
    const seebatch_pipeline_options *options = &run->options;
    struct columns columns = {{NULL}, false, 0, NULL, 0};
    if (!seebatch_io_column_options(options->column_names, options->n_column_names, options->score_scale,
                                    options->win_rate_model, options->leela_score, &columns, error))
        return false;
    for (size_t i = 0; i < run->n_sources; i++) {
        struct source *source = &run->sources[i];
        source->columns = columns;
        source->name = run->options.paths[i];
        source->target = &run->target;
        source->format = from != NULL                     ? from
                         : strcmp(source->name, "-") == 0 ? &FORMAT(fen)
                                                          : seebatch_io_format_of_file(source->name);
        if (!seebatch_io_check_input(source->name, source->format, error) ||
            !has_what_is_needed(run, source, target, error) ||
            (run->part.of > 0 && !seebatch_io_check_division(source->name, source->format, error)))
            return false;
    }
    return has_named(run, &columns, error);
}

/* --lose allows a loss, and makes none: a table has a column for what it names here. */
static bool refuse_selection(const struct target *target, seebatch_io_error *error)
{
    const unsigned named = target->lose & (FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_PLY);
    if (!target->format->any_columns || named == 0 || target->lose == ALL_FIELDS)
        return true;
    return seebatch_io_fail(
        error, SEEBATCH_IO_USAGE, 0,
        "--lose %s: nothing of it would be lost, because %s has a column for it, expected --columns "
        "with those that are to be written",
        seebatch_io_field_name(named & (0 - named)), target->format->name);
}

/* --columns: what is not among them is not lost by accident. */
static bool check_selection(struct target *target, const char *list, seebatch_io_error *error)
{
    seebatch_error wrong;
    char names[FORMAT_LIST];
    seebatch_io_format_list(names, sizeof names, seebatch_io_format_has_columns);
    if (list == NULL)
        return refuse_selection(target, error);
    if (!seebatch_io_columns_select(target, list, &wrong))
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "--columns: %s", wrong.text);
    target->lose |= FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_PLY | FIELDS_OTHER;
    return target->format->any_columns ||
           seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "--columns: the format %s has no columns, expected one of %s",
                            target->format->name, names);
}

static bool check_target(struct seebatch_pipeline *run, seebatch_io_error *error)
{
    const struct target *target = &run->target;
    if (!seebatch_io_check_added_columns(target, error))
        return false;
    if (run->options.output == NULL)
        return true;
    if (run->options.scores && !(target->format->fields & FIELD_SCORE))
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                                "the format %s has no place for a score, expected a format that has one",
                                target->format->name);
    if (target->format->write == NULL)
        return seebatch_io_fail(
            error, SEEBATCH_IO_USAGE, 0,
            "the format %s can be read, but not written; expected another one from --to or --output",
            target->format->name);
    for (size_t i = 0; i < run->n_sources; i++)
        if (!loses_nothing(target, &run->sources[i], error))
            return false;
    return true;
}

static bool check_options(struct seebatch_pipeline *run, seebatch_io_error *error)
{
    const seebatch_pipeline_options *options = &run->options;
    struct target *target = &run->target;
    const struct file_format *from, *to;
    if (options->memory > 0 && options->memory < LEAST_MEMORY)
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "--memory: %llu bytes are too few, expected 1 MiB or more",
                                (unsigned long long)options->memory);
    if (!seebatch_io_part_option(options->part, options->of, &run->part, error) ||
        !seebatch_io_format_option(options->from, "--from", &from, error) ||
        !seebatch_io_format_option(options->to, "--to", &to, error) ||
        !seebatch_io_lose_option(options->lose, &target->lose, error) ||
        (options->output != NULL && !seebatch_io_check_output(options->output, error)))
        return false;
    if (to == NULL && options->output != NULL)
        to = seebatch_io_format_of_file(options->output);
    target->added = options->columns;
    target->n_added = options->n_columns;
    if (!check_sources(run, from, to, error))
        return false;
    target->format = to != NULL ? to : run->sources[0].format;
    if (!check_selection(target, options->select, error))
        return false;
    run->wanted = options->wanted | options->required | target->format->needed;
    for (int i = 0; i < target->n_selected; i++)
        run->wanted |= target->selected[i];
    for (size_t i = 0; i < run->n_sources; i++)
        run->sources[i].wanted = run->wanted;
    if (run->part.of > 0)
        seebatch_io_part_divide(&run->part, run->sources, run->n_sources);
    return check_target(run, error);
}

/* ---- Pipelines --------------------------------------------------------------------------------------------------- */

seebatch_pipeline *seebatch_pipeline_new(const seebatch_pipeline_options *options, seebatch_io_error *error)
{
    if (options->n_paths == 0) {
        seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "no file was given to read");
        return NULL;
    }
    struct seebatch_pipeline *run = calloc(1, sizeof *run);
    if (run != NULL)
        run->sources = calloc(options->n_paths, sizeof *run->sources);
    if (run == NULL || run->sources == NULL) {
        seebatch_io_no_memory(error);
        free(run);
        return NULL;
    }
    run->options = *options;
    run->n_sources = options->n_paths;
    run->n_threads = options->threads > 0 ? options->threads : seebatch_processors();
    run->n_threads = run->n_threads < MOST_THREADS ? run->n_threads : MOST_THREADS;
    run->reporter.on_report = options->on_error_report;
    run->reporter.user = options->user;
    run->reporter.strict = options->strict;
    if (check_options(run, error))
        return run;
    seebatch_pipeline_free(run);
    return NULL;
}

void seebatch_pipeline_free(seebatch_pipeline *run)
{
    if (run == NULL)
        return;
    for (size_t i = 0; i < run->n_sources; i++) {
        free(run->sources[i].header.data);
        seebatch_io_headings_free(&run->sources[i].headings);
    }
    seebatch_io_headings_free(&run->target.headings);
    free(run->reporter.text.data);
    free(run->sources);
    free(run);
}
