/*
 * Partitions items to disk by the first bits of their keys.
 *
 * Each of 256 groups has a buffer. Where the buffers have half of the memory, all are written to a temporary file, each
 * as a piece, and are empty again. In the end a group's pieces are read back. A group that is larger than a third of
 * the memory is partitioned again first, by the next eight bits of the keys.
 */
#include "disk_partitions.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "descriptors.h"
#include "output.h"
#include "temporary.h"

enum { N_PARTITIONS = 256, PARTITION_BITS = 8, KEY_BITS = 64, HEAD = 12 };

/* A group lies in the file in pieces, of which this is one. */
struct piece {
    uint64_t offset;
    size_t length;
};

struct kept_partition {
    struct bytes buffer;
    struct bytes pieces; /* struct piece */
    uint64_t on_disk;    /* bytes in the file */
};

struct disk_partitions {
    const char *output;
    uint64_t memory, used; /* used: of all buffers */
    bool (*stop)(void *user);
    void *user;
    int depth; /* how many bits of the keys are the same in all items */
    int fd;    /* -1: there is no file */
    uint64_t file_size;
    struct kept_partition groups[N_PARTITIONS];
};

/* ---- The file ---------------------------------------------------------------------------------------------------- */

static bool read_piece(const struct disk_partitions *partitions, const struct piece *piece, char *to,
                       seebatch_io_error *error)
{
    size_t done;
    return descriptor_read_at(partitions->fd, piece->offset, to, piece->length, &done) ||
           seebatch_io_fail(error, SEEBATCH_IO_FAILED, errno, "a temporary file cannot be read back: %s",
                            errno != 0 ? strerror(errno) : "it is shorter than it was");
}

/* ---- Adding ------------------------------------------------------------------------------------------------------ */

struct disk_partitions *seebatch_io_partitions_new(const char *output, uint64_t memory, bool (*stop)(void *user),
                                                   void *user)
{
    struct disk_partitions *partitions = calloc(1, sizeof *partitions);
    if (partitions == NULL)
        return NULL;
    partitions->output = output;
    partitions->memory = memory;
    partitions->stop = stop;
    partitions->user = user;
    partitions->fd = -1;
    return partitions;
}

bool seebatch_io_partitions_is_stopped(const struct disk_partitions *partitions, seebatch_io_error *error)
{
    if (partitions->stop == NULL || !partitions->stop(partitions->user))
        return false;
    seebatch_io_fail(error, SEEBATCH_IO_STOPPED, 0, "the run was stopped");
    return true;
}

static void free_kept(struct kept_partition *group)
{
    free(group->buffer.data);
    free(group->pieces.data);
    memset(group, 0, sizeof *group);
}

void seebatch_io_partitions_free(struct disk_partitions *partitions)
{
    if (partitions == NULL)
        return;
    for (int i = 0; i < N_PARTITIONS; i++)
        free_kept(&partitions->groups[i]);
    if (partitions->fd >= 0)
        close(partitions->fd);
    free(partitions);
}

/* Writes all buffers to the file. Their memory is given back: the next time other groups may be the large ones. */
static bool write_buffers(struct disk_partitions *partitions, seebatch_io_error *error)
{
    if (partitions->fd < 0 && (partitions->fd = seebatch_io_temporary_open(partitions->output, error)) < 0)
        return false;
    for (int i = 0; i < N_PARTITIONS; i++) {
        struct kept_partition *group = &partitions->groups[i];
        const struct piece piece = {partitions->file_size, group->buffer.used};
        if (piece.length == 0)
            continue;
        if (seebatch_io_partitions_is_stopped(partitions, error))
            return false;
        bytes_add(&group->pieces, (const char *)&piece, sizeof piece);
        if (group->pieces.failed)
            return seebatch_io_no_memory(error);
        if (!seebatch_io_temporary_write(partitions->fd, partitions->output, group->buffer.data, piece.length, error))
            return false;
        group->on_disk += piece.length;
        partitions->file_size += piece.length;
        free(group->buffer.data);
        group->buffer = (struct bytes){0};
    }
    partitions->used = 0;
    return true;
}

