/*
 * Ordering: lists worked out by hand, and the property that seebatch_order(), seebatch_batch_order() and
 * seebatch_split() do what a plain stable sort over the values of single moves does, on boards from games, random ones
 * and pathological ones, for every rule set, several tables of piece values, every kernel that this machine can run,
 * and lists of captures, of all moves, of moves of both sides, and of moves that occur several times.
 */
#include "differential/boards.h"
#include "test_support.h"

enum { ROUNDS = 80 / SHARE, UNTOUCHED = 0x5a5a };

static const uint64_t seed = 20251121;

/* What put one move in front of another: the value; of equal ones the victim, the attacker, the promotion, the place.
 */
enum reason { VALUE, VICTIM, ATTACKER, PROMOTION, PLACE, REASONS };
static uint64_t decided_by[REASONS];

/* ---- A plain stable sort ---------------------------------------------------------------------------------------- */

struct entry {
    seebatch_move move;
    int key[PLACE]; /* by each of the reasons; greater goes first */
};

static struct entry entry_of(const seebatch_rules *rules, const seebatch_position *p, seebatch_move move)
{
    const int from = seebatch_from(move), to = seebatch_to(move), piece = seebatch_type_on(p, from);
    int victim = -1;
    if (seebatch_type_on(p, to) != SEEBATCH_NO_PIECE)
        victim = seebatch_color_on(p, to) != seebatch_color_on(p, from) ? seebatch_type_on(p, to) : -1;
    else if (piece == SEEBATCH_PAWN && from % 8 != to % 8)
        victim = SEEBATCH_PAWN;
    return (struct entry){move, {seebatch_value(rules, p, NULL, move), victim, -piece, seebatch_promotion(move)}};
}

static bool goes_first(const struct entry *a, const struct entry *b)
{
    enum reason reason = VALUE;
    while (reason < PLACE && a->key[reason] == b->key[reason])
        reason++;
    decided_by[reason]++;
    return reason < PLACE && a->key[reason] > b->key[reason];
}

static void plain_sort(struct entry *entries, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const struct entry e = entries[i];
        size_t j = i;
        for (; j > 0 && goes_first(&e, &entries[j - 1]); j--)
            entries[j] = entries[j - 1];
        entries[j] = e;
    }
}

/* ---- One list --------------------------------------------------------------------------------------------------- */

struct list {
    const char *rules_name;
    seebatch_rules rules;
    const seebatch_position *position;
    const seebatch_move *given;
    size_t n;
};

static void fail_list(const struct list *list, const char *what, size_t i, int found, int expected)
{
    const int16_t *v = list->rules.value;
    print_message("moves as given:");
    for (size_t k = 0; k < list->n; k++)
        print_message(" %s", uci_of(list->given[k]).text);
    print_message("\n");
    fail_msg("%s, %zu moves, rules %s, values %d,%d,%d,%d,%d, kernel %s: %s %zu is %d, expected %d",
             fen_of(list->position).text, list->n, list->rules_name, v[0], v[1], v[2], v[3], v[4],
             seebatch_kernel_active(), what, i, found, expected);
}

static void compare_order(const struct list *list, int16_t threshold, const struct entry *expected,
                          const seebatch_move *moves, const int16_t *values, size_t good)
{
    size_t expected_good = 0;
    for (size_t i = 0; i < list->n; i++) {
        if (moves[i] != expected[i].move)
            fail_list(list, "in the order, move", i, moves[i], expected[i].move);
        if (values[i] != expected[i].key[VALUE])
            fail_list(list, "in the order, value", i, values[i], expected[i].key[VALUE]);
        expected_good += expected[i].key[VALUE] >= threshold;
    }
    if (good != expected_good)
        fail_list(list, "the number of good moves, threshold", (size_t)(threshold + 32768), (int)good,
                  (int)expected_good);
}

static int16_t pick_threshold(const struct list *list, const struct entry *entries, struct rng *rng)
{
    static const int16_t fixed[] = {0, 0, 1, -50, INT16_MIN, INT16_MAX};
    if (list->n == 0 || rng_one_in(rng, 2))
        return fixed[rng_below(rng, 6)];
    return (int16_t)(entries[rng_below(rng, (unsigned)list->n)].key[VALUE] + (int)rng_below(rng, 3) - 1);
}

