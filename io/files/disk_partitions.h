/*
 * Items divided by the first bits of their keys, in memory as long as they fit, and beyond that in a temporary file.
 * unique.c divides positions by their hashes with it, and shuffle.c records by random keys; both then work on one
 * partition at a time, which fits in memory.
 */
#ifndef SEEBATCH_IO_DISK_PARTITIONS_H
#define SEEBATCH_IO_DISK_PARTITIONS_H

#include "support/bytes.h"
#include "seebatch_io.h"

struct disk_partitions;

/* The least and the usual number of bytes of memory that the partitions take, together with what looks at one of their
 * groups. */
enum { LEAST_MEMORY = 1 << 20, USUAL_MEMORY = 1 << 30 };

/* No items yet. The temporary file is made beside the output, or where none is named, in TMPDIR or /tmp; output lasts
 * as long as the partitions. stop and user as in seebatch_pipeline_options: true ends whatever takes long. NULL if there is no
 * memory. */
struct disk_partitions *seebatch_io_partitions_new(const char *output, uint64_t memory, bool (*stop)(void *user),
                                                   void *user);

/* Whether the caller wants the work to stop; then *error says so. */
bool seebatch_io_partitions_is_stopped(const struct disk_partitions *partitions, seebatch_io_error *error);

/* False, and *error, if there is no memory or no room on the disk, or if it was stopped. */
bool seebatch_io_partitions_add(struct disk_partitions *partitions, uint64_t key, const void *item, size_t length,
                                seebatch_io_error *error);

/* What is given to a function that takes a group: items, each with its key and its length before it. */
struct partition {
    const char *at, *end;
};
bool seebatch_io_partition_next(struct partition *group, uint64_t *key, const char **item, size_t *length);

typedef bool take_partition(void *user, struct partition group, seebatch_io_error *error);

/* Gives away all items, once: group by group, in the order of keys; within a group in the order in which they were
 * added. A group takes a third of the memory at most; only items of one key may be several groups. False where the
 * function returns false, the file cannot be read, or it was stopped. */
bool seebatch_io_partitions_take(struct disk_partitions *partitions, take_partition *take, void *user,
                                 seebatch_io_error *error);

/* NULL is allowed. */
void seebatch_io_partitions_free(struct disk_partitions *partitions);

#endif
