/*
 * seebatch stats: what is in files of any size.
 *
 * The counting, the sketches and all forms of the report are those of seebatch_io (io/stats). Here are the options, the
 * runs, and the causes of differences between two rule sets, which are those of seebatch compare.
 */
#include <stdarg.h>
#include <stdlib.h>

#include "compare.h"
#include "pipeline/command_line.h"
#include "pipeline/interrupt.h"
#include "stats/counters.h"

enum { STATS_BIN = OPTION_OWN, STATS_AGAINST, STATS_PLAYED, STATS_UNIQUE, STATS_BY_FILE, STATS_HTML, STATS_SVG };

static const struct option_row option_rows[] = {
    GROUP("Counts"),
    {"unique", NULL, STATS_UNIQUE, 0, "counts the different positions exactly, instead of estimating them within 1%",
     "Counts the different positions exactly. Without this option their number is an estimate with a standard error of "
     "0.2%. The input is read twice, and temporary files are written to TMPDIR or /tmp.",
     NULL},
    {"played", "RULES[:P,N,B,R,Q]", STATS_PLAYED, SEVERAL,
     "another rule set, with other piece values, by which the played moves are valued",
     "Another rule set by which the moves of the records are valued, besides that of --rules: the report then says for "
     "each what a pruning threshold would cost. Five piece values may follow; without them, those of --values hold. Up "
     "to seven rule sets can be given.",
     NULL},
    {"by-file", NULL, STATS_BY_FILE, 0, "counts each file for itself, and shows them side by side",
     "Counts each file for itself, and shows the files side by side: before and after a filter, for example. At most "
     "eight files can be given.",
     NULL},
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
    {"format", "report|text|tsv|json", OPTION_FORMAT, 0,
     "the report for people; the histograms of exchanges as tables, or as rows with histogram, from, to and count; or "
     "everything as one JSON object",
     "The report for people, in at most forty lines; the histograms of exchanges as tables to read; the same as rows "
     "of "
     "histogram, from, to and count under a header, where both ends are included (for causes, both are the name); or "
     "one JSON object with everything, whose members docs/stats-json.md describes.",
     "report"},
    {"html", "FILE", STATS_HTML, 0, "also writes the report with charts as a page",
     "Also writes the report with charts as a page, which needs neither scripts nor other files. The file appears "
     "under "
     "its name when it is complete. It must not be a file of the input, and it replaces only files that are HTML.",
     NULL},
    {"svg", "FILE", STATS_SVG, 0, "also draws the charts as an SVG picture",
     "Also draws the charts as an SVG picture, which shows the name and count of the bar under "
     "the pointer. The file appears under its name when it is complete. It must not be a file of the "
     "input, and it replaces only files that are SVG.",
     NULL},
    PIPELINE_INPUT_OPTIONS,
    EVALUATION_OPTIONS,
    PIPELINE_RUN_OPTIONS,
    {0},
};

enum { MOST_FILES = 8, MEMORY_OF_UNIQUE = 24 << 20 };

/* What one thread finds causes with. */
struct comparison {
    struct queries queries;
    int16_t *values[2];
    size_t capacity;
};

struct statistics {
    struct pipeline_run run;
    seebatch_stats *stats;          /* of the run */
    struct comparison *comparisons; /* one a thread, with --against */
    seebatch_rules rules[2];        /* --rules, --against */
    struct features features[2];
    const char *against, *svg, *html;
    const char *played[MOST_RULE_SETS];
    size_t n_played;
    bool unique, by_file;
    long bin, nodes;
};

