/* Finds which candidates explain an engine's answers; see identification.h. */
#include "identification.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Odds of 1000 to 1 refute a candidate. More than 3% mistakes are none; nor are those that one kind of moves has alone,
 * if chance would bring that about once in 1000 times. */
enum { MOST_TURNS = 4, MOST_REFINED = 8 };
static const double refuted = 3, most_mistakes = 0.03, by_chance = 0.001;

/* What ranking keeps: the answers of the first candidate, and on which lines another has another. */
struct ranking {
    int16_t *first;
    bool *contested;
};

/* Counts how many of some lines contradict a candidate. */
static size_t count_wrong(struct answers *answers, const seebatch_rules *rules, size_t from, size_t end, bool is_first,
                          struct ranking *ranking)
{
    size_t wrong = 0;
    answers_evaluate_some(answers, rules, from, end);
    for (size_t i = from; i < end; i++) {
        const struct answer_line *line = &answers->lines[i];
        const int16_t value = answers->values[i];
        wrong += contradicts(answers, i);
        if (is_first)
            ranking->first[i] = value;
        ranking->contested[i] |= line->has_threshold ? (value >= line->answer) != (ranking->first[i] >= line->answer)
                                                     : value != ranking->first[i];
    }
    return wrong;
}

/* An earlier candidate with the same answers to all ordinary moves, or the candidate itself. */
static int same_on_ordinary_moves(const struct identification *found, int c)
{
    const seebatch_rules *x = &found->candidates[c].rules;
    int k = 0;
    for (; k < c; k++) {
        const seebatch_rules *y = &found->candidates[k].rules;
        if (x->pins == y->pins && x->en_passant_replies == y->en_passant_replies &&
            (x->promotions == SEEBATCH_PROMOTE_ALL) == (y->promotions == SEEBATCH_PROMOTE_ALL))
            break;
    }
    return k;
}

/* Counts for each candidate the lines that contradict it, and marks the lines on which candidates disagree. All have
 * the same values, so that many agree on the ordinary moves. */
static void rank_candidates(struct answers *answers, struct identification *found, bool *contested)
{
    struct ranking ranking = {reallocate(NULL, answers->n + 1, sizeof *ranking.first), contested};
    size_t ordinary[MOST_CANDIDATES];
    memset(contested, 0, answers->n * sizeof *contested);
    found->best = 0;
    for (int c = 0; c < (int)found->n; c++) {
        const seebatch_rules *rules = &found->candidates[c].rules;
        const int same = same_on_ordinary_moves(found, c);
        ordinary[c] = same < c ? ordinary[same] : count_wrong(answers, rules, 0, answers->ordinary, c == 0, &ranking);
        found->wrong[c] = ordinary[c] + count_wrong(answers, rules, answers->ordinary, answers->n, c == 0, &ranking);
        if (found->wrong[c] < found->wrong[found->best])
            found->best = c;
    }
    free(ranking.first);
}

static void set_values(struct identification *found, const int16_t values[5])
{
    for (int c = 0; c < (int)found->n; c++)
        memcpy(found->candidates[c].rules.value, values, 5 * sizeof *values);
}

static bool values_are_open(const struct value_bounds *bounds)
{
    bool open = false;
    for (int p = 0; p < 5; p++)
        open |= bounds->low[p] < bounds->high[p];
    return open;
}

/* Gives candidates that come close to the best values of their own, one for each number of contradictions. */
static void refine_others(struct answers *answers, struct identification *found)
{
    const size_t best = found->wrong[found->best], close = best + best / 2 + 50 + answers->n / 200;
    size_t last = best;
    for (int refined = 0; refined < MOST_REFINED; refined++) {
        size_t next = close + 1;
        for (int c = 0; c < (int)found->n; c++)
            if (found->wrong[c] > last && found->wrong[c] < next)
                next = found->wrong[c];
        if (next > close)
            return;
        last = next;
        for (int c = 0, done = -1; c < (int)found->n; c++) {
            if (found->wrong[c] != next)
                continue;
            seebatch_rules *rules = &found->candidates[c].rules;
            if (done < 0)
                found->wrong[c] = refine_values(answers, &found->bounds, rules);
            else
                memcpy(rules->value, found->candidates[done].rules.value, sizeof rules->value);
            if (done >= 0)
                found->wrong[c] = answers_contradictions(answers, rules, SIZE_MAX);
            done = done < 0 ? c : done;
        }
    }
}

