/*
 * Results that random numbers draw (io/conditions/record_conditions.c): what is worked out for many at once, in float, is what is
 * worked out for each in double, or it is left open. The random numbers are near the bounds, where they could differ.
 */
#include <stdio.h>

#include "../share.h"
#include "conditions/record_conditions.c"

static uint64_t seed = 1;

static int64_t draw_below(int64_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (int64_t)(seed % (uint64_t)n);
}

/* The smallest random number that draws a worse result for White than this one. */
static int64_t bound_of(const struct model *model, int32_t score, int32_t place, uint8_t result)
{
    int64_t low = 0, high = INT64_C(1) << 53;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (draw_result(model, score, place, middle) < result)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* A random number of 53 bits on either side of a bound, as near as one part in 2^4 to 2^30. */
static int64_t near(int64_t bound)
{
    const int64_t most = (INT64_C(1) << 53) - 1, range = INT64_C(1) << (23 + draw_below(27));
    const int64_t number = bound + draw_below(range) - range / 2;
    return number < 0 ? 0 : number < most ? number : most;
}

/* As a processor without AVX2 does it. */
static void draw_by_any(int32_t most, const int32_t *scores, struct draws *draws, size_t n)
{
    draw_nearly(most, scores, draws, n);
}

int main(void)
{
    enum { ROUNDS = 800 / SHARE, SHIFT = 22 /* from 53 bits to 31 */ };
    long faults = 0, open = 0, n = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const struct model *model = &models[round % N_MODELS];
        static struct chances chances[PLACES];
        static struct draws draws;
        int32_t scores[MOST_QUERIED], places[MOST_QUERIED];
        int64_t random[MOST_QUERIED];
        set_chances(model, chances);
        for (int i = 0; i < MOST_QUERIED; i++) {
            scores[i] = (int32_t)(draw_below(2) ? draw_below(1201) - 600 : draw_below(20001) - 10000);
            places[i] = (int32_t)draw_below(model->last + 20);
            random[i] = near(bound_of(model, scores[i], places[i], draw_below(2) ? RESULT_DRAW : RESULT_WHITE_WINS));
            draws.random[i] = (int32_t)(random[i] >> SHIFT);
            draws.chances[i] = chances[clamp(places[i], 0, PLACES - 1)];
        }
        for (int way = 0; way < 2; way++) {
            (way == 0 ? draw_all : draw_by_any)(model->most, scores, &draws, MOST_QUERIED);
            for (int i = 0; i < MOST_QUERIED; i++, n++) {
                open += draws.drawn[i] == OPEN;
                faults +=
                    draws.drawn[i] != OPEN && draws.drawn[i] != draw_result(model, scores[i], places[i], random[i]);
            }
        }
    }
    faults += open == 0 || open > n * 9 / 10;
    printf("%ld results, %ld of them left open, %ld faults\n", n, open, faults);
    return faults != 0;
}
