/*
 * The table that a first reader wants: SEE per second of every kernel side by side. See timed_pass.h.
 */
#include "timed_pass.h"

#include "gbench_shim.h"

#include <stdio.h>
#include <string.h>

static const char *const rows[] = {"bulk/value",   "bulk/ge",     "bulk-all/value", "bulk-all/ge",
                                   "one-32/value", "one-8/value", "one-4/value",    "one-2/value",
                                   "one-1/value",  "one-1/ge",    "hot/value",      "hot/ge"};
enum { ROWS = sizeof rows / sizeof *rows, MAX_COLUMNS = 8 };

static double rates[ROWS][MAX_COLUMNS]; /* by the library's numbers of kernels */

static void keep(const char *name, double rate)
{
    for (size_t r = 0; r < ROWS; r++) {
        const size_t length = strlen(rows[r]);
        for (size_t k = 0; k < MAX_COLUMNS && seebatch_kernel_name(k); k++)
            if (strncmp(name, rows[r], length) == 0 && strcmp(name + length + 1, seebatch_kernel_name(k)) == 0)
                rates[r][k] = rate;
    }
}

bool summary_print(void)
{
    size_t scalar = 0;
    while (strcmp(seebatch_kernel_name(scalar), "scalar") != 0)
        scalar++;
    gbench_measure("^(bulk|bulk-all|one-(32|8|4|2|1)|hot)/(value|ge)/[^/]+$", keep);
    printf("\nMillions of SEE per second, and times scalar (rules swap, one thread, medians)\n\n%-14s", "");
    for (size_t k = 0; k < MAX_COLUMNS && seebatch_kernel_name(k); k++)
        printf("  %7s %6s ", seebatch_kernel_available(k) ? seebatch_kernel_name(k) : "", "");
    for (size_t r = 0; r < ROWS; r++) {
        printf("\n%-14s", rows[r]);
        for (size_t k = 0; k < MAX_COLUMNS && rates[r][scalar] > 0; k++)
            if (rates[r][k] > 0)
                printf("  %7.1f %6.2fx", rates[r][k] / 1e6, rates[r][k] / rates[r][scalar]);
    }
    printf("\n\nEvery kernel passes single queries (one-1, hot) on to the scalar code.\n");
    return rates[0][scalar] > 0;
}
