/*
 * The table of formats, in the order of formats.h, and the functions that hold for all of them: finding a format by
 * name or extension, and writing a record to any of them without losing anything in silence.
 */
#include "support/quote.h"
#include "files/file_extension.h"
#include "losses.h"

#define ROW(name) &FORMAT(name),
static const struct file_format *const formats[] = {FORMATS(ROW)};
#undef ROW
enum { N_FORMATS = sizeof formats / sizeof formats[0], N_ENDINGS = 3 };

const struct file_format *seebatch_io_format_at(size_t index) { return index < N_FORMATS ? formats[index] : NULL; }

static bool is_called(const char *name, const char *other)
{
    return strlen(name) == strlen(other) && seebatch_io_same_letters(name, other, strlen(name));
}

const struct file_format *seebatch_io_format_named(const char *name)
{
    name += *name == '.';
    for (size_t i = 0; i < N_FORMATS; i++) {
        if (is_called(name, formats[i]->name))
            return formats[i];
        for (size_t k = 0; k < N_ENDINGS; k++)
            if (formats[i]->extensions[k] != NULL && is_called(name, formats[i]->extensions[k] + 1))
                return formats[i];
    }
    return NULL;
}

const struct file_format *seebatch_io_format_of_file(const char *name)
{
    size_t length;
    seebatch_io_compression_of_file(name, &length);
    for (size_t i = 0; i < N_FORMATS; i++)
        for (size_t k = 0; k < N_ENDINGS; k++)
            if (formats[i]->extensions[k] != NULL && seebatch_io_has_extension(name, length, formats[i]->extensions[k]))
                return formats[i];
    return NULL;
}

void seebatch_io_format_list(char *text, size_t size, bool (*listed)(const struct file_format *format))
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < N_FORMATS && used < size; i++)
        if (listed == NULL || listed(formats[i]))
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", formats[i]->name);
}

bool seebatch_io_format_has_columns(const struct file_format *format) { return format->any_columns; }

bool seebatch_io_format_has_text_scores(const struct file_format *format) { return format->text_scores; }

bool seebatch_io_format_is_written(const struct file_format *format) { return format->write != NULL; }

/* What others see of a format. */
static bool describe(const struct file_format *file_format, seebatch_file_format *format)
{
    if (file_format == NULL)
        return false;
    *format = (seebatch_file_format){
        .name = file_format->name,
        .what = file_format->what,
        .details = file_format->details,
        .holds = file_format->fields & ((1u << N_FIELDS) - 1),
        .needs = file_format->needed,
        .optional = file_format->optional,
        .binary = file_format->binary,
        .writable = file_format->write != NULL,
        .columns = file_format->any_columns,
        .mover = file_format->mover,
    };
    memcpy(format->extensions, file_format->extensions, sizeof format->extensions);
    return true;
}

bool seebatch_format_at(size_t index, seebatch_file_format *format)
{
    return describe(seebatch_io_format_at(index), format);
}

bool seebatch_format_named(const char *name, seebatch_file_format *format)
{
    return describe(seebatch_io_format_named(name), format);
}

bool seebatch_format_of_file(const char *path, seebatch_file_format *format)
{
    return describe(seebatch_io_format_of_file(path), format);
}

bool seebatch_io_is_added(const struct target *target, struct cell name)
{
    for (size_t i = 0; i < target->n_added; i++)
        if (strlen(target->added[i].name) == name.length && memcmp(target->added[i].name, name.text, name.length) == 0)
            return true;
    return false;
}

/* Whether nothing is lost of a record that may not be; if not, the run ends here. */
static bool loses_nothing(const struct target *target, struct block *block, const struct record *record,
                          const seebatch_position *position)
{
    struct cell lost = {"", 0};
    const bool carried = block->source->format->take_columns == NULL;
    if (carried && target->format->keeps_text && target->format->loses == seebatch_io_loses_ply &&
        !(record->has & (FIELD_PLY | ~target->fields)))
        return true; /* it has nothing but a FEN and fields that are written */
    const unsigned fields = seebatch_io_losses_of_record(target, block->source, record, position);
    if (fields == 0 && (carried || seebatch_io_carry_columns(block, target, record, position, &lost)))
        return true;
    if (fields != 0) {
        char text[LOSS_TEXT];
        seebatch_io_loss_text(fields, target, text, sizeof text);
        seebatch_io_report_error(block, record, "%s", text);
    } else {
        seebatch_io_report_error(
            block, record,
            "the member '%s' would be lost, because the table has no column for it (its columns are those of the "
            "first line), expected --lose columns",
            quote(lost.text, lost.length).text);
    }
    block->refused = block->stopped = true;
    return false;
}

