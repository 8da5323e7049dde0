/* Arrays that come in: followed to the blocks that they belong to, or copied and checked. */
#include "core.h"

#include <string.h>

void *input_memory(struct input *input, size_t n, size_t size)
{
    void *memory = memory_new(n, size);
    if (memory != NULL)
        input->copies[input->n_copies++] = memory;
    return memory;
}

bool input_view(struct input *input, PyObject *object, const char *what, size_t size, const void **data, size_t *n)
{
    Py_buffer *view = &input->views[input->n_views];
    if (PyObject_GetBuffer(object, view, PyBUF_ND) != 0)
        return false;
    input->n_views++;
    const bool items = (size_t)view->itemsize == size, bytes = view->itemsize == 1 && view->len % (Py_ssize_t)size == 0;
    if (view->ndim > 1 || !(items || bytes)) {
        if (view->ndim == 1 && view->itemsize == 1)
            PyErr_Format(core_error, "%s: there are %zd bytes, expected a multiple of %zu, which one has", what,
                         view->len, size);
        else
            PyErr_Format(core_error, "%s: an array of %d dimensions with items of %zd bytes, expected 1 and %zu", what,
                         view->ndim, view->itemsize, size);
        return false;
    }
    *data = view->buf;
    *n = (size_t)view->len / size;
    return true;
}

/* The items of a view in memory that nobody else changes. */
enum { POSITIONS, OFFSETS, MOVES };

static Block *copy(struct input *input, int which, const struct kind *kind, const void *data, size_t n)
{
    input->from[which] = data;
    input->copied[which] = known_copy(kind, data, n);
    return input->copied[which];
}

bool input_positions(struct input *input, PyObject *positions)
{
    const void *data;
    memset(input, 0, sizeof *input);
    if (!input_view(input, positions, "positions", sizeof(seebatch_position), &data, &input->n))
        return false;
    Block *block = block_of(positions, data, input->n * sizeof(seebatch_position));
    const size_t byte = block ? (size_t)((const char *)data - (const char *)block->data) : 0;
    if (block && block->kind == &kind_positions && block->sound && byte % sizeof(seebatch_position) == 0) {
        input->id = block->id;
        input->first = byte / sizeof(seebatch_position);
    } else {
        if (block && block->faults) {
            input->faults = block->faults;
            input->faults_first = byte / sizeof(seebatch_position);
            Py_INCREF(input->faults);
        }
        block = copy(input, POSITIONS, &kind_positions, data, input->n);
    }
    if (input->copied[POSITIONS] != NULL) {
        input->id = block->sound ? block->id : 0;
        data = block->data;
    }
    input->positions = (const seebatch_position *)data;
    return block != NULL;
}

static bool offsets_fit(const struct input *input, size_t n)
{
    if (n != input->n + 1) {
        PyErr_Format(core_error, "there are %zu offsets, expected %zu: one more than positions", n, input->n + 1);
        return false;
    }
    for (size_t i = input->rows ? n - 1 : 0; i < n; i++) { /* those of a block do not decrease */
        const size_t before = i ? input->offsets[i - 1] : 0;
        if (input->offsets[i] > input->n_moves || input->offsets[i] < before) {
            PyErr_Format(core_error,
                         "offset %zu is %zd, expected at least the one before, %zu, and at most the number of moves, "
                         "%zu",
                         i, (Py_ssize_t)input->offsets[i], before, input->n_moves);
            return false;
        }
    }
    return true;
}

/* A move a position: offsets 0, 1, 2, ... */
static bool count_up(struct input *input)
{
    size_t *offsets = (size_t *)input_memory(input, input->n + 1, sizeof *offsets);
    for (size_t i = 0; i <= input->n && offsets != NULL; i++)
        offsets[i] = i;
    input->offsets = offsets;
    input->one_each = true;
    return offsets != NULL;
}

