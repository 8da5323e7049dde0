/*
 * The board of a query in lanes, and its setup: along rays (rays.h) or, under rules in which kings count, rotated, as
 * explained here. These are the rays and the rotated boards of docs/internals/lanes.md. ray_board.h sets up the queries
 * by init_queries() of this file, and lanes/decide.h and lanes/swap_loop.h read them.
 *
 * Every board is rotated as a word until its target is bit 0. What is attacked from there then is the same for all
 * lanes, except at the edges of the board. Bit i is the square i further on or, where that would be off the board, the
 * square 64 - i further back. A bit of column c, which is i modulo 8, stands c files to the right or, where there are
 * not so many, 8 - c files to the left. So two masks say where every bit is: whether it is above the target, and
 * whether it is to the right. No table of squares is needed.
 *
 * On the four rays that lead to higher bits the nearest piece is the lowest bit, on the other rays it is the highest.
 */
#ifndef SEEBATCH_AVX512_ROTATED_BOARD_H
#define SEEBATCH_AVX512_ROTATED_BOARD_H

#include "rays.h"

/* ---- Boards seen from a square ---------------------------------------------------------------------------------- */

/* Bit i of a rotated board, for i from -63 to 63. */
#define AT(i) ((int64_t)(UINT64_C(1) << ((i)&63)))
#define RAY(i) (AT(i) | AT(2 * (i)) | AT(3 * (i)) | AT(4 * (i)) | AT(5 * (i)) | AT(6 * (i)) | AT(7 * (i)))

/* Where the bits of a rotated board are, as seen from the square that is bit 0. */
struct view {
    lanes up;    /* squares with higher numbers; the others have lower ones */
    lanes right; /* columns to the right; the others are to the left */
};

LANES_INLINE struct view view_from(lanes square)
{
    const lanes rights =
        _mm512_setr_epi64(-1, 0x7f7f7f7f7f7f7f7f, 0x3f3f3f3f3f3f3f3f, 0x1f1f1f1f1f1f1f1f, 0x0f0f0f0f0f0f0f0f,
                          0x0707070707070707, 0x0303030303030303, 0x0101010101010101);
    struct view view;
    view.up = _mm512_srlv_epi64(lanes_all(-1), lanes_and(square, lanes_all(63)));
    view.right = _mm512_permutexvar_epi64(square, rights);
    return view;
}

/* The nearest pieces on the orthogonals and on the diagonals from a square, that one left out. */
struct nearest {
    lanes orthogonal, diagonal;
};

LANES_INLINE lanes with_lowest(lanes set, lanes squares)
{
    return LANES_LOGIC(set, squares, _mm512_add_epi64(squares, lanes_all(-1)), A | (B & ~C));
}

LANES_INLINE lanes highest(lanes squares)
{
    return _mm512_srlv_epi64(lanes_all(INT64_MIN), _mm512_lzcnt_epi64(squares));
}

LANES_INLINE struct nearest nearest_pieces(struct view view, lanes on_orthogonals, lanes on_diagonals)
{
    const lanes right = view.right;
    const lanes up = lanes_and(on_diagonals, view.up), down = lanes_without(on_diagonals, view.up);
    struct nearest n;
    n.orthogonal = with_lowest(lanes_zero(), lanes_and3(on_orthogonals, right, lanes_all(RAY(1))));
    n.orthogonal = with_lowest(n.orthogonal, lanes_and3(on_orthogonals, view.up, lanes_all(RAY(8))));
    n.orthogonal = lanes_or3(n.orthogonal, highest(LANES_LOGIC(on_orthogonals, right, lanes_all(RAY(-1)), A & ~B & C)),
                             highest(LANES_LOGIC(on_orthogonals, view.up, lanes_all(RAY(-8)), A & ~B & C)));
    n.diagonal = with_lowest(lanes_zero(), lanes_and3(up, right, lanes_all(RAY(9))));
    n.diagonal = with_lowest(n.diagonal, LANES_LOGIC(up, right, lanes_all(RAY(7)), A & ~B & C));
    n.diagonal = lanes_or3(n.diagonal, highest(LANES_LOGIC(down, right, lanes_all(RAY(-9)), A & ~B & C)),
                           highest(lanes_and3(down, right, lanes_all(RAY(-7)))));
    return n;
}

