/*
 * Makes the attack tables of a position (the words in docs/internals/lanes.md): what attacks its squares, found for all
 * squares at once. decide_position() in lanes/batch.h asks for them, and word_moves.h looks up the moves.
 *
 * A lane is a direction. One register has the four upward directions and another one the four downward ones, so that a
 * step is a single shift. Sliders are filled over the empty squares. Added up over the lanes, type by type, they give
 * the precedence of the least valuable attacker of each square, and of the next one after it
 * (docs/internals/algorithm.md). A precedence is a number of three bits, and each bit has a word.
 */
#ifndef SEEBATCH_LANES_FOUR_ATTACK_WORDS_H
#define SEEBATCH_LANES_FOUR_ATTACK_WORDS_H

#include "line_board.h"

#include "board/attacks.h"

/* The precedence of a piece says who captures first: numbers from pawn 7 to king 2; nobody is 0. */
enum {
    PRECEDENCE_PAWN = 7,
    PRECEDENCE_KNIGHT = 6,
    PRECEDENCE_BISHOP = 5,
    PRECEDENCE_ROOK = 4,
    PRECEDENCE_QUEEN = 3,
    PRECEDENCE_KING = 2
};

/* The indices of the two sides in arrays of words. OWN is the side whose moves are decided. */
enum { OWN, ENEMY };

/* The attack tables of a position. Each word has a bit for each square, which the comments call "it". Tables of
 * directions hold eight words, in the order of struct rays; two words are one look-up of bytes. */
struct attack_tables {
    uint64_t own[3], enemy[3]; /* the precedences of the pieces on the squares, bit by bit */
    /* the precedences of attackers, bit by bit: of our least valuable one and theirs, and of our second one and
     * theirs */
    uint64_t precedence[3][4];
    uint64_t three[2]; /* three pieces of a side attack it */
    uint64_t xray[2];  /* whether x-ray sliders of ours stand behind its attackers: [0] one, [1] two */
    uint64_t xray_theirs;
    uint64_t two_theirs;  /* two of theirs attack it, or a piece that is no king with an x-ray slider behind it */
    uint64_t second_xray; /* something may stand behind an x-ray slider */
    uint64_t matter_from, matter_to; /* what leaves these squares, or goes or attacks there, may matter to a king */
    /* In each direction, whether a queen attacks it, and whether another slider does. Both are set for a slider that
     * makes a move rare if the move uncovers it. */
    uint64_t queen[8], no_queen[8];
    uint64_t by_blockers[8]; /* in each direction, whether the leaving of that slider may matter to a king */
};

/* ---- Rays -------------------------------------------------------------------------------------------------------- */

/* The lanes of the first register are north-east, north-west, north and east; those of the second are south-west,
 * south-east, south and west. */
struct rays {
    lanes up, down;
};
typedef struct rays ray_lanes;

LANES_INLINE struct rays rays_up_down(lanes up, lanes down)
{
    struct rays r;
    r.up = up;
    r.down = down;
    return r;
}

LANES_INLINE struct rays rays_of(lanes a) { return rays_up_down(a, a); }

#define RAYS_BOTH(function, a, b) rays_up_down(function((a).up, (b).up), function((a).down, (b).down))
LANES_INLINE struct rays rays_and(struct rays a, struct rays b) { return RAYS_BOTH(lanes_and, a, b); }
LANES_INLINE struct rays rays_or(struct rays a, struct rays b) { return RAYS_BOTH(lanes_or, a, b); }
LANES_INLINE struct rays rays_without(struct rays a, struct rays b) { return RAYS_BOTH(lanes_without, a, b); }
LANES_INLINE struct rays rays_or_and(struct rays a, struct rays b, struct rays c) { return rays_or(a, rays_and(b, c)); }

/* Steps beyond the first or the last rank fall off by themselves; those around the board are taken off with this. */
LANES_INLINE struct rays on_board(void)
{
    return rays_up_down(lanes_of(ALL_BUT(FILE_A), ALL_BUT(FILE_H), -1, ALL_BUT(FILE_A)),
                        lanes_of(ALL_BUT(FILE_H), ALL_BUT(FILE_A), -1, ALL_BUT(FILE_H)));
}

LANES_INLINE struct rays stepped(struct rays squares, int times)
{
    return rays_up_down(lanes_shift_each_left(squares.up, 9 * times, 7 * times, 8 * times, times),
                        lanes_shift_each_right(squares.down, 9 * times, 7 * times, 8 * times, times));
}

