/*
 * seebatch stats: histograms of exchanges over files of any size.
 *
 * Each thread counts for itself; the counts are added at the end, so that they do not depend on the number of threads.
 */
#include <stdlib.h>

#include "compare.h"
#include "histogram.h"
#include "pipeline/command_line.h"
#include "pipeline/interrupt.h"
#include "chess/queries.h"

enum { STATS_BIN = OPTION_OWN, STATS_AGAINST, STATS_SVG };

static const struct option_row option_rows[] = {
    GROUP("Counts"),
    {"bin", "N", STATS_BIN, 0, "how many values make one bar of the histogram of values, from 1 to 12001",
     "How many values share a bar of the histogram, from 1 to 12001. One bar begins at 0.", "100"},
    {"against", "NAME", STATS_AGAINST, 0,
     "another rule set, one of those listed below; the causes of differences are those of seebatch compare",
     "A rule set to compare with, which uses the same piece values.", NULL},
    {"nodes", "N", OPTION_NODES, 0, "how many captures may be played to find the cause of one difference",
     "The greatest number of captures that may be played to find one cause. If more are needed, the "
     "cause is `other`.",
     "10000000"},
    GROUP("Output"),
    {"format", "text|tsv|json", OPTION_FORMAT, 0,
     "tables to read; rows with histogram, from, to and count; or one JSON object",
     "Tables for people to read; rows of histogram, from, to and count under a header, where both "
     "ends are included (for causes, both are the name); or one JSON object with `rules`, `against` "
     "(if given), `positions`, `total_captures` and an array for each histogram, of objects with "
     "`from` and `to` (or `name`) and `count`.",
     "text"},
    {"svg", "FILE", STATS_SVG, 0, "also draws the histograms as an SVG picture",
     "Also draws the histograms as an SVG picture, which shows the name and count of the bar under "
     "the pointer. The file appears under its name when it is complete. It must not be a file of the "
     "input, and it replaces only files that are SVG.",
     NULL},
    PIPELINE_INPUT_OPTIONS,
    EVALUATION_OPTIONS,
    PIPELINE_RUN_OPTIONS,
    {0},
};

enum { LEAST_VALUE = -6000, MOST_VALUE = 6000, N_VALUES = MOST_VALUE - LEAST_VALUE + 1, AGREED = N_CAUSES };

/* One thread's counts, and what it evaluates with. */
struct tally {
    uint64_t positions, captures;
    uint64_t of_value[N_VALUES]; /* from LEAST_VALUE on */
    uint64_t passing;            /* captures without a value: they pass at any threshold */
    uint64_t of_depth[SEEBATCH_MAX_EXCHANGE + 1];
    uint64_t of_captures[SEEBATCH_MAX_MOVES + 1];
    uint64_t of_cause[N_CAUSES + 1];
    struct queries queries;
    int16_t *values[2];
    uint8_t *lengths;
    size_t capacity;
};

struct statistics {
    struct pipeline_run run;
    struct tally *tallies;   /* one a thread */
    seebatch_rules rules[2]; /* --rules, --against */
    struct features features[2];
    const char *against, *svg;
    long bin, nodes;
};

static void take_option(const char *command, int val, const char *argument, void *state)
{
    struct statistics *statistics = state;
    if (pipeline_take(&statistics->run, val, argument))
        return;
    if (val == STATS_AGAINST)
        statistics->against = argument;
    else if (val == STATS_SVG)
        statistics->svg = read_output_name(command, "--svg", argument);
    else if (!options_integer(argument, argument + strlen(argument), 1, N_VALUES, &statistics->bin))
        usage_error(command, "--bin: '%s' is not an integer from 1 to %d", argument, N_VALUES);
}

/* ---- Counting ---------------------------------------------------------------------------------------------------- */

/* Values and lengths for all moves of the tally; false if there is no memory. */
static bool reserve_values(struct tally *tally)
{
    const size_t capacity = tally->queries.capacity;
    for (int i = 0; i < 2 && tally->capacity < capacity; i++) {
        int16_t *values = realloc(tally->values[i], capacity * sizeof *values);
        if (values == NULL)
            return false;
        tally->values[i] = values;
    }
    if (tally->capacity < capacity) {
        uint8_t *lengths = realloc(tally->lengths, capacity * sizeof *lengths);
        if (lengths == NULL)
            return false;
        tally->lengths = lengths;
    }
    tally->capacity = capacity;
    return true;
}

