/*
 * First moves that have a value of their own under some rules, for kernels with lanes: promotions, en passant and
 * castling that pass at any threshold, and double steps that are answered en passant. A kernel evaluates them by rules
 * without such values, and then the answers are replaced.
 */
#ifndef SEEBATCH_OWN_VALUES_H
#define SEEBATCH_OWN_VALUES_H

#include "chunks.h"

static inline bool see_have_own_values(const seebatch_rules *rules)
{
    return (rules->promotion == SEEBATCH_PROMOTION_ALWAYS) | (rules->en_passant == SEEBATCH_EN_PASSANT_ALWAYS) |
           (rules->castling == SEEBATCH_CASTLING_ALWAYS) |
           (rules->en_passant_replies == SEEBATCH_EN_PASSANT_REPLIES_COUNTED);
}

/* The same rules without: what passed at any threshold is worth 0. */
seebatch_rules seebatch_without_own_values(const seebatch_rules *rules);

/* Replaces values of a chunk that were found by those rules. With or without thresholds: what is worth 0 whatever
 * follows has that value in either case. */
void seebatch_replace_own_values(const seebatch_rules *rules, const struct see_chunk *chunk, int16_t *values);

/* A kernel's functions for one position, by its functions for rules without such values. */
void seebatch_own_node_values(see_node_values *kernel, const seebatch_rules *rules, const seebatch_position *position,
                              const seebatch_pins *pins, const seebatch_move *moves, size_t n, int16_t *values);
void seebatch_own_node_ge(see_node_ge *kernel, const seebatch_rules *rules, const seebatch_position *position,
                          const seebatch_pins *pins, const seebatch_move *moves, size_t n, const int16_t *thresholds,
                          size_t step, uint64_t *mask);

#endif
