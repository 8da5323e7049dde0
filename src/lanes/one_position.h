/*
 * Evaluates the moves of one position, which is what an engine asks at a node. lanes/rule_class.h compiles the
 * functions of this template for each rule class, and paths.h says which path a call takes. No lists are made, because
 * they would cost a single node more than they save.
 */
#ifndef SEEBATCH_LANES_ONE_POSITION_H
#define SEEBATCH_LANES_ONE_POSITION_H

#include "batch.h"

/* The pieces of a position whose leaving may matter to a king where every capture must be legal. For a check to open on
 * one of his rays, all that stands between him and the slider must leave: so one piece of these is enough, and a pawn,
 * where there is one, takes part in the fewest exchanges. */
static __attribute__((noinline)) uint64_t blockers_of_kings(const seebatch_position *position)
{
    const uint64_t sliders = position->plane[0] | position->plane[1], occupied = sliders | position->plane[2];
    const uint64_t pawns = position->plane[2] & ~sliders, kings = position->plane[1] & position->plane[2];
    uint64_t blockers = 0;
    for (int color = SEEBATCH_WHITE; color <= SEEBATCH_BLACK; color++) {
        const uint64_t enemy = color == SEEBATCH_WHITE ? ~position->white : position->white;
        const int king = (int)lowest_bit(kings & ~enemy); /* the row of no square, which has no lines */
        const struct see_square *s = &seebatch_squares[king];
        uint64_t snipers = sliders_on_lines(s, position->plane[0], position->plane[1]) & enemy & ~position->plane[2];
        while (snipers) {
            const int sniper = pop_lsb(&snipers);
            const uint64_t between = squares_between(king, sniper) & occupied;
            const uint64_t those = between & pawns ? between & pawns : between ? between : square_bb(sniper);
            blockers |= between & blockers ? 0 : those & -those;
        }
    }
    return blockers;
}

/* The squares of a position whose leaving may matter to a king, in every lane. */
LANES_INLINE lanes king_blockers_on(const struct lane_rules *rules, const seebatch_position *position,
                                    const lanes plane[4], const seebatch_pins *pins)
{
    const seebatch_position *positions[LANES];
    if (!kings_matter(rules))
        return lanes_zero();
    if (rules->reads_pins && pins)
        return lanes_all((int64_t)blockers_given(rules->either, position, pins));
    if (rules->best_order)
        return lanes_all((int64_t)blockers_of_kings(position));
    for (int lane = 0; lane < LANES; lane++)
        positions[lane] = position;
    return king_blockers_of(rules, plane, positions);
}

/* ---- Few moves: a register or two -------------------------------------------------------------------------------- */

/* These resolve the pending queries of a register, which have a bit each, by the scalar code, because it is as quick as
 * lanes that mostly stay empty. The first writes values, the second returns the bits of the values that reach their
 * thresholds. They are functions of their own, so that calls without pending queries keep nothing for them. */
static __attribute__((noinline)) void resolve_values(const seebatch_rules *rules, const seebatch_position *position,
                                                     const seebatch_pins *pins, const seebatch_move *move,
                                                     unsigned pending, int16_t *value)
{
    for (; pending; pending &= pending - 1) {
        const size_t j = (size_t)__builtin_ctz(pending);
        value[j] = scalar_value(rules, position, pins, move[j], NULL);
    }
}

static __attribute__((noinline)) unsigned resolve_bits(const seebatch_rules *rules, const seebatch_position *position,
                                                       const seebatch_pins *pins, const seebatch_move *move,
                                                       unsigned pending, const int16_t *thresholds, size_t step)
{
    unsigned bits = 0;
    for (; pending; pending &= pending - 1) {
        const size_t j = (size_t)__builtin_ctz(pending);
        const int16_t *threshold = thresholds + j * step;
        bits |= (unsigned)(scalar_value(rules, position, pins, move[j], threshold) >= *threshold) << j;
    }
    return bits;
}

/* The values of a register of queries, and the bits of those that are pending. */
struct register_values {
    lanes value;
    unsigned pending;
};

/* Decides further the queries of one position that decide() has left pending. `plain` are the queries that may be
 * decided in lanes. */
LANES_INLINE void decide_register_further(const struct lane_rules *rules, const struct lane_queries *q,
                                          struct lane_decision *d, const seebatch_position *const position[LANES],
                                          lanes blockers, lane_mask plain, struct register_values *result)
{
    if (DECIDES_FURTHER || rules->best_order)
        decide_further(rules, q, d);
    lane_mask resolved = d->resolved;
    result->value = d->value;
    if (kings_matter(rules)) {
        const lane_mask has_blockers = mask_not(lanes_empty(blockers)); /* without blockers, none of the queries */
        resolved =
            mask_bits(has_blockers) ? mask_without(resolved, king_may_matter(rules, q, d->xray, position)) : resolved;
    }
    result->pending &= ~mask_bits(mask_and(plain, mask_or(d->certain, resolved)));
}

