/*
 * Reads reports that were written as JSON, to add them: a reader of JSON that builds nothing, and what is taken from
 * it.
 *
 * The whole text is checked first, with a bound for how deep it goes. After that, members are looked for in what is
 * known to be well-formed.
 */
#include <stdio.h>
#include <stdlib.h>

#include "counters.h"
#include "formats/format.h"
#include "support/errors.h"

enum { DEEPEST = 32 };

/* No report has a greater number, or counters whose sum is greater: so no sum of two reports overflows. */
static const uint64_t most_counted = UINT64_C(1) << 53;

/* A value within the text. */
struct value {
    const char *at, *end;
};

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
        at++;
    return at;
}

/* Each returns the place behind what it skips, or NULL where it is not there. */
static const char *skip_string(const char *at, const char *end)
{
    if (at == end || *at != '"')
        return NULL;
    for (at++; at < end && *at != '"'; at++) {
        if ((unsigned char)*at < ' ')
            return NULL;
        if (*at == '\\' && ++at == end)
            return NULL;
    }
    return at < end ? at + 1 : NULL;
}

static const char *skip_word(const char *at, const char *end)
{
    const char *begin = at;
    while (at < end && ((*at >= '0' && *at <= '9') || (*at >= 'a' && *at <= 'z') || *at == '-' || *at == '+' ||
                        *at == '.' || *at == 'E'))
        at++;
    return at > begin ? at : NULL;
}

static const char *skip_value(const char *at, const char *end, int depth)
{
    at = skip_blanks(at, end);
    if (at == end || depth == DEEPEST)
        return NULL;
    if (*at == '"')
        return skip_string(at, end);
    if (*at != '{' && *at != '[')
        return skip_word(at, end);
    const bool object = *at == '{';
    const char close = object ? '}' : ']';
    at = skip_blanks(at + 1, end);
    if (at < end && *at == close)
        return at + 1;
    for (;;) {
        if (object) {
            at = skip_string(skip_blanks(at, end), end);
            at = at != NULL ? skip_blanks(at, end) : NULL;
            if (at == NULL || at == end || *at++ != ':')
                return NULL;
        }
        at = skip_value(at, end, depth + 1);
        at = at != NULL ? skip_blanks(at, end) : NULL;
        if (at == NULL || at == end || (*at != ',' && *at != close))
            return NULL;
        if (*at++ == close)
            return at;
    }
}

/* Returns the next value of an array or object that is well-formed, after *at, which begins as NULL; of a member, it
 * also sets the name. */
static bool next_value(const struct value *all, const char **at, struct value *name, struct value *value)
{
    if (all->at == all->end || (*all->at != '[' && *all->at != '{'))
        return false;
    const char *place = skip_blanks(*at == NULL ? all->at + 1 : *at, all->end);
    if (*place == ']' || *place == '}')
        return false;
    if (*place == ',')
        place = skip_blanks(place + 1, all->end);
    if (*all->at == '{') {
        const char *after = skip_string(place, all->end);
        *name = (struct value){place + 1, after - 1};
        place = skip_blanks(skip_blanks(after, all->end) + 1, all->end);
    }
    value->at = place;
    value->end = *at = skip_value(place, all->end, 0);
    return true;
}

static bool find_member(const struct value *object, const char *wanted, struct value *value)
{
    const char *at = NULL;
    struct value name;
    while (object->at < object->end && *object->at == '{' && next_value(object, &at, &name, value))
        if ((size_t)(name.end - name.at) == strlen(wanted) && memcmp(name.at, wanted, strlen(wanted)) == 0)
            return true;
    return false;
}

static bool read_number(const struct value *value, uint64_t *number)
{
    *number = 0;
    for (const char *at = value->at; at < value->end; at++) {
        const unsigned digit = (unsigned)(*at - '0');
        if (digit > 9 || *number > (UINT64_MAX - digit) / 10)
            return false;
        *number = 10 * *number + digit;
    }
    return value->at < value->end;
}

static void add_code(struct bytes *out, unsigned code)
{
    if (code < 0x80) {
        bytes_add_char(out, (char)code);
    } else if (code < 0x800) {
        bytes_add_char(out, (char)(0xc0 | code >> 6));
        bytes_add_char(out, (char)(0x80 | (code & 63)));
    } else {
        bytes_add_char(out, (char)(0xe0 | code >> 12));
        bytes_add_char(out, (char)(0x80 | (code >> 6 & 63)));
        bytes_add_char(out, (char)(0x80 | (code & 63)));
    }
}

