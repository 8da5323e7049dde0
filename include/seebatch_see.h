/* SPDX-License-Identifier: MIT. Copyright (c) 2026 the seebatch authors.
 * Version 1.0.0; the licence is at the end of this file. */
/*
 * seebatch_see.h: the static exchange evaluation (SEE) of one move, where the engine is.
 *
 * A header alone: nothing to link, C11 and C++17, gcc and clang. It works on the engine's own bitboards, with the rules
 * and piece values as constants, and says what seebatch_ge() and seebatch_value() of the library say, bit for bit. The
 * library is for whole lists and for many positions; this is for a search, which asks about one move at a time.
 *
 *     static const seebatch_see_rules rules = {{100, 450, 450, 675, 1300}, SEEBATCH_SEE_RULES_ETHEREAL};
 *
 *     bool see_ge(const Board *b, int from, int to, int threshold)
 *     {
 *         const seebatch_see_board board =
 *             seebatch_see_board_of(b->types, b->colors[b->stm], b->colors[!b->stm], b->stm == WHITE);
 *         const seebatch_see_move move = {from, to, type_on(b, from), type_on(b, to), 0, SEEBATCH_SEE_NORMAL};
 *         return seebatch_see_ge(&rules, &board, NULL, move, threshold);
 *     }
 *
 * All functions are inlined into the one that calls them, and what is constant there disappears: call them in one
 * place for each rule set. Structures are built in registers. A program may use several rule sets.
 *
 *   Squares     a1 = 0, b1 = 1, ..., h8 = 63. With a8 = 0, say that white moves where black does: the same board, seen
 *               from the other side. (Of several pieces of a type the lowest square captures first.)
 *   Sliders     Before the #include define SEEBATCH_SEE_BISHOP_ATTACKS(square, occupied) and
 *               SEEBATCH_SEE_ROOK_ATTACKS(square, occupied), if the engine has them in tables. Otherwise the header
 *               finds attacks by arithmetic, from 4 KiB of tables. A slider's own square may be in occupied or not.
 *   Mailbox     An engine that keeps a byte for each square defines SEEBATCH_SEE_CODE(type, white) before the #include:
 *               the byte of a piece, a constant from 0 to 255. Where a byte says more, the number of the piece perhaps,
 *               SEEBATCH_SEE_CODE_MASK has the bits that count, also a constant; the code has no others. Without it as
 *               many low bits count as the codes have: four, five, six or eight. In these bits an empty square must
 *               differ from every piece. Boards come from seebatch_see_board_with_mailbox(), or, if there are no
 *               bitboards, from seebatch_see_board_of_mailbox(). The header then reads all pieces at once in the order
 *               of rays from the to-square, and looks up no attacks: beside bitboards where the compiler targets
 *               AVX512-VBMI and AVX512-BITALG (-march=native on Ice Lake, Zen 4, and later), which is quicker, and
 *               without them where it targets AVX2 or any AVX-512. Both boards work everywhere. Define
 *               SEEBATCH_SEE_PLAIN to do without such instructions.
 */
#ifndef SEEBATCH_SEE_H
#define SEEBATCH_SEE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(SEEBATCH_SEE_CODE) && !defined(SEEBATCH_SEE_PLAIN)
#ifdef __AVX512BW__
#define SEEBATCH_SEE_LANES 64
#elif defined(__AVX2__)
#define SEEBATCH_SEE_LANES 32
#elif defined(__SSE2__)
#define SEEBATCH_SEE_SSE2
#endif
#endif
#if defined(SEEBATCH_SEE_LANES) || defined(SEEBATCH_SEE_SSE2)
#include <immintrin.h>
#include <string.h>
#endif

/* ---- Words ------------------------------------------------------------------------------------------------------ */

/* Piece types. */
enum {
    SEEBATCH_SEE_PAWN = 0,
    SEEBATCH_SEE_KNIGHT = 1,
    SEEBATCH_SEE_BISHOP = 2,
    SEEBATCH_SEE_ROOK = 3,
    SEEBATCH_SEE_QUEEN = 4,
    SEEBATCH_SEE_KING = 5,
    SEEBATCH_SEE_NO_PIECE = 6 /* -1 means the same */
};

/* What a move is, if it is one of these. */
enum { SEEBATCH_SEE_NORMAL = 0, SEEBATCH_SEE_EN_PASSANT = 1, SEEBATCH_SEE_CASTLING = 2 };

/* What rules are made of: the fields of seebatch_rules, with the same numbers (docs/semantics.md). */
/* Made by scripts/manual: fields */
enum {
    SEEBATCH_SEE_PINS_IGNORED = 0,
    SEEBATCH_SEE_PINS_ANY = 1,
    SEEBATCH_SEE_PINS_ALL = 2,
    SEEBATCH_SEE_PINS_RAY_ONCE = 4,
    SEEBATCH_SEE_PINS_RAY_ONCE_BOTH = 5,
    SEEBATCH_SEE_PINS_RAY_EACH = 6,
    SEEBATCH_SEE_PINS_RAY_STANDING = 7
};
enum { SEEBATCH_SEE_PROMOTE_NONE = 0, SEEBATCH_SEE_PROMOTE_FIRST = 1, SEEBATCH_SEE_PROMOTE_ALL = 2 };
enum { SEEBATCH_SEE_PROMOTION_EVALUATED = 0, SEEBATCH_SEE_PROMOTION_ZERO = 1, SEEBATCH_SEE_PROMOTION_ALWAYS = 2 };
enum {
    SEEBATCH_SEE_EN_PASSANT_EVALUATED = 0,
    SEEBATCH_SEE_EN_PASSANT_ZERO = 1,
    SEEBATCH_SEE_EN_PASSANT_ALWAYS = 2,
    SEEBATCH_SEE_EN_PASSANT_STANDING = 3
};
enum { SEEBATCH_SEE_CASTLING_ZERO = 0, SEEBATCH_SEE_CASTLING_ALWAYS = 1 };
/* Up to here by scripts/manual. */

/* The value of a first move that the rules let pass at any threshold. */
enum { SEEBATCH_SEE_ALWAYS = 32767 };

/* A rule set: what an exchange means. Make it a constant, or the speed is gone. Every combination is valid. */
typedef struct seebatch_see_rules {
    int value[8]; /* pawn, knight, bishop, rook, queen; each 0..3000; the rest 0 */
    int pins;     /* SEEBATCH_SEE_PINS_... */
    int promotions, promotion, en_passant, castling;
} seebatch_see_rules;

/* The rule sets of the library, as the fields behind the values. (Those two of any order, `legal` and `monty`, need a
 * search: take the library.) */
/* Made by scripts/manual: rules */
#define SEEBATCH_SEE_RULES_SWAP SEEBATCH_SEE_PINS_IGNORED, SEEBATCH_SEE_PROMOTE_NONE, 0, 0, 0
#define SEEBATCH_SEE_RULES_PROMOTIONS SEEBATCH_SEE_PINS_IGNORED, SEEBATCH_SEE_PROMOTE_ALL, 0, 0, 0
#define SEEBATCH_SEE_RULES_ETHEREAL SEEBATCH_SEE_PINS_IGNORED, SEEBATCH_SEE_PROMOTE_FIRST, 0, 0, 0
#define SEEBATCH_SEE_RULES_STOCKFISH                                                                                   \
    SEEBATCH_SEE_PINS_ANY, SEEBATCH_SEE_PROMOTE_NONE, SEEBATCH_SEE_PROMOTION_ZERO, SEEBATCH_SEE_EN_PASSANT_ZERO, 0
#define SEEBATCH_SEE_RULES_STOCKFISH_2016 SEEBATCH_SEE_PINS_ALL, SEEBATCH_SEE_PROMOTE_NONE, 0, 0, 0
#define SEEBATCH_SEE_RULES_STORMPHRAX                                                                                  \
    SEEBATCH_SEE_PINS_RAY_ONCE, SEEBATCH_SEE_PROMOTE_FIRST, 0, SEEBATCH_SEE_EN_PASSANT_STANDING, 0
#define SEEBATCH_SEE_RULES_PAWNOCCHIO                                                                                  \
    SEEBATCH_SEE_PINS_RAY_ONCE_BOTH, SEEBATCH_SEE_PROMOTE_FIRST, 0, SEEBATCH_SEE_EN_PASSANT_STANDING, 0
#define SEEBATCH_SEE_RULES_PLENTYCHESS                                                                                 \
    SEEBATCH_SEE_PINS_RAY_EACH, SEEBATCH_SEE_PROMOTE_NONE, SEEBATCH_SEE_PROMOTION_ALWAYS,                              \
        SEEBATCH_SEE_EN_PASSANT_ALWAYS, SEEBATCH_SEE_CASTLING_ALWAYS
#define SEEBATCH_SEE_RULES_RECKLESS                                                                                    \
    SEEBATCH_SEE_PINS_RAY_STANDING, SEEBATCH_SEE_PROMOTE_FIRST, 0, 0, SEEBATCH_SEE_CASTLING_ALWAYS
/* Up to here by scripts/manual. */

/* A board before the move. */
typedef struct seebatch_see_board {
    const uint64_t *types; /* six bitboards, pawn to king, of both sides; NULL if there is nothing but a mailbox */
    uint64_t own, enemy;   /* all pieces of the side that moves, and of the other */
    size_t white;          /* 1 if white moves, otherwise 0 */
    /*
     * The squares that the enemy attacks, if the engine keeps them; all bits set if it does not. If neither the square
     * that the piece leaves nor the one that it goes to is among them (en passant: nor that of the captured pawn),
     * nothing recaptures, and no attackers are looked for. That is exact under every rule set and for every move.
     * More squares than are attacked do no harm: pinned pieces may count, and lines may run through kings. Fewer do.
     */
    uint64_t attacked;
    uint64_t occupied; /* own | enemy: the engine's own, if it keeps one, is at hand sooner */
    /*
     * Where the engine keeps it, or NULL: its byte of each square, the pieces of white and of black, and its pins. Pins
     * here: the blockers of white's king and of black's, white's pieces that pin black's, and black's that pin white's.
     */
    const void *mailbox;
    const uint64_t *colors, *blockers, *pinners;
} seebatch_see_board;

