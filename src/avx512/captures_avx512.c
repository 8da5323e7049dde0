/*
 * The legal captures of eight positions at once.
 */
#include "board/position.h"
#include "kernel.h"

#include <immintrin.h>
#include <string.h>

#define BOARDS 8
#define TWO_WORDS UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)
#define BYTES_IN_ORDER                                                                                                 \
    {                                                                                                                  \
        TWO_WORDS, TWO_WORDS, TWO_WORDS, TWO_WORDS                                                                     \
    }
#define OF_FOUR(i, field) positions[i].field, positions[i + 1].field, positions[i + 2].field, positions[i + 3].field
#define OF_EACH(field)                                                                                                 \
    {                                                                                                                  \
        OF_FOUR(0, field), OF_FOUR(4, field)                                                                           \
    }
#define SHUFFLE(set, order) (words) _mm512_shuffle_epi8((__m512i)(set), (__m512i)(order))
#define KERNEL(name) seebatch_avx512_##name
#include "lanes/captures.h"
