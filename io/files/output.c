/*
 * Writes output so that nobody ever finds half of a file, and an error of the disk is never lost.
 *
 * A file appears under its name when all of it has reached the disk: others see the old file or the new one, whole.
 * Until then it has no name, where the system can do that (O_TMPFILE), so that nothing is left of it whatever ends the
 * program. In the end it is linked to its name; to replace an older file, to a name that begins with .seebatch in the
 * same directory first, because only rename() replaces a file at once. A program that is killed between these two calls
 * leaves the new file there. Elsewhere it has that other name from the beginning, and whatever ends the writing removes it. Devices and
 * pipes are written to as they are.
 *
 * On standard output what was written cannot be taken back; but when the run is stopped, the record that is being
 * written is finished first, and where a disk is full in the middle of one, a file is cut back to the last whole
 * record.
 */
#define _GNU_SOURCE /* O_TMPFILE */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <zlib.h>
#include <zstd.h>

#include "descriptors.h"
#include "file_extension.h"
#include "output.h"

enum { COMPRESSED_SIZE = 1 << 17, ZSTD_LEVEL = 3, GZIP_LEVEL = 6 };

struct output {
    char *name;      /* for messages */
    char *path;      /* the place that the file takes in the end, links followed; NULL: it is written to directly */
    char *temporary; /* its name until then; NULL: it has none */
    int fd;          /* -1: memory */
    int level;
    bool (*stop)(void *user); /* or NULL */
    void *user;
    struct bytes memory;
    enum compression compression;
    z_stream gzip;     /* compresses what was not compressed before */
    bool pending;      /* it keeps bytes that come before the next piece */
    unsigned long crc; /* of all bytes, and */
    uint64_t length;   /* their number, which stand at the end of a gzip file */
    ZSTD_CCtx *frame;
    char compressed[COMPRESSED_SIZE];
};

/* ---- Opening ---------------------------------------------------------------------------------------------------- */

/* It has a length of its own: beside a file whose name is as long as names may be, there is room for it. */
static void name_temporary(char *name, size_t room, const char *path, size_t folder, unsigned attempt)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    const unsigned long random = (unsigned long)now.tv_nsec * 2654435761u + (unsigned long)getpid() * 40503u + attempt;
    snprintf(name, room, "%.*s.seebatch.%06lx", (int)folder, path, random & 0xffffff);
}

/* Calls a function with names beside the file until one is free, which the output keeps as its temporary one. */
static bool take_temporary_name(struct output *output, bool (*take)(struct output *output, const char *name))
{
    enum { ATTEMPTS = 100 };
    const char *slash = strrchr(output->path, '/');
    const size_t folder = slash != NULL ? (size_t)(slash + 1 - output->path) : 0;
    const size_t room = folder + sizeof ".seebatch.XXXXXX";
    char *name = malloc(room);
    for (unsigned attempt = 0; name != NULL && attempt < ATTEMPTS; attempt++) {
        name_temporary(name, room, output->path, folder, attempt);
        if (take(output, name)) {
            output->temporary = name;
            return true;
        }
        if (errno != EEXIST)
            break;
    }
    free(name);
    return false;
}