/* A condition as an index that is opaque to the compiler: gcc would work it out anew for each use, and its opposite, now
 * and then by a byte in memory that it reads as a word, which the processor has to wait for. */
static inline __attribute__((always_inline)) size_t seebatch_see_index(bool condition)
{
    size_t index = condition;
    if (!__builtin_constant_p(condition))
        __asm__("" : "+r"(index));
    return index;
}

/* A board without such a map. */
static inline __attribute__((always_inline)) seebatch_see_board
seebatch_see_board_of(const uint64_t types[6], uint64_t own, uint64_t enemy, bool white)
{
    const size_t index = seebatch_see_index(white);
    const seebatch_see_board board = {types, own, enemy, index, ~UINT64_C(0), own | enemy, NULL, NULL, NULL, NULL};
    return board;
}

/* The same with a mailbox, which agrees with the bitboards. An engine that keeps pins sets blockers and pinners of the
 * result, and gives no others to the functions. All of it has to stay as it is for as long as the board. */
static inline __attribute__((always_inline)) seebatch_see_board
seebatch_see_board_with_mailbox(const void *mailbox, const uint64_t types[6], const uint64_t colors[2], bool white)
{
    const size_t index = seebatch_see_index(white);
    const seebatch_see_board board = {
        types, colors[index ^ 1], colors[index], index, ~UINT64_C(0), colors[0] | colors[1], mailbox, colors, NULL,
        NULL};
    return board;
}

/* The same of twelve bitboards, pawn to king of the side that moves and of the other. types: room for six, which has to
 * live as long as the board. */
static inline __attribute__((always_inline)) seebatch_see_board
seebatch_see_board_of_twelve(const uint64_t own[6], const uint64_t enemy[6], bool white, uint64_t types[6])
{
    for (int type = SEEBATCH_SEE_PAWN; type <= SEEBATCH_SEE_KING; type++)
        types[type] = own[type] | enemy[type];
    return seebatch_see_board_of(types, own[0] | own[1] | own[2] | own[3] | own[4] | own[5],
                                 enemy[0] | enemy[1] | enemy[2] | enemy[3] | enemy[4] | enemy[5], white);
}

#ifdef SEEBATCH_SEE_CODE
/* A board of which there is nothing but a mailbox, as SEEBATCH_SEE_CODE describes it. An engine that keeps pins sets
 * blockers and pinners of the result. */
static inline __attribute__((always_inline)) seebatch_see_board seebatch_see_board_of_mailbox(const void *mailbox,
                                                                                              bool white)
{
    seebatch_see_board board = seebatch_see_board_of(NULL, 0, 0, white);
    board.mailbox = mailbox;
    return board;
}
#endif

/* Pins at hand, as seebatch_find_pins() of the library and seebatch_see_find_pins() find them. [0] concerns the king of
 * the side that moves, [1] the other one. */
typedef struct seebatch_see_pins {
    uint64_t blockers[2]; /* the pieces of either colour that alone stand between that king and an enemy slider on a
                             line with him; under PINS_ANY and RAY_EACH other such sliders in between do not count */
    uint64_t pinners[2];  /* the sliders whose blocker has the king's own colour */
} seebatch_see_pins;

/* A move, with what the caller knows of it. */
typedef struct seebatch_see_move {
    int from, to;
    int piece;     /* type of the piece that moves: of a promotion, a pawn */
    int captured;  /* type of the captured piece, or SEEBATCH_SEE_NO_PIECE; not read of en passant and castling */
    int promotion; /* type of the new piece, or 0 */
    int special;   /* SEEBATCH_SEE_NORMAL or one of its kin */
} seebatch_see_move;

/* ---- Attacks ---------------------------------------------------------------------------------------------------- */

#define SEEBATCH_SEE_INLINE static inline __attribute__((always_inline))
#ifdef __cplusplus
#define SEEBATCH_SEE_CAST(type, x) static_cast<type>(x)
#else
#define SEEBATCH_SEE_CAST(type, x) ((type)(x))
#endif

/* What depends on a square alone: the lines through it, without it; leapers that attack it. */
struct seebatch_see_square {
    uint64_t diagonals, lines;         /* both diagonals; file and rank */
    uint64_t diagonal, file;           /* that in a1-h8 direction; the file */
    uint64_t knights, kings, pawns[2]; /* pawns: black ones, white ones */
};

#define SEEBATCH_SEE_FILE_A UINT64_C(0x0101010101010101)
#define SEEBATCH_SEE_RIGHT(b, n) ((b) & (SEEBATCH_SEE_FILE_A * (0xff >> (n)))) /* that can go n files to the right */
#define SEEBATCH_SEE_LEFT(b, n) ((b) & (SEEBATCH_SEE_FILE_A * (0xff << (n)&0xff)))
#define SEEBATCH_SEE_RANKS_UP(line, n) ((n) > 0 ? (line) << 8 * ((n)&7) : (line) >> 8 * (-(n)&7))
#define SEEBATCH_SEE_DIAGONAL(f, r) SEEBATCH_SEE_RANKS_UP(UINT64_C(0x8040201008040201), (r) - (f))
#define SEEBATCH_SEE_ROW(b, f, r)                                                                                      \
    {                                                                                                                  \
        (SEEBATCH_SEE_DIAGONAL(f, r) | SEEBATCH_SEE_RANKS_UP(UINT64_C(0x0102040810204080), (r) + (f)-7)) & ~(b),       \
            (SEEBATCH_SEE_FILE_A << (f) | UINT64_C(0xff) << 8 * (r)) & ~(b), SEEBATCH_SEE_DIAGONAL(f, r) & ~(b),       \
            (SEEBATCH_SEE_FILE_A << (f)) & ~(b),                                                                       \
            SEEBATCH_SEE_RIGHT(b, 1) << 17 | SEEBATCH_SEE_LEFT(b, 1) << 15 | SEEBATCH_SEE_RIGHT(b, 2) << 10 |          \
                SEEBATCH_SEE_LEFT(b, 2) << 6 | SEEBATCH_SEE_LEFT(b, 1) >> 17 | SEEBATCH_SEE_RIGHT(b, 1) >> 15 |        \
                SEEBATCH_SEE_LEFT(b, 2) >> 10 | SEEBATCH_SEE_RIGHT(b, 2) >> 6,                                         \
            (b) << 8 | (b) >> 8 | SEEBATCH_SEE_RIGHT(b, 1) << 9 | SEEBATCH_SEE_RIGHT(b, 1) << 1 |                      \
                SEEBATCH_SEE_RIGHT(b, 1) >> 7 | SEEBATCH_SEE_LEFT(b, 1) << 7 | SEEBATCH_SEE_LEFT(b, 1) >> 1 |          \
                SEEBATCH_SEE_LEFT(b, 1) >> 9,                                                                          \
        {                                                                                                              \
            SEEBATCH_SEE_LEFT(b, 1) << 7 | SEEBATCH_SEE_RIGHT(b, 1) << 9,                                              \
                SEEBATCH_SEE_LEFT(b, 1) >> 9 | SEEBATCH_SEE_RIGHT(b, 1) >> 7                                           \
        }                                                                                                              \
    }
#define SEEBATCH_SEE_SQUARE(f, r) SEEBATCH_SEE_ROW(UINT64_C(1) << (8 * (r) + (f)), f, r)
#define SEEBATCH_SEE_RANK(r)                                                                                           \
    SEEBATCH_SEE_SQUARE(0, r), SEEBATCH_SEE_SQUARE(1, r), SEEBATCH_SEE_SQUARE(2, r), SEEBATCH_SEE_SQUARE(3, r),        \
        SEEBATCH_SEE_SQUARE(4, r), SEEBATCH_SEE_SQUARE(5, r), SEEBATCH_SEE_SQUARE(6, r), SEEBATCH_SEE_SQUARE(7, r)

static const struct seebatch_see_square seebatch_see_squares[64] __attribute__((aligned(64), unused)) = {
    SEEBATCH_SEE_RANK(0), SEEBATCH_SEE_RANK(1), SEEBATCH_SEE_RANK(2), SEEBATCH_SEE_RANK(3),
    SEEBATCH_SEE_RANK(4), SEEBATCH_SEE_RANK(5), SEEBATCH_SEE_RANK(6), SEEBATCH_SEE_RANK(7)};

SEEBATCH_SEE_INLINE uint64_t seebatch_see_bit(int square) { return UINT64_C(1) << square; }

/* Attacks along a line: from the nearest occupied square below to the nearest above, by one subtraction. */
SEEBATCH_SEE_INLINE uint64_t seebatch_see_on_line(uint64_t line, int square, uint64_t occupied)
{
    const uint64_t below = line & occupied & (seebatch_see_bit(square) - 1),
                   above = line & occupied & ~UINT64_C(1) << square;
    const uint64_t nearest_below = seebatch_see_bit(63 - __builtin_clzll(below | 1));
    return line & (above ^ (above - nearest_below));
}

#ifndef SEEBATCH_SEE_BISHOP_ATTACKS
#define SEEBATCH_SEE_BISHOP_ATTACKS(square, occupied) seebatch_see_bishop_attacks(square, occupied)
SEEBATCH_SEE_INLINE uint64_t seebatch_see_bishop_attacks(int square, uint64_t occupied)
{
    const struct seebatch_see_square *s = &seebatch_see_squares[square];
    return seebatch_see_on_line(s->diagonal, square, occupied) |
           seebatch_see_on_line(s->diagonals ^ s->diagonal, square, occupied);
}
#endif

