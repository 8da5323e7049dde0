/*
 * Charts in SVG, without scripts, fonts or a library: bars and lines in 360 units of width, which a phone shows as they
 * are and a page puts side by side. Every chart has a title, titles of both axes with their units, and a <title> on each
 * bar or point, which browsers show under the pointer and screen readers read. Colours stand in attributes, so that
 * programs without CSS show them, and rules of CSS replace them where the reader prefers the dark.
 *
 * A library for charts would bring a script, or a dependency of C for what takes three hundred lines here.
 */
#include <stdio.h>
#include <stdlib.h>

#include "counters.h"
#include "support/numbers.h"

enum { LEFT = 44, RIGHT = 20, TOP = 44, FIELD = 140, MOST_LINES = 8, ROW = 20, LEGEND_ROW = 15 };
enum { FIELD_WIDTH = CHART_WIDTH - LEFT - RIGHT };

/* Okabe and Ito's colours, which people without one kind of cone can tell apart; and lighter ones for the dark. */
static const char *const colors[MOST_LINES] = {"#0072b2", "#d55e00", "#009e73", "#aa5590",
                                               "#8a6d00", "#2a9bd8", "#555555", "#b0413e"};
static const char *const dark_colors[MOST_LINES] = {"#5ab4f0", "#ff9a4d", "#3fd0a4", "#eaa0d0",
                                                    "#e6c84d", "#9ad8ff", "#bbbbbb", "#ff9d99"};

void seebatch_io_chart_style(struct bytes *out, const char *selector)
{
    seebatch_io_print(out,
                      "@media screen and (prefers-color-scheme: dark){%s .ink{fill:#e8eaed}%s .mute{fill:#b4bac2}"
                      "%s .grid{stroke:#3a4048}%s .axis{stroke:#8a929c}%s .paper{fill:#16191d}",
                      selector, selector, selector, selector, selector);
    for (int i = 0; i < MOST_LINES; i++)
        seebatch_io_print(out, "%s .f%d{fill:%s}%s .s%d{stroke:%s}", selector, i, dark_colors[i], selector, i,
                          dark_colors[i]);
    bytes_add_string(out, "}\n");
}

/* ---- What all charts have ---------------------------------------------------------------------------------------- */

static void add_text(struct bytes *out, double x, double y, const char *anchor, const char *class, const char *text)
{
    seebatch_io_print(out, "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\" class=\"%s\" fill=\"%s\">", FIXED(x, 1),
                      FIXED(y, 1), anchor, class, strcmp(class, "ink") == 0 ? "#1b1f24" : "#555b63");
    seebatch_io_add_xml(out, text);
    bytes_add_string(out, "</text>\n");
}

static void add_title(struct bytes *out, const char *title, const char *y)
{
    bytes_add_string(out, "<g font-weight=\"bold\" font-size=\"13\">");
    add_text(out, 8, 16, "start", "ink", title);
    bytes_add_string(out, "</g>");
    add_text(out, 8, 33, "start", "mute", y);
}

/* Returns the least of 1, 2, 5, 10, ... times a power of ten that is not below the number. */
static double nice(double number)
{
    static const double steps[] = {1, 2, 2.5, 5, 10};
    double power = 1;
    while (power < number)
        power *= 10;
    while (power > number)
        power /= 10;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (steps[i] * power >= number * 0.999999)
            return steps[i] * power;
    return 10 * power;
}

static void add_line(struct bytes *out, const char *class, const char *stroke, double x1, double y1, double x2,
                     double y2)
{
    seebatch_io_print(out, "<line class=\"%s\" stroke=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>\n", class,
                      stroke, FIXED(x1, 1), FIXED(y1, 1), FIXED(x2, 1), FIXED(y2, 1));
}

/* Returns the least end of an axis of percents that is not below the number, and has four parts that are easy to
 * read. */
static double percent_top(double number)
{
    static const double tops[] = {0.04, 0.08, 0.2, 0.4, 0.8, 1, 2, 4, 8, 12, 16, 20, 40, 60, 80, 100};
    size_t i = 0;
    while (i + 1 < sizeof tops / sizeof *tops && tops[i] < number)
        i++;
    return tops[i];
}

