/*
 * Which captures of a side are legal, and which need to be tried; see dominance.c.
 */
#ifndef SEEBATCH_SCALAR_DOMINANCE_H
#define SEEBATCH_SCALAR_DOMINANCE_H

#include "exchange.h"

/* What decides legality, for the king of each colour. */
struct legality {
    /* Lines on which a check can open: it is open when nothing in between is occupied any more and the enemy slider,
     * the sniper, still stands. A king's four lines have 27 squares at most. */
    struct {
        uint64_t sniper, in_between;
    } line[2][27];
    int lines[2];
    uint64_t leapers[2]; /* enemy pawns, knights and king that attack the king, not from the to-square */
};

/* What does not change in the course of an exchange. */
struct dominance {
    const seebatch_rules *rules;
    struct legality legality;
    bool all_legal;      /* every capture is legal: no line to a king can open */
    uint8_t by_value[5]; /* the piece types by value */
};

/* Finds the lines on which a check can open, when nothing but the given pieces leaves its square. True if there is no
 * such line, and no check by a leaper, for either king: then every attacker may capture. */
bool seebatch_find_legality(const struct exchange *x, uint64_t pieces, struct legality *legality);

/* All pieces that could ever capture on the square, were the others gone. */
uint64_t seebatch_possible_attackers(const struct exchange *x);

/* For an exchange in which nothing but its possible attackers leaves its square. */
void seebatch_init_dominance(struct dominance *dominance, const seebatch_rules *rules, const struct exchange *x);

/*
 * Sets those pieces aside that are pinned to the end: nothing but one of them stands between its king and an enemy
 * slider that takes no part. They block and never capture. True if after that no king is concerned any more, so that
 * every attacker may capture; otherwise the exchange is as it was.
 */
bool seebatch_set_pinned_aside(const struct dominance *dominance, struct exchange *x);

/* Of a side's attackers, without its king, those that need to be tried for the best value, legal or not. promoting:
 * those that are pawns and would become queens. */
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
