/*
 * Reads Stockfish's binpack; binpack.h says what it is and how it lies in a file.
 *
 * A block is whole chunks, because only reading a chain shows where it ends. Positions are returned a batch at
 * a time: where reading stands, mostly in the middle of a chain, is kept in block->reader. A position within a chain is
 * got by playing the move before it; so every move must be legal, and nothing is returned after one that is not.
 * Where something is wrong in a chain, the next one cannot be found, and the rest of the chunk is skipped.
 *
 * The length of a chunk leads to the next chunk. Where none begins there, or where a chunk ends beyond the file, the
 * bytes are searched for the next place at which one begins: "BINP" and a length that may be one; and, within a chunk,
 * one that leads to another chunk. Four random bytes rarely say that. Reading goes on from there.
 */
#include "support/quote.h"
#include "binpack.h"

enum { RUBBISH_AT_ONCE = 1 << 20 }; /* bytes */

struct reader {
    const unsigned char *begin; /* of the chunk's chains; chain.end is their end, as far as they are there, NULL between
                                   chunks */
    size_t claimed;             /* bytes that they should have */
    uint64_t n_chunks;          /* begun so far in the block */
    bool skipped;               /* the rest of the chunk was, and an error report says so */
    struct binpack_chain chain;
};

static size_t little_endian(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return (size_t)b[0] | (size_t)b[1] << 8 | (size_t)b[2] << 16 | (size_t)b[3] << 24;
}

/* ---- Chunks ------------------------------------------------------------------------------------------------------ */

/* The length of the chunk that begins here, or 0 if none does. */
static size_t chunk_length(const char *bytes, size_t length)
{
    if (length < BINPACK_CHUNK || memcmp(bytes, "BINP", 4) != 0 || little_endian(bytes + 4) > BINPACK_LONGEST)
        return 0;
    return BINPACK_CHUNK + little_endian(bytes + 4);
}

/* Whether the bytes, as far as they are there, begin as a chunk does. */
static bool has_magic(const char *bytes, size_t length) { return memcmp(bytes, "BINP", length < 4 ? length : 4) == 0; }

/* What is taken for true where the bytes end too early to tell. */
struct presumed {
    bool followed; /* after them a chunk begins, */
    bool cut_off;  /* a chunk that is longer than they are is one, */
    bool begun;    /* and so is what may be the first bytes of its head */
};

static bool begins_chunk(const char *bytes, size_t length, struct presumed presumed)
{
    return has_magic(bytes, length) && (length >= 4 || presumed.followed);
}

/* The first place from one on and before another at which a chunk begins that is followed by a chunk, or may be cut off;
 * the other place if there is none. */
static size_t find_chunk(const char *bytes, size_t length, size_t from, size_t before, struct presumed presumed)
{
    for (const char *at = bytes + from; at < bytes + before; at++) {
        at = memchr(at, 'B', (size_t)(bytes + before - at));
        if (at == NULL)
            break;
        const size_t left = length - (size_t)(at - bytes), chunk = chunk_length(at, left);
        if (left < BINPACK_CHUNK ? presumed.begun && has_magic(at, left)
            : chunk > left       ? presumed.cut_off
                                 : chunk > 0 && begins_chunk(at + chunk, left - chunk, presumed))
            return (size_t)(at - bytes);
    }
    return before;
}

/* How many bytes belong to the chunk that begins here: what it says, or fewer if another one begins before that and
 * none at its end. 0 if there is none here. */
static size_t chunk_unit(const char *bytes, size_t length, struct presumed presumed)
{
    const size_t chunk = chunk_length(bytes, length);
    const bool ends = chunk <= length;
    if (ends && (chunk == 0 || begins_chunk(bytes + chunk, length - chunk, presumed)))
        return chunk;
    presumed.cut_off &= ends;
    const size_t end = ends ? chunk : length, other = find_chunk(bytes, length, BINPACK_CHUNK, end, presumed);
    return other < end ? other : chunk;
}

/* How many bytes are no chunk: up to what may be the head of the next one, or to where a head may begin that is not
 * there as a whole. A longer run of them is taken in pieces. */