bool input_offsets(struct input *input, PyObject *offsets)
{
    const void *data;
    size_t n;
    if (offsets == Py_None && input->n_moves == input->n)
        return count_up(input);
    if (offsets == Py_None) {
        PyErr_Format(core_error, "there are %zu moves without offsets, expected one for each position: %zu",
                     input->n_moves, input->n);
        return false;
    }
    if (!input_view(input, offsets, "offsets", sizeof(size_t), &data, &n))
        return false;
    Block *block = block_of(offsets, data, n * sizeof(size_t));
    const size_t byte = block ? (size_t)((const char *)data - (const char *)block->data) : 0;
    if (block && block->kind == &kind_offsets && byte % sizeof(size_t) == 0) {
        input->rows = block->id;
        input->rows_first = byte / sizeof(size_t);
    } else if ((block = copy(input, OFFSETS, &kind_offsets, data, n)) != NULL) {
        data = block->data;
    }
    input->offsets = (const size_t *)data;
    if (block == NULL || !offsets_fit(input, n))
        return false;
    if (input->copied[OFFSETS] != NULL)
        input->rows = block->id;
    return true;
}

/* Whether moves of a block are those that were found to be legal in these rows. */
static bool are_legal(const struct input *input, const Block *block, const void *data)
{
    if (!input->id || block->rows_of != input->id)
        return false;
    const size_t byte = (size_t)((const char *)data - (const char *)block->data);
    if (input->one_each)
        return block->rows == 0 && byte % sizeof(seebatch_move) == 0 &&
               input->first == block->rows_first + byte / sizeof(seebatch_move);
    return input->rows && block->rows == input->rows && byte == 0 &&
           input->first == block->rows_first + input->rows_first;
}

bool input_rows(struct input *input, PyObject *positions, PyObject *offsets, PyObject *moves)
{
    const void *data;
    if (!input_positions(input, positions) ||
        !input_view(input, moves, "moves", sizeof(seebatch_move), &data, &input->n_moves) ||
        !input_offsets(input, offsets))
        return false;
    Block *block = block_of(moves, data, input->n_moves * sizeof(seebatch_move));
    if (block && block->kind != &kind_moves)
        block = NULL;
    input->legal = block && are_legal(input, block, data);
    if (!input->legal && (block = copy(input, MOVES, &kind_moves, data, input->n_moves)) != NULL) {
        data = block->data;
        input->legal = are_legal(input, block, data);
    }
    input->moves = (const seebatch_move *)data;
    return block != NULL;
}

void input_free(struct input *input)
{
    while (input->n_views)
        PyBuffer_Release(&input->views[--input->n_views]);
    while (input->n_copies)
        memory_free(input->copies[--input->n_copies]);
    for (int i = 0; i < 3; i++)
        Py_CLEAR(input->copied[i]);
    Py_CLEAR(input->faults);
}

/* known(positions, offsets or None, moves) -> whether the positions are known to be sound, and the moves to be legal */
static PyObject *known(PyObject *module, PyObject *args)
{
    PyObject *rows[3], *result = NULL;
    struct input input = {0};
    (void)module;
    if (PyArg_ParseTuple(args, "OOO", &rows[0], &rows[1], &rows[2]) && input_rows(&input, rows[0], rows[1], rows[2]))
        result = Py_BuildValue("(NN)", PyBool_FromLong(input.id != 0), PyBool_FromLong(input.legal));
    input_free(&input);
    return result;
}

static seebatch_status check(const struct input *input, const seebatch_rules *rules, struct call *call,
                             seebatch_fault *fault)
{
    const seebatch_batch batch = {
        .positions = input->positions, .n_positions = input->n, .offsets = input->offsets, .moves = input->moves};
    const int what = rules ? SEEBATCH_CHECK_LEGAL : SEEBATCH_CHECK_SOUND;
    return seebatch_batch_check(rules, &batch, input->n_moves, what, fault, &call->job);
}

