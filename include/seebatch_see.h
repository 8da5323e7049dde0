/* SPDX-License-Identifier: MIT. Copyright (c) 2026 the seebatch authors.
 * Version 1.0.0; the licence is at the end of this file. */
/*
 * seebatch_see.h: the static exchange evaluation (SEE) of one move, on an engine's own bitboards.
 *
 * This header is all that is needed. There is nothing to link, and it compiles as C11 and C++17 with gcc and clang. The
 * rules and the piece values are constants, so the compiler removes everything that they do not need. The answers are
 * those of the seebatch library, bit for bit.
 *
 *     static const seebatch_see_rules rules = {{100, 450, 450, 675, 1300}, SEEBATCH_SEE_RULES_ETHEREAL};
 *
 *     bool see_ge(const Board *b, int from, int to, int threshold)
 *     {
 *         const seebatch_see_board board = {b->types, b->colors, b->stm, NULL};
 *         const seebatch_see_move move = {from, to, type_on(b, from), type_on(b, to), 0, SEEBATCH_SEE_NORMAL};
 *         return seebatch_see_ge(&rules, &board, NULL, move, threshold);
 *     }
 *
 * Before the #include, define those of the following macros for which the engine has tables. The header computes the
 * other attacks by arithmetic.
 *
 *     SEEBATCH_SEE_PAWN_ATTACKS(color, square)       the squares that a pawn of that color attacks
 *     SEEBATCH_SEE_KNIGHT_ATTACKS(square)
 *     SEEBATCH_SEE_BISHOP_ATTACKS(square, occupied)
 *     SEEBATCH_SEE_ROOK_ATTACKS(square, occupied)
 *     SEEBATCH_SEE_KING_ATTACKS(square)
 *
 * Colors are the engine's own numbers, 0 and 1. Squares are numbered from 0 to 63, rank by rank, and square 0 may be a1
 * or a8. The pawns of color 0 capture towards higher squares; if in your engine the pawns of color 1 do, define
 * SEEBATCH_SEE_UP as 1. Of several pieces of one type, the one on the lowest square captures first.
 *
 * Run your bench once with SEEBATCH_SEE_CHECK defined. Every call then checks its arguments against each other and
 * against the board, and the first call also compares the attack functions with the header's own. A mistake ends the
 * program with a sentence that names the field, its value and what was expected. Without the macro there are no checks,
 * except that the compiler refuses constant piece values and rules that are out of range.
 *
 * All functions may be called from several threads, keep no state, and allocate no memory. They are inlined into the
 * function that calls them, so write one such function for each rule set. docs/engine.md shows how to find the rules
 * that an engine follows, how to check them, and how to measure the gain. seebatch_see_mailbox.h is for boards that
 * keep a byte for each square.
 */
#ifndef SEEBATCH_SEE_H
#define SEEBATCH_SEE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Kinds of moves. */
enum { SEEBATCH_SEE_NORMAL = 0, SEEBATCH_SEE_EN_PASSANT = 1, SEEBATCH_SEE_CASTLING = 2 };

/* The values of the fields of rules. They are those of seebatch_rules in the library, with the same numbers;
 * docs/semantics.md defines them. */
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
/* The values of each field as a set, for checks: bit k for the value k. */
enum {
    SEEBATCH_SEE_KNOWN_PINS = 0xf7,
    SEEBATCH_SEE_KNOWN_PROMOTIONS = 0x7,
    SEEBATCH_SEE_KNOWN_PROMOTION = 0x7,
    SEEBATCH_SEE_KNOWN_EN_PASSANT = 0xf,
    SEEBATCH_SEE_KNOWN_CASTLING = 0x3
};
/* Up to here by scripts/manual. */

/* The value of a first move that the rules let pass at any threshold. As a value, it reaches every threshold up to
 * itself, and seebatch_see_ge() is false for a greater one, as for every move. */
enum { SEEBATCH_SEE_ALWAYS = 32767 };

/* A rule set. Make it a constant. Every combination is valid. */
typedef struct seebatch_see_rules {
    int value[8]; /* of pawn, knight, bishop, rook and queen, each from 0 to 3000; the others are 0 */
    int pins;     /* SEEBATCH_SEE_PINS_... */
    int promotions, promotion, en_passant, castling;
} seebatch_see_rules;

/* The named rule sets, as the fields that follow the piece values. (`legal` and `monty` need the library.) */
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
    const uint64_t *types;    /* six bitboards, pawn to king, of both colors */
    const uint64_t *colors;   /* two bitboards: all pieces of color 0 and of color 1 */
    int stm;                  /* the color that moves */
    const uint64_t *attacked; /* the squares that the enemy attacks, if the engine keeps them, or NULL. The set may
                                 contain more squares, but must not omit any. If nothing can recapture, it saves the
                                 search for attackers. */
} seebatch_see_board;

/* Pins, if the engine keeps them. As in seebatch_pins of the library, both sets are indexed by the color of the king,
 * which is the side whose pieces are pinned. (Some engines index pinners by the side that pins.) */
typedef struct seebatch_see_pins {
    uint64_t blockers[2]; /* the pieces of either color that stand alone between that king and an enemy slider that
                             moves along their line; under PINS_ANY and PINS_RAY_EACH, other such sliders in between do
                             not count */
    uint64_t pinners[2];  /* the enemy sliders whose blocker has the king's own color */
} seebatch_see_pins;

/* A move, with what the caller knows about it. */
typedef struct seebatch_see_move {
    int from, to;
    int piece;     /* the type of the piece that moves; for a promotion, a pawn */
    int captured;  /* the type of the captured piece, or SEEBATCH_SEE_NO_PIECE; ignored for en passant and castling */
    int promotion; /* the type to which a pawn promotes, or 0 */
    int special;   /* SEEBATCH_SEE_NORMAL, SEEBATCH_SEE_EN_PASSANT or SEEBATCH_SEE_CASTLING */
} seebatch_see_move;

/* ---- Attacks ---------------------------------------------------------------------------------------------------- */

#define SEEBATCH_SEE_INLINE static inline __attribute__((always_inline))
#ifdef __cplusplus
#define SEEBATCH_SEE_CAST(type, x) static_cast<type>(x)
#else
#define SEEBATCH_SEE_CAST(type, x) ((type)(x))
#endif

SEEBATCH_SEE_INLINE uint64_t seebatch_see_bit(int square) { return UINT64_C(1) << square; }

/* A line through a square, which includes the square: 0 is the file, 1 the rank, 2 and 3 are the diagonals. */
SEEBATCH_SEE_INLINE uint64_t seebatch_see_line(int square, int i)
{
    const int file = square & 7, rank = square >> 3, up = 8 * (i == 2 ? rank - file : rank + file - 7);
    const int left = up & ~(up >> 31), right = -up & up >> 31; /* one is 0; gcc would make a branch of a selection */
    const uint64_t diagonal = i == 2 ? UINT64_C(0x8040201008040201) : UINT64_C(0x0102040810204080);
    return i == 0   ? UINT64_C(0x0101010101010101) << file
           : i == 1 ? UINT64_C(0xff) << 8 * rank
                    : diagonal << left >> right;
}

