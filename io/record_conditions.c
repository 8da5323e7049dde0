/*
 * Conditions about what the record says and what the board shows, and those that hold at random.
 *
 * What holds at random is decided by a number that tells the record from all others, by the seed, and by which of the
 * conditions asks; by nothing else. So it depends neither on threads nor on how records are cut into batches.
 */
#include "condition.h"
#include "mix.h"

/* ---- What the record says --------------------------------------------------------------------------------------- */

void seebatch_io_test_has(const struct condition *condition, const seebatch_rules *rules, struct evaluation *evaluation,
                          const seebatch_records *batch, bool *holds)
{
    (void)rules, (void)evaluation;
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = has_field(batch, i, 1u << condition->range.low);
}

void seebatch_io_test_score(const struct condition *condition, const seebatch_rules *rules,
                            struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    (void)rules, (void)evaluation;
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = has_field(batch, i, FIELD_SCORE) && in_range(&condition->range, batch->scores[i]);
}

static int64_t magnitude(int64_t score) { return score < 0 ? -score : score; }

void seebatch_io_test_abs_score(const struct condition *condition, const seebatch_rules *rules,
                                struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    (void)rules, (void)evaluation;
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = has_field(batch, i, FIELD_SCORE) && in_range(&condition->range, magnitude(batch->scores[i]));
}

static bool has_both(const seebatch_records *batch, size_t i)
{
    return has_field(batch, i, FIELD_SCORE) && has_field(batch, i, FIELD_RESULT);
}

void seebatch_io_test_contradiction(const struct condition *condition, const seebatch_rules *rules,
                                    struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    (void)rules, (void)evaluation;
    for (size_t i = 0; i < batch->n; i++) {
        holds[i] = false;
        if (!has_both(batch, i))
            continue;
        const int64_t score = batch->scores[i];
        const int64_t losers = batch->results[i] == RESULT_WHITE_WINS ? -score : score;
        const int64_t contradiction = batch->results[i] == RESULT_DRAW ? magnitude(score) : losers > 0 ? losers : 0;
        holds[i] = in_range(&condition->range, contradiction);
    }
}

void seebatch_io_test_ply(const struct condition *condition, const seebatch_rules *rules, struct evaluation *evaluation,
                          const seebatch_records *batch, bool *holds)
{
    (void)rules, (void)evaluation;
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = has_field(batch, i, FIELD_PLY) && in_range(&condition->range, batch->plies[i]);
}

void seebatch_io_test_result(const struct condition *condition, const seebatch_rules *rules,
                             struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    (void)rules, (void)evaluation;
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = has_field(batch, i, FIELD_RESULT) && in_range(&condition->range, batch->results[i]);
}

/* Castling is written as the king's move by two files, or as king takes rook. */
static bool is_castling(const seebatch_position *position, seebatch_move move)
{
    const int from = seebatch_from(move), to = seebatch_to(move);
    if (seebatch_type_on(position, from) != SEEBATCH_KING)
        return false;
    return seebatch_pieces_of_color(position, position->stm) >> to & 1 ||
           (from - to != 1 && to - from != 1 && from / 8 == to / 8);
}

void seebatch_io_test_castling(const struct condition *condition, const seebatch_rules *rules,
                               struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    (void)condition, (void)rules, (void)evaluation;
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = has_field(batch, i, FIELD_MOVE) && is_castling(&batch->positions[i], batch->moves[i]);
}

void seebatch_io_test_en_passant(const struct condition *condition, const seebatch_rules *rules,
                                 struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    (void)condition, (void)rules, (void)evaluation;
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = has_field(batch, i, FIELD_MOVE) && seebatch_to(batch->moves[i]) == batch->positions[i].ep_square &&
                   seebatch_type_on(&batch->positions[i], seebatch_from(batch->moves[i])) == SEEBATCH_PAWN;
}

/* ---- What the board says ----------------------------------------------------------------------------------------- */

/* How many pieces of each type but the king both sides have, and how many more of them White has. */
struct counts {
    int16_t all[5], more[5];
};

enum { COUNTED_AT_ONCE = 64 };

static inline __attribute__((always_inline)) void count_all(const seebatch_position *positions, size_t n,
                                                            struct counts *counts)
{
    for (size_t i = 0; i < n; i++) {
        for (int type = SEEBATCH_PAWN; type <= SEEBATCH_QUEEN; type++) {
            const uint64_t pieces = seebatch_pieces_of_type(&positions[i], type);
            counts[i].all[type] = (int16_t)__builtin_popcountll(pieces);
            counts[i].more[type] =
                (int16_t)(2 * __builtin_popcountll(pieces & positions[i].white) - counts[i].all[type]);
        }
    }
}

/* The same by the instruction that counts bits. Without it each count takes a dozen instructions. */
#ifdef __x86_64__
__attribute__((target("popcnt"))) static void count_by_instruction(const seebatch_position *positions, size_t n,
                                                                   struct counts *counts)
{
    count_all(positions, n, counts);
}

