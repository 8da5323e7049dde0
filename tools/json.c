/*
 * What all that write JSON share: whether text can stand in it, and what to do when there is no memory for it.
 */
#include <stdlib.h>

#include <jansson.h>

#include "tool.h"

/* The bytes that follow the first of a character, and the least and the most that the second may be. */
static int followers(unsigned char c, unsigned char *low, unsigned char *high)
{
    *low = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80;
    *high = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;
    return c < 0x80 ? 0 : c >= 0xc2 && c < 0xe0 ? 1 : c >= 0xe0 && c < 0xf0 ? 2 : c >= 0xf0 && c < 0xf5 ? 3 : -1;
}

bool is_utf8(const char *text, size_t length)
{
    const unsigned char *at = (const unsigned char *)text, *end = at + length;
    while (at < end) {
        unsigned char low, high;
        int more = followers(*at++, &low, &high);
        if (more < 0 || end - at < more)
            return false;
        for (; more > 0; more--, at++, low = 0x80, high = 0xbf)
            if (*at < low || *at > high)
                return false;
    }
    return true;
}

void output_json(struct output *output, json_t *json, size_t flags)
{
    char *text = json_dumps(json, flags);
    json_decref(json);
    if (text == NULL) {
        report("out of memory for the JSON text");
        exit(STATUS_ERROR);
    }
    output_string(output, text);
    output_string(output, "\n");
    free(text);
}
