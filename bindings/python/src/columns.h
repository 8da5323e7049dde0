/* What files share that take columns: text.c, columns.c and arrow.c. */
#ifndef SEEBATCH_PYTHON_COLUMNS_H
#define SEEBATCH_PYTHON_COLUMNS_H

#include "core.h"

#include "seebatch_arrow.h"

/* A column that comes in: what has __arrow_c_stream__ or __arrow_c_array__, or a list of str, bytes and None. Of a
 * struct the child of a name, or the only one. All zero before it is opened. */
struct cursor {
    struct ArrowArrayStream stream; /* released: there is none */
    struct ArrowSchema schema;
    struct ArrowArray array; /* the one that is read; released: none */
    int64_t child;           /* of a struct; -1: the array itself */
    bool boards;             /* in place of FENs */
    size_t at;               /* the next row of the array */
    PyObject *tuple;         /* of a list; and its texts */
    seebatch_text *texts;
    seebatch_io_error error;
};

/* False with an exception; cursor_close() in any case. name: of the child of a struct. */
bool cursor_open(struct cursor *cursor, PyObject *object, const char *name);
void cursor_close(struct cursor *cursor);

/* How many rows can be read at once, 0 at the end. Without the GIL. False, with cursor->error. */
bool cursor_rows(struct cursor *cursor, size_t *n);

/* The next n rows, of those; nulls have at == NULL. room: of moves, which may be numbers; otherwise NULL. Without the
 * GIL. False, with cursor->error. */
bool cursor_texts(struct cursor *cursor, size_t n, seebatch_text *texts, char (*room)[6]);

/* Whether the rows are lists. */
bool cursor_has_lists(const struct cursor *cursor);

/* The next n rows, of lists, which have the items rows[i] up to rows[i + 1], of n + 1; and whether each is null. */
bool cursor_lists(struct cursor *cursor, size_t n, size_t *rows, bool *nulls);

/* Items begin to begin + n of those lists, which are moves, as above. */
bool cursor_items(struct cursor *cursor, size_t begin, size_t n, seebatch_text *texts, char (*room)[6]);

/* Raises what is in cursor->error. */
void cursor_failed(const struct cursor *cursor);

/* The stream that an object gives, or one of its array; the caller's, to be released without the GIL. False with an exception. */
bool stream_in(PyObject *object, struct ArrowArrayStream *stream);

/* Capsules with structs that are not filled yet; NULL with an exception. */
PyObject *new_ArrowSchema(struct ArrowSchema **schema);
PyObject *new_ArrowArray(struct ArrowArray **array);
PyObject *new_ArrowArrayStream(struct ArrowArrayStream **stream);

extern PyMethodDef column_methods[];
bool columns_ready(PyObject *module);

#endif
