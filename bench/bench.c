/*
 * seebatch_bench: how many exchanges a second each kernel evaluates.
 *
 * Reads real positions, makes the shapes (workload.h), checks every answer that will be timed against the scalar kernel
 * (check.c), then lets Google Benchmark time the passes (timed_pass.h) and prints what they were measured with
 * (context.h).
 */
#include "context.h"
#include "gbench_shim.h"
#include "paths.h"
#include "timed_pass.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: seebatch_bench [--positions=FILE] [--cold] [--check | --summary | --paths] [--benchmark_...]\n"
    "\n"
    "  --check           check all answers, time nothing; exit status 1 if one is wrong\n"
    "  --summary         a short run: SEE per second, scalar and the other kernels side by side, medians of 5\n"
    "  --paths           how many queries each path answers, for each shape of a call and each rule set; needs a\n"
    "                    build with -DSEEBATCH_COUNT_PATHS=ON\n"
    "  --cold            also the shapes cold and cold-all, which stream more than the last-level cache holds\n"
    "  --positions=FILE  positions, one FEN or EPD a line, at least 32,000; else the file that the environment\n"
    "                    variable SEEBATCH_BENCH_POSITIONS names, else\n"
    "                    " SEEBATCH_BENCH_POSITIONS "\n"
    "\n"
    "Google Benchmark's flags, most of all\n"
    "  --benchmark_filter=REGEX        such as ^bulk/value/ (names are SHAPE/FORM/KERNEL[/RULES])\n"
    "  --benchmark_list_tests          names only\n"
    "  --benchmark_repetitions=N --benchmark_report_aggregates_only=true\n"
    "  --benchmark_format=console|json --benchmark_out=FILE --benchmark_min_time=SECONDS\n";

struct options {
    bool check, summary, paths, list, cold;
    const char *positions;
};

enum { EXIT_WRONG = 1, EXIT_USAGE = 2 };

/* Takes our own options out of the command line; what is left is Google Benchmark's. */
static void take_options(struct options *options, int *argc, char **argv)
{
    const char *from_environment = getenv("SEEBATCH_BENCH_POSITIONS");
    bool named = from_environment && *from_environment;
    *options = (struct options){.positions = named ? from_environment : SEEBATCH_BENCH_POSITIONS};
    int left = 1;
    for (int i = 1; i < *argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            fputs(usage, stdout);
            exit(0);
        }
        if (strcmp(argv[i], "--check") == 0)
            options->check = true;
        else if (strcmp(argv[i], "--summary") == 0)
            options->summary = true;
        else if (strcmp(argv[i], "--paths") == 0)
            options->paths = true;
        else if (strcmp(argv[i], "--cold") == 0)
            options->cold = true;
        else if (strncmp(argv[i], "--positions=", 12) == 0)
            options->positions = argv[i] + 12;
        else {
            if (strcmp(argv[i], "--benchmark_list_tests") == 0 || strcmp(argv[i], "--benchmark_list_tests=true") == 0)
                options->list = true;
            argv[left++] = argv[i];
        }
    }
    argv[left] = NULL;
    *argc = left;
}

static void initialize_google_benchmark(const struct options *options, int argc, char **argv)
{
    static char words[5][48] = {"seebatch_bench", "--benchmark_min_time=0.05", "--benchmark_repetitions=5",
                                "--benchmark_enable_random_interleaving=true",
                                "--benchmark_report_aggregates_only=true"};
    static char *summary_argv[] = {words[0], words[1], words[2], words[3], words[4], NULL};
    int summary_argc = 5;
    if (options->summary && argc == 1)
        gbench_initialize(&summary_argc, summary_argv);
    else
        gbench_initialize(&argc, argv);
    if (argc > 1) {
        fprintf(stderr, "seebatch_bench: \"%s\" is no option; the options are\n\n%s", argv[1], usage);
        exit(EXIT_USAGE);
    }
}

static void print_line(const char *key, const char *value) { printf("%-24s %s\n", key, value); }

static const char *prepare(const void *pass) { return pass_prepare(pass); }
static size_t run(const void *pass) { return ((const struct pass *)pass)->run(pass); }

static void register_passes(const struct pass_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        struct gbench_benchmark b = {list->passes[i].name, prepare, run, &list->passes[i]};
        gbench_register(&b);
    }
}

/* What is compiled in but cannot run here is said by name: a result that is missing must not look like an oversight. */
static void report_skipped(void)
{
    for (size_t k = 0; seebatch_kernel_name(k); k++)
        if (!seebatch_kernel_available(k))
            fprintf(stderr,
                    "seebatch_bench: skipped: all benchmarks of the kernel %s (%s), which this machine cannot run\n",
                    seebatch_kernel_name(k), seebatch_kernel_description(k));
}

static bool check(const struct pass_list *list, struct answers *answers, FILE *to)
{
    size_t compared = check_passes(list, answers);
    if (compared)
        fprintf(to, "%zu answers of %zu benchmarks checked: all equal to the scalar kernel's, query by query\n",
                compared, list->n);
    return compared > 0;
}

static int run_as_asked(const struct options *options, const struct workload *workload, const struct pass_list *list,
                        struct answers *answers)
{
    report_skipped();
    if (options->check)
        return check(list, answers, stdout) ? 0 : EXIT_WRONG;
    if (!options->list && !check(list, answers, options->summary ? stdout : stderr))
        return EXIT_WRONG;
    register_passes(list);
    if (options->summary) {
        context_make(workload, print_line);
        return summary_print() ? 0 : EXIT_WRONG;
    }
    context_make(workload, gbench_add_context);
    return gbench_run() > 0 ? 0 : EXIT_WRONG;
}

int main(int argc, char **argv)
{
    struct options options;
    take_options(&options, &argc, argv);
    if (options.paths)
        return print_paths(stdout, options.positions);
    initialize_google_benchmark(&options, argc, argv);

    seebatch_error error;
    if (seebatch_kernel_use(NULL, &error) != SEEBATCH_OK) {
        fprintf(stderr, "seebatch_bench: %s\n", error.text);
        return EXIT_WRONG;
    }
    static struct workload workload;
    if (!workload_load(&workload, options.positions, options.cold))
        return EXIT_WRONG;
    size_t room = 0;
    for (size_t i = 0; i < workload.n_shapes; i++)
        if (shape_answers(&workload.shapes[i]) > room)
            room = shape_answers(&workload.shapes[i]);
    struct answers answers = {.values = workload_alloc(room, sizeof *answers.values),
                              .mask = workload_alloc(room, sizeof *answers.mask),
                              .flags = workload_alloc(room, sizeof *answers.flags)};
    struct pass_list list;
    passes_make(&list, &workload, &answers);

    int status = run_as_asked(&options, &workload, &list, &answers);
    passes_free(&list);
    workload_free(&workload);
    free(answers.values);
    free(answers.mask);
    free(answers.flags);
    return status;
}
