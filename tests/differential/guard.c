/*
 * Guarded arrays and the handler that reports a crash.
 *
 * Each array lies in pages of its own between two that may not be touched (mmap, mprotect). It is placed against one
 * of them, so that the first byte read or written past that end is a crash; bytes of a known pattern on the other side
 * (canaries) show writes there. The handler for the crash prints what was called and the command that replays it.
 */
#define _DEFAULT_SOURCE
#include "guard.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

enum { CANARIES = 128, FILL = 0x5C, HANG_SECONDS = 20 };

static size_t page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

bool guard_create(struct guard *guard, size_t bytes)
{
    size_t page = page_size();
    guard->capacity = (bytes + CANARIES + page - 1) / page * page;
    unsigned char *base =
        mmap(NULL, guard->capacity + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED)
        return false;
    guard->data = base + page;
    guard->used = guard->data;
    guard->bytes = 0;
    return mprotect(base, page, PROT_NONE) == 0 && mprotect(base + page + guard->capacity, page, PROT_NONE) == 0;
}

static unsigned char canary(size_t i) { return (unsigned char)(0xA5 ^ i * 29); }

static unsigned char *canaries_of(const struct guard *guard)
{
    return guard->used == guard->data ? guard->used + guard->bytes : guard->used - CANARIES;
}

void *guard_place(struct guard *guard, size_t bytes, bool at_end, const void *content)
{
    guard->bytes = bytes;
    guard->used = at_end ? guard->data + guard->capacity - bytes : guard->data;
    if (content)
        memcpy(guard->used, content, bytes);
    else
        memset(guard->used, FILL, bytes);
    unsigned char *canaries = canaries_of(guard);
    for (size_t i = 0; i < CANARIES; i++)
        canaries[i] = canary(i);
    return guard->used;
}

bool guard_intact(const struct guard *guard)
{
    const unsigned char *canaries = canaries_of(guard);
    for (size_t i = 0; i < CANARIES; i++) {
        if (canaries[i] != canary(i))
            return false;
    }
    return true;
}

void *guard_forbidden(const struct guard *guard) { return guard->data + guard->capacity + 64; }

/* ---- Crashes ----------------------------------------------------------------------------------------------------- */

static const char *volatile replay_command = "";
static const char *volatile call_function = "";
static volatile size_t call_size;

void guard_set_replay(const char *command) { replay_command = command; }

void guard_set_call(const char *function, size_t n)
{
    call_function = function;
    call_size = n;
}

void guard_start_watchdog(void)
{
    /* Of the program's own time, so that a busy machine does not matter. */
    const struct itimerval timer = {.it_value = {.tv_sec = HANG_SECONDS}};
    setitimer(ITIMER_VIRTUAL, &timer, NULL);
}

static const struct {
    int number;
    const char *meaning;
} signals[] = {{SIGSEGV, "CRASH: memory outside the caller's arrays was touched"},
               {SIGBUS, "CRASH: memory outside the caller's arrays was touched"},
               {SIGILL, "CRASH: an instruction that this machine does not know"},
               {SIGABRT, "CRASH: abort, or an assertion failed"},
               {SIGFPE, "CRASH: an arithmetic exception"},
               {SIGVTALRM, "HANGS: no answer in 20 seconds of processor time"},
               {SIGINT, "INTERRUPTED"},
               {SIGTERM, "INTERRUPTED"}};
enum { SIGNALS = sizeof signals / sizeof *signals };

/* dprintf() is not safe in a handler, but the program ends here in any case. */
static void on_signal(int number)
{
    int i = 0;
    while (i < SIGNALS - 1 && signals[i].number != number)
        i++;
    dprintf(STDERR_FILENO, "\n%s\n  in        %s, %zu queries\n  replay    %s\n", signals[i].meaning,
            *call_function ? call_function : "no call that is compared", call_size, replay_command);
    _exit(1);
}

void guard_catch_crashes(void)
{
    static unsigned char stack[64 * 1024]; /* a stack of its own, should the other one have run over */
    const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&alternate, NULL);

    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i].number, &action, NULL);
}
