/*
 * The true value of an exchange: the maximum over all legal captures, in any order.
 *
 * A side gets f = max(0, max over its legal captures of (victim - f of the other side after the capture)).
 * Exhaustive minimax over these captures takes minutes on boards with twenty attackers. Four observations make it
 * quick; docs/internals/legal.md has the proofs and measurements.
 *
 * 1. Most captures are needless, since another one is at least as good (dominance.c). Where there are no x-ray
 * attackers and every capture is legal, one of a side's attackers is left, the cheapest: that is the proof that least
 * valuable first is optimal there, and the swap loop gives the value.
 *
 * 2. Alpha-beta. No capture gets more than what stands on the square (and what a promotion adds), none less than that
 *    minus the capturing piece. A king's capture is never answered, so where it is legal it is the best there is.
 *
 * 3. The board is all that matters: what a side can still win by capturing, apart from what stands on the square,
 *    depends on the pieces that are left and not on the order in which the others went. Searches that turn out to be
 *    long remember bounds on it.
 *
 * 4. Bounds are cheaper than values: a long search bisects for the value with null windows, all on one memory.
 */
#include "legal.h"
#include "bounds.h"
#include "dominance.h"
#include "swap.h"

#include <string.h>

/* A test defines this to count the nodes of the search. */
#ifndef SEE_COUNT_NODE
#define SEE_COUNT_NODE() ((void)0)
#endif

/* ---- The memory of a long search -------------------------------------------------------------------------------- */

/*
 * Bounds on what a capture gets, apart from what stands on the square, by the pieces that are left; who captures
 * follows from their number. A queen's lines have 27 squares at most, and with the knight's 8 at most 35 pieces can
 * take part. They are numbered, so that 36 bits say which are left. These bits are mixed, one to one; the upper 11 give
 * the place, and the others are in the entry. Four entries share a place; the one that saves the least work gives way.
 *
 * An entry has, from its lowest bits on: 25 bits of the pieces, 13 for each bound, plus BIAS, and 13 for the work. An
 * entry that is not used is 0.
 */
/* The number of nodes that are searched without a memory: the row SHORT_SEARCH of the last table in
 * docs/internals/lanes.md. */
enum { SHORT_SEARCH = 200 };
enum { PLACES = 1 << 11, WORTH_REMEMBERING = 3, NO_BOUND = 4000, BIAS = 4096, MOST_WORK = (1 << 13) - 1 };

struct memory {
    uint64_t entry[PLACES][4]; /* 64 KB, on the stack of a long search alone */
    uint64_t number[64];       /* the bit of the piece on a square */
};

static void number_pieces(struct memory *memory, uint64_t pieces)
{
    memset(memory, 0, sizeof *memory);
    for (uint64_t bit = 1; pieces; bit <<= 1)
        memory->number[pop_lsb(&pieces)] = bit;
}

/* Each step can be undone, so that no two sets of pieces are mixed into one. */
static uint64_t mixed(uint64_t left)
{
    const uint64_t bits = (UINT64_C(1) << 36) - 1;
    uint64_t x = left * UINT64_C(0x9E3779B97F4A7C15) & bits;
    x = (x ^ x >> 18) * UINT64_C(0xD6E8FEB86659FD93) & bits;
    return x ^ x >> 18;
}

static uint64_t pieces_in(uint64_t entry) { return entry & 0x1FFFFFF; }
static int work_in(uint64_t entry) { return (int)(entry >> 51); }

/* The entry of the pieces, or the one that would give way to it. */
static uint64_t *entry_of(struct memory *memory, uint64_t left, bool *found)
{
    const uint64_t key = mixed(left);
    uint64_t *place = memory->entry[key >> 25], *least = place;
    for (int i = 0; i < 4; i++) {
        *found = place[i] && pieces_in(place[i]) == pieces_in(key);
        if (*found)
            return &place[i];
        if (work_in(place[i]) < work_in(*least))
            least = &place[i];
    }
    return least;
}

/* Looks up the bounds on what a capture gets there. They are open if nothing is remembered. */
static struct bounds recall(struct memory *memory, uint64_t left)
{
    bool found;
    const uint64_t entry = *entry_of(memory, left, &found);
    const struct bounds bounds = {found ? (int)(entry >> 25 & 0x1FFF) - BIAS : -NO_BOUND,
                                  found ? (int)(entry >> 38 & 0x1FFF) - BIAS : NO_BOUND};
    return bounds;
}

static void remember(struct memory *memory, uint64_t left, struct bounds bounds, uint64_t work)
{
    bool found;
    uint64_t *entry = entry_of(memory, left, &found);
    work += found ? (uint64_t)work_in(*entry) : 0;
    work = work < MOST_WORK ? work : (uint64_t)MOST_WORK;
    *entry = pieces_in(mixed(left)) | (uint64_t)(bounds.least + BIAS) << 25 | (uint64_t)(bounds.most + BIAS) << 38 |
             work << 51;
}

/* ---- The search ------------------------------------------------------------------------------------------------- */

