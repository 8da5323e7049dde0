/*
 * Finds which piece values an engine has, by its answers.
 *
 * A capture that nothing can answer is worth the captured piece, under all rules: so the values come first, or bounds
 * of them where the engine answers thresholds. What is still open is found together with the rules, by the number of
 * lines that contradict: from the tables of known engines, by steps along one value or two.
 */
#include <stdlib.h>
#include <string.h>

#include "answers.h"

enum { GREATEST = SEEBATCH_MAX_PIECE_VALUE };

/* ---- Captures that nothing can answer --------------------------------------------------------------------------- */

/* Counts how many of these lines contradict each value of a piece. */
struct votes {
    long n, against[GREATEST + 2]; /* while they are counted: differences to the value below */
};

static void vote(struct votes *votes, int from, int to)
{
    from = from < 0 ? 0 : from;
    to = to > GREATEST + 1 ? GREATEST + 1 : to;
    if (from >= to)
        return;
    votes->against[from]++;
    votes->against[to]--;
}

static void count_vote(struct votes *votes, const struct answer_line *line)
{
    votes->n++;
    if (!line->has_threshold) {
        vote(votes, 0, line->answer);
        vote(votes, line->answer + 1, GREATEST + 1);
    } else if (line->reaches) {
        vote(votes, 0, line->answer);
    } else {
        vote(votes, line->answer, GREATEST + 1);
    }
}

/* Turned answers move the edges: where there are any, values that a few more lines contradict are kept. */
static void bound(const struct votes *votes, int *low, int *high)
{
    long against = 0, least = votes->n + 1, sums[GREATEST + 1];
    for (int v = 0; v <= GREATEST; v++) {
        sums[v] = against += votes->against[v];
        least = against < least ? against : least;
    }
    const long slack = least == 0 ? 0 : votes->n / 8 < 3 ? votes->n / 8 : 3;
    for (*low = 0; sums[*low] > least + slack;)
        ++*low;
    for (*high = GREATEST; sums[*high] > least + slack;)
        --*high;
}

void bounds_from_free_captures(const struct answers *answers, struct value_bounds *bounds)
{
    struct votes *votes = reallocate(NULL, 5, sizeof *votes);
    memset(votes, 0, 5 * sizeof *votes);
    for (size_t i = 0; i < answers->n; i++) {
        const int piece = free_capture(&answers->positions[i], answers->moves[i]);
        if (piece <= SEEBATCH_QUEEN)
            count_vote(&votes[piece], &answers->lines[i]);
    }
    for (int piece = SEEBATCH_PAWN; piece <= SEEBATCH_QUEEN; piece++) {
        bounds->found[piece] = votes[piece].n > 0;
        bound(&votes[piece], &bounds->low[piece], &bounds->high[piece]);
    }
    free(votes);
}

/* ---- Steps ------------------------------------------------------------------------------------------------------ */

static int within(int value, int low, int high) { return value < low ? low : value > high ? high : value; }

/* Values of engines and of test suites. */
static const int16_t known[][5] = {
    {100, 325, 325, 500, 1000}, {100, 300, 300, 500, 900},  {100, 300, 300, 500, 1000}, {97, 434, 464, 646, 1289},
    {233, 446, 446, 716, 1253}, {82, 229, 292, 440, 1147},  {84, 239, 256, 506, 744},   {90, 290, 310, 570, 1000},
    {109, 403, 435, 679, 1242}, {100, 450, 450, 650, 1250}, {100, 370, 390, 610, 1210}, {208, 781, 825, 1276, 2538},
};