#ifndef SEEBATCH_SEE_ROOK_ATTACKS
#define SEEBATCH_SEE_ROOK_ATTACKS(square, occupied) seebatch_see_rook_attacks(square, occupied)
SEEBATCH_SEE_INLINE uint64_t seebatch_see_rook_attacks(int square, uint64_t occupied)
{
    const struct seebatch_see_square *s = &seebatch_see_squares[square];
    return seebatch_see_on_line(s->file, square, occupied) | seebatch_see_on_line(s->lines ^ s->file, square, occupied);
}
#endif

/* ---- An exchange in progress ------------------------------------------------------------------------------------ */

/* No arrays, so that all of it may stay in registers. */
struct seebatch_see_exchange {
    const uint64_t *types;                 /* six bitboards, pawn to king, of both sides */
    uint64_t own, enemy;                   /* pieces of the side to capture, and of the other */
    uint64_t occupied;                     /* pieces that have not taken part yet; never the to-square */
    uint64_t attackers;                    /* of both sides, among the occupied squares */
    uint64_t pinned;                       /* of both sides, under rules of rays */
    uint64_t own_blockers, enemy_blockers; /* before the kings of the side to capture, and of the other */
    uint64_t own_pinners, enemy_pinners;   /* that pin pieces of the side to capture, and of the other */
    int to;
    bool last_rank; /* a pawn that captures becomes a queen */
};

SEEBATCH_SEE_INLINE uint64_t seebatch_see_diagonal_attackers(const struct seebatch_see_exchange *x, uint64_t occupied)
{
    return SEEBATCH_SEE_BISHOP_ATTACKS(x->to, occupied) & (x->types[2] | x->types[4]) & occupied;
}

SEEBATCH_SEE_INLINE uint64_t seebatch_see_orthogonal_attackers(const struct seebatch_see_exchange *x, uint64_t occupied)
{
    return SEEBATCH_SEE_ROOK_ATTACKS(x->to, occupied) & (x->types[3] | x->types[4]) & occupied;
}

/* Sliders on a line with the square, which may join. */
SEEBATCH_SEE_INLINE uint64_t seebatch_see_behind(const struct seebatch_see_exchange *x)
{
    const struct seebatch_see_square *s = &seebatch_see_squares[x->to];
    return ((x->types[2] | x->types[4]) & s->diagonals) | ((x->types[3] | x->types[4]) & s->lines);
}

/* white: the colour of the side to capture. */
SEEBATCH_SEE_INLINE uint64_t seebatch_see_all_attackers(const struct seebatch_see_exchange *x, size_t white)
{
    const struct seebatch_see_square *s = &seebatch_see_squares[x->to];
    const uint64_t sliders = /* they take longest */
        seebatch_see_diagonal_attackers(x, x->occupied) | seebatch_see_orthogonal_attackers(x, x->occupied);
    const uint64_t pawns = (s->pawns[white] & x->own) | (s->pawns[white ^ 1] & x->enemy);
    return sliders | (((s->knights & x->types[1]) | (s->kings & x->types[5]) | (pawns & x->types[0])) & x->occupied);
}

/* ---- Pins ------------------------------------------------------------------------------------------------------- */

SEEBATCH_SEE_INLINE bool seebatch_see_is_ray(int pins) { return pins >= SEEBATCH_SEE_PINS_RAY_ONCE; }

/* Rules under which pinned pieces are left out of the first attackers, and slide in again. */
SEEBATCH_SEE_INLINE bool seebatch_see_is_once(int pins)
{
    return pins == SEEBATCH_SEE_PINS_RAY_ONCE || pins == SEEBATCH_SEE_PINS_RAY_ONCE_BOTH;
}

/* Rules under which pieces before the enemy's king are pinned, too. */
SEEBATCH_SEE_INLINE bool seebatch_see_is_both(int pins)
{
    return pins == SEEBATCH_SEE_PINS_RAY_ONCE_BOTH || pins == SEEBATCH_SEE_PINS_RAY_EACH;
}

/* The line through two squares, without the first; empty if there is none. */
SEEBATCH_SEE_INLINE uint64_t seebatch_see_line_through(int a, int b)
{
    const struct seebatch_see_square *s = &seebatch_see_squares[a];
    const uint64_t lines[4] = {s->diagonal, s->diagonals ^ s->diagonal, s->file, s->lines ^ s->file};
    uint64_t through = 0;
    for (int i = 0; i < 4; i++)
        through |= lines[i] >> b & 1 ? lines[i] : 0;
    return through;
}

/* Blockers and pinners of both kings as the rules define them. */
SEEBATCH_SEE_INLINE seebatch_see_pins seebatch_see_find_pins(const seebatch_see_rules *rules,
                                                             const seebatch_see_board *board)
{
    seebatch_see_pins pins = {{0, 0}, {0, 0}};
    for (int side = 0; side < 2; side++) {
        const uint64_t own = side ? board->enemy : board->own, occupied = board->own | board->enemy;
        const uint64_t king_bit = board->types[5] & own;
        if (!king_bit)
            continue;
        const int king = __builtin_ctzll(king_bit);
        const struct seebatch_see_square *s = &seebatch_see_squares[king];
        uint64_t snipers =
            ((s->diagonals & (board->types[2] | board->types[4])) | (s->lines & (board->types[3] | board->types[4]))) &
            ~own;
        const bool passes_over = rules->pins == SEEBATCH_SEE_PINS_ANY || rules->pins == SEEBATCH_SEE_PINS_RAY_EACH;
        const uint64_t counted = passes_over ? occupied & ~snipers : occupied;
        for (; snipers; snipers &= snipers - 1) {
            const int sniper = __builtin_ctzll(snipers);
            const uint64_t between_in_number = (seebatch_see_bit(king) - 1) ^ (seebatch_see_bit(sniper) - 1);
            const uint64_t between = seebatch_see_line_through(king, sniper) & between_in_number & counted &
                                     ~seebatch_see_bit(king < sniper ? king : sniper);
            if (between && !(between & (between - 1))) {
                pins.blockers[side] |= between;
                pins.pinners[side] |= between & own ? seebatch_see_bit(sniper) : 0;
            }
        }
    }
    return pins;
}

/* The blockers of a side's king that pins concern: that side's own, under some rules those of the enemy, too. */
SEEBATCH_SEE_INLINE uint64_t seebatch_see_pinned_before(const seebatch_see_rules *rules, uint64_t blockers,
                                                        uint64_t side)
{
    return seebatch_see_is_both(rules->pins) ? blockers : blockers & side;
}

/* Those of both sides; under rules of rays less those that are on one line with the king and the to-square. */
SEEBATCH_SEE_INLINE uint64_t seebatch_see_pinned(const seebatch_see_rules *rules, const seebatch_see_board *board,
                                                 const seebatch_see_pins *pins, int to)
{
    const uint64_t own = seebatch_see_pinned_before(rules, pins->blockers[0], board->own),
                   enemy = seebatch_see_pinned_before(rules, pins->blockers[1], board->enemy);
    uint64_t free = 0;
    if (seebatch_see_is_ray(rules->pins)) {
        if (own)
            free |= own & seebatch_see_line_through(__builtin_ctzll(board->types[5] & board->own), to);
        if (enemy)
            free |= enemy & seebatch_see_line_through(__builtin_ctzll(board->types[5] & board->enemy), to);
    }
    return (own | enemy) & ~free;
}

/* The attackers of the side to capture that may do so now, its king left aside. */
SEEBATCH_SEE_INLINE uint64_t seebatch_see_allowed(int pins, const struct seebatch_see_exchange *x)
{
    const uint64_t attackers = x->attackers & x->own, pinners = x->own_pinners;
    const bool holds = pins == SEEBATCH_SEE_PINS_RAY_EACH || (pins == SEEBATCH_SEE_PINS_ANY && pinners & x->occupied) ||
                       (pins == SEEBATCH_SEE_PINS_ALL && pinners && !(pinners & ~x->occupied)) ||
                       (pins == SEEBATCH_SEE_PINS_RAY_STANDING && pinners & (x->occupied | seebatch_see_bit(x->to)));
    if (!__builtin_expect(holds, seebatch_see_is_ray(pins)))
        return attackers;
    uint64_t free = attackers & ~(seebatch_see_is_ray(pins) ? x->pinned : x->own_blockers);
    __asm__("" : "+r"(free)); /* a branch that is guessed right, rather than a wait for pins */
    return free;
}

/* ---- The swap loop ---------------------------------------------------------------------------------------------- */

/* Whether a king may capture: nothing may attack the square once he has left his own. Where pinned pieces are left out
 * of the attackers, only the others guard, and sliders behind the square that he leaves. */
SEEBATCH_SEE_INLINE bool seebatch_see_king_may_capture(int pins, const struct seebatch_see_exchange *x)
{
    const uint64_t occupied = x->occupied & ~(x->types[5] & x->own);
    uint64_t joining = seebatch_see_diagonal_attackers(x, occupied) | seebatch_see_orthogonal_attackers(x, occupied);
    if (seebatch_see_is_once(pins))
        joining &=
            ~(seebatch_see_diagonal_attackers(x, x->occupied) | seebatch_see_orthogonal_attackers(x, x->occupied));
    return !((x->attackers | joining) & x->enemy);
}

/* The lowest of some pieces leaves its square, and sliders behind it join. */
SEEBATCH_SEE_INLINE void seebatch_see_capture_by(struct seebatch_see_exchange *x, uint64_t candidates, bool diagonal,
                                                 bool line)
{
    x->occupied ^= candidates & (0 - candidates);
    if (diagonal)
        x->attackers |= seebatch_see_diagonal_attackers(x, x->occupied);
    if (line)
        x->attackers |= seebatch_see_orthogonal_attackers(x, x->occupied);
    x->attackers &= x->occupied;
}

SEEBATCH_SEE_INLINE void seebatch_see_swap_sides(struct seebatch_see_exchange *x)
{
    const uint64_t own = x->own, blockers = x->own_blockers, pinners = x->own_pinners;
    x->own = x->enemy;
    x->enemy = own;
    x->own_blockers = x->enemy_blockers;
    x->enemy_blockers = blockers;
    x->own_pinners = x->enemy_pinners;
    x->enemy_pinners = pinners;
}

