/*
 * What seebatch.h says of wrong calls: an assert in debug builds where the call is the caller's defect, and, in the
 * debug mode that checks moves, a sentence about the move. Each wrong call is made in a process of its own, which must
 * abort and say what the test expects; the same call made right must not. And the check of moves is held against the
 * move generator, on every pair of squares.
 */
#define _POSIX_C_SOURCE 200809L
#include "api/check.h"
#include "child.h"

/* What the calls are about: a position with two moves of the same pawn, in arrays for every function. */
struct call {
    seebatch_rules rules;
    seebatch_position positions[2];
    size_t offsets[3];
    seebatch_move moves[2];
    int16_t values[2], thresholds[2];
    uint64_t mask[1];
    size_t good[2];
    seebatch_pins pins[2];
    seebatch_trace trace;
    int16_t map[2][64];
};

static const char fen[] = "r3k2r/ppp2ppp/8/3pp3/4P3/5N2/PPPP1PPP/R3K2R w KQkq - 0 1";

static struct call right_call(void)
{
    struct call c;
    memset(&c, 0, sizeof c);
    c.rules = seebatch_rules_default();
    c.positions[0] = c.positions[1] = position_of_fen(fen);
    c.offsets[1] = 1;
    c.offsets[2] = 2;
    c.moves[0] = move_of(c.positions, "e4d5");
    c.moves[1] = move_of(c.positions, "f3e5");
    return c;
}

static void expect_abort(void (*function)(void *), const struct call *call, const char *expected)
{
    char said[1024];
    struct call copy = *call;
    if (!aborts(function, &copy, said))
        fail_msg("nothing happened, expected an abort with '%s'", expected);
    if (!strstr(said, expected))
        fail_msg("it said '%s', expected '%s'", said, expected);
}

static void expect_return(void (*function)(void *), const struct call *call)
{
    char said[1024];
    struct call copy = *call;
    if (aborts(function, &copy, said))
        fail_msg("a right call aborts: %s", said);
}

/* ---- The functions ---------------------------------------------------------------------------------------------- */

/* A call that is given a struct call *c. */
#define CALL(name, ...)                                                                                                \
    static void name(void *call)                                                                                       \
    {                                                                                                                  \
        struct call *c = call;                                                                                         \
        __VA_ARGS__;                                                                                                   \
    }
#define ALL(pins)                                                                                                      \
    &(const seebatch_batch) { c->positions, 2, c->offsets, c->moves, pins }

CALL(value, seebatch_value(&c->rules, c->positions, NULL, c->moves[0]))
CALL(ge, seebatch_ge(&c->rules, c->positions, NULL, c->moves[0], 0))
CALL(value_pinned, seebatch_value(&c->rules, c->positions, c->pins, c->moves[0]))
CALL(ge_pinned, seebatch_ge(&c->rules, c->positions, c->pins, c->moves[0], 0))
CALL(explain, seebatch_explain(&c->rules, c->positions, c->moves[0], &c->trace))
CALL(values, seebatch_values(&c->rules, c->positions, NULL, c->moves, 2, c->values))
CALL(ge_mask, seebatch_ge_mask(&c->rules, c->positions, NULL, c->moves, 2, 0, c->mask))
CALL(ge_mask_each, seebatch_ge_mask_each(&c->rules, c->positions, NULL, c->moves, 2, c->thresholds, c->mask))
CALL(order, seebatch_order(&c->rules, c->positions, NULL, c->moves, 2, 0, c->values))
CALL(order_pinned, seebatch_order(&c->rules, c->positions, c->pins, c->moves, 2, 0, c->values))
CALL(split, seebatch_split(&c->rules, c->positions, NULL, c->moves, 2, c->thresholds))
CALL(batch_values, seebatch_batch_values(&c->rules, ALL(NULL), c->values, NULL))
CALL(batch_values_pinned, seebatch_batch_values(&c->rules, ALL(c->pins), c->values, NULL))
CALL(batch_ge_mask, seebatch_batch_ge_mask(&c->rules, ALL(NULL), 0, c->mask, NULL))
CALL(batch_ge_mask_pinned, seebatch_batch_ge_mask(&c->rules, ALL(c->pins), 0, c->mask, NULL))
CALL(batch_ge_mask_each, seebatch_batch_ge_mask_each(&c->rules, ALL(NULL), c->thresholds, c->mask, NULL))
CALL(batch_order, seebatch_batch_order(&c->rules, ALL(NULL), 0, c->moves + c->offsets[0], c->values, c->good, NULL))
CALL(square_value, seebatch_square_value(&c->rules, c->positions, 28, SEEBATCH_BLACK))
CALL(square_64, seebatch_square_value(&c->rules, c->positions, 64, SEEBATCH_BLACK))
CALL(color_2, seebatch_square_value(&c->rules, c->positions, 28, 2))
CALL(map, seebatch_map(&c->rules, c->positions, c->map))

