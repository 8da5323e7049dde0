/* Exchanges of many positions: values, thresholds, order, what hangs, conditions. */
#include "core.h"

#include <string.h>

/* What all of these functions are given; done_with() in any case. */
struct question {
    seebatch_rules rules;
    struct input input;
    struct call call;
    seebatch_batch batch;
    size_t n_moves; /* of the rows */
};

static bool ask_rows(struct question *q, PyObject *rules, PyObject *values, PyObject *const rows[3], Py_ssize_t threads,
                     PyObject *progress)
{
    if (!call_init(&q->call, threads, progress) || !rules_of(rules, values, &q->rules) ||
        !input_rows(&q->input, rows[0], rows[1], rows[2]) || !input_check(&q->input, &q->rules, &q->call))
        return false;
    const seebatch_batch batch = {.positions = q->input.positions,
                                  .n_positions = q->input.n,
                                  .offsets = q->input.offsets,
                                  .moves = q->input.moves};
    q->batch = batch;
    q->n_moves = batch.offsets[batch.n_positions] - batch.offsets[0];
    return true;
}

/* sound: whatever the rules want, positions have to be. */
static bool ask_positions(struct question *q, PyObject *rules, PyObject *values, PyObject *positions, bool sound,
                          Py_ssize_t threads, PyObject *progress)
{
    return call_init(&q->call, threads, progress) && rules_of(rules, values, &q->rules) &&
           input_positions(&q->input, positions) && input_check(&q->input, sound ? NULL : &q->rules, &q->call);
}

/* The result, once it is complete; otherwise NULL. */
static PyObject *done_with(struct question *q, Block *result, bool good, size_t n)
{
    input_free(&q->input);
    if (good)
        block_finish(result, n);
    else
        Py_CLEAR(result);
    return (PyObject *)result;
}

/* What values() and lengths() share: a result a move, from the arguments (positions, offsets, moves, rules, values,
 * threads, progress). */
static PyObject *one_a_move(PyObject *args, const struct kind *kind)
{
    struct question q = {.n_moves = 0};
    PyObject *rows[3], *rules, *values, *progress;
    Py_ssize_t threads;
    Block *result = NULL;
    bool good = false;
    if (PyArg_ParseTuple(args, "OOOOOnO", &rows[0], &rows[1], &rows[2], &rules, &values, &threads, &progress) &&
        ask_rows(&q, rules, values, rows, threads, progress) && (result = block_new(kind, q.n_moves)) != NULL) {
        call_begin(&q.call);
        const seebatch_status status =
            kind == &kind_values
                ? seebatch_batch_values(&q.rules, &q.batch, (int16_t *)result->data, &q.call.job)
                : seebatch_batch_lengths(&q.rules, &q.batch, NULL, (uint8_t *)result->data, &q.call.job);
        good = call_end(&q.call) && status == SEEBATCH_OK;
    }
    return done_with(&q, result, good, q.n_moves);
}

/* values(positions, offsets, moves, rules, values, threads, progress) -> Block */
static PyObject *batch_values(PyObject *module, PyObject *args)
{
    (void)module;
    return one_a_move(args, &kind_values);
}

/* lengths(positions, offsets, moves, rules, values, threads, progress) -> Block */
static PyObject *batch_lengths(PyObject *module, PyObject *args)
{
    (void)module;
    return one_a_move(args, &kind_bytes);
}

/* Bits to flags, a byte each. */
static void spread_bits(const uint64_t *mask, size_t n, uint8_t *flags)
{
    for (size_t i = 0; i < n; i += 8) {
        const uint64_t bits = mask[i / 64] >> i % 64 & 0xff;
        /* Bit k of the seven lower ones comes to bit 8 k; bit 7 goes its own way. */
        const uint64_t spread =
            ((bits & 0x7f) * UINT64_C(0x0002040810204081) & UINT64_C(0x0001010101010101)) | (bits >> 7) << 56;
        for (size_t k = 0; k < 8 && n - i < 8 && k < n - i; k++)
            flags[i + k] = bits >> k & 1;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        if (n - i >= 8)
            memcpy(flags + i, &spread, 8);
#else
        for (size_t k = 0; k < 8 && n - i >= 8; k++)
            flags[i + k] = bits >> k & 1;
        (void)spread;
#endif
    }
}

