/*
 * The quick way to read a FEN that is as nearly all are.
 *
 * Files of millions of positions are read in less time than it takes to evaluate them, if reading a FEN hardly ever
 * branches on what it reads. A kernel may read the pieces sixty-four characters at a time. Without one they go byte by
 * byte through a table into a board of 64 bytes, in the order in which a FEN has them, a8 first; eight such bytes, a
 * rank, become eight bits of each plane by a multiplication. A rank that is too long or too short shows where its '/'
 * stands. What follows the pieces is taken eight bytes at a time.
 *
 * This way only ever says yes. Whatever is not in the usual form, and whatever is wrong, is left to the careful way of
 * fen.c, which finds the words for it; a test holds the two against each other.
 */
#include "fen.h"
#include "kernel.h"
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

/* Eight bytes as a number, the first the lowest. */
static inline uint64_t eight_bytes(const void *at)
{
    uint64_t bytes;
    memcpy(&bytes, at, sizeof bytes);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    return bytes;
}

/* The board as planes and white's squares; its bytes begin with a8, and those of a rank with its a-file. */
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
static size_t read_pieces(const char *text, size_t length, uint64_t planes[4])
{
    enum { ROOM = 128 }; /* more than 64, and a power of two: too many squares go round, and are found in the end */
    uint8_t board[ROOM] = {0};
    uint32_t square = 0, expected = 8, wrong = 0, last = 0;
    size_t n = 0;
    for (; n < length; n++) {
        const unsigned index = (unsigned)(unsigned char)text[n] - FIRST_CHARACTER;
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
        return 0;
    fill_planes(planes, board);
    return n;
}

/* Reads the pieces by the kernel in use, if it can: before the first use there is none. */
static inline size_t quick_pieces(const char *text, size_t length, size_t readable, uint64_t planes[4])
{
    const struct see_kernel *kernel = __atomic_load_n(&seebatch_kernel_in_use, __ATOMIC_RELAXED);
    const size_t n = kernel && kernel->fen_pieces ? kernel->fen_pieces(text, readable, planes) : 0;
    return n ? n : read_pieces(text, length, planes);
}

/* A text, and what may be read of it: eight bytes in front of its end, and more behind that up to `readable`. */
struct quick_text {
    const char *at, *end, *readable;
};

/* The next eight bytes, the first the lowest, with zeros behind the end. */
static inline uint64_t peek(const struct quick_text *text)
{
    const size_t left = (size_t)(text->end - text->at);
    if (left >= 8)
        return eight_bytes(text->at);
    if (text->readable - text->at >= 8)
        return eight_bytes(text->at) & ((UINT64_C(1) << 8 * left) - 1);
    return left ? eight_bytes(text->end - 8) >> 8 * (8 - left) : 0;
}

/* Reads the castling rights as some of KQkq in that order or '-', for a board with one king a side, and the blank
 * behind them. Returns how many characters that were, or 0. Without branches on what is there. */
static inline size_t quick_rights(const seebatch_position *board, uint64_t text, uint8_t rook_of[2][2])
{
    static const char letters[] = "KQkq";
    bool missing = false;
    if ((text & 0xffff) == ('-' | ' ' << 8)) { /* mostly the same as in the FEN before */
        memset(rook_of, SEEBATCH_NO_SQUARE, 2 * sizeof *rook_of);
        return 2;
    }
    size_t n = 0;
    for (int i = 0; i < 4; i++) {
        const int color = i / 2;
        const bool has = (char)(text & 0xff) == letters[i];
        const uint64_t king = pieces_of(board, color, SEEBATCH_KING) & first_rank(color);
        const uint64_t rooks = pieces_of(board, color, SEEBATCH_ROOK) & first_rank(color) & (0 - (uint64_t)(king != 0));
        const uint64_t beside = i % 2 == SEE_KINGSIDE ? rooks & ~(king - 1) : rooks & (king - 1);
        const int outermost =
            i % 2 == SEE_KINGSIDE ? 63 - __builtin_clzll(beside | 1) : lowest_square(beside | square_bit(63));
        missing |= has & (beside == 0);
        rook_of[color][i % 2] = (uint8_t)(has ? outermost : (int)SEEBATCH_NO_SQUARE);
        text >>= 8 * has;
        n += has;
    }
    const bool none = (n == 0) & ((text & 0xff) == '-');
    text >>= 8 * none;
    n += none;
    return (text & 0xff) == ' ' && n != 0 && !missing ? n + 1 : 0;
}

/* Reads the en passant square; returns it, or -1. */
static int quick_en_passant(const seebatch_position *board, uint64_t text, int stm)
{
    const int file = (int)(text & 0xff) - 'a', forward = stm == SEEBATCH_WHITE ? 8 : -8;
    if (file < 0 || file > 7 || (text >> 8 & 0xff) != (stm == SEEBATCH_WHITE ? '6' : '3'))
        return -1;
    const int square = file + (stm == SEEBATCH_WHITE ? 40 : 16);
    const uint64_t empty = square_bit(square) | square_bit(square + forward);
    if (seebatch_occupied(board) & empty || !(pieces_of(board, !stm, SEEBATCH_PAWN) & square_bit(square - forward)))
        return -1;
    return square;
}

/* Reads a blank and a number of at most four digits, if that is what there is; otherwise the text and the clock stay as
 * they are. */
static inline void quick_clock(uint16_t *clock, struct quick_text *text)
{
    enum { MOST_DIGITS = 4 };
    const uint64_t each = UINT64_C(0x0101010101010101), next = peek(text), digits = next >> 8 ^ 0x30 * each;
    const uint64_t others = (((digits & 0x7f * each) + 0x76 * each) | digits) & 0x80 * each; /* bytes above 9 */
    const unsigned n = (unsigned)__builtin_ctzll(others) / 8; /* there is one: the last byte was zero */
    if ((next & 0xff) != ' ' || n == 0 || n > MOST_DIGITS ||
        ((next >> 8 * (n + 1) & 0xff) != ' ' && (size_t)(text->end - text->at) != n + 1))
        return;
    const uint32_t last = (uint32_t)digits << 8 * (MOST_DIGITS - n); /* four digits, zeros in front */
    const uint32_t pairs = last * 10 + (last >> 8);
    *clock = (uint16_t)((pairs & 0xff) * 100 + (pairs >> 16 & 0xff));
    text->at += n + 1;
}

static bool is_one(uint64_t set) { return set != 0 && (set & (set - 1)) == 0; }

/* What of seebatch_position_check() is about the board alone. */
static inline bool board_is_sound(const seebatch_position *board, int stm)
{
    const uint64_t pawns = seebatch_pieces_of_type(board, SEEBATCH_PAWN);
    if (!is_one(pieces_of(board, SEEBATCH_WHITE, SEEBATCH_KING)) ||
        !is_one(pieces_of(board, SEEBATCH_BLACK, SEEBATCH_KING)) ||
        pawns & (first_rank(SEEBATCH_WHITE) | first_rank(SEEBATCH_BLACK)))
        return false;
    return !attackers_of_color(board, king_square(board, !stm), stm, seebatch_occupied(board));
}

bool seebatch_fen_quick(seebatch_position *position, const char *text, size_t length, size_t readable)
{
    uint64_t planes[4];
    const size_t pieces = quick_pieces(text, length, readable, planes);
    if (!pieces || length - pieces < 7 || length < pieces) /* " w - -" at least */
        return false;
    struct quick_text rest = {text + pieces + 1, text + length, text + readable};
    seebatch_position board; /* its pieces; the rest is written when all is well */
    board.plane[0] = planes[0], board.plane[1] = planes[1], board.plane[2] = planes[2], board.white = planes[3];
    uint8_t rook_of[2][2];
    const uint64_t side = peek(&rest);
    const int stm = (side & 0xff) == 'w' ? SEEBATCH_WHITE : SEEBATCH_BLACK;
    if (text[pieces] != ' ' || ((side & 0xff) != 'w' && (side & 0xff) != 'b') || (side >> 8 & 0xff) != ' ' ||
        !board_is_sound(&board, stm))
        return false;
    const size_t rights = quick_rights(&board, side >> 16, rook_of);
    rest.at += 2 + rights;
    if (!rights || rest.at >= rest.end)
        return false;
    const uint64_t passed = peek(&rest);
    const bool none = (passed & 0xff) == '-';
    const int ep_square = none ? SEEBATCH_NO_SQUARE : quick_en_passant(&board, passed, stm);
    rest.at += none ? 1 : 2;
    if (ep_square < 0 || rest.at > rest.end)
        return false;
    uint16_t halfmove_clock = 0, fullmove_number = 1;
    const char *before = rest.at;
    quick_clock(&halfmove_clock, &rest);
    if (rest.at > before)
        quick_clock(&fullmove_number, &rest);
    if (rest.at < rest.end && (*rest.at != ' ' || !seebatch_fen_operations(rest.at, (size_t)(rest.end - rest.at))))
        return false;
    position->plane[0] = board.plane[0], position->plane[1] = board.plane[1], position->plane[2] = board.plane[2];
    position->white = board.white;
    position->stm = (uint8_t)stm;
    position->ep_square = (uint8_t)ep_square;
    memcpy(position->castling_rook, rook_of, sizeof rook_of);
    position->shredder = position->reserved = 0;
    position->halfmove_clock = halfmove_clock;
    position->fullmove_number = fullmove_number;
    return true;
}