/* The state of a search. Only its patience and the pieces left change in its course. */
struct search {
    const struct dominance *dominance;
    int promotion;         /* what a pawn that captures adds, on the last rank */
    uint64_t patience;     /* nodes left; at 0 the search ends, and its result means nothing */
    struct memory *memory; /* NULL in short searches */
    uint64_t left;         /* the pieces left, as the memory numbers them */
};

static int search_turn(struct search *s, struct exchange *x, int color, int victim, int alpha, int beta);

/* What a side gets by capturing with a piece, which may be negative. The exchange is unchanged afterwards. */
static int capture(struct search *s, struct exchange *x, int color, int victim, int type, uint64_t from, int alpha,
                   int beta)
{
    const uint64_t occupied = x->occupied, attackers = x->attackers;
    const bool last_rank = x->last_rank;
    const bool promotes = type == SEEBATCH_PAWN && last_rank;
    const int gain = victim + (promotes ? s->promotion : 0);
    const int stake = s->dominance->rules->value[promotes ? SEEBATCH_QUEEN : type];
    if (!last_rank && gain - stake >= beta)
        return gain - stake; /* good enough, even if the piece is lost for nothing */
    const uint64_t number = s->memory ? s->memory->number[lowest_square(from)] : 0;
    s->left ^= number;
    remove_attacker(x, type, from);
    x->last_rank = last_rank && see_later_pawns_promote(s->dominance->rules);
    const int value = gain - search_turn(s, x, !color, stake, gain - beta, gain - alpha);
    s->left ^= number;
    x->occupied = occupied;
    x->attackers = attackers;
    x->last_rank = last_rank;
    return value;
}

/* Whether the memory has a capture that is good enough: one after which the other side gets little. */
static bool remembers_enough(const struct search *s, const struct exchange *x, int color, int victim, uint64_t tried,
                             int beta, int *value)
{
    while (tried) {
        const int square = pop_lsb(&tried);
        const uint64_t from = square_bb(square);
        const int most = recall(s->memory, s->left ^ s->memory->number[square]).most;
        int type = SEEBATCH_PAWN;
        if (most == NO_BOUND)
            continue;
        while (!(x->of_type[type] & from))
            type++;
        *value = victim - at_least_zero(s->dominance->rules->value[type] + most);
        if (*value >= beta && (s->dominance->all_legal || is_legal(s->dominance, x, color, from)))
            return true;
    }
    return false;
}

/* Finds the best of a side's captures that need to be tried, or `best`. Nothing gets more than `most`. */
static int best_capture(struct search *s, struct exchange *x, int color, int victim, uint64_t tried, int best, int most,
                        int alpha, int beta)
{
    int value;
    if (s->memory && !x->last_rank && remembers_enough(s, x, color, victim, tried, beta, &value))
        return value;
    for (int i = 0; i < 5; i++) {
        const int type = s->dominance->by_value[i];
        for (uint64_t rest = tried & x->of_type[type]; rest; rest &= rest - 1) {
            const uint64_t from = rest & (0 - rest);
            if (!s->dominance->all_legal && !is_legal(s->dominance, x, color, from))
                continue;
            value = capture(s, x, color, victim, type, from, best > alpha ? best : alpha, beta);
            best = value > best ? value : best;
            if (best >= beta || best >= most)
                return best;
        }
    }
    return best;
}

/* What a side gets if it may capture or stop, as for seebatch_legal_value(). */
static int search_turn(struct search *s, struct exchange *x, int color, int victim, int alpha, int beta)
{
    SEE_COUNT_NODE();
    const uint64_t mine = x->attackers & x->of_color[color];
    const uint64_t king = mine & x->of_type[SEEBATCH_KING];
    const uint64_t promoting = x->last_rank ? mine & x->of_type[SEEBATCH_PAWN] : 0;
    const int most = victim + (promoting && s->promotion > 0 ? s->promotion : 0);
    if (!mine || beta <= 0 || s->patience == 0)
        return 0;
    s->patience--;
    if (most <= alpha)
        return most;
    int best = 0;
    if (king && king_may_capture(x, color, king)) {
        best = victim;
        if (best >= beta || !promoting)
            return best;
    }
    struct bounds bounds = {-NO_BOUND, NO_BOUND};
    if (s->memory) {
        bounds = recall(s->memory, s->left);
        const int lower = at_least_zero(victim + bounds.least), upper = at_least_zero(victim + bounds.most);
        if (lower >= beta || lower == upper)
            return lower;
        if (upper <= alpha)
            return upper;
    }
    const uint64_t before = s->patience;
    best = best_capture(s, x, color, victim, seebatch_needed_captures(s->dominance, x, color, mine & ~king, promoting),
                        best, most, alpha, beta);
    const uint64_t work = before - s->patience;
    if (s->memory && work >= WORTH_REMEMBERING) {
        const int bound = best - victim;
        if ((best < beta || best >= most) && bound < bounds.most)
            bounds.most = bound;
        if (best > alpha && best > 0 && bound > bounds.least)
            bounds.least = bound;
        remember(s->memory, s->left, bounds, work);
    }
    return best;
}

