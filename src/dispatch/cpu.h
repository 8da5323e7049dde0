/*
 * Asks what the processor and the operating system can do; see cpu.c. dispatch.c calls it.
 */
#ifndef SEEBATCH_CPU_H
#define SEEBATCH_CPU_H

#include <stdbool.h>

/* AVX2, BMI1, BMI2, POPCNT and LZCNT, with the operating system saving the ymm registers. */
bool seebatch_cpu_has_avx2(void);
bool seebatch_cpu_has_avx512(void);

/* Whether this processor, if it has AVX-512, works on 512 bits at once and not on halves of them one after the other.
 */
bool seebatch_cpu_is_wide(void);

#endif
