/*
 * Implements seebatch_reader, which reads one file in the caller's thread, block by block, and gives its records as
 * arrays.
 */
#include <stdlib.h>

#include "blocks/arrays.h"
#include "blocks/file_header.h"
#include "blocks/blocks.h"
#include "blocks/error_reports.h"
#include "formats/headings.h"
#include "blocks/pending_reports.h"
#include "blocks/part.h"
#include "options/options.h"

enum { SHOWN_FIELDS = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_PLY };

struct seebatch_reader {
    char *name;       /* of the file, copied */
    const char *file; /* the same, if it names a file */
    struct source source;
    struct target target; /* nothing is written; formats look at its columns */
    struct part part;
    bool strict;
    struct blocks blocks;
    struct block block;
    struct reading reading;
    struct bytes state; /* what the format keeps within a block */
    struct batch batch;
    const seebatch_conditions *conditions; /* that records have to meet; NULL: none */
    unsigned had;                          /* the fields that records had so far, if there are conditions */
    struct arrays arrays;                  /* for the conditions */
    size_t next;                           /* of the batch, to be given */
    bool open;                             /* there is more in the file */
    bool reading_block;                    /* there may be more in the block */
    struct reporter reporter;
    struct pending_reports pending;
    uint64_t lines; /* before the block */
    seebatch_counts counts;
    seebatch_io_error failure; /* status SEEBATCH_IO_OK: none */
};

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

static bool check_options(seebatch_reader *reader, const seebatch_reader_options *options, seebatch_io_error *error)
{
    struct source *source = &reader->source;
    source->name = reader->name;
    source->memory = options->bytes;
    source->memory_size = options->n_bytes;
    source->target = &reader->target;
    source->wanted = SHOWN_FIELDS;
    if (options->path == NULL && options->bytes == NULL)
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "no file was given to read");
    if (!seebatch_io_part_option(options->part, options->of, &reader->part, error) ||
        !seebatch_io_format_option(options->format, "--from", &source->format, error) ||
        !seebatch_io_column_options(options->column_names, options->n_column_names, options->score_scale,
                                    options->win_rate_model, options->leela_score, &source->columns, error))
        return false;
    if (source->format == NULL)
        source->format = strcmp(source->name, "-") == 0 ? &FORMAT(fen) : seebatch_io_format_of_file(source->name);
    if (!seebatch_io_check_input(source, error))
        return false;
    if (reader->part.of > 0 && options->bytes != NULL)
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "--part: %s cannot be divided, expected a file",
                                source->name);
    return reader->part.of == 0 || (seebatch_io_check_division(source->name, source->format, error) &&
                                    seebatch_io_part_divide(&reader->part, source, 1, error));
}

static bool fail_with_reason(const seebatch_reader *reader, const struct bytes *why, seebatch_io_error *error)
{
    if (why->failed)
        return seebatch_io_no_memory(error);
    return seebatch_io_fail(error, SEEBATCH_IO_FAILED, reader->source.system_error, "%s: %.*s", reader->source.name,
                            (int)why->used, why->data);
}

/* Opens the file, and reads its beginning. */
static bool begin(seebatch_reader *reader, struct bytes *why)
{
    struct source *source = &reader->source;
    source->each_error = true;
    source->fields = source->format->read_header == NULL ? source->format->fields : 0;
    source->header_read = source->format->binary;
    if (!seebatch_io_read_file_header(source, why))
        return false;
    return seebatch_io_blocks_open(&reader->blocks, source, reader->part.of > 0, why);
}

static bool next_batch(seebatch_reader *reader);