static size_t rubbish_unit(const char *bytes, size_t length)
{
    size_t end = 1;
    while (end < length && end < RUBBISH_AT_ONCE &&
           (length - end < BINPACK_CHUNK ? !has_magic(bytes + end, length - end)
                                         : chunk_length(bytes + end, length - end) == 0))
        end++;
    return end;
}

/* How many bytes are whole chunks, and rubbish whose end is there: where these end must not depend on the blocks, so
 * that more is waited for where it decides. */
static size_t whole_chunks(const char *bytes, size_t length)
{
    enum { MOST_LOOKED_AT = BINPACK_CHUNK + BINPACK_LONGEST };
    const struct presumed yes = {true, true, true}, no = {false, false, false}, others = {false, true, true};
    size_t whole = 0;
    while (length - whole >= BINPACK_CHUNK) {
        const size_t left = length - whole, chunk = chunk_unit(bytes + whole, left, yes);
        const size_t unit = chunk > 0 ? chunk : rubbish_unit(bytes + whole, left);
        if (unit > left ||
            (left < MOST_LOOKED_AT &&
             (chunk != chunk_unit(bytes + whole, left, no) || chunk != chunk_unit(bytes + whole, left, others))) ||
            (chunk == 0 && unit < RUBBISH_AT_ONCE && left - unit < BINPACK_CHUNK))
            break;
        whole += unit;
    }
    return whole;
}

/* Reports bytes that are no chunk, and goes on after them. */
static void skip_rubbish(struct cursor *cursor)
{
    const char *at = cursor->at;
    const size_t left = (size_t)(cursor->end - at), length = rubbish_unit(at, left);
    struct record record;
    seebatch_io_begin_record(cursor, &record, at, length);
    if (has_magic(at, left))
        seebatch_io_report_error(cursor->block, &record,
                                 "a chunk of %zu bytes begins here, expected at most %d; %zu bytes are skipped",
                                 little_endian(at + 4), BINPACK_LONGEST, length);
    else
        seebatch_io_report_error(
            cursor->block, &record, "found '%s', expected 'BINP', with which a chunk begins; %zu byte%s %s skipped",
            quote(at, length < 4 ? length : 4).text, length, plural(length), length == 1 ? "is" : "are");
    seebatch_io_skip_damage(cursor->block, length, 0);
    cursor->at = cursor->strict ? cursor->end : at + length;
}

/* Goes on to the next chunk; false at the end. */
static bool begin_chunk(struct cursor *cursor, struct reader *reader)
{
    const struct presumed presumed = {true, cursor->block->at_end, false}; /* a block ends where a chunk begins */
    while (cursor->at < cursor->end) {
        const char *at = cursor->at;
        const size_t length = (size_t)(cursor->end - at), unit = chunk_unit(at, length, presumed);
        if (unit == 0 && length < BINPACK_CHUNK && has_magic(at, length)) {
            seebatch_io_skip_damage(cursor->block, length, 0);
            seebatch_io_end_file_early(
                cursor, at, "the file ends in the first %d bytes of a chunk: it may have been cut off", BINPACK_CHUNK);
            return false;
        }
        if (unit == 0) {
            skip_rubbish(cursor);
            continue;
        }
        cursor->at += BINPACK_CHUNK;
        reader->claimed = little_endian(at + 4);
        reader->begin = (const unsigned char *)cursor->at;
        reader->chain.end = (const unsigned char *)(unit < length ? at + unit : cursor->end);
        reader->skipped = false;
        reader->n_chunks++;
        return true;
    }
    return false;
}

/* Whether there is less of the chunk than it claims, because the file ends. */
static bool is_cut_off(const struct cursor *cursor, const struct reader *reader)
{
    return cursor->block->at_end && (const char *)reader->chain.end == cursor->end &&
           (size_t)(reader->chain.end - reader->begin) < reader->claimed;
}

