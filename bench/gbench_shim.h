/*
 * Google Benchmark for programs in C.
 *
 * A benchmark is a function that does one pass over its workload and says how many items that were. The shim calls it
 * as often as Google Benchmark asks for and reports items_per_second. The names are reported as they are registered,
 * without a suffix: nothing is set on a benchmark that Google Benchmark would write into its name.
 */
#ifndef SEEBATCH_BENCH_GBENCH_SHIM_H
#define SEEBATCH_BENCH_GBENCH_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gbench_benchmark {
    const char *name;
    const char *(*prepare)(const void *arg); /* before the timed passes; returns NULL, or why they cannot be made */
    size_t (*pass)(const void *arg);         /* one timed pass; returns how many items it did */
    const void *arg;
};

/* Takes Google Benchmark's own flags (--benchmark_...) out of the command line. --benchmark_min_time takes a plain number
 * of seconds, whichever version of Google Benchmark this is built with. */
void gbench_initialize(int *argc, char **argv);

/* Adds a line to the context that is reported before the results. */
void gbench_add_context(const char *key, const char *value);

/* Registers a benchmark; what it points to must stay until the program ends. */
void gbench_register(const struct gbench_benchmark *benchmark);

/* Runs what --benchmark_filter selects and reports it in the format that the flags ask for; returns how many were
 * selected. */
size_t gbench_run(void);

/* Runs what a filter selects without a report; gives the name and the median of the items per second to keep(). */
void gbench_measure(const char *filter, void (*keep)(const char *name, double rate));

#ifdef __cplusplus
}
#endif

#endif
