/*
 * The main thread of a pipeline, and its workers.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#include "formats/headings.h"
#include "part.h"
#include "ring.h"
#include "beginnings.h"
#include "sink.h"

/* ---- Workers ----------------------------------------------------------------------------------------------------- */

struct worker {
    const struct pipeline *pipeline;
    struct ring *ring;
    void *state;
    struct batch batch;
    struct bytes reader, writer; /* what formats keep within a block */
};

/* Memory that is zero. */
static void *zeros(struct bytes *bytes, size_t size)
{
    bytes->used = 0;
    bytes_reserve(bytes, size);
    if (size > 0)
        memset(bytes->data, 0, size);
    return bytes->data;
}

/* The last line of a file may have no line feed. It gets one, or is not read where it may not be cut off; true then. */
static bool mend_last_line(struct block *block, bool strict)
{
    struct bytes *in = &block->in;
    if (block->source->format->binary || in->used == 0 || in->data[in->used - 1] == '\n')
        return false;
    if (strict)
        in->used = whole_lines(in->data, in->used);
    else
        bytes_add_char(in, '\n');
    return true;
}

/* Says that it had none. */
static void report_last_line(const struct cursor *cursor)
{
    struct block *block = cursor->block;
    const struct record record = {.line = cursor->line + 1, .offset = block->in.used};
    if (!cursor->strict)
        warn_of_last_line(block, cursor->line);
    else if (block->bad == 0)
        complain(block, &record, "%s, expected a line feed", LAST_LINE);
}

static void work_on(struct worker *worker, struct block *block)
{
    const struct pipeline *pipeline = worker->pipeline;
    const bool mended = mend_last_line(block, pipeline->strict);
    struct cursor cursor = {block, block->source, block->in.data, bytes_end(&block->in), 0, pipeline->strict};
    bool more = block->in.used > 0; /* then the target is known, too */
    const struct file_format *target = pipeline->sink != NULL && more ? pipeline->target.format : NULL;
    block->reader = zeros(&worker->reader, block->source->format->reader_size);
    block->writer = zeros(&worker->writer, target != NULL ? target->writer_size : 0);
    while (more && block->source->format->read(&cursor, &worker->batch)) {
        block->read += worker->batch.n;
        more = pipeline->work(pipeline->context, worker->state, block, &worker->batch);
    }
    if (mended && !block->refused)
        report_last_line(&cursor);
    if (target != NULL && target->finish != NULL)
        target->finish(block);
    block->lines = cursor.line;
    block->stopped |= pipeline->strict && block->bad > 0;
}

static void *worker_run(void *argument)
{
    struct worker *worker = argument;
    struct block *block;
    while ((block = ring_to_work(worker->ring)) != NULL) {
        work_on(worker, block);
        ring_worked(worker->ring, block);
    }
    return NULL;
}

/* ---- The main thread --------------------------------------------------------------------------------------------- */

/* Static, because when a run is stopped the other threads still use it until the program ends. */
static struct run {
    struct pipeline *pipeline;
    struct ring ring;
    pthread_t *threads;     /* the workers', then the reader's */
    struct worker *workers; /* one a thread */
    struct reader reader;
    struct progress progress;
    struct totals totals;
    const struct source *source; /* of the block written last */
    const struct source *ended;  /* of which nothing more is taken, because it cannot be read on */
    uint64_t lines, games;       /* of this file, before the block */
    uint64_t complaints;         /* of this file, */
    uint64_t shown;              /* and how many of them were printed */
    bool begun;                  /* the header was written */
} the_run;

static void say(struct run *run, const char *place, const char *text, size_t length)
{
    progress_clear(&run->progress);
    fprintf(stderr, "%s: %.*s\n", place, (int)length, text);
}

/* Where a record lies: its line, or its number and byte. The number is not known in the middle of a file. */
static void print_place(const struct run *run, const struct block *block, const struct complaint *complaint)
{
    const struct source *source = block->source;
    const unsigned long long byte = block->offset + complaint->offset;
    unsigned long long number = run->lines + complaint->line;
    const size_t record_size = source->format->record_size;
    number += record_size > 0 ? source->begin / record_size : 0;
    fprintf(stderr, "%s:", source->name);
    if (source->begin > 0 && record_size == 0)
        fprintf(stderr, " %s at byte %llu: ", source->format->binary ? "record" : "line", byte);
    else if (source->format->binary)
        fprintf(stderr, " record %llu at byte %llu: ", number, byte);
    else
        fprintf(stderr, "%llu: ", number);
    if (complaint->game > 0 && source->begin == 0)
        fprintf(stderr, "game %llu: ", (unsigned long long)run->games + complaint->game);
}

