/*
 * Output that people can trust.
 *
 * A file is written under a name of its own in the same directory, and takes the place of an older one by rename() when
 * all of it has reached the disk: others see the old file or the new one, whole. Whatever ends the
 * writing earlier removes it; only the end of the program in between leaves it lying, under that other name. Devices
 * and pipes are written to as they are.
 *
 * On standard output what was written cannot be taken back; but when the run is stopped, the record that is being
 * written is finished first, and where a disk is full in the middle of one, a file is cut back to the last whole
 * record.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <zlib.h>
#include <zstd.h>

#include "endings.h"
#include "sink.h"

enum { COMPRESSED_SIZE = 1 << 17, ZSTD_LEVEL = 3, GZIP_LEVEL = 6 };

struct sink {
    const char *name; /* for messages */
    char *path;       /* the place that the file takes in the end, links followed; NULL: it is written to directly */
    char *temporary;  /* its name until then */
    int fd;           /* -1: memory */
    int level;
    bool (*stop)(void *user); /* or NULL */
    void *user;
    struct bytes memory;
    enum compression compression;
    z_stream gzip;
    ZSTD_CCtx *frame;
    char compressed[COMPRESSED_SIZE];
};

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

bool io_fail(seebatch_io_error *error, seebatch_io_status status, int system_error, const char *format, ...)
{
    va_list arguments;
    if (error == NULL)
        return false;
    error->status = status;
    error->system_error = system_error;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}

bool io_no_memory(seebatch_io_error *error) { return io_fail(error, SEEBATCH_IO_NO_MEMORY, ENOMEM, "out of memory"); }

/* ---- Opening ---------------------------------------------------------------------------------------------------- */

static void name_temporary(char *name, size_t room, const char *path, const char *file, unsigned attempt)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    const unsigned long random = (unsigned long)now.tv_nsec * 2654435761u + (unsigned long)getpid() * 40503u + attempt;
    snprintf(name, room, "%.*s.%s.%06lx", (int)(file - path), path, file, random & 0xffffff);
}

/* Makes the file beside the one that it will replace, with that one's permissions or those of any new file. */
static bool open_temporary(struct sink *sink, const struct stat *old)
{
    enum { ATTEMPTS = 100 };
    const char *slash = strrchr(sink->path, '/'), *file = slash != NULL ? slash + 1 : sink->path;
    const size_t room = strlen(sink->path) + sizeof "..XXXXXX";
    sink->temporary = malloc(room);
    if (sink->temporary == NULL)
        return false;
    for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
        name_temporary(sink->temporary, room, sink->path, file, attempt);
        sink->fd = open(sink->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (sink->fd >= 0 || errno != EEXIST)
            break;
    }
    if (sink->fd >= 0)
        return old == NULL || fchmod(sink->fd, old->st_mode & 07777) == 0;
    free(sink->temporary);
    sink->temporary = NULL;
    return false;
}

static bool open_file(struct sink *sink, const char *name)
{
    struct stat old;
    const bool exists = stat(name, &old) == 0;
    if (exists && !S_ISREG(old.st_mode)) {
        sink->fd = open(name, O_WRONLY | O_CLOEXEC);
        return sink->fd >= 0;
    }
    sink->path = exists ? realpath(name, NULL) : NULL;
    if (sink->path == NULL)
        sink->path = strdup(name);
    return sink->path != NULL && open_temporary(sink, exists ? &old : NULL);
}

static bool open_compression(struct sink *sink)
{
    enum { GZIP_FORMAT = 16 + MAX_WBITS, MEMORY = 8 };
    if (sink->compression == GZIP)
        return deflateInit2(&sink->gzip, sink->level != 0 ? sink->level : GZIP_LEVEL, Z_DEFLATED, GZIP_FORMAT, MEMORY,
                            Z_DEFAULT_STRATEGY) == Z_OK;
    if (sink->compression == ZSTD) {
        sink->frame = ZSTD_createCCtx();
        return sink->frame != NULL &&
               !ZSTD_isError(ZSTD_CCtx_setParameter(sink->frame, ZSTD_c_compressionLevel,
                                                    sink->level != 0 ? sink->level : ZSTD_LEVEL)) &&
               !ZSTD_isError(ZSTD_CCtx_setParameter(sink->frame, ZSTD_c_checksumFlag, 1));
    }
    return true;
}

