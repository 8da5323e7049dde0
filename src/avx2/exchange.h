/*
 * Four exchanges in lanes: their setup, the decision that most of them need no more than, and playing them out. The
 * method is told at the head of kernel.c.
 */
#ifndef SEEBATCH_AVX2_EXCHANGE_H
#define SEEBATCH_AVX2_EXCHANGE_H

#include "lanes.h"
#include "rules.h"

enum { KING_VALUE = 1 << 14, FAR = 20000 /* beyond every value */ };

/* The rules as the lanes want them. */
struct lane_rules {
    const seebatch_rules *scalar;
    lanes value_of_code; /* eight 32-bit values by piece code; no piece and king 0 */
    lanes value[5];
    uint16_t promotion_bits; /* of a move: those that matter */
    bool promote_all;
    bool special_zero;
    bool pins;       /* blockers of their own king may be held back */
    bool best_order; /* every capture must be legal, and each side chooses the best order */
};

/* A request in each lane. */
struct lane_requests {
    struct lane_lines lines;
    lanes pawns, knights, rooks, bishops, queens, kings;
    lanes white;
    lanes own, enemy;     /* pieces of the first mover and of his opponent */
    lanes occupied;       /* pieces that can take part: not the first mover, not the one captured */
    lanes leapers;        /* pawns, knights and kings that attack the target */
    lanes attackers;      /* leapers and sliders among the occupied squares */
    lanes gain, standing; /* v0 and v1 */
    lanes settled;        /* gain is the value */
    lanes last_rank;      /* a pawn that captures becomes a queen */
};

LANES_INLINE struct lane_rules lane_rules_of(const seebatch_rules *rules)
{
    const int16_t *v = rules->value;
    struct lane_rules r;
    r.scalar = rules;
    r.value_of_code = _mm256_setr_epi32(0, v[SEEBATCH_BISHOP], v[SEEBATCH_ROOK], v[SEEBATCH_QUEEN], v[SEEBATCH_PAWN],
                                        v[SEEBATCH_KNIGHT], 0, 0);
    for (int type = SEEBATCH_PAWN; type <= SEEBATCH_QUEEN; type++)
        r.value[type] = value_all(v[type]);
    r.promote_all = rules->promotions == SEEBATCH_PROMOTE_ALL;
    r.special_zero = rules->special == SEEBATCH_SPECIAL_ZERO;
    r.promotion_bits = rules->promotions != SEEBATCH_PROMOTE_NONE || r.special_zero ? 7 << 12 : 0;
    r.pins = see_rules_have_pins(rules);
    r.best_order = rules->order == SEEBATCH_BEST_ORDER;
    return r;
}

/* The value of the piece on a square of each lane. */
LANES_INLINE lanes value_on(const struct lane_rules *rules, const lanes plane[4], lanes square)
{
    const lanes one = lanes_all(1), two = lanes_all(2);
    const lanes bit1 = _mm256_srlv_epi64(plane[1], square);
    const lanes code = lanes_or(
        lanes_or(lanes_and(_mm256_srlv_epi64(plane[0], square), one), lanes_and(_mm256_add_epi64(bit1, bit1), two)),
        _mm256_slli_epi64(_mm256_srlv_epi64(plane[2], square), 2));
    /* The look-up takes the low three bits of each half; the upper halves' results are cut off. */
    return lanes_and(_mm256_permutevar8x32_epi32(rules->value_of_code, code), lanes_all(0xffffffff));
}

/* En passant: a pawn that changes file onto an empty square. Rare, so found with a branch. */
LANES_INLINE void capture_en_passant(const struct lane_rules *rules, struct lane_requests *q, lanes capturing_pawn,
                                     lanes empty, lanes to)
{
    const lanes en_passant = lanes_without(empty, lanes_empty(capturing_pawn));
    if (_mm256_testz_si256(en_passant, en_passant))
        return;
    if (rules->special_zero) {
        q->settled = lanes_or(q->settled, en_passant);
        return; /* the gain is 0: the to-square is empty */
    }
    const lanes victim = _mm256_sllv_epi64(lanes_all(1), lanes_xor(to, lanes_all(8)));
    q->occupied = lanes_without(q->occupied, lanes_and(victim, en_passant));
    q->gain = lanes_or(q->gain, lanes_and(rules->value[SEEBATCH_PAWN], en_passant));
}