/* Reads a string as text that ends with a NUL; returns false if it is none, or has what a name cannot have. */
static bool read_text(const struct value *value, struct bytes *out)
{
    out->used = 0;
    if (*value->at != '"')
        return false;
    for (const char *at = value->at + 1; at < value->end - 1; at++) {
        unsigned code = 0;
        if (*at != '\\') {
            bytes_add_char(out, *at);
            continue;
        }
        if (*++at != 'u') {
            bytes_add_char(out, *at == 'n' ? '\n' : *at == 't' ? '\t' : *at);
            continue;
        }
        for (int i = 0; i < 4; i++) {
            const char c = ++at < value->end ? *at : ' ';
            const int digit = c >= '0' && c <= '9'   ? c - '0'
                              : c >= 'a' && c <= 'f' ? c - 'a' + 10
                              : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                     : -1;
            if (digit < 0)
                return false;
            code = 16 * code + (unsigned)digit;
        }
        if (code == 0 || (code >= 0xd800 && code < 0xe000))
            return false;
        add_code(out, code);
    }
    bytes_add_char(out, '\0');
    return !out->failed && strlen(out->data) + 1 == out->used;
}

/* ---- The report -------------------------------------------------------------------------------------------------- */

/* Holds what is wrong, for the sentence. */
struct reading {
    const char *name;
    seebatch_io_error *error;
    struct bytes text;
};

static bool wrong(const struct reading *reading, const char *member)
{
    return seebatch_io_fail(reading->error, SEEBATCH_IO_USAGE, 0,
                            "%s: its member '%s' is missing or wrong, expected a report that seebatch stats --format "
                            "json wrote",
                            reading->name, member);
}

static bool number_member(const struct reading *reading, const struct value *object, const char *name, uint64_t *number)
{
    struct value value;
    return (find_member(object, name, &value) && read_number(&value, number) && *number <= most_counted) ||
           wrong(reading, name);
}

static bool bool_member(const struct reading *reading, const struct value *object, const char *name, bool *truth)
{
    struct value value;
    if (!find_member(object, name, &value) || (*value.at != 't' && *value.at != 'f'))
        return wrong(reading, name);
    *truth = *value.at == 't';
    return true;
}

/* The text stays until the next call. */
static bool text_member(struct reading *reading, const struct value *object, const char *name, const char **text)
{
    struct value value;
    if (!find_member(object, name, &value) || !read_text(&value, &reading->text))
        return reading->text.failed ? seebatch_io_no_memory(reading->error) : wrong(reading, name);
    *text = reading->text.data;
    return true;
}

static bool read_cells(const struct reading *reading, const struct value *counts, const char *name, uint64_t *cells,
                       size_t n)
{
    struct value array, unused, value;
    const char *at = NULL;
    uint64_t sum = 0;
    if (!find_member(counts, name, &array)) /* all are 0 */
        return true;
    if (*array.at != '[')
        return wrong(reading, name);
    while (next_value(&array, &at, &unused, &value)) {
        uint64_t cell, count;
        if (!read_number(&value, &cell) || cell >= n || !next_value(&array, &at, &unused, &value) ||
            !read_number(&value, &count) || count > most_counted - sum)
            return wrong(reading, name);
        cells[cell] += count;
        sum += count;
    }
    return true;
}

