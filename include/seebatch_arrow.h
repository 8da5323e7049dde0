/* SPDX-License-Identifier: MIT. Copyright (c) 2026 the seebatch authors. */
/*
 * seebatch_arrow: files and columns of chess positions for everything that speaks Arrow, part of seebatch_io.
 *
 * The Arrow C data interface and C stream interface (https://arrow.apache.org/docs/format/CDataInterface.html) are
 * three structs, without a dependency and without a copy. Through them files of every format are read as columns, and
 * columns of FENs, of moves and of lists of moves are used in place.
 *
 *     seebatch_reader *reader = seebatch_reader_open(&options, &error);
 *     struct ArrowArrayStream stream;
 *     if (reader != NULL && seebatch_reader_to_arrow(reader, NULL, &stream, &error) == SEEBATCH_IO_OK)
 *         give_to_an_engine(&stream);
 *
 * The contracts of seebatch_io.h hold. Streams and arrays may be released in any order and from any thread; a stream is
 * of one thread at a time.
 *
 * C11, and clean as C++.
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

/* ---- Files out --------------------------------------------------------------------------------------------------- */

typedef struct seebatch_arrow_options {
    size_t batch; /* records in an array, the last one has fewer; 0: 65536; 16,777,216 at most. Arrays of long texts
                     have fewer */
    bool boards;  /* instead of fen a column board, of the 48 bytes of a seebatch_position each */
    bool move_numbers; /* moves are seebatch_move, uint16, instead of text in UCI notation */
} seebatch_arrow_options;

/*
 * The records of a reader, from its current place on, as a stream of structs with the columns that the file can have:
 *
 *     fen      utf8: as the file spells it, otherwise with six fields. Never null
 *     move     utf8: UCI notation
 *     score    int32: in the units of the file, White's
 *     result   float: 1 White won, 0.5 draw, 0 Black won
 *     ply      int32: half moves from the start of the game
 *
 * What a record does not have is null. options may be NULL. The stream owns the reader, and closes it when it is
 * released; until then seebatch_reader_complaint() and seebatch_reader_counts() may be called between calls for the
 * stream. It holds no array that it gave.
 *
 * get_next() fails where seebatch_reader_next() does: with ENOMEM, the error of the system, or EINVAL; get_last_error()
 * is the sentence. Records that were read before are given first.
 *
 * SEEBATCH_IO_OK, or SEEBATCH_IO_NO_MEMORY; then the reader stays the caller's.
 */
SEEBATCH_API seebatch_io_status seebatch_reader_to_arrow(seebatch_reader *reader, const seebatch_arrow_options *options,
                                                         struct ArrowArrayStream *stream, seebatch_io_error *error);

/* ---- Files in ---------------------------------------------------------------------------------------------------- */

/*
 * Writes all rows of a stream of structs, by the names of its columns:
 *
 *     fen      strings; or board, as seebatch_arrow_has_boards() says
 *     move     strings, UCI or SAN, or integers that are seebatch_move
 *     score    integers, or numbers and strings that are integers
 *     result   1 White won, 0.5 draw, 0 Black won; or strings: "1-0", "1/2-1/2", "0-1"
 *     ply      as score
 *
 * and of each further column of the writer one of that name: strings, integers, float, double or boolean. A null is
 * what the record does not have; NaN is a null. Columns that have no place in the output are SEEBATCH_IO_LOSSY, unless
 * the writer may lose "columns".
 *
 * A row that is wrong, or that has no place in the format, is left out and complained of, as "records:ROW: ...", and
 * counted as bad. Positions and moves are checked. The stream stays the caller's, to be released. May be called for
 * several streams, and between calls of seebatch_writer_write().
 *
 * SEEBATCH_IO_OK; SEEBATCH_IO_USAGE where there is no position, or a column is of another type; SEEBATCH_IO_FAILED with
 * the stream's own sentence where that fails; otherwise as seebatch_writer_write(). Rows before are written.
 */
SEEBATCH_API seebatch_io_status seebatch_writer_write_arrow(seebatch_writer *writer, struct ArrowArrayStream *stream,
                                                            seebatch_io_error *error);

/* ---- Columns in -------------------------------------------------------------------------------------------------- */

