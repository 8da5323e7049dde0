/* Files of seebatch_io: readers and writers, formats, and conditions on records. */
#include "files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A sentence that names options of the command line, with the arguments of open() and create() in their places. */
static PyObject *in_words_of_python(const char *text)
{
    static const char *const names[][2] = {{"--from", "format"}, {"--to", "format"}, {"--output", "path"},
                                           {"--lose", "lose"},   {"--part", "part"}, {"--column", "columns"}};
    enum { N_NAMES = sizeof names / sizeof *names, MORE = 64 };
    char words[sizeof((seebatch_io_error *)0)->text + MORE];
    size_t n = 0;
    while (*text != '\0' && n + MORE < sizeof words) {
        int k = 0;
        while (k < N_NAMES && strncmp(text, names[k][0], strlen(names[k][0])) != 0)
            k++;
        if (k == N_NAMES) {
            words[n++] = *text++;
            continue;
        }
        text += strlen(names[k][0]);
        n += (size_t)snprintf(words + n, MORE, "%s%s", names[k][1], *text == ':' ? "" : "=");
        const size_t value =
            strcmp(names[k][1], "lose") == 0 && *text == ' ' ? strspn(text + 1, "abcdefghijklmnopqrstuvwxyz,-") : 0;
        if (value > 0 && n + value + MORE < sizeof words) {
            n += (size_t)snprintf(words + n, value + 3, "'%.*s'", (int)value, text + 1);
            text += 1 + value;
        }
    }
    words[n] = '\0';
    return sentence(words);
}

PyObject *io_failed(const seebatch_io_error *error) { return open_failed(error, NULL); }

/* The arguments of an OSError, which becomes FileNotFoundError and the like by its number; it says the path itself. */
static PyObject *system_failure(const seebatch_io_error *error, const char *path)
{
    const size_t length = path != NULL ? strlen(path) : 0;
    const bool named =
        length > 0 && strncmp(error->text, path, length) == 0 && strncmp(error->text + length, ": ", 2) == 0;
    PyObject *text = in_words_of_python(error->text + (named ? length + 2 : 0));
    PyObject *name = named ? PyUnicode_DecodeFSDefault(path) : NULL;
    if (text == NULL || (named && name == NULL)) {
        Py_XDECREF(text);
        Py_XDECREF(name);
        return NULL;
    }
    return named ? Py_BuildValue("(iNN)", error->system_error, text, name)
                 : Py_BuildValue("(iN)", error->system_error, text);
}

PyObject *open_failed(const seebatch_io_error *error, const char *path)
{
    if (error->status == SEEBATCH_IO_NO_MEMORY)
        return PyErr_NoMemory();
    if (error->status == SEEBATCH_IO_FAILED) {
        PyObject *why =
            error->system_error ? system_failure(error, path) : Py_BuildValue("(N)", in_words_of_python(error->text));
        if (why != NULL)
            PyErr_SetObject(PyExc_OSError, why);
        Py_XDECREF(why);
    } else if (!PyErr_Occurred()) {
        PyObject *text = in_words_of_python(error->text);
        if (text != NULL)
            PyErr_SetObject(core_error, text);
        Py_XDECREF(text);
    }
    return NULL;
}