#include "lanes/kogge_stone.h"

/* A knight has eight directions of its own. */
LANES_INLINE struct rays knight_rays(lanes knights)
{
    const int64_t a = ALL_BUT(FILE_A), h = ALL_BUT(FILE_H), ab = ALL_BUT(FILE_A | FILE_B),
                  gh = ALL_BUT(FILE_G | FILE_H);
    return rays_up_down(lanes_and(lanes_shift_each_left(knights, 17, 15, 10, 6), lanes_of(a, h, ab, gh)),
                        lanes_and(lanes_shift_each_right(knights, 17, 15, 10, 6), lanes_of(h, a, gh, ab)));
}

/* `own` are the pieces of the side that moves. */
LANES_INLINE struct direction_sets direction_sets_of(const seebatch_position *position, uint64_t own)
{
    lanes plane[4];
    planes_of_one(position, plane);
    const lanes white = plane[3], all = lanes_or(lanes_or(plane[0], plane[1]), plane[2]);
    const lanes pawns = lanes_halves(lanes_without(plane[2], lanes_or(plane[0], plane[1])), lanes_zero());
    struct direction_sets s;
    s.own = lanes_all((int64_t)own);
    s.enemy = lanes_without(all, s.own);
    s.queens = lanes_without(lanes_and(plane[0], plane[1]), plane[2]);
    s.knights = lanes_and(plane[0], plane[2]);
    s.sliders = rays_of(lanes_without(lanes_halves(plane[0], plane[1]), plane[2]));
    s.pawns = rays_up_down(lanes_and(pawns, white), lanes_without(pawns, white));
    s.next = rays_or(s.pawns, rays_of(lanes_and(plane[1], plane[2])));
    s.propagators = propagators_over(all);
    return s;
}

/* ---- Sums -------------------------------------------------------------------------------------------------------- */

/* The squares that one lane has, that two have, and that three have. */
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

/* The sums have four lanes: ours and theirs over the diagonals, and ours and theirs over the straight directions. */
LANES_INLINE struct sums sums_of(struct rays own, struct rays enemy)
{
    const lanes one[2] = {lanes_or(own.up, own.down), lanes_or(enemy.up, enemy.down)};
    const lanes two[2] = {lanes_and(own.up, own.down), lanes_and(enemy.up, enemy.down)};
    const struct sums even = {lanes_even(one[0], one[1]), lanes_even(two[0], two[1]), lanes_zero()};
    const struct sums odd = {lanes_odd(one[0], one[1]), lanes_odd(two[0], two[1]), lanes_zero()};
    return sums_added(even, odd);
}

/* Adds up both halves of a in the lower half, and both halves of b in the upper one. */
LANES_INLINE struct sums halves_added(struct sums a, struct sums b)
{
    const struct sums lower = {lower_halves(a.one, b.one), lower_halves(a.two, b.two), lower_halves(a.three, b.three)};
    const struct sums upper = {upper_halves(a.one, b.one), upper_halves(a.two, b.two), upper_halves(a.three, b.three)};
    return sums_added(lower, upper);
}

/* ---- Precedences ------------------------------------------------------------------------------------------------- */

/* How many attackers there are of the types so far, beginning with the least valuable type. The two lanes are ours and
 * theirs. */
struct counted {
    lane_pair one, two, three;
};

/* Counts another type. Returns two pairs of lanes, ours and theirs: where a piece of the type attacks, and where one
 * does that is not the first attacker. */
LANES_INLINE lanes count_type(struct counted *c, lane_pair one, lane_pair two, lane_pair three)
{
    const lane_pair second = pair_or(two, pair_and(c->one, one));
    c->three = pair_or(pair_or(c->three, three), pair_or(pair_and(c->two, one), pair_and(c->one, two)));
    c->two = pair_or(c->two, second);
    c->one = pair_or(c->one, one);
    return lanes_joined(one, second);
}

/* Finds where pawns attack, ours and theirs: pair[0] has their captures towards the east, and pair[1] those towards the
 * west. */
