/*
 * seebatch_turns: two builds of the library against each other, in turns.
 *
 * On a shared machine the clock and the neighbours change faster than a benchmark ends, so that two runs one after the
 * other say little about a change of some percent. Here both libraries are loaded into one process and asked the same
 * queries, a slice of the workload each in turn, some tenths of a millisecond long; what slows one down slows the
 * other down, too. The figures are the sums over the slices of the median, the lower quartile and the minimum of each.
 *
 * Answers are checked before anything is timed: those of both libraries against the scalar code of the one that this
 * program is linked with, query by query.
 */
#define _POSIX_C_SOURCE 200809L
#include "workload.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char usage[] =
    "usage: seebatch_turns [options] OLD NEW\n"
    "\n"
    "OLD and NEW are shared libraries, libseebatch.so, of two builds; scripts/bench commits builds those of two "
    "commits.\n"
    "\n"
    "  --shape NAME      bulk (the default), bulk-all, one-N with N = 1 to 9, 16 or 32, hot, cold, cold-all:\n"
    "                    see bench/README.md; bulk-pinned, bulk with the pins given; bulk-N, the questions of one-N "
    "with\n"
    "                    many positions in a call\n"
    "  --form NAME       value (the default) or ge\n"
    "  --rules NAME      default swap; two names with a comma between them are OLD's and NEW's\n"
    "  --kernel NAME     default: the best that this machine can run; two names with a comma between them are OLD's "
    "and NEW's,\n"
    "                    so that with one library twice kernels are compared\n"
    "  --rounds N        turns of each library for each slice of the workload, default 50\n"
    "  --positions FILE  FEN or EPD, at least 32,000; default " SEEBATCH_BENCH_POSITIONS "\n";

enum { EXIT_WRONG = 1, EXIT_USAGE = 2 };
enum { SLICES = 16, LIBRARIES = 2, MOST_ROUNDS = 10000, NAME = 64 };

struct options {
    const char *shape, *form, *rules, *kernel, *positions, *rounds;
    const char *path[LIBRARIES];
};

/* What is called of a library. */
#define FUNCTIONS(EACH)                                                                                                \
    EACH(kernel_use) EACH(batch_values) EACH(batch_ge_mask) EACH(values) EACH(ge_mask) EACH(value) EACH(ge)
#define POINTER(name) __typeof__(seebatch_##name) *name;
#define NAME_AND_PLACE(name) {"seebatch_" #name, &library->name},

struct library {
    const char *path, *kernel;
    FUNCTIONS(POINTER)
};

/* What is asked, and where the answers go: of a slice one behind the other, bits beginning with a new word each call.
 */
struct job {
    const struct shape *shape;
    bool ge;
    seebatch_rules rules;
    seebatch_pins *pins; /* of all positions, if they are given */
    int16_t *values;
    uint64_t *mask;
};

static void fail(int status, const char *what, const char *name)
{
    fprintf(stderr, "seebatch_turns: %s: %s\n", name, what);
    exit(status);
}

/* ---- Options and libraries --------------------------------------------------------------------------------------- */

static void read_options(struct options *options, int argc, char **argv)
{
    *options = (struct options){
        .shape = "bulk", .form = "value", .rules = "swap", .rounds = "50", .positions = SEEBATCH_BENCH_POSITIONS};
    const struct {
        const char *name, **value;
    } known[] = {{"--shape", &options->shape},   {"--form", &options->form},     {"--rules", &options->rules},
                 {"--kernel", &options->kernel}, {"--rounds", &options->rounds}, {"--positions", &options->positions}};
    int paths = 0;
    for (int i = 1; i < argc; i++) {
        const char **value = NULL;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            if (strcmp(argv[i], known[k].name) == 0)
                value = known[k].value;
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            fputs(usage, stdout);
            exit(0);
        }
        if (value && i + 1 < argc)
            *value = argv[++i];
        else if (value)
            fail(EXIT_USAGE, "it needs something behind it", argv[i]);
        else if (argv[i][0] == '-' || paths == LIBRARIES)
            fail(EXIT_USAGE, "it is no option, and two libraries are expected; --help tells more", argv[i]);
        else
            options->path[paths++] = argv[i];
    }
    if (paths < LIBRARIES) {
        fprintf(stderr, "seebatch_turns: two libraries are expected\n\n%s", usage);
        exit(EXIT_USAGE);
    }
}

