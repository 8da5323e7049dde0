/* FENs, read and written. */
#include "columns.h"
#include "core.h"

#include <string.h>

/* Between looks at signals, in one thread: bytes of a text, and texts. */
enum { CHUNK = 1 << 20, AT_ONCE = 2048 };

/* ---- FENs read --------------------------------------------------------------------------------------------------- */

/* Positions as they are read, and which are wrong. */
struct reading {
    Block *positions;
    uint8_t *statuses;
    size_t n, capacity;
    bool any_wrong, drop;
};

static void reading_free(struct reading *reading)
{
    memory_free(reading->statuses);
    Py_XDECREF((PyObject *)reading->positions);
}

static bool reading_reserve(struct reading *reading, size_t capacity)
{
    uint8_t *statuses = (uint8_t *)(reading->statuses ? memory_resize(reading->statuses, reading->n, capacity, 1)
                                                      : memory_new(capacity, 1));
    if (statuses == NULL)
        return false;
    reading->statuses = statuses;
    reading->capacity = capacity;
    if (reading->positions != NULL)
        return block_resize(reading->positions, reading->n, capacity);
    reading->positions = block_new(&kind_positions, capacity);
    return reading->positions != NULL;
}

static seebatch_position *positions_in(const struct reading *reading)
{
    return (seebatch_position *)reading->positions->data;
}

/* Appends (index, sentence). */
static bool add_sentence(PyObject *faults, size_t index, const char *text)
{
    PyObject *fault = Py_BuildValue("(nN)", (Py_ssize_t)index, sentence(text));
    const bool good = fault != NULL && PyList_Append(faults, fault) == 0;
    Py_XDECREF(fault);
    return good;
}

/* The same about a FEN that is wrong. */
static bool add_fault(PyObject *faults, size_t index, const char *text, size_t length)
{
    seebatch_position position;
    seebatch_error error = {""};
    seebatch_position_from_fen(text, length, &position, &error);
    return add_sentence(faults, index, error.text);
}

/* (positions, faults) */
static PyObject *reading_result(struct reading *reading, PyObject *faults)
{
    size_t kept = reading->n;
    if (reading->any_wrong && reading->drop) {
        seebatch_position *positions = positions_in(reading);
        kept = 0;
        for (size_t i = 0; i < reading->n; i++) {
            if (reading->statuses[i] == SEEBATCH_OK)
                positions[kept++] = positions[i];
        }
    }
    block_finish(reading->positions, kept);
    reading->positions->sound = !reading->any_wrong || reading->drop;
    if (!reading->positions->sound) {
        reading->positions->faults = faults;
        Py_INCREF(faults);
    }
    return Py_BuildValue("(OO)", reading->positions, faults);
}

/* Each line of a text that is wrong, once all have been read. */
static PyObject *faults_of_lines(const struct reading *reading, const char *text, size_t length)
{
    PyObject *faults = PyList_New(0);
    bool good = faults != NULL;
    size_t at = 0;
    for (size_t i = 0; i < reading->n && good && reading->any_wrong; i++) {
        const char *feed = (const char *)memchr(text + at, '\n', length - at);
        size_t n = feed ? (size_t)(feed - text) - at : length - at;
        const size_t next = at + n + (feed != NULL);
        if (n > 0 && text[at + n - 1] == '\r')
            n--;
        if (reading->statuses[i] != SEEBATCH_OK)
            good = add_fault(faults, i, text + at, n);
        at = next;
    }
    if (!good)
        Py_CLEAR(faults);
    return faults;
}