static void order_is_the_plain_sort(const struct list *list, struct entry *entries, struct rng *rng)
{
    seebatch_move moves[SEEBATCH_MAX_MOVES + 1];
    int16_t values[SEEBATCH_MAX_MOVES + 1];
    memcpy(moves, list->given, list->n * sizeof *moves);
    moves[list->n] = UNTOUCHED;
    values[list->n] = UNTOUCHED;
    const int16_t threshold = pick_threshold(list, entries, rng);
    seebatch_pins pins;
    seebatch_find_pins(&list->rules, list->position, &pins);
    const size_t pinned = seebatch_order(&list->rules, list->position, &pins, moves, list->n, threshold, values);
    plain_sort(entries, list->n);
    compare_order(list, threshold, entries, moves, values, pinned);
    memcpy(moves, list->given, list->n * sizeof *moves);
    const size_t good = seebatch_order(&list->rules, list->position, NULL, moves, list->n, threshold, values);
    compare_order(list, threshold, entries, moves, values, good);
    if (moves[list->n] != UNTOUCHED || values[list->n] != UNTOUCHED)
        fail_list(list, "something was written behind the list, that is at", list->n, 1, 0);
}

static void split_is_a_stable_partition(const struct list *list, const struct entry *entries, struct rng *rng)
{
    seebatch_move moves[SEEBATCH_MAX_MOVES + 1], expected[SEEBATCH_MAX_MOVES];
    int16_t thresholds[SEEBATCH_MAX_MOVES];
    size_t good = 0, n = 0;
    for (size_t i = 0; i < list->n; i++)
        thresholds[i] = pick_threshold(list, entries, rng);
    for (int reached = 1; reached >= 0; reached--) {
        for (size_t i = 0; i < list->n; i++)
            if ((entries[i].key[VALUE] >= thresholds[i]) == reached)
                expected[n++] = entries[i].move;
        good = reached ? n : good;
    }
    memcpy(moves, list->given, list->n * sizeof *moves);
    moves[list->n] = UNTOUCHED;
    const size_t found = seebatch_split(&list->rules, list->position, NULL, moves, list->n, thresholds);
    if (found != good)
        fail_list(list, "after the split, with moves", list->n, (int)found, (int)good);
    for (size_t i = 0; i < list->n; i++) {
        if (moves[i] != expected[i])
            fail_list(list, "after the split, move", i, moves[i], expected[i]);
    }
    if (moves[list->n] != UNTOUCHED)
        fail_list(list, "something was written behind the list, that is at", list->n, 1, 0);
}

/* ---- Many positions --------------------------------------------------------------------------------------------- */

static struct entry entries[MAX_QUERIES], sorted[MAX_QUERIES];

/* The batch as a whole, or a slice of it: what lies before and behind stays as it is. */
static void batch_order_is_each_position_alone(struct list list, const struct batch *batch, struct rng *rng)
{
    static seebatch_move moves[MAX_QUERIES];
    static int16_t values[MAX_QUERIES + 1];
    static size_t good[MAX_POSITIONS + 1];
    memcpy(moves, batch->moves, sizeof moves);
    const size_t first = rng_below(rng, (unsigned)batch->n_positions + 1);
    const size_t n = rng_below(rng, (unsigned)(batch->n_positions - first) + 1);
    const size_t begin = batch->offsets[first], end = batch->offsets[first + n];
    values[end - begin] = UNTOUCHED;
    good[n] = UNTOUCHED;
    const int16_t threshold = (int16_t)((int)rng_below(rng, 3) - 1);
    /* In place, or beside the moves by several threads. */
    const bool in_place = rng_one_in(rng, 2);
    seebatch_job job = {.threads = 3};
    const seebatch_batch slice = {.positions = batch->positions + first,
                                  .n_positions = n,
                                  .offsets = batch->offsets + first,
                                  .moves = in_place ? moves : batch->moves};
    assert_int_equal(
        seebatch_batch_order(&list.rules, &slice, threshold, moves + begin, values, good, in_place ? NULL : &job),
        SEEBATCH_OK);
    assert_true(in_place || job.done == n);
    for (size_t i = first; i < first + n; i++) {
        list.position = &batch->positions[i];
        list.given = batch->moves + batch->offsets[i];
        list.n = batch->offsets[i + 1] - batch->offsets[i];
        compare_order(&list, threshold, sorted + batch->offsets[i], moves + batch->offsets[i],
                      values + (batch->offsets[i] - begin), good[i - first]);
    }
    assert_memory_equal(moves, batch->moves, begin * sizeof *moves);
    assert_memory_equal(moves + end, batch->moves + end, (batch_count(batch) - end) * sizeof *moves);
    assert_int_equal(values[end - begin], UNTOUCHED);
    assert_int_equal(good[n], UNTOUCHED);
}

