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
#include <stdint.h>
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
    struct itimerval timer; /* of the program's own time, so that a busy machine does not matter */
    memset(&timer, 0, sizeof timer);
    timer.it_value.tv_sec = HANG_SECONDS;
    setitimer(ITIMER_VIRTUAL, &timer, NULL);
}

static void say(const char *text)
{
    size_t length = strlen(text);
    while (length) {
        ssize_t written = write(STDERR_FILENO, text, length);
        if (written <= 0)
            return;
        text += written;
        length -= (size_t)written;
    }
}

static void say_number(size_t number)
{
    char digits[24];
    char *p = digits + sizeof digits - 1;
    *p = '\0';
    do
        *--p = (char)('0' + number % 10);
    while (number /= 10);
    say(p);
}

static void on_signal(int signal_number)
{
    switch (signal_number) {
    case SIGSEGV:
    case SIGBUS: say("\nCRASH: memory outside the caller's arrays was touched"); break;
    case SIGILL: say("\nCRASH: an instruction that this machine does not know"); break;
    case SIGABRT: say("\nCRASH: abort, or an assertion failed"); break;
    case SIGFPE: say("\nCRASH: an arithmetic exception"); break;
    case SIGVTALRM: say("\nHANGS: no answer in 20 seconds of processor time"); break;
    default: say("\nINTERRUPTED"); break;
    }
    if (*call_function) {
        say("\n  in        ");
        say(call_function);
        say(", ");
        say_number(call_size);
        say(" requests");
    } else {
        say("\n  outside of any call that is compared");
    }
    say("\n  replay    ");
    say(replay_command);
    say("\n");
    _exit(1);
}

void guard_catch_crashes(void)
{
    static unsigned char stack[64 * 1024]; /* a stack of its own, should the other one have run over */
    stack_t alternate;
    memset(&alternate, 0, sizeof alternate);
    alternate.ss_sp = stack;
    alternate.ss_size = sizeof stack;
    sigaltstack(&alternate, NULL);

    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGFPE, SIGVTALRM, SIGINT, SIGTERM};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaction(signals[i], &action, NULL);
}
