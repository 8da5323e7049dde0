/* SPDX-License-Identifier: MIT. Copyright (c) 2026 the seebatch authors. */
/*
 * seebatch: static exchange evaluation (SEE) in bulk.
 *
 * An exchange is a series of captures on one square. Its first move is given. After it, the two sides alternate, and
 * each of them may recapture on that square or stop. The value of the first move is the material balance for the side
 * that made it. Engines order and prune moves by this value, one move at a time. This library evaluates a whole list of
 * moves, or many positions with all their moves, in SIMD lanes, and returns the same numbers as its scalar code, bit
 * for bit.
 *
 *     seebatch_rules rules;
 *     seebatch_rules_named("swap", &rules, NULL);
 *     seebatch_move moves[SEEBATCH_MAX_MOVES];
 *     int16_t values[SEEBATCH_MAX_MOVES];
 *     size_t n = seebatch_legal_captures(&position, moves);
 *     seebatch_values(&rules, &position, NULL, moves, n, values);
 *
 * The following holds for every function unless its comment says otherwise:
 *
 * Squares       are numbered a1 = 0, b1 = 1, ..., h8 = 63 (little-endian rank-file mapping). White moves up the board.
 * Units         Values are in the units of the caller's piece values, from the point of view of the side that makes the
 *               first move.
 * Threads       Every function may be called from several threads at once. The only mutable global state of the library
 *               is one atomic pointer to the kernel in use. The library allocates no memory, and it starts no threads
 *               except those of a seebatch_job.
 * Arguments     A function takes first what it reads, then what it writes, and then the job or the error.
 * Aliasing      Output arrays must not overlap inputs or each other. Inputs may overlap each other.
 * Alignment     The natural alignment of the element type is enough.
 * Stack         A call for one position or one move uses up to 16 KiB of stack, under SEEBATCH_BEST_ORDER up to 80 KiB in
 *               rare positions. A call for many positions uses up to 128 KiB, and seebatch_batch_any_capture() up to 160
 *               KiB, at -O2 or -O3. At any optimisation level, 256 KiB are enough for every call. Threads of musl have
 *               128 KiB unless pthread_attr_setstacksize() asks for more. In a thread whose stack is too small, a call
 *               ends the program at the guard page if the library was compiled with -fstack-clash-protection, as its own
 *               build files do. Without that option, it can write into the memory below the guard page.
 * Wrong calls   Text is never trusted: functions that read text return a status and fill a seebatch_error. All other
 *               arguments have preconditions. A debug build of the library (without NDEBUG) checks them by asserts; in
 *               a release build, breaking them is undefined behaviour. The checking build below also checks moves and
 *               boards.
 *
 * The checking build: if the library is compiled with SEEBATCH_CHECK_MOVES=1, which is also an option of CMake, it
 * checks every move and its board before it evaluates the move. If either is wrong, it aborts with a sentence on
 * standard error that names the position, the move, and what is wrong. With SEEBATCH_CHECK_MOVES=2, it accepts moves
 * that leave their own king in check, for engines that evaluate moves before they test for that; under
 * SEEBATCH_PINS_LEGAL it still refuses them. It accepts captures en passant and castling if the pieces stand in the
 * right places, whatever the fields of the position say.
 *
 * The header is C11, and also compiles as C++ without warnings.
 */
#ifndef SEEBATCH_H
#define SEEBATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define SEEBATCH_VERSION_MAJOR 1
#define SEEBATCH_VERSION_MINOR 0
#define SEEBATCH_VERSION_PATCH 0
#define SEEBATCH_VERSION "1.0.0"

#if defined(SEEBATCH_SHARED) && defined(_WIN32)
#ifdef SEEBATCH_BUILD
#define SEEBATCH_API __declspec(dllexport)
#else
#define SEEBATCH_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define SEEBATCH_API __attribute__((visibility("default")))
#else
#define SEEBATCH_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that is linked, in the form "major.minor.patch". Compare it with SEEBATCH_VERSION, which
 * is the version of this header. */
SEEBATCH_API const char *seebatch_version(void);

/* ---- Words ------------------------------------------------------------------------------------------------------ */

enum { SEEBATCH_WHITE = 0, SEEBATCH_BLACK = 1 };

/* Piece types, in the fixed order in which they capture, least valuable first. The order does not depend on the piece
 * values of a rule set. */
enum {
    SEEBATCH_PAWN = 0,
    SEEBATCH_KNIGHT = 1,
    SEEBATCH_BISHOP = 2,
    SEEBATCH_ROOK = 3,
    SEEBATCH_QUEEN = 4,
    SEEBATCH_KING = 5,
    SEEBATCH_NO_PIECE = 6
};

enum { SEEBATCH_NO_SQUARE = 64 };

/* What became of a call that may fail for reasons other than a defect of the caller. */
typedef enum seebatch_status {
    SEEBATCH_OK = 0,
    SEEBATCH_UNREADABLE, /* the text is not in the expected form */
    SEEBATCH_UNSOUND,    /* the text is readable, but the position breaks the rules of chess */
    SEEBATCH_ILLEGAL,    /* the move is readable, but not legal in the position */
    SEEBATCH_BAD_RULES,  /* no rule set of that name, or rules out of bounds */
    SEEBATCH_BAD_KERNEL, /* no kernel of that name, or not one that this machine can run */
    SEEBATCH_CANCELLED,  /* a callback of the caller ended the work */
    SEEBATCH_AMBIGUOUS,  /* the text is readable, and fits several legal moves in the position */
    SEEBATCH_DIFFERENT,  /* a kernel gives another answer than the scalar code */
    SEEBATCH_NO_ROOM,    /* the answer does not fit into the memory given for it */
    SEEBATCH_BAD_OFFSETS /* the offsets decrease, or exceed the number of items */
} seebatch_status;

/* Why a call failed: a sentence, without the full stop at its end, that says what was wrong and what was expected. A
 * function fills it if it returns anything other than SEEBATCH_OK, and leaves it untouched otherwise. Wherever a
 * function takes a pointer to a seebatch_error, NULL is allowed. */
typedef struct seebatch_error {
    char text[256];
} seebatch_error;

/* ---- Positions -------------------------------------------------------------------------------------------------- */

/*
 * A position: plain data of 48 bytes, which may be copied and filled freely.
 *
 * The board is stored as three planes of piece codes and one set for the colour, so that every set of pieces costs one
 * or two operations in a vector register, and the whole board fits into a register of 32 bytes. The code of a square is
 * plane[0] + 2 plane[1] + 4 plane[2]: 0 for an empty square, 1 bishop, 2 rook, 3 queen, 4 pawn, 5 knight, 6 king. The
 * code 7 does not occur. Use seebatch_position_from_bitboards() and the accessors below rather than the planes. The
 * last four bytes are padding, so compare positions field by field, and not as memory.
 *
 * The evaluation functions read only the board, that is, plane and white; the colour of the moving piece says which
 * side moves. The functions about moves and FENs use the other fields as well.
 */
typedef struct seebatch_position {
    uint64_t plane[3];
    uint64_t white;              /* squares of white pieces */
    uint8_t stm;                 /* side to move: SEEBATCH_WHITE or SEEBATCH_BLACK */
    uint8_t ep_square;           /* the square that a pawn has just passed over, or SEEBATCH_NO_SQUARE */
    uint8_t castling_rook[2][2]; /* [colour][0 kingside, 1 queenside]: the square of the rook with which the king may
                                    still castle, or SEEBATCH_NO_SQUARE */
    uint8_t shredder;            /* 1 if castling rights are written as files of rooks (Shredder-FEN) and castling as
                                    king takes rook; 0 if the rights are written as KQkq */
    uint8_t reserved;            /* 0 */
    uint16_t halfmove_clock;     /* half-moves since the last capture or pawn move */
    uint16_t fullmove_number;
} seebatch_position;

/*
 * A position from an engine's own bitboards.
 *
 * by_type    six sets of squares, in the order of the piece types from pawn to king, each with the pieces of both
 *            colours.
 * by_color   the squares of the white and of the black pieces. Each occupied square must be in exactly one set of
 *            by_type and in exactly one of by_color.
 * stm        the side to move, SEEBATCH_WHITE or SEEBATCH_BLACK.
 *
 * The other fields are set to: no en passant square, no castling rights, and the clocks 0 and 1. Set them afterwards if
 * moves are to be generated or checked. The function is inline and has no branch.
 */
static inline seebatch_position seebatch_position_from_bitboards(const uint64_t by_type[6], const uint64_t by_color[2],
                                                                 int stm)
{
    seebatch_position p;
    p.plane[0] = by_type[SEEBATCH_BISHOP] | by_type[SEEBATCH_QUEEN] | by_type[SEEBATCH_KNIGHT];
    p.plane[1] = by_type[SEEBATCH_ROOK] | by_type[SEEBATCH_QUEEN] | by_type[SEEBATCH_KING];
    p.plane[2] = by_type[SEEBATCH_PAWN] | by_type[SEEBATCH_KNIGHT] | by_type[SEEBATCH_KING];
    p.white = by_color[SEEBATCH_WHITE];
    p.stm = (uint8_t)stm;
    p.ep_square = SEEBATCH_NO_SQUARE;
    p.castling_rook[0][0] = p.castling_rook[0][1] = SEEBATCH_NO_SQUARE;
    p.castling_rook[1][0] = p.castling_rook[1][1] = SEEBATCH_NO_SQUARE;
    p.shredder = 0;
    p.reserved = 0;
    p.halfmove_clock = 0;
    p.fullmove_number = 1;
    return p;
}

