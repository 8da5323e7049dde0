/* SPDX-License-Identifier: MIT. Copyright (c) 2026 the seebatch authors. */
/*
 * seebatch_io: files of chess positions, read and written as arrays.
 *
 * On top of seebatch.h: every format that the command-line tool knows, compressed or not, whole files or parts of them.
 * What was read is ready for the functions of seebatch.h: positions were checked, and moves are legal.
 *
 *     seebatch_reader_options options = {.path = "games.binpack.zst"};
 *     seebatch_reader *reader = seebatch_reader_open(&options, &error);
 *     seebatch_records records = {.capacity = 4096, .positions = positions, .moves = moves};
 *     while (reader != NULL && seebatch_reader_next(reader, &records, &error) == SEEBATCH_IO_OK)
 *         use(positions, moves, records.n);
 *     seebatch_reader_close(reader);
 *
 * Three ways, by how much of the work is the caller's:
 *
 *   Readers and writers    one file, one thread, arrays of the caller's.
 *   Conditions             which records of arrays meet "any-capture=0.." and the like.
 *   Pipelines              many files in, one file out, read, worked on and written by several threads in memory that
 *                          does not grow with the input. Records keep all that their file says of them.
 *
 * General contracts, for every function unless it says otherwise:
 *
 * - Errors: no function ends the program, nor writes to standard error. What goes wrong is a seebatch_io_status, with a
 *   sentence that names the place, "FILE:LINE: ..." or "FILE: record N at byte B: ...". error may be NULL. Memory that
 *   is not there is such a status, too. Sentences name options as the tool spells them.
 * - Bad records are skipped, each with a complaint, and counted. Nothing is lost silently.
 * - Threads: there is no global state. An object belongs to one thread at a time; several objects are independent of
 *   each other. seebatch_conditions may be shared once all are added.
 * - Scores and results are White's, whatever a format stores.
 * - Text given to a function is copied, unless it says otherwise.
 * - Structs of options are all zero but for what is wanted; a later version may have further members.
 *
 * C11, and clean as C++. POSIX: it uses file descriptors. Needs zlib and libzstd, and for pipelines threads.
 */
#ifndef SEEBATCH_IO_H
#define SEEBATCH_IO_H

#include "seebatch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Status ------------------------------------------------------------------------------------------------------ */

typedef enum seebatch_io_status {
    SEEBATCH_IO_OK = 0,
    SEEBATCH_IO_END,        /* there are no more records */
    SEEBATCH_IO_USAGE,      /* the options cannot be carried out: no such format, a part of a pipe, and the like */
    SEEBATCH_IO_FAILED,     /* a file cannot be opened, read on or written, or it is damaged or cut off */
    SEEBATCH_IO_BAD_RECORD, /* a record is wrong, and reading is strict */
    SEEBATCH_IO_LOSSY,      /* something would be lost that `lose` does not name */
    SEEBATCH_IO_NO_MEMORY,
    SEEBATCH_IO_STOPPED /* a callback ended the work */
} seebatch_io_status;

/* Why a call failed. Filled when a function fails, untouched otherwise. */
typedef struct seebatch_io_error {
    seebatch_io_status status;
    int system_error; /* errno where a call of the system failed, otherwise 0 */
    char text[1024];  /* a sentence, without a full stop */
} seebatch_io_error;

/* ---- Records ----------------------------------------------------------------------------------------------------- */

/* What a record may have in addition to its position. */
enum { SEEBATCH_HAS_MOVE = 1, SEEBATCH_HAS_SCORE = 2, SEEBATCH_HAS_RESULT = 4, SEEBATCH_HAS_PLY = 8 };

enum { SEEBATCH_BLACK_WINS = 0, SEEBATCH_DRAW = 1, SEEBATCH_WHITE_WINS = 2 };

/* The place of a record in its file. */
typedef struct seebatch_place {
    uint64_t
        line; /* from 1; of a binary format the number of the record. 0 where that is not known, in parts of files */
    uint64_t byte; /* its first byte, from 0, as decompressed */
} seebatch_place;

/* A text that need not end with a NUL. */
typedef struct seebatch_cell {
    const char *text;
    size_t length; /* 0: there is none */
} seebatch_cell;

/*
 * Records as arrays: record i is element i of each. Arrays may be NULL: of input, they are not wanted; of output, no
 * record has that. What a record does not have is 0 there. Halfmove clock and number of the move stand in the
 * positions.
 */
