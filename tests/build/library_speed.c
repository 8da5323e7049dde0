/*
 * Compares shared libraries, such as that of a package and one of a Release build, by how fast they evaluate the captures of positions.
 *
 *     library_speed KERNEL ROUNDS LIBRARY... <FENS
 *
 * In each round each library in turn evaluates all captures, by one call for a move and by one for all positions, under three rule sets. A
 * row is the rule set, the call, and for each library the median time of one capture in nanoseconds. A library that is given twice, under
 * two names, shows how much the medians differ by themselves. With one round and one library, it is what a counter of instructions runs.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <seebatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { POSITIONS = 1000, LIBRARIES = 8, ROUNDS = 10000 };

static seebatch_position positions[POSITIONS];
static seebatch_move moves[POSITIONS * SEEBATCH_MAX_MOVES];
static size_t offsets[POSITIONS + 1], owners[POSITIONS * SEEBATCH_MAX_MOVES];
static int16_t values[POSITIONS * SEEBATCH_MAX_MOVES];
static double times[LIBRARIES][ROUNDS];

struct library {
    __typeof__(seebatch_kernel_use) *kernel_use;
    __typeof__(seebatch_rules_named) *rules_named;
    __typeof__(seebatch_position_from_fen) *position_from_fen;
    __typeof__(seebatch_legal_captures) *legal_captures;
    __typeof__(seebatch_value) *value;
    __typeof__(seebatch_batch_values) *batch_values;
};

static void fail(const char *what)
{
    fprintf(stderr, "library_speed: %s\n", what);
    exit(2);
}

static void *symbol(void *handle, const char *name)
{
    void *found = dlsym(handle, name);
    if (found == NULL)
        fail(dlerror());
    return found;
}

static struct library load(const char *path, const char *kernel)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    struct library library;
    seebatch_error error;
    if (handle == NULL)
        fail(dlerror());
    library.kernel_use = symbol(handle, "seebatch_kernel_use");
    library.rules_named = symbol(handle, "seebatch_rules_named");
    library.position_from_fen = symbol(handle, "seebatch_position_from_fen");
    library.legal_captures = symbol(handle, "seebatch_legal_captures");
    library.value = symbol(handle, "seebatch_value");
    library.batch_values = symbol(handle, "seebatch_batch_values");
    if (library.kernel_use(kernel, &error) != SEEBATCH_OK)
        fail(error.text);
    return library;
}

/* Evaluates all captures once: the time of one capture, in nanoseconds. */
static double evaluate(const struct library *library, const seebatch_rules *rules, bool bulk, size_t n)
{
    const seebatch_batch batch = {positions, n, offsets, moves, NULL};
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    if (bulk)
        library->batch_values(rules, &batch, values, NULL);
    else
        for (size_t k = 0; k < offsets[n]; k++)
            values[k] = (int16_t)library->value(rules, &positions[owners[k]], NULL, moves[k]);
    clock_gettime(CLOCK_MONOTONIC, &end);
    return ((double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec)) / (double)offsets[n];
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"legal", "swap", "stockfish"};
    struct library libraries[LIBRARIES];
    char line[256];
    size_t n = 0;
    const int n_libraries = argc - 3, rounds = argc > 2 ? atoi(argv[2]) : 0;
    if (n_libraries < 1 || n_libraries > LIBRARIES || rounds < 1 || rounds > ROUNDS)
        fail("expected KERNEL ROUNDS LIBRARY...");
    for (int i = 0; i < n_libraries; i++)
        libraries[i] = load(argv[3 + i], argv[1]);
    while (n < POSITIONS && fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || libraries[0].position_from_fen(line, strlen(line), &positions[n], NULL) != SEEBATCH_OK)
            continue;
        offsets[n + 1] = offsets[n] + libraries[0].legal_captures(&positions[n], moves + offsets[n]);
        for (size_t k = offsets[n]; k < offsets[n + 1]; k++)
            owners[k] = n;
        n++;
    }
    if (n == 0)
        fail("expected FENs, found none");
    for (size_t r = 0; r < sizeof names / sizeof *names; r++) {
        seebatch_rules rules;
        libraries[0].rules_named(names[r], &rules, NULL);
        for (int bulk = 0; bulk < 2; bulk++) {
            for (int round = 0; round < rounds; round++)
                for (int i = 0; i < n_libraries; i++) {
                    const int turn = (i + round) % n_libraries;
                    times[turn][round] = evaluate(&libraries[turn], &rules, bulk, n);
                }
            printf("%s\t%s", names[r], bulk ? "bulk" : "one");
            for (int i = 0; i < n_libraries; i++) {
                qsort(times[i], (size_t)rounds, sizeof times[i][0], ascending);
                printf("\t%.3f", times[i][rounds / 2]);
            }
            printf("\n");
        }
    }
    return 0;
}
