/*
 * Error reports that wait until the caller asks for them. Readers and writers keep them here for
 * seebatch_reader_error_report() and seebatch_writer_error_report(); the pipeline calls a function instead.
 */
#ifndef SEEBATCH_IO_PENDING_REPORTS_H
#define SEEBATCH_IO_PENDING_REPORTS_H

#include "support/bytes.h"
#include "seebatch_io.h"

struct pending_reports {
    struct bytes bytes; /* seebatch_error_report, each followed by its text, which ends with a NUL */
    size_t next;        /* that was not given */
    bool failed;        /* there was no memory for one */
};

/* Keeps an error report; this is the function of a struct reporter. */
void seebatch_io_pending_reports_take(void *pending, const seebatch_error_report *report);

/* The next one, whose text lasts until another is kept; false if there is none. */
bool seebatch_io_pending_reports_next(struct pending_reports *pending, seebatch_error_report *report);

void seebatch_io_pending_reports_free(struct pending_reports *pending);

#endif