LANES_INLINE void pawn_pairs(uint64_t black_moves, struct rays attacked, lane_pair pair[2])
{
    const lane_pair white = lower_half(attacked.up), black = lower_half(attacked.down);
    const lane_pair swapped = pair_all((int64_t)black_moves);
    const lane_pair own = pair_select(swapped, black, white), enemy = pair_select(swapped, white, black);
    pair[0] = pair_even(own, enemy);
    pair[1] = pair_odd(own, enemy);
}

/* Finds the precedences of attackers, and how many there are. */
LANES_INLINE void target_attackers(struct attack_tables *m, const struct direction_sets *s,
                                   const struct slider_attacks *r, struct rays pawns_attack, uint64_t black_moves,
                                   uint64_t own_kings, uint64_t enemy_kings)
{
    const struct sums sliding = sums_of(rays_without(r->own, r->queen), rays_without(r->enemy, r->queen));
    const struct sums queens = sums_of(rays_and(r->own, r->queen), rays_and(r->enemy, r->queen));
    const struct sums knights =
        sums_of(knight_rays(lanes_and(s->knights, s->own)), knight_rays(lanes_and(s->knights, s->enemy)));
    const struct sums rest = halves_added(queens, knights), behind = sums_of(r->xray_own, r->xray_enemy);
    const lane_pair xray = pair_or(lower_half(behind.one), upper_half(behind.one));
    const lane_pair xray_two = pair_or(pair_or(lower_half(behind.two), upper_half(behind.two)),
                                       pair_and(lower_half(behind.one), upper_half(behind.one)));
    const lane_pair none = pair_all(0);
    const lane_pair of_king = pair_of((int64_t)seebatch_squares[lowest_bit(own_kings)].king,
                                      (int64_t)seebatch_squares[lowest_bit(enemy_kings)].king);
    lane_pair pawns[2];
    pawn_pairs(black_moves, pawns_attack, pawns);
    struct counted c;
    c.one = c.two = c.three = none;
    const lanes pawn = count_type(&c, pair_or(pawns[0], pawns[1]), pair_and(pawns[0], pawns[1]), none);
    const lanes knight = count_type(&c, upper_half(rest.one), upper_half(rest.two), upper_half(rest.three));
    const lanes bishop = count_type(&c, lower_half(sliding.one), lower_half(sliding.two), lower_half(sliding.three));
    const lanes rook = count_type(&c, upper_half(sliding.one), upper_half(sliding.two), upper_half(sliding.three));
    const lanes pawn_knight = lanes_or(pawn, knight), bishop_rook = lanes_or(bishop, rook);
    lanes_store(m->precedence[2], lanes_or(pawn_knight, bishop_rook));
    const lanes queen = count_type(&c, lower_half(rest.one), lower_half(rest.two), lower_half(rest.three));
    const lanes odd = lanes_or(bishop, lanes_without(queen, rook));
    lanes_store(m->precedence[0], lanes_or(pawn, lanes_without(odd, knight)));
    const lane_pair and_xray = pair_and(c.one, xray);
    const lanes king = count_type(&c, of_king, none, none);
    lanes_store(m->precedence[1], lanes_or(pawn_knight, lanes_without(lanes_or(queen, king), bishop_rook)));
    pair_store(m->three, c.three);
    pair_store(m->xray, pair_even(xray, xray_two));
    m->xray_theirs = pair_second(xray);
    m->two_theirs = pair_second(pair_or(c.two, and_xray));
}

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

LANES_INLINE void store_rays(uint64_t word[8], struct rays a)
{
    lanes_store(word, a.up);
    lanes_store(word + 4, a.down);
}

/* Joins all lanes of both registers in one word. */
LANES_INLINE uint64_t any_ray(struct rays a)
{
    const lanes any = lanes_or(a.up, a.down);
    const lane_pair two = pair_or(lower_half(any), upper_half(any));
    return pair_first(pair_or(two, pair_odd(two, two)));
}

/* Finds the precedences of the pieces on their squares. */
LANES_INLINE void write_pieces(struct attack_tables *m, const uint64_t plane[3], uint64_t own)
{
    const uint64_t queens = plane[0] & plane[1], leapers = plane[2], sliders = plane[0] | plane[1];
    const uint64_t bit[3] = {(plane[0] & ~leapers) | (leapers & ~sliders), leapers | queens,
                             (sliders | leapers) & ~(queens | (leapers & plane[1]))};
    for (int i = 0; i < 3; i++) {
        m->own[i] = bit[i] & own;
        m->enemy[i] = bit[i] & ~own;
    }
}