/* The end of a chunk, which leaves too little for another chain. Returns whether to go on. */
static bool end_chunk(struct cursor *cursor, struct reader *reader)
{
    const char *end = (const char *)reader->chain.end;
    const size_t there = (size_t)(reader->chain.end - reader->begin), left = (size_t)(end - cursor->at);
    struct record record;
    size_t others = 0;
    for (size_t i = 0; i < left; i++)
        others += cursor->at[i] != 0;
    const bool cut_off = is_cut_off(cursor, reader);
    reader->chain.end = NULL;
    if (others > 0 && !reader->skipped)
        seebatch_io_skip_damage(cursor->block, left, 0);
    if (cut_off) {
        seebatch_io_end_file_early(cursor, end,
                                   "the file ends after %zu of the %zu bytes of a chunk: it may have been cut off",
                                   there, reader->claimed);
        return false;
    }
    const uint64_t bad = cursor->block->bad;
    if (there < reader->claimed) {
        seebatch_io_skip_damage(cursor->block, 0, 0);
        seebatch_io_begin_record(cursor, &record, cursor->at, left);
        seebatch_io_report_error(cursor->block, &record,
                                 "the chunk has %zu byte%s up to the next one, but says that it has %zu", there,
                                 plural(there), reader->claimed);
    } else if (others > 0 && !reader->skipped) {
        seebatch_io_begin_record(cursor, &record, cursor->at, left);
        seebatch_io_report_error(cursor->block, &record,
                                 "the last %zu byte%s of the chunk %s too few for a chain of at least %d", left,
                                 plural(left), left == 1 ? "is" : "are", BINPACK_STEM);
    }
    cursor->at = cursor->strict && cursor->block->bad > bad ? cursor->end : end;
    return true;
}

/* ---- Records ----------------------------------------------------------------------------------------------------- */

/* Skips the rest of the chunk from a record on. Positions of its chain are lost, if the bytes are
 * enough for so many. */
static void skip_chunk(struct cursor *cursor, struct reader *reader, const struct record *record, unsigned lost)
{
    enum { LEAST_BITS = 5 }; /* of a position: its score */
    const char *end = (const char *)reader->chain.end;
    const size_t bytes = (size_t)(end - record->bytes), most = bytes * 8 / LEAST_BITS + 1;
    seebatch_io_skip_damage(cursor->block, bytes, lost < most ? lost : most);
    reader->chain.left = 0;
    reader->skipped = true;
    cursor->at = end;
}

/* Something is wrong, and the end of the chain is not known. */
static void lose_chain(struct cursor *cursor, struct reader *reader, const struct record *record, unsigned lost,
                       const char *why)
{
    seebatch_io_report_error(
        cursor->block, record,
        "%s; so the end of its chain cannot be found, and the rest of the chunk, %td bytes, is skipped", why,
        (const char *)reader->chain.end - record->bytes);
    skip_chunk(cursor, reader, record, lost);
}

/* Reads a stem; false, and reported, if it is wrong. */
static bool read_first(struct cursor *cursor, struct reader *reader, struct record *record, seebatch_position *position)
{
    const unsigned char *stem = (const unsigned char *)cursor->at;
    seebatch_error error;
    seebatch_io_begin_record(cursor, record, cursor->at, BINPACK_STEM);
    cursor->at += BINPACK_STEM;
    if (seebatch_io_binpack_read_stem(&reader->chain, stem, record, position, &error)) {
        cursor->block->begun++;
        return true;
    }
    if (reader->chain.left == 0)
        seebatch_io_report_error(cursor->block, record, "%s", error.text);
    else
        lose_chain(cursor, reader, record, reader->chain.left + 1, error.text);
    return false;
}

/* The bytes end before the chain does. If the chunk is cut off, its end says so; this position is not there. */
static void end_too_early(struct cursor *cursor, struct reader *reader, const struct record *record)
{
    if (!is_cut_off(cursor, reader))
        seebatch_io_report_error(cursor->block, record,
                                 "the chunk ends here, expected %u more position%s of its last chain",
                                 reader->chain.left, plural(reader->chain.left));
    skip_chunk(cursor, reader, record, reader->chain.left);
}

