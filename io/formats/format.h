/*
 * What a format of files is: how its records are found, read and written.
 *
 * A format is a struct file_format in a file of its own, and a row of formats.h. A format of lines cuts its
 * blocks at line ends (`whole`), and `read` takes lines. A binary format names its records by number and byte, and
 * copies them without a line end. There are two kinds of them:
 *
 *   Records of one size: record_size, and `whole` returns whole multiples of it.
 *   Chains and games, where a record makes sense only after those before it (chained): `whole` returns whole games, or
 *   whole chunks of chains, so that a block begins where nothing came before. What cannot be the beginning of one it
 *   returns as whole, for `read` to report; a game whose end is not there yet it does not return (longest says how
 *   long one may be). `read` fills a batch and returns in the middle of a game. It keeps its place in block->reader,
 *   reader_size bytes that are zero at the beginning of each block. `write` keeps the game that it is writing in
 *   block->writer in the same way, and `finish` closes it at the end of each block: no game goes on in the next block,
 *   so that the output depends neither on threads nor on time. If a record of a chain is bad, the rest of the chain is
 *   skipped, and the error report says so.
 *
 * begin_record() sets the bytes, the offset and the line (here: the number) of a binary record; fen stays NULL. `read`
 * sets the ply if source->wanted has it. Positions must pass seebatch_position_check() and moves must be legal,
 * whatever the file says.
 *
 * What is written goes through write_record(): what the output has no place for ends the run, unless --lose names it
 * (losses.c); tables and objects hold each other's columns (headings.c).
 */
#ifndef SEEBATCH_IO_FORMAT_H
#define SEEBATCH_IO_FORMAT_H

#include <stdio.h>

#include "support/bytes.h"
#include "formats.h"
#include "seebatch_io.h"
#include "short_cells.h"
#include "support/text.h"

/* ---- Records ---------------------------------------------------------------------------------------------------- */

/* What a record may say besides the position. */
enum {
    FIELD_MOVE = 1,
    FIELD_SCORE = 2,  /* from White's point of view, in the units of the file */
    FIELD_RESULT = 4, /* of the game */
    FIELD_PLY = 8,    /* half moves from the start of the game to the position */
    N_FIELDS = 4,
    /* What a format may have no place for besides. A record's has may say the first five. */
    FIELD_COLUMNS = 16,      /* of a table, and members of an object, that are not known */
    FIELD_MOVES = 32,        /* after the first */
    FIELD_OPERATIONS = 64,   /* of EPD */
    FIELD_LINES = 128,       /* of plain, that are not known */
    FIELD_UNUSED_BITS = 256, /* that are not 0 */
    FIELD_SIDE = 512,        /* which side is to move: the board is flipped */
    FIELD_CASTLING = 1024,
    FIELD_EN_PASSANT = 2048,
    FIELD_CLOCK = 4096,
    FIELD_NUMBER = 8192, /* of the full move */
    ALL_FIELDS = 16383,
    /* Of a record alone: operations of EPD say the clock or the number, and the four fields before them do not. */
    FIELD_CLOCK_SAID = 16384,
    FIELD_NUMBER_SAID = 32768,
    FIELDS_SAID = FIELD_CLOCK_SAID | FIELD_NUMBER_SAID,
    FIELDS_OTHER = FIELD_COLUMNS | FIELD_MOVES | FIELD_OPERATIONS | FIELD_LINES | FIELD_UNUSED_BITS
};

enum { RESULT_BLACK_WINS = 0, RESULT_DRAW = 1, RESULT_WHITE_WINS = 2 };

/* Holds a record, except for its position. */
struct record {
    const char *bytes; /* as it lies in the file; of a line all but its LF */
    size_t length;
    const char *fen; /* the text of the position, or NULL where the format has none */
    size_t fen_length;
    uint64_t offset; /* of the first byte, from the start of the block */
    uint64_t line;   /* within the block, from 1; of a binary format the number of the record */
    uint32_t game;   /* of games in text: the number of its game within the block, from 1; otherwise 0 */
    uint32_t within; /* of several records that begin in the same byte: which; otherwise 0 */
    int32_t score, ply;
    seebatch_move move;
    uint8_t result;
    uint16_t has; /* FIELD_... */
};

