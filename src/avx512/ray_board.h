/*
 * Sets up queries in lanes whose sets are words of rays (rays.h), the board called rays in docs/internals/lanes.md. The
 * register paths of one position and the swap loop use them where no king matters; elsewhere the functions here pass to
 * the rotated boards of rotated_board.h.
 */
#ifndef SEEBATCH_AVX512_RAY_BOARD_H
#define SEEBATCH_AVX512_RAY_BOARD_H

#include "rotated_board.h"

/* Finds which of eight moves are promotions that matter, en passant, or castling as king takes rook. The last two
 * follow from the codes on their squares. A table says of each code what it may mean: its lower nibble has bits for a
 * piece that moves, and its upper nibble has bits for one that is taken. A move is special if both of its squares have
 * the same bit. A pawn that captures goes to a file of the other kind, odd or even. */
LANES_INLINE lane_mask special_of(const struct lane_rules *rules, lanes codes, __m128i moves)
{
#define SQUARES_OF_KIND(pawn, empty)                                                                                   \
    empty << 4, 0x88, 0x88, 0x88, 0x88 | pawn, 0x88, 0x88, 0, empty << 4, 0x44, 0x44, 0x44, 0x44 | pawn, 0x44, 0x44, 0
    static const uint8_t meaning[32] __attribute__((aligned(32))) = {SQUARES_OF_KIND(1, 2), SQUARES_OF_KIND(2, 1)};
    const __m128i code = _mm512_cvtepi64_epi16(codes);
    /* Bit 4 of each byte says whether the file of its square is odd. */
    const __m128i file = _mm_multishift_epi64_epi8(_mm_set1_epi64x(0x322c221c120c023c), moves);
    const __m128i square = _mm_ternarylogic_epi64(_mm_set1_epi8(15), code, file, (A & B) | (~A & C));
    const __m128i means = _mm256_castsi256_si128(
        _mm256_permutexvar_epi8(_mm256_castsi128_si256(square), _mm256_load_si256((const __m256i *)meaning)));
    return _kor_mask8(_mm_test_epi16_mask(means, _mm_srli_epi16(means, 12)),
                      _mm_test_epi16_mask(moves, _mm_set1_epi16((int16_t)rules->promotion_bits)));
}

/* Sets up queries on boards of bytes. The first two bytes of each lane of `codes` are the codes on the squares of its
 * move. `move` has n moves, of which two are readable in any case, and `words` has the same moves and anything after
 * them. `boards` is the number of queries that are set up, eight or four; the lanes after them are undefined. `plain`
 * is that of init_queries(). */
LANES_INLINE struct lane_queries init_on_rays(const struct lane_rules *rules, const lanes board[LANES], int boards,
                                              lanes codes, const seebatch_move *move, size_t n, __m128i words,
                                              lane_mask *plain)
{
    lanes seen[LANES], plane[4];
    for (size_t lane = 0; lane < (size_t)boards; lane++) {
        const seebatch_move one = move[lane < 2 || lane < n ? lane : 0];
        const __mmask64 from = _cvtu64_mask64(UINT64_C(1) << (one & 63));
        seen[lane] = seen_by(one, _mm512_mask_blend_epi8(from, board[lane], lanes_zero()));
    }
    planes_of_rays(seen, boards, plane);

    struct lane_queries q;
    q.along_rays = true;
    q.gain =
        /* The permutation takes the low three bits of the codes. */
        _mm512_permutexvar_epi64(_mm512_srli_epi64(codes, 8), rules->tables.of_code);
    q.victim = _mm512_permutexvar_epi64(codes, rules->tables.of_code);
    q.occupied = lanes_or3(plane[0], plane[1], plane[2]);
    const lane_mask white_moves = lanes_meet(codes, lanes_all(8));
    sets_of_planes(&q, plane, plane[3], q.occupied, white_moves);
    const lanes mover = lanes_and(codes, lanes_all(7));
    q.no_recapture = lanes_equal(mover, lanes_all(6));
    const lanes moves = _mm512_cvtepu16_epi64(words), to = _mm512_srli_epi64(moves, 6);
    q.last_rank = on_last_rank(to);

    if (plain) {
        *plain = mask_not(special_of(rules, codes, words));
    } else {
        const lane_mask to_empty = lanes_disjoint(codes, lanes_all(0x0700));
        const lane_mask castling =
            mask_without(lanes_disjoint(lanes_xor(codes, _mm512_srli_epi64(codes, 8)), lanes_all(8)), to_empty);
        const lane_mask en_passant = mask_and(mask_and(to_empty, lanes_equal(mover, lanes_all(4))),
                                              lanes_meet(lanes_xor(moves, to), lanes_all(7)));
        const lane_mask promotes = lanes_meet(moves, lanes_all(7 << 12));
        if (mask_bits(mask_or(promotes, mask_or(castling, en_passant))))
            special_moves(rules, &q, moves, white_moves, castling, en_passant, NEXT(RAY_S), NEXT(RAY_N));
    }

    q.sliders = sliders_on_rays(plane);
    q.leapers = leapers_on_rays(plane);
    q.attackers = LANES_LOGIC(q.leapers, q.occupied, nearest_on_rays(q.occupied, q.sliders), (A & B) | C);
    return q;
}

/* Sets up queries on any positions. */
LANES_INLINE struct lane_queries init_queries_on(const struct lane_rules *rules,
                                                 const seebatch_position *const position[LANES],
                                                 const seebatch_move move[LANES])
{
    if (!rules->along_rays) {
        lanes plane[4];
        planes_of(position, plane);
        return init_queries(rules, plane, move, NULL);
    }
    const __m128i words = _mm_loadu_si128((const __m128i *)move);
    const lanes squares = squares_of_moves(_mm512_cvtepu16_epi64(words));
    lanes board[LANES], codes = lanes_zero();
    for (int lane = 0; lane < LANES; lane++) {
        board[lane] = board_of(position[lane]);
        codes = _mm512_mask_permutexvar_epi8(codes, (__mmask64)(UINT64_C(3) << 8 * lane), squares, board[lane]);
    }
    return init_on_rays(rules, board, LANES, codes, move, LANES, words, NULL);
}

/* Sets up queries on one position, as in lanes/contract.h. The planes of the position are in every lane, and if
 * `partial` is set, only n moves are read. *plain becomes the mask of the plain captures. */
LANES_INLINE struct lane_queries init_queries_of_position(const struct lane_rules *rules,
                                                          const seebatch_position *position, const lanes plane[4],
                                                          const seebatch_move *move, size_t n, bool partial,
                                                          lane_mask *plain)
{
    if (!rules->along_rays)
        return init_queries(rules, plane, move, plain);
    const lanes one = board_of(position), board[LANES] = {one, one, one, one, one, one, one, one};
    const __m128i words = partial ? load_partial(move, n) : _mm_loadu_si128((const __m128i *)move);
    const lanes codes = lanes_and(codes_of_moves(_mm512_cvtepu16_epi64(words), one), lanes_all(0xffff));
    return init_on_rays(rules, board, partial ? (int)PARTIAL_LANES : (int)LANES, codes, move,
                        partial ? n : (size_t)LANES, words, plain);
}

#endif
