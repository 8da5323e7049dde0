/*
 * The operations of the WebAssembly kernel on four 64-bit lanes in two registers of 128 bits, with one query in each
 * lane. This file has the operations on one register, and register_pairs.h those on both.
 *
 * A swizzle gives 0 where an index is 16 or more. There is no shift by a different amount in each lane, so the bits of
 * squares come from general registers.
 */
#ifndef SEEBATCH_SIMD128_LANES_H
#define SEEBATCH_SIMD128_LANES_H

#include "board/attacks.h"
#include "lanes/chunks.h"

#include <wasm_simd128.h>

/* Shuffles that clang does not see through. Of two shifts whose results it could combine it makes one by different
 * amounts, which WebAssembly does not have, and of that instructions for general registers; without this, values of all
 * moves took a fifth longer. */
#define PAIR_SHUFFLE(type, a, b, ...) (lane_pair) SHUFFLE_##type((v128_t)(a), (v128_t)(b), __VA_ARGS__)
#define SHUFFLE_lane_pair wasm_i64x2_shuffle
#define SHUFFLE_pair_halves wasm_i32x4_shuffle
#define SHUFFLE_pair_bytes wasm_i8x16_shuffle

#include "lanes/four/register_pairs.h"

/* Lengths of exchanges are found by the scalar code, so that the module stays small. */
enum { COUNTS_LENGTHS = 0 };

/* V8 orders instructions by their depth, so that both halves would be in registers at once, and more on the stack. */
enum { DECIDED_AT_ONCE = LANES / 2 };

#define LANES_NAME(name) simd128_##name
#define LANES_LOAD_LINES

/* ---- Lanes ------------------------------------------------------------------------------------------------------- */

LANES_INLINE lane_pair pair_select(lane_pair m, lane_pair yes, lane_pair no)
{
    return (lane_pair)wasm_v128_bitselect((v128_t)yes, (v128_t)no, (v128_t)m);
}

LANES_INLINE lane_pair pair_has_bit(lane_pair a, lane_pair bit) { return (lane_pair)((a & bit) == bit); }
LANES_INLINE lane_pair pair_disjoint(lane_pair a, lane_pair b) { return (lane_pair)((a & b) == pair_all(0)); }

LANES_INLINE lane_pair pair_bit(lane_pair square)
{
    return pair_of((int64_t)(UINT64_C(1) << pair_first(square)), (int64_t)(UINT64_C(1) << pair_second(square)));
}

LANES_INLINE bool lanes_any(lanes a) { return wasm_v128_any_true((v128_t)(a.low | a.high)); }

LANES_INLINE unsigned mask_bits(lanes a)
{
    return wasm_i32x4_bitmask((v128_t)PAIR_SHUFFLE(pair_halves, a.low, a.high, 0, 2, 4, 6));
}

/* Shifts twice, and takes one lane of each. */
LANES_INLINE lane_pair pair_shift_each_left(lane_pair a, int n0, int n1)
{
    return PAIR_SHUFFLE(lane_pair, a << pair_all(n0), a << pair_all(n1), 0, 3);
}

LANES_INLINE lane_pair pair_shift_each_right(lane_pair a, int n0, int n1)
{
    return PAIR_SHUFFLE(lane_pair, a >> pair_all(n0), a >> pair_all(n1), 0, 3);
}

