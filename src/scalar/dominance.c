/*
 * Which of a side's captures are legal, and which need to be tried when the best order is looked for.
 *
 * Legality. A capture changes nothing for a king but the square that the capturing piece left: the to-square stays
 * occupied. So the enemy sliders on a king's lines are listed once, with what stands in between, and a capture is legal
 * if none of them is open after it. Lines through the to-square, and those blocked by pieces that cannot take part, are
 * left out; for most exchanges none remains.
 *
 * Needless captures. Let a and b be two attackers of a side. Capturing with a is at least as good as with b if
 *
 *   - right behind a stands no enemy slider that it would let out, and
 *   - a is worth no more than b, nor than any own slider that follows b on its line before an enemy one does (its row).
 *
 * For whatever the side would do after b, it can do after a: where it would go on with the row of b, it takes the piece
 * before that one in the row; and where it would take a, it takes the last of the row that is still there. Then the
 * boards are the same. At every moment it has staked no more than it would have, it can do no less (the row behind a is
 * a gift), and the enemy no more (what waits behind the row of b waits still).
 *
 * Where kings are concerned there is a third condition: all that while a is gone and a piece of the row is still there
 * instead. So nothing in the row of b may be better gone than a: see better_to_leave().
 *
 * A pawn that promotes takes no part in this; it is always tried.
 */
#include "dominance.h"

/* ---- Legality --------------------------------------------------------------------------------------------------- */

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

uint64_t seebatch_possible_attackers(const struct exchange *x)
{
    const struct see_square *s = &seebatch_squares[x->to];
    return x->attackers | (((s->diagonal | s->antidiagonal) & x->diagonal_sliders & x->occupied) |
                           ((s->file | s->rank) & x->line_sliders & x->occupied));
}

/* ---- Which captures need to be tried ---------------------------------------------------------------------------- */

/* The piece types by value, like ones in their usual order. */
static void sort_types(const seebatch_rules *rules, uint8_t types[5])
{
    for (uint8_t type = SEEBATCH_PAWN; type <= SEEBATCH_QUEEN; type++) {
        int i = type;
        for (; i > 0 && rules->value[types[i - 1]] > rules->value[type]; i--)
            types[i] = types[i - 1];
        types[i] = type;
    }
}

void seebatch_find_order(struct order *order, const seebatch_rules *rules, const struct exchange *x)
{
    order->rules = rules;
    order->free = seebatch_find_legality(x, seebatch_possible_attackers(x), &order->legality);
    sort_types(rules, order->cheap_first);
}

bool seebatch_set_pinned_aside(const struct order *order, struct exchange *x)
{
    const struct legality *legality = &order->legality;
    const uint64_t pieces = seebatch_possible_attackers(x);
    uint64_t pinned = 0;
    for (int color = SEEBATCH_WHITE; color <= SEEBATCH_BLACK; color++) {
        for (int i = 0; i < legality->lines[color]; i++) {
            const uint64_t between = legality->line[color][i].in_between & x->occupied;
            if (!(between & (between - 1)) && !(legality->line[color][i].sniper & pieces))
                pinned |= between & x->of_color[color];
        }
    }
    for (int color = SEEBATCH_WHITE; color <= SEEBATCH_BLACK; color++) {
        const bool king_captures = x->attackers & x->of_type[SEEBATCH_KING] & x->of_color[color];
        if (legality->leapers[color] || (king_captures && pinned & x->of_color[!color]))
            return false; /* against a king a pinned piece guards the square all the same */
        for (int i = 0; i < legality->lines[color]; i++)
            if (!(legality->line[color][i].in_between & pinned))
                return false;
    }
    x->attackers &= ~pinned;
    x->diagonal_sliders &= ~pinned;
    x->line_sliders &= ~pinned;
    return true;
}

/* An attacker, and the own pieces that follow it along its line before an enemy piece or nothing does. */
struct head {
    uint64_t square, row; /* row: with the attacker itself */
    int value, least;     /* of the attacker; of the cheapest in the row */
    bool lets_out;        /* an enemy slider stands right behind it */
};

enum { MOST_HEADS = 16 };

