/*
 * seebatch filter: keeps or drops positions by conditions, in any number and of any length, through the pipeline.
 */
#include <stdlib.h>

#include "decisions.h"
#include "support/numbers.h"
#include "pipeline/command_line.h"
#include "support/splitmix.h"

enum { MOST_WISHES = 65 };
enum {
    FILTER_KEEP = OPTION_OWN,
    FILTER_DROP,
    FILTER_INVERT,
    FILTER_COUNT,
    FILTER_SAMPLE,
    FILTER_SEED,
    FILTER_UNIQUE,
    FILTER_SHUFFLE,
    FILTER_MEMORY,
    FILTER_MARK,
    FILTER_EXPLAIN
};

/* The conditions, and the formats with the extensions of their names. */
static void list_conditions(struct output *output)
{
    seebatch_condition condition;
    seebatch_file_format format;
    output_string(
        output, "\nConditions are joined by and, or, not and parentheses, and compared by =, !=, <, <=, > and >=: "
                "'(quiet and\nabs(score) < 1000) or ply >= 100'. RANGE is A..B (both included), A.., ..B, or A alone, "
                "and P is from 0 to 1:\n");
    for (size_t i = 0; seebatch_condition_at(i, &condition); i++) {
        char term[48];
        snprintf(term, sizeof term, "%s%s", condition.name, condition.argument);
        help_row(output, term, condition.what);
    }
    output_string(output, "\nFormats, and the extensions of names that say them:\n");
    for (size_t i = 0; seebatch_format_at(i, &format); i++) {
        char term[80];
        snprintf(term, sizeof term, "%s", format.name);
        for (size_t k = 0; k < 3 && format.extensions[k] != NULL; k++)
            snprintf(term + strlen(term), sizeof term - strlen(term), " %s", format.extensions[k]);
        help_row(output, term, format.what);
    }
}

static const struct option_row option_rows[] = {
    GROUP("Selection"),
    {"keep", "CONDITION", FILTER_KEEP, SEVERAL,
     "keeps only positions that meet the condition, such as 'quiet and ply >= 16'; see below",
     "Writes only records that meet the condition; see `CONDITIONS`. Up to 64 conditions with 128 terms can be "
     "given, including those of --drop.",
     NULL},
    {"drop", "CONDITION", FILTER_DROP, SEVERAL, "drops the positions that meet the condition",
     "Writes only records that do not meet the condition.", NULL},
    {"invert", NULL, FILTER_INVERT, 0,
     "writes exactly the positions that all of --keep and --drop together would leave out",
     "Writes the complement of the whole selection: exactly the good records that all of --keep and --drop together "
     "would "
     "leave out. The summary says so. Bad records are not written in either case, and --sample chooses afterwards.",
     NULL},
    {"explain", NULL, FILTER_EXPLAIN, 0,
     "prints the conditions as they were understood, and why positions are kept or dropped, and writes none",
     "Writes no records. Instead, prints the conditions as they were understood, with all parentheses, ranges, rules "
     "and "
     "piece values; for each term, the number of records for which it was tested, held, and decided; and for the first "
     "ten records, which terms were tested and which one decided. A term is tested only if those before it leave the "
     "record undecided, and terms that cost less come first. One thread works.",
     NULL},
    {"sample", "P", FILTER_SAMPLE, 0, "writes each of them with probability P, from 0 to 1",
     "Writes each of the remaining records with probability *P*, from 0 to 1. Whether a record "
     "belongs to the sample depends only on the seed and on the number of bytes of input before it "
     "(after decompression), and not on threads, conditions or parts.",
     "1"},
    {"unique", NULL, FILTER_UNIQUE, 0, "writes only the first of equal positions, in the whole input",
     "Of the records that would be written, writes only the first of equal positions. Positions are "
     "equal if they have the same pieces, side to move and castling rights, and the same en passant "
     "square if a legal move captures there. Clocks, move, score and result are not compared. The "
     "comparison is exact: positions are compared, not only their hashes. The input is read twice, "
     "so a pipe or standard input is first copied to a temporary file. With --part, only equal "
     "positions within the part are found.",
     NULL},
    {"count", NULL, FILTER_COUNT, 0, "prints how many positions there are, and writes none",
     "Prints how many records would be written, instead of writing them.", NULL},
    PIPELINE_OUTPUT_OPTIONS,
    SHARED("columns"),
    {"shuffle", NULL, FILTER_SHUFFLE, 0, "writes the positions in a random order",
     "Writes the records in random order, over the whole input; every order is equally likely. The "
     "order depends on the seed and on the records that are written, but not on memory or threads. "
     "It breaks up games and chains: in a binpack, a record then takes about 34 bytes instead of 2 "
     "to 3, and in viriformat 40 instead of 4. If the run stops before its end, nothing is written.",
     NULL},
    {"mark-score", "N", FILTER_MARK, 0,
     "writes all positions; those that would be left out get this score, as it stands in the file",
     "Writes all good records, but gives those that would be left out the score *N*, from -32767 to "
     "32767, which trainers are told to skip; in Stockfish's data it is 32002. This is the number "
     "that is written to the file: the score of the side to move where `FORMATS` says so, and "
     "White's otherwise. If the output has the format of the input, nothing else in the record changes.\n\n"
     "This option keeps binpacks small. A position that is left out breaks its chain, and the next "
     "one takes 34 bytes instead of 2 or 3, so that a binpack without some of its positions may be larger "
     "than one with all of them. docs/data.md has the sizes of an example.",
     NULL},
    PIPELINE_INPUT_OPTIONS,
    EVALUATION_OPTIONS,
    PIPELINE_RUN_OPTIONS,
    {"seed", "S", FILTER_SEED, 0, "the seed of --sample, --shuffle and the conditions that hold at random, an integer",
     "The seed of --sample, --shuffle and random conditions, an integer from 0 to 2^64 - 1.", "0"},
    {"memory", "SIZE", FILTER_MEMORY, SAME_OUTPUT,
     "how much memory --unique and --shuffle may take, as 512M or 4G; the rest goes to temporary files",
     "How much memory --unique and --shuffle may take together, in addition to what every run takes: "
     "a number of bytes, or a number followed by K, M, G or T (powers of 1024), at least 1M. The "
     "rest goes to temporary files in the directory of --output, or, without that option, in "
     "`TMPDIR` or /tmp. There, --unique takes about 60 bytes and one bit for each record, and "
     "--shuffle takes the size of the output before compression and 12 bytes for each record. Each "
     "file loses its name as soon as it is made, so nothing is left of it, however the run ends; only a "
     "program that is killed at that moment leaves an empty file .seebatch.XXXXXX.",
     "1G"},
    {0},
};

