/*
 * Whether the answers that are timed are right.
 *
 * Every pass is run once over its whole workload, and each answer is compared with the one that the scalar kernel gives
 * to the same request alone.
 */
#ifndef SEEBATCH_BENCH_CHECK_H
#define SEEBATCH_BENCH_CHECK_H

#include "passes.h"

/* Returns how many answers were compared, all equal; or 0 after a report to standard error, with which the difference
 * can be seen again. answers: what all the passes write to; its step is 0 afterwards. */
size_t check_passes(const struct pass_list *list, struct answers *answers);

#endif