/* Which lines of those that are complained of are the first, where a strict run stopped, and the one that ended a run
 * that would have lost something; UINT64_MAX if there is none. */
static void find_stops(const struct block *block, uint64_t *first, uint64_t *stop)
{
    const char *end = bytes_end(&block->complaints);
    struct complaint complaint;
    *first = *stop = UINT64_MAX;
    for (const char *at = block->complaints.data; at < end; at += sizeof complaint + complaint.length) {
        memcpy(&complaint, at, sizeof complaint);
        *first = complaint.line < *first ? complaint.line : *first;
        *stop = block->refused ? complaint.line : *stop; /* the last one refuses; records behind it were read before */
    }
}

/* Prints what was wrong in a block, up to where the run stopped: MOST_COMPLAINTS for a file, and what ended the run. Of
 * a strict run only what comes first. */
static void print_complaints(struct run *run, const struct block *block)
{
    const char *at = block->complaints.data, *end = bytes_end(&block->complaints);
    uint64_t first, stop;
    struct complaint complaint;
    find_stops(block, &first, &stop);
    run->complaints += block->bad;
    for (; at < end; at += sizeof complaint + complaint.length) {
        memcpy(&complaint, at, sizeof complaint);
        const bool ends = block->refused && at == block->complaints.data + block->last;
        run->complaints -= complaint.line > stop;
        if (complaint.line > stop || (run->pipeline->strict && complaint.line != first) ||
            (run->shown >= MOST_COMPLAINTS && !complaint.warning && !ends))
            continue;
        run->shown += !complaint.warning;
        progress_clear(&run->progress);
        print_place(run, block, &complaint);
        fprintf(stderr, "%s%.*s\n", complaint.warning ? "warning: " : "", (int)complaint.length, at + sizeof complaint);
    }
}

/* The end of a file: how much was wrong with it that was not printed. */
static void report_unshown(struct run *run)
{
    if (run->complaints > run->shown && !run->pipeline->strict) {
        progress_clear(&run->progress);
        fprintf(stderr, "%s: %llu complaints, %llu of them are not shown\n", run->source->name,
                (unsigned long long)run->complaints, (unsigned long long)(run->complaints - run->shown));
    }
    run->complaints = run->shown = 0;
}

static void count(struct run *run, const struct block *block)
{
    run->totals.read += block->read;
    run->totals.bad += block->stopped ? 1 : block->bad;
    run->totals.lost_bytes += block->lost_bytes;
    run->totals.lost_records += block->lost_records;
    run->totals.damaged |= block->damaged || block->failure.used > 0;
    run->totals.failed |= block->bad > 0 || block->failure.used > 0;
    run->totals.incomplete |= block->stopped || (run->pipeline->strict && block->failure.used > 0);
    run->totals.refused |= block->refused;
}

/* Writes a block's output, and before the first one what stands before all records. */
static bool write_block(struct run *run, const struct block *block)
{
    const struct target *target = &run->pipeline->target;
    if (run->pipeline->sink == NULL)
        return true;
    if (!run->begun && target->first != NULL) {
        struct bytes head = {NULL, 0, 0};
        run->begun = true;
        if (target->format->begin != NULL && run->pipeline->part.number <= 1)
            target->format->begin(&head, target);
        bool well = sink_write(run->pipeline->sink, target->format, head.data, head.used);
        free(head.data);
        if (!well)
            return false;
    }
    return sink_write(run->pipeline->sink, target->format, block->out.data, block->out.used);
}

/* Reports and writes a block; false where the run ends. */
static bool finish_block(struct run *run, const struct block *block)
{
    if (block->source == run->ended)
        return true;
    if (block->source != run->source) {
        report_unshown(run);
        run->source = block->source;
        run->lines = block->source->header.used > 0;
        run->games = 0;
    }
    print_complaints(run, block);
    if (block->failure.used > 0) {
        say(run, block->source->name, block->failure.data, block->failure.used);
        run->ended = block->source;
    }
    run->lines += block->lines;
    run->games += block->games;
    count(run, block);
    if (!write_block(run, block)) {
        run->totals.failed = run->totals.incomplete = true;
        return false;
    }
    run->totals.written += block->written;
    return !block->stopped && !block->refused && !(run->pipeline->strict && block->failure.used > 0);
}

/* Ends the program by the signal that came. */
static void end_by_signal(struct run *run)
{
    const int number = interrupt_signal();
    const struct pipeline *pipeline = run->pipeline;
    if (number == 0)
        return;
    progress_clear(&run->progress);
    report("stopped by %s after %llu positions%s",
           number == SIGINT    ? "SIGINT"
           : number == SIGTERM ? "SIGTERM"
                               : "SIGHUP",
           (unsigned long long)run->totals.read,
           pipeline->sink != NULL && sink_is_file(pipeline->sink) ? "; the output was removed" : "");
    if (pipeline->sink != NULL)
        sink_close(pipeline->sink, false);
    interrupt_die(number);
}

