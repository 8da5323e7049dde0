/*
 * Claims parts, so that several processes know who works on which.
 *
 * A claim is a file that is created with O_EXCL, which is atomic on local disks and on NFS from version 3 on. It names
 * the machine and the process that hold it, who touches it every ten seconds and removes it in the end. It is stale,
 * and another process may take it over,
 *
 *   - if the process ran on this machine and is gone, or
 *   - if it has not been touched for two minutes, or for ten seconds if it names no process, because the one that made
 *     it was ended before it could write.
 *
 * Both times of these rules are those of the file system: that of the claim, and that of a file which the asking
 * process touches. On a file server both come from the server's clock, so the clocks of the machines do not matter.
 * Where a file system takes the time of the machine that writes, a difference of clocks adds to the two minutes.
 *
 * Claims only save work; nothing that is written depends on them. Where two processes hold the same one after all (one
 * of them was suspended for minutes, or both removed the same stale claim at once), both make the part, whose bytes are
 * the same, and each of them puts it in its place as a whole.
 */
#include "claims.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { CLAIM_SIZE = 1024 };

/* ---- Who this is ------------------------------------------------------------------------------------------------- */

/* Appends the first line of a file, or what a link says, or nothing. */
static void add_line(char *text, size_t room, const char *path, bool link)
{
    char line[128];
    const int fd = link ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    const long length = link      ? (long)readlink(path, line, sizeof line)
                        : fd >= 0 ? (long)read(fd, line, sizeof line)
                                  : 0;
    if (fd >= 0)
        close(fd);
    size_t used = strlen(text);
    for (long i = 0; i < length && line[i] != '\n' && used + 1 < room; i++)
        text[used++] = line[i];
    text[used] = '\0';
}

/* The machine as claims name it: its name and, under Linux, what tells machines and containers of one name apart. After
 * a restart it is another one. */
static void name_machine(char *text, size_t room)
{
    if (gethostname(text, room / 2) != 0)
        strcpy(text, "unknown");
    text[room / 2] = '\0';
    strcat(text, " ");
    add_line(text, room - 1, "/proc/sys/kernel/random/boot_id", false);
    strcat(text, " ");
    add_line(text, room, "/proc/self/ns/pid", true);
}

static size_t write_text(char text[CLAIM_SIZE], long process)
{
    char machine[CLAIM_SIZE / 2] = "";
    name_machine(machine, sizeof machine);
    return (size_t)snprintf(text, CLAIM_SIZE, "machine %s\nprocess %ld\n", machine, process);
}

/* ---- Stale claims ------------------------------------------------------------------------------------------------ */

/* Whether the text of a claim names a process of this machine that is gone. One that has this process's number is an
 * earlier one, because this process asks only while it holds no claim. */
static bool holder_is_gone(const char *text)
{
    char ours[CLAIM_SIZE];
    const size_t before = write_text(ours, 0) - strlen("0\n");
    char *end;
    if (strncmp(text, ours, before) != 0)
        return false;
    const long process = strtol(text + before, &end, 10);
    return process > 0 && *end == '\n' &&
           (process == (long)getpid() || (kill((pid_t)process, 0) != 0 && errno == ESRCH));
}

/* The time of the file system, in seconds: touches the clock. */
static int64_t time_of_files(const char *clock)
{
    struct stat file;
    const bool known = utimensat(AT_FDCWD, clock, NULL, 0) == 0 && stat(clock, &file) == 0;
    return known ? (int64_t)file.st_mtime : (int64_t)time(NULL);
}

/* Whether the claim may be removed, or is not there any more. */
static bool is_stale(const char *path, const char *clock)
{
    char text[CLAIM_SIZE] = "";
    struct stat file;
    const int64_t now = time_of_files(clock);
    const int fd = open(path, O_RDONLY | O_CLOEXEC); /* opened anew, NFS asks the server for the time */
    if (fd < 0)
        return errno == ENOENT;
    const long length = (long)read(fd, text, sizeof text - 1);
    const bool known = length >= 0 && fstat(fd, &file) == 0;
    close(fd);
    if (!known)
        return false;
    text[length] = '\0';
    return holder_is_gone(text) || now - (int64_t)file.st_mtime >= (length > 0 ? STALE_SECONDS : RENEW_SECONDS);
}

/* ---- Claims ------------------------------------------------------------------------------------------------------ */

static double steady_time(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int create(const char *path) { return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); }

enum claim_result claim_take(struct claim *claim, const char *path, const char *clock)
{
    char text[CLAIM_SIZE];
    struct stat file;
    const size_t length = write_text(text, (long)getpid());
    int fd = create(path);
    if (fd < 0 && errno == EEXIST) {
        if (!is_stale(path, clock))
            return CLAIM_BUSY;
        fd = unlink(path) == 0 || errno == ENOENT ? create(path) : -1;
    }
    if (fd < 0)
        return errno == EEXIST ? CLAIM_BUSY : CLAIM_FAILED;
    errno = ENOSPC; /* where less is written than was to be */
    bool well = write(fd, text, length) == (ssize_t)length && fstat(fd, &file) == 0;
    well = close(fd) == 0 && well; /* this brings the bytes to a file server */
    claim->path = well ? strdup(path) : NULL;
    if (claim->path == NULL) {
        const int number = errno;
        unlink(path);
        errno = number;
        return CLAIM_FAILED;
    }
    claim->device = (uint64_t)file.st_dev;
    claim->number = (uint64_t)file.st_ino;
    claim->renewed = steady_time();
    return CLAIM_TAKEN;
}

void claim_renew(struct claim *claim)
{
    const double now = claim->path != NULL ? steady_time() : 0;
    if (claim->path == NULL || now - claim->renewed < RENEW_SECONDS)
        return;
    claim->renewed = now;
    (void)utimensat(AT_FDCWD, claim->path, NULL, 0); /* if it fails, the claim becomes stale: the part is made twice */
}

void claim_release(struct claim *claim)
{
    struct stat file;
    if (claim->path == NULL)
        return;
    /* It may have become stale, and be another process's now. */
    if (stat(claim->path, &file) == 0 && (uint64_t)file.st_dev == claim->device &&
        (uint64_t)file.st_ino == claim->number)
        unlink(claim->path);
    free(claim->path);
    claim->path = NULL;
}