static void load(struct library *library, const char *path, const char *kernel)
{
    /* A name without a directory would be looked for where the system keeps its libraries. */
    char with_directory[4096];
    snprintf(with_directory, sizeof with_directory, "%s%s", strchr(path, '/') ? "" : "./", path);
    void *handle = dlopen(with_directory, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        fail(EXIT_USAGE, dlerror(), path);
    library->path = path;
    const struct {
        const char *name;
        void *function;
    } wanted[] = {FUNCTIONS(NAME_AND_PLACE)};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        void *symbol = dlsym(handle, wanted[i].name);
        if (!symbol)
            fail(EXIT_USAGE, dlerror(), path);
        memcpy(wanted[i].function, &symbol, sizeof symbol);
    }
    library->kernel = kernel;
}

/* Again before each turn: both libraries may be the same. */
static void use_kernel(const struct library *library)
{
    seebatch_error error;
    if (library->kernel_use(library->kernel, &error) != SEEBATCH_OK)
        fail(EXIT_USAGE, error.text, library->path);
}

/* ---- What is timed ----------------------------------------------------------------------------------------------- */

/* The first of a slice's positions or, of the shape hot, its draws. */
static size_t slice_begin(const struct shape *shape, size_t slice)
{
    return (shape->call == CALL_QUERY ? shape->n_draws : shape->n_positions) * slice / SLICES;
}

static void run(const struct library *library, const struct job *job, size_t slice)
{
    const struct shape *s = job->shape;
    const size_t begin = slice_begin(s, slice), end = slice_begin(s, slice + 1);
    uint64_t *mask = job->mask;
    const seebatch_batch batch = {.positions = s->positions + begin,
                                  .n_positions = end - begin,
                                  .offsets = s->offsets + begin,
                                  .moves = s->moves,
                                  .pins = job->pins ? job->pins + begin : NULL};
    if (s->call == CALL_BATCH && job->ge)
        library->batch_ge_mask(&job->rules, &batch, s->threshold, mask, NULL);
    else if (s->call == CALL_BATCH)
        library->batch_values(&job->rules, &batch, job->values, NULL);
    for (size_t p = begin; s->call == CALL_POSITION && p < end; p++) {
        const seebatch_move *moves = s->moves + s->offsets[p];
        const size_t n = s->offsets[p + 1] - s->offsets[p];
        if (job->ge)
            library->ge_mask(&job->rules, &s->positions[p], NULL, moves, n, s->threshold, mask);
        else
            library->values(&job->rules, &s->positions[p], NULL, moves, n,
                            job->values + (s->offsets[p] - s->offsets[begin]));
        mask += SEEBATCH_MASK_WORDS(n);
    }
    for (size_t i = begin; s->call == CALL_QUERY && i < end; i++) {
        const seebatch_position *position = &s->positions[s->draws[i].position];
        if (job->ge)
            *mask++ = library->ge(&job->rules, position, NULL, s->draws[i].move, s->threshold);
        else
            job->values[i - begin] = (int16_t)library->value(&job->rules, position, NULL, s->draws[i].move);
    }
}

/* ---- Whether it is right ----------------------------------------------------------------------------------------- */

static void check_answer(const struct library *library, const struct job *job, const seebatch_position *position,
                         seebatch_move move, int got)
{
    const int value = seebatch_value(&job->rules, position, NULL, move);
    const int expected = job->ge ? value >= job->shape->threshold : value;
    if (got == expected)
        return;
    char fen[SEEBATCH_FEN_SIZE], uci[6];
    seebatch_position_to_fen(position, fen);
    seebatch_move_to_uci(move, uci);
    fprintf(stderr, "seebatch_turns: %s: %s in %s: it says %d, expected %d (%s)\n", library->path, uci, fen, got,
            expected, job->ge ? "1: at least the threshold" : "the value");
    exit(EXIT_WRONG);
}

