/*
 * Reads Leela's training data: chunks, each with the records of a game, alone or by the thousand in tar files.
 *
 * A chunk is records of one size, which their version tells. It is read as it is, or from a file whose name ends with
 * .gz. In a tar file each member is a chunk, mostly compressed: the block has it as it lies, and the worker that reads
 * the block decompresses one member after another. Read only; docs/formats.md has the bytes.
 *
 * Units, which blocks and parts do not divide, are a record outside a tar file, and within one a header with its member,
 * or 512 bytes of zeros. What is none of them is damage: reading goes on with the next unit that can be found.
 *
 * Tar files have had many extensions. Those that Leela's files may have are read here: a header, a member, sizes in octal
 * or binary. Those that change what the bytes of a member mean are refused by name, because a member that is read wrongly
 * is worse than one that is not read: sparse files, and sizes in pax headers. A library for all of them would read archives
 * as streams, from their beginning, and so neither in blocks nor in parts.
 */
#include <zlib.h>

#include "formats/headings.h"
#include "lc0.h"
#include "packed_board.h"
#include "support/numbers.h"
#include "support/quote.h"

enum { TAR = 512, LARGEST = 64 << 20, LEAST_CHUNK = 1 << 16 };

/* The member that is read. */
struct reader {
    const char *name;  /* in the block, up to a NUL or 100 bytes; NULL: none is open */
    const char *bytes; /* decompressed */
    size_t length, at;
    uint64_t offset; /* of its header in the block */
    uint32_t n;      /* records so far, bad ones too */
    const char *why; /* the member whose header comes next cannot be read, because of this; NULL: it can */
};

/* ---- Units ------------------------------------------------------------------------------------------------------- */

/* A number of a tar header, octal or, if it is very large, binary after a first byte of 128; UINT64_MAX if it is neither.
 */
static uint64_t octal(const char *text, size_t length)
{
    uint64_t number = 0;
    size_t i = 0;
    if ((unsigned char)text[0] == 128) {
        for (i = 1; i < length && number >> 56 == 0; i++)
            number = number << 8 | (unsigned char)text[i];
        return i == length ? number : UINT64_MAX;
    }
    while (i < length && text[i] == ' ')
        i++;
    for (; i < length && text[i] >= '0' && text[i] <= '7'; i++)
        number = 8 * number + (uint64_t)(text[i] - '0');
    return i < length && text[i] != ' ' && text[i] != '\0' ? UINT64_MAX : number;
}

/* Whether the first 512 bytes are the header of a member: by its checksum, in which its own 8 bytes are blanks. */
static bool is_header(const char *bytes)
{
    enum { SUM = 148, SUM_LENGTH = 8 };
    uint64_t sum = 0;
    for (int i = 0; i < TAR; i++)
        sum += i >= SUM && i < SUM + SUM_LENGTH ? ' ' : (unsigned char)bytes[i];
    return bytes[0] != '\0' && octal(bytes + SUM, SUM_LENGTH) == sum;
}