/*
 * Whether a schema is whole: it has a type, the children that it counts, and so have these, down to the last. A schema
 * that somebody else made is checked once; the functions below take no other. They check the arrays, whose buffers they
 * then read: all that a producer can get wrong and the interface lets anybody see is an error and no crash.
 */
SEEBATCH_API seebatch_io_status seebatch_arrow_schema_check(const struct ArrowSchema *schema, seebatch_io_error *error);

/*
 * Rows begin to begin + n of an array of strings, in place: nothing is copied, and texts are valid as long as the
 * array is. A null has at == NULL.
 *
 * schema    utf8, large_utf8, binary, large_binary, string_view, binary_view or fixed-size binary; or a dictionary of
 *           one of these; or null
 * array     of that schema; its offset and its nulls count. begin counts from its offset
 * texts     n of them, written
 *
 * SEEBATCH_IO_USAGE where the column is of another type, or the rows are not within it; SEEBATCH_IO_FAILED where it is
 * damaged: buffers or children are missing, offsets decrease or are beyond the last one, an index or a view points beyond
 * what there is. How long buffers are, and the data of utf8 and binary, the interface does not say: length, offset and
 * the last offset are believed.
 */
SEEBATCH_API seebatch_io_status seebatch_arrow_texts(const struct ArrowSchema *schema, const struct ArrowArray *array,
                                                     size_t begin, size_t n, seebatch_text *texts,
                                                     seebatch_io_error *error);

/* Whether the positions of a column are not FENs but boards, the 48 bytes of a seebatch_position each: fixed-size
 * binary of that size; or binary of any type if the column is named board, because not every package keeps the size. */
SEEBATCH_API bool seebatch_arrow_has_boards(const struct ArrowSchema *schema);

/* The position that a text of such a column is, checked as seebatch_position_check() does; SEEBATCH_UNREADABLE where it
 * has another length. If something is wrong, the position is an empty board with white to move. */
SEEBATCH_API seebatch_status seebatch_arrow_board(seebatch_text text, seebatch_position *position,
                                                  seebatch_error *error);

/* As seebatch_arrow_texts(), of moves. They may also be integers of any size that are seebatch_move: those are written
 * as UCI into room, 6 bytes each, and texts point there. A number that is no move is the text "?". */
SEEBATCH_API seebatch_io_status seebatch_arrow_moves(const struct ArrowSchema *schema, const struct ArrowArray *array,
                                                     size_t begin, size_t n, seebatch_text *texts, char (*room)[6],
                                                     seebatch_io_error *error);

/*
 * Rows begin to begin + n of an array of lists: which rows of its child each has.
 *
 * schema    list, large_list or fixed-size list
 * rows      n + 1 of them, written, none less than the one before: list i has the rows[i] up to rows[i + 1] of
 *           array->children[0], counted from that array's offset, as seebatch_arrow_moves() takes them
 * nulls     n of them, written: whether list i is null. What rows it has then means nothing
 *
 * Errors as of seebatch_arrow_texts().
 */
SEEBATCH_API seebatch_io_status seebatch_arrow_lists(const struct ArrowSchema *schema, const struct ArrowArray *array,
                                                     size_t begin, size_t n, size_t *rows, bool *nulls,
                                                     seebatch_io_error *error);

/*
 * Rows begin to begin + n of an array of structs: row i of each of its children, which are arrays of array->children in
 * the order of the schema, is row array->offset + i of that one.
 *
 * nulls     n of them, written: whether struct i is null. What its children have there then means nothing
 *
 * Errors as of seebatch_arrow_texts().
 */
SEEBATCH_API seebatch_io_status seebatch_arrow_structs(const struct ArrowSchema *schema, const struct ArrowArray *array,
                                                       size_t begin, size_t n, bool *nulls, seebatch_io_error *error);

/* ---- Columns computed -------------------------------------------------------------------------------------------- */

