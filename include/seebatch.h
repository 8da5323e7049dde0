/* SPDX-License-Identifier: MIT. Copyright (c) 2026 the seebatch authors. */
/*
 * seebatch: static exchange evaluation (SEE) in bulk.
 *
 * An exchange happens on one square. The first move is given; after it the two sides alternately recapture on that
 * square or stop. Its value is the material balance for the side that made the first move. Engines order and prune
 * captures with it, one at a time; this library evaluates a whole move list, or many positions with all their moves,
 * in SIMD lanes, and returns the same numbers, bit for bit, as its scalar code.
 *
 *     seebatch_rules rules;
 *     seebatch_rules_named("swap", &rules, NULL);
 *     seebatch_move moves[SEEBATCH_MAX_MOVES];
 *     int16_t values[SEEBATCH_MAX_MOVES];
 *     size_t n = seebatch_legal_captures(&position, moves);
 *     seebatch_values(&rules, &position, NULL, moves, n, values);
 *
 * General contracts, for every function unless it says otherwise:
 *
 *   Squares        a1 = 0, b1 = 1, ..., h8 = 63 (little-endian rank-file mapping). White moves up.
 *   Units          Values are in the units of the caller's piece values, from the first mover's point of view.
 *   Threads        Every function may be called from several threads at once. The library holds no mutable global state
 *                  but one atomic pointer to the kernel in use. It allocates nothing, and starts no threads but those
 *                  of a seebatch_job.
 *   Arguments      A function takes first what it reads, then what it writes, then the job or the error.
 *   Aliasing       Output arrays may not overlap inputs. Inputs may overlap each other.
 *   Alignment      Natural alignment of the element type is enough.
 *   Wrong calls    Text is never trusted: functions that read it return a status and fill a seebatch_error. All else
 *                  has preconditions. They are asserts in a debug build of the library (no NDEBUG) and undefined
 *                  behaviour in a release build. A debug mode checks that moves are legal and boards in
 *                  order. Compiled with SEEBATCH_CHECK_MOVES=1 (a CMake option, too), the library checks every move
 *                  before it evaluates it, and aborts with a sentence on standard error that names the position, the
 *                  move and what is wrong with it. With SEEBATCH_CHECK_MOVES=2 moves pass that leave their own king
 *                  in check, for engines that evaluate moves before they check them for that, but not under
 *                  SEEBATCH_PINS_LEGAL. En passant and castling pass where the pieces stand for it, whatever the
 *                  position's fields say.
 *
 * C11, and clean as C++.
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

/* The version of the library that is linked, "major.minor.patch"; compare with SEEBATCH_VERSION of the header. */
SEEBATCH_API const char *seebatch_version(void);

/* ---- Words ------------------------------------------------------------------------------------------------------ */

enum { SEEBATCH_WHITE = 0, SEEBATCH_BLACK = 1 };

/* Piece types in the fixed order of capture, least valuable first, whatever the value table says. */
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

/* Outcome of a function that reads something that can be wrong by nature. */
typedef enum seebatch_status {
    SEEBATCH_OK = 0,
    SEEBATCH_UNREADABLE, /* the text is not in the expected form */
    SEEBATCH_UNSOUND,    /* the text is readable, but no such position can be played on */
    SEEBATCH_ILLEGAL,    /* the move is readable, but not legal in the position */
    SEEBATCH_BAD_RULES,  /* no rule set of that name, or rules out of bounds */
    SEEBATCH_BAD_KERNEL, /* no kernel of that name, or not one that this machine can run */
    SEEBATCH_CANCELLED,  /* a callback of the caller's ended the work */
    SEEBATCH_AMBIGUOUS,  /* the move is readable, and can be several legal moves in the position */
    SEEBATCH_DIFFERENT,  /* a kernel does not say what the scalar code says */
    SEEBATCH_NO_ROOM,    /* the answer is larger than the room for it */
    SEEBATCH_BAD_OFFSETS /* offsets that decrease, or go beyond what they count */
} seebatch_status;

/* Why a call failed: one sentence, without a full stop, that says what was wrong and what was expected.
 * Filled when a function returns anything but SEEBATCH_OK, untouched otherwise. Wherever a function takes a pointer to
 * one, NULL is allowed. */
typedef struct seebatch_error {
    char text[256];
} seebatch_error;

/* ---- Positions -------------------------------------------------------------------------------------------------- */

/*
 * A position: plain data, 48 bytes, to be copied and filled freely.
 *
 * The board is stored as three planes of piece codes and one of colour, because every piece set then costs one or two
 * operations in a vector register and the whole board fits in one of 32 bytes. A square's code is plane[0] + 2 plane[1]
 * + 4 plane[2]: 0 empty, 1 bishop, 2 rook, 3 queen, 4 pawn, 5 knight, 6 king. Code 7 does not occur.
 * Use seebatch_position_from_bitboards() and the accessors below rather than the planes. The last four bytes are
 * padding: compare positions field by field, not as memory.
 *
 * The evaluation functions read the board alone (plane and white): who moves follows from the moving piece. The move
 * functions and FEN use the other fields too.
 */
typedef struct seebatch_position {
    uint64_t plane[3];
    uint64_t white;              /* squares of white pieces */
    uint8_t stm;                 /* side to move: SEEBATCH_WHITE or SEEBATCH_BLACK */
    uint8_t ep_square;           /* square that a pawn has just passed over, or SEEBATCH_NO_SQUARE */
    uint8_t castling_rook[2][2]; /* [colour][0 kingside, 1 queenside]: square of the rook with which the king may still
                                    castle, or SEEBATCH_NO_SQUARE */
    uint8_t shredder;            /* 1: castling rights are written as rook files (Shredder-FEN), and castling as king
                                    takes rook; 0: KQkq */
    uint8_t reserved;            /* 0 */
    uint16_t halfmove_clock;     /* plies since the last capture or pawn move */
    uint16_t fullmove_number;
} seebatch_position;

/* A board from an engine's own bitboards: by_type[6] in the order of piece types (pawn to king), by_color[2] white and
 * black. Every occupied square must be in exactly one set of each. Inline, without a branch. The move-making fields are
 * set to: no en passant, no castling, clocks 0 and 1; set them afterwards if moves are to be generated or checked. */
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

/* The same from twelve bitboards, pawn to king of white and then of black. Of an array [2][6], give &bitboards[0][0].
 */
static inline seebatch_position seebatch_position_from_twelve(const uint64_t *bitboards, int stm)
{
    const uint64_t *w = bitboards, *b = bitboards + 6;
    const uint64_t by_type[6] = {w[0] | b[0], w[1] | b[1], w[2] | b[2], w[3] | b[3], w[4] | b[4], w[5] | b[5]};
    const uint64_t by_color[2] = {w[0] | w[1] | w[2] | w[3] | w[4] | w[5], b[0] | b[1] | b[2] | b[3] | b[4] | b[5]};
    return seebatch_position_from_bitboards(by_type, by_color, stm);
}

/* An empty board, to put pieces on. */
static inline seebatch_position seebatch_position_empty(int stm)
{
    const uint64_t none[6] = {0, 0, 0, 0, 0, 0};
    return seebatch_position_from_bitboards(none, none, stm);
}

/* Puts a piece on an empty square (0..63); nothing if type is SEEBATCH_NO_PIECE. With it a board of any layout is
 * filled by a loop over its squares. */
static inline void seebatch_put_piece(seebatch_position *p, int square, int type, int color)
{
    static const uint8_t code_of_type[7] = {4, 5, 1, 2, 3, 6, 0};
    const uint64_t code = code_of_type[type];
    p->plane[0] |= (code & 1) << square;
    p->plane[1] |= (code >> 1 & 1) << square;
    p->plane[2] |= (code >> 2) << square;
    p->white |= (uint64_t)((code != 0) & (color == SEEBATCH_WHITE)) << square;
}