void first_values(struct answers *answers, const struct candidate *candidates, const struct value_bounds *bounds,
                  int16_t values[5])
{
    size_t least = answers->n + 1;
    for (size_t t = 0; t < sizeof known / sizeof known[0]; t++) {
        int16_t table[5];
        bool new_one = t == 0;
        for (int p = 0; p < 5; p++) {
            const int low = bounds->low[p], high = bounds->high[p];
            table[p] = (int16_t)(high - low < 64 ? (low + high) / 2 : within(known[t][p], low, high));
            new_one |= table[p] != values[p];
        }
        for (size_t c = 0; new_one && candidates[c].named; c++) {
            seebatch_rules rules = candidates[c].rules;
            memcpy(rules.value, table, sizeof table);
            const size_t n = answers_contradictions(answers, &rules, least);
            if (n < least)
                memcpy(values, table, sizeof table);
            least = n;
        }
    }
}

/* Tries other values; keeps them if fewer lines contradict. */
static bool try_values(struct answers *answers, const struct value_bounds *bounds, seebatch_rules *rules,
                       const int change[5], size_t *least)
{
    seebatch_rules tried = *rules;
    for (int p = 0; p < 5; p++) {
        const int value = rules->value[p] + change[p];
        if (value < bounds->low[p] || value > bounds->high[p])
            return false;
        tried.value[p] = (int16_t)value;
    }
    const size_t n = answers_contradictions(answers, &tried, *least);
    if (n >= *least)
        return false;
    *least = n;
    *rules = tried;
    return true;
}

/* The value of a piece that most lines with values imply where they change with it: where it is 1 more, they are. */
static void vote_by_values(struct answers *answers, const struct value_bounds *bounds, seebatch_rules *rules, int piece,
                           size_t *least)
{
    seebatch_rules more = *rules;
    more.value[piece]++;
    long *votes = reallocate(NULL, GREATEST + 1, sizeof *votes);
    int16_t *before = reallocate(NULL, answers->n + 1, sizeof *before);
    memset(votes, 0, (GREATEST + 1) * sizeof *votes);
    answers_evaluate(answers, rules);
    memcpy(before, answers->values, answers->n * sizeof *before);
    answers_evaluate(answers, &more);
    int best = rules->value[piece];
    for (size_t i = 0; i < answers->n; i++) {
        const int slope = answers->values[i] - before[i];
        const int implied = rules->value[piece] + slope * (answers->lines[i].answer - before[i]);
        if (answers->lines[i].has_threshold || abs(slope) != 1 || implied < 0 || implied > GREATEST)
            continue;
        votes[implied]++;
        best = votes[implied] > votes[best] ? implied : best;
    }
    free(votes);
    free(before);
    int change[5] = {0};
    change[piece] = best - rules->value[piece];
    try_values(answers, bounds, rules, change, least);
}

/* Takes one step along each value, and along each two together and against each other. Returns whether any was better. */
static bool step_everywhere(struct answers *answers, const struct value_bounds *bounds, seebatch_rules *rules, int step,
                            size_t *least)
{
    bool better = false;
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int p = 0; p < 5; p++) {
            int change[5] = {0};
            change[p] = sign * step;
            better |= try_values(answers, bounds, rules, change, least);
            for (int q = 0; q < p; q++) {
                change[q] = step;
                better |= try_values(answers, bounds, rules, change, least);
                change[q] = -step;
                better |= try_values(answers, bounds, rules, change, least);
                change[q] = 0;
            }
        }
    }
    return better;
}

/* Shifts one value as far as a line that contradicts needs it. */
static bool repair_line(struct answers *answers, const struct value_bounds *bounds, seebatch_rules *rules, size_t i,
                        size_t *least)
{
    const struct answer_line *line = &answers->lines[i];
    const seebatch_position *position = &answers->boards[i];
    const seebatch_move move = answers->board_moves[i];
    const int value = seebatch_value(rules, position, NULL, move);
    const int missing = (line->reaches ? line->answer : line->answer - 1) - value;
    for (int piece = 0; piece < 5; piece++) {
        seebatch_rules more = *rules;
        int change[5] = {0};
        if (more.value[piece] == GREATEST)
            continue;
        more.value[piece]++;
        const int slope = seebatch_value(&more, position, NULL, move) - value;
        if (slope == 0 || value == SEEBATCH_ALWAYS)
            continue;
        change[piece] = missing / slope + (missing % slope != 0 ? ((missing < 0) == (slope < 0) ? 1 : -1) : 0);
        if (try_values(answers, bounds, rules, change, least))
            return true;
    }
    return false;
}

