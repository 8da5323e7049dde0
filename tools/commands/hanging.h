/*
 * Finds what hangs in many positions, summed for each side, like seebatch_map() without the squares.
 */
#ifndef SEEBATCH_TOOL_HANGING_H
#define SEEBATCH_TOOL_HANGING_H

#include "chess/queries.h"

/* The legal captures of positions, and their values; and checks. All zero at first; freed by captures_free(). */
struct captures {
    struct queries queries;
    int16_t *values;
    uint16_t *owners;           /* whose captures they are, as an index of the positions */
    size_t capacity;            /* of values and owners */
    bool checked[MOST_QUERIED]; /* whether the side to move is in check */
};

/* Finds and evaluates the captures of n positions; none of those that are not in, in may be NULL. False if there is no
 * memory. */
bool captures_evaluate(struct captures *captures, const seebatch_rules *rules, const seebatch_position *positions,
                       size_t n, const bool *in);
void captures_free(struct captures *captures);

/* What a thread needs. All zero at first. */
struct hanging {
    struct captures replies;                    /* of the side that does not have the turn */
    seebatch_position null_moves[MOST_QUERIED]; /* after them */
    bool in[MOST_QUERIED];                      /* whether they have replies */
};

/* sums[i][color]: the sum over all squares of what that side gets there in positions[i], if wanted[color]. captures are
 * those of the positions, evaluated under the same rules. False if there is no memory. */
bool hanging_sums(struct hanging *hanging, const seebatch_rules *rules, const seebatch_position *positions, size_t n,
                  const struct captures *captures, const bool wanted[2], int (*sums)[2]);

#endif