static bool create(struct output *output, const char *name)
{
    output->fd = descriptor_above(open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    return output->fd >= 0;
}

#ifdef O_TMPFILE

enum { DESCRIPTOR_ROOM = 32 };

/* What stands for an open file among the names of files. */
static void name_descriptor(char name[DESCRIPTOR_ROOM], int fd)
{
    snprintf(name, DESCRIPTOR_ROOM, "/proc/self/fd/%d", fd);
}

static bool link_to(struct output *output, const char *name)
{
    char descriptor[DESCRIPTOR_ROOM];
    name_descriptor(descriptor, output->fd);
    return linkat(AT_FDCWD, descriptor, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}

/* Makes the file without a name in its directory. errno is EOPNOTSUPP, EINVAL or EISDIR where the system cannot. */
static bool create_nameless(struct output *output)
{
    char descriptor[DESCRIPTOR_ROOM];
    char *folder = strdup(output->path);
    if (folder == NULL)
        return false;
    char *slash = strrchr(folder, '/');
    if (slash != NULL)
        slash[slash == folder] = '\0';
    output->fd = descriptor_above(open(slash != NULL ? folder : ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666));
    free(folder);
    if (output->fd < 0)
        return false;
    name_descriptor(descriptor, output->fd);
    if (access(descriptor, F_OK) == 0)
        return true;
    close(output->fd);
    output->fd = -1;
    errno = EOPNOTSUPP;
    return false;
}

#else

static bool link_to(struct output *output, const char *name) { return (void)output, (void)name, false; }
static bool create_nameless(struct output *output)
{
    (void)output;
    errno = EOPNOTSUPP;
    return false;
}

#endif

/* Makes the file that will appear or replace another, with that one's permissions or those of any new file. It is the
 * user's own, and so it does not get the bits by which others run it as its owner. */
static bool open_new(struct output *output, const struct stat *old)
{
    if (!create_nameless(output)) {
        const bool known = errno != EOPNOTSUPP && errno != EINVAL && errno != EISDIR;
        if (known || !take_temporary_name(output, create))
            return false;
    }
    return old == NULL || fchmod(output->fd, old->st_mode & 0777) == 0;
}

/* errno stays as it is. */
static bool is_link(const char *name)
{
    char target;
    const int number = errno;
    const bool link = readlink(name, &target, 1) >= 0;
    errno = number;
    return link;
}

static bool open_file(struct output *output, const char *name)
{
    struct stat old;
    const bool exists = stat(name, &old) == 0;
    /* What cannot be in the end is said now: no name, one that is too long, links that go round, and one that leads to
     * no file, whose place a file would take. */
    if (!exists && (errno != ENOENT || *name == '\0' || is_link(name)))
        return false;
    if (exists && !S_ISREG(old.st_mode)) {
        output->fd = descriptor_above(open(name, O_WRONLY | O_CLOEXEC));
        return output->fd >= 0;
    }
    output->path = exists ? realpath(name, NULL) : NULL;
    if (output->path == NULL && (!exists || !is_link(name))) /* of a link, the file would take the place */
        output->path = strdup(name);
    return output->path != NULL && open_new(output, exists ? &old : NULL);
}

/* Whether the compression that a name says has this level; 0: the usual one. */
static bool check_level(const char *name, enum compression compression, int level, seebatch_io_error *error)
{
    enum { MOST_OF_GZIP = 9 };
    const int most = compression == GZIP ? MOST_OF_GZIP : ZSTD_maxCLevel();
    if (level == 0 || (compression != NOT_COMPRESSED && level > 0 && level <= most))
        return true;
    if (compression == NOT_COMPRESSED)
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                                "%s: the level of compression is %d, expected 0, because only files that end with .gz "
                                "or .zst are compressed",
                                name, level);
    return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                            "%s: the level of compression is %d, expected 1 to %d, or 0 for the usual one", name, level,
                            most);
}

/* Blocks of deflate alone: pieces that several threads compress make one file of gzip. */
static bool open_deflate(z_stream *gzip, int level)
{
    enum { WITHOUT_HEADER = -MAX_WBITS, MEMORY = 8 };
    return deflateInit2(gzip, level != 0 ? level : GZIP_LEVEL, Z_DEFLATED, WITHOUT_HEADER, MEMORY,
                        Z_DEFAULT_STRATEGY) == Z_OK;
}

/* Compresses by threads of the library's own, where it was built with them. The bytes are the same for any number of
 * threads but none. */
static void compress_by_threads(ZSTD_CCtx *frame, size_t threads)
{
    enum { JOB = 1 << 21, MOST_THREADS = 16 };
    const size_t most = threads < MOST_THREADS ? threads : MOST_THREADS;
    if (most > 0 && !ZSTD_isError(ZSTD_CCtx_setParameter(frame, ZSTD_c_nbWorkers, (int)most)))
        (void)ZSTD_CCtx_setParameter(frame, ZSTD_c_jobSize, JOB);
}

static bool open_compression(struct output *output, size_t threads)
{
    if (output->compression == GZIP)
        return open_deflate(&output->gzip, output->level);
    if (output->compression == ZSTD) {
        output->frame = ZSTD_createCCtx();
        if (output->frame == NULL)
            return false;
        compress_by_threads(output->frame, threads);
        return !ZSTD_isError(ZSTD_CCtx_setParameter(output->frame, ZSTD_c_compressionLevel,
                                                    output->level != 0 ? output->level : ZSTD_LEVEL)) &&
               !ZSTD_isError(ZSTD_CCtx_setParameter(output->frame, ZSTD_c_checksumFlag, 1));
    }
    return true;
}

