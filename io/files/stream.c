/*
 * Reads files as streams of bytes: as they are, or through zlib and libzstd.
 *
 * The first bytes of a file say how it is compressed, whatever its name is, because data come without a name from pipes,
 * and under a wrong one from people. A name that promises compression is held to it: what is not compressed then is
 * damaged.
 *
 * A compressed file may hold several members (gzip) or frames (Zstandard) one after another, as parallel compressors
 * and `cat` make them. It ends well only where one of them does: a file that was cut off in between is an error. The
 * checksums that they carry are checked by the libraries.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "descriptors.h"
#include "file_extension.h"
#include "stream.h"
#include "support/text.h"

enum { COMPRESSED_SIZE = 1 << 17 };

static const char no_memory[] =
    "it needs a larger window than there is memory for, expected one made without zstd --long";

struct inflater {
    bool zstd;
    bool between;   /* members or frames: here the file may end */
    bool silent;    /* nothing came out of the member or frame that is read now, */
    uint64_t begin; /* which begins at this byte of the file */
    z_stream gzip;
    ZSTD_DStream *frames;
    size_t used, left; /* of compressed: the next byte, and how many there are from it on */
    unsigned char compressed[COMPRESSED_SIZE];
};

/* As wide as the format goes, 2 GiB, for files that were compressed with zstd --long=31. Only such a file takes that
 * memory. */
static int widest_window(void)
{
    const ZSTD_bounds bounds = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax);
    return bounds.upperBound;
}

static bool inflater_open(struct stream *stream, bool zstd)
{
    struct inflater *inflater = calloc(1, sizeof *inflater);
    enum { GZIP_ONLY = 16 + MAX_WBITS };
    if (inflater == NULL)
        return false;
    inflater->zstd = zstd;
    inflater->silent = true;
    stream->inflater = inflater;
    if (!zstd)
        return inflateInit2(&inflater->gzip, GZIP_ONLY) == Z_OK;
    inflater->frames = ZSTD_createDStream();
    return inflater->frames != NULL && !ZSTD_isError(ZSTD_initDStream(inflater->frames)) &&
           !ZSTD_isError(ZSTD_DCtx_setParameter(inflater->frames, ZSTD_d_windowLogMax, widest_window()));
}

bool seebatch_io_cannot_open(int *system_error, struct bytes *why)
{
    *system_error = errno;
    bytes_add_string(why, "cannot be opened: ");
    bytes_add_string(why, strerror(*system_error));
    return false;
}

bool seebatch_io_standard_input_is_closed(struct bytes *why)
{
    const int flags = fcntl(STDIN_FILENO, F_GETFL, 0);
    if (flags >= 0 && (flags & O_ACCMODE) != O_WRONLY)
        return false;
    bytes_add_string(why, "standard input is closed, expected a file or a pipe that can be read");
    return true;
}

bool seebatch_io_stream_open_raw(struct stream *stream, const char *name, struct bytes *why)
{
    const bool standard = strcmp(name, "-") == 0;
    struct stat file;
    memset(stream, 0, sizeof *stream);
    stream->wake = -1;
    /* A pipe with a name is opened at once, whether it has a writer or not; waiting is left to poll(). */
    const bool pipe = !standard && stat(name, &file) == 0 && S_ISFIFO(file.st_mode);
    stream->fd = standard ? STDIN_FILENO : descriptor_above(open(name, O_RDONLY | O_CLOEXEC | (pipe ? O_NONBLOCK : 0)));
    if (stream->fd < 0)
        return seebatch_io_cannot_open(&stream->system_error, why);
    if (standard && seebatch_io_standard_input_is_closed(why))
        return false;
    stream->interactive = isatty(stream->fd);
    stream->waits = pipe || fstat(stream->fd, &file) != 0 || !S_ISREG(file.st_mode);
    stream->left = UINT64_MAX;
    stream->raw = true;
    return true;
}

bool seebatch_io_stream_open(struct stream *stream, const char *name, struct bytes *why)
{
    size_t length;
    if (!seebatch_io_stream_open_raw(stream, name, why))
        return false;
    stream->raw = false;
    stream->promised = seebatch_io_compression_of_file(name, &length);
    return true;
}

bool seebatch_io_stream_open_kept(struct stream *stream, int fd, struct bytes *why)
{
    memset(stream, 0, sizeof *stream);
    stream->wake = -1;
    stream->left = UINT64_MAX;
    stream->fd = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    return (stream->fd >= 0 && lseek(stream->fd, 0, SEEK_SET) >= 0) ||
           seebatch_io_cannot_open(&stream->system_error, why);
}

