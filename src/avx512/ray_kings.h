/*
 * Finds which pieces may matter to a king, along rays (rays.h), for the positions of a chunk and eight kings at a time;
 * and finds which queries these pieces concern. docs/internals/kings.md proves that all other queries have the same
 * values as if no king mattered. ray_king_chunks.h calls the functions.
 *
 * Of the kings that are wanted, one in five has an enemy slider on a line of its kind, whatever stands between. Such a
 * king looks along his rays, as a target does (ray_tables.h has a drawing), for the nearest piece on each ray and for a
 * slider behind it. For example, a white king stands on e4, a white knight on e6 and a black rook on e8. The nearest
 * piece to the north is the knight, and the nearest one without him is the rook, which moves along files; so the
 * leaving of the knight matters to the king, and e6 is one of his blockers. Where there are such pieces, their squares
 * are compared with those of the pieces that take part in the queries.
 */
#ifndef SEEBATCH_AVX512_RAY_KINGS_H
#define SEEBATCH_AVX512_RAY_KINGS_H

#include "rotated_board.h"

/* ---- Positions --------------------------------------------------------------------------------------------------- */

/* The kings that are wanted, by the numbers of their positions: the white ones come first, and then the black ones. */
/* The most kings of a chunk. A king is listed twice if a group of 64 queries ends amid the queries of its position. */
enum { MOST_OF_COLOR = SEE_CHUNK_POSITIONS + SEE_CHUNK / 64 + 1, MOST_KINGS = 2 * MOST_OF_COLOR };
struct wanted_kings {
    size_t n_white, n;
    uint8_t position[MOST_KINGS + SEE_CHUNK_PAD];
};

/* Writes the positions of those of 64 queries whose bits are set, each once: queries of a position stand side by side.
 * Returns how many there are. */
LANES_INLINE size_t store_positions(uint8_t *position, uint64_t bits, lanes index)
{
    const lanes indices = _mm512_maskz_compress_epi8(_cvtu64_mask64(bits), index);
    const lanes before = _mm512_permutexvar_epi8(_mm512_load_si512(byte_before), indices);
    const uint64_t others = _cvtmask64_u64(_mm512_cmpneq_epi8_mask(indices, before)) | 1;
    const uint64_t first = _bzhi_u64(others, (unsigned)_mm_popcnt_u64(bits));
    _mm512_storeu_si512(position, _mm512_maskz_compress_epi8(_cvtu64_mask64(first), indices));
    return (size_t)_mm_popcnt_u64(first);
}

/* Which of eight kings stand on a line with an enemy slider that moves along it, whatever stands in between. The kings
 * are white, or black where `black` is set. Lanes without a king may be set, too. */
LANES_INLINE lane_mask aligned_kings(const lanes plane[4], lane_mask black)
{
#define MOVED_DOWN(line, by) ((int64_t)((by) < 0 ? (line) << 8 * (-(by)&7) : (line) >> 8 * ((by)&7)))
#define RISING(by) MOVED_DOWN(UINT64_C(0x8040201008040201), by)
#define FALLING(by) MOVED_DOWN(UINT64_C(0x0102040810204080), by)
    /* The lines through a square are found by its rank and its file, which count from h8, and by their difference and
     * their sum. */
    const lanes rising[2] = {
        _mm512_setr_epi64(RISING(0), RISING(1), RISING(2), RISING(3), RISING(4), RISING(5), RISING(6), RISING(7)),
        _mm512_setr_epi64(0, RISING(-7), RISING(-6), RISING(-5), RISING(-4), RISING(-3), RISING(-2), RISING(-1))};
    const lanes falling[2] = {
        _mm512_setr_epi64(FALLING(-7), FALLING(-6), FALLING(-5), FALLING(-4), FALLING(-3), FALLING(-2), FALLING(-1),
                          FALLING(0)),
        _mm512_setr_epi64(FALLING(1), FALLING(2), FALLING(3), FALLING(4), FALLING(5), FALLING(6), FALLING(7), 0)};
    const lanes his = _mm512_mask_xor_epi64(plane[3], black, plane[3], lanes_all(-1));
    const lanes from_h8 = _mm512_lzcnt_epi64(lanes_and3(plane[1], plane[2], his));
    const lanes file = lanes_and(from_h8, lanes_all(7)), rank = _mm512_srli_epi64(from_h8, 3);
    const lanes on_file = _mm512_srlv_epi64(lanes_all((int64_t)FILE_H), file);
    const lanes on_rank = _mm512_srlv_epi64(lanes_all((int64_t)RANK_8), lanes_and(from_h8, lanes_all(56)));
    const lanes on_rising = _mm512_permutex2var_epi64(rising[0], lanes_sub(rank, file), rising[1]);
    const lanes on_falling = _mm512_permutex2var_epi64(falling[0], _mm512_add_epi64(rank, file), falling[1]);
    const lanes rooks = LANES_LOGIC(plane[1], plane[2], his, A & ~(B | C));
    const lanes bishops = LANES_LOGIC(plane[0], plane[2], his, A & ~(B | C));
    const lanes facing = LANES_LOGIC(lanes_or(on_file, on_rank), rooks,
                                     LANES_LOGIC(on_rising, on_falling, bishops, (A | B) & C), (A & B) | C);
    return lanes_meet(facing, facing);
}

