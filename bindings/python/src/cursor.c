/*
 * Columns that come in: Arrow's capsules, or lists, read as texts some rows at a time.
 */
#include "columns.h"
#include "files.h"

#include <stdlib.h>
#include <string.h>

/* The struct in a capsule, moved out. */
#define MOVE_OUT(to, capsule, type, title)                                                                             \
    do {                                                                                                               \
        struct type *from = (struct type *)PyCapsule_GetPointer(capsule, title);                                       \
        if (from == NULL)                                                                                              \
            break;                                                                                                     \
        *(to) = *from;                                                                                                 \
        from->release = NULL;                                                                                          \
    } while (0)

/* The schema and the array that an object gives. */
static bool array_in(PyObject *object, struct ArrowSchema *to_schema, struct ArrowArray *to_array)
{
    PyObject *pair = PyObject_CallMethod(object, "__arrow_c_array__", NULL), *schema, *array;
    if (pair != NULL && PyArg_ParseTuple(pair, "OO", &schema, &array)) {
        MOVE_OUT(to_schema, schema, ArrowSchema, "arrow_schema");
        MOVE_OUT(to_array, array, ArrowArray, "arrow_array");
    }
    Py_XDECREF(pair);
    if (!PyErr_Occurred() && (to_schema->release == NULL || to_array->release == NULL))
        PyErr_SetString(PyExc_TypeError, "the array of the column has already been used, expected a new one");
    return !PyErr_Occurred();
}

/* ---- An array as a stream ---------------------------------------------------------------------------------------- */

/* It is asked for its schema once, as the library asks. */
struct only_array {
    struct ArrowSchema schema;
    struct ArrowArray array;
};

static int only_schema(struct ArrowArrayStream *self, struct ArrowSchema *out)
{
    struct only_array *only = (struct only_array *)self->private_data;
    *out = only->schema;
    only->schema.release = NULL;
    return 0;
}

static int only_next(struct ArrowArrayStream *self, struct ArrowArray *out)
{
    struct only_array *only = (struct only_array *)self->private_data;
    *out = only->array;
    only->array.release = NULL;
    return 0;
}

static const char *only_error(struct ArrowArrayStream *self)
{
    (void)self;
    return NULL;
}

static void only_release(struct ArrowArrayStream *self)
{
    struct only_array *only = (struct only_array *)self->private_data;
    if (only->schema.release != NULL)
        only->schema.release(&only->schema);
    if (only->array.release != NULL)
        only->array.release(&only->array);
    free(only);
    self->release = NULL;
}

static bool stream_of_array(PyObject *object, struct ArrowArrayStream *stream)
{
    struct only_array *only = (struct only_array *)calloc(1, sizeof *only);
    if (only == NULL) {
        PyErr_NoMemory();
        return false;
    }
    const struct ArrowArrayStream made = {only_schema, only_next, only_error, only_release, only};
    *stream = made;
    if (array_in(object, &only->schema, &only->array))
        return true;
    only_release(stream);
    return false;
}

bool stream_in(PyObject *object, struct ArrowArrayStream *stream)
{
    stream->release = NULL;
    if (!PyObject_HasAttrString(object, "__arrow_c_stream__")) {
        if (PyObject_HasAttrString(object, "__arrow_c_array__"))
            return stream_of_array(object, stream);
        PyErr_SetString(PyExc_TypeError,
                        "the argument is not a table, expected an object with __arrow_c_stream__ or __arrow_c_array__");
        return false;
    }
    PyObject *capsule = PyObject_CallMethod(object, "__arrow_c_stream__", NULL);
    if (capsule != NULL)
        MOVE_OUT(stream, capsule, ArrowArrayStream, "arrow_array_stream");
    Py_XDECREF(capsule);
    if (!PyErr_Occurred() && stream->release == NULL)
        PyErr_SetString(PyExc_TypeError, "the stream of the column has already been used, expected a new one");
    return !PyErr_Occurred();
}

static bool move_stream(struct cursor *cursor, PyObject *object)
{
    if (!stream_in(object, &cursor->stream))
        return false;
    PyThreadState *thread = PyEval_SaveThread();
    const int status = cursor->stream.get_schema(&cursor->stream, &cursor->schema);
    PyEval_RestoreThread(thread);
    if (status == 0)
        return true;
    const char *why = cursor->stream.get_last_error(&cursor->stream);
    cursor->schema.release = NULL;
    set_error(why ? why : "the stream of the column has no schema");
    return false;
}

static const struct ArrowSchema *schema_in(const struct cursor *cursor)
{
    return cursor->child < 0 ? &cursor->schema : cursor->schema.children[cursor->child];
}

