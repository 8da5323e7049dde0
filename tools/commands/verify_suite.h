/* What verify does with --suite. */
#ifndef SEEBATCH_VERIFY_SUITE_H
#define SEEBATCH_VERIFY_SUITE_H

#include "tool.h"

/* Reads the suite, and the files of the options as answers to it, of an engine that counts squares from a8 if a8_first
 * says so; prints what fails. Returns the exit status. */
int verify_with_suite(const char *command, const char *path, bool a8_first, struct options *options);

#endif
