/*
 * Makes temporary files. They have no name: each is removed as soon as it is made, so that nothing is left however the
 * program ends.
 */
#include "temporary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "descriptors.h"
#include "output.h"

/* Names the folder of the output, or that of temporary files. */
static void name_folder(const char *output, char *folder, size_t room)
{
    const char *slash = output != NULL ? strrchr(output, '/') : NULL, *temporary = getenv("TMPDIR");
    if (output == NULL)
        snprintf(folder, room, "%s", temporary != NULL && *temporary != '\0' ? temporary : "/tmp");
    else if (slash == NULL)
        snprintf(folder, room, ".");
    else
        snprintf(folder, room, "%.*s", slash == output ? 1 : (int)(slash - output), output);
}

int seebatch_io_temporary_open(const char *output, seebatch_io_error *error)
{
    enum { ROOM = 4096 };
    static const char name[] = "/.seebatch.XXXXXX";
    char path[ROOM + sizeof name];
    name_folder(output, path, ROOM);
    memcpy(path + strlen(path), name, sizeof name);
    const int made = mkstemp(path);
    if (made >= 0 && unlink(path) != 0) {
        seebatch_io_fail(error, SEEBATCH_IO_FAILED, errno,
                         "%s: this temporary file cannot be removed: %s; remove it, and choose a folder in which files "
                         "can be removed",
                         path, strerror(errno));
        close(made);
        return -1;
    }
    const int fd = descriptor_above(made);
    if (fd < 0) {
        *strrchr(path, '/') = '\0';
        seebatch_io_fail(error, SEEBATCH_IO_FAILED, errno, "%s: no temporary file can be made there: %s", path,
                         strerror(errno));
        return -1;
    }
    return fd;
}

bool seebatch_io_temporary_write(int fd, const char *output, const char *bytes, size_t length, seebatch_io_error *error)
{
    enum { ROOM = 256 };
    char folder[ROOM];
    for (size_t done = 0; done < length;) {
        const ssize_t written = write(fd, bytes + done, length - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            name_folder(output, folder, ROOM);
            return seebatch_io_fail(
                error, SEEBATCH_IO_FAILED, errno,
                "%s: a temporary file cannot be written there: %s; free some space, or allow more --memory", folder,
                strerror(errno));
        }
        done += (size_t)written;
    }
    return true;
}