static void count_types(const seebatch_position *positions, size_t n, struct counts *counts)
{
    if (__builtin_cpu_supports("popcnt"))
        count_by_instruction(positions, n, counts);
    else
        count_all(positions, n, counts);
}
#else
static void count_types(const seebatch_position *positions, size_t n, struct counts *counts)
{
    count_all(positions, n, counts);
}
#endif

static int count_pieces(const struct counts *counts)
{
    return 2 + counts->all[0] + counts->all[1] + counts->all[2] + counts->all[3] + counts->all[4];
}

/* The counts of position i, where they are asked for one after another. */
static const struct counts *counts_of(const seebatch_records *batch, size_t i, struct counts *counts)
{
    if (i % COUNTED_AT_ONCE == 0) {
        const size_t left = batch->n - i;
        count_types(batch->positions + i, left < COUNTED_AT_ONCE ? left : COUNTED_AT_ONCE, counts);
    }
    return &counts[i % COUNTED_AT_ONCE];
}

void seebatch_io_test_pieces(const struct condition *condition, const seebatch_rules *rules,
                             struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    struct counts counts[COUNTED_AT_ONCE];
    (void)rules, (void)evaluation;
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = in_range(&condition->range, count_pieces(counts_of(batch, i, counts)));
}

/* A knight or bishop counts 1, a rook 2, a queen 4: 24 at the start of a game, 0 with kings and pawns alone. */
void seebatch_io_test_phase(const struct condition *condition, const seebatch_rules *rules,
                            struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    struct counts counts[COUNTED_AT_ONCE];
    (void)rules, (void)evaluation;
    for (size_t i = 0; i < batch->n; i++) {
        const int16_t *all = counts_of(batch, i, counts)->all;
        holds[i] = in_range(&condition->range, all[SEEBATCH_KNIGHT] + all[SEEBATCH_BISHOP] + 2 * all[SEEBATCH_ROOK] +
                                                   4 * all[SEEBATCH_QUEEN]);
    }
}

void seebatch_io_test_imbalance(const struct condition *condition, const seebatch_rules *rules,
                                struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    struct counts counts[COUNTED_AT_ONCE];
    (void)evaluation;
    for (size_t i = 0; i < batch->n; i++) {
        const int16_t *more = counts_of(batch, i, counts)->more;
        int64_t balance = 0;
        for (int type = SEEBATCH_PAWN; type <= SEEBATCH_QUEEN; type++)
            balance += rules->value[type] * more[type];
        holds[i] = in_range(&condition->range, magnitude(balance));
    }
}

void seebatch_io_test_in_check(const struct condition *condition, const seebatch_rules *rules,
                               struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    (void)condition, (void)rules, (void)evaluation;
    seebatch_batch_in_check(batch->positions, batch->n, holds, NULL);
}

/* ---- At random --------------------------------------------------------------------------------------------------- */

/* A number made of all that a record says: equal records have the same. */
static uint64_t identity_of_content(const seebatch_records *batch, size_t i)
{
    const seebatch_position *position = &batch->positions[i];
    uint64_t number = position->white ^ (uint64_t)position->stm << 62;
    for (int k = 0; k < 3; k++)
        number = mix(number + GOLDEN_GAMMA) ^ position->plane[k];
    number = mix(number + GOLDEN_GAMMA) ^ (has_field(batch, i, FIELD_MOVE) ? batch->moves[i] : 0) ^
             (has_field(batch, i, FIELD_PLY) ? (uint64_t)(uint32_t)batch->plies[i] << 32 : 0);
    number = mix(number + GOLDEN_GAMMA) ^ (has_field(batch, i, FIELD_SCORE) ? (uint32_t)batch->scores[i] : 0) ^
             (has_field(batch, i, FIELD_RESULT) ? (uint64_t)batch->results[i] << 32 : 0);
    return mix(number + GOLDEN_GAMMA);
}

static bool draw(const struct condition *condition, const struct evaluation *evaluation, const seebatch_records *batch,
                 size_t i, double probability)
{
    const uint64_t identity = batch->identities != NULL ? batch->identities[i] : identity_of_content(batch, i);
    const uint64_t random = mix(mix(identity + evaluation->seed) ^ condition->seed);
    return (double)(random >> 11) * 0x1p-53 < probability;
}

/* The probability at a place, by the straight lines between the points. */
static double probability_at(const struct condition *condition, double place)
{
    const double *at = condition->at, *probability = condition->probability;
    const int last = condition->n_points - 1;
    int k = 0;
    if (place <= at[0])
        return probability[0];
    if (place >= at[last])
        return probability[last];
    while (at[k + 1] < place)
        k++;
    return probability[k] + (place - at[k]) / (at[k + 1] - at[k]) * (probability[k + 1] - probability[k]);
}

void seebatch_io_test_chance(const struct condition *condition, const seebatch_rules *rules,
                             struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    (void)rules;
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = draw(condition, evaluation, batch, i, condition->probability[0]);
}

void seebatch_io_test_chance_by_pieces(const struct condition *condition, const seebatch_rules *rules,
                                       struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    struct counts counts[COUNTED_AT_ONCE];
    (void)rules;
    for (size_t i = 0; i < batch->n; i++)
        holds[i] =
            draw(condition, evaluation, batch, i, probability_at(condition, count_pieces(counts_of(batch, i, counts))));
}

