/*
 * An exchange in progress, and the steps of which it consists. value.c evaluates the exchanges that a move begins,
 * square.c those that a side may begin on a square, and explain.c shows them for people to read.
 */
#ifndef SEEBATCH_SCALAR_EXCHANGE_H
#define SEEBATCH_SCALAR_EXCHANGE_H

#include "board/attacks.h"
#include "seebatch.h"

#include <stdlib.h>

enum { OPEN = 20000 }; /* beyond every value, and every swap list entry that can still matter */

struct exchange {
    uint64_t of_type[6];
    uint64_t of_color[2];
    uint64_t diagonal_sliders, orthogonal_sliders;
    uint64_t occupied;  /* the pieces that have not taken part yet, never that on the to-square */
    uint64_t attackers; /* of both colours, among the occupied squares */
    seebatch_pins pins; /* under rules with pins */
    uint64_t pinned;    /* under rules of ray.h: the pieces of both colours that may not capture */
    int to;
    bool last_rank; /* a pawn that captures becomes a queen */
};

/* The first move of an exchange: what it wins, and what then stands on the to-square. */
struct first_move {
    int gain;
    int piece;         /* type */
    int color;         /* of the mover */
    uint64_t left;     /* squares that become empty: from, and that of a pawn captured en passant */
    bool no_recapture; /* nothing recaptures, or the rules ignore recaptures: gain is the value */
};

/* The value of a piece type. A king, which is never captured, and SEEBATCH_NO_PIECE count as 0. */
static inline int value_of(const seebatch_rules *rules, int type)
{
    return type <= SEEBATCH_QUEEN ? rules->value[type] : 0;
}

/* The squares of the enemy pawns that may capture en passant after a pawn's double step, whatever the en passant square
 * of the position is. Both sides must have a king. */
uint64_t seebatch_replies_en_passant(const seebatch_position *position, seebatch_move move);

static inline bool is_double_step(bool by_pawn, int from, int to) { return by_pawn & ((from ^ to) == 16); }

/* Whether a king's move is castling: a move by two files, or onto its own rook. */
static inline bool is_castling(const seebatch_position *p, int color, int from, int to)
{
    return abs(from - to) == 2 || (seebatch_occupied(p) >> to & 1 && seebatch_color_on(p, to) == color);
}

/* Gives a first move a fixed value. */
static inline void set_value(struct first_move *m, int value)
{
    m->gain = value;
    m->no_recapture = true;
}

/* Without always_inline, clang would make a call of it, with the result in memory. */
static inline __attribute__((always_inline)) struct first_move
first_move_of(const seebatch_rules *rules, const seebatch_position *p, seebatch_move move)
{
    const int from = seebatch_from(move), to = seebatch_to(move);
    const int captured = seebatch_type_on(p, to);
    struct first_move m;
    m.piece = seebatch_type_on(p, from);
    m.color = seebatch_color_on(p, from);
    m.gain = value_of(rules, captured);
    m.left = square_bb(from);
    m.no_recapture = false;
    const int promotion = seebatch_promotion(move);
    const bool en_passant =
        (m.piece == SEEBATCH_PAWN) & (captured == SEEBATCH_NO_PIECE) & (((from ^ to) & 7) != 0); /* no branch */
    if (en_passant) {
        m.gain = rules->value[SEEBATCH_PAWN];
        m.left |= (uint64_t)(rules->en_passant != SEEBATCH_EN_PASSANT_STANDING) << (to ^ 8);
        if (rules->en_passant == SEEBATCH_EN_PASSANT_ZERO || rules->en_passant == SEEBATCH_EN_PASSANT_ALWAYS)
            set_value(&m, rules->en_passant == SEEBATCH_EN_PASSANT_ZERO ? 0 : SEEBATCH_ALWAYS);
    } else if (promotion) {
        if (rules->promotions != SEEBATCH_PROMOTE_NONE) {
            m.gain += rules->value[promotion] - rules->value[SEEBATCH_PAWN];
            m.piece = promotion;
        }
        if (rules->promotion != SEEBATCH_PROMOTION_EVALUATED)
            set_value(&m, rules->promotion == SEEBATCH_PROMOTION_ZERO ? 0 : SEEBATCH_ALWAYS);
    } else if (m.piece == SEEBATCH_KING) {
        m.no_recapture = true;
        if (captured != SEEBATCH_NO_PIECE && seebatch_color_on(p, to) == m.color)
            m.gain = 0; /* castling, as king takes rook */
        if (rules->castling == SEEBATCH_CASTLING_ALWAYS && is_castling(p, m.color, from, to))
            m.gain = SEEBATCH_ALWAYS;
    }
    return m;
}

