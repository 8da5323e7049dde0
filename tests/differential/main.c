/*
 * seebatch_differential: holds one implementation of the evaluation against another, query by query.
 *
 *     seebatch_differential                                      every available kernel against single scalar queries
 *     seebatch_differential --kernel scalar --against oracle     the scalar code against the naive oracle
 *     seebatch_differential --kernel avx2 --rules swap --seconds 600 --seed 7
 *     seebatch_differential --kernel avx2 --rules swap --fen '4k3/8/8/3pP3/8/8/8/4K3 w - d6' --move e5d6
 *
 * It works in rounds. A round draws a rule set and kernel (in turn), a table of piece values, a kind of boards and a
 * batch of positions with moves (boards.c, shapes.c), asks the other implementation for the values, and then puts
 * the batch through everything that evaluates:
 *
 * compare.c calls the kernel's own functions, the many-positions and the one-position functions, for values and
 * thresholds, in arrays between forbidden pages (guard.c), so that a byte too far is a crash. check.c puts each query
 * into each of 32 lanes among changing neighbours, and makes batches of 0 to 110 queries.
 *
 * Everything in a round follows from its seed, and each part draws from a stream of its own. So a failure is replayed
 * by the one command that is printed with it, which runs that round first and alone; and it is shrunk (shrink.c) to few
 * queries on boards of few pieces, with a command that replays those.
 *
 * Exit status: 0 all answers equal (kernels that this machine cannot run are skipped by name), 1 a difference or a
 * crash, 2 bad usage.
 */
#include "boards.h"
#include "guard.h"
#include "header.h"
#include "options.h"

#include <string.h>
#include <time.h>

#ifndef SEEBATCH_TEST_DATA
#define SEEBATCH_TEST_DATA "data"
#endif

enum { EQUAL = 0, DIFFERENT = 1, BAD_USAGE = 2, MAX_SUBJECTS = 8 };

/* The oracle tries every order of captures under best order. Queries whose square more pieces than this could reach
 * are skipped (and counted) then, for a single one can take it seconds. */
enum { MAX_REACH_ORACLE = 17 };

struct run {
    struct options options;
    struct implementation subjects[MAX_SUBJECTS];
    size_t n_subjects;
    struct implementation against;
    struct every_rules every;
    const char
        *rules[MOST_RULES]; /* as seebatch_rules_named() takes them; behind the first n_rules those without a name */
    size_t n_rules, n_nameless;
    struct library library;
    struct tally tally;
    double seconds;
};