/* The same from twelve bitboards: the white pieces from pawn to king, and then the black ones. If the engine has an
 * array [2][6], pass &bitboards[0][0]. */
static inline seebatch_position seebatch_position_from_twelve(const uint64_t *bitboards, int stm)
{
    const uint64_t *w = bitboards, *b = bitboards + 6;
    const uint64_t by_type[6] = {w[0] | b[0], w[1] | b[1], w[2] | b[2], w[3] | b[3], w[4] | b[4], w[5] | b[5]};
    const uint64_t by_color[2] = {w[0] | w[1] | w[2] | w[3] | w[4] | w[5], b[0] | b[1] | b[2] | b[3] | b[4] | b[5]};
    return seebatch_position_from_bitboards(by_type, by_color, stm);
}

/* An empty board, on which seebatch_put_piece() can put pieces. */
static inline seebatch_position seebatch_position_empty(int stm)
{
    const uint64_t none[6] = {0, 0, 0, 0, 0, 0};
    return seebatch_position_from_bitboards(none, none, stm);
}

/* Puts a piece on an empty square (0..63), or does nothing if type is SEEBATCH_NO_PIECE. A loop over the squares can
 * fill a board of any layout with this function. */
static inline void seebatch_put_piece(seebatch_position *p, int square, int type, int color)
{
    static const uint8_t code_of_type[7] = {4, 5, 1, 2, 3, 6, 0};
    const uint64_t code = code_of_type[type];
    p->plane[0] |= (code & 1) << square;
    p->plane[1] |= (code >> 1 & 1) << square;
    p->plane[2] |= (code >> 2) << square;
    p->white |= (uint64_t)((code != 0) & (color == SEEBATCH_WHITE)) << square;
}

/* A piece in one byte, as seebatch_position_from_pieces() and the table of seebatch_position_from_codes() have it. */
#define SEEBATCH_PIECE(type, color) ((type) | (color) << 3)

/* A position from 64 bytes, a1 to h8, each of which is a SEEBATCH_PIECE(). An empty square has the type
 * SEEBATCH_NO_PIECE and any colour. stm and the fields that are not about the board: as for
 * seebatch_position_from_bitboards(), here and in the next three functions. */
