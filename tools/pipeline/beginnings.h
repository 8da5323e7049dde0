/*
 * What the beginnings of the input files say, checked before their records are read.
 */
#ifndef SEEBATCH_TOOL_BEGINNINGS_H
#define SEEBATCH_TOOL_BEGINNINGS_H

#include "pipeline.h"

/* Looks at the beginning of every regular file, and at what becomes of all of them together: the columns of the output
 * are those of all files. False, and each reported, if a file does not fit; *refused if that is because something would
 * be lost, or because the files do not go into one table. A pipe is looked at when its turn comes. */
bool check_beginnings(struct pipeline *pipeline, bool *refused);

/* Checks a file by its first bytes; false, and *why, if it does not fit. It is the first file, or the first one is
 * checked. */
bool check_beginning(struct pipeline *pipeline, struct source *source, const struct bytes *head, struct bytes *why,
                     bool *refused);

#endif
