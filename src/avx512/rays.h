/*
 * Makes queries whose sets are words of rays, and finds what they see. This is the board called rays in
 * docs/internals/lanes.md. ray_board.h, ray_chunks.h and ray_kings.h use the functions of this file.
 *
 * For a query only 64 squares matter, seen from its target, which is its to-square: seven on each of eight rays, and
 * eight knights' jumps. One permutation of bytes brings the pieces of a board into that order, whatever the target, by
 * a row of ray_squares (ray_tables.h, which has a drawing). Where a ray is off the board, the permutation gives 0. A
 * set of squares then is a word of eight bytes, one for each ray, with the nearest square in bit 0 and a jump in bit 7.
 *
 * The nearest pieces on all rays therefore take one subtraction, of 1 from each byte, with bit 7 set so that no byte
 * borrows from the next. For example, pieces stand on e6 and e8, and the target is e4. The byte of the ray to the north
 * has bits 1 and 3, and bit 7 is set: x = 10001010 in binary, x - 1 = 10001001, and x & ~(x - 1) = 00000010 is e6, the
 * nearer one. Leapers stand on the same bits whatever the target is: a knight on bit 7, a king on bit 0 of any byte, a
 * white pawn on bit 0 of the rays to the south-west and the south-east.
 *
 * A board has 64 bytes. Both nibbles of a byte hold the code of the piece on its square, with its colour as bit 3.
 * After the permutation two queries share a register, with a nibble each (docs/internals/algorithm.md); in the end each
 * query has its four planes in a lane.
 */
#ifndef SEEBATCH_AVX512_RAYS_H
#define SEEBATCH_AVX512_RAYS_H

#include "decide_bytes.h"
#include "lanes/chunks.h"
#include "ray_tables.h"

/* ---- Boards of bytes --------------------------------------------------------------------------------------------- */

/* Transposes the bytes of eight ranks or rays: byte i of a word becomes bit i of each of them, with the last one as bit
 * 0. */
LANES_INLINE lanes transposed(lanes ranks)
{
    return _mm512_gf2p8affine_epi64_epi8(lanes_all((int64_t)0x8040201008040201), ranks, 0);
}

/* Chooses the bytes that become the ranks of a board: `row` has their numbers for the first rank, and each other rank
 * takes the bytes that follow those of the rank before. */
LANES_INLINE lanes bytes_of_ranks(uint64_t row)
{
    const uint64_t next = UINT64_C(0x0101010101010101);
    return _mm512_setr_epi64((int64_t)row, (int64_t)(row + next), (int64_t)(row + 2 * next), (int64_t)(row + 3 * next),
                             (int64_t)(row + 4 * next), (int64_t)(row + 5 * next), (int64_t)(row + 6 * next),
                             (int64_t)(row + 7 * next));
}

LANES_INLINE lanes board_of(const seebatch_position *position)
{
    const lanes planes = _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)position));
    return transposed(_mm512_permutexvar_epi8(bytes_of_ranks(0x0008101800081018), planes));
}

/* Puts the pieces of a board into the order of the rays from a square. */
LANES_INLINE lanes seen_from(size_t square, lanes board)
{
    return _mm512_permutex2var_epi8(lanes_zero(), _mm512_load_si512(ray_squares[square]), board);
}

/* Does the same for the target of a move. */
LANES_INLINE lanes seen_by(seebatch_move move, lanes board)
{
    /* the row of the to-square */
    const lanes squares = _mm512_load_si512((const uint8_t *)ray_squares + (move & 63 << 6));
    return _mm512_permutex2var_epi8(lanes_zero(), squares, board);
}

