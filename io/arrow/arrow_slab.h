/*
 * The memory of an array with its children, in one piece. They share it, and the last one that is released, from
 * whatever thread, frees it.
 */
#ifndef SEEBATCH_IO_ARROW_SLAB_H
#define SEEBATCH_IO_ARROW_SLAB_H

#include <stdbool.h>
#include <stddef.h>

struct arrow_slab;

/* Allocates a piece with room for so many bytes, held once; returns NULL if there is no memory. */
struct arrow_slab *seebatch_io_arrow_slab_new(size_t size);

/* Takes so many bytes of the slab, from an address that 64 divides. All sizes together, each rounded up to a multiple
 * of 64, are at most the size of the slab. */
void *seebatch_io_arrow_slab_take(struct arrow_slab *slab, size_t size);

void seebatch_io_arrow_slab_hold(struct arrow_slab *slab);

/* NULL is allowed. */
void seebatch_io_arrow_slab_drop(struct arrow_slab *slab);

#endif
