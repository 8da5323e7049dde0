/*
 * seebatch_arrow: files and columns of chess positions for everything that speaks Arrow, part of seebatch_io.
 *
 * The Arrow C data interface and C stream interface (https://arrow.apache.org/docs/format/CDataInterface.html) are
 * three structs, without a dependency and without a copy. Through them files of every format are read as columns, and
 * columns of FENs, of moves and of lists of moves are taken as they lie.
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
 * The records of a reader, from where it stands, as a stream of structs with the columns that the file can have:
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

#ifdef __cplusplus
}
#endif

#endif
