/* SPDX-License-Identifier: MIT. Copyright (c) 2026 the seebatch authors. */
/*
 * seebatch_io: files of chess positions, read and written as arrays.
 *
 * This interface adds files to seebatch.h: every format that the command-line tool knows, compressed or not, whole
 * files or parts of them. Records that have been read can be passed to the functions of seebatch.h at once, because
 * their positions have been checked and their moves are legal.
 *
 *     seebatch_reader_options options = {.path = "games.binpack.zst"};
 *     seebatch_reader *reader = seebatch_reader_open(&options, &error);
 *     seebatch_records records = {.capacity = 4096, .positions = positions, .moves = moves};
 *     while (reader != NULL && seebatch_reader_next(reader, &records, &error) == SEEBATCH_IO_OK)
 *         use(positions, moves, records.n);
 *     seebatch_reader_close(reader);
 *
 * There are three parts, which differ in how much of the work is left to the caller:
 *
 * Readers and writers   handle one file in one thread, with arrays of the caller.
 * Conditions            say which records of such arrays meet "any-capture=0.." and the like.
 * Pipelines             take many files as input and write one file. Several threads read, work and write, in memory
 *                       that does not grow with the input. Records keep everything that their file says about them.
 *
 * The following holds for every function unless its comment says otherwise:
 *
 *   - Errors: no function ends the program or writes to standard error. A failure is a seebatch_io_status, with a
 *     message that names the place, "FILE:LINE: ..." or "FILE: record N at byte B: ...". Running out of memory is such
 *     a failure, too. error may be NULL. Messages name options as the tool spells them.
 *   - Bad records are skipped and counted, each with an error report. Nothing is lost without an error report.
 *   - Threads: there is no global state. An object may be used by one thread at a time, and different objects are
 *     independent of each other. seebatch_conditions may be shared once all conditions have been added.
 *   - Scores and results are White's, whatever the format stores.
 *   - Text that is passed to a function is copied.
 *   - In structs of options, set what you need and leave the rest zero; a later version may add members.
 *
 * The header is C11, and also compiles as C++ without warnings. The library needs POSIX, because it uses file
 * descriptors, and zlib, libzstd, and, for pipelines, threads.
 */
#ifndef SEEBATCH_IO_H
#define SEEBATCH_IO_H

#include "seebatch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What became of a call. */
typedef enum seebatch_io_status {
    SEEBATCH_IO_OK = 0,
    SEEBATCH_IO_END,        /* there are no more records */
    SEEBATCH_IO_USAGE,      /* the options cannot be carried out, for example because there is no such format */
    SEEBATCH_IO_FAILED,     /* a file cannot be opened, read or written, or it is damaged or truncated */
    SEEBATCH_IO_BAD_RECORD, /* a record is wrong, and the options ask for strict reading */
    SEEBATCH_IO_LOSSY,      /* something would be lost that the option `lose` does not name */
    SEEBATCH_IO_NO_MEMORY,
    SEEBATCH_IO_STOPPED /* a callback of the caller ended the work */
} seebatch_io_status;

/* Why a call failed. A function fills it if it fails, and leaves it untouched otherwise. */
typedef struct seebatch_io_error {
    seebatch_io_status status;
    int system_error; /* errno if a system call failed, otherwise 0 */
    char text[1024];  /* a sentence, without the full stop at its end */
} seebatch_io_error;

/* ---- Records ----------------------------------------------------------------------------------------------------- */

/* What a record may have in addition to its position. */
enum { SEEBATCH_HAS_MOVE = 1, SEEBATCH_HAS_SCORE = 2, SEEBATCH_HAS_RESULT = 4, SEEBATCH_HAS_PLY = 8 };

/* The result of a game. */
enum { SEEBATCH_BLACK_WINS = 0, SEEBATCH_DRAW = 1, SEEBATCH_WHITE_WINS = 2 };

/* The place of a record in its file. */
typedef struct seebatch_place {
    uint64_t line; /* its line, or in a binary format its number, from 1; 0 if unknown, as in parts of files */
    uint64_t byte; /* the offset of its first byte, from 0, after decompression */
} seebatch_place;

