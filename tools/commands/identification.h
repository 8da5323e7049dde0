/*
 * Declares how to find which candidates explain an engine's answers.
 *
 * Rules and piece values are found in turns: values that lines say by themselves, then the best candidate under them,
 * then better values under that candidate. Candidates that come close get values of their own. What fits must explain
 * every answer, or all but a few; those few must look like mistakes. Mistakes fall on any line. If nearly all
 * contradictions fall on lines on which candidates disagree, or on one kind of moves, then the engine computes
 * something else.
 */
#ifndef SEEBATCH_IDENTIFICATION_H
#define SEEBATCH_IDENTIFICATION_H

#include "answers.h"

struct identification {
    size_t n;
    struct candidate candidates[MOST_CANDIDATES]; /* n of them, each with the values under which it explains most */
    size_t wrong[MOST_CANDIDATES];                /* lines that contradict it */
    bool fits[MOST_CANDIDATES];
    size_t n_fits;
    int best;         /* contradicts the fewest lines; of several the first */
    int next;         /* of those that do not fit, the best; -1: there is none */
    double evidence;  /* the odds that a line gives against what it contradicts: 10 to this */
    const char *none; /* NULL, or why nothing fits */
    struct value_bounds bounds;
    int low[5], high[5]; /* of the best: no more lines contradict any value in these ranges */

    size_t asked[KINDS], contradicting[KINDS]; /* lines by kind; those that contradict the best */
    size_t contested, contesting;              /* lines on which candidates disagree; of those that contradict */
};

void identify_answers(struct answers *answers, struct identification *found);

#endif
