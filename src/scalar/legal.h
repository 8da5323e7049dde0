/*
 * Declares the value of exchanges in which every capture must be a legal move and each side may capture in any order;
 * legal.c explains it. value.c, square.c and explain.c include it.
 */
#ifndef SEEBATCH_SCALAR_LEGAL_H
#define SEEBATCH_SCALAR_LEGAL_H

#include "exchange.h"

/*
 * What a side gets when it may capture what stands on the square, worth victim, or stop. Exact where the value lies
 * between alpha and beta, otherwise a bound on the same side of the window. x is left as it was.
 */
int seebatch_legal_value(const seebatch_rules *rules, const struct exchange *x, int color, int victim, int alpha,
                         int beta);

/* Finds the best capture of a side, better than stopping or not: the bit of its square, and its type. Returns false if
 * it has no legal capture. x is left as it was. */
bool seebatch_legal_best(const seebatch_rules *rules, struct exchange *x, int color, int victim, uint64_t *from,
                         int *type);

/* Whether the least valuable piece makes the best capture for either side to the end. Then pieces that are pinned to
 * the end are set aside, and every other one may capture; otherwise the exchange is as it was. */
bool seebatch_least_valuable_is_best(const seebatch_rules *rules, struct exchange *x);

#endif
