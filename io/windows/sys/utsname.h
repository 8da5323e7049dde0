/* uname() for Windows. */
#ifndef SEEBATCH_IO_WINDOWS_UTSNAME_H
#define SEEBATCH_IO_WINDOWS_UTSNAME_H

struct utsname {
    char sysname[16], release[16], machine[16];
};

int seebatch_io_windows_uname(struct utsname *name);
#define uname seebatch_io_windows_uname

#endif
