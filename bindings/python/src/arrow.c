/*
 * Arrow's C interfaces as Python has them: capsules. A reader as a stream.
 *
 * Consumers call a stream from any thread, usually without the GIL, which is taken where Python's objects are touched.
 */
#include "columns.h"
#include "files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Capsules ---------------------------------------------------------------------------------------------------- */

#define CAPSULE(type, title)                                                                                           \
    static void free_##type(PyObject *capsule)                                                                         \
    {                                                                                                                  \
        struct type *held = (struct type *)PyCapsule_GetPointer(capsule, title);                                       \
        if (held != NULL && held->release != NULL)                                                                     \
            held->release(held);                                                                                       \
        free(held);                                                                                                    \
    }                                                                                                                  \
    /* A capsule with a struct that is not filled yet; NULL with an exception. */                                      \
    PyObject *new_##type(struct type **held)                                                                           \
    {                                                                                                                  \
        *held = (struct type *)calloc(1, sizeof **held);                                                               \
        PyObject *capsule = *held ? PyCapsule_New(*held, title, free_##type) : PyErr_NoMemory();                       \
        if (capsule == NULL)                                                                                           \
            free(*held);                                                                                               \
        return capsule;                                                                                                \
    }
CAPSULE(ArrowSchema, "arrow_schema")
CAPSULE(ArrowArray, "arrow_array")
CAPSULE(ArrowArrayStream, "arrow_array_stream")

/* ---- A reader as a stream ---------------------------------------------------------------------------------------- */

struct lent {
    struct ArrowArrayStream inner;
    seebatch_reader *reader; /* which the inner stream owns */
    PyObject *owner;         /* what the reader stands on */
    PyObject *at_end;        /* called with error reports, counts and whether it failed, at the end */
    char error[1024];        /* of that call; empty: none */
};

static bool next_error_report(void *from, seebatch_error_report *report)
{
    return seebatch_reader_error_report((seebatch_reader *)from, report);
}

/* Keeps the text of the exception that is set. */
static void keep_exception(struct lent *lent)
{
    PyObject *type, *value, *traceback, *text;
    PyErr_Fetch(&type, &value, &traceback);
    text = value ? PyObject_Str(value) : NULL;
    const char *words = text ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    snprintf(lent->error, sizeof lent->error, "%s", words ? words : "an exception at the end of the file");
    PyErr_Clear();
    Py_XDECREF(text);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
}

/* The end, or an error: who opened the file learns what was wrong in it. False if that raised an exception. */
static bool say_end(struct lent *lent, bool failed)
{
    if (lent->at_end == NULL)
        return true;
    const PyGILState_STATE state = PyGILState_Ensure();
    const seebatch_counts counts = seebatch_reader_counts(lent->reader);
    PyObject *at_end = lent->at_end, *result = NULL;
    PyObject *error_reports = error_report_list(next_error_report, lent->reader), *numbers = counts_of(&counts);
    lent->at_end = NULL;
    if (error_reports != NULL && numbers != NULL)
        result = PyObject_CallFunctionObjArgs(at_end, error_reports, numbers, failed ? Py_True : Py_False, NULL);
    const bool good = result != NULL;
    if (!good)
        keep_exception(lent);
    Py_XDECREF(result);
    Py_XDECREF(error_reports);
    Py_XDECREF(numbers);
    Py_DECREF(at_end);
    PyGILState_Release(state);
    return good;
}

static int lent_schema(struct ArrowArrayStream *self, struct ArrowSchema *out)
{
    struct lent *lent = (struct lent *)self->private_data;
    return lent->inner.get_schema(&lent->inner, out);
}

static int lent_next(struct ArrowArrayStream *self, struct ArrowArray *out)
{
    struct lent *lent = (struct lent *)self->private_data;
    const int status = lent->inner.get_next(&lent->inner, out);
    if ((status != 0 || out->release == NULL) && !say_end(lent, status != 0) && status == 0)
        return EINVAL;
    return status;
}

static const char *lent_error(struct ArrowArrayStream *self)
{
    struct lent *lent = (struct lent *)self->private_data;
    const char *error = lent->inner.get_last_error(&lent->inner);
    return error ? error : lent->error[0] ? lent->error : NULL;
}

static void lent_release(struct ArrowArrayStream *self)
{
    struct lent *lent = (struct lent *)self->private_data;
    lent->inner.release(&lent->inner);
    self->release = NULL;
    if (Py_IsInitialized()) {
        const PyGILState_STATE state = PyGILState_Ensure();
        Py_XDECREF(lent->owner);
        Py_XDECREF(lent->at_end);
        PyGILState_Release(state);
    }
    free(lent);
}

PyObject *stream_of(seebatch_reader *reader, size_t batch, bool text, PyObject *owner, PyObject *at_end)
{
    struct ArrowArrayStream *stream;
    PyObject *capsule = new_ArrowArrayStream(&stream);
    struct lent *lent = (struct lent *)calloc(1, sizeof *lent);
    const seebatch_arrow_options options = {.batch = batch, .boards = !text, .move_numbers = !text};
    seebatch_io_error error;
    if (capsule == NULL || lent == NULL ||
        seebatch_reader_to_arrow(reader, &options, &lent->inner, &error) != SEEBATCH_IO_OK) {
        seebatch_reader_close(reader);
        free(lent);
        Py_XDECREF(capsule);
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    lent->reader = reader;
    lent->owner = owner;
    lent->at_end = at_end;
    Py_INCREF(owner);
    Py_INCREF(at_end);
    stream->get_schema = lent_schema;
    stream->get_next = lent_next;
    stream->get_last_error = lent_error;
    stream->release = lent_release;
    stream->private_data = lent;
    return capsule;
}

/* schema_of(capsule of a stream) -> capsule of its schema */
PyObject *schema_of(PyObject *module, PyObject *capsule)
{
    struct ArrowSchema *schema;
    (void)module;
    struct ArrowArrayStream *stream = (struct ArrowArrayStream *)PyCapsule_GetPointer(capsule, "arrow_array_stream");
    PyObject *result = stream ? new_ArrowSchema(&schema) : NULL;
    if (result != NULL && stream->get_schema(stream, schema) != 0) {
        schema->release = NULL;
        Py_CLEAR(result);
        PyErr_NoMemory();
    }
    return result;
}