/* Frees a output that writes no more, and removes what has not taken its place. */
static void free_sink(struct output *output)
{
    if (output->temporary != NULL)
        unlink(output->temporary);
    if (output->compression == GZIP)
        deflateEnd(&output->gzip);
    ZSTD_freeCCtx(output->frame);
    free(output->memory.data);
    free(output->temporary);
    free(output->path);
    free(output->name);
    free(output);
}

struct output *seebatch_io_output_open(const char *name, int level, size_t threads, seebatch_io_error *error)
{
    const bool standard = name != NULL && strcmp(name, "-") == 0;
    size_t length;
    const enum compression compression =
        name != NULL && !standard ? seebatch_io_compression_of_file(name, &length) : NOT_COMPRESSED;
    const char *shown = name == NULL ? "memory" : standard ? "standard output" : name;
    if (!check_level(shown, compression, level, error))
        return NULL;
    struct output *output = calloc(1, sizeof *output);
    char *copy = strdup(shown);
    if (output == NULL || copy == NULL) {
        free(output);
        free(copy);
        seebatch_io_no_memory(error);
        return NULL;
    }
    output->name = copy;
    output->level = level;
    output->fd = -1;
    if (name == NULL)
        return output;
    errno = 0;
    if (standard) /* a descriptor of its own, so that the program's stays open */
        output->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const bool opened = standard ? output->fd >= 0 : open_file(output, name);
    output->compression = opened ? compression : NOT_COMPRESSED;
    if (opened && open_compression(output, threads))
        return output;
    if (!opened)
        seebatch_io_fail(error, SEEBATCH_IO_FAILED, errno, "%s: cannot be opened for writing: %s%s", output->name,
                         strerror(errno),
                         errno == ENOENT && is_link(name) ? "; it is a symbolic link, expected one to a file" : "");
    else
        seebatch_io_fail(error, SEEBATCH_IO_NO_MEMORY, 0, "%s: there is no memory to compress it", name);
    if (output->fd >= 0)
        close(output->fd);
    free_sink(output);
    return NULL;
}

void seebatch_io_output_ask(struct output *output, bool (*stop)(void *user), void *user)
{
    output->stop = stop;
    output->user = user;
}

struct bytes *seebatch_io_output_memory(struct output *output) { return &output->memory; }

bool seebatch_io_output_is_file(const struct output *output) { return output->path != NULL; }

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

static bool is_stopped(const struct output *output) { return output->stop != NULL && output->stop(output->user); }

/* The disk is full, or the like: cuts a regular file on standard output back by as many bytes. False if that fails. */
static bool take_back(const struct output *output, size_t bytes)
{
    struct stat file;
    if (bytes == 0 || output->path != NULL)
        return true;
    if (fstat(output->fd, &file) != 0)
        return false;
    if (!S_ISREG(file.st_mode))
        return true;
    const off_t end = lseek(output->fd, 0, SEEK_CUR);
    return end >= 0 && (end != file.st_size || ftruncate(output->fd, end - (off_t)bytes) == 0);
}

static bool cannot_write(const struct output *output, bool whole, seebatch_io_error *error)
{
    const int number = errno;
    const char *end = whole ? "" : "; it ends with a part of a record";
    if (number == EINTR && is_stopped(output))
        return seebatch_io_fail(error, SEEBATCH_IO_STOPPED, 0, "%s: writing was stopped", output->name);
    if (number == EPIPE)
        return seebatch_io_fail(error, SEEBATCH_IO_FAILED, number,
                                "%s: the reading program has ended; not everything was written%s", output->name, end);
    return seebatch_io_fail(error, SEEBATCH_IO_FAILED, number, "%s: cannot be written: %s%s", output->name,
                            strerror(number), end);
}

/* Writes bytes; those of whole records, if they can be told. */
static bool write_plain(struct output *output, whole_function *whole, const char *bytes, size_t length,
                        seebatch_io_error *error)
{
    size_t done = 0;
    while (done < length) {
        const bool stop = is_stopped(output);
        if (stop && (output->path != NULL || done == 0 || (whole != NULL && whole(bytes, done) == done)))
            return seebatch_io_fail(error, SEEBATCH_IO_STOPPED, 0, "%s: writing was stopped", output->name);
        /* After a stop, bytes are written one at a time up to the end of the record. */
        ssize_t written = write(output->fd, bytes + done, stop && whole != NULL ? 1 : length - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            const int number = errno;
            const bool well = whole == NULL || take_back(output, done - whole(bytes, done));
            errno = number;
            return cannot_write(output, well, error);
        }
        done += (size_t)written;
    }
    return true;
}

