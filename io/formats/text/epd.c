/*
 * Reads and writes EPD: the first four fields of a FEN, and operations that say more of the position.
 *
 *   1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - bm Rxe5; ce 104; acd 12; id "a name";
 *
 * These operations are read:
 *
 *   bm           the move: the first of the best ones, in SAN or UCI notation. A move after a TAB comes before it.
 *   ce, dm       the score: centipawns, and otherwise moves to mate, both of the side to move.
 *   c9           the result, if its string is one: "1-0".
 *   hmvc, fmvn   the halfmove clock and the number of the move, where the position has none.
 *
 * All operations stay in the text of the position, wherever that is kept. Written are four fields and operations: those
 * of the text, except for what the fields of the record say anew.
 */
#include "formats/bulk_records.h"
#include "formats/losses.h"
#include "formats/fast_fields.h"
#include "support/quote.h"

/* ---- Operations -------------------------------------------------------------------------------------------------- */

enum known { BM, CE, DM, C9, HMVC, FMVN, N_KNOWN };

struct operation {
    struct cell name, operands;
    enum known known; /* N_KNOWN: another one */
};

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static enum known known_of(struct cell name)
{
    static const char *const names[N_KNOWN] = {"bm", "ce", "dm", "c9", "hmvc", "fmvn"};
    int i = 0;
    while (i < N_KNOWN && (strlen(names[i]) != name.length || memcmp(names[i], name.text, name.length) != 0))
        i++;
    return (enum known)i;
}

/* Takes the next operation: its name, and its operands up to a semicolon that stands in no string, or to the end. False
 * if there is none. */
static bool next_operation(const char **text, const char *end, struct operation *operation)
{
    const char *at = *text;
    bool quoted = false;
    while (at < end && (is_blank(*at) || *at == ';'))
        at++;
    const char *name = at;
    while (at < end && !is_blank(*at) && *at != ';')
        at++;
    operation->name = (struct cell){name, (size_t)(at - name)};
    operation->known = known_of(operation->name);
    while (at < end && is_blank(*at))
        at++;
    const char *first = at;
    for (; at < end && (quoted || *at != ';'); at++)
        quoted ^= *at == '"';
    *text = at < end ? at + 1 : end;
    while (at > first && is_blank(at[-1]))
        at--;
    operation->operands = (struct cell){first, (size_t)(at - first)};
    return operation->name.length > 0;
}

