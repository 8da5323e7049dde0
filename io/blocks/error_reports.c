/*
 * Reports what was wrong in a block. A format notes an error with its line and byte within the block; here it becomes
 * a sentence with its place in the file. Blocks come in the order of the input, so that lines can be counted.
 */
#include "error_reports.h"

#include <stdio.h>

#include "formats/losses.h"

/* Hands over the sentence in reporter->text. */
static void deliver(struct reporter *reporter, seebatch_error_report_kind kind, const char *path, seebatch_place place)
{
    bytes_add_char(&reporter->text, '\0');
    if (reporter->text.failed)
        return;
    const seebatch_error_report report = {kind, path, place, reporter->text.data};
    if (reporter->first.status == SEEBATCH_IO_OK && kind != SEEBATCH_ERROR_REPORT_WARNING &&
        kind != SEEBATCH_ERROR_REPORT_REST) {
        reporter->first.status = kind == SEEBATCH_ERROR_REPORT_RECORD ? SEEBATCH_IO_BAD_RECORD : SEEBATCH_IO_FAILED;
        snprintf(reporter->first.text, sizeof reporter->first.text, "%s", report.text);
    }
    if (reporter->on_report != NULL)
        reporter->on_report(reporter->user, &report);
}

static void add_number(struct bytes *text, const char *before, uint64_t number, const char *behind)
{
    bytes_add_string(text, before);
    seebatch_io_bytes_add_int(text, (int64_t)number);
    bytes_add_string(text, behind);
}

/* Whether the lines of a file, or the numbers of its records, are known: not in the middle of it, unless all have one size.
 */
static bool has_lines(const struct source *source) { return source->begin == 0 || source->format->record_size > 0; }

/* Writes the line of the file, or the number of the record. */
static uint64_t line_in_file(const struct reporter *reporter, const struct block *block, uint64_t line)
{
    const size_t record_size = block->source->format->record_size;
    return reporter->lines + line + (record_size > 0 ? block->source->begin / record_size : 0);
}

/* Writes where a record lies: its line, or its number and byte. */
static seebatch_place add_place(struct reporter *reporter, const struct block *block, const struct error_report *report)
{
    struct bytes *text = &reporter->text;
    const struct source *source = block->source;
    seebatch_place place = {line_in_file(reporter, block, report->line), block->offset + report->offset};
    bytes_empty(text);
    bytes_add_string(text, source->name);
    if (!has_lines(source)) {
        place.line = 0;
        bytes_add_string(text, source->format->binary ? ": record" : ": line");
        add_number(text, " at byte ", place.byte, ": ");
    } else if (source->format->binary) {
        add_number(text, ": record ", place.line, " at byte ");
        add_number(text, "", place.byte, ": ");
    } else {
        add_number(text, ":", place.line, ": ");
    }
    if (report->game > 0 && source->begin == 0)
        add_number(text, "game ", reporter->games + report->game, ": ");
    return place;
}

/* Which lines of those that are reported are the first, where a strict run stopped, and the one that ended a run
 * that would have lost something; UINT64_MAX if there is none. */
static void find_stops(const struct block *block, uint64_t *first, uint64_t *stop)
{
    const char *end = bytes_end(&block->error_reports);
    struct error_report report;
    *first = *stop = UINT64_MAX;
    for (const char *at = block->error_reports.data; at < end; at += sizeof report + report.length) {
        memcpy(&report, at, sizeof report);
        *first = report.line < *first ? report.line : *first;
        *stop = block->refused ? report.line : *stop; /* the last one refuses; records after it were read before */
    }
}

/* Whether the same was told before of this file. Then it is only counted, as the further times of what is told now. Where
 * the run ends within the block, these may lie after the end. */
static bool was_told(struct reporter *reporter, const struct block *block, const struct error_report *report,
                     const char *text)
{
    const uint64_t times = block->refused ? 1 : report->times;
    if (reporter->strict || (block->source->each_error && !report->warning))
        return false;
    if (!has_lines(block->source))
        return seebatch_io_repeats_note(&reporter->repeats, text, report->length, report->warning, times,
                                        block->offset + report->offset, block->offset + block->in.used);
    return seebatch_io_repeats_note(&reporter->repeats, text, report->length, report->warning, times,
                                    line_in_file(reporter, block, report->line),
                                    line_in_file(reporter, block, report->last_line));
}

/* Tells what was wrong in a block, up to where the run stopped: MOST_ERROR_REPORTS for a file, and what ended the run. Of
 * a strict run only what comes first. */