void seebatch_io_stream_open_memory(struct stream *stream, const void *bytes, size_t length)
{
    memset(stream, 0, sizeof *stream);
    stream->fd = stream->wake = -1;
    stream->bytes = bytes;
    stream->left = length;
}

/* Waits until there is something to read; false if nothing more is to be read. */
static bool wait_for_bytes(const struct stream *stream)
{
    struct pollfd files[2] = {{stream->fd, POLLIN, 0}, {stream->wake, POLLIN, 0}};
    int ready;
    do
        ready = poll(files, stream->wake >= 0 ? 2 : 1, -1);
    while (ready < 0 && errno == EINTR);
    return stream->wake < 0 || files[1].revents == 0;
}

static ssize_t read_memory(struct stream *stream, void *to, size_t room)
{
    if (room > 0)
        memcpy(to, stream->bytes, room);
    stream->bytes += room;
    return (ssize_t)room;
}

/* Reads like stream_read(), but the bytes of the file as it lies. */
static long read_file(struct stream *stream, void *to, size_t room, struct bytes *why)
{
    ssize_t got;
    room = room < stream->left ? room : (size_t)stream->left;
    do {
        if (stream->waits && !wait_for_bytes(stream)) {
            bytes_add_string(why, "was not read on");
            return -1;
        }
        got = stream->fd < 0 ? read_memory(stream, to, room) : read(stream->fd, to, room);
    } while (got < 0 && (errno == EINTR || (stream->waits && errno == EAGAIN)));
    if (got < 0) {
        stream->system_error = errno;
        bytes_add_string(why, "cannot be read on: ");
        bytes_add_string(why, strerror(stream->system_error));
        return -1;
    }
    stream->ended = got == 0;
    stream->left -= stream->left < UINT64_MAX ? (uint64_t)got : 0;
    stream->consumed += (uint64_t)got;
    return got;
}

/* Decompresses what there is into the room; returns how many bytes came out, -1 if the bytes are damaged. Zeros after
 * a member fill up a block of a tape or disk, and are skipped as gzip does. */
static long inflate_gzip(struct inflater *inflater, char *to, size_t room, const char **error)
{
    z_stream *gzip = &inflater->gzip;
    for (; inflater->between && inflater->left > 0 && inflater->compressed[inflater->used] == 0; inflater->left--)
        inflater->used++;
    if (inflater->between && inflater->left == 0)
        return 0;
    if (inflater->between && inflater->left > 0 && inflateReset(gzip) != Z_OK)
        return -1;
    gzip->next_in = inflater->compressed + inflater->used;
    gzip->avail_in = (uInt)inflater->left;
    gzip->next_out = (unsigned char *)to;
    gzip->avail_out = (uInt)room;
    int result = inflate(gzip, Z_NO_FLUSH);
    inflater->used += inflater->left - gzip->avail_in;
    inflater->left = gzip->avail_in;
    inflater->between = result == Z_STREAM_END;
    *error = gzip->msg != NULL ? gzip->msg : zError(result);
    return result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR ? (long)(room - gzip->avail_out) : -1;
}

static long inflate_zstd(struct inflater *inflater, char *to, size_t room, const char **error)
{
    ZSTD_inBuffer in = {inflater->compressed + inflater->used, inflater->left, 0};
    ZSTD_outBuffer out = {to, room, 0};
    size_t result = ZSTD_decompressStream(inflater->frames, &out, &in);
    inflater->used += in.pos;
    inflater->left -= in.pos;
    *error = ZSTD_getErrorName(result);
    if (ZSTD_isError(result)) {
        if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation ||
            ZSTD_getErrorCode(result) == ZSTD_error_frameParameter_windowTooLarge)
            *error = no_memory;
        return -1;
    }
    /* 0 where a frame ended, and all of it came out. Without input it would announce the next frame. */
    if (in.pos > 0 || out.pos > 0)
        inflater->between = result == 0;
    return (long)out.pos;
}

