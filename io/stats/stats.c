/*
 * Gathers statistics in an object: it joins what threads count, adds reports, and writes the form that is asked for.
 */
#include <stdlib.h>

#include "counters.h"
#include "files/file_extension.h"
#include "formats/format.h"
#include "pipeline/run.h"
#include "support/errors.h"

/* So many positions are counted in 32 bits: even with all the captures that one may have, no cell overflows. */
enum { MOST_SINCE = 1 << 22 };

static char *copy_of(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy != NULL)
        memcpy(copy, text, size);
    return copy;
}

/* ---- Making ------------------------------------------------------------------------------------------------------ */

static bool take_rules(seebatch_stats *stats, const seebatch_stats_options *options)
{
    for (size_t i = 0; i < options->n_rules; i++) {
        struct stats_rules *rules = &stats->rules[stats->n_rules++];
        char values[64];
        const int16_t *value = options->rules[i].rules.value;
        snprintf(values, sizeof values, "%d,%d,%d,%d,%d", value[0], value[1], value[2], value[3], value[4]);
        *rules = (struct stats_rules){copy_of(options->rules[i].name), copy_of(values), options->rules[i].rules};
        if (rules->name == NULL || rules->values == NULL)
            return false;
    }
    return true;
}

static bool make_workers(seebatch_stats *stats, size_t n)
{
    stats->workers = calloc(n, sizeof *stats->workers);
    stats->n_workers = stats->workers != NULL ? n : 0;
    for (size_t i = 0; i < stats->n_workers; i++) {
        stats->workers[i].tally = calloc(1, sizeof *stats->workers[i].tally);
        stats->workers[i].registers = calloc(1, SKETCH_SIZE);
        if (stats->workers[i].tally == NULL || stats->workers[i].registers == NULL)
            return false;
    }
    return stats->workers != NULL;
}

seebatch_stats *seebatch_stats_new(const seebatch_stats_options *options, seebatch_io_error *error)
{
    if (options->n_rules < 1 || options->n_rules > MOST_RULE_SETS) {
        seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "there are %zu rule sets for the played move, expected 1 to %d",
                         options->n_rules, MOST_RULE_SETS);
        return NULL;
    }
    if (options->bin < 0 || options->bin > N_VALUES) {
        seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "--bin: %ld is not an integer from 1 to %d", options->bin,
                         N_VALUES);
        return NULL;
    }
    seebatch_stats *stats = calloc(1, sizeof *stats);
    if (stats == NULL) {
        seebatch_io_no_memory(error);
        return NULL;
    }
    stats->bin = options->bin > 0 ? options->bin : 100;
    seebatch_io_stats_kinds(stats->kinds);
    stats->locked = pthread_mutex_init(&stats->lock, NULL) == 0;
    stats->totals = calloc(1, sizeof *stats->totals);
    stats->registers = calloc(1, SKETCH_SIZE);
    if (stats->locked && stats->totals != NULL && stats->registers != NULL && take_rules(stats, options) &&
        make_workers(stats, options->threads > 0 ? options->threads : seebatch_processors()))
        return stats;
    seebatch_stats_free(stats);
    seebatch_io_no_memory(error);
    return NULL;
}

void seebatch_stats_free(seebatch_stats *stats)
{
    if (stats == NULL)
        return;
    for (size_t i = 0; i < stats->n_workers; i++) {
        const struct stats_worker *worker = &stats->workers[i];
        free(worker->tally);
        free(worker->registers);
        free(worker->captures.moves);
        free(worker->values);
        free(worker->lengths);
        free(worker->sound);
    }
    for (size_t i = 0; i < stats->n_rules; i++) {
        free(stats->rules[i].name);
        free(stats->rules[i].values);
    }
    for (size_t i = 0; i < stats->n_files; i++)
        free(stats->files[i].name);
    if (stats->locked)
        pthread_mutex_destroy(&stats->lock);
    free(stats->workers);
    free(stats->files);
    free(stats->totals);
    free(stats->registers);
    free(stats->against);
    free(stats);
}

bool seebatch_io_stats_compare(seebatch_stats *stats, const char *against, const char *const *cause_names, size_t n)
{
    free(stats->against);
    stats->against = copy_of(against);
    stats->cause_names = cause_names;
    stats->n_causes = n;
    return stats->against != NULL;
}

/* ---- Counting ---------------------------------------------------------------------------------------------------- */

struct tally *seebatch_io_stats_tally(seebatch_stats *stats, unsigned worker) { return stats->workers[worker].tally; }

/* Returns the records of a batch from one on, up to another. */
static seebatch_records records_between(const seebatch_records *records, size_t first, size_t end)
{
    seebatch_records some = *records;
    some.n = some.capacity = end - first;
    some.positions += first;
    some.moves += first;
    some.scores += first;
    some.results += first;
    some.plies += first;
    some.has += first;
    return some;
}

/* Counts the records of each tenth of their file. A batch that lies in one of them, as nearly all do, stays whole. */
static seebatch_io_status count_by_place(seebatch_stats *stats, struct stats_worker *worker,
                                         const seebatch_batch_of_file *batch, const seebatch_records *records)
{
    seebatch_io_status status = SEEBATCH_IO_OK;
    for (size_t first = 0, end = records->n; first < records->n && status == SEEBATCH_IO_OK; first = end) {
        const int tenth = batch != NULL ? seebatch_io_batch_tenth(batch, first) : -1;
        end = records->n;
        while (batch != NULL && seebatch_io_batch_tenth(batch, end - 1) != tenth)
            end--;
        const seebatch_records some = records_between(records, first, end);
        status = seebatch_io_stats_count(stats, worker, &some, tenth);
    }
    return status;
}

