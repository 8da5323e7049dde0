/*
 * Operations on four lanes that follow from those of the instruction set (four_contract.h). line_board.h and the other
 * headers of this folder use them.
 */
#ifndef SEEBATCH_LANES_FOUR_OPERATIONS_H
#define SEEBATCH_LANES_FOUR_OPERATIONS_H

#include "four_contract.h"

#include "board/attacks.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A mask is a lane of all ones where something holds, and of zeros elsewhere. */
typedef lanes lane_mask;

LANES_INLINE lane_mask mask_and(lane_mask a, lane_mask b) { return lanes_and(a, b); }
LANES_INLINE lane_mask mask_or(lane_mask a, lane_mask b) { return lanes_or(a, b); }
LANES_INLINE lane_mask mask_not(lane_mask a) { return lanes_xor(a, lanes_all(-1)); }
LANES_INLINE lane_mask mask_without(lane_mask a, lane_mask b) { return lanes_without(a, b); } /* a and not b */

LANES_INLINE lane_mask mask_of_bits(unsigned bits)
{
    const lanes bit = lanes_of(1, 2, 4, 8);
    return lanes_has_bit(lanes_all(bits), bit);
}

LANES_INLINE lane_mask lanes_empty_or(lanes a, lanes all) { return lanes_or(lanes_empty(a), all); } /* all: ones or 0 */
LANES_INLINE lanes lanes_unless(lane_mask m, lanes a) { return lanes_without(a, m); } /* a, or 0 where the mask holds */

LANES_INLINE lanes value_all(int value) { return lanes_all((int64_t)(uint32_t)value); }

/* The lowest n of the bits. */
LANES_INLINE unsigned first_bits(unsigned bits, size_t n) { return bits & (unsigned)((UINT64_C(1) << n) - 1); }

/* Writes the numbers of the lanes whose bit is set, plus k, one after another; writes LANES whatever their number. */
LANES_INLINE void store_numbers(uint16_t *number, size_t k, unsigned bits)
{
    static const uint16_t packed_lanes[16][4] = {{0},    {0},       {1},       {0, 1},      {2},    {0, 2},
                                                 {1, 2}, {0, 1, 2}, {3},       {0, 3},      {1, 3}, {0, 1, 3},
                                                 {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3}};
    uint64_t four;
    memcpy(&four, packed_lanes[bits], sizeof four);
    four += k * UINT64_C(0x0001000100010001);
    memcpy(number, &four, sizeof four);
}

/* Writes those numbers whose bit is set one after another; reads and writes LANES whatever their number. */
LANES_INLINE void store_selected(uint16_t *to, const uint16_t *from, unsigned bits)
{
    for (int lane = 0; lane < LANES; lane++) {
        *to = from[lane];
        to += bits >> lane & 1;
    }
}

/* Fills an array of values, up to the next multiple of LANES. */
LANES_INLINE void fill_values(int16_t *value, int16_t x, size_t n)
{
    const uint64_t four = (uint16_t)x * UINT64_C(0x0001000100010001);
    for (size_t k = 0; k < n; k += LANES)
        memcpy(value + k, &four, sizeof four);
}

/* Copies n words, fewer than LANES, and repeats the last one to fill a register, so that one load can read them. */
LANES_INLINE void copy_words(uint16_t copy[LANES], const uint16_t *word, size_t n)
{
    const uint64_t last = word[n - 1], first = word[0], second = n > 2 ? word[1] : last;
    const uint64_t four = first | second << 16 | last << 32 | last << 48;
    memcpy(copy, &four, sizeof four);
}

/* Copies n values, fewer than LANES. */
LANES_INLINE void copy_values(int16_t *copy, const int16_t value[LANES], size_t n)
{
    copy[0] = value[0];
    if (n > 1)
        copy[1] = value[1];
    if (n > 2)
        copy[2] = value[2];
}

/* A word of the mask: which of 64 values are at least their thresholds. */
LANES_INLINE uint64_t at_least(const int16_t value[64], const int16_t threshold[64])
{
    uint64_t word = 0;
    for (unsigned k = 0; k < 64; k += 32) {
        const lanes low = words_greater(lanes_load(threshold + k), lanes_load(value + k));
        const lanes high = words_greater(lanes_load(threshold + k + 16), lanes_load(value + k + 16));
        word |= (uint64_t) ~(uint32_t)bytes_bits(bytes_of_masks(low, high)) << k;
    }
    return word;
}

#ifndef LANES_HAVE_LOAD_MOVES
/* Loads 32 moves if all can be read. Otherwise it loads only n moves, which are fewer, and sets the others to 0.
 */
LANES_INLINE void load_moves(const uint16_t *move, size_t n, bool all, lanes half[2])
{
    uint16_t copy[32] = {0};
    if (!all) {
        memcpy(copy, move, n * sizeof *copy);
        move = copy;
    }
    half[0] = lanes_load(move);
    half[1] = lanes_load(move + 16);
}
#endif

#endif
