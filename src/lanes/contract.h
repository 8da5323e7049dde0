/*
 * The contract between the kernels' template and an instruction set: every operation that the template asks for. The
 * declarations stand after the definitions, so that the compiler compares the two, and finds an operation that is
 * missing.
 *
 * The kernel.c of an instruction set includes the headers of its folder, then this one, then paths.h. With four lanes
 * lanes.h defines the operations of four/four_contract.h, and four/ has the rest of these from them;
 * tests/build/stub_kernel/ is such an instruction set that computes nothing. Types, macros and constants come first, in
 * lanes.h:
 *
 *   LANES                  constant: how many queries a register holds, 4 or 8, 64 bits each
 *   LANES_NAME(name)       macro: the name with the kernel's in front
 *   lanes, lane_mask       types: a register; a bit for each lane, which may be a register, too
 *   struct piece_values    the values of the rules, as the operations below look them up
 *   struct lane_queries   the board of a query in each lane, with pawns .. queens, kings, white, own, enemy,
 *                          occupied, leapers, attackers (sets); gain, victim (values); no_recapture, last_rank (masks)
 *   struct decision_values, struct attack_tables    the values of the rules as decide_moves() wants them; of a position
 *
 * Values are numbers of 32 bits in the lower halves; the upper halves are 0 or do not matter.
 */
#ifndef SEEBATCH_LANES_CONTRACT_H
#define SEEBATCH_LANES_CONTRACT_H

#include "chunks.h"
#include "lane_rules.h"

#include <assert.h>

/* ---- Vectors ----------------------------------------------------------------------------------------------------- */

static_assert(LANES == 4 || LANES == 8, "the number of queries of a register");

/* The bits of all lanes. */
enum { EVERY_LANE = (1 << LANES) - 1 };

LANES_INLINE lanes lanes_all(int64_t x); /* one word in every lane */
LANES_INLINE lanes lanes_zero(void);
LANES_INLINE lanes lanes_and(lanes a, lanes b);
LANES_INLINE lanes lanes_or(lanes a, lanes b);
LANES_INLINE lanes lanes_xor(lanes a, lanes b);
LANES_INLINE lanes lanes_without(lanes a, lanes b); /* a & ~b */
LANES_INLINE lanes lanes_sub(lanes a, lanes b);
LANES_INLINE lanes lanes_select(lane_mask m, lanes yes, lanes no);
LANES_INLINE lanes lanes_unless(lane_mask m, lanes a); /* a, but 0 where the mask is */
LANES_INLINE lane_mask lanes_equal(lanes a, lanes b);
LANES_INLINE lane_mask lanes_empty(lanes a);
LANES_INLINE lane_mask lanes_disjoint(lanes a, lanes b);
LANES_INLINE lane_mask lanes_empty_or(lanes a, lanes all); /* all: ones or 0 in every lane */
LANES_INLINE lanes lanes_load(const void *word);           /* a word for each lane, at any address */
LANES_INLINE void lanes_store(void *word, lanes a);

LANES_INLINE lane_mask mask_and(lane_mask a, lane_mask b);
LANES_INLINE lane_mask mask_or(lane_mask a, lane_mask b);
LANES_INLINE lane_mask mask_not(lane_mask a);
LANES_INLINE lane_mask mask_without(lane_mask a, lane_mask b); /* a and not b */
LANES_INLINE unsigned mask_bits(lane_mask a);                  /* bit i for lane i; what is above is 0 or ones */
LANES_INLINE lane_mask mask_of_bits(unsigned bits);

LANES_INLINE lanes value_all(int value);
LANES_INLINE lanes value_add(lanes a, lanes b);
LANES_INLINE lanes value_sub(lanes a, lanes b);
LANES_INLINE lanes value_max(lanes a, lanes b);
LANES_INLINE lanes value_min(lanes a, lanes b);
LANES_INLINE lanes value_saturating_sub(lanes a, lanes b); /* max(0, a - b), of values that are not negative */
LANES_INLINE lane_mask value_less(lanes a, lanes b);
LANES_INLINE bool value_all_equal(lanes a, lanes b);
LANES_INLINE struct piece_values piece_values_of(const int16_t v[5]);
/* Whether no piece type is worth less than those before it; and all ones or 0 for that. */
LANES_INLINE bool values_are_monotonic(const int16_t v[5], lanes *monotonic_lanes);

/* 16-bit values in memory. */
LANES_INLINE lanes load_values(const int16_t value[LANES]);
LANES_INLINE void store_values(int16_t value[LANES], lanes values);
LANES_INLINE void fill_values(int16_t *value, int16_t x, size_t n); /* up to the next multiple of LANES */
LANES_INLINE unsigned values_at_least(const int16_t value[LANES], const int16_t threshold[LANES]); /* a register's */
LANES_INLINE uint64_t at_least(const int16_t value[64], const int16_t threshold[64]);              /* a word's */
/* Copies n words or values, fewer than LANES, and reads and writes no more. */
LANES_INLINE void copy_words(uint16_t copy[LANES], const uint16_t *word, size_t n);
LANES_INLINE void copy_values(int16_t *copy, const int16_t value[LANES], size_t n);
/* Writes for the lanes whose bits are set, one after another, their numbers plus k; or their words of `from`. LANES
 * words are written, whatever the bits. */