/* A text that need not end with a NUL. */
typedef struct seebatch_cell {
    const char *text;
    size_t length; /* 0 if there is no text */
    bool
        is_text; /* of a cell of a further column: JSON lines have it in quotes whatever it is, and as "" if length is 0
                      but text is not NULL */
} seebatch_cell;

/* Records as arrays: record i consists of element i of each array. Any array may be NULL. For input this means that it
 * is not wanted, and for output that no record has it. If a record lacks something, its element is 0. The halfmove
 * clock and the number of the move are in the positions. */
typedef struct seebatch_records {
    size_t capacity; /* the number of elements for which each array has room */
    size_t n;        /* the number of records */
    seebatch_position *positions;
    seebatch_move *moves;   /* each is legal in its position */
    int32_t *scores;        /* White's, in the units of the file */
    uint8_t *results;       /* of the games: SEEBATCH_BLACK_WINS, _DRAW or _WHITE_WINS */
    int32_t *plies;         /* half-moves from the start of the game */
    uint8_t *has;           /* SEEBATCH_HAS_...; in the input of a function, NULL means everything that has an array */
    seebatch_place *places; /* only from readers */
    seebatch_cell *fens;    /* only from readers: the position as the file spells it, valid until the next call for the
                               reader. Empty if the format stores no text; seebatch_position_to_fen() writes one */
    const uint64_t *identities; /* only for conditions that hold at random: numbers that tell the records apart. NULL:
                                   they are made from the records, and equal records get the same decision */
    const char *file; /* only for the condition `file`: the name of the file that all these records come from, as the
                         reader or pipeline was given it; NULL: it has none, as standard input. Readers fill it; it is
                         valid as long as the reader */
} seebatch_records;

/* ---- Formats ----------------------------------------------------------------------------------------------------- */

/* A format of files. Its texts are static. */
typedef struct seebatch_file_format {
    const char *name;
    const char *extensions[3]; /* extensions of file names, with the dot; NULL after the last one */
    const char *what;          /* a description in a few words */
    const char *details;       /* a description in whole sentences */
    unsigned holds;            /* SEEBATCH_HAS_...: what its records can have, */
    unsigned needs;            /* what a record must have to be written, */
    unsigned optional;         /* and what many of its records lack */
    bool binary;               /* whether its records are not lines of text */
    bool writable;             /* whether it can be written */
    bool columns;              /* whether its records can have further columns, as in tables and JSON lines */
    bool mover;                /* whether scores in its files are those of the side to move instead of White's */
} seebatch_file_format;

/* The format with this index, from 0; false past the last one. */
SEEBATCH_API bool seebatch_format_at(size_t index, seebatch_file_format *format);

/* The format with this name, or whose files have this extension; false if there is none. Upper and lower case are the
 * same. */
SEEBATCH_API bool seebatch_format_named(const char *name, seebatch_file_format *format);

/* The format that the extension of a file's name gives, ignoring .gz and .zst; false if there is none. */
SEEBATCH_API bool seebatch_format_of_file(const char *path, seebatch_file_format *format);

/* What an error report is about. */
typedef enum seebatch_error_report_kind {
    SEEBATCH_ERROR_REPORT_RECORD,  /* a bad record, which was skipped */
    SEEBATCH_ERROR_REPORT_WARNING, /* something that looks wrong, although every record was read */
    SEEBATCH_ERROR_REPORT_FILE,    /* a file that cannot be read, or not to its end */
    SEEBATCH_ERROR_REPORT_REST,    /* how many error reports about a file were only counted: all after the fiftieth and,
                                      in a pipeline, those in the words of an earlier one */
    SEEBATCH_ERROR_REPORT_RUN /* neither a record nor an input file, for example an output that cannot be written */
} seebatch_error_report_kind;

/* An error report about the input or output. */
typedef struct seebatch_error_report {
    seebatch_error_report_kind kind;
    const char *path;     /* the path of the file, as it was given; NULL if the error report is about none */
    seebatch_place place; /* the place of the record; all 0 if the error report is about the file */
    const char *text;     /* the message for people, with the place. The function that gives the error report says how
                             long the text is valid */
} seebatch_error_report;

