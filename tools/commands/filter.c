/*
 * seebatch filter: keeps or drops positions by conditions, in any number and of any length, through the pipeline.
 */
#include <stdlib.h>

#include "conditions.h"
#include "pipeline/command_line.h"

static const char help[] =
    "usage: seebatch filter [OPTION ...] [FILE ...]\n"
    "\n"
    "Writes the positions that meet every --keep and no --drop, in their order and unchanged. Without FILE, or\n"
    "for -, reads standard input. What files hold is told by their names or by --from: .fen and .epd (fen),\n"
    ".scored (FEN | score | result), .csv, .tsv, .jsonl, .marlin and .bullet (records of 32 bytes), .vf\n"
    "(viriformat), .plain, .binpack, .pgn (read only); with .gz or .zst behind, compressed.\n"
    "\n"
    "  --keep CONDITION      only positions for which this holds; may be given several times, as --drop\n"
    "  --drop CONDITION      only positions for which this does not hold:\n"
    "                          in-check             the side to move is in check\n"
    "                          capture[=RANGE]      the record's move captures [with a value in the range]\n"
    "                          promotion[=RANGE]    it promotes\n"
    "                          tactical[=RANGE]     it captures or promotes\n"
    "                          any-capture[=RANGE]  there is a legal capture [with a value in the range]\n"
    "                          score=RANGE          the record's score, from White's point of view\n"
    "                          abs-score=RANGE      the same without its sign\n"
    "                          ply=RANGE            half moves since the start of the game\n"
    "                        RANGE is A..B, both included, A.., ..B, or A alone\n"
    "  --invert              writes those that would be left out, and leaves out the others\n"
    "  --sample P            writes each of them with probability P only, from 0 to 1\n"
    "  --seed S              another sample for each S (0)\n"
    "  --count               prints only how many there are\n" PIPELINE_OUTPUT_HELP PIPELINE_INPUT_HELP
    "  --rules NAME, --values P,N,B,R,Q, --kernel NAME  as in seebatch eval\n"
    "  -h, --help            this text\n"
    "\n"
    "Exit status: 0 all well, 1 something could not be read or written, 2 bad usage, or something would be lost.\n"
    "\n"
    "example: quiet positions only; the first one wins a pawn and is left out\n"
    "  printf '%s\\n' '1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -' '4k3/8/8/8/8/8/8/4K2R w K - 0 1' |\n"
    "    seebatch filter --drop in-check --drop any-capture=0..\n";

enum { FILTER_KEEP = PIPELINE_OWN, FILTER_DROP, FILTER_INVERT, FILTER_COUNT, FILTER_SAMPLE, FILTER_SEED };

static const struct option own_options[] = {
    PIPELINE_INPUT_OPTIONS,
    PIPELINE_OUTPUT_OPTIONS,
    {"keep", required_argument, NULL, FILTER_KEEP},
    {"drop", required_argument, NULL, FILTER_DROP},
    {"invert", no_argument, NULL, FILTER_INVERT},
    {"count", no_argument, NULL, FILTER_COUNT},
    {"sample", required_argument, NULL, FILTER_SAMPLE},
    {"seed", required_argument, NULL, FILTER_SEED},
};

struct filter {
    struct pipeline_options options;
    struct conditions conditions;
    struct pipeline pipeline;
    bool invert, count;
    double sample;
    uint64_t seed;
};

static void read_sample(const char *command, const char *text, struct filter *filter)
{
    char *end;
    filter->sample = strtod(text, &end);
    if (end == text || *end != '\0' || !(filter->sample >= 0 && filter->sample <= 1))
        usage_error(command, "--sample: '%s' is not a number from 0 to 1", text);
}

static void take_option(const char *command, int val, const char *argument, void *state)
{
    struct filter *filter = state;
    int64_t seed;
    if (pipeline_options_take(command, val, argument, &filter->options))
        return;
    switch (val) {
    case FILTER_KEEP: conditions_add(&filter->conditions, command, argument, true); break;
    case FILTER_DROP: conditions_add(&filter->conditions, command, argument, false); break;
    case FILTER_INVERT: filter->invert = true; break;
    case FILTER_COUNT: filter->count = true; break;
    case FILTER_SAMPLE: read_sample(command, argument, filter); break;
    case FILTER_SEED:
        if (!read_whole_number(argument, strlen(argument), 0, INT64_MAX, &seed))
            usage_error(command, "--seed: '%s' is not an integer from 0 on, of 15 digits at most", argument);
        filter->seed = (uint64_t)seed;
        break;
    }
}

