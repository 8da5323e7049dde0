/*
 * What moves need to know of the squares of their position, found for all squares at once. What is done with it:
 * map_moves.h.
 *
 * Rays. A lane is a direction, four upward ones in a register and four downward ones in another, so that a step is one
 * shift. Sets of sliders are spread over the empty squares, in three doubling steps: bit s of a lane then says that the
 * nearest piece behind s, against the lane's direction, is such a slider, and attacks s. Spread again, those tell which
 * sliders are hidden behind the attackers of s. Knights go in eight directions, too.
 *
 * Sums. The lanes are added up, type by type, to one word that says whether a piece of the type attacks s, one that
 * says whether two do, and one for three. From those follow, for both sides at once, the ranks of the least valuable
 * attacker of each square and of the next after it: three bits of a number, one word for each.
 */
#ifndef SEEBATCH_AVX2_MAPS_H
#define SEEBATCH_AVX2_MAPS_H

#include "board.h"

#include "attacks.h"

/* Ranks of pieces are numbers from pawn 7 to king 2; nobody is 0. */
enum { RANK_PAWN = 7, RANK_KNIGHT = 6, RANK_BISHOP = 5, RANK_ROOK = 4, RANK_QUEEN = 3, RANK_KING = 2 };

/* In arrays of words of two sides: own is the side whose moves are asked for. */
enum { OWN, ENEMY };

/* One bit a square in each word. Tables of directions hold eight words, in the order of struct rays; a table of two
 * words is one pshufb. */
struct maps {
    uint64_t own[3], enemy[3]; /* the bits of the ranks of the pieces themselves */
    uint64_t rank[3][4]; /* the bits of ranks of attackers: our least valuable one, theirs, our second, their second */
    uint64_t three[2];   /* three pieces attack it */
    uint64_t hidden[2];  /* a slider of ours is hidden behind an attacker of either side; two are */
    uint64_t hidden_theirs;
    uint64_t several_theirs; /* two of theirs attack it, or one that is no king, and one is hidden */
    uint64_t deep;           /* something may stand behind a slider that is hidden from it */
    uint64_t moved, touched; /* what leaves it, or attacks or captures there, may matter to a king */
    uint64_t queen[8],
        no_queen[8];     /* whether a queen attacks it, or another slider; both: one that makes a move rare */
    uint64_t exposed[8]; /* whether that slider may matter to a king */
};

/* ---- Rays -------------------------------------------------------------------------------------------------------- */

/* Lanes: north-east, north-west, north, east; and south-west, south-east, south, west. */
struct rays {
    lanes up, down;
};

LANES_INLINE struct rays rays_of(lanes a) { return (struct rays){a, a}; }
LANES_INLINE struct rays rays_and(struct rays a, struct rays b)
{
    return (struct rays){lanes_and(a.up, b.up), lanes_and(a.down, b.down)};
}
LANES_INLINE struct rays rays_or(struct rays a, struct rays b)
{
    return (struct rays){lanes_or(a.up, b.up), lanes_or(a.down, b.down)};
}
LANES_INLINE struct rays rays_without(struct rays a, struct rays b)
{
    return (struct rays){lanes_without(a.up, b.up), lanes_without(a.down, b.down)};
}

#define FILE_A INT64_C(0x0101010101010101)
#define FILE_B (FILE_A << 1)
#define FILE_G (FILE_A << 6)
#define FILE_H ((int64_t)0x8080808080808080)

/* Steps beyond the first or the last rank fall off by themselves; those around the board are taken off with this. */
LANES_INLINE struct rays on_board(void)
{
    return (struct rays){_mm256_setr_epi64x(~FILE_A, ~FILE_H, -1, ~FILE_A),
                         _mm256_setr_epi64x(~FILE_H, ~FILE_A, -1, ~FILE_H)};
}

LANES_INLINE struct rays stepped(struct rays squares, int times)
{
    const lanes by = _mm256_setr_epi64x(9 * times, 7 * times, 8 * times, times);
    return (struct rays){_mm256_sllv_epi64(squares.up, by), _mm256_srlv_epi64(squares.down, by)};
}

/* The squares from which a piece may go on: empty ones, 1, 2, and 4 in a row that end there. */
struct ways {
    struct rays one, two, four;
};

LANES_INLINE struct ways ways_over(lanes occupied)
{
    struct ways w;
    w.one = rays_without(on_board(), rays_of(occupied));
    w.two = rays_and(w.one, stepped(w.one, 1));
    w.four = rays_and(w.two, stepped(w.two, 2));
    return w;
}

/* Pieces, and the empty squares that they reach. */
LANES_INLINE struct rays spread(const struct ways *ways, struct rays pieces)
{
    pieces = rays_or(pieces, rays_and(ways->one, stepped(pieces, 1)));
    pieces = rays_or(pieces, rays_and(ways->two, stepped(pieces, 2)));
    return rays_or(pieces, rays_and(ways->four, stepped(pieces, 4)));
}