#ifndef SEEBATCH_SEE_UP
#define SEEBATCH_SEE_UP 0
#endif

#ifndef SEEBATCH_SEE_PAWN_ATTACKS
#define SEEBATCH_SEE_PAWN_ATTACKS(color, square) seebatch_see_leaper_attacks(SEEBATCH_SEE_PAWN, color, square)
#endif
#ifndef SEEBATCH_SEE_KNIGHT_ATTACKS
#define SEEBATCH_SEE_KNIGHT_ATTACKS(square) seebatch_see_leaper_attacks(SEEBATCH_SEE_KNIGHT, 0, square)
#endif
#ifndef SEEBATCH_SEE_BISHOP_ATTACKS
#define SEEBATCH_SEE_BISHOP_ATTACKS(square, occupied) seebatch_see_slider_attacks(2, square, occupied)
#endif
#ifndef SEEBATCH_SEE_ROOK_ATTACKS
#define SEEBATCH_SEE_ROOK_ATTACKS(square, occupied) seebatch_see_slider_attacks(0, square, occupied)
#endif
#ifndef SEEBATCH_SEE_KING_ATTACKS
#define SEEBATCH_SEE_KING_ATTACKS(square) seebatch_see_leaper_attacks(SEEBATCH_SEE_KING, 0, square)
#endif

SEEBATCH_SEE_INLINE uint64_t seebatch_see_leaper_attacks(int type, int color, int square)
{
    const uint64_t bit = seebatch_see_bit(square);
    const uint64_t left = bit >> 1 & UINT64_C(0x7f7f7f7f7f7f7f7f), right = bit << 1 & UINT64_C(0xfefefefefefefefe);
    const uint64_t sides = left | right, row = sides | bit;
    const uint64_t far = (left >> 1 & UINT64_C(0x7f7f7f7f7f7f7f7f)) | (right << 1 & UINT64_C(0xfefefefefefefefe));
    return type == SEEBATCH_SEE_PAWN     ? (color == SEEBATCH_SEE_UP ? sides << 8 : sides >> 8)
           : type == SEEBATCH_SEE_KNIGHT ? sides << 16 | sides >> 16 | far << 8 | far >> 8
                                         : sides | row << 8 | row >> 8;
}

/* Attacks along two lines, each from the nearest piece below to the nearest piece above, found by a subtraction. */
SEEBATCH_SEE_INLINE uint64_t seebatch_see_slider_attacks(int first, int square, uint64_t occupied)
{
    uint64_t attacks = 0;
    for (int i = first; i < first + 2; i++) {
        const uint64_t bit = seebatch_see_bit(square), line = seebatch_see_line(square, i) ^ bit;
        const uint64_t below = line & occupied & (bit - 1), above = line & occupied & ~UINT64_C(1) << square;
        attacks |= line & (above ^ (above - seebatch_see_bit(63 - __builtin_clzll(below | 1))));
    }
    return attacks;
}

SEEBATCH_SEE_INLINE uint64_t seebatch_see_diagonal_attackers(const uint64_t *types, int to, uint64_t occupied)
{
    return SEEBATCH_SEE_BISHOP_ATTACKS(to, occupied) & (types[2] | types[4]) & occupied;
}

SEEBATCH_SEE_INLINE uint64_t seebatch_see_orthogonal_attackers(const uint64_t *types, int to, uint64_t occupied)
{
    return SEEBATCH_SEE_ROOK_ATTACKS(to, occupied) & (types[3] | types[4]) & occupied;
}

/* The sliders of both colors on a line with a square, whatever stands in between. */
SEEBATCH_SEE_INLINE uint64_t seebatch_see_sliders_on_lines(const uint64_t *types, int square)
{
    return (SEEBATCH_SEE_BISHOP_ATTACKS(square, UINT64_C(0)) & (types[2] | types[4])) |
           (SEEBATCH_SEE_ROOK_ATTACKS(square, UINT64_C(0)) & (types[3] | types[4]));
}

/* ---- What the compiler checks ----------------------------------------------------------------------------------- */

#ifdef __cplusplus
#define SEEBATCH_SEE_ASSERT(condition, sentence) static_assert(condition, sentence)
#else
#define SEEBATCH_SEE_ASSERT(condition, sentence) _Static_assert(condition, sentence)
#endif
SEEBATCH_SEE_ASSERT((SEEBATCH_SEE_UP) == 0 || (SEEBATCH_SEE_UP) == 1, "SEEBATCH_SEE_UP has to be 0 or 1");

#define SEEBATCH_SEE_NOTHING                                                                                           \
    do {                                                                                                               \
    } while (0)

/* Whether a value is one of a set of SEEBATCH_SEE_KNOWN_... */
#define SEEBATCH_SEE_IS_IN(value, known) ((value) >= 0 && (value) < 31 && ((known) >> (value)&1))

#if defined(__OPTIMIZE__) && defined(__has_attribute)
#if __has_attribute(error) && __has_attribute(warning)
#define SEEBATCH_SEE_KNOWS_CONSTANTS 1
#endif
#endif

/* An optimizing compiler that knows a value or a rule to be out of range refuses the call. */
#ifdef SEEBATCH_SEE_KNOWS_CONSTANTS
void seebatch_see_wrong_value(void)
    __attribute__((error("seebatch_see.h: a piece value is not from 0 to 3000, or one of the last three is not 0")));
void seebatch_see_wrong_rule(void)
    __attribute__((error("seebatch_see.h: a field of the rules has none of the values that the header names")));
#define SEEBATCH_SEE_REFUSE_VALUE(v, most)                                                                             \
    if (__builtin_constant_p(v) && ((v) < 0 || (v) > (most)))                                                          \
        seebatch_see_wrong_value();
#define SEEBATCH_SEE_REFUSE_RULE(field, known)                                                                         \
    if (__builtin_constant_p(field) && !SEEBATCH_SEE_IS_IN(field, known))                                              \
        seebatch_see_wrong_rule();
#define SEEBATCH_SEE_REFUSE(rules)                                                                                     \
    do {                                                                                                               \
        SEEBATCH_SEE_REFUSE_VALUE((rules)->value[0], 3000)                                                             \
        SEEBATCH_SEE_REFUSE_VALUE((rules)->value[1], 3000)                                                             \
        SEEBATCH_SEE_REFUSE_VALUE((rules)->value[2], 3000)                                                             \
        SEEBATCH_SEE_REFUSE_VALUE((rules)->value[3], 3000)                                                             \
        SEEBATCH_SEE_REFUSE_VALUE((rules)->value[4], 3000)                                                             \
        SEEBATCH_SEE_REFUSE_VALUE((rules)->value[5], 0)                                                                \
        SEEBATCH_SEE_REFUSE_VALUE((rules)->value[6], 0)                                                                \
        SEEBATCH_SEE_REFUSE_VALUE((rules)->value[7], 0)                                                                \
        SEEBATCH_SEE_REFUSE_RULE((rules)->pins, SEEBATCH_SEE_KNOWN_PINS)                                               \
        SEEBATCH_SEE_REFUSE_RULE((rules)->promotions, SEEBATCH_SEE_KNOWN_PROMOTIONS)                                   \
        SEEBATCH_SEE_REFUSE_RULE((rules)->promotion, SEEBATCH_SEE_KNOWN_PROMOTION)                                     \
        SEEBATCH_SEE_REFUSE_RULE((rules)->en_passant, SEEBATCH_SEE_KNOWN_EN_PASSANT)                                   \
        SEEBATCH_SEE_REFUSE_RULE((rules)->castling, SEEBATCH_SEE_KNOWN_CASTLING)                                       \
    } while (0)
