/*
 * An exchange whose rules can be switched one by one: as `legal` but without pins, say, or as `swap` but with
 * promotions. Where two rule sets disagree, such rules between the two show which difference matters.
 *
 * A board of 64 squares, attacks found by walking from the square outwards, pieces really moved and taken back. Where a
 * rule set of the library has the same features, the values are the same; `seebatch compare` checks that for every
 * disagreement that it explains.
 *
 * The oracle of the tests (tests/oracle.c) is a second program of this kind, and the two stay apart for three reasons.
 * The oracle reads whole rule sets as they are documented, and cannot switch pins, checks and the king's turn one by
 * one, which this file is for. The oracle includes nothing of the project and ships with none of it, while this file
 * takes positions and moves from the library. And a rule that somebody misread would pass every test if the same code
 * answered for both: so the oracle judges the library, and tool_fields compares the library with this file.
 */
#include <stdlib.h>
#include <string.h>

#include "compare.h"

struct exchange {
    const struct features *features;
    const int16_t *values;
    int8_t type[64], color[64];
    int to;
    int king[2];           /* SEEBATCH_NO_SQUARE: none */
    uint64_t blockers[2];  /* before the king of that colour, as the position was before the first move */
    uint64_t pinners[2];   /* of the king of that colour */
    uint64_t pinned;       /* under SEEBATCH_PINS_RAY_...: blockers that may not capture */
    uint64_t part;         /* under SEEBATCH_PINS_RAY_ONCE...: those that take part; otherwise all */
    uint64_t tolerated[2]; /* enemy pieces to which a side has opened a line to its own king, pins being ignored */
    long left;             /* captures that may still be played; below 0 the search is given up */
};

static uint64_t bit(int square) { return UINT64_C(1) << square; }

static int value_of(const struct exchange *x, int type) { return type <= SEEBATCH_QUEEN ? x->values[type] : 0; }

/* ---- Attacks ---------------------------------------------------------------------------------------------------- */

