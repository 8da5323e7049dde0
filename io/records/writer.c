/*
 * Implements seebatch_writer, which writes arrays as the records of one file. They are gathered in a block, which goes
 * to the file when it is large enough.
 *
 * Games and chains end with a block, so that memory does not grow with the file.
 */
#include <stdlib.h>

#include "blocks/blocks.h"
#include "blocks/error_reports.h"
#include "formats/headings.h"
#include "formats/losses.h"
#include "blocks/pending_reports.h"
#include "files/output.h"
#include "options/options.h"
#include "writer.h"

enum { BLOCK_GOAL = 1 << 20 };

/* Where records in arrays come from: a format that is never read. */
static const struct file_format arrays_format = {
    .name = "arrays",
    .fields = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_PLY,
    .optional = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_PLY,
};

struct seebatch_writer {
    struct source source; /* of the records */
    struct target target;
    struct output *output;
    struct block block;
    struct bytes state;  /* what the format keeps within a block */
    bool header_written; /* the header was written */
    bool failed;         /* nothing more is written */
    struct reporter reporter;
    struct pending_reports pending;
    seebatch_counts counts;
};

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

static bool check_options(seebatch_writer *writer, const seebatch_writer_options *options, seebatch_io_error *error)
{
    struct target *target = &writer->target;
    char text[LOSS_TEXT];
    if (!seebatch_io_format_option(options->format, "--to", &target->format, error) ||
        !seebatch_io_lose_option(options->lose, &target->lose, error) ||
        (options->path != NULL && !seebatch_io_check_output(options->path, error)))
        return false;
    if (target->format == NULL && options->path != NULL)
        target->format = seebatch_io_format_of_file(options->path);
    if (target->format == NULL || target->format->write == NULL)
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "%s: %s, expected a format that can be written",
                                options->path != NULL ? options->path : "memory",
                                target->format == NULL ? "its name does not say its format"
                                                       : "the format can be read, but not written");
    target->added = options->columns;
    target->n_added = options->n_columns;
    if (!seebatch_io_check_added_columns(target, error))
        return false;
    target->fields = target->format->begin != NULL && options->holds != 0 ? options->holds : target->format->fields;
    target->fields |= target->format->any_columns ? FIELD_COLUMNS : 0u;
    target->first = &writer->source;
    writer->source = (struct source){.name = "records", .format = &arrays_format, .target = target};
    writer->source.each_error = true;
    writer->source.fields = options->holds != 0 ? options->holds : arrays_format.fields;
    const unsigned lost = seebatch_io_losses_of_format(&arrays_format, target);
    if (lost == 0)
        return true;
    seebatch_io_loss_text(lost, target, text, sizeof text);
    return seebatch_io_fail(error, SEEBATCH_IO_LOSSY, 0, "%s", text);
}

static void free_writer(seebatch_writer *writer)
{
    seebatch_io_block_free(&writer->block);
    seebatch_io_headings_free(&writer->target.headings);
    free(writer->state.data);
    free(writer->reporter.text.data);
    free(writer->reporter.repeats.texts.data);
    seebatch_io_pending_reports_free(&writer->pending);
    free(writer);
}

static void begin_block(seebatch_writer *writer)
{
    seebatch_io_block_empty(&writer->block);
    writer->block.source = &writer->source;
    writer->block.writer = seebatch_io_zeroed(&writer->state, writer->target.format->writer_size);
    writer->block.scratch.failed |= writer->state.failed;
    if (!writer->header_written && writer->target.format->begin != NULL)
        writer->target.format->begin(&writer->block.out, &writer->target);
    writer->header_written = true;
}

seebatch_writer *seebatch_writer_open(const seebatch_writer_options *options, seebatch_io_error *error)
{
    seebatch_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) {
        seebatch_io_no_memory(error);
        return NULL;
    }
    writer->reporter.on_report = seebatch_io_pending_reports_take;
    writer->reporter.user = &writer->pending;
    if (check_options(writer, options, error))
        writer->output = seebatch_io_output_open(options->path, options->level, 0, error);
    if (writer->output != NULL) {
        seebatch_io_headings_of_target(&writer->target);
        begin_block(writer);
        return writer;
    }
    free_writer(writer);
    return NULL;
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

