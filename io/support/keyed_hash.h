/*
 * SipHash-1-3 with a key that no input can know (keyed_hash.c): for tables whose entries come from files. Without the
 * key nobody can make a file whose entries all meet in one slot.
 */
#ifndef SEEBATCH_IO_KEYED_HASH_H
#define SEEBATCH_IO_KEYED_HASH_H

#include <stddef.h>
#include <stdint.h>

struct hash_key {
    uint64_t half[2];
};

/* Makes another key each time. */
struct hash_key seebatch_io_secret_key(void);

uint64_t seebatch_io_keyed_hash(const struct hash_key *key, const void *bytes, size_t length);

#endif
