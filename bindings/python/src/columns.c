/*
 * Columns computed: the type Column, which anything that takes Arrow reads as often as it likes.
 */
#include "columns.h"

#include <stdlib.h>
#include <string.h>

typedef struct Column {
    PyObject ob_base;
    struct ArrowSchema schema;
    struct ArrowArray array;
} Column;

static PyTypeObject *column_type;

static void column_dealloc(PyObject *object)
{
    Column *self = (Column *)object;
    PyTypeObject *type = Py_TYPE(object);
    if (self->schema.release != NULL)
        self->schema.release(&self->schema);
    if (self->array.release != NULL)
        self->array.release(&self->array);
    PyObject_Free(object);
    Py_DECREF(type);
}

/* ---- Given away, as often as wanted ------------------------------------------------------------------------------ */

/* A node that was given away: the buffers are the column's, which lives as long. */
struct shared {
    PyObject *column;
    struct ArrowArray **children;
    struct ArrowArray child[];
};

static void release_shared(struct ArrowArray *array)
{
    struct shared *shared = (struct shared *)array->private_data;
    for (int64_t i = 0; i < array->n_children; i++) {
        if (array->children[i]->release != NULL)
            array->children[i]->release(array->children[i]);
    }
    if (Py_IsInitialized()) {
        const PyGILState_STATE state = PyGILState_Ensure();
        Py_DECREF(shared->column);
        PyGILState_Release(state);
    }
    free(shared->children);
    free(shared);
    array->release = NULL;
}

static bool share(PyObject *column, const struct ArrowArray *from, struct ArrowArray *to)
{
    const size_t n = (size_t)from->n_children;
    struct shared *shared = (struct shared *)calloc(1, sizeof *shared + n * sizeof *shared->child);
    if (shared != NULL)
        shared->children = (struct ArrowArray **)calloc(n + 1, sizeof *shared->children);
    if (shared == NULL || shared->children == NULL) {
        free(shared);
        PyErr_NoMemory();
        return false;
    }
    *to = *from;
    to->children = n ? shared->children : NULL;
    to->release = release_shared;
    to->private_data = shared;
    shared->column = column;
    Py_INCREF(column);
    for (size_t i = 0; i < n; i++)
        shared->children[i] = &shared->child[i];
    for (size_t i = 0; i < n; i++) {
        if (!share(column, from->children[i], shared->children[i]))
            return false; /* what is there is released with the capsule */
    }
    return true;
}

static void release_copy(struct ArrowSchema *schema)
{
    for (int64_t i = 0; i < schema->n_children; i++) {
        if (schema->children[i]->release != NULL)
            schema->children[i]->release(schema->children[i]);
        free(schema->children[i]);
    }
    free(schema->children);
    free(schema->private_data); /* a name of the caller's */
    schema->release = NULL;
}

/* Formats and names are texts of the library. */
static bool copy_schema(const struct ArrowSchema *from, struct ArrowSchema *to)
{
    *to = *from;
    to->n_children = 0;
    to->children = (struct ArrowSchema **)calloc((size_t)from->n_children + 1, sizeof *to->children);
    to->private_data = NULL;
    to->release = release_copy;
    for (int64_t i = 0; i < from->n_children && to->children != NULL; i++) {
        to->children[i] = (struct ArrowSchema *)calloc(1, sizeof **to->children);
        if (to->children[i] == NULL)
            break;
        to->n_children++;
        if (!copy_schema(from->children[i], to->children[i]))
            break;
    }
    if (to->n_children == from->n_children && to->children != NULL)
        return true;
    if (!PyErr_Occurred())
        PyErr_NoMemory();
    return false;
}

/* schema(name) -> capsule of the schema, whose column has that name */
static PyObject *column_schema(PyObject *object, PyObject *args)
{
    struct ArrowSchema *schema;
    const char *name;
    if (!PyArg_ParseTuple(args, "s", &name))
        return NULL;
    PyObject *capsule = new_ArrowSchema(&schema);
    if (capsule != NULL && !copy_schema(&((Column *)object)->schema, schema))
        Py_CLEAR(capsule);
    if (capsule == NULL)
        return NULL;
    schema->name = (const char *)(schema->private_data = strdup(name));
    if (schema->name == NULL) {
        Py_DECREF(capsule);
        return PyErr_NoMemory();
    }
    return capsule;
}