struct filter {
    struct pipeline_run run;
    struct wish {
        const char *text;
        bool keep;
    } wishes[MOST_WISHES];
    int n_wishes;
    seebatch_conditions *conditions;
    bool invert, count, mark, chance, explain;
    int16_t marked_score;
    double sample;
    uint64_t seed, splitmix_seed;
    struct tally *tallies; /* one for each worker */
    struct decisions decisions;
};

/* What a worker has left out or marked. */
struct tally {
    uint64_t by[MOST_WISHES]; /* by which condition, from 1; with --invert, what that has let in */
    uint64_t by_sample;
};

/* Conditions wait until the rules are known; the library says how many there may be. */
static void add_wish(struct filter *filter, const char *text, bool keep)
{
    if (filter->n_wishes == MOST_WISHES)
        usage_error(filter->run.command, "more than %d conditions were given", MOST_WISHES - 1);
    filter->wishes[filter->n_wishes++] = (struct wish){text, keep};
}

static void read_sample(const char *command, const char *text, struct filter *filter)
{
    if (!seebatch_io_read_real(text, strlen(text), &filter->sample) || !(filter->sample >= 0 && filter->sample <= 1))
        usage_error(command, "--sample: '%s' is not a number from 0 to 1", text);
}

static void read_mark(const char *command, const char *text, struct filter *filter)
{
    long score;
    if (!options_integer(text, text + strlen(text), -INT16_MAX, INT16_MAX, &score))
        usage_error(command, "--mark-score: '%s' is not an integer from %d to %d", text, -INT16_MAX, INT16_MAX);
    filter->mark = true;
    filter->marked_score = (int16_t)score;
}

