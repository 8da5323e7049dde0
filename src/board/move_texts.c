/*
 * Reads and writes the moves of many positions as text.
 */
#include "api/bulk.h"
#include "api/error.h"

#include <assert.h>
#include <string.h>

/* Rows of moves of many positions; without offsets, one move for each position. */
struct texts_work {
    const seebatch_position *positions;
    const size_t *offsets;
    int notation;
    const seebatch_text *texts; /* read; or NULL */
    seebatch_move *read;
    uint8_t *statuses;
    struct see_found *found;
    const seebatch_move *moves; /* written */
    char (*written)[SEEBATCH_SAN_SIZE];
};

static size_t row_of(const struct texts_work *work, size_t i) { return work->offsets ? work->offsets[i] : i; }

static seebatch_status move_of_text(const struct texts_work *work, const seebatch_position *position, size_t k,
                                    seebatch_move *move, seebatch_error *error)
{
    const seebatch_text text = work->texts[k];
    return work->notation == SEEBATCH_UCI   ? seebatch_move_from_uci(position, text.at, text.length, move, error)
           : work->notation == SEEBATCH_SAN ? seebatch_move_from_san(position, text.at, text.length, move, error)
                                            : seebatch_move_from_text(position, text.at, text.length, move, error);
}

static void read_rows(const void *argument, size_t begin, size_t end)
{
    const struct texts_work *work = (const struct texts_work *)argument;
    const size_t first = row_of(work, 0);
    for (size_t i = begin; i < end; i++) {
        for (size_t k = row_of(work, i); k < row_of(work, i + 1); k++) {
            seebatch_move *move = &work->read[k - first];
            const seebatch_status status = move_of_text(work, &work->positions[i], k, move, NULL);
            if (work->statuses)
                work->statuses[k - first] = (uint8_t)status;
            if (status != SEEBATCH_OK) {
                *move = 0;
                see_note(work->found, k - first);
            }
        }
    }
}

seebatch_status seebatch_batch_moves_from_text(const seebatch_position *positions, size_t n_positions,
                                               const size_t *offsets, const seebatch_text *texts, int notation,
                                               seebatch_move *moves, uint8_t *statuses, seebatch_faults *faults,
                                               seebatch_job *job)
{
    assert(notation == SEEBATCH_UCI || notation == SEEBATCH_SAN || notation == SEEBATCH_ANY_NOTATION);
    struct see_found found = {0, SIZE_MAX};
    const struct texts_work work = {positions, offsets, notation, texts, moves, statuses, &found, NULL, NULL};
    const seebatch_status status = seebatch_run_job(job, n_positions, SEE_PART_TEXTS, read_rows, &work);
    seebatch_status first = SEEBATCH_OK;
    if (found.count) {
        seebatch_move move;
        const size_t k = row_of(&work, 0) + found.first;
        const size_t i = offsets ? see_row_holding(offsets, n_positions, k) : k;
        first = move_of_text(&work, &positions[i], k, &move, faults ? &faults->error : NULL);
    }
    return see_report_found(&found, first, status, faults);
}

static void write_rows(const void *argument, size_t begin, size_t end)
{
    const struct texts_work *work = (const struct texts_work *)argument;
    const size_t first = row_of(work, 0);
    for (size_t i = begin; i < end; i++) {
        for (size_t k = row_of(work, i); k < row_of(work, i + 1); k++) {
            char *text = work->written[k - first];
            memset(text, 0, SEEBATCH_SAN_SIZE);
            if (work->notation == SEEBATCH_SAN)
                seebatch_move_to_san(&work->positions[i], work->moves[k], text);
            else if (seebatch_promotion(work->moves[k]) <= SEEBATCH_QUEEN)
                seebatch_move_to_uci(work->moves[k], text);
            else
                text[0] = '?';
        }
    }
}

seebatch_status seebatch_batch_moves_to_text(const seebatch_position *positions, size_t n_positions,
                                             const size_t *offsets, const seebatch_move *moves, int notation,
                                             char (*texts)[SEEBATCH_SAN_SIZE], seebatch_job *job)
{
    assert(notation == SEEBATCH_UCI || notation == SEEBATCH_SAN);
    const struct texts_work work = {positions, offsets, notation, NULL, NULL, NULL, NULL, moves, texts};
    return seebatch_run_job(job, n_positions, SEE_PART_TEXTS, write_rows, &work);
}