/* A piece in a byte, for the next function, and for the table of seebatch_position_from_codes(). */
#define SEEBATCH_PIECE(type, color) ((type) | (color) << 3)

/* From such bytes, a1 to h8; that of an empty square has the type SEEBATCH_NO_PIECE and any colour. */
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

/* From two arrays: the type and the colour of the piece on each square, a1 to h8. Empty squares have the type
 * SEEBATCH_NO_PIECE and any colour. */
static inline seebatch_position seebatch_position_from_arrays(const uint8_t type[64], const uint8_t color[64], int stm)
{
    uint8_t piece[64];
    for (int square = 0; square < 64; square++)
        piece[square] = (uint8_t)SEEBATCH_PIECE(type[square], color[square] != SEEBATCH_WHITE);
    return seebatch_position_from_pieces(piece, stm);
}

/* From a mailbox with the engine's own codes, a1 to h8: piece_of[code] is the SEEBATCH_PIECE() that a code means, or
 * SEEBATCH_NO_PIECE. */
static inline seebatch_position seebatch_position_from_codes(const uint8_t board[64], const uint8_t *piece_of, int stm)
{
    uint8_t piece[64];
    for (int square = 0; square < 64; square++)
        piece[square] = piece_of[board[square]];
    return seebatch_position_from_pieces(piece, stm);
}

/* From a mailbox of letters, a1 to h8: PNBRQK for white, pnbrqk for black, any other character for an empty square. */
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

/* All occupied squares. */
static inline uint64_t seebatch_occupied(const seebatch_position *p) { return p->plane[0] | p->plane[1] | p->plane[2]; }

/* Squares of all pieces of a colour. */
static inline uint64_t seebatch_pieces_of_color(const seebatch_position *p, int color)
{
    return color == SEEBATCH_WHITE ? p->white : seebatch_occupied(p) & ~p->white;
}

/* Squares of all pieces of a type, SEEBATCH_PAWN to SEEBATCH_KING, of both colours. */
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

/* Room for any FEN that seebatch_position_to_fen() writes, its terminating NUL included. */
enum { SEEBATCH_FEN_SIZE = 128 };

/*
 * Reads a position from FEN or EPD: four fields (pieces, side to move, castling, en passant), then optionally the
 * halfmove clock, then optionally the full-move number (each 0..65535), then optionally EPD operations ("bm e4;"),
 * which are skipped. Castling is read as KQkq (X-FEN: the outermost rook) or as rook files (Shredder-FEN).
 * Empty squares side by side are one number: 8, not 44.
 * Fields are separated by blanks; blanks at the end are ignored.
 *
 * text, length   the text; it need not end with a NUL, and a NUL within it is an error.
 * position       filled when the result is SEEBATCH_OK, untouched otherwise.
 *
 * SEEBATCH_UNREADABLE when the text is malformed, SEEBATCH_UNSOUND when seebatch_position_check() refuses the position.
 */
SEEBATCH_API seebatch_status seebatch_position_from_fen(const char *text, size_t length, seebatch_position *position,
                                                        seebatch_error *error);

/*
 * Whether a position is sound, that is: planes and colours agree, exactly one king a side, no pawn on the first or last
 * rank, the side not to move not in check, castling rights with king and rook in place (both on the side's first rank,
 * the rook on the right side of the king), and an en passant square only where a pawn of the side not to move can just
 * have passed (on the sixth rank of the side to move, empty, the square behind it empty, the pawn in front of it).
 * Accepted: an en passant square on which nobody can capture, more pieces than a game allows.
 * The move functions require sound positions, and so does evaluation under SEEBATCH_PINS_LEGAL. Otherwise the
 * evaluation functions need no more than a board with agreeing planes and at most one king a side.
 */
SEEBATCH_API seebatch_status seebatch_position_check(const seebatch_position *position, seebatch_error *error);

/* Writes the position as a six-field FEN with a terminating NUL; returns its length without the NUL. The position need
 * not be sound. If there is a right to castle with a rook that is not the outermost on its side, all rights are written
 * as rooks' files, and read back with shredder set; a FEN has no place for shredder without any right. */
SEEBATCH_API size_t seebatch_position_to_fen(const seebatch_position *position, char fen[SEEBATCH_FEN_SIZE]);

/* ---- Moves ------------------------------------------------------------------------------------------------------ */

/*
 * A move in 16 bits: bits 0-5 from-square, bits 6-11 to-square, bits 12-14 promotion piece type (0 none, knight to
 * queen 1-4), bit 15 zero. En passant and castling need no flag: a pawn that changes file onto an empty square captures
 * en passant; a king that moves two files, or onto its own rook, castles.
 */
typedef uint16_t seebatch_move;

/* from, to: 0..63; promotion: 0, or SEEBATCH_KNIGHT to SEEBATCH_QUEEN. */
static inline seebatch_move seebatch_make_move(int from, int to, int promotion)
{
    return (seebatch_move)(from | to << 6 | promotion << 12);
}
static inline int seebatch_from(seebatch_move move) { return move & 63; }
static inline int seebatch_to(seebatch_move move) { return move >> 6 & 63; }
static inline int seebatch_promotion(seebatch_move move) { return move >> 12 & 7; }

/* Moves as engines pack them; bits that are not named are ignored. promotion: 0, or SEEBATCH_KNIGHT to SEEBATCH_QUEEN.
 */

/* From-square in bits 0-5, to-square in bits 6-11. */
static inline seebatch_move seebatch_move_low_from(unsigned move, int promotion)
{
    return (seebatch_move)((move & 0xfff) | (unsigned)promotion << 12);
}

/* To-square in bits 0-5, from-square in bits 6-11. */
static inline seebatch_move seebatch_move_low_to(unsigned move, int promotion)
{
    return (seebatch_move)((move >> 6 & 63) | (move & 63) << 6 | (unsigned)promotion << 12);
}

/* Stockfish, and engines after it: to-square in the low bits, bits 12-13 the promotion piece (knight 0 to queen 3),
 * which counts if bits 14-15 are 1. */
static inline seebatch_move seebatch_move_from_stockfish(unsigned move)
{
    return seebatch_move_low_to(move, (move >> 14 & 3) == 1 ? (int)(move >> 12 & 3) + SEEBATCH_KNIGHT : 0);
}

/* Ethereal, and engines after it: from-square in the low bits, bits 14-15 the promotion piece (knight 0 to queen 3),
 * which counts if bits 12-13 are 3. */
static inline seebatch_move seebatch_move_from_ethereal(unsigned move)
{
    return seebatch_move_low_from(move, (move >> 12 & 3) == 3 ? (int)(move >> 14 & 3) + SEEBATCH_KNIGHT : 0);
}

/* Room for the legal moves of any sound position, however many queens it has. With S pieces to move and T other
 * squares, S + T = 64, there are at most 27 S moves (a queen's most), and at most 16 T + 72 (8 rays and 8 knights, and
 * on each square of the last rank 9 more for the choice of promotion); the lesser of the two is below 704 for every S.
 */
enum { SEEBATCH_MAX_MOVES = 704 };

/* All legal moves of the side to move, in no particular order; returns how many. Promotions once for each of queen,
 * rook, bishop and knight. Castling is written as the king's two-file step (e1g1) where king and rook stand on their
 * standard squares and position->shredder is 0, otherwise as king takes own rook. */
SEEBATCH_API size_t seebatch_legal_moves(const seebatch_position *position, seebatch_move moves[SEEBATCH_MAX_MOVES]);

