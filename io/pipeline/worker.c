/*
 * The workers of a pipeline. Each takes a block, has its format read the records, gives them to the caller's function
 * as arrays, batch by batch, and writes to the block's output what that function asks for: seebatch_batch_write() and
 * the functions beside it.
 */
#include <stdlib.h>

#include "blocks/arrays.h"
#include "two_passes.h"
#include "run.h"
#include "write_rows.h"

struct worker {
    struct seebatch_pipeline *run;
    unsigned number;
    struct batch batch;
    struct arrays arrays;
    struct bytes reader, writer; /* what formats keep within a block */
};

/* A batch, as the caller's function knows it. */
struct seebatch_batch_of_file {
    struct worker *worker;
    struct block *block;
};

void seebatch_batch_count(seebatch_batch_of_file *batch, size_t n) { batch->block->written += n; }

/* The status after a record was written or not; what was written begins at a byte of the block's output. */
static seebatch_io_status status_of(const struct seebatch_pipeline *run, struct block *block, bool written,
                                    size_t begin)
{
    if (written && run->shuffle != NULL)
        seebatch_io_shuffle_note_length(run, block, begin);
    return block_has_failed(block)           ? SEEBATCH_IO_NO_MEMORY
           : block->refused                  ? SEEBATCH_IO_LOSSY
           : !written && run->options.strict ? SEEBATCH_IO_BAD_RECORD
                                             : SEEBATCH_IO_OK;
}

seebatch_io_status seebatch_batch_write(seebatch_batch_of_file *batch, size_t i, const seebatch_cell *cells)
{
    const struct seebatch_pipeline *run = batch->worker->run;
    const struct batch *records = &batch->worker->batch;
    struct block *block = batch->block;
    const size_t begin = block->out.used;
    if (second_pass_skips(run, block, &records->positions[i]))
        return SEEBATCH_IO_OK;
    if (run->options.output == NULL) {
        seebatch_batch_count(batch, 1);
        return SEEBATCH_IO_OK;
    }
    const bool written =
        seebatch_io_write_record(&run->target, block, &records->records[i], &records->positions[i], cells);
    return status_of(run, block, written, begin);
}

/* Writes record i with short cells, or NULL. */
static seebatch_io_status write_with_cells(seebatch_batch_of_file *batch, size_t i, const struct short_cell *cells)
{
    seebatch_cell texts[MOST_SHORT_CELLS];
    for (size_t c = 0; cells != NULL && c < batch->worker->run->target.n_added; c++)
        texts[c] = (seebatch_cell){.text = cells[c].text, .length = cells[c].length};
    return seebatch_batch_write(batch, i, cells != NULL ? texts : NULL);
}

seebatch_io_status seebatch_io_batch_write_rows(seebatch_batch_of_file *batch, size_t first, size_t n,
                                                const struct short_cell *cells)
{
    const struct seebatch_pipeline *run = batch->worker->run;
    const struct batch *records = &batch->worker->batch;
    const size_t n_cells = run->target.n_added;
    struct block *block = batch->block;
    const struct file_format *target = run->options.output != NULL ? run->target.format : NULL;
    const bool at_once = target != NULL && target->write_usual != NULL && block->source->format != target &&
                         run->unique == NULL && run->shuffle == NULL;
    seebatch_io_status status = SEEBATCH_IO_OK;
    for (size_t i = first, end = first + n; i < end && status == SEEBATCH_IO_OK; i++) {
        if (at_once) {
            const size_t usual = target->write_usual(block, &run->target, &records->records[i], &records->positions[i],
                                                     end - i, cells != NULL ? &cells[(i - first) * n_cells] : NULL);
            block->written += usual;
            i += usual;
        }
        if (i < end)
            status = write_with_cells(batch, i, cells != NULL ? &cells[(i - first) * n_cells] : NULL);
    }
    return status;
}

seebatch_io_status seebatch_batch_write_range(seebatch_batch_of_file *batch, size_t first, size_t n)
{
    return seebatch_io_batch_write_rows(batch, first, n, NULL);
}

seebatch_io_status seebatch_batch_write_scored(seebatch_batch_of_file *batch, size_t i, int16_t score)
{
    const struct seebatch_pipeline *run = batch->worker->run;
    const struct batch *records = &batch->worker->batch;
    struct block *block = batch->block;
    const size_t begin = block->out.used;
    if (run->options.output == NULL)
        return seebatch_batch_write(batch, i, NULL);
    const bool written =
        seebatch_io_write_scored(&run->target, block, &records->records[i], &records->positions[i], score);
    return status_of(run, block, written, begin);
}

void seebatch_batch_identities(const seebatch_batch_of_file *batch, uint64_t *identities)
{
    const struct batch *records = &batch->worker->batch;
    const uint64_t first = batch->block->source->start + batch->block->offset;
    for (size_t i = 0; i < records->n; i++)
        identities[i] = record_identity(&records->records[i], first);
}

uint32_t seebatch_io_batch_games(seebatch_batch_of_file *batch)
{
    const uint32_t begun = batch->block->begun;
    batch->block->begun = 0;
    return begun;
}