/* Draws lines across the field from 0 to top percent, with their labels. */
static void add_percent_axis(struct bytes *out, double top)
{
    enum { LINES = 4 };
    for (int i = 0; i <= LINES; i++) {
        const double y = TOP + FIELD - FIELD * i / (double)LINES;
        char text[32];
        char room[REAL_TEXT];
        const size_t length = seebatch_io_put_real(top * i / LINES, 6, room);
        snprintf(text, sizeof text, "%.*s%%", (int)length, room);
        add_line(out, i == 0 ? "axis" : "grid", i == 0 ? "#555b63" : "#dde1e6", LEFT, y, CHART_WIDTH - RIGHT, y);
        add_text(out, LEFT - 5, y + 4, "end", "mute", text);
    }
}

/* Writes labels of numbers from low to high under the field, and the title of the axis. */
static void add_number_axis(struct bytes *out, double low, double high, const char *title)
{
    enum { LABELS = 6 };
    double step = nice((high - low) / LABELS);
    step = step < 1 ? 1 : step;
    const double first = (double)((long)(low / step) - 1) * step;
    for (double at = first; at <= high; at += step) {
        char text[32];
        if (at < low)
            continue;
        const double x = LEFT + FIELD_WIDTH * (at - low) / (high - low);
        snprintf(text, sizeof text, "%s", FIXED(at, 0));
        add_line(out, "axis", "#555b63", x, TOP + FIELD, x, TOP + FIELD + 4);
        add_text(out, x, TOP + FIELD + 16, "middle", "mute", text);
    }
    add_text(out, LEFT + FIELD_WIDTH / 2.0, TOP + FIELD + 33, "middle", "mute", title);
}

static double highest_share(const struct histogram *histogram)
{
    uint64_t most = 0;
    for (size_t i = 0; i < histogram->n; i++)
        most = histogram->bars[i].count > most ? histogram->bars[i].count : most;
    return histogram->total > 0 ? 100 * (double)most / (double)histogram->total : 0;
}

static void add_bar(struct bytes *out, const struct bar *bar, uint64_t total, double x, double y, double width,
                    double height)
{
    char label[64];
    seebatch_io_bar_label(bar, label, sizeof label);
    seebatch_io_print(out, "<rect class=\"f0\" fill=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"><title>",
                      colors[0], FIXED(x, 2), FIXED(y, 2), FIXED(width, 2), FIXED(height, 2));
    seebatch_io_add_xml(out, label);
    seebatch_io_print(out, ": %llu (%s%%)</title></rect>\n", (unsigned long long)bar->count,
                      FIXED(100 * (double)bar->count / (double)(total > 0 ? total : 1), 2));
}

/* ---- Bars -------------------------------------------------------------------------------------------------------- */

/* Bars of names lie, so that there is room for them. */
static int draw_names(struct bytes *out, const struct histogram *histogram)
{
    enum { NAMES = 128, COUNTS = 48, FIRST = 42 };
    const double top = highest_share(histogram) > 0 ? highest_share(histogram) : 1;
    for (size_t i = 0; i < histogram->n; i++) {
        const struct bar *bar = &histogram->bars[i];
        const double percent = 100 * (double)bar->count / (double)(histogram->total > 0 ? histogram->total : 1);
        const double y = FIRST + ROW * (double)i, width = (CHART_WIDTH - NAMES - COUNTS - RIGHT) * percent / top;
        char text[48];
        add_text(out, NAMES - 6, y + 12, "end", "mute", bar->name);
        add_bar(out, bar, histogram->total, NAMES, y + 2, width, ROW - 6);
        snprintf(text, sizeof text, "%s%%", FIXED(percent, percent > 0 && percent < 0.1 ? 2 : 1));
        add_text(out, NAMES + width + 5, y + 12, "start", "mute", text);
    }
    return FIRST + ROW * (int)histogram->n + 18;
}

