/* What verify does with --suite. */
#ifndef SEEBATCH_VERIFY_SUITE_H
#define SEEBATCH_VERIFY_SUITE_H

#include "tool.h"

/* Reads the suite, and the files of the options as answers to it; prints what fails. Returns the exit status. */
int verify_with_suite(const char *command, const char *path, struct options *options);

#endif
