/*
 * Chooses the path from a call to its values. This is the end of the template: a kernel includes it after its
 * operations (contract.h), and calls lanes_position_values(), lanes_position_ge() and kernel_batch_answers().
 * docs/internals/lanes.md explains the paths and the constants that choose them.
 *
 *   call            when                                        path
 *   one position    1 move                                      the next kernel's
 *                   2 to 4 moves, AVX-512                       AVX2's; on wide machines a register along rays
 *                   fewer than TABLES_FROM_ONE                  registers (one_position.h)
 *                   others                                      attack tables, 64 moves at a time (here); where
 *                                                               kings count and units are narrow, AVX2's
 *                   PINS_FROM or more, under rules with pins    pins first; if there are none, the rules without
 *   many positions  fewer queries in all than the kernel.c      the next kernel's
 *                   of the instruction set asks for
 *                   AVX-512                                     along rays; from RECAPTURABLE_FROM moves a position
 *                                                               on, only moves that can be taken back (ray_batch.h)
 *                   others, from TABLES_FROM moves a position   attack tables (four/lane_chunks.h)
 *                   others                                      a query in each lane (four/lane_chunks.h)
 *   either          each side chooses its order, and values     the next kernel's
 *                   do not rise with the types
 *                   some first moves have fixed values          as other moves; then their values are replaced
 *                                                               (fixed_values.h)
 *
 * Queries of one position that these paths leave pending go to the scalar code or, where tables leave many, to
 * registers. Those of a chunk go through the passes of pending_queries.h and the swap loop and, where the order
 * matters, to the scalar code.
 */
#ifndef SEEBATCH_LANES_PATHS_H
#define SEEBATCH_LANES_PATHS_H

#include "one_position.h"

#include "fixed_values.h"

/* Whether some calls have more moves than a register holds and fewer than pay for attack tables: those go register by
 * register. This is the row HAVE_REGISTER_BY_REGISTER of the last table in docs/internals/lanes.md, with lines. */
enum { HAVE_REGISTER_BY_REGISTER = TABLES_FROM_ONE > LANES + 1 };

/* The rule classes: what is compiled for each. */
struct rule_class {
    void (*chunk)(const struct chunk_job *);
    /* These evaluate queries of one position: in one register, which may be filled in part (PARTIAL_LANES), or register
     * by register. Thresholds are one for all queries, or LANES of them. */
    see_position_values *one_register_values, *register_by_register_values;
    see_position_ge *one_register_bits, *register_by_register_bits;
    size_t (*tables)(const seebatch_rules *, const seebatch_position *, const seebatch_pins *, const seebatch_move *,
                     size_t, const int16_t *, int16_t *, uint16_t *);
};

/* 64-bit ARM has the registers to keep the rules of all classes; others keep those of legal captures (rule_class.h). */
#ifdef __aarch64__
enum { READ_RULES_AGAIN = 0 };
#else
enum { READ_RULES_AGAIN = 1 };
#endif
/* No pins, given order. Compiled small, as for the web, one class asks whether pawns promote. */
#define RULE_CLASS(name) LANES_NAME(plain_##name)
#if defined(SEEBATCH_SMALL)
#define PROMOTIONS_CLASS LANES_NAME(plain_class)
#define CLASS_READS_RULES_AGAIN READ_RULES_AGAIN
#define SPECIALIZE(r) specialize(&(r), (r).promote_all, false, false)
#include "rule_class.h"
#else
/* A pawn stays a pawn. */
#define CLASS_READS_RULES_AGAIN READ_RULES_AGAIN
#define SPECIALIZE(r) specialize(&(r), false, false, false)
#include "rule_class.h"
/* Pawns promote. */
#define PROMOTIONS_CLASS LANES_NAME(promotions_class)
#define RULE_CLASS(name) LANES_NAME(promotions_##name)
#define CLASS_READS_RULES_AGAIN READ_RULES_AGAIN
#define SPECIALIZE(r) specialize(&(r), true, false, false)
#include "rule_class.h"
#endif
/* Pins, given order. */
#define RULE_CLASS(name) LANES_NAME(pins_##name)
#define CLASS_READS_RULES_AGAIN READ_RULES_AGAIN
#define SPECIALIZE(r) specialize(&(r), (r).promote_all, true, false)
#include "rule_class.h"
/* Every capture legal, any order. */
#define RULE_CLASS(name) LANES_NAME(legal_##name)
#define CLASS_READS_RULES_AGAIN 0
#define SPECIALIZE(r) specialize(&(r), (r).promote_all, false, true)
#include "rule_class.h"