bool seebatch_io_partitions_add(struct disk_partitions *partitions, uint64_t key, const void *item, size_t length,
                                seebatch_io_error *error)
{
    const unsigned index = (unsigned)(key >> (KEY_BITS - PARTITION_BITS - partitions->depth) & (N_PARTITIONS - 1));
    struct bytes *buffer = &partitions->groups[index].buffer;
    const uint32_t short_length = (uint32_t)length;
    if (length > UINT32_MAX - HEAD)
        return seebatch_io_fail(error, SEEBATCH_IO_FAILED, 0, "a record is too long to be kept: %zu bytes", length);
    if (partitions->used + HEAD + length > partitions->memory / 2 && partitions->used > 0 &&
        !write_buffers(partitions, error))
        return false;
    if (!bytes_reserve(buffer, HEAD + length))
        return seebatch_io_no_memory(error);
    bytes_add(buffer, (const char *)&key, sizeof key);
    bytes_add(buffer, (const char *)&short_length, sizeof short_length);
    bytes_add(buffer, item, length);
    partitions->used += HEAD + length;
    return true;
}

/* ---- Taking ------------------------------------------------------------------------------------------------------ */

bool seebatch_io_partition_next(struct partition *group, uint64_t *key, const char **item, size_t *length)
{
    uint32_t short_length;
    if (group->at == group->end)
        return false;
    memcpy(key, group->at, sizeof *key);
    memcpy(&short_length, group->at + sizeof *key, sizeof short_length);
    *item = group->at + HEAD;
    *length = short_length;
    group->at += HEAD + *length;
    return true;
}

/* What is read takes up to half more, because it grows; the rest is for those who take the group. */
static uint64_t most_of_partition(const struct disk_partitions *partitions) { return partitions->memory / 3; }

/* Reads as many pieces as there is room for, from number *next on. */
static bool read_pieces(const struct disk_partitions *partitions, const struct kept_partition *group, size_t *next,
                        struct bytes *read, seebatch_io_error *error)
{
    const struct piece *pieces = (const void *)group->pieces.data;
    const size_t n = group->pieces.used / sizeof *pieces;
    read->used = 0;
    for (; *next < n && (read->used == 0 || read->used + pieces[*next].length <= most_of_partition(partitions));
         ++*next) {
        if (seebatch_io_partitions_is_stopped(partitions, error))
            return false;
        if (!bytes_reserve(read, pieces[*next].length))
            return seebatch_io_no_memory(error);
        if (!read_piece(partitions, &pieces[*next], read->data + read->used, error))
            return false;
        read->used += pieces[*next].length;
    }
    return true;
}

static bool add_again(void *user, struct partition group, seebatch_io_error *error)
{
    uint64_t key;
    const char *item;
    size_t length;
    while (seebatch_io_partition_next(&group, &key, &item, &length))
        if (!seebatch_io_partitions_add(user, key, item, length, error))
            return false;
    return true;
}

/* Gives a group of the file away, as much at a time as there is memory for. */
static bool take_pieces(const struct disk_partitions *partitions, const struct kept_partition *group,
                        take_partition *take, void *user, seebatch_io_error *error)
{
    struct bytes read = {0};
    bool well = true;
    const size_t n = group->pieces.used / sizeof(struct piece);
    for (size_t next = 0; next < n && well;)
        well = read_pieces(partitions, group, &next, &read, error) &&
               take(user, (struct partition){read.data, bytes_end(&read)}, error);
    free(read.data);
    return well;
}

/* A group that is too large for the memory, divided by further bits of its keys. */
static bool take_divided(const struct disk_partitions *partitions, const struct kept_partition *group,
                         take_partition *take, void *user, seebatch_io_error *error)
{
    struct disk_partitions *parts =
        seebatch_io_partitions_new(partitions->output, partitions->memory, partitions->stop, partitions->user);
    if (parts == NULL)
        return seebatch_io_no_memory(error);
    parts->depth = partitions->depth + PARTITION_BITS;
    struct disk_partitions reader = {
        .fd = partitions->fd, .memory = partitions->memory / 4, .stop = partitions->stop, .user = partitions->user};
    bool well = take_pieces(&reader, group, add_again, parts, error);
    well = well && seebatch_io_partitions_take(parts, take, user, error);
    seebatch_io_partitions_free(parts);
    return well;
}

bool seebatch_io_partitions_take(struct disk_partitions *partitions, take_partition *take, void *user,
                                 seebatch_io_error *error)
{
    bool well = partitions->fd < 0 || write_buffers(partitions, error);
    for (int i = 0; i < N_PARTITIONS && well; i++) {
        struct kept_partition *group = &partitions->groups[i];
        if (seebatch_io_partitions_is_stopped(partitions, error))
            return false;
        if (group->buffer.used > 0)
            well = take(user, (struct partition){group->buffer.data, bytes_end(&group->buffer)}, error);
        else if (group->on_disk > most_of_partition(partitions) && partitions->depth + PARTITION_BITS < KEY_BITS)
            well = take_divided(partitions, group, take, user, error);
        else if (group->on_disk > 0)
            well = take_pieces(partitions, group, take, user, error);
        free_kept(group);
    }
    return well;
}
