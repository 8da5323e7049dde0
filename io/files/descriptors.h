/*
 * Descriptors of files: those that are opened are never 0, 1 or 2. Where the program was started without one of these, the
 * next file would get its number, and what is meant for standard error would be written into it. Reading from a place is
 * here as well.
 */
#ifndef SEEBATCH_IO_DESCRIPTORS_H
#define SEEBATCH_IO_DESCRIPTORS_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

/* Moves what a function that opens a file returned above those numbers. If the function failed, this returns -1 and
 * leaves errno as it is. */
static inline int descriptor_above(int fd)
{
    if (fd < 0 || fd > STDERR_FILENO)
        return fd;
    const int moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), number = errno;
    close(fd);
    errno = number;
    return moved;
}

/* Reads all of these bytes of a file from a place on, without moving the place at which it is read on. Returns false, with
 * errno, if that fails; errno is 0 if the file ends before. *done says how many bytes were read. */
static inline bool descriptor_read_at(int fd, uint64_t at, char *to, size_t length, size_t *done)
{
    *done = 0;
    while (*done < length) {
        const ssize_t got = pread(fd, to + *done, length - *done, (off_t)(at + *done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0)
            errno = 0;
        if (got <= 0)
            return false;
        *done += (size_t)got;
    }
    return true;
}

#endif
