/*
 * Helps a function that reads text or names to fail: see_fail() fills the caller's error, if there is one, and returns
 * the status.
 */
#ifndef SEEBATCH_ERROR_H
#define SEEBATCH_ERROR_H

#include "sentence.h"
#include "seebatch.h"

SEE_FORMAT(3)
static inline seebatch_status see_fail(seebatch_error *error, seebatch_status status, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        seebatch_format_list(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return status;
}

#endif
