/*
 * Draws histograms, which are bars with what they stand for, and has the ways to write them.
 */
#include <stdio.h>
#include <stdlib.h>

#include "counters.h"

void seebatch_io_histogram_add(struct histogram *histogram, long from, long to, const char *name, uint64_t count)
{
    if (histogram->n == histogram->room) {
        const size_t room = 2 * histogram->room + 16;
        struct bar *bars = realloc(histogram->bars, room * sizeof *bars);
        histogram->failed |= bars == NULL;
        if (bars == NULL)
            return;
        histogram->bars = bars;
        histogram->room = room;
    }
    histogram->bars[histogram->n++] = (struct bar){from, to, name, count};
    histogram->total += count;
}

/* Takes the empty bars off both ends. */
static void trim(struct histogram *histogram)
{
    size_t first = 0;
    while (histogram->n > 0 && histogram->bars[histogram->n - 1].count == 0)
        histogram->n--;
    while (first < histogram->n && histogram->bars[first].count == 0)
        first++;
    histogram->n -= first;
    if (first > 0)
        memmove(histogram->bars, histogram->bars + first, histogram->n * sizeof *histogram->bars);
}

void seebatch_io_histogram_fill(struct histogram *histogram, const uint64_t *cells, long first, long n, long bin)
{
    const long begin = first < 0 ? -((-first + bin - 1) / bin) * bin : first / bin * bin;
    for (long from = begin; from < first + n; from += bin) {
        const long low = from > first ? from : first, high = from + bin < first + n ? from + bin : first + n;
        seebatch_io_histogram_add(histogram, from, from + bin - 1, NULL,
                                  seebatch_io_sum(&cells[low - first], (size_t)(high - low)));
    }
    trim(histogram);
}

void seebatch_io_histogram_free(struct histogram *histogram) { free(histogram->bars); }

/* ---- The histograms of exchanges --------------------------------------------------------------------------------- */

static void fill_captures(struct histogram *histogram, const seebatch_stats *stats)
{
    seebatch_io_histogram_fill(histogram, stats->totals->captures, 0, SEEBATCH_MAX_MOVES + 1, 1);
}

static void fill_values(struct histogram *histogram, const seebatch_stats *stats)
{
    const uint64_t *values = stats->totals->values;
    seebatch_io_histogram_fill(histogram, values, LEAST_VALUE, N_VALUES, stats->bin);
    if (values[N_VALUES] > 0)
        seebatch_io_histogram_add(histogram, SEEBATCH_ALWAYS, SEEBATCH_ALWAYS, "passing", values[N_VALUES]);
}

static void fill_depths(struct histogram *histogram, const seebatch_stats *stats)
{
    seebatch_io_histogram_fill(histogram, stats->totals->depths, 0, SEEBATCH_MAX_EXCHANGE + 1, 1);
}

static void fill_causes(struct histogram *histogram, const seebatch_stats *stats)
{
    const long n = (long)stats->n_causes;
    seebatch_io_histogram_add(histogram, n, n, "none", stats->totals->causes[n]);
    for (long cause = 0; cause < n; cause++)
        seebatch_io_histogram_add(histogram, cause, cause, stats->cause_names[cause], stats->totals->causes[cause]);
}

/* The histograms, in the order of the output. */
static const struct {
    const char *name, *title, *x, *y;
    void (*fill)(struct histogram *histogram, const seebatch_stats *stats);
} kinds[MOST_HISTOGRAMS] = {
    {"captures", "positions by number of captures", "legal captures of a position", "positions", fill_captures},
    {"values", "captures by value", "value of the exchange (units of the piece values)", "legal captures", fill_values},
    {"depths", "captures by length of the exchange", "captures on the square if nobody stops", "legal captures",
     fill_depths},
    {"causes", "captures by cause of disagreement", "cause", "legal captures", fill_causes},
};

size_t seebatch_io_histograms(const seebatch_stats *stats, struct histogram histograms[MOST_HISTOGRAMS])
{
    const size_t n = stats->against != NULL ? MOST_HISTOGRAMS : MOST_HISTOGRAMS - 1;
    for (size_t i = 0; i < n; i++) {
        histograms[i] =
            (struct histogram){.name = kinds[i].name, .title = kinds[i].title, .x = kinds[i].x, .y = kinds[i].y};
        kinds[i].fill(&histograms[i], stats);
    }
    return n;
}

/* ---- Forms ------------------------------------------------------------------------------------------------------- */

static uint64_t highest(const struct histogram *histogram)
{
    uint64_t most = 0;
    for (size_t i = 0; i < histogram->n; i++)
        most = histogram->bars[i].count > most ? histogram->bars[i].count : most;
    return most;
}

void seebatch_io_bar_label(const struct bar *bar, char *text, size_t size)
{
    if (bar->name != NULL)
        snprintf(text, size, "%s", bar->name);
    else if (bar->from == bar->to)
        snprintf(text, size, "%ld", bar->from);
    else
        snprintf(text, size, "%ld to %ld", bar->from, bar->to);
}

void seebatch_io_histogram_text(struct bytes *out, const struct histogram *histogram)
{
    enum { WIDEST = 40 };
    static const char stars[] = "########################################";
    const uint64_t most = highest(histogram);
    seebatch_io_print(out, "%s: %llu\n", histogram->title, (unsigned long long)histogram->total);
    for (size_t i = 0; i < histogram->n; i++) {
        const struct bar *bar = &histogram->bars[i];
        char text[64];
        seebatch_io_bar_label(bar, text, sizeof text);
        const int width = (int)((double)bar->count / (double)(most > 0 ? most : 1) * (double)WIDEST + 0.5);
        seebatch_io_print(out, "  %-16s %12llu %6s%%%s%.*s\n", text, (unsigned long long)bar->count,
                          FIXED(100 * (double)bar->count / (double)(histogram->total > 0 ? histogram->total : 1), 2),
                          width > 0 ? "  " : "", width, stars);
    }
}

void seebatch_io_histogram_rows(struct bytes *out, const struct histogram *histogram)
{
    for (size_t i = 0; i < histogram->n; i++) {
        const struct bar *bar = &histogram->bars[i];
        if (bar->name != NULL)
            seebatch_io_print(out, "%s\t%s\t%s\t%llu\n", histogram->name, bar->name, bar->name,
                              (unsigned long long)bar->count);
        else
            seebatch_io_print(out, "%s\t%ld\t%ld\t%llu\n", histogram->name, bar->from, bar->to,
                              (unsigned long long)bar->count);
    }
}

void seebatch_io_histogram_json(struct bytes *out, const struct histogram *histogram)
{
    bytes_add_char(out, '[');
    for (size_t i = 0; i < histogram->n; i++) {
        const struct bar *bar = &histogram->bars[i];
        bytes_add_string(out, i > 0 ? ",\n    {" : "\n    {");
        if (bar->name != NULL) {
            bytes_add_string(out, "\"name\": ");
            seebatch_io_add_json(out, bar->name);
        } else {
            seebatch_io_print(out, "\"from\": %ld, \"to\": %ld", bar->from, bar->to);
        }
        seebatch_io_print(out, ", \"count\": %llu}", (unsigned long long)bar->count);
    }
    bytes_add_char(out, ']');
}
