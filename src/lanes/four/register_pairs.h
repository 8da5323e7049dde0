/*
 * Makes four 64-bit lanes of two registers of 128 bits. NEON and the SIMD of WebAssembly have this in common, so it is
 * written once with the vector types of the compiler. The lanes.h of these instruction sets includes this file. It
 * defines the operations on one register for which C has no operator, or for which compilers would not find the best
 * instruction.
 */
#ifndef SEEBATCH_LANES_FOUR_REGISTER_PAIRS_H
#define SEEBATCH_LANES_FOUR_REGISTER_PAIRS_H

#include "api/rules.h"
#include "lanes/inline.h"
#include "seebatch.h"

#include <stdbool.h>
#include <string.h>

/* One register has two lanes. The other types are the same 128 bits as smaller numbers. */
typedef uint64_t lane_pair __attribute__((vector_size(16)));
typedef uint32_t pair_halves __attribute__((vector_size(16)));
typedef int32_t pair_signed_halves __attribute__((vector_size(16)));
typedef uint16_t pair_words __attribute__((vector_size(16)));
typedef int16_t pair_signed_words __attribute__((vector_size(16)));
typedef uint8_t pair_bytes __attribute__((vector_size(16)));
typedef int8_t pair_signed_bytes __attribute__((vector_size(16)));

typedef struct {
    lane_pair low, high;
} lanes;

enum { LANES = 4 };

/* The values of piece codes, and those of the least valuable piece by the answers to three questions. Each has eight
 * values of 16 bits: the lower bytes come first, then the upper ones. */
struct piece_values {
    lane_pair of_code, of_least;
};

/* ---- What an instruction set defines ----------------------------------------------------------------------------- */

/* These do for two lanes what four_contract.h says of four. */
LANES_INLINE lane_pair pair_select(lane_pair m, lane_pair yes, lane_pair no);
LANES_INLINE lane_pair pair_has_bit(lane_pair a, lane_pair bit);
LANES_INLINE lane_pair pair_disjoint(lane_pair a, lane_pair b);
LANES_INLINE lane_pair pair_bit(lane_pair number);
LANES_INLINE lane_pair pair_shift_each_left(lane_pair a, int n0, int n1);
LANES_INLINE lane_pair pair_shift_each_right(lane_pair a, int n0, int n1);
LANES_INLINE lane_pair pair_flip(lane_pair a);
LANES_INLINE lane_pair pair_count(lane_pair a);
LANES_INLINE lane_pair pair_highest_bit(lane_pair byte);
LANES_INLINE lane_pair pair_value_max(lane_pair a, lane_pair b);
LANES_INLINE lane_pair pair_value_min(lane_pair a, lane_pair b);
LANES_INLINE lane_pair pair_value_saturating_sub(lane_pair a, lane_pair b);
LANES_INLINE lane_pair pair_bytes_have_bit(lane_pair a, lane_pair bit);
LANES_INLINE lane_pair pair_bytes_saturating_sub(lane_pair a, lane_pair b);
LANES_INLINE lane_pair pair_bytes_max(lane_pair a, lane_pair b);
LANES_INLINE lane_pair pair_bytes_number(lane_pair bit0, lane_pair bit1, lane_pair bit2);
LANES_INLINE lane_pair pair_bytes_lookup(lane_pair table, lane_pair index);
LANES_INLINE lane_pair pair_bytes_lookup_or(lane_pair table, lane_pair index, lane_pair other);
/* These make bytes of one register of the words, or of the masks, of two. */
LANES_INLINE lane_pair pair_bytes_of_words(lane_pair low, lane_pair high);
LANES_INLINE lane_pair pair_bytes_of_masks(lane_pair low, lane_pair high);
/* Looks up the value in a table (struct piece_values) at a number whose three bits are given as masks. */
LANES_INLINE lane_pair pair_value(lane_pair table, lane_pair bit0, lane_pair bit1, lane_pair bit2);

/* ---- One register ------------------------------------------------------------------------------------------------ */

/* Takes elements of two registers of a type, by constant numbers: those of the second one follow those of the first. An
 * instruction set may define it before. */