/* clang-format off */
static void (*const with_moves[])(void *) = {
    value, ge, value_pinned, ge_pinned, explain, values, ge_mask, ge_mask_each, order, order_pinned, split,
    batch_values, batch_values_pinned, batch_ge_mask, batch_ge_mask_pinned, batch_ge_mask_each, batch_order,
};
/* clang-format on */
enum { WITH_MOVES = COUNT(with_moves), WITH_OFFSETS = 6 }; /* those with offsets come last */

/* Arrays that are not there. */
CALL(no_offsets,
     seebatch_batch_values(&c->rules, &(const seebatch_batch){c->positions, 2, NULL, c->moves, NULL}, c->values, NULL))
CALL(no_positions,
     seebatch_batch_values(&c->rules, &(const seebatch_batch){NULL, 2, c->offsets, c->moves, NULL}, c->values, NULL))
CALL(no_moves, seebatch_values(&c->rules, c->positions, NULL, NULL, 2, c->values))
CALL(no_values, seebatch_values(&c->rules, c->positions, NULL, c->moves, 2, NULL))
CALL(no_mask, seebatch_ge_mask(&c->rules, c->positions, NULL, c->moves, 2, 0, NULL))
CALL(no_thresholds, seebatch_ge_mask_each(&c->rules, c->positions, NULL, c->moves, 2, NULL, c->mask))
CALL(no_rules, seebatch_values(NULL, c->positions, NULL, c->moves, 2, c->values))
CALL(no_position, seebatch_value(&c->rules, NULL, NULL, c->moves[0]))
CALL(too_many_moves, seebatch_order(&c->rules, c->positions, NULL, c->moves, SEEBATCH_MAX_MOVES + 1, 0, c->values))
CALL(nothing_to_do, (void)c, seebatch_values(NULL, NULL, NULL, NULL, 0, NULL),
     seebatch_batch_values(NULL, &(const seebatch_batch){NULL, 0, NULL, NULL, NULL}, NULL, NULL),
     seebatch_ge_mask_each(NULL, NULL, NULL, NULL, 0, NULL, NULL))

/* ---- Tests ------------------------------------------------------------------------------------------------------ */

TEST(right_calls_return)
{
    const struct call c = right_call();
    for (size_t i = 0; i < WITH_MOVES; i++)
        expect_return(with_moves[i], &c);
    expect_return(square_value, &c);
    expect_return(map, &c);
    expect_return(nothing_to_do, &c);
}

TEST(offsets_run_backwards)
{
    struct call c = right_call();
    c.offsets[0] = 2;
    for (size_t i = WITH_MOVES - WITH_OFFSETS; i < WITH_MOVES; i++)
        expect_abort(with_moves[i], &c, "see_offsets_are_sound");
}

TEST(arrays_are_missing)
{
    const struct call c = right_call();
    expect_abort(no_offsets, &c, "see_offsets_are_sound");
    expect_abort(no_positions, &c, "batch->positions");
    expect_abort(no_moves, &c, "batch->moves");
    expect_abort(no_values, &c, "values");
    expect_abort(no_mask, &c, "mask");
    expect_abort(no_thresholds, &c, "thresholds");
    expect_abort(no_rules, &c, "rules");
    expect_abort(no_position, &c, "position");
    expect_abort(too_many_moves, &c, "SEEBATCH_MAX_MOVES");
}

