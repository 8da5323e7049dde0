/*
 * Reads and writes positions as lines: FEN and EPD, and FEN with score and result.
 *
 *   fen      FEN or EPD, whose operations are skipped, then optionally a TAB and moves in UCI notation or in
 *            SAN, as eval reads them. The record's move is the first of those.
 *   scored   FEN | score | result, as trainers of networks write them: an integer, and 1.0, 0.5 or 0.0 (or as in
 *            PGN), both from White's point of view.
 *
 * Lines that are blank or begin with # are skipped.
 */
#include "formats/bulk_records.h"
#include "chess/inline_attacks.h"
#include "formats/fast_fields.h"
#include "support/quote.h"

static bool is_blank(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at == end;
}

static void cut_blanks(const char **first, const char **end)
{
    while (*first < *end && (**first == ' ' || **first == '\t'))
        ++*first;
    while (*first < *end && ((*end)[-1] == ' ' || (*end)[-1] == '\t'))
        --*end;
}

/* ---- FEN and EPD ------------------------------------------------------------------------------------------------ */

static bool read_fen_line(struct block *block, struct record *record, seebatch_position *position, const char *end)
{
    return seebatch_io_read_position_of_line(block, record, position, end) &&
           seebatch_io_read_moves_of_line(block, record, position, end);
}

static enum one read_one_fen(struct cursor *cursor, struct record *record, seebatch_position *position)
{
    return bulk_read_line(cursor, true, record, position, read_fen_line);
}

/* Finds the LF of a line, and its first TAB, or NULL. */
struct line_marks {
    const char *lf, *tab;
};

static inline struct line_marks marks_by_bytes(const char *line, const char *end)
{
    const char *lf = memchr(line, '\n', (size_t)(end - line));
    return (struct line_marks){lf, memchr(line, '\t', (size_t)(lf - line))};
}

#ifdef __x86_64__
enum { MARKS_AT_ONCE = 128 }; /* most lines with a FEN have fewer characters than this, and nobody can guess how many */

WITH_BITS static inline size_t first_of_marks(const __m256i characters[4], char mark)
{
    const __m256i marks = _mm256_set1_epi8(mark);
    uint64_t found[4];
    for (int i = 0; i < 4; i++)
        found[i] = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(characters[i], marks));
    const uint64_t early = found[0] | found[1] << 32, late = found[2] | found[3] << 32;
    return (size_t)(early ? _tzcnt_u64(early) : 64 + _tzcnt_u64(late));
}

WITH_BITS static inline struct line_marks marks_by_bits(const char *line, const char *end)
{
    __m256i characters[4];
    if (end - line < MARKS_AT_ONCE)
        return marks_by_bytes(line, end);
    for (int i = 0; i < 4; i++)
        characters[i] = _mm256_loadu_si256((const __m256i *)(const void *)(line + 32 * i));
    const size_t lf = first_of_marks(characters, '\n'), tab = first_of_marks(characters, '\t');
    if (lf == MARKS_AT_ONCE)
        return marks_by_bytes(line, end);
    return (struct line_marks){line + lf, tab < lf ? line + tab : NULL};
}
#else
#define marks_by_bits marks_by_bytes
#endif

/* All lines are of the usual form. */
EACH_PROCESSOR size_t find_lines(struct cursor *cursor, size_t most, struct record *records, seebatch_text *fens,
                                 struct usual *usual, bool bits)
{
    size_t n = 0;
    while (n < most && cursor->at < cursor->end) {
        const struct line_marks marks =
            bits ? marks_by_bits(cursor->at, cursor->end) : marks_by_bytes(cursor->at, cursor->end);
        const char *line = cursor->at, *end = marks.lf - (marks.lf > line && marks.lf[-1] == '\r');
        bulk_begin_record(cursor, &records[n], (size_t)(marks.lf - line), 1);
        if (*line == '#' || ((unsigned char)*line <= ' ' && is_blank(line, end)))
            continue;
        records[n].fen = line;
        records[n].fen_length = (size_t)((marks.tab != NULL ? marks.tab : end) - line);
        fens[n] = (seebatch_text){line, records[n].fen_length};
        usual[n].texts[0] = (struct cell){line + records[n].fen_length, (size_t)(end - line) - records[n].fen_length};
        n++;
    }
    return n;
}

static size_t find_lines_by_bytes(struct cursor *cursor, size_t most, struct record *records, seebatch_text *fens,
                                  struct usual *usual)
{
    return find_lines(cursor, most, records, fens, usual, false);
}

WITH_BITS static size_t find_lines_by_bits(struct cursor *cursor, size_t most, struct record *records,
                                           seebatch_text *fens, struct usual *usual)
{
    return find_lines(cursor, most, records, fens, usual, true);
}

/* Whether the rest of a line is a TAB and one word of four characters: most moves in UCI notation. */
static bool is_usual_rest(struct cell rest)
{
    bool blanks = false;
    for (int i = 1; i <= 4 && rest.length == 5; i++)
        blanks |= (unsigned char)rest.text[i] <= ' ';
    return rest.length == 5 && !blanks;
}

