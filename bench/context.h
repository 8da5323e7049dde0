/*
 * What a result was measured with: the lines that stand before it.
 */
#ifndef SEEBATCH_BENCH_CONTEXT_H
#define SEEBATCH_BENCH_CONTEXT_H

#include "workload.h"

/* Gives each line to add(): library, commit, compiler, processor, kernels, workload. */
void context_make(const struct workload *workload, void (*add)(const char *key, const char *value));

#endif
