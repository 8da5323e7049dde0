/*
 * Files as blocks: filling one block after another from a stream, and reading the records of a block, batch by batch.
 * The pipeline's workers and the reader call these functions; blocks.c says how a file is cut.
 */
#ifndef SEEBATCH_IO_BLOCKS_H
#define SEEBATCH_IO_BLOCKS_H

#include "formats/format.h"
#include "files/stream.h"

/* ---- Filling ----------------------------------------------------------------------------------------------------- */

struct blocks {
    struct source *source;
    struct stream stream;
    struct bytes carry; /* the beginning of a record whose rest comes in the next block; freed by the caller */
    uint64_t offset;    /* of the next block */
    bool elsewhere;     /* the next block begins at `place` in the file, and not where the stream is; it has no carry */
    uint64_t place;
};

/* A block has at most this many bytes of a file, unless its records are longer. */
enum { BLOCK_SIZE = 1 << 18 };

/* Returns the length beyond which bytes are no record, but show that the file is of another kind. */
static inline size_t longest_record(const struct file_format *format)
{
    enum { LONGEST_RECORD = 1 << 24 };
    return format->longest > 0 ? format->longest : LONGEST_RECORD;
}

/* Returns how many bytes to look at next, if the end of a record is not among `goal` bytes. */
static inline size_t next_goal(const struct file_format *format, size_t goal)
{
    const size_t longest = longest_record(format);
    return goal + goal / 4 < longest ? goal + goal / 4 : longest;
}

/* Opens a file at the beginning of what is to be read, which with `divided` is its part; false, and *why, if that
 * fails. */
bool seebatch_io_blocks_open(struct blocks *blocks, struct source *source, bool divided, struct bytes *why);

/* Fills an empty block. Returns whether there is more in the file. What goes wrong is the block's failure. */
bool seebatch_io_blocks_fill(struct blocks *blocks, struct block *block);

/* Makes the same block without reading it, after the first one of a file: its bytes are in the file, from which
 * seebatch_io_block_load() reads them, in any thread, before the file is closed. False, and nothing done, where that is not
 * possible. (cut.c) */
bool seebatch_io_blocks_cut(struct blocks *blocks, struct block *block);
void seebatch_io_block_load(struct block *block);

/* The file cannot be read on after what is in the block, and so many bytes are left: keeps what is whole. */
void seebatch_io_block_cut_off(struct block *block, uint64_t left);

void seebatch_io_blocks_close(struct blocks *blocks);

/* Takes off what stands before the records of a file, whose first block this is. */
void seebatch_io_block_skip_file_header(struct block *block);

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

struct reading {
    struct cursor cursor;
    uint64_t bad_line; /* the last line that could not be read; 0: none */
    bool mended; /* the file's last line had no line feed: it got one, or is not read where it may not be cut off */
};

/* Begins to read a block; state is memory for what its format keeps. */
void seebatch_io_reading_begin(struct reading *reading, struct block *block, struct bytes *state, bool strict);

/* Takes the next records of the block. Returns false, with none, at its end. */
bool seebatch_io_reading_next(struct reading *reading, struct batch *batch);

void seebatch_io_reading_end(struct reading *reading);

/* ---- Counting ---------------------------------------------------------------------------------------------------- */

/* Adds what a block had to what was read so far, and to what is known of its file. */
void seebatch_io_count_block(seebatch_counts *counts, const struct block *block);

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

/* As many bytes that are zero. */
void *seebatch_io_zeroed(struct bytes *bytes, size_t size);

/* Makes a block as new, with the memory that it has. */
void seebatch_io_block_empty(struct block *block);
/* Gives its memory back. */
void seebatch_io_block_free(struct block *block);

/* Whether something is missing in it because there was no memory. */
static inline bool block_has_failed(const struct block *block)
{
    return block->in.failed | block->out.failed | block->compressed.failed | block->error_reports.failed |
           block->failure.failed | block->scratch.failed | block->row.failed | block->text.failed |
           block->lengths.failed;
}

#endif
