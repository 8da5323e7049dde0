/*
 * Makes the attack tables of a position (the bytes in docs/internals/lanes.md): what attacks each of its 64 squares,
 * with a byte for each square. decide_position() in lanes/batch.h asks for them, and byte_moves.h looks up the moves.
 *
 * First, each lane of a register is a direction (directions.h). Adding up over the lanes gives words with one bit for
 * each square. Eight words then become 64 bytes, one for each square: a permutation brings the bytes of each rank
 * together, and an affine transformation transposes the eight by eight bits. Looking up the squares of 64 moves takes
 * one permutation of bytes for each table.
 */
#ifndef SEEBATCH_AVX512_ATTACK_BYTES_H
#define SEEBATCH_AVX512_ATTACK_BYTES_H

#include "rotated_board.h"
#include "directions.h"

#include "board/attacks.h"

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

/* Chooses eight of the sixteen words of two registers, in the order of the bits of a table's bytes. */
#define ROW_OF(a, b, c, d, e, f, g, h)                                                                                 \
    (UINT64_C(8) * ((uint64_t)(a) << 56 | (uint64_t)(b) << 48 | (uint64_t)(c) << 40 | (uint64_t)(d) << 32 |            \
                    (uint64_t)(e) << 24 | (uint64_t)(f) << 16 | (uint64_t)(g) << 8 | (uint64_t)(h)))

/* Makes a byte for each square, with its bits from the eight words of a register. */
LANES_INLINE lanes table_of_order(lanes words, uint64_t row)
{
    return transposed(_mm512_permutexvar_epi8(bytes_of_ranks(row), words));
}

LANES_INLINE lanes table_of(lanes words) { return table_of_order(words, ROW_OF(0, 1, 2, 3, 4, 5, 6, 7)); }

LANES_INLINE lanes table_of_two(lanes low, lanes high, uint64_t row)
{
    return transposed(_mm512_permutex2var_epi8(low, bytes_of_ranks(row), high));
}

/* The attack tables: what moves need to know of the squares, with a byte for each square, which the comments call
 * "it". */
struct attack_tables {
    /* bits 0 to 2: the code of the piece on it; bit 6: its leaving may matter to a king; bit 7: it holds an enemy */
    lanes mover;
    lanes target; /* bits 3 to 5: the code of an enemy on it */
    /* In both, bits 0 to 5 say whether pawns, knights, bishops, rooks, queens or a king attack it, and bit 7 whether an
     * x-ray slider stands behind an attacker of either side. Bit 6 of `ours` says that a king may keep an attacker from
     * capturing, or that an attacker may promote. Bit 6 of `theirs` says, where no king matters, that something stands
     * behind an x-ray slider. */
    lanes theirs, ours;
    lanes theirs_twice, ours_twice; /* bits 0 to 4: two of the type attack it; bit 7 of ours_twice: two x-ray sliders */
    /* These four have a bit for each direction: a slider attacks it from there (seen), and is a queen (queens), or is
     * an enemy or has others behind it (rare), or its leaving may matter to a king (by_blockers). */
    lanes seen, queens, rare, by_blockers;
    lanes many; /* every byte has bits 0 to 4 set if a side may have three attackers of a type */
};

/* Finds the third of a side's knights, bishops, rooks and queens, where there are so many: PDEP moves bit 2 to the
 * third bit of a set. */
static inline uint64_t third_pieces(const seebatch_position *position, uint64_t side)
{
    const uint64_t plane0 = position->plane[0] & side, plane1 = position->plane[1] & side, plane2 = position->plane[2];
    return _pdep_u64(4, plane0 & plane2) | _pdep_u64(4, plane0 & plane1) | _pdep_u64(4, plane0 & ~(plane1 | plane2)) |
           _pdep_u64(4, plane1 & ~(plane0 | plane2));
}

/* Adds up eight sets of eight lanes each, two sets in a pair. `ones` become the squares that at least one lane has, and
 * `twos` those that at least two lanes have. */
