#include "notes.h"

#include <stdlib.h>

void seebatch_io_notes_take(void *user, const seebatch_error_report *report)
{
    struct notes *notes = user;
    struct bytes *bytes = &notes->bytes;
    const size_t length = strlen(report->text) + 1;
    if (notes->next == bytes->used)
        notes->next = bytes->used = 0;
    if (!bytes_reserve(bytes, sizeof *report + length)) {
        notes->failed = true;
        return;
    }
    bytes_add(bytes, (const char *)report, sizeof *report);
    bytes_add(bytes, report->text, length);
}

bool seebatch_io_notes_next(struct notes *notes, seebatch_error_report *report)
{
    const struct bytes *bytes = &notes->bytes;
    if (notes->next == bytes->used)
        return false;
    memcpy(report, bytes->data + notes->next, sizeof *report);
    report->text = bytes->data + notes->next + sizeof *report;
    notes->next += sizeof *report + strlen(report->text) + 1;
    return true;
}

void seebatch_io_notes_free(struct notes *notes) { free(notes->bytes.data); }
