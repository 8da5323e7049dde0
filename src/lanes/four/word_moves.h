/*
 * Decides the moves of a position by its attack tables (attack_words.h), 32 moves at a time with a byte for each.
 * decide_position() in lanes/batch.h calls decide_moves(). docs/internals/algorithm.md says how moves read the words of
 * the tables. Moves that the decision leaves pending, and rare moves, are evaluated like single queries, in a register
 * or by the scalar code.
 */
#ifndef SEEBATCH_LANES_FOUR_WORD_MOVES_H
#define SEEBATCH_LANES_FOUR_WORD_MOVES_H

#include "attack_words.h"

enum { MOVES_AT_ONCE = 32 /* at a time */ };

/* The number of moves from which attack tables pay: TABLES_FROM for each position of a chunk, TABLES_FROM_ONE for a
 * single position. These are the rows TABLES_FROM and TABLES_FROM_ONE of the last table in docs/internals/lanes.md, with
 * words as the board. */
enum { TABLES_FROM = 11, TABLES_FROM_ONE = 9 };

/* The number of pending moves of one position up to which the scalar code evaluates them; none go there where every
 * capture must be legal, because the scalar code searches then. This is the row PENDING_TO_SCALAR of the last table in
 * docs/internals/lanes.md, for words. */
enum { PENDING_TO_SCALAR = 2 };

/* Writes the numbers of the moves whose bit is set, plus k, one after another; writes two whatever their number, as
 * most positions have no more. Returns how many there are. */
