/*
 * What must hold of every value, whatever it is: on positions from games and random play, on random boards, and on the
 * pathological ones of the differential harness, for every rule set, several tables of piece values, and every kernel
 * that this machine can run.
 */
#include "differential/boards.h"
#include "test_support.h"

enum { ROUNDS = 60, RULE_SETS = 6 };

static const uint64_t seed = 20241121;

/* One batch under one rule set, with its values. */
struct round {
    const char *name;
    seebatch_rules rules;
    const struct batch *batch;
    const int16_t *values;
    struct rng *rng;
};

static int16_t values_by_call[MAX_REQUESTS];
static uint64_t requests, turned, tied, added, with_promotion, split;

static void fail_at(const struct round *r, size_t k, const char *what, int found, int expected)
{
    const int16_t *v = r->rules.value;
    fail_msg("%s %s, rules %s, values %d,%d,%d,%d,%d, kernel %s: %s is %d, expected %d",
             fen_of(batch_position(r->batch, k)).text, uci_of(r->batch->moves[k]).text, r->name, v[0], v[1], v[2], v[3],
             v[4], seebatch_kernel_active(), what, found, expected);
}

/* ---- Bounds and thresholds -------------------------------------------------------------------------------------- */

static void values_lie_within_bounds(const struct round *r)
{
    for (size_t k = 0; k < batch_count(r->batch); k++) {
        if (r->values[k] < -6000 || r->values[k] > 6000)
            fail_at(r, k, "the value, -6000..6000,", r->values[k], r->values[k] < 0 ? -6000 : 6000);
    }
    requests += batch_count(r->batch);
}

static void thresholds_are_monotone(const struct round *r)
{
    uint64_t mask[SEEBATCH_MASK_WORDS(MAX_REQUESTS)];
    static int16_t thresholds[MAX_REQUESTS];
    static const int16_t fixed[] = {INT16_MIN, -6001, -6000, -100, 0, 1, 100, 6000, 6001, INT16_MAX};
    const struct batch *b = r->batch;
    for (size_t f = 0; f < sizeof fixed / sizeof *fixed; f++) {
        seebatch_batch_ge_mask(&r->rules,
                               &(const seebatch_batch){b->positions, b->n_positions, b->offsets, b->moves, NULL},
                               fixed[f], mask, NULL);
        for (size_t k = 0; k < batch_count(b); k++) {
            if ((mask[k / 64] >> (k % 64) & 1) != (r->values[k] >= fixed[f]))
                fail_at(r, k, "a fixed threshold", fixed[f], r->values[k]);
        }
    }
    for (int off = -1; off <= 1; off++) {
        for (size_t k = 0; k < batch_count(b); k++)
            thresholds[k] = (int16_t)(r->values[k] + off);
        seebatch_batch_ge_mask_each(&r->rules,
                                    &(const seebatch_batch){b->positions, b->n_positions, b->offsets, b->moves, NULL},
                                    thresholds, mask, NULL);
        for (size_t k = 0; k < batch_count(b); k++) {
            if ((mask[k / 64] >> (k % 64) & 1) != (off <= 0))
                fail_at(r, k, "the threshold at the value, and", off, off <= 0);
        }
    }
}

/* ---- Grouping --------------------------------------------------------------------------------------------------- */

