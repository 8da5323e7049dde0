/*
 * Decides the moves of a position by its attack tables (attack_bytes.h), 64 moves at a time. decide_position() in
 * lanes/batch.h calls decide_moves().
 *
 * The attackers of the to-square are those of the tables, except for the moving piece and the slider that it uncovers:
 * a slider behind the moving piece attacks the to-square if it attacks the from-square in the direction of the move.
 * The decision is that of lanes/decide.h with the further one. Moves that it leaves pending, and rare moves, are
 * evaluated like single queries, in a register or by the scalar code.
 */
#ifndef SEEBATCH_AVX512_BYTE_MOVES_H
#define SEEBATCH_AVX512_BYTE_MOVES_H

#include "attack_bytes.h"

/* The number of moves of one position from which attack tables pay: the row TABLES_FROM_ONE of the last table in
 * docs/internals/lanes.md, with bytes as the board. */
enum { TABLES_FROM_ONE = 9 };

/* The number of pending moves of one position up to which the scalar code evaluates them; none go there where every
 * capture must be legal, because the scalar code searches then. This is the row PENDING_TO_SCALAR of the last table in
 * docs/internals/lanes.md, for bytes. */
enum { PENDING_TO_SCALAR = 2 };

#define BY_CODE(pawn, knight, bishop, rook, queen, king)                                                               \
    _mm512_broadcast_i32x4(                                                                                            \
        _mm_setr_epi8(0, bishop, rook, queen, pawn, knight, king, 0, 0, bishop, rook, queen, pawn, knight, king, 0))

/* The direction of each move, as a bit of a byte, which is empty for the moves of knights and kings. */
LANES_INLINE lanes directions_of(lanes from, lanes to, lanes mover)
{
    const char e = (char)(NE | SE | E), w = (char)(NW | SW | W), n = NE | NW | N, s = SE | SW | S;
    const lanes files = _mm512_broadcast_i32x4(_mm_setr_epi8(N | S, e, e, e, e, e, e, e, 0, w, w, w, w, w, w, w));
    const lanes ranks =
        _mm512_broadcast_i32x4(_mm_setr_epi8((char)(E | W), n, n, n, n, n, n, n, 0, s, s, s, s, s, s, s));
    const lanes lines = BY_CODE(-1, 0, DIAGONAL, (char)~DIAGONAL, -1, 0);
    const lanes seven = bytes_all(7), fifteen = bytes_all(15);
    const lanes right = _mm512_sub_epi8(lanes_and(to, seven), lanes_and(from, seven));
    const lanes up = _mm512_srli_epi16(_mm512_sub_epi8(_mm512_sub_epi8(to, from), right), 3);
    return lanes_and3(_mm512_shuffle_epi8(files, lanes_and(right, fifteen)),
                      _mm512_shuffle_epi8(ranks, lanes_and(up, fifteen)), _mm512_shuffle_epi8(lines, mover));
}

/* A set of 64 moves, with a byte for each, and what the tables say of their squares. */
struct table_moves {
    lanes from, to; /* the squares are in the low six bits; bits 6 and 7 of `to` are set for a promotion */
    lanes mover, target;
    lanes at_ours, at_theirs, twice, theirs_twice;
    lanes type;      /* the moving piece's, as a bit; king: bit 7 */
    lanes direction; /* of the move */
    lanes seen;      /* the same, if the move uncovers a slider */
    lanes newcomer;  /* its type, if it is an own one */
    lanes attacker;  /* the moving piece's type, if it attacks the target */
    lanes xray;      /* bit 7: an own x-ray slider is left then */
};

LANES_INLINE struct table_moves table_moves_of(const struct attack_tables *tables, const seebatch_move *move,
                                               uint64_t wanted)
{
    struct table_moves m;
    const lanes low = _mm512_maskz_loadu_epi16((__mmask32)wanted, move);
    const lanes high = _mm512_maskz_loadu_epi16((__mmask32)(wanted >> 32), move + MOVES_AT_ONCE / 2);
    const lanes square = _mm512_set1_epi16(63), types = bytes_all(0x1f);
    m.from = _mm512_packus_epi16(lanes_and(low, square), lanes_and(high, square));
    m.to = _mm512_packus_epi16(_mm512_srli_epi16(low, 6), _mm512_srli_epi16(high, 6));
    m.mover = bytes_lookup(tables->mover, m.from);
    m.target = bytes_lookup(tables->target, m.to);
    m.at_ours = bytes_lookup(tables->ours, m.to);
    m.at_theirs = bytes_lookup(tables->theirs, m.to);
    m.theirs_twice = lanes_and(bytes_lookup(tables->theirs_twice, m.to), types);
    const lanes at_twice = bytes_lookup(tables->ours_twice, m.to);
    m.twice = lanes_and(at_twice, types);

    /* A pawn does not attack straight ahead. */
    m.direction = directions_of(m.from, m.to, m.mover);
    m.type = _mm512_shuffle_epi8(BY_CODE(1, 2, 4, 8, 16, -128), m.mover);
    m.attacker = lanes_without(m.type, parities_of(m.direction, BITS_FROM(0, 0x30)));

    /* The slider of ours that the move uncovers is no longer an x-ray slider. */
    const uint64_t as_slider = BITS_FROM(2, 0x0f) | BITS_FROM(3, 0xf0);
    m.seen = lanes_and(bytes_lookup(tables->seen, m.from), m.direction);
    const lanes by_queen = lanes_and(bytes_lookup(tables->queens, m.from), m.seen);
    m.newcomer = lanes_xor(parities_of(m.seen, as_slider), parities_of(by_queen, as_slider | BITS_FROM(4, 0xff)));
    const __mmask64 was_xray = _mm512_mask_test_epi8_mask(bytes_meet(m.seen, m.seen), m.attacker, m.attacker);
    m.xray = _mm512_mask_mov_epi8(m.at_ours, was_xray, at_twice);
    return m;
}