/* The position itself has four to six words; *end is after the last. */
enum { LEAST_WORDS = 4, MOST_WORDS = 6 };
static int position_words(struct cell text, struct cell words[MOST_WORDS], const char **end)
{
    const char *at = text.text, *last = at + text.length, *word;
    size_t length;
    int n = 0;
    while (n < MOST_WORDS && seebatch_io_next_word(&at, last, &word, &length) &&
           (n < LEAST_WORDS || (*word >= '0' && *word <= '9'))) {
        words[n++] = (struct cell){word, length};
        *end = at;
    }
    return n;
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

static bool read_best_move(struct block *block, struct record *record, const seebatch_position *position,
                           struct cell moves)
{
    const char *at = moves.text, *end = at + moves.length, *word;
    size_t length;
    if (record->has & FIELD_MOVE) {
        record->has |= FIELD_OPERATIONS;
        return true;
    }
    if (!seebatch_io_next_word(&at, end, &word, &length)) {
        seebatch_io_report_error(block, record, "the operation bm has no move, expected one");
        return false;
    }
    if (!seebatch_io_read_move(block, record, position, word, length))
        return false;
    record->has |= seebatch_io_next_word(&at, end, &word, &length) ? FIELD_OPERATIONS : 0;
    return true;
}

/* The result of a game, in quotes or not; any other comment may stand there, too. */
static void take_result(struct record *record, struct cell text)
{
    const bool quoted = text.length >= 2 && text.text[0] == '"' && text.text[text.length - 1] == '"';
    if (seebatch_io_result_of_text(text.text + quoted, text.length - 2u * quoted, &record->result))
        record->has |= FIELD_RESULT;
    else
        record->has |= FIELD_OPERATIONS;
}

static bool read_counter(struct block *block, struct record *record, const struct operation *operation,
                         uint16_t *counter)
{
    int64_t number;
    if (seebatch_io_read_whole_number(operation->operands.text, operation->operands.length, 0, UINT16_MAX, &number)) {
        *counter = (uint16_t)number;
        return true;
    }
    seebatch_io_report_error(block, record, "the operation %.*s has '%s', expected an integer from 0 to %d",
                             (int)operation->name.length, operation->name.text,
                             quote(operation->operands.text, operation->operands.length).text, UINT16_MAX);
    return false;
}

static bool read_operation(struct block *block, struct record *record, seebatch_position *position,
                           const struct operation *operation, int n_words)
{
    const struct cell operands = operation->operands;
    const int sign = position->stm == SEEBATCH_WHITE ? 1 : -1;
    switch (operation->known) {
    case BM: return read_best_move(block, record, position, operands);
    case CE: return seebatch_io_read_centipawns(block, record, operands.text, operands.length, sign);
    case DM:
        return record->has & FIELD_SCORE ||
               seebatch_io_read_mate(block, record, position, operands.text, operands.length, sign);
    case C9: take_result(record, operands); return true;
    case HMVC:
        if (n_words > 4)
            return true;
        record->has |= FIELD_CLOCK_SAID;
        return read_counter(block, record, operation, &position->halfmove_clock);
    case FMVN:
        if (n_words > 5)
            return true;
        if (!read_counter(block, record, operation, &position->fullmove_number))
            return false;
        record->ply = seebatch_io_ply_of_number(position);
        record->has |= FIELD_PLY | FIELD_NUMBER_SAID;
        return true;
    default: record->has |= FIELD_OPERATIONS; return true;
    }
}

static bool read_epd_line(struct block *block, struct record *record, seebatch_position *position, const char *end)
{
    struct cell words[MOST_WORDS];
    struct operation operation;
    const char *at = NULL;
    unsigned seen = 0;
    if (!seebatch_io_read_position_of_line(block, record, position, end) ||
        !seebatch_io_read_moves_of_line(block, record, position, end))
        return false;
    const int n_words = position_words((struct cell){record->fen, record->fen_length}, words, &at);
    while (next_operation(&at, record->fen + record->fen_length, &operation)) {
        if (operation.known < N_KNOWN && seen & 1u << operation.known) {
            seebatch_io_report_error(block, record, "the operation %.*s is given twice, expected it once",
                                     (int)operation.name.length, operation.name.text);
            return false;
        }
        seen |= 1u << operation.known;
        if (!read_operation(block, record, position, &operation, n_words))
            return false;
    }
    return true;
}

static enum one read_one(struct cursor *cursor, struct record *record, seebatch_position *position)
{
    return bulk_read_line(cursor, true, record, position, read_epd_line);
}

/* ---- Many at a time ---------------------------------------------------------------------------------------------- */

/* The usual form: single blanks, and operations that are known, except for dm, each at most once and with one word. Marks
 * are blanks, TABs, quotes, semicolons and line feeds; the last of them is a line feed. */

/* Takes the words of a position; returns the first mark after that of the last word, or NULL. */
static inline const uint32_t *take_words(const char *text, const char *line, const uint32_t *mark, int *n_words)
{
    const char *word = line;
    *n_words = 0;
    if ((unsigned char)*line <= ' ' || *line == '#')
        return NULL;
    while (*n_words < LEAST_WORDS || (*n_words < MOST_WORDS && *word >= '0' && *word <= '9')) {
        const char *end = text + *mark++;
        const bool last = ++*n_words >= LEAST_WORDS && *end == '\n';
        if (end == word || (*end != ' ' && !last))
            return NULL;
        if (last)
            break;
        word = end + 1;
    }
    return mark;
}

/* Takes an operand of one word, in quotes or not, up to its semicolon; returns that mark, or NULL. */
static inline const uint32_t *take_operand(const char *text, const uint32_t *mark, struct cell *operand)
{
    const char *first = text + mark[-1] + 1;
    const bool quoted = *first == '"';
    if (quoted && (text[mark[1]] != '"' || mark[2] != mark[1] + 1))
        return NULL;
    mark += 2 * quoted;
    *operand = (struct cell){first, (size_t)(text + *mark - first)};
    return text[*mark] == ';' && operand->length > 0 ? mark : NULL;
}

/* Takes operations up to the end of the line, the first of them named before this mark; returns the mark after that of
 * the line feed, or NULL. */
static inline const uint32_t *take_operations(const char *text, const uint32_t *mark, struct cell operands[N_KNOWN])
{
    for (;; mark++) {
        const char *name = text + mark[-1] + 1;
        const enum known known = known_of((struct cell){name, (size_t)(text + *mark - name)});
        if (text[*mark] != ' ' || known == N_KNOWN || known == DM || operands[known].length > 0)
            return NULL;
        mark = take_operand(text, mark + 1, &operands[known]);
        if (mark == NULL || mark[1] != mark[0] + 1)
            return NULL;
        mark++;
        if (text[*mark] == '\n')
            return mark + 1;
        if (text[*mark] != ' ')
            return NULL;
    }
}

static size_t find_usual(struct cursor *cursor, size_t most, struct record *records, seebatch_text *fens,
                         struct usual *usual)
{
    enum { MARKS_OF_LINE = 18, GOAL = MARKS_OF_LINE * BULK_AT_ONCE };
    const struct marks marks = {{' ', ';', '\n', '"', '\t'}};
    const char *text = cursor->at;
    uint32_t places[GOAL + MARKS_SPACE];
    size_t n_places = seebatch_io_find_marks(text, (size_t)(cursor->end - text), marks, GOAL, places), n = 0;
    while (n_places > 0 && text[places[n_places - 1]] != '\n')
        n_places--;
    for (const uint32_t *mark = places; n < most && mark < places + n_places; n++) {
        const char *line = cursor->at;
        struct cell *operands = usual[n].texts;
        int n_words;
        mark = take_words(text, line, mark, &n_words);
        if (mark == NULL)
            break;
        const char *end = text + mark[-1];
        memset(operands, 0, N_KNOWN * sizeof *operands);
        if (*end != '\n')
            mark = take_operations(text, mark, operands);
        if (mark == NULL)
            break;
        bulk_begin_record(cursor, &records[n], (size_t)(text + mark[-1] - line), 1);
        records[n].fen = line;
        records[n].fen_length = records[n].length;
        fens[n] = (seebatch_text){line, (size_t)(end - line)};
        operands[HMVC].length = n_words > 4 ? 0 : operands[HMVC].length;
        operands[FMVN].length = n_words > 5 ? 0 : operands[FMVN].length;
    }
    return n;
}

static bool fast_counter(struct cell cell, const char *begin, uint16_t *counter)
{
    int32_t number;
    if (!fast_number(begin, cell, &number) || number < 0 || number > UINT16_MAX)
        return false;
    *counter = (uint16_t)number;
    return true;
}

static bool read_rest(const struct source *source, struct record *record, seebatch_position *position,
                      const struct usual *usual, const char *begin)
{
    const struct cell *operands = usual->texts;
    (void)source;
    if ((operands[BM].length > 0 && !fast_move(record, position, operands[BM])) ||
        (operands[HMVC].length > 0 && !fast_counter(operands[HMVC], begin, &position->halfmove_clock)) ||
        (operands[FMVN].length > 0 && !fast_counter(operands[FMVN], begin, &position->fullmove_number)))
        return false;
    if (operands[CE].length > 0) {
        if (!fast_number(begin, operands[CE], &record->score))
            return false;
        record->score = position->stm == SEEBATCH_WHITE ? record->score : -record->score;
        record->has |= FIELD_SCORE;
    }
    if (operands[C9].length > 0)
        take_result(record, operands[C9]);
    if (operands[HMVC].length > 0)
        record->has |= FIELD_CLOCK_SAID;
    if (operands[FMVN].length > 0) {
        record->ply = seebatch_io_ply_of_number(position);
        record->has |= FIELD_PLY | FIELD_NUMBER_SAID;
    }
    return true;
}

static bool read_epd(struct cursor *cursor, struct batch *batch)
{
    static const struct bulk_format lines = {find_usual, read_rest, read_one, false};
    return seebatch_io_read_bulk(cursor, batch, &lines);
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

static void add_operation(struct bytes *out, const char *name, struct cell operands)
{
    bytes_add_char(out, ' ');
    bytes_add_string(out, name);
    bytes_add_char(out, ' ');
    bytes_add(out, operands.text, operands.length);
    bytes_add_char(out, ';');
}

/* Whether an operation of the text stays: it is none that the record gives anew, or gives the same. *moves becomes true
 * if the operation has the record's move as the first. */
static bool stays(const struct operation *operation, const struct record *record, const seebatch_position *position,
                  int n_words, bool *moves)
{
    const char *at = operation->operands.text, *word;
    seebatch_move move;
    size_t length;
    switch (operation->known) {
    case BM:
        *moves |= record->has & FIELD_MOVE &&
                  seebatch_io_next_word(&at, at + operation->operands.length, &word, &length) &&
                  seebatch_move_from_text(position, word, length, &move, NULL) == SEEBATCH_OK && move == record->move;
        return *moves || !(record->has & FIELD_MOVE);
    case CE:
    case DM: return !(record->has & FIELD_SCORE);
    case C9: return !(record->has & FIELD_RESULT);
    case HMVC: return n_words <= 4;
    case FMVN: return n_words <= 5;
    default: return true;
    }
}

static void add_fields(struct bytes *out, const struct record *record, const seebatch_position *position, bool moves)
{
    static const char *const results[] = {"\"0-1\"", "\"1/2-1/2\"", "\"1-0\""};
    char san[SEEBATCH_SAN_SIZE], digits[24], *end = digits + sizeof digits;
    if (record->has & FIELD_MOVE && !moves)
        add_operation(out, "bm", (struct cell){san, seebatch_move_to_san(position, record->move, san)});
    if (record->has & FIELD_SCORE) {
        const char *first =
            seebatch_io_put_int(end, position->stm == SEEBATCH_WHITE ? record->score : -(int64_t)record->score);
        add_operation(out, "ce", (struct cell){first, (size_t)(end - first)});
    }
    if (record->has & FIELD_RESULT)
        add_operation(out, "c9", (struct cell){results[record->result], strlen(results[record->result])});
}

/* Whether an operation that is written will be read, and is there once: other formats have not looked at those of their
 * texts. What is wrong is reported. */
static bool check_operation(struct block *block, const struct record *record, const seebatch_position *position,
                            const struct operation *operation, int n_words, unsigned *seen)
{
    struct record again = *record;
    seebatch_position copy = *position;
    if (operation->known == N_KNOWN)
        return true;
    if (*seen & 1u << operation->known) {
        seebatch_io_report_error(block, record, "the operation %.*s is given twice, expected it once",
                                 (int)operation->name.length, operation->name.text);
        return false;
    }
    *seen |= 1u << operation->known;
    again.has = 0;
    return read_operation(block, &again, &copy, operation, n_words);
}

static bool write_epd(struct block *block, const struct target *target, const struct record *record,
                      const seebatch_position *position, const seebatch_cell *cells, const char **why)
{
    struct bytes *out = &block->out;
    const size_t begin = out->used;
    char room[SEEBATCH_FEN_SIZE];
    struct cell words[MOST_WORDS];
    struct operation operation;
    const struct cell text = seebatch_io_text_of_position(block, record, position, room);
    const char *at = text.text;
    bool moves = false;
    unsigned seen = 0;
    (void)target, (void)cells;
    if (record->has & FIELD_SCORE && record->score == INT32_MIN) {
        *why = "the score is -2147483648, expected one that fits 32 bits with the other sign, too";
        return false;
    }
    const int n_words = position_words(text, words, &at);
    for (int i = 0; i < LEAST_WORDS; i++) {
        bytes_add(out, " ", i > 0);
        bytes_add(out, words[i].text, words[i].length);
    }
    if (n_words > 4)
        add_operation(out, "hmvc", words[4]);
    if (n_words > 5)
        add_operation(out, "fmvn", words[5]);
    while (next_operation(&at, text.text + text.length, &operation)) {
        if (!stays(&operation, record, position, n_words, &moves))
            continue;
        if (!check_operation(block, record, position, &operation, n_words, &seen))
            return false;
        bytes_add_char(out, ' ');
        bytes_add(out, operation.name.text, operation.name.length);
        bytes_add(out, " ", operation.operands.length > 0);
        bytes_add(out, operation.operands.text, operation.operands.length);
        bytes_add_char(out, ';');
    }
    add_fields(out, record, position, moves);
    for (size_t i = begin; i < out->used; i++) /* what follows a TAB would be moves */
        out->data[i] = out->data[i] == '\t' ? ' ' : out->data[i];
    bytes_add_char(out, '\n');
    return true;
}

/* After ce, or as a further operation, which outranks dm. */
static struct score_place place_score(struct block *block, const struct record *record)
{
    struct cell words[MOST_WORDS];
    struct operation operation;
    const char *at = record->fen, *end = at + record->fen_length;
    (void)block;
    while (end > at && is_blank(end[-1]))
        end--;
    position_words((struct cell){record->fen, record->fen_length}, words, &at);
    while (next_operation(&at, end, &operation))
        if (operation.known == CE)
            return (struct score_place){operation.operands.text, operation.operands.length, "", ""};
    return (struct score_place){end, 0, " ce ", ";"};
}

const struct file_format FORMAT(epd) = {
    .name = "epd",
    .extensions = {".epd"},
    .what = "a line: EPD, with operations bm, ce, dm, c9, hmvc, fmvn and others",
    .details = "As fen, but with operations: bm is the move, ce or dm the score (of the side to move), c9 the "
               "result, and hmvc and fmvn are the halfmove clock and the move number.",
    .fields = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT,
    .optional = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT,
    .implies_ply = true,
    .keeps_text = true,
    .reads_operations = true,
    .mover = true,
    .place_score = place_score,
    .whole = seebatch_io_whole_lines,
    .boundary = seebatch_io_line_boundary,
    .read = read_epd,
    .write = write_epd,
    .loses = seebatch_io_loses_ply,
};
