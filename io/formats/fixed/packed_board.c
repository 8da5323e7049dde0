/*
 * Boards of 24 bytes: the set of occupied squares, then a code of four bits for each piece in the order of the squares.
 *
 * The codes are taken apart into four sets of squares, one for each bit, as a position has them for codes of its own.
 */
#include "chess/nibbles.h"
#include "packed_board.h"

/* The squares whose code has each bit. */
static void spread(const uint64_t codes[2], uint64_t occupied, uint64_t bit[4])
{
    if (HAS_FAST_PDEP)
        spread_by_pdep(codes, occupied, bit);
    else if (HAS_BITS)
        spread_by_vectors(codes, occupied, bit);
    else
        spread_by_loop(codes, occupied, bit);
}

bool seebatch_io_unpack_board(const char *bytes, unsigned most, seebatch_position *position, uint64_t *unmoved,
                              seebatch_error *error)
{
    const uint64_t occupied = get_64(bytes);
    const uint64_t codes[2] = {get_64(bytes + 8), get_64(bytes + 16)};
    const int n = __builtin_popcountll(occupied);
    uint64_t bit[4];
    spread(codes, occupied, bit);
    if (n > MOST_PACKED) {
        snprintf(error->text, sizeof error->text, "the board has %d occupied squares, expected at most %d", n,
                 MOST_PACKED);
        return false;
    }
    const uint64_t low = occupied & ~bit[2], high = bit[2];
    const uint64_t knights = low & ~bit[1] & bit[0], bishops = low & bit[1] & ~bit[0],
                   queens = high & ~(bit[1] | bit[0]), kings = high & ~bit[1] & bit[0];
    const uint64_t none = high & bit[1] & (most == UNMOVED_ROOK ? bit[0] : ~UINT64_C(0));
    if (none != 0) {
        const int square = __builtin_ctzll(none);
        snprintf(error->text, sizeof error->text, "the piece on %c%c has the code %u, expected at most %u",
                 'a' + (square & 7), '1' + (square >> 3), 6 + (unsigned)(bit[0] >> square & 1), most);
        return false;
    }
    *unmoved = high & bit[1];
    *position = seebatch_position_empty(SEEBATCH_WHITE);
    position->plane[0] = knights | bishops | queens;
    position->plane[1] = (low & bit[1] & bit[0]) | *unmoved | queens | kings;
    position->plane[2] = (low & ~(bit[1] | bit[0])) | knights | kings;
    position->white = occupied & ~bit[3];
    return true;
}

bool seebatch_io_board_has_unused_bits(const char *bytes)
{
    const int n = __builtin_popcountll(get_64(bytes));
    const uint64_t first = get_64(bytes + 8), second = get_64(bytes + 16);
    return n < 16 ? (first >> 4 * n | second) != 0 : n < MOST_PACKED && second >> 4 * (n - 16) != 0;
}

bool seebatch_io_pack_board(char *bytes, const seebatch_position *position, uint64_t unmoved)
{
    const uint64_t occupied = seebatch_occupied(position);
    if (__builtin_popcountll(occupied) > MOST_PACKED)
        return false;
    put_64(bytes, occupied);
    memset(bytes + 8, 0, PACKED_BOARD - 8);
    int i = 0;
    for (uint64_t left = occupied; left != 0; left &= left - 1, i++) {
        const int square = __builtin_ctzll(left);
        const unsigned type =
            unmoved >> square & 1 ? (unsigned)UNMOVED_ROOK : (unsigned)seebatch_type_on(position, square);
        const unsigned code = type | (unsigned)seebatch_color_on(position, square) << 3;
        bytes[8 + i / 2] = (char)((unsigned char)bytes[8 + i / 2] | code << 4 * (i % 2));
    }
    return true;
}

bool seebatch_io_score_fits(int32_t score, const char **why)
{
    if (score >= INT16_MIN && score <= INT16_MAX)
        return true;
    *why = "the score does not fit, expected one from -32768 to 32767";
    return false;
}
