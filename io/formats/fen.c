/*
 * Positions as lines: FEN and EPD, and FEN with score and result.
 *
 *   fen      FEN or EPD, whose operations are passed over, then optionally a TAB and moves in UCI notation or in SAN,
 * as eval reads them. The record's move is the first of those. scored   FEN | score | result, as trainers of networks
 * write them: an integer, and 1.0, 0.5 or 0.0 (or as in PGN), both from White's point of view.
 *
 * Lines that are blank or begin with # are passed over.
 */
#include "quote.h"
#include "format.h"

static void cut_blanks(const char **first, const char **end)
{
    while (*first < *end && (**first == ' ' || **first == '\t'))
        ++*first;
    while (*first < *end && ((*end)[-1] == ' ' || (*end)[-1] == '\t'))
        --*end;
}

/* ---- FEN and EPD ------------------------------------------------------------------------------------------------ */

bool seebatch_io_read_moves_of_line(struct block *block, struct record *record, seebatch_position *position,
                                    const char *end)
{
    const char *at = record->fen + record->fen_length, *word;
    size_t length;
    if (!seebatch_io_next_word(&at, end, &word, &length))
        return true;
    if (!seebatch_io_read_move(block, record, position, word, length))
        return false;
    record->has |= seebatch_io_next_word(&at, end, &word, &length) ? FIELD_MOVES : 0;
    return true;
}

static bool read_fen(struct cursor *cursor, struct batch *batch)
{
    return seebatch_io_read_fen_lines(cursor, batch, seebatch_io_read_moves_of_line);
}

static bool write_fen(struct block *block, const struct target *target, const struct record *record,
                      const seebatch_position *position, const seebatch_cell *cells, const char **why)
{
    struct bytes *out = &block->out;
    char room[SEEBATCH_FEN_SIZE];
    struct cell text = seebatch_io_text_of_position(record, position, room);
    (void)target, (void)cells, (void)why;
    if (!bytes_reserve(out, text.length))
        return true;
    bytes_add(out, text.text, text.length);
    for (char *tab = out->data + out->used - text.length; /* what follows a TAB would be moves */
         (tab = memchr(tab, '\t', (size_t)(out->data + out->used - tab))) != NULL;)
        *tab = ' ';
    if (record->has & FIELD_MOVE) {
        text = seebatch_io_text_of_field(record, FIELD_MOVE, room);
        bytes_add_char(out, '\t');
        bytes_add(out, text.text, text.length);
    }
    bytes_add_char(out, '\n');
    return true;
}

const struct file_format FORMAT(fen) = {
    .name = "fen",
    .endings = {".fen"},
    .what = "a line: FEN or EPD, then optionally a TAB and a move",
    .details = "FEN or EPD, whose operations are passed over, then optionally a TAB and moves. The first move is the "
               "record's. It is the input of `seebatch eval`.",
    .fields = FIELD_MOVE,
    .optional = FIELD_MOVE,
    .implies_ply = true,
    .keeps_text = true,
    .separated = true,
    .whole = seebatch_io_whole_lines,
    .boundary = seebatch_io_line_boundary,
    .read = read_fen,
    .write = write_fen,
    .loses = seebatch_io_loses_ply,
};

/* ---- FEN | score | result --------------------------------------------------------------------------------------- */

static bool read_scored_line(struct block *block, struct record *record, seebatch_position *position, const char *end)
{
    const char *first[3] = {record->bytes}, *last[3];
    int n = 0;
    for (const char *bar; n < 3; first[++n] = bar + 1) {
        bar = memchr(first[n], '|', (size_t)(end - first[n]));
        last[n] = bar != NULL ? bar : end;
        if (bar == NULL || n == 2)
            break;
    }
    if (n != 2 || last[2] != end) {
        seebatch_io_complain(block, record, "the line '%s' has %s, expected FEN | score | result",
                             quote(record->bytes, (size_t)(end - record->bytes)).text,
                             n == 2   ? "more than two '|'"
                             : n == 1 ? "one '|'"
                                      : "no '|'");
        return false;
    }
    for (int i = 0; i < 3; i++)
        cut_blanks(&first[i], &last[i]);
    return seebatch_io_read_position(block, record, position, first[0], (size_t)(last[0] - first[0])) &&
           seebatch_io_read_score(block, record, first[1], (size_t)(last[1] - first[1])) &&
           seebatch_io_read_result(block, record, first[2], (size_t)(last[2] - first[2]));
}

static bool read_scored(struct cursor *cursor, struct batch *batch)
{
    return seebatch_io_read_lines(cursor, batch, true, read_scored_line);
}

static bool write_scored_line(struct block *block, const struct target *target, const struct record *record,
                              const seebatch_position *position, const seebatch_cell *cells, const char **why)
{
    struct bytes *out = &block->out;
    char room[SEEBATCH_FEN_SIZE];
    struct cell text = seebatch_io_text_of_position(record, position, room);
    (void)target, (void)cells;
    if (memchr(text.text, '|', text.length) != NULL) {
        *why = "the text of the position has a '|', which separates the fields of a scored line";
        return false;
    }
    bytes_add(out, text.text, text.length);
    bytes_add(out, " | ", 3);
    seebatch_io_bytes_add_int(out, record->score);
    bytes_add(out, " | ", 3);
    text = seebatch_io_text_of_field(record, FIELD_RESULT, room);
    bytes_add(out, text.text, text.length);
    bytes_add_char(out, '\n');
    return true;
}

static struct score_place place_score(struct block *block, const struct record *record)
{
    const char *line_end = record->bytes + record->length;
    const char *bar = memchr(record->bytes, '|', record->length), *first = bar + 1;
    const char *end = memchr(first, '|', (size_t)(line_end - first));
    (void)block;
    cut_blanks(&first, &end);
    return (struct score_place){first, (size_t)(end - first), "", ""};
}

static struct cell last_of_scored(const struct source *source, struct cell line, struct cell *text)
{
    const char *first = line.text + line.length, *end = first;
    (void)source;
    while (first > line.text && first[-1] != '|')
        first--;
    if (first == line.text)
        return (struct cell){"", 0};
    cut_blanks(&first, &end);
    *text = (struct cell){first, (size_t)(end - first)};
    return (struct cell){"result", strlen("result")};
}

const struct file_format FORMAT(scored) = {
    .name = "scored",
    .endings = {".scored"},
    .what = "a line: FEN | score | result, the text form of bulletformat",
    .details = "*FEN* | *score* | *result*",
    .fields = FIELD_SCORE | FIELD_RESULT,
    .needed = FIELD_SCORE | FIELD_RESULT,
    .implies_ply = true,
    .keeps_text = true,
    .whole = seebatch_io_whole_lines,
    .boundary = seebatch_io_line_boundary,
    .read = read_scored,
    .write = write_scored_line,
    .place_score = place_score,
    .last_field = last_of_scored,
    .loses = seebatch_io_loses_ply,
    .text_scores = true,
};