LANES_INLINE void add_up(const lanes set[4][2], lanes ones[2], lanes twos[2])
{
    const lanes first = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
    const lanes last = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    lanes one[4], two[4];
    for (int i = 0; i < 4; i++) {
        const lanes even = _mm512_unpacklo_epi64(set[i][0], set[i][1]);
        const lanes odd = _mm512_unpackhi_epi64(set[i][0], set[i][1]);
        one[i] = lanes_or(even, odd);
        two[i] = lanes_and(even, odd);
    }
    for (int i = 0; i < 2; i++) {
        const lanes a = _mm512_permutex2var_epi64(one[2 * i], first, one[2 * i + 1]);
        const lanes b = _mm512_permutex2var_epi64(one[2 * i], last, one[2 * i + 1]);
        const lanes a2 = _mm512_permutex2var_epi64(two[2 * i], first, two[2 * i + 1]);
        const lanes b2 = _mm512_permutex2var_epi64(two[2 * i], last, two[2 * i + 1]);
        ones[i] = lanes_or(a, b);
        twos[i] = LANES_LOGIC(lanes_or(a2, b2), a, b, A | (B & C));
    }
}

/* Adds the upper four lanes to the lower four. */
LANES_INLINE void add_halves(lanes *one, lanes *two)
{
    const lanes other = _mm512_shuffle_i64x2(*one, *one, 0x4e), other_two = _mm512_shuffle_i64x2(*two, *two, 0x4e);
    *two = LANES_LOGIC(lanes_or(*two, other_two), *one, other, A | (B & C));
    *one = lanes_or(*one, other);
}

/*
 * The squares that pieces of a kind attack: one piece or more in `one`, two or more in `two`. The lanes of one[0] and
 * two[0] are: 0 and 4 for our bishops and rooks, 1 and 5 for those of the enemy, 2 and 3 for queens of both sides; 6
 * and 7 are filled later. Those of one[1] and two[1] are: 0 and 1 for knights, 2 and 3 for x-ray sliders, 4 and 6 for
 * pawns, 5 and 7 for kings.
 */
struct attack_sums {
    lanes one[2], two[2];
};

LANES_INLINE struct attack_sums attack_sums_of(const struct direction_sets *s, const struct slider_attacks *r,
                                               const seebatch_position *position, int color)
{
    const lanes set[4][2] = {
        {lanes_without(r->own, r->queen), lanes_without(r->enemy, r->queen)},
        {lanes_and(r->own, r->queen), lanes_and(r->enemy, r->queen)},
        {knight_attacks_of(lanes_and(s->knights, s->own)), knight_attacks_of(lanes_and(s->knights, s->enemy))},
        {r->xray_own, r->xray_enemy},
    };
    struct attack_sums sums;
    add_up(set, sums.one, sums.two);
    lanes queens_one = sums.one[0], queens_two = sums.two[0];
    add_halves(&queens_one, &queens_two);
    sums.one[0] = _mm512_mask_mov_epi64(sums.one[0], 0x0c, queens_one);
    sums.two[0] = _mm512_mask_mov_epi64(sums.two[0], 0x0c, queens_two);
    add_halves(&sums.one[1], &sums.two[1]);

    const lanes own_first = lanes_xor(_mm512_setr_epi64(0, 1, 2, 3, 0, 1, 2, 3), lanes_all(2 * color));
    const lanes pairs = _mm512_permutexvar_epi64(own_first, attacked_from(s->pawns));
    const lanes swapped = _mm512_shuffle_epi32(pairs, _MM_PERM_BADC);
    const uint64_t kings = position->plane[1] & position->plane[2];
    const uint64_t his = position->white ^ (0 - (uint64_t)color);
    lanes one = _mm512_mask_or_epi64(sums.one[1], 0xf0, pairs, swapped);
    one = _mm512_mask_set1_epi64(one, 0x20, (int64_t)seebatch_squares[_tzcnt_u64(kings & his)].king);
    sums.one[1] = _mm512_mask_set1_epi64(one, 0x80, (int64_t)seebatch_squares[_tzcnt_u64(kings & ~his)].king);
    sums.two[1] = _mm512_mask_and_epi64(sums.two[1], 0xf0, pairs, swapped);
    return sums;
}