/* What the library is called for at a time: enough for its lanes, and still in the cache. */
enum { BATCH_SIZE = SEEBATCH_IO_BATCH };

struct batch {
    size_t n;
    seebatch_position positions[BATCH_SIZE];
    struct record records[BATCH_SIZE];
};

/* ---- Formats (format.c) ----------------------------------------------------------------------------------------- */

struct file_format;

struct cell {
    const char *text;
    size_t length;
};

/* The columns of a table in their order, and of objects the members of the first that are not known (headings.c). */
struct heading {
    struct cell name;
    unsigned field; /* FIELD_MOVE and so on; 0: the position; FIELD_COLUMNS: one that is not known */
    int place;      /* of a file: in the row that is written, from 0; -1: there is none */
};
struct headings {
    struct heading *list;
    int n, room;
    struct bytes text;       /* of names that do not stand so in the file */
    struct bytes places;     /* of the unknown ones, by their names: a table with open addressing (headings.c) */
    int known[N_FIELDS + 1]; /* by place_of_field(): the place from 1 on, 0 for none */
};

/* What --column and --score-scale say of tables and JSON lines: names of columns by place_of_field(), and by what a
 * score is multiplied; and what --win-rate-model says of games. All zero: the known names, 1, and no model. */
struct score_model;
struct columns {
    const char *names[N_FIELDS + 1];
    bool named; /* any of them */
    int32_t scale;
    const struct score_model *model; /* score_model.h */
    unsigned score_at;               /* --leela-score: where the score stands in a record (lc0.h); 0: as usual */
};

struct target;

/* --part NUMBER/OF: of the input by bytes; of is 0 where it was not given. */
struct part {
    uint64_t number, of;
};

/* Describes a file of the input. */
struct source {
    const char *name;   /* as it was given; "-" is standard input */
    const void *memory; /* what is read instead of the file of that name, memory_size bytes of it; NULL: the file */
    size_t memory_size;
    const struct file_format *format;
    struct columns columns;
    struct headings headings;
    struct bytes header; /* of a table: its first line, without the end */
    unsigned fields;     /* FIELD_... that its records may have, except for those that the FEN implies */
    const struct target *target;
    int system_error; /* errno, if it could not be opened or its beginning not be read; otherwise 0 */
    bool header_read; /* its first bytes were read (file_header.c), */
    bool checked;     /* and it fits the run */
    size_t skip;      /* bytes before its records: the mark of UTF-8 and the header */
    uint64_t length;  /* of the file as it lies; 0: unknown */
    uint64_t start;   /* bytes of input, as decompressed, before this file */
    int kept;         /* above 0: a file with what was read of it, to be read once more */
    unsigned wanted;  /* fields that are needed; FIELD_PLY takes time to find in a FEN */
    bool each_error;  /* a bad record has an error report of its own, even in the words of another one's: the callers of
                         readers and writers want its number. At a terminal, how many there are says more. */
    /* With --part (part.c): */
    uint64_t size, from, to; /* of the file, and the range of its bytes */
    uint64_t begin;          /* where the first unit in the range begins */
    bool skipped;            /* the part has nothing of it */
    /* So far: */
    uint64_t read;       /* how many records were read, */
    unsigned has;        /* FIELD_... that one of them had at least, where a condition needs a field (run.c), */
    uint64_t good, lost; /* bytes that were not lost, and bytes that were, both decompressed, */
    uint64_t about;      /* and about how many records the latter had (blocks.c) */
};

