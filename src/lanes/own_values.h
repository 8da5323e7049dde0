/*
 * First moves that have a value of their own under some rules: promotions, en passant and castling that pass at any
 * threshold, and double steps that are answered en passant. The lanes evaluate them by rules that they know, and then
 * the answers are replaced. Which moves these may be, mostly the ranks of their squares tell.
 */
#ifndef SEEBATCH_LANES_OWN_VALUES_H
#define SEEBATCH_LANES_OWN_VALUES_H

#include "chunks.h"
#include "scalar/scalar.h"

static inline bool have_own_values(const seebatch_rules *rules)
{
    return (rules->promotion == SEEBATCH_PROMOTION_ALWAYS) | (rules->en_passant == SEEBATCH_EN_PASSANT_ALWAYS) |
           (rules->castling == SEEBATCH_CASTLING_ALWAYS) |
           (rules->en_passant_replies == SEEBATCH_EN_PASSANT_REPLIES_COUNTED);
}

/* The rules by which lanes evaluate the moves, before the values of some are replaced. */
static inline seebatch_rules rules_without_own_values(const seebatch_rules *rules)
{
    seebatch_rules known = *rules;
    if (known.promotion == SEEBATCH_PROMOTION_ALWAYS)
        known.promotion = SEEBATCH_PROMOTION_ZERO;
    if (known.en_passant == SEEBATCH_EN_PASSANT_ALWAYS)
        known.en_passant = SEEBATCH_EN_PASSANT_ZERO;
    known.castling = SEEBATCH_CASTLING_ZERO;
    known.en_passant_replies = SEEBATCH_EN_PASSANT_REPLIES_IGNORED;
    return known;
}

/* What to look for: bits of promotion that matter, and the ranks of both squares as they stand in a move. */
enum { RANKS_OF_MOVE = 7 << 3 | 7 << 9, RANK_PAIRS = 6, MARKED_AT_ONCE = 16 };
#define RANKS(from, to) ((from) << 3 | (to) << 9)

struct marks {
    uint16_t promotion, ranks[RANK_PAIRS];
};

static inline struct marks marks_of(const seebatch_rules *rules)
{
    static const uint16_t castling[2] = {RANKS(0, 0), RANKS(7, 7)}, en_passant[2] = {RANKS(4, 5), RANKS(3, 2)},
                          replies[2] = {RANKS(1, 3), RANKS(6, 4)};
    struct marks m = {(uint16_t)(rules->promotion == SEEBATCH_PROMOTION_ALWAYS ? 7 << 12 : 0), {0}};
    int n = 0;
    for (int i = 0; i < 2; i++) {
        if (rules->castling == SEEBATCH_CASTLING_ALWAYS)
            m.ranks[n++] = castling[i];
        if (rules->en_passant == SEEBATCH_EN_PASSANT_ALWAYS)
            m.ranks[n++] = en_passant[i];
        if (rules->en_passant_replies == SEEBATCH_EN_PASSANT_REPLIES_COUNTED)
            m.ranks[n++] = replies[i];
    }
    while (n < RANK_PAIRS)
        m.ranks[n++] = 1; /* of no move */
    return m;
}

/* Writes the numbers of those of n moves that may have a value of their own; returns how many there are. Moves are
 * readable up to the next multiple of MARKED_AT_ONCE. */
static inline size_t store_marked(const struct marks *marks, const seebatch_move *move, size_t n, uint16_t *number)
{
    typedef uint16_t words16 __attribute__((vector_size(2 * MARKED_AT_ONCE)));
    size_t n_marked = 0;
    for (size_t k = 0; k < n; k += MARKED_AT_ONCE) {
        words16 moves;
        memcpy(&moves, move + k, sizeof moves);
        const words16 ranks = moves & RANKS_OF_MOVE;
        words16 marked = (words16)((moves & marks->promotion) != 0);
        for (int i = 0; i < RANK_PAIRS; i++)
            marked |= (words16)(ranks == marks->ranks[i]);
        uint64_t four[MARKED_AT_ONCE / 4];
        memcpy(four, &marked, sizeof four);
        for (size_t j = 0; j < MARKED_AT_ONCE / 4; j++)
            for (uint64_t bits = four[j] & UINT64_C(0x0001000100010001); bits; bits &= bits - 1)
                number[n_marked++] = (uint16_t)(k + 4 * j + (size_t)__builtin_ctzll(bits) / 16);
    }
    while (n_marked && number[n_marked - 1] >= n)
        n_marked--;
    return n_marked;
}

