/*
 * What seebatch_io and the tool use of POSIX, for Windows: the build includes this header first in each of their files
 * there, and finds <poll.h> and <sys/utsname.h> in this folder. Only what they use is here, and only as they use it.
 *
 * Names of files are UTF-8, with either slash. An open file may be renamed and removed, as on POSIX. Not had: files
 * without a name until they are complete (O_TMPFILE), permissions, and SIGTERM from outside; Ctrl-C is SIGINT.
 */
#ifndef SEEBATCH_IO_WINDOWS_POSIX_H
#define SEEBATCH_IO_WINDOWS_POSIX_H

#define _CRT_RAND_S                   /* rand_s() */
#define tell seebatch_io_windows_tell /* a name that a file of the library has for its own */
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#undef tell

#include <process.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define O_CLOEXEC O_NOINHERIT
#define O_NONBLOCK 0
#define F_DUPFD_CLOEXEC 1030
#define F_SETFD 2
#define F_GETFL 3
#define FD_CLOEXEC 1
#ifndef EOPNOTSUPP
#define EOPNOTSUPP EINVAL
#endif

/* With numbers that tell files apart, which Windows' own lacks, and sizes of 64 bits. */
struct seebatch_io_windows_stat {
    uint64_t st_dev, st_ino;
    int st_mode;
    int64_t st_size;
    int64_t st_mtime; /* seconds since 1970 */
};

int seebatch_io_windows_stat(const char *name, struct seebatch_io_windows_stat *file);
int seebatch_io_windows_fstat(int fd, struct seebatch_io_windows_stat *file);
int seebatch_io_windows_open(const char *name, int flags, ...);
FILE *seebatch_io_windows_fopen(const char *name, const char *mode);
int seebatch_io_windows_access(const char *name, int mode);
int seebatch_io_windows_rename(const char *from, const char *to);
int seebatch_io_windows_unlink(const char *name);
int seebatch_io_windows_mkstemp(char *name);
char *seebatch_io_windows_realpath(const char *name, char *to);
int seebatch_io_windows_fcntl(int fd, int command, int least);
long seebatch_io_windows_pread(int fd, void *to, size_t length, int64_t offset);
int64_t seebatch_io_windows_lseek(int fd, int64_t offset, int whence);
int seebatch_io_windows_ftruncate(int fd, int64_t size);
int seebatch_io_windows_pipe(int fds[2]);
int seebatch_io_windows_getentropy(void *to, size_t length);
int seebatch_io_windows_mkdir(const char *name);
int seebatch_io_windows_rmdir(const char *name);
int seebatch_io_windows_touch(const char *name); /* as modified now */
int seebatch_io_windows_gethostname(char *name, size_t room);
int seebatch_io_windows_find_process(long process); /* 0 if it is there; otherwise -1 with errno ESRCH */
#define readlink(name, to, size) ((void)(name), (void)(to), (void)(size), -1)

#undef stat
#undef fstat
#undef st_mtime
#undef lseek
#undef ftruncate
#undef S_ISREG
#undef S_ISFIFO
#undef S_ISCHR
#undef S_ISDIR
#define S_ISREG(mode) (((mode)&S_IFMT) == S_IFREG)
#define S_ISFIFO(mode) (((mode)&S_IFMT) == S_IFIFO)
#define S_ISCHR(mode) (((mode)&S_IFMT) == S_IFCHR)
#define S_ISDIR(mode) (((mode)&S_IFMT) == S_IFDIR)
#define stat seebatch_io_windows_stat
#define fstat seebatch_io_windows_fstat
#define open seebatch_io_windows_open
#define fopen seebatch_io_windows_fopen
#define access seebatch_io_windows_access
#define rename seebatch_io_windows_rename
#define unlink seebatch_io_windows_unlink
#define mkstemp seebatch_io_windows_mkstemp
#define realpath seebatch_io_windows_realpath
#define fcntl seebatch_io_windows_fcntl
#define pread seebatch_io_windows_pread
#define lseek seebatch_io_windows_lseek
#define ftruncate seebatch_io_windows_ftruncate
#define pipe seebatch_io_windows_pipe
#define getentropy seebatch_io_windows_getentropy
#define mkdir(name, mode) seebatch_io_windows_mkdir(name)
#define rmdir seebatch_io_windows_rmdir
#define AT_FDCWD 0
#define utimensat(folder, name, times, flags) ((void)(folder), (void)(times), seebatch_io_windows_touch(name))
#define gethostname seebatch_io_windows_gethostname
#define kill(process, number) ((void)(number), seebatch_io_windows_find_process((long)(process)))
#define fsync _commit
#define fchmod(fd, mode) ((void)(fd), (void)(mode), 0)

/* Signals: Windows has Ctrl-C alone, and gives it a thread of its own, so there is nothing to block. A handler is taken
 * off when it has run, as with SA_RESETHAND. A pipe without a reader is an error of writing. */
typedef int seebatch_io_windows_sigset;
struct sigaction {
    void (*sa_handler)(int);
    seebatch_io_windows_sigset sa_mask;
    int sa_flags;
};
#define sigset_t seebatch_io_windows_sigset
#define SIGHUP 0
#define SIGPIPE 0
#define SIGXFSZ 0
#define SA_RESETHAND 0
#define SIG_SETMASK 0
#define SIG_UNBLOCK 0
#define sigemptyset(set) ((void)(*(set) = 0))
#define sigfillset(set) ((void)(*(set) = 0))
#define sigaddset(set, number) ((void)(set))
#define sigprocmask(how, set, old) ((void)(set))
#define pthread_sigmask(how, set, old) ((void)(set), (void)(old))
#define sigaction(number, wanted, old) seebatch_io_windows_sigaction(number, wanted, old)
int seebatch_io_windows_sigaction(int number, const struct sigaction *wanted, struct sigaction *old);

#endif
