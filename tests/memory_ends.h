/*
 * Memory that ends where a test says: the program is linked with --wrap for malloc, calloc, realloc and strdup.
 */
#ifndef SEEBATCH_MEMORY_ENDS_H
#define SEEBATCH_MEMORY_ENDS_H

#include <stdbool.h>
#include <stddef.h>

static long allocations_left = -1; /* -1: no end */

static bool may_allocate(void) { return allocations_left < 0 || allocations_left-- > 0; }

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *memory, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *memory, size_t size);
char *__wrap_strdup(const char *text);
void *__wrap_malloc(size_t size) { return may_allocate() ? __real_malloc(size) : NULL; }
void *__wrap_calloc(size_t n, size_t size) { return may_allocate() ? __real_calloc(n, size) : NULL; }
void *__wrap_realloc(void *memory, size_t size) { return may_allocate() ? __real_realloc(memory, size) : NULL; }
char *__wrap_strdup(const char *text) { return may_allocate() ? __real_strdup(text) : NULL; }

#endif