static void take_option(const char *command, int val, const char *argument, void *state)
{
    struct statistics *statistics = state;
    if (pipeline_take(&statistics->run, val, argument))
        return;
    switch (val) {
    case STATS_AGAINST: statistics->against = argument; break;
    case STATS_UNIQUE: statistics->unique = true; break;
    case STATS_BY_FILE: statistics->by_file = true; break;
    case STATS_SVG: statistics->svg = read_output_name(command, "--svg", argument); break;
    case STATS_HTML: statistics->html = read_output_name(command, "--html", argument); break;
    case STATS_PLAYED:
        if (statistics->n_played + 1 == MOST_RULE_SETS)
            usage_error(command, "--played: '%s' is one too many, expected at most %d", argument, MOST_RULE_SETS - 1);
        statistics->played[statistics->n_played++] = argument;
        break;
    default:
        if (!options_integer(argument, argument + strlen(argument), 1, N_VALUES, &statistics->bin))
            usage_error(command, "--bin: '%s' is not an integer from 1 to %d", argument, N_VALUES);
    }
}

/* ---- Causes ------------------------------------------------------------------------------------------------------ */

/* Values of both rule sets for all captures; false if there is no memory. */
static bool reserve_values(struct comparison *comparison)
{
    const size_t capacity = comparison->queries.capacity;
    for (int i = 0; i < 2 && comparison->capacity < capacity; i++) {
        int16_t *values = realloc(comparison->values[i], capacity * sizeof *values);
        if (values == NULL)
            return false;
        comparison->values[i] = values;
    }
    comparison->capacity = capacity;
    return true;
}

static void count_cause(const struct statistics *statistics, const struct comparison *comparison, struct tally *tally,
                        const seebatch_position *position, size_t k)
{
    const struct answer a = {&statistics->features[0], comparison->values[0][k]};
    const struct answer b = {&statistics->features[1], comparison->values[1][k]};
    bool alone;
    int cause = N_CAUSES; /* both agree */
    if (a.value != b.value)
        cause = cause_of(&a, &b, statistics->rules[0].value, position, comparison->queries.moves[k], statistics->nodes,
                         &alone);
    tally->causes[cause]++;
}

static seebatch_io_status count_causes(const struct statistics *statistics, unsigned worker,
                                       const seebatch_records *records)
{
    struct comparison *comparison = &statistics->comparisons[worker];
    struct tally *tally = seebatch_io_stats_tally(statistics->stats, worker);
    const size_t *offsets = comparison->queries.offsets;
    if (!queries_of_captures(&comparison->queries, records->positions, records->n, NULL, NULL, NULL) ||
        !reserve_values(comparison))
        return SEEBATCH_IO_NO_MEMORY;
    const seebatch_batch queries = queries_of_batch(&comparison->queries, records->positions, records->n);
    for (int i = 0; i < 2; i++)
        seebatch_batch_values(&statistics->rules[i], &queries, comparison->values[i], NULL);
    for (size_t i = 0; i < records->n && interrupt_signal() == 0; i++)
        for (size_t k = offsets[i]; k < offsets[i + 1]; k++)
            count_cause(statistics, comparison, tally, &records->positions[i], k);
    return SEEBATCH_IO_OK;
}

/* ---- Counting ---------------------------------------------------------------------------------------------------- */

static seebatch_io_status count_batch(void *user, unsigned worker, seebatch_batch_of_file *batch,
                                      const seebatch_records *records)
{
    const struct statistics *statistics = user;
    seebatch_io_status status = seebatch_stats_count(statistics->stats, worker, batch, records);
    if (status == SEEBATCH_IO_OK && statistics->against != NULL)
        status = count_causes(statistics, worker, records);
    if (status == SEEBATCH_IO_OK && statistics->unique) /* what is counted as written is different */
        status = seebatch_batch_write_range(batch, 0, records->n);
    return status;
}

static void begin_again(void *user) { seebatch_stats_reset(((struct statistics *)user)->stats); }