/* Counts replies en passant, if the rules do. A recapture on the to-square after a double step wins no more than the
 * pawn, either. */
static inline void count_replies(const seebatch_rules *rules, const seebatch_position *p, seebatch_move move,
                                 struct first_move *m)
{
    if (rules->en_passant_replies == SEEBATCH_EN_PASSANT_REPLIES_COUNTED &&
        is_double_step(m->piece == SEEBATCH_PAWN, seebatch_from(move), seebatch_to(move)) &&
        seebatch_replies_en_passant(p, move))
        set_value(m, -rules->value[SEEBATCH_PAWN]);
}

/* The sliders that would attack the to-square if these squares were occupied. */
static inline uint64_t diagonal_attackers(const struct exchange *x, uint64_t occupied)
{
    return bishop_attacks(x->to, occupied) & x->diagonal_sliders & occupied;
}

static inline uint64_t orthogonal_attackers(const struct exchange *x, uint64_t occupied)
{
    return rook_attacks(x->to, occupied) & x->orthogonal_sliders & occupied;
}

/* The x-ray attackers: the sliders right behind the attackers. */
static inline uint64_t xray_attackers(const struct exchange *x)
{
    const uint64_t occupied = x->occupied & ~x->attackers;
    return diagonal_attackers(x, occupied) | orthogonal_attackers(x, occupied);
}

/* Sets the pieces of the board, which do not depend on the square of the exchange. */
static inline void init_pieces(struct exchange *x, const seebatch_position *p)
{
    for (int type = SEEBATCH_PAWN; type <= SEEBATCH_KING; type++)
        x->of_type[type] = seebatch_pieces_of_type(p, type);
    const uint64_t occupied = seebatch_occupied(p);
    x->of_color[SEEBATCH_WHITE] = p->white;
    x->of_color[SEEBATCH_BLACK] = occupied & ~p->white;
    x->diagonal_sliders = p->plane[0] & ~p->plane[2];
    x->orthogonal_sliders = p->plane[1] & ~p->plane[2];
}

/* The lines of a king on which an enemy slider stands that moves along them, whatever stands in between. If there is no
 * king, these are the lines of some square. */
static inline uint64_t slider_lines_of_king(const struct exchange *x, int color)
{
    const uint64_t king = x->of_type[SEEBATCH_KING] & x->of_color[color];
    const struct see_square *s = &seebatch_squares[king ? lowest_square(king) : 0]; /* no king: any square will do */
    const uint64_t rooks = x->orthogonal_sliders & x->of_color[!color],
                   bishops = x->diagonal_sliders & x->of_color[!color];
    return (rooks & s->file ? s->file : 0) | (rooks & s->rank ? s->rank : 0) |
           (bishops & s->diagonal ? s->diagonal : 0) | (bishops & s->antidiagonal ? s->antidiagonal : 0);
}

/* Everything that attacks the square. */
static inline uint64_t all_attackers(const struct exchange *x)
{
    const int to = x->to;
    return ((knight_attacks(to) & x->of_type[SEEBATCH_KNIGHT]) | (king_attacks(to) & x->of_type[SEEBATCH_KING]) |
            (pawn_attacks(SEEBATCH_BLACK, to) & x->of_type[SEEBATCH_PAWN] & x->of_color[SEEBATCH_WHITE]) |
            (pawn_attacks(SEEBATCH_WHITE, to) & x->of_type[SEEBATCH_PAWN] & x->of_color[SEEBATCH_BLACK]) |
            diagonal_attackers(x, x->occupied) | orthogonal_attackers(x, x->occupied)) &
           x->occupied;
}

