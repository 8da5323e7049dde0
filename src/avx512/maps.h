/*
 * All moves of a position, from maps of its squares.
 *
 * Maps. A lane is a direction. Sets of sliders are spread along it, in three doubling steps, over the empty squares, so
 * that bit s of a lane says: the nearest piece behind s, against this direction, is such a slider, and attacks s. From
 * those sets, spread again, come the sliders hidden behind the attackers of s. Knights go in eight directions, too.
 * Adding up over the lanes gives one word for each kind of attacker, whose bit s says whether it attacks s, and another
 * that says whether two of them do.
 *
 * Tables. Eight such words are turned into 64 bytes, one a square: a permutation brings the bytes of each rank
 * together, an affine transformation transposes the eight by eight bits. What a move needs to know of its two squares
 * is then one permutation of bytes a table, for 32 moves at a time.
 *
 * Moves. The attackers of the to-square are those of the map, but for the moving piece and for what it hides: a slider
 * behind it attacks the to-square if it attacks the from-square in the direction of the move. The decision is that of
 * ../lanes/exchange.h. What it leaves open, and rare moves, go the way of single requests.
 */
#ifndef SEEBATCH_AVX512_MAPS_H
#define SEEBATCH_AVX512_MAPS_H

#include "board.h"

#include "attacks.h"

/* ---- Directions -------------------------------------------------------------------------------------------------- */

/* Which bit of a byte, and which lane, is which direction. */
enum { NE = 1, NW = 2, SE = 4, SW = 8, N = 16, S = 32, E = 64, W = 128, DIAGONAL = NE | NW | SE | SW };

#define FILE_A INT64_C(0x0101010101010101)
#define FILE_B (FILE_A << 1)
#define FILE_G (FILE_A << 6)
#define FILE_H ((int64_t)0x8080808080808080)
#define RANK_1 INT64_C(0xff)
#define RANK_2 (RANK_1 << 8)
#define RANK_7 (RANK_1 << 48)
#define RANK_8 ((int64_t)0xff00000000000000)

/* A step in each lane; the bits that come from beyond an edge are off the board. */
LANES_INLINE lanes stepped(lanes squares, int times)
{
    const lanes by =
        _mm512_setr_epi64(9 * times, 7 * times, -7 * times, -9 * times, 8 * times, -8 * times, times, -times);
    return _mm512_rolv_epi64(squares, by);
}

LANES_INLINE lanes on_board(void)
{
    return _mm512_setr_epi64(~(FILE_A | RANK_1), ~(FILE_H | RANK_1), ~(FILE_A | RANK_8), ~(FILE_H | RANK_8), ~RANK_1,
                             ~RANK_8, ~FILE_A, ~FILE_H);
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
    const lanes on =
        _mm512_setr_epi64(~(FILE_A | RANK_1 | RANK_2), ~(FILE_H | RANK_1 | RANK_2), ~(FILE_A | FILE_B | RANK_1),
                          ~(FILE_G | FILE_H | RANK_1), ~(FILE_A | FILE_B | RANK_8), ~(FILE_G | FILE_H | RANK_8),
                          ~(FILE_A | RANK_7 | RANK_8), ~(FILE_H | RANK_7 | RANK_8));
    return lanes_and(_mm512_rolv_epi64(knights, by), on);
}

/* Written so that compilers take it from memory, within the instruction that needs it. */
LANES_INLINE lanes bytes_all(unsigned x) { return lanes_all((int64_t)(UINT64_C(0x0101010101010101) * (x & 0xff))); }

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

/* Eight of the sixteen words of two registers, in the order of the bits of a table's bytes. */
#define ROW_OF(a, b, c, d, e, f, g, h)                                                                                 \
    (UINT64_C(8) * ((uint64_t)(a) << 56 | (uint64_t)(b) << 48 | (uint64_t)(c) << 40 | (uint64_t)(d) << 32 |            \
                    (uint64_t)(e) << 24 | (uint64_t)(f) << 16 | (uint64_t)(g) << 8 | (uint64_t)(h)))