/* The first move's promotion. */
LANES_INLINE void promote(const struct lane_rules *rules, struct lane_requests *q, lanes move)
{
    const lanes promotion = lanes_and(_mm256_srli_epi64(move, 12), lanes_all(7));
    if (rules->special_zero) {
        const lanes none = lanes_empty(promotion);
        q->gain = lanes_and(q->gain, none);
        q->settled = lanes_or(q->settled, lanes_not(none));
        return;
    }
    lanes worth = q->standing;
    for (int type = SEEBATCH_KNIGHT; type <= SEEBATCH_QUEEN; type++)
        worth = lanes_select(_mm256_cmpeq_epi64(promotion, lanes_all(type)), rules->value[type], worth);
    q->gain = value_add(q->gain, value_sub(worth, q->standing));
    q->standing = worth;
}

/* Four requests: the positions and the moves. */
LANES_INLINE struct lane_requests set_up(const struct lane_rules *rules, const seebatch_position *const position[4],
                                         const seebatch_move move[4])
{
    struct lane_requests q;
    lanes plane[4], row[4];
    const struct see_square *const square[4] = {
        &seebatch_squares[seebatch_to(move[0])], &seebatch_squares[seebatch_to(move[1])],
        &seebatch_squares[seebatch_to(move[2])], &seebatch_squares[seebatch_to(move[3])]};
    lanes_transpose(position[0], position[1], position[2], position[3], plane); /* and colour, the fourth */
    lanes_transpose(square[0], square[1], square[2], square[3], row);
    const lanes white = plane[3], knight_attacks_of = row[2], king_attacks_of = row[3];

    const lanes moves = _mm256_cvtepu16_epi64(_mm_loadl_epi64((const __m128i *)move));
    const lanes one = lanes_all(1);
    const lanes from = lanes_and(moves, lanes_all(63));
    const lanes to = lanes_and(_mm256_srli_epi64(moves, 6), lanes_all(63));
    const lanes from_bit = _mm256_sllv_epi64(one, from), to_bit = _mm256_sllv_epi64(one, to);

    const lanes all = lanes_or(lanes_or(plane[0], plane[1]), plane[2]);
    q.occupied = lanes_without(all, lanes_or(from_bit, to_bit));
    q.gain = value_on(rules, plane, to);
    q.standing = value_on(rules, plane, from);
    q.pawns = lanes_without(plane[2], lanes_or(plane[0], plane[1]));
    q.knights = lanes_and(plane[2], plane[0]);
    q.kings = lanes_and(plane[2], plane[1]);
    q.queens = lanes_and(plane[0], plane[1]);
    q.bishops = lanes_without(plane[0], lanes_or(plane[1], plane[2]));
    q.rooks = lanes_without(plane[1], lanes_or(plane[0], plane[2]));
    q.white = white;
    const lanes black_moves = lanes_disjoint(white, from_bit);
    q.enemy = lanes_xor(white, lanes_without(all, black_moves));
    q.own = lanes_xor(q.enemy, all);

    struct lane_lines *l = &q.lines;
    l->square = to_bit;
    l->flipped = lanes_flip(to_bit);
    l->below = lanes_sub(to_bit, one);
    l->file = _mm256_sllv_epi64(lanes_all(0x0101010101010101), lanes_and(to, lanes_all(7)));
    l->rank = _mm256_sllv_epi64(lanes_all(0xff), lanes_and(to, lanes_all(56)));
    l->diagonal = row[0];
    l->antidiagonal = row[1];
    l->line_sliders = lanes_without(plane[1], plane[2]);
    l->diagonal_sliders = lanes_without(plane[0], plane[2]);

    q.settled = lanes_not(lanes_disjoint(q.kings, from_bit));

    /* A pawn attacks the target from one of the diagonal neighbours: a white one from below, a black one from above. */
    const lanes pawn_neighbours = lanes_and(lanes_and(king_attacks_of, lanes_or(row[0], row[1])), q.pawns);
    const lanes capturing_pawn = lanes_and(pawn_neighbours, from_bit);
    capture_en_passant(rules, &q, capturing_pawn, lanes_disjoint(all, to_bit), to);
    if (!_mm256_testz_si256(moves, lanes_all(rules->promotion_bits)))
        promote(rules, &q, moves);

    if (!_mm256_testz_si256(q.own, to_bit)) /* castling, as king takes rook */
        q.gain = lanes_and(q.gain, lanes_disjoint(q.own, to_bit));
    q.last_rank = lanes_zero();
    if (rules->promote_all)
        q.last_rank = lanes_xor(lanes_disjoint(to_bit, lanes_all((int64_t)0xff000000000000ff)), lanes_all(-1));

    q.leapers = lanes_or(lanes_or(lanes_and(knight_attacks_of, q.knights), lanes_and(king_attacks_of, q.kings)),
                         lanes_without(pawn_neighbours, lanes_xor(white, l->below)));
    q.attackers = lanes_or(lanes_and(q.leapers, q.occupied), lanes_sliders_to(l, q.occupied));
    return q;
}