#if defined(PAIR_SHUFFLE)
#elif defined(__clang__) || __GNUC__ >= 12
#define PAIR_SHUFFLE(type, a, b, ...) (lane_pair) __builtin_shufflevector((type)(a), (type)(b), __VA_ARGS__)
#else
#define PAIR_SHUFFLE(type, a, b, ...)                                                                                  \
    __extension__({                                                                                                    \
        const type numbers_ = {__VA_ARGS__};                                                                           \
        (lane_pair) __builtin_shuffle((type)(a), (type)(b), numbers_);                                                 \
    })
#endif

/* The number of the lowest bit, or 64 if no bit is set. */
LANES_INLINE unsigned lowest_bit(uint64_t bits) { return bits ? (unsigned)__builtin_ctzll(bits) : 64; }

LANES_INLINE lane_pair pair_of(int64_t a, int64_t b)
{
    const lane_pair pair = {(uint64_t)a, (uint64_t)b};
    return pair;
}

LANES_INLINE lane_pair pair_load(const void *word)
{
    lane_pair pair;
    memcpy(&pair, word, sizeof pair);
    return pair;
}

LANES_INLINE void pair_store(uint64_t word[2], lane_pair a) { memcpy(word, &a, sizeof a); }
LANES_INLINE uint64_t pair_first(lane_pair a) { return a[0]; }
LANES_INLINE uint64_t pair_second(lane_pair a) { return a[1]; }
LANES_INLINE lane_pair pair_all(int64_t x) { return pair_of(x, x); }
LANES_INLINE lane_pair pair_and(lane_pair a, lane_pair b) { return a & b; }
LANES_INLINE lane_pair pair_or(lane_pair a, lane_pair b) { return a | b; }
LANES_INLINE lane_pair pair_even(lane_pair a, lane_pair b) { return PAIR_SHUFFLE(lane_pair, a, b, 0, 2); }
LANES_INLINE lane_pair pair_odd(lane_pair a, lane_pair b) { return PAIR_SHUFFLE(lane_pair, a, b, 1, 3); }

/* ---- Four lanes -------------------------------------------------------------------------------------------------- */

LANES_INLINE lane_pair lower_half(lanes a) { return a.low; }
LANES_INLINE lane_pair upper_half(lanes a) { return a.high; }

LANES_INLINE lanes lanes_joined(lane_pair lower, lane_pair upper)
{
    lanes a;
    a.low = lower;
    a.high = upper;
    return a;
}

LANES_INLINE lanes both(lane_pair a) { return lanes_joined(a, a); }

/* These do an operation on four lanes by doing it on each half. The operation is a function of registers, or an
 * operator on registers of a type. */
#define LANES_BOTH(function, a) lanes_joined(function((a).low), function((a).high))
#define LANES_BOTH2(function, a, b) lanes_joined(function((a).low, (b).low), function((a).high, (b).high))
#define LANES_BOTH3(function, a, b, c)                                                                                 \
    lanes_joined(function((a).low, (b).low, (c).low), function((a).high, (b).high, (c).high))
#define LANES_OPERATOR(type, a, operator, b)                                                                           \
    lanes_joined((lane_pair)((type)(a).low operator(type)(b).low), (lane_pair)((type)(a).high operator(type)(b).high))

LANES_INLINE lanes lower_halves(lanes a, lanes b) { return lanes_joined(a.low, b.low); }
LANES_INLINE lanes upper_halves(lanes a, lanes b) { return lanes_joined(a.high, b.high); }
LANES_INLINE lanes lanes_halves(lanes lower, lanes upper) { return lanes_joined(lower.low, upper.high); }
LANES_INLINE lanes lanes_even(lanes a, lanes b) { return LANES_BOTH2(pair_even, a, b); }
LANES_INLINE lanes lanes_odd(lanes a, lanes b) { return LANES_BOTH2(pair_odd, a, b); }

LANES_INLINE lanes lanes_of(int64_t a, int64_t b, int64_t c, int64_t d)
{
    return lanes_joined(pair_of(a, b), pair_of(c, d));
}

