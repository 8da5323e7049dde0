/* Records that go out: writers, and conditions on records. */
#include "columns.h"
#include "files.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Records that come in ---------------------------------------------------------------------------------------- */

/* A column of items of a size, one a position; None: there is none. */
static bool column(struct input *input, PyObject *object, const char *what, size_t size, const void **data)
{
    size_t n;
    *data = NULL;
    if (object == Py_None)
        return true;
    if (!input_view(input, object, what, size, data, &n))
        return false;
    if (n == input->n)
        return true;
    PyErr_Format(core_error, "there are %zu %s, expected one for each position: %zu", n, what, input->n);
    return false;
}

/* Moves of those records that have one, as rows, to be checked. */
static bool check_moves(struct input *input, const uint8_t *has, struct call *call)
{
    size_t *offsets = (size_t *)malloc((input->n + 1) * sizeof *offsets);
    seebatch_move *moves = (seebatch_move *)malloc((input->n + 1) * sizeof *moves);
    struct input rows = {.positions = input->positions, .n = input->n, .offsets = offsets, .moves = moves};
    bool good = offsets != NULL && moves != NULL;
    if (!good)
        PyErr_NoMemory();
    for (size_t i = 0; i < input->n && good; i++) {
        offsets[i] = rows.n_moves;
        if (has[i] & SEEBATCH_HAS_MOVE)
            moves[rows.n_moves++] = input->moves[i];
    }
    if (good) {
        offsets[input->n] = rows.n_moves;
        good = input_check(&rows, NULL, call);
    }
    free(offsets);
    free(moves);
    return good;
}

/* A copy of what each record has, in memory that nobody else changes; without it, all of them have what is given. */
static uint8_t *own_has(struct input *input, const void *has, unsigned given)
{
    uint8_t *own = (uint8_t *)input_memory(input, input->n, 1);
    if (own != NULL && has != NULL)
        memcpy(own, has, input->n);
    else if (own != NULL)
        memset(own, (int)given, input->n);
    return own;
}

/* Results as the library has them. Of a record whose result is not a number, has says so afterwards. */
static const uint8_t *results_of(struct input *input, const void *floats, uint8_t *has)
{
    uint8_t *own = (uint8_t *)input_memory(input, input->n, 1);
    for (size_t i = 0; own != NULL && i < input->n; i++) {
        float result;
        memcpy(&result, (const char *)floats + i * sizeof result, sizeof result);
        own[i] = result == 1 ? SEEBATCH_WHITE_WINS : result == 0.5F ? SEEBATCH_DRAW : SEEBATCH_BLACK_WINS;
        if (!(has[i] & SEEBATCH_HAS_RESULT) || result == 0 || own[i] != SEEBATCH_BLACK_WINS)
            continue;
        if (!isnan(result)) {
            PyObject *number = PyFloat_FromDouble((double)result);
            PyErr_Format(core_error, "result %zu is %R, expected 1 (White won), 0.5 (a draw), 0 (Black won) or NaN", i,
                         number);
            Py_XDECREF(number);
            return NULL;
        }
        has[i] &= (uint8_t)~SEEBATCH_HAS_RESULT;
    }
    return own;
}

/* objects: positions, moves, scores, results, plies, has; all but the first may be None. */
static bool records_of(struct input *input, PyObject *const objects[6], seebatch_records *records, struct call *call)
{
    const void *scores, *floats, *plies, *has;
    const uint8_t *results = NULL;
    const bool moves = objects[1] != Py_None;
    if (!(moves ? input_rows(input, objects[0], Py_None, objects[1]) : input_positions(input, objects[0])) ||
        !column(input, objects[2], "scores", sizeof(int32_t), &scores) ||
        !column(input, objects[3], "results", sizeof(float), &floats) ||
        !column(input, objects[4], "plies", sizeof(int32_t), &plies) || !column(input, objects[5], "has", 1, &has))
        return false;
    const unsigned given = (moves ? SEEBATCH_HAS_MOVE : 0u) | (scores ? SEEBATCH_HAS_SCORE : 0u) |
                           (floats ? SEEBATCH_HAS_RESULT : 0u) | (plies ? SEEBATCH_HAS_PLY : 0u);
    uint8_t *own = has != NULL || floats != NULL ? own_has(input, has, given) : NULL;
    if (((has != NULL || floats != NULL) && own == NULL) ||
        (floats != NULL && (results = results_of(input, floats, own)) == NULL))
        return false;
    records->n = records->capacity = input->n;
    records->positions = (seebatch_position *)(uintptr_t)input->positions;
    records->moves = (seebatch_move *)(uintptr_t)input->moves;
    records->scores = (int32_t *)(uintptr_t)scores;
    records->results = (uint8_t *)(uintptr_t)results;
    records->plies = (int32_t *)(uintptr_t)plies;
    records->has = own;
    return own != NULL && moves && !input->legal ? check_moves(input, own, call) : input_check(input, NULL, call);
}

