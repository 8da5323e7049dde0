/*
 * The beginning of files: the mark of UTF-8, the header of a table, and whether a file has what the run needs.
 *
 * Regular files are opened, looked at and closed again one after another before the run begins, so that a file that is
 * missing or does not fit is reported at once, and not after hours; and so that no more than one is open at a time.
 * Where a pipe or a device is a table, its header is known only when its turn comes.
 */
#include "beginnings.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "formats/headings.h"
#include "formats/losses.h"
#include "stream.h"

enum { LONGEST_HEADER = 1 << 24, LEAST_HEAD = 4 };

/* ---- The first bytes -------------------------------------------------------------------------------------------- */

/* Whether what should be text is not compressed. */
static bool is_not_compressed(const struct source *source, const struct bytes *head, struct bytes *why)
{
    static const struct {
        const char *begin, *name, *ending;
    } compressors[] = {{"\x1f\x8b\x08", "gzip", ".gz"}, {"\x28\xb5\x2f\xfd", "Zstandard", ".zst"}};
    for (size_t i = 0; i < sizeof compressors / sizeof compressors[0] && !source->format->binary; i++) {
        const size_t length = strlen(compressors[i].begin);
        if (head->used < length || memcmp(head->data, compressors[i].begin, length) != 0)
            continue;
        bytes_add_string(why, "it is compressed by ");
        bytes_add_string(why, compressors[i].name);
        bytes_add_string(why, ", expected text, or a file whose name ends with ");
        bytes_add_string(why, compressors[i].ending);
        return false;
    }
    return true;
}

/* Reads the header, behind what is to be skipped already. */
static bool take_header(struct source *source, const struct bytes *head, struct bytes *why)
{
    const char *first = head->used > 0 ? head->data + source->skip : NULL;
    const size_t length = head->used - source->skip;
    const char *lf = length > 0 ? memchr(first, '\n', length) : NULL;
    seebatch_error error;
    if (lf == NULL) {
        bytes_add_string(why, head->used == 0 ? "it is empty, expected a header with the names of columns"
                                              : "the header has no end, expected a line with the names of columns");
        return false;
    }
    bytes_add(&source->header, first, (size_t)(lf - first));
    source->skip += (size_t)(lf - first) + 1;
    if (source->format->read_header(source, &error))
        return true;
    bytes_add_string(why, error.text);
    return false;
}

/* Reads what stands before the records: the mark of UTF-8, with which some editors and spreadsheets begin a text, and
 * the header. Of a format without one, the first record may name the columns. */
static bool take_beginning(struct source *source, const struct bytes *head, struct bytes *why)
{
    static const char mark[] = "\xef\xbb\xbf";
    enum { MARK_SIZE = sizeof mark - 1 };
    source->begun = true;
    if (!is_not_compressed(source, head, why))
        return false;
    if (!source->format->binary && head->used >= MARK_SIZE && memcmp(head->data, mark, MARK_SIZE) == 0)
        source->skip = MARK_SIZE;
    if (source->format->read_first != NULL && head->used > source->skip) {
        const char *first = head->data + source->skip, *end = bytes_end(head);
        const char *lf = memchr(first, '\n', (size_t)(end - first));
        source->format->read_first(source, first, (size_t)((lf != NULL ? lf : end) - first));
    }
    return source->format->read_header == NULL || take_header(source, head, why);
}

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
    const unsigned lost = losses_of_source(source, target);
    char text[LOSS_TEXT];
    if (lost == 0)
        return true;
    loss_text(lost, target, text, sizeof text);
    bytes_add_string(why, text);
    return false;
}

/* Whether a file has the fields that something needs. */
static bool has_fields(unsigned fields, unsigned needed, const char *by, struct bytes *why)
{
    char names[LOSS_NAMES];
    if ((needed & ~fields) == 0)
        return true;
    field_list(needed & ~fields, names, sizeof names);
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
    if (source->format->read_header == NULL || source->format != target->format ||
        same_header(&source->header, &target->first->header))
        return true;
    bytes_add_string(why, "its header differs from that of ");
    bytes_add_string(why, target->first->name);
    bytes_add_string(why, ", expected the same columns: they are written into one table");
    return false;
}