/* Begins an exchange on a square, with the pieces in place. `left` are the squares that are empty already. */
static inline void init_attackers(struct exchange *x, int to, uint64_t left)
{
    x->to = to;
    x->occupied = (x->of_color[SEEBATCH_WHITE] | x->of_color[SEEBATCH_BLACK]) & ~(left | square_bb(to));
    x->attackers = all_attackers(x);
}

/* Begins an exchange on a square of a position. */
static inline void init_exchange(struct exchange *x, const seebatch_position *p, int to, uint64_t left)
{
    init_pieces(x, p);
    init_attackers(x, to, left);
}

/* The capturing piece leaves its square, and the slider behind it joins. */
static inline void remove_attacker(struct exchange *x, int type, uint64_t from)
{
    x->occupied ^= from;
    if (type == SEEBATCH_PAWN || type == SEEBATCH_BISHOP || type == SEEBATCH_QUEEN || type == SEEBATCH_KING)
        x->attackers |= diagonal_attackers(x, x->occupied);
    if (type == SEEBATCH_ROOK || type == SEEBATCH_QUEEN || type == SEEBATCH_KING)
        x->attackers |= orthogonal_attackers(x, x->occupied);
    x->attackers &= x->occupied;
}

/* Whether the king may capture: nothing may attack the to-square once the king has left its own square. */
static inline bool king_may_capture(const struct exchange *x, int color, uint64_t king)
{
    struct exchange after = *x;
    remove_attacker(&after, SEEBATCH_KING, king);
    return !(after.attackers & x->of_color[!color]);
}

/* The attackers of a side that no pin keeps from capturing now. */
static inline uint64_t unpinned_attackers(const struct exchange *x, int pin_rule, int color)
{
    const uint64_t attackers = x->attackers & x->of_color[color];
    const uint64_t pinners = x->pins.pinners[color];
    if ((pin_rule == SEEBATCH_PINS_ANY && pinners & x->occupied) ||
        (pin_rule == SEEBATCH_PINS_ALL && pinners && !(pinners & ~x->occupied)))
        return attackers & ~x->pins.blockers[color];
    return attackers;
}

/* Whether some pieces stand on a line from an enemy slider to a king: to either king if legal, otherwise to their own
 * king. The function reads the position, so that no exchange has to be in memory for it. */
static inline __attribute__((always_inline)) bool are_on_lines_of_kings(const seebatch_position *position,
                                                                        uint64_t pieces, bool legal)
{
    struct exchange x;
    init_pieces(&x, position);
    uint64_t on_lines = 0;
    for (int color = SEEBATCH_WHITE; color <= SEEBATCH_BLACK; color++)
        on_lines |= (legal ? pieces : pieces & x.of_color[color]) & slider_lines_of_king(&x, color);
    return on_lines != 0;
}

/* Whether unpinned_attackers() will certainly leave out no attacker, so that the early exits hold. `left` are the squares that the first move has left. */
static inline bool kings_are_safe(const seebatch_position *position, int pin_rule, const seebatch_pins *pins,
                                  uint64_t attackers, uint64_t left)
{
    if (pin_rule == SEEBATCH_PINS_LEGAL)
        return !are_on_lines_of_kings(position, attackers | left, true);
    if (pins)
        return !(attackers & ((pins->blockers[SEEBATCH_WHITE] & position->white) |
                              (pins->blockers[SEEBATCH_BLACK] & ~position->white)));
    return !are_on_lines_of_kings(position, attackers, false);
}

/* Finds the least valuable of a set of attackers that is not empty: returns its type, and sets *from to its bit, which
 * is the lowest of its type. */
static inline int least_valuable(const struct exchange *x, uint64_t attackers, uint64_t *from)
{
    int type = SEEBATCH_PAWN;
    uint64_t candidates;
    while (!(candidates = attackers & x->of_type[type]) && type < SEEBATCH_KING)
        type++;
    *from = candidates & (0 - candidates);
    return type;
}

#endif
