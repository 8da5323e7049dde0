/*
 * The reader thread: opens the files one after another and cuts them into blocks between records.
 *
 * A block is filled as far as it goes; what follows its last whole record is kept for the next one. Where a record is
 * longer than a block, the block grows, up to a limit: something that long is not a record, but the wrong kind of file.
 */
#include <stdlib.h>
#include <unistd.h>

#include "headings.h"
#include "losses.h"
#include "part.h"
#include "ring.h"
#include "stream.h"

enum { BLOCK_SIZE = 1 << 18, LONGEST_RECORD = 1 << 24 };

/* ---- The beginning of a file ------------------------------------------------------------------------------------- */

/* The target as the first file has it. */
static void settle_target(struct reader *reader, const struct source *source)
{
    struct target *target = &reader->pipeline->target;
    reader->target_known = true;
    target->first = source;
    if (target->format == NULL)
        target->format = source->format;
    target->fields = target->format->begin != NULL ? source->fields : target->format->fields;
    target->fields |= target->format->holds_more ? FIELD_COLUMNS : 0u;
    headings_settle(target);
}

/* Whether two tables have the same columns; an end by CR LF does not count. */
static bool same_header(const struct bytes *a, const struct bytes *b)
{
    size_t used_a = a->used, used_b = b->used;
    used_a -= used_a > 0 && a->data[used_a - 1] == '\r';
    used_b -= used_b > 0 && b->data[used_b - 1] == '\r';
    return used_a == used_b && memcmp(a->data, b->data, used_a) == 0;
}

/* The length of the mark of UTF-8, which some editors and spreadsheets begin a text with; 0 if there is none. */
static size_t mark_length(const struct bytes *bytes)
{
    static const char mark[] = "\xef\xbb\xbf";
    enum { MARK_SIZE = sizeof mark - 1 };
    return bytes->used >= MARK_SIZE && memcmp(bytes->data, mark, MARK_SIZE) == 0 ? MARK_SIZE : 0;
}

/* Takes it off the block's bytes. */
static void take_mark(const struct source *source, struct block *block)
{
    const size_t length = mark_length(&block->in);
    if (source->format->binary || length == 0)
        return;
    if (source->begin == 0)
        block->offset += length;
    block->in.used -= length;
    memmove(block->in.data, block->in.data + length, block->in.used);
}

/* Whether what should be text is not compressed; if it is, that is the block's failure. */
static bool is_not_compressed(const struct source *source, struct block *block)
{
    static const struct {
        const char *begin, *name, *ending;
    } known[] = {{"\x1f\x8b\x08", "gzip", ".gz"}, {"\x28\xb5\x2f\xfd", "Zstandard", ".zst"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0] && !source->format->binary; i++) {
        const size_t length = strlen(known[i].begin);
        if (block->in.used < length || memcmp(block->in.data, known[i].begin, length) != 0)
            continue;
        bytes_add_string(&block->failure, "it is compressed by ");
        bytes_add_string(&block->failure, known[i].name);
        bytes_add_string(&block->failure, ", expected text, or a file whose name ends with ");
        bytes_add_string(&block->failure, known[i].ending);
        return false;
    }
    return true;
}

/* Takes the header off the block's bytes. */
static bool take_header(struct source *source, struct block *block)
{
    const char *lf = block->in.used > 0 ? memchr(block->in.data, '\n', block->in.used) : NULL;
    seebatch_error error;
    if (lf == NULL) {
        bytes_add_string(&block->failure, block->in.used == 0
                                              ? "it is empty, expected a header with the names of columns"
                                              : "the header has no end, expected a line with the names of columns");
        return false;
    }
    size_t length = (size_t)(lf - block->in.data);
    bytes_add(&source->header, block->in.data, length);
    if (!source->format->read_header(source, &error)) {
        bytes_add_string(&block->failure, error.text);
        return false;
    }
    if (source->begin == 0)
        block->offset += length + 1;
    block->in.used -= length + 1;
    memmove(block->in.data, lf + 1, block->in.used);
    return true;
}

/* Puts the header of a table before the bytes of a part that does not have it, so that it is taken off again. */
static bool add_header(const struct stream *stream, struct block *block)
{
    struct bytes line = {NULL, 0, 0};
    const bool well = part_first_line(stream->fd, &line, &block->failure);
    const size_t used = block->in.used;
    bytes_reserve(&block->in, line.used);
    memmove(block->in.data + line.used, block->in.data, used);
    memcpy(block->in.data, line.data, line.used);
    block->in.used += line.used;
    free(line.data);
    return well;
}