/* Reads the next position of a chain; false if it is wrong, and reported, or not there. */
static bool read_next(struct cursor *cursor, struct reader *reader, struct record *record, seebatch_position *position)
{
    struct binpack_chain *chain = &reader->chain;
    seebatch_error error;
    const uint32_t within = (uint32_t)(chain->bit % 8);
    seebatch_io_begin_record(cursor, record, (const char *)chain->text + chain->bit / 8, 0);
    record->within = within;
    if (seebatch_io_binpack_read_ply(chain, record, position, &error)) {
        if (chain->left == 0)
            cursor->at = (const char *)chain->text + (chain->bit + 7) / 8;
        return true;
    }
    if (error.text[0] == '\0')
        end_too_early(cursor, reader, record);
    else
        lose_chain(cursor, reader, record, reader->chain.left, error.text);
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
            const size_t n = seebatch_io_binpack_read_plies(&reader->chain, cursor->block->in.data, cursor->line,
                                                            record, position, BATCH_SIZE - batch->n);
            batch->n += n;
            cursor->line += n;
            if (n > 0) {
                if (reader->chain.left == 0)
                    cursor->at = (const char *)reader->chain.text + (reader->chain.bit + 7) / 8;
                continue;
            }
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

static struct binpack_writer *writer_of(const struct block *block)
{
    struct binpack_writer *writer = block->writer;
    writer->from_games = block->source->format == &FORMAT(pgn);
    return writer;
}

static bool write_binpack(struct block *block, const struct target *target, const struct record *record,
                          const seebatch_position *position, const seebatch_cell *cells, const char **why)
{
    struct binpack_writer *writer = writer_of(block);
    (void)target, (void)cells;
    if (block->source->format == &FORMAT(binpack)) {
        const struct reader *reader = block->reader;
        if (writer->source_chunk !=
            reader->n_chunks) /* a chunk for each, so that nothing depends on how blocks are cut */
            writer->in_chunk = writer->goes_on = false;
        writer->source_chunk = reader->n_chunks;
    }
    return seebatch_io_binpack_write_records(&block->out, writer, record, position, 1, why) == 1;
}

/* Usual records have every field, and a full-move number that follows from the ply, so that nothing of them is lost. */
static size_t write_usual(struct block *block, const struct target *target, const struct record *records,
                          const seebatch_position *positions, size_t n, const struct short_cell *cells)
{
    enum { ALL = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_PLY };
    const char *why;
    size_t usual = 0;
    (void)target, (void)cells;
    while (usual < n && records[usual].has == ALL && records[usual].fen == NULL &&
           positions[usual].fullmove_number == (unsigned)records[usual].ply / 2 + 1)
        usual++;
    return seebatch_io_binpack_write_records(&block->out, writer_of(block), records, positions, usual, &why);
}

/* The number of the move, if there is one, is what the ply says. An en passant square on which no pawn may capture says
 * nothing: no move differs, and every program that writes binpacks leaves it out. */
static unsigned binpack_loses(const struct record *record, const seebatch_position *position)
{
    return record->has & FIELD_PLY && seebatch_io_has_move_number(record) &&
                   position->fullmove_number != record->ply / 2 + 1
               ? FIELD_NUMBER
               : 0;
}

static void put_chunk_length(char *chunk, size_t length)
{
    for (int i = 0; i < 4; i++)
        chunk[4 + i] = (char)((length - BINPACK_CHUNK) >> 8 * i & 255);
}

const struct file_format FORMAT(binpack) = {
    .name = "binpack",
    .extensions = {".binpack"},
    .what = "chains, 2 to 3 bytes a position, as Stockfish writes them",
    .details = "Stockfish's training data, with move, score, result and ply. After a bad record in a chain, "
               "the next chain cannot be found, so the rest of the chunk is skipped. Where no chunk begins, or "
               "a chunk extends beyond the end of the file, reading continues at the next chunk that can be "
               "found.",
    .fields = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_PLY,
    .needed = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_PLY,
    .mover = true,
    .marks_none = true,
    .binary = true,
    .chained = true,
    .frame = BINPACK_CHUNK,
    .put_frame = put_chunk_length,
    .longest = RUBBISH_AT_ONCE + BINPACK_CHUNK + BINPACK_LONGEST,
    .reader_size = sizeof(struct reader),
    .writer_size = sizeof(struct binpack_writer),
    .whole = whole_chunks,
    .read = read_binpack,
    .write = write_binpack,
    .write_usual = write_usual,
    .loses = binpack_loses,
    .unit = chunk_length,
};