/* Repairs lines, each once a round, until nothing gets better. */
static void repair_lines(struct answers *answers, const struct value_bounds *bounds, seebatch_rules *rules,
                         size_t *least)
{
    enum { MOST_REPAIRS = 40 };
    for (bool better = true; better && *least > 0;) {
        size_t wrong[MOST_REPAIRS], n = 0;
        better = false;
        answers_evaluate(answers, rules);
        for (size_t i = 0; i < answers->n && n < MOST_REPAIRS; i++)
            if (answers->lines[i].has_threshold && contradicts(answers, i))
                wrong[n++] = i;
        for (size_t k = 0; k < n && !better; k++)
            better = repair_line(answers, bounds, rules, wrong[k], least);
    }
}

size_t refine_values(struct answers *answers, const struct value_bounds *bounds, seebatch_rules *rules)
{
    size_t least = answers_contradictions(answers, rules, SIZE_MAX);
    for (int round = 0; round < 2 && answers->flags < answers->n; round++)
        for (int piece = 0; piece < 5 && least > 0; piece++)
            if (bounds->low[piece] < bounds->high[piece])
                vote_by_values(answers, bounds, rules, piece, &least);
    for (int step = 64; step > 0 && answers->flags > 0; step /= 4)
        for (int round = 0; round < 8 && least > 0 && step_everywhere(answers, bounds, rules, step, &least);)
            round++;
    if (answers->flags > 0)
        repair_lines(answers, bounds, rules, &least);
    return least;
}

/* ---- Ranges ----------------------------------------------------------------------------------------------------- */

/* How far values can go in a direction before more lines contradict than at the start, by bisection. */
static int reach(struct answers *answers, const seebatch_rules *rules, const int direction[5], size_t least)
{
    int good = 0, bad = GREATEST + 1;
    for (int p = 0; p < 5; p++) {
        const int room = direction[p] > 0 ? GREATEST - rules->value[p] : rules->value[p];
        bad = direction[p] != 0 && room < bad ? room + 1 : bad;
    }
    for (int step = 1; good + 1 < bad; step *= 2) {
        seebatch_rules tried = *rules;
        const int middle = good + step < bad && step < GREATEST ? good + step : (good + bad) / 2;
        for (int p = 0; p < 5; p++)
            tried.value[p] = (int16_t)(tried.value[p] + middle * direction[p]);
        if (answers_contradictions(answers, &tried, least + 1) <= least) {
            good = middle;
        } else {
            bad = middle;
            step = GREATEST;
        }
    }
    return good;
}

static void widen(struct answers *answers, const seebatch_rules *rules, const int direction[5], size_t least,
                  int low[5], int high[5])
{
    const int good = reach(answers, rules, direction, least);
    for (int p = 0; p < 5; p++) {
        const int value = rules->value[p] + good * direction[p];
        low[p] = value < low[p] ? value : low[p];
        high[p] = value > high[p] ? value : high[p];
    }
}

void value_ranges(struct answers *answers, const seebatch_rules *rules, int low[5], int high[5])
{
    const size_t least = answers_contradictions(answers, rules, SIZE_MAX);
    for (int p = 0; p < 5; p++)
        low[p] = high[p] = rules->value[p];
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int p = 0; p < 5; p++) {
            int direction[5] = {0};
            direction[p] = sign;
            widen(answers, rules, direction, least, low, high);
            for (int q = 0; q < p && answers->flags > 0; q++) {
                direction[q] = 1;
                widen(answers, rules, direction, least, low, high);
                direction[q] = -1;
                widen(answers, rules, direction, least, low, high);
                direction[q] = 0;
            }
        }
    }
}
