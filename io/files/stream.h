/*
 * A file of the input as a stream of bytes, decompressed if its first bytes say that it is compressed. Blocks are filled
 * from it, and the tool reads lines from it.
 */
#ifndef SEEBATCH_IO_STREAM_H
#define SEEBATCH_IO_STREAM_H

#include "file_extension.h"
#include "support/bytes.h"

struct inflater;

struct stream {
    int fd;            /* -1: bytes in memory, */
    const char *bytes; /* from here on; left says how many */
    int wake;   /* -1, or a descriptor that becomes readable when nothing more is to be read: it ends waiting for a
                   pipe, as a failure */
    bool waits; /* reading may wait for others: it is no regular file */
    bool interactive;          /* a person types: what was read is to be answered at once */
    uint64_t consumed;         /* bytes as they lie in the file, read so far */
    uint64_t left;             /* bytes of the file that are still to be read, UINT64_MAX: up to its end */
    bool ended;                /* the file, not the decompressed bytes */
    int system_error;          /* errno, if it could not be opened or read; otherwise 0 */
    bool damaged;              /* reading it failed because of what the compressed bytes say */
    bool raw;                  /* it is not looked at how the next bytes are compressed: these are not the first ones */
    enum compression promised; /* what the name says, to which the first bytes are held */
    uint64_t given;            /* bytes that came out so far */
    struct inflater *inflater; /* NULL: not compressed, or not read yet */
};

enum { LEAST_ROOM = LONGEST_MARK };

/* Writes why a file cannot be opened, of which errno tells, and notes errno. Returns false. */
bool seebatch_io_cannot_open(int *system_error, struct bytes *why);

/* Opens the file; false and *why if that fails. "-" is standard input. */
bool seebatch_io_stream_open(struct stream *stream, const char *name, struct bytes *why);

/* The same, as the file lies, whether it is compressed or not. */
bool seebatch_io_stream_open_raw(struct stream *stream, const char *name, struct bytes *why);

/* Whether standard input cannot be read, and why. So it is, too, where it is open for writing alone, which is how the tool
 * opens it if it was started without. */
bool seebatch_io_standard_input_is_closed(struct bytes *why);

/* The same for a file that was opened before, from its first byte on. */
bool seebatch_io_stream_open_kept(struct stream *stream, int fd, struct bytes *why);

/* Does the same for bytes in memory, which last as long as the stream. */
void seebatch_io_stream_open_memory(struct stream *stream, const void *bytes, size_t length);

/* Reads up to room bytes, room above 0, and for the first bytes at least LEAST_ROOM. Returns how many, 0 at the end, -1 and *why where the file cannot be read, is
 * damaged or was cut off. */
long seebatch_io_stream_read(struct stream *stream, char *to, size_t room, struct bytes *why);

/* How many bytes, as they lie in the file, were not read or not decompressed; 0 where that is not known. */
uint64_t seebatch_io_stream_left(const struct stream *stream);

/* Returns how many bytes came out for one byte of the file so far: 1 where it is not compressed. */
double seebatch_io_stream_growth(const struct stream *stream);

/* Skips what would be read on, and returns how many bytes it has; room is for as many bytes at once. A pipe and
 * what is compressed are read to their end for that, a device is not. */
uint64_t seebatch_io_stream_skip(struct stream *stream, char *room, size_t size);

void seebatch_io_stream_close(struct stream *stream);

#endif