LANES_INLINE size_t store_numbers_of_moves(uint16_t *number, size_t k, uint64_t bits)
{
    const size_t n = (size_t)__builtin_popcountll(bits);
    size_t i = 0;
    do {
        for (int two = 0; two < 2; two++, bits &= bits - 1)
            number[i++] = (uint16_t)(k + lowest_bit(bits));
    } while (__builtin_expect(i < n, 0));
    return n;
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

/* A set of 32 values of 16 bits in two registers, for 32 moves with a byte each. */
struct values32 {
    lanes half[2];
};

LANES_INLINE struct values32 values_of(struct value_lookup t, lanes index)
{
    const lanes low = bytes_lookup(t.low, index), high = bytes_lookup(t.high, index);
    struct values32 values;
    values.half[0] = bytes_to_words(low, high, 0);
    values.half[1] = bytes_to_words(low, high, 1);
    return values;
}

/* The values of the rules, looked up by precedence: those of pieces, and those of the least valuable attackers w
 * (theirs) and u (ours) as docs/internals/algorithm.md has them. */
struct decision_values {
    struct value_lookup piece, theirs, ours;
};

LANES_INLINE struct decision_values decision_values_of(const struct lane_rules *rules)
{
    const int16_t *v = rules->scalar->value;
    const int16_t p = v[SEEBATCH_PAWN], n = v[SEEBATCH_KNIGHT], b = v[SEEBATCH_BISHOP], r = v[SEEBATCH_ROOK],
                  q = v[SEEBATCH_QUEEN];
    struct decision_values values;
    values.piece = make_value_lookup(0, 0, 0, q, r, b, n, p);
    /* If no piece of theirs attacks, this counts twice as much as a king, so that nothing is lost even if we have no
     * attacker. */
    values.theirs = make_value_lookup(INT16_MIN, 0, KING_VALUE, q, r, b, n, p);
    values.ours = make_value_lookup(KING_VALUE, 0, KING_VALUE, q, r, b, n, p);
    return values;
}

/* ---- Squares ----------------------------------------------------------------------------------------------------- */

LANES_INLINE lanes bytes_empty(lanes a) { return bytes_equal(a, lanes_zero()); }
LANES_INLINE lanes bytes_not(lanes a) { return lanes_xor(a, bytes_all(-1)); }

/* The squares of 32 moves. `bit` has the bit of the square's file, for a byte that is a rank of a word. */
struct squares32 {
    lanes file, rank, bit;
};

LANES_INLINE struct squares32 squares32_of(lanes square)
{
    const lanes seven = bytes_all(7);
    struct squares32 s;
    s.file = lanes_and(square, seven);
    s.rank = lanes_and(words_shift_right(square, 3), seven);
    s.bit = bytes_lookup(bytes_table(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0), s.file);
    return s;
}

/* Whether the bit of each move's square is set in a word. */
LANES_INLINE lanes has_bit(uint64_t word, const struct squares32 *s)
{
    return bytes_have_bit(bytes_lookup(lanes_all((int64_t)word), s->rank), s->bit);
}

/* Makes a number of three bits at each move's square. Each bit has a word. */
LANES_INLINE lanes number_of(uint64_t bit0, uint64_t bit1, uint64_t bit2, const struct squares32 *s)
{
    return bytes_number(has_bit(bit0, s), has_bit(bit1, s), has_bit(bit2, s));
}

/* The directions of 32 moves, as places in the tables of directions. Four tables of two words each hold the eight
 * directions; a place is negative in the three tables that do not have the move's direction. */
struct directions32 {
    lanes index[4];
    lanes same_file;
    lanes slider; /* the precedence of a slider that goes in this direction and is no queen */
};

LANES_INLINE struct directions32 directions_of(const struct squares32 *from, const struct squares32 *to, lanes mover)
{
    enum { NO = -128 };
    const lanes eastward = bytes_table(0, 1, 1, 1, 1, 1, 1, 1, 0, 2, 2, 2, 2, 2, 2, 2);
    const lanes upward = bytes_table(0, 4, 4, 4, 4, 4, 4, 4, 0, 8, 8, 8, 8, 8, 8, 8);
    const lanes fifteen = bytes_all(15);
    const lanes files = lanes_and(bytes_sub(to->file, from->file), fifteen);
    const lanes ranks = lanes_and(bytes_sub(to->rank, from->rank), fifteen);
    const lanes key = lanes_or(bytes_lookup(eastward, files), bytes_lookup(upward, ranks));
    const lanes rank =
        lanes_or(from->rank, bytes_lookup(bytes_table(NO, 0, NO, 0, 0, 0, NO, 0, 0, 0, 0, 0, 0, 0, 0, 0), mover));
    /* These are looked up by a key: 1 east, 2 west, 4 north, 8 south. */
    const lanes places[4] = {bytes_table(NO, NO, NO, NO, NO, 0, 8, NO, NO, NO, NO, NO, NO, NO, NO, NO),
                             bytes_table(NO, 8, NO, NO, 0, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO),
                             bytes_table(NO, NO, NO, NO, NO, NO, NO, NO, NO, 8, 0, NO, NO, NO, NO, NO),
                             bytes_table(NO, NO, 8, NO, NO, NO, NO, NO, 0, NO, NO, NO, NO, NO, NO, NO)};
    struct directions32 d;
    for (int i = 0; i < 4; i++)
        d.index[i] = lanes_or(rank, bytes_lookup(places[i], key));
    d.same_file = bytes_empty(files);
    d.slider = bytes_lookup(bytes_table(0, PRECEDENCE_ROOK, PRECEDENCE_ROOK, 0, PRECEDENCE_ROOK, PRECEDENCE_BISHOP,
                                        PRECEDENCE_BISHOP, 0, PRECEDENCE_ROOK, PRECEDENCE_BISHOP, PRECEDENCE_BISHOP, 0,
                                        0, 0, 0, 0),
                            key);
    return d;
}

/* Whether the bit of each move's square is set in the word of the move's direction. */
LANES_INLINE lanes has_bit_along(const uint64_t word[8], const struct directions32 *d, const struct squares32 *from)
{
    lanes bits = lanes_zero();
    for (int i = 0; i < 4; i++)
        bits = bytes_lookup_or(load_table(word + 2 * i), d->index[i], bits);
    return bytes_have_bit(bits, from->bit);
}

/* ---- Decision ---------------------------------------------------------------------------------------------------- */

/* The attackers of the to-squares of 32 moves. two_ours and the members after it are masks. xray_ours and xray_theirs
 * say whether there are x-ray sliders, without the one that the move uncovers. two_ours is also set if we have an x-ray
 * slider and no other attacker, because x-ray sliders have no precedence here. */
struct attackers32 {
    lanes theirs, their_second, ours; /* precedences */
    lanes two_ours, two_theirs, three_theirs;
    lanes xray_ours, xray_theirs;
};

/* Finds the attackers after the move. `mover` has the precedence of the moving piece, or -1 for a pawn's move straight
 * ahead, which does not come from an attacker; `newcomer` has the precedence of the slider of ours that the move
 * uncovers, or 0. */
LANES_INLINE struct attackers32 attackers_of(const struct attack_tables *m, const struct squares32 *to, lanes mover,
                                             lanes newcomer)
{
    const uint64_t *bit0 = m->precedence[0], *bit1 = m->precedence[1], *bit2 = m->precedence[2];
    const lanes least = number_of(bit0[OWN], bit1[OWN], bit2[OWN], to);
    const lanes second = number_of(bit0[OWN + 2], bit1[OWN + 2], bit2[OWN + 2], to);
    const lanes uncovered = bytes_positive(newcomer), attacks = bytes_positive(mover);
    const lanes others = lanes_select(bytes_equal(mover, least), second, least);
    struct attackers32 a;
    a.theirs = number_of(bit0[ENEMY], bit1[ENEMY], bit2[ENEMY], to);
    a.their_second = number_of(bit0[ENEMY + 2], bit1[ENEMY + 2], bit2[ENEMY + 2], to);
    a.three_theirs = has_bit(m->three[ENEMY], to);
    a.xray_theirs = has_bit(m->xray_theirs, to);
    a.two_theirs = has_bit(m->two_theirs, to);
    /* If one is uncovered, there must be two: the second word of the table. */
    const lanes two_words = load_table(m->xray);
    const lanes which = lanes_or(to->rank, lanes_and(lanes_and(uncovered, attacks), bytes_all(8)));
    a.xray_ours = bytes_have_bit(bytes_lookup(two_words, which), to->bit);
    a.ours = bytes_max(others, newcomer);

    const lanes two = lanes_select(attacks, has_bit(m->three[OWN], to), bytes_positive(second));
    const lanes one = bytes_positive(others);
    a.two_ours = lanes_or(lanes_or(two, a.xray_ours), lanes_and(one, uncovered));
    return a;
}

/* Writes 32 values: the lower bound where `loses_all` is set, elsewhere the upper one. Returns the moves whose bounds
 * are equal or lie on the same side of their thresholds. */
LANES_INLINE lanes write_values32(const struct decision_values *values, lanes mover, lanes target,
                                  const struct attackers32 *a, lanes loses_all, const int16_t *threshold,
                                  int16_t *value)
{
    const struct values32 gain = values_of(values->piece, target), victim = values_of(values->piece, mover);
    const struct values32 w = values_of(values->theirs, a->theirs), u = values_of(values->ours, a->ours);
    const struct values32 x =
        values_of(values->theirs, lanes_without(a->their_second, lanes_or(a->xray_ours, a->xray_theirs)));
    lanes least[2], most[2], meet[2], unsure[2];
    for (int i = 0; i < 2; i++) {
        const lanes lower = bytes_to_words(loses_all, loses_all, i);
        const lanes won = value_saturating_sub(w.half[i], value_saturating_sub(u.half[i], x.half[i]));
        const lanes loses_least = value_saturating_sub(victim.half[i], won);
        const lanes loses_most = value_saturating_sub(victim.half[i], value_saturating_sub(w.half[i], u.half[i]));
        least[i] = words_sub(gain.half[i], loses_most);
        most[i] = words_sub(gain.half[i], loses_least);
        meet[i] = words_equal(loses_least, loses_most);
        lanes_store(value + 16 * i, lanes_select(lower, least[i], most[i]));
    }
    const lanes same = bytes_of_masks(meet[0], meet[1]);
    if (!threshold)
        return same;
    for (int i = 0; i < 2;
         i++) { /* bounds on the same side of the threshold are enough, and the value is one of them */
        const lanes against = lanes_load(threshold + 16 * i);
        unsure[i] = lanes_without(words_greater(against, least[i]), words_greater(against, most[i]));
    }
    return lanes_or(same, bytes_not(bytes_of_masks(unsure[0], unsure[1])));
}

TABLES_FUNCTION uint64_t decide32(const struct decision_values *values, const struct attack_tables *tables,
                                  const seebatch_move *move, size_t n, const int16_t *threshold, int16_t *value,
                                  unsigned rules)
{
    lanes half[2];
    load_moves(move, n, rules & MOVES_READABLE, half);
    const lanes square = words_all(63);
    const lanes to_bits = bytes_of_words(words_shift_right(half[0], 6), words_shift_right(half[1], 6));
    const struct squares32 from = squares32_of(bytes_of_words(lanes_and(half[0], square), lanes_and(half[1], square)));
    const struct squares32 to = squares32_of(to_bits); /* Bits 6 and 7 name a promotion, and are not needed here. */
    const lanes mover = number_of(tables->own[0], tables->own[1], tables->own[2], &from);
    const lanes target = number_of(tables->enemy[0], tables->enemy[1], tables->enemy[2], &to);
    const struct directions32 direction = directions_of(&from, &to, mover);

    /* A pawn does not attack straight ahead. */
    const lanes pawn = bytes_equal(mover, bytes_all(PRECEDENCE_PAWN)),
                king = bytes_equal(mover, bytes_all(PRECEDENCE_KING));
    const lanes attacker = lanes_or(mover, lanes_and(pawn, direction.same_file));
    const lanes queen = has_bit_along(tables->queen, &direction, &from);
    const lanes no_queen = has_bit_along(tables->no_queen, &direction, &from);
    const lanes newcomer =
        lanes_or(lanes_and(queen, bytes_all(PRECEDENCE_QUEEN)), lanes_and(no_queen, direction.slider));
    const struct attackers32 a = attackers_of(tables, &to, attacker, newcomer);

    /* The decision of lanes/decide.h, with the further one. */
    const lanes any_xray = lanes_or(a.xray_ours, a.xray_theirs);
    const lanes none_ours = lanes_without(bytes_empty(a.ours), a.xray_ours);
    const lanes goes_on = lanes_without(a.two_theirs, lanes_without(a.two_ours, a.three_theirs));
    const lanes loses_all = lanes_or(none_ours, goes_on);
    lanes bounds_do = write_values32(values, mover, target, &a, loses_all, threshold, value);
    if (!(rules & RULE_MONOTONIC))
        bounds_do = lanes_without(bounds_do, any_xray);
    const lanes alone = bytes_not(lanes_and(a.two_ours, a.two_theirs));
    lanes resolved = lanes_without(alone, lanes_and(any_xray, has_bit(tables->second_xray, &to)));
    resolved = lanes_or(resolved, bytes_not(lanes_or(any_xray, a.three_theirs)));
    resolved = lanes_or(lanes_or(resolved, none_ours), bounds_do);
    if (rules & (RULES_WITH_KINGS | RULE_PROMOTIONS)) {
        resolved = lanes_without(resolved, has_bit(tables->matter_to, &to));
        if (rules & RULE_BEST_ORDER)
            resolved = lanes_without(resolved, has_bit(tables->matter_from, &from));
        if (rules & RULES_WITH_KINGS)
            resolved = lanes_without(
                resolved, lanes_and(lanes_or(queen, no_queen), has_bit_along(tables->by_blockers, &direction, &from)));
    }

    /* Moves that nobody answers are resolved, and so are moves of kings, which nothing may capture. Five kinds of
     * moves are rare and left pending: promotions; captures en passant; moves of the other side; moves that uncover a
     * slider of the other side; and moves that uncover a slider behind which another one stands. */
    resolved = lanes_or(resolved, lanes_or(bytes_empty(a.theirs), king));
    const lanes en_passant = lanes_and(lanes_without(pawn, direction.same_file), bytes_empty(target));
    const lanes rare = lanes_or(lanes_or(lanes_and(queen, no_queen), bytes_empty(mover)), en_passant);
    resolved = lanes_without(lanes_and(resolved, bytes_empty(lanes_and(to_bits, bytes_all(0xc0)))), rare);
    return first_bits(~bytes_bits(resolved), n < MOVES_AT_ONCE ? n : (size_t)MOVES_AT_ONCE);
}

/* Decides n moves, 32 at most, and writes 32 values; with thresholds, values that are on the same side of them.
 * readable: the number of moves that can be read. Returns the bits of the moves that are pending. */
LANES_INLINE uint64_t decide_moves(const struct lane_rules *rules, const struct decision_values *values,
                                   const struct attack_tables *tables, const seebatch_move *move, size_t n,
                                   size_t readable, const int16_t *threshold, int16_t *value)
{
    const unsigned bits = rule_bits(rules) | (readable >= MOVES_AT_ONCE ? (unsigned)MOVES_READABLE : 0);
    return decide32(values, tables, move, n, threshold, value, bits);
}

#endif
