/*
 * The AVX-512 kernel: eight requests a register. The method is told at the head of ../lanes/kernel.h, what is done
 * otherwise than with AVX2 in board.h.
 */
#include "kernel.h"
#include "kings.h"
#include "avx2/kernel.h"

/* Fewer requests than these go to the AVX2 kernel, whose registers they fill, and which goes on from there. */
enum { FEW_VALUES = 5, FEW_THRESHOLDS = 5 };
#define LANES_FEWER_VALUES seebatch_avx2_values
#define LANES_FEWER_GE seebatch_avx2_ge

#define LANES_VALUES seebatch_avx512_values
#define LANES_GE seebatch_avx512_ge
#include "../lanes/kernel.h"
