/*
 * Signals that end a run: noted, so that the program can stop between two records and remove what is not complete.
 *
 * Only the main thread gets them, because the library's threads block all signals. It checks for them whenever it
 * waits or writes; a system call that blocks is interrupted. As each handler is taken off when it has run, a second
 * signal ends the program the usual way.
 */
#include "interrupt.h"

#include <signal.h>
#include <stdbool.h>
#include <string.h>

static const int caught_signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { N_SIGNALS = sizeof caught_signals / sizeof caught_signals[0] };

static volatile sig_atomic_t caught;
static bool pipe_was_ignored;

static void note(int number) { caught = number; }

static bool is_ignored(int number)
{
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

void interrupt_catch(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = note;
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < N_SIGNALS; i++)
        if (!is_ignored(caught_signals[i])) /* nohup, background jobs */
            sigaction(caught_signals[i], &action, NULL);
    pipe_was_ignored = is_ignored(SIGPIPE);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

int interrupt_signal(void) { return (int)caught; }

void interrupt_die(int number)
{
    sigset_t set;
    if (number == SIGPIPE && pipe_was_ignored)
        return;
    signal(number, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(number);
}