static void draw_values(seebatch_rules *rules, struct rng *rng)
{
    const unsigned kind = rng_below(rng, 4);
    for (int type = SEEBATCH_PAWN; kind > 1 && type <= SEEBATCH_QUEEN; type++) {
        rules->value[type] = kind == 2 ? (int16_t)(1000 * (int)rng_below(rng, 4)) /* zeros, ties, and the most */
                                       : (int16_t)rng_below(rng, SEEBATCH_MAX_PIECE_VALUE + 1);
    }
}

static void check_batch_of(const struct batch *batch, struct rng *rng)
{
    for (size_t r = 0; r < rule_sets(); r++) {
        struct list list = {.rules_name = seebatch_rules_name(r), .rules = rules_at(r)};
        draw_values(&list.rules, rng);
        for (size_t i = 0; i < batch->n_positions; i++) {
            const size_t first = batch->offsets[i];
            list.position = &batch->positions[i];
            list.given = batch->moves + first;
            list.n = batch->offsets[i + 1] - first;
            for (size_t k = 0; k < list.n; k++)
                entries[first + k] = entry_of(&list.rules, list.position, list.given[k]);
            memcpy(sorted + first, entries + first, list.n * sizeof *entries);
            order_is_the_plain_sort(&list, sorted + first, rng);
            split_is_a_stable_partition(&list, entries + first, rng);
        }
        batch_order_is_each_position_alone(list, batch, rng);
    }
}

static void check_kind(enum board_kind kind, const struct library *library)
{
    static struct batch batch;
    uint64_t passed_over = 0;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct rng rng = rng_for(seed + round, "order");
        boards_fill(&batch, kind, library, seed + 1000 * (uint64_t)kind + round, NO_LIMIT, &passed_over);
        check_batch_of(&batch, &rng);
    }
}

TEST(random_lists_are_sorted)
{
    struct library library = {0};
    assert_true(library_read(&library, "data/games.fen"));
    assert_true(library_read(&library, "data/random.fen"));
    for (size_t k = 0; use_next_kernel(&k);) {
        check_kind(BOARDS_REAL, &library);
        check_kind(BOARDS_RANDOM, &library);
        check_kind(BOARDS_PATHOLOGICAL, &library);
    }
    free(library.positions);
    for (enum reason reason = VALUE; reason < REASONS; reason++)
        assert_true(decided_by[reason] > 1000);
}

/* A batch of several parts, with its pins at hand: those of each position, in whatever part it is. */
TEST(every_part_has_its_own_pins)
{
    enum { GAMES = 1500, MOST = 60 * GAMES };
    static seebatch_position games[GAMES];
    static seebatch_pins pins[GAMES];
    static size_t offsets[GAMES + 1], good[GAMES];
    static seebatch_move moves[MOST];
    static int16_t values[MOST];
    read_positions("data/games.fen", GAMES, games);
    assert_int_equal(seebatch_batch_legal_moves(games, GAMES, offsets, moves, MOST, NULL), SEEBATCH_OK);
    for (size_t r = 0; r < rule_sets(); r++) {
        const seebatch_rules rules = rules_at(r);
        for (size_t i = 0; i < GAMES; i++)
            seebatch_find_pins(&rules, &games[i], &pins[i]);
        const seebatch_batch batch = {
            .positions = games, .n_positions = GAMES, .offsets = offsets, .moves = moves, .pins = pins};
        seebatch_job job = {.threads = 2};
        assert_int_equal(seebatch_batch_order(&rules, &batch, 0, moves, values, good, &job), SEEBATCH_OK);
        for (size_t i = 0; i < GAMES; i++) {
            seebatch_move list[SEEBATCH_MAX_MOVES];
            int16_t expected[SEEBATCH_MAX_MOVES];
            const size_t n = offsets[i + 1] - offsets[i];
            memcpy(list, moves + offsets[i], n * sizeof *list);
            assert_int_equal(seebatch_order(&rules, &games[i], NULL, list, n, 0, expected), good[i]);
            assert_memory_equal(list, moves + offsets[i], n * sizeof *list);
            assert_memory_equal(expected, values + offsets[i], n * sizeof *expected);
        }
    }
}