#else
#define SEEBATCH_SEE_REFUSE(rules) SEEBATCH_SEE_NOTHING
#endif

#ifdef SEEBATCH_SEE_CHECK
#define SEEBATCH_SEE_CHECK_BOARD(board) seebatch_see_check_board(board, NULL)
#define SEEBATCH_SEE_CHECK_ARGUMENTS(rules, board, pins, move) seebatch_see_check(rules, board, pins, &(move))
#define SEEBATCH_SEE_CHECK_CONSTANTS(rules) seebatch_see_check_constants(rules)
static void seebatch_see_check_board(const seebatch_see_board *board, const seebatch_see_move *move);
#else
#define SEEBATCH_SEE_CHECK_BOARD(board) SEEBATCH_SEE_NOTHING
#define SEEBATCH_SEE_CHECK_ARGUMENTS(rules, board, pins, move) SEEBATCH_SEE_NOTHING
#define SEEBATCH_SEE_CHECK_CONSTANTS(rules) SEEBATCH_SEE_NOTHING
#endif

/* ---- Pins ------------------------------------------------------------------------------------------------------- */

/* Made by scripts/manual: traits */
/* Whether the lanes of seebatch_see_mailbox.h know all values of the fields. */
SEEBATCH_SEE_INLINE bool seebatch_see_lanes_know(const seebatch_see_rules *rules)
{
    (void)rules;
    return true;
}

/* Rules under which a pinned piece may still capture along its pin. */
SEEBATCH_SEE_INLINE bool seebatch_see_is_ray(int pins) { return pins >= SEEBATCH_SEE_PINS_RAY_ONCE; }
/* Up to here by scripts/manual. */

/* Rules under which pinned pieces are only left out of the first attackers. */
SEEBATCH_SEE_INLINE bool seebatch_see_is_once(int pins)
{
    return pins == SEEBATCH_SEE_PINS_RAY_ONCE || pins == SEEBATCH_SEE_PINS_RAY_ONCE_BOTH;
}

/* Rules under which a piece is also pinned in front of the enemy king. */
SEEBATCH_SEE_INLINE bool seebatch_see_is_both(int pins)
{
    return pins == SEEBATCH_SEE_PINS_RAY_ONCE_BOTH || pins == SEEBATCH_SEE_PINS_RAY_EACH;
}

/* The line through two squares, or no squares if there is none. */
SEEBATCH_SEE_INLINE uint64_t seebatch_see_line_through(int a, int b)
{
    uint64_t through = 0;
    for (int i = 0; i < 4; i++)
        through |= seebatch_see_line(a, i) >> b & 1 ? seebatch_see_line(a, i) : 0;
    return through;
}

/* Finds the pins of a board, as the rules define them. An engine that asks about several moves of a position may call
 * this once and pass the result. Every king that is on the board is considered; a side may have none. */
static inline seebatch_see_pins seebatch_see_find_pins(const seebatch_see_rules *rules, const seebatch_see_board *board)
{
    SEEBATCH_SEE_CHECK_BOARD(board);
    seebatch_see_pins pins = {{0, 0}, {0, 0}};
    const bool ignores_snipers = rules->pins == SEEBATCH_SEE_PINS_ANY || rules->pins == SEEBATCH_SEE_PINS_RAY_EACH;
    for (int color = 0; color < 2; color++) {
        const uint64_t own = board->colors[color], enemy = board->colors[color ^ 1];
        if (!(board->types[SEEBATCH_SEE_KING] & own))
            continue;
        const int king = __builtin_ctzll(board->types[SEEBATCH_SEE_KING] & own);
        uint64_t snipers = seebatch_see_sliders_on_lines(board->types, king) & enemy;
        const uint64_t counted = (own | enemy) & ~(ignores_snipers ? snipers : 0);
        for (; snipers; snipers &= snipers - 1) {
            const int sniper = __builtin_ctzll(snipers), first = king < sniper ? king : sniper,
                      last = king ^ sniper ^ first;
            const uint64_t inside = (seebatch_see_bit(last) - 1) & ~UINT64_C(1) << first;
            const uint64_t between = seebatch_see_line_through(king, sniper) & inside & counted;
            if (between && !(between & (between - 1))) {
                pins.blockers[color] |= between;
                pins.pinners[color] |= between & own ? seebatch_see_bit(sniper) : 0;
            }
        }
    }
    return pins;
}

/* Under the PINS_RAY_ rules: the pieces of both colors that are pinned and may not capture on the square, because it is
 * not on the line of the pin. A piece that is pinned in front of both kings may capture along either pin. */
static inline uint64_t seebatch_see_pinned(int rule, const seebatch_see_board *board, const seebatch_see_pins *pins,
                                           int to)
{
    uint64_t pinned = 0, freed = 0;
    for (int color = 0; color < 2; color++) {
        const uint64_t own = board->colors[color];
        const uint64_t blockers = pins->blockers[color] & (seebatch_see_is_both(rule) ? ~UINT64_C(0) : own);
        if (!blockers)
            continue;
        pinned |= blockers;
        freed |= blockers & seebatch_see_line_through(__builtin_ctzll(board->types[SEEBATCH_SEE_KING] & own), to);
    }
    return pinned & ~freed;
}

/* ---- An exchange ------------------------------------------------------------------------------------------------ */

/* An exchange on a square after some captures. */
struct seebatch_see_exchange {
    const uint64_t *types, *colors;
    const seebatch_see_pins *pins;
    uint64_t occupied;  /* the pieces that have not captured yet; never the square itself */
    uint64_t attackers; /* of both colors, among the occupied squares */
    uint64_t pinned;    /* under the PINS_RAY_ rules: pieces of both colors that may not capture */
    int to;
};