/* The value of the least valuable of a set of attackers, a king counting more than everything. */
LANES_INLINE lanes least_value(const struct lane_rules *rules, const struct lane_requests *q, lanes set)
{
    lanes value = value_all(KING_VALUE);
    value = lanes_select(lanes_disjoint(set, q->queens), value, rules->value[SEEBATCH_QUEEN]);
    value = lanes_select(lanes_disjoint(set, q->rooks), value, rules->value[SEEBATCH_ROOK]);
    value = lanes_select(lanes_disjoint(set, q->bishops), value, rules->value[SEEBATCH_BISHOP]);
    value = lanes_select(lanes_disjoint(set, q->knights), value, rules->value[SEEBATCH_KNIGHT]);
    return lanes_select(lanes_disjoint(set, q->pawns), value, rules->value[SEEBATCH_PAWN]);
}

LANES_INLINE lanes at_most_one(lanes set) { return lanes_empty(lanes_and(set, lanes_sub(set, lanes_all(1)))); }

/* What can be told without playing the exchange out. */
struct lane_decision {
    lanes value;
    lanes certain; /* the value holds, whoever may capture: nobody can */
    lanes known;   /* the value holds if every attacker may capture */
    lanes plain;   /* nothing is hidden: least valuable first is the best order; no pawn promotes later */
};

LANES_INLINE struct lane_decision decide(const struct lane_rules *rules, const struct lane_requests *q)
{
    struct lane_decision d;
    const lanes hidden = lanes_sliders_to(&q->lines, lanes_without(q->occupied, q->attackers));
    const lanes theirs = lanes_without(lanes_and(q->attackers, q->enemy), q->settled);
    const lanes ours = lanes_and(q->attackers, q->own);
    const lanes none_ours = lanes_disjoint(lanes_or(q->attackers, hidden), q->own);
    const lanes single_theirs = at_most_one(theirs), single_ours = at_most_one(ours);

    const lanes w = least_value(rules, q, theirs), u = least_value(rules, q, ours), zero = lanes_zero();
    const lanes most = value_sub(q->gain, value_max(zero, value_sub(q->standing, w)));
    const lanes least = value_sub(q->gain, value_max(zero, value_sub(q->standing, value_max(zero, value_sub(w, u)))));

    d.certain = lanes_empty(theirs);
    d.plain = lanes_empty(hidden);
    const lanes settled = lanes_or(lanes_or(single_theirs, single_ours), _mm256_cmpeq_epi64(most, least));
    d.known = lanes_or(none_ours, lanes_and(d.plain, settled));
    if (rules->promote_all) { /* pawns that capture on the last rank are worth more than they look */
        const lanes promotes = lanes_without(q->last_rank, lanes_disjoint(q->attackers, q->pawns));
        d.plain = lanes_without(d.plain, promotes);
        d.known = lanes_without(d.known, promotes);
    }
    d.value = lanes_select(single_theirs, most, least);
    d.value = lanes_select(none_ours, value_sub(q->gain, q->standing), d.value);
    d.value = lanes_select(d.certain, q->gain, d.value);
    return d;
}