/* One threshold, or one a move. False with an exception. */
static bool thresholds_of(struct question *q, PyObject *object, int16_t *one, const int16_t **each)
{
    const void *data;
    size_t n;
    *each = NULL;
    if (PyLong_Check(object)) {
        int overflow;
        const long value = PyLong_AsLongAndOverflow(object, &overflow);
        if (overflow || value < INT16_MIN || value > INT16_MAX) {
            PyErr_SetString(core_error, "the threshold is out of bounds, expected -32768 to 32767");
            return false;
        }
        *one = (int16_t)value;
        return true;
    }
    if (!input_view(&q->input, object, "thresholds", sizeof(int16_t), &data, &n))
        return false;
    if (n != q->input.n_moves) {
        PyErr_Format(core_error, "there are %zu thresholds, expected one for each move: %zu", n, q->input.n_moves);
        return false;
    }
    *each = (const int16_t *)data;
    return true;
}

/* ge(positions, offsets, moves, threshold or thresholds, rules, values, threads, progress) -> Block */
static PyObject *batch_ge(PyObject *module, PyObject *args)
{
    struct question q = {.n_moves = 0};
    PyObject *rows[3], *threshold, *rules, *values, *progress;
    Py_ssize_t threads;
    Block *result = NULL;
    uint64_t *mask = NULL;
    int16_t one = 0;
    const int16_t *each;
    bool good = false;
    (void)module;
    if (PyArg_ParseTuple(args, "OOOOOOnO", &rows[0], &rows[1], &rows[2], &threshold, &rules, &values, &threads,
                         &progress) &&
        ask_rows(&q, rules, values, rows, threads, progress) && thresholds_of(&q, threshold, &one, &each) &&
        (mask = (uint64_t *)input_memory(&q.input, SEEBATCH_MASK_WORDS(q.n_moves), 8)) != NULL &&
        (result = block_new(&kind_flags, q.n_moves)) != NULL) {
        call_begin(&q.call);
        const seebatch_status status = each ? seebatch_batch_ge_mask_each(&q.rules, &q.batch, each, mask, &q.call.job)
                                            : seebatch_batch_ge_mask(&q.rules, &q.batch, one, mask, &q.call.job);
        if (status == SEEBATCH_OK)
            spread_bits(mask, q.n_moves, (uint8_t *)result->data);
        good = call_end(&q.call) && status == SEEBATCH_OK;
    }
    return done_with(&q, result, good, q.n_moves);
}

static bool rows_are_short(const seebatch_batch *batch)
{
    for (size_t i = 0; i < batch->n_positions; i++) {
        const size_t n = batch->offsets[i + 1] - batch->offsets[i];
        if (n > SEEBATCH_MAX_MOVES) {
            PyErr_Format(core_error, "position %zu has %zu moves, expected at most %d", i, n, SEEBATCH_MAX_MOVES);
            return false;
        }
    }
    return true;
}

/* Makes known of sorted moves what was known of them before. */
static void know_sorted(Block *sorted, const struct question *q)
{
    const struct input *input = &q->input;
    if (input->legal && !input->one_each && input->offsets[0] == 0) {
        sorted->rows_of = input->id;
        sorted->rows_first = input->first - input->rows_first;
        sorted->rows = input->rows;
    }
}

/* order(positions, offsets, moves, threshold, rules, values, threads, progress) -> (moves, values, good) */
static PyObject *batch_order(PyObject *module, PyObject *args)
{
    struct question q = {.n_moves = 0};
    PyObject *rows[3], *rules, *values, *progress, *result = NULL;
    Py_ssize_t threads;
    short threshold;
    Block *sorted = NULL, *worth = NULL, *good = NULL;
    (void)module;
    if (PyArg_ParseTuple(args, "OOOhOOnO", &rows[0], &rows[1], &rows[2], &threshold, &rules, &values, &threads,
                         &progress) &&
        ask_rows(&q, rules, values, rows, threads, progress) && rows_are_short(&q.batch) &&
        (sorted = block_new(&kind_moves, q.n_moves)) != NULL && (worth = block_new(&kind_values, q.n_moves)) != NULL &&
        (good = block_new(&kind_counts, q.batch.n_positions)) != NULL) {
        call_begin(&q.call);
        const seebatch_status status =
            seebatch_batch_order(&q.rules, &q.batch, threshold, (seebatch_move *)sorted->data, (int16_t *)worth->data,
                                 (size_t *)good->data, &q.call.job);
        if (call_end(&q.call) && status == SEEBATCH_OK) {
            block_finish(sorted, q.n_moves);
            block_finish(worth, q.n_moves);
            block_finish(good, q.batch.n_positions);
            know_sorted(sorted, &q);
            result = Py_BuildValue("(OOO)", sorted, worth, good);
        }
    }
    Py_XDECREF((PyObject *)sorted);
    Py_XDECREF((PyObject *)worth);
    Py_XDECREF((PyObject *)good);
    input_free(&q.input);
    return result;
}