/* Reads a number of bytes, or of KiB, MiB, GiB or TiB. */
static void read_memory(const char *command, const char *text, struct filter *filter)
{
    static const char units[] = "KMGT";
    const char *end = text + strlen(text), *unit = end > text ? strchr(units, end[-1]) : NULL;
    const int shift = unit != NULL ? 10 * (int)(unit - units + 1) : 0;
    long number = 0;
    if (!options_integer(text, end - (unit != NULL), 1, unit != NULL ? 1 << 20 : 1000000000, &number) ||
        (uint64_t)number << shift < (uint64_t)1 << 20)
        usage_error(command, "--memory: '%s' is not a size such as 512M or 4G, of 1M at least", text);
    filter->run.options.memory = (uint64_t)number << shift;
}

static void take_option(const char *command, int val, const char *argument, void *state)
{
    struct filter *filter = state;
    if (pipeline_take(&filter->run, val, argument))
        return;
    switch (val) {
    case FILTER_KEEP: add_wish(filter, argument, true); break;
    case FILTER_DROP: add_wish(filter, argument, false); break;
    case FILTER_INVERT: filter->invert = true; break;
    case FILTER_COUNT: filter->count = true; break;
    case FILTER_EXPLAIN: filter->explain = true; break;
    case FILTER_SAMPLE: read_sample(command, argument, filter); break;
    case FILTER_SEED: filter->seed = options_seed(command, argument); break;
    case FILTER_MARK: read_mark(command, argument, filter); break;
    case FILTER_UNIQUE: filter->run.options.unique = true; break;
    case FILTER_SHUFFLE: filter->run.options.shuffle = true; break;
    case FILTER_MEMORY: read_memory(command, argument, filter); break;
    }
}

/* Leaves out those of n records that are not in the sample. The seed and the place where a record begins decide that, and
 * nothing else: neither the threads nor the other records. This is done in bytes and without a branch, because what is in
 * the sample cannot be predicted. Returns how many records are left out. */
static size_t leave_out_of_sample(const struct filter *filter, const uint64_t *identities, size_t n, uint8_t *in)
{
    const int64_t bound = random_bound(filter->sample);
    size_t left_out = 0;
    for (size_t i = 0; i < n; i++) {
        const uint8_t out = in[i] & (random_number(identities[i], filter->splitmix_seed) >= bound);
        in[i] ^= out;
        left_out += out;
    }
    return left_out;
}

/* Writes those of n records that are in, and the others with the score that marks them, if there is one. */
static seebatch_io_status write_or_mark(const struct filter *filter, seebatch_batch_of_file *batch, size_t n,
                                        const uint8_t *in)
{
    seebatch_io_status status = SEEBATCH_IO_OK;
    for (size_t i = 0, end; i < n && status == SEEBATCH_IO_OK; i = end) {
        end = i + 1;
        while (in[i] && end < n && in[end])
            end++;
        if (in[i])
            status = seebatch_batch_write_range(batch, i, end - i);
        else if (filter->mark)
            status = seebatch_batch_write_scored(batch, i, filter->marked_score);
    }
    return status;
}

/* Counts records by the condition that they fail, without a branch, because which ones cannot be guessed. Returns how
 * many fail none. */
static size_t add_to_tally(struct tally *tally, const uint8_t *failed, size_t n, int n_conditions)
{
    size_t met = 0;
    for (int k = 0; k <= n_conditions; k++) {
        uint16_t found = 0; /* enough for a batch, and narrow for vectors */
        for (size_t i = 0; i < n; i++)
            found = (uint16_t)(found + (failed[i] == (uint8_t)k));
        tally->by[k] += found;
        met = k == 0 ? found : met;
    }
    return met;
}

/* Which condition each record fails, counted by condition too. */
static seebatch_io_status find_failed(struct filter *filter, const seebatch_records *records, uint8_t *failed)
{
    return filter->explain ? decisions_add(&filter->decisions, filter->conditions, records, failed)
                           : seebatch_conditions_find(filter->conditions, records, failed);
}

