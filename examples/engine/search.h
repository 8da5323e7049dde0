/*
 * The search: iterative deepening, alpha-beta with a transposition table, quiescence search.
 *
 * It is deterministic: with the same table, limits of depth or nodes and history, it searches the same tree.
 */
#ifndef SEARCH_H
#define SEARCH_H

#include "board.h"
#include "picker.h"
#include "table.h"

#include <stdatomic.h>

enum {
    MAX_DEPTH = 64,
    MAX_PLY = 128,
    MAX_HISTORY = 512, /* positions of the game since the last capture or pawn move that are kept */
    SCORE_INFINITE = 32000,
    SCORE_MATE = 31000,                   /* less the plies until then */
    SCORE_MATE_BOUND = SCORE_MATE - 1000, /* scores beyond are mates */
};

/* When to stop. 0: no such limit. */
struct limits {
    int depth;
    uint64_t nodes;
    int64_t soft_ms; /* no new iteration is begun after it */
    int64_t hard_ms; /* the search is broken off */
    size_t n_moves;  /* if not 0: only these are searched at the root */
    seebatch_move moves[SEEBATCH_MAX_MOVES];
};

struct search {
    /* Set by the caller. */
    struct table *table;
    struct limits limits;
    struct see_use see;                                                /* its counts are of the last search */
    atomic_bool stop;                                                  /* set by another thread to end the search */
    void (*report)(const struct search *search, int depth, int score); /* after each iteration; or NULL */

    /* The positions before and up to the root, and then those of the line that is searched. */
    uint64_t keys[MAX_HISTORY + MAX_PLY];
    int n_keys;

    /* What was found. */
    uint64_t nodes;
    int64_t started; /* clock_ms() */
    int deepest;     /* ply */
    seebatch_move line[MAX_PLY];
    int line_length;

    /* Of use to the search alone. */
    bool aborted;
    int finished_depth;
    int root; /* its place in keys */
    seebatch_move killers[MAX_PLY][2];
    int16_t history[2][64][64];
    seebatch_move pv[MAX_PLY][MAX_PLY];
    int pv_length[MAX_PLY];
};

/* Prepares the tables of the search; once, at the start of the program. */
void search_init(void);

/* Forgets the game: history and transposition table. */
void search_new_game(struct search *search);

/* Searches and returns the best move; 0 if there is none. */
seebatch_move search_run(struct search *search, const struct board *root);

/* Milliseconds of a clock that nobody sets. */
int64_t clock_ms(void);

#endif