/* The legal moves that capture, en passant and capturing promotions included; returns how many. They come in the same
 * order as in seebatch_legal_moves(). */
SEEBATCH_API size_t seebatch_legal_captures(const seebatch_position *position, seebatch_move moves[SEEBATCH_MAX_MOVES]);

/* Whether a move is legal in the (sound) position, castling as seebatch_legal_moves() writes it. Any 16 bits are a move
 * here. Much faster than a look through all legal moves, but for en passant and castling. */
SEEBATCH_API bool seebatch_is_legal(const seebatch_position *position, seebatch_move move);

/* Plays a legal move. Precondition: the move is legal in the (sound) position, as seebatch_legal_moves() writes it or,
 * for castling, in either form. The en passant square is set after every double step. */
SEEBATCH_API void seebatch_play(seebatch_position *position, seebatch_move move);

/* The squares that a piece of a type and colour attacks from a square (0..63) where these squares are occupied: for a
 * slider, up to and including the first occupied one in each direction. Whether square itself is occupied is the same.
 * A pawn attacks the two squares on which it captures. */
SEEBATCH_API uint64_t seebatch_attacks(int type, int color, int square, uint64_t occupied);

/* The pieces of a colour that attack a square (0..63) where these squares are occupied: usually
 * seebatch_occupied(position). Pieces on squares that are not in occupied do not count. The position need not be sound.
 */
SEEBATCH_API uint64_t seebatch_attackers(const seebatch_position *position, int square, int color, uint64_t occupied);

/* Whether the side to move is in check. */
SEEBATCH_API bool seebatch_in_check(const seebatch_position *position);

/* Reads a move in UCI notation (e2e4, e7e8q, castling as e1g1 or as king takes own rook), which must be legal in the
 * position. *move is set to the form that seebatch_legal_moves() writes. Returns SEEBATCH_UNREADABLE or
 * SEEBATCH_ILLEGAL otherwise, *move untouched. text need not end with a NUL. */
SEEBATCH_API seebatch_status seebatch_move_from_uci(const seebatch_position *position, const char *text, size_t length,
                                                    seebatch_move *move, seebatch_error *error);

/* Writes the move in UCI notation with a terminating NUL; returns its length, 4 or 5. */
SEEBATCH_API size_t seebatch_move_to_uci(seebatch_move move, char text[6]);

/*
 * Reads a move in standard algebraic notation (SAN) of the PGN standard: e4, exd5, Nf3, Nbd2, R1a3, Qh4xe1, e8=Q+, O-O,
 * O-O-O#; in Chess960, castling is written the same way. *move is set to the form that seebatch_legal_moves() writes.
 *
 * Also read: more than is needed to tell pieces apart (Ngf3, Ng1-f3, e2e4, Pe4); less than the standard asks for, as
 * long as exactly one legal move fits (ed5, Nd5 for a capture, no + or #); promotions as e8Q, e8(Q), e8/Q, e8q;
 * castling with zeros; "e.p." or "ep", after blanks or none; at the end one of !, ?, !!, ??, !?, ?!. What the text says
 * must be so: an x needs a capture, e.p. one en passant, = a promotion. Only +, ++ and # are not looked into: too many
 * files have them wrong. Letters of pieces are capitals, files are not (bxc3 is a pawn's move, Bxc3 a bishop's).
 *
 * text need not end with a NUL. Returns SEEBATCH_UNREADABLE, SEEBATCH_ILLEGAL or SEEBATCH_AMBIGUOUS otherwise, *move
 * untouched; the error then names the legal moves that come closest.
 */
SEEBATCH_API seebatch_status seebatch_move_from_san(const seebatch_position *position, const char *text, size_t length,
                                                    seebatch_move *move, seebatch_error *error);

/* Reads a move in UCI notation or in SAN, whichever it is: no text means one move in the one and another in the other.
 * Otherwise as seebatch_move_from_san(). */
SEEBATCH_API seebatch_status seebatch_move_from_text(const seebatch_position *position, const char *text, size_t length,
                                                     seebatch_move *move, seebatch_error *error);

/* Room for any move in SAN, its terminating NUL included. */
enum { SEEBATCH_SAN_SIZE = 8 };

/* Writes the move in SAN exactly as the PGN standard has it, with + for check and # for mate, and a terminating NUL;
 * returns its length. Precondition: the move is legal in the (sound) position, castling in either form. Costs the
 * generation of legal moves, once or twice; it is for people and files, not for searches. */
SEEBATCH_API size_t seebatch_move_to_san(const seebatch_position *position, seebatch_move move,
                                         char text[SEEBATCH_SAN_SIZE]);

/* ---- Rules ------------------------------------------------------------------------------------------------------ */

enum { SEEBATCH_MAX_PIECE_VALUE = 3000 };

/* Which pieces may not capture. The four SEEBATCH_PINS_RAY_ rules restrict a piece that stands alone between a king and
 * an enemy slider of that king, unless the square of the exchange is on the same line: along its pin a piece may
 * capture. Restricted pieces are found once, on the board before the first move. docs/rules.md has a board for each. */
enum {
    SEEBATCH_PINS_IGNORED = 0,
    SEEBATCH_PINS_ANY = 1,   /* blockers of their own king, while any piece that pins for the other side still stands */
    SEEBATCH_PINS_ALL = 2,   /* blockers of their own king, while all such pieces still stand */
    SEEBATCH_PINS_LEGAL = 3, /* those whose capture is no legal chess move */
    SEEBATCH_PINS_RAY_ONCE = 4,      /* pieces restricted by their own king: they are not among the first attackers,
                                        and do not guard against a king; a slider can join in later */
    SEEBATCH_PINS_RAY_ONCE_BOTH = 5, /* the same for pieces restricted by either king */
    SEEBATCH_PINS_RAY_EACH = 6,      /* pieces restricted by either king, ignoring other enemy sliders on the line, to
                                        the end of the exchange */
    SEEBATCH_PINS_RAY_STANDING = 7   /* pieces restricted by their own king, while any piece that pins for the other
                                        side is still on its square, or was captured there by the first move */
};
/* Which promotions count. */
enum {
    SEEBATCH_PROMOTE_NONE = 0,  /* a pawn stays a pawn */
    SEEBATCH_PROMOTE_FIRST = 1, /* the first move's promotion */
    SEEBATCH_PROMOTE_ALL = 2    /* the first move's, and later pawns on the last rank become queens */
};

/* The value of a first move that the rules let pass at any threshold: a mark, and no balance. No exchange is worth so
 * much. Leave such moves out of sums and maxima. */
enum { SEEBATCH_ALWAYS = 32767 };

/* A promotion as first move: evaluated like other moves; worth 0, or SEEBATCH_ALWAYS, whatever it captures. */
enum { SEEBATCH_PROMOTION_EVALUATED = 0, SEEBATCH_PROMOTION_ZERO = 1, SEEBATCH_PROMOTION_ALWAYS = 2 };
/* En passant as first move. */
enum {
    SEEBATCH_EN_PASSANT_EVALUATED = 0,
    SEEBATCH_EN_PASSANT_ZERO = 1,
    SEEBATCH_EN_PASSANT_ALWAYS = 2,
    SEEBATCH_EN_PASSANT_STANDING = 3 /* evaluated; the pawn that it takes is won, but stays and shuts lines */
};
/* Castling as first move. */
enum { SEEBATCH_CASTLING_ZERO = 0, SEEBATCH_CASTLING_ALWAYS = 1 };
/* Which piece recaptures. */
enum { SEEBATCH_LEAST_VALUABLE_FIRST = 0, SEEBATCH_BEST_ORDER = 1 };
/* A pawn's double step as first move: whether the reply en passant counts, where it is legal. */
enum { SEEBATCH_EN_PASSANT_REPLIES_IGNORED = 0, SEEBATCH_EN_PASSANT_REPLIES_COUNTED = 1 };

