/*
 * Memory of blocks and copies. Large pieces are of huge pages where the system has them, and some that were freed are
 * kept for the next call: to touch a page for the first time costs more than to read the FENs that are written there.
 * Callers hold the GIL.
 */
#define _DEFAULT_SOURCE
#include "core.h"

#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#define aligned_alloc(alignment, size) malloc(size) /* pages are huge for the privileged alone */
#else
#include <sys/mman.h>
#endif

enum { HEADER = 64, LARGE = 1 << 20, HUGE_PAGE = 1 << 21, MOST_KEPT = 16, KEPT_BYTES = 1 << 27 };

/* Stands before each piece. */
struct header {
    size_t size; /* with it */
};

static struct header *kept[MOST_KEPT]; /* the oldest first */
static int n_kept;
static size_t kept_bytes;

static struct header *take_kept(int i)
{
    struct header *piece = kept[i];
    memmove(kept + i, kept + i + 1, (size_t)(--n_kept - i) * sizeof *kept);
    kept_bytes -= piece->size;
    return piece;
}

/* A kept piece that is not much too large, or NULL. */
static struct header *reuse(size_t size)
{
    for (int i = n_kept - 1; i >= 0; i--) {
        if (kept[i]->size >= size && kept[i]->size / 2 <= size)
            return take_kept(i);
    }
    return NULL;
}

static struct header *large(size_t size)
{
    struct header *piece = reuse(size);
    if (piece != NULL)
        return piece;
    size = (size + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    piece = (struct header *)aligned_alloc(HUGE_PAGE, size);
    if (piece == NULL)
        return NULL;
#ifdef MADV_HUGEPAGE
    madvise(piece, size, MADV_HUGEPAGE);
#endif
    piece->size = size;
    return piece;
}

void *memory_new(size_t n, size_t size)
{
    struct header *piece = NULL;
    if (n <= ((size_t)PY_SSIZE_T_MAX - HUGE_PAGE) / size) {
        const size_t bytes = n * size + HEADER;
        piece = bytes >= LARGE ? large(bytes) : (struct header *)malloc(bytes);
        if (piece != NULL && bytes < LARGE)
            piece->size = bytes;
    }
    if (piece == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    return (char *)piece + HEADER;
}

void memory_free(void *memory)
{
    struct header *piece = memory ? (struct header *)(void *)((char *)memory - HEADER) : NULL;
    if (piece == NULL || piece->size < LARGE || piece->size > KEPT_BYTES) {
        free(piece);
        return;
    }
    while (n_kept == MOST_KEPT || kept_bytes + piece->size > KEPT_BYTES)
        free(take_kept(0));
    kept[n_kept++] = piece;
    kept_bytes += piece->size;
}

void *memory_resize(void *memory, size_t used, size_t n, size_t size)
{
    void *other = memory_new(n, size);
    if (other != NULL) {
        memcpy(other, memory, used);
        memory_free(memory);
    }
    return other;
}

size_t memory_room(const void *memory)
{
    return ((const struct header *)(const void *)((const char *)memory - HEADER))->size - HEADER;
}
