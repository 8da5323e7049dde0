/*
 * Declares what an instruction set with four lanes defines before it includes the headers of this folder, which make
 * the rest of lanes/contract.h of these operations. The four lanes are two registers of 128 bits or one of 256, and
 * masks are lanes of all ones or all zeros. operations.h includes this file after the definitions, so that the compiler
 * compares the two.
 *
 *   lane_pair              type: two lanes
 *   bytes_table            macro: sixteen bytes to look up
 *   struct value_lookup    eight values to look up: lanes low and high have the lower and the upper bytes
 *   LANES_LOAD_LINES       defined if the files and ranks of targets are loaded, in place of lanes_shift_left_by()
 *   LANES_HAVE_PLANES_OF   defined if the instruction set has a planes_of() of its own (line_board.h)
 *   LANES_HAVE_LOAD_MOVES  defined if it has a load_moves() of its own, which loads 32 moves, or fewer without reading
 *                          past them
 */
#ifndef SEEBATCH_LANES_FOUR_CONTRACT_H
#define SEEBATCH_LANES_FOUR_CONTRACT_H

#include <stdbool.h>
#include <stdint.h>

LANES_INLINE lanes lanes_of(int64_t a, int64_t b, int64_t c, int64_t d);
LANES_INLINE bool lanes_any(lanes a);                 /* whether any bit is set */
LANES_INLINE lanes lanes_has_bit(lanes a, lanes bit); /* mask: where a has the bit, one in each lane */
LANES_INLINE lanes lanes_bit(lanes number);           /* the bit of each number */
LANES_INLINE lanes lanes_shift_right(lanes a, int n);
#ifndef LANES_LOAD_LINES
LANES_INLINE lanes lanes_shift_left_by(lanes a, lanes by); /* by a number for each lane */
#endif
LANES_INLINE lanes lanes_shift_each_left(lanes a, int n0, int n1, int n2, int n3); /* by four constants */
LANES_INLINE lanes lanes_shift_each_right(lanes a, int n0, int n1, int n2, int n3);
LANES_INLINE lanes lanes_flip(lanes a);           /* each lane's bytes reversed: the board upside down */
LANES_INLINE lanes lanes_count(lanes a);          /* the number of bits of each lane */
LANES_INLINE lanes lanes_highest_bit(lanes byte); /* of the only byte of each lane that is not 0 */
/* Four rows of four words become a word of each row in four registers. */
LANES_INLINE void lanes_transpose(const void *a, const void *b, const void *c, const void *d, lanes word[4]);
LANES_INLINE lanes load_words(const uint16_t word[LANES]); /* one a lane */
/* The value of the piece on a square of each lane. The square is given as a number and as a bit. */
LANES_INLINE lanes value_on(const struct piece_values *t, const lanes plane[4], lanes square, lanes bit);
/* The value of the least valuable piece, by the answers to the questions of least_valuable(): `none` has masks that are
 * set for "no". */
LANES_INLINE lanes value_of_least(const struct piece_values *t, const lanes none[3]);

LANES_INLINE lane_pair pair_of(int64_t a, int64_t b);
LANES_INLINE lane_pair pair_all(int64_t x);
LANES_INLINE lane_pair pair_and(lane_pair a, lane_pair b);
LANES_INLINE lane_pair pair_or(lane_pair a, lane_pair b);
LANES_INLINE lane_pair pair_select(lane_pair m, lane_pair yes, lane_pair no);
LANES_INLINE lane_pair pair_even(lane_pair a, lane_pair b); /* the even lanes of two */
LANES_INLINE lane_pair pair_odd(lane_pair a, lane_pair b);
LANES_INLINE uint64_t pair_first(lane_pair a);
LANES_INLINE uint64_t pair_second(lane_pair a);
LANES_INLINE void pair_store(uint64_t word[2], lane_pair a);
LANES_INLINE lane_pair lower_half(lanes a);
LANES_INLINE lane_pair upper_half(lanes a);
LANES_INLINE lanes lanes_joined(lane_pair lower, lane_pair upper);
LANES_INLINE lanes lower_halves(lanes a, lanes b); /* of both */
LANES_INLINE lanes upper_halves(lanes a, lanes b);
LANES_INLINE lanes lanes_halves(lanes lower, lanes upper); /* the first one's lower half and the other's upper half */
LANES_INLINE lanes lanes_even(lanes a, lanes b);           /* the even lanes of two, in turns */
LANES_INLINE lanes lanes_odd(lanes a, lanes b);

/* 32 bytes. */
LANES_INLINE lanes bytes_all(int x);
LANES_INLINE lanes bytes_equal(lanes a, lanes b);
LANES_INLINE lanes bytes_have_bit(lanes a, lanes bit);
LANES_INLINE lanes bytes_positive(lanes a); /* as signed */
LANES_INLINE lanes bytes_sub(lanes a, lanes b);
LANES_INLINE lanes bytes_saturating_sub(lanes a, lanes b); /* no signs */
LANES_INLINE lanes bytes_max(lanes a, lanes b);
LANES_INLINE lanes bytes_number(lanes bit0, lanes bit1, lanes bit2); /* of three bits, each of them a mask */
LANES_INLINE unsigned bytes_bits(lanes a);                           /* a bit for each byte, which are masks */
LANES_INLINE lanes load_table(const void *bytes);                    /* sixteen bytes to look up */
/* These look up bytes in such a table, or in lanes that are all the same. The index is below 16, or its bit 7 is set
 * and the byte becomes 0. */
LANES_INLINE lanes bytes_lookup(lanes table, lanes index);
/* This looks up bytes where the index is below 16, and keeps those of `other` where it is not. */
LANES_INLINE lanes bytes_lookup_or(lanes table, lanes index, lanes other);
LANES_INLINE struct value_lookup make_value_lookup(int16_t v0, int16_t v1, int16_t v2, int16_t v3, int16_t v4,
                                                   int16_t v5, int16_t v6, int16_t v7);

/* 16 words; value_saturating_sub() does for these, too. */
LANES_INLINE lanes words_all(int x);
LANES_INLINE lanes words_equal(lanes a, lanes b);
LANES_INLINE lanes words_greater(lanes a, lanes b);
LANES_INLINE lanes words_sub(lanes a, lanes b);
LANES_INLINE lanes words_shift_right(lanes a, int n);
LANES_INLINE lanes bytes_of_words(lanes a, lanes b); /* of two registers; words above 255 become 255 */
LANES_INLINE lanes bytes_of_masks(lanes a, lanes b);
/* Makes words of the first or second half of such bytes, which are given as lower bytes and upper ones. */
LANES_INLINE lanes bytes_to_words(lanes low, lanes high, int half);

#endif
