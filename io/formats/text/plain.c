/*
 * Plain text as Stockfish's tools write it: a record is six lines, "fen ...", "move ...", "score ...", "ply ...",
 * "result ..." and "e", which ends it.
 *
 * Score and result (1, 0, -1) are from the point of view of the side to move. The lines before the e may come in any
 * order; a record need have no more than its fen; lines that begin with another word are skipped, and kept where a
 * record is copied.
 */
#include "formats/bulk_records.h"
#include "formats/fast_fields.h"
#include "support/quote.h"

static bool is_end(const char *line, const char *end)
{
    while (end > line && (end[-1] == '\r' || end[-1] == ' ' || end[-1] == '\t'))
        end--;
    return end == line + 1 && *line == 'e';
}

/* ---- Where records end ------------------------------------------------------------------------------------------ */

static size_t whole_records(const char *bytes, size_t length)
{
    while ((length = seebatch_io_whole_lines(bytes, length)) > 0) {
        const size_t lf = length - 1, line = seebatch_io_whole_lines(bytes, lf);
        if (is_end(bytes + line, bytes + lf))
            return length;
        length = line;
    }
    return 0;
}

static size_t plain_boundary(const char *bytes, size_t length)
{
    for (const char *at = bytes, *end = bytes + length, *lf; (lf = memchr(at, '\n', (size_t)(end - at))) != NULL;) {
        if (at > bytes && is_end(at, lf)) /* the first line may have begun before */
            return (size_t)(lf + 1 - bytes);
        at = lf + 1;
    }
    return 0;
}

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

enum { FEN, MOVE, SCORE, PLY, RESULT, N_KEYS };
static const char keys[N_KEYS][8] = {"fen", "move", "score", "ply", "result"};
static const uint8_t key_lengths[N_KEYS] = {3, 4, 5, 3, 6};
static const unsigned key_fields[N_KEYS] = {0, FIELD_MOVE, FIELD_SCORE, FIELD_PLY, FIELD_RESULT};

/* Holds the lines of a record. */
struct entry {
    struct cell value[N_KEYS];
    uint64_t line[N_KEYS]; /* 0: there is none */
    bool other;
};

/* Takes a line into the entry, unless it has one of that key already: then false. */
static bool take_line(struct entry *entry, uint64_t number, const char *line, const char *end)
{
    const char *word;
    size_t length;
    seebatch_io_next_word(&line, end, &word, &length);
    for (int key = 0; key < N_KEYS; key++) {
        if (key_lengths[key] != length || memcmp(keys[key], word, length) != 0)
            continue;
        while (line < end && (*line == ' ' || *line == '\t'))
            line++;
        while (end > line && (end[-1] == ' ' || end[-1] == '\t'))
            end--;
        if (entry->line[key] != 0)
            return false;
        entry->value[key] = (struct cell){line, (size_t)(end - line)};
        entry->line[key] = number;
        return true;
    }
    entry->other = true;
    return true;
}

/* It has to fit with the other sign, too. */
static bool read_plain_score(struct block *block, struct record *record, struct cell value)
{
    if (!seebatch_io_read_score(block, record, value.text, value.length))
        return false;
    if (record->score >= -INT32_MAX)
        return true;
    seebatch_io_report_error(block, record, "the score is %d, expected at least %d", record->score, -INT32_MAX);
    return false;
}

static bool read_plain_result(struct block *block, struct record *record, struct cell value)
{
    int64_t number;
    if (!seebatch_io_read_whole_number(value.text, value.length, -1, 1, &number)) {
        seebatch_io_report_error(block, record,
                                 "the result is '%s', expected 1, 0 or -1, from the point of view of the side to move",
                                 quote(value.text, value.length).text);
        return false;
    }
    record->result = (uint8_t)(number + RESULT_DRAW);
    record->has |= FIELD_RESULT;
    return true;
}

/* Score and result as White sees them. */
static void turn(struct record *record)
{
    record->score = -record->score;
    record->result = (uint8_t)(RESULT_WHITE_WINS - record->result);
}

