/*
 * Prints all commands with the rows of their options, all conditions and all formats as JSON, for the manual pages
 * (scripts/manual), for tests and for other programs.
 */
#include "descriptions.h"

#include "tool.h"

static json_t *json_of_option(const struct option_row *row)
{
    const char letter[2] = {(char)(row->marks & ~SEVERAL), '\0'};
    return json_pack("{s:s, s:s?, s:s?, s:b, s:s, s:s, s:s?}", "name", row->name, "argument", row->argument, "letter",
                     letter[0] != '\0' ? letter : NULL, "several", (row->marks & SEVERAL) != 0, "help", row->help,
                     "manual", row->manual, "default", row->usual);
}

json_t *json_of_all_commands(void)
{
    json_t *commands = json_array();
    const struct command *command;
    for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
        json_t *options = json_array(), *operands = json_array();
        for (const struct option_row *row = command->options; row->name != NULL; row++)
            if (row->val != OPTION_GROUP)
                json_array_append_new(options, json_of_option(option_row_of(row)));
        for (int k = 0; k < 3 && command->operands[k] != NULL; k++)
            json_array_append_new(operands, json_string(command->operands[k]));
        json_array_append_new(commands, json_pack("{s:s, s:s, s:o, s:o}", "name", command->name, "summary",
                                                  command->summary, "operands", operands, "options", options));
    }
    return commands;
}

json_t *json_of_all_conditions(void)
{
    json_t *conditions = json_array();
    seebatch_condition condition;
    for (size_t i = 0; seebatch_condition_at(i, &condition); i++)
        json_array_append_new(conditions,
                              json_pack("{s:s, s:s, s:s, s:s}", "name", condition.name, "argument", condition.argument,
                                        "what", condition.what, "details", condition.details));
    return conditions;
}

static json_t *json_of_fields(unsigned fields)
{
    static const char *const names[] = {"move", "score", "result", "ply"};
    json_t *list = json_array();
    for (unsigned f = 0; f < 4; f++)
        if (fields >> f & 1)
            json_array_append_new(list, json_string(names[f]));
    return list;
}

json_t *json_of_all_formats(void)
{
    json_t *formats = json_array();
    seebatch_file_format format;
    for (size_t i = 0; seebatch_format_at(i, &format); i++) {
        json_t *extensions = json_array();
        for (size_t k = 0; k < 3 && format.extensions[k] != NULL; k++)
            json_array_append_new(extensions, json_string(format.extensions[k]));
        json_array_append_new(
            formats, json_pack("{s:s, s:o, s:s, s:s, s:o, s:o, s:o, s:b, s:b, s:b, s:b}", "name", format.name,
                               "extensions", extensions, "what", format.what, "details", format.details, "holds",
                               json_of_fields(format.holds), "needs", json_of_fields(format.needs), "optional",
                               json_of_fields(format.optional), "binary", (int)format.binary, "writable",
                               (int)format.writable, "columns", (int)format.columns, "mover", (int)format.mover));
    }
    return formats;
}