/* ---- Queries ---------------------------------------------------------------------------------------------------- */

/* A query in each lane. Its sets are words of rays (rays.h) or, where more of the board matters, rotated boards whose
 * bit 0 is the target. */
struct lane_queries {
    bool along_rays;
    lanes sliders;    /* the sliders that attack along the ray they stand on, if along_rays is set */
    struct view view; /* the sliders by the lines along which they move, if it is not set */
    lanes to;         /* the target's square in the low six bits */
    lanes plane[3];   /* piece codes */
    lanes pawns, knights, bishops, rooks, queens, kings;
    lanes white;
    lanes own, enemy;       /* pieces of the first mover and of his opponent */
    lanes occupied;         /* pieces that can take part: not the first mover, not the one captured */
    lanes leapers;          /* pawns, knights and kings that attack the target */
    lanes attackers;        /* leapers and sliders among the occupied squares */
    lanes gain, victim;     /* what the first move wins, and what stands on the target then */
    lane_mask no_recapture; /* gain is the value, and nothing stands on the target, or nothing of worth */
    lane_mask last_rank;    /* a pawn that captures becomes a queen */
};

/* The sliders among the occupied squares that attack the target. */
LANES_INLINE lanes sliders_to(const struct lane_queries *q, lanes occupied)
{
    if (q->along_rays)
        return nearest_on_rays(occupied, q->sliders);
    const struct nearest n = nearest_pieces(q->view, occupied, occupied);
    const lanes attack = LANES_LOGIC(lanes_and(n.diagonal, q->plane[0]), n.orthogonal, q->plane[1], A | (B & C));
    return lanes_without(attack, q->plane[2]);
}

/* The same along files and ranks, and along diagonals. Sets that are words of rays have no such function. */
LANES_INLINE struct lane_sliders sliders_by_direction(const struct lane_queries *q, lanes occupied)
{
    const struct nearest n = nearest_pieces(q->view, occupied, occupied);
    const struct lane_sliders s = {LANES_LOGIC(n.orthogonal, q->plane[1], q->plane[2], A & B & ~C),
                                   LANES_LOGIC(n.diagonal, q->plane[0], q->plane[2], A & B & ~C)};
    return s;
}

/* The target's square on a rotated board. Queries along rays have no such square. */
LANES_INLINE lanes target_of(const struct lane_queries *q)
{
    (void)q;
    return lanes_all(1);
}

/* The lowest square of pieces of one type that attack the target. */
LANES_INLINE lanes lowest_square_of(const struct lane_queries *q, lanes set)
{
    if (q->along_rays)
        return lowest_square_on_rays(set, lanes_or(q->bishops, q->queens));
    const lanes below = lanes_without(set, q->view.up); /* squares before the target are the higher bits */
    const lanes first = lanes_select(lanes_empty(below), set, below);
    return lanes_and(first, lanes_sub(lanes_zero(), first));
}

/* Turns a set of squares of the board into a set of a query. */
LANES_INLINE lanes seen_from_target(const struct lane_queries *q, lanes squares)
{
    return _mm512_rorv_epi64(squares, q->to);
}

/* The planes of eight positions: three planes of piece codes and one of colour. */
LANES_INLINE void planes_of(const seebatch_position *const position[LANES], lanes plane[4])
{
    lanes pair[4];
    for (int i = 0; i < 4; i++) {
        const __m256i low = _mm256_loadu_si256((const __m256i *)position[i]);
        const __m256i high = _mm256_loadu_si256((const __m256i *)position[i + 4]);
        pair[i] = _mm512_mask_broadcast_i64x4(_mm512_castsi256_si512(low), 0xf0, high);
    }
    const lanes even[2] = {_mm512_unpacklo_epi64(pair[0], pair[1]), _mm512_unpacklo_epi64(pair[2], pair[3])};
    const lanes odd[2] = {_mm512_unpackhi_epi64(pair[0], pair[1]), _mm512_unpackhi_epi64(pair[2], pair[3])};
    const lanes first = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13),
                last = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    plane[0] = _mm512_permutex2var_epi64(even[0], first, even[1]);
    plane[1] = _mm512_permutex2var_epi64(odd[0], first, odd[1]);
    plane[2] = _mm512_permutex2var_epi64(even[0], last, even[1]);
    plane[3] = _mm512_permutex2var_epi64(odd[0], last, odd[1]);
}

