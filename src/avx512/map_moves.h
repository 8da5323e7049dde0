/*
 * All moves of a position, decided from its maps (maps.h), 64 at a time.
 *
 * The attackers of the to-square are those of the map, but for the moving piece and for what it hides: a slider behind
 * it attacks the to-square if it attacks the from-square in the direction of the move. The decision is that of
 * ../lanes/exchange.h, and a little more. What it leaves open, and rare moves, go the way of single requests.
 */
#ifndef SEEBATCH_AVX512_MAP_MOVES_H
#define SEEBATCH_AVX512_MAP_MOVES_H

#include "maps.h"

enum { MAP_MOVES = 64 /* at a time */ };

/* Maps are worth their while for so many moves a position, in a batch of positions and by itself. */
enum { MAPS_FROM = 15, MAPS_FROM_SINGLE = 9 };

/* Of the moves of a single position, so many at most go to the scalar code if they are left open. */
enum { OPEN_TO_SCALAR = 2 };

/* The order of moves in bytes: what packing two registers of words makes of them, and unpacking unmakes. */
LANES_INLINE lanes numbers_of_moves(void)
{
    static const uint8_t number[MAP_MOVES] __attribute__((aligned(64))) = {
        0,  1,  2,  3,  4,  5,  6,  7,  32, 33, 34, 35, 36, 37, 38, 39, 8,  9,  10, 11, 12, 13,
        14, 15, 40, 41, 42, 43, 44, 45, 46, 47, 16, 17, 18, 19, 20, 21, 22, 23, 48, 49, 50, 51,
        52, 53, 54, 55, 24, 25, 26, 27, 28, 29, 30, 31, 56, 57, 58, 59, 60, 61, 62, 63};
    return _mm512_load_si512(number);
}

/* Writes the numbers of the moves whose bit is set, plus k, one after another; writes at least 32 whatever their
 * number. Returns how many there are. */
LANES_INLINE size_t store_numbers_of_moves(uint16_t *number, size_t k, uint64_t bits)
{
    const size_t n = (size_t)__builtin_popcountll(bits);
    const lanes those = _mm512_maskz_compress_epi8(_cvtu64_mask64(bits), numbers_of_moves());
    const lanes base = _mm512_set1_epi16((int16_t)k);
    _mm512_storeu_si512(number, _mm512_add_epi16(base, _mm512_cvtepu8_epi16(_mm512_castsi512_si256(those))));
    if (n > 32)
        _mm512_storeu_si512(number + 32,
                            _mm512_add_epi16(base, _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(those, 1))));
    return n;
}

/* The values of the rules, as words: by the code of the moving piece (bits 0 to 2) and of the captured one (3 to 5),
 * and by the ranks of the least valuable attackers, theirs (0 to 2) and ours (3 to 5): pawn 0 to queen 4, king 5,
 * nobody 6. */
struct map_values {
    lanes standing, gain[2];
    lanes least;              /* what theirs is worth */
    lanes gap[2], reverse[2]; /* how much more than ours, and how much less */
};

/* Words of a table with two indices: the second has the same value for eight words, from the one given on. */
#define WORDS_BY_SECOND(a, b, c, d)                                                                                    \
    _mm512_setr_epi64(FOUR_WORDS(a), FOUR_WORDS(a), FOUR_WORDS(b), FOUR_WORDS(b), FOUR_WORDS(c), FOUR_WORDS(c),        \
                      FOUR_WORDS(d), FOUR_WORDS(d))
#define FOUR_WORDS(x) ((int64_t)(UINT64_C(0x0001000100010001) * (x)))