/* array(name) -> (capsule of the schema, capsule of the array) */
static PyObject *column_array(PyObject *object, PyObject *args)
{
    struct ArrowArray *array;
    PyObject *schema = column_schema(object, args), *capsule = schema ? new_ArrowArray(&array) : NULL, *pair = NULL;
    if (capsule != NULL && share(object, &((Column *)object)->array, array))
        pair = Py_BuildValue("(OO)", schema, capsule);
    Py_XDECREF(schema);
    Py_XDECREF(capsule);
    return pair;
}

/* ---- Values as Python has them ----------------------------------------------------------------------------------- */

static bool is_null(const struct ArrowArray *array, int64_t i)
{
    const uint8_t *bits = (const uint8_t *)array->buffers[0];
    i += array->offset;
    return bits != NULL && !(bits[i / 8] >> i % 8 & 1);
}

static PyObject *value_of(const struct ArrowSchema *schema, const struct ArrowArray *array, int64_t i);

static PyObject *list_of(const struct ArrowSchema *schema, const struct ArrowArray *array, int64_t begin, int64_t end)
{
    PyObject *list = PyList_New((Py_ssize_t)(end - begin));
    for (int64_t i = begin; i < end && list != NULL; i++) {
        PyObject *value = value_of(schema, array, i);
        if (value == NULL || PyList_SetItem(list, (Py_ssize_t)(i - begin), value) != 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *struct_of(const struct ArrowSchema *schema, const struct ArrowArray *array, int64_t i)
{
    PyObject *dict = PyDict_New();
    for (int64_t k = 0; k < schema->n_children && dict != NULL; k++) {
        PyObject *value = value_of(schema->children[k], array->children[k], array->offset + i);
        if (value == NULL || PyDict_SetItemString(dict, schema->children[k]->name, value) != 0)
            Py_CLEAR(dict);
        Py_XDECREF(value);
    }
    return dict;
}

/* Row i of a column that the library made: of the types that those have. NULL with an exception. */
static PyObject *value_of(const struct ArrowSchema *schema, const struct ArrowArray *array, int64_t i)
{
    const char *format = schema->format;
    const int64_t at = array->offset + i;
    if (is_null(array, i))
        Py_RETURN_NONE;
    if (strcmp(format, "+s") == 0)
        return struct_of(schema, array, i);
    const void *data = strncmp(format, "+w:", 3) == 0 ? NULL : array->buffers[1];
    const int32_t *ends = (const int32_t *)data;
    if (strcmp(format, "+l") == 0)
        return list_of(schema->children[0], array->children[0], ends[at], ends[at + 1]);
    if (data == NULL) {
        const int64_t size = strtol(format + 3, NULL, 10);
        return list_of(schema->children[0], array->children[0], at * size, (at + 1) * size);
    }
    if (strcmp(format, "u") == 0)
        return PyUnicode_DecodeUTF8((const char *)array->buffers[2] + ends[at], ends[at + 1] - ends[at], "replace");
    if (strcmp(format, "s") == 0)
        return PyLong_FromLong(((const int16_t *)data)[at]);
    if (strcmp(format, "i") == 0)
        return PyLong_FromLong(((const int32_t *)data)[at]);
    if (strcmp(format, "I") == 0)
        return PyLong_FromUnsignedLong(((const uint32_t *)data)[at]);
    if (strcmp(format, "f") == 0)
        return PyFloat_FromDouble(((const float *)data)[at]);
    if (strcmp(format, "C") == 0)
        return PyLong_FromLong(((const uint8_t *)data)[at]);
    if (strcmp(format, "S") == 0)
        return PyLong_FromLong(((const uint16_t *)data)[at]);
    PyErr_Format(PyExc_NotImplementedError, "a column of the type '%s' has no values in Python", format);
    return NULL;
}

/* values(begin, end) -> list of the rows from begin up to end, which have to be there */
static PyObject *column_values(PyObject *object, PyObject *args)
{
    const Column *self = (const Column *)object;
    Py_ssize_t begin, end;
    if (!PyArg_ParseTuple(args, "nn", &begin, &end))
        return NULL;
    if (begin < 0 || begin > end || end > self->array.length) {
        PyErr_SetString(PyExc_IndexError, "the column has no such row");
        return NULL;
    }
    return list_of(&self->schema, &self->array, begin, end);
}

/* numbers() -> (bytes of int16, whether none is null) of a column of int16; None for others */
static PyObject *column_numbers(PyObject *object, PyObject *unused)
{
    const Column *self = (const Column *)object;
    (void)unused;
    if (strcmp(self->schema.format, "s") != 0)
        Py_RETURN_NONE;
    const char *data = (const char *)self->array.buffers[1] + 2 * self->array.offset;
    bool whole = true;
    for (int64_t i = 0; i < self->array.length && whole; i++)
        whole = !is_null(&self->array, i);
    return Py_BuildValue("(y#N)", data, (Py_ssize_t)(2 * self->array.length), PyBool_FromLong(whole));
}

static Py_ssize_t column_length(PyObject *object) { return (Py_ssize_t)((Column *)object)->array.length; }

/* ---- Computed ---------------------------------------------------------------------------------------------------- */

/* Columns of FENs and moves, or of games, as they are read, and what is computed of them. */
struct work {
    seebatch_arrow_what what;
    struct cursor fens, moves;
    bool with_fens, with_moves, with_lists;
    seebatch_arrow_column *column;
    seebatch_text *texts[2];
    char (*room)[6];
    size_t n_room;   /* for so many moves */
    size_t *offsets; /* of lists of moves */
    bool *nulls;
    size_t rows;
    seebatch_io_error error;
};

enum { AT_ONCE = 1 << 14 };

static bool is_of_games(seebatch_arrow_what what)
{
    return what == SEEBATCH_ARROW_GAMES || what == SEEBATCH_ARROW_GAME_FENS;
}

static bool next_rows(struct work *work, size_t *n)
{
    size_t moves = AT_ONCE;
    *n = AT_ONCE;
    if (work->with_fens && !cursor_rows(&work->fens, n)) {
        work->error = work->fens.error;
        return false;
    }
    if (work->with_moves && !cursor_rows(&work->moves, &moves)) {
        work->error = work->moves.error;
        return false;
    }
    if (work->with_fens && work->with_moves && (*n == 0) != (moves == 0)) {
        static const char *const names[2][2] = {{"FENs", "moves"}, {"start", "games"}};
        const char *const *const of = names[is_of_games(work->what)];
        work->error.status = SEEBATCH_IO_USAGE;
        PyOS_snprintf(work->error.text, sizeof work->error.text,
                      "the columns %s and %s have different lengths, expected as many rows in each: %s ends after %zu",
                      of[0], of[1], of[moves == 0], work->rows);
        return false;
    }
    *n = *n < moves ? *n : moves;
    *n = *n < AT_ONCE ? *n : (size_t)AT_ONCE;
    return true;
}

/* Room for n moves; without the GIL, and so not by memory_new(). */
static bool reserve(struct work *work, size_t n)
{
    if (n <= work->n_room)
        return true;
    free(work->texts[1]);
    free(work->room);
    work->texts[1] = (seebatch_text *)malloc(n * sizeof **work->texts);
    work->room = (char(*)[6])malloc(n * sizeof *work->room);
    work->n_room = work->texts[1] && work->room ? n : 0;
    return work->n_room > 0;
}

/* The moves of the next n FENs, one each or a list each; or n games. */
static bool take_moves(struct work *work, size_t n)
{
    struct cursor *moves = &work->moves;
    if (!work->with_lists)
        return cursor_texts(moves, n, work->texts[1], is_of_games(work->what) ? NULL : work->room);
    if (!cursor_lists(moves, n, work->offsets, work->nulls))
        return false;
    const size_t first = work->offsets[0], all = work->offsets[n] - first;
    for (size_t i = 0; i <= n; i++)
        work->offsets[i] -= first;
    for (size_t i = 0; i < n; i++) {
        if (work->nulls[i])
            work->texts[0][i].at = NULL;
    }
    if (!reserve(work, all)) {
        moves->error.status = SEEBATCH_IO_NO_MEMORY;
        return false;
    }
    return cursor_items(moves, first, all, work->texts[1], work->room);
}

/* The next rows, evaluated; without the GIL. False at the end, or with an error. */
static bool work_on(struct work *work, seebatch_job *job)
{
    size_t n;
    work->error.status = SEEBATCH_IO_OK;
    if (!next_rows(work, &n) || n == 0)
        return false;
    if (work->with_fens && !cursor_texts(&work->fens, n, work->texts[0], NULL)) {
        work->error = work->fens.error;
        return false;
    }
    if (work->with_moves && !take_moves(work, n)) {
        work->error = work->moves.error;
        return false;
    }
    work->rows += n;
    return seebatch_arrow_column_add(work->column, work->with_fens ? work->texts[0] : NULL,
                                     work->with_moves ? work->texts[1] : NULL, work->with_lists ? work->offsets : NULL,
                                     n, job, &work->error) == SEEBATCH_IO_OK;
}

static bool work_all(struct work *work, struct call *call)
{
    bool go = true;
    work->texts[0] = (seebatch_text *)memory_new(AT_ONCE, sizeof **work->texts);
    work->offsets = (size_t *)memory_new(AT_ONCE + 1, sizeof *work->offsets);
    work->nulls = (bool *)memory_new(AT_ONCE, sizeof *work->nulls);
    if (!work->texts[0] || !work->offsets || !work->nulls)
        return false;
    if (!reserve(work, AT_ONCE)) {
        PyErr_NoMemory();
        return false;
    }
    call_begin(call);
    while (go && work_on(work, &call->job))
        go = call_report(call, work->rows, work->rows + 1);
    if (!call_end(call) || !go)
        return false;
    if (work->error.status == SEEBATCH_IO_OK)
        return true;
    if (work->error.status == SEEBATCH_IO_NO_MEMORY)
        PyErr_NoMemory();
    else
        set_error(work->error.text);
    return false;
}

/* (Column, number of faults, [(row, sentence)]) */
static PyObject *result_of(struct work *work)
{
    const char *text;
    size_t row;
    seebatch_io_error error;
    Column *column = PyObject_New(Column, column_type);
    PyObject *faults = PyList_New(0), *result = NULL;
    if (column != NULL) {
        memset(&column->schema, 0, sizeof column->schema);
        memset(&column->array, 0, sizeof column->array);
    }
    if (column == NULL || faults == NULL)
        goto end;
    for (size_t i = 0; (text = seebatch_arrow_column_fault(work->column, i, &row)) != NULL; i++) {
        PyObject *fault = Py_BuildValue("(nN)", (Py_ssize_t)row, sentence(text));
        const bool good = fault != NULL && PyList_Append(faults, fault) == 0;
        Py_XDECREF(fault);
        if (!good)
            goto end;
    }
    if (seebatch_arrow_column_finish(work->column, &column->schema, &column->array, &error) != SEEBATCH_IO_OK)
        PyErr_NoMemory();
    else
        result = Py_BuildValue("(OnO)", column, (Py_ssize_t)seebatch_arrow_column_faults(work->column), faults);
end:
    Py_XDECREF((PyObject *)column);
    Py_XDECREF(faults);
    return result;
}

/* column(what, fens or None, moves or None, rules, values, threads, progress) -> (Column, number of faults, [(row,
 * sentence)]). Of games, the moves are their texts. */
static PyObject *column(PyObject *module, PyObject *args)
{
    int what;
    bool games;
    PyObject *fens, *moves, *rules_name, *values, *progress, *result = NULL;
    Py_ssize_t threads;
    seebatch_rules rules;
    struct call call;
    struct work work;
    (void)module;
    memset(&work, 0, sizeof work);
    if (!PyArg_ParseTuple(args, "iOOOOnO", &what, &fens, &moves, &rules_name, &values, &threads, &progress) ||
        !call_init(&call, threads, progress) || !rules_of(rules_name, values, &rules))
        return NULL;
    work.what = (seebatch_arrow_what)what;
    games = is_of_games(work.what);
    work.with_fens = fens != Py_None || !games;
    work.with_moves = moves != Py_None || games || work.what == SEEBATCH_ARROW_VALUE;
    if ((!work.with_fens || cursor_open(&work.fens, fens, "fen")) &&
        (!work.with_moves || cursor_open(&work.moves, moves, games ? "movetext" : "move"))) {
        work.with_lists = work.with_moves && !games && cursor_has_lists(&work.moves);
        work.column =
            seebatch_arrow_column_new(work.with_lists ? SEEBATCH_ARROW_VALUES : work.what, &rules, work.fens.boards);
        if (work.column == NULL)
            PyErr_NoMemory();
        else if (work_all(&work, &call))
            result = result_of(&work);
    }
    cursor_close(&work.fens);
    cursor_close(&work.moves);
    seebatch_arrow_column_free(work.column);
    memory_free(work.texts[0]);
    free(work.texts[1]);
    free(work.room);
    memory_free(work.offsets);
    memory_free(work.nulls);
    return result;
}

/* ---- Moves as texts ---------------------------------------------------------------------------------------------- */

static bool append_texts(PyObject *list, const seebatch_text *texts, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        PyObject *text;
        if (texts[i].at == NULL) {
            text = Py_None;
            Py_INCREF(text);
        } else {
            text = PyBytes_FromStringAndSize(texts[i].at, (Py_ssize_t)texts[i].length);
        }
        const bool good = text != NULL && PyList_Append(list, text) == 0;
        Py_XDECREF(text);
        if (!good)
            return false;
    }
    return true;
}

/* move_texts(column) -> list of bytes and None */
static PyObject *move_texts(PyObject *module, PyObject *object)
{
    struct cursor moves;
    size_t n = 0;
    (void)module;
    memset(&moves, 0, sizeof moves);
    seebatch_text *texts = (seebatch_text *)memory_new(AT_ONCE, sizeof *texts);
    char(*room)[6] = (char(*)[6])memory_new(AT_ONCE, sizeof *room);
    PyObject *list = texts && room && cursor_open(&moves, object, "move") ? PyList_New(0) : NULL;
    do {
        if (list == NULL)
            break;
        PyThreadState *thread = PyEval_SaveThread();
        bool good = cursor_rows(&moves, &n);
        n = n < AT_ONCE ? n : (size_t)AT_ONCE;
        good = good && (n == 0 || cursor_texts(&moves, n, texts, room));
        PyEval_RestoreThread(thread);
        if (!good)
            cursor_failed(&moves);
        if (!good || !append_texts(list, texts, n))
            Py_CLEAR(list);
    } while (list != NULL && n > 0);
    cursor_close(&moves);
    memory_free(texts);
    memory_free(room);
    return list;
}

PyMethodDef column_methods[] = {
    {"column", column, METH_VARARGS, NULL}, {"move_texts", move_texts, METH_O, NULL}, {NULL, NULL, 0, NULL}};

bool columns_ready(PyObject *module)
{
    static PyMethodDef methods[] = {{"schema", column_schema, METH_VARARGS, NULL},
                                    {"array", column_array, METH_VARARGS, NULL},
                                    {"values", column_values, METH_VARARGS, NULL},
                                    {"numbers", column_numbers, METH_NOARGS, NULL},
                                    {NULL, NULL, 0, NULL}};
    static PyType_Slot slots[] = {{Py_tp_dealloc, (void *)column_dealloc},
                                  {Py_tp_methods, methods},
                                  {Py_sq_length, (void *)column_length},
                                  {0, NULL}};
    static PyType_Spec spec = {"seebatch._core.Column", sizeof(Column), 0, Py_TPFLAGS_DEFAULT, slots};
    return add_type(module, "Column", &spec, &column_type);
}