/* Bars of numbers stand. One with a name among them comes last, in a place of its own. */
static int draw_numbers(struct bytes *out, const struct histogram *histogram)
{
    const struct bar *last = &histogram->bars[histogram->n - 1];
    const bool named = last->name != NULL;
    const size_t n = histogram->n - (named ? 1 : 0);
    const double top = percent_top(highest_share(histogram));
    const long span = n > 0 ? histogram->bars[0].to - histogram->bars[0].from + 1 : 1;
    const double low = n > 0 ? (double)histogram->bars[0].from : 0;
    const double high = n > 0 ? (double)(histogram->bars[n - 1].to + 1) : 1;
    const double all = high - low + (named ? 2.0 * (double)span : 0), scale = FIELD_WIDTH / all;
    /* Bars of one number stand over it, others begin at their first. */
    const double shift = span == 1 ? 0.5 : 0;
    add_percent_axis(out, top);
    for (size_t i = 0; i < histogram->n; i++) {
        const struct bar *bar = &histogram->bars[i];
        const double from = bar->name != NULL ? high + (double)span : (double)bar->from;
        const double height =
            FIELD * 100 * (double)bar->count / (double)(histogram->total > 0 ? histogram->total : 1) / top;
        const double width = scale * (double)span, x = LEFT + scale * (from - low);
        add_bar(out, bar, histogram->total, x + 0.06 * width, TOP + FIELD - height, 0.88 * width, height);
        if (bar->name != NULL)
            add_text(out, CHART_WIDTH - RIGHT, TOP + FIELD + 33, "end", "mute", "last bar: passing");
    }
    enum { LABELS = 7 };
    double step = nice((high - low) / LABELS);
    step = step < 1 ? 1 : step;
    for (double at = (double)((long)(low / step) - 1) * step; at < high + (1 - shift * 2) && n > 0; at += step) {
        const double x = LEFT + scale * (at + shift - low);
        char text[32];
        if (at < low)
            continue;
        snprintf(text, sizeof text, "%s", FIXED(at, 0));
        add_line(out, "axis", "#555b63", x, TOP + FIELD, x, TOP + FIELD + 4);
        add_text(out, x, TOP + FIELD + 16, "middle", "mute", text);
    }
    add_text(out, named ? LEFT : LEFT + FIELD_WIDTH / 2.0, TOP + FIELD + 33, named ? "start" : "middle", "mute",
             histogram->x);
    return TOP + FIELD + 44;
}

/* Writes of what the percents are: "% of 4,000 records with a result", or "% of 1 record with a result". */
static void percents_of(const struct histogram *histogram, char *text, size_t size)
{
    const char *noun = histogram->y, *end = noun;
    while (*end != '\0' && !(*end == 's' && (end[1] == '\0' || end[1] == ' ' || end[1] == ',')))
        end++;
    const bool one = histogram->total == 1 && *end == 's';
    snprintf(text, size, "%% of %s %.*s%s", seebatch_io_with_commas(histogram->total).text, (int)(end - noun), noun,
             one ? end + 1 : end);
}

static int draw_bars(struct bytes *out, const struct histogram *histogram)
{
    char y[96];
    out->failed |= histogram->failed;
    if (histogram->total == 0)
        return 0;
    char title[96];
    snprintf(title, sizeof title, "%s", histogram->title);
    title[0] = title[0] >= 'a' && title[0] <= 'z' ? (char)(title[0] - 'a' + 'A') : title[0];
    percents_of(histogram, y, sizeof y);
    add_title(out, title, y);
    return histogram->bars[0].name != NULL ? draw_names(out, histogram) : draw_numbers(out, histogram);
}

/* ---- Lines ------------------------------------------------------------------------------------------------------- */

struct line {
    const char *name;
    int color;
    bool dashed, points;
    bool joined;
};

static void begin_line(struct bytes *out, struct line *line)
{
    seebatch_io_print(out, "<path class=\"s%d\" stroke=\"%s\" stroke-width=\"2\" fill=\"none\"%s d=\"", line->color,
                      colors[line->color], line->dashed ? " stroke-dasharray=\"5 3\"" : "");
    line->joined = false;
}

static void add_point(struct bytes *out, struct line *line, double x, double y)
{
    seebatch_io_print(out, "%c%s %s", line->joined ? 'L' : 'M', FIXED(x, 1), FIXED(y, 1));
    line->joined = true;
}

static void end_line(struct bytes *out) { bytes_add_string(out, "\"/>\n"); }

static void add_circle(struct bytes *out, int color, double x, double y, const char *title)
{
    seebatch_io_print(out,
                      "<circle class=\"f%d\" fill=\"%s\" cx=\"%s\" cy=\"%s\" r=\"2.6\"><title>%s</title></circle>\n",
                      color, colors[color], FIXED(x, 1), FIXED(y, 1), title);
}

