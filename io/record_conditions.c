/*
 * Conditions about what the record says and what the board shows, and those that hold at random.
 *
 * What holds at random is decided by a number that tells the record from all others, by the seed, and by which of the
 * conditions asks; by nothing else. So it depends neither on threads nor on how records are cut into batches.
 */
#include <math.h>

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

/* Records without one of the fields hold nothing that is about these fields. */
static void only_with(uint8_t fields, const seebatch_records *batch, bool *holds)
{
    const uint8_t *restrict has = batch->has;
    uint8_t *restrict bytes = (uint8_t *)holds; /* which compilers make vectors of, unlike truth values */
    const size_t n = has != NULL ? batch->n : 0;
    for (size_t i = 0; i < n; i++)
        bytes[i] &= (has[i] & fields) == fields;
}

/* Without a branch and in 32 bits, which no number goes beyond: compilers make vectors of it. */
static void hold_in_range(const struct range *range, const int32_t *restrict numbers, size_t n, bool *restrict holds)
{
    const int32_t low = range->low < INT32_MIN ? INT32_MIN : (int32_t)range->low;
    const int32_t high = range->high > INT32_MAX ? INT32_MAX : (int32_t)range->high;
    for (size_t i = 0; i < n; i++)
        holds[i] = (low <= numbers[i]) & (numbers[i] <= high);
}

void seebatch_io_test_score(const struct condition *condition, const seebatch_rules *rules,
                            struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    (void)rules, (void)evaluation;
    hold_in_range(&condition->range, batch->scores, batch->n, holds);
    only_with(FIELD_SCORE, batch, holds);
}

/* Without the sign. The number that has no counterpart counts as the next one. */
static int32_t magnitude(int32_t number)
{
    const int32_t bounded = number > -INT32_MAX ? number : -INT32_MAX;
    return bounded < 0 ? -bounded : bounded;
}

void seebatch_io_test_abs_score(const struct condition *condition, const seebatch_rules *rules,
                                struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    int32_t magnitudes[MOST_QUERIED];
    (void)rules, (void)evaluation;
    for (size_t i = 0; i < batch->n; i++)
        magnitudes[i] = magnitude(batch->scores[i]);
    hold_in_range(&condition->range, magnitudes, batch->n, holds);
    only_with(FIELD_SCORE, batch, holds);
}

void seebatch_io_test_contradiction(const struct condition *condition, const seebatch_rules *rules,
                                    struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    int32_t contradictions[MOST_QUERIED];
    (void)rules, (void)evaluation;
    for (size_t i = 0; i < batch->n; i++) {
        const int32_t score = batch->scores[i], result = batch->results[i];
        const int32_t right =
            ((score > 0) & (result == RESULT_WHITE_WINS)) | ((score < 0) & (result == RESULT_BLACK_WINS));
        contradictions[i] = magnitude(score) & (right - 1);
    }
    hold_in_range(&condition->range, contradictions, batch->n, holds);
    only_with(FIELD_SCORE | FIELD_RESULT, batch, holds);
}

void seebatch_io_test_ply(const struct condition *condition, const seebatch_rules *rules, struct evaluation *evaluation,
                          const seebatch_records *batch, bool *holds)
{
    (void)rules, (void)evaluation;
    hold_in_range(&condition->range, batch->plies, batch->n, holds);
    only_with(FIELD_PLY, batch, holds);
}

void seebatch_io_test_result(const struct condition *condition, const seebatch_rules *rules,
                             struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    (void)rules, (void)evaluation;
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = batch->results[i] == condition->range.low;
    only_with(FIELD_RESULT, batch, holds);
}

/* Castling is written as the king's move by two files, or as king takes rook. Without a branch, because nobody can guess
 * whose move it is. */
