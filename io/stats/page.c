/*
 * Writes the report as a page that needs nothing else: its facts as tables, its charts as SVG, light and dark, and on
 * paper. All rules of CSS are about what is within .seebatch-stats, so that a notebook may show it among other things.
 */
#include <stdlib.h>

#include "counters.h"

static const char style[] =
    ".seebatch-stats{font:15px/1.45 system-ui,-apple-system,\"Segoe UI\",sans-serif;color:#1b1f24;background:#fff;"
    "max-width:1240px;margin:0 auto;padding:16px}\n"
    ".seebatch-stats h1{font-size:1.5em;margin:.2em 0 .4em;overflow-wrap:anywhere}\n"
    ".seebatch-stats h2{font-size:1.05em;margin:0 0 .3em}\n"
    ".seebatch-stats .files{display:grid;gap:16px}\n"
    ".seebatch-stats "
    ".facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,290px),1fr));gap:12px}\n"
    ".seebatch-stats .charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,340px),1fr));gap:12px;"
    "margin-top:16px}\n"
    ".seebatch-stats .beside{grid-template-columns:repeat(auto-fit,minmax(min(100%,300px),1fr))}\n"
    ".seebatch-stats section,.seebatch-stats figure{border:1px solid #dde1e6;border-radius:6px;padding:10px;margin:0;"
    "break-inside:avoid;min-width:0}\n"
    ".seebatch-stats figure svg{display:block;width:100%;height:auto;max-width:520px}\n"
    ".seebatch-stats figcaption{font-size:.85em;padding:0 8px;overflow-wrap:anywhere}\n"
    ".seebatch-stats table{border-collapse:collapse;width:100%;font-size:.92em}\n"
    ".seebatch-stats td{padding:1px "
    "0;vertical-align:top;text-align:left;border:0;background:none;overflow-wrap:anywhere}\n"
    ".seebatch-stats td+td{text-align:right;padding-left:10px;font-variant-numeric:tabular-nums}\n"
    ".seebatch-stats .short{white-space:nowrap}\n"
    ".seebatch-stats .warnings{border-left:4px solid #b35900;background:#fff6e9;padding:8px 12px;margin:0 0 14px;"
    "list-style:none}\n"
    "@media screen and (prefers-color-scheme:dark){.seebatch-stats{color:#e8eaed;background:#16191d}"
    ".seebatch-stats section,.seebatch-stats figure{border-color:#3a4048}"
    ".seebatch-stats .warnings{background:#2b2113;border-color:#ffb35c}}\n"
    "@media print{.seebatch-stats{max-width:none;padding:0;font-size:12px;line-height:1.35}"
    ".seebatch-stats .charts{grid-template-columns:1fr 1fr;gap:6px}.seebatch-stats figure{padding:2px "
    "6px}.seebatch-stats section{padding:4px 8px}"
    ".seebatch-stats figure svg{max-width:310px}"
    ".seebatch-stats .facts{grid-template-columns:1fr 1fr 1fr;gap:6px}"
    ".seebatch-stats .beside .facts{grid-template-columns:1fr}}\n";

/* Words of facts, which are ASCII for the terminal: code stands between tags in place of backquotes, +/- becomes one sign,
 * a line may end before the second side of a material, and no line ends between parentheses. */
static void add_words(struct bytes *out, const char *text)
{
    static const char plus_minus[] = "+/-";
    bool code = false, together = false;
    for (; *text != '\0'; text++) {
        if (*text == '`') {
            bytes_add_string(out, code ? "</code>" : "<code>");
            code = !code;
        } else if (strncmp(text, plus_minus, sizeof plus_minus - 1) == 0) {
            bytes_add_string(out, "&#177;");
            text += sizeof plus_minus - 2;
        } else if (together && *text == ' ') {
            bytes_add_string(out, "&#160;");
        } else {
            together = *text == '(' || (together && *text != ')');
            bytes_add_string(out, strncmp(text, "vK", 2) == 0 ? "<wbr>" : "");
            seebatch_io_add_xml(out, (const char[]){*text, '\0'});
        }
    }
}

static void add_warnings(struct bytes *out, const struct facts *facts)
{
    bool any = false;
    for (size_t i = 0; i < facts->n; i++)
        if (facts->list[i].marks & FACT_WARNING) {
            bytes_add_string(out, any ? "<li>" : "<ul class=\"warnings\"><li>");
            seebatch_io_add_xml(out, facts->list[i].value);
            bytes_add_string(out, "</li>\n");
            any = true;
        }
    if (any)
        bytes_add_string(out, "</ul>\n");
}

static void add_facts(struct bytes *out, const struct facts *facts)
{
    enum { SHORT = 20 };
    const char *group = "";
    bytes_add_string(out, "<div class=\"facts\">\n");
    for (size_t i = 0; i < facts->n; i++) {
        const struct fact *fact = &facts->list[i];
        if (fact->marks & FACT_WARNING)
            continue;
        if (strcmp(fact->group, group) != 0) {
            seebatch_io_print(out, "%s<section><h2>%s</h2><table>\n", group[0] != '\0' ? "</table></section>\n" : "",
                              fact->group);
            group = fact->group;
        }
        bytes_add_string(out, strlen(fact->label) <= SHORT ? "<tr><td class=\"short\">" : "<tr><td>");
        add_words(out, fact->label);
        bytes_add_string(out, strlen(fact->value) <= SHORT ? "</td><td class=\"short\">" : "</td><td>");
        add_words(out, fact->value);
        bytes_add_string(out, "</td></tr>\n");
    }
    bytes_add_string(out, group[0] != '\0' ? "</table></section>\n</div>\n" : "</div>\n");
}

