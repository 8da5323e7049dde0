/*
 * The operations of the NEON kernel on four 64-bit lanes in two registers, with one query in each lane. This file has
 * the operations on one register, and register_pairs.h those on both. They need a little-endian machine, where the
 * bytes of a register are numbered as in memory.
 */
#ifndef SEEBATCH_NEON_LANES_H
#define SEEBATCH_NEON_LANES_H

#ifndef __AARCH64EL__
#error "the NEON kernel is for little-endian AArch64: expected __AARCH64EL__; other machines have the scalar kernel"
#endif

#include "lanes/four/register_pairs.h"

#include <arm_neon.h>

/* Lengths of exchanges are found in lanes, too (../lanes/lengths.h). */
enum { COUNTS_LENGTHS = 1 };

/* The number of queries of a chunk that are decided at once. */
enum { DECIDED_AT_ONCE = LANES };

#define LANES_NAME(name) neon_##name

/* The same register by the names of arm_neon.h. */
LANES_INLINE uint8x16_t as_bytes(lane_pair a) { return (uint8x16_t)a; }
LANES_INLINE uint16x8_t as_words(lane_pair a) { return (uint16x8_t)a; }
LANES_INLINE uint32x4_t as_halves(lane_pair a) { return (uint32x4_t)a; }
LANES_INLINE int32x4_t as_signed_halves(lane_pair a) { return (int32x4_t)a; }

/* ---- Lanes ------------------------------------------------------------------------------------------------------- */

LANES_INLINE lane_pair pair_select(lane_pair m, lane_pair yes, lane_pair no)
{
    return (lane_pair)vbslq_u64((uint64x2_t)m, (uint64x2_t)yes, (uint64x2_t)no);
}

LANES_INLINE lane_pair pair_has_bit(lane_pair a, lane_pair bit)
{
    return (lane_pair)vtstq_u64((uint64x2_t)a, (uint64x2_t)bit);
}

/* The code that uses the mask mostly takes the "not" into its own instruction. */
LANES_INLINE lane_pair pair_disjoint(lane_pair a, lane_pair b) { return ~pair_has_bit(a, b); }

LANES_INLINE bool lanes_any(lanes a) { return vmaxvq_u32(as_halves(a.low | a.high)) != 0; }

LANES_INLINE unsigned mask_bits(lanes a)
{
    const uint32x4_t bit = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(vuzp1q_u32(as_halves(a.low), as_halves(a.high)), bit));
}

/* NEON shifts to the right by negative numbers. */
LANES_INLINE lane_pair pair_shift_left(lane_pair a, lane_pair by)
{
    return (lane_pair)vshlq_u64((uint64x2_t)a, (int64x2_t)by);
}

LANES_INLINE lanes lanes_shift_left_by(lanes a, lanes by) { return LANES_BOTH2(pair_shift_left, a, by); }
LANES_INLINE lane_pair pair_bit(lane_pair number) { return pair_shift_left(pair_all(1), number); }
LANES_INLINE lane_pair pair_shift_each_left(lane_pair a, int n0, int n1) { return pair_shift_left(a, pair_of(n0, n1)); }
LANES_INLINE lane_pair pair_shift_each_right(lane_pair a, int n0, int n1)
{
    return pair_shift_left(a, pair_of(-n0, -n1));
}

LANES_INLINE lane_pair pair_flip(lane_pair a) { return (lane_pair)vrev64q_u8(as_bytes(a)); }

/* The bit is looked up by the number of zeros before it. */
LANES_INLINE lane_pair pair_highest_bit(lane_pair byte)
{
    const uint8x16_t bit = {128, 64, 32, 16, 8, 4, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0};
    return (lane_pair)vqtbl1q_u8(bit, vclzq_u8(as_bytes(byte)));
}

/* The bits of bytes are counted, and then added up. */
LANES_INLINE lane_pair pair_count(lane_pair a)
{
    return (lane_pair)vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(vcntq_u8(as_bytes(a)))));
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

LANES_INLINE lane_pair pair_value_max(lane_pair a, lane_pair b)
{
    return (lane_pair)vmaxq_s32(as_signed_halves(a), as_signed_halves(b));
}

LANES_INLINE lane_pair pair_value_min(lane_pair a, lane_pair b)
{
    return (lane_pair)vminq_s32(as_signed_halves(a), as_signed_halves(b));
}

LANES_INLINE lane_pair pair_value_saturating_sub(lane_pair a, lane_pair b)
{
    return (lane_pair)vqsubq_u16(as_words(a), as_words(b));
}