static int answer(const struct job *job, const uint64_t *mask, size_t call, size_t query)
{
    return job->ge ? (int)(mask[call / 64] >> call % 64 & 1) : job->values[query];
}

/* Every answer of a library; returns how many there are. */
static size_t check(const struct library *library, const struct job *job)
{
    const struct shape *s = job->shape;
    size_t n = 0;
    use_kernel(library);
    for (size_t slice = 0; slice < SLICES; slice++) {
        const size_t begin = slice_begin(s, slice), end = slice_begin(s, slice + 1);
        const uint64_t *mask = job->mask;
        run(library, job, slice);
        for (size_t i = begin; s->call == CALL_QUERY && i < end; i++, mask++, n++)
            check_answer(library, job, &s->positions[s->draws[i].position], s->draws[i].move,
                         answer(job, mask, 0, i - begin));
        for (size_t p = begin; s->call != CALL_QUERY && p < end; p++) {
            const size_t call = s->call == CALL_BATCH ? begin : p;
            for (size_t k = s->offsets[p]; k < s->offsets[p + 1]; k++, n++)
                check_answer(library, job, &s->positions[p], s->moves[k],
                             answer(job, mask, k - s->offsets[call], k - s->offsets[begin]));
            if (s->call == CALL_POSITION)
                mask += SEEBATCH_MASK_WORDS(s->offsets[p + 1] - s->offsets[p]);
        }
    }
    return n;
}

/* ---- Turns ------------------------------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double take_turn(const struct library *library, const struct job *job, size_t slice)
{
    use_kernel(library);
    const double begin = now();
    run(library, job, slice);
    return now() - begin;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Nanoseconds a query: the quantile of the turns of each slice, 2 for the median, 4 for the lower quartile, more than
 * there are rounds for the minimum. */
static void print_sums(const char *name, double *const turns[LIBRARIES], size_t rounds, size_t quantile, size_t queries)
{
    double ns[LIBRARIES] = {0};
    for (size_t l = 0; l < LIBRARIES; l++)
        for (size_t slice = 0; slice < SLICES; slice++)
            ns[l] += 1e9 * turns[l][slice * rounds + rounds / quantile] / (double)queries;
    printf("%-18s %7.2f %7.2f   %+.1f%%, old %.2f times as long\n", name, ns[0], ns[1], 100 * (ns[1] / ns[0] - 1),
           ns[0] / ns[1]);
}

static void take_turns(const struct library library[LIBRARIES], const struct job job[LIBRARIES], size_t rounds,
                       size_t queries)
{
    double *turns[LIBRARIES]; /* seconds, by slices */
    for (size_t l = 0; l < LIBRARIES; l++)
        turns[l] = workload_alloc(SLICES * rounds, sizeof *turns[l]);
    /* From cold memory each takes all slices in turn: a slice that the other has just read would be in the cache. */
    const size_t in_a_row = strncmp(job[0].shape->name, "cold", 4) == 0 ? SLICES : 1;
    for (size_t round = 0; round < rounds; round++)
        for (size_t first = 0; first < SLICES; first += in_a_row)
            for (size_t i = 0; i < LIBRARIES * in_a_row; i++) {
                const size_t l = (i / in_a_row + round) % LIBRARIES, slice = first + i % in_a_row;
                turns[l][slice * rounds + round] = take_turn(&library[l], &job[l], slice);
            }
    for (size_t i = 0; i < LIBRARIES * SLICES; i++)
        qsort(turns[i / SLICES] + i % SLICES * rounds, rounds, sizeof **turns, compare_doubles);
    printf("nanoseconds a SEE      old     new   new takes\n");
    print_sums("medians", turns, rounds, 2, queries);
    print_sums("lower quartiles", turns, rounds, 4, queries);
    print_sums("minima", turns, rounds, rounds + 1, queries);
    for (size_t l = 0; l < LIBRARIES; l++)
        free(turns[l]);
}

