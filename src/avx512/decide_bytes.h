/*
 * The decision of lanes/decide.h for 64 moves at once. Facts about pieces take a byte for each move, and values take a
 * word. What is known of the attackers comes from attack tables (byte_moves.h) or from words of rays (ray_chunks.h);
 * both call decide_bytes().
 */
#ifndef SEEBATCH_AVX512_DECIDE_BYTES_H
#define SEEBATCH_AVX512_DECIDE_BYTES_H

#include "lanes.h"
#include "lanes/lane_rules.h"

enum { MOVES_AT_ONCE = 64 /* at a time */ };

/* These constants are written so that compilers read them from memory, in the instruction that needs them. */
LANES_INLINE lanes bytes_all(unsigned x) { return lanes_all((int64_t)(UINT64_C(0x0101010101010101) * (x & 0xff))); }

LANES_INLINE __mmask64 bytes_meet(lanes a, lanes b) { return _mm512_test_epi8_mask(a, b); }
LANES_INLINE __mmask64 bytes_lack(lanes a, lanes b) { return _mm512_testn_epi8_mask(a, b); }
LANES_INLINE lanes bytes_lookup(lanes table, lanes index) { return _mm512_permutexvar_epi8(index, table); }

/* Each bit of a result byte is the parity of selected bits of the byte. Rows say which bits; the last row is for bit 0.
 */
#define BITS_FROM(bit, bits) ((uint64_t)(bits) << 8 * (7 - (bit)))

LANES_INLINE lanes parities_of(lanes bytes, uint64_t rows)
{
    return _mm512_gf2p8affine_epi64_epi8(bytes, lanes_all((int64_t)rows), 0);
}

/* The order of moves in bytes: packing two registers of words makes this order, and unpacking undoes it. */
LANES_INLINE lanes numbers_of_moves(void)
{
    static const uint8_t number[MOVES_AT_ONCE] __attribute__((aligned(64))) = {
        0,  1,  2,  3,  4,  5,  6,  7,  32, 33, 34, 35, 36, 37, 38, 39, 8,  9,  10, 11, 12, 13,
        14, 15, 40, 41, 42, 43, 44, 45, 46, 47, 16, 17, 18, 19, 20, 21, 22, 23, 48, 49, 50, 51,
        52, 53, 54, 55, 24, 25, 26, 27, 28, 29, 30, 31, 56, 57, 58, 59, 60, 61, 62, 63};
    return _mm512_load_si512(number);
}

/* The bits of the first n moves, in their own order and in the order of numbers_of_moves(). */
LANES_INLINE uint64_t first_moves(size_t n)
{
    return _bzhi_u64(~UINT64_C(0), n < MOVES_AT_ONCE ? (unsigned)n : (unsigned)MOVES_AT_ONCE);
}
LANES_INLINE uint64_t places_of_moves(size_t n)
{
    const unsigned count = n < MOVES_AT_ONCE ? (unsigned)n : (unsigned)MOVES_AT_ONCE;
    return _cvtmask64_u64(_mm512_cmplt_epu8_mask(numbers_of_moves(), bytes_all(count)));
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

/* The numbers 0 to 31. */
LANES_INLINE lanes first_words(void)
{
    return _mm512_cvtepu8_epi16(_mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
                                                 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31));
}

/* Writes those of 32 words whose bits are set, one after another, and then zeros. */
LANES_INLINE void store_packed(uint16_t word[32], __mmask32 which, lanes words)
{
    _mm512_storeu_si512(word, _mm512_maskz_compress_epi16(which, words));
}

/* The values of the rules, as words: by the code of the moving piece (bits 0 to 2) and of the captured one (3 to 5),
 * and by the ranks of the least valuable attackers, theirs (0 to 2) and ours (3 to 5): pawn 0 to queen 4, king 5,
 * nobody 6. */
struct decision_values {
    lanes victim, gain[2];
    lanes least;              /* what theirs is worth */
    lanes gap[2], reverse[2]; /* how much more than ours, and how much less */
};

/* Words of a table with two indices: the second has the same value for eight words, from the one given on. */
#define WORDS_BY_SECOND(a, b, c, d)                                                                                    \
    _mm512_setr_epi64(FOUR_WORDS(a), FOUR_WORDS(a), FOUR_WORDS(b), FOUR_WORDS(b), FOUR_WORDS(c), FOUR_WORDS(c),        \
                      FOUR_WORDS(d), FOUR_WORDS(d))
#define FOUR_WORDS(x) ((int64_t)(UINT64_C(0x0001000100010001) * (x)))

