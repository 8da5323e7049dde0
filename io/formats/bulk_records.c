/*
 * Reads records of text many at a time: finds the separators and line ends of some sixty records with vector
 * instructions, reads all their positions by one call of the library, and then the other fields. bulk_records.h says
 * how a format takes part.
 */
#include "bulk_records.h"

#include "chess/inline_attacks.h"
#include "fast_moves.h"

/* ---- Marks ------------------------------------------------------------------------------------------------------- */

enum { PART = 64 }; /* characters that are looked at together */

/* Which of them are marks, as bits. */
static inline uint64_t marks_of_part(const char part[PART], struct marks marks)
{
    uint64_t found = 0;
    for (int i = 0; i < PART; i++) {
        bool is_mark = false;
        for (int k = 0; k < N_MARKS; k++)
            is_mark |= part[i] == marks.of[k];
        found |= (uint64_t)is_mark << i;
    }
    return found;
}

#ifdef __x86_64__
WITH_BITS static inline uint64_t marks_of_part_by_bits(const char part[PART], struct marks marks)
{
    uint64_t found = 0;
    for (int half = 0; half < 2; half++) {
        const __m256i characters = _mm256_loadu_si256((const __m256i *)(const void *)(part + 32 * half));
        __m256i are = _mm256_setzero_si256();
        for (int k = 0; k < N_MARKS; k++)
            are = _mm256_or_si256(are, _mm256_cmpeq_epi8(characters, _mm256_set1_epi8(marks.of[k])));
        found |= (uint64_t)(uint32_t)_mm256_movemask_epi8(are) << 32 * half;
    }
    return found;
}
#else
#define marks_of_part_by_bits marks_of_part
#endif

/* Some at once, more than there mostly are: how many there are no processor can guess. */
EACH_PROCESSOR size_t put_places(uint64_t found, uint32_t at, uint32_t *places, enum means by)
{
    enum { AT_ONCE = 8 };
    const size_t n = (size_t)__builtin_popcountll(found);
    for (size_t i = 0; i < n; i += AT_ONCE) {
        for (size_t k = i; k < i + AT_ONCE; k++) {
            places[k] = at + (uint32_t)trailing_zeros(found, by);
            found &= found - 1;
        }
    }
    return n;
}

EACH_PROCESSOR size_t find_marks(const char *text, size_t length, struct marks marks, size_t goal, uint32_t *places,
                                 enum means by)
{
    size_t n = 0, at = 0;
    char last[PART];
    length = length < MOST_MARKED ? length : MOST_MARKED;
    for (; at + PART <= length && n < goal; at += PART)
        n += put_places(by != BY_LOOPS ? marks_of_part_by_bits(text + at, marks) : marks_of_part(text + at, marks),
                        (uint32_t)at, places + n, by);
    if (n >= goal || at == length)
        return n;
    memset(last, 0, sizeof last);
    memcpy(last, text + at, length - at);
    const uint64_t there = ~UINT64_C(0) >> (PART - (length - at));
    return n + put_places((by != BY_LOOPS ? marks_of_part_by_bits(last, marks) : marks_of_part(last, marks)) & there,
                          (uint32_t)at, places + n, by);
}

/* Two marks of the same kind cost nothing where the compiler sees that they are. */
EACH_PROCESSOR size_t find_some_marks(const char *text, size_t length, struct marks marks, size_t goal,
                                      uint32_t *places, enum means by)
{
    const char a = marks.of[0], b = marks.of[1], c = marks.of[2];
    if (marks.of[3] != c || marks.of[4] != c)
        return find_marks(text, length, marks, goal, places, by);
    if (a == b && b == c)
        return find_marks(text, length, (struct marks){{a, a, a, a, a}}, goal, places, by);
    return find_marks(text, length, (struct marks){{a, b, c, c, c}}, goal, places, by);
}

static size_t find_marks_by_loop(const char *text, size_t length, struct marks marks, size_t goal, uint32_t *places)
{
    return find_some_marks(text, length, marks, goal, places, BY_LOOPS);
}

WITH_BITS static size_t find_marks_by_bits(const char *text, size_t length, struct marks marks, size_t goal,
                                           uint32_t *places)
{
    return find_some_marks(text, length, marks, goal, places, BY_VECTORS);
}

