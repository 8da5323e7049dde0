/*
 * The scalar evaluation as the rest of the library uses it: the specification in code, and the quickest way for a
 * single move. Its kernel is declared in kernel.h.
 */
#ifndef SEEBATCH_SCALAR_H
#define SEEBATCH_SCALAR_H

#include "seebatch.h"

/* These are seebatch_value() and seebatch_ge(), without their checks. */
int seebatch_scalar_value(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                          seebatch_move move);
bool seebatch_scalar_at_least(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                              seebatch_move move, int threshold);

/* The value of an exchange that early exits and bounds have left pending, clamped to [alpha, beta], or the fixed value
 * of the first move if it has one. */
int seebatch_scalar_exchange(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                             seebatch_move move, int alpha, int beta);

/* Whether a first move has a fixed value, which no recapture changes, and that value. */
bool seebatch_fixed_value(const seebatch_rules *rules, const seebatch_position *position, seebatch_move move,
                          int16_t *value);

/* The pieces of both sides that may not capture in an exchange on a square, under rules of ray.h. */
uint64_t seebatch_pinned_on_rays(const seebatch_rules *rules, const seebatch_position *position,
                                 const seebatch_pins *pins, int to);

#endif