static bool is_zero(const char *bytes)
{
    for (int i = 0; i < TAR; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

static uint64_t member_size(const char *header)
{
    enum { SIZE = 124, SIZE_LENGTH = 12, TYPE = 156 };
    const bool has_data = strchr("12345", header[TYPE]) == NULL || header[TYPE] == '\0';
    return has_data ? octal(header + SIZE, SIZE_LENGTH) : 0;
}

/* The length of the unit that begins here, which may be beyond the bytes; 0 if none does, or too little of it is here.
 */
static uint64_t unit_at(const char *bytes, size_t length)
{
    const size_t record = length >= 4 ? seebatch_io_lc0_size(bytes) : 0;
    if (record > 0)
        return record;
    if (length < TAR)
        return 0;
    if (is_zero(bytes))
        return TAR;
    if (!is_header(bytes))
        return 0;
    const uint64_t size = member_size(bytes);
    return size < UINT64_MAX - 2 * (uint64_t)TAR ? TAR + (size + TAR - 1) / TAR * TAR : 0;
}

static bool is_pax(const char *bytes, size_t length)
{
    enum { TYPE = 156 };
    return length >= TAR && bytes[TYPE] == 'x' && is_header(bytes);
}

/* The same, with a pax header and the member that it is about as one unit, so that no block begins between the two. Where
 * the header of the member is not among the bytes, the unit ends beyond them. */
static uint64_t pair_at(const char *bytes, size_t length)
{
    const uint64_t unit = unit_at(bytes, length);
    if (unit == 0 || !is_pax(bytes, length))
        return unit;
    return unit + TAR > length ? unit + TAR : unit + unit_at(bytes + unit, length - (size_t)unit);
}

/* For parts of a file, which ask again with more bytes where these do not show how long the unit is. */
static size_t unit_length(const char *bytes, size_t length)
{
    const uint64_t unit = pair_at(bytes, length);
    return unit >= SIZE_MAX || (is_pax(bytes, length) && unit_at(bytes, length) + TAR > length) ? 0 : (size_t)unit;
}

/* How much is damage here, up to the next unit: after a record another one, or at a multiple of 512 a header; a mebibyte
 * if there is none so far, and 0 if there are too few bytes to tell. It depends on the bytes alone, and not on how many
 * of them a block has. */
static size_t damage_length(const char *bytes, size_t length)
{
    enum { MOST_DAMAGE = 1 << 20 };
    static const size_t sizes[] = {LC0_V6, LC0_V7};
    for (int i = 0; i < 2; i++)
        if (length >= sizes[i] + 4 && seebatch_io_lc0_size(bytes + sizes[i]) == sizes[i])
            return sizes[i];
    for (size_t at = TAR; at + TAR <= length && at < MOST_DAMAGE; at += TAR)
        if (is_header(bytes + at))
            return at;
    return length < MOST_DAMAGE ? 0 : MOST_DAMAGE;
}

static size_t whole_units(const char *bytes, size_t length)
{
    size_t whole = 0;
    while (length - whole >= LC0_MOST + 4) {
        uint64_t unit = pair_at(bytes + whole, length - whole);
        unit = unit == 0 ? damage_length(bytes + whole, length - whole) : unit;
        if (unit == 0 || unit > length - whole)
            break;
        whole += (size_t)unit;
    }
    return whole;
}

/* ---- Members ----------------------------------------------------------------------------------------------------- */

static size_t name_length(const char *header)
{
    enum { LONGEST_NAME = 100 };
    const char *end = memchr(header, '\0', LONGEST_NAME);
    return end != NULL ? (size_t)(end - header) : LONGEST_NAME;
}

/* Decompresses a member into out; NULL if that was well, otherwise what was wrong. */
static const char *inflate_member(const char *bytes, size_t length, struct bytes *out)
{
    enum { GZIP_ONLY = 16 + MAX_WBITS };
    z_stream stream = {0};
    int status = Z_OK;
    out->used = 0;
    if (inflateInit2(&stream, GZIP_ONLY) != Z_OK)
        return "there is no memory to decompress it";
    stream.next_in = (z_const Bytef *)(uintptr_t)bytes;
    stream.avail_in = (uInt)length;
    while (status == Z_OK && out->used < LARGEST && bytes_reserve(out, LEAST_CHUNK + out->used / 2)) {
        const size_t room = out->capacity - out->used, most = LARGEST - out->used;
        stream.next_out = (Bytef *)out->data + out->used;
        stream.avail_out = (uInt)(room < most ? room : most);
        const uInt before = stream.avail_out;
        status = inflate(&stream, Z_NO_FLUSH);
        out->used += before - stream.avail_out;
        for (; status == Z_STREAM_END && stream.avail_in > 0 && *stream.next_in == 0; stream.avail_in--)
            stream.next_in++; /* zeros fill up a block of a tape or disk, as in files (stream.c) */
        if (status == Z_STREAM_END && stream.avail_in > 0)
            status = inflateReset(&stream);
    }
    inflateEnd(&stream);
    return status == Z_STREAM_END  ? NULL
           : out->failed           ? "there is no memory to decompress it"
           : out->used >= LARGEST  ? "it has more than 64 MiB when decompressed, expected a chunk of one game"
           : status == Z_BUF_ERROR ? "its compressed bytes end too early: it may have been cut off"
                                   : "its compressed bytes are damaged";
}

/* Says what is wrong with something that is no record, and that it was skipped. */
static void skip_damage(struct cursor *cursor, const char *at, size_t length, const char *sentence, const char *name)
{
    struct record record;
    seebatch_io_begin_record(cursor, &record, at, length);
    if (name != NULL)
        seebatch_io_report_error(cursor->block, &record, "the member '%s': %s; it was skipped",
                                 quote(name, name_length(name)).text, sentence);
    else
        seebatch_io_report_error(cursor->block, &record, "%s", sentence);
    seebatch_io_skip_damage(cursor->block, length, 0);
    if (cursor->strict)
        cursor->at = cursor->end;
}

/* Whether a member is no chunk: a license lies in many of these tar files, text that begins with no small number. What is
 * compressed, is named .gz or has the size of whole records is a chunk, whatever it begins with, so that a damaged one is
 * reported. */
static bool is_other_file(const struct reader *reader, const char *header, bool compressed)
{
    const size_t length = name_length(header);
    const bool named = length >= 3 && memcmp(header + length - 3, ".gz", 3) == 0;
    if (compressed || named || (reader->length > 0 && (reader->length % LC0_V6 == 0 || reader->length % LC0_V7 == 0)))
        return false;
    return reader->length < 4 || reader->bytes[1] != 0 || reader->bytes[2] != 0 || reader->bytes[3] != 0;
}

static const char sparse[] = "it is a sparse file, which is not read, expected a tar file made without --sparse";

/* What a pax header says of the next member that makes it unreadable; NULL if nothing does. It consists of records such as
 * "20 size=8589934592\n", which begin with their length. */
static const char *pax_refusal(const char *at, const char *end)
{
    static const char of_sparse[] = "GNU.sparse.", of_size[] = "size=";
    while (at < end && *at >= '1' && *at <= '9') {
        size_t length = 0;
        const char *key = at;
        for (; key < end && *key >= '0' && *key <= '9' && length < (size_t)(end - at); key++)
            length = 10 * length + (size_t)(*key - '0');
        if (key == end || *key++ != ' ' || length <= (size_t)(key - at) || length > (size_t)(end - at))
            return NULL;
        const size_t rest = length - (size_t)(key - at);
        if (rest >= sizeof of_sparse - 1 && memcmp(key, of_sparse, sizeof of_sparse - 1) == 0)
            return sparse;
        if (rest >= sizeof of_size - 1 && memcmp(key, of_size, sizeof of_size - 1) == 0)
            return "its size stands in a pax header, expected one of less than 8 GiB in the header itself";
        at += length;
    }
    return NULL;
}

/* Opens a regular member, decompressed if need be. Says what is wrong if it cannot be read. */
static void open_member(struct cursor *cursor, struct reader *reader, const char *header, size_t left)
{
    static const char gzip[] = "\x1f\x8b", zstd[] = "\x28\xb5\x2f\xfd";
    const char *bytes = header + TAR;
    const uint64_t size = member_size(header);
    const bool compressed = size >= 2 && size <= left - TAR && memcmp(bytes, gzip, sizeof gzip - 1) == 0;
    const char *why = reader->why;
    char sentence[128];
    reader->name = reader->why = NULL;
    reader->bytes = bytes;
    reader->length = (size_t)size;
    if (why != NULL) {
        reader->length = 0;
    } else if (size > left - TAR) {
        snprintf(sentence, sizeof sentence, "it is cut off: %zu of its %llu bytes %s there", left - TAR,
                 (unsigned long long)size, left - TAR == 1 ? "is" : "are");
        why = sentence;
    } else if (size >= sizeof zstd - 1 && memcmp(bytes, zstd, sizeof zstd - 1) == 0) {
        why = "it is compressed by Zstandard, expected gzip or no compression";
    } else if (compressed) {
        struct bytes *out = &cursor->block->scratch;
        why = inflate_member(bytes, (size_t)size, out);
        reader->bytes = out->data;
        reader->length = out->used;
    }
    if (why == NULL && is_other_file(reader, header, compressed))
        return;
    if (why == NULL && reader->length == 0)
        why = "it is empty, expected the records of a game";
    if (why != NULL)
        skip_damage(cursor, header, left, why, header);
    else
        reader->name = header;
    reader->offset = (uint64_t)(header - cursor->block->in.data);
    reader->at = 0;
    reader->n = 0;
}

/* Begins the next unit of the block. */
static void begin_unit(struct cursor *cursor, struct reader *reader)
{
    enum { TYPE = 156 };
    const char *at = cursor->at;
    size_t left = (size_t)(cursor->end - at);
    const uint64_t unit = unit_at(at, left);
    if (unit == 0 && cursor->block->offset == 0 && at == cursor->block->in.data) {
        if (left < 4)
            seebatch_io_end_file_early(cursor, at, "it has %zu byte%s, expected records of Leela's training data", left,
                                       plural(left));
        else
            seebatch_io_end_file_early(
                cursor, at,
                "here neither a record of version 6 or 7 begins nor a tar file, but what would be "
                "version %u",
                (unsigned)get_16(at) | (unsigned)get_16(at + 2) << 16);
        return;
    }
    if (unit == 0) {
        const size_t damage = left < 4 ? 0 : damage_length(at, left), length = damage > 0 ? damage : left;
        cursor->at += length;
        skip_damage(cursor, at, length,
                    left < 4 ? "its version is cut off: the file may have been"
                             : "here neither a record of version 6 or 7 begins nor a member of a tar file",
                    NULL);
        return;
    }
    cursor->at += unit < left ? (size_t)unit : left;
    left = unit < left ? (size_t)unit : left;
    const bool regular = at[TYPE] == '0' || at[TYPE] == '\0' || at[TYPE] == '7' || at[TYPE] == 'S';
    const uint64_t size = member_size(at);
    if (is_zero(at))
        return;
    if (at[TYPE] == 'x' && size <= left - TAR)
        reader->why = pax_refusal(at + TAR, at + TAR + size);
    else if (at[TYPE] == 'S')
        reader->why = sparse;
    if (regular)
        open_member(cursor, reader, at, left);
}

/* ---- Records ----------------------------------------------------------------------------------------------------- */

/* Reads a record of some bytes; returns false, and reports it, if it is wrong. */
static bool take_record(struct cursor *cursor, const struct reader *reader, int32_t ply, struct record *record,
                        seebatch_position *position)
{
    const unsigned score_at = cursor->source->columns.score_at;
    seebatch_error error;
    if (seebatch_io_lc0_unpack(record->bytes, ply, score_at > 0 ? score_at : LC0_BEST_Q, position, record, &error))
        return true;
    if (reader->name != NULL)
        seebatch_io_report_error(cursor->block, record, "record %u of the member '%s': %s",
                                 (unsigned)record->within + 1, quote(reader->name, name_length(reader->name)).text,
                                 error.text);
    else
        seebatch_io_report_error(cursor->block, record, "%s", error.text);
    return false;
}

/* Reads the next record of a member; returns false if it has none any more, or a bad one. */
static bool read_member(struct cursor *cursor, struct reader *reader, struct record *record,
                        seebatch_position *position)
{
    const char *bytes = reader->bytes + reader->at;
    const size_t left = reader->length - reader->at, size = left >= 4 ? seebatch_io_lc0_size(bytes) : 0;
    if (left == 0) {
        reader->name = NULL;
        return false;
    }
    *record = (struct record){.bytes = bytes, .length = size, .offset = reader->offset, .within = reader->n};
    record->line = ++cursor->line;
    if (size == 0 || size > left) {
        char sentence[128];
        const char *name = reader->name;
        if (size > 0 || left < 4)
            snprintf(sentence, sizeof sentence, "its record %u has %zu byte%s, expected %zu: it may have been cut off",
                     (unsigned)reader->n + 1, left, plural(left), size > 0 ? size : (size_t)LC0_V6);
        else
            snprintf(sentence, sizeof sentence, "its record %u has the version %u, expected 6 or 7",
                     (unsigned)reader->n + 1, (unsigned)get_16(bytes) | (unsigned)get_16(bytes + 2) << 16);
        cursor->line--;
        reader->name = NULL;
        skip_damage(cursor, cursor->block->in.data + reader->offset, 0, sentence, name);
        seebatch_io_skip_damage(cursor->block, left, 0);
        return false;
    }
    reader->at += size;
    return take_record(cursor, reader, (int32_t)reader->n++, record, position);
}

/* Reads a record outside of tar files. */
static bool read_alone(struct cursor *cursor, const struct reader *reader, struct record *record,
                       seebatch_position *position)
{
    const size_t left = (size_t)(cursor->end - cursor->at), size = seebatch_io_lc0_size(cursor->at);
    const uint64_t number = (cursor->block->offset + (uint64_t)(cursor->at - cursor->block->in.data)) / size;
    const char *bytes = cursor->at;
    cursor->at += size < left ? size : left;
    if (size > left) {
        char sentence[128];
        snprintf(sentence, sizeof sentence, "it has %zu byte%s, expected %zu: the file may have been cut off", left,
                 plural(left), size);
        skip_damage(cursor, bytes, left, sentence, NULL);
        return false;
    }
    seebatch_io_begin_record(cursor, record, bytes, size);
    return take_record(cursor, reader, (int32_t)(number < INT32_MAX - 1 ? number : INT32_MAX - 1), record, position);
}

static bool read_chunks(struct cursor *cursor, struct batch *batch)
{
    struct reader *reader = cursor->block->reader;
    batch->n = 0;
    while (batch->n < BATCH_SIZE && (reader->name != NULL || cursor->at < cursor->end)) {
        struct record *record = &batch->records[batch->n];
        seebatch_position *position = &batch->positions[batch->n];
        const uint64_t bad = cursor->block->bad;
        bool well = false;
        if (reader->name != NULL) {
            /* its text lies in memory that the next member takes, so a batch ends with a member */
            well = read_member(cursor, reader, record, position);
            if (!well && reader->name == NULL && batch->n > 0)
                break;
        } else if (cursor->end - cursor->at >= 4 && seebatch_io_lc0_size(cursor->at) > 0) {
            well = read_alone(cursor, reader, record, position);
        } else {
            begin_unit(cursor, reader);
        }
        batch->n += well;
        if (cursor->block->bad > bad && cursor->strict) {
            cursor->at = cursor->end;
            reader->name = NULL;
        }
    }
    return batch->n > 0;
}

/* ---- Columns ----------------------------------------------------------------------------------------------------- */

static const struct {
    struct cell name;
    int at; /* of a float; 0: the best move */
} others[] = {{{"best", 4}, 0},
              {{"root_q", 6}, LC0_ROOT_Q},
              {{"best_q", 6}, LC0_BEST_Q},
              {{"played_q", 8}, LC0_PLAYED_Q},
              {{"plies_left", 10}, LC0_PLIES_LEFT}};
enum { N_OTHERS = sizeof others / sizeof others[0] };

static void name_columns(struct source *source, const char *line, size_t length)
{
    static const struct cell none = {"", 0};
    (void)line, (void)length;
    seebatch_io_headings_add(&source->headings, none, 0);
    for (unsigned field = 1; field < 1 << N_FIELDS; field <<= 1)
        seebatch_io_headings_add(&source->headings, none, field);
    for (int i = 0; i < N_OTHERS; i++)
        seebatch_io_headings_add(&source->headings, others[i].name, FIELD_COLUMNS);
}

/* The best move, or nothing if it is not legal; a number, or nothing if it is none. */
static void add_other(struct bytes *text, const char *bytes, int at, const seebatch_position *position)
{
    enum { DIGITS = 9 }; /* that tell every float from the next */
    char room[REAL_TEXT];
    seebatch_move move;
    seebatch_error error;
    float number;
    if (at == 0 && seebatch_io_lc0_move(bytes, get_16(bytes + LC0_BEST), position, &move, &error))
        bytes_add(text, room, seebatch_move_to_uci(move, room));
    else if (at > 0 && seebatch_io_lc0_float(bytes + at, -1e9F, 1e9F, &number))
        bytes_add(text, room, seebatch_io_put_real((double)number, DIGITS, room));
}

static void add_column(struct bytes *text, const struct record *record, const seebatch_position *position,
                       struct cell name)
{
    for (int k = 0; k < N_OTHERS; k++)
        if (name.text == others[k].name.text)
            add_other(text, record->bytes, others[k].at, position);
}

static bool take_columns(struct block *block, const struct record *record, const seebatch_position *position,
                         const struct target *target, struct cell *row, struct cell *lost)
{
    enum { LONGEST = 32 * N_OTHERS };
    (void)target, (void)lost; /* the headings tell what is lost */
    return seebatch_io_add_columns(block, record, position, row, LONGEST, add_column);
}

const struct file_format FORMAT(lc0) = {
    .name = "lc0",
    .extensions = {".lc0", ".tar"},
    .what = "Leela's training chunks, alone or in tar files; read only",
    .details = "Leela's training data, versions 6 and 7, in all forms of the network's input; this format is "
               "only read. A chunk is a game. A tar file has many chunks, compressed by gzip or not. The move "
               "is the one that was played, and the score is the Q of the best move in centipawns (see "
               "--leela-score). Tables and JSON lines have the best move, the Q of the root, of the best and "
               "of the played move, and the plies left in `best`, `root_q`, `best_q`, `played_q` and "
               "`plies_left`.",
    .fields = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_PLY | FIELD_COLUMNS,
    .binary = true,
    .chained = true,
    .mover = true,
    .reader_size = sizeof(struct reader),
    .longest = LARGEST + 2 * TAR,
    .read_first = name_columns,
    .take_columns = take_columns,
    .whole = whole_units,
    .read = read_chunks,
    .unit = unit_length,
};
