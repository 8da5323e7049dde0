/*
 * seebatch_pipeline_new() and seebatch_pipeline_free(): a pipeline with its options, which are checked here before any
 * file is read. What one option may be is checked in options/options.c; what they mean together, for all files of the
 * run, is checked here. run.c runs the pipeline.
 */
#include <stdlib.h>
#include <string.h>

#include "blocks/part.h"
#include "files/disk_partitions.h"
#include "files/file_extension.h"
#include "formats/headings.h"
#include "formats/losses.h"
#include "options/options.h"
#include "run.h"

enum { MOST_THREADS = 1024, LIST_SIZE = 256 };

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
        if (!seebatch_io_check_input(source, error) || !has_what_is_needed(run, source, target, error) ||
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
    if (to == NULL && options->output != NULL && strcmp(options->output, "-") != 0 &&
        !seebatch_io_check_extension(options->output, options->paths[0], error))
        return false;
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
    if (run->part.of > 0 && !seebatch_io_part_divide(&run->part, run->sources, run->n_sources, error))
        return false;
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
    free(run->reporter.repeats.texts.data);
    free(run->sources);
    free(run);
}
