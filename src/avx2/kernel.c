/*
 * The AVX2 kernel: four requests a register. The method is told at the head of ../lanes/kernel.h.
 */
#include "kernel.h"
#include "kings.h"

#define LANES_VALUES seebatch_avx2_values
#define LANES_GE seebatch_avx2_ge
#include "../lanes/kernel.h"
