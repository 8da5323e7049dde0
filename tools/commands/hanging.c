/*
 * What hangs, summed.
 *
 * Under rules in which each side captures in any order and legally, what a side gets on a square is the value of its
 * best legal capture there, or nothing. The side to move has its captures evaluated already, and the other one's follow
 * in the same way, many at a time, from the position with the turn passed on. A side cannot pass its turn in check:
 * what the other one gets then comes from seebatch_map(), as it does under all other rules.
 */
#include "hanging.h"

#include "in_check.h"

bool captures_evaluate(struct captures *captures, const seebatch_rules *rules, const seebatch_position *positions,
                       size_t n, const bool *in)
{
    struct requests *requests = &captures->requests;
    if (!requests_of_captures(requests, positions, n, in, NULL))
        return false;
    if (captures->capacity < requests->capacity) {
        int16_t *values = realloc(captures->values, requests->capacity * sizeof *values);
        if (values == NULL)
            return false;
        captures->values = values;
        captures->capacity = requests->capacity;
    }
    const seebatch_batch moves = requests_of_batch(requests, positions, n);
    seebatch_batch_values(rules, &moves, captures->values, NULL);
    return true;
}

void captures_free(struct captures *captures)
{
    free(captures->requests.moves);
    free(captures->values);
}

/* The best capture on each square that gains, of those of position i. Capturing pawns become queens here, and no square
 * is captured on en passant. */
static int sum_of_captures(const struct captures *captures, size_t i, const seebatch_position *position)
{
    const size_t *offsets = captures->requests.offsets;
    const uint64_t occupied = seebatch_occupied(position);
    int best[64], sum = 0;
    uint64_t seen = 0;
    for (size_t k = offsets[i]; k < offsets[i + 1]; k++) {
        const seebatch_move move = captures->requests.moves[k];
        const int to = seebatch_to(move), promotion = seebatch_promotion(move), value = captures->values[k];
        const uint64_t square = UINT64_C(1) << to;
        if (value <= 0 || !(occupied & square) || (promotion != 0 && promotion != SEEBATCH_QUEEN))
            continue;
        const int before = seen & square ? best[to] : 0;
        seen |= square;
        if (value > before) {
            sum += value - before;
            best[to] = value;
        }
    }
    return sum;
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

bool hanging_sums(struct hanging *hanging, const seebatch_rules *rules, const seebatch_position *positions, size_t n,
                  const struct captures *captures, const bool wanted[2], int (*sums)[2])
{
    const bool best = rules->order == SEEBATCH_BEST_ORDER && rules->promotion == SEEBATCH_PROMOTION_EVALUATED;
    if (!best) {
        for (size_t i = 0; i < n; i++)
            sum_of_map(rules, &positions[i], sums[i]);
        return true;
    }
    find_positions_in_check(positions, n, hanging->checked);
    for (size_t i = 0; i < n; i++) {
        const int other = !positions[i].stm;
        hanging->in[i] = wanted[other] && !hanging->checked[i];
        hanging->null_moves[i] = positions[i];
        hanging->null_moves[i].stm = (uint8_t)other;
        hanging->null_moves[i].ep_square = SEEBATCH_NO_SQUARE;
    }
    if (!captures_evaluate(&hanging->replies, rules, hanging->null_moves, n, hanging->in))
        return false;
    for (size_t i = 0; i < n; i++) {
        const int stm = positions[i].stm;
        if (hanging->checked[i] && wanted[!stm]) {
            sum_of_map(rules, &positions[i], sums[i]);
            continue;
        }
        sums[i][stm] = sum_of_captures(captures, i, &positions[i]);
        sums[i][!stm] = sum_of_captures(&hanging->replies, i, &positions[i]);
    }
    return true;
}
