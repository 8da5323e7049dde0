/*
 * Finds the positions that come again in an input of any length. two_passes.c adds the positions of the first pass,
 * and asks in the second pass which of them are the first of their kind.
 */
#ifndef SEEBATCH_IO_UNIQUE_H
#define SEEBATCH_IO_UNIQUE_H

#include "chess/squares.h"
#include "seebatch_io.h"
#include "support/bytes.h"
#include "support/keyed_hash.h"

struct unique;

/* What two equal positions have in common: pieces, side to move, castling rights, and the en passant square where a
 * capture there is legal. */
struct position_key {
    uint64_t plane[3], white;
    uint8_t castling_rook[4], ep_square, stm, unused[2];
};

/* Returns the en passant square of the key. */
static inline uint8_t key_en_passant(const seebatch_position *position)
{
    return can_capture_en_passant(position) ? position->ep_square : SEEBATCH_NO_SQUARE;
}

static inline struct position_key key_of_position(const seebatch_position *position)
{
    struct position_key key;
    memset(&key, 0, sizeof key);
    memcpy(key.plane, position->plane, sizeof key.plane);
    key.white = position->white;
    memcpy(key.castling_rook, position->castling_rook, sizeof key.castling_rook);
    key.ep_square = key_en_passant(position);
    key.stm = position->stm;
    return key;
}

/* output, memory, stop and user as of disk partitions; the key is one that no input can know. NULL if there is no memory. */
struct unique *seebatch_io_unique_new(const char *output, uint64_t memory, bool (*stop)(void *user), void *user,
                                      struct hash_key key);

/* Takes positions in the first pass, in the order of the input, and notes where a block of it ends. */
bool seebatch_io_unique_add(struct unique *unique, const struct position_key *keys, size_t n, seebatch_io_error *error);
bool seebatch_io_unique_end_block(struct unique *unique, seebatch_io_error *error);

/* Is called then: finds those that come again. Returns false, and sets *error, if that fails or was stopped. */
bool seebatch_io_unique_find(struct unique *unique, seebatch_io_error *error);

/* The second pass: whether a position of a block is the first of its kind, and how many the block had. Any thread
 * may ask. */
bool seebatch_io_unique_is_first(const struct unique *unique, uint64_t block, uint64_t position);
uint64_t seebatch_io_unique_in_block(const struct unique *unique, uint64_t block);

/* NULL is allowed. */
void seebatch_io_unique_free(struct unique *unique);

#endif