/* The exchange after the first move, which empties the squares in emptied. */
SEEBATCH_SEE_INLINE struct seebatch_see_exchange seebatch_see_begin(const seebatch_see_rules *rules,
                                                                    const seebatch_see_board *board,
                                                                    const seebatch_see_pins *pins, int to,
                                                                    uint64_t emptied)
{
    const uint64_t *types = board->types, *colors = board->colors;
    const uint64_t occupied = (colors[0] | colors[1]) & ~(emptied | seebatch_see_bit(to));
    const uint64_t sliders = /* first, because they take longest */
        seebatch_see_diagonal_attackers(types, to, occupied) | seebatch_see_orthogonal_attackers(types, to, occupied);
    const uint64_t pawns =
        (SEEBATCH_SEE_PAWN_ATTACKS(1, to) & colors[0]) | (SEEBATCH_SEE_PAWN_ATTACKS(0, to) & colors[1]);
    const uint64_t others =
        (pawns & types[0]) | (SEEBATCH_SEE_KNIGHT_ATTACKS(to) & types[1]) | (SEEBATCH_SEE_KING_ATTACKS(to) & types[5]);
    struct seebatch_see_exchange x = {types, colors, pins, occupied, sliders | (others & occupied), 0, to};
    if (seebatch_see_is_ray(rules->pins) && __builtin_expect((pins->blockers[0] | pins->blockers[1]) != 0, 0))
        x.pinned = seebatch_see_pinned(rules->pins, board, pins, to);
    if (seebatch_see_is_once(rules->pins))
        x.attackers &= ~x.pinned;
    return x;
}

/* The attackers of a color that may capture now. Its king is included without a check. */
SEEBATCH_SEE_INLINE uint64_t seebatch_see_allowed(int pins, const struct seebatch_see_exchange *x, int color)
{
    const uint64_t attackers = x->attackers & x->colors[color];
    if (pins == SEEBATCH_SEE_PINS_IGNORED || seebatch_see_is_once(pins))
        return attackers;
    const uint64_t pinners = x->pins->pinners[color];
    const bool pins_hold = pins == SEEBATCH_SEE_PINS_ANY   ? (pinners & x->occupied) != 0
                           : pins == SEEBATCH_SEE_PINS_ALL ? pinners && !(pinners & ~x->occupied)
                           : pins == SEEBATCH_SEE_PINS_RAY_STANDING
                               ? (pinners & (x->occupied | seebatch_see_bit(x->to))) != 0
                               : true;
    if (!__builtin_expect(pins_hold, seebatch_see_is_ray(pins)))
        return attackers;
    return attackers & ~(seebatch_see_is_ray(pins) ? x->pinned : x->pins->blockers[color]);
}

/* The lowest one of some attackers captures: it leaves its square, and sliders behind it join. */
SEEBATCH_SEE_INLINE void seebatch_see_capture(struct seebatch_see_exchange *x, uint64_t attackers, bool diagonal,
                                              bool orthogonal)
{
    x->occupied ^= attackers & (0 - attackers);
    if (diagonal)
        x->attackers |= seebatch_see_diagonal_attackers(x->types, x->to, x->occupied);
    if (orthogonal)
        x->attackers |= seebatch_see_orthogonal_attackers(x->types, x->to, x->occupied);
    x->attackers &= x->occupied;
}

/* Whether the king of a color may capture: the square must not be attacked once the king has left its own. Under the
 * PINS_RAY_ONCE rules, pieces that were left out of the first attackers do not guard the square. */
SEEBATCH_SEE_INLINE bool seebatch_see_king_may_capture(int pins, const struct seebatch_see_exchange *x, int color)
{
    const uint64_t occupied = x->occupied & ~(x->types[5] & x->colors[color]);
    uint64_t joining = seebatch_see_diagonal_attackers(x->types, x->to, occupied) |
                       seebatch_see_orthogonal_attackers(x->types, x->to, occupied);
    if (seebatch_see_is_once(pins))
        joining &= ~(seebatch_see_diagonal_attackers(x->types, x->to, x->occupied) |
                     seebatch_see_orthogonal_attackers(x->types, x->to, x->occupied));
    return !((x->attackers | joining) & x->colors[color ^ 1]);
}

/* ---- The first move --------------------------------------------------------------------------------------------- */

/* Finds what the first move wins, the value of the piece that then stands on the square, and the squares that the move
 * empties. Returns false if the rules do not evaluate the move, so that the gain is its value. */
SEEBATCH_SEE_INLINE bool seebatch_see_first(const seebatch_see_rules *rules, seebatch_see_move move, int *gain,
                                            int *victim, uint64_t *emptied)
{
    const int *value = rules->value, pawn = value[SEEBATCH_SEE_PAWN];
    *gain = value[move.captured & 7];
    *victim = value[move.piece & 7];
    *emptied = seebatch_see_bit(move.from);
    int treatment = 0; /* 0: evaluated, 1: worth 0, 2: passes always */
    if (move.promotion) {
        treatment = rules->promotion;
        if (rules->promotions != SEEBATCH_SEE_PROMOTE_NONE) {
            *victim = value[move.promotion & 7];
            *gain += *victim - pawn;
        }
    } else if (move.special == SEEBATCH_SEE_EN_PASSANT) {
        const bool stands = rules->en_passant == SEEBATCH_SEE_EN_PASSANT_STANDING;
        treatment = stands ? 0 : rules->en_passant;
        *gain = pawn;
        *emptied |= stands ? 0 : seebatch_see_bit(move.to ^ 8);
    } else if (move.special == SEEBATCH_SEE_CASTLING) {
        treatment = rules->castling == SEEBATCH_SEE_CASTLING_ZERO ? 1 : 2;
    }
    *gain = treatment == 0 ? *gain : treatment == 1 ? 0 : SEEBATCH_SEE_ALWAYS;
    return treatment == 0;
}

/* Whether the engine knows that the enemy attacks none of the squares that matter, so that nothing can recapture. */
SEEBATCH_SEE_INLINE bool seebatch_see_is_safe(const seebatch_see_board *board, int to, uint64_t emptied)
{
    return board->attacked && !(*board->attacked & (emptied | seebatch_see_bit(to)));
}

/* Whether a pawn that recaptures on a square becomes a queen. */
SEEBATCH_SEE_INLINE bool seebatch_see_promotes(const seebatch_see_rules *rules, int to)
{
    return rules->promotions == SEEBATCH_SEE_PROMOTE_ALL && (to < 8 || to >= 56);
}

#ifdef SEEBATCH_SEE_CHECK
/* ---- The checking mode ------------------------------------------------------------------------------------------

 * Nothing here is fast, and nothing here is compiled without SEEBATCH_SEE_CHECK. The board is read by the header's own
 * attacks, so that a wrong attack function of the engine is found as well.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* The type of the piece on a square, from bitboards that may be wrong. */
static int seebatch_see_type_on(const seebatch_see_board *board, int square)
{
    int type = SEEBATCH_SEE_PAWN;
    while (type <= SEEBATCH_SEE_KING && !(board->types[type] >> square & 1))
        type++;
    return type;
}

/* Ends the program with a sentence, the move and the board. */
static __attribute__((noinline, noreturn, cold, unused, format(printf, 3, 4))) void
seebatch_see_stop(const seebatch_see_board *board, const seebatch_see_move *m, const char *sentence, ...)
{
    va_list arguments;
    va_start(arguments, sentence);
    fputs("seebatch_see.h: ", stderr);
    vfprintf(stderr, sentence, arguments);
    fputs(".\n", stderr);
    va_end(arguments);
    if (m)
        fprintf(stderr, "The move: from %d, to %d, piece %d, captured %d, promotion %d, special %d.\n", m->from, m->to,
                m->piece, m->captured, m->promotion, m->special);
    if (board && board->types && board->colors) {
        fprintf(stderr,
                "The board, color %d to move; capital letters are color 0, and the first line has the squares 56 to "
                "63:\n",
                board->stm);
        for (int i = 0; i < 64; i++) {
            const int square = i ^ 56, type = seebatch_see_type_on(board, square);
            const bool first = board->colors[0] >> square & 1, second = board->colors[1] >> square & 1;
            const char *letters = first && second ? "???????" : first ? "PNBRQK?" : second ? "pnbrqk?" : "??????.";
            fprintf(stderr, "%c%c", letters[type], i % 8 == 7 ? '\n' : ' ');
        }
    }
    abort();
}

