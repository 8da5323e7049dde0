/*
 * Reads and writes the FENs of many positions.
 *
 * Threads share the lines of a text by its bytes: a line belongs to the part in which it begins. Its number is known
 * once the lines of the earlier parts have been counted, which takes a tenth of the time.
 */
#include "api/bulk.h"
#include "fen.h"

#include <assert.h>
#include <string.h>

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

/* Where the answers go. */
struct fens_output {
    seebatch_position *positions;
    uint8_t *statuses; /* or NULL */
    struct see_found *found;
};

enum { FENS_AT_ONCE = 32 }; /* their boards stay in the cache from step to step */

/* Reads at most FENS_AT_ONCE texts, the first as number i. `end` is that of seebatch_fens_fast(). */
static void read_group(const struct fens_output *output, size_t i, const seebatch_text *fens, size_t n, const char *end)
{
    uint8_t accepted[FENS_AT_ONCE];
    seebatch_position *positions = output->positions + i;
    seebatch_fens_fast(fens, n, end, positions, accepted);
    for (size_t k = 0; k < n; k++) {
        const seebatch_status status =
            accepted[k] ? SEEBATCH_OK : seebatch_fen_slow(fens[k].at, fens[k].length, &positions[k], NULL);
        if (output->statuses)
            output->statuses[i + k] = (uint8_t)status;
        if (status != SEEBATCH_OK) {
            positions[k] = seebatch_position_empty(SEEBATCH_WHITE);
            see_clear_padding(&positions[k]);
            see_note(output->found, i + k);
        }
    }
}

/* Writes the error message for a text that is wrong. */
static seebatch_status report_fen(const char *text, size_t length, seebatch_faults *faults)
{
    seebatch_position position;
    return seebatch_position_from_fen(text, length, &position, faults ? &faults->error : NULL);
}

struct fens_work {
    const seebatch_text *fens;
    struct fens_output output;
};

static void read_fens(const void *argument, size_t begin, size_t end)
{
    const struct fens_work *work = (const struct fens_work *)argument;
    for (size_t i = begin; i < end; i += FENS_AT_ONCE)
        read_group(&work->output, i, work->fens + i, end - i < FENS_AT_ONCE ? end - i : (size_t)FENS_AT_ONCE, NULL);
}

seebatch_status seebatch_batch_from_fens(const seebatch_text *fens, size_t n, seebatch_position *positions,
                                         uint8_t *statuses, seebatch_faults *faults, seebatch_job *job)
{
    struct see_found found = {0, SIZE_MAX};
    const struct fens_work work = {fens, {positions, statuses, &found}};
    see_choose_kernel();
    seebatch_status status = seebatch_run_job(job, n, SEE_PART_FENS, read_fens, &work), first = SEEBATCH_OK;
    if (found.count)
        first = report_fen(fens[found.first].at, fens[found.first].length, faults);
    return see_report_found(&found, first, status, faults);
}

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

enum { LEAST_PART = 1 << 15, MOST_PARTS = 1024 };

struct lines_work {
    const char *text;
    size_t length, readable; /* of the lines that are read; of all bytes */
    size_t capacity, part;
    size_t *before; /* of each part and of the end: the number of lines that begin before it */
    struct fens_output output;
};

/* Finds where the first line begins that begins at a byte or after it. */
static size_t line_from(const char *text, size_t length, size_t at)
{
    if (at == 0 || at >= length || text[at - 1] == '\n')
        return at < length ? at : length;
    const char *feed = (const char *)memchr(text + at, '\n', length - at);
    return feed ? (size_t)(feed - text) + 1 : length;
}

/* Returns the length of a line without its end. *next becomes the place where the next one begins. */
static size_t line_length(const char *text, size_t length, size_t at, size_t *next)
{
    const char *feed = (const char *)memchr(text + at, '\n', length - at);
    size_t n = feed ? (size_t)(feed - text) - at : length - at;
    *next = at + n + (feed != NULL);
    return n > 0 && text[at + n - 1] == '\r' ? n - 1 : n;
}

static void count_lines(const void *argument, size_t begin, size_t end)
{
    const struct lines_work *work = (const struct lines_work *)argument;
    for (size_t at = begin; at < end; at += work->part) {
        const size_t stop = end - at < work->part ? end : at + work->part;
        size_t n = at == 0;
        for (size_t i = at + (at == 0); i < stop; i++)
            n += work->text[i - 1] == '\n';
        work->before[at / work->part + 1] = n;
    }
}

/* Reads the lines that begin from `begin` to `end` - 1, the first as number i, while there is room. Returns the number
 * after that of the last one, and sets *at to where the next one begins. */
static size_t read_from(const struct lines_work *work, size_t i, size_t begin, size_t end, size_t *at)
{
    seebatch_text fens[FENS_AT_ONCE];
    *at = line_from(work->text, work->length, begin);
    while (*at < end && i < work->capacity) {
        size_t n = 0, next;
        for (; n < FENS_AT_ONCE && *at < end && i + n < work->capacity; n++, *at = next) {
            fens[n].at = work->text + *at;
            fens[n].length = line_length(work->text, work->length, *at, &next);
        }
        read_group(&work->output, i, fens, n, work->text + work->readable);
        i += n;
    }
    return i;
}

