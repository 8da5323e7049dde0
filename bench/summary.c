/*
 * Measures a few of the benchmarks in turns, so that a change of the machine's clock meets them all alike, and prints
 * the median of each beside its ratio to the scalar kernel. See summary.h.
 */
#include "summary.h"

#include "gbench_shim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 5, MAX_KERNELS = 8 };

static const char *const rows[] = {"bulk/value", "bulk/ge", "bulk-all/ge"};
enum { N_ROWS = sizeof rows / sizeof rows[0] };

static bool registered(const struct pass_list *list, const char *name)
{
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->passes[i].name, name) == 0)
            return true;
    return false;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The columns: scalar, the other kernels that this machine can run, then the textbook code. */
static size_t columns(const char *names[MAX_KERNELS])
{
    size_t n = 0;
    names[n++] = "scalar";
    for (size_t k = 0; seebatch_kernel_name(k) && n < MAX_KERNELS - 1; k++)
        if (seebatch_kernel_available(k) && strcmp(seebatch_kernel_name(k), "scalar") != 0)
            names[n++] = seebatch_kernel_name(k);
    names[n++] = "textbook";
    return n;
}

static void print_table(const char *const names[], size_t n, double median[N_ROWS][MAX_KERNELS])
{
    printf("\nMillions of SEE per second, and times scalar (rules swap, one thread, median of %d)\n\n%-12s", ROUNDS,
           "");
    for (size_t k = 0; k < n; k++)
        printf(k ? "  %16s" : "  %8s", names[k]);
    printf("\n");
    for (size_t r = 0; r < N_ROWS; r++) {
        printf("%-12s  %8.1f", rows[r], median[r][0] / 1e6);
        for (size_t k = 1; k < n; k++) {
            if (median[r][k] > 0)
                printf("  %8.1f  %5.2fx", median[r][k] / 1e6, median[r][k] / median[r][0]);
            else
                printf("  %16s", "-");
        }
        printf("\n");
    }
}

bool summary_print(const struct pass_list *list)
{
    const char *names[MAX_KERNELS];
    static double rate[N_ROWS][MAX_KERNELS][ROUNDS];
    double median[N_ROWS][MAX_KERNELS] = {{0}};
    size_t n = columns(names);
    for (size_t round = 0; round < ROUNDS; round++) {
        for (size_t r = 0; r < N_ROWS; r++) {
            for (size_t k = 0; k < n; k++) {
                char name[64];
                snprintf(name, sizeof name, "%s/%s", rows[r], names[k]);
                if (!registered(list, name))
                    continue;
                rate[r][k][round] = gbench_measure(name);
                if (!(rate[r][k][round] > 0)) {
                    fprintf(stderr, "seebatch_bench: %s could not be measured\n", name);
                    return false;
                }
            }
        }
    }
    for (size_t r = 0; r < N_ROWS; r++) {
        for (size_t k = 0; k < n; k++) {
            qsort(rate[r][k], ROUNDS, sizeof(double), compare_doubles);
            median[r][k] = rate[r][k][ROUNDS / 2];
        }
    }
    print_table(names, n, median);
    return true;
}