/* The same requests cut into calls at random places, one position at a time, and one by one. */
static void grouping_changes_nothing(const struct round *r)
{
    const struct batch *b = r->batch;
    static int16_t values[MAX_REQUESTS];
    for (size_t i = 0; i < b->n_positions;) {
        size_t n = 1 + rng_below(r->rng, 9);
        n = i + n > b->n_positions ? b->n_positions - i : n;
        seebatch_batch_values(&r->rules, &(const seebatch_batch){b->positions + i, n, b->offsets + i, b->moves, NULL},
                              values + b->offsets[i], NULL);
        i += n;
        split++;
    }
    for (size_t k = 0; k < batch_count(b); k++) {
        if (values[k] != r->values[k])
            fail_at(r, k, "the value in a smaller batch", values[k], r->values[k]);
    }
    for (size_t i = 0; i < b->n_positions; i++) {
        const size_t first = b->offsets[i], n = b->offsets[i + 1] - first;
        seebatch_values(&r->rules, &b->positions[i], NULL, b->moves + first, n, values + first);
        for (size_t k = first; k < first + n; k++) {
            if (values[k] != r->values[k])
                fail_at(r, k, "the value in a call for its position", values[k], r->values[k]);
            const int alone = seebatch_value(&r->rules, &b->positions[i], NULL, b->moves[k]);
            if (alone != r->values[k])
                fail_at(r, k, "the value alone", alone, r->values[k]);
        }
    }
}

/* ---- Boards turned round ---------------------------------------------------------------------------------------- */

static uint64_t mirrored(uint64_t b)
{
    b = (b >> 1 & 0x5555555555555555u) | (b & 0x5555555555555555u) << 1;
    b = (b >> 2 & 0x3333333333333333u) | (b & 0x3333333333333333u) << 2;
    return (b >> 4 & 0x0F0F0F0F0F0F0F0Fu) | (b & 0x0F0F0F0F0F0F0F0Fu) << 4;
}

/* Only what the evaluation reads: the board. */
static seebatch_position turned_board(const seebatch_position *p, bool flip)
{
    seebatch_position q = *p;
    for (int i = 0; i < 3; i++)
        q.plane[i] = flip ? __builtin_bswap64(p->plane[i]) : mirrored(p->plane[i]);
    q.white = flip ? __builtin_bswap64(seebatch_pieces_of_color(p, SEEBATCH_BLACK)) : mirrored(p->white);
    return q;
}

/* Whether two like pieces of a side stand on the lines or jumps of the square: only then can a tie decide. */
static bool ties_may_decide(const seebatch_position *p, seebatch_move move)
{
    const int to = seebatch_to(move);
    unsigned count[2][6] = {{0}};
    for (int square = 0; square < 64; square++) {
        const int type = seebatch_type_on(p, square);
        const int files = abs(square % 8 - to % 8), ranks = abs(square / 8 - to / 8);
        if (type == SEEBATCH_NO_PIECE || square == seebatch_from(move) || square == to)
            continue;
        if (files == 0 || ranks == 0 || files == ranks || files * ranks == 2) {
            if (++count[seebatch_color_on(p, square)][type] > 1)
                return true;
        }
    }
    return false;
}

static void turning_the_board_changes_nothing(const struct round *r)
{
    for (size_t k = 0; k < batch_count(r->batch); k++) {
        const seebatch_position *p = batch_position(r->batch, k);
        const seebatch_move move = r->batch->moves[k];
        if (r->rules.order != SEEBATCH_BEST_ORDER && ties_may_decide(p, move)) {
            tied++;
            continue;
        }
        for (int flip = 0; flip < 2; flip++) {
            if (!flip && is_castling(p, move))
                continue;
            const int mask = flip ? 56 : 7;
            const seebatch_position other = turned_board(p, flip);
            const int found = seebatch_value(&r->rules, &other, NULL, (seebatch_move)(move ^ (mask | mask << 6)));
            if (found != r->values[k])
                fail_at(r, k, flip ? "the value with colours flipped" : "the value mirrored", found, r->values[k]);
            turned++;
        }
    }
}

/* ---- What the first move wins, and its mover -------------------------------------------------------------------- */

static bool enemy_pawn_attacks(const seebatch_position *p, int square, int color)
{
    const uint64_t pawns =
        seebatch_pieces_of_type(p, SEEBATCH_PAWN) & seebatch_pieces_of_color(p, color ^ 1); /* who may recapture */
    const int behind = color == SEEBATCH_WHITE ? 1 : -1; /* a black pawn stands a rank above what it attacks */
    for (int file = square % 8 - 1; file <= square % 8 + 1; file += 2) {
        const int rank = square / 8 + behind;
        if (file >= 0 && file < 8 && rank >= 0 && rank < 8 && pawns >> (rank * 8 + file) & 1)
            return true;
    }
    return false;
}

