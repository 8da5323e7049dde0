/*
 * Lengths of exchanges, with the instructions that count bits.
 */
#include "board/attacks.h"
#include "kernel.h"

#include <string.h>

#define KERNEL(name) seebatch_avx2_##name
#include "scalar/lengths.h"
