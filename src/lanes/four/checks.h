/*
 * Whether the side to move is in check, of many positions. A kernel with four lanes includes this behind its words.
 */
#ifndef SEEBATCH_LANES_FOUR_CHECKS_H
#define SEEBATCH_LANES_FOUR_CHECKS_H

#include "line_kings.h"

#include <string.h>

/* Of four positions: their bits. Each side has one king. */
LANES_INLINE unsigned four_checks(const seebatch_position positions[LANES])
{
    const seebatch_position *const position[LANES] = {positions, positions + 1, positions + 2, positions + 3};
    const struct see_square *square[LANES];
    lanes plane[4], first[4], second[4];
    uint64_t king[LANES];
    planes_of(position, plane);
    const lanes black =
        lanes_sub(lanes_zero(), lanes_of(positions[0].stm, positions[1].stm, positions[2].stm, positions[3].stm));
    const lanes all = lanes_or(lanes_or(plane[0], plane[1]), plane[2]), kings = lanes_and(plane[1], plane[2]);
    const lanes own = lanes_xor(plane[3], lanes_and(all, black)), enemy = lanes_without(all, own);
    lanes_store(king, lanes_and(kings, own));
    for (int i = 0; i < LANES; i++)
        square[i] = &seebatch_squares[lowest_bit(king[i])];
    lanes_transpose(square[0], square[1], square[2], square[3], first);
    lanes_transpose(&square[0]->file, &square[1]->file, &square[2]->file, &square[3]->file, second);
    struct lane_lines l = lines_of_kings_on(lanes_and(kings, own), first, second);
    l.line_sliders = lanes_without(plane[1], plane[2]);
    l.diagonal_sliders = lanes_without(plane[0], plane[2]);
    const lanes pawns = lanes_without(plane[2], lanes_or(plane[0], plane[1]));
    const lanes leapers =
        lanes_or(lanes_or(lanes_and(first[2], lanes_and(plane[0], plane[2])), lanes_and(first[3], kings)),
                 lanes_and(pawns, lanes_or(lanes_without(second[2], black), lanes_and(second[3], black))));
    const lanes checkers = lanes_or(lanes_and(leapers, enemy), sliders_at_king(&l, all, enemy));
    return ~mask_bits(lanes_empty(checkers)) & EVERY_LANE;
}

/* Four bits as four bytes. */
LANES_INLINE void store_bits(bool *byte, unsigned bits, size_t n)
{
    const uint32_t bytes = bits * 0x00204081 & 0x01010101;
    uint8_t each[LANES] = {(uint8_t)bytes, (uint8_t)(bytes >> 8), (uint8_t)(bytes >> 16), (uint8_t)(bytes >> 24)};
    memcpy(byte, each, n);
}

/* see_checks. */
LANES_INLINE void lanes_checks(const seebatch_position *positions, size_t n, bool *checked)
{
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        store_bits(checked + i, four_checks(positions + i), LANES);
    if (i == n)
        return;
    seebatch_position rest[LANES];
    for (size_t k = 0; k < LANES; k++)
        rest[k] = positions[i + k < n ? i + k : i];
    store_bits(checked + i, four_checks(rest), n - i);
}

#endif