PyObject *counts_of(const seebatch_counts *c)
{
    return Py_BuildValue("{sKsKsKsKsKsKsKsKsKsNsN}", "read", (unsigned long long)c->read, "written",
                         (unsigned long long)c->written, "bad", (unsigned long long)c->bad, "lost_bytes",
                         (unsigned long long)c->lost_bytes, "lost_records", (unsigned long long)c->lost_records,
                         "lost_about", (unsigned long long)c->lost_about, "scores", (unsigned long long)c->scores,
                         "not_scores", (unsigned long long)c->not_scores, "consumed", (unsigned long long)c->consumed,
                         "damaged", PyBool_FromLong(c->damaged), "incomplete", PyBool_FromLong(c->incomplete));
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

typedef struct Reader {
    PyObject ob_base;
    seebatch_reader *reader;         /* NULL: closed */
    PyObject *bytes;                 /* the file, where it is in memory */
    seebatch_conditions *conditions; /* that its records meet; NULL: none */
    const char *format;              /* its name */
    unsigned fields;                 /* SEEBATCH_HAS_... that its records can have */
    bool busy;                       /* a thread is in it */
    seebatch_io_status ended;
    seebatch_io_error error; /* if that is no END */
} Reader;

static PyTypeObject *reader_type;

/* Whether a call may begin: it is open, and no other thread is in it. */
bool enter(const void *object, bool busy, const char *what)
{
    if (object != NULL && !busy)
        return true;
    PyErr_Format(PyExc_RuntimeError, busy ? "another thread is in this %s" : "this %s is closed", what);
    return false;
}

bool is_path(const char *path, Py_ssize_t length)
{
    if (path == NULL || strlen(path) == (size_t)length)
        return true;
    PyErr_SetString(PyExc_ValueError, "the path has a null character in it");
    return false;
}

/* Reader(path, bytes or None, format or None, part, of, strict, keep, drop, rules, values, seed) */
static PyObject *reader_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    seebatch_reader_options options = {0};
    Py_ssize_t length;
    unsigned long long part, of;
    PyObject *bytes, *keep, *drop, *rules_name, *values;
    unsigned long long seed;
    int strict;
    seebatch_rules rules;
    seebatch_io_error error;
    (void)type, (void)keywords;
    if (!PyArg_ParseTuple(args, "z#OzKKpO!O!OOK", &options.path, &length, &bytes, &options.format, &part, &of, &strict,
                          &PyTuple_Type, &keep, &PyTuple_Type, &drop, &rules_name, &values, &seed) ||
        !is_path(options.path, length) || !rules_of(rules_name, values, &rules))
        return NULL;
    Reader *self = PyObject_New(Reader, reader_type);
    if (self == NULL)
        return NULL;
    self->reader = NULL;
    self->bytes = NULL;
    self->conditions = NULL;
    self->busy = false;
    self->ended = SEEBATCH_IO_OK;
    options.part = part, options.of = of, options.strict = strict;
    if (PyTuple_Size(keep) + PyTuple_Size(drop) > 0) {
        options.conditions = self->conditions = conditions_of(&rules, keep, drop, 3);
        if (self->conditions == NULL) {
            Py_DECREF(self);
            return NULL;
        }
        seebatch_conditions_seed(self->conditions, seed);
    }
    if (bytes != Py_None) {
        char *data = NULL;
        Py_ssize_t n = 0;
        if (PyBytes_AsStringAndSize(bytes, &data, &n) != 0) {
            Py_DECREF(self);
            return NULL;
        }
        self->bytes = bytes;
        Py_INCREF(bytes);
        options.bytes = data, options.n_bytes = (size_t)n;
    }
    PyThreadState *thread = PyEval_SaveThread();
    self->reader = seebatch_reader_open(&options, &error);
    PyEval_RestoreThread(thread);
    if (self->reader == NULL) {
        Py_DECREF(self);
        return open_failed(&error, options.path);
    }
    seebatch_file_format format;
    const bool known = options.format ? seebatch_format_named(options.format, &format)
                                      : seebatch_format_of_file(options.path, &format);
    self->format = known ? format.name : "?";
    self->fields = seebatch_reader_fields(self->reader);
    return (PyObject *)self;
}

static void reader_dealloc(PyObject *object)
{
    Reader *self = (Reader *)object;
    PyTypeObject *type = Py_TYPE(object);
    seebatch_reader_close(self->reader);
    seebatch_conditions_free(self->conditions);
    Py_XDECREF(self->bytes);
    PyObject_Free(object);
    Py_DECREF(type);
}

/* The columns of a batch: what a file can have, in the order of the tuple that next() gives. */
enum { POSITIONS, MOVES, SCORES, RESULTS, PLIES, HAS, COLUMNS };

static bool make_columns(Block *columns[COLUMNS], unsigned fields, size_t capacity)
{
    static const struct kind *const kinds[COLUMNS] = {&kind_positions, &kind_moves,   &kind_numbers,
                                                      &kind_bytes,     &kind_numbers, &kind_bytes};
    static const unsigned needs[COLUMNS] = {
        0, SEEBATCH_HAS_MOVE, SEEBATCH_HAS_SCORE, SEEBATCH_HAS_RESULT, SEEBATCH_HAS_PLY, 0};
    for (int i = 0; i < COLUMNS; i++) {
        if ((needs[i] & fields) != needs[i])
            continue;
        columns[i] = block_new(kinds[i], capacity);
        if (columns[i] == NULL)
            return false;
    }
    return true;
}

/* The end of a column from record n on, or NULL. */
static void *column_from(Block *const *columns, int i, size_t n)
{
    return columns[i] ? (char *)columns[i]->data + n * columns[i]->kind->size : NULL;
}

