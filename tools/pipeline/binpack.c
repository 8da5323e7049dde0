/*
 * Reading Stockfish's binpack; binpack.h says what it is and how it lies in a file.
 *
 * A block is whole chunks, because nothing tells where a chain ends but reading it. Positions are handed out a batch at
 * a time: where reading stands, mostly in the middle of a chain, is kept in block->reader. A position within a chain is
 * got by playing the move before it; so every move must be legal, and nothing is handed out behind one that is not.
 * Where something is wrong in a chain, the next one cannot be found, and the rest of the chunk is passed over. The
 * length of a chunk leads to the next chunk; where there is none, the file ends.
 */
#include "../../src/quote.h"
#include "binpack.h"

struct reader {
    const unsigned char *begin; /* of the chunk's chains; chain.end is their end, as far as they are there, NULL between
                                   chunks */
    size_t claimed;             /* bytes that they should have */
    uint64_t n_chunks;          /* begun so far in the block */
    bool passed_over;           /* the rest of the chunk was, and a complaint says so */
    struct binpack_chain chain;
};

static size_t little_endian(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return (size_t)b[0] | (size_t)b[1] << 8 | (size_t)b[2] << 16 | (size_t)b[3] << 24;
}

/* ---- Chunks ------------------------------------------------------------------------------------------------------ */

/* The length of the chunk that begins here; 0 if none does. */
static size_t chunk_length(const char *bytes, size_t length)
{
    if (length < BINPACK_CHUNK || memcmp(bytes, "BINP", 4) != 0 || little_endian(bytes + 4) > BINPACK_LONGEST)
        return 0;
    return BINPACK_CHUNK + little_endian(bytes + 4);
}

static size_t whole_chunks(const char *bytes, size_t length)
{
    size_t whole = 0;
    while (length - whole >= BINPACK_CHUNK) {
        size_t chunk = chunk_length(bytes + whole, length - whole);
        if (chunk == 0) /* what it is instead is told where it is read */
            return length;
        if (chunk > length - whole)
            break;
        whole += chunk;
    }
    return whole;
}

/* Goes on to the next chunk; false at the end, or where there is none. */
static bool begin_chunk(struct cursor *cursor, struct reader *reader)
{
    const char *at = cursor->at;
    const size_t length = (size_t)(cursor->end - at), magic = length < 4 ? length : 4;
    if (length == 0)
        return false;
    if (memcmp(at, "BINP", magic) != 0) {
        give_up(cursor, at, "here '%s' stands, expected 'BINP', the beginning of a chunk", see_quote(at, magic).text);
        return false;
    }
    if (length < BINPACK_CHUNK) {
        give_up(cursor, at, "the file ends in the first %d bytes of a chunk: it may have been cut off", BINPACK_CHUNK);
        return false;
    }
    reader->claimed = little_endian(at + 4);
    if (reader->claimed > BINPACK_LONGEST) {
        give_up(cursor, at, "a chunk of %zu bytes begins here, expected at most %d", reader->claimed, BINPACK_LONGEST);
        return false;
    }
    const size_t there = length - BINPACK_CHUNK;
    cursor->at += BINPACK_CHUNK;
    reader->begin = (const unsigned char *)cursor->at;
    reader->chain.end = reader->begin + (there < reader->claimed ? there : reader->claimed);
    reader->passed_over = false;
    reader->n_chunks++;
    return true;
}

/* Whether there is less of the chunk than it claims: then it is the last of the file. */
static bool is_cut_off(const struct reader *reader)
{
    return (size_t)(reader->chain.end - reader->begin) < reader->claimed;
}

/* The end of a chunk, which leaves too little for another chain. Returns whether to go on. */
static bool end_chunk(struct cursor *cursor, struct reader *reader)
{
    const char *end = (const char *)reader->chain.end;
    const size_t left = (size_t)(end - cursor->at);
    size_t others = 0;
    for (size_t i = 0; i < left; i++)
        others += cursor->at[i] != 0;
    if (is_cut_off(reader)) {
        give_up(cursor, end, "the file ends after %td of the %zu bytes of a chunk: it may have been cut off",
                reader->chain.end - reader->begin, reader->claimed);
        reader->chain.end = NULL;
        return false;
    }
    if (others > 0 && !reader->passed_over) {
        struct record record;
        begin_record(cursor, &record, cursor->at, left);
        complain(cursor->block, &record, "the last %zu byte%s of the chunk %s too few for a chain of at least %d", left,
                 left == 1 ? "" : "s", left == 1 ? "is" : "are", BINPACK_STEM);
        if (cursor->strict)
            end = cursor->end;
    }
    cursor->at = end;
    reader->chain.end = NULL;
    return true;
}

/* ---- Records ----------------------------------------------------------------------------------------------------- */

/* Something is wrong, and the end of the chain is not known. */
static void pass_over(struct cursor *cursor, struct reader *reader, const struct record *record, const char *why)
{
    const char *end = (const char *)reader->chain.end;
    complain(cursor->block, record,
             "%s; so the end of its chain cannot be found, and the rest of the chunk, %td bytes, is passed over", why,
             end - record->bytes);
    reader->chain.left = 0;
    reader->passed_over = true;
    cursor->at = end;
}

