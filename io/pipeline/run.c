/*
 * seebatch_pipeline_run(): the caller's thread of a pipeline. It starts the workers, takes their blocks in the order
 * of the input, reports what was wrong in them, and writes their output.
 */
#include "two_passes.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "files/descriptors.h"
#include "formats/losses.h"

/* ---- Blocks ------------------------------------------------------------------------------------------------------ */

static void count(struct seebatch_pipeline *run, const struct block *block)
{
    seebatch_counts *counts = &run->counts;
    const bool failure = block->failure.used > 0;
    seebatch_io_count_block(counts, block);
    block->source->has |= block->has;
    counts->consumed = block->consumed;
    counts->incomplete |= block->stopped || block->refused || (run->options.strict && failure);
    run->failed |= failure;
    run->refused |= block->refused;
    if (run->returned == SEEBATCH_IO_OK)
        run->returned = block->returned;
}

static void tell_broken(struct seebatch_pipeline *run)
{
    if (run->broken.status != SEEBATCH_IO_STOPPED && run->broken.text[0] != '\0') /* the end says if memory ran out */
        seebatch_io_reporter_say(&run->reporter, SEEBATCH_ERROR_REPORT_RUN, NULL, run->broken.text,
                                 strlen(run->broken.text));
}

/* Ends the run because the output cannot be written, or the like. */
static void break_off(struct seebatch_pipeline *run)
{
    run->counts.incomplete = true;
    tell_broken(run);
}

/* Writes bytes; crc is the checksum of the same bytes compressed, of which there may be none. */
static bool write_bytes(struct seebatch_pipeline *run, const struct bytes *bytes, const struct bytes *compressed,
                        unsigned long crc)
{
    const bool well =
        compressed != NULL && compressed->used > 0
            ? seebatch_io_output_write_compressed(run->output, compressed, crc, bytes->used, &run->broken)
            : seebatch_io_output_write(run->output, run->target.format->whole, bytes->data, bytes->used, &run->broken);
    if (!well)
        break_off(run);
    return well;
}

/* Writes a block's output, and before the first one what stands before all records. */
static bool write_block(struct seebatch_pipeline *run, const struct block *block)
{
    const struct target *target = &run->target;
    if (run->output == NULL)
        return true;
    if (!run->header_written && target->first != NULL) {
        struct bytes head = {0};
        run->header_written = true;
        if (target->format->begin != NULL && (run->part.number <= 1 || run->options.part_headers))
            target->format->begin(&head, target);
        run->no_memory |= head.failed;
        const bool well = !head.failed && write_bytes(run, &head, NULL, 0);
        free(head.data);
        if (!well)
            return false;
    }
    if (run->shuffle == NULL)
        return write_bytes(run, &block->out, &block->compressed, block->crc);
    const bool well = seebatch_io_shuffle_block(run, block);
    if (!well)
        break_off(run);
    return well;
}

/* The first of two passes: notes the positions of a block; false where the reading ends. Nothing is told yet. */
static bool note_block(struct seebatch_pipeline *run, const struct block *block)
{
    const bool ended = block->source == run->ended;
    run->no_memory |= block_has_failed(block);
    if (run->no_memory)
        return false;
    if (!seebatch_io_first_pass_add(run, block, true)) {
        break_off(run);
        return false;
    }
    if (!ended)
        count(run, block);
    if (block->failure.used > 0)
        run->ended = block->source;
    return ended || (!block->stopped && !block->refused && !(run->options.strict && block->failure.used > 0));
}

/* Tells of a block and writes it; false where the run ends. */
static bool finish_block(struct seebatch_pipeline *run, const struct block *block)
{
    if (run->first_pass)
        return note_block(run, block);
    if (block->source == run->ended)
        return true;
    if (block_has_failed(block)) {
        run->no_memory = true;
        return false;
    }
    seebatch_io_report_block(&run->reporter, block);
    if (block->failure.used > 0)
        run->ended = block->source;
    count(run, block);
    if (!seebatch_io_second_pass_agrees(run, block)) {
        break_off(run);
        return false;
    }
    if (!write_block(run, block))
        return false;
    run->counts.written += run->shuffle == NULL ? block->written : 0;
    return !block->stopped && !block->refused && !(run->options.strict && block->failure.used > 0);
}

static bool is_stopped(struct seebatch_pipeline *run)
{
    if (run->options.stop == NULL || !run->options.stop(run->options.user))
        return false;
    run->broken.status = SEEBATCH_IO_STOPPED;
    return true;
}