LANES_INLINE lanes bytes_of_ranks(uint64_t row)
{
    const uint64_t next = UINT64_C(0x0101010101010101);
    return _mm512_setr_epi64((int64_t)row, (int64_t)(row + next), (int64_t)(row + 2 * next), (int64_t)(row + 3 * next),
                             (int64_t)(row + 4 * next), (int64_t)(row + 5 * next), (int64_t)(row + 6 * next),
                             (int64_t)(row + 7 * next));
}

LANES_INLINE lanes transposed(lanes ranks)
{
    return _mm512_gf2p8affine_epi64_epi8(lanes_all((int64_t)0x8040201008040201), ranks, 0);
}

/* One byte a square, with its bits from the eight words of a register. */
LANES_INLINE lanes table_of_order(lanes words, uint64_t row)
{
    return transposed(_mm512_permutexvar_epi8(bytes_of_ranks(row), words));
}

LANES_INLINE lanes table_of(lanes words) { return table_of_order(words, ROW_OF(0, 1, 2, 3, 4, 5, 6, 7)); }

LANES_INLINE lanes table_of_two(lanes low, lanes high, uint64_t row)
{
    return transposed(_mm512_permutex2var_epi8(low, bytes_of_ranks(row), high));
}

/* What moves need to know of the squares: one byte a square. */
struct maps {
    lanes mover;  /* bits 0 to 2: the code of the piece on it; 6: its leaving may matter to a king; 7: an enemy */
    lanes target; /* bits 3 to 5: the code of an enemy on it */
    /* Bits 0 to 5: attacked by pawns, knights, bishops, rooks, queens, a king; 7: a slider is hidden behind an attacker
     * of either side. 6 of ours: what attacks or captures there may not be what it seems to be; of theirs, where no
     * king matters: something stands behind a hidden slider. */
    lanes theirs, ours;
    lanes theirs_twice, ours_twice; /* bits 0 to 4: attacked by two of the type; 7 of ours: two sliders are hidden */
    /* Bits: directions in which a slider attacks it; a queen does; that slider is an enemy, or has others behind it;
     * its leaving may matter to a king. */
    lanes seen, queens, rare, exposed;
    lanes many; /* in every byte bits 0 to 4, if a side may have three attackers of a type */
};

/* Whether there are more than two of a side's knights, bishops, rooks or queens: PDEP moves bit 2 to the third piece.
 */
static inline uint64_t third_pieces(uint64_t side, uint64_t plane0, uint64_t plane1, uint64_t plane2)
{
    return _pdep_u64(4, side & plane0 & plane2) | _pdep_u64(4, side & plane0 & plane1) |
           _pdep_u64(4, side & plane0 & ~(plane1 | plane2)) | _pdep_u64(4, side & plane1 & ~(plane0 | plane2));
}

/* Adds eight sets of eight lanes each up, two of which are a pair; ones: what any lane has, twos: what two have. */
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

LANES_INLINE lanes any_lane(lanes a)
{
    a = lanes_or(a, _mm512_shuffle_i64x2(a, a, 0x4e));
    a = lanes_or(a, _mm512_shuffle_i64x2(a, a, 0xb1));
    return lanes_or(a, _mm512_shuffle_epi32(a, _MM_PERM_BADC));
}

