/*
 * Writes sentences with names and numbers in them, as snprintf() does. The library has a formatter of its own because
 * programs without an operating system, such as WebAssembly modules, have no <stdio.h>. So the sentences are the same
 * everywhere.
 */
#ifndef SEEBATCH_SENTENCE_H
#define SEEBATCH_SENTENCE_H

#include <stdarg.h>
#include <stddef.h>

/* The compiler checks the arguments against the format at position n. The formats are those of C99 on Windows, too. */
#if defined(__MINGW32__) && !defined(__clang__)
#define SEE_FORMAT(n) __attribute__((format(gnu_printf, n, n + 1)))
#else
#define SEE_FORMAT(n) __attribute__((format(printf, n, n + 1)))
#endif

/*
 * Writes at most size - 1 characters and a NUL, and returns the length that the whole text has. Formats are %s, %c, %d,
 * %u, %x, %%, with z or ll for unsigned numbers, a precision for %s, and 0 with a width of one digit for numbers.
 */
SEE_FORMAT(3) size_t seebatch_format(char *text, size_t size, const char *format, ...);

/* The same with the arguments in a va_list. */
size_t seebatch_format_list(char *text, size_t size, const char *format, va_list arguments);

#endif
