/* The AVX-512 kernel; contracts in ../kernel.h. */
#ifndef SEEBATCH_AVX512_KERNEL_H
#define SEEBATCH_AVX512_KERNEL_H

#include "../kernel.h"

void seebatch_avx512_values(const seebatch_rules *rules, const struct see_requests *requests, int16_t *values);
void seebatch_avx512_ge(const seebatch_rules *rules, const struct see_requests *requests, const int16_t *thresholds,
                        size_t step, uint64_t *mask);
void seebatch_avx512_node_values(const seebatch_rules *rules, const seebatch_position *position,
                                 const seebatch_move *moves, size_t n, int16_t *values);
void seebatch_avx512_node_ge(const seebatch_rules *rules, const seebatch_position *position, const seebatch_move *moves,
                             size_t n, const int16_t *thresholds, size_t step, uint64_t *mask);

/* Where units are 512 bits wide. */
void seebatch_avx512_wide_node_values(const seebatch_rules *rules, const seebatch_position *position,
                                      const seebatch_move *moves, size_t n, int16_t *values);
void seebatch_avx512_wide_node_ge(const seebatch_rules *rules, const seebatch_position *position,
                                  const seebatch_move *moves, size_t n, const int16_t *thresholds, size_t step,
                                  uint64_t *mask);

#endif
