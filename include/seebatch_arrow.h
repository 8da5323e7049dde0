/* SPDX-License-Identifier: MIT. Copyright (c) 2026 the seebatch authors. */
/*
 * seebatch_arrow: files and columns of chess positions for all programs that use Arrow. It is a part of seebatch_io.
 *
 * The Arrow C data interface and C stream interface (https://arrow.apache.org/docs/format/CDataInterface.html) consist
 * of three structs, and need neither a library nor a copy of the data. Through them, files of every format become
 * columns, and columns of FENs, of moves and of lists of moves are read in place.
 *
 *     seebatch_reader *reader = seebatch_reader_open(&options, &error);
 *     struct ArrowArrayStream stream;
 *     if (reader != NULL && seebatch_reader_to_arrow(reader, NULL, &stream, &error) == SEEBATCH_IO_OK)
 *         give_to_an_engine(&stream);
 *
 * What seebatch_io.h says about all functions holds here, too. Streams and arrays may be released in any order and from
 * any thread. A stream may be used by one thread at a time.
 *
 * The header is C11, and also compiles as C++ without warnings.
 */
#ifndef SEEBATCH_ARROW_H
#define SEEBATCH_ARROW_H

#include "seebatch_io.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The structs of the specification, which asks for copies of them --------------------------------------------- */

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

/* How a file becomes a stream. */
typedef struct seebatch_arrow_options {
    size_t batch; /* the number of records in an array, at most 16,777,216; 0: 65,536. The last array, and arrays of
                     long texts, have fewer */
    bool boards;  /* whether there is a column board instead of fen, with the 48 bytes of a seebatch_position */
    bool move_numbers; /* whether moves are seebatch_move (uint16) instead of text in UCI notation */
} seebatch_arrow_options;

/*
 * Makes a stream of structs of the records of a reader, from its current place on. The columns are those that the file
 * can have:
 *
 *     fen      utf8: as the file spells it, otherwise with six fields; never null
 *     move     utf8: in UCI notation
 *     score    int32: White's, in the units of the file
 *     result   float: 1 if White won, 0.5 for a draw, 0 if Black won
 *     ply      int32: half-moves from the start of the game
 *
 * What a record lacks is null. options may be NULL. The stream owns the reader, and closes it when the stream is
 * released. Until then, seebatch_reader_error_report() and seebatch_reader_counts() may be called between calls of the
 * stream. The stream keeps no array that it has given.
 *
 * get_next() fails if seebatch_reader_next() does, with ENOMEM, the error of the system, or EINVAL, and
 * get_last_error() returns the message. Records that were read before the failure are given first.
 *
 * Returns SEEBATCH_IO_OK, or SEEBATCH_IO_NO_MEMORY, in which case the reader still belongs to the caller.
 */
SEEBATCH_API seebatch_io_status seebatch_reader_to_arrow(seebatch_reader *reader, const seebatch_arrow_options *options,
                                                         struct ArrowArrayStream *stream, seebatch_io_error *error);

/* ---- Files in ---------------------------------------------------------------------------------------------------- */

/*
 * Writes all rows of a stream of structs. Columns are found by their names:
 *
 *     fen      strings; or a column board, as seebatch_arrow_has_boards() describes it
 *     move     strings in UCI notation or SAN, or integers that are seebatch_move
 *     score    integers, or numbers and strings whose values are integers
 *     result   1 if White won, 0.5 for a draw, 0 if Black won; or the strings "1-0", "1/2-1/2", "0-1"
 *     ply      as score
 *
 * In addition, each further column of the writer is the column of that name, which may have strings, integers, float,
 * double or boolean values. A null, or NaN, means that the record lacks the value. If the output cannot hold a column,
 * the status is SEEBATCH_IO_LOSSY, unless the writer may lose "columns".
 *
 * A row that is wrong, or that the format cannot hold, is left out, counted as bad, and causes an error report of the form
 * "records:ROW: ...". Positions and moves are checked. The caller still owns the stream and releases it. The function
 * may be called for several streams, and between calls of seebatch_writer_write().
 *
 * Returns SEEBATCH_IO_OK; SEEBATCH_IO_USAGE if there is no column with positions, or a column has a type other than
 * those above; SEEBATCH_IO_FAILED with the stream's own message if the stream fails; and otherwise the same as
 * seebatch_writer_write(). The rows before a failure have been written.
 */
SEEBATCH_API seebatch_io_status seebatch_writer_write_arrow(seebatch_writer *writer, struct ArrowArrayStream *stream,
                                                            seebatch_io_error *error);

/* ---- Columns in -------------------------------------------------------------------------------------------------- */

