/*
 * Four 64-bit lanes, one query in each, in two registers: the operations of this kernel. Little-endian machines alone:
 * the numbers of bytes in a register are those in memory.
 */
#ifndef SEEBATCH_NEON_LANES_H
#define SEEBATCH_NEON_LANES_H

#ifndef __AARCH64EL__
#error "the NEON kernel is for little-endian AArch64: expected __AARCH64EL__; other machines have the scalar kernel"
#endif

#include "lanes/inline.h"
#include "api/rules.h"
#include "seebatch.h"

#include <arm_neon.h>
#include <stdbool.h>
#include <string.h>

typedef struct {
    uint64x2_t low, high;
} lanes;

enum { LANES = 4 };

/* Lengths of exchanges are found in lanes, too (../lanes/lengths.h). */
enum { COUNTS_LENGTHS = 1 };

/* So many queries of a chunk are decided at once. */
enum { DECIDED_AT_ONCE = LANES };

#define LANES_NAME(name) neon_##name

/* The number of the lowest bit; of none: 64. */
LANES_INLINE unsigned lowest_bit(uint64_t bits) { return bits ? (unsigned)__builtin_ctzll(bits) : 64; }

/* ---- Two lanes --------------------------------------------------------------------------------------------------- */

typedef uint64x2_t lane_pair;

LANES_INLINE uint8x16_t as_bytes(lane_pair a) { return vreinterpretq_u8_u64(a); }
LANES_INLINE uint16x8_t as_words(lane_pair a) { return vreinterpretq_u16_u64(a); }
LANES_INLINE uint32x4_t as_halves(lane_pair a) { return vreinterpretq_u32_u64(a); }
LANES_INLINE int8x16_t as_signed_bytes(lane_pair a) { return vreinterpretq_s8_u64(a); }
LANES_INLINE int16x8_t as_signed_words(lane_pair a) { return vreinterpretq_s16_u64(a); }
LANES_INLINE int32x4_t as_signed_halves(lane_pair a) { return vreinterpretq_s32_u64(a); }
LANES_INLINE lane_pair of_bytes(uint8x16_t a) { return vreinterpretq_u64_u8(a); }
LANES_INLINE lane_pair of_words(uint16x8_t a) { return vreinterpretq_u64_u16(a); }
LANES_INLINE lane_pair of_halves(uint32x4_t a) { return vreinterpretq_u64_u32(a); }

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

LANES_INLINE lane_pair pair_all(int64_t x) { return vdupq_n_u64((uint64_t)x); }
LANES_INLINE lane_pair pair_and(lane_pair a, lane_pair b) { return vandq_u64(a, b); }
LANES_INLINE lane_pair pair_or(lane_pair a, lane_pair b) { return vorrq_u64(a, b); }
LANES_INLINE lane_pair pair_select(lane_pair m, lane_pair yes, lane_pair no) { return vbslq_u64(m, yes, no); }
LANES_INLINE lane_pair pair_even(lane_pair a, lane_pair b) { return vzip1q_u64(a, b); }
LANES_INLINE lane_pair pair_odd(lane_pair a, lane_pair b) { return vzip2q_u64(a, b); }
LANES_INLINE uint64_t pair_first(lane_pair a) { return vgetq_lane_u64(a, 0); }
LANES_INLINE uint64_t pair_second(lane_pair a) { return vgetq_lane_u64(a, 1); }
LANES_INLINE void pair_store(uint64_t word[2], lane_pair a) { memcpy(word, &a, sizeof a); }

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

/* An operation on each half. */
#define LANES_BOTH(function, a) lanes_joined(function((a).low), function((a).high))
#define LANES_BOTH2(function, a, b) lanes_joined(function((a).low, (b).low), function((a).high, (b).high))
#define LANES_BOTH3(function, a, b, c)                                                                                 \
    lanes_joined(function((a).low, (b).low, (c).low), function((a).high, (b).high, (c).high))
#define LANES_BYTES2(function, a, b)                                                                                   \
    lanes_joined(of_bytes(function(as_bytes((a).low), as_bytes((b).low))),                                             \
                 of_bytes(function(as_bytes((a).high), as_bytes((b).high))))
#define LANES_WORDS2(function, a, b)                                                                                   \
    lanes_joined(of_words(function(as_words((a).low), as_words((b).low))),                                             \
                 of_words(function(as_words((a).high), as_words((b).high))))
