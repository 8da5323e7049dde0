/*
 * Exhaustion: what the files of the program share. main.c says what the whole is for.
 */
#ifndef SEEBATCH_EXHAUSTION_H
#define SEEBATCH_EXHAUSTION_H

#include "differential/boards.h"

/* A run over placements: which are tried, and what was compared. */
struct run {
    uint64_t part, of;         /* every of-th placement, from number `part` on */
    uint64_t seen, placements; /* how many there were, and how many of them were tried */
    struct tally tally;
};

static inline bool in_slice(struct run *run)
{
    const bool is = run->seen++ % run->of == run->part;
    run->placements += is;
    return is;
}

/* main.c: compares moves of a board, sooner or later; a difference ends the program with a report. */
void compare_moves(struct run *run, const seebatch_position *position, const seebatch_move *moves, size_t n);

/* around.c: up to three pieces around a target. */
void around_target(struct run *run, int target);

#endif