static void add_heading(struct bytes *out, const seebatch_stats *stats)
{
    char title[256];
    seebatch_io_stats_title(stats, title, sizeof title);
    bytes_add_string(out, "<h1>What is in ");
    seebatch_io_add_xml(out, title);
    bytes_add_string(out, "</h1>\n");
}

/* Says in a line what the file is. */
static void add_summary(struct bytes *out, const struct facts *facts)
{
    static const char *const labels[] = {"format", "bytes", "positions", "games or chains"};
    static const char *const of_one[] = {"", "byte", "position", "game or chain"};
    bytes_add_string(out, "<p>");
    for (size_t label = 0; label < sizeof labels / sizeof *labels; label++)
        for (size_t i = 0; i < facts->n; i++)
            if (facts->list[i].label != NULL && strcmp(facts->list[i].label, labels[label]) == 0) {
                bytes_add_string(out, label > 0 ? ", " : "");
                seebatch_io_add_xml(out, facts->list[i].value);
                if (label > 0)
                    seebatch_io_print(out, " %s",
                                      strcmp(facts->list[i].value, "1") == 0 ? of_one[label] : labels[label]);
            }
    bytes_add_string(out, "</p>\n");
}

/* Writes the facts of a file: first those that one reads before the charts, then all. */
static void add_file(struct bytes *out, const seebatch_stats *stats, bool all)
{
    struct facts facts;
    seebatch_io_facts(stats, &facts);
    bytes_add_string(out, "<div>\n");
    if (all) {
        add_facts(out, &facts);
    } else {
        add_heading(out, stats);
        add_summary(out, &facts);
        add_warnings(out, &facts);
    }
    bytes_add_string(out, "</div>\n");
    out->failed |= facts.failed;
    seebatch_io_facts_free(&facts);
}

/* Adds a chart, if there is something to draw, and says so in *drawn. Returns false past the last number. If `named` is
 * true, it has the name of the file, because charts of other files stand beside it, or below it on a phone; and where there
 * is nothing to draw, its place stays empty. */
static bool add_chart(struct bytes *out, const seebatch_stats *stats, int number, bool named, bool *drawn)
{
    char title[256];
    struct bytes chart = {0};
    const char *name = "";
    int height = 0;
    const bool there = seebatch_io_chart(&chart, stats, number, &name, &height);
    *drawn |= height > 0;
    if (height > 0) {
        bytes_add_string(out, named ? "<figure><figcaption>" : "<figure>");
        seebatch_io_stats_title(stats, title, sizeof title);
        if (named)
            seebatch_io_add_xml(out, title);
        bytes_add_string(out, named ? "</figcaption>" : "");
        seebatch_io_print(out,
                          "<svg role=\"img\" aria-label=\"%s\" viewBox=\"0 0 %d %d\" "
                          "font-family=\"system-ui, sans-serif\" font-size=\"11\">\n",
                          name, CHART_WIDTH, height);
        bytes_add(out, chart.data, chart.used);
        bytes_add_string(out, "</svg></figure>\n");
    } else if (named) {
        bytes_add_string(out, "<div></div>\n");
    }
    out->failed |= chart.failed;
    free(chart.data);
    return there;
}

/* One file has all charts in one grid. Several files have a row for each chart that one of them has. */
static void add_charts(struct bytes *out, const seebatch_stats *const *stats, size_t n)
{
    bool more = true;
    bytes_add_string(out, n == 1 ? "<div class=\"charts\">\n" : "");
    for (int number = 0; more; number++) {
        const size_t before = out->used;
        bool drawn = false;
        bytes_add_string(out, n > 1 ? "<div class=\"charts beside\">\n" : "");
        for (size_t i = 0; i < n; i++)
            more = add_chart(out, stats[i], number, n > 1, &drawn);
        bytes_add_string(out, n > 1 ? "</div>\n" : "");
        out->used = drawn ? out->used : before;
    }
    bytes_add_string(out, n == 1 ? "</div>\n" : "");
}

void seebatch_io_stats_page(struct bytes *out, const seebatch_stats *const *stats, size_t n, bool whole)
{
    char title[256];
    seebatch_io_stats_title(stats[0], title, sizeof title);
    if (whole) {
        bytes_add_string(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                              "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
        seebatch_io_add_xml(out, title);
        bytes_add_string(out, n > 1 ? " and others" : "");
        bytes_add_string(out, ": what is in it</title>\n<style>body{margin:0;background:#fff}"
                              "@media screen and (prefers-color-scheme:dark){body{background:#16191d}}</style>\n"
                              "</head>\n<body>\n");
    }
    bytes_add_string(out, "<div class=\"seebatch-stats\">\n<style>\n");
    bytes_add_string(out, style);
    seebatch_io_chart_style(out, ".seebatch-stats");
    seebatch_io_print(out, "</style>\n<div class=\"files%s\">\n", n > 1 ? " beside" : "");
    for (size_t i = 0; i < n; i++)
        add_file(out, stats[i], false);
    bytes_add_string(out, "</div>\n");
    add_charts(out, stats, n);
    seebatch_io_print(out, "<div class=\"files%s\" style=\"margin-top:16px\">\n", n > 1 ? " beside" : "");
    for (size_t i = 0; i < n; i++)
        add_file(out, stats[i], true);
    bytes_add_string(out, "</div>\n");
    seebatch_io_print(out, "<p>Made by seebatch stats %s.</p>\n</div>\n", SEEBATCH_VERSION);
    if (whole)
        bytes_add_string(out, "</body>\n</html>\n");
}
