/* What is in files: seebatch_stats of seebatch_io. */
#include "files.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_RULES = 8, MOST_REPORTS = 50, FORMS = 3 };

/* A run over files. Its functions are called by the thread that made the call, without the GIL. */
struct run {
    struct call call;
    seebatch_stats *stats;
    PyObject *reports;        /* error reports: sentences */
    uint64_t consumed, total; /* bytes; total is 0 if it is not known */
    bool unique;
};

static seebatch_io_status count(void *user, unsigned worker, seebatch_batch_of_file *batch,
                                const seebatch_records *records)
{
    const struct run *run = (struct run *)user;
    const seebatch_io_status status = seebatch_stats_count(run->stats, worker, batch, records);
    return status == SEEBATCH_IO_OK && run->unique ? seebatch_batch_write_range(batch, 0, records->n) : status;
}

static void begin_again(void *user) { seebatch_stats_reset(((struct run *)user)->stats); }

static void note_progress(void *user, const seebatch_counts *counts)
{
    struct run *run = (struct run *)user;
    run->consumed = counts->consumed;
}

static bool should_stop(void *user)
{
    struct run *run = (struct run *)user;
    const uint64_t total = run->total > 0 ? run->total : 1, done = run->consumed < total ? run->consumed : total - 1;
    return !call_report(&run->call, (size_t)done, (size_t)total);
}

static void keep_report(void *user, const seebatch_error_report *report)
{
    struct run *run = (struct run *)user;
    PyEval_RestoreThread(run->call.thread);
    PyObject *text = PyList_Size(run->reports) < MOST_REPORTS && !PyErr_Occurred() ? sentence(report->text) : NULL;
    if (text != NULL)
        PyList_Append(run->reports, text);
    Py_XDECREF(text);
    run->call.thread = PyEval_SaveThread();
}

/* The rule sets of a tuple of (name, values); false with an exception. */
static bool take_rules(PyObject *tuple, seebatch_stats_rules *rules, size_t *n)
{
    *n = (size_t)PyTuple_Size(tuple);
    if (*n > MOST_RULES) {
        PyErr_Format(core_error, "played has %zu rule sets, expected at most %d", *n - 1, MOST_RULES - 1);
        return false;
    }
    for (size_t i = 0; i < *n; i++) {
        PyObject *name, *values;
        if (!PyArg_ParseTuple(PyTuple_GetItem(tuple, (Py_ssize_t)i), "OO", &name, &values) ||
            !rules_of(name, values, &rules[i].rules))
            return false;
        rules[i].name = utf8_of(name, "rule set", NULL);
        if (rules[i].name == NULL)
            return false;
    }
    return true;
}

/* (JSON, a part of a page, a text): the forms of a report. NULL with an exception. */
static PyObject *forms_of(const seebatch_stats *stats, PyObject *reports)
{
    static const char *const names[FORMS] = {"json", "fragment", "report"};
    PyObject *forms[FORMS] = {NULL};
    bool well = true;
    for (int i = 0; i < FORMS && well; i++) {
        seebatch_io_error error;
        char *text;
        size_t length;
        if (seebatch_stats_write(&stats, 1, names[i], &text, &length, &error) != SEEBATCH_IO_OK) {
            io_failed(&error);
            well = false;
            continue;
        }
        forms[i] = PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, "replace");
        free(text);
        well = forms[i] != NULL;
    }
    PyObject *result = well ? PyTuple_Pack(4, forms[0], forms[1], forms[2], reports) : NULL;
    for (int i = 0; i < FORMS; i++)
        Py_XDECREF(forms[i]);
    return result;
}

