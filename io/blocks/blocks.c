/*
 * Cuts a file into blocks of some hundred kilobytes that end where a record ends.
 *
 * A block is filled as far as it goes; what follows its last whole record is kept for the next one. Where a record is
 * longer than a block, the block grows, up to a limit: something that long is not a record, but the wrong kind of file.
 */
#include "blocks.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "formats/json/json_tokens.h"
#include "part.h"

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

/* Goes to where the part of a file begins, and no further than where it ends. */
static bool go_to_part(struct source *source, struct stream *stream, struct bytes *why)
{
    uint64_t end;
    if (!seebatch_io_part_find(source, stream->fd, &source->begin, &end, why))
        return false;
    stream->raw = true;
    stream->left = end > source->begin ? end - source->begin : 0;
    if (lseek(stream->fd, (off_t)source->begin, SEEK_SET) >= 0)
        return true;
    bytes_add_string(why, "no place in it can be gone to, expected a file");
    return false;
}

bool seebatch_io_blocks_open(struct blocks *blocks, struct source *source, bool divided, struct bytes *why)
{
    struct stream *stream = &blocks->stream;
    blocks->source = source;
    blocks->carry.used = 0;
    blocks->elsewhere = false;
    if (source->memory != NULL)
        seebatch_io_stream_open_memory(stream, source->memory, source->memory_size);
    else if (!(source->kept > 0 ? seebatch_io_stream_open_kept(stream, source->kept, why)
                                : seebatch_io_stream_open(stream, source->name, why))) {
        source->system_error = stream->system_error;
        return false;
    }
    if (divided && !go_to_part(source, stream, why)) {
        seebatch_io_stream_close(stream);
        return false;
    }
    blocks->offset = source->begin;
    return true;
}

void seebatch_io_blocks_close(struct blocks *blocks) { seebatch_io_stream_close(&blocks->stream); }

/* ---- Filling ----------------------------------------------------------------------------------------------------- */

/* How many bytes are read of what came before the file could not be read on. What is cut off within a line is none; a
 * game or a chunk has records up to the cut. */
static size_t readable(const struct file_format *format, const struct bytes *in)
{
    return !format->chained ? format->whole(in->data, in->used)
           : format->binary ? in->used
                            : seebatch_io_whole_lines(in->data, in->used);
}

void seebatch_io_block_cut_off(struct block *block, uint64_t left)
{
    const size_t whole = readable(block->source->format, &block->in);
    block->cut = whole > 0;
    seebatch_io_skip_damage(block, block->in.used - whole + left, 0);
    block->in.used = whole;
}

/* There is no memory: nothing more is read of the file. */
static bool give_up_for_memory(struct block *block)
{
    block->in.used = 0;
    block->in.failed = true;
    return false;
}

