/*
 * The true value of an exchange: the maximum over all orders of legal captures.
 *
 * What a side gets is f = max(0, max over its legal captures of (standing - f of the other side after it)). Exhaustive
 * minimax over that takes minutes on boards with twenty attackers. Three observations make it quick.
 *
 * 1. Inert pieces. A piece is inert if its leaving uncovers nothing: no slider behind it that would join the exchange,
 * no line to a king; and if it gives no check from where it stands. Of all inert pieces of a side only the cheapest
 * needs to be tried. For let a <= b be two of them, and compare capturing with a and keeping b to the reverse. Since
 * neither uncovers anything, every sequence of the one game is one of the other with a and b exchanged. Holding a
 * instead of b is worth at most b - a (the two games differ in one stake, by b - a, once, if at all), but the opponent
 * who takes what stands on the square gets b - a less if it is a. So the reverse is never better.
 *
 *    Where all attackers are inert, this is the proof that least valuable first is optimal, and the plain loop of see.c
 *    gives the value. (A pawn that promotes is not inert. A value table in which a rook is cheaper than a knight
 * changes the order; cheapest means by value here, not by type.)
 *
 * 2. Alpha-beta. No capture gets more than what stands on the square (and what a promotion adds), none less than that
 *    minus the capturing piece. A king's capture is never answered, so where it is legal it is the best there is.
 *
 * 3. Legality is a question of a few lines. A capture changes nothing for a king but the square that the capturing
 * piece left: the to-square stays occupied. So the enemy sliders on a king's lines are listed once, with what stands in
 *    between, and a capture is legal if none of them has been uncovered. Lines through the to-square, and those blocked
 *    by pieces that cannot take part, are left out; for most exchanges none remains.
 */
#include "legal.h"
#include "rules.h"

bool seebatch_find_legality(const struct exchange *x, uint64_t pieces, struct legality *legality)
{
    bool free = true;
    for (int color = SEEBATCH_WHITE; color <= SEEBATCH_BLACK; color++) {
        legality->lines[color] = 0;
        legality->leapers[color] = 0;
        const uint64_t kings = x->of_type[SEEBATCH_KING] & x->of_color[color];
        if (!kings)
            continue;
        const int king = lowest_square(kings);
        const struct see_square *s = &seebatch_squares[king];
        const uint64_t enemies = x->of_color[!color] & x->occupied;
        legality->leapers[color] = ((s->knight & x->of_type[SEEBATCH_KNIGHT]) | (s->king & x->of_type[SEEBATCH_KING]) |
                                    (s->pawn[color] & x->of_type[SEEBATCH_PAWN])) &
                                   enemies;
        uint64_t snipers =
            (((s->diagonal | s->antidiagonal) & x->diagonal_sliders) | ((s->file | s->rank) & x->line_sliders)) &
            enemies;
        while (snipers) {
            const int sniper = take_lowest(&snipers);
            const uint64_t in_between = squares_between(king, sniper);
            if (in_between & square_bit(x->to) || in_between & x->occupied & ~pieces)
                continue; /* blocked to the end */
            const int n = legality->lines[color]++;
            legality->line[color][n].sniper = square_bit(sniper);
            legality->line[color][n].in_between = in_between;
        }
        free = free && !legality->lines[color] && !legality->leapers[color];
    }
    return free;
}

/* All pieces that could ever capture on the square, were the others gone. */
static uint64_t possible_attackers(const struct exchange *x)
{
    const struct see_square *s = &seebatch_squares[x->to];
    return x->attackers | (((s->diagonal | s->antidiagonal) & x->diagonal_sliders & x->occupied) |
                           ((s->file | s->rank) & x->line_sliders & x->occupied));
}

/* The attackers that hidden ones stand behind. */
static uint64_t fronts_of(const struct exchange *x, uint64_t hidden)
{
    uint64_t fronts = 0;
    while (hidden)
        fronts |= squares_between(x->to, take_lowest(&hidden)) & x->attackers;
    return fronts;
}

/* Whether a piece that is no king may capture. */
static bool is_legal(const struct exchange *x, const struct legality *legality, int color, uint64_t from)
{
    const uint64_t occupied = x->occupied & ~from;
    if (legality->leapers[color] & occupied)
        return false;
    for (int i = 0; i < legality->lines[color]; i++) {
        if (legality->line[color][i].sniper & occupied && !(legality->line[color][i].in_between & occupied))
            return false;
    }
    return true;
}

/* Pieces whose leaving may matter to a king. */
static uint64_t sensitive_squares(const struct legality *legality)
{
    uint64_t sensitive = legality->leapers[0] | legality->leapers[1];
    for (int color = SEEBATCH_WHITE; color <= SEEBATCH_BLACK; color++) {
        for (int i = 0; i < legality->lines[color]; i++)
            sensitive |= legality->line[color][i].sniper | legality->line[color][i].in_between;
    }
    return sensitive;
}

/* The search of an exchange: what does not change in its course. */
struct search {
    const seebatch_rules *rules;
    const struct legality *legality;
    uint64_t sensitive;
    int promotion; /* what a pawn that captures adds, on the last rank */
};

