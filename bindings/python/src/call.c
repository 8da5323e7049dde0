/* Calls of the library: without the GIL, with reports of progress, ended by signals; and its rules and errors. */
#include "core.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

PyObject *core_error;

PyObject *sentence(const char *text) { return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace"); }

void set_exception(PyObject *type, const char *text)
{
    PyObject *object = sentence(text);
    if (object != NULL)
        PyErr_SetObject(type, object);
    Py_XDECREF(object);
}

void set_error(const char *text) { set_exception(core_error, text); }

static const double REPORT_EVERY = 0.05; /* seconds */

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool on_progress(void *user, size_t done, size_t total) { return call_report((struct call *)user, done, total); }

bool call_report(struct call *call, size_t done, size_t total)
{
    const double now = seconds_now();
    if (now < call->next && (done < total || call->progress == NULL))
        return true;
    call->next = now + REPORT_EVERY;
    PyEval_RestoreThread(call->thread);
    bool go = !PyErr_Occurred() && PyErr_CheckSignals() == 0;
    if (go && call->progress != NULL) {
        PyObject *answer = PyObject_CallFunction(call->progress, "nn", (Py_ssize_t)done, (Py_ssize_t)total);
        go = answer != NULL;
        Py_XDECREF(answer);
    }
    call->thread = PyEval_SaveThread();
    return go;
}

bool call_init(struct call *call, Py_ssize_t threads, PyObject *progress)
{
    memset(call, 0, sizeof *call);
    if (threads < 0 || threads > SEEBATCH_MAX_THREADS) {
        PyErr_Format(core_error, "threads is %zd, expected 0 (all processors) to %d", threads, SEEBATCH_MAX_THREADS);
        return false;
    }
    if (progress != NULL && progress != Py_None) {
        if (!PyCallable_Check(progress)) {
            PyErr_SetString(PyExc_TypeError, "progress is not callable, expected a function of (done, total)");
            return false;
        }
        call->progress = progress;
    }
    call->job.threads = (unsigned)threads;
    call->job.progress = on_progress;
    call->job.user = call;
    return true;
}

void call_begin(struct call *call)
{
    call->next = seconds_now() + REPORT_EVERY;
    call->thread = PyEval_SaveThread();
}

bool call_end(struct call *call)
{
    PyEval_RestoreThread(call->thread);
    return !PyErr_Occurred();
}

void set_type_error(const char *what, PyObject *given, const char *expected)
{
    PyErr_Clear(); /* what Python says of it */
    PyObject *type = PyObject_GetAttrString((PyObject *)Py_TYPE(given), "__name__");
    if (type == NULL)
        return;
    if (given == Py_None)
        PyErr_Format(PyExc_TypeError, "%s is None, expected %s", what, expected);
    else if (PyLong_Check(given) || PyFloat_Check(given))
        PyErr_Format(PyExc_TypeError, "%s is %R, of the type %U, expected %s", what, given, type, expected);
    else
        PyErr_Format(PyExc_TypeError, "%s is of the type %U, expected %s", what, type, expected);
    Py_DECREF(type);
}

static bool values_of(PyObject *values, seebatch_rules *rules)
{
    /* A set and a dict have no order in which these would be the five. */
    const bool is_text = PyUnicode_Check(values) || PyBytes_Check(values);
    PyObject *tuple = PySequence_Check(values) && !is_text ? PySequence_Tuple(values) : NULL;
    if (tuple == NULL) {
        if (!PyErr_Occurred())
            set_type_error("piece_values", values, "5 numbers: of pawn, knight, bishop, rook and queen");
        return false;
    }
    const Py_ssize_t n = PyTuple_Size(tuple);
    bool good = n == 5;
    if (!good)
        PyErr_Format(core_error, "piece_values has %zd number%s, expected 5: of pawn, knight, bishop, rook and queen",
                     n, n == 1 ? "" : "s");
    for (Py_ssize_t i = 0; i < 5 && good; i++) {
        PyObject *index = PyNumber_Index(PyTuple_GetItem(tuple, i));
        if (index == NULL && PyErr_ExceptionMatches(PyExc_TypeError))
            PyErr_Format(PyExc_TypeError, "piece_values[%zd] is %R, expected an integer", i, PyTuple_GetItem(tuple, i));
        const long value = index ? PyLong_AsLong(index) : -1;
        Py_XDECREF(index);
        good = !(value == -1 && PyErr_Occurred());
        if (good && (value < 0 || value > SEEBATCH_MAX_PIECE_VALUE)) {
            PyErr_Format(core_error, "piece_values[%zd] is %ld, expected 0 to %d", i, value, SEEBATCH_MAX_PIECE_VALUE);
            good = false;
        }
        rules->value[i] = (int16_t)value;
    }
    Py_DECREF(tuple);
    return good;
}

const char *utf8_of(PyObject *object, const char *what, Py_ssize_t *length)
{
    const char *text = PyUnicode_AsUTF8AndSize(object, length);
    if (text == NULL && PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
        PyErr_Clear();
        PyErr_Format(core_error, "the %s %A has half of a surrogate pair in it, which is not a character", what,
                     object);
    }
    return text;
}

bool rules_of(PyObject *name, PyObject *values, seebatch_rules *rules)
{
    if (name == NULL) {
        *rules = seebatch_rules_default();
    } else {
        const char *text = PyUnicode_Check(name) ? utf8_of(name, "name of rules", NULL) : NULL;
        seebatch_error error;
        if (text == NULL) {
            if (!PyErr_Occurred())
                set_type_error("rules", name, "the name of a rule set, as 'swap'");
            return false;
        }
        if (seebatch_rules_named(text, rules, &error) != SEEBATCH_OK) {
            set_error(error.text);
            return false;
        }
    }
    return values == NULL || values == Py_None || values_of(values, rules);
}

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

void strip_text(seebatch_text *text)
{
    while (text->length && is_blank(text->at[text->length - 1]))
        text->length--;
    while (text->length && is_blank(text->at[0])) {
        text->at++;
        text->length--;
    }
}

static void set_no_text(const char *what, size_t i, PyObject *item)
{
    char name[64];
    PyOS_snprintf(name, sizeof name, "%s %zu", what, i);
    set_type_error(name, item, "str or bytes");
}

bool texts_of(PyObject *tuple, size_t begin, size_t n, const char *what, seebatch_text *texts)
{
    enum { AHEAD = 12 };
    for (size_t i = 0; i < n; i++) {
        PyObject *item = PyTuple_GetItem(tuple, (Py_ssize_t)(begin + i));
        Py_ssize_t length = 0;
        char *at = NULL;
        if (i + AHEAD < n) {
            const char *next = (const char *)PyTuple_GetItem(tuple, (Py_ssize_t)(begin + i + AHEAD));
            __builtin_prefetch(next);
            __builtin_prefetch(next + 64);
        }
        if (PyUnicode_Check(item))
            at = (char *)(uintptr_t)PyUnicode_AsUTF8AndSize(item, &length); /* callers know its error */
        else if (PyBytes_Check(item))
            PyBytes_AsStringAndSize(item, &at, &length);
        else
            set_no_text(what, begin + i, item);
        if (at == NULL)
            return false;
        texts[i].at = at;
        texts[i].length = (size_t)length;
    }
    return true;
}