#define LANES_HALVES2(function, a, b)                                                                                  \
    lanes_joined(of_halves(function(as_halves((a).low), as_halves((b).low))),                                          \
                 of_halves(function(as_halves((a).high), as_halves((b).high))))

LANES_INLINE lanes lower_halves(lanes a, lanes b) { return lanes_joined(a.low, b.low); }
LANES_INLINE lanes upper_halves(lanes a, lanes b) { return lanes_joined(a.high, b.high); }
LANES_INLINE lanes lanes_halves(lanes lower, lanes upper) { return lanes_joined(lower.low, upper.high); }
LANES_INLINE lanes lanes_even(lanes a, lanes b) { return LANES_BOTH2(pair_even, a, b); }
LANES_INLINE lanes lanes_odd(lanes a, lanes b) { return LANES_BOTH2(pair_odd, a, b); }

LANES_INLINE lanes lanes_of(int64_t a, int64_t b, int64_t c, int64_t d)
{
    return lanes_joined(pair_of(a, b), pair_of(c, d));
}

LANES_INLINE lanes lanes_all(int64_t x) { return lanes_joined(pair_all(x), pair_all(x)); }
LANES_INLINE lanes lanes_zero(void) { return lanes_all(0); }
LANES_INLINE lanes lanes_and(lanes a, lanes b) { return LANES_BOTH2(vandq_u64, a, b); }
LANES_INLINE lanes lanes_or(lanes a, lanes b) { return LANES_BOTH2(vorrq_u64, a, b); }
LANES_INLINE lanes lanes_xor(lanes a, lanes b) { return LANES_BOTH2(veorq_u64, a, b); }
LANES_INLINE lanes lanes_without(lanes a, lanes b) { return LANES_BOTH2(vbicq_u64, a, b); } /* a & ~b */
LANES_INLINE lanes lanes_sub(lanes a, lanes b) { return LANES_BOTH2(vsubq_u64, a, b); }
LANES_INLINE lanes lanes_select(lanes m, lanes yes, lanes no) { return LANES_BOTH3(vbslq_u64, m, yes, no); }
LANES_INLINE lanes lanes_equal(lanes a, lanes b) { return LANES_BOTH2(vceqq_u64, a, b); }
LANES_INLINE lanes lanes_empty(lanes a) { return LANES_BOTH(vceqzq_u64, a); }
LANES_INLINE lanes lanes_has_bit(lanes a, lanes bit) { return LANES_BOTH2(vtstq_u64, a, bit); }
LANES_INLINE lanes lanes_disjoint(lanes a, lanes b) { return lanes_xor(LANES_BOTH2(vtstq_u64, a, b), lanes_all(-1)); }

LANES_INLINE bool lanes_any(lanes a) { return vmaxvq_u32(as_halves(vorrq_u64(a.low, a.high))) != 0; }

LANES_INLINE unsigned mask_bits(lanes a)
{
    const uint32x4_t bit = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(vuzp1q_u32(as_halves(a.low), as_halves(a.high)), bit));
}

LANES_INLINE lane_pair pair_shift_left(lane_pair a, lane_pair by) { return vshlq_u64(a, vreinterpretq_s64_u64(by)); }
LANES_INLINE lanes lanes_shift_left_by(lanes a, lanes by) { return LANES_BOTH2(pair_shift_left, a, by); }
LANES_INLINE lanes lanes_bit(lanes number) { return lanes_shift_left_by(lanes_all(1), number); }

/* (Operators: as constants, these numbers then stand in the instruction.) */
LANES_INLINE lanes lanes_shift_right(lanes a, int n)
{
    return lanes_joined(a.low >> pair_all(n), a.high >> pair_all(n));
}

LANES_INLINE lanes lanes_shift_each_left(lanes a, int n0, int n1, int n2, int n3)
{
    return lanes_shift_left_by(a, lanes_of(n0, n1, n2, n3));
}

LANES_INLINE lanes lanes_shift_each_right(lanes a, int n0, int n1, int n2, int n3)
{
    return lanes_shift_left_by(a, lanes_of(-n0, -n1, -n2, -n3));
}

LANES_INLINE lanes lanes_load(const void *word)
{
    return lanes_joined(pair_load(word), pair_load((const char *)word + sizeof(lane_pair)));
}

LANES_INLINE void lanes_store(void *word, lanes a) { memcpy(word, &a, sizeof a); }

