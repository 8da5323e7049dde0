/*
 * Faults on demand, for tests/tool/test_tool_faults.py: a library to be loaded before the C library (LD_PRELOAD), which
 * makes one call of a function fail as a system can.
 *
 * SEEBATCH_FAULT is FUNCTION:CALL:ERROR: the CALL-th call of FUNCTION, counted from 1 over all threads, fails with
 * errno ERROR, and with a + after CALL all further ones, too. CALL 0 stands for every second call, beginning with the
 * first (what is interrupted is tried again). For read and write ERROR may also be `short`: no error, but one byte alone
 * goes through; with CALL 0, in every call. Where ERROR is `signal`, a SIGTERM comes in the middle of the call, which it
 * interrupts. SEEBATCH_FAULT_LOG names a file that is made when the fault strikes: when it is missing after the run, there
 * were fewer calls.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static char wanted[32]; /* the function; empty: none */
static unsigned long wanted_call;
static int error_code; /* 0: short */
static bool by_signal, further;
static atomic_ulong calls;

static void __attribute__((constructor)) read_wish(void)
{
    const char *wish = getenv("SEEBATCH_FAULT"), *colon = wish != NULL ? strchr(wish, ':') : NULL;
    char *end;
    if (colon == NULL || (size_t)(colon - wish) >= sizeof wanted)
        return;
    wanted_call = strtoul(colon + 1, &end, 10);
    further = *end == '+';
    end += further;
    by_signal = strcmp(end, ":signal") == 0;
    error_code = by_signal ? EINTR : strcmp(end, ":short") == 0 ? 0 : atoi(end + 1);
    memcpy(wanted, wish, (size_t)(colon - wish));
}

/* Whether this call of the function is the one; then errno is set. */
static bool strikes(const char *function)
{
    if (wanted[0] == '\0' || strcmp(function, wanted) != 0)
        return false;
    const unsigned long call = atomic_fetch_add(&calls, 1) + 1;
    if (wanted_call != 0 ? call < wanted_call || (call > wanted_call && !further) : error_code != 0 && call % 2 == 0)
        return false;
    const char *log = getenv("SEEBATCH_FAULT_LOG");
    if (log != NULL) {
        const long file = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT, 0600);
        syscall(SYS_close, file);
    }
    if (by_signal)
        kill(getpid(), SIGTERM);
    errno = error_code;
    return true;
}

/* A function of the C library that fails with a value of its own. */
#define FAULTY(type, function, failure, parameters, arguments)                                                         \
    type function parameters                                                                                           \
    {                                                                                                                  \
        static type(*real) parameters;                                                                                 \
        if (strikes(#function))                                                                                        \
            return failure;                                                                                            \
        if (real == NULL)                                                                                              \
            *(void **)&real = dlsym(RTLD_NEXT, #function);                                                             \
        return real arguments;                                                                                         \
    }

FAULTY(int, close, -1, (int file), (file))
FAULTY(int, fsync, -1, (int file), (file))
FAULTY(int, rename, -1, (const char *from, const char *to), (from, to))
FAULTY(int, linkat, -1, (int from, const char *name, int to, const char *other, int flags),
       (from, name, to, other, flags))
FAULTY(int, mkstemp, -1, (char *name), (name))
FAULTY(int, fchmod, -1, (int file, mode_t mode), (file, mode))
FAULTY(int, fstat, -1, (int file, struct stat *status), (file, status))
FAULTY(int, stat, -1, (const char *restrict name, struct stat *restrict status), (name, status))
FAULTY(off_t, lseek, -1, (int file, off_t offset, int whence), (file, offset, whence))
FAULTY(int, ftruncate, -1, (int file, off_t size), (file, size))
FAULTY(char *, realpath, NULL, (const char *restrict name, char *restrict room), (name, room))
FAULTY(ssize_t, pread, -1, (int file, void *to, size_t room, off_t offset), (file, to, room, offset))
FAULTY(int, mkdir, -1, (const char *name, mode_t mode), (name, mode))
FAULTY(int, unlink, -1, (const char *name), (name))
FAULTY(int, access, -1, (const char *name, int mode), (name, mode))
FAULTY(ssize_t, readlink, -1, (const char *restrict name, char *restrict to, size_t room), (name, to, room))
FAULTY(int, utimensat, -1, (int folder, const char *name, const struct timespec times[2], int flags),
       (folder, name, times, flags))
FAULTY(int, pipe, -1, (int ends[2]), (ends))
FAULTY(int, poll, -1, (struct pollfd * files, nfds_t n, int time), (files, n, time))
FAULTY(int, isatty, 0, (int file), (file))
FAULTY(FILE *, fopen, NULL, (const char *restrict name, const char *restrict mode), (name, mode))
FAULTY(int, pthread_create, error_code,
       (pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*function)(void *),
        void *restrict argument),
       (thread, attributes, function, argument))

int open(const char *name, int flags, ...)
{
    return strikes("open") ? -1 : (int)syscall(SYS_openat, AT_FDCWD, name, flags, 0600);
}

/* What an optimised build calls where the flags are not known when it is compiled. */
int __open_2(const char *name, int flags);
int __open_2(const char *name, int flags) { return open(name, flags); }

int fcntl(int file, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    const long argument = va_arg(arguments, long);
    va_end(arguments);
    return strikes("fcntl") ? -1 : (int)syscall(SYS_fcntl, file, command, argument);
}

ssize_t read(int file, void *to, size_t room)
{
    if (strikes("read")) {
        if (error_code != 0)
            return -1;
        room = room > 1 ? 1 : room;
    }
    return syscall(SYS_read, file, to, room);
}

ssize_t write(int file, const void *from, size_t length)
{
    if (strikes("write")) {
        if (error_code != 0)
            return -1;
        length = length > 1 ? 1 : length;
    }
    return syscall(SYS_write, file, from, length);
}

/* ---- Memory: dlsym() would ask for some itself ------------------------------------------------------------------- */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

void *malloc(size_t size) { return strikes("malloc") ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return strikes("calloc") ? NULL : __libc_calloc(count, size); }
void *realloc(void *memory, size_t size) { return strikes("realloc") ? NULL : __libc_realloc(memory, size); }