LANES_INLINE lanes lanes_all(int64_t x) { return both(pair_all(x)); }
LANES_INLINE lanes lanes_zero(void) { return lanes_all(0); }
LANES_INLINE lanes lanes_and(lanes a, lanes b) { return LANES_OPERATOR(lane_pair, a, &, b); }
LANES_INLINE lanes lanes_or(lanes a, lanes b) { return LANES_OPERATOR(lane_pair, a, |, b); }
LANES_INLINE lanes lanes_xor(lanes a, lanes b) { return LANES_OPERATOR(lane_pair, a, ^, b); }
LANES_INLINE lanes lanes_sub(lanes a, lanes b) { return LANES_OPERATOR(lane_pair, a, -, b); }
LANES_INLINE lanes lanes_equal(lanes a, lanes b) { return LANES_OPERATOR(lane_pair, a, ==, b); }
LANES_INLINE lanes lanes_without(lanes a, lanes b) { return lanes_joined(a.low & ~b.low, a.high & ~b.high); }
LANES_INLINE lanes lanes_select(lanes m, lanes yes, lanes no) { return LANES_BOTH3(pair_select, m, yes, no); }
LANES_INLINE lanes lanes_empty(lanes a) { return lanes_equal(a, lanes_zero()); }
LANES_INLINE lanes lanes_has_bit(lanes a, lanes bit) { return LANES_BOTH2(pair_has_bit, a, bit); }
LANES_INLINE lanes lanes_disjoint(lanes a, lanes b) { return LANES_BOTH2(pair_disjoint, a, b); }
LANES_INLINE lanes lanes_bit(lanes number) { return LANES_BOTH(pair_bit, number); }
LANES_INLINE lanes lanes_flip(lanes a) { return LANES_BOTH(pair_flip, a); }
LANES_INLINE lanes lanes_count(lanes a) { return LANES_BOTH(pair_count, a); }
LANES_INLINE lanes lanes_highest_bit(lanes byte) { return LANES_BOTH(pair_highest_bit, byte); }

LANES_INLINE lanes lanes_shift_right(lanes a, int n) { return LANES_OPERATOR(lane_pair, a, >>, lanes_all(n)); }

LANES_INLINE lanes lanes_shift_each_left(lanes a, int n0, int n1, int n2, int n3)
{
    return lanes_joined(pair_shift_each_left(a.low, n0, n1), pair_shift_each_left(a.high, n2, n3));
}

LANES_INLINE lanes lanes_shift_each_right(lanes a, int n0, int n1, int n2, int n3)
{
    return lanes_joined(pair_shift_each_right(a.low, n0, n1), pair_shift_each_right(a.high, n2, n3));
}

LANES_INLINE lanes lanes_load(const void *word)
{
    return lanes_joined(pair_load(word), pair_load((const char *)word + sizeof(lane_pair)));
}

LANES_INLINE void lanes_store(void *word, lanes a) { memcpy(word, &a, sizeof a); }

LANES_INLINE void lanes_transpose(const void *a, const void *b, const void *c, const void *d, lanes word[4])
{
    const lanes row[4] = {lanes_load(a), lanes_load(b), lanes_load(c), lanes_load(d)};
    word[0] = lanes_joined(pair_even(row[0].low, row[1].low), pair_even(row[2].low, row[3].low));
    word[1] = lanes_joined(pair_odd(row[0].low, row[1].low), pair_odd(row[2].low, row[3].low));
    word[2] = lanes_joined(pair_even(row[0].high, row[1].high), pair_even(row[2].high, row[3].high));
    word[3] = lanes_joined(pair_odd(row[0].high, row[1].high), pair_odd(row[2].high, row[3].high));
}

/* ---- Values: 32 bits in the lower halves; the upper halves are 0 or, in comparisons, equal ----------------------- */

