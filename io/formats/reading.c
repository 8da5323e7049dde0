/*
 * What the readers of all formats share: beginning a record, reading its fields from text, and noting that it is
 * wrong. The notes become sentences with places in blocks/error_reports.c.
 */
#include <stdarg.h>
#include <stdlib.h>

#include "support/quote.h"
#include "format.h"
#include "fast_moves.h"

enum { LONGEST_SENTENCE = 1024 };

/* ---- Records ---------------------------------------------------------------------------------------------------- */

void seebatch_io_begin_record(struct cursor *cursor, struct record *record, const char *bytes, size_t length)
{
    memset(record, 0, sizeof *record);
    record->bytes = bytes;
    record->length = length;
    record->offset = (uint64_t)(bytes - cursor->block->in.data);
    record->line = ++cursor->line;
}

void seebatch_io_end_file_early(struct cursor *cursor, const char *at, const char *format, ...)
{
    char text[LONGEST_SENTENCE];
    struct block *block = cursor->block;
    const uint64_t byte = block->offset + (uint64_t)(at - block->in.data);
    int length = snprintf(text, sizeof text, "byte %llu: ", (unsigned long long)byte);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, sizeof text - (size_t)length, format, arguments);
    va_end(arguments);
    if (!block->cut) {
        block->failure.used = 0; /* why it could not be read on after this block no longer matters */
        bytes_add_string(&block->failure, text);
    }
    cursor->at = cursor->end;
}

bool seebatch_io_fail_with(seebatch_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}

void seebatch_io_skip_damage(struct block *block, uint64_t bytes, uint64_t records)
{
    block->damaged = true;
    block->lost_bytes += bytes;
    block->lost_inflated += bytes;
    block->lost_records += records;
}

void seebatch_io_note_lacking(struct block *block, unsigned fields)
{
    for (int k = 0; k < N_FIELDS; k++)
        block->lacking[k] += fields >> k & 1;
}

/* The error report with the same words, where it lies in the block; NULL if there is none. */
static char *find_error_report(const struct block *block, const struct error_report *wanted, const char *text)
{
    const char *end = bytes_end(&block->error_reports);
    struct error_report report;
    for (char *at = block->error_reports.data; at < end; at += sizeof report + report.length) {
        memcpy(&report, at, sizeof report);
        if (report.length == wanted->length && report.warning == wanted->warning &&
            memcmp(at + sizeof report, text, report.length) == 0)
            return at;
    }
    return NULL;
}

/* Keeps an error report, if need be in the place of the last one: more than MOST_ERROR_REPORTS of a file are never shown but,
 * where the run ends with it, the last one. Of one in the same words only the number and the line are kept,
 * unless each error counts. */
static void keep_error_report(struct block *block, struct error_report report, const char *text)
{
    block->bad_line = report.warning ? block->bad_line : report.line;
    const bool alone = block->source->each_error && !report.warning;
    char *same = alone ? NULL : find_error_report(block, &report, text);
    if (same != NULL) {
        const uint64_t line = report.line;
        memcpy(&report, same, sizeof report);
        report.times++;
        report.last_line = line;
        memcpy(same, &report, sizeof report);
        return;
    }
    if (block->n_error_reports > MOST_ERROR_REPORTS)
        block->error_reports.used = block->last;
    block->last = block->error_reports.used;
    block->n_error_reports++;
    bytes_add(&block->error_reports, (const char *)&report, sizeof report);
    bytes_add(&block->error_reports, text, report.length);
}

static size_t length_in(size_t room, int length)
{
    return length < 0 ? 0 : (size_t)length < room ? (size_t)length : room - 1;
}

static void report_error(struct block *block, const struct record *record, bool warning, const char *format,
                         va_list arguments)
{
    char text[LONGEST_SENTENCE];
    const size_t length = length_in(sizeof text, vsnprintf(text, sizeof text, format, arguments));
    const struct error_report report = {record->line, record->offset, record->game, warning, 1, record->line, length};
    keep_error_report(block, report, text);
}

void seebatch_io_report_error(struct block *block, const struct record *record, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report_error(block, record, false, format, arguments);
    va_end(arguments);
    block->bad++;
}