static bool read_counts(struct reading *reading, const struct value *report, seebatch_stats *stats)
{
    struct totals *totals = stats->totals;
    struct value counts, sketch;
    if (!find_member(report, "counts", &counts) || *counts.at != '{')
        return wrong(reading, "counts");
#define X(name, cells)                                                                                                 \
    if (!read_cells(reading, &counts, #name, totals->name, cells))                                                     \
        return false;
    STATS_COUNTERS(X)
#undef X
    const uint64_t positions = totals->positions[0];
    if (seebatch_io_sum(totals->fields, 16) != positions || seebatch_io_sum(totals->sides, 2) != positions ||
        seebatch_io_sum(totals->moves, N_MOVE_KINDS) != positions ||
        seebatch_io_sum(totals->captures, SEEBATCH_MAX_MOVES + 1) != positions ||
        totals->quiet[QUIET_NO_CHECK] > positions || totals->contradictions[1] > totals->contradictions[0])
        return wrong(reading, "counts");
    if (!find_member(report, "sketch", &sketch) || *sketch.at != '"' ||
        !seebatch_io_sketch_read(stats->registers, sketch.at + 1, (size_t)(sketch.end - sketch.at - 2)))
        return wrong(reading, "sketch");
    return true;
}

static bool read_files(struct reading *reading, const struct value *report, seebatch_stats *stats)
{
    struct value files, unused, file, counts;
    const char *at = NULL, *text;
    seebatch_counts *sum = &stats->counts;
    if (!find_member(report, "files", &files) || *files.at != '[')
        return wrong(reading, "files");
    while (next_value(&files, &at, &unused, &file)) {
        bool compressed = false;
        if (!text_member(reading, &file, "format", &text))
            return false;
        const struct file_format *format = seebatch_io_format_named(text);
        if (format == NULL || !bool_member(reading, &file, "compressed", &compressed))
            return wrong(reading, "files");
        if (!text_member(reading, &file, "name", &text))
            return false;
        if (!seebatch_io_stats_add_file(stats, text, format->name, compressed))
            return seebatch_io_no_memory(reading->error);
    }
    return (find_member(report, "reading", &counts) || wrong(reading, "reading")) &&
           number_member(reading, &counts, "consumed", &sum->consumed) &&
           number_member(reading, &counts, "bad", &sum->bad) &&
           number_member(reading, &counts, "lost_bytes", &sum->lost_bytes) &&
           number_member(reading, &counts, "lost_records", &sum->lost_records) &&
           number_member(reading, &counts, "empty_files", &sum->empty_files) &&
           bool_member(reading, &counts, "damaged", &sum->damaged) &&
           bool_member(reading, &counts, "incomplete", &sum->incomplete) &&
           bool_member(reading, report, "scores_of_mover", &stats->mover);
}

/* "100,325,325,500,975" */
static bool values_of_text(const char *text, int16_t values[5])
{
    for (int i = 0; i < 5; i++) {
        const size_t length = strcspn(text, ",");
        int64_t value;
        if (!seebatch_io_read_whole_number(text, length, 0, SEEBATCH_MAX_PIECE_VALUE, &value) ||
            text[length] != (i < 4 ? ',' : '\0'))
            return false;
        values[i] = (int16_t)value;
        text += length + 1;
    }
    return true;
}

/* Holds the rule sets of the report, with room for their names. */
struct read_rules {
    seebatch_stats_rules list[MOST_RULE_SETS];
    struct bytes names[MOST_RULE_SETS];
    size_t n;
};

static bool read_rules(struct reading *reading, const struct value *report, struct read_rules *rules)
{
    struct value played, unused, one;
    const char *at = NULL, *text;
    if (!find_member(report, "played", &played) || *played.at != '[')
        return wrong(reading, "played");
    while (next_value(&played, &at, &unused, &one)) {
        seebatch_stats_rules *to = &rules->list[rules->n];
        if (rules->n == MOST_RULE_SETS)
            return wrong(reading, "played");
        if (!text_member(reading, &one, "rules", &text))
            return false;
        if (seebatch_rules_named(text, &to->rules, NULL) != SEEBATCH_OK)
            return wrong(reading, "rules");
        struct bytes *name = &rules->names[rules->n++];
        bytes_add(name, text, strlen(text) + 1);
        if (name->failed)
            return seebatch_io_no_memory(reading->error);
        to->name = name->data;
        if (!text_member(reading, &one, "values", &text))
            return false;
        if (!values_of_text(text, to->rules.value))
            return wrong(reading, "values");
    }
    return rules->n > 0 || wrong(reading, "played");
}

static seebatch_stats *read_report(struct reading *reading, const struct value *report)
{
    struct read_rules rules = {.n = 0};
    seebatch_stats *stats = NULL;
    struct value against;
    uint64_t version = 0, bin = 0;
    bool well = number_member(reading, report, "version", &version);
    if (well && version != STATS_VERSION)
        well = seebatch_io_fail(reading->error, SEEBATCH_IO_USAGE, 0,
                                "%s: its version is %llu, expected %d; count the files again with this program",
                                reading->name, (unsigned long long)version, STATS_VERSION);
    if (well && find_member(report, "against", &against))
        well = seebatch_io_fail(reading->error, SEEBATCH_IO_USAGE, 0,
                                "%s: reports with --against cannot be added, expected one without", reading->name);
    if (well && number_member(reading, report, "bin", &bin) && read_rules(reading, report, &rules)) {
        const seebatch_stats_options options = {rules.list, rules.n, bin < N_VALUES ? (long)bin : N_VALUES, 1};
        stats = seebatch_stats_new(&options, reading->error);
    }
    for (size_t i = 0; i < rules.n; i++)
        free(rules.names[i].data);
    if (stats != NULL && read_counts(reading, report, stats) && read_files(reading, report, stats)) {
        stats->parts = 1;
        return stats;
    }
    seebatch_stats_free(stats);
    return NULL;
}

seebatch_stats *seebatch_stats_from_json(const char *name, const void *bytes, size_t length, seebatch_io_error *error)
{
    struct reading reading = {name, error, {0}};
    const char *begin = bytes, *end = begin + length;
    const struct value report = {skip_blanks(begin, end), end};
    const char *after = skip_value(report.at, end, 0);
    if (after == NULL || *report.at != '{' || skip_blanks(after, end) != end) {
        seebatch_io_fail(
            error, SEEBATCH_IO_USAGE, 0,
            "%s: it is no JSON object, or only a part of one, expected a report that seebatch stats --format json "
            "wrote",
            name);
        return NULL;
    }
    seebatch_stats *stats = read_report(&reading, &report);
    free(reading.text.data);
    return stats;
}

/* ---- Adding ------------------------------------------------------------------------------------------------------ */

static bool have_same_rules(const seebatch_stats *a, const seebatch_stats *b)
{
    bool same = a->n_rules == b->n_rules;
    for (size_t i = 0; same && i < a->n_rules; i++)
        same = strcmp(a->rules[i].name, b->rules[i].name) == 0 && strcmp(a->rules[i].values, b->rules[i].values) == 0;
    return same;
}

/* Returns whether no sum of counters grows beyond what a report may have. */
static bool can_be_added(const seebatch_stats *a, const seebatch_stats *b)
{
    const seebatch_counts *x = &a->counts, *y = &b->counts;
#define X(name, cells)                                                                                                 \
    if (seebatch_io_sum(a->totals->name, cells) + seebatch_io_sum(b->totals->name, cells) > most_counted)              \
        return false;
    STATS_COUNTERS(X)
#undef X
    return x->consumed + y->consumed <= most_counted && x->bad + y->bad <= most_counted &&
           x->lost_bytes + y->lost_bytes <= most_counted && x->lost_records + y->lost_records <= most_counted &&
           x->empty_files + y->empty_files <= most_counted;
}

seebatch_io_status seebatch_stats_add(seebatch_stats *to, const seebatch_stats *from, seebatch_io_error *error)
{
    uint64_t *sum = (uint64_t *)to->totals;
    const uint64_t *more = (const uint64_t *)from->totals;
    if (!have_same_rules(to, from)) {
        seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                         "the reports are about different rules or piece values, expected those of all to be the same");
        return SEEBATCH_IO_USAGE;
    }
    if (to->bin != from->bin) {
        seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                         "their values were counted with --bin %ld and --bin %ld, expected the same in all reports",
                         to->bin, from->bin);
        return SEEBATCH_IO_USAGE;
    }
    if (!can_be_added(to, from)) {
        seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                         "the sum of the reports is too large, expected no more than 2^53 of anything");
        return SEEBATCH_IO_USAGE;
    }
    for (size_t i = 0; i < from->n_files; i++) {
        const struct stats_file *file = &from->files[i];
        if (!seebatch_io_stats_add_file(to, file->name, file->format, file->compressed)) {
            seebatch_io_no_memory(error);
            return SEEBATCH_IO_NO_MEMORY;
        }
    }
    for (size_t i = 0; i < ALL_CELLS; i++)
        sum[i] += more[i];
    for (size_t i = 0; i < SKETCH_SIZE; i++)
        to->registers[i] = to->registers[i] > from->registers[i] ? to->registers[i] : from->registers[i];
    to->counts.consumed += from->counts.consumed;
    to->counts.bad += from->counts.bad;
    to->counts.lost_bytes += from->counts.lost_bytes;
    to->counts.lost_records += from->counts.lost_records;
    to->counts.empty_files += from->counts.empty_files;
    to->counts.damaged |= from->counts.damaged;
    to->counts.incomplete |= from->counts.incomplete;
    to->parts += from->parts;
    to->mover |= from->mover;
    to->exact = false;
    return SEEBATCH_IO_OK;
}
