/*
 * Output that people can trust.
 *
 * A file is written under a name of its own in the same directory, and takes the place of an older one by rename() when
 * all of it has reached the disk: others see the old file or the new one, whole. Whatever ends the run earlier
 * removes it; only a kill that no program can catch leaves it lying, under that other name. Devices and pipes are
 * written to as they are.
 *
 * On standard output what was written cannot be taken back; but when a signal comes, the record that is being written
 * is finished first, and where a disk is full in the middle of one, a file is cut back to the last whole record.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>
#include <zstd.h>

#include "endings.h"
#include "sink.h"

enum { COMPRESSED_SIZE = 1 << 17, ZSTD_LEVEL = 3, GZIP_LEVEL = 6 };

struct sink {
    const char *name; /* for messages */
    char *path;       /* the place that the file takes in the end, links followed; NULL: it is written to directly */
    int fd;
    enum compression compression;
    z_stream gzip;
    ZSTD_CCtx *frame;
    char compressed[COMPRESSED_SIZE];
};

/* The file that has not taken its place yet; removed when the program ends without that. */
static char *temporary;

static void remove_temporary(void)
{
    if (temporary != NULL)
        unlink(temporary);
}

/* ---- Opening ---------------------------------------------------------------------------------------------------- */

/* Makes the file beside the one that it will replace, with that one's permissions or those of any new file. */
static bool open_temporary(struct sink *sink, const struct stat *old)
{
    const char *slash = strrchr(sink->path, '/');
    size_t directory = slash != NULL ? (size_t)(slash - sink->path) + 1 : 0;
    size_t room = strlen(sink->path) + sizeof "..XXXXXX";
    mode_t mask = umask(0);
    umask(mask);

    char *name = reallocate(NULL, room, 1);
    snprintf(name, room, "%.*s.%s.XXXXXX", (int)directory, sink->path, sink->path + directory);
    sink->fd = mkstemp(name);
    if (sink->fd < 0) {
        free(name);
        return false;
    }
    temporary = name;
    atexit(remove_temporary);
    return fchmod(sink->fd, old != NULL ? old->st_mode & 07777 : 0666 & ~mask) == 0;
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
    if (sink->path == NULL) {
        sink->path = reallocate(NULL, strlen(name) + 1, 1);
        strcpy(sink->path, name);
    }
    return open_temporary(sink, exists ? &old : NULL);
}

static bool open_compression(struct sink *sink)
{
    enum { GZIP_FORMAT = 16 + MAX_WBITS, MEMORY = 8 };
    if (sink->compression == GZIP)
        return deflateInit2(&sink->gzip, GZIP_LEVEL, Z_DEFLATED, GZIP_FORMAT, MEMORY, Z_DEFAULT_STRATEGY) == Z_OK;
    if (sink->compression == ZSTD) {
        sink->frame = ZSTD_createCCtx();
        return sink->frame != NULL &&
               !ZSTD_isError(ZSTD_CCtx_setParameter(sink->frame, ZSTD_c_compressionLevel, ZSTD_LEVEL)) &&
               !ZSTD_isError(ZSTD_CCtx_setParameter(sink->frame, ZSTD_c_checksumFlag, 1));
    }
    return true;
}

struct sink *sink_open(const char *name)
{
    struct sink *sink = reallocate(NULL, 1, sizeof *sink);
    memset(sink, 0, sizeof *sink);
    sink->name = "standard output";
    sink->fd = STDOUT_FILENO;
    if (name != NULL && strcmp(name, "-") != 0) {
        sink->name = name;
        size_t length;
        sink->compression = compression_of_file(name, &length);
        errno = 0;
        if (!open_file(sink, name)) {
            report("%s: cannot be opened for writing: %s", name, strerror(errno));
            return NULL;
        }
        if (!open_compression(sink)) {
            report("%s: there is no memory to compress it", name);
            return NULL;
        }
    }
    return sink;
}

bool sink_is_file(const struct sink *sink) { return sink->path != NULL; }

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