/* Pending queries of a single position are decided further: what decide() knew is still in registers then. This is
 * the row DECIDES_FURTHER of the last table in docs/internals/lanes.md, with rays and rotated boards. */
enum { DECIDES_FURTHER = 1 };

/* The number of queries of one position up to which a register is filled in part, and only they are read and written.
 * They go along rays, where each query takes a register of its own. This is the row PARTIAL_LANES of the last table in
 * docs/internals/lanes.md. */
enum { PARTIAL_LANES = 4 };

/* See see_expand_eight in chunks.h. */
LANES_INLINE bool expand_eight(const seebatch_batch *batch, struct see_chunk *chunk, struct see_expansion *at)
{
    const size_t *offsets = batch->offsets + at->i;
    const lanes starts = _mm512_loadu_si512(offsets), stops = _mm512_loadu_si512(offsets + 1);
    const lanes counts = lanes_sub(stops, starts), eight = lanes_all(8);
    if (_mm512_cmpgt_epu64_mask(counts, eight) || offsets[0] - at->base != at->n)
        return false;
    const __mmask8 with_moves = _mm512_test_epi64_mask(counts, counts);
    const lanes each = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    const lanes size = lanes_all(sizeof *batch->positions);
    const lanes positions =
        _mm512_add_epi64(lanes_all((int64_t)(uintptr_t)&batch->positions[at->i]), _mm512_mullo_epi64(each, size));
    _mm512_storeu_si512(chunk->position + at->n_positions, _mm512_maskz_compress_epi64(with_moves, positions));
    const __m128i first = _mm512_cvtepi64_epi16(lanes_sub(starts, lanes_all((int64_t)at->base)));
    _mm_storeu_si128((__m128i *)(chunk->start + at->n_positions), _mm_maskz_compress_epi16(with_moves, first));

    /* Expands eight bytes of each position, of which as many are stored as the position has queries. */
    const lanes spread = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8));
    const lanes number =
        _mm512_add_epi64(_mm512_maskz_expand_epi64(with_moves, each), lanes_all((int64_t)at->n_positions));
    const __mmask64 wanted = _mm512_cmpgt_epu8_mask(_mm512_shuffle_epi8(counts, spread), lanes_all(0x0706050403020100));
    _mm512_storeu_si512(chunk->index + at->n, _mm512_maskz_compress_epi8(wanted, _mm512_shuffle_epi8(number, spread)));
    at->n = offsets[8] - at->base;
    at->n_positions += (size_t)_mm_popcnt_u32(with_moves);
    at->i += 8;
    return true;
}

/* Looks up the values of the pieces on two squares of each lane. Of each plane, the two bytes that begin at the
 * to-square and at the from-square are taken. */
LANES_INLINE void find_values(const struct lane_rules *rules, const lanes plane[4], lanes moves, struct lane_queries *q)
{
    const lanes offsets = _mm512_multishift_epi64_epi8(lanes_all(0x0006), moves); /* bytes: the to-, the from-square */
    const lanes bit0 = _mm512_multishift_epi64_epi8(offsets, plane[0]);
    const lanes bit1 = _mm512_multishift_epi64_epi8(offsets, plane[1]);
    const lanes bit2 = _mm512_multishift_epi64_epi8(offsets, plane[2]);
    const lanes bits01 = lanes_merge(lanes_all(0x0101), bit0, _mm512_add_epi8(bit1, bit1));
    const lanes codes = lanes_merge(lanes_all(0x0303), bits01, _mm512_slli_epi64(bit2, 2));
    q->gain = _mm512_permutexvar_epi64(codes, rules->tables.of_code); /* takes the low three bits */
    q->victim = _mm512_permutexvar_epi64(_mm512_srli_epi64(codes, 8), rules->tables.of_code);
}

