/*
 * Captures of many positions, who is in check, and the lengths of exchanges: by each kernel of this machine the answers
 * of the functions for one position, on positions of games and on boards with pieces strewn over them.
 */
#include "every_rules.h"
#include "test_support.h"

enum { POSITIONS = 3001, GAMES = 1000 }; /* neither four nor eight divides them */

static seebatch_position positions[POSITIONS];
static seebatch_move moves[POSITIONS * 64 + SEEBATCH_MAX_MOVES];
static size_t offsets[POSITIONS + 1];
static uint64_t random_state = 1;

static unsigned draw(unsigned n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (unsigned)(random_state >> 20) % n;
}

/* Kings and up to so many pieces of any kind, sound unless `any`: then kings may be missing or attacked. */
static seebatch_position strewn(unsigned most, bool any)
{
    for (;;) {
        seebatch_position p = seebatch_position_empty((int)draw(2));
        const unsigned kings = any ? draw(3) : 2;
        for (unsigned i = 0, n = 2 + draw(most); i < n; i++) {
            const int square = (int)draw(64), type = i < kings ? SEEBATCH_KING : (int)draw(SEEBATCH_KING);
            if (!(seebatch_occupied(&p) >> square & 1))
                seebatch_put_piece(&p, square, type, i < kings ? (int)i % 2 : (int)draw(2));
        }
        if (any || seebatch_position_check(&p, NULL) == SEEBATCH_OK)
            return p;
    }
}

static int fill_positions(void **state)
{
    (void)state;
    read_positions("data/games.fen", GAMES, positions);
    read_positions("data/random.fen", GAMES, positions + GAMES);
    for (size_t i = 2 * GAMES; i < POSITIONS; i++)
        positions[i] = strewn(24, false);
    return 0;
}

static int by_number(const void *a, const void *b) { return *(const seebatch_move *)a - *(const seebatch_move *)b; }

static bool is_even(const seebatch_position *p, seebatch_move move)
{
    const int to = seebatch_to(move), rank = p->stm == SEEBATCH_WHITE ? to / 8 : 7 - to / 8;
    return !seebatch_promotion(move) && seebatch_occupied(p) >> to & 1 && rank > 0 &&
           seebatch_type_on(p, to) >= seebatch_type_on(p, seebatch_from(move));
}

/* The row of position i, whose captures are wanted. */
static void compare_row(size_t i, bool even)
{
    static seebatch_move expected[SEEBATCH_MAX_MOVES];
    const size_t n = seebatch_legal_captures(&positions[i], expected), found = offsets[i + 1] - offsets[i];
    bool any_even = false;
    for (size_t k = 0; k < n; k++)
        any_even |= is_even(&positions[i], expected[k]);
    qsort(expected, n, sizeof *expected, by_number);
    qsort(moves + offsets[i], found, sizeof *moves, by_number);
    if (even ? !any_even : found != n || memcmp(moves + offsets[i], expected, n * sizeof *moves) != 0)
        fail_msg("%s: %zu captures found of %zu, %s", fen_of(&positions[i]).text, found, n,
                 even ? "none of them even" : "all wanted");
}

TEST(test_collected)
{
    bool in[POSITIONS], even[POSITIONS], checked[POSITIONS];
    for (size_t kernel = 0; use_next_kernel(&kernel);) {
        for (unsigned some = 0; some < 4; some++) {
            const size_t n = seebatch_collect_captures(NULL, 0, NULL, offsets, NULL, NULL, NULL);
            assert_true(n == 0 && offsets[0] == 0);
            for (size_t i = 0; i < POSITIONS; i++)
                in[i] = draw(4) > 0;
            seebatch_collect_captures(positions, POSITIONS, some & 1 ? in : NULL, offsets, moves,
                                      some & 2 ? even : NULL, checked);
            for (size_t i = 0; i < POSITIONS; i++) {
                assert_int_equal(checked[i], seebatch_in_check(&positions[i]));
                if (some & 1 && !in[i])
                    assert_true(offsets[i] == offsets[i + 1] && !(some & 2 && even[i]));
                else
                    compare_row(i, some & 2 && even[i]);
            }
        }
    }
}

TEST(test_checks)
{
    enum { CANARY = 2 };
    union {
        bool is[POSITIONS];
        uint8_t byte[POSITIONS];
    } checked;
    seebatch_job job = {.threads = 2};
    for (size_t kernel = 0; use_next_kernel(&kernel);) {
        for (size_t turn = 0; turn < 8; turn++) { /* of any number */
            const size_t n = POSITIONS - turn / 2;
            memset(checked.byte, CANARY, sizeof checked);
            assert_int_equal(seebatch_batch_in_check(positions, n, checked.is, turn % 2 ? &job : NULL), SEEBATCH_OK);
            for (size_t i = 0; i < n; i++)
                if (checked.byte[i] != seebatch_in_check(&positions[i]))
                    fail_msg("%s: in check: %d", fen_of(&positions[i]).text, checked.byte[i]);
            for (size_t i = n; i < POSITIONS; i++)
                assert_int_equal(checked.byte[i], CANARY);
        }
    }
}