/* A rule set: what an exchange means. Plain data, 18 bytes without padding; each field's 0 is what `swap` has, so that
 * fields left out of an initialiser change nothing. The fields are independent of each other: every combination is
 * valid, but that
 *   - SEEBATCH_PINS_LEGAL and SEEBATCH_BEST_ORDER go together only;
 *   - SEEBATCH_EN_PASSANT_REPLIES_COUNTED needs SEEBATCH_PINS_LEGAL;
 *   - SEEBATCH_EN_PASSANT_STANDING does not go with SEEBATCH_PINS_LEGAL. */
typedef struct seebatch_rules {
    int16_t value[5];           /* pawn, knight, bishop, rook, queen; each 0..SEEBATCH_MAX_PIECE_VALUE */
    uint8_t pins;               /* SEEBATCH_PINS_... */
    uint8_t promotions;         /* SEEBATCH_PROMOTE_... */
    uint8_t promotion;          /* SEEBATCH_PROMOTION_... */
    uint8_t en_passant;         /* SEEBATCH_EN_PASSANT_... */
    uint8_t castling;           /* SEEBATCH_CASTLING_... */
    uint8_t order;              /* SEEBATCH_LEAST_VALUABLE_FIRST or SEEBATCH_BEST_ORDER */
    uint8_t en_passant_replies; /* SEEBATCH_EN_PASSANT_REPLIES_... */
    uint8_t reserved;           /* 0 */
} seebatch_rules;

/* A field of seebatch_rules as text. */
typedef struct seebatch_rules_field {
    const char *name;         /* "en-passant" */
    const char *const *words; /* for its values 0, 1, ..., n_words of them: "evaluated", "zero", ... */
    size_t n_words;
    size_t offset; /* of the uint8_t in seebatch_rules */
} seebatch_rules_field;

/* The fields in the order of the struct, without the values of the pieces: index 0, 1, ..., NULL past the last. */
SEEBATCH_API const seebatch_rules_field *seebatch_rules_field_at(size_t index);

/* The names of the rule sets: index 0, 1, ..., NULL past the last. */
SEEBATCH_API const char *seebatch_rules_name(size_t index);

/* Rules as text: the name of a rule set, then, separated by commas, fields that differ: "stockfish",
 * "ethereal,en-passant=standing". Each field may be given once; all are set before the combination is checked. The
 * values are the default ones, 100, 325, 325, 500, 1000. SEEBATCH_BAD_RULES and *rules untouched if the text names what
 * is not there, or a combination that is not valid; the error says what it may be. */
SEEBATCH_API seebatch_status seebatch_rules_named(const char *text, seebatch_rules *rules, seebatch_error *error);

/* The text that seebatch_rules_named() reads as these fields: the name of the set that has the most of them (of several
 * the first), and the others. The values are not part of it. Precondition: the rules pass seebatch_rules_check().
 * Returns strlen(text). */
enum { SEEBATCH_RULES_SIZE = 176 };
SEEBATCH_API size_t seebatch_rules_to_text(const seebatch_rules *rules, char text[SEEBATCH_RULES_SIZE]);

/* The default rule set. */
SEEBATCH_API seebatch_rules seebatch_rules_default(void);

/* Whether values are within bounds, each field has a value that is named above, and the combination is valid.
 * SEEBATCH_BAD_RULES otherwise; the error names the fields, what they are and what they may be. All evaluation
 * functions require rules that pass. */
SEEBATCH_API seebatch_status seebatch_rules_check(const seebatch_rules *rules, seebatch_error *error);

/* ---- Evaluation: one position ----------------------------------------------------------------------------------- */

/*
 * Common to all evaluating functions:
 *
 *   rules       Precondition: they pass seebatch_rules_check().
 *   position    Precondition: the board is as seebatch_position_check() describes what evaluation needs. Only the
 *               board is read. Who moves follows from the moving piece.
 *   pins        NULL, and the library finds them where it needs them; or what seebatch_find_pins() gives.
 *   moves       Precondition: each is legal in its position (or would be, but for what the rules ignore: a piece
 *               stands on the from-square, and none of its own on the to-square but a rook to castle with). Under
 *               SEEBATCH_PINS_LEGAL it does not leave its own king in check, and the other side's is not in check
 *               before it. A quiet move is an exchange whose first capture is worth 0; castling has the value 0, or
 *               SEEBATCH_ALWAYS.
 *   values      In the units of the rules' values, -6000..6000; or SEEBATCH_ALWAYS.
 *   threshold   Any int16_t (seebatch_ge(): any int). A move reaches it if its value is at least the threshold; one
 *               worth SEEBATCH_ALWAYS reaches every int16_t.
 *
 * Results do not depend on the kernel, nor on how moves are grouped into calls. Under SEEBATCH_LEAST_VALUABLE_FIRST the
 * method is the swap algorithm (Chess Programming Wiki, "SEE - The Swap Algorithm"); under SEEBATCH_PINS_ANY and
 * SEEBATCH_PINS_ALL with the pins of Stockfish's see_ge(), of today and of 2016, and under the SEEBATCH_PINS_RAY_ rules
 * with those of later engines. Under SEEBATCH_BEST_ORDER it is the minimax over all legal captures on the square.
 */

/*
 * Pins at hand: what all rules but SEEBATCH_PINS_IGNORED and SEEBATCH_PINS_LEGAL need to know of a position. An engine
 * that keeps them, as Stockfish does in its state, may hand them in, and they are not computed again. Precondition:
 * they are what seebatch_find_pins() finds. Under those two rules they are not read.
 */
typedef struct seebatch_pins {
    uint64_t blockers[2]; /* by the colour of the king: the pieces, of either colour, that stand alone between it and
                             an enemy slider on a line with him; under SEEBATCH_PINS_ANY and SEEBATCH_PINS_RAY_EACH
                             other such sliders in between do not count */
    uint64_t pinners[2];  /* by the colour of the king: those sliders whose blocker has the king's own colour */
} seebatch_pins;

/* Blockers and pinners of both kings as the rules define them, on the board as it stands; all empty under rules without
 * pins. */
SEEBATCH_API void seebatch_find_pins(const seebatch_rules *rules, const seebatch_position *position,
                                     seebatch_pins *pins);

/* The value of one move. */
SEEBATCH_API int seebatch_value(const seebatch_rules *rules, const seebatch_position *position,
                                const seebatch_pins *pins, seebatch_move move);

/* Whether one move reaches the threshold; faster than its value. */
SEEBATCH_API bool seebatch_ge(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                              seebatch_move move, int threshold);

/* n moves of one position: values[i] is the value of moves[i]. n may be 0; then no pointer is read or written. */
SEEBATCH_API void seebatch_values(const seebatch_rules *rules, const seebatch_position *position,
                                  const seebatch_pins *pins, const seebatch_move *moves, size_t n, int16_t *values);

/* Words of a bit mask for n moves. */
#define SEEBATCH_MASK_WORDS(n) (((size_t)(n) + 63) / 64)

/* n moves of one position: bit i % 64 of mask[i / 64] says whether moves[i] reaches the threshold. All
 * SEEBATCH_MASK_WORDS(n) words are written; bits past n are 0. n may be 0; then no pointer is read or written. */
SEEBATCH_API void seebatch_ge_mask(const seebatch_rules *rules, const seebatch_position *position,
                                   const seebatch_pins *pins, const seebatch_move *moves, size_t n, int16_t threshold,
                                   uint64_t *mask);