/* What has been read and written so far. */
typedef struct seebatch_counts {
    uint64_t read;         /* records that were read */
    uint64_t written;      /* records that a pipeline or a writer has written */
    uint64_t bad;          /* records that were skipped one by one */
    uint64_t lost_bytes;   /* bytes that were skipped because of damage, */
    uint64_t lost_records; /* and the records in them, as far as this is known: there may be more */
    uint64_t lost_about;   /* an estimate of all records in them, from the bytes of those that were read; 0: none */
    uint64_t scores;       /* comments of games in PGN that were read as the score of a position, */
    uint64_t not_scores;   /* and those that look like a score and could not be read as one */
    uint64_t consumed;     /* bytes of the input that were read, before decompression */
    uint64_t empty_files;  /* whole files that have no record, good or bad; only of pipelines */
    bool damaged;          /* whether more than single records were skipped, or a file could not be read to its end */
    bool incomplete;       /* whether the run of a pipeline ended early, or not everything could be written */
    bool removed;          /* whether the output of a pipeline is a file that does not appear: see output */
} seebatch_counts;

/* A list of at most 64 conditions, as --keep and --drop of seebatch filter take them, with at most 128 terms together. */
typedef struct seebatch_conditions seebatch_conditions;

/* What to read, and how. */
typedef struct seebatch_reader_options {
    const char *path;  /* the file; "-" is standard input. If bytes is set, a name for them, or NULL */
    const void *bytes; /* n_bytes of a file in memory, which must last as long as the reader; NULL to read path */
    size_t n_bytes;
    const char *format; /* the name of a format; NULL: the one that the extension of path gives */
    uint64_t part, of;  /* read part 1..of of the file, divided by bytes; all parts together have the records of the
                           file. 0, 0: the whole file. Pipes, memory and compressed files have no parts */
    bool strict;        /* end at the first bad record, with SEEBATCH_IO_BAD_RECORD */
    const char *const *column_names; /* such as "score=cp": in tables and JSON lines, the column cp has the score. The
                                        names are fen, move, score, result and ply. Valid as long as the reader */
    size_t n_column_names;
    int score_scale; /* scores of tables, JSON lines and the format scored are multiplied by this factor and rounded:
                        100 if they are in pawns, at most 1000. 0: they are integers */
    const char *win_rate_model; /* "stockfish-17", "stockfish-17.1" or "stockfish-18": scores of games in PGN are
                                   multiplied by the number by which this version divides its internal scores. NULL:
                                   they are centipawns */
    const char *leela_score; /* which Q of Leela's training data becomes the score: "best", which is the same as NULL,
                                "root" or "played" */
    const seebatch_conditions *conditions; /* give only records that meet them; they must last as long as the reader.
                                              Records that do not are counted as read. If a condition is about a field
                                              that no record of the file has, the reader fails with
                                              SEEBATCH_IO_USAGE, at its end at the latest. NULL: give all */
} seebatch_reader_options;

/* A file that is being read. */
typedef struct seebatch_reader seebatch_reader;

/* Opens a file. It is decompressed if its first bytes are those of gzip or Zstandard. Returns NULL, and fills error, if the file cannot
 * be opened or the options cannot be carried out. */
SEEBATCH_API seebatch_reader *seebatch_reader_open(const seebatch_reader_options *options, seebatch_io_error *error);

/*
 * Reads the next records. It fills the arrays of records from their first element on, and sets n to a number from 1 to
 * capacity. n may be less than capacity in any call, not only in the last one.
 *
 * Returns SEEBATCH_IO_OK, or SEEBATCH_IO_END with n = 0 after the last record, or another status with n = 0 if
 * something failed. Records before the failure have been given by earlier calls, and there are none after it. The good
 * records of a damaged file may still be read to the end; seebatch_reader_counts() then says what was lost.
 */
SEEBATCH_API seebatch_io_status seebatch_reader_next(seebatch_reader *reader, seebatch_records *records,
                                                     seebatch_io_error *error);

/* The next error report, in the order of the file; false if there is none so far. Its text is valid until the next call
 * for this reader. Each bad record has one with its place, even where many are bad for the same reason. At most fifty
 * error reports are kept, and the rest is only counted. */
