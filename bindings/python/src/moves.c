/* Moves: legal ones listed, text read and written; arrays that are known to be right. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

/* ---- Moves ------------------------------------------------------------------------------------------------------- */

typedef seebatch_status generate(const seebatch_position *, size_t, size_t *, seebatch_move *, size_t, seebatch_job *);

/* legal_moves(positions, captures, threads, progress) -> (offsets, moves) */
static PyObject *legal_moves(PyObject *module, PyObject *args)
{
    PyObject *positions, *progress, *result = NULL;
    Py_ssize_t threads;
    int captures;
    struct call call;
    struct input input = {0};
    Block *offsets = NULL, *moves = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "OpnO", &positions, &captures, &threads, &progress) ||
        !call_init(&call, threads, progress))
        return NULL;
    if (input_positions(&input, positions) && input_check(&input, NULL, &call) &&
        (offsets = block_new(&kind_offsets, input.n + 1)) != NULL &&
        (moves = block_new(&kind_moves, input.n * (captures ? 6 : 48) + SEEBATCH_MAX_MOVES)) != NULL) {
        generate *const all = captures ? seebatch_batch_legal_captures : seebatch_batch_legal_moves;
        size_t *rows = (size_t *)offsets->data;
        bool went_on, room = true;
        do {
            call_begin(&call);
            const seebatch_status status =
                all(input.positions, input.n, rows, (seebatch_move *)moves->data, (size_t)moves->n, &call.job);
            went_on = call_end(&call) && status != SEEBATCH_CANCELLED;
            room = status != SEEBATCH_NO_ROOM;
        } while (went_on && !room && block_resize(moves, 0, rows[input.n]));
        if (went_on && room) {
            block_finish(offsets, input.n + 1);
            block_finish(moves, rows[input.n]);
            moves->rows_of = input.id;
            moves->rows_first = input.first;
            moves->rows = offsets->id;
            result = Py_BuildValue("(OO)", offsets, moves);
        }
    }
    Py_XDECREF((PyObject *)offsets);
    Py_XDECREF((PyObject *)moves);
    input_free(&input);
    return result;
}

/* The sentence on each text that is no legal move. */
static PyObject *faults_of_moves(const struct input *input, const seebatch_text *texts, const uint8_t *statuses,
                                 int notation)
{
    seebatch_status (*const read[])(const seebatch_position *, const char *, size_t, seebatch_move *,
                                    seebatch_error *) = {seebatch_move_from_uci, seebatch_move_from_san,
                                                         seebatch_move_from_text};
    PyObject *faults = PyList_New(0);
    bool good = faults != NULL;
    for (size_t i = 0; i < input->n && good; i++) {
        for (size_t k = input->offsets[i]; k < input->offsets[i + 1] && good; k++) {
            seebatch_move move;
            seebatch_error error = {""};
            if (statuses[k] == SEEBATCH_OK)
                continue;
            read[notation](&input->positions[i], texts[k].at, texts[k].length, &move, &error);
            PyObject *fault = Py_BuildValue("(nN)", (Py_ssize_t)k, sentence(error.text));
            good = fault != NULL && PyList_Append(faults, fault) == 0;
            Py_XDECREF(fault);
        }
    }
    if (!good)
        Py_CLEAR(faults);
    return faults;
}

static PyObject *read_moves(struct input *input, const seebatch_text *texts, int notation, struct call *call)
{
    const size_t n = input->n_moves, begin = input->offsets[0];
    uint8_t *statuses = (uint8_t *)calloc(n ? n : 1, 1);
    Block *moves = statuses ? block_new(&kind_moves, n) : (Block *)PyErr_NoMemory();
    PyObject *faults = NULL, *result = NULL;
    if (moves != NULL) {
        seebatch_faults found = {0};
        memset(moves->data, 0, n * sizeof(seebatch_move));
        call_begin(call);
        seebatch_batch_moves_from_text(input->positions, input->n, input->offsets, texts, notation,
                                       (seebatch_move *)moves->data + begin, statuses + begin, &found, &call->job);
        if (call_end(call) && (faults = faults_of_moves(input, texts, statuses, notation)) != NULL) {
            block_finish(moves, n);
            const bool whole = begin == 0 && input->offsets[input->n] == n;
            if (found.count == 0 && whole && (input->one_each || input->rows)) {
                moves->rows_of = input->id;
                moves->rows_first = input->first - input->rows_first;
                moves->rows = input->rows;
            }
            result = Py_BuildValue("(OO)", moves, faults);
        }
    }
    Py_XDECREF(faults);
    Py_XDECREF((PyObject *)moves);
    free(statuses);
    return result;
}

