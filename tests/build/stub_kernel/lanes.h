/*
 * The words of an instruction set with four lanes, each of which computes nothing: what src/lanes/contract.h and
 * src/lanes/four/four_contract.h ask for, as something to begin from, and to compile against them.
 */
#ifndef SEEBATCH_STUB_LANES_H
#define SEEBATCH_STUB_LANES_H

#include "lanes/inline.h"
#include "api/rules.h"
#include "seebatch.h"

#include <stdbool.h>
#include <string.h>

typedef struct {
    uint64_t word[4];
} lanes;
typedef lanes lane_mask;
typedef struct {
    uint64_t word[2];
} lane_pair;
struct piece_values {
    int16_t value[8];
};
struct value_lookup {
    lanes low, high;
};

enum { LANES = 4, COUNTS_LENGTHS = 1, DECIDED_AT_ONCE = LANES };

#define LANES_NAME(name) stub_##name
#define bytes_table(...) bytes_all(0)

#pragma GCC diagnostic ignored "-Wunused-parameter"

/* A word: its result is 0. */
#define STUB(type, name, ...)                                                                                          \
    LANES_INLINE type name(__VA_ARGS__)                                                                                \
    {                                                                                                                  \
        type result;                                                                                                   \
        memset(&result, 0, sizeof result);                                                                             \
        return result;                                                                                                 \
    }
#define STUB_VOID(name, ...)                                                                                           \
    LANES_INLINE void name(__VA_ARGS__) {}

LANES_INLINE void store_values(int16_t value[LANES], lanes values) { memset(value, 0, LANES * sizeof *value); }

STUB(lanes, lanes_all, int64_t x)
STUB(lanes, lanes_zero, void)
STUB(lanes, lanes_and, lanes a, lanes b)
STUB(lanes, lanes_or, lanes a, lanes b)
STUB(lanes, lanes_xor, lanes a, lanes b)
STUB(lanes, lanes_without, lanes a, lanes b)
STUB(lanes, lanes_sub, lanes a, lanes b)
STUB(lanes, lanes_select, lane_mask m, lanes yes, lanes no)
STUB(lane_mask, lanes_equal, lanes a, lanes b)
STUB(lane_mask, lanes_empty, lanes a)
STUB(lane_mask, lanes_disjoint, lanes a, lanes b)
STUB(lanes, lanes_load, const void *word)
STUB_VOID(lanes_store, void *word, lanes a)
STUB(unsigned, mask_bits, lane_mask a)
STUB(lanes, value_add, lanes a, lanes b)
STUB(lanes, value_sub, lanes a, lanes b)
STUB(lanes, value_max, lanes a, lanes b)
STUB(lanes, value_min, lanes a, lanes b)
STUB(lanes, value_saturating_sub, lanes a, lanes b)
STUB(lane_mask, value_less, lanes a, lanes b)
STUB(bool, value_all_equal, lanes a, lanes b)
STUB(struct piece_values, piece_values_of, const int16_t v[5])
STUB(bool, values_are_monotonic, const int16_t v[5], lanes *monotonic_lanes)
STUB(lanes, load_values, const int16_t value[LANES])
STUB(unsigned, values_at_least, const int16_t value[LANES], const int16_t threshold[LANES])
STUB(unsigned, lowest_bit, uint64_t bits)
STUB(lanes, lanes_of, int64_t a, int64_t b, int64_t c, int64_t d)
STUB(bool, lanes_any, lanes a)
STUB(lanes, lanes_has_bit, lanes a, lanes bit)
STUB(lanes, lanes_bit, lanes number)
STUB(lanes, lanes_shift_right, lanes a, int n)
STUB(lanes, lanes_shift_left_by, lanes a, lanes by)
STUB(lanes, lanes_shift_each_left, lanes a, int n0, int n1, int n2, int n3)
STUB(lanes, lanes_shift_each_right, lanes a, int n0, int n1, int n2, int n3)
STUB(lanes, lanes_flip, lanes a)
STUB(lanes, lanes_count, lanes a)
STUB(lanes, lanes_highest_bit, lanes byte)
LANES_INLINE void lanes_transpose(const void *a, const void *b, const void *c, const void *d, lanes word[4])
{
    (void)a, (void)b, (void)c, (void)d;
    memset(word, 0, 4 * sizeof *word);
}
STUB(lanes, load_words, const uint16_t word[LANES])
STUB(lanes, value_on, const struct piece_values *t, const lanes plane[4], lanes square, lanes bit)
STUB(lanes, value_of_least, const struct piece_values *t, const lanes none[3])
STUB(lane_pair, pair_of, int64_t a, int64_t b)
STUB(lane_pair, pair_all, int64_t x)
STUB(lane_pair, pair_and, lane_pair a, lane_pair b)
STUB(lane_pair, pair_or, lane_pair a, lane_pair b)
STUB(lane_pair, pair_select, lane_pair m, lane_pair yes, lane_pair no)
STUB(lane_pair, pair_even, lane_pair a, lane_pair b)
STUB(lane_pair, pair_odd, lane_pair a, lane_pair b)
STUB(uint64_t, pair_first, lane_pair a)
STUB(uint64_t, pair_second, lane_pair a)
STUB_VOID(pair_store, uint64_t word[2], lane_pair a)
STUB(lane_pair, lower_half, lanes a)
STUB(lane_pair, upper_half, lanes a)
STUB(lanes, lanes_joined, lane_pair lower, lane_pair upper)
STUB(lanes, lower_halves, lanes a, lanes b)
STUB(lanes, upper_halves, lanes a, lanes b)
STUB(lanes, lanes_halves, lanes lower, lanes upper)
STUB(lanes, lanes_even, lanes a, lanes b)
STUB(lanes, lanes_odd, lanes a, lanes b)
STUB(lanes, bytes_all, int x)
STUB(lanes, bytes_equal, lanes a, lanes b)
STUB(lanes, bytes_have_bit, lanes a, lanes bit)
STUB(lanes, bytes_positive, lanes a)
STUB(lanes, bytes_sub, lanes a, lanes b)
STUB(lanes, bytes_saturating_sub, lanes a, lanes b)
STUB(lanes, bytes_max, lanes a, lanes b)
STUB(lanes, bytes_number, lanes bit0, lanes bit1, lanes bit2)
STUB(unsigned, bytes_bits, lanes a)
STUB(lanes, load_table, const void *bytes)
STUB(lanes, bytes_lookup, lanes table, lanes index)
STUB(lanes, bytes_lookup_or, lanes table, lanes index, lanes other)
STUB(struct value_lookup, make_value_lookup, int16_t v0, int16_t v1, int16_t v2, int16_t v3, int16_t v4, int16_t v5,
     int16_t v6, int16_t v7)
STUB(lanes, words_all, int x)
STUB(lanes, words_equal, lanes a, lanes b)
STUB(lanes, words_greater, lanes a, lanes b)
STUB(lanes, words_sub, lanes a, lanes b)
STUB(lanes, words_shift_right, lanes a, int n)
STUB(lanes, bytes_of_words, lanes a, lanes b)
STUB(lanes, bytes_of_masks, lanes a, lanes b)
STUB(lanes, bytes_to_words, lanes low, lanes high, int half)

#endif
