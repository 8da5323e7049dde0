/*
 * Finds what would be lost if records were written in another format than their own.
 *
 * filter, annotate and convert have one rule: what the target has no place for is lost only where --lose names it. What
 * every record of a format has is looked at before anything is read (losses_of_format), the header of a table before
 * its rows (losses_of_source), and what a record alone says when its turn comes (losses_of_record).
 */
#include "losses.h"

/* ---- Names ------------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name, *option;
} field_names[] = {
    {"move", "move"},
    {"score", "score"},
    {"result", "result"},
    {"ply", "ply"},
    {"unknown columns", "columns"},
    {"further moves", "moves"},
    {"EPD operations", "operations"},
    {"unknown lines", "lines"},
    {"unused bits", "unused-bits"},
    {"side to move", "side"},
    {"castling rights", "castling"},
    {"en passant square", "en-passant"},
    {"halfmove clock", "clock"},
    {"move number", "number"},
};

const char *seebatch_io_field_name(unsigned field) { return field_names[__builtin_ctz(field)].name; }

static const char *field_option(unsigned field) { return field_names[__builtin_ctz(field)].option; }

void seebatch_io_field_list(unsigned fields, const char *joined, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (unsigned field = 1; fields != 0 && used < size; field <<= 1) {
        if (!(fields & field))
            continue;
        fields &= ~field;
        if (used > 0 && fields == 0)
            used += (size_t)snprintf(text + used, size - used, " %s ", joined);
        else if (used > 0)
            used += (size_t)snprintf(text + used, size - used, ", ");
        if (used < size)
            used += (size_t)snprintf(text + used, size - used, "%s", seebatch_io_field_name(field));
    }
}

void seebatch_io_loss_text(unsigned fields, const struct target *target, char *text, size_t size)
{
    const bool several = (fields & (fields - 1)) != 0 || fields & (FIELDS_OTHER | FIELD_CASTLING);
    char names[LOSS_NAMES];
    seebatch_io_field_list(fields, "and", names, sizeof names);
    size_t used = (size_t)snprintf(text, size, "%s would be lost, because %s has no place for %s, expected --lose ",
                                   names, target->format->name, several ? "them" : "it");
    for (unsigned rest = fields; rest != 0 && used < size; rest &= rest - 1)
        used += (size_t)snprintf(text + used, size - used, "%s%s", rest == fields ? "" : ",",
                                 field_option(rest & (0 - rest)));
}

/* ---- --lose ------------------------------------------------------------------------------------------------------ */

/* The fields that --lose calls so, or 0. */
static unsigned fields_to_lose(const char *name, size_t length)
{
    static const struct {
        const char *name;
        unsigned fields;
    } several[] = {{"other", FIELDS_OTHER}, {"all", ALL_FIELDS}};
    for (size_t i = 0; i < sizeof several / sizeof several[0]; i++)
        if (strlen(several[i].name) == length && memcmp(several[i].name, name, length) == 0)
            return several[i].fields;
    for (unsigned field = 1; field < ALL_FIELDS; field <<= 1)
        if (strlen(field_option(field)) == length && memcmp(field_option(field), name, length) == 0)
            return field;
    return 0;
}

bool seebatch_io_losses_named(const char *list, unsigned *fields, seebatch_error *error)
{
    for (bool more = true; more;) {
        const size_t length = strcspn(list, ",");
        const unsigned named = fields_to_lose(list, length);
        if (named == 0)
            return seebatch_io_fail_with(
                error,
                "'%.*s' is not something that can be lost, expected one of move, score, result, ply, columns, "
                "moves, operations, lines, unused-bits, other, side, castling, en-passant, clock, number, "
                "all",
                (int)length, list);
        *fields |= named;
        more = list[length] == ',';
        list += length + more;
    }
    return true;
}

/* ---- Formats and headers ----------------------------------------------------------------------------------------- */

/* What not every record has, and a ply that the number of the move may say, is checked in each record. */
static unsigned lost_always(const struct file_format *format, unsigned fields, const struct target *target)
{
    if (format == target->format)
        return 0;
    fields &= ~(format->optional | (target->format->loses != NULL ? FIELD_PLY : 0u));
    return ((fields & ~target->fields) | (target->format->lacks & ~format->lacks)) & ~target->lose;
}

unsigned seebatch_io_losses_of_format(const struct file_format *format, const struct target *target)
{
    struct target any = *target;
    any.fields = target->format->fields | (target->format->any_columns ? FIELD_COLUMNS : 0u);
    return lost_always(format, format->fields, &any);
}

/* Whether a column of a table has no place in the rows that are written. */
static bool loses_column(const struct headings *headings)
{
    bool loses = false;
    for (int i = 0; i < headings->n; i++)
        loses |= headings->list[i].field == FIELD_COLUMNS && headings->list[i].place < 0;
    return loses;
}

unsigned seebatch_io_losses_of_source(const struct source *source, const struct target *target)
{
    unsigned lost = lost_always(source->format, source->fields, target);
    if (source->fields & FIELD_COLUMNS && source->format != target->format && loses_column(&source->headings))
        lost |= FIELD_COLUMNS & ~target->lose;
    return lost;
}

/* ---- Records ----------------------------------------------------------------------------------------------------- */

bool seebatch_io_has_operations(const struct record *record)
{
    const char *at = record->fen, *end = at + record->fen_length, *word;
    size_t length;
    for (int i = 0; seebatch_io_next_word(&at, end, &word, &length); i++)
        if (i >= 4 && (i > 5 || *word < '0' || *word > '9'))
            return true;
    return false;
}

bool seebatch_io_carry_columns(struct block *block, const struct target *target, const struct record *record,
                               const seebatch_position *position, struct cell *lost)
{
    const struct source *source = block->source;
    if (!target->format->any_columns || source->format == target->format || source->format->take_columns == NULL)
        return true;
    const struct headings *headings = target->format->begin != NULL ? &target->headings : &source->headings;
    const size_t size = (size_t)headings->n * sizeof(struct cell);
    block->row.used = block->text.used = 0;
    if (!bytes_reserve(&block->row, size) ||
        !bytes_reserve(&block->text, record->length)) /* so that it does not move */
        return false;
    memset(block->row.data, 0, size);
    if (!((source->fields | record->has) & FIELD_COLUMNS)) /* the record has none */
        return true;
    return source->format->take_columns(block, record, position, target, (void *)block->row.data, lost) ||
           target->lose & FIELD_COLUMNS;
}
