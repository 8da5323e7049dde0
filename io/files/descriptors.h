/*
 * Descriptors of files that are opened: never 0, 1 or 2. Where the program was started without one of these, the next
 * file would get its number, and what is meant for standard error would be written into it.
 */
#ifndef SEEBATCH_IO_DESCRIPTORS_H
#define SEEBATCH_IO_DESCRIPTORS_H

#include <errno.h>
#include <fcntl.h>
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

#endif
