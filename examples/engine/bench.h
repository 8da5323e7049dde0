/*
 * The benchmark: the same searches with one call a move and in batches.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>

/* Prints nodes of each position and nodes per second, each way the best of so many rounds. False, and a sentence on
 * standard error, if the two ways did not search the same tree or there is no memory. */
bool bench_run(int depth, int rounds);

#endif
