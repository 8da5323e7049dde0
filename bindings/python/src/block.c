/* Blocks: the memory of results. */
#include "core.h"

#include <string.h>

#define POSITION_FORMAT                                                                                                \
    "T{(3)Q:plane:Q:white:B:stm:B:ep_square:(2,2)B:castling_rook:B:shredder:B:reserved:H:halfmove_clock:"              \
    "H:fullmove_number:4x}"

const struct kind kind_positions = {"positions", POSITION_FORMAT, sizeof(seebatch_position), true, {0}};
const struct kind kind_offsets = {"offsets", "q", sizeof(size_t), true, {0}};
const struct kind kind_counts = {"counts", "q", sizeof(size_t), false, {0}};
const struct kind kind_moves = {"moves", "H", sizeof(seebatch_move), true, {0}};
const struct kind kind_values = {"values", "h", sizeof(int16_t), false, {0}};
const struct kind kind_flags = {"flags", "?", 1, false, {0}};
const struct kind kind_maps = {"maps", "h", sizeof(int16_t), false, {2, 64}};
const struct kind kind_numbers = {"numbers", "i", sizeof(int32_t), false, {0}};
const struct kind kind_bytes = {"bytes", "B", 1, false, {0}};
const struct kind kind_results = {"results", "f", sizeof(float), false, {0}};
const struct kind kind_boards = {"boards", "B", 1, false, {64}};
const struct kind kind_bitboards = {"bitboards", "Q", sizeof(uint64_t), false, {2, 6}};

_Static_assert(sizeof(size_t) == sizeof(int64_t), "offsets are int64");

/* CPython 3.9 does not have it. */
#ifdef Py_TPFLAGS_DISALLOW_INSTANTIATION
enum { NO_INSTANCES = Py_TPFLAGS_DISALLOW_INSTANTIATION };
#else
enum { NO_INSTANCES = 0 };
#endif

void clear_padding(seebatch_position *position)
{
    enum { END = offsetof(seebatch_position, fullmove_number) + 2 };
    memset((char *)position + END, 0, sizeof *position - END);
}

static PyTypeObject *block_type;
static uint64_t last_id;

Block *block_new(const struct kind *kind, size_t n)
{
    Block *block = PyObject_New(Block, block_type);
    if (block == NULL)
        return NULL;
    block->kind = kind;
    block->id = ++last_id;
    block->data = NULL;
    block->n = 0;
    block->ndim = 1;
    block->sound = false;
    block->faults = NULL;
    block->rows_of = block->rows = 0;
    block->rows_first = 0;
    if (!block_resize(block, 0, n)) {
        Py_DECREF(block);
        return NULL;
    }
    return block;
}

bool block_resize(Block *block, size_t used, size_t n)
{
    const size_t size = block->kind->size;
    void *data = block->data ? memory_resize(block->data, used * size, n, size) : memory_new(n, size);
    if (data == NULL)
        return false;
    block->data = data;
    block->n = (Py_ssize_t)n;
    return true;
}

void block_finish(Block *block, size_t n)
{
    const size_t size = block->kind->size;
    if (n * size < memory_room(block->data) / 4) {
        void *data = memory_resize(block->data, n * size, n, size);
        if (data != NULL)
            block->data = data;
        PyErr_Clear(); /* it stays where it is */
    }
    block->n = (Py_ssize_t)n;
    block->shape[0] = (Py_ssize_t)n;
    for (int i = 0; i < 2 && block->kind->inner[i]; i++) {
        block->shape[block->ndim++] = block->kind->inner[i];
        block->shape[0] /= block->kind->inner[i];
    }
    block->strides[block->ndim - 1] = (Py_ssize_t)size;
    for (int i = block->ndim - 1; i > 0; i--)
        block->strides[i - 1] = block->strides[i] * block->shape[i];
}

static void block_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    memory_free(((Block *)self)->data);
    Py_XDECREF(((Block *)self)->faults);
    PyObject_Free(self);
    Py_DECREF(type);
}

static int block_getbuffer(PyObject *self, Py_buffer *view, int flags)
{
    Block *block = (Block *)self;
    if ((flags & PyBUF_WRITABLE) && block->kind->fixed) {
        PyErr_Format(PyExc_BufferError,
                     "%s of the library are read-only, because they are known to be right: copy them",
                     block->kind->name);
        return -1;
    }
    view->obj = self;
    Py_INCREF(self);
    view->buf = block->data;
    view->len = block->n * (Py_ssize_t)block->kind->size;
    view->readonly = block->kind->fixed;
    view->itemsize = (Py_ssize_t)block->kind->size;
    view->format = (flags & PyBUF_FORMAT) ? (char *)(uintptr_t)block->kind->format : NULL;
    view->ndim = block->ndim;
    view->shape = (flags & PyBUF_ND) ? block->shape : NULL;
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? block->strides : NULL;
    view->suboffsets = NULL;
    view->internal = NULL;
    return 0;
}

/* An array of NumPy says in `base` whose memory it is, a memoryview in `obj`. Whatever an object says there, memory
 * within a block belongs to it. */
Block *block_of(PyObject *array, const void *data, size_t bytes)
{
    enum { MOST_STEPS = 8 };
    PyObject *object = array;
    Block *found = NULL;
    Py_INCREF(object);
    for (int step = 0; step < MOST_STEPS && object != NULL && object != Py_None; step++) {
        if (Py_TYPE(object) == block_type) {
            Block *block = (Block *)object;
            const uintptr_t begin = (uintptr_t)block->data, end = begin + (size_t)block->n * block->kind->size;
            if ((uintptr_t)data >= begin && (uintptr_t)data <= end && bytes <= end - (uintptr_t)data)
                found = block;
            break;
        }
        PyObject *next = PyObject_GetAttrString(object, PyMemoryView_Check(object) ? "obj" : "base");
        PyErr_Clear();
        Py_DECREF(object);
        object = next;
    }
    Py_XDECREF(object);
    return found;
}

bool block_ready(PyObject *module)
{
    static PyType_Slot slots[] = {{Py_tp_dealloc, (void *)block_dealloc},
                                  {Py_bf_getbuffer, (void *)block_getbuffer},
                                  {Py_tp_doc, "Memory of a result. memoryview() and NumPy take it."},
                                  {0, NULL}};
    static PyType_Spec spec = {"seebatch._core.Block", sizeof(Block), 0, Py_TPFLAGS_DEFAULT | NO_INSTANCES, slots};
    if (!add_type(module, "Block", &spec, &block_type))
        return false;
#ifndef Py_LIMITED_API
    block_type->tp_new = NULL;
#endif
    return true;
}