/* any_capture(positions, threshold, rules, values, threads, progress) -> Block */
static PyObject *any_capture(PyObject *module, PyObject *args)
{
    struct question q = {.n_moves = 0};
    PyObject *positions, *rules, *values, *progress;
    Py_ssize_t threads;
    short threshold;
    Block *result = NULL;
    uint64_t *mask = NULL;
    bool good = false;
    (void)module;
    if (PyArg_ParseTuple(args, "OhOOnO", &positions, &threshold, &rules, &values, &threads, &progress) &&
        ask_positions(&q, rules, values, positions, true, threads, progress) &&
        (mask = (uint64_t *)input_memory(&q.input, SEEBATCH_MASK_WORDS(q.input.n), 8)) != NULL &&
        (result = block_new(&kind_flags, q.input.n)) != NULL) {
        call_begin(&q.call);
        const seebatch_status status =
            seebatch_batch_any_capture(&q.rules, q.input.positions, q.input.n, threshold, mask, &q.call.job);
        if (status == SEEBATCH_OK)
            spread_bits(mask, q.input.n, (uint8_t *)result->data);
        good = call_end(&q.call) && status == SEEBATCH_OK;
    }
    return done_with(&q, result, good, q.input.n);
}

/* maps(positions, rules, values, threads, progress) -> Block */
static PyObject *batch_maps(PyObject *module, PyObject *args)
{
    struct question q = {.n_moves = 0};
    PyObject *positions, *rules, *values, *progress;
    Py_ssize_t threads;
    Block *result = NULL;
    bool good = false;
    (void)module;
    if (PyArg_ParseTuple(args, "OOOnO", &positions, &rules, &values, &threads, &progress) &&
        ask_positions(&q, rules, values, positions, false, threads, progress) &&
        (result = block_new(&kind_maps, q.input.n * 128)) != NULL) {
        call_begin(&q.call);
        const seebatch_status status =
            seebatch_batch_maps(&q.rules, q.input.positions, q.input.n, (int16_t(*)[2][64])result->data, &q.call.job);
        good = call_end(&q.call) && status == SEEBATCH_OK;
    }
    return done_with(&q, result, good, q.input.n * 128);
}

/* Bytes, one a position, below a limit, in memory of their own. */
static const uint8_t *bytes_below(struct input *input, PyObject *object, const char *what, uint8_t limit)
{
    const void *data;
    size_t n;
    if (!input_view(input, object, what, 1, &data, &n))
        return NULL;
    uint8_t *bytes = (uint8_t *)input_memory(input, n, 1);
    if (bytes == NULL)
        return NULL;
    if (n)
        memcpy(bytes, data, n);
    if (n != input->n) {
        PyErr_Format(core_error, "there are %zu %s, expected one for each position: %zu", n, what, input->n);
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] >= limit) {
            PyErr_Format(core_error, "%s: number %zu is %u, expected 0 to %u", what, i, bytes[i], limit - 1u);
            return NULL;
        }
    }
    return bytes;
}

/* square_values(positions, squares, colors, rules, values, threads, progress) -> Block */
static PyObject *square_values(PyObject *module, PyObject *args)
{
    struct question q = {.n_moves = 0};
    PyObject *positions, *squares, *colors, *rules, *values, *progress;
    const uint8_t *square, *color;
    Py_ssize_t threads;
    Block *result = NULL;
    bool good = false;
    (void)module;
    if (PyArg_ParseTuple(args, "OOOOOnO", &positions, &squares, &colors, &rules, &values, &threads, &progress) &&
        ask_positions(&q, rules, values, positions, false, threads, progress) &&
        (square = bytes_below(&q.input, squares, "squares", 64)) != NULL &&
        (color = bytes_below(&q.input, colors, "colors", 2)) != NULL &&
        (result = block_new(&kind_values, q.input.n)) != NULL) {
        call_begin(&q.call);
        const seebatch_status status = seebatch_batch_square_values(&q.rules, q.input.positions, q.input.n, square,
                                                                    color, (int16_t *)result->data, &q.call.job);
        good = call_end(&q.call) && status == SEEBATCH_OK;
    }
    return done_with(&q, result, good, q.input.n);
}

PyMethodDef evaluate_methods[] = {
    {"values", batch_values, METH_VARARGS, NULL},         {"ge", batch_ge, METH_VARARGS, NULL},
    {"lengths", batch_lengths, METH_VARARGS, NULL},       {"order", batch_order, METH_VARARGS, NULL},
    {"any_capture", any_capture, METH_VARARGS, NULL},     {"maps", batch_maps, METH_VARARGS, NULL},
    {"square_values", square_values, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};