/* Under `legal` a value lies between what the first move wins, and that minus the piece that then stands there, minus
 * what a recapture that promotes gains. */
static void legal_loses_no_more_than_the_mover(const struct round *r)
{
    const int16_t *v = r->rules.value;
    for (size_t k = 0; k < batch_count(r->batch); k++) {
        const seebatch_position *p = batch_position(r->batch, k);
        const seebatch_move move = r->batch->moves[k];
        const int from = seebatch_from(move), to = seebatch_to(move), promotion = seebatch_promotion(move);
        const int mover = seebatch_type_on(p, from), color = seebatch_color_on(p, from);
        const int captured = seebatch_type_on(p, to);
        if (is_castling(p, move))
            continue;
        int most = captured < SEEBATCH_KING ? v[captured] : 0;
        if (mover == SEEBATCH_PAWN && captured == SEEBATCH_NO_PIECE && from % 8 != to % 8)
            most = v[SEEBATCH_PAWN];
        const int stands = promotion ? promotion : mover;
        most += promotion ? v[promotion] - v[SEEBATCH_PAWN] : 0;
        int least = mover == SEEBATCH_KING ? most : most - v[stands];
        const int gained = v[SEEBATCH_QUEEN] - v[SEEBATCH_PAWN];
        if (mover != SEEBATCH_KING && (to < 8 || to >= 56) && gained > 0 && enemy_pawn_attacks(p, to, color)) {
            least -= gained;
            with_promotion++;
        }
        if (r->values[k] < least)
            fail_at(r, k, "the value, at least what is won minus the mover,", r->values[k], least);
        if (r->values[k] > most)
            fail_at(r, k, "the value, at most what is won,", r->values[k], most);
    }
}

/* ---- A piece that has nothing to do with it --------------------------------------------------------------------- */

static bool concerns(int square, int other)
{
    const int files = abs(square % 8 - other % 8), ranks = abs(square / 8 - other / 8);
    return files == 0 || ranks == 0 || files == ranks || files * ranks == 2;
}

/* Puts a piece of any sort on an empty square that is on no line to the square of the exchange, nor a knight's jump
 * away from it, and under rules that know pins or checks the same for the kings. False if there is none. */
static bool add_piece(seebatch_position *p, const seebatch_rules *rules, seebatch_move move, struct rng *rng)
{
    uint64_t kings = rules->pins == SEEBATCH_PINS_IGNORED ? 0 : seebatch_pieces_of_type(p, SEEBATCH_KING), by_type[6],
             by_color[2];
    for (int tries = 0; tries < 20; tries++) {
        const int square = (int)rng_below(rng, 64), type = (int)rng_below(rng, 5), color = (int)rng_below(rng, 2);
        bool apart = !(seebatch_occupied(p) >> square & 1) && !concerns(square, seebatch_to(move));
        for (int king = 0; king < 64; king++)
            apart = apart && !(kings >> king & 1 && concerns(square, king));
        if (!apart || (type == SEEBATCH_PAWN && (square < 8 || square >= 56)))
            continue;
        for (int t = SEEBATCH_PAWN; t <= SEEBATCH_KING; t++)
            by_type[t] = seebatch_pieces_of_type(p, t);
        for (int c = SEEBATCH_WHITE; c <= SEEBATCH_BLACK; c++)
            by_color[c] = seebatch_pieces_of_color(p, c);
        by_type[type] |= UINT64_C(1) << square;
        by_color[color] |= UINT64_C(1) << square;
        *p = seebatch_position_from_bitboards(by_type, by_color, p->stm);
        return true;
    }
    return false;
}