/* What the side to capture gets from here on, clamped to [alpha, beta]. balance: what it has won so far; victim: the
 * value of what stands on the square. Stopping gives the balance, so alpha rises to it. */
SEEBATCH_SEE_INLINE int seebatch_see_swap_loop(const seebatch_see_rules *rules, struct seebatch_see_exchange *x,
                                               int balance, int victim, int alpha, int beta)
{
    const int *value = rules->value;
    for (int sign = 1;; sign = -sign) {
        if (balance > alpha)
            alpha = balance;
        if (alpha >= beta)
            return sign * beta;
        if (!x->last_rank && balance + victim <= alpha)
            return sign * alpha; /* even if nothing took back, capturing would not help */
        const uint64_t attackers = seebatch_see_allowed(rules->pins, x);
        int next = 0, promoted = 0;
        if (attackers & x->types[0]) {
            next = value[0];
            seebatch_see_capture_by(x, attackers & x->types[0], true, false);
            if (x->last_rank) {
                next = value[4];
                promoted = value[4] - value[0];
            }
        } else if (attackers & x->types[1]) {
            next = value[1];
            seebatch_see_capture_by(x, attackers & x->types[1], false, false);
        } else if (attackers & x->types[2]) {
            next = value[2];
            seebatch_see_capture_by(x, attackers & x->types[2], true, false);
        } else if (attackers & x->types[3]) {
            next = value[3];
            seebatch_see_capture_by(x, attackers & x->types[3], false, true);
        } else if (attackers & x->types[4]) {
            next = value[4];
            seebatch_see_capture_by(x, attackers & x->types[4], true, true);
        } else if (!(attackers & x->types[5]) || !seebatch_see_king_may_capture(rules->pins, x)) {
            return sign * alpha;
        } else { /* nobody of the enemy is left to recapture */
            balance += victim;
            return sign * (balance < alpha ? alpha : balance > beta ? beta : balance);
        }
        balance = -(balance + victim + promoted);
        victim = next;
        const int old_alpha = alpha;
        alpha = -beta;
        beta = -old_alpha;
        seebatch_see_swap_sides(x);
    }
}

/* ---- The decision -----------------------------------------------------------------------------------------------

 * Most exchanges are decided by the attackers as they stand, without the loop. need: how much of the piece that moved
 * has to come back for the threshold. They capture it with their least valuable piece, worth w; we recapture with ours,
 * worth u. The first of these that holds is the answer:
 *
 *     Yes    They have nobody to capture it.
 *     No     Nobody of ours can capture a second time, nor join to do so.
 *     No     w is less than need.
 *     Yes    u is at most w - need: it may be lost as well. Or they have nobody left to capture it.
 *     No     Nobody of ours is left after that.
 *
 * Plain code asks the first three in one branch, the third of pawns, knights and bishops alone, and then begins the
 * loop: a wrong guess costs more than what a second branch saves.
 */
/* A condition as a number that is opaque to the compiler, which would make a branch of it. */
SEEBATCH_SEE_INLINE int seebatch_see_opaque(bool condition)
{
    int number = condition;
    __asm__("" : "+r"(number));
    return number;
}

/* All bits set if a < b, otherwise none. */
SEEBATCH_SEE_INLINE uint64_t seebatch_see_if_less(int a, int b)
{
    const int64_t difference = a - b;
    return SEEBATCH_SEE_CAST(uint64_t, difference >> 63);
}

/* ---- Moves ------------------------------------------------------------------------------------------------------ */

/* The value of a piece. The index is opaque, or clang reads a byte into the low part of a register, and waits for its
 * high part. */
SEEBATCH_SEE_INLINE int seebatch_see_value_of(const seebatch_see_rules *rules, int type)
{
    size_t index = SEEBATCH_SEE_CAST(size_t, type & 7);
    __asm__("" : "+r"(index));
    return rules->value[index];
}

/* The first move of an exchange: what it wins, and the squares that become empty. Returns false if nothing is evaluated,
 * so that this is the value. */
SEEBATCH_SEE_INLINE bool seebatch_see_first(const seebatch_see_rules *rules, seebatch_see_move move, int *gain,
                                            uint64_t *gone)
{
    const int pawn = rules->value[SEEBATCH_SEE_PAWN];
    *gain = seebatch_see_value_of(rules, move.captured);
    *gone = seebatch_see_bit(move.from);
    if (move.promotion) {
        *gain = rules->promotion == SEEBATCH_SEE_PROMOTION_ZERO     ? 0
                : rules->promotion == SEEBATCH_SEE_PROMOTION_ALWAYS ? SEEBATCH_SEE_ALWAYS
                                                                    : *gain;
        if (rules->promotion != SEEBATCH_SEE_PROMOTION_EVALUATED)
            return false;
        if (rules->promotions != SEEBATCH_SEE_PROMOTE_NONE)
            *gain += rules->value[move.promotion & 7] - pawn;
    } else if (move.special == SEEBATCH_SEE_EN_PASSANT) {
        *gain = rules->en_passant == SEEBATCH_SEE_EN_PASSANT_ZERO     ? 0
                : rules->en_passant == SEEBATCH_SEE_EN_PASSANT_ALWAYS ? SEEBATCH_SEE_ALWAYS
                                                                      : pawn;
        if (rules->en_passant == SEEBATCH_SEE_EN_PASSANT_ZERO || rules->en_passant == SEEBATCH_SEE_EN_PASSANT_ALWAYS)
            return false;
        *gone |= rules->en_passant == SEEBATCH_SEE_EN_PASSANT_STANDING ? 0 : seebatch_see_bit(move.to ^ 8);
    } else if (move.special == SEEBATCH_SEE_CASTLING) {
        *gain = rules->castling == SEEBATCH_SEE_CASTLING_ZERO ? 0 : SEEBATCH_SEE_ALWAYS;
        return false;
    }
    return true;
}

/* The value of what stands on the to-square after it; a king's is 0. */
SEEBATCH_SEE_INLINE int seebatch_see_victim(const seebatch_see_rules *rules, seebatch_see_move move)
{
    return seebatch_see_value_of(
        rules, move.promotion && rules->promotions != SEEBATCH_SEE_PROMOTE_NONE ? move.promotion : move.piece);
}

/* Whether a pawn that recaptures on a square becomes a queen. */
SEEBATCH_SEE_INLINE bool seebatch_see_promotes(const seebatch_see_rules *rules, int to)
{
    return rules->promotions == SEEBATCH_SEE_PROMOTE_ALL && (to < 8 || to >= 56);
}

/* The pins of a board that says where they lie. */
SEEBATCH_SEE_INLINE seebatch_see_pins seebatch_see_pins_at(const seebatch_see_board *board)
{
    const size_t white = board->white;
    const seebatch_see_pins pins = {{board->blockers[white ^ 1], board->blockers[white]},
                                    {board->pinners[white], board->pinners[white ^ 1]}};
    return pins;
}

/* The exchange after it: the enemy is to capture. */
SEEBATCH_SEE_INLINE struct seebatch_see_exchange seebatch_see_after(const seebatch_see_rules *rules,
                                                                    const seebatch_see_board *board,
                                                                    const seebatch_see_pins *pins, int to,
                                                                    uint64_t gone)
{
    struct seebatch_see_exchange x = {board->types,
                                      board->enemy,
                                      board->own,
                                      board->occupied & ~(gone | seebatch_see_bit(to)),
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      to,
                                      seebatch_see_promotes(rules, to)};
    x.attackers = seebatch_see_all_attackers(&x, board->white ^ 1);
    if (rules->pins != SEEBATCH_SEE_PINS_IGNORED) {
        x.own_pinners = pins->pinners[1];
        x.enemy_pinners = pins->pinners[0];
        x.own_blockers = pins->blockers[1];
        x.enemy_blockers = pins->blockers[0];
        if (seebatch_see_is_ray(rules->pins) &&
            __builtin_expect(!!((pins->blockers[0] | pins->blockers[1]) & (x.attackers | seebatch_see_behind(&x))), 0))
            x.pinned = seebatch_see_pinned(rules, board, pins, to);
        if (seebatch_see_is_once(rules->pins))
            x.attackers &= ~x.pinned;
    }
    return x;
}

/* The same out of line, to its end. */
static __attribute__((noinline, unused)) int seebatch_see_resolve(const seebatch_see_rules *rules,
                                                                  const seebatch_see_board *board,
                                                                  const seebatch_see_pins *pins, int to, uint64_t gone,
                                                                  int gain, int victim, int alpha, int beta)
{
    seebatch_see_pins found = {{0, 0}, {0, 0}};
    if (rules->pins != SEEBATCH_SEE_PINS_IGNORED)
        found = pins ? *pins : board->blockers ? seebatch_see_pins_at(board) : seebatch_see_find_pins(rules, board);
    struct seebatch_see_exchange x = seebatch_see_after(rules, board, &found, to, gone);
    return -seebatch_see_swap_loop(rules, &x, -gain, victim, -beta, -alpha);
}

/* Whether the piece of that value, which captures, may be lost as well. need: as above; otherwise what it becomes for
 * the other side. */
SEEBATCH_SEE_INLINE bool seebatch_see_enough(int *need, int value)
{
    *need = value - *need + 1;
    return *need <= 0;
}

/* The loop with a threshold alone. allowed: the attackers of the side that is to capture, not none. Returns whether the
 * other side, which needs so much, gets it. */