typedef struct seebatch_records {
    size_t capacity; /* elements that each array has room for */
    size_t n;        /* and how many there are */
    seebatch_position *positions;
    seebatch_move *moves;   /* legal in their positions */
    int32_t *scores;        /* in the units of the file, White's */
    uint8_t *results;       /* of games: SEEBATCH_BLACK_WINS, _DRAW, _WHITE_WINS */
    int32_t *plies;         /* half moves from the start of the game */
    uint8_t *has;           /* SEEBATCH_HAS_...; as input of functions NULL means: whatever has an array */
    seebatch_place *places; /* of readers alone, */
    seebatch_cell *fens;    /* as these: the position as the file spells it, until the next call for the reader. None
                               where the format has no text for it: seebatch_position_to_fen() writes one */
    const uint64_t *identities; /* of conditions alone: numbers that tell the records apart, for what holds at random.
                                   NULL: they are made of what the records say, and equal records share their fate */
} seebatch_records;

/* ---- Formats ----------------------------------------------------------------------------------------------------- */

/* A format of files. Its texts are static. */
typedef struct seebatch_file_format {
    const char *name;
    const char *endings[3]; /* of file names, with the dot; NULL after the last */
    const char *what;       /* in a few words */
    const char *details;    /* in whole sentences */
    unsigned holds;         /* SEEBATCH_HAS_... that its records can have */
    unsigned needs;         /* those without which none can be written */
    unsigned optional;      /* those that many of its records do not have */
    bool binary;            /* its records are no lines */
    bool writable;          /* false: it is read only */
    bool columns;           /* it is a table, or objects: a record can have any further columns */
    bool mover;             /* scores in its files are those of the side to move; the others' are White's */
} seebatch_file_format;

/* Format number index, 0, 1, ...; false past the last. */
SEEBATCH_API bool seebatch_format_at(size_t index, seebatch_file_format *format);

/* The format of this name, or that files with this ending have; in capitals or not. */
SEEBATCH_API bool seebatch_format_named(const char *name, seebatch_file_format *format);

/* The format that the ending of a file's name gives; .gz and .zst after it are ignored. */
SEEBATCH_API bool seebatch_format_of_file(const char *path, seebatch_file_format *format);

/* ---- Complaints -------------------------------------------------------------------------------------------------- */

typedef enum seebatch_complaint_kind {
    SEEBATCH_COMPLAINT_RECORD,  /* a record is bad, and was skipped */
    SEEBATCH_COMPLAINT_WARNING, /* something looks wrong, but every record there is was read */
    SEEBATCH_COMPLAINT_FILE,    /* a file cannot be read, or not be read on */
    SEEBATCH_COMPLAINT_REST,    /* so many complaints about a file were only counted: all after the fiftieth */
    SEEBATCH_COMPLAINT_RUN      /* of no record and no file of the input: the output cannot be written, and the like */
} seebatch_complaint_kind;

typedef struct seebatch_complaint {
    seebatch_complaint_kind kind;
    const char *path;     /* of the file, as it was given; NULL where it is of none */
    seebatch_place place; /* of the record; all 0 where the complaint is of the file */
    const char *text;     /* the whole sentence, with the place, for people. It lasts as long as the function that has
                             it says */
} seebatch_complaint;

/* What was read and written so far. */
typedef struct seebatch_counts {
    uint64_t read;         /* records */
    uint64_t written;      /* of pipelines and writers */
    uint64_t bad;          /* records that were skipped one by one */
    uint64_t lost_bytes;   /* skipped because of damage, */
    uint64_t lost_records; /* and the records in them, as far as they can be known */
    uint64_t consumed;     /* bytes of the input, before decompression, that were read so far */
    bool damaged;          /* more than single records were skipped, or a file could not be read to its end */
    bool incomplete;       /* of pipelines: the run ended early, or not all could be written */
} seebatch_counts;

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

typedef struct seebatch_reader_options {
    const char *path;  /* "-" is standard input. With bytes: a name for them, or NULL */
    const void *bytes; /* the file, n_bytes of it, in memory that lasts as long as the reader; NULL: the path is read */
    size_t n_bytes;
    const char *format; /* name of a format; NULL: what the ending of the path says */
    uint64_t part, of;  /* part 1..of of the file by bytes: records of all parts are those of the file. 0, 0: the whole.
                           Not of pipes, memory and compressed files, which have no parts */
    bool strict;        /* the first bad record ends the reading: SEEBATCH_IO_BAD_RECORD */
    const char *const *column_names; /* "score=cp": in tables and JSON lines, the column cp is the score. Of fen, move,
                                        score, result and ply; they last as long as the reader */
    size_t n_column_names;
    int score_scale; /* scores of tables, JSON lines and scored are multiplied by it, to the nearest integer: 100 for
                        pawns, at most 1000. 0: they are integers */
    const char *win_rate_model; /* scores of games in PGN are multiplied by what "stockfish-17", "stockfish-17.1" or
                                   "stockfish-18" divides its internal scores by; NULL: they are centipawns */
    const char
        *leela_score; /* of Leela's training data, which Q becomes the score: "best" (NULL), "root" or "played" */
} seebatch_reader_options;