seebatch_reader *seebatch_reader_open(const seebatch_reader_options *options, seebatch_io_error *error)
{
    seebatch_reader *reader = calloc(1, sizeof *reader);
    struct bytes why = {0};
    if (reader == NULL) {
        seebatch_io_no_memory(error);
        return NULL;
    }
    reader->name = strdup(options->path != NULL ? options->path : "memory");
    if (reader->name == NULL) {
        seebatch_io_no_memory(error);
        free(reader);
        return NULL;
    }
    reader->file = options->path != NULL && strcmp(options->path, "-") != 0 ? reader->name : NULL;
    reader->conditions = options->conditions;
    reader->strict = options->strict;
    reader->reporter.strict = options->strict;
    reader->reporter.on_report = seebatch_io_pending_reports_take;
    reader->reporter.user = &reader->pending;
    bool well = check_options(reader, options, error);
    if (well && !begin(reader, &why))
        well = fail_with_reason(reader, &why, error);
    free(why.data);
    reader->open = well;
    /* Of memory and pipes the header is in the first block; what is wrong there, the first call says. */
    if (well && reader->source.format->read_header != NULL && !reader->source.header_read)
        next_batch(reader);
    /* If nothing else is wrong: what the first block, read whole, may have found, this says as well. */
    if (well && reader->conditions != NULL &&
        (reader->failure.status == SEEBATCH_IO_OK || reader->failure.status == SEEBATCH_IO_USAGE))
        well = seebatch_conditions_check(reader->conditions, seebatch_reader_fields(reader), error) == SEEBATCH_IO_OK;
    if (well)
        return reader;
    seebatch_reader_close(reader);
    return NULL;
}

