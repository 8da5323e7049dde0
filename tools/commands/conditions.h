/*
 * The conditions of filter: what they are called, and which positions of a batch meet all of them.
 */
#ifndef SEEBATCH_TOOL_CONDITIONS_H
#define SEEBATCH_TOOL_CONDITIONS_H

#include "pipeline/requests.h"

/* Both ends belong to it. */
struct range {
    int64_t low, high;
};

struct condition {
    const struct condition_kind *kind;
    struct range range;
    bool keep; /* what has to be so; otherwise what may not be so */
};

enum { MOST_CONDITIONS = 64 };

struct conditions {
    struct condition list[MOST_CONDITIONS];
    int n;
    seebatch_rules rules;
};

/* Reads a condition, NAME or NAME=RANGE, for --keep or --drop; ends the program with status 2 if it is none. */
void conditions_add(struct conditions *conditions, const char *command, const char *text, bool keep);

/* After the last one: those that cost least come first. */
void conditions_sort(struct conditions *conditions);

/* FIELD_... that they are about. */
unsigned conditions_fields(const struct conditions *conditions);

/* Memory for the evaluation of batches, one a thread; all zero at first. */
struct judge {
    bool in[BATCH_SIZE]; /* the answer */
    struct requests requests;
    uint64_t *mask, *above;
    size_t mask_capacity;
};

/* Which positions of a batch meet every --keep and no --drop: judge->in. */
void conditions_judge(const struct conditions *conditions, struct judge *judge, const struct batch *batch);

void judge_free(struct judge *judge);

#endif