typedef struct seebatch_reader seebatch_reader;

/* Opens a file, decompressed where its path ends with .gz or .zst. NULL, and error, if that fails or the options make
 * no sense. */
SEEBATCH_API seebatch_reader *seebatch_reader_open(const seebatch_reader_options *options, seebatch_io_error *error);

/*
 * Fills the arrays of records from their first element on, and sets n, above 0 and at most capacity; fewer than
 * capacity at any time.
 *
 * SEEBATCH_IO_OK; SEEBATCH_IO_END with n = 0, after the last record; or what went wrong, with n = 0: what came before
 * was given by earlier calls. Behind a failure there are no more records. (A damaged file may be read to its end for
 * what is good in it; seebatch_reader_counts() says what was lost.)
 */
SEEBATCH_API seebatch_io_status seebatch_reader_next(seebatch_reader *reader, seebatch_records *records,
                                                     seebatch_io_error *error);

/* The next complaint, in the order of the file; false if there is none so far. Its text lasts until the next call for
 * this reader. At most fifty are kept: of more, the counts tell. */
SEEBATCH_API bool seebatch_reader_complaint(seebatch_reader *reader, seebatch_complaint *complaint);

SEEBATCH_API seebatch_counts seebatch_reader_counts(const seebatch_reader *reader);

/* SEEBATCH_HAS_... that records of the file can have: of a table, what its header says. */
SEEBATCH_API unsigned seebatch_reader_fields(const seebatch_reader *reader);

/* NULL is allowed. */
SEEBATCH_API void seebatch_reader_close(seebatch_reader *reader);

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

/* A further column of tables and JSON lines; its cells are texts. */
typedef struct seebatch_column {
    const char *name; /* lasts as long as the object */
    bool text;        /* written in quotes where that matters */
} seebatch_column;

typedef struct seebatch_writer_options {
    const char *path;   /* compressed where it ends with .gz or .zst; "-" is standard output; NULL: memory */
    const char *format; /* name of a format; NULL: what the ending of the path says */
    unsigned holds;     /* SEEBATCH_HAS_...: the columns of a table; 0: all that the format can hold */
    const char *lose;   /* what may be lost, as --lose of the tool: "score,result"; NULL: nothing */
    int level;          /* of compression; 0: that of the tool */
    const seebatch_column *columns; /* further ones, of formats that have columns */
    size_t n_columns;
} seebatch_writer_options;

typedef struct seebatch_writer seebatch_writer;

/* Begins a file. A regular file has a name of its own until it is complete, and then takes the place of an older one.
 * NULL, and error, if that fails or the options make no sense. */
SEEBATCH_API seebatch_writer *seebatch_writer_open(const seebatch_writer_options *options, seebatch_io_error *error);

/*
 * Writes all records. cells: row by row those of the columns, NULL where there are no columns. The preconditions are
 * those of seebatch.h: positions pass seebatch_position_check(), and moves are legal.
 *
 * A record that has no place in the format (a score beyond 16 bits, too many pieces) is left out and complained of.
 * Anything but SEEBATCH_IO_OK ends the writing: SEEBATCH_IO_LOSSY before the first record of which something would be
 * lost.
 */
SEEBATCH_API seebatch_io_status seebatch_writer_write(seebatch_writer *writer, const seebatch_records *records,
                                                      const seebatch_cell *cells, seebatch_io_error *error);

/* As of a reader; place.line is the number of the record, counted from 1 over all calls. */
SEEBATCH_API bool seebatch_writer_complaint(seebatch_writer *writer, seebatch_complaint *complaint);

SEEBATCH_API seebatch_counts seebatch_writer_counts(const seebatch_writer *writer);

/* The end: the file takes its place. With path NULL, *bytes is what was written, to be freed by the caller with free(),
 * and *n_bytes its length; otherwise both are NULL. If that fails, or writing failed before, there is no file. Frees
 * the writer. */
SEEBATCH_API seebatch_io_status seebatch_writer_finish(seebatch_writer *writer, void **bytes, size_t *n_bytes,
                                                       seebatch_io_error *error);

