/*
 * Reading Stockfish's binpack, what it is and how it lies in a file being told in binpack.h.
 *
 * A block is whole chunks, because nothing tells where a chain ends but reading it. Positions are handed out a batch at
 * a time: where reading stands, in the middle of a chain mostly, is kept in block->reader. The position that follows a
 * move is got by playing the move; so every move must be legal, and nothing is handed out behind one that is not. Where
 * something is wrong in a chain, the next one cannot be found, and the rest of the chunk is passed over; the length of
 * a chunk leads to the next chunk, and where there is none the file ends.
 */
#include "../../src/quote.h"
#include "binpack.h"

struct reader {
    const unsigned char *chunk_end; /* of the chunk that is read, as far as it is there; NULL between chunks */
    size_t claimed;                 /* bytes of chains that the chunk should have */
    bool cut_off;                   /* and does not */
    bool passed_over;               /* the rest of it was, and a complaint says so */
    /* The chain: */
    unsigned left;               /* positions of it that are still to come */
    uint64_t bit;                /* of the movetext, and the byte where that begins */
    const unsigned char *text;   /* */
    seebatch_position position;  /* after the last move */
    int score, result, ply;      /* of the last position, from its side's point of view */
};

static uint32_t big_endian(const unsigned char *bytes, int n)
{
    uint32_t value = 0;
    for (int i = 0; i < n; i++)
        value = value << 8 | bytes[i];
    return value;
}

static uint32_t little_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* ---- Chunks ------------------------------------------------------------------------------------------------------ */

static bool begins_chunk(const char *bytes, size_t length)
{
    return length >= BINPACK_CHUNK && memcmp(bytes, "BINP", 4) == 0 &&
           little_endian((const unsigned char *)bytes + 4) <= BINPACK_LONGEST;
}

static size_t chunk_length(const char *bytes, size_t length)
{
    return begins_chunk(bytes, length) ? BINPACK_CHUNK + (size_t)little_endian((const unsigned char *)bytes + 4) : 0;
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

/* Goes on to the next chunk; false at the end. */
static bool next_chunk(struct cursor *cursor, struct reader *reader)
{
    const size_t length = (size_t)(cursor->end - cursor->at);
    reader->chunk_end = NULL;
    if (length == 0)
        return false;
    if (memcmp(cursor->at, "BINP", length < 4 ? length : 4) != 0) {
        give_up(cursor, cursor->at, "a chunk begins with '%s', expected BINP",
                see_quote(cursor->at, length < 4 ? length : 4).text);
        return false;
    }
    if (length < BINPACK_CHUNK) {
        give_up(cursor, cursor->at, "the file ends %zu bytes after the beginning of a chunk, expected %d or more: it may "
                "have been cut off", length, BINPACK_CHUNK);
        return false;
    }
    reader->claimed = little_endian((const unsigned char *)cursor->at + 4);
    if (reader->claimed > BINPACK_LONGEST) {
        give_up(cursor, cursor->at, "a chunk claims to have %zu bytes, expected at most %d", reader->claimed,
                BINPACK_LONGEST);
        return false;
    }
    cursor->at += BINPACK_CHUNK;
    reader->cut_off = reader->claimed > length - BINPACK_CHUNK;
    reader->passed_over = false;
    reader->chunk_end =
        (const unsigned char *)cursor->at + (reader->cut_off ? length - BINPACK_CHUNK : reader->claimed);
    return true;
}

/* The end of a chunk: what is left of it is too little for a chain. Returns whether there may be another chunk. */
static bool end_chunk(struct cursor *cursor, struct reader *reader)
{
    const char *end = (const char *)reader->chunk_end;
    size_t left = (size_t)(end - cursor->at), others = 0;
    if (reader->cut_off) {
        const size_t missing = reader->claimed - (size_t)(end - cursor->at);
        (void)missing;
        give_up(cursor, end, "the file ends within a chunk of %zu bytes: it may have been cut off", reader->claimed);
        return false;
    }
    for (size_t i = 0; i < left; i++)
        others += cursor->at[i] != 0;
    if (others > 0 && !reader->passed_over) {
        struct record record;
        begin_record(cursor, &record, cursor->at, left);
        complain(cursor->block, &record, "%zu bytes are left at the end of the chunk, too few for a chain of %d or more",
                 left, BINPACK_STEM);
    }
    cursor->at = end;
    reader->chunk_end = NULL;
    return true;
}