/* Does the same for an exchange that takes many nodes, with a memory and by bisection. */
static __attribute__((noinline)) int long_search(struct search *s, struct exchange *x, int color, int victim, int alpha,
                                                 int beta)
{
    struct memory memory;
    const uint64_t pieces = seebatch_possible_attackers(x);
    number_pieces(&memory, pieces);
    s->memory = &memory;
    s->left = (UINT64_C(1) << __builtin_popcountll(pieces)) - 1;
    s->patience = UINT64_MAX;
    int lower = at_least_zero(alpha), upper = victim + (x->last_rank ? at_least_zero(s->promotion) : 0);
    upper = upper < beta ? upper : beta;
    while (lower < upper) {
        const int middle = lower + (upper - lower + 1) / 2;
        const int bound = search_turn(s, x, color, victim, middle - 1, middle);
        if (bound < middle)
            upper = bound;
        else
            lower = bound;
    }
    return lower;
}

/* ---- The interface ---------------------------------------------------------------------------------------------- */

/* The value by search, whatever number of nodes that takes. */
static int search_value(const struct dominance *dominance, struct exchange *x, int color, int victim, int alpha,
                        int beta)
{
    struct search s;
    s.dominance = dominance;
    s.promotion = dominance->rules->value[SEEBATCH_QUEEN] - dominance->rules->value[SEEBATCH_PAWN];
    s.patience = SHORT_SEARCH;
    s.memory = NULL;
    s.left = 0;
    const int value = search_turn(&s, x, color, victim, alpha, beta);
    return s.patience > 0 ? value : long_search(&s, x, color, victim, alpha, beta);
}

int seebatch_legal_value(const seebatch_rules *rules, const struct exchange *x, int color, int victim, int alpha,
                         int beta)
{
    struct dominance dominance;
    struct exchange copy = *x;
    seebatch_init_dominance(&dominance, rules, x);
    dominance.all_legal = dominance.all_legal || seebatch_set_pinned_aside(&dominance, &copy);
    if (!(copy.attackers & copy.of_color[color]))
        return 0;
    if (dominance.all_legal && see_values_are_monotonic(rules) &&
        !(x->last_rank && copy.attackers & x->of_type[SEEBATCH_PAWN])) {
        const uint64_t xrays = xray_attackers(&copy);
        struct bounds b = rough_bounds(rules, &copy, copy.of_color[color], victim);
        int value;
        if (is_resolved(&copy, b, xrays, copy.of_color[color], victim, true, &value))
            b.least = b.most = value;
        if (b.least >= beta || b.least == b.most)
            return b.least;
        if (b.most <= alpha)
            return b.most;
        if (!xrays)
            return resolve(rules, &copy, color, 0, victim, alpha > 0 ? alpha : 0, beta);
    }
    return search_value(&dominance, &copy, color, victim, alpha, beta);
}

/* What a side gets by capturing with a piece, in full. */
static int value_of_capture(const seebatch_rules *rules, const struct exchange *x, int color, int victim, int type,
                            uint64_t from)
{
    if (type == SEEBATCH_KING)
        return victim;
    const bool promotes = type == SEEBATCH_PAWN && x->last_rank;
    const int stays = promotes ? SEEBATCH_QUEEN : type;
    struct exchange after = *x;
    remove_attacker(&after, type, from);
    after.last_rank = x->last_rank && see_later_pawns_promote(rules);
    return victim + rules->value[stays] - rules->value[type] -
           seebatch_legal_value(rules, &after, !color, rules->value[stays], -OPEN, OPEN);
}

bool seebatch_legal_best(const seebatch_rules *rules, struct exchange *x, int color, int victim, uint64_t *from,
                         int *type)
{
    struct dominance dominance;
    const uint64_t mine = x->attackers & x->of_color[color];
    if (!mine)
        return false;
    seebatch_init_dominance(&dominance, rules, x);
    int best = -OPEN;
    bool found = false; /* the first capture is evaluated only if there is another one */
    for (int t = SEEBATCH_PAWN; t <= SEEBATCH_KING; t++) {
        for (uint64_t rest = mine & x->of_type[t]; rest; rest &= rest - 1) {
            const uint64_t piece = rest & (0 - rest);
            if (t == SEEBATCH_KING ? !king_may_capture(x, color, piece) : !is_legal(&dominance, x, color, piece))
                continue;
            if (found && best == -OPEN)
                best = value_of_capture(rules, x, color, victim, *type, *from);
            const int value = found ? value_of_capture(rules, x, color, victim, t, piece) : -OPEN;
            if (!found || value > best) {
                best = value;
                *from = piece;
                *type = t;
            }
            found = true;
        }
    }
    return found;
}

bool seebatch_least_valuable_is_best(const seebatch_rules *rules, struct exchange *x)
{
    struct dominance dominance;
    struct exchange copy = *x;
    seebatch_init_dominance(&dominance, rules, x);
    if (!(dominance.all_legal || seebatch_set_pinned_aside(&dominance, &copy)) || !see_values_are_monotonic(rules) ||
        (x->last_rank && copy.attackers & x->of_type[SEEBATCH_PAWN]) || xray_attackers(&copy))
        return false;
    *x = copy;
    return true;
}