static void pieces_apart_change_nothing(const struct round *r)
{
    for (size_t k = 0; k < batch_count(r->batch); k++) {
        seebatch_position p = *batch_position(r->batch, k);
        const seebatch_move move = r->batch->moves[k];
        for (int n = 0; n < 2 && add_piece(&p, &r->rules, move, r->rng); n++) {
            const int found = seebatch_value(&r->rules, &p, NULL, move);
            if (found != r->values[k]) {
                print_message("with a piece more: %s\n", fen_of(&p).text);
                fail_at(r, k, "the value with a piece more that stands apart", found, r->values[k]);
            }
            added++;
        }
    }
}

/* ---- All of it -------------------------------------------------------------------------------------------------- */

static void draw_values(seebatch_rules *rules, struct rng *rng)
{
    const unsigned kind = rng_below(rng, 4);
    for (int type = SEEBATCH_PAWN; kind > 1 && type <= SEEBATCH_QUEEN; type++) {
        rules->value[type] = kind == 2 ? (int16_t)(1000 * (int)rng_below(rng, 4)) /* zeros, ties, and the most */
                                       : (int16_t)rng_below(rng, SEEBATCH_MAX_PIECE_VALUE + 1);
    }
}

static void check_round(const struct batch *batch, struct rng *rng)
{
    for (size_t i = 0; i < RULE_SETS; i++) {
        struct round r = {.name = seebatch_rules_name(i), .batch = batch, .values = values_by_call, .rng = rng};
        assert_int_equal(seebatch_rules_named(r.name, &r.rules, NULL), SEEBATCH_OK);
        draw_values(&r.rules, rng);
        seebatch_batch_values(
            &r.rules, &(const seebatch_batch){batch->positions, batch->n_positions, batch->offsets, batch->moves, NULL},
            values_by_call, NULL);
        values_lie_within_bounds(&r);
        thresholds_are_monotone(&r);
        grouping_changes_nothing(&r);
        turning_the_board_changes_nothing(&r);
        pieces_apart_change_nothing(&r);
        if (r.rules.order == SEEBATCH_BEST_ORDER)
            legal_loses_no_more_than_the_mover(&r);
    }
}

static void check_boards(enum board_kind kind, const struct library *library)
{
    static struct batch batch;
    uint64_t passed_over = 0;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct rng rng = rng_for(seed + round, "properties");
        boards_fill(&batch, kind, library, seed + 1000 * (uint64_t)kind + round, NO_LIMIT, &passed_over);
        if (batch_count(&batch) > 0)
            check_round(&batch, &rng);
    }
    assert_int_equal(passed_over, 0);
}

static void properties_hold(void **state)
{
    (void)state;
    struct library library = {0};
    assert_true(library_read(&library, "data/games.fen"));
    assert_true(library_read(&library, "data/random.fen"));
    size_t kernels = 0;
    for (size_t k = 0; seebatch_kernel_name(k); k++) {
        if (!seebatch_kernel_available(k)) {
            print_message("SKIPPED: kernel %s: this machine cannot run it\n", seebatch_kernel_name(k));
            continue;
        }
        assert_int_equal(seebatch_kernel_use(seebatch_kernel_name(k), NULL), SEEBATCH_OK);
        kernels++;
        check_boards(BOARDS_REAL, &library);
        check_boards(BOARDS_RANDOM, &library);
        check_boards(BOARDS_PATHOLOGICAL, &library);
    }
    free(library.positions);
    print_message("%llu requests, %llu turned, %llu left out for ties, %llu with a piece more, %llu that a pawn could "
                  "take promoting, %llu calls\n",
                  (unsigned long long)requests, (unsigned long long)turned, (unsigned long long)tied,
                  (unsigned long long)added, (unsigned long long)with_promotion, (unsigned long long)split);
    assert_true(requests > kernels * 100000 && turned > kernels * 100000 && added > kernels * 50000);
    assert_true(with_promotion > kernels * 20 && split > kernels * 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(properties_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
