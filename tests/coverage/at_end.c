/*
 * Linked into every program of scripts/coverage: what a process has counted is written also where it ends by abort(),
 * _exit() or a signal that it sends to itself, as the tool does when one has stopped it, and as the children of some tests do
 * on purpose. By itself gcov writes at exit() alone.
 */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

extern void __gcov_dump(void);
extern void __real__exit(int status) __attribute__((noreturn));
extern void __wrap__exit(int status) __attribute__((noreturn));
extern int __real_raise(int signal_number);
extern int __wrap_raise(int signal_number);

void __wrap__exit(int status)
{
    __gcov_dump();
    __real__exit(status);
}

int __wrap_raise(int signal_number)
{
    __gcov_dump();
    return __real_raise(signal_number);
}

/* The handler was reset when it was called: the abort() that called it goes on to end the process. */
static void dump(int signal_number)
{
    (void)signal_number;
    __gcov_dump();
}

__attribute__((constructor)) static void catch_aborts(void)
{
    struct sigaction action = {.sa_handler = dump, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGABRT, &action, NULL);
}
