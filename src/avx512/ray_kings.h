/*
 * Which pieces may matter to a king, along rays (rays.h): of the positions of a chunk, four at a time; and which
 * requests these concern. docs/kings.md has the proof that all others go as if there were no kings to heed.
 *
 * Both kings of a position look along their rays, as targets do. The nearest piece on a ray, and an enemy slider behind
 * it, is all that is asked; most positions have none. For those that have, the squares of these pieces are compared
 * with what takes part in each of their requests.
 */
#ifndef SEEBATCH_AVX512_RAY_KINGS_H
#define SEEBATCH_AVX512_RAY_KINGS_H

#include "rays.h"

/* Which bit of a king's words of rays each square is; of squares that are on none of his rays one that is never set. */
#define RAY_SIGN(x) (((x) > 0) - ((x) < 0))
#define RAY_TOWARDS(x, y) ((y) < 0 ? 1 + (x) : (y) > 0 ? 6 + (x) : (x) < 0 ? 3 : 4)
#define RAY_BIT(x, y)                                                                                                  \
    ((x) == 0 && (y) == 0 ? 7                                                                                          \
     : (x) == 0 || (y) == 0 || (x) == (y) || (x) == -(y)                                                               \
         ? 8 * RAY_TOWARDS(RAY_SIGN(x), RAY_SIGN(y)) - 1 + ((x) ? RAY_SIGN(x) * (x) : RAY_SIGN(y) * (y))               \
         : 7)
#define RAY_BITS_OF_RANK(f, r, y)                                                                                      \
    RAY_BIT(0 - (f), (y) - (r)), RAY_BIT(1 - (f), (y) - (r)), RAY_BIT(2 - (f), (y) - (r)),                             \
        RAY_BIT(3 - (f), (y) - (r)), RAY_BIT(4 - (f), (y) - (r)), RAY_BIT(5 - (f), (y) - (r)),                         \
        RAY_BIT(6 - (f), (y) - (r)), RAY_BIT(7 - (f), (y) - (r))
#define RAY_BITS_FROM(f, r)                                                                                            \
    {                                                                                                                  \
        RAY_BITS_OF_RANK(f, r, 0), RAY_BITS_OF_RANK(f, r, 1), RAY_BITS_OF_RANK(f, r, 2), RAY_BITS_OF_RANK(f, r, 3),    \
            RAY_BITS_OF_RANK(f, r, 4), RAY_BITS_OF_RANK(f, r, 5), RAY_BITS_OF_RANK(f, r, 6), RAY_BITS_OF_RANK(f, r, 7) \
    }
#define RAY_BITS_FROM_RANK(r)                                                                                          \
    RAY_BITS_FROM(0, r), RAY_BITS_FROM(1, r), RAY_BITS_FROM(2, r), RAY_BITS_FROM(3, r), RAY_BITS_FROM(4, r),           \
        RAY_BITS_FROM(5, r), RAY_BITS_FROM(6, r), RAY_BITS_FROM(7, r)

static const uint8_t ray_bits[64][64] __attribute__((aligned(64))) = {
    RAY_BITS_FROM_RANK(0), RAY_BITS_FROM_RANK(1), RAY_BITS_FROM_RANK(2), RAY_BITS_FROM_RANK(3),
    RAY_BITS_FROM_RANK(4), RAY_BITS_FROM_RANK(5), RAY_BITS_FROM_RANK(6), RAY_BITS_FROM_RANK(7)};

/* ---- Positions --------------------------------------------------------------------------------------------------- */

/* The square of a colour's king; without one, some square, which does no harm. */
LANES_INLINE unsigned king_square(const seebatch_position *p, uint64_t side)
{
    return lowest_bit(p->plane[1] & p->plane[2] & side) & 63;
}

/* The pieces of positions whose leaving may matter to the white king and to the black one, as words of their rays;
 * under rules with pins the pieces that pin them, too. */
