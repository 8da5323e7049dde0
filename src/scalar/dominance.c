/*
 * Which of a side's captures are legal, and which need to be tried when each side may capture in any order.
 *
 * Legality. For a king, a capture changes only the square that the capturing piece has left, because the to-square
 * stays occupied. So the enemy sliders on a king's lines are listed once, with what stands in between, and a capture is
 * legal if none of the lines is open after it. Lines through the to-square, and those blocked by pieces that cannot
 * take part, are left out; for most exchanges none remains.
 *
 * Dominance. A head is an attacker, and its row the head and the own sliders that follow it on its line before an enemy
 * piece does. A side need not capture with the head b if it has a head a for which
 *
 *   (1) no enemy slider stands right behind a,
 *   (2) a is worth no more than any piece in the row of b, and
 *   (3) no piece in the row of b is better gone than a for the safety of either king: see better_gone().
 *
 * docs/internals/legal.md has the proof, and an example with a board ("needless captures"). Pawns that promote take no
 * part in this; they are always tried.
 */
#include "dominance.h"

/* ---- Legality --------------------------------------------------------------------------------------------------- */

bool seebatch_find_legality(const struct exchange *x, uint64_t pieces, struct legality *legality)
{
    bool none_restricted = true;
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
        uint64_t snipers = sliders_on_lines(s, x->diagonal_sliders, x->orthogonal_sliders) & enemies;
        while (snipers) {
            const int sniper = pop_lsb(&snipers);
            const uint64_t in_between = squares_between(king, sniper);
            if (in_between & square_bb(x->to) || in_between & x->occupied & ~pieces)
                continue; /* blocked to the end */
            const int n = legality->lines[color]++;
            legality->line[color][n].sniper = square_bb(sniper);
            legality->line[color][n].in_between = in_between;
        }
        none_restricted = none_restricted && !legality->lines[color] && !legality->leapers[color];
    }
    return none_restricted;
}

uint64_t seebatch_possible_attackers(const struct exchange *x)
{
    const struct see_square *s = &seebatch_squares[x->to];
    return x->attackers | (sliders_on_lines(s, x->diagonal_sliders, x->orthogonal_sliders) & x->occupied);
}

/* ---- Which captures need to be tried ---------------------------------------------------------------------------- */

/* The piece types by value; types of the same value are in their usual order. */
static void sort_types(const seebatch_rules *rules, uint8_t types[5])
{
    for (uint8_t type = SEEBATCH_PAWN; type <= SEEBATCH_QUEEN; type++) {
        int i = type;
        for (; i > 0 && rules->value[types[i - 1]] > rules->value[type]; i--)
            types[i] = types[i - 1];
        types[i] = type;
    }
}

void seebatch_init_dominance(struct dominance *dominance, const seebatch_rules *rules, const struct exchange *x)
{
    dominance->rules = rules;
    dominance->all_legal = seebatch_find_legality(x, seebatch_possible_attackers(x), &dominance->legality);
    sort_types(rules, dominance->by_value);
}

bool seebatch_set_pinned_aside(const struct dominance *dominance, struct exchange *x)
{
    const struct legality *legality = &dominance->legality;
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
            return false; /* a pinned piece still guards the square against a king */
        for (int i = 0; i < legality->lines[color]; i++)
            if (!(legality->line[color][i].in_between & pinned))
                return false;
    }
    x->attackers &= ~pinned;
    x->diagonal_sliders &= ~pinned;
    x->orthogonal_sliders &= ~pinned;
    return true;
}

/* An attacker, and the own pieces that follow it along its line before an enemy piece or nothing does. */
struct head {
    uint64_t square, row; /* the row includes the attacker itself */
    int value, least;     /* the values of the attacker, and of the cheapest piece in the row */
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
static uint64_t cheapest(const struct dominance *dominance, const struct exchange *x, uint64_t pieces)
{
    for (int i = 0; i < 5; i++) {
        const uint64_t candidates = pieces & x->of_type[dominance->by_value[i]];
        if (candidates)
            return candidates & (0 - candidates);
    }
    return 0;
}

/* Finds the heads among a side's attackers, with their rows, and returns how many there are. */
static int find_heads(const seebatch_rules *rules, const struct exchange *x, uint64_t attackers, uint64_t xrays,
                      int color, struct head head[MOST_HEADS])
{
    int n = 0;
    for (uint64_t rest = attackers; rest; rest &= rest - 1, n++) {
        head[n].square = head[n].row = rest & (0 - rest);
        head[n].value = head[n].least = value_on(rules, x, head[n].square);
        head[n].lets_out = false;
    }
    uint64_t rows = attackers;
    while (xrays) { /* one layer after another; a row ends in front of an enemy piece */
        uint64_t own = 0;
        while (xrays) {
            const int square = pop_lsb(&xrays);
            const uint64_t before = squares_between(x->to, square);
            for (int i = 0; i < n; i++) {
                if (!(before & head[i].square))
                    continue;
                if (!(x->of_color[color] & square_bb(square))) {
                    head[i].lets_out |= head[i].row == head[i].square;
                    continue;
                }
                own |= square_bb(square);
                head[i].row |= square_bb(square);
                const int value = value_on(rules, x, square_bb(square));
                head[i].least = value < head[i].least ? value : head[i].least;
            }
        }
        rows |= own;
        const uint64_t occupied = x->occupied & ~rows;
        if (own)
            xrays = (diagonal_attackers(x, occupied) | orthogonal_attackers(x, occupied)) & ~x->attackers;
    }
    return n;
}

/* The pieces that are better gone than an attacker of a side: if one of them were gone in its place, the side's own
 * king would be on fewer open lines, or the enemy king on more. These are all pieces if the attacker itself attacks the
 * enemy king, or may do so later. */
static uint64_t better_gone(const struct legality *legality, const struct exchange *x, int color, uint64_t attacker)
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

uint64_t seebatch_needed_captures(const struct dominance *dominance, const struct exchange *x, int color,
                                  uint64_t attackers, uint64_t promoting)
{
    uint64_t tried = attackers & ~promoting;
    if (!(tried & (tried - 1)))
        return attackers;
    const uint64_t xrays = xray_attackers(x) & ~x->attackers;
    if (!xrays && dominance->all_legal)
        return promoting | cheapest(dominance, x, tried);
    struct head head[MOST_HEADS];
    const int n = find_heads(dominance->rules, x, tried, xrays, color, head);
    for (int a = 0; a < n; a++) {
        if (head[a].lets_out || !(head[a].square & tried))
            continue;
        const uint64_t better = dominance->all_legal ? 0 : better_gone(&dominance->legality, x, color, head[a].square);
        for (int b = 0; b < n; b++) {
            if (b != a && head[b].least >= head[a].value && !(head[b].row & better))
                tried &= ~head[b].square;
        }
    }
    return promoting | tried;
}