/* What a schema of others lacks is an exception. */
static bool check_schema(const struct cursor *cursor)
{
    seebatch_io_error error;
    if (seebatch_arrow_schema_check(&cursor->schema, &error) == SEEBATCH_IO_OK)
        return true;
    set_error(error.text);
    return false;
}

/* The columns of a struct, for a sentence. */
static PyObject *names_in(const struct ArrowSchema *schema)
{
    PyObject *list = PyList_New(0);
    for (int64_t i = 0; i < schema->n_children && list != NULL; i++) {
        const char *name = schema->children[i]->name;
        PyObject *text = sentence(name ? name : "");
        if (text == NULL || PyList_Append(list, text) != 0)
            Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

/* The last column of that name, or -1. */
static int64_t child_named(const struct ArrowSchema *schema, const char *name)
{
    int64_t i = schema->n_children - 1;
    while (i >= 0 && (schema->children[i]->name == NULL || strcmp(schema->children[i]->name, name) != 0))
        i--;
    return i;
}

/* Of positions it is fen, or board; and finds out which. */
static bool choose_child(struct cursor *cursor, const char *name)
{
    const struct ArrowSchema *schema = &cursor->schema;
    const bool positions = strcmp(name, "fen") == 0, table = strcmp(schema->format, "+s") == 0;
    cursor->child = table ? child_named(schema, name) : -1;
    if (table && cursor->child < 0 && positions)
        cursor->child = child_named(schema, "board");
    if (table && cursor->child < 0 && schema->n_children == 1)
        cursor->child = 0;
    cursor->boards = positions && seebatch_arrow_has_boards(schema_in(cursor));
    if (!table || cursor->child >= 0)
        return true;
    PyObject *names = names_in(schema);
    if (names != NULL)
        PyErr_Format(core_error, "the columns are %R, expected one named %s", names, name);
    Py_XDECREF(names);
    return false;
}

static bool open_list(struct cursor *cursor, PyObject *list, const char *name)
{
    cursor->tuple = PySequence_Tuple(list);
    const size_t n = cursor->tuple ? (size_t)PyTuple_Size(cursor->tuple) : 0;
    cursor->texts = cursor->tuple ? (seebatch_text *)memory_new(n, sizeof *cursor->texts) : NULL;
    if (cursor->texts == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        cursor->texts[i].at = NULL;
        cursor->texts[i].length = 0;
        if (PyTuple_GetItem(cursor->tuple, (Py_ssize_t)i) != Py_None &&
            !texts_of(cursor->tuple, i, 1, name, &cursor->texts[i]))
            return false;
    }
    return true;
}

bool cursor_open(struct cursor *cursor, PyObject *object, const char *name)
{
    cursor->child = -1;
    if (PyList_Check(object) || PyTuple_Check(object))
        return open_list(cursor, object, name);
    if (PyObject_HasAttrString(object, "__arrow_c_stream__"))
        return move_stream(cursor, object) && check_schema(cursor) && choose_child(cursor, name);
    if (PyObject_HasAttrString(object, "__arrow_c_array__"))
        return array_in(object, &cursor->schema, &cursor->array) && check_schema(cursor) && choose_child(cursor, name);
    PyErr_Format(
        PyExc_TypeError,
        "%s: the argument is not a column, expected an object with __arrow_c_stream__ or __arrow_c_array__, or a list",
        name);
    return false;
}

void cursor_close(struct cursor *cursor)
{
    PyThreadState *thread = PyEval_SaveThread(); /* what is released may want it elsewhere */
    if (cursor->array.release != NULL)
        cursor->array.release(&cursor->array);
    if (cursor->schema.release != NULL)
        cursor->schema.release(&cursor->schema);
    if (cursor->stream.release != NULL)
        cursor->stream.release(&cursor->stream);
    PyEval_RestoreThread(thread);
    memory_free(cursor->texts);
    Py_XDECREF(cursor->tuple);
}

static bool fail(struct cursor *cursor, const char *text)
{
    cursor->error.status = SEEBATCH_IO_USAGE;
    strncpy(cursor->error.text, text, sizeof cursor->error.text - 1);
    cursor->error.text[sizeof cursor->error.text - 1] = 0;
    return false;
}

void cursor_failed(const struct cursor *cursor)
{
    if (cursor->error.status == SEEBATCH_IO_NO_MEMORY)
        PyErr_NoMemory();
    else
        set_error(cursor->error.text);
}

/* The next array of the stream, if it has one with rows. */
static bool next_array(struct cursor *cursor)
{
    struct ArrowArrayStream *stream = &cursor->stream;
    while (cursor->array.release == NULL || cursor->at >= (uint64_t)cursor->array.length) {
        if (cursor->array.release != NULL)
            cursor->array.release(&cursor->array);
        cursor->array.release = NULL;
        cursor->at = 0;
        if (stream->release == NULL)
            return true;
        if (stream->get_next(stream, &cursor->array) != 0) {
            const char *why = stream->get_last_error(stream);
            cursor->array.release = NULL;
            return fail(cursor, why ? why : "the stream of the column failed");
        }
        if (cursor->array.release == NULL)
            return true;
        if (cursor->array.length < 0)
            return fail(cursor, "the column is damaged: its length is negative");
    }
    return true;
}

bool cursor_rows(struct cursor *cursor, size_t *n)
{
    *n = 0;
    if (cursor->tuple != NULL) {
        *n = (size_t)PyTuple_Size(cursor->tuple) - cursor->at;
        return true;
    }
    if (!next_array(cursor))
        return false;
    if (cursor->array.release != NULL)
        *n = (size_t)cursor->array.length - cursor->at;
    return true;
}

/* An array that is read, with its schema. */
struct node {
    const struct ArrowSchema *schema;
    const struct ArrowArray *array;
    size_t begin;
};

/* The next n rows. */
static bool take_node(struct cursor *cursor, size_t n, struct node *node)
{
    const struct ArrowArray *array = &cursor->array;
    node->schema = &cursor->schema;
    node->array = array;
    node->begin = cursor->at;
    cursor->at += n;
    if (cursor->child < 0)
        return true;
    if (seebatch_arrow_structs(&cursor->schema, array, node->begin, 0, NULL, &cursor->error) != SEEBATCH_IO_OK)
        return false;
    node->begin += (size_t)array->offset;
    node->array = array->children[cursor->child];
    node->schema = cursor->schema.children[cursor->child];
    return true;
}

/* What the last n rows taken have is null where the structs are whose children they are: texts, or nulls of lists. */
static bool leave_out_nulls(struct cursor *cursor, size_t n, seebatch_text *texts, bool *nulls)
{
    enum { PART = 1024 };
    bool out[PART];
    for (size_t i = 0; cursor->child >= 0 && i < n; i += PART) {
        const size_t part = n - i < PART ? n - i : (size_t)PART;
        if (seebatch_arrow_structs(&cursor->schema, &cursor->array, cursor->at - n + i, part, out, &cursor->error) !=
            SEEBATCH_IO_OK)
            return false;
        for (size_t k = 0; k < part; k++) {
            if (out[k] && texts != NULL)
                texts[i + k].at = NULL;
            if (out[k] && nulls != NULL)
                nulls[i + k] = true;
        }
    }
    return true;
}

static void strip_all(seebatch_text *texts, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (texts[i].at != NULL)
            strip_text(&texts[i]);
    }
}

/* The same with what stands around the texts. */
static bool whole_texts(struct cursor *cursor, size_t n, seebatch_text *texts, char (*room)[6])
{
    struct node node;
    if (cursor->tuple != NULL) {
        memcpy(texts, cursor->texts + cursor->at, n * sizeof *texts);
        cursor->at += n;
        return true;
    }
    if (!take_node(cursor, n, &node))
        return false;
    const seebatch_io_status status =
        room ? seebatch_arrow_moves(node.schema, node.array, node.begin, n, texts, room, &cursor->error)
             : seebatch_arrow_texts(node.schema, node.array, node.begin, n, texts, &cursor->error);
    return status == SEEBATCH_IO_OK && leave_out_nulls(cursor, n, texts, NULL);
}

bool cursor_texts(struct cursor *cursor, size_t n, seebatch_text *texts, char (*room)[6])
{
    if (!whole_texts(cursor, n, texts, room))
        return false;
    if (!cursor->boards)
        strip_all(texts, n);
    return true;
}

bool cursor_has_lists(const struct cursor *cursor)
{
    return cursor->tuple == NULL && schema_in(cursor)->n_children == 1 && strcmp(schema_in(cursor)->format, "+s") != 0;
}

bool cursor_lists(struct cursor *cursor, size_t n, size_t *rows, bool *nulls)
{
    struct node node;
    return take_node(cursor, n, &node) &&
           seebatch_arrow_lists(node.schema, node.array, node.begin, n, rows, nulls, &cursor->error) ==
               SEEBATCH_IO_OK &&
           leave_out_nulls(cursor, n, NULL, nulls);
}

bool cursor_items(struct cursor *cursor, size_t begin, size_t n, seebatch_text *texts, char (*room)[6])
{
    const struct ArrowArray *lists = cursor->child < 0 ? &cursor->array : cursor->array.children[cursor->child];
    if (seebatch_arrow_moves(schema_in(cursor)->children[0], lists->children[0], begin, n, texts, room,
                             &cursor->error) != SEEBATCH_IO_OK)
        return false;
    strip_all(texts, n);
    return true;
}