/* The shape of a name. Those that only this program has are others, called in another way. */
static void find_shape(struct job *job, struct workload *workload, const char *name)
{
    const bool pinned = strcmp(name, "bulk-pinned") == 0, many = strncmp(name, "bulk-", 5) == 0 && name[5] <= '9';
    char of[32];
    snprintf(of, sizeof of, "%s%s", many ? "one-" : "", pinned ? "bulk" : many ? name + 5 : name);
    for (size_t i = 0; i < workload->n_shapes; i++)
        if (strcmp(workload->shapes[i].name, of) == 0) {
            workload->shapes[i].call = many ? CALL_BATCH : workload->shapes[i].call;
            job->shape = &workload->shapes[i];
        }
    if (!job->shape)
        fail(EXIT_USAGE, "there is no such shape; --help names them", name);
    if (!pinned)
        return;
    job->pins = workload_alloc(job->shape->n_positions, sizeof *job->pins);
    for (size_t p = 0; p < job->shape->n_positions; p++)
        seebatch_find_pins(&job->rules, &job->shape->positions[p], &job->pins[p]);
}

/* "OLD,NEW", or the same name for both. */
static void split(char names[LIBRARIES][NAME], const char *text)
{
    const char *comma = strchr(text, ',');
    snprintf(names[0], NAME, "%.*s", (int)(comma ? comma - text : (long)strlen(text)), text);
    snprintf(names[1], NAME, "%s", comma ? comma + 1 : text);
}

int main(int argc, char **argv)
{
    struct options options;
    read_options(&options, argc, argv);
    char *end;
    const unsigned long n_rounds = strtoul(options.rounds, &end, 10);
    if (*end || n_rounds < 1 || n_rounds > MOST_ROUNDS)
        fail(EXIT_USAGE, "--rounds is a number from 1 to 10000", options.rounds);
    struct job job[LIBRARIES] = {{.ge = strcmp(options.form, "ge") == 0}};
    if (!job[0].ge && strcmp(options.form, "value") != 0)
        fail(EXIT_USAGE, "--form is value or ge", options.form);
    job[1] = job[0];
    seebatch_error error;
    struct library library[LIBRARIES];
    const char *kernels = options.kernel ? options.kernel : "by default";
    char kernel[LIBRARIES][NAME], rules[LIBRARIES][NAME];
    split(kernel, kernels);
    split(rules, options.rules);
    if (seebatch_kernel_use("scalar", &error) != SEEBATCH_OK)
        fail(EXIT_USAGE, error.text, "scalar");
    for (size_t l = 0; l < LIBRARIES; l++) {
        if (seebatch_rules_named(rules[l], &job[l].rules, &error) != SEEBATCH_OK)
            fail(EXIT_USAGE, error.text, "--rules");
        load(&library[l], options.path[l], options.kernel ? kernel[l] : NULL);
    }

    static struct workload workload;
    if (!workload_load(&workload, options.positions, strncmp(options.shape, "cold", 4) == 0))
        return EXIT_WRONG;
    size_t checked = 0, queries = 0;
    for (size_t l = 0; l < LIBRARIES; l++) {
        find_shape(&job[l], &workload, options.shape);
        queries = shape_answers(job[l].shape);
        job[l].values = l ? job[0].values : workload_alloc(queries, sizeof *job[l].values);
        job[l].mask = l ? job[0].mask : workload_alloc(queries, sizeof *job[l].mask);
        checked += check(&library[l], &job[l]);
    }
    printf("%s/%s, rules %s, kernel %s; %zu answers checked\n", options.shape, options.form, options.rules, kernels,
           checked);
    take_turns(library, job, n_rounds, queries);
    free(job[0].values);
    free(job[0].mask);
    for (size_t l = 0; l < LIBRARIES; l++)
        free(job[l].pins);
    workload_free(&workload);
    return 0;
}
