/*
 * The debug mode that checks every query: if it is compiled with SEEBATCH_CHECK_MOVES, the library aborts with a
 * sentence at a move that it does not accept. 1: it accepts legal moves. 2: it also accepts moves that leave their own
 * king in check, except under rules of legal captures. Not defined, or 0: nothing is checked, and the code contains
 * nothing of this.
 */
#ifndef SEEBATCH_CHECK_H
#define SEEBATCH_CHECK_H

#include "dispatch/kernel.h"

#ifndef SEEBATCH_CHECK_MOVES
#define SEEBATCH_CHECK_MOVES 0
#endif

/* For asserts: whether the offsets are given and do not decrease. */
static inline bool see_offsets_are_sound(const seebatch_batch *batch)
{
    if (batch->n_positions && !batch->offsets)
        return false;
    for (size_t i = 0; i < batch->n_positions; i++) {
        if (batch->offsets[i] > batch->offsets[i + 1])
            return false;
    }
    return true;
}

/* Says what is wrong with the board for evaluation under the rules, or returns NULL. */
const char *seebatch_board_fault(const seebatch_rules *rules, const seebatch_position *position);

/* Says what is wrong with a move on a board without a fault, or returns NULL. `rules` are the rules under which the
 * move is evaluated, or NULL. */
const char *seebatch_move_fault(const seebatch_rules *rules, const seebatch_position *position, seebatch_move move,
                                bool pseudo_legal_will_do);

/* Aborts if there is anything wrong with one of the queries. */
void seebatch_check_queries(const seebatch_rules *rules, const seebatch_batch *batch, bool pseudo_legal_will_do);

static inline void see_check_queries(const seebatch_rules *rules, const seebatch_batch *batch)
{
    if (SEEBATCH_CHECK_MOVES)
        seebatch_check_queries(rules, batch, SEEBATCH_CHECK_MOVES == 2);
}

static inline void see_check_query(const seebatch_rules *rules, const seebatch_position *position, seebatch_move move)
{
    const size_t offsets[2] = {0, 1};
    const seebatch_batch batch = {position, 1, offsets, &move, NULL};
    see_check_queries(rules, &batch);
}

#endif
