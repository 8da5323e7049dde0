/*
 * The reader thread: opens the files one after another and cuts them into blocks between records.
 *
 * A block is filled as far as it goes; what follows its last whole record is kept for the next one. Where a record is
 * longer than a block, the block grows, up to a limit: something that long is not a record, but the wrong kind of file.
 */
#include <stdlib.h>
#include <unistd.h>

#include "part.h"
#include "ring.h"
#include "beginnings.h"
#include "stream.h"

enum { BLOCK_SIZE = 1 << 18, LONGEST_RECORD = 1 << 24 };

/* ---- The beginning of a file ------------------------------------------------------------------------------------- */

/* Goes to where the part of a file begins, and no further than where it ends. */
static bool go_to_part(struct source *source, struct stream *stream, struct block *block)
{
    uint64_t end;
    if (!part_find(source, stream->fd, &source->begin, &end, &block->failure))
        return false;
    stream->left = end > source->begin ? end - source->begin : 0;
    if (lseek(stream->fd, (off_t)source->begin, SEEK_SET) >= 0)
        return true;
    bytes_add_string(&block->failure, "no place in it can be gone to, expected a file");
    return false;
}

/* What is known now that the file's first bytes are in the block; false, and the block's failure filled, if the file
 * does not fit. Takes off what stands before the records. */
static bool begin_file(struct reader *reader, struct source *source, struct block *block)
{
    if (!source->checked && !check_beginning(reader->pipeline, source, &block->in, &block->failure, &block->refused))
        return false;
    if (source->begin == 0 && source->skip > 0 && block->in.used >= source->skip) { /* a part may have no bytes */
        block->offset += source->skip;
        block->in.used -= source->skip;
        memmove(block->in.data, block->in.data + source->skip, block->in.used);
    }
    return true;
}

/* ---- Blocks ------------------------------------------------------------------------------------------------------ */

/* Fills a block from the stream. Returns whether there is more in the file. */
static bool fill(struct reader *reader, const struct source *source, struct stream *stream, struct block *block)
{
    const size_t longest = source->format->longest > 0 ? source->format->longest : LONGEST_RECORD;
    size_t goal = BLOCK_SIZE, whole;
    bool ended = false;
    bytes_reserve(&block->in, BLOCK_SIZE);
    bytes_add(&block->in, reader->carry.data, reader->carry.used);
    reader->carry.used = 0;
    for (;;) {
        long got = 0;
        while (block->in.used < goal && !ended) {
            bytes_reserve(&block->in, goal - block->in.used);
            got = stream_read(stream, block->in.data + block->in.used, goal - block->in.used, &block->failure);
            if (got < 0) { /* what came before it, as far as it is whole, is good */
                whole = source->format->whole(block->in.data, block->in.used);
                pass_over(block, block->in.used - whole + stream_left(stream), 0);
                block->in.used = whole;
                return false;
            }
            block->in.used += (size_t)got;
            ended = got == 0;
            if (stream->interactive)
                break;
        }
        whole = ended ? block->in.used : source->format->whole(block->in.data, block->in.used);
        if (whole > 0 || ended)
            break;
        if (block->in.used >= longest) {
            char text[128];
            snprintf(text, sizeof text, "it has a %s of more than %zu MiB, expected another kind of file",
                     source->format->chained ? "game or chunk" : "record", longest >> 20);
            bytes_add_string(&block->failure, text);
            pass_over(block, block->in.used + stream_left(stream), 0);
            block->in.used = 0;
            return false;
        }
        if (block->in.used >= goal)
            goal *= 2;
    }
    block->at_end = ended;
    bytes_add(&reader->carry, block->in.data + whole, block->in.used - whole);
    block->in.used = whole;
    return !ended;
}

/* Opens a file, at the beginning of what is to be read; false, and the block's failure filled, if that fails. */
static bool open_source(const struct reader *reader, struct source *source, struct stream *stream, struct block *block)
{
    const bool divided = reader->pipeline->part.of > 0;
    if (!divided)
        source->start = reader->start;
    if (!stream_open(stream, source->name, &block->failure))
        return false;
    if (!divided || go_to_part(source, stream, block))
        return true;
    stream_close(stream);
    return false;
}

/* Reads one file; false when the run was stopped. */
static bool read_source(struct reader *reader, struct source *source)
{
    struct stream stream;
    struct block *block = ring_to_fill(reader->ring);
    if (block == NULL)
        return false;
    block->source = source;
    block->first = true;
    if (!open_source(reader, source, &stream, block)) {
        ring_filled(reader->ring);
        return true;
    }
    uint64_t offset = source->begin;
    bool more = true;
    while (more) {
        more = fill(reader, source, &stream, block);
        block->offset = offset;
        offset += block->in.used;
        const size_t damage = block->failure.used;
        if (block->first && (block->in.used > 0 || damage == 0) && !begin_file(reader, source, block)) {
            block->in.used = 0;
            block->failure.used -= damage; /* one reason is enough */
            memmove(block->failure.data, block->failure.data + damage, block->failure.used);
            more = false;
        }
        block->consumed = reader->consumed + stream.consumed;
        ring_filled(reader->ring);
        if (more) {
            block = ring_to_fill(reader->ring);
            if (block == NULL)
                break;
            block->source = source;
        }
    }
    reader->start += offset;
    reader->consumed += stream.consumed;
    reader->carry.used = 0;
    stream_close(&stream);
    return block != NULL;
}

void *reader_run(void *argument)
{
    struct reader *reader = argument;
    bool on = true;
    for (int i = 0; i < reader->pipeline->n_names && on; i++)
        on = reader->pipeline->sources[i].passed_over || read_source(reader, &reader->pipeline->sources[i]);
    ring_end(reader->ring);
    free(reader->carry.data);
    return NULL;
}