/* Makes the planes of n boards that have been seen by as many queries, eight or four, with a query in each lane. */
LANES_INLINE void planes_of_rays(const lanes seen[LANES], int n, lanes plane[4])
{
    /* The bytes of two planes, for the two queries of each of two registers. */
#define OF_EACH_RAY(byte) (INT64_C(0x3830282018100800) + INT64_C(0x0101010101010101) * (byte))
    const lanes lower = _mm512_setr_epi64(OF_EACH_RAY(0), OF_EACH_RAY(4), OF_EACH_RAY(64), OF_EACH_RAY(68),
                                          OF_EACH_RAY(1), OF_EACH_RAY(5), OF_EACH_RAY(65), OF_EACH_RAY(69));
    const lanes upper = _mm512_setr_epi64(OF_EACH_RAY(2), OF_EACH_RAY(6), OF_EACH_RAY(66), OF_EACH_RAY(70),
                                          OF_EACH_RAY(3), OF_EACH_RAY(7), OF_EACH_RAY(67), OF_EACH_RAY(71));
    lanes two[4], low[2], high[2];
    for (int i = 0; i < n / 2; i++)
        two[i] = transposed(LANES_LOGIC(seen[2 * i], bytes_all(15), seen[2 * i + 1], (A & B) | (~B & C)));
    for (int i = 0; i < n / 4; i++) {
        low[i] = _mm512_permutex2var_epi8(two[2 * i], lower, two[2 * i + 1]);
        high[i] = _mm512_permutex2var_epi8(two[2 * i], upper, two[2 * i + 1]);
    }
    if (n <= LANES / 2) { /* The upper lanes of two planes hold the next one. */
        plane[0] = low[0];
        plane[1] = _mm512_shuffle_i64x2(low[0], low[0], 0xee);
        plane[2] = high[0];
        plane[3] = _mm512_shuffle_i64x2(high[0], high[0], 0xee);
        return;
    }
    plane[0] = _mm512_shuffle_i64x2(low[0], low[1], 0x44);
    plane[1] = _mm512_shuffle_i64x2(low[0], low[1], 0xee);
    plane[2] = _mm512_shuffle_i64x2(high[0], high[1], 0x44);
    plane[3] = _mm512_shuffle_i64x2(high[0], high[1], 0xee);
}

/* ---- Moves ------------------------------------------------------------------------------------------------------- */

/* Takes the from- and to-squares out of moves, which are words, as bytes whose low six bits have the square. */
LANES_INLINE lanes squares_of_moves(lanes moves)
{
    return _mm512_multishift_epi64_epi8(lanes_all(0x3630262016100600), moves);
}

/* Looks up the codes of the pieces on those squares. */
LANES_INLINE lanes codes_of_moves(lanes moves, lanes board)
{
    return _mm512_permutexvar_epi8(squares_of_moves(moves), board);
}

/* Finds for each byte the number of the bit that the from-square has for the target. The two squares differ, and are on
 * one ray or a knight's jump apart. */
LANES_INLINE lanes bits_of_squares(lanes from, lanes to)
{
    /* These are looked up by a difference of files or ranks, which is -7 to 7, modulo 16. */
    const lanes file = _mm512_broadcast_i32x4(_mm_setr_epi8(1, 2, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0));
    const lanes rank = _mm512_broadcast_i32x4(_mm_setr_epi8(3, 6, 6, 6, 6, 6, 6, 6, 0, 0, 0, 0, 0, 0, 0, 0));
    const lanes jump = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 39, 55, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 23));
    const lanes absolute = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2, 1));
    /* This is looked up by the sum of what `file` and `rank` have, which names the ray: the number of the bit before
     * its first. */
    const lanes ray = _mm512_broadcast_i32x4(_mm_setr_epi8(-1, 7, 15, 23, 0, 31, 39, 47, 55, 0, 0, 0, 0, 0, 0, 0));
    const lanes seven = bytes_all(7), fifteen = bytes_all(15);
    const lanes right = _mm512_sub_epi8(lanes_and(from, seven), lanes_and(to, seven));
    const lanes up = _mm512_srli_epi16(_mm512_sub_epi8(_mm512_sub_epi8(from, to), right), 3);
    const lanes x = lanes_and(right, fifteen), y = lanes_and(up, fifteen);
    const lanes files = _mm512_abs_epi8(right), ranks = _mm512_shuffle_epi8(absolute, y);
    const lanes distance = _mm512_max_epu8(files, ranks);
    const lanes side = _mm512_shuffle_epi8(file, x);
    const lanes direction = _mm512_add_epi8(side, _mm512_shuffle_epi8(rank, y));
    const lanes on_ray = _mm512_add_epi8(_mm512_shuffle_epi8(ray, direction), distance);
    const __mmask64 near = _mm512_cmpeq_epi8_mask(distance, bytes_all(2));
    const __mmask64 jumps = _mm512_mask_cmpeq_epi8_mask(near, _mm512_add_epi8(files, ranks), bytes_all(3));
    return _mm512_mask_add_epi8(on_ray, jumps, _mm512_shuffle_epi8(jump, y), _mm512_slli_epi16(side, 2));
}