static inline seebatch_position seebatch_position_from_pieces(const uint8_t piece[64], int stm)
{
    uint64_t sets[4] = {0, 0, 0, 0}; /* a bit of the bytes each */
#ifdef __SSE2__
    for (int row = 0; row < 64; row += 16) {
        __m128i v = _mm_slli_epi16(_mm_loadu_si128((const __m128i *)(const void *)(piece + row)), 4);
        for (int bit = 3; bit >= 0; bit--, v = _mm_slli_epi16(v, 1)) /* into the sign, where it is taken from */
            sets[bit] |= (uint64_t)_mm_movemask_epi8(v) << row;
    }
#else
    for (int row = 0; row < 64; row += 8) {
        uint64_t eight = 0;
        for (int file = 0; file < 8; file++)
            eight |= (uint64_t)piece[row + file] << 8 * file;
        for (int bit = 0; bit < 4; bit++) /* the multiplication moves a bit of each byte into the highest byte */
            sets[bit] |= ((eight >> bit & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56) << row;
    }
#endif
    seebatch_position p = seebatch_position_empty(stm);
    p.plane[0] = sets[0] ^ sets[1] ^ sets[2];
    p.plane[1] = (sets[0] & sets[1]) | (sets[2] & ~sets[1]);
    p.plane[2] = (sets[0] | ~sets[2]) & ~sets[1];
    p.white = ~(sets[3] | (sets[1] & sets[2]));
    return p;
}

/* A position from two arrays, which have the type and the colour of the piece on each square, a1 to h8. An empty square
 * has the type SEEBATCH_NO_PIECE and any colour. */
static inline seebatch_position seebatch_position_from_arrays(const uint8_t type[64], const uint8_t color[64], int stm)
{
    uint8_t piece[64];
    for (int square = 0; square < 64; square++)
        piece[square] = (uint8_t)SEEBATCH_PIECE(type[square], color[square] != SEEBATCH_WHITE);
    return seebatch_position_from_pieces(piece, stm);
}

/* A position from a mailbox with the engine's own codes, a1 to h8. piece_of[code] is the SEEBATCH_PIECE() for which a
 * code stands, or SEEBATCH_NO_PIECE. The table must have an entry for every code that occurs on the board. */
static inline seebatch_position seebatch_position_from_codes(const uint8_t board[64], const uint8_t *piece_of, int stm)
{
    uint8_t piece[64];
    for (int square = 0; square < 64; square++)
        piece[square] = piece_of[board[square]];
    return seebatch_position_from_pieces(piece, stm);
}

/* A position from a mailbox of letters, a1 to h8: PNBRQK for the white pieces and pnbrqk for the black ones. Any other
 * character is an empty square. */
static inline seebatch_position seebatch_position_from_letters(const char board[64], int stm)
{
    static const char letters[] = "PNBRQKpnbrqk";
    seebatch_position p = seebatch_position_empty(stm);
    for (int square = 0; square < 64; square++) {
        for (int piece = 0; piece < 12; piece++) {
            if (board[square] == letters[piece])
                seebatch_put_piece(&p, square, piece % 6, piece / 6);
        }
    }
    return p;
}

/* The squares of all pieces. */
static inline uint64_t seebatch_occupied(const seebatch_position *p) { return p->plane[0] | p->plane[1] | p->plane[2]; }

/* The squares of all pieces of one colour. */
static inline uint64_t seebatch_pieces_of_color(const seebatch_position *p, int color)
{
    return color == SEEBATCH_WHITE ? p->white : seebatch_occupied(p) & ~p->white;
}

/* The squares of all pieces of one type, SEEBATCH_PAWN to SEEBATCH_KING, of both colours. Empty for any other type. */
static inline uint64_t seebatch_pieces_of_type(const seebatch_position *p, int type)
{
    switch (type) {
    case SEEBATCH_PAWN: return p->plane[2] & ~(p->plane[0] | p->plane[1]);
    case SEEBATCH_KNIGHT: return p->plane[2] & p->plane[0];
    case SEEBATCH_BISHOP: return p->plane[0] & ~(p->plane[1] | p->plane[2]);
    case SEEBATCH_ROOK: return p->plane[1] & ~(p->plane[0] | p->plane[2]);
    case SEEBATCH_QUEEN: return p->plane[0] & p->plane[1];
    case SEEBATCH_KING: return p->plane[2] & p->plane[1];
    default: return 0;
    }
}

/* The type of the piece on a square (0..63), or SEEBATCH_NO_PIECE. */
static inline int seebatch_type_on(const seebatch_position *p, int square)
{
    static const uint8_t type_of_code[8] = {SEEBATCH_NO_PIECE, SEEBATCH_BISHOP, SEEBATCH_ROOK, SEEBATCH_QUEEN,
                                            SEEBATCH_PAWN,     SEEBATCH_KNIGHT, SEEBATCH_KING, SEEBATCH_NO_PIECE};
    const uint64_t bit = UINT64_C(1) << square;
    unsigned code = (p->plane[2] & bit) != 0;
    code = 2 * code + ((p->plane[1] & bit) != 0);
    code = 2 * code + ((p->plane[0] & bit) != 0);
    return type_of_code[code];
}

/* The colour of the piece on an occupied square (0..63). */
static inline int seebatch_color_on(const seebatch_position *p, int square)
{
    return p->white >> square & 1 ? SEEBATCH_WHITE : SEEBATCH_BLACK;
}

/* The size of a buffer that holds any FEN that seebatch_position_to_fen() writes, with its terminating NUL. */
enum { SEEBATCH_FEN_SIZE = 128 };

/*
 * Reads a position from a FEN or an EPD. The text has four fields (pieces, side to move, castling rights, en passant
 * square), then optionally the halfmove clock, then optionally the full-move number (each 0..65535), and then
 * optionally EPD operations such as "bm e4;", which are skipped. Castling rights may be written as KQkq, where each
 * letter means the outermost rook (X-FEN), or as files of rooks (Shredder-FEN). Adjacent empty squares are written as
 * one number: 8, not 44. Blanks separate the fields, and blanks at the end are ignored.
 *
 * text, length   the text. It need not end with a NUL, and a NUL within it is an error.
 * position       filled if the function returns SEEBATCH_OK, and untouched otherwise.
 *
 * Returns SEEBATCH_UNREADABLE if the text is malformed, and SEEBATCH_UNSOUND if seebatch_position_check() refuses the
 * position.
 */
SEEBATCH_API seebatch_status seebatch_position_from_fen(const char *text, size_t length, seebatch_position *position,
                                                        seebatch_error *error);

/*
 * Whether a position is sound, that is, whether it meets the following conditions:
 *
 *   - The planes and the colours agree, and each side has exactly one king.
 *   - No pawn stands on the first or last rank.
 *   - The side that is not to move is not in check.
 *   - For each castling right, the king and the rook are in place: both on the side's first rank, with the rook on the
 *     matching side of the king.
 *   - An en passant square, if there is one, is a square over which a pawn of the side that is not to move can just
 *     have passed. It is on the sixth rank as seen by the side to move, it is empty, the square behind it is empty, and
 *     the pawn stands in front of it.
 *
 * An en passant square on which no pawn can capture is accepted, and so are more pieces than a game can have.
 *
 * The functions about moves require sound positions, and so does evaluation under SEEBATCH_PINS_LEGAL. Under other
 * rules, the evaluation functions only need a board on which the planes and colours agree and each side has at most one
 * king.
 *
 * Returns SEEBATCH_OK, or SEEBATCH_UNSOUND with an error that names the condition.
 */
SEEBATCH_API seebatch_status seebatch_position_check(const seebatch_position *position, seebatch_error *error);

/* Writes the position as a FEN with six fields and a terminating NUL, and returns its length without the NUL. The
 * position need not be sound. If a side may castle with a rook that is not the outermost one on its side of the king,
 * all rights are written as files of rooks, and reading the FEN then sets shredder. A FEN cannot record shredder if
 * there are no castling rights at all. */
SEEBATCH_API size_t seebatch_position_to_fen(const seebatch_position *position, char fen[SEEBATCH_FEN_SIZE]);

/* ---- Moves ------------------------------------------------------------------------------------------------------ */

/* A move in 16 bits: the from-square in bits 0-5, the to-square in bits 6-11, and in bits 12-14 the type of the piece
 * to which a pawn promotes (1 to 4 for knight to queen, or 0 for none). Bit 15 is zero. Captures en passant and
 * castling need no flag: a pawn that changes its file and lands on an empty square captures en passant, and a king that
 * moves two files, or onto its own rook, castles. */
typedef uint16_t seebatch_move;

/* Makes a move from two squares (0..63) and a promotion: 0, or SEEBATCH_KNIGHT to SEEBATCH_QUEEN. */
static inline seebatch_move seebatch_make_move(int from, int to, int promotion)
{
    return (seebatch_move)(from | to << 6 | promotion << 12);
}
static inline int seebatch_from(seebatch_move move) { return move & 63; }
static inline int seebatch_to(seebatch_move move) { return move >> 6 & 63; }
static inline int seebatch_promotion(seebatch_move move) { return move >> 12 & 7; }

/* The following functions convert moves from the formats in which engines store them. Bits that a comment does not name
 * are ignored. promotion is 0, or SEEBATCH_KNIGHT to SEEBATCH_QUEEN. */

/* From the from-square in bits 0-5 and the to-square in bits 6-11. */
static inline seebatch_move seebatch_move_low_from(unsigned move, int promotion)
{
    return (seebatch_move)((move & 0xfff) | (unsigned)promotion << 12);
}

/* From the to-square in bits 0-5 and the from-square in bits 6-11. */
static inline seebatch_move seebatch_move_low_to(unsigned move, int promotion)
{
    return (seebatch_move)((move >> 6 & 63) | (move & 63) << 6 | (unsigned)promotion << 12);
}

/* From a move as Stockfish and many other engines store it: the to-square is in the low bits, and bits 12-13 have the
 * promotion piece (0 to 3 for knight to queen), which counts only if bits 14-15 are 1. */
static inline seebatch_move seebatch_move_from_stockfish(unsigned move)
{
    return seebatch_move_low_to(move, (move >> 14 & 3) == 1 ? (int)(move >> 12 & 3) + SEEBATCH_KNIGHT : 0);
}

/* From a move as Ethereal and engines derived from it store it: the from-square is in the low bits, and bits 14-15 have
 * the promotion piece (0 to 3 for knight to queen), which counts only if bits 12-13 are 3. */
static inline seebatch_move seebatch_move_from_ethereal(unsigned move)
{
    return seebatch_move_low_from(move, (move >> 12 & 3) == 3 ? (int)(move >> 14 & 3) + SEEBATCH_KNIGHT : 0);
}

/* The most legal moves that a sound position can have, however many queens stand on the board. A side with S pieces and
 * 64 - S = T other squares has at most 27 S moves, because a queen has at most 27. It also has at most 16 T + 72: each
 * square can be reached along 8 rays and by 8 knights, and each square of the last rank offers 9 more moves for the
 * choice of the promotion. The smaller of the two numbers is below 704 for every S. */
enum { SEEBATCH_MAX_MOVES = 704 };

/* Writes all legal moves of the side to move, in no particular order, and returns how many there are. The position must
 * be sound. A promotion counts as four moves, to queen, rook, bishop and knight. If king and rook stand on their
 * standard squares and position->shredder is 0, castling is written as the king's step of two files (e1g1), and
 * otherwise as king takes own rook. */
SEEBATCH_API size_t seebatch_legal_moves(const seebatch_position *position, seebatch_move moves[SEEBATCH_MAX_MOVES]);

/* Writes the legal moves that capture, including captures en passant and promotions that capture, and returns how many
 * there are. They are in the same order as in seebatch_legal_moves(). The position must be sound. */
SEEBATCH_API size_t seebatch_legal_captures(const seebatch_position *position, seebatch_move moves[SEEBATCH_MAX_MOVES]);

/* Whether a move, which may be any 16 bits, is legal in a sound position. Castling must be written as
 * seebatch_legal_moves() writes it. The function is much faster than a search through all legal moves, except for
 * captures en passant and castling. */
SEEBATCH_API bool seebatch_is_legal(const seebatch_position *position, seebatch_move move);

/* Plays a move. The move must be legal in the position, which must be sound; castling may be written in either form.
 * After every double step of a pawn the en passant square is set, whether or not a pawn can capture there. */
SEEBATCH_API void seebatch_play(seebatch_position *position, seebatch_move move);

/* The squares that a piece of a type and colour attacks from a square (0..63), given the set of occupied squares. A
 * slider attacks in each direction up to and including the first occupied square. It does not matter whether the
 * piece's own square is in the set. A pawn attacks the two squares on which it may capture. */
SEEBATCH_API uint64_t seebatch_attacks(int type, int color, int square, uint64_t occupied);

/* The pieces of a colour that attack a square (0..63), given the set of occupied squares, which usually is
 * seebatch_occupied(position). Pieces on squares outside of the set do not count. The position need not be sound. */
SEEBATCH_API uint64_t seebatch_attackers(const seebatch_position *position, int square, int color, uint64_t occupied);

/* Whether the side to move is in check. The position must be sound. */
SEEBATCH_API bool seebatch_in_check(const seebatch_position *position);

/*
 * Reads a move in UCI notation, such as e2e4 or e7e8q. Castling may be written as e1g1 or as king takes own rook.
 *
 * position       must be sound.
 * text, length   the text, which need not end with a NUL.
 * move           set to the form that seebatch_legal_moves() writes, or untouched if the function does not return
 *                SEEBATCH_OK.
 *
 * Returns SEEBATCH_UNREADABLE if the text is not in UCI notation, and SEEBATCH_ILLEGAL if the move is not legal in the
 * position.
 */
SEEBATCH_API seebatch_status seebatch_move_from_uci(const seebatch_position *position, const char *text, size_t length,
                                                    seebatch_move *move, seebatch_error *error);

/* Writes a move in UCI notation with a terminating NUL, and returns its length, which is 4 or 5. */
SEEBATCH_API size_t seebatch_move_to_uci(seebatch_move move, char text[6]);

/*
 * Reads a move in standard algebraic notation (SAN), as the PGN standard defines it: e4, exd5, Nf3, Nbd2, R1a3, Qh4xe1,
 * e8=Q+, O-O, O-O-O#. In Chess960, castling is written in the same way. *move is set to the form that
 * seebatch_legal_moves() writes.
 *
 * Many files deviate from the standard, so the function also reads:
 *
 *   - more squares than are needed to identify the piece (Ngf3, Ng1-f3, e2e4, Pe4);
 *   - less than the standard requires, as long as exactly one legal move fits (ed5, Nd5 for a capture, no + or #);
 *   - promotions written as e8Q, e8(Q), e8/Q or e8q, and castling written with zeros;
 *   - "e.p." or "ep", with or without blanks in front, and one of !, ?, !!, ??, !?, ?! at the end.
 *
 * What the text says must be true: an x requires a capture, e.p. requires a capture en passant, and = requires a
 * promotion. Only +, ++ and # are not checked, because they are wrong in too many files. Letters of pieces are
 * capitals, and files are small letters, so bxc3 is a pawn's move and Bxc3 a bishop's.
 *
 * position must be sound, and text need not end with a NUL. Returns SEEBATCH_UNREADABLE, SEEBATCH_ILLEGAL or
 * SEEBATCH_AMBIGUOUS if the text does not name exactly one legal move; *move is then untouched, and the error names the
 * legal moves that come closest.
 */
SEEBATCH_API seebatch_status seebatch_move_from_san(const seebatch_position *position, const char *text, size_t length,
                                                    seebatch_move *move, seebatch_error *error);

/* Reads a move in UCI notation or in SAN. No text means one move in one notation and a different move in the other.
 * Everything else is as in seebatch_move_from_san(). */
SEEBATCH_API seebatch_status seebatch_move_from_text(const seebatch_position *position, const char *text, size_t length,
                                                     seebatch_move *move, seebatch_error *error);

/* The size of a buffer that holds any move in SAN, with its terminating NUL. */
enum { SEEBATCH_SAN_SIZE = 8 };

/* Writes a move in SAN exactly as the PGN standard defines it, with + for check, # for mate, and a terminating NUL, and
 * returns its length. The move must be legal in the position, which must be sound; castling may be given in either
 * form. The function generates the legal moves once or twice, so it is meant for files and for people, not for a
 * search. */
SEEBATCH_API size_t seebatch_move_to_san(const seebatch_position *position, seebatch_move move,
                                         char text[SEEBATCH_SAN_SIZE]);

/* ---- Rules ------------------------------------------------------------------------------------------------------ */

enum { SEEBATCH_MAX_PIECE_VALUE = 3000 };

/* The value of a first move that the rules let pass at any threshold. It is a marker, and not a material balance: no
 * exchange is worth so much. Leave such moves out of sums and maxima. */
enum { SEEBATCH_ALWAYS = 32767 };

/* Made by scripts/manual: fields */
/* Which pieces may not capture. The four rules whose names begin with SEEBATCH_PINS_RAY_ restrict a piece that stands
 * alone between a king and an enemy slider of that king, unless the square of the exchange is on the same line, so that
 * a pinned piece may capture along its pin. Restricted pieces are found once, on the board before the first move.
 * docs/rules.md has a board for each rule. */
enum {
    /* No piece is restricted. */
    SEEBATCH_PINS_IGNORED = 0,
    /* Blockers of their own king, while any pinner of the other side still stands; other snipers between a king and its
     * sniper are ignored. */
    SEEBATCH_PINS_ANY = 1,
    /* Blockers of their own king, while all pinners of the other side still stand; other snipers between count as
     * pieces. */
    SEEBATCH_PINS_ALL = 2,
    /* Pieces whose capture would not be a legal move, at any time in the exchange. */
    SEEBATCH_PINS_LEGAL = 3,
    /* Pieces restricted in front of their own king: they are not among the first attackers, and do not guard the square
     * against a king; sliders can join later. */
    SEEBATCH_PINS_RAY_ONCE = 4,
    /* The same for pieces restricted in front of either king. */
    SEEBATCH_PINS_RAY_ONCE_BOTH = 5,
    /* Pieces restricted in front of either king, to the end of the exchange; other enemy sliders between them and the
     * king are ignored. */
    SEEBATCH_PINS_RAY_EACH = 6,
    /* Pieces restricted in front of their own king, while any pinner of the other side is still on its square, or was
     * captured there by the first move. */
    SEEBATCH_PINS_RAY_STANDING = 7
};
/* Which promotions count. */
enum {
    /* A pawn stays a pawn. */
    SEEBATCH_PROMOTE_NONE = 0,
    /* The promotion of the first move counts, to the piece that it names. */
    SEEBATCH_PROMOTE_FIRST = 1,
    /* It counts, and later pawns that capture on the last rank promote to queens. */
    SEEBATCH_PROMOTE_ALL = 2
};
/* The value of a promotion as the first move, whatever it captures. */
enum {
    /* It is evaluated like other moves. */
    SEEBATCH_PROMOTION_EVALUATED = 0,
    /* It is 0. */
    SEEBATCH_PROMOTION_ZERO = 1,
    /* It is SEEBATCH_ALWAYS. */
    SEEBATCH_PROMOTION_ALWAYS = 2
};
/* The value of a capture en passant as the first move. */
enum {
    /* It is evaluated like other moves. */
    SEEBATCH_EN_PASSANT_EVALUATED = 0,
    /* It is 0. */
    SEEBATCH_EN_PASSANT_ZERO = 1,
    /* It is SEEBATCH_ALWAYS. */
    SEEBATCH_EN_PASSANT_ALWAYS = 2,
    /* It is evaluated; the captured pawn counts, but stays on the board and blocks lines. */
    SEEBATCH_EN_PASSANT_STANDING = 3
};
/* The value of castling as the first move. */
enum {
    /* It is 0. */
    SEEBATCH_CASTLING_ZERO = 0,
    /* It is SEEBATCH_ALWAYS. */
    SEEBATCH_CASTLING_ALWAYS = 1
};
/* Which piece captures. */
enum {
    /* The least valuable one that may. */
    SEEBATCH_LEAST_VALUABLE_FIRST = 0,
    /* The one whose capture is best for its side. */
    SEEBATCH_BEST_ORDER = 1
};
/* Whether a pawn's double step as the first move may be answered en passant, if that is legal. Such a reply wins a pawn
 * and ends the exchange. */
enum {
    /* It may not. */
    SEEBATCH_EN_PASSANT_REPLIES_IGNORED = 0,
    /* It may. */
    SEEBATCH_EN_PASSANT_REPLIES_COUNTED = 1
};
/* Up to here by scripts/manual. */

/*
 * A rule set, which says what may happen in an exchange: plain data, 18 bytes without padding. The value 0 of each
 * field is the one that `swap` has, so fields that an initialiser leaves out change nothing. The fields are independent
 * of each other, and every combination is valid with three exceptions:
 *
 *   - SEEBATCH_PINS_LEGAL and SEEBATCH_BEST_ORDER require each other.
 *   - SEEBATCH_EN_PASSANT_REPLIES_COUNTED requires SEEBATCH_PINS_LEGAL.
 *   - SEEBATCH_EN_PASSANT_STANDING excludes SEEBATCH_PINS_LEGAL.
 */
typedef struct seebatch_rules {
    int16_t value[5]; /* of pawn, knight, bishop, rook, queen; each 0..SEEBATCH_MAX_PIECE_VALUE */
    /* Made by scripts/manual: members */
    uint8_t pins;               /* SEEBATCH_PINS_... */
    uint8_t promotions;         /* SEEBATCH_PROMOTE_... */
    uint8_t promotion;          /* SEEBATCH_PROMOTION_... */
    uint8_t en_passant;         /* SEEBATCH_EN_PASSANT_... */
    uint8_t castling;           /* SEEBATCH_CASTLING_... */
    uint8_t order;              /* SEEBATCH_LEAST_VALUABLE_FIRST or SEEBATCH_BEST_ORDER */
    uint8_t en_passant_replies; /* SEEBATCH_EN_PASSANT_REPLIES_... */
    /* Up to here by scripts/manual. */
    uint8_t reserved; /* 0 */
} seebatch_rules;

/* A field of seebatch_rules, with the words for its values. */
typedef struct seebatch_rules_field {
    const char *name;         /* such as "en-passant" */
    const char *const *words; /* n_words of them, for the values 0, 1, ...: such as "evaluated", "zero" */
    size_t n_words;
    size_t offset; /* of the field, a uint8_t, in seebatch_rules */
} seebatch_rules_field;

/* The fields in the order of the struct, without the piece values, for the indices 0, 1, ...; NULL past the last one.
 */
SEEBATCH_API const seebatch_rules_field *seebatch_rules_field_at(size_t index);

/* The names of the rule sets, for the indices 0, 1, ...; NULL past the last one. */
SEEBATCH_API const char *seebatch_rules_name(size_t index);

/*
 * Makes rules from a text: the name of a rule set, and then, separated by commas, the fields that differ from it, such
 * as "stockfish" or "ethereal,en-passant=standing". Each field may be given once, and all are set before the
 * combination is checked. The piece values are the default ones: 100, 325, 325, 500, 1000.
 *
 * text    ends with a NUL.
 * rules   filled if the function returns SEEBATCH_OK, and untouched otherwise.
 *
 * Returns SEEBATCH_BAD_RULES if there is no such rule set, field or word, or if the combination is not valid; the error
 * says what would be.
 */
SEEBATCH_API seebatch_status seebatch_rules_named(const char *text, seebatch_rules *rules, seebatch_error *error);

/* Writes the text that seebatch_rules_named() reads as rules with these fields: the name of the rule set that has the
 * most of them in common (the first, if there are several), and the other fields. The piece values are not part of the
 * text. The rules must pass seebatch_rules_check(). Returns the length of the text without its terminating NUL. */
enum { SEEBATCH_RULES_SIZE = 176 };
SEEBATCH_API size_t seebatch_rules_to_text(const seebatch_rules *rules, char text[SEEBATCH_RULES_SIZE]);

/* The default rule set, which is `legal` with the default piece values. */
SEEBATCH_API seebatch_rules seebatch_rules_default(void);

/* Whether the piece values are within their bounds, each field has one of the values named above, and the combination
 * is valid. Returns SEEBATCH_OK, or SEEBATCH_BAD_RULES with an error that names the fields, their values, and the
 * values that are allowed. All evaluation functions require rules that pass. */
SEEBATCH_API seebatch_status seebatch_rules_check(const seebatch_rules *rules, seebatch_error *error);

/* ---- Evaluation: one position ----------------------------------------------------------------------------------- */

/*
 * The arguments of all functions that evaluate moves:
 *
 * rules       must pass seebatch_rules_check().
 * position    must have a board as seebatch_position_check() describes it for evaluation. Only the board is read; the
 *             colour of the moving piece says which side moves.
 * pins        NULL, and the library finds the pins where the rules need them; or the result of seebatch_find_pins().
 * moves       Each must be legal in its position, apart from what the rules ignore. In any case a piece must stand on
 *             the from-square, and no piece of its own side on the to-square, except a rook with which a king castles.
 *             Under SEEBATCH_PINS_LEGAL, the move must not leave its own king in check, and the other king must not be
 *             in check before it. A quiet move begins an exchange whose first capture is worth 0. Castling has the
 *             value 0 or SEEBATCH_ALWAYS.
 * values      are in the units of the piece values of the rules, between -6000 and 6000, or SEEBATCH_ALWAYS.
 * threshold   any int16_t, or for seebatch_ge() any int. A move reaches it if its value is at least the threshold. A
 *             move with the value SEEBATCH_ALWAYS reaches every int16_t.
 *
 * The results do not depend on the kernel, nor on how moves are grouped into calls. Under
 * SEEBATCH_LEAST_VALUABLE_FIRST, the method is the swap algorithm (Chess Programming Wiki, "SEE - The Swap Algorithm").
 * SEEBATCH_PINS_ANY and SEEBATCH_PINS_ALL add the pins of Stockfish's see_ge(), as it is today and as it was in 2016,
 * and the SEEBATCH_PINS_RAY_ rules add those of later engines. Under SEEBATCH_BEST_ORDER, the value is the minimax
 * value over all legal captures on the square; docs/internals/legal.md describes and proves the method.
 */

/* The pins of a position, which all rules except SEEBATCH_PINS_IGNORED and SEEBATCH_PINS_LEGAL need. An engine that
 * keeps them, as Stockfish does in its state, may pass them, and the library then does not compute them again. They
 * must be what seebatch_find_pins() finds under the same rules. Under SEEBATCH_PINS_IGNORED and SEEBATCH_PINS_LEGAL
 * they are not read. */
typedef struct seebatch_pins {
    uint64_t blockers[2]; /* by the colour of the king: the pieces of either colour that stand alone between the king
                             and an enemy slider that moves along their line; under SEEBATCH_PINS_ANY and
                             SEEBATCH_PINS_RAY_EACH, other such sliders in between do not count */
    uint64_t pinners[2];  /* by the colour of the king: the sliders whose blocker has the king's own colour */
} seebatch_pins;

/* Finds the blockers and pinners of both kings, as the rules define them, on the board as it stands. Under rules
 * without pins, all sets are empty. */
SEEBATCH_API void seebatch_find_pins(const seebatch_rules *rules, const seebatch_position *position,
                                     seebatch_pins *pins);

/* The value of one move. */
SEEBATCH_API int seebatch_value(const seebatch_rules *rules, const seebatch_position *position,
                                const seebatch_pins *pins, seebatch_move move);

/* Whether one move reaches the threshold. This is faster than finding its value. */
SEEBATCH_API bool seebatch_ge(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                              seebatch_move move, int threshold);

/* Evaluates n moves of one position: values[i] is the value of moves[i]. n may be 0, and then no pointer is read or
 * written. */
SEEBATCH_API void seebatch_values(const seebatch_rules *rules, const seebatch_position *position,
                                  const seebatch_pins *pins, const seebatch_move *moves, size_t n, int16_t *values);

/* The number of words in a bit mask for n moves. */
#define SEEBATCH_MASK_WORDS(n) (((size_t)(n) + 63) / 64)

/* Compares n moves of one position with one threshold: bit i % 64 of mask[i / 64] says whether moves[i] reaches it. All
 * SEEBATCH_MASK_WORDS(n) words are written, and the bits past n are 0. n may be 0, and then no pointer is read or
 * written. */
SEEBATCH_API void seebatch_ge_mask(const seebatch_rules *rules, const seebatch_position *position,
                                   const seebatch_pins *pins, const seebatch_move *moves, size_t n, int16_t threshold,
                                   uint64_t *mask);

/* The same with a threshold for each move: thresholds[i] for moves[i]. */
SEEBATCH_API void seebatch_ge_mask_each(const seebatch_rules *rules, const seebatch_position *position,
                                        const seebatch_pins *pins, const seebatch_move *moves, size_t n,
                                        const int16_t *thresholds, uint64_t *mask);

/*
 * Evaluates n moves of one position and sorts them, the most promising first. Moves are sorted by their value, then by
 * the most valuable victim, and then by the least valuable attacker. Among attackers, a pawn that promotes to a queen
 * comes first, then one that promotes to a rook, and so on, before other pawns. Moves that are equal in all of this
 * keep their order. Victims and attackers are compared by piece type, whatever the piece values are. A quiet move has
 * no victim, and comes last among moves of equal value. This is the order of most valuable victim and least valuable
 * attacker (MVV-LVA), refined by the values of the exchanges.
 *
 * moves       captures or any other moves, sorted in place. n is at most SEEBATCH_MAX_MOVES. It may be 0, and then no
 *             pointer is read or written.
 * threshold   the value that a good move has to reach: 0 for moves that win or keep material.
 * values      n of them are written: values[i] is the value of moves[i] in the new order. Must not overlap moves.
 *
 * Returns how many moves are good. The good moves come first. The function uses about 12 KiB of stack.
 */
SEEBATCH_API size_t seebatch_order(const seebatch_rules *rules, const seebatch_position *position,
                                   const seebatch_pins *pins, seebatch_move *moves, size_t n, int16_t threshold,
                                   int16_t *values);

/*
 * Moves those of n moves of one position that reach their thresholds in front of those that do not, and returns how
 * many do. Both groups keep their order. The function is meant for moves that are already sorted, such as captures by
 * victim and history, or quiet moves that may lose a little. It is faster than evaluating the moves.
 *
 * moves        changed in place. n is at most SEEBATCH_MAX_MOVES. It may be 0, and then no pointer is read or written.
 * thresholds   thresholds[i] is for moves[i] as it was before the call. They are not changed.
 *
 * If scores that an engine keeps next to the moves have to move with them, use seebatch_ge_mask_each() instead.
 */
SEEBATCH_API size_t seebatch_split(const seebatch_rules *rules, const seebatch_position *position,
                                   const seebatch_pins *pins, seebatch_move *moves, size_t n,
                                   const int16_t *thresholds);

/* ---- Evaluation: many positions --------------------------------------------------------------------------------- */

/*
 * Many positions with their moves, as compressed sparse rows: position i has the moves from moves[offsets[i]] up to,
 * but not including, moves[offsets[i + 1]]. All moves from offsets[0] to offsets[n_positions] together are the moves of
 * the batch.
 *
 * The offsets must not decrease. offsets[0] need not be 0, so a slice of a larger batch consists of positions + i,
 * offsets + i and pins + i with the same moves. n_positions may be 0, and then no other pointer is read, and no output
 * is written. For a position without moves, nothing except its offsets is read.
 */
typedef struct seebatch_batch {
    const seebatch_position *positions; /* n_positions of them */
    size_t n_positions;
    const size_t *offsets; /* n_positions + 1 of them */
    const seebatch_move *moves;
    const seebatch_pins *pins; /* one for each position; or NULL, and the library finds them */
} seebatch_batch;

/*
 * A job: one call over many positions, shared by several threads, which reports its progress. The answers are the same,
 * bit for bit, whatever the number of threads. A job may be used by one call at a time, and no other argument may
 * overlap it.
 *
 * The threads take parts of the work in turn, from the first to the last. A part has some thousand moves or queries, or
 * some dozen maps. The calling thread works as well, and the other threads end with the call. Below some ten thousand
 * moves, starting threads takes longer than they save. If a thread cannot be started, the others do its share. The same
 * happens to all threads except the calling one if the library was built without pthreads (-DSEEBATCH_NO_THREADS, and
 * on Windows).
 */
typedef struct seebatch_job {
    /* How many threads share the work, including the calling one: 1 starts no thread, and 0 means
     * seebatch_processors(). There are never more than SEEBATCH_MAX_THREADS, nor more than parts of the work. */
    unsigned threads;

    /* A function that the calling thread calls between its parts, and at the end with done == total; or NULL. done
     * grows from call to call. total is the number of moves, queries or maps, or of positions for
     * seebatch_batch_order(). If the function returns false, the job is cancelled, except at the end, where this has no
     * effect. It is not called if there is nothing to do, and must not leave by longjmp or an exception. */
    bool (*progress)(void *user, size_t done, size_t total);
    void *user;

    /* Set by the call: how many answers have been written, counted from the first one in the units of total. Unless
     * the job was cancelled, these are all. */
    size_t done;
    /* Set by the call: how many threads took part, including the calling one. There are fewer than requested if some
     * could not be started, and 0 if there was nothing to do. */
    unsigned threads_used;
} seebatch_job;

enum { SEEBATCH_MAX_THREADS = 256 };

/* The number of processors that the system has online, at least 1. Limits that apply only to this process (taskset,
 * cgroups) are not taken into account. */
SEEBATCH_API unsigned seebatch_processors(void);

/*
 * All functions over many positions take a job, or NULL, in which case the calling thread does all the work.
 *
 * They return SEEBATCH_OK, which is certain if job is NULL, or SEEBATCH_CANCELLED if job->progress returned false. In
 * the latter case, every thread finishes the part on which it is working. The first job->done answers have then been
 * written, and are the same as without the cancellation; the other answers are untouched. Of a mask, job->done bits are
 * written, in whole words.
 */

/* Evaluates all moves of a batch. values has one element for each move, counted from the first move of the batch:
 * values[k - offsets[0]] is the value of moves[k]. */
SEEBATCH_API seebatch_status seebatch_batch_values(const seebatch_rules *rules, const seebatch_batch *batch,
                                                   int16_t *values, seebatch_job *job);

/* Compares all moves with one threshold: with j = k - offsets[0], bit j % 64 of mask[j / 64] says whether moves[k]
 * reaches it. All SEEBATCH_MASK_WORDS() words for the number of moves are written, and the bits past the last move are
 * 0. */
SEEBATCH_API seebatch_status seebatch_batch_ge_mask(const seebatch_rules *rules, const seebatch_batch *batch,
                                                    int16_t threshold, uint64_t *mask, seebatch_job *job);

/* The same with a threshold for each move: thresholds[k] for moves[k], counted as the offsets count. */
SEEBATCH_API seebatch_status seebatch_batch_ge_mask_each(const seebatch_rules *rules, const seebatch_batch *batch,
                                                         const int16_t *thresholds, uint64_t *mask, seebatch_job *job);

/*
 * Does for each position what seebatch_order() does for one. A position may have at most SEEBATCH_MAX_MOVES moves.
 *
 * sorted   the moves in their new order, counted from the first move of the batch like the values. It may be the very
 *          array of the batch, batch->moves + batch->offsets[0], and then the moves are sorted in place. Otherwise it
 *          must not overlap the moves of the batch.
 * values   as in seebatch_batch_values(), for the moves in the order of sorted.
 * good     n_positions of them: good[i] is the number of good moves of position i.
 */
SEEBATCH_API seebatch_status seebatch_batch_order(const seebatch_rules *rules, const seebatch_batch *batch,
                                                  int16_t threshold, seebatch_move *sorted, int16_t *values,
                                                  size_t *good, seebatch_job *job);

/* ---- What hangs ------------------------------------------------------------------------------------------------- */

/*
 * The value of a square for a side is what this side gets if it has the turn in an exchange on the square. It chooses
 * the first capture itself and may also decline, so the value is at least 0. The literature describes this as exchange
 * evaluation by square, with a recursion that may stand pat, and swap-off analysers draw it as a map of all squares.
 *
 * The rules choose and restrict the first capture like a later one, with the pins of the board as it stands. A pawn
 * that makes the first capture on the last rank becomes a queen, unless the rules have SEEBATCH_PROMOTE_NONE. The
 * fields promotion, en_passant, castling and en_passant_replies have no effect, because they are about a given first
 * move.
 *
 * The value is 0 on empty squares (captures en passant do not count here), on the side's own pieces, and on the enemy
 * king. Both sides are treated as if they had the turn, whichever side is to move and whichever king is attacked. Under
 * SEEBATCH_PINS_LEGAL, a side whose king is attacked from another square gets what it can win by captures on the square
 * that answer the attack.
 *
 * The rules must pass seebatch_rules_check(), and the board must be as the evaluation functions need it. Values are
 * between 0 and 6000. The results do not depend on the kernel.
 */

/* The value of a square (0..63) for SEEBATCH_WHITE or SEEBATCH_BLACK. */
SEEBATCH_API int seebatch_square_value(const seebatch_rules *rules, const seebatch_position *position, int square,
                                       int color);

/* The values of all squares for both sides: map[color][square] is seebatch_square_value(rules, position, square,
 * color). All 128 values are written. This is several times as fast as asking for them one by one. */
SEEBATCH_API void seebatch_map(const seebatch_rules *rules, const seebatch_position *position, int16_t map[2][64]);

/* Answers one query for each position: values[i] is the value of squares[i] for colors[i] in positions[i]. n_positions
 * may be 0, and then no pointer is read or written. job and the status are as for other functions over many positions.
 */
SEEBATCH_API seebatch_status seebatch_batch_square_values(const seebatch_rules *rules,
                                                          const seebatch_position *positions, size_t n_positions,
                                                          const uint8_t *squares, const uint8_t *colors,
                                                          int16_t *values, seebatch_job *job);

/* Makes a map of each position: maps[i] is that of positions[i], as seebatch_map() writes it. Everything else is as for
 * seebatch_batch_square_values(). */
SEEBATCH_API seebatch_status seebatch_batch_maps(const seebatch_rules *rules, const seebatch_position *positions,
                                                 size_t n_positions, int16_t (*maps)[2][64], seebatch_job *job);

/* ---- Trace ------------------------------------------------------------------------------------------------------ */

/* No exchange has more captures than there are squares. */
enum { SEEBATCH_MAX_EXCHANGE = 64 };

/* One capture of an exchange. */
typedef struct seebatch_capture {
    uint8_t from;  /* the square that the capturing piece left */
    uint8_t color; /* the side that captured */
    uint8_t piece; /* the type of the capturing piece */
    uint8_t stays; /* the type of the piece that then stands on the square: piece, or what a pawn promoted to */
    int32_t gain;  /* the entry of the swap list: the balance for the capturing side if the exchange ends here */
    int32_t best;  /* the negamax: what the capturing side gets if both sides play on or stop as is best for them */
} seebatch_capture;

/* Made by scripts/manual: refusals */
/* Why a piece that attacks the square may not capture on it. */
enum {
    /* A piece that still stands pins it to its king (SEEBATCH_PINS_ANY and SEEBATCH_PINS_ALL). */
    SEEBATCH_REFUSED_PIN_RULE = 0,
    /* The piece that pinned it has left, but the rule refuses it while a piece that pins another one of its side still
     * stands (SEEBATCH_PINS_ANY). */
    SEEBATCH_REFUSED_OTHER_PIN = 1,
    /* Its capture would leave its own king attacked, by a pin from before the exchange or one that the exchange has
     * brought about (SEEBATCH_PINS_LEGAL). */
    SEEBATCH_REFUSED_PINNED = 2,
    /* Its king is in check from another square, and would stay in check (SEEBATCH_PINS_LEGAL). */
    SEEBATCH_REFUSED_IN_CHECK = 3,
    /* It is the king, and the square would still be attacked. */
    SEEBATCH_REFUSED_GUARDED = 4,
    /* A piece that still stands pins it to its king, and the square is not on their line (SEEBATCH_PINS_RAY_...). */
    SEEBATCH_REFUSED_OFF_PIN = 5,
    /* It stays restricted although the piece that pinned it has left; `by` is the square that it left
     * (SEEBATCH_PINS_RAY_...). */
    SEEBATCH_REFUSED_PINNER_LEFT = 6,
    /* The piece that pinned it has left, but one that pins another piece of its side still stands
     * (SEEBATCH_PINS_RAY_STANDING). */
    SEEBATCH_REFUSED_OTHER_PINNER = 7,
    /* It stands alone between the enemy king and a slider of its own side; `by` is the square of that slider before the
     * first move (SEEBATCH_PINS_RAY_ONCE_BOTH and SEEBATCH_PINS_RAY_EACH). */
    SEEBATCH_REFUSED_BEFORE_ENEMY = 8
};
/* Up to here by scripts/manual. */

/* A piece that attacks the square when its side has the turn, but may not capture. */
typedef struct seebatch_refusal {
    uint8_t step;   /* the index of the capture that it would have made: from 1 to the length of the trace */
    uint8_t from;   /* its square */
    uint8_t color;  /* its colour */
    uint8_t piece;  /* its type */
    uint8_t reason; /* SEEBATCH_REFUSED_... */
    uint8_t by;     /* the square of the piece that is the reason, because it pins, gives check, or guards the square.
                       It is an enemy, except for SEEBATCH_REFUSED_BEFORE_ENEMY. Of several guards it is the one that
                       captures first, and of several pieces that give check the one on the lowest square */
} seebatch_refusal;

/* The most refusals that an exchange can have. There are 35 squares on the lines through a square and a knight's jump
 * away from it, so no exchange has more steps. At most 16 pieces attack the square at a time, on 8 rays and from 8
 * knight's jumps. */
enum { SEEBATCH_MAX_REFUSALS = 35 * 16 };

/* An exchange in full: the swap list, which goes on until a side cannot capture; its negamax; and the pieces that would
 * have captured if the rules allowed it. A piece that is refused at several steps is in the list of refusals once for
 * each step. The list is in the order of the steps, and within a step in the order of the piece types. A king is in the
 * list whenever it attacks the square but could not capture, even if other pieces of its side would capture first in
 * any case. */
typedef struct seebatch_trace {
    int length; /* the number of captures, at least 1; or 0 for castling, and for a promotion or a capture en passant
                   that the rules value at 0 or SEEBATCH_ALWAYS */
    seebatch_capture capture[SEEBATCH_MAX_EXCHANGE];
    bool has_next;     /* whether the piece on the square at the end could be captured if it were attacked, */
    int32_t next_gain; /* and the entry of the swap list that this would give */
    int value;         /* capture[0].best, the same as seebatch_value(); if length is 0: 0 or SEEBATCH_ALWAYS */
    int n_refusals;
    seebatch_refusal refusal[SEEBATCH_MAX_REFUSALS];
} seebatch_trace;

/* Traces the exchange that a move begins, for people to read. Under SEEBATCH_BEST_ORDER each capture is the best one of
 * its side, and the trace goes on with such captures until a side has no legal one. It therefore goes on past the
 * capture after which a side would stop, which `best` shows. If a pawn's double step may be answered en passant, and
 * the rules count such replies, the reply is the second and last capture; it is made by the pawn next to the to-square,
 * and if there are two, by the one on the lower square. The preconditions are those of seebatch_value(). */
SEEBATCH_API void seebatch_explain(const seebatch_rules *rules, const seebatch_position *position, seebatch_move move,
                                   seebatch_trace *trace);

/*
 * Writes a trace as text, as the command-line tool shows it. The text has the board with the moving piece in ( ) and
 * the square of the exchange in [ ], the captures with the swap list, the pieces that may not capture, the negamax, and
 * the value. Every line ends with a line feed, including the last one.
 *
 * rules, position, move   the arguments with which seebatch_explain() made the trace.
 * text, size              At most size - 1 characters and a NUL are written. If size is 0, nothing is written, and text
 *                         may be NULL.
 *
 * Returns the length of the whole text without the NUL, so that a buffer of this length plus one holds all of it.
 */
SEEBATCH_API size_t seebatch_trace_text(const seebatch_rules *rules, const seebatch_position *position,
                                        seebatch_move move, const seebatch_trace *trace, char *text, size_t size);

/* Writes one line of that text, counted from 0, without its line feed. Everything else is as for seebatch_trace_text().
 * After the last line, the text is empty and the function returns SIZE_MAX. */
SEEBATCH_API size_t seebatch_trace_line(const seebatch_rules *rules, const seebatch_position *position,
                                        seebatch_move move, const seebatch_trace *trace, size_t line, char *text,
                                        size_t size);

/* ---- Many positions: text, moves, checks ------------------------------------------------------------------------ */

/*
 * The functions of this section do for many items what bindings, tools and loaders need around the evaluation. Their
 * common arguments are:
 *
 * job        NULL, or how many threads share the work. total counts positions or texts, and for
 *            seebatch_batch_from_lines() bytes. They return SEEBATCH_CANCELLED if job->progress returned false; the
 *            answers for the first job->done items have then been written.
 * n          any number of items. If it is 0, only offsets[0] and the fields of structs are written.
 * statuses   one byte for each item, which becomes its seebatch_status; or NULL.
 * faults     what was wrong, filled by every call; or NULL. Its error is untouched if nothing was wrong.
 *
 * They return SEEBATCH_OK if nothing was wrong, and otherwise the status of the first item that was. All other items
 * are read or written nevertheless. To get the error message for an item other than the first, call the function for a
 * single item, for example seebatch_position_from_fen().
 */

/* A text with its length, which need not end with a NUL. */
typedef struct seebatch_text {
    const char *at;
    size_t length;
} seebatch_text;

/* What was wrong with the items of a call. */
typedef struct seebatch_faults {
    size_t count;           /* how many items were wrong */
    size_t first;           /* the index of the first of them, or 0 if there are none */
    seebatch_status status; /* its status */
    seebatch_error error;   /* its error message */
} seebatch_faults;

/* Reads a FEN or an EPD from each of n texts, as seebatch_position_from_fen() does: positions[i] from fens[i]. If a
 * text is wrong, its position becomes an empty board with white to move. */
SEEBATCH_API seebatch_status seebatch_batch_from_fens(const seebatch_text *fens, size_t n, seebatch_position *positions,
                                                      uint8_t *statuses, seebatch_faults *faults, seebatch_job *job);

/* How far seebatch_batch_from_lines() has come. */
typedef struct seebatch_lines {
    size_t n;        /* the number of lines that were read, including the wrong ones */
    size_t consumed; /* the number of bytes in these lines with their ends; the rest of the text begins after them */
} seebatch_lines;

/*
 * Does the same for a text that has one FEN or EPD on each line: positions[i] is read from line i. Every line counts,
 * including a blank one, which is an error because it is not a FEN. A line ends with a line feed; a carriage return in
 * front of the line feed does not belong to the line.
 *
 * text, length   any bytes.
 * whole          whether the text ends here. If so, a last line without a line feed is read as well; otherwise it is
 *                left for the call that has the rest of it.
 * capacity       how many lines are read at most. positions, and statuses if it is not NULL, have room for as many
 *                items.
 * lines          always filled.
 *
 * If the job is cancelled, the lines that begin in the first job->done bytes have been read. The function uses about 10
 * KiB of stack.
 */
SEEBATCH_API seebatch_status seebatch_batch_from_lines(const char *text, size_t length, bool whole,
                                                       seebatch_position *positions, size_t capacity, uint8_t *statuses,
                                                       seebatch_lines *lines, seebatch_faults *faults,
                                                       seebatch_job *job);

/*
 * Writes n positions, which need not be sound, as FENs with six fields, one on each line. The line of positions[i] is
 * text[offsets[i]] up to, but not including, text[offsets[i + 1]], and ends with a line feed. There is no NUL.
 *
 * text, size   the memory for the lines; text may be NULL if size is 0.
 * offsets      n + 1 of them. All are written, however small size is, and offsets[n] is the size that is needed. It is
 *              never more than n * SEEBATCH_FEN_SIZE.
 *
 * Returns SEEBATCH_NO_ROOM if offsets[n] is more than size; the contents of text are then undefined.
 */
SEEBATCH_API seebatch_status seebatch_batch_to_fens(const seebatch_position *positions, size_t n, char *text,
                                                    size_t size, size_t *offsets, seebatch_job *job);

/*
 * Writes the legal moves, or the legal captures, of many sound positions as compressed rows like those of a
 * seebatch_batch. The moves of positions[i] are moves[offsets[i]] up to, but not including, moves[offsets[i + 1]], in
 * the order of seebatch_legal_moves().
 *
 * offsets           n_positions + 1 of them. All are written, however small capacity is: offsets[0] is 0, and
 *                   offsets[n_positions] is the number of moves. If the job is cancelled, the positions after the first
 *                   job->done have no moves.
 * moves, capacity   the memory for the moves, and how many moves fit into it; moves may be NULL if capacity is 0.
 *                   Several threads are fastest if capacity is a third larger than needed, because otherwise they may
 *                   have to generate the moves twice.
 *
 * Returns SEEBATCH_NO_ROOM if there are more moves than capacity; the contents of moves are then undefined. A position
 * has some 30 moves and 3 captures on average, and at most SEEBATCH_MAX_MOVES.
 */
SEEBATCH_API seebatch_status seebatch_batch_legal_moves(const seebatch_position *positions, size_t n_positions,
                                                        size_t *offsets, seebatch_move *moves, size_t capacity,
                                                        seebatch_job *job);
SEEBATCH_API seebatch_status seebatch_batch_legal_captures(const seebatch_position *positions, size_t n_positions,
                                                           size_t *offsets, seebatch_move *moves, size_t capacity,
                                                           seebatch_job *job);

/*
 * Writes the legal captures of many sound positions in no particular order, which may differ from kernel to kernel. It
 * is meant for callers that count or evaluate all of them. With AVX2 or AVX-512 it takes half the time of
 * seebatch_batch_legal_captures().
 *
 * in        whether the captures of each position are wanted; or NULL, if all are. A position whose captures are not
 *           wanted gets a row without moves.
 * offsets   n_positions + 1 of them. All are written, as above, beginning with 0.
 * moves     room for SEEBATCH_MAX_MOVES moves for each wanted position.
 * even      n_positions of them, all written; or NULL. Where even[i] is true, the row may lack captures, and the
 *           position has an even capture, which wins at least what it risks: the type of the captured piece, from pawn
 *           to queen, is not below that of the capturing piece, and the capture is neither a promotion nor en passant,
 *           nor on the first rank of the capturing side. If the piece values rise with the types, such a capture has a
 *           value of 0 or more under all rules. Callers that only ask for a capture with such a value need not evaluate
 *           the others.
 * checked   n_positions of them: whether the side to move is in check, also for positions that are not wanted; or NULL.
 *
 * Returns the number of moves. No two arrays may overlap.
 */
SEEBATCH_API size_t seebatch_collect_captures(const seebatch_position *positions, size_t n_positions, const bool *in,
                                              size_t *offsets, seebatch_move *moves, bool *even, bool *checked);

/* Which of many positions are in check: checked[i] is seebatch_in_check(&positions[i]). The positions need not be
 * sound, but each side must have one king. To ask whether the side that has just moved is in check, set stm to that
 * side. */
SEEBATCH_API seebatch_status seebatch_batch_in_check(const seebatch_position *positions, size_t n_positions,
                                                     bool *checked, seebatch_job *job);

/* The notation of moves. */
enum { SEEBATCH_UCI = 0, SEEBATCH_SAN = 1, SEEBATCH_ANY_NOTATION = 2 /* when reading: either of them */ };

/*
 * Reads moves of many sound positions.
 *
 * offsets           Position i has the texts from texts[offsets[i]] up to, but not including, texts[offsets[i + 1]], as
 *                   in a seebatch_batch; or NULL, and then each position has one text.
 * notation          how the texts are read: SEEBATCH_UCI as by seebatch_move_from_uci(), SEEBATCH_SAN as by
 *                   seebatch_move_from_san(), and SEEBATCH_ANY_NOTATION as by seebatch_move_from_text().
 * moves, statuses   are counted from the first text: moves[k - offsets[0]] and statuses[k - offsets[0]] belong to
 *                   texts[k]. faults->first is counted in the same way. If a text is wrong, its move is 0 (a1a1), which
 *                   is never legal.
 */
SEEBATCH_API seebatch_status seebatch_batch_moves_from_text(const seebatch_position *positions, size_t n_positions,
                                                            const size_t *offsets, const seebatch_text *texts,
                                                            int notation, seebatch_move *moves, uint8_t *statuses,
                                                            seebatch_faults *faults, seebatch_job *job);

/*
 * Writes moves of many positions, in rows as above: texts[k - offsets[0]] is the text of moves[k], followed by at least
 * one NUL and filled up with NULs. notation is one of:
 *
 * SEEBATCH_UCI   The moves may be any 16 bits, and a promotion to something that is no piece is written as ?. The
 *                positions are not read, and may be NULL.
 * SEEBATCH_SAN   Each move must be legal in its position, which must be sound.
 */
SEEBATCH_API seebatch_status seebatch_batch_moves_to_text(const seebatch_position *positions, size_t n_positions,
                                                          const size_t *offsets, const seebatch_move *moves,
                                                          int notation, char (*texts)[SEEBATCH_SAN_SIZE],
                                                          seebatch_job *job);

/* What a check of a batch requires. */
enum {
    SEEBATCH_CHECK_SOUND = 0,       /* Positions pass seebatch_position_check(), and moves pass seebatch_is_legal(). */
    SEEBATCH_CHECK_LEGAL = 1,       /* Boards are as evaluation under the rules needs them, and moves are legal on them,
                                       whichever side is to move, and whatever the fields about castling and en
                                       passant say. */
    SEEBATCH_CHECK_PSEUDO_LEGAL = 2 /* The same, except that a move may leave its own king in check. Under
                                       SEEBATCH_PINS_LEGAL it may not, because such a move has no value. */
};

/* The first fault of a batch. An index that the fault does not concern is SIZE_MAX. */
typedef struct seebatch_fault {
    size_t position; /* the index of the position, or of a wrong offset */
    size_t move;     /* the index of the move, as the offsets count */
    seebatch_error error;
} seebatch_fault;

/*
 * Checks whether a batch, whose bytes may be anything, meets the preconditions of the other functions: whether the
 * offsets do not decrease and stay within the moves, the positions are in order, and each move is in order in its
 * position. A batch that passes with SEEBATCH_CHECK_SOUND may be passed to every function. A batch that passes with one
 * of the other two may be passed to the functions that evaluate under the same rules, without pins, because pins are
 * not checked.
 *
 * rules     the rules under which the batch will be evaluated, which are checked first; or NULL with
 *           SEEBATCH_CHECK_SOUND, for none.
 * batch     its offsets may be NULL, and then no moves are checked.
 * n_moves   the number of moves at batch->moves.
 * what      SEEBATCH_CHECK_...
 * fault     filled if something is wrong; or NULL.
 *
 * Returns SEEBATCH_OK, or the status of the first fault: SEEBATCH_BAD_RULES, SEEBATCH_BAD_OFFSETS, SEEBATCH_UNSOUND or
 * SEEBATCH_ILLEGAL. Returns SEEBATCH_CANCELLED if the job was cancelled before a fault was found.
 */
SEEBATCH_API seebatch_status seebatch_batch_check(const seebatch_rules *rules, const seebatch_batch *batch,
                                                  size_t n_moves, int what, seebatch_fault *fault, seebatch_job *job);

/* Whether each of many sound positions has a legal capture that reaches the threshold: bit i % 64 of mask[i / 64] is
 * for positions[i]. All SEEBATCH_MASK_WORDS(n_positions) words are written, and the bits past the last position are 0.
 * The rules must pass seebatch_rules_check(). */
SEEBATCH_API seebatch_status seebatch_batch_any_capture(const seebatch_rules *rules, const seebatch_position *positions,
                                                        size_t n_positions, int16_t threshold, uint64_t *mask,
                                                        seebatch_job *job);

/* The length of the exchange that a move begins, which is also the length of its trace: the number of captures if no
 * side stops before it has to. The preconditions are those of seebatch_explain(). This is two to three times as fast as
 * a trace. */
SEEBATCH_API int seebatch_exchange_length(const seebatch_rules *rules, const seebatch_position *position,
                                          seebatch_move move);

/*
 * The lengths for all moves of a batch: lengths[k - offsets[0]] is that of moves[k]. With AVX2 this is six times as
 * fast as single calls. The pins of the batch are not read.
 *
 * values   NULL, or the memory for the values that seebatch_batch_values() finds without pins from the caller. Finding
 *          both together takes three quarters of the time of two calls.
 */
SEEBATCH_API seebatch_status seebatch_batch_lengths(const seebatch_rules *rules, const seebatch_batch *batch,
                                                    int16_t *values, uint8_t *lengths, seebatch_job *job);

/* ---- Kernels ---------------------------------------------------------------------------------------------------- */

/*
 * A kernel is one implementation of the evaluation. The kernel "scalar" is always there, and the others need a
 * processor and an operating system that support the instructions for which they were compiled. All kernels give the
 * same results.
 *
 * On first use, the library chooses the kernel that the environment variable SEEBATCH_KERNEL names, or, if the variable
 * is unset or empty, the best one that the machine can run. If the variable names a kernel that does not exist or
 * cannot run, the first evaluation writes a sentence to standard error and aborts. A program that wants to handle this
 * error calls seebatch_kernel_use(NULL, &error) first. If the library is compiled with SEEBATCH_FREESTANDING, as for
 * WebAssembly without WASI, it needs no operating system, reads no environment variable, and chooses the best kernel.
 */

/* The names of the kernels that were compiled in, best first, for the indices 0, 1, ...; NULL past the last one. */
SEEBATCH_API const char *seebatch_kernel_name(size_t index);

/* One line that says what the kernel with this index is and what it needs. */
SEEBATCH_API const char *seebatch_kernel_description(size_t index);

/* Whether this machine can run the kernel with this index. */
SEEBATCH_API bool seebatch_kernel_available(size_t index);

/* The name of the kernel in use. If none has been chosen yet, the function chooses one. */
SEEBATCH_API const char *seebatch_kernel_active(void);

/* Chooses a kernel for all further calls of the process. If name is NULL, the kernel is chosen as on first use. Returns
 * SEEBATCH_BAD_KERNEL if there is no kernel of that name or the machine cannot run it, with an error that lists the
 * available ones; the kernel in use then remains the same. */
SEEBATCH_API seebatch_status seebatch_kernel_use(const char *name, seebatch_error *error);

/* ---- Self-test -------------------------------------------------------------------------------------------------- */

/* What a self-test did, and the first difference that it found. */
typedef struct seebatch_selftest_report {
    uint64_t rounds;  /* the number of batches of queries that were made */
    uint64_t cases;   /* the number of queries in them */
    uint64_t answers; /* the number of answers that were compared, over all kernels */
    uint64_t seed;    /* the seed of the round that found the difference, or, if there was none, of the next round */

    const char *kernel;   /* the kernel whose answer is wrong; if none is, NULL, and the fields below mean nothing */
    const char *function; /* what was called: "values", "ge, one threshold" or "ge, a threshold a move" */
    bool forced_lanes;    /* whether every query was sent through the lanes, even if another way is faster, */
    bool forced_tables;   /* or through attack tables, in kernels that have them */
    size_t n_positions;   /* the number of positions in the call, */
    size_t n;             /* and of their queries */
    size_t index;         /* the index of the query with the wrong answer, from 0 */
    bool stray;           /* whether something was written outside of the answers instead; there is no move then */

    seebatch_rules rules;
    seebatch_position position;
    seebatch_move move;
    int threshold; /* for ge */
    int expected;  /* the answer of the scalar code to the move alone: its value, or for ge 0 or 1 */
    int got;       /* the answer of the kernel */
} seebatch_selftest_report;

/*
 * Compares every kernel that this machine can run with the scalar code. It uses random and constructed positions, every
 * combination of the fields of the rules, the default and other piece values, and batches of every size. This is a way
 * to gain trust in a machine, a compiler or a build. Kernels that the machine cannot run are skipped;
 * seebatch_kernel_available() says which. The kernel in use does not matter, and does not change. A million cases take
 * about a second.
 *
 * seed     determines what is drawn. To continue after a self-test, begin with the seed in its report; the same seed
 *          also reproduces a difference at once.
 * cases    Rounds are made until there have been this many cases, but at least one round.
 * report   always filled.
 *
 * Returns SEEBATCH_OK, or SEEBATCH_DIFFERENT at the first difference. The function uses about 32 KiB of stack, and no
 * other memory.
 */
SEEBATCH_API seebatch_status seebatch_selftest(uint64_t seed, uint64_t cases, seebatch_selftest_report *report,
                                               seebatch_error *error);

#ifdef __cplusplus
}
#endif

#endif
