/*
 * Chooses the locale that the environment names before main() of a program begins, as programs with windows do: stands
 * before the C library by LD_PRELOAD. A locale that is not there ends the program.
 */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

static __attribute__((constructor)) void choose(void)
{
    if (setlocale(LC_ALL, "") != NULL && *localeconv()->decimal_point == ',')
        return;
    fputs("the locale of the environment is not there, or has no decimal comma\n", stderr);
    _Exit(EXIT_FAILURE);
}