/* Writes a record in the format of the output, where it is not copied. */
static bool write_anew(const struct target *target, struct block *block, const struct record *record,
                       const seebatch_position *position, const seebatch_cell *cells)
{
    const struct source *source = block->source;
    const size_t before = block->out.used;
    const char *why = NULL;

    if (!loses_nothing(target, block, record, position))
        return false;
    const unsigned missing = target->format->needed & ~(unsigned)record->has;
    if (missing != 0 && source->format != target->format) {
        char names[LOSS_NAMES];
        seebatch_io_field_list(missing, "or", names, sizeof names);
        seebatch_io_report_error(
            block, record,
            "the record has no %s, which %s needs; 'seebatch filter --keep has=%s' leaves such records out", names,
            target->format->name, seebatch_io_field_name(missing & (0 - missing)));
        return false;
    }
    if (!target->format->write(block, target, record, position, cells, &why)) {
        if (!target->format->chained) /* which may have ended a game first, and leaves nothing after it */
            block->out.used = before;
        if (why != NULL) /* otherwise it was reported */
            seebatch_io_report_error(block, record, "%s", why);
        return false;
    }
    block->written++;
    return true;
}

/* Whether the score of a record says that there is none, where a format that needs scores would take it for one. Then the
 * run ends, unless --lose names the score. */
static bool loses_mark(const struct target *target, struct block *block, const struct record *record)
{
    enum { NO_SCORE = 32002 };
    const struct file_format *format = target->format;
    if (!block->source->format->marks_none || format->marks_none || !(format->needed & FIELD_SCORE) ||
        !(record->has & FIELD_SCORE) || (record->score != NO_SCORE && record->score != -NO_SCORE) ||
        target->lose & FIELD_SCORE)
        return false;
    seebatch_io_report_error(block, record,
                             "the score %d says that there is none, and in %s it would be a score, expected 'seebatch "
                             "filter --drop abs-score=%d', which leaves such records out, or --lose score",
                             record->score, format->name, NO_SCORE);
    block->refused = block->stopped = true;
    return true;
}

bool seebatch_io_write_record(const struct target *target, struct block *block, const struct record *record,
                              const seebatch_position *position, const seebatch_cell *cells)
{
    const size_t before = block->out.used;
    if (!keeps_form(target, block->source) || target->n_added > 0 || target->format->chained)
        return !loses_mark(target, block, record) && write_anew(target, block, record, position, cells);
    if (!bytes_reserve(&block->out, record->length + 1))
        return false;
    memcpy(block->out.data + before, record->bytes, record->length);
    block->out.data[before + record->length] = '\n';
    block->out.used += record->length + !target->format->binary;
    block->written++;
    return true;
}

bool seebatch_io_write_scored(const struct target *target, struct block *block, const struct record *record,
                              const seebatch_position *position, int score)
{
    const struct file_format *format = target->format;
    struct bytes *out = &block->out;
    if (!keeps_form(target, block->source) || format->place_score == NULL) {
        struct record scored = *record;
        scored.score = format->mover && position->stm == SEEBATCH_BLACK ? -score : score;
        scored.has |= FIELD_SCORE;
        return write_anew(target, block, &scored, position, NULL);
    }
    const struct score_place place = format->place_score(block, record);
    const char *behind = place.at + place.length;
    bytes_add(out, record->bytes, (size_t)(place.at - record->bytes));
    if (format->binary) {
        bytes_add_char(out, (char)((unsigned)score & 255));
        bytes_add_char(out, (char)((unsigned)score >> 8 & 255));
    } else {
        bytes_add_string(out, place.before);
        seebatch_io_bytes_add_int(out, score);
        bytes_add_string(out, place.after);
    }
    bytes_add(out, behind, (size_t)(record->bytes + record->length - behind));
    if (!format->binary)
        bytes_add_char(out, '\n');
    block->written++;
    return true;
}
