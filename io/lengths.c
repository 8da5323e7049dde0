/*
 * The lengths of many exchanges: how many captures there are if no side stops before it has to.
 *
 * Mostly neither pins nor order have a say, and then the length follows from how many attackers each side has: both
 * capture in turns until one has none left. That is so where
 *
 *   no slider of the board as it was would attack the king of the other side if every piece that takes part had left
 *   its square: then none of these pieces is or was pinned under any rules, nor does its leaving give a check;
 *   and no slider stands behind an attacker of the other side, on a line to the square: such a one would join only if
 *   that attacker captured.
 *
 * A king captures last, and only where nothing is left that guards the square. All else goes to
 * seebatch_exchange_length().
 */
#include "lengths.h"

#include <string.h>

#include "inline_attacks.h"

enum { GROUP = 64, AT_ONCE = 8 };

/* An exchange behind its first capture. */
struct exchange_board {
    uint64_t diagonal, straight; /* sliders, those on from and to among them */
    uint64_t occupied;           /* without from and to */
    int to;
};

/* The sliders on the squares that a slider would attack from here if these squares were occupied. */
EACH_PROCESSOR uint64_t sliders_towards(const struct exchange_board *x, int square, uint64_t occupied, bool bits)
{
    return (attacks_on_diagonals(square, occupied, bits) & x->diagonal) |
           (attacks_on_file_and_rank(square, occupied, bits) & x->straight);
}

/* The sliders behind the attackers on lines; 0, and *wrong set, where one stands behind a piece of the other side, or a
 * third one in a line. */
EACH_PROCESSOR uint64_t find_behind(const struct exchange_board *x, uint64_t on_lines, uint64_t white, bool *wrong,
                                    bool bits)
{
    const uint64_t behind = sliders_towards(x, x->to, x->occupied & ~on_lines, bits) & x->occupied & ~on_lines;
    if (behind == 0)
        return 0;
    const uint64_t behind_white = sliders_towards(x, x->to, x->occupied & ~(on_lines & white), bits) & behind,
                   behind_black = sliders_towards(x, x->to, x->occupied & ~(on_lines & ~white), bits) & behind;
    const uint64_t rest = x->occupied & ~(on_lines | behind), third = sliders_towards(x, x->to, rest, bits) & rest;
    *wrong = (behind_white & ~white) | (behind_black & white) | third;
    return behind;
}

/* Captures in turns, the first one made: the other side has n recaptures and the first side has further ones; then the
 * kings. */
EACH_PROCESSOR int length_of_turns(int n, int further, bool king, bool first_king)
{
    const bool first_is_last = n > further; /* the side that runs out of pieces is that of the first capture */
    const int length = first_is_last ? 2 + 2 * further : 1 + 2 * n;
    const bool unguarded = first_is_last ? n == further + 1 && !king : n == further && !first_king;
    return length + (int)(unguarded & (first_is_last ? first_king : king));
}

/* Whether some slider stands on a line with the king of the other side, whatever is between. */
EACH_PROCESSOR bool kings_on_lines(const seebatch_position *p)
{
    const uint64_t *plane = p->plane, occupied = seebatch_occupied(p), kings = plane[1] & plane[2];
    const uint64_t diagonal = plane[0] & ~plane[2], straight = plane[1] & ~plane[2];
    const struct square_sets *white = &square_sets[__builtin_ctzll(kings & p->white)],
                             *black = &square_sets[__builtin_ctzll(kings & ~p->white)];
    const uint64_t on_white = ((white->line[ON_DIAGONAL] | white->line[ON_ANTIDIAGONAL]) & diagonal) |
                              ((white->line[ON_FILE] | white->line[ON_RANK]) & straight),
                   on_black = ((black->line[ON_DIAGONAL] | black->line[ON_ANTIDIAGONAL]) & diagonal) |
                              ((black->line[ON_FILE] | black->line[ON_RANK]) & straight);
    return (on_white & occupied & ~p->white) | (on_black & p->white);
}

