/*
 * The scalar SEE: the specification in code, and the fastest choice for a single request.
 */
#ifndef SEEBATCH_SCALAR_SEE_H
#define SEEBATCH_SCALAR_SEE_H

#include "seebatch.h"

/* seebatch_value() and seebatch_ge(), without their checks. */
int seebatch_scalar_value(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                          seebatch_move move);
bool seebatch_scalar_at_least(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                              seebatch_move move, int threshold);

/* The value, clamped to [alpha, beta], of an exchange of which it is known that the quick ways to tell it fail. */
int seebatch_scalar_exchange(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                             seebatch_move move, int alpha, int beta);

#endif