/* The square of a king, or 64 if there is none. */
LANES_INLINE unsigned king_square(const seebatch_position *p, bool black)
{
    return lowest_bit(p->plane[1] & p->plane[2] & (p->white ^ (0 - (uint64_t)black)));
}

/* Writes 0 after the last number, to fill a register: the first position exists in any case. */
LANES_INLINE void pad_kings(struct wanted_kings *kings) { memset(kings->position + kings->n, 0, LANES); }

/* The lanes of the kings that are left, eight at most. */
LANES_INLINE unsigned first_kings(size_t left) { return left < LANES ? (1u << left) - 1 : 0xffu; }

/* Which of the kings from number j on are black. */
LANES_INLINE lane_mask black_kings(const struct wanted_kings *kings, size_t j)
{
    return mask_of_bits(j < kings->n_white ? ~first_kings(kings->n_white - j) : 0xffu);
}

/* Keeps only the kings that stand on a line with an enemy slider: one in six. */
LANES_INLINE void keep_aligned_kings(const struct see_chunk *chunk, struct wanted_kings *kings)
{
    size_t n = 0, n_white = 0;
    pad_kings(kings);
    for (size_t j = 0; j < kings->n; j += LANES) {
        const seebatch_position *position[LANES];
        lanes plane[4];
        for (size_t k = 0; k < LANES; k++)
            position[k] = chunk->position[kings->position[j + k]];
        planes_of(position, plane);
        const lane_mask black = black_kings(kings, j);
        const unsigned aligned = mask_bits(aligned_kings(plane, black)) & first_kings(kings->n - j);
        const __m128i numbers = _mm_loadl_epi64((const __m128i *)(kings->position + j));
        _mm_storel_epi64((__m128i *)(kings->position + n), _mm_maskz_compress_epi8((__mmask16)aligned, numbers));
        n += (size_t)_mm_popcnt_u32(aligned);
        n_white += (size_t)_mm_popcnt_u32(aligned & ~mask_bits(black));
    }
    kings->n = n;
    kings->n_white = n_white;
    pad_kings(kings);
}

/* Makes the planes of eight positions as words of the rays of the kings from number j on. Where there is no king, they
 * are the rays of another square. */
LANES_INLINE void planes_from_kings(const struct see_chunk *chunk, const struct wanted_kings *kings, size_t j,
                                    lanes plane[4])
{
    lanes seen[LANES];
    for (size_t k = 0; k < LANES; k++) {
        const seebatch_position *p = chunk->position[kings->position[j + k]];
        seen[k] = seen_from(king_square(p, j + k >= kings->n_white) & 63, board_of(p));
    }
    planes_of_rays(seen, LANES, plane);
}

/* The pieces whose leaving may matter to each of eight kings and, under rules with pins, the pieces that pin them. */
struct on_king_rays {
    lanes blockers, pinners;
};

/* Where each capture must be legal, these are the nearest pieces on rays with an enemy slider. Under rules with pins
 * they are those that are pinned, or that stand alone in front of an enemy slider, if that counts (pins.c).
 * `passed_over` and `either` are all ones or 0. */