/* Puts two in a row, and returns the height of the chart. */
static int add_legend(struct bytes *out, const struct line *lines, size_t n)
{
    enum { BEGIN = TOP + FIELD + 50 };
    size_t longest = 0;
    for (size_t i = 0; i < n; i++)
        longest = strlen(lines[i].name) > longest ? strlen(lines[i].name) : longest;
    const size_t columns = longest > 22 ? 1 : 2;
    for (size_t i = 0; i < n; i++) {
        const double x = 8 + (double)(i % columns) * (CHART_WIDTH / 2.0),
                     y = BEGIN + LEGEND_ROW * (double)(i / columns);
        struct line line = lines[i];
        if (line.points) {
            add_circle(out, line.color, x + 11, y - 4, "");
        } else {
            begin_line(out, &line);
            add_point(out, &line, x, y - 4);
            add_point(out, &line, x + 22, y - 4);
            end_line(out);
        }
        add_text(out, x + 28, y, "start", "mute", line.name);
    }
    return BEGIN + LEGEND_ROW * (int)((n + columns - 1) / columns);
}

/* The charts of scores reach from -LIMIT to LIMIT. */
enum { LIMIT = 1500, WIDE_BIN = 64, WIDE_BINS = 2 * CALIBRATED / WIDE_BIN, LEAST_RECORDS = 5 };

static double x_of_score(double score) { return LEFT + FIELD_WIDTH * (score + LIMIT) / (2.0 * LIMIT); }
static double y_of_share(double share) { return TOP + FIELD * (1 - share); }

static void draw_model(struct bytes *out, struct line *line, const struct win_model *model, int what)
{
    enum { STEP = 25 };
    begin_line(out, line);
    for (int score = -LIMIT; score <= LIMIT; score += STEP) {
        double chances[2];
        seebatch_io_chances(model, score, &chances[1], &chances[0]);
        const double share = what == 3   ? seebatch_io_expected(model, score)
                             : what == 2 ? chances[1]
                             : what == 0 ? chances[0]
                                         : 1 - chances[0] - chances[1];
        add_point(out, line, x_of_score(score), y_of_share(share));
    }
    end_line(out);
}

/* Counts the results of a bin of WIDE_BIN scores; returns false if they are too few to draw. */
static bool wide_bin(const struct calibration *calibration, int bin, double *score, double shares[4], uint64_t *n)
{
    enum { EACH = WIDE_BIN / CALIBRATION_BIN };
    uint64_t sums[3] = {0};
    for (int i = 0; i < EACH; i++)
        for (int result = 0; result < 3; result++)
            sums[result] += calibration->cells[bin * EACH + i][result];
    *n = sums[0] + sums[1] + sums[2];
    *score = (bin + 0.5) * WIDE_BIN - CALIBRATED;
    for (int result = 0; result < 3; result++)
        shares[result] = *n > 0 ? (double)sums[result] / (double)*n : 0;
    shares[3] = shares[2] + 0.5 * shares[1];
    return *n >= LEAST_RECORDS && *score > -LIMIT && *score < LIMIT;
}

/* Returns whether there is anything to draw. */
static bool has_results(const struct calibration *calibration)
{
    double score, shares[4];
    uint64_t n;
    bool has = false;
    for (int bin = 0; bin < WIDE_BINS; bin++)
        has |= wide_bin(calibration, bin, &score, shares, &n);
    return has;
}

static void draw_results(struct bytes *out, const struct line *line, const struct calibration *calibration, int what,
                         const char *words)
{
    struct line drawn = *line;
    double score, shares[4];
    uint64_t n;
    if (!line->points)
        begin_line(out, &drawn);
    for (int bin = 0; bin < WIDE_BINS; bin++) {
        char title[256];
        if (!wide_bin(calibration, bin, &score, shares, &n))
            continue;
        snprintf(title, sizeof title, "scores %s to %s: %s %s%% of %s records", FIXED(score - WIDE_BIN / 2.0, 0),
                 FIXED(score + WIDE_BIN / 2.0 - 1, 0), words, FIXED(100 * shares[what], 1),
                 seebatch_io_with_commas(n).text);
        if (line->points)
            add_circle(out, line->color, x_of_score(score), y_of_share(shares[what]), title);
        else
            add_point(out, &drawn, x_of_score(score), y_of_share(shares[what]));
    }
    if (!line->points)
        end_line(out);
}