static long read_inflated(struct stream *stream, char *to, size_t room, struct bytes *why)
{
    enum { MOST = 1 << 30 }; /* zlib counts in 32 bits */
    struct inflater *inflater = stream->inflater;
    room = room < MOST ? room : MOST;
    for (;;) {
        const char *error = "";
        long got = 0;
        if (inflater->left == 0 && !stream->ended) {
            got = read_file(stream, inflater->compressed, COMPRESSED_SIZE, why);
            if (got < 0)
                return -1;
            inflater->used = 0;
            inflater->left = (size_t)got;
        }
        if (stream->ended && inflater->left == 0 && inflater->between)
            return 0;
        if (inflater->between) {
            inflater->begin = stream->consumed - inflater->left;
            inflater->silent = true;
        }
        got = inflater->zstd ? inflate_zstd(inflater, to, room, &error) : inflate_gzip(inflater, to, room, &error);
        if (got > 0) {
            inflater->silent = false;
            return got;
        }
        if (got < 0) {
            stream->damaged = true;
            if (stream->consumed <= COMPRESSED_SIZE && /* the first bytes are at hand */
                !seebatch_io_may_be(false, (const char *)inflater->compressed, (size_t)stream->consumed, why))
                return -1;
            bytes_add_string(why, error == no_memory ? "" : "the compressed data are damaged: ");
            bytes_add_string(why, error);
            return -1;
        }
        if (stream->ended && inflater->left == 0 && !inflater->between) {
            stream->damaged = true;
            bytes_add_string(why, stream->consumed == 0 ? "it is empty, expected compressed data, which are never empty"
                                                        : "the compressed data have no end: the file was cut off");
            return -1;
        }
    }
}

/* Begins to decompress what was read of the file so far. */
static bool begin_to_inflate(struct stream *stream, bool zstd, const char *bytes, size_t length, struct bytes *why)
{
    if (!inflater_open(stream, zstd)) {
        bytes_add_string(why, "there is no memory to decompress it");
        return false;
    }
    memcpy(stream->inflater->compressed, bytes, length);
    stream->inflater->left = length;
    return true;
}

/* The first bytes, which say how the file is compressed: reads as many as that takes, and no more than fit the inflater. */
static long read_first(struct stream *stream, char *to, size_t room, struct bytes *why)
{
    size_t length = 0;
    long got = 1;
    enum compression compression = UNDECIDED;
    room = room < COMPRESSED_SIZE ? room : COMPRESSED_SIZE;
    for (; got > 0 && compression == UNDECIDED && length < room; length += (size_t)got) {
        got = read_file(stream, to + length, room - length, why);
        if (got < 0)
            return -1;
        compression = seebatch_io_compression_of_bytes(to, length + (size_t)got);
    }
    stream->raw = true;
    if (compression == UNDECIDED || compression == NOT_COMPRESSED)
        compression = stream->promised;
    if (compression == NOT_COMPRESSED)
        return (long)length;
    return begin_to_inflate(stream, compression == ZSTD, to, length, why) ? read_inflated(stream, to, room, why) : -1;
}

long seebatch_io_stream_read(struct stream *stream, char *to, size_t room, struct bytes *why)
{
    const long got = stream->inflater != NULL ? read_inflated(stream, to, room, why)
                     : stream->raw            ? read_file(stream, to, room, why)
                                              : read_first(stream, to, room, why);
    stream->given += got > 0 ? (uint64_t)got : 0;
    return got;
}

/* How many bytes of the file have come out. What stands after a whole member and begins none is no part of them. */
static uint64_t decompressed_bytes(const struct stream *stream)
{
    const struct inflater *inflater = stream->inflater;
    if (inflater == NULL)
        return stream->consumed;
    return inflater->silent ? inflater->begin : stream->consumed - inflater->left;
}

double seebatch_io_stream_growth(const struct stream *stream)
{
    const uint64_t decompressed = decompressed_bytes(stream);
    return stream->inflater == NULL || decompressed == 0 ? 1 : (double)stream->given / (double)decompressed;
}

uint64_t seebatch_io_stream_left(const struct stream *stream)
{
    struct stat file;
    const uint64_t decompressed = decompressed_bytes(stream);
    if (stream->fd < 0)
        return stream->left + stream->consumed - decompressed;
    if (fstat(stream->fd, &file) != 0 || !S_ISREG(file.st_mode) || (uint64_t)file.st_size < decompressed)
        return 0;
    return (uint64_t)file.st_size - decompressed;
}

uint64_t seebatch_io_stream_skip(struct stream *stream, char *room, size_t size)
{
    struct bytes why = {0};
    struct stat file;
    uint64_t bytes = 0;
    long got = 0;
    const bool endless = stream->fd >= 0 && fstat(stream->fd, &file) == 0 && S_ISCHR(file.st_mode);
    if (!endless && (stream->inflater != NULL || stream->waits))
        while ((got = seebatch_io_stream_read(stream, room, size, &why)) > 0)
            bytes += (uint64_t)got;
    free(why.data);
    return bytes + seebatch_io_stream_left(stream);
}

void seebatch_io_stream_close(struct stream *stream)
{
    if (stream->inflater != NULL) {
        inflateEnd(&stream->inflater->gzip);
        ZSTD_freeDStream(stream->inflater->frames);
        free(stream->inflater);
        stream->inflater = NULL;
    }
    if (stream->fd > STDIN_FILENO)
        close(stream->fd);
}
