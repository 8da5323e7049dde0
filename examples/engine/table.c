/*
 * One entry a slot, found by the low bits of the key: what is kept and what goes is decided in table_store().
 */
#include "table.h"

#include <stdlib.h>
#include <string.h>

bool table_resize(struct table *table, size_t mebibytes)
{
    size_t n = 1;
    while (2 * n * sizeof *table->entries <= mebibytes << 20)
        n *= 2;
    struct table_entry *entries = calloc(n, sizeof *entries);
    if (!entries)
        return false;
    free(table->entries);
    *table = (struct table){.entries = entries, .mask = n - 1};
    return true;
}

void table_clear(struct table *table)
{
    memset(table->entries, 0, (table->mask + 1) * sizeof *table->entries);
    table->age = 0;
}

const struct table_entry *table_find(const struct table *table, uint64_t key)
{
    const struct table_entry *entry = &table->entries[key & table->mask];
    return entry->key == key && entry->bound != BOUND_NONE ? entry : NULL;
}

/* An entry gives way to a deeper one, to any of a later search, and to news of its own position. */
void table_store(struct table *table, uint64_t key, uint16_t move, int score, int depth, int bound)
{
    struct table_entry *entry = &table->entries[key & table->mask];
    if (entry->key != key && entry->age == table->age && entry->depth > depth)
        return;
    if (entry->key == key && move == 0)
        move = entry->move;
    *entry = (struct table_entry){key, move, (int16_t)score, (int8_t)depth, (uint8_t)bound, table->age};
}
