/*
 * Measures some of the benchmarks in turns, so that a change of the machine's clock meets them all alike, and prints
 * the median of each beside its ratio to the scalar kernel, and the ratio that is aimed at. See summary.h.
 */
#include "summary.h"

#include "gbench_shim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 5, MAX_COLUMNS = 8 };

/* Times scalar, as the project aims at; 0: nothing is aimed at. */
struct goals {
    double avx2, avx512;
};

static const struct row {
    const char *name;
    struct goals goals;
} rows[] = {
    {"bulk/value", {5, 7.5}}, {"bulk/ge", {4, 6.5}},     {"bulk-all/value", {0, 0}}, {"bulk-all/ge", {6, 8}},
    {"one-32/value", {6, 8}}, {"one-8/value", {3, 5.5}}, {"one-4/value", {2.5, 4}},  {"one-2/value", {1.3, 1.6}},
    {"one-1/value", {1, 1}},  {"one-1/ge", {1, 1}},      {"hot/value", {0, 0}},      {"hot/ge", {0, 0}},
};
enum { N_ROWS = sizeof rows / sizeof rows[0] };

/* SEE per second of each round; 0 in all where there is no such benchmark. */
struct cell {
    double rate[ROUNDS];
};

struct table {
    const char *kernels[MAX_COLUMNS]; /* scalar, the others that this machine can run, and the textbook code */
    size_t n;
    struct cell cells[N_ROWS][MAX_COLUMNS];
};

static void name_columns(struct table *table)
{
    table->kernels[table->n++] = "scalar";
    for (size_t k = 0; seebatch_kernel_name(k) && table->n < MAX_COLUMNS - 1; k++)
        if (seebatch_kernel_available(k) && strcmp(seebatch_kernel_name(k), "scalar") != 0)
            table->kernels[table->n++] = seebatch_kernel_name(k);
    table->kernels[table->n++] = "textbook";
}

/* Whether there is such a benchmark, and it says something: every kernel passes single requests on to the scalar code.
 */
static bool is_measured(const struct pass_list *list, const char *name, const char *kernel)
{
    if (strncmp(name, "hot/", 4) == 0 && strcmp(kernel, "scalar") != 0 && strcmp(kernel, "textbook") != 0)
        return false;
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->passes[i].name, name) == 0)
            return true;
    return false;
}

static bool measure(struct table *table, const struct pass_list *list, size_t round)
{
    for (size_t r = 0; r < N_ROWS; r++) {
        for (size_t k = 0; k < table->n; k++) {
            char name[64];
            snprintf(name, sizeof name, "%s/%s", rows[r].name, table->kernels[k]);
            if (!is_measured(list, name, table->kernels[k]))
                continue;
            double *rate = &table->cells[r][k].rate[round];
            *rate = gbench_measure(name);
            if (!(*rate > 0)) {
                fprintf(stderr, "seebatch_bench: %s could not be measured\n", name);
                return false;
            }
        }
    }
    return true;
}

/* ---- What is printed --------------------------------------------------------------------------------------------- */

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const double x[ROUNDS])
{
    double sorted[ROUNDS];
    memcpy(sorted, x, sizeof sorted);
    qsort(sorted, ROUNDS, sizeof *sorted, compare_doubles);
    return sorted[ROUNDS / 2];
}

/* The median of the rounds' ratios: what was measured one after the other had the same clock. */
static double times_scalar(const struct table *table, size_t r, size_t k)
{
    double ratio[ROUNDS];
    for (size_t i = 0; i < ROUNDS; i++)
        ratio[i] = table->cells[r][k].rate[i] / table->cells[r][0].rate[i];
    return median(ratio);
}

static double goal(const struct row *row, const char *kernel)
{
    return strcmp(kernel, "avx2") == 0 ? row->goals.avx2 : strcmp(kernel, "avx512") == 0 ? row->goals.avx512 : 0;
}

static void print_cell(const struct table *table, size_t r, size_t k)
{
    const double rate = median(table->cells[r][k].rate), aim = goal(&rows[r], table->kernels[k]);
    if (rate == 0) {
        printf("  %22s", "");
        return;
    }
    printf("  %7.1f %6.2fx", rate / 1e6, times_scalar(table, r, k));
    if (aim > 0)
        printf(" (%3.1f)", aim);
    else
        printf(" %5s", "");
}

static void print_table(const struct table *table)
{
    printf("\nMillions of SEE per second, times scalar, and in brackets the times that are aimed at\n"
           "(rules swap, one thread, medians of %d; for scalar the nanoseconds of one SEE)\n\n%-14s  %7s %6s",
           ROUNDS, "", table->kernels[0], "ns");
    for (size_t k = 1; k < table->n; k++)
        printf("  %7s %6s %5s ", table->kernels[k], "", "");
    printf("\n");
    for (size_t r = 0; r < N_ROWS; r++) {
        const double rate = median(table->cells[r][0].rate);
        printf("%-14s  %7.1f %6.1f", rows[r].name, rate / 1e6, 1e9 / rate);
        for (size_t k = 1; k < table->n; k++)
            print_cell(table, r, k);
        printf("\n");
    }
    printf("\nSingle requests (one-1, hot) are passed on to the scalar code by every kernel. It aims at 22 ns for "
           "hot/value\n"
           "and 18 ns for hot/ge, on a Zen 4 core at 3.6 GHz.\n");
}

bool summary_print(const struct pass_list *list)
{
    static struct table table;
    name_columns(&table);
    for (size_t round = 0; round < ROUNDS; round++)
        if (!measure(&table, list, round))
            return false;
    print_table(&table);
    return true;
}
