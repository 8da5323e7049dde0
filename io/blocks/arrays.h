/*
 * Turns a batch of records, as formats read them, into the arrays of seebatch_records, as callers of the pipeline and
 * conditions get them. pipeline/worker.c calls it for each batch.
 */
#ifndef SEEBATCH_IO_ARRAYS_H
#define SEEBATCH_IO_ARRAYS_H

#include "formats/format.h"

/* Holds the memory for the fields of a batch. */
struct arrays {
    seebatch_move moves[BATCH_SIZE];
    int32_t scores[BATCH_SIZE], plies[BATCH_SIZE];
    uint8_t results[BATCH_SIZE], has[BATCH_SIZE];
};

/* Where the record begins, counted in bytes of all input, tells it from all others but those in the same byte. Inputs
 * of up to 16 terabytes, with a million records in a byte, have room in one number. first is where its block begins. */
static inline uint64_t record_identity(const struct record *record, uint64_t first)
{
    return (first + record->offset) ^ (uint64_t)record->within << 44;
}

/* Makes arrays of a batch: its positions as they are, and of the fields those that are wanted. */
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
    /* In one loop, because the records are larger than a cache of level 1. */
    for (size_t i = 0; i < batch->n; i++, record++) {
        const unsigned has = record->has & wanted;
        arrays->has[i] = (uint8_t)has;
        if (wanted & FIELD_MOVE)
            arrays->moves[i] = has & FIELD_MOVE ? record->move : 0;
        if (wanted & FIELD_SCORE)
            arrays->scores[i] = has & FIELD_SCORE ? record->score : 0;
        if (wanted & FIELD_RESULT)
            arrays->results[i] = has & FIELD_RESULT ? record->result : 0;
        if (wanted & FIELD_PLY)
            arrays->plies[i] = has & FIELD_PLY ? record->ply : 0;
    }
    return records;
}

#endif