LANES_INLINE lanes value_add(lanes a, lanes b) { return LANES_OPERATOR(pair_halves, a, +, b); }
LANES_INLINE lanes value_sub(lanes a, lanes b) { return LANES_OPERATOR(pair_halves, a, -, b); }
LANES_INLINE lanes value_max(lanes a, lanes b) { return LANES_BOTH2(pair_value_max, a, b); }
LANES_INLINE lanes value_min(lanes a, lanes b) { return LANES_BOTH2(pair_value_min, a, b); }
LANES_INLINE lanes value_saturating_sub(lanes a, lanes b) { return LANES_BOTH2(pair_value_saturating_sub, a, b); }

LANES_INLINE lane_pair pair_lower_halves_twice(lane_pair a) { return PAIR_SHUFFLE(pair_halves, a, a, 0, 0, 2, 2); }
LANES_INLINE lanes value_less(lanes a, lanes b)
{
    const lanes less = LANES_OPERATOR(pair_signed_halves, a, <, b);
    return LANES_BOTH(pair_lower_halves_twice, less);
}

LANES_INLINE bool lanes_any(lanes a);
LANES_INLINE bool value_all_equal(lanes a, lanes b) { return !lanes_any(lanes_xor(a, b)); }

/* Whether no type is worth less than those before it, as see_values_are_monotonic() says it. *monotonic_lanes becomes
 * all ones if so, and otherwise 0. */
LANES_INLINE bool values_are_monotonic(const int16_t v[5], lanes *monotonic_lanes)
{
    bool monotonic = true;
    for (int type = SEEBATCH_KNIGHT; type <= SEEBATCH_QUEEN; type++)
        monotonic &= v[type - 1] <= v[type];
    *monotonic_lanes = lanes_all(-(int64_t)monotonic);
    return monotonic;
}

/* The table has two bytes for each value, in the order of types from pawn to queen, then those of a king, then 0. */
LANES_INLINE struct piece_values piece_values_of(const int16_t v[5])
{
    uint64_t pawn_to_rook;
    memcpy(&pawn_to_rook, v, sizeof pawn_to_rook);
    const lane_pair of_type = {pawn_to_rook, (uint16_t)v[SEEBATCH_QUEEN] | (uint64_t)KING_VALUE << 16};
    struct piece_values t;
    t.of_code = PAIR_SHUFFLE(pair_bytes, of_type, of_type, 12, 4, 6, 8, 0, 2, 12, 12, 13, 5, 7, 9, 1, 3, 13, 13);
    t.of_least = PAIR_SHUFFLE(pair_bytes, of_type, of_type, 12, 0, 2, 12, 4, 6, 8, 10, 13, 1, 3, 13, 5, 7, 9, 11);
    return t;
}

LANES_INLINE lanes value_on(const struct piece_values *t, const lanes plane[4], lanes square, lanes bit)
{
    const lanes bit0 = lanes_has_bit(plane[0], bit), bit1 = lanes_has_bit(plane[1], bit),
                bit2 = lanes_has_bit(plane[2], bit);
    (void)square;
    return lanes_joined(pair_value(t->of_code, bit0.low, bit1.low, bit2.low),
                        pair_value(t->of_code, bit0.high, bit1.high, bit2.high));
}

LANES_INLINE lanes value_of_least(const struct piece_values *t, const lanes none[3])
{
    return lanes_joined(pair_value(t->of_least, none[2].low, none[1].low, none[0].low),
                        pair_value(t->of_least, none[2].high, none[1].high, none[0].high));
}

/* ---- Bytes and words --------------------------------------------------------------------------------------------- */

LANES_INLINE lanes words_all(int x) { return lanes_all((int64_t)((uint16_t)x * UINT64_C(0x0001000100010001))); }
LANES_INLINE lanes words_equal(lanes a, lanes b) { return LANES_OPERATOR(pair_words, a, ==, b); }
LANES_INLINE lanes words_greater(lanes a, lanes b) { return LANES_OPERATOR(pair_signed_words, a, >, b); }
LANES_INLINE lanes words_sub(lanes a, lanes b) { return LANES_OPERATOR(pair_words, a, -, b); }
LANES_INLINE lanes words_shift_right(lanes a, int n) { return LANES_OPERATOR(pair_words, a, >>, words_all(n)); }