/* The end without a file. NULL is allowed. */
SEEBATCH_API void seebatch_writer_abandon(seebatch_writer *writer);

/* Writes a whole file in the same way: it appears when it is complete, compressed where its path says so. */
SEEBATCH_API seebatch_io_status seebatch_write_file(const char *path, const void *bytes, size_t n_bytes,
                                                    seebatch_io_error *error);

/* ---- Conditions -------------------------------------------------------------------------------------------------- */

/* The conditions of --keep and --drop of seebatch filter. At most 64. */
typedef struct seebatch_conditions seebatch_conditions;

/* A condition that there is. Its texts are static. */
typedef struct seebatch_condition {
    const char *name;
    const char *argument; /* what follows the name: "", "[=RANGE]" (optional), or what is required: "=RANGE", "=RESULT",
                             "=FIELD", "=P", "=POINTS" or "=MODEL" */
    const char *what;     /* in a few words */
    const char *details;  /* in whole sentences */
} seebatch_condition;

/* Condition number index, 0, 1, ...; false past the last. */
SEEBATCH_API bool seebatch_condition_at(size_t index, seebatch_condition *condition);

/* No conditions, yet; exchanges are valued by these rules. NULL if there is no memory. */
SEEBATCH_API seebatch_conditions *seebatch_conditions_new(const seebatch_rules *rules);

/* Adds one, such as "in-check" or "any-capture=0..", that has to hold (keep) or may not (drop). Several joined by " and "
 * are one that holds where all of them do; "not " before one of them turns it round: "score=..-100 and not result=0.0".
 * SEEBATCH_IO_USAGE if it is none. */
SEEBATCH_API seebatch_io_status seebatch_conditions_add(seebatch_conditions *conditions, bool keep, const char *text,
                                                        seebatch_io_error *error);

/* Another seed for those that hold at random ("chance=0.5"); without it, 0. */
SEEBATCH_API void seebatch_conditions_seed(seebatch_conditions *conditions, uint64_t seed);

/* Whether any of them holds at random, so that identities are of use. */
SEEBATCH_API bool seebatch_conditions_use_chance(const seebatch_conditions *conditions);

/* SEEBATCH_HAS_... that they are about: arrays without which they cannot be tested. */
SEEBATCH_API unsigned seebatch_conditions_fields(const seebatch_conditions *conditions);

/* SEEBATCH_IO_USAGE, with a sentence that names the condition, if one is about a field that is missing from has: from
 * the SEEBATCH_HAS_... that at least one of the records has. Such a condition could hold for none of them. */
SEEBATCH_API seebatch_io_status seebatch_conditions_check(const seebatch_conditions *conditions, unsigned has,
                                                          seebatch_io_error *error);

/* in[i] says whether record i meets all; a condition about a field that record i does not have does not hold for it.
 * SEEBATCH_IO_OK, SEEBATCH_IO_NO_MEMORY, or SEEBATCH_IO_USAGE if an array is NULL that a condition is about. */
SEEBATCH_API seebatch_io_status seebatch_conditions_test(const seebatch_conditions *conditions,
                                                         const seebatch_records *records, bool *in);

/* The same, and which condition decided: failed[i] is 0 where record i meets all, otherwise the number of the first
 * that it fails, counted from 1 in the order in which they were added. Those that cost least are tested first. */
SEEBATCH_API seebatch_io_status seebatch_conditions_find(const seebatch_conditions *conditions,
                                                         const seebatch_records *records, uint8_t *failed);

SEEBATCH_API void seebatch_conditions_free(seebatch_conditions *conditions);

/* ---- Pipelines --------------------------------------------------------------------------------------------------- */

/* Records on their way through a pipeline: so many at most. */
enum { SEEBATCH_IO_BATCH = 512 };
typedef struct seebatch_batch_of_file seebatch_batch_of_file;