SEEBATCH_SEE_INLINE bool seebatch_see_exchange_reaches(const seebatch_see_rules *rules, struct seebatch_see_exchange *x,
                                                       uint64_t allowed, int need)
{
    const int *value = rules->value;
    for (bool answer = false;; answer = !answer) { /* the answer if the side to capture has enough */
        uint64_t some;
        if ((some = allowed & x->types[0])) {
            if (seebatch_see_enough(&need, value[0]))
                return answer;
            seebatch_see_capture_by(x, some, true, false);
        } else if ((some = allowed & x->types[1])) {
            if (seebatch_see_enough(&need, value[1]))
                return answer;
            seebatch_see_capture_by(x, some, false, false);
        } else if ((some = allowed & x->types[2])) {
            if (seebatch_see_enough(&need, value[2]))
                return answer;
            seebatch_see_capture_by(x, some, true, false);
        } else if ((some = allowed & x->types[3])) {
            if (seebatch_see_enough(&need, value[3]))
                return answer;
            seebatch_see_capture_by(x, some, false, true);
        } else if ((some = allowed & x->types[4])) {
            if (seebatch_see_enough(&need, value[4]))
                return answer;
            seebatch_see_capture_by(x, some, true, true);
        } else {
            return seebatch_see_king_may_capture(rules->pins, x) ? answer : !answer;
        }
        seebatch_see_swap_sides(x);
        allowed = seebatch_see_allowed(rules->pins, x);
        if (!allowed)
            return answer; /* the other side had it already */
    }
}

/* Whether an exchange reaches the threshold. need: more than 0. */
SEEBATCH_SEE_INLINE bool seebatch_see_reaches(const seebatch_see_rules *rules, const seebatch_see_board *board,
                                              const seebatch_see_pins *pins, int to, uint64_t gone, int need)
{
    const int *value = rules->value;
    struct seebatch_see_exchange x = seebatch_see_after(rules, board, pins, to, gone);
    const uint64_t theirs = seebatch_see_allowed(rules->pins, &x);
    const uint64_t ours = (x.attackers | seebatch_see_behind(&x)) & x.enemy & x.occupied;
    const bool rise = value[0] <= value[2] && value[1] <= value[2];
    const uint64_t pawns = seebatch_see_if_less(value[0], need) & x.types[0];
    const uint64_t minors = rise ? seebatch_see_if_less(value[2], need) & (x.types[1] | x.types[2]) : 0;
    const uint64_t cheap = theirs & (pawns | minors), lesser = theirs < ours ? theirs : ours;
    /* One of the two is empty, or cheap is not: of disjoint sets the lesser is without bit 63, which c | -c has, but of 0.
     * Where conditions stood, gcc made three branches of them as soon as it had a profile. */
    if ((cheap | (0 - cheap)) >= lesser)
        return !theirs;
    return seebatch_see_exchange_reaches(rules, &x, theirs, need);
}

#ifdef SEEBATCH_SEE_CODE
/* ---- A mailbox ---------------------------------------------------------------------------------------------------

 * A table makes the bytes bits: white pawn, black pawn, the other types, black; nothing for an empty square.
 */
#ifdef SEEBATCH_SEE_CODE_MASK
enum { SEEBATCH_SEE_MASK = (SEEBATCH_SEE_CODE_MASK), SEEBATCH_SEE_MASKS = 1 };
#else
#define SEEBATCH_SEE_BOTH(type) ((SEEBATCH_SEE_CODE(type, 1)) | (SEEBATCH_SEE_CODE(type, 0)))
enum {
    SEEBATCH_SEE_ANY = SEEBATCH_SEE_BOTH(0) | SEEBATCH_SEE_BOTH(1) | SEEBATCH_SEE_BOTH(2) | SEEBATCH_SEE_BOTH(3) |
                       SEEBATCH_SEE_BOTH(4) | SEEBATCH_SEE_BOTH(5),
    SEEBATCH_SEE_MASK = SEEBATCH_SEE_ANY < 16   ? 15
                        : SEEBATCH_SEE_ANY < 32 ? 31
                        : SEEBATCH_SEE_ANY < 64 ? 63
                                                : 255,
    SEEBATCH_SEE_MASKS = 0
};
#endif
enum {
    SEEBATCH_SEE_SHIFT = __builtin_ctz(SEEBATCH_SEE_MASK),
    SEEBATCH_SEE_LAST = SEEBATCH_SEE_MASK >> SEEBATCH_SEE_SHIFT
};

#define SEEBATCH_SEE_IS(index, type, white)                                                                            \
    ((index) << SEEBATCH_SEE_SHIFT == ((SEEBATCH_SEE_CODE(type, white)) & SEEBATCH_SEE_MASK))
#define SEEBATCH_SEE_BIT(index, type, bit)                                                                             \
    (SEEBATCH_SEE_IS(index, type, 1) ? (bit) : SEEBATCH_SEE_IS(index, type, 0) ? 0x80 | ((type) ? (bit) : 2) : 0)
#define SEEBATCH_SEE_BITS(index)                                                                                       \
    SEEBATCH_SEE_BIT(index, 0, 1)                                                                                      \
    | SEEBATCH_SEE_BIT(index, 1, 4) | SEEBATCH_SEE_BIT(index, 2, 8) | SEEBATCH_SEE_BIT(index, 3, 0x10) |               \
        SEEBATCH_SEE_BIT(index, 4, 0x20) | SEEBATCH_SEE_BIT(index, 5, 0x40)
#define SEEBATCH_SEE_FOUR(index)                                                                                       \
    SEEBATCH_SEE_BITS(index), SEEBATCH_SEE_BITS((index) + 1), SEEBATCH_SEE_BITS((index) + 2),                          \
        SEEBATCH_SEE_BITS((index) + 3)
#define SEEBATCH_SEE_SIXTEEN(index)                                                                                    \
    SEEBATCH_SEE_FOUR(index), SEEBATCH_SEE_FOUR((index) + 4), SEEBATCH_SEE_FOUR((index) + 8),                          \
        SEEBATCH_SEE_FOUR((index) + 12)
#define SEEBATCH_SEE_ROW_OF(index) SEEBATCH_SEE_SIXTEEN(SEEBATCH_SEE_LAST < 16 ? (index)&15 : (index))
#define SEEBATCH_SEE_SIXTY_FOUR(index)                                                                                 \
    SEEBATCH_SEE_ROW_OF(index), SEEBATCH_SEE_ROW_OF((index) + 16), SEEBATCH_SEE_ROW_OF((index) + 32),                  \
        SEEBATCH_SEE_ROW_OF((index) + 48)
/* The bits of each code; of small ones again and again, for every lane of 128 bits. */
static const uint8_t seebatch_see_bits[256]
    __attribute__((aligned(64), unused)) = {SEEBATCH_SEE_SIXTY_FOUR(0), SEEBATCH_SEE_SIXTY_FOUR(64),
                                            SEEBATCH_SEE_SIXTY_FOUR(128), SEEBATCH_SEE_SIXTY_FOUR(192)};

#ifdef SEEBATCH_SEE_LANES
/* ---- All squares at once ---------------------------------------------------------------------------------------- */

/* A byte for each square: one vector, or two halves of the board. */
#if SEEBATCH_SEE_LANES == 64
typedef __m512i seebatch_see_vector;
#define SEEBATCH_SEE_V(operation) _mm512_##operation
#else
typedef __m256i seebatch_see_vector;
#define SEEBATCH_SEE_V(operation) _mm256_##operation
#endif
enum { SEEBATCH_SEE_VECTORS = 64 / SEEBATCH_SEE_LANES };

/* Whether that is quicker than bitboards, if the engine has both. */
#if defined(__AVX512VBMI__) && defined(__AVX512BITALG__) && SEEBATCH_SEE_LANES == 64
enum { SEEBATCH_SEE_QUICKER = 1 };
#else
enum { SEEBATCH_SEE_QUICKER = 0 };
#endif

typedef struct seebatch_see_bytes {
    seebatch_see_vector v[SEEBATCH_SEE_VECTORS];
} seebatch_see_bytes;

SEEBATCH_SEE_INLINE seebatch_see_bytes seebatch_see_load(const void *bytes)
{
    seebatch_see_bytes all;
    memcpy(&all, bytes, sizeof all);
    return all;
}

SEEBATCH_SEE_INLINE seebatch_see_vector seebatch_see_splat(int byte)
{
    return SEEBATCH_SEE_V(set1_epi8)(SEEBATCH_SEE_CAST(char, byte));
}

/* Sixteen bytes in every lane of 128 bits. */
SEEBATCH_SEE_INLINE seebatch_see_vector seebatch_see_sixteen(const void *bytes)
{
    __m128i sixteen;
    memcpy(&sixteen, bytes, sizeof sixteen);
#if SEEBATCH_SEE_LANES == 64
    return _mm512_maskz_broadcast_i32x4(0xffff, sixteen); /* without a mask g++ warns of what is undefined behind it */
#else
    return _mm256_broadcastsi128_si256(sixteen);
#endif
}

/* The bytes that have one of some bits, as a number. */
SEEBATCH_SEE_INLINE uint64_t seebatch_see_test(seebatch_see_bytes bytes, seebatch_see_bytes bits)
{
#if SEEBATCH_SEE_LANES == 64
    uint64_t which = _cvtmask64_u64(_mm512_test_epi8_mask(bytes.v[0], bits.v[0]));
    __asm__("" : "+r"(which)); /* gcc would leave it in a mask register, and fetch it from there for each use */
#else
    const __m256i none = _mm256_setzero_si256();
    const int low = _mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes.v[0] & bits.v[0], none)),
              high = _mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes.v[1] & bits.v[1], none));
    const uint64_t which = ~(SEEBATCH_SEE_CAST(unsigned, low) | SEEBATCH_SEE_CAST(uint64_t, high) << 32);
#endif
    return which;
}

SEEBATCH_SEE_INLINE uint64_t seebatch_see_which(seebatch_see_bytes bytes, int bits)
{
    seebatch_see_bytes all;
    for (int i = 0; i < SEEBATCH_SEE_VECTORS; i++)
        all.v[i] = seebatch_see_splat(bits);
    return seebatch_see_test(bytes, all);
}