static bool is_castling(const seebatch_position *position, seebatch_move move)
{
    const int from = seebatch_from(move), to = seebatch_to(move);
    const uint64_t own = seebatch_occupied(position) & (position->white ^ (0 - (uint64_t)position->stm));
    const uint64_t king = seebatch_pieces_of_type(position, SEEBATCH_KING) >> from;
    const unsigned far = (((from ^ to) & 070) == 0) & ((unsigned)(to - from + 1) > 2);
    return king & (own >> to | far) & 1;
}

void seebatch_io_test_castling(const struct condition *condition, const seebatch_rules *rules,
                               struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    (void)condition, (void)rules, (void)evaluation;
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = is_castling(&batch->positions[i], batch->moves[i]);
    only_with(FIELD_MOVE, batch, holds);
}

void seebatch_io_test_en_passant(const struct condition *condition, const seebatch_rules *rules,
                                 struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    (void)condition, (void)rules, (void)evaluation;
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = seebatch_to(batch->moves[i]) == batch->positions[i].ep_square &&
                   seebatch_type_on(&batch->positions[i], seebatch_from(batch->moves[i])) == SEEBATCH_PAWN;
    only_with(FIELD_MOVE, batch, holds);
}

/* ---- What the board says ----------------------------------------------------------------------------------------- */

/* What is counted of a position: all pieces; its phase; the material of both sides, in pawns; and how much more White
 * has than Black, by values of the caller's. */
enum counted { PIECES, PHASE, MATERIAL, BALANCE };

/* A piece's code is the sum of its planes (seebatch.h), so every square of a plane may count as the piece that has this
 * plane alone, and queens and knights, which have two, as what is missing then. Of kings, which also have two, there are
 * as many of either side. So there are five sets to count, of which only two have to be computed. */
enum { SETS = 5 };
static inline __attribute__((always_inline)) void find_sets(const seebatch_position *position, uint64_t sets[SETS])
{
    const uint64_t *plane = position->plane;
    sets[0] = plane[0];
    sets[1] = plane[1];
    sets[2] = plane[2];
    sets[3] = plane[0] & plane[1];
    sets[4] = plane[0] & plane[2];
}

static inline __attribute__((always_inline)) int32_t weight_of_set(const int32_t *weights, int set)
{
    const int32_t bishop = weights[SEEBATCH_BISHOP], rook = weights[SEEBATCH_ROOK], pawn = weights[SEEBATCH_PAWN];
    const int32_t of[SETS] = {bishop, rook, pawn, weights[SEEBATCH_QUEEN] - bishop - rook,
                              weights[SEEBATCH_KNIGHT] - bishop - pawn};
    return of[set];
}

/* The pieces of both sides, by their weights. */
static inline __attribute__((always_inline)) int32_t weigh(const seebatch_position *position, const int32_t *weights)
{
    uint64_t sets[SETS];
    int32_t weight = -2 * (weights[SEEBATCH_ROOK] + weights[SEEBATCH_PAWN]); /* what two kings have counted */
    find_sets(position, sets);
    for (int k = 0; k < SETS; k++)
        weight += weight_of_set(weights, k) * __builtin_popcountll(sets[k]);
    return weight;
}

/* The weight of 0 to 64 squares of each set: looked up, because some processors count bits and multiply in one unit alone. */
struct products {
    int32_t of[SETS][64 + 1];
};

static void set_products(const int32_t *weights, struct products *products)
{
    for (int k = 0; k < SETS; k++)
        products->of[k][0] = 0;
    for (int n = 0; n < 64; n++)
        for (int k = 0; k < SETS; k++)
            products->of[k][n + 1] = products->of[k][n] + weight_of_set(weights, k);
}

/* How much more White has. */
static inline __attribute__((always_inline)) int32_t balance_of(const seebatch_position *position,
                                                                const struct products *products)
{
    uint64_t sets[SETS];
    int32_t all = 0, whites = 0;
    find_sets(position, sets);
    for (int k = 0; k < SETS; k++) {
        all += products->of[k][__builtin_popcountll(sets[k])];
        whites += products->of[k][__builtin_popcountll(sets[k] & position->white)];
    }
    return 2 * whites - all;
}