/* What 64 moves are, in the order of numbers_of_moves(). `captures` has those of enemy pieces, except for special moves.
 * `pieces` has the code of the moving piece in bits 0 to 2 and
 * that of the captured one in bits 3 to 5. `bits` has the number of the bit that the from-square has for the target,
 * and two flags. */
struct ray_moves {
    lanes pieces, bits;
    __mmask64 captures;
};
enum { SPECIAL = 0x40 /* a promotion, en passant, castling as king takes rook */, WHITE_MOVES = 0x80 };

/* Reads 64 moves, which are words in two registers. `codes` has the code on the from-square in the lower byte of each
 * word, and that on the to-square in the upper one. */
LANES_INLINE struct ray_moves ray_moves_of(const lanes moves[2], const lanes codes[2])
{
    const lanes square = _mm512_set1_epi16(63), byte = _mm512_set1_epi16(255), color = bytes_all(8);
    const lanes from = _mm512_packus_epi16(lanes_and(moves[0], square), lanes_and(moves[1], square));
    const lanes to = _mm512_packus_epi16(lanes_and(_mm512_srli_epi16(moves[0], 6), square),
                                         lanes_and(_mm512_srli_epi16(moves[1], 6), square));
    const lanes promotion = _mm512_packus_epi16(_mm512_srli_epi16(moves[0], 12), _mm512_srli_epi16(moves[1], 12));
    const lanes mover = _mm512_packus_epi16(lanes_and(codes[0], byte), lanes_and(codes[1], byte));
    const lanes target = _mm512_packus_epi16(_mm512_srli_epi16(codes[0], 8), _mm512_srli_epi16(codes[1], 8));
    const lanes no_pawn = lanes_xor(lanes_and(mover, bytes_all(7)), bytes_all(4));
    const __mmask64 to_empty = bytes_lack(target, target), same_file = bytes_lack(lanes_xor(from, to), bytes_all(7));
    const __mmask64 en_passant = _kandn_mask64(same_file, _mm512_mask_testn_epi8_mask(to_empty, no_pawn, no_pawn));
    const __mmask64 castling = _kandn_mask64(to_empty, bytes_lack(lanes_xor(mover, target), color));
    const __mmask64 special = _kor_mask64(bytes_meet(promotion, promotion), _kor_mask64(en_passant, castling));
    const lanes flags = LANES_LOGIC(_mm512_movm_epi8(special), bytes_all(SPECIAL),
                                    lanes_and(_mm512_slli_epi16(mover, 4), bytes_all(WHITE_MOVES)), (A & B) | C);
    struct ray_moves m;
    m.pieces = lanes_merge(bytes_all(7), mover, lanes_and(_mm512_slli_epi16(target, 3), bytes_all(0x38)));
    m.bits = lanes_or(bits_of_squares(from, to), flags);
    m.captures = _kandn_mask64(_kor_mask64(special, to_empty), bytes_meet(lanes_xor(mover, target), color));
    return m;
}

/* ---- Words of rays ----------------------------------------------------------------------------------------------- */

/* EACH_RAY is multiplied by a byte that all rays get, JUMPS has the bits of the knight's jumps, and DIAGONAL_RAYS the
 * rays along diagonals. */
#define EACH_RAY INT64_C(0x0101010101010101)
#define JUMPS (INT64_MIN | 0x0080808080808080)
#define DIAGONAL_RAYS ((int64_t)UINT64_C(0xff00ff0000ff00ff))
/* The nearest square on a ray. */
#define NEXT(ray) (INT64_C(1) << 8 * (ray))
enum { RAY_SW, RAY_S, RAY_SE, RAY_W, RAY_E, RAY_NW, RAY_N, RAY_NE };

