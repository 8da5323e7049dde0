/*
 * The AVX-512 kernel: eight requests a register. The method is told at the head of ../lanes/kernel.h, what is done
 * otherwise than with AVX2 in board.h.
 */
#include "kernel.h"
#include "kings.h"

#define LANES_VALUES seebatch_avx512_values
#define LANES_GE seebatch_avx512_ge
#include "../lanes/kernel.h"
