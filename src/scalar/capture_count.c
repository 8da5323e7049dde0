/*
 * The lengths of many exchanges: how many captures there are if no side stops before it has to.
 *
 * In most exchanges neither pins nor the order matter, and the length then follows from the numbers of attackers:
 * both sides capture in turns until one has none left. This is so if
 *
 *   each side has one king, and no slider of the board as it was would attack the king of the other side if every piece
 *   that takes part had left its square: then none of these pieces is or was pinned under any rules, nor does its
 *   leaving give a check or uncover a guard behind a king. Where each capture has to be legal, a first move by another
 *   piece than the king has captured what else attacks him;
 *   and no slider stands behind an attacker of the other side, on a line to the square: such a one would join only if
 *   that attacker captured.
 *
 * A king captures last, and only where nothing is left that guards the square. All else, and all under the rules whose
 * pins run along rays, which hold pieces before the other king, too, goes to seebatch_exchange_length().
 */
#include "board/attacks.h"
#include "dispatch/kernel.h"
#include "api/rules.h"

#include <string.h>

/* How many positions and moves are looked at in one loop. */
enum { POSITIONS_AT_ONCE = 64, MOVES_AT_ONCE = 2048, NOTED_AT_ONCE = 8 };

/* What a position's kings leave to look at. */
enum kings {
    KINGS_APART, /* nothing: each is off the lines of the other side's sliders */
    KINGS_ON_LINES,
    KINGS_IN_THE_WAY /* its exchanges go one by one */
};

/* An exchange after its first capture. */
struct counted_exchange {
    uint64_t diagonal, straight; /* sliders, those on from and to among them */
    uint64_t occupied;           /* without from and to */
    int to;
};

/* The sliders on the squares that a slider would attack from here if these squares were occupied. */
static inline uint64_t sliders_towards(const struct counted_exchange *x, int square, uint64_t occupied)
{
    return (bishop_attacks(square, occupied) & x->diagonal) | (rook_attacks(square, occupied) & x->straight);
}

/* The sliders behind the attackers on lines; 0, and *wrong set, where one stands behind a piece of the other side, or a
 * third one in a line. */
static inline uint64_t find_behind(const struct counted_exchange *x, uint64_t on_lines, uint64_t white, bool *wrong)
{
    const uint64_t behind = sliders_towards(x, x->to, x->occupied & ~on_lines) & x->occupied & ~on_lines;
    if (behind == 0)
        return 0;
    const uint64_t behind_white = sliders_towards(x, x->to, x->occupied & ~(on_lines & white)) & behind,
                   behind_black = sliders_towards(x, x->to, x->occupied & ~(on_lines & ~white)) & behind;
    const uint64_t rest = x->occupied & ~(on_lines | behind), third = sliders_towards(x, x->to, rest) & rest;
    *wrong = (behind_white & ~white) | (behind_black & white) | third;
    return behind;
}

/* Captures in turns, the first one made: the other side has n recaptures and the first side has further ones; then the
 * kings. */
static inline int capture_count_of(int n, int further, bool king, bool first_king)
{
    const bool first_is_last = n > further; /* the side that runs out of pieces is that of the first capture */
    const int length = first_is_last ? 2 + 2 * further : 1 + 2 * n;
    const bool unguarded = first_is_last ? n == further + 1 && !king : n == further && !first_king;
    return length + (int)(unguarded & (first_is_last ? first_king : king));
}

static inline enum kings state_of_kings(const seebatch_position *p)
{
    const uint64_t *plane = p->plane, occupied = seebatch_occupied(p), kings = plane[1] & plane[2];
    const uint64_t white_king = kings & p->white, black_king = kings & ~p->white;
    if (!white_king || !black_king || (white_king & (white_king - 1)) || (black_king & (black_king - 1)))
        return KINGS_IN_THE_WAY;
    const struct see_square *white = &seebatch_squares[lowest_square(white_king)],
                            *black = &seebatch_squares[lowest_square(black_king)];
    const uint64_t diagonal = plane[0] & ~plane[2], straight = plane[1] & ~plane[2];
    const uint64_t on_white = sliders_on_lines(white, diagonal, straight),
                   on_black = sliders_on_lines(black, diagonal, straight);
    return (on_white & occupied & ~p->white) | (on_black & p->white) ? KINGS_ON_LINES : KINGS_APART;
}

