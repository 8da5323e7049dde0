/*
 * Sets of squares in lanes of directions: sliders are spread along each, over the empty squares, in three doubling
 * steps, so that bit s of a lane says: the nearest piece behind s, against this direction, is such a slider, and
 * attacks s. Knights go in eight directions, too.
 */
#ifndef SEEBATCH_AVX512_DIRECTIONS_H
#define SEEBATCH_AVX512_DIRECTIONS_H

#include "lanes.h"

#include "board/attacks.h"

/* Which bit of a byte, and which lane, is which direction. */
enum { NE = 1, NW = 2, SE = 4, SW = 8, N = 16, S = 32, E = 64, W = 128, DIAGONAL = NE | NW | SE | SW };

/* A step in each lane; the bits that come from beyond an edge are off the board. */
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

/* The squares from which a piece may go on: empty ones, 1, 2, and 4 in a row that end there. */
struct ways {
    lanes one, two, four;
};

LANES_INLINE struct ways ways_over(lanes occupied)
{
    struct ways w;
    w.one = lanes_without(on_board(), occupied);
    w.two = lanes_and(w.one, stepped(w.one, 1));
    w.four = lanes_and(w.two, stepped(w.two, 2));
    return w;
}

/* Pieces, and the empty squares that they reach. */
LANES_INLINE lanes spread(struct ways ways, lanes pieces)
{
    pieces = LANES_LOGIC(pieces, ways.one, stepped(pieces, 1), A | (B & C));
    pieces = LANES_LOGIC(pieces, ways.two, stepped(pieces, 2), A | (B & C));
    return LANES_LOGIC(pieces, ways.four, stepped(pieces, 4), A | (B & C));
}

LANES_INLINE lanes attacked_from(lanes reached) { return lanes_and(stepped(reached, 1), on_board()); }

/* A knight has eight directions of his own. */
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

/* The pieces of a position, for moves of one colour. */
struct direction_sets {
    lanes plane[3];
    lanes own, enemy;
    lanes sliders; /* in each lane those of its direction */
    lanes queens, knights;
    lanes pawns; /* in each lane those that capture in its direction */
    lanes next;  /* in each lane what attacks the next square without sliding there: pawns and kings */
    struct ways ways;
};

LANES_INLINE struct direction_sets direction_sets_of(const seebatch_position *position, int color)
{
    struct direction_sets s;
    for (int i = 0; i < 3; i++)
        s.plane[i] = lanes_all((int64_t)position->plane[i]);
    const lanes white = lanes_all((int64_t)position->white), all = lanes_or3(s.plane[0], s.plane[1], s.plane[2]);
    s.own = LANES_LOGIC(all, white, lanes_all(color == SEEBATCH_WHITE ? 0 : -1), A & (B ^ C));
    s.enemy = lanes_xor(all, s.own);
    s.sliders = lanes_without(_mm512_mask_mov_epi64(s.plane[0], 0xf0, s.plane[1]), s.plane[2]);
    s.queens = LANES_LOGIC(s.plane[0], s.plane[1], s.plane[2], A & B & ~C);
    s.knights = lanes_and(s.plane[0], s.plane[2]);
    const lanes pawns = LANES_LOGIC(s.plane[2], s.plane[0], s.plane[1], A & ~(B | C));
    const lanes downward = _mm512_setr_epi64(0, 0, -1, -1, 0, 0, 0, 0);
    s.pawns = _mm512_maskz_ternarylogic_epi64(0x0f, pawns, white, downward, (A & (B ^ C)) & 0xff);
    s.next = LANES_LOGIC(s.pawns, s.plane[1], s.plane[2], A | (B & C));
    s.ways = ways_over(all);
    return s;
}

/* In each lane the squares that pieces attack which stand on squares of a set: sliders, and what attacks the next one.
 */
LANES_INLINE lanes attacked_by_those_on(const struct direction_sets *s, lanes squares)
{
    const lanes reached = spread(s->ways, lanes_and(s->sliders, squares));
    return attacked_from(LANES_LOGIC(reached, s->next, squares, A | (B & C)));
}

#endif
