/*
 * The contract between the kernels' template and an instruction set: every word that the template asks for, those that
 * an instruction set may leave out, and a stub for each of these.
 *
 * The kernel.c of an instruction set includes the headers of its folder, then this one, then paths.h. A word is a
 * function marked LANES_INLINE, unless something else is said.
 *
 * Vectors (lanes.h of the folder)
 *   LANES                  constant: how many requests a register holds, 4 or 8, 64 bits each
 *   LANES_NAME(name)       macro: the name with the kernel's in front
 *   LANES_INLINE           macro: static, and made part of the caller
 *   lanes, lane_mask       types: a register; a bit for each lane, which may be a register, too
 *   lanes_all, lanes_zero  one word in every lane; 0
 *   lanes_and, _or, _xor, _without (a & ~b), _sub, _select(mask, yes, no), _unless(mask, a): a, but 0 where the mask is
 *   lanes_equal, _empty, _disjoint, _empty_or(a, all): masks; all: ones or 0 in every lane
 *   lanes_load, _store     a word for each lane, at any address
 *   mask_and, _or, _not, _without; mask_bits: bit i for lane i, what is above is 0 or ones; mask_of_bits
 *   value_all, _add, _sub, _max, _min, _less, _monus: max(0, a - b), of values that are not negative; _all_equal: bool
 *                          values are numbers of 32 bits in the lower halves; the upper halves are 0 or do not matter
 *   load_values, store_values, fill_values, values_at_least (bits of a register), at_least (a word for 64 values),
 *   copy_words, copy_values
 *                          16-bit values in memory; copy_...: fewer than LANES, no more is read or written
 *   store_numbers, store_some    numbers of the lanes whose bits are set, or what stands in their places, packed
 *   values_rise            whether no piece type is worth less than those before it
 *   first_bits, lowest_bit       of a number: the first n bits; where the first one is, 64 of none
 *   struct value_tables, value_tables_of    the tables of values of the words below
 *
 * The board of a request in each lane
 *   struct lane_requests   with pawns .. queens, kings, white, own, enemy, occupied, leapers, attackers (sets); gain,
 *                          victim (values); no_recapture, last_rank (masks)
 *   init_requests          of planes and moves; plain: NULL, or where plain captures are noted, and only those done
 *   sliders_to             the sliders that attack the target when only some squares are occupied
 *   sliders_by_line        the same, as struct lane_sliders; of boards that are no words of rays
 *   target_of              the target's square
 *   least_valuable         the least valuable of a set, all of that type, and their value, as struct lane_least
 *   planes_of              the four planes of as many positions as lanes
 *   words_of_requests      a word for each position of a chunk, for each of its requests in a register
 *   king_blockers_of       pieces whose leaving may matter to a king, position by position: may be too many
 *   snipers_of             sliders that attack a king once all pieces have left that may
 *   DECIDES_FURTHER        constant: whether a second decision pays before the swap loop (decide.h)
 *
 * Attack tables
 *   TABLE_MOVES            constant: so many moves are decided at a time, a divisor of 64
 *   TABLES_FROM, TABLES_FROM_NODE    constants: from so many moves a position on tables pay, in chunks and for one
 *   OPEN_TO_SCALAR         constant: so many open moves of a position go to the scalar code
 *   struct table_values, table_values_of    the values of the rules, as decide_moves() wants them
 *   struct tables, attack_tables_of         the tables of a position
 *   decide_moves, store_numbers_of_moves    values, and the bits of open moves; these as numbers
 *
 * Four lanes (four/): lanes.h says what follows, and four/ has the rest from it. Lanes are then two registers of 128
 * bits, or one of 256; masks are lanes of all ones or all zeros.
 *
 *   lanes_of, lanes_any    of four words; whether any bit is set
 *   lanes_has_bit          mask: where a has the bit, one in each lane
 *   lanes_shift_right      by one number; lanes_shift_left_by: by a number for each lane; lanes_shift_each_...: by four
 *                          constants; lanes_bit: the bit of each number
 *   lanes_flip             each lane's bytes reversed: the board upside down
 *   lanes_highest_bit      of the only byte of each lane that is not 0
 *   lanes_transpose        four rows of four words become a word of each row in four registers
 *   load_words             16-bit words of moves, one a lane
 *   value_on               of the piece on a square of each lane, given as a number and as a bit
 *   value_of_least         by the answers to the questions of least_valuable(), masks of "no"
 *   lane_pair              type: two lanes; pair_of, _all, _and, _or, _select, _even, _odd, _first, _second, _store
 *   lower_half, upper_half, lanes_joined    of lanes, and back
 *   lower_halves, upper_halves, lanes_halves    of two: both lower ones, both upper ones, the first one's lower half
 *                          and the other's upper half
 *   lanes_even, lanes_odd  the even lanes of two, in turns; the odd ones
 *   bytes_...              32 bytes: _all, _equal, _sub, _monus, _max (no signs), _positive (as signed), _have_bit
 *   bytes_number           a number of three bits, each of them a mask
 *   words_...              16 words: _all, _equal, _greater, _sub, _shift_right; value_monus does for words, too
 *   bytes_of_words, bytes_of_masks    of two registers; words above 255 become 255
 *   bytes_to_words         the first or second half of such bytes, once more as words: lower bytes and upper ones
 *   bytes_bits             a bit for each of such bytes, which are masks
 *   bytes_table            macro: sixteen bytes to look up; load_table: from memory
 *   bytes_lookup           in such a table, or in lanes that are all the same; the index is below 16, or bit 7 of it
 *                          is set and the byte is 0
 *   bytes_lookup_or        the same over bytes that are 0 where the index is below 16, and stay where it is not
 *   struct value_table, value_table    eight values to look up, lower bytes and upper ones
 *
 * Optional, each group with its stubs below
 *
 *   LANES_LOAD_LINES       no word, in place of lanes_shift_left_by: files and ranks of targets are loaded (four/)
 *
 *   LANES_DECIDE_HALF      the lower lanes alone decide at a time, for want of registers (four/)
 *     lanes_used           those of a register; the others are 0
 *
 *   LANES_HAVE_LOAD_MOVES
 *     load_moves           32 moves, or fewer with nothing behind them read (four/words.h has the stub)
 *
 *   LANES_HAVE_EXPAND_EIGHT
 *     expand_eight         offsets of eight positions at once (chunks.h)
 *
 *   LANES_HAVE_CHUNK_BOARDS: the planes of a chunk's positions are kept as rows
 *     struct chunk_boards, load_boards, planes_of_positions, planes_of_requests
 *
 *   LANES_HAVE_ROTATED_BOARDS: the sets of a request are not those of the board
 *     seen_from_target     a set of squares as those of the request are
 *     lowest_square_of     the lowest square of pieces of one type that attack the target
 *
 *   LANES_RESOLVE_ONE      no word: the swap loop takes one register at a time, not two
 *
 *   LANES_HAVE_LEAST_VALUE
 *     least_value          the value of the least valuable alone, where that is cheaper
 *
 *   LANES_HAVE_RAYS: rules that know no kings go along rays from the target
 *     rays_serve           bool: whether some rules do
 *     decide_on_rays, decide_contested    chunks; of positions with CONTESTED_FROM moves or more
 *     init_requests_on, init_requests_of_node    on any positions; on one, FEW_LANES at most without copies
 *     store_few            values of as few
 */
