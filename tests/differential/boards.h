/*
 * Boards for the differential harness.
 */
#ifndef SEEBATCH_DIFFERENTIAL_BOARDS_H
#define SEEBATCH_DIFFERENTIAL_BOARDS_H

#include "differential.h"

enum { NO_LIMIT = 64 }; /* of pieces that could reach a square */

enum board_kind { BOARDS_REAL, BOARDS_RANDOM, BOARDS_PATHOLOGICAL };

/* Positions read from files. */
struct library {
    seebatch_position *positions;
    size_t n;
};

/* Adds the positions of a file, one a line. On failure says why on standard error. */
bool library_read(struct library *library, const char *path);

/* Pieces being set up. */
struct pieces {
    uint64_t by_type[6], by_color[2];
};

void pieces_put(struct pieces *pieces, int square, int color, int type);
void pieces_remove(struct pieces *pieces, int square);
static inline uint64_t pieces_occupied(const struct pieces *pieces)
{
    return pieces->by_color[0] | pieces->by_color[1];
}

/* shapes.c: pieces set up around a square (returned) so that something rare happens there. Kings may be missing. */
int shape(struct pieces *pieces, struct rng *rng);

/* The square so many steps away, or SEEBATCH_NO_SQUARE. */
static inline int stepped(int square, int files, int ranks)
{
    const int file = (square & 7) + files, rank = (square >> 3) + ranks;
    return file < 0 || file > 7 || rank < 0 || rank > 7 ? SEEBATCH_NO_SQUARE : rank * 8 + file;
}

/* pseudo.c: moves of both sides that are legal but for checks; returns how many. */
size_t pseudo_legal_moves(const seebatch_position *position, seebatch_move moves[2 * SEEBATCH_MAX_MOVES]);

/* Whether a piece could capture on a square of an empty board. */
bool piece_reaches(int type, int color, int from, int to);

/* The pieces, other than the one on from, that could ever reach a square by a capture. */
unsigned reach_count(const seebatch_position *position, int from, int to);

/* How a batch is filled. */
struct filling {
    enum board_kind kind;
    const struct library *library; /* not used for random and pathological boards */
    bool pseudo_legal;             /* some lists are of pseudo-legal moves */
    unsigned max_reach;            /* queries whose square more pieces could reach are left out and counted */
};

void boards_fill_with(struct batch *batch, const struct filling *filling, uint64_t seed, uint64_t *passed_over);

/* The same with legal moves only. */
void boards_fill(struct batch *batch, enum board_kind kind, const struct library *library, uint64_t seed,
                 unsigned max_reach, uint64_t *passed_over);

#endif