/* See batch.h: the swap loop under the same rules without kings. */
static __attribute__((noinline)) void resolve_without_kings(const struct chunk_job *job, struct list *pending)
{
    struct lane_rules r = *job->rules;
    struct list none;
    specialize(&r, r.promote_all, false, false);
    none.n = 0;
    resolve_list(&r, job->chunk, pending, job->value, &none);
}

/* What the attack tables tell of a position's moves under the same rules without kings. */
static size_t values_by_tables_without_kings(const struct lane_rules *rules, const seebatch_position *position,
                                             const seebatch_move *move, size_t n, const int16_t *threshold,
                                             int16_t *value, uint16_t *pending)
{
    return (rules->promote_all ? PROMOTIONS_CLASS : LANES_NAME(plain_class))
        .tables(rules->scalar, position, NULL, move, n, threshold, value, pending);
}

/* The class that is compiled for the rules. */
LANES_INLINE const struct rule_class *rule_class_of(const seebatch_rules *rules)
{
    return rules->order == SEEBATCH_BEST_ORDER ? &LANES_NAME(legal_class)
           : see_rules_read_pins(rules)        ? &LANES_NAME(pins_class)
           : see_later_pawns_promote(rules)    ? &PROMOTIONS_CLASS
                                               : &LANES_NAME(plain_class);
}

/* Whether n queries are read and written in the caller's memory: a whole register, or part of one where no king
 * matters. */
static inline bool read_in_place(const struct rule_class *compiled, size_t n)
{
    return n == LANES ||
           (n <= PARTIAL_LANES && (compiled == &LANES_NAME(plain_class) || compiled == &PROMOTIONS_CLASS));
}

/* Whether these lanes may do better than the next kernel: not where they do not know the rules, nor where each side
 * chooses its order and the values do not rise with the types, so that least valuable first is not proved the best. */
static inline bool lanes_serve(const seebatch_rules *rules)
{
    return see_lanes_know(rules) && (rules->order != SEEBATCH_BEST_ORDER || see_values_are_monotonic(rules));
}

/* ---- One position, many moves ------------------------------------------------------------------------------------ */

/* The value of a move that tables have left pending, or a value on the same side of its threshold. Where no king
 * matters the fast paths of the scalar code have failed; otherwise the tables only said that a king might matter. */
static inline int16_t pending_value(const seebatch_rules *rules, const seebatch_position *position,
                                    const seebatch_pins *pins, seebatch_move move, const int16_t *threshold)
{
    if (rules->pins == SEEBATCH_PINS_IGNORED)
        return scalar_value(rules, position, pins, move, threshold);
    if (!threshold)
        return (int16_t)seebatch_scalar_value(rules, position, pins, move);
    return seebatch_scalar_at_least(rules, position, pins, move, *threshold) ? INT16_MAX : INT16_MIN;
}

/* The values of n queries, LANES at most, that tables have left pending, by one register. With thresholds they are
 * values on the same side, as in pending_value(). */
static void values_in_register(const struct rule_class *compiled, const seebatch_rules *rules,
                               const seebatch_position *position, const seebatch_pins *pins, const seebatch_move *move,
                               const uint16_t *pending, size_t n, const int16_t *threshold, int16_t *value)
{
    seebatch_move rest[LANES];
    int16_t against[LANES], result[LANES];
    uint64_t bits = 0;
    for (size_t lane = 0; lane < LANES; lane++) {
        const uint16_t k = pending[lane < n ? lane : 0];
        rest[lane] = move[k];
        against[lane] = threshold ? threshold[k] : 0;
    }
    if (threshold)
        compiled->one_register_bits(rules, position, pins, rest, n, against, 1, &bits);
    else
        compiled->one_register_values(rules, position, pins, rest, n, result);
    for (size_t lane = 0; lane < n; lane++)
        value[pending[lane]] = !threshold ? result[lane] : bits >> lane & 1 ? INT16_MAX : INT16_MIN;
}

/* The values of n moves, MOVES_PER_TABLE at most, from the attack tables, and from other code where the tables leave
 * them pending. Most often no move is pending, and few moves are evaluated faster by scalar code than in lanes that
 * stay empty. Writes values up to the next multiple of 64. */
