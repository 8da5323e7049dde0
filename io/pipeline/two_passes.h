/*
 * Runs that need the whole input before they can write: those that leave out positions that come again read it twice,
 * and those that shuffle write at the end. run.c and worker.c call these functions at the places where such runs
 * differ from others.
 */
#ifndef SEEBATCH_IO_TWO_PASSES_H
#define SEEBATCH_IO_TWO_PASSES_H

#include "run.h"

/* Makes what options.unique and options.shuffle need; false if there is no memory. */
bool seebatch_io_passes_begin(struct seebatch_pipeline *run);
void seebatch_io_passes_end(struct seebatch_pipeline *run);

/* Before the first of two passes: whatever cannot be read twice, pipes and standard input, is copied to a temporary
 * file. False, and run->broken, if that fails. */
bool seebatch_io_passes_copy_pipes(struct seebatch_pipeline *run);

/* Called by the caller's thread in the first pass: takes the positions of a block, or of a piece of it, and the end of
 * the block. */
bool seebatch_io_first_pass_add(struct seebatch_pipeline *run, const struct block *block, bool whole);

/* After the first pass: finds what comes again, and makes the run as it was before. False, and run->broken, if that
 * fails. */
bool seebatch_io_first_pass_end(struct seebatch_pipeline *run);

/* The second pass: whether a block had as many positions as in the first one. */
bool seebatch_io_second_pass_agrees(struct seebatch_pipeline *run, const struct block *block);

/* Called by a worker: returns whether record i of a block, one that was to be written, is not written; in the first
 * pass none is. */
bool seebatch_io_second_pass_skips(const struct seebatch_pipeline *run, struct block *block,
                                   const seebatch_position *position);
static inline bool second_pass_skips(const struct seebatch_pipeline *run, struct block *block,
                                     const seebatch_position *position)
{
    return run->unique != NULL && seebatch_io_second_pass_skips(run, block, position);
}

/* Called by the caller's thread: takes a block's output to be shuffled. A worker notes the end of each record
 * before. */
bool seebatch_io_shuffle_block(struct seebatch_pipeline *run, const struct block *block);
void seebatch_io_shuffle_note_length(const struct seebatch_pipeline *run, struct block *block, size_t begin);

/* The end: writes what was shuffled. */
bool seebatch_io_write_shuffled(struct seebatch_pipeline *run);

#endif
