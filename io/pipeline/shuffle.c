/*
 * Writes records in a random order, in memory that does not grow with their number.
 *
 * The record that would be written as number n gets the key splitmix(seed + n * an odd number), one of 2^64, and the order
 * is that of the keys. No two records have the same key, since the multiplication and the mixing are one to one. So the
 * order depends on the seed and on the records that are written, and neither on memory nor on threads.
 *
 * The records are kept in partitions, by the first bits of their keys; its groups are sorted in memory, one after another.
 */
#include "shuffle.h"

#include <stdlib.h>

#include "support/splitmix.h"
#include "files/disk_partitions.h"

struct shuffle {
    struct disk_partitions *partitions;
    const struct file_format *format;
    uint64_t start, n; /* of the keys; records so far */
    /* In the end: */
    struct output *output;
    uint64_t *written;
    struct bytes order; /* struct item, of a group */
    struct bytes out;
    size_t n_out; /* records in it */
};

/* Holds a record of a group. */
struct item {
    uint64_t key;
    const char *record;
    size_t length;
};

struct shuffle *seebatch_io_shuffle_new(const struct file_format *format, const char *output, uint64_t memory,
                                        bool (*stop)(void *user), void *user, uint64_t seed)
{
    struct shuffle *shuffle = calloc(1, sizeof *shuffle);
    if (shuffle == NULL)
        return NULL;
    shuffle->format = format;
    shuffle->start = splitmix(seed + GOLDEN_GAMMA);
    shuffle->partitions = seebatch_io_partitions_new(output, memory, stop, user);
    if (shuffle->partitions != NULL)
        return shuffle;
    free(shuffle);
    return NULL;
}

void seebatch_io_shuffle_free(struct shuffle *shuffle)
{
    if (shuffle == NULL)
        return;
    seebatch_io_partitions_free(shuffle->partitions);
    free(shuffle->order.data);
    free(shuffle->out.data);
    free(shuffle);
}

bool seebatch_io_shuffle_add(struct shuffle *shuffle, const char *records, const uint32_t *lengths, size_t n,
                             seebatch_io_error *error)
{
    for (size_t i = 0; i < n; records += lengths[i++])
        if (!seebatch_io_partitions_add(shuffle->partitions, splitmix(shuffle->start + ++shuffle->n * GOLDEN_GAMMA),
                                        records, lengths[i], error))
            return false;
    return true;
}

static int compare_keys(const void *a, const void *b)
{
    const uint64_t key_a = ((const struct item *)a)->key, key_b = ((const struct item *)b)->key;
    return (key_a > key_b) - (key_a < key_b);
}

/* Writes what has gathered. */
static bool write_out(struct shuffle *shuffle, seebatch_io_error *error)
{
    struct bytes *out = &shuffle->out;
    const struct file_format *format = shuffle->format;
    if (out->failed)
        return seebatch_io_no_memory(error);
    if (out->used == 0)
        return true;
    if (format->frame > 0)
        format->put_frame(out->data, out->used);
    if (seebatch_io_partitions_is_stopped(shuffle->partitions, error))
        return false;
    const bool well = seebatch_io_output_write(shuffle->output, format->whole, out->data, out->used, error);
    *shuffle->written += well ? shuffle->n_out : 0;
    out->used = shuffle->n_out = 0;
    return well;
}

static bool write_partition(void *user, struct partition group, seebatch_io_error *error)
{
    enum { PIECE = 1 << 20 };
    struct shuffle *shuffle = user;
    const size_t frame = shuffle->format->frame;
    struct bytes *order = &shuffle->order, *out = &shuffle->out;
    struct item item;
    order->used = 0;
    while (seebatch_io_partition_next(&group, &item.key, &item.record, &item.length))
        bytes_add(order, (const char *)&item, sizeof item);
    if (order->failed)
        return seebatch_io_no_memory(error);
    struct item *items = (void *)order->data;
    const size_t n = order->used / sizeof *items;
    if (n > 0)
        qsort(items, n, sizeof *items, compare_keys);
    for (size_t i = 0; i < n; i++) {
        const size_t skipped = out->used == 0 ? 0 : frame; /* the frame of the first is that of all */
        bytes_add(out, items[i].record + skipped, items[i].length - skipped);
        shuffle->n_out++;
        if (out->used >= PIECE && !write_out(shuffle, error))
            return false;
    }
    return true;
}

bool seebatch_io_shuffle_write(struct shuffle *shuffle, struct output *output, uint64_t *written,
                               seebatch_io_error *error)
{
    shuffle->output = output;
    shuffle->written = written;
    return seebatch_io_partitions_take(shuffle->partitions, write_partition, shuffle, error) &&
           write_out(shuffle, error);
}