/* (A swizzle by constants is one instruction in V8, a shuffle of bytes four or five.) */
LANES_INLINE lane_pair pair_flip(lane_pair a)
{
    return (lane_pair)wasm_i8x16_swizzle((v128_t)a,
                                         wasm_i8x16_const(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
}

LANES_INLINE lane_pair pair_highest_bit(lane_pair byte)
{
    lane_pair below = byte | byte >> pair_all(1);
    below |= below >> pair_all(2);
    below |= below >> pair_all(4);
    return below & ~(below >> pair_all(1));
}

/* The bits of bytes are counted, and then added up. */
LANES_INLINE lane_pair pair_count(lane_pair a)
{
    const v128_t of_bytes = wasm_i8x16_popcnt((v128_t)a);
    const lane_pair of_halves = (lane_pair)wasm_u32x4_extadd_pairwise_u16x8(wasm_u16x8_extadd_pairwise_u8x16(of_bytes));
    return (of_halves & pair_all(0xff)) + (of_halves >> pair_all(32));
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

LANES_INLINE lane_pair pair_value_max(lane_pair a, lane_pair b)
{
    return (lane_pair)wasm_i32x4_max((v128_t)a, (v128_t)b);
}

LANES_INLINE lane_pair pair_value_min(lane_pair a, lane_pair b)
{
    return (lane_pair)wasm_i32x4_min((v128_t)a, (v128_t)b);
}

LANES_INLINE lane_pair pair_value_saturating_sub(lane_pair a, lane_pair b)
{
    return (lane_pair)wasm_u16x8_sub_sat((v128_t)a, (v128_t)b);
}

/* Fills every lane with one value. */
LANES_INLINE lanes load_values(const int16_t value[LANES])
{
    const v128_t four = wasm_i32x4_load16x4(value);
    return lanes_joined((lane_pair)wasm_i64x2_extend_low_i32x4(four), (lane_pair)wasm_i64x2_extend_high_i32x4(four));
}

LANES_INLINE lanes load_words(const uint16_t word[LANES])
{
    const v128_t four = wasm_u32x4_load16x4(word);
    return lanes_joined((lane_pair)wasm_u64x2_extend_low_u32x4(four), (lane_pair)wasm_u64x2_extend_high_u32x4(four));
}

/* Stores the low 16 bits of each lane. */
LANES_INLINE void store_values(int16_t value[LANES], lanes values)
{
    const v128_t four = (v128_t)PAIR_SHUFFLE(pair_halves, values.low, values.high, 0, 2, 4, 6);
    wasm_v128_store64_lane(value, wasm_i16x8_narrow_i32x4(four, four), 0);
}

/* Compares four values with four thresholds, and returns a bit for each. */
LANES_INLINE unsigned values_at_least(const int16_t value[LANES], const int16_t threshold[LANES])
{
    return wasm_i16x8_bitmask(wasm_i16x8_ge(wasm_v128_load64_zero(value), wasm_v128_load64_zero(threshold))) & 15;
}

/* The two bytes of a value, and zeros. The bytes of a mask are -1, and add up to the place. (Of plain sums clang makes
 * shifts of bytes, five instructions of V8 each.) */
LANES_INLINE lane_pair pair_value(lane_pair table, lane_pair bit0, lane_pair bit1, lane_pair bit2)
{
    const v128_t one = (v128_t)bit0, two = (v128_t)bit1, four = (v128_t)bit2;
    const v128_t upper = wasm_i8x16_add_sat(wasm_i8x16_add_sat(four, four), two);
    const v128_t place = wasm_i8x16_add_sat(wasm_i8x16_add_sat(upper, upper), one);
    const v128_t index = wasm_i8x16_sub(wasm_i64x2_const_splat((int64_t)0x8080808080800800), place);
    return (lane_pair)wasm_i8x16_swizzle((v128_t)table, index);
}

/* ---- Bytes and words --------------------------------------------------------------------------------------------- */

LANES_INLINE lane_pair pair_bytes_have_bit(lane_pair a, lane_pair bit)
{
    return (lane_pair)((pair_bytes)(a & bit) == (pair_bytes)bit);
}

LANES_INLINE lane_pair pair_bytes_saturating_sub(lane_pair a, lane_pair b)
{
    return (lane_pair)wasm_u8x16_sub_sat((v128_t)a, (v128_t)b);
}

LANES_INLINE lane_pair pair_bytes_max(lane_pair a, lane_pair b)
{
    return (lane_pair)wasm_u8x16_max((v128_t)a, (v128_t)b);
}

LANES_INLINE lane_pair pair_bytes_number(lane_pair bit0, lane_pair bit1, lane_pair bit2)
{
    return (bit0 & bytes_all(1).low) | (bit1 & bytes_all(2).low) | (bit2 & bytes_all(4).low);
}

LANES_INLINE lane_pair pair_bytes_of_words(lane_pair low, lane_pair high)
{
    return (lane_pair)wasm_u8x16_narrow_i16x8((v128_t)low, (v128_t)high);
}

LANES_INLINE lane_pair pair_bytes_of_masks(lane_pair low, lane_pair high)
{
    return (lane_pair)wasm_i8x16_narrow_i16x8((v128_t)low, (v128_t)high);
}

LANES_INLINE lane_pair pair_bytes_lookup(lane_pair table, lane_pair index)
{
    return (lane_pair)wasm_i8x16_swizzle((v128_t)table, (v128_t)index);
}

LANES_INLINE lane_pair pair_bytes_lookup_or(lane_pair table, lane_pair index, lane_pair other)
{
    return other | pair_bytes_lookup(table, index);
}

LANES_INLINE unsigned bytes_bits(lanes a)
{
    return (unsigned)wasm_i8x16_bitmask((v128_t)a.low) | (unsigned)wasm_i8x16_bitmask((v128_t)a.high) << 16;
}

/* ---- Chunks ------------------------------------------------------------------------------------------------------ */

/* Offsets have 32 bits. A position without queries is overwritten by the next one, because a branch on that could not
 * be guessed. */
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
