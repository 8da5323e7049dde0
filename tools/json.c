/*
 * JSON text to standard output: one place that knows what to do when there is no memory for it.
 */
#include <stdlib.h>

#include <jansson.h>

#include "tool.h"

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
