/*
 * What the library needs from an operating system: one environment variable, and a way to end the program with a
 * sentence. Compiled with SEEBATCH_FREESTANDING it needs neither: the environment is empty, and the program ends with a
 * trap and without a sentence. WebAssembly without WASI has no other choice.
 */
#ifndef SEEBATCH_HOST_H
#define SEEBATCH_HOST_H

#if defined(__wasm__) && !defined(__wasi__) && !defined(SEEBATCH_FREESTANDING)
#define SEEBATCH_FREESTANDING 1
#endif

#if !defined(SEEBATCH_FREESTANDING)
#include <stdio.h>
#include <stdlib.h>
#endif

/* The value of an environment variable, or NULL. */
static inline const char *see_environment(const char *name)
{
#if defined(SEEBATCH_FREESTANDING)
    return (void)name, (const char *)0;
#else
    return getenv(name);
#endif
}

/* Ends the program, which cannot go on. */
static inline __attribute__((noreturn)) void see_stop(const char *sentence)
{
#if defined(SEEBATCH_FREESTANDING)
    (void)sentence;
    __builtin_trap();
#else
    fprintf(stderr, "seebatch: %s\n", sentence);
    abort();
#endif
}

#endif
