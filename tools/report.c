/*
 * What is said on standard error, and the ends of the program that need no return through the commands.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"
#include "tool.h"

_Noreturn void usage_error(const char *command, const char *format, ...)
{
    char message[2048]; /* what is longer is printed whole, and suggests nothing from its end */
    struct nearest nearest;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    va_start(arguments, format);
    fprintf(stderr, "%s: ", command);
    vfprintf(stderr, format, arguments);
    if (strchr(message, '\n') != NULL) /* it shows a place, and says what to write there */
        fputc('\n', stderr);
    else
        fprintf(stderr, "%s\nTry '%s --help'.\n", nearest_of_message(&nearest, message), command);
    va_end(arguments);
    exit(STATUS_USAGE);
}

void report(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("seebatch: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

_Noreturn void no_memory(void)
{
    report("out of memory");
    exit(STATUS_ERROR);
}

void *reallocate(void *memory, size_t count, size_t size)
{
    void *result = count <= SIZE_MAX / size ? realloc(memory, count * size) : NULL;
    if (result == NULL && count > 0) {
        report("out of memory: %zu times %zu bytes were needed", count, size);
        exit(STATUS_ERROR);
    }
    return result;
}