LANES_INLINE struct target_attackers target_attackers_of(const struct table_moves *m, lanes many)
{
    struct target_attackers x;
    const lanes sets = bytes_all(63), bit7 = bytes_all(0x80), minus_one = bytes_all(0xff);
    const lanes others = lanes_and(LANES_LOGIC(m->at_ours, m->attacker, m->twice, (A & ~B) | C), sets);
    const lanes ours = lanes_or(others, m->newcomer);
    lanes more_than_one = LANES_LOGIC(m->twice, m->attacker, many, A & (~B | C));
    more_than_one = LANES_LOGIC(more_than_one, m->newcomer, others, A | (B & C));
    more_than_one = LANES_LOGIC(more_than_one, ours, _mm512_add_epi8(ours, minus_one), A | (B & C));
    more_than_one = LANES_LOGIC(more_than_one, m->xray, bit7, A | (B & C));
    x.two_ours = bytes_meet(more_than_one, more_than_one);
    x.ours = LANES_LOGIC(ours, m->xray, bit7, A | (B & C));

    x.theirs = m->at_theirs;
    const lanes theirs = lanes_and(m->at_theirs, sets);
    const lanes other_types = lanes_and(theirs, _mm512_add_epi8(theirs, minus_one));
    x.second = lanes_or(other_types, m->theirs_twice);
    x.two_theirs = bytes_meet(x.second, x.second);
    lanes third = LANES_LOGIC(m->theirs_twice, m->twice, many, (A | B) & C); /* or our own ones: nothing is sure then */
    third = LANES_LOGIC(third, m->theirs_twice, other_types, A | (B & C));
    third = LANES_LOGIC(third, x.second, _mm512_add_epi8(x.second, minus_one), A | (B & C));
    x.three_theirs = bytes_meet(third, third);
    x.counted = true;
    return x;
}

/* Finds the rare moves: promotions, captures en passant, moves of the other side, and moves that uncover a slider of
 * the other side or an x-ray slider. */
LANES_INLINE __mmask64 rare_moves(const struct attack_tables *tables, const struct table_moves *m)
{
    const lanes pawn_captures = _mm512_shuffle_epi8(BY_CODE(DIAGONAL, 0, 0, 0, 0, 0), m->mover);
    const __mmask64 en_passant =
        _mm512_mask_testn_epi8_mask(bytes_meet(pawn_captures, m->direction), m->target, m->target);
    const __mmask64 uncovers = bytes_meet(m->seen, bytes_lookup(tables->rare, m->from));
    return _kor_mask64(_kor_mask64(bytes_meet(m->to, bytes_all(0xc0)), _mm512_movepi8_mask(m->mover)),
                       _kor_mask64(en_passant, uncovers));
}

/* Decides n moves, 64 at most, and writes 64 values; with thresholds, values that are on the same side of them. No more
 * than n moves are read, however many could be. Returns the bits of the moves that are pending, in the order of
 * numbers_of_moves(). */
LANES_INLINE uint64_t decide_moves(const struct lane_rules *rules, const struct decision_values *values,
                                   const struct attack_tables *tables, const seebatch_move *move, size_t n,
                                   size_t readable, const int16_t *threshold, int16_t *value)
{
    (void)readable;
    const uint64_t wanted = first_moves(n);
    const struct table_moves m = table_moves_of(tables, move, wanted);
    struct target_attackers x = target_attackers_of(&m, tables->many);
    x.counts_second_xray = !kings_matter(rules);
    lanes doubtful = lanes_and(lanes_or(m.at_ours, m.mover), bytes_all(0x40));
    if (kings_matter(rules))
        doubtful = LANES_LOGIC(doubtful, m.seen, bytes_lookup(tables->by_blockers, m.from), A | (B & C));
    const lanes pieces = lanes_merge(bytes_all(7), m.mover, m.target);
    const __mmask64 resolved =
        decide_bytes(rules, values, pieces, &x, kings_matter(rules) || rules->promote_all ? &doubtful : NULL, threshold,
                     wanted, value);
    const __mmask64 pending = _kor_mask64(_knot_mask64(resolved), rare_moves(tables, &m));
    return _cvtmask64_u64(pending) & places_of_moves(n);
}

#endif
