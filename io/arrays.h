/*
 * Records from the inside, as arrays for the outside.
 */
#ifndef SEEBATCH_IO_ARRAYS_H
#define SEEBATCH_IO_ARRAYS_H

#include "formats/format.h"

/* Memory for the fields of a batch. */
struct arrays {
    seebatch_move moves[BATCH_SIZE];
    int32_t scores[BATCH_SIZE], plies[BATCH_SIZE];
    uint8_t results[BATCH_SIZE], has[BATCH_SIZE];
};

/* A batch as arrays: its positions as they are, and of the fields those that are wanted. */
static inline seebatch_records arrays_of_batch(struct arrays *arrays, struct batch *batch, unsigned wanted)
{
    seebatch_records records = {.capacity = batch->n, .n = batch->n, .positions = batch->positions};
    const struct record *record = batch->records;
    if (wanted == 0)
        return records;
    records.has = arrays->has;
    records.moves = wanted & FIELD_MOVE ? arrays->moves : NULL;
    records.scores = wanted & FIELD_SCORE ? arrays->scores : NULL;
    records.results = wanted & FIELD_RESULT ? arrays->results : NULL;
    records.plies = wanted & FIELD_PLY ? arrays->plies : NULL;
    for (size_t i = 0; i < batch->n; i++)
        arrays->has[i] = (uint8_t)(record[i].has & wanted);
    for (size_t i = 0; records.moves != NULL && i < batch->n; i++)
        arrays->moves[i] = record[i].has & FIELD_MOVE ? record[i].move : 0;
    for (size_t i = 0; records.scores != NULL && i < batch->n; i++)
        arrays->scores[i] = record[i].has & FIELD_SCORE ? record[i].score : 0;
    for (size_t i = 0; records.results != NULL && i < batch->n; i++)
        arrays->results[i] = record[i].has & FIELD_RESULT ? record[i].result : 0;
    for (size_t i = 0; records.plies != NULL && i < batch->n; i++)
        arrays->plies[i] = record[i].has & FIELD_PLY ? record[i].ply : 0;
    return records;
}

#endif