/* The same with a threshold a move: thresholds[i] for moves[i]. */
SEEBATCH_API void seebatch_ge_mask_each(const seebatch_rules *rules, const seebatch_position *position,
                                        const seebatch_pins *pins, const seebatch_move *moves, size_t n,
                                        const int16_t *thresholds, uint64_t *mask);

/*
 * Evaluates n moves of one position, and sorts them, most promising first: those of the highest value; among equals the
 * most valuable victim; then the least valuable attacker (a pawn that becomes a queen before one that becomes a rook,
 * and so on, and all of these before other pawns); then those that came first before (the sort is stable). Victims and
 * attackers are ordered by piece type, whatever the value table says; quiet moves have no victim, and come last among
 * equals. It is the order of most valuable victim, least valuable attacker (MVV-LVA), refined by exchange values.
 *
 * moves       captures or any others, sorted in place. n is at most SEEBATCH_MAX_MOVES, and may be 0; then no pointer
 *             is read or written.
 * threshold   what a good move has to reach: 0 for those that win or keep material.
 * values      n of them, written: values[i] is the value of moves[i] in their new order. May not overlap moves.
 *
 * Returns how many moves are good: they are moves[0] up to, not including, that index, and the others follow. About
 * 12 KiB of stack are used.
 */
SEEBATCH_API size_t seebatch_order(const seebatch_rules *rules, const seebatch_position *position,
                                   const seebatch_pins *pins, seebatch_move *moves, size_t n, int16_t threshold,
                                   int16_t *values);

/*
 * Puts those of n moves of one position that reach their thresholds (thresholds[i] for moves[i] as they were given) in
 * front of those that fall short, both in the order in which they were; returns how many do. For moves that have their
 * order already, such as captures by victim and history, or quiet moves that may lose a little. Faster than values.
 * moves is changed in place, thresholds is not. n is at most SEEBATCH_MAX_MOVES, and may be 0; then no pointer is read
 * or written. If scores beside the moves have to follow them, use seebatch_ge_mask_each().
 */
SEEBATCH_API size_t seebatch_split(const seebatch_rules *rules, const seebatch_position *position,
                                   const seebatch_pins *pins, seebatch_move *moves, size_t n,
                                   const int16_t *thresholds);

/* ---- Evaluation: many positions --------------------------------------------------------------------------------- */

/*
 * Many positions with their moves, as compressed sparse rows: position i has the moves[offsets[i]] up to, not
 * including, moves[offsets[i + 1]]. Those of the first position up to the last are the moves of the batch.
 *
 * offsets do not decrease, and offsets[0] need not be 0: positions + i, offsets + i and pins + i, with the same moves,
 * are a slice of a larger batch. n_positions may be 0; then no other pointer is read, and no output is written. Nothing
 * else than the offsets is read where there are no moves.
 */
typedef struct seebatch_batch {
    const seebatch_position *positions; /* n_positions of them */
    size_t n_positions;
    const size_t *offsets; /* n_positions + 1 of them */
    const seebatch_move *moves;
    const seebatch_pins *pins; /* one a position, or NULL: the library finds them */
} seebatch_batch;

/*
 * A job: one call over many positions, shared by several threads, with reports of its progress. The answers are the
 * same, bit for bit, whatever the number of threads. A job can be used by one call at a time; nothing may overlap it.
 *
 * The threads take parts of the work, of some thousand moves or queries or some dozen maps, from the first to the last.
 * The calling thread does its share, and the others live no longer than the call: below some ten thousand moves it
 * takes longer to start them than they save. A thread that cannot be started is done without. So is every thread but
 * the caller's where the library was built without pthreads (-DSEEBATCH_NO_THREADS, and on Windows).
 */
typedef struct seebatch_job {
    /* Threads that share the work, the caller's among them; 1 starts none, 0 means seebatch_processors(). There are
     * never more than SEEBATCH_MAX_THREADS, nor more than parts. */
    unsigned threads;

    /* Called by the calling thread between its parts, and at the end with done == total; NULL for none. done grows from
     * call to call. total is the number of moves, queries, maps or, of seebatch_batch_order(), positions. If it returns
     * false the job is cancelled; at the end that has no effect. Not called where there is nothing to do. It may not
     * leave by longjmp or an exception. */
    bool (*progress)(void *user, size_t done, size_t total);
    void *user;

    /* Set by the call: so many of the answers are written, counted from the first as total counts them; all of them,
     * unless cancelled. */
    size_t done;
    /* Set by the call: so many threads took part, the caller's among them; fewer than wanted if some could not be
     * started. 0 where there is nothing to do. */
    unsigned threads_used;
} seebatch_job;

enum { SEEBATCH_MAX_THREADS = 256 };

/* The number of processors that the system has online, at least 1. It does not know of limits that are set to this
 * process alone (taskset, cgroups). */
SEEBATCH_API unsigned seebatch_processors(void);

/*
 * Common to all functions over many positions: they take a job, or NULL, and then the calling thread does all.
 *
 * SEEBATCH_OK, always where job is NULL; or SEEBATCH_CANCELLED when job->progress returned false. Then every thread
 * finishes the part that it works on, and the first job->done answers are written, as they would be without
 * cancellation; the others are untouched. Of a mask job->done bits are written, in whole words.
 */

/* values is dense from the first move of the batch: values[k - offsets[0]] is the value of moves[k]. */
SEEBATCH_API seebatch_status seebatch_batch_values(const seebatch_rules *rules, const seebatch_batch *batch,
                                                   int16_t *values, seebatch_job *job);

/* One threshold for all moves: bit j % 64 of mask[j / 64], j = k - offsets[0], says whether moves[k] reaches it. All
 * SEEBATCH_MASK_WORDS() of the number of moves are written; bits past the last move are 0. */
SEEBATCH_API seebatch_status seebatch_batch_ge_mask(const seebatch_rules *rules, const seebatch_batch *batch,
                                                    int16_t threshold, uint64_t *mask, seebatch_job *job);

/* The same with a threshold for each move: thresholds[k] for moves[k]. */
SEEBATCH_API seebatch_status seebatch_batch_ge_mask_each(const seebatch_rules *rules, const seebatch_batch *batch,
                                                         const int16_t *thresholds, uint64_t *mask, seebatch_job *job);

/*
 * seebatch_order() for each position, at most SEEBATCH_MAX_MOVES moves in each.
 *
 * sorted   the moves in their new order, dense from the first as values are. It may be the very array that batch has,
 *          batch->moves + batch->offsets[0]: then they are sorted in place. Otherwise it may not overlap that.
 * values   as in seebatch_batch_values(), of the moves in the order of sorted.
 * good     good[i] says how many moves of position i are good.
 */
SEEBATCH_API seebatch_status seebatch_batch_order(const seebatch_rules *rules, const seebatch_batch *batch,
                                                  int16_t threshold, seebatch_move *sorted, int16_t *values,
                                                  size_t *good, seebatch_job *job);

/* ---- What hangs ------------------------------------------------------------------------------------------------- */

/*
 * The value of a square for a side is what that side gets when it has the turn in an exchange there: the first capture
 * is of its own choice, and it may decline, so that the value is at least 0. (Exchange evaluation by
 * square, as the literature describes it with a recursion that may stand pat; the map of all squares is what a
 * swap-off analyser draws.)
 *
 * The rules choose and restrict the first capture as they do a later one, and pins are those of the board as it stands.
 * A pawn that makes the first capture on the last rank becomes a queen unless the rules say SEEBATCH_PROMOTE_NONE.
 * The fields promotion, en_passant, castling and en_passant_replies have no say here: they are about moves that are
 * given.
 *
 * 0 on empty squares (there is no en passant here), on the side's own pieces and on the enemy king. Either side is
 * treated as if it had the turn, whichever is to move and whichever king is attacked; under SEEBATCH_PINS_LEGAL a side
 * whose king is attacked from elsewhere gets what captures on the square can get that answer it.
 *
 * Preconditions: rules pass seebatch_rules_check(); the board as the evaluation functions need it. Values lie in
 * 0..6000. Results do not depend on the kernel.
 */