/* Holds the bytes between record boundaries, and what a worker made of them. */
struct block {
    struct source *source;
    bool first;      /* of its file */
    bool at_end;     /* the file ends after it, and nothing of it is missing */
    bool cut;        /* it ends where the file could not be read on, perhaps within a record: `failure` says why */
    uint64_t offset; /* of its first byte in the file, as decompressed */
    bool unread;     /* its bytes are still to be read, in.used of them, from this file and place */
    int file;
    uint64_t file_at;
    uint64_t place; /* in a compressed file, how many of its bytes were read before it */
    struct bytes in, out;
    struct bytes compressed;    /* out, compressed by the worker; empty: it is not */
    unsigned long crc;          /* of out, if it is compressed */
    size_t closed;              /* bytes of out that nothing goes back to, where a format says so */
    struct bytes error_reports; /* the first struct error_report and the last, each with its text */
    struct bytes failure;       /* why the file could not be read on after this block, if not empty */
    uint64_t number;            /* of the block, in all of the input, from 0 */
    uint64_t lines, read, bad, written;
    unsigned has;                        /* FIELD_... that one of its records has at least, where they are required */
    uint64_t lacking[N_FIELDS];          /* how many of its good records lack a field; seebatch_io_note_lacking() */
    uint64_t positions;                  /* that were to be written, where some may come again (two_passes.c) */
    uint64_t lost_bytes, lost_records;   /* skipped after damage; the records as far as they can be known */
    uint64_t lost_inflated;              /* the bytes, as many as they would be when decompressed, */
    uint64_t length;                     /* of all that the block stands for, lost or not */
    uint64_t read_scores, unread_scores; /* comments of games that were read as scores, and that look like one only */
    bool damaged;                        /* more than a bad record was skipped, or the file was cut off */
    size_t n_error_reports, last;        /* in error reports: how many, and where the last one begins */
    uint64_t bad_line;                   /* of the last one, 0 if there is none */
    uint32_t games;                      /* of games in text: how many begin in it */
    uint32_t begun;                      /* games and chains of which a record was read, since they were taken */
    uint64_t consumed;                   /* bytes of all files, as they lie on disk, up to here */
    bool stopped;                        /* strict, refused or by the caller's function: nothing more was read */
    bool refused;                        /* something would have been lost that may not be */
    seebatch_io_status returned;         /* by the caller's function, for the records of the block */
    struct bytes lengths;                /* uint32_t: of the records in out, where they are shuffled */
    struct bytes scratch;
    struct json_finder *json; /* finds tokens of JSON (json_tokens.h) */
    struct bytes row, text;   /* the columns of the record that is written: struct cell; and their text, if need be */
    void *reader, *writer;    /* what the formats of source and target keep within a block */
    int state;
    size_t large; /* bytes of input, if it is of unusual length */
};

struct error_report {
    uint64_t line;   /* within the block, from 1 */
    uint64_t offset; /* within the block */
    uint32_t game;   /* as in struct record */
    bool warning;    /* that nothing is wrong by itself: it is no bad record */
    uint64_t times;  /* how often the same was to be said in the block, and in which line last */
    uint64_t last_line;
    size_t length; /* of the text that follows */
};

/* Holds the state of reading one block. */
struct cursor {
    struct block *block;
    const struct source *source;
    const char *at, *end;
    uint64_t line; /* lines, or records, taken so far */
    bool strict;
    bool nul; /* of text: there are bytes in it that are NUL, as a disk leaves them where a file was not written */
};

/* What is written: the format, and what of a record goes into it. */
struct target {
    const struct file_format *format;
    const struct source *first; /* the first file: a table of its format has its columns */
    struct headings headings;   /* of a table */
    unsigned fields;            /* FIELD_... that are written */
    unsigned lose;              /* and those that may be lost */
    unsigned
        selected[N_FIELDS + 1];   /* the columns that were asked for, in their order: FIELD_..., 0 for the position */
    int n_selected;               /* 0: all */
    const seebatch_column *added; /* columns besides */
    size_t n_added;
};

/* Bytes of a record that another score takes the place of, perhaps none, and what stands around it then. In a binary
 * format they are two, the least significant first. */
struct score_place {
    const char *at;
    size_t length;
    const char *before, *after;
};