static seebatch_io_status filter_batch(void *user, unsigned worker, seebatch_batch_of_file *batch,
                                       const seebatch_records *records)
{
    struct filter *filter = user;
    struct tally *tally = &filter->tallies[worker];
    uint8_t failed[SEEBATCH_IO_BATCH], in[SEEBATCH_IO_BATCH];
    uint64_t identities[SEEBATCH_IO_BATCH];
    seebatch_records tested = *records;
    if (filter->chance || filter->sample < 1)
        seebatch_batch_identities(batch, identities);
    tested.identities = filter->chance ? identities : NULL;
    seebatch_io_status status = find_failed(filter, &tested, failed);
    if (status != SEEBATCH_IO_OK)
        return status;
    size_t n_in = add_to_tally(tally, failed, records->n, filter->n_wishes);
    if (filter->invert)
        n_in = records->n - n_in;
    for (size_t i = 0; i < records->n; i++)
        in[i] = (failed[i] == 0) != filter->invert;
    if (filter->sample < 1) {
        const size_t left_out = leave_out_of_sample(filter, identities, records->n, in);
        tally->by_sample += left_out;
        n_in -= left_out;
    }
    if (filter->explain || (filter->count && !filter->run.options.unique)) {
        seebatch_batch_count(batch, n_in);
        return status;
    }
    return write_or_mark(filter, batch, records->n, in);
}

/* ---- What was left out ------------------------------------------------------------------------------------------- */

/* Called between the two readings of --unique, and after each part. */
static void forget_tallies(void *user)
{
    struct filter *filter = user;
    memset(filter->tallies, 0, filter->run.options.threads * sizeof *filter->tallies);
}

/* Reports as notes of the run those by[] of a tally, and after them by_sample. */
static void take_tallies(struct pipeline_run *run, uint64_t *notes)
{
    struct filter *filter = (struct filter *)run; /* which begins with it */
    for (unsigned i = 0; i < run->options.threads; i++) {
        for (int k = 0; k <= filter->n_wishes; k++)
            notes[k] += filter->tallies[i].by[k];
        notes[filter->n_wishes + 1] += filter->tallies[i].by_sample;
    }
    forget_tallies(filter);
}

/* Says by which conditions records were left out: each counts for the first that it fails. */
static void tell_tallies(const struct filter *filter)
{
    const char *verb = filter->mark ? "marked" : "left out";
    const uint64_t *by = filter->run.notes, by_sample = by[filter->n_wishes + 1];
    if (filter->run.progress.quiet || (filter->n_wishes == 0 && filter->sample >= 1))
        return;
    fprintf(stderr, "%s:", filter->run.command);
    if (filter->invert)
        fprintf(stderr,
                " --invert writes the complement of the whole selection: %llu %s because all conditions are met",
                (unsigned long long)by[0], verb);
    else if (filter->n_wishes > 0)
        fprintf(stderr, " %s", verb);
    for (int i = 0; i < filter->n_wishes && !filter->invert; i++)
        fprintf(stderr, "%s %llu by %s %s", i > 0 ? "," : "", (unsigned long long)by[i + 1],
                filter->wishes[i].keep ? "--keep" : "--drop", filter->wishes[i].text);
    if (filter->sample < 1)
        fprintf(stderr, "%s %llu %s by --sample", filter->n_wishes > 0 || filter->invert ? ";" : "",
                (unsigned long long)by_sample, verb);
    fputc('\n', stderr);
}

static void make_conditions(struct filter *filter, const seebatch_rules *rules)
{
    seebatch_io_error error;
    filter->conditions = seebatch_conditions_new(rules);
    if (filter->conditions == NULL)
        no_memory();
    for (int i = 0; i < filter->n_wishes; i++) {
        const struct wish *wish = &filter->wishes[i];
        const seebatch_io_status status = seebatch_conditions_add(filter->conditions, wish->keep, wish->text, &error);
        if (status == SEEBATCH_IO_NO_MEMORY)
            no_memory();
        if (status != SEEBATCH_IO_OK)
            usage_error(filter->run.command, "%s: %s", wish->keep ? "--keep" : "--drop", error.text);
    }
    if (seebatch_conditions_doubt(filter->conditions, &error))
        fprintf(stderr, "%s: warning: %s\n", filter->run.command, error.text);
    seebatch_conditions_seed(filter->conditions, filter->seed);
    filter->chance = seebatch_conditions_use_chance(filter->conditions);
}

