/*
 * Leads the runs that leave out positions that come again (unique.c) and those that write in a random order
 * (shuffle.c).
 *
 * The first read their input twice, with the same blocks. In the first pass the caller's function works as always,
 * but what it writes is noted only: the keys of the positions are the output of a block. In the second one it writes
 * what comes for the first time. Both go over the same bytes, so that records have the same numbers within their block.
 *
 * The second ones gather what is written, record by record, before it goes to the output.
 */
#include "two_passes.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "blocks/file_header.h"
#include "formats/headings.h"
#include "shuffle.h"
#include "files/disk_partitions.h"
#include "files/temporary.h"
#include "unique.h"

/* Where temporary files go: beside the output, if that is a file. */
static const char *place_of_temporary(const struct seebatch_pipeline *run)
{
    return run->output != NULL && seebatch_io_output_is_file(run->output) ? run->options.output : NULL;
}

bool seebatch_io_passes_begin(struct seebatch_pipeline *run)
{
    const seebatch_pipeline_options *options = &run->options;
    const uint64_t both = options->memory > 0 ? options->memory : (uint64_t)USUAL_MEMORY;
    const char *place = place_of_temporary(run);
    if (options->unique)
        run->unique = seebatch_io_unique_new(place, both, options->stop, options->user, seebatch_io_secret_key());
    if (options->shuffle)
        run->shuffle = seebatch_io_shuffle_new(run->target.format, place, options->unique ? both / 2 : both,
                                               options->stop, options->user, options->seed);
    run->no_memory |= (options->unique && run->unique == NULL) || (options->shuffle && run->shuffle == NULL);
    return !run->no_memory;
}

void seebatch_io_passes_end(struct seebatch_pipeline *run)
{
    seebatch_io_unique_free(run->unique);
    seebatch_io_shuffle_free(run->shuffle);
    for (size_t i = 0; i < run->n_sources; i++)
        if (run->sources[i].kept > 0)
            close(run->sources[i].kept);
}

/* ---- Pipes ------------------------------------------------------------------------------------------------------- */

static bool is_stopped(struct seebatch_pipeline *run)
{
    if (run->options.stop == NULL || !run->options.stop(run->options.user))
        return false;
    run->broken.status = SEEBATCH_IO_STOPPED;
    return true;
}

/* Reads on; -1 where nothing more is to be read. */
static long read_some(struct seebatch_pipeline *run, struct stream *stream, char *to, size_t room, struct bytes *why)
{
    enum { TENTH = 100 };
    struct pollfd file = {stream->fd, POLLIN, 0};
    bool waits = true;
    while (waits) {
        const int ready = poll(&file, 1, TENTH);
        waits = ready == 0 || (ready < 0 && errno == EINTR); /* where poll() fails, reading waits */
        if (is_stopped(run))
            return -1;
    }
    return seebatch_io_stream_read(stream, to, room, why);
}

static bool keep_pipe(struct seebatch_pipeline *run, struct source *source)
{
    enum { ROOM = 1 << 17 };
    struct bytes why = {0}, buffer = {0};
    struct stream stream;
    long got = 1;
    /* As the file lies, whatever its name says. A file that cannot be opened is told of when its turn comes. */
    if (!seebatch_io_stream_open_raw(&stream, source->name, &why)) {
        free(why.data);
        return true;
    }
    const char *place = place_of_temporary(run);
    source->kept = seebatch_io_temporary_open(place, &run->broken);
    bool well = source->kept > 0 && (bytes_reserve(&buffer, ROOM) || seebatch_io_no_memory(&run->broken));
    while (well && got > 0) {
        got = read_some(run, &stream, buffer.data, ROOM, &why);
        well = got <= 0 || seebatch_io_temporary_write(source->kept, place, buffer.data, (size_t)got, &run->broken);
    }
    if (got < 0 && run->broken.status == SEEBATCH_IO_OK)
        seebatch_io_fail(&run->broken, SEEBATCH_IO_FAILED, 0, "%s: %.*s", source->name, (int)why.used, why.data);
    seebatch_io_stream_close(&stream);
    free(why.data);
    free(buffer.data);
    return well && got == 0;
}