LANES_INLINE void attack_table_values_and_pending(const struct rule_class *compiled, const seebatch_rules *rules,
                                                  const seebatch_position *position, const seebatch_pins *pins,
                                                  const seebatch_move *move, size_t n, const int16_t *threshold,
                                                  int16_t *value)
{
    uint16_t pending[MOVES_PER_TABLE + MOVES_AT_ONCE];
    const size_t n_pending = compiled->tables(rules, position, pins, move, n, threshold, value, pending);
    COUNT_PATH(TABLES, n - n_pending);
    if (rules->order != SEEBATCH_BEST_ORDER && n_pending <= PENDING_TO_SCALAR) {
        COUNT_PATH(TABLES_TO_SCALAR, n_pending);
        for (size_t j = 0; j < n_pending; j++) {
            const uint16_t k = pending[j];
            value[k] = pending_value(rules, position, pins, move[k], threshold ? threshold + k : NULL);
        }
        return;
    }
    COUNT_PATH(TABLES_TO_REGISTERS, n_pending);
    for (size_t j = 0; j < n_pending; j += LANES)
        values_in_register(compiled, rules, position, pins, move, pending + j,
                           n_pending - j < LANES ? n_pending - j : (size_t)LANES, threshold, value);
}

/* Copies n values by memcpy(). gcc must not see that n is small, because it would copy them by an instruction that
 * takes 10 ns. */
LANES_INLINE void copy_out(int16_t *values, const int16_t *value, size_t n)
{
    __asm__("" : "+r"(n));
    memcpy(values, value, n * sizeof *values);
}

/* Copies n thresholds, and sets those of the lanes after the last query to 0. */
static void copy_thresholds(int16_t *threshold, const int16_t *thresholds, size_t n)
{
    memcpy(threshold, thresholds, n * sizeof *threshold);
    fill_values(threshold + n, 0, LANES);
}

/* A word of bits: n values against as many thresholds, a register at a time. The values were stored a moment ago, a
 * register at a time; reading 64 at a time would have to wait until the stores have reached the cache. */
LANES_INLINE uint64_t word_of_bits(const int16_t *value, const int16_t *threshold, size_t n)
{
    uint64_t word = 0;
    for (size_t k = 0; k < n; k += LANES)
        word |= (uint64_t)values_at_least(value + k, threshold + k) << k;
    return n < 64 ? word & ((UINT64_C(1) << n) - 1) : word;
}

/* Values from attack tables, of MOVES_PER_TABLE queries at most. (With a loop for more here, calls of 16 moves take 1
 * to 2% longer.) */
static __attribute__((noinline)) void attack_table_values(const seebatch_rules *rules,
                                                          const seebatch_position *position, const seebatch_pins *pins,
                                                          const seebatch_move *move, size_t n, int16_t *values)
{
    int16_t value[MOVES_PER_TABLE];
    attack_table_values_and_pending(rule_class_of(rules), rules, position, pins, move, n, NULL, value);
    copy_out(values, value, n);
}

/* Values from attack tables, of any number of queries. */
static __attribute__((noinline)) void attack_table_values_by_64(const seebatch_rules *rules,
                                                                const seebatch_position *position,
                                                                const seebatch_pins *pins, const seebatch_move *moves,
                                                                size_t n, int16_t *values)
{
    for (size_t k = 0; k < n; k += MOVES_PER_TABLE)
        attack_table_values(rules, position, pins, moves + k, at_once(n - k), values + k);
}

/* Bits of queries that reach their thresholds, from attack tables. */
static __attribute__((noinline)) void attack_table_bits(const seebatch_rules *rules, const seebatch_position *position,
                                                        const seebatch_pins *pins, const seebatch_move *move, size_t n,
                                                        const int16_t *thresholds, size_t step, uint64_t *mask)
{
    const struct rule_class *compiled = rule_class_of(rules);
    int16_t value[MOVES_PER_TABLE], threshold[MOVES_PER_TABLE + LANES];
    for (size_t k = 0; k < n; k += MOVES_PER_TABLE) {
        const size_t n_now = at_once(n - k);
        if (step)
            copy_thresholds(threshold, thresholds + k, n_now);
        else
            fill_values(threshold, *thresholds, n_now);
        attack_table_values_and_pending(compiled, rules, position, pins, move + k, n_now, threshold, value);
        *mask++ = word_of_bits(value, threshold, n_now);
    }
}

/* Finds the values of fewer than LANES queries by copies of them that fill a register. */
static __attribute__((noinline)) void padded_register_values(const seebatch_rules *rules,
                                                             const seebatch_position *position,
                                                             const seebatch_pins *pins, const seebatch_move *move,
                                                             size_t n, int16_t *value)
{
    seebatch_move padded[LANES] __attribute__((aligned(2 * LANES)));
    int16_t result[LANES];
    copy_words(padded, move, n);
    rule_class_of(rules)->one_register_values(rules, position, pins, padded, n, result);
    copy_values(value, result, n);
}