/* Finds what stands behind the pieces. */
LANES_INLINE void write_lines(struct attack_tables *m, const struct slider_attacks *r)
{
    const struct rays rare = rays_and(r->any, rays_or(r->enemy, rays_or(r->xray_own, r->xray_enemy)));
    store_rays(m->queen, rays_or(r->queen, rare));
    store_rays(m->no_queen, rays_or(rays_without(r->any, r->queen), rare));
}

/* What matters of the rules, as bits, and whether a whole register of moves can be read. */
enum { RULE_PINS = 1, RULE_BEST_ORDER = 2, RULE_PROMOTIONS = 4, RULE_MONOTONIC = 8, MOVES_READABLE = 16 };
enum { RULES_WITH_KINGS = RULE_PINS | RULE_BEST_ORDER };

LANES_INLINE unsigned rule_bits(const struct lane_rules *rules)
{
    return (unsigned)rules->reads_pins * RULE_PINS | (unsigned)rules->best_order * RULE_BEST_ORDER |
           (unsigned)rules->promote_all * RULE_PROMOTIONS | (unsigned)rules->monotonic * RULE_MONOTONIC;
}

/*
 * TABLES_FUNCTION is for functions that serve all rule classes and are not inlined. In the loops that call them, gcc
 * would move all that does not change out of the inner loop, which most often runs once, and keep it in memory for want
 * of registers; that cost more than a tenth of the time. No vectors are passed, so that their upper halves may be
 * cleared before calls.
 */
#define TABLES_FUNCTION static __attribute__((noinline))

/* Finds the squares on which an attacker may be kept from capturing, if kings matter, or may promote, if pawns promote
 * later. */
LANES_INLINE void write_doubts(struct attack_tables *m, const struct direction_sets *s, struct rays pawns_attack,
                               lanes blockers, unsigned rules)
{
    struct rays doubtful = rays_of(lanes_zero());
    m->matter_from = 0;
    if (rules & RULES_WITH_KINGS) {
        const struct rays by_blockers = attacked_by_those_on(s, rays_of(blockers));
        store_rays(m->by_blockers, by_blockers);
        doubtful = rays_or(by_blockers, knight_rays(lanes_and(s->knights, blockers)));
        if (rules & RULE_BEST_ORDER)
            m->matter_from = pair_first(lower_half(blockers));
    }
    if (rules & RULE_PROMOTIONS)
        doubtful = rays_or(doubtful, rays_and(pawns_attack, rays_of(lanes_all((int64_t)(RANK_1 | RANK_8)))));
    m->matter_to = any_ray(doubtful);
}

TABLES_FUNCTION void make_tables(struct attack_tables *m, const seebatch_position *position, int color,
                                 uint64_t blockers, unsigned rules)
{
    /* These are all ones or 0, because branches on the colour would be guessed wrong. */
    const uint64_t black_moves = (uint64_t)0 - (uint64_t)(color != SEEBATCH_WHITE);
    const uint64_t kings = position->plane[1] & position->plane[2];
    const uint64_t own =
        (position->white ^ black_moves) & (position->plane[0] | position->plane[1] | position->plane[2]);
    const struct direction_sets s = direction_sets_of(position, own);
    const struct slider_attacks r = slider_attacks_of(&s);
    const struct rays pawns_attack = attacked_from(s.pawns);
    write_pieces(m, position->plane, own);
    write_lines(m, &r);
    m->second_xray = UINT64_MAX;
    if (!(rules & RULES_WITH_KINGS))
        m->second_xray = any_ray(attacked_by_those_on(&s, rays_or(r.xray_own, r.xray_enemy)));
    if (rules & (RULES_WITH_KINGS | RULE_PROMOTIONS))
        write_doubts(m, &s, pawns_attack, lanes_all((int64_t)blockers), rules);
    target_attackers(m, &s, &r, pawns_attack, black_moves, kings & own, kings & ~own);
}

/* Makes the attack tables of a position for moves of one colour. `blockers` are the squares whose leaving may matter to
 * a king, in each lane. */
LANES_INLINE void attack_tables_of(struct attack_tables *tables, const struct lane_rules *rules,
                                   const seebatch_position *position, int color, lanes blockers)
{
    make_tables(tables, position, color, pair_first(lower_half(blockers)), rule_bits(rules));
}

#endif
