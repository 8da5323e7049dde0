/*
 * Exhaustion: what the files of the program share. main.c says what the whole is for.
 */
#ifndef SEEBATCH_EXHAUSTION_H
#define SEEBATCH_EXHAUSTION_H

#include "seebatch.h"

#include <stdint.h>

/* What has been held against each other. */
struct counts {
    uint64_t placements; /* those of the slice, whether a move follows from them or not */
    uint64_t boards;     /* with at least one move that was evaluated */
    uint64_t moves;
    uint64_t oracle_values; /* by the oracle and by the scalar code, which were equal */
    uint64_t kernel_values; /* by the other ways: values, lanes forced, maps forced, masks; by each kernel */
};

/* Which placements are tried: every n-th one, from the given one on. */
struct slice {
    uint64_t part, of;
    uint64_t seen; /* placements so far */
};

static inline bool in_slice(struct slice *slice) { return slice->seen++ % slice->of == slice->part; }

/* compare.c: evaluates moves of a position by every rule set that has a name and by one that has none, sooner or later;
 * compare_finish() does what is left. They end the program with a report, status 1, at the first difference. */
void compare_moves(const seebatch_position *position, const seebatch_move *moves, size_t n, struct counts *counts);
void compare_finish(struct counts *counts);

/* Names of the kernels that are compared, with blanks in between; prints which are skipped. */
const char *compare_kernels(void);

/* around.c: up to three pieces around a target. */
void around_target(int target, struct slice *slice, struct counts *counts);

/* alone.c: one piece of a type and colour on an empty board with the kings. */
void alone_on_board(int type, int color, struct slice *slice, struct counts *counts);

#endif