/* A message with the name of the command. */
PRINTF_LIKE(1, 2) static void complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("seebatch stats: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

static _Noreturn void fail(const seebatch_io_error *error)
{
    complain("%s", error->text);
    exit(error->status == SEEBATCH_IO_USAGE ? STATUS_USAGE : STATUS_ERROR);
}

/* The rule set of --played, with its name, which stays. */
static seebatch_stats_rules read_played(const char *command, const char *text, const struct options *options)
{
    static char names[MOST_RULE_SETS][128];
    static size_t n;
    seebatch_stats_rules rules;
    seebatch_error error;
    char *name = names[n++];
    const size_t length = strcspn(text, ":");
    if (length >= sizeof names[0])
        usage_error(command, "--played: '%s' is too long for a rule set", text);
    memcpy(name, text, length);
    name[length] = '\0';
    if (seebatch_rules_named(name, &rules.rules, &error) != SEEBATCH_OK)
        usage_error(command, "--played: %s", error.text);
    memcpy(rules.rules.value, options->rules.value, sizeof rules.rules.value);
    if (text[length] == ':')
        options_values(command, "--played", text + length + 1, rules.rules.value);
    rules.name = name;
    return rules;
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

/* Empty statistics for a run with these rules. */
static seebatch_stats *new_stats(const struct statistics *statistics, const seebatch_stats_rules *rules)
{
    const seebatch_stats_options options = {rules, statistics->n_played + 1, statistics->bin,
                                            statistics->run.options.threads};
    seebatch_io_error error;
    seebatch_stats *stats = seebatch_stats_new(&options, &error);
    if (stats == NULL)
        fail(&error);
    if (statistics->against != NULL && !seebatch_io_stats_compare(stats, statistics->against, cause_names, N_CAUSES))
        no_memory();
    return stats;
}

/* Runs over some files. Returns the exit status; *whole is whether the run came to its end. */
static int count_files(struct statistics *statistics, struct options *options, bool *whole)
{
    struct pipeline_run *run = &statistics->run;
    seebatch_io_error error;
    const int status = pipeline_run(run);
    *whole = !run->counts.incomplete;
    (void)options;
    if (*whole && seebatch_stats_finish(statistics->stats, &run->options, &run->counts, &error) != SEEBATCH_IO_OK)
        fail(&error);
    return run->counts.empty_files > 0 && status == STATUS_OK ? STATUS_ERROR : status;
}

static struct comparison *make_comparisons(unsigned n)
{
    struct comparison *comparisons = reallocate(NULL, n, sizeof *comparisons);
    memset(comparisons, 0, n * sizeof *comparisons);
    return comparisons;
}

static void free_comparisons(struct comparison *comparisons, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        free(comparisons[i].queries.moves);
        free(comparisons[i].values[0]);
        free(comparisons[i].values[1]);
    }
    free(comparisons);
}

/* Counts all files, or each for itself: fills stats, and returns how many there are. */
static size_t count_all(struct statistics *statistics, struct options *options, seebatch_stats **stats, int *status)
{
    struct pipeline_run *run = &statistics->run;
    const struct pipeline_run before = *run;
    const size_t n = statistics->by_file ? (size_t)options->n_operands : 1;
    seebatch_stats_rules rules[MOST_RULE_SETS] = {{options->rules_name, options->rules}};
    for (size_t i = 0; i < statistics->n_played; i++)
        rules[i + 1] = read_played(run->command, statistics->played[i], options);
    statistics->comparisons = statistics->against != NULL ? make_comparisons(run->options.threads) : NULL;
    for (size_t i = 0; i < n; i++) {
        struct options part = *options;
        bool whole;
        *run = before;
        if (statistics->by_file) {
            part.operands = &options->operands[i];
            part.n_operands = 1;
        }
        statistics->stats = stats[i] = new_stats(statistics, rules);
        pipeline_prepare(run, &part, false);
        const int ended = count_files(statistics, &part, &whole);
        *status = ended > *status ? ended : *status;
        if (!whole)
            exit(*status);
    }
    free_comparisons(statistics->comparisons, statistics->comparisons != NULL ? before.options.threads : 0);
    return n;
}

/* ---- Reports that are added -------------------------------------------------------------------------------------- */

static bool is_json(const char *name)
{
    const size_t length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".json") == 0;
}