LANES_INLINE struct rays attacked_from(struct rays reached) { return rays_and(stepped(reached, 1), on_board()); }

/* A knight has eight directions of his own. */
LANES_INLINE struct rays knight_rays(lanes knights)
{
    const lanes by = _mm256_setr_epi64x(17, 15, 10, 6);
    const int64_t a = ~FILE_A, h = ~FILE_H, ab = ~(FILE_A | FILE_B), gh = ~(FILE_G | FILE_H);
    return (struct rays){lanes_and(_mm256_sllv_epi64(knights, by), _mm256_setr_epi64x(a, h, ab, gh)),
                         lanes_and(_mm256_srlv_epi64(knights, by), _mm256_setr_epi64x(h, a, gh, ab))};
}

/* ---- Sums -------------------------------------------------------------------------------------------------------- */

/* What any of some lanes has, what two have, what three have. */
struct sums {
    lanes one, two, three;
};

LANES_INLINE struct sums sums_added(struct sums a, struct sums b)
{
    struct sums c;
    c.one = lanes_or(a.one, b.one);
    c.two = lanes_or(lanes_or(a.two, b.two), lanes_and(a.one, b.one));
    c.three = lanes_or(lanes_or(a.three, b.three), lanes_or(lanes_and(a.one, b.two), lanes_and(a.two, b.one)));
    return c;
}

/* Lanes: own and enemy sums over the diagonals, and those over the straight directions. */
LANES_INLINE struct sums sums_of(struct rays own, struct rays enemy)
{
    const lanes one[2] = {lanes_or(own.up, own.down), lanes_or(enemy.up, enemy.down)};
    const lanes two[2] = {lanes_and(own.up, own.down), lanes_and(enemy.up, enemy.down)};
    const struct sums even = {_mm256_unpacklo_epi64(one[0], one[1]), _mm256_unpacklo_epi64(two[0], two[1]),
                              lanes_zero()};
    const struct sums odd = {_mm256_unpackhi_epi64(one[0], one[1]), _mm256_unpackhi_epi64(two[0], two[1]),
                             lanes_zero()};
    return sums_added(even, odd);
}

LANES_INLINE lanes lower_halves(lanes a, lanes b) { return _mm256_permute2x128_si256(a, b, 0x20); }
LANES_INLINE lanes upper_halves(lanes a, lanes b) { return _mm256_permute2x128_si256(a, b, 0x31); }

/* Both halves of a added up, and behind them those of b. */
LANES_INLINE struct sums halves_added(struct sums a, struct sums b)
{
    const struct sums lower = {lower_halves(a.one, b.one), lower_halves(a.two, b.two), lower_halves(a.three, b.three)};
    const struct sums upper = {upper_halves(a.one, b.one), upper_halves(a.two, b.two), upper_halves(a.three, b.three)};
    return sums_added(lower, upper);
}

/* ---- Ranks ------------------------------------------------------------------------------------------------------- */

/* The attackers of both sides, type by type, counted from the least valuable on. Lanes: own and enemy, types that
 * attack a square; own and enemy, types of which one attacks it that is not the first. */
struct ranked {
    lanes type[6];
    __m128i one, two, three; /* so many of all types so far */
};

LANES_INLINE void count_type(struct ranked *r, int type, __m128i one, __m128i two, __m128i three)
{
    const __m128i pair = _mm_or_si128(two, _mm_and_si128(r->one, one));
    r->type[type] = _mm256_inserti128_si256(_mm256_castsi128_si256(one), pair, 1);
    r->three = _mm_or_si128(_mm_or_si128(r->three, three),
                            _mm_or_si128(_mm_and_si128(r->two, one), _mm_and_si128(r->one, two)));
    r->two = _mm_or_si128(r->two, pair);
    r->one = _mm_or_si128(r->one, one);
}

/* The bits of the ranks, in words. */
LANES_INLINE void store_ranks(uint64_t bit[3][4], const lanes type[6])
{
    const lanes pawn_knight = lanes_or(type[SEEBATCH_PAWN], type[SEEBATCH_KNIGHT]);
    const lanes bishop_rook = lanes_or(type[SEEBATCH_BISHOP], type[SEEBATCH_ROOK]);
    const lanes queen_king = lanes_or(type[SEEBATCH_QUEEN], type[SEEBATCH_KING]);
    const lanes odd = lanes_or(type[SEEBATCH_BISHOP], lanes_without(type[SEEBATCH_QUEEN], type[SEEBATCH_ROOK]));
    lanes_store(bit[0], lanes_or(type[SEEBATCH_PAWN], lanes_without(odd, type[SEEBATCH_KNIGHT])));
    lanes_store(bit[1], lanes_or(pawn_knight, lanes_without(queen_king, bishop_rook)));
    lanes_store(bit[2], lanes_or(pawn_knight, bishop_rook));
}

