/*
 * Tests the conditions about what the record says and what the board shows, and those that hold at random.
 *
 * What holds at random is decided by a number that tells the record from all others, by the seed, and by which of the
 * conditions asks; by nothing else. So it depends neither on threads nor on how records are cut into batches.
 */
#include <math.h>

#include "condition.h"
#include "support/exponential.h"
#include "support/splitmix.h"
#include "support/text.h"

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

/* This is done without a branch and in 32 bits, which no number exceeds, so that compilers make vectors of it. */
static void hold_in_range(const struct range *range, const int32_t *restrict numbers, size_t n, bool *restrict holds)
{
    if (range->low > INT32_MAX || range->high < INT32_MIN) { /* as "score > 2147483647" is */
        memset(holds, 0, n * sizeof *holds);
        return;
    }
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

/* Without the sign, of which the least number has more than an int32_t. */
static uint32_t magnitude(int32_t number) { return number < 0 ? 0 - (uint32_t)number : (uint32_t)number; }

static void hold_if_size_is_in_range(const struct range *range, const uint32_t *restrict sizes, size_t n,
                                     bool *restrict holds)
{
    const bool none = range->high < 0;
    const uint32_t low = none ? 1 : range->low < 0 ? 0 : (uint32_t)range->low;
    const uint32_t high = none ? 0 : range->high > UINT32_MAX ? UINT32_MAX : (uint32_t)range->high;
    for (size_t i = 0; i < n; i++)
        holds[i] = (low <= sizes[i]) & (sizes[i] <= high);
}

void seebatch_io_test_abs_score(const struct condition *condition, const seebatch_rules *rules,
                                struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    uint32_t magnitudes[MOST_QUERIED];
    (void)rules, (void)evaluation;
    for (size_t i = 0; i < batch->n; i++)
        magnitudes[i] = magnitude(batch->scores[i]);
    hold_if_size_is_in_range(&condition->range, magnitudes, batch->n, holds);
    only_with(FIELD_SCORE, batch, holds);
}

void seebatch_io_test_stm_score(const struct condition *condition, const seebatch_rules *rules,
                                struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    int32_t scores[MOST_QUERIED];
    (void)rules, (void)evaluation;
    for (size_t i = 0; i < batch->n; i++) {
        const int32_t score = batch->scores[i] > INT32_MIN ? batch->scores[i] : -INT32_MAX;
        scores[i] = batch->positions[i].stm == SEEBATCH_WHITE ? batch->scores[i] : -score;
    }
    hold_in_range(&condition->range, scores, batch->n, holds);
    only_with(FIELD_SCORE, batch, holds);
}

void seebatch_io_test_contradiction(const struct condition *condition, const seebatch_rules *rules,
                                    struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    uint32_t contradictions[MOST_QUERIED];
    (void)rules, (void)evaluation;
    for (size_t i = 0; i < batch->n; i++) {
        const int32_t score = batch->scores[i], result = batch->results[i];
        const uint32_t right =
            ((score > 0) & (result == RESULT_WHITE_WINS)) | ((score < 0) & (result == RESULT_BLACK_WINS));
        contradictions[i] = magnitude(score) & (right - 1);
    }
    hold_if_size_is_in_range(&condition->range, contradictions, batch->n, holds);
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
    const uint8_t low = condition->range.low < 0 ? 0 : (uint8_t)condition->range.low;
    const bool any = condition->range.low <= RESULT_WHITE_WINS && condition->range.high >= 0;
    const uint8_t width = any ? (uint8_t)(condition->range.high > RESULT_WHITE_WINS ? RESULT_WHITE_WINS - low
                                                                                    : condition->range.high - low)
                              : 0;
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = any & ((uint8_t)(batch->results[i] - low) <= width);
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

void seebatch_io_test_move(const struct condition *condition, const seebatch_rules *rules,
                           struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    const int64_t wanted = condition->range.low;
    if (wanted == MOVE_CASTLING || wanted == MOVE_EN_PASSANT) {
        (wanted == MOVE_CASTLING ? seebatch_io_test_castling : seebatch_io_test_en_passant)(condition, rules,
                                                                                            evaluation, batch, holds);
        return;
    }
    for (size_t i = 0; i < batch->n; i++) {
        const seebatch_position *position = &batch->positions[i];
        const seebatch_move move = batch->moves[i];
        holds[i] = wanted == MOVE_CAPTURE     ? is_capture(position, move)
                   : wanted == MOVE_PROMOTION ? seebatch_promotion(move) != 0
                                              : seebatch_type_on(position, seebatch_from(move)) == (int)wanted;
    }
    only_with(FIELD_MOVE, batch, holds);
}

/* ---- What the file is called -------------------------------------------------------------------------------------- */

/* Skips a character of UTF-8, or a byte that begins none. */
static const char *after_character(const char *text, const char *end)
{
    const char *next = seebatch_io_skip_utf8(text, end);
    return next > text ? next : text + 1;
}

/* Whether a name matches a pattern: where a * was too short, it takes one character more. */
static bool matches(const char *name, const char *pattern, size_t length)
{
    const char *end = pattern + length, *name_end = name + strlen(name), *star = NULL, *after_star = NULL;
    while (name < name_end) {
        if (pattern < end && *pattern == '*') {
            star = ++pattern;
            after_star = name;
        } else if (pattern < end && (*pattern == '?' || *pattern == *name)) {
            name = *pattern++ == '?' ? after_character(name, name_end) : name + 1;
        } else if (star != NULL) {
            pattern = star;
            name = ++after_star;
        } else {
            return false;
        }
    }
    while (pattern < end && *pattern == '*')
        pattern++;
    return pattern == end;
}

void seebatch_io_test_file(const struct condition *condition, const seebatch_rules *rules,
                           struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    const size_t length = (size_t)condition->argument_length;
    const char *name = batch->file, *slash = name != NULL ? strrchr(name, '/') : NULL;
    (void)rules, (void)evaluation;
    if (slash != NULL && memchr(condition->argument, '/', length) == NULL)
        name = slash + 1;
    const bool holds_for_all = name != NULL && matches(name, condition->argument, length) != condition->other_file;
    memset(holds, holds_for_all, batch->n * sizeof *holds);
}

/* ---- What the board says ----------------------------------------------------------------------------------------- */

/* What is counted of a position: all pieces; its phase; the material of both sides, in pawns; and twice what White has
 * more than Black, by values of the caller's. */
enum counted { PIECES, PHASE, MATERIAL, TWICE_BALANCE };

/* A piece's code is the sum of its planes (seebatch.h): bishops, queens and knights are in the first one, rooks, queens
 * and kings in the second, and pawns, knights and kings in the third. What the two kings count is subtracted. */
static inline int32_t phase_of(const uint64_t plane[3])
{
    return __builtin_popcountll(plane[0]) + 2 * __builtin_popcountll(plane[1]) +
           __builtin_popcountll(plane[0] & plane[1]) - 2 * 2;
}

/* The pieces of the first plane count 3 and those of the second 5. Queens, which are in both, count one more, and pawns,
 * which are in neither, count one. */
static inline int32_t material_of(const uint64_t plane[3])
{
    return 3 * __builtin_popcountll(plane[0]) + 5 * __builtin_popcountll(plane[1]) +
           __builtin_popcountll(((plane[1] ^ plane[2]) & plane[0]) ^ plane[2]) - 2 * (5 + 1);
}

/*
 * White's squares exclusive or some planes are the pieces of White of some types and those of Black of the others. If s is
 * the number of all pieces and d that by which White has more pieces of a type, such a set has half of s and of each d
 * pieces, where d is subtracted for the types that are Black's. These factors add six sets in such a way that s vanishes and
 * each d is multiplied by the value of the type; the d of kings is 0. This takes six counts instead of ten. The products are
 * looked up, because some processors count bits and multiply in one unit alone.
 */
static void set_products(const int16_t value[5], struct products *products)
{
    const int32_t p = value[0], n = value[1], b = value[2], r = value[3], q = value[4];
    const int32_t factors[MIXED_SETS] = {n + q + p + r, p + r - n - q, b - r - q, b - p - n, q - b - r, n - b - p};
    for (int k = 0; k < MIXED_SETS; k++)
        for (int squares = 0; squares <= 64; squares++)
            products->of[k][squares] = factors[k] * squares;
}

static inline int32_t twice_balance_of(const seebatch_position *position, const struct products *products)
{
    const uint64_t white = position->white, *plane = position->plane, mixed = white ^ plane[0];
    const uint64_t sets[MIXED_SETS] = {
        white, mixed, white ^ plane[1], white ^ plane[2], mixed ^ plane[1], mixed ^ plane[2],
    };
    int32_t twice = 0;
    for (int k = 0; k < MIXED_SETS; k++)
        twice += products->of[k][__builtin_popcountll(sets[k])];
    return twice;
}

static inline __attribute__((always_inline)) void count_each(enum counted counted, const struct products *products,
                                                             const seebatch_position *positions, size_t n,
                                                             int32_t *counts)
{
    for (size_t i = 0; counted == PIECES && i < n; i++)
        counts[i] = __builtin_popcountll(seebatch_occupied(&positions[i]));
    for (size_t i = 0; counted == PHASE && i < n; i++)
        counts[i] = phase_of(positions[i].plane);
    for (size_t i = 0; counted == MATERIAL && i < n; i++)
        counts[i] = material_of(positions[i].plane);
    for (size_t i = 0; counted == TWICE_BALANCE && i < n; i++)
        counts[i] = twice_balance_of(&positions[i], products);
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
    int32_t balances[MOST_QUERIED];
    (void)rules, (void)evaluation;
    count(TWICE_BALANCE, &condition->products, batch, balances);
    for (size_t i = 0; i < batch->n; i++)
        balances[i] = (int32_t)(magnitude(balances[i]) / 2);
    hold_in_range(&condition->range, balances, batch->n, holds);
}

void seebatch_io_test_clock(const struct condition *condition, const seebatch_rules *rules,
                            struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    int32_t clocks[MOST_QUERIED];
    (void)rules, (void)evaluation;
    for (size_t i = 0; i < batch->n; i++)
        clocks[i] = batch->positions[i].halfmove_clock;
    hold_in_range(&condition->range, clocks, batch->n, holds);
}

void seebatch_io_test_stm(const struct condition *condition, const seebatch_rules *rules, struct evaluation *evaluation,
                          const seebatch_records *batch, bool *holds)
{
    (void)rules, (void)evaluation;
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = batch->positions[i].stm == condition->range.low;
}

void seebatch_io_test_castling_rights(const struct condition *condition, const seebatch_rules *rules,
                                      struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    (void)rules, (void)evaluation;
    for (size_t i = 0; i < batch->n; i++) {
        unsigned rights = 0;
        for (int k = 0; k < 4; k++)
            rights |= (unsigned)(batch->positions[i].castling_rook[k / 2][k % 2] != SEEBATCH_NO_SQUARE) << k;
        holds[i] = condition->any_rights ? rights != 0 : rights == condition->rights;
    }
}

/* The pieces of a type of both sides, or of one. */
static inline uint64_t pieces_of(const seebatch_position *position, int type, bool white, bool black)
{
    const uint64_t of_white = 0 - (uint64_t)white, of_black = 0 - (uint64_t)black;
    return seebatch_pieces_of_type(position, type) & ((position->white & of_white) | (~position->white & of_black));
}

void seebatch_io_test_count(const struct condition *condition, const seebatch_rules *rules,
                            struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    const unsigned pieces = condition->pieces;
    int32_t counts[MOST_QUERIED];
    (void)rules, (void)evaluation;
    for (size_t i = 0; i < batch->n; i++) {
        uint64_t squares = 0;
        for (int type = SEEBATCH_PAWN; type <= SEEBATCH_KING; type++)
            squares |= pieces_of(&batch->positions[i], type, pieces >> type & 1, pieces >> (6 + type) & 1);
        counts[i] = __builtin_popcountll(squares);
    }
    hold_in_range(&condition->range, counts, batch->n, holds);
}

void seebatch_io_test_material(const struct condition *condition, const seebatch_rules *rules,
                               struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    const struct material *wanted = &condition->material;
    (void)rules, (void)evaluation;
    for (size_t i = 0; i < batch->n; i++) {
        bool same = true, swapped = condition->either_side;
        for (int type = SEEBATCH_PAWN; type <= SEEBATCH_KING; type++) {
            const int white = __builtin_popcountll(pieces_of(&batch->positions[i], type, true, false));
            const int black = __builtin_popcountll(pieces_of(&batch->positions[i], type, false, true));
            same &= white == wanted->of[0][type] && black == wanted->of[1][type];
            swapped &= white == wanted->of[1][type] && black == wanted->of[0][type];
        }
        holds[i] = same || swapped;
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
        number = splitmix(number + GOLDEN_GAMMA) ^ position->plane[k];
    number = splitmix(number + GOLDEN_GAMMA) ^ (has_field(batch, i, FIELD_MOVE) ? batch->moves[i] : 0) ^
             (has_field(batch, i, FIELD_PLY) ? (uint64_t)(uint32_t)batch->plies[i] << 32 : 0);
    number = splitmix(number + GOLDEN_GAMMA) ^ (has_field(batch, i, FIELD_SCORE) ? (uint32_t)batch->scores[i] : 0) ^
             (has_field(batch, i, FIELD_RESULT) ? (uint64_t)batch->results[i] << 32 : 0);
    return splitmix(number + GOLDEN_GAMMA);
}

/* What tells the random numbers of a condition from those of others. */
static uint64_t key_of(const struct condition *condition, const struct evaluation *evaluation)
{
    return splitmix(evaluation->seed ^ condition->seed);
}

/* The random number of a record. */
static inline int64_t draw(const seebatch_records *batch, size_t i, uint64_t key)
{
    return random_number(batch->identities != NULL ? batch->identities[i] : identity_of_content(batch, i), key);
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

static void set_bounds(struct condition *condition)
{
    for (int place = 0; place < PLACES; place++)
        condition->bound[place] = random_bound(probability_at(condition, place));
}

void seebatch_io_test_chance(const struct condition *condition, const seebatch_rules *rules,
                             struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    const uint64_t key = key_of(condition, evaluation);
    (void)rules;
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = draw(batch, i, key) < condition->bound[0];
}

/* Whether each record of a batch holds by the random number and the probability at its place. */
static void draw_by_place(const struct condition *condition, const struct evaluation *evaluation,
                          const seebatch_records *batch, const int32_t *places, bool *holds)
{
    const uint64_t key = key_of(condition, evaluation);
    for (size_t i = 0; i < batch->n; i++)
        holds[i] =
            draw(batch, i, key) < ((uint32_t)places[i] < PLACES ? condition->bound[places[i]]
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
static uint8_t draw_result(const struct model *model, int32_t score, int32_t place, int64_t random)
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
 * White does not lose, 1 / (1 + f). Here e is 2^(x * narrow) * ratio and f is 2^(x * narrow) / ratio, where x is the score
 * and the other two depend on the place alone. So u * e and u * f are compared with 1 - u, in float and without a branch,
 * which compilers make vectors of. All of it has an error below TOLERANCE: one number of 2700 is nearer, and for that alone
 * the chances are worked out. So all machines agree.
 */
#define TOLERANCE 0x1p-12F
enum { OPEN = 3 }; /* instead of a result, of which it has all bits */

static void set_chances(const struct model *model, struct chances *chances)
{
    const double log2_e = 1.4426950408889634;
    for (int place = 0; place < PLACES; place++) {
        const double m = clamp(place, model->first, model->last) / model->unit, narrow = 1 / (1.5 * cubic(model->b, m));
        chances[place].narrow = (float)(-log2_e * model->scale * narrow);
        chances[place].ratio = (float)exponential(cubic(model->a, m) * narrow);
    }
}

/* 2 to the x, nearly, from -126 to 126: with an error of up to 0.000075 of itself. */
static inline float power_of_two(float x)
{
    const int32_t exponent = (int32_t)(x + 127.5F), bits = (int32_t)((uint32_t)exponent << 23);
    const float rest = x - (float)(exponent - 127);
    float power;
    memcpy(&power, &bits, sizeof power);
    return power * (0.9999281F + rest * (0.6932610F + rest * (0.2426111F + rest * 0.0551717F)));
}

/* What the result of each record of a batch depends on. */
struct draws {
    int32_t random[MOST_QUERIED]; /* the highest 31 bits */
    struct chances chances[MOST_QUERIED];
    uint8_t drawn[MOST_QUERIED];
};

static inline __attribute__((always_inline)) void draw_nearly(int32_t most, const int32_t *restrict scores,
                                                              struct draws *restrict draws, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const float x = (float)clamp(scores[i], -most, most) * draws->chances[i].narrow;
        const float ratio = draws->chances[i].ratio, u = (float)draws->random[i] * 0x1p-31F, rest = 1 - u;
        const float product = u * power_of_two(x);
        const float win = product * ratio - rest, no_loss = product - rest * ratio;
        const int32_t open = (fabsf(win) < TOLERANCE) | (fabsf(no_loss) < TOLERANCE * ratio) | (u < 0x1p-16F);
        draws->drawn[i] = (uint8_t)(((win < 0) + (no_loss < 0)) | (-open & OPEN));
    }
}

/* The same in vectors of twice and of four times as many. */
#ifdef __x86_64__
__attribute__((target("avx2"))) static void draw_by_avx2(int32_t most, const int32_t *scores, struct draws *draws,
                                                         size_t n)
{
    draw_nearly(most, scores, draws, n);
}

__attribute__((target("avx512f,avx512bw,avx512vl"))) static void draw_by_avx512(int32_t most, const int32_t *scores,
                                                                                struct draws *draws, size_t n)
{
    draw_nearly(most, scores, draws, n);
}
#endif

static void draw_all(int32_t most, const int32_t *scores, struct draws *draws, size_t n)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
        draw_by_avx512(most, scores, draws, n);
    else if (__builtin_cpu_supports("avx2"))
        draw_by_avx2(most, scores, draws, n);
    else
#endif
        draw_nearly(most, scores, draws, n);
}

void seebatch_io_test_chance_of_result(const struct condition *condition, const seebatch_rules *rules,
                                       struct evaluation *evaluation, const seebatch_records *batch, bool *holds)
{
    const bool by_ply = condition->range.low == BY_PLY;
    const struct model *model = &models[condition->range.low];
    const uint64_t key = key_of(condition, evaluation);
    int32_t material[MOST_QUERIED];
    struct draws draws;
    (void)rules;
    if (!by_ply)
        count(MATERIAL, NULL, batch, material);
    const int32_t *places = by_ply ? batch->plies : material;
    for (size_t i = 0; i < batch->n; i++) {
        draws.chances[i] = condition->chances[clamp(places[i], 0, PLACES - 1)];
        draws.random[i] = (int32_t)(draw(batch, i, key) >> 22);
    }
    draw_all(model->most, batch->scores, &draws, batch->n);
    uint8_t *open = draws.drawn, *end = draws.drawn + batch->n;
    for (; (open = memchr(open, OPEN, (size_t)(end - open))) != NULL; open++) {
        const size_t i = (size_t)(open - draws.drawn);
        *open = draw_result(model, batch->scores[i], places[i], draw(batch, i, key));
    }
    for (size_t i = 0; i < batch->n; i++)
        holds[i] = draws.drawn[i] == batch->results[i];
    only_with(FIELD_SCORE | FIELD_RESULT | (by_ply ? FIELD_PLY : 0), batch, holds);
}

/* ---- What is looked up ------------------------------------------------------------------------------------------- */

void seebatch_io_prepare(struct condition *condition, const seebatch_rules *rules, test_function *test)
{
    if (condition->n_points > 0)
        set_bounds(condition);
    else if (test == seebatch_io_test_imbalance)
        set_products(rules->value, &condition->products);
    else if (test == seebatch_io_test_chance_of_result)
        set_chances(&models[condition->range.low], condition->chances);
}
