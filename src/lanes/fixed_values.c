/*
 * Finds the first moves that have a fixed value (fixed_values.h), and replaces their values.
 *
 * Such moves are rare, so they are looked for in three steps, each of which checks only the moves that are left by the
 * one before: first by the ranks of both squares, for many moves at once; then by the pieces that stand on them; and
 * last by the scalar code, which gives the value.
 */
#include "fixed_values.h"
#include "board/attacks.h"
#include "scalar/scalar.h"

seebatch_rules seebatch_without_fixed_values(const seebatch_rules *rules)
{
    seebatch_rules others = *rules;
    if (others.promotion != SEEBATCH_PROMOTION_EVALUATED)
        others.promotion = SEEBATCH_PROMOTION_ZERO;
    if (others.en_passant == SEEBATCH_EN_PASSANT_ALWAYS)
        others.en_passant = SEEBATCH_EN_PASSANT_ZERO;
    others.castling = SEEBATCH_CASTLING_ZERO;
    others.en_passant_replies = SEEBATCH_EN_PASSANT_REPLIES_IGNORED;
    return others;
}

#define RANKS(from, to) (uint16_t)((from) << 3 | (to) << 9)
#define NO_RANKS (uint16_t)1 /* no move has this number, and see_marked() clears its bit */

static struct see_marks marks_of(const seebatch_rules *rules)
{
    struct see_marks m;
    m.promotion = rules->promotion > SEEBATCH_PROMOTION_ZERO ? 7 << 12 : 0;
    m.castling = rules->castling != SEEBATCH_CASTLING_ZERO ? RANKS(0, 0) : NO_RANKS;
    m.en_passant = rules->en_passant == SEEBATCH_EN_PASSANT_ALWAYS ? RANKS(3, 2) : NO_RANKS;
    m.double_step = rules->en_passant_replies == SEEBATCH_EN_PASSANT_REPLIES_COUNTED ? RANKS(1, 3) : NO_RANKS;
    return m;
}

/* The function marked() for n moves, fewer than SEE_MARKED. */
static uint64_t marked_of_last(see_find_marked *marked, const struct see_marks *marks, const seebatch_move *move,
                               const int16_t *value, size_t n)
{
    seebatch_move moves[SEE_MARKED] = {0};
    int16_t values[SEE_MARKED] = {0};
    memcpy(moves, move, n * sizeof *move);
    memcpy(values, value, n * sizeof *value);
    return marked(marks, moves, values) & ((UINT64_C(1) << n) - 1);
}

/* Whether a move is a promotion, castling, a capture en passant, or a double step past an enemy pawn. There is no
 * branch, because a processor could not guess which of the moves that come here are one of these. */
static inline bool may_have_fixed_value(const seebatch_position *p, seebatch_move move)
{
    const int from = seebatch_from(move), to = seebatch_to(move);
    const uint64_t all = seebatch_occupied(p), to_bit = square_bb(to);
    const uint64_t kings = p->plane[1] & p->plane[2], pawns = p->plane[2] & ~(p->plane[0] | p->plane[1]);
    const uint64_t own = p->white ^ (p->white >> from & 1 ? 0 : all);
    const uint64_t beside = ((to_bit & ~FILE_A) >> 1) | ((to_bit & ~FILE_H) << 1);
    const bool castles = (kings >> from & 1) & (((own & to_bit) != 0) | (from - to == 2) | (to - from == 2));
    const bool en_passant = (((from ^ to) & 7) != 0) & !(all & to_bit);
    const bool passes = (pawns >> from & 1) & (en_passant | (((from ^ to) == 16) & ((beside & pawns & ~own) != 0)));
    return castles | passes | (seebatch_promotion(move) != 0);
}

/* Only moves of pawns and kings may have a fixed value. */
static inline bool moves_pawn_or_king(const seebatch_position *p, seebatch_move move)
{
    return (p->plane[2] & ~p->plane[0]) >> seebatch_from(move) & 1;
}

void seebatch_replace_fixed_values(const seebatch_rules *rules, const struct see_chunk *chunk, see_find_marked *marked,
                                   int16_t *values)
{
    const struct see_marks marks = marks_of(rules);
    uint16_t number[SEE_CHUNK];
    size_t n = 0, n_moved = 0, n_own = 0;
    for (size_t k = 0; k < chunk->n; k += SEE_MARKED) {
        const bool whole = chunk->n - k >= SEE_MARKED;
        for (uint64_t bits = whole ? marked(&marks, chunk->move + k, values + k)
                                   : marked_of_last(marked, &marks, chunk->move + k, values + k, chunk->n - k);
             bits; bits &= bits - 1)
            number[n++] = (uint16_t)(k + (size_t)__builtin_ctzll(bits));
    }
    for (size_t j = 0; j < n; j++) {
        const uint16_t k = number[j];
        number[n_moved] = k;
        n_moved += moves_pawn_or_king(see_position_of(chunk, k), chunk->move[k]);
    }
    for (size_t j = 0; j < n_moved; j++) {
        const uint16_t k = number[j];
        number[n_own] = k;
        n_own += may_have_fixed_value(see_position_of(chunk, k), chunk->move[k]);
    }
    for (size_t j = 0; j < n_own; j++) {
        const uint16_t k = number[j];
        int16_t value;
        if (seebatch_fixed_value(rules, see_position_of(chunk, k), chunk->move[k], &value))
            values[k] = value;
    }
}