/* ---- Conditions -------------------------------------------------------------------------------------------------- */

static bool add_conditions(seebatch_conditions *conditions, PyObject *texts, bool keep)
{
    PyObject *tuple = PySequence_Tuple(texts);
    bool good = tuple != NULL;
    for (Py_ssize_t i = 0; good && i < PyTuple_Size(tuple); i++) {
        seebatch_io_error error;
        const char *text = utf8_of(PyTuple_GetItem(tuple, i), "condition", NULL);
        good = text != NULL;
        if (good && seebatch_conditions_add(conditions, keep, text, &error) != SEEBATCH_IO_OK) {
            set_error(error.text);
            good = false;
        }
    }
    Py_XDECREF(tuple);
    return good;
}

/* False with an exception if there is a doubt, as the caller is told in a warning, and warnings are exceptions. */
static bool tell_doubt(const seebatch_conditions *conditions, int frames)
{
    seebatch_io_error error;
    return !seebatch_conditions_doubt(conditions, &error) || PyErr_WarnEx(PyExc_UserWarning, error.text, frames) == 0;
}

seebatch_conditions *conditions_of(const seebatch_rules *rules, PyObject *keep, PyObject *drop, int frames)
{
    seebatch_conditions *conditions = seebatch_conditions_new(rules);
    if (conditions == NULL)
        PyErr_NoMemory();
    else if (add_conditions(conditions, keep, true) && add_conditions(conditions, drop, false) &&
             tell_doubt(conditions, frames))
        return conditions;
    seebatch_conditions_free(conditions);
    return NULL;
}

/* False with an exception if a condition is about something that none of the records has. */
static bool can_hold(const seebatch_conditions *conditions, const seebatch_records *records)
{
    static const char *const names[] = {"moves", "scores", "results", "plies"}; /* by the bits of SEEBATCH_HAS_... */
    const unsigned given = (records->moves ? SEEBATCH_HAS_MOVE : 0u) | (records->scores ? SEEBATCH_HAS_SCORE : 0u) |
                           (records->results ? SEEBATCH_HAS_RESULT : 0u) | (records->plies ? SEEBATCH_HAS_PLY : 0u);
    unsigned has = records->has != NULL && records->n > 0 ? 0 : given;
    seebatch_io_error error;
    for (size_t i = 0; records->has != NULL && i < records->n; i++)
        has |= records->has[i] & given;
    if (seebatch_conditions_check(conditions, has, &error) == SEEBATCH_IO_OK)
        return true;
    const unsigned lacks = seebatch_conditions_fields(conditions) & ~has;
    const int first = __builtin_ctz(lacks);
    PyErr_Format(core_error,
                 lacks & -lacks & given ? "%s: has= excludes it, although %s= is given" : "%s: pass %s=", error.text,
                 names[first]);
    return false;
}

/* So many records at a time, with a look at signals in between. */
enum { AT_ONCE = 8192 };

static seebatch_records records_from(const seebatch_records *records, size_t i)
{
    const seebatch_records some = {.n = records->n - i < AT_ONCE ? records->n - i : AT_ONCE,
                                   .positions = records->positions + i,
                                   .moves = records->moves ? records->moves + i : NULL,
                                   .scores = records->scores ? records->scores + i : NULL,
                                   .results = records->results ? records->results + i : NULL,
                                   .plies = records->plies ? records->plies + i : NULL,
                                   .has = records->has ? records->has + i : NULL,
                                   .file = records->file};
    return some;
}