/* What a column holds of each position. Its structs are never null: what they have is. */
typedef enum seebatch_arrow_what {
    SEEBATCH_ARROW_VALUE,        /* int16: the value of a move */
    SEEBATCH_ARROW_BEST_CAPTURE, /* struct of move (utf8, UCI) and value (int16): the legal capture with the highest
                                    value, of several the first that seebatch_legal_captures() finds. Both are null
                                    where there is none */
    SEEBATCH_ARROW_CAPTURES,     /* list of such structs: all legal captures, in the order of seebatch_batch_order() */
    SEEBATCH_ARROW_HANGING,      /* list of utf8: the squares, from a1 on, of pieces that the other side wins something
                                    for if it is its turn */
    SEEBATCH_ARROW_MOVES,        /* as captures: all legal moves */
    SEEBATCH_ARROW_MAP,        /* struct of white and black, each 64 int16: what seebatch_map() gives that side on each
                                  square, from a1, b1 on */
    SEEBATCH_ARROW_ANNOTATION, /* struct of what seebatch annotate adds: best_capture (utf8, UCI; of several the first
                                 in the alphabet) and best_value (int16), null where there is no capture; and as int32
                                 winning, equal, losing and passing, how many captures are worth more than 0, 0,
                                 less, and SEEBATCH_ALWAYS; hanging_white and hanging_black, the sums of what the
                                 other side gets on all squares */
    SEEBATCH_ARROW_VALUES,     /* list of int16: the values of a list of moves. A move that is null or wrong is null */
    SEEBATCH_ARROW_GAMES,      /* of games in text: a row for each move, with the position before it. A struct of game
                                  (uint32: the row of the game), fen (utf8), move (utf8, UCI), score (int32: what
                                  comments say, White's, in centipawns) and result (float), both null where the text
                                  says none, and ply (int32). A game that is null or wrong has no rows */
    SEEBATCH_ARROW_GAME_FENS   /* of games in text: the list of these FENs (utf8), a row for each game */
} seebatch_arrow_what;

/* A column that is computed row by row. */
typedef struct seebatch_arrow_column seebatch_arrow_column;

/* The most faults of a column that are kept, each with its sentence; all are counted. */
enum { SEEBATCH_ARROW_FAULTS = 50 };

/* A column without rows, by these rules. boards: what is added are boards, as of seebatch_arrow_board(), in place of
 * FENs. NULL if there is no memory. */
SEEBATCH_API seebatch_arrow_column *seebatch_arrow_column_new(seebatch_arrow_what what, const seebatch_rules *rules,
                                                              bool boards);

/*
 * Appends n rows. Null in, null out. A FEN or a move that is wrong gives null, too, and a fault.
 *
 * fens     n of them, or boards; at == NULL is null. Of games where each begins, unless a tag FEN says so; where that is
 *          null, and where fens is NULL, it begins as games usually do
 * moves    UCI or SAN, which have to be legal: of SEEBATCH_ARROW_VALUE one a FEN, of SEEBATCH_ARROW_VALUES a
 *          list a FEN. Of games the text of each: moves in SAN or UCI notation as in PGN, with what else PGN allows
 *          (numbers, comments, variations, a result, tag pairs before). Otherwise NULL
 * offsets  of SEEBATCH_ARROW_VALUES n + 1 of them: FEN i has the moves[offsets[i]] up to moves[offsets[i + 1]]. A
 *          list that is null has a FEN that is null. Otherwise NULL
 * job      as of seebatch_batch_values(); NULL: one thread. progress is not called
 *
 * SEEBATCH_IO_OK, or SEEBATCH_IO_NO_MEMORY, or SEEBATCH_IO_FAILED where the column has more than 2,147,483,647
 * characters; then it can only be freed.
 */
SEEBATCH_API seebatch_io_status seebatch_arrow_column_add(seebatch_arrow_column *column, const seebatch_text *fens,
                                                          const seebatch_text *moves, const size_t *offsets, size_t n,
                                                          seebatch_job *job, seebatch_io_error *error);

/* How many rows were wrong, and of the first fifty number i, from 0: its row and the sentence, which lasts as long as
 * the column; NULL after them. */
SEEBATCH_API size_t seebatch_arrow_column_faults(const seebatch_arrow_column *column);
SEEBATCH_API const char *seebatch_arrow_column_fault(const seebatch_arrow_column *column, size_t i, size_t *row);

/* The end: the column as an array, and its schema. The array is on its own; the column is still to be freed. Once. */
SEEBATCH_API seebatch_io_status seebatch_arrow_column_finish(seebatch_arrow_column *column, struct ArrowSchema *schema,
                                                             struct ArrowArray *array, seebatch_io_error *error);

/* NULL is allowed. */
SEEBATCH_API void seebatch_arrow_column_free(seebatch_arrow_column *column);

#ifdef __cplusplus
}
#endif

#endif