/* Whether a schema is complete: it has a type and as many children as it says, and the same holds for the children,
 * down to the last one. A schema from another library has to be checked once, because the functions below require
 * complete schemas. They check the arrays themselves, and then read their buffers. Every mistake of a producer that the
 * interface makes visible causes an error, and never a crash. */
SEEBATCH_API seebatch_io_status seebatch_arrow_schema_check(const struct ArrowSchema *schema, seebatch_io_error *error);

/*
 * Reads the rows from begin to begin + n of an array of strings, in place. Nothing is copied, and the texts are valid
 * as long as the array is. A null has at == NULL.
 *
 * schema   utf8, large_utf8, binary, large_binary, string_view, binary_view or fixed-size binary; or a dictionary of
 *          one of these; or null.
 * array    an array of that schema. Its offset and its nulls are taken into account; begin counts from its offset.
 * texts    n of them are written.
 *
 * Returns SEEBATCH_IO_USAGE if the column has another type, or the rows are not within it. Returns SEEBATCH_IO_FAILED
 * if the array is damaged: buffers or children are missing, offsets decrease or exceed the last one, or an index or a
 * view points outside of the data. The interface does not say how long buffers are, nor how much data a utf8 or binary
 * array has, so the length, the offset and the last offset are taken to be right.
 */
SEEBATCH_API seebatch_io_status seebatch_arrow_texts(const struct ArrowSchema *schema, const struct ArrowArray *array,
                                                     size_t begin, size_t n, seebatch_text *texts,
                                                     seebatch_io_error *error);

/* Whether the positions of a column are boards, the 48 bytes of a seebatch_position, instead of FENs. They are if the
 * column is fixed-size binary of that size. A binary column of any type also has boards if its name is board, because
 * not every package preserves the fixed size. */
SEEBATCH_API bool seebatch_arrow_has_boards(const struct ArrowSchema *schema);

/* Makes a position from a text of such a column, and checks it as seebatch_position_check() does. Returns
 * SEEBATCH_UNREADABLE if the text has another length. If anything is wrong, the position is an empty board with white
 * to move. */
SEEBATCH_API seebatch_status seebatch_arrow_board(seebatch_text text, seebatch_position *position,
                                                  seebatch_error *error);

/* The same as seebatch_arrow_texts() for moves. They may also be integers of any size that are seebatch_move. Those are
 * written in UCI notation into room, which has 6 bytes for each of the n rows, and the texts point there. A number that
 * is not a move becomes the text "?". */
SEEBATCH_API seebatch_io_status seebatch_arrow_moves(const struct ArrowSchema *schema, const struct ArrowArray *array,
                                                     size_t begin, size_t n, seebatch_text *texts, char (*room)[6],
                                                     seebatch_io_error *error);

/*
 * Finds which rows of its child each of the rows from begin to begin + n of an array of lists has.
 *
 * schema   list, large_list or fixed-size list.
 * rows     n + 1 of them are written, and they do not decrease. List i has the rows from rows[i] up to, but not
 *          including, rows[i + 1] of array->children[0], counted from that array's offset, as seebatch_arrow_moves()
 *          takes them.
 * nulls    n of them are written: whether list i is null. If it is, its rows mean nothing.
 *
 * The errors are those of seebatch_arrow_texts().
 */
SEEBATCH_API seebatch_io_status seebatch_arrow_lists(const struct ArrowSchema *schema, const struct ArrowArray *array,
                                                     size_t begin, size_t n, size_t *rows, bool *nulls,
                                                     seebatch_io_error *error);

/*
 * Finds which of the rows from begin to begin + n of an array of structs are null. Row i of each child, which are
 * arrays in array->children in the order of the schema, is row array->offset + i of that array.
 *
 * nulls   n of them are written: whether struct i is null. If it is, the values of its children mean nothing.
 *
 * The errors are those of seebatch_arrow_texts().
 */
SEEBATCH_API seebatch_io_status seebatch_arrow_structs(const struct ArrowSchema *schema, const struct ArrowArray *array,
                                                       size_t begin, size_t n, bool *nulls, seebatch_io_error *error);

/* ---- Columns computed -------------------------------------------------------------------------------------------- */