/* Takes the blocks in order; returns whether all came. */
static bool take_blocks(struct run *run)
{
    for (;;) {
        bool tick;
        struct block *block = ring_to_write(&run->ring, &tick);
        if (interrupt_signal() != 0)
            return false;
        if (block == NULL && !tick)
            return true;
        if (block != NULL) {
            bool on = finish_block(run, block);
            progress_tick(&run->progress, run->totals.read, block->consumed);
            if (!on)
                return false;
            ring_written(&run->ring);
        }
    }
}

static pthread_t start(void *(*function)(void *), void *argument)
{
    pthread_t thread;
    int error = pthread_create(&thread, NULL, function, argument);
    if (error != 0) {
        report("a thread cannot be started: %s; expected less from --threads, perhaps", strerror(error));
        exit(STATUS_ERROR);
    }
    return thread;
}

static struct source *make_sources(const struct pipeline *pipeline)
{
    struct source *sources = reallocate(NULL, (size_t)pipeline->n_names, sizeof *sources);
    memset(sources, 0, (size_t)pipeline->n_names * sizeof *sources);
    for (int i = 0; i < pipeline->n_names; i++) {
        const char *name = pipeline->names[i];
        sources[i].name = name;
        sources[i].format = pipeline->from != NULL ? pipeline->from : format_of_file(name);
        if (sources[i].format == NULL) /* standard input; other names were looked at when the options were read */
            sources[i].format = &fen_format;
        sources[i].wanted = pipeline->wanted;
        sources[i].target = &pipeline->target;
    }
    if (pipeline->part.of > 0)
        part_divide(&pipeline->part, sources, pipeline->n_names);
    return sources;
}

static void free_sources(struct pipeline *pipeline)
{
    for (int i = 0; i < pipeline->n_names; i++) {
        free(pipeline->sources[i].header.data);
        headings_free(&pipeline->sources[i].headings);
    }
    headings_free(&pipeline->target.headings);
    free(pipeline->sources);
}

static void start_threads(struct run *run, size_t n)
{
    const struct pipeline *pipeline = run->pipeline;
    run->threads = reallocate(NULL, n + 1, sizeof *run->threads);
    run->workers = reallocate(NULL, n, sizeof *run->workers);
    interrupt_block(true);
    run->threads[n] = start(reader_run, &run->reader);
    for (size_t i = 0; i < n; i++) {
        struct worker *worker = &run->workers[i];
        worker->pipeline = pipeline;
        worker->ring = &run->ring;
        worker->state = pipeline->states != NULL ? pipeline->states[i] : NULL;
        worker->reader = worker->writer = (struct bytes){NULL, 0, 0};
        run->threads[i] = start(worker_run, worker);
    }
    interrupt_block(false);
}

/* All threads have come to their end, or are about to. */
static void end_threads(struct run *run, size_t n)
{
    for (size_t i = 0; i <= n; i++)
        pthread_join(run->threads[i], NULL);
    free_sources(run->pipeline);
    ring_close(&run->ring);
    for (size_t i = 0; i < n; i++) {
        free(run->workers[i].reader.data);
        free(run->workers[i].writer.data);
    }
    free(run->threads);
    free(run->workers);
}

bool output_appears(const struct pipeline *pipeline, const struct totals *totals)
{
    return !totals->incomplete && (pipeline->salvage || !totals->damaged);
}

struct totals pipeline_run(struct pipeline *pipeline)
{
    struct run *run = &the_run;
    const size_t n = (size_t)pipeline->threads;
    run->pipeline = pipeline;
    pipeline->sources = make_sources(pipeline);
    if (!check_beginnings(pipeline, &run->totals.refused)) {
        run->totals.failed = run->totals.incomplete = true;
        free_sources(pipeline);
        return run->totals;
    }
    ring_open(&run->ring, 2 * n + 2);
    run->reader = (struct reader){.pipeline = pipeline, .ring = &run->ring};
    progress_begin(&run->progress, pipeline);
    start_threads(run, n);

    const bool all = take_blocks(run);
    end_by_signal(run);
    ring_stop(&run->ring);
    report_unshown(run);
    if (!output_appears(pipeline, &run->totals) && pipeline->sink != NULL && sink_is_file(pipeline->sink))
        run->totals.written = 0; /* the file does not appear */
    progress_summary(&run->progress, pipeline, &run->totals);
    if (all) /* otherwise the reader may wait for input for ever */
        end_threads(run, n);
    return run->totals;
}