/* Whether a first move has a value of its own: only one of a pawn or a king, or a promotion. */
static inline bool find_own_value(const seebatch_rules *rules, const seebatch_position *position, seebatch_move move,
                                  int16_t *value)
{
    const uint64_t pawns_kings = position->plane[2] & ~position->plane[0];
    return (pawns_kings >> seebatch_from(move) & 1 || seebatch_promotion(move)) &&
           seebatch_own_value(rules, position, move, value);
}

/* The same of n moves of a position, MOVES_MARKED at most: their numbers and values. Returns how many there are. */
enum { MOVES_MARKED = 64 };

static inline size_t own_values_of(const seebatch_rules *rules, const struct marks *marks,
                                   const seebatch_position *position, const seebatch_move *moves, size_t n,
                                   uint16_t number[MOVES_MARKED], int16_t value[MOVES_MARKED])
{
    seebatch_move readable[MOVES_MARKED] = {0};
    memcpy(readable, moves, n * sizeof *moves);
    const size_t n_marked = store_marked(marks, readable, n, number);
    size_t n_own = 0;
    for (size_t j = 0; j < n_marked; j++) {
        number[n_own] = number[j];
        n_own += find_own_value(rules, position, moves[number[j]], &value[n_own]);
    }
    return n_own;
}

/* A kernel's functions for one position, under such rules; known: the kernel's for those that lanes know. */
static __attribute__((noinline)) void node_values_with_own(see_node_values *known, const seebatch_rules *rules,
                                                           const seebatch_position *position, const seebatch_pins *pins,
                                                           const seebatch_move *moves, size_t n, int16_t *values)
{
    const seebatch_rules others = rules_without_own_values(rules);
    const struct marks marks = marks_of(rules);
    uint16_t number[MOVES_MARKED];
    int16_t own[MOVES_MARKED];
    known(&others, position, pins, moves, n, values);
    for (size_t k = 0; k < n; k += MOVES_MARKED) {
        const size_t some = n - k < MOVES_MARKED ? n - k : (size_t)MOVES_MARKED;
        const size_t n_own = own_values_of(rules, &marks, position, moves + k, some, number, own);
        for (size_t j = 0; j < n_own; j++)
            values[k + number[j]] = own[j];
    }
}

static __attribute__((noinline)) void node_ge_with_own(see_node_ge *known, const seebatch_rules *rules,
                                                       const seebatch_position *position, const seebatch_pins *pins,
                                                       const seebatch_move *moves, size_t n, const int16_t *thresholds,
                                                       size_t step, uint64_t *mask)
{
    const seebatch_rules others = rules_without_own_values(rules);
    const struct marks marks = marks_of(rules);
    uint16_t number[MOVES_MARKED];
    int16_t own[MOVES_MARKED];
    known(&others, position, pins, moves, n, thresholds, step, mask);
    for (size_t k = 0; k < n; k += MOVES_MARKED) {
        const size_t some = n - k < MOVES_MARKED ? n - k : (size_t)MOVES_MARKED;
        const size_t n_own = own_values_of(rules, &marks, position, moves + k, some, number, own);
        for (size_t j = 0; j < n_own; j++) {
            const uint64_t bit = UINT64_C(1) << number[j];
            mask[k / 64] = own[j] >= thresholds[(k + number[j]) * step] ? mask[k / 64] | bit : mask[k / 64] & ~bit;
        }
    }
}

/* Replaces values of a chunk. */
static __attribute__((noinline)) void replace_own_values(const seebatch_rules *rules, const struct see_chunk *chunk,
                                                         int16_t *values)
{
    const struct marks marks = marks_of(rules);
    uint16_t number[SEE_CHUNK + MARKED_AT_ONCE];
    const size_t n_marked = store_marked(&marks, chunk->move, chunk->n, number);
    for (size_t j = 0; j < n_marked; j++) {
        const uint16_t k = number[j];
        int16_t value;
        if (find_own_value(rules, see_position_of(chunk, k), chunk->move[k], &value))
            values[k] = value;
    }
}

#endif
