/*
 * The quick way to read a FEN that is as nearly all are.
 *
 * Files of millions of positions are read in less time than it takes to evaluate them, if reading a FEN hardly ever
 * branches on what it reads. The pieces go byte by byte through a table into a board of 64 bytes, in the order in which
 * a FEN has them, a8 first; eight such bytes, a rank, become eight bits of each plane by a multiplication. A rank that
 * is too long or too short shows where its '/' stands.
 *
 * This way only ever says yes. Whatever is not in the usual form, and whatever is wrong, is left to the careful way of
 * fen.c, which finds the words for it; a test holds the two against each other.
 */
#include "fen.h"
#include "position.h"

#include <string.h>

/* What a character of the pieces does: bits 0 to 2 are the piece's code in the planes, bit 3 its colour, bits 4 to 7
 * how many squares it takes, bit 8 says that they are empty; a '/' sets all of the bits from 16 on. 0: none of those.
 */
#define PIECE(code, white) (UINT32_C(0x10) | (code) | (white) << 3)
#define EMPTY(n) (UINT32_C(0x100) | (uint32_t)(n) << 4)
#define SLASH UINT32_C(0xffff0000)
enum {
    FIRST_CHARACTER = '/',
    BISHOP_CODE = 1,
    ROOK_CODE = 2,
    QUEEN_CODE = 3,
    PAWN_CODE = 4,
    KNIGHT_CODE = 5,
    KING_CODE = 6
};

/* From '/' to 'r'. */
/* clang-format off */
static const uint32_t meaning[] = {
    SLASH, 0, EMPTY(1), EMPTY(2), EMPTY(3), EMPTY(4), EMPTY(5), EMPTY(6), EMPTY(7), EMPTY(8), /* / 0 1 to 8 */
    0, 0, 0, 0, 0, 0, 0, 0, 0, PIECE(BISHOP_CODE, 1), /* 9 to A, B */
    0, 0, 0, 0, 0, 0, 0, 0, PIECE(KING_CODE, 1), 0, 0, PIECE(KNIGHT_CODE, 1), 0, /* C to J, K, L M, N, O */
    PIECE(PAWN_CODE, 1), PIECE(QUEEN_CODE, 1), PIECE(ROOK_CODE, 1), /* P Q R */
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, PIECE(BISHOP_CODE, 0), /* S to a, b */
    0, 0, 0, 0, 0, 0, 0, 0, PIECE(KING_CODE, 0), 0, 0, PIECE(KNIGHT_CODE, 0), 0, /* c to j, k, l m, n, o */
    PIECE(PAWN_CODE, 0), PIECE(QUEEN_CODE, 0), PIECE(ROOK_CODE, 0), /* p q r */
};
/* clang-format on */
enum { N_CHARACTERS = sizeof meaning / sizeof meaning[0] };

