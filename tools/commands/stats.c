/*
 * seebatch stats: histograms of exchanges over files of any size.
 *
 * Each thread counts for itself; the counts are added at the end, so that they do not depend on the number of threads.
 */
#include <stdlib.h>

#include "compare.h"
#include "histogram.h"
#include "pipeline/command_line.h"
#include "pipeline/requests.h"

static const char help[] =
    "usage: seebatch stats [OPTION ...] [FILE ...]\n"
    "\n"
    "Counts the legal captures of positions: how many a position has, what they are worth, how long their\n"
    "exchanges are (captures on the square if nobody stops), and, with --against, how often and by what\n"
    "cause another rule set values them differently. Files are read as by seebatch filter.\n"
    "\n"
    "  --bin N               how many values make one bar of their histogram, from 1 to 12001 (100)\n"
    "  --against NAME        another rule set; causes are those of seebatch compare\n"
    "  --nodes N             captures to play to find one cause, at most (10000000)\n"
    "  --format text|tsv|json  tables for people; rows of histogram, from, to, count; one JSON object (text)\n"
    "  --svg FILE            draws the histograms, too\n" PIPELINE_INPUT_HELP
    "  --rules NAME, --values P,N,B,R,Q, --kernel NAME  as in seebatch eval\n"
    "  -h, --help            this text\n"
    "\n"
    "Exit status: 0 all well, 1 something could not be read or written, 2 bad usage.\n"
    "\n"
    "example: one position with one capture, worth 100\n"
    "  echo '1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -' | seebatch stats --format tsv\n";

enum { STATS_BIN = PIPELINE_OWN, STATS_AGAINST, STATS_SVG };

static const struct option own_options[] = {
    PIPELINE_INPUT_OPTIONS,
    {"bin", required_argument, NULL, STATS_BIN},
    {"against", required_argument, NULL, STATS_AGAINST},
    {"svg", required_argument, NULL, STATS_SVG},
};

enum { LEAST_VALUE = -6000, MOST_VALUE = 6000, N_VALUES = MOST_VALUE - LEAST_VALUE + 1, AGREED = N_CAUSES };

/* One thread's counts, and what it evaluates with. */
struct tally {
    uint64_t positions, captures;
    uint64_t of_value[N_VALUES]; /* from LEAST_VALUE on */
    uint64_t of_depth[SEEBATCH_MAX_EXCHANGE + 1];
    uint64_t of_captures[SEEBATCH_MAX_MOVES + 1];
    uint64_t of_cause[N_CAUSES + 1];
    struct requests requests;
    int16_t *values[2];
    size_t capacity;
};

struct statistics {
    struct pipeline_options options;
    struct pipeline pipeline;
    seebatch_rules rules[2]; /* --rules, --against */
    struct features features[2];
    const char *against, *svg;
    long bin, nodes;
};

static void take_option(const char *command, int val, const char *argument, void *state)
{
    struct statistics *statistics = state;
    if (pipeline_options_take(command, val, argument, &statistics->options))
        return;
    if (val == STATS_AGAINST)
        statistics->against = argument;
    else if (val == STATS_SVG)
        statistics->svg = read_output_name(command, "--svg", argument);
    else if (!options_integer(argument, argument + strlen(argument), 1, N_VALUES, &statistics->bin))
        usage_error(command, "--bin: '%s' is not an integer from 1 to %d", argument, N_VALUES);
}

/* ---- Counting ---------------------------------------------------------------------------------------------------- */

static void evaluate(const struct statistics *statistics, struct tally *tally, const struct batch *batch, size_t n)
{
    if (tally->capacity < n) {
        tally->capacity = tally->requests.capacity;
        for (int i = 0; i < 2; i++)
            tally->values[i] = reallocate(tally->values[i], tally->capacity, sizeof *tally->values[i]);
    }
    const seebatch_batch requests = requests_of_batch(&tally->requests, batch);
    for (int i = 0; i < (statistics->against != NULL ? 2 : 1); i++)
        seebatch_batch_values(&statistics->rules[i], &requests, tally->values[i], NULL);
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
            cause_of(&a, &b, statistics->rules[0].value, position, tally->requests.moves[k], statistics->nodes, &alone);
    tally->of_cause[cause]++;
}