SEEBATCH_API bool seebatch_reader_error_report(seebatch_reader *reader, seebatch_error_report *report);

/* What has been read so far. */
SEEBATCH_API seebatch_counts seebatch_reader_counts(const seebatch_reader *reader);

/* SEEBATCH_HAS_...: what the records of the file can have. For a table, its header says so. */
SEEBATCH_API unsigned seebatch_reader_fields(const seebatch_reader *reader);

/* Closes the file and frees the reader. NULL is allowed. */
SEEBATCH_API void seebatch_reader_close(seebatch_reader *reader);

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

/*
 * A further column of a table or of JSON lines.
 *
 * A name is UTF-8 and not empty, and each column has a name of its own. It cannot be fen, position, move, score, result or
 * ply, in capitals or not, because readers would take such a column for that field.
 *
 * A cell may have any characters. JSON lines have a cell as a string, unless it is of a column that is not of texts, does
 * not say is_text, and is a number as in JSON, or true, false or null; no text is null. In a table, a cell or name with a
 * line feed, a carriage return or a NUL in it, and in TSV one with a TAB, is written as a string of JSON, in quotes,
 * because a row is one line. So is a text that begins and ends with quotes and has an escape of JSON in it.
 */
typedef struct seebatch_column {
    const char *name; /* valid as long as the writer or pipeline that has the column */
    bool text;        /* whether its cells are texts, which JSON lines have in quotes, and not numbers */
} seebatch_column;

/* What to write, and how. */
typedef struct seebatch_writer_options {
    const char *path;   /* the file, compressed if the path ends with .gz or .zst; "-": standard output; NULL: memory */
    const char *format; /* the name of a format; NULL: the one that the extension of path gives */
    unsigned holds;     /* SEEBATCH_HAS_...: the columns of a table; 0: everything that the format can hold */
    const char *lose;   /* what may be lost, as in --lose of the tool, such as "score,result"; NULL: nothing */
    int level;          /* the level of compression: 1 to 9 for .gz, 1 to 22 for .zst; 0: the tool's default, and the
                           only level of what is not compressed */
    const seebatch_column *columns; /* further columns, for formats that have columns; they and their names must last as
                                       long as the writer */
    size_t n_columns;
} seebatch_writer_options;

/* A file that is being written. */
typedef struct seebatch_writer seebatch_writer;

/* Begins a file. A regular file has a temporary name until it is complete, and then replaces an older file of its name.
 * Returns NULL, and fills error, if the file cannot be created or the options cannot be carried out. */
SEEBATCH_API seebatch_writer *seebatch_writer_open(const seebatch_writer_options *options, seebatch_io_error *error);

/*
 * Writes records.
 *
 * records   Positions must pass seebatch_position_check(), and moves must be legal.
 * cells     the cells of the further columns, row by row; or NULL if there are no such columns.
 *
 * A record that the format cannot hold, for example because of a score beyond 16 bits or too many pieces, is left out
 * with an error report. Any status other than SEEBATCH_IO_OK ends the writing. It is SEEBATCH_IO_LOSSY if something of a
 * record would be lost; that record and those after it are not written.
 */
SEEBATCH_API seebatch_io_status seebatch_writer_write(seebatch_writer *writer, const seebatch_records *records,
                                                      const seebatch_cell *cells, seebatch_io_error *error);

/* The next error report, as for a reader. place.line is the number of the record, counted from 1 over all calls. */
SEEBATCH_API bool seebatch_writer_error_report(seebatch_writer *writer, seebatch_error_report *report);

/* What has been written so far. */
SEEBATCH_API seebatch_counts seebatch_writer_counts(const seebatch_writer *writer);

/*
 * Completes the file and frees the writer. A regular file now appears under its name. If this fails, or writing has
 * failed before, there is no file. Nor is there one if all records were bad: the status is then SEEBATCH_IO_BAD_RECORD.
 *
 * bytes, n_bytes   If the path is NULL, *bytes becomes the content, which the caller frees with free(), and *n_bytes
 *                  its length. Otherwise both are NULL.
 */
SEEBATCH_API seebatch_io_status seebatch_writer_finish(seebatch_writer *writer, void **bytes, size_t *n_bytes,
                                                       seebatch_io_error *error);