TEST(values_are_out_of_bounds)
{
    struct call negative = right_call(), great = right_call(), unknown = right_call();
    negative.rules.value[SEEBATCH_PAWN] = -1;
    great.rules.value[SEEBATCH_QUEEN] = SEEBATCH_MAX_PIECE_VALUE + 1;
    unknown.rules.pins = 4;
    for (size_t i = 0; i < WITH_MOVES; i++) {
        expect_abort(with_moves[i], &negative, "seebatch_rules_check");
        expect_abort(with_moves[i], &great, "seebatch_rules_check");
        expect_abort(with_moves[i], &unknown, "seebatch_rules_check");
    }
    expect_abort(square_value, &great, "seebatch_rules_check");
    expect_abort(map, &great, "seebatch_rules_check");
    expect_abort(square_64, &negative, "seebatch_rules_check");
    const struct call c = right_call();
    expect_abort(square_64, &c, "square < 64");
    expect_abort(color_2, &c, "color ==");
}

TEST(moves_are_not_legal)
{
    struct call c = right_call();
    c.moves[0] = seebatch_make_move(28, 36, 0); /* e4e5, where a pawn stands */
    for (size_t i = 0; i < WITH_MOVES; i++)
        expect_abort(with_moves[i], &c,
                     "seebatch: position 0, r3k2r/ppp2ppp/8/3pp3/4P3/5N2/PPPP1PPP/R3K2R w KQkq - 0 1, move e4e5: the "
                     "piece does not move so");
    c = right_call();
    c.moves[1] = seebatch_make_move(40, 41, 0); /* from an empty square, the second position's */
    expect_abort(batch_values, &c, "position 1,");
    expect_abort(batch_values, &c, "move a6b6: there is no piece on its from-square");
    c.positions[1].plane[0] |= 1, c.positions[1].plane[1] |= 1, c.positions[1].plane[2] |= 1;
    expect_abort(batch_values, &c, "a square has the code 7");
}

/* Who moves follows from the piece: a move of the side that is not to move is as good, or as wrong, as any other. */
TEST(moves_of_the_side_that_is_not_to_move)
{
    struct call c = right_call();
    c.moves[0] = seebatch_make_move(35, 28, 0); /* d5e4 */
    c.moves[1] = seebatch_make_move(51, 42, 0); /* nothing stands on d7 */
    expect_return(value, &c);
    expect_abort(values, &c, "move d7c6: there is no piece on its from-square");
    c.moves[1] = seebatch_make_move(36, 27, 0); /* e5d4, where nothing stands */
    for (size_t i = 0; i < WITH_MOVES; i++) {
        c.moves[0] = c.moves[1];
        expect_abort(with_moves[i], &c, "move e5d4: the piece does not move so");
    }
}

/* A pinned piece that moves: wrong, but not where the library is told to let such moves pass. */
TEST(moves_leave_the_king_in_check)
{
    struct call c = right_call();
    c.rules = rules_named("swap");
    c.positions[0] = c.positions[1] = position_of_fen("4k3/4r3/8/8/8/8/4B3/4K3 w - - 0 1");
    c.moves[0] = c.moves[1] = seebatch_make_move(12, 19, 0); /* e2d3 */
    for (size_t i = 0; i < WITH_MOVES; i++) {
        if (SEEBATCH_CHECK_MOVES == 1)
            expect_abort(with_moves[i], &c, "move e2d3: it leaves its own king in check");
        else
            expect_return(with_moves[i], &c);
    }
}