/* The disk is full, or the like: cuts a regular file on standard output back by as many bytes. */
static void take_back(const struct sink *sink, size_t bytes)
{
    struct stat file;
    off_t end = lseek(sink->fd, 0, SEEK_CUR);
    if (bytes > 0 && sink->path == NULL && fstat(sink->fd, &file) == 0 && S_ISREG(file.st_mode) &&
        end == file.st_size && ftruncate(sink->fd, end - (off_t)bytes) != 0)
        report("%s: ends with a part of a record", sink->name);
}

/* What cannot be written is said; only the end of the program is left to the caller. */
static bool cannot_write(const struct sink *sink)
{
    if (errno == EPIPE)
        report("%s: the reader has gone; not everything was written", sink->name);
    else
        report("%s: cannot be written: %s", sink->name, strerror(errno));
    if (errno == EPIPE) {
        remove_temporary();
        interrupt_die(SIGPIPE);
    }
    return false;
}

/* Writes bytes; those of whole records, if there is a format. */
static bool write_plain(struct sink *sink, const struct file_format *format, const char *bytes, size_t length)
{
    size_t done = 0;
    while (done < length) {
        const bool stop = interrupt_signal() != 0;
        if (stop && (sink->path != NULL || done == 0 || (format != NULL && format->whole(bytes, done) == done)))
            return false;
        /* When stopped, a byte at a time up to the end of the record. */
        ssize_t written = write(sink->fd, bytes + done, stop && format != NULL ? 1 : length - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            int error = errno;
            if (format != NULL)
                take_back(sink, done - format->whole(bytes, done));
            errno = error;
            return cannot_write(sink);
        }
        done += (size_t)written;
    }
    return true;
}

static bool write_gzip(struct sink *sink, const char *bytes, size_t length, bool last)
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
            if (!write_plain(sink, NULL, sink->compressed, COMPRESSED_SIZE - gzip->avail_out))
                return false;
        } while (gzip->avail_out == 0);
        bytes += part;
        length -= part;
    } while (length > 0);
    return true;
}

static bool write_zstd(struct sink *sink, const char *bytes, size_t length, bool last)
{
    ZSTD_inBuffer in = {bytes, length, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {sink->compressed, COMPRESSED_SIZE, 0};
        left = ZSTD_compressStream2(sink->frame, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left)) {
            report("%s: cannot be compressed: %s", sink->name, ZSTD_getErrorName(left));
            return false;
        }
        if (!write_plain(sink, NULL, sink->compressed, out.pos))
            return false;
    } while (last ? left > 0 : in.pos < in.size);
    return true;
}

bool sink_write(struct sink *sink, const struct file_format *format, const char *bytes, size_t length)
{
    if (length == 0)
        return true;
    return sink->compression == GZIP   ? write_gzip(sink, bytes, length, false)
           : sink->compression == ZSTD ? write_zstd(sink, bytes, length, false)
                                       : write_plain(sink, format, bytes, length);
}

/* ---- Closing ---------------------------------------------------------------------------------------------------- */

static bool finish_compression(struct sink *sink)
{
    bool well = sink->compression == GZIP   ? write_gzip(sink, "", 0, true)
                : sink->compression == ZSTD ? write_zstd(sink, "", 0, true)
                                            : true;
    return well;
}

/* Puts the file in its place; the disk has it before the name says so. */
static bool put_in_place(struct sink *sink)
{
    if (fsync(sink->fd) != 0 || close(sink->fd) != 0 || rename(temporary, sink->path) != 0)
        return cannot_write(sink);
    free(temporary);
    temporary = NULL;
    return true;
}

bool sink_close(struct sink *sink, bool complete)
{
    bool well = true;
    if (complete)
        well = finish_compression(sink) && interrupt_signal() == 0;
    if (sink->path != NULL && complete && well)
        well = put_in_place(sink);
    else if (close(sink->fd) != 0 && errno != EINTR && sink->path == NULL) /* some file systems say it only here */
        well = cannot_write(sink);
    remove_temporary();
    if (sink->compression == GZIP)
        deflateEnd(&sink->gzip);
    ZSTD_freeCCtx(sink->frame);
    free(sink->path);
    free(sink);
    return well;
}
