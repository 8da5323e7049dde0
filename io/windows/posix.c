/*
 * Implements the functions of POSIX that posix.h declares, by those of Windows.
 */
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include "poll.h"
#include "sys/utsname.h"

/* The functions below call those of Windows by these names. */
#undef fopen
#undef lseek
#undef sigaction
#undef stat

#include <stdbool.h>
#include <string.h>

/* ---- Names and errors ------------------------------------------------------------------------------------------- */

enum { LONGEST_NAME = 4096 };

/* errno for what Windows says; returns -1. */
static int failed(void)
{
    const DWORD error = GetLastError();
    errno = error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND     ? ENOENT
            : error == ERROR_ACCESS_DENIED || error == ERROR_SHARING_VIOLATION ? EACCES
            : error == ERROR_FILE_EXISTS || error == ERROR_ALREADY_EXISTS      ? EEXIST
            : error == ERROR_TOO_MANY_OPEN_FILES                               ? EMFILE
            : error == ERROR_DISK_FULL || error == ERROR_HANDLE_DISK_FULL      ? ENOSPC
            : error == ERROR_BROKEN_PIPE || error == ERROR_NO_DATA             ? EPIPE
            : error == ERROR_INVALID_HANDLE                                    ? EBADF
            : error == ERROR_NOT_ENOUGH_MEMORY || error == ERROR_OUTOFMEMORY   ? ENOMEM
                                                                               : EINVAL;
    return -1;
}

/* The name in UTF-16; false, and errno, where it is no UTF-8 or too long. */
static bool widen(const char *name, wchar_t wide[LONGEST_NAME])
{
    if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, name, -1, wide, LONGEST_NAME) > 0)
        return true;
    errno = EINVAL;
    return false;
}

static HANDLE handle_of(int fd) { return (HANDLE)_get_osfhandle(fd); }

/* ---- Opening ---------------------------------------------------------------------------------------------------- */

int seebatch_io_windows_open(const char *name, int flags, ...)
{
    wchar_t wide[LONGEST_NAME];
    const bool null = strcmp(name, "/dev/null") == 0;
    if (!widen(null ? "NUL" : name, wide))
        return -1;
    const int access_mode = flags & (O_RDONLY | O_WRONLY | O_RDWR);
    const DWORD access = access_mode == O_RDONLY   ? GENERIC_READ
                         : access_mode == O_WRONLY ? GENERIC_WRITE
                                                   : GENERIC_READ | GENERIC_WRITE;
    const DWORD creation = !(flags & O_CREAT) ? OPEN_EXISTING
                           : flags & O_EXCL   ? CREATE_NEW
                           : flags & O_TRUNC  ? CREATE_ALWAYS
                                              : OPEN_ALWAYS;
    HANDLE handle = CreateFileW(wide, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, creation,
                                FILE_ATTRIBUTE_NORMAL, NULL);
    if (handle == INVALID_HANDLE_VALUE) {
        const DWORD attributes = GetFileAttributesW(wide);
        failed();
        if (errno == EACCES && attributes != INVALID_FILE_ATTRIBUTES && attributes & FILE_ATTRIBUTE_DIRECTORY)
            errno = EISDIR;
        return -1;
    }
    const int fd =
        _open_osfhandle((intptr_t)handle, _O_BINARY | _O_NOINHERIT | (access_mode == O_RDONLY ? _O_RDONLY : 0));
    if (fd < 0)
        CloseHandle(handle);
    return fd;
}

FILE *seebatch_io_windows_fopen(const char *name, const char *mode)
{
    wchar_t wide[LONGEST_NAME], wide_mode[8];
    if (!widen(name, wide) || MultiByteToWideChar(CP_UTF8, 0, mode, -1, wide_mode, 7) == 0)
        return NULL;
    if (strchr(mode, 'b') == NULL)
        wcscat(wide_mode, L"b");
    return _wfopen(wide, wide_mode);
}