/* ---- Gzip: pieces of one file ------------------------------------------------------------------------------------
 *
 * A gzip file is a header, blocks of deflate, the checksum and the length of what they hold (RFC 1952). Blocks that
 * refer to nothing before them and end on a whole byte can be put one after another. So every worker compresses the
 * output of its blocks, and the caller's thread only puts them together; outputs too short to be worth a piece of their own it
 * compresses itself, as one stream that is flushed before the next piece. What is a piece does not depend on the number
 * of threads. */

/* Compresses with one of deflate's ways to flush, to the end of what it has. */
static bool write_deflated(struct output *output, const char *bytes, size_t length, int flush, seebatch_io_error *error)
{
    z_stream *gzip = &output->gzip;
    enum { MOST = 1 << 30 };
    do {
        const size_t part = length < MOST ? length : MOST;
        gzip->next_in = (unsigned char *)(uintptr_t)bytes;
        gzip->avail_in = (uInt)part;
        do {
            gzip->next_out = (unsigned char *)output->compressed;
            gzip->avail_out = COMPRESSED_SIZE;
            deflate(gzip, flush);
            if (!write_plain(output, NULL, output->compressed, COMPRESSED_SIZE - gzip->avail_out, error))
                return false;
        } while (gzip->avail_out == 0);
        bytes += part;
        length -= part;
    } while (length > 0);
    return true;
}

static bool write_gzip_header(struct output *output, seebatch_io_error *error)
{
    enum { UNKNOWN_SYSTEM = 255 };
    const unsigned char header[] = {0x1f, 0x8b, Z_DEFLATED, 0, 0, 0, 0, 0, 0, UNKNOWN_SYSTEM};
    return output->length > 0 || write_plain(output, NULL, (const char *)header, sizeof header, error);
}

static unsigned long checksum(unsigned long crc, const char *bytes, size_t length)
{
    return crc32_z(crc, (const unsigned char *)bytes, length);
}

static bool write_gzip(struct output *output, const char *bytes, size_t length, seebatch_io_error *error)
{
    if (!write_gzip_header(output, error))
        return false;
    output->crc = checksum(output->crc, bytes, length);
    output->length += length;
    output->pending = true;
    return write_deflated(output, bytes, length, Z_NO_FLUSH, error);
}

static bool end_gzip(struct output *output, seebatch_io_error *error)
{
    enum { TRAILER = 8 };
    unsigned char trailer[TRAILER];
    for (int i = 0; i < 4; i++) {
        trailer[i] = (unsigned char)(output->crc >> 8 * i);
        trailer[4 + i] = (unsigned char)(output->length >> 8 * i);
    }
    return write_gzip_header(output, error) && write_deflated(output, "", 0, Z_FINISH, error) &&
           write_plain(output, NULL, (const char *)trailer, TRAILER, error);
}

bool seebatch_io_output_compress(const struct output *output, const struct bytes *plain, struct bytes *compressed,
                                 unsigned long *crc)
{
    enum {
        LEAST = 1 << 16,
        MOST = 1 << 30,
        FLUSH = 64
    }; /* FLUSH: room for what ends the piece, five bytes and some bits */
    compressed->used = 0;
    if (output == NULL || output->compression != GZIP || plain->used < LEAST || plain->used > MOST)
        return true;
    z_stream gzip = {0};
    if (!open_deflate(&gzip, output->level))
        return false;
    const size_t bound = deflateBound(&gzip, (uLong)plain->used) + FLUSH;
    const bool room = bytes_reserve(compressed, bound);
    if (room) {
        gzip.next_in = (unsigned char *)plain->data;
        gzip.avail_in = (uInt)plain->used;
        gzip.next_out = (unsigned char *)compressed->data;
        gzip.avail_out = (uInt)bound;
        deflate(&gzip, Z_SYNC_FLUSH);
        compressed->used = bound - gzip.avail_out;
        *crc = checksum(0, plain->data, plain->used);
    }
    deflateEnd(&gzip);
    return room;
}