void seebatch_reader_close(seebatch_reader *reader)
{
    if (reader == NULL)
        return;
    if (reader->open)
        seebatch_io_blocks_close(&reader->blocks);
    free(reader->blocks.carry.data);
    seebatch_io_block_free(&reader->block);
    free(reader->state.data);
    free(reader->source.header.data);
    seebatch_io_headings_free(&reader->source.headings);
    free(reader->reporter.text.data);
    free(reader->reporter.repeats.texts.data);
    seebatch_io_pending_reports_free(&reader->pending);
    free(reader->name);
    free(reader);
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

/* The end of a block: what was wrong in it. */
static void end_block(seebatch_reader *reader)
{
    struct block *block = &reader->block;
    seebatch_counts *counts = &reader->counts;
    seebatch_io_reading_end(&reader->reading);
    reader->reading_block = false;
    seebatch_io_count_block(counts, block);
    seebatch_io_report_block(&reader->reporter, block);
    reader->lines += block->lines;
    if (block_has_failed(block) || reader->reporter.text.failed || reader->pending.failed) {
        seebatch_io_no_memory(&reader->failure);
    } else if (block->stopped || block->failure.used > 0) {
        reader->failure = reader->reporter.first;
        reader->failure.status = block->stopped ? SEEBATCH_IO_BAD_RECORD : SEEBATCH_IO_FAILED;
        if (!block->stopped) /* there may have been bad records before */
            seebatch_io_fail(&reader->failure, SEEBATCH_IO_FAILED, 0, "%s: %.*s", reader->source.name,
                             (int)block->failure.used, block->failure.data);
    }
}

/* Fills the next block, and begins to read it. */
static void begin_block(seebatch_reader *reader)
{
    struct block *block = &reader->block;
    struct source *source = &reader->source;
    const bool first = reader->counts.consumed == 0 && reader->lines == 0 && block->source == NULL;
    seebatch_io_block_empty(block);
    const bool more = seebatch_io_blocks_fill(&reader->blocks, block);
    if (first && (block->in.used > 0 || block->failure.used == 0)) {
        if (source->header_read || seebatch_io_take_file_header(source, &block->in, &block->failure))
            seebatch_io_block_skip_file_header(block);
        else
            block->in.used = 0;
    }
    reader->counts.consumed = reader->blocks.stream.consumed;
    if (!more || block->failure.used > 0) {
        seebatch_io_blocks_close(&reader->blocks);
        reader->open = false;
    }
    seebatch_io_reading_begin(&reader->reading, block, &reader->state, reader->strict);
    reader->reading_block = true;
}

/* Leaves those records in the batch that meet the conditions. */
static void select_records(seebatch_reader *reader)
{
    struct batch *batch = &reader->batch;
    seebatch_records records = arrays_of_batch(&reader->arrays, batch, SHOWN_FIELDS);
    uint64_t identities[BATCH_SIZE];
    bool in[BATCH_SIZE];
    size_t left = 0;
    for (size_t i = 0; i < batch->n; i++) {
        reader->had |= records.has[i];
        identities[i] = record_identity(&batch->records[i], reader->block.offset);
    }
    records.identities = identities;
    records.file = reader->file;
    if (seebatch_conditions_test(reader->conditions, &records, in) != SEEBATCH_IO_OK) {
        seebatch_io_no_memory(&reader->failure);
        batch->n = 0;
    }
    for (size_t i = 0; i < batch->n; i++) {
        if (!in[i])
            continue;
        batch->records[left] = batch->records[i];
        batch->positions[left++] = batch->positions[i];
    }
    batch->n = left;
}

/* At the end of a file of which no record has what a condition is about. */
static void check_conditions(seebatch_reader *reader)
{
    if (reader->conditions != NULL && reader->counts.read > 0)
        seebatch_conditions_check(reader->conditions, reader->had, &reader->failure);
}

/* Reads the next batch; returns false at the end, or where something is wrong. */
static bool next_batch(seebatch_reader *reader)
{
    reader->next = reader->batch.n = 0;
    while (reader->failure.status == SEEBATCH_IO_OK) {
        if (reader->reading_block && seebatch_io_reading_next(&reader->reading, &reader->batch)) {
            if (reader->conditions != NULL)
                select_records(reader);
            if (reader->batch.n > 0)
                return true;
            continue;
        }
        if (reader->reading_block)
            end_block(reader);
        else if (reader->open)
            begin_block(reader);
        else {
            check_conditions(reader);
            break;
        }
    }
    seebatch_io_reporter_missing_fields(&reader->reporter);
    seebatch_io_reporter_repeats(&reader->reporter);
    seebatch_io_reporter_nothing(&reader->reporter);
    return false;
}

static seebatch_place place_of(const seebatch_reader *reader, const struct record *record)
{
    const struct source *source = &reader->source;
    const size_t size = source->format->record_size;
    seebatch_place place = {0, reader->block.offset + record->offset};
    if (source->begin == 0 || size > 0)
        place.line = reader->lines + record->line + (size > 0 ? source->begin / size : 0) + (source->header.used > 0);
    return place;
}

/* Copies a field of n records, 0 where a record does not have it. */
#define COPY_FIELD(array, field, member)                                                                               \
    for (size_t i = 0; (array) != NULL && i < n; i++)                                                                  \
    (array)[i] = record[i].has & (field) ? record[i].member : 0

/* Gives the next n records of the batch. */
static void give(seebatch_reader *reader, seebatch_records *records, size_t n)
{
    const struct record *record = &reader->batch.records[reader->next];
    if (records->positions != NULL)
        memcpy(records->positions, &reader->batch.positions[reader->next], n * sizeof *records->positions);
    COPY_FIELD(records->moves, FIELD_MOVE, move);
    COPY_FIELD(records->scores, FIELD_SCORE, score);
    COPY_FIELD(records->results, FIELD_RESULT, result);
    COPY_FIELD(records->plies, FIELD_PLY, ply);
    for (size_t i = 0; records->has != NULL && i < n; i++)
        records->has[i] = (uint8_t)(record[i].has & SHOWN_FIELDS);
    for (size_t i = 0; records->places != NULL && i < n; i++)
        records->places[i] = place_of(reader, &record[i]);
    for (size_t i = 0; records->fens != NULL && i < n; i++)
        records->fens[i] =
            (seebatch_cell){.text = record[i].fen, .length = record[i].fen != NULL ? record[i].fen_length : 0};
    reader->next += n;
    records->n = n;
    records->file = reader->file;
}

seebatch_io_status seebatch_reader_next(seebatch_reader *reader, seebatch_records *records, seebatch_io_error *error)
{
    records->n = 0;
    if (reader->next == reader->batch.n && !next_batch(reader)) {
        if (reader->failure.status == SEEBATCH_IO_OK)
            return SEEBATCH_IO_END;
        if (error != NULL)
            *error = reader->failure;
        return reader->failure.status;
    }
    const size_t left = reader->batch.n - reader->next;
    give(reader, records, left < records->capacity ? left : records->capacity);
    return SEEBATCH_IO_OK;
}

bool seebatch_reader_error_report(seebatch_reader *reader, seebatch_error_report *report)
{
    return seebatch_io_pending_reports_next(&reader->pending, report);
}

seebatch_counts seebatch_reader_counts(const seebatch_reader *reader)
{
    seebatch_counts counts = reader->counts;
    counts.read += reader->reading_block ? reader->block.read : 0;
    return counts;
}

unsigned seebatch_reader_fields(const seebatch_reader *reader)
{
    return (reader->source.fields | (reader->source.format->implies_ply ? (unsigned)FIELD_PLY : 0u)) & SHOWN_FIELDS;
}