static void report_errors_of_block(struct reporter *reporter, const struct block *block)
{
    const char *at = block->error_reports.data, *end = bytes_end(&block->error_reports);
    uint64_t first, stop;
    struct error_report report;
    find_stops(block, &first, &stop);
    reporter->error_reports += block->bad;
    for (; at < end; at += sizeof report + report.length) {
        memcpy(&report, at, sizeof report);
        const bool ends = block->refused && at == block->error_reports.data + block->last;
        reporter->error_reports -= report.line > stop;
        if (report.line > stop || (reporter->strict && report.line != first) ||
            (!ends && was_told(reporter, block, &report, at + sizeof report)) ||
            (reporter->shown >= MOST_ERROR_REPORTS && !report.warning && !ends))
            continue;
        reporter->shown += !report.warning;
        const seebatch_place place = add_place(reporter, block, &report);
        bytes_add_string(&reporter->text, report.warning ? "warning: " : "");
        bytes_add(&reporter->text, at + sizeof report, report.length);
        deliver(reporter, report.warning ? SEEBATCH_ERROR_REPORT_WARNING : SEEBATCH_ERROR_REPORT_RECORD,
                block->source->name, place);
    }
}

void seebatch_io_reporter_say(struct reporter *reporter, seebatch_error_report_kind kind, const char *path,
                              const char *text, size_t length)
{
    const seebatch_place none = {0, 0};
    bytes_empty(&reporter->text);
    if (path != NULL) {
        bytes_add_string(&reporter->text, path);
        bytes_add_string(&reporter->text, ": ");
    }
    bytes_add(&reporter->text, text, length);
    deliver(reporter, kind, path, none);
}

void seebatch_io_reporter_missing_fields(struct reporter *reporter)
{
    char text[256], list[128] = "";
    size_t used = 0;
    for (int k = 0; k < N_FIELDS; k++)
        if (reporter->lacking[k] > 0 && reporter->lacking[k] < reporter->records)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s: %llu", used > 0 ? ", " : "",
                                     seebatch_io_field_name(1u << k), (unsigned long long)reporter->lacking[k]);
    const int length = snprintf(
        text, sizeof text,
        "warning: some of its %llu records lack a field that others have (%s); lines may be missing from the file",
        (unsigned long long)reporter->records, list);
    if (used > 0)
        seebatch_io_reporter_say(reporter, SEEBATCH_ERROR_REPORT_WARNING, reporter->source->name, text, (size_t)length);
    memset(reporter->lacking, 0, sizeof reporter->lacking);
    reporter->records = 0;
}

void seebatch_io_reporter_repeats(struct reporter *reporter)
{
    struct repeats *repeats = &reporter->repeats;
    char text[REPEAT_SIZE];
    for (const struct repeat *repeat = repeats->list; repeat < repeats->list + repeats->n; repeat++) {
        const struct source *source = reporter->source;
        const char *place = !has_lines(source) ? "byte" : source->format->binary ? "record" : "line";
        const int length = seebatch_io_repeat_text(repeat, place, text);
        if (length > 0)
            seebatch_io_reporter_say(reporter, SEEBATCH_ERROR_REPORT_REST, source->name, text, (size_t)length);
        reporter->shown += repeat->warning ? 0 : repeat->times;
    }
    reporter->text.failed |= repeats->texts.failed;
    seebatch_io_repeats_empty(repeats);
}

void seebatch_io_reporter_nothing(struct reporter *reporter)
{
    static const char text[] = "warning: no position was found in it";
    const struct source *source = reporter->source;
    /* A part may be empty, although the file is not. */
    if (reporter->nothing && reporter->ended && source->from == 0 && source->to == source->size) {
        reporter->empty_files++;
        seebatch_io_reporter_say(reporter, SEEBATCH_ERROR_REPORT_WARNING, source->name, text, sizeof text - 1);
    }
    reporter->nothing = reporter->ended = false;
}

/* The end of a file: how much was wrong with it that was not told. */
void seebatch_io_reporter_end(struct reporter *reporter)
{
    seebatch_io_reporter_missing_fields(reporter);
    seebatch_io_reporter_repeats(reporter);
    seebatch_io_reporter_nothing(reporter);
    if (reporter->error_reports > reporter->shown && !reporter->strict) {
        char text[80];
        const int length = snprintf(text, sizeof text, "%llu errors, %llu of them are not shown",
                                    (unsigned long long)reporter->error_reports,
                                    (unsigned long long)(reporter->error_reports - reporter->shown));
        seebatch_io_reporter_say(reporter, SEEBATCH_ERROR_REPORT_REST, reporter->source->name, text, (size_t)length);
    }
    reporter->error_reports = reporter->shown = 0;
}

void seebatch_io_report_block(struct reporter *reporter, const struct block *block)
{
    if (block->source != reporter->source) {
        seebatch_io_reporter_end(reporter);
        reporter->source = block->source;
        reporter->lines = block->source->header.used > 0;
        reporter->nothing = true;
        reporter->games = 0;
    }
    report_errors_of_block(reporter, block);
    if (block->failure.used > 0)
        seebatch_io_reporter_say(reporter, SEEBATCH_ERROR_REPORT_FILE, block->source->name, block->failure.data,
                                 block->failure.used);
    reporter->records += block->read;
    reporter->nothing &= block->read == 0 && block->bad == 0 && !block->damaged && block->failure.used == 0;
    reporter->ended = block->at_end;
    for (int k = 0; k < N_FIELDS; k++)
        reporter->lacking[k] += block->lacking[k];
    reporter->lines += block->lines;
    reporter->games += block->games;
}