/* The stream may not refer to what came before the piece: after it, that is farther back than it knows. */
bool seebatch_io_output_write_compressed(struct output *output, const struct bytes *compressed, unsigned long crc,
                                         size_t length, seebatch_io_error *error)
{
    if (!write_gzip_header(output, error) || (output->pending && !write_deflated(output, "", 0, Z_FULL_FLUSH, error)))
        return false;
    output->pending = false;
    output->crc = crc32_combine(output->crc, crc, (z_off_t)length);
    output->length += length;
    return write_plain(output, NULL, compressed->data, compressed->used, error);
}

static bool write_zstd(struct output *output, const char *bytes, size_t length, bool last, seebatch_io_error *error)
{
    ZSTD_inBuffer in = {bytes, length, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {output->compressed, COMPRESSED_SIZE, 0};
        left = ZSTD_compressStream2(output->frame, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left))
            return seebatch_io_fail(error, SEEBATCH_IO_FAILED, 0, "%s: cannot be compressed: %s", output->name,
                                    ZSTD_getErrorName(left));
        if (!write_plain(output, NULL, output->compressed, out.pos, error))
            return false;
    } while (last ? left > 0 : in.pos < in.size);
    return true;
}

bool seebatch_io_output_write(struct output *output, whole_function *whole, const char *bytes, size_t length,
                              seebatch_io_error *error)
{
    if (length == 0)
        return true;
    if (output->fd < 0) {
        bytes_add(&output->memory, bytes, length);
        return !output->memory.failed || seebatch_io_no_memory(error);
    }
    return output->compression == GZIP   ? write_gzip(output, bytes, length, error)
           : output->compression == ZSTD ? write_zstd(output, bytes, length, false, error)
                                         : write_plain(output, whole, bytes, length, error);
}

/* ---- Closing ---------------------------------------------------------------------------------------------------- */

static bool finish_compression(struct output *output, seebatch_io_error *error)
{
    return output->compression == GZIP   ? end_gzip(output, error)
           : output->compression == ZSTD ? write_zstd(output, "", 0, true, error)
                                         : true;
}

/* A file without a name gets its own, if that is free, or else a temporary one. */
static bool give_name(struct output *output)
{
    return link_to(output, output->path) || (errno == EEXIST && take_temporary_name(output, link_to));
}

/* Brings the file's name to the disk, where the system can do that with a directory. If it cannot, the file is whole
 * nevertheless, and only a loss of power in the next seconds could take its name. */
static void sync_name(const char *path)
{
    char *folder = strdup(path), *slash = folder != NULL ? strrchr(folder, '/') : NULL;
    if (slash != NULL)
        slash[slash == folder] = '\0';
    const int fd = folder != NULL ? open(slash != NULL ? folder : ".", O_RDONLY | O_CLOEXEC) : -1;
    free(folder);
    if (fd < 0)
        return;
    (void)fsync(fd);
    close(fd);
}

/* Puts the file in its place; the disk has it before the name says so. What closing it would say, closing a copy of the
 * descriptor says before. */
static bool put_in_place(struct output *output, seebatch_io_error *error)
{
    const bool nameless = output->temporary == NULL;
    const int copy = fsync(output->fd) == 0 ? fcntl(output->fd, F_DUPFD_CLOEXEC, 0) : -1;
    bool well = copy >= 0 && close(copy) == 0 && (!nameless || give_name(output)) &&
                (output->temporary == NULL || rename(output->temporary, output->path) == 0);
    const int number = errno;
    close(output->fd);
    errno = number;
    if (!well)
        return cannot_write(output, true, error);
    sync_name(output->path);
    free(output->temporary);
    output->temporary = NULL;
    return true;
}

bool seebatch_io_output_close(struct output *output, bool complete, seebatch_io_error *error)
{
    bool well = true;
    if (complete)
        well = finish_compression(output, error) &&
               (output->fd < 0 || !is_stopped(output) ||
                seebatch_io_fail(error, SEEBATCH_IO_STOPPED, 0, "%s: writing was stopped", output->name));
    if (output->path != NULL && complete && well)
        well = put_in_place(output, error);
    else if (output->fd >= 0 && close(output->fd) != 0 && errno != EINTR && output->path == NULL)
        well = cannot_write(output, true, error); /* some file systems say it only here */
    free_sink(output);
    return well;
}
