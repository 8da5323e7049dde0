/*
 * Boards of 24 bytes: the set of occupied squares, then a code of four bits for each piece in the order of the squares.
 *
 * The codes are taken apart into four sets of squares, one for each bit, as a position has them for codes of its own.
 */
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "packed.h"

/* Codes of marlinformat in their low three bits. Bit 3 is the colour: 1 for Black. */
enum { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, UNMOVED_ROOK };

/* ---- Boards ----------------------------------------------------------------------------------------------------- */

/* The squares whose code has each bit; returns how many squares are occupied. The codes behind the last piece are not
 * looked at, and those behind the 32nd are 0. */
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
__attribute__((target("bmi2,popcnt"))) static int spread_by_bits(uint64_t occupied, uint64_t low, uint64_t high,
                                                                 uint64_t bit[4])
{
    for (int i = 0; i < 4; i++) {
        const uint64_t mask = UINT64_C(0x1111111111111111) << i;
        bit[i] = _pdep_u64(_pext_u64(low, mask) | _pext_u64(high, mask) << 16, occupied);
    }
    return __builtin_popcountll(occupied);
}
#define CAN_SPREAD_BY_BITS                                                                                             \
    (__builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") && !__builtin_cpu_is("znver1") &&              \
     !__builtin_cpu_is("znver2"))
#else
#define spread_by_bits spread_by_loop
#define CAN_SPREAD_BY_BITS false
#endif

bool unpack_board(const char *bytes, unsigned most, seebatch_position *position, uint64_t *unmoved,
                  seebatch_error *error)
{
    const uint64_t occupied = get_64(bytes);
    const uint64_t first = get_64(bytes + 8), second = get_64(bytes + 16);
    uint64_t bit[4];
    const int n = CAN_SPREAD_BY_BITS ? spread_by_bits(occupied, first, second, bit)
                                     : spread_by_loop(occupied, first, second, bit);
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

bool board_has_unused_bits(const char *bytes)
{
    const int n = __builtin_popcountll(get_64(bytes));
    const uint64_t first = get_64(bytes + 8), second = get_64(bytes + 16);
    return n < 16 ? (first >> 4 * n | second) != 0 : n < MOST_PACKED && second >> 4 * (n - 16) != 0;
}

bool pack_board(char *bytes, const seebatch_position *position, uint64_t unmoved)
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

/* ---- Marlinformat ----------------------------------------------------------------------------------------------- */

/* Rights to castle from the rooks that have them, by the side of the king on which they stand; false if two stand on
 * the same side of it. */
static bool take_rights(seebatch_position *position, uint64_t unmoved, seebatch_error *error)
{
    for (; unmoved != 0; unmoved &= unmoved - 1) {
        const int rook = __builtin_ctzll(unmoved), color = seebatch_color_on(position, rook);
        const uint64_t kings =
            seebatch_pieces_of_type(position, SEEBATCH_KING) & seebatch_pieces_of_color(position, color);
        if (kings == 0 || (kings & (kings - 1)) != 0) /* which the check of the position says better */
            return true;
        const int side = kings >> rook >> 1 != 0; /* 0: kingside, the king stands on a lower square */
        const int usual = (color == SEEBATCH_WHITE ? 0 : 56) + (side == 0 ? 7 : 0);
        if (position->castling_rook[color][side] != SEEBATCH_NO_SQUARE) {
            snprintf(error->text, sizeof error->text, "%s may castle with two rooks %s, expected one at most",
                     color == SEEBATCH_WHITE ? "white" : "black", side == 0 ? "kingside" : "queenside");
            return false;
        }
        position->castling_rook[color][side] = (uint8_t)rook;
        position->shredder |= rook != usual || kings != UINT64_C(1) << (usual - (side == 0 ? 3 : -4));
    }
    return true;
}

bool unpack_marlin(const char *bytes, seebatch_position *position, struct record *record, seebatch_error *error)
{
    const unsigned side = (unsigned char)bytes[24], result = (unsigned char)bytes[30];
    uint64_t unmoved;
    if (!unpack_board(bytes, UNMOVED_ROOK, position, &unmoved, error) || !take_rights(position, unmoved, error))
        return false;
    position->stm = side >> 7 ? SEEBATCH_BLACK : SEEBATCH_WHITE;
    position->ep_square = side & 0x7f;
    position->halfmove_clock = (unsigned char)bytes[25];
    position->fullmove_number = (uint16_t)get_16(bytes + 26);
    if (result > RESULT_WHITE_WINS) {
        snprintf(error->text, sizeof error->text,
                 "the result is %u, expected 0 (black wins), 1 (draw) or 2 (white wins)", result);
        return false;
    }
    record->score = get_signed_16(bytes + 28);
    record->result = (uint8_t)result;
    const bool unused = bytes[31] != 0 || board_has_unused_bits(bytes);
    record->has |= (uint16_t)(FIELD_SCORE | FIELD_RESULT | (unused ? FIELD_UNUSED_BITS : 0));
    return seebatch_position_check(position, error) == SEEBATCH_OK;
}

bool score_fits(int32_t score, const char **why)
{
    if (score >= INT16_MIN && score <= INT16_MAX)
        return true;
    *why = "the score does not fit, expected one from -32768 to 32767";
    return false;
}

bool pack_marlin(char *bytes, const struct record *record, const seebatch_position *position, const char **why)
{
    uint64_t unmoved = 0;
    for (int i = 0; i < 4; i++)
        if (position->castling_rook[i / 2][i % 2] != SEEBATCH_NO_SQUARE)
            unmoved |= UINT64_C(1) << position->castling_rook[i / 2][i % 2];
    if (!pack_board(bytes, position, unmoved)) {
        *why = "the board has more than 32 pieces, expected no more";
        return false;
    }
    if (position->halfmove_clock > UINT8_MAX) {
        *why = "the halfmove clock does not fit, expected at most 255";
        return false;
    }
    bytes[24] = (char)(position->stm << 7 | position->ep_square);
    bytes[25] = (char)position->halfmove_clock;
    put_16(bytes + 26, position->fullmove_number);
    put_16(bytes + 28, (unsigned)record->score);
    bytes[30] = (char)record->result;
    bytes[31] = 0;
    return true;
}