/* Four rows of four words each, as four registers of one word of each row. */
LANES_INLINE void lanes_transpose(const void *a, const void *b, const void *c, const void *d, lanes word[4])
{
    const lanes row[4] = {lanes_load(a), lanes_load(b), lanes_load(c), lanes_load(d)};
    word[0] = lanes_joined(pair_even(row[0].low, row[1].low), pair_even(row[2].low, row[3].low));
    word[1] = lanes_joined(pair_odd(row[0].low, row[1].low), pair_odd(row[2].low, row[3].low));
    word[2] = lanes_joined(pair_even(row[0].high, row[1].high), pair_even(row[2].high, row[3].high));
    word[3] = lanes_joined(pair_odd(row[0].high, row[1].high), pair_odd(row[2].high, row[3].high));
}

/* The board upside down: the bytes of each lane reversed. */
LANES_INLINE lane_pair pair_flip(lane_pair a) { return of_bytes(vrev64q_u8(as_bytes(a))); }
LANES_INLINE lanes lanes_flip(lanes a) { return LANES_BOTH(pair_flip, a); }

/* The highest bit of the only byte of each lane that is not empty: looked up by the number of zeros before it. */
LANES_INLINE lane_pair pair_highest_bit(lane_pair byte)
{
    const uint8x16_t bit = {128, 64, 32, 16, 8, 4, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0};
    return of_bytes(vqtbl1q_u8(bit, vclzq_u8(as_bytes(byte))));
}
LANES_INLINE lanes lanes_highest_bit(lanes byte) { return LANES_BOTH(pair_highest_bit, byte); }

/* ---- Values ------------------------------------------------------------------------------------------------------ */

/* 32-bit integers in the lower halves; the upper halves are 0 or, in comparisons, equal. */
LANES_INLINE lane_pair pair_value_max(lane_pair a, lane_pair b)
{
    return vreinterpretq_u64_s32(vmaxq_s32(as_signed_halves(a), as_signed_halves(b)));
}
LANES_INLINE lane_pair pair_value_min(lane_pair a, lane_pair b)
{
    return vreinterpretq_u64_s32(vminq_s32(as_signed_halves(a), as_signed_halves(b)));
}
LANES_INLINE lane_pair pair_value_less(lane_pair a, lane_pair b)
{
    const uint32x4_t less = vcltq_s32(as_signed_halves(a), as_signed_halves(b));
    return of_halves(vtrn1q_u32(less, less));
}

LANES_INLINE lanes value_add(lanes a, lanes b) { return LANES_HALVES2(vaddq_u32, a, b); }
LANES_INLINE lanes value_sub(lanes a, lanes b) { return LANES_HALVES2(vsubq_u32, a, b); }
LANES_INLINE lanes value_max(lanes a, lanes b) { return LANES_BOTH2(pair_value_max, a, b); }
LANES_INLINE lanes value_min(lanes a, lanes b) { return LANES_BOTH2(pair_value_min, a, b); }
/* max(0, a - b) of values that are not negative. */
LANES_INLINE lanes value_saturating_sub(lanes a, lanes b) { return LANES_WORDS2(vqsubq_u16, a, b); }
/* Where a value is less than another; both may be negative. */
LANES_INLINE lanes value_less(lanes a, lanes b) { return LANES_BOTH2(pair_value_less, a, b); }

LANES_INLINE bool value_all_equal(lanes a, lanes b)
{
    const lanes equal = LANES_HALVES2(vceqq_u32, a, b);
    return vminvq_u32(as_halves(vandq_u64(equal.low, equal.high))) != 0;
}

/* One value a lane. */
LANES_INLINE lanes load_values(const int16_t value[LANES])
{
    const int32x4_t four = vmovl_s16(vld1_s16(value));
    return lanes_joined(vreinterpretq_u64_s64(vmovl_s32(vget_low_s32(four))),
                        vreinterpretq_u64_s64(vmovl_high_s32(four)));
}

LANES_INLINE lanes load_words(const uint16_t word[LANES])
{
    const uint32x4_t four = vmovl_u16(vld1_u16(word));
    return lanes_joined(vmovl_u32(vget_low_u32(four)), vmovl_high_u32(four));
}

/* Stores the low 16 bits of each lane. */
LANES_INLINE void store_values(int16_t value[LANES], lanes values)
{
    const uint32x4_t four = vuzp1q_u32(as_halves(values.low), as_halves(values.high));
    vst1_s16(value, vreinterpret_s16_u16(vmovn_u32(four)));
}