/* Frees a sink that writes no more, and removes what has not taken its place. */
static void free_sink(struct sink *sink)
{
    if (sink->temporary != NULL)
        unlink(sink->temporary);
    if (sink->compression == GZIP)
        deflateEnd(&sink->gzip);
    ZSTD_freeCCtx(sink->frame);
    free(sink->memory.data);
    free(sink->temporary);
    free(sink->path);
    free(sink);
}

struct sink *sink_open(const char *name, int level, seebatch_io_error *error)
{
    struct sink *sink = calloc(1, sizeof *sink);
    if (sink == NULL) {
        io_no_memory(error);
        return NULL;
    }
    sink->name = name == NULL ? "memory" : strcmp(name, "-") == 0 ? "standard output" : name;
    sink->level = level;
    sink->fd = -1;
    if (name == NULL)
        return sink;
    const bool standard = strcmp(name, "-") == 0;
    size_t length;
    errno = 0;
    if (standard) /* a descriptor of its own, so that the program's stays open */
        sink->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const bool opened = standard ? sink->fd >= 0 : open_file(sink, name);
    sink->compression = opened && !standard ? compression_of_file(name, &length) : NOT_COMPRESSED;
    if (opened && open_compression(sink))
        return sink;
    if (!opened)
        io_fail(error, SEEBATCH_IO_FAILED, errno, "%s: cannot be opened for writing: %s", sink->name, strerror(errno));
    else
        io_fail(error, SEEBATCH_IO_NO_MEMORY, 0, "%s: there is no memory to compress it", name);
    if (sink->fd >= 0)
        close(sink->fd);
    free_sink(sink);
    return NULL;
}

void sink_ask(struct sink *sink, bool (*stop)(void *user), void *user)
{
    sink->stop = stop;
    sink->user = user;
}

struct bytes *sink_memory(struct sink *sink) { return &sink->memory; }

bool sink_is_file(const struct sink *sink) { return sink->path != NULL; }

bool sink_compresses(const struct sink *sink) { return sink != NULL && sink->compression != NOT_COMPRESSED; }

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

static bool is_stopped(const struct sink *sink) { return sink->stop != NULL && sink->stop(sink->user); }

/* The disk is full, or the like: cuts a regular file on standard output back by as many bytes. False if that fails. */
static bool take_back(const struct sink *sink, size_t bytes)
{
    struct stat file;
    const off_t end = lseek(sink->fd, 0, SEEK_CUR);
    return bytes == 0 || sink->path != NULL || fstat(sink->fd, &file) != 0 || !S_ISREG(file.st_mode) ||
           end != file.st_size || ftruncate(sink->fd, end - (off_t)bytes) == 0;
}

static bool cannot_write(const struct sink *sink, bool whole, seebatch_io_error *error)
{
    const int number = errno;
    const char *end = whole ? "" : "; it ends with a part of a record";
    if (number == EINTR && is_stopped(sink))
        return io_fail(error, SEEBATCH_IO_STOPPED, 0, "%s: the writing was stopped", sink->name);
    if (number == EPIPE)
        return io_fail(error, SEEBATCH_IO_FAILED, number, "%s: the reader has gone; not everything was written%s",
                       sink->name, end);
    return io_fail(error, SEEBATCH_IO_FAILED, number, "%s: cannot be written: %s%s", sink->name, strerror(number), end);
}

