/*
 * Registers of 32 bytes or 16 words, in two halves: what attack tables are made of and moves look up in them.
 */
#ifndef SEEBATCH_NEON_BYTE_PAIRS_H
#define SEEBATCH_NEON_BYTE_PAIRS_H

#include "lanes.h"

LANES_INLINE lane_pair pair_bytes_positive(lane_pair a) { return of_bytes(vcgtzq_s8(as_signed_bytes(a))); }

LANES_INLINE lanes bytes_all(int x)
{
    const lane_pair a = of_bytes(vdupq_n_u8((uint8_t)x));
    return lanes_joined(a, a);
}

LANES_INLINE lanes bytes_equal(lanes a, lanes b) { return LANES_BYTES2(vceqq_u8, a, b); }
LANES_INLINE lanes bytes_have_bit(lanes a, lanes bit) { return LANES_BYTES2(vtstq_u8, a, bit); }
LANES_INLINE lanes bytes_positive(lanes a) { return LANES_BOTH(pair_bytes_positive, a); }
LANES_INLINE lanes bytes_sub(lanes a, lanes b) { return LANES_BYTES2(vsubq_u8, a, b); }
LANES_INLINE lanes bytes_saturating_sub(lanes a, lanes b) { return LANES_BYTES2(vqsubq_u8, a, b); }
LANES_INLINE lanes bytes_max(lanes a, lanes b) { return LANES_BYTES2(vmaxq_u8, a, b); }

LANES_INLINE lane_pair pair_bytes_number(lane_pair bit0, lane_pair bit1, lane_pair bit2)
{
    const uint8x16_t low = vsliq_n_u8(as_bytes(bit0), as_bytes(bit1), 1);
    return of_bytes(vandq_u8(vsliq_n_u8(low, as_bytes(bit2), 2), vdupq_n_u8(7)));
}
LANES_INLINE lanes bytes_number(lanes bit0, lanes bit1, lanes bit2)
{
    return LANES_BOTH3(pair_bytes_number, bit0, bit1, bit2);
}

LANES_INLINE lane_pair pair_words_greater(lane_pair a, lane_pair b)
{
    return of_words(vcgtq_s16(as_signed_words(a), as_signed_words(b)));
}

LANES_INLINE lanes words_all(int x)
{
    const lane_pair a = of_words(vdupq_n_u16((uint16_t)x));
    return lanes_joined(a, a);
}

LANES_INLINE lanes words_equal(lanes a, lanes b) { return LANES_WORDS2(vceqq_u16, a, b); }
LANES_INLINE lanes words_greater(lanes a, lanes b) { return LANES_BOTH2(pair_words_greater, a, b); }
LANES_INLINE lanes words_sub(lanes a, lanes b) { return LANES_WORDS2(vsubq_u16, a, b); }
LANES_INLINE lanes words_shift_right(lanes a, int n)
{
    const uint16x8_t by = vdupq_n_u16((uint16_t)n);
    return lanes_joined(of_words(as_words(a.low) >> by), of_words(as_words(a.high) >> by));
}

LANES_INLINE lane_pair pair_bytes_of_words(lanes a)
{
    return of_bytes(vqmovn_high_u16(vqmovn_u16(as_words(a.low)), as_words(a.high)));
}
LANES_INLINE lane_pair pair_bytes_of_masks(lanes a) { return of_bytes(vuzp1q_u8(as_bytes(a.low), as_bytes(a.high))); }
LANES_INLINE lanes bytes_of_words(lanes a, lanes b)
{
    return lanes_joined(pair_bytes_of_words(a), pair_bytes_of_words(b));
}
LANES_INLINE lanes bytes_of_masks(lanes a, lanes b)
{
    return lanes_joined(pair_bytes_of_masks(a), pair_bytes_of_masks(b));
}

LANES_INLINE lanes bytes_to_words(lanes low, lanes high, int half)
{
    const uint8x16_t lower = as_bytes(half ? low.high : low.low), upper = as_bytes(half ? high.high : high.low);
    return lanes_joined(of_bytes(vzip1q_u8(lower, upper)), of_bytes(vzip2q_u8(lower, upper)));
}

LANES_INLINE unsigned bytes_bits(lanes a)
{
    const uint8x16_t sum = vpaddq_u8(weighted(as_bytes(a.low)), weighted(as_bytes(a.high)));
    const uint8x16_t twice = vpaddq_u8(sum, sum);
    return vgetq_lane_u32(vreinterpretq_u32_u8(vpaddq_u8(twice, twice)), 0);
}

/* Sixteen bytes, for both halves. */
LANES_INLINE lanes table_of(lane_pair bytes) { return lanes_joined(bytes, bytes); }
LANES_INLINE lanes load_table(const void *bytes) { return table_of(pair_load(bytes)); }
#define B(x) (uint8_t)(x)
LANES_INLINE lanes bytes_table(int b0, int b1, int b2, int b3, int b4, int b5, int b6, int b7, int b8, int b9, int b10,
                               int b11, int b12, int b13, int b14, int b15)
{
    const uint8x16_t bytes = {B(b0), B(b1), B(b2),  B(b3),  B(b4),  B(b5),  B(b6),  B(b7),
                              B(b8), B(b9), B(b10), B(b11), B(b12), B(b13), B(b14), B(b15)};
    return table_of(of_bytes(bytes));
}
#undef B

LANES_INLINE lane_pair pair_lookup_or(lane_pair table, lane_pair index, lane_pair other)
{
    return of_bytes(vqtbx1q_u8(as_bytes(other), as_bytes(table), as_bytes(index)));
}
LANES_INLINE lanes bytes_lookup(lanes table, lanes index) { return LANES_BYTES2(vqtbl1q_u8, table, index); }
LANES_INLINE lanes bytes_lookup_or(lanes table, lanes index, lanes other)
{
    return LANES_BOTH3(pair_lookup_or, table, index, other);
}

/* Eight values, by bytes: the lower bytes and the upper ones. */
struct value_lookup {
    lanes low, high;
};

LANES_INLINE struct value_lookup make_value_lookup(int16_t v0, int16_t v1, int16_t v2, int16_t v3, int16_t v4,
                                                   int16_t v5, int16_t v6, int16_t v7)
{
    const int16x8_t v = {v0, v1, v2, v3, v4, v5, v6, v7};
    const uint8x16_t bytes = vreinterpretq_u8_s16(v), none = vdupq_n_u8(0);
    struct value_lookup t;
    t.low = table_of(of_bytes(vuzp1q_u8(bytes, none)));
    t.high = table_of(of_bytes(vuzp2q_u8(bytes, none)));
    return t;
}

#endif