/* Finds the nearest occupied squares on the rays, as far as they are among those that are wanted. */
LANES_INLINE lanes nearest_on_rays(lanes occupied, lanes wanted)
{
    const lanes pieces = lanes_or(occupied, lanes_all(JUMPS));
    return LANES_LOGIC(pieces, lanes_sub(pieces, lanes_all(EACH_RAY)), wanted, A & ~B & C);
}

/* Finds the sliders that stand on rays along which they move. */
LANES_INLINE lanes sliders_on_rays(const lanes plane[4])
{
    return LANES_LOGIC(lanes_merge(lanes_all(DIAGONAL_RAYS), plane[0], plane[1]), plane[2], lanes_all(JUMPS),
                       A & ~(B | C));
}

/* Finds the knights on jumps, the kings next to the target, and the pawns on the squares from which their colour
 * captures. */
LANES_INLINE lanes leapers_on_rays(const lanes plane[4])
{
    const lanes below = lanes_all(NEXT(RAY_SW) | NEXT(RAY_SE)), above = lanes_all(NEXT(RAY_NW) | NEXT(RAY_NE));
    const lanes from = LANES_LOGIC(plane[0], lanes_all(JUMPS), lanes_merge(plane[3], below, above), (A & B) | (~A & C));
    return lanes_and(LANES_LOGIC(from, plane[1], lanes_all(EACH_RAY), A | (B & C)), plane[2]);
}

/* Finds the lowest square of pieces of one type. That is the lowest bit, except where several sliders move along
 * diagonals: below the target the most distant one is the lowest, and above it the nearest. */
LANES_INLINE lanes lowest_square_on_rays(lanes set, lanes diagonal_sliders)
{
    const lanes lowest = lanes_and(set, lanes_sub(lanes_zero(), set));
    const lane_mask more_than_one = lanes_meet(lanes_xor(set, lowest), diagonal_sliders);
    if (__builtin_expect(mask_bits(more_than_one) != 0, 0)) {
        const lanes byte = lanes_all(0xff);
        const lanes down = lanes_and(set, lanes_all(0xffffff)), up = _mm512_srli_epi64(set, 8 * RAY_NW);
        const lanes far = lanes_and(lanes_or3(down, _mm512_srli_epi64(down, 8), _mm512_srli_epi64(down, 16)), byte);
        const lanes near = lanes_and(lanes_or3(up, _mm512_srli_epi64(up, 8), _mm512_srli_epi64(up, 16)), byte);
        const lanes farthest = _mm512_srlv_epi64(lanes_all(INT64_MIN), _mm512_lzcnt_epi64(far));
        const lanes nearest = lanes_and(near, lanes_sub(lanes_zero(), near));
        const lanes three_far = lanes_or3(farthest, _mm512_slli_epi64(farthest, 8), _mm512_slli_epi64(farthest, 16));
        const lanes three_near =
            lanes_or3(_mm512_slli_epi64(nearest, 8 * RAY_NW), _mm512_slli_epi64(nearest, 8 * RAY_N),
                      _mm512_slli_epi64(nearest, 8 * RAY_NE));
        const lanes beside = lanes_all(INT64_C(0xff) * (NEXT(RAY_W) | NEXT(RAY_E)));
        const lanes first = lanes_and(set, lanes_or3(three_far, three_near, beside));
        return lanes_select(more_than_one, lanes_and(first, lanes_sub(lanes_zero(), first)), lowest);
    }
    return lowest;
}

/* ---- Attackers --------------------------------------------------------------------------------------------------- */

/* What eight queries see, with a byte for each: the types of the enemy's attackers and of ours, and whether that side
 * has an x-ray slider. The two masks say whether a side has more than one attacker. */
struct ray_attackers {
    __mmask64 theirs, ours;
    __mmask8 two_ours, two_theirs;
    /* These are words of rays, and so is the square that the moving piece has left. */
    lanes attackers, enemy, xray, from;
};
/* knights have bit 7 */
enum { RAY_PAWN = 1, RAY_BISHOP = 4, RAY_ROOK = 8, RAY_QUEEN = 16, RAY_KING = 32, RAY_XRAY = 64 };

/* The types by the code of a piece, to which 8 is added if it is an enemy: the first row has the types of ours, and the
 * second those of the enemy. The rows are written out for all lanes, because gcc would make a permutation of fewer each
 * time. */
