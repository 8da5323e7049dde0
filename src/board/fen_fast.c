/*
 * The fast path for FENs of the usual form, which nearly all have.
 *
 * Files of millions of positions are read in less time than it takes to evaluate them, if reading a FEN hardly ever
 * branches on what it reads. A kernel may read the pieces sixty-four characters at a time, for some FENs one after
 * another. Without one they go byte by byte through a table into a board of 64 bytes, in the order in which a FEN has
 * them, a8 first; eight such bytes, a rank, become eight bits of each plane by a multiplication. A rank that is too
 * long or too short shows where its '/' stands. What follows the side to move is taken eight bytes at a time.
 *
 * The fast path only accepts. Texts that do not have the usual form, and texts that are wrong, are left to the slow
 * path of fen.c, which also writes the error messages. A test compares the two paths.
 */
#include "fen.h"
#include "fen_board.h"
#include "dispatch/kernel.h"

#include <string.h>

/* What a character of the pieces does: bits 0 to 2 are the piece's code in the planes, bit 3 is its colour, bits 4 to 7
 * say how many squares it takes, and bit 8 that they are empty. A '/' sets all of the bits from 16 on. Characters that
 * do not belong there have 0. */
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

/* The table goes from '/' to 'r'. */
/* clang-format off */
static const uint32_t character_meaning[] = {
    SLASH, 0, EMPTY(1), EMPTY(2), EMPTY(3), EMPTY(4), EMPTY(5), EMPTY(6), EMPTY(7), EMPTY(8), /* / 0 1 to 8 */
    0, 0, 0, 0, 0, 0, 0, 0, 0, PIECE(BISHOP_CODE, 1), /* 9 to A, B */
    0, 0, 0, 0, 0, 0, 0, 0, PIECE(KING_CODE, 1), 0, 0, PIECE(KNIGHT_CODE, 1), 0, /* C to J, K, L M, N, O */
    PIECE(PAWN_CODE, 1), PIECE(QUEEN_CODE, 1), PIECE(ROOK_CODE, 1), /* P Q R */
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, PIECE(BISHOP_CODE, 0), /* S to a, b */
    0, 0, 0, 0, 0, 0, 0, 0, PIECE(KING_CODE, 0), 0, 0, PIECE(KNIGHT_CODE, 0), 0, /* c to j, k, l m, n, o */
    PIECE(PAWN_CODE, 0), PIECE(QUEEN_CODE, 0), PIECE(ROOK_CODE, 0), /* p q r */
};
/* clang-format on */
enum { N_CHARACTERS = sizeof character_meaning / sizeof character_meaning[0] };