/* One bit, the k-th, of each of eight bytes, the first byte's lowest. */
static uint64_t bits_of_bytes(uint64_t bytes, int k)
{
    return (bytes >> k & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56;
}

/* The board as planes; its bytes begin with a8, and those of a rank with its a-file. */
static void fill_planes(seebatch_position *position, const uint8_t board[64])
{
    uint64_t planes[4] = {0, 0, 0, 0};
    for (int rank = 0; rank < 8; rank++) {
        const uint8_t *b = board + 8 * (7 - rank);
        const uint64_t bytes = (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 |
                               (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 |
                               (uint64_t)b[7] << 56; /* compilers make one load of it where bytes are in that order */
        for (int k = 0; k < 4; k++)
            planes[k] |= bits_of_bytes(bytes, k) << 8 * rank;
    }
    position->plane[0] = planes[0];
    position->plane[1] = planes[1];
    position->plane[2] = planes[2];
    position->white = planes[3];
}

/* Reads the pieces; returns what follows them, or NULL. */
static const char *quick_pieces(seebatch_position *position, const char *at, const char *end)
{
    enum { ROOM = 128 }; /* more than 64, and a power of two: too many squares go round, and are found in the end */
    uint8_t board[ROOM] = {0};
    uint32_t square = 0, expected = 8, wrong = 0, last = 0;
    for (; at < end; at++) {
        const unsigned index = (unsigned)(unsigned char)*at - FIRST_CHARACTER;
        const uint32_t m = index < N_CHARACTERS ? meaning[index] : 0;
        if (m == 0)
            break;
        wrong |= ((square ^ expected) & m >> 16) | (last & m & 0x100); /* no two counts in a row */
        last = m;
        expected += m >> 16 & 8;
        board[square % ROOM] = (uint8_t)(m & 15);
        square += m >> 4 & 15;
    }
    if (wrong || square != 64 || expected != 64)
        return NULL;
    fill_planes(position, board);
    return at;
}

static uint64_t highest_bit(uint64_t set) { return set ? square_bit(63 - __builtin_clzll(set)) : 0; }

/* Reads castling rights as KQkq or '-', for a board with one king a side; returns what follows them, or NULL. */
static const char *quick_rights(seebatch_position *position, const char *at, const char *end)
{
    if (at < end && *at == '-')
        return at + 1;
    const char *first = at;
    for (; at < end && *at != ' '; at++) {
        const int color = *at == 'k' || *at == 'q' ? SEEBATCH_BLACK : SEEBATCH_WHITE;
        const int side = *at == 'K' || *at == 'k' ? SEE_KINGSIDE : SEE_QUEENSIDE;
        if (*at != 'K' && *at != 'Q' && *at != 'k' && *at != 'q')
            return NULL;
        const uint64_t king = pieces_of(position, color, SEEBATCH_KING) & first_rank(color);
        const uint64_t rooks = pieces_of(position, color, SEEBATCH_ROOK) & first_rank(color);
        uint64_t rook = 0;
        if (king && side == SEE_KINGSIDE)
            rook = highest_bit(rooks & ~(king - 1));
        else if (king)
            rook = rooks & (king - 1) & (0 - (rooks & (king - 1)));
        if (!rook || position->castling_rook[color][side] != SEEBATCH_NO_SQUARE)
            return NULL;
        position->castling_rook[color][side] = (uint8_t)lowest_square(rook);
    }
    return at > first ? at : NULL;
}

/* Reads the en passant square or '-'; returns what follows, or NULL. */
static const char *quick_en_passant(seebatch_position *position, const char *at, const char *end)
{
    if (at < end && *at == '-')
        return at + 1;
    if (end - at < 2 || at[0] < 'a' || at[0] > 'h' || at[1] != (position->stm == SEEBATCH_WHITE ? '6' : '3'))
        return NULL;
    const int square = at[0] - 'a' + 8 * (at[1] - '1'), forward = position->stm == SEEBATCH_WHITE ? 8 : -8;
    const uint64_t empty = square_bit(square) | square_bit(square + forward);
    if (seebatch_occupied(position) & empty ||
        !(pieces_of(position, !position->stm, SEEBATCH_PAWN) & square_bit(square - forward)))
        return NULL;
    position->ep_square = (uint8_t)square;
    return at + 2;
}

/* Reads a blank and a number of at most four digits, if that is what there is; otherwise returns at. */
static const char *quick_clock(uint16_t *clock, const char *at, const char *end)
{
    enum { MOST_DIGITS = 4 };
    const char *digit = at + 1;
    unsigned value = 0;
    while (digit < end && digit - at <= MOST_DIGITS && *digit >= '0' && *digit <= '9')
        value = 10 * value + (unsigned)(*digit++ - '0');
    if (digit <= at + 1 || (digit < end && *digit != ' '))
        return at;
    *clock = (uint16_t)value;
    return digit;
}

static bool is_one(uint64_t set) { return set != 0 && (set & (set - 1)) == 0; }

/* What of seebatch_position_check() is about the board alone. */
static bool board_is_sound(const seebatch_position *position)
{
    const uint64_t pawns = seebatch_pieces_of_type(position, SEEBATCH_PAWN);
    if (!is_one(pieces_of(position, SEEBATCH_WHITE, SEEBATCH_KING)) ||
        !is_one(pieces_of(position, SEEBATCH_BLACK, SEEBATCH_KING)) ||
        pawns & (first_rank(SEEBATCH_WHITE) | first_rank(SEEBATCH_BLACK)))
        return false;
    const int king = king_square(position, !position->stm);
    return !attackers_of_color(position, king, position->stm, seebatch_occupied(position));
}

size_t seebatch_fen_quick(seebatch_position *position, const char *text, size_t length)
{
    static const uint64_t nothing[6] = {0, 0, 0, 0, 0, 0};
    const char *end = text + length;
    *position = seebatch_position_from_bitboards(nothing, nothing, SEEBATCH_WHITE);
    const char *at = quick_pieces(position, text, end);
    if (!at || end - at < 3 || at[0] != ' ' || (at[1] != 'w' && at[1] != 'b') || at[2] != ' ')
        return 0;
    position->stm = at[1] == 'w' ? SEEBATCH_WHITE : SEEBATCH_BLACK;
    if (!board_is_sound(position))
        return 0;
    at = quick_rights(position, at + 3, end);
    if (!at || at == end || *at != ' ')
        return 0;
    at = quick_en_passant(position, at + 1, end);
    if (!at || (at < end && *at != ' '))
        return 0;
    const char *after = quick_clock(&position->halfmove_clock, at, end);
    if (after > at)
        after = quick_clock(&position->fullmove_number, after, end);
    return (size_t)(after - text);
}
