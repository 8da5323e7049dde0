/*
 * The timed code: one pass over a shape with one kernel.
 *
 * A pass makes every call that its shape stands for, from seebatch_position and moves to finished answers, and keeps
 * nothing between the calls. Where the answers go is told by a step: with step 0 every call writes to the same place,
 * as in an engine that uses them up at once, and with step 1 they lie one behind the other, to be checked. So what is
 * checked is the very code that is timed.
 */
#ifndef SEEBATCH_BENCH_TIMED_PASS_H
#define SEEBATCH_BENCH_TIMED_PASS_H

#include "workload.h"

enum form { FORM_VALUE, FORM_GE };

/* Room for the answers of any pass over the workload. */
struct answers {
    int16_t *values;
    uint64_t *mask; /* a call begins with a new word */
    uint8_t *flags; /* ge where one call is one query */
    size_t step;    /* 0 or 1 */
};

struct pass {
    char name[64]; /* SHAPE/FORM/KERNEL, and /RULES unless they are "swap"; SHAPE-pinned with pins at hand */
    const struct shape *shape;
    enum form form;
    const char *kernel;
    const char *rules_name;
    seebatch_rules rules;
    seebatch_pins *pins; /* one a position, at hand; or NULL */
    const struct answers *answers;
    size_t (*run)(const struct pass *pass); /* returns the number of queries answered */
};

struct pass_list {
    struct pass *passes;
    size_t n;
};

/* All passes over a workload, for every kernel that this machine can run. */
void passes_make(struct pass_list *list, const struct workload *workload, const struct answers *answers);
void passes_free(struct pass_list *list);

/* Runs every pass once, and compares each answer with the one that the scalar kernel gives to the same query alone.
 * Returns how many were compared, all equal; or 0 after a report to standard error, with which the difference can be
 * seen again. answers: what all the passes write to; its step is 0 afterwards. (check.c) */
size_t check_passes(const struct pass_list *list, struct answers *answers);

/* Measures and prints the table that a first reader wants. The passes must be registered with the shim. Returns false
 * if nothing was measured. (summary.c) */
bool summary_print(void);

/* Chooses the kernel; to be called before run. Returns NULL, or why it cannot be used. */
const char *pass_prepare(const struct pass *pass);

#endif
