/*
 * The help of a command, made from its table: what it does, how it is called, three examples, and its options in groups,
 * each with what holds without it.
 */
#include <string.h>

#include "tool.h"

enum { INDENT = 24, WIDTH = 108 };

/* Writes the text, wrapped, where `column` characters stand on the line already. Further lines begin after the
 * indent. */
static void write_wrapped(struct output *output, size_t column, int indent, const char *text)
{
    bool first = true;
    while (*text != '\0') {
        const size_t length = strcspn(text, " \n");
        if (!first && column + 1 + length > WIDTH) {
            output_printf(output, "\n%*s", indent, "");
            column = (size_t)indent;
        } else if (!first) {
            output_string(output, " ");
            column++;
        }
        output_bytes(output, text, length);
        column += length;
        text += length;
        first = *text == '\n';
        if (first) {
            output_printf(output, "\n%*s", text[1] != '\n' ? indent : 0, "");
            column = (size_t)indent;
        }
        text += *text != '\0';
    }
    output_string(output, "\n");
}

void help_text(struct output *output, int indent, const char *text)
{
    output_printf(output, "%*s", indent, "");
    write_wrapped(output, (size_t)indent, indent, text);
}

void help_row(struct output *output, const char *term, const char *text)
{
    const int room = INDENT - 4;
    const size_t length = strlen(term);
    output_printf(output, "  %-*s  ", room, term);
    write_wrapped(output, length > (size_t)room ? length + 4 : INDENT, INDENT, text);
}

void help_examples(struct output *output, const struct help_example *examples, size_t n)
{
    output_string(output, "\nExamples:\n");
    for (size_t i = 0; i < n && examples[i].lines != NULL; i++) {
        help_text(output, 2, examples[i].what);
        for (const char *line = examples[i].lines, *end; *line != '\0'; line = end + (*end == '\n')) {
            end = line + strcspn(line, "\n");
            output_printf(output, "    %.*s\n", (int)(end - line), line);
        }
    }
}

static void write_option(struct output *output, const struct option_row *row)
{
    char term[80], text[1024];
    const char letter = (char)(row->marks & LETTER);
    snprintf(term, sizeof term, "%s%.1s%s--%s%s%s", letter != '\0' ? "-" : "", &letter, letter != '\0' ? ", " : "",
             row->name, row->argument != NULL ? " " : "", row->argument != NULL ? row->argument : "");
    snprintf(text, sizeof text, "%s%s%s%s", row->help, row->usual != NULL ? " [default: " : "",
             row->usual != NULL ? row->usual : "", row->usual != NULL ? "]" : "");
    help_row(output, term, text);
}

/* What the arguments of --rules and --from may be, where the command has these options. */
static void list_names(struct output *output, const struct command *command)
{
    char rules[512] = "", formats[512] = "";
    const char *name;
    seebatch_file_format format;
    for (size_t i = 0; (name = seebatch_rules_name(i)) != NULL; i++)
        snprintf(rules + strlen(rules), sizeof rules - strlen(rules), "%s%s", i > 0 ? ", " : "", name);
    for (size_t i = 0; seebatch_format_at(i, &format); i++)
        snprintf(formats + strlen(formats), sizeof formats - strlen(formats), "%s%s", i > 0 ? ", " : "", format.name);
    for (const struct option_row *row = command->options; row->name != NULL; row++) {
        const int val = option_row_of(row)->val;
        if (val == OPTION_RULES || val == OPTION_TWO_RULES) {
            output_string(output, "\nRule sets (seebatch(1) describes them):\n");
            help_text(output, 2, rules);
        } else if (val == OPTION_FROM && strcmp(command->name, "filter") != 0) {
            output_string(output, "\nFormats ('seebatch filter --help' describes them):\n");
            help_text(output, 2, formats);
        }
    }
}

void help_write(struct output *output, const struct command *command)
{
    static const struct option_row help = SHARED("help");
    help_text(output, 0, command->about);
    output_string(output, "\nUsage:\n");
    for (int i = 0; i < 3 && command->operands[i] != NULL; i++)
        output_printf(output, "  seebatch %s [OPTION ...]%s%s\n", command->name,
                      *command->operands[i] != '\0' ? " " : "", command->operands[i]);
    help_examples(output, command->examples, sizeof command->examples / sizeof command->examples[0]);
    if (command->details != NULL) {
        output_string(output, "\n");
        help_text(output, 0, command->details);
    }
    for (const struct option_row *row = command->options; row->name != NULL; row++) {
        if (row->val == OPTION_GROUP)
            output_printf(output, "\n%s:\n", row->name);
        else
            write_option(output, option_row_of(row));
    }
    output_string(output, "\nHelp:\n");
    write_option(output, option_row_of(&help));
    if (command->lists != NULL)
        command->lists(output);
    list_names(output, command);
    if (command->status != NULL) {
        output_string(output, "\nExit status:\n");
        help_text(output, 2, command->status);
    }
    output_string(output, "\nThe manual says more: 'man seebatch', or from a clone 'man -l docs/seebatch.1'.\n");
}