static void evaluate(const struct statistics *statistics, struct tally *tally, const seebatch_records *records)
{
    const seebatch_batch queries = queries_of_batch(&tally->queries, records->positions, records->n);
    seebatch_batch_lengths(&statistics->rules[0], &queries, tally->values[0], tally->lengths, NULL);
    if (statistics->against != NULL)
        seebatch_batch_values(&statistics->rules[1], &queries, tally->values[1], NULL);
}

static void count_cause(const struct statistics *statistics, struct tally *tally, const seebatch_position *position,
                        size_t k)
{
    const struct answer a = {&statistics->features[0], tally->values[0][k]};
    const struct answer b = {&statistics->features[1], tally->values[1][k]};
    bool alone;
    int cause = AGREED;
    if (a.value != b.value)
        cause =
            cause_of(&a, &b, statistics->rules[0].value, position, tally->queries.moves[k], statistics->nodes, &alone);
    tally->of_cause[cause]++;
}

static seebatch_io_status count_batch(void *user, unsigned worker, seebatch_batch_of_file *batch,
                                      const seebatch_records *records)
{
    const struct statistics *statistics = user;
    struct tally *tally = &statistics->tallies[worker];
    const size_t *offsets = tally->queries.offsets;
    (void)batch;
    if (!queries_of_captures(&tally->queries, records->positions, records->n, NULL, NULL, NULL) ||
        !reserve_values(tally))
        return SEEBATCH_IO_NO_MEMORY;
    evaluate(statistics, tally, records);
    tally->positions += records->n;
    tally->captures += offsets[records->n];
    for (size_t i = 0; i < records->n; i++)
        tally->of_captures[offsets[i + 1] - offsets[i]]++;
    for (size_t k = 0; k < offsets[records->n]; k++) { /* of all positions: how many one has cannot be guessed */
        tally->of_depth[tally->lengths[k]]++;
        if (tally->values[0][k] == SEEBATCH_ALWAYS)
            tally->passing++;
        else
            tally->of_value[tally->values[0][k] - LEAST_VALUE]++;
    }
    for (size_t i = 0; statistics->against != NULL && i < records->n && interrupt_signal() == 0; i++)
        for (size_t k = offsets[i]; k < offsets[i + 1]; k++)
            count_cause(statistics, tally, &records->positions[i], k);
    return SEEBATCH_IO_OK;
}

static void add_counts(uint64_t *to, const uint64_t *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] += from[i];
}

/* Adds all threads' counts to those of the first. */
static struct tally *add_tallies(struct tally *tallies, unsigned n)
{
    struct tally *sum = tallies;
    for (unsigned i = 1; i < n; i++) {
        const struct tally *tally = &tallies[i];
        sum->positions += tally->positions;
        sum->captures += tally->captures;
        sum->passing += tally->passing;
        add_counts(sum->of_value, tally->of_value, N_VALUES);
        add_counts(sum->of_depth, tally->of_depth, SEEBATCH_MAX_EXCHANGE + 1);
        add_counts(sum->of_captures, tally->of_captures, SEEBATCH_MAX_MOVES + 1);
        add_counts(sum->of_cause, tally->of_cause, N_CAUSES + 1);
    }
    return sum;
}

/* ---- Showing ----------------------------------------------------------------------------------------------------- */

static void fill_counts(struct histogram *histogram, const uint64_t *counts, long n)
{
    for (long i = 0; i < n; i++)
        histogram_add(histogram, i, i, NULL, counts[i]);
    histogram_trim(histogram);
}

static void fill_captures(struct histogram *histogram, const struct statistics *statistics, const struct tally *tally)
{
    (void)statistics;
    fill_counts(histogram, tally->of_captures, SEEBATCH_MAX_MOVES + 1);
}

