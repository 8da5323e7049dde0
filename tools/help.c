/*
 * The help of a command, made from the rows of its options.
 */
#include <string.h>

#include "tool.h"

enum { INDENT = 24, WIDTH = 108 };

/* The text, wrapped behind what stands up to column on the line; a line end in it stays. */
static void write_wrapped(struct output *output, size_t column, const char *text)
{
    bool first = true;
    while (*text != '\0') {
        const size_t length = strcspn(text, " \n");
        if (!first && column + 1 + length > WIDTH) {
            output_printf(output, "\n%*s", INDENT, "");
            column = INDENT;
        } else if (!first) {
            output_string(output, " ");
            column++;
        }
        output_bytes(output, text, length);
        column += length;
        text += length + (text[length] != '\0');
        first = false;
    }
    output_string(output, "\n");
}

void help_row(struct output *output, const char *term, const char *text)
{
    const int room = INDENT - 4;
    const size_t length = strlen(term);
    output_printf(output, "  %-*s  ", room, term);
    write_wrapped(output, length > (size_t)room ? length + 4 : INDENT, text);
}

static void write_option(struct output *output, const struct option_row *row)
{
    char term[80];
    const char letter = (char)(row->marks & ~SEVERAL);
    snprintf(term, sizeof term, "%s%.1s%s--%s%s%s", letter != '\0' ? "-" : "", &letter, letter != '\0' ? ", " : "",
             row->name, row->argument != NULL ? " " : "", row->argument != NULL ? row->argument : "");
    help_row(output, term, row->help);
}

void help_write(struct output *output, const struct command *command)
{
    static const struct option_row help = SHARED("help");
    for (int i = 0; i < 3 && command->operands[i] != NULL; i++)
        output_printf(output, "%s seebatch %s [OPTION ...]%s%s\n", i == 0 ? "usage:" : "      ", command->name,
                      *command->operands[i] != '\0' ? " " : "", command->operands[i]);
    output_printf(output, "\n%s\n", command->about);
    for (const struct option_row *row = command->options; row->name != NULL; row++)
        write_option(output, option_row_of(row));
    write_option(output, option_row_of(&help));
    if (command->lists != NULL)
        command->lists(output);
    output_printf(output, "\n%s", command->notes);
}