static seebatch_io_status fail(seebatch_writer *writer, seebatch_io_status status)
{
    writer->failed = true;
    return status;
}

/* Sends the block to the file, and begins another. */
static seebatch_io_status flush(seebatch_writer *writer, seebatch_io_error *error)
{
    struct block *block = &writer->block;
    seebatch_io_error why = {.status = SEEBATCH_IO_OK};
    if (writer->target.format->finish != NULL && !block_has_failed(block))
        writer->target.format->finish(block);
    seebatch_io_report_block(&writer->reporter, block);
    seebatch_io_reporter_repeats(&writer->reporter);
    if (block_has_failed(block) || writer->target.headings.text.failed || writer->reporter.text.failed ||
        writer->pending.failed) {
        seebatch_io_no_memory(error);
        return fail(writer, SEEBATCH_IO_NO_MEMORY);
    }
    writer->counts.written += block->written;
    writer->counts.bad += block->bad;
    if (block->refused) {
        seebatch_io_fail(error, SEEBATCH_IO_LOSSY, 0, "%s", writer->reporter.first.text);
        return fail(writer, SEEBATCH_IO_LOSSY);
    }
    if (!seebatch_io_output_write(writer->output, writer->target.format->whole, block->out.data, block->out.used,
                                  &why)) {
        if (error != NULL)
            *error = why;
        return fail(writer, why.status);
    }
    begin_block(writer);
    return SEEBATCH_IO_OK;
}

static void fill_record(struct record *record, const seebatch_records *records, size_t i)
{
    record->has = records->has != NULL ? records->has[i] : (uint16_t)arrays_format.fields;
    if (records->moves == NULL || records->moves[i] == 0)
        record->has &= (uint16_t)~FIELD_MOVE;
    if (records->scores == NULL)
        record->has &= (uint16_t)~FIELD_SCORE;
    if (records->results == NULL)
        record->has &= (uint16_t)~FIELD_RESULT;
    if (records->plies == NULL)
        record->has &= (uint16_t)~FIELD_PLY;
    if (record->has & FIELD_MOVE)
        record->move = records->moves[i];
    if (record->has & FIELD_SCORE)
        record->score = records->scores[i];
    if (record->has & FIELD_RESULT)
        record->result = records->results[i];
    if (record->has & FIELD_PLY)
        record->ply = records->plies[i];
}

const struct target *seebatch_io_writer_target(const seebatch_writer *writer) { return &writer->target; }

struct block *seebatch_io_writer_begin_row(seebatch_writer *writer, struct record *record, seebatch_io_error *error)
{
    struct block *block = &writer->block;
    if (writer->failed) {
        seebatch_io_fail(error, SEEBATCH_IO_FAILED, 0, "writing has failed before, expected no further records");
        return NULL;
    }
    if (block_has_failed(block) && flush(writer, error) != SEEBATCH_IO_OK)
        return NULL;
    *record = (struct record){.line = ++block->lines};
    writer->counts.read++;
    return block;
}

seebatch_io_status seebatch_io_writer_end_row(seebatch_writer *writer, bool good, const struct record *record,
                                              const seebatch_position *position, const seebatch_cell *cells,
                                              seebatch_io_error *error)
{
    struct block *block = &writer->block;
    if (good)
        seebatch_io_write_record(&writer->target, block, record, position, cells);
    return block->out.used >= BLOCK_GOAL || block->refused || block_has_failed(block) ? flush(writer, error)
                                                                                      : SEEBATCH_IO_OK;
}

seebatch_io_status seebatch_io_writer_end_call(seebatch_writer *writer, seebatch_io_status status,
                                               seebatch_io_error *error)
{
    return status == SEEBATCH_IO_OK && writer->block.bad > 0 ? flush(writer, error) : status;
}