static bool test(const seebatch_conditions *conditions, const seebatch_records *records, bool *in, struct call *call)
{
    bool memory = true, go = true;
    call_begin(call);
    for (size_t i = 0; i < records->n && memory && go; i += AT_ONCE) {
        const seebatch_records some = records_from(records, i);
        memory = seebatch_conditions_test(conditions, &some, in + i) == SEEBATCH_IO_OK;
        go = call_report(call, i + some.n, records->n);
    }
    go = call_end(call) && go;
    if (go && !memory)
        PyErr_NoMemory();
    return go && memory;
}

PyObject *conditions(PyObject *module, PyObject *args)
{
    PyObject *objects[6], *keep, *drop, *rules_name, *values, *progress;
    struct input input = {0};
    struct call call;
    seebatch_records records = {0};
    const char *file;
    Py_ssize_t length;
    seebatch_rules rules;
    seebatch_conditions *all = NULL;
    Block *result = NULL;
    bool good = false;
    (void)module;
    if (PyArg_ParseTuple(args, "OOOOOOOOOOz#O", &objects[0], &objects[1], &objects[2], &objects[3], &objects[4],
                         &objects[5], &keep, &drop, &rules_name, &values, &file, &length, &progress) &&
        is_path(file, length) && call_init(&call, 1, progress) && rules_of(rules_name, values, &rules) &&
        records_of(&input, objects, &records, &call)) {
        records.file = file;
        all = conditions_of(&rules, keep, drop, 2);
        good = all != NULL && can_hold(all, &records) && (result = block_new(&kind_flags, records.n)) != NULL &&
               test(all, &records, (bool *)result->data, &call);
    }
    if (good)
        block_finish(result, records.n);
    else
        Py_CLEAR(result);
    seebatch_conditions_free(all);
    input_free(&input);
    return (PyObject *)result;
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

typedef struct Writer {
    PyObject ob_base;
    seebatch_writer *writer; /* NULL: closed */
    seebatch_column *columns;
    size_t n_columns;
    PyObject *names; /* tuple: the columns' */
    bool busy;
} Writer;

static PyTypeObject *writer_type;

static bool columns_of(Writer *self, PyObject *names)
{
    self->names = PySequence_Tuple(names);
    if (self->names == NULL)
        return false;
    const Py_ssize_t n = PyTuple_Size(self->names);
    self->columns = (seebatch_column *)calloc((size_t)n + 1, sizeof *self->columns);
    if (self->columns == NULL)
        return PyErr_NoMemory() != NULL;
    for (Py_ssize_t i = 0; i < n; i++) {
        self->columns[i].name = utf8_of(PyTuple_GetItem(self->names, i), "name of a column", NULL);
        if (self->columns[i].name == NULL)
            return false;
    }
    self->n_columns = (size_t)n;
    return true;
}

/* Writer(path or None, format or None, holds, lose or None, level, names of columns) */
static PyObject *writer_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    seebatch_writer_options options = {0};
    PyObject *names;
    seebatch_io_error error;
    (void)type, (void)keywords;
    Py_ssize_t length;
    if (!PyArg_ParseTuple(args, "z#zIziO", &options.path, &length, &options.format, &options.holds, &options.lose,
                          &options.level, &names) ||
        !is_path(options.path, length))
        return NULL;
    Writer *self = PyObject_New(Writer, writer_type);
    if (self == NULL)
        return NULL;
    self->writer = NULL;
    self->columns = NULL;
    self->n_columns = 0;
    self->names = NULL;
    self->busy = false;
    if (columns_of(self, names)) {
        options.columns = self->n_columns ? self->columns : NULL;
        options.n_columns = self->n_columns;
        self->writer = seebatch_writer_open(&options, &error);
        if (self->writer == NULL)
            open_failed(&error, options.path);
    }
    if (self->writer == NULL)
        Py_CLEAR(self);
    return (PyObject *)self;
}

static void writer_dealloc(PyObject *object)
{
    Writer *self = (Writer *)object;
    PyTypeObject *type = Py_TYPE(object);
    seebatch_writer_abandon(self->writer);
    free(self->columns);
    Py_XDECREF(self->names);
    PyObject_Free(object);
    Py_DECREF(type);
}