/* ---- By hand ---------------------------------------------------------------------------------------------------- */

TEST(lists_by_hand_are_sorted)
{
    static const struct {
        const char *fen, *rules, *given, *expected;
        size_t good;
    } lists[] = {
        /* Two captures lose as much, the knight's goes before the bishop's; the third loses more, a quiet move nothing.
         */
        {"1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -", "swap", "e2e5 g2b7 d3e5 e1f1", "e1f1 d3e5 g2b7 e2e5",
         1},
        /* A queen and a pawn hang, and each can be taken by several; a quiet move is worth as little as castling. */
        {"4k3/8/8/3q4/p1P5/2N5/8/R3K2R w KQ -", "swap", "e1e2 e1g1 a1a4 c3a4 c3d5 c4d5",
         "c4d5 c3d5 c3a4 a1a4 e1e2 e1g1", 6},
        /* The same value for all (a pawn stays a pawn): queen first. The capture wins more. */
        {"1n2k3/P7/8/8/8/8/8/4K3 w - -", "swap", "a7a8n a7a8b a7a8r a7a8q a7b8n a7b8q e1e2",
         "a7b8q a7b8n a7a8q a7a8r a7a8b a7a8n e1e2", 7},
        /* En passant takes a pawn, though it lands on an empty square: before the quiet move, as before all of value 0.
         */
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6", "swap", "e5e6 e1e2 e5d6", "e5d6 e5e6 e1e2", 3},
        /* There its value is 0 too, and the victim decides. */
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6", "stockfish", "e1e2 e5e6 e5d6", "e5d6 e5e6 e1e2", 3},
        /* King takes own rook is no capture: it comes after the quiet move of a pawn. */
        {"4k3/8/1p6/r7/1P6/8/8/1R2K2R w HB -", "swap", "e1h1 b4b5 b4a5", "b4a5 b4b5 e1h1", 3},
    };
    for (size_t i = 0; i < COUNT(lists); i++) {
        const seebatch_position position = position_of_fen(lists[i].fen);
        const seebatch_rules rules = rules_named(lists[i].rules);
        seebatch_move moves[8];
        int16_t values[8];
        char given[64], found[64] = "";
        size_t n = 0;
        strcpy(given, lists[i].given);
        for (char *word = strtok(given, " "); word; word = strtok(NULL, " "))
            moves[n++] = move_of(&position, word);
        assert_int_equal(seebatch_order(&rules, &position, NULL, moves, n, 0, values), lists[i].good);
        for (size_t k = 0; k < n; k++) {
            strcat(strcat(found, k ? " " : ""), uci_of(moves[k]).text);
            assert_int_equal(values[k], seebatch_value(&rules, &position, NULL, moves[k]));
        }
        assert_string_equal(found, lists[i].expected);
    }
}

/* A list of every length up to the most: its moves repeat, and keep their order among equals. */
TEST(lists_of_every_length)
{
    const seebatch_position position =
        position_of_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -");
    seebatch_move moves[SEEBATCH_MAX_MOVES], all[SEEBATCH_MAX_MOVES];
    const size_t n_all = seebatch_legal_moves(&position, all);
    struct rng rng = rng_for(seed, "lengths");
    struct list list = {"swap", rules_named("swap"), .position = &position, .given = moves};
    for (list.n = 0; list.n <= SEEBATCH_MAX_MOVES; list.n++) {
        for (size_t k = 0; k < list.n; k++) {
            moves[k] = all[rng_below(&rng, (unsigned)n_all)];
            entries[k] = entry_of(&list.rules, &position, moves[k]);
        }
        split_is_a_stable_partition(&list, entries, &rng);
        order_is_the_plain_sort(&list, entries, &rng);
    }
}

int main(void) { return run_all_tests(NULL); }