/* The next lines: of several threads all, of one a chunk, so that signals are seen. False: it was cancelled. */
static bool read_some(struct reading *reading, const char *text, size_t length, size_t *at, struct call *call)
{
    const bool alone = call->job.threads == 1;
    const size_t n = alone && length - *at > CHUNK ? (size_t)CHUNK : length - *at;
    seebatch_lines lines;
    seebatch_faults faults;
    const seebatch_status status = seebatch_batch_from_lines(
        text + *at, n, *at + n == length, positions_in(reading) + reading->n, reading->capacity - reading->n,
        reading->statuses + reading->n, &lines, &faults, alone ? NULL : &call->job);
    size_t consumed = lines.consumed;
    if (lines.n == 0 && consumed == 0 && *at + n < length && reading->n < reading->capacity) { /* a line beyond CHUNK */
        seebatch_batch_from_lines(text + *at, length - *at, true, positions_in(reading) + reading->n, 1,
                                  reading->statuses + reading->n, &lines, &faults, NULL);
        consumed = lines.consumed;
    }
    reading->n += lines.n;
    reading->any_wrong |= faults.count != 0;
    *at += consumed;
    return status != SEEBATCH_CANCELLED && (!alone || call_report(call, *at, length));
}

static bool read_all_lines(struct reading *reading, const char *text, size_t length, struct call *call)
{
    enum { SHORT_LINE = 32 };
    size_t at = 0;
    while (at < length) {
        if (!reading_reserve(reading, reading->n + (length - at) / SHORT_LINE + 16))
            return false;
        bool went_on = true;
        call_begin(call);
        while (at < length && reading->n < reading->capacity && went_on)
            went_on = read_some(reading, text, length, &at, call);
        if (!call_end(call) || !went_on)
            return false;
    }
    return reading->positions != NULL || reading_reserve(reading, 0);
}

/* from_lines(bytes, drop, threads, progress) -> (Block, [(index, sentence)]) */
static PyObject *from_lines(PyObject *module, PyObject *args)
{
    const char *text;
    Py_ssize_t length, threads;
    int drop;
    PyObject *progress, *faults = NULL, *result = NULL;
    struct call call;
    struct reading reading = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "s#pnO", &text, &length, &drop, &threads, &progress) ||
        !call_init(&call, threads, progress))
        return NULL;
    reading.drop = drop;
    if (read_all_lines(&reading, text, (size_t)length, &call) &&
        (faults = faults_of_lines(&reading, text, (size_t)length)) != NULL)
        result = reading_result(&reading, faults);
    Py_XDECREF(faults);
    reading_free(&reading);
    return result;
}

static PyObject *faults_of_texts(const struct reading *reading, const seebatch_text *texts)
{
    PyObject *faults = PyList_New(0);
    bool good = faults != NULL;
    for (size_t i = 0; i < reading->n && good && reading->any_wrong; i++) {
        if (reading->statuses[i] != SEEBATCH_OK)
            good = add_fault(faults, i, texts[i].at, texts[i].length);
    }
    if (!good)
        Py_CLEAR(faults);
    return faults;
}

/* Reads the texts of a tuple: of several threads all at once, of one so many that they stay in the cache. */
static bool read_all_texts(struct reading *reading, PyObject *tuple, seebatch_text *texts, struct call *call)
{
    const bool alone = call->job.threads == 1;
    const size_t n = (size_t)PyTuple_Size(tuple), at_once = alone && n > AT_ONCE ? (size_t)AT_ONCE : n;
    bool went_on = true;
    while (reading->n < n && went_on) {
        const size_t i = reading->n, some = n - i < at_once ? n - i : at_once;
        seebatch_faults found;
        if (!texts_of(tuple, i, some, "FEN", texts + i))
            return false;
        for (size_t k = i; k < i + some; k++)
            strip_text(&texts[k]);
        call_begin(call);
        const seebatch_status status = seebatch_batch_from_fens(
            texts + i, some, positions_in(reading) + i, reading->statuses + i, &found, alone ? NULL : &call->job);
        went_on = status != SEEBATCH_CANCELLED && (!alone || call_report(call, i + some, n));
        went_on = call_end(call) && went_on;
        reading->any_wrong |= found.count != 0;
        reading->n += some;
    }
    return went_on;
}

