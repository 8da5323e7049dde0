/*
 * Boards in 24 bytes, as marlinformat, viriformat and bulletformat hold them, and the 32-byte record of marlinformat,
 * which is also the head of a game in viriformat. docs/formats.md has the bytes.
 */
#ifndef SEEBATCH_TOOL_PACKED_H
#define SEEBATCH_TOOL_PACKED_H

#include "pipeline.h"

enum { PACKED_SIZE = 32, PACKED_BOARD = 24, MOST_PACKED = 32 };

/* Numbers with the least significant byte first. */
static inline unsigned get_16(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return b[0] | (unsigned)b[1] << 8;
}
static inline int get_signed_16(const char *bytes) { return (int16_t)get_16(bytes); }
static inline uint64_t get_64(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    uint64_t number = 0;
    for (int i = 0; i < 8; i++)
        number |= (uint64_t)b[i] << 8 * i;
    return number;
}
static inline void put_16(char *bytes, unsigned number)
{
    bytes[0] = (char)(number & 0xff);
    bytes[1] = (char)(number >> 8 & 0xff);
}
static inline void put_64(char *bytes, uint64_t number)
{
    for (int i = 0; i < 8; i++)
        bytes[i] = (char)(number >> 8 * i & 0xff);
}

/* Fills a position's planes from 24 bytes; *unmoved is the set of rooks that may castle. Codes above most (5 or 6) are
 * refused, and so are more than 32 pieces: false, and error filled. Side, en passant and clocks are set as by
 * seebatch_position_empty(SEEBATCH_WHITE). */
bool unpack_board(const char *bytes, unsigned most, seebatch_position *position, uint64_t *unmoved,
                  seebatch_error *error);

/* Whether the codes behind the last piece are not all 0. */
bool board_has_unused_bits(const char *bytes);

/* Writes 24 bytes; false if there are more than 32 pieces. */
bool pack_board(char *bytes, const seebatch_position *position, uint64_t unmoved);

/* A record of marlinformat: the position, which has passed seebatch_position_check(), and the record's score and
 * result, and FIELD_UNUSED_BITS if bits that mean nothing are not 0. False, and error filled, if it is none. */
bool unpack_marlin(const char *bytes, seebatch_position *position, struct record *record, seebatch_error *error);

/* Writes one; false, and *why, if it cannot hold the position or the score. */
bool pack_marlin(char *bytes, const struct record *record, const seebatch_position *position, const char **why);

/* The ply that the number of the move says, if it is asked for. */
static inline void tell_ply(const struct cursor *cursor, struct record *record, const seebatch_position *position)
{
    if (cursor->source->wanted & FIELD_PLY) {
        record->ply = ply_of_number(position);
        record->has |= FIELD_PLY;
    }
}

/* Whether a score, as it is to be written, fits into 16 bits. If not, *why says so. */
bool score_fits(int32_t score, const char **why);

#endif
