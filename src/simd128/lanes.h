/*
 * Four 64-bit lanes, one query in each, by the SIMD of WebAssembly: a register is two of 128 bits.
 *
 * A swizzle gives 0 where an index is 16 or more. There is no shift by an amount of each lane: bits of squares come
 * from general registers.
 */
#ifndef SEEBATCH_SIMD128_LANES_H
#define SEEBATCH_SIMD128_LANES_H

#include "board/attacks.h"
#include "lanes/chunks.h"
#include "lanes/inline.h"
#include "api/rules.h"
#include "seebatch.h"

#include <stdbool.h>
#include <wasm_simd128.h>

/* Two of the lanes, and all four. */
typedef v128_t lane_pair;
typedef struct {
    lane_pair a, b;
} lanes;

enum { LANES = 4 };

/* Lengths of exchanges are found by the scalar code: the module stays small. */
enum { COUNTS_LENGTHS = 0 };

#define LANES_NAME(name) simd128_##name

/* The number of the lowest bit; of none: 64. */
LANES_INLINE unsigned lowest_bit(uint64_t bits) { return bits ? (unsigned)__builtin_ctzll(bits) : 64; }

LANES_INLINE lanes lanes_joined(lane_pair lower, lane_pair upper)
{
    lanes joined;
    joined.a = lower;
    joined.b = upper;
    return joined;
}

/* A function of registers, which does the same to both pairs. */
#define SIMD128_UNARY(name, pair_function)                                                                             \
    LANES_INLINE lanes name(lanes x) { return lanes_joined(pair_function(x.a), pair_function(x.b)); }
#define SIMD128_BINARY(name, pair_function)                                                                            \
    LANES_INLINE lanes name(lanes x, lanes y) { return lanes_joined(pair_function(x.a, y.a), pair_function(x.b, y.b)); }

/* ---- Pairs of lanes ---------------------------------------------------------------------------------------------- */

LANES_INLINE lane_pair pair_of(int64_t a, int64_t b) { return wasm_i64x2_make(a, b); }
LANES_INLINE lane_pair pair_all(int64_t x) { return wasm_i64x2_splat(x); }
LANES_INLINE lane_pair pair_and(lane_pair a, lane_pair b) { return wasm_v128_and(a, b); }
LANES_INLINE lane_pair pair_or(lane_pair a, lane_pair b) { return wasm_v128_or(a, b); }
LANES_INLINE lane_pair pair_select(lane_pair m, lane_pair yes, lane_pair no) { return wasm_v128_bitselect(yes, no, m); }
LANES_INLINE lane_pair pair_even(lane_pair a, lane_pair b) { return wasm_i64x2_shuffle(a, b, 0, 2); }
LANES_INLINE lane_pair pair_odd(lane_pair a, lane_pair b) { return wasm_i64x2_shuffle(a, b, 1, 3); }
LANES_INLINE uint64_t pair_first(lane_pair a) { return (uint64_t)wasm_i64x2_extract_lane(a, 0); }
LANES_INLINE uint64_t pair_second(lane_pair a) { return (uint64_t)wasm_i64x2_extract_lane(a, 1); }
LANES_INLINE void pair_store(uint64_t word[2], lane_pair a) { wasm_v128_store(word, a); }

LANES_INLINE lane_pair pair_empty(lane_pair a) { return wasm_i64x2_eq(a, wasm_i64x2_const_splat(0)); }
LANES_INLINE lane_pair pair_has_bit(lane_pair a, lane_pair bit) { return wasm_i64x2_eq(wasm_v128_and(a, bit), bit); }

LANES_INLINE lane_pair lower_half(lanes a) { return a.a; }
LANES_INLINE lane_pair upper_half(lanes a) { return a.b; }
LANES_INLINE lanes lower_halves(lanes a, lanes b) { return lanes_joined(a.a, b.a); }
LANES_INLINE lanes upper_halves(lanes a, lanes b) { return lanes_joined(a.b, b.b); }
LANES_INLINE lanes lanes_halves(lanes lower, lanes upper) { return lanes_joined(lower.a, upper.b); }
SIMD128_BINARY(lanes_even, pair_even)
SIMD128_BINARY(lanes_odd, pair_odd)

/* V8 orders instructions by their depth, so that both halves would be in registers at once, and more on the stack. */
enum { DECIDED_AT_ONCE = LANES / 2 };

/* ---- Lanes ------------------------------------------------------------------------------------------------------- */