static inline __attribute__((always_inline)) void count_each(enum counted counted, const struct products *products,
                                                             const seebatch_position *positions, size_t n,
                                                             int32_t *counts)
{
    static const int32_t phase[] = {0, 1, 1, 2, 4}, material[] = {1, 3, 3, 5, 9};
    for (size_t i = 0; counted == PIECES && i < n; i++)
        counts[i] = __builtin_popcountll(seebatch_occupied(&positions[i]));
    for (size_t i = 0; counted == PHASE && i < n; i++)
        counts[i] = weigh(&positions[i], phase);
    for (size_t i = 0; counted == MATERIAL && i < n; i++)
        counts[i] = weigh(&positions[i], material);
    for (size_t i = 0; counted == BALANCE && i < n; i++)
        counts[i] = balance_of(&positions[i], products);
}

/* The same by the instruction that counts bits. Without it each count takes a dozen instructions. */
#ifdef __x86_64__
__attribute__((target("popcnt"))) static void count_by_instruction(enum counted counted,
                                                                   const struct products *products,
                                                                   const seebatch_position *positions, size_t n,
                                                                   int32_t *counts)
{
    count_each(counted, products, positions, n, counts);
}
#endif

static void count(enum counted counted, const struct products *products, const seebatch_records *batch, int32_t *counts)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("popcnt")) {
        count_by_instruction(counted, products, batch->positions, batch->n, counts);
        return;
    }
#endif
    count_each(counted, products, batch->positions, batch->n, counts);
}

void seebatch_io_test_pieces(const struct condition *condition, const seebatch_rules *rules,
                             struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    int32_t pieces[MOST_QUERIED];
    (void)rules, (void)evaluation;
    count(PIECES, NULL, batch, pieces);
    hold_in_range(&condition->range, pieces, batch->n, holds);
}

/* 24 at the start of a game, 0 with kings and pawns alone. */
void seebatch_io_test_phase(const struct condition *condition, const seebatch_rules *rules,
                            struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    int32_t phases[MOST_QUERIED];
    (void)rules, (void)evaluation;
    count(PHASE, NULL, batch, phases);
    hold_in_range(&condition->range, phases, batch->n, holds);
}