void seebatch_io_test_chance_by_ply(const struct condition *condition, const seebatch_rules *rules,
                                    struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    (void)rules;
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = has_field(batch, i, FIELD_PLY) &&
                   draw(condition, evaluation, batch, i, probability_at(condition, batch->plies[i]));
}

/* ---- The chance of a result ------------------------------------------------------------------------------------- */

enum { BY_PLY, BY_MATERIAL, N_MODELS };

const char *seebatch_io_result_model(int64_t number)
{
    static const char *const names[N_MODELS] = {"nnue-pytorch", "viriformat"};
    return number < N_MODELS ? names[number] : NULL;
}

static double cubic(const double factors[4], double x)
{
    return ((factors[0] * x + factors[1]) * x + factors[2]) * x + factors[3];
}

/* e to the x, from -600 to 600, within 1e-15 of itself: by basic arithmetic alone, so that the same records are kept on
 * every machine. */
static double exponential(double x)
{
    enum { TERMS = 13, BIAS = 1023, FRACTION = 52 };
    /* One by the factorials: without a division, and in four sums that the processor works out side by side. */
    static const double term[TERMS + 1] = {
        1,          1,           1.0 / 2,      1.0 / 6,       1.0 / 24,       1.0 / 120,       1.0 / 720,
        1.0 / 5040, 1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800};
    static const double log2_e = 1.4426950408889634, ln2_high = 0.6931471803691238, ln2_low = 1.9082149292705877e-10;
    static const double rounder = 0x1.8p52; /* added, it leaves no place for a fraction: a branch less than to round */
    const double power = x * log2_e + rounder - rounder;
    const double rest = x - power * ln2_high - power * ln2_low;
    const double square = rest * rest, fourth = square * square;
    double quarter[4], scale;
    for (int i = 0; i < 3; i++)
        quarter[i] = term[4 * i] + term[4 * i + 1] * rest + (term[4 * i + 2] + term[4 * i + 3] * rest) * square;
    quarter[3] = term[12] + term[13] * rest;
    const double sum = quarter[0] + fourth * (quarter[1] + fourth * (quarter[2] + fourth * quarter[3]));
    const uint64_t bits = (uint64_t)((int64_t)power + BIAS) << FRACTION;
    memcpy(&scale, &bits, sizeof scale);
    return sum * scale;
}

static double logistic(double x) { return 1 / (1 + exponential(x < -600 ? 600 : x > 600 ? -600 : -x)); }

/* The chance that a game has this result, if White's score is x: a logistic function around a, of width b. */
static double chance_of(int result, double x, double a, double b)
{
    const double narrow = 1 / b, win = logistic((x - a) * narrow), loss = logistic((-x - a) * narrow);
    return result == RESULT_WHITE_WINS ? win : result == RESULT_BLACK_WINS ? loss : 1 - win - loss;
}

/* The models stand in nnue-pytorch's data_loader/cpp/lib/training_data_entry.h, TrainingDataEntry::win_rate_model(),
 * and in viriformat's src/dataformat.rs, Filter::default(). Both widen their logistic function by half. */
static double chance_by_ply(int result, int score, int ply)
{
    static const double as[] = {-3.68389304, 30.07065921, -60.52878723, 149.53378557};
    static const double bs[] = {-2.0181857, 15.85685038, -29.83452023, 47.59078827};
    const double m = (ply < 240 ? ply : 240) / 64.0, x = 100.0 * score / 208;
    return chance_of(result, x < -2000 ? -2000 : x > 2000 ? 2000 : x, cubic(as, m), 1.5 * cubic(bs, m));
}

static double chance_by_material(int result, int score, int material)
{
    static const double as[] = {6.87155862, -39.65226391, 90.68460352, 170.66996364};
    static const double bs[] = {-7.19890710, 56.13947185, -139.91091183, 182.81007427};
    const double m = (material < 17 ? 17 : material > 78 ? 78 : material) / 58.0;
    return chance_of(result, score, cubic(as, m), 1.5 * cubic(bs, m));
}

void seebatch_io_test_chance_of_result(const struct condition *condition, const seebatch_rules *rules,
                                       struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    struct counts counts[COUNTED_AT_ONCE];
    (void)rules;
    const bool by_ply = condition->range.low == BY_PLY;
    for (size_t i = 0; i < batch->n; i++) {
        const int16_t *all = by_ply ? NULL : counts_of(batch, i, counts)->all;
        holds[i] = false;
        if (!evaluation->in[i] || !has_both(batch, i) || (by_ply && !has_field(batch, i, FIELD_PLY)))
            continue;
        const double chance =
            by_ply ? chance_by_ply(batch->results[i], batch->scores[i], batch->plies[i])
                   : chance_by_material(batch->results[i], batch->scores[i],
                                        all[SEEBATCH_PAWN] + 3 * all[SEEBATCH_KNIGHT] + 3 * all[SEEBATCH_BISHOP] +
                                            5 * all[SEEBATCH_ROOK] + 9 * all[SEEBATCH_QUEEN]);
        holds[i] = draw(condition, evaluation, batch, i, chance);
    }
}