static void add_score_axes(struct bytes *out)
{
    add_percent_axis(out, 100);
    add_number_axis(out, -LIMIT, LIMIT, "White's score (units of the file)");
}

static int draw_calibration(struct bytes *out, const seebatch_stats *stats)
{
    struct calibration calibration;
    struct win_model scale = {0, 1};
    double error = 0;
    char names[2 + N_TRAINERS][160];
    struct line lines[2 + N_TRAINERS];
    size_t n = 0;
    seebatch_io_calibration(stats->totals, PHASE_GROUPS, &calibration);
    if (!has_results(&calibration))
        return 0;
    add_title(out, "Scores against results", "White's result: wins and half of the draws");
    add_score_axes(out);
    for (int i = 0; i < N_TRAINERS; i++, n++) {
        const struct named_model *trainer = &seebatch_io_trainers[i];
        snprintf(names[n], sizeof names[n], "%s: %s, error %s", trainer->name, trainer->what,
                 FIXED(seebatch_io_model_error(&trainer->model, &calibration).rms, 3));
        lines[n] = (struct line){names[n], (int)n + 1, true, false, false};
        draw_model(out, &lines[n], &trainer->model, 3);
    }
    if (seebatch_io_scale_says_something(&calibration, &scale, &error)) {
        char text[64];
        seebatch_io_scale_text(&scale, error, "\u00b1", text, sizeof text);
        snprintf(names[n], sizeof names[n], "best eval scale: %s, error %s", text,
                 FIXED(seebatch_io_model_error(&scale, &calibration).rms, 3));
        lines[n] = (struct line){names[n], (int)n + 1, false, false, false};
        draw_model(out, &lines[n], &scale, 3);
        n++;
    }
    lines[n++] = (struct line){"the records, 64 scores to a point", 0, false, true, false};
    draw_results(out, &lines[n - 1], &calibration, 3, "White's result");
    return add_legend(out, lines, n);
}

static int draw_phases(struct bytes *out, const seebatch_stats *stats)
{
    struct calibration calibration;
    char names[PHASE_GROUPS][96];
    struct line lines[PHASE_GROUPS];
    size_t n = 0;
    bool any = false;
    for (int phase = 0; phase < PHASE_GROUPS; phase++) {
        seebatch_io_calibration(stats->totals, phase, &calibration);
        any |= has_results(&calibration);
    }
    if (!any)
        return 0;
    add_title(out, "Scores against results by phase", "White's result: wins and half of the draws");
    add_score_axes(out);
    for (int phase = PHASE_GROUPS - 1; phase >= 0; phase--) {
        struct win_model scale = {0, 1};
        double error = 0;
        seebatch_io_calibration(stats->totals, phase, &calibration);
        if (!has_results(&calibration))
            continue;
        if (seebatch_io_scale_says_something(&calibration, &scale, &error))
            snprintf(names[n], sizeof names[n], "%s: scale %s", seebatch_io_phase_group_names[phase],
                     FIXED(scale.scale, 0));
        else
            snprintf(names[n], sizeof names[n], "%s", seebatch_io_phase_group_names[phase]);
        lines[n] = (struct line){names[n], (int)n, false, false, false};
        draw_results(out, &lines[n], &calibration, 3, "White's result");
        n++;
    }
    return add_legend(out, lines, n);
}

static int draw_wdl(struct bytes *out, const seebatch_stats *stats)
{
    static const struct {
        int what;
        const char *name, *words;
    } rows[3] = {{SEEBATCH_WHITE_WINS, "White won", "White won"},
                 {SEEBATCH_DRAW, "draw", "draws"},
                 {SEEBATCH_BLACK_WINS, "Black won", "Black won"}};
    struct calibration calibration;
    struct win_model model;
    struct line lines[4];
    char name[96];
    seebatch_io_calibration(stats->totals, PHASE_GROUPS, &calibration);
    if (!has_results(&calibration))
        return 0;
    add_title(out, "Wins, draws and losses by score", "% of the records with this score");
    add_score_axes(out);
    struct win_model scale;
    double error;
    const bool fits =
        seebatch_io_scale_says_something(&calibration, &scale, &error) && seebatch_io_fit_wdl(&calibration, &model);
    for (int i = 0; i < 3; i++) {
        lines[i] = (struct line){rows[i].name, i, true, true, false};
        if (fits)
            draw_model(out, &(struct line){"", i, true, false, false}, &model, rows[i].what);
        draw_results(out, &lines[i], &calibration, rows[i].what, rows[i].words);
    }
    if (!fits)
        return add_legend(out, lines, 3);
    snprintf(name, sizeof name, "offset %s, scale %s", FIXED(model.offset, 0), FIXED(model.scale, 0));
    lines[3] = (struct line){name, 6, true, false, false};
    return add_legend(out, lines, 4);
}