/* A bit for each byte of sixteen masks, added up with those of the next ones. */
LANES_INLINE uint8x16_t weighted(uint8x16_t masks)
{
    const uint8x16_t bit = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    return vandq_u8(masks, bit);
}

/* Bits of four values against four thresholds. */
LANES_INLINE unsigned values_at_least(const int16_t value[LANES], const int16_t threshold[LANES])
{
    const uint16x4_t bit = {1, 2, 4, 8};
    return vaddv_u16(vand_u16(vcge_s16(vld1_s16(value), vld1_s16(threshold)), bit));
}

/* The values of piece codes, and of those that are the least valuable, by the answers to three questions. Eight of 16
 * bits each: the lower bytes, then the upper ones. */
struct piece_values {
    lane_pair of_code, of_least;
};

LANES_INLINE lane_pair bytes_apart(lane_pair words)
{
    const uint8x16_t bytes = as_bytes(words);
    return pair_even(of_bytes(vuzp1q_u8(bytes, bytes)), of_bytes(vuzp2q_u8(bytes, bytes)));
}

LANES_INLINE struct piece_values piece_values_of(const int16_t v[5])
{
    const int16x8_t of_type =
        vsetq_lane_s16(v[SEEBATCH_QUEEN], vcombine_s16(vld1_s16(v), vdup_n_s16(0)), SEEBATCH_QUEEN);
#define TYPE(type) 2 * (type), 2 * (type) + 1
    const uint8x16_t code = {255,
                             255,
                             TYPE(SEEBATCH_BISHOP),
                             TYPE(SEEBATCH_ROOK),
                             TYPE(SEEBATCH_QUEEN),
                             TYPE(SEEBATCH_PAWN),
                             TYPE(SEEBATCH_KNIGHT),
                             255,
                             255,
                             255,
                             255};
    const uint8x16_t least = {255,
                              255,
                              TYPE(SEEBATCH_PAWN),
                              TYPE(SEEBATCH_KNIGHT),
                              255,
                              255,
                              TYPE(SEEBATCH_BISHOP),
                              TYPE(SEEBATCH_ROOK),
                              TYPE(SEEBATCH_QUEEN),
                              255,
                              255};
#undef TYPE
    struct piece_values t;
    t.of_code = of_bytes(vqtbl1q_u8(vreinterpretq_u8_s16(of_type), code));
    t.of_least = of_bytes(vqtbl1q_u8(vreinterpretq_u8_s16(of_type), least));
    t.of_least = of_words(vsetq_lane_u16(KING_VALUE, as_words(t.of_least), 7));
    t.of_code = bytes_apart(t.of_code);
    t.of_least = bytes_apart(t.of_least);
    return t;
}

/* The value in a table by a number whose bits are those of three masks: the byte that the masks make, bit by bit, names
 * the lower byte of the value, and 8 more the upper one. */
LANES_INLINE lane_pair pair_value(lane_pair table, lane_pair bit0, lane_pair bit1, lane_pair bit2)
{
    const uint8x16_t two = vbslq_u8(vdupq_n_u8(1), as_bytes(bit0), as_bytes(bit1));
    const uint8x16_t three = vbslq_u8(vdupq_n_u8(3), two, as_bytes(bit2));
    const lane_pair index = pair_select(pair_all(0x0707), of_bytes(three), pair_all(-0xf800));
    return of_bytes(vqtbl1q_u8(as_bytes(table), as_bytes(index)));
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

/* Whether no type is worth less than those before it, as see_values_are_monotonic() says it; and all ones or 0 for
 * that. */
LANES_INLINE bool values_are_monotonic(const int16_t v[5], lanes *rising)
{
    const uint16x4_t falls = vcgt_s16(vld1_s16(v), vld1_s16(v + 1));
    const bool rise = vget_lane_u64(vreinterpret_u64_u16(falls), 0) == 0;
    *rising = lanes_all(-(int64_t)rise);
    return rise;
}

/* The number of bits of each lane: of bytes, then added up. */
LANES_INLINE lane_pair pair_count(lane_pair a) { return vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(vcntq_u8(as_bytes(a))))); }

LANES_INLINE lanes lanes_count(lanes a) { return LANES_BOTH(pair_count, a); }

#endif