#define TYPES_OF_CODES 0, RAY_BISHOP, RAY_ROOK, RAY_QUEEN, RAY_PAWN, 0, RAY_KING, 0
#define NO_TYPES 0, 0, 0, 0, 0, 0, 0, 0
#define FOUR_TIMES(...) __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__
static const uint8_t ray_types[2][64]
    __attribute__((aligned(64))) = {{FOUR_TIMES(TYPES_OF_CODES, NO_TYPES)}, {FOUR_TIMES(NO_TYPES, TYPES_OF_CODES)}};

/* Sets a bit in each byte of a query if the nearest piece on that ray is among the given ones. */
LANES_INLINE lanes any_on_ray(lanes nearest, unsigned bit)
{
    return parities_of(nearest, BITS_FROM(__builtin_ctz(bit), 0x7f));
}

/* Finds the attackers. `plane` has the planes of piece codes and of white pieces as words of rays, and `bits` has those
 * of ray_moves as words with their signs. */
LANES_INLINE struct ray_attackers ray_attackers_of(const lanes plane[4], lanes bits)
{
    const lanes jumps = lanes_all(JUMPS), side = _mm512_srai_epi64(bits, 63), minus_one = lanes_all(-1);
    const lanes all = lanes_or3(plane[0], plane[1], plane[2]);
    const lanes enemy = LANES_LOGIC(plane[3], side, all, (A ^ B) & C);
    const lanes from = _mm512_rolv_epi64(lanes_all(1), bits), occupied = lanes_without(all, from);
    const lanes sliders = sliders_on_rays(plane), leapers = leapers_on_rays(plane);
    const lanes attackers = LANES_LOGIC(leapers, occupied, nearest_on_rays(occupied, sliders), (A & B) | C);
    const lanes xray = nearest_on_rays(lanes_without(occupied, attackers), sliders);

    const lanes theirs = lanes_and(attackers, enemy), ours = lanes_without(attackers, enemy);
    const lanes codes =
        lanes_or(lanes_or3(any_on_ray(lanes_and(attackers, plane[0]), 1), any_on_ray(lanes_and(attackers, plane[1]), 2),
                           any_on_ray(lanes_and(attackers, plane[2]), 4)),
                 any_on_ray(theirs, 8));
    const lanes type_of_theirs = _mm512_load_si512(ray_types[1]), type_of_ours = _mm512_load_si512(ray_types[0]);
    const lanes xray_theirs = lanes_and(xray, enemy), xray_ours = lanes_without(xray, enemy);
    lanes rays_theirs = LANES_LOGIC(_mm512_shuffle_epi8(type_of_theirs, codes), theirs, jumps, A | (B & C));
    rays_theirs = lanes_or(rays_theirs, any_on_ray(xray_theirs, RAY_XRAY));
    const lanes rays_ours = LANES_LOGIC(_mm512_shuffle_epi8(type_of_ours, codes), ours, jumps, A | (B & C));
    const lanes types_theirs = transposed(rays_theirs);
    const lanes types_ours = transposed(lanes_or(rays_ours, any_on_ray(xray_ours, RAY_XRAY)));

    struct ray_attackers x;
    x.attackers = attackers;
    x.enemy = enemy;
    x.xray = xray;
    x.from = from;
    x.theirs = bytes_meet(types_theirs, types_theirs);
    x.ours = bytes_meet(types_ours, types_ours);
    x.two_ours = lanes_meet(ours, _mm512_add_epi64(ours, minus_one));
    x.two_theirs = lanes_meet(theirs, _mm512_add_epi64(theirs, minus_one));
    return x;
}

/* Moves the bits of the types to where decide_bytes() wants them. */
LANES_INLINE lanes sets_of_types(lanes types)
{
    return parities_of(types, BITS_FROM(0, RAY_PAWN) | BITS_FROM(1, 0x80) | BITS_FROM(2, RAY_BISHOP) |
                                  BITS_FROM(3, RAY_ROOK) | BITS_FROM(4, RAY_QUEEN) | BITS_FROM(5, RAY_KING) |
                                  BITS_FROM(7, RAY_XRAY));
}

#endif
