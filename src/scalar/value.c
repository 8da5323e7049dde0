/*
 * Finds the value of a move: first by early exits, then by the decision, which needs the sets of attackers and no loop
 * (bounds.h). Moves that both leave pending go to the swap loop (swap.h) or, if each side chooses its order, to the
 * search (legal.c).
 *
 * Loop and search work within a window, [alpha, beta], which is open for a value and [threshold - 1, threshold] for a
 * threshold.
 */
#include "bounds.h"
#include "legal.h"
#include "ray.h"
#include "scalar.h"
#include "swap.h"

static inline bool is_last_rank(const seebatch_rules *rules, seebatch_move move)
{
    const int to = seebatch_to(move);
    return see_later_pawns_promote(rules) && (to < 8 || to >= 56);
}

/* Begins the exchange after a first move other than en passant. Returns the squares of the enemy, and those without
 * pieces. */
static inline uint64_t init_after(struct exchange *x, const seebatch_rules *rules, const seebatch_position *position,
                                  seebatch_move move, enum swap_class rule_class)
{
    const int from = seebatch_from(move);
    init_exchange(x, position, seebatch_to(move), square_bb(from));
    x->last_rank = rule_class != SWAP_PLAIN && is_last_rank(rules, move);
    return position->white ^ (0 - (position->white >> from & 1));
}

static int clamped(int value, int alpha, int beta) { return value < alpha ? alpha : value > beta ? beta : value; }

/* A first move, with the replies to it. */
static inline struct first_move read_first_move(const seebatch_rules *rules, const seebatch_position *position,
                                                seebatch_move move)
{
    struct first_move m = first_move_of(rules, position, move);
    count_replies(rules, position, move, &m);
    return m;
}

bool seebatch_fixed_value(const seebatch_rules *rules, const seebatch_position *position, seebatch_move move,
                          int16_t *value)
{
    const struct first_move m = read_first_move(rules, position, move);
    *value = (int16_t)m.gain;
    return m.no_recapture;
}

/* The value of an exchange, by the swap loop or, if each side chooses its order, by the search. It is clamped to
 * [alpha, beta], except for a first move with a fixed value. `simple` is the result of is_simple(); if it is true and
 * there are no x-ray attackers, least valuable first is the best order. */
static __attribute__((noinline)) int find_value(const seebatch_rules *rules, const seebatch_position *position,
                                                const seebatch_pins *pins, seebatch_move move, int alpha, int beta,
                                                bool simple)
{
    const struct first_move m = read_first_move(rules, position, move);
    if (m.no_recapture)
        return m.gain;
    const int victim = value_of(rules, m.piece);
    struct exchange x;
    init_exchange(&x, position, seebatch_to(move), m.left);
    x.last_rank = is_last_rank(rules, move);
    if (rules->order == SEEBATCH_BEST_ORDER && !(simple && !xray_attackers(&x))) {
        const int value = m.gain - seebatch_legal_value(rules, &x, !m.color, victim, m.gain - beta, m.gain - alpha);
        return clamped(value, alpha, beta);
    }
    if (see_rules_read_pins(rules)) {
        if (pins)
            x.pins = *pins;
        else
            seebatch_find_pins(rules, position, &x.pins);
    }
    if (see_rules_are_ray(rules))
        find_pinned_pieces(&x, rules->pins);
    return -resolve(rules, &x, !m.color, -m.gain, victim, -beta, -alpha);
}

int seebatch_scalar_exchange(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                             seebatch_move move, int alpha, int beta)
{
    return find_value(rules, position, pins, move, alpha, beta, false);
}