/* Reads the lines of an entry into a record, each reported at its place. */
static bool read_entry(struct block *block, const struct entry *entry, struct record *record,
                       seebatch_position *position)
{
    const uint64_t line = record->line;
    unsigned lacking = 0;
    bool well = entry->line[FEN] != 0;
    if (!well)
        seebatch_io_report_error(block, record,
                                 "the record has no fen, expected a line that begins with it before the e");
    for (int key = 0; key < N_KEYS && well; key++) {
        const struct cell value = entry->value[key];
        if (entry->line[key] == 0) {
            lacking |= key_fields[key];
            continue;
        }
        record->line = entry->line[key];
        switch (key) {
        case FEN: well = seebatch_io_read_position(block, record, position, value.text, value.length); break;
        case MOVE: well = seebatch_io_read_move(block, record, position, value.text, value.length); break;
        case SCORE: well = read_plain_score(block, record, value); break;
        case PLY: well = seebatch_io_read_ply(block, record, value.text, value.length); break;
        default: well = read_plain_result(block, record, value); break;
        }
    }
    record->line = line;
    if (well && position->stm == SEEBATCH_BLACK)
        turn(record);
    record->has |= (uint16_t)(entry->other ? FIELD_LINES : 0);
    if (well)
        seebatch_io_note_lacking(block, lacking);
    return well;
}

/* Takes lines up to the end of a record; false if there is none, and where one is bad, which is reported. */
static bool take_entry(struct cursor *cursor, struct record *record, struct entry *entry)
{
    struct record line = {.bytes = NULL};
    const char *end;
    bool begun = false, bad = false;
    memset(entry, 0, sizeof *entry);
    while (seebatch_io_next_record_line(cursor, false, &line, &end)) {
        if (!begun)
            *record = line;
        begun = true;
        record->length = (size_t)(line.bytes + line.length - record->bytes);
        if (is_end(line.bytes, end))
            return !bad;
        if (bad)
            continue;
        bad = !seebatch_io_is_whole_text(cursor, &line, line.bytes, line.length);
        if (bad || take_line(entry, line.line, line.bytes, end))
            continue;
        bad = true;
        seebatch_io_report_error(cursor->block, &line,
                                 "a second line of this kind in a record, expected an e between two records");
    }
    if (begun && !bad)
        seebatch_io_report_error(cursor->block, record,
                                 "the record has no end, expected an e: the file may have been cut off");
    if (begun)
        seebatch_io_skip_damage(cursor->block, record->length, 0);
    return false;
}

static enum one read_one(struct cursor *cursor, struct record *record, seebatch_position *position)
{
    struct entry entry;
    const uint64_t bad = cursor->block->bad;
    memset(record, 0, sizeof *record);
    if (take_entry(cursor, record, &entry) && read_entry(cursor->block, &entry, record, position))
        return ONE_IS_GOOD;
    return cursor->block->bad > bad ? ONE_IS_BAD : ONE_IS_NOT_THERE;
}

/* ---- Many at a time ---------------------------------------------------------------------------------------------- */

/* Reads the usual form, in which the lines stand in the order of the keys, with a blank after each key and no byte
 * besides. */
enum { N_LINES_OF_RECORD = N_KEYS + 1 };

/* The texts of a record whose lines end at these places of text, the position's first; false if it is not of the usual
 * form. */
static inline bool take_usual(const char *text, const char *line, const uint32_t *ends, struct cell texts[N_KEYS])
{
    bool usual = true;
    for (int key = 0; key < N_KEYS; key++) {
        const char *end = text + ends[key];
        const size_t length = key_lengths[key];
        usual = usual && (size_t)(end - line) > length + 1 && memcmp(line, keys[key], length) == 0 &&
                line[length] == ' ' && (unsigned char)line[length + 1] > ' ' && (unsigned char)end[-1] > ' ';
        texts[key] = (struct cell){line + length + 1, (size_t)(end - line) - length - 1};
        line = end + 1;
    }
    return usual && text + ends[N_KEYS] == line + 1 && *line == 'e';
}

static size_t find_usual(struct cursor *cursor, size_t most, struct record *records, seebatch_text *fens,
                         struct usual *usual)
{
    const struct marks line_feeds = {{'\n', '\n', '\n', '\n', '\n'}};
    const char *text = cursor->at;
    uint32_t ends[BULK_AT_ONCE * N_LINES_OF_RECORD + MARKS_SPACE];
    const size_t n_ends =
        seebatch_io_find_marks(text, (size_t)(cursor->end - text), line_feeds, most * N_LINES_OF_RECORD, ends);
    size_t n = 0;
    for (const uint32_t *end = ends; n < most && (size_t)(end - ends) + N_LINES_OF_RECORD <= n_ends;
         end += N_LINES_OF_RECORD, n++) {
        struct cell texts[N_KEYS];
        if (!take_usual(text, cursor->at, end, texts))
            break;
        bulk_begin_record(cursor, &records[n], (size_t)(text + end[N_KEYS] - cursor->at), N_LINES_OF_RECORD);
        records[n].fen = texts[FEN].text;
        records[n].fen_length = texts[FEN].length;
        fens[n] = (seebatch_text){texts[FEN].text, texts[FEN].length};
        usual[n].texts[PLACE_OF_MOVE] = texts[MOVE];
        usual[n].texts[PLACE_OF_SCORE] = texts[SCORE];
        usual[n].texts[PLACE_OF_RESULT] = texts[RESULT];
        usual[n].texts[PLACE_OF_PLY] = texts[PLY];
    }
    return n;
}