seebatch_io_status seebatch_stats_count(seebatch_stats *stats, unsigned worker, seebatch_batch_of_file *batch,
                                        const seebatch_records *records)
{
    struct stats_worker *own = &stats->workers[worker];
    if (own->since > MOST_SINCE) {
        pthread_mutex_lock(&stats->lock);
        seebatch_io_stats_gather(stats, own);
        pthread_mutex_unlock(&stats->lock);
    }
    own->since += records->n;
    own->tally->games += batch != NULL ? seebatch_io_batch_games(batch) : 0;
    return count_by_place(stats, own, batch, records);
}

void seebatch_stats_reset(seebatch_stats *stats)
{
    for (size_t i = 0; i < stats->n_workers; i++) {
        memset(stats->workers[i].tally, 0, sizeof *stats->workers[i].tally);
        memset(stats->workers[i].registers, 0, SKETCH_SIZE);
        stats->workers[i].since = 0;
    }
    memset(stats->totals, 0, sizeof *stats->totals);
    memset(stats->registers, 0, SKETCH_SIZE);
}

/* ---- The end ----------------------------------------------------------------------------------------------------- */

bool seebatch_io_stats_add_file(seebatch_stats *stats, const char *name, const char *format, bool compressed)
{
    for (size_t i = 0; i < stats->n_files; i++) /* another part of the same file */
        if (strcmp(stats->files[i].name, name) == 0)
            return true;
    struct stats_file *files = realloc(stats->files, (stats->n_files + 1) * sizeof *files);
    if (files == NULL)
        return false;
    stats->files = files;
    char *copy = copy_of(name);
    if (copy == NULL)
        return false;
    files[stats->n_files++] = (struct stats_file){copy, format, compressed};
    return true;
}

static bool note_file(seebatch_stats *stats, const seebatch_pipeline_options *options, const char *path)
{
    const struct file_format *format =
        options->from != NULL ? seebatch_io_format_named(options->from) : seebatch_io_format_of_file(path);
    size_t length;
    if (format != NULL)
        stats->mover |= format->mover;
    return seebatch_io_stats_add_file(stats, path, format != NULL ? format->name : "fen",
                                      seebatch_io_compression_of_file(path, &length) != NOT_COMPRESSED);
}

seebatch_io_status seebatch_stats_finish(seebatch_stats *stats, const seebatch_pipeline_options *options,
                                         const seebatch_counts *counts, seebatch_io_error *error)
{
    bool well = true;
    for (size_t i = 0; i < stats->n_workers; i++)
        seebatch_io_stats_gather(stats, &stats->workers[i]);
    for (size_t i = 0; i < options->n_paths; i++)
        well = well && note_file(stats, options, options->paths[i]);
    stats->counts = *counts;
    stats->exact = options->unique;
    stats->distinct = counts->written;
    if (well)
        return SEEBATCH_IO_OK;
    seebatch_io_no_memory(error);
    return SEEBATCH_IO_NO_MEMORY;
}

/* ---- Forms ------------------------------------------------------------------------------------------------------- */

/* Writes the histograms of exchanges of one report, as tables or as rows. */
static void write_histograms(struct bytes *out, const seebatch_stats *stats, bool rows)
{
    struct histogram histograms[MOST_HISTOGRAMS];
    const size_t n = seebatch_io_histograms(stats, histograms);
    if (rows)
        bytes_add_string(out, "histogram\tfrom\tto\tcount\n");
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && !rows)
            bytes_add_char(out, '\n');
        (rows ? seebatch_io_histogram_rows : seebatch_io_histogram_text)(out, &histograms[i]);
        out->failed |= histograms[i].failed;
        seebatch_io_histogram_free(&histograms[i]);
    }
}

static bool write_form(struct bytes *out, const seebatch_stats *const *stats, size_t n, const char *form)
{
    if (strcmp(form, "report") == 0)
        seebatch_io_stats_terminal(out, stats, n);
    else if (strcmp(form, "html") == 0 || strcmp(form, "fragment") == 0)
        seebatch_io_stats_page(out, stats, n, form[0] == 'h');
    else if (strcmp(form, "svg") == 0)
        seebatch_io_stats_charts(out, stats, n);
    else if (n != 1)
        return false;
    else if (strcmp(form, "json") == 0)
        seebatch_io_stats_json(out, stats[0]);
    else if (strcmp(form, "text") == 0 || strcmp(form, "tsv") == 0)
        write_histograms(out, stats[0], form[1] == 's');
    else
        return false;
    return true;
}

seebatch_io_status seebatch_stats_write(const seebatch_stats *const *stats, size_t n, const char *form, char **text,
                                        size_t *length, seebatch_io_error *error)
{
    struct bytes out = {0};
    if (!write_form(&out, stats, n, form)) {
        seebatch_io_fail(
            error, SEEBATCH_IO_USAGE, 0,
            "there is no form '%s' of %zu reports, expected report, html, fragment or svg, or of one report "
            "json, text or tsv",
            form, n);
        free(out.data);
        return SEEBATCH_IO_USAGE;
    }
    bytes_add_char(&out, '\0');
    if (out.failed) {
        free(out.data);
        seebatch_io_no_memory(error);
        return SEEBATCH_IO_NO_MEMORY;
    }
    *text = out.data;
    *length = out.used - 1;
    return SEEBATCH_IO_OK;
}
