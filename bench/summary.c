/*
 * Measures some of the benchmarks in turns, so that a change of the machine's clock meets them all alike, and prints
 * the median of each beside its ratio to the scalar kernel. See passes.h.
 */
#include "passes.h"

#include "gbench_shim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 5, MAX_COLUMNS = 8 };

static const char *const rows[] = {
    "bulk/value",  "bulk/ge",     "bulk-all/value", "bulk-all/ge", "one-32/value", "one-8/value",
    "one-4/value", "one-2/value", "one-1/value",    "one-1/ge",    "hot/value",    "hot/ge",
};
enum { N_ROWS = sizeof rows / sizeof rows[0] };

/* SEE per second of each round; 0 in all where there is no such benchmark. */
struct cell {
    double rate[ROUNDS];
};

struct table {
    const char *kernels[MAX_COLUMNS]; /* scalar, then the others that this machine can run */
    size_t n;
    struct cell cells[N_ROWS][MAX_COLUMNS];
};

static void name_columns(struct table *table)
{
    table->kernels[table->n++] = "scalar";
    for (size_t k = 0; seebatch_kernel_name(k) && table->n < MAX_COLUMNS; k++)
        if (seebatch_kernel_available(k) && strcmp(seebatch_kernel_name(k), "scalar") != 0)
            table->kernels[table->n++] = seebatch_kernel_name(k);
}

/* Whether there is such a benchmark, and it says something: every kernel passes single requests on to the scalar code.
 */
static bool is_measured(const struct pass_list *list, const char *name, const char *kernel)
{
    if (strncmp(name, "hot/", 4) == 0 && strcmp(kernel, "scalar") != 0)
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
            snprintf(name, sizeof name, "%s/%s", rows[r], table->kernels[k]);
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

static void print_cell(const struct table *table, size_t r, size_t k)
{
    const double rate = median(table->cells[r][k].rate);
    if (rate == 0) {
        printf("  %15s", "");
        return;
    }
    printf("  %7.1f %6.2fx", rate / 1e6, times_scalar(table, r, k));
}

static void print_table(const struct table *table)
{
    printf("\nMillions of SEE per second, and times scalar\n"
           "(rules swap, one thread, medians of %d; for scalar the nanoseconds of one SEE)\n\n%-14s  %7s %6s",
           ROUNDS, "", table->kernels[0], "ns");
    for (size_t k = 1; k < table->n; k++)
        printf("  %7s %6s ", table->kernels[k], "");
    printf("\n");
    for (size_t r = 0; r < N_ROWS; r++) {
        const double rate = median(table->cells[r][0].rate);
        printf("%-14s  %7.1f %6.1f", rows[r], rate / 1e6, 1e9 / rate);
        for (size_t k = 1; k < table->n; k++)
            print_cell(table, r, k);
        printf("\n");
    }
    printf("\nEvery kernel passes single requests (one-1, hot) on to the scalar code.\n");
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