static double now(void)
{
    struct timespec time = {0, 0}; /* the memory sanitizer does not know that the call fills it */
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* ---- Who is compared --------------------------------------------------------------------------------------------- */

static const struct see_kernel *find_kernel(const char *name)
{
    for (const struct see_kernel *kernel = seebatch_kernels; kernel->name; kernel++) {
        if (strcmp(kernel->name, name) == 0)
            return kernel;
    }
    return strcmp(name, header_kernel.name) == 0 ? &header_kernel : NULL;
}

/* False if there is no implementation of that name. */
static bool find_implementation(const char *name, struct implementation *implementation)
{
    *implementation = (struct implementation){name, find_kernel(name)};
    if (implementation->kernel || strcmp(name, "oracle") == 0)
        return true;
    fprintf(stderr, "seebatch_differential: there is no implementation '%s', expected oracle, header", name);
    for (const struct see_kernel *kernel = seebatch_kernels; kernel->name; kernel++)
        fprintf(stderr, ", %s", kernel->name);
    fprintf(stderr, "\n");
    return false;
}

static bool can_run(struct implementation implementation)
{
    if (!implementation.kernel || implementation.kernel->supported())
        return true;
    printf("skipped: %s: not available on this machine\n", implementation.name);
    return false;
}

static void add_subject(struct run *run, struct implementation subject)
{
    if (can_run(subject))
        run->subjects[run->n_subjects++] = subject;
}

/* The implementations to be tested; the oracle always ends on the other side. False on bad usage. */
static bool choose_subjects(struct run *run)
{
    struct implementation subject, against;
    const char *name = run->options.kernel;
    if (!find_implementation(run->options.against, &against) || (name && !find_implementation(name, &subject)))
        return false;
    if (name && !subject.kernel && !against.kernel) {
        fprintf(stderr, "seebatch_differential: the oracle against itself: expected a kernel on one side\n");
        return false;
    }
    const bool turn = name && !subject.kernel;
    run->against = turn ? subject : against;
    if (!can_run(run->against))
        return true;
    if (name)
        add_subject(run, turn ? against : subject);
    for (const struct see_kernel *kernel = seebatch_kernels; !name && kernel->name; kernel++)
        add_subject(run, (struct implementation){kernel->name, kernel});
    return true;
}

static bool choose_rules(struct run *run)
{
    seebatch_rules rules;
    seebatch_error error;
    list_every_rules(&run->every);
    run->n_rules = run->every.n_named;
    run->n_nameless = run->options.n_fens == 0 ? run->every.n - run->n_rules : 0;
    for (size_t i = 0; i < run->every.n; i++)
        run->rules[i] = run->every.list[i].name;
    if (!run->options.rules)
        return true;
    run->rules[0] = run->options.rules;
    run->n_rules = 1;
    run->n_nameless = 0;
    if (seebatch_rules_named(run->options.rules, &rules, &error) == SEEBATCH_OK)
        return true;
    fprintf(stderr, "seebatch_differential: --rules: %s\n", error.text);
    return false;
}

/* The rules of a turn: those that have names in turn, and every fourth time one of those that have none. In the
 * list of these the last field changes slowest. The stride, a prime, makes short runs meet all its values, too. */
static const char *rules_of_turn(const struct run *run, uint64_t turn)
{
    const uint64_t stride = 379;
    if (run->n_nameless && turn % 4 == 3)
        return run->rules[run->n_rules + turn / 4 * stride % run->n_nameless];
    return run->rules[(run->n_nameless ? turn - turn / 4 : turn) % run->n_rules];
}

/* ---- What is drawn for a round ----------------------------------------------------------------------------------- */

/* Any values; sorted, where the order of captures may hang on that they rise with the types. */
static void draw_table(struct rng *rng, bool sorted, int16_t value[5])
{
    for (int type = 0; type < 5; type++) {
        int16_t drawn = (int16_t)rng_below(rng, SEEBATCH_MAX_PIECE_VALUE + 1);
        int place = type;
        for (; sorted && place > 0 && value[place - 1] > drawn; place--)
            value[place] = value[place - 1];
        value[place] = drawn;
    }
}

static void draw_values(const struct options *options, struct rng *rng, int16_t value[5])
{
    static const int16_t tables[][5] = {
        {100, 320, 330, 500, 900},
        {82, 337, 365, 477, 1025},
        {208, 781, 825, 1276, 2538},
        {1, 3, 3, 5, 9},
        {100, 450, 450, 650, 1250},
        {0, 0, 0, 0, 0},
        {3000, 3000, 3000, 3000, 3000},
        {3000, 2000, 1000, 500, 1},
        {0, 0, 0, 0, 3000},
        {3000, 0, 0, 0, 0},
        {0, 3000, 0, 3000, 0},
        {1, 1, 1, 1, 1},
    };
    const unsigned sort = rng_below(rng, 4);
    if (options->values)
        memcpy(value, options->value, sizeof options->value);
    else if (sort == 0)
        draw_table(rng, false, value);
    else if (sort == 1)
        memcpy(value, tables[rng_below(rng, sizeof tables / sizeof tables[0])], sizeof tables[0]);
    /* otherwise the default table, which the rules come with */
}

/* The context of round r. Round 0 has the seed of the command line itself, so that it can be replayed alone. */
static struct context make_context(const struct run *run, uint64_t r, struct tally *tally)
{
    struct rng rounds = {run->options.seed + r * 0xD1342543DE82EF95u};
    struct context context = {.subject = run->subjects[r % run->n_subjects],
                              .against = run->against,
                              .rules_name = rules_of_turn(run, r / run->n_subjects),
                              .force_lanes = run->options.force_lanes,
                              .is_round = run->options.n_fens == 0,
                              .seed = r == 0 || run->options.n_fens > 0 ? run->options.seed : rng_next(&rounds),
                              .tally = tally};
    struct rng values = rng_for(context.seed, "values");
    seebatch_rules_named(context.rules_name, &context.rules, NULL);
    if (context.is_round || run->options.values)
        draw_values(&run->options, &values, context.rules.value);
    seebatch_kernel_use(context.subject.name, NULL);
    return context;
}

/* ---- Rounds ------------------------------------------------------------------------------------------------------ */

static int fail(const struct context *context, struct batch *batch, struct failure *failure)
{
    report_failure(stdout, context, batch, failure);
    fflush(stdout);
    if (shrink(context, batch, failure) > 0)
        report_shrunk(stdout, context, batch, failure);
    return DIFFERENT;
}

enum { VALUE_TABLES = 16 }; /* tried on a board, in a lean run */

static int run_round(struct run *run, uint64_t r)
{
    static struct batch batch;
    static char command[1024];
    struct context context = make_context(run, r, &run->tally);
    struct rng kinds = rng_for(context.seed, "kinds");
    const unsigned drawn = rng_below(&kinds, 10); /* 4 real, 2 random, 4 pathological */
    report_round_command(&context, command, sizeof command);
    guard_set_replay(command);
    guard_start_watchdog();

    bool slow = !context.against.kernel && context.rules.order == SEEBATCH_BEST_ORDER;
    const struct filling filling = {drawn < 4   ? BOARDS_REAL
                                    : drawn < 6 ? BOARDS_RANDOM
                                                : BOARDS_PATHOLOGICAL,
                                    &run->library, context.rules.pins == SEEBATCH_PINS_IGNORED,
                                    slow ? MAX_REACH_ORACLE : NO_LIMIT};
    boards_fill_with(&batch, &filling, context.seed, &run->tally.passed_over);
    run->tally.rounds++;
    run->tally.boards += batch.n_positions;
    struct rng values = rng_for(context.seed, "more values");
    for (int i = 0; i < (run->options.lean ? VALUE_TABLES : 1); i++) {
        struct failure failure;
        if (i > 0 && !run->options.values)
            draw_table(&values, i % 2, context.rules.value);
        if (!(run->options.lean ? check_batch_lean(&context, &batch, i % 5 == 4 ? FORMS_ONE : FORMS_KERNEL, &failure)
                                : check_batch(&context, &batch, &failure)))
            return fail(&context, &batch, &failure);
        run->tally.cases += batch_count(&batch);
        run->tally.by_kernel[r % run->n_subjects] += batch_count(&batch);
    }
    return EQUAL;
}

static void print_summary(const struct run *run)
{
    const struct tally *tally = &run->tally;
    printf("equal to %s:", run->against.name);
    for (size_t i = 0; i < run->n_subjects; i++)
        printf(" %s (%llu cases)", run->subjects[i].name, (unsigned long long)tally->by_kernel[i]);
    printf("\nrules:");
    for (size_t i = 0; i < run->n_rules; i++)
        printf(" %s", run->rules[i]);
    if (run->n_nameless)
        printf(", and %zu combinations without a name in every fourth round", run->n_nameless);
    printf("\n%llu cases, %llu boards, %llu answers, %llu rounds, seed %llu, %.1f s\n",
           (unsigned long long)tally->cases, (unsigned long long)tally->boards, (unsigned long long)tally->answers,
           (unsigned long long)tally->rounds, (unsigned long long)run->options.seed, run->seconds);
    if (tally->passed_over > 0)
        printf("passed over: %llu queries that would take the oracle too long (more than %d pieces on the square's "
               "lines)\n",
               (unsigned long long)tally->passed_over, MAX_REACH_ORACLE);
}

static int run_rounds(struct run *run)
{
    double start = now();
    const struct options *options = &run->options;
    for (uint64_t r = 0;
         options->seconds > 0 ? run->seconds < (double)options->seconds : r == 0 || run->tally.cases < options->cases;
         r++) {
        const int status = run_round(run, r);
        if (status != EQUAL)
            return status;
        run->seconds = now() - start;
    }
    print_summary(run);
    return EQUAL;
}

/* ---- Given cases ------------------------------------------------------------------------------------------------- */

static int run_cases(struct run *run)
{
    static struct batch batch;
    if (!cases_read(&run->options, run->rules, run->n_rules, &batch))
        return BAD_USAGE;
    for (uint64_t r = 0; r < run->n_subjects * run->n_rules; r++) {
        static char command[256];
        const struct context context = make_context(run, r, NULL);
        snprintf(command, sizeof command, "the same command with --kernel %s --rules %s", context.subject.name,
                 context.rules_name);
        guard_set_replay(command);
        struct failure failure;
        int16_t values[MAX_PAIRS];
        if (!check_batch_well(&context, &batch, &failure))
            return fail(&context, &batch, &failure);
        compare_reference(&context, &batch, values);
        printf("equal: %s and %s, rules %s:", context.subject.name, context.against.name, context.rules_name);
        for (size_t k = 0; k < batch_count(&batch); k++)
            printf(" %d", values[k]);
        printf("\n");
    }
    return EQUAL;
}

int main(int argc, char **argv)
{
    static struct run run;
    if (!options_read(&run.options, argc, argv))
        return BAD_USAGE;
    if (run.options.help) {
        fputs(options_usage, stdout);
        return EQUAL;
    }
    if (!choose_subjects(&run) || !choose_rules(&run))
        return BAD_USAGE;
    if (run.n_subjects == 0) {
        printf("nothing to compare with %s\n", run.against.name);
        return EQUAL;
    }
    if (!compare_init()) {
        fprintf(stderr, "seebatch_differential: no memory for guarded arrays\n");
        return BAD_USAGE;
    }
    guard_catch_crashes();
    if (run.options.n_fens > 0)
        return run_cases(&run);
    if (!library_read(&run.library, SEEBATCH_TEST_DATA "/games.fen") ||
        !library_read(&run.library, SEEBATCH_TEST_DATA "/random.fen"))
        return BAD_USAGE;
    return run_rounds(&run);
}
