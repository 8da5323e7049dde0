/*
 * Finds whether kings are attacked, in four positions at once: in which of them the side to move is in check, and which
 * boards are sound. A kernel with four lanes includes this after its operations; the functions for checks and FENs of
 * that kernel call it.
 */
#ifndef SEEBATCH_LANES_FOUR_CHECKS_H
#define SEEBATCH_LANES_FOUR_CHECKS_H

#include "line_kings.h"

#include <string.h>

/* The pieces of four boards, in lanes. */
struct lane_boards {
    lanes plane[4];
    lanes all, kings, pawns;
    lanes own;         /* of the side to move */
    lanes black_moves; /* all ones or 0 */
};

LANES_INLINE struct lane_boards boards_of(const seebatch_position positions[LANES])
{
    const seebatch_position *const position[LANES] = {positions, positions + 1, positions + 2, positions + 3};
    struct lane_boards b;
    planes_of(position, b.plane);
    b.all = lanes_or(lanes_or(b.plane[0], b.plane[1]), b.plane[2]);
    b.kings = lanes_and(b.plane[1], b.plane[2]);
    b.pawns = lanes_without(b.plane[2], lanes_or(b.plane[0], b.plane[1]));
    b.black_moves =
        lanes_sub(lanes_zero(), lanes_of(positions[0].stm, positions[1].stm, positions[2].stm, positions[3].stm));
    b.own = lanes_xor(b.plane[3], lanes_and(b.all, b.black_moves));
    return b;
}

/* Finds the pieces that attack the lowest king of a side, if it has one. `black` is all ones if the side is Black,
 * otherwise 0. */
LANES_INLINE lanes attackers_of_kings(const struct lane_boards *b, lanes pieces, lanes black)
{
    const lanes king = lanes_and(b->kings, pieces), enemy = lanes_without(b->all, pieces), *plane = b->plane;
    const struct see_square *square[LANES];
    lanes first[4], second[4];
    uint64_t word[LANES];
    lanes_store(word, king);
    for (int i = 0; i < LANES; i++)
        square[i] = &seebatch_squares[lowest_bit(word[i])];
    lanes_transpose(square[0], square[1], square[2], square[3], first);
    lanes_transpose(&square[0]->file, &square[1]->file, &square[2]->file, &square[3]->file, second);
    struct lane_lines l = lines_of_kings_on(king, first, second);
    l.orthogonal_sliders = lanes_without(plane[1], plane[2]);
    l.diagonal_sliders = lanes_without(plane[0], plane[2]);
    const lanes leapers =
        lanes_or(lanes_or(lanes_and(first[2], lanes_and(plane[0], plane[2])), lanes_and(first[3], b->kings)),
                 lanes_and(b->pawns, lanes_or(lanes_without(second[2], black), lanes_and(second[3], black))));
    return lanes_or(lanes_and(leapers, enemy), sliders_at_king(&l, b->all, enemy));
}

/* Finds the positions, as four bits, in which the side to move is in check. Each side has one king. */
LANES_INLINE unsigned four_checks(const seebatch_position positions[LANES])
{
    const struct lane_boards b = boards_of(positions);
    return ~mask_bits(lanes_empty(attackers_of_kings(&b, b.own, b.black_moves))) & EVERY_LANE;
}

/* Gives the answers of see_board_is_sound() for four boards, as bits. */
LANES_INLINE unsigned four_are_sound(const seebatch_position boards[LANES])
{
    const struct lane_boards b = boards_of(boards);
    const lanes other = lanes_without(b.all, b.own), own_king = lanes_and(b.kings, b.own),
                king = lanes_and(b.kings, other), last_ranks = lanes_all((int64_t)0xff000000000000ff);
    const lanes attackers = attackers_of_kings(&b, other, lanes_xor(b.black_moves, lanes_all(-1)));
    const lane_mask one_each = mask_and(at_most_one(own_king), at_most_one(king)),
                    none = mask_or(lanes_empty(own_king), lanes_empty(king));
    return mask_bits(mask_without(mask_and(one_each, lanes_empty(lanes_or(attackers, lanes_and(b.pawns, last_ranks)))),
                                  none)) &
           EVERY_LANE;
}

/* Turns four bits into four bytes. */
LANES_INLINE void store_bits(bool *byte, unsigned bits, size_t n)
{
    const uint32_t bytes = bits * 0x00204081 & 0x01010101;
    uint8_t each[LANES] = {(uint8_t)bytes, (uint8_t)(bytes >> 8), (uint8_t)(bytes >> 16), (uint8_t)(bytes >> 24)};
    memcpy(byte, each, n);
}

/* The kernel's function of the type see_checks (dispatch/kernel.h). */
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

/* Sets the lengths of boards that are not sound to 0, for as many boards as fill registers. Returns the number of
 * boards that it has looked at. */
LANES_INLINE size_t lanes_keep_sound_boards(const seebatch_position *boards, size_t n, uint8_t *lengths)
{
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        const unsigned sound = four_are_sound(boards + i);
        for (unsigned k = 0; k < LANES; k++)
            lengths[i + k] = (uint8_t)(lengths[i + k] & (0 - (sound >> k & 1)));
    }
    return i;
}

#endif
