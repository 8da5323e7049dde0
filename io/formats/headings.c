/*
 * Tables and JSON lines hold each other's columns: those that are not known keep their names, their order and their
 * values.
 *
 * A table that is written has the columns of the first file: of a table all, in their order; otherwise the position and
 * the fields that any file has, and then the members of the first object that are not known. Of the other files,
 * columns are found by their names. An object that is written from a row has its columns as members.
 *
 * A name that comes twice in an object, or that a table would take for a known column, has no place: it is lost like
 * anything else that the target cannot hold.
 */
#include <stdlib.h>
#include <strings.h>

#include "headings.h"
#include "losses.h"

unsigned field_of_name(struct cell name)
{
    static const struct {
        const char *name;
        unsigned field;
    } names[] = {
        {"fen", 0},        {"position", 0}, {"move", FIELD_MOVE}, {"score", FIELD_SCORE}, {"result", FIELD_RESULT},
        {"ply", FIELD_PLY}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strlen(names[i].name) == name.length && strncasecmp(names[i].name, name.text, name.length) == 0)
            return names[i].field;
    return FIELD_COLUMNS;
}

void headings_add(struct headings *headings, struct cell name, unsigned field)
{
    struct heading *list = realloc(headings->list, ((size_t)headings->n + 1) * sizeof *list);
    if (list == NULL) {
        headings->text.failed = true;
        return;
    }
    headings->list = list;
    headings->list[headings->n++] = (struct heading){name, field, -1};
}

void headings_free(struct headings *headings)
{
    free(headings->list);
    free(headings->text.data);
}

int headings_find(const struct headings *headings, unsigned field, struct cell name)
{
    for (int i = 0; i < headings->n; i++) {
        const struct heading *heading = &headings->list[i];
        if (heading->field == field &&
            (field != FIELD_COLUMNS ||
             (heading->name.length == name.length && memcmp(heading->name.text, name.text, name.length) == 0)))
            return i;
    }
    return -1;
}

static void add_all(struct headings *headings, const struct headings *more)
{
    for (int i = 0; i < more->n; i++)
        headings_add(headings, more->list[i].name, more->list[i].field);
}

void headings_of_target(struct target *target)
{
    static const struct cell none = {"", 0};
    const struct headings *first = &target->first->headings;
    const bool table = headings_find(first, 0, none) >= 0;
    if (target->format->begin == NULL)
        return;
    if (table)
        add_all(&target->headings, first);
    else
        headings_add(&target->headings, none, 0);
    for (unsigned field = 1; field < 1 << N_FIELDS; field <<= 1)
        if (target->fields & field && headings_find(&target->headings, field, none) < 0)
            headings_add(&target->headings, none, field);
    if (!table)
        add_all(&target->headings, first);
}

void headings_place(struct source *source, const struct target *target)
{
    const bool table = target->format->begin != NULL;
    for (int i = 0; i < source->headings.n; i++) {
        struct heading *heading = &source->headings.list[i];
        if (table && source == target->first)
            heading->place = i;
        else if (table)
            heading->place = headings_find(&target->headings, heading->field, heading->name);
        else
            heading->place = headings_find(&source->headings, heading->field, heading->name) == i ? i : -1;
    }
}