size_t seebatch_io_find_marks(const char *text, size_t length, struct marks marks, size_t goal, uint32_t *places)
{
    return (HAS_BITS ? find_marks_by_bits : find_marks_by_loop)(text, length, marks, goal, places);
}

/* ---- Records ----------------------------------------------------------------------------------------------------- */

/* How many are read by the slow path after one that is not of the usual form: few of them are alone. */
enum { SLOWLY_AT_ONCE = 16 };

/* A record that was read is kept if it is good. False: it is not, and a strict reading ends with it, in this line. */
static bool keep(struct cursor *cursor, struct batch *batch, enum one one, uint64_t line)
{
    if (one == ONE_IS_GOOD && cursor->source->wanted & FIELD_PLY && !(batch->records[batch->n].has & FIELD_PLY))
        seebatch_io_ply_of_fen(&batch->records[batch->n], &batch->positions[batch->n]);
    batch->n += one == ONE_IS_GOOD;
    if (one != ONE_IS_BAD || !cursor->strict)
        return true;
    cursor->line = line;
    cursor->at = cursor->end;
    return false;
}

static void read_some_slowly(struct cursor *cursor, struct batch *batch, const struct bulk_format *format)
{
    for (int i = 0; i < SLOWLY_AT_ONCE && batch->n < BATCH_SIZE && cursor->at < cursor->end; i++) {
        const enum one one = format->read_one(cursor, &batch->records[batch->n], &batch->positions[batch->n]);
        keep(cursor, batch, one, cursor->line);
    }
}

/* Reads a record that is wrong or not of the usual form. *line becomes the number of lines that were read then. */
static __attribute__((noinline)) enum one read_again(const struct cursor *cursor, const struct bulk_format *format,
                                                     struct record *record, seebatch_position *position, uint64_t *line)
{
    struct cursor again = {cursor->block,    cursor->source, record->bytes, record->bytes + record->length + 1,
                           record->line - 1, cursor->strict, cursor->nul};
    const enum one one = format->read_one(&again, record, position);
    *line = again.line;
    return one;
}

/* Reads the records that were found. False: the reading ends with a bad one. */
static bool read_found(struct cursor *cursor, struct batch *batch, const struct bulk_format *format,
                       const seebatch_text *fens, const struct usual *usual, size_t n)
{
    struct record *records = &batch->records[batch->n];
    seebatch_position *positions = &batch->positions[batch->n];
    uint8_t statuses[BULK_AT_ONCE];
    seebatch_batch_from_fens(fens, n, positions, statuses, NULL, NULL);
    if (format->fields) {
        seebatch_io_find_moves_fast(positions, usual, n, records);
        const size_t first = records->offset == 0; /* before its texts there may be nothing */
        seebatch_io_read_usual_fields(cursor->source, usual + first, n - first, records + first);
    }
    for (size_t i = 0; i < n; i++) {
        struct record *record = &batch->records[batch->n];
        seebatch_position *position = &batch->positions[batch->n];
        if (record != &records[i]) { /* bad ones were before it */
            *record = records[i];
            *position = positions[i];
        }
        uint64_t line = 0;
        enum one one = ONE_IS_GOOD;
        if (statuses[i] != SEEBATCH_OK ||
            !format->read_rest(cursor->source, record, position, &usual[i], cursor->block->in.data))
            one = read_again(cursor, format, record, position, &line);
        if (!keep(cursor, batch, one, line))
            return false;
    }
    return true;
}

bool seebatch_io_read_bulk(struct cursor *cursor, struct batch *batch, const struct bulk_format *format)
{
    seebatch_text fens[BULK_AT_ONCE];
    struct usual usual[BULK_AT_ONCE];
    batch->n = 0;
    while (batch->n < BATCH_SIZE && cursor->at < cursor->end) {
        const size_t room = BATCH_SIZE - batch->n, most = room < BULK_AT_ONCE ? room : BULK_AT_ONCE;
        const size_t n = cursor->nul ? 0 : format->find(cursor, most, &batch->records[batch->n], fens, usual);
        if (n == 0)
            read_some_slowly(cursor, batch, format);
        else if (!read_found(cursor, batch, format, fens, usual, n))
            break;
    }
    return batch->n > 0;
}