/* Ends the writing without a file, and frees the writer. NULL is allowed. */
SEEBATCH_API void seebatch_writer_abandon(seebatch_writer *writer);

/* Writes a whole file from memory in the same way: it appears under its name once it is complete, and is compressed if
 * the path ends with .gz or .zst. */
SEEBATCH_API seebatch_io_status seebatch_write_file(const char *path, const void *bytes, size_t n_bytes,
                                                    seebatch_io_error *error);

/* ---- Conditions -------------------------------------------------------------------------------------------------- */

/* A kind of condition. Its texts are static. */
typedef struct seebatch_condition {
    const char *name;
    const char *argument; /* what follows the name: "" for nothing, "[=RANGE]" if it is optional, or if it is required
                             "=RANGE", "=RESULT", "=FIELD", "=P", "=POINTS", "=MODEL", "=SIDE", "=MOVE",
                             "=MATERIAL", "[=RIGHTS]", "(PIECES)=RANGE" or "=PATTERN" */
    const char *what;     /* a description in a few words */
    const char *details;  /* a description in whole sentences */
} seebatch_condition;

/* The kind of condition with this index, from 0; false past the last one. */
SEEBATCH_API bool seebatch_condition_at(size_t index, seebatch_condition *condition);

/* An empty list of conditions, which will evaluate exchanges by these rules. NULL if there is no memory. */
SEEBATCH_API seebatch_conditions *seebatch_conditions_new(const seebatch_rules *rules);

/*
 * Adds a condition: an expression in the language of docs/conditions.md, of at most 65,536 bytes, such as "in-check",
 * "any-capture=0.." or "(quiet and abs(score) < 1000) or ply >= 100".
 *
 * keep   true if records must meet the condition, and false if they must not.
 *
 * Returns SEEBATCH_IO_USAGE if the text is not a condition. The message then has three lines: a sentence, the text around
 * the place, and a caret below the place. The list is as it was before.
 */
SEEBATCH_API seebatch_io_status seebatch_conditions_add(seebatch_conditions *conditions, bool keep, const char *text,
                                                        seebatch_io_error *error);

/* Whether there is reason to doubt that the conditions say what was meant: one or a part of one can never hold, such as
 * "ply < 3 and ply > 9", or always holds; or no record can meet all of them. error then has a message as above, about the
 * first such place. Not every such condition is found. They can be tested all the same. */
SEEBATCH_API bool seebatch_conditions_doubt(const seebatch_conditions *conditions, seebatch_io_error *error);

/* Writes a condition as it was understood, with all parentheses, as a text that means the same. number counts from 1 in
 * the order in which the conditions were added. Returns the length of the text, 0 if there is no such condition; at most
 * size - 1 bytes of it, and a NUL, are written. */
SEEBATCH_API size_t seebatch_conditions_text(const seebatch_conditions *conditions, size_t number, char *text,
                                             size_t size);

/* The same for a term, which is a part that has no "and", "or" or "not". Terms are counted from 0, over all conditions,
 * as they stand in their texts. */
SEEBATCH_API size_t seebatch_conditions_term(const seebatch_conditions *conditions, size_t number, char *text,
                                             size_t size);

/* Sets the seed for conditions that hold at random, such as "chance=0.5". Without this call it is 0. */
SEEBATCH_API void seebatch_conditions_seed(seebatch_conditions *conditions, uint64_t seed);

/* Whether any of the conditions holds at random, so that it uses the identities of records. */
SEEBATCH_API bool seebatch_conditions_use_chance(const seebatch_conditions *conditions);

/* SEEBATCH_HAS_...: what the conditions are about. Without these arrays they cannot be tested. */
SEEBATCH_API unsigned seebatch_conditions_fields(const seebatch_conditions *conditions);

/* Returns SEEBATCH_IO_USAGE, with a message that names the condition, if a condition is about something that no record
 * has. has is SEEBATCH_HAS_... for everything that at least one record has. */
SEEBATCH_API seebatch_io_status seebatch_conditions_check(const seebatch_conditions *conditions, unsigned has,
                                                          seebatch_io_error *error);

