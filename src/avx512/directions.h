/*
 * The eight directions of sliders, one for each lane of a register, with the operations that lanes/kogge_stone.h needs
 * to fill along them, and the eight directions of knights. attack_bytes.h and ray_chunks.h use them.
 */
#ifndef SEEBATCH_AVX512_DIRECTIONS_H
#define SEEBATCH_AVX512_DIRECTIONS_H

#include "lanes.h"

#include "board/attacks.h"

/* Which bit of a byte, and which lane, stands for which direction. */
enum { NE = 1, NW = 2, SE = 4, SW = 8, N = 16, S = 32, E = 64, W = 128, DIAGONAL = NE | NW | SE | SW };

typedef lanes ray_lanes;

LANES_INLINE lanes rays_of(lanes a) { return a; }
LANES_INLINE lanes rays_and(lanes a, lanes b) { return lanes_and(a, b); }
LANES_INLINE lanes rays_without(lanes a, lanes b) { return lanes_without(a, b); }
LANES_INLINE lanes rays_or_and(lanes a, lanes b, lanes c) { return LANES_LOGIC(a, b, c, A | (B & C)); }

LANES_INLINE lanes stepped(lanes squares, int times)
{
    const lanes by =
        _mm512_setr_epi64(9 * times, 7 * times, -7 * times, -9 * times, 8 * times, -8 * times, times, -times);
    return _mm512_rolv_epi64(squares, by);
}

LANES_INLINE lanes on_board(void)
{
    return _mm512_setr_epi64(ALL_BUT(FILE_A | RANK_1), ALL_BUT(FILE_H | RANK_1), ALL_BUT(FILE_A | RANK_8),
                             ALL_BUT(FILE_H | RANK_8), ALL_BUT(RANK_1), ALL_BUT(RANK_8), ALL_BUT(FILE_A),
                             ALL_BUT(FILE_H));
}

#include "lanes/kogge_stone.h"

/* A knight has eight directions of its own. */
LANES_INLINE lanes knight_attacks_of(lanes knights)
{
    const lanes by = _mm512_setr_epi64(17, 15, 10, 6, -6, -10, -15, -17);
    const lanes on = _mm512_setr_epi64(ALL_BUT(FILE_A | RANK_1 | RANK_2), ALL_BUT(FILE_H | RANK_1 | RANK_2),
                                       ALL_BUT(FILE_A | FILE_B | RANK_1), ALL_BUT(FILE_G | FILE_H | RANK_1),
                                       ALL_BUT(FILE_A | FILE_B | RANK_8), ALL_BUT(FILE_G | FILE_H | RANK_8),
                                       ALL_BUT(FILE_A | RANK_7 | RANK_8), ALL_BUT(FILE_H | RANK_7 | RANK_8));
    return lanes_and(_mm512_rolv_epi64(knights, by), on);
}

LANES_INLINE lanes any_lane(lanes a)
{
    a = lanes_or(a, _mm512_shuffle_i64x2(a, a, 0x4e));
    a = lanes_or(a, _mm512_shuffle_i64x2(a, a, 0xb1));
    return lanes_or(a, _mm512_shuffle_epi32(a, _MM_PERM_BADC));
}

LANES_INLINE struct direction_sets direction_sets_of(const seebatch_position *position, int color)
{
    struct direction_sets s;
    lanes plane[4];
    planes_of_one(position, plane);
    const lanes white = plane[3], all = lanes_or3(plane[0], plane[1], plane[2]);
    s.own = LANES_LOGIC(all, white, lanes_all(color == SEEBATCH_WHITE ? 0 : -1), A & (B ^ C));
    s.enemy = lanes_xor(all, s.own);
    s.sliders = lanes_without(_mm512_mask_mov_epi64(plane[0], 0xf0, plane[1]), plane[2]);
    s.queens = LANES_LOGIC(plane[0], plane[1], plane[2], A & B & ~C);
    s.knights = lanes_and(plane[0], plane[2]);
    const lanes pawns = LANES_LOGIC(plane[2], plane[0], plane[1], A & ~(B | C));
    const lanes downward = _mm512_setr_epi64(0, 0, -1, -1, 0, 0, 0, 0);
    s.pawns = _mm512_maskz_ternarylogic_epi64(0x0f, pawns, white, downward, (A & (B ^ C)) & 0xff);
    s.next = LANES_LOGIC(s.pawns, plane[1], plane[2], A | (B & C));
    s.propagators = propagators_over(all);
    return s;
}

#endif
