/*
 * The report for a terminal: warnings, and facts in groups, in at most forty lines. Of several reports side by side, it
 * has the main facts as a table.
 */
#include <stdio.h>
#include <stdlib.h>

#include "counters.h"

enum { WIDTH = 100, INDENT = 20, GAP = 3, WARNINGS_SHOWN = 8 };

static bool is_same_group(const struct fact *a, const struct fact *b) { return strcmp(a->group, b->group) == 0; }

static void add_spaces(struct bytes *out, size_t n)
{
    while (n-- > 0)
        bytes_add_char(out, ' ');
}

/* A sentence over as many lines as it takes. */
static void add_sentence(struct bytes *out, const char *mark, const char *text)
{
    size_t column = strlen(mark);
    bytes_add_string(out, mark);
    while (*text != '\0') {
        const size_t word = strcspn(text, " ");
        if (column > strlen(mark) && column + 1 + word > WIDTH) {
            bytes_add_char(out, '\n');
            add_spaces(out, strlen(mark));
            column = strlen(mark);
        } else if (column > strlen(mark)) {
            bytes_add_char(out, ' ');
            column++;
        }
        bytes_add(out, text, word);
        column += word;
        text += word;
        text += *text == ' ';
    }
    bytes_add_char(out, '\n');
}

static void add_warnings(struct bytes *out, const struct facts *facts)
{
    size_t n = 0;
    for (size_t i = 0; i < facts->n; i++)
        if (facts->list[i].marks & FACT_WARNING) {
            if (n < WARNINGS_SHOWN)
                add_sentence(out, "! ", facts->list[i].value);
            n++;
        }
    if (n > WARNINGS_SHOWN)
        seebatch_io_print(out, "! There are %zu more sentences like these in --format json and --html.\n",
                          n - WARNINGS_SHOWN);
}

/* The facts of a group from its first one on, in lines; returns how many facts it has. */
static size_t add_group(struct bytes *out, const struct fact *facts, size_t n)
{
    size_t i = 0, column = INDENT;
    seebatch_io_print(out, "%-*s", INDENT, facts[0].group);
    for (; i < n && is_same_group(&facts[i], &facts[0]); i++) {
        const size_t length = strlen(facts[i].label) + (facts[i].label[0] != '\0' ? 1 : 0) + strlen(facts[i].value);
        if (i > 0 && column + GAP + length > WIDTH) {
            bytes_add_char(out, '\n');
            add_spaces(out, INDENT);
            column = INDENT;
        } else if (i > 0) {
            add_spaces(out, GAP);
            column += GAP;
        }
        seebatch_io_print(out, "%s%s%s", facts[i].label, facts[i].label[0] != '\0' ? " " : "", facts[i].value);
        column += length;
    }
    bytes_add_char(out, '\n');
    return i;
}

static void add_report(struct bytes *out, const seebatch_stats *stats)
{
    struct facts facts;
    char title[256];
    seebatch_io_facts(stats, &facts);
    seebatch_io_stats_title(stats, title, sizeof title);
    seebatch_io_print(out, "What is in %s\n", title);
    add_warnings(out, &facts);
    for (size_t i = 0; i < facts.n;)
        if (facts.list[i].marks & FACT_WARNING)
            i++;
        else
            i += add_group(out, &facts.list[i], facts.n - i);
    out->failed |= facts.failed;
    seebatch_io_facts_free(&facts);
}

/* The fact of the same group and label, or NULL. */
static const struct fact *same_fact(const struct facts *facts, const struct fact *fact)
{
    for (size_t i = 0; i < facts->n; i++)
        if (facts->list[i].label != NULL && is_same_group(&facts->list[i], fact) &&
            strcmp(facts->list[i].label, fact->label) == 0)
            return &facts->list[i];
    return NULL;
}

static bool is_first_with(const struct facts *facts, size_t file, const struct fact *fact)
{
    for (size_t i = 0; i < file; i++)
        if (same_fact(&facts[i], fact) != NULL)
            return false;
    return true;
}

/* The longest value of a report among the main facts, or its title. */
static size_t width_of(const struct facts *facts, const char *title)
{
    size_t width = strlen(title);
    for (size_t i = 0; i < facts->n; i++)
        if (facts->list[i].marks & FACT_MAIN && strlen(facts->list[i].value) > width)
            width = strlen(facts->list[i].value);
    return width;
}

static void add_row(struct bytes *out, const struct fact *fact, const struct facts *facts, const size_t *widths,
                    size_t n)
{
    enum { LABELS = 55 };
    char label[LABELS + 1];
    snprintf(label, sizeof label, "%s: %s", fact->group, fact->label);
    seebatch_io_print(out, "%-*s", LABELS, label);
    for (size_t i = 0; i < n; i++) {
        const struct fact *same = same_fact(&facts[i], fact);
        seebatch_io_print(out, "  %*s", (int)widths[i], same != NULL ? same->value : "");
    }
    bytes_add_char(out, '\n');
}

static void add_table(struct bytes *out, const seebatch_stats *const *stats, size_t n)
{
    enum { TITLE = 128 };
    struct facts *facts = calloc(n, sizeof *facts);
    size_t *widths = calloc(n, sizeof *widths);
    char(*titles)[TITLE] = calloc(n, sizeof *titles);
    out->failed |= facts == NULL || widths == NULL || titles == NULL;
    const struct fact heading = {"What is in", "each file", NULL, 0};
    for (size_t i = 0; i < n && !out->failed; i++) {
        seebatch_io_facts(stats[i], &facts[i]);
        seebatch_io_stats_title(stats[i], titles[i], TITLE);
        widths[i] = width_of(&facts[i], titles[i]);
        out->failed |= facts[i].failed;
    }
    if (!out->failed) {
        add_row(out, &heading, NULL, NULL, 0);
        out->used--; /* the titles follow on the same line */
        for (size_t i = 0; i < n; i++)
            seebatch_io_print(out, "  %*s", (int)widths[i], titles[i]);
        bytes_add_char(out, '\n');
    }
    for (size_t file = 0; file < n && !out->failed; file++)
        for (size_t i = 0; i < facts[file].n; i++)
            if (facts[file].list[i].marks & FACT_MAIN && is_first_with(facts, file, &facts[file].list[i]))
                add_row(out, &facts[file].list[i], facts, widths, n);
    for (size_t file = 0; file < n && !out->failed; file++)
        for (size_t i = 0; i < facts[file].n; i++)
            if (facts[file].list[i].marks & FACT_WARNING) {
                char mark[TITLE + 8];
                snprintf(mark, sizeof mark, "! %s: ", titles[file]);
                add_sentence(out, mark, facts[file].list[i].value);
            }
    for (size_t i = 0; facts != NULL && i < n; i++)
        seebatch_io_facts_free(&facts[i]);
    free(facts);
    free(widths);
    free(titles);
}

void seebatch_io_stats_terminal(struct bytes *out, const seebatch_stats *const *stats, size_t n)
{
    if (n == 1)
        add_report(out, stats[0]);
    else
        add_table(out, stats, n);
}
