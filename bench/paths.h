/*
 * Which path answers which calls: see paths.c.
 */
#ifndef SEEBATCH_BENCH_PATHS_H
#define SEEBATCH_BENCH_PATHS_H

#include "seebatch.h"

#include <stdio.h>

/* Prints the table, from a file of FENs. Returns 0; 1 if a path is reached by no shape, a query was not counted once, or
 * the file has too few positions; 2 if the library was not built to count. */
int print_paths(FILE *out, const char *path);

#endif