int seebatch_io_windows_mkstemp(char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    enum { ATTEMPTS = 100, RANDOM = 6 };
    char *place = name + strlen(name) - RANDOM;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        LARGE_INTEGER now;
        QueryPerformanceCounter(&now);
        uint64_t random =
            ((uint64_t)now.QuadPart + (uint64_t)attempt) * UINT64_C(0x9e3779b97f4a7c15) ^ GetCurrentProcessId();
        for (int i = 0; i < RANDOM; i++, random /= sizeof letters - 1)
            place[i] = letters[random % (sizeof letters - 1)];
        const int fd = seebatch_io_windows_open(name, O_RDWR | O_CREAT | O_EXCL);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

int seebatch_io_windows_fcntl(int fd, int command, int least)
{
    int below[8], n = 0;
    if (command == F_SETFD) /* pipe() has set it */
        return 0;
    if (command == F_GETFL)
        return handle_of(fd) == INVALID_HANDLE_VALUE ? failed() : O_RDWR;
    int copy = _dup(fd);
    while (copy >= 0 && copy < least && n < 8) {
        below[n++] = copy;
        copy = _dup(fd);
    }
    while (n > 0)
        _close(below[--n]);
    if (copy >= 0)
        _setmode(copy, _O_BINARY);
    return copy;
}

int seebatch_io_windows_pipe(int fds[2]) { return _pipe(fds, 4096, _O_BINARY | _O_NOINHERIT); }

/* ---- What files are --------------------------------------------------------------------------------------------- */

int seebatch_io_windows_fstat(int fd, struct seebatch_io_windows_stat *file)
{
    BY_HANDLE_FILE_INFORMATION information;
    HANDLE handle = handle_of(fd);
    const DWORD type = handle != INVALID_HANDLE_VALUE ? GetFileType(handle) : FILE_TYPE_UNKNOWN;
    memset(file, 0, sizeof *file);
    if (handle == INVALID_HANDLE_VALUE || type == FILE_TYPE_UNKNOWN) {
        errno = EBADF;
        return -1;
    }
    file->st_mode = type == FILE_TYPE_PIPE ? S_IFIFO : S_IFCHR;
    file->st_ino = (uint64_t)(uintptr_t)handle; /* no other file's */
    file->st_dev = UINT64_MAX;
    if (type != FILE_TYPE_DISK)
        return 0;
    if (!GetFileInformationByHandle(handle, &information)) {
        /* Wine calls the handle of a file that a shell redirected to invalid here, although it can be read and written. */
        errno = EIO;
        return -1;
    }
    file->st_mode = information.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? S_IFDIR : S_IFREG;
    file->st_dev = information.dwVolumeSerialNumber;
    file->st_ino = (uint64_t)information.nFileIndexHigh << 32 | information.nFileIndexLow;
    file->st_size = (int64_t)((uint64_t)information.nFileSizeHigh << 32 | information.nFileSizeLow);
    const uint64_t time =
        (uint64_t)information.ftLastWriteTime.dwHighDateTime << 32 | information.ftLastWriteTime.dwLowDateTime;
    file->st_mtime = (int64_t)(time / 10000000) - INT64_C(11644473600); /* from 100 ns since 1601 */
    return 0;
}

int seebatch_io_windows_stat(const char *name, struct seebatch_io_windows_stat *file)
{
    wchar_t wide[LONGEST_NAME];
    if (strcmp(name, "/dev/null") == 0) {
        *file = (struct seebatch_io_windows_stat){UINT64_MAX, 0, S_IFCHR, 0, 0};
        return 0;
    }
    if (!widen(name, wide))
        return -1;
    /* This asks for the attributes alone, which opens folders, too. */
    HANDLE handle = CreateFileW(wide, FILE_READ_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        return failed();
    const int fd = _open_osfhandle((intptr_t)handle, _O_RDONLY);
    const int result = seebatch_io_windows_fstat(fd, file);
    _close(fd);
    return result;
}

int seebatch_io_windows_access(const char *name, int mode)
{
    wchar_t wide[LONGEST_NAME];
    return widen(name, wide) ? _waccess(wide, mode) : -1;
}

char *seebatch_io_windows_realpath(const char *name, char *to)
{
    wchar_t wide[LONGEST_NAME], whole[LONGEST_NAME];
    (void)to; /* NULL: the caller frees what is returned */
    if (!widen(name, wide))
        return NULL;
    if (_wfullpath(whole, wide, LONGEST_NAME) == NULL)
        return NULL;
    const int length = WideCharToMultiByte(CP_UTF8, 0, whole, -1, NULL, 0, NULL, NULL);
    char *path = length > 0 ? malloc((size_t)length) : NULL;
    if (path == NULL)
        return NULL;
    WideCharToMultiByte(CP_UTF8, 0, whole, -1, path, length, NULL, NULL);
    for (char *c = path; *c != '\0'; c++)
        if (*c == '\\')
            *c = '/';
    return path;
}

/* ---- What is done with them ------------------------------------------------------------------------------------- */

int seebatch_io_windows_rename(const char *from, const char *to)
{
    wchar_t wide_from[LONGEST_NAME], wide_to[LONGEST_NAME];
    if (!widen(from, wide_from) || !widen(to, wide_to))
        return -1;
    return MoveFileExW(wide_from, wide_to, MOVEFILE_REPLACE_EXISTING) ? 0 : failed();
}

int seebatch_io_windows_unlink(const char *name)
{
    wchar_t wide[LONGEST_NAME];
    return !widen(name, wide) ? -1 : DeleteFileW(wide) ? 0 : failed();
}

int seebatch_io_windows_mkdir(const char *name)
{
    wchar_t wide[LONGEST_NAME];
    return !widen(name, wide) ? -1 : CreateDirectoryW(wide, NULL) ? 0 : failed();
}

int seebatch_io_windows_rmdir(const char *name)
{
    wchar_t wide[LONGEST_NAME];
    return !widen(name, wide) ? -1 : RemoveDirectoryW(wide) ? 0 : failed();
}

int seebatch_io_windows_touch(const char *name)
{
    wchar_t wide[LONGEST_NAME];
    FILETIME now;
    if (!widen(name, wide))
        return -1;
    HANDLE handle = CreateFileW(wide, FILE_WRITE_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                NULL, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        return failed();
    GetSystemTimeAsFileTime(&now);
    const int result = SetFileTime(handle, NULL, NULL, &now) ? 0 : failed();
    CloseHandle(handle);
    return result;
}

int seebatch_io_windows_gethostname(char *name, size_t room)
{
    DWORD length = (DWORD)room;
    return GetComputerNameA(name, &length) ? 0 : failed();
}

int seebatch_io_windows_find_process(long process)
{
    HANDLE handle = OpenProcess(SYNCHRONIZE, FALSE, (DWORD)process);
    const bool gone = handle != NULL ? WaitForSingleObject(handle, 0) == WAIT_OBJECT_0
                                     : GetLastError() == ERROR_INVALID_PARAMETER; /* there is none of this number */
    if (handle != NULL)
        CloseHandle(handle);
    errno = ESRCH;
    return gone ? -1 : 0;
}

int64_t seebatch_io_windows_lseek(int fd, int64_t offset, int whence)
{
    if (GetFileType(handle_of(fd)) == FILE_TYPE_DISK)
        return _lseeki64(fd, offset, whence);
    errno = ESPIPE;
    return -1;
}

int seebatch_io_windows_ftruncate(int fd, int64_t size) { return _chsize_s(fd, size) == 0 ? 0 : -1; }

/* Windows moves the place in the file, so it is put back. Meanwhile, other threads may read from the same descriptor by
 * pread() alone. */
long seebatch_io_windows_pread(int fd, void *to, size_t length, int64_t offset)
{
    enum { MOST = 1 << 30 };
    const int64_t before = _lseeki64(fd, 0, SEEK_CUR);
    OVERLAPPED place;
    DWORD got = 0;
    memset(&place, 0, sizeof place);
    place.Offset = (DWORD)((uint64_t)offset & UINT32_MAX);
    place.OffsetHigh = (DWORD)((uint64_t)offset >> 32);
    const bool read = ReadFile(handle_of(fd), to, (DWORD)(length < MOST ? length : MOST), &got, &place);
    const bool ended = !read && GetLastError() == ERROR_HANDLE_EOF;
    const int result = read || ended ? (int)got : failed();
    _lseeki64(fd, before, SEEK_SET);
    return result;
}

/* ---- Waiting ---------------------------------------------------------------------------------------------------- */

/* A pipe is ready when there is something in it or its writer has gone; anything else always. */
static bool is_ready(int fd)
{
    HANDLE handle = handle_of(fd);
    DWORD available = 0;
    return GetFileType(handle) != FILE_TYPE_PIPE || !PeekNamedPipe(handle, NULL, 0, NULL, &available, NULL) ||
           available > 0;
}

int seebatch_io_windows_poll(struct pollfd *files, unsigned n, int timeout)
{
    enum { STEP = 5 }; /* milliseconds; Windows cannot wait for a pipe */
    for (int waited = 0;; waited += STEP) {
        int ready = 0;
        for (unsigned i = 0; i < n; i++) {
            files[i].revents = is_ready(files[i].fd) ? POLLIN : 0;
            ready += files[i].revents != 0;
        }
        if (ready > 0 || (timeout >= 0 && waited >= timeout))
            return ready;
        Sleep(STEP);
    }
}

/* ---- The rest --------------------------------------------------------------------------------------------------- */

int seebatch_io_windows_getentropy(void *to, size_t length)
{
    unsigned number;
    for (char *at = to; length > 0; at++, length--) {
        if (rand_s(&number) != 0)
            return failed();
        *at = (char)number;
    }
    return 0;
}

int seebatch_io_windows_sigaction(int number, const struct sigaction *wanted, struct sigaction *old)
{
    if (number == 0) /* a signal that Windows does not have */
        return -1;
    if (old != NULL)
        memset(old, 0, sizeof *old);
    return wanted == NULL || signal(number, wanted->sa_handler) != SIG_ERR ? 0 : -1;
}

int seebatch_io_windows_uname(struct utsname *name)
{
    *name = (struct utsname){"Windows", "", "x86_64"};
    return 0;
}