static int search(const struct search *s, struct exchange *x, int color, int standing, int alpha, int beta);

/* What a side gets by capturing with a piece; may be negative. The exchange is left as it was. */
static int capture(const struct search *s, struct exchange *x, int color, int standing, int type, uint64_t from,
                   int alpha, int beta)
{
    const uint64_t occupied = x->occupied, attackers = x->attackers;
    const bool last_rank = x->last_rank;
    const bool promotes = type == SEEBATCH_PAWN && last_rank;
    const int gain = standing + (promotes ? s->promotion : 0);
    leave(x, type, from);
    x->last_rank = last_rank && s->rules->promotions == SEEBATCH_PROMOTE_ALL;
    const int value =
        gain - search(s, x, !color, s->rules->value[promotes ? SEEBATCH_QUEEN : type], gain - beta, gain - alpha);
    x->occupied = occupied;
    x->attackers = attackers;
    x->last_rank = last_rank;
    return value;
}

/* The cheapest, by value, of a set of pieces that holds no king; 0 if the set is empty. */
static uint64_t cheapest(const seebatch_rules *rules, const struct exchange *x, uint64_t pieces)
{
    uint64_t best = 0;
    int least = SEEBATCH_MAX_PIECE_VALUE + 1;
    for (int type = SEEBATCH_PAWN; type <= SEEBATCH_QUEEN; type++) {
        const uint64_t candidates = pieces & x->of_type[type];
        if (candidates && rules->value[type] < least) {
            least = rules->value[type];
            best = candidates & (0 - candidates);
        }
    }
    return best;
}

static int search(const struct search *s, struct exchange *x, int color, int standing, int alpha, int beta)
{
    const uint64_t mine = x->attackers & x->of_color[color];
    const uint64_t king = mine & x->of_type[SEEBATCH_KING];
    const uint64_t promoting = x->last_rank ? mine & x->of_type[SEEBATCH_PAWN] : 0;
    const int most = standing + (promoting && s->promotion > 0 ? s->promotion : 0);
    int best = 0;
    if (best >= beta || !mine)
        return best;
    if (most <= alpha)
        return most;
    if (king && king_may_capture(x, color, king)) {
        best = standing;
        if (best >= beta || !promoting)
            return best;
    }
    const uint64_t fronts = fronts_of(x, hidden_attackers(x));
    const uint64_t others = mine & ~king;
    const uint64_t single = others & (s->sensitive | fronts | promoting);
    const uint64_t tried = single | cheapest(s->rules, x, others & ~single);
    for (int type = SEEBATCH_PAWN; type <= SEEBATCH_QUEEN; type++) {
        for (uint64_t rest = tried & x->of_type[type]; rest; rest &= rest - 1) {
            const uint64_t from = rest & (0 - rest);
            if (!is_legal(x, s->legality, color, from))
                continue;
            const int value = capture(s, x, color, standing, type, from, best > alpha ? best : alpha, beta);
            if (value > best)
                best = value;
            if (best >= beta || best >= most)
                return best;
        }
    }
    return best;
}

static struct search search_of(const seebatch_rules *rules, const struct legality *legality)
{
    const struct search s = {rules, legality, sensitive_squares(legality),
                             rules->value[SEEBATCH_QUEEN] - rules->value[SEEBATCH_PAWN]};
    return s;
}

bool seebatch_least_valuable_is_best(const seebatch_rules *rules, const struct exchange *x)
{
    struct legality legality;
    return see_values_rise(rules) && !(x->last_rank && x->attackers & x->of_type[SEEBATCH_PAWN]) &&
           !hidden_attackers(x) && seebatch_find_legality(x, x->attackers, &legality);
}

int seebatch_legal_value(const seebatch_rules *rules, struct exchange *x, int color, int standing, int alpha, int beta)
{
    struct legality legality;
    seebatch_find_legality(x, possible_attackers(x), &legality);
    const struct search s = search_of(rules, &legality);
    return search(&s, x, color, standing, alpha, beta);
}

bool seebatch_legal_best(const seebatch_rules *rules, struct exchange *x, int color, int standing, uint64_t *from,
                         int *type)
{
    struct legality legality;
    seebatch_find_legality(x, possible_attackers(x), &legality);
    const struct search s = search_of(rules, &legality);
    const uint64_t mine = x->attackers & x->of_color[color];
    int best = -OPEN;
    for (int t = SEEBATCH_PAWN; t <= SEEBATCH_KING; t++) {
        for (uint64_t rest = mine & x->of_type[t]; rest; rest &= rest - 1) {
            const uint64_t piece = rest & (0 - rest);
            if (t == SEEBATCH_KING ? !king_may_capture(x, color, piece) : !is_legal(x, &legality, color, piece))
                continue;
            const int value = t == SEEBATCH_KING ? standing : capture(&s, x, color, standing, t, piece, best, OPEN);
            if (value > best) {
                best = value;
                *from = piece;
                *type = t;
            }
        }
    }
    return best > -OPEN;
}