LANES_INLINE struct map_values map_values_of(const struct lane_rules *rules)
{
    enum {
        P = SEEBATCH_PAWN,
        NO = SEEBATCH_KNIGHT,
        BI = SEEBATCH_BISHOP,
        RO = SEEBATCH_ROOK,
        QU = SEEBATCH_QUEEN,
        NONE = 7
    };
    const lanes v = _mm512_zextsi128_si512(_mm_maskz_loadu_epi16(0x1f, rules->scalar->value));
    const lanes by_code = _mm512_broadcast_i32x4(_mm_setr_epi16(NONE, BI, RO, QU, P, NO, NONE, NONE));
    const lanes by_rank = _mm512_broadcast_i32x4(_mm_setr_epi16(P, NO, BI, RO, QU, NONE, NONE, NONE));
    /* Nobody counts twice as much as a king: then nothing is lost even if nobody of ours may capture. */
    const lanes king = _mm512_broadcast_i32x4(_mm_setr_epi16(0, 0, 0, 0, 0, KING_VALUE, INT16_MIN, INT16_MIN));
    const lanes ours[2] = {
        _mm512_permutexvar_epi16(WORDS_BY_SECOND(P, NO, BI, RO), v),
        lanes_or(_mm512_permutexvar_epi16(WORDS_BY_SECOND(QU, NONE, NONE, NONE), v),
                 WORDS_BY_SECOND(0, (uint64_t)KING_VALUE, (uint64_t)KING_VALUE, (uint64_t)KING_VALUE)),
    };
    struct map_values values;
    values.standing = _mm512_permutexvar_epi16(by_code, v);
    values.gain[0] = _mm512_permutexvar_epi16(WORDS_BY_SECOND(NONE, BI, RO, QU), v);
    values.gain[1] = _mm512_permutexvar_epi16(WORDS_BY_SECOND(P, NO, NONE, NONE), v);
    values.least = lanes_or(_mm512_permutexvar_epi16(by_rank, v), king);
    for (int i = 0; i < 2; i++) {
        values.gap[i] = _mm512_subs_epu16(values.least, ours[i]);
        values.reverse[i] = _mm512_subs_epu16(ours[i], values.least);
    }
    return values;
}

#define BY_CODE(pawn, knight, bishop, rook, queen, king)                                                               \
    _mm512_broadcast_i32x4(                                                                                            \
        _mm_setr_epi8(0, bishop, rook, queen, pawn, knight, king, 0, 0, bishop, rook, queen, pawn, knight, king, 0))

/* By each of 64 sets of types: the rank of the least, times one or eight; 6 of the empty set. */
LANES_INLINE lanes ranks_of_sets(int times)
{
    static const uint8_t rank[2][64] __attribute__((aligned(64))) = {
        {6, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0, 4, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0,
         5, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0, 4, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0},
        {48, 0, 8, 0, 16, 0, 8, 0, 24, 0, 8, 0, 16, 0, 8, 0, 32, 0, 8, 0, 16, 0, 8, 0, 24, 0, 8, 0, 16, 0, 8, 0,
         40, 0, 8, 0, 16, 0, 8, 0, 24, 0, 8, 0, 16, 0, 8, 0, 32, 0, 8, 0, 16, 0, 8, 0, 24, 0, 8, 0, 16, 0, 8, 0}};
    return _mm512_load_si512(rank[times == 8]);
}

LANES_INLINE __mmask64 bytes_meet(lanes a, lanes b) { return _mm512_test_epi8_mask(a, b); }
LANES_INLINE __mmask64 bytes_lack(lanes a, lanes b) { return _mm512_testn_epi8_mask(a, b); }
LANES_INLINE lanes looked_up(lanes squares, lanes table) { return _mm512_permutexvar_epi8(squares, table); }

/* A bit of each result byte is the parity of some bits of the byte; of the rows that say which, the last is for bit 0.
 */
#define BITS_FROM(bit, bits) (UINT64_C(bits) << 8 * (7 - (bit)))

LANES_INLINE lanes mapped_bits(lanes bytes, uint64_t rows)
{
    return _mm512_gf2p8affine_epi64_epi8(bytes, lanes_all((int64_t)rows), 0);
}

/* The direction of each move, as its bit; none for knights and kings. */
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

/* Moves, one a byte, and what their squares' tables say. */
struct map_moves {
    lanes from, to; /* squares in the low six bits; 6 and 7 of to: a promotion */
    lanes mover, target;
    lanes at_ours, at_theirs, twice, theirs_twice;
    lanes type;      /* the moving piece's, as a bit; king: bit 7 */
    lanes direction; /* of the move */
    lanes seen;      /* the same, if the move uncovers a slider */
    lanes newcomer;  /* its type, if it is an own one */
    lanes attacker;  /* the moving piece's type, if it attacks the target */
    lanes hidden;    /* bit 7: an own slider is hidden then */
};

