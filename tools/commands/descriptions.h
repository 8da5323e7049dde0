/*
 * What seebatch info --format json says of commands, conditions and formats.
 */
#ifndef SEEBATCH_TOOL_DESCRIPTIONS_H
#define SEEBATCH_TOOL_DESCRIPTIONS_H

#include <jansson.h>

/* Return arrays with an object for each. */
json_t *json_of_all_commands(void);
json_t *json_of_all_conditions(void);
json_t *json_of_all_formats(void);

#endif
