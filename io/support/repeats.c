#include "repeats.h"

#include <string.h>

bool seebatch_io_repeats_note(struct repeats *repeats, const char *text, size_t length, bool warning, uint64_t times,
                              uint64_t first, uint64_t last)
{
    for (struct repeat *repeat = repeats->list; repeat < repeats->list + repeats->n; repeat++) {
        if (repeat->length == length && repeat->warning == warning &&
            memcmp(repeats->texts.data + repeat->at, text, length) == 0) {
            repeat->times += times;
            repeat->last = last;
            return true;
        }
    }
    if (repeats->n < MOST_ERROR_REPORTS) {
        repeats->list[repeats->n] = (struct repeat){first, last, times - 1, warning, repeats->texts.used, length};
        bytes_add(&repeats->texts, text, length);
        repeats->n += !repeats->texts.failed;
    }
    return false;
}

int seebatch_io_repeat_text(const struct repeat *repeat, const char *place, char text[REPEAT_SIZE])
{
    if (repeat->times == 0)
        return 0;
    return snprintf(text, REPEAT_SIZE, "the %s of %s %llu was repeated %llu time%s, up to %s %llu",
                    repeat->warning ? "warning" : "error", place, (unsigned long long)repeat->first,
                    (unsigned long long)repeat->times, plural(repeat->times), place, (unsigned long long)repeat->last);
}

void seebatch_io_repeats_empty(struct repeats *repeats)
{
    repeats->n = 0;
    bytes_empty(&repeats->texts);
}