/* Runs, and finishes the statistics; false with an exception. */
static bool run_over(struct run *run, seebatch_pipeline_options *options)
{
    seebatch_io_error error;
    seebatch_counts counts;
    seebatch_pipeline *pipeline = seebatch_pipeline_new(options, &error);
    if (pipeline == NULL) {
        open_failed(&error, options->n_paths == 1 ? options->paths[0] : NULL);
        return false;
    }
    call_begin(&run->call);
    const seebatch_io_status status = seebatch_pipeline_run(pipeline, &counts, &error);
    if (status == SEEBATCH_IO_OK)
        call_report(&run->call, (size_t)run->total, (size_t)run->total);
    const bool went_on = call_end(&run->call);
    seebatch_pipeline_free(pipeline);
    if (!went_on)
        return false;
    /* Where a file could not be read to its end, that is among the error reports, and the others have been counted. */
    if ((status != SEEBATCH_IO_OK && (status != SEEBATCH_IO_FAILED || counts.incomplete)) ||
        seebatch_stats_finish(run->stats, options, &counts, &error) != SEEBATCH_IO_OK) {
        open_failed(&error, options->n_paths == 1 ? options->paths[0] : NULL);
        return false;
    }
    return true;
}

PyObject *stats(PyObject *module, PyObject *args)
{
    PyObject *paths, *rules, *progress, *result = NULL;
    const char *from;
    Py_ssize_t threads;
    unsigned long long part, of, total;
    int unique, strict;
    struct run run = {.stats = NULL};
    seebatch_stats_rules list[MOST_RULES];
    seebatch_stats_options counted = {.rules = list};
    (void)module;
    if (!PyArg_ParseTuple(args, "O!zO!pKKpnKO", &PyTuple_Type, &paths, &from, &PyTuple_Type, &rules, &unique, &part,
                          &of, &strict, &threads, &total, &progress) ||
        !call_init(&run.call, threads, progress) || !take_rules(rules, list, &counted.n_rules))
        return NULL;
    const size_t n = (size_t)PyTuple_Size(paths);
    const char **names = calloc(n + 1, sizeof *names);
    seebatch_io_error error;
    counted.threads = run.call.job.threads;
    run.unique = unique;
    run.total = total;
    run.reports = names != NULL ? PyList_New(0) : PyErr_NoMemory();
    bool well = run.reports != NULL;
    for (size_t i = 0; i < n && well; i++) {
        char *bytes;
        Py_ssize_t length;
        well = PyBytes_AsStringAndSize(PyTuple_GetItem(paths, (Py_ssize_t)i), &bytes, &length) == 0 &&
               is_path(bytes, length);
        names[i] = bytes;
    }
    if (well) {
        run.stats = seebatch_stats_new(&counted, &error);
        if (run.stats == NULL)
            io_failed(&error);
    }
    seebatch_pipeline_options options = {
        .paths = names, .n_paths = n, .from = from, .part = part, .of = of, .strict = strict, .unique = unique};
    options.wanted = SEEBATCH_HAS_MOVE | SEEBATCH_HAS_SCORE | SEEBATCH_HAS_RESULT | SEEBATCH_HAS_PLY;
    options.threads = counted.threads;
    options.work = count;
    options.again = begin_again;
    options.on_progress = note_progress;
    options.on_error_report = keep_report;
    options.stop = should_stop;
    options.user = &run;
    if (run.stats != NULL && run_over(&run, &options))
        result = forms_of(run.stats, run.reports);
    seebatch_stats_free(run.stats);
    Py_XDECREF(run.reports);
    free(names);
    return result;
}

PyObject *stats_of_reports(PyObject *module, PyObject *args)
{
    PyObject *list, *result = NULL;
    seebatch_stats *sum = NULL;
    seebatch_io_error error;
    bool well = true;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!", &PyTuple_Type, &list))
        return NULL;
    for (Py_ssize_t i = 0; i < PyTuple_Size(list) && well; i++) {
        const char *name, *bytes;
        Py_ssize_t length;
        if (!PyArg_ParseTuple(PyTuple_GetItem(list, i), "sy#", &name, &bytes, &length)) {
            well = false;
            continue;
        }
        seebatch_stats *one = seebatch_stats_from_json(name, bytes, (size_t)length, &error);
        if (one == NULL || (sum != NULL && seebatch_stats_add(sum, one, &error) != SEEBATCH_IO_OK)) {
            io_failed(&error);
            well = false;
        }
        if (sum == NULL)
            sum = one;
        else
            seebatch_stats_free(one);
    }
    PyObject *reports = well ? PyList_New(0) : NULL;
    if (reports != NULL && sum != NULL)
        result = forms_of(sum, reports);
    Py_XDECREF(reports);
    seebatch_stats_free(sum);
    return result;
}
