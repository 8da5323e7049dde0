/*
 * The rules in the form that lanes read them: values in registers, and flags for what the rules ask. The functions of a
 * rule class make them by init_lane_rules() for each call and turn the flags of the class into constants by
 * specialize() (rule_class.h). All code of the template reads them.
 */
#ifndef SEEBATCH_LANES_LANE_RULES_H
#define SEEBATCH_LANES_LANE_RULES_H

#include "chunks.h"
#include "api/rules.h"

/* Whether the code is compiled for size, as for the web. */
#if defined(SEEBATCH_SMALL)
enum { IS_SMALL = true };
#else
enum { IS_SMALL = false };
#endif

struct lane_rules {
    const seebatch_rules *scalar; /* for scalar code */
    const seebatch_rules *whole;  /* with the values of their own that some first moves have */
    struct piece_values tables;   /* the kernel's own */
    lanes value[5];
    lanes monotonic_lanes;   /* all ones or 0: no type is worth less than those before it */
    bool monotonic;          /* the same */
    uint16_t promotion_bits; /* of a move: those that matter */
    bool promote_all;
    bool promotion_zero, en_passant_zero; /* as first move */
    bool en_passant_stands;               /* a pawn captured en passant stays where it is */
    bool reads_pins;                      /* blockers of a king may be pinned: */
    bool either;                          /* of the enemy king, too; */
    bool ray_pins;                        /* but may capture along the pin */
    bool best_order;                      /* every capture must be legal, and each side chooses the best order */
    bool along_rays;                      /* queries go along rays, where the kernel has them: no king matters */
};

/* Makes the rules for lanes. It writes them in place, because compilers may really copy a struct that is returned. */
LANES_INLINE void init_lane_rules(struct lane_rules *r, const seebatch_rules *rules)
{
    const int16_t *v = rules->value;
    r->scalar = r->whole = rules;
    r->tables = piece_values_of(v);
    for (int type = SEEBATCH_PAWN; type <= SEEBATCH_QUEEN; type++)
        r->value[type] = lanes_all((uint16_t)v[type]); /* which is not negative */
    r->promote_all = see_later_pawns_promote(rules);
    r->promotion_zero = rules->promotion == SEEBATCH_PROMOTION_ZERO;
    r->en_passant_zero = rules->en_passant == SEEBATCH_EN_PASSANT_ZERO;
    r->en_passant_stands = rules->en_passant == SEEBATCH_EN_PASSANT_STANDING;
    r->promotion_bits = rules->promotions != SEEBATCH_PROMOTE_NONE || r->promotion_zero ? 7 << 12 : 0;
    r->monotonic = values_are_monotonic(v, &r->monotonic_lanes);
    r->reads_pins = see_rules_read_pins(rules);
    r->either = see_pin_rule_holds_for_either(rules->pins);
    r->ray_pins = see_rules_are_ray(rules);
    r->best_order = rules->order == SEEBATCH_BEST_ORDER;
}

/* The least valuable attackers of a set: all pieces of that type, and the value of one. A king counts as more than
 * everything, and so does an empty set. */
struct lane_least {
    lanes pieces, value;
};

/* The sliders that attack a target along its file or rank, and those that attack it along its diagonals. */
struct lane_sliders {
    lanes orthogonal, diagonal;
};

/* Sets what the rules of a class have in common as constants, so that what they do not need costs nothing. */
LANES_INLINE void specialize(struct lane_rules *rules, bool promote_all, bool reads_pins, bool best_order)
{
    rules->promote_all = promote_all;
    rules->reads_pins = reads_pins;
    rules->best_order = best_order;
    rules->along_rays = !reads_pins && !best_order;
}

/* Whether a king may keep a piece from capturing. (These are two questions, because in one gcc 12 reads both flags from
 * memory.) */
LANES_INLINE bool kings_matter(const struct lane_rules *rules)
{
    if (rules->reads_pins)
        return true;
    return rules->best_order;
}

/* Whether queries note that nothing may take back the piece that has moved; see recapturers(). */
LANES_INLINE bool notes_no_recapture(const struct lane_rules *rules)
{
    if (rules->promote_all)
        return true;
    return kings_matter(rules);
}

/* The pieces that pins may keep from capturing: blockers of either colour, or only those of their king's own colour. */
static inline uint64_t blockers_given(bool either, const seebatch_position *position, const seebatch_pins *pins)
{
    const uint64_t *blockers = pins->blockers;
    if (either)
        return blockers[SEEBATCH_WHITE] | blockers[SEEBATCH_BLACK];
    return (blockers[SEEBATCH_WHITE] & position->white) | (blockers[SEEBATCH_BLACK] & ~position->white);
}

/* The same by the caller's pins of position i of a chunk. The pins of positions further ahead are prefetched. */
static inline uint64_t given_blockers(const struct lane_rules *rules, const seebatch_batch *batch,
                                      const struct see_chunk *chunk, size_t i)
{
    const seebatch_pins *pins = &batch->pins[chunk->position[i] - batch->positions];
    if (SEE_PREFETCHES)
        __builtin_prefetch((const void *)((uintptr_t)pins + 64 * sizeof *pins));
    return blockers_given(rules->either, chunk->position[i], pins);
}

/* The same for all positions of a chunk. */
LANES_INLINE void find_given_blockers(const struct lane_rules *rules, const seebatch_batch *batch,
                                      const struct see_chunk *chunk,
                                      uint64_t blockers[SEE_CHUNK_POSITIONS + SEE_CHUNK_PAD])
{
    for (size_t i = 0; i < chunk->n_positions + LANES; i++)
        blockers[i] = given_blockers(rules, batch, chunk, i);
}

#endif
