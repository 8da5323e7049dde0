/*
 * An exchange for people to read: the swap list as one writes it on paper, played to the end without pruning, and the
 * negamax from its end.
 */
#include "exchange.h"
#include "legal.h"
#include "seebatch.h"

#include <stdlib.h>

static bool is_castling(const seebatch_position *p, seebatch_move move, const struct first_move *m)
{
    const int from = seebatch_from(move), to = seebatch_to(move);
    return m->piece == SEEBATCH_KING && (abs((from & 7) - (to & 7)) == 2 ||
                                         (seebatch_occupied(p) >> to & 1 && seebatch_color_on(p, to) == m->color));
}

static void append(seebatch_trace *trace, int from, int color, int piece, int stays, int32_t gain)
{
    const seebatch_capture capture = {(uint8_t)from, (uint8_t)color, (uint8_t)piece, (uint8_t)stays, gain, gain};
    trace->capture[trace->length++] = capture;
}

/* The piece that captures next under the rules: its type, and in *from its bit. False if a side cannot capture. */
static bool next_capture(const seebatch_rules *rules, struct exchange *x, int color, int standing, uint64_t *from,
                         int *type)
{
    if (rules->order == SEEBATCH_BEST_ORDER)
        return seebatch_legal_best(rules, x, color, standing, from, type);
    const uint64_t attackers = free_attackers(x, rules->pins, color);
    if (!attackers)
        return false;
    *type = least_valuable(x, attackers, from);
    return *type != SEEBATCH_KING || king_may_capture(x, color, *from);
}

/* The recaptures, one after another, until a side cannot capture. */
static void append_recaptures(const seebatch_rules *rules, struct exchange *x, int color, seebatch_trace *trace)
{
    for (;; color = !color) {
        const seebatch_capture *last = &trace->capture[trace->length - 1];
        const int standing = value_of(rules, last->stays);
        uint64_t from;
        int type;
        if (!next_capture(rules, x, color, standing, &from, &type))
            return;
        leave(x, type, from);
        int32_t gain = standing - last->gain;
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
    trace->value = trace->length ? trace->capture[0].best : 0;
}

void seebatch_explain(const seebatch_rules *rules, const seebatch_position *position, seebatch_move move,
                      seebatch_trace *trace)
{
    const struct first_move m = first_move_of(rules, position, move);
    const int to = seebatch_to(move), piece = seebatch_type_on(position, seebatch_from(move));
    trace->length = 0;
    trace->has_next = false;
    trace->next_gain = 0;
    const bool special = m.settled && m.piece != SEEBATCH_KING;
    if (!special && !is_castling(position, move, &m)) {
        append(trace, seebatch_from(move), m.color, piece, m.piece, m.gain);
        if (!m.settled) {
            struct exchange x;
            set_up(&x, position, to, m.left);
            x.last_rank = rules->promotions == SEEBATCH_PROMOTE_ALL && (to < 8 || to >= 56);
            for (int color = SEEBATCH_WHITE; color <= SEEBATCH_BLACK; color++)
                seebatch_find_pins(position, rules->pins, color, &x.blockers[color], &x.pinners[color]);
            append_recaptures(rules, &x, !m.color, trace);
        }
        const seebatch_capture *last = &trace->capture[trace->length - 1];
        trace->has_next = last->stays != SEEBATCH_KING;
        trace->next_gain = trace->has_next ? value_of(rules, last->stays) - last->gain : 0;
    }
    fold(trace);
}
