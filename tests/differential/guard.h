/*
 * Guarded arrays: memory in which a byte too far is seen.
 */
#ifndef SEEBATCH_DIFFERENTIAL_GUARD_H
#define SEEBATCH_DIFFERENTIAL_GUARD_H

#include <stdbool.h>
#include <stddef.h>

struct guard {
    unsigned char *data; /* whole pages, with a forbidden page before and behind */
    size_t capacity;
    unsigned char *used; /* the array placed last */
    size_t bytes;
};

bool guard_create(struct guard *guard, size_t bytes);

/* Places an array of so many bytes against the forbidden page behind it (at_end) or before it, with canaries on the
 * other side, and copies content into it, or a pattern if that is NULL. */
void *guard_place(struct guard *guard, size_t bytes, bool at_end, const void *content);

/* Whether the canaries are untouched. */
bool guard_intact(const struct guard *guard);

/* An address that may not be touched. */
void *guard_forbidden(const struct guard *guard);

/* From now on a crash, an endless loop or an interrupt ends the program with status 1, after having said in which
 * function it was and how to replay it. */
void guard_catch_crashes(void);
void guard_set_replay(const char *command); /* the string must stay */
void guard_set_call(const char *function, size_t n);

/* Starts the time anew after which a call is taken to hang. */
void guard_start_watchdog(void);

#endif