/* The value of a square (0..63) for SEEBATCH_WHITE or SEEBATCH_BLACK. */
SEEBATCH_API int seebatch_square_value(const seebatch_rules *rules, const seebatch_position *position, int square,
                                       int color);

/* The values of all squares for both sides: map[color][square] is seebatch_square_value(rules, position, square,
 * color). Several times as fast as one by one. All 128 values are written. */
SEEBATCH_API void seebatch_map(const seebatch_rules *rules, const seebatch_position *position, int16_t map[2][64]);

/* One query a position: values[i] is the value of squares[i] for colors[i] in positions[i]. n_positions may be 0; then
 * no pointer is read or written. job and the status as for other functions over many positions. */
SEEBATCH_API seebatch_status seebatch_batch_square_values(const seebatch_rules *rules,
                                                          const seebatch_position *positions, size_t n_positions,
                                                          const uint8_t *squares, const uint8_t *colors,
                                                          int16_t *values, seebatch_job *job);

/* A map a position: maps[i] is that of positions[i]. Otherwise the same. */
SEEBATCH_API seebatch_status seebatch_batch_maps(const seebatch_rules *rules, const seebatch_position *positions,
                                                 size_t n_positions, int16_t (*maps)[2][64], seebatch_job *job);

/* ---- Trace ------------------------------------------------------------------------------------------------------ */

/* No exchange has more captures than there are pieces. */
enum { SEEBATCH_MAX_EXCHANGE = 64 };

/* One capture of an exchange. */
typedef struct seebatch_capture {
    uint8_t from;  /* square that the capturing piece left */
    uint8_t color; /* who captured */
    uint8_t piece; /* the type of the capturing piece */
    uint8_t stays; /* the type that then stands on the square: piece, or what a pawn became */
    int32_t gain;  /* swap list entry: the balance for this capture's side if the exchange ends with it */
    int32_t best;  /* negamax: what this capture's side gets when both play on or stop as is best for them */
} seebatch_capture;

/* Why a piece that attacks the square may not capture on it. */
enum {
    SEEBATCH_REFUSED_PIN_RULE = 0,  /* SEEBATCH_PINS_ANY, _ALL: it is pinned to its king by a piece that still stands */
    SEEBATCH_REFUSED_OTHER_PIN = 1, /* SEEBATCH_PINS_ANY: the piece that pinned it has gone, but that rule refuses it
                                       while a piece that pins another of its side still stands */
    SEEBATCH_REFUSED_PINNED = 2,    /* SEEBATCH_PINS_LEGAL: it would leave its own king attacked, be the pin there from
                                       the beginning or brought about by the exchange */
    SEEBATCH_REFUSED_IN_CHECK = 3,  /* SEEBATCH_PINS_LEGAL: its king is in check from elsewhere, and stays so */
    SEEBATCH_REFUSED_GUARDED = 4,   /* it is the king, and the square would still be attacked */
    /* SEEBATCH_PINS_RAY_...: it is restricted, */
    SEEBATCH_REFUSED_OFF_PIN = 5,      /* for it is pinned to its king by a piece that still stands, and the square is
                                          not on their line */
    SEEBATCH_REFUSED_PINNER_LEFT = 6,  /* though the piece that pinned it has left; by is the square that it left */
    SEEBATCH_REFUSED_OTHER_PINNER = 7, /* though the piece that pinned it has left: one that pins another of its side
                                          still stands */
    SEEBATCH_REFUSED_BEFORE_ENEMY = 8  /* for it stands alone between the enemy king and a slider of its own side, by
                                          the square where that stood before the first move */
};

/* A piece that attacks the square when it is its side's turn, and may not capture. */
typedef struct seebatch_refusal {
    uint8_t step;   /* index of the capture that it would have made: 1 up to, and including, the trace's length */
    uint8_t from;   /* its square */
    uint8_t color;  /* its colour */
    uint8_t piece;  /* its type */
    uint8_t reason; /* SEEBATCH_REFUSED_... */
    uint8_t by;     /* square of the piece that is the reason, an enemy but for SEEBATCH_REFUSED_BEFORE_ENEMY: pins,
                       checks, or guards the square. Of several guards the one that captures first; of several that
                       check, the one on the lowest square */
} seebatch_refusal;

/* Room for all refusals of an exchange. On the lines through a square and a knight's jump away from it there are 35
 * squares, so no exchange is longer than that; and on 8 lines and 8 jumps 16 pieces attack it at a time, at most. */
enum { SEEBATCH_MAX_REFUSALS = 35 * 16 };

/*
 * An exchange in full: the swap list, unpruned (it goes on until a side cannot capture), its negamax, and the pieces
 * that would have captured but for the rules. A piece that is refused at several steps is in the list once for each of
 * them. The list is in the order of the steps, and of piece types in a step. A king is in it wherever it attacks the
 * square but could not capture, though other pieces of its side may come first anyway.
 */
typedef struct seebatch_trace {
    int length; /* captures, at least 1 (0 for a castling move, and for a promotion or en passant that the rules value
                   at 0 or SEEBATCH_ALWAYS) */
    seebatch_capture capture[SEEBATCH_MAX_EXCHANGE];
    bool has_next;     /* the piece that stands on the square at the end could be taken, were the square attacked; */
    int32_t next_gain; /* the swap list entry that this would give */
    int value;         /* capture[0].best, as seebatch_value() returns it; with length 0: 0 or SEEBATCH_ALWAYS */
    int n_refusals;
    seebatch_refusal refusal[SEEBATCH_MAX_REFUSALS];
} seebatch_trace;

/* The exchange that a move begins, for people to read. Under SEEBATCH_BEST_ORDER each capture is the best that its side
 * has, and the trace goes on with such captures until a side has no legal one: past the point where a side would stop,
 * which `best` tells. Where a pawn's double step can be answered en passant and the rules count that, the reply is the
 * second capture, and the last: by the pawn beside the to-square, on the lower square of two. Same preconditions as
 * seebatch_value(). */
SEEBATCH_API void seebatch_explain(const seebatch_rules *rules, const seebatch_position *position, seebatch_move move,
                                   seebatch_trace *trace);

/*
 * A trace in sentences, as the command-line tool shows it: the board with the moving piece in ( ) and the square of the
 * exchange in [ ], the captures with the swap list and the pieces that may not capture, the negamax, and the value.
 * rules, position and move are those of the trace. Lines end with a line feed, the last one, too.
 *
 * Writes at most size - 1 characters and a NUL; nothing if size is 0, and text may then be NULL. Returns how long the
 * whole text is, without the NUL: a text of that length and one more takes all of it.
 */
SEEBATCH_API size_t seebatch_trace_text(const seebatch_rules *rules, const seebatch_position *position,
                                        seebatch_move move, const seebatch_trace *trace, char *text, size_t size);

/* Line number `line` of that text, from 0, without its line feed; otherwise the same. Returns SIZE_MAX after the last
 * line; then the text is empty. */
SEEBATCH_API size_t seebatch_trace_line(const seebatch_rules *rules, const seebatch_position *position,
                                        seebatch_move move, const seebatch_trace *trace, size_t line, char *text,
                                        size_t size);

/* ---- Many positions: text, moves, checks ------------------------------------------------------------------------ */