/* The finalizer of splitmix64: every bit of the result depends on every bit of the number. */
static uint64_t mix(uint64_t number)
{
    number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
    return number ^ number >> 31;
}

/* Whether a record is in the sample. That is decided by the seed and by where the record begins, counted in bytes of
 * all input, so that it depends on nothing else: neither on threads nor on what other records there are. */
static bool in_sample(const struct filter *filter, const struct block *block, const struct record *record)
{
    const uint64_t place = block->source->start + block->offset + record->offset;
    const uint64_t random =
        mix(mix(filter->seed + UINT64_C(0x9e3779b97f4a7c15)) ^ mix(place + 1) ^ (uint64_t)record->within);
    return (double)(random >> 11) * 0x1p-53 < filter->sample;
}

static bool filter_batch(void *context, void *state, struct block *block, struct batch *batch)
{
    const struct filter *filter = context;
    struct judge *judge = state;
    conditions_judge(&filter->conditions, judge, batch);
    for (size_t i = 0; i < batch->n; i++) {
        const struct record *record = &batch->records[i];
        if (judge->in[i] == filter->invert || (filter->sample < 1 && !in_sample(filter, block, record)))
            continue;
        if (filter->count)
            block->written++;
        else if (!write_record(&filter->pipeline.target, block, record, &batch->positions[i], NULL) &&
                 (block->refused || filter->options.strict))
            return false;
    }
    return true;
}

/* A judge for each thread. */
static void **make_judges(int n)
{
    void **judges = reallocate(NULL, (size_t)n, sizeof *judges);
    for (int i = 0; i < n; i++) {
        judges[i] = reallocate(NULL, 1, sizeof(struct judge));
        memset(judges[i], 0, sizeof(struct judge));
    }
    return judges;
}

static void free_judges(void **judges, int n)
{
    for (int i = 0; i < n; i++) {
        judge_free(judges[i]);
        free(judges[i]);
    }
    free(judges);
}

/* Counts instead of writing. */
static int count_positions(struct filter *filter)
{
    static struct output output;
    inputs_check(filter->pipeline.command, filter->pipeline.names, filter->pipeline.n_names, true);
    interrupt_catch();
    struct totals totals = pipeline_run(&filter->pipeline);
    if (!totals.incomplete) {
        output_printf(&output, "%llu\n", (unsigned long long)totals.written);
        output_finish(&output);
    }
    return totals.refused ? STATUS_USAGE : totals.failed ? STATUS_ERROR : STATUS_OK;
}

int filter_command(int argc, char **argv)
{
    struct options options;
    static struct filter filter;
    const struct more_options more = {own_options,
                                      sizeof own_options / sizeof own_options[0],
                                      take_option,
                                      &filter,
                                      {FILTER_KEEP, FILTER_DROP, PIPELINE_LOSE}};
    pipeline_options_begin(&filter.options);
    filter.sample = 1;
    options_parse_more(argc, argv, OPTION_RULES | OPTION_VALUES | OPTION_KERNEL, &more, help, FORMAT_TSV, &options);
    if (filter.count && (filter.options.output != NULL || filter.options.to != NULL || filter.options.lose != 0))
        usage_error(argv[0], "--count writes no positions, expected it without --output, --to and --lose");

    struct pipeline *pipeline = &filter.pipeline;
    conditions_sort(&filter.conditions);
    filter.conditions.rules = options.rules;
    pipeline->required = conditions_fields(&filter.conditions);
    pipeline->verb = filter.count ? "counted" : "written";
    pipeline->work = filter_batch;
    pipeline->context = &filter;
    pipeline_prepare(pipeline, argv[0], &filter.options, &options);
    pipeline->states = make_judges(pipeline->threads);
    int status = filter.count ? count_positions(&filter) : pipeline_write(pipeline, &filter.options);
    if (status == STATUS_OK) /* otherwise a thread may still be at work */
        free_judges(pipeline->states, pipeline->threads);
    return status;
}