/* Fills every lane with one value. */
LANES_INLINE lanes load_values(const int16_t value[LANES])
{
    const int32x4_t four = vmovl_s16(vld1_s16(value));
    return lanes_joined((lane_pair)vmovl_s32(vget_low_s32(four)), (lane_pair)vmovl_high_s32(four));
}

LANES_INLINE lanes load_words(const uint16_t word[LANES])
{
    const uint32x4_t four = vmovl_u16(vld1_u16(word));
    return lanes_joined((lane_pair)vmovl_u32(vget_low_u32(four)), (lane_pair)vmovl_high_u32(four));
}

/* Stores the low 16 bits of each lane. */
LANES_INLINE void store_values(int16_t value[LANES], lanes values)
{
    const uint32x4_t four = vuzp1q_u32(as_halves(values.low), as_halves(values.high));
    vst1_s16(value, vreinterpret_s16_u16(vmovn_u32(four)));
}

/* Compares four values with four thresholds, and returns a bit for each. */
LANES_INLINE unsigned values_at_least(const int16_t value[LANES], const int16_t threshold[LANES])
{
    const uint16x4_t bit = {1, 2, 4, 8};
    return vaddv_u16(vand_u16(vcge_s16(vld1_s16(value), vld1_s16(threshold)), bit));
}

/* The three masks make a number bit by bit. It names the lower byte of the value, and with 8 added the upper one. */
LANES_INLINE lane_pair pair_value(lane_pair table, lane_pair bit0, lane_pair bit1, lane_pair bit2)
{
    const uint8x16_t two = vbslq_u8(vdupq_n_u8(1), as_bytes(bit0), as_bytes(bit1));
    const uint8x16_t three = vbslq_u8(vdupq_n_u8(3), two, as_bytes(bit2));
    const lane_pair index = pair_select(pair_all(0x0707), (lane_pair)three, pair_all(-0xf800));
    return pair_bytes_lookup(table, index);
}

/* ---- Bytes and words --------------------------------------------------------------------------------------------- */

LANES_INLINE lane_pair pair_bytes_have_bit(lane_pair a, lane_pair bit)
{
    return (lane_pair)vtstq_u8(as_bytes(a), as_bytes(bit));
}

LANES_INLINE lane_pair pair_bytes_saturating_sub(lane_pair a, lane_pair b)
{
    return (lane_pair)vqsubq_u8(as_bytes(a), as_bytes(b));
}

LANES_INLINE lane_pair pair_bytes_max(lane_pair a, lane_pair b)
{
    return (lane_pair)vmaxq_u8(as_bytes(a), as_bytes(b));
}

LANES_INLINE lane_pair pair_bytes_number(lane_pair bit0, lane_pair bit1, lane_pair bit2)
{
    const uint8x16_t low = vsliq_n_u8(as_bytes(bit0), as_bytes(bit1), 1);
    return (lane_pair)vandq_u8(vsliq_n_u8(low, as_bytes(bit2), 2), vdupq_n_u8(7));
}

LANES_INLINE lane_pair pair_bytes_of_words(lane_pair low, lane_pair high)
{
    return (lane_pair)vqmovn_high_u16(vqmovn_u16(as_words(low)), as_words(high));
}

LANES_INLINE lane_pair pair_bytes_of_masks(lane_pair low, lane_pair high)
{
    return (lane_pair)vuzp1q_u8(as_bytes(low), as_bytes(high));
}

LANES_INLINE lane_pair pair_bytes_lookup(lane_pair table, lane_pair index)
{
    return (lane_pair)vqtbl1q_u8(as_bytes(table), as_bytes(index));
}

LANES_INLINE lane_pair pair_bytes_lookup_or(lane_pair table, lane_pair index, lane_pair other)
{
    return (lane_pair)vqtbx1q_u8(as_bytes(other), as_bytes(table), as_bytes(index));
}

/* Makes a bit for each byte of sixteen masks, to be added up with those of the next ones. */
LANES_INLINE uint8x16_t weighted(lane_pair masks)
{
    const uint8x16_t bit = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    return vandq_u8(as_bytes(masks), bit);
}

LANES_INLINE unsigned bytes_bits(lanes a)
{
    const uint8x16_t sum = vpaddq_u8(weighted(a.low), weighted(a.high)), twice = vpaddq_u8(sum, sum);
    return vgetq_lane_u32(vreinterpretq_u32_u8(vpaddq_u8(twice, twice)), 0);
}

#endif
