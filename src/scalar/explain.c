/*
 * Shows an exchange for people to read: the swap list as one writes it on paper, to the end and without pruning, the
 * negamax from its end, and at each step the pieces that attack the square but may not capture, with the reason.
 * api/explanation.c writes the sentences.
 *
 * The reasons are found independently of the code that decides which piece captures, by plain questions: is the king in
 * check from another square, and would it be once the piece has left its own? Tests compare the two.
 */
#include "api/check.h"
#include "exchange.h"
#include "legal.h"
#include "seebatch.h"
#include "swap.h"

#include <assert.h>

static void append(seebatch_trace *trace, int from, int color, int piece, int stays, int32_t gain)
{
    const seebatch_capture capture = {(uint8_t)from, (uint8_t)color, (uint8_t)piece, (uint8_t)stays, gain, gain};
    trace->capture[trace->length++] = capture;
}

/* ---- Refusals --------------------------------------------------------------------------------------------------- */

/* The enemies that attack a king if these squares and that of the exchange are occupied, except for the one on that
 * square. There are none without a king. */
static uint64_t checkers(const struct exchange *x, int color, uint64_t occupied)
{
    const uint64_t kings = x->of_type[SEEBATCH_KING] & x->of_color[color] & x->occupied;
    if (!kings)
        return 0;
    const int king = lowest_square(kings);
    const uint64_t board = occupied | square_bb(x->to);
    return ((knight_attacks(king) & x->of_type[SEEBATCH_KNIGHT]) | (king_attacks(king) & x->of_type[SEEBATCH_KING]) |
            (pawn_attacks(color, king) & x->of_type[SEEBATCH_PAWN]) |
            (bishop_attacks(king, board) & x->diagonal_sliders) | (rook_attacks(king, board) & x->orthogonal_sliders)) &
           x->of_color[!color] & occupied;
}

/* Finds the piece that pins a blocker of its own king, under the rules that find pins once, at the beginning. */
static int pin_rule_reason(const struct exchange *x, int color, uint64_t from, int *by)
{
    const uint64_t victim = x->pins.pinners[color] & x->occupied;
    const int king = lowest_square(x->of_type[SEEBATCH_KING] & x->of_color[color]);
    uint64_t own = 0; /* the nearest piece that pins this piece; others may stand behind it in a battery */
    for (uint64_t rest = victim; rest;) {
        const int pinner = pop_lsb(&rest);
        if (squares_between(king, pinner) & from && (!own || squares_between(king, lowest_square(own)) >> pinner & 1))
            own = square_bb(pinner);
    }
    *by = lowest_square(own ? own : victim);
    return own ? SEEBATCH_REFUSED_PIN_RULE : SEEBATCH_REFUSED_OTHER_PIN;
}

/* Finds the nearest slider of a side, on the board before the first move, before which a piece stands on a line of a
 * king. */
static uint64_t slider_behind(const struct exchange *x, int king, int color, uint64_t piece)
{
    const struct see_square *s = &seebatch_squares[king];
    uint64_t sliders = sliders_on_lines(s, x->diagonal_sliders, x->orthogonal_sliders) & x->of_color[color];
    uint64_t nearest = 0;
    while (sliders) {
        const int slider = pop_lsb(&sliders);
        if (squares_between(king, slider) & piece &&
            (!nearest || squares_between(king, lowest_square(nearest)) >> slider & 1))
            nearest = square_bb(slider);
    }
    return nearest;
}

/* Does the same under the rules of ray.h: finds the piece that holds one. */
static int ray_pin_reason(const struct exchange *x, int pin_rule, int color, uint64_t from, int *by)
{
    const uint64_t still_there = x->occupied | square_bb(x->to);
    const bool before_own = x->pins.blockers[color] & from;
    const int king = lowest_square(x->of_type[SEEBATCH_KING] & x->of_color[before_own ? color : !color]);
    const uint64_t slider = slider_behind(x, king, before_own ? !color : color, from);
    *by = lowest_square(slider);
    if (!before_own)
        return SEEBATCH_REFUSED_BEFORE_ENEMY;
    if (slider & still_there)
        return SEEBATCH_REFUSED_OFF_PIN;
    if (pin_rule != SEEBATCH_PINS_RAY_STANDING)
        return SEEBATCH_REFUSED_PINNER_LEFT;
    *by = lowest_square(x->pins.pinners[color] & still_there);
    return SEEBATCH_REFUSED_OTHER_PINNER;
}