void seebatch_io_warn(struct block *block, const struct record *record, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report_error(block, record, true, format, arguments);
    va_end(arguments);
}

uint64_t seebatch_io_line_of_error(const struct block *block) { return block->bad_line; }

void seebatch_io_warn_of_last_line(struct block *block, uint64_t line)
{
    const struct source *source = block->source;
    const char *end = bytes_end(&block->in) - 1,
               *first = block->in.data + seebatch_io_whole_lines(block->in.data, block->in.used - 1);
    struct cell text = {NULL, 0}, name = {NULL, 0};
    char sentence[LONGEST_SENTENCE];
    struct error_report report = {line, (uint64_t)(first - block->in.data), 0, true, 1, line, 0};
    if (source->format->last_field != NULL &&
        seebatch_io_line_of_error(block) != line) /* of a bad line, more is said already */
        name = source->format->last_field(source, (struct cell){first, (size_t)(end - first)}, &text);
    int length = snprintf(sentence, sizeof sentence, "%s", LAST_LINE);
    if (name.length > 0)
        length += snprintf(sentence + length, sizeof sentence - (size_t)length, "; its last field, %s, is '%s'",
                           quote(name.text, name.length).text, quote(text.text, text.length).text);
    report.length = length_in(sizeof sentence, length);
    keep_error_report(block, report, sentence);
}

bool seebatch_io_read_sized_records(struct cursor *cursor, struct batch *batch, unpack_function *unpack,
                                    fast_function *fast)
{
    const size_t size = cursor->source->format->record_size;
    seebatch_error error;
    batch->n = 0;
    while (batch->n < BATCH_SIZE && cursor->at < cursor->end) {
        struct record *record = &batch->records[batch->n];
        const size_t taken =
            fast != NULL ? fast(cursor, record, &batch->positions[batch->n], BATCH_SIZE - batch->n) : 0;
        batch->n += taken;
        cursor->line += taken;
        cursor->at += size * taken;
        if (taken > 0)
            continue;
        const size_t left = (size_t)(cursor->end - cursor->at);
        seebatch_io_begin_record(cursor, record, cursor->at, left < size ? left : size);
        cursor->at += record->length;
        if (record->length < size) {
            seebatch_io_report_error(cursor->block, record,
                                     "it has %zu byte%s, expected %zu: the file may have been cut off", record->length,
                                     plural(record->length), size);
            seebatch_io_skip_damage(cursor->block, record->length, 0);
        } else if (!unpack(record->bytes, &batch->positions[batch->n], record, &error)) {
            seebatch_io_report_error(cursor->block, record, "%s", error.text);
        } else {
            batch->n++;
            continue;
        }
        if (cursor->strict)
            cursor->at = cursor->end;
    }
    return batch->n > 0;
}

/* ---- Fields ----------------------------------------------------------------------------------------------------- */

bool seebatch_io_read_position(struct block *block, struct record *record, seebatch_position *position,
                               const char *text, size_t length)
{
    seebatch_error error;
    if (seebatch_position_from_fen(text, length, position, &error) != SEEBATCH_OK) {
        seebatch_io_report_error(block, record, "%s", error.text);
        return false;
    }
    record->fen = text;
    record->fen_length = length;
    return true;
}

bool seebatch_io_move_of_text(const seebatch_position *position, const char *text, size_t length, seebatch_move *move,
                              seebatch_error *error)
{
    return seebatch_io_find_move_fast(position, text, length, move) ||
           seebatch_move_from_text(position, text, length, move, error) == SEEBATCH_OK;
}

bool seebatch_io_read_move(struct block *block, struct record *record, const seebatch_position *position,
                           const char *text, size_t length)
{
    seebatch_error error;
    if (!seebatch_io_move_of_text(position, text, length, &record->move, &error)) {
        seebatch_io_report_error(block, record, "%s", error.text);
        return false;
    }
    record->has |= FIELD_MOVE;
    return true;
}

/* Reads a number with a decimal point or without one, times a factor, to the nearest integer, halves away from zero.
 * Returns false if it is none. *exact becomes true if nothing was rounded. */