LANES_INLINE struct decision_values decision_values_of(const struct lane_rules *rules)
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
    /* If no piece attacks, this counts twice as much as a king, so that nothing is lost even if we have no attacker. */
    const lanes king = _mm512_broadcast_i32x4(_mm_setr_epi16(0, 0, 0, 0, 0, KING_VALUE, INT16_MIN, INT16_MIN));
    const lanes ours[2] = {
        _mm512_permutexvar_epi16(WORDS_BY_SECOND(P, NO, BI, RO), v),
        lanes_or(_mm512_permutexvar_epi16(WORDS_BY_SECOND(QU, NONE, NONE, NONE), v),
                 WORDS_BY_SECOND(0, (uint64_t)KING_VALUE, (uint64_t)KING_VALUE, (uint64_t)KING_VALUE)),
    };
    struct decision_values values;
    values.victim = _mm512_permutexvar_epi16(by_code, v);
    values.gain[0] = _mm512_permutexvar_epi16(WORDS_BY_SECOND(NONE, BI, RO, QU), v);
    values.gain[1] = _mm512_permutexvar_epi16(WORDS_BY_SECOND(P, NO, NONE, NONE), v);
    values.least = lanes_or(_mm512_permutexvar_epi16(by_rank, v), king);
    for (int i = 0; i < 2; i++) {
        values.gap[i] = _mm512_subs_epu16(values.least, ours[i]);
        values.reverse[i] = _mm512_subs_epu16(ours[i], values.least);
    }
    return values;
}

/* For each of 64 sets of types, the rank of the least valuable one, times one or eight; the empty set has rank 6. */
LANES_INLINE lanes ranks_of_sets(int times)
{
    static const uint8_t rank[2][64] __attribute__((aligned(64))) = {
        {6, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0, 4, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0,
         5, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0, 4, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0},
        {48, 0, 8, 0, 16, 0, 8, 0, 24, 0, 8, 0, 16, 0, 8, 0, 32, 0, 8, 0, 16, 0, 8, 0, 24, 0, 8, 0, 16, 0, 8, 0,
         40, 0, 8, 0, 16, 0, 8, 0, 24, 0, 8, 0, 16, 0, 8, 0, 32, 0, 8, 0, 16, 0, 8, 0, 24, 0, 8, 0, 16, 0, 8, 0}};
    return _mm512_load_si512(rank[times == 8]);
}

/* What is sure of the attackers of 64 targets. The sets are those of either side without the moving piece: bits 0
 * (pawns) to 5 (kings) have the types, and bit 7 says that an x-ray slider of that side stands behind an attacker. */
struct target_attackers {
    bool counts_second_xray; /* bit 6 of theirs: something stands behind x-ray sliders of either side */
    lanes ours, theirs;
    lanes second;           /* by type, the least being the second of theirs; none if there is only one */
    __mmask64 two_ours;     /* x-rays included, if counts_second_xray */
    __mmask64 two_theirs;   /* x-rays not included */
    bool counted;           /* if not, second and three_theirs are not set */
    __mmask64 three_theirs; /* or it is not sure */
};

/* Values are two registers of words: what the first move wins, and bounds on what is lost after it. */
struct byte_bounds {
    lanes gain[2], loses_least[2], loses_most[2];
};

LANES_INLINE lanes words_of(lanes bytes, int half)
{
    return half ? _mm512_unpackhi_epi8(bytes, bytes) : _mm512_unpacklo_epi8(bytes, bytes);
}

/* Second: the second of their attackers, where it is sure. */
LANES_INLINE struct byte_bounds byte_bounds_of(const struct decision_values *values, lanes pieces,
                                               const struct target_attackers *x, lanes second)
{
    const lanes our_rank = bytes_lookup(ranks_of_sets(8), x->ours);
    const lanes ranks = lanes_or(bytes_lookup(ranks_of_sets(1), x->theirs), our_rank);
    const lanes ranks2 = lanes_or(bytes_lookup(ranks_of_sets(1), second), our_rank);
    struct byte_bounds b;
    for (int i = 0; i < 2; i++) {
        const lanes piece = words_of(pieces, i), rank = words_of(ranks, i), rank2 = words_of(ranks2, i);
        const lanes victim = _mm512_permutexvar_epi16(piece, values->victim);
        const lanes back = _mm512_permutex2var_epi16(values->reverse[0], rank2, values->reverse[1]);
        const lanes won = _mm512_subs_epu16(_mm512_permutexvar_epi16(rank, values->least), back);
        b.gain[i] = _mm512_permutex2var_epi16(values->gain[0], piece, values->gain[1]);
        b.loses_least[i] = _mm512_subs_epu16(victim, won);
        b.loses_most[i] = _mm512_subs_epu16(victim, _mm512_permutex2var_epi16(values->gap[0], rank, values->gap[1]));
    }
    return b;
}

/* Against a threshold, bounds decide a move if both reach the threshold or both fail it. The value that is written is
 * one of the bounds, and so on the same side. */