/* What a piece attacks, by the header's own arithmetic. */
static uint64_t seebatch_see_piece_attacks(int type, int color, int square, uint64_t occupied)
{
    const bool straight = type == SEEBATCH_SEE_ROOK || type == SEEBATCH_SEE_QUEEN;
    const bool oblique = type == SEEBATCH_SEE_BISHOP || type == SEEBATCH_SEE_QUEEN;
    if (!straight && !oblique)
        return seebatch_see_leaper_attacks(type, color, square);
    return (straight ? seebatch_see_slider_attacks(0, square, occupied) : 0) |
           (oblique ? seebatch_see_slider_attacks(2, square, occupied) : 0);
}

static void seebatch_see_compare_attacks(const char *name, int color, int square, uint64_t occupied, uint64_t engine,
                                         uint64_t header)
{
    if (engine != header)
        seebatch_see_stop(
            NULL, NULL,
            "SEEBATCH_SEE_%s_ATTACKS is 0x%016llx for color %d, square %d and the occupied squares "
            "0x%016llx, expected 0x%016llx. Are its arguments in the right order, are the engine's tables "
            "set up, and is SEEBATCH_SEE_UP the color whose pawns capture towards higher squares?",
            name, SEEBATCH_SEE_CAST(unsigned long long, engine), color, square,
            SEEBATCH_SEE_CAST(unsigned long long, occupied), SEEBATCH_SEE_CAST(unsigned long long, header));
}

/* The engine's attack functions. The first squares and occupied squares are small numbers, so that functions whose
 * arguments are in the wrong order read nothing outside their tables before they are found. */
static void seebatch_see_check_attacks(void)
{
    static int checked; /* by one of several threads */
    if (__atomic_exchange_n(&checked, 1, __ATOMIC_RELAXED))
        return;
    for (int square = 1; square <= 64; square++) {
        const int s = square & 63;
        for (int color = 0; color < 2; color++)
            seebatch_see_compare_attacks("PAWN", color, s, 0, SEEBATCH_SEE_PAWN_ATTACKS(color, s),
                                         seebatch_see_piece_attacks(SEEBATCH_SEE_PAWN, color, s, 0));
        seebatch_see_compare_attacks("KNIGHT", 0, s, 0, SEEBATCH_SEE_KNIGHT_ATTACKS(s),
                                     seebatch_see_piece_attacks(SEEBATCH_SEE_KNIGHT, 0, s, 0));
        seebatch_see_compare_attacks("KING", 0, s, 0, SEEBATCH_SEE_KING_ATTACKS(s),
                                     seebatch_see_piece_attacks(SEEBATCH_SEE_KING, 0, s, 0));
    }
    uint64_t occupied = 2;
    for (int i = 0; i < 64 * 64; i++) {
        const int s = i & 63;
        seebatch_see_compare_attacks("BISHOP", 0, s, occupied, SEEBATCH_SEE_BISHOP_ATTACKS(s, occupied),
                                     seebatch_see_piece_attacks(SEEBATCH_SEE_BISHOP, 0, s, occupied));
        seebatch_see_compare_attacks("ROOK", 0, s, occupied, SEEBATCH_SEE_ROOK_ATTACKS(s, occupied),
                                     seebatch_see_piece_attacks(SEEBATCH_SEE_ROOK, 0, s, occupied));
        if (i >= 63) { /* first one occupied square, then any, then none */
            occupied = occupied * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            occupied = i % 64 == 63 ? 0 : occupied ^ occupied >> 29;
        }
    }
}

/* The squares that a color attacks. */
static uint64_t seebatch_see_attacked_by(const seebatch_see_board *board, int color)
{
    uint64_t attacked = 0;
    const uint64_t occupied = board->colors[0] | board->colors[1];
    for (uint64_t pieces = board->colors[color]; pieces; pieces &= pieces - 1) {
        const int square = __builtin_ctzll(pieces);
        attacked |= seebatch_see_piece_attacks(seebatch_see_type_on(board, square), color, square, occupied);
    }
    return attacked;
}

static __attribute__((unused)) void seebatch_see_check_board(const seebatch_see_board *board,
                                                             const seebatch_see_move *move)
{
    if (!board->types || !board->colors)
        seebatch_see_stop(NULL, move, "board.%s is NULL, expected bitboards", board->types ? "colors" : "types");
    if (board->stm != 0 && board->stm != 1)
        seebatch_see_stop(NULL, move, "board.stm is %d, expected a color, 0 or 1", board->stm);
    const uint64_t *types = board->types, *colors = board->colors, both = colors[0] & colors[1];
    if (both)
        seebatch_see_stop(board, move, "board.colors has a piece of both colors on square %d, expected none",
                          __builtin_ctzll(both));
    uint64_t all = 0;
    for (int type = SEEBATCH_SEE_PAWN; type <= SEEBATCH_SEE_KING; type++) {
        if (all & types[type])
            seebatch_see_stop(board, move,
                              "board.types[%d] has a piece on square %d, where a lower type has one as well, expected "
                              "six bitboards from pawn, 0, to king, 5",
                              type, __builtin_ctzll(all & types[type]));
        all |= types[type];
    }
    const uint64_t differing = all ^ (colors[0] | colors[1]);
    if (differing)
        seebatch_see_stop(board, move, "%s has a piece on square %d and %s has none, expected the same squares in both",
                          all & differing ? "board.types" : "board.colors", __builtin_ctzll(differing),
                          all & differing ? "board.colors" : "board.types");
    const uint64_t pawns = types[SEEBATCH_SEE_PAWN] & UINT64_C(0xff000000000000ff);
    if (pawns)
        seebatch_see_stop(board, move,
                          "board.types[0] has a pawn on square %d, expected none on the first and the last rank",
                          __builtin_ctzll(pawns));
    for (int color = 0; color < 2; color++) {
        const uint64_t kings = types[SEEBATCH_SEE_KING] & colors[color];
        if (kings & (kings - 1))
            seebatch_see_stop(board, move, "color %d has %d kings, expected at most one", color,
                              __builtin_popcountll(kings));
    }
    const uint64_t omitted = board->attacked ? seebatch_see_attacked_by(board, board->stm ^ 1) & ~*board->attacked : 0;
    if (omitted)
        seebatch_see_stop(board, move,
                          "*board.attacked omits square %d, which color %d attacks, expected every square that the "
                          "enemy of board.stm attacks",
                          __builtin_ctzll(omitted), board->stm ^ 1);
}

