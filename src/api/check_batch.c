/*
 * Checks many boards and their moves before they are evaluated, for callers whose data may be anything.
 *
 * Threads look for the first position with a fault; what is wrong with it is found out afterwards.
 */
#include "board/position.h"
#include "bulk.h"
#include "check.h"
#include "error.h"

#include <assert.h>
#include <string.h>

struct check_work {
    const seebatch_rules *rules;
    const seebatch_batch *batch;
    int what;
    struct see_found *found;
};

/* From this many moves of a position on, it is faster to generate all its legal moves than to check each move. */
enum { MANY_MOVES = 6 };

/* Whether all moves of a row are legal in a sound position. */
static bool all_are_legal(const seebatch_position *position, const seebatch_move *moves, size_t n)
{
    if (n < MANY_MOVES) {
        while (n && seebatch_is_legal(position, moves[n - 1]))
            n--;
        return n == 0;
    }
    seebatch_move legal[SEEBATCH_MAX_MOVES];
    uint64_t targets[64] = {0};
    const size_t n_legal = seebatch_legal_moves(position, legal);
    for (size_t i = 0; i < n_legal; i++)
        targets[seebatch_from(legal[i])] |= square_bb(seebatch_to(legal[i]));
    const uint64_t promoting =
        pieces_of(position, position->stm, SEEBATCH_PAWN) & (position->stm == SEEBATCH_WHITE ? RANK_7 : RANK_2);
    for (size_t i = 0; i < n; i++) {
        const int from = seebatch_from(moves[i]), promotion = seebatch_promotion(moves[i]);
        const bool promotes = promoting >> from & 1;
        if (moves[i] >> 15 || promotion > SEEBATCH_QUEEN || promotes != (promotion != 0) ||
            !(targets[from] >> seebatch_to(moves[i]) & 1))
            return false;
    }
    return true;
}

/* Says what is wrong with a move, as a sentence. Its position is in order. */
static seebatch_status move_fault(const struct check_work *work, const seebatch_position *position, seebatch_move move,
                                  seebatch_error *error)
{
    const char *fault = seebatch_move_fault(work->rules, position, move, work->what == SEEBATCH_CHECK_PSEUDO_LEGAL);
    if (work->what == SEEBATCH_CHECK_SOUND && seebatch_is_legal(position, move))
        return SEEBATCH_OK;
    if (work->what == SEEBATCH_CHECK_SOUND && !fault)
        fault = "it is not legal with this side to move, these rights to castle and this en passant square";
    return fault ? see_fail(error, SEEBATCH_ILLEGAL, "%s", fault) : SEEBATCH_OK;
}

/* Says what is wrong with a position. */
static seebatch_status position_fault(const struct check_work *work, const seebatch_position *position,
                                      seebatch_error *error)
{
    if (work->what == SEEBATCH_CHECK_SOUND)
        return seebatch_position_check(position, error);
    const char *fault = seebatch_board_fault(work->rules, position);
    return fault ? see_fail(error, SEEBATCH_UNSOUND, "%s", fault) : SEEBATCH_OK;
}

static bool is_in_order(const struct check_work *work, size_t i)
{
    const seebatch_batch *batch = work->batch;
    const seebatch_position *position = &batch->positions[i];
    if (position_fault(work, position, NULL) != SEEBATCH_OK)
        return false;
    if (!batch->offsets)
        return true;
    const size_t begin = batch->offsets[i], end = batch->offsets[i + 1];
    if (work->what == SEEBATCH_CHECK_SOUND)
        return begin == end || all_are_legal(position, batch->moves + begin, end - begin);
    for (size_t k = begin; k < end; k++) {
        if (move_fault(work, position, batch->moves[k], NULL) != SEEBATCH_OK)
            return false;
    }
    return true;
}

static void check_positions(const void *argument, size_t begin, size_t end)
{
    const struct check_work *work = (const struct check_work *)argument;
    for (size_t i = begin; i < end; i++) {
        if (!is_in_order(work, i)) {
            see_note(work->found, i);
            return; /* the first fault of a part is enough */
        }
    }
}

static seebatch_status check_offsets(const seebatch_batch *batch, size_t n_moves, seebatch_fault *fault)
{
    for (size_t i = 0; batch->offsets && i <= batch->n_positions && batch->n_positions; i++) {
        const size_t before = i ? batch->offsets[i - 1] : 0;
        if (batch->offsets[i] >= before && batch->offsets[i] <= n_moves)
            continue;
        if (fault)
            fault->position = i;
        return see_fail(fault ? &fault->error : NULL, SEEBATCH_BAD_OFFSETS,
                        "offset %zu is %zu, expected at least the one before, %zu, and at most the number of moves, "
                        "%zu",
                        i, batch->offsets[i], before, n_moves);
    }
    return SEEBATCH_OK;
}

/* Writes the sentence on the first fault of a position that has one. */
static seebatch_status report_fault(const struct check_work *work, size_t i, seebatch_fault *fault)
{
    const seebatch_batch *batch = work->batch;
    const seebatch_position *position = &batch->positions[i];
    seebatch_error why, *error = fault ? &fault->error : NULL;
    if (fault)
        fault->position = i;
    const seebatch_status status = position_fault(work, position, &why);
    if (status != SEEBATCH_OK)
        return see_fail(error, status, "position %zu: %s", i, why.text);
    size_t k = batch->offsets[i];
    while (move_fault(work, position, batch->moves[k], &why) == SEEBATCH_OK)
        k++;
    if (fault)
        fault->move = k;
    char uci[6] = "?", fen[SEEBATCH_FEN_SIZE];
    if (seebatch_promotion(batch->moves[k]) <= SEEBATCH_QUEEN)
        seebatch_move_to_uci(batch->moves[k], uci);
    seebatch_position_to_fen(position, fen);
    return see_fail(error, SEEBATCH_ILLEGAL, "move %zu, %s in position %zu (%s): %s", k, uci, i, fen, why.text);
}

seebatch_status seebatch_batch_check(const seebatch_rules *rules, const seebatch_batch *batch, size_t n_moves, int what,
                                     seebatch_fault *fault, seebatch_job *job)
{
    assert(what == SEEBATCH_CHECK_SOUND ||
           ((what == SEEBATCH_CHECK_LEGAL || what == SEEBATCH_CHECK_PSEUDO_LEGAL) && rules));
    struct see_found found = {0, SIZE_MAX};
    const struct check_work work = {rules, batch, what, &found};
    if (fault)
        fault->position = fault->move = SIZE_MAX;
    seebatch_status status = rules ? seebatch_rules_check(rules, fault ? &fault->error : NULL) : SEEBATCH_OK;
    if (status == SEEBATCH_OK)
        status = check_offsets(batch, n_moves, fault);
    if (status == SEEBATCH_OK)
        status = seebatch_run_job(job, batch->n_positions, SEE_PART_TEXTS, check_positions, &work);
    return found.count ? report_fault(&work, found.first, fault) : status;
}
