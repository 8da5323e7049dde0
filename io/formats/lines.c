/*
 * What the readers of text formats share: lines.
 *
 * Most formats have their lines read one by one. Lines that begin with a FEN are found and read many at a time, which
 * is quicker: the line feed and the TAB of a line by comparing 128 characters at once, then the positions of all lines
 * by one call.
 */
#include "format.h"
#include "inline_attacks.h"

size_t seebatch_io_whole_lines(const char *bytes, size_t length)
{
    while (length > 0 && bytes[length - 1] != '\n')
        length--;
    return length;
}

size_t seebatch_io_line_boundary(const char *bytes, size_t length)
{
    const char *lf = length > 0 ? memchr(bytes, '\n', length) : NULL;
    return lf != NULL ? (size_t)(lf + 1 - bytes) : 0;
}

static bool is_blank(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at == end;
}

/* Begins a record with the next line, whose LF is found; false where it is none. */
EACH_PROCESSOR bool take_line(struct cursor *cursor, bool comments, const char *lf, struct record *record,
                              const char **end)
{
    const char *line = cursor->at;
    record->line = ++cursor->line;
    record->has = 0;
    record->game = record->within = 0;
    record->bytes = line;
    record->offset = (uint64_t)(line - cursor->block->in.data);
    cursor->at = lf + 1;
    record->length = (size_t)(lf - line);
    *end = lf > line && lf[-1] == '\r' ? lf - 1 : lf;
    return !(comments && *line == '#') && ((unsigned char)*line > ' ' || !is_blank(line, *end));
}

bool seebatch_io_next_record_line(struct cursor *cursor, bool comments, struct record *record, const char **end)
{
    while (cursor->at < cursor->end) {
        const char *lf = memchr(cursor->at, '\n', (size_t)(cursor->end - cursor->at));
        if (take_line(cursor, comments, lf, record, end))
            return true;
    }
    return false;
}

bool seebatch_io_read_lines(struct cursor *cursor, struct batch *batch, bool comments, read_line_function *read_line)
{
    struct block *block = cursor->block;
    const bool ply = cursor->source->wanted & FIELD_PLY;
    const char *end;
    batch->n = 0;
    while (batch->n < BATCH_SIZE) {
        struct record *record = &batch->records[batch->n];
        seebatch_position *position = &batch->positions[batch->n];
        if (!seebatch_io_next_record_line(cursor, comments, record, &end))
            break;
        if (read_line(block, record, position, end)) {
            if (ply)
                seebatch_io_ply_of_fen(record, position);
            batch->n++;
        } else if (cursor->strict) {
            cursor->at = cursor->end;
        }
    }
    return batch->n > 0;
}

/* ---- Lines that begin with a FEN -------------------------------------------------------------------------------- */

enum { LINES_AT_ONCE = 64 };

/* The LF of a line, and its first TAB, or NULL. */
struct line_marks {
    const char *lf, *tab;
};

static inline struct line_marks marks_by_bytes(const char *line, const char *end)
{
    const char *lf = memchr(line, '\n', (size_t)(end - line));
    return (struct line_marks){lf, memchr(line, '\t', (size_t)(lf - line))};
}

#ifdef __x86_64__
enum { MARKS_AT_ONCE = 128 }; /* characters: most lines with a FEN have fewer, and how many cannot be guessed */

WITH_BITS static inline size_t first_of_marks(const __m256i characters[4], char mark)
{
    const __m256i marks = _mm256_set1_epi8(mark);
    uint64_t found[4];
    for (int i = 0; i < 4; i++)
        found[i] = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(characters[i], marks));
    const uint64_t early = found[0] | found[1] << 32, late = found[2] | found[3] << 32;
    return (size_t)(early ? _tzcnt_u64(early) : 64 + _tzcnt_u64(late));
}

WITH_BITS static inline struct line_marks marks_by_bits(const char *line, const char *end)
{
    __m256i characters[4];
    if (end - line < MARKS_AT_ONCE)
        return marks_by_bytes(line, end);
    for (int i = 0; i < 4; i++)
        characters[i] = _mm256_loadu_si256((const __m256i *)(const void *)(line + 32 * i));
    const size_t lf = first_of_marks(characters, '\n'), tab = first_of_marks(characters, '\t');
    if (lf == MARKS_AT_ONCE)
        return marks_by_bytes(line, end);
    return (struct line_marks){line + lf, tab < lf ? line + tab : NULL};
}
#else
#define marks_by_bits marks_by_bytes
#endif

/* Finds lines up to LINES_AT_ONCE, with their FENs and ends. */
EACH_PROCESSOR size_t find_lines(struct cursor *cursor, size_t most, struct record *records,
                                 seebatch_text fens[LINES_AT_ONCE], const char *ends[LINES_AT_ONCE], bool bits)
{
    size_t n = 0;
    while (n < most && n < LINES_AT_ONCE && cursor->at < cursor->end) {
        const struct line_marks marks =
            bits ? marks_by_bits(cursor->at, cursor->end) : marks_by_bytes(cursor->at, cursor->end);
        const char *line = cursor->at;
        if (!take_line(cursor, true, marks.lf, &records[n], &ends[n]))
            continue;
        records[n].fen = line;
        records[n].fen_length = (size_t)((marks.tab != NULL ? marks.tab : ends[n]) - line);
        fens[n] = (seebatch_text){line, records[n].fen_length};
        n++;
    }
    return n;
}

static size_t find_lines_by_bytes(struct cursor *cursor, size_t most, struct record *records, seebatch_text *fens,
                                  const char **ends)
{
    return find_lines(cursor, most, records, fens, ends, false);
}

WITH_BITS static size_t find_lines_by_bits(struct cursor *cursor, size_t most, struct record *records,
                                           seebatch_text *fens, const char **ends)
{
    return find_lines(cursor, most, records, fens, ends, true);
}

bool seebatch_io_read_fen_lines(struct cursor *cursor, struct batch *batch, read_line_function *read_rest)
{
    const bool ply = cursor->source->wanted & FIELD_PLY;
    seebatch_text fens[LINES_AT_ONCE];
    const char *ends[LINES_AT_ONCE];
    uint8_t statuses[LINES_AT_ONCE];
    size_t n;
    batch->n = 0;
    do {
        struct record *records = &batch->records[batch->n];
        seebatch_position *positions = &batch->positions[batch->n];
        n = (HAS_QUICK_BITS ? find_lines_by_bits : find_lines_by_bytes)(cursor, BATCH_SIZE - batch->n, records, fens,
                                                                        ends);
        seebatch_batch_from_fens(fens, n, positions, statuses, NULL, NULL);
        for (size_t i = 0; i < n; i++) {
            struct record *record = &batch->records[batch->n];
            seebatch_position *position = &batch->positions[batch->n];
            if (record != &records[i]) { /* bad ones were before it */
                *record = records[i];
                *position = positions[i];
            }
            if ((statuses[i] == SEEBATCH_OK ||
                 seebatch_io_read_position(cursor->block, record, position, fens[i].at, fens[i].length)) &&
                read_rest(cursor->block, record, position, ends[i])) {
                if (ply)
                    seebatch_io_ply_of_fen(record, position);
                batch->n++;
            } else if (cursor->strict) {
                cursor->line = record->line;
                cursor->at = cursor->end;
                return batch->n > 0;
            }
        }
    } while (n > 0 && batch->n < BATCH_SIZE);
    return batch->n > 0;
}