/* The maps of a position for moves of one colour; exposed: squares whose leaving may matter to a king. */
LANES_INLINE struct maps maps_of(const struct lane_rules *rules, const seebatch_position *position, int color,
                                 lanes exposed)
{
    const bool kings_matter = rules->pins || rules->best_order;
    const lanes plane0 = lanes_all((int64_t)position->plane[0]), plane1 = lanes_all((int64_t)position->plane[1]);
    const lanes plane2 = lanes_all((int64_t)position->plane[2]), white = lanes_all((int64_t)position->white);
    const lanes all = lanes_or3(plane0, plane1, plane2);
    const lanes own = LANES_LOGIC(all, white, lanes_all(color == SEEBATCH_WHITE ? 0 : -1), A & (B ^ C));
    const lanes enemy = lanes_xor(all, own);
    const lanes sliders = lanes_without(_mm512_mask_mov_epi64(plane0, 0xf0, plane1), plane2);
    const lanes queens = LANES_LOGIC(plane0, plane1, plane2, A & B & ~C), knights = lanes_and(plane0, plane2);
    const lanes pawns = LANES_LOGIC(plane2, plane0, plane1, A & ~(B | C));
    const lanes downward = _mm512_setr_epi64(0, 0, -1, -1, 0, 0, 0, 0);
    const lanes pawns_in_lanes = _mm512_maskz_ternarylogic_epi64(0x0f, pawns, white, downward, (A & (B ^ C)) & 0xff);
    const lanes next = LANES_LOGIC(pawns_in_lanes, plane1, plane2, A | (B & C)); /* attack from the next square */
    const struct ways ways = ways_over(all);
    struct maps m;

    const lanes seen = attacked_from(spread(ways, sliders));
    const lanes seen_by_enemy = attacked_from(spread(ways, lanes_and(sliders, enemy)));
    const lanes seen_by_own = lanes_without(seen, seen_by_enemy);
    const lanes seen_by_queen = attacked_from(spread(ways, queens));
    const lanes before_own = spread(ways, lanes_and(sliders, seen_by_own));
    const lanes before_enemy = spread(ways, lanes_and(sliders, seen_by_enemy));
    const lanes hidden_own = attacked_from(LANES_LOGIC(before_own, next, seen_by_own, A | (B & C)));
    const lanes hidden_enemy = attacked_from(LANES_LOGIC(before_enemy, next, seen_by_enemy, A | (B & C)));

    /* Lanes of the sums: 0 and 4 own bishops and rooks, 1 and 5 those of the enemy, 2 and 3 queens; in the other
     * register 0 and 1 knights, 2 and 3 hidden sliders. */
    const lanes set[4][2] = {
        {lanes_without(seen_by_own, seen_by_queen), lanes_without(seen_by_enemy, seen_by_queen)},
        {lanes_and(seen_by_own, seen_by_queen), lanes_and(seen_by_enemy, seen_by_queen)},
        {knight_attacks_of(lanes_and(knights, own)), knight_attacks_of(lanes_and(knights, enemy))},
        {hidden_own, hidden_enemy},
    };
    lanes one[2], two[2];
    add_up(set, one, two);
    lanes queens_one = one[0], queens_two = two[0];
    add_halves(&queens_one, &queens_two);
    one[0] = _mm512_mask_mov_epi64(one[0], 0x0c, queens_one);
    two[0] = _mm512_mask_mov_epi64(two[0], 0x0c, queens_two);
    add_halves(&one[1], &two[1]);

    /* 4 and 6: pawns, own and enemy; 5 and 7: kings. */
    const lanes pawn_attack = attacked_from(pawns_in_lanes);
    const lanes own_first =
        color == SEEBATCH_WHITE ? _mm512_setr_epi64(0, 1, 2, 3, 0, 1, 2, 3) : _mm512_setr_epi64(2, 3, 0, 1, 2, 3, 0, 1);
    const lanes in_pairs = _mm512_permutexvar_epi64(own_first, pawn_attack);
    const lanes swapped = _mm512_shuffle_epi32(in_pairs, _MM_PERM_BADC);
    const uint64_t kings = position->plane[1] & position->plane[2];
    const uint64_t his = color == SEEBATCH_WHITE ? position->white : ~position->white;
    one[1] = _mm512_mask_or_epi64(one[1], 0xf0, in_pairs, swapped);
    two[1] = _mm512_mask_and_epi64(two[1], 0xf0, in_pairs, swapped);
    one[1] = _mm512_mask_set1_epi64(one[1], 0x20, (int64_t)seebatch_squares[_tzcnt_u64(kings & his)].king);
    one[1] = _mm512_mask_set1_epi64(one[1], 0x80, (int64_t)seebatch_squares[_tzcnt_u64(kings & ~his)].king);

    lanes doubtful = lanes_zero();
    m.exposed = lanes_zero();
    if (kings_matter) {
        const lanes before = spread(ways, lanes_and(sliders, exposed));
        const lanes by_exposed = attacked_from(LANES_LOGIC(before, next, exposed, A | (B & C)));
        doubtful = lanes_or(by_exposed, knight_attacks_of(lanes_and(knights, exposed)));
        m.exposed = table_of(by_exposed);
    }
    if (rules->promote_all)
        doubtful = LANES_LOGIC(doubtful, pawn_attack, lanes_all(RANK_1 | RANK_8), A | (B & C));
    one[0] =
        _mm512_mask_mov_epi64(one[0], 0x40, kings_matter || rules->promote_all ? any_lane(doubtful) : lanes_zero());
    if (!kings_matter) { /* 7: something stands behind a hidden slider */
        const lanes hidden = lanes_or(hidden_own, hidden_enemy), before = spread(ways, lanes_and(sliders, hidden));
        one[0] = _mm512_mask_mov_epi64(one[0], 0x80,
                                       any_lane(attacked_from(LANES_LOGIC(before, next, hidden, A | (B & C)))));
    }

    lanes piece = _mm512_maskz_mov_epi64(0x01, plane0);
    piece = _mm512_mask_mov_epi64(piece, 0x02, plane1);
    piece = _mm512_mask_mov_epi64(piece, 0x04, plane2);
    const lanes targets = lanes_and(piece, enemy);
    piece = _mm512_mask_mov_epi64(piece, 0x80, enemy);
    if (rules->best_order)
        piece = _mm512_mask_mov_epi64(piece, 0x40, exposed);
    m.mover = table_of(piece);
    m.target = table_of_order(targets, ROW_OF(3, 3, 3, 0, 1, 2, 3, 3));
    m.ours = table_of_two(one[0], one[1], ROW_OF(12, 8, 0, 4, 2, 13, 6, 10));
    m.ours_twice = table_of_two(two[0], two[1], ROW_OF(12, 8, 0, 4, 2, 13, 11, 10));
    m.theirs = table_of_two(one[0], one[1], ROW_OF(14, 9, 1, 5, 3, 15, 7, 11));
    m.theirs_twice = table_of_two(two[0], two[1], ROW_OF(14, 9, 1, 5, 3, 3, 3, 3));
    m.seen = table_of(seen);
    m.queens = table_of(seen_by_queen);
    m.rare = table_of(lanes_or3(seen_by_enemy, hidden_own, hidden_enemy));

    const uint64_t p0 = position->plane[0], p1 = position->plane[1], p2 = position->plane[2];
    m.many = bytes_all(third_pieces(his, p0, p1, p2) | third_pieces(~his, p0, p1, p2) ? 0x1f : 0);
    return m;
}

