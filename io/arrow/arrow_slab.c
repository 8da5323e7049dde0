/*
 * Allocates memory that several holders share, and frees it when the last of them lets go. arrow_tree.c calls it.
 */
#if defined(__linux__)
#define _DEFAULT_SOURCE /* madvise */
#include <sys/mman.h>
#endif

#include "arrow_slab.h"

#include <stdlib.h>

enum { ALIGNMENT = 64, HUGE_PAGE = 1 << 21 };

struct arrow_slab {
    size_t holders; /* only read and changed by the atomic builtins */
    size_t used;    /* of the bytes from the beginning of the slab */
};

/* Tables keep every piece, so most are memory that was never used before: in pages of 4 KiB the system takes longer to
 * give it than it takes to fill it. */
static void *memory_of(size_t size)
{
    char *memory = malloc(size);
#if defined(MADV_HUGEPAGE)
    const size_t before = -(size_t)memory % HUGE_PAGE;
    if (memory != NULL && size >= before + HUGE_PAGE)
        madvise(memory + before, (size - before) / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE); /* a wish */
#endif
    return memory;
}

struct arrow_slab *seebatch_io_arrow_slab_new(size_t size)
{
    struct arrow_slab *slab = memory_of(size + (size_t)2 * ALIGNMENT);
    if (slab != NULL)
        *slab = (struct arrow_slab){.holders = 1, .used = sizeof *slab};
    return slab;
}

void *seebatch_io_arrow_slab_take(struct arrow_slab *slab, size_t size)
{
    const size_t end = (size_t)slab + slab->used, begin = (end + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    slab->used += begin - end + size;
    return (char *)slab + slab->used - size;
}

void seebatch_io_arrow_slab_hold(struct arrow_slab *slab) { __atomic_fetch_add(&slab->holders, 1, __ATOMIC_RELAXED); }

void seebatch_io_arrow_slab_drop(struct arrow_slab *slab)
{
    if (slab != NULL && __atomic_sub_fetch(&slab->holders, 1, __ATOMIC_ACQ_REL) == 0)
        free(slab);
}