static bool read_rest(const struct source *source, struct record *record, seebatch_position *position,
                      const struct usual *usual, const char *begin)
{
    const struct cell result = usual->texts[PLACE_OF_RESULT];
    if (!fast_move(record, position, usual->texts[PLACE_OF_MOVE]) ||
        !fast_score(source, record, usual->texts[PLACE_OF_SCORE], begin) ||
        !fast_ply(record, usual->texts[PLACE_OF_PLY], begin) || record->score < -INT32_MAX)
        return false;
    const bool minus = *result.text == '-';
    const int won = result.text[minus] - '0'; /* of -, what follows the text */
    if (result.length != 1u + minus || (unsigned)won > 1)
        return false;
    record->result = (uint8_t)(RESULT_DRAW + (minus ? -won : won));
    record->has |= FIELD_RESULT;
    if (position->stm == SEEBATCH_BLACK)
        turn(record);
    return true;
}

static bool read_plain(struct cursor *cursor, struct batch *batch)
{
    static const struct bulk_format plain = {find_usual, read_rest, read_one, true};
    return seebatch_io_read_bulk(cursor, batch, &plain);
}

static struct score_place place_score(struct block *block, const struct record *record)
{
    const char *line = record->bytes, *end = line + record->length, *last = line;
    (void)block;
    for (const char *lf; line < end; line = lf != NULL ? lf + 1 : end) {
        lf = memchr(line, '\n', (size_t)(end - line));
        const char *rest = line, *stop = lf != NULL ? lf : end, *word;
        size_t length;
        stop -= stop > line && stop[-1] == '\r';
        last = line;
        if (seebatch_io_next_word(&rest, stop, &word, &length) && length == strlen("score") &&
            memcmp(word, "score", length) == 0)
            return (struct score_place){rest, (size_t)(stop - rest), " ", ""};
    }
    return (struct score_place){last, 0, "score ", "\n"};
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

static void add_line(struct bytes *out, const char *key, const char *value)
{
    bytes_add_string(out, key);
    bytes_add_char(out, ' ');
    bytes_add_string(out, value);
    bytes_add_char(out, '\n');
}

static bool write_plain(struct block *block, const struct target *target, const struct record *record,
                        const seebatch_position *position, const seebatch_cell *cells, const char **why)
{
    const int64_t sign = position->stm == SEEBATCH_BLACK ? -1 : 1;
    struct bytes *out = &block->out;
    char text[SEEBATCH_FEN_SIZE];
    (void)target, (void)cells;
    if (record->score == INT32_MIN) {
        *why = "the score is -2147483648, expected one that fits 32 bits with the other sign, too";
        return false;
    }
    seebatch_position_to_fen(position, text);
    add_line(out, "fen", text);
    seebatch_move_to_uci(record->move, text);
    add_line(out, "move", text);
    bytes_add_string(out, "score ");
    seebatch_io_bytes_add_int(out, sign * record->score);
    bytes_add_string(out, "\nply ");
    seebatch_io_bytes_add_int(out, record->ply);
    bytes_add_string(out, "\nresult ");
    seebatch_io_bytes_add_int(out, sign * (record->result - RESULT_DRAW));
    bytes_add_string(out, "\ne\n");
    return true;
}

const struct file_format FORMAT(plain) = {
    .name = "plain",
    .extensions = {".plain"},
    .what = "six lines a record, as Stockfish's tools write them",
    .details = "Six lines for each record, as Stockfish's tools write them: fen, move, score, ply, result, and "
               "e, which ends the record.",
    .fields = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_PLY,
    .needed = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_PLY,
    .implies_ply = true,
    .mover = true,
    .marks_none = true,
    .whole = whole_records,
    .read = read_plain,
    .write = write_plain,
    .place_score = place_score,
    .boundary = plain_boundary,
};