/* Fills the columns; returns how many records there are. The end, or what went wrong, is kept in the reader. */
static size_t fill(Reader *self, Block *const columns[COLUMNS], size_t capacity, struct call *call)
{
    enum { AT_ONCE = 4096 };
    size_t n = 0;
    while (n < capacity && self->ended == SEEBATCH_IO_OK && call_report(call, n, capacity + 1)) {
        seebatch_records records = {.capacity = capacity - n < AT_ONCE ? capacity - n : AT_ONCE,
                                    .positions = (seebatch_position *)column_from(columns, POSITIONS, n),
                                    .moves = (seebatch_move *)column_from(columns, MOVES, n),
                                    .scores = (int32_t *)column_from(columns, SCORES, n),
                                    .results = (uint8_t *)column_from(columns, RESULTS, n),
                                    .plies = (int32_t *)column_from(columns, PLIES, n),
                                    .has = (uint8_t *)column_from(columns, HAS, n)};
        self->ended = seebatch_reader_next(self->reader, &records, &self->error);
        for (size_t i = 0; i < records.n; i++)
            clear_padding(&records.positions[i]);
        n += records.n;
    }
    return n;
}

/* Results as arrays have them: 1 White won, 0.5 draw, 0 Black won, not a number where a record has none. */
static bool results_as_floats(Block *columns[COLUMNS], size_t n)
{
    if (columns[RESULTS] == NULL)
        return true;
    Block *floats = block_new(&kind_results, n);
    const uint8_t *codes = (const uint8_t *)columns[RESULTS]->data, *has = (const uint8_t *)columns[HAS]->data;
    for (size_t i = 0; i < n && floats != NULL; i++)
        ((float *)floats->data)[i] = has[i] & SEEBATCH_HAS_RESULT ? 0.5F * codes[i] : NAN;
    Py_DECREF((PyObject *)columns[RESULTS]);
    columns[RESULTS] = floats;
    return floats != NULL;
}

static PyObject *batch_of(Block *columns[COLUMNS], size_t n)
{
    PyObject *result = results_as_floats(columns, n) ? PyTuple_New(COLUMNS) : NULL;
    bool all_moves = columns[MOVES] != NULL;
    for (size_t i = 0; i < n && all_moves; i++)
        all_moves = ((const uint8_t *)columns[HAS]->data)[i] & SEEBATCH_HAS_MOVE;
    columns[POSITIONS]->sound = true;
    if (all_moves)
        columns[MOVES]->rows_of = columns[POSITIONS]->id;
    for (int i = 0; i < COLUMNS && result != NULL; i++) {
        PyObject *column = columns[i] ? (PyObject *)columns[i] : Py_None;
        if (columns[i])
            block_finish(columns[i], n);
        Py_INCREF(column);
        PyTuple_SetItem(result, i, column);
    }
    return result;
}

/* Records were read, and cannot be given: a reading that went on would leave them out in silence. */
static void lose(Reader *self, size_t n)
{
    self->ended = SEEBATCH_IO_FAILED;
    self->error = (seebatch_io_error){.status = SEEBATCH_IO_FAILED};
    snprintf(self->error.text, sizeof self->error.text,
             "%zu records were read by a call that did not finish, and they are lost; open the file again", n);
}

/* next(capacity) -> (positions, moves, scores, results, plies, has), None for what the file cannot have; or None */
static PyObject *reader_next(PyObject *object, PyObject *args)
{
    Reader *self = (Reader *)object;
    Py_ssize_t capacity;
    struct call call;
    Block *columns[COLUMNS] = {NULL};
    PyObject *result = NULL;
    if (!PyArg_ParseTuple(args, "n", &capacity) || !enter(self->reader, self->busy, "reader") ||
        !call_init(&call, 1, NULL))
        return NULL;
    if (capacity < 1) {
        PyErr_Format(core_error, "batch is %zd, expected 1 or more", capacity);
        return NULL;
    }
    if (make_columns(columns, seebatch_reader_fields(self->reader), (size_t)capacity)) {
        self->busy = true;
        call_begin(&call);
        const size_t n = fill(self, columns, (size_t)capacity, &call);
        /* A signal that came since the last look would take the batch between here and the caller. */
        const bool went_on = call_end(&call) && PyErr_CheckSignals() == 0;
        self->busy = false;
        if (went_on && n == 0 && self->ended == SEEBATCH_IO_END) {
            result = Py_None;
            Py_INCREF(result);
        } else if (went_on && n == 0) {
            io_failed(&self->error);
        } else if (went_on) {
            result = batch_of(columns, n);
        }
        if (result == NULL && n > 0)
            lose(self, n);
    }
    for (int i = 0; i < COLUMNS; i++)
        Py_XDECREF((PyObject *)columns[i]);
    return result;
}

