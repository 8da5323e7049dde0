/*
 * The table that a first reader wants: SEE per second of every kernel side by side.
 */
#ifndef SEEBATCH_BENCH_SUMMARY_H
#define SEEBATCH_BENCH_SUMMARY_H

#include "passes.h"

/* Measures and prints; the passes must be registered with the shim. Returns false if a measurement failed. */
bool summary_print(const struct pass_list *list);

#endif
