/*
 * Building batches: positions with their moves.
 */
#include "differential.h"

#include <string.h>

void batch_clear(struct batch *batch)
{
    batch->n_positions = 0;
    batch->offsets[0] = 0;
}

bool batch_add_position(struct batch *batch, const seebatch_position *position)
{
    if (batch->n_positions == MAX_POSITIONS)
        return false;
    enum { FIELDS = offsetof(seebatch_position, fullmove_number) + sizeof position->fullmove_number };
    seebatch_position *added = &batch->positions[batch->n_positions++];
    memset(added, 0, sizeof *added); /* the padding, too: batches are compared as memory */
    memcpy(added, position, FIELDS);
    batch->offsets[batch->n_positions] = batch->offsets[batch->n_positions - 1];
    return true;
}

bool batch_add_move(struct batch *batch, seebatch_move move)
{
    size_t *end = &batch->offsets[batch->n_positions];
    if (*end == MAX_QUERIES)
        return false;
    batch->moves[(*end)++] = move;
    return true;
}

/* The padding at the end of a position is not compared. */
static bool same_position(const seebatch_position *a, const seebatch_position *b)
{
    return memcmp(a, b, offsetof(seebatch_position, fullmove_number) + sizeof a->fullmove_number) == 0;
}

bool batch_add_query(struct batch *batch, const seebatch_position *position, seebatch_move move)
{
    bool same = batch->n_positions > 0 && same_position(&batch->positions[batch->n_positions - 1], position);
    return (same || batch_add_position(batch, position)) && batch_add_move(batch, move);
}

const seebatch_position *batch_position(const struct batch *batch, size_t k)
{
    size_t low = 0, high = batch->n_positions - 1; /* the last position that begins at or before k and is not empty */
    while (low < high) {
        size_t middle = (low + high + 1) / 2;
        if (batch->offsets[middle] <= k)
            low = middle;
        else
            high = middle - 1;
    }
    return &batch->positions[low];
}

seebatch_position with_mover(const seebatch_position *position, seebatch_move move)
{
    seebatch_position result = *position;
    int mover = seebatch_color_on(position, seebatch_from(move));
    if (mover != position->stm) {
        result.stm = (uint8_t)mover;
        result.ep_square = SEEBATCH_NO_SQUARE;
    }
    return seebatch_position_check(&result, NULL) == SEEBATCH_OK ? result : *position;
}
