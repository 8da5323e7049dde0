/*
 * The AVX2 kernel: four requests a register. The method is told at the head of ../lanes/kernel.h.
 */
#include "kernel.h"
#include "kings.h"

/* Fewer requests than these go to the scalar code. */
enum { FEW_VALUES = 2, FEW_THRESHOLDS = 2 };
#define LANES_FEWER_VALUES seebatch_scalar_values
#define LANES_FEWER_GE seebatch_scalar_ge

#define LANES_VALUES seebatch_avx2_values
#define LANES_GE seebatch_avx2_ge
#include "../lanes/kernel.h"