void seebatch_io_test_imbalance(const struct condition *condition, const seebatch_rules *rules,
                                struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    int32_t values[SEEBATCH_QUEEN + 1], balances[MOST_QUERIED];
    struct products products;
    (void)evaluation;
    for (int type = SEEBATCH_PAWN; type <= SEEBATCH_QUEEN; type++)
        values[type] = rules->value[type];
    set_products(values, &products);
    count(BALANCE, &products, batch, balances);
    for (size_t i = 0; i < batch->n; i++)
        balances[i] = magnitude(balances[i]);
    hold_in_range(&condition->range, balances, batch->n, holds);
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

/* A random number for each record of a batch. */
static void draw(const struct condition *condition, const struct evaluation *evaluation, const seebatch_records *batch,
                 int64_t *restrict numbers)
{
    const uint64_t key = mix(evaluation->seed ^ condition->seed), *identities = batch->identities;
    for (size_t i = 0; identities != NULL && i < batch->n; i++)
        numbers[i] = random_number(identities[i], key);
    for (size_t i = 0; identities == NULL && i < batch->n; i++)
        numbers[i] = random_number(identity_of_content(batch, i), key);
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

void seebatch_io_set_bounds(struct condition *condition)
{
    for (int place = 0; place < PLACES; place++)
        condition->bound[place] = random_bound(probability_at(condition, place));
}

void seebatch_io_test_chance(const struct condition *condition, const seebatch_rules *rules,
                             struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    int64_t random[MOST_QUERIED];
    const int64_t bound = random_bound(condition->probability[0]);
    (void)rules;
    draw(condition, evaluation, batch, random);
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = random[i] < bound;
}

/* Whether each record of a batch holds by the random number and the probability at its place. */
static void draw_by_place(const struct condition *condition, const struct evaluation *evaluation,
                          const seebatch_records *batch, const int32_t *places, bool *holds)
{
    const int64_t *bound = condition->bound;
    int64_t random[MOST_QUERIED];
    draw(condition, evaluation, batch, random);
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = random[i] < ((uint32_t)places[i] < PLACES ? bound[places[i]]
                                                             : random_bound(probability_at(condition, places[i])));
}

void seebatch_io_test_chance_by_pieces(const struct condition *condition, const seebatch_rules *rules,
                                       struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    int32_t pieces[MOST_QUERIED];
    (void)rules;
    count(PIECES, NULL, batch, pieces);
    draw_by_place(condition, evaluation, batch, pieces, holds);
}

void seebatch_io_test_chance_by_ply(const struct condition *condition, const seebatch_rules *rules,
                                    struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    (void)rules;
    draw_by_place(condition, evaluation, batch, batch->plies, holds);
    only_with(FIELD_PLY, batch, holds);
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

/* The models stand in nnue-pytorch's data_loader/cpp/lib/training_data_entry.h, TrainingDataEntry::win_rate_model(),
 * and in viriformat's src/dataformat.rs, Filter::default(). The chance to win with a score is a logistic function around
 * a, of width b, which both are polynomials of a place: the ply in one model, the material in the other. Both models
 * widen their function by half. */
static const struct model {
    int first, last; /* places, beyond which the chance stays as it is there */
    double unit;     /* so many places are 1 in the polynomials */
    double scale;    /* of the score, */
    int32_t most;    /* which is cut off here */
    double a[4], b[4];
} models[N_MODELS] = {
    [BY_PLY] = {0,
                240,
                64,
                100.0 / 208,
                4160, /* which is 2000 in the model */
                {-3.68389304, 30.07065921, -60.52878723, 149.53378557},
                {-2.0181857, 15.85685038, -29.83452023, 47.59078827}},
    [BY_MATERIAL] = {17,
                     78,
                     58,
                     1,
                     8192, /* where nothing is left to chance */
                     {6.87155862, -39.65226391, 90.68460352, 170.66996364},
                     {-7.19890710, 56.13947185, -139.91091183, 182.81007427}},
};

static inline int32_t clamp(int32_t number, int32_t low, int32_t high)
{
    const int32_t above = number > low ? number : low;
    return above < high ? above : high;
}

/* The result that a random number draws where White has this score, at this place. */
static int draw_result(const struct model *model, int32_t score, int32_t place, int64_t random)
{
    const double m = clamp(place, model->first, model->last) / model->unit;
    const double x = clamp(score, -model->most, model->most) * model->scale;
    const double a = cubic(model->a, m), narrow = 1 / (1.5 * cubic(model->b, m));
    const double win = logistic((x - a) * narrow), no_loss = 1 - logistic((-x - a) * narrow);
    return random < random_bound(win)       ? RESULT_WHITE_WINS
           : random < random_bound(no_loss) ? RESULT_DRAW
                                            : RESULT_BLACK_WINS;
}

/*
 * A record has the chance of its result if it holds where the result that is drawn is the one it has. That leaves two
 * questions: whether the random number u is below the chance that White wins, 1 / (1 + e), and below the chance that
 * White does not lose, which is the same function of another number. So u * (1 + e) is compared with 1, in float and
 * without a branch, which compilers make vectors of. All of it has an error below TOLERANCE: one number of 4000 is nearer to
 * 1, and for that alone the chances are worked out. So all machines agree.
 */
#define TOLERANCE 0x1p-12F
enum { OPEN = 4 }; /* instead of a result */

/* 2 to the x, nearly, from -126 to 126. */
static inline float power_of_two(float x)
{
    const int32_t exponent = (int32_t)(x + 127.5F), bits = (int32_t)((uint32_t)exponent << 23);
    const float rest = x - (float)(exponent - 127);
    float power;
    memcpy(&power, &bits, sizeof power);
    return power * (1 + rest * (0.693147F + rest * (0.240227F + rest * (0.055504F + rest * 0.009618F))));
}

static inline float cubic_nearly(const double factors[4], float x)
{
    return (((float)factors[0] * x + (float)factors[1]) * x + (float)factors[2]) * x + (float)factors[3];
}

static inline __attribute__((always_inline)) void draw_nearly(const struct model *model, const int32_t *restrict scores,
                                                              const int32_t *restrict places,
                                                              const int64_t *restrict random, size_t n,
                                                              int32_t *restrict drawn)
{
    const float log2_e = 1.442695F, unit = (float)(1 / model->unit), scale = (float)(model->scale * -log2_e / 1.5);
    for (size_t i = 0; i < n; i++) {
        const float m = (float)clamp(places[i], model->first, model->last) * unit;
        const float x = (float)clamp(scores[i], -model->most, model->most) * scale;
        const float a = cubic_nearly(model->a, m) * (log2_e / 1.5F), narrow = 1 / cubic_nearly(model->b, m);
        const float u = (float)(int32_t)(random[i] >> 22) * 0x1p-31F;
        const float win = u * (1 + power_of_two((x + a) * narrow)) - 1;
        const float no_loss = u * (1 + power_of_two((x - a) * narrow)) - 1;
        const int32_t open = (fabsf(win) < TOLERANCE) | (fabsf(no_loss) < TOLERANCE) | (u < 0x1p-18F);
        drawn[i] = (win < 0) + (no_loss < 0) + OPEN * open;
    }
}

/* The same in vectors of twice and of four times as many. */
#ifdef __x86_64__
__attribute__((target("avx2"))) static void draw_by_avx2(const struct model *model, const int32_t *scores,
                                                         const int32_t *places, const int64_t *random, size_t n,
                                                         int32_t *drawn)
{
    draw_nearly(model, scores, places, random, n, drawn);
}

__attribute__((target("avx512f,avx512dq,avx512vl"))) static void
draw_by_avx512(const struct model *model, const int32_t *scores, const int32_t *places, const int64_t *random, size_t n,
               int32_t *drawn)
{
    draw_nearly(model, scores, places, random, n, drawn);
}
#endif

/* The result that each record's random number draws. */
static void draw_results(const struct model *model, const int32_t *scores, const int32_t *places, const int64_t *random,
                         size_t n, int32_t *drawn)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        draw_by_avx512(model, scores, places, random, n, drawn);
    else if (__builtin_cpu_supports("avx2"))
        draw_by_avx2(model, scores, places, random, n, drawn);
    else
#endif
        draw_nearly(model, scores, places, random, n, drawn);
    for (size_t i = 0; i < n; i++)
        if (drawn[i] >= OPEN)
            drawn[i] = draw_result(model, scores[i], places[i], random[i]);
}

void seebatch_io_test_chance_of_result(const struct condition *condition, const seebatch_rules *rules,
                                       struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    const bool by_ply = condition->range.low == BY_PLY;
    const struct model *model = &models[condition->range.low];
    int64_t random[MOST_QUERIED];
    int32_t material[MOST_QUERIED], drawn[MOST_QUERIED];
    (void)rules;
    if (!by_ply)
        count(MATERIAL, NULL, batch, material);
    const int32_t *places = by_ply ? batch->plies : material;
    draw(condition, evaluation, batch, random);
    draw_results(model, batch->scores, places, random, batch->n, drawn);
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = drawn[i] == batch->results[i];
    only_with(FIELD_SCORE | FIELD_RESULT | (by_ply ? FIELD_PLY : 0), batch, holds);
}