/* Bars of --bin values each, one of which begins at 0. */
static void fill_values(struct histogram *histogram, const struct statistics *statistics, const struct tally *tally)
{
    const long bin = statistics->bin;
    for (long from = -((-(long)LEAST_VALUE + bin - 1) / bin) * bin; from <= MOST_VALUE; from += bin) {
        uint64_t count = 0;
        for (long value = from; value < from + bin; value++)
            if (value >= LEAST_VALUE && value <= MOST_VALUE)
                count += tally->of_value[value - LEAST_VALUE];
        histogram_add(histogram, from, from + bin - 1, NULL, count);
    }
    histogram_trim(histogram);
    if (tally->passing > 0)
        histogram_add(histogram, SEEBATCH_ALWAYS, SEEBATCH_ALWAYS, "passing", tally->passing);
}

static void fill_depths(struct histogram *histogram, const struct statistics *statistics, const struct tally *tally)
{
    (void)statistics;
    fill_counts(histogram, tally->of_depth, SEEBATCH_MAX_EXCHANGE + 1);
}

static bool has_against(const struct statistics *statistics) { return statistics->against != NULL; }

static void fill_causes(struct histogram *histogram, const struct statistics *statistics, const struct tally *tally)
{
    (void)statistics;
    histogram_add(histogram, AGREED, AGREED, "none", tally->of_cause[AGREED]);
    for (int cause = 0; cause < N_CAUSES; cause++)
        histogram_add(histogram, cause, cause, cause_names[cause], tally->of_cause[cause]);
}

/* The histograms, in the order of the output. */
static const struct {
    const char *name, *title;
    void (*fill)(struct histogram *histogram, const struct statistics *statistics, const struct tally *tally);
    bool (*wanted)(const struct statistics *statistics); /* NULL: always */
} kinds[] = {
    {"captures", "positions by number of captures", fill_captures, NULL},
    {"values", "captures by value", fill_values, NULL},
    {"depths", "captures by length of the exchange", fill_depths, NULL},
    {"causes", "captures by cause of disagreement", fill_causes, has_against},
};
enum { MOST_HISTOGRAMS = sizeof kinds / sizeof kinds[0] };

/* Returns how many histograms there are. */
static size_t make_histograms(struct histogram histograms[MOST_HISTOGRAMS], const struct statistics *statistics,
                              const struct tally *tally)
{
    size_t n = 0;
    for (size_t i = 0; i < MOST_HISTOGRAMS; i++) {
        if (kinds[i].wanted != NULL && !kinds[i].wanted(statistics))
            continue;
        histograms[n] = (struct histogram){.name = kinds[i].name, .title = kinds[i].title};
        kinds[i].fill(&histograms[n++], statistics, tally);
    }
    return n;
}

static void print_json(struct output *output, const struct options *options, const struct statistics *statistics,
                       const struct tally *tally, const struct histogram *histograms, size_t n)
{
    json_t *object = json_object();
    json_object_set_new(object, "rules", json_string(options->rules_name));
    if (statistics->against != NULL)
        json_object_set_new(object, "against", json_string(statistics->against));
    json_object_set_new(object, "positions", json_integer((json_int_t)tally->positions));
    json_object_set_new(object, "total_captures", json_integer((json_int_t)tally->captures));
    for (size_t i = 0; i < n; i++)
        json_object_set_new(object, histograms[i].name, histogram_json(&histograms[i]));
    output_json(output, object, JSON_INDENT(2));
}

static void print(const struct options *options, const struct statistics *statistics, const struct tally *tally,
                  const struct histogram *histograms, size_t n)
{
    static struct output output;
    struct bytes text = {0};
    for (size_t i = 0; i < n && options->format != FORMAT_JSON; i++) {
        if (options->format == FORMAT_TSV)
            histogram_rows(&text, &histograms[i]);
        else
            histogram_text(&text, &histograms[i]);
        if (options->format == FORMAT_TEXT && i + 1 < n)
            bytes_add_char(&text, '\n');
    }
    if (text.failed) {
        report("out of memory");
        exit(STATUS_ERROR);
    }
    if (options->format == FORMAT_TSV)
        output_string(&output, "histogram\tfrom\tto\tcount\n");
    if (options->format == FORMAT_JSON)
        print_json(&output, options, statistics, tally, histograms, n);
    output_bytes(&output, text.data, text.used);
    output_finish(&output);
    free(text.data);
}

