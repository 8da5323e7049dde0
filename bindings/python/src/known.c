/*
 * Copies of arrays that came in and were found to be right, kept for the next call. What was unpickled, or copied with
 * NumPy, belongs to no block, and usually comes again: as long as it holds the same bytes at the same place, its copy
 * serves, and nothing is checked twice. To compare takes no longer than to copy. If there is no room for another, the copy
 * that was not used for longest goes: positions that come with other moves each time stay. Callers hold the GIL.
 */
#include "core.h"

#include <string.h>

enum { MOST = 512, MOST_BYTES = 1 << 27, FEW_BYTES = 1 << 10 };

struct pair {
    const void *data; /* where the array was */
    Block *copy;
};

static struct pair kept[MOST]; /* what was used last stands last */
static int n_kept;
static size_t kept_bytes;

static size_t bytes_of(const Block *block) { return (size_t)block->n * block->kind->size; }

static struct pair take_out(int i)
{
    const struct pair pair = kept[i];
    memmove(kept + i, kept + i + 1, (size_t)(--n_kept - i) * sizeof *kept);
    return pair;
}

static void forget(int i)
{
    Block *copy = take_out(i).copy;
    kept_bytes -= bytes_of(copy);
    Py_DECREF((PyObject *)copy);
}

static int place_of(const struct kind *kind, const void *data)
{
    int i = n_kept - 1;
    while (i >= 0 && !(kept[i].data == data && kept[i].copy->kind == kind))
        i--;
    return i;
}

Block *known_copy(const struct kind *kind, const void *data, size_t n)
{
    const int i = place_of(kind, data);
    Block *block = i < 0 ? NULL : kept[i].copy;
    if (block != NULL && (size_t)block->n == n && memcmp(block->data, data, n * kind->size) == 0) {
        const struct pair pair = take_out(i);
        kept[n_kept++] = pair;
        Py_INCREF((PyObject *)block);
        return block;
    }
    block = block_new(kind, n);
    if (block != NULL && n)
        memcpy(block->data, data, n * kind->size);
    if (block != NULL)
        block_finish(block, n);
    return block;
}

void known_keep(const void *data, Block *copy)
{
    const size_t bytes = bytes_of(copy);
    const int i = place_of(copy->kind, data);
    Py_INCREF((PyObject *)copy);
    if (i >= 0)
        forget(i);
    while (n_kept && (n_kept == MOST || kept_bytes + bytes > MOST_BYTES) && bytes <= MOST_BYTES)
        forget(0);
    if (bytes < FEW_BYTES || bytes > MOST_BYTES) { /* quickly checked; or too much to keep */
        Py_DECREF((PyObject *)copy);
        return;
    }
    kept[n_kept++] = (struct pair){data, copy};
    kept_bytes += bytes;
}
