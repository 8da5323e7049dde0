/*
 * Checks that the files of a run can be read together, and that what they hold has a place in the output.
 *
 * Regular files are opened, looked at and closed again one after another before the run begins, so that a file that is
 * missing or does not fit is reported at once, and not after hours; and so that no more than one is open at a time.
 * Where a pipe or a device is a table, its header is known only when its turn comes.
 */
#include <stdlib.h>

#include "blocks/file_header.h"
#include "formats/headings.h"
#include "formats/losses.h"
#include "run.h"

/* ---- What the run needs ----------------------------------------------------------------------------------------- */

/* Whether two tables have the same columns; an end by CR LF does not count. */
static bool same_header(const struct bytes *a, const struct bytes *b)
{
    size_t used_a = a->used, used_b = b->used;
    used_a -= used_a > 0 && a->data[used_a - 1] == '\r';
    used_b -= used_b > 0 && b->data[used_b - 1] == '\r';
    return used_a == used_b && memcmp(a->data, b->data, used_a) == 0;
}

/* Whether nothing is lost that may not be. */
static bool loses_nothing(const struct target *target, const struct source *source, struct bytes *why)
{
    const unsigned lost = seebatch_io_losses_of_source(source, target);
    char text[LOSS_TEXT];
    if (lost == 0)
        return true;
    seebatch_io_loss_text(lost, target, text, sizeof text);
    bytes_add_string(why, text);
    return false;
}

static void tell_losses(const struct target *target, struct source *source, struct bytes *why)
{
    seebatch_io_headings_place(source, target);
    const size_t before = why->used;
    bytes_add_string(why, "; ");
    if (loses_nothing(target, source, why))
        why->used = before;
}

/* Whether a file has the fields that something needs. */
static bool has_fields(unsigned fields, unsigned needed, const char *by, struct bytes *why)
{
    char names[LOSS_NAMES];
    if ((needed & ~fields) == 0)
        return true;
    seebatch_io_field_list(needed & ~fields, "or", names, sizeof names);
    bytes_add_string(why, "it has no column for ");
    bytes_add_string(why, names);
    bytes_add_string(why, ", which ");
    bytes_add_string(why, by);
    bytes_add_string(why, " needs");
    return false;
}

/* Whether the rows of a table can be copied into the one that is written. */
static bool fits_table(const struct target *target, const struct source *source, struct bytes *why)
{
    if (source->format->read_header == NULL || !keeps_form(target, source) ||
        same_header(&source->header, &target->first->header))
        return true;
    bytes_add_string(why, "its header differs from that of ");
    bytes_add_string(why, target->first->name);
    bytes_add_string(why, ", expected the same columns: they are written into one table");
    return false;
}

/* Whether a file, whose beginning is known, fits. */
static bool is_compatible(const struct seebatch_pipeline *run, struct source *source, struct bytes *why, bool *refused)
{
    const struct target *target = &run->target;
    const unsigned fields = source->fields | (source->format->implies_ply ? FIELD_PLY : 0u);
    const bool writes = run->options.output != NULL;
    unsigned selected = 0;
    for (int i = 0; i < target->n_selected; i++)
        selected |= target->selected[i];
    if (!has_fields(fields, run->options.required, "a condition", why) ||
        !has_fields(fields, selected, "--columns", why) ||
        (writes && source->format != target->format &&
         !has_fields(fields, target->format->needed, target->format->name, why))) {
        *refused = true;
        if (writes) /* what would be lost, too, at once */
            tell_losses(target, source, why);
        return false;
    }
    source->checked = true;
    if (!writes)
        return true;
    if (run->options.scores && !has_fields(target->fields, FIELD_SCORE, "--mark-score", why))
        return false;
    seebatch_io_headings_place(source, target);
    const bool well = fits_table(target, source, why) && loses_nothing(target, source, why);
    *refused |= !well;
    return well;
}

/* ---- All files -------------------------------------------------------------------------------------------------- */

/* Returns the fields of the output: where it has columns, those of the first file if it is such a table, and otherwise
 * those that any of the files has. */
static unsigned fields_of_all(const struct target *target, const struct source *sources, size_t n)
{
    unsigned fields = sources[0].fields;
    if (target->format->begin == NULL || target->n_selected > 0)
        return target->format->fields;
    for (size_t i = 1; i < n && sources[0].format != target->format; i++)
        fields |= sources[i].fields;
    return fields;
}

static void choose_columns(struct seebatch_pipeline *run)
{
    struct target *target = &run->target;
    target->first = run->sources;
    target->fields = fields_of_all(target, run->sources, run->n_sources);
    target->fields |= target->format->any_columns ? FIELD_COLUMNS : 0u;
    seebatch_io_headings_of_target(target);
}

bool seebatch_io_check_file(struct seebatch_pipeline *run, struct source *source, const struct bytes *head,
                            struct bytes *why, bool *refused)
{
    if (!source->header_read && !seebatch_io_take_file_header(source, head, why))
        return false;
    if (run->target.first == NULL)
        choose_columns(run);
    return is_compatible(run, source, why, refused);
}

static void say(struct seebatch_pipeline *run, const struct source *source, const struct bytes *why)
{
    seebatch_io_reporter_say(&run->reporter, SEEBATCH_ERROR_REPORT_FILE, source->name, why->data, why->used);
}

bool seebatch_io_check_compatibility(struct seebatch_pipeline *run, bool *refused)
{
    struct source *sources = run->sources;
    struct target *target = &run->target;
    struct bytes why = {0};
    bool well = true;
    for (size_t i = 0; i < run->n_sources; i++) {
        struct source *source = &sources[i];
        source->fields = source->format->read_header == NULL ? source->format->fields : 0;
        why.used = 0;
        if (source->format->binary && source->format->read_first != NULL)
            source->format->read_first(source, NULL, 0);
        source->header_read = source->format->binary;
        if (!seebatch_io_read_file_header(source, &why)) {
            well = false;
            if (!why.failed)
                say(run, source, &why);
        }
    }
    if (well &&
        (sources[0].header_read || (sources[0].format->read_header == NULL && sources[0].format->read_first == NULL)))
        choose_columns(run);
    for (size_t i = 0; i < run->n_sources && well && target->first != NULL; i++) {
        why.used = 0;
        if (sources[i].header_read && !is_compatible(run, &sources[i], &why, refused)) {
            say(run, &sources[i], &why);
            well = false;
        }
    }
    run->no_memory |= why.failed;
    free(why.data);
    return well && !run->no_memory;
}
