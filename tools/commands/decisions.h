/*
 * filter --explain: how conditions were understood, how many records each term decided, and why the first records were
 * kept or dropped.
 */
#ifndef SEEBATCH_TOOL_DECISIONS_H
#define SEEBATCH_TOOL_DECISIONS_H

#include "seebatch_io.h"
#include "tool.h"

enum { MOST_DECIDED_TERMS = 128, DECISIONS_SHOWN = 10 };

struct decisions {
    uint64_t tested[MOST_DECIDED_TERMS], held[MOST_DECIDED_TERMS], decided[MOST_DECIDED_TERMS];
    size_t n_shown;
    struct shown {
        seebatch_position position;
        seebatch_decision decision;
    } shown[DECISIONS_SHOWN];
};

/* Tests records, adds how each is decided, and sets failed as seebatch_conditions_find() does. Records must come in the
 * order of the input. */
seebatch_io_status decisions_add(struct decisions *decisions, const seebatch_conditions *conditions,
                                 const seebatch_records *records, uint8_t *failed);

/* What was asked for: --keep or --drop with a text, by its number from 1. */
struct asked {
    const char *option, *text;
};

/* Prints all of it. */
void decisions_print(struct output *output, const struct decisions *decisions, const seebatch_conditions *conditions,
                     const struct asked *asked, int n_asked, const struct options *options);

#endif