static __attribute__((noinline)) void padded_register_bits(const seebatch_rules *rules,
                                                           const seebatch_position *position, const seebatch_pins *pins,
                                                           const seebatch_move *move, size_t n,
                                                           const int16_t *thresholds, size_t step, uint64_t *mask)
{
    seebatch_move padded[LANES] __attribute__((aligned(2 * LANES)));
    int16_t threshold[LANES] __attribute__((aligned(2 * LANES)));
    copy_words(padded, move, n);
    if (step) {
        copy_words((uint16_t *)threshold, (const uint16_t *)thresholds, n);
        thresholds = threshold;
    }
    rule_class_of(rules)->one_register_bits(rules, position, pins, padded, n, thresholds, step, mask);
}

/* ---- One position: pins first ------------------------------------------------------------------------------------ */

/* The number of moves of one position from which the pins are found first, because finding them takes as long as one or
 * two recaptures. This is the row PINS_FROM of the last table in docs/internals/lanes.md, and holds for all five
 * boards. */
enum { PINS_FROM = 5 };

/* Whether a position's pins are asked for before anything else: the rules read them, and the caller has given none, or
 * has given pins that keep no piece from capturing. */
LANES_INLINE bool asks_for_pins_first(const seebatch_rules *rules, const seebatch_position *position,
                                      const seebatch_pins *pins, size_t n)
{
    return n >= PINS_FROM && see_lanes_know(rules) && see_rules_read_pins(rules) &&
           (!pins || !blockers_given(see_pin_rule_holds_for_either(rules->pins), position, pins));
}

/* Finds the pins, unless the caller has given them; returns whether there are any. Most positions have none, and then
 * the rules without pins, *without, give the same values (docs/internals/kings.md). */
LANES_INLINE bool have_pins(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins **pins,
                            seebatch_pins *found, seebatch_rules *without)
{
    if (!*pins) {
        seebatch_find_pins(rules, position, found);
        if (blockers_given(see_pin_rule_holds_for_either(rules->pins), position, found)) {
            *pins = found;
            return true;
        }
    }
    *without = *rules;
    without->pins = SEEBATCH_PINS_IGNORED;
    return false;
}

static __attribute__((noinline)) void
position_values_with_pins(see_position_values *kernel, const seebatch_rules *rules, const seebatch_position *position,
                          const seebatch_pins *pins, const seebatch_move *moves, size_t n, int16_t *values)
{
    seebatch_pins found;
    seebatch_rules without;
    if (have_pins(rules, position, &pins, &found, &without))
        kernel(rules, position, pins, moves, n, values);
    else
        kernel(&without, position, NULL, moves, n, values);
}

static __attribute__((noinline)) void position_ge_with_pins(see_position_ge *kernel, const seebatch_rules *rules,
                                                            const seebatch_position *position,
                                                            const seebatch_pins *pins, const seebatch_move *moves,
                                                            size_t n, const int16_t *thresholds, size_t step,
                                                            uint64_t *mask)
{
    seebatch_pins found;
    seebatch_rules without;
    if (have_pins(rules, position, &pins, &found, &without))
        kernel(rules, position, pins, moves, n, thresholds, step, mask);
    else
        kernel(&without, position, NULL, moves, n, thresholds, step, mask);
}

/* ---- One position: by the number of moves ------------------------------------------------------------------------ */

#ifdef SEEBATCH_COUNT_PATHS
/* Counts n queries by the registers that they take below; attack tables count their own. */
static inline void count_registers(size_t n, bool in_place)
{
    COUNT_PATH(REGISTER, n == LANES ? n : 0);
    COUNT_PATH(IN_PLACE, in_place && n < LANES ? n : 0);
    COUNT_PATH(PADDED, !in_place && n < LANES ? n : 0);
    COUNT_PATH(REGISTERS, n > LANES && HAVE_REGISTER_BY_REGISTER && n < TABLES_FROM_ONE ? n : 0);
}
#else
#define count_registers(n, in_place) ((void)0)
#endif

/* Chooses the path by the number of moves. The functions that it calls have the same arguments, so that compilers turn
 * the calls into jumps. */
LANES_INLINE void lanes_position_values(const seebatch_rules *rules, const seebatch_position *position,
                                        const seebatch_pins *pins, const seebatch_move *moves, size_t n,
                                        int16_t *values)
{
    const struct rule_class *compiled = rule_class_of(rules);
    count_registers(n, read_in_place(compiled, n));
    if (read_in_place(compiled, n))
        compiled->one_register_values(rules, position, pins, moves, n, values);
    else if (n < LANES)
        padded_register_values(rules, position, pins, moves, n, values);
    else if (HAVE_REGISTER_BY_REGISTER && n < TABLES_FROM_ONE)
        compiled->register_by_register_values(rules, position, pins, moves, n, values);
    else if (n <= MOVES_PER_TABLE)
        attack_table_values(rules, position, pins, moves, n, values);
    else
        attack_table_values_by_64(rules, position, pins, moves, n, values);
}