/* Reads a stem; false, and complained of, if it is wrong. */
static bool read_first(struct cursor *cursor, struct reader *reader, struct record *record, seebatch_position *position)
{
    const unsigned char *stem = (const unsigned char *)cursor->at;
    seebatch_error error;
    begin_record(cursor, record, cursor->at, BINPACK_STEM);
    cursor->at += BINPACK_STEM;
    if (binpack_read_stem(&reader->chain, stem, record, position, &error))
        return true;
    if (reader->chain.left == 0)
        complain(cursor->block, record, "%s", error.text);
    else
        pass_over(cursor, reader, record, error.text);
    return false;
}

/* The bytes end before the chain does. If the chunk is cut off, its end says so; this position is not there. */
static void end_too_early(struct cursor *cursor, struct reader *reader, const struct record *record)
{
    if (!is_cut_off(reader)) {
        complain(cursor->block, record, "the chunk ends here, expected %u more position%s of its last chain",
                 reader->chain.left, reader->chain.left == 1 ? "" : "s");
        reader->passed_over = true;
    }
    reader->chain.left = 0;
    cursor->at = (const char *)reader->chain.end;
}

/* Reads the next position of a chain; false if it is wrong, and complained of, or not there. */
static bool read_next(struct cursor *cursor, struct reader *reader, struct record *record, seebatch_position *position)
{
    struct binpack_chain *chain = &reader->chain;
    seebatch_error error;
    const uint32_t within = (uint32_t)(chain->bit % 8);
    begin_record(cursor, record, (const char *)chain->text + chain->bit / 8, 0);
    record->within = within;
    if (binpack_read_ply(chain, record, position, &error)) {
        if (chain->left == 0)
            cursor->at = (const char *)chain->text + (chain->bit + 7) / 8;
        return true;
    }
    if (error.text[0] == '\0')
        end_too_early(cursor, reader, record);
    else
        pass_over(cursor, reader, record, error.text);
    return false;
}

static bool read_binpack(struct cursor *cursor, struct batch *batch)
{
    struct reader *reader = cursor->block->reader;
    batch->n = 0;
    while (batch->n < BATCH_SIZE) {
        struct record *record = &batch->records[batch->n];
        seebatch_position *position = &batch->positions[batch->n];
        const uint64_t bad = cursor->block->bad;
        bool well = false;
        if (reader->chain.end == NULL) {
            if (batch->n > 0 || !begin_chunk(cursor, reader)) /* no batch is of two chunks */
                break;
        } else if (reader->chain.left > 0) {
            well = read_next(cursor, reader, record, position);
        } else if ((const char *)reader->chain.end - cursor->at >= BINPACK_STEM) {
            well = read_first(cursor, reader, record, position);
        } else if (!end_chunk(cursor, reader)) {
            break;
        }
        if (well) {
            batch->n++;
            if (reader->chain.left > 0) {
                reader->chain.position = *position;
                binpack_play(&reader->chain.position, record->move);
            }
        } else if (cursor->block->bad > bad && cursor->strict) {
            cursor->at = cursor->end;
            reader->chain.end = NULL;
        }
    }
    return batch->n > 0;
}

/* ---- The format -------------------------------------------------------------------------------------------------- */

static bool write_binpack(struct block *block, const struct target *target, const struct record *record,
                          const seebatch_position *position, const struct cell *cells, const char **why)
{
    struct binpack_writer *writer = block->writer;
    (void)target, (void)cells;
    if (block->source->format == &binpack_format) {
        const struct reader *reader = block->reader;
        if (writer->source_chunk !=
            reader->n_chunks) /* a chunk for each, so that nothing depends on how blocks are cut */
            writer->in_chunk = writer->goes_on = false;
        writer->source_chunk = reader->n_chunks;
    }
    return binpack_write_record(&block->out, writer, record, position, why);
}

/* The number of the move, if there is one, is what the ply says, and an en passant square one where a pawn may capture.
 */
static unsigned binpack_loses(const struct record *record, const seebatch_position *position)
{
    unsigned lost = 0;
    if (record->has & FIELD_PLY && has_move_number(record) && position->fullmove_number != record->ply / 2 + 1)
        lost |= FIELD_NUMBER;
    if (position->ep_square != SEEBATCH_NO_SQUARE && !binpack_keeps_en_passant(position))
        lost |= FIELD_EN_PASSANT;
    return lost;
}

const struct file_format binpack_format = {
    .name = "binpack",
    .endings = {".binpack"},
    .what = "chains of positions with move, score, result and ply, as Stockfish writes them",
    .fields = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_PLY,
    .needed = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_PLY,
    .binary = true,
    .chained = true,
    .longest = BINPACK_CHUNK + BINPACK_LONGEST,
    .reader_size = sizeof(struct reader),
    .writer_size = sizeof(struct binpack_writer),
    .whole = whole_chunks,
    .read = read_binpack,
    .write = write_binpack,
    .loses = binpack_loses,
    .unit = chunk_length,
};