#ifndef SEEBATCH_LANES_CONTRACT_H
#define SEEBATCH_LANES_CONTRACT_H

#include "chunks.h"
#include "lane_rules.h"

/* The bits of all lanes. */
enum { EVERY_LANE = (1 << LANES) - 1 };

#ifdef LANES_DECIDE_HALF
enum { DECIDED_AT_ONCE = LANES / 2 };

LANES_INLINE lane_mask mask_used(lane_mask m) { return lanes_used(m); }
#else
enum { DECIDED_AT_ONCE = LANES };

LANES_INLINE lanes lanes_used(lanes a) { return a; }
LANES_INLINE lane_mask mask_used(lane_mask m) { return m; }

LANES_INLINE struct lane_requests init_decided(const struct lane_rules *rules, const lanes plane[4],
                                               const seebatch_move move[LANES])
{
    return init_requests(rules, plane, move, NULL);
}
#endif

#ifndef LANES_HAVE_EXPAND_EIGHT
LANES_INLINE bool expand_eight(const seebatch_batch *batch, struct see_chunk *chunk, struct see_expansion *at)
{
    return (void)batch, (void)chunk, (void)at, false;
}
#endif

#ifndef LANES_HAVE_CHUNK_BOARDS
struct chunk_boards {
    const struct see_chunk *chunk;
};