/* Also where a pawn that captures may lose more than it wins. */
TEST(test_any_capture)
{
    static int16_t values[COUNT(moves)];
    static uint64_t mask[SEEBATCH_MASK_WORDS(POSITIONS)];
    assert_int_equal(seebatch_batch_legal_captures(positions, POSITIONS, offsets, moves, COUNT(moves), NULL), 0);
    const seebatch_batch batch = {.positions = positions, .n_positions = POSITIONS, .offsets = offsets, .moves = moves};
    for (size_t kernel = 0; use_next_kernel(&kernel);) {
        for (int r = 0; r < 40; r++) {
            seebatch_rules rules = rules_at((size_t)r % rule_sets());
            for (int type = 0; type < 5; type++)
                rules.value[type] = (int16_t)(100 * draw(4));
            const int threshold = 100 * ((int)draw(7) - 3);
            seebatch_batch_values(&rules, &batch, values, NULL);
            seebatch_batch_any_capture(&rules, positions, POSITIONS, (int16_t)threshold, mask, NULL);
            for (size_t i = 0; i < POSITIONS; i++) {
                bool any = false;
                for (size_t k = offsets[i]; k < offsets[i + 1]; k++)
                    any = any || values[k] >= threshold;
                if (bit_of(mask, i) != any)
                    fail_msg("%s: a capture worth %d or more: %d, expected %d", fen_of(&positions[i]).text, threshold,
                             !any, any);
            }
        }
    }
}

/* ---- Lengths ----------------------------------------------------------------------------------------------------- */

static void compare_lengths(const struct named_rules *rules, const seebatch_batch *batch)
{
    static uint8_t lengths[COUNT(moves)], alone[COUNT(moves)];
    static int16_t values[COUNT(moves)], by_values[COUNT(moves)];
    const size_t n = batch->offsets[batch->n_positions] - batch->offsets[0];
    seebatch_batch_lengths(&rules->rules, batch, values, lengths, NULL);
    seebatch_batch_lengths(&rules->rules, batch, NULL, alone, NULL);
    seebatch_batch_values(&rules->rules, batch, by_values, NULL);
    assert_memory_equal(by_values, values, n * sizeof *values);
    assert_memory_equal(alone, lengths, n);
    for (size_t i = 0; i < batch->n_positions; i++) {
        for (size_t k = batch->offsets[i]; k < batch->offsets[i + 1]; k++) {
            seebatch_trace trace;
            seebatch_explain(&rules->rules, &batch->positions[i], batch->moves[k], &trace);
            if (lengths[k - batch->offsets[0]] != trace.length)
                fail_msg("%s, %s under %s: %d captures, found %d", fen_of(&batch->positions[i]).text,
                         uci_of(batch->moves[k]).text, rules->name, trace.length, lengths[k - batch->offsets[0]]);
            if (values[k - batch->offsets[0]] != trace.value)
                fail_msg("%s, %s under %s: worth %d, found %d", fen_of(&batch->positions[i]).text,
                         uci_of(batch->moves[k]).text, rules->name, trace.value, values[k - batch->offsets[0]]);
        }
    }
}

static struct every_rules every;

/* All legal moves of some positions, from one in the middle of the offsets on. */
TEST(test_lengths_of_legal_moves)
{
    list_every_rules(&every);
    for (size_t kernel = 0; use_next_kernel(&kernel);) {
        for (size_t r = 0; r < every.n; r++) {
            const size_t first = r * 37 % (POSITIONS - 20), room = COUNT(moves);
            assert_int_equal(seebatch_batch_legal_moves(positions + first, 20, offsets, moves, room, NULL), 0);
            const seebatch_batch batch = {
                .positions = positions + first + 3, .n_positions = 17, .offsets = offsets + 3, .moves = moves};
            compare_lengths(&every.list[r], &batch);
        }
        for (size_t r = 0; r < every.n_named; r++) {
            assert_int_equal(seebatch_batch_legal_captures(positions, POSITIONS, offsets, moves, COUNT(moves), NULL),
                             0);
            const seebatch_batch batch = {
                .positions = positions, .n_positions = POSITIONS, .offsets = offsets, .moves = moves};
            compare_lengths(&every.list[r], &batch);
            /* With these piece values the lanes find the lengths, and other code the values. */
            struct named_rules others = every.list[r];
            memcpy(others.rules.value, (const int16_t[]){2700, 1500, 600, 650, 40, 0}, 5 * sizeof(int16_t));
            compare_lengths(&others, &batch);
        }
    }
}

/* Whatever the check lets pass has one answer, whoever is to move. Rules other than legal ones take moves that leave the
 * king in check, and boards without a king. */