/* The cells, row by row, of a tuple: a str is a text, and bytes are a number, true or false; None: there is no cell. NULL
 * with an exception, or where there are no columns. */
static seebatch_cell *cells_of(const Writer *self, PyObject *tuple, size_t n)
{
    const size_t total = n * self->n_columns;
    if ((size_t)PyTuple_Size(tuple) != total) {
        PyErr_Format(core_error, "there are %zd cells, expected %zu columns of %zu records", PyTuple_Size(tuple),
                     self->n_columns, n);
        return NULL;
    }
    seebatch_cell *cells = (seebatch_cell *)malloc((total + 1) * sizeof *cells);
    if (cells == NULL)
        PyErr_NoMemory();
    for (size_t i = 0; i < total && cells != NULL; i++) {
        PyObject *cell = PyTuple_GetItem(tuple, (Py_ssize_t)i);
        Py_ssize_t length = 0;
        char *number = NULL;
        cells[i] = (seebatch_cell){.text = NULL, .is_text = !PyBytes_Check(cell)};
        if (cell == Py_None)
            continue;
        if (cells[i].is_text)
            cells[i].text = utf8_of(cell, "cell", &length);
        else if (PyBytes_AsStringAndSize(cell, &number, &length) == 0)
            cells[i].text = number;
        cells[i].length = (size_t)length;
        if (cells[i].text == NULL) {
            free(cells);
            cells = NULL;
        }
    }
    return cells;
}

static bool write_all(const Writer *self, const seebatch_records *records, const seebatch_cell *cells,
                      struct call *call)
{
    seebatch_io_error error = {.status = SEEBATCH_IO_OK};
    bool good = true, go = true;
    call_begin(call);
    for (size_t i = 0; i < records->n && good && go; i += AT_ONCE) {
        const seebatch_records some = records_from(records, i);
        const seebatch_cell *const row = self->n_columns ? cells + i * self->n_columns : NULL;
        good = seebatch_writer_write(self->writer, &some, row, &error) == SEEBATCH_IO_OK;
        go = call_report(call, i + some.n, records->n);
    }
    go = call_end(call) && go;
    if (go && !good)
        io_failed(&error);
    return go && good;
}

/* write(positions, moves, scores, results, plies, has, cells): all but positions may be None; cells are a tuple */
static PyObject *writer_write(PyObject *object, PyObject *args)
{
    Writer *self = (Writer *)object;
    PyObject *objects[6], *texts;
    struct input input = {0};
    struct call call;
    seebatch_records records = {0};
    seebatch_cell *cells = NULL;
    bool good = false;
    if (enter(self->writer, self->busy, "writer") &&
        PyArg_ParseTuple(args, "OOOOOOO!", &objects[0], &objects[1], &objects[2], &objects[3], &objects[4], &objects[5],
                         &PyTuple_Type, &texts) &&
        call_init(&call, 1, NULL)) {
        self->busy = true;
        good = records_of(&input, objects, &records, &call) && (cells = cells_of(self, texts, records.n)) != NULL &&
               write_all(self, &records, cells, &call);
        self->busy = false;
    }
    free(cells);
    input_free(&input);
    if (!good)
        return NULL;
    Py_RETURN_NONE;
}

/* A stream that is asked for signals between its arrays. */
struct watched {
    struct ArrowArrayStream inner;
    struct call *call;
    size_t rows;
};

static int watched_schema(struct ArrowArrayStream *self, struct ArrowSchema *out)
{
    struct watched *watched = (struct watched *)self->private_data;
    return watched->inner.get_schema(&watched->inner, out);
}

static int watched_next(struct ArrowArrayStream *self, struct ArrowArray *out)
{
    struct watched *watched = (struct watched *)self->private_data;
    if (!call_report(watched->call, watched->rows, watched->rows + 1))
        return ECANCELED;
    const int status = watched->inner.get_next(&watched->inner, out);
    if (status == 0 && out->release != NULL && out->length > 0)
        watched->rows += (size_t)out->length;
    return status;
}