LANES_INLINE lanes lanes_all(int64_t x) { return lanes_joined(pair_all(x), pair_all(x)); }
LANES_INLINE lanes lanes_zero(void) { return lanes_all(0); }
LANES_INLINE lanes lanes_of(int64_t a, int64_t b, int64_t c, int64_t d)
{
    return lanes_joined(pair_of(a, b), pair_of(c, d));
}

SIMD128_BINARY(lanes_and, wasm_v128_and)
SIMD128_BINARY(lanes_or, wasm_v128_or)
SIMD128_BINARY(lanes_xor, wasm_v128_xor)
SIMD128_BINARY(lanes_without, wasm_v128_andnot)
SIMD128_BINARY(lanes_sub, wasm_i64x2_sub)
SIMD128_BINARY(lanes_equal, wasm_i64x2_eq)
SIMD128_UNARY(lanes_empty, pair_empty)
SIMD128_BINARY(lanes_has_bit, pair_has_bit)
LANES_INLINE lanes lanes_disjoint(lanes a, lanes b) { return lanes_empty(lanes_and(a, b)); }
LANES_INLINE bool lanes_any(lanes a) { return wasm_v128_any_true(wasm_v128_or(a.a, a.b)); }

LANES_INLINE lanes lanes_select(lanes m, lanes yes, lanes no)
{
    return lanes_joined(pair_select(m.a, yes.a, no.a), pair_select(m.b, yes.b, no.b));
}

LANES_INLINE unsigned mask_bits(lanes a) { return wasm_i32x4_bitmask(wasm_i32x4_shuffle(a.a, a.b, 0, 2, 4, 6)); }

LANES_INLINE lanes lanes_shift_right(lanes a, int n)
{
    return lanes_joined(wasm_u64x2_shr(a.a, (uint32_t)n), wasm_u64x2_shr(a.b, (uint32_t)n));
}

/* Two shifts, and of each one lane. */
#define SIMD128_SHIFTED(pair, shift, m, n) pair_even_odd(shift(pair, (uint32_t)(m)), shift(pair, (uint32_t)(n)))

LANES_INLINE lane_pair pair_even_odd(lane_pair a, lane_pair b) { return wasm_i64x2_shuffle(a, b, 0, 3); }

LANES_INLINE lanes lanes_shift_each_left(lanes a, int n0, int n1, int n2, int n3)
{
    return lanes_joined(SIMD128_SHIFTED(a.a, wasm_i64x2_shl, n0, n1), SIMD128_SHIFTED(a.b, wasm_i64x2_shl, n2, n3));
}

LANES_INLINE lanes lanes_shift_each_right(lanes a, int n0, int n1, int n2, int n3)
{
    return lanes_joined(SIMD128_SHIFTED(a.a, wasm_u64x2_shr, n0, n1), SIMD128_SHIFTED(a.b, wasm_u64x2_shr, n2, n3));
}

LANES_INLINE lanes lanes_load(const void *word)
{
    return lanes_joined(wasm_v128_load(word), wasm_v128_load((const char *)word + 16));
}

LANES_INLINE void lanes_store(void *word, lanes a)
{
    wasm_v128_store(word, a.a);
    wasm_v128_store((char *)word + 16, a.b);
}

/* Four rows of four words each, as four registers of one word of each row. */
LANES_INLINE void lanes_transpose(const void *a, const void *b, const void *c, const void *d, lanes word[4])
{
    for (int half = 0; half < 2; half++) {
        const lane_pair row[4] = {
            wasm_v128_load((const char *)a + 16 * half), wasm_v128_load((const char *)b + 16 * half),
            wasm_v128_load((const char *)c + 16 * half), wasm_v128_load((const char *)d + 16 * half)};
        word[2 * half] = lanes_joined(pair_even(row[0], row[1]), pair_even(row[2], row[3]));
        word[2 * half + 1] = lanes_joined(pair_odd(row[0], row[1]), pair_odd(row[2], row[3]));
    }
}

/* The board upside down: the bytes of each lane reversed. (A swizzle by constants is one instruction in V8, a shuffle
 * of bytes four or five.) */
