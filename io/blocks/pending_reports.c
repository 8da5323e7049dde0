/*
 * Keeps error reports with their texts one after another in memory that grows, and gives them back in the same order.
 */
#include "pending_reports.h"

#include <stdlib.h>

void seebatch_io_pending_reports_take(void *user, const seebatch_error_report *report)
{
    struct pending_reports *pending = user;
    struct bytes *bytes = &pending->bytes;
    const size_t length = strlen(report->text) + 1;
    if (pending->next == bytes->used)
        pending->next = bytes->used = 0;
    if (!bytes_reserve(bytes, sizeof *report + length)) {
        pending->failed = true;
        return;
    }
    bytes_add(bytes, (const char *)report, sizeof *report);
    bytes_add(bytes, report->text, length);
}

bool seebatch_io_pending_reports_next(struct pending_reports *pending, seebatch_error_report *report)
{
    const struct bytes *bytes = &pending->bytes;
    if (pending->next == bytes->used)
        return false;
    memcpy(report, bytes->data + pending->next, sizeof *report);
    report->text = bytes->data + pending->next + sizeof *report;
    pending->next += sizeof *report + strlen(report->text) + 1;
    return true;
}

void seebatch_io_pending_reports_free(struct pending_reports *pending) { free(pending->bytes.data); }
