/*
 * Finds what hangs: the value of a square for a side that has the turn in an exchange there, and the map of all
 * squares.
 *
 * The exchange is that of value.c, except that the first capture is not given: the rules choose it, and the side may
 * decline it. With least valuable first, the code here chooses and makes the first capture, and the swap loop continues
 * with the other side's recapture. The search in any order begins with a choice in any case. The first capture differs
 * from a later one in two ways:
 *
 *   - the piece on the square has not been captured yet, and pins whatever it pins;
 *   - a pawn becomes a queen on the last rank also under rules that promote the first move's pawn alone.
 *
 * A map places the pieces once, finds the pins once, and looks only at pieces that the other side attacks.
 */
#include "exchange.h"
#include "legal.h"
#include "seebatch.h"
#include "swap.h"

#include <assert.h>

/* The pieces of a position, and its pins. */
static void prepare(const seebatch_rules *rules, const seebatch_position *position, struct exchange *x)
{
    init_pieces(x, position);
    seebatch_find_pins(rules, position, &x->pins);
}

/* The attackers of a side that may make the first capture. */
static uint64_t first_attackers(const seebatch_rules *rules, struct exchange *x, int color)
{
    x->occupied |= square_bb(x->to); /* a pinner that stands on the square still pins */
    const uint64_t attackers = allowed_attackers(rules, x, color);
    x->occupied &= ~square_bb(x->to);
    return attackers;
}

/* What a side gets if it captures with its least valuable attacker, or stops. */
static int least_valuable_first(const seebatch_rules *rules, struct exchange *x, int color, int victim)
{
    const uint64_t attackers = first_attackers(rules, x, color);
    if (!attackers)
        return 0;
    uint64_t from;
    const int type = least_valuable(x, attackers, &from);
    if (type == SEEBATCH_KING)
        return king_is_allowed(rules, x, color, from) ? victim : 0;
    remove_attacker(x, type, from);
    int gain = victim, stays = type;
    if (type == SEEBATCH_PAWN && x->last_rank) {
        stays = SEEBATCH_QUEEN;
        gain += rules->value[SEEBATCH_QUEEN] - rules->value[SEEBATCH_PAWN];
    }
    x->last_rank = x->last_rank && see_later_pawns_promote(rules);
    return -resolve(rules, x, !color, -gain, rules->value[stays], -OPEN, 0);
}

/* The value of a square with an enemy piece worth victim, in an exchange that has been prepared. */
static int hanging_value(const seebatch_rules *rules, struct exchange *x, int square, int color, int victim)
{
    init_attackers(x, square, 0);
    if (see_rules_are_ray(rules))
        find_pinned_pieces(x, rules->pins);
    if (!(x->attackers & x->of_color[color]))
        return 0;
    x->last_rank = rules->promotions != SEEBATCH_PROMOTE_NONE && (square < 8 || square >= 56);
    if (rules->order == SEEBATCH_BEST_ORDER)
        return seebatch_legal_value(rules, x, color, victim, 0, OPEN);
    return least_valuable_first(rules, x, color, victim);
}

/* All squares that a side attacks. The set may have others as well. */
static uint64_t attacked_squares(const struct exchange *x, int color)
{
    const uint64_t own = x->of_color[color], occupied = own | x->of_color[!color];
    uint64_t attacked = 0;
    for (uint64_t pawns = own & x->of_type[SEEBATCH_PAWN]; pawns;)
        attacked |= pawn_attacks(color, pop_lsb(&pawns));
    for (uint64_t knights = own & x->of_type[SEEBATCH_KNIGHT]; knights;)
        attacked |= knight_attacks(pop_lsb(&knights));
    for (uint64_t kings = own & x->of_type[SEEBATCH_KING]; kings;)
        attacked |= king_attacks(pop_lsb(&kings));
    for (uint64_t sliders = own & x->diagonal_sliders; sliders;)
        attacked |= bishop_attacks(pop_lsb(&sliders), occupied);
    for (uint64_t sliders = own & x->orthogonal_sliders; sliders;)
        attacked |= rook_attacks(pop_lsb(&sliders), occupied);
    return attacked;
}

/* ---- The public functions --------------------------------------------------------------------------------------- */

int seebatch_square_value(const seebatch_rules *rules, const seebatch_position *position, int square, int color)
{
    assert(seebatch_rules_check(rules, NULL) == SEEBATCH_OK);
    assert(square >= 0 && square < 64 && (color == SEEBATCH_WHITE || color == SEEBATCH_BLACK));
    const int type = seebatch_type_on(position, square);
    if (type >= SEEBATCH_KING || seebatch_color_on(position, square) == color)
        return 0; /* SEEBATCH_NO_PIECE is a higher number than SEEBATCH_KING */
    struct exchange x;
    prepare(rules, position, &x);
    return hanging_value(rules, &x, square, color, rules->value[type]);
}

void seebatch_map(const seebatch_rules *rules, const seebatch_position *position, int16_t map[2][64])
{
    assert(seebatch_rules_check(rules, NULL) == SEEBATCH_OK);
    struct exchange x;
    prepare(rules, position, &x);
    for (int color = SEEBATCH_WHITE; color <= SEEBATCH_BLACK; color++) {
        for (int square = 0; square < 64; square++)
            map[color][square] = 0;
        uint64_t targets = x.of_color[!color] & ~x.of_type[SEEBATCH_KING] & attacked_squares(&x, color);
        while (targets) {
            const int square = pop_lsb(&targets);
            const int victim = rules->value[seebatch_type_on(position, square)];
            map[color][square] = (int16_t)hanging_value(rules, &x, square, color, victim);
        }
    }
}