PyObject *error_report_list(bool next(void *, seebatch_error_report *), void *from)
{
    PyObject *list = PyList_New(0);
    seebatch_error_report report;
    while (list != NULL && next(from, &report)) {
        PyObject *text = in_words_of_python(report.text);
        if (text == NULL || PyList_Append(list, text) != 0)
            Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

static bool next_of_reader(void *from, seebatch_error_report *report)
{
    return seebatch_reader_error_report((seebatch_reader *)from, report);
}

/* error_reports() -> those that are new; counts() -> dict; close() */
static PyObject *reader_error_reports(PyObject *object, PyObject *unused)
{
    Reader *self = (Reader *)object;
    (void)unused;
    return enter(self->reader, self->busy, "reader") ? error_report_list(next_of_reader, self->reader) : NULL;
}

static PyObject *reader_counts(PyObject *object, PyObject *unused)
{
    Reader *self = (Reader *)object;
    (void)unused;
    if (!enter(self->reader, self->busy, "reader"))
        return NULL;
    const seebatch_counts counts = seebatch_reader_counts(self->reader);
    return counts_of(&counts);
}

/* format() -> name; fields() -> SEEBATCH_HAS_... that its records can have */
static PyObject *reader_format(PyObject *object, PyObject *unused)
{
    Reader *self = (Reader *)object;
    (void)unused;
    return PyUnicode_FromString(self->format);
}

static PyObject *reader_fields(PyObject *object, PyObject *unused)
{
    Reader *self = (Reader *)object;
    (void)unused;
    return PyLong_FromUnsignedLong(self->fields);
}

static PyObject *reader_close(PyObject *object, PyObject *unused)
{
    Reader *self = (Reader *)object;
    (void)unused;
    if (self->reader != NULL && !enter(self->reader, self->busy, "reader"))
        return NULL;
    seebatch_reader_close(self->reader);
    self->reader = NULL;
    Py_RETURN_NONE;
}

/* stream(records of an array, whether boards and moves are text, at_end) -> a capsule with the rest of the file as an
 * Arrow stream; this reader is closed */
static PyObject *reader_stream(PyObject *object, PyObject *args)
{
    Reader *self = (Reader *)object;
    Py_ssize_t batch;
    int text;
    PyObject *at_end;
    if (!PyArg_ParseTuple(args, "npO", &batch, &text, &at_end) || !enter(self->reader, self->busy, "reader"))
        return NULL;
    if (batch < 1) {
        PyErr_Format(core_error, "batch is %zd, expected 1 or more", batch);
        return NULL;
    }
    seebatch_reader *reader = self->reader;
    self->reader = NULL;
    return stream_of(reader, (size_t)batch, text, object, at_end);
}

/* ---- Formats ----------------------------------------------------------------------------------------------------- */

/* formats() -> [(name, what, extensions, holds, needs, writable)] */
static PyObject *formats(PyObject *module, PyObject *unused)
{
    PyObject *list = PyList_New(0);
    seebatch_file_format format;
    (void)module, (void)unused;
    for (size_t i = 0; list != NULL && seebatch_format_at(i, &format); i++) {
        PyObject *row =
            Py_BuildValue("(ss(zzz)IIN)", format.name, format.what, format.extensions[0], format.extensions[1],
                          format.extensions[2], format.holds, format.needs, PyBool_FromLong(format.writable));
        if (row == NULL || PyList_Append(list, row) != 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

PyMethodDef file_methods[] = {{"formats", formats, METH_NOARGS, NULL},
                              {"conditions", conditions, METH_VARARGS, NULL},
                              {"schema_of", schema_of, METH_O, NULL},
                              {"stats", stats, METH_VARARGS, NULL},
                              {"stats_of_reports", stats_of_reports, METH_VARARGS, NULL},
                              {NULL, NULL, 0, NULL}};

bool files_ready(PyObject *module)
{
    static PyMethodDef methods[] = {{"next", reader_next, METH_VARARGS, NULL},
                                    {"stream", reader_stream, METH_VARARGS, NULL},
                                    {"error_reports", reader_error_reports, METH_NOARGS, NULL},
                                    {"counts", reader_counts, METH_NOARGS, NULL},
                                    {"format", reader_format, METH_NOARGS, NULL},
                                    {"fields", reader_fields, METH_NOARGS, NULL},
                                    {"close", reader_close, METH_NOARGS, NULL},
                                    {NULL, NULL, 0, NULL}};
    static PyType_Slot slots[] = {
        {Py_tp_new, (void *)reader_new}, {Py_tp_dealloc, (void *)reader_dealloc}, {Py_tp_methods, methods}, {0, NULL}};
    static PyType_Spec spec = {"seebatch._core.Reader", sizeof(Reader), 0, Py_TPFLAGS_DEFAULT, slots};
    return add_type(module, "Reader", &spec, &reader_type) && writer_ready(module);
}