/* Writes bytes; those of whole records, if they can be told. */
static bool write_plain(struct sink *sink, whole_function *whole, const char *bytes, size_t length,
                        seebatch_io_error *error)
{
    size_t done = 0;
    while (done < length) {
        const bool stop = is_stopped(sink);
        if (stop && (sink->path != NULL || done == 0 || (whole != NULL && whole(bytes, done) == done)))
            return io_fail(error, SEEBATCH_IO_STOPPED, 0, "%s: the writing was stopped", sink->name);
        /* When stopped, a byte at a time up to the end of the record. */
        ssize_t written = write(sink->fd, bytes + done, stop && whole != NULL ? 1 : length - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            const int number = errno;
            const bool well = whole == NULL || take_back(sink, done - whole(bytes, done));
            errno = number;
            return cannot_write(sink, well, error);
        }
        done += (size_t)written;
    }
    return true;
}

static bool write_gzip(struct sink *sink, const char *bytes, size_t length, bool last, seebatch_io_error *error)
{
    z_stream *gzip = &sink->gzip;
    enum { MOST = 1 << 30 };
    do {
        size_t part = length < MOST ? length : MOST;
        gzip->next_in = (unsigned char *)(uintptr_t)bytes;
        gzip->avail_in = (uInt)part;
        do {
            gzip->next_out = (unsigned char *)sink->compressed;
            gzip->avail_out = COMPRESSED_SIZE;
            deflate(gzip, last ? Z_FINISH : Z_NO_FLUSH);
            if (!write_plain(sink, NULL, sink->compressed, COMPRESSED_SIZE - gzip->avail_out, error))
                return false;
        } while (gzip->avail_out == 0);
        bytes += part;
        length -= part;
    } while (length > 0);
    return true;
}

static bool write_zstd(struct sink *sink, const char *bytes, size_t length, bool last, seebatch_io_error *error)
{
    ZSTD_inBuffer in = {bytes, length, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {sink->compressed, COMPRESSED_SIZE, 0};
        left = ZSTD_compressStream2(sink->frame, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left))
            return io_fail(error, SEEBATCH_IO_FAILED, 0, "%s: cannot be compressed: %s", sink->name,
                           ZSTD_getErrorName(left));
        if (!write_plain(sink, NULL, sink->compressed, out.pos, error))
            return false;
    } while (last ? left > 0 : in.pos < in.size);
    return true;
}

bool sink_write(struct sink *sink, whole_function *whole, const char *bytes, size_t length, seebatch_io_error *error)
{
    if (length == 0)
        return true;
    if (sink->fd < 0) {
        bytes_add(&sink->memory, bytes, length);
        return !sink->memory.failed || io_no_memory(error);
    }
    return sink->compression == GZIP   ? write_gzip(sink, bytes, length, false, error)
           : sink->compression == ZSTD ? write_zstd(sink, bytes, length, false, error)
                                       : write_plain(sink, whole, bytes, length, error);
}

/* ---- Closing ---------------------------------------------------------------------------------------------------- */

static bool finish_compression(struct sink *sink, seebatch_io_error *error)
{
    return sink->compression == GZIP   ? write_gzip(sink, "", 0, true, error)
           : sink->compression == ZSTD ? write_zstd(sink, "", 0, true, error)
                                       : true;
}

/* Puts the file in its place; the disk has it before the name says so. */
static bool put_in_place(struct sink *sink, seebatch_io_error *error)
{
    if (fsync(sink->fd) != 0 || close(sink->fd) != 0 || rename(sink->temporary, sink->path) != 0)
        return cannot_write(sink, true, error);
    free(sink->temporary);
    sink->temporary = NULL;
    return true;
}

bool sink_close(struct sink *sink, bool complete, seebatch_io_error *error)
{
    bool well = true;
    if (complete)
        well = finish_compression(sink, error) &&
               (sink->fd < 0 || !is_stopped(sink) ||
                io_fail(error, SEEBATCH_IO_STOPPED, 0, "%s: the writing was stopped", sink->name));
    if (sink->path != NULL && complete && well)
        well = put_in_place(sink, error);
    else if (sink->fd >= 0 && close(sink->fd) != 0 && errno != EINTR && sink->path == NULL)
        well = cannot_write(sink, true, error); /* some file systems say it only here */
    free_sink(sink);
    return well;
}