LANES_INLINE lane_pair pair_flip(lane_pair a)
{
    return wasm_i8x16_swizzle(a, wasm_i8x16_const(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
}

SIMD128_UNARY(lanes_flip, pair_flip)

/* The highest bit of the only byte of each lane that is not empty. */
LANES_INLINE lane_pair pair_highest_bit(lane_pair byte)
{
    v128_t below = wasm_v128_or(byte, wasm_u64x2_shr(byte, 1));
    below = wasm_v128_or(below, wasm_u64x2_shr(below, 2));
    below = wasm_v128_or(below, wasm_u64x2_shr(below, 4));
    return wasm_v128_andnot(below, wasm_u64x2_shr(below, 1));
}

SIMD128_UNARY(lanes_highest_bit, pair_highest_bit)

/* ---- Squares ----------------------------------------------------------------------------------------------------- */

LANES_INLINE lane_pair pair_bit(lane_pair square)
{
    return pair_of((int64_t)(UINT64_C(1) << pair_first(square)), (int64_t)(UINT64_C(1) << pair_second(square)));
}

SIMD128_UNARY(lanes_bit, pair_bit)

#define LANES_LOAD_LINES

/* ---- Values: 32 bits in the lower halves; the upper halves are 0 or, in comparisons, equal ----------------------- */

SIMD128_BINARY(value_add, wasm_i32x4_add)
SIMD128_BINARY(value_sub, wasm_i32x4_sub)
SIMD128_BINARY(value_max, wasm_i32x4_max)
SIMD128_BINARY(value_min, wasm_i32x4_min)
SIMD128_BINARY(value_saturating_sub, wasm_u16x8_sub_sat) /* max(0, a - b) of values that are not negative */

LANES_INLINE bool value_all_equal(lanes a, lanes b) { return !lanes_any(lanes_xor(a, b)); }

/* Where a value is less than another; both may be negative. */
LANES_INLINE lane_pair pair_less(lane_pair a, lane_pair b)
{
    const v128_t less = wasm_i32x4_lt(a, b);
    return wasm_i32x4_shuffle(less, less, 0, 0, 2, 2);
}

SIMD128_BINARY(value_less, pair_less)

/* One value a lane. */
LANES_INLINE lanes load_values(const int16_t value[LANES])
{
    const v128_t four = wasm_i32x4_load16x4(value);
    return lanes_joined(wasm_i64x2_extend_low_i32x4(four), wasm_i64x2_extend_high_i32x4(four));
}

LANES_INLINE lanes load_words(const uint16_t word[LANES])
{
    const v128_t four = wasm_u32x4_load16x4(word);
    return lanes_joined(wasm_u64x2_extend_low_u32x4(four), wasm_u64x2_extend_high_u32x4(four));
}

/* Stores the low 16 bits of each lane. */
LANES_INLINE void store_values(int16_t value[LANES], lanes values)
{
    const v128_t four = wasm_i32x4_shuffle(values.a, values.b, 0, 2, 4, 6);
    wasm_v128_store64_lane(value, wasm_i16x8_narrow_i32x4(four, four), 0);
}

/* Bits of four values against four thresholds. */
LANES_INLINE unsigned values_at_least(const int16_t value[LANES], const int16_t threshold[LANES])
{
    return wasm_i16x8_bitmask(wasm_i16x8_ge(wasm_v128_load64_zero(value), wasm_v128_load64_zero(threshold))) & 15;
}

/* Whether no type is worth less than those before it, as see_values_are_monotonic() says it; and all ones or 0 for that. */
LANES_INLINE bool values_are_monotonic(const int16_t v[5], lanes *rising)
{
    bool rise = true;
    for (int type = SEEBATCH_KNIGHT; type <= SEEBATCH_QUEEN; type++)
        rise &= v[type - 1] <= v[type];
    *rising = lanes_all(-(int64_t)rise);
    return rise;
}

/* Eight values of 16 bits, by piece codes, for value_on(); and by three answers "no", for value_of_least(). */
struct piece_values {
    v128_t of_code, of_least;
};

/* The lower bytes, and behind them the upper ones. */
LANES_INLINE v128_t halves_apart(v128_t words)
{
    return wasm_i8x16_swizzle(words, wasm_i8x16_const(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15));
}

LANES_INLINE struct piece_values piece_values_of(const int16_t v[5])
{
    const int16_t p = v[SEEBATCH_PAWN], n = v[SEEBATCH_KNIGHT], b = v[SEEBATCH_BISHOP], r = v[SEEBATCH_ROOK],
                  q = v[SEEBATCH_QUEEN];
    struct piece_values t;
    t.of_code = halves_apart(wasm_i16x8_make(0, b, r, q, p, n, 0, 0));
    t.of_least = halves_apart(wasm_i16x8_make(0, p, n, 0, b, r, q, KING_VALUE));
    return t;
}

/* The value at a place given by three masks, for 1, 2 and 4: its two bytes, and zeros. The bytes of a mask are -1, and
 * add up to the place. (Of plain sums clang makes shifts of bytes, five instructions of V8 each.) */
LANES_INLINE lane_pair pair_value(v128_t table, lane_pair one, lane_pair two, lane_pair four)
{
    const v128_t upper = wasm_i8x16_add_sat(wasm_i8x16_add_sat(four, four), two);
    const v128_t place = wasm_i8x16_add_sat(wasm_i8x16_add_sat(upper, upper), one);
    return wasm_i8x16_swizzle(table, wasm_i8x16_sub(wasm_i64x2_const_splat((int64_t)0x8080808080800800), place));
}

/* The value of the piece on a square of each lane. */
LANES_INLINE lanes value_on(const struct piece_values *t, const lanes plane[4], lanes square, lanes bit)
{
    (void)square;
    const lanes one = lanes_has_bit(plane[0], bit), two = lanes_has_bit(plane[1], bit),
                four = lanes_has_bit(plane[2], bit);
    return lanes_joined(pair_value(t->of_code, one.a, two.a, four.a), pair_value(t->of_code, one.b, two.b, four.b));
}

/* The value of the least valuable, by the answers to three questions (../lanes/four/line_board.h). */
LANES_INLINE lanes value_of_least(const struct piece_values *t, const lanes none[3])
{
    return lanes_joined(pair_value(t->of_least, none[2].a, none[1].a, none[0].a),
                        pair_value(t->of_least, none[2].b, none[1].b, none[0].b));
}

/* ---- Bytes and words --------------------------------------------------------------------------------------------- */

LANES_INLINE lanes bytes_all(int x)
{
    const v128_t bytes = wasm_i8x16_splat((int8_t)x);
    return lanes_joined(bytes, bytes);
}

LANES_INLINE lane_pair pair_bytes_have_bit(lane_pair a, lane_pair bit)
{
    return wasm_i8x16_eq(wasm_v128_and(a, bit), bit);
}

LANES_INLINE lane_pair pair_bytes_positive(lane_pair a) { return wasm_i8x16_gt(a, wasm_i64x2_const_splat(0)); }

SIMD128_BINARY(bytes_equal, wasm_i8x16_eq)
SIMD128_BINARY(bytes_have_bit, pair_bytes_have_bit)
SIMD128_UNARY(bytes_positive, pair_bytes_positive)
SIMD128_BINARY(bytes_sub, wasm_i8x16_sub)
SIMD128_BINARY(bytes_saturating_sub, wasm_u8x16_sub_sat)
SIMD128_BINARY(bytes_max, wasm_u8x16_max)
SIMD128_BINARY(words_equal, wasm_i16x8_eq)
SIMD128_BINARY(words_greater, wasm_i16x8_gt)
SIMD128_BINARY(words_sub, wasm_i16x8_sub)

LANES_INLINE lanes words_all(int x)
{
    const v128_t words = wasm_i16x8_splat((int16_t)x);
    return lanes_joined(words, words);
}

LANES_INLINE lanes words_shift_right(lanes a, int n)
{
    return lanes_joined(wasm_u16x8_shr(a.a, (uint32_t)n), wasm_u16x8_shr(a.b, (uint32_t)n));
}

/* A number of three bits, of masks. */
LANES_INLINE lanes bytes_number(lanes bit0, lanes bit1, lanes bit2)
{
    return lanes_or(lanes_or(lanes_and(bit0, bytes_all(1)), lanes_and(bit1, bytes_all(2))),
                    lanes_and(bit2, bytes_all(4)));
}

LANES_INLINE lanes bytes_of_words(lanes a, lanes b)
{
    return lanes_joined(wasm_u8x16_narrow_i16x8(a.a, a.b), wasm_u8x16_narrow_i16x8(b.a, b.b));
}

LANES_INLINE lanes bytes_of_masks(lanes a, lanes b)
{
    return lanes_joined(wasm_i8x16_narrow_i16x8(a.a, a.b), wasm_i8x16_narrow_i16x8(b.a, b.b));
}

LANES_INLINE lane_pair pair_low_bytes_to_words(lane_pair low, lane_pair high)
{
    return wasm_i8x16_shuffle(low, high, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

LANES_INLINE lane_pair pair_high_bytes_to_words(lane_pair low, lane_pair high)
{
    return wasm_i8x16_shuffle(low, high, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

/* Sixteen of the words whose lower and upper bytes are given: the first ones, or the others. */
LANES_INLINE lanes bytes_to_words(lanes low, lanes high, int half)
{
    const v128_t l = half ? low.b : low.a, h = half ? high.b : high.a;
    return lanes_joined(pair_low_bytes_to_words(l, h), pair_high_bytes_to_words(l, h));
}

LANES_INLINE unsigned bytes_bits(lanes a)
{
    return (unsigned)wasm_i8x16_bitmask(a.a) | (unsigned)wasm_i8x16_bitmask(a.b) << 16;
}

LANES_INLINE lanes load_table(const void *bytes)
{
    const v128_t table = wasm_v128_load(bytes);
    return lanes_joined(table, table);
}

SIMD128_BINARY(bytes_lookup, wasm_i8x16_swizzle)
LANES_INLINE lanes bytes_lookup_or(lanes table, lanes index, lanes other)
{
    return lanes_or(other, bytes_lookup(table, index));
}

/* Sixteen bytes, in both pairs. */
#define bytes_table(...) lanes_joined(wasm_i8x16_const(__VA_ARGS__), wasm_i8x16_const(__VA_ARGS__))

/* Eight values, by bytes: the lower bytes and the upper ones. */
struct value_lookup {
    lanes low, high;
};

LANES_INLINE struct value_lookup make_value_lookup(int16_t v0, int16_t v1, int16_t v2, int16_t v3, int16_t v4,
                                                   int16_t v5, int16_t v6, int16_t v7)
{
    const v128_t v = wasm_i16x8_make(v0, v1, v2, v3, v4, v5, v6, v7), none = wasm_i64x2_const_splat(0);
    const v128_t low = wasm_i8x16_shuffle(v, none, 0, 2, 4, 6, 8, 10, 12, 14, 16, 16, 16, 16, 16, 16, 16, 16);
    const v128_t high = wasm_i8x16_shuffle(v, none, 1, 3, 5, 7, 9, 11, 13, 15, 16, 16, 16, 16, 16, 16, 16, 16);
    struct value_lookup t;
    t.low = lanes_joined(low, low);
    t.high = lanes_joined(high, high);
    return t;
}

/* The number of bits of each lane: of bytes, then added up. */
LANES_INLINE lane_pair pair_count(lane_pair a)
{
    const v128_t of_words = wasm_u32x4_extadd_pairwise_u16x8(wasm_u16x8_extadd_pairwise_u8x16(wasm_i8x16_popcnt(a)));
    return wasm_i64x2_add(wasm_v128_and(of_words, pair_all(0xff)), wasm_u64x2_shr(of_words, 32));
}

SIMD128_UNARY(lanes_count, pair_count)

/* ---- Chunks ------------------------------------------------------------------------------------------------------ */

/* Offsets of 32 bits. A position without queries is written over by the next one: no branch on what could not be
 * guessed. */
#if SIZE_MAX == UINT32_MAX
LANES_INLINE bool expand_eight(const seebatch_batch *batch, struct see_chunk *chunk, struct see_expansion *at)
{
    const size_t *offsets = batch->offsets + at->i;
    const v128_t first = wasm_i32x4_sub(wasm_v128_load(offsets + 1), wasm_v128_load(offsets));
    const v128_t second = wasm_i32x4_sub(wasm_v128_load(offsets + 5), wasm_v128_load(offsets + 4));
    if (wasm_v128_any_true(wasm_u32x4_gt(wasm_u32x4_max(first, second), wasm_i32x4_const_splat(8))) ||
        offsets[0] - at->base != at->n)
        return false;
    for (int i = 0; i < 8; i++) {
        const size_t start = offsets[i] - at->base;
        const uint64_t index = UINT64_C(0x0101010101010101) * at->n_positions;
        memcpy(chunk->index + start, &index, sizeof index);
        chunk->position[at->n_positions] = &batch->positions[at->i + (size_t)i];
        chunk->start[at->n_positions] = (uint16_t)start;
        at->n_positions += offsets[i + 1] != offsets[i];
    }
    at->n = offsets[8] - at->base;
    at->i += 8;
    return true;
}
#endif

#endif
