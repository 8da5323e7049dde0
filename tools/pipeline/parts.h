/*
 * --parts: an output in parts, each of which appears when it is complete, so that a run that was killed goes on where it
 * was, and several processes and machines share the work (parts.c).
 */
#ifndef SEEBATCH_TOOL_PARTS_H
#define SEEBATCH_TOOL_PARTS_H

#include "command_line.h"

/* Reads the argument of --parts. */
void parts_read(struct pipeline_run *run, const char *text);

/* Ends the program with status 2 if the options cannot be carried out in parts. */
void parts_check(const struct pipeline_run *run);

/* Makes the parts that are missing, and waits for those that other processes make. Adds up counts and notes of all
 * parts. Returns what ended the run before its end; SEEBATCH_IO_OK if nothing did, although parts may be missing whose
 * input is damaged. */
seebatch_io_status parts_run(struct pipeline_run *run);

/* To be called now and then while a part is made. */
void parts_renew(struct pipeline_run *run);

/* Says how many parts are complete, and frees what parts_run() has made. */
void parts_end(struct pipeline_run *run);

#endif