static void read_lines(const void *argument, size_t begin, size_t end)
{
    const struct lines_work *work = (const struct lines_work *)argument;
    size_t at;
    read_from(work, work->before[begin / work->part], begin, end, &at);
}

/* Finds where line number i begins, which is one of those up to a part that begins with line `before`. */
static size_t beginning_of(const struct lines_work *work, size_t part, size_t before, size_t i)
{
    size_t at = line_from(work->text, work->length, part * work->part);
    for (; before < i && at < work->length; before++)
        line_length(work->text, work->length, at, &at);
    return at;
}

/* Does the same once all parts have been counted. */
static size_t counted_beginning_of(const struct lines_work *work, size_t i)
{
    size_t part = 0;
    while ((part + 1) * work->part < work->length && work->before[part + 1] <= i)
        part++;
    return beginning_of(work, part, work->before[part], i);
}

/* Counts the lines of all parts, and reads those that begin in the first job->done bytes. */
static seebatch_status read_by_many(const struct lines_work *work, seebatch_lines *lines, seebatch_job *job)
{
    const size_t parts = work->length / work->part + (work->length % work->part != 0);
    work->before[0] = 0;
    see_run_quietly(job, work->length, work->part, count_lines, work);
    for (size_t i = 0; i < parts; i++)
        work->before[i + 1] += work->before[i];
    const seebatch_status status = seebatch_run_job(job, work->length, work->part, read_lines, work);
    const size_t n = work->before[job->done == work->length ? parts : job->done / work->part];
    lines->n = n < work->capacity ? n : work->capacity;
    lines->consumed = counted_beginning_of(work, lines->n);
    return status;
}

seebatch_status seebatch_batch_from_lines(const char *text, size_t length, bool whole, seebatch_position *positions,
                                          size_t capacity, uint8_t *statuses, seebatch_lines *lines,
                                          seebatch_faults *faults, seebatch_job *job)
{
    size_t before[MOST_PARTS + 2], end = length;
    struct see_found found = {0, SIZE_MAX};
    while (!whole && end && text[end - 1] != '\n')
        end--;
    const size_t share = end / MOST_PARTS + 1, part = share < LEAST_PART ? (size_t)LEAST_PART : share;
    const struct lines_work work = {text, end, length, capacity, part, before, {positions, statuses, &found}};
    seebatch_status status = SEEBATCH_OK, first = SEEBATCH_OK;
    see_choose_kernel();
    if (job)
        status = read_by_many(&work, lines, job);
    else
        lines->n = read_from(&work, 0, 0, end, &lines->consumed);
    if (found.count) {
        size_t next;
        const size_t at = job ? counted_beginning_of(&work, found.first) : beginning_of(&work, 0, 0, found.first);
        first = report_fen(text + at, line_length(text, end, at, &next), faults);
    }
    return see_report_found(&found, first, status, faults);
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

struct writing_work {
    const seebatch_position *positions;
    char *text;
    size_t *offsets;
};

static void measure_fens(const void *argument, size_t begin, size_t end)
{
    const struct writing_work *work = (const struct writing_work *)argument;
    for (size_t i = begin; i < end; i++)
        work->offsets[i + 1] = seebatch_fen_length(&work->positions[i]) + 1;
}

static void write_fens(const void *argument, size_t begin, size_t end)
{
    const struct writing_work *work = (const struct writing_work *)argument;
    for (size_t i = begin; i < end; i++) {
        char fen[SEEBATCH_FEN_SIZE];
        const size_t n = seebatch_position_to_fen(&work->positions[i], fen);
        assert(n + 1 == work->offsets[i + 1] - work->offsets[i]);
        fen[n] = '\n';
        memcpy(work->text + work->offsets[i], fen, n + 1);
    }
}

/* One thread writes each FEN after the previous one. Once there is no room, it only measures. */
static void write_by_one(const struct writing_work *work, size_t n, size_t size)
{
    size_t at = work->offsets[0] = 0;
    for (size_t i = 0; i < n; i++) {
        char fen[SEEBATCH_FEN_SIZE];
        char *out = at <= size && size - at >= SEEBATCH_FEN_SIZE ? work->text + at : fen;
        const size_t length = seebatch_position_to_fen(&work->positions[i], out) + 1;
        out[length - 1] = '\n';
        if (out == fen && at <= size && size - at >= length)
            memcpy(work->text + at, fen, length);
        work->offsets[i + 1] = at += length;
    }
}

seebatch_status seebatch_batch_to_fens(const seebatch_position *positions, size_t n, char *text, size_t size,
                                       size_t *offsets, seebatch_job *job)
{
    const struct writing_work work = {positions, text, offsets};
    if (!job) {
        write_by_one(&work, n, size);
        return offsets[n] > size ? SEEBATCH_NO_ROOM : SEEBATCH_OK;
    }
    see_run_quietly(job, n, SEE_PART_FENS, measure_fens, &work);
    see_sum_offsets(offsets, n);
    if (offsets[n] > size)
        return SEEBATCH_NO_ROOM;
    return seebatch_run_job(job, n, SEE_PART_FENS, write_fens, &work);
}