/*
 * What bindings, tools and loaders need around the evaluation, in bulk. As for other functions over many positions:
 *
 * job        NULL, or how many threads share the work. total counts positions or texts; for seebatch_batch_from_lines()
 *            it counts bytes. SEEBATCH_CANCELLED if job->progress returned false: the answers of the first job->done
 *            items are written.
 * n          any number of items; where it is 0, offsets[0] and what a struct says are written, and nothing else is.
 * statuses   a seebatch_status for each item, in a byte; or NULL.
 * faults     what was wrong, filled by every call; or NULL. Only its error is untouched where nothing was wrong.
 *
 * They return SEEBATCH_OK if nothing was wrong, otherwise the status of the first item that was. All the others are
 * read or written nevertheless. The sentence on another one than the first comes from the function for one of them:
 * seebatch_position_from_fen(), for example.
 */

/* Text of a given length; it need not end with a NUL. */
typedef struct seebatch_text {
    const char *at;
    size_t length;
} seebatch_text;

/* What was wrong with the items of a call. */
typedef struct seebatch_faults {
    size_t count;           /* how many items were wrong */
    size_t first;           /* the index of the first of them; 0 if none was */
    seebatch_status status; /* its status */
    seebatch_error error;   /* and the sentence about it */
} seebatch_faults;

/* Reads a FEN or EPD from each of n texts, as seebatch_position_from_fen() does: positions[i] from fens[i]. Where one
 * is wrong, the position is an empty board with white to move. */
SEEBATCH_API seebatch_status seebatch_batch_from_fens(const seebatch_text *fens, size_t n, seebatch_position *positions,
                                                      uint8_t *statuses, seebatch_faults *faults, seebatch_job *job);

/* How far seebatch_batch_from_lines() has come. */
typedef struct seebatch_lines {
    size_t n;        /* lines that were read, the wrong ones among them */
    size_t consumed; /* bytes of these lines with their ends: the rest of the text begins there */
} seebatch_lines;

/*
 * The same from a text with one FEN or EPD a line: positions[i] from line i. Each line counts, a blank one too (which
 * is wrong: it is no FEN). Lines end with a line feed; a carriage return before it does not belong to the line.
 *
 * text, length   any bytes.
 * whole          whether the text ends here. Then a last line without line feed is read, too; otherwise it is left for
 *                the call that has the rest of it.
 * capacity       how many lines are read at most: positions, and statuses if it is not NULL, have room for so many.
 * lines          always filled.
 *
 * Of a cancelled job the lines that begin in the first job->done bytes are read. About 10 KiB of stack are used.
 */
SEEBATCH_API seebatch_status seebatch_batch_from_lines(const char *text, size_t length, bool whole,
                                                       seebatch_position *positions, size_t capacity, uint8_t *statuses,
                                                       seebatch_lines *lines, seebatch_faults *faults,
                                                       seebatch_job *job);

/*
 * Writes n positions, which need not be sound, as FENs with six fields, a line each: that of positions[i] is
 * text[offsets[i]] up to text[offsets[i + 1]], which is after its line feed. There is no NUL.
 *
 * offsets   n + 1 of them, all written, whatever room there is: offsets[n] is the size that is needed. It is never more
 *           than n * SEEBATCH_FEN_SIZE.
 *
 * SEEBATCH_NO_ROOM if that is more than size; the contents of text are then undefined. It may be NULL if size is 0.
 */
SEEBATCH_API seebatch_status seebatch_batch_to_fens(const seebatch_position *positions, size_t n, char *text,
                                                    size_t size, size_t *offsets, seebatch_job *job);

/*
 * The legal moves, or captures, of many sound positions as compressed rows, such as seebatch_batch has them: those of
 * positions[i] are moves[offsets[i]] up to, not including, moves[offsets[i + 1]], in the order of
 * seebatch_legal_moves().
 *
 * offsets    n_positions + 1 of them, all written, whatever room there is; offsets[0] is 0, and offsets[n_positions] is
 *            how many moves there are. Of a cancelled job the positions after the first job->done have no moves.
 * capacity   how many moves there is room for. Threads are quickest where it is a third more than is needed: without
 *            that they may have to generate the moves twice.
 *
 * SEEBATCH_NO_ROOM if there are more moves than capacity; then moves, which may be NULL if capacity is 0, are in any
 * state. Positions have some 30 moves and 3 captures on average, and SEEBATCH_MAX_MOVES at most.
 */
SEEBATCH_API seebatch_status seebatch_batch_legal_moves(const seebatch_position *positions, size_t n_positions,
                                                        size_t *offsets, seebatch_move *moves, size_t capacity,
                                                        seebatch_job *job);
SEEBATCH_API seebatch_status seebatch_batch_legal_captures(const seebatch_position *positions, size_t n_positions,
                                                           size_t *offsets, seebatch_move *moves, size_t capacity,
                                                           seebatch_job *job);

/*
 * The legal captures of many sound positions in no particular order, which may differ from kernel to kernel: for those
 * who count them or evaluate them all. With AVX2 or AVX-512 it takes half the time.
 *
 * in         whether the captures of each position are wanted: a row of one that is not has no moves. NULL: all are.
 * offsets    n_positions + 1 of them, all written, as above; they begin with 0.
 * moves      room for SEEBATCH_MAX_MOVES a position that is in.
 * even       n_positions of them, all written; or NULL. Where even[i] is true the row may lack captures, and there is
 *            an even one: the type of what it captures, from pawn to queen, is not less than that of what captures; it
 *            is no promotion nor en passant, nor on the capturing side's first rank. Where values rise with the types
 *            it is worth 0 or more, whatever the rules: whoever asks for no more saves the others.
 *
 * checked    n_positions of them: whether the side to move is in check, of positions that are not in, too; or NULL.
 *
 * Returns how many moves there are. No arrays overlap. Like all others of these functions it may be called by several
 * threads at once.
 */
SEEBATCH_API size_t seebatch_collect_captures(const seebatch_position *positions, size_t n_positions, const bool *in,
                                              size_t *offsets, seebatch_move *moves, bool *even, bool *checked);

/* Which of many positions are in check: checked[i] is seebatch_in_check(&positions[i]). They need not be sound, but each
 * side has one king: whether a side that has moved is in check is asked with stm the other way round. */
SEEBATCH_API seebatch_status seebatch_batch_in_check(const seebatch_position *positions, size_t n_positions,
                                                     bool *checked, seebatch_job *job);

/* How moves are written. */
enum { SEEBATCH_UCI = 0, SEEBATCH_SAN = 1, SEEBATCH_ANY_NOTATION = 2 /* to read: either */ };

/*
 * Reads moves of many sound positions. Position i has the texts[offsets[i]] up to texts[offsets[i + 1]]; offsets as
 * those of a seebatch_batch, or NULL: then each position has one text. What is written is dense from the first:
 * moves[k - offsets[0]] and statuses[k - offsets[0]] from texts[k]; faults->first counts so, too. notation says how to
 * read them: as seebatch_move_from_uci(), seebatch_move_from_san() or seebatch_move_from_text() do. Where a text is
 * wrong, the move is 0 (a1a1, never legal).
 */
SEEBATCH_API seebatch_status seebatch_batch_moves_from_text(const seebatch_position *positions, size_t n_positions,
                                                            const size_t *offsets, const seebatch_text *texts,
                                                            int notation, seebatch_move *moves, uint8_t *statuses,
                                                            seebatch_faults *faults, seebatch_job *job);

/* Writes moves of many positions, in rows as above: texts[k - offsets[0]] from moves[k], filled up with NULs, one at
 * least. notation is SEEBATCH_UCI, with any 16 bits, ? for a promotion to no piece; then positions are not read, and
 * may be NULL. Or it is SEEBATCH_SAN: then each move is legal in its sound position. */