bool seebatch_io_passes_copy_pipes(struct seebatch_pipeline *run)
{
    for (size_t i = 0; i < run->n_sources; i++)
        if (run->unique != NULL && !seebatch_io_is_regular(run->sources[i].name) && !keep_pipe(run, &run->sources[i]))
            return false;
    return true;
}

/* ---- Two readings ------------------------------------------------------------------------------------------------ */

bool seebatch_io_first_pass_add(struct seebatch_pipeline *run, const struct block *block, bool whole)
{
    return seebatch_io_unique_add(run->unique, (const void *)block->out.data,
                                  block->out.used / sizeof(struct position_key), &run->broken) &&
           (!whole || seebatch_io_unique_end_block(run->unique, &run->broken));
}

/* The beginning of what was a pipe is looked at once more, where it may be that it does not fit. */
static void forget_file_headers(struct seebatch_pipeline *run)
{
    for (size_t i = 0; i < run->n_sources; i++) {
        struct source *source = &run->sources[i];
        if (source->kept == 0 || source->format->binary)
            continue;
        source->header_read = source->checked = false;
        source->header.used = source->headings.text.used = source->skip = 0;
        seebatch_io_headings_empty(&source->headings);
        if (run->target.first == source) {
            run->target.first = NULL;
            seebatch_io_headings_empty(&run->target.headings);
        }
    }
}

bool seebatch_io_first_pass_end(struct seebatch_pipeline *run)
{
    const seebatch_counts none = {0};
    if (run->broken.status != SEEBATCH_IO_OK || run->no_memory || !seebatch_io_unique_find(run->unique, &run->broken))
        return false;
    forget_file_headers(run);
    run->counts = none;
    for (size_t i = 0; i < run->n_sources; i++)
        run->sources[i].read = run->sources[i].good = run->sources[i].lost = run->sources[i].about = 0;
    run->failed = run->refused = false;
    run->returned = SEEBATCH_IO_OK;
    run->ended = NULL;
    run->first_pass = false;
    if (run->options.again != NULL)
        run->options.again(run->options.user);
    return true;
}

bool seebatch_io_second_pass_agrees(struct seebatch_pipeline *run, const struct block *block)
{
    if (run->unique == NULL || block->stopped || block->refused ||
        block->positions == seebatch_io_unique_in_block(run->unique, block->number))
        return true;
    return seebatch_io_fail(
        &run->broken, SEEBATCH_IO_FAILED, 0,
        "%s: it has changed since it was read for the first time, expected a file that stays as it is",
        block->source->name);
}

bool seebatch_io_second_pass_skips(const struct seebatch_pipeline *run, struct block *block,
                                   const seebatch_position *position)
{
    if (!run->first_pass)
        return !seebatch_io_unique_is_first(run->unique, block->number, block->positions++);
    const struct position_key key = key_of_position(position);
    bytes_add(&block->out, (const char *)&key, sizeof key);
    block->positions++;
    return true;
}

/* ---- Another order ----------------------------------------------------------------------------------------------- */

void seebatch_io_shuffle_note_length(const struct seebatch_pipeline *run, struct block *block, size_t begin)
{
    const struct file_format *format = run->target.format;
    if (format->finish != NULL)
        format->finish(block);
    if (format->writer_size > 0)
        memset(block->writer, 0, format->writer_size);
    const uint32_t length = (uint32_t)(block->out.used - begin);
    bytes_add(&block->lengths, (const char *)&length, sizeof length);
}

bool seebatch_io_shuffle_block(struct seebatch_pipeline *run, const struct block *block)
{
    return seebatch_io_shuffle_add(run->shuffle, block->out.data, (const void *)block->lengths.data,
                                   block->lengths.used / sizeof(uint32_t), &run->broken);
}

bool seebatch_io_write_shuffled(struct seebatch_pipeline *run)
{
    return seebatch_io_shuffle_write(run->shuffle, run->output, &run->counts.written, &run->broken);
}
