/*
 * Linked into every program of scripts/coverage: what a process has counted is written also where it ends by abort(),
 * _exit() or a signal that it sends to itself, as the tool does when one has stopped it, and as the children of some
 * tests do on purpose. By itself gcov writes at exit() alone. Before it does, the faults of tests/faults.c end, and
 * limits to the size of files: they are meant for the tool, and would strike gcov.
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

extern void __gcov_dump(void);
extern void __real__exit(int status) __attribute__((noreturn));
extern void __wrap__exit(int status) __attribute__((noreturn));
extern int __real_raise(int signal_number);
extern int __wrap_raise(int signal_number);

/* Before gcov's own destructor, whose priority is 100. */
static void __attribute__((destructor)) end_faults(void)
{
    struct rlimit size;
    void (*end)(void);
    *(void **)&end = dlsym(RTLD_DEFAULT, "seebatch_faults_end");
    if (end != NULL)
        end();
    if (getrlimit(RLIMIT_FSIZE, &size) == 0) {
        size.rlim_cur = size.rlim_max;
        setrlimit(RLIMIT_FSIZE, &size);
    }
}

static void write_counts(void)
{
    end_faults();
    __gcov_dump();
}

void __wrap__exit(int status)
{
    write_counts();
    __real__exit(status);
}

int __wrap_raise(int signal_number)
{
    write_counts();
    return __real_raise(signal_number);
}

/* The handler was reset when it was called: the abort() that called it goes on to end the process. */
static void dump(int signal_number)
{
    (void)signal_number;
    write_counts();
}

__attribute__((constructor)) static void catch_aborts(void)
{
    struct sigaction action = {.sa_handler = dump, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGABRT, &action, NULL);
}
