/*
 * The transposition table: what earlier searches found out about a position.
 */
#ifndef TABLE_H
#define TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BOUND_NONE = 0, BOUND_LOWER = 1, BOUND_UPPER = 2, BOUND_EXACT = 3 };

struct table_entry {
    uint64_t key;
    uint16_t move;
    int16_t score; /* mates are counted from this position, not from the root */
    int8_t depth;
    uint8_t bound;
    uint8_t age;
};

struct table {
    struct table_entry *entries;
    size_t mask; /* the number of entries is a power of two, less 1 here */
    uint8_t age;
};

/* Makes room for so many MiB (the greatest power of two of entries that fits), all empty. False without memory; the
 * table is then as it was. */
bool table_resize(struct table *table, size_t mebibytes);

void table_clear(struct table *table);

/* What is known about the position of a key; NULL if nothing. */
const struct table_entry *table_find(const struct table *table, uint64_t key);

void table_store(struct table *table, uint64_t key, uint16_t move, int score, int depth, int bound);

#endif