/* Tests records: in[i] says whether record i meets all conditions. A term about something that a record lacks does
 * not hold for it, and its negation does. Returns SEEBATCH_IO_OK, SEEBATCH_IO_NO_MEMORY, or SEEBATCH_IO_USAGE if an array that a condition
 * needs is NULL. */
SEEBATCH_API seebatch_io_status seebatch_conditions_test(const seebatch_conditions *conditions,
                                                         const seebatch_records *records, bool *in);

/* The same, and says which condition decided: failed[i] is 0 if record i meets all conditions, and otherwise the number
 * of the condition that rejected it, counted from 1 in the order in which the conditions were added. The conditions
 * that cost least are tested first. */
SEEBATCH_API seebatch_io_status seebatch_conditions_find(const seebatch_conditions *conditions,
                                                         const seebatch_records *records, uint8_t *failed);

/* How a record is decided. */
typedef struct seebatch_decision {
    uint8_t failed;     /* as seebatch_conditions_find() has it */
    uint8_t last;       /* the number of the term that decided, which was tested last */
    uint64_t tested[2]; /* bit t % 64 of element t / 64: whether term t was tested, */
    uint64_t held[2];   /* whether it held, */
    uint64_t absent[2]; /* and whether the record lacks what it is about, so that it did not */
} seebatch_decision;

/* The same, and says which terms decided each record. A term is tested only for records that earlier ones leave
 * undecided. This takes more time than the other two functions. */
SEEBATCH_API seebatch_io_status seebatch_conditions_decide(const seebatch_conditions *conditions,
                                                           const seebatch_records *records,
                                                           seebatch_decision *decisions);

/* Frees the conditions. NULL is allowed. */
SEEBATCH_API void seebatch_conditions_free(seebatch_conditions *conditions);

/* ---- Pipelines --------------------------------------------------------------------------------------------------- */

/* The most records that a pipeline passes to one call of its work function. */
enum { SEEBATCH_IO_BATCH = 512 };
/* Records on their way through a pipeline, with everything that their file says about them. */
typedef struct seebatch_batch_of_file seebatch_batch_of_file;

/* What a pipeline reads, does and writes. */
typedef struct seebatch_pipeline_options {
    /* The input. */
    const char *const *paths; /* n_paths files; "-" is standard input */
    size_t n_paths;
    const char *from;  /* the name of a format; NULL: by the extensions of the paths, and fen for standard input */
    uint64_t part, of; /* part 1..of of the whole input, divided by bytes; the outputs of all parts, joined, are the
                          output of the whole; 0, 0: the whole input */
    bool part_headers; /* write the header of a table in every part, so that each output is a table of its own, instead
                          of in the first part only */
    unsigned wanted;   /* SEEBATCH_HAS_...: the arrays that work gets. It always gets positions, and if any other array
                          is wanted, has */
    unsigned required; /* which of these every file must be able to have */
    bool strict;       /* end the run at the first bad record */
    const char *const *column_names; /* this and the next four: as in seebatch_reader_options */
    size_t n_column_names;
    int score_scale;
    const char *win_rate_model;
    const char *leela_score;

    /* The output. */
    const char *output; /* the path; "-" is standard output; NULL: records are counted, and nothing is written. A file
                           appears even if records were bad and left out one by one. It does not appear if the run is
                           incomplete; if the input was damaged, so that nobody knows how much is missing, unless
                           `salvage` is set; or if no record is left because all were bad or lost */
    const char *to;     /* the name of a format; NULL: by the extension of output, or, if that has none or that of the
                           first file, the format of the first file */
    const char *lose;   /* what may be lost, as in --lose of the tool; NULL: nothing */
    int level;          /* the level of compression; 0: the tool's default */
    bool salvage;       /* let the output appear even if damaged input was skipped */
    const char *select; /* such as "fen,score,result": the columns of a table or JSON lines, in this order; NULL: all */
    const seebatch_column *columns; /* further columns */
    size_t n_columns;
    bool scores; /* whether work changes the scores of records, so that the output must be able to hold scores */

    /* Work on the input as a whole. In addition to what every run needs, this takes at most `memory` bytes, and
     * temporary files next to the output, or in TMPDIR or /tmp if the output is not a file. */
    bool unique;  /* write only the first of the records that have the same pieces, side to move, castling rights and
                     en passant square (if a capture there is legal). The input is read twice, so work gets everything
                     twice and must decide in the same way; error reports come from the second reading */
    bool shuffle; /* write the records in random order, with every order equally likely, as `seed` determines */
    uint64_t seed;
    uint64_t memory; /* at least 1 MiB; 0: 1 GiB */

    /* The work. */
    unsigned threads; /* threads that read and work, in addition to the calling one, which writes. 0: as many as
                         seebatch_processors() */

    /* Works on records, and writes those that are to be written with seebatch_batch_write(). Several threads call it at
     * once, and worker is the number of the thread, from 0. Any status other than SEEBATCH_IO_OK ends the run. The
     * function must not leave by longjmp or an exception. NULL: all records are written. */
    seebatch_io_status (*work)(void *user, unsigned worker, seebatch_batch_of_file *batch,
                               const seebatch_records *records);

    /* The calling thread calls the other functions, in the order of the input. Each may be NULL. */
    void (*on_error_report)(void *user, const seebatch_error_report *report); /* it is valid during the call */
    void (*on_progress)(void *user, const seebatch_counts *counts); /* at the beginning, and after each block */
    void (*again)(void *user); /* with unique: between the two readings; the counts then begin again */
    bool (*stop)(void *user);  /* called at least ten times a second; true ends the run with SEEBATCH_IO_STOPPED */
    void *user;
} seebatch_pipeline_options;