/* The pawns of White on a rank, and those of Black on the rank that is the same for Black. */
static inline uint64_t pawns_on(const seebatch_position *p, uint64_t pawns, int rank)
{
    return pawns & ((p->white & RANK_1 << 8 * rank) | (~p->white & RANK_8 >> 8 * rank));
}

/* The squares of a position from which moves may have a fixed value. Often there are none. */
static uint64_t squares_to_ask(const seebatch_rules *rules, const seebatch_position *p)
{
    const uint64_t pawns = p->plane[2] & ~(p->plane[0] | p->plane[1]);
    uint64_t squares = rules->castling != SEEBATCH_CASTLING_ZERO ? p->plane[1] & p->plane[2] : 0;
    if (rules->promotion > SEEBATCH_PROMOTION_ZERO)
        squares |= pawns_on(p, pawns, 6);
    if (rules->en_passant == SEEBATCH_EN_PASSANT_ALWAYS)
        squares |= pawns_on(p, pawns, 4);
    if (rules->en_passant_replies == SEEBATCH_EN_PASSANT_REPLIES_COUNTED) {
        const uint64_t takers = pawns_on(p, pawns, 4); /* after a double step they stand beside it */
        const uint64_t beside = ((takers & ~FILE_A) >> 1) | ((takers & ~FILE_H) << 1);
        squares |= pawns_on(p, pawns, 1) & (beside >> 16 | beside << 16);
    }
    return squares;
}

enum { MOVES_OF_WORD = 64 };

/* A move of a position that has a fixed value. */
struct fixed_value {
    size_t k; /* the number of the move */
    int16_t value;
};

/* Finds those of up to MOVES_OF_WORD moves that have a fixed value; the first of the moves has number k. Returns how
 * many there are. */
static size_t find_fixed_values(const seebatch_rules *rules, const seebatch_position *position,
                                const seebatch_move *moves, size_t k, size_t n, struct fixed_value found[MOVES_OF_WORD])
{
    const uint64_t squares = squares_to_ask(rules, position);
    uint8_t number[MOVES_OF_WORD]; /* of the moves from those squares */
    size_t n_asked = 0, n_found = 0;
    for (size_t i = 0; squares && i < n; i++) {
        number[n_asked] = (uint8_t)i;
        n_asked += squares >> seebatch_from(moves[k + i]) & 1;
    }
    for (size_t j = 0; j < n_asked; j++) {
        const seebatch_move move = moves[k + number[j]];
        found[n_found].k = k + number[j];
        if (may_have_fixed_value(position, move) && seebatch_fixed_value(rules, position, move, &found[n_found].value))
            n_found++;
    }
    return n_found;
}

static size_t at_most_word(size_t n) { return n < MOVES_OF_WORD ? n : (size_t)MOVES_OF_WORD; }

void seebatch_fixed_position_values(see_position_values *kernel, const seebatch_rules *rules,
                                    const seebatch_position *position, const seebatch_pins *pins,
                                    const seebatch_move *moves, size_t n, int16_t *values)
{
    const seebatch_rules others = seebatch_without_fixed_values(rules);
    struct fixed_value found[MOVES_OF_WORD];
    kernel(&others, position, pins, moves, n, values);
    for (size_t k = 0; k < n; k += MOVES_OF_WORD) {
        const size_t n_found = find_fixed_values(rules, position, moves, k, at_most_word(n - k), found);
        for (size_t j = 0; j < n_found; j++)
            values[found[j].k] = found[j].value;
    }
}

void seebatch_fixed_position_ge(see_position_ge *kernel, const seebatch_rules *rules, const seebatch_position *position,
                                const seebatch_pins *pins, const seebatch_move *moves, size_t n,
                                const int16_t *thresholds, size_t step, uint64_t *mask)
{
    const seebatch_rules others = seebatch_without_fixed_values(rules);
    struct fixed_value found[MOVES_OF_WORD];
    kernel(&others, position, pins, moves, n, thresholds, step, mask);
    for (size_t k = 0; k < n; k += MOVES_OF_WORD) {
        const size_t n_found = find_fixed_values(rules, position, moves, k, at_most_word(n - k), found);
        for (size_t j = 0; j < n_found; j++) {
            const uint64_t bit = UINT64_C(1) << found[j].k % 64;
            uint64_t *word = &mask[found[j].k / 64];
            *word = found[j].value >= thresholds[found[j].k * step] ? *word | bit : *word & ~bit;
        }
    }
}