/* from_texts(sequence, drop, threads, progress) -> (Block, [(index, sentence)]) */
static PyObject *from_texts(PyObject *module, PyObject *args)
{
    PyObject *sequence, *progress, *tuple, *faults = NULL, *result = NULL;
    Py_ssize_t threads;
    int drop;
    struct call call;
    struct reading reading = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "OpnO", &sequence, &drop, &threads, &progress) ||
        !call_init(&call, threads, progress) || (tuple = PySequence_Tuple(sequence)) == NULL)
        return NULL;
    const size_t n = (size_t)PyTuple_Size(tuple);
    seebatch_text *texts = (seebatch_text *)memory_new(n, sizeof *texts);
    reading.drop = drop;
    if (texts != NULL && reading_reserve(&reading, n) && read_all_texts(&reading, tuple, texts, &call) &&
        (faults = faults_of_texts(&reading, texts)) != NULL)
        result = reading_result(&reading, faults);
    Py_XDECREF(faults);
    reading_free(&reading);
    memory_free(texts);
    Py_DECREF(tuple);
    return result;
}

/* Appends the sentences on the wrong ones of n texts, up to so many of all; *wrong counts them. */
static bool add_faults(PyObject *faults, bool boards, const seebatch_text *texts, const uint8_t *statuses, size_t first,
                       size_t n, size_t *wrong)
{
    bool good = true;
    for (size_t i = 0; i < n && good; i++) {
        if (statuses[i] == SEEBATCH_OK || (*wrong)++ >= SEEBATCH_ARROW_FAULTS)
            continue;
        seebatch_position position;
        seebatch_error error = {"there is no text but a null, expected a FEN"};
        if (texts[i].at != NULL && boards)
            seebatch_arrow_board(texts[i], &position, &error);
        else if (texts[i].at != NULL)
            seebatch_position_from_fen(texts[i].at, texts[i].length, &position, &error);
        good = add_sentence(faults, first + i, error.text);
    }
    return good;
}

/* Takes texts that are boards, as seebatch_batch_from_fens() reads FENs. */
static void take_boards(struct reading *reading, const seebatch_text *texts, size_t n, seebatch_faults *found)
{
    seebatch_position *positions = positions_in(reading) + reading->n;
    uint8_t *statuses = reading->statuses + reading->n;
    for (size_t i = 0; i < n; i++) {
        statuses[i] = (uint8_t)seebatch_arrow_board(texts[i], &positions[i], NULL);
        found->count += statuses[i] != SEEBATCH_OK;
    }
}

/* Reads the next texts of a column; *n is 0 at the end. */
static bool read_rows(struct reading *reading, struct cursor *fens, seebatch_text *texts, size_t *n, struct call *call)
{
    seebatch_faults found = {0};
    size_t left;
    call_begin(call);
    bool good = cursor_rows(fens, &left);
    call_end(call);
    *n = left < AT_ONCE ? left : (size_t)AT_ONCE;
    if (good && *n == 0)
        return true;
    if (good && reading->n + *n > reading->capacity &&
        !reading_reserve(reading, reading->n + (left > reading->n ? left : reading->n)))
        return false;
    call_begin(call);
    good = good && cursor_texts(fens, *n, texts, NULL);
    seebatch_text own[AT_ONCE];
    for (size_t i = 0; i < *n && good; i++) {
        own[i].at = texts[i].at ? texts[i].at : "";
        own[i].length = texts[i].length;
    }
    if (good && fens->boards)
        take_boards(reading, own, *n, &found);
    else if (good)
        seebatch_batch_from_fens(own, *n, positions_in(reading) + reading->n, reading->statuses + reading->n, &found,
                                 NULL);
    const bool went_on = call_report(call, reading->n + *n, reading->n + *n + 1);
    if (!call_end(call) || !went_on)
        return false;
    if (!good)
        cursor_failed(fens);
    reading->any_wrong |= found.count != 0;
    return good;
}

