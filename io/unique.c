/*
 * Positions that come again, in an input of any length.
 *
 * The input is read twice. In the first reading the keys of all positions, which are what makes two of them equal, go
 * into a spill by their hashes, each with its number. A group of the spill has all positions of the same hash in the
 * order of the input: of equal ones, all but the first are marked, a bit for each position. The second reading passes
 * over what is marked.
 *
 * Keys are compared, hashes only divide: two positions never count as one because their hashes are the same.
 */
#include "unique.h"

#include <stdlib.h>

#include "formats/binpack.h"
#include "mix.h"
#include "output.h"
#include "spill.h"

/* A position in the spill. */
struct entry {
    struct position_key key;
    uint64_t number;
};

struct unique {
    struct spill *spill;
    uint64_t n;
    struct bytes ends;   /* uint64_t: the number of positions up to the end of each block */
    struct bytes marked; /* a bit for each position: it comes again */
    bool (*stop)(void *user);
    void *user;
    struct bytes table; /* const char *: a hash table of the entries of a group */
    /* Where a hash has more entries than there is memory for, it comes as several groups. */
    uint64_t hash;        /* of the last group, if it had only one */
    struct bytes carried; /* struct entry: those of the last group that were new, if so */
};

struct position_key seebatch_io_key_of_position(const seebatch_position *position)
{
    struct position_key key;
    memset(&key, 0, sizeof key);
    memcpy(key.plane, position->plane, sizeof key.plane);
    key.white = position->white;
    memcpy(key.castling_rook, position->castling_rook, sizeof key.castling_rook);
    key.ep_square = position->ep_square;
    if (key.ep_square != SEEBATCH_NO_SQUARE && !binpack_keeps_en_passant(position))
        key.ep_square = SEEBATCH_NO_SQUARE;
    key.stm = position->stm;
    return key;
}

static uint64_t hash_of(const struct position_key *key)
{
    uint64_t words[sizeof *key / sizeof(uint64_t)], hash = 0;
    memcpy(words, key, sizeof *key);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        hash = mix(hash + words[i] + GOLDEN_GAMMA);
    return hash;
}

struct unique *seebatch_io_unique_new(const char *output, uint64_t memory)
{
    struct unique *unique = calloc(1, sizeof *unique);
    if (unique == NULL)
        return NULL;
    unique->spill = seebatch_io_spill_new(output, memory);
    if (unique->spill != NULL)
        return unique;
    free(unique);
    return NULL;
}

void seebatch_io_unique_free(struct unique *unique)
{
    if (unique == NULL)
        return;
    seebatch_io_spill_free(unique->spill);
    free(unique->ends.data);
    free(unique->marked.data);
    free(unique->table.data);
    free(unique->carried.data);
    free(unique);
}

/* ---- The first reading ------------------------------------------------------------------------------------------- */

bool seebatch_io_unique_add(struct unique *unique, const struct position_key *keys, size_t n, seebatch_io_error *error)
{
    for (size_t i = 0; i < n; i++) {
        const struct entry entry = {keys[i], unique->n++};
        if (!seebatch_io_spill_add(unique->spill, hash_of(&entry.key), &entry, sizeof entry, error))
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

/* The place of an equal entry in the table, or an empty one. */
static const char **find(const char **table, size_t mask, uint64_t hash, const char *entry)
{
    size_t place = hash & mask;
    while (table[place] != NULL && memcmp(table[place], entry, sizeof(struct position_key)) != 0)
        place = (place + 1) & mask;
    return &table[place];
}

/* An empty table for n entries, at most half full. */
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

static bool mark_group(void *user, struct spilled group, seebatch_io_error *error)
{
    struct unique *unique = user;
    struct bytes *carried = &unique->carried;
    const size_t n = (size_t)(group.end - group.at) / sizeof(struct entry);
    size_t mask, length;
    uint64_t hash, first;
    const char *entry;
    memcpy(&first, group.at, sizeof first);
    if (carried->used > 0 && first != unique->hash)
        carried->used = 0;
    const char **table = make_table(unique, n + carried->used / sizeof(struct entry), &mask);
    struct bytes fresh = {0};
    bool one = true;
    if (unique->stop != NULL && unique->stop(unique->user))
        return seebatch_io_fail(error, SEEBATCH_IO_STOPPED, 0, "the run was stopped");
    if (table == NULL)
        return seebatch_io_no_memory(error);
    for (size_t i = 0; i < carried->used; i += sizeof(struct entry))
        *find(table, mask, first, carried->data + i) = carried->data + i;
    while (seebatch_io_spilled_next(&group, &hash, &entry, &length)) {
        const char **place = find(table, mask, hash, entry);
        one &= hash == first;
        if (*place != NULL) {
            mark(unique, entry);
            continue;
        }
        *place = entry;
        if (one)
            bytes_add(&fresh, entry, length);
    }
    if (!one)
        carried->used = 0;
    else
        bytes_add(carried, fresh.data, fresh.used);
    unique->hash = first;
    const bool well = !fresh.failed && !carried->failed;
    free(fresh.data);
    return well || seebatch_io_no_memory(error);
}

bool seebatch_io_unique_find(struct unique *unique, bool (*stop)(void *user), void *user, seebatch_io_error *error)
{
    const size_t size = (size_t)(unique->n / 8 + 1);
    if (!bytes_reserve(&unique->marked, size))
        return seebatch_io_no_memory(error);
    memset(unique->marked.data, 0, size);
    unique->stop = stop;
    unique->user = user;
    const bool well = seebatch_io_spill_take(unique->spill, mark_group, unique, error);
    seebatch_io_spill_free(unique->spill);
    unique->spill = NULL;
    return well;
}

/* ---- The second reading ------------------------------------------------------------------------------------------ */

/* The number of positions before a block. */
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