/* ---- Maps -------------------------------------------------------------------------------------------------------- */

LANES_INLINE void store_rays(uint64_t word[8], struct rays a)
{
    lanes_store(word, a.up);
    lanes_store(word + 4, a.down);
}

LANES_INLINE void store_pair(uint64_t word[2], __m128i pair) { _mm_storeu_si128((__m128i *)word, pair); }

LANES_INLINE __m128i lower_half(lanes a) { return _mm256_castsi256_si128(a); }
LANES_INLINE __m128i upper_half(lanes a) { return _mm256_extracti128_si256(a, 1); }

/* All lanes of both registers in one word. */
LANES_INLINE uint64_t any_ray(struct rays a)
{
    const lanes both = lanes_or(a.up, a.down);
    const __m128i two = _mm_or_si128(lower_half(both), upper_half(both));
    return (uint64_t)_mm_cvtsi128_si64(_mm_or_si128(two, _mm_unpackhi_epi64(two, two)));
}

/* The words that need no rays. */
LANES_INLINE void map_pieces(struct maps *m, const uint64_t plane[3], uint64_t own)
{
    const uint64_t both = plane[0] & plane[1], leapers = plane[2];
    const uint64_t pawns = leapers & ~(plane[0] | plane[1]), kings = leapers & plane[1];
    const uint64_t bit[3] = {pawns | (plane[0] & ~leapers), leapers | both,
                             (plane[0] | plane[1] | leapers) & ~(both | kings)};
    for (int i = 0; i < 3; i++) {
        m->own[i] = bit[i] & own;
        m->enemy[i] = bit[i] & ~own;
    }
}

/* Where kings may matter, or pawns promote later: what is found by way of the exposed squares, see kings.h. */
LANES_INLINE void map_doubts(struct maps *m, const struct lane_rules *rules, const struct ways *ways,
                             struct rays sliders, struct rays next, struct rays pawn_attacks_of, lanes knights,
                             lanes exposed)
{
    struct rays doubtful = rays_of(lanes_zero());
    m->moved = 0;
    if (rules->pins || rules->best_order) {
        const struct rays those = rays_of(exposed);
        const struct rays before = spread(ways, rays_and(sliders, those));
        const struct rays by_exposed = attacked_from(rays_or(before, rays_and(next, those)));
        store_rays(m->exposed, by_exposed);
        doubtful = rays_or(by_exposed, knight_rays(lanes_and(knights, exposed)));
        if (rules->best_order)
            m->moved = (uint64_t)_mm_cvtsi128_si64(lower_half(exposed));
    }
    if (rules->promote_all)
        doubtful = rays_or(doubtful, rays_and(pawn_attacks_of, rays_of(lanes_all((int64_t)0xff000000000000ff))));
    m->touched = any_ray(doubtful);
}

