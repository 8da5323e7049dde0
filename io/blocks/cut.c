/*
 * Cuts a plain file into blocks without reading it: of the threads of a pipeline only one at a time may say where the next
 * block ends, and so it looks at no more of the file than it must. What lies in the block is read later, by the thread
 * that works on it, while others go on.
 *
 * A few bytes tell where a block ends. Records of one size need none. Of lines, and of games in text, those before
 * the end do, if a record begins among them. Chunks and long records say at their beginning how long they are. Where
 * these bytes do not suffice, seebatch_io_blocks_fill() makes the block: at the end of a file, at damage, for records of
 * unusual length, and for games and members of tar files, whose length eight bytes do not tell.
 */
#include "blocks.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/descriptors.h"

/* Holds the file, the place at which the next block begins, and how many bytes follow from there. */
struct ahead {
    int fd;
    uint64_t at, left;
};

/* ---- Where a block ends ------------------------------------------------------------------------------------------
 *
 * Each returns the length of the block, or 0 where it does not find it. */

/* Finds the end by the last record that begins among the bytes before the goal. `bytes` may be changed. */
static size_t before_goal(const struct file_format *format, const struct ahead *ahead, struct bytes *bytes)
{
    enum { LEAST = 1 << 12, MOST = 1 << 16, FACTOR = 4 };
    if (ahead->left < BLOCK_SIZE || !bytes_reserve(bytes, MOST))
        return 0;
    for (size_t length = LEAST, done; length <= MOST; length *= FACTOR) {
        const uint64_t from = BLOCK_SIZE - length;
        if (!descriptor_read_at(ahead->fd, ahead->at + from, bytes->data, length, &done))
            return 0;
        /* The first place that is certain, whatever stands before these bytes; then the last one. */
        const size_t first = format->boundary(bytes->data, length);
        if (first > MOST_LOOK_BACK)
            return from + first + format->whole(bytes->data + first, length - first);
    }
    return 0;
}

/* Finds the end by the lengths that stand at the beginning of units. Many short ones are read more quickly as a whole. */
static size_t by_heads(const struct file_format *format, const struct ahead *ahead)
{
    enum { HEAD = 8, SHORT = 1 << 13 };
    char head[HEAD];
    size_t length = 0, goal = BLOCK_SIZE, done;
    for (;;) {
        if (ahead->left < goal || !descriptor_read_at(ahead->fd, ahead->at + length, head, HEAD, &done))
            return 0;
        const size_t unit = format->unit(head, HEAD);
        if (unit < SHORT)
            return 0;
        while (length == 0 && goal < unit && goal < longest_record(format))
            goal = next_goal(format, goal);
        if (length + unit > goal)
            return length;
        if (length + unit + HEAD > goal || goal > ahead->left) /* what follows may decide */
            return 0;
        length += unit;
    }
}

static size_t find_end(const struct file_format *format, const struct ahead *ahead, struct bytes *bytes)
{
    const size_t size = format->record_size;
    return size > 0                   ? ahead->left < BLOCK_SIZE ? 0 : BLOCK_SIZE - BLOCK_SIZE % size
           : format->boundary != NULL ? before_goal(format, ahead, bytes)
           : format->unit != NULL     ? by_heads(format, ahead)
                                      : 0;
}

/* ---- Blocks ------------------------------------------------------------------------------------------------------ */

/* False if the bytes of the file can only be read one after another. */
static bool look_ahead(const struct blocks *blocks, struct ahead *ahead)
{
    const struct stream *stream = &blocks->stream;
    struct stat file;
    if (stream->fd < 0 || stream->inflater != NULL || !stream->raw || stream->waits || stream->ended ||
        fstat(stream->fd, &file) != 0 || !S_ISREG(file.st_mode))
        return false;
    const off_t place = blocks->elsewhere ? (off_t)blocks->place : lseek(stream->fd, 0, SEEK_CUR);
    const size_t carried = blocks->elsewhere ? 0 : blocks->carry.used;
    if (place < (off_t)carried || file.st_size < place)
        return false;
    const uint64_t begin = (uint64_t)place - carried, left = (uint64_t)file.st_size - begin;
    const uint64_t of_part = stream->left < UINT64_MAX ? stream->left + carried : UINT64_MAX;
    *ahead = (struct ahead){stream->fd, begin, left < of_part ? left : of_part};
    return true;
}

bool seebatch_io_blocks_cut(struct blocks *blocks, struct block *block)
{
    struct stream *stream = &blocks->stream;
    struct ahead ahead;
    if (!look_ahead(blocks, &ahead))
        return false;
    const size_t length = find_end(blocks->source->format, &ahead, &block->in);
    if (length == 0)
        return false;
    stream->consumed += length - blocks->carry.used;
    stream->left -= stream->left < UINT64_MAX ? length - blocks->carry.used : 0;
    blocks->carry.used = 0;
    blocks->elsewhere = true;
    blocks->place = ahead.at + length;
    block->source = blocks->source;
    block->unread = true;
    block->file = ahead.fd;
    block->file_at = ahead.at;
    block->in.used = length;
    block->offset = blocks->offset;
    block->length = length;
    blocks->offset += length;
    return true;
}

/* The file cannot be read on after some bytes of the block, which are good. */
static void end_at(struct block *block, size_t done)
{
    const int number = errno;
    struct stat file;
    const uint64_t read = block->file_at + done;
    const bool known = fstat(block->file, &file) == 0 && (uint64_t)file.st_size > read;
    bytes_add_string(&block->failure, "cannot be read on: ");
    bytes_add_string(&block->failure, number != 0 ? strerror(number) : "it has become shorter since it was opened");
    block->in.used = done;
    seebatch_io_block_cut_off(block, known ? (uint64_t)file.st_size - read : 0);
    block->length = block->in.used + block->lost_inflated;
}

void seebatch_io_block_load(struct block *block)
{
    struct bytes *in = &block->in;
    const size_t length = in->used;
    size_t done;
    block->unread = false;
    in->used = 0;
    if (!bytes_reserve(in, length))
        return;
    if (descriptor_read_at(block->file, block->file_at, in->data, length, &done))
        in->used = length;
    else
        end_at(block, done);
}
