#include "notes.h"

#include <stdlib.h>

void seebatch_io_notes_take(void *user, const seebatch_complaint *complaint)
{
    struct notes *notes = user;
    struct bytes *bytes = &notes->bytes;
    const size_t length = strlen(complaint->text) + 1;
    if (notes->next == bytes->used)
        notes->next = bytes->used = 0;
    if (!bytes_reserve(bytes, sizeof *complaint + length)) {
        notes->failed = true;
        return;
    }
    bytes_add(bytes, (const char *)complaint, sizeof *complaint);
    bytes_add(bytes, complaint->text, length);
}

bool seebatch_io_notes_next(struct notes *notes, seebatch_complaint *complaint)
{
    const struct bytes *bytes = &notes->bytes;
    if (notes->next == bytes->used)
        return false;
    memcpy(complaint, bytes->data + notes->next, sizeof *complaint);
    complaint->text = bytes->data + notes->next + sizeof *complaint;
    notes->next += sizeof *complaint + strlen(complaint->text) + 1;
    return true;
}

void seebatch_io_notes_free(struct notes *notes) { free(notes->bytes.data); }