LANES_INLINE void lanes_position_ge(const seebatch_rules *rules, const seebatch_position *position,
                                    const seebatch_pins *pins, const seebatch_move *moves, size_t n,
                                    const int16_t *thresholds, size_t step, uint64_t *mask)
{
    const struct rule_class *compiled = rule_class_of(rules);
    count_registers(n, n == LANES || (!step && read_in_place(compiled, n)));
    if (n == LANES || (!step && read_in_place(compiled, n)))
        compiled->one_register_bits(rules, position, pins, moves, n, thresholds, step, mask);
    else if (n < LANES)
        padded_register_bits(rules, position, pins, moves, n, thresholds, step, mask);
    else if (HAVE_REGISTER_BY_REGISTER && n < TABLES_FROM_ONE)
        compiled->register_by_register_bits(rules, position, pins, moves, n, thresholds, step, mask);
    else
        attack_table_bits(rules, position, pins, moves, n, thresholds, step, mask);
}

/* ---- Many positions ---------------------------------------------------------------------------------------------- */

/* Writes the bits of n values against n thresholds; both are readable up to the next multiple of 64. */
LANES_INLINE uint64_t *write_bits(uint64_t *mask, const int16_t *value, const int16_t *threshold, size_t n)
{
    for (size_t k = 0; k < n; k += 64) {
        const uint64_t word = at_least(value + k, threshold + k);
        *mask++ = n - k < 64 ? word & ((UINT64_C(1) << (n - k)) - 1) : word;
    }
    return mask;
}

/* see_marked() as a function that seebatch_replace_fixed_values() can call. */
static uint64_t find_marked(const struct see_marks *marks, const seebatch_move *move, const int16_t *value)
{
    return see_marked(marks, move, value);
}

/* Answers a batch by lanes, chunk by chunk. */
static void lanes_batch_answers(const seebatch_rules *rules, const seebatch_batch *batch, enum see_path path,
                                const struct see_answers *answers)
{
    const struct rule_class *compiled = rule_class_of(rules);
    const seebatch_rules others = seebatch_without_fixed_values(rules);
    const bool fixed_values = see_have_fixed_values(rules);
    struct lane_rules r;
    init_lane_rules(&r, &others);
    int16_t value[SEE_CHUNK + SEE_CHUNK_PAD] __attribute__((aligned(64)));
    int16_t threshold[SEE_CHUNK + SEE_CHUNK_PAD] __attribute__((aligned(64)));
    const int16_t *const against = answers->values || path == SEE_SWAP_LOOP ? NULL : threshold;
    const int16_t *thresholds = answers->thresholds;
    int16_t *values = answers->values;
    uint64_t *mask = answers->mask;
    struct see_cursor cursor = {0, 0};
    struct see_chunk chunk;
    if (!values && !answers->step)
        fill_values(threshold, *thresholds, SEE_CHUNK);
    while (see_next_chunk(batch, &cursor, &chunk, expand_eight)) {
        if (!values && answers->step)
            copy_thresholds(threshold, thresholds, chunk.n);
        chunk.upcoming.values =
            values ? (uintptr_t)(values + chunk.n) : (uintptr_t)(thresholds + chunk.n * answers->step);
        const struct chunk_job job = {&r, batch, &chunk, path, against, value, NULL};
        compiled->chunk(&job);
        if (fixed_values)
            seebatch_replace_fixed_values(rules, &chunk, find_marked, value);
        if (values) {
            memcpy(values, value, chunk.n * sizeof *values);
            values += chunk.n;
        } else {
            mask = write_bits(mask, value, threshold, chunk.n);
            thresholds += chunk.n * answers->step;
        }
    }
}

/* The body of a kernel's see_batch_answers. It passes the batch to the next kernel if the lanes do not serve the rules,
 * or if the batch has fewer than `least` queries, all positions together. */
LANES_INLINE void kernel_batch_answers(see_batch_answers *next, const seebatch_rules *rules,
                                       const seebatch_batch *batch, enum see_path path,
                                       const struct see_answers *answers, size_t least)
{
    if (lanes_serve(rules) && (path != SEE_FASTEST || see_query_count(batch) >= least))
        lanes_batch_answers(rules, batch, path, answers);
    else
        next(rules, batch, path, answers);
}

#endif