static bool read_column(struct reading *reading, struct cursor *fens, PyObject *faults, size_t *wrong,
                        struct call *call)
{
    seebatch_text *texts = (seebatch_text *)memory_new(AT_ONCE, sizeof *texts);
    bool good = texts != NULL && reading_reserve(reading, 0);
    for (size_t n = 1; good && n > 0; reading->n += n) {
        good = read_rows(reading, fens, texts, &n, call) &&
               add_faults(faults, fens->boards, texts, reading->statuses + reading->n, reading->n, n, wrong);
    }
    memory_free(texts);
    return good;
}

/* from_column(object, drop, progress) -> (Block, [(index, sentence)], number of wrong ones) */
static PyObject *from_column(PyObject *module, PyObject *args)
{
    PyObject *object, *progress, *faults = NULL, *pair = NULL, *result = NULL;
    int drop;
    size_t wrong = 0;
    struct call call;
    struct reading reading = {0};
    struct cursor fens;
    (void)module;
    memset(&fens, 0, sizeof fens);
    if (!PyArg_ParseTuple(args, "OpO", &object, &drop, &progress) || !call_init(&call, 1, progress))
        return NULL;
    reading.drop = drop;
    if (cursor_open(&fens, object, "fen") && (faults = PyList_New(0)) != NULL &&
        read_column(&reading, &fens, faults, &wrong, &call) && (pair = reading_result(&reading, faults)) != NULL)
        result = Py_BuildValue("(OOn)", PyTuple_GetItem(pair, 0), faults, (Py_ssize_t)wrong);
    cursor_close(&fens);
    Py_XDECREF(pair);
    Py_XDECREF(faults);
    reading_free(&reading);
    return result;
}

/* ---- FENs written ------------------------------------------------------------------------------------------------ */

/* A list of str, of rows of text: row i from offsets[i] to offsets[i + 1], less `end` characters. */
static PyObject *list_of_rows(const char *text, const size_t *offsets, size_t n, size_t end)
{
    PyObject *list = PyList_New((Py_ssize_t)n);
    for (size_t i = 0; i < n && list != NULL; i++) {
        PyObject *row = PyUnicode_DecodeUTF8(text + offsets[i], (Py_ssize_t)(offsets[i + 1] - offsets[i] - end), NULL);
        if (row == NULL || PyList_SetItem(list, (Py_ssize_t)i, row) != 0)
            Py_CLEAR(list);
    }
    return list;
}

/* to_fens(positions, lines, check, threads, progress) -> [str], or bytes with one a line */
static PyObject *to_fens(PyObject *module, PyObject *args)
{
    PyObject *positions, *progress, *result = NULL;
    Py_ssize_t threads;
    int lines, check;
    struct call call;
    struct input input = {0};
    char *text = NULL;
    size_t *offsets = NULL;
    (void)module;
    if (PyArg_ParseTuple(args, "OppnO", &positions, &lines, &check, &threads, &progress) &&
        call_init(&call, threads, progress) && input_positions(&input, positions) &&
        (!check || input_check(&input, NULL, &call))) {
        const size_t size = input.n * SEEBATCH_FEN_SIZE;
        text = (char *)input_memory(&input, size, 1);
        offsets = text ? (size_t *)input_memory(&input, input.n + 1, sizeof *offsets) : NULL;
        if (offsets != NULL) {
            call_begin(&call);
            seebatch_batch_to_fens(input.positions, input.n, text, size, offsets, &call.job);
            if (call_end(&call))
                result = lines ? PyBytes_FromStringAndSize(text, (Py_ssize_t)offsets[input.n])
                               : list_of_rows(text, offsets, input.n, 1);
        }
    }
    input_free(&input);
    return result;
}

PyMethodDef text_methods[] = {{"from_lines", from_lines, METH_VARARGS, NULL},
                              {"from_texts", from_texts, METH_VARARGS, NULL},
                              {"from_column", from_column, METH_VARARGS, NULL},
                              {"to_fens", to_fens, METH_VARARGS, NULL},
                              {NULL, NULL, 0, NULL}};