static bool count_batch(void *context, void *state, struct block *block, struct batch *batch)
{
    const struct statistics *statistics = context;
    struct tally *tally = state;
    const size_t n = requests_of_captures(&tally->requests, batch, NULL);
    (void)block;
    evaluate(statistics, tally, batch, n);
    tally->positions += batch->n;
    tally->captures += n;
    for (size_t i = 0; i < batch->n; i++) {
        const size_t first = tally->requests.offsets[i], end = tally->requests.offsets[i + 1];
        tally->of_captures[end - first]++;
        for (size_t k = first; k < end; k++) {
            seebatch_trace trace;
            seebatch_explain(&statistics->rules[0], &batch->positions[i], tally->requests.moves[k], &trace);
            tally->of_depth[trace.length]++;
            tally->of_value[tally->values[0][k] - LEAST_VALUE]++;
            if (statistics->against != NULL)
                count_cause(statistics, tally, &batch->positions[i], k);
        }
    }
    return true;
}

static void add_counts(uint64_t *to, const uint64_t *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] += from[i];
}

/* Adds all threads' counts to those of the first. */
static struct tally *add_tallies(void **tallies, int n)
{
    struct tally *sum = tallies[0];
    for (int i = 1; i < n; i++) {
        const struct tally *tally = tallies[i];
        sum->positions += tally->positions;
        sum->captures += tally->captures;
        add_counts(sum->of_value, tally->of_value, N_VALUES);
        add_counts(sum->of_depth, tally->of_depth, SEEBATCH_MAX_EXCHANGE + 1);
        add_counts(sum->of_captures, tally->of_captures, SEEBATCH_MAX_MOVES + 1);
        add_counts(sum->of_cause, tally->of_cause, N_CAUSES + 1);
    }
    return sum;
}

/* ---- Showing ----------------------------------------------------------------------------------------------------- */

enum { CAPTURES, VALUES, DEPTHS, CAUSES, N_HISTOGRAMS };

/* Bars of bin values each, one of which begins at 0. */
static void fill_values(struct histogram *histogram, const struct tally *tally, long bin)
{
    for (long from = -((-(long)LEAST_VALUE + bin - 1) / bin) * bin; from <= MOST_VALUE; from += bin) {
        uint64_t count = 0;
        for (long value = from; value < from + bin; value++)
            if (value >= LEAST_VALUE && value <= MOST_VALUE)
                count += tally->of_value[value - LEAST_VALUE];
        histogram_add(histogram, from, from + bin - 1, NULL, count);
    }
    histogram_trim(histogram);
}

static void fill_counts(struct histogram *histogram, const uint64_t *counts, long n)
{
    for (long i = 0; i < n; i++)
        histogram_add(histogram, i, i, NULL, counts[i]);
    histogram_trim(histogram);
}