/* Whether a file, whose beginning is known, fits. */
static bool fits(const struct pipeline *pipeline, struct source *source, struct bytes *why, bool *refused)
{
    const struct target *target = &pipeline->target;
    const unsigned fields = source->fields | (source->format->implies_ply ? FIELD_PLY : 0u);
    if (!has_fields(fields, pipeline->required, "a condition", why) ||
        (source->format != target->format && !has_fields(fields, target->format->needed, target->format->name, why)))
        return false;
    source->checked = true;
    if (pipeline->sink == NULL)
        return true;
    headings_place(source, target);
    const bool well = fits_table(target, source, why) && loses_nothing(target, source, why);
    *refused |= !well;
    return well;
}

/* ---- All files -------------------------------------------------------------------------------------------------- */

/* The fields of the output: where it has columns, those of the first file if it is such a table, and otherwise those
 * that any of the files has. */
static unsigned fields_of_all(const struct target *target, const struct source *sources, int n)
{
    unsigned fields = sources[0].fields;
    if (target->format->begin == NULL)
        return target->format->fields;
    for (int i = 1; i < n && sources[0].format != target->format; i++)
        fields |= sources[i].fields;
    return fields;
}

static void choose_columns(struct pipeline *pipeline)
{
    struct target *target = &pipeline->target;
    target->first = pipeline->sources;
    target->fields = fields_of_all(target, pipeline->sources, pipeline->n_names);
    target->fields |= target->format->any_columns ? FIELD_COLUMNS : 0u;
    headings_of_target(target);
}

bool check_beginning(struct pipeline *pipeline, struct source *source, const struct bytes *head, struct bytes *why,
                     bool *refused)
{
    if (!source->begun && !take_beginning(source, head, why))
        return false;
    if (pipeline->target.first == NULL)
        choose_columns(pipeline);
    return fits(pipeline, source, why, refused);
}

/* Reads the beginning of a regular file, as far as it is needed; false, and *why, if that fails. What is wrong with
 * compressed bytes is left for the time when they are read: what stands before is good. */
static bool read_beginning(struct source *source, struct bytes *why)
{
    struct stream stream;
    struct bytes head = {NULL, 0, 0};
    long got = 1;
    bool header = source->format->read_header != NULL || source->format->read_first != NULL;
    if (!stream_open(&stream, source->name, why))
        return false;
    while (got > 0 && (header || head.used < LEAST_HEAD) && head.used < LONGEST_HEADER) {
        enum { ROOM = 1 << 16 };
        bytes_reserve(&head, ROOM);
        got = stream_read(&stream, head.data + head.used, ROOM, why);
        header &= got <= 0 || memchr(head.data + head.used, '\n', (size_t)got) == NULL;
        head.used += got > 0 ? (size_t)got : 0;
    }
    stream_close(&stream);
    const bool well = got < 0 ? stream.damaged : take_beginning(source, &head, why);
    free(head.data);
    return well;
}

static bool is_regular(const char *name)
{
    struct stat file;
    return strcmp(name, "-") != 0 && stat(name, &file) == 0 && S_ISREG(file.st_mode);
}

static void report_file(const char *name, const struct bytes *why)
{
    fprintf(stderr, "%s: %.*s\n", name, (int)why->used, why->used > 0 ? why->data : "");
}

bool check_beginnings(struct pipeline *pipeline, bool *refused)
{
    struct source *sources = pipeline->sources;
    struct target *target = &pipeline->target;
    struct bytes why = {NULL, 0, 0};
    bool well = true;
    if (target->format == NULL)
        target->format = sources[0].format;
    for (int i = 0; i < pipeline->n_names; i++) {
        struct source *source = &sources[i];
        source->fields = source->format->read_header == NULL ? source->format->fields : 0;
        why.used = 0;
        if (source->format->binary || !is_regular(source->name))
            source->begun = source->format->binary;
        else if (!read_beginning(source, &why)) {
            report_file(source->name, &why);
            well = false;
        }
    }
    if (well && (sources[0].begun || (sources[0].format->read_header == NULL && sources[0].format->read_first == NULL)))
        choose_columns(pipeline);
    for (int i = 0; i < pipeline->n_names && well && target->first != NULL; i++) {
        why.used = 0;
        if (sources[i].begun && !fits(pipeline, &sources[i], &why, refused)) {
            report_file(sources[i].name, &why);
            well = false;
        }
    }
    free(why.data);
    return well;
}
