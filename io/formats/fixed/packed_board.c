/*
 * Boards of 24 bytes: the set of occupied squares, then a code of four bits for each piece in the order of the squares.
 *
 * The codes are taken apart into four sets of squares, one for each bit, as a position has them for codes of its own.
 */
#include "chess/inline_attacks.h"
#include "packed_board.h"

/* The squares whose code has each bit; returns how many squares are occupied. The codes after the last piece are not
 * looked at, and those after the 32nd are 0. */
static int spread_by_loop(uint64_t occupied, uint64_t low, uint64_t high, uint64_t bit[4])
{
    uint64_t codes = low, set[4] = {0, 0, 0, 0};
    int n = 0;
    for (; occupied != 0; occupied &= occupied - 1, codes >>= 4) {
        const uint64_t square = occupied & (0 - occupied);
        if (n++ == 16)
            codes = high;
        for (int i = 0; i < 4; i++)
            set[i] |= square & (0 - (codes >> i & 1));
    }
    memcpy(bit, set, sizeof set);
    return n;
}

/* The same with an instruction for each half of the work: a quarter of the time where these are quick. */
#ifdef __x86_64__
WITH_BITS static int spread_by_bits(uint64_t occupied, uint64_t low, uint64_t high, uint64_t bit[4])
{
    for (int i = 0; i < 4; i++) {
        const uint64_t mask = UINT64_C(0x1111111111111111) << i;
        bit[i] = _pdep_u64(_pext_u64(low, mask) | _pext_u64(high, mask) << 16, occupied);
    }
    return __builtin_popcountll(occupied);
}
#else
#define spread_by_bits spread_by_loop
#endif

bool seebatch_io_unpack_board(const char *bytes, unsigned most, seebatch_position *position, uint64_t *unmoved,
                              seebatch_error *error)
{
    const uint64_t occupied = get_64(bytes);
    const uint64_t first = get_64(bytes + 8), second = get_64(bytes + 16);
    uint64_t bit[4];
    const int n =
        HAS_FAST_PDEP ? spread_by_bits(occupied, first, second, bit) : spread_by_loop(occupied, first, second, bit);
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