struct file_format {
    const char *name;
    const char *extensions[3];       /* of names of files; without the dot, other names for the command line */
    const char *what;                /* in a few words */
    const char *details;             /* in sentences, for the manual page; marked as those of struct option_row */
    unsigned fields;                 /* FIELD_... that it can hold, up to FIELD_PLY */
    unsigned optional;               /* and those of them that many of its records do not have */
    unsigned needed;                 /* those without which nothing can be written */
    unsigned lacks;                  /* FIELD_SIDE and so on: what of every position it has no place for; refused
                                        before anything is read, unless --lose names it */
    bool keeps_text;                 /* of a position, as it was given, EPD operations too; otherwise these are lost */
    bool separated;                  /* a TAB ends the text of a position */
    bool reads_operations;           /* of EPD: score and result stand in the text of the position */
    bool binary;                     /* its records are not lines */
    bool chained;                    /* a record makes sense only after those before it: none is copied as it is */
    size_t record_size;              /* if all have the same; otherwise 0 */
    size_t longest;                  /* of what `whole` has to see as a whole; 0: 16 MiB */
    size_t reader_size, writer_size; /* of block->reader and block->writer */
    bool implies_ply; /* the number of the move says the ply, if the position has one; with loses_ply() */
    bool any_columns; /* any columns: those of annotate, and those of another such format */
    bool mover;       /* scores in its files are those of the side to move */
    bool marks_none;  /* the score 32002 of the side to move says that there is none, as in Stockfish's own formats */
    bool text_scores; /* read by read_score(): --score-scale multiplies them */
    /* Reads the header of a table into source->headings and source->fields. NULL: the format has none. */
    bool (*read_header)(struct source *source, seebatch_error *error);
    /* Fills source->headings from the first line of a file, where the format has no header; of a binary format with
     * those that every file has. NULL: it has none. */
    void (*read_first)(struct source *source, const char *line, size_t length);
    /* Puts the columns of a record that are not known into a row, each at its heading's place. False, and *lost, if one
     * has none. NULL: the format has no such columns. */
    bool (*take_columns)(struct block *block, const struct record *record, const seebatch_position *position,
                         const struct target *target, struct cell *row, struct cell *lost);
    /* How many of the bytes, which begin with a record, are whole records. */
    size_t (*whole)(const char *bytes, size_t length);
    /* Reads records until the batch is full or the block ends; returns false at the end with an empty batch. Bad ones
     * are reported and skipped. */
    bool (*read)(struct cursor *cursor, struct batch *batch);
    /* Writes what stands before the first record, such as the header of a table. NULL if there is nothing. */
    void (*begin)(struct bytes *out, const struct target *target);
    /* Appends a record of any format to block->out; cells are those of target->added. False, and *why, if it cannot be
     * written; a chained format then has left nothing of it, whatever it did to end the chain before it. */
    bool (*write)(struct block *block, const struct target *target, const struct record *record,
                  const seebatch_position *position, const seebatch_cell *cells, const char **why);
    /* Appends records of another format that hold all that the format needs and nothing that it has no place for, up to
     * the first that may be otherwise; returns how many. cells are those of target->added, record by record. NULL: each
     * is written by itself. */
    size_t (*write_usual)(struct block *block, const struct target *target, const struct record *records,
                          const seebatch_position *positions, size_t n, const struct short_cell *cells);
    /* The name and the text of the last field of a line, by which its end can be seen to be there or not. NULL: the
     * format has no such field. */
    struct cell (*last_field)(const struct source *source, struct cell line, struct cell *text);
    /* Where the score of a good record stands, or would. NULL: the format has none, is chained, or the record is
     * written anew. */
    struct score_place (*place_score)(struct block *block, const struct record *record);
    /* Ends the output of a block. NULL if there is nothing. */
    void (*finish)(struct block *block);
    /* Chunks with one record each become one chunk: of all but the first, the first `frame` bytes fall away, and
     * put_frame makes those of the first say how long all of it is. 0 and NULL: records lie one after another. */
    size_t frame;
    void (*put_frame)(char *chunk, size_t length);
    /* What of a record it cannot hold, besides what fields and lacks say: FIELD_..., of which those that the target
     * writes do not count. NULL: nothing. */
    unsigned (*loses)(const struct record *record, const seebatch_position *position);
    /* For parts of a file, one of these, or record_size. boundary: given any bytes of a file, which begin at most
     * MOST_LOOK_BACK before the place that is meant, the first place after some of them at which a unit (record, game,
     * chunk) begins; 0 if none is seen. unit: the length of the unit that begins here, as its first bytes say it or as
     * it ends among them; 0 if they do not. It need not be among the bytes itself. */
    size_t (*boundary)(const char *bytes, size_t length);
    size_t (*unit)(const char *bytes, size_t length);
};

enum { MOST_LOOK_BACK = 8 };

/* NULL past the last. */
const struct file_format *seebatch_io_format_at(size_t index);