/* The maps of a position for moves of one colour; exposed: squares whose leaving may matter to a king, in each lane. */
LANES_INLINE struct maps maps_of(const struct lane_rules *rules, const seebatch_position *position, int color,
                                 lanes exposed)
{
    const bool kings_matter = rules->pins || rules->best_order;
    const uint64_t *plane = position->plane;
    const uint64_t all_pieces = plane[0] | plane[1] | plane[2];
    const uint64_t flip =
        (uint64_t)0 - (uint64_t)(color != SEEBATCH_WHITE); /* branches on the colour would be guessed wrong */
    const uint64_t own_pieces = (position->white ^ flip) & all_pieces;
    const lanes plane0 = lanes_all((int64_t)plane[0]), plane1 = lanes_all((int64_t)plane[1]);
    const lanes plane2 = lanes_all((int64_t)plane[2]), all = lanes_or(lanes_or(plane0, plane1), plane2);
    const lanes own = lanes_all((int64_t)own_pieces), enemy = lanes_without(all, own);
    const struct rays enemies = rays_of(enemy);
    const struct rays sliders = rays_of(lanes_without(_mm256_blend_epi32(plane0, plane1, 0xf0), plane2));
    const lanes queens = lanes_without(lanes_and(plane0, plane1), plane2), knights = lanes_and(plane0, plane2);
    const lanes pawns = _mm256_blend_epi32(lanes_without(plane2, lanes_or(plane0, plane1)), lanes_zero(), 0xf0);
    const lanes white = lanes_all((int64_t)position->white);
    const struct rays pawn_rays = {lanes_and(pawns, white), lanes_without(pawns, white)};
    const struct rays next = rays_or(pawn_rays, rays_of(lanes_and(plane1, plane2))); /* attack from the next square */
    const struct ways ways = ways_over(all);
    struct maps m;
    map_pieces(&m, plane, own_pieces);

    const struct rays seen = attacked_from(spread(&ways, sliders));
    const struct rays seen_by_enemy = attacked_from(spread(&ways, rays_and(sliders, enemies)));
    const struct rays seen_by_own = rays_without(seen, seen_by_enemy);
    const struct rays seen_by_queen = attacked_from(spread(&ways, rays_of(queens)));
    const struct rays before_own = spread(&ways, rays_and(sliders, seen_by_own));
    const struct rays before_enemy = spread(&ways, rays_and(sliders, seen_by_enemy));
    const struct rays hidden_own = attacked_from(rays_or(before_own, rays_and(next, seen_by_own)));
    const struct rays hidden_enemy = attacked_from(rays_or(before_enemy, rays_and(next, seen_by_enemy)));
    const struct rays hidden = rays_or(hidden_own, hidden_enemy);
    const struct rays rare = rays_and(seen, rays_or(seen_by_enemy, hidden));
    store_rays(m.queen, rays_or(seen_by_queen, rare));
    store_rays(m.no_queen, rays_or(rays_without(seen, seen_by_queen), rare));

    const struct sums sliding =
        sums_of(rays_without(seen_by_own, seen_by_queen), rays_without(seen_by_enemy, seen_by_queen));
    const struct sums by_queens = sums_of(rays_and(seen_by_own, seen_by_queen), rays_and(seen_by_enemy, seen_by_queen));
    const struct sums by_knights =
        sums_of(knight_rays(lanes_and(knights, own)), knight_rays(lanes_and(knights, enemy)));
    const struct sums queens_knights = halves_added(by_queens, by_knights);
    const struct sums behind = sums_of(hidden_own, hidden_enemy);
    const struct rays pawns_attack = attacked_from(pawn_rays);
    const __m128i black = _mm_set1_epi64x((int64_t)flip);
    const __m128i white_pawns = lower_half(pawns_attack.up), black_pawns = lower_half(pawns_attack.down);
    const __m128i own_pawns = _mm_blendv_epi8(white_pawns, black_pawns, black);
    const __m128i enemy_pawns = _mm_blendv_epi8(black_pawns, white_pawns, black);
    const __m128i west = _mm_unpacklo_epi64(own_pawns, enemy_pawns), east = _mm_unpackhi_epi64(own_pawns, enemy_pawns);
    const uint64_t kings = plane[1] & plane[2];
    const __m128i by_kings = _mm_set_epi64x((int64_t)seebatch_squares[_tzcnt_u64(kings & ~own_pieces)].king,
                                            (int64_t)seebatch_squares[_tzcnt_u64(kings & own_pieces)].king);

    const __m128i none = _mm_setzero_si128();
    struct ranked r = {.one = none, .two = none, .three = none};
    count_type(&r, SEEBATCH_PAWN, _mm_or_si128(west, east), _mm_and_si128(west, east), none);
    count_type(&r, SEEBATCH_KNIGHT, upper_half(queens_knights.one), upper_half(queens_knights.two),
               upper_half(queens_knights.three));
    count_type(&r, SEEBATCH_BISHOP, lower_half(sliding.one), lower_half(sliding.two), lower_half(sliding.three));
    count_type(&r, SEEBATCH_ROOK, upper_half(sliding.one), upper_half(sliding.two), upper_half(sliding.three));
    count_type(&r, SEEBATCH_QUEEN, lower_half(queens_knights.one), lower_half(queens_knights.two),
               lower_half(queens_knights.three));
    const __m128i hidden_one = _mm_or_si128(lower_half(behind.one), upper_half(behind.one));
    const __m128i hidden_two = _mm_or_si128(_mm_or_si128(lower_half(behind.two), upper_half(behind.two)),
                                            _mm_and_si128(lower_half(behind.one), upper_half(behind.one)));
    const __m128i one_hidden = _mm_and_si128(r.one, hidden_one);
    count_type(&r, SEEBATCH_KING, by_kings, none, none);
    store_ranks(m.rank, r.type);
    store_pair(m.three, r.three);
    store_pair(m.hidden, _mm_unpacklo_epi64(hidden_one, hidden_two));
    m.hidden_theirs = (uint64_t)_mm_extract_epi64(hidden_one, ENEMY);
    m.several_theirs = (uint64_t)_mm_extract_epi64(_mm_or_si128(r.two, one_hidden), ENEMY);

    if (kings_matter || rules->promote_all)
        map_doubts(&m, rules, &ways, sliders, next, pawns_attack, knights, exposed);
    m.deep = UINT64_MAX;
    if (!kings_matter)
        m.deep = any_ray(attacked_from(rays_or(spread(&ways, rays_and(sliders, hidden)), rays_and(next, hidden))));
    return m;
}

#endif