static const int8_t king_steps[8][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
static const int8_t knight_steps[8][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

/* Returns the square a step away, or -1 beyond the edge. */
static int step_from(int square, const int8_t step[2])
{
    int file = square % 8 + step[0], rank = square / 8 + step[1];
    return file < 0 || file > 7 || rank < 0 || rank > 7 ? -1 : rank * 8 + file;
}

static bool slides_along(int type, const int8_t step[2])
{
    bool diagonal = step[0] != 0 && step[1] != 0;
    return type == SEEBATCH_QUEEN || type == (diagonal ? SEEBATCH_BISHOP : SEEBATCH_ROOK);
}

/* Finds the pieces of a colour that attack a square. */
static uint64_t attackers_to(const struct exchange *x, int square, int color)
{
    uint64_t attackers = 0;
    for (int i = 0; i < 8; i++) {
        int from = step_from(square, knight_steps[i]);
        if (from >= 0 && x->type[from] == SEEBATCH_KNIGHT && x->color[from] == color)
            attackers |= bit(from);

        const int8_t *step = king_steps[i];
        int distance = 1;
        for (from = step_from(square, step); from >= 0 && x->type[from] == SEEBATCH_NO_PIECE; distance++)
            from = step_from(from, step);
        if (from < 0 || x->color[from] != color)
            continue;
        /* step leads away from the square, against the way that a pawn captures */
        bool pawn = x->type[from] == SEEBATCH_PAWN && step[0] != 0 && step[1] == (color == SEEBATCH_WHITE ? -1 : 1);
        bool near = pawn || x->type[from] == SEEBATCH_KING;
        if (slides_along(x->type[from], step) || (distance == 1 && near))
            attackers |= bit(from);
    }
    return attackers;
}

/* Finds the blockers and pinners of a king along one line. */
static void find_pins_along(struct exchange *x, int color, const int8_t step[2])
{
    int rule = x->features->setting[FEATURE_PIN];
    bool passes_over = rule == SEEBATCH_PINS_ANY || rule == SEEBATCH_PINS_RAY_EACH;
    int between = 0, blocker = 0;
    for (int s = step_from(x->king[color], step); s >= 0; s = step_from(s, step)) {
        if (x->type[s] == SEEBATCH_NO_PIECE)
            continue;
        bool sniper = x->color[s] != color && slides_along(x->type[s], step);
        if (sniper && between == 1) {
            x->blockers[color] |= bit(blocker);
            if (x->color[blocker] == color)
                x->pinners[color] |= bit(s);
        }
        if (sniper && passes_over)
            continue; /* snipers do not count as standing between */
        between++;
        blocker = s;
    }
}

/* Whether three squares are on one rank, file or diagonal. */
static bool in_line(int a, int b, int c)
{
    int right_b = b % 8 - a % 8, up_b = b / 8 - a / 8, right_c = c % 8 - a % 8, up_c = c / 8 - a / 8;
    return (right_b == 0 && right_c == 0) || (up_b == 0 && up_c == 0) || (right_b == up_b && right_c == up_c) ||
           (right_b == -up_b && right_c == -up_c);
}

static bool is_once(int rule) { return rule == SEEBATCH_PINS_RAY_ONCE || rule == SEEBATCH_PINS_RAY_ONCE_BOTH; }

/* The pieces that may capture along their pins only: not those that are free before one of the kings. */
static uint64_t pinned_pieces(const struct exchange *x)
{
    int rule = x->features->setting[FEATURE_PIN];
    bool either = rule == SEEBATCH_PINS_RAY_ONCE_BOTH || rule == SEEBATCH_PINS_RAY_EACH;
    uint64_t pinned = 0, freed = 0;
    for (int color = SEEBATCH_WHITE; color <= SEEBATCH_BLACK; color++)
        for (int s = 0; s < 64; s++) {
            if (!(x->blockers[color] & bit(s)) || (x->color[s] != color && !either))
                continue;
            pinned |= bit(s);
            freed |= in_line(x->king[color], s, x->to) ? bit(s) : 0;
        }
    return rule >= SEEBATCH_PINS_RAY_ONCE && rule <= SEEBATCH_PINS_RAY_STANDING ? pinned & ~freed : 0;
}

/* Who takes part from now on, where a piece has captured that lets sliders of its kind in. */
static uint64_t joined(const struct exchange *x, int type)
{
    uint64_t attackers = attackers_to(x, x->to, SEEBATCH_WHITE) | attackers_to(x, x->to, SEEBATCH_BLACK), result = 0;
    for (int s = 0; s < 64; s++) {
        bool straight = s % 8 == x->to % 8 || s / 8 == x->to / 8;
        bool along = straight ? type == SEEBATCH_ROOK || type == SEEBATCH_QUEEN
                              : type == SEEBATCH_PAWN || type == SEEBATCH_BISHOP || type == SEEBATCH_QUEEN;
        bool slider = x->type[s] == SEEBATCH_QUEEN || x->type[s] == (straight ? SEEBATCH_ROOK : SEEBATCH_BISHOP);
        if (attackers & bit(s) && along && slider)
            result |= bit(s);
    }
    return result;
}

/* ---- Who may capture -------------------------------------------------------------------------------------------- */

/* Finds the enemies that attack the king of a side, except for the one on the square of the exchange. */
static uint64_t checkers(const struct exchange *x, int color)
{
    return x->king[color] == SEEBATCH_NO_SQUARE ? 0 : attackers_to(x, x->king[color], !color) & ~bit(x->to);
}

/* checkers() when a piece of the side has left its square. */
static uint64_t checkers_without(struct exchange *x, int color, int from)
{
    int8_t type = x->type[from];
    x->type[from] = SEEBATCH_NO_PIECE;
    uint64_t result = checkers(x, color);
    x->type[from] = type;
    return result;
}

static bool is_pinned_by_rule(const struct exchange *x, int color, int from)
{
    int rule = x->features->setting[FEATURE_PIN];
    uint64_t in_place = 0;
    if (rule == SEEBATCH_PINS_RAY_EACH)
        return x->pinned & bit(from);
    if (rule == SEEBATCH_PINS_RAY_STANDING) {
        for (int s = 0; s < 64; s++)
            if (x->pinners[color] & bit(s) && (s == x->to || x->type[s] != SEEBATCH_NO_PIECE))
                return x->pinned & bit(from);
        return false;
    }
    for (int s = 0; s < 64; s++)
        if (x->pinners[color] & bit(s) && s != x->to && x->type[s] != SEEBATCH_NO_PIECE)
            in_place |= bit(s);
    bool pinned = rule == SEEBATCH_PINS_ANY ? in_place != 0 : in_place == x->pinners[color];
    return (rule == SEEBATCH_PINS_ANY || rule == SEEBATCH_PINS_ALL) && pinned && x->blockers[color] & bit(from);
}

/* Whether an attacker that is no king may capture. */
static bool may_capture(struct exchange *x, int color, int from)
{
    uint64_t before = checkers(x, color), opened = checkers_without(x, color, from) & ~before;
    if (is_pinned_by_rule(x, color, from))
        return false;
    if (x->features->setting[FEATURE_PIN] == SEEBATCH_PINS_LEGAL && opened)
        return false;
    return !(x->features->setting[FEATURE_CHECK] && before & ~x->tolerated[color]);
}

static bool king_may_capture(struct exchange *x, int color)
{
    int king = x->king[color];
    uint64_t before = attackers_to(x, x->to, !color);
    if (is_pinned_by_rule(x, color, king) || !(x->part & bit(king)))
        return false;
    x->type[king] = SEEBATCH_NO_PIECE;
    uint64_t guards = attackers_to(x, x->to, !color);
    x->type[king] = SEEBATCH_KING;
    return (guards & (x->part | ~before)) == 0;
}

/* ---- The exchange ----------------------------------------------------------------------------------------------- */

static int best_of(struct exchange *x, int color, int victim_value);

/* What a side gets by capturing with a piece that is no king. Everything is as before afterwards. */
static int capture(struct exchange *x, int color, int from, int victim_value)
{
    int8_t type = x->type[from], old_type = x->type[x->to], old_color = x->color[x->to];
    uint64_t tolerated = x->tolerated[color], part = x->part;
    bool promotes = type == SEEBATCH_PAWN && (x->to < 8 || x->to >= 56) &&
                    x->features->setting[FEATURE_PROMOTION] == SEEBATCH_PROMOTE_ALL;
    int8_t stays = promotes ? SEEBATCH_QUEEN : type;

    x->left--;
    x->tolerated[color] |= checkers_without(x, color, from) & ~checkers(x, color);
    x->type[from] = SEEBATCH_NO_PIECE;
    x->type[x->to] = stays;
    x->color[x->to] = (int8_t)color;
    if (is_once(x->features->setting[FEATURE_PIN]))
        x->part = (x->part & ~bit(from)) | joined(x, type);
    int value = victim_value + value_of(x, stays) - value_of(x, type) - best_of(x, !color, value_of(x, stays));
    x->type[x->to] = old_type;
    x->color[x->to] = old_color;
    x->type[from] = type;
    x->tolerated[color] = tolerated;
    x->part = part;
    return value;
}

/* Returns the pieces of a side, except for the king, with which its rules let it choose to capture. */
static uint64_t choices(struct exchange *x, int color)
{
    uint64_t attackers = attackers_to(x, x->to, color) & x->part, allowed = 0, least = 0;
    for (int type = SEEBATCH_PAWN; type <= SEEBATCH_QUEEN; type++)
        for (int from = 0; from < 64; from++)
            if (attackers & bit(from) && x->type[from] == type && may_capture(x, color, from)) {
                allowed |= bit(from);
                least = least ? least : bit(from);
            }
    return x->features->setting[FEATURE_ORDER] == SEEBATCH_BEST_ORDER ? allowed : least;
}

/* What a side gets when it may capture what stands on the square, or stop. */
static int best_of(struct exchange *x, int color, int victim_value)
{
    int king = x->king[color], best = 0;
    int promotion = x->values[SEEBATCH_QUEEN] - x->values[SEEBATCH_PAWN];
    int most = victim_value + (promotion > 0 && (x->to < 8 || x->to >= 56) ? promotion : 0);
    bool with_king =
        king != SEEBATCH_NO_SQUARE && attackers_to(x, x->to, color) & bit(king) && king_may_capture(x, color);
    bool king_first = with_king && x->features->setting[FEATURE_KING];
    uint64_t others = choices(x, color);
    if (king_first || (with_king && !others))
        best = victim_value;
    if (king_first && x->features->setting[FEATURE_ORDER] == SEEBATCH_LEAST_VALUABLE_FIRST)
        return best;
    for (int from = 0; from < 64 && best < most && x->left >= 0; from++) {
        if (!(others & bit(from)))
            continue;
        int value = capture(x, color, from, victim_value);
        if (value > best)
            best = value;
    }
    return best;
}

static void init_exchange(struct exchange *x, const seebatch_position *position)
{
    x->king[SEEBATCH_WHITE] = x->king[SEEBATCH_BLACK] = SEEBATCH_NO_SQUARE;
    for (int s = 0; s < 64; s++) {
        x->type[s] = (int8_t)seebatch_type_on(position, s);
        x->color[s] = (int8_t)seebatch_color_on(position, s);
        if (x->type[s] == SEEBATCH_KING)
            x->king[x->color[s]] = s;
    }
    for (int color = SEEBATCH_WHITE; color <= SEEBATCH_BLACK; color++)
        for (int i = 0; i < 8 && x->king[color] != SEEBATCH_NO_SQUARE; i++)
            find_pins_along(x, color, king_steps[i]);
    x->pinned = pinned_pieces(x);
    x->part = UINT64_MAX;
}

/* Whether an enemy pawn beside a pawn that has made its double step may take it en passant. */
static bool has_reply_en_passant(struct exchange *x, int color)
{
    static const int8_t beside[2][2] = {{-1, 0}, {1, 0}};
    int passed = color == SEEBATCH_WHITE ? x->to - 8 : x->to + 8;
    bool legal = false;
    for (int i = 0; i < 2; i++) {
        int from = step_from(x->to, beside[i]);
        if (from < 0 || x->type[from] != SEEBATCH_PAWN || x->color[from] == color)
            continue;
        x->type[from] = x->type[x->to] = SEEBATCH_NO_PIECE;
        x->type[passed] = SEEBATCH_PAWN;
        x->color[passed] = (int8_t)!color;
        legal |= attackers_to(x, x->king[!color], color) == 0;
        x->type[from] = x->type[x->to] = SEEBATCH_PAWN;
        x->type[passed] = SEEBATCH_NO_PIECE;
    }
    return legal;
}

/* Whether the rules give a first move a value of its own: 0, or SEEBATCH_ALWAYS. */
static bool has_fixed_value(const struct exchange *x, bool castling, bool promotion, bool en_passant, int *value)
{
    const uint16_t special = x->features->setting[FEATURE_SPECIAL];
    const bool always = (castling && special_castling(special) == SEEBATCH_CASTLING_ALWAYS) ||
                        (promotion && special_promotion(special) == SEEBATCH_PROMOTION_ALWAYS) ||
                        (en_passant && special_en_passant(special) == SEEBATCH_EN_PASSANT_ALWAYS);
    *value = always ? SEEBATCH_ALWAYS : 0;
    return always || castling || (promotion && special_promotion(special) == SEEBATCH_PROMOTION_ZERO) ||
           (en_passant && special_en_passant(special) == SEEBATCH_EN_PASSANT_ZERO);
}

/* The value, once the board is set up. */
static int first_move_value(struct exchange *x, seebatch_move move)
{
    int from = seebatch_from(move), to = seebatch_to(move), promotion = seebatch_promotion(move);
    int type = x->type[from], color = x->color[from], captured = x->type[to], own;
    bool en_passant = type == SEEBATCH_PAWN && from % 8 != to % 8 && captured == SEEBATCH_NO_PIECE;
    bool castling = type == SEEBATCH_KING &&
                    (abs(from % 8 - to % 8) > 1 || (captured != SEEBATCH_NO_PIECE && x->color[to] == color));
    const uint16_t special = x->features->setting[FEATURE_SPECIAL];
    if (has_fixed_value(x, castling, promotion != 0, en_passant, &own))
        return own;
    int gain = value_of(x, en_passant ? SEEBATCH_PAWN : captured), stays = type;
    if (promotion != 0 && x->features->setting[FEATURE_PROMOTION] != SEEBATCH_PROMOTE_NONE) {
        gain += x->values[promotion] - x->values[SEEBATCH_PAWN];
        stays = promotion;
    }
    if (type == SEEBATCH_KING)
        return gain;
    x->type[from] = SEEBATCH_NO_PIECE;
    if (en_passant && special_en_passant(special) != SEEBATCH_EN_PASSANT_STANDING)
        x->type[from - from % 8 + to % 8] = SEEBATCH_NO_PIECE;
    x->type[to] = (int8_t)stays;
    x->color[to] = (int8_t)color;
    if (is_once(x->features->setting[FEATURE_PIN]))
        x->part = ~x->pinned;
    if (special_replies(special) && type == SEEBATCH_PAWN && abs(from - to) == 16 && has_reply_en_passant(x, color))
        return gain - x->values[SEEBATCH_PAWN]; /* as much as the square itself can give */
    return gain - best_of(x, !color, value_of(x, stays));
}

bool relaxed_value(const struct features *features, const int16_t values[5], const seebatch_position *position,
                   seebatch_move move, long limit, int *value)
{
    struct exchange x = {.features = features, .values = values, .to = seebatch_to(move), .left = limit};
    init_exchange(&x, position);
    int result = first_move_value(&x, move);
    if (x.left < 0)
        return false;
    *value = result;
    return true;
}