/* Those with the highest bit. */
SEEBATCH_SEE_INLINE uint64_t seebatch_see_highest(seebatch_see_bytes bytes)
{
#if SEEBATCH_SEE_LANES == 64
    uint64_t which = _cvtmask64_u64(_mm512_movepi8_mask(bytes.v[0]));
    __asm__("" : "+r"(which));
    return which;
#else
    const int low = _mm256_movemask_epi8(bytes.v[0]), high = _mm256_movemask_epi8(bytes.v[1]);
    return SEEBATCH_SEE_CAST(unsigned, low) | SEEBATCH_SEE_CAST(uint64_t, high) << 32;
#endif
}

/* The bits of codes. */
SEEBATCH_SEE_INLINE seebatch_see_bytes seebatch_see_bits_of(seebatch_see_bytes codes)
{
    seebatch_see_bytes bits;
    for (int i = 0; i < SEEBATCH_SEE_VECTORS; i++) {
        seebatch_see_vector v = codes.v[i];
        if (SEEBATCH_SEE_MASKS || SEEBATCH_SEE_LAST == 255)
            v = SEEBATCH_SEE_V(srli_epi16)(v, SEEBATCH_SEE_SHIFT) & seebatch_see_splat(SEEBATCH_SEE_LAST);
        if (SEEBATCH_SEE_LAST < 16) {
            bits.v[i] = SEEBATCH_SEE_V(shuffle_epi8)(seebatch_see_load(seebatch_see_bits).v[i], v);
            continue;
        }
#if SEEBATCH_SEE_LANES == 64 && defined(__AVX512VBMI__)
        if (SEEBATCH_SEE_LAST < 64) {
            bits.v[i] = _mm512_maskz_permutexvar_epi8(~UINT64_C(0), v, seebatch_see_load(seebatch_see_bits).v[0]);
            continue;
        }
#endif
        bits.v[i] = seebatch_see_splat(0);
        for (int block = 0; block <= SEEBATCH_SEE_LAST; block += 16) {
            /* beyond the block's sixteen codes the highest bit is set, which makes it 0 */
            const seebatch_see_vector index =
                SEEBATCH_SEE_V(adds_epu8)(v ^ seebatch_see_splat(block), seebatch_see_splat(0x70));
            bits.v[i] |= SEEBATCH_SEE_V(shuffle_epi8)(seebatch_see_sixteen(seebatch_see_bits + block), index);
        }
    }
    return bits;
}

/* The bytes of a mailbox on these squares, from 0 to 63. */
SEEBATCH_SEE_INLINE seebatch_see_bytes seebatch_see_codes_on(const void *mailbox, seebatch_see_bytes squares)
{
    seebatch_see_bytes codes;
#if SEEBATCH_SEE_LANES == 64 && defined(__AVX512VBMI__)
    codes.v[0] = _mm512_maskz_permutexvar_epi8(~UINT64_C(0), squares.v[0], seebatch_see_load(mailbox).v[0]);
#else
    const char *board = SEEBATCH_SEE_CAST(const char *, mailbox);
    const seebatch_see_vector a = seebatch_see_sixteen(board), b = seebatch_see_sixteen(board + 16),
                              c = seebatch_see_sixteen(board + 32), d = seebatch_see_sixteen(board + 48);
    for (int i = 0; i < SEEBATCH_SEE_VECTORS; i++) {
        const seebatch_see_vector square = squares.v[i];
#if SEEBATCH_SEE_LANES == 64
        const __mmask64 odd = _mm512_test_epi8_mask(square, _mm512_set1_epi8(16)),
                        upper = _mm512_test_epi8_mask(square, _mm512_set1_epi8(32));
        const __m512i low = _mm512_mask_shuffle_epi8(_mm512_shuffle_epi8(a, square), odd, b, square),
                      high = _mm512_mask_shuffle_epi8(_mm512_shuffle_epi8(c, square), odd, d, square);
        codes.v[i] = _mm512_mask_blend_epi8(upper, low, high);
#else
        const __m256i odd = _mm256_slli_epi16(square, 3), upper = _mm256_slli_epi16(square, 2);
        const __m256i low = _mm256_blendv_epi8(_mm256_shuffle_epi8(a, square), _mm256_shuffle_epi8(b, square), odd);
        const __m256i high = _mm256_blendv_epi8(_mm256_shuffle_epi8(c, square), _mm256_shuffle_epi8(d, square), odd);
        codes.v[i] = _mm256_blendv_epi8(low, high, upper);
#endif
    }
#endif
    return codes;
}

