/*
 * Finds the rows of a table many at a time, from the places of their separators and line ends. Rows with quotes, or
 * with another number of cells than the header, are left to csv.c.
 */
#include "rows.h"

#include "formats/fast_fields.h"

enum { LEAST_AT_ONCE = 8, MOST_COLUMNS = MOST_MARKS / LEAST_AT_ONCE };

/* A column of the table, from 0, and where its cells go: a field, or the position after them. */
struct column {
    int place, number;
};

static int known_columns(const struct headings *headings, struct column columns[N_FIELDS])
{
    int n = 0;
    for (int field = 0; field < N_FIELDS; field++)
        if (headings->known[field] != 0)
            columns[n++] = (struct column){field, headings->known[field] - 1};
    return n;
}

/* Returns the cell of a column, which lies between the mark before it and its own. */
static inline struct cell cell_of(const char *text, const uint32_t *marks, int column)
{
    const uint32_t first = marks[column - 1] + 1;
    return (struct cell){text + first, marks[column] - first};
}

/* Whether the marks are those of a row: separators, and a line feed. */
static inline bool is_row(const char *text, const uint32_t *marks, int last, char separator)
{
    int wrong = text[marks[last]] ^ '\n';
    for (int i = 0; i < last; i++)
        wrong |= text[marks[i]] ^ separator;
    return wrong == 0;
}

size_t seebatch_io_find_rows(struct cursor *cursor, size_t most, struct record *records, seebatch_text *fens,
                             struct usual *usual)
{
    const struct headings *headings = &cursor->source->headings;
    const bool tsv = cursor->source->format == &FORMAT(tsv);
    const char separator = tsv ? '\t' : ',', quote = tsv ? '\n' : '"', *text = cursor->at;
    const struct marks marks = {{separator, '\n', quote, '\n', '\n'}};
    uint32_t places[1 + MOST_MARKS + MARKS_SPACE];
    struct column columns[N_FIELDS];
    const int n_columns = headings->n, last = n_columns - 1, n_known = known_columns(headings, columns),
              position = headings->known[N_FIELDS] - 1;
    if (n_columns > MOST_COLUMNS)
        return 0;
    most = most * (size_t)n_columns < MOST_MARKS ? most : MOST_MARKS / (size_t)n_columns;
    const size_t n_marks =
        seebatch_io_find_marks(text, (size_t)(cursor->end - text), marks, most * (size_t)n_columns, places + 1);
    const size_t n_rows = n_marks / (size_t)n_columns < most ? n_marks / (size_t)n_columns : most;
    size_t n = 0;
    places[0] = UINT32_MAX; /* right in front of the text, as if a row ended there */
    for (uint32_t *row = places + 1; n < n_rows; row += n_columns, n++) {
        const char *first = cursor->at, *lf = text + row[last];
        const bool cr = lf > first && lf[-1] == '\r';
        if ((unsigned char)*first <= ' ' || !is_row(text, row, last, separator))
            break;
        bulk_begin_record(cursor, &records[n], (size_t)(lf - first), 1);
        row[last] -= cr;
        const struct cell fen = cell_of(text, row, position);
        records[n].fen = fen.text;
        records[n].fen_length = fen.length;
        fens[n] = (seebatch_text){fen.text, fen.length};
        if (n_known < N_FIELDS)
            memset(usual[n].texts, 0, N_FIELDS * sizeof *usual[n].texts);
        for (int i = 0; i < n_known; i++)
            usual[n].texts[columns[i].place] = cell_of(text, row, columns[i].number);
        row[last] += cr;
    }
    return n;
}

bool seebatch_io_read_cells(const struct source *source, struct record *record, seebatch_position *position,
                            const struct usual *usual, const char *begin)
{
    const unsigned known = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_PLY,
                   missing = source->fields & ~(unsigned)record->has;
    return !(missing & known) || fast_fields(source, record, position, usual->texts, begin);
}
