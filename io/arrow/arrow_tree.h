/*
 * Arrays and schemas of Arrow as trees of nodes. Each node owns its memory, so that a consumer may take a child out
 * of its parent and release it on its own, as the C data interface allows.
 */
#ifndef SEEBATCH_IO_ARROW_TREE_H
#define SEEBATCH_IO_ARROW_TREE_H

#include <stdbool.h>

#include "arrow_slab.h"
#include "seebatch_arrow.h"

enum { MOST_ARROW_BUFFERS = 3 };

/* A schema with children that are to be filled. format and name last for ever. False if there is no memory. */
bool seebatch_io_arrow_schema(struct ArrowSchema *schema, const char *format, const char *name, bool nullable,
                              size_t n_children);

/* An array with children that are to be filled. It owns the memory of its buffers, of which those that are NULL are
 * none, and does so, too, if that fails: then there is no memory, and the buffers are freed. */
bool seebatch_io_arrow_array(struct ArrowArray *array, size_t length, size_t nulls,
                             void *const memory[MOST_ARROW_BUFFERS], size_t n_buffers, size_t n_children);

/* Does the same with buffers in a slab, which it holds, and with memory of its own besides, or NULL. */
bool seebatch_io_arrow_array_in(struct ArrowArray *array, size_t length, size_t nulls,
                                const void *const buffers[MOST_ARROW_BUFFERS], size_t n_buffers, size_t n_children,
                                struct arrow_slab *slab, void *own);

/* The bits of n bytes, those that have one of the mask; NULL if there is no memory. */
uint8_t *seebatch_io_arrow_bits(const uint8_t *bytes, size_t n, unsigned mask);

#endif