/* What passed SEEBATCH_CHECK_SOUND is known from now on: copies are kept with that. */
static void know(struct input *input)
{
    Block *const positions = input->copied[POSITIONS], *const moves = input->copied[MOVES];
    if (positions != NULL) {
        positions->sound = true;
        input->id = positions->id;
        known_keep(input->from[POSITIONS], positions);
    }
    /* Of rows that leave moves out, those were not checked. */
    if (moves == NULL || !input->id || input->offsets[0] != 0 || input->offsets[input->n] != input->n_moves)
        return;
    moves->rows_of = input->id;
    moves->rows_first = input->first - input->rows_first;
    moves->rows = input->one_each ? 0 : input->rows;
    input->legal = true;
    known_keep(input->from[MOVES], moves);
    if (input->copied[OFFSETS] != NULL)
        known_keep(input->from[OFFSETS], input->copied[OFFSETS]);
}

/* Raises Error about what the check found; of an empty board that from_fen() has left, why it did so. */
static void raise_fault(const struct input *input, const seebatch_fault *fault)
{
    for (Py_ssize_t i = 0; input->faults != NULL && i < PyList_Size(input->faults); i++) {
        PyObject *pair = PyList_GetItem(input->faults, i);
        const Py_ssize_t index = PyLong_AsSsize_t(PyTuple_GetItem(pair, 0));
        if (index < 0 || (size_t)index != input->faults_first + fault->position)
            continue;
        PyErr_Format(core_error, "position %zu comes from an unreadable FEN: %U", fault->position,
                     PyTuple_GetItem(pair, 1));
        return;
    }
    set_error(fault->error.text);
}

bool input_check(struct input *input, const seebatch_rules *rules, struct call *call)
{
    if (input->legal || (input->id && !input->moves))
        return true;
    PyObject *progress = call->progress;
    seebatch_fault fault;
    call->progress = NULL; /* it is told of the work alone */
    call_begin(call);
    seebatch_status status = check(input, NULL, call, &fault);
    const bool sound = status == SEEBATCH_OK;
    if (!sound && rules)
        status = check(input, rules, call, &fault);
    const bool went_on = call_end(call);
    call->progress = progress;
    if (went_on && sound)
        know(input);
    if (went_on && status != SEEBATCH_OK)
        raise_fault(input, &fault);
    return went_on && status == SEEBATCH_OK;
}

/* ---- Fields ------------------------------------------------------------------------------------------------------ */

static bool has_fields_of_a_position(const seebatch_position *position)
{
    uint8_t most = position->ep_square;
    for (int i = 0; i < 4; i++)
        most = position->castling_rook[i >> 1][i & 1] > most ? position->castling_rook[i >> 1][i & 1] : most;
    return position->stm < 2 && most <= SEEBATCH_NO_SQUARE && position->shredder < 2;
}

/* check_fields(positions): raises Error about the first whose fields no position has. Evaluation looks at the board, and
 * at the rest only if it needs that, so nonsense would go unseen. */
static PyObject *check_fields(PyObject *module, PyObject *positions)
{
    struct input input = {0};
    const void *data;
    size_t n, i = 0;
    bool good = false;
    (void)module;
    if (input_view(&input, positions, "positions", sizeof(seebatch_position), &data, &n)) {
        const Block *block = block_of(positions, data, n * sizeof(seebatch_position));
        const seebatch_position *position = (const seebatch_position *)data;
        while (i < n && (block == NULL || !block->sound) && has_fields_of_a_position(&position[i]))
            i++;
        good = i == n || (block != NULL && block->sound);
        seebatch_error error = {""};
        seebatch_position wrong;
        if (!good) {
            memcpy(&wrong, &position[i], sizeof wrong); /* which may lie anywhere */
            good =
                seebatch_position_check(&wrong, &error) == SEEBATCH_OK; /* if another thread has changed it meanwhile */
            if (!good)
                PyErr_Format(core_error, "position %zu: %s", i, error.text);
        }
    }
    input_free(&input);
    if (!good)
        return NULL;
    Py_INCREF(Py_None);
    return Py_None;
}

PyMethodDef input_methods[] = {
    {"known", known, METH_VARARGS, NULL}, {"check_fields", check_fields, METH_O, NULL}, {NULL, NULL, 0, NULL}};