/* Draws the thresholds up to 0, and the bar of all: what passes at 0 hides the rest. */
static int draw_played(struct bytes *out, const seebatch_stats *stats, int to)
{
    enum { FROM = -300, STEP = 25 };
    static const char *const kinds[PLAYED_KINDS + 1] = {"quiet moves", "captures, promotions", "all moves"};
    struct line lines[MOST_LINES];
    char names[MOST_RULE_SETS][96];
    double highest = 0;
    const bool several = stats->n_rules > 1;
    const size_t n = several ? stats->n_rules : PLAYED_KINDS + 1;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) {
            add_title(out, to > 0 ? "Played moves below a threshold" : "Played moves below a threshold, up to 0",
                      several ? "% of all played moves" : "% of the played moves");
            highest = percent_top(highest);
            add_percent_axis(out, highest);
            add_number_axis(out, FROM, to, "threshold (units of the piece values)");
        }
        for (size_t i = 0; i < n; i++) {
            const size_t rules = several ? i : 0;
            const int kind = several ? PLAYED_KINDS : (int)i;
            const uint64_t all = seebatch_io_played(stats, rules, kind);
            if (several)
                snprintf(names[i], sizeof names[i], "%s, %s", stats->rules[i].name, stats->rules[i].values);
            lines[i] = (struct line){several ? names[i] : kinds[i], (int)i, false, false, false};
            if (pass == 1)
                begin_line(out, &lines[i]);
            for (int threshold = FROM; threshold <= to && all > 0; threshold += STEP) {
                const double percent =
                    100 * (double)seebatch_io_played_below(stats, rules, kind, threshold) / (double)all;
                if (pass == 0)
                    highest = percent > highest ? percent : highest;
                else
                    add_point(out, &lines[i], LEFT + FIELD_WIDTH * (threshold - FROM) / (double)(to - FROM),
                              TOP + FIELD * (1 - percent / highest));
            }
            if (pass == 1)
                end_line(out);
        }
        if (pass == 0 && seebatch_io_played(stats, 0, PLAYED_KINDS) == 0)
            return 0;
    }
    return add_legend(out, lines, n);
}

/* ---- The charts -------------------------------------------------------------------------------------------------- */

/* Makes about 40 bars of what is left when a share is cut off at both ends, and numbers below -limit or above limit. */
static void fill_trimmed(struct histogram *histogram, const uint64_t *cells, size_t n, long first, double cut,
                         long limit)
{
    size_t low = seebatch_io_quantile(cells, n, cut), high = seebatch_io_quantile(cells, n, 1 - cut);
    if (low >= n)
        return;
    if (first < -limit && low < (size_t)(-limit - first))
        low = (size_t)(-limit - first);
    high = high > (size_t)(limit - first) ? (size_t)(limit - first) : high;
    if (low > high)
        return;
    const double bin = nice((double)(high - low + 1) / 40);
    const long width = bin < 1 ? 1 : (long)bin;
    seebatch_io_histogram_fill(histogram, &cells[low], first + (long)low, (long)(high - low + 1), width);
}

static int draw_result_bars(struct bytes *out, const seebatch_stats *stats)
{
    static const char *const names[3] = {"Black won", "draw", "White won"};
    struct histogram histogram = {.title = "Results", .y = "records with a result"};
    for (int result = 2; result >= 0; result--)
        seebatch_io_histogram_add(&histogram, result, result, names[result], stats->totals->results[result]);
    const int height = draw_bars(out, &histogram);
    seebatch_io_histogram_free(&histogram);
    return height;
}