seebatch_io_status seebatch_writer_write(seebatch_writer *writer, const seebatch_records *records,
                                         const seebatch_cell *cells, seebatch_io_error *error)
{
    seebatch_io_error own;
    seebatch_io_status status = SEEBATCH_IO_OK;
    struct record record;
    error = error != NULL ? error : &own;
    for (size_t i = 0; i < records->n && status == SEEBATCH_IO_OK; i++) {
        if (seebatch_io_writer_begin_row(writer, &record, error) == NULL)
            return error->status;
        fill_record(&record, records, i);
        const seebatch_cell *row = cells != NULL ? cells + i * writer->target.n_added : NULL;
        const bool good = !(record.has & FIELD_PLY) || record.ply >= 0;
        if (!good)
            seebatch_io_report_error(&writer->block, &record, "the ply is %d, expected an integer from 0 to %d",
                                     record.ply, INT32_MAX);
        status = seebatch_io_writer_end_row(writer, good, &record, &records->positions[i], row, error);
    }
    return seebatch_io_writer_end_call(writer, status, error);
}

bool seebatch_writer_error_report(seebatch_writer *writer, seebatch_error_report *report)
{
    return seebatch_io_pending_reports_next(&writer->pending, report);
}

seebatch_counts seebatch_writer_counts(const seebatch_writer *writer)
{
    seebatch_counts counts = writer->counts;
    counts.written += writer->failed ? 0 : writer->block.written;
    counts.bad += writer->failed ? 0 : writer->block.bad;
    return counts;
}

/* ---- The end ----------------------------------------------------------------------------------------------------- */

static seebatch_io_status close_sink(struct output *output, bool complete, seebatch_io_error *error)
{
    seebatch_io_error why = {.status = SEEBATCH_IO_OK};
    if (seebatch_io_output_close(output, complete, &why))
        return SEEBATCH_IO_OK;
    if (error != NULL)
        *error = why;
    return why.status;
}

seebatch_io_status seebatch_writer_finish(seebatch_writer *writer, void **bytes, size_t *n_bytes,
                                          seebatch_io_error *error)
{
    seebatch_io_status status = SEEBATCH_IO_FAILED;
    struct bytes *memory = seebatch_io_output_memory(writer->output);
    if (bytes != NULL)
        *bytes = NULL;
    if (n_bytes != NULL)
        *n_bytes = 0;
    if (writer->failed)
        seebatch_io_fail(error, SEEBATCH_IO_FAILED, 0, "writing has failed before, so there is no file");
    else
        status = flush(writer, error);
    if (status == SEEBATCH_IO_OK && writer->counts.written == 0 && writer->counts.bad > 0) {
        status = SEEBATCH_IO_BAD_RECORD;
        seebatch_io_fail(error, status, 0, "no record is left to be written, because all were bad; there is no file");
    }
    if (status == SEEBATCH_IO_OK && bytes != NULL && n_bytes != NULL) {
        *bytes = memory->data;
        *n_bytes = memory->used;
        *memory = (struct bytes){0};
    }
    const seebatch_io_status closed =
        close_sink(writer->output, status == SEEBATCH_IO_OK, status == SEEBATCH_IO_OK ? error : NULL);
    free_writer(writer);
    return status != SEEBATCH_IO_OK ? status : closed;
}

void seebatch_writer_abandon(seebatch_writer *writer)
{
    if (writer == NULL)
        return;
    close_sink(writer->output, false, NULL);
    free_writer(writer);
}

seebatch_io_status seebatch_write_file(const char *path, const void *bytes, size_t n_bytes, seebatch_io_error *error)
{
    seebatch_io_error why = {.status = SEEBATCH_IO_OK};
    struct output *output = seebatch_io_check_output(path, &why) ? seebatch_io_output_open(path, 0, 0, &why) : NULL;
    if (output != NULL) {
        const bool well = seebatch_io_output_write(output, NULL, bytes, n_bytes, &why);
        why.status = well ? close_sink(output, true, &why) : why.status;
        if (!well)
            close_sink(output, false, NULL);
    }
    if (why.status != SEEBATCH_IO_OK && error != NULL)
        *error = why;
    return why.status;
}
