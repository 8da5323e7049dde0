/*
 * Records of text, many at a time (bulk_records.c).
 *
 * A format has a fast path for records of the usual form and a slow path for all. The fast path goes in steps, each
 * over some sixty records: where they lie and what their fields are, then all positions by one call of the library,
 * then the other fields. It only ever says yes. What it does not take, the slow path reads, or reports.
 */
#ifndef SEEBATCH_IO_BULK_RECORDS_H
#define SEEBATCH_IO_BULK_RECORDS_H

#include "format.h"

enum {
    BULK_AT_ONCE = 64,
    MOST_TEXTS = 6,         /* of a record, besides its position */
    MOST_MARKS = 2048,      /* that a format may look for at a time */
    MARKS_SPACE = 64,       /* places that find_marks() may write after the last one */
    MOST_MARKED = 32 * 1024 /* bytes that are searched for them */
};

/* The texts of a record besides its position stand in the order of its format. */
struct usual {
    struct cell texts[MOST_TEXTS];
};

enum one { ONE_IS_NOT_THERE, ONE_IS_BAD, ONE_IS_GOOD };

struct bulk_format {
    /* Takes records from cursor->at on, at most so many, up to the first that is not of the usual form: their bytes,
     * place and fen, and of `has` what that says already. fens: what is read as their positions. Returns how many. */
    size_t (*find)(struct cursor *cursor, size_t most, struct record *records, seebatch_text *fens,
                   struct usual *usual);
    /* Reads the other texts of a record whose position is there, in silence. False: the slow path reads it anew. */
    bool (*read_rest)(const struct source *source, struct record *record, seebatch_position *position,
                      const struct usual *usual, const char *begin);
    /* Reads the next record by the slow path. */
    enum one (*read_one)(struct cursor *cursor, struct record *record, seebatch_position *position);
    bool fields; /* texts are those of fast_fields(); read_rest() need not read those that the record has */
};

/* Scores, plies and results of n records, where they are short integers and 1.0, 0.5 or 0.0: those have them then. The
 * eight bytes up to the end of each text may be read, also where the text is shorter. */
void seebatch_io_read_usual_fields(const struct source *source, const struct usual *usual, size_t n,
                                   struct record *records);

/* Reads records until the batch is full or the block ends, as file_format.read does. */
bool seebatch_io_read_bulk(struct cursor *cursor, struct batch *batch, const struct bulk_format *format);

/* The slow path of a format of lines, with the function that reads one. */
static inline enum one bulk_read_line(struct cursor *cursor, bool comments, struct record *record,
                                      seebatch_position *position, read_line_function *read_line)
{
    const char *end;
    if (!seebatch_io_next_record_line(cursor, comments, record, &end))
        return ONE_IS_NOT_THERE;
    return seebatch_io_is_whole_text(cursor, record, record->bytes, record->length) &&
                   read_line(cursor->block, record, position, end)
               ? ONE_IS_GOOD
               : ONE_IS_BAD;
}

/* Characters that divide a text into records and fields; fewer than all are told by repeating one. */
enum { N_MARKS = 5 };
struct marks {
    char of[N_MARKS];
};

/* Where the first marks of a text are, counted from its beginning: at least `goal` of them, or all in its first
 * MOST_MARKED bytes. There is room for goal + MARKS_SPACE; goal is at most MOST_MARKS. */
size_t seebatch_io_find_marks(const char *text, size_t length, struct marks marks, size_t goal, uint32_t *places);

/* Begins a record that takes so many lines and bytes, the last LF not among them, from cursor->at on, and goes on
 * after it. */
static inline void bulk_begin_record(struct cursor *cursor, struct record *record, size_t length, unsigned lines)
{
    record->bytes = cursor->at;
    record->length = length;
    record->offset = (uint64_t)(cursor->at - cursor->block->in.data);
    record->line = cursor->line + 1;
    record->game = record->within = 0;
    record->has = 0;
    cursor->at += length + 1;
    cursor->line += lines;
}

#endif
