/*
 * What the files of the extension module seebatch._core share.
 *
 * Results are blocks: memory of the library's own that the buffer protocol hands out. A block of positions or moves is
 * read-only, so what is known of it when it is made stays true: its positions are sound, its moves are legal in the
 * positions of another block. Arrays that come back are followed to their block; where there is none, they are copied,
 * and the copy is checked. So nothing reaches the library unchecked, whatever other threads do to the caller's arrays.
 * Some copies are kept, because the same array often comes again: what was pickled, for example.
 *
 * The stable ABI from CPython 3.11 on, where the buffer protocol belongs to it; setup.py defines Py_LIMITED_API.
 */
#ifndef SEEBATCH_PYTHON_CORE_H
#define SEEBATCH_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>

#include "seebatch.h"
#include "seebatch_io.h"

/* ---- Memory: memory.c -------------------------------------------------------------------------------------------- */

/* Room for n items of a size, aligned for all; NULL with an exception. */
void *memory_new(size_t n, size_t size);

/* The same with the first bytes of another piece, which is freed if that succeeds. */
void *memory_resize(void *memory, size_t used, size_t n, size_t size);

/* How many bytes there is room for. */
size_t memory_room(const void *memory);

/* NULL is allowed. */
void memory_free(void *memory);

/* ---- Blocks: block.c --------------------------------------------------------------------------------------------- */

/* What a block holds. */
struct kind {
    const char *name;
    const char *format; /* as the buffer protocol writes it */
    size_t size;        /* of an item */
    bool fixed;         /* read-only, because something is known of it */
    int inner[2];       /* dimensions after the first; 0: there is none */
};
extern const struct kind kind_positions, kind_offsets, kind_counts, kind_moves, kind_values, kind_flags, kind_maps,
    kind_numbers, kind_bytes, kind_results, kind_boards, kind_bitboards;

typedef struct Block {
    PyObject ob_base;
    const struct kind *kind;
    void *data;
    Py_ssize_t n; /* items; of maps: 128 a position, and so on */
    int ndim;
    Py_ssize_t shape[3], strides[3];
    uint64_t id; /* of no other block, ever */

    bool sound;        /* of positions: they pass seebatch_position_check() */
    PyObject *faults;  /* of positions: [(index, sentence)] for the empty boards in place of unreadable FENs; or NULL */
    uint64_t rows_of;  /* of moves: they are legal in the positions of this block, */
    size_t rows_first; /* the first row in the position with this number, */
    uint64_t rows;     /* rows as these offsets say; 0: a move a position */
} Block;

/* A new block with room for n items, 1 at least; NULL with an exception if there is no memory. */
Block *block_new(const struct kind *kind, size_t n);

/* Room for n items, with the first so many that are there. */
bool block_resize(Block *block, size_t used, size_t n);

/* The end of filling it: it has n items, and gives back memory if it has much too much. */
void block_finish(Block *block, size_t n);

/* The block, if there is one, that an array's memory belongs to. Borrowed. */
Block *block_of(PyObject *array, const void *data, size_t bytes);

bool block_ready(PyObject *module);

/* ---- Copies of arrays that come in again: known.c ---------------------------------------------------------------- */

/* A copy of an array of the caller's, as a block of its own: the one that was kept, with what is known of it, if the
 * array still holds the same bytes; otherwise a new one. NULL with an exception. */
Block *known_copy(const struct kind *kind, const void *data, size_t n);

/* Keeps the copy of an array, once something is known of it. */
void known_keep(const void *data, Block *copy);

/* ---- Calls: call.c ----------------------------------------------------------------------------------------------- */

extern PyObject *core_error; /* seebatch.Error */

/* A call of the library without the GIL, with progress and signals. */
struct call {
    seebatch_job job;
    PyObject *progress; /* borrowed; NULL for none */
    PyThreadState *thread;
    double next; /* time of the next report */
};

/* threads: 0 for all processors. False, with an exception, if they are out of bounds. */
bool call_init(struct call *call, Py_ssize_t threads, PyObject *progress);
void call_begin(struct call *call);

/* False with an exception if signals, progress or anything else went wrong in the meantime. */
bool call_end(struct call *call);