/* Fills lanes 6 and 7 of the first word. Lane 6 says where a king may keep an attacker from capturing or an attacker
 * may promote, and lane 7 where something stands behind an x-ray slider. Sets tables->by_blockers, too. */
LANES_INLINE void add_doubts(const struct lane_rules *rules, const struct direction_sets *s,
                             const struct slider_attacks *r, lanes blockers, lanes *one, struct attack_tables *tables)
{
    lanes doubtful = lanes_zero();
    tables->by_blockers = lanes_zero();
    if (kings_matter(rules)) {
        const lanes by_blockers = attacked_by_those_on(s, blockers);
        doubtful = lanes_or(by_blockers, knight_attacks_of(lanes_and(s->knights, blockers)));
        tables->by_blockers = table_of(by_blockers);
    }
    if (rules->promote_all)
        doubtful = LANES_LOGIC(doubtful, attacked_from(s->pawns), lanes_all((int64_t)(RANK_1 | RANK_8)), A | (B & C));
    *one = _mm512_mask_mov_epi64(*one, 0x40,
                                 kings_matter(rules) || rules->promote_all ? any_lane(doubtful) : lanes_zero());
    if (!kings_matter(rules))
        *one =
            _mm512_mask_mov_epi64(*one, 0x80, any_lane(attacked_by_those_on(s, lanes_or(r->xray_own, r->xray_enemy))));
}

/* Makes the attack tables of a position for moves of one colour. `blockers` are the squares whose leaving may matter to
 * a king. */
LANES_INLINE void attack_tables_of(struct attack_tables *tables, const struct lane_rules *rules,
                                   const seebatch_position *position, int color, lanes blockers)
{
    const struct direction_sets s = direction_sets_of(position, color);
    const struct slider_attacks r = slider_attacks_of(&s);
    struct attack_sums sums = attack_sums_of(&s, &r, position, color);
    struct attack_tables m;
    add_doubts(rules, &s, &r, blockers, &sums.one[0], &m);

    lanes piece = lanes_zero();
    for (int i = 0; i < 3; i++)
        piece = _mm512_mask_set1_epi64(piece, (__mmask8)(1 << i), (int64_t)position->plane[i]);
    m.target = table_of_order(lanes_and(piece, s.enemy), ROW_OF(3, 3, 3, 0, 1, 2, 3, 3));
    if (rules->best_order)
        piece = _mm512_mask_mov_epi64(piece, 0x40, blockers);
    m.mover = table_of(_mm512_mask_mov_epi64(piece, 0x80, s.enemy));
    m.ours = table_of_two(sums.one[0], sums.one[1], ROW_OF(12, 8, 0, 4, 2, 13, 6, 10));
    m.ours_twice = table_of_two(sums.two[0], sums.two[1], ROW_OF(12, 8, 0, 4, 2, 13, 11, 10));
    m.theirs = table_of_two(sums.one[0], sums.one[1], ROW_OF(14, 9, 1, 5, 3, 15, 7, 11));
    m.theirs_twice = table_of_two(sums.two[0], sums.two[1], ROW_OF(14, 9, 1, 5, 3, 3, 3, 3));
    m.seen = table_of(r.any);
    m.queens = table_of(r.queen);
    m.rare = table_of(lanes_or3(r.enemy, r.xray_own, r.xray_enemy));
    m.many = bytes_all(third_pieces(position, position->white) | third_pieces(position, ~position->white) ? 0x1f : 0);
    *tables = m;
}

#endif
