/*
 * Writes the report for a terminal: warnings, and facts in groups, in at most forty lines. Of several reports side by
 * side, it has the main facts as a table.
 */
#include <stdio.h>
#include <stdlib.h>

#include "counters.h"

enum { WIDTH = 100, INDENT = 20, GAP = 3, WARNINGS_SHOWN = 8, MOST_BESIDE = 8 };

static bool is_same_group(const struct fact *a, const struct fact *b) { return strcmp(a->group, b->group) == 0; }

static void add_spaces(struct bytes *out, size_t n)
{
    while (n-- > 0)
        bytes_add_char(out, ' ');
}

/* Writes a sentence over as many lines as it takes. */
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

/* Writes the facts of a group from its first one on, in lines; returns how many facts it has. */
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

/* Returns the fact of the same group and label, or NULL. */
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

/* A column is as wide as its longest value or its title, up to a width from which they take several lines. */
enum { LEAST_COLUMN = 10, MOST_COLUMN = 20, MOST_LABEL = 48, TITLE = 128 };
static size_t width_of(const struct facts *facts, const char *title)
{
    size_t width = strlen(title) > LEAST_COLUMN ? strlen(title) : LEAST_COLUMN;
    for (size_t i = 0; i < facts->n; i++)
        if (facts->list[i].marks & FACT_MAIN && strlen(facts->list[i].value) > width)
            width = strlen(facts->list[i].value);
    return width < MOST_COLUMN ? width : MOST_COLUMN;
}

/* Returns how much of a text goes into one line: up to the last blank or slash within it, or all of the width, but no
 * character of UTF-8 is cut. */
static size_t length_of_line(const char *text, size_t width)
{
    size_t length = strlen(text), end = width;
    if (length <= width)
        return length;
    while (end > 0 && text[end] != ' ' && text[end - 1] != '/')
        end--;
    for (length = width; end == 0 && length > 1 && ((unsigned char)text[length] & 0xc0) == 0x80;)
        length--;
    return end > 0 ? end : length;
}

/* Writes a row of the table, in as many lines as its longest cell takes. */
static void add_cells(struct bytes *out, const char *label, const char **cells, const size_t *widths, size_t n)
{
    for (bool more = true; more; label = "") {
        more = false;
        seebatch_io_print(out, "%-*s", MOST_LABEL, label);
        for (size_t i = 0; i < n; i++) {
            const size_t length = length_of_line(cells[i], widths[i]);
            seebatch_io_print(out, "  %*.*s", (int)widths[i], (int)length, cells[i]);
            cells[i] += length;
            cells[i] += strspn(cells[i], " ");
            more |= *cells[i] != '\0';
        }
        while (out->used > 0 && out->data[out->used - 1] == ' ')
            out->used--;
        bytes_add_char(out, '\n');
    }
}

static void add_row(struct bytes *out, const struct fact *fact, const struct facts *facts, const size_t *widths,
                    size_t n)
{
    const char *cells[MOST_BESIDE] = {NULL};
    char label[128];
    snprintf(label, sizeof label, "%s: %s", fact->group, fact->label);
    for (size_t i = 0; i < n; i++) {
        const struct fact *same = same_fact(&facts[i], fact);
        cells[i] = same != NULL ? same->value : "";
    }
    add_cells(out, label, cells, widths, n);
}

static void add_table_of(struct bytes *out, const struct facts *facts, char (*titles)[TITLE], size_t n)
{
    size_t widths[MOST_BESIDE] = {0};
    const char *cells[MOST_BESIDE] = {NULL};
    for (size_t i = 0; i < n; i++) {
        widths[i] = width_of(&facts[i], titles[i]);
        cells[i] = titles[i];
    }
    add_cells(out, "What is in each file", cells, widths, n);
    for (size_t file = 0; file < n; file++)
        for (size_t i = 0; i < facts[file].n; i++)
            if (facts[file].list[i].marks & FACT_MAIN && is_first_with(facts, file, &facts[file].list[i]))
                add_row(out, &facts[file].list[i], facts, widths, n);
    for (size_t file = 0; file < n; file++)
        for (size_t i = 0; i < facts[file].n; i++)
            if (facts[file].list[i].marks & FACT_WARNING) {
                char sentence[TITLE + 1024];
                snprintf(sentence, sizeof sentence, "%s: %s", titles[file], facts[file].list[i].value);
                add_sentence(out, "! ", sentence);
            }
}

static void add_table(struct bytes *out, const seebatch_stats *const *stats, size_t n)
{
    struct facts facts[MOST_BESIDE];
    char titles[MOST_BESIDE][TITLE];
    for (size_t i = 0; i < n; i++) {
        seebatch_io_facts(stats[i], &facts[i]);
        seebatch_io_stats_title(stats[i], titles[i], TITLE);
        out->failed |= facts[i].failed;
    }
    if (!out->failed)
        add_table_of(out, facts, titles, n);
    for (size_t i = 0; i < n; i++)
        seebatch_io_facts_free(&facts[i]);
}

/* More than these are no table, but one report after another. */
void seebatch_io_stats_terminal(struct bytes *out, const seebatch_stats *const *stats, size_t n)
{
    if (n > 1 && n <= MOST_BESIDE) {
        add_table(out, stats, n);
        return;
    }
    for (size_t i = 0; i < n; i++)
        add_report(out, stats[i]);
}