/* moves_from_text(positions, offsets or None, sequence, notation, threads, progress) -> (moves, [(index, sentence)]) */
static PyObject *moves_from_text(PyObject *module, PyObject *args)
{
    PyObject *positions, *offsets, *sequence, *progress, *tuple = NULL, *result = NULL;
    Py_ssize_t threads;
    int notation;
    struct call call;
    struct input input = {0};
    seebatch_text *texts = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOinO", &positions, &offsets, &sequence, &notation, &threads, &progress) ||
        !call_init(&call, threads, progress) || (tuple = PySequence_Tuple(sequence)) == NULL)
        return NULL;
    if (input_positions(&input, positions)) {
        input.n_moves = (size_t)PyTuple_Size(tuple);
        texts = (seebatch_text *)input_memory(&input, input.n_moves, sizeof *texts);
        if (texts != NULL && input_check(&input, NULL, &call) && input_offsets(&input, offsets) &&
            texts_of(tuple, 0, input.n_moves, "move", texts)) {
            for (size_t k = 0; k < input.n_moves; k++)
                strip_text(&texts[k]);
            result = read_moves(&input, texts, notation, &call);
        }
    }
    Py_DECREF(tuple);
    input_free(&input);
    return result;
}

static PyObject *list_of_texts(char (*texts)[SEEBATCH_SAN_SIZE], size_t n)
{
    PyObject *list = PyList_New((Py_ssize_t)n);
    for (size_t k = 0; k < n && list != NULL; k++) {
        PyObject *text = PyUnicode_FromString(texts[k]);
        if (text == NULL || PyList_SetItem(list, (Py_ssize_t)k, text) != 0)
            Py_CLEAR(list);
    }
    return list;
}

/* moves_to_text(positions, offsets or None, moves, notation, threads, progress) -> [str] */
static PyObject *moves_to_text(PyObject *module, PyObject *args)
{
    PyObject *positions, *offsets, *moves, *progress, *result = NULL;
    Py_ssize_t threads;
    int notation;
    struct call call;
    struct input input = {0};
    (void)module;
    if (PyArg_ParseTuple(args, "OOOinO", &positions, &offsets, &moves, &notation, &threads, &progress) &&
        call_init(&call, threads, progress) && input_rows(&input, positions, offsets, moves) &&
        input_check(&input, NULL, &call)) {
        const size_t n = input.offsets[input.n] - input.offsets[0];
        char(*texts)[SEEBATCH_SAN_SIZE] = (char(*)[SEEBATCH_SAN_SIZE])input_memory(&input, n, sizeof *texts);
        if (texts != NULL) {
            call_begin(&call);
            seebatch_batch_moves_to_text(input.positions, input.n, input.offsets, input.moves, notation, texts,
                                         &call.job);
            if (call_end(&call))
                result = list_of_texts(texts, n);
        }
    }
    input_free(&input);
    return result;
}

/* uci(move) -> str, of any 16 bits */
static PyObject *uci(PyObject *module, PyObject *args)
{
    unsigned short move;
    char text[SEEBATCH_SAN_SIZE];
    (void)module;
    if (!PyArg_ParseTuple(args, "H", &move))
        return NULL;
    seebatch_batch_moves_to_text(NULL, 1, (const size_t[2]){0, 1}, &move, SEEBATCH_UCI, &text, NULL);
    return PyUnicode_FromString(text);
}

/* ---- What is known to be right ----------------------------------------------------------------------------------- */

static Block *block_of_copy(const struct kind *kind, const void *data, size_t n)
{
    Block *block = block_new(kind, n);
    if (block != NULL && n)
        memcpy(block->data, data, n * kind->size);
    if (block != NULL)
        block_finish(block, n);
    return block;
}