/* Whether the operands are reports; all of them, or none. */
static bool are_reports(const char *command, const struct options *options)
{
    int n = 0;
    for (int i = 0; i < options->n_operands; i++)
        n += is_json(options->operands[i]);
    for (int i = 0; i < options->n_operands && n > 0 && n < options->n_operands; i++)
        if (!is_json(options->operands[i]))
            usage_error(
                command,
                "%s: it is no report, but others are, expected files of positions alone, or reports (.json) alone",
                options->operands[i]);
    return n > 0;
}

/* Reads a whole file; ends the program if that fails. */
static struct bytes read_file(const char *name)
{
    enum { ROOM = 1 << 16 };
    struct bytes bytes = {0}, why = {0};
    struct stream stream;
    long got = seebatch_io_stream_open(&stream, name, &why) ? 1 : -1;
    const bool open = got > 0;
    while (got > 0 && bytes_reserve(&bytes, ROOM)) {
        got = seebatch_io_stream_read(&stream, bytes.data + bytes.used, ROOM, &why);
        bytes.used += got > 0 ? (size_t)got : 0;
    }
    if (got != 0) {
        complain("%s: %.*s", name, bytes.failed ? 13 : (int)why.used, bytes.failed ? "out of memory" : why.data);
        exit(STATUS_ERROR);
    }
    if (open)
        seebatch_io_stream_close(&stream);
    free(why.data);
    return bytes;
}

