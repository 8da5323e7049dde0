/*
 * Guarded arrays where no page can be forbidden: WebAssembly. Canaries on both sides show writes; a read too far is not
 * seen. A trap ends the program by itself, and the engine's report has the functions.
 */
#include "differential/guard.h"

#include <stdlib.h>
#include <string.h>

enum { CANARIES = 128, FILL = 0x5C };

static unsigned char canary(size_t i) { return (unsigned char)(0xA5 ^ i * 29); }

bool guard_create(struct guard *guard, size_t bytes)
{
    guard->capacity = bytes + 2 * CANARIES;
    guard->data = malloc(guard->capacity);
    guard->used = guard->data;
    guard->bytes = 0;
    return guard->data != NULL;
}

/* Odd sizes are at odd addresses either way: the array ends, or begins, where its room does. */
void *guard_place(struct guard *guard, size_t bytes, bool at_end, const void *content)
{
    guard->bytes = bytes;
    guard->used = at_end ? guard->data + guard->capacity - CANARIES - bytes : guard->data + CANARIES;
    if (content)
        memcpy(guard->used, content, bytes);
    else
        memset(guard->used, FILL, bytes);
    for (size_t i = 0; i < CANARIES; i++)
        guard->used[bytes + i] = *(guard->used - 1 - i) = canary(i);
    return guard->used;
}

bool guard_intact(const struct guard *guard)
{
    for (size_t i = 0; i < CANARIES; i++) {
        if (guard->used[guard->bytes + i] != canary(i) || *(guard->used - 1 - i) != canary(i))
            return false;
    }
    return true;
}

/* Behind the memory of any module of less than 4 GiB: a trap. */
void *guard_forbidden(const struct guard *guard)
{
    (void)guard;
    return (void *)0xffff0000u;
}

/* A trap cannot be caught here, nor a call interrupted. */
void guard_set_replay(const char *command) { (void)command; }

void guard_set_call(const char *function, size_t n)
{
    (void)function;
    (void)n;
}

void guard_start_watchdog(void) {}
void guard_catch_crashes(void) {}
