/*
 * Histograms: bars with what they stand for, and the ways to show them. The picture is plain SVG without styles or
 * fonts of its own, one panel a histogram, so that any browser and any paper shows it as it is.
 */
#include <stdarg.h>
#include <stdlib.h>

#include "histogram.h"

void histogram_add(struct histogram *histogram, long from, long to, const char *name, uint64_t count)
{
    histogram->bars = reallocate(histogram->bars, histogram->n + 1, sizeof *histogram->bars);
    histogram->bars[histogram->n++] = (struct bar){from, to, name, count};
    histogram->total += count;
}

void histogram_trim(struct histogram *histogram)
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

void histogram_free(struct histogram *histogram) { free(histogram->bars); }

PRINTF_LIKE(2, 3) static void add(struct bytes *out, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    bytes_add(out, text, length < (int)sizeof text ? (size_t)length : sizeof text - 1);
}

static uint64_t highest(const struct histogram *histogram)
{
    uint64_t most = 0;
    for (size_t i = 0; i < histogram->n; i++)
        most = histogram->bars[i].count > most ? histogram->bars[i].count : most;
    return most;
}

/* What a bar stands for. */
static void label(const struct bar *bar, char *text, size_t size)
{
    if (bar->name != NULL)
        snprintf(text, size, "%s", bar->name);
    else if (bar->from == bar->to)
        snprintf(text, size, "%ld", bar->from);
    else
        snprintf(text, size, "%ld to %ld", bar->from, bar->to);
}

void histogram_text(struct bytes *out, const struct histogram *histogram)
{
    enum { WIDEST = 40 };
    static const char stars[] = "########################################";
    const uint64_t most = highest(histogram);
    add(out, "%s: %llu\n", histogram->title, (unsigned long long)histogram->total);
    for (size_t i = 0; i < histogram->n; i++) {
        const struct bar *bar = &histogram->bars[i];
        char text[64];
        label(bar, text, sizeof text);
        const int width = (int)((double)bar->count / (double)(most > 0 ? most : 1) * (double)WIDEST + 0.5);
        add(out, "  %-16s %12llu %6.2f%%%s%.*s\n", text, (unsigned long long)bar->count,
            100 * (double)bar->count / (double)(histogram->total > 0 ? histogram->total : 1), width > 0 ? "  " : "",
            width, stars);
    }
}

void histogram_rows(struct bytes *out, const struct histogram *histogram)
{
    for (size_t i = 0; i < histogram->n; i++) {
        const struct bar *bar = &histogram->bars[i];
        if (bar->name != NULL)
            add(out, "%s\t%s\t%s\t%llu\n", histogram->name, bar->name, bar->name, (unsigned long long)bar->count);
        else
            add(out, "%s\t%ld\t%ld\t%llu\n", histogram->name, bar->from, bar->to, (unsigned long long)bar->count);
    }
}

json_t *histogram_json(const struct histogram *histogram)
{
    json_t *array = json_array();
    for (size_t i = 0; i < histogram->n; i++) {
        const struct bar *bar = &histogram->bars[i];
        json_t *object = json_object();
        if (bar->name != NULL) {
            json_object_set_new(object, "name", json_string(bar->name));
        } else {
            json_object_set_new(object, "from", json_integer(bar->from));
            json_object_set_new(object, "to", json_integer(bar->to));
        }
        json_object_set_new(object, "count", json_integer((json_int_t)bar->count));
        json_array_append_new(array, object);
    }
    return array;
}

/* ---- The picture ------------------------------------------------------------------------------------------------- */

/* In pixels: a panel, and within it the field of the bars. */
enum { WIDTH = 760, PANEL = 260, HEADING = 40, LEFT = 70, RIGHT = 20, TOP = 40, FIELD = 160, MOST_LABELS = 14 };

/* The least of 1, 2, 5, 10, 20, 50, ... in per mille that is not below the highest share. */
static unsigned top_of_axis(const struct histogram *histogram)
{
    const double share = histogram->total > 0 ? (double)highest(histogram) / (double)histogram->total : 0;
    static const unsigned steps[] = {1, 2, 5, 10, 20, 50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000};
    size_t i = 0;
    while (i + 1 < sizeof steps / sizeof steps[0] && steps[i] < 1000 * share)
        i++;
    return steps[i];
}

static void draw_axis(struct bytes *out, int y, unsigned top)
{
    enum { LINES = 4 };
    for (int i = 0; i <= LINES; i++) {
        const double line = y + TOP + FIELD - FIELD * i / (double)LINES;
        add(out, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"%s\"/>\n", LEFT, line, WIDTH - RIGHT, line,
            i == 0 ? "#444" : "#ddd");
        add(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" fill=\"#444\">%g%%</text>\n", LEFT - 6, line + 4,
            0.1 * top * i / (double)LINES);
    }
}

static void draw_panel(struct bytes *out, const struct histogram *histogram, int y)
{
    const unsigned top = top_of_axis(histogram);
    const size_t n = histogram->n > 0 ? histogram->n : 1, step = (n + MOST_LABELS - 1) / MOST_LABELS;
    const double width = (double)(WIDTH - LEFT - RIGHT) / (double)n;
    add(out, "<text x=\"%d\" y=\"%d\" font-size=\"14\" fill=\"#000\">%s: %llu</text>\n", LEFT, y + TOP - 14,
        histogram->title, (unsigned long long)histogram->total);
    draw_axis(out, y, top);
    for (size_t i = 0; i < histogram->n; i++) {
        const struct bar *bar = &histogram->bars[i];
        const double share = (double)bar->count / (double)(histogram->total > 0 ? histogram->total : 1);
        const double x = (double)LEFT + width * (double)i, height = (double)FIELD * share * 1000 / top;
        char text[64];
        label(bar, text, sizeof text);
        add(out,
            "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#3b6ea5\"><title>%s: %llu "
            "(%.2f%%)</title></rect>\n",
            x + 0.1 * width, y + TOP + FIELD - height, 0.8 * width, height, text, (unsigned long long)bar->count,
            100 * share);
        if (i % step != 0)
            continue;
        if (bar->name == NULL) /* of a range where it begins, so that there is room */
            snprintf(text, sizeof text, "%ld%s", bar->from, bar->from < bar->to ? ".." : "");
        add(out, "<text x=\"%.2f\" y=\"%d\" text-anchor=\"middle\" fill=\"#444\">%s</text>\n", x + 0.5 * width,
            y + TOP + FIELD + 16, text);
    }
}

void histograms_svg(struct bytes *out, const char *heading, const struct histogram *histograms, size_t n)
{
    const int height = HEADING + PANEL * (int)n;
    add(out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
        "font-family=\"sans-serif\" font-size=\"11\">\n",
        WIDTH, height, WIDTH, height);
    add(out, "<title>%s</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", heading, WIDTH, height);
    add(out, "<text x=\"%d\" y=\"26\" font-size=\"16\" fill=\"#000\">%s</text>\n", LEFT, heading);
    for (size_t i = 0; i < n; i++)
        draw_panel(out, &histograms[i], HEADING + PANEL * (int)i);
    add(out, "</svg>\n");
}