LANES_INLINE struct map_moves map_moves_of(const struct maps *maps, const seebatch_move *move, uint64_t wanted)
{
    struct map_moves m;
    const lanes low = _mm512_maskz_loadu_epi16((__mmask32)wanted, move);
    const lanes high = _mm512_maskz_loadu_epi16((__mmask32)(wanted >> 32), move + MAP_MOVES / 2);
    const lanes square = _mm512_set1_epi16(63), types = bytes_all(0x1f);
    m.from = _mm512_packus_epi16(lanes_and(low, square), lanes_and(high, square));
    m.to = _mm512_packus_epi16(_mm512_srli_epi16(low, 6), _mm512_srli_epi16(high, 6));
    m.mover = looked_up(m.from, maps->mover);
    m.target = looked_up(m.to, maps->target);
    m.at_ours = looked_up(m.to, maps->ours);
    m.at_theirs = looked_up(m.to, maps->theirs);
    m.theirs_twice = lanes_and(looked_up(m.to, maps->theirs_twice), types);
    const lanes at_twice = looked_up(m.to, maps->ours_twice);
    m.twice = lanes_and(at_twice, types);

    /* A pawn does not attack straight ahead. */
    m.direction = directions_of(m.from, m.to, m.mover);
    m.type = _mm512_shuffle_epi8(BY_CODE(1, 2, 4, 8, 16, -128), m.mover);
    m.attacker = lanes_without(m.type, mapped_bits(m.direction, BITS_FROM(0, 0x30)));

    /* The own slider that the move uncovers is hidden no more. */
    const uint64_t as_slider = BITS_FROM(2, 0x0f) | BITS_FROM(3, 0xf0);
    m.seen = lanes_and(looked_up(m.from, maps->seen), m.direction);
    const lanes by_queen = lanes_and(looked_up(m.from, maps->queens), m.seen);
    m.newcomer = lanes_xor(mapped_bits(m.seen, as_slider), mapped_bits(by_queen, as_slider | BITS_FROM(4, 0xff)));
    const __mmask64 was_hidden = _mm512_mask_test_epi8_mask(bytes_meet(m.seen, m.seen), m.attacker, m.attacker);
    m.hidden = _mm512_mask_mov_epi8(m.at_ours, was_hidden, at_twice);
    return m;
}

/* Both sides' attackers of the targets, by type, without the moving piece; whether there are several, hidden ones
 * included; the second of theirs, and whether there are three. */
struct map_attackers {
    lanes ours, theirs, second;
    __mmask64 several_ours, several_theirs, three_theirs;
};

LANES_INLINE struct map_attackers map_attackers_of(const struct map_moves *m, lanes many)
{
    struct map_attackers x;
    const lanes sets = bytes_all(63), bit7 = bytes_all(0x80), minus_one = bytes_all(0xff);
    const lanes others = lanes_and(LANES_LOGIC(m->at_ours, m->attacker, m->twice, (A & ~B) | C), sets);
    x.ours = lanes_or(others, m->newcomer);
    lanes several = LANES_LOGIC(m->twice, m->attacker, many, A & (~B | C));
    several = LANES_LOGIC(several, m->newcomer, others, A | (B & C));
    several = LANES_LOGIC(several, x.ours, _mm512_add_epi8(x.ours, minus_one), A | (B & C));
    several = LANES_LOGIC(several, m->hidden, bit7, A | (B & C));
    x.several_ours = bytes_meet(several, several);

    x.theirs = lanes_and(m->at_theirs, sets);
    const lanes other_types = lanes_and(x.theirs, _mm512_add_epi8(x.theirs, minus_one));
    x.second = lanes_or(other_types, m->theirs_twice);
    lanes third = LANES_LOGIC(m->theirs_twice, m->twice, many, (A | B) & C); /* or own ones: nothing is sure then */
    third = LANES_LOGIC(third, m->theirs_twice, other_types, A | (B & C));
    third = LANES_LOGIC(third, x.second, _mm512_add_epi8(x.second, minus_one), A | (B & C));
    x.three_theirs = bytes_meet(third, third);
    /* A king that is alone to take, with sliders behind it, does not take what is guarded: they do not help it. */
    const __mmask64 no_king = bytes_meet(x.theirs, bytes_all(0x1f));
    x.several_theirs =
        _kor_mask64(bytes_meet(x.second, x.second), _mm512_mask_test_epi8_mask(no_king, m->at_theirs, bit7));
    return x;
}

