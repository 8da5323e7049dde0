/*
 * The reader thread of a pipeline: the files, one after another, as blocks in the ring.
 */
#include <stdlib.h>

#include "run.h"

/* What is known now that the file's first bytes are in the block; false, and the block's failure filled, if the file
 * does not fit. Takes off what stands before the records. */
static bool begin_file(struct seebatch_pipeline *run, struct source *source, struct block *block)
{
    if (!source->checked && !fit_file(run, source, &block->in, &block->failure, &block->refused))
        return false;
    block_skip_beginning(block);
    return true;
}

/* The file does not fit: one reason is enough, if it could not be read on, either. */
static void refuse_file(struct block *block, size_t damage)
{
    block->in.used = 0;
    block->failure.used -= damage;
    memmove(block->failure.data, block->failure.data + damage, block->failure.used);
}

/* Reads one file; false when the run was stopped. */
static bool read_source(struct input *input, struct source *source)
{
    struct seebatch_pipeline *run = input->run;
    struct blocks *blocks = &input->blocks;
    struct block *block = ring_to_fill(&run->ring);
    bool more = true, first = true;
    if (block == NULL)
        return false;
    block->source = source;
    if (run->part.of == 0)
        source->start = input->start;
    if (!blocks_open(blocks, source, run->part.of > 0, &block->failure)) {
        ring_filled(&run->ring);
        return true;
    }
    blocks->stream.wake = run->wake[0];
    while (more) {
        more = blocks_fill(blocks, block);
        const size_t damage = block->failure.used;
        if (first && (block->in.used > 0 || damage == 0) && !begin_file(run, source, block)) {
            refuse_file(block, damage);
            more = false;
        }
        first = false;
        block->consumed = input->consumed + blocks->stream.consumed;
        ring_filled(&run->ring);
        if (more && (block = ring_to_fill(&run->ring)) == NULL)
            break;
    }
    input->start += blocks->offset;
    input->consumed += blocks->stream.consumed;
    blocks_close(blocks);
    return block != NULL;
}

void *input_run(void *argument)
{
    struct input *input = argument;
    struct seebatch_pipeline *run = input->run;
    bool on = true;
    for (size_t i = 0; i < run->n_sources && on; i++)
        on = run->sources[i].passed_over || read_source(input, &run->sources[i]);
    ring_end(&run->ring);
    free(input->blocks.carry.data);
    return NULL;
}
