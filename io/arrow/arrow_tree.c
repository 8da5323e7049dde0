/*
 * Allocates the nodes of Arrow's arrays and schemas with their children. Whatever exports an array or a schema calls
 * it.
 */
#include "arrow_tree.h"

#include <stdlib.h>
#include <string.h>

struct schema_node {
    struct ArrowSchema **children; /* into the room after this struct */
    struct ArrowSchema child[];
};

struct array_node {
    void *memory[MOST_ARROW_BUFFERS];
    struct arrow_slab *slab;
    const void *buffers[MOST_ARROW_BUFFERS];
    struct ArrowArray **children;
    struct ArrowArray child[];
};

static void release_schema(struct ArrowSchema *schema)
{
    struct schema_node *node = schema->private_data;
    for (int64_t i = 0; i < schema->n_children; i++) {
        if (schema->children[i]->release != NULL)
            schema->children[i]->release(schema->children[i]);
    }
    free(node->children);
    free(node);
    schema->release = NULL;
}

static void release_array(struct ArrowArray *array)
{
    struct array_node *node = array->private_data;
    for (int64_t i = 0; i < array->n_children; i++) {
        if (array->children[i]->release != NULL)
            array->children[i]->release(array->children[i]);
    }
    for (int i = 0; i < MOST_ARROW_BUFFERS; i++)
        free(node->memory[i]);
    seebatch_io_arrow_slab_drop(node->slab);
    free(node->children);
    free(node);
    array->release = NULL;
}

bool seebatch_io_arrow_schema(struct ArrowSchema *schema, const char *format, const char *name, bool nullable,
                              size_t n_children)
{
    memset(schema, 0, sizeof *schema);
    struct schema_node *node = calloc(1, sizeof *node + n_children * sizeof *node->child);
    if (node != NULL)
        node->children = calloc(n_children + 1, sizeof *node->children);
    if (node == NULL || node->children == NULL) {
        free(node);
        return false;
    }
    for (size_t i = 0; i < n_children; i++)
        node->children[i] = &node->child[i];
    schema->format = format;
    schema->name = name;
    schema->flags = nullable ? ARROW_FLAG_NULLABLE : 0;
    schema->n_children = (int64_t)n_children;
    schema->children = n_children ? node->children : NULL;
    schema->release = release_schema;
    schema->private_data = node;
    return true;
}

/* An array with buffers that are not its own yet; NULL if there is no memory. */
static struct array_node *new_array(struct ArrowArray *array, size_t length, size_t nulls,
                                    const void *const buffers[MOST_ARROW_BUFFERS], size_t n_buffers, size_t n_children)
{
    memset(array, 0, sizeof *array);
    struct array_node *node = calloc(1, sizeof *node + n_children * sizeof *node->child);
    if (node != NULL)
        node->children = calloc(n_children + 1, sizeof *node->children);
    if (node == NULL || node->children == NULL) {
        free(node);
        return NULL;
    }
    for (int i = 0; i < MOST_ARROW_BUFFERS; i++)
        node->buffers[i] = buffers[i];
    for (size_t i = 0; i < n_children; i++)
        node->children[i] = &node->child[i];
    array->length = (int64_t)length;
    array->null_count = (int64_t)nulls;
    array->n_buffers = (int64_t)n_buffers;
    array->buffers = node->buffers;
    array->n_children = (int64_t)n_children;
    array->children = n_children ? node->children : NULL;
    array->release = release_array;
    array->private_data = node;
    return node;
}

bool seebatch_io_arrow_array(struct ArrowArray *array, size_t length, size_t nulls,
                             void *const memory[MOST_ARROW_BUFFERS], size_t n_buffers, size_t n_children)
{
    const void *const buffers[MOST_ARROW_BUFFERS] = {memory[0], memory[1], memory[2]};
    struct array_node *node = new_array(array, length, nulls, buffers, n_buffers, n_children);
    for (int i = 0; i < MOST_ARROW_BUFFERS; i++) {
        if (node == NULL)
            free(memory[i]);
        else
            node->memory[i] = memory[i];
    }
    return node != NULL;
}

bool seebatch_io_arrow_array_in(struct ArrowArray *array, size_t length, size_t nulls,
                                const void *const buffers[MOST_ARROW_BUFFERS], size_t n_buffers, size_t n_children,
                                struct arrow_slab *slab, void *own)
{
    struct array_node *node = new_array(array, length, nulls, buffers, n_buffers, n_children);
    if (node == NULL) {
        free(own);
        return false;
    }
    node->memory[0] = own;
    node->slab = slab;
    seebatch_io_arrow_slab_hold(slab);
    return true;
}

uint8_t *seebatch_io_arrow_bits(const uint8_t *bytes, size_t n, unsigned mask)
{
    uint8_t *bits = calloc(n / 8 + 1, 1);
    for (size_t i = 0; bits != NULL && i < n; i++)
        bits[i / 8] |= (uint8_t)((bytes[i] & mask ? 1u : 0u) << i % 8);
    return bits;
}