static int draw_score_bars(struct bytes *out, const seebatch_stats *stats)
{
    struct histogram histogram = {
        .title = "White's scores", .x = "score (units of the file)", .y = "records, 5th to 95th percentile, to ±1500"};
    fill_trimmed(&histogram, stats->totals->scores, SCORE_CELLS, LEAST_SCORE, 0.05, LIMIT);
    const int height = draw_bars(out, &histogram);
    seebatch_io_histogram_free(&histogram);
    return height;
}

static int draw_ply_bars(struct bytes *out, const seebatch_stats *stats)
{
    struct histogram histogram = {
        .title = "Plies (1st to 99th percentile)", .x = "half moves since the start of the game", .y = "records"};
    fill_trimmed(&histogram, stats->totals->plies, PLY_CELLS, 0, 0.01, PLY_CELLS);
    const int height = draw_bars(out, &histogram);
    seebatch_io_histogram_free(&histogram);
    return height;
}

static int draw_piece_bars(struct bytes *out, const seebatch_stats *stats)
{
    struct histogram histogram = {
        .title = "Pieces on the board", .x = "pieces, kings and pawns included", .y = "positions"};
    seebatch_io_histogram_fill(&histogram, stats->totals->pieces, 0, PIECE_CELLS, 1);
    const int height = draw_bars(out, &histogram);
    seebatch_io_histogram_free(&histogram);
    return height;
}

static int draw_phase_bars(struct bytes *out, const seebatch_stats *stats)
{
    struct histogram histogram = {
        .title = "Phase of the game", .x = "phase: knight, bishop 1, rook 2, queen 4", .y = "positions"};
    seebatch_io_histogram_fill(&histogram, stats->totals->phases, 0, PHASE_CELLS, 1);
    const int height = draw_bars(out, &histogram);
    seebatch_io_histogram_free(&histogram);
    return height;
}

static int draw_move_bars(struct bytes *out, const seebatch_stats *stats)
{
    struct histogram histogram = {.title = "Moves by kind", .y = "records"};
    if (stats->totals->moves[MOVE_NONE] == stats->totals->positions[0])
        return 0;
    for (int kind = 0; kind < N_MOVE_KINDS; kind++)
        seebatch_io_histogram_add(&histogram, kind, kind, seebatch_io_move_kind_names[kind],
                                  stats->totals->moves[kind]);
    const int height = draw_bars(out, &histogram);
    seebatch_io_histogram_free(&histogram);
    return height;
}

static int draw_all_played(struct bytes *out, const seebatch_stats *stats) { return draw_played(out, stats, 300); }
static int draw_losing_played(struct bytes *out, const seebatch_stats *stats) { return draw_played(out, stats, 0); }

static int draw_exchange_bars(struct bytes *out, const seebatch_stats *stats, size_t number)
{
    struct histogram histograms[MOST_HISTOGRAMS];
    const size_t n = seebatch_io_histograms(stats, histograms);
    const int height = number < n ? draw_bars(out, &histograms[number]) : 0;
    for (size_t i = 0; i < n; i++)
        seebatch_io_histogram_free(&histograms[i]);
    return height;
}

bool seebatch_io_chart(struct bytes *out, const seebatch_stats *stats, int number, const char **name, int *height)
{
    static const struct {
        const char *name;
        int (*draw)(struct bytes *out, const seebatch_stats *stats);
    } charts[] = {{"results", draw_result_bars},
                  {"scores", draw_score_bars},
                  {"calibration", draw_calibration},
                  {"calibration-by-phase", draw_phases},
                  {"wdl", draw_wdl},
                  {"plies", draw_ply_bars},
                  {"pieces", draw_piece_bars},
                  {"phases", draw_phase_bars},
                  {"moves", draw_move_bars},
                  {"played-up-to-0", draw_losing_played},
                  {"played", draw_all_played}};
    static const char *const exchanges[MOST_HISTOGRAMS] = {"captures", "values", "depths", "causes"};
    const int n = sizeof charts / sizeof *charts;
    if (number >= n + MOST_HISTOGRAMS)
        return false;
    *name = number < n ? charts[number].name : exchanges[number - n];
    *height = number < n ? charts[number].draw(out, stats) : draw_exchange_bars(out, stats, (size_t)(number - n));
    return true;
}