/* Values, as two registers of words: what the first move wins, and bounds on what is lost then. */
struct map_bounds {
    lanes gain[2], loses_least[2], loses_most[2];
};

LANES_INLINE lanes words_of(lanes bytes, int half)
{
    return half ? _mm512_unpackhi_epi8(bytes, bytes) : _mm512_unpacklo_epi8(bytes, bytes);
}

/* Second: the second of their attackers, where it is sure. */
LANES_INLINE struct map_bounds map_bounds_of(const struct map_values *values, const struct map_moves *m,
                                             const struct map_attackers *x, lanes second)
{
    const lanes pieces = lanes_merge(bytes_all(7), m->mover, m->target);
    const lanes our_rank = looked_up(x->ours, ranks_of_sets(8));
    const lanes ranks = lanes_or(looked_up(x->theirs, ranks_of_sets(1)), our_rank);
    const lanes ranks2 = lanes_or(looked_up(second, ranks_of_sets(1)), our_rank);
    struct map_bounds b;
    for (int i = 0; i < 2; i++) {
        const lanes piece = words_of(pieces, i), rank = words_of(ranks, i), rank2 = words_of(ranks2, i);
        const lanes standing = _mm512_permutexvar_epi16(piece, values->standing);
        const lanes back = _mm512_permutex2var_epi16(values->reverse[0], rank2, values->reverse[1]);
        const lanes won = _mm512_subs_epu16(_mm512_permutexvar_epi16(rank, values->least), back);
        b.gain[i] = _mm512_permutex2var_epi16(values->gain[0], piece, values->gain[1]);
        b.loses_least[i] = _mm512_subs_epu16(standing, won);
        b.loses_most[i] = _mm512_subs_epu16(standing, _mm512_permutex2var_epi16(values->gap[0], rank, values->gap[1]));
    }
    return b;
}

/* Against thresholds bounds are as good as values: the moves whose bounds are on one side. So is the value told, which
 * is one of them. */
LANES_INLINE __mmask64 decided_by_bounds(const struct map_bounds *b, const int16_t *threshold, uint64_t wanted)
{
    lanes too_high[2], low_enough[2];
    for (int i = 0; i < 2; i++) {
        const lanes against = _mm512_maskz_loadu_epi16((__mmask32)(wanted >> 32 * i), threshold + i * MAP_MOVES / 2);
        too_high[i] = _mm512_subs_epi16(against, _mm512_sub_epi16(b->gain[i], b->loses_most[i]));
        low_enough[i] = _mm512_subs_epi16(_mm512_sub_epi16(b->gain[i], b->loses_least[i]), against);
    }
    const __mmask64 above = _mm512_cmpgt_epi8_mask(_mm512_packs_epi16(too_high[0], too_high[1]), lanes_zero());
    return _knot_mask64(
        _mm512_mask_cmpgt_epi8_mask(above, _mm512_packs_epi16(low_enough[0], low_enough[1]), bytes_all(0xff)));
}

/* Promotions, en passant, moves of the other side, sliders of the other side uncovered, and hidden ones behind what is
 * uncovered. */
LANES_INLINE __mmask64 rare_moves(const struct maps *maps, const struct map_moves *m)
{
    const lanes pawn_captures = _mm512_shuffle_epi8(BY_CODE(DIAGONAL, 0, 0, 0, 0, 0), m->mover);
    const __mmask64 en_passant =
        _mm512_mask_testn_epi8_mask(bytes_meet(pawn_captures, m->direction), m->target, m->target);
    const __mmask64 uncovers = bytes_meet(m->seen, looked_up(m->from, maps->rare));
    return _kor_mask64(_kor_mask64(bytes_meet(m->to, bytes_all(0xc0)), _mm512_movepi8_mask(m->mover)),
                       _kor_mask64(en_passant, uncovers));
}

