/*
 * seebatch selftest: holds every kernel that this machine can run against the scalar code for a while, and says whether
 * all answers were equal. The work is seebatch_selftest()'s; here are the clock and the words.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jansson.h>

#include "tool.h"

enum { OPTION_SECONDS = OPTION_OWN, OPTION_CASES, OPTION_SEED, CASES_A_CALL = 100000 };

static const struct option_row option_rows[] = {
    GROUP("Cases"),
    {"seconds", "S", OPTION_SECONDS, 0, "how many seconds to run, from 1 to 1000000",
     "How many seconds the test runs, from 1 to 1000000, unless --cases is given.", "5"},
    {"cases", "N", OPTION_CASES, 0,
     "runs until each kernel has evaluated N cases, from 1 to 1000000000, however long that takes",
     "Runs until every kernel has evaluated at least *N* queries, from 1 to 1000000000, instead of "
     "for a time.",
     NULL},
    {"seed", "N", OPTION_SEED, 0, "the seed of all random choices", "The seed of all random choices, up to 64 bits.",
     "1"},
    GROUP("Output"),
    {"format", "text|json", OPTION_FORMAT, 0, "a report, or one JSON object",
     "A report, or one JSON object, as described above.", "text"},
    {0},
};

struct wish {
    long seconds, cases; /* 0: not given */
    uint64_t seed;
};

static void read_limit(const char *command, const char *option, const char *argument, long high, long *limit)
{
    if (!options_integer(argument, argument + strlen(argument), 1, high, limit))
        usage_error(command, "%s: '%s' is not an integer from 1 to %ld", option, argument, high);
}

static void take_option(const char *command, int option, const char *argument, void *state)
{
    struct wish *wish = state;
    if (option == OPTION_SECONDS)
        read_limit(command, "--seconds", argument, 1000000, &wish->seconds);
    else if (option == OPTION_CASES)
        read_limit(command, "--cases", argument, 1000000000, &wish->cases);
    else
        wish->seed = options_seed(command, argument);
    if (wish->seconds != 0 && wish->cases != 0)
        usage_error(command, "--seconds and --cases were both given, expected one of them");
}

static double seconds_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* What was done, in all calls. */
struct sum {
    uint64_t cases, answers;
    double seconds;
};

static seebatch_status run(const struct wish *wish, struct sum *sum, seebatch_selftest_report *report)
{
    const double start = seconds_now();
    const uint64_t cases = (uint64_t)wish->cases;
    seebatch_status status;
    report->seed = wish->seed;
    do {
        const uint64_t left = cases - sum->cases;
        const uint64_t some = cases != 0 && left < CASES_A_CALL ? left : CASES_A_CALL;
        status = seebatch_selftest(report->seed, some, report, NULL);
        sum->cases += report->cases;
        sum->answers += report->answers;
        sum->seconds = seconds_now() - start;
    } while (status == SEEBATCH_OK &&
             (cases != 0 ? sum->cases < cases : sum->seconds < (double)(wish->seconds != 0 ? wish->seconds : 5)));
    return status;
}

/* ---- The verdict ------------------------------------------------------------------------------------------------ */

static void print_kernels(struct output *output)
{
    for (size_t k = 0; seebatch_kernel_name(k) != NULL; k++) {
        if (seebatch_kernel_available(k))
            output_printf(output, "%-9s  equal to the scalar code, query by query\n", seebatch_kernel_name(k));
        else
            output_printf(output, "%-9s  skipped: this machine cannot run it (%s)\n", seebatch_kernel_name(k),
                          seebatch_kernel_description(k));
    }
}

/* The command that gives the kernel the move alone. */
static void print_eval(struct output *output, const seebatch_selftest_report *r, const char *fen, const char *move,
                       bool ge)
{
    const int16_t *v = r->rules.value;
    char rules[SEEBATCH_RULES_SIZE];
    seebatch_rules_to_text(&r->rules, rules);
    output_printf(output,
                  "  alone      printf '%s\\t%s\\n' | seebatch eval --kernel %s --rules %s --values %d,%d,%d,%d,%d",
                  fen, move, r->kernel, rules, v[0], v[1], v[2], v[3], v[4]);
    if (ge)
        output_printf(output, " --threshold %d", r->threshold);
    output_string(output, "\n");
}

static void print_difference(struct output *output, const seebatch_selftest_report *r)
{
    const int16_t *v = r->rules.value;
    const bool ge = strcmp(r->function, "values") != 0;
    char fen[SEEBATCH_FEN_SIZE], move[6], rules[SEEBATCH_RULES_SIZE];
    seebatch_rules_to_text(&r->rules, rules);
    output_printf(output, "DIFFERENT: the kernel %s %s\n", r->kernel,
                  r->stray ? "wrote outside of its answers" : "gives another answer than the scalar code");
    output_printf(output, "  asked      %s, %zu %s for %zu position%s%s\n", r->function, r->n,
                  r->n == 1 ? "query" : "queries", r->n_positions, plural(r->n_positions),
                  r->forced_lanes    ? ", all sent through the lanes"
                  : r->forced_tables ? ", attack tables for every position"
                                     : "");
    output_printf(output, "  rules      %s, values %d,%d,%d,%d,%d\n", rules, v[0], v[1], v[2], v[3], v[4]);
    if (!r->stray) {
        seebatch_position_to_fen(&r->position, fen);
        seebatch_move_to_uci(r->move, move);
        output_printf(output, "  position   %s\n  move       %s, query %zu of the call (from 0)\n", fen, move,
                      r->index);
        if (ge)
            output_printf(output, "  threshold  %d\n", r->threshold);
        output_printf(output, "  expected   %d, from the scalar code for the move alone\n  got        %d\n",
                      r->expected, r->got);
    }
    output_printf(output, "  seed       %" PRIu64 "\n  replay     seebatch selftest --seed %" PRIu64 " --cases 1\n",
                  r->seed, r->seed);
    if (!r->stray)
        print_eval(output, r, fen, move, ge);
}