/* Finds why an attacker may not capture, or returns -1 if it may. *by becomes the square of the piece that is the
 * reason. */
static int reason_of(const seebatch_rules *rules, const struct exchange *x, int color, int type, uint64_t from, int *by)
{
    uint64_t culprits = 0;
    const bool pinned = see_rules_are_ray(rules) && !(allowed_attackers(rules, x, color) & from);
    if (type == SEEBATCH_KING && !pinned) {
        const uint64_t guards = ray_guards(x, rules->pins, color, from);
        if (!guards)
            return -1;
        least_valuable(x, guards, &culprits);
        *by = lowest_square(culprits);
        return SEEBATCH_REFUSED_GUARDED;
    }
    if (see_rules_are_ray(rules))
        return pinned ? ray_pin_reason(x, rules->pins, color, from, by) : -1;
    if (rules->pins != SEEBATCH_PINS_LEGAL)
        return unpinned_attackers(x, rules->pins, color) & from ? -1 : pin_rule_reason(x, color, from, by);
    int reason = SEEBATCH_REFUSED_IN_CHECK;
    culprits = checkers(x, color, x->occupied);
    if (!culprits) {
        reason = SEEBATCH_REFUSED_PINNED;
        culprits = checkers(x, color, x->occupied & ~from);
    }
    if (!culprits)
        return -1;
    *by = lowest_square(culprits);
    return reason;
}

/* The attackers of the side to capture that the rules refuse. */
static void append_refusals(const seebatch_rules *rules, const struct exchange *x, int color, seebatch_trace *trace)
{
    for (int type = SEEBATCH_PAWN; type <= SEEBATCH_KING; type++) {
        for (uint64_t rest = all_attackers(x) & x->of_color[color] & x->of_type[type]; rest; rest &= rest - 1) {
            int by = 0;
            const int from = lowest_square(rest);
            const int reason = reason_of(rules, x, color, type, square_bb(from), &by);
            if (reason < 0)
                continue;
            assert(trace->n_refusals < SEEBATCH_MAX_REFUSALS);
            const seebatch_refusal refusal = {(uint8_t)trace->length, (uint8_t)from,   (uint8_t)color,
                                              (uint8_t)type,          (uint8_t)reason, (uint8_t)by};
            trace->refusal[trace->n_refusals++] = refusal;
        }
    }
}

/* ---- Captures --------------------------------------------------------------------------------------------------- */

/* Finds the least valuable piece that may capture: its type, and its bit in *from. Returns false if a side cannot
 * capture. */
static bool next_least_valuable(const seebatch_rules *rules, const struct exchange *x, int color, uint64_t *from,
                                int *type)
{
    const uint64_t attackers = allowed_attackers(rules, x, color);
    if (!attackers)
        return false;
    *type = least_valuable(x, attackers, from);
    return *type != SEEBATCH_KING || king_is_allowed(rules, x, color, *from);
}

/* Finds the piece that captures next under the rules, in the same way. */
static bool next_capture(const seebatch_rules *rules, struct exchange *x, int color, int victim, uint64_t *from,
                         int *type)
{
    if (rules->order == SEEBATCH_BEST_ORDER)
        return seebatch_legal_best(rules, x, color, victim, from, type);
    return next_least_valuable(rules, x, color, from, type);
}

/* Lists the recaptures, one after another, until a side cannot capture. */
static void append_recaptures(const seebatch_rules *rules, struct exchange *x, int color, seebatch_trace *trace)
{
    for (;; color = !color) {
        const seebatch_capture *last = &trace->capture[trace->length - 1];
        const int victim = value_of(rules, last->stays);
        uint64_t from;
        int type;
        append_refusals(rules, x, color, trace);
        if (!next_capture(rules, x, color, victim, &from, &type))
            return;
        remove_attacker(x, type, from);
        int32_t gain = victim - last->gain;
        int stays = type;
        if (type == SEEBATCH_PAWN && x->last_rank) {
            stays = SEEBATCH_QUEEN;
            gain += rules->value[SEEBATCH_QUEEN] - rules->value[SEEBATCH_PAWN];
        }
        append(trace, lowest_square(from), color, type, stays, gain);
    }
}

