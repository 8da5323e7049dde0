/* Tables of test data; see table.h. */
#include "table.h"

#include <stdlib.h>
#include <string.h>

static char *trimmed(char *text)
{
    text += strspn(text, " \t\r\n");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1]) != NULL)
        text[--length] = '\0';
    return text;
}

void table_open(struct table *table, const char *path, char separator)
{
    table->file = fopen(path, "r");
    table->path = path;
    table->separator = separator;
    table->line = 0;
    if (table->file == NULL) {
        fprintf(stderr, "cannot open %s: the tests expect to be run from the folder tests\n", path);
        exit(1);
    }
}

bool table_next(struct table *table, size_t least, size_t most)
{
    char *rest;
    do {
        if (fgets(table->text, sizeof table->text, table->file) == NULL) {
            fclose(table->file);
            return false;
        }
        table->line++;
        rest = trimmed(table->text);
    } while (*rest == '\0' || *rest == '#');
    for (table->count = 0; rest != NULL && table->count < most; table->count++) {
        char *end = table->count + 1 < most ? strchr(rest, table->separator) : NULL;
        if (end != NULL)
            *end++ = '\0';
        table->field[table->count] = trimmed(rest);
        rest = end;
    }
    if (table->count < least) {
        fprintf(stderr, "%s:%d: %zu fields, expected at least %zu\n", table->path, table->line, table->count, least);
        exit(1);
    }
    return true;
}