/* An exchange in progress in each lane; see play_out() in ../scalar/see.c. All values are the first mover's. */
struct lane_exchange {
    lanes occupied, attackers;
    lanes balance, standing;
    lanes low, high; /* the value is known where they meet */
};

/* The captures of one side, where it has any that helps: its pieces; the other side's. */
LANES_INLINE void take_turn(const struct lane_rules *rules, const struct lane_requests *q, struct lane_exchange *x,
                            lanes side, lanes other, bool first_movers_turn)
{
    if (first_movers_turn) /* stopping now is one of his choices: the value is at least the balance */
        x->low = value_min(x->high, value_max(x->low, x->balance));
    else
        x->high = value_max(x->low, value_min(x->high, x->balance));

    const lanes mine = lanes_and(x->attackers, side);
    const lanes of_type[5] = {lanes_and(mine, q->pawns), lanes_and(mine, q->knights), lanes_and(mine, q->bishops),
                              lanes_and(mine, q->rooks), lanes_and(mine, q->queens)};
    const lanes king = lanes_and(mine, q->kings);
    lanes chosen = king, value = lanes_zero();
    for (int type = SEEBATCH_QUEEN; type >= SEEBATCH_PAWN; type--) {
        const lanes none = lanes_empty(of_type[type]);
        chosen = lanes_select(none, chosen, of_type[type]);
        value = lanes_select(none, value, rules->value[type]);
    }
    const lanes from = lanes_and(chosen, lanes_sub(lanes_zero(), chosen));
    x->occupied = lanes_without(x->occupied, from);
    x->attackers = lanes_or(lanes_and(q->leapers, x->occupied), lanes_sliders_to(&q->lines, x->occupied));

    /* No piece to capture with, or only a king that would stand in check: the exchange ends here. */
    const lanes king_moves = lanes_and(from, king);
    const lanes in_check = lanes_without(lanes_not(lanes_empty(king_moves)), lanes_disjoint(x->attackers, other));
    const lanes ends = lanes_or(lanes_empty(mine), in_check);
    if (first_movers_turn)
        x->high = lanes_select(ends, x->low, x->high);
    else
        x->low = lanes_select(ends, x->high, x->low);

    lanes won = x->standing;
    x->standing = value;
    if (rules->promote_all) {
        const lanes promotes = lanes_without(q->last_rank, lanes_disjoint(from, q->pawns));
        const lanes queen = rules->value[SEEBATCH_QUEEN];
        won = value_add(won, lanes_and(promotes, value_sub(queen, rules->value[SEEBATCH_PAWN])));
        x->standing = lanes_select(promotes, queen, x->standing);
    }
    x->balance = first_movers_turn ? value_add(x->balance, won) : value_sub(x->balance, won);
}

LANES_INLINE struct lane_exchange begin(const struct lane_requests *q)
{
    struct lane_exchange x;
    x.occupied = q->occupied;
    x.attackers = lanes_without(q->attackers, lanes_and(q->enemy, q->settled));
    x.balance = q->gain;
    x.standing = q->standing;
    x.low = value_all(-FAR);
    x.high = value_all(FAR);
    return x;
}

/* Plays the exchanges of all lanes of two registers out. */
LANES_INLINE void play_out(const struct lane_rules *rules, const struct lane_requests q[2], lanes value[2])
{
    struct lane_exchange x[2] = {begin(&q[0]), begin(&q[1])};
    for (;;) {
        take_turn(rules, &q[0], &x[0], q[0].enemy, q[0].own, false);
        take_turn(rules, &q[1], &x[1], q[1].enemy, q[1].own, false);
        take_turn(rules, &q[0], &x[0], q[0].own, q[0].enemy, true);
        take_turn(rules, &q[1], &x[1], q[1].own, q[1].enemy, true);
        const lanes closed =
            lanes_and(_mm256_cmpeq_epi32(x[0].low, x[0].high), _mm256_cmpeq_epi32(x[1].low, x[1].high));
        if (_mm256_movemask_epi8(closed) == -1)
            break;
    }
    value[0] = x[0].low;
    value[1] = x[1].low;
}

#endif