/* What a computed column holds for each position. Its structs are never null, but their fields may be. */
typedef enum seebatch_arrow_what {
    SEEBATCH_ARROW_VALUE,        /* int16: the value of a move */
    SEEBATCH_ARROW_BEST_CAPTURE, /* struct of move (utf8, UCI) and value (int16): the legal capture with the highest
                                    value, and of several the first that seebatch_legal_captures() finds. Both fields
                                    are null if there is no capture */
    SEEBATCH_ARROW_CAPTURES,     /* list of such structs: all legal captures, in the order of seebatch_batch_order() */
    SEEBATCH_ARROW_HANGING,      /* list of utf8: the squares, beginning with a1, of pieces that the other side could
                                    win something for if it had the turn */
    SEEBATCH_ARROW_MOVES,        /* as SEEBATCH_ARROW_CAPTURES, but all legal moves */
    SEEBATCH_ARROW_MAP,        /* struct of white and black, each with 64 int16: what seebatch_map() gives for that side
                                  on each square, in the order a1, b1, ..., h8 */
    SEEBATCH_ARROW_ANNOTATION, /* struct of what seebatch annotate adds: best_capture (utf8, UCI; of several the first
                                  in the alphabet) and best_value (int16), both null if there is no capture; as int32
                                  winning, equal, losing and passing, the numbers of captures worth more than 0, 0,
                                  less than 0, and SEEBATCH_ALWAYS, and hanging_white and hanging_black, the sums of
                                  what the other side gets on all squares */
    SEEBATCH_ARROW_VALUES,     /* list of int16: the values of a list of moves; null for a move that is null or wrong */
    SEEBATCH_ARROW_GAMES,      /* for games in text: a row for each move, with the position before it. A struct of game
                                  (uint32: the row of the game), fen (utf8), move (utf8, UCI), score (int32: White's,
                                  in centipawns, from the comments) and result (float), both null if the text has
                                  none, and ply (int32). A game that is null or wrong has no rows */
    SEEBATCH_ARROW_GAME_FENS   /* for games in text: a row for each game, with the list of these FENs (utf8) */
} seebatch_arrow_what;

/* A column that is computed row by row. */
typedef struct seebatch_arrow_column seebatch_arrow_column;

/* How many faults of a column are kept with their messages. All faults are counted. */
enum { SEEBATCH_ARROW_FAULTS = 50 };

/* Makes a column without rows, which will be computed by these rules. boards says whether its positions will be boards,
 * as for seebatch_arrow_board(), instead of FENs. Returns NULL if there is no memory. */
SEEBATCH_API seebatch_arrow_column *seebatch_arrow_column_new(seebatch_arrow_what what, const seebatch_rules *rules,
                                                              bool boards);

/*
 * Appends n rows. A null in the input gives a null, and so does a FEN or a move that is wrong, which also counts as a
 * fault.
 *
 * fens      n FENs or boards; null if at == NULL. For games in text, the position in which each game begins, unless the
 *           game has a tag FEN; if it is null, or fens is NULL, the game begins in the usual initial position.
 * moves     legal moves in UCI notation or SAN: for SEEBATCH_ARROW_VALUE one for each FEN, and for
 *           SEEBATCH_ARROW_VALUES a list for each FEN. For games, the text of each game: moves in SAN or UCI notation
 *           as in PGN, with everything else that PGN allows (numbers, comments, variations, a result, tag pairs in
 *           front). Otherwise NULL.
 * offsets   n + 1 of them for SEEBATCH_ARROW_VALUES: FEN i has the moves from moves[offsets[i]] up to, but not
 *           including, moves[offsets[i + 1]]. A list that is null is passed as a null FEN. Otherwise NULL.
 * job       as for seebatch_batch_values(), but progress is not called; NULL: one thread.
 *
 * Returns SEEBATCH_IO_OK, SEEBATCH_IO_NO_MEMORY, or SEEBATCH_IO_FAILED if the column has more than 2,147,483,647
 * characters. After a failure the column can only be freed.
 */
SEEBATCH_API seebatch_io_status seebatch_arrow_column_add(seebatch_arrow_column *column, const seebatch_text *fens,
                                                          const seebatch_text *moves, const size_t *offsets, size_t n,
                                                          seebatch_job *job, seebatch_io_error *error);

/* How many rows were wrong; and for the first fifty of them, with the index i from 0, the row and the message. The
 * message is valid as long as the column. NULL past the last one that is kept. */
SEEBATCH_API size_t seebatch_arrow_column_faults(const seebatch_arrow_column *column);
SEEBATCH_API const char *seebatch_arrow_column_fault(const seebatch_arrow_column *column, size_t i, size_t *row);

/* Writes the column as an array with its schema. The array is independent of the column, which still has to be freed.
 * The function may be called once for a column. */
SEEBATCH_API seebatch_io_status seebatch_arrow_column_finish(seebatch_arrow_column *column, struct ArrowSchema *schema,
                                                             struct ArrowArray *array, seebatch_io_error *error);

/* Frees a column. NULL is allowed. */
SEEBATCH_API void seebatch_arrow_column_free(seebatch_arrow_column *column);

#ifdef __cplusplus
}
#endif

#endif