static bool read_decimal(const char *text, size_t length, int32_t factor, int64_t *number, bool *exact)
{
    enum { MOST_DIGITS = 10, TEN = 10 }; /* times MOST_SCALE they fit */
    const bool sign = length > 0 && (*text == '-' || *text == '+');
    int64_t whole = 0, carry = 0, tenths = 0;
    size_t i = sign, end = length;
    for (; i < length && text[i] != '.'; i++) {
        if (text[i] < '0' || text[i] > '9' || i - sign == MOST_DIGITS)
            return false;
        whole = TEN * whole + (text[i] - '0');
    }
    if (i == sign || i + 1 == length)
        return false;
    /* The decimals times the factor, from the last on: what a place has above nine, the place before it takes. */
    *exact = true;
    while (end > i + 1) {
        const char digit = text[--end];
        if (digit < '0' || digit > '9')
            return false;
        carry += (digit - '0') * (int64_t)factor;
        tenths = carry % TEN;
        *exact &= tenths == 0;
        carry /= TEN;
    }
    whole = whole * factor + carry + (tenths >= TEN / 2);
    *number = sign && *text == '-' ? -whole : whole;
    return true;
}

static void set_score(struct record *record, int64_t score)
{
    record->score = (int32_t)score;
    record->has |= FIELD_SCORE;
}

/* Reads the score that a text gives, of any size. Returns false if it gives none. *exact becomes true if nothing was
 * rounded. */
static bool take_score(int32_t scale, const char *text, size_t length, int64_t *score, bool *exact)
{
    *exact = true;
    return (scale == 0 && seebatch_io_read_whole_number(text, length, INT32_MIN, INT32_MAX, score)) ||
           read_decimal(text, length, scale != 0 ? scale : 1, score, exact);
}

static bool is_score(int64_t score) { return score >= INT32_MIN && score <= INT32_MAX; }

bool seebatch_io_score_of_text(const struct columns *columns, const char *text, size_t length, int64_t *score)
{
    bool exact;
    return take_score(columns->scale, text, length, score, &exact) && (exact || columns->scale != 0) &&
           is_score(*score);
}

bool seebatch_io_read_score(struct block *block, struct record *record, const char *text, size_t length)
{
    const int32_t scale = block->source->columns.scale;
    int64_t number;
    bool exact;
    const bool well = take_score(scale, text, length, &number, &exact);
    if (well && !exact && scale == 0) {
        seebatch_io_report_error(
            block, record,
            "the score is '%s', expected an integer, or --score-scale with the factor that makes it "
            "one, such as 100 for pawns",
            quote(text, length).text);
        return false;
    }
    if (!well || !is_score(number)) {
        seebatch_io_report_error(
            block, record, "the score is '%s', expected %s from %d to %d", quote(text, length).text,
            scale == 0 ? "an integer" : "a number that --score-scale makes an integer", INT32_MIN, INT32_MAX);
        return false;
    }
    set_score(record, number);
    return true;
}

bool seebatch_io_read_centipawns(struct block *block, struct record *record, const char *text, size_t length, int sign)
{
    int64_t number;
    if (!seebatch_io_read_whole_number(text, length, INT32_MIN + 1, INT32_MAX, &number)) {
        seebatch_io_report_error(block, record, "the score is '%s', expected an integer from %d to %d",
                                 quote(text, length).text, INT32_MIN + 1, INT32_MAX);
        return false;
    }
    set_score(record, sign * number);
    return true;
}

bool seebatch_io_read_mate(struct block *block, struct record *record, const seebatch_position *position,
                           const char *text, size_t length, int sign)
{
    enum { MATE = 32000, MOST_MOVES = 1000 };
    int64_t moves;
    if (!seebatch_io_read_whole_number(text, length, -MOST_MOVES, MOST_MOVES, &moves)) {
        seebatch_io_report_error(block, record,
                                 "the number of moves to mate is '%s', expected an integer from %d to %d",
                                 quote(text, length).text, -MOST_MOVES, MOST_MOVES);
        return false;
    }
    seebatch_move legal[SEEBATCH_MAX_MOVES];
    if (moves == 0 && seebatch_legal_moves(position, legal) > 0) {
        seebatch_io_report_error(
            block, record, "the number of moves to mate is 0, but there is a legal move, expected another number");
        return false;
    }
    moves *= sign;
    const bool white = moves > 0 || (moves == 0 && position->stm == SEEBATCH_BLACK);
    set_score(record, white ? MATE - moves : -MATE - moves);
    return true;
}