static void show_progress(const struct seebatch_pipeline *run)
{
    if (run->options.on_progress != NULL)
        run->options.on_progress(run->options.user, &run->counts);
}

/* Writes a piece of a block's output; false where the run ends. */
static bool take_piece(struct seebatch_pipeline *run, struct block *block)
{
    if (!block_has_failed(block) && run->first_pass && !seebatch_io_first_pass_add(run, block, false)) {
        break_off(run);
        return false;
    }
    if (!block_has_failed(block) && !run->first_pass && !write_block(run, block))
        return false;
    block->out.used = block->lengths.used = 0;
    seebatch_io_queue_go_on(&run->queue, block);
    return true;
}

/* Takes the blocks in order; returns whether all came. */
static bool take_blocks(struct seebatch_pipeline *run)
{
    for (;;) {
        bool whole, tick;
        struct block *block = seebatch_io_queue_to_write(&run->queue, &whole, &tick);
        if (is_stopped(run))
            return false;
        if (block == NULL && !tick)
            return true;
        if (block != NULL && !whole) {
            if (!take_piece(run, block))
                return false;
        } else if (block != NULL) {
            const bool on = finish_block(run, block);
            show_progress(run);
            if (!on)
                return false;
            seebatch_io_queue_written(&run->queue);
        }
    }
}

/* ---- Threads ----------------------------------------------------------------------------------------------------- */

static bool start(struct seebatch_pipeline *run, pthread_t *thread, void *(*function)(void *), void *argument)
{
    const int error = pthread_create(thread, NULL, function, argument);
    if (error == 0)
        return true;
    seebatch_io_fail(&run->broken, SEEBATCH_IO_FAILED, error, "a thread cannot be started: %s; try fewer --threads",
                     strerror(error));
    break_off(run);
    return false;
}