/* ---- All charts in one picture ----------------------------------------------------------------------------------- */

enum { HEADING = 48, MARGIN = 12 };

/* Places a chart; returns how high it is, 0 if there is nothing to draw. */
static int place(struct bytes *out, const seebatch_stats *stats, int number, size_t file, int x, int y)
{
    struct bytes chart = {0};
    const char *name;
    int height = 0;
    seebatch_io_chart(&chart, stats, number, &name, &height);
    if (height > 0) {
        seebatch_io_print(out, "<g id=\"%s%zu\" transform=\"translate(%d %d)\">\n", name, file, x, y);
        bytes_add(out, chart.data, chart.used);
        bytes_add_string(out, "</g>\n");
    }
    out->failed |= chart.failed;
    free(chart.data);
    return height;
}

/* Places the charts of one file in two columns, or those of several files in a column each. Returns the height. */
static int place_all(struct bytes *out, const seebatch_stats *const *stats, size_t n)
{
    int y = HEADING, row = 0;
    size_t column = 0;
    const char *name;
    int unused;
    struct bytes nothing = {0};
    for (int number = 0; seebatch_io_chart(&nothing, stats[0], number, &name, &unused); number++) {
        nothing.used = 0;
        for (size_t file = 0; file < n; file++) {
            const size_t at = n > 1 ? file : column;
            const int height = place(out, stats[file], number, file, MARGIN + (CHART_WIDTH + MARGIN) * (int)at, y);
            row = height > row ? height : row;
            column += height > 0 ? 1 : 0;
        }
        if (n > 1 || column == 2) {
            y += row + (row > 0 ? MARGIN : 0);
            row = 0;
            column = 0;
        }
    }
    out->failed |= nothing.failed;
    free(nothing.data);
    return y + row;
}

/* The end of a text in UTF-8 that has at most so many characters: what tells files apart is there. */
static const char *end_of(const char *text, size_t most)
{
    size_t n = 0;
    for (const char *at = text; *at != '\0'; at++)
        n += (*at & 0xc0) != 0x80;
    for (; n > most; n--)
        do
            text++;
        while ((*text & 0xc0) == 0x80);
    return text;
}

/* The name of a report in at most so many characters, and below it what was counted. */
static void add_heading(struct bytes *out, const seebatch_stats *stats, double x, size_t most)
{
    static const char ellipsis[] = "…";
    char title[256], text[256 + sizeof ellipsis], counted[192];
    seebatch_io_stats_title(stats, title, sizeof title);
    const char *end = end_of(title, most);
    snprintf(text, sizeof text, "%s%s", end > title ? ellipsis : "", end);
    snprintf(counted, sizeof counted, "%s positions, rules %s%s%s",
             seebatch_io_with_commas(stats->totals->positions[0]).text, stats->rules[0].name,
             stats->against != NULL ? " against " : "", stats->against != NULL ? stats->against : "");
    bytes_add_string(out, "<g font-weight=\"bold\" font-size=\"13\"><title>");
    seebatch_io_add_xml(out, title);
    bytes_add_string(out, "</title>");
    add_text(out, x, 20, "start", "ink", text);
    bytes_add_string(out, "</g>\n");
    add_text(out, x, 37, "start", "mute", counted);
}

void seebatch_io_stats_charts(struct bytes *out, const seebatch_stats *const *stats, size_t n)
{
    struct bytes charts = {0};
    const int height = place_all(&charts, stats, n) + MARGIN, columns = n > 1 ? (int)n : 2;
    const int width = MARGIN + (CHART_WIDTH + MARGIN) * columns;
    seebatch_io_print(out,
                      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
                      "font-family=\"system-ui, sans-serif\" font-size=\"11\">\n<style>",
                      width, height, width, height);
    seebatch_io_chart_style(out, "svg");
    seebatch_io_print(out, "</style>\n<rect class=\"paper\" width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", width,
                      height);
    for (size_t i = 0; i < n; i++)
        add_heading(out, stats[i], MARGIN + 8 + (CHART_WIDTH + MARGIN) * (double)i, n > 1 ? 44 : 90);
    bytes_add(out, charts.data, charts.used);
    bytes_add_string(out, "</svg>\n");
    out->failed |= charts.failed;
    free(charts.data);
}
