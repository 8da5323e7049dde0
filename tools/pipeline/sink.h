/*
 * Where a pipeline's output goes: standard output, or a file that appears under its name when it is complete.
 */
#ifndef SEEBATCH_TOOL_SINK_H
#define SEEBATCH_TOOL_SINK_H

#include "pipeline.h"

struct sink;

/* Opens a file for output, compressed if the name ends with .gz or .zst; NULL or "-" is standard output. NULL, and
 * reported, if that fails. Before other threads are started. */
struct sink *sink_open(const char *name);

/* Writes whole records. False, and reported, if they cannot all be written; what was written then ends with a whole
 * record wherever that is possible. False also, and not reported, if a signal came. */
bool sink_write(struct sink *sink, const struct file_format *format, const char *bytes, size_t length);

/* The end. complete: the file takes its place; otherwise it is removed. False, and reported, if it cannot be written.
 * Frees the sink. */
bool sink_close(struct sink *sink, bool complete);

/* Whether a file is written, not standard output. */
bool sink_is_file(const struct sink *sink);

/* ---- Signals (interrupt.c) -------------------------------------------------------------------------------------- */

/* From now on SIGINT, SIGTERM and SIGHUP are noted; the second one ends the program at once. SIGPIPE and SIGXFSZ become
 * errors of writing. Called by the main thread before others are started, which get none of these signals. */
void interrupt_catch(void);

/* The signal that came, or 0. */
int interrupt_signal(void);

/* Ends the program by a signal, as if it had never been caught, so that a shell sees why. For SIGPIPE, returns where
 * that was ignored when the program began. */
void interrupt_die(int signal);

/* Blocks the signals in threads that the caller starts, and lets them through again. */
void interrupt_block(bool block);

#endif