SEEBATCH_API seebatch_status seebatch_batch_moves_to_text(const seebatch_position *positions, size_t n_positions,
                                                          const size_t *offsets, const seebatch_move *moves,
                                                          int notation, char (*texts)[SEEBATCH_SAN_SIZE],
                                                          seebatch_job *job);

/* What a check looks for. */
enum {
    SEEBATCH_CHECK_SOUND = 0,       /* positions pass seebatch_position_check(), and moves seebatch_is_legal() */
    SEEBATCH_CHECK_LEGAL = 1,       /* what evaluation needs: boards as its rules need them; and moves that are legal on
                                       them, whoever is to move and whatever the fields for castling and en passant say */
    SEEBATCH_CHECK_PSEUDO_LEGAL = 2 /* the same, but a move may leave its own king in check, unless the rules have
                                       SEEBATCH_PINS_LEGAL, which give such a move no value */
};

/* The first fault of a batch; SIZE_MAX for what it is not about. */
typedef struct seebatch_fault {
    size_t position; /* its index; or the index of a wrong offset */
    size_t move;     /* as the offsets count */
    seebatch_error error;
} seebatch_fault;

/*
 * Whether a batch, whatever its bytes, can be handed to the functions that have preconditions: the offsets do not
 * decrease and stay within the moves, the positions are in order, and so is each move. What passes SEEBATCH_CHECK_SOUND
 * may be handed to every function; what passes the others, to those that evaluate under these rules, and then without
 * pins at hand, which are not looked at.
 *
 * rules     those that it will be evaluated under, checked first; NULL, only with SEEBATCH_CHECK_SOUND, for none.
 * batch     offsets may be NULL: then there are no moves to check.
 * n_moves   how many moves there are at batch->moves.
 * what      SEEBATCH_CHECK_...
 * fault     filled if something is wrong; or NULL.
 *
 * SEEBATCH_OK, or what is wrong first: SEEBATCH_BAD_RULES, SEEBATCH_BAD_OFFSETS, SEEBATCH_UNSOUND or SEEBATCH_ILLEGAL.
 * SEEBATCH_CANCELLED if nothing was found up to then.
 */
SEEBATCH_API seebatch_status seebatch_batch_check(const seebatch_rules *rules, const seebatch_batch *batch,
                                                  size_t n_moves, int what, seebatch_fault *fault, seebatch_job *job);

/* Whether each of many sound positions has a legal capture that reaches the threshold: bit i % 64 of mask[i / 64] for
 * positions[i]. All SEEBATCH_MASK_WORDS(n_positions) are written; bits past the last position are 0. Rules as for other
 * evaluating functions. About 21 KiB of stack are used in addition to those of the evaluation. */
SEEBATCH_API seebatch_status seebatch_batch_any_capture(const seebatch_rules *rules, const seebatch_position *positions,
                                                        size_t n_positions, int16_t threshold, uint64_t *mask,
                                                        seebatch_job *job);

/* The length of the exchange that a move begins: seebatch_trace's, the number of captures if no side stops before it
 * has to. Preconditions as of seebatch_explain(), and two to three times as fast. */
SEEBATCH_API int seebatch_exchange_length(const seebatch_rules *rules, const seebatch_position *position,
                                          seebatch_move move);

/* The same for all moves of a batch, with AVX2 six times as fast: lengths[k - offsets[0]] of moves[k]. values: NULL, or
 * where the values go, as seebatch_batch_values() finds them without pins at hand: together both take three quarters of
 * the time. Pins of the batch are not read. */
SEEBATCH_API seebatch_status seebatch_batch_lengths(const seebatch_rules *rules, const seebatch_batch *batch,
                                                    int16_t *values, uint8_t *lengths, seebatch_job *job);

/* ---- Kernels ---------------------------------------------------------------------------------------------------- */

/*
 * A kernel is one implementation of the evaluation: "scalar" is always there; others need a processor (and an operating
 * system) that has what they were compiled for. All give the same results.
 *
 * On first use the library takes the kernel that the environment variable SEEBATCH_KERNEL names, or, where that is
 * unset or empty, the best that the machine can run. If the variable names none that can run, the first evaluation
 * writes a sentence to standard error and aborts: a program that wants to handle this calls seebatch_kernel_use(NULL,
 * &error) first. Compiled with SEEBATCH_FREESTANDING, as for WebAssembly without WASI, the library needs no operating
 * system: it reads no environment variable, and so it takes the best kernel.
 */

/* The kernels that were compiled in, best first: index 0, 1, ..., NULL past the last. */
SEEBATCH_API const char *seebatch_kernel_name(size_t index);

/* One line on what a kernel is and needs. index as above. */
SEEBATCH_API const char *seebatch_kernel_description(size_t index);

/* Whether this machine can run it. */
SEEBATCH_API bool seebatch_kernel_available(size_t index);

/* The name of the kernel in use; chooses one if none was chosen yet. */
SEEBATCH_API const char *seebatch_kernel_active(void);

/* Chooses a kernel for all further calls of the process. name NULL: by SEEBATCH_KERNEL or, without it, the best.
 * SEEBATCH_BAD_KERNEL, with a text that lists those available, if there is none of that name or the machine cannot run
 * it; the kernel in use then stays. */
SEEBATCH_API seebatch_status seebatch_kernel_use(const char *name, seebatch_error *error);

/* ---- Self-test -------------------------------------------------------------------------------------------------- */

/* What a self-test did, and the first difference that it found. */
typedef struct seebatch_selftest_report {
    uint64_t rounds;  /* batches of queries that were made */
    uint64_t cases;   /* their queries */
    uint64_t answers; /* answers compared, those of all kernels together */
    uint64_t seed;    /* of the round that found the difference; if there was none, of the round that would come next */

    const char *kernel;   /* whose answer is wrong; NULL if none is, and then what follows says nothing */
    const char *function; /* what was called: "values", "ge, one threshold" or "ge, a threshold a move" */
    bool forced_lanes;    /* every query was sent through the lanes, whatever would have been faster; */
    bool forced_maps;     /* or every position was mapped, by a kernel that has maps */
    size_t n_positions;   /* in the call, */
    size_t n;             /* with so many queries; */
    size_t index;         /* the wrong answer is that to this one, from 0 */
    bool stray;           /* no answer is wrong, but something was written outside of them; there is no move then */

    seebatch_rules rules;
    seebatch_position position;
    seebatch_move move;
    int threshold; /* of ge */
    int expected;  /* what the scalar code says to the move alone: its value, or for ge 0 or 1 */
    int got;       /* what the kernel says */
} seebatch_selftest_report;

/*
 * Compares every kernel that this machine can run with the scalar code, on random and constructed positions, for every
 * combination of the rules' fields, the default and other piece values, and batches of every size: a way to trust a
 * machine, a compiler or a build. Kernels that it cannot run are skipped; seebatch_kernel_available() says which.
 * The kernel in use does not matter, and stays. A million cases take a second or so.
 *
 * seed     what is drawn follows from it. To go on after a self-test, begin with the seed in its report; to see a
 *          difference again at once, too.
 * cases    rounds are made until there are so many cases, and one at least.
 * report   always filled.
 *
 * SEEBATCH_OK, or SEEBATCH_DIFFERENT at the first difference. Uses about 32 KiB of stack, and no other memory.
 */
SEEBATCH_API seebatch_status seebatch_selftest(uint64_t seed, uint64_t cases, seebatch_selftest_report *report,
                                               seebatch_error *error);

#ifdef __cplusplus
}
#endif

#endif