static void count_kinds(struct answers *answers, struct identification *found, const bool *contested)
{
    answers_evaluate(answers, &found->candidates[found->best].rules);
    for (size_t i = 0; i < answers->n; i++) {
        const bool wrong = contradicts(answers, i);
        found->asked[answers->lines[i].kind]++;
        found->contradicting[answers->lines[i].kind] += wrong;
        found->contested += contested[i];
        found->contesting += wrong && contested[i];
    }
}

/* Why the contradictions of the best candidate are no mistakes; NULL if they may be. */
static const char *reason_for_none(const struct answers *answers, const struct identification *found)
{
    const size_t wrong = found->wrong[found->best];
    const double n = (double)answers->n, share = (double)wrong / n;
    if (answers->n == 0)
        return "there are no answers";
    if (share > most_mistakes)
        return "more answers contradict it than mistakes would";
    for (int kind = 0; kind < KINDS; kind++) {
        const size_t of_kind = found->contradicting[kind];
        const bool often = of_kind >= 5 && (double)of_kind > 0.2 * (double)found->asked[kind];
        const bool alone =
            of_kind >= 3 && of_kind == wrong && pow((double)found->asked[kind] / n, (double)wrong) < by_chance;
        if (often || alone)
            return "what contradicts it is of one kind";
    }
    const double contested = (double)found->contested / n, contesting = (double)found->contesting;
    const double expected = contested * (double)wrong;
    if (wrong >= 5 && contesting > expected + 5 * sqrt(expected * (1 - contested)) + 2)
        return "what contradicts it is where rules differ, and no mistake";
    return NULL;
}

/* Which candidates fit, and which is the best of the others. */
static void divide(const struct answers *answers, struct identification *found)
{
    const size_t least = found->wrong[found->best];
    const double mistakes = ((double)least + 0.5) / ((double)answers->n + 1);
    found->evidence = log10((1 - mistakes) / mistakes);
    found->next = -1;
    for (int c = 0; c < (int)found->n; c++) {
        const double odds = (double)(found->wrong[c] - least) * found->evidence;
        found->fits[c] = found->none == NULL && (least == 0 ? found->wrong[c] == 0 : odds < refuted);
        found->n_fits += found->fits[c];
        if (!found->fits[c] && (found->next < 0 || found->wrong[c] < found->wrong[found->next]))
            found->next = c;
    }
}

/* Finds the best candidate, and the values of all. */
static void find_best(struct answers *answers, struct identification *found, bool *contested)
{
    int16_t values[5] = {0};
    memset(found, 0, sizeof *found);
    found->n = list_candidates(found->candidates);
    bounds_from_free_captures(answers, &found->bounds);
    first_values(answers, found->candidates, &found->bounds, values);
    for (int turn = 0, best = -1; turn < MOST_TURNS && best != found->best; turn++) {
        best = turn > 0 ? found->best : -1;
        set_values(found, values);
        rank_candidates(answers, found, contested);
        seebatch_rules *rules = &found->candidates[found->best].rules;
        if (!values_are_open(&found->bounds))
            break;
        found->wrong[found->best] = refine_values(answers, &found->bounds, rules);
        memcpy(values, rules->value, sizeof values);
    }
    set_values(found, values);
    rank_candidates(answers, found, contested);
    if (values_are_open(&found->bounds))
        refine_others(answers, found);
    for (int c = 0; c < (int)found->n; c++)
        found->best = found->wrong[c] < found->wrong[found->best] ? c : found->best;
}

/* The other way to count squares is tried where some answers contradict, and not most of them. It must explain more
 * answers than chance would: two of three of those that contradict, and at least two. */
static void try_upside_down(struct answers *answers, struct identification *found, bool *contested)
{
    const size_t wrong = found->wrong[found->best];
    if (wrong < 2 || (double)wrong > 2 * most_mistakes * (double)answers->n)
        return;
    struct identification *other = reallocate(NULL, 1, sizeof *other);
    bool *other_contested = reallocate(NULL, answers->n, sizeof *other_contested);
    answers_flip(answers);
    find_best(answers, other, other_contested);
    if (3 * other->wrong[other->best] <= wrong) {
        *found = *other;
        memcpy(contested, other_contested, answers->n * sizeof *contested);
    } else {
        answers_flip(answers);
    }
    free(other);
    free(other_contested);
}

void identify_answers(struct answers *answers, struct identification *found)
{
    bool *contested = reallocate(NULL, answers->n + 1, sizeof *contested);
    find_best(answers, found, contested);
    try_upside_down(answers, found, contested);
    value_ranges(answers, &found->candidates[found->best].rules, found->low, found->high);
    count_kinds(answers, found, contested);
    found->none = reason_for_none(answers, found);
    divide(answers, found);
    free(contested);
}