/* Returns how many histograms there are. */
static size_t make_histograms(struct histogram histograms[N_HISTOGRAMS], const struct statistics *statistics,
                              const struct tally *tally)
{
    histograms[CAPTURES] = (struct histogram){.name = "captures", .title = "positions by number of captures"};
    histograms[VALUES] = (struct histogram){.name = "values", .title = "captures by value"};
    histograms[DEPTHS] = (struct histogram){.name = "depths", .title = "captures by length of the exchange"};
    histograms[CAUSES] = (struct histogram){.name = "causes", .title = "captures by cause of disagreement"};
    fill_counts(&histograms[CAPTURES], tally->of_captures, SEEBATCH_MAX_MOVES + 1);
    fill_values(&histograms[VALUES], tally, statistics->bin);
    fill_counts(&histograms[DEPTHS], tally->of_depth, SEEBATCH_MAX_EXCHANGE + 1);
    if (statistics->against == NULL)
        return CAUSES;
    histogram_add(&histograms[CAUSES], AGREED, AGREED, "none", tally->of_cause[AGREED]);
    for (int cause = 0; cause < N_CAUSES; cause++)
        histogram_add(&histograms[CAUSES], cause, cause, cause_names[cause], tally->of_cause[cause]);
    return N_HISTOGRAMS;
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
    struct bytes text = {NULL, 0, 0};
    for (size_t i = 0; i < n && options->format != FORMAT_JSON; i++) {
        if (options->format == FORMAT_TSV)
            histogram_rows(&text, &histograms[i]);
        else
            histogram_text(&text, &histograms[i]);
        if (options->format == FORMAT_TEXT && i + 1 < n)
            bytes_add_char(&text, '\n');
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
    struct bytes svg = {NULL, 0, 0};
    char heading[128];
    snprintf(heading, sizeof heading, "seebatch stats: %llu positions, rules %s%s%s",
             (unsigned long long)tally->positions, options->rules_name, statistics->against != NULL ? " against " : "",
             statistics->against != NULL ? statistics->against : "");
    histograms_svg(&svg, heading, histograms, n);
    struct sink *sink = sink_open(statistics->svg);
    bool well = sink != NULL && sink_write(sink, &fen_format, svg.data, svg.used);
    well = sink != NULL && sink_close(sink, well) && well;
    free(svg.data);
    return well;
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

static void **make_tallies(int n)
{
    void **tallies = reallocate(NULL, (size_t)n, sizeof *tallies);
    for (int i = 0; i < n; i++) {
        tallies[i] = reallocate(NULL, 1, sizeof(struct tally));
        memset(tallies[i], 0, sizeof(struct tally));
    }
    return tallies;
}

static void free_tallies(void **tallies, int n)
{
    for (int i = 0; i < n; i++) {
        struct tally *tally = tallies[i];
        free(tally->requests.moves);
        free(tally->values[0]);
        free(tally->values[1]);
        free(tally);
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

int stats_command(int argc, char **argv)
{
    struct options options;
    static struct statistics statistics = {.bin = 100};
    const struct more_options more = {
        own_options, sizeof own_options / sizeof own_options[0], take_option, &statistics, {0}};
    pipeline_options_begin(&statistics.options);
    options_parse_more(argc, argv,
                       OPTION_RULES | OPTION_VALUES | OPTION_KERNEL | OPTION_NODES | OPTION_FORMAT | OPTION_TSV_TOO,
                       &more, help, FORMAT_TEXT, &options);
    prepare_rules(argv[0], &statistics, &options);

    struct pipeline *pipeline = &statistics.pipeline;
    pipeline->work = count_batch;
    pipeline->context = &statistics;
    pipeline_prepare(pipeline, argv[0], &statistics.options, &options);
    pipeline->states = make_tallies(pipeline->threads);
    inputs_check(argv[0], pipeline->names, pipeline->n_names, true);
    interrupt_catch();
    const struct totals totals = pipeline_run(pipeline);
    if (totals.incomplete)
        return totals.refused ? STATUS_USAGE : STATUS_ERROR;

    struct histogram histograms[N_HISTOGRAMS];
    const struct tally *tally = add_tallies(pipeline->states, pipeline->threads);
    const size_t n = make_histograms(histograms, &statistics, tally);
    bool well = !totals.failed;
    if (statistics.svg != NULL)
        well = draw(&options, &statistics, tally, histograms, n) && well;
    print(&options, &statistics, tally, histograms, n);
    for (size_t i = 0; i < n; i++)
        histogram_free(&histograms[i]);
    free_tallies(pipeline->states, pipeline->threads);
    return well ? STATUS_OK : STATUS_ERROR;
}
