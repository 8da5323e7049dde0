/*
 * Fills errors with a status and a sentence.
 */
#include "errors.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

bool seebatch_io_fail(seebatch_io_error *error, seebatch_io_status status, int system_error, const char *format, ...)
{
    va_list arguments;
    if (error == NULL)
        return false;
    error->status = status;
    error->system_error = system_error;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}

bool seebatch_io_no_memory(seebatch_io_error *error)
{
    return seebatch_io_fail(error, SEEBATCH_IO_NO_MEMORY, ENOMEM, "out of memory");
}
