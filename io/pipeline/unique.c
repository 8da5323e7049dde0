/*
 * Finds positions that come again, in memory that does not grow with the input.
 *
 * The input is read twice. In the first pass the keys of all positions, which are what makes two of them equal, go
 * into partitions by their hashes, each with its number. A partition has all positions of the same hash in the
 * order of the input: of equal ones, all but the first are marked, a bit for each position. The second pass passes
 * over what is marked.
 *
 * Keys are compared, hashes only divide: two positions never count as one because their hashes are the same. The hash has
 * a secret key, so that nobody can make a file whose positions meet in one place of a table; and because a place is
 * looked for among MOST_PROBES only, time and memory have a bound even then.
 */
#include "unique.h"

#include <stdlib.h>

#include "files/output.h"
#include "files/disk_partitions.h"

/* A table is at most half full: with hashes at random, the chance that one of 2^30 positions finds so many places taken
 * is below 2^-40. ASK_AFTER: entries of a group between two questions whether to stop. */
enum { MOST_PROBES = 256, ASK_AFTER = 1 << 14 };

/* The partitions hold this of a position. */
struct entry {
    struct position_key key;
    uint64_t number;
};

struct unique {
    struct disk_partitions *partitions;
    struct hash_key key;
    uint64_t n;
    struct bytes ends;   /* uint64_t: the number of positions up to the end of each block */
    struct bytes marked; /* a bit for each position: it comes again */
    struct bytes table;  /* const char *: a hash table of the entries of a group */
    /* Where a hash has more entries than there is memory for, it comes as several groups. */
    uint64_t hash;        /* of the last group, if it had only one */
    struct bytes carried; /* struct entry: those of the last group that were new, if so; at most MOST_PROBES */
};

struct unique *seebatch_io_unique_new(const char *output, uint64_t memory, bool (*stop)(void *user), void *user,
                                      struct hash_key key)
{
    struct unique *unique = calloc(1, sizeof *unique);
    if (unique == NULL)
        return NULL;
    unique->key = key;
    unique->partitions = seebatch_io_partitions_new(output, memory, stop, user);
    if (unique->partitions != NULL)
        return unique;
    free(unique);
    return NULL;
}

void seebatch_io_unique_free(struct unique *unique)
{
    if (unique == NULL)
        return;
    seebatch_io_partitions_free(unique->partitions);
    free(unique->ends.data);
    free(unique->marked.data);
    free(unique->table.data);
    free(unique->carried.data);
    free(unique);
}

/* ---- The first pass ------------------------------------------------------------------------------------------- */

bool seebatch_io_unique_add(struct unique *unique, const struct position_key *keys, size_t n, seebatch_io_error *error)
{
    for (size_t i = 0; i < n; i++) {
        const struct entry entry = {keys[i], unique->n++};
        const uint64_t hash = seebatch_io_keyed_hash(&unique->key, &entry.key, sizeof entry.key);
        if (!seebatch_io_partitions_add(unique->partitions, hash, &entry, sizeof entry, error))
            return false;
    }
    return true;
}

bool seebatch_io_unique_end_block(struct unique *unique, seebatch_io_error *error)
{
    bytes_add(&unique->ends, (const char *)&unique->n, sizeof unique->n);
    return !unique->ends.failed || seebatch_io_no_memory(error);
}

/* ---- What comes again -------------------------------------------------------------------------------------------- */

/* Returns the place of an equal entry in the table, or an empty place; NULL after MOST_PROBES others. */
static const char **find(const char **table, size_t mask, uint64_t hash, const char *entry)
{
    size_t place = hash & mask;
    for (int probe = 0; probe < MOST_PROBES; probe++, place = (place + 1) & mask)
        if (table[place] == NULL || memcmp(table[place], entry, sizeof(struct position_key)) == 0)
            return &table[place];
    return NULL;
}

static bool too_many_meet(seebatch_io_error *error)
{
    return seebatch_io_fail(error, SEEBATCH_IO_FAILED, 0,
                            "%d different positions have the same place in a table, which does not happen by chance; "
                            "run it again, because each run chooses other places",
                            MOST_PROBES);
}