/* The format of this name, or that files with this extension have; in capitals or not. NULL if there is none. */
const struct file_format *seebatch_io_format_named(const char *name);

/* The format that the extension of a file name says, NULL if none; .gz and .zst are skipped. */
const struct file_format *seebatch_io_format_of_file(const char *name);

/* Names of formats, separated by commas: of all, or of those of which something holds. */
enum { FORMAT_LIST = 256 };
void seebatch_io_format_list(char *text, size_t size, bool (*listed)(const struct file_format *format));
bool seebatch_io_format_has_columns(const struct file_format *format),
    seebatch_io_format_has_text_scores(const struct file_format *format),
    seebatch_io_format_is_written(const struct file_format *format);

#define ROW(name) extern const struct file_format FORMAT(name);
FORMATS(ROW)
#undef ROW

/* ---- What the formats share (reading.c, lines.c) ---------------------------------------------------------------- */

/* How many of the bytes are whole lines. */
size_t seebatch_io_whole_lines(const char *bytes, size_t length);

/* The place after the first line end; 0 if there is none. */
size_t seebatch_io_line_boundary(const char *bytes, size_t length);

/* Begins a record with the next line that is not blank nor, where comments are known, begins with #. All have an LF.
 * The line without CR LF or LF ends at *end. False at the end of the block. */
bool seebatch_io_next_record_line(struct cursor *cursor, bool comments, struct record *record, const char **end);

/* Whether text of a record, or of what stands between two, has no byte that is NUL: what was lost there began and ended
 * anywhere, and may have been many records. Otherwise reports an error. */
bool seebatch_io_is_whole_text(const struct cursor *cursor, const struct record *record, const char *text,
                               size_t length);

/* The last line of the file, which is the last one of the block, had no line feed before the reader of blocks gave it
 * one: warns that it may have been cut off. */
#define LAST_LINE "the last line has no line feed at its end, the file may have been cut off"
void seebatch_io_warn_of_last_line(struct block *block, uint64_t line);

/* The line that was reported last; 0 if none was. */
uint64_t seebatch_io_line_of_error(const struct block *block);

/* Reads lines into a batch with a function that reads one, to be ended before *end, and reports an error if it is wrong. */
typedef bool read_line_function(struct block *block, struct record *record, seebatch_position *position,
                                const char *end);
bool seebatch_io_read_lines(struct cursor *cursor, struct batch *batch, bool comments, read_line_function *read_line);

/* Does the same for records of one size, the format's record_size, with a function that takes one apart. */
typedef bool unpack_function(const char *bytes, seebatch_position *position, struct record *record,
                             seebatch_error *error);
/* And with a fast path, or NULL: as many records as it takes, up to most; 0 says nothing about the next one. */
typedef size_t fast_function(const struct cursor *cursor, struct record *records, seebatch_position *positions,
                             size_t most);
bool seebatch_io_read_sized_records(struct cursor *cursor, struct batch *batch, unpack_function *unpack,
                                    fast_function *fast);

/* Begins the next record of a binary format with its first byte and its length. */
void seebatch_io_begin_record(struct cursor *cursor, struct record *record, const char *bytes, size_t length);

/* Fills an error with a sentence; returns false. */
bool seebatch_io_fail_with(seebatch_error *error, const char *format, ...) PRINTF_LIKE(2, 3);

/* Bytes were skipped because of damage, and records in them as far as that is known. */
void seebatch_io_skip_damage(struct block *block, uint64_t bytes, uint64_t records);