static const char *watched_error(struct ArrowArrayStream *self)
{
    struct watched *watched = (struct watched *)self->private_data;
    return watched->inner.get_last_error(&watched->inner);
}

/* write_table(object with __arrow_c_stream__ or __arrow_c_array__, progress): all its rows */
static PyObject *writer_write_table(PyObject *object, PyObject *args)
{
    Writer *self = (Writer *)object;
    PyObject *table, *progress;
    struct call call;
    struct watched watched = {0};
    struct ArrowArrayStream stream = {watched_schema, watched_next, watched_error, NULL, &watched};
    seebatch_io_error error;
    if (!enter(self->writer, self->busy, "writer") || !PyArg_ParseTuple(args, "OO", &table, &progress) ||
        !call_init(&call, 1, progress) || !stream_in(table, &watched.inner))
        return NULL;
    watched.call = &call;
    self->busy = true;
    call_begin(&call);
    const seebatch_io_status status = seebatch_writer_write_arrow(self->writer, &stream, &error);
    watched.inner.release(&watched.inner);
    const bool go = call_end(&call);
    self->busy = false;
    if (!go)
        return NULL;
    if (status != SEEBATCH_IO_OK)
        return io_failed(&error);
    Py_RETURN_NONE;
}

/* finish() -> bytes where there is no path, otherwise None */
static PyObject *writer_finish(PyObject *object, PyObject *unused)
{
    Writer *self = (Writer *)object;
    void *bytes = NULL;
    size_t n = 0;
    seebatch_io_error error;
    (void)unused;
    if (!enter(self->writer, self->busy, "writer"))
        return NULL;
    seebatch_writer *writer = self->writer;
    self->writer = NULL;
    PyThreadState *thread = PyEval_SaveThread();
    const seebatch_io_status status = seebatch_writer_finish(writer, &bytes, &n, &error);
    PyEval_RestoreThread(thread);
    if (status != SEEBATCH_IO_OK)
        return io_failed(&error);
    if (bytes == NULL)
        Py_RETURN_NONE;
    PyObject *result = PyBytes_FromStringAndSize((const char *)bytes, (Py_ssize_t)n);
    free(bytes);
    return result;
}

static PyObject *writer_abandon(PyObject *object, PyObject *unused)
{
    Writer *self = (Writer *)object;
    (void)unused;
    if (self->writer != NULL && !enter(self->writer, self->busy, "writer"))
        return NULL;
    seebatch_writer_abandon(self->writer);
    self->writer = NULL;
    Py_RETURN_NONE;
}

static bool next_of_writer(void *from, seebatch_error_report *report)
{
    return seebatch_writer_error_report((seebatch_writer *)from, report);
}

static PyObject *writer_error_reports(PyObject *object, PyObject *unused)
{
    Writer *self = (Writer *)object;
    (void)unused;
    return enter(self->writer, self->busy, "writer") ? error_report_list(next_of_writer, self->writer) : NULL;
}

static PyObject *writer_counts(PyObject *object, PyObject *unused)
{
    Writer *self = (Writer *)object;
    (void)unused;
    if (!enter(self->writer, self->busy, "writer"))
        return NULL;
    const seebatch_counts counts = seebatch_writer_counts(self->writer);
    return counts_of(&counts);
}

bool writer_ready(PyObject *module)
{
    static PyMethodDef methods[] = {{"write", writer_write, METH_VARARGS, NULL},
                                    {"write_table", writer_write_table, METH_VARARGS, NULL},
                                    {"finish", writer_finish, METH_NOARGS, NULL},
                                    {"abandon", writer_abandon, METH_NOARGS, NULL},
                                    {"error_reports", writer_error_reports, METH_NOARGS, NULL},
                                    {"counts", writer_counts, METH_NOARGS, NULL},
                                    {NULL, NULL, 0, NULL}};
    static PyType_Slot slots[] = {
        {Py_tp_new, (void *)writer_new}, {Py_tp_dealloc, (void *)writer_dealloc}, {Py_tp_methods, methods}, {0, NULL}};
    static PyType_Spec spec = {"seebatch._core.Writer", sizeof(Writer), 0, Py_TPFLAGS_DEFAULT, slots};
    return add_type(module, "Writer", &spec, &writer_type);
}