/* A pipeline that is ready to run. */
typedef struct seebatch_pipeline seebatch_pipeline;

/* Checks the options. No record is read; files are only looked at to find out what kind of file they are. The options
 * and everything to which they point must be valid as long as the pipeline. Returns NULL, and fills error, if the
 * options cannot be carried out (SEEBATCH_IO_USAGE), or if a file does not exist whose name does not say its format
 * (SEEBATCH_IO_FAILED). */
SEEBATCH_API seebatch_pipeline *seebatch_pipeline_new(const seebatch_pipeline_options *options,
                                                      seebatch_io_error *error);

/*
 * Runs a pipeline, which is possible once. The output is in the order of the input, whatever the number of threads.
 *
 * counts   filled in any case; written is 0 if there is no output in the end.
 *
 * Returns SEEBATCH_IO_OK, or the first of these that applies: SEEBATCH_IO_NO_MEMORY, _STOPPED, _LOSSY, _BAD_RECORD
 * (with strict), _FAILED if a file could not be read to its end or the output could not be written, or what work
 * returned. If only bad records were skipped, the status is SEEBATCH_IO_OK, and the counts report them. All threads
 * have ended when the function returns.
 */
SEEBATCH_API seebatch_io_status seebatch_pipeline_run(seebatch_pipeline *pipeline, seebatch_counts *counts,
                                                      seebatch_io_error *error);

/* Frees a pipeline. NULL is allowed. */
SEEBATCH_API void seebatch_pipeline_free(seebatch_pipeline *pipeline);

/* Writes record i of a batch, with the given cells of the further columns. If the output has the same format as the
 * record's file, the record is written as it stands there. Without an output, it is counted. A record that the format
 * cannot hold causes an error report. The status is meant to be returned by work. */
SEEBATCH_API seebatch_io_status seebatch_batch_write(seebatch_batch_of_file *batch, size_t i,
                                                     const seebatch_cell *cells);

/* Writes n records of a batch from record `first` on, without further columns, as seebatch_batch_write() does with each
 * of them, up to the first for which it returns another status than SEEBATCH_IO_OK. Where the output is a binpack, this
 * is faster. */
SEEBATCH_API seebatch_io_status seebatch_batch_write_range(seebatch_batch_of_file *batch, size_t first, size_t n);

/* Writes record i with another score, in the sense of the output's format: the side to move's if its `mover` is true, and
 * otherwise White's. If the output has the format of the input, the rest of the record stays as it is. options.scores
 * must be true. */
SEEBATCH_API seebatch_io_status seebatch_batch_write_scored(seebatch_batch_of_file *batch, size_t i, int16_t score);