LANES_INLINE lanes bytes_all(int x) { return lanes_all((int64_t)((uint8_t)x * UINT64_C(0x0101010101010101))); }
LANES_INLINE lanes bytes_equal(lanes a, lanes b) { return LANES_OPERATOR(pair_bytes, a, ==, b); }
LANES_INLINE lanes bytes_positive(lanes a) { return LANES_OPERATOR(pair_signed_bytes, a, >, lanes_zero()); }
LANES_INLINE lanes bytes_sub(lanes a, lanes b) { return LANES_OPERATOR(pair_bytes, a, -, b); }
LANES_INLINE lanes bytes_have_bit(lanes a, lanes bit) { return LANES_BOTH2(pair_bytes_have_bit, a, bit); }
LANES_INLINE lanes bytes_saturating_sub(lanes a, lanes b) { return LANES_BOTH2(pair_bytes_saturating_sub, a, b); }
LANES_INLINE lanes bytes_max(lanes a, lanes b) { return LANES_BOTH2(pair_bytes_max, a, b); }

LANES_INLINE lanes bytes_number(lanes bit0, lanes bit1, lanes bit2)
{
    return LANES_BOTH3(pair_bytes_number, bit0, bit1, bit2);
}

LANES_INLINE lanes bytes_of_words(lanes a, lanes b)
{
    return lanes_joined(pair_bytes_of_words(a.low, a.high), pair_bytes_of_words(b.low, b.high));
}

LANES_INLINE lanes bytes_of_masks(lanes a, lanes b)
{
    return lanes_joined(pair_bytes_of_masks(a.low, a.high), pair_bytes_of_masks(b.low, b.high));
}

LANES_INLINE lanes bytes_to_words(lanes low, lanes high, int half)
{
    const lane_pair l = half ? low.high : low.low, h = half ? high.high : high.low;
    return lanes_joined(PAIR_SHUFFLE(pair_bytes, l, h, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23),
                        PAIR_SHUFFLE(pair_bytes, l, h, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31));
}

/* Loads sixteen bytes to look up, for both halves. */
LANES_INLINE lanes load_table(const void *bytes) { return both(pair_load(bytes)); }
#define B(x) (uint8_t)(x)
LANES_INLINE lanes bytes_table(int b0, int b1, int b2, int b3, int b4, int b5, int b6, int b7, int b8, int b9, int b10,
                               int b11, int b12, int b13, int b14, int b15)
{
    const pair_bytes bytes = {B(b0), B(b1), B(b2),  B(b3),  B(b4),  B(b5),  B(b6),  B(b7),
                              B(b8), B(b9), B(b10), B(b11), B(b12), B(b13), B(b14), B(b15)};
    return both((lane_pair)bytes);
}
#undef B

LANES_INLINE lanes bytes_lookup(lanes table, lanes index) { return LANES_BOTH2(pair_bytes_lookup, table, index); }
LANES_INLINE lanes bytes_lookup_or(lanes table, lanes index, lanes other)
{
    return LANES_BOTH3(pair_bytes_lookup_or, table, index, other);
}

/* Eight values as bytes: `low` has the lower bytes and `high` the upper ones. */
struct value_lookup {
    lanes low, high;
};

LANES_INLINE struct value_lookup make_value_lookup(int16_t v0, int16_t v1, int16_t v2, int16_t v3, int16_t v4,
                                                   int16_t v5, int16_t v6, int16_t v7)
{
    const pair_signed_words v = {v0, v1, v2, v3, v4, v5, v6, v7};
    const lane_pair none = pair_all(0);
    struct value_lookup t;
    t.low = both(PAIR_SHUFFLE(pair_bytes, v, none, 0, 2, 4, 6, 8, 10, 12, 14, 16, 16, 16, 16, 16, 16, 16, 16));
    t.high = both(PAIR_SHUFFLE(pair_bytes, v, none, 1, 3, 5, 7, 9, 11, 13, 15, 16, 16, 16, 16, 16, 16, 16, 16));
    return t;
}

#endif
