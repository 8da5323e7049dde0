/* The scalar kernel; contracts in ../kernel.h. */
#ifndef SEEBATCH_SCALAR_KERNEL_H
#define SEEBATCH_SCALAR_KERNEL_H

#include "../kernel.h"

bool seebatch_scalar_supported(void);
void seebatch_scalar_values(const seebatch_rules *rules, const struct see_requests *requests, int16_t *values);
void seebatch_scalar_ge(const seebatch_rules *rules, const struct see_requests *requests, const int16_t *thresholds,
                        size_t step, uint64_t *mask);
void seebatch_scalar_node_values(const seebatch_rules *rules, const seebatch_position *position,
                                 const seebatch_move *moves, size_t n, int16_t *values);
void seebatch_scalar_node_ge(const seebatch_rules *rules, const seebatch_position *position, const seebatch_move *moves,
                             size_t n, const int16_t *thresholds, size_t step, uint64_t *mask);

#endif