bool seebatch_io_read_ply(struct block *block, struct record *record, const char *text, size_t length)
{
    int64_t number;
    if (!seebatch_io_read_whole_number(text, length, 0, INT32_MAX, &number)) {
        seebatch_io_report_error(block, record, "the ply is '%s', expected an integer from 0 to %d",
                                 quote(text, length).text, INT32_MAX);
        return false;
    }
    record->ply = (int32_t)number;
    record->has |= FIELD_PLY;
    return true;
}

bool seebatch_io_read_result(struct block *block, struct record *record, const char *text, size_t length)
{
    if (seebatch_io_result_of_text(text, length, &record->result)) {
        record->has |= FIELD_RESULT;
        return true;
    }
    seebatch_io_report_error(block, record, "the result is '%s', expected 1.0, 0.5 or 0.0 (or 1-0, 1/2-1/2, 0-1)",
                             quote(text, length).text);
    return false;
}

bool seebatch_io_text_has_move_number(const struct record *record)
{
    const char *text = record->fen, *end = text + record->fen_length, *word = NULL;
    size_t word_length = 0;
    for (int i = 0; i < 6; i++)
        if (!seebatch_io_next_word(&text, end, &word, &word_length))
            return false;
    return *word >= '0' && *word <= '9';
}

unsigned seebatch_io_loses_ply(const struct record *record, const seebatch_position *position)
{
    if (!(record->has & FIELD_PLY))
        return 0;
    return seebatch_io_has_move_number(record) && record->ply == seebatch_io_ply_of_number(position) ? 0 : FIELD_PLY;
}

void seebatch_io_ply_of_fen(struct record *record, const seebatch_position *position)
{
    if (record->has & FIELD_PLY || !seebatch_io_has_move_number(record))
        return;
    record->ply = seebatch_io_ply_of_number(position);
    record->has |= FIELD_PLY;
}

/* ---- Fields as text --------------------------------------------------------------------------------------------- */

/* Returns the text of an EPD with clock and number after its four fields, or the number after five. */
static struct cell text_with_counters(struct block *block, const struct record *record,
                                      const seebatch_position *position)
{
    enum { WORDS = 4 };
    struct bytes *text = &block->text;
    const char *at = record->fen, *end = at + record->fen_length, *word, *last = at;
    size_t length;
    int n = 1;
    at = last = memchr(at, ' ', record->fen_length); /* after the board, which is most of the text */
    for (; seebatch_io_next_word(&at, end, &word, &length) && (n < WORDS || (*word >= '0' && *word <= '9')); n++)
        last = at;
    text->used = 0;
    bytes_add(text, record->fen, (size_t)(last - record->fen));
    if (n == WORDS) {
        bytes_add_char(text, ' ');
        seebatch_io_bytes_add_int(text, position->halfmove_clock);
    }
    if (record->has & FIELD_NUMBER_SAID) {
        bytes_add_char(text, ' ');
        seebatch_io_bytes_add_int(text, position->fullmove_number);
    }
    bytes_add(text, last, (size_t)(end - last));
    return (struct cell){text->data, text->used};
}

struct cell seebatch_io_text_of_position(struct block *block, const struct record *record,
                                         const seebatch_position *position, char fen[SEEBATCH_FEN_SIZE])
{
    if (record->has & FIELDS_SAID)
        return text_with_counters(block, record, position);
    if (record->fen != NULL)
        return (struct cell){record->fen, record->fen_length};
    return (struct cell){fen, seebatch_position_to_fen(position, fen)};
}

struct cell seebatch_io_text_of_field(const struct record *record, unsigned field, char room[16])
{
    static const char *const result_text[] = {"0.0", "0.5", "1.0"};
    if (!(record->has & field))
        return (struct cell){"", 0};
    if (field == FIELD_RESULT)
        return (struct cell){result_text[record->result], 3};
    if (field == FIELD_MOVE)
        return (struct cell){room, seebatch_move_to_uci(record->move, room)};
    char *end = room + 16, *first = seebatch_io_put_int(end, field == FIELD_SCORE ? record->score : record->ply);
    return (struct cell){first, (size_t)(end - first)};
}