LANES_INLINE void store_numbers(uint16_t *number, size_t k, unsigned bits);
LANES_INLINE void store_selected(uint16_t *to, const uint16_t *from, unsigned bits);

LANES_INLINE unsigned first_bits(unsigned bits, size_t n); /* the lowest n of the bits */
LANES_INLINE unsigned lowest_bit(uint64_t bits);           /* the number of the lowest bit, or 64 if no bit is set */

/* ---- Queries ----------------------------------------------------------------------------------------------------- */

static_assert(DECIDES_FURTHER == 0 || DECIDES_FURTHER == 1,
              "whether a second decision pays before the swap loop (decide.h)");

/* These make the planes of LANES positions, one in each lane, and those of one position, in every lane. */
LANES_INLINE void planes_of(const seebatch_position *const position[LANES], lanes plane[4]);
LANES_INLINE void planes_of_one(const seebatch_position *position, lanes plane[4]);
/* Sets up queries from planes and moves. If `plain` is not NULL, it becomes the mask of the plain captures, and only
 * those are set up. */
LANES_INLINE struct lane_queries init_queries(const struct lane_rules *rules, const lanes plane[4],
                                              const seebatch_move move[LANES], lane_mask *plain);
/* The sliders that attack the target when only the given squares are occupied. sliders_by_direction() divides them into
 * those on diagonals and those on ranks and files, for boards that are not words of rays. */
LANES_INLINE lanes sliders_to(const struct lane_queries *q, lanes occupied);
LANES_INLINE struct lane_sliders sliders_by_direction(const struct lane_queries *q, lanes occupied);
LANES_INLINE lanes target_of(const struct lane_queries *q); /* its square */
/* These find all pieces of the least valuable type in a set, and their value. */
LANES_INLINE struct lane_least least_valuable(const struct lane_rules *rules, const struct lane_queries *q, lanes set);
/* The pieces whose leaving may matter to a king, position by position. The set may include others, but omits none. */
LANES_INLINE lanes king_blockers_of(const struct lane_rules *rules, const lanes plane[4],
                                    const seebatch_position *const position[LANES]);
/* The sliders that attack the king of a colour once all pieces that can take part have left. */
LANES_INLINE lanes snipers_of(const struct lane_rules *rules, const struct lane_queries *q, lanes xray,
                              const seebatch_position *const position[LANES], int color, lanes *in_between);

/* The value of the least valuable of a set alone. */
LANES_INLINE lanes least_value(const struct lane_rules *rules, const struct lane_queries *q, lanes set);
/* The lowest square of pieces of one type that attack the target. */
LANES_INLINE lanes lowest_square_of(const struct lane_queries *q, lanes set);
/* A set of squares of the board, as the sets of a query name squares. */
LANES_INLINE lanes seen_from_target(const struct lane_queries *q, lanes squares);
/* Sets up queries on any positions. */
LANES_INLINE struct lane_queries init_queries_on(const struct lane_rules *rules,
                                                 const seebatch_position *const position[LANES],
                                                 const seebatch_move move[LANES]);
/* Sets up queries on one position, whose planes are in every lane. If `partial` is set, there are n queries,
 * PARTIAL_LANES at most, and only n moves are read. A kernel may fill a register in part where no king matters;
 * PARTIAL_LANES is 0 where it does not. */
static_assert(PARTIAL_LANES >= 0, "the most queries of a register that is filled in part");
LANES_INLINE struct lane_queries init_queries_of_position(const struct lane_rules *rules,
                                                          const seebatch_position *position, const lanes plane[4],
                                                          const seebatch_move *move, size_t n, bool partial,
                                                          lane_mask *plain);
/* Writes the first n values, PARTIAL_LANES at most, and no more. */
LANES_INLINE void store_partial(int16_t *value, lanes values, size_t n);
/* See see_expand_eight (chunks.h). */
LANES_INLINE bool expand_eight(const seebatch_batch *batch, struct see_chunk *chunk, struct see_expansion *at);

/* ---- Attack tables ----------------------------------------------------------------------------------------------- */

static_assert(MOVES_AT_ONCE <= 64 && 64 % MOVES_AT_ONCE == 0, "the moves that are decided at a time fill whole words");
static_assert(TABLES_FROM_ONE > 0, "the number of moves of one position from which attack tables pay");
static_assert(PENDING_TO_SCALAR >= 0, "the most pending moves of a position that go to the scalar code");

LANES_INLINE struct decision_values decision_values_of(const struct lane_rules *rules);
/* `blockers` are the squares whose leaving may matter to a king, in every lane. */
LANES_INLINE void attack_tables_of(struct attack_tables *tables, const struct lane_rules *rules,
                                   const seebatch_position *position, int color, lanes blockers);
/* Writes the values of n moves, MOVES_AT_ONCE at most, and returns the bits of those that are pending. */
LANES_INLINE uint64_t decide_moves(const struct lane_rules *rules, const struct decision_values *values,
                                   const struct attack_tables *tables, const seebatch_move *move, size_t n,
                                   size_t readable, const int16_t *threshold, int16_t *value);
LANES_INLINE size_t store_numbers_of_moves(uint16_t *number, size_t k, uint64_t bits); /* of those bits */

#endif