/* Reads the first line of a file whose format has no header, but columns: of a part, too, so that all have the same. */
static bool read_first_line(struct source *source, const struct stream *stream, struct block *block)
{
    struct bytes line = {NULL, 0, 0};
    if (source->format->read_first == NULL)
        return true;
    const bool well = source->begin == 0 || part_first_line(stream->fd, &line, &block->failure);
    const struct bytes *bytes = source->begin == 0 ? &block->in : &line;
    const size_t mark = mark_length(bytes), end = line_boundary(bytes->data, bytes->used);
    if (well && end > mark)
        source->format->read_first(source, bytes->data + mark, end - 1 - mark);
    free(line.data);
    return well;
}

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

/* Whether nothing is lost that may not be; if not, that is the block's failure. */
static bool loses_nothing(const struct target *target, const struct source *source, struct block *block)
{
    const unsigned lost = losses_of_source(source, target);
    char text[LOSS_TEXT];
    if (lost == 0)
        return true;
    loss_text(lost, target, text, sizeof text);
    bytes_add_string(&block->failure, text);
    block->refused = true;
    return false;
}

/* Whether a file has the fields that something needs; if not, that is the block's failure. */
static bool has_fields(struct block *block, unsigned fields, unsigned needed, const char *by)
{
    char names[LOSS_NAMES];
    if ((needed & ~fields) == 0)
        return true;
    field_list(needed & ~fields, names, sizeof names);
    bytes_add_string(&block->failure, "it has no column for ");
    bytes_add_string(&block->failure, names);
    bytes_add_string(&block->failure, ", which ");
    bytes_add_string(&block->failure, by);
    bytes_add_string(&block->failure, " needs");
    return false;
}

/* What is known now that the file's first bytes are in the block; false, and the block's failure filled, if the file
 * does not fit. */
static bool begin_file(struct reader *reader, struct source *source, struct block *block)
{
    const struct pipeline *pipeline = reader->pipeline;
    const struct target *target = &pipeline->target;
    source->fields = source->format->fields;
    if (!is_not_compressed(source, block))
        return false;
    take_mark(source, block);
    if (source->format->read_header != NULL && !take_header(source, block))
        return false;
    const unsigned fields = source->fields | (source->format->implies_ply ? FIELD_PLY : 0u);
    if (!has_fields(block, fields, pipeline->required, "a condition") ||
        (target->format != NULL && source->format != target->format &&
         !has_fields(block, fields, target->format->needed, target->format->name)))
        return false;
    if (!reader->target_known)
        settle_target(reader, source);
    if (pipeline->sink != NULL && source->format == target->format && source->format->read_header != NULL &&
        !same_header(&source->header, &target->first->header)) {
        bytes_add_string(&block->failure, "its header differs from that of ");
        bytes_add_string(&block->failure, target->first->name);
        bytes_add_string(&block->failure, ", expected the same columns: they are written into one table");
        return false;
    }
    if (pipeline->sink == NULL)
        return true;
    headings_place(source, target);
    return loses_nothing(target, source, block);
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
                block->in.used = source->format->whole(block->in.data, block->in.used);
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
            block->in.used = 0;
            return false;
        }
        if (block->in.used >= goal)
            goal *= 2;
    }
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

/* Whether the file is a table of whose header the part has nothing. */
static bool has_part_without_header(const struct reader *reader, const struct source *source,
                                    const struct stream *stream)
{
    return reader->pipeline->part.of > 0 && source->format->read_header != NULL && source->size > 0 &&
           (source->begin > 0 || stream->left == 0);
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
    const bool headless = has_part_without_header(reader, source, &stream);
    uint64_t offset = source->begin;
    bool more = true;
    while (more) {
        more = fill(reader, source, &stream, block);
        block->offset = offset;
        offset += block->in.used;
        if (block->first && !(headless ? add_header(&stream, block) : read_first_line(source, &stream, block))) {
            block->in.used = 0; /* there is no header to look at, and a reason */
            more = false;
        }
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
        on = reader->sources[i].passed_over || read_source(reader, &reader->sources[i]);
    ring_end(reader->ring);
    free(reader->carry.data);
    return NULL;
}