/* Makes an empty table for n entries, at most half full. */
static const char **make_table(struct unique *unique, size_t n, size_t *mask)
{
    size_t size = 2;
    while (size < 2 * n)
        size *= 2;
    *mask = size - 1;
    unique->table.used = 0;
    if (!bytes_reserve(&unique->table, size * sizeof(char *)))
        return NULL;
    memset(unique->table.data, 0, size * sizeof(char *));
    return (const char **)(void *)unique->table.data;
}

static void mark(struct unique *unique, const char *entry)
{
    uint64_t number;
    memcpy(&number, entry + offsetof(struct entry, number), sizeof number);
    unique->marked.data[number / 8] = (char)(unique->marked.data[number / 8] | 1 << number % 8);
}

/* Puts those of the last group of the same hash into the table. */
static bool take_carried(const struct bytes *carried, const char **table, size_t mask, uint64_t hash)
{
    for (size_t i = 0; i < carried->used; i += sizeof(struct entry)) {
        const char **place = find(table, mask, hash, carried->data + i);
        if (place == NULL)
            return false;
        *place = carried->data + i;
    }
    return true;
}

static bool mark_partition(void *user, struct partition group, seebatch_io_error *error)
{
    struct unique *unique = user;
    struct bytes *carried = &unique->carried, fresh = {0};
    const size_t n = (size_t)(group.end - group.at) / sizeof(struct entry);
    size_t mask, length, taken = 0;
    uint64_t hash, first;
    const char *entry;
    bool one = true, well = true;
    memcpy(&first, group.at, sizeof first);
    if (carried->used > 0 && first != unique->hash)
        carried->used = 0;
    const char **table = make_table(unique, n + carried->used / sizeof(struct entry), &mask);
    if (table == NULL)
        return seebatch_io_no_memory(error);
    if (!take_carried(carried, table, mask, first))
        return too_many_meet(error);
    while (well && seebatch_io_partition_next(&group, &hash, &entry, &length)) {
        const char **place = find(table, mask, hash, entry);
        one &= hash == first;
        if (place == NULL) {
            well = too_many_meet(error);
        } else if (*place != NULL) {
            mark(unique, entry);
        } else {
            *place = entry;
            if (one)
                bytes_add(&fresh, entry, length);
        }
        well = well && (++taken % ASK_AFTER != 0 || !seebatch_io_partitions_is_stopped(unique->partitions, error));
    }
    if (!one)
        carried->used = 0;
    else
        bytes_add(carried, fresh.data, fresh.used);
    unique->hash = first;
    const bool kept = !fresh.failed && !carried->failed;
    free(fresh.data);
    return well && (kept || seebatch_io_no_memory(error));
}

bool seebatch_io_unique_find(struct unique *unique, seebatch_io_error *error)
{
    const size_t size = (size_t)(unique->n / 8 + 1);
    if (!bytes_reserve(&unique->marked, size))
        return seebatch_io_no_memory(error);
    memset(unique->marked.data, 0, size);
    const bool well = seebatch_io_partitions_take(unique->partitions, mark_partition, unique, error);
    seebatch_io_partitions_free(unique->partitions);
    unique->partitions = NULL;
    return well;
}

/* ---- The second pass ------------------------------------------------------------------------------------------ */

/* Counts the positions before a block. */
static uint64_t positions_before(const struct unique *unique, uint64_t block)
{
    const uint64_t *ends = (const void *)unique->ends.data;
    const uint64_t n = unique->ends.used / sizeof *ends;
    return block == 0 || n == 0 ? 0 : ends[block <= n ? block - 1 : n - 1];
}

uint64_t seebatch_io_unique_in_block(const struct unique *unique, uint64_t block)
{
    return positions_before(unique, block + 1) - positions_before(unique, block);
}

bool seebatch_io_unique_is_first(const struct unique *unique, uint64_t block, uint64_t position)
{
    const uint64_t number = positions_before(unique, block) + position;
    return number >= unique->n || !(unique->marked.data[number / 8] >> number % 8 & 1);
}