/* Starts the workers, which get no signals; returns how many were started. */
static size_t start_threads(struct seebatch_pipeline *run)
{
    size_t started = 0;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (started < run->n_threads &&
           start(run, &run->threads[started], seebatch_io_worker_run, seebatch_io_worker_at(run->workers, started)))
        started++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

/* Brings all threads to their end, wherever they wait. */
static void end_threads(struct seebatch_pipeline *run, size_t started)
{
    seebatch_io_queue_stop(&run->queue);
    close(run->wake[1]);
    for (size_t i = 0; i < started; i++)
        pthread_join(run->threads[i], NULL);
    close(run->wake[0]);
}

static bool open_wake(struct seebatch_pipeline *run)
{
    bool made = pipe(run->wake) == 0;
    for (int i = 0; made && i < 2; i++) {
        run->wake[i] = descriptor_above(run->wake[i]);
        made = run->wake[i] >= 0 && fcntl(run->wake[i], F_SETFD, FD_CLOEXEC) == 0;
    }
    if (made)
        return true;
    seebatch_io_fail(&run->broken, SEEBATCH_IO_FAILED, errno, "a pipe between threads cannot be made: %s",
                     strerror(errno));
    break_off(run);
    return false;
}

/* Reads, works and writes. */
static void run_threads(struct seebatch_pipeline *run)
{
    const size_t n = run->n_threads;
    run->threads = calloc(n, sizeof *run->threads);
    run->workers = seebatch_io_workers_make(run, n);
    run->no_memory |= run->threads == NULL || run->workers == NULL || !seebatch_io_queue_open(&run->queue, 2 * n + 2);
    if (!run->no_memory) {
        if (open_wake(run)) {
            show_progress(run);
            seebatch_io_input_begin(&run->input, run);
            const size_t started = start_threads(run);
            const bool all = started == n && take_blocks(run);
            run->counts.incomplete |= !all;
            end_threads(run, started);
            seebatch_io_input_end(&run->input);
        }
        seebatch_io_queue_close(&run->queue);
    }
    seebatch_io_workers_free(run->workers, n);
    free(run->threads);
}

/* ---- The run ----------------------------------------------------------------------------------------------------- */

static seebatch_io_status fail_as(seebatch_io_error *error, const seebatch_io_error *first, seebatch_io_status status)
{
    if (error != NULL)
        *error = *first;
    if (error != NULL)
        error->status = status;
    return status;
}

/* Returns how the run ended: the first that is true. */
static seebatch_io_status outcome(struct seebatch_pipeline *run, seebatch_io_error *error)
{
    const seebatch_io_error *first = &run->reporter.first;
    if (run->no_memory || run->returned == SEEBATCH_IO_NO_MEMORY) {
        seebatch_io_no_memory(error);
        return SEEBATCH_IO_NO_MEMORY;
    }
    if (run->broken.status == SEEBATCH_IO_STOPPED) {
        seebatch_io_fail(error, SEEBATCH_IO_STOPPED, 0, "the run was stopped");
        return SEEBATCH_IO_STOPPED;
    }
    if (run->refused)
        return fail_as(error, first, SEEBATCH_IO_LOSSY);
    if (run->options.strict && run->counts.bad > 0)
        return fail_as(error, first, SEEBATCH_IO_BAD_RECORD);
    if (run->broken.status != SEEBATCH_IO_OK)
        return fail_as(error, &run->broken, run->broken.status);
    if (run->failed)
        return fail_as(error, first, SEEBATCH_IO_FAILED);
    if (run->returned != SEEBATCH_IO_OK)
        seebatch_io_fail(error, run->returned, 0, "the function that works on the records ended the run");
    return run->returned;
}

/* A format may have a field that none of a file's records has: a condition on it would hold for none, in silence. Of a
 * part of the input nobody knows what the other parts have. */
static bool has_what_is_required(struct seebatch_pipeline *run)
{
    for (size_t i = 0; i < run->n_sources && run->part.of <= 1 && !run->counts.incomplete; i++) {
        const struct source *source = &run->sources[i];
        char list[256];
        seebatch_io_field_list(run->options.required & ~source->has, "or", list, sizeof list);
        if (source->read > 0 && list[0] != '\0')
            return seebatch_io_fail(&run->broken, SEEBATCH_IO_USAGE, 0,
                                    "%s: none of its records has a %s, which a condition needs", source->name, list);
    }
    return true;
}

/* Reads the input, once or twice, and writes the output. */
static void run_passes(struct seebatch_pipeline *run)
{
    if (!seebatch_io_passes_begin(run))
        return;
    if (!seebatch_io_passes_copy_pipes(run)) {
        break_off(run);
        return;
    }
    run->first_pass = run->unique != NULL;
    run_threads(run);
    if (run->first_pass && !seebatch_io_first_pass_end(run)) {
        run->counts.incomplete = true;
        if (run->reporter.first.status == SEEBATCH_IO_OK)
            tell_broken(run);
        return;
    }
    if (run->unique != NULL)
        run_threads(run);
    if (!has_what_is_required(run))
        break_off(run);
    seebatch_io_reporter_end(&run->reporter);
    run->counts.empty_files = run->reporter.empty_files;
    if (run->shuffle != NULL && !run->counts.incomplete && !run->no_memory && !seebatch_io_write_shuffled(run))
        break_off(run);
}

/* Opens the output, and runs; false if there is nothing to close. */
static void run_with_sink(struct seebatch_pipeline *run)
{
    const seebatch_pipeline_options *options = &run->options;
    if (options->output != NULL) {
        run->output = seebatch_io_output_open(options->output, options->level, run->n_threads, &run->broken);
        if (run->output == NULL) {
            tell_broken(run);
            return;
        }
        seebatch_io_output_ask(run->output, options->stop, options->user);
    }
    if (!seebatch_io_check_compatibility(run, &run->refused)) {
        run->failed = run->counts.incomplete = true;
    } else {
        run_passes(run);
        seebatch_io_passes_end(run);
    }
    run->no_memory |= run->reporter.text.failed || run->target.headings.text.failed;
    run->counts.incomplete |= run->no_memory;
}

seebatch_io_status seebatch_pipeline_run(seebatch_pipeline *run, seebatch_counts *counts, seebatch_io_error *error)
{
    run_with_sink(run);
    const seebatch_counts *done = &run->counts;
    /* Of a part nobody knows what the other parts have; joined, they are the output of the whole. */
    const bool none_left = done->written == 0 && (done->bad > 0 || done->damaged) && run->part.of <= 1;
    const bool appears = !done->incomplete && (run->options.salvage || !done->damaged) && !none_left;
    if (run->output != NULL) {
        const bool file = seebatch_io_output_is_file(run->output), whole = appears || !file;
        const bool well = seebatch_io_output_close(
            run->output, whole && !run->no_memory && run->broken.status == SEEBATCH_IO_OK, &run->broken);
        if (!well) {
            run->counts.incomplete = true;
            tell_broken(run);
        }
        run->output = NULL;
        run->counts.removed = file && (!appears || !well);
        if (run->counts.removed)
            run->counts.written = 0;
    }
    if (counts != NULL)
        *counts = run->counts;
    return outcome(run, error);
}