static void fold(seebatch_trace *trace)
{
    for (int i = trace->length - 2; i >= 0; i--) {
        if (-trace->capture[i + 1].best < trace->capture[i].best)
            trace->capture[i].best = -trace->capture[i + 1].best;
    }
    trace->value = trace->capture[0].best;
}

/* How an exchange begins. */
enum beginning {
    NO_CAPTURE,   /* the move castles, or has a fixed value */
    LAST_CAPTURE, /* nothing recaptures */
    EN_PASSANT_REPLY,
    EXCHANGE /* x has been set up */
};

static enum beginning begin_exchange(const seebatch_rules *rules, const seebatch_position *position, seebatch_move move,
                                     struct first_move *m, struct exchange *x)
{
    const int to = seebatch_to(move), from = seebatch_from(move);
    *m = first_move_of(rules, position, move);
    count_replies(rules, position, move, m);
    if (m->no_recapture && is_double_step(m->piece == SEEBATCH_PAWN, from, to))
        return EN_PASSANT_REPLY;
    if (m->no_recapture && (m->piece != SEEBATCH_KING || is_castling(position, m->color, from, to)))
        return NO_CAPTURE;
    if (m->no_recapture)
        return LAST_CAPTURE;
    init_exchange(x, position, to, m->left);
    x->last_rank = see_later_pawns_promote(rules) && (to < 8 || to >= 56);
    seebatch_find_pins(rules, position, &x->pins);
    if (see_rules_are_ray(rules))
        find_pinned_pieces(x, rules->pins);
    return EXCHANGE;
}

void seebatch_explain(const seebatch_rules *rules, const seebatch_position *position, seebatch_move move,
                      seebatch_trace *trace)
{
    assert(rules && seebatch_rules_check(rules, NULL) == SEEBATCH_OK);
    assert(position && trace);
    see_check_query(rules, position, move);
    const int from = seebatch_from(move);
    struct first_move m;
    struct exchange x;
    const enum beginning beginning = begin_exchange(rules, position, move, &m, &x);
    trace->length = 0;
    trace->n_refusals = 0;
    trace->has_next = false;
    trace->next_gain = 0;
    trace->value = m.gain;
    if (beginning == NO_CAPTURE)
        return;
    if (beginning == EN_PASSANT_REPLY) {
        append(trace, from, m.color, SEEBATCH_PAWN, SEEBATCH_PAWN, 0);
        append(trace, lowest_square(seebatch_replies_en_passant(position, move)), !m.color, SEEBATCH_PAWN,
               SEEBATCH_PAWN, rules->value[SEEBATCH_PAWN]);
    } else {
        append(trace, from, m.color, seebatch_type_on(position, from), m.piece, m.gain);
        if (beginning == EXCHANGE)
            append_recaptures(rules, &x, !m.color, trace);
        const seebatch_capture *last = &trace->capture[trace->length - 1];
        trace->has_next = last->stays != SEEBATCH_KING;
        trace->next_gain = trace->has_next ? value_of(rules, last->stays) - last->gain : 0;
    }
    fold(trace);
}

int seebatch_exchange_length(const seebatch_rules *rules, const seebatch_position *position, seebatch_move move)
{
    assert(rules && seebatch_rules_check(rules, NULL) == SEEBATCH_OK);
    see_check_query(rules, position, move);
    struct first_move m;
    struct exchange x;
    const enum beginning beginning = begin_exchange(rules, position, move, &m, &x);
    if (beginning != EXCHANGE)
        return beginning == NO_CAPTURE ? 0 : beginning == LAST_CAPTURE ? 1 : 2;
    const bool least = rules->order != SEEBATCH_BEST_ORDER || seebatch_least_valuable_is_best(rules, &x);
    int length = 1, type = m.piece;
    uint64_t from;
    for (int color = !m.color; least ? next_least_valuable(rules, &x, color, &from, &type)
                                     : next_capture(rules, &x, color, value_of(rules, type), &from, &type);
         color = !color) {
        remove_attacker(&x, type, from);
        type = type == SEEBATCH_PAWN && x.last_rank ? (int)SEEBATCH_QUEEN : type;
        length++;
    }
    return length;
}