/* The length, or 0 where it does not follow from numbers. */
EACH_PROCESSOR int quick_length(const seebatch_position *p, seebatch_move move, bool on_lines_of_kings, bool bits)
{
    const int to = seebatch_to(move);
    const uint64_t *plane = p->plane, from = UINT64_C(1) << seebatch_from(move), target = UINT64_C(1) << to;
    const uint64_t occupied = seebatch_occupied(p), white = p->white;
    const uint64_t own = from & white ? white : occupied & ~white, kings = plane[1] & plane[2];
    const uint64_t gone = from | target;
    if (seebatch_promotion(move) || !(occupied & target))
        return 0;
    if (from & kings)
        return 1;
    const struct exchange_board x = {plane[0] & ~plane[2], plane[1] & ~plane[2], occupied & ~gone, to};
    const uint64_t pawns = plane[2] & ~(plane[0] | plane[1]) & ~gone;
    const uint64_t on_lines = (sliders_towards(&x, to, x.occupied, bits) & x.occupied) |
                              (attacks_of_pawns(target, SEEBATCH_BLACK) & pawns & white) |
                              (attacks_of_pawns(target, SEEBATCH_WHITE) & pawns & ~white);
    const uint64_t knights = square_sets[to].knight & plane[0] & plane[2] & ~gone;
    bool wrong = false;
    const uint64_t capturers = on_lines | knights | find_behind(&x, on_lines, white, &wrong, bits);
    if (on_lines_of_kings) {
        const uint64_t stays = (x.occupied & ~capturers) | target;
        const int white_king = __builtin_ctzll(kings & white), black_king = __builtin_ctzll(kings & ~white);
        wrong |= ((sliders_towards(&x, white_king, stays, bits) & ~white) |
                  (sliders_towards(&x, black_king, stays, bits) & white)) != 0;
    }
    if (wrong)
        return 0;
    const uint64_t near = square_sets[to].king & kings;
    return length_of_turns(__builtin_popcountll(capturers & ~own), __builtin_popcountll(capturers & own),
                           (near & ~own) != 0, (near & own) != 0);
}

/* Those of a group of positions at most, in one loop over all their captures: how many a position has cannot be
 * guessed.
 */
EACH_PROCESSOR void write_lengths(const seebatch_rules *rules, const seebatch_batch *batch, uint8_t *lengths,
                                  size_t first, size_t n, bool bits)
{
    const seebatch_position *positions = batch->positions + first;
    const size_t *offsets = batch->offsets + first, begin = offsets[0];
    uint8_t owners[GROUP * SEEBATCH_MAX_MOVES + AT_ONCE];
    bool on_lines_of_kings[GROUP];
    for (size_t i = 0; i < n; i++) {
        size_t at = offsets[i] - begin;
        on_lines_of_kings[i] = kings_on_lines(&positions[i]);
        do /* the next position's are written over the rest */
            memset(owners + at, (int)i, AT_ONCE);
        while ((at += AT_ONCE) < offsets[i + 1] - begin);
    }
    for (size_t k = begin; k < offsets[n]; k++) {
        const size_t i = owners[k - begin];
        const int length = quick_length(&positions[i], batch->moves[k], on_lines_of_kings[i], bits);
        lengths[k - batch->offsets[0]] =
            (uint8_t)(length != 0 ? length : seebatch_exchange_length(rules, &positions[i], batch->moves[k]));
    }
}

static size_t size_of_group(const seebatch_batch *batch, size_t first)
{
    return batch->n_positions - first < GROUP ? batch->n_positions - first : GROUP;
}

static void lengths_by_loops(const seebatch_rules *rules, const seebatch_batch *batch, uint8_t *lengths)
{
    for (size_t i = 0; i < batch->n_positions; i += GROUP)
        write_lengths(rules, batch, lengths, i, size_of_group(batch, i), false);
}

WITH_BITS static void lengths_by_bits(const seebatch_rules *rules, const seebatch_batch *batch, uint8_t *lengths)
{
    for (size_t i = 0; i < batch->n_positions; i += GROUP)
        write_lengths(rules, batch, lengths, i, size_of_group(batch, i), true);
}

void seebatch_io_find_lengths(const seebatch_rules *rules, const seebatch_batch *batch, uint8_t *lengths)
{
    if (rules->pins > SEEBATCH_PINS_LEGAL) /* pins along rays hold pieces before the other king, too */
        seebatch_batch_lengths(rules, batch, lengths, NULL);
    else if (HAS_QUICK_BITS)
        lengths_by_bits(rules, batch, lengths);
    else
        lengths_by_loops(rules, batch, lengths);
}
