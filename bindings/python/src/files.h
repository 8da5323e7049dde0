/* What files.c and records.c share. */
#ifndef SEEBATCH_PYTHON_FILES_H
#define SEEBATCH_PYTHON_FILES_H

#include "core.h"

/* Raises the exception that says what went wrong; NULL, for callers to return. path: the file that could not be opened,
 * or NULL; FileNotFoundError and the like name it. */
PyObject *io_failed(const seebatch_io_error *error);
PyObject *open_failed(const seebatch_io_error *error, const char *path);

/* Whether a call may begin: the object is open, and no other thread is in it. */
bool enter(const void *object, bool busy, const char *what);

/* The bytes of a path, or NULL for none. False with an exception if one of them is zero. */
bool is_path(const char *path, Py_ssize_t length);

PyObject *counts_of(const seebatch_counts *counts);

/* The sentences of all error reports that next() gives. */
PyObject *error_report_list(bool next(void *, seebatch_error_report *), void *from);

/* New conditions, of texts to keep and to drop. NULL with an exception if one is wrong. Where there is reason to doubt
 * that they say what was meant, there is a warning for a caller so many frames up. */
seebatch_conditions *conditions_of(const seebatch_rules *rules, PyObject *keep, PyObject *drop, int frames);

/* conditions(positions, moves, scores, results, plies, has, keep, drop, rules, values, file, progress) -> Block */
PyObject *conditions(PyObject *module, PyObject *args);

/* stats(paths, format, ((rules, values), ...), unique, part, of, strict, threads, bytes, progress) -> (JSON, a part of a
 * page, a text, error reports). stats_of_reports(((name, JSON), ...)) adds reports. */
PyObject *stats(PyObject *module, PyObject *args);
PyObject *stats_of_reports(PyObject *module, PyObject *args);

bool writer_ready(PyObject *module);

/* A capsule with an Arrow stream of a reader's records, which owns the reader, or closes it if that fails. owner: what
 * the reader stands on; at_end(error_reports, counts, whether it failed) is called at the end. */
PyObject *stream_of(seebatch_reader *reader, size_t batch, bool text, PyObject *owner, PyObject *at_end);
PyObject *schema_of(PyObject *module, PyObject *capsule);

#endif