/* Returns whether the picture was written. */
static bool draw(const struct options *options, const struct statistics *statistics, const struct tally *tally,
                 const struct histogram *histograms, size_t n)
{
    struct bytes svg = {0};
    char heading[128];
    snprintf(heading, sizeof heading, "seebatch stats: %llu position%s, rules %s%s%s",
             (unsigned long long)tally->positions, plural(tally->positions), options->rules_name,
             statistics->against != NULL ? " against " : "", statistics->against != NULL ? statistics->against : "");
    histograms_svg(&svg, heading, histograms, n);
    seebatch_io_error error = {SEEBATCH_IO_NO_MEMORY, 0, "out of memory"};
    const bool well = !svg.failed && seebatch_write_file(statistics->svg, svg.data, svg.used, &error) == SEEBATCH_IO_OK;
    if (!well)
        report("%s", error.text);
    free(svg.data);
    return well;
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

static struct tally *make_tallies(unsigned n)
{
    struct tally *tallies = reallocate(NULL, n, sizeof *tallies);
    memset(tallies, 0, n * sizeof *tallies);
    return tallies;
}

static void free_tallies(struct tally *tallies, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        free(tallies[i].queries.moves);
        free(tallies[i].values[0]);
        free(tallies[i].values[1]);
        free(tallies[i].lengths);
    }
    free(tallies);
}

static void prepare_rules(const char *command, struct statistics *statistics, const struct options *options)
{
    seebatch_error error;
    statistics->nodes = options->nodes;
    statistics->rules[0] = statistics->rules[1] = options->rules;
    if (statistics->against != NULL &&
        seebatch_rules_named(statistics->against, &statistics->rules[1], &error) != SEEBATCH_OK)
        usage_error(command, "--against: %s", error.text);
    memcpy(statistics->rules[1].value, options->rules.value, sizeof options->rules.value);
    for (int i = 0; i < 2; i++)
        statistics->features[i] = features_of(&statistics->rules[i]);
}

static int run_command(int argc, char **argv)
{
    struct options options;
    static struct statistics statistics = {.bin = 100};
    struct pipeline_run *run = &statistics.run;
    pipeline_begin(run, argv[0]);
    run->verb = NULL;
    options_parse(&stats_command, argc, argv, take_option, &statistics, &options);
    prepare_rules(argv[0], &statistics, &options);

    run->options.work = count_batch;
    pipeline_prepare(run, &options, false);
    if (statistics.svg != NULL)
        inputs_check_picture(argv[0], "--svg", statistics.svg, options.operands, options.n_operands);
    statistics.tallies = make_tallies(run->options.threads);
    const int status = pipeline_run(run);
    if (run->counts.incomplete)
        return status;

    struct histogram histograms[MOST_HISTOGRAMS];
    const struct tally *tally = add_tallies(statistics.tallies, run->options.threads);
    const size_t n = make_histograms(histograms, &statistics, tally);
    bool well = status == STATUS_OK;
    if (statistics.svg != NULL)
        well = draw(&options, &statistics, tally, histograms, n) && well;
    print(&options, &statistics, tally, histograms, n);
    for (size_t i = 0; i < n; i++)
        histogram_free(&histograms[i]);
    free_tallies(statistics.tallies, run->options.threads);
    return well ? STATUS_OK : STATUS_ERROR;
}

const struct command stats_command = {
    .name = "stats",
    .summary = "count captures and their values, as tables and pictures",
    .about = "Counts the legal captures of positions: how many a position has, what they are worth, how long their "
             "exchanges are, and, with --against, how often and why another rule set values them differently.",
    .operands = {"[FILE ...]"},
    .examples = {{"Count one capture, worth 100:",
                  "echo '1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -' | seebatch stats --format tsv"},
                 {"Print histograms of a file:", "seebatch stats games.binpack"},
                 {"Count where Stockfish's rules differ from the true value, and draw the histograms:",
                  "seebatch stats --against stockfish --svg exchanges.svg games.binpack"}},
    .details = "Files are read as by seebatch filter. The length of an exchange is the number of captures on the "
               "square if nobody stops. Captures that the rules let pass at any threshold have no value, and a bar of "
               "their own, passing. Without FILE, or for -, standard input is read.",
    .options = option_rows,
    .status = "0 if all is well; 1 if something could not be read or written; 2 if the command line is wrong.",
    .run = run_command,
};