/* Applies the first move's promotion to the gain and the victim of a query. */
LANES_INLINE void promote(const struct lane_rules *rules, struct lane_queries *q, lanes moves)
{
    const lane_mask promotes = lanes_meet(moves, lanes_all(7 << 12));
    if (rules->promotion_zero) {
        q->gain = lanes_unless(promotes, q->gain);
        if (!notes_no_recapture(rules))
            q->victim = lanes_unless(promotes, q->victim);
        q->no_recapture = mask_or(q->no_recapture, promotes);
        return;
    }
    const lanes code_of_type = _mm512_setr_epi64(0, 5, 1, 2, 3, 0, 0, 0);
    const lanes code = _mm512_permutexvar_epi64(_mm512_srli_epi64(moves, 12), code_of_type);
    const lanes worth = _mm512_permutexvar_epi64(code, rules->tables.of_code);
    q->gain = lanes_select(promotes, value_add(q->gain, value_sub(worth, q->victim)), q->gain);
    q->victim = lanes_select(promotes, worth, q->victim);
}

/* Sets up moves that are no plain captures: castling as king takes rook; captures en passant, whose victims stand on
 * the bit of `below` if White captures and on that of `above` if Black does; and promotions. */
LANES_INLINE void special_moves(const struct lane_rules *rules, struct lane_queries *q, lanes moves,
                                lane_mask white_moves, lane_mask castling, lane_mask en_passant, int64_t below,
                                int64_t above)
{
    q->gain = lanes_unless(castling, q->gain);
    if (rules->en_passant_zero) {
        q->no_recapture = mask_or(q->no_recapture, en_passant); /* the gain is 0: the to-square is empty */
        if (!notes_no_recapture(rules))
            q->victim = lanes_unless(en_passant, q->victim);
    } else {
        const lanes victim = lanes_select(white_moves, lanes_all(below), lanes_all(above));
        if (!rules->en_passant_stands)
            q->occupied = lanes_select(en_passant, lanes_without(q->occupied, victim), q->occupied);
        q->gain = lanes_select(en_passant, rules->value[SEEBATCH_PAWN], q->gain);
    }
    if (rules->promotion_bits)
        promote(rules, q, moves);
}

/* Makes the sets of pieces by type and side from planes of codes and of white pieces. */
LANES_INLINE void sets_of_planes(struct lane_queries *q, const lanes plane[3], lanes white, lanes all,
                                 lane_mask white_moves)
{
    q->bishops = LANES_LOGIC(plane[0], plane[1], plane[2], A & ~(B | C));
    q->rooks = LANES_LOGIC(plane[1], plane[0], plane[2], A & ~(B | C));
    q->pawns = LANES_LOGIC(plane[2], plane[0], plane[1], A & ~(B | C));
    q->queens = lanes_and(plane[0], plane[1]);
    q->knights = lanes_and(plane[0], plane[2]);
    q->kings = lanes_and(plane[1], plane[2]);
    q->white = white;
    q->enemy = _mm512_mask_xor_epi64(white, white_moves, white, all);
    q->own = lanes_xor(q->enemy, all);
}

/* Whether the targets, which are in the low six bits, are on the first or the last rank. */
LANES_INLINE lane_mask on_last_rank(lanes to)
{
    return lanes_disjoint(_mm512_add_epi64(to, lanes_all(8)), lanes_all(0x30)); /* to + 8: 8..15 or 64..71 */
}

/* Finds the pieces that attack the target without sliding there. */
LANES_INLINE lanes leapers_to(const struct lane_queries *q, lanes king_attacks, lanes near, lanes pawn_neighbours)
{
    const lanes knight_steps = lanes_merge(q->view.right, lanes_all(AT(10) | AT(17) | AT(-6) | AT(-15)),
                                           lanes_all(AT(6) | AT(15) | AT(-10) | AT(-17)));
    const lanes knights = lanes_and3(knight_steps, near, q->knights);
    /* A white pawn attacks from below, a black one from above. */
    const lanes pawns = LANES_LOGIC(pawn_neighbours, q->white, q->view.up, A & (B ^ C));
    return lanes_or3(knights, pawns, lanes_and(king_attacks, q->kings));
}

/* Sets up eight queries from the planes of their positions and the moves. If `plain` is not NULL, it becomes the mask
 * of the plain captures, and only those are set up; otherwise all moves are. */
