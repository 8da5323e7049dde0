/*
 * Files of records for commands that read lines: a record is a line with its FEN, as seebatch convert writes it.
 *
 * The library's reader gives some hundred records at a time, and what is wrong with others in sentences.
 */
#include <stdlib.h>
#include <string.h>

#include "tool.h"

enum { RECORDS_AT_ONCE = 512 };

struct records {
    seebatch_reader *reader;
    seebatch_file_format format;
    seebatch_records batch; /* whose arrays these are: */
    seebatch_position positions[RECORDS_AT_ONCE];
    seebatch_move moves[RECORDS_AT_ONCE];
    int32_t scores[RECORDS_AT_ONCE];
    uint8_t has[RECORDS_AT_ONCE];
    seebatch_place places[RECORDS_AT_ONCE];
    seebatch_cell fens[RECORDS_AT_ONCE];
    size_t next;                  /* of the batch */
    uint64_t reported;            /* bad records; those behind MOST_ERROR_REPORTS the reader counts only */
    struct record_fields current; /* what its record says, */
    seebatch_place place;         /* and where it stands */
    char fen[SEEBATCH_FEN_SIZE];
    struct bytes text; /* of a position that the file spells otherwise */
};

bool records_open(struct input *input, const seebatch_file_format *format)
{
    struct records *records = reallocate(NULL, 1, sizeof *records);
    const seebatch_reader_options options = {.path = input->name, .format = format->name};
    seebatch_io_error error;
    memset(records, 0, sizeof *records);
    records->format = *format;
    records->batch = (seebatch_records){.capacity = RECORDS_AT_ONCE,
                                        .positions = records->positions,
                                        .moves = records->moves,
                                        .scores = records->scores,
                                        .has = records->has,
                                        .places = records->places,
                                        .fens = records->fens};
    records->reader = seebatch_reader_open(&options, &error);
    if (records->reader == NULL) {
        report("%s", error.text);
        free(records);
        return false;
    }
    input->records = records;
    return true;
}

/* Whether an error report is to be shown: the reader gives one for each bad record, and a terminal shows equal ones once. */
static bool is_shown(struct input *input, const seebatch_error_report *error_report)
{
    const char *sentence = strstr(error_report->text + strlen(error_report->path), ": ");
    if (sentence != NULL && records_are_binary(input))
        sentence = strstr(sentence + 1, ": "); /* FILE: record 3 at byte 64: ... */
    if (sentence == NULL)
        sentence = error_report->text;
    input->records->reported++;
    return input_shows_error(input, sentence, strlen(sentence), error_report->place.line);
}

/* Tells what was wrong in the file. Returns whether the file itself was. */
static bool print_error_reports(struct input *input)
{
    seebatch_error_report error_report;
    bool file = false;
    while (seebatch_reader_error_report(input->records->reader, &error_report)) {
        if (error_report.kind != SEEBATCH_ERROR_REPORT_RECORD || is_shown(input, &error_report))
            fprintf(stderr, "%s\n", error_report.text);
        input->failed |= error_report.kind != SEEBATCH_ERROR_REPORT_WARNING;
        file |= error_report.kind == SEEBATCH_ERROR_REPORT_FILE;
    }
    return file;
}

static bool next_batch(struct input *input)
{
    struct records *records = input->records;
    seebatch_io_error error;
    records->next = 0;
    const seebatch_io_status status = seebatch_reader_next(records->reader, &records->batch, &error);
    const bool explained = print_error_reports(input);
    if (status != SEEBATCH_IO_OK && status != SEEBATCH_IO_END && !explained)
        report("%s", error.text);
    input->failed |= status != SEEBATCH_IO_OK && status != SEEBATCH_IO_END;
    return status == SEEBATCH_IO_OK;
}

/* The text of a record's position is the line; a TAB in it would end the position. */
static void spell(struct input *input, const seebatch_cell *fen, const seebatch_position *position)
{
    struct records *records = input->records;
    input->line = records->fen;
    if (fen->length == 0) {
        input->line_length = (size_t)seebatch_position_to_fen(position, records->fen);
        return;
    }
    bytes_empty(&records->text);
    bytes_add(&records->text, fen->text, fen->length);
    if (records->text.failed) {
        report("out of memory for a position of %zu bytes", fen->length);
        exit(STATUS_ERROR);
    }
    input->line = records->text.data;
    input->line_length = fen->length;
    for (char *tab = input->line; (tab = memchr(tab, '\t', (size_t)(input->line + fen->length - tab))) != NULL;)
        *tab = ' ';
}

bool records_next(struct input *input)
{
    struct records *records = input->records;
    if (records->next == records->batch.n && !next_batch(input))
        return false;
    const size_t i = records->next++;
    const seebatch_position *position = &records->positions[i];
    const bool of_black = records->format.mover && position->stm == SEEBATCH_BLACK;
    records->current.position = position;
    records->current.has = records->has[i];
    records->current.move = records->moves[i];
    records->current.score = of_black ? -records->scores[i] : records->scores[i];
    records->place = records->places[i];
    input->line_number = records->place.line;
    spell(input, &records->fens[i], position);
    return true;
}

const struct record_fields *input_record(const struct input *input)
{
    return input->records != NULL ? &input->records->current : NULL;
}

bool records_are_binary(const struct input *input) { return input->records->format.binary; }

void records_place(const struct input *input, FILE *to)
{
    const struct records *records = input->records;
    fprintf(to, records->format.binary ? "%s: record %llu" : "%s:%llu", input->name,
            (unsigned long long)records->place.line);
    if (records->format.binary)
        fprintf(to, " at byte %llu", (unsigned long long)records->place.byte);
    fputs(": ", to);
}

void records_end(struct input *input)
{
    print_error_reports(input);
    const uint64_t unreported = seebatch_reader_counts(input->records->reader).bad - input->records->reported;
    input->error_reports += unreported;
    input->hidden += unreported;
}

void records_close(struct input *input)
{
    struct records *records = input->records;
    seebatch_reader_close(records->reader);
    free(records->text.data);
    free(records);
    input->records = NULL;
}