/* Ends the program where options make no sense together. */
static void check_together(const struct filter *filter)
{
    const seebatch_pipeline_options *options = &filter->run.options;
    const char *command = filter->run.command;
    if (filter->count && (options->output != NULL || options->to != NULL || options->lose != NULL || filter->mark))
        usage_error(command,
                    "--count writes no positions, expected it without --output, --to, --lose and --mark-score");
    if (filter->explain && (filter->count || options->output != NULL || options->to != NULL || options->lose != NULL ||
                            filter->mark || options->unique || options->shuffle || filter->sample < 1))
        usage_error(command, "--explain writes no positions, expected it without --count, --output, --to, --lose, "
                             "--mark-score, --unique, --shuffle and --sample");
    if (filter->count && options->shuffle)
        usage_error(command, "--count writes no positions, expected it without --shuffle");
    if (filter->mark && options->unique)
        usage_error(command, "--mark-score writes all positions, expected it without --unique");
    if (options->memory > 0 && !options->unique && !options->shuffle)
        usage_error(command, "--memory was given without --unique and --shuffle, expected one of them");
}

static void explain(const struct filter *filter, const struct options *options, struct output *output)
{
    struct asked asked[MOST_WISHES];
    for (int i = 0; i < filter->n_wishes; i++)
        asked[i] = (struct asked){filter->wishes[i].keep ? "--keep" : "--drop", filter->wishes[i].text};
    decisions_print(output, &filter->decisions, filter->conditions, asked, filter->n_wishes, options);
    output_finish(output);
}

static int run_command(int argc, char **argv)
{
    struct options options;
    static struct filter filter;
    struct pipeline_run *run = &filter.run;
    static struct output output;
    pipeline_begin(run, argv[0]);
    filter.sample = 1;
    options_parse(&filter_command, argc, argv, take_option, &filter, &options);
    check_together(&filter);
    run->options.seed = filter.seed;

    filter.splitmix_seed = splitmix(filter.seed + GOLDEN_GAMMA);
    make_conditions(&filter, &options.rules);
    run->options.wanted = run->options.required = seebatch_conditions_fields(filter.conditions);
    run->options.work = filter_batch;
    run->options.again = forget_tallies;
    run->n_notes = (size_t)filter.n_wishes + 2;
    run->take_notes = take_tallies;
    run->options.scores = filter.mark;
    filter.tallies = reallocate(NULL, run->options.threads, sizeof *filter.tallies);
    memset(filter.tallies, 0, run->options.threads * sizeof *filter.tallies);
    if (filter.explain)
        run->options.threads = 1; /* which sees the records in the order of the input */
    run->verb = filter.count || filter.explain ? "counted" : "written";
    pipeline_prepare(run, &options, !filter.count && !filter.explain);
    const int status = pipeline_run(run);
    if (filter.explain && !run->counts.incomplete)
        explain(&filter, &options, &output);
    seebatch_conditions_free(filter.conditions);
    if (!run->counts.incomplete && run->begun)
        tell_tallies(&filter);
    free(filter.tallies);
    if (filter.count && !run->counts.incomplete) {
        output_printf(&output, "%llu\n", (unsigned long long)run->counts.written);
        output_finish(&output);
    }
    return status;
}

const struct command filter_command = {
    .name = "filter",
    .summary = "keep or drop positions by conditions",
    .about = "Writes the positions that meet all of your conditions, in order and unchanged.",
    .operands = {"[FILE ...]"},
    .examples = {{"Keep the quiet positions of two; the other one has a capture that wins a pawn:",
                  "printf '%s\\n' '1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -' '4k3/8/8/8/8/8/8/4K2R w K - 0 1' |\n   "
                  " seebatch filter --keep quiet"},
                 {"Drop positions in check, and those whose move is a capture, as trainers do:",
                  "seebatch filter --drop in-check --drop capture games.binpack --output quiet.binpack"},
                 {"Count the positions with a balanced score after the opening:",
                  "seebatch filter --keep abs-score=..100 --keep ply=16.. --count games.binpack"}},
    .details =
        "A position is written if it meets every --keep and no --drop. A comparison about something that a record "
        "does not have does not hold, so its negation does: --drop 'not score < 10' drops positions without a "
        "score, and --drop 'score >= 10' does not. What costs least is tested first, and exchanges only where "
        "nothing else decides.\n\nThe extensions of names say the formats, or --from and --to; "
        "files that end with .gz or .zst are compressed. Without FILE, or for -, standard input is read.",
    .options = option_rows,
    .lists = list_conditions,
    .status = "0 if all is well; 1 if something could not be read or written; 2 if the command line is wrong or "
              "something would be lost.",
    .run = run_command,
};