/* Which of some squares, each from 0 to 63, are in a bitboard. */
SEEBATCH_SEE_INLINE uint64_t seebatch_see_among(seebatch_see_bytes squares, uint64_t bitboard)
{
#if SEEBATCH_SEE_LANES == 64 && defined(__AVX512BITALG__)
    const __m512i all = _mm512_set1_epi64(SEEBATCH_SEE_CAST(long long, bitboard));
    uint64_t among = _cvtmask64_u64(_mm512_bitshuffle_epi64_mask(all, squares.v[0]));
    __asm__("" : "+r"(among));
    return among;
#else
    static const uint8_t bit[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint64_t twice[2] = {bitboard, bitboard};
    seebatch_see_bytes rows, bits;
    for (int i = 0; i < SEEBATCH_SEE_VECTORS; i++) {
        const seebatch_see_vector row = SEEBATCH_SEE_V(srli_epi16)(squares.v[i], 3) & seebatch_see_splat(7);
        rows.v[i] = SEEBATCH_SEE_V(shuffle_epi8)(seebatch_see_sixteen(twice), row);
        bits.v[i] = SEEBATCH_SEE_V(shuffle_epi8)(seebatch_see_sixteen(bit), squares.v[i]);
    }
    return seebatch_see_test(rows, bits);
#endif
}
#endif

#ifdef SEEBATCH_SEE_SSE2
/* The squares of a mailbox that have a code; of sixteen of them. */
SEEBATCH_SEE_INLINE uint64_t seebatch_see_sixteen_with(const char *bytes, int code)
{
    __m128i sixteen;
    memcpy(&sixteen, bytes, sizeof sixteen);
    sixteen = sixteen & _mm_set1_epi8(SEEBATCH_SEE_CAST(char, SEEBATCH_SEE_MASK));
    const __m128i wanted = _mm_set1_epi8(SEEBATCH_SEE_CAST(char, code &SEEBATCH_SEE_MASK));
    return SEEBATCH_SEE_CAST(unsigned, _mm_movemask_epi8(_mm_cmpeq_epi8(sixteen, wanted)));
}

SEEBATCH_SEE_INLINE uint64_t seebatch_see_squares_with(const void *mailbox, int code)
{
    const char *board = SEEBATCH_SEE_CAST(const char *, mailbox);
    return seebatch_see_sixteen_with(board, code) | seebatch_see_sixteen_with(board + 16, code) << 16 |
           seebatch_see_sixteen_with(board + 32, code) << 32 | seebatch_see_sixteen_with(board + 48, code) << 48;
}
#define SEEBATCH_SEE_TAKE(type)                                                                                        \
    types[type] = seebatch_see_squares_with(mailbox, SEEBATCH_SEE_CODE(type, 0));                                      \
    colors[1] |= types[type];                                                                                          \
    types[type] |= seebatch_see_squares_with(mailbox, SEEBATCH_SEE_CODE(type, 1))
#endif

/* Bitboards of types and of white and black. For an engine, too: that is how a position of the library is made. */
SEEBATCH_SEE_INLINE void seebatch_see_bitboards_of(const void *mailbox, uint64_t types[6], uint64_t colors[2])
{
#ifdef SEEBATCH_SEE_LANES
    const seebatch_see_bytes bits = seebatch_see_bits_of(seebatch_see_load(mailbox));
    types[0] = seebatch_see_which(bits, 3);
    for (int type = SEEBATCH_SEE_KNIGHT; type <= SEEBATCH_SEE_KING; type++)
        types[type] = seebatch_see_which(bits, 2 << type);
    colors[1] = seebatch_see_highest(bits);
#elif defined(SEEBATCH_SEE_SSE2)
    colors[1] = 0;
    SEEBATCH_SEE_TAKE(0);
    SEEBATCH_SEE_TAKE(1);
    SEEBATCH_SEE_TAKE(2);
    SEEBATCH_SEE_TAKE(3);
    SEEBATCH_SEE_TAKE(4);
    SEEBATCH_SEE_TAKE(5);
#else
    const uint8_t *codes = SEEBATCH_SEE_CAST(const uint8_t *, mailbox);
    uint64_t sets[8] = {0, 0, 0, 0, 0, 0, 0, 0}; /* each has a bit of the bits */
    for (int row = 0; row < 64; row += 8) {
        uint64_t bits = 0;
        for (int file = 0; file < 8; file++) {
            const int index = (codes[row + file] & SEEBATCH_SEE_MASK) >> SEEBATCH_SEE_SHIFT;
            bits |= SEEBATCH_SEE_CAST(uint64_t, seebatch_see_bits[index]) << 8 * file;
        }
        for (int i = 0; i < 8; i++) /* the multiplication moves a bit of each byte into the highest one */
            sets[i] |= ((bits >> i & SEEBATCH_SEE_FILE_A) * UINT64_C(0x0102040810204080) >> 56) << row;
    }
    types[0] = sets[0] | sets[1];
    for (int type = SEEBATCH_SEE_KNIGHT; type <= SEEBATCH_SEE_KING; type++)
        types[type] = sets[type + 1];
    colors[1] = sets[7];
#endif
    colors[0] = (types[0] | types[1] | types[2] | types[3] | types[4] | types[5]) & ~colors[1];
}

/* seebatch_see_resolve() for a board that is nothing but a mailbox. */
static __attribute__((noinline, unused)) int seebatch_see_resolve_mailbox(const seebatch_see_rules *rules,
                                                                          const seebatch_see_board *board,
                                                                          const seebatch_see_pins *pins, int to,
                                                                          uint64_t gone, int gain, int victim,
                                                                          int alpha, int beta)
{
    uint64_t types[6], colors[2];
    seebatch_see_bitboards_of(board->mailbox, types, colors);
    const bool white = board->white;
    seebatch_see_board whole = seebatch_see_board_of(types, colors[!white], colors[white], white);
    whole.blockers = board->blockers;
    whole.pinners = board->pinners;
    return seebatch_see_resolve(rules, &whole, pins, to, gone, gain, victim, alpha, beta);
}
#endif

#ifdef SEEBATCH_SEE_LANES
/* ---- The decision from a mailbox --------------------------------------------------------------------------------

 * All pieces come in the order of rays. Seen from a square 64 others matter: seven on each of eight rays, and eight
 * knight's jumps. A few instructions bring the whole mailbox into that order, one with AVX512-VBMI. A set is eight
 * bytes then, a ray each, the nearest square in bit 0, and in bit 7 a jump:
 *
 *     byte   0     1     2     3     4     5     6     7
 *     ray    SW    S     SE    W     E     NW    N     NE
 *     jump  -17   -15   -10    -6    +6   +10   +15   +17   (squares)
 *
 * So the nearest pieces on all rays take one subtraction, of 1 from each byte; bit 7 being set, no byte borrows from
 * the next.
 */
#define SEEBATCH_SEE_ON(f, r, x, y)                                                                                    \
    ((f) + (x) >= 0 && (f) + (x) < 8 && (r) + (y) >= 0 && (r) + (y) < 8 ? ((f) + (x) + 8 * ((r) + (y))) & 63           \
                                                                        : (f) + 8 * (r))
#define SEEBATCH_SEE_RAY(f, r, x, y, jump_x, jump_y)                                                                   \
    SEEBATCH_SEE_ON(f, r, x, y), SEEBATCH_SEE_ON(f, r, 2 * (x), 2 * (y)), SEEBATCH_SEE_ON(f, r, 3 * (x), 3 * (y)),     \
        SEEBATCH_SEE_ON(f, r, 4 * (x), 4 * (y)), SEEBATCH_SEE_ON(f, r, 5 * (x), 5 * (y)),                              \
        SEEBATCH_SEE_ON(f, r, 6 * (x), 6 * (y)), SEEBATCH_SEE_ON(f, r, 7 * (x), 7 * (y)),                              \
        SEEBATCH_SEE_ON(f, r, jump_x, jump_y)
#define SEEBATCH_SEE_RAYS(f, r)                                                                                        \
    {                                                                                                                  \
        SEEBATCH_SEE_RAY(f, r, -1, -1, -1, -2), SEEBATCH_SEE_RAY(f, r, 0, -1, 1, -2),                                  \
            SEEBATCH_SEE_RAY(f, r, 1, -1, -2, -1), SEEBATCH_SEE_RAY(f, r, -1, 0, 2, -1),                               \
            SEEBATCH_SEE_RAY(f, r, 1, 0, -2, 1), SEEBATCH_SEE_RAY(f, r, -1, 1, 2, 1),                                  \
            SEEBATCH_SEE_RAY(f, r, 0, 1, -1, 2), SEEBATCH_SEE_RAY(f, r, 1, 1, 1, 2)                                    \
    }
#define SEEBATCH_SEE_RAYS_OF_RANK(r)                                                                                   \
    SEEBATCH_SEE_RAYS(0, r), SEEBATCH_SEE_RAYS(1, r), SEEBATCH_SEE_RAYS(2, r), SEEBATCH_SEE_RAYS(3, r),                \
        SEEBATCH_SEE_RAYS(4, r), SEEBATCH_SEE_RAYS(5, r), SEEBATCH_SEE_RAYS(6, r), SEEBATCH_SEE_RAYS(7, r)

/* The square of each bit; beyond the board the to-square, which never counts as occupied. */
static const uint8_t seebatch_see_rays[64][64] __attribute__((aligned(64), unused)) = {
    SEEBATCH_SEE_RAYS_OF_RANK(0), SEEBATCH_SEE_RAYS_OF_RANK(1), SEEBATCH_SEE_RAYS_OF_RANK(2),
    SEEBATCH_SEE_RAYS_OF_RANK(3), SEEBATCH_SEE_RAYS_OF_RANK(4), SEEBATCH_SEE_RAYS_OF_RANK(5),
    SEEBATCH_SEE_RAYS_OF_RANK(6), SEEBATCH_SEE_RAYS_OF_RANK(7)};

#define SEEBATCH_SEE_NEXT UINT64_C(0x0101010101010101) /* the nearest square of each ray */
#define SEEBATCH_SEE_JUMPS UINT64_C(0x8080808080808080)

/* The pieces that attack from each square of a ray, pawns from the nearest only, and from the jump. */
#define SEEBATCH_SEE_REACH_DIAGONAL(pawn) 0x68 | (pawn), 0x28, 0x28, 0x28, 0x28, 0x28, 0x28, 4
#define SEEBATCH_SEE_REACH_LINE 0x70, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 4
static const uint8_t seebatch_see_reach[64] __attribute__((aligned(64), unused)) = {
    SEEBATCH_SEE_REACH_DIAGONAL(1), SEEBATCH_SEE_REACH_LINE,       SEEBATCH_SEE_REACH_DIAGONAL(1),
    SEEBATCH_SEE_REACH_LINE,        SEEBATCH_SEE_REACH_LINE,       SEEBATCH_SEE_REACH_DIAGONAL(2),
    SEEBATCH_SEE_REACH_LINE,        SEEBATCH_SEE_REACH_DIAGONAL(2)};

/* The pieces that stand on rays, less those of one or two squares. */
SEEBATCH_SEE_INLINE uint64_t seebatch_see_occupied_on(seebatch_see_bytes bits, seebatch_see_bytes rays, int to,
                                                      uint64_t gone)
{
#if SEEBATCH_SEE_LANES == 64 && defined(__AVX512BITALG__)
    return seebatch_see_test(bits, bits) & ~seebatch_see_among(rays, gone | seebatch_see_bit(to));
#else
    const int low = __builtin_ctzll(gone), high = 63 - __builtin_clzll(gone);
    for (int i = 0; i < SEEBATCH_SEE_VECTORS; i++) {
#if SEEBATCH_SEE_LANES == 64
        __mmask64 left = _mm512_cmpneq_epi8_mask(rays.v[i], seebatch_see_splat(to));
        left = _mm512_mask_cmpneq_epi8_mask(left, rays.v[i], seebatch_see_splat(low));
        left = _mm512_mask_cmpneq_epi8_mask(left, rays.v[i], seebatch_see_splat(high));
        bits.v[i] = _mm512_maskz_mov_epi8(left, bits.v[i]);
#else
        const __m256i taken = _mm256_cmpeq_epi8(rays.v[i], seebatch_see_splat(to)) |
                              _mm256_cmpeq_epi8(rays.v[i], seebatch_see_splat(low)) |
                              _mm256_cmpeq_epi8(rays.v[i], seebatch_see_splat(high));
        bits.v[i] = _mm256_andnot_si256(taken, bits.v[i]);
#endif
    }
    return seebatch_see_test(bits, bits);
#endif
}

/* The nearest pieces on all rays, and some jumps. */
SEEBATCH_SEE_INLINE uint64_t seebatch_see_nearest(uint64_t occupied)
{
    const uint64_t ending = occupied | SEEBATCH_SEE_JUMPS;
    return ending & ~(ending - SEEBATCH_SEE_NEXT);
}

/* What stands on the rays of a square. */
struct seebatch_see_around {
    uint64_t occupied, reach; /* reach: the pieces that attack the square if nothing is in between */
    uint64_t enemy;           /* the side that captures first; and more squares */
    int to;
};

SEEBATCH_SEE_INLINE uint64_t seebatch_see_attackers_on(const struct seebatch_see_around *a, uint64_t occupied)
{
    return (seebatch_see_nearest(occupied) | SEEBATCH_SEE_JUMPS) & (occupied & a->reach);
}

/* Pieces of a type, pawn to queen; of attackers, knights are those that jump. */
SEEBATCH_SEE_INLINE uint64_t seebatch_see_of_type(seebatch_see_bytes bits, int type)
{
    return type == SEEBATCH_SEE_KNIGHT ? SEEBATCH_SEE_JUMPS : seebatch_see_which(bits, type ? 2 << type : 3);
}

enum { SEEBATCH_SEE_OPEN = 2 };

/* What a king counts, and nobody, as the least valuable of ours; of theirs they count twice as much. Their king
 * captures only where nobody of ours attacks, so he counts more than everything; nobody counts more still. */
enum { SEEBATCH_SEE_KING_VALUE = 1 << 14, SEEBATCH_SEE_NOBODY = 1 << 16 };

/* What follows from the least valuable of theirs and of ours. Nobody is pinned, and there is one of theirs. */
SEEBATCH_SEE_INLINE int seebatch_see_decide_at(const seebatch_see_rules *rules, seebatch_see_bytes bits,
                                               uint64_t theirs, uint64_t ours, uint64_t behind, uint64_t ours_behind,
                                               int need)
{
    const int *v = rules->value;
    const bool rise = v[0] <= v[1] && v[1] <= v[2] && v[2] <= v[3] && v[3] <= v[4];
    int w = 2 * SEEBATCH_SEE_KING_VALUE, u = SEEBATCH_SEE_KING_VALUE + seebatch_see_opaque(!ours) * SEEBATCH_SEE_NOBODY;
    for (int type = SEEBATCH_SEE_QUEEN; type >= SEEBATCH_SEE_PAWN; type--) {
        const uint64_t those = seebatch_see_of_type(bits, type);
        w = theirs & those ? v[type] : w;
        u = ours & those ? v[type] : u;
    }
    __asm__("" : "+r"(w), "+r"(u));
    const int left = w - need, nobody = u & SEEBATCH_SEE_NOBODY;
    const uint64_t several_theirs = theirs & (theirs - 1), several_ours = ours & (ours - 1);
    if (!rise) /* who joins may come first, and be worth more */
        u |= ours_behind ? SEEBATCH_SEE_CAST(int, SEEBATCH_SEE_NOBODY) : 0;
    const int yes = seebatch_see_opaque((several_theirs | behind ? u : nobody) <= left);
    const int last = seebatch_see_opaque(!(several_ours | (nobody ? ours_behind : behind)));
    return __builtin_expect(yes | last | (left < 0), 1) ? yes : SEEBATCH_SEE_OPEN;
}

/* The lowest square of several, as its bit on the rays. */
static __attribute__((noinline, unused)) uint64_t seebatch_see_lowest_of(int to, uint64_t several)
{
    int lowest = 64;
    uint64_t bit = 0;
    for (; several; several &= several - 1) {
        const int square = seebatch_see_rays[to][__builtin_ctzll(several)];
        if (square < lowest) {
            lowest = square;
            bit = several & (0 - several);
        }
    }
    return bit;
}

/* The loop of seebatch_see_exchange_reaches() on rays. Nobody is pinned, and there is one of theirs. */
SEEBATCH_SEE_INLINE bool seebatch_see_loop_on(const seebatch_see_rules *rules, const struct seebatch_see_around *a,
                                              seebatch_see_bytes bits, int need)
{
    const int *v = rules->value;
    uint64_t types[5];
    for (int type = SEEBATCH_SEE_PAWN; type <= SEEBATCH_SEE_QUEEN; type++)
        types[type] = seebatch_see_of_type(bits, type);
    uint64_t occupied = a->occupied, side = a->enemy, attackers = seebatch_see_attackers_on(a, occupied);
    for (bool answer = false;; answer = !answer, side = ~side) {
        uint64_t candidates = attackers & side;
        if (!candidates)
            return !answer; /* the other side had it already */
        int value = SEEBATCH_SEE_KING_VALUE;
        uint64_t those = candidates;
        for (int type = SEEBATCH_SEE_QUEEN; type >= SEEBATCH_SEE_PAWN; type--) {
            const uint64_t some = candidates & types[type];
            those = some ? some : those;
            value = some ? v[type] : value;
        }
        if (value == SEEBATCH_SEE_KING_VALUE)
            return seebatch_see_attackers_on(a, occupied & ~those) & ~side ? !answer : answer;
        if (seebatch_see_enough(&need, value))
            return answer;
        if (those & (those - 1) & ~SEEBATCH_SEE_JUMPS)
            those = seebatch_see_lowest_of(a->to, those);
        occupied ^= those & (0 - those);
        attackers = seebatch_see_attackers_on(a, occupied);
    }
}

/* What is left open, from bitboards. */
static __attribute__((noinline, unused)) bool seebatch_see_resolve_at(const seebatch_see_rules *rules,
                                                                      const uint64_t *types, const uint64_t *colors,
                                                                      const uint64_t *blockers, const uint64_t *pinners,
                                                                      int to_white, uint64_t gone, int gain, int victim)
{
    const bool white = to_white >> 6;
    seebatch_see_board board = seebatch_see_board_of(types, colors[!white], colors[white], white);
    board.blockers = blockers;
    board.pinners = pinners;
    return seebatch_see_resolve(rules, &board, NULL, to_white & 63, gone, gain, victim, -1, 0) >= 0;
}

/* The same without them. */
static __attribute__((noinline, unused)) bool seebatch_see_resolve_from(const seebatch_see_rules *rules,
                                                                        const void *mailbox, const uint64_t *blockers,
                                                                        const uint64_t *pinners, int to_white,
                                                                        uint64_t gone, int gain, int victim)
{
    uint64_t types[6], colors[2];
    seebatch_see_bitboards_of(mailbox, types, colors);
    return seebatch_see_resolve_at(rules, types, colors, blockers, pinners, to_white, gone, gain, victim);
}

/* Whether an exchange comes out at 0 or more, if the first move is ahead by so much, less than the victim's value. */
SEEBATCH_SEE_INLINE bool seebatch_see_reaches_at(const seebatch_see_rules *rules, const seebatch_see_board *board,
                                                 int to, uint64_t gone, int ahead, int victim)
{
    const seebatch_see_bytes rays = seebatch_see_load(seebatch_see_rays[to]);
    const seebatch_see_bytes bits = seebatch_see_bits_of(seebatch_see_codes_on(board->mailbox, rays));
    const uint64_t *colors = board->colors, *blockers = board->blockers;
    struct seebatch_see_around a;
    a.to = to;
    a.occupied = colors ? seebatch_see_among(rays, (colors[0] | colors[1]) & ~(gone | seebatch_see_bit(to)))
                        : seebatch_see_occupied_on(bits, rays, to, gone);
    a.reach = seebatch_see_test(bits, seebatch_see_load(seebatch_see_reach));
    a.enemy = seebatch_see_highest(bits) ^ (SEEBATCH_SEE_CAST(uint64_t, board->white) - 1);
    const uint64_t attackers = seebatch_see_attackers_on(&a, a.occupied);
    if (!(attackers & a.enemy))
        return true;
    uint64_t pinned = 0; /* on the rays */
    if (rules->pins) {
        pinned = colors ? seebatch_see_pinned_before(rules, blockers[0], colors[0]) |
                              seebatch_see_pinned_before(rules, blockers[1], colors[1])
                        : blockers[0] | blockers[1];
        pinned = pinned ? seebatch_see_among(rays, pinned) & a.reach & a.occupied : 0;
    }
    if (!(pinned & attackers)) {
        const uint64_t others = a.occupied & ~attackers;
        const uint64_t behind = seebatch_see_nearest(others) & others & a.reach;
        if (!((attackers | behind) & ~a.enemy))
            return false;
        const int answer = seebatch_see_decide_at(rules, bits, attackers & a.enemy, attackers & ~a.enemy, behind,
                                                  behind & ~a.enemy, victim - ahead);
        if (answer != SEEBATCH_SEE_OPEN)
            return answer;
        if (!board->types && !pinned)
            return seebatch_see_loop_on(rules, &a, bits, victim - ahead);
    }
    const int to_white = to | SEEBATCH_SEE_CAST(int, board->white) << 6;
    if (!board->types)
        return seebatch_see_resolve_from(rules, board->mailbox, blockers, board->pinners, to_white, gone, ahead,
                                         victim);
    return seebatch_see_resolve_at(rules, board->types, colors, blockers, board->pinners, to_white, gone, ahead,
                                   victim);
}
#endif

/* The value of a move: what seebatch_value() says. pins: NULL for those of the board, if it has any; otherwise they are
 * found if the rules need them. */
SEEBATCH_SEE_INLINE int seebatch_see_value(const seebatch_see_rules *rules, const seebatch_see_board *board,
                                           const seebatch_see_pins *pins, seebatch_see_move move)
{
    int gain;
    uint64_t gone;
    if (!seebatch_see_first(rules, move, &gain, &gone) || move.piece == SEEBATCH_SEE_KING ||
        !((gone | seebatch_see_bit(move.to)) & board->attacked))
        return gain;
    const int victim = seebatch_see_victim(rules, move);
#ifdef SEEBATCH_SEE_CODE
    if (!board->types)
        return seebatch_see_resolve_mailbox(rules, board, pins, move.to, gone, gain, victim, -20000, 20000);
#endif
    return seebatch_see_resolve(rules, board, pins, move.to, gone, gain, victim, -20000, 20000);
}

/* Whether a move's value reaches the threshold, any int: what seebatch_ge() says. pins: as above. */
SEEBATCH_SEE_INLINE bool seebatch_see_ge(const seebatch_see_rules *rules, const seebatch_see_board *board,
                                         const seebatch_see_pins *pins, seebatch_see_move move, int threshold)
{
    int gain;
    uint64_t gone;
    const bool recapture = seebatch_see_first(rules, move, &gain, &gone);
    if (gain < threshold)
        return false; /* the other side can stop, so it is never more */
    const bool last_rank = seebatch_see_promotes(rules, move.to);
    const int victim = seebatch_see_victim(rules, move);
    const unsigned ahead = SEEBATCH_SEE_CAST(unsigned, gain) - SEEBATCH_SEE_CAST(unsigned, threshold);
    if (!recapture || (last_rank ? move.piece == SEEBATCH_SEE_KING || threshold <= -20000
                                 : ahead >= SEEBATCH_SEE_CAST(unsigned, victim)))
        return true; /* good enough, even if the piece is lost for nothing; no value is below -20000 */
    if (!((gone | seebatch_see_bit(move.to)) & board->attacked))
        return true;
#ifdef SEEBATCH_SEE_LANES
    if (board->mailbox && (SEEBATCH_SEE_QUICKER || !board->types) && !last_rank &&
        (rules->pins == SEEBATCH_SEE_PINS_IGNORED || (!pins && board->blockers)))
        return seebatch_see_reaches_at(rules, board, move.to, gone, SEEBATCH_SEE_CAST(int, ahead), victim);
#endif
#ifdef SEEBATCH_SEE_CODE
    if (!board->types)
        return seebatch_see_resolve_mailbox(rules, board, pins, move.to, gone, gain, victim, threshold - 1,
                                            threshold) >= threshold;
#endif
    seebatch_see_pins found;
    if (rules->pins != SEEBATCH_SEE_PINS_IGNORED && !pins && board->blockers) {
        found = seebatch_see_pins_at(board);
        pins = &found;
    }
    if (last_rank || (rules->pins != SEEBATCH_SEE_PINS_IGNORED && !pins))
        return seebatch_see_resolve(rules, board, pins, move.to, gone, gain, victim, threshold - 1, threshold) >=
               threshold;
    return seebatch_see_reaches(rules, board, pins, move.to, gone, victim - SEEBATCH_SEE_CAST(int, ahead));
}

#endif

/*
 * MIT License
 *
 * Copyright (c) 2026 the seebatch authors
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy
 * of this software and associated documentation files (the "Software"), to deal
 * in the Software without restriction, including without limitation the rights
 * to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
 * copies of the Software, and to permit persons to whom the Software is
 * furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all
 * copies or substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 * FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
 * AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
 * LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
 * OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
 * SOFTWARE.
 */