static int value_on(const seebatch_rules *rules, const struct exchange *x, uint64_t square)
{
    int type = SEEBATCH_PAWN;
    while (type < SEEBATCH_QUEEN && !(x->of_type[type] & square))
        type++;
    return rules->value[type];
}

/* The cheapest, by value, of a set of pieces that holds no king; 0 if the set is empty. */
static uint64_t cheapest(const struct order *order, const struct exchange *x, uint64_t pieces)
{
    for (int i = 0; i < 5; i++) {
        const uint64_t candidates = pieces & x->of_type[order->cheap_first[i]];
        if (candidates)
            return candidates & (0 - candidates);
    }
    return 0;
}

/* Finds the heads among a side's attackers, with their rows; returns how many. */
static int find_heads(const seebatch_rules *rules, const struct exchange *x, uint64_t attackers, uint64_t hidden,
                      int color, struct head head[MOST_HEADS])
{
    int n = 0;
    for (uint64_t rest = attackers; rest; rest &= rest - 1, n++) {
        head[n].square = head[n].row = rest & (0 - rest);
        head[n].value = head[n].least = value_on(rules, x, head[n].square);
        head[n].lets_out = false;
    }
    uint64_t rows = attackers;
    while (hidden) { /* one layer after another; behind an enemy piece no row goes on */
        uint64_t own = 0;
        while (hidden) {
            const int square = take_lowest(&hidden);
            const uint64_t before = squares_between(x->to, square);
            for (int i = 0; i < n; i++) {
                if (!(before & head[i].square))
                    continue;
                if (!(x->of_color[color] & square_bit(square))) {
                    head[i].lets_out |= head[i].row == head[i].square;
                    continue;
                }
                own |= square_bit(square);
                head[i].row |= square_bit(square);
                const int value = value_on(rules, x, square_bit(square));
                head[i].least = value < head[i].least ? value : head[i].least;
            }
        }
        rows |= own;
        const uint64_t occupied = x->occupied & ~rows;
        if (own)
            hidden = (diagonal_attackers(x, occupied) | line_attackers(x, occupied)) & ~x->attackers;
    }
    return n;
}

/*
 * The pieces whose leaving, compared with that of a side's attacker, would leave its king less exposed, or the enemy's
 * more so. All pieces where the attacker itself attacks the enemy king, or might come to.
 */
static uint64_t better_to_leave(const struct legality *legality, const struct exchange *x, int color, uint64_t attacker)
{
    uint64_t better = legality->leapers[!color] & attacker ? ~UINT64_C(0) : 0;
    for (int i = 0; i < legality->lines[!color]; i++) {
        const uint64_t sniper = legality->line[!color][i].sniper, in_between = legality->line[!color][i].in_between;
        if (sniper & attacker)
            better = ~UINT64_C(0);
        else if (sniper & x->occupied && !(in_between & attacker))
            better |= in_between;
    }
    for (int i = 0; i < legality->lines[color]; i++) {
        if (legality->line[color][i].sniper & x->occupied && legality->line[color][i].in_between & attacker)
            better |= ~legality->line[color][i].in_between;
    }
    return better;
}

uint64_t seebatch_needed_captures(const struct order *order, const struct exchange *x, int color, uint64_t attackers,
                                  uint64_t promoting)
{
    uint64_t tried = attackers & ~promoting;
    if (!(tried & (tried - 1)))
        return attackers;
    const uint64_t hidden = hidden_attackers(x) & ~x->attackers;
    if (!hidden && order->free)
        return promoting | cheapest(order, x, tried);
    struct head head[MOST_HEADS];
    const int n = find_heads(order->rules, x, tried, hidden, color, head);
    for (int a = 0; a < n; a++) {
        if (head[a].lets_out || !(head[a].square & tried))
            continue;
        const uint64_t better = order->free ? 0 : better_to_leave(&order->legality, x, color, head[a].square);
        for (int b = 0; b < n; b++) {
            if (b != a && head[b].least >= head[a].value && !(head[b].row & better))
                tried &= ~head[b].square;
        }
    }
    return promoting | tried;
}
