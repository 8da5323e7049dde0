/*
 * A function in a process of its own, which may abort.
 */
#ifndef SEEBATCH_TESTS_CHILD_H
#define SEEBATCH_TESTS_CHILD_H

#include "test_support.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* Whether it aborted, and what it said on standard error; another end than that and a return is a failure. */
static inline bool aborts(void (*function)(void *), void *argument, char said[1024])
{
    int ends[2], status = 0;
    size_t length = 0;
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        function(argument);
        _exit(0);
    }
    close(ends[1]);
    for (ssize_t n; (n = read(ends[0], said + length, 1023 - length)) > 0;)
        length += (size_t)n;
    said[length] = 0;
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!(WIFEXITED(status) && WEXITSTATUS(status) == 0) && !(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT))
        fail_msg("the process ended with status %#x: %s", (unsigned)status, said);
    return WIFSIGNALED(status);
}

#endif