/* ---- Moves ------------------------------------------------------------------------------------------------------- */

enum { MAP_MOVES = 64 /* at a time */ };

/* Maps are worth their while for so many moves a position, in a batch of positions and by itself. */
enum { HAVE_MAPS = 1, MAPS_FROM = 15, MAPS_FROM_SINGLE = 9 };

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

/* A bit of each result byte is the parity of some bits of the byte: here rows for _mm512_gf2p8affine_epi64_epi8(), of
 * which the last is for bit 0. */
#define BITS_FROM(bit, bits) (UINT64_C(bits) << 8 * (7 - (bit)))

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

/* Decides n moves, 64 at most, and writes 64 values; with thresholds, values that are on the same side of them. Returns
 * the bits of the moves that are open, in the order of numbers_of_moves(). */
LANES_INLINE uint64_t decide_moves(const struct lane_rules *rules, const struct map_values *values,
                                   const struct maps *maps, const seebatch_move *move, size_t n,
                                   const int16_t *threshold, int16_t *value)
{
    const bool kings_matter = rules->pins || rules->best_order;
    const unsigned count = n < MAP_MOVES ? (unsigned)n : (unsigned)MAP_MOVES;
    const uint64_t first = _bzhi_u64(~UINT64_C(0), count);
    const lanes low = _mm512_maskz_loadu_epi16((__mmask32)first, move);
    const lanes high = _mm512_maskz_loadu_epi16((__mmask32)(first >> 32), move + MAP_MOVES / 2);
    const lanes square = _mm512_set1_epi16(63);
    const lanes from = _mm512_packus_epi16(lanes_and(low, square), lanes_and(high, square));
    const lanes to = _mm512_packus_epi16(_mm512_srli_epi16(low, 6), _mm512_srli_epi16(high, 6)); /* 6, 7: promotion */
    const lanes mover = looked_up(from, maps->mover), target = looked_up(to, maps->target);
    const lanes at_ours = looked_up(to, maps->ours), at_theirs = looked_up(to, maps->theirs);
    const lanes at_twice = looked_up(to, maps->ours_twice), twice = lanes_and(at_twice, bytes_all(0x1f));
    const lanes theirs_twice = lanes_and(looked_up(to, maps->theirs_twice), bytes_all(0x1f));

    /* The moving piece, if it attacks the target; a pawn does not attack straight ahead. */
    const lanes direction = directions_of(from, to, mover);
    const lanes type = _mm512_shuffle_epi8(BY_CODE(1, 2, 4, 8, 16, -128), mover);
    const lanes straight = _mm512_gf2p8affine_epi64_epi8(direction, lanes_all((int64_t)BITS_FROM(0, 0x30)), 0);
    const lanes attacker = lanes_without(type, straight);

    /* The own slider that it uncovers. */
    const lanes seen = lanes_and(looked_up(from, maps->seen), direction);
    const lanes seen_queen = lanes_and(looked_up(from, maps->queens), seen);
    const lanes as_slider =
        _mm512_gf2p8affine_epi64_epi8(seen, lanes_all((int64_t)(BITS_FROM(2, 0x0f) | BITS_FROM(3, 0xf0))), 0);
    const lanes as_queen = _mm512_gf2p8affine_epi64_epi8(
        seen_queen, lanes_all((int64_t)(BITS_FROM(2, 0x0f) | BITS_FROM(3, 0xf0) | BITS_FROM(4, 0xff))), 0);
    const lanes newcomer = lanes_xor(as_slider, as_queen);
    const __mmask64 was_hidden = _mm512_mask_test_epi8_mask(bytes_meet(seen, seen), attacker, attacker);
    const lanes hidden = _mm512_mask_mov_epi8(at_ours, was_hidden, at_twice); /* bit 7 */

    /* Both sides' attackers, by type, without the moving piece; whether there are several, hidden ones included; theirs
     * without the first, and without two of them. */
    const lanes sets = bytes_all(63), bit7 = bytes_all(0x80), minus_one = bytes_all(0xff);
    const lanes others = lanes_and(LANES_LOGIC(at_ours, attacker, twice, (A & ~B) | C), sets);
    const lanes ours = lanes_or(others, newcomer), theirs = lanes_and(at_theirs, sets);
    lanes several = LANES_LOGIC(twice, attacker, maps->many, A & (~B | C));
    several = LANES_LOGIC(several, newcomer, others, A | (B & C));
    several = LANES_LOGIC(several, ours, _mm512_add_epi8(ours, minus_one), A | (B & C));
    several = LANES_LOGIC(several, hidden, bit7, A | (B & C));
    const __mmask64 several_ours = bytes_meet(several, several);
    const lanes other_types = lanes_and(theirs, _mm512_add_epi8(theirs, minus_one));
    const lanes second = lanes_or(other_types, theirs_twice);
    lanes third = LANES_LOGIC(theirs_twice, twice, maps->many, (A | B) & C);
    third = LANES_LOGIC(third, theirs_twice, other_types, A | (B & C));
    third = LANES_LOGIC(third, second, _mm512_add_epi8(second, minus_one), A | (B & C));
    const __mmask64 hidden_theirs = _mm512_mask_test_epi8_mask(bytes_meet(theirs, bytes_all(31)), at_theirs, bit7);
    const __mmask64 several_theirs = _kor_mask64(bytes_meet(second, second), hidden_theirs);
    const __mmask64 three_theirs = bytes_meet(third, third);

    /*
     * The decision: see ../lanes/exchange.h. Here a little more is told.
     *
     * Two of theirs, several of ours, nothing hidden: with w, x theirs in order and u the first of ours, what is lost
     * is v1 - (w - (u - x)), no difference being less than 0: they take, we take w, they take u with x or do not, since
     * we take x in turn. Where they have more it is a bound.
     *
     * Something is hidden, but behind that nothing: it is but one more attacker, too late for the first choice. If they
     * have a single one, hidden ones included, we may take it; if we have a single one, what takes it stays. (A king
     * that is alone to take, with sliders behind it, does not take what is guarded.)
     */
    const __mmask64 none_theirs = bytes_lack(theirs, sets);
    const __mmask64 none_ours = bytes_lack(LANES_LOGIC(hidden, bit7, ours, (A & B) | C), bytes_all(0xff));
    const lanes either_hidden = lanes_or(hidden, at_theirs);
    const __mmask64 all_seen = bytes_lack(either_hidden, bit7);
    const __mmask64 not_deep = kings_matter ? all_seen : bytes_lack(at_theirs, bytes_all(0x40));
    const __mmask64 alone = _knot_mask64(_kand_mask64(several_ours, several_theirs));
    const __mmask64 goes_on = _kand_mask64(several_theirs, _kor_mask64(three_theirs, _knot_mask64(several_ours)));
    const lanes deeply = _mm512_movm_epi8(_kor_mask64(none_ours, goes_on));
    const lanes pieces = lanes_merge(bytes_all(7), mover, target);
    const lanes our_rank = looked_up(ours, ranks_of_sets(8));
    const lanes ranks = lanes_or(looked_up(theirs, ranks_of_sets(1)), our_rank);
    const lanes next = lanes_or(looked_up(_mm512_maskz_mov_epi8(all_seen, second), ranks_of_sets(1)), our_rank);
    lanes gain[2], loses_least[2], loses_most[2], result[2];
    for (int i = 0; i < 2; i++) {
        const lanes piece = i ? _mm512_unpackhi_epi8(pieces, pieces) : _mm512_unpacklo_epi8(pieces, pieces);
        const lanes rank = i ? _mm512_unpackhi_epi8(ranks, ranks) : _mm512_unpacklo_epi8(ranks, ranks);
        const lanes rank2 = i ? _mm512_unpackhi_epi8(next, next) : _mm512_unpacklo_epi8(next, next);
        const lanes most = i ? _mm512_unpackhi_epi8(deeply, deeply) : _mm512_unpacklo_epi8(deeply, deeply);
        const lanes standing = _mm512_permutexvar_epi16(piece, values->standing);
        const lanes back = _mm512_permutex2var_epi16(values->reverse[0], rank2, values->reverse[1]);
        const lanes won = _mm512_subs_epu16(_mm512_permutexvar_epi16(rank, values->least), back);
        gain[i] = _mm512_permutex2var_epi16(values->gain[0], piece, values->gain[1]);
        loses_least[i] = _mm512_subs_epu16(standing, won);
        loses_most[i] = _mm512_subs_epu16(standing, _mm512_permutex2var_epi16(values->gap[0], rank, values->gap[1]));
        result[i] = _mm512_sub_epi16(gain[i], lanes_merge(most, loses_most[i], loses_least[i]));
    }
    const lanes apart =
        _mm512_packus_epi16(lanes_xor(loses_least[0], loses_most[0]), lanes_xor(loses_least[1], loses_most[1]));
    const __mmask64 meet = bytes_lack(apart, apart);
    __mmask64 bounded = bytes_lack(either_hidden, rules->rise ? lanes_zero() : bit7);
    __mmask64 known = _kor_mask64(_kand_mask64(not_deep, alone), _kandn_mask64(three_theirs, all_seen));
    known = _kor_mask64(known, none_ours);
    if (kings_matter || rules->promote_all) {
        lanes doubtful = lanes_and(lanes_or(at_ours, mover), bytes_all(0x40));
        if (kings_matter)
            doubtful = LANES_LOGIC(doubtful, seen, looked_up(from, maps->exposed), A | (B & C));
        const __mmask64 untouched = bytes_lack(doubtful, doubtful);
        bounded = _kand_mask64(bounded, untouched);
        known = _kand_mask64(known, untouched);
    }
    known = _kor_mask64(known, _kand_mask64(bounded, meet));
    if (threshold) {
        const lanes holds = _mm512_movm_epi8(bounded);
        lanes too_high[2], low_enough[2];
        for (int i = 0; i < 2; i++) {
            const lanes least = _mm512_sub_epi16(gain[i], loses_most[i]),
                        most = _mm512_sub_epi16(gain[i], loses_least[i]);
            const lanes against = _mm512_maskz_loadu_epi16((__mmask32)(first >> 32 * i), threshold + i * MAP_MOVES / 2);
            const __mmask32 bound =
                _mm512_movepi16_mask(i ? _mm512_unpackhi_epi8(holds, holds) : _mm512_unpacklo_epi8(holds, holds));
            too_high[i] = _mm512_subs_epi16(against, least);
            low_enough[i] = _mm512_subs_epi16(most, against);
            result[i] =
                _mm512_mask_mov_epi16(result[i], _mm512_mask_cmple_epi16_mask(bound, too_high[i], lanes_zero()), least);
            result[i] = _mm512_mask_mov_epi16(result[i],
                                              _mm512_mask_cmplt_epi16_mask(bound, low_enough[i], lanes_zero()), most);
        }
        const __mmask64 open = _mm512_mask_cmpgt_epi8_mask(
            _mm512_cmpgt_epi8_mask(_mm512_packs_epi16(too_high[0], too_high[1]), lanes_zero()),
            _mm512_packs_epi16(low_enough[0], low_enough[1]), bytes_all(0xff));
        known = _kor_mask64(known, _kandn_mask64(open, bounded));
    }
    _mm512_storeu_si512(value, result[0]);
    _mm512_storeu_si512(value + MAP_MOVES / 2, result[1]);

    /* Kings are safe from being taken. Promotions, en passant, moves of the other side, sliders of the other side
     * uncovered, and hidden ones behind those uncovered, are rare. */
    known = _kor_mask64(known, _kor_mask64(none_theirs, _mm512_movepi8_mask(type)));
    const __mmask64 pawn_aside = bytes_meet(_mm512_shuffle_epi8(BY_CODE(DIAGONAL, 0, 0, 0, 0, 0), mover), direction);
    const __mmask64 en_passant = _mm512_mask_testn_epi8_mask(pawn_aside, target, target);
    const __mmask64 uncovers = bytes_meet(seen, looked_up(from, maps->rare));
    const __mmask64 rare = _kor_mask64(_kor_mask64(bytes_meet(to, bytes_all(0xc0)), _mm512_movepi8_mask(mover)),
                                       _kor_mask64(en_passant, uncovers));
    const __mmask64 open = _kor_mask64(_knot_mask64(known), rare);
    return _cvtmask64_u64(_mm512_mask_cmplt_epu8_mask(open, numbers_of_moves(), bytes_all(count)));
}

#endif