LANES_INLINE __mmask64 resolved_by_bounds(const struct byte_bounds *b, const int16_t *threshold, uint64_t wanted)
{
    lanes too_high[2], low_enough[2];
    for (int i = 0; i < 2; i++) {
        const lanes against =
            _mm512_maskz_loadu_epi16((__mmask32)(wanted >> 32 * i), threshold + i * MOVES_AT_ONCE / 2);
        too_high[i] = _mm512_subs_epi16(against, _mm512_sub_epi16(b->gain[i], b->loses_most[i]));
        low_enough[i] = _mm512_subs_epi16(_mm512_sub_epi16(b->gain[i], b->loses_least[i]), against);
    }
    const __mmask64 above = _mm512_cmpgt_epi8_mask(_mm512_packs_epi16(too_high[0], too_high[1]), lanes_zero());
    return _knot_mask64(
        _mm512_mask_cmpgt_epi8_mask(above, _mm512_packs_epi16(low_enough[0], low_enough[1]), bytes_all(0xff)));
}

/*
 * Decides 64 moves, as far as that is possible whatever may capture, and writes their values; with thresholds, values
 * that are on the same side of them, reading those of the wanted moves. Returns which are resolved. pieces: the codes
 * of the moving pieces in bits 0 to 2, of the captured ones in bits 3 to 5; doubtful: not 0 where some attackers may
 * not capture or may not be what they seem to be; NULL: nowhere.
 *
 * The decision is that of ../lanes/decide.h, with the further one.
 */
LANES_INLINE __mmask64 decide_bytes(const struct lane_rules *rules, const struct decision_values *values, lanes pieces,
                                    const struct target_attackers *x, const lanes *doubtful, const int16_t *threshold,
                                    uint64_t wanted, int16_t *value)
{
    const __mmask64 all_seen = bytes_lack(lanes_or(x->ours, x->theirs), bytes_all(0x80));
    const __mmask64 none_ours = bytes_lack(x->ours, bytes_all(0xbf)),
                    none_theirs = bytes_lack(x->theirs, bytes_all(63));
    /* A king that is the only attacker cannot capture on a guarded square, so that the sliders behind it do not help.
     */
    const __mmask64 no_king = bytes_meet(x->theirs, bytes_all(0x1f));
    const __mmask64 two_theirs =
        _kor_mask64(x->two_theirs, _mm512_mask_test_epi8_mask(no_king, x->theirs, bytes_all(0x80)));
    const lanes second = x->counted ? _mm512_maskz_mov_epi8(all_seen, x->second) : lanes_zero();
    const struct byte_bounds b = byte_bounds_of(values, pieces, x, second);

    /* The most is lost where no piece of ours can recapture, or where the enemy goes on capturing. */
    __mmask64 go_on = two_theirs;
    if (x->counted)
        go_on = _kand_mask64(go_on, _kor_mask64(x->three_theirs, _knot_mask64(x->two_ours)));
    const lanes most = _mm512_movm_epi8(_kor_mask64(none_ours, go_on));
    lanes result[2];
    for (int i = 0; i < 2; i++)
        result[i] = _mm512_sub_epi16(b.gain[i], lanes_merge(words_of(most, i), b.loses_most[i], b.loses_least[i]));

    const __mmask64 alone = _knot_mask64(_kand_mask64(x->two_ours, two_theirs));
    const lanes apart =
        _mm512_packus_epi16(lanes_xor(b.loses_least[0], b.loses_most[0]), lanes_xor(b.loses_least[1], b.loses_most[1]));
    const __mmask64 meet = bytes_lack(apart, apart);
    const __mmask64 no_second_xray = x->counts_second_xray ? bytes_lack(x->theirs, bytes_all(0x40)) : all_seen;
    __mmask64 resolved = _kor_mask64(_kand_mask64(no_second_xray, alone), none_ours);
    if (x->counted)
        resolved = _kor_mask64(resolved, _kandn_mask64(x->three_theirs, all_seen));
    __mmask64 bounded = threshold ? _kor_mask64(meet, resolved_by_bounds(&b, threshold, wanted)) : meet;
    if (!rules->monotonic)
        bounded = _kand_mask64(bounded, all_seen);
    resolved = _kor_mask64(resolved, bounded);
    if (doubtful)
        resolved = _kand_mask64(resolved, bytes_lack(*doubtful, *doubtful));
    const lanes moving_king = lanes_xor(lanes_and(pieces, bytes_all(7)), bytes_all(6)); /* nobody takes a king */
    for (int i = 0; i < 2; i++)
        _mm512_storeu_si512(value + i * MOVES_AT_ONCE / 2, result[i]);
    return _kor_mask64(resolved, _kor_mask64(none_theirs, bytes_lack(moving_king, moving_king)));
}

#endif