/*
 * Decides n moves, 64 at most, and writes 64 values; with thresholds, values that are on the same side of them. Returns
 * the bits of the moves that are open, in the order of numbers_of_moves().
 *
 * The decision is that of ../lanes/kernel.h, and what stands there under maps.
 */
LANES_INLINE uint64_t decide_moves(const struct lane_rules *rules, const struct map_values *values,
                                   const struct maps *maps, const seebatch_move *move, size_t n,
                                   const int16_t *threshold, int16_t *value)
{
    const bool kings_matter = rules->pins || rules->best_order;
    const unsigned count = n < MAP_MOVES ? (unsigned)n : (unsigned)MAP_MOVES;
    const uint64_t wanted = _bzhi_u64(~UINT64_C(0), count);
    const struct map_moves m = map_moves_of(maps, move, wanted);
    const struct map_attackers x = map_attackers_of(&m, maps->many);

    const lanes bit7 = bytes_all(0x80), either_hidden = lanes_or(m.hidden, m.at_theirs);
    const __mmask64 all_seen = bytes_lack(either_hidden, bit7);
    const __mmask64 none_ours = bytes_lack(LANES_LOGIC(m.hidden, bit7, x.ours, (A & B) | C), bytes_all(0xff));
    const __mmask64 none_theirs = bytes_lack(x.theirs, bytes_all(63));
    const struct map_bounds b = map_bounds_of(values, &m, &x, _mm512_maskz_mov_epi8(all_seen, x.second));

    /* Most is lost where nobody of ours may take back, or they go on taking. */
    const __mmask64 go_on = _kand_mask64(x.several_theirs, _kor_mask64(x.three_theirs, _knot_mask64(x.several_ours)));
    const lanes most = _mm512_movm_epi8(_kor_mask64(none_ours, go_on));
    lanes result[2];
    for (int i = 0; i < 2; i++)
        result[i] = _mm512_sub_epi16(b.gain[i], lanes_merge(words_of(most, i), b.loses_most[i], b.loses_least[i]));

    const __mmask64 not_deep = kings_matter ? all_seen : bytes_lack(m.at_theirs, bytes_all(0x40));
    const __mmask64 alone = _knot_mask64(_kand_mask64(x.several_ours, x.several_theirs));
    const lanes apart =
        _mm512_packus_epi16(lanes_xor(b.loses_least[0], b.loses_most[0]), lanes_xor(b.loses_least[1], b.loses_most[1]));
    __mmask64 bounded = bytes_lack(either_hidden, rules->rise ? lanes_zero() : bit7);
    __mmask64 known = _kor_mask64(_kand_mask64(not_deep, alone), _kandn_mask64(x.three_theirs, all_seen));
    known = _kor_mask64(known, none_ours);
    if (kings_matter || rules->promote_all) {
        lanes doubtful = lanes_and(lanes_or(m.at_ours, m.mover), bytes_all(0x40));
        if (kings_matter)
            doubtful = LANES_LOGIC(doubtful, m.seen, looked_up(m.from, maps->exposed), A | (B & C));
        const __mmask64 untouched = bytes_lack(doubtful, doubtful);
        bounded = _kand_mask64(bounded, untouched);
        known = _kand_mask64(known, untouched);
    }
    known = _kor_mask64(known, _kand_mask64(bounded, bytes_lack(apart, apart)));
    if (threshold)
        known = _kor_mask64(known, _kand_mask64(bounded, decided_by_bounds(&b, threshold, wanted)));
    known = _kor_mask64(known, _kor_mask64(none_theirs, _mm512_movepi8_mask(m.type))); /* nobody takes a king */
    for (int i = 0; i < 2; i++)
        _mm512_storeu_si512(value + i * MAP_MOVES / 2, result[i]);
    const __mmask64 open = _kor_mask64(_knot_mask64(known), rare_moves(maps, &m));
    return _cvtmask64_u64(_mm512_mask_cmplt_epu8_mask(open, numbers_of_moves(), bytes_all(count)));
}

#endif
