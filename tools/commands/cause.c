/*
 * Finds why two rule sets A and B give a move different values.
 *
 * Rule sets differ in features: whether pins count, whether checks do, and so on. Each feature in which A and B differ
 * is switched, alone, in B to what it is in A, in the order of enum feature. The first for which B so changed says what
 * A says is the cause: that feature alone makes the difference.
 *
 * Where none does, several work together. Then the features are switched in the same order one after another, until B
 * has become A, and the cause is the first whose switch changes the value.
 *
 * So there is always exactly one cause, unless the exchange played here does not give the values that A and B gave:
 * then it is "other", and one of the two is wrong. (Or the search was too long for the limit.) The order is from what
 * decides a query by its first move, through what takes pieces out of the exchange, to mere preferences among those
 * that are left; where two features would each explain a difference, it decides.
 */
#include "compare.h"

const char *const cause_names[N_CAUSES] = {
    [FEATURE_SPECIAL] = "special", [FEATURE_PROMOTION] = "promotion", [FEATURE_PIN] = "pin",
    [FEATURE_CHECK] = "check",     [FEATURE_KING] = "king",           [FEATURE_ORDER] = "order",
    [CAUSE_OTHER] = "other",
};

struct features features_of(const seebatch_rules *rules)
{
    struct features features;
    features.setting[FEATURE_SPECIAL] = special_of(rules);
    features.setting[FEATURE_PROMOTION] = rules->promotions;
    features.setting[FEATURE_PIN] = rules->pins;
    features.setting[FEATURE_CHECK] = rules->pins == SEEBATCH_PINS_LEGAL;
    features.setting[FEATURE_KING] = rules->order == SEEBATCH_BEST_ORDER;
    features.setting[FEATURE_ORDER] = rules->order;
    return features;
}

int cause_of(const struct answer *a, const struct answer *b, const int16_t values[5], const seebatch_position *position,
             seebatch_move move, long limit, bool *alone)
{
    int value;
    *alone = true;
    if (!relaxed_value(a->features, values, position, move, limit, &value) || value != a->value ||
        !relaxed_value(b->features, values, position, move, limit, &value) || value != b->value)
        return CAUSE_OTHER;

    for (int f = 0; f < N_FEATURES; f++) {
        struct features changed = *b->features;
        changed.setting[f] = a->features->setting[f];
        if (changed.setting[f] != b->features->setting[f] &&
            relaxed_value(&changed, values, position, move, limit, &value) && value == a->value)
            return f;
    }

    *alone = false;
    struct features changed = *b->features;
    for (int f = 0; f < N_FEATURES; f++) {
        changed.setting[f] = a->features->setting[f];
        if (!relaxed_value(&changed, values, position, move, limit, &value))
            return CAUSE_OTHER;
        if (value != b->value)
            return f;
    }
    return CAUSE_OTHER;
}