static size_t add_reports(const struct statistics *statistics, const struct options *options, seebatch_stats **stats,
                          int *status)
{
    size_t n = 0;
    for (int i = 0; i < options->n_operands; i++) {
        seebatch_io_error error;
        const char *name = options->operands[i];
        struct bytes bytes = read_file(name);
        seebatch_stats *one = seebatch_stats_from_json(name, bytes.data, bytes.used, &error);
        free(bytes.data);
        if (one == NULL)
            fail(&error);
        if (one->counts.bad > 0 || one->counts.damaged || one->counts.incomplete || one->counts.empty_files > 0)
            *status = STATUS_ERROR;
        if (n == 0 || statistics->by_file) {
            stats[n++] = one;
            continue;
        }
        if (seebatch_stats_add(stats[0], one, &error) != SEEBATCH_IO_OK) {
            complain("%s and %s: %s", options->operands[0], name, error.text);
            seebatch_stats_free(one);
            seebatch_stats_free(stats[0]);
            exit(error.status == SEEBATCH_IO_USAGE ? STATUS_USAGE : STATUS_ERROR);
        }
        seebatch_stats_free(one);
    }
    return n;
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

/* A form of the reports; ends the program if there is no memory. */
static char *write_form(seebatch_stats *const *stats, size_t n, const char *form, size_t *length)
{
    seebatch_io_error error;
    char *text;
    if (seebatch_stats_write((const seebatch_stats *const *)stats, n, form, &text, length, &error) != SEEBATCH_IO_OK)
        fail(&error);
    return text;
}

/* Returns whether the file was written. */
static bool write_file(seebatch_stats *const *stats, size_t n, const char *form, const char *name)
{
    seebatch_io_error error;
    size_t length;
    char *text = write_form(stats, n, form, &length);
    const bool well = seebatch_write_file(name, text, length, &error) == SEEBATCH_IO_OK;
    if (!well)
        complain("%s", error.text);
    free(text);
    return well;
}

static void print(const struct options *options, seebatch_stats *const *stats, size_t n)
{
    static const char *const forms[] = {
        [FORMAT_TSV] = "tsv", [FORMAT_JSON] = "json", [FORMAT_TEXT] = "text", [FORMAT_REPORT] = "report"};
    static struct output output;
    size_t length;
    char *text = write_form(stats, n, forms[options->format], &length);
    output_bytes(&output, text, length);
    output_finish(&output);
    free(text);
}

static void check_usage(const char *command, const struct statistics *statistics, const struct options *options,
                        bool reports)
{
    if (statistics->by_file && options->n_operands > MOST_FILES)
        usage_error(command, "--by-file: there are %d files, expected at most %d", options->n_operands, MOST_FILES);
    if (statistics->by_file && options->n_operands > 1 && options->format != FORMAT_REPORT)
        usage_error(command, "--by-file: several reports have no --format but report, expected that, --html or --svg");
    if (reports && (statistics->unique || statistics->against != NULL || statistics->n_played > 0 ||
                    options->values != NULL || statistics->run.options.of > 0 || options->from != NULL))
        usage_error(command,
                    "reports (.json) have been counted already, expected no options about what is read or counted");
}

static int run_command(int argc, char **argv)
{
    struct options options;
    static struct statistics statistics = {.bin = 100};
    static seebatch_stats *stats[MOST_FILES];
    struct pipeline_run *run = &statistics.run;
    int status = STATUS_OK;
    pipeline_begin(run, argv[0]);
    run->verb = NULL;
    options_parse(&stats_command, argc, argv, take_option, &statistics, &options);
    prepare_rules(argv[0], &statistics, &options);
    options_standard_input(&options);
    options_check_names(argv[0], &options);
    const bool reports = are_reports(argv[0], &options);
    check_usage(argv[0], &statistics, &options, reports);
    if (statistics.svg != NULL)
        inputs_check_picture(argv[0], "--svg", statistics.svg, "SVG", "<svg", options.operands, options.n_operands);
    if (statistics.html != NULL)
        inputs_check_picture(argv[0], "--html", statistics.html, "HTML", "<html", options.operands, options.n_operands);

    run->options.work = count_batch;
    run->options.wanted = SEEBATCH_HAS_MOVE | SEEBATCH_HAS_SCORE | SEEBATCH_HAS_RESULT | SEEBATCH_HAS_PLY;
    run->options.unique = statistics.unique;
    run->options.memory = statistics.unique ? MEMORY_OF_UNIQUE : 0;
    run->options.again = begin_again;
    const size_t n =
        reports ? add_reports(&statistics, &options, stats, &status) : count_all(&statistics, &options, stats, &status);
    bool well = status == STATUS_OK;
    if (statistics.svg != NULL)
        well = write_file(stats, n, "svg", statistics.svg) && well;
    if (statistics.html != NULL)
        well = write_file(stats, n, "html", statistics.html) && well;
    print(&options, stats, n);
    for (size_t i = 0; i < n; i++)
        seebatch_stats_free(stats[i]);
    return well ? STATUS_OK : STATUS_ERROR;
}

const struct command stats_command = {
    .name = "stats",
    .summary = "say what is in files: results, scores, moves, exchanges, as a report and charts",
    .about = "Says what is in files of positions: format and size, results, scores, plies, pieces, moves, equal "
             "positions, how scores agree with results, what the legal captures and the played moves are worth, and "
             "what looks wrong.",
    .operands = {"[FILE ...]", "REPORT.json ..."},
    .examples = {{"Count one capture, worth 100:",
                  "echo '1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -' | seebatch stats --format tsv"},
                 {"Say what is in a file, and write a page to show to others:",
                  "seebatch stats --html report.html games.binpack"},
                 {"What thresholds would prune, by two rule sets and other values:",
                  "seebatch stats --rules swap --played stockfish --played swap:100,300,300,500,900 games.binpack"}},
    .details =
        "Files are read as by seebatch filter. Sentences after '!' say what looks wrong. The length of an exchange "
        "is the number of captures on the "
        "square if nobody stops. Captures that the rules let pass at any threshold have no value, and a bar of "
        "their own, passing. Reports that --format json has written are added, so that many machines can share "
        "the work. Without FILE, or for -, standard input is read.",
    .options = option_rows,
    .status = "0 if all is well; 1 if something could not be read or written, or a file has no positions; 2 if the "
              "command line is wrong.",
    .run = run_command,
};
