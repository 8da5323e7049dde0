/*
 * Sums up what hangs.
 *
 * Under rules in which each side captures in any order and legally, what a side gets on a square is the value of its
 * best legal capture there, or nothing. The side to move has its captures evaluated already, and the other one's follow
 * in the same way, many at a time, from the position with the turn passed on. A side cannot pass its turn in check:
 * what the other one gets then comes from seebatch_square_value(). Under all other rules all comes from seebatch_map().
 */
#include "hanging.h"

#include <string.h>

enum { OWNERS_AT_ONCE = 8 };

static bool reserve(struct captures *captures, size_t n)
{
    if (captures->capacity >= n)
        return true;
    int16_t *values = realloc(captures->values, n * sizeof *values);
    captures->values = values != NULL ? values : captures->values;
    uint16_t *owners = realloc(captures->owners, (n + OWNERS_AT_ONCE) * sizeof *owners);
    captures->owners = owners != NULL ? owners : captures->owners;
    if (values == NULL || owners == NULL)
        return false;
    captures->capacity = n;
    return true;
}

/* Some at once, without a branch on how many captures a position has: the next position's are written over the rest. */
static void find_owners(struct captures *captures, size_t n)
{
    const size_t *offsets = captures->queries.offsets;
    for (size_t i = 0; i < n; i++) {
        uint16_t owners[OWNERS_AT_ONCE];
        for (size_t k = 0; k < OWNERS_AT_ONCE; k++)
            owners[k] = (uint16_t)i;
        size_t at = offsets[i];
        do {
            memcpy(&captures->owners[at], owners, sizeof owners);
            at += OWNERS_AT_ONCE;
        } while (at < offsets[i + 1]);
    }
}

bool captures_evaluate(struct captures *captures, const seebatch_rules *rules, const seebatch_position *positions,
                       size_t n, const bool *in)
{
    struct queries *queries = &captures->queries;
    if (!queries_of_captures(queries, positions, n, in, NULL, captures->checked) ||
        !reserve(captures, queries->capacity))
        return false;
    const seebatch_batch moves = queries_of_batch(queries, positions, n);
    seebatch_batch_values(rules, &moves, captures->values, NULL);
    find_owners(captures, n);
    return true;
}

void captures_free(struct captures *captures)
{
    free(captures->queries.moves);
    free(captures->values);
    free(captures->owners);
}

/* Adds to a side's sums the best capture on each square that gains. Capturing pawns become queens here, and no square
 * is captured on en passant. best grows with the positions: what an earlier one has left there counts as nothing. */
static void add_captures(const struct captures *captures, const seebatch_position *positions, size_t n, int (*sums)[2])
{
    enum { POSITION = 1 << 13 }; /* more than any value */
    int best[64] = {0};
    for (size_t k = 0; k < captures->queries.offsets[n]; k++) {
        const seebatch_move move = captures->queries.moves[k];
        const int i = captures->owners[k], to = seebatch_to(move), promotion = seebatch_promotion(move);
        const bool counts = (captures->values[k] > 0) & (promotion == 0 || promotion == SEEBATCH_QUEEN) &
                            (seebatch_occupied(&positions[i]) >> to & 1);
        const int nothing = POSITION * i, before = best[to] > nothing ? best[to] : nothing,
                  now = nothing + (captures->values[k] & -(int)counts);
        best[to] = now > before ? now : before;
        sums[i][positions[i].stm] += best[to] - before;
    }
}

static void sum_of_map(const seebatch_rules *rules, const seebatch_position *position, int sums[2])
{
    int16_t map[2][64];
    seebatch_map(rules, position, map);
    for (int color = SEEBATCH_WHITE; color <= SEEBATCH_BLACK; color++) {
        sums[color] = 0;
        for (int square = 0; square < 64; square++)
            sums[color] += map[color][square];
    }
}

/* Does the same for one side alone. */
static int sum_of_side(const seebatch_rules *rules, const seebatch_position *position, int color)
{
    const uint64_t occupied = seebatch_occupied(position), own = seebatch_pieces_of_color(position, color);
    uint64_t attacked = 0;
    int sum = 0;
    for (uint64_t pieces = own; pieces; pieces &= pieces - 1) {
        const int square = __builtin_ctzll(pieces);
        attacked |= seebatch_attacks(seebatch_type_on(position, square), color, square, occupied);
    }
    for (uint64_t targets = attacked & occupied & ~own; targets; targets &= targets - 1)
        sum += seebatch_square_value(rules, position, __builtin_ctzll(targets), color);
    return sum;
}

bool hanging_sums(struct hanging *hanging, const seebatch_rules *rules, const seebatch_position *positions, size_t n,
                  const struct captures *captures, const bool wanted[2], int (*sums)[2])
{
    const bool best = rules->order == SEEBATCH_BEST_ORDER && rules->promotion == SEEBATCH_PROMOTION_EVALUATED;
    if (!best) {
        for (size_t i = 0; i < n; i++)
            sum_of_map(rules, &positions[i], sums[i]);
        return true;
    }
    for (size_t i = 0; i < n; i++) {
        const int other = !positions[i].stm;
        hanging->in[i] = wanted[other] && !captures->checked[i];
        hanging->null_moves[i] = positions[i];
        hanging->null_moves[i].stm = (uint8_t)other;
        hanging->null_moves[i].ep_square = SEEBATCH_NO_SQUARE;
    }
    if (!captures_evaluate(&hanging->replies, rules, hanging->null_moves, n, hanging->in))
        return false;
    memset(sums, 0, n * sizeof *sums);
    add_captures(captures, positions, n, sums);
    add_captures(&hanging->replies, hanging->null_moves, n, sums);
    for (size_t i = 0; i < n; i++) {
        const int other = !positions[i].stm;
        if (captures->checked[i] && wanted[other])
            sums[i][other] = sum_of_side(rules, &positions[i], other);
    }
    return true;
}