static void print_text(struct output *output, const seebatch_selftest_report *difference, const struct sum *sum,
                       uint64_t seed)
{
    if (difference == NULL)
        print_kernels(output);
    else
        print_difference(output, difference);
    output_printf(output, "%s: %" PRIu64 " cases, %" PRIu64 " answers, %.1f s, seed %" PRIu64 "\n",
                  difference == NULL ? "all equal" : "in all", sum->cases, sum->answers, sum->seconds, seed);
}

/* ---- The verdict as JSON ---------------------------------------------------------------------------------------- */

/* A seed has 64 bits, more than most readers of JSON can take as a number. */
static json_t *json_of_seed(uint64_t seed)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, seed);
    return json_string(text);
}

static json_t *json_of_difference(const seebatch_selftest_report *r)
{
    const int16_t *v = r->rules.value;
    char fen[SEEBATCH_FEN_SIZE], move[6], rules[SEEBATCH_RULES_SIZE];
    seebatch_rules_to_text(&r->rules, rules);
    json_t *object = json_pack("{s:s, s:b, s:s, s:I, s:I, s:b, s:b, s:s, s:[i, i, i, i, i], s:o}", "kernel", r->kernel,
                               "stray", (int)r->stray, "asked", r->function, "queries", (json_int_t)r->n, "positions",
                               (json_int_t)r->n_positions, "forced_lanes", (int)r->forced_lanes, "forced_tables",
                               (int)r->forced_tables, "rules", rules, "values", v[0], v[1], v[2], v[3], v[4], "seed",
                               json_of_seed(r->seed));
    if (r->stray)
        return object;
    seebatch_position_to_fen(&r->position, fen);
    seebatch_move_to_uci(r->move, move);
    if (strcmp(r->function, "values") != 0)
        json_object_set_new(object, "threshold", json_integer(r->threshold));
    json_t *query = json_pack("{s:s, s:s, s:I, s:i, s:i}", "position", fen, "move", move, "query", (json_int_t)r->index,
                              "expected", r->expected, "got", r->got);
    json_object_update(object, query);
    json_decref(query);
    return object;
}

static void print_json(struct output *output, const seebatch_selftest_report *difference, const struct sum *sum,
                       uint64_t seed)
{
    json_t *kernels = json_array();
    for (size_t k = 0; seebatch_kernel_name(k) != NULL; k++)
        json_array_append_new(kernels, json_pack("{s:s, s:b}", "name", seebatch_kernel_name(k), "available",
                                                 (int)seebatch_kernel_available(k)));
    json_t *verdict = json_pack("{s:b, s:I, s:I, s:f, s:o, s:o}", "equal", difference == NULL, "cases",
                                (json_int_t)sum->cases, "answers", (json_int_t)sum->answers, "seconds", sum->seconds,
                                "seed", json_of_seed(seed), "kernels", kernels);
    if (difference != NULL)
        json_object_set_new(verdict, "difference", json_of_difference(difference));
    output_json(output, verdict, JSON_REAL_PRECISION(6));
}

static int run_command(int argc, char **argv)
{
    static struct output output;
    struct options options;
    struct wish wish = {.seed = 1};
    options_parse(&selftest_command, argc, argv, take_option, &wish, &options);
    if (options.n_operands > 0)
        usage_error(argv[0], "unexpected argument '%s': selftest reads no files", options.operands[0]);

    seebatch_selftest_report report;
    struct sum sum = {0};
    const bool equal = run(&wish, &sum, &report) == SEEBATCH_OK;
    if (options.format == FORMAT_JSON)
        print_json(&output, equal ? NULL : &report, &sum, wish.seed);
    else
        print_text(&output, equal ? NULL : &report, &sum, wish.seed);
    output_finish(&output);
    return equal ? STATUS_OK : STATUS_ERROR;
}

const struct command selftest_command = {
    .name = "selftest",
    .summary = "check all kernels against the scalar code",
    .about = "Compares every kernel that this machine can run with the scalar code, on random and constructed "
             "positions, for all rule sets, many piece values and batches of every size, and prints a verdict.",
    .operands = {""},
    .examples = {{"Run it for five seconds:", "seebatch selftest"},
                 {"Evaluate a fixed number of cases, drawn by another seed:",
                  "seebatch selftest --cases 100000 --seed 7"},
                 {"Print the verdict as JSON:", "seebatch selftest --seconds 1 --format json"}},
    .options = option_rows,
    .status = "0 if all answers are equal; 1 if there is a difference, which is printed with all that is needed to "
              "repeat it; 2 if the command line is wrong. Kernels that this machine cannot run are skipped, and named.",
    .run = run_command,
};