/* Gathers bit k of each of eight bytes, that of the first byte as the lowest. */
static uint64_t bits_of_bytes(uint64_t bytes, int k)
{
    return (bytes >> k & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56;
}

/* Reads eight bytes as a number, the first as the lowest. */
static inline uint64_t eight_bytes(const void *at)
{
    uint64_t bytes;
    memcpy(&bytes, at, sizeof bytes);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    return bytes;
}

/* Makes planes and White's squares of a board of bytes, which begins with a8; each rank begins with its a-file. */
static void fill_planes(uint64_t planes[4], const uint8_t board[64])
{
    for (int k = 0; k < 4; k++)
        planes[k] = 0;
    for (int rank = 0; rank < 8; rank++) {
        const uint64_t bytes = eight_bytes(board + 8 * (7 - rank));
        for (int k = 0; k < 4; k++)
            planes[k] |= bits_of_bytes(bytes, k) << 8 * rank;
    }
}

/* Reads the pieces byte by byte; returns how many characters they are, or 0. */
static size_t read_planes(const char *text, size_t length, uint64_t planes[4])
{
    /* more than 64, and a power of two, so that too many squares wrap around and are found in the end */
    enum { ROOM = 128 };
    uint8_t board[ROOM] = {0};
    uint32_t square = 0, expected = 8, wrong = 0, last = 0;
    size_t n = 0;
    for (; n < length; n++) {
        const unsigned index = (unsigned)(unsigned char)text[n] - FIRST_CHARACTER;
        const uint32_t m = index < N_CHARACTERS ? character_meaning[index] : 0;
        if (m == 0)
            break;
        wrong |= ((square ^ expected) & m >> 16) | (last & m & 0x100); /* No two counts may stand in a row. */
        last = m;
        expected += m >> 16 & 8;
        board[square % ROOM] = (uint8_t)(m & 15);
        square += m >> 4 & 15;
    }
    if (wrong || square != 64 || expected != 64)
        return 0;
    fill_planes(planes, board);
    return n;
}

static uint8_t read_board(seebatch_text text, seebatch_position *board)
{
    uint64_t planes[4] = {0, 0, 0, 0};
    const uint8_t length = see_fen_side(text, read_planes(text.at, text.length, planes), planes, board);
    return length && see_board_is_sound(board) ? length : 0;
}

/* A text, and what may be read of it: eight bytes in front of its end, and what follows the end up to `readable`. */
struct fast_text {
    const char *at, *end, *readable;
};

/* Reads the next eight bytes, the first as the lowest, with zeros after the end of the text. */
static inline uint64_t peek(const struct fast_text *text)
{
    const size_t left = (size_t)(text->end - text->at);
    if (left >= 8)
        return eight_bytes(text->at);
    if (text->readable - text->at >= 8)
        return eight_bytes(text->at) & ((UINT64_C(1) << 8 * left) - 1);
    return left ? eight_bytes(text->end - 8) >> 8 * (8 - left) : 0;
}

/* The squares of the kings and rooks for rights of ordinary chess, and their rooks. The rights r are some of KQkq as
 * bits. */
#define HOME(square) (UINT64_C(1) << (square))
#define SQUARES_OF(r)                                                                                                  \
    (((r)&3 ? HOME(4) : 0) | ((r)&1 ? HOME(7) : 0) | ((r)&2 ? HOME(0) : 0) | ((r)&12 ? HOME(60) : 0) |                 \
     ((r)&4 ? HOME(63) : 0) | ((r)&8 ? HOME(56) : 0))

static const uint64_t usual_squares[16] = {SQUARES_OF(0),  SQUARES_OF(1),  SQUARES_OF(2),  SQUARES_OF(3),
                                           SQUARES_OF(4),  SQUARES_OF(5),  SQUARES_OF(6),  SQUARES_OF(7),
                                           SQUARES_OF(8),  SQUARES_OF(9),  SQUARES_OF(10), SQUARES_OF(11),
                                           SQUARES_OF(12), SQUARES_OF(13), SQUARES_OF(14), SQUARES_OF(15)};

#define ROOKS_OF(r)                                                                                                    \
    {                                                                                                                  \
        (r) & 1 ? 7 : SEEBATCH_NO_SQUARE, (r)&2 ? 0 : SEEBATCH_NO_SQUARE, (r)&4 ? 63 : SEEBATCH_NO_SQUARE,             \
            (r)&8 ? 56 : SEEBATCH_NO_SQUARE                                                                            \
    }
static const uint8_t usual_rooks[16][4] = {
    ROOKS_OF(0), ROOKS_OF(1), ROOKS_OF(2),  ROOKS_OF(3),  ROOKS_OF(4),  ROOKS_OF(5),  ROOKS_OF(6),  ROOKS_OF(7),
    ROOKS_OF(8), ROOKS_OF(9), ROOKS_OF(10), ROOKS_OF(11), ROOKS_OF(12), ROOKS_OF(13), ROOKS_OF(14), ROOKS_OF(15)};

/* Finds the rooks that the rights mean, for a board with one king for each side. Returns false if one is missing. */
static bool outermost_rooks(const seebatch_position *board, unsigned rights, uint8_t rook_of[2][2])
{
    bool missing = false;
    for (int i = 0; i < 4; i++) {
        const int color = i / 2;
        const bool has = rights >> i & 1;
        const uint64_t king = pieces_of(board, color, SEEBATCH_KING) & first_rank(color);
        const uint64_t rooks = pieces_of(board, color, SEEBATCH_ROOK) & first_rank(color) & (0 - (uint64_t)(king != 0));
        const uint64_t beside = i % 2 == SEE_KINGSIDE ? rooks & ~(king - 1) : rooks & (king - 1);
        const int outermost =
            i % 2 == SEE_KINGSIDE ? 63 - __builtin_clzll(beside | 1) : lowest_square(beside | square_bb(63));
        missing |= has & (beside == 0);
        rook_of[color][i % 2] = (uint8_t)(has ? outermost : (int)SEEBATCH_NO_SQUARE);
    }
    return !missing;
}

/* Does the same, faster for the rights of ordinary chess. */
static inline bool rooks_of_rights(const seebatch_position *board, unsigned rights, uint8_t rook_of[2][2])
{
    const uint64_t kings = seebatch_pieces_of_type(board, SEEBATCH_KING) & (square_bb(4) | square_bb(60));
    const uint64_t rooks =
        seebatch_pieces_of_type(board, SEEBATCH_ROOK) & (square_bb(0) | square_bb(7) | square_bb(56) | square_bb(63));
    const uint64_t at_home = (kings | rooks) & (board->white ^ first_rank(SEEBATCH_BLACK));
    if (usual_squares[rights] & ~at_home)
        return outermost_rooks(board, rights, rook_of);
    memcpy(rook_of, usual_rooks[rights], sizeof usual_rooks[rights]);
    return true;
}

/* Finds the bytes that are blanks, and sets their high bits. */
static inline uint64_t blanks_of(uint64_t text)
{
    const uint64_t each = UINT64_C(0x0101010101010101), others = text ^ ' ' * each;
    return ~(((others & 0x7f * each) + 0x7f * each) | others) & 0x80 * each;
}

/* Reads a blank and the castling rights, some of KQkq in that order or '-', with a blank after them. Returns the number
 * of characters of the rights, or 0. The last one must not be NUL, because the table fills its texts up with NULs. */
static inline unsigned fast_rights(uint64_t text, unsigned *rights)
{
    const uint64_t next = blanks_of(text) & UINT64_C(0x808080800000), always = UINT64_C(1) << 47;
    const unsigned n = (unsigned)__builtin_ctzll(next | always) / 8 - 1;
    const uint32_t those = (uint32_t)((text >> 8) & ((UINT64_C(1) << 8 * n) - 1));
    unsigned found = see_rights_by_hash[those * SEE_RIGHTS_HASH >> 28];
    __asm__("" : "+r"(found)); /* not as one byte that is stored, and loaded as four */
    *rights = found;
    return (text & 0xff) == ' ' && next != 0 && see_rights_texts[*rights] == those && those >> 8 * (n - 1) != 0 ? n : 0;
}

/* Reads the en passant square; returns it, or -1. */
static int fast_en_passant(const seebatch_position *board, uint64_t text, int stm)
{
    const int file = (int)(text & 0xff) - 'a', forward = stm == SEEBATCH_WHITE ? 8 : -8;
    if (file < 0 || file > 7 || (text >> 8 & 0xff) != (stm == SEEBATCH_WHITE ? '6' : '3'))
        return -1;
    const int square = file + (stm == SEEBATCH_WHITE ? 40 : 16);
    const uint64_t empty = square_bb(square) | square_bb(square + forward);
    if (seebatch_occupied(board) & empty || !(pieces_of(board, !stm, SEEBATCH_PAWN) & square_bb(square - forward)))
        return -1;
    return square;
}

enum { MOST_DIGITS = 4 };

/* Finds the values of the bytes that are digits. *others gets the highest bit of each byte that is none. */
static inline uint64_t digits_of(uint64_t text, uint64_t *others)
{
    const uint64_t each = UINT64_C(0x0101010101010101), digits = text ^ 0x30 * each;
    *others = (((digits & 0x7f * each) + 0x76 * each) | digits) & 0x80 * each;
    return digits;
}

/* Makes four digits of the first n, at most four, with zeros in front. */
static inline uint32_t four_digits(uint64_t digits, unsigned n) { return (uint32_t)digits << 8 * (MOST_DIGITS - n); }

/* Makes numbers of two times four digits, each in its half. */
static inline uint64_t numbers_of(uint64_t digits)
{
    const uint64_t pairs = (digits * 10 + (digits >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    return pairs * 100 + (pairs >> 16);
}

/* Reads a blank and a number of at most four digits, if the text continues with them; otherwise the text and the clock
 * stay as they are. */
static bool fast_clock(uint16_t *clock, struct fast_text *text)
{
    uint64_t others;
    const uint64_t next = peek(text), digits = digits_of(next >> 8, &others);
    const unsigned n = (unsigned)__builtin_ctzll(others) / 8; /* there is one, because the last byte was zero */
    if ((next & 0xff) != ' ' || n == 0 || n > MOST_DIGITS ||
        ((next >> 8 * (n + 1) & 0xff) != ' ' && (size_t)(text->end - text->at) != n + 1))
        return false;
    *clock = (uint16_t)numbers_of(four_digits(digits, n));
    text->at += n + 1;
    return true;
}

/* Reads both clocks if the text ends after them and they take eight characters at most, with their blanks. Otherwise
 * returns false. */
static inline bool last_clocks(seebatch_position *position, struct fast_text *text)
{
    const size_t left = (size_t)(text->end - text->at);
    if (left < 4 || left > 8)
        return false;
    const uint64_t next = peek(text);
    uint64_t others;
    const uint64_t digits = digits_of(next, &others), there = ~UINT64_C(0) >> (64 - 8 * left);
    const uint64_t second = others & there & ~UINT64_C(0x80); /* with the first one, these are the blanks */
    const unsigned n = (unsigned)__builtin_ctzll(second | UINT64_C(1) << 63) / 8 - 1, more = (unsigned)left - n - 2;
    if (second == 0 || (second & (second - 1)) != 0 || n - 1 >= MOST_DIGITS || more - 1 >= MOST_DIGITS ||
        (next & 0xff) != ' ' || (next >> 8 * (n + 1) & 0xff) != ' ')
        return false;
    const uint64_t numbers =
        numbers_of(four_digits(digits >> 8, n) | (uint64_t)four_digits(digits >> 8 * (n + 2), more) << 32);
    position->halfmove_clock = (uint16_t)numbers;
    position->fullmove_number = (uint16_t)(numbers >> 32);
    text->at = text->end;
    return true;
}

/* Reads the fields after the side to move. The board has been read already. */
static bool read_rest(seebatch_position *position, struct fast_text rest)
{
    const uint64_t text = peek(&rest);
    unsigned rights;
    const unsigned n = fast_rights(text, &rights);
    const uint64_t passed = text >> 8 * (n + 2);
    const bool none = (passed & 0xff) == '-';
    const int ep_square = none ? SEEBATCH_NO_SQUARE : fast_en_passant(position, passed, position->stm);
    if (n == 0 || ep_square < 0 || !rooks_of_rights(position, rights, position->castling_rook))
        return false;
    rest.at += n + 2 + (none ? 1 : 2);
    position->ep_square = (uint8_t)ep_square;
    position->shredder = position->reserved = 0;
    if (last_clocks(position, &rest))
        return true;
    position->halfmove_clock = 0;
    position->fullmove_number = 1;
    if (fast_clock(&position->halfmove_clock, &rest))
        fast_clock(&position->fullmove_number, &rest);
    return rest.at == rest.end || (*rest.at == ' ' && seebatch_fen_operations(rest.at, (size_t)(rest.end - rest.at)));
}

void seebatch_fens_fast(const seebatch_text *fens, size_t n, const char *end, seebatch_position *positions,
                        uint8_t *accepted)
{
    const struct see_kernel *kernel = __atomic_load_n(&seebatch_kernel_in_use, __ATOMIC_RELAXED);
    if (kernel && kernel->fen_boards) /* before the first use there is none */
        kernel->fen_boards(fens, n, end, positions, accepted);
    else
        memset(accepted, 0, n);
    for (size_t i = 0; i < n; i++) {
        if (accepted[i] == SEE_FEN_WHOLE)
            continue;
        if (accepted[i] == 0)
            accepted[i] = read_board(fens[i], &positions[i]);
        const char *text = fens[i].at, *text_end = text + fens[i].length;
        const struct fast_text rest = {text + accepted[i], text_end, end ? end : text_end};
        accepted[i] = accepted[i] != 0 && read_rest(&positions[i], rest);
        see_clear_padding(&positions[i]);
    }
}