LANES_INLINE void load_boards(struct chunk_boards *boards, const struct see_chunk *chunk) { boards->chunk = chunk; }

/* Of the positions from i on. */
LANES_INLINE void planes_of_positions(const struct chunk_boards *boards, size_t i, lanes plane[4])
{
    planes_of(boards->chunk->position + i, plane);
}

/* Of the requests from k on. */
LANES_INLINE void planes_of_requests(const struct chunk_boards *boards, size_t k, lanes plane[4])
{
    const seebatch_position *position[LANES];
    for (size_t lane = 0; lane < LANES; lane++)
        position[lane] = see_position_of(boards->chunk, k + lane);
    planes_of(position, plane);
}
#endif

#ifndef LANES_HAVE_ROTATED_BOARDS
LANES_INLINE lanes seen_from_target(const struct lane_requests *q, lanes squares) { return (void)q, squares; }

LANES_INLINE lanes lowest_square_of(const struct lane_requests *q, lanes set)
{
    return (void)q, lanes_and(set, lanes_sub(lanes_zero(), set));
}
#endif

#ifdef LANES_RESOLVE_ONE
enum { RESOLVED_AT_ONCE = 1 };
#else
enum { RESOLVED_AT_ONCE = 2 };
#endif

#ifndef LANES_HAVE_LEAST_VALUE
LANES_INLINE lanes least_value(const struct lane_rules *rules, const struct lane_requests *q, lanes set)
{
    return least_valuable(rules, q, set).value;
}
#endif

#ifdef LANES_HAVE_RAYS
enum { HAVE_RAYS = 1 };
#else
enum { HAVE_RAYS = 0, CONTESTED_FROM = 1, FEW_LANES = 0 };

LANES_INLINE bool rays_serve(const struct lane_rules *rules) { return (void)rules, false; }
LANES_INLINE void store_few(int16_t *value, lanes values, size_t n) { (void)value, (void)values, (void)n; }

LANES_INLINE struct lane_requests init_requests_on(const struct lane_rules *rules,
                                                   const seebatch_position *const position[LANES],
                                                   const seebatch_move move[LANES])
{
    lanes plane[4];
    planes_of(position, plane);
    return init_requests(rules, plane, move, NULL);
}

/* The planes are in every lane. */
LANES_INLINE struct lane_requests init_requests_of_node(const struct lane_rules *rules,
                                                        const seebatch_position *position, const lanes plane[4],
                                                        const seebatch_move move[LANES], size_t n, bool few,
                                                        lane_mask *plain)
{
    (void)position, (void)n, (void)few;
    return init_requests(rules, plane, move, plain);
}

LANES_INLINE size_t decide_on_rays(const struct lane_rules *rules, const struct see_chunk *chunk,
                                   const int16_t *threshold, int16_t *value, uint16_t *open)
{
    return (void)rules, (void)chunk, (void)threshold, (void)value, (void)open, (size_t)0;
}

LANES_INLINE size_t decide_contested(const struct lane_rules *rules, const struct see_chunk *chunk,
                                     const int16_t *threshold, int16_t *value, uint16_t *open)
{
    return decide_on_rays(rules, chunk, threshold, value, open);
}
#endif

#endif