/* Whether every attacker may certainly capture, and none becomes a queen. */
static inline __attribute__((always_inline)) bool is_simple(const seebatch_rules *rules,
                                                            const seebatch_position *position,
                                                            const seebatch_pins *pins, const struct exchange *x,
                                                            uint64_t left, bool monotonic, enum swap_class rule_class)
{
    if (rule_class == SWAP_PLAIN)
        return true;
    if (x->last_rank && x->attackers & x->of_type[SEEBATCH_PAWN])
        return false;
    if (rule_class == SWAP_RAY)
        return no_attacker_is_pinned(x, rules->pins, pins);
    return (rules->pins == SEEBATCH_PINS_IGNORED || kings_are_safe(position, rules->pins, pins, x->attackers, left)) &&
           (rules->order != SEEBATCH_BEST_ORDER || monotonic);
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

/* The value of an exchange whose first move wins gain and puts a piece worth victim on the square. Not for en passant.
 * Moves that the decision leaves pending are handled in another function, so that everything fits in registers here. */
static inline __attribute__((always_inline)) int value_of_exchange(const seebatch_rules *rules,
                                                                   const seebatch_position *position,
                                                                   const seebatch_pins *pins, seebatch_move move,
                                                                   int gain, int victim, enum swap_class rule_class)
{
    struct exchange x;
    const uint64_t enemy = init_after(&x, rules, position, move, rule_class);
    if (!(x.attackers & enemy))
        return gain;
    const bool monotonic = see_values_are_monotonic(rules);
    if (!is_simple(rules, position, pins, &x, square_bb(seebatch_from(move)), monotonic, rule_class))
        return find_value(rules, position, pins, move, -OPEN, OPEN, false);
    const struct bounds rough = rough_bounds(rules, &x, enemy, victim);
    int lost;
    if (is_resolved(&x, rough, xray_attackers(&x), enemy, victim, monotonic, &lost))
        return gain - lost;
    return find_value(rules, position, pins, move, -OPEN, OPEN, true);
}

/* Whether it reaches a threshold. `need` says how much has to come back of the piece that moved. */
static inline __attribute__((always_inline)) bool exchange_reaches(const seebatch_rules *rules,
                                                                   const seebatch_position *position,
                                                                   const seebatch_pins *pins, seebatch_move move,
                                                                   int threshold, int need, enum swap_class rule_class)
{
    struct exchange x;
    const uint64_t enemy = init_after(&x, rules, position, move, rule_class);
    if (!(x.attackers & enemy))
        return true;
    const bool monotonic = see_values_are_monotonic(rules);
    const bool simple = is_simple(rules, position, pins, &x, square_bb(seebatch_from(move)), monotonic, rule_class);
    if (simple) {
        if (rule_class != SWAP_PLAIN && need <= 0)
            return true; /* where pawns may become queens, the early exits did not ask */
        const enum decision decision = decide_threshold(rules, &x, enemy, need, monotonic);
        if (__builtin_expect(decision != DECISION_PENDING, 1))
            return decision == DECISION_YES;
    }
    return find_value(rules, position, pins, move, threshold - 1, threshold, simple) >= threshold;
}

/* Both are compiled for each rule class, as functions with so few arguments that their callers need to keep nothing on
 * the stack. They take the move as a number of 64 bits and narrow it inside: gcc 16 stores a parameter of 16 bits as two
 * bytes when it runs out of registers, and loads four. No processor gives a load the bytes of a narrower store that is
 * still pending; on Zen 4 each exchange took 20% longer. The test `forwarding` finds such loads. */
#define ANSWERS_OF_CLASS(name, rule_class)                                                                             \
    static                                                                                                             \
        __attribute__((noinline)) int name##_value(const seebatch_rules *rules, const seebatch_position *position,     \
                                                   const seebatch_pins *pins, size_t wide_move, int gain, int victim)  \
    {                                                                                                                  \
        return value_of_exchange(rules, position, pins, (seebatch_move)wide_move, gain, victim, rule_class);           \
    }                                                                                                                  \
    static __attribute__((noinline)) bool name##_reaches(const seebatch_rules *rules,                                  \
                                                         const seebatch_position *position, const seebatch_pins *pins, \
                                                         size_t wide_move, int threshold, int need)                    \
    {                                                                                                                  \
        return exchange_reaches(rules, position, pins, (seebatch_move)wide_move, threshold, need, rule_class);         \
    }

ANSWERS_OF_CLASS(plain, SWAP_PLAIN)
ANSWERS_OF_CLASS(pins, SWAP_PINS)
ANSWERS_OF_CLASS(ray, SWAP_RAY)

static inline int value_by_class(const seebatch_rules *rules, const seebatch_position *position,
                                 const seebatch_pins *pins, seebatch_move move, int gain, int victim, bool last_rank)
{
    if (rules->pins == SEEBATCH_PINS_IGNORED && !last_rank)
        return plain_value(rules, position, pins, move, gain, victim);
    return see_rules_are_ray(rules) ? ray_value(rules, position, pins, move, gain, victim)
                                    : pins_value(rules, position, pins, move, gain, victim);
}

static inline bool reaches_by_class(const seebatch_rules *rules, const seebatch_position *position,
                                    const seebatch_pins *pins, seebatch_move move, int threshold, int need,
                                    bool last_rank)
{
    if (rules->pins == SEEBATCH_PINS_IGNORED && !last_rank)
        return plain_reaches(rules, position, pins, move, threshold, need);
    return see_rules_are_ray(rules) ? ray_reaches(rules, position, pins, move, threshold, need)
                                    : pins_reaches(rules, position, pins, move, threshold, need);
}

/* ---- First moves ------------------------------------------------------------------------------------------------- */