static void seebatch_see_check_rules(const seebatch_see_rules *rules)
{
    for (int i = 0; i < 8; i++) {
        const int most = i <= SEEBATCH_SEE_QUEEN ? 3000 : 0;
        if (rules->value[i] < 0 || rules->value[i] > most)
            seebatch_see_stop(NULL, NULL, "rules.value[%d] is %d, expected %s", i, rules->value[i],
                              most ? "a value from 0 to 3000" : "0, because only pawn to queen have values");
    }
    const int fields[5] = {rules->pins, rules->promotions, rules->promotion, rules->en_passant, rules->castling};
    const int known[5] = {SEEBATCH_SEE_KNOWN_PINS, SEEBATCH_SEE_KNOWN_PROMOTIONS, SEEBATCH_SEE_KNOWN_PROMOTION,
                          SEEBATCH_SEE_KNOWN_EN_PASSANT, SEEBATCH_SEE_KNOWN_CASTLING};
    const char *const names[5] = {"pins", "promotions", "promotion", "en_passant", "castling"};
    for (int i = 0; i < 5; i++)
        if (!SEEBATCH_SEE_IS_IN(fields[i], known[i]))
            seebatch_see_stop(NULL, NULL, "rules.%s is %d, expected one of the constants that the header names",
                              names[i], fields[i]);
}

static void seebatch_see_check_en_passant(const seebatch_see_board *board, const seebatch_see_move *m)
{
    const uint64_t enemy_pawns = board->types[SEEBATCH_SEE_PAWN] & board->colors[board->stm ^ 1];
    const uint64_t occupied = board->colors[0] | board->colors[1];
    if (m->piece != SEEBATCH_SEE_PAWN || !(seebatch_see_leaper_attacks(0, board->stm, m->from) >> m->to & 1))
        seebatch_see_stop(board, m,
                          "move.special is SEEBATCH_SEE_EN_PASSANT, expected a pawn that captures on the square behind "
                          "the captured pawn");
    if (occupied >> m->to & 1 || !(enemy_pawns >> (m->to ^ 8) & 1))
        seebatch_see_stop(board, m,
                          "move.special is SEEBATCH_SEE_EN_PASSANT, expected an empty square %d and an enemy pawn on "
                          "square %d",
                          m->to, m->to ^ 8);
}

static void seebatch_see_check_castling(const seebatch_see_board *board, const seebatch_see_move *m)
{
    const uint64_t rooks = board->types[SEEBATCH_SEE_ROOK] & board->colors[board->stm];
    const int file = m->to & 7;
    if (m->piece != SEEBATCH_SEE_KING)
        seebatch_see_stop(board, m, "move.special is SEEBATCH_SEE_CASTLING and move.piece is %d, expected a king, 5",
                          m->piece);
    if ((m->from ^ m->to) >> 3 || !(rooks >> m->to & 1 || file == 2 || file == 6))
        seebatch_see_stop(board, m,
                          "move.special is SEEBATCH_SEE_CASTLING and the king moves from %d to %d, expected the square "
                          "of its rook, or the square on which castling leaves the king",
                          m->from, m->to);
}

/* A move that is neither castling nor en passant. */
static void seebatch_see_check_normal(const seebatch_see_board *board, const seebatch_see_move *m)
{
    const int type = seebatch_see_type_on(board, m->to);
    const uint64_t occupied = board->colors[0] | board->colors[1];
    if (board->colors[board->stm] >> m->to & 1)
        seebatch_see_stop(board, m,
                          "move.to is %d, where a piece of color %d itself stands, expected another square, or "
                          "SEEBATCH_SEE_CASTLING in move.special",
                          m->to, board->stm);
    if (type > SEEBATCH_SEE_KING && (m->captured & 7) < SEEBATCH_SEE_NO_PIECE)
        seebatch_see_stop(board, m, "move.captured is %d and square %d is empty, expected SEEBATCH_SEE_NO_PIECE or -1",
                          m->captured, m->to);
    if (type <= SEEBATCH_SEE_KING && m->captured != type)
        seebatch_see_stop(board, m, "move.captured is %d, expected %d, the type of the piece on square %d", m->captured,
                          type, m->to);
    if (type == SEEBATCH_SEE_KING)
        seebatch_see_stop(board, m, "move.to is %d, where a king stands, expected a move that does not capture a king",
                          m->to);
    const int up = board->stm == SEEBATCH_SEE_UP ? 8 : -8, step = m->to - m->from;
    if (m->piece != SEEBATCH_SEE_PAWN) {
        if (seebatch_see_piece_attacks(m->piece, board->stm, m->from, occupied) >> m->to & 1)
            return;
        if (m->piece == SEEBATCH_SEE_KING && (step == 2 || step == -2))
            seebatch_see_stop(board, m,
                              "the king moves from %d to %d and move.special is SEEBATCH_SEE_NORMAL, expected "
                              "SEEBATCH_SEE_CASTLING",
                              m->from, m->to);
    } else if (seebatch_see_leaper_attacks(SEEBATCH_SEE_PAWN, board->stm, m->from) >> m->to & 1) {
        if (type <= SEEBATCH_SEE_KING)
            return;
        seebatch_see_stop(board, m,
                          "a pawn captures on square %d, which is empty, and move.special is SEEBATCH_SEE_NORMAL, "
                          "expected SEEBATCH_SEE_EN_PASSANT",
                          m->to);
    } else if (type > SEEBATCH_SEE_KING) {
        const bool starts = m->from >> 3 == (up > 0 ? 1 : 6);
        if (step == up || (starts && step == 2 * up && !(occupied >> (m->from + up) & 1)))
            return;
        if (step == -up || step == -2 * up)
            seebatch_see_stop(board, m,
                              "a pawn of color %d moves from %d to %d, towards %s squares, expected the other "
                              "direction; if square 0 is a8, define SEEBATCH_SEE_UP as the color of Black",
                              board->stm, m->from, m->to, up > 0 ? "lower" : "higher");
    }
    seebatch_see_stop(board, m, "a piece of type %d moves from %d to %d, expected a pseudo-legal move", m->piece,
                      m->from, m->to);
}