int seebatch_io_batch_tenth(const seebatch_batch_of_file *batch, size_t i)
{
    const struct block *block = batch->block;
    const uint64_t length = block->source->length;
    const uint64_t place = block->place > 0 ? block->place : block->offset + batch->worker->batch.records[i].offset;
    const uint64_t tenth = length > 0 ? 10 * place / length : 0;
    return length == 0 ? -1 : tenth < 10 ? (int)tenth : 9;
}

/* Where no function is given. */
static seebatch_io_status write_all(void *user, unsigned worker, seebatch_batch_of_file *batch,
                                    const seebatch_records *records)
{
    (void)user, (void)worker;
    return seebatch_batch_write_range(batch, 0, records->n);
}

/* What the caller's function returned ends the run: the block says why, if it is no reason of the caller's own. */
static void end_block(struct block *block, seebatch_io_status status)
{
    block->stopped |= status != SEEBATCH_IO_OK;
    block->scratch.failed |= status == SEEBATCH_IO_NO_MEMORY;
    block->returned = status;
}

/* Compresses a block's output, if it is written as it is and its compression can be divided among the workers. */
static void compress(const struct seebatch_pipeline *run, struct block *block)
{
    if (run->first_pass || run->shuffle != NULL || block_has_failed(block))
        return;
    block->compressed.failed |= !seebatch_io_output_compress(run->output, &block->out, &block->compressed, &block->crc);
}

/* A block may be one chunk of 100 MB, and its output many times as long: it is written in pieces, of chains and games
 * those that are closed. False when the run was stopped. */
static bool hand_over(struct worker *worker, struct block *block, const struct file_format *target)
{
    enum { PIECE = 1 << 22 };
    struct seebatch_pipeline *run = worker->run;
    const bool chained = target != NULL && target->chained && run->shuffle == NULL && !run->first_pass;
    const size_t piece = chained ? block->closed : block->out.used, rest = block->out.used - piece;
    if (piece < PIECE)
        return true;
    block->out.used = piece;
    compress(run, block);
    const bool on = seebatch_io_queue_hand_over(&run->queue, block);
    memmove(block->out.data, block->out.data + piece, rest);
    block->out.used = rest;
    block->closed = 0;
    return on;
}

/* Notes what the records have of the fields that are required. */
static void note_fields(struct block *block, const seebatch_records *records)
{
    unsigned has = block->has;
    for (size_t i = 0; i < records->n; i++)
        has |= records->has[i];
    block->has = has;
}

static void work_on(struct worker *worker, struct block *block)
{
    struct seebatch_pipeline *run = worker->run;
    const seebatch_pipeline_options *options = &run->options;
    /* With bytes of input, the target is known, too. */
    const struct file_format *target = options->output != NULL && block->in.used > 0 ? run->target.format : NULL;
    struct reading reading;
    struct seebatch_batch_of_file batch = {worker, block};
    seebatch_io_status status = SEEBATCH_IO_OK;
    seebatch_io_reading_begin(&reading, block, &worker->reader, options->strict);
    block->writer = seebatch_io_zeroed(&worker->writer, target != NULL ? target->writer_size : 0);
    block->scratch.failed |= worker->writer.failed;
    block->has = 0;
    while (status == SEEBATCH_IO_OK && hand_over(worker, block, target) && !seebatch_io_queue_is_stopped(&run->queue) &&
           seebatch_io_reading_next(&reading, &worker->batch)) {
        seebatch_records records = arrays_of_batch(&worker->arrays, &worker->batch, options->wanted);
        records.file = strcmp(block->source->name, "-") != 0 ? block->source->name : NULL;
        if (options->required != 0)
            note_fields(block, &records);
        status = (options->work != NULL ? options->work : write_all)(options->user, worker->number, &batch, &records);
    }
    end_block(block, status);
    seebatch_io_reading_end(&reading);
    if (target != NULL && target->finish != NULL && !run->first_pass && !block_has_failed(block))
        target->finish(block);
    compress(run, block);
}

void *seebatch_io_worker_run(void *argument)
{
    struct worker *worker = argument;
    struct block_queue *queue = &worker->run->queue;
    struct block *block;
    while ((block = seebatch_io_input_next(&worker->run->input)) != NULL) {
        work_on(worker, block);
        seebatch_io_queue_worked(queue, block);
    }
    return NULL;
}

struct worker *seebatch_io_workers_make(struct seebatch_pipeline *run, size_t n)
{
    struct worker *workers = calloc(n, sizeof *workers);
    for (size_t i = 0; workers != NULL && i < n; i++) {
        workers[i].run = run;
        workers[i].number = (unsigned)i;
    }
    return workers;
}

struct worker *seebatch_io_worker_at(struct worker *workers, size_t index) { return &workers[index]; }

void seebatch_io_workers_free(struct worker *workers, size_t n)
{
    for (size_t i = 0; workers != NULL && i < n; i++) {
        free(workers[i].reader.data);
        free(workers[i].writer.data);
    }
    free(workers);
}