LANES_INLINE struct on_king_rays find_on_king_rays(const struct lane_rules *rules, const lanes plane[4],
                                                   lane_mask black, lanes passed_over, lanes either)
{
    const lanes jumps = lanes_all(JUMPS), each = lanes_all(EACH_RAY);
    const lanes enemy = lanes_xor(plane[3], lanes_unless(black, lanes_all(-1)));
    const lanes snipers = lanes_and(sliders_on_rays(plane), enemy);
    const lanes all = lanes_or3(plane[0], plane[1], plane[2]);
    struct on_king_rays found = {lanes_zero(), lanes_zero()};
    if (rules->best_order) {
        found.blockers = _mm512_maskz_mov_epi8(bytes_meet(snipers, snipers), nearest_on_rays(all, all));
        return found;
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
    found.blockers = _mm512_maskz_mov_epi8(pinned, nearest);
    found.pinners = _mm512_maskz_mov_epi8(pinned, pinners);
    return found;
}

/* Finds those pieces for all kings of a chunk, and the numbers of the kings that have any. */
struct king_rays {
    uint64_t blockers[MOST_KINGS + LANES], pinners[MOST_KINGS + LANES];
    uint16_t number[MOST_KINGS + LANES];
    size_t n;
};

LANES_INLINE void find_king_rays(const struct lane_rules *rules, const struct see_chunk *chunk,
                                 struct wanted_kings *kings, struct king_rays *rays)
{
    const lanes passed_over = lanes_all(rules->reads_pins && see_pin_rule_passes_over(rules->scalar->pins) ? -1 : 0);
    const lanes either = lanes_all(rules->either ? -1 : 0);
    lanes next[4];
    rays->n = 0;
    if (kings->n)
        planes_from_kings(chunk, kings, 0, next);
    for (size_t j = 0; j < kings->n; j += LANES) {
        const lanes plane[4] = {next[0], next[1], next[2], next[3]};
        planes_from_kings(chunk, kings, j + LANES < kings->n ? j + LANES : j, next);
        const struct on_king_rays found = find_on_king_rays(rules, plane, black_kings(kings, j), passed_over, either);
        lanes_store(rays->blockers + j, found.blockers);
        if (rules->reads_pins)
            lanes_store(rays->pinners + j, found.pinners);
        const unsigned bits = mask_bits(lanes_meet(found.blockers, found.blockers)) & first_kings(kings->n - j);
        store_numbers(rays->number + rays->n, j, bits);
        rays->n += (size_t)_mm_popcnt_u32(bits);
    }
}

/* The squares of pieces on a king's rays. */
LANES_INLINE uint64_t squares_on_rays(uint64_t rays, unsigned king)
{
    return _cvtmask64_u64(_mm512_bitshuffle_epi64_mask(lanes_all((int64_t)rays), _mm512_load_si512(ray_bits[king])));
}

/* The pieces of a chunk's positions whose leaving may matter to a king. Each position has a byte, which is not 0 if
 * there are such pieces. After that come their squares and, under rules with pins, the pieces of each colour as far as
 * that keeps them from capturing (pins.c). */
struct king_blockers {
    uint8_t flag[SEE_CHUNK_POSITIONS] __attribute__((aligned(64)));
    uint64_t squares[SEE_CHUNK_POSITIONS + SEE_CHUNK_PAD];
    seebatch_pins pins[SEE_CHUNK_POSITIONS];
};

/* Finds these pieces for the kings that are wanted. What was known of other positions is forgotten, except for pins. */
LANES_INLINE void find_blockers_along_rays(const struct lane_rules *rules, const struct see_chunk *chunk,
                                           struct wanted_kings *kings, struct king_blockers *blockers)
{
    struct king_rays rays;
    for (size_t i = 0; i < SEE_CHUNK_POSITIONS; i += sizeof(lanes))
        lanes_store(blockers->flag + i, lanes_zero());
    keep_aligned_kings(chunk, kings);
    find_king_rays(rules, chunk, kings, &rays);
    for (size_t j = 0; j < rays.n; j++) {
        const size_t number = rays.number[j], i = kings->position[number];
        const bool black = number >= kings->n_white;
        const unsigned king = king_square(chunk->position[i], black);
        if (king == 64)
            continue;
        const uint64_t squares = squares_on_rays(rays.blockers[number], king);
        if (!blockers->flag[i]) {
            blockers->flag[i] = 0xff;
            blockers->squares[i] = 0;
            if (rules->reads_pins)
                memset(&blockers->pins[i], 0, sizeof *blockers->pins);
        }
        blockers->squares[i] |= squares;
        if (rules->reads_pins) {
            blockers->pins[i].blockers[black] = squares;
            blockers->pins[i].pinners[black] = squares_on_rays(rays.pinners[number], king);
        }
    }
}

/* ---- Queries ----------------------------------------------------------------------------------------------------- */

/* Which of 64 queries, given the indices of their positions, are on a position that has king blockers. */
LANES_INLINE __mmask64 on_positions_with_blockers(const struct king_blockers *blockers, lanes index)
{
    const lanes *flag = (const lanes *)(const void *)blockers->flag;
    const lanes low = _mm512_permutex2var_epi8(flag[0], index, flag[1]);
    const lanes high = _mm512_permutex2var_epi8(flag[2], index, flag[3]);
    return _mm512_movepi8_mask(lanes_merge(index, high, low)); /* by the highest bits */
}

/* Whether one of the pieces on the squares takes part in the query. part: the pieces that take part, as a word of rays
 * with its bytes reversed. */
LANES_INLINE bool takes_part(uint64_t squares, seebatch_move move, uint64_t part)
{
    const lanes order = _mm512_load_si512((const uint8_t *)ray_squares + (move & 63 << 6));
    return (_cvtmask64_u64(_mm512_bitshuffle_epi64_mask(lanes_all((int64_t)squares), order)) & part) != 0;
}

#endif
