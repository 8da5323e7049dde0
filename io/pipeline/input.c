/*
 * Gives the workers of a pipeline the blocks of its files, one file after another. A worker that needs a block fills
 * it itself, so that the block's bytes are in the cache of its processor. Where a block need only be cut, it is read
 * after the lock is given back.
 */
#include <stdlib.h>

#include "blocks/file_header.h"
#include "run.h"

/* What is known now that the file's first bytes are in the block; false, and the block's failure filled, if the file
 * does not fit. Takes off what stands before the records. */
static bool begin_file(struct seebatch_pipeline *run, struct source *source, struct block *block)
{
    if (source->begin == 0 && !seebatch_io_check_file_header(source, &block->in, &block->failure))
        return false;
    if (!source->checked && !seebatch_io_check_file(run, source, &block->in, &block->failure, &block->refused))
        return false;
    seebatch_io_block_skip_file_header(block);
    return true;
}

/* The file does not fit: one reason is enough, if it could not be read on, either. */
static void refuse_file(struct block *block, size_t damage)
{
    block->in.used = 0;
    block->failure.used -= damage;
    memmove(block->failure.data, block->failure.data + damage, block->failure.used);
}

/* Opens the next file, of which this is the first block; false if there is none. */
static bool open_next(struct input *input, struct block *block)
{
    struct seebatch_pipeline *run = input->run;
    while (input->next < run->n_sources && run->sources[input->next].skipped)
        input->next++;
    if (input->next == run->n_sources)
        return false;
    struct source *source = &run->sources[input->next++];
    block->source = source;
    if (run->part.of == 0)
        source->start = input->start;
    input->open = seebatch_io_blocks_open(&input->blocks, source, run->part.of > 0, &block->failure);
    input->blocks.stream.wake = run->wake[0];
    source->length = run->part.of > 0         ? source->size
                     : source->memory != NULL ? source->memory_size
                     : input->open            ? seebatch_io_stream_left(&input->blocks.stream)
                                              : 0;
    input->first = true;
    return true;
}

/* One more block of the file is to be read, or one less. */
static void count_loads(struct input *input, bool more)
{
    pthread_mutex_lock(&input->loads_lock);
    input->loads += more ? 1 : (size_t)-1;
    if (input->loads == 0)
        pthread_cond_signal(&input->loaded);
    pthread_mutex_unlock(&input->loads_lock);
}

/* Waits until all blocks that were cut are read: on Windows, pread() moves the place at which the file is read on, and
 * the file may be closed afterwards. */
static void wait_for_loads(struct input *input)
{
    pthread_mutex_lock(&input->loads_lock);
    while (input->loads > 0)
        pthread_cond_wait(&input->loaded, &input->loads_lock);
    pthread_mutex_unlock(&input->loads_lock);
}

/* Closes the file after its last block. */
static void fill(struct input *input, struct block *block)
{
    struct blocks *blocks = &input->blocks;
    block->place = blocks->stream.consumed;
    bool more = !input->first && seebatch_io_blocks_cut(blocks, block);
    if (more) {
        count_loads(input, true);
    } else {
        wait_for_loads(input);
        more = seebatch_io_blocks_fill(blocks, block);
    }
    const size_t damage = block->failure.used;
    if (input->first && (block->in.used > 0 || damage == 0) && !begin_file(input->run, blocks->source, block)) {
        refuse_file(block, damage);
        more = false;
    }
    input->first = false;
    block->place = blocks->stream.inflater != NULL ? block->place : 0;
    block->consumed = input->consumed + blocks->stream.consumed;
    if (more)
        return;
    input->start += blocks->offset;
    input->consumed += blocks->stream.consumed;
    input->open = false;
    seebatch_io_blocks_close(blocks);
}

struct block *seebatch_io_input_next(struct input *input)
{
    struct block_queue *queue = &input->run->queue;
    pthread_mutex_lock(&input->lock);
    struct block *block = seebatch_io_queue_to_fill(queue);
    if (block != NULL && !input->open && !open_next(input, block)) {
        seebatch_io_queue_end(queue);
        block = NULL;
    }
    if (block != NULL && input->open)
        fill(input, block);
    if (block != NULL)
        seebatch_io_queue_filled(queue, block, input->blocks.stream.waits);
    pthread_mutex_unlock(&input->lock);
    if (block != NULL && block->unread) {
        seebatch_io_block_load(block);
        count_loads(input, false);
    }
    return block;
}

void seebatch_io_input_begin(struct input *input, struct seebatch_pipeline *run)
{
    *input = (struct input){.run = run};
    pthread_mutex_init(&input->lock, NULL);
    pthread_mutex_init(&input->loads_lock, NULL);
    pthread_cond_init(&input->loaded, NULL);
}

void seebatch_io_input_end(struct input *input)
{
    if (input->open)
        seebatch_io_blocks_close(&input->blocks);
    free(input->blocks.carry.data);
    pthread_mutex_destroy(&input->lock);
    pthread_mutex_destroy(&input->loads_lock);
    pthread_cond_destroy(&input->loaded);
}