/* Without an output: counts n records of the batch as written, all at once. */
SEEBATCH_API void seebatch_batch_count(seebatch_batch_of_file *batch, size_t n);

/* Sets a number for each record of the batch, which distinguishes it from all other records of the input. It depends
 * only on the record's place. */
SEEBATCH_API void seebatch_batch_identities(const seebatch_batch_of_file *batch, uint64_t *identities);

/* ---- Statistics -------------------------------------------------------------------------------------------------- */

/*
 * What is in files: results, scores, moves, phases, equal positions and exchanges, as `seebatch stats` shows it.
 *
 * The caller runs a pipeline with a work function that calls seebatch_stats_count(), with `wanted` set to all of
 * SEEBATCH_HAS_..., and then calls seebatch_stats_finish() once. The numbers depend neither on threads nor on parts.
 * Memory does not grow with the input: an object takes at most 8 MB, and 5 MB more for each thread.
 */
typedef struct seebatch_stats seebatch_stats;

/* A rule set, with its piece values, and its name for people. */
typedef struct seebatch_stats_rules {
    const char *name;
    seebatch_rules rules;
} seebatch_stats_rules;

/* What to count. */
typedef struct seebatch_stats_options {
    const seebatch_stats_rules
        *rules; /* 1 to 8 of them. All legal captures are evaluated by the first, and the move that
                                          was played by each */
    size_t n_rules;
    long bin;         /* how many values share a bar of the histogram of values, 1 to 12001; 0: 100 */
    unsigned threads; /* as of the pipeline; 0: seebatch_processors() */
} seebatch_stats_options;

/* Statistics of no records. NULL, and error filled, if the options cannot be carried out or there is no memory. */
SEEBATCH_API seebatch_stats *seebatch_stats_new(const seebatch_stats_options *options, seebatch_io_error *error);

/*
 * Counts records, of which all arrays but places, fens and identities must be there. Threads may call it at the same time,
 * each with its own number, below the number of threads. batch is that of the pipeline, which knows where games begin; or
 * NULL. Returns SEEBATCH_IO_OK or SEEBATCH_IO_NO_MEMORY.
 */
SEEBATCH_API seebatch_io_status seebatch_stats_count(seebatch_stats *stats, unsigned worker,
                                                     seebatch_batch_of_file *batch, const seebatch_records *records);

/* Forgets what was counted: for `again` of a pipeline that reads its input twice. */
SEEBATCH_API void seebatch_stats_reset(seebatch_stats *stats);

/* The end of a run: takes the names and formats of the files from its options, and what it says about damage. If
 * options->unique is true, counts->written is the number of different positions, which otherwise is estimated. */
SEEBATCH_API seebatch_io_status seebatch_stats_finish(seebatch_stats *stats, const seebatch_pipeline_options *options,
                                                      const seebatch_counts *counts, seebatch_io_error *error);

/* A report that was written as JSON. name is for messages. NULL, and error filled, if the bytes are no such report. */
SEEBATCH_API seebatch_stats *seebatch_stats_from_json(const char *name, const void *bytes, size_t length,
                                                      seebatch_io_error *error);

/* Adds a finished report to another one, as if both had been counted in one run; an exact number of different positions
 * becomes an estimate. Both must have the same rules, otherwise the status is SEEBATCH_IO_USAGE. */
SEEBATCH_API seebatch_io_status seebatch_stats_add(seebatch_stats *to, const seebatch_stats *from,
                                                   seebatch_io_error *error);

/*
 * Writes n finished reports side by side.
 *
 * form     "report" for a terminal; "html", a page; "fragment", the part of a page; "svg", the charts; or of one report
 *          "json", of which docs/stats-json.md has the members, and "text" and "tsv", the histograms of exchanges.
 * text     becomes the text, *length bytes of UTF-8 and a NUL, which the caller frees with free().
 */
SEEBATCH_API seebatch_io_status seebatch_stats_write(const seebatch_stats *const *stats, size_t n, const char *form,
                                                     char **text, size_t *length, seebatch_io_error *error);

/* Frees statistics. NULL is allowed. */
SEEBATCH_API void seebatch_stats_free(seebatch_stats *stats);

#ifdef __cplusplus
}
#endif

#endif