/* Between parts of a call of several: signals and progress, with the GIL let go again. False ends the call. */
bool call_report(struct call *call, size_t done, size_t total);

/* The rules of a name with values, a sequence of five or None. */
bool rules_of(PyObject *name, PyObject *values, seebatch_rules *rules);

/* ---- Arrays that come in: input.c -------------------------------------------------------------------------------- */

struct input {
    const seebatch_position *positions;
    size_t n;
    uint64_t id;  /* of their block, if it is sound, and */
    size_t first; /* the number there of the first of them; id 0: nothing is known of them */

    const size_t *offsets;
    const seebatch_move *moves;
    size_t n_moves;    /* of all rows */
    bool one_each;     /* a move a position, without offsets of the caller's */
    uint64_t rows;     /* the block of the offsets, 0 where there is none; */
    size_t rows_first; /* the number there of the first of them */
    bool legal;        /* moves are known to be */

    Block *copied[3];    /* positions, offsets, moves: of arrays that belong to no block; else NULL */
    const void *from[3]; /* and these arrays */
    PyObject *faults;    /* of the block that the positions belong to, as there; or NULL */
    size_t faults_first; /* the number there of the first position */

    Py_buffer views[8];
    int n_views;
    void *copies[8];
    int n_copies;
};

/* Each is false with an exception; input_free() in any case. offsets may be None: then there is a move a position.
 * input_offsets() takes n_moves as it stands. */
bool input_positions(struct input *input, PyObject *positions);
bool input_offsets(struct input *input, PyObject *offsets);
bool input_rows(struct input *input, PyObject *positions, PyObject *offsets, PyObject *moves);
void input_free(struct input *input);

/* Memory that input_free() frees; NULL with an exception. */
void *input_memory(struct input *input, size_t n, size_t size);

/* Checks what is not known to be right. rules: those of the evaluation; NULL: positions must be sound. */
bool input_check(struct input *input, const seebatch_rules *rules, struct call *call);

/* One dimension of n items of this size, native integers; false with an exception. */
bool input_view(struct input *input, PyObject *object, const char *what, size_t size, const void **data, size_t *n);

/* ---- Functions of the module ------------------------------------------------------------------------------------- */

/* A str as UTF-8, which the object keeps; NULL with a TypeError, or with Error for half of a surrogate pair. */
const char *utf8_of(PyObject *object, const char *what, Py_ssize_t *length);

/* Raises TypeError: what was given, by its value if it is None or a number, and by its type; and what is expected. */
void set_type_error(const char *what, PyObject *given, const char *expected);

/* Where n texts of a tuple of str and bytes are; false with an exception. They last as long as the tuple. */
bool texts_of(PyObject *tuple, size_t begin, size_t n, const char *what, seebatch_text *texts);

/* Without blanks and line ends around it, as lines of a file have them. */
void strip_text(seebatch_text *text);

extern PyMethodDef input_methods[], text_methods[], move_methods[], evaluate_methods[], single_methods[],
    file_methods[], board_methods[], square_methods[];

/* Makes a type, *type, and adds it to the module. */
bool add_type(PyObject *module, const char *name, PyType_Spec *spec, PyTypeObject **type);
bool single_ready(PyObject *module);
bool files_ready(PyObject *module);

/* The position in an object: a Position, a FEN, a board of python-chess, or one record. False with an exception. */
bool position_of(PyObject *object, seebatch_position *position);

/* ---- Boards and moves of python-chess: boards.c ------------------------------------------------------------------ */

bool is_board(PyObject *object);
bool is_move(PyObject *object);

/* False with an exception if the board is unsound or of a variant; the move is not compared with a position. */
bool position_of_board(PyObject *board, seebatch_position *position);
bool number_of_move(PyObject *object, seebatch_move *move);

bool boards_ready(void);

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

/* A sentence of the library's. It may quote what is no UTF-8, or be cut within a letter: that is replaced. */
PyObject *sentence(const char *text);

/* Raises an exception with a sentence; set_error() raises Error. */
void set_exception(PyObject *type, const char *text);
void set_error(const char *text);

/* Zeros behind the last field. The library leaves these bytes as they were, and arrays show them. */
void clear_padding(seebatch_position *position);

#endif
