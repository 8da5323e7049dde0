/*
 * Declares the functions that find which captures of a side are legal, and which of these need to be tried; dominance.c
 * explains it. legal.c includes it.
 */
#ifndef SEEBATCH_SCALAR_DOMINANCE_H
#define SEEBATCH_SCALAR_DOMINANCE_H

#include "exchange.h"

/* The state that decides whether captures are legal, for the king of each colour. */
struct legality {
    /* Lines on which a check can open: it is open when nothing in between is occupied any more and the enemy slider,
     * the sniper, still stands. A king's four lines have 27 squares at most. */
    struct {
        uint64_t sniper, in_between;
    } line[2][27];
    int lines[2];
    uint64_t leapers[2]; /* enemy pawns, knights and king that attack the king, not from the to-square */
};

/* Data that does not change in the course of an exchange. */
struct dominance {
    const seebatch_rules *rules;
    struct legality legality;
    bool all_legal;      /* every capture is legal: no line to a king can open */
    uint8_t by_value[5]; /* the piece types by value */
};

/* Finds the lines on which a check can open if only the given pieces may leave their squares. True if there is no such
 * line, and no check by a leaper, for either king: then every attacker may capture. */
bool seebatch_find_legality(const struct exchange *x, uint64_t pieces, struct legality *legality);

/* All pieces that could ever capture on the square, if the others were gone. */
uint64_t seebatch_possible_attackers(const struct exchange *x);

/* Prepares an exchange in which only its possible attackers leave their squares. */
void seebatch_init_dominance(struct dominance *dominance, const seebatch_rules *rules, const struct exchange *x);

/* Sets aside the pieces that are pinned to the end: each stands alone between its king and an enemy slider that takes
 * no part. They block and never capture. Returns true if no king matters after that, so that every attacker may
 * capture; otherwise the exchange is unchanged. */
bool seebatch_set_pinned_aside(const struct dominance *dominance, struct exchange *x);

/* The attackers of a side, without its king, that need to be tried for the best value, whether their captures are legal
 * or not. promoting: the pawns among the attackers that would become queens. */
uint64_t seebatch_needed_captures(const struct dominance *dominance, const struct exchange *x, int color,
                                  uint64_t attackers, uint64_t promoting);

/* Whether a piece that is no king may capture. */
static inline bool is_legal(const struct dominance *dominance, const struct exchange *x, int color, uint64_t from)
{
    const struct legality *legality = &dominance->legality;
    const uint64_t occupied = x->occupied & ~from;
    if (legality->leapers[color] & occupied)
        return false;
    for (int i = 0; i < legality->lines[color]; i++) {
        if (legality->line[color][i].sniper & occupied && !(legality->line[color][i].in_between & occupied))
            return false;
    }
    return true;
}

#endif