static void seebatch_see_check_move(const seebatch_see_rules *rules, const seebatch_see_board *board,
                                    const seebatch_see_move *m)
{
    if (m->from < 0 || m->from > 63)
        seebatch_see_stop(board, m, "move.from is %d, expected a square from 0 to 63", m->from);
    if (m->to < 0 || m->to > 63)
        seebatch_see_stop(board, m, "move.to is %d, expected a square from 0 to 63", m->to);
    if (m->from == m->to)
        seebatch_see_stop(board, m, "move.from and move.to are both %d, expected two squares; a null move has no value",
                          m->from);
    if (m->piece < SEEBATCH_SEE_PAWN || m->piece > SEEBATCH_SEE_KING)
        seebatch_see_stop(board, m, "move.piece is %d, expected a type from 0, a pawn, to 5, a king, without a color",
                          m->piece);
    if (m->special < SEEBATCH_SEE_NORMAL || m->special > SEEBATCH_SEE_CASTLING)
        seebatch_see_stop(board, m,
                          "move.special is %d, expected SEEBATCH_SEE_NORMAL, 0, SEEBATCH_SEE_EN_PASSANT, 1, or "
                          "SEEBATCH_SEE_CASTLING, 2",
                          m->special);
    if (m->promotion && (m->promotion < SEEBATCH_SEE_KNIGHT || m->promotion > SEEBATCH_SEE_QUEEN))
        seebatch_see_stop(
            board, m, "move.promotion is %d, expected 0, or a type from 1, a knight, to 4, a queen, without a color",
            m->promotion);
    if (!(board->colors[board->stm] >> m->from & 1))
        seebatch_see_stop(board, m, "move.from is %d, expected a square with a piece of board.stm, which is color %d",
                          m->from, board->stm);
    if (m->piece != seebatch_see_type_on(board, m->from))
        seebatch_see_stop(board, m, "move.piece is %d, expected %d, the type of the piece on square %d", m->piece,
                          seebatch_see_type_on(board, m->from), m->from);
    const bool last = m->piece == SEEBATCH_SEE_PAWN && (m->to < 8 || m->to > 55);
    if (m->promotion && (!last || m->special != SEEBATCH_SEE_NORMAL))
        seebatch_see_stop(board, m, "move.promotion is %d, expected 0 for a move other than a pawn's to the last rank",
                          m->promotion);
    const bool counts = rules->promotions != SEEBATCH_SEE_PROMOTE_NONE ||
                        rules->promotion != SEEBATCH_SEE_PROMOTION_EVALUATED; /* does it change the answer? */
    if (last && !m->promotion && counts)
        seebatch_see_stop(board, m,
                          "move.promotion is 0 and a pawn reaches the last rank, expected the type to which it "
                          "promotes");
    if (m->special == SEEBATCH_SEE_EN_PASSANT)
        seebatch_see_check_en_passant(board, m);
    else if (m->special == SEEBATCH_SEE_CASTLING)
        seebatch_see_check_castling(board, m);
    else if (m->captured < -1 || m->captured > 7)
        seebatch_see_stop(board, m,
                          "move.captured is %d, expected a type from 0, a pawn, to 5, a king, without a color, or "
                          "SEEBATCH_SEE_NO_PIECE or -1",
                          m->captured);
    else
        seebatch_see_check_normal(board, m);
}

/* The engine's pins against those of the header, as far as the rules read them. Pinners of all bits mean that pins hold
 * to the end, whatever the pinners do. */
static void seebatch_see_check_pins(const seebatch_see_rules *rules, const seebatch_see_board *board,
                                    const seebatch_see_pins *pins, const seebatch_see_move *move)
{
    const seebatch_see_pins expected = seebatch_see_find_pins(rules, board);
    for (int color = 0; color < 2; color++) {
        const uint64_t read = seebatch_see_is_both(rules->pins) ? ~UINT64_C(0) : board->colors[color];
        const uint64_t blockers = (pins->blockers[color] ^ expected.blockers[color]) & read;
        const bool reads_pinners = rules->pins == SEEBATCH_SEE_PINS_ANY || rules->pins == SEEBATCH_SEE_PINS_ALL ||
                                   rules->pins == SEEBATCH_SEE_PINS_RAY_STANDING;
        const uint64_t pinners = pins->pinners[color] ^ expected.pinners[color];
        if (blockers)
            seebatch_see_stop(board, move,
                              "pins.blockers[%d] %s square %d, expected the pieces in front of the king of color %d, "
                              "as seebatch_see_find_pins() finds them",
                              color, pins->blockers[color] & blockers ? "contains" : "omits", __builtin_ctzll(blockers),
                              color);
        if (reads_pinners && pinners && pins->pinners[color] != ~UINT64_C(0))
            seebatch_see_stop(board, move,
                              "pins.pinners[%d] %s square %d, expected the pieces that pin pieces of color %d, as "
                              "seebatch_see_find_pins() finds them; both sets are indexed by the color of the king",
                              color, pins->pinners[color] & pinners ? "contains" : "omits", __builtin_ctzll(pinners),
                              color);
    }
}

/* All that a call is given. */
static __attribute__((unused)) void seebatch_see_check(const seebatch_see_rules *rules, const seebatch_see_board *board,
                                                       const seebatch_see_pins *pins, const seebatch_see_move *move)
{
    seebatch_see_check_rules(rules);
    seebatch_see_check_attacks();
    seebatch_see_check_board(board, move);
    seebatch_see_check_move(rules, board, move);
    if (pins && rules->pins != SEEBATCH_SEE_PINS_IGNORED)
        seebatch_see_check_pins(rules, board, pins, move);
}

#ifdef SEEBATCH_SEE_KNOWS_CONSTANTS
static __attribute__((
    noinline, unused,
    warning(
        "seebatch_see.h: the rules and values are not constants, so the compiler keeps the code of all rules"))) void
seebatch_see_no_constants(void)
{
    __asm__("");
}
#define SEEBATCH_SEE_IS_CONSTANT(rules)                                                                                \
    (__builtin_constant_p((rules)->pins) && __builtin_constant_p((rules)->promotions) &&                               \
     __builtin_constant_p((rules)->promotion) && __builtin_constant_p((rules)->en_passant) &&                          \
     __builtin_constant_p((rules)->castling) && __builtin_constant_p((rules)->value[0]) &&                             \
     __builtin_constant_p((rules)->value[4]))
#endif

SEEBATCH_SEE_INLINE void seebatch_see_check_constants(const seebatch_see_rules *rules)
{
#ifdef SEEBATCH_SEE_KNOWS_CONSTANTS
    if (!SEEBATCH_SEE_IS_CONSTANT(rules))
        seebatch_see_no_constants();
#else
    (void)rules;
#endif
}
#endif

/* ---- The answers ------------------------------------------------------------------------------------------------ */

/* All bits if a < b, otherwise none, without a branch, which compilers would make of the comparison. */
SEEBATCH_SEE_INLINE uint64_t seebatch_see_if_less(int a, int b)
{
    const int64_t difference = a - b;
    return SEEBATCH_SEE_CAST(uint64_t, difference >> 63);
}

/* One step of seebatch_see_decide(). need: how far ahead of its goal the side to capture is once it has captured the piece
 * on the square, and so what the other side then has to win back. If it is 0 or less, the capture does not reach the
 * goal. */
#define SEEBATCH_SEE_STEP(type, diagonal, orthogonal)                                                                  \
    if ((capturers = allowed & x.types[type])) {                                                                       \
        if (last_rank && need + (type == SEEBATCH_SEE_PAWN ? value[SEEBATCH_SEE_QUEEN] - value[type] : 0) <= 0)        \
            return side != stm; /* not even this capture is enough */                                                  \
        need = value[type] - need + 1;                                                                                 \
        if (!last_rank && need <= 0)                                                                                   \
            return side == stm; /* it is enough, even if the piece is lost */                                          \
        seebatch_see_capture(&x, capturers, diagonal, orthogonal);                                                     \
    }