typedef struct seebatch_pipeline_options {
    /* The input. */
    const char *const *paths; /* "-" is standard input */
    size_t n_paths;
    const char *from; /* name of a format; NULL: by the endings, and fen for standard input */
    uint64_t part,
        of;          /* part 1..of of all the input by bytes; the outputs of all parts, joined, are that of the whole */
    unsigned wanted; /* SEEBATCH_HAS_...: the arrays that work gets; positions always, and has where any is wanted */
    unsigned required;               /* those of them that every file must be able to have */
    bool strict;                     /* the first bad record ends the run */
    const char *const *column_names; /* as in seebatch_reader_options */
    size_t n_column_names;
    int score_scale;
    const char *win_rate_model;
    const char *leela_score;

    /* The output. */
    const char *output; /* path; "-" is standard output; NULL: nothing is written, records are counted */
    const char *to;     /* name of a format; NULL: by the ending of output, or that of the first file */
    const char *lose;   /* what may be lost, as --lose of the tool; NULL: nothing */
    int level;          /* of compression; 0: that of the tool */
    bool salvage;       /* the output appears although damaged input was skipped */
    const char *select; /* "fen,score,result": of a table or objects these columns alone, in this order; NULL: all */
    const seebatch_column *columns; /* further ones */
    size_t n_columns;
    bool scores; /* work gives records other scores: the output must have a place for them */

    /* What takes the whole input together, in `memory` bytes at most besides what every run takes, with temporary files
     * beside the output (without a file for output, in TMPDIR or /tmp). */
    bool unique;  /* of records that are to be written, only the first with the same pieces, side to move, castling
                     rights and en passant square (where a capture there is legal). The input is read twice: work gets
                     all of it twice, and has to decide in the same way; complaints are of the second reading */
    bool shuffle; /* the records are written in an order of which each is equally likely; seed chooses it */
    uint64_t seed;
    uint64_t memory; /* from 1 MiB on; 0: 1 GiB */

    /* The work. */
    unsigned threads; /* that read and work, in addition to the caller's, which writes. 0: seebatch_processors() */

    /* Works on records, and writes those that are to be written with seebatch_batch_write(); in several threads at
     * once, worker tells which, from 0. Anything but SEEBATCH_IO_OK ends the run. It may not leave by longjmp or an
     * exception. NULL: all are written. */
    seebatch_io_status (*work)(void *user, unsigned worker, seebatch_batch_of_file *batch,
                               const seebatch_records *records);

    /* The others are called by the caller's thread, in the order of the input; NULL for none. */
    void (*on_complaint)(void *user, const seebatch_complaint *complaint); /* it lasts for the call */
    void (*on_progress)(void *user, const seebatch_counts *counts);        /* at the beginning, and after each block */
    void (*again)(void *user); /* with unique, between the two readings; from here on counts are anew */
    bool (*stop)(void *user);  /* asked ten times a second and more; true ends the run: SEEBATCH_IO_STOPPED */
    void *user;
} seebatch_pipeline_options;

typedef struct seebatch_pipeline seebatch_pipeline;

/* Checks the options, and looks at no file but for its kind; options and all that they point to last as long as the
 * pipeline. NULL, and error, if they cannot be carried out. */
SEEBATCH_API seebatch_pipeline *seebatch_pipeline_new(const seebatch_pipeline_options *options,
                                                      seebatch_io_error *error);

/*
 * Runs it, once. The order of the output is that of the input, whatever the number of threads.
 *
 * counts    filled in any case; written is 0 if the output did not appear.
 *
 * SEEBATCH_IO_OK, or the first of these that is true: SEEBATCH_IO_NO_MEMORY, _STOPPED, _LOSSY, _BAD_RECORD (strict),
 * _FAILED: a file could not be read to its end or the output not be written; or what work returned. Bad records that
 * were skipped leave it SEEBATCH_IO_OK: counts report them. All threads have ended when it returns.
 */
SEEBATCH_API seebatch_io_status seebatch_pipeline_run(seebatch_pipeline *pipeline, seebatch_counts *counts,
                                                      seebatch_io_error *error);

/* NULL is allowed. */
SEEBATCH_API void seebatch_pipeline_free(seebatch_pipeline *pipeline);

/* Writes record i of a batch, as it stands in its file where the output has the same format, with these cells of the
 * columns. Without output it is counted. Records that have no place in the format are complained of. The status is for
 * work to return. */
SEEBATCH_API seebatch_io_status seebatch_batch_write(seebatch_batch_of_file *batch, size_t i,
                                                     const seebatch_cell *cells);

/* The same with another score, as it stands in the output: of formats whose `mover` is true that of the side to move.
 * In the format of the input all else of the record stays. options.scores must be true. */
SEEBATCH_API seebatch_io_status seebatch_batch_write_scored(seebatch_batch_of_file *batch, size_t i, int16_t score);

/* Without output: counts n records of the batch as written, all at once. */
SEEBATCH_API void seebatch_batch_count(seebatch_batch_of_file *batch, size_t n);

/* A number that identifies record i among all others of the input, and depends only on its place. */
SEEBATCH_API uint64_t seebatch_batch_identity(const seebatch_batch_of_file *batch, size_t i);

#ifdef __cplusplus
}
#endif

#endif