/* checked(positions, threads) -> positions, read-only and sound */
static PyObject *checked(PyObject *module, PyObject *args)
{
    PyObject *positions;
    Py_ssize_t threads;
    struct call call;
    struct input input = {0};
    Block *block = NULL;
    (void)module;
    if (PyArg_ParseTuple(args, "On", &positions, &threads) && call_init(&call, threads, NULL) &&
        input_positions(&input, positions) && input_check(&input, NULL, &call)) {
        block = block_of_copy(&kind_positions, input.positions, input.n);
        if (block != NULL)
            block->sound = true;
    }
    input_free(&input);
    return (PyObject *)block;
}

/* checked_rows(positions, offsets or None, moves, threads) -> (positions, offsets or None, moves), read-only; the moves
 * are legal there */
static PyObject *checked_rows(PyObject *module, PyObject *args)
{
    PyObject *positions, *offsets, *moves, *result = NULL;
    Py_ssize_t threads;
    struct call call;
    struct input input = {0};
    Block *blocks[3] = {NULL, NULL, NULL};
    (void)module;
    if (PyArg_ParseTuple(args, "OOOn", &positions, &offsets, &moves, &threads) && call_init(&call, threads, NULL) &&
        input_rows(&input, positions, offsets, moves) && input_check(&input, NULL, &call) &&
        (blocks[0] = block_of_copy(&kind_positions, input.positions, input.n)) != NULL &&
        (blocks[1] = block_of_copy(&kind_offsets, input.offsets, input.n + 1)) != NULL &&
        (blocks[2] = block_of_copy(&kind_moves, input.moves, input.n_moves)) != NULL) {
        blocks[0]->sound = true;
        blocks[2]->rows_of = blocks[0]->id;
        blocks[2]->rows = offsets == Py_None ? 0 : blocks[1]->id;
        result = Py_BuildValue("(OOO)", blocks[0], offsets == Py_None ? Py_None : (PyObject *)blocks[1], blocks[2]);
    }
    for (int i = 0; i < 3; i++)
        Py_XDECREF((PyObject *)blocks[i]);
    input_free(&input);
    return result;
}

/* take(positions, indices) -> those positions; as sound as they were. indices are int64; negative ones count from the end */
static PyObject *take(PyObject *module, PyObject *args)
{
    PyObject *positions, *indices;
    struct input input = {0};
    const void *data;
    size_t n;
    Block *block = NULL;
    (void)module;
    if (PyArg_ParseTuple(args, "OO", &positions, &indices) && input_positions(&input, positions) &&
        input_view(&input, indices, "indices", sizeof(int64_t), &data, &n) &&
        (block = block_new(&kind_positions, n)) != NULL) {
        for (size_t i = 0; i < n && block != NULL; i++) {
            int64_t index;
            memcpy(&index, (const char *)data + 8 * i, sizeof index);
            const int64_t from_first = index < 0 ? index + (int64_t)input.n : index;
            if (from_first < 0 || (size_t)from_first >= input.n) {
                if (input.n)
                    PyErr_Format(PyExc_IndexError, "index %zu is %lld, expected -%zu to %zu", i, (long long)index,
                                 input.n, input.n - 1);
                else
                    PyErr_Format(PyExc_IndexError, "index %zu is %lld, but there are no positions", i,
                                 (long long)index);
                Py_CLEAR(block);
            } else {
                ((seebatch_position *)block->data)[i] = input.positions[from_first];
            }
        }
    }
    if (block != NULL) {
        block_finish(block, n);
        block->sound = input.id != 0;
    }
    input_free(&input);
    return (PyObject *)block;
}

PyMethodDef move_methods[] = {{"legal_moves", legal_moves, METH_VARARGS, NULL},
                              {"moves_from_text", moves_from_text, METH_VARARGS, NULL},
                              {"moves_to_text", moves_to_text, METH_VARARGS, NULL},
                              {"uci", uci, METH_VARARGS, NULL},
                              {"checked", checked, METH_VARARGS, NULL},
                              {"checked_rows", checked_rows, METH_VARARGS, NULL},
                              {"take", take, METH_VARARGS, NULL},
                              {NULL, NULL, 0, NULL}};