/* Notes what is wrong with a record, and counts it as bad. The same sentence again is only counted. */
void seebatch_io_report_error(struct block *block, const struct record *record, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* Notes what may be wrong with a record that is good. */
void seebatch_io_warn(struct block *block, const struct record *record, const char *format, ...) PRINTF_LIKE(3, 4);

/* A good record lacks these fields, although its format writes them all: where other records of the file have them, a
 * warning at the end of the file says so, because lines may be missing from the file (error_reports.c). */
void seebatch_io_note_lacking(struct block *block, unsigned fields);

/* The file ends here, within something: reports so, and ends the reading of this block and of all that follow of this
 * file. A record of the cursor that was begun and is whole is not bad by this. */
void seebatch_io_end_file_early(struct cursor *cursor, const char *at, const char *format, ...) PRINTF_LIKE(3, 4);

/* Each reads one field of the record from text; false, and reported, if it is wrong. A move needs the position. */
bool seebatch_io_read_position(struct block *block, struct record *record, seebatch_position *position,
                               const char *text, size_t length);
bool seebatch_io_read_move(struct block *block, struct record *record, const seebatch_position *position,
                           const char *text, size_t length);
bool seebatch_io_read_score(struct block *block, struct record *record, const char *text, size_t length);

/* The same in silence, of a score by what --score-scale says; *error may be NULL. */
bool seebatch_io_move_of_text(const seebatch_position *position, const char *text, size_t length, seebatch_move *move,
                              seebatch_error *error);
bool seebatch_io_score_of_text(const struct columns *columns, const char *text, size_t length, int64_t *score);

/* The same for scores whose unit the format says: an integer, and moves to mate. sign: 1 if they are White's, -1 if
 * they are Black's. */
bool seebatch_io_read_centipawns(struct block *block, struct record *record, const char *text, size_t length, int sign);
bool seebatch_io_read_mate(struct block *block, struct record *record, const seebatch_position *position,
                           const char *text, size_t length, int sign);

/* Reads the position of a line that begins with a FEN or EPD and, if more follows, a TAB; then reads the moves after
 * that. */
bool seebatch_io_read_position_of_line(struct block *block, struct record *record, seebatch_position *position,
                                       const char *end);
bool seebatch_io_read_moves_of_line(struct block *block, struct record *record, seebatch_position *position,
                                    const char *end);
bool seebatch_io_read_result(struct block *block, struct record *record, const char *text, size_t length);
bool seebatch_io_read_ply(struct block *block, struct record *record, const char *text, size_t length);

/* Whether the position has the number of its move: its text has a sixth field that is a number, or gets one from an
 * operation of EPD wherever it is written, or it has no text. */
bool seebatch_io_text_has_move_number(const struct record *record);
static inline bool seebatch_io_has_move_number(const struct record *record)
{
    return record->fen == NULL || record->has & FIELD_NUMBER_SAID || seebatch_io_text_has_move_number(record);
}

/* What formats lose whose number of the move says the ply: FIELD_PLY if it says another, or is not there. */
unsigned seebatch_io_loses_ply(const struct record *record, const seebatch_position *position);

/* The ply that the number of the move says. */
static inline int32_t seebatch_io_ply_of_number(const seebatch_position *position)
{
    const int moves = position->fullmove_number > 0 ? position->fullmove_number - 1 : 0;
    return 2 * moves + (position->stm == SEEBATCH_BLACK);
}

/* Where no ply was given: that of the full-move number, if the position has one. */
void seebatch_io_ply_of_fen(struct record *record, const seebatch_position *position);

/* Writes the position as text: as it was given, or written anew into fen. What operations of EPD say of clock and
 * number stands in the fields of the FEN, too, which other readers look at; that text is the block's. */
struct cell seebatch_io_text_of_position(struct block *block, const struct record *record,
                                         const seebatch_position *position, char fen[SEEBATCH_FEN_SIZE]);

/* Writes one field as text, in room for at least 16 characters; the text is empty if the record does not have it. */
struct cell seebatch_io_text_of_field(const struct record *record, unsigned field, char room[16]);

/* ---- Writing (format.c) ------------------------------------------------------------------------------------------ */

/* Whether records of a file are written as they stand in it, and not by their fields. */
static inline bool keeps_form(const struct target *target, const struct source *source)
{
    return source->format == target->format && target->n_selected == 0;
}

/* Whether annotate adds a column of that name. */
bool seebatch_io_is_added(const struct target *target, struct cell name);

/* Writes a record to the block's output, unchanged if it has the format of the output and nothing is added. False, and
 * reported, if it cannot be written, or if something would be lost that may not be: block->refused is true then,
 * and nothing more of the block may be written. */
bool seebatch_io_write_record(const struct target *target, struct block *block, const struct record *record,
                              const seebatch_position *position, const seebatch_cell *cells);

/* The same with another score, as it stands in the file. Where a record can be copied all else stays as it is. */
bool seebatch_io_write_scored(const struct target *target, struct block *block, const struct record *record,
                              const seebatch_position *position, int score);

#endif