/* Evaluates any first move, out of line. */
static __attribute__((noinline)) int special_value(const seebatch_rules *rules, const seebatch_position *position,
                                                   const seebatch_pins *pins, seebatch_move move)
{
    const struct first_move m = read_first_move(rules, position, move);
    if (m.no_recapture)
        return m.gain;
    if (more_than_one(m.left)) /* en passant */
        return find_value(rules, position, pins, move, -OPEN, OPEN, false);
    return value_by_class(rules, position, pins, move, m.gain, value_of(rules, m.piece), is_last_rank(rules, move));
}

static __attribute__((noinline)) bool special_reaches(const seebatch_rules *rules, const seebatch_position *position,
                                                      const seebatch_pins *pins, seebatch_move move, int threshold)
{
    const struct first_move m = read_first_move(rules, position, move);
    if (m.no_recapture || m.gain < threshold)
        return m.gain >= threshold;
    const bool last_rank = is_last_rank(rules, move);
    const int need = threshold - m.gain + value_of(rules, m.piece);
    if (!last_rank && need <= 0)
        return true;
    if (more_than_one(m.left)) /* en passant */
        return find_value(rules, position, pins, move, threshold - 1, threshold, false) >= threshold;
    return reaches_by_class(rules, position, pins, move, threshold, need, last_rank);
}

/* What the planes say of a square. */
enum { CODE_EMPTY = 0, CODE_PAWN = 4, CODE_KING = 6 };

static inline unsigned code_on(const seebatch_position *p, int square)
{
    return (unsigned)((p->plane[0] >> square & 1) + 2 * (p->plane[1] >> square & 1) + 4 * (p->plane[2] >> square & 1));
}

/* The value of a code that is neither empty nor a king. */
static inline int value_of_code(const seebatch_rules *rules, unsigned code)
{
    static const uint8_t type_of_code[8] = {0, SEEBATCH_BISHOP, SEEBATCH_ROOK, SEEBATCH_QUEEN, 0, SEEBATCH_KNIGHT, 0,
                                            0};
    return rules->value[type_of_code[code]];
}

/* An ordinary first move: what it wins, and the value of the piece that moves, unless that is a king. */
struct ordinary_move {
    int gain, victim;
    bool by_king;
};

/* The argument with_kings of read_ordinary_move(): whether a king's move counts as ordinary. */
enum { WITHOUT_KINGS = false, WITH_KINGS = true };

/* Reads a first move; returns whether it is ordinary. Promotions, captures en passant and castling are not, and neither
 * are moves that a pawn may answer en passant. A king's other moves are ordinary only if with_kings is true, which
 * makes values faster and thresholds slower. Except for kings, no branch depends on which pieces stand where, because
 * no processor can predict such a branch. */
static inline __attribute__((always_inline)) bool read_ordinary_move(const seebatch_rules *rules,
                                                                     const seebatch_position *position,
                                                                     seebatch_move move, bool with_kings,
                                                                     struct ordinary_move *m)
{
    const int from = seebatch_from(move), to = seebatch_to(move);
    const unsigned piece = code_on(position, from), captured = code_on(position, to);
    m->by_king = piece == CODE_KING;
    const bool special = (move >> 12) | (!with_kings & m->by_king) |
                         ((piece == CODE_PAWN) & (captured == CODE_EMPTY) & (((from ^ to) & 7) != 0));
    if (special || (rules->en_passant_replies && as_number(is_double_step(piece == CODE_PAWN, from, to))) ||
        (with_kings && m->by_king && is_castling(position, seebatch_color_on(position, from), from, to)))
        return false;
    m->gain = value_of_code(rules, captured) & -(int)(captured - 1 < CODE_KING - 1);
    m->victim = value_of_code(rules, piece);
    return true;
}

int seebatch_scalar_value(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                          seebatch_move move)
{
    struct ordinary_move m;
    if (!read_ordinary_move(rules, position, move, WITH_KINGS, &m))
        return special_value(rules, position, pins, move);
    if (m.by_king)
        return m.gain;
    return value_by_class(rules, position, pins, move, m.gain, m.victim, is_last_rank(rules, move));
}

bool seebatch_scalar_at_least(const seebatch_rules *rules, const seebatch_position *position, const seebatch_pins *pins,
                              seebatch_move move, int threshold)
{
    struct ordinary_move m;
    if (!read_ordinary_move(rules, position, move, WITHOUT_KINGS, &m))
        return special_reaches(rules, position, pins, move, threshold);
    if (m.gain < threshold)
        return false; /* the other side can stop, so it is never more */
    const bool last_rank = is_last_rank(rules, move);
    const int need = threshold - m.gain + m.victim;
    if (!last_rank && need <= 0)
        return true; /* good enough, even if the piece is lost for nothing */
    return reaches_by_class(rules, position, pins, move, threshold, need, last_rank);
}
