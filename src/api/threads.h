/*
 * Divides work among threads, part by part; threads.c explains how. api/bulk.h and order.c include it for the functions
 * over many positions, texts and moves.
 */
#ifndef SEEBATCH_THREADS_H
#define SEEBATCH_THREADS_H

#include "seebatch.h"

/* The stack that each thread gets, in bytes: the search of `legal` keeps its memory on the stack, and some systems give
 * threads little of that. No evaluation needs more than a quarter of it, whatever the compiler's options; test_threads
 * and tests/build/test_stack.py check that. */
enum { SEE_THREAD_STACK = 1 << 20 };

/* Evaluates the items from `begin` to `end` - 1. */
typedef void see_evaluate_part(const void *work, size_t begin, size_t end);

/* Evaluates the items from 0 to `total` - 1 in parts, with as many threads as the job asks for and the system provides.
 * Without a job, the calling thread evaluates all of them at once. The status and the results in the job are those of
 * the public functions. */
seebatch_status seebatch_run_job(seebatch_job *job, size_t total, size_t part, see_evaluate_part *evaluate,
                                 const void *work);

/* How many threads a job asks for, at most SEEBATCH_MAX_THREADS. */
unsigned seebatch_threads_wanted(const seebatch_job *job);

#endif