/* The reasons, and the difference between legal and pseudo-legal. */
TEST(every_reason_is_given)
{
    static const struct {
        const char *fen;
        int from, to, promotion;
        const char *reason; /* a part of it; NULL: none */
        bool pseudo_legal;
    } cases[] = {
        {"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 12, 28, 0, NULL, true},
        {"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 12, 28, 7, "bits", false},
        {"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 20, 28, 0, "no piece", false},
        {"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 12, 28, 4, "promotes", false},
        {"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", 48, 56, 0, "promotes", false},
        {"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", 48, 56, 4, NULL, true},
        {"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 4, 12, 0, "own side", false},
        {"4k3/8/8/8/8/8/8/4R1K1 b - - 0 1", 4, 60, 0, "captures the king", false},
        {"4k3/4r3/8/8/8/8/4B3/4K3 w - - 0 1", 12, 19, 0, "own king in check", true},
        {"4k3/4r3/8/8/8/8/4r3/4K3 w - - 0 1", 4, 12, 0, "own king in check", true},
        {"4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", 36, 43, 0, NULL, true},                  /* the field need not say so */
        {"4k3/3n4/8/3pP3/8/8/8/4K3 w - - 0 1", 36, 43, 0, "does not move so", false}, /* it cannot have come so */
        {"4k3/8/3n4/3pP3/8/8/8/4K3 w - - 0 1", 36, 43, 0, NULL, true},
        {"4k3/8/8/4P3/8/8/8/4K3 w - - 0 1", 36, 43, 0, "does not move so", false},
        {"8/8/8/K2pP2r/8/8/8/4k3 w - - 0 1", 36, 43, 0, "own king in check", true},
        {"4k3/8/8/8/8/8/8/4K2R w - - 0 1", 4, 6, 0, NULL, true},
        {"4k3/8/8/8/8/8/8/4K2R w - - 0 1", 4, 7, 0, NULL, true},
        {"4k3/8/8/8/8/8/8/4KB1R w - - 0 1", 4, 6, 0, "in the way", false},
        {"4k3/8/8/8/8/8/5r2/4K2R w - - 0 1", 4, 6, 0, "through", true},
        {"4k3/8/8/8/8/8/8/4K1BR w - - 0 1", 4, 2, 0, "does not move so", false},
        {"4k3/8/8/8/8/8/8/rRK5 w - - 0 1", 2, 1, 0, "castle into check", true}, /* the rook shielded the king */
        {"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 12, 28, 8, "bits", false},
        {"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 12, 28, 12, "bits", false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const seebatch_position p = position_of_fen(cases[i].fen);
        const seebatch_move move =
            (seebatch_move)(cases[i].from | cases[i].to << 6 | cases[i].promotion << 12); /* wrong ones, too */
        const char *fault = seebatch_move_fault(NULL, &p, move, false);
        if (!cases[i].reason ? fault != NULL : !fault || !strstr(fault, cases[i].reason))
            fail_msg("case %zu: '%s', expected '%s'", i, fault ? fault : "none",
                     cases[i].reason ? cases[i].reason : "none");
        if ((seebatch_move_fault(NULL, &p, move, true) == NULL) != cases[i].pseudo_legal)
            fail_msg("case %zu should %sbe pseudo-legal", i, cases[i].pseudo_legal ? "" : "not ");
        const seebatch_rules legal = rules_named("legal"); /* which know no other moves */
        if ((seebatch_move_fault(&legal, &p, move, true) == NULL) != (cases[i].reason == NULL))
            fail_msg("case %zu should %sbe legal", i, cases[i].reason ? "not " : "");
    }
}

/* What is wrong with boards: for every rule set, or for those that know kings. */
TEST(boards_are_out_of_order)
{
    static const char marked[] = "an empty square is marked as white", two[] = "more than one king", none[] = "no king";
    for (size_t i = 0; i < rule_sets(); i++) {
        struct call c = right_call();
        c.rules = rules_at(i);
        assert_null(seebatch_board_fault(&c.rules, c.positions));
        c.positions[0].white |= UINT64_C(1) << 40;
        expect_abort(value, &c, marked);
        for (int color = SEEBATCH_WHITE; color <= SEEBATCH_BLACK; color++) {
            c = right_call();
            c.rules = rules_at(i);
            seebatch_put_piece(&c.positions[0], 40, SEEBATCH_KING, color);
            expect_abort(value, &c, two);

            const uint64_t king = UINT64_C(1) << (color == SEEBATCH_WHITE ? 4 : 60);
            c.positions[0] = c.positions[1];
            c.positions[0].plane[1] &= ~king, c.positions[0].plane[2] &= ~king, c.positions[0].white &= ~king;
            if (c.rules.pins == SEEBATCH_PINS_LEGAL) {
                expect_abort(value, &c, none);
            } else {
                assert_null(seebatch_board_fault(&c.rules, c.positions));
                assert_null(seebatch_move_fault(&c.rules, c.positions, c.moves[0], false));
            }
        }
    }
    struct call c = right_call(); /* what is no move has no name */
    c.moves[0] |= 7 << 12;
    expect_abort(value, &c, "KQkq - 0 1: its bits are not those of a move");
}

/* Where the king of the side that does not move is in check, captures that are not legal would be counted. */
TEST(other_king_is_in_check)
{
    for (size_t i = 0; i < rule_sets(); i++) {
        struct call c = right_call();
        c.rules = rules_at(i);
        c.positions[0] = position_of_fen("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1");
        c.moves[0] = seebatch_make_move(12, 11, 0);
        if (c.rules.pins == SEEBATCH_PINS_LEGAL)
            expect_abort(value, &c, "the king of the other side is in check already");
        else
            expect_return(value, &c);
        const seebatch_batch batch = {
            .positions = c.positions, .n_positions = 1, .offsets = c.offsets, .moves = c.moves};
        for (int what = SEEBATCH_CHECK_LEGAL; what <= SEEBATCH_CHECK_PSEUDO_LEGAL; what++)
            assert_int_equal(seebatch_batch_check(&c.rules, &batch, 1, what, NULL, NULL),
                             c.rules.pins == SEEBATCH_PINS_LEGAL ? SEEBATCH_ILLEGAL : SEEBATCH_OK);
    }
}

/* Whether a move is one that the position's fields have a say in, and not the board alone. */
static bool hangs_on_rights(const seebatch_position *p, seebatch_move move)
{
    const int from = seebatch_from(move), to = seebatch_to(move), type = seebatch_type_on(p, from);
    const bool takes_own = seebatch_pieces_of_color(p, p->stm) >> to & 1;
    const bool empty = seebatch_type_on(p, to) == SEEBATCH_NO_PIECE;
    return (type == SEEBATCH_PAWN && empty && (from & 7) != (to & 7)) ||
           (type == SEEBATCH_KING && (takes_own || from - to == 2 || to - from == 2));
}

/* Every move that the generator gives passes; any other fails, but for rights that the check does not ask for. */
static size_t compare_with_generator(const seebatch_position *p)
{
    static bool legal[1 << 15];
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    const size_t n = seebatch_legal_moves(p, moves);
    size_t passed = 0;
    memset(legal, 0, sizeof legal);
    for (size_t i = 0; i < n; i++)
        legal[moves[i]] = true;
    for (unsigned m = 0; m < 5u << 12; m++) {
        const seebatch_move move = (seebatch_move)m;
        if (!(seebatch_pieces_of_color(p, p->stm) >> seebatch_from(move) & 1))
            continue;
        const char *fault = seebatch_move_fault(NULL, p, move, false);
        if (legal[move] ? fault != NULL : !fault && !hangs_on_rights(p, move))
            fail_msg("%s: move %s %s", fen_of(p).text, uci_of(move).text, fault ? fault : "passes and is not legal");
        if (!fault && seebatch_move_fault(NULL, p, move, true))
            fail_msg("%s: move %s is legal, but not pseudo-legal", fen_of(p).text, uci_of(move).text);
        passed += legal[move];
    }
    return passed;
}

TEST(the_check_agrees_with_the_move_generator)
{
    static const size_t n[] = {400, 400, 97};
    static const char *const files[] = {"data/games.fen", "data/random.fen", "data/perft/chess960.epd"};
    static seebatch_position positions[400];
    size_t moves = 0;
    for (size_t i = 0; i < COUNT(files); i++) {
        read_positions(files[i], n[i], positions);
        for (size_t k = 0; k < n[i]; k++)
            moves += compare_with_generator(&positions[k]);
    }
    assert_true(moves > 20000);
}

int main(void) { return run_all_tests(NULL); }