struct king_rays {
    uint64_t blockers[SEE_CHUNK_POSITIONS + SEE_CHUNK_PAD][2], pinners[SEE_CHUNK_POSITIONS + SEE_CHUNK_PAD][2];
};

/* The planes of four positions, in words of the rays of both their kings. */
LANES_INLINE void planes_from_kings(const seebatch_position *const position[4], const uint8_t (*board)[64],
                                    lanes plane[4])
{
    lanes seen[LANES];
    for (int j = 0; j < 4; j++) {
        const seebatch_position *p = position[j];
        const lanes its = _mm512_load_si512(board[j]);
        seen[2 * j] = seen_from(king_square(p, p->white), its);
        seen[2 * j + 1] = seen_from(king_square(p, ~p->white), its);
    }
    planes_of_rays(seen, LANES, plane);
}

/* Of four positions, i to i + 3. Where each capture must be legal: the nearest pieces on rays with an enemy slider.
 * Under rules with pins: those that are pinned, or that stand alone before an enemy slider, if that counts (pins.c);
 * passed_over, either: ones or 0. */
LANES_INLINE void find_on_four(const struct lane_rules *rules, const lanes plane[4], lanes passed_over, lanes either,
                               struct king_rays *rays, size_t i)
{
    const lanes jumps = lanes_all(JUMPS), each = lanes_all(EACH_RAY);
    const lanes enemy = lanes_xor(plane[3], _mm512_setr_epi64(-1, 0, -1, 0, -1, 0, -1, 0));
    const lanes snipers = lanes_and(sliders_on_rays(plane), enemy);
    const lanes all = lanes_or3(plane[0], plane[1], plane[2]);
    if (rules->any_order) {
        const lanes nearest = nearest_on_rays(all, all);
        _mm512_storeu_si512(rays->blockers[i], _mm512_maskz_mov_epi8(bytes_meet(snipers, snipers), nearest));
        return;
    }
    /* Up to the first piece that counts, and up to the second. */
    const lanes first = lanes_or(LANES_LOGIC(all, snipers, passed_over, A & ~(B & C)), jumps);
    const lanes first_less = lanes_sub(first, each);
    const lanes second = LANES_LOGIC(first, first_less, jumps, (A & B) | C), second_less = lanes_sub(second, each);
    const lanes pinners =
        lanes_without(LANES_LOGIC(snipers, second, second_less, A & (B ^ C)), lanes_xor(first, first_less));
    const lanes counts = LANES_LOGIC(enemy, either, either, ~A | B);
    const lanes nearest = LANES_LOGIC(first, first_less, counts, A & ~B & C);
    const __mmask64 pinned = _mm512_mask_test_epi8_mask(bytes_meet(pinners, pinners), nearest, nearest);
    _mm512_storeu_si512(rays->blockers[i], _mm512_maskz_mov_epi8(pinned, nearest));
    _mm512_storeu_si512(rays->pinners[i], _mm512_maskz_mov_epi8(pinned, pinners));
}

/* Of positions from to to, whose boards are given, and of up to three behind them. */
LANES_INLINE void find_king_rays(const struct lane_rules *rules, const struct see_chunk *chunk,
                                 const uint8_t (*boards)[64], size_t from, size_t to, struct king_rays *rays)
{
    const lanes passed_over = lanes_all(rules->pins && see_pins_pass_over(rules->scalar->pins) ? -1 : 0);
    const lanes either = lanes_all(rules->either ? -1 : 0);
    lanes next[4];
    planes_from_kings(chunk->position + from, boards, next);
    for (size_t i = from; i <= to; i += 4) {
        const lanes plane[4] = {next[0], next[1], next[2], next[3]};
        const size_t after = i + 4 <= to ? i + 4 : i;
        planes_from_kings(chunk->position + after, boards + (after - from), next);
        find_on_four(rules, plane, passed_over, either, rays, i);
    }
}

