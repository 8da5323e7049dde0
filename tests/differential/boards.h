/*
 * Boards for the differential harness.
 */
#ifndef SEEBATCH_DIFFERENTIAL_BOARDS_H
#define SEEBATCH_DIFFERENTIAL_BOARDS_H

#include "differential.h"

enum board_kind { BOARDS_REAL, BOARDS_RANDOM, BOARDS_PATHOLOGICAL, BOARDS_FILE };

/* Positions read from files. */
struct library {
    seebatch_position *positions;
    size_t n, capacity;
};

/* Adds the positions of a file, one a line; blank lines and those that begin with # are passed over. On failure says
 * why on standard error. */
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

/* Fills a batch. The library is not used for random and pathological boards. Requests that best order would take too
 * long on are left out and counted in *passed_over. */
void boards_fill(struct batch *batch, enum board_kind kind, const struct library *library, uint64_t seed,
                 unsigned max_reach, uint64_t *passed_over);

#endif