static bool fill(struct blocks *blocks, struct block *block)
{
    const struct source *source = blocks->source;
    struct stream *stream = &blocks->stream;
    const size_t longest = longest_record(source->format);
    size_t goal = BLOCK_SIZE, whole;
    bool ended = false;
    const struct bytes empty = block->in;
    block->in = blocks->carry;
    blocks->carry = empty;
    if (blocks->elsewhere && lseek(stream->fd, (off_t)blocks->place, SEEK_SET) < 0) {
        bytes_add_string(&block->failure, "cannot be read on: ");
        bytes_add_string(&block->failure, strerror(errno));
        seebatch_io_block_cut_off(block, seebatch_io_stream_left(stream));
        return false;
    }
    blocks->elsewhere = false;
    for (;;) {
        long got = 0;
        while (block->in.used < goal && !ended) {
            if (!bytes_reserve(&block->in, goal - block->in.used))
                return give_up_for_memory(block);
            got = seebatch_io_stream_read(stream, block->in.data + block->in.used, goal - block->in.used,
                                          &block->failure);
            if (got < 0) { /* what came before it is good */
                const uint64_t left = seebatch_io_stream_left(stream);
                seebatch_io_block_cut_off(block, left);
                block->lost_inflated += (uint64_t)((double)left * (seebatch_io_stream_growth(stream) - 1));
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
            const uint64_t read = block->in.used;
            seebatch_io_skip_damage(block, read + seebatch_io_stream_skip(stream, block->in.data, block->in.used), 0);
            block->in.used = 0;
            return false;
        }
        if (block->in.used >= goal)
            goal = next_goal(source->format, goal);
    }
    block->at_end = ended;
    bytes_add(&blocks->carry, block->in.data + whole, block->in.used - whole);
    block->in.used = whole;
    block->in.failed |= blocks->carry.failed || block->in.failed;
    return !ended;
}

bool seebatch_io_blocks_fill(struct blocks *blocks, struct block *block)
{
    block->source = blocks->source;
    const bool more = fill(blocks, block);
    block->offset = blocks->offset;
    blocks->offset += block->in.used;
    block->length = block->in.used + block->lost_inflated;
    return more;
}

void seebatch_io_block_skip_file_header(struct block *block)
{
    const struct source *source = block->source;
    if (source->begin != 0 || source->skip == 0 || block->in.used < source->skip) /* a part may have no bytes */
        return;
    block->offset += source->skip;
    block->in.used -= source->skip;
    memmove(block->in.data, block->in.data + source->skip, block->in.used);
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

void *seebatch_io_zeroed(struct bytes *bytes, size_t size)
{
    bytes_empty(bytes);
    if (size > 0 && bytes_reserve(bytes, size))
        memset(bytes->data, 0, size);
    return bytes->data;
}

void seebatch_io_reading_begin(struct reading *reading, struct block *block, struct bytes *state, bool strict)
{
    struct bytes *in = &block->in;
    const bool text = !block->source->format->binary;
    reading->bad_line = 0;
    reading->mended = text && in->used > 0 && in->data[in->used - 1] != '\n';
    if (reading->mended && strict)
        in->used = seebatch_io_whole_lines(in->data, in->used);
    else if (reading->mended)
        bytes_add_char(in, '\n');
    if (in->failed)
        in->used = 0;
    block->reader = seebatch_io_zeroed(state, block->source->format->reader_size);
    block->scratch.failed |= state->failed;
    const bool nul = text && in->used > 0 && memchr(in->data, '\0', in->used) != NULL;
    reading->cursor = (struct cursor){block, block->source, in->data, bytes_end(in), 0, strict, nul};
}

bool seebatch_io_reading_next(struct reading *reading, struct batch *batch)
{
    struct block *block = reading->cursor.block;
    const uint64_t bad = block->bad;
    batch->n = 0;
    const bool more =
        block->in.used > 0 && !block->scratch.failed && block->source->format->read(&reading->cursor, batch);
    if (block->bad > bad) /* by the reading: later error reports may be of what could not be written */
        reading->bad_line = seebatch_io_line_of_error(block);
    block->read += more ? batch->n : 0;
    return more;
}

/* Says that the last line had no line feed. If it could not be read either, the file was cut off within it. */
static void report_last_line(const struct reading *reading)
{
    const struct cursor *cursor = &reading->cursor;
    struct block *block = cursor->block;
    if (!cursor->strict && reading->bad_line == cursor->line)
        seebatch_io_skip_damage(block, block->in.used - 1 - seebatch_io_whole_lines(block->in.data, block->in.used - 1),
                                0);
    const struct record record = {.line = cursor->line + 1, .offset = block->in.used};
    if (!cursor->strict)
        seebatch_io_warn_of_last_line(block, cursor->line);
    else if (block->bad == 0)
        seebatch_io_report_error(block, &record, "%s, expected a line feed", LAST_LINE);
}

void seebatch_io_reading_end(struct reading *reading)
{
    struct block *block = reading->cursor.block;
    if (reading->mended && !block->refused && !block_has_failed(block))
        report_last_line(reading);
    block->lines = reading->cursor.line;
    block->stopped |= reading->cursor.strict && block->bad > 0;
}

/* ---- Counting ---------------------------------------------------------------------------------------------------- */

void seebatch_io_count_block(seebatch_counts *counts, const struct block *block)
{
    struct source *source = block->source;
    counts->read += block->read;
    counts->bad += block->stopped && block->bad > 0 ? 1 : block->bad;
    counts->lost_bytes += block->lost_bytes;
    counts->lost_records += block->lost_records;
    counts->scores += block->read_scores;
    counts->not_scores += block->unread_scores;
    counts->damaged |= block->damaged || block->failure.used > 0;
    source->read += block->read;
    source->good += block->length > block->lost_inflated ? block->length - block->lost_inflated : 0;
    source->lost += block->lost_inflated;
    /* As many as there are in so many bytes of those that could be read. */
    counts->lost_about -= source->about;
    if (source->lost > 0 && source->good > 0)
        source->about = (uint64_t)((double)source->lost * (double)source->read / (double)source->good + 0.5);
    counts->lost_about += source->about;
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

enum { N_BUFFERS = 9 };

static void list_buffers(struct block *block, struct bytes *buffers[N_BUFFERS])
{
    struct bytes *const all[N_BUFFERS] = {&block->in,      &block->out,     &block->compressed, &block->error_reports,
                                          &block->failure, &block->scratch, &block->row,        &block->text,
                                          &block->lengths};
    memcpy(buffers, all, sizeof all);
}

void seebatch_io_block_empty(struct block *block)
{
    const struct block old = *block;
    struct bytes *buffers[N_BUFFERS], *before[N_BUFFERS];
    struct block copy = old;
    memset(block, 0, sizeof *block);
    block->json = old.json;
    list_buffers(block, buffers);
    list_buffers(&copy, before);
    for (int i = 0; i < N_BUFFERS; i++)
        *buffers[i] = (struct bytes){before[i]->data, 0, before[i]->capacity, false};
}

void seebatch_io_block_free(struct block *block)
{
    struct bytes *buffers[N_BUFFERS];
    list_buffers(block, buffers);
    for (int i = 0; i < N_BUFFERS; i++) {
        free(buffers[i]->data);
        *buffers[i] = (struct bytes){0};
    }
    seebatch_io_json_finder_free(block->json);
    block->json = NULL;
}