LANES_INLINE struct lane_queries init_queries(const struct lane_rules *rules, const lanes plane[4],
                                              const seebatch_move move[LANES], lane_mask *plain)
{
    struct lane_queries q;
    q.along_rays = false;
    const lanes moves = _mm512_cvtepu16_epi64(_mm_loadu_si128((const __m128i *)move)), target = lanes_all(1);
    q.to = _mm512_srli_epi64(moves, 6);
    find_values(rules, plane, moves, &q);

    /* Rotations take the low six bits of their counts. */
    const lanes from_bit = _mm512_rolv_epi64(target, lanes_sub(moves, q.to));
    for (int i = 0; i < 3; i++)
        q.plane[i] = _mm512_rorv_epi64(plane[i], q.to);
    q.view = view_from(q.to);

    const lanes all = lanes_or3(q.plane[0], q.plane[1], q.plane[2]);
    q.occupied = LANES_LOGIC(all, from_bit, target, A & ~(B | C));
    const lanes white = _mm512_rorv_epi64(plane[3], q.to);
    const lane_mask white_moves = lanes_meet(white, from_bit);
    sets_of_planes(&q, q.plane, white, all, white_moves);
    q.no_recapture = lanes_meet(q.kings, from_bit);
    q.last_rank = on_last_rank(q.to);

    /* Knights and kings move up by less than 32 squares, or down by less than 32. */
    const lanes near = lanes_xor(q.view.up, lanes_all((int64_t)0xffffffff00000000));
    const lanes king_steps = lanes_merge(q.view.right, lanes_all(AT(1) | AT(9) | AT(-7) | AT(8) | AT(-8)),
                                         lanes_all(AT(-1) | AT(7) | AT(-9) | AT(8) | AT(-8)));
    const lanes king_attacks = lanes_and(king_steps, near);
    const lanes diagonal_steps = lanes_all(AT(7) | AT(9) | AT(-7) | AT(-9));
    const lanes pawn_neighbours = lanes_and3(king_attacks, q.pawns, diagonal_steps);

    const lane_mask empty = lanes_disjoint(all, target);
    const lane_mask castling = mask_without(lanes_disjoint(q.enemy, target), empty);
    const lane_mask en_passant = mask_and(empty, lanes_meet(pawn_neighbours, from_bit));
    const lane_mask promotes = lanes_meet(moves, lanes_all(rules->promotion_bits));
    const lane_mask any = mask_or(promotes, mask_or(castling, en_passant));
    if (plain)
        *plain = mask_not(any);
    else if (mask_bits(any))
        special_moves(rules, &q, moves, white_moves, castling, en_passant, AT(-8), AT(8));

    q.leapers = leapers_to(&q, king_attacks, near, pawn_neighbours);
    q.attackers = LANES_LOGIC(q.leapers, q.occupied, sliders_to(&q, q.occupied), (A & B) | C);
    return q;
}

/* The value of the least valuable of a set of attackers. A king counts as more than everything, and so does an empty
 * set. This does not call least_valuable(), because gcc would keep what both have in common for decide_further(), in
 * five of the eight masks. */
LANES_INLINE lanes least_value(const struct lane_rules *rules, const struct lane_queries *q, lanes set)
{
    lanes value = value_all(KING_VALUE);
    value = lanes_select(lanes_disjoint(set, q->queens), value, rules->value[SEEBATCH_QUEEN]);
    value = lanes_select(lanes_disjoint(set, q->rooks), value, rules->value[SEEBATCH_ROOK]);
    value = lanes_select(lanes_disjoint(set, q->bishops), value, rules->value[SEEBATCH_BISHOP]);
    value = lanes_select(lanes_disjoint(set, q->knights), value, rules->value[SEEBATCH_KNIGHT]);
    return lanes_select(lanes_disjoint(set, q->pawns), value, rules->value[SEEBATCH_PAWN]);
}

LANES_INLINE struct lane_least least_valuable(const struct lane_rules *rules, const struct lane_queries *q, lanes set)
{
    const lanes of_type[5] = {lanes_and(set, q->pawns), lanes_and(set, q->knights), lanes_and(set, q->bishops),
                              lanes_and(set, q->rooks), lanes_and(set, q->queens)};
    struct lane_least least = {lanes_and(set, q->kings), value_all(KING_VALUE)};
    for (int type = SEEBATCH_QUEEN; type >= SEEBATCH_PAWN; type--) {
        const lane_mask none = lanes_empty(of_type[type]);
        least.pieces = lanes_select(none, least.pieces, of_type[type]);
        least.value = lanes_select(none, least.value, rules->value[type]);
    }
    return least;
}

#endif