/* In the checking mode, seebatch_see_decide() is seebatch_see_ge() without the checks. Otherwise it is that function
 * itself, because clang copies the move once more, at -O1 and -Os, if one of them calls the other. */
#ifndef SEEBATCH_SEE_CHECK
#define seebatch_see_decide seebatch_see_ge
#endif

/*
 * Whether the value of a move is at least the threshold, which may be any int. The answer is that of seebatch_ge() in
 * the library. The method is the swap algorithm with a null window around the threshold, as described in the Chess
 * Programming Wiki ("SEE - The Swap Algorithm").
 *
 * rules   a constant.
 * board   the board before the move.
 * pins    the pins of the board, as seebatch_see_find_pins() finds them; or NULL, and they are found if the rules need
 *         them.
 * move    It must be pseudo-legal. A quiet move begins an exchange whose first capture is worth 0.
 */
SEEBATCH_SEE_INLINE bool seebatch_see_decide(const seebatch_see_rules *rules, const seebatch_see_board *board,
                                             const seebatch_see_pins *pins, seebatch_see_move move, int threshold)
{
    SEEBATCH_SEE_REFUSE(rules);
    const int *value = rules->value, stm = board->stm;
    const bool last_rank = seebatch_see_promotes(rules, move.to);
    int gain, victim;
    uint64_t emptied, capturers;
    const bool goes_on = seebatch_see_first(rules, move, &gain, &victim, &emptied);
    if (gain < threshold)
        return false;                                                   /* the enemy can stop here */
    const int ahead = gain - (threshold < -20000 ? -20000 : threshold); /* no value is less */
    if (!goes_on || (last_rank ? move.piece == SEEBATCH_SEE_KING : ahead >= victim))
        return true; /* it is enough, even if the piece is lost */
    if (seebatch_see_is_safe(board, move.to, emptied))
        return true;
    seebatch_see_pins found;
    if (rules->pins != SEEBATCH_SEE_PINS_IGNORED && !pins) {
        found = seebatch_see_find_pins(rules, board);
        pins = &found;
    }
    int need = victim - ahead, side = stm ^ 1;
    struct seebatch_see_exchange x = seebatch_see_begin(rules, board, pins, move.to, emptied);
    uint64_t allowed = seebatch_see_allowed(rules->pins, &x, side);

    /* Most exchanges end here, by a single branch, because a mispredicted branch costs more than the exchange: nothing
     * recaptures; or a pawn, knight or bishop does, and its value is less than the enemy needs; or we have nothing that
     * could recapture in turn. */
    const uint64_t ours = (x.attackers | seebatch_see_sliders_on_lines(x.types, x.to)) & x.colors[stm] & x.occupied;
    const bool rise = value[0] <= value[2] && value[1] <= value[2];
    const uint64_t pawns = seebatch_see_if_less(value[0], need) & x.types[0];
    const uint64_t minors = rise ? seebatch_see_if_less(value[2], need) & (x.types[1] | x.types[2]) : 0;
    const uint64_t cheap = allowed & (pawns | minors);
    const uint64_t lesser = allowed < ours ? allowed : ours; /* 0 if one of these disjoint sets is empty */
    if (!last_rank && (cheap | (0 - cheap)) >= lesser)
        return !allowed;

    for (; allowed; side ^= 1, allowed = seebatch_see_allowed(rules->pins, &x, side)) {
        /* clang-format off */
        SEEBATCH_SEE_STEP(SEEBATCH_SEE_PAWN, true, false)
        else SEEBATCH_SEE_STEP(SEEBATCH_SEE_KNIGHT, false, false)
        else SEEBATCH_SEE_STEP(SEEBATCH_SEE_BISHOP, true, false)
        else SEEBATCH_SEE_STEP(SEEBATCH_SEE_ROOK, false, true)
        else SEEBATCH_SEE_STEP(SEEBATCH_SEE_QUEEN, true, true)
        else return (side == stm) == (need > 0 && seebatch_see_king_may_capture(rules->pins, &x, side));
        /* clang-format on */
    }
    return side != stm; /* nobody captures */
}

/* The value of a move, from the point of view of the side that makes it, or SEEBATCH_SEE_ALWAYS. The answer is that of
 * seebatch_value() in the library. The arguments are those of seebatch_see_ge(). */
static inline int seebatch_see_value(const seebatch_see_rules *rules, const seebatch_see_board *board,
                                     const seebatch_see_pins *pins, seebatch_see_move move)
{
    SEEBATCH_SEE_CHECK_ARGUMENTS(rules, board, pins, move);
    const int *value = rules->value;
    int gains[32], n = 0, victim; /* gains: the balance after each capture, for the side that made it */
    uint64_t emptied;
    if (!seebatch_see_first(rules, move, &gains[0], &victim, &emptied) || move.piece == SEEBATCH_SEE_KING ||
        seebatch_see_is_safe(board, move.to, emptied))
        return gains[0];
    seebatch_see_pins found;
    if (rules->pins != SEEBATCH_SEE_PINS_IGNORED && !pins) {
        found = seebatch_see_find_pins(rules, board);
        pins = &found;
    }
    struct seebatch_see_exchange x = seebatch_see_begin(rules, board, pins, move.to, emptied);
    for (int side = board->stm ^ 1, type = 0; type != SEEBATCH_SEE_KING; side ^= 1) {
        const uint64_t allowed = seebatch_see_allowed(rules->pins, &x, side);
        for (type = SEEBATCH_SEE_PAWN; type < SEEBATCH_SEE_KING && !(allowed & x.types[type]);)
            type++;
        if (!allowed || (type == SEEBATCH_SEE_KING && !seebatch_see_king_may_capture(rules->pins, &x, side)))
            break;
        const bool promotes = type == SEEBATCH_SEE_PAWN && seebatch_see_promotes(rules, move.to);
        gains[n + 1] = victim - gains[n] + (promotes ? value[SEEBATCH_SEE_QUEEN] - value[SEEBATCH_SEE_PAWN] : 0);
        n++;
        victim = value[promotes ? SEEBATCH_SEE_QUEEN : type];
        seebatch_see_capture(&x, allowed & x.types[type], type != SEEBATCH_SEE_KNIGHT && type != SEEBATCH_SEE_ROOK,
                             type == SEEBATCH_SEE_ROOK || type == SEEBATCH_SEE_QUEEN);
    }
    for (; n; n--) /* each side may stop instead of capturing */
        gains[n - 1] = gains[n - 1] < -gains[n] ? gains[n - 1] : -gains[n];
    return gains[0];
}

#ifdef SEEBATCH_SEE_CHECK
/* seebatch_see_decide() with the checks. */
SEEBATCH_SEE_INLINE bool seebatch_see_ge(const seebatch_see_rules *rules, const seebatch_see_board *board,
                                         const seebatch_see_pins *pins, seebatch_see_move move, int threshold)
{
    SEEBATCH_SEE_CHECK_CONSTANTS(rules);
    SEEBATCH_SEE_CHECK_ARGUMENTS(rules, board, pins, move);
    return seebatch_see_decide(rules, board, pins, move, threshold);
}
#endif

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
