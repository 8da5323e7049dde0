/*
 * How a function that reads text or names fails: it fills the caller's error, if there is one, and returns the status.
 */
#ifndef SEEBATCH_ERROR_H
#define SEEBATCH_ERROR_H

#include "seebatch.h"

#include <stdarg.h>
#include <stdio.h>

#if defined(__MINGW32__)
__attribute__((format(gnu_printf, 3, 4)))
#elif defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static inline seebatch_status
see_fail(seebatch_error *error, seebatch_status status, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return status;
}

#endif