TEST(test_lengths_of_strange_moves)
{
    list_every_rules(&every);
    for (size_t kernel = 0; use_next_kernel(&kernel);) {
        for (unsigned board = 0; board < 20000; board++) {
            const struct named_rules *rules = &every.list[board % 3 ? board % every.n_named : draw((unsigned)every.n)];
            const bool legal = rules->rules.pins == SEEBATCH_PINS_LEGAL;
            const seebatch_position p = strewn(16, !legal);
            seebatch_batch batch = {.positions = &p, .n_positions = 1, .offsets = offsets, .moves = moves};
            offsets[0] = 0;
            offsets[1] = 1;
            for (int squares = 0; squares < 64 * 64; squares++) {
                moves[0] = seebatch_make_move(squares % 64, squares / 64, 0);
                if (seebatch_occupied(&p) >> squares / 64 & seebatch_occupied(&p) >> squares % 64 & 1 &&
                    seebatch_batch_check(&rules->rules, &batch, 1, SEEBATCH_CHECK_PSEUDO_LEGAL, NULL, NULL) ==
                        SEEBATCH_OK)
                    compare_lengths(rules, &batch);
            }
        }
    }
}

/* A king takes his own rook, which captures nothing, whatever stands on the lines to it. */
TEST(test_lengths_of_castling)
{
    static const char *const fens[] = {"3k2r1/5N1K/6Q1/1N6/4r3/8/8/8 b - - 0 1", "k7/8/8/8/8/1b4q1/8/4R1KR w - - 0 1",
                                       "1r1k2r1/8/8/8/8/8/6R1/6RK b - - 0 1"};
    list_every_rules(&every);
    for (size_t kernel = 0; use_next_kernel(&kernel);) {
        for (size_t at = 0; at < COUNT(fens) * 64 * every.n; at++) {
            const struct named_rules *rules = &every.list[at / (64 * COUNT(fens))];
            const seebatch_position p = position_of_fen(fens[at / 64 % COUNT(fens)]);
            const uint64_t own = seebatch_pieces_of_color(&p, p.stm),
                           king = seebatch_pieces_of_type(&p, SEEBATCH_KING) & own;
            seebatch_batch batch = {.positions = &p, .n_positions = 1, .offsets = offsets, .moves = moves};
            moves[0] = seebatch_make_move(__builtin_ctzll(king), (int)(at % 64), 0);
            offsets[0] = 0;
            offsets[1] = 1;
            if ((own & ~king) >> at % 64 & 1 &&
                seebatch_batch_check(&rules->rules, &batch, 1, SEEBATCH_CHECK_PSEUDO_LEGAL, NULL, NULL) == SEEBATCH_OK)
                compare_lengths(rules, &batch);
        }
    }
}

/* Boards and moves of any bits, each alone: the check refuses them, or every kernel has the answer of the scalar code. */
TEST(test_any_bits)
{
    enum { TIMES = 40000 / SHARE, MOVES = 16 };
    unsigned long passed = 0;
    for (size_t kernel = 0; use_next_kernel(&kernel);) {
        for (unsigned time = 0; time < TIMES; time++) {
            const struct named_rules *rules = &every.list[draw((unsigned)every.n)];
            seebatch_position p = strewn(30, true);
            for (unsigned flips = draw(4); flips > 0; flips--) { /* of one board in four, none */
                uint64_t *const words[] = {&p.plane[0], &p.plane[1], &p.plane[2], &p.white};
                *words[draw(4)] ^= UINT64_C(1) << draw(64);
            }
            p.ep_square = (uint8_t)draw(256);
            p.stm = (uint8_t)draw(2);
            for (int i = 0; i < MOVES; i++) {
                const unsigned from = draw(64), to = draw(64), rest = draw(4) ? 0 : draw(16);
                seebatch_batch batch = {.positions = &p, .n_positions = 1, .offsets = offsets, .moves = moves};
                offsets[0] = 0;
                offsets[1] = 1;
                moves[0] = (seebatch_move)(from | to << 6 | rest << 12);
                const int what = SEEBATCH_CHECK_LEGAL + (int)draw(2);
                if (seebatch_batch_check(&rules->rules, &batch, 1, what, NULL, NULL) == SEEBATCH_OK) {
                    compare_lengths(rules, &batch);
                    passed++;
                }
            }
        }
    }
    assert_true(passed > TIMES / 10);
}

/* More moves than are looked at in one go, of a position and of several; one move many times. */
TEST(test_lengths_of_many_moves)
{
    const size_t many = 5000;
    const seebatch_position *p = positions;
    size_t n;
    for (; (n = seebatch_legal_captures(p, moves)) == 0; p++)
        ;
    list_every_rules(&every);
    for (size_t k = n; k < 3 * many; k++)
        moves[k] = moves[k % n];
    for (size_t i = 0; i < 4; i++)
        offsets[i] = i * many;
    const seebatch_position same[3] = {*p, *p, *p};
    const seebatch_batch batch = {.positions = same, .n_positions = 3, .offsets = offsets, .moves = moves};
    compare_lengths(&every.list[0], &batch);
}

int main(void) { return run_all_tests(fill_positions); }