/* The length, or 0 if it does not follow from numbers. */
static inline int counted_length(const seebatch_position *p, seebatch_move move, enum kings kings_state)
{
    const int to = seebatch_to(move);
    const uint64_t *plane = p->plane, from = square_bb(seebatch_from(move)), target = square_bb(to);
    const uint64_t occupied = seebatch_occupied(p), white = p->white;
    const uint64_t own = from & white ? white : occupied & ~white, kings = plane[1] & plane[2];
    const uint64_t gone = from | target;
    if (seebatch_promotion(move) || !(occupied & ~own & target) || kings_state == KINGS_IN_THE_WAY)
        return 0;
    if (from & kings)
        return 1;
    const struct counted_exchange x = {plane[0] & ~plane[2], plane[1] & ~plane[2], occupied & ~gone, to};
    const uint64_t pawns = plane[2] & ~(plane[0] | plane[1]) & ~gone;
    const uint64_t on_lines = (sliders_towards(&x, to, x.occupied) & x.occupied) |
                              (pawn_attacks(SEEBATCH_BLACK, to) & pawns & white) |
                              (pawn_attacks(SEEBATCH_WHITE, to) & pawns & ~white);
    const uint64_t knights = knight_attacks(to) & plane[0] & plane[2] & ~gone;
    bool wrong = false;
    const uint64_t capturers = on_lines | knights | find_behind(&x, on_lines, white, &wrong);
    if (kings_state == KINGS_ON_LINES) {
        const uint64_t stays = (x.occupied & ~capturers) | target;
        const int white_king = lowest_square(kings & white), black_king = lowest_square(kings & ~white);
        wrong |=
            ((sliders_towards(&x, white_king, stays) & ~white) | (sliders_towards(&x, black_king, stays) & white)) != 0;
    }
    if (wrong)
        return 0;
    const uint64_t near = king_attacks(to) & kings;
    return capture_count_of(__builtin_popcountll(capturers & ~own), __builtin_popcountll(capturers & own),
                            (near & ~own) != 0, (near & own) != 0);
}

/* Of one position after the other. */
static void find_one_by_one(const seebatch_rules *rules, const seebatch_batch *batch, uint8_t *lengths)
{
    for (size_t i = 0; i < batch->n_positions; i++)
        for (size_t k = batch->offsets[i]; k < batch->offsets[i + 1]; k++)
            lengths[k - batch->offsets[0]] =
                (uint8_t)seebatch_exchange_length(rules, &batch->positions[i], batch->moves[k]);
}

/* The lengths for POSITIONS_AT_ONCE positions with at most MOVES_AT_ONCE captures, in one loop over all captures,
 * because the number of captures of a position cannot be predicted. */
static void find_group(const seebatch_rules *rules, const seebatch_batch *batch, uint8_t *lengths)
{
    const size_t *offsets = batch->offsets, begin = offsets[0], end = offsets[batch->n_positions];
    uint8_t owners[MOVES_AT_ONCE + NOTED_AT_ONCE], states[POSITIONS_AT_ONCE];
    for (size_t i = 0; i < batch->n_positions; i++) {
        size_t at = offsets[i] - begin;
        states[i] = (uint8_t)state_of_kings(&batch->positions[i]);
        do /* the moves of the next position overwrite the rest */
            memset(owners + at, (int)i, NOTED_AT_ONCE);
        while ((at += NOTED_AT_ONCE) < offsets[i + 1] - begin);
    }
    for (size_t k = begin; k < end; k++) {
        const size_t i = owners[k - begin];
        const int length = counted_length(&batch->positions[i], batch->moves[k], (enum kings)states[i]);
        lengths[k - begin] =
            (uint8_t)(length ? length : seebatch_exchange_length(rules, &batch->positions[i], batch->moves[k]));
    }
}

void seebatch_scalar_lengths(const seebatch_rules *rules, const seebatch_batch *batch, uint8_t *lengths)
{
    const size_t *offsets = batch->offsets;
    const bool rays = see_rules_are_ray(rules);
    for (size_t i = 0, first = 0; i < batch->n_positions; first = i) {
        while (i < batch->n_positions && i - first < POSITIONS_AT_ONCE &&
               offsets[i + 1] - offsets[first] <= MOVES_AT_ONCE)
            i++;
        const bool counts = i > first && !rays;
        i += i == first;
        const seebatch_batch group = {batch->positions + first, i - first, offsets + first, batch->moves, NULL};
        (counts ? find_group : find_one_by_one)(rules, &group, lengths + (offsets[first] - offsets[0]));
    }
}
