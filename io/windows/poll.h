/* poll() for Windows, as much of it as the library uses: whether a descriptor has something to read. */
#ifndef SEEBATCH_IO_WINDOWS_POLL_H
#define SEEBATCH_IO_WINDOWS_POLL_H

enum { POLLIN = 1 };

struct pollfd {
    int fd;
    short events, revents;
};

/* `timeout` is in milliseconds, and -1 waits without end. Returns how many are ready. Files and consoles always are. */
int seebatch_io_windows_poll(struct pollfd *files, unsigned n, int timeout);
#define poll seebatch_io_windows_poll

#endif