static __attribute__((noinline)) bool read_moves_fast(struct record *record, seebatch_position *position,
                                                      struct cell rest)
{
    struct cell word;
    const char *end = rest.text + rest.length;
    if (is_usual_rest(rest))
        return fast_move(record, position, (struct cell){rest.text + 1, 4});
    if (!seebatch_io_next_word(&rest.text, end, &word.text, &word.length))
        return true;
    if (!fast_move(record, position, word))
        return false;
    record->has |= seebatch_io_next_word(&rest.text, end, &word.text, &word.length) ? FIELD_MOVES : 0;
    return true;
}

/* Reads the moves after a TAB. */
static bool read_rest_of_fen(const struct source *source, struct record *record, seebatch_position *position,
                             const struct usual *usual, const char *begin)
{
    (void)source, (void)begin;
    return usual->texts[0].length == 0 || read_moves_fast(record, position, usual->texts[0]);
}

static bool read_fen(struct cursor *cursor, struct batch *batch)
{
    const struct bulk_format lines = {HAS_BITS ? find_lines_by_bits : find_lines_by_bytes, read_rest_of_fen,
                                      read_one_fen, false};
    return seebatch_io_read_bulk(cursor, batch, &lines);
}

static bool write_fen(struct block *block, const struct target *target, const struct record *record,
                      const seebatch_position *position, const seebatch_cell *cells, const char **why)
{
    struct bytes *out = &block->out;
    char room[SEEBATCH_FEN_SIZE];
    struct cell text = seebatch_io_text_of_position(block, record, position, room);
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
    .extensions = {".fen"},
    .what = "a line: FEN or EPD, then optionally a TAB and a move",
    .details = "FEN, or EPD, whose operations are ignored, then optionally a TAB and moves. The first move is "
               "the record's move. This is the input of `seebatch eval`.",
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
        seebatch_io_report_error(block, record, "the line '%s' has %s, expected FEN | score | result",
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

static enum one read_one_scored(struct cursor *cursor, struct record *record, seebatch_position *position)
{
    return bulk_read_line(cursor, true, record, position, read_scored_line);
}

/* The usual form: one blank before and after each '|'. */
static size_t find_scored(struct cursor *cursor, size_t most, struct record *records, seebatch_text *fens,
                          struct usual *usual)
{
    enum { N_TEXTS = 3 };
    const struct marks marks = {{'|', '\n', '\n', '\n', '\n'}};
    const char *text = cursor->at;
    uint32_t places[BULK_AT_ONCE * N_TEXTS + MARKS_SPACE], *mark = places;
    const size_t n_places = seebatch_io_find_marks(text, (size_t)(cursor->end - text), marks, most * N_TEXTS, places);
    size_t n = 0;
    for (; n < most && (size_t)(mark - places) + N_TEXTS <= n_places; mark += N_TEXTS, n++) {
        const char *line = cursor->at, *bar = text + mark[0], *next = text + mark[1], *lf = text + mark[2];
        if ((unsigned char)*line <= ' ' || *line == '#' || *bar != '|' || *next != '|' || *lf != '\n' ||
            bar - line < 2 || next - bar < 4 || lf - next < 3 || bar[-1] != ' ' || (unsigned char)bar[-2] <= ' ' ||
            bar[1] != ' ' || next[-1] != ' ' || next[1] != ' ' || (unsigned char)lf[-1] <= ' ')
            break;
        bulk_begin_record(cursor, &records[n], (size_t)(lf - line), 1);
        records[n].fen = line;
        records[n].fen_length = (size_t)(bar - 1 - line);
        fens[n] = (seebatch_text){line, records[n].fen_length};
        usual[n].texts[PLACE_OF_SCORE] = (struct cell){bar + 2, (size_t)(next - bar) - 3};
        usual[n].texts[PLACE_OF_RESULT] = (struct cell){next + 2, (size_t)(lf - next) - 2};
    }
    return n;
}

static bool read_rest_of_scored(const struct source *source, struct record *record, seebatch_position *position,
                                const struct usual *usual, const char *begin)
{
    (void)position;
    return fast_score(source, record, usual->texts[PLACE_OF_SCORE], begin) &&
           fast_result(record, usual->texts[PLACE_OF_RESULT]);
}

static bool read_scored(struct cursor *cursor, struct batch *batch)
{
    static const struct bulk_format lines = {find_scored, read_rest_of_scored, read_one_scored, false};
    return seebatch_io_read_bulk(cursor, batch, &lines);
}

static bool write_scored_line(struct block *block, const struct target *target, const struct record *record,
                              const seebatch_position *position, const seebatch_cell *cells, const char **why)
{
    struct bytes *out = &block->out;
    char room[SEEBATCH_FEN_SIZE];
    struct cell text = seebatch_io_text_of_position(block, record, position, room);
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
    .extensions = {".scored"},
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
