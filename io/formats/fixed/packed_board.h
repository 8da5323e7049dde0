/*
 * Boards in 24 bytes, and what the formats that hold them share: marlinformat, bulletformat and viriformat.
 * docs/formats.md has the bytes.
 */
#ifndef SEEBATCH_IO_PACKED_BOARD_H
#define SEEBATCH_IO_PACKED_BOARD_H

#include "formats/format.h"

enum { PACKED_SIZE = 32, PACKED_BOARD = 24, MOST_PACKED = 32 };

/* The code of a piece is its SEEBATCH_PAWN to SEEBATCH_KING, or this, in the low three bits. Bit 3 is the colour: 1 for
 * Black. */
enum { UNMOVED_ROOK = 6 };

/* Read and write numbers with the least significant byte first. */
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
bool seebatch_io_unpack_board(const char *bytes, unsigned most, seebatch_position *position, uint64_t *unmoved,
                              seebatch_error *error);

/* Whether the codes after the last piece are not all 0. */
bool seebatch_io_board_has_unused_bits(const char *bytes);

/* Writes 24 bytes; false if there are more than 32 pieces. */
bool seebatch_io_pack_board(char *bytes, const seebatch_position *position, uint64_t unmoved);

/* How many of the bytes are whole records of PACKED_SIZE bytes. */
static inline size_t whole_packed(const char *bytes, size_t length)
{
    (void)bytes;
    return length - length % PACKED_SIZE;
}

/* The ply that the number of the move says, if the run wants it. */
static inline void set_ply(const struct cursor *cursor, struct record *record, const seebatch_position *position)
{
    if (cursor->source->wanted & FIELD_PLY) {
        record->ply = seebatch_io_ply_of_number(position);
        record->has |= FIELD_PLY;
    }
}

/* The fast path through records of bulletformat, or of marlinformat (packed_fast.c); NULL if this processor has none.
 */
fast_function *seebatch_io_fast_packed(bool marlin);

/* Whether a score, as it is to be written, fits into 16 bits. If not, *why says so. */
bool seebatch_io_score_fits(int32_t score, const char **why);

#endif