/* The same where each side chooses its order; the swap loop then resolves what is still pending. */
LANES_INLINE void resolve_register_in_best_order(const struct lane_rules *rules, const struct lane_queries *q,
                                                 struct lane_decision *d,
                                                 const seebatch_position *const position[LANES], lanes blockers,
                                                 lane_mask plain, struct register_values *result)
{
    decide_register_further(rules, q, d, position, blockers, plain, result);
    const unsigned pending = result->pending & mask_bits(plain);
    if (pending) {
        lanes value;
        const unsigned resolved = resolve_on_pin_line(rules, q, d, position, pending, &value);
        result->value = lanes_select(mask_of_bits(resolved), value, result->value);
        result->pending &= ~resolved;
    }
}

/* In code that is compiled small, one function for all calls does the same. */
static __attribute__((noinline)) void resolve_register_in_small(const struct lane_rules *given_rules,
                                                                const struct lane_queries *q, struct lane_decision *d,
                                                                const seebatch_position *const position[LANES],
                                                                const lanes *blockers, unsigned plain,
                                                                struct register_values *result)
{
    struct lane_rules rules = *given_rules;
    specialize(&rules, rules.promote_all, false, true);
    resolve_register_in_best_order(&rules, q, d, position, *blockers, mask_of_bits(plain), result);
}

/* Compilers know the constants of the rules only while no other function has these, even where the call is never
 * reached. Given a copy, gcc 11 makes half as many instructions of AVX-512's code for one register of the plain rules.
 * With AVX2 gcc 12 takes 4% longer for legal captures with a copy. */
enum { COPIES_RULES = IS_SMALL || LANES == 8 };

/* Finds the values of n queries of one position, LANES at most. LANES moves are read, unless `partial` is set; then
 * there are at most PARTIAL_LANES queries, and only n moves are read. `blockers` is king_blockers_on() of the position.
 * With thresholds, which may be NULL, values on the same side of them are enough. */
LANES_INLINE struct register_values evaluate_register(const struct lane_rules *rules, const seebatch_position *position,
                                                      const lanes plane[4], const seebatch_move *move, size_t n,
                                                      bool partial, lanes blockers, const lanes *threshold)
{
    const seebatch_position *positions[LANES];
    for (int lane = 0; lane < LANES; lane++)
        positions[lane] = position;
    lane_mask plain;
    const struct lane_queries q = init_queries_of_position(rules, position, plane, move, n, partial, &plain);
    struct lane_decision d = decide(rules, &q);
    if (threshold)
        decide_against(&d, *threshold);
    lane_mask resolved = d.resolved;
    if (kings_matter(rules))
        resolved = mask_and(resolved, untouched(rules, &q, d.xray, blockers));
    struct register_values result = {d.value, first_bits(~mask_bits(mask_and(plain, mask_or(d.certain, resolved))), n)};
    if (result.pending && rules->best_order && COPIES_RULES) {
        const struct lane_rules copy = *rules;
        if (IS_SMALL)
            resolve_register_in_small(&copy, &q, &d, positions, &blockers, mask_bits(plain), &result);
        else
            resolve_register_in_best_order(&copy, &q, &d, positions, blockers, plain, &result);
    } else if (result.pending && rules->best_order) {
        resolve_register_in_best_order(rules, &q, &d, positions, blockers, plain, &result);
    } else if (result.pending && (DECIDES_FURTHER || kings_matter(rules))) {
        decide_register_further(rules, &q, &d, positions, blockers, plain, &result);
    }
    return result;
}

/* Writes the values of n queries, LANES at most, which evaluate_register() reads. LANES values are written or, if
 * `partial`, only n. */
LANES_INLINE void values_of_register(const struct lane_rules *rules, const seebatch_position *position,
                                     const lanes plane[4], const seebatch_pins *pins, lanes blockers,
                                     const seebatch_move *move, size_t n, bool partial, int16_t *value)
{
    const struct register_values r = evaluate_register(rules, position, plane, move, n, partial, blockers, NULL);
    if (partial)
        store_partial(value, r.value, n);
    else
        store_values(value, r.value);
    if (r.pending)
        resolve_values(rules->scalar, position, pins, move, r.pending, value);
}

/* Returns the bits of the queries whose values reach their thresholds. There are LANES thresholds, or one for all and
 * step 0. */
LANES_INLINE unsigned bits_of_register(const struct lane_rules *rules, const seebatch_position *position,
                                       const lanes plane[4], const seebatch_pins *pins, lanes blockers,
                                       const seebatch_move *move, size_t n, bool partial, const int16_t *threshold,
                                       size_t step)
{
    const lanes against = step ? load_values(threshold) : value_all(*threshold);
    const struct register_values r = evaluate_register(rules, position, plane, move, n, partial, blockers, &against);
    const unsigned bits = first_bits(~mask_bits(value_less(r.value, against)), n);
    if (r.pending)
        return (bits & ~r.pending) | resolve_bits(rules->scalar, position, pins, move, r.pending, threshold, step);
    return bits;
}

/* ---- Many moves: attack tables ----------------------------------------------------------------------------------- */

/* The values of n moves from attack tables, as a rule class without kings has them (rule_class.h). */
static size_t values_by_tables_without_kings(const struct lane_rules *rules, const seebatch_position *position,
                                             const seebatch_move *move, size_t n, const int16_t *threshold,
                                             int16_t *value, uint16_t *pending);

#endif
