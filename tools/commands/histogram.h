/*
 * Histograms: as text for people, as rows, as JSON, and as a picture.
 */
#ifndef SEEBATCH_TOOL_HISTOGRAM_H
#define SEEBATCH_TOOL_HISTOGRAM_H

#include <jansson.h>

#include "support/bytes.h"
#include "tool.h"

struct bar {
    long from, to;    /* both included; of names, the index */
    const char *name; /* or NULL */
    uint64_t count;
};

struct histogram {
    const char *name;  /* one word, for rows and JSON */
    const char *title; /* for people */
    struct bar *bars;
    size_t n;
    uint64_t total;
};

/* Appends a bar; the histogram begins as all zero. */
void histogram_add(struct histogram *histogram, long from, long to, const char *name, uint64_t count);

/* Takes the empty bars off both ends. */
void histogram_trim(struct histogram *histogram);
void histogram_free(struct histogram *histogram);

void histogram_text(struct bytes *out, const struct histogram *histogram);

/* Rows: name, TAB, from, TAB, to, TAB, count; a bar with a name has it in place of both numbers. */
void histogram_rows(struct bytes *out, const struct histogram *histogram);

/* An array of objects with from, to (or name) and count. */
json_t *histogram_json(const struct histogram *histogram);

/* A picture in SVG with the histograms below each other. */
void histograms_svg(struct bytes *out, const char *heading, const struct histogram *histograms, size_t n);

#endif