/* The squares of some pieces on a king's rays. */
LANES_INLINE uint64_t squares_on_rays(uint64_t rays, unsigned king)
{
    return _cvtmask64_u64(_mm512_bitshuffle_epi64_mask(lanes_all((int64_t)rays), _mm512_load_si512(ray_bits[king])));
}

/* The positions of a chunk that have such pieces: a byte each, not 0; and the squares of these. */
struct king_blockers {
    uint8_t flag[SEE_CHUNK_POSITIONS] __attribute__((aligned(64)));
    uint64_t squares[SEE_CHUNK_POSITIONS + SEE_CHUNK_PAD]; /* where the flag is set */
};

LANES_INLINE void flag_positions(const struct see_chunk *chunk, const struct king_rays *rays,
                                 struct king_blockers *blockers)
{
    uint16_t number[SEE_CHUNK_POSITIONS + 32];
    size_t n = 0;
    for (size_t i = 0; i < chunk->n_positions; i += 32) {
        uint64_t bits = 0;
        for (size_t j = 0; j < 8; j++) {
            const lanes four = _mm512_loadu_si512(rays->blockers[i + 4 * j]);
            bits |= (uint64_t)_cvtmask8_u32(lanes_meet(four, four)) << 8 * j;
        }
        const size_t left = chunk->n_positions - i;
        const uint32_t some = _bzhi_u32((uint32_t)_pext_u64(bits | bits >> 1, UINT64_C(0x5555555555555555)),
                                        left < 32 ? (unsigned)left : 32);
        _mm256_storeu_si256((__m256i *)(void *)(blockers->flag + i), _mm256_movm_epi8(_cvtu32_mask32(some)));
        store_packed(number + n, _cvtu32_mask32(some), _mm512_add_epi16(_mm512_set1_epi16((int16_t)i), first_words()));
        n += (size_t)_mm_popcnt_u32(some);
    }
    for (size_t j = 0; j < n; j++) {
        const size_t i = number[j];
        const seebatch_position *p = chunk->position[i];
        blockers->squares[i] = squares_on_rays(rays->blockers[i][0], king_square(p, p->white)) |
                               squares_on_rays(rays->blockers[i][1], king_square(p, ~p->white));
    }
}

/* The pins of a position, as far as they keep pieces from capturing (pins.c). */
LANES_INLINE void pins_on_rays(const struct king_rays *rays, size_t i, const seebatch_position *p, seebatch_pins *pins)
{
    for (int color = SEEBATCH_WHITE; color <= SEEBATCH_BLACK; color++) {
        const unsigned king = king_square(p, color ? ~p->white : p->white);
        pins->blockers[color] = squares_on_rays(rays->blockers[i][color], king);
        pins->pinners[color] = squares_on_rays(rays->pinners[i][color], king);
    }
}

/* ---- Requests ---------------------------------------------------------------------------------------------------- */

/* Which of 64 requests, given the indices of their positions, are on one that is flagged. */
LANES_INLINE __mmask64 on_flagged(const struct king_blockers *blockers, lanes index)
{
    const lanes *flag = (const lanes *)(const void *)blockers->flag;
    const lanes low = _mm512_permutex2var_epi8(flag[0], index, flag[1]);
    const lanes high = _mm512_permutex2var_epi8(flag[2], index, flag[3]);
    return _mm512_movepi8_mask(lanes_merge(index, high, low)); /* by the highest bits */
}

/* Whether one of some pieces takes part in a request: they are squares, what takes part is a word of rays with its
 * bytes reversed. */
LANES_INLINE bool takes_part(uint64_t squares, seebatch_move move, uint64_t part)
{
    const lanes order = _mm512_load_si512((const uint8_t *)ray_squares + (move & 63 << 6));
    return (_cvtmask64_u64(_mm512_bitshuffle_epi64_mask(lanes_all((int64_t)squares), order)) & part) != 0;
}

#endif
